"""The verdict on a strategy: its payoffs, each player's gain by deviating, and whether it is an equilibrium."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import inf, isfinite, nextafter
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.errors import (
    NotApplicableError,
    ParameterError,
    RecallError,
    check_argument,
    check_kind,
    nearest,
)
from ..base.rationals import Number, is_played
from ..base.words import VERIFYING, figure, progress_of, quiet
from ..forms.extensive import (
    NONE,
    TERMINAL,
    GameTree,
    constant_sum,
    first_moves,
    kept,
    payoff_range,
    scaled_payoffs,
)
from ..games.protocol import DealtGame
from ..strategies.dense_profile import DenseProfile
from ..strategies.dense_rows import DenseRows
from ..strategies.sparse_profile import Behavior, SparseProfile
from ..strategies.tree_profile import Strategy, TreeProfile, bidding_of_two, uniform_rows
from .best_response import play_of
from .dense import BidStakes, DenseResponse, dense_best_response, dense_value, error_bound, stakes
from .measures import Loss, loss_lines
from .recall import recall_response_of
from .sequences import SequencePlay
from .sparse import sparse_best_response, sparse_figures
from .walk import ProfileWalk

WAYS = ("auto", "tree", "sparse", "dense")

DEFAULT_TOLERANCE = 1e-6
"""The maximum regret of an equilibrium in floats, as a fraction of the payoff range."""

ROUNDING = 1e-13
"""The allowed rounding error of a float regret, as a fraction of the largest payoff."""

TREE_NODES = 400_000
"""The maximum number of nodes of a tree on which float strategies are judged. Larger games use arrays."""

UNIT_ROUNDOFF = 2.0**-53


@dataclass(frozen=True)
class Verdict:
    """The verdict on a strategy, from best responses over the whole game. ``str`` returns it as a report.

    Attributes
    ----------
    value : tuple of Fraction or float
        Each player's expected payoff.
    best_responses : tuple of Fraction or float
        The payoff of each player's best response to the others.
    regret : Fraction or float
        The largest gain of one player by a best response.
    spread : Fraction or float
        The largest range of a player's payoffs. For sparse strategies, only the visited terminal histories count. For
        strategies that are nearly an equilibrium, only the terminal nodes count that the strategies or a best response
        reach: an outcome that no player would choose must not hide a gain.
    reach : tuple of Fraction or float
        The reach probability of each information set, in the order of ``tree.infosets``; empty unless the strategy was
        judged over a tree.
    lower, upper : Fraction or float, or None
        Bounds on the value of a two-player constant-sum game to player 1, from both best responses; None for other
        games.
    equilibrium : bool
        Whether the regret is at most the tolerance times the payoff range.
    exact : bool
        Whether the strategy is rational, so that the payoffs, regrets and bounds are Fractions.
    error_bound : float or None
        The maximum error of a payoff or best response; None if all numbers are exact. If the best response of a player
        without perfect recall is irrational, its payoff and the regret are rounded up.
    visited : tuple of int
        For sparse strategies, the number of public histories visited for each player's best response; otherwise empty.
    forgetful : tuple of int
        The players (from 0) without perfect recall. For such a player, the best response is a behavior strategy.
    losses : tuple of Loss
        The losses of players with perfect recall at information sets, in descending order; empty unless the strategy
        was judged over a tree. A player's losses sum to the gain of a best response.

    Examples
    --------
    >>> import efg_builder as eb
    >>> verdict = eb.verify(eb.read_strategy({}, "kuhn"))
    >>> verdict.equilibrium, verdict.regret, verdict.lower, verdict.upper
    (False, Fraction(1, 1), Fraction(-1, 1), Fraction(1, 1))
    """

    value: tuple[Number, ...]
    best_responses: tuple[Number, ...]
    regret: Number
    spread: Number
    reach: tuple[Number, ...] = field(repr=False)
    lower: Number | None
    upper: Number | None
    equilibrium: bool
    exact: bool
    error_bound: float | None = None
    visited: tuple[int, ...] = ()
    forgetful: tuple[int, ...] = ()
    losses: tuple[Loss, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    @property
    def regrets(self) -> tuple[Number, ...]:
        """Each player's gain by a best response, at least 0."""
        return tuple(max(b - v, 0 * v) for b, v in zip(self.best_responses, self.value, strict=True))

    @property
    def near(self) -> bool:
        """Whether no player gains more than a millionth of the payoff range, the default tolerance for floats."""
        return _fraction(self.regret) <= Fraction(DEFAULT_TOLERANCE) * _fraction(self.spread)


def _lines(found: Verdict) -> Iterator[str]:
    names = [f"player {number}" for number in range(1, len(found.value) + 1)]
    how = "" if found.error_bound is None else f" (in floats, accurate to {found.error_bound:.2g})"
    yield f"equilibrium    {'yes' if found.equilibrium else 'no'}: regret {figure(found.regret)}{how}"
    if found.lower is not None and found.upper is not None:
        lower, upper = figure(found.lower), figure(found.upper)
        yield f"bounds         the value to player 1 is {lower if lower == upper else f'from {lower} to {upper}'}"
    for name, value, best, gain in zip(names, found.value, found.best_responses, found.regrets, strict=True):
        yield f"payoff         {name}: {figure(value)}; best response {figure(best)} (gains {figure(gain)})"
    if not found.equilibrium:
        yield from loss_lines(found.losses, names)


def check_tolerance(tolerance: float | Fraction | None) -> None:
    """Raise ``ParameterError`` if *tolerance* is negative or not finite."""
    if tolerance is not None and not (isinstance(tolerance, Real) and tolerance >= 0 and isfinite(tolerance)):
        raise ParameterError(f"tolerance={tolerance!r}: must be a finite number of at least 0")


def verify(
    strategy: Strategy,
    tolerance: float | Fraction | None = None,
    *,
    over: str = "auto",
    kind: Any = np.float64,
    progress: Callable[[str], None] | None = None,
) -> Verdict:
    """Judge a strategy, exactly if it is rational, otherwise in floats. ``eb.verify`` describes the options."""
    check_kind("verify", strategy, Strategy, "a strategy", "e.g. solution.strategy, or the result of eb.read_strategy")
    progress = progress_of("verify", progress)
    check_tolerance(tolerance)
    if over not in WAYS:
        raise ParameterError(f"there is no method {over!r} to measure; {nearest(over, WAYS)}")
    over = suited_measure(strategy.game, (strategy,)) if over == "auto" else over
    if over == "tree":
        return _over_tree(strategy.on_tree(), tolerance, progress)
    if over == "sparse":
        return _sparse(in_sparse_form(strategy), tolerance)
    check_argument("verify", "kind", kind, kind in (np.float32, np.float64), "numpy.float32 or numpy.float64")
    return _dense(strategy, tolerance, kind, progress)


def suited_measure(game: DealtGame | None, strategies: Sequence[Strategy], small_nodes: int = 0) -> str:
    """Return the method for judging *strategies* of one *game*: ``"tree"``, ``"sparse"`` or ``"dense"``.

    *small_nodes*: the maximum number of nodes of a game that is judged over its tree. If this number is 0, a
    ``TreeProfile`` is judged over its tree.
    """
    fixed = {strategy.measure for strategy in strategies}
    if "dense" in fixed:
        return "dense"
    if game is None:
        return "tree"
    if small_nodes and game.size().nodes <= small_nodes:
        return "tree"
    if not small_nodes and "tree" in fixed:
        return "tree"
    if all(strategy.sparse() is not None for strategy in strategies):
        return "sparse"
    arrays = bidding_of_two(game) is not None and game.constant_sum is not None
    return "dense" if arrays and game.size().nodes > TREE_NODES else "tree"


def in_sparse_form(strategy: Strategy) -> SparseProfile:
    """Return the sparse profile of *strategy*. Raises ``NotApplicableError`` if there is none."""
    sparse = strategy.sparse()
    if sparse is None:
        if strategy.game is None:
            title = strategy.name if strategy.tree is None else strategy.tree.title
            raise NotApplicableError(f"{title}: only dealt games can be measured without a tree; use --measure tree")
        what = "is not rational, or does not use default moves"
        raise NotApplicableError(f"{strategy.game.title}: a strategy {what}, so it has no sparse profile")
    return sparse


def _over_tree(profile: TreeProfile, tolerance: float | Fraction | None, progress: Callable[[str], None]) -> Verdict:
    tree, exact, play = profile.tree, profile.exact, play_of(profile, progress)
    found = play.values()
    best, lost, forgetful, slack = [], list[Loss](), list[int](), Fraction(0)
    for player, name in enumerate(tree.players):
        progress(f"{VERIFYING}: best response of {name}")
        try:
            value, losses = play.judge(player, profile, found.reach)
        except RecallError as error:
            response = recall_response_of(ProfileWalk(profile, progress), player, str(error))
            value, losses, slack = response.value, [], max(slack, response.slack)
            forgetful.append(player)
        best.append(value)
        lost += losses
    zero: Number = Fraction(0) if exact else 0.0
    regret = max((b - v for b, v in zip(best, found.value, strict=True)), default=zero)
    total = constant_sum(tree) if len(tree.players) == 2 else None
    lower = upper = None
    if total is not None:
        lower, upper = (total if exact else float(total)) - best[1], best[0]
    if tolerance is None:
        tolerance = 0.0 if exact else DEFAULT_TOLERANCE
    spread = payoff_range(tree)
    largest = max((abs(u) for row in tree.payoffs for u in row), default=Fraction(0))
    if 0 < regret <= max(_fraction(tolerance), Fraction(DEFAULT_TOLERANCE)) * spread + Fraction(ROUNDING) * largest:
        spread, largest = _met_payoffs(profile, play, forgetful)
    allowed = _fraction(tolerance) * spread
    if not exact:
        allowed += Fraction(ROUNDING) * largest
    return Verdict(
        value=found.value,
        best_responses=tuple(best),
        regret=max(regret, zero),
        spread=spread if exact else float(spread),
        reach=found.reach,
        lower=lower,
        upper=upper,
        equilibrium=regret <= allowed,
        exact=exact,
        error_bound=_off_by(tree, exact, slack),
        forgetful=tuple(forgetful),
        losses=tuple(sorted(lost, key=_by_regret)),
    )


def _met_payoffs(
    profile: TreeProfile, play: SequencePlay | ProfileWalk, without_recall: Sequence[int]
) -> tuple[Fraction, Fraction]:
    """Return the largest range of a player's payoffs, and the largest absolute payoff, at the nodes that play meets.

    These nodes are reached by *profile*, or if one player plays a best response. A player without perfect recall may
    then make any move. Moves due to rounding errors alone count only if there is no range without them.
    """
    tree = profile.tree
    given = [p for row in profile.probabilities for p in row]
    paid, scale = scaled_payoffs(tree)
    spread, seen = 0, paid[:0]
    for played in ([is_played(p) for p in given], [p > 0 for p in given]):
        if not spread:  # without rounding errors all ends may pay the same, which gives no scale
            seen = paid[_met(profile, play, without_recall, np.array(played, dtype=bool))]
            spread = max((int(max(column) - min(column)) for column in seen.T), default=0)
    return Fraction(spread, scale), Fraction(int(np.abs(seen).max(initial=0)), scale)


def _met(
    profile: TreeProfile, play: SequencePlay | ProfileWalk, without_recall: Sequence[int], played: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return which nodes are terminal and met by play of the moves *played*, as ``_met_payoffs`` means it."""
    tree = profile.tree
    starts, movers = first_moves(tree), [infoset.player for infoset in tree.infosets]
    ends = np.zeros(len(tree), dtype=bool)
    for player in (NONE, *range(len(tree.players))):
        made = played.copy()
        best = {} if player in (NONE, *without_recall) else play.best_response(player).actions
        for k in (k for k, mover in enumerate(movers) if mover == player != NONE):
            made[starts[k] : starts[k + 1]] = player in without_recall
            if k in best:
                made[starts[k] + best[k]] = True
        met = np.ones(len(tree), dtype=bool)
        for nodes in tree.levels[1:]:
            above = tree.parent[nodes]
            met[nodes] = met[above] & made[starts[tree.infoset[above]] + tree.action[nodes]]
        ends |= met
    return np.asarray(ends & (tree.player == TERMINAL))


def _by_regret(lost: Loss) -> tuple[float, Number]:
    """Return a key that sorts the largest regret first. Floats decide most comparisons faster than fractions."""
    try:
        return -float(lost.regret), -lost.regret
    except OverflowError:
        return -inf, -lost.regret


def _off_by(tree: GameTree, exact: bool, slack: Fraction) -> float | None:
    if exact and not slack:
        return None
    bound = 0.0 if exact else tree_error(tree)
    return nextafter(bound + nextafter(float(slack), inf), inf) if slack else bound


def tree_error(tree: GameTree) -> float:
    """Return the maximum error of a payoff or best response in floats over *tree*.

    Let N be the number of nodes, and U the largest sum of absolute payoffs along a path. Rows are divided by their
    sums, so each result is a sum of products of probabilities and a payoff, whose absolute values sum to at most U. A
    product is rounded less than N times in multiplications, at most N times in divisions of rows, and at most N times
    in additions; plans over sequences multiply the same factors in another order. The factor 4 N + 8 also covers the
    rounding of payoffs, of their products with chance probabilities, and of exact probabilities. 1.01 covers products
    of errors.
    """
    return 1.01 * (4 * len(tree) + 8) * UNIT_ROUNDOFF * _most_on_a_path(tree)


@kept
def _most_on_a_path(tree: GameTree) -> float:
    """Return the largest sum of one player's absolute payoffs along a path. Inner nodes may have outcomes too."""
    paid = [[abs(float(u)) for u in row] for row in tree.payoffs]
    if not np.any((tree.outcome != NONE) & (tree.infoset != NONE)):
        return max(map(max, paid), default=0.0) if tree.players else 0.0
    sums = [paid[outcome] for outcome in tree.outcome.tolist()]
    for node, above in enumerate(tree.parent.tolist()):
        if node:
            sums[node] = [here + before for here, before in zip(sums[node], sums[above], strict=True)]
    return max(map(max, sums), default=0.0)


def _sparse(profile: SparseProfile, tolerance: float | Fraction | None) -> Verdict:
    found, total = sparse_figures(profile), profile.game.constant_sum
    regret = max(b - v for b, v in zip(found.best, found.value, strict=True))
    bounded = total is not None and len(found.value) == 2
    return Verdict(
        value=found.value,
        best_responses=found.best,
        regret=regret,
        spread=found.spread,
        reach=(),
        lower=total - found.best[1] if total is not None and bounded else None,
        upper=found.best[0] if bounded else None,
        equilibrium=regret <= Fraction(tolerance or 0) * found.spread,
        exact=True,
        visited=found.visited,
    )


def _dense(
    strategy: Strategy, tolerance: float | Fraction | None, kind: Any, progress: Callable[[str], None]
) -> Verdict:
    facts, rows, responses = _dense_responses(strategy, kind, progress)
    first = dense_value(facts, rows, kind, partial(_tell, progress, "value"))
    best, total = tuple(one.value for one in responses), float(facts.total)
    value, bound = (first, total - first), error_bound(facts, kind, rows)
    regret = max(0.0, *(b - v for b, v in zip(best, value, strict=True)))
    allowed = float(DEFAULT_TOLERANCE if tolerance is None else tolerance) * 2 * facts.largest + 2 * bound
    bounds = total - best[1], best[0]
    return Verdict(value, best, regret, 2 * facts.largest, (), *bounds, regret <= allowed, False, bound)


def _dense_responses(
    strategy: Strategy, kind: Any, progress: Callable[[str], None]
) -> tuple[BidStakes, tuple[DenseRows, DenseRows], list[DenseResponse]]:
    first, second = strategy.dense(0, progress), strategy.dense(1, progress)
    if first is None or second is None:
        title = strategy.game.title if strategy.game is not None else strategy.name
        raise NotApplicableError(f"{title}: arrays are for two-player bidding games, such as liars-dice")
    facts = stakes(strategy.game)
    tells = [partial(_tell, progress, f"best response of {name}") for name in facts.game.players]
    found = [dense_best_response(facts, other, p, kind, tells[p]) for p, other in enumerate((second, first))]
    return facts, (first, second), found


def _tell(progress: Callable[[str], None], what: str, done: float) -> None:
    progress(f"{what}: {done:.0%} of all histories")


def _fraction(number: float | Fraction) -> Fraction:
    return number if isinstance(number, Fraction) else Fraction(float(number))


def best_responses(
    strategy: Strategy, over: str, kind: Any = np.float64, progress: Callable[[str], None] = quiet
) -> Strategy:
    """Return a best response to *strategy* in every seat. *over*: the method, as in ``verify``.

    Over the tree of a dealt game, the best response has no row at an information set that the other players never
    reach. Over other trees, the row is uniform there. A sparse best response omits default moves. A dense best response
    contains all information sets. Raises the errors of ``verify``.
    """
    if over == "sparse":
        profile = in_sparse_form(strategy)
        seats = range(len(profile.game.players))
        return SparseProfile(profile.game, tuple(sparse_best_response(profile, player)[1] for player in seats))
    if over == "dense":
        facts, _, responses = _dense_responses(strategy, kind, progress)
        one, other = (each.strategy() for each in responses)
        return DenseProfile(facts.game, (one, other))
    profile_on_tree, game = strategy.on_tree(), strategy.game
    play, chosen, full = play_of(profile_on_tree), dict[int, int](), uniform_rows(profile_on_tree.tree)
    for player in range(len(profile_on_tree.tree.players)):
        try:
            chosen |= play.best_response(player).actions
        except RecallError as error:
            full |= recall_response_of(ProfileWalk(profile_on_tree), player, str(error)).rows
    if game is not None:
        return _where_chosen(game, profile_on_tree.tree, chosen)
    full |= {k: tuple(Fraction(action == best) for action in range(len(full[k]))) for k, best in chosen.items()}
    return TreeProfile.from_personal(profile_on_tree.tree, full)


def _where_chosen(game: DealtGame, tree: GameTree, chosen: dict[int, int]) -> SparseProfile:
    rows: list[dict[str, dict[int, Behavior]]] = [{} for _ in game.players]
    for turn in game.turns():
        for hand in range(game.hand_counts[turn.player]):
            k = tree.by_label.get(game.infoset_name(turn.player, hand, turn.history))
            if k is not None and k in chosen:
                move = {turn.actions[chosen[k]][0]: Fraction(1)}
                rows[turn.player].setdefault(turn.history, {})[hand] = move
    return SparseProfile(game, tuple(rows))
