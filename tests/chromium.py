"""A real Chromium, if one is installed: one for all tests, as Playwright allows one session in a process."""

import os
import shutil
from collections.abc import Iterator

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def browser_path() -> str | None:
    """Return the path of the browser in ``EFG_BUILDER_CHROMIUM``, or of the first installed one; None without one."""
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
