"""A self-contained page with styles, data and scripts, and with a policy that forbids network access."""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ...base.errors import ParameterError
from ...base.files import PAGES, check_path, check_writable
from ..markup import render


@dataclass(frozen=True)
class Part:
    """All or part of a page's body, with the files from this package and the data (by identifier) that the body needs.

    Scripts read the data with ``unpacked(identifier)`` from ``src/data.js``.
    """

    body: Markup
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    data: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def check_page(path: str | os.PathLike[str], what: str) -> None:
    """Raise ``ParameterError`` if *path* has the wrong suffix, and ``FileError`` if it cannot be written."""
    check_path(path)
    if Path(path).suffix.lower() not in PAGES:
        raise ParameterError(f"{path}: {what} is a page, so its file must end in {' or '.join(PAGES)}")
    check_writable(path)


def page(title: str, part: Part) -> str:
    """Return an HTML document with *part*."""
    return render("page.html", title=title, part=part, asset=asset, packed=packed)


@cache
def asset(name: str) -> Markup:
    """Return the text of a file in this package: a style sheet or a bundled script."""
    return Markup(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def packed(data: Mapping[str, Any]) -> str:
    """Return *data* as base64 of compressed JSON; equal data give equal text."""
    raw = json.dumps(data, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    return base64.b64encode(gzip.compress(raw, compresslevel=9, mtime=0)).decode("ascii")
