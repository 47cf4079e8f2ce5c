"""Takes the screenshots of ``visualizations/`` anew: ``python tests/pages/screenshots.py [viewer] [play] [report]``.

Each ``shots_NAME.py`` beside this file has ``shoot(browser, folder, work)``: it takes its pictures with a running
browser into ``folder``, makes its pages in ``work``, and returns the pictures' paths. Pixels differ with the browser
and its fonts, so no test compares them.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / "visualizations"
MOST_BYTES = 400_000


def main(names: list[str]) -> int:
    """Take the shots of these names, or all; 1 where a picture is too large for the repository."""
    from conftest import browser_path
    from playwright.sync_api import sync_playwright

    known = sorted(path.stem.removeprefix("shots_") for path in HERE.glob("shots_*.py"))
    if unknown := [name for name in names if name not in known]:
        print(f"no shots {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    path = browser_path()
    if path is None:
        print("no browser is installed, and EFG_BUILDER_CHROMIUM is not set", file=sys.stderr)
        return 2
    taken: list[Path] = []
    with sync_playwright() as session, tempfile.TemporaryDirectory() as work:
        browser = session.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name in names or known:
            taken += importlib.import_module(f"shots_{name}").shoot(browser, FOLDER, Path(work))
        browser.close()
    for picture in taken:
        print(f"{picture.relative_to(FOLDER.parent)}: {picture.stat().st_size:,} bytes")
    return int(any(picture.stat().st_size > MOST_BYTES for picture in taken))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
