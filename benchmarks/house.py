"""Measure the source: ``python benchmarks/house.py [FOLDER ...]``.

For each FOLDER with ``efg_builder`` and ``tests`` (default: this checkout), print the lines of each package and of each
folder of tests, and below them the measures that ``tests/base/test_house.py`` limits. Several folders, such as an old
and a new checkout, are printed side by side.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

KINDS = (
    *("Game", "GameTree", "DealtGame", "BiddingGame", "RuleGame", "Subject"),
    *("Strategy", "Policy", "TreeProfile", "SparseProfile", "DenseProfile", "Solution"),
)
"""Types of games and strategies. A check for one of these types is often a sign of a missing interface."""

LONGEST_FUNCTION, MOST_COMPLEX, MOST_PARAMETERS = 60, 20, 8
"""Lines of a function's body without its docstring, its complexity, and its parameters."""

Function = ast.FunctionDef | ast.AsyncFunctionDef

LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}
"""Tokens that are not code."""

BRANCHES = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case, ast.Assert)


class Measured(NamedTuple):
    """A function: its place, the lines of its body without docstring, its complexity and its parameters."""

    place: str
    lines: int
    complexity: int
    parameters: int


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text())


def files(folder: Path) -> list[Path]:
    """Return the Python files below *folder*."""
    return sorted(folder.rglob("*.py"))


def lines_by_room(folder: Path) -> dict[str, int]:
    """Return the lines of Python in each subfolder; the files of *folder* itself have the key ``"."``."""
    counts: dict[str, int] = {}
    for path in files(folder):
        parts = path.relative_to(folder).parts
        key = parts[0] if len(parts) > 1 else "."
        counts[key] = counts.get(key, 0) + len(path.read_text().splitlines())
    return counts


def code_lines(folder: Path) -> int:
    """Return the number of lines that are not blank, a comment or a docstring."""
    total = 0
    for path in files(folder):
        tokens = tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
        code = [token for token in tokens if token.type not in LAYOUT]
        rows = {row for token in code for row in range(token.start[0], token.end[0] + 1)}
        texts = [
            node
            for node in ast.walk(tree(path))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        ]
        total += len(rows - {row for node in texts for row in range(node.lineno, (node.end_lineno or 0) + 1)})
    return total


def functions(folder: Path) -> Iterator[Measured]:
    """Yield every function and method below *folder*."""
    for path in files(folder):
        for node in ast.walk(tree(path)):
            if isinstance(node, Function):
                taken = node.args
                count = len(taken.posonlyargs) + len(taken.args) + len(taken.kwonlyargs)
                owned = int(bool(taken.args) and taken.args[0].arg in ("self", "cls"))
                place = f"{path.relative_to(folder)}:{node.name}"
                yield Measured(place, _body_lines(node), complexity(node), count - owned)


def _body_lines(node: Function) -> int:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def complexity(function: ast.AST) -> int:
    """Return one more than the number of branches, conditions and comprehensions (after McCabe, IEEE TSE 2, 1976)."""
    total = 1
    for node in ast.walk(function):
        if isinstance(node, BRANCHES):
            total += 1
        elif isinstance(node, ast.comprehension):
            total += 1 + len(node.ifs)
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
    return total


def checks_of_kinds(folder: Path) -> list[str]:
    """Return each ``isinstance`` call that asks for one of ``KINDS``, as ``"file:line"``."""
    found = []
    for path in files(folder):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                names = {each.id for each in ast.walk(node.args[1]) if isinstance(each, ast.Name)}
                names |= {each.attr for each in ast.walk(node.args[1]) if isinstance(each, ast.Attribute)}
                if names & set(KINDS):
                    found.append(f"{path.relative_to(folder)}:{node.lineno}")
    return found


def asserts(folder: Path) -> list[str]:
    """Return each ``assert`` statement, as ``"file:line"``."""
    return [
        f"{path.relative_to(folder)}:{node.lineno}"
        for path in files(folder)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Assert)
    ]


def measures(checkout: Path) -> dict[str, int]:
    """Return all measures of a checkout by name."""
    package, tests = checkout / "efg_builder", checkout / "tests"
    found = list(functions(package))
    return {
        **{f"efg_builder/{room}": count for room, count in lines_by_room(package).items()},
        "efg_builder": sum(lines_by_room(package).values()),
        "efg_builder, code": code_lines(package),
        **{f"tests/{room}": count for room, count in lines_by_room(tests).items()},
        "tests": sum(lines_by_room(tests).values()),
        "files": len(files(package)),
        "functions": len(found),
        "largest file": max(len(path.read_text().splitlines()) for path in files(package)),
        "functions over 60 lines": sum(each.lines > LONGEST_FUNCTION for each in found),
        "functions of complexity over 20": sum(each.complexity > MOST_COMPLEX for each in found),
        "functions with over 8 parameters": sum(each.parameters > MOST_PARAMETERS for each in found),
        "isinstance on games and strategies": len(checks_of_kinds(package)),
        "asserts": len(asserts(package)),
    }


def main(folders: list[str]) -> None:
    """Print the measures of each checkout in a column."""
    columns: list[Mapping[str, int]] = [measures(Path(folder).resolve()) for folder in folders or [str(ROOT)]]
    for name in dict.fromkeys(key for column in columns for key in column):
        print(f"{name:<36}", *(f"{column.get(name, 0):>9,}" for column in columns), sep="")


if __name__ == "__main__":
    main(sys.argv[1:])
