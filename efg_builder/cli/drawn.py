"""What a picture is of: a game by itself, a solution, or any strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import click

from ..base.errors import NotApplicableError, RecallError, TreeTooLargeError
from ..base.rationals import Number, brief
from ..base.words import minus
from ..display.trees.options import MAX_NODES
from ..forms.extensive import GameTree, has_value
from ..players import TIMEOUT
from ..players.evaluate import unwritten
from ..players.find import AUTO, find, measured_over, shown, table_of
from ..players.kinds.equilibrium import NAME as EQUILIBRIUM
from ..proof import Verdict, verify
from ..proof.best_response import values
from ..proof.certificate import read_solved
from ..proof.reach import reaches
from ..strategies.sparse_profile import SparseProfile
from ..strategies.support_tree import support_tree
from ..strategies.table_view import table_view
from ..strategies.tree_profile import TreeProfile
from . import say
from .common import Source

VIEW_TABLE = "--view table"
UNBELIEVED = "; without --beliefs: the table sees no hands"


@dataclass(frozen=True)
class Drawn:
    """A tree, the profile on it (or None), what the picture says of that, the strategies that the tree was cut
    down to, where it was, whether they were verified as an equilibrium, and whether it is what the table sees."""

    tree: GameTree
    profile: TreeProfile | None
    caption: str
    sparse: SparseProfile | None = None
    equilibrium: bool = False
    table: bool = False


class Limits(NamedTuple):
    """How long the player ``equilibrium`` may solve, in seconds, and which bracket of the value is near enough."""

    timeout: float = TIMEOUT
    gap: Fraction | None = None


def solved(
    given: Source, solution: Path, which: int | None, view: str | None, max_nodes: int, part: bool = False
) -> Drawn:
    """The equilibrium in the file *solution*, verified here and now rather than believed.

    *view* and *part* as in ``seen_as``.
    """
    if str(solution).lower().removesuffix(".gz").endswith(".csv"):
        hint = f"--strategy {solution} draws a table of one equilibrium"
        raise click.UsageError(f"--solution {solution}: must be a .json file; {hint}")
    tree = cache(partial(given.tree, max_nodes))
    found = read_solved(solution, given.game if given.game is not None else tree(), tree, which)
    if isinstance(found, TreeProfile):
        if view == "table":
            raise click.UsageError(f"{VIEW_TABLE} needs a solution found without a tree; {solution} is one of a tree")
        return Drawn(found.tree, found, verdict_in_words(found))
    if which is not None:
        raise click.UsageError(f"--which is for solutions with several equilibria; {solution} has one")
    if given.game is None and view != "table":
        shown, table = found.on(tree()), False
    else:
        shown, table = seen_as(found, view, max_nodes, part)
    return Drawn(shown.tree, shown, verdict_in_words(found), found, table=table)


def played(
    given: Source,
    strategy: str,
    view: str | None,
    max_nodes: int,
    progress: Callable[[str], None],
    limits: Limits,
    method: str = AUTO,
    part: bool = False,
) -> Drawn:
    """A strategy in all seats, by a player's name or from a file, as in ``evaluate``: no claim that it is any good.

    Over the tree where that is small, else over what sparse strategies lead to, or as *method* says.
    *view* and *part* as in ``seen_as``. Raises what finding and measuring the strategy raises, and
    ``NotApplicableError`` for one that can only be measured over arrays.
    """
    seats = table_of(given.subject(max_nodes), max_nodes, limits.timeout, progress, gap=limits.gap)
    plays = find(strategy, seats)
    if line := unwritten(plays, seats):
        say(line)
    over, (form,) = measured_over(method, seats, [plays])
    if over == "dense":
        raise NotApplicableError(f"{strategy} plays over all of {seats.title}, which is too large for a picture")
    try:
        verdict = verify(form, over=over)
    except RecallError as error:
        if isinstance(form, TreeProfile) and view != "table":  # payoffs are defined all the same
            said = _worth(plays.name, form.tree, values(form).value, f"no NashConv: {error}")
            return Drawn(form.tree, form, said)
        raise
    if isinstance(form, SparseProfile):
        seen, table = seen_as(form, view, max_nodes, part)
        return Drawn(seen.tree, seen, _said(plays.name, seen.tree, verdict), form, verdict.equilibrium, table)
    if view == "table":
        raise click.UsageError(f"{VIEW_TABLE} needs strategies without a tree; {strategy} is one of a tree")
    assert isinstance(form, TreeProfile)
    return Drawn(form.tree, form, _said(plays.name, form.tree, verdict), equilibrium=verdict.equilibrium)


def _said(name: str, tree: GameTree, verdict: Verdict) -> str:
    """What the picture says of a strategy in all seats; of an equilibrium found for it, what it says of a solution."""
    if name == EQUILIBRIUM and verdict.equilibrium:
        return caption_for(tree.players, verdict)
    gains = [best - value for best, value in zip(verdict.best_responses, verdict.value, strict=True)]
    how = "in floats" if not verdict.exact else "exact" if verdict.error_bound is None else "at most"
    gain = f"NashConv {minus(brief(sum(gains[1:], start=gains[0])))} ({how})"
    return _worth(name, tree, verdict.value, gain)


def _worth(name: str, tree: GameTree, value: tuple[Number, ...], gain: str) -> str:
    """What the picture says: what all get, and what they could *gain*."""
    from ..display.trees import worth_of

    worth = worth_of(tree.players[: 1 if has_value(tree) else None], value)
    return f"{shown(name)} in all seats: {worth}; {gain}"


def seen_as(profile: SparseProfile, view: str | None, max_nodes: int, part: bool = False) -> tuple[TreeProfile, bool]:
    """What is drawn of strategies without a tree, and whether that is what the table sees.

    Else it is the tree of all that is played. Where no *view* is named, it is that tree if it may make a picture, whole
    or, where only a *part* of it is asked for, folded.
    """
    if view is None:
        few = part and profile.game.deal_count <= MAX_NODES
        try:
            return seen_as(profile, "tree", max_nodes if few else min(max_nodes, MAX_NODES))
        except TreeTooLargeError:
            view = "table"
    if view == "table":
        return table_view(profile, max_nodes=max_nodes), True
    return profile.on(support_tree(profile, max_nodes=max_nodes)), False


def table_in_words(reach: Fraction | float | None) -> str:
    """What a picture of what the table sees shows, folded by *reach*."""
    return f"what the table sees, all hands together{f', {reached_above(reach)}' if reach is not None else ''}"


def reached_above(reach: Fraction | float) -> str:
    """What a picture folded by *reach* shows."""
    return f"where it is reached{f' with probability above {reach}' if reach else ''}"


def verdict_in_words(profile: TreeProfile | SparseProfile) -> str:
    """What the picture says of the profile, verified here and now rather than taken from the file."""
    try:
        players = profile.tree.players if isinstance(profile, TreeProfile) else profile.game.players
        return caption_for(players, verify(profile))
    except NotApplicableError:
        return ""


def no_beliefs(profile: TreeProfile | None, view: str | None) -> str:
    """Why ``--beliefs`` shows nothing in a picture of *profile*; empty where it shows something."""
    if profile is None or view == "public":
        return ""
    tree = profile.tree
    many = {k for k in tree.personal if int((tree.infoset == k).sum()) > 1}
    if any(p and k in many for k, p in zip(tree.infoset.tolist(), reaches(tree, profile), strict=True)):
        return ""
    return "--beliefs has nothing to show: play gets to no information set of several nodes"


def caption_for(players: tuple[str, ...], verdict: Verdict) -> str:
    """A verdict as the line under a picture's title."""
    from ..display.trees import caption_of

    return caption_of(players, verdict)
