"""SVG with plain attributes, for every viewer and slide program; equal scenes give equal bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import Any

from .scene import FONT_FAMILY, SIZES, Box, Format, Mark, Point, Scene, Stroke, Text, painted, recolored
from .scene import two_decimals as _n


def write_svg(scene: Scene) -> str:
    width, height = _n(scene.width), _n(scene.height)
    size = f'width="{_n(scene.width * scene.scale)}" height="{_n(scene.height * scene.scale)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}" '
        f'role="img" font-family="{FONT_FAMILY}">',
        f"<title>{_t(scene.title)}</title>",
        f"<desc>{_t(scene.description)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{scene.paper}"/>',
    ]
    parts += (_ELEMENTS[type(item)](item) for item in painted(scene))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def write_svg_for_page(scene: Scene) -> str:
    """Return an SVG that is light or dark like its page; in browsers without ``light-dark``, it is light."""
    pictures = (write_svg(each).splitlines(keepends=True) for each in (scene, recolored(scene, "dark")))
    return "".join(_in_both_schemes(light, dark) for light, dark in zip(*pictures, strict=True))


def _in_both_schemes(light: str, dark: str) -> str:
    colors = (re.findall(' (fill|stroke)="(#[0-9a-f]{6})"', line) for line in (light, dark))
    pairs = [f"{name}:light-dark({one},{other})" for (name, one), (_, other) in zip(*colors, strict=True)]
    return light.replace(" fill=", f' style="{";".join(pairs)}" fill=', 1) if pairs else light


def _box(item: Box) -> str:
    place = f'x="{_n(item.x)}" y="{_n(item.y)}" width="{_n(item.width)}" height="{_n(item.height)}"'
    rim = f' stroke="{item.rim}" stroke-width="{_n(item.line)}"' if item.rim else ""
    rim = f' rx="{_n(item.round)}"{rim}' if item.round else rim
    return _tipped("rect", f'{place} fill="{item.color or "none"}"{rim}', item.tip)


def _stroke(item: Stroke) -> str:
    start, *rest = map(_p, item.points)
    path = f"M{start}{'C' if item.curved else 'L'}{' '.join(rest)}"
    cap = ' stroke-linecap="round"' if item.round else ""
    data = f'd="{path}" fill="none" stroke="{item.color}" stroke-width="{_n(item.width)}"'
    return _tipped("path", f"{data}{cap}", item.tip)


def _mark(item: Mark) -> str:
    shared = f'fill="{item.color}"'
    under = f' stroke="{item.rim}" stroke-width="{SIZES.rim}"' if item.rim else ""
    if item.shape == "circle":
        return _tipped("circle", f'cx="{_n(item.x)}" cy="{_n(item.y)}" r="{_n(item.r)}" {shared}{under}', item.tip)
    corners = " ".join(_p(point) for point in item.corners)
    return _tipped("polygon", f'points="{corners}" {shared}{under}', item.tip)


def _text(item: Text) -> str:
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    bold = ' font-weight="bold"' if item.bold else ""
    base = f'x="{_n(item.x)}" y="{_n(item.y)}" font-size="{_n(item.size)}"{anchor}{bold}'
    words = _t(item.text)
    # Without this attribute, a text would block the tooltip of its node.
    return f'<text {base} fill="{item.color}" pointer-events="none">{words}</text>'


_ELEMENTS: dict[type, Callable[[Any], str]] = {Stroke: _stroke, Box: _box, Mark: _mark, Text: _text}


def _tipped(tag: str, attributes: str, tip: str) -> str:
    return f"<{tag} {attributes}><title>{_t(tip)}</title></{tag}>" if tip else f"<{tag} {attributes}/>"


def _p(point: Point) -> str:
    return f"{_n(point[0])},{_n(point[1])}"


def _t(text: str) -> str:
    """Escape *text*, and replace control characters, which XML forbids, by spaces."""
    return escape("".join(c if c.isprintable() or c == "\n" else " " for c in text), quote=False)


FORMATS = (Format("svg", (".svg",), lambda scene: write_svg(scene).encode()),)
