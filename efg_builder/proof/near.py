"""Proof that a true equilibrium lies within a radius of a near-equilibrium.

If the probabilities of an equilibrium are irrational, nearby rational strategies have a positive regret. The proof then
shows that an equilibrium with the same support exists, and bounds its distance in each probability.

*The equations.* In an equilibrium, all actions played at an information set have the same expected payoff. The
counterfactual payoff of an action is the sum of the payoffs at the terminal nodes below it, weighted by the probability
that chance and the other players reach the node. This payoff is a polynomial in the probabilities at *mixed*
information sets, which have more than one played action. At each mixed information set, one probability is 1 minus the
others, and the others are the unknowns. All other probabilities are fixed. With perfect recall, a path contains an
information set at most once, so each polynomial is affine in each unknown.

*Ties.* If the payoff of an unplayed action seems equal to the payoff of the played actions, one more equation states
that they are equal. After the unplayed action, the mover plays a best response, and the other players follow their
strategies. If these players mix at information sets that are otherwise unreached, their probabilities there are also
unknowns.

*The proof.* Let G be the equations, x the profile, J the Jacobian of G, A an approximate inverse of J(x), and c a
Lipschitz constant of A J. All norms are maximum norms. The map y -> y - A G(y) maps the ball of radius r around x into
itself, and is a contraction there, if

    |A G(x)| + |I - A J(x)| r + c r^2 <= r,   |I - A J(x)| + c r < 1.

Then the ball contains exactly one solution, by Banach's theorem. This is the Newton-Kantorovich theorem with an
approximate inverse (J. M. Ortega, American Mathematical Monthly 75, 1968) and Krawczyk's test (R. Krawczyk, Computing
4, 1969; A. Neumaier, "Interval methods for systems of equations", Cambridge 1990, ch. 5). With r = 2 |A G(x)|, the
condition |I - A J(x)| + c r <= 1/2 suffices. A is computed in floats. Everything else is computed in integers, and the
bounds include all rounding errors.

*Curves of equilibria.* If the Jacobian does not have full rank, fix the surplus unknowns at their values, and omit the
surplus equations. After the fixed values are inserted, each omitted polynomial must be a linear combination of the
others. If this fails, try again with a single unknown for all equal probabilities: hands of the same strength often
have the same strategy, and then also the same equations.

*Strictness.* Suppose that each probability changes by at most R. Then the payoff of an action changes by at most u w R,
where u is the largest absolute payoff, and w is the number of the other players' actions at mixed information sets. (To
see this, change one distribution after another.) The same bound holds for best responses, which are maxima of such
payoffs. Consider an action without an equation, followed by a best response. If its payoff against the given profile is
more than 2 u w R below the payoff of the played actions, it is also lower in the true equilibrium. By induction from
the last moves, the played actions are then best at each reached information set. This suffices for a Nash equilibrium,
in which actions at unreached information sets need not be best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from math import floor, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.errors import NotApplicableError, check_kind
from ..base.rationals import Number
from ..forms.extensive import CHANCE, NONE, TERMINAL, scaled_payoffs
from ..forms.recall import has_perfect_recall
from ..games.checks import settle
from ..games.protocol import Deal, PublicDecision, PublicEnd
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile
from .best_response import play_of
from .sparse import Ends, Reaches, Worths, played, respond

MOST_NODES = 100_000
"""The maximum number of reached nodes; a proof with this many nodes takes seconds."""

MOST_UNKNOWNS = 120
"""The maximum number of unknowns; the time grows with its third power."""

MOST_TERMS = 100_000
"""The maximum number of terms in all equations together."""

FLAT = 1e-9
"""Entries of the scaled Jacobian up to this size become 0. A wrong 0 can only make the proof fail."""

TIED = Fraction(1, 10**9)
"""The maximum payoff difference between actions that seem tied, as a fraction of the largest payoff.

The proof does not assume that they are tied.
"""

ALIKE = Fraction(1, 10**11)
"""The maximum difference between probabilities that may share one unknown.

The proof does not assume that they are equal.
"""

BITS = 200
"""The number of binary places to which fractions are rounded. The bounds include the rounding errors."""

Polynomial = dict[tuple[int, ...], Fraction]
"""The coefficient of each product of unknowns; a product lists its unknowns in ascending order."""


@dataclass(frozen=True)
class Near:
    """The result of ``prove_near``.

    ``radius``: the proved maximum difference between a probability of the profile and of the equilibrium; None if the
    proof failed. ``reason``: the reason for the failure. ``unknowns``: the number of unknown probabilities. ``held``:
    the number of unknowns that are fixed because the equilibria form a curve.
    """

    radius: Fraction | None
    reason: str = ""
    unknowns: int = 0
    held: int = 0


class _NoProofError(Exception):
    """The proof failed; the message is the reason."""


def prove_near(profile: TreeProfile | SparseProfile) -> Near:
    """Prove that an equilibrium is near an exact *profile*, or return the reason for the failure of the proof.

    The game may have any number of players. The equilibrium plays the same actions as *profile*. At information sets
    that are reached neither in play nor after a tied action, the equilibrium has the same probabilities. Raises
    ``NotApplicableError`` if a player lacks perfect recall, or if the probabilities are floats.
    """
    check_kind("prove_near", profile, (TreeProfile, SparseProfile), "an exact strategy", "e.g. solution.strategy")
    if not profile.exact:
        raise NotApplicableError("the proof of a nearby equilibrium needs exact strategies; these are floats")
    if profile.tree is not None and not has_perfect_recall(profile.tree):
        raise NotApplicableError("the proof of a nearby equilibrium needs perfect recall of all players")
    try:
        sparse = profile.sparse_profile
        game = _OnTree(profile.on_tree()) if sparse is None else _Public(sparse)
        system = _System(game)
        radius = system.radius()
        _check_strict(game, system, radius)
    except _NoProofError as problem:
        return Near(None, str(problem))
    return Near(radius, unknowns=len(system.start), held=system.held)


# --- The game: play from node to node, and the payoffs of actions.


@dataclass(frozen=True)
class _Place:
    """A node of the game.

    ``paid``: the payoffs at the node, if any. ``key``: the key of its information set (None at chance and terminal
    nodes). ``row``: the probability of each action, for chance or under the profile.
    """

    paid: Sequence[Fraction] | None
    key: Hashable = None
    player: int = CHANCE
    row: Sequence[Fraction] = ()
    children: Sequence[Any] = ()


class _OnTree:
    def __init__(self, profile: TreeProfile) -> None:
        self.profile, self.tree = profile, profile.tree
        self.starts: list[tuple[Fraction, Any]] = [(Fraction(1), 0)]
        self.players = self.tree.players
        self.rows = [[Fraction(p) for p in row] for row in profile.probabilities]

    @cached_property
    def most(self) -> list[Fraction]:
        paid, scale = scaled_payoffs(self.tree)
        ends = paid[self.tree.player == TERMINAL]
        return [Fraction(int(abs(ends[:, player]).max()), scale) for player in range(len(self.players))]

    @cached_property
    def _gains(self) -> list[Mapping[tuple[int, int] | None, Number]]:
        play = play_of(self.profile)
        return [play.best_response(player).gains for player in range(len(self.players))]

    def look(self, node: int) -> _Place:
        outcome, k = int(self.tree.outcome[node]), int(self.tree.infoset[node])
        paid = None if outcome == NONE else self.tree.payoffs[outcome]
        if k == NONE:
            return _Place(paid)
        player = self.tree.infosets[k].player
        return _Place(paid, None if player == CHANCE else k, player, self.rows[k], list(self.tree.children(node)))

    def worth(self, key: Any) -> list[Fraction]:
        """Return the mover's payoff for each action at an information set, if a best response follows the action."""
        infoset = self.tree.infosets[key]
        gains = self._gains[infoset.player]
        return [Fraction(gains.get((key, action), 0)) for action in range(len(infoset.actions))]

    def name(self, key: Any, action: int | None = None) -> str:
        infoset = self.tree.infosets[key]
        at = f"{self.players[infoset.player]}'s {self.tree.names[key]!r}"
        return at if action is None else f"{infoset.actions[action]!r} at {at}"


class _Public:
    def __init__(self, profile: SparseProfile) -> None:
        self.profile, self.rules = profile, profile.game
        self.players = self.rules.players
        if self.rules.deal_count > MOST_NODES:
            raise _NoProofError(f"there are more than {MOST_NODES:,} deals, too many for this proof")
        self.starts: list[tuple[Fraction, Any]] = [
            (deal.probability, (self.rules.public_root(), deal)) for deal in self.rules.deals
        ]
        self.turns: dict[str, PublicDecision] = {}
        self.rows: dict[Hashable, list[Fraction]] = {}

    @cached_property
    def _responses(self) -> tuple[dict[str, list[Worths]], list[Fraction]]:
        """The payoffs of the actions at each history, and each player's largest absolute payoff."""
        found, ends = dict[str, list[Worths]](), Ends(self.rules)

        def leave(turn: PublicDecision, _: Reaches, worths: list[Worths]) -> None:
            if len(found) > MOST_NODES:
                raise _NoProofError(f"best responses visit more than {MOST_NODES:,} histories, too many for this proof")
            found[turn.history] = worths

        for player in range(len(self.players)):
            respond(self.rules, player, partial(played, self.profile), ends, leave=leave)
        return found, [max(map(abs, paid)) for paid in ends.paid]

    @property
    def most(self) -> list[Fraction]:
        return self._responses[1]

    def look(self, node: tuple[Any, Deal]) -> _Place:
        state, deal = node
        turn = self.rules.public_turn(state)
        if isinstance(turn, PublicEnd):
            return _Place(settle(self.rules, turn.key, deal).payoffs)
        hand = deal.hands[turn.player]
        key = turn.history, hand
        if key not in self.rows:
            behavior = self.profile.at(turn, hand)
            self.rows[key] = [behavior.get(action, Fraction(0)) for action, _ in turn.actions]
            self.turns[turn.history] = turn
        return _Place(None, key, turn.player, self.rows[key], [(then, deal) for _, then in turn.actions])

    def worth(self, key: Any) -> list[Fraction]:
        history, hand = key
        return [each.of(hand) for each in self._responses[0][history]]

    def name(self, key: Any, action: int | None = None) -> str:
        history, hand = key
        turn = self.turns[history]
        at = f"{self.players[turn.player]}'s {self.rules.infoset_name(turn.player, hand, history)!r}"
        return at if action is None else f"{turn.actions[action][0]!r} at {at}"


# --- The equations.


class _DependentError(_NoProofError):
    """An omitted equation does not follow from the others. ``left``: the unknowns in the remainder of the equation."""

    def __init__(self, problem: str, left: set[int]) -> None:
        super().__init__(problem)
        self.left = left


@dataclass(frozen=True)
class _Set:
    """An information set in the equations, with the probabilities ``row``.

    ``judged``: whether the proof must show that its played and tied actions have equal payoffs, and that all other
    actions have lower payoffs. ``base``: the played action with which other actions are compared. ``numbers``: the
    numbers of the played and tied actions in the equations. ``unknowns``: the numbers of the played actions except
    ``base``. (The probability of ``base`` is 1 minus the sum of the unknowns.) ``ties``: the numbers of the unplayed
    actions that seem equally good.
    """

    key: Hashable
    player: int
    row: Sequence[Fraction]
    judged: bool
    base: int
    numbers: Mapping[int, int]
    unknowns: Sequence[int]
    ties: Sequence[int]


class _System:
    def __init__(self, game: _OnTree | _Public) -> None:
        self.game, self.sets = game, dict[Hashable, _Set]()
        self.start: dict[int, Fraction] = {}
        self.owner: list[_Set] = []
        self.bases: set[int] = set()
        self.common = Counter[float]()
        self.held = 0
        self.reached = self._reached()
        products = self._products()
        self.equations = self._equations(products)

    def _reached(self) -> set[Hashable]:
        found, stack, nodes = set[Hashable](), [node for _, node in self.game.starts], 0
        while stack:
            place = self.game.look(stack.pop())
            nodes += 1
            if nodes > MOST_NODES:
                raise _NoProofError(f"the profile reaches more than {MOST_NODES:,} nodes, too many for this proof")
            if place.key is not None and place.key not in found:
                found.add(place.key)
                self.common.update(map(_rounded, place.row))
            stack += [child for p, child in zip(place.row, place.children, strict=True) if p]
        return found

    def _products(self) -> dict[tuple[int, ...], list[Fraction]]:
        """Return the total payoffs of the terminal nodes, grouped by the numbered actions on their paths.

        Each payoff is weighted by the probabilities of the unnumbered moves on the path. On each path, at most one
        player makes unplayed moves.
        """
        found: dict[tuple[int, ...], list[Fraction]] = {}
        stack: list[tuple[Fraction, Any, tuple[int, ...], int | None]]
        stack = [(weight, node, (), None) for weight, node in self.game.starts]
        nodes = 0
        while stack:
            weight, node, product, strayed = stack.pop()
            place = self.game.look(node)
            nodes += 1
            if nodes > MOST_NODES or len(found) > MOST_TERMS:
                raise _NoProofError("the profile reaches too many nodes for this proof")
            if place.paid is not None:
                paid = found.setdefault(product, [Fraction(0)] * len(place.paid))
                for player, payoff in enumerate(place.paid):
                    paid[player] += weight * payoff
            if place.key is None:
                pairs = zip(place.row, place.children, strict=True)
                stack += [(weight * p, child, product, strayed) for p, child in pairs if p]
                continue
            if place.key not in self.sets:
                self.sets[place.key] = self._set(place, own=strayed == place.player)
            one = self.sets[place.key]
            for action, child in enumerate(place.children):
                number = one.numbers.get(action)
                if number is None:
                    if one.row[action]:
                        stack.append((weight, child, product, strayed))
                elif number not in one.ties:
                    stack.append((weight, child, (*product, number), strayed))
                elif strayed in (None, place.player):
                    stack.append((weight, child, (*product, number), place.player))
        return found

    def _set(self, place: _Place, own: bool) -> _Set:
        """Return the information set at *place*. *own*: whether its mover has made an unplayed move on the path."""
        key, player, row = place.key, place.player, place.row
        judged = own or key in self.reached
        # The base is the action whose probability occurs least often in the profile. The other probabilities are
        # unknowns, and equal unknowns can be merged.
        base = min((a for a, p in enumerate(row) if p), key=lambda a: (self.common[_rounded(row[a])], -row[a]))
        if own:
            worth = self.game.worth(key)
            base = max(range(len(row)), key=worth.__getitem__)
            row = [Fraction(action == base) for action in range(len(row))]
        ties = self._ties(key, player, row) if judged else []
        mixed = [action for action, p in enumerate(row) if p and action != base]
        numbers: dict[int, int] = {}
        if mixed or ties:
            actions = [base, *mixed, *ties]
            numbers = dict(zip(actions, range(len(self.owner), len(self.owner) + len(actions)), strict=True))
        found = _Set(key, player, row, judged, base, numbers, [numbers[a] for a in mixed], [numbers[a] for a in ties])
        self.owner += [found] * len(numbers)
        self.bases |= {numbers[base]} if numbers else set()
        self.start |= {numbers[action]: row[action] for action in mixed}
        if len(self.start) > MOST_UNKNOWNS:
            raise _NoProofError(f"more than {MOST_UNKNOWNS} probabilities are unknown, too many for this proof")
        return found

    def _ties(self, key: Hashable, player: int, row: Sequence[Fraction]) -> list[int]:
        """Return the unplayed actions that seem as good as the actions played in *row*."""
        worth, slight = self.game.worth(key), TIED * self.game.most[player]
        best = max(w for w, p in zip(worth, row, strict=True) if p)
        others = [action for action, p in enumerate(row) if not p]
        for action in others:
            if worth[action] > best + slight:
                raise _NoProofError(f"{self.game.name(key, action)} is better than the actions played there")
        return [action for action in others if worth[action] >= best - slight]

    def _equations(self, products: Mapping[tuple[int, ...], Sequence[Fraction]]) -> dict[int, Polynomial]:
        """Return a polynomial for each numbered action except the bases: its payoff minus the payoff of the base."""
        worths = self._worths(products)
        lasts = {one.numbers[one.base]: one.unknowns for one in self.sets.values() if one.unknowns}
        found = {}
        for one in self.sets.values():
            for number in [*one.unknowns, *one.ties] if one.judged else ():
                difference = dict(worths[number])
                for product, paid in worths[one.numbers[one.base]].items():
                    difference[product] = difference.get(product, Fraction(0)) - paid
                found[number] = _without_lasts(difference, lasts)
        if sum(map(len, found.values())) > MOST_TERMS:
            raise _NoProofError(f"the equations have more than {MOST_TERMS:,} terms, too many for this proof")
        return found

    def _worths(self, products: Mapping[tuple[int, ...], Sequence[Fraction]]) -> list[Polynomial]:
        """Return the payoff of each numbered action, a polynomial in the probabilities of the other players."""
        worths: list[Polynomial] = [{} for _ in self.owner]
        for product, paid in products.items():
            for place, number in enumerate(product):
                one = self.owner[number]
                if not one.judged or not paid[one.player]:
                    continue
                rest = product[place + 1 :]
                # The mover's earlier moves are a common factor. Later moves of the mover are restricted to the base,
                # because the equations give the other played actions the same payoff.
                if any(self.owner[n].player == one.player and n not in self.bases for n in rest):
                    continue
                rest = tuple(n for n in (*product[:place], *rest) if self.owner[n].player != one.player)
                if any(n in self.owner[n].ties for n in rest):
                    continue
                key = tuple(sorted(n for n in rest if self.owner[n].unknowns))
                worths[number][key] = worths[number].get(key, Fraction(0)) + paid[one.player]
        return worths

    def radius(self) -> Fraction:
        everywhere, alike = self._alike(), dict[int, int]()
        while True:
            try:
                return self._radius(alike)
            except _DependentError as problem:
                groups: dict[int, list[int]] = {}
                for unknown in sorted(problem.left):
                    groups.setdefault(everywhere.get(unknown, unknown), []).append(unknown)
                more = {one: first for first, *others in groups.values() for one in others}
                if not more and alike == everywhere:
                    raise
                # First merge equal unknowns in the remainder. If the remainder has none, merge all equal unknowns.
                merged = {one: more.get(other, other) for one, other in alike.items()} | more
                alike = merged if more else everywhere

    def _alike(self) -> dict[int, int]:
        """Map each unknown to an earlier unknown of the same value, if any; hands often have the same strategy."""
        values = sorted(self.start, key=lambda unknown: (self.start[unknown], unknown))
        found: dict[int, int] = {}
        for one, other in pairwise(values):
            if self.start[other] - self.start[one] <= ALIKE:
                found[other] = found.get(one, one)
        return found

    def _radius(self, alike: Mapping[int, int]) -> Fraction:
        start = {unknown: p for unknown, p in self.start.items() if unknown not in alike}
        moved = max((abs(self.start[one] - self.start[other]) for one, other in alike.items()), default=Fraction(0))
        equations = {number: _merged(equation, alike) for number, equation in self.equations.items()}
        kept, free = _independent(equations, start)
        held = {unknown: p for unknown, p in start.items() if unknown not in free}
        self._check_left_out({n: _with(e, held) for n, e in equations.items()}, kept)
        ball = _ball([_with(equations[number], held) for number in kept], free, start)
        # The change of the base's probability is at most the sum of the changes of the unknowns at its information set.
        radius = _power(max((len(one.unknowns) for one in self.sets.values()), default=0) * (ball + moved))
        self.held = len(held)
        for one in self.sets.values():
            for action in one.numbers if not all(n in held for n in one.unknowns) else ():
                if 0 < one.row[action] <= radius:
                    small = f"{float(one.row[action]):.2g}"
                    raise _NoProofError(f"{self.game.name(one.key, action)} has probability {small}, too close to 0")
        return radius

    def _check_left_out(self, equations: Mapping[int, Polynomial], kept: Sequence[int]) -> None:
        """Raise ``_NoProofError`` unless the omitted equations follow from the equations *kept*."""
        others = [number for number, equation in equations.items() if number not in kept and equation]
        span = _Span([equations[number] for number in kept] if others else [])
        for number in others:
            left = span.left(equations[number])
            if left:
                one = self.owner[number]
                action = next(a for a, n in one.numbers.items() if n == number)
                what = "nearly as good as the actions played there" if number in one.ties else "also played"
                why = "its equation does not follow from the others"
                names = {unknown for product in left for unknown in product}
                raise _DependentError(f"{self.game.name(one.key, action)} is {what}, but {why}", names)


def _rounded(p: Fraction) -> float:
    return round(float(p), 10)


def _independent(equations: Mapping[int, Polynomial], start: Mapping[int, Fraction]) -> tuple[list[int], list[int]]:
    """Return the equations and unknowns of a square submatrix of the Jacobian with full rank, by complete pivoting."""
    numbers, unknowns = [number for number, equation in equations.items() if equation], list(start)
    left = np.array([[float(_slope(equations[e], unknown, start)) for unknown in unknowns] for e in numbers])
    left = left.reshape(len(numbers), len(unknowns))
    sizes = abs(left).max(axis=1, initial=0.0)
    left /= np.where(sizes > 0, sizes, 1)[:, None]
    kept, free = list[int](), list[int]()
    while left.any():
        row, column = divmod(int(abs(left).argmax()), len(unknowns))
        kept.append(numbers[row])
        free.append(unknowns[column])
        left = left - np.multiply.outer(left[:, column] / left[row, column], left[row])
        left[row], left[:, column] = 0, 0
        left[abs(left) <= FLAT] = 0
    return kept, free


def _check_strict(game: _OnTree | _Public, system: _System, radius: Fraction) -> None:
    """Raise ``_NoProofError`` unless all actions without an equation are worse in every profile within *radius*."""
    sets = system.sets.values()
    for one in sets:
        if not one.judged:
            continue
        moves = sum(1 + len(other.unknowns) for other in sets if other.unknowns and other.player != one.player)
        change = 2 * game.most[one.player] * moves * radius
        worth = game.worth(one.key)
        for action, w in enumerate(worth):
            if not one.row[action] and action not in one.numbers and worth[one.base] - w <= change:
                raise _NoProofError(f"{game.name(one.key, action)} is nearly as good as the actions played there")


# --- Polynomials.


def _summed(terms: Iterable[tuple[tuple[int, ...], Fraction]]) -> Polynomial:
    found: Polynomial = {}
    for product, number in terms:
        found[product] = found.get(product, Fraction(0)) + number
    return {product: number for product, number in found.items() if number}


def _without_lasts(polynomial: Polynomial, lasts: Mapping[int, Sequence[int]]) -> Polynomial:
    """Return *polynomial* with the probability of each base replaced by 1 minus the unknowns of its information set."""
    found, stack = list[tuple[tuple[int, ...], Fraction]](), list(polynomial.items())
    while stack:
        product, number = stack.pop()
        last = next((n for n in reversed(product) if n in lasts), None)
        if last is None:
            found.append((product, number))
            continue
        rest = tuple(n for n in product if n != last)
        stack.append((rest, number))
        stack += [(tuple(sorted((*rest, unknown))), -number) for unknown in lasts[last]]
    return _summed(found)


def _with(polynomial: Polynomial, fixed: Mapping[int, Fraction]) -> Polynomial:
    """Return *polynomial* with the *fixed* unknowns replaced by their values."""
    return _summed(
        (tuple(n for n in product if n not in fixed), prod((fixed[n] for n in product if n in fixed), start=number))
        for product, number in polynomial.items()
    )


def _value(polynomial: Polynomial, at: Mapping[int, Fraction]) -> Fraction:
    return sum((prod((at[n] for n in product), start=number) for product, number in polynomial.items()), Fraction(0))


def _merged(polynomial: Polynomial, alike: Mapping[int, int]) -> Polynomial:
    return _summed((tuple(sorted(alike.get(n, n) for n in product)), number) for product, number in polynomial.items())


def _slope(polynomial: Polynomial, unknown: int, at: Mapping[int, Fraction]) -> Fraction:
    total = Fraction(0)
    for product, number in polynomial.items():
        if unknown in product:
            place = product.index(unknown)
            rest = (*product[:place], *product[place + 1 :])
            total += product.count(unknown) * prod((at[n] for n in rest), start=number)
    return total


class _Span:
    def __init__(self, polynomials: Sequence[Polynomial]) -> None:
        self.rows: dict[tuple[int, ...], Polynomial] = {}
        for polynomial in polynomials:
            left = self.left(polynomial)
            if left:
                lead = max(left)
                self.rows[lead] = {product: number / left[lead] for product, number in left.items()}

    def left(self, polynomial: Polynomial) -> Polynomial:
        """Return the remainder of *polynomial* modulo the span of the polynomials; empty if it is in the span."""
        left, done = dict(polynomial), Polynomial()
        while left:
            lead = max(left)
            number = left[lead]
            if lead not in self.rows:
                done[lead] = left.pop(lead)
                continue
            for product, other in self.rows[lead].items():
                rest = left.get(product, Fraction(0)) - number * other
                if rest:
                    left[product] = rest
                else:
                    left.pop(product, None)
        return done


# --- The ball.


def _ball(equations: Sequence[Polynomial], free: Sequence[int], start: Mapping[int, Fraction]) -> Fraction:
    """Return the radius r of a ball in which *equations* have a solution (see the module's docstring).

    In each *free* unknown, the solution differs from *start* by at most r. The caller must check that all probabilities
    in the ball are positive; then none exceeds 1.
    """
    if not equations:
        return Fraction(0)
    sizes = [max(map(abs, equation.values())) for equation in equations]
    equations = [
        {product: number / size for product, number in equation.items()}
        for equation, size in zip(equations, sizes, strict=True)
    ]
    one = 1 << BITS
    slopes = [[_slope(equation, unknown, start) for unknown in free] for equation in equations]
    jacobian = _whole([[floor(slope * one) for slope in row] for row in slopes])
    left = _whole([floor(_value(equation, start) * one) for equation in equations])
    # Upper bounds on the second derivatives, for probabilities up to 1.
    bends = _whole(
        [
            -floor(-sum((abs(n) * len(p) * (len(p) - 1) for p, n in equation.items()), Fraction(0)) * one)
            for equation in equations
        ]
    )
    inverse = _whole([[floor(Fraction(x) * one) for x in row] for row in _inverse(slopes)])
    weights = abs(inverse).sum(axis=1)
    # Each integer is rounded down by less than 1.
    step = Fraction(int((abs(inverse @ left) + weights).max()), one * one)
    unit = _whole([[one * one * (row == column) for column in range(len(free))] for row in range(len(free))])
    off = Fraction(int((abs(unit - inverse @ jacobian).sum(axis=1) + len(free) * weights).max()), one * one)
    curve = Fraction(int((abs(inverse) @ bends).max()), one * one)
    radius = 2 * step
    if off + curve * radius > Fraction(1, 2):
        raise _NoProofError(
            "the profile is too far from a solution of the equations, or the equations are nearly dependent"
        )
    return radius


def _whole(rows: object) -> npt.NDArray[np.object_]:
    return np.array(rows, dtype=object)


def _inverse(rows: Sequence[Sequence[Fraction]]) -> npt.NDArray[np.float64]:
    """Return an approximate inverse by Gauss-Jordan elimination.

    A library's result could differ between machines.
    """
    count = len(rows)
    table = np.concatenate([np.array(rows, dtype=np.float64), np.eye(count)], axis=1)
    for column in range(count):
        at = column + int(abs(table[column:, column]).argmax())
        if not table[at, column]:
            raise _NoProofError("the equations are dependent")
        table[[column, at]] = table[[at, column]]
        table[column] /= table[column, column]
        others = np.arange(count) != column
        table[others] -= np.multiply.outer(table[others, column], table[column])
    if not np.isfinite(table).all():
        raise _NoProofError("the equations are nearly dependent")
    return table[:, count:]


def _power(number: Fraction) -> Fraction:
    """Return the smallest power of ten that is at least *number* and at least 10^-60."""
    power = 60
    while power and number > Fraction(1, 10**power):
        power -= 1
    return Fraction(1, 10**power)
