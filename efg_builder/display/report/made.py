"""Where the page comes from."""

from __future__ import annotations

from html import escape

from ...base.version import __version__
from .about import About
from .markup import Section, command, paragraph


def section(about: About) -> Section:
    """The command that made the page; the same command makes the same page."""
    version = f"With efg-builder {escape(__version__)}, this makes the page anew:"
    return Section("made", "How this page was made", paragraph(version) + command(about.commands.report))
