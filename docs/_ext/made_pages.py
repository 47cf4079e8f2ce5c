"""Pages that the build makes from the package and the repository.

These are the references of Python (``reference/api``), of the commands (``reference/commands``) and of games, methods
and players (``reference/lists``), the notebooks, and the changelog, the license and the citation (``about``). The build
writes them into the source folder; git ignores them. A page that has not changed is not written again, so that Sphinx
does not read it again.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import click
from areas import AREAS, WORDS, Area
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject
from sphinx.ext.napoleon.docstring import NumpyDocstring
from sphinx.util.nodes import make_refnode
from sphinx.util.typing import stringify_annotation

import efg_builder
from efg_builder.base.parameters import Parameter, collect
from efg_builder.cli import COMMANDS, GROUPS, root
from efg_builder.players.find import players
from efg_builder.solvers.registry import methods

MADE = ("about", "reference/api", "reference/commands", "reference/lists", "tutorials/notebooks")
"""The folders of these pages; they hold no others."""


def plain(text: str) -> str:
    """Escape the marks of reStructuredText in *text*."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def spoken(text: str) -> str:
    """Return *text* of a command's help with its options and commands as code."""
    command, with_value = r"'(efg-builder [^']+|[a-z]+ --?[a-z-]+)'", r"(?<=\()(--[a-z][\w-]* [^\s()]+)(?=\))"
    parts = re.split(rf"{command}|{with_value}|(?<![\w`-])(--?[a-zA-Z][\w-]*)", text)
    # Each match gives four parts: the text before it, and three groups of which one is set.
    marked = "".join(
        plain(word) if place % 4 == 0 else literal(word) + "\\ " for place, word in enumerate(parts) if word
    )
    # The mark that ends a literal before a letter would also remove a line break after it.
    return re.sub(r"``\\ (?=\s|$)", "``", marked)


def literal(text: str) -> str:
    """Return *text* as code."""
    return f"``{text}``"


def headed(title: str, mark: str = "=") -> str:
    """Return *title* as a heading."""
    return f"{title}\n{mark * len(title)}\n"


def toctree(entries: Iterable[str]) -> str:
    """Return the ``toctree`` of *entries*: documents, or ``title <document>``."""
    return ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {entry}\n" for entry in entries)


def documented(name: str, area: Area) -> Any:
    """Return the object that the page *name* describes."""
    if name in area.returned:
        return getattr(import_module(f"efg_builder.{area.returned[name]}"), name)
    return getattr(efg_builder, name)


def page_of(name: str) -> str:
    """Return the file of a name's page. Some file systems do not distinguish ``Game`` from ``game``."""
    functions = {other for area in AREAS.values() for other in area.names if other.islower()}
    return f"{name}-class" if name.lower() in functions - {name} else name


def api_pages() -> Iterator[tuple[str, str]]:
    """Yield a page for each public name, for each area, and for the words in signatures."""
    listed = sorted(name for area in AREAS.values() for name in area.names if name not in area.returned)
    public = set(vars(efg_builder)["__all__"])
    if listed != sorted(public):
        raise ValueError(f"areas.py and eb.__all__ differ: {sorted(public ^ set(listed))}")
    for file, area in AREAS.items():
        rows = [(reference(name, area), first_line(documented(name, area))) for name in area.names]
        yield (
            f"reference/api/{file}.rst",
            "\n".join(
                [
                    *(headed(area.title), area.about + "\n", ".. py:currentmodule:: efg_builder\n", table(rows)),
                    toctree(map(page_of, area.names)).replace(":maxdepth: 1", ":hidden:"),
                ]
            ),
        )
        for name in area.names:
            yield f"reference/api/{page_of(name)}.rst", entry(name, area)
    parts = [headed("Words in signatures"), ".. py:currentmodule:: efg_builder\n"]
    yield (
        "reference/api/words.rst",
        "\n".join([*parts, *(f".. py:type:: {word}\n\n   {text}\n" for word, text in WORDS.items())]),
    )
    rows = [
        (f":doc:`{area.title} <{file}>`", ", ".join(reference(name, area) for name in area.names))
        for file, area in AREAS.items()
    ]
    index = [
        headed("Python"),
        "``import efg_builder as eb``. ``eb.__all__`` lists the public names, and the changelog their changes.\n"
        ":doc:`/python` has longer examples, and :doc:`words` explains the types in signatures.\n",
        ".. py:module:: efg_builder\n",
        table(rows),
        toctree([*AREAS, "words"]).replace(":maxdepth: 1", ":hidden:"),
    ]
    yield "reference/api/index.rst", "\n".join(index)


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of two columns."""
    lines = "".join(f"   * - {left}\n     - {right}\n" for left, right in rows)
    return f".. list-table::\n   :widths: 30 70\n   :class: names\n\n{lines}"


def reference(name: str, area: Area) -> str:
    """Return a link to the page of *name*."""
    place = f"efg_builder.{area.returned[name]}.{name}" if name in area.returned else f"efg_builder.{name}"
    return f":py:obj:`{name} <{place}>`"


def first_line(value: Any) -> str:
    """Return the summary of an object's docstring."""
    if isinstance(value, str):
        return f"The version, {literal(value)}."
    return " ".join(cleandoc(value.__doc__ or "").partition("\n\n")[0].split())


def entry(name: str, area: Area) -> str:
    """Return the page of *name*."""
    value = documented(name, area)
    place = f"efg_builder.{area.returned[name]}" if name in area.returned else "efg_builder"
    parts = [headed(plain(name)), f".. py:currentmodule:: {place}\n"]
    if not isinstance(value, type):
        if callable(value):
            return "\n".join([*parts, f".. autofunction:: {name}\n"])
        return "\n".join([*parts, f".. py:data:: {name}\n   :type: str\n\n   {first_line(value)}\n"])
    errors = issubclass(value, Exception)
    made_by = f"A type that functions return. Its module is ``{place}``.\n" if name in area.returned else ""
    options = "   :show-inheritance:\n" if errors else "   :members:\n"
    return "\n".join([*parts, made_by, f".. autoclass:: {name}\n{options}"])


def signature(_: Sphinx, what: str, __: str, value: Any, ___: object, made: str | None, ____: object) -> Any:
    """Return a signature with the source's annotations and the values of defaults.

    A class that only functions create has no signature.
    """
    if what not in ("function", "method", "class") or not made:
        return None
    if what == "class" and "Parameters\n---" not in cleandoc(value.__doc__ or ""):
        return "", None
    found = inspect.signature(value)
    takes = list(found.parameters.values())
    takes = takes[1:] if what == "method" and takes and takes[0].name in ("self", "cls") else takes
    shown = [one.replace(annotation=in_words(one.annotation), default=default(one.default)) for one in takes]
    gives = in_words(found.return_annotation)
    text = str(found.replace(parameters=shown, return_annotation=inspect.Signature.empty))
    returned = None if what == "class" or gives is inspect.Signature.empty else str(gives)
    return text, returned


class Words:
    """Text whose ``repr`` has no quotation marks."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__


def in_words(annotation: Any) -> Any:
    """Return an annotation as the source has it."""
    if annotation is inspect.Signature.empty:
        return annotation
    if isinstance(annotation, str):
        return Words(annotation)
    return Words(getattr(annotation, "__forward_arg__", None) or stringify_annotation(annotation, "smart"))


def default(value: Any) -> Any:
    """Return a default as Python code."""
    if value is inspect.Parameter.empty:
        return value
    if repr(value) == "<factory>":
        return Words("...")
    if isinstance(value, int) and not isinstance(value, bool):
        return Words(f"{value:_}")
    return Words(value.__name__) if callable(value) else value


def link_words(app: Sphinx, env: Any, node: Any, content: Any) -> Any:
    """Link a type in a signature to its page, although the signature has no module."""
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"].rpartition(".")[2]
    for place, found in env.domains["py"].objects.items():
        if place.rpartition(".")[2] == name and found.objtype in ("class", "exception", "type"):
            return make_refnode(app.builder, node["refdoc"], found.docname, found.node_id, content, place)
    return None


def command_page(name: str) -> str:
    """Return the page of the command *name*: the text of ``--help``, with an anchor for each option."""
    command = root.get_command(click.Context(root), name)
    assert command is not None
    context = click.Context(command, info_name=f"efg-builder {name}", max_content_width=88, terminal_width=88)
    parts = [headed(f"efg-builder {name}"), f".. program:: efg-builder {name}\n"]
    for text in cleandoc(command.help or "").split("\n\n"):
        # Click preserves the lines after this letter: examples and tables.
        kept = text.removeprefix("\b\n")
        if kept == text:
            parts.append(f"{spoken(text)}\n")
            continue
        head, _, block = kept.partition("\n")
        language = "sh" if block.lstrip().startswith("efg-builder") else "text"
        parts += [f"{plain(head)}\n", code(dedent(block), language)]
    parts += [headed("Usage", "-"), code(command.get_usage(context).removeprefix("Usage: "), "text")]
    parts.append(headed("Options", "-"))
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context)):
            names, said = record
            parts.append(f".. option:: {names.replace(' / ', ', ')}\n\n   {spoken(said)}\n")
    return "\n".join(parts)


def code(text: str, language: str) -> str:
    """Return *text* as a block of code."""
    return f".. code-block:: {language}\n\n{indent(text, '   ')}\n"


def command_pages() -> Iterator[tuple[str, str]]:
    """Yield a page for each command, and a list of them."""
    for name in COMMANDS:
        yield f"reference/commands/{name}.rst", command_page(name)
    groups = [
        "\n".join(
            [
                headed(title, "-"),
                *(f":doc:`efg-builder {name} <{name}>`\n   {plain(line)}\n" for name, line in group.items()),
            ]
        )
        for title, group in GROUPS.items()
    ]
    yield (
        "reference/commands/index.rst",
        "\n".join(
            [
                headed("Commands"),
                "Arguments and options of each command, as in ``efg-builder COMMAND --help``. :doc:`/commands` has\n"
                "examples, the options that many commands share, and the exit codes.\n",
                *groups,
                ".. toctree::\n   :hidden:\n\n" + "".join(f"   {name} <{name}>\n" for name in COMMANDS),
            ]
        ),
    )


def settings(parameters: Iterable[Parameter]) -> str:
    """Return a definition list of *parameters*: key, default and meaning."""
    return "".join(
        f"{literal(f'{one.name}={one.default}')}\n   {plain(one.help) or 'required'}\n\n" for one in parameters
    )


def list_pages() -> Iterator[tuple[str, str]]:
    """Yield the pages of games, methods and players, with their settings."""

    def page(title: str, about: str, listed: Iterable[Any]) -> str:
        parts = [headed(title), about, ""]
        for one in listed:
            summary = plain(one.summary)
            parts += [headed(one.name, "-"), f"{summary[:1].upper()}{summary[1:]}.\n", settings(one.parameters)]
            # A game has several sources, a method has one, a player has none.
            sources = getattr(one, "sources", None) or getattr(one, "source", None) or ()
            sources = (sources,) if isinstance(sources, str) else sources
            parts += ["Source: " + "; ".join(map(plain, sources)) + "\n"] if sources else []
        return "\n".join(parts)

    yield (
        "reference/lists/games.rst",
        page(
            "Settings of games",
            "Write settings after the game: ``efg-builder run liars-dice sides=3 dice=2,1``, or\n"
            '``eb.game("liars-dice", sides=3, dice=(2, 1))``. This list has their defaults. :doc:`/games` has\n'
            "rules and values. The settings of :doc:`your own game </your-own-game>` are the fields of its class.\n",
            # eb.catalogue() would also list games of other installed packages.
            collect("efg_builder.games", "GAMES").values(),
        ),
    )
    yield (
        "reference/lists/methods.rst",
        page(
            "Methods and their settings",
            "``--method NAME`` selects a method and ``--option KEY=VALUE`` sets an option: ``efg-builder solve kuhn\n"
            "--method cfr --option iterations=500``. By default, ``auto`` selects a method that suits the game.\n",
            methods().values(),
        ),
    )
    yield (
        "reference/lists/players.rst",
        page(
            "Players and their settings",
            "Write a player's settings after colons, e.g. ``threshold:threshold=1/4``. Each command that takes a\n"
            "strategy or players accepts these names. :doc:`/players` has examples.\n",
            players().values(),
        ),
    )


def notebook_pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the notebooks of *folder* unchanged."""
    for path in sorted((folder / "notebooks").glob("*.ipynb")):
        yield f"tutorials/notebooks/{path.name}", path.read_text("utf-8")


def about_pages(root: Path, address: str) -> Iterator[tuple[str, str]]:
    """Yield the changelog, the guide for contributors, the license and the citation, from the files in *root*.

    *address* is that of the repository, which only a build knows, or "".
    """
    for name in ("CHANGELOG", "CONTRIBUTING"):
        text = (root / f"{name}.md").read_text("utf-8")
        moved = re.sub(r"(?<=\]\()(?!\w+:|#)", "../../", text).replace("](../../docs/", "](../")
        yield f"about/{name.lower()}.myst", moved
    yield "about/license.myst", f"# License\n\n```text\n{(root / 'LICENSE').read_text('utf-8')}```\n"
    given = (root / "CITATION.cff").read_text("utf-8")
    found = dict(re.findall(r'(?m)^([a-z-]+): "?([^"\n>]+)', given))
    authors = " and ".join(re.findall(r'- name: "?([^"\n]+)', given))
    keys = {
        "author": f"{{{authors}}}",
        "title": found["title"],
        "version": found["version"],
        "year": found["date-released"][:4],
        "license": found["license"],
        **({"url": address} if address else {}),
    }
    bibtex = "\n".join(["@software{efg_builder,", *(f"  {key} = {{{words}}}," for key, words in keys.items()), "}"])
    yield (
        "about/citation.myst",
        "# Citation\n\nPlease cite the version that you used. An entry for BibTeX:\n\n"
        f"```bibtex\n{bibtex}\n```\n\nThe file `CITATION.cff` of the repository, which reference managers read:\n\n"
        f"```yaml\n{given}```\n",
    )


def make(app: Sphinx) -> None:
    """Write the pages into the source folder, and remove outdated ones."""
    folder = Path(app.srcdir)
    given = [*notebook_pages(folder.parent), *about_pages(folder.parent, app.config.repository)]
    pages = dict([*api_pages(), *command_pages(), *list_pages(), *given])
    for place in MADE:
        for path in (folder / place).glob("*"):
            if path.relative_to(folder).as_posix() not in pages:
                path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


def keep_options_whole(_: Sphinx, tree: nodes.document) -> None:
    """Mark the options in sentences, so that no line breaks within one."""
    for word in tree.findall(nodes.literal):
        if re.fullmatch(r"--?[\w-]+( \S+)?", word.astext()):
            word["classes"].append("option")


def no_edit_link(_: Sphinx, pagename: str, __: str, context: dict[str, Any], ___: object) -> None:
    """Remove the edit link of a page that the build makes."""
    if pagename.startswith(tuple(f"{place}/" for place in MADE)):
        context["page_source_suffix"] = ""


def whole_sentence(self: Any) -> tuple[str, list[str]]:
    """Return the docstring of a property. Napoleon would take the words before a colon for its type."""
    return "", self._dedent(self._consume_to_end())


def attributes(self: Any, _: str) -> list[str]:
    """Return a section of attributes as one list, with an entry for each name on a line."""
    lines = []
    for name, kind, text in self._consume_fields(multiple=True):
        lines += [*self._format_block(f":ivar {name}: ", text), *([f":vartype {name}: {kind}"] if kind else [])]
    return [*lines, ""]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    NumpyDocstring._consume_inline_attribute = whole_sentence
    NumpyDocstring._parse_attributes_section = attributes
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
    app.connect("builder-inited", make)
    app.connect("autodoc-process-signature", signature)
    app.connect("missing-reference", link_words)
    app.connect("doctree-read", keep_options_whole)
    app.connect("html-page-context", no_edit_link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
