"""Regret minimization for any number of players, on arrays over all histories of a bidding game.

A history is an integer below ``2 ** m`` for m bids; its bits are the bids that were made. *Class r* contains the
histories at which player r moves, in ascending order. The histories of a class with the same last bid form a slice. The
histories of class r in which all bids are lower than b come first. Bid b leads from these histories to the slice of
class r + 1 with last bid b.

A strategy has two arrays for each player, with a column for each hand: ``bids``, by the history after the bid, and
``calls``, by the history before the call. To evaluate a call, the hand classes of the other players are combined player
by player. In dice games, the class of a hand is its number of matching dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ...games.bidding import BiddingGame
from ...strategies.sparse_profile import SparseProfile
from ..integer_game import call_table
from .engine import Engine, Exact, Rule, TableStrategy, exact_row
from .newton import Floats, Look, MixedSet, MixedSupport


@dataclass(frozen=True)
class EquationSettings:
    """The maximum size of a support for Newton's method."""

    most_histories: int = 3_000
    """Maximum number of reached histories."""
    most_terms: int = 60_000
    """Maximum number of terms in the polynomials."""


SETTINGS = EquationSettings()

Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

Step = tuple[int, int, slice, slice]
"""A bid at the histories of a class: the class, the next class, and the slices of histories before and after the bid.
"""


class ClassLayout:
    """The order of the histories of a bidding game, grouped by mover.

    ``sizes``: the number of histories in each class. ``ends[r][b]``: the slice of class r with last bid b. ``steps``:
    the steps of each bid, lowest bid first.
    """

    def __init__(self, bids: int, players: int) -> None:
        self.bids, self.players = bids, players
        below = [[0] * players for _ in range(bids + 1)]
        below[0][0] = 1
        for b in range(bids):
            for r in range(players):
                below[b + 1][r] = below[b][r] + below[b][r - 1]
        self.sizes = below[bids]
        self.ends = [[slice(below[b][r], below[b + 1][r]) for b in range(bids)] for r in range(players)]
        self.steps: list[list[Step]] = [
            [
                (r, (r + 1) % players, slice(0, below[b][r]), self.ends[(r + 1) % players][b])
                for r in range(players)
                if below[b][r]
            ]
            for b in range(bids)
        ]

    @cached_property
    def histories(self) -> list[Longs]:
        """The histories of each class as integers, in ascending order."""
        found = [np.zeros(0, dtype=np.int64)] * self.players
        found[0] = np.zeros(1, dtype=np.int64)
        for b in range(self.bids):
            found = [np.concatenate([found[r], found[r - 1] | 1 << b]) for r in range(self.players)]
        return found


@dataclass(frozen=True)
class Joined:
    """Matrices for the value of a call for each hand of a player, given the other players' reach probabilities.

    ``steps``: for each other player, the player's index and two matrices. The first matrix maps that player's hands to
    classes, weighted by the hands' probabilities. The second matrix merges pairs (combined classes so far, class) with
    equal payoffs; it is None if no payoffs are equal. ``worth``: the matrix from the combined classes to the values of
    the call.
    """

    steps: tuple[tuple[int, Floats, Floats | None], ...]
    worth: Floats

    def of(self, weights: list[Floats]) -> Floats:
        """Return the values of the call, shape (histories, player's hands). *weights*: each player's plan."""
        joined: Floats | None = None
        for player, classes, same in self.steps:
            counts = weights[player] @ classes
            joined = counts if joined is None else (joined[:, :, None] * counts[:, None]).reshape(len(counts), -1)
            if same is not None:
                joined = joined @ same
        assert joined is not None
        return joined @ self.worth


class Model:
    """A bidding game for any number of players, prepared for computation with floats.

    ``chances[player]``: the probabilities of the hands. ``middles[player]``, ``units[player]``: the middle of the
    player's payoff range, and half the range; payoffs are scaled to be between -1 and 1. ``ends[player][caller][bid]``:
    the values of the call for *player*. ``tables[caller][bid]``: each player's hand classes, and each player's payoffs
    by class.
    """

    def __init__(self, game: BiddingGame) -> None:
        probabilities = game.hand_probabilities
        assert probabilities is not None
        self.game = game
        self.players, self.bids = len(game.players), len(game.bid_names)
        self.hands = [len(mine) for mine in probabilities]
        self.chances = [np.array(mine, dtype=np.float64) for mine in probabilities]
        seats = range(self.players)
        tables = [[call_table(game, bid, caller) for bid in range(self.bids)] for caller in seats]
        self.middles, self.units = [], []
        for player in seats:
            paid = {u for row in tables for _, payoffs in row for u in payoffs[player].flat}
            self.middles.append((max(paid) + min(paid)) / 2)
            self.units.append((max(paid) - min(paid)) / 2 or Fraction(1))
        self.ends = [[[self._joined(p, *tables[c][b]) for b in range(self.bids)] for c in seats] for p in seats]
        self.tables = [
            [(classes, [self._shares(p, payoffs[p]) for p in seats]) for classes, payoffs in row] for row in tables
        ]

    def _shares(self, player: int, payoffs: Any) -> Any:
        return (payoffs - self.middles[player]) / self.units[player]

    def _joined(self, player: int, classes: list[Any], payoffs: list[Any]) -> Joined:
        table = self._shares(player, payoffs[player])
        others = [p for p in range(self.players) if p != player]
        # Axes: the combined classes, the classes of each remaining player, the player's own classes.
        left = np.moveaxis(table, player, -1)[None]
        steps: list[tuple[int, Floats, Floats | None]] = []
        for other in others:
            count = left.shape[1]
            onehot = np.zeros((self.hands[other], count))
            onehot[np.arange(self.hands[other]), classes[other]] = self.chances[other]
            merged = left.reshape(-1, *left.shape[2:])
            kept: dict[Any, int] = {}
            to = [kept.setdefault(tuple(row.flat), len(kept)) for row in merged]
            same = None
            if len(kept) < len(merged):
                same = np.zeros((len(merged), len(kept)))
                same[np.arange(len(merged)), to] = 1
            left = merged[[to.index(k) for k in range(len(kept))]]
            steps.append((other, onehot, same))
        worth = left[:, classes[player]].astype(np.float64)
        return Joined(tuple(steps), worth)


Place = tuple[int, int, int]
"""A history: its block, its position in the block, and its last bid (-1: none)."""

Rows = dict[str, dict[int, dict[str, Fraction]]]
"""A player's strategy as fractions, by history, hand and action."""


class BiddingEngine(Engine):
    """The base of both engines for bidding games.

    Histories are stored in blocks (classes or levels). Each block has one mover, and bids lead to the next block.
    """

    def __init__(self, model: Model, rule: Rule) -> None:
        super().__init__(rule, model.units)
        self.model = model

    def mover(self, block: int) -> int:
        return block % self.model.players

    def bids_table(self, block: int) -> int:
        """Return the index of the table of bids at the histories of *block*."""
        raise NotImplementedError

    def histories(self, strategy: TableStrategy, block: int) -> Longs:
        raise NotImplementedError

    def following(self, strategy: TableStrategy, place: Place) -> list[Place]:
        """Return the histories to which the bids at *place* lead."""
        raise NotImplementedError

    def normalize(self, given: TableStrategy, player: int) -> None:
        """Normalize the player's tables to probabilities, in place."""
        raise NotImplementedError

    def normalized(self, given: TableStrategy) -> TableStrategy:
        """Return *given*, normalized to probabilities.

        If all weights of a hand are 0, the hand calls; at the root, it makes all bids with equal probability.
        """
        found = given.copy()
        for player in self.seats:
            self.normalize(found, player)
        return found

    def matters(self, plans: Sequence[list[Floats]], block: int) -> Flags:
        """Return a flag for each history of *block*: the mover and all other players, except at most one, reach it."""
        there = [(plan[block] > 0).any(axis=1) for plan in plans]
        mover = self.mover(block)
        missed = np.sum([~came for player, came in enumerate(there) if player != mover], axis=0)
        found: Flags = there[mover] & (missed <= 1)
        return found

    def support(self, strategy: TableStrategy, most: int) -> MixedSupport | None:

        def moves(place: Place, hand: int) -> list[Move]:
            block, at, last = place
            number = self.bids_table(block)
            found: list[Move] = [
                (then, (number, then[1], hand), float(strategy.tables[number][then[1], hand]))
                for then in self.following(strategy, place)
            ]
            call: Move = (None, (len(strategy.calls) + block, at, hand), float(strategy.calls[block][at, hand]))
            return [*found, call] if last >= 0 else found

        return support_of(self.model, moves, most, self.look)

    def written(self, strategy: TableStrategy) -> SparseProfile:
        """Return *strategy* as fractions at the histories that ``matters`` flags; omit hands that always call."""
        plans = [self.plan(strategy, player) for player in self.seats]
        found: tuple[Rows, ...] = tuple({} for _ in self.seats)
        for block, calls in enumerate(strategy.calls):
            mover = self.mover(block)
            bidding = (plans[mover][block] > 0) & (calls < 1) & self.matters(plans, block)[:, None]
            found[mover].update(self.rows(strategy, block, bidding, exact_row))
        return SparseProfile(self.model.game, found)

    def rows(self, strategy: TableStrategy, block: int, bidding: Flags, exact: Exact) -> Rows:
        """Return the strategy as fractions, at the histories and hands that *bidding* flags."""
        game, calls, found = self.model.game, strategy.calls[block], {}
        bids, histories = strategy.tables[self.bids_table(block)], self.histories(strategy, block)
        for at in np.flatnonzero(bidding.any(axis=1)).tolist():
            history = int(histories[at])
            after = self.following(strategy, (block, at, history.bit_length() - 1))
            names, played = [*(game.bid_names[bid] for *_, bid in after), game.call], bids[[to for _, to, _ in after]]
            hands = {}
            for hand in np.flatnonzero(bidding[at]).tolist():
                fractions = exact((*played[:, hand].tolist(), float(calls[at, hand])))
                hands[hand] = {name: p for name, p in zip(names, fractions, strict=True) if p}
            found[game.history(b for b in range(self.model.bids) if history >> b & 1)] = hands
        return found


class BiddingRegrets(BiddingEngine):
    """All players' regrets, strategies and average plans on all histories. Blocks are classes."""

    def __init__(self, model: Model, rule: Rule) -> None:
        super().__init__(model, rule)
        self.layout = ClassLayout(model.bids, model.players)
        regrets = self.nothing()
        self.begin(regrets, self.nothing(), self.normalized(regrets))

    def nothing(self) -> TableStrategy:
        sizes, hands = self.layout.sizes, self.model.hands
        shapes = [(sizes[(r + 1) % len(hands)], hands[r]) for r in self.seats] + list(zip(sizes, hands, strict=True))
        return TableStrategy([np.zeros(shape) for shape in shapes])

    def bids_table(self, block: int) -> int:
        return block

    def histories(self, strategy: TableStrategy, block: int) -> Longs:
        return self.layout.histories[block]

    def following(self, strategy: TableStrategy, place: Place) -> list[Place]:
        block, at, last = place
        then = self.mover(block + 1)
        return [(then, self.layout.ends[then][b].start + at, b) for b in range(last + 1, self.model.bids)]

    def normalize(self, given: TableStrategy, player: int) -> None:
        bids, calls = given.bids[player], given.calls[player]
        total = calls.copy()
        if player == 0:
            total[0] = 0
        for steps in self.layout.steps:
            for r, _, parents, children in steps:
                if r == player:
                    total[parents] += bids[children]
        known = total > 0
        share = np.divide(1, total, out=np.zeros_like(total), where=known)
        calls *= share
        calls[~known] = 1
        for steps in self.layout.steps:
            for r, _, parents, children in steps:
                if r == player:
                    bids[children] *= share[parents]
                    if player == 0:
                        bids[children.start] += ~known[0] / self.layout.bids
        if player == 0:
            calls[0] = 0

    def plan(self, strategies: TableStrategy, player: int) -> list[Floats]:
        """Return the player's realization weights, shape (histories, hands) for each class."""
        hands, bids = self.model.hands[player], strategies.bids[player]
        found = [np.empty((size, hands)) for size in self.layout.sizes]
        found[0][0] = 1
        for steps in self.layout.steps:
            for r, following, parents, children in steps:
                if r == player:
                    np.multiply(found[r][parents], bids[children], out=found[following][children])
                else:
                    found[following][children] = found[r][parents]
        return found

    def iterate(self) -> None:
        self.iterations += 1
        weight = self.rule.weight(self.iterations)
        for player in self.seats:
            bids, calls = self.gained(self.strategy, self.plans, player)
            regrets = self.regrets
            self.strategy.bids[player][:] = self.rule.match(regrets.bids[player], bids, self.iterations)
            self.strategy.calls[player][:] = self.rule.match(regrets.calls[player], calls, self.iterations)
            self.normalize(self.strategy, player)
            plan = self.plan(self.strategy, player)
            self.plans[player] = plan
            following = (player + 1) % self.model.players
            self.totals.bids[player] += weight * plan[following]
            self.totals.calls[player] += weight * plan[player] * self.strategy.calls[player]

    def gained(self, strategies: TableStrategy, plans: list[list[Floats]], player: int) -> tuple[Floats, Floats]:
        """Return the counterfactual regrets of *player*'s bids and calls against *strategies*."""
        values, call = self._ends(strategies, plans, player)
        mine = strategies.bids[player]
        values[player] = call * strategies.calls[player]
        for steps in reversed(self.layout.steps):
            for r, following, parents, children in steps:
                below = values[following][children]
                values[r][parents] += below * mine[children] if r == player else below
        bids = values[(player + 1) % self.model.players].copy()
        own = values[player]
        for steps in self.layout.steps:
            for r, _, parents, children in steps:
                if r == player:
                    bids[children] -= own[parents]
        call -= own
        if player == 0:
            call[0] = 0
        if player == self.model.players - 1:
            bids[0] = 0  # no bid leads to the empty history
        return bids, call

    def gains(self, strategies: TableStrategy) -> list[float]:
        plans = [self.plan(strategies, player) for player in self.seats]
        found = []
        for player in self.seats:
            values, call = self._ends(strategies, plans, player)
            chances, mine = self.model.chances[player], plans[player]
            # Sum each table at once: NumPy's pairwise sum of one array is more accurate than a sum row by row.
            paid = [(table * mine[caller] * chances) for caller, table in enumerate(values)]
            paid[player] *= strategies.calls[player]
            value = sum(float(table.sum()) for table in paid)
            found.append(self._best(values, call, player) - value)
        return found

    def best_value(self, strategy: TableStrategy, plans: list[list[Floats]], player: int) -> float:
        return self._best(*self._ends(strategy, plans, player), player)

    def _best(self, values: list[Floats], call: Floats, player: int) -> float:
        if player == 0:
            call[0] = -np.inf
        values[player] = call
        for steps in reversed(self.layout.steps):
            for r, following, parents, children in steps:
                if r == player:
                    np.maximum(values[r][parents], values[following][children], out=values[r][parents])
                else:
                    values[r][parents] += values[following][children]
        return float(values[0][0] @ self.model.chances[player])

    def key(self, strategies: TableStrategy) -> bytes:
        """The key includes only the histories that ``matters`` flags."""
        parts = []
        plans = [self.plan(strategies, player) for player in self.seats]
        for player in self.seats:
            reached = (plans[player][player] > 0) & self.matters(plans, player)[:, None]
            follow = (player + 1) % self.model.players
            parts += [(plans[player][follow] > 0), reached & (strategies.calls[player] > 0)]
        return b"".join(np.packbits(part).tobytes() for part in parts)

    def _ends(self, strategies: TableStrategy, plans: list[list[Floats]], player: int) -> tuple[list[Floats], Floats]:
        """Return the values of all calls for the player's hands, by class, and the values of the player's own calls.

        The values of the other players' calls are multiplied by the probabilities of these calls.
        """
        layout, model, hands = self.layout, self.model, self.model.hands[player]
        ends, values = model.ends[player], [np.zeros((size, hands)) for size in layout.sizes]
        for caller in self.seats:
            at = values[caller]
            for b, rows in enumerate(layout.ends[caller]):
                self.look()
                if rows.stop > rows.start:
                    weights = [plans[p][caller][rows] for p in self.seats]
                    if caller != player:
                        weights[caller] = weights[caller] * strategies.calls[caller][rows]
                    at[rows] = ends[caller][b].of(weights)
        return values, values[player]


Move = tuple[Place | None, tuple[int, ...], float]
"""A move: the resulting history (None: a call), the position in the engine's arrays, and the probability."""


def support_of(model: Model, moves: Callable[[Place, int], list[Move]], most: int, look: Look) -> MixedSupport | None:
    """Return the support of the strategies, or None if it is too large. *moves*: the moves of a hand at a history."""
    sets: list[MixedSet] = []
    where: list[tuple[int, ...]] = []
    start: list[float] = []
    terms: dict[tuple[int, ...], Any] = {}
    reached = 0
    stack: list[tuple[Place, Any]] = [((0, 0, -1), tuple(dict.fromkeys(range(hands), ()) for hands in model.hands))]
    while stack:
        look()
        place, products = stack.pop()
        reached += 1
        block, _, last = place
        mover = block % model.players
        after: dict[Place | None, dict[int, tuple[int, ...]]] = {}
        for hand, unknowns in products[mover].items():
            row = [move for move in moves(place, hand) if move[2] > 0]
            first = len(where)
            if len(row) > 1:
                sets.append(MixedSet(mover, range(first, first + len(row))))
                where += [at for _, at, _ in row]
                start += [p for *_, p in row]
            for number, (then, _, _) in enumerate(row, start=first):
                after.setdefault(then, {})[hand] = (*unknowns, number) if len(row) > 1 else unknowns
        for then, mine in after.items():
            following = (*products[:mover], mine, *products[mover + 1 :])
            if then is not None:
                stack.append((then, following))
            elif not add_call(model, terms, last, mover, following):
                return None
        if len(where) > most or reached > SETTINGS.most_histories or len(terms) > SETTINGS.most_terms:
            return None
    return MixedSupport(terms, sets, np.array(start), where, look)


def add_call(model: Model, terms: dict[tuple[int, ...], Any], bid: int, caller: int, products: Sequence[Any]) -> bool:
    """Add the payoffs of a call to the polynomials *terms*; return False if there are too many terms.

    *products*: the unknowns on the path to the call, by player and hand.
    """
    classes, payoffs = model.tables[caller][bid]
    groups = []
    for player, mine in enumerate(products):
        # Merge hands with equal products and classes.
        weights: dict[tuple[tuple[int, ...], int], float] = {}
        for hand, unknowns in mine.items():
            key = unknowns, int(classes[player][hand])
            weights[key] = weights.get(key, 0.0) + float(model.chances[player][hand])
        groups.append(weights.items())
    if prod(map(len, groups)) > SETTINGS.most_terms:
        return False
    for cells in product(*groups):
        term = tuple(sorted(unknown for (unknowns, _), _ in cells for unknown in unknowns))
        cell = tuple(number for (_, number), _ in cells)
        paid = np.array([float(table[cell]) for table in payoffs]) * prod(w for _, w in cells)
        terms[term] = terms.get(term, 0) + paid
    return True
