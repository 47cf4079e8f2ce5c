"""The page and the pictures on bluffing: made from what was measured, of which a part is measured again."""

import re
from contextlib import contextmanager
from fractions import Fraction

import pytest
from paths import DOCS
from plot_words import assert_readable

import bluff
import efg_builder as eb
import frame
from efg_builder.equilibria.bids import openings

PAGE = (DOCS / "howto" / "bluff.md").read_text()
DATA = frame.load("bluff")


def near(record):
    """The numbers of *record*, to compare them with those measured here."""
    if isinstance(record, dict):
        return {key: near(value) for key, value in record.items()}
    return [near(value) for value in record] if isinstance(record, list) else pytest.approx(record, abs=1e-9)


def test_the_page_is_that_of_its_figures():
    assert bluff.page_of(DATA) == PAGE
    numbers = re.findall(r"\d+", frame.data_file("bluff").with_suffix(".txt").read_text())
    # All other numbers of the page are figures: these are names of files, games, bids and percentages of the rules.
    assert set(numbers) <= {"1", "2", "3", "4", "5", "6", "270", "100"}


def test_the_words_of_the_page_are_those_of_the_figures():
    by = DATA["statistics"]
    for name in ("1v1-6", "2v2-6"):
        assert by[name]["opening bluff"] == pytest.approx(1 / 3, abs=0.01)  # "a third"
    for name in ("1v2-6", "1v3-6", "2v3-6"):
        assert by[name]["opening bluff"] > 0.5  # "more than half"
    assert by["2v2-6"]["opening"]["one die"] == 1
    lowest = sorted(bluff.SIX, key=lambda name: by[name]["by missing"]["2"][1])[:4]
    assert all("3" in name for name in lowest)
    for name in bluff.SIX:
        assert by[name]["by missing"]["0"][1] == 0
        # A bluff is rarer after the first bid.
        missing = by[name]["by missing"].values()
        raised, bluffed = (
            sum(w * (1 - call) for w, call, _ in missing),
            sum(w * (1 - c) * (1 - own) for w, c, own in missing),
        )
        assert bluffed / raised < by[name]["opening bluff"]
    found = {name: DATA["losses"][name]["equilibrium"] for name in bluff.SIX}
    assert sum(found["2v2-6"]["high"]) < sum(found["2v2-6"][""])  # "the replacement of rule 1 is even better"


@pytest.mark.parametrize("name", ["1v1-6", "2v1-6", "1v1-4", "1v2-6-joker"])
def test_the_frequencies_are_measured_again(name):
    assert bluff.statistics(name) == near(DATA["statistics"][name])


def test_the_freedom_is_measured_again():
    assert bluff.free(3) == near(DATA["free"])


def test_the_frequencies_of_one_die_by_hand():
    """By brute force over the 36 deals: the strategies of one six-sided die each are pure."""
    game, profile = bluff.certificate("1v1-6")
    calls = right = Fraction(0)
    for one in range(6):
        for two in range(6):
            turn, moves = game.public_turn(game.public_root()), []
            while hasattr(turn, "actions"):
                (move,) = profile.played(turn, (one, two)[turn.player])
                moves.append(move)
                turn = game.public_turn(dict(turn.actions)[move])
            quantity, face = map(int, moves[-2].split("x"))
            calls += 1
            right += [one + 1, two + 1].count(face) < quantity
    assert float(right / calls) == pytest.approx(DATA["statistics"]["1v1-6"]["call right"])
    bluffs = [o for o in openings(profile, game) if o.actions[0][0] != f"1x{o.hand}"]
    assert len(bluffs) / 6 == pytest.approx(DATA["statistics"]["1v1-6"]["opening bluff"])


def test_the_losses_are_measured_again():
    for name in ("1v1-6", "2v1-6", "1v3-6"):
        game, profile = bluff.certificate(name)
        for who, play in bluff.players(name).items():
            assert bluff.loss(game, profile, play) == near(DATA["losses"][name]["equilibrium"][who])
    game, profile = bluff.certificate("1v1-6")
    play = bluff.thumb(game)
    assert bluff.worst_loss(game, profile, play) == near(DATA["losses"]["1v1-6"]["worst"][""])
    # The same losses by evaluate.
    found = eb.evaluate(game, eb.Policy(play, last_bid_only=True)).matches[0].nash_conv
    assert float(50 * found) == pytest.approx(sum(DATA["losses"]["1v1-6"]["worst"][""]))


def test_every_picture_is_linked_and_readable(tmp_path, monkeypatch):
    assert set(re.findall(r"\(\.\./bluff/([\w-]+\.svg)\)", PAGE)) == set(bluff.DRAWN)
    plot = frame.plot

    @contextmanager
    def checked(path, *size):
        with plot(path, *size) as figure:
            yield figure
            assert_readable(figure)

    monkeypatch.setattr(frame, "plot", checked)
    bluff.draw(DATA, tmp_path)
    for name in bluff.DRAWN:
        assert (tmp_path / name).read_bytes() == (DOCS / "bluff" / name).read_bytes()
