"""Every player of the registry, in every game that it plays."""

from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.games.bidding import BiddingGame
from efg_builder.games.protocol import DealtGame
from efg_builder.players import Policy, players
from efg_builder.sparse_profile import SparseProfile
from efg_builder.strategy_given import table_of
from efg_builder.strategy_seats import public_turns

GAMES = [
    eb.game("liars-dice", sides=3),
    eb.game("liars-dice", dice=(2, 1), order="face-quantity"),
    eb.game("liars-dice", dice=(1, 1, 1)),
    eb.game("dice-poker", sides=3),
    eb.game("mia"),
]


def sit(name, game):
    return players()[name].sit(table_of(game, 10**5, 60.0, lambda line: None))


def test_these_are_built_in():
    assert {"uniform", "equilibrium", "always-call", "lowest-raise"} <= set(players())
    assert all(player.summary for player in players().values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
@pytest.mark.parametrize("name", sorted(set(players()) - {"equilibrium"}))
def test_whoever_plays_a_game_plays_legal_moves(name, game):
    if name != "uniform" and not isinstance(game, BiddingGame):
        with pytest.raises(eb.NotApplicableError, match=rf"^{name} plays .*{game.title}"):
            sit(name, game)
        return
    play = sit(name, game)
    if isinstance(play, Policy):
        assert isinstance(game, DealtGame)
        for turn in public_turns(game):
            for hand in range(game.hand_counts[turn.player]):
                row = play.at(turn, hand)
                assert set(row) <= {action for action, _ in turn.actions}
                assert sum(row.values()) == 1
                assert all(isinstance(p, Fraction) and p >= 0 for p in row.values())


@pytest.mark.parametrize("game", [game for game in GAMES if isinstance(game, BiddingGame)], ids=lambda game: game.title)
@pytest.mark.parametrize("name", sorted(players()))
def test_a_promise_to_look_at_the_last_bid_alone_is_kept(name, game):
    play = sit(name, game) if name != "equilibrium" else None
    if not (isinstance(play, Policy) and play.last_bid_only):
        return
    seen = {}
    for turn in public_turns(game):
        for hand in range(game.hand_counts[turn.player]):
            key = turn.player, hand, turn.history.split(" ")[-1]
            assert seen.setdefault(key, play.at(turn, hand)) == play.at(turn, hand)


def test_what_the_rules_of_thumb_do():
    game = eb.game("liars-dice", sides=3)
    profile = sit("always-call", game)
    assert isinstance(profile, SparseProfile)
    raises = sit("lowest-raise", game)
    for turn in public_turns(game):
        names = [action for action, _ in turn.actions]
        (called,) = profile.played(turn, 1)
        (raised,) = raises.at(turn, 1)
        assert called == ("call" if turn.history != "start" else "1x1")
        assert raised == ("call" if names == ["call"] else names[0])
        assert raised != "call" or turn.history.endswith("2x3")


@pytest.mark.parametrize("game", [eb.game("liars-dice", sides=3), eb.game("mia"), eb.game("dice-poker", sides=3)])
def test_the_equilibrium_cannot_be_exploited(game):
    found = eb.evaluate(game, "equilibrium")
    assert found.exact
    assert found.matches[0].nash_conv == 0
    assert found.matches[0].value == eb.solve(game).value


def test_the_equilibrium_of_a_tree_alone():
    assert eb.evaluate(eb.build(eb.game("dice-poker", sides=3)), "equilibrium").matches[0].nash_conv == 0


def test_no_equilibrium_within_the_time_limit_is_said_in_a_line(cli):
    words = "evaluate liars-dice sides=6 dice=3,3 --strategy equilibrium --timeout 1/10"
    code, out, err = cli(*words.split())
    assert (code, out) == (4, "")
    assert err.splitlines()[-1].startswith(
        "error: equilibrium: oracle came to 'timeout', not to a verified equilibrium"
    )


def test_a_name_that_does_not_fit_the_game_is_said_in_a_line(cli):
    code, out, err = cli("evaluate", "mia", "--strategy", "lowest-raise")
    assert (code, out) == (2, "")
    right = "lowest-raise plays games of bidding only, such as liars-dice; Mia: two dice of 2 sides is none"
    assert err == f"error: {right}\n"


def test_players_are_listed(cli):
    code, out, _ = cli("evaluate", "--players")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(players())
