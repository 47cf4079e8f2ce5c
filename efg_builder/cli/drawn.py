"""What ``draw`` shows: the strategies that the user names, found and verified, with a line on each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import click

from ..base.errors import NotApplicableError, RecallError
from ..base.rationals import Number, brief
from ..base.words import minus
from ..display.trees import caption_of, worth_of
from ..forms.extensive import GameTree, has_value
from ..players.evaluate import unwritten
from ..players.find import AUTO, Table, find, measured_over, shown
from ..players.kinds.equilibrium import NAME as EQUILIBRIUM
from ..proof import Verdict, verify
from ..proof.best_response import values
from ..proof.certificate import read_solved
from ..proof.reach import reaches
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile
from . import say
from .common import Source

UNBELIEVED = "; without --beliefs: the table sees no hands"


@dataclass(frozen=True)
class DrawRequest:
    """What the user names: a game or file, solutions, a strategy for all seats, which equilibrium of a solution.

    ``timeout`` (seconds) and ``gap`` bound the search of the player ``equilibrium``.
    """

    given: Source
    solutions: tuple[Path, ...]
    strategy: str | None
    which: int | None
    max_nodes: int
    timeout: float
    gap: Fraction | None
    progress: Callable[[str], None]

    @cached_property
    def tree(self) -> GameTree:
        """The whole tree. Raises what ``Source.tree`` raises."""
        return self.given.tree(self.max_nodes)


@dataclass(frozen=True)
class DrawnStrategies:
    """Strategies for all players, a line on them, and whether they were verified as an equilibrium."""

    form: TreeProfile | SparseProfile
    caption: str
    equilibrium: bool = False


def solved(asked: DrawRequest, solution: Path) -> DrawnStrategies:
    """The equilibrium in the file *solution*, verified here and now rather than believed."""
    if str(solution).lower().removesuffix(".gz").endswith(".csv"):
        hint = f"--strategy {solution} draws a table of one equilibrium"
        raise click.UsageError(f"--solution {solution}: must be a .json file; {hint}")
    game = asked.given.game
    found = read_solved(solution, game if game is not None else asked.tree, lambda: asked.tree, asked.which)
    if asked.which is not None and isinstance(found, SparseProfile):
        raise click.UsageError(f"--which is for solutions with several equilibria; {solution} has one")
    try:
        return DrawnStrategies(found, caption_of(_players(found), verify(found)))
    except NotApplicableError:
        return DrawnStrategies(found, "")


def played(asked: DrawRequest, method: str = AUTO) -> DrawnStrategies:
    """The strategy in all seats, by a player's name or from a file, as in ``evaluate``: no claim that it is any good.

    Measured over the tree where that is small, else over what sparse strategies lead to, or as *method* says.
    Raises what finding and measuring the strategy raises, and ``NotApplicableError`` for one that can only be
    measured over arrays.
    """
    assert asked.strategy is not None
    subject = asked.given.subject(asked.max_nodes)
    seats = Table(subject, asked.max_nodes, asked.timeout, asked.progress, gap=asked.gap)
    plays = find(asked.strategy, seats)
    if line := unwritten(plays, seats):
        say(line)
    over, (form,) = measured_over(method, seats, [plays])
    if not isinstance(form, TreeProfile | SparseProfile):
        raise NotApplicableError(f"{asked.strategy} plays over all of {seats.title}, which is too large for a picture")
    try:
        verdict = verify(form, over=over)
    except RecallError as error:
        if not isinstance(form, TreeProfile):
            raise
        # Payoffs are defined all the same.
        return DrawnStrategies(form, _in_all_seats(plays.name, form, values(form).value, f"no NashConv: {error}"))
    if plays.name == EQUILIBRIUM and verdict.equilibrium:
        return DrawnStrategies(form, caption_of(_players(form), verdict), True)
    said = _in_all_seats(plays.name, form, verdict.value, _nash_conv(verdict))
    return DrawnStrategies(form, said, verdict.equilibrium)


def _players(form: TreeProfile | SparseProfile) -> tuple[str, ...]:
    return form.tree.players if isinstance(form, TreeProfile) else form.game.players


def _nash_conv(verdict: Verdict) -> str:
    gains = [best - value for best, value in zip(verdict.best_responses, verdict.value, strict=True)]
    how = "in floats" if not verdict.exact else "exact" if verdict.error_bound is None else "at most"
    return f"NashConv {minus(brief(sum(gains[1:], start=gains[0])))} ({how})"


def _in_all_seats(name: str, form: TreeProfile | SparseProfile, value: tuple[Number, ...], gain: str) -> str:
    one = isinstance(form, SparseProfile) or has_value(form.tree)  # sparse profiles are of two players, zero-sum
    players = _players(form)[: 1 if one else None]
    return f"{shown(name)} in all seats: {worth_of(players, value)}; {gain}"


def table_in_words(reach: Fraction | float | None) -> str:
    """What a picture of what the table sees shows, folded by *reach*."""
    return f"what the table sees, all hands together{f', {reached_above(reach)}' if reach is not None else ''}"


def reached_above(reach: Fraction | float) -> str:
    """What a picture folded by *reach* shows."""
    return f"where it is reached{f' with probability above {reach}' if reach else ''}"


def no_beliefs(profile: TreeProfile | None, view: str | None) -> str:
    """Why ``--beliefs`` shows nothing in a picture of *profile*; empty where it shows something."""
    if profile is None or view == "public":
        return ""
    tree = profile.tree
    many = {k for k in tree.personal if int((tree.infoset == k).sum()) > 1}
    if any(p and k in many for k, p in zip(tree.infoset.tolist(), reaches(tree, profile), strict=True)):
        return ""
    return "--beliefs has nothing to show: play gets to no information set of several nodes"
