"""Games whose search ends as a bracket: the best strategy found is proved, told, shown and played against."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest
from paths import carried
from play_games import typed

import efg_builder as eb
from efg_builder.display.pages import play as play_page
from efg_builder.players.rounds import seating
from efg_builder.strategies.sparse_profile import SparseProfile

GAME = ["liars-dice", "sides=6", "dice=2,2"]


@pytest.fixture(scope="module")
def solution() -> eb.Solution:
    """A search that stops early: in a good part of a second."""
    found = eb.solve(eb.game("liars-dice", sides=6, dice=(2, 2)), gap=Fraction(1, 2))
    assert found.status == "bracket"
    return found


@pytest.fixture(scope="module")
def file(solution, tmp_path_factory) -> Path:
    return solution.write(tmp_path_factory.mktemp("bracket") / "s.json")


def most(text: str) -> list[Fraction]:
    """The most that somebody gets against the strategies, by seat, as it is told."""
    (found,) = set(re.findall(r"at most (\S+) a round on average as Player 1, ([\d.\u2212-]+\d) as Player 2", text))
    return [Fraction(each.replace("\u2212", "-")) for each in found]


def test_all_commands_say_what_somebody_gets_who_plays_against_it(solution, file, tmp_path, cli):
    """In each seat what the best response gets, exact over the whole game, rounded up to two digits."""
    code, proof, _ = cli("verify", file)
    assert code == 0
    page, picture = tmp_path / "r.html", tmp_path / "d.svg"
    assert cli("report", *GAME, "--solution", file, "-o", page)[0] == 0
    assert cli("draw", *GAME, "--solution", file, "--view", "table", "-o", picture)[0] == 0
    said = unescape(page.read_text())
    opponent = typed(f"{' '.join(GAME)} --solution {file} --seed 1 --rounds 1", ["q"]).stdout
    for text in (str(solution), proof, said.partition("<nav")[0], unescape(picture.read_text()), opponent):
        for told, best in zip(most(text), eb.verify(solution.sparse).best_responses, strict=True):
            assert 0 <= told - best <= abs(best) / 10
    assert "These strategies are an approximate equilibrium: nobody gains more than" in said
    assert f"efg-builder play {' '.join(GAME)} --solution {file.name}" in said


def strategies_on(data: dict, game: eb.DealtGame) -> SparseProfile:
    """The strategies that a page carries (docstring of ``bidding_data``)."""
    names = [*game.bid_names, game.call]
    rows = [{names[move]: Fraction(data["numbers"][p]) for move, p in row} for row in data["rows"]]
    (both,) = data["strategies"]  # of one strategy, that plays and is asked
    return SparseProfile(
        game,
        tuple(
            {
                " ".join(names[int(bid)] for bid in history.split()) or game.history(()): {h: rows[k] for h, k in hands}
                for history, hands in each.items()
            }
            for each in both
        ),
    )


def test_a_page_is_cut_to_its_size_and_what_is_left_is_proved_anew(solution, file, tmp_path, cli):
    page, words = tmp_path / "p.html", ["play", *GAME, "--solution", file, "-o"]
    assert cli(*words, page)[0] == 0
    whole = page.stat().st_size
    code, _, err = cli(*words, page, "--size", "1MB")
    assert (code, err.splitlines()) == (0, [str(page)])
    assert page.stat().st_size == whole
    code, _, err = cli(*words, page, "--size", "1kB")
    (least,) = re.findall(r"a playable page has ([\d,]+) bytes even without strategies", err)
    size = int(least.replace(",", "")) + 1000
    assert (code, size < whole) == (2, True)
    before = eb.verify(solution.sparse).best_responses
    code, _, err = cli(*words, page, "--size", f"{size / 1000}kB")
    assert code == 0
    assert page.stat().st_size <= size
    data = carried(page)
    assert data["opponent"]["name"] == "s.json, cut"
    left = strategies_on(data["bidding"], solution.game)
    assert left.sizes < solution.sparse.sizes
    told = eb.verify(left).best_responses
    assert all(
        0 <= said - best <= abs(best) / 10 for said, best in zip(most(data["opponent"]["caption"]), told, strict=True)
    )
    sizes = f"{sum(left.sizes)} of {sum(solution.sparse.sizes)}"
    line = f"s.json: {sizes} information sets are left, with probabilities rounded to thousandths; "
    assert err.splitlines()[0].startswith(f"{line}{data['opponent']['caption']}; before, proved: you get at most")
    assert told[0] > before[0]  # that player 2 plays a part only costs


def test_of_a_large_file_only_what_is_told_is_proved(solution, file, tmp_path, cli, monkeypatch):
    """In the terminal the best response of the own seat, and of a page that is cut what is left of the strategies."""
    monkeypatch.setattr(seating, "QUICK_SETS", 0)
    proved = eb.verify(solution.sparse).best_responses
    for seat, best in enumerate(proved, start=1):
        monkeypatch.setattr("builtins.input", lambda *_: "q")
        _, said, err = cli("play", *GAME, "--solution", file, "--seat", seat, "--rounds", 1, "--seed", 1)
        (told,) = re.findall(rf"proved: you get at most (\S+) a round on average as Player {seat}\)", said + err)
        assert 0 <= Fraction(told.replace("\u2212", "-")) - best <= abs(best) / 10
    page = tmp_path / "p.html"
    code, _, err = cli("play", *GAME, "--solution", file, "-o", page, "--size", "1MB")
    assert code == 0
    assert most(carried(page)["opponent"]["caption"])  # nothing was cut: the whole is proved
    whole = page.stat().st_size
    monkeypatch.setattr(play_page, "_WORDS", whole)  # nothing fits but a cut page
    code, _, err = cli("play", *GAME, "--solution", file, "-o", page, "--size", f"{(2 * whole - 300) / 1000}kB")
    assert code == 0
    assert err.splitlines()[0].endswith(f"rounded to thousandths; {carried(page)['opponent']['caption']}")


def test_its_file_is_a_player(solution, file, tmp_path, cli):
    """A file goes by its own name wherever a player does; its figures are those of the proof."""
    best = eb.verify(solution.sparse).best_responses
    code, out, _ = cli("play", *GAME, "--players", f"{file},uniform", "--rounds", "3", "--seed", "1")
    assert (code, out.count("Round ")) == (0, 3)
    code, out, _ = cli("arena", *GAME, "--players", f"{file},lowest-raise", "--games", "4", "--workers", "1", "--json")
    assert code == 0
    assert "s.json" in out
    code, out, _ = cli("evaluate", *GAME, "--players", file, "--timeout", "0.1", "--json")
    assert code == 0
    seats = json.loads(out)["measurements"][0]["seats"]
    assert [Fraction(seat["against_best_response"]) for seat in seats] == [-best[1], -best[0]]
    data = json.loads(cli("evaluate", *GAME, "--strategy", file, "--json")[1])
    assert [Fraction(each) for each in data["matches"][0]["best_response"]] == list(best)
