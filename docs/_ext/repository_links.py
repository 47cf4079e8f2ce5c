"""Links to folders, which work in the repository and on the site.

MyST makes a link to a file a download, but has nothing for folders. A link to a folder leads to the repository if its
address is configured (``repository`` and ``branch`` in ``conf.py``), and is plain text otherwise.
"""

import os
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes
from sphinx.application import Sphinx


def folders(app: Sphinx, document: nodes.document) -> None:
    """Replace the links to folders.

    This comes before references are resolved, because a folder may have the name of a page (``games``).
    """
    for link in list(document.findall(addnodes.pending_xref)):
        if link["reftype"] != "myst" or link.get("refdomain"):
            continue
        path = Path(app.env.relfn2path(link["reftarget"])[1])
        if not path.is_dir():
            continue
        children: list[nodes.Node] = list(link.children)
        if app.config.repository:
            place = Path(os.path.relpath(path, Path(app.srcdir).parent)).as_posix()
            uri = f"{app.config.repository}/tree/{app.config.branch}/{place}"
            children = [nodes.reference("", "", *children, refuri=uri)]
        link.replace_self(children)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("repository", "", "env", str)
    app.add_config_value("branch", "main", "env", str)
    for language in ("csv", "efg"):
        app.add_lexer(language, TextLexer)
    app.connect("doctree-read", folders)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
