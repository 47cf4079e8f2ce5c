"""The page and the pictures on zero intelligence: made from what was measured, of which a part is measured again."""

import re

import pytest
from paths import DOCS
from plot_words import assert_readable

import efg_builder as eb
import frame
import randomised
import robust_levels
import zero_intelligence as page
import zero_intelligence_plots as plots
from efg_builder.base.rationals import to_json
from efg_builder.players.kinds import zero_intelligence as zi

PAGE = (DOCS / "zero-intelligence.md").read_text()
DATA = frame.load("zero-intelligence")


def test_the_page_is_that_of_its_figures():
    assert page.page_of(DATA) == PAGE


def test_the_page_has_the_text_s_figures_and_the_corrected_ones():
    for figure in ("0.4376", "0.4298", "0.5702", "0.5775", "0.3864", "0.2887", "0.2818", "6, 13, 16, 12, 12, 12"):
        assert figure in PAGE


def test_every_picture_is_linked_and_made(tmp_path):
    linked = set(re.findall(r"\(zero-intelligence/([\w-]+)\.svg\)", PAGE))
    made = page.pictures(DATA)
    assert linked == set(made) == {path.stem for path in (DOCS / "zero-intelligence").glob("*.svg")}
    page.draw(DATA, tmp_path)
    for name in made:
        assert (tmp_path / f"{name}.svg").stat().st_size > 5_000


@pytest.mark.parametrize("game", ["1v1", "1v2"])
@pytest.mark.parametrize("strategy", ["zero-intelligence", "zero-intelligence:level=printed:spread=1", "lowest-raise"])
def test_what_was_measured_in_the_smallest_games_is_measured_again(game, strategy):
    (record,) = [r for r in DATA["listed"] if (r["game"], r["rules"], r["strategy"]) == (game, "joker", strategy)]
    dice = tuple(int(count) for count in game.split("v"))
    found = eb.evaluate(eb.game("liars-dice", sides=6, dice=dice, wild=1, wild_biddable=False), strategy)
    if record["exact"]:
        assert to_json(found.matches[0].nash_conv) == record["nash_conv"]
    else:
        assert float(found.matches[0].nash_conv) == pytest.approx(record["nash_conv"], abs=1e-8)


@pytest.mark.parametrize("at", [0, 3, -1])
def test_drawn_levels_of_the_page_are_worth_what_it_says(at):
    record = DATA["drawn"][at]
    if record["deviation"]:
        found = randomised.worst_case(randomised.normal_level(record["mean"], record["deviation"]), record["opponents"])
    else:
        found = robust_levels.worst_case(zi.robust_level(record["opponents"]), record["opponents"])
    assert found == pytest.approx(record["wins"], abs=1e-6)


# --- the pictures


def figures():
    game = eb.game("liars-dice", sides=6, dice=(5, 9, 9, 9, 9), wild=1)
    worth = zi.raise_payoffs(game, 0, 7, -1, 0.3864)
    yield "raises", lambda: plots.payoffs_figure(game, game.hands[0][7], worth, 12)
    yield "indifference", lambda: plots.indifference_figure(0.0, 3.0)
    yield "race", lambda: plots.race_figure(0.63, 3.0)
    yield "worst case", lambda: plots.worst_case_figure((1, 2, 3))
    yield "drawn", lambda: plots.courses_figure(page.drawn_courses(DATA["drawn"]), "across", page.DRAWN, largest=True)
    yield "measured", lambda: plots.courses_figure(page.grid_courses(DATA["grid"]), "across", page.GRID, largest=False)


@pytest.mark.parametrize(("name", "make"), list(figures()), ids=lambda x: x if isinstance(x, str) else "")
def test_pictures_can_be_read(name, make):
    from efg_builder.display.plots.style import style

    with style():
        assert_readable(make())
