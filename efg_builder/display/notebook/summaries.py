"""Games, trees, solutions and what was verified of them: a few facts each, where no picture is small enough."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from ...base.rationals import Number, brief
from ...equilibria.openings import Bluffing, ahead, bluffing
from ...forms.extensive import GameTree
from ...games.protocol import Game
from ..trees import caption_of
from ..trees.style import percent
from .markup import facts, worth, worths
from .strategies import profile_table, sparse_table

if TYPE_CHECKING:
    from ...equilibria.solution import Solution
    from ...forms.normal_form import NormalForm
    from ...proof import BestResponse, SequentialVerdict, Verdict
    from ...proof.certificate import Proof


def game_html(game: Game) -> str:
    """The rules, and how large the tree would be: it is not built."""
    size = game.size()
    rows = [("rules", game.comment), ("players", ", ".join(game.players))]
    if size is not None:
        rows += [("nodes", f"{size.nodes:,}"), ("information sets", " + ".join(f"{n:,}" for n in size.infosets))]
    return facts(game.title, [*rows, *(("note", words) for words in game.notes)])


def tree_html(tree: GameTree) -> str:
    """A tree that is too large for a picture."""
    counts, owners = tree.node_counts, [tree.infosets[k].player for k in tree.personal]
    sets = " + ".join(f"{owners.count(player):,}" for player in range(min(len(tree.players), 8)))
    nodes = f"{counts['nodes']:,}, {counts['terminal_nodes']:,} of them ends of play"
    rows = [("rules", tree.comment), ("players", ", ".join(tree.players[:8])), ("nodes", nodes)]
    rows += [("information sets", sets), ("picture", "too large for a cell; eb.draw(tree, path) folds it")]
    return facts(tree.title, rows)


def solution_html(solution: Solution) -> str:
    """A solution that is too large for a picture: what was proved, and what the strategies do."""
    verdict = solution.verdict
    judged = solution.status if verdict is None else caption_of(solution.players, verdict)
    rows = [("status" if verdict is None else "verified", judged), ("method", solution.method)]
    if solution.value is not None:
        lead = ahead(solution, solution.game)
        rows.append(("value", worths(solution.players, solution.value) + (f"; {lead}" if lead else "")))
    if not solution.exact:
        rows.append(("bounds", bounds_words(solution.lower, solution.upper)))
    bluffs = [f"{each.player} {percent(each.share)}" for each in _bluffs(solution)]
    rows += [("bids that are bluffs", ", ".join(bluffs)), ("message", solution.message)]
    return facts(solution.title, rows) + _strategies(solution)


def _bluffs(solution: Solution) -> Sequence[Bluffing]:
    # Over everything that is written down: for large certificates that is more than a cell should take.
    small = solution.sparse is None or sum(solution.sparse.sizes) <= 5_000
    large_tree = solution.tree is not None and len(solution.tree.personal) > 50_000
    return bluffing(solution, solution.game) if small and not large_tree else ()


def _strategies(solution: Solution) -> str:
    if solution.sparse is not None:
        return sparse_table(solution.sparse)
    if solution.profile is None:
        return ""
    return profile_table(solution.profile, solution.verdict.reach if solution.verdict else ())


def bounds_words(lower: Number | None, upper: Number | None) -> str:
    """What player 1 is sure of, and what player 2 allows; empty where the players do not divide a constant sum."""
    if lower is None or upper is None:
        return ""
    if lower == upper:
        how = "proved" if isinstance(lower, Fraction) and isinstance(upper, Fraction) else "in floats"
        return f"{how}: the first player is sure of {worth(lower)}, the second allows no more"
    return f"the first player is sure of {worth(lower)}, the second allows {worth(upper)}"


def verdict_html(verdict: Verdict) -> str:
    """A verdict on a profile."""
    names = [f"player {n + 1}" for n in range(len(verdict.value))]
    visited: tuple[int, ...] = getattr(verdict, "visited", ())
    rows = [
        ("value", worths(names, verdict.value)),
        ("best responses", worths(names, verdict.best_responses)),
        ("regret", worth(verdict.regret)),
        ("bounds", bounds_words(verdict.lower, verdict.upper)),
        ("arithmetic", "exact, in fractions" if verdict.exact else "floats"),
        ("histories visited", " + ".join(f"{n:,}" for n in visited)),
    ]
    return facts("An equilibrium" if verdict.equilibrium else "Not an equilibrium", rows)


def sequential_html(verdict: SequentialVerdict) -> str:
    """A verdict at every information set."""
    title = "sequential equilibrium by the stated mistakes"
    rows = [
        ("game", verdict.profile.tree.title),
        ("information sets judged", f"{len(verdict.gains):,}"),
        ("greatest gain at one", worth(verdict.gain)),
        ("beliefs", f"at {len(verdict.beliefs):,} nodes"),
    ]
    return facts(f"{'A' if verdict.sequential else 'No'} {title}", rows)


def response_html(response: BestResponse) -> str:
    """A best response."""
    rows = [("value", worth(response.value)), ("actions chosen", f"at {len(response.actions):,} information sets")]
    return facts(f"A best response of player {response.player + 1}", rows)


def proof_html(proof: Proof) -> str:
    """What was proved from a solution's file."""
    visited = () if proof.visited is None else proof.visited
    rows = [
        ("claim", proof.status),
        ("value", worths(proof.players, proof.value)),
        ("bounds", bounds_words(proof.lower, proof.upper)),
        ("regret", worth(proof.regret)),
        ("checked", proof.checked),
        ("information sets written", " + ".join(f"{n:,}" for n in proof.written)),
        ("histories visited", " + ".join(f"{n:,}" for n in visited)),
        ("nodes", "" if proof.nodes is None else f"{proof.nodes:,}"),
    ]
    return facts(f"{'Proved' if proof.exact else 'Checked'}: {proof.title}", rows)


def form_html(form: NormalForm) -> str:
    """A normal form: its size; the cells are not listed."""
    one, two = form.tree.players
    rows, columns = form.shape
    total = "vary" if form.total is None else f"sum to {worth(form.total)}"
    return facts(
        f"Normal form of {form.tree.title}",
        [
            ("plans", f"{rows:,} of {one} (rows), {columns:,} of {two} (columns)"),
            ("payoffs", total),
            ("more", "eb.analyse_matrix(form) is a picture"),
        ],
    )


class Printer(Protocol):
    """IPython's pretty printer."""

    def text(self, obj: str) -> None:
        """Write."""


def pretty(found: object, printer: Printer, cycle: bool) -> None:
    """A line instead of a ``repr`` over all information sets: what it is, of which game, and the value."""
    holder = next((each for name in ("form", "profile") if (each := getattr(found, name, None)) is not None), found)
    tree, value = getattr(holder, "tree", None), getattr(found, "value", ())
    of = "" if tree is None else f" of {tree.title!r}"
    values = ", ".join(map(brief, value if isinstance(value, tuple) else (value,)))
    printer.text(f"<{type(found).__name__}{of}{': value ' if values else ''}{values}>")
