"""The mark beside what is not forced: other equilibria do otherwise there."""

from __future__ import annotations

from collections.abc import Collection

from .markup import Cell, paragraph


def marks(free: frozenset[int] | None, infoset: int) -> list[Cell]:
    """The cell that ends the row of an information set; none where it is not known what is *free*."""
    if free is None:
        return []
    title = ' title="other equilibria do otherwise"'
    return [Cell(f"<span{title}>free</span>" if infoset in free else "", "free")]


def note(free: frozenset[int] | None, shown: Collection[int]) -> list[str]:
    """What the mark means, below a table of the information sets *shown*; nothing where none has it."""
    if free is None:
        return []
    if free.isdisjoint(shown):
        return [paragraph("All equilibria do the same here.", "note")]
    rest = "" if free.issuperset(shown) else " All other rows are forced."
    return [paragraph(f"<em>Free</em>: other equilibria do otherwise.{rest}", "note")]
