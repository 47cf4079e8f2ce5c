"""The heads of tables can be seen, in every page with tables, on a screen and on a phone."""

import pytest

import efg_builder as eb
from efg_builder.cli import run

HIDDEN = """() => [...document.querySelectorAll("thead th")]
    .filter(head => !head.closest("table.sizes") && head.getClientRects().length === 0).map(head => head.textContent)"""


def score(folder):
    positions = str(folder / "p.jsonl")
    assert run(["exam", "leduc", "ranks=2", "raises=1", "--count", "8", "-o", positions, "--answers"]) == 0
    words = ["exam", "leduc", "ranks=2", "raises=1", "--score", "uniform", "--positions", positions]
    assert run([*words, "-o", str(folder / "score.html")]) == 0
    return folder / "score.html"


MADE = {
    "score": score,
    "report": lambda folder: eb.write_report("liars-dice sides=2", folder / "report.html"),
}


@pytest.mark.parametrize("name", MADE)
def test_every_head_of_a_table_can_be_seen(name, opened, tmp_path):
    """A class of style sheets that hides the head of a table of sizes also hid the heads of an exam's tables."""
    page = opened(MADE[name](tmp_path))
    heads = page.locator("thead th").all_inner_texts()
    assert len(heads) >= 4
    for size in ((1280, 720), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate(HIDDEN) == []
