"""``backward``: what it finds is subgame perfect by the definition, and all that is so in pure strategies is listed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import brute
import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_trees import random_tree

import efg_builder as eb
from efg_builder.equilibria.solve import REFINED_NODES
from efg_builder.forms.extensive import NONE
from efg_builder.proof.reach import expected_payoffs

SEEDS = st.integers(0, 10**6)


def informed(seed: int, depth: int, players: int, ties: bool = False) -> eb.GameTree:
    """A random tree whose movers see everything; with *ties* payoffs are -1, 0 or 1."""
    tree = random_tree(seed, depth, None, players)
    sets, infoset = [], np.full(len(tree), NONE, dtype=np.int32)
    for node in np.flatnonzero(tree.infoset != NONE).tolist():
        infoset[node] = len(sets)
        sets.append(tree.infosets[tree.infoset[node]]._replace(number=len(sets) + 1, label=f"at {node}"))
    outcomes = tree.outcomes
    if ties:
        outcomes = tuple(o._replace(payoffs=tuple(Fraction((u > 4) - (u < -4)) for u in o.payoffs)) for o in outcomes)
    return replace(tree, infoset=infoset, infosets=tuple(sets), outcomes=outcomes)


def decisions(tree: eb.GameTree) -> list[int]:
    return np.flatnonzero(tree.player >= 0).tolist()


def strategies_of(tree: eb.GameTree) -> int:
    """How many pure strategy profiles there are."""
    return int(np.prod([float(len(tree.infosets[k].actions)) for k in tree.personal]))


def subgame_perfect(tree: eb.GameTree, rows: dict[int, list[Fraction]]) -> bool:
    """The definition: in the subgame of every node, no player gains by any pure strategy of the whole game."""
    return all(
        brute.payoffs(tree, rows | pure, node)[player] <= brute.payoffs(tree, rows, node)[player]
        for player in range(len(tree.players))
        for pure in brute.pure_strategies(tree, player)
        for node in decisions(tree)
    )


def everything(tree: eb.GameTree) -> list[dict[int, list[Fraction]]]:
    """All pure strategy profiles, chance's moves included."""
    chance = {k: list(one.probabilities) for k, one in enumerate(tree.infosets) if one.probabilities is not None}
    all_players = [list(brute.pure_strategies(tree, player)) for player in range(len(tree.players))]
    found = []
    for choice in product(*all_players):
        rows = dict(chance)
        for mine in choice:
            rows |= mine
        found.append(rows)
    return found


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 3))
def test_all_that_are_subgame_perfect_are_listed_once(seed, players):
    tree = informed(seed, 3, players, ties=True)
    assume(1 < strategies_of(tree) <= 60 and len(tree) < 40)
    solution = eb.solve(tree, "backward", options={"most": 60})
    listed = [one.probabilities for one in solution.equilibria]
    expected = {
        tuple(tuple(rows[k]) for k in range(len(tree.infosets)))
        for rows in everything(tree)
        if subgame_perfect(tree, rows)
    }
    assert len(set(listed)) == len(listed)
    assert set(listed) == expected
    many = f"all {len(listed)} subgame-perfect equilibria in pure strategies"
    assert solution.message == (many if len(listed) > 1 else "the only subgame-perfect equilibrium")


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, most=st.integers(1, 4))
def test_a_limit_cuts_the_list(seed, most):
    tree = informed(seed, 4, 2, ties=True)
    many, few = (eb.solve(tree, "backward", options={"most": number}) for number in (50, most))
    assert [one.probabilities for one in few.equilibria] == [one.probabilities for one in many.equilibria][:most]
    assert ("lists more" in few.message or "one of several" in few.message) == (len(many.equilibria) > most)


TIES = eb.parse_efg(
    'EFG 2 R "Entry" { "Entrant" "Incumbent" } ""\n'
    'p "" 1 1 "a" { "in" "out" } 0\n'
    'p "" 2 1 "b" { "fight" "share" } 0\nt "" 1 "" { 1, 1 }\nt "" 2 "" { 3, 1 }\n'
    't "" 3 "" { 2, 5 }\n'
)
"""The incumbent is indifferent: after *fight* the entrant stays out, after *share* it comes in."""


def test_ties_go_to_the_first_action_and_the_others_follow():
    solution = eb.solve(TIES)
    assert (solution.method, solution.status, solution.several) == ("backward", "equilibrium", True)
    assert solution.message == "all 2 subgame-perfect equilibria in pure strategies"
    assert [(one["a"]["in"], one["b"]["fight"]) for one in solution.equilibria] == [(0, 1), (1, 0)]
    assert [judged.verdict.value for judged in solution.judged] == [(2, 5), (3, 1)]
    one = eb.solve(TIES, options={"most": 1})
    assert (one.method, one.message) == ("backward", "one of several subgame-perfect equilibria")


def test_payments_on_the_way_count():
    text = 'EFG 2 R "Toll" { "A" }\np "" 1 1 "a" { "l" "r" } 1 "toll" { -5 }\nt "" 2 "" { 1 }\nt "" 3 "" { 2 }\n'
    solution = eb.solve(eb.parse_efg(text))
    assert (solution.method, solution.value, solution.profile["a"]["r"]) == ("backward", (-3,), 1)


def test_small_trees_of_two_players_with_constant_sum_are_refined():
    text = TIES.to_efg().replace("{ 1, 1 }", "{ 1, -1 }").replace("{ 3, 1 }", "{ 3, -3 }").replace("5 }", "-2 }")
    tree = eb.parse_efg(text)
    assert (eb.solve(tree).method, eb.solve(tree, refine=False).method) == ("quasi-perfect", "backward")
    assert eb.solve(tree, "backward").value == eb.solve(tree).value


class Ladder(eb.Game):
    """Two players with constant sum take turns, 11 times, and see all moves: 4,095 nodes."""

    players = "A", "B"

    def root(self):
        return ""

    def turn(self, state):
        if len(state) == 11:
            paid = int(state, 2) * 37 % 101
            return eb.End((paid, 7 - paid))
        return eb.Decision(len(state) % 2, f"at {state}", (("0", f"{state}0"), ("1", f"{state}1")))


def test_auto_is_subgame_perfect_on_large_trees_too():
    """No mover gains by another move at any node, on the path or off it (the one-shot deviation principle)."""
    solution = eb.solve(Ladder())
    tree, profile = solution.tree, solution.profile
    assert len(tree) > REFINED_NODES
    assert (solution.method, solution.details["auto"]) == (
        "backward",
        "backward: 2 players, constant sum, perfect information",
    )
    after = expected_payoffs(tree, profile)
    for node in decisions(tree):
        mover = tree.player[node]
        assert after[node][mover] == max(after[child][mover] for child in tree.children(node))
    assert solution.value == eb.solve(tree, "lp").value
