"""What a picture is of: a game by itself, a solution, or any strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from ..base.errors import NotApplicableError
from ..base.rationals import Number, brief
from ..forms.extensive import GameTree, constant_sum
from ..games.protocol import DealtGame
from ..players.evaluation import Match
from ..players.strategy_choice import AUTO, Arrays, choose
from ..players.strategy_given import TIMEOUT, find, shown, table_of
from ..players.strategy_measures import Measured, OnSupport, OnTree
from ..players.strategy_seats import Given, completion, on_tree
from ..proof import Verdict, verify, verify_sparse
from ..proof.certificate import read_sparse
from ..strategies.profile_file import read_solution
from ..strategies.sparse_profile import SparseProfile
from ..strategies.support_tree import support_tree
from ..strategies.table_view import table_view
from ..strategies.tree_profile import Profile
from .common import Source


@dataclass(frozen=True)
class Drawn:
    """A tree, the profile on it (or None), what the picture says of that, and the strategies that the tree was cut
    down to, where it was."""

    tree: GameTree
    profile: Profile | None
    caption: str
    sparse: SparseProfile | None = None


def solved(given: Source, solution: Path, which: int | None, table: bool, max_nodes: int) -> Drawn:
    """The equilibrium in the file *solution*, verified here and now rather than believed."""
    tree = given.tree(max_nodes) if given.game is None else None
    sparse = read_sparse(solution, tree if tree is not None else given.game)
    if sparse is None:
        if table:
            raise click.UsageError(f"--table needs a solution found without a tree; {solution} is one of a tree")
        tree = tree if tree is not None else given.tree(max_nodes)
        profile = read_solution(solution, tree, which)
        return Drawn(tree, profile, verdict_in_words(profile))
    if which is not None:
        raise click.UsageError(f"--which is for solutions with several equilibria; {solution} has one")
    shown = sparse_picture(sparse, table, max_nodes) if tree is None or table else sparse.on(tree)
    return Drawn(shown.tree, shown, verdict_in_words(sparse), sparse)


def played(
    given: Source, strategy: str, table: bool, max_nodes: int, progress: Callable[[str], None], method: str = AUTO
) -> Drawn:
    """A strategy in all seats, by a player's name or from a file, as in ``evaluate``: no claim that it is any good.

    Over the tree where that is small, else over what sparse strategies lead to, or as *method* says.
    Raises what finding and measuring the strategy raises, and ``NotApplicableError`` for one that can only be measured
    over arrays.
    """
    seats = table_of(given.subject(max_nodes), max_nodes, TIMEOUT, progress)
    name, plays = find(strategy, seats)
    measure = choose(method, seats, [plays], None, Arrays(None, False, progress, progress))
    if isinstance(measure, OnSupport) and isinstance(seats.game, DealtGame):
        # The measure has made sure that each seat has such a form.
        forms = [measure.form(plays, player) for player in range(len(seats.game.players))]
        sparse = SparseProfile(seats.game, tuple(f.strategies[p] for p, f in enumerate(forms) if f is not None))
        shown = sparse_picture(sparse, table, max_nodes)
        said = _worth(name, shown.tree, measure.match([plays] * len(forms)), True)
        return Drawn(shown.tree, shown, said, sparse)
    if not isinstance(measure, OnTree):
        raise NotApplicableError(f"{strategy} plays over all of {seats.title}, which is too large for a picture")
    if table:
        raise click.UsageError(f"--table needs strategies without a tree; {strategy} is one of a tree")
    profile = _on_tree(plays, measure)
    found = measure.match([plays] * len(profile.tree.players))
    return Drawn(profile.tree, profile, _worth(name, profile.tree, found, profile.exact))


def _on_tree(plays: Given, measure: OnTree) -> Profile:
    ground = measure.ground
    rows: dict[int, tuple[Number, ...]] = {}
    for player in range(len(ground.tree.players)):
        rows |= on_tree(plays, player, ground, completion(plays, None, ground.game))[0]
    return Profile.from_personal(ground.tree, rows)


def _worth(name: str, tree: GameTree, found: Measured, exact: bool) -> str:
    """What the picture says: what all get, and what they could gain."""
    match = Match((name,) * len(tree.players), found.value, found.best)
    one = len(tree.players) == 2 and constant_sum(tree) is not None
    pairs = zip(found.value, tree.players[: 1 if one else None], strict=False)
    worth = ", ".join(f"{_minus(brief(value))} to {who}" for value, who in pairs)
    gain = f"NashConv {_minus(brief(match.nash_conv))} ({'exact' if exact else 'in floats'})"
    return f"{shown(name)} in all seats: worth {worth}; {gain}"


def _minus(number: str) -> str:
    return number.replace("-", "\u2212")


def sparse_picture(profile: SparseProfile, table: bool, max_nodes: int) -> Profile:
    """What is drawn of strategies without a tree: what the table sees, or the tree of all that is played."""
    if table:
        return table_view(profile, max_nodes=max_nodes)
    return profile.on(support_tree(profile, max_nodes=max_nodes))


def verdict_in_words(profile: Profile | SparseProfile) -> str:
    """What the picture says of the profile, verified here and now rather than taken from the file."""
    try:
        if isinstance(profile, SparseProfile):
            return caption_for(profile.game.players, verify_sparse(profile))
        return caption_for(profile.tree.players, verify(profile))
    except NotApplicableError:
        return ""


def caption_for(players: tuple[str, ...], verdict: Verdict) -> str:
    """A verdict as the line under a picture's title."""
    from ..display.trees import caption_of

    return caption_of(players, verdict)
