"""docs/many-players.md: its tables are those of its figures, and small figures come out again."""

from fractions import Fraction

import pytest
from paths import ROOT

import efg_builder as eb
import frame
import many

PAGE = (ROOT / "docs" / "many-players.md").read_text()
DATA = frame.load("many")


def test_the_tables_are_those_of_the_figures(monkeypatch):
    pages = []
    monkeypatch.setattr(frame, "fill", lambda page, parts: pages.append((page, frame.filled(PAGE, parts))))
    many.render(DATA)
    assert pages == [("many-players", PAGE)]
    assert set(DATA["games"]) == set(many.GAMES)


def test_payoffs_that_the_page_tells_are_those_of_its_table():
    assert DATA["games"]["3 players, 2 sides"]["value"] == ["1/8", "-1/16", "-1/16"]
    for one in DATA["games"].values():
        assert abs(sum(map(Fraction, one["value"]))) < 1e-15
        assert (one["status"] == "equilibrium") == (one["regret"] == "0")


@pytest.mark.parametrize("name", [name for name, one in DATA["games"].items() if one["regret"] == "0"])
@pytest.mark.first(3)
def test_what_is_exact_comes_out_exactly_again(name):
    settings = DATA["games"][name]["settings"]
    game = eb.game("liars-dice", **settings)
    assert str(game.size().nodes) == DATA["games"][name]["nodes"]
    assert eb.solve(game, "many").regret == 0
