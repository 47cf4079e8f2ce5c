"""Cards on the site where the repository has lists, and the order of pages that these lists give.

A list after the comment ``<!-- cards -->`` becomes a grid of cards. The first link of an entry is the card's title; a
picture before it is the top of the card. The first links of these lists are the ``toctree`` of the page, except after
``<!-- cards of links -->``. On the front page, each section has a ``toctree`` of its own, with the section's title. The
comments ``<!-- on the site:`` and ``<!-- with a repository:`` hold text that only the site shows, for pages that the
build makes and for links to the address in ``DOCS_REPOSITORY``.
"""

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx_design.shared import create_component

MARK = re.compile(r"<!-- cards( of links)? -->")
LIST = re.compile(r"<!-- cards -->\n+((?:.+\n)+)")
PAGE = re.compile(r"(?<!!)\[[^\]]+\]\(([^)#\s]+)\.md\)|\{doc\}`[^`]*<([^`>]+)>`")
HEADING = re.compile(r"(?m)^## (.+)$")
SITE_ONLY = re.compile(r"<!-- on the site:\s+(.*?)\s+-->", re.DOTALL)
WITH_REPOSITORY = re.compile(r"<!-- with a repository: (.*?) -->", re.DOTALL)
ABOUT = re.compile(r"\]\((?:\.\./)+(CHANGELOG\.md|CITATION\.cff|CONTRIBUTING\.md|LICENSE)(#[\w-]+)?\)")
"""Links to the files of the repository that ``made_pages`` turns into pages."""
LAST = ["about/license", "about/citation", "about/contributing"]
"""Pages that the build makes, at the end of the list of all pages."""
WIDTHS = ("xs", "sm", "md", "lg")


def prepare(app: Sphinx, docname: str, source: list[str]) -> None:
    """Show what only the site shows, and add a hidden ``toctree`` of the pages in the lists."""
    text = SITE_ONLY.sub(r"\1", source[0])
    address = app.config.repository
    text = WITH_REPOSITORY.sub(lambda found: found[1].replace("[REPOSITORY]", f"({address})") if address else "", text)
    text = ABOUT.sub(lambda found: f"](/about/{found[1].partition('.')[0].lower()}.myst{found[2] or ''})", text)
    front = docname == app.config.root_doc
    pages: dict[str, list[str]] = {}
    for found in LIST.finditer(text):
        title = HEADING.findall(text, 0, found.start())[-1] if front else ""
        links = map(PAGE.search, re.split(r"(?m)^- ", found[1]))
        pages.setdefault(title, []).extend(link[1] or link[2] for link in links if link)
    if front:
        pages["About"] = LAST
    for title, entries in pages.items():
        caption = f":caption: {title}\n" if title else ""
        text += f"\n\n```{{toctree}}\n:hidden:\n{caption}\n" + "\n".join(entries) + "\n```\n"
    source[0] = text


def make_grids(_: Sphinx, document: nodes.document) -> None:
    """Make a grid of cards of each marked list."""
    for mark in list(document.findall(nodes.raw)):
        if MARK.fullmatch(mark.astext().strip()):
            entries = mark.next_node(siblings=True, descend=False)
            assert isinstance(entries, nodes.bullet_list), f"{document['source']}: no list after {mark.astext()}"
            entries.replace_self(grid(entries))
            mark.parent.remove(mark)


def grid(entries: nodes.bullet_list) -> nodes.container:
    """Return a grid with a card for each entry: three in a row if that fills the rows and they have pictures."""
    pictures = any(True for _ in entries.findall(nodes.image))
    counts = (1, 2, 3, 3) if pictures and len(entries) % 3 == 0 else (1, 1, 2, 2)
    columns = [f"sd-row-cols-{width}-{count}" for width, count in zip(WIDTHS, counts, strict=True)]
    gaps = ["sd-g-3", *(f"sd-g-{width}-3" for width in WIDTHS)]
    cards = [create_component("grid-item", ["sd-col", "sd-d-flex-row"], children=[card(entry)]) for entry in entries]
    row = create_component("grid-row", ["sd-row", "sd-row-cols-1", *columns, *gaps], children=cards)
    return create_component("grid-container", ["sd-container-fluid", "sd-sphinx-override", "sd-mb-4"], children=[row])


def card(entry: Any) -> nodes.container:
    """Return the card of an entry: its picture, its first link as the title, and its other words."""
    (words, *more) = entry.children
    parts: list[nodes.Node] = []
    for picture in list(words.findall(nodes.image)):
        picture.parent.remove(picture)
        parts.append(nodes.paragraph("", "", picture, classes=["card-picture"]))
    links = [link for link in words.findall() if isinstance(link, nodes.reference | addnodes.pending_xref)]
    title = links[0]
    title.parent.remove(title)
    # A card with one link is a link as a whole.
    looks = ["sd-card-hover", "one-link"] if len(links) == 1 else []
    while words.children and not words[0].astext().strip(" .:\n"):
        del words[0]
    if words.children and isinstance(words[0], nodes.Text):
        first = words[0].lstrip(" .:\n")
        words[0] = nodes.Text(first[:1].upper() + first[1:])
    head = nodes.paragraph("", "", title, classes=["sd-card-title", "sd-font-weight-bold"])
    parts.append(create_component("card-body", ["sd-card-body"], children=[head, words, *more]))
    return create_component(
        "card", ["sd-card", "sd-sphinx-override", "sd-w-100", "sd-shadow-sm", *looks], children=parts
    )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("source-read", prepare)
    app.connect("doctree-read", make_grids)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
