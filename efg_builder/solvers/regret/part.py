"""Regret minimization for any number of players on a part of a bidding game, which may be the whole game.

Histories are integers, in one class for each mover (``forms.bidding_form``). With more than 62 bids, the arrays of
histories contain Python integers. In a class, histories with the same last bid form a slice. Bid b leads from some of
the histories with lower bids to the slice of the next class with last bid b. In the whole game, it leads from all of
them, which are the first histories of their class.

A strategy has two arrays for each player, with a column for each hand: ``bids``, by the history after the bid, and
``calls``, by the history before the call.

On a growing part, this is the double oracle of B. Bosansky et al. (JAIR 2014), with regret minimization on the
restricted games. Outside the part, players call, so best responses are computed only up to one bid beyond the part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...forms.bidding_form import BiddingForm, Flags, Longs, bids_of
from ...strategies.sparse_profile import SparseProfile
from .engine import Arrays, Engine, Exact, Rule, TableStrategy, exact_row
from .newton import Floats, MixedSet, MixedSupport


@dataclass(frozen=True)
class PartSettings:
    """The settings for growing the part, and limits for Newton's method. Payoffs are scaled to be between -1 and 1."""

    grow_every: int = 10
    """Number of iterations between best responses."""
    least_gain: float = 1e-9
    """Minimum gain, against the average strategies, of a move that is added."""
    deviation: float = 1e-3
    """Increase in the probability of a profitable move when it is added to a support."""
    equal_values: float = 1e-15
    """Maximum difference of equal values. Among equal moves, a best response prefers the call, then the lowest bid."""
    most_histories: int = 3_000
    """Maximum number of reached histories in a support for Newton's method."""
    most_terms: int = 60_000
    """Maximum number of terms in the polynomials."""


SETTINGS = PartSettings()


class Step(NamedTuple):
    """A bid at the histories of one class.

    ``parents``: the rows of *mover*'s class before the bid (a slice if these are all histories with lower bids).
    ``children``: the rows of the *following* class after the bid, in the same order.
    """

    mover: int
    following: int
    parents: slice | Longs
    children: slice


class Part:
    """Histories of a bidding game. With a history, the part contains all histories that lead to it.

    ``histories[r]``: class r. ``allowed[r]``: flags of the hands that may make the last bid of each history, shape
    (histories, last bidder's hands); None if all hands may. ``ends[r][b]``: the rows of class r with last bid b.
    ``steps[b]``: the steps of bid b. ``openings``: the rows of class 1 with one bid.
    """

    def __init__(self, histories: Sequence[Longs], bids: int, allowed: Sequence[Flags] | None = None) -> None:
        self.histories, self.bids, self.allowed = histories, bids, allowed
        self.players, self.sizes = len(histories), list(map(len, histories))
        powers = np.array([1 << bid for bid in range(bids)], dtype=histories[0].dtype)
        bounds = [np.searchsorted(of, powers).tolist() for of in histories]
        self.ends = [
            [slice(*pair) for pair in zip(bound, [*bound[1:], size], strict=True)]
            for bound, size in zip(bounds, self.sizes, strict=True)
        ]
        self.steps = [[step for r in range(self.players) if (step := self._step(b, r))] for b in range(bids)]
        self.openings = np.flatnonzero(histories[1] & histories[1] - 1 == 0)

    def _step(self, bid: int, mover: int) -> Step | None:
        following = (mover + 1) % self.players
        before, children = self.ends[mover][bid].start, self.ends[following][bid]
        if children.start == children.stop:
            return None
        parents: slice | Longs = slice(0, before)
        if children.stop - children.start < before:
            parents = np.searchsorted(self.histories[mover], self.histories[following][children] ^ (1 << bid))
        return Step(mover, following, parents, children)

    @cached_property
    def moves(self) -> int:
        """The number of pairs of a history and a hand that may make the last bid; 0 for the whole game."""
        return sum(map(np.count_nonzero, self.allowed or ()))

    @cached_property
    def _rows(self) -> list[dict[int, int]]:
        """The row of each history, by class."""
        return [{history: row for row, history in enumerate(own.tolist())} for own in self.histories]

    def children(self, mover: int, row: int) -> list[tuple[int, int]]:
        """Return the bids at a history, lowest first, each with its row in the next class."""
        history, following = int(self.histories[mover][row]), (mover + 1) % self.players
        bids = range(history.bit_length(), self.bids)
        if self.allowed is None:
            return [(bid, self.ends[following][bid].start + row) for bid in bids]
        rows = self._rows[following]
        return [(bid, rows[after]) for bid in bids if (after := history | 1 << bid) in rows]

    def joined(self, added: Sequence[tuple[Longs, Flags]]) -> Part:
        """Return the part with additional histories and flags of hands, given for each class. Histories may repeat."""
        if self.allowed is None:
            return self  # the whole game
        histories, allowed = [], []
        for own, flags, (others, more) in zip(self.histories, self.allowed, added, strict=True):
            both, rows = np.unique(np.concatenate([own, others]), return_inverse=True)
            may = np.zeros((len(both), flags.shape[1]), dtype=bool)
            np.logical_or.at(may, rows, np.concatenate([flags, more]))
            histories.append(both)
            allowed.append(may)
        return Part(histories, self.bids, allowed)


def whole_game(bids: int, players: int) -> Part:
    histories = [np.zeros(int(r == 0), dtype=np.int64) for r in range(players)]
    for b in range(bids):
        histories = [np.concatenate([histories[r], histories[r - 1] | 1 << b]) for r in range(players)]
    return Part(histories, bids)


def lowest_opening(form: BiddingForm) -> Part:
    """Return the part in which all hands make the lowest bid, which is then called."""
    histories = [np.array([0, 1][r : r + 1], dtype=np.int64) for r in range(form.players)]
    allowed = [np.ones((len(histories[r]), form.hands[r - 1]), dtype=bool) for r in range(form.players)]
    return Part(histories, form.bids, allowed)


Rows = dict[str, dict[int, dict[str, Fraction]]]
"""A player's strategy as fractions, by history, hand and action."""

Deviation = tuple[int, int, Flags]
"""A row of a player's class, a bid or a call (-1), and flags of the hands that gain by this move."""


class BiddingRegrets(Engine):
    """All players' regrets, strategies and average plans on a part of the game.

    *part*: the first part, which grows every ``grow_every`` iterations; by default, the whole game.
    """

    def __init__(self, form: BiddingForm, rule: Rule, part: Part | None = None) -> None:
        super().__init__(rule, form.half_ranges)
        self.form = form
        regrets = self._nothing(whole_game(form.bids, form.players) if part is None else part)
        self.begin(regrets, regrets.copy(), self.normalized(regrets))

    @property
    def part(self) -> Part:
        part: Part = self.strategy.part
        return part

    def _nothing(self, part: Part) -> TableStrategy:
        sizes, hands = part.sizes, self.form.hands
        shapes = [(sizes[(r + 1) % len(hands)], hands[r]) for r in self.seats] + list(zip(sizes, hands, strict=True))
        return TableStrategy([np.zeros(shape) for shape in shapes], part)

    # --- strategies and plans

    def normalized(self, given: TableStrategy) -> TableStrategy:
        """Return *given*, normalized to probabilities.

        If all weights of a hand are 0, the hand calls; at the root, it makes all allowed bids with equal probability.
        """
        found = given.copy()
        for player in self.seats:
            self.normalize(found, player)
        return found

    def normalize(self, given: TableStrategy, player: int) -> None:
        """Normalize the player's tables to probabilities, in place."""
        part, bids, calls = given.part, given.bids[player], given.calls[player]
        own = [step for steps in part.steps for step in steps if step.mover == player]
        if player == 0:
            calls[0] = 0
        total = calls.copy()
        for step in own:
            total[step.parents] += bids[step.children]
        known = total > 0
        share = np.divide(1, total, out=np.zeros_like(total), where=known)
        calls *= share
        calls[~known] = 1
        for step in own:
            bids[step.children] *= share[step.parents]
        if player == 0:
            calls[0] = 0
            may = np.ones(1) if part.allowed is None else part.allowed[1][part.openings]
            bids[part.openings] += ~known[0] * (may / (len(part.openings) if part.allowed is None else may.sum(axis=0)))

    def plan(self, strategy: TableStrategy, player: int) -> list[Floats]:
        """Return the player's realization weights, shape (histories, hands) for each class."""
        part, bids = strategy.part, strategy.bids[player]
        found = [np.empty((size, self.form.hands[player])) for size in part.sizes]
        found[0][0] = 1
        for steps in part.steps:
            for mover, following, parents, children in steps:
                if mover == player:
                    np.multiply(found[mover][parents], bids[children], out=found[following][children])
                else:
                    found[following][children] = found[mover][parents]
        return found

    # --- regret minimization

    def iterate(self) -> None:
        super().iterate()
        if self.part.allowed is not None and self.iterations % SETTINGS.grow_every == 0:
            self.grow(self.average(), SETTINGS.least_gain)

    def match_regrets(self, player: int, instant: tuple[Floats, Floats]) -> None:
        (bids, calls), regrets, strategy = instant, self.regrets, self.strategy
        strategy.bids[player][:] = self.rule.match(regrets.bids[player], bids, self.iterations)
        strategy.calls[player][:] = self.rule.match(regrets.calls[player], calls, self.iterations)
        self.normalize(strategy, player)

    def add_to_average(self, player: int, weight: float) -> None:
        plan, following = self.plans[player], (player + 1) % self.form.players
        self.totals.bids[player] += weight * plan[following]
        self.totals.calls[player] += weight * plan[player] * self.strategy.calls[player]

    def counterfactual_regrets(
        self, strategy: TableStrategy, plans: Sequence[Any], player: int
    ) -> tuple[Floats, Floats]:
        """Return the counterfactual regrets of *player*'s bids and calls against *strategy*."""
        part: Part = strategy.part
        values = self._ends(strategy, plans, player)
        call = values[player]
        self._add_bids(strategy, values, call, player)
        bids, own = values[(player + 1) % part.players].copy(), values[player]
        for steps in part.steps:
            for step in steps:
                if step.mover == player:
                    bids[step.children] -= own[step.parents]
        call -= own
        if player == 0:
            call[0] = 0
        if player == part.players - 1:
            bids[0] = 0  # no bid leads to the empty history
        if part.allowed is not None:
            bids *= part.allowed[(player + 1) % part.players]
        return bids, call

    def _ends(self, strategy: TableStrategy, plans: Sequence[Any], player: int) -> list[Floats]:
        """Return the values of all calls for the player's hands, by class.

        The values of the other players' calls are multiplied by the probabilities of these calls.
        """
        part, values = strategy.part, []
        for caller, of_bids in enumerate(self.form.calls[player]):
            worth = np.zeros((part.sizes[caller], self.form.hands[player]))
            for rows, call in zip(part.ends[caller], of_bids, strict=True):
                if rows.stop > rows.start:
                    weights = [plans[p][caller][rows] for p in self.seats]
                    if caller != player:
                        weights[caller] = weights[caller] * strategy.calls[caller][rows]
                    worth[rows] = call.of(weights)
            values.append(worth)
        return values

    def _add_bids(self, strategy: TableStrategy, values: list[Floats], call: Floats, player: int) -> None:
        """Replace the values of calls by the values of histories under *strategy*."""
        mine = strategy.bids[player]
        values[player] = call * strategy.calls[player]
        for steps in reversed(strategy.part.steps):
            for mover, following, parents, children in steps:
                below = values[following][children]
                values[mover][parents] += below * mine[children] if mover == player else below

    # --- best responses

    def gains(self, strategy: TableStrategy) -> list[float]:
        plans = [self.plan(strategy, player) for player in self.seats]
        found = []
        for player in self.seats:
            values = self._ends(strategy, plans, player)
            chances, mine = self.form.probabilities[player], plans[player]
            # Sum each table at once: NumPy's pairwise sum of one array is more accurate than a sum row by row.
            paid = [(table * mine[caller] * chances) for caller, table in enumerate(values)]
            paid[player] *= strategy.calls[player]
            value = sum(float(table.sum()) for table in paid)
            self._add_best(strategy.part, plans, values, player)
            found.append(float(values[0][0] @ chances) - value)
        return found

    def best_value(self, strategy: TableStrategy, plans: Sequence[Any], player: int) -> float:
        values = self._ends(strategy, plans, player)
        self._add_best(strategy.part, plans, values, player)
        return float(values[0][0] @ self.form.probabilities[player])

    def _add_best(
        self, part: Part, plans: Sequence[Any], values: list[Floats], player: int, choices: Longs | None = None
    ) -> None:
        """Replace the values of calls by the values of histories if *player* plays a best response in the whole game.

        *choices*: an array for the best bid of each hand at each of the player's histories (-1: a call).
        """
        following = (player + 1) % part.players
        own = values[player]
        if player == 0:
            own[0] = -np.inf
        if choices is not None:
            call = own.copy()
        for bid in reversed(range(part.bids)):
            inside = None
            for step in part.steps[bid]:
                if step.mover == player:
                    inside = step
                else:
                    values[step.mover][step.parents] += values[step.following][step.children]
            before = slice(0, part.ends[player][bid].start)
            if not before.stop:
                continue
            if inside is not None and isinstance(inside.parents, slice):
                worth = values[following][inside.children]
            else:
                # Outside the part, the next player calls.
                worth = self.form.calls[player][following][bid].of([plan[player][before] for plan in plans])
                if inside is not None:
                    worth[inside.parents] = values[following][inside.children]
            if choices is not None:
                np.copyto(choices[before], bid, where=worth >= own[before] - SETTINGS.equal_values)
            np.maximum(own[before], worth, out=own[before])
        if choices is not None:
            choices[call >= own - SETTINGS.equal_values] = -1

    def _deviations(self, strategy: TableStrategy, plans: Sequence[Any], player: int, least: float) -> list[Deviation]:
        """Return the moves by which *player* gains more than *least*, at histories that best responses reach."""
        part: Part = strategy.part
        calls = self._ends(strategy, plans, player)
        call = calls[player]
        best = [table.copy() for table in calls]
        choices = np.full(call.shape, -1)
        self._add_best(part, plans, best, player, choices)
        self._add_bids(strategy, calls, call, player)
        came = [np.zeros((size, self.form.hands[player]), dtype=bool) for size in part.sizes]
        came[0][0] = True
        for bid, steps in enumerate(part.steps):
            for mover, following, parents, children in steps:
                came[following][children] = came[mover][parents]
                if mover == player:
                    came[following][children] &= choices[parents] == bid
        gaining = came[player] & (best[player] - calls[player] > least)
        return [
            (row, bid, gaining[row] & (choices[row] == bid))
            for row in np.flatnonzero(gaining.any(axis=1)).tolist()
            for bid in np.unique(choices[row][gaining[row]]).tolist()
        ]

    # --- the growing part

    def grow(self, strategy: TableStrategy, least: float) -> None:
        """Extend the part by the moves with which best responses to *strategy* gain more than *least*."""
        plans, part = [self.plan(strategy, player) for player in self.seats], self.part
        added: list[tuple[Longs, Flags]] = []
        for bidder in (k - 1 for k in self.seats):
            player = bidder % part.players
            moves = [move for move in self._deviations(strategy, plans, player, least) if move[1] >= 0]
            histories = [int(part.histories[player][row]) | 1 << bid for row, bid, _ in moves]
            flags = np.array([hands for *_, hands in moves], dtype=bool).reshape(len(moves), self.form.hands[player])
            added.append((np.array(histories, dtype=np.int64), flags))
        if (larger := part.joined(added)).moves > part.moves:
            self._extend(larger)

    def _extend(self, part: Part) -> None:
        regrets, totals = self._on(part, self.regrets), self._on(part, self.totals)
        positive = TableStrategy([np.maximum(table, 0) for table in regrets.tables], part)
        self.begin(regrets, totals, self.normalized(positive))

    def _on(self, part: Part, given: TableStrategy) -> TableStrategy:
        """Return *given* on the larger *part*, with 0 at the additional histories."""
        found = self._nothing(part)
        for r, before in enumerate(given.part.histories):
            rows = np.searchsorted(part.histories[r], before)
            found.bids[r - 1][rows], found.calls[r][rows] = given.bids[r - 1], given.calls[r]
        return found

    def with_deviations(self, strategy: TableStrategy, least: float) -> TableStrategy | None:
        """Extend the part by profitable moves, and return the strategy with small weights for these moves.

        In the whole game, return None.
        """
        if self.part.allowed is None:
            return None
        self.grow(self.normalized(self._on(self.part, strategy)), least)
        strategy = self.normalized(self._on(self.part, strategy))
        plans, found = [self.plan(strategy, player) for player in self.seats], strategy.copy()
        for player in self.seats:
            for row, bid, hands in self._deviations(strategy, plans, player, least):
                if bid < 0:
                    found.calls[player][row, hands] += SETTINGS.deviation
                else:
                    after = dict(self.part.children(player, row))
                    if bid in after:
                        found.bids[player][after[bid], hands] += SETTINGS.deviation
        return self.normalized(found)

    # --- supports and fractions

    def matters(self, plans: Sequence[Any], block: int) -> Flags:
        """Return a flag for each history of a class: the mover and all other players, except at most one, reach it."""
        there = [(plan[block] > 0).any(axis=1) for plan in plans]
        missed = np.sum([~came for player, came in enumerate(there) if player != block], axis=0)
        found: Flags = there[block] & (missed <= 1)
        return found

    def key(self, strategy: TableStrategy) -> bytes:
        """The key includes the bids that the bidder reaches, and the calls at histories that ``matters`` flags."""
        part: Part = strategy.part
        plans = [self.plan(strategy, player) for player in self.seats]
        parts = []
        for player in self.seats:
            following = (player + 1) % part.players
            bids = plans[player][following] > 0
            calls = (strategy.calls[player] > 0) & (plans[player][player] > 0) & self.matters(plans, player)[:, None]
            for histories, made in ((part.histories[following], bids), (part.histories[player], calls)):
                rows = np.flatnonzero(made.any(axis=1))
                parts += [histories[rows].tobytes(), np.packbits(made[rows]).tobytes()]
        return b"".join(parts)

    def support(self, strategy: TableStrategy, most: int) -> MixedSupport | None:
        form, tables, part = self.form, strategy.tables, strategy.part
        sets: list[MixedSet] = []
        where: list[tuple[int, ...]] = []
        terms: dict[tuple[int, ...], Any] = {}
        reached = 0
        # A history is given by its class, its row and its last bid. For each player, the hands that reach it, with the
        # unknowns on the path.
        stack: list[Any] = [((0, 0, -1), tuple(dict.fromkeys(range(hands), ()) for hands in form.hands))]
        while stack:
            (mover, row, last), products = stack.pop()
            reached += 1
            # The history after each move (None: a call), and the row of the move in one of the tables.
            following = (mover + 1) % form.players
            moves: list[Any] = [((following, to, bid), mover, to) for bid, to in part.children(mover, row)]
            if last >= 0:
                moves.append((None, form.players + mover, row))
            after: dict[Any, dict[int, tuple[int, ...]]] = {}
            for hand, unknowns in products[mover].items():
                mixed = [(then, (table, at, hand)) for then, table, at in moves if tables[table][at, hand] > 0]
                first = len(where)
                if len(mixed) > 1:
                    sets.append(MixedSet(mover, range(first, first + len(mixed))))
                    where += [place for _, place in mixed]
                for number, (then, _) in enumerate(mixed, start=first):
                    after.setdefault(then, {})[hand] = (*unknowns, number) if len(mixed) > 1 else unknowns
            for then, hands in after.items():
                path = (*products[:mover], hands, *products[mover + 1 :])
                if then is not None:
                    stack.append((then, path))
                elif not add_call(form, terms, last, mover, path):
                    return None
            if len(where) > most or reached > SETTINGS.most_histories or len(terms) > SETTINGS.most_terms:
                return None
        return MixedSupport(terms, sets, np.array([tables[table][at, hand] for table, at, hand in where]), where)

    def written(self, strategy: TableStrategy) -> SparseProfile:
        """Return *strategy* as fractions at the histories that ``matters`` flags; omit hands that always call."""
        plans = [self.plan(strategy, player) for player in self.seats]
        found = []
        for player, calls in enumerate(strategy.calls):
            bidding = (plans[player][player] > 0) & (calls < 1) & self.matters(plans, player)[:, None]
            found.append(self.rows(strategy, player, bidding, exact_row))
        return SparseProfile(self.form.game, tuple(found))

    def rows(self, strategy: TableStrategy, player: int, bidding: Flags, exact: Exact) -> Rows:
        """Return the player's strategy as fractions, at the histories and hands that *bidding* flags."""
        game, part, found = self.form.game, strategy.part, {}
        bids, calls = strategy.bids[player], strategy.calls[player]
        for row in np.flatnonzero(bidding.any(axis=1)).tolist():
            history, after = int(part.histories[player][row]), part.children(player, row)
            names, played = [*(game.bid_names[bid] for bid, _ in after), game.call], bids[[to for _, to in after]]
            hands = {}
            for hand in np.flatnonzero(bidding[row]).tolist():
                fractions = exact((*played[:, hand].tolist(), float(calls[row, hand])))
                hands[hand] = {name: p for name, p in zip(names, fractions, strict=True) if p}
            found[game.history(bids_of(history))] = hands
        return found

    # --- files

    def packed(self, strategy: TableStrategy) -> Arrays:
        part, arrays = strategy.part, super().packed(strategy)
        if part.allowed is not None:
            arrays["sizes"] = np.array(part.sizes, dtype=np.int64)
            arrays["histories"] = np.concatenate(part.histories)
            arrays["allowed"] = np.concatenate([flags.ravel() for flags in part.allowed])
        return arrays

    def unpacked_form(self, arrays: Arrays) -> TableStrategy:
        return self._nothing(self.part if self.part.allowed is None else self._read_part(arrays))

    def _read_part(self, arrays: Arrays) -> Part:
        """Return the part that untrusted arrays describe. Raises ``ValueError``."""
        sizes, histories, allowed = (arrays[name] for name in ("sizes", "histories", "allowed"))
        players, bids, hands = self.form.players, self.form.bids, self.form.hands
        if any(array.dtype != np.int64 or array.ndim != 1 for array in (sizes, histories)) or allowed.dtype != np.bool_:
            raise ValueError("not arrays of integers and flags")
        if len(sizes) != players or not (sizes > 0)[:2].all() or not (sizes >= 0).all():
            raise ValueError("not a part of the game")
        flags = sizes * [hands[r - 1] for r in range(players)]
        if histories.shape != (sizes.sum(),) or allowed.shape != (flags.sum(),):
            raise ValueError("the part does not fit")
        if not np.all((histories >= 0) & (histories < 2**bids)):
            raise ValueError("no such history")
        classes = np.split(histories, np.cumsum(sizes)[:-1])
        check_histories(classes, bids)
        may = [m.reshape(-1, hands[r - 1]) for r, m in enumerate(np.split(allowed, np.cumsum(flags)[:-1]))]
        part = Part(classes, bids, may)
        if not may[1][part.openings].any(axis=0).all():
            raise ValueError("a hand has no opening")
        return part


def check_histories(classes: Sequence[Longs], bids: int) -> None:
    """Raise ``ValueError`` unless *classes* contain the root and each history's parent, in ascending order."""
    if classes[0][0] != 0:
        raise ValueError("no such history")
    powers = np.int64(1) << np.arange(bids, dtype=np.int64)
    for r, own in enumerate(classes):
        after = own[1:] if r == 0 else own
        if not (np.diff(own) > 0).all() or not (after > 0).all():
            raise ValueError("histories are in another order")
        last = powers[np.searchsorted(powers, after, side="right") - 1]
        if not np.isin(after ^ last, classes[r - 1]).all():
            raise ValueError("a history lacks its parent")


def add_call(form: BiddingForm, terms: dict[tuple[int, ...], Any], bid: int, caller: int, products: Any) -> bool:
    """Add the payoffs of a call to the polynomials *terms*; return False if there are too many terms.

    *products*: the unknowns on the path to the call, by player and hand.
    """
    classes, payoffs = form.shares[caller][bid]
    groups = []
    for player, mine in enumerate(products):
        # Merge hands with equal products and classes.
        weights: dict[tuple[tuple[int, ...], int], float] = {}
        for hand, unknowns in mine.items():
            key = unknowns, int(classes[player][hand])
            weights[key] = weights.get(key, 0.0) + float(form.probabilities[player][hand])
        groups.append(weights.items())
    if prod(map(len, groups)) > SETTINGS.most_terms:
        return False
    for cells in product(*groups):
        term = tuple(sorted(unknown for (unknowns, _), _ in cells for unknown in unknowns))
        cell = tuple(number for (_, number), _ in cells)
        paid = np.array([float(table[cell]) for table in payoffs]) * prod(w for _, w in cells)
        terms[term] = terms.get(term, 0) + paid
    return True
