"""The short sections: the rules, how large the game is, and where the page comes from."""

from __future__ import annotations

import re
from html import escape

from ...base.version import __version__
from ...base.words import plural
from ...forms.size import facts
from ..markup import Cell, bullets, command, paragraph, table
from .about import About, Section


def rules_section(about: About) -> Section | None:
    """The rules as the game explains them; of a file its comment; nothing where there is none."""
    if about.game is not None:
        lines = [re.sub(r"(?<=\s)-(?=\d)", "−", escape(part)) for part in about.game.explain()]
    else:
        lines = [escape(about.tree.comment)] if about.tree is not None and about.tree.comment.strip() else []
    if not lines:
        return None
    body = paragraph(lines[0]) if len(lines) == 1 else bullets(lines)
    return Section("rules", "The rules" if about.game is not None else "About the game", body)


def size_section(about: About) -> Section:
    """Nodes, information sets, deals and hands, exact at any size."""
    subject = about.game if about.game is not None else about.tree
    assert subject is not None
    known = facts(subject)
    rows: list[tuple[str, int]] = []
    if about.dealt is not None:
        counts = zip(about.players, about.dealt.hand_counts, strict=True)
        rows += [(f"Hands that {escape(name)} can have", count) for name, count in counts]
        rows.append(("Deals (combinations of hands)", about.dealt.deal_count))
        what = "Different bidding sequences" if about.bidding is not None else "Different sequences of moves"
        rows.append((what, about.dealt.public_size().ends))
    rows.append(("Nodes of the game tree", known["nodes"]))
    rows += [
        (f"… where {what}", known[key])
        for what, key in (("chance moves", "chance_nodes"), ("a player moves", "decision_nodes"))
    ]
    rows.append(("… where play ends", known["terminal_nodes"]))
    sets = zip(about.players, known["infosets_by_player"], strict=True)
    rows += [(f"Information sets of {escape(name)}", count) for name, count in sets]
    cells = [(name, Cell(f'<data value="{count}">{count:,}</data>', "number")) for name, count in rows]
    body = paragraph(_size_in_words(about, known["nodes"])) + table(
        "The game in numbers", ("", "number"), cells, "sizes"
    )
    return Section("size", "How large the game is", body)


def _size_in_words(about: About, nodes: int) -> str:
    hidden = ", hidden dice or cards included" if about.game is not None else ""
    whole = (
        f"A node is a point in one course of the game{hidden}. An information set is what a "
        "player knows at a turn: one decision to be made."
    )
    if about.solution.sparse is None:
        return whole
    written = sum(about.solution.sparse.sizes)
    return (
        f"{whole} Of all of them, the strategies of this report need {plural(written, 'information set')}; anywhere "
        "else a player makes the move that ends play soonest."
    )


def made_section(about: About) -> Section:
    """The command that made the page; the same command makes the same page."""
    version = f"With efg-builder {escape(__version__)}, this makes the page anew:"
    return Section("made", "How this page was made", paragraph(version) + command(about.commands.report))
