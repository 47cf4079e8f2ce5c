"""The README is short, its test command is that of CI, and links of all pages lead somewhere."""

import re

import pytest
from paths import ROOT

README = (ROOT / "README.md").read_text()


def test_ci_runs_the_test_command_as_printed():
    assert "<!-- tests -->" in (ROOT / ".ci" / "run").read_text()
    command = README.split("<!-- tests -->")[1].split("```")[1].splitlines()[1]
    assert command.endswith("-m pytest")


def test_the_readme_is_short():
    assert len(README) <= 9_000


@pytest.mark.parametrize(
    "page", [path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))], ids=str
)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text("utf-8")):
        if "://" in link:
            continue
        target, _, part = link.partition("#")
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), link
        if part:
            heads = re.findall(r"(?m)^#+ (.*)$", file.read_text("utf-8"))
            assert part in {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}, link
