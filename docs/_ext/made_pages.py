"""The pages that are made of the package itself, at the start of each build.

The reference of Python (``reference/api``), of the commands (``reference/commands``), of games, methods and players
(``reference/lists``), and the notebooks. They are written into the source folder, which is where Sphinx reads, and are
not kept; a page that is as it was is left alone, so that Sphinx need not read it again.
"""

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import click
from docutils import nodes
from sphinx.application import Sphinx

import efg_builder
from efg_builder.base.parameters import Parameter, collect
from efg_builder.cli import COMMANDS, GROUPS, root
from efg_builder.players.find import players
from efg_builder.solvers.registry import methods

AREAS = {
    "games": ("Rules", "Games by name, and the classes that a game of your own is made of."),
    "forms": ("Trees and matrices", "The extensive and the strategic form of a game."),
    "interop": (
        "Files and other programs",
        "Trees from and to ``.efg``, ``.nfg``, pygambit and LP solvers, and from ``.ef``.",
    ),
    "equilibria": ("Equilibria", "One equilibrium, all equilibria, and quantal responses. Each answer is verified."),
    "solvers": (
        "Methods",
        "The methods by name; :doc:`their settings </reference/lists/methods>` are a page of their own.",
    ),
    "proof": ("Proof", "Best responses over the whole game, and certificates."),
    "strategies": ("Strategies", "What a player does at each information set."),
    "players": ("Measures", "What a strategy gets, and what is gained against it."),
    "experiments": ("Matches and arenas", "Many rounds and many players."),
    "display": ("Pictures and pages", "A tree as a picture, as a page to look around in, and as a report."),
    "base": (
        "Errors and version",
        "Every error of the package is an ``EfgBuilderError``; on the command line it is one line.",
    ),
}
"""The pages of the public names by the room that these come from: title and first sentence."""

MADE = ("reference/api", "reference/commands", "reference/lists", "tutorials/notebooks")
"""The folders that hold such pages, and nothing else."""


def surface() -> dict[str, list[str]]:
    """The public names by room, in the order of ``AREAS``; the stub says which module each comes from."""
    stub = Path(efg_builder.__file__).with_suffix(".pyi").read_text("utf-8")
    found: dict[str, list[str]] = {room: [] for room in AREAS}
    for room, name in re.findall(r"^from \.(\w+).* import \w+ as (\w+)$", stub, flags=re.MULTILINE):
        found[room].append(name)
    return found


def plain(text: str) -> str:
    """*text* without what reStructuredText would take for marks."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def spoken(text: str) -> str:
    """*text* of a command's help, with options and commands in it as code."""
    command, with_value = r"'(efg-builder [^']+|[a-z]+ --?[a-z-]+)'", r"(?<=\()(--[a-z][\w-]* [^\s()]+)(?=\))"
    parts = re.split(rf"{command}|{with_value}|(?<![\w`-])(--?[a-zA-Z][\w-]*)", text)
    # Of four members one is text between, and of the three others one is found.
    marked = "".join(
        plain(word) if place % 4 == 0 else literal(word) + "\\ " for place, word in enumerate(parts) if word
    )
    # The mark that ends a literal before a letter would take the line break after it too.
    return re.sub(r"``\\ (?=\s|$)", "``", marked)


def literal(text: str) -> str:
    """*text* as code."""
    return f"``{text}``"


def headed(title: str, mark: str = "=") -> str:
    """*title* as a heading."""
    return f"{title}\n{mark * len(title)}\n"


def toctree(entries: Iterable[str]) -> str:
    """The list of pages *entries*, each a document, or ``title <document>``."""
    return ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {entry}\n" for entry in entries)


def api_pages() -> Iterator[tuple[str, str]]:
    """A page for each room of the package that has public names."""
    rows = []
    for room, names in surface().items():
        title, sentence = AREAS[room]
        rows.append(f"   * - :doc:`{title} <{room}>`\n     - {', '.join(f':py:obj:`{name}`' for name in names)}\n")
        entries = [entry(name) for name in sorted(names, key=str.lower)]
        yield (
            f"reference/api/{room}.rst",
            "\n".join([headed(title), sentence, "", ".. py:currentmodule:: efg_builder", "", *entries]),
        )
    index = [
        headed("Python"),
        "``import efg_builder as eb``. These names, and no others, are public: ``eb.__all__`` lists them. A change to\n"
        "one of them stands in the changelog. :doc:`/python` shows them at work.\n",
        ".. py:module:: efg_builder\n",
        ".. list-table::\n   :widths: 30 70\n\n" + "".join(rows),
        toctree(AREAS).replace(":maxdepth: 1", ":hidden:"),
    ]
    yield "reference/api/index.rst", "\n".join(index)


def entry(name: str) -> str:
    """The directive that documents the public *name*."""
    value = getattr(efg_builder, name)
    if isinstance(value, type):
        return f".. autoclass:: {name}\n   :members:\n"
    if callable(value):
        return f".. autofunction:: {name}\n"
    return f".. py:data:: {name}\n   :type: {type(value).__name__}\n\n   The version, {literal(str(value))}.\n"


def command_page(name: str) -> str:
    """The page of the command *name*: what ``--help`` says, each option with a place to link to."""
    command = root.get_command(click.Context(root), name)
    assert command is not None
    context = click.Context(command, info_name=f"efg-builder {name}", max_content_width=88, terminal_width=88)
    parts = [headed(f"efg-builder {name}"), f".. program:: efg-builder {name}\n"]
    for text in cleandoc(command.help or "").split("\n\n"):
        # Click keeps the lines of what follows this letter: examples and tables.
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
    """*text* as a block of code."""
    return f".. code-block:: {language}\n\n{indent(text, '   ')}\n"


def command_pages() -> Iterator[tuple[str, str]]:
    """A page for each command, and one that lists them."""
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
                "What each command takes, as ``efg-builder COMMAND --help`` says it. :doc:`/commands` shows them at\n"
                "work, with the options that many share and the exit codes.\n",
                *groups,
                ".. toctree::\n   :hidden:\n\n" + "".join(f"   {name} <{name}>\n" for name in COMMANDS),
            ]
        ),
    )


def settings(parameters: Iterable[Parameter]) -> str:
    """A definition list of *parameters*: key and default, meaning."""
    return "".join(
        f"{literal(f'{one.name}={one.default}')}\n   {plain(one.help) or 'must be given'}\n\n" for one in parameters
    )


def list_pages() -> Iterator[tuple[str, str]]:
    """The games, the methods and the players, each with what can be set."""

    def page(title: str, about: str, listed: Iterable[Any]) -> str:
        parts = [headed(title), about, ""]
        for one in listed:
            summary = plain(one.summary)
            parts += [headed(one.name, "-"), f"{summary[:1].upper()}{summary[1:]}.\n", settings(one.parameters)]
            # A game has several sources, a method one, a player none.
            sources = getattr(one, "sources", None) or getattr(one, "source", None) or ()
            sources = (sources,) if isinstance(sources, str) else sources
            parts += ["Source: " + "; ".join(map(plain, sources)) + "\n"] if sources else []
        return "\n".join(parts)

    yield (
        "reference/lists/games.rst",
        page(
            "Settings of games",
            "A setting is written after the game: ``efg-builder run liars-dice sides=3 dice=2,1``, or\n"
            '``eb.game("liars-dice", sides=3, dice=(2, 1))``. Each is shown with its default. :doc:`/games` says\n'
            "more on rules and values. Those of :doc:`your own game </your-own-game>` are the fields of its class.\n",
            # Not eb.catalogue(): the games of other packages that happen to be installed are not ours to document.
            collect("efg_builder.games", "GAMES").values(),
        ),
    )
    yield (
        "reference/lists/methods.rst",
        page(
            "Methods and their settings",
            "``--method NAME`` chooses one and ``--option KEY=VALUE`` sets it: ``efg-builder solve kuhn --method cfr\n"
            "--option iterations=500``. Without ``--method`` the one that suits the game is taken.\n",
            methods().values(),
        ),
    )
    yield (
        "reference/lists/players.rst",
        page(
            "Players and their settings",
            "A player is named with settings after colons, ``threshold:threshold=1/4``, wherever a command takes a\n"
            "strategy or players. :doc:`/players` says more.\n",
            players().values(),
        ),
    )


def notebook_pages(folder: Path) -> Iterator[tuple[str, str]]:
    """The notebooks of *folder*, as they are."""
    for path in sorted((folder / "notebooks").glob("*.ipynb")):
        yield f"tutorials/notebooks/{path.name}", path.read_text("utf-8")


def make(app: Sphinx) -> None:
    """Write the pages into the source folder, and take away those that are no longer made."""
    folder = Path(app.srcdir)
    pages = dict([*api_pages(), *command_pages(), *list_pages(), *notebook_pages(folder.parent)])
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
    """Mark an option in a sentence, which no line may break."""
    for word in tree.findall(nodes.literal):
        if re.fullmatch(r"--?[\w-]+( \S+)?", word.astext()):
            word["classes"].append("option")


def no_edit_link(_: Sphinx, pagename: str, __: str, context: dict[str, Any], ___: object) -> None:
    """Nobody edits a page that is made: it has no link to do so."""
    if pagename.startswith(tuple(f"{place}/" for place in MADE)):
        context["page_source_suffix"] = ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx."""
    app.connect("builder-inited", make)
    app.connect("doctree-read", keep_options_whole)
    app.connect("html-page-context", no_edit_link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
