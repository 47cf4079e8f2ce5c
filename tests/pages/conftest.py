"""A real Chromium, where there is one: pages are tested as people use them."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest
from looking import PATIENCE
from small_files import cells_in_integers

import efg_builder as eb
from efg_builder.display.pages.viewer import Shown, write_shown
from efg_builder.forms.hand_names import as_in_files

TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


class Watched:
    """A page, and what it did that it must not: errors on the console, exceptions, requests to anywhere."""

    def __init__(self, browser: object, context: dict[str, object]) -> None:
        self.page = browser.new_context(**context).new_page()
        self.page.set_default_timeout(PATIENCE)
        for name in ("press", "type"):
            setattr(self.page.keyboard, name, partial(self._and_rest, getattr(self.page.keyboard, name)))
        self.wrong: list[str] = []
        self.own = ""
        note = self.wrong.append
        self.page.on("console", lambda m: note(f"console: {m.text}") if m.type == "error" else None)
        self.page.on("pageerror", lambda error: note(f"exception: {error}"))
        self.page.on("request", lambda r: None if r.url in (self.own, "about:blank") else note(f"request: {r.url}"))

    def _and_rest(self, press: Callable[..., None], *words: str, **more: float) -> None:
        """Press keys, and wait until what they do is drawn, with the focus where it goes."""
        press(*words, **more)
        self.page.evaluate(TWO_FRAMES)

    def opens(self, path: Path, size: dict[str, int] | None) -> object:
        self.own = path.as_uri()
        self.page.emulate_media(media="null")
        if size is not None:
            self.page.set_viewport_size(size)
        self.page.goto(self.own)
        return self.page

    def leaves(self) -> list[str]:
        """To an empty page, so that nothing of the last one is left. What went wrong there."""
        self.own = "about:blank"
        self.page.mouse.move(0, 0)  # what is there on the next page is not hovered over
        self.page.goto(self.own)
        found = self.wrong[:]
        self.wrong.clear()
        return found


@pytest.fixture
def broken():
    """What axe finds on a page: the rules broken."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    return lambda page: axe.run(page).response["violations"]


@pytest.fixture
def axe(broken):
    """All that axe finds on a page, each rule with the element that breaks it."""
    return lambda page: [(each["id"], each["nodes"][0]["html"]) for each in broken(page)]


@pytest.fixture
def serious(broken):
    """What axe finds on a page that is serious or critical: the rules broken, each with the element that breaks it."""
    grave = ("serious", "critical")
    return lambda page: [(e["id"], e["nodes"][0]["html"]) for e in broken(page) if e["impact"] in grave]


@pytest.fixture
def seated(opened):
    """``seated(path, seed=7, **context)`` opens a page to play on, dealt from *seed*."""

    def opens(path, seed=7, **context):
        page = opened(path, **{"viewport": {"width": 1100, "height": 900}} | context)
        page.evaluate(f"location.hash = 'seed={seed}'")
        page.reload()
        page.wait_for_selector("#play[data-records]")
        return page

    return opens


@pytest.fixture(scope="module")
def pool(browser):
    """The pages of a module's tests, by what they were opened with: to start one takes longer than most tests."""
    idle: dict[str, list[Watched]] = {}
    yield idle
    for each in (each for several in idle.values() for each in several):
        each.page.context.close()


@pytest.fixture
def opened(browser, pool):
    """``opened(path, **context)`` opens a file in a page of its own; at the end nothing wrong may have happened."""
    used: list[tuple[str, Watched]] = []

    def opens(path, **context):
        size = context.pop("viewport", {"width": 1280, "height": 720})
        key = repr(sorted(context.items()))
        watched = pool[key].pop() if pool.get(key) else Watched(browser, context)
        used.append((key, watched))
        return watched.opens(path, size)

    yield opens
    wrong = [each for _, watched in used for each in watched.leaves()]
    for key, watched in used:
        pool.setdefault(key, []).append(watched)
    assert wrong == []


@pytest.fixture
def viewer(opened):
    """``viewer(path, (width, height), **context)`` opens a page with a viewer, and waits until it is there."""

    def opens(path, size=(1280, 800), **context):
        page = opened(path, viewport={"width": size[0], "height": size[1]}, **context)
        page.wait_for_selector(".efg-ready")
        return page

    return opens


@pytest.fixture(scope="session")
def dice(tmp_path_factory):
    """``dice(sides)``: a page of Liar's Dice with an equilibrium, ranges over all, and uniform play."""
    folder = tmp_path_factory.mktemp("viewers")

    @cache
    def written(sides):
        tree = eb.build(eb.game("liars-dice", sides=sides))
        shares = eb.ranges(tree, vertices=0).shares
        with cells_in_integers(0):  # the tests name moves of the equilibrium that HiGHS finds
            solved = eb.solve(tree, "lp")
        shown = [
            Shown("equilibrium", solved.profile, "verified", shares),
            Shown("uniform", eb.TreeProfile.uniform(tree), "all moves alike"),
        ]
        # The tests call hands as files do.
        return write_shown(tree, shown, folder / f"sides-{sides}.html", label=as_in_files)

    return written
