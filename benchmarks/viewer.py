"""Measure the speed of the viewer: ``python benchmarks/viewer.py`` makes the table of ``docs/viewer.md``.

The script needs Playwright and Chromium. ``EFG_BUILDER_CHROMIUM`` can specify Chromium's path.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import efg_builder as eb
import frame

GAMES: tuple[dict[str, Any], ...] = (
    {"sides": 2},
    {"sides": 3},
    {"sides": 3, "max_quantity": 3},
    {"sides": 6},
    {"sides": 4, "max_quantity": 4},
)
EXPLORED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("kuhn", {}),
    ("dice-poker", {}),
    ("liars-dice", {"sides": 3}),
    ("leduc", {}),
    ("liars-dice", {"sides": 3, "dice": "2,1"}),
)
OPENINGS, UNFOLDINGS, MOVES = 5, 40, 60
NEAR, PATIENCE = 1e-3, 60_000  # the gap of "Learn", and the milliseconds after which it is given up
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

UNFOLD = """(most) => {
  const { state, acts, times } = window.efgView.view, found = [];
  // Unfold each folded node once, in order, and measure the time until the new picture is drawn.
  for (const item of [...state.sight.order]) {
    if (found.length >= most) break;
    const { open } = state.folds[state.view.kind];
    const closed = item.kind !== "node" || (state.view.size(item.id) > 1 && !open.has(item.id));
    if (!closed || !state.sight.index.has(item.key)) continue;
    acts.toggle(item.key, true);
    found.push(times.unfold);
  }
  return found;
}"""

TIMED = """(words) => {
  const { acts } = window.efgView.view, began = performance.now();
  document.querySelector("input[type=search]").value = words.search ?? "";
  words.search ? acts.hit(1) : acts.look(words.look);
  return performance.now() - began;
}"""

MOVE = """async (most) => {
  const found = [], bar = document.querySelector(".efg-explore [role=slider]:not(.efg-xdead *)");
  for (let k = 0; k < most; k++) {
    const began = performance.now();
    bar.dispatchEvent(new KeyboardEvent("keydown", { key: k % 4 < 2 ? "ArrowLeft" : "ArrowRight", bubbles: true }));
    const handled = performance.now() - began;
    // The frame's own timestamp is the start of its work; reading a height makes the browser place all boxes.
    found.push(handled + await new Promise((done) => requestAnimationFrame((start) => {
      document.body.offsetHeight;
      done(performance.now() - start);
    })));
  }
  return found;
}"""

LEARN = """async ([near, patience]) => {
  const bound = (text) => text.replace("≈", "").split("/").reduce((a, b) => a / b);
  [...document.querySelectorAll(".efg-explore .efg-go")].find((each) => each.textContent.includes("Learn")).click();
  const began = performance.now();
  while (performance.now() - began < patience) {
    await new Promise(requestAnimationFrame);
    const [low, high] = efg.state().bounds.map(bound);
    if (high - low < near) return (performance.now() - began) / 1000;
  }
  return null;
}"""

EXPLORE_HEAD = "game | nodes | numbers | moving a bar, ms | *Learn* to a gap of 1/1000, s"
HEAD = "nodes | page, kB | time to write, s | first drawing, s | unfolding, ms | search, s"


def browser_path() -> str | None:
    """Return the path of the browser: ``EFG_BUILDER_CHROMIUM``, or the first installed browser."""
    return os.environ.get("EFG_BUILDER_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def measured(browser: Any, settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    game = eb.game("liars-dice", **settings)
    tree, solution = eb.build(game), eb.solve(game)
    path, began = folder / "page.html", time.perf_counter()
    eb.write_viewer(tree, path, {"equilibrium": solution})
    record: dict[str, Any] = {"settings": settings, "nodes": len(tree), "write_seconds": time.perf_counter() - began}
    record["bytes"] = path.stat().st_size
    first, unfoldings, full, search = [], [], [], []
    for _ in range(OPENINGS):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(path.as_uri())
        page.wait_for_selector(".efg-ready", timeout=120_000)
        first.append(page.evaluate("performance.getEntriesByName('efg-drawn')[0].startTime") / 1000)
        record["histories"] = page.evaluate("window.efgView.view.state.views.public.count")
        full.append(page.evaluate(TIMED, {"look": "full"}) / 1000)
        record["in_sight"] = page.evaluate("window.efgView.view.state.sight.order.length")
        unfoldings += page.evaluate(UNFOLD, UNFOLDINGS)
        most = settings.get("max_quantity", 2)
        bids = [f"{q}x{face}" for q in range(1, most + 1) for face in range(1, settings["sides"] + 1)]
        search.append(page.evaluate(TIMED, {"search": " ".join(bids[:-1])}) / 1000)
        page.close()
    record |= {"first_seconds": median(first), "full_seconds": median(full), "search_seconds": median(search)}
    return record | {"unfold_ms": median(unfoldings), "unfold_longest_ms": max(unfoldings)}


def explored(browser: Any, name: str, settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    tree = eb.build(eb.game(name, **settings))
    path = eb.write_viewer(tree, folder / "explore.html", view="explore")
    moves, learned = [], []
    for _ in range(OPENINGS):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(path.as_uri())
        page.wait_for_selector(".efg-explore [role=slider]", timeout=120_000)
        moves += page.evaluate(MOVE, MOVES)
        is_exact = "≈" not in page.evaluate("efg.state().bounds[0]")
        page.reload()
        page.wait_for_selector(".efg-explore [role=slider]", timeout=120_000)
        learned.append(page.evaluate(LEARN, [NEAR, PATIENCE]))
        page.close()
    record = {"game": " ".join([name, *(f"{k}={v}" for k, v in settings.items())]), "nodes": len(tree)}
    return record | {
        "is_exact": is_exact,
        "move_ms": median(moves),
        "move_longest_ms": max(moves),
        "learn_seconds": None if None in learned else median(learned),
    }


def parts(data: dict[str, Any]) -> dict[str, list[str]]:
    rows = []
    for each in data["games"]:
        cells = [f"{each['nodes']:,}", f"{each['bytes'] / 1000:,.0f}", f"{each['write_seconds']:.2f}"]
        cells += [f"{each['first_seconds']:.2f}", f"{each['unfold_ms']:.0f}, {each['unfold_longest_ms']:.0f}"]
        rows.append([*cells, f"{each['search_seconds']:.2f}"])
    made = (
        f"Measured in {data['browser']} on {data['machine']}. Times are medians over {OPENINGS} runs, each in a new "
        f"window with up to {UNFOLDINGS} unfolded nodes. Scripts and styles take {round(data['bundle_bytes'] / 1000)} "
        "kB of each page."
    )
    bars = []
    for each in data["explored"]:
        seconds = each["learn_seconds"]
        bars.append(
            [
                f"`{each['game']}`",
                f"{each['nodes']:,}",
                "exact" if each["is_exact"] else "floating-point",
                f"{each['move_ms']:.0f}, {each['move_longest_ms']:.0f}",
                f"more than {PATIENCE // 1000}" if seconds is None else f"{seconds:.1f}",
            ]
        )
    return {
        "measured": [*frame.table(HEAD, rows, left=0), "", made],
        "explored": frame.table(EXPLORE_HEAD, bars),
    }


def measure() -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    web = Path(eb.__file__).parent / "display" / "pages"
    path = browser_path()
    if path is None:
        sys.exit("no browser is installed, and EFG_BUILDER_CHROMIUM is not set")
    with sync_playwright() as session, tempfile.TemporaryDirectory() as folder:
        browser = session.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        return {
            "browser": f"Chromium {browser.version.partition('.')[0]}",
            "machine": f"{platform.system()}, {os.cpu_count()} cores",
            "bundle_bytes": sum((web / name).stat().st_size for name in ("viewer.js", "viewer.css")),
            "games": [measured(browser, settings, Path(folder)) for settings in GAMES],
            "explored": [explored(browser, name, settings, Path(folder)) for name, settings in EXPLORED],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--render", action="store_true", help="only make the page")
    if not parser.parse_args().render:
        frame.keep("viewer", measure())
    frame.fill("viewer", parts(frame.load("viewer")))


if __name__ == "__main__":
    main()
