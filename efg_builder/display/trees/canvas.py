"""PNG and PDF files, drawn by matplotlib in the font DejaVu Sans. Identical scenes produce identical files."""

from __future__ import annotations

from functools import cache, lru_cache
from io import BytesIO
from math import sqrt
from pathlib import Path
from typing import Any

from ..plots.style import MATPLOTLIB
from .scene import Box, Format, Mark, Scene, Stroke, Text, painted
from .sizes import SIZES

_POINTS = 72.0  # points per inch
_ZOOM, _MOST_PIXELS, _LONGEST_PNG = 2.0, 60e6, 30_000.0
"""The factor from the scene's width to a PNG's width; the maximum area and side length of a PNG in pixels.

Agg fails at a side length of 65,536 pixels.
"""

_COLORS = 256  # the number of colors in a PNG's palette, so that a pixel takes one byte
_PDF_UNIT, _LONGEST_PDF = 0.75, 14_400.0
"""Points of a PDF per pixel of the scene; the maximum side length of a PDF in points, a limit of PDF readers."""


def write_png(scene: Scene) -> bytes:
    """Return a PNG with twice the scene's width and height in pixels, times ``scene.scale``.

    A very large scene is enlarged less, or reduced.
    """
    import numpy as np
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    longest, area = max(scene.width, scene.height), scene.width * scene.height
    zoom = min(_ZOOM * scene.scale, sqrt(_MOST_PIXELS / area), _LONGEST_PNG / longest)
    with MATPLOTLIB:
        canvas = _canvas(scene, zoom, _POINTS * zoom)
        canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    few: Any = picture.quantize(_COLORS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    # Quantization averages similar colors, so restore the exact paper color from the corner.
    palette, corner = few.getpalette(), 3 * few.getpixel((0, 0))
    palette[corner : corner + 3] = picture.getpixel((0, 0))
    few.putpalette(palette)
    told, out = PngInfo(), BytesIO()
    told.add_text("Title", scene.title)
    few.save(out, "png", pnginfo=told, optimize=True)
    return out.getvalue()


def write_pdf(scene: Scene) -> bytes:
    """Return a PDF of one page with the size of the picture."""
    import matplotlib

    scale = min(_PDF_UNIT * scene.scale, _LONGEST_PDF / max(scene.width, scene.height))
    metadata: Any = {"Title": scene.title, "Subject": scene.description, "CreationDate": None}
    out = BytesIO()
    with MATPLOTLIB, matplotlib.rc_context({"pdf.fonttype": 42, "savefig.bbox": None}):
        # A PDF page always has 72 units per inch.
        _canvas(scene, scale, _POINTS, pdf=True).print_figure(out, format="pdf", dpi=_POINTS, metadata=metadata)
    return out.getvalue()


def _canvas(scene: Scene, scale: float, dpi: float, pdf: bool = False) -> Any:
    """Return a matplotlib canvas with *scale* pixels (in a PDF: points) per pixel of the scene."""
    from matplotlib.artist import Artist
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    class Painting(Artist):
        """The whole scene as one artist; thousands of artists would take seconds."""

        def draw(self, renderer: Any) -> None:
            _Pen(renderer, scene, scale, pdf).draw()

    size = (scene.width * scale / dpi, scene.height * scale / dpi)
    figure = Figure(figsize=size, dpi=dpi, facecolor=scene.paper)
    figure.add_artist(Painting())
    return FigureCanvasAgg(figure)


class _Pen:
    def __init__(self, renderer: Any, scene: Scene, unit: float, pdf: bool) -> None:
        from matplotlib.patches import BoxStyle
        from matplotlib.path import Path as Outline
        from matplotlib.transforms import Affine2D

        self.path, self.affine, self.box = Outline, Affine2D, BoxStyle.Round
        self.renderer, self.scene, self.unit, self.pdf = renderer, scene, unit, pdf
        self.points = unit if pdf else 1.0  # Agg converts points to pixels itself
        self.paper = self.affine().scale(unit, -unit).translate(0, scene.height * unit)

    def draw(self) -> None:
        for item in painted(self.scene):
            if isinstance(item, Stroke):
                rest = [self.path.CURVE4 if item.curved else self.path.LINETO] * (len(item.points) - 1)
                line = self.path(item.points, [self.path.MOVETO, *rest])
                self.paint(line, "", item.color, item.width, cap=item.round)
            elif isinstance(item, Mark):
                if item.shape == "circle":
                    shape = self.path.circle((item.x, item.y), item.r)
                else:
                    shape = self.path([*item.corners, (0.0, 0.0)], closed=True)
                edge, width = (item.rim, SIZES.rim) if item.rim else (self.scene.paper, 0.0)
                self.paint(shape, item.color, edge, width)
            elif isinstance(item, Box):
                shape = self.box(pad=0, rounding_size=item.round)(item.x, item.y, item.width, item.height, 1)
                edge, width = (item.rim, item.line) if item.rim else (self.scene.paper, 0.0)
                self.paint(shape, item.color, edge, width, join="miter")
            else:
                self.text(item)

    def paint(
        self,
        path: Any,
        fill: str,
        edge: str,
        width: float = 0.0,
        place: Any = None,
        join: str = "round",
        cap: bool = False,
    ) -> None:
        from matplotlib.colors import to_rgba

        gc = self.graphics(edge, width)
        gc.set_joinstyle(join)
        gc.set_capstyle("round" if cap else "butt")
        self.renderer.draw_path(gc, path, place or self.paper, to_rgba(fill) if fill else None)
        gc.restore()

    def graphics(self, color: str, width: float) -> Any:
        from matplotlib.colors import to_rgba

        gc = self.renderer.new_gc()
        gc.set_foreground(to_rgba(color), isRGBA=True)
        gc.set_linewidth(width * self.points)
        gc.set_snap(False)  # snapping would shift straight lines away from adjoining curves
        return gc

    def text(self, item: Text) -> None:
        if not item.text.strip():  # a file may have moves without names
            return
        x, y = item.left * self.unit, (self.scene.height - item.y) * self.unit
        if self.pdf:
            gc, font = self.graphics(item.color, 0.0), _font(item.bold).copy()
            font.set_size(item.size * self.points)
            self.renderer.draw_text(gc, x, y, item.text, font, 0.0)
            gc.restore()
        else:
            # Agg would round the position of each letter to whole pixels, so draw text as a shape.
            place = self.affine().scale(self.unit, self.unit).translate(x, y)
            self.paint(_outline(item.text, item.size, item.bold), item.color, item.color, place=place)


@cache
def _font(bold: bool) -> Any:
    """Return the font that comes with matplotlib, which is the same on every machine."""
    import matplotlib
    from matplotlib.font_manager import FontProperties

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return FontProperties(fname=Path(matplotlib.get_data_path(), "fonts", "ttf", name))


@lru_cache(maxsize=4096)
def _outline(text: str, size: float, bold: bool) -> Any:
    from matplotlib.textpath import TextPath

    # An unescaped dollar sign would start a formula.
    return TextPath((0, 0), text.replace("$", r"\$"), size=size, prop=_font(bold), usetex=False)


FORMATS = (Format("png", (".png",), write_png), Format("pdf", (".pdf",), write_pdf))
