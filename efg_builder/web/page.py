"""One self-contained page: style, data and scripts in it, and a policy that lets it fetch nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from .payload import packed

_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)


def page(
    title: str,
    body: str,
    *,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    data: Mapping[str, Mapping[str, Any]] | None = None,
) -> str:
    """An HTML document. *body* is markup; *styles* and *scripts* name files of this package, in order.

    Each of *data*, by an identifier of an element, is read by scripts with ``unpacked(id)``.
    """
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        *(f"<style>\n{asset(name)}</style>" for name in styles),
    ]
    stores = [
        f'<script type="application/octet-stream" id="{escape(name)}">{packed(each)}</script>'
        for name, each in (data or {}).items()
    ]
    tail = [f"<script>\n{asset(name)}</script>" for name in scripts]
    lines = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", body, *stores, *tail]
    return "\n".join([*lines, "</body>", "</html>", ""])


@cache
def asset(name: str) -> str:
    """A file of this package, as text: a style sheet or a bundled script."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
