"""docs/arena.md: its limits are those of the code."""

from paths import DOCS

from efg_builder.experiments.arena import expected, ratings, schedule

PAGE = (DOCS / "arena.md").read_text()


def test_limits_of_the_page_are_those_of_the_code():
    assert f"up to {expected.NODES:,} nodes" in PAGE
    assert f"some {round(expected.ENTRIES, -4):,} entries" in PAGE
    assert f"about {schedule.BLOCKS} blocks" in PAGE
    assert f"below {ratings.FEWEST_BLOCKS} blocks" in PAGE
