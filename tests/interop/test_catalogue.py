"""Gambit's own catalogue: what ``benchmarks/catalogue.py`` wrote is what a rerun says, game by game."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from paths import DOCS

import catalogue
import efg_builder as eb
import frame

GAMES = dict(catalogue.games())
RECORDS = frame.load("catalogue")["games"]
NEEDS_CORPUS = pytest.mark.skipif(not GAMES, reason="the installed pygambit has no catalogue")
FLOAT_REGRET = 1e-6

NONE = "journals/geb/wichardt2008"
"""P. C. Wichardt, Games and Economic Behavior 63 (2008): this game has no equilibrium in behavior strategies."""


def assert_agrees(name: str) -> None:
    found, written = catalogue.record(GAMES[name]), RECORDS[name]
    regret, regret_written = found.pop("regret"), written["regret"]
    assert {**found, "seconds": 0} == {key: value for key, value in written.items() if key != "regret"} | {"seconds": 0}
    # An exact regret is a text; what floats leave differs from machine to machine.
    assert type(regret) is type(regret_written)
    if isinstance(regret, float):
        assert max(regret, regret_written) <= FLOAT_REGRET
    else:
        assert regret == regret_written


@NEEDS_CORPUS
def test_every_game_has_its_row_and_nothing_else_has() -> None:
    assert list(RECORDS) == list(GAMES)
    assert len(GAMES) > 20


@NEEDS_CORPUS
@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("name", GAMES)
def test_a_rerun_says_the_same(name: str) -> None:
    assert_agrees(name)


def test_nothing_is_wrong_with_any_game() -> None:
    for name, each in RECORDS.items():
        assert (each["read"], each["rewrite"], each["draw"]) == ("ok", "ok", "ok"), name
        # Wichardt's game has no equilibrium in behavior strategies, so only a proposal was found.
        assert (each["status"], each["regret"]) == (("bracket", "5/2") if name == NONE else ("equilibrium", "0")), name
        assert each["recall"] or each["method"] in ("forgetful", "subgames")
    assert RECORDS[NONE]["message"].startswith("no equilibrium was found among all pure strategies, the uniform")


def test_the_page_is_the_table() -> None:
    page = (DOCS / "comparison.md").read_text()
    assert page == frame.filled(page, catalogue.parts(RECORDS))


@NEEDS_CORPUS
def test_what_is_lost_in_rewriting_is_noticed(monkeypatch, tmp_path) -> None:
    name = next(name for name in GAMES if RECORDS[name]["method"] == "quasi-perfect")
    tree = eb.read_efg(GAMES[name])
    payoffs = tree.outcomes[0].payoffs
    wrong = tree.outcomes[0]._replace(payoffs=(payoffs[0] + 1, *payoffs[1:]))
    changed = replace(tree, outcomes=(wrong, *tree.outcomes[1:]))
    assert catalogue._rewritten(GAMES[name], tree) == "ok"
    assert "differs" in catalogue._rewritten(GAMES[name], changed)


@NEEDS_CORPUS
@pytest.mark.parametrize("name", [name for name, each in RECORDS.items() if not each["recall"]])
def test_the_commands_take_games_of_imperfect_recall(cli, tmp_path, name: str) -> None:
    path, again = GAMES.get(name), tmp_path / "again.efg"
    code, out, _ = cli("info", path, "--json")
    assert (code, json.loads(out)["perfect_recall"]) == (0, False)
    assert cli("build", path, "-o", again)[0] == 0
    assert eb.read_efg(again) == eb.read_efg(path)
    assert cli("draw", path, "-o", tmp_path / "picture.svg")[0] == 0
    solution = tmp_path / "solution.json"
    code, out, _ = cli("solve", path, "-o", solution)
    assert code == (3 if name == NONE else 0)
    if name != NONE:
        assert "no behavior or mixed strategy gains more than the regret" in out
        assert "without perfect recall, over all behavior strategies" in cli("verify", solution, path)[1]
    # The linear program lacks a constant sum too, in most of them; that alone would be put right in vain.
    said = r"lp does not apply: \S.* lacks perfect recall: .*; forgetful applies\n"
    assert re.search(said, cli("solve", path, "--method", "lp")[1])
    code, out, _ = cli("evaluate", path, "--strategy", "uniform", "--json")
    assert code == 0
    assert len(json.loads(out)["matches"][0]["gains"]) == RECORDS[name]["players"]


def test_a_missing_catalogue_is_told(monkeypatch) -> None:
    monkeypatch.setattr(catalogue, "folder", lambda: None)
    monkeypatch.setattr("sys.argv", ["catalogue.py"])
    with pytest.raises(SystemExit, match="has no catalogue"):
        catalogue.main()
