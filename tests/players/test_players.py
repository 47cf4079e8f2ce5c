"""Players by name and settings, before any of them sits down."""

import pytest

import efg_builder as eb
from efg_builder.games.parameters import Parameter, integer
from efg_builder.players.find import Player, invite, players

DEPTH = Parameter("depth", "3", integer(1, 9), "how far to look")
FILE = Parameter("file", "", str, "what to read")
PLAIN = Player("plain", "a player for tests", lambda table, **settings: settings, (DEPTH,))
READER = Player("reader", "a player for tests", lambda table, **settings: settings, (DEPTH, FILE), main="file")


@pytest.mark.parametrize(
    ("player", "text", "expected"),
    [
        (PLAIN, "", {"depth": 3}),
        (PLAIN, "depth=5", {"depth": 5}),
        (READER, "net.npz", {"depth": 3, "file": "net.npz"}),
        (READER, "python bot.py --to a:b", {"depth": 3, "file": "python bot.py --to a:b"}),
        (READER, "depth=4:file=net=1.npz", {"depth": 4, "file": "net=1.npz"}),
    ],
)
def test_settings_follow_the_name_after_colons(player, text, expected):
    assert player.settings(text) == expected


@pytest.mark.parametrize(
    ("player", "text", "problem"),
    [
        (PLAIN, "depth", "'depth' sets nothing"),
        (PLAIN, "depth=12", "plain: depth=12: must be a whole number from 1 to 9"),
        (PLAIN, "dept=2", "no parameter 'dept'.*depth"),
        (READER, "depth=4:net.npz", "'net.npz' sets nothing"),
    ],
)
def test_wrong_settings_are_named(player, text, problem):
    with pytest.raises(eb.ParameterError, match=problem):
        player.settings(text)


def test_an_unknown_player_is_named_with_the_nearest_one():
    with pytest.raises(eb.ParameterError, match=r"no player 'unifrom'.*uniform"):
        invite("unifrom:depth=2")


def test_every_player_says_what_its_settings_are():
    for name, player in players().items():
        assert player.name == name
        assert player.summary
        assert player.main in {"", *(parameter.name for parameter in player.parameters)}
        for parameter in player.parameters:
            assert parameter.help


def test_evaluate_takes_a_player_with_settings(monkeypatch):
    with pytest.raises(eb.ParameterError, match="uniform has no parameter 'x'"):
        eb.evaluate(eb.game("liars-dice"), "uniform:x=1")
