"""The viewer's screenshots for the README: the 2-sided tree, the 3-sided public view, the six-sided game."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from efg_builder.cli import run

SHOTS = {
    "viewer-sides-2": ("2", ["--ranges"], "light", (1280, 760), "v.look('full'), v.select(1), v.fit()"),
    "viewer-sides-3-public": ("3", ["--ranges"], "light", (1280, 760), "v.hand(0, s.view.infosets(0)[1]), v.fit()"),
    "viewer-sides-6": (
        *("6", ["--strategy", "always-call"], "dark", (1280, 900)),
        "v.select(s.sight.root.children[0].key), v.fit()",
    ),
}
"""By the picture's name: sides, more words for ``draw``, colours, window, what is done before the picture is taken."""


def shoot(browser: object, folder: Path, work: Path) -> list[Path]:
    """Take the pictures with a running *browser* of Playwright's into *folder*; pages go into *work*."""
    taken = []
    for name, (sides, words, colours, (width, height), first) in SHOTS.items():
        game, found, path = ["liars-dice", f"sides={sides}"], work / "equilibrium.json.gz", work / f"{name}.html"
        with contextlib.redirect_stdout(io.StringIO()):
            code = run(["solve", *game, "--method", "lp", "-o", str(found)])
        if code or run(["draw", *game, "--solution", str(found), *words, "-o", str(path)]):
            raise RuntimeError(f"{name} was not drawn")
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)
        page.goto(path.as_uri())
        page.wait_for_selector(".efg-ready")
        page.evaluate(f"() => {{ const s = efgView.view.state, v = efgView.view.acts; {first}; }}")
        page.wait_for_timeout(200)
        page.screenshot(path=folder / f"{name}.png")
        page.close()
        taken.append(folder / f"{name}.png")
    return taken
