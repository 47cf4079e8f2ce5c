"""Where the tests find what is no code: the repository, its documents, and what pages carry."""

import base64
import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DOCS = ROOT / "docs"
PACKAGE = ROOT / "efg_builder"


def unwrapped(text):
    """Join the lines of a page's output that begin with ``↳`` to the lines above, as they are printed."""
    return re.sub(r"\n *↳ ", " ", text)


def carried(page):
    """The data that the page in the file *page* carries, packed."""
    store = re.search(r'-data">([A-Za-z0-9+/=]+)<', Path(page).read_text("utf-8"))
    return json.loads(gzip.decompress(base64.b64decode(store[1])))


def within(title, frame, part):
    """A page that has a viewer as a part: *frame* is the markup around it."""
    from markupsafe import Markup

    from efg_builder.display.pages.page import page

    return page(title, replace(part, body=Markup(f"<h1>{title}</h1>{frame}").format(part.body)))
