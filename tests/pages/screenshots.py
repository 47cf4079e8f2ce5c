"""Takes the screenshots of ``visualizations/`` anew: ``python tests/pages/screenshots.py [NAME]...``.

Pixels differ with the browser and its fonts, so no test compares them.
"""

import contextlib
import io
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # as in the settings of pytest
from chromium import browser_path

from efg_builder.cli import run

FOLDER = Path(__file__).resolve().parents[2] / "visualizations"
MOST_BYTES = 400_000

PLAY = ("play", "liars-dice", "sides=6", "dice=2,2")
MATCH = ("play", "liars-dice", "sides=3", "dice=2,2", "--match")
PHONE = {"color_scheme": "dark", "device_scale_factor": 2}
ACTS = "() => {{ const s = efgView.view.state, v = efgView.view.acts; {}; }}"


def draw(sides, *words):
    return ("draw", "liars-dice", f"sides={sides}", "--solution", "SOLVED", *words)


SHOTS = {
    # The review of a round on a screen, a hint on a phone in the dark, the end of a round of a match with a mistake.
    "play-round": (
        PLAY,
        "#seed=7",
        (1280, 800),
        {},
        ["1x5", "call", "n", "1x3", "call", "ArrowLeft", "ArrowLeft", "ArrowLeft"],
    ),
    "play-phone": (PLAY, "#seed=7", (390, 844), PHONE, ["h"]),
    "play-match": (MATCH, "#seed=7", (1280, 860), {}, ["4x3"]),
    # The top of the page on the three-sided game, and when to call two dice.
    "report-sides-3": (("report", "liars-dice", "sides=3"), "", (960, 1120), {}, []),
    "report-two-against-one": (("report", "liars-dice", "sides=6", "dice=2,1"), "#sheet", (960, 1180), {}, []),
    # A bluff that is too frequent, on the front page.
    "explore-kuhn": (
        *(("draw", "kuhn", "--strategy", "equilibrium", "--view", "explore"), "#view=explore&bars=1:1/3,2/3&bar=1.1"),
        *((1280, 780), {}, []),
    ),
    # The two-sided tree, the three-sided public view, the six-sided game.
    "viewer-sides-2": (draw(2, "--ranges"), "", (1280, 760), {}, ["v.look('full'), v.select(1), v.fit()"]),
    "viewer-sides-3-public": (
        *(draw(3, "--ranges"), "", (1280, 760), {}),
        ["v.hand(0, s.view.infosets(0)[1]), v.fit()"],
    ),
    "viewer-sides-6": (
        *(draw(6, "--strategy", "always-call"), "", (1280, 900), {"color_scheme": "dark"}),
        ["v.select(s.sight.root.children[0].key), v.fit()"],
    ),
}
"""By the picture's name: the command, the address, the window, more of it, and keys, moves or calls of the viewer."""


def shoot(browser, name, work):
    """Take the picture *name* with a browser of Playwright's; its page is made in *work*."""
    words, address, (width, height), more, steps = SHOTS[name]
    path, solved = work / f"{name}.html", str(work / "solved.json.gz")
    with contextlib.redirect_stdout(io.StringIO()):
        code = run(["solve", *words[1:3], "--method", "lp", "-o", solved]) if "SOLVED" in words else 0
        code = code or run([*(solved if word == "SOLVED" else word for word in words), "-o", str(path)])
    if code:
        raise RuntimeError(f"{name}: the page was not made")
    page = browser.new_page(viewport={"width": width, "height": height}, **more)
    page.goto(path.as_uri() + address)
    page.wait_for_selector("#play[data-records]" if words[0] == "play" else ".efg-ready")
    for step in steps:
        if step.startswith("v."):
            page.evaluate(ACTS.format(step))
            page.wait_for_timeout(200)
        elif len(step) == 1 or step.startswith("Arrow"):
            page.keyboard.press(step)
        elif page.get_attribute("#play", "data-infoset"):
            page.locator(f'button[data-action="{step}"]').click()
    if words[0] == "play":
        page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=FOLDER / f"{name}.png")
    page.close()


def main(names):
    """Take the shots of these names, or all; 1 where a picture is too large for the repository."""
    with sync_playwright() as session, tempfile.TemporaryDirectory() as work:
        browser = session.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        for name in names or SHOTS:
            shoot(browser, name, Path(work))
        browser.close()
    sizes = {name: (FOLDER / f"{name}.png").stat().st_size for name in names or SHOTS}
    print("\n".join(f"{name}.png: {size:,} bytes" for name, size in sizes.items()))
    return int(any(size > MOST_BYTES for size in sizes.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
