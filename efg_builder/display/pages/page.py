"""One self-contained page: style, data and scripts in it, and a policy that lets it fetch nothing."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from itertools import chain
from typing import Any

_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)


@dataclass(frozen=True)
class Part:
    """A piece of a page: markup, the files of this package that it needs, and its data by identifiers of elements.

    Scripts read the data with ``unpacked(identifier)`` of ``src/data.js``.
    """

    body: str
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    data: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def page(title: str, parts: Sequence[Part]) -> str:
    """An HTML document of *parts*, one below the other; style sheets and scripts that several need go in once."""
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        *(f"<style>\n{asset(name)}</style>" for name in _once(part.styles for part in parts)),
    ]
    stores = [
        f'<script type="application/octet-stream" id="{escape(name)}">{packed(each)}</script>'
        for part in parts
        for name, each in part.data.items()
    ]
    tail = [f"<script>\n{asset(name)}</script>" for name in _once(part.scripts for part in parts)]
    bodies = [part.body for part in parts]
    lines = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", *bodies, *stores, *tail]
    return "\n".join([*lines, "</body>", "</html>", ""])


def _once(names: Iterable[tuple[str, ...]]) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(names)))


@cache
def asset(name: str) -> str:
    """A file of this package, as text: a style sheet or a bundled script."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def packed(data: Mapping[str, Any]) -> str:
    """*data* as base64 of compressed JSON: what a page carries; equal data give equal text."""
    raw = json.dumps(data, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    return base64.b64encode(gzip.compress(raw, compresslevel=9, mtime=0)).decode("ascii")
