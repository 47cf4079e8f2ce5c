"""The description in the head of each page, and two lexers: shell commands, and JSON with parts left out."""

import html
import re
from typing import Any

from docutils import nodes
from pygments.lexers.data import JsonLexer
from pygments.lexers.shell import BashLexer
from pygments.token import Comment, Error, Text
from sphinx.application import Sphinx

LONGEST = 160
"""Maximum length of a description, in letters; search engines show no more."""


class Commands(BashLexer):  # type: ignore[misc]
    """A shell whose comments have a class of their own, which the copy button leaves out."""

    name = "Commands"
    aliases = ("sh", "bash")

    def get_tokens_unprocessed(self, text: str, stack: Any = ("root",)) -> Any:
        """Yield the tokens of *text*."""
        for place, kind, word in super().get_tokens_unprocessed(text, stack):
            yield place, Comment.Single.Shell if kind is Comment.Single else kind, word


class ShortenedJson(JsonLexer):  # type: ignore[misc]
    """JSON in which ``...`` stands for parts that are left out."""

    name = "ShortenedJson"
    aliases = ("json",)

    def get_tokens_unprocessed(self, text: str) -> Any:
        """Yield the tokens of *text*."""
        for place, kind, word in super().get_tokens_unprocessed(text):
            yield place, Text if kind is Error else kind, word


def describe(app: Sphinx, _: str, __: str, context: dict[str, Any], tree: nodes.document | None) -> None:
    """Describe a page by its first paragraph, up to the last whole sentence that fits."""
    first = next((each for each in tree.findall(nodes.paragraph) if len(each.astext()) > 40), None) if tree else None
    said = " ".join(first.astext().split()) if first else "Build, solve, prove and draw games with hidden information."
    if len(said) > LONGEST:
        sentences = re.match(rf".{{40,{LONGEST - 1}}}[.:](?= )", said)
        said = sentences[0] if sentences else said[:LONGEST].rpartition(" ")[0] + " ..."
    context["metatags"] = f'{context.get("metatags", "")}\n<meta name="description" content="{html.escape(said)}">'


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    for language in ("sh", "bash"):
        app.add_lexer(language, Commands)
    app.add_lexer("json", ShortenedJson)
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
