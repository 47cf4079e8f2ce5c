"""Links that read well in a viewer of the repository, and lead somewhere on the site too.

MyST makes a link to a file a download. It knows no folders: a link to one leads to the repository where its address
is configured (``repository`` and ``branch`` in ``conf.py``), and is plain text where it is not.
"""

import os
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes
from sphinx.application import Sphinx


def folders(app: Sphinx, document: nodes.document) -> None:
    """Put in place of each link to a folder what the module's docstring says.

    Before references are resolved: a folder may have the name of a page (``games``), which another link means.
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
    """Tell Sphinx."""
    app.add_config_value("repository", "", "env", str)
    app.add_config_value("branch", "main", "env", str)
    for language in ("csv", "efg"):
        app.add_lexer(language, TextLexer)
    app.connect("doctree-read", folders)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
