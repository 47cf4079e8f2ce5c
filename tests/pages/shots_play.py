"""The screenshots of play: a round on a screen, one on a phone in the dark, and a match."""

from __future__ import annotations

from pathlib import Path

from efg_builder.cli import run

SEED = 7


def shoot(browser: object, folder: Path, work: Path) -> list[Path]:
    """Take the pictures with a running *browser* of Playwright's into *folder*; the page goes into *work*."""
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
