"""Verdicts on an equilibrium off its path: subgame perfect or not, sequential or not.

*Subgame perfect* (R. Selten, International Journal of Game Theory 4, 1975): no player gains in any proper subgame.

*Sequential* (D. M. Kreps and R. Wilson, Econometrica 50, 1982): at each information set, no player gains, given beliefs
that are limits of Bayes' rule under completely mixed strategies. Such beliefs are unknown, but not arbitrary. Call the
moves of probability 0 on the path to a node its *mistakes*. If two nodes have the same mistakes, the ratio of their
beliefs is the ratio of the probabilities of their paths without the mistakes. If the mistakes of one node are some, but
not all, of the mistakes of another node, the other node has belief 0. So every belief is a mixture over *classes*. A
class consists of all nodes with the same mistakes; no node of the information set has only some of these mistakes.

- An equilibrium is *sequential* if some stated mistakes pass ``verify_sequential``.
- It is *not sequential* if, at an information set, one deviation (a mixture of continuations) gains in every class. It
  then gains with every mixture of classes, so no belief makes the play best.
- Otherwise the verdict is *open*.

All arithmetic is exact, and no solver is used: the few linear inequalities are solved here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from math import lcm
from typing import Any, Literal

import numpy as np

from ..base.errors import NotApplicableError
from ..base.rationals import Number, brief, text
from ..base.words import distinct
from ..forms.extensive import NONE, GameTree, Infoset, payoffs_in_all
from ..forms.recall import has_perfect_recall, history
from ..forms.subgames import part, subgames
from ..strategies.tree_profile import TreeProfile
from .sequential import Chance, SequentialVerdict, beliefs_part, prove_sequential, verify_sequential
from .verify import verify

MOST_NODES = 5_000
"""The maximum number of nodes of a tree whose equilibria get a verdict."""

MOST_SUBTREES = 200_000
"""The maximum number of nodes in all subgames together."""

MOST_ASSIGNMENTS = 200
"""The maximum number of beliefs, at all information sets together, for which mistakes are sought."""

MOST_STEPS = 50
"""The maximum number of deviations at one information set that a linear program combines."""

Kind = Literal["sequential", "not sequential", "open"]
Belief = Mapping[int, Fraction]
Move = tuple[int, int]
"""An information set and an action. A mistake is a move of probability 0."""


@dataclass(frozen=True)
class Refinement:
    """The verdict on an equilibrium off its path.

    ``subgames``: the number of proper subgames; None if there are too many. ``empty``: the first node of a subgame in
    which a player gains, or None. ``kind``: the verdict; None if a player lacks perfect recall. ``proof``: the beliefs
    and mistakes of a sequential equilibrium. ``at``: the information set (an index in ``tree.infosets``) where no
    belief makes the play best. ``deviation``: the action probabilities, at ``at``, of a deviation that gains with
    every belief. ``gains``: each player's gain in the subgame at ``empty``. Nothing was checked if ``profile`` is
    None.
    """

    profile: TreeProfile | None = field(default=None, repr=False)
    subgames: int | None = None
    empty: int | None = None
    kind: Kind | None = None
    proof: SequentialVerdict | None = field(default=None, repr=False)
    at: int | None = None
    deviation: tuple[Fraction, ...] = ()
    gains: tuple[Number, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as JSON data."""
        at = None if self.at is None or self.profile is None else self.profile.tree.infosets[self.at]
        actions = () if at is None else zip(distinct(at.actions), self.deviation, strict=True)
        return {
            "proper_subgames": self.subgames,
            "subgame_perfect": self.subgame_perfect,
            "sequential": self.kind,
            "no_belief_at": at and _named(at),
            "deviation": {action: text(p) for action, p in actions if p},
            "beliefs": [] if self.proof is None else _beliefs_json(self.proof),
        }

    def __str__(self) -> str:
        """Return whether the equilibrium is sequential or subgame perfect, as a clause; empty if this is not known."""
        if self.profile is None:
            return ""
        tree = self.profile.tree
        if self.empty is not None:
            gain = max(self.gains)
            gainer = tree.players[self.gains.index(gain)]
            return f"not subgame perfect ({gainer} gains {brief(gain)} {history(tree, self.empty)})"
        if self.at is not None:
            chosen = [
                (action, p) for action, p in zip(tree.infosets[self.at].actions, self.deviation, strict=True) if p
            ]
            better = ", ".join(action if p == 1 else f"{action} {brief(p)}" for action, p in chosen)
            where, beliefs = tree.names[self.at], "with every consistent belief"
            if _moves_later(tree, self.at):
                return f"not sequential: at {where!r}, a deviation that begins with {better} gains {beliefs}"
            return f"not sequential: at {where!r}, {better} is better {beliefs}"
        if self.kind is not None:
            return self.kind if self.kind == "sequential" else "not known to be sequential"
        return "subgame perfect" if self.subgames else ""

    @property
    def known(self) -> bool:
        """Whether anything was checked."""
        return self.profile is not None

    @property
    def refuted(self) -> frozenset[int]:
        """The nodes with a move that is not best: the first node of a subgame, or all nodes of an information set."""
        if self.profile is None or (self.empty is None and self.at is None):
            return frozenset()
        if self.empty is not None:
            return frozenset({self.empty})
        return frozenset(np.flatnonzero(self.profile.tree.infoset == self.at).tolist())

    @property
    def rank(self) -> int:
        """The order of preference: 0 for a sequential equilibrium, 3 for one that is not subgame perfect."""
        if self.subgame_perfect is False:
            return 3
        return {"sequential": 0, "not sequential": 2}.get(self.kind or "", 1)

    @property
    def subgame_perfect(self) -> bool | None:
        """Whether no player gains in any subgame; None if this was not checked."""
        return None if self.subgames is None else self.empty is None


def _named(infoset: Infoset) -> dict[str, Any]:
    return {"player": infoset.player + 1, "infoset": infoset.number, "label": infoset.label}


def _beliefs_json(proof: SequentialVerdict) -> list[dict[str, Any]]:
    tree = proof.profile.tree
    return [
        {**_named(tree.infosets[k]), "beliefs": beliefs_part(tree, belief)} for k, belief in proof.off_path().items()
    ]


UNCHECKED = Refinement()
"""No verdict, because nothing was checked."""


def _moves_later(tree: GameTree, k: int) -> bool:
    """Return whether the mover of the information set *k* chooses again after it, so that a deviation may continue."""
    mine = [own for own in tree.personal if tree.infosets[own].player == tree.infosets[k].player and own != k]
    later = np.isin(tree.infoset, [own for own in mine if len(tree.infosets[own].actions) > 1])
    nodes = np.flatnonzero(tree.infoset == k)
    return any(later[node : node + tree.sizes[node]].any() for node in nodes)


def refinement(profile: TreeProfile) -> Refinement:
    """Return the verdict on *profile*, which must be an equilibrium (not checked)."""
    tree = profile.tree
    if not profile.exact or len(tree) > MOST_NODES:
        return UNCHECKED
    number, empty, gains = _subgame_perfect(profile)
    judged = Refinement(profile, number, empty, gains=gains)
    if not has_perfect_recall(tree):
        return judged
    off_path = _OffPath(profile)
    beliefs: dict[int, list[Belief]] = {}
    for k in reversed(off_path.sets):  # later information sets first, where a deviation is simpler
        beliefs[k], deviation = off_path.supporting(k)
        if deviation:
            return replace(judged, kind="not sequential", at=k, deviation=deviation)
    proof = prove_sequential(profile, 1) or off_path.prove(beliefs) or prove_sequential(profile)
    return replace(judged, kind="open" if proof is None else "sequential", proof=proof)


def _subgame_perfect(profile: TreeProfile) -> tuple[int | None, int | None, tuple[Number, ...]]:
    """Return the number of proper subgames, the first node of the last one in which a player gains, and the gains."""
    tree, roots = profile.tree, subgames(profile.tree)[1:]
    if int(tree.sizes[list(roots)].sum()) > MOST_SUBTREES:
        return None, None, ()
    for root in reversed(roots):
        piece = part(tree, root)
        within = TreeProfile(piece.tree, tuple(profile.probabilities[k] for k in piece.infosets))
        try:
            verdict = verify(within)
        except NotApplicableError:
            return None, None, ()
        if not verdict.equilibrium:
            return len(roots), root, verdict.regrets
    return len(roots), None, ()


@dataclass(frozen=True)
class _Class:
    """Nodes of an information set with the same mistakes.

    ``weight``: the probability of all other moves, summed over the nodes. ``belief``: the probability of each node
    given the class.
    """

    mistakes: frozenset[Move]
    weight: Fraction
    belief: Belief


class _OffPath:
    """A profile with its mistakes, for questions about the beliefs at each information set."""

    def __init__(self, profile: TreeProfile) -> None:
        self.profile, self.tree = profile, profile.tree
        self.parent, self.action = self.tree.parent.tolist(), self.tree.action.tolist()
        self.infoset, self.sizes = self.tree.infoset.tolist(), self.tree.sizes.tolist()
        self.rows = [tuple(Fraction(p) for p in row) for row in profile.probabilities]
        self.paid = payoffs_in_all(self.tree)
        mistakes: list[frozenset[Move] | None] = [frozenset()] * len(self.tree)
        weight = [Fraction(1)] * len(self.tree)
        for node in range(1, len(self.tree)):
            above = self.parent[node]
            k, p = self.infoset[above], self.rows[self.infoset[above]][self.action[node]]
            before = mistakes[above]
            weight[node] = weight[above] * (p or 1)
            if before is None or (not p and self.tree.infosets[k].player < 0):
                mistakes[node] = None  # chance excludes this node
            else:
                mistakes[node] = before if p else before | {(k, self.action[node])}
        self.classes = _classes(self.tree, mistakes, weight)
        self.sets = [k for k in self.classes if len(self.tree.infosets[k].actions) > 1]

    def supporting(self, k: int) -> tuple[list[Belief], tuple[Fraction, ...]]:
        """Return beliefs at *k* with which the play is best; or none, and a deviation that gains in every class.

        Both are empty if neither was found.
        """
        classes, good = self.classes[k], list[Belief]()
        plans, gains = list[dict[int, int]](), list[list[Fraction]]()
        played = [self._payoff(k, each.belief, {}) for each in classes]

        def tried(shares: Sequence[Fraction]) -> None:
            """Add to *good* if the play is best with these shares of the classes; otherwise add a better plan."""
            belief = _belief(classes, shares)
            plan = self._reply(k, belief)
            gain = [self._payoff(k, each.belief, plan) - now for each, now in zip(classes, played, strict=True)]
            if _mean(shares, gain) <= 0:
                good.append(belief)
            else:
                plans.append(plan)
                gains.append(gain)

        for shares in _first_shares(classes):
            tried(shares)
        if good:
            return good, ()
        for least in (Fraction(1, 2 * len(classes)), Fraction(1, 20 * len(classes)), Fraction(0)):
            for _ in range(MOST_STEPS):
                supporting, mix = _program(gains, least)
                if supporting is None:
                    break
                known = len(good)
                tried(supporting)
                if len(good) > known:
                    break
            if not least and supporting is None and all(_mean(mix, column) > 0 for column in zip(*gains, strict=True)):
                return [], self._first_moves(k, plans, mix)
        return good, ()

    def _first_moves(self, k: int, plans: Sequence[Mapping[int, int]], mix: Sequence[Fraction]) -> tuple[Fraction, ...]:
        row = [Fraction(0)] * len(self.rows[k])
        for plan, p in zip(plans, mix, strict=True):
            row[plan[k]] += p
        return tuple(row)

    def _reached(self, belief: Belief, chance: Callable[[int, int], Fraction]) -> Iterator[tuple[int, Fraction]]:
        """Yield the nodes of *belief* and all nodes reached from them, in prefix order, with their probabilities.

        *chance*: the probability of an action at an information set.
        """
        for top, share in belief.items():
            weight, node = {top: share}, top
            while node < top + self.sizes[top]:
                if node != top:
                    above = self.parent[node]
                    if not (p := chance(self.infoset[above], self.action[node])):
                        node += self.sizes[node]
                        continue
                    weight[node] = weight[above] * p
                yield node, weight[node]
                node += 1

    def _payoff(self, k: int, belief: Belief, plan: Mapping[int, int]) -> Fraction:
        """Return the payoff of the mover at *k*, given the *belief*, if the mover follows *plan* at its keys."""
        player = self.tree.infosets[k].player

        def chance(its: int, action: int) -> Fraction:
            return Fraction(int(plan[its] == action)) if its in plan else self.rows[its][action]

        ends = ((node, p) for node, p in self._reached(belief, chance) if self.infoset[node] == NONE)
        return sum((p * self.paid(end)[player] for end, p in ends), Fraction(0))

    def _reply(self, k: int, belief: Belief) -> dict[int, int]:
        """Return the mover's best actions at *k* and later, given the *belief* at *k*."""
        player = self.tree.infosets[k].player
        mine = {its for its in self.sets if self.tree.infosets[its].player == player}
        payoff = defaultdict[Move, Fraction](Fraction)  # by the mover's last move before a terminal node or a choice
        before: dict[int, Move] = {}  # the mover's last move before each later information set
        last, one = dict.fromkeys(belief, (k, -1)), Fraction(1)
        for node, p in self._reached(belief, lambda its, a: one if its in mine else self.rows[its][a]):
            if node not in belief:
                its = self.infoset[self.parent[node]]
                last[node] = (its, self.action[node]) if its in mine else last[self.parent[node]]
            here = self.infoset[node]
            if here == NONE:
                payoff[last[node]] += p * self.paid(node)[player]
            elif here != k and here in mine:
                before.setdefault(here, last[node])
        plan = {}
        for own in (*reversed(before), k):
            values = [payoff[own, action] for action in range(len(self.rows[own]))]
            plan[own] = values.index(max(values))
            if own != k:
                payoff[before[own]] += max(values)
        return plan

    def prove(self, beliefs: Mapping[int, Sequence[Belief]]) -> SequentialVerdict | None:
        """Look for mistakes that lead to some of the *beliefs* at each information set, and prove them."""
        open_sets = [k for k, found in beliefs.items() if len(self.classes[k]) > 1 and found]
        for chosen in islice(product(*(beliefs[k] for k in open_sets)), MOST_ASSIGNMENTS):
            mistakes = self._mistakes(dict(zip(open_sets, chosen, strict=True)))
            if mistakes is None:
                continue
            verdict = verify_sequential(self.profile, mistakes)
            if verdict.sequential:
                return verdict
        return None

    def _mistakes(self, beliefs: Mapping[int, Belief]) -> dict[int, list[Chance]] | None:
        """Return mistakes under which the classes have the wanted probabilities, or None."""
        shares = {
            k: [sum((belief.get(v, Fraction(0)) for v in each.belief), Fraction(0)) for each in self.classes[k]]
            for k, belief in beliefs.items()
        }
        orders = self._orders(shares)
        if orders is None:
            return None
        factors = self._factors(shares)
        if factors is None:
            return None
        return {
            k: [
                (p, 0) if p else (factors.get((k, action), Fraction(1)), orders.get((k, action), 1))
                for action, p in enumerate(self.rows[k])
            ]
            for k in self.tree.personal
        }

    def _orders(self, shares: Mapping[int, Sequence[Fraction]]) -> dict[Move, int] | None:
        """Return an order (a power of e) for each mistake: equal sums for believed classes, larger sums for others."""
        used = sorted({move for k in shares for each in self.classes[k] for move in each.mistakes})
        if not used:
            return {}
        equal, least = list[list[int]](), list[list[int]]()
        for k, row in shares.items():
            rows = [[int(move in each.mistakes) for move in used] for each in self.classes[k]]
            first = next(index for index, share in enumerate(row) if share)
            for share, sums in zip(row, rows, strict=True):
                difference = [mine - its for mine, its in zip(sums, rows[first], strict=True)]
                (equal if share else least).append(difference)
        found = _whole_numbers(equal, least, len(used))
        return None if found is None else dict(zip(used, found, strict=True))

    def _factors(self, shares: Mapping[int, Sequence[Fraction]]) -> dict[Move, Fraction] | None:
        """Return a factor for each mistake, so that the products over the believed classes have the wanted ratios."""
        # An equation says that a product of powers is a number. Eliminate one factor of power 1 or -1 at a time.
        equations: list[tuple[dict[Move, int], Fraction]] = []
        for k, row in shares.items():
            believed = [
                (share / each.weight, each.mistakes) for share, each in zip(row, self.classes[k], strict=True) if share
            ]
            for share, moves in believed[1:]:
                powers = dict.fromkeys(moves - believed[0][1], 1) | dict.fromkeys(believed[0][1] - moves, -1)
                equations.append((powers, share / believed[0][0]))
        solved: list[tuple[Move, dict[Move, int], Fraction]] = []
        while equations:
            powers, number = equations.pop()
            if not powers:
                if number != 1:
                    return None
                continue
            pivot = next((move for move, power in sorted(powers.items()) if abs(power) == 1), None)
            if pivot is None:
                return None
            sign = powers.pop(pivot)
            rest, value = {move: -sign * power for move, power in powers.items()}, number**sign
            solved.append((pivot, rest, value))
            equations = [_substituted(each, pivot, rest, value) for each in equations]
        factors: dict[Move, Fraction] = {}
        for pivot, rest, value in reversed(solved):
            factors[pivot] = value
            for move, power in rest.items():
                factors[pivot] *= factors.get(move, Fraction(1)) ** power
        return factors


def _substituted(
    equation: tuple[dict[Move, int], Fraction], pivot: Move, rest: Mapping[Move, int], value: Fraction
) -> tuple[dict[Move, int], Fraction]:
    powers, number = dict(equation[0]), equation[1]
    times = powers.pop(pivot, 0)
    for move, power in rest.items():
        powers[move] = powers.get(move, 0) + times * power
    return {move: power for move, power in powers.items() if power}, number / value**times


def _classes(
    tree: GameTree, mistakes: Sequence[frozenset[Move] | None], weight: Sequence[Fraction]
) -> dict[int, list[_Class]]:
    """Return the classes of each information set that chance does not exclude, in the order of play."""
    nodes: dict[int, dict[frozenset[Move], list[int]]] = {}
    for node, k in enumerate(tree.infoset.tolist()):
        made = mistakes[node]
        if k != NONE and tree.infosets[k].player >= 0 and made is not None:
            nodes.setdefault(k, {}).setdefault(made, []).append(node)
    classes: dict[int, list[_Class]] = {}
    for k, by_mistakes in nodes.items():
        fewest = [made for made in by_mistakes if not any(other < made for other in by_mistakes)]
        classes[k] = []
        for made in fewest:
            total = sum((weight[node] for node in by_mistakes[made]), Fraction(0))
            classes[k].append(_Class(made, total, {node: weight[node] / total for node in by_mistakes[made]}))
    return classes


def _first_shares(classes: Sequence[_Class]) -> list[list[Fraction]]:
    """Return the first shares to try: those of equally likely mistakes, then each class alone."""
    total = sum((each.weight for each in classes), Fraction(0))
    alone = [[Fraction(int(one is each)) for each in classes] for one in classes]
    return [[each.weight / total for each in classes], *alone] if len(classes) > 1 else alone


def _belief(classes: Sequence[_Class], shares: Sequence[Fraction]) -> Belief:
    pairs = zip(shares, classes, strict=True)
    return {node: share * p for share, each in pairs for node, p in each.belief.items()}


def _mean(weights: Sequence[Fraction], numbers: Sequence[Fraction]) -> Fraction:
    return sum((weight * number for weight, number in zip(weights, numbers, strict=True)), Fraction(0))


def _program(gains: Sequence[Sequence[Fraction]], least: Fraction) -> tuple[list[Fraction] | None, list[Fraction]]:
    """Return shares of the classes, each at least *least*, with which no deviation gains; or None, and a mixture.

    *gains*: for each deviation, its gain in each class. If *least* is 0, the mixture gains in every class.
    """
    classes = len(gains[0])
    sides = [*(-least * sum(row, Fraction(0)) for row in gains), 1 - least * classes]
    point, prices = _feasible([*gains, [Fraction(1)] * classes], sides, [1] * len(gains) + [0])
    if point is not None:
        return [least + share for share in point[:classes]], []
    total = sum(prices[:-1], Fraction(0))
    return None, [price / total for price in prices[:-1]]


def _whole_numbers(equal: Sequence[Sequence[int]], least: Sequence[Sequence[int]], count: int) -> list[int] | None:
    """Return *count* positive integers x: a x = 0 for each row a in *equal*, a x >= 1 for each in *least*; or None."""
    slacks = [0] * len(equal) + [-1] * len(least)
    rows = [list(map(Fraction, row)) for row in (*equal, *least)]
    point, _ = _feasible(rows, [Fraction(-slack) - sum(row) for row, slack in zip(rows, slacks, strict=True)], slacks)
    if point is None:
        return None
    scale = lcm(*(x.denominator for x in point[:count]))
    return [int((1 + x) * scale) for x in point[:count]]


def _feasible(
    rows: Sequence[Sequence[Fraction]], sides: Sequence[Fraction], slacks: Sequence[int]
) -> tuple[list[Fraction] | None, list[Fraction]]:
    """Return a solution x >= 0 of ``rows x = sides``, and the slacks; or None, and a proof.

    *slacks*: for each row, 0 for an equation, 1 for "at most", -1 for "at least". The proof of infeasibility is a list
    of prices, one for each equation with a nonnegative side: minus the weighted sum of these equations has no positive
    coefficient, but its side is positive (Farkas). This is the first phase of the simplex method, with Bland's rule,
    which cannot cycle (R. G. Bland, Mathematics of Operations Research 2, 1977).
    """
    table = [_equation(i, *one, slacks) for i, one in enumerate(zip(rows, sides, strict=True))]
    count = len(table)
    width = len(table[0]) - count - 1 if table else 0
    cost = [-sum(column, Fraction(0)) for column in zip(*table, strict=True)] if table else []
    cost[width : width + count] = [Fraction(0)] * count
    basis = list(range(width, width + count))
    while (entering := next((j for j in range(width) if cost[j] < 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0]
        leaving = min(ratios)[2]
        _pivot([*table, cost], leaving, entering)
        basis[leaving] = entering
    if cost and cost[-1]:
        return None, [cost[width + i] - 1 for i in range(count)]
    point = [Fraction(0)] * width
    for variable, row in zip(basis, table, strict=True):
        if variable < width:
            point[variable] = row[-1]
    return point, []


def _equation(i: int, row: Sequence[Fraction], side: Fraction, slacks: Sequence[int]) -> list[Fraction]:
    """Return row *i* of the first table: the coefficients, also of all slacks and units, and the nonnegative side."""
    sign = -1 if side < 0 else 1
    loose = [Fraction(slack * (i == j)) for j, slack in enumerate(slacks) if slack]
    return [*(sign * a for a in (*row, *loose)), *(Fraction(int(i == j)) for j in range(len(slacks))), sign * side]


def _pivot(table: Sequence[list[Fraction]], leaving: int, entering: int) -> None:
    """Divide the row *leaving* by its entry in the column *entering*, and make this column 0 in all other rows."""
    pivot = table[leaving]
    pivot[:] = [a / pivot[entering] for a in pivot]
    for number, row in enumerate(table):
        factor = row[entering]
        if factor and number != leaving:
            row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
