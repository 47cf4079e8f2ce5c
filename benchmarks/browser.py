"""Compare the page *Try it* with an installed package: ``python benchmarks/browser.py PYODIDE`` makes the table of
``docs/howto/browser.md``. PYODIDE is a folder with a distribution of Pyodide.

The script needs Playwright and Chromium. ``EFG_BUILDER_CHROMIUM`` can specify Chromium's path.
"""

from __future__ import annotations

import argparse
import http.server
import json
import os
import runpy
import sys
import tempfile
import threading
import time
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

import frame
from viewer import browser_path

TRY = frame.ROOT / "docs" / "try"
GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("kuhn", {}),
    ("liars-dice", {"sides": "3"}),
    ("leduc", {}),
    ("liars-dice", {"sides": "4"}),
    ("liars-dice", {"sides": "6", "dice": "2,1"}),
)
RUNS = 3


def request(name: str, settings: dict[str, str]) -> dict[str, Any]:
    return {"kind": "catalogue", "name": name, "settings": settings}


def native(name: str, settings: dict[str, str]) -> dict[str, float]:
    """Return the seconds of this process for the page's work: the first time, and the shortest later time."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        work = runpy.run_path(str(TRY / "work.py"))
        seconds = []
        for _ in range(1 + RUNS):
            answer = json.loads(work["solve"](json.dumps(request(name, settings))))
            assert "error" not in answer, answer
            seconds.append(time.perf_counter() - began)
            began = time.perf_counter()
        os.chdir(frame.ROOT)
    return {"first": seconds[0], "again": min(seconds[1:])}


def installed_bytes() -> int:
    """Return the size of the installed package and all that it needs, without extras."""
    names, left = set(), ["efg-builder"]
    while left:
        name = left.pop()
        names.add(name)
        needed = map(Requirement, metadata.requires(name) or ())
        left += {each.name for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})} - names
    package = sum(path.stat().st_size for path in (frame.ROOT / "efg_builder").rglob("*") if path.is_file())
    files = (file.locate() for name in names - {"efg-builder"} for file in metadata.files(name) or ())
    return package + sum(Path(file).stat().st_size for file in files if Path(file).is_file())


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


def _solved(page: Any) -> float:
    """Press *Solve*, and return the seconds until the answer appears."""
    began = time.perf_counter()
    page.locator("#solve").click()
    page.locator("#solve:enabled").wait_for(timeout=600_000)
    seconds = time.perf_counter() - began
    assert page.locator("#answer").is_visible(), page.locator("#error").inner_text()
    return seconds


def measure(pyodide: Path) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    data: dict[str, Any] = {"games": []}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as session:
        runpy.run_path(str(TRY / "build.py"))["build"](Path(folder), str(pyodide))
        data["bytes"] = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        data["installed_bytes"] = installed_bytes()
        data["pyodide"] = json.loads((pyodide / "package.json").read_text("utf-8"))["version"]
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = session.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        data["browser"] = f"Chromium {browser.version.partition('.')[0]}"
        context = browser.new_context()
        for visit in ("cold", "warm"):
            page = context.new_page()
            page.goto(f"http://localhost:{server.server_port}/")
            data[visit] = _solved(page)
        for name, settings in GAMES:
            page.goto(f"http://localhost:{server.server_port}/")
            page.locator("#progress", has_text="ready").wait_for(timeout=600_000)
            page.locator("#name").select_option(name)
            for key, value in settings.items():
                page.locator(f"[name={key}]").fill(value)
            seconds = [_solved(page) for _ in range(1 + RUNS)]
            here = frame.own_process(native, name, settings)
            words = " ".join([name, *(f"{key}={value}" for key, value in settings.items())])
            data["games"].append({"game": words, "first": seconds[0], "again": min(seconds[1:]), "native": here})
        server.shutdown()
    return data


def parts(data: dict[str, Any]) -> dict[str, list[str]]:
    rows = [
        [
            f"`{each['game']}`",
            *(f"{each[run]:.2f}" for run in ("first", "again")),
            *(f"{each['native'][run]:.2f}" for run in ("first", "again")),
            f"{each['again'] / each['native']['again']:.1f}",
        ]
        for each in data["games"]
    ]
    said = (
        f"Measured with Pyodide {data['pyodide']} in {data['browser']}, in the same run as the installed package. "
        f"At the first visit, the answer for three sides was there after {data['cold']:.0f} s, at the second visit "
        f"after {data['warm']:.0f} s. The page and Pyodide have {data['bytes'] / 1e6:.0f} MB; "
        f"the installed package and what it needs have {data['installed_bytes'] / 1e6:.0f} MB, without Python."
    )
    head = "game | page: first, s | again, s | installed: first, s | again, s | ratio"
    return {"measured": [*frame.table(head, rows), "", said]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pyodide", type=Path, nargs="?", help="a folder; without it, only make the page")
    words = parser.parse_args()
    if words.pyodide is not None:
        if browser_path() is None:
            sys.exit("no browser is installed, and EFG_BUILDER_CHROMIUM is not set")
        frame.keep("browser", measure(words.pyodide))
    frame.fill("howto/browser", parts(frame.load("browser")))


if __name__ == "__main__":
    main()
