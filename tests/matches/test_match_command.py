"""``efg-builder match``: words, files, exit codes."""

import signal
import time
from fractions import Fraction
from itertools import pairwise

import pytest
from matplotlib.colors import to_rgb
from processes import start, until

from efg_builder.cli import run
from efg_builder.display.plots.match_chart import match_figure, percents
from efg_builder.display.plots.style import BOTH_SIDES
from efg_builder.display.plots.style import shaded as colours
from efg_builder.display.trees.colors import contrast, luminance
from efg_builder.experiments.matches import backward, read_match, solve_match
from efg_builder.games.match_rules import Bounds, in_a_line, in_words, match_rules, wins


def test_the_time_limit_leaves_brackets(capsys, tmp_path):
    path = tmp_path / "match.json"
    words = ("match", "liars-dice", "sides=6", "dice=2,1", "wild=highest", "--timeout", "0.02", "-o", str(path))
    assert run(words) == 4
    assert " to " in capsys.readouterr().out.split("wins        Player 1 wins ")[1].partition(" of such")[0]
    assert run(("verify", str(path))) == 0


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
@pytest.mark.first(1)
def test_the_chart_as_a_picture(tmp_path, ending):
    path = tmp_path / f"chart.{ending}"
    assert run(("match", "liars-dice", "sides=2", "dice=2,1", "-o", str(path))) == 0
    first = path.read_bytes()
    assert run(("match", "liars-dice", "sides=2", "dice=2,1", "-o", str(path))) == 0
    assert path.read_bytes() == first
    assert all(word not in first for word in (b"CreationDate", b"Matplotlib", b"<dc:date>"))


def drawn(match):
    """What is said above the grids, and what is in them."""
    figure = match_figure(match)
    return " ".join(text.get_text() for text in figure.texts), [
        text.get_text() for axis in figure.axes for text in axis.texts
    ]


def test_the_chart_says_its_rules_in_words():
    told, cells = drawn(solve_match(match_rules({"sides": 2, "dice": "2,1"})))
    assert "2 against 1 two-sided dice; a lost call costs one die; the loser starts the next round" in told
    assert "Two numbers" not in told
    assert sum(" to " in cell for cell in cells) == 0
    told, cells = drawn(solve_match(match_rules({"sides": 2, "dice": "2,2"}), gap=Fraction(1, 2)))
    assert "Two numbers: proved bounds." in told
    assert sum(" to " in cell for cell in cells) > 0


def test_both_cases_of_the_first_bidder_are_in_one_cell():
    match = solve_match(match_rules({"sides": 2, "dice": "2,1"}))
    (axis,) = match_figure(match).axes
    _, cells = drawn(match)
    assert [cell[0] for cell in cells] == ["▼", "△"] * (len(cells) // 2)
    places = [line.get_xdata()[0] for line in axis.lines if line.get_marker() in "v^" and line.get_marker()]
    for cell, place in zip(cells, places, strict=True):
        assert float(cell.split()[1].rstrip("%")) / 100 == pytest.approx(((place + 0.4) % 1) / 0.8, abs=0.001)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "2 six-sided dice each; a lost call costs one die; the loser starts the next round"),
        (
            {"dice": "1,3", "sides": 13, "wild": "highest", "next": "winner"},
            "1 against 3 13-sided dice; dice showing 13 count as every face; a lost call costs one die; "
            "the winner starts the next round",
        ),
        (
            {"loss": "difference", "exact": "bidder-loses-one", "wild": 1, "wild_biddable": False},
            "2 six-sided dice each; dice showing 1 count as every face, and no bid may name that face; "
            "a lost call costs as many dice as the difference between bid and count; a bid that is met exactly costs "
            "the bidder one die; the loser starts the next round",
        ),
        (
            {"order": "face-quantity", "sides": 3},
            "2 three-sided dice each; a higher bid names a higher face, or the same face and more dice; a "
            "lost call costs one die; the loser starts the next round",
        ),
    ],
)
def test_rules_of_a_match_in_a_line(given, told):
    assert in_a_line(match_rules(given)) == told


def test_the_chart_shows_losing_as_strongly_as_winning():
    """Lost and won matches differ from white alike, and text can be read on both (WCAG 2.2, 1.4.3: 4.5 to 1)."""
    cells = [colours(k / 100, BOTH_SIDES) for k in range(101)]
    ahead, behind = ([contrast(colour, (1, 1, 1)) for colour, _ in part] for part in (cells[50:], cells[50::-1]))
    assert ahead[0] == behind[0] == 1
    for side in (ahead, behind):
        assert side == sorted(side)
        assert side[25] > 1.5
        assert side[50] > 3
    assert min(contrast(colour, to_rgb(ink)) for colour, ink in cells) >= 4.5


def test_the_map_of_variants_can_be_read_in_grey():
    """Ever darker from never winning to always winning; text as WCAG 2.2 asks for it (1.4.3: 4.5 to 1)."""
    cells = [colours(k / 100) for k in range(101)]
    grey = [luminance(colour) for colour, _ in cells]
    assert all(before > after for before, after in pairwise(grey))
    assert contrast(cells[0][0], cells[50][0]) > 1.25
    assert contrast(cells[50][0], cells[100][0]) > 3
    assert min(contrast(colour, to_rgb(ink)) for colour, ink in cells) >= 4.5
    assert min(contrast(colour, to_rgb(ink)) for colour, ink in cells[:51]) >= 12  # grey cells must not look idle
    # The guidelines' own extremes.
    assert contrast(to_rgb("black"), to_rgb("white")) == pytest.approx(21)
    assert contrast(to_rgb("#777777"), to_rgb("white")) == pytest.approx(4.48, abs=0.01)  # widely published


@pytest.mark.slow
def test_an_interrupt_keeps_the_bracket_of_the_round_at_hand(tmp_path):
    path = tmp_path / "match.json.gz"
    process = start("match", "liars-dice", "sides=6", "dice=2,2", "wild=highest", "-o", str(path), stdout=None)
    until(path.exists)
    assert [each.pair for each in read_match(path).rounds] == [(1, 1)]
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=240)
    assert process.returncode == 130
    assert f"--resume {path} continues" in said
    assert "Traceback" not in said
    assert read_match(path).rounds[-1].bounds.width > 0


def test_former_options_are_passed_over_with_a_line(cli):
    code, _, err = cli("match", "liars-dice", "sides=2", "dice=1,1", "--workers", "2")
    assert (code, "--workers and --scheduler have no effect" in err) == (0, True)


@pytest.mark.slow
def test_what_was_broken_off_while_it_went_on_is_not_lost(tmp_path, monkeypatch, capsys):
    """A run into the file that it goes on from keeps what it has beside it; the next run takes that too."""
    path = tmp_path / "match.json.gz"
    words = ("match", "liars-dice", "sides=4", "dice=2,1", "wild=highest")
    assert run((*words, "--gap", "1", "-o", str(path))) == 0
    original, solved = backward.solve, []

    def solve(game, *args, **named):
        if len(solved) == 1:
            raise KeyboardInterrupt
        solved.append(game.dice)
        return original(game, *args, **named)

    with monkeypatch.context() as patch:
        patch.setattr(backward, "solve", solve)
        assert run((*words, "--resume", str(path), "-o", str(path))) == 130
    beside = tmp_path / "going-on-match.json.gz"
    assert len(read_match(beside).rounds) == 1
    assert len(read_match(path).rounds) == 3
    again = []
    monkeypatch.setattr(backward, "solve", lambda game, *a, **k: again.append(game.dice) or original(game, *a, **k))
    assert run((*words, "--resume", str(path), "-o", str(path))) == 0
    assert solved == [(1, 1)]
    assert (1, 1) not in again
    assert not beside.exists()
    assert read_match(path).worth.width == 0


LONG = Fraction(10**30, 8 * 10**30 + 1)


@pytest.mark.parametrize(
    ("form", "low", "high", "shown"),
    [
        (in_words, "1/8", "1/8", "1/8 = 0.125"),
        (in_words, "1", "1", "1"),
        (in_words, *(f"{10**30}/{8 * 10**30 + 1}",) * 2, "0.125 (rounded)"),
        (in_words, "1/3", Fraction(1, 3) + Fraction(1, 10**22), f"from 0.{'3' * 24} to 0.{'3' * 21}434"),
        (in_words, "-2/3", "5004704/10000000000", "from -0.666667 to 0.000501"),
        (wins, "1", "1", "100%"),
        (wins, "99999/100000", "1", "99.9% to 100.0%"),
        (wins, "99999/100000", "999995/1000000", ">99.9%"),
        (wins, "-99999/100000", "-99999/100000", "<0.1%"),
        (wins, "1/16", "1/8", "53.1% to 56.3%"),
        (percents, "1/16", "625001/10000000", ("53.1%",)),
        (percents, "1/16", "1/8", ("53.1%", "56.3%")),  # 53.125 and 56.25: outward
        (percents, "-1/3", "1/3", ("33.3%", "66.7%")),
    ],
)
def test_bounds_are_rounded_outward(form, low, high, shown):
    assert form(Bounds(Fraction(low), Fraction(high))) == shown
