"""The mechanical part of the style guide: line width, table width, sentence openings, one spelling of each term.

Usable on its own while writing: ``python tests/docs/test_style.py PATH …`` prints findings and their count.
"""

import ast
import io
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

WIDTH = 88
"""Maximum columns of a code block on a page: wider ones are cut off at 1280 px."""

COLUMNS = 6
"""Maximum columns of a table on a page."""

TERMS = {
    r"\w*behaviour\w*": "behavior",
    r"(?:minim|maxim|optim|real|normal|random|recogn|summar|general|initial|organ|visual|character|special|penal|"
    r"discret|parametr|emphas|factor|util|final|serial|symbol|standard|categor)is(?:e[ds]?|er|ers|ing|ations?)": "-ize",
    r"(?:anal|paral[el]+)yse[ds]?": "-yze",
    r"licen[c]e[ds]?": "license",
    r"(?:colo|neighbo|favo|hono|labo)ur\w*": "-or",
    r"(?:dis|un)?colour\w*": "color",
    r"centre[ds]?": "center",
    r"gr(?:ey)(?:ed|s)?": "gray",
    r"artefacts?": "artifact",
    r"(?:mode|labe|trave|signa)ll(?:ed|ing)": "one l",
    r"defence": "defense",
    r"sceptic\w*": "skeptic",
    r"pay-offs?": "payoff",
    r"sub-games?": "subgame",
    r"zero sum": "zero-sum",
    r"speed-ups?": "speedup",
    r"core seconds": "core-seconds",
    r"read only (?=file|copy|view|array|memory|mode|property|[.,;)])": "read-only",
    r"(?-i:Github|github(?![./]))": "GitHub",
    r"(?-i:Javascript)": "JavaScript",
    r"(?-i:Open[ -]?spiel|Open Spiel)": "OpenSpiel",
    r"(?-i:Liar's dice|Liars [Dd]ice|liar's dice)": "Liar's Dice",
    r"what the table sees": "the public tree, the public state",
    r"(?:where|while) play (?:never |hardly ever )?gets?": "on or off the equilibrium path",
    r"play (?:never|does not) gets?": "off the equilibrium path",
    r"(?:the|an|no|every|each|of) own (?=move|bid|hand|dice|die|turn|card|action|game|file|set|plan|strateg)\w+": (
        "the player's …, a … of your own"
    ),
    r"mended": "fixed",
    r"forgetful": "without perfect recall",
    r"games? of bidding": "bidding game",
    r"seconds of a core": "core-seconds",
    r"how many times as (?:fast|slow|large|long)": "speedup, ratio",
    r"(?<!there )(?<!there\n)(?:is|are|was|were) no (?=game|tree|file|array|slide|equilibri|number|fraction|list|proof|"
    r"round|match|bid|hand|name|power|integer|probabilit)\w+": "is not a …, are not …",
}
"""Regular expression, without case unless it says so, and the term to write."""

OPENINGS = re.compile(
    r"(?:\A|¶|[.!?:;]\s)[\s\"“'(*_]*(?P<found>(?:Who|Whose|What|How|Which|Why|Of)\b(?! to | course)[^¶]*?)"
    r"(?P<end>[.!?:;](?=[\s\"”')*_]*(?:\s|¶|\Z))|¶|\Z)"
)
_TERMS = re.compile("|".join(rf"(?P<t{n}>\b{pattern})" for n, pattern in enumerate(TERMS)), re.IGNORECASE)


def findings(path):
    """Yield *line, found, what to write* for each breach in a page or a module."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from _too_wide(text)
    prose = _of_page(text) if path.suffix == ".md" else _of_module(text)
    for match in OPENINGS.finditer(prose):
        if match["end"] != "?" and len(match["found"].split()) > 3:
            yield _line(prose, match.start("found")), " ".join(match["found"].split()[:5]), "a noun: “the payoff”"
    for match in _TERMS.finditer(prose):
        yield _line(prose, match.start()), " ".join(match[0].split()), list(TERMS.values())[int(match.lastgroup[1:])]


def _line(text, at):
    return text.count("\n", 0, at) + 1


def _fences(text):
    """Yield each line's number, the line, and the info string of its code block (None outside)."""
    fence = info = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(`{3,}|~{3,})(.*)", line)
        if fence is None and mark and not mark[2].startswith("{"):
            fence, info = mark[1], mark[2].strip()
            yield number, "", info
        elif fence is not None and mark and mark[1].startswith(fence) and not mark[2].strip():
            yield number, "", info
            fence = info = None
        else:
            yield number, line, info


def _too_wide(text):
    for number, line, info in _fences(text):
        # The set-up is one line, and a diff has the lines of the source.
        whole = "pip install" in (line or "") or info == "diff"
        if info is not None and len(line) > WIDTH and not whole:
            yield number, f"{len(line)} columns in a code block", f"at most {WIDTH}"
        elif info is None and re.fullmatch(r"\s*\|[\s:|-]+\|\s*", line) and line.count("|") - 1 > COLUMNS:
            yield number, f"{line.count('|') - 1} columns in a table", f"at most {COLUMNS}"


def _of_page(text):
    """The prose of a page, line by line; "¶" where a paragraph, list item, or cell ends."""
    lines = ("" if info is not None else line for _, line, info in _fences(text))
    lines = (re.sub(r"^\s*(?:[-*+]|\d+\.)\s|(?<!\\)\||^\s*:::.*|^\s*```.*|^\s*$", "¶", line) for line in lines)
    text = "\n".join(re.sub(r"^#+.*", "¶\\g<0>¶", line) for line in lines)
    return _without_code(re.sub(r"\]\([^)]*\)|<[^<>]*>", _blank, text))


def _of_module(text):
    """The comments, docstrings, and help texts of a module, line by line."""
    lines = [""] * (text.count("\n") + 2)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            source = text.splitlines()[node.lineno - 1 : node.end_lineno]
            for number, line in enumerate(_of_docstring(source), node.lineno):
                lines[number] += line
        elif isinstance(node, ast.keyword) and node.arg in {"help", "short_help", "epilog"}:
            for part in ast.walk(node.value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    lines[part.lineno] += "¶" + " ".join(part.value.split()) + "¶"
    before = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            number, column = token.start
            lines[number] += ("" if before == (number - 1, column) else "¶") + token.string.lstrip("#! ")
            before = token.start
    return _without_code("\n".join(line if line.strip() else "¶" for line in lines[1:]))


def _of_docstring(source):
    example = False
    for line in source:
        line = re.sub(r'^\s*[rf]?"""|"""\s*$', "¶", line)
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip(" ¶")))
        named = re.match(r"\s*[\w*, ]+ : |\s*-+$", line)
        yield "¶" if example or named else re.sub(r"^\s*(?:[-*]|\d+\.)\s", "¶", line)


def _without_code(text):
    return re.sub(r"(`+)(?!`)[^¶]*?[^`]\1(?!`)", _blank, text)


def _blank(match):
    return "".join("\n" if char == "\n" else "·" for char in match[0])


def _files(paths):
    for path in paths:
        yield from sorted(p for p in path.rglob("*") if p.suffix in {".md", ".py"}) if path.is_dir() else [path]


def _report(paths):
    return [f"{path}:{line}: {found}: write {write}" for path in _files(paths) for line, found, write in findings(path)]


def test_texts_keep_to_the_style():
    found = _report([ROOT / "README.md", ROOT / "docs", ROOT / "efg_builder"])
    assert not found, "\n".join(found)


def test_a_breach_is_found_and_its_plain_form_is_not(tmp_path):
    page, module = tmp_path / "page.md", tmp_path / "module.py"
    page.write_text(
        "# How to read it\n\nWhat is left of it is the\nbehaviour. What is left?\n\n```\n" + "x" * 89 + "\n```\n"
        "\n|" + "a|" * 7 + "\n|" + "-|" * 7 + "\n\n- Of all equilibria, one. `behaviour`\n"
    )
    module.write_text('"""Who moves is told.\n\n>>> behaviour\n"""\nx = "behaviour"  # is no file\n')
    assert [(line, found) for line, found, _ in findings(page)] == [
        *((7, "89 columns in a code block"), (11, "7 columns in a table")),
        *((3, "What is left of it"), (13, "Of all equilibria, one"), (4, "behaviour")),
    ]
    assert [(line, found) for line, found, _ in findings(module)] == [(1, "Who moves is told"), (5, "is no file")]


if __name__ == "__main__":
    lines = _report([Path(arg) for arg in sys.argv[1:]])
    print(*lines, f"{len(lines)} findings", sep="\n")
    sys.exit(bool(lines))
