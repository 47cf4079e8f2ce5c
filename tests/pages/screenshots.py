"""Takes the screenshots of ``visualizations/`` anew: ``python tests/pages/screenshots.py [viewer] [play] [report]``.

Each function in ``SHOTS`` takes its pictures with a running browser of Playwright's into ``folder``, makes its pages in
``work``, and returns the pictures' paths. Pixels differ with the browser and its fonts, so no test compares them.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from pathlib import Path

from efg_builder.cli import run

FOLDER = Path(__file__).resolve().parents[2] / "visualizations"
MOST_BYTES = 400_000

SEED = 7


def play(browser: object, folder: Path, work: Path) -> list[Path]:
    """A round on a screen, one on a phone in the dark, and a match."""
    if run(["play", "liars-dice", "sides=6", "dice=2,2", "-o", str(work / "play.html")]):
        raise RuntimeError("the game was not solved")
    page = _opened(browser, work / "play.html", {"width": 1060, "height": 800})
    _round(page, ["1x5", "call"])
    page.keyboard.press("n")
    page.locator('button[data-action="1x3"]').click()
    page.keyboard.press("h")
    page.screenshot(path=folder / "play-round.png")
    page.close()
    page = _opened(
        browser, work / "play.html", {"width": 390, "height": 844}, color_scheme="dark", device_scale_factor=2
    )
    page.keyboard.press("h")
    page.screenshot(path=folder / "play-phone.png")
    page.close()
    _match(browser, folder, work)
    return [folder / "play-round.png", folder / "play-phone.png", folder / "play-match.png"]


def _match(browser: object, folder: Path, work: Path) -> None:
    """The end of a round within a match, with a mistake in it."""
    if run(["play", "liars-dice", "sides=3", "dice=2,2", "--match", "-o", str(work / "match.html")]):
        raise RuntimeError("the match was not solved")
    page = _opened(browser, work / "match.html", {"width": 1060, "height": 640})
    _round(page, ["4x3"])
    page.screenshot(path=folder / "play-match.png")
    page.close()


def _opened(browser: object, path: Path, viewport: dict[str, int], **more: object) -> object:
    page = browser.new_page(viewport=viewport, **more)
    page.goto(f"{path.as_uri()}#seed={SEED}")
    page.wait_for_selector("#play[data-records]")
    return page


def _round(page: object, moves: list[str]) -> None:
    """Make these moves, as far as the round goes."""
    for move in moves:
        if page.get_attribute("#play", "data-infoset"):
            page.locator(f'button[data-action="{move}"]').click()


REPORTS = {
    "report-sides-3": (("liars-dice", "sides=3"), "", 1120),
    "report-two-against-one": (("liars-dice", "sides=6", "dice=2,1"), "#opening", 1180),
}
"""By the picture's name: the game, which section is at the top (none: the head), and the window's height."""


def report(browser: object, folder: Path, work: Path) -> list[Path]:
    """The top of the page on the three-sided game, and when to call two dice."""
    for name, (words, section, height) in REPORTS.items():
        if run(["report", *words, "-o", str(work / f"{name}.html")]):
            raise RuntimeError(f"{name}: the report was not made")
        page = browser.new_page(viewport={"width": 960, "height": height}, color_scheme="light")
        page.goto((work / f"{name}.html").as_uri() + section)
        page.wait_for_selector(".efg-ready")
        page.screenshot(path=folder / f"{name}.png")
        page.close()
    return [folder / f"{name}.png" for name in REPORTS]


VIEWERS = {
    "viewer-sides-2": ("2", ["--ranges"], "light", (1280, 760), "v.look('full'), v.select(1), v.fit()"),
    "viewer-sides-3-public": ("3", ["--ranges"], "light", (1280, 760), "v.hand(0, s.view.infosets(0)[1]), v.fit()"),
    "viewer-sides-6": (
        *("6", ["--strategy", "always-call"], "dark", (1280, 900)),
        "v.select(s.sight.root.children[0].key), v.fit()",
    ),
}
"""By the picture's name: sides, more words for ``draw``, colours, window, what is done before the picture is taken."""


def viewer(browser: object, folder: Path, work: Path) -> list[Path]:
    """The two-sided tree, the three-sided public view, the six-sided game."""
    taken = []
    for name, (sides, words, colours, (width, height), first) in VIEWERS.items():
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


SHOTS = {"play": play, "report": report, "viewer": viewer}


def main(names: list[str]) -> int:
    """Take the shots of these names, or all; 1 where a picture is too large for the repository."""
    from conftest import browser_path
    from playwright.sync_api import sync_playwright

    if unknown := [name for name in names if name not in SHOTS]:
        print(f"no shots {unknown[0]!r}; there are: {', '.join(SHOTS)}", file=sys.stderr)
        return 2
    path = browser_path()
    if path is None:
        print("no browser is installed, and EFG_BUILDER_CHROMIUM is not set", file=sys.stderr)
        return 2
    taken: list[Path] = []
    with sync_playwright() as session, tempfile.TemporaryDirectory() as work:
        browser = session.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name in names or SHOTS:
            taken += SHOTS[name](browser, FOLDER, Path(work))
        browser.close()
    for picture in taken:
        print(f"{picture.relative_to(FOLDER.parent)}: {picture.stat().st_size:,} bytes")
    return int(any(picture.stat().st_size > MOST_BYTES for picture in taken))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
