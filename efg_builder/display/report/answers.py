"""What is played after the opening: information set by information set, where play gets to."""

from __future__ import annotations

from html import escape

import numpy as np

from ...base.rationals import Number, is_played
from ...equilibria.openings import openings
from ...forms.extensive import Infoset
from .about import About
from .explore import explored
from .free import marks, note
from .markup import Cell, Section, listed, often, paragraph, plural, share, table

MOST_SETS = 40
"""Information sets in the table; of games of bidding, which have tables of their own, all or none."""


def section(about: About) -> Section | None:
    """A table of information sets that are reached, and what is played there."""
    if about.played is None:
        return None
    tree, reach = about.played.tree, _reach(about)
    first = {(opening.player, opening.hand) for opening in openings(about.played)}
    sets = [k for k in tree.personal if reach.get(k) and _name(about, tree.infosets[k]) not in first]
    if not sets:
        return None
    if about.bidding is not None and len(sets) > MOST_SETS:
        return Section("answers", "How to go on", paragraph(_elsewhere(about, len(sets))))
    kept = set(sorted(sets, key=lambda k: (-reach[k], k))[:MOST_SETS])
    depth = {k: int(tree.depth[np.flatnonzero(tree.infoset == k)[0]]) for k in kept}
    rows: list[list[str | Cell]] = []
    for k in sorted(kept, key=lambda k: (depth[k], k)):
        infoset = tree.infosets[k]
        row = zip(infoset.actions, about.played.probabilities[k], strict=True)
        moves = [f"{escape(a)} always" if p == 1 else f"{escape(a)} {often(p)}" for a, p in row if is_played(p)]
        player, name = map(escape, _name(about, infoset))
        shown = Cell(player, "name"), Cell(share(reach[k]), "number"), listed(moves)
        rows.append([name, *shown, *marks(about.free, k)])
    head = (*_HEAD, *([""] if about.free is not None else []))
    parts = [paragraph(_words(about)), table(f"What is played, {about.here}", head, rows, "moves met")]
    parts += note(about.free, kept)
    if len(sets) > len(rows):
        parts.append(paragraph(f"And {plural(len(sets) - len(rows), 'more information set')}, less often met."))
    return Section("answers", "How to go on", "\n".join(parts))


_HEAD: tuple[str, ...] = ("what the player knows", "player", "met", "what to play")


def _words(about: About) -> str:
    knows = "one's own hand, and after the colon the moves so far" if about.dealt is not None else "an information set"
    return (
        f"Each row is what a player knows at a turn: {knows}. <em>Met</em>: in how many rounds that comes up. "
        "Only what comes up is listed; first moves are above."
    )


def _elsewhere(about: About, sets: int) -> str:
    """Where the later moves are to be found, where they are too many for a table."""
    below = '<span class="only-screen">, and the viewer below shows each of them</span>'
    explore = below if explored(about) else ""
    return (
        f"After the first bid play can come to {plural(sets, 'information set')}: too many for a table here. Who calls "
        f"which bid with which hand is told above{explore}; the file of the certificate has them all, with exact "
        "probabilities."
    )


def _name(about: About, infoset: Infoset) -> tuple[str, str]:
    """The player and the set, as ``Opening`` names them."""
    return about.players[infoset.player], infoset.label or f"set {infoset.number}"


def _reach(about: About) -> dict[int, Number]:
    """How likely each information set is."""
    assert about.played is not None
    found: dict[int, Number] = {}
    for k, chance in zip(about.played.tree.infoset.tolist(), about.reach, strict=True):
        if k >= 0 and chance:
            found[k] = found.get(k, 0) + chance
    return found
