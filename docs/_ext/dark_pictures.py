"""Pictures for light and dark pages: each SVG has a dark copy, and a click on a picture opens it alone.

The build makes the copy, in the colors of ``draw --colors dark``. Furo shows one of the two; prints have the light one.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from efg_builder.display.trees.colors import DARK_PAPER, inverted
from efg_builder.display.trees.scene import Box, Item, Mark, Scene, Text, readable

SVG = "http://www.w3.org/2000/svg"
for prefix, address in (("", SVG), ("xlink", "http://www.w3.org/1999/xlink")):
    ElementTree.register_namespace(prefix, address)


def items(root: ElementTree.Element) -> Iterator[tuple[ElementTree.Element, Item]]:
    """Read the texts of a picture and the areas behind them, as ``svg.py`` writes them. Lines are not read."""
    for element in root:
        given = element.attrib
        numbers = {key: float(value) for key, value in given.items() if re.fullmatch(r"-?[\d.]+", value)}
        color = given.get("fill", "").replace("none", "")
        x, y = numbers.get("x", 0.0), numbers.get("y", 0.0)
        match element.tag.removeprefix(f"{{{SVG}}}"):
            case "rect":
                yield element, Box(x, y, numbers["width"], numbers["height"], color, "")
            case "circle":
                yield element, Mark("circle", numbers["cx"], numbers["cy"], numbers["r"], color, "")
            case "text":
                anchor: Any = given.get("anchor", given.get("text-anchor", "start"))
                bold, size = "font-weight" in given, numbers["font-size"]
                yield element, Text(x, y, "".join(element.itertext()), size, color, "", anchor=anchor, bold=bold)


def dark(svg: str) -> str:
    """Return a picture in the colors of a dark page."""
    # matplotlib writes no color for black.
    filled = svg.replace("<svg ", '<svg fill="#000000" ', 1)
    root = ElementTree.fromstring(re.sub("#[0-9a-f]{6}", lambda found: inverted(found[0]), filled))
    found = list(items(root))
    scene = Scene(0, 0, "", "", tuple(item for _, item in found), paper=DARK_PAPER)
    for (element, _), item in zip(found, readable(scene), strict=True):
        if isinstance(item, Text):
            element.set("fill", item.color)
    return ElementTree.tostring(root, "unicode")


def show_both(app: Sphinx, document: nodes.document, page: str) -> None:
    """Make each picture a link to its file, and put the dark copy of an SVG beside it."""
    for image in list(document.findall(nodes.image)):
        if app.builder.format != "html" or image["uri"] not in app.env.images:
            continue
        name, picture = app.env.images[image["uri"]][1], Path(app.srcdir, image["uri"])
        app.builder.images[image["uri"]] = name
        shown = {name: ["picture"]}
        if picture.suffix == ".svg" and DARK_PAPER not in (svg := picture.read_text("utf-8")):
            twin = Path(app.outdir, app.builder.imagedir, f"dark-{name}")
            twin.parent.mkdir(parents=True, exist_ok=True)
            twin.write_text(dark(svg), "utf-8")
            shown = {name: ["picture", "only-light"], twin.name: ["picture", "only-dark"]}
        image.replace_self([linked(app, page, image, file, classes) for file, classes in shown.items()])


def linked(app: Sphinx, page: str, image: nodes.image, file: str, classes: list[str]) -> nodes.reference:
    """Return a link to *file* around a copy of *image* that shows it."""
    address = relative_uri(app.builder.get_target_uri(page), f"{app.builder.imagedir}/{file}")
    copy = image.deepcopy()
    copy["uri"], copy["candidates"] = address, {"?": ""}  # the place on the site, not in the repository
    return nodes.reference("", "", copy, refuri=address, internal=True, classes=classes)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("doctree-resolved", show_both)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
