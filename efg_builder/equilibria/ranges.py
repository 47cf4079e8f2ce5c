"""The range of each action's probability over all equilibria of a two-player constant-sum game.

The equilibria are all pairs of optimal realization plans, so each player's polytope of plans is described separately.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, zip_longest
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.errors import NotApplicableError, NotSolvedError, ParameterError, check_kind, misspelled
from ..base.facts import Fact, fact, facts_in_text, plain
from ..base.parameters import check_seconds
from ..base.rationals import text
from ..base.words import PERCENT_ROUNDED, Notation, distinct, figure, in_columns, notation, plural, progress_of
from ..forms.extensive import MAX_NODES, GameTree, first_moves, own_sequences
from ..forms.hand_names import displayed_tree, printed_tree
from ..forms.recall import solvable
from ..forms.sequence_form import PlayerSequences, behavior, sequence_form
from ..forms.subject import Subject
from ..games.protocol import Game
from ..interop.trees import GameLike, as_subject
from ..proof import verify
from ..proof.certificate import game_part
from ..solvers.driver import Driver
from ..solvers.lp.double_description import TooManyError
from ..solvers.lp.exact import NotExactError
from ..solvers.lp.highs import LinearProgramError
from ..solvers.lp.optimal_plans import Hull, Plan, affine_hull, faces, sequence_ranges
from ..solvers.lp.optimal_plans import vertices as hull_vertices
from ..solvers.protocol import Progress, Request, TimeLimit, two_player_constant_sum_with_recall
from ..strategies.tree_profile import TreeProfile

VERTICES = 500
SHOWN_SETS = 40


@dataclass(frozen=True)
class ActionRange:
    """The bounds of an action's realization weight and probability over all equilibria. All bounds are attained.

    ``infoset``: an index in ``tree.infosets``. ``low``, ``high``: the bounds of the realization weight, i.e. of the
    product of the player's probabilities up to and including this action. ``conditional``: the bounds of the action's
    probability, over the equilibria in which the player's moves can reach the information set; None if there is no such
    equilibrium.
    """

    player: int
    infoset: int
    action: int
    low: Fraction
    high: Fraction
    conditional: tuple[Fraction, Fraction] | None

    @property
    def forced(self) -> bool:
        """Whether both bounds of ``conditional`` are equal."""
        return self.conditional is not None and self.conditional[0] == self.conditional[1]


@dataclass(frozen=True)
class OptimalPlans:
    """The polytope of a player's optimal realization plans.

    ``dimension``: the polytope's dimension. Behavior at information sets that the player's own moves do not reach is
    not part of a plan.
    ``vertices``: for each vertex, the positive weights by (index in ``tree.infosets``, action). ``note``: the reason if
    ``vertices`` is None. ``programs``: the number of linear programs solved for the ranges.
    """

    dimension: int
    vertices: tuple[dict[tuple[int, int], Fraction], ...] | None
    note: str
    programs: int

    @property
    def unique(self) -> bool:
        """Whether the optimal plan is unique."""
        return self.dimension == 0


@dataclass(frozen=True)
class Ranges:
    """The minimum and maximum probability of each action over all equilibria. ``str`` returns a summary.

    Attributes
    ----------
    tree : GameTree
        The game tree. Indices of information sets refer to ``tree.infosets``.
    value : Fraction
        The value of the game for player 1.
    actions : tuple of ActionRange
        The ranges of all players' actions, sorted by player and information set.
    plans : tuple of OptimalPlans
        Each player's polytope of optimal realization plans, with ``dimension``, ``unique`` and ``vertices``.
    verified : int
        Number of verified equilibria, which together attain all bounds.
    seconds : float
        Time taken, in seconds.
    game : Game or None
        The rules, if they are known.

    Examples
    --------
    >>> import efg_builder as eb
    >>> free = [one for one in eb.ranges("kuhn").actions if one.conditional and not one.forced]
    >>> free[0].conditional
    (Fraction(2, 3), Fraction(1, 1))
    >>> eb.ranges("kuhn")["1: start"]["bet"]
    (Fraction(0, 1), Fraction(1, 3))
    """

    tree: GameTree
    value: Fraction
    actions: tuple[ActionRange, ...]
    plans: tuple[OptimalPlans, OptimalPlans]
    verified: int
    seconds: float
    game: Game | None = None

    def __repr__(self) -> str:
        free = sum(1 for action in self.actions if action.conditional is not None and len(set(action.conditional)) > 1)
        count = f"{len(self.actions):,} actions, {free:,} of them free"
        return f"<Ranges of {self.tree.title!r}: value {text(self.value)}, {count}>"

    def __str__(self) -> str:
        return facts_in_text(self.tree.title, _facts(self))

    def __getitem__(self, label: str) -> dict[str, tuple[Fraction, Fraction] | None]:
        """Return each action's conditional range at the information set *label*; None for an action without a range.

        Raises ``ParameterError`` unless exactly one information set has this name.
        """
        check_kind("ranges[...]", label, str, "the label of an information set", "for an index, use ranges.shares")
        names = list(self)
        if label not in names:
            shown = displayed_tree(self.tree, self.game).names
            names = [shown[k] if shown[k] == label else name for k, name in zip(self.tree.personal, names, strict=True)]
        if (found := names.count(label)) != 1:
            problem = f"{found or 'no'} information sets are labeled {label!r}"
            raise ParameterError(problem if found else f"{problem}; {misspelled(label, names)}")
        k = self.tree.personal[names.index(label)]
        shares, actions = self.shares, distinct(self.tree.infosets[k].actions)
        return {action: shares.get((k, number)) for number, action in enumerate(actions)}

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all players' information sets."""
        return (self.tree.names[k] for k in self.tree.personal)

    @property
    def shares(self) -> dict[tuple[int, int], tuple[Fraction, Fraction]]:
        """The conditional ranges by (index in ``tree.infosets``, action), without actions that have no range."""
        return {(a.infoset, a.action): a.conditional for a in self.actions if a.conditional is not None}

    def to_json(self) -> dict[str, Any]:
        """Return the ranges as JSON data. Rationals are text such as ``"-1/9"``."""
        return {
            "game": game_part(self.game, self.tree),
            "value": plain(self.value),
            "dimension": [plans.dimension for plans in self.plans],
            "unique": [plans.unique for plans in self.plans],
            "actions": [self._action(action) for action in self.actions],
            "vertices": [self._vertices(plans) for plans in self.plans],
            "vertices_note": [plans.note for plans in self.plans],
            "linear_programs": [plans.programs for plans in self.plans],
            "verified": self.verified,
            "seconds": round(self.seconds, 3),
        }

    def _action(self, action: ActionRange) -> dict[str, Any]:
        infoset = self.tree.infosets[action.infoset]
        low, high = action.conditional or (None, None)
        return {
            "player": action.player + 1,
            "infoset": infoset.number,
            "label": infoset.label,
            "action": distinct(infoset.actions)[action.action],
            "min": plain(action.low),
            "max": plain(action.high),
            "conditional_min": plain(low),
            "conditional_max": plain(high),
        }

    def _vertices(self, plans: OptimalPlans) -> list[list[dict[str, Any]]] | None:
        if plans.vertices is None:
            return None
        sets = self.tree.infosets
        return [
            [
                {"infoset": sets[k].number, "action": distinct(sets[k].actions)[action], "weight": plain(weight)}
                for (k, action), weight in vertex.items()
            ]
            for vertex in plans.vertices
        ]


def check_players(game: Subject) -> None:
    """Raise ``NotApplicableError`` if *game* has more than two players. No tree is built for this check."""
    if (count := len(game.players)) > 2:
        raise NotApplicableError(
            f"{game.title} has {count} players; ranges over all equilibria need two players; "
            "'solve' finds one equilibrium"
        )


def ranges(
    game: GameLike,
    *,
    vertices: int = VERTICES,
    timeout: float | Fraction | None = None,
    progress: Progress | None = None,
    max_nodes: int = MAX_NODES,
) -> Ranges:
    """Return the exact minimum and maximum probability of each action over all equilibria of *game*.

    Exact dual solutions prove the bounds, and verified equilibria attain them.

    Parameters
    ----------
    game : GameLike
        A two-player constant-sum game with perfect recall: rules, a tree, a name such as ``"kuhn"``, or a file.
    vertices : int, default 500
        Maximum number of vertices to list for each player's polytope of optimal plans (0: none). If a polytope has more
        vertices, or more than 16 dimensions, none of its vertices are listed.
    timeout : float, optional
        Time limit in seconds, above 0. By default, there is no limit.
    progress : callable, optional
        Called with one line of text at a time.
    max_nodes : int, default 5,000,000
        Maximum number of nodes in the tree.

    Returns
    -------
    Ranges
        The range of each action, and the dimension and vertices of each player's polytope.

    Raises
    ------
    NotApplicableError
        If the game does not have two players, a constant sum and perfect recall.
    NotSolvedError
        If the time limit is reached, or a linear program cannot be solved exactly.
    ParameterError
        If an argument is invalid.
    TreeTooLargeError
        If the tree has more than *max_nodes* nodes.

    References
    ----------
    Koller, Megiddo and von Stengel, STOC 1994 (the linear programs of the sequence form).

    Examples
    --------
    >>> import efg_builder as eb
    >>> found = eb.ranges("kuhn")
    >>> found.value, [plans.dimension for plans in found.plans]
    (Fraction(-1, 18), [1, 0])
    """
    began = time.monotonic()
    if isinstance(vertices, bool) or not isinstance(vertices, int) or vertices < 0:
        raise ParameterError(f"vertices={vertices!r}: must be a whole number of at least 0")
    seconds = check_seconds(timeout)
    progress = progress_of("ranges", progress)
    driver = Driver(Request(seconds, progress=progress))
    subject = as_subject("ranges", game, max_nodes=max_nodes, progress=driver.build)
    check_players(subject)
    tree = subject.tree(progress=driver.build)
    lacking = two_player_constant_sum_with_recall(tree)
    if lacking is not None:
        raise NotApplicableError(
            f"ranges over all equilibria need two players, a constant sum and perfect recall; {lacking}"
        )
    form = sequence_form(solvable(tree))
    try:
        both = driver.complete(faces(form))
        sequences = [driver.complete(sequence_ranges(face)) for face in both]
    except TimeLimit:
        raise NotSolvedError("the time limit was reached before all ranges were known", timed_out=True) from None
    except (LinearProgramError, NotExactError) as error:
        problem = f"a linear program could not be solved exactly: {error}"
        raise NotSolvedError(problem, timed_out=driver.late) from None
    value = form.middle + form.unit * both[0].value
    progress("verifying")
    verified = _verified(tree, form.players, [one.plans for one in sequences], value)
    hulls = [affine_hull(both[p], both[1 - p]) for p in range(2)]
    plans = [
        OptimalPlans(hull.dimension, *_vertices(side, hull, vertices, driver), one.programs)
        for side, hull, one in zip(form.players, hulls, sequences, strict=True)
    ]
    firsts = {int(k): int(s) for side in form.players for k, s in zip(side.infosets, side.first, strict=True)}
    actions = []
    for k in sorted(tree.personal, key=lambda k: tree.infosets[k].player):
        p = tree.infosets[k].player
        for action in range(len(tree.infosets[k].actions)):
            s = firsts[k] + action
            weight, share = sequences[p].weights[s], sequences[p].conditional[s]
            conditional = None if share is None else (share.low, share.high)
            actions.append(ActionRange(p, k, action, weight.low, weight.high, conditional))
    return Ranges(tree, value, tuple(actions), (plans[0], plans[1]), verified, time.monotonic() - began, tree.game)


def _verified(
    tree: GameTree, sides: tuple[PlayerSequences, PlayerSequences], plans: list[tuple[Plan, ...]], value: Fraction
) -> int:
    """Verify pairs of plans as equilibria, and return the number of pairs. Each plan is in at least one pair.

    Raises ``NotSolvedError`` if a pair is not an equilibrium.
    """
    pairs = list(zip_longest(*plans))
    for one, two in pairs:
        rows = behavior(sides[0], list(one or plans[0][0])) | behavior(sides[1], list(two or plans[1][0]))
        verdict = verify(TreeProfile.from_personal(tree, rows))
        if not verdict.equilibrium or verdict.value[0] != value:
            raise NotSolvedError(
                "a bound of a range failed verification: its profile is not an equilibrium with the game's value"
            )
    return len(pairs)


def _vertices(
    side: PlayerSequences, hull: Hull, limit: int, driver: Driver
) -> tuple[tuple[dict[tuple[int, int], Fraction], ...] | None, str]:
    if not limit:
        return None, "not requested"
    try:
        found = driver.complete(hull_vertices(hull, limit))
    except TooManyError as error:
        return None, f"not listed: {error}"
    owner = side.owner.tolist()
    return tuple(
        {
            (int(side.infosets[owner[s]]), s - int(side.first[owner[s]])): plan[s]
            for s in range(1, side.count)
            if plan[s]
        }
        for plan in found
    ), ""


def reached_in_some(found: Ranges) -> frozenset[int]:
    """Return the indices in ``found.tree.infosets`` of the information sets that some equilibrium reaches.

    Any two optimal plans form an equilibrium. So an equilibrium reaches a node if, and only if, each player has an
    optimal plan that leads to the node, and chance reaches the node with positive probability.
    """
    tree = found.tree
    starts = first_moves(tree)
    # Flags of the moves with positive weight in some optimal plan. The last entry (index -1) is the empty sequence.
    led = np.zeros(int(starts[-1]) + 1, dtype=bool)
    led[-1] = True
    for action in found.actions:
        led[starts[action.infoset] + action.action] = action.high > 0
    open_: npt.NDArray[np.bool_] = np.all(led[own_sequences(tree)], axis=1)
    for node in range(1, len(tree)):
        parent = int(tree.parent[node])
        above = tree.infosets[tree.infoset[parent]]
        closed = above.probabilities is not None and not above.probabilities[tree.action[node]]
        open_[node] = open_[node] and open_[parent] and not closed
    return frozenset(np.unique(tree.infoset[open_ & (tree.player >= 0)]).tolist())


# --- text output


def _facts(found: Ranges) -> Iterator[Fact]:
    tree = printed_tree(found.tree, found.game)
    yield fact("value", f"{tree.players[0]}: {figure(found.value)}")
    for player, plans in enumerate(found.plans):
        size = "just one" if plans.unique else plural(plans.dimension, "dimension")
        if plans.vertices is not None and not plans.unique:
            size += f", {plural(len(plans.vertices), 'vertex', 'vertices')}"
        yield fact("optimal plans", f"{tree.players[player]}: {size}; {_forced(found, player)}")
    attain = "attains" if found.verified == 1 else "attain"
    yield fact("verified", f"{plural(found.verified, 'profile')} that {attain} the ends of all ranges")
    every = [_sets(found, player) for player in range(len(tree.players))]
    shown = [dict(islice(sets.items(), SHOWN_SETS)) for sets in every]
    write = notation(p for sets in shown for row in sets.values() for action in row for p in action.conditional or ())
    rounded = f"; {PERCENT_ROUNDED}" * write.rounded
    for name, sets, rows in zip(tree.players, every, shown, strict=True):
        table = in_columns([(f"  {tree.names[k]}", _row(found, row, write)) for k, row in rows.items()], right=())
        if len(sets) > len(rows):
            more = plural(len(sets) - len(rows), "more information set")
            table.append(f"  and {more}: --json (to_json()) lists all")
        if sets:
            yield fact(f"{name} (information sets that optimal plans reach{rounded})", table=table)
    yield fact("seconds", f"{found.seconds:.2f}")


def _sets(found: Ranges, player: int) -> dict[int, list[ActionRange]]:
    sets: dict[int, list[ActionRange]] = {}
    for action in found.actions:
        if action.player == player and action.conditional is not None:
            sets.setdefault(action.infoset, []).append(action)
    return sets


def _forced(found: Ranges, player: int) -> str:
    sets = _sets(found, player)
    alike = sum(all(action.forced for action in actions) for actions in sets.values())
    return f"the same play at {alike} of {plural(len(sets), 'information set')} that optimal plans reach"


def _row(found: Ranges, actions: list[ActionRange], write: Notation) -> str:
    """Return text such as ``show 1/3, raise 2/3`` or ``fold 0 to 2/3, call 1/3 to 1``, without unplayed actions."""
    names = found.tree.infosets[actions[0].infoset].actions
    played = [(names[action.action], shown) for action in actions if (shown := shown_ends(action, actions)) is not None]
    return ", ".join(f"{name} {' to '.join(write(p, row) for p in ends)}".rstrip() for name, (ends, row) in played)


def shown_ends(action: ActionRange, actions: Sequence[ActionRange]) -> tuple[list[Fraction], list[Fraction]] | None:
    """Return the bounds to show for *action*, and the probabilities beside them, of which they must differ.

    Return None if no equilibrium plays the action. An action with probability 1 has no bounds to show. *actions*: all
    actions at the information set.
    """
    low, high = action.conditional or (Fraction(0), Fraction(0))
    if not high:
        return None
    if low != high:
        return [low, high], [low, high]
    return [low] if low != 1 else [], [p for each in actions for p in each.conditional or ()]
