"""docs/sweeps.md: it names every column, and its figures are those of the code."""

import re

from paths import DOCS

from efg_builder.experiments.jobs.running import RETRIES
from efg_builder.experiments.jobs.store import LEASE
from efg_builder.experiments.sweeps import work
from efg_builder.experiments.sweeps.store import SCHEMA

PAGE = (DOCS / "sweeps.md").read_text()


def test_every_column_of_the_file_is_on_the_page():
    columns = re.search(r"CREATE TABLE variants \((.*?)\n\)", SCHEMA.tables, flags=re.DOTALL)[1]
    names = re.findall(r"(\w+) (?:TEXT|INTEGER|REAL)", columns)
    assert len(names) == 32
    described = PAGE[PAGE.index("Table `variants`") :]
    for name in names:
        assert f"`{name.removesuffix('_float')}`" in described, name


def test_figures_of_the_page_are_those_of_the_code():
    assert f"after {LEASE:.0f} seconds without a" in PAGE
    assert work.GRACE == 60
    assert "twice the limit and a minute" in PAGE
    assert RETRIES == 2
    assert "up to twice in one run" in PAGE
