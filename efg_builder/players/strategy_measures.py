"""Three ways to measure strategies: over the tree, over what sparse strategies lead to, and over full-width arrays.

Each takes one strategy for each seat and says what they get and what each player's best response to the others
gets. Tree and sparse measures are exact where the strategies are rational; the arrays are floats with a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, Protocol

from ..base.errors import NotApplicableError
from ..base.rationals import Number
from ..forms.extensive import GameTree
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame
from ..proof import best_response, values, verify_sparse
from ..proof.sparse_response import sparse_best_response
from ..strategies.sparse_profile import Behavior, SparseProfile
from ..strategies.tree_profile import Profile
from . import Play
from .strategy_seats import Given, Ground, Seat, as_sparse, completion, on_tree

UNIT_ROUNDOFF = 2.0**-53


class Measured(NamedTuple):
    """Of one seating: each player's payoff, and the most each could get; ``error``: how far floats can be off."""

    value: tuple[Number, ...]
    best: tuple[Number, ...]
    error: float | None


class Measure(Protocol):
    """One way to measure."""

    name: str

    def seat(self, given: Given, player: int) -> Seat:
        """How much of *given* was written down for that seat. Raises ``ProfileError`` where it does not fit."""

    def match(self, seats: Sequence[Given]) -> Measured:
        """What strategies in all seats come to."""

    def exploit(self, given: Given) -> Play:
        """For each seat a best response to *given* in all other seats."""


@dataclass(eq=False)
class OnTree:
    """Over the whole tree, for any number of players."""

    ground: Ground
    complete: str | None
    name: str = "tree"
    _known: dict[tuple[int, int], tuple[dict[int, tuple[Number, ...]], Seat]] = field(default_factory=dict)

    def _rows(self, given: Given, player: int) -> tuple[dict[int, tuple[Number, ...]], Seat]:
        key = (id(given), player)
        if key not in self._known:
            how = completion(given, self.complete, self.ground.game)
            self._known[key] = on_tree(given, player, self.ground, how)
        return self._known[key]

    def seat(self, given: Given, player: int) -> Seat:
        """See ``Measure``."""
        return self._rows(given, player)[1]

    def _profile(self, seats: Sequence[Given]) -> Profile:
        rows: dict[int, tuple[Number, ...]] = {}
        for player, given in enumerate(seats):
            rows |= self._rows(given, player)[0]
        return Profile.from_personal(self.ground.tree, rows)

    def match(self, seats: Sequence[Given]) -> Measured:
        """See ``Measure``; exact where all strategies are rational, and else in floats.

        The floats' bound: rows are divided by their sums, so each figure is a sum of products that are not negative
        but for the payoffs, of absolute values that sum to at most U, the most along a path. On its way each is rounded
        at most once for each move (less than the N nodes), at most N times for dividing rows, and at most N times
        in being added up: 4 N + 8 roundings with room for the payoffs' own, 1.01 for their products.
        """
        profile, tree = self._profile(seats), self.ground.tree
        best = tuple(best_response(profile, player).value for player in range(len(tree.players)))
        error = None
        if not profile.exact:
            error = 1.01 * (4 * len(tree) + 8) * UNIT_ROUNDOFF * _most_on_a_path(tree)
        return Measured(values(profile).value, best, error)

    def exploit(self, given: Given) -> Play:
        """See ``Measure``; sets that the others never let play come to are left out, or uniform."""
        tree, game = self.ground.tree, self.ground.game
        profile = self._profile([given] * len(tree.players))
        chosen: dict[int, int] = {}
        for player in range(len(tree.players)):
            chosen |= best_response(profile, player).actions
        if isinstance(game, DealtGame):
            rows: list[dict[str, dict[int, Behavior]]] = [{} for _ in tree.players]
            for k, (turn, hand) in self.ground.turns.items():
                if k not in chosen:
                    continue
                action = chosen[k]
                rows[turn.player].setdefault(turn.history, {})[hand] = {turn.actions[action][0]: Fraction(1)}
            return SparseProfile(game, tuple(rows))
        full = {}
        for k in tree.personal:
            width = len(tree.infosets[k].actions)
            pure = tuple(Fraction(int(action == chosen[k])) for action in range(width)) if k in chosen else None
            full[k] = pure or (Fraction(1, width),) * width
        return Profile.from_personal(tree, full)


@dataclass(eq=False)
class OnSupport:
    """Over the histories that sparse strategies of two players lead to, in whole numbers."""

    game: DealtGame
    complete: str | None
    name: str = "sparse"
    _known: dict[tuple[int, int], SparseProfile | None] = field(default_factory=dict)

    def form(self, given: Given, player: int) -> SparseProfile | None:
        """*given* as sparse rows, or None where it has no such form."""
        key = (id(given), player)
        if key not in self._known:
            how = completion(given, self.complete, self.game)
            self._known[key] = as_sparse(given, player, self.game, how)
        return self._known[key]

    def _form(self, given: Given, player: int) -> SparseProfile:
        found = self.form(given, player)
        if found is None:
            what = "is not rational, or not written down with the default move elsewhere"
            raise NotApplicableError(f"{self.game.title}: a strategy {what}, so it is not measured sparsely")
        if found.game != self.game:
            raise NotApplicableError(f"the strategies are of {found.game.title!r}, not of {self.game.title!r}")
        return found

    def seat(self, given: Given, player: int) -> Seat:
        """See ``Measure``."""
        sets, how = self.game.size().infosets[player], completion(given, self.complete, self.game)
        return Seat(sets if how is None else self._form(given, player).sizes[player], sets, how)

    def match(self, seats: Sequence[Given]) -> Measured:
        """See ``Measure``; exact."""
        mine = tuple(self._form(given, player).strategies[player] for player, given in enumerate(seats))
        verdict = verify_sparse(SparseProfile(self.game, mine))
        return Measured(verdict.value, verdict.best_responses, None)

    def exploit(self, given: Given) -> Play:
        """See ``Measure``; nothing is written where the best is the default move, or play never comes."""
        mine = tuple(self._form(given, player).strategies[player] for player in range(2))
        profile = SparseProfile(self.game, mine)
        return SparseProfile(self.game, tuple(sparse_best_response(profile, player)[1] for player in range(2)))


@dataclass(eq=False)
class OnArrays:
    """Over all histories of a two-player game of bidding, in floats of *kind*."""

    game: BiddingGame
    complete: str | None
    kind: Any
    progress: Callable[[str], None]
    name: str = "wide"

    def __post_init__(self) -> None:
        from ..proof.wide import stakes

        self._facts = stakes(self.game)
        self._known: dict[tuple[int, int], tuple[Any, Seat]] = {}

    def _rows(self, given: Given, player: int) -> tuple[Any, Seat]:
        from .strategy_wide import as_wide

        key = (id(given), player)
        if key not in self._known:
            how = completion(given, self.complete, self.game)
            self._known[key] = as_wide(given, player, self.game, how, self.progress)
        return self._known[key]

    def seat(self, given: Given, player: int) -> Seat:
        """See ``Measure``."""
        return self._rows(given, player)[1]

    def match(self, seats: Sequence[Given]) -> Measured:
        """See ``Measure``; the bound is that of ``proof.wide``."""
        from ..proof.wide import error_bound, wide_best_response, wide_value

        pair = (self._rows(seats[0], 0)[0], self._rows(seats[1], 1)[0])
        first = wide_value(self._facts, pair, self.kind, self._tell("value"))
        best = tuple(wide_best_response(self._facts, pair[1 - p], p, self.kind, self._best(p)).value for p in range(2))
        value = (first, float(self._facts.total) - first)
        return Measured(value, best, error_bound(self._facts, self.kind, pair))

    def exploit(self, given: Given) -> Play:
        """See ``Measure``; written out at every information set."""
        from ..proof.wide import wide_best_response
        from ..strategies.dense_profile import WideStrategy

        found = []
        for p in range(2):
            rows = self._rows(given, 1 - p)[0]
            found.append(wide_best_response(self._facts, rows, p, self.kind, self._best(p)).strategy())
        return WideStrategy(self.game, (found[0], found[1]))

    def _best(self, player: int) -> Callable[[float], None]:
        return self._tell(f"best response of {self.game.players[player]}")

    def _tell(self, what: str) -> Callable[[float], None]:
        return partial(_tell, self.progress, what)


def _tell(progress: Callable[[str], None], what: str, done: float) -> None:
    progress(f"{what}: {done:.0%} of all histories")


def _most_on_a_path(tree: GameTree) -> float:
    """The largest sum of one player's absolute payoffs along a path of play: outcomes may stand at inner nodes too."""
    paid = [[abs(float(u)) for u in tree.payoffs[outcome]] for outcome in tree.outcome.tolist()]
    for node, above in enumerate(tree.parent.tolist()):
        if node:
            paid[node] = [here + before for here, before in zip(paid[node], paid[above], strict=True)]
    return max(map(max, paid), default=0.0)
