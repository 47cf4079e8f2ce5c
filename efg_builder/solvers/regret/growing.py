"""Regret minimisation for any number of players on the histories of a game of bidding that are played: a growing part.

The double oracle of B. Bosansky, C. Kiekintveld, V. Lisy and M. Pechoucek (JAIR 2014), with regret minimisation for
its restricted games. Kept are the histories that play leads to; anywhere else the default move is made, the call. Every
now and then each player's best response over the whole game is worked out against the others' averages, and the moves
by which it gains become part of the restricted game. That takes no search: whoever makes a bid that leads out of the
restricted game is called at once, so only one bid has to be looked at beyond each history that is kept.

Histories are kept by their number of bids, which says who moves; those of one level are sorted by their last bid, so
that calls of one bid are worked out together. In reading order: ``PartLevel`` and ``Part``, the histories;
``PartStrategy``; ``GrowingRegrets``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...strategies.sparse_profile import SparseProfile
from .bidding import Flags, Longs, Model, Move, Moves, Place, matters, support_of, written_rows
from .newton import Look, MixedSupport, never
from .rules import Floats, Rule
from .state import MOST, Arrays, alike, flat, numbers, parted

EACH = 10
"""Iterations from one best response to the next."""

DEVIATION = 1e-3
"""What is added to the probability of a move by which a player gains, where such moves become part of a support."""

LEAST_GAIN = 1e-9
"""Moves by which a best response to the averages gains less are not added; payoffs are of the size of 1."""


@dataclass(frozen=True)
class PartLevel:
    """Histories of equally many bids, sorted by the last one.

    ``histories``: as sets of bids, integers. ``parents``: where the history without the last bid stands in the level
    before. ``bids``: the last bid of each. ``allowed``: for each, by hand of who made the last bid, whether that
    is in the restricted game.
    """

    histories: Longs
    parents: Longs
    bids: Longs
    allowed: Flags

    @cached_property
    def slices(self) -> list[tuple[int, slice]]:
        """The rows of each last bid."""
        found, start = np.unique(self.bids, return_index=True)
        ends = [*start[1:].tolist(), len(self.bids)]
        return [(b, slice(s, e)) for b, s, e in zip(found.tolist(), start.tolist(), ends, strict=True)]


Part = tuple[PartLevel, ...]
"""The histories of a restricted game, by their number of bids; the first level is the empty history alone."""


Wanted = list[dict[tuple[int, int], Flags]]
"""What is to become part of it: by number of bids, the row of the parent and the last bid, for which hands."""


@dataclass(frozen=True)
class PartStrategy:
    """Behavior strategies on a part: by level ``bids``, of who made the last bid there, and ``calls``, of who moves."""

    part: Part
    bids: list[Floats]
    calls: list[Floats]


class GrowingRegrets:
    """All players' regrets, strategies and average plans, on the part of the game that is kept."""

    def __init__(self, model: Model, rule: Rule) -> None:
        self.model, self.rule, self.iterations = model, rule, 0
        self.look: Look = never
        self.seats = range(model.players)
        self.units = [float(unit) for unit in model.units]
        none = np.zeros(1, dtype=np.int64)
        root = PartLevel(none, none, none - 1, np.ones((1, 1), dtype=bool))
        # By default the first bid is the lowest.
        lowest = PartLevel(none + 1, none, none, np.ones((1, model.hands[0]), dtype=bool))
        self.part: Part = (root, lowest)
        self.regrets, self.totals = self._nothing(), self._nothing()
        self.strategy = self._normalised(self.part, self.regrets)
        self.plans = [self._plan(self.strategy, player) for player in self.seats]

    # --- the part

    def _mover(self, depth: int) -> int:
        return depth % self.model.players

    def _nothing(self) -> tuple[list[Floats], list[Floats]]:
        hands = self.model.hands
        bids = [np.zeros((len(level.bids), hands[self._mover(d - 1)])) for d, level in enumerate(self.part)]
        calls = [np.zeros((len(level.bids), hands[self._mover(d)])) for d, level in enumerate(self.part)]
        return bids, calls

    def grow(self, strategy: PartStrategy, least: float) -> None:
        """Add to the part the moves by which best responses to the *strategy* gain more than *least*."""
        plans = [self._plan(strategy, player) for player in self.seats]
        wanted: Wanted = [{} for _ in range(self.model.bids + 1)]
        for player in self.seats:
            for depth, at, bid, hands, row in self._gainful(strategy, plans, player, least):
                if bid < 0 or (row is not None and self.part[depth + 1].allowed[row][hands].all()):
                    continue
                key = (at, bid)
                there = wanted[depth + 1].get(key)
                wanted[depth + 1][key] = hands if there is None else there | hands
        if any(wanted):
            self._extend(wanted)

    def with_deviations(self, strategy: PartStrategy, least: float) -> PartStrategy:
        """See ``state.Engine``: by moves outside of the part too, which become part of it."""
        self.grow(self._on_part(strategy), least)
        strategy = self._on_part(strategy)
        plans = [self._plan(strategy, player) for player in self.seats]
        found = self._on_part(strategy)
        for player in self.seats:
            for depth, at, bid, hands, row in self._gainful(strategy, plans, player, least):
                if bid < 0:
                    found.calls[depth][at, hands] += DEVIATION
                elif row is not None:
                    found.bids[depth + 1][row, hands] += DEVIATION
        return self._normalised(found.part, (found.bids, found.calls))

    def _on_part(self, strategy: PartStrategy) -> PartStrategy:
        """The *strategy* on the part as it is now, which has grown since."""
        bids, calls = self._nothing()
        for depth, (before, now) in enumerate(zip(strategy.part, self.part, strict=False)):
            order = np.argsort(now.histories)
            rows = order[np.searchsorted(now.histories, before.histories, sorter=order)]
            bids[depth][rows], calls[depth][rows] = strategy.bids[depth], strategy.calls[depth]
        return self._normalised(self.part, (bids, calls))

    def _extend(self, wanted: Wanted) -> None:
        """Make ``(parent, bid)`` of each level part of the restricted game, for these hands."""
        moved = np.zeros(1, dtype=np.int64)
        part: list[PartLevel] = [self.part[0]]
        kept = [list(tables) for tables in (*self.regrets, *self.totals)]
        for depth in range(1, self.model.bids + 1):
            old = self.part[depth] if depth < len(self.part) else None
            asked = wanted[depth]
            if old is None and not asked:
                break
            before = part[depth - 1]
            maker = self._mover(depth - 1)
            if old is None:
                none = np.zeros(0, dtype=np.int64)
                old = PartLevel(none, none, none, np.zeros((0, self.model.hands[maker]), dtype=bool))
                for index, table in enumerate(kept):
                    table.append(np.zeros((0, self.model.hands[self._mover(depth - 1 + index % 2)])))
            there = {h: row for row, h in enumerate(old.histories.tolist())}
            allowed = old.allowed.copy()
            fresh: list[tuple[int, int, Flags]] = []
            for (at, bid), hands in asked.items():
                # Parents are told by their place before this extension.
                history = int(self.part[depth - 1].histories[at]) | 1 << bid
                if history in there:
                    allowed[there[history]] |= hands
                else:
                    fresh.append((at, bid, hands))
            parents = moved[np.concatenate([old.parents, np.array([at for at, _, _ in fresh], dtype=np.int64)])]
            bids = np.concatenate([old.bids, np.array([bid for _, bid, _ in fresh], dtype=np.int64)])
            allowed = np.concatenate(
                [allowed, np.array([h for *_, h in fresh], dtype=bool).reshape(-1, allowed.shape[1])]
            )
            order = np.argsort(bids, kind="stable")
            parents, bids, allowed = parents[order], bids[order], allowed[order]
            part.append(PartLevel(before.histories[parents] | (np.int64(1) << bids), parents, bids, allowed))
            for table in kept:
                more = np.zeros((len(fresh), table[depth].shape[1]))
                table[depth] = np.concatenate([table[depth], more])[order]
            moved = np.empty(len(order), dtype=np.int64)
            moved[order] = np.arange(len(order))
        # All at once: Ctrl-C may come in between, and averages must fit the part.
        self.part, self.regrets, self.totals = tuple(part), (kept[0], kept[1]), (kept[2], kept[3])
        positive = [[np.maximum(table, 0) for table in tables] for tables in self.regrets]
        self.strategy = self._normalised(self.part, (positive[0], positive[1]))
        self.plans = [self._plan(self.strategy, player) for player in self.seats]

    def _gainful(
        self, strategy: PartStrategy, plans: Any, player: int, least: float
    ) -> list[tuple[int, int, int, Flags, int | None]]:
        """The moves of a best response of *player* by which it gains more than *least*.

        Level, row, bid (-1: the call), hands, and the row of the history after the bid, None outside of the part.
        """
        calls = self._calls(strategy, plans, player)
        values, choices = self._best(strategy.part, plans, calls, player)
        worth = self._values(strategy, calls, player)
        came = [np.zeros((len(level.bids), self.model.hands[player]), dtype=bool) for level in self.part]
        came[0][:] = True
        children = [_children(level) for level in self.part[1:]]
        found: list[tuple[int, int, int, Flags, int | None]] = []
        for depth in range(len(self.part)):
            below = children[depth] if depth < len(children) else {}
            if self._mover(depth) != player:
                if depth + 1 < len(self.part):
                    came[depth + 1] |= came[depth][self.part[depth + 1].parents]
                continue
            self.look()
            gained, best = values[depth] - worth[depth], choices[depth]
            for at in np.flatnonzero(came[depth].any(axis=1)).tolist():
                for bid in np.unique(best[at][came[depth][at]]).tolist():
                    hands = came[depth][at] & (best[at] == bid)
                    row = below.get((at, bid))
                    if row is not None:
                        came[depth + 1][row] |= hands
                    new = hands & (gained[at] > least)
                    if new.any():
                        found.append((depth, at, bid, new, row))
        return found

    # --- regret minimisation

    def iterate(self) -> None:
        """One iteration: each player's regrets and plan in turn; every ``EACH`` of them, the part grows."""
        self.iterations += 1
        weight = float(self.iterations) ** self.rule.power
        for player in self.seats:
            calls = self._calls(self.strategy, self.plans, player)
            values = self._values(self.strategy, calls, player)
            for depth in range(len(self.part)):
                if self._mover(depth) == player:
                    gained = calls[depth] - values[depth]
                    if depth == 0:
                        gained[:] = 0
                    self.strategy.calls[depth][:] = self.rule.match(self.regrets[1][depth], gained, self.iterations)
                    if depth + 1 < len(self.part):
                        below = self.part[depth + 1]
                        gained = np.where(below.allowed, values[depth + 1] - values[depth][below.parents], 0)
                        matched = self.rule.match(self.regrets[0][depth + 1], gained, self.iterations)
                        self.strategy.bids[depth + 1][:] = matched * below.allowed
            self._normalise(self.strategy, player)
            plan = self._plan(self.strategy, player)
            self.plans[player] = plan
            for depth in range(len(self.part)):
                if self._mover(depth) == player:
                    self.totals[1][depth] += weight * plan[depth] * self.strategy.calls[depth]
                    if depth + 1 < len(self.part):
                        self.totals[0][depth + 1] += weight * plan[depth + 1]
        if self.iterations % EACH == 0:
            self.grow(self.average(), LEAST_GAIN)

    def _normalised(self, part: Part, given: tuple[list[Floats], list[Floats]]) -> PartStrategy:
        found = PartStrategy(part, [t.copy() for t in given[0]], [t.copy() for t in given[1]])
        for player in self.seats:
            self._normalise(found, player)
        return found

    def _normalise(self, given: PartStrategy, player: int) -> None:
        """Make probabilities of what is *given*; where that is 0: the call, and at first any bid of the part."""
        for depth in range(player, len(given.part), self.model.players):
            calls = given.calls[depth]
            below = given.part[depth + 1] if depth + 1 < len(given.part) else None
            total = calls.copy() if depth else np.zeros_like(calls)
            if below is not None:
                np.add.at(total, below.parents, given.bids[depth + 1])
            known = total > 0
            share = np.divide(1, total, out=np.zeros_like(total), where=known)
            calls *= share
            calls[~known] = 1
            if below is not None:
                given.bids[depth + 1] *= share[below.parents]
            if depth == 0:
                calls[:] = 0
                assert below is not None
                unknown = below.allowed / below.allowed.sum(axis=0)
                given.bids[1] += np.where(known, 0, unknown)

    def _plan(self, strategy: PartStrategy, player: int) -> list[Floats]:
        """The probability, by own play, that each own hand comes to each history, by level."""
        found = [np.ones((1, self.model.hands[player]))]
        for depth, level in enumerate(strategy.part[1:], start=1):
            above = found[-1][level.parents]
            found.append(above * strategy.bids[depth] if self._mover(depth - 1) == player else above)
        return found

    def _calls(self, strategy: PartStrategy, plans: Any, player: int) -> list[Floats]:
        """What the call at each history is worth to *player*, by level; of others, times how likely they call."""
        model, found = self.model, []
        for depth, level in enumerate(strategy.part):
            caller = self._mover(depth)
            worth = np.zeros((len(level.bids), model.hands[player]))
            for bid, rows in level.slices if depth else ():
                self.look()
                weights = [plans[p][depth][rows] for p in self.seats]
                if caller != player:
                    weights[caller] = weights[caller] * strategy.calls[depth][rows]
                worth[rows] = model.ends[player][caller][bid].of(weights)
            found.append(worth)
        return found

    def _values(self, strategy: PartStrategy, calls: list[Floats], player: int) -> list[Floats]:
        """What each history is worth to each own hand, weighted by the others' reach, from the worth of *calls*."""
        part = strategy.part
        values = [table.copy() for table in calls]
        for depth in range(len(part) - 1, -1, -1):
            if self._mover(depth) == player:
                values[depth] *= strategy.calls[depth]
            if depth + 1 < len(part):
                below = values[depth + 1]
                if self._mover(depth) == player:
                    below = below * strategy.bids[depth + 1]
                np.add.at(values[depth], part[depth + 1].parents, below)
        return values

    def _best(self, part: Part, plans: Any, calls: list[Floats], player: int) -> tuple[list[Floats], list[Any]]:
        """What a best response over the whole game gets at each history, and its move: a bid, or -1 for the call."""
        model = self.model
        values = [table.copy() for table in calls]
        choices: list[Any] = [None] * len(part)
        for depth in range(len(part) - 1, -1, -1):
            level, below = part[depth], part[depth + 1] if depth + 1 < len(part) else None
            if self._mover(depth) != player:
                if below is not None:
                    np.add.at(values[depth], below.parents, values[depth + 1])
                continue
            best = values[depth] if depth else np.full_like(values[0], -np.inf)
            choice = np.full(best.shape, -1)
            following = self._mover(depth + 1)
            weights = [plans[p][depth] for p in self.seats]
            inside = {} if below is None else dict(below.slices)
            for bid in range(model.bids):
                self.look()
                rows = np.flatnonzero(level.bids < bid)
                if not len(rows):
                    continue
                # Outside the part the next player calls.
                got = model.ends[player][following][bid].of([w[rows] for w in weights])
                if bid in inside:
                    assert below is not None
                    kept = inside[bid]
                    got[np.searchsorted(rows, below.parents[kept])] = values[depth + 1][kept]
                better = got > best[rows] + 1e-15
                best[rows] = np.where(better, got, best[rows])
                choice[rows] = np.where(better, bid, choice[rows])
            values[depth], choices[depth] = best, choice
        return values, choices

    # --- what the search asks (see ``state.Engine``)

    def last(self) -> PartStrategy:
        """The strategies of the last iteration."""
        return PartStrategy(self.part, [t.copy() for t in self.strategy.bids], [t.copy() for t in self.strategy.calls])

    def average(self) -> PartStrategy:
        """The behavior strategies of the average plans."""
        return self._normalised(self.part, self.totals)

    def gains(self, strategy: PartStrategy) -> list[float]:
        """What each player could gain by deviating, over the whole game, as a share of half its payoffs' range."""
        plans = [self._plan(strategy, player) for player in self.seats]
        found = []
        for player in self.seats:
            calls = self._calls(strategy, plans, player)
            best = self._best(strategy.part, plans, calls, player)[0][0][0]
            value = self._values(strategy, calls, player)[0][0]
            found.append(float((best - value) @ self.model.chances[player]))
        return found

    def supported(self, strategy: PartStrategy, least: float) -> PartStrategy:
        """The strategy without the moves of a probability below *least*."""
        cut = [[np.where(t < least, 0, t) for t in tables] for tables in (strategy.bids, strategy.calls)]
        return self._normalised(strategy.part, (cut[0], cut[1]))

    def key(self, strategy: PartStrategy) -> bytes:
        """What moves are played where all play leads to, as a key."""
        parts = [np.array([len(level.bids) for level in strategy.part]).tobytes()]
        plans = [self._plan(strategy, player) for player in self.seats]
        for depth, level in enumerate(strategy.part):
            there = self._matters(plans, depth)
            parts += [level.histories[there].tobytes(), np.packbits(strategy.bids[depth][there] > 0).tobytes()]
            parts += [np.packbits(strategy.calls[depth][there] > 0).tobytes()]
        return b"".join(parts)

    def support(self, strategy: PartStrategy, most: int) -> MixedSupport | None:
        """The support of the strategy; None where it has more than *most* unknowns, or leads to too much."""
        part = strategy.part
        children = [_by_parent(level) for level in part[1:]] + [{}]

        def moves(place: Place, hand: int) -> list[Move]:
            _, _, depth, at = place
            found: list[Move] = [
                (
                    (self._mover(depth + 1), int(part[depth + 1].bids[to]), depth + 1, to),
                    (depth, at, to, hand),
                    float(strategy.bids[depth + 1][to, hand]),
                )
                for to in children[depth].get(at, ())
            ]
            call: Move = (None, (depth, at, -1, hand), float(strategy.calls[depth][at, hand]))
            return [*found, call] if depth else found

        return support_of(self.model, (0, -1, 0, 0), moves, most, self.look)

    def with_solution(self, strategy: PartStrategy, support: MixedSupport, x: Floats) -> PartStrategy:
        """The strategy with the probabilities *x* at the unknowns of its support."""
        found = PartStrategy(strategy.part, [t.copy() for t in strategy.bids], [t.copy() for t in strategy.calls])
        for (depth, at, to, hand), p in zip(support.where, x.tolist(), strict=True):
            if to >= 0:
                found.bids[depth + 1][to, hand] = p
            else:
                found.calls[depth][at, hand] = p
        return self._normalised(found.part, (found.bids, found.calls))

    def written(self, strategy: PartStrategy) -> SparseProfile:
        """The strategy in fractions; what always calls is left out."""
        model, game, part = self.model, self.model.game, strategy.part
        plans = [self._plan(strategy, player) for player in self.seats]
        children = [_by_parent(level) for level in part[1:]] + [{}]
        rows: tuple[dict[str, dict[int, dict[str, Fraction]]], ...] = tuple({} for _ in self.seats)
        for depth, level in enumerate(part):
            mover, calls = self._mover(depth), strategy.calls[depth]

            def moves(at: int, depth: int = depth) -> Moves:
                below = children[depth].get(at)
                if below is None:
                    return [], np.zeros((0, model.hands[self._mover(depth)]))
                return part[depth + 1].bids[below].tolist(), strategy.bids[depth + 1][below]

            bidding = (plans[mover][depth] > 0) & (calls < 1) & self._matters(plans, depth)[:, None]
            rows[mover].update(written_rows(game, level.histories, bidding, calls, moves))
        return SparseProfile(game, rows)

    # --- files

    def _matters(self, plans: Any, depth: int) -> Flags:
        return matters([plan[depth] for plan in plans], self._mover(depth))

    def packed(self, strategy: PartStrategy) -> Arrays:
        """The strategy, and its part, as arrays, for a file."""
        levels = strategy.part[1:]
        return {
            "sizes": np.array([len(level.bids) for level in levels], dtype=np.int64),
            "parents": np.concatenate([level.parents for level in levels]),
            "bids": np.concatenate([level.bids for level in levels]),
            "allowed": np.concatenate([level.allowed.ravel() for level in levels]),
            "played": flat([*strategy.bids, *strategy.calls]),
        }

    def unpacked(self, arrays: Arrays) -> PartStrategy:
        """The strategy again. Raises ``KeyError`` and ``ValueError`` where it is none."""
        part = self._part_of(arrays)
        bids, calls = self._tables_of(part, arrays["played"])
        found = self._normalised(part, (bids, calls))
        if not alike([*bids, *calls], [*found.bids, *found.calls]):
            raise ValueError("no probabilities")
        return PartStrategy(part, bids, calls)

    def state(self) -> Arrays:
        """All that an equal engine needs to go on, but its number of iterations."""
        added = {"regrets": flat([*self.regrets[0], *self.regrets[1]])}
        return {**added, "totals": flat([*self.totals[0], *self.totals[1]]), **self.packed(self.strategy)}

    def restore(self, arrays: Arrays) -> None:
        """Go back to a ``state``. Raises ``KeyError`` and ``ValueError`` where it does not fit."""
        self.strategy = self.unpacked(arrays)
        self.part = self.strategy.part
        self.regrets = self._tables_of(self.part, arrays["regrets"], -MOST)
        self.totals = self._tables_of(self.part, arrays["totals"])
        self.plans = [self._plan(self.strategy, player) for player in self.seats]

    def _tables_of(self, part: Part, array: Floats, least: float = 0.0) -> tuple[list[Floats], list[Floats]]:
        """The tables of bids and of calls on *part* in an untrusted array. Raises ``ValueError``."""
        hands = self.model.hands
        shapes = [(len(level.bids), hands[self._mover(d - 1 + k)]) for k in range(2) for d, level in enumerate(part)]
        tables = parted(numbers(array, sum(rows * width for rows, width in shapes), least), shapes)
        return tables[: len(part)], tables[len(part) :]

    def _part_of(self, arrays: Arrays) -> Part:
        """The part in untrusted arrays. Raises ``ValueError`` where a history does not follow from its parent."""
        sizes, parents, bids, allowed = (arrays[name] for name in ("sizes", "parents", "bids", "allowed"))
        if any(array.dtype != np.int64 or array.ndim != 1 for array in (sizes, parents, bids)):
            raise ValueError("no whole numbers")
        if allowed.dtype != np.bool_ or not 0 < len(sizes) <= self.model.bids or not (sizes > 0).all():
            raise ValueError("no part")
        ends, flags = np.cumsum(sizes)[:-1], sizes * [self.model.hands[self._mover(d)] for d in range(len(sizes))]
        if not len(parents) == len(bids) == sizes.sum() or allowed.shape != (flags.sum(),):
            raise ValueError("the part does not fit")
        part = [self.part[0]]
        parts = zip(
            np.split(parents, ends), np.split(bids, ends), np.split(allowed, np.cumsum(flags)[:-1]), strict=True
        )
        for own_parents, own_bids, own_allowed in parts:
            before = part[-1]
            if not np.all((own_parents >= 0) & (own_parents < len(before.bids)) & (own_bids < self.model.bids)):
                raise ValueError("no such parent")
            if not np.all(own_bids > before.bids[own_parents]) or not np.all(np.diff(own_bids) >= 0):
                raise ValueError("no such bid")
            histories = before.histories[own_parents] | np.int64(1) << own_bids
            if len(np.unique(histories)) != len(histories):
                raise ValueError("a history is there twice")
            part.append(PartLevel(histories, own_parents, own_bids, own_allowed.reshape(len(own_bids), -1)))
        if not part[1].allowed.any(axis=0).all():
            raise ValueError("a hand has no opening")
        return tuple(part)


def _children(level: PartLevel) -> dict[tuple[int, int], int]:
    """The row of each history of *level*, by its parent's row and its last bid."""
    return {key: row for row, key in enumerate(zip(level.parents.tolist(), level.bids.tolist(), strict=True))}


def _by_parent(level: PartLevel) -> dict[int, list[int]]:
    """The rows of each parent's children, lowest bid first."""
    found: dict[int, list[int]] = {}
    for row, parent in enumerate(level.parents.tolist()):
        found.setdefault(parent, []).append(row)
    return found
