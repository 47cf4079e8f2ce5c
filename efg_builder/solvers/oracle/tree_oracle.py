"""Double oracle on explicit trees: exact equilibria from a small part of the game.

A restricted game of the moves found so far is solved; outside it both players make the default move (see
``oracle.tree_oracle_game``). Best responses over the whole tree then bound the value from both sides, and what
improves is added, until they meet. B. Bosansky, C. Kiekintveld, V. Lisy and M. Pechoucek, "An exact
double-oracle algorithm for zero-sum extensive-form games with imperfect information", JAIR 51 (2014).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from ...base.rationals import Number
from ...forms.extensive import GameTree
from ...strategies.tree_profile import Profile, uniform
from ..lp.highs import TimeLimit
from ..protocol import Ended, Found, Left, Progress, Request, countdown
from .tree_oracle_game import Flags, Whole, has_choices, restrict, whole_game
from .tree_oracle_masters import Master, MasterError, exact, near
from .tree_oracle_response import (
    Response,
    Strategy,
    best_response,
    default_behavior,
    extended,
    improving,
    joined,
    rational,
    strategy,
)

DENOMINATOR = 10**6
"""Bound on the denominators of single probabilities where only floats were found in time."""

FLOOR = 1e-9
"""In floats, what gains less than this share of half the payoff range is noise."""

SHARE = Fraction(1, 100)
"""A move is added where it gains more than this share of the gap: fewer rounds, larger games than with more."""


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


LP_PHASES = (Phase(near, SHARE, FLOOR, False), Phase(exact, SHARE, Fraction(0), True))
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
    """Where the search stands: the moves allowed, and what is known after so many rounds.

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
    # Floats may flatter, and making them rational costs a little: what is given must keep what is promised.
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


def _solved(tree: GameTree, master: Master, left: Left, progress: Progress) -> Profile:
    return master(tree, left, progress) if has_choices(tree) else uniform(tree)


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
