"""Where the tests find what is no code: the repository, its documents, and what pages carry."""

import base64
import gzip
import json
import re
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DOCS = ROOT / "docs"


def carried(page):
    """The data that the page in the file *page* carries, packed."""
    store = re.search(r'-data">([A-Za-z0-9+/=]+)<', Path(page).read_text("utf-8"))
    return json.loads(gzip.decompress(base64.b64decode(store[1])))
