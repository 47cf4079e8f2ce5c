"""TikZ code in ASCII for pdflatex. It requires the class ``standalone``, or ``article`` with ``geometry``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .scene import GREY, INK, PALE, SIZES, Box, Format, Item, Mark, Point, Scene, Stroke, Text, fill, ink, painted
from .scene import two_decimals as _n

_UNIT = 0.75  # TeX points per pixel of the scene
_LONGEST_SIDE = 14_000.0  # in points; the maximum in TeX is 16,383 points
_PLAYERS = 16
_HEAD = ("title", "comment", "caption", "legend")
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}

_CLASS = r"""\IfFileExists{standalone.cls}
  {\documentclass[tikz]{standalone}}
  {\documentclass{article}\usepackage{tikz}\pagestyle{empty}\parindent=0pt
   \usepackage[paperwidth=%(width)spt,paperheight=%(height)spt,margin=0pt]{geometry}}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{\usepackage{fix-cm}}
\usetikzlibrary{shapes.geometric}
\renewcommand{\familydefault}{\sfdefault}"""


def write_tex(scene: Scene) -> str:
    unit = min(_UNIT * scene.scale, _LONGEST_SIDE / max(scene.width, scene.height))
    return "\n".join(_TexWriter(scene, unit).lines()) + "\n"


@dataclass
class _TexWriter:
    scene: Scene
    unit: float
    colors: dict[str, str] = field(default_factory=dict)
    styles: dict[tuple[str, float, bool, str], str] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        body = list(self._body())
        size = {"width": _n(self.scene.width * self.unit), "height": _n(self.scene.height * self.unit)}
        # Without %, the end of a line would add a space if the fragment is inside a paragraph.
        end = "%" if self.scene.fragment else ""
        yield f"% {comment(self.scene.title)}"
        yield f"% {comment(self.scene.description)}"
        if self.scene.fragment:
            yield "% needs \\usepackage{tikz} and \\usetikzlibrary{shapes.geometric}"
        else:
            yield _CLASS % size
            yield ""
        for color, name in self.colors.items():
            yield f"\\definecolor{{{name}}}{{HTML}}{{{color[1:].upper()}}}{end}"
        yield end
        yield "\\tikzset{"
        yield from self._styles()
        yield "}" + end
        yield end
        if not self.scene.fragment:
            yield "\\begin{document}"
        # With two decimals, a picture 228.6 points wide would become 230 points wide.
        unit = f"{self.unit:.5f}".rstrip("0").rstrip(".")
        yield f"\\begin{{tikzpicture}}[x={unit}pt, y=-{unit}pt]  % one unit is a pixel, y goes down"
        yield f"\\useasboundingbox (0,0) rectangle ({_n(self.scene.width)},{_n(self.scene.height)});"
        yield from body
        yield "\\end{tikzpicture}" + end
        if not self.scene.fragment:
            yield "\\end{document}"

    def _styles(self) -> Iterator[str]:
        dot, dash = self._length(2 * SIZES.node), self._length(SIZES.rim)
        node = f"inner sep=0pt, minimum size={dot}, line width={dash}"
        yield f"  efg decision/.style={{circle, {node}}},"
        yield f"  efg chance/.style={{diamond, {node}}},"
        for (_, size, bold, anchor), name in self.styles.items():
            yield f"  {name}/.style={{anchor={_ANCHORS[anchor]}, inner sep=0pt, font={self._font(size, bold)}}},"

    def _body(self) -> Iterator[str]:
        self.color(self.scene.paper)
        badges = {text.node: text for text in self.scene.texts if text.role == "badge"}
        nodes = [mark for mark in self.scene.marks if mark.node >= 0]
        if nodes:
            yield "% places of the nodes"
        yield from (f"\\coordinate (n{mark.node}) at {_p((mark.x, mark.y))};" for mark in nodes)
        known = {mark.node: (mark.x, mark.y) for mark in nodes}
        part = ""
        for item in painted(self.scene):
            if (now := _part(item)) != part:
                part = now
                yield f"% {part}"
            if isinstance(item, Stroke):
                yield self._stroke(item, known)
            elif isinstance(item, Mark):
                yield self._mark(item, badges.get(item.node) if item.node >= 0 else None)
            elif isinstance(item, Box):
                yield self._box(item)
            elif item.role != "badge":
                yield self._text(item)

    def color(self, color: str) -> str:
        if color not in self.colors:
            names = {INK: "ink", GREY: "grey", PALE: "pale", self.scene.paper: "paper"}
            names |= {ink(player): f"player{player + 1}text" for player in reversed(range(_PLAYERS))}
            names |= {fill(player): f"player{player + 1}" for player in reversed(range(_PLAYERS))}
            self.colors[color] = names.get(color) or f"shade{len(self.colors)}"
        return self.colors[color]

    def _length(self, pixels: float) -> str:
        return f"{_n(pixels * self.unit)}pt"

    def _stroke(self, item: Stroke, known: dict[int, Point]) -> str:
        options = [self.color(item.color), f"line width={self._length(item.width)}"]
        if item.round:
            options.append("line cap=round")
        ends = {known[node]: f"(n{node})" for node in (item.source, item.node) if node in known}
        return f"\\draw[{', '.join(options)}] {_path(item, ends)};"

    def _mark(self, item: Mark, badge: Text | None) -> str:
        place = f"(n{item.node})" if item.node >= 0 else _p((item.x, item.y))
        options = [f"fill={self.color(item.color)}"]
        if item.rim:
            options.append(f"draw={self.color(item.rim)}")
        if item.r != SIZES.node:
            options += [f"line width={self._length(SIZES.rim)}"] if item.rim else []
            shape = f"{place} circle[radius={_n(item.r)}]"
            if item.shape == "diamond":
                shape = " -- ".join([*map(_p, item.corners), "cycle"])
            return f"\\path[{', '.join(options)}] {shape};"
        if badge is not None:
            options.append(f"text={self.color(badge.color)}, font={self._font(badge.size, badge.bold)}")
        kind = "decision" if item.shape == "circle" else "chance"
        letter = escaped(badge.text) if badge is not None else ""
        return f"\\node[efg {kind}, {', '.join(options)}] at {place} {{{letter}}};"

    def _font(self, size: float, bold: bool) -> str:
        letters = _n(size * self.unit)
        return f"\\fontsize{{{letters}}}{{{letters}}}\\selectfont" + ("\\bfseries" if bold else "")

    def _box(self, item: Box) -> str:
        options = [f"fill={self.color(item.color)}"] if item.color else []
        if item.rim:
            options += [f"draw={self.color(item.rim)}", f"line width={self._length(item.line)}"]
        if item.round:
            options.append(f"rounded corners={self._length(item.round)}")
        corner = f"{_p((item.x, item.y))} rectangle ++{_p((item.width, item.height))}"
        return f"\\path[{', '.join(options)}] {corner};"

    def _text(self, item: Text) -> str:
        key = (item.role, item.size, item.bold, item.anchor)
        if key not in self.styles:
            alike = sum(1 for role, *_ in self.styles if role == item.role)
            self.styles[key] = f"efg {item.role}" + (f" {alike + 1}" if alike else "")
        options = [self.styles[key], f"text={self.color(item.color)}"]
        return f"\\node[{', '.join(options)}] at {_p((item.x, item.y))} {{{escaped(item.text)}}};"


def _part(item: Item) -> str:
    if item.role in _HEAD:
        return "title and legend (delete these lines if the paper has its own)"
    if item.role in ("infoset", "rim", "gap"):
        return "information sets"
    if item.role == "edge":
        return "moves"
    return "nodes and their texts"


def _path(item: Stroke, ends: dict[Point, str]) -> str:
    points = item.points
    path = ends.get(points[0]) or _p(points[0])
    if not item.curved:
        return path + "".join(f" -- {ends.get(point) or _p(point)}" for point in points[1:])
    before = points[0]
    for k in range(1, len(points), 3):
        one, two, point = points[k : k + 3]
        name = ends.get(point) or _p(point)
        straight = len({p[0] for p in (before, one, two, point)}) == 1 or before[1] == one[1] == two[1] == point[1]
        path += f" -- {name}" if straight else f" .. controls {_p(one)} and {_p(two)} .. {name}"
        before = point
    return path


def _p(point: Iterable[float]) -> str:
    return f"({','.join(map(_n, point))})"


_NAMED = {"\\": "textbackslash", "^": "textasciicircum", "~": "textasciitilde", "<": "textless", ">": "textgreater"}
_NAMED |= {"|": "textbar", '"': "textquotedblright", "`": "textquoteleft", "…": "dots"}
_NAMED |= dict(zip("ßæÆøØłŁ", ("ss", "ae", "AE", "o", "O", "l", "L"), strict=True))
_SIGNS = {"−": "$-$", "·": r"$\cdot$", "≤": r"$\leq$", "≈": r"$\approx$", "[": "{[}", "]": "{]}"}
_WRITTEN = _SIGNS | {sign: f"\\{sign}" for sign in "{}$%&#_"} | {sign: f"\\{name}{{}}" for sign, name in _NAMED.items()}
_COMBINING = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"
_ACCENTS = dict(zip(_COMBINING, "`'^~=u.\"rHvc", strict=True))  # the letters of the commands for combining accents
_TWICE = re.compile(r"([-,'])(?=\1)")


def escaped(text: str) -> str:
    """Escape *text* for a LaTeX document; letters that plain LaTeX lacks become codes, such as ``[U+4E2D]``."""
    # LaTeX joins consecutive hyphens, commas or quotes into one character.
    return _TWICE.sub(r"\1{}", "".join(map(_letter, unicodedata.normalize("NFC", text))))


def comment(text: str) -> str:
    """Return *text* as a comment: one line of ASCII without backslashes.

    Some editors read commands in comments.
    """
    plain = text.replace("−", "-").replace("…", "...").replace("\\", "/")
    return "".join(c if " " <= c <= "~" else "?" if c.isprintable() else " " for c in plain)


def _letter(letter: str) -> str:
    if letter in _WRITTEN:
        return _WRITTEN[letter]
    if " " <= letter <= "~":
        return letter
    if not letter.isprintable():
        return " "
    base, *marks = list(unicodedata.normalize("NFD", letter))
    if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii() and base.isalpha():
        stem = {"i": r"\i", "j": r"\j"}.get(base, base)
        return f"\\{_ACCENTS[marks[0]]}{{{stem}}}"
    return f"{{[}}U+{ord(letter):04X}{{]}}"


FORMATS = (Format("tex", (".tex",), lambda scene: write_tex(scene).encode("ascii")),)
