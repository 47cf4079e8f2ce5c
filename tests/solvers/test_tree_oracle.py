"""Double oracle on explicit trees: its answers, its parts, and what it does where something goes wrong."""

import io
import time
from dataclasses import replace
from fractions import Fraction

import brute
import numpy as np
import pygambit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import all_moves, assert_solved, qualifying, random_tree, responses
from small_files import matrix_tree
from test_lp import BUDGET, published

import efg_builder as eb
from efg_builder.forms.extensive import NONE, constant_sum, has_perfect_recall, problems
from efg_builder.solvers.gambit import oracle as gambit_oracle
from efg_builder.solvers.gambit.oracle import simplified
from efg_builder.solvers.oracle import tree as tree_oracle
from efg_builder.solvers.oracle.tree import MasterError, best_response, extended, improving, restrict, solve_exactly
from efg_builder.solvers.protocol import Request
from efg_builder.solvers.tree_model import whole_game

# --- answers ------------------------------------------------------------------------------------------------


# The largest four solve some hundred rational programs each.
MANY_PROGRAMS = ("'wild': 'highest'", "'suits_seen': True")

SMALL = [
    pytest.param(*each.values, id=each.id, marks=pytest.mark.slow)
    if any(words in each.id for words in MANY_PROGRAMS)
    else each
    for each in qualifying()
]


@pytest.mark.parametrize("tree", SMALL)
def test_small_games_are_solved_exactly(tree, in_process):
    assert_solved(tree, "oracle")
    assert_solved(tree, "gambit-oracle")


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(0, 7), st.sampled_from([Fraction(0), Fraction(-7, 3)]))
def test_random_games_are_solved_exactly(seed, depth, total):
    assert_solved(random_tree(seed, depth, total), "oracle")


@pytest.mark.parametrize("seed", range(25))
def test_random_games_are_solved_exactly_by_gambit(seed, in_process):
    tree = random_tree(seed, 5)
    assert_solved(tree, "gambit-oracle")
    assert_solved(tree, "gambit-oracle", routine="gambit-lcp")


# All of them are proved by 'lp' and without a tree too.
PUBLISHED = [
    pytest.param(*each.values, id=each.id, marks=pytest.mark.slow)
    if each.values[0]["sides"] == 6 or (each.values[0]["sides"], sum(each.values[0]["dice"])) == (4, 3)
    else each
    for each in published()
]


@pytest.mark.parametrize(("chosen", "value"), PUBLISHED)
def test_published_values_are_proved(chosen, value):
    solution = eb.solve(eb.build(eb.game("liars-dice", **chosen), max_nodes=BUDGET), "oracle")
    assert solution.status == "equilibrium"
    assert solution.lower == solution.upper == solution.value[0] == value


@pytest.mark.parametrize(("sides", "value"), [(3, "-1/9"), (5, "-3/25")])
def test_gambit_solves_what_it_never_could(sides, value, in_process):
    # Directly, Gambit takes two minutes for three sides.
    solution = eb.solve(eb.game("liars-dice", sides=sides), "gambit-oracle")
    assert solution.exact
    assert solution.regret == 0
    assert solution.lower == solution.upper == Fraction(value)


GAMES = {
    "the default is bad": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "stop" "on" } 0
t "" 1 "" { -5 5 }
p "" 2 1 "b" { "stop" "on" } 0
t "" 2 "" { 9 -9 }
p "" 1 2 "c" { "l" "r" } 0
p "" 2 2 "d" { "l" "r" } 0
t "" 3 "" { 1 -1 }
t "" 4 "" { 0 0 }
p "" 2 2 "d" { "l" "r" } 0
t "" 5 "" { 0 0 }
t "" 6 "" { 3 -3 }
""",
    "one player moves, once": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "c" "d" } 0
t "" 1 "" { 1/3 -1/3 }
t "" 2 "" { 2 -2 }
""",
    "the other player moves, once": """EFG 2 R "t" { "A" "B" } ""
p "" 2 1 "a" { "c" "d" } 0
t "" 1 "" { 1/3 -1/3 }
t "" 2 "" { -2 2 }
""",
    "nobody moves": """EFG 2 R "t" { "A" "B" } ""
c "" 1 "c" { "x" 1/3 "y" 2/3 } 0
t "" 1 "" { 1 0 }
t "" 2 "" { 0 1 }
""",
    "nothing happens": """EFG 2 R "t" { "A" "B" } ""
t "" 1 "" { 1 0 }
""",
    "nothing is at stake": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "c" "d" } 0
t "" 1 "" { 1 2 }
p "" 2 1 "b" { "c" "d" } 0
t "" 1
t "" 1
""",
    "chance comes last": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "l" "r" } 0
c "" 1 "c" { "x" 1/3 "y" 2/3 } 0
t "" 1 "" { 7/2 -7/2 }
t "" 2 "" { -1 1 }
t "" 3 "" { -2 2 }
p "" 2 1 "b" { "l" "r" } 0
t "" 4 "" { -1/5 1/5 }
c "" 2 "c" { "x" 1/2 "y" 1/2 } 0
t "" 5 "" { 0 0 }
t "" 6 "" { 1 -1 }
""",
    "paid on the way": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "l" "r" } 1 "ante" { -1/2 5/2 }
p "" 2 1 "b" { "l" "r" } 2 "fee" { 1 -1 }
t "" 0
t "" 3 "" { 4 -4 }
p "" 2 1 "b" { "l" "r" } 0
t "" 3 "" { 4 -4 }
p "" 1 2 "c" { "only" } 4 "toll" { -3 3 }
p "" 1 3 "d" { "l" "r" } 0
t "" 0
t "" 2 "fee" { 1 -1 }
""",
    "chance may never come": """EFG 2 R "t" { "A" "B" } ""
c "" 1 "c" { "x" 0 "y" 1 } 0
p "" 1 1 "a" { "l" "r" } 0
t "" 1 "" { 7 -7 }
t "" 2 "" { -1 1 }
p "" 1 2 "b" { "l" "r" } 0
t "" 3 "" { 0 0 }
p "" 2 1 "d" { "l" "r" } 0
t "" 4 "" { 2 -2 }
t "" 5 "" { 1 -1 }
""",
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_odd_games(text, in_process):
    tree = eb.parse_efg(text)
    for method in ("oracle", "gambit-oracle"):
        assert_solved(tree, method)
    assert_solved(tree, "gambit-oracle", routine="gambit-lcp")


def test_the_values_of_odd_games():
    assert eb.solve(eb.parse_efg(GAMES["the default is bad"]), "oracle").value == (Fraction(3, 4), Fraction(-3, 4))
    for method in ("oracle", "lp"):
        assert eb.solve(eb.parse_efg(GAMES["one player moves, once"]), method).value == (2, -2)
    # In all, A gets 1/2 or 9/2 after l, and 7/2 or -5/2 after r, as B goes left or right; together they get 2.
    assert eb.solve(eb.parse_efg(GAMES["paid on the way"]), "oracle").value == (Fraction(17, 10), Fraction(3, 10))


@pytest.mark.parametrize(("match", "differ"), [(10**12 + 1, 10**12), (10**200, -(10**200)), (Fraction(1, 10**15), -1)])
def test_payoffs_in_any_units(match, differ, in_process):
    tree = matrix_tree([[match, differ], [differ, match]])
    for method in ("oracle", "gambit-oracle"):
        assert assert_solved(tree, method).value[0] == Fraction(match + differ) / 2


# --- best responses -----------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 7))
def test_best_responses_are_the_judges(seed, depth):
    tree = random_tree(seed, depth)
    profile = brute.random_profile(tree, seed)
    judged = tuple(eb.best_response(profile, player).value for player in range(2))
    assert responses(profile) == judged
    assert responses(profile, exact_=False) == pytest.approx(judged)


def test_numbers_beyond_64_bits_stay_exact():
    tree = matrix_tree([[10**30 + 1, -3], [Fraction(1, 10**25), 10**30]])
    profile = brute.random_profile(tree, 1)
    assert responses(profile) == tuple(eb.best_response(profile, player).value for player in range(2))


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_what_is_added_lets_the_restricted_game_reach_more(seed):
    """Moves are added exactly where the best response beats what is allowed, and only moves not yet allowed."""
    tree = random_tree(seed, 6)
    whole = whole_game(tree)
    allowed = tuple(side.default for side in whole.sides)
    part = restrict(whole, allowed)
    strategies = extended(whole, part, eb.TreeProfile.uniform(part.tree), exact=True)
    for player, side in enumerate(whole.sides):
        response = best_response(whole, player, strategies[1 - player], allowed[player])
        new = improving(side, allowed[player], response, Fraction(0))
        assert not (new & allowed[player]).any()
        assert new.any() == (response.gain[0] > 0)
        again = best_response(whole, player, strategies[1 - player], allowed[player] | new)
        assert again.gain[0] == 0


# --- default moves and restricted games ---------------------------------------------------------------------


def default_labels(tree):
    whole = whole_game(tree)
    for side in whole.sides:
        for k, first in zip(side.sequences.infosets, side.sequences.first, strict=True):
            actions = tree.infosets[k].actions
            (place,) = np.flatnonzero(side.default[first : first + len(actions)])
            yield tree.infosets[k].label, actions[place]


@pytest.mark.parametrize("name", ["liars-dice", "dice-poker"])
def test_the_default_is_the_one_of_the_rules(name):
    game = eb.game(name)
    tree, states, wanted = eb.build(game), [game.public_root()], {}
    while states:
        turn = game.public_turn(states.pop())
        if hasattr(turn, "actions"):
            for hand in range(game.hand_counts[turn.player]):
                label = game.infoset_name(turn.player, hand, turn.history)
                wanted[turn.player, label] = turn.actions[game.default_action(turn)][0]
            states += [state for _, state in turn.actions]
    assert list(wanted.values())
    assert dict(default_labels(tree)) == {label: action for (_, label), action in wanted.items()}


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_restricted_games_are_sound_and_load_in_gambit(seed):
    tree, rng = random_tree(seed, 6), np.random.default_rng(seed)
    whole = whole_game(tree)
    allowed = tuple(side.default | (rng.random(side.sequences.count) < 0.4) for side in whole.sides)
    part = restrict(whole, allowed).tree
    for game in (part, simplified(part)):
        assert problems(game) == []
        assert has_perfect_recall(game)
        assert gambits_nodes(game) == len(game)


def gambits_nodes(tree):
    return len(eb.parse_efg(pygambit.read_efg(io.StringIO(tree.to_efg())).to_efg()))


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_what_gambit_is_given_is_the_same_game(seed):
    tree = random_tree(seed, 6)
    simple = simplified(tree)
    assert constant_sum(simple) == 0
    assert all(len(simple.infosets[k].actions) > 1 for k in np.unique(simple.infoset) if k != NONE)
    profile = eb.solve(simple, "lp").profile
    assert eb.verify(eb.TreeProfile(tree, profile.probabilities)).regret == 0


@pytest.mark.parametrize("tree", list(qualifying()))
def test_with_every_move_allowed_the_restricted_game_is_the_game(tree):
    whole = whole_game(tree)
    part = restrict(whole, all_moves(whole))
    assert replace(part.tree, title=tree.title, comment=tree.comment).equals(tree)


def test_restricted_games_of_liars_dice_load_with_their_nodes(monkeypatch):
    seen = []

    def master(tree, left, progress):
        seen.append(len(tree))
        assert gambits_nodes(tree) == len(tree)
        return solve_exactly(tree, left, progress)

    tree = eb.build(eb.game("liars-dice", sides=4))
    found = tree_oracle.run_phases(tree, Request(), [tree_oracle.Phase(master, Fraction(1, 100), Fraction(0), True)])
    assert found.ended == "done"
    assert seen == sorted(seen)
    assert seen[-1] < 300
    assert f"{seen[-1]:,} of 8,177 nodes" in found.message


# --- what can go wrong --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["oracle", "gambit-oracle"])
def test_the_time_limit_gives_the_best_bracket_so_far(method, monkeypatch):
    lines = []

    def slow(tree, left, progress, solve=solve_exactly if method == "gambit-oracle" else tree_oracle.solve_in_floats):
        if len([line for line in lines if "gap" in line]) >= 4:
            time.sleep(max(left(), 0))
        return solve(tree, left, progress)

    phase = tree_oracle.Phase(slow, Fraction(1, 100), Fraction(0), method == "gambit-oracle")
    monkeypatch.setattr(tree_oracle, "LP_PHASES", [phase])
    monkeypatch.setattr(gambit_oracle, "ROUTINES", {"gambit-lp": slow})
    tree = eb.build(eb.game("liars-dice", sides=4, wild="highest"))
    first = eb.solve(tree, method, timeout=1e-9)
    solution = eb.solve(tree, method, timeout=1.5, progress=lines.append)
    assert (first.status, solution.status) == ("timeout", "timeout")
    assert "0 rounds" in first.message
    assert "the time limit came first" in solution.message
    value = eb.solve(tree, "lp").value[0]
    assert first.lower <= solution.lower <= value <= solution.upper <= first.upper
    assert solution.upper - solution.lower < first.upper - first.lower
    assert solution.profile.exact
    told = [line for line in lines if "gap" in line][-1]
    assert "of 8,177 nodes" in told
    assert f"value from {float(solution.lower):.4g}"[:16] in told


def test_gambit_runs_out_of_time():
    tree = eb.build(eb.game("liars-dice", sides=4, wild="highest"))
    solution = eb.solve(tree, "gambit-oracle", timeout=2)
    assert solution.status == "timeout"
    assert solution.lower <= eb.solve(tree, "lp").value[0] <= solution.upper


def test_what_a_master_says_of_sets_its_play_does_not_reach_is_not_used():
    spoilt = []

    def careless(tree, left, progress):
        profile = solve_exactly(tree, left, progress)
        rows = {k: profile.probabilities[k] for k in tree.personal}
        for k in tree.personal:
            if _own_play_misses(tree, profile, k):
                rows[k] = tuple(reversed([Fraction(int(a == 0)) for a in range(len(rows[k]))]))
                spoilt.append(k)
        return eb.TreeProfile.from_personal(tree, rows)

    tree = eb.build(eb.game("liars-dice", sides=3, wild="highest"))
    found = tree_oracle.run_phases(tree, Request(), [tree_oracle.Phase(careless, Fraction(1, 100), Fraction(0), True)])
    assert spoilt
    assert eb.verify(found.strategies[0]).regret == 0


def _own_play_misses(tree, profile, k):
    """Whether the owner's own moves never lead to the set."""
    for node in np.flatnonzero(tree.infoset == k):
        while node:
            above = tree.parent[node]
            same = tree.player[above] == tree.infosets[k].player
            if same and not profile.probabilities[tree.infoset[above]][tree.action[node]]:
                break
            node = above
        else:
            return False
    return True


def test_a_master_that_lies_is_found_out(monkeypatch):
    tree = eb.build(eb.game("liars-dice", sides=3))
    monkeypatch.setattr(
        gambit_oracle, "ROUTINES", {"gambit-lp": lambda tree, left, progress: eb.TreeProfile.uniform(tree)}
    )
    solution = eb.solve(tree, "gambit-oracle")
    assert solution.status == "bracket"
    assert solution.lower <= Fraction(-1, 9) <= solution.upper
    assert "no equilibrium of it" in solution.message


def test_a_master_that_fails_leaves_a_bracket(monkeypatch):
    def fail(tree, left, progress):
        raise MasterError("made to fail")

    monkeypatch.setattr(gambit_oracle, "ROUTINES", {"gambit-lp": fail})
    solution = eb.solve(eb.game("liars-dice", sides=3), "gambit-oracle")
    assert solution.status == "bracket"
    assert "made to fail; 1 round" in solution.message


def test_where_nothing_exact_is_to_be_had_the_floats_are_rounded(monkeypatch):
    monkeypatch.setattr(tree_oracle, "LP_PHASES", tree_oracle.LP_PHASES[:1])
    solution = eb.solve(eb.build(eb.game("liars-dice", sides=6, wild=1, wild_biddable=False)), "oracle")
    assert solution.profile.exact
    assert solution.upper - solution.lower < Fraction(1, 10**4)


def test_options_are_checked_before_anything_starts():
    with pytest.raises(eb.ParameterError, match="routine=gambit-gnm: did you mean"):
        eb.solve(eb.game("dice-poker"), "gambit-oracle", options={"routine": "gambit-gnm"})
