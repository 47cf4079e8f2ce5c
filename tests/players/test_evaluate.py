"""Measuring strategies: three ways that agree, seats, exploiters, completions, and what the command prints."""

import json
from fractions import Fraction

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_games import ROUNDS

import efg_builder as eb
from efg_builder.strategies.reading import COMPLETIONS

THREE = eb.game("liars-dice", sides=3)
GAMES = [
    *ROUNDS,
    eb.game("liars-dice", sides=3, wild="highest"),
]
TREES = {game: eb.build(game) for game in GAMES}


def numbers(found):
    return [[*match.value, *match.best_response] for match in found.matches]


@settings(max_examples=25)
@given(st.sampled_from(GAMES), st.integers(0, 10**6))
def test_tree_sparse_and_wide_agree(game, seed):
    profile, other = (brute.random_profile(TREES[game], seed + k) for k in range(2))
    tree, sparse, wide = (eb.evaluate(game, profile, other, method=method) for method in ("tree", "sparse", "dense"))
    assert tree.exact
    assert sparse.exact
    assert not wide.exact
    assert numbers(tree) == numbers(sparse)
    for exact, floats in zip(numbers(tree), numbers(wide), strict=True):
        assert all(abs(Fraction(b) - a) <= wide.error_bound for a, b in zip(exact, floats, strict=True))
    for exact, floats in zip(tree.matches, wide.matches, strict=True):
        assert abs(Fraction(floats.nash_conv) - exact.nash_conv) <= wide.nash_conv_error_bound


THREE_PLAYERS = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)


@pytest.mark.parametrize("game", [eb.game("liars-dice", max_quantity=1), eb.game("dice-poker", sides=2), THREE_PLAYERS])
@pytest.mark.parametrize("seed", range(3))
def test_no_pure_strategy_gets_more(game, seed):
    tree, players = eb.build(game), len(game.players)
    profile = brute.random_profile(tree, seed)
    (match,) = eb.evaluate(game, profile).matches
    assert list(match.best_response) == [brute.best_response_value(profile, player) for player in range(players)]
    assert list(match.value) == brute.payoffs(tree, brute.rows(profile))
    assert match.nash_conv == sum(match.best_response) - sum(match.value)
    assert match.exploitability == (match.nash_conv / 2 if players == 2 else None)


def test_three_players_without_a_tree(tmp_path):
    # 27,622 nodes: the tree's figures are there to hold against.
    game = eb.game("liars-dice", sides=3, dice="1,1,1")
    solution = eb.solve(game)
    alone, pair = eb.evaluate(game, solution, exploiter=True), eb.evaluate(game, solution, "always-call")
    assert (alone.method, pair.method) == ("sparse", "sparse")
    for found, over in ((alone, eb.evaluate(game, solution, method="tree")), (pair, None)):
        over = over or eb.evaluate(game, solution, "always-call", method="tree")
        assert numbers(found) == numbers(over)
    assert alone.matches[0].value == solution.value
    path = alone.write_exploiter(tmp_path / "exploiter.json")
    best = eb.evaluate(game, path, solution)
    assert [match.value[seat] for seat, match in enumerate(best.matches)] == list(alone.matches[0].best_response)


def test_seats_are_taken_in_turn():
    one, two = brute.random_profile(TREES[THREE], 1), brute.random_profile(TREES[THREE], 2)
    first, second = eb.evaluate(THREE, one, two).matches
    rows = brute.rows(one), brute.rows(two)
    for match, order in ((first, (0, 1)), (second, (1, 0))):
        mixed = {k: rows[order[TREES[THREE].infosets[k].player]][k] for k in TREES[THREE].personal}
        together = eb.TreeProfile.from_personal(TREES[THREE], mixed)
        assert match == eb.evaluate(THREE, together).matches[0].__class__(match.seats, *numbers_of(together))


def numbers_of(profile):
    (match,) = eb.evaluate(THREE, profile).matches
    return match.value, match.best_response


@pytest.mark.parametrize("game", [*GAMES, eb.game("mia"), eb.game("dice-poker", sides=3), THREE_PLAYERS], ids=str)
def test_the_exploiter_gets_what_the_best_response_gets(tmp_path, game):
    path = tmp_path / "exploiter.json.gz"
    found = eb.evaluate(game, "uniform", exploiter=True)
    found.write_exploiter(path)
    again = eb.evaluate(game, str(path), "uniform")
    assert [match.value[seat] for seat, match in enumerate(again.matches)] == list(found.matches[0].best_response)
    if len(game.players) > 2:
        with pytest.raises(eb.ParameterError, match="two players only"):
            eb.evaluate(game, "uniform", "lowest-raise", exploiter=True)


@pytest.mark.parametrize("method", ["tree", "sparse", "dense"])
@pytest.mark.parametrize("suffix", ["json", "csv", "npz"])
def test_every_way_writes_exploiters_in_the_order_of_solve(tmp_path, method, suffix):
    path = tmp_path / f"exploiter.{suffix}"
    profile = brute.random_profile(TREES[THREE], 7)
    found = eb.evaluate(THREE, profile, method=method, exploiter=True)
    if suffix == "npz" and method != "dense":
        with pytest.raises(
            eb.ParameterError, match=r"only strategies from --measure dense can be written as arrays \(.npz\)"
        ):
            found.write_exploiter(path)
        assert not path.exists()
        return
    found.write_exploiter(path)
    again = eb.evaluate(THREE, profile, path)
    got = again.matches[1].value[0], again.matches[0].value[1]
    assert [float(v) for v in got] == pytest.approx([float(b) for b in found.matches[0].best_response], abs=1e-12)
    if suffix == "csv":
        mine = [(int(line.split(",")[0]), line.split(",")[1]) for line in path.read_text().splitlines()[1:]]
    elif suffix == "json":
        parts = json.loads(path.read_text())["strategies"]
        mine = [(player, label) for player, part in enumerate(parts, start=1) for label in part]
    else:
        return
    right = [TREES[THREE].infosets[k] for k in TREES[THREE].personal]
    right = [(infoset.player + 1, infoset.label) for infoset in sorted(right, key=lambda i: (i.player, i.number))]
    assert len(mine) > 10
    assert mine == [each for each in right if each in set(mine)]


@pytest.mark.parametrize("complete", COMPLETIONS)
@pytest.mark.parametrize("method", ["tree", "dense"])
def test_what_is_missing_is_completed_and_counted(tmp_path, complete, method):
    path = tmp_path / "some.json"
    path.write_text('{"2: start": {"1x3": "1/3", "2x1": "2/3"}, "3: 1x1": {"call": 1}}')
    found = eb.evaluate(THREE, path, complete=complete, method=method)
    (described,) = found.strategies
    assert [(s.written, s.sets, s.completed) for s in described.seats] == [(1, 96, 95)] * 2
    by_hand = {}
    for k in TREES[THREE].personal:
        infoset = TREES[THREE].infosets[k]
        if complete == "uniform":
            by_hand[k] = [Fraction(1, len(infoset.actions))] * len(infoset.actions)
        else:
            default = "1x1" if infoset.label.endswith("start") else "call"
            by_hand[k] = [Fraction(int(action == default)) for action in infoset.actions]
        if infoset.label == "2: start":
            by_hand[k] = [{"1x3": Fraction(1, 3), "2x1": Fraction(2, 3)}.get(a, Fraction(0)) for a in infoset.actions]
        if infoset.label == "3: 1x1":
            by_hand[k] = [Fraction(int(action == "call")) for action in infoset.actions]
    right = eb.evaluate(THREE, eb.TreeProfile.from_personal(TREES[THREE], by_hand))
    for a, b in zip(numbers(found)[0], numbers(right)[0], strict=True):
        assert float(a) == pytest.approx(float(b), abs=1e-13)


def test_large_games_without_a_tree_are_measured_exactly(tmp_path):
    game = eb.game("liars-dice", sides=6, dice=(2, 1))
    solution = eb.solve(game)
    solution.write(tmp_path / "s.json.gz")
    found = eb.evaluate(game, tmp_path / "s.json.gz")
    assert (found.method, found.exact) == ("sparse", True)
    # The value in README.md's table.
    assert found.matches[0].value[0] == found.matches[0].best_response[0] == Fraction(212027, 771552)
    assert found.matches[0].nash_conv == 0
    assert found.strategies[0].seats[0].completed > 2_700_000
    wide = eb.evaluate(game, tmp_path / "s.json.gz", method="dense")
    assert wide.matches[0].nash_conv == pytest.approx(0, abs=wide.nash_conv_error_bound)


def test_auto_takes_what_suits():
    large = eb.game("liars-dice", sides=5, dice=(1, 2), max_quantity=3)
    assert eb.evaluate(THREE, "uniform").method == "tree"
    assert eb.evaluate(large, "always-call").method == "sparse"
    assert eb.evaluate(large, "always-call", "uniform").method == "dense"


def test_floats_on_a_tree_come_with_a_bound():
    rows = {
        k: [float(p) for p in row]
        for k, row in enumerate(brute.random_profile(TREES[THREE], 3).probabilities)
        if k in TREES[THREE].personal
    }
    floats = eb.TreeProfile.from_personal(TREES[THREE], rows)
    found, right = eb.evaluate(THREE, floats), eb.evaluate(THREE, brute.random_profile(TREES[THREE], 3))
    assert not found.exact
    assert found.error_bound < 1e-11
    for a, b in zip(numbers(found)[0], numbers(right)[0], strict=True):
        assert abs(Fraction(a) - b) <= found.error_bound


@pytest.mark.parametrize(
    ("strategy", "method", "decided", "said"),
    [
        ("equilibrium", "tree", True, "yes: no player gains"),
        ("uniform", "tree", False, "no: Player 1 gains 334/405 and Player 2 gains 991/1620"),
        ("uniform", "dense", False, "no: Player 1 gains ≈0.8247 and Player 2 gains ≈0.6117"),
        ("equilibrium", "dense", None, "not decided: no player gains more than 1e-13"),
    ],
)
def test_an_evaluation_says_whether_the_strategy_is_an_equilibrium(strategy, method, decided, said):
    found = eb.evaluate(THREE, strategy, method=method)
    assert found.equilibrium is decided
    assert found.to_json()["equilibrium"] is decided
    assert f"\nequilibrium    {said}" in str(found)


def test_two_strategies_together_are_not_judged():
    found = eb.evaluate(THREE, "equilibrium", "uniform")
    assert found.equilibrium is None
    assert "\nequilibrium" not in str(found)


def test_arrays_take_32_bits_where_memory_is_short(cli):
    half = str(Fraction(2 * 2**17 * 21 * 4, 2**30) + Fraction(1, 1024))
    code, out, err = cli(*f"evaluate liars-dice sides=6 dice=2,1 --strategy uniform --max-memory {half} --json".split())
    assert code == 0
    assert err == "arrays of 131,072 histories a player, 32 bits: 21 MiB of memory\n"
    short, full = json.loads(out), eb.evaluate(eb.game("liars-dice", sides=6, dice=(2, 1)), "uniform")
    assert full.error_bound < 1e-12 < 1e-6 < short["error_bound"] < 1e-3
    gap = abs(short["matches"][0]["nash_conv"] - full.matches[0].nash_conv)
    assert gap <= short["nash_conv_error_bound"] + full.nash_conv_error_bound


def test_long_work_over_arrays_says_how_far_it_is():
    told = []
    eb.evaluate(THREE, "uniform", method="dense", progress=told.append)
    for what in ("value", "best response of Player 1", "best response of Player 2"):
        shares = [int(line.split()[-4].rstrip("%")) for line in told if line.startswith(f"{what}: ")]
        assert shares == sorted(shares)
        assert shares[0] < 10
        assert 90 <= shares[-1] <= 100
        assert len(shares) > 5
    assert all(line.endswith("% of all histories") for line in told)
    told.clear()
    policy = eb.Policy(lambda turn, hand: {turn.actions[0][0]: 1})
    eb.evaluate(eb.game("liars-dice", sides=5), policy, method="dense", progress=told.append)
    assert "Player 2, policy '<lambda>': queried at 1,280 of 2,560 information sets" in told


@pytest.mark.parametrize("method", ["tree", "dense"])
def test_what_a_policy_raises_or_returns_is_said_with_its_place(method):
    def broken(turn, hand):
        if turn.history == "1x1 1x2" and hand == 2:
            return {}["no such key"]
        return {turn.actions[0][0]: 1}

    where = r"policy 'broken' at '3: 1x1 1x2' \(Player 1, hand 2, history '1x1 1x2'\)"
    with pytest.raises(eb.ProfileError, match=where + ": it raised KeyError: 'no such key'") as caught:
        eb.evaluate(THREE, eb.Policy(broken), method=method)
    assert isinstance(caught.value.__cause__, KeyError)
    for answer, problem in (
        (None, "it returned NoneType, not probabilities by move such as {'1x1': 1}"),
        ({3: 1}, "3 is not a move at '1: start'"),
        ({"9x9": 1}, "'9x9' is not a move at '1: start'"),
        ({"1x1": "1"}, "the probability of '1x1' is str, not a number"),
        ({"1x1": 0.5}, "sum to 0.5, not 1"),
    ):
        with pytest.raises(eb.ProfileError, match=r"policy '<lambda>' at '1: start' .*" + problem.replace("{", r"\{")):
            eb.evaluate(THREE, eb.Policy(lambda turn, hand, answer=answer: answer), method=method)


def test_a_policy_goes_by_its_functions_name():
    def first(turn, hand):
        return {turn.actions[0][0]: 1}

    found = eb.evaluate(THREE, eb.Policy(first), eb.Policy(first, last_bid_only=True))
    assert found.matches[0].seats == ("first", "first")
    hint = r"first\(\) cannot be called with one information set; eb.Policy\(function\) takes a function of a turn"
    with pytest.raises(eb.ParameterError, match=hint):
        eb.evaluate(THREE, first)


def test_a_policy_that_would_be_asked_too_often_is_told_what_works():
    # 2**17 histories of 21 hands: three dice of six sides make 18 bids, and half of 2**18 histories are player 1's.
    game = eb.game("liars-dice", sides=6, dice=(2, 1))

    def first(turn, hand):
        return {turn.actions[0][0]: 1}

    said = rf"conversion of policy 'first' needs queries at {2**17 * 21:,} information sets; the limit is 2,000,000. .*"
    with pytest.raises(eb.NotApplicableError, match=said + r"last_bid_only=True\), .*\.npz file \(docs/strategies.md"):
        eb.evaluate(game, eb.Policy(first))
    assert eb.evaluate(game, eb.Policy(first, last_bid_only=True)).method == "dense"
