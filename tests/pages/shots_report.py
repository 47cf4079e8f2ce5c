"""The report's screenshots for the README: the top of the page on the 3-sided game, and when to call two dice."""

from __future__ import annotations

from pathlib import Path

from efg_builder.cli import run

SHOTS = {
    "report-sides-3": (("liars-dice", "sides=3"), "", 1120),
    "report-two-against-one": (("liars-dice", "sides=6", "dice=2,1"), "#opening", 1180),
}
"""By the picture's name: the game, which section is at the top (none: the head), and the window's height."""


def shoot(browser: object, folder: Path, work: Path) -> list[Path]:
    """Take the pictures with a running *browser* of Playwright's into *folder*; pages go into *work*."""
    for name, (words, section, height) in SHOTS.items():
        if run(["report", *words, "-o", str(work / f"{name}.html")]):
            raise RuntimeError(f"{name}: the report was not made")
        page = browser.new_page(viewport={"width": 960, "height": height}, color_scheme="light")
        page.goto((work / f"{name}.html").as_uri() + section)
        page.wait_for_selector(".efg-ready")
        page.screenshot(path=folder / f"{name}.png")
        page.close()
    return [folder / f"{name}.png" for name in SHOTS]
