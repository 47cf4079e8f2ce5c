"""Double oracle on explicit trees: exact equilibria from a small part of the game.

A restricted game of the moves found so far is solved; outside it both players make the default move (see
``solvers.tree_model``). Best responses over the whole tree then bound the value from both sides, and moves that
improve are added, until the bounds meet. B. Bosansky, C. Kiekintveld, V. Lisy and M. Pechoucek, "An exact
double-oracle algorithm for zero-sum extensive-form games with imperfect information", JAIR 51 (2014).

In reading order: the restricted game, cut out of the tree; the masters, which solve it; strategies on the whole tree;
best responses to them (B. von Stengel, "Efficient Computation of Behavior Strategies", 1996, section 5); the rounds
(``run_phases``). The same steps serve floats and exact integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from math import floor, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.rationals import Number
from ...base.words import STOPPING
from ...forms.extensive import CHANCE, NONE, GameTree, Infoset
from ...forms.sequence_form import PlayerSequences, sequence_form
from ...strategies.tree_profile import TreeProfile
from ..lp.highs import Floats, LinearProgramError, TimeLimit
from ..lp.lp import FLOAT_ZERO, exact_behavior, optimum
from ..lp.rational import INT64, NotExactError
from ..protocol import Ended, Found, Left, Progress, Request, countdown
from ..tree_model import Flags, Longs, Numbers, Side, Whole, whole_game

DENOMINATOR = 10**6
"""Bound on the denominators of single probabilities where only floats were found in time."""

FLOOR = 1e-9
"""In floats, what gains less than this share of half the payoff range is noise."""

SHARE = Fraction(1, 100)
"""A move is added where it gains more than this share of the gap: fewer rounds, larger games than with more."""

TIE = 1e-12
"""In floats, moves whose worth differs by no more than this share of the payoffs are equally good."""


# --- the restricted game ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Restricted:
    """The part of a whole game that some moves lead to, as a game of its own.

    ``moves[player]``: the whole game's sequences that the player's actions are, in the order of the sets in
    ``tree.infosets``, set by set.
    """

    tree: GameTree
    moves: tuple[Longs, Longs]


def restrict(whole: Whole, allowed: tuple[Flags, Flags]) -> Restricted:
    """The game in which only the sequences *allowed* (one a set at least) and all moves of chance are left.

    Its nodes are those that only such moves lead to; labels, numbers and payoffs are the whole game's.
    """
    tree = whole.tree
    passed = [side.passed(moves) for side, moves in zip(whole.sides, allowed, strict=True)]
    nodes = np.flatnonzero(passed[0][whole.sequences[:, 0]] & passed[1][whole.sequences[:, 1]])
    infoset, sets = _renumbered(tree.infoset[nodes])
    outcome, outcomes = _renumbered(tree.outcome[nodes])
    number = np.cumsum(np.bincount(nodes, minlength=len(tree)), dtype=np.int32) - 1
    parent = np.concatenate([[NONE], number[tree.parent[nodes[1:]]]]).astype(np.int32)
    labels = [tree.infosets[k] for k in sets]
    action, moves = tree.action[nodes].copy(), []
    for side, flags in zip(whole.sides, allowed, strict=True):
        places = np.flatnonzero(np.isin(side.sequences.infosets, sets))
        _cut(labels, sets, side, flags, places)
        kept = np.isin(side.sequences.owner, places) & flags
        moves.append(np.flatnonzero(kept[1:]) + 1)
        # The root's parent, index -1, is the last node, where nobody moves.
        mine = np.flatnonzero(tree.player[tree.parent[nodes]] == side.player)
        action[mine] = _positions(side, flags)[whole.sequences[nodes[mine], side.player]]
    restricted = GameTree(
        title=f"{tree.title}, restricted",
        players=tree.players,
        parent=parent,
        action=action,
        infoset=infoset,
        outcome=outcome,
        infosets=tuple(labels),
        outcomes=tuple(tree.outcomes[k] for k in outcomes),
    )
    return Restricted(restricted, (moves[0], moves[1]))


def _renumbered(column: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], Longs]:
    """Indices into the entries that are used, -1 staying -1; and those entries, in order."""
    used = np.unique(column)
    used = used[used != NONE]
    return np.where(column == NONE, NONE, np.searchsorted(used, column)).astype(np.int32), used.astype(np.int64)


def _cut(labels: list[Infoset], sets: Longs, side: Side, allowed: Flags, places: Longs) -> None:
    """Take the actions that are not allowed from the player's sets."""
    mine = side.sequences
    for at, place in zip(np.searchsorted(sets, mine.infosets[places]), places, strict=True):
        first, actions = mine.first[place], labels[at].actions
        flags = allowed[first : first + len(actions)].tolist()
        if not all(flags):
            labels[at] = labels[at]._replace(actions=tuple(a for a, flag in zip(actions, flags, strict=True) if flag))


def _positions(side: Side, allowed: Flags) -> Longs:
    """The place of each sequence among the allowed ones of its set; shape (count,)."""
    before: Longs = np.cumsum(allowed) - allowed
    positions = before.copy()
    positions[1:] -= side.spread(before[side.sequences.first])
    return positions


def has_choices(tree: GameTree) -> bool:
    """Whether any player has a choice anywhere."""
    return any(i.player != CHANCE and len(i.actions) > 1 for i in tree.infosets)


# --- the masters: solving the restricted game ---------------------------------------------------------------


Master = Callable[[GameTree, Left, Progress], TreeProfile]
"""Returns an equilibrium of a game, in rationals or in floats. Its strategies at sets that their own owner's play does
not reach are not used. Raises ``MasterError``, or ``TimeLimit`` where the time left did not suffice."""


class MasterError(Exception):
    """The restricted game was not solved; the message says why."""


def solve_in_floats(tree: GameTree, left: Left, progress: Progress) -> TreeProfile:
    """An equilibrium in floats, by HiGHS' simplex method."""
    try:
        found = optimum(sequence_form(tree), left, progress)
    except TimeLimit:
        raise
    except LinearProgramError as error:
        raise MasterError(str(error)) from error
    one, two = map(_float_behavior, found.form.players, found.plans)
    return TreeProfile.from_personal(tree, one | two)


def _float_behavior(side: PlayerSequences, plan: Floats) -> dict[int, tuple[float, ...]]:
    """Behavior in floats by index in ``tree.infosets``: uniform where the plan does not lead."""
    weights = np.where(plan > FLOAT_ZERO, plan, 0.0)
    rows = {}
    for k, first, width in zip(side.infosets.tolist(), side.first.tolist(), side.widths.tolist(), strict=True):
        row = weights[first : first + width]
        total = float(row.sum())
        rows[k] = tuple((row / total).tolist()) if total else (1.0 / width,) * width
    return rows


def solve_exactly(tree: GameTree, left: Left, progress: Progress) -> TreeProfile:
    """An equilibrium in rationals, by HiGHS' simplex method and its last basis."""
    try:
        found = optimum(sequence_form(tree), left, progress)
        return TreeProfile.from_personal(tree, exact_behavior(found, left, progress))
    except TimeLimit:
        raise
    except (LinearProgramError, NotExactError) as error:
        if (seconds := left()) is not None and seconds <= 0:
            raise TimeLimit(str(error)) from error
        raise MasterError(str(error)) from error


# --- strategies on the whole tree ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Strategy:
    """One player's strategy on the whole tree, the default move where own play does not lead.

    ``behavior``: the probability of each sequence's last move at its set, shape (count,), floats or Fractions.
    ``weights / scale``: the realization plan, shape (count,); floats with scale 1, or Python's integers.
    """

    behavior: Numbers
    weights: Numbers
    scale: int

    @property
    def exact(self) -> bool:
        """Whether the probabilities are rational."""
        return bool(self.behavior.dtype == object)


def strategy(side: Side, behavior: Numbers) -> Strategy:
    """The strategy of that *behavior*, which only matters where it leads itself; see ``Strategy``."""
    mine = side.sequences
    plan = np.zeros(mine.count, dtype=behavior.dtype)
    plan[0] = 1
    led = np.zeros(len(mine.widths), dtype=bool)
    for level in side.levels:
        before = plan[mine.parent[level.sets]]
        led[level.sets] = before != 0
        played = np.repeat(led[level.sets], mine.widths[level.sets])
        moves = level.sequences[played]
        plan[moves] = np.repeat(before, mine.widths[level.sets])[played] * behavior[moves]
    default = default_behavior(side, exact=behavior.dtype == object)
    default[1:] = np.where(side.spread(led), behavior[1:], default[1:])
    if behavior.dtype != object:
        return Strategy(default, plan, 1)
    used = np.flatnonzero(plan != 0)
    scale = lcm(*(weight.denominator for weight in plan[used]))
    weights = np.zeros(mine.count, dtype=object)
    weights[used] = [weight.numerator * (scale // weight.denominator) for weight in plan[used]]
    return Strategy(default, weights, scale)


def extended(whole: Whole, restricted: Restricted, profile: TreeProfile, *, exact: bool) -> tuple[Strategy, Strategy]:
    """Both players' strategies of a restricted game's profile, with the default move elsewhere.

    The strategies are in floats unless *exact*, which needs a rational profile.
    """
    found = []
    for side, moves in zip(whole.sides, restricted.moves, strict=True):
        behavior = default_behavior(side, exact=exact)
        sets = [k for k in restricted.tree.personal if restricted.tree.infosets[k].player == side.player]
        rows: list[Any] = [p if exact else float(p) for k in sets for p in profile.probabilities[k]]
        behavior[moves] = rows
        found.append(strategy(side, behavior))
    return found[0], found[1]


def default_behavior(side: Side, *, exact: bool) -> Numbers:
    """The behavior of always making the default move."""
    if not exact:
        return side.default.astype(np.float64)
    behavior = np.full(side.sequences.count, Fraction(0), dtype=object)
    behavior[side.default] = Fraction(1)
    return behavior


def rational(side: Side, chosen: Strategy, denominator: int) -> Strategy:
    """*chosen* in rationals: floats get denominators up to *denominator*, before they are made to sum to 1."""
    return chosen if chosen.exact else strategy(side, _in_rationals(side, chosen, denominator))


def joined(whole: Whole, strategies: tuple[Strategy, Strategy], denominator: int) -> TreeProfile:
    """Two strategies as one profile of the whole tree, in rationals as ``rational`` makes them."""
    rows = {}
    for side, chosen in zip(whole.sides, strategies, strict=True):
        mine, values = side.sequences, _in_rationals(side, chosen, denominator).tolist()
        for k, first, width in zip(mine.infosets.tolist(), mine.first.tolist(), mine.widths.tolist(), strict=True):
            rows[k] = tuple(values[first : first + width])
    return TreeProfile.from_personal(whole.tree, rows)


def _in_rationals(side: Side, chosen: Strategy, denominator: int) -> Numbers:
    """The behavior of *chosen*, shape (count,), in Fractions."""
    if chosen.exact:
        return chosen.behavior
    mine, values = side.sequences, chosen.behavior.tolist()
    behavior = np.full(mine.count, Fraction(1), dtype=object)
    for first, width in zip(mine.first.tolist(), mine.widths.tolist(), strict=True):
        behavior[first : first + width] = _rational(values[first : first + width], denominator)
    return behavior


def _rational(row: list[float], denominator: int) -> tuple[Fraction, ...]:
    parts = [Fraction(p).limit_denominator(denominator) if p % 1.0 else Fraction(int(p)) for p in row]
    total = sum(parts)
    return tuple(parts) if total == 1 else tuple(part / total for part in parts)


# --- best responses -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Response:
    """One player's best response to the other's strategy.

    ``worth[s]``: what the ends of play after the own sequence s are worth in all, weighted by the probability
    that chance and the other player play towards them, if the owner plays best from then on, shape (count,).
    ``gain[s]``: how much that is above the best which the allowed moves give at the set of s. Both, divided by
    ``scale``, are shares of half the payoff range; ``value`` is such a share, counted from its middle.
    """

    value: Number
    worth: Numbers
    gain: Numbers
    scale: Number


def best_response(whole: Whole, player: int, other: Strategy, allowed: Flags) -> Response:
    """The best response of *player* (0 or 1) to *other* over the whole tree.

    ``allowed``, shape (count,), are the player's moves of the restricted game: ``gain`` compares with them.
    In exact integers where *other* is rational, otherwise in floats.
    """
    side = whole.sides[player]
    mine = side.sequences
    worth, scale = _ends(whole, player, other)
    held, best = worth.copy(), np.zeros(len(mine.widths), dtype=worth.dtype)
    for level in reversed(side.levels):
        above = mine.parent[level.sets]
        np.add.at(worth, above, np.maximum.reduceat(worth[level.sequences], level.starts))
        within = held[level.sequences]
        # What is forbidden must not win: at each set something is allowed, which is no worse than the least.
        within = np.where(allowed[level.sequences], within, within.min())
        best[level.sets] = np.maximum.reduceat(within, level.starts)
        np.add.at(held, above, best[level.sets])
    gain = worth.copy()
    gain[0] -= held[0]
    gain[1:] -= side.spread(best)
    value = float(worth[0]) / scale if isinstance(scale, float) else Fraction(int(worth[0])) / scale
    return Response(value, worth, gain, scale)


def _ends(whole: Whole, player: int, other: Strategy) -> tuple[Numbers, Number]:
    """The worth of the ends of play after each own sequence and before the next own move; and the scale."""
    form = whole.form
    half = form.half / form.unit or Fraction(1)
    if not other.exact:
        matrix = whole.floats if player == 0 else -whole.floats.T
        return matrix @ other.weights, float(half / whole.largest)
    exact = whole.integers.times(other.weights) if player == 0 else -whole.integers.transposed.times(other.weights)
    if sum(abs(exact)) < INT64:
        exact = exact.astype(np.int64)
    return exact, half * other.scale


def improving(side: Side, allowed: Flags, response: Response, threshold: Number) -> Flags:
    """The moves to add: those that gain more than *threshold*, and what they need below; shape (count,).

    They are looked for at the sets that the player's own *allowed* moves lead to; below a new move, only the
    best response's own moves are added. ``threshold`` is a share of half the payoff range.
    """
    mine = side.sequences
    better, best = _better(response, threshold) & ~allowed, _best(side, allowed, response)
    new = np.zeros(mine.count, dtype=bool)
    walked, followed = allowed.copy(), np.zeros(mine.count, dtype=bool)
    for level in side.levels:
        above, widths, moves = mine.parent[level.sets], mine.widths[level.sets], level.sequences
        walking, following = np.repeat(walked[above], widths), np.repeat(followed[above], widths)
        chosen = following & best[moves]
        added = walking & better[moves]
        new[moves] = added | (chosen & ~allowed[moves])
        followed[moves] = added | chosen
        walked[moves] = walking & allowed[moves]
    return new


def _better(response: Response, threshold: Number) -> Flags:
    limit: Number = threshold * response.scale
    flags: npt.NDArray[np.bool_] = response.gain > (floor(limit) if isinstance(limit, Fraction) else limit)
    return flags.astype(bool)


def _best(side: Side, allowed: Flags, response: Response) -> Flags:
    """The best response's move at each set: of equally good ones the default, then what is allowed."""
    tie = TIE * response.scale if isinstance(response.scale, float) else 0
    good = np.zeros(side.sequences.count, dtype=np.int64)
    good[1:] = response.worth[1:] >= side.spread(side.greatest(response.worth)) - tie
    return side.choose(good * (1 + allowed.astype(np.int64) + side.default))


# --- the rounds ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Phase:
    """How the restricted games are solved for a while, and which moves are added.

    A move must gain more than ``share`` of the gap. Where none does, ``floor``, a share of half the payoff
    range, is enough; the phase ends when nothing gains even that, or the gap is no larger. ``exact``: the master's
    profiles are rational, and best responses to them are found in rationals; otherwise in floats.
    """

    master: Master
    share: Fraction
    floor: Number
    exact: bool


LP_PHASES = (Phase(solve_in_floats, SHARE, FLOOR, exact=False), Phase(solve_exactly, SHARE, Fraction(0), exact=True))
"""Floats until they see nothing more to gain, then rationals to the end."""


@dataclass(frozen=True)
class Bracket:
    """The best strategy of each player so far, and what they prove.

    Player 1's guarantees ``lower``, player 2's holds player 1 to ``upper``, both as shares of half the payoff
    range from its middle.
    """

    lower: Number
    upper: Number
    strategies: tuple[Strategy, Strategy]

    @property
    def gap(self) -> Number:
        """What the two players could still gain together."""
        return self.upper - self.lower

    def tightened(self, other: Bracket) -> Bracket:
        """The better strategy of either player."""
        one, two = self.strategies
        if other.lower > self.lower:
            one = other.strategies[0]
        if other.upper < self.upper:
            two = other.strategies[1]
        return Bracket(max(self.lower, other.lower), min(self.upper, other.upper), (one, two))


@dataclass(frozen=True)
class State:
    """Where the search stands: the moves allowed, and what is known after ``rounds`` rounds.

    ``bracket`` is the best so far; ``nodes`` are those of the restricted game solved last.
    """

    allowed: tuple[Flags, Flags]
    bracket: Bracket
    rounds: int = 0
    nodes: int = 0


def run_on_tree(tree: GameTree, request: Request) -> Found:
    """An exact equilibrium of a two-player constant-sum game with perfect recall, by linear programs.

    Or what ``run_phases`` gives where it ends before.
    """
    return run_phases(tree, request, LP_PHASES)


def run_phases(tree: GameTree, request: Request, phases: Sequence[Phase]) -> Found:
    """An equilibrium by double oracle, through *phases* in turn, of which the last should be exact.

    At the time limit, on ``KeyboardInterrupt``, and as soon as the asked-for gap is reached: the best strategy of each
    player so far in rationals, and in words what they prove. An interrupt before the first round can begin is
    raised: then there is nothing to give.
    """
    left = countdown(request.timeout)
    request.progress("laying out the game")
    whole = whole_game(tree)
    states = _states(whole, phases, left, request.progress)
    state = start = next(states)
    try:
        for state in chain([start], states):
            if state.rounds:
                request.progress(_line(whole, state))
            if request.gap and (enough := _near_enough(whole, state, request.gap)):
                return _found(whole, enough, "done", "the asked-for gap was reached" if enough.bracket.gap else "")
    except TimeLimit:
        return _found(whole, state, "timeout", "the time limit came first")
    except KeyboardInterrupt:
        request.progress(STOPPING)
        return _found(whole, state, "interrupted", "stopped before the end")
    except MasterError as error:
        return _found(whole, state, "failed", str(error))
    if state.bracket.gap:
        return _found(whole, state, "failed", "a restricted game's answer was no equilibrium of it")
    return _found(whole, state, "done")


def _near_enough(whole: Whole, state: State, gap: Fraction) -> State | None:
    """*state* with its strategies in rationals, where these prove a bracket of no more than *gap*, in payoffs."""
    half = whole.form.half
    if half * Fraction(state.bracket.gap) > gap:
        return None
    if isinstance(state.bracket.gap, Fraction):
        return state
    # Bounds in floats may be too narrow, and rounding widens them a little: the returned strategies must keep the gap.
    one, two = (
        rational(side, chosen, DENOMINATOR) for side, chosen in zip(whole.sides, state.bracket.strategies, strict=True)
    )
    bracket, _ = _judged(whole, state.allowed, (one, two))
    return replace(state, bracket=bracket) if half * Fraction(bracket.gap) <= gap else None


def _states(whole: Whole, phases: Sequence[Phase], left: Left, progress: Progress) -> Iterator[State]:
    """Where the search stands at first, and after every round. Raises ``TimeLimit`` or ``MasterError``."""
    state = _start(whole)
    yield state
    for phase in phases:
        # Bounds in floats may be off by rounding: each phase trusts its own alone.
        known: Bracket | None = None
        while True:
            state, added = _round(whole, state, known, phase, left, progress)
            yield state
            known = state.bracket
            if known.gap <= phase.floor or not added:
                break


def _start(whole: Whole) -> State:
    """Both players make their default moves: a bracket, however wide, before anything is solved."""
    one, two = (strategy(side, default_behavior(side, exact=True)) for side in whole.sides)
    allowed = whole.sides[0].default, whole.sides[1].default
    bracket, _ = _judged(whole, allowed, (one, two))
    return State(allowed, bracket)


def _round(
    whole: Whole, state: State, known: Bracket | None, phase: Phase, left: Left, progress: Progress
) -> tuple[State, bool]:
    """Solve the restricted game, judge the answer, add what improves; and whether anything was added."""
    if (seconds := left()) is not None and seconds <= 0:
        raise TimeLimit("time limit")
    restricted = restrict(whole, state.allowed)
    profile = _solved(restricted.tree, phase.master, left, _prefixed(progress, state.rounds + 1))
    strategies = extended(whole, restricted, profile, exact=phase.exact)
    bracket, responses = _judged(whole, state.allowed, strategies)
    if known is not None:
        bracket = known.tightened(bracket)
    one, two = _additions(whole, state.allowed, responses, phase, bracket.gap)
    allowed = state.allowed[0] | one, state.allowed[1] | two
    return State(allowed, bracket, state.rounds + 1, len(restricted.tree)), bool(one.any() or two.any())


def _solved(tree: GameTree, master: Master, left: Left, progress: Progress) -> TreeProfile:
    return master(tree, left, progress) if has_choices(tree) else TreeProfile.uniform(tree)


def _prefixed(progress: Progress, number: int) -> Progress:
    return lambda line: progress(f"round {number}: {line}")


def _judged(
    whole: Whole, allowed: tuple[Flags, Flags], strategies: tuple[Strategy, Strategy]
) -> tuple[Bracket, tuple[Response, Response]]:
    """What two strategies prove, and the best responses that prove it."""
    one = best_response(whole, 0, strategies[1], allowed[0])
    two = best_response(whole, 1, strategies[0], allowed[1])
    return Bracket(-two.value, one.value, strategies), (one, two)


def _additions(
    whole: Whole, allowed: tuple[Flags, Flags], responses: tuple[Response, Response], phase: Phase, gap: Number
) -> tuple[Flags, Flags]:
    """The moves to add for each player: those that gain a share of the gap, or else those that gain at all."""
    for threshold in (max(phase.floor, phase.share * gap), phase.floor):
        one, two = (
            improving(side, flags, response, threshold)
            for side, flags, response in zip(whole.sides, allowed, responses, strict=True)
        )
        if one.any() or two.any():
            break
    return one, two


def _line(whole: Whole, state: State) -> str:
    lower, upper = _values(whole, state.bracket)
    part = f"{state.nodes:,} of {len(whole.tree):,} nodes"
    return f"round {state.rounds}: gap {upper - lower:.2g}, value from {lower:.6g} to {upper:.6g}, {part}"


def _values(whole: Whole, bracket: Bracket) -> tuple[float, float]:
    """The bracket in the game's own payoffs."""
    middle, half = whole.form.middle, whole.form.half
    lower, upper = (float(middle + half * Fraction(bound)) for bound in (bracket.lower, bracket.upper))
    return lower, upper


def _found(whole: Whole, state: State, ended: Ended, why: str = "") -> Found:
    """The strategies of *state*; with *why* it ended before it was exact, what they prove is said too."""
    rounds = f"{state.rounds:,} round{'' if state.rounds == 1 else 's'}"
    message = f"{rounds}, the last on {state.nodes:,} of {len(whole.tree):,} nodes"
    if why:
        lower, upper = _values(whole, state.bracket)
        message = f"{why}; {message}: the value is from {lower:.9g} to {upper:.9g}"
    return Found((joined(whole, state.bracket.strategies, DENOMINATOR),), ended, message)
