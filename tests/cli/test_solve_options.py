"""Options where `auto` chooses the method, alike in Python and on the command line; and what `solve` says besides."""

import json
import re
from fractions import Fraction
from html import unescape

import pytest
from small_files import BATTLE

import efg_builder as eb

pytestmark = pytest.mark.usefixtures("in_process")
GAME = eb.game("liars-dice", sides=3)


def test_options_reach_the_one_method_that_auto_takes():
    tree = eb.parse_efg(BATTLE)
    one = eb.solve(tree, options={"starts": 20})
    assert (one.method, one.status, len(one.equilibria)) == ("lcp", "equilibrium", 2)
    large, lines = eb.game("liars-dice", sides=6), []
    by_regret = eb.solve(large, options={"master": "regret"}, gap=Fraction(1, 100), progress=lines.append)
    assert by_regret.method == "oracle"
    assert any("regret minimization" in line for line in lines)
    assert by_regret.game == large
    for game, method in ((large, "oracle"), (tree, "lcp")):
        with pytest.raises(eb.ParameterError, match=f"^auto takes {method} for this game, and {method} has no"):
            eb.solve(game, options={"x": 1})


def test_with_options_auto_keeps_its_limit():
    from efg_builder.equilibria.solve import AUTO_TIMEOUT, Plan

    tree = eb.parse_efg(BATTLE)
    for game, option, method, limit in (
        (tree, "starts", "lcp", AUTO_TIMEOUT),
        (eb.game("liars-dice", sides=6), "master", "oracle", None),
    ):
        plan = Plan.choose(game, options={option: "1"})
        assert (plan.method, plan.limit) == (method, limit)


def test_the_command_line_reads_a_file_once_and_does_as_python_does(cli, tmp_path, monkeypatch):
    from efg_builder.interop import trees

    path, read, reads = tmp_path / "g.efg", trees.parse_tree, []
    path.write_text(BATTLE)
    monkeypatch.setattr(trees, "parse_tree", lambda *words, **more: reads.append(words) or read(*words, **more))
    assert cli("solve", "liars-dice", "sides=6", "--option", "master=lpp")[0] == 2
    code, out, _ = cli("solve", path, "--option", "starts=20", "--json")
    data, same = json.loads(out), eb.solve(eb.parse_efg(BATTLE), options={"starts": 20})
    assert code == 0
    assert len(reads) == 1
    assert (data["method"], data["message"], data["profile"]) == ("lcp", same.message, same.to_json()["profile"])


def test_the_support_that_is_told_is_the_one_that_is_written(cli, tmp_path):
    # On three sides the search knows of five sets of player 1, of which three say what the default says.
    path = tmp_path / "s.json"
    code, out, _ = cli("solve", "liars-dice", "sides=3", "--method", "oracle", "-o", path)
    sizes = [len(rows) for rows in json.loads(path.read_text())["strategies"]]
    assert code == 0
    assert f"support       {sizes[0]} + {sizes[1]} of 192 information sets" in out
    for game in (GAME, eb.game("liars-dice", sides=4, dice=(2, 1)), eb.game("liars-dice", sides=5)):
        solution = eb.solve(game, "oracle")
        written = [len(rows) for rows in solution.to_json()["strategies"]]
        assert list(solution.sparse.sizes) == written


def test_moves_are_told_in_the_digits_that_are_known(cli, tmp_path):
    """The strategies of 60 iterations are known to a hundredth or so."""
    words = ("dice-poker", "--method", "cfr", "--option", "iterations=60")
    told = r"show 3\d%, raise 6\d%\n.* show >99%\n(.*\n)+ +\(?percentages are rounded; moves under 1% are left out"
    assert re.search(told, cli("run", *words, "--out", tmp_path)[1])
    assert re.search(told, cli("solve", *words)[1])
    page = re.sub("<.*?>", "", (tmp_path / "outputs" / "dice-poker_report.html").read_text())
    assert re.search(
        r"with hand ⚀, show ≈3\d% and raise ≈6\d%; .*raise\. Moves under 1% are left out\.", unescape(page)
    )
