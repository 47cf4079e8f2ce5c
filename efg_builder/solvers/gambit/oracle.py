"""Double oracle with Gambit: its exact routines, on small games, find exact equilibria of large bidding games.

Gambit solves the restricted game of the bids found so far (``solvers.oracle.restricted``), as a tree. Exact best
responses over the whole game bound the value from both sides, and bids that improve are added, until the bounds meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType

import numpy as np

from ...base.errors import ProfileError
from ...base.parameters import Parameter, choice
from ...base.rationals import Number
from ...base.words import STOPPING
from ...forms.extensive import CHANCE, NONE, TERMINAL, GameTree, Outcome, scaled_payoffs
from ...games.bidding import BiddingGame
from ...interop.efg import efg_chunks
from ...interop.gambit import child, lacking
from ...interop.gambit.mapping import to_profile
from ...strategies.reached import support_tree
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..bidding_model import Bidding, bidding, unplayable
from ..oracle.response import Response, respond_both
from ..oracle.restricted import ROOT, PlanOnSupport, Support, exact_plan, sparse_profile, valid_plan
from ..oracle.state import start
from ..protocol import (
    Ended,
    Found,
    Left,
    Progress,
    Request,
    Solver,
    TimeLimit,
    countdown,
    no_tree,
    only_without_tree,
    read_options,
)

ADD_SHARE_OF_GAP = 0.01
"""A bid is added where it gains more than this share of the gap: fewer rounds, larger games than with more."""

ROUTINES: Mapping[str, str] = {"gambit-lp": "lp_solve", "gambit-lcp": "lcp_solve"}
"""Gambit's functions, by the names of the methods that run them on whole games."""

OPTIONS = (
    Parameter(
        name="routine",
        default="gambit-lp",
        read=choice(*ROUTINES),
        help="what solves the restricted games: gambit-lp (default) or gambit-lcp",
    ),
)


class GambitError(Exception):
    """Gambit did not solve a restricted game; the message says why."""


@dataclass
class GambitOracle:
    """The state of the search: the restricted game, and each player's best plan so far with its proof.

    ``lower`` and ``upper`` bound the mean of the model's integers, exactly. ``nodes``: of the restricted game that was
    solved last.
    """

    model: Bidding
    routine: str
    left: Left
    progress: Progress
    support: Support = field(init=False)
    plans: list[PlanOnSupport] = field(init=False)
    lower: Fraction = field(init=False)
    upper: Fraction = field(init=False)
    rounds: int = 0
    nodes: int = 0

    def __post_init__(self) -> None:
        self.support = start(self.model).support
        one, two = self.plans = [self.default_plan(player) for player in range(2)]
        responses = respond_both(self.model, self.support, (one, two), 0)
        self.lower, self.upper = self.bounds((one, two), responses)

    @property
    def bracket(self) -> tuple[Fraction, Fraction]:
        """The bounds of the value, in the game's payoffs."""
        return self.model.payoff(self.lower), self.model.payoff(self.upper)

    def run(self, gap: Fraction | None) -> str:
        """Add moves until the bounds meet, or are no farther apart than *gap*; return why it ended before.

        Raises ``TimeLimit`` and ``GambitError``.
        """
        while self.lower != self.upper:
            lower, upper = self.bracket
            if gap and upper - lower <= gap:
                return "the asked-for gap was reached"
            if (seconds := self.left()) is not None and seconds <= 0:
                raise TimeLimit
            if not self.round():
                raise GambitError("a restricted game's answer was no equilibrium of it")
        return ""

    def round(self) -> bool:
        """Solve the restricted game, respond to its plans, add what improves; return whether anything was added."""
        tree = support_tree(every_move(self.model, self.support))
        plans = self.solve(tree)
        exact = respond_both(self.model, self.support, plans, 0)
        lower, upper = self.bounds(plans, exact)
        if lower > self.lower:
            self.lower, self.plans[0] = lower, plans[0]
        if upper < self.upper:
            self.upper, self.plans[1] = upper, plans[1]
        if self.lower == self.upper:
            # The restricted game's own equilibrium, not parts of two.
            self.plans = list(plans) if lower == upper else self.plans
        self.rounds, self.nodes = self.rounds + 1, len(tree)
        lower, upper = self.bracket
        said = f"gap {float(upper - lower):.2g}, value from {float(lower):.6g} to {float(upper):.6g}"
        self.progress(f"round {self.rounds}: {said}, {self.nodes:,} of {self.all_nodes:,} nodes")
        one, two = (PlanOnSupport(plan.nodes, (plan.weights / plan.scale).astype(np.float64)) for plan in plans)
        threshold = ADD_SHARE_OF_GAP * float(self.upper - self.lower) / self.model.largest
        some = respond_both(self.model, self.support, (one, two), threshold)
        return self.add(some) or self.add(exact)

    @property
    def all_nodes(self) -> int:
        """The size of the whole game's tree."""
        return self.model.game.size().nodes

    def solve(self, tree: GameTree) -> tuple[PlanOnSupport, PlanOnSupport]:
        """Return the plans of an equilibrium of the restricted game, by Gambit.

        Raises ``TimeLimit`` and ``GambitError``.
        """
        if any(i.player != CHANCE and len(i.actions) > 1 for i in tree.infosets):
            profile = gambits_profile(tree, ROUTINES[self.routine], self.left, self.tell)
        else:
            profile = TreeProfile.uniform(tree)
        rows = {
            (tree.infosets[k].player, tree.infosets[k].label): dict(
                zip(tree.infosets[k].actions, profile.probabilities[k], strict=True)
            )
            for k in tree.personal
        }
        return self.plan(0, rows), self.plan(1, rows)

    def tell(self, line: str) -> None:
        """Put the round before a line of progress."""
        self.progress(f"round {self.rounds + 1}: {line}")

    def plan(self, player: int, rows: Mapping[tuple[int, str], Mapping[str, Number]]) -> PlanOnSupport:
        """Return the realization plan of a behavior strategy by player, information set and action."""
        model, support, game = self.model, self.support, self.model.game
        sequences = support.sequences(player)
        weights: dict[tuple[int, int], Fraction] = {}
        mass = []
        for node, hand in zip(sequences.node.tolist(), sequences.hand.tolist(), strict=True):
            parent = support.parent[node]
            own = support.parent[parent] if parent != ROOT else ROOT
            before = Fraction(1) if own <= ROOT else weights.get((own, hand), Fraction(0))
            label = game.infoset_name(player, hand, game.history(support.path(parent)))
            row = rows.get((player, label), {}) if before else {}
            weights[node, hand] = before * Fraction(row.get(game.bid_names[support.bid[node]], 0))
            mass.append(weights[node, hand] * int(model.chances[player][hand]) / model.totals[player])
        return exact_plan(model, support, player, sequences, mass)

    def default_plan(self, player: int) -> PlanOnSupport:
        """Return the plan of the lowest opening and calls, in integers."""
        nothing = np.zeros((0, self.model.hands[player]), dtype=np.int64)
        return valid_plan(self.model, self.support, player, np.zeros(0, dtype=np.intp), nothing, 1)

    def bounds(self, plans: Sequence[PlanOnSupport], responses: Sequence[Response]) -> tuple[Fraction, Fraction]:
        """Return the bounds that the best responses to *plans* prove."""
        whole = self.model.totals[0] * self.model.totals[1]
        lower = -Fraction(int(responses[1].value), whole * plans[0].scale)
        return lower, Fraction(int(responses[0].value), whole * plans[1].scale)

    def add(self, responses: Sequence[Response]) -> bool:
        """Allow the bids that improve; return whether there are any."""
        moves = [move for response in responses for move in response.moves]
        for node, bid, hands in moves:
            self.support.allow(node, bid, hands)
        return bool(moves)


def every_move(model: Bidding, support: Support) -> SparseProfile:
    """Return the strategies that make all moves of the restricted game with equal probability."""
    game = model.game
    strategies: tuple[dict[str, dict[int, dict[str, Fraction]]], ...] = ({}, {})
    for node in range(len(support)):
        player = support.depth[node] % 2
        rows: dict[int, dict[str, Fraction]] = {}
        for hand in range(model.hands[player]):
            moves = [game.bid_names[b] for b, child in support.children[node].items() if support.allowed[child][hand]]
            if moves and node != ROOT:
                moves.append(game.call)
            if moves:
                rows[hand] = dict.fromkeys(moves, Fraction(1, len(moves)))
        if rows:
            strategies[player][game.history(support.path(node))] = rows
    return SparseProfile.of_distributions(game, strategies)


def gambits_profile(tree: GameTree, routine: str, left: Left, progress: Progress) -> TreeProfile:
    """Return an equilibrium in rationals by a routine of Gambit's. Raises ``TimeLimit`` and ``GambitError``."""
    simple = simplified(tree)
    answer = child.run(efg_chunks(simple), routine, {}, left(), progress)
    if answer.rows:
        try:
            return TreeProfile(tree, to_profile(simple, answer.rows[0]).probabilities)
        except ProfileError as error:
            raise GambitError(f"a profile of Gambit's is none on its tree: {error}") from error
    if answer.ended == "timeout":
        raise TimeLimit(answer.message)
    raise GambitError(answer.message or "Gambit found no equilibrium")


def simplified(tree: GameTree) -> GameTree:
    """The same two-player constant-sum game, smaller for Gambit: all paid at the end, zero-sum, no forced moves.

    Gambit's tableaux shrink most by the last: 493 nodes take it 0.4 s instead of 6. Information sets stay in
    their table, without nodes.
    """
    paid, _ = scaled_payoffs(tree)
    ends = tree.player == TERMINAL
    amounts, place = np.unique(paid[ends, 0], return_inverse=True)
    outcome = np.full(len(tree), NONE, dtype=np.int32)
    outcome[ends] = place
    outcomes = [Outcome(k, str(u), (Fraction(u), Fraction(-u))) for k, u in enumerate(amounts.tolist(), start=1)]
    return _without_forced_moves(replace(tree, outcome=outcome, outcomes=tuple(outcomes)))


def _without_forced_moves(tree: GameTree) -> GameTree:
    """The game without the nodes at which there is one thing to do; payoffs there would be lost."""
    # Whole sets are removed: if some nodes of a set stayed, its owner could distinguish what the set hides.
    forced = np.array([len(i.actions) == 1 for i in tree.infosets], dtype=bool)
    gone = np.append(forced, False)[tree.infoset]  # index -1: an end of play
    parent, action = tree.parent.copy(), tree.action.copy()
    for nodes in tree.levels[1:]:
        moved = nodes[gone[tree.parent[nodes]]]
        parent[moved], action[moved] = parent[tree.parent[moved]], action[tree.parent[moved]]
    number = np.append(np.cumsum(~gone) - 1, NONE).astype(np.int32)  # index -1: the root has no parent
    return replace(
        tree,
        parent=number[parent[~gone]],
        action=action[~gone],
        infoset=tree.infoset[~gone],
        outcome=tree.outcome[~gone],
        node_labels=MappingProxyType({}),
    )


def play(game: BiddingGame, request: Request) -> Found:
    """Return an exact equilibrium; where it ends before, the best strategy of each player so far.

    Raises ``ParameterError`` for its options before it starts, and ``NotApplicableError`` without pygambit.
    """
    if problem := lacking("gambit-oracle"):
        raise problem
    routine = read_options("gambit-oracle", OPTIONS, request.options)["routine"]
    oracle = GambitOracle(bidding(game), routine, countdown(request.timeout), request.progress)
    ended: Ended = "done"
    try:
        why = oracle.run(request.gap)
    except TimeLimit:
        ended, why = "timeout", "the time limit came first"
    except KeyboardInterrupt:
        request.progress(STOPPING)
        ended, why = "interrupted", "stopped before the end"
    except GambitError as error:
        ended, why = "failed", str(error)
    message = f"{oracle.rounds:,} round{'' if oracle.rounds == 1 else 's'}, "
    message += f"the last on {oracle.nodes:,} of {oracle.all_nodes:,} nodes"
    if why:
        lower, upper = map(float, oracle.bracket)
        message = f"{why}; {message}: the value is from {lower:.9g} to {upper:.9g}"
    profile = sparse_profile(oracle.model, (oracle.support, oracle.support), oracle.plans)
    return Found((profile,), ended, message)


SOLVERS = (
    Solver(
        name="gambit-oracle",
        summary="double oracle: Gambit solves ever larger parts of a bidding game until no move outside improves; "
        "exact",
        source="Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)",
        inapplicable=partial(only_without_tree, instead="gambit-lp"),
        run=no_tree,
        parameters=OPTIONS,
        brackets=True,
        play=play,
        unplayable=unplayable,
        stops_at_gap=True,
        lacking=partial(lacking, "gambit-oracle"),
    ),
)
