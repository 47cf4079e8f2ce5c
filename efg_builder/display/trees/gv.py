"""Graphviz source with fixed positions; ``-Kdot`` makes a new layout.

One point is one pixel of the scene, and the y axis points up.
"""

from __future__ import annotations

from typing import Any

from .scene import Box, Format, Mark, Point, Scene, Stroke, Text
from .sizes import SIZES

_INCH = 72.0


def write_gv(scene: Scene) -> str:
    from graphviz import Digraph, escape

    graph = Digraph("game")
    graph.attr("graph", layout="nop2", splines="true", notranslate="true", outputorder="edgesfirst")
    graph.attr(
        "graph", bgcolor=scene.paper, bb=f"0,0,{scene.width:.2f},{scene.height:.2f}", tooltip=escape(scene.title)
    )
    graph.attr("node", fontname="DejaVu Sans", shape="none", label="", margin="0", width="0", height="0")
    graph.attr("edge", fontname="DejaVu Sans", dir="none")
    _GvWriter(graph, scene, escape).write()
    return str(graph.source)


class _GvWriter:
    def __init__(self, graph: Any, scene: Scene, escape: Any) -> None:
        self.graph, self.scene, self.escape = graph, scene, escape
        self.badges = {text.node: text for text in scene.texts if text.role == "badge"}
        self.labels: dict[int, list[Text]] = {}
        for text in scene.texts:
            if text.role in ("action", "probability"):
                self.labels.setdefault(text.node, []).append(text)

    def write(self) -> None:
        """Write the boxes, then the nodes, then all other items. A new layout follows the order of the nodes."""
        items = [(f"i{number}", item) for number, item in enumerate(self.scene.items)]
        for name, item in items:
            if isinstance(item, Box):
                self.box(name, item)
        for mark in self.scene.marks:
            if mark.node >= 0:
                self.node(f"n{mark.node}", mark)
        for name, item in items:
            if isinstance(item, Stroke):
                self.stroke(name, item)
            elif isinstance(item, Mark) and item.node < 0:
                self.node(name, item)
            elif isinstance(item, Text) and item.role not in ("badge", "action", "probability"):
                self.text(name, item)

    def filled(self, name: str, middle: Point, width: float, height: float, **look: str) -> None:
        size = {"width": f"{width / _INCH:.4f}", "height": f"{height / _INCH:.4f}", "fixedsize": "true"}
        self.graph.node(name, pos=self.pin(middle), style="filled", **size, **look)

    def node(self, name: str, mark: Mark) -> None:
        look = {"label": "", "fontcolor": "", "fontsize": "", "fillcolor": mark.color}
        if mark.node in self.badges:
            badge = self.badges[mark.node]
            look |= {"label": self.escape(badge.text), "fontcolor": badge.color}
            look |= {"fontsize": f"{badge.size:g}"}
        look |= {"color": mark.rim, "penwidth": f"{SIZES.rim:.2f}"} if mark.rim else {"penwidth": "0"}
        tip = self.escape(mark.tip)
        self.filled(name, (mark.x, mark.y), 2 * mark.r, 2 * mark.r, shape=mark.shape, tooltip=tip, **look)

    def box(self, name: str, item: Box) -> None:
        look = {
            "shape": "box",
            "penwidth": f"{item.line if item.rim else 0:.2f}",
            "color": item.rim,
            "fillcolor": item.color or "transparent",
            "tooltip": self.escape(item.tip),
        }
        self.filled(name, (item.x + item.width / 2, item.y + item.height / 2), item.width, item.height, **look)

    def stroke(self, name: str, item: Stroke) -> None:
        look = {"color": item.color, "penwidth": f"{item.width:.2f}", "tooltip": self.escape(item.tip)}
        path = item.points if item.curved else _straight(item.points[0], item.points[-1])
        pos = " ".join(map(self.place, path))
        if item.role == "edge":
            self.graph.edge(f"n{item.source}", f"n{item.node}", pos=pos, **look, **self.label(item.node))
        elif item.role == "infoset":
            self.graph.edge(f"n{item.source}", f"n{item.node}", pos=pos, constraint="false", **look)
        else:
            for end, point in (("a", item.points[0]), ("b", item.points[-1])):
                self.graph.node(name + end, pos=self.pin(point), shape="point", style="invis")
            self.graph.edge(name + "a", name + "b", pos=pos, **look)

    def label(self, node: int) -> dict[str, str]:
        texts = self.labels.get(node, [])
        if not texts:
            return {}
        last = texts[-1]
        right = last.x + last.width
        return {
            "label": self.escape("  ".join(text.text for text in texts)),
            "lp": self.place(((texts[0].x + right) / 2, last.y - 0.34 * last.size)),
            "fontsize": f"{last.size:g}",
            "fontcolor": last.color,
        }

    def text(self, name: str, item: Text) -> None:
        # The text may be narrower than expected, so align it with the start or the end of its space.
        self.graph.node(
            name,
            label=self.escape(item.text) + {"start": r"\l", "middle": "", "end": r"\r"}[item.anchor],
            pos=self.pin((item.left + item.width / 2, item.y - 0.34 * item.size)),
            width=f"{item.width / _INCH:.4f}",
            fontname="DejaVu Sans Bold" if item.bold else "DejaVu Sans",
            fontsize=f"{item.size:g}",
            fontcolor=item.color,
        )

    def place(self, point: Point) -> str:
        return f"{point[0]:.2f},{self.scene.height - point[1]:.2f}"

    def pin(self, point: Point) -> str:
        return self.place(point) + "!"


def _straight(a: Point, b: Point) -> tuple[Point, ...]:
    dx, dy = (b[0] - a[0]) / 3, (b[1] - a[1]) / 3
    return (a, (a[0] + dx, a[1] + dy), (b[0] - dx, b[1] - dy), b)


FORMATS = (Format("gv", (".gv", ".dot"), lambda scene: write_gv(scene).encode()),)
