"""What a picture is of: a game by itself, a solution, or any strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import click

from ..base.errors import NotApplicableError, RecallError
from ..base.rationals import Number, brief
from ..base.words import NOBODY_SURE, minus
from ..forms.extensive import GameTree, constant_sum
from ..players import TIMEOUT
from ..players.evaluate import unwritten
from ..players.find import AUTO, find, measured_over, shown, table_of
from ..proof import Verdict, verify
from ..proof.best_response import values
from ..proof.certificate import read_solved
from ..strategies.sparse_profile import SparseProfile
from ..strategies.support_tree import support_tree
from ..strategies.table_view import table_view
from ..strategies.tree_profile import TreeProfile
from . import say
from .common import Source

VIEW_TABLE = "--view table"


@dataclass(frozen=True)
class Drawn:
    """A tree, the profile on it (or None), what the picture says of that, the strategies that the tree was cut
    down to, where it was, and whether they were verified as an equilibrium."""

    tree: GameTree
    profile: TreeProfile | None
    caption: str
    sparse: SparseProfile | None = None
    equilibrium: bool = False


class Limits(NamedTuple):
    """How long the player ``equilibrium`` may solve, in seconds, and which bracket of the value is near enough."""

    timeout: float = TIMEOUT
    gap: Fraction | None = None


def solved(given: Source, solution: Path, which: int | None, table: bool, max_nodes: int) -> Drawn:
    """The equilibrium in the file *solution*, verified here and now rather than believed."""
    tree = cache(partial(given.tree, max_nodes))
    found = read_solved(solution, given.game if given.game is not None else tree(), tree, which)
    if isinstance(found, TreeProfile):
        if table:
            raise click.UsageError(f"{VIEW_TABLE} needs a solution found without a tree; {solution} is one of a tree")
        return Drawn(found.tree, found, verdict_in_words(found))
    if which is not None:
        raise click.UsageError(f"--which is for solutions with several equilibria; {solution} has one")
    shown = found.on(tree()) if given.game is None and not table else sparse_picture(found, table, max_nodes)
    return Drawn(shown.tree, shown, verdict_in_words(found), found)


def played(
    given: Source,
    strategy: str,
    table_only: bool,
    max_nodes: int,
    progress: Callable[[str], None],
    limits: Limits,
    method: str = AUTO,
) -> Drawn:
    """A strategy in all seats, by a player's name or from a file, as in ``evaluate``: no claim that it is any good.

    Over the tree where that is small, else over what sparse strategies lead to, or as *method* says.
    Raises what finding and measuring the strategy raises, and ``NotApplicableError`` for one that can only be measured
    over arrays.
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
        if isinstance(form, TreeProfile) and not table_only:  # payoffs are defined all the same
            said = _worth(plays.name, form.tree, values(form).value, f"no NashConv: {error}")
            return Drawn(form.tree, form, said)
        raise
    gains = [best - value for best, value in zip(verdict.best_responses, verdict.value, strict=True)]
    how = "in floats" if not verdict.exact else "exact" if verdict.error_bound is None else "at most"
    gain = f"NashConv {minus(brief(sum(gains[1:], start=gains[0])))} ({how})"
    gain += f"; {NOBODY_SURE}" if verdict.equilibrium and len(verdict.value) > 2 else ""
    if isinstance(form, SparseProfile):
        seen = sparse_picture(form, table_only, max_nodes)
        return Drawn(seen.tree, seen, _worth(plays.name, seen.tree, verdict.value, gain), form, verdict.equilibrium)
    if table_only:
        raise click.UsageError(f"{VIEW_TABLE} needs strategies without a tree; {strategy} is one of a tree")
    assert isinstance(form, TreeProfile)
    return Drawn(form.tree, form, _worth(plays.name, form.tree, verdict.value, gain), equilibrium=verdict.equilibrium)


def _worth(name: str, tree: GameTree, value: tuple[Number, ...], gain: str) -> str:
    """What the picture says: what all get, and what they could *gain*."""
    one = len(tree.players) == 2 and constant_sum(tree) is not None
    pairs = zip(value, tree.players[: 1 if one else None], strict=False)
    worth = ", ".join(f"{minus(brief(value))} to {who}" for value, who in pairs)
    return f"{shown(name)} in all seats: worth {worth}; {gain}"


def sparse_picture(profile: SparseProfile, table: bool, max_nodes: int) -> TreeProfile:
    """What is drawn of strategies without a tree: what the table sees, or the tree of all that is played."""
    if table:
        return table_view(profile, max_nodes=max_nodes)
    return profile.on(support_tree(profile, max_nodes=max_nodes))


def verdict_in_words(profile: TreeProfile | SparseProfile) -> str:
    """What the picture says of the profile, verified here and now rather than taken from the file."""
    try:
        players = profile.tree.players if isinstance(profile, TreeProfile) else profile.game.players
        return caption_for(players, verify(profile))
    except NotApplicableError:
        return ""


def caption_for(players: tuple[str, ...], verdict: Verdict) -> str:
    """A verdict as the line under a picture's title."""
    from ..display.trees import caption_of

    return caption_of(players, verdict)
