"""Runs the notebooks without Jupyter: ``python tests/notebook_runner.py`` makes their outputs anew.

A cell's output is what it prints, and what its last line is worth, shown as a notebook shows it: by ``_repr_html_``
and its like. Figures of matplotlib become PNG, as in Jupyter.
"""

import ast
import base64
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from unittest import mock

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
MIMES = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml", "_repr_png_": "image/png"}
LONGEST = 200
"""A longer plain text is cut: nobody sees it where there is a picture or a table."""


def read(path):
    """The notebook as plain data."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write(notebook, path):
    """As Jupyter writes it."""
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    Path(path).write_text(text, encoding="utf-8")


def code_cells(notebook):
    """The cells that are run, in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(notebook, directory):
    """The outputs of each code cell, all run in one namespace with *directory* for the working directory."""
    names, found = {"__name__": "__main__"}, []
    with contextlib.chdir(directory), mock.patch.dict(os.environ, {"MPLBACKEND": "agg"}):
        for number, cell in enumerate(code_cells(notebook), start=1):
            found.append(_run_cell("".join(cell["source"]), names, number))
    return found


def _run_cell(source, names, number):
    body = ast.parse(source, f"cell {number}").body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": _shown(value)}
        outputs.append(result)
    return outputs


def _shown(value):
    plain = repr(value)
    data = {"text/plain": [plain if len(plain) <= LONGEST else f"<{type(value).__name__}>"]}
    for method, mime in MIMES.items():
        shown = getattr(value, method, lambda: None)()
        if shown is not None:
            data[mime] = base64.b64encode(shown).decode() if isinstance(shown, bytes) else _lines(shown)
    if type(value).__name__ == "Figure":
        out = io.BytesIO()
        value.savefig(out, format="png", dpi=80, bbox_inches="tight", metadata={"Software": None})
        data["image/png"] = base64.b64encode(out.getvalue()).decode()
    return data


def _lines(text):
    return text.splitlines(keepends=True)


def told(outputs):
    """The text of a cell's outputs that a reader sees: what is printed, and tables; no pictures, no repr."""
    parts = []
    for output in outputs:
        if output["output_type"] == "stream":
            parts.append("".join(output["text"]))
        else:
            parts.append("".join(output.get("data", {}).get("text/html", "")))
    return "".join(parts)


def make():
    """Run all notebooks and write their outputs into them."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = read(path)
        with tempfile.TemporaryDirectory() as directory:
            found = run(notebook, directory)
        for number, (cell, outputs) in enumerate(zip(code_cells(notebook), found, strict=True), start=1):
            cell["outputs"], cell["execution_count"] = outputs, number
        write(notebook, path)
        print(f"{path}: {path.stat().st_size:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    make()
