"""How fast the viewer opens and unfolds: ``python docs/viewer.py`` makes ``viewer.json`` and ``viewer.md`` anew.

Needs Playwright and a Chromium (``EFG_BUILDER_CHROMIUM`` names one that is not found). Times are this machine's, and
no test holds them.
"""

from __future__ import annotations

import json
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
from efg_builder.files import write_atomically

DOCS = Path(__file__).parent
GAMES: tuple[dict[str, Any], ...] = (
    {"sides": 2},
    {"sides": 3},
    {"sides": 3, "max_quantity": 3},
    {"sides": 6},
    {"sides": 4, "max_quantity": 4},
)
OPENINGS, UNFOLDINGS = 5, 40
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

UNFOLD = """(most) => {
  const { state, acts, times } = window.efgView.view, found = [];
  // Every node that is folded, first come first, is unfolded once: what it takes until the new picture stands.
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

INTRO = """# The viewer

A page that shows a game tree in any browser, with what is played on it. It is one file, works from disk and asks
nothing of any server.

```sh
efg-builder draw liars-dice sides=3 --strategy equilibrium --ranges -o tree.html
efg-builder draw liars-dice sides=3 --solution a.json --solution b.json --strategy uniform -o tree.html
```

**What one sees.** The *public tree* has a box for each history that the table sees: a row for each hand of the
player to move, a column for each move that some hand makes, each cell in the player's colour, the stronger the
likelier. The *full tree* has a node for each deal and history; where a tree has no public tree, the help (`?`) says
why. Lines are as wide as their move is likely. At first there is in sight what is played, as far as it can be read
in the window; "+4 never made" stands for the moves that are left out, and a triangle with a number for the nodes
that are folded away. The side tells of what is chosen: how likely play gets there, what it is worth, what is
believed, and for each move how often it is made, what it is worth and how much less than the best one (regret). On
a phone the side is a sheet at the foot. A node of the full tree lights up its information set in gold; a dashed
gold box has more of that set folded away behind it.

**By mouse or finger.** A click chooses; the triangle, or a second click in the full tree, unfolds. Dragging moves
the tree, a wheel or two fingers enlarge it. "Fit" brings all that is in sight into the window as far as it can be
read, "Fold" folds all but what is likely.

**By keys**, from the moment that the page is open: arrows walk and unfold, `/` searches, `n` and `N` go to the next
hit and the one before, `v` turns to the other tree, `s` to the next solution, `1` to `9` choose a hand's row, `+`
`-` `0` enlarge, reduce and fit, `?` tells them all. Within another page, as in a report, arrows work once the tree
has the focus.

**Search** takes a history (`1x2 2x2`), a hand (`2`), an information set (`2: 1x2`) or a label of a file. Hits that
are played come first, and it is said how many are.

**Switching.** Several `--solution` and a `--strategy` (which brings what each player's best response to it is,
unless it is the equilibrium) stand in a list. "Compare with" marks what differs from another of them: ▲ is larger
than there, ▼ smaller, with the number that it was. It is at "nothing" until one is chosen, and stays when the
solution is changed.

**Ranges.** With `--ranges`, an outlined cell is free: other equilibria do otherwise, and the small numbers in it
say from where to where its probability can go. Moves that only other equilibria make with these hands are named
below the table. The column "Can be" at the side has the exact bounds.

**What is exact.** Reach, beliefs, values, worths and regrets are worked out in the page from the probabilities that
it carries: in fractions where these are fractions, and shown as such where they are short; else in floats. A
profile of floats is shown as it is: rows that do not quite sum to 1 are not made to, so that values may be off by
what is missing. For reach and beliefs, a float of at most one in a million counts as 0, and one as close to 1 as 1.

**Large games.** A tree over the budget of nodes has no page; of a game of bidding, the part that is played has one:

```sh
efg-builder solve liars-dice sides=6 dice=2,1 -o s.json.gz
efg-builder draw  liars-dice sides=6 dice=2,1 --solution s.json.gz -o x.html
```

**From Python:**

```python
import efg_builder as eb

tree = eb.build(eb.game("liars-dice", sides=2))
solution = eb.solve(tree)
eb.write_viewer(solution, "tree.html")
shown = {{"equilibrium": solution, "uniform": eb.uniform(tree)}}
eb.write_viewer(tree, "tree.html", shown, ranges=eb.ranges(tree))
```

## Measured

`python docs/viewer.py` makes this page and `viewer.json`: equilibria of Liar's Dice with one die each, opened in
{browser} on {machine}. The median of {openings} openings, each in a browser's fresh window; seconds but for the
unfoldings.

| nodes | public | page, kB | written in | first drawing | in sight | unfolding, ms | to the full tree | search |
|---|---|---|---|---|---|---|---|---|
"""

OUTRO = """
*public*: histories, the nodes of the public tree. *page*: the whole file; {bundle} kB of it are script and style, the
same in every page. *first drawing*: from the start of loading the file to the first picture, unpacking and working out
reach and values of every node included. *in sight*: nodes of the full tree that stand there when it is first turned to.
*unfolding*: the median and the longest of up to {unfoldings} nodes unfolded one after another in the full tree, none
folded again. *search*: for the longest history but one of the game, in the full tree.

Elements exist only for what is in the window; at most 2,000 nodes are in sight at a time, and of the children of a
node 80 come at once.
"""


def browser_path() -> str | None:
    """Of the browser that ``EFG_BUILDER_CHROMIUM`` names, or of the first that is installed."""
    return os.environ.get("EFG_BUILDER_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def measured(browser: Any, settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Sizes and times of one game's page."""
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


def page_of(data: dict[str, Any]) -> str:
    """The text of ``viewer.md``, from what is in ``viewer.json``."""
    rows = []
    for each in data["games"]:
        cells = [f"{each['nodes']:,}", f"{each['histories']:,}", f"{each['bytes'] / 1000:,.0f}"]
        cells += [f"{each['write_seconds']:.2f}", f"{each['first_seconds']:.2f}", f"{each['in_sight']}"]
        cells += [f"{each['unfold_ms']:.0f}, {each['unfold_longest_ms']:.0f}"]
        cells += [f"{each['full_seconds']:.2f}", f"{each['search_seconds']:.2f}"]
        rows.append(f"| {' | '.join(cells)} |\n")
    intro = INTRO.format(browser=data["browser"], machine=data["machine"], openings=OPENINGS)
    outro = OUTRO.format(bundle=round(data["bundle_bytes"] / 1000), unfoldings=UNFOLDINGS)
    return intro + "".join(rows) + outro


def main() -> None:
    """Measure, and write both files."""
    from playwright.sync_api import sync_playwright

    web = Path(eb.__file__).parent / "web"
    path = browser_path()
    if path is None:
        sys.exit("no browser is installed, and EFG_BUILDER_CHROMIUM is not set")
    with sync_playwright() as session, tempfile.TemporaryDirectory() as folder:
        browser = session.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        data = {
            "browser": f"Chromium {browser.version.partition('.')[0]}",
            "machine": f"{platform.system()}, {os.cpu_count()} cores",
            "bundle_bytes": sum((web / name).stat().st_size for name in ("viewer.js", "viewer.css")),
            "games": [measured(browser, settings, Path(folder)) for settings in GAMES],
        }
        browser.close()
    write_atomically(DOCS / "viewer.json", [(json.dumps(data, indent=1) + "\n").encode()])
    write_atomically(DOCS / "viewer.md", [page_of(data).encode()])


if __name__ == "__main__":
    main()
