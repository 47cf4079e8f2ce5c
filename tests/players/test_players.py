"""Players by name and settings, before any of them sits down."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_games import table_for

import efg_builder as eb
from efg_builder.base.parameters import Parameter, integer
from efg_builder.players.find import Player, invite, players
from efg_builder.players.kinds.zero_intelligence import LEVELS, TAILS, TIES

LAST_BID_ONLY = {"uniform", "lowest-raise", "threshold", "zero-intelligence"}
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


GAMES = [
    {"sides": 3},
    {"sides": 3, "wild": 1, "wild_biddable": False},
    {"sides": 3, "wild": 3, "order": "bluff"},
    {"dice": (2, 1)},
    {"dice": (1, 2), "order": "face-quantity", "wild": 2},
    {"dice": (1, 2, 1), "max_quantity": 2},
]
WORDS = st.one_of(
    st.sampled_from(["uniform", "lowest-raise", "always-call", "best-response:lowest-raise"]),
    st.builds(
        "threshold:threshold={}:opponent={}".format,
        st.fractions(0, 1, max_denominator=6),
        st.sampled_from(["none", "uniform", "lowest-raise", "threshold,threshold=1/3"]),
    ),
    st.builds(
        "zero-intelligence:{}:tail={}:ties={}:spread={}".format,
        st.sampled_from([*map("level={}".format, LEVELS), "call_z=-1", "call_z=2", "call_probability=1/3"]),
        st.sampled_from(TAILS),
        st.sampled_from(TIES),
        st.sampled_from(["0", "1/2", "3"]),
    ),
)


@settings(max_examples=80)
@given(st.sampled_from(GAMES), WORDS)
def test_every_answer_is_a_distribution_and_looks_at_what_is_promised(parameters, word):
    game = eb.game("liars-dice", **parameters)
    policy, seen = invite(word)(table_for(game)), {}
    by_last = getattr(policy, "last_bid_only", False)
    assert by_last == (word.partition(":")[0] in LAST_BID_ONLY and ("opponent" not in word or "=none" in word))
    for turn in game.turns():
        for hand in range(game.hand_counts[turn.player]):
            answer = policy.at(turn, hand)
            assert set(answer) <= {name for name, _ in turn.actions}
            assert min(answer.values()) >= 0
            assert abs(sum(answer.values()) - 1) < 1e-12
            assert len(answer) == 1 or word.startswith(("uniform", "zero"))
            last = turn.history.rpartition(" ")[2] if by_last else turn.history
            assert seen.setdefault((turn.player, hand, last), answer) == answer


def test_every_player_says_what_its_settings_are():
    for name, player in players().items():
        assert player.name == name
        assert player.summary
        assert player.main in {"", *(parameter.name for parameter in player.parameters)}
        for parameter in player.parameters:
            assert parameter.help
