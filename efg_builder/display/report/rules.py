"""The rules in words, for these parameters."""

from __future__ import annotations

import re
from html import escape

from .about import About
from .markup import Section, bullets, paragraph


def section(about: About) -> Section | None:
    """The rules as the game explains them; of a file its comment; nothing where there is none."""
    if about.game is not None:
        told = [re.sub(r"(?<=\s)-(?=\d)", "−", escape(part)) for part in about.game.explain()]
    else:
        told = [escape(about.tree.comment)] if about.tree is not None and about.tree.comment.strip() else []
    if not told:
        return None
    body = paragraph(told[0]) if len(told) == 1 else bullets(told)
    return Section("rules", "The rules" if about.game is not None else "About the game", body)
