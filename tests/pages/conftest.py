"""A real Chromium, where there is one: pages are tested as people use them."""

import os
import shutil
from collections.abc import Iterator

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def browser_path() -> str | None:
    """Of the browser that ``EFG_BUILDER_CHROMIUM`` names, or of the first that is installed."""
    return os.environ.get("EFG_BUILDER_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = browser_path()
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed, and EFG_BUILDER_CHROMIUM is not set")
    with playwright.sync_playwright() as session:
        running = session.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


class Watched:
    """What a page did that it must not: errors on the console, exceptions, requests to anywhere."""

    def __init__(self, page: object, own: str) -> None:
        self.wrong: list[str] = []
        page.on("console", lambda m: self.wrong.append(f"console: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda error: self.wrong.append(f"exception: {error}"))
        page.on("request", lambda r: None if r.url == own else self.wrong.append(f"request: {r.url}"))


@pytest.fixture
def opened(browser):
    """``opened(path, **context)`` opens a file in a page of its own; at the end nothing wrong may have happened."""
    contexts, watched = [], []

    def opens(path, **context):
        context = browser.new_context(**context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        contexts.append(context)
        watched.append(Watched(page, path.as_uri()))
        page.goto(path.as_uri())
        return page

    yield opens
    for context in contexts:
        context.close()
    assert [wrong for each in watched for wrong in each.wrong] == []
