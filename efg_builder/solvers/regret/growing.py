"""Regret minimization for any number of players on a growing part of a bidding game.

This is the double oracle of B. Bosansky et al. (JAIR 2014), with regret minimization on the restricted games. Outside
the part, players call, so best responses are computed only up to one bid beyond the part. A level contains the part's
histories with the same number of bids. For each level, a strategy has a table of the last bidder's bids and a table of
the mover's calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .engine import Arrays, Rule, TableStrategy
from .histories import BiddingEngine, Flags, Longs, Model, Place
from .newton import Floats


@dataclass(frozen=True)
class GrowthSettings:
    """The settings for growing the part. Payoffs are scaled to be between -1 and 1."""

    grow_every: int = 10
    """Number of iterations between best responses."""
    least_gain: float = 1e-9
    """Minimum gain, against the average strategies, of a move that is added."""
    deviation: float = 1e-3
    """Increase in the probability of a profitable move when it is added to a support."""


SETTINGS = GrowthSettings()


@dataclass(frozen=True)
class PartLevel:
    """The histories with a certain number of bids, sorted by the last bid.

    ``histories``: each history as an integer whose bits are its bids. ``parents``: the row of each history's parent in
    the previous level. ``bids``: the last bid of each history. ``allowed``: flags of the hands that may make the last
    bid in the restricted game, shape (histories, last bidder's hands).
    """

    histories: Longs
    parents: Longs
    bids: Longs
    allowed: Flags

    @cached_property
    def slices(self) -> list[tuple[int, slice]]:
        """The last bids with their rows, as (bid, rows)."""
        found, start = np.unique(self.bids, return_index=True)
        ends = [*start[1:].tolist(), len(self.bids)]
        return [(b, slice(s, e)) for b, s, e in zip(found.tolist(), start.tolist(), ends, strict=True)]

    @cached_property
    def children(self) -> dict[int, dict[int, int]]:
        """The row of each history in this level, by its parent's row and its last bid."""
        found: dict[int, dict[int, int]] = {}
        for row, (parent, bid) in enumerate(zip(self.parents.tolist(), self.bids.tolist(), strict=True)):
            found.setdefault(parent, {})[bid] = row
        return found


Part = tuple[PartLevel, ...]
"""The histories of a restricted game, by number of bids. The first level contains only the empty history."""


class GrowingRegrets(BiddingEngine):
    """All players' regrets, strategies and average plans on the current part of the game. Blocks are levels."""

    def __init__(self, model: Model, rule: Rule) -> None:
        super().__init__(model, rule)
        none = np.zeros(1, dtype=np.int64)
        root = PartLevel(none, none, none - 1, np.ones((1, 1), dtype=bool))
        # By default, the opening is the lowest bid.
        lowest = PartLevel(none + 1, none, none, np.ones((1, model.hands[0]), dtype=bool))
        regrets = self._nothing((root, lowest))
        self.begin(regrets, regrets.copy(), self.normalized(regrets))

    @property
    def part(self) -> Part:
        part: Part = self.strategy.part
        return part

    def bids_table(self, block: int) -> int:
        return block + 1

    def histories(self, strategy: TableStrategy, block: int) -> Longs:
        level: PartLevel = strategy.part[block]
        return level.histories

    def following(self, strategy: TableStrategy, place: Place) -> list[Place]:
        depth, at, _ = place
        if depth + 1 == len(strategy.part):
            return []
        below = strategy.part[depth + 1]
        return [(depth + 1, to, bid) for bid, to in below.children.get(at, {}).items()]

    # --- the part

    def _nothing(self, part: Part) -> TableStrategy:
        hands = self.model.hands
        shapes = [(len(level.bids), hands[self.mover(d - 1 + k)]) for k in range(2) for d, level in enumerate(part)]
        return TableStrategy([np.zeros(shape) for shape in shapes], part)

    def grow(self, strategy: TableStrategy, least: float) -> None:
        """Extend the part by the moves with which best responses to *strategy* gain more than *least*."""
        plans = [self.plan(strategy, player) for player in self.seats]
        # Flags of the hands to add, by number of bids and history.
        wanted: list[dict[int, Flags]] = [{} for _ in range(self.model.bids + 1)]
        for player in self.seats:
            for depth, at, bid, hands, row in self._gainful(strategy, plans, player, least):
                if bid < 0 or (row is not None and self.part[depth + 1].allowed[row][hands].all()):
                    continue
                history, there = int(self.part[depth].histories[at]) | 1 << bid, wanted[depth + 1]
                there[history] = there[history] | hands if history in there else hands
        if any(wanted):
            self._extend(wanted)

    def with_deviations(self, strategy: TableStrategy, least: float) -> TableStrategy:
        """Extend the part by profitable moves."""
        self.grow(self.normalized(self._on(self.part, strategy)), least)
        strategy = self.normalized(self._on(self.part, strategy))
        plans, found = [self.plan(strategy, player) for player in self.seats], strategy.copy()
        for player in self.seats:
            for depth, at, bid, hands, row in self._gainful(strategy, plans, player, least):
                if bid < 0:
                    found.calls[depth][at, hands] += SETTINGS.deviation
                elif row is not None:
                    found.bids[depth + 1][row, hands] += SETTINGS.deviation
        return self.normalized(found)

    def _on(self, part: Part, given: TableStrategy) -> TableStrategy:
        """Return *given* on the larger *part*, with 0 at the additional histories."""
        found = self._nothing(part)
        for depth, before in enumerate(given.part):
            order = np.argsort(part[depth].histories)
            rows = order[np.searchsorted(part[depth].histories, before.histories, sorter=order)]
            found.bids[depth][rows], found.calls[depth][rows] = given.bids[depth], given.calls[depth]
        return found

    def _extend(self, wanted: list[dict[int, Flags]]) -> None:
        part: list[PartLevel] = [self.part[0]]
        for depth in range(1, self.model.bids + 1):
            old = self.part[depth].histories.tolist() if depth < len(self.part) else []
            known = [*old, *(history for history in wanted[depth] if history not in set(old))]
            if not known:
                break
            row = {history: k for k, history in enumerate(known)}
            allowed = np.zeros((len(known), self.model.hands[self.mover(depth - 1)]), dtype=bool)
            if old:
                allowed[: len(old)] = self.part[depth].allowed
            for history, hands in wanted[depth].items():
                allowed[row[history]] |= hands
            bids = np.array([history.bit_length() - 1 for history in known], dtype=np.int64)
            order = np.argsort(bids, kind="stable")
            above = {history: k for k, history in enumerate(part[-1].histories.tolist())}
            parents = np.array([above[history ^ 1 << history.bit_length() - 1] for history in known], dtype=np.int64)
            histories = np.array(known, dtype=np.int64)
            part.append(PartLevel(histories[order], parents[order], bids[order], allowed[order]))
        regrets, totals = self._on(tuple(part), self.regrets), self._on(tuple(part), self.totals)
        positive = TableStrategy([np.maximum(table, 0) for table in regrets.tables], tuple(part))
        self.begin(regrets, totals, self.normalized(positive))

    def _gainful(
        self, strategy: TableStrategy, plans: Any, player: int, least: float
    ) -> list[tuple[int, int, int, Flags, int | None]]:
        """Return the moves with which *player* gains more than *least*.

        A move: its level and row, the bid (-1: a call), flags of hands, and the resulting row in the next level (None:
        outside the part).
        """
        calls = self._calls(strategy, plans, player)
        values, choices = self._best(strategy.part, plans, calls, player)
        worth = self._values(strategy, calls, player)
        came = [np.zeros((len(level.bids), self.model.hands[player]), dtype=bool) for level in self.part]
        came[0][:] = True
        found: list[tuple[int, int, int, Flags, int | None]] = []
        for depth in range(len(self.part)):
            below = self.part[depth + 1].children if depth + 1 < len(self.part) else {}
            if self.mover(depth) != player:
                if depth + 1 < len(self.part):
                    came[depth + 1] |= came[depth][self.part[depth + 1].parents]
                continue
            self.look()
            gained, best = values[depth] - worth[depth], choices[depth]
            for at in np.flatnonzero(came[depth].any(axis=1)).tolist():
                for bid in np.unique(best[at][came[depth][at]]).tolist():
                    hands = came[depth][at] & (best[at] == bid)
                    row = below.get(at, {}).get(bid)
                    if row is not None:
                        came[depth + 1][row] |= hands
                    new = hands & (gained[at] > least)
                    if new.any():
                        found.append((depth, at, bid, new, row))
        return found

    # --- regret minimization

    def iterate(self) -> None:
        """The part grows every ``grow_every`` iterations."""
        self.iterations += 1
        weight = self.rule.weight(self.iterations)
        for player in self.seats:
            calls = self._calls(self.strategy, self.plans, player)
            values = self._values(self.strategy, calls, player)
            for depth in range(player, len(self.part), self.model.players):
                gained = calls[depth] - values[depth]
                if depth == 0:
                    gained[:] = 0
                self.strategy.calls[depth][:] = self.rule.match(self.regrets.calls[depth], gained, self.iterations)
                if depth + 1 < len(self.part):
                    below = self.part[depth + 1]
                    gained = np.where(below.allowed, values[depth + 1] - values[depth][below.parents], 0)
                    matched = self.rule.match(self.regrets.bids[depth + 1], gained, self.iterations)
                    self.strategy.bids[depth + 1][:] = matched * below.allowed
            self.normalize(self.strategy, player)
            plan = self.plans[player] = self.plan(self.strategy, player)
            for depth in range(player, len(self.part), self.model.players):
                self.totals.calls[depth][:] += weight * plan[depth] * self.strategy.calls[depth]
                if depth + 1 < len(self.part):
                    self.totals.bids[depth + 1][:] += weight * plan[depth + 1]
        if self.iterations % SETTINGS.grow_every == 0:
            self.grow(self.average(), SETTINGS.least_gain)

    def normalize(self, given: TableStrategy, player: int) -> None:
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

    def plan(self, strategy: TableStrategy, player: int) -> list[Floats]:
        """Return the player's realization weights, shape (histories, hands) for each level."""
        found = [np.ones((1, self.model.hands[player]))]
        for depth, level in enumerate(strategy.part[1:], start=1):
            above = found[-1][level.parents]
            found.append(above * strategy.bids[depth] if self.mover(depth - 1) == player else above)
        return found

    def _calls(self, strategy: TableStrategy, plans: Any, player: int) -> list[Floats]:
        model, found = self.model, []
        for depth, level in enumerate(strategy.part):
            caller = self.mover(depth)
            worth = np.zeros((len(level.bids), model.hands[player]))
            for bid, rows in level.slices if depth else ():
                self.look()
                weights = [plans[p][depth][rows] for p in self.seats]
                if caller != player:
                    weights[caller] = weights[caller] * strategy.calls[depth][rows]
                worth[rows] = model.ends[player][caller][bid].of(weights)
            found.append(worth)
        return found

    def _values(self, strategy: TableStrategy, calls: list[Floats], player: int) -> list[Floats]:
        part = strategy.part
        values = [table.copy() for table in calls]
        for depth in range(len(part) - 1, -1, -1):
            if self.mover(depth) == player:
                values[depth] *= strategy.calls[depth]
            if depth + 1 < len(part):
                below = values[depth + 1]
                if self.mover(depth) == player:
                    below = below * strategy.bids[depth + 1]
                np.add.at(values[depth], part[depth + 1].parents, below)
        return values

    def _best(self, part: Part, plans: Any, calls: list[Floats], player: int) -> tuple[list[Floats], list[Any]]:
        model = self.model
        values = [table.copy() for table in calls]
        choices: list[Any] = [None] * len(part)
        for depth in range(len(part) - 1, -1, -1):
            level, below = part[depth], part[depth + 1] if depth + 1 < len(part) else None
            if self.mover(depth) != player:
                if below is not None:
                    np.add.at(values[depth], below.parents, values[depth + 1])
                continue
            best = values[depth] if depth else np.full_like(values[0], -np.inf)
            choice = np.full(best.shape, -1)
            following = self.mover(depth + 1)
            weights = [plans[p][depth] for p in self.seats]
            inside = {} if below is None else dict(below.slices)
            for bid in range(model.bids):
                self.look()
                rows = np.flatnonzero(level.bids < bid)
                if not len(rows):
                    continue
                # Outside the part, the next player calls.
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

    def gains(self, strategy: TableStrategy) -> list[float]:
        """The best responses are computed in the whole game."""
        plans = [self.plan(strategy, player) for player in self.seats]
        found = []
        for player in self.seats:
            calls = self._calls(strategy, plans, player)
            best = self._best(strategy.part, plans, calls, player)[0][0][0]
            value = self._values(strategy, calls, player)[0][0]
            found.append(float((best - value) @ self.model.chances[player]))
        return found

    def key(self, strategy: TableStrategy) -> bytes:
        """The key includes only the histories that ``matters`` flags."""
        parts = [np.array([len(level.bids) for level in strategy.part]).tobytes()]
        plans = [self.plan(strategy, player) for player in self.seats]
        for depth, level in enumerate(strategy.part):
            there = self.matters(plans, depth)
            parts += [level.histories[there].tobytes(), np.packbits(strategy.bids[depth][there] > 0).tobytes()]
            parts += [np.packbits(strategy.calls[depth][there] > 0).tobytes()]
        return b"".join(parts)

    # --- files

    def packed(self, strategy: TableStrategy) -> Arrays:
        levels = strategy.part[1:]
        return {
            "sizes": np.array([len(level.bids) for level in levels], dtype=np.int64),
            "parents": np.concatenate([level.parents for level in levels]),
            "bids": np.concatenate([level.bids for level in levels]),
            "allowed": np.concatenate([level.allowed.ravel() for level in levels]),
            **super().packed(strategy),
        }

    def unpacked_form(self, arrays: Arrays) -> TableStrategy:
        return self._nothing(self._part_of(arrays))

    def _part_of(self, arrays: Arrays) -> Part:
        """Return the part that untrusted arrays describe. Raises ``ValueError``."""
        sizes, parents, bids, allowed = (arrays[name] for name in ("sizes", "parents", "bids", "allowed"))
        if any(array.dtype != np.int64 or array.ndim != 1 for array in (sizes, parents, bids)):
            raise ValueError("not arrays of integers")
        if allowed.dtype != np.bool_ or not 0 < len(sizes) <= self.model.bids or not (sizes > 0).all():
            raise ValueError("not a part of the game")
        ends, flags = np.cumsum(sizes)[:-1], sizes * [self.model.hands[self.mover(d)] for d in range(len(sizes))]
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
                raise ValueError("a history occurs twice")
            part.append(PartLevel(histories, own_parents, own_bids, own_allowed.reshape(len(own_bids), -1)))
        if not part[1].allowed.any(axis=0).all():
            raise ValueError("a hand has no opening")
        return tuple(part)
