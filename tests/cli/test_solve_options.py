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
    assert any("regret minimisation" in line for line in lines)
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

    path, read, reads = tmp_path / "g.efg", trees.read_tree, []
    path.write_text(BATTLE)
    monkeypatch.setattr(trees, "read_tree", lambda *words, **more: reads.append(words) or read(*words, **more))
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


def test_an_equilibrium_that_is_one_of_many_says_where_to_see_the_others(cli, tmp_path):
    said = "others{}there may be other equilibria: 'ranges' shows the play that all share, 'solve --refine' finds one "
    said += "that also plays well after mistakes\n"
    for words in (["dice-poker", "--no-refine"], ["liars-dice", "sides=3", "--no-refine"]):
        assert said.format(" " * 8) in cli("solve", *words)[1]
        assert said.format(" " * 4) in cli("run", *words, "--no-gambit", "--out", tmp_path)[1]
    for words in (
        ["dice-poker"],
        ["liars-dice", "dice=1,1,1", "max_quantity=1"],  # three players: there are no ranges
        ["dice-poker", "sides=2", "--method", "gambit-lcp", "--option", "use_strategic=true"],  # several
        ["liars-dice", "sides=3", "--method", "oracle"],  # no tree
        ["dice-poker", "--method", "cfr", "--option", "iterations=3"],  # no equilibrium
    ):
        assert "there may be other equilibria" not in cli("solve", *words)[1]


# One town of R. Selten, "The chain store paradox" (Theory and Decision 9, 1978): the threat to fight keeps the entrant
# out, and to share is better once it is in.
ENTRY = """EFG 2 R "entry" { "Entrant" "Incumbent" }
p "" 1 1 "enter" { "out" "in" } 0
t "" 1 "" { 1 5 }
p "" 2 1 "answer" { "fight" "share" } 0
t "" 2 "" { 0 0 }
t "" 3 "" { 2 2 }
"""


def test_an_equilibrium_that_may_hang_on_an_empty_threat_says_so(cli, tmp_path):
    said = "off the path  moves off the equilibrium path were not checked, so a threat there may be empty\n"
    (tmp_path / "entry.efg").write_text(ENTRY)
    out = cli("solve", tmp_path / "entry.efg", "--method", "gambit-enumpure")[1]
    assert "Entrant    enter   out\n  Incumbent  answer  fight  (off path)\n" in out
    assert said in out
    out = cli("run", "kuhn", "seats=3", "cards=4", "--no-gambit", "--out", tmp_path)[1]
    assert "off path  moves off the equilibrium path" in out
    assert said in cli("solve", "liars-dice", "dice=1,1,1", "--method", "many")[1]
    (tmp_path / "battle.efg").write_text(BATTLE)
    for words in (
        [tmp_path / "entry.efg"],  # backward induction
        [tmp_path / "battle.efg"],  # play gets everywhere
        ["dice-poker", "--no-refine"],  # a value, which nobody can threaten away
        ["liars-dice", "sides=3"],
    ):
        assert "threat" not in cli("solve", *words)[1]


def test_no_two_of_all_equilibria_look_the_same(cli, tmp_path):
    game, table = tmp_path / "entry.efg", tmp_path / "all.csv"
    game.write_text(ENTRY)
    out = cli("solve", game, "--all", "-o", table)[1]
    assert "Incumbent  answer  fight  (off path)" in out
    assert "Incumbent  answer  fight 1/2, share 1/2  (off path)" in out
    header, *rows = table.read_text().splitlines()
    assert header.endswith(",equilibrium")
    assert [row.rpartition(",")[2] for row in rows] == ["1"] * 4 + ["2"] * 4 + ["3"] * 4
    first = cli("evaluate", game, "--strategy", table)[1]  # as of a .json, the first one is read
    table.write_text("\n".join([header, *rows[:4]]))
    assert cli("evaluate", game, "--strategy", table)[1] == first
    code, _, err = cli("draw", game, "--solution", table, "-o", tmp_path / "x.svg")
    assert code == 2
    assert f"--solution {table}: must be a .json file; --strategy {table} draws" in err
    table.write_text("\n".join([header, *(row for row in rows if row.endswith(",3"))]))
    assert "value          Entrant: 2\n" in cli("evaluate", game, "--strategy", table)[1]
    cli("solve", game, "-o", table)
    assert table.read_text().startswith("player,infoset,action,probability,float,reach probability\n")


# R. Selten, "Reexamination of the perfectness concept" (International Journal of Game Theory 4, 1975), figure 1.
HORSE = """EFG 2 R "horse" { "A" "B" "C" }
p "" 1 1 "a" { "R" "D" } 0
p "" 2 1 "b" { "r" "d" } 0
t "" 1 "" { 1 1 1 }
p "" 3 1 "c" { "L" "R" } 0 t "" 2 "" { 4 4 0 } t "" 3 "" { 0 0 1 }
p "" 3 1 "c" { "L" "R" } 0 t "" 4 "" { 3 2 2 } t "" 5 "" { 0 0 0 }
"""


def test_a_threat_that_holds_an_equilibrium_up_is_shown(cli, tmp_path):
    (tmp_path / "horse.efg").write_text(HORSE)
    assert "  B  b  r\n  C  c  R  (off path)\n" in cli("solve", tmp_path / "horse.efg")[1]


def test_moves_are_told_in_the_digits_that_are_known(cli, tmp_path):
    """The strategies of 60 iterations are known to a hundredth or so."""
    words = ("dice-poker", "--method", "cfr", "--option", "iterations=60")
    told = r"show 3\d%, raise 6\d%\n.* show >99%\n(.*\n)+ +\(?moves under 1% are left out"
    assert re.search(told, cli("run", *words, "--out", tmp_path)[1])
    assert re.search(told, cli("solve", *words)[1])
    page = re.sub("<.*?>", "", (tmp_path / "outputs" / "dice-poker_report.html").read_text())
    assert re.search(r"with hand 1, show 3\d% and raise 6\d%; .*raise\. Moves under 1% are left out\.", unescape(page))


# Each player gets 1 for strategy 1 and 0 for strategy 2, whatever the others do. So there is one equilibrium, and each
# player is sure of 1.
DOMINANT = """NFG 1 R "dominant" { "A" "B" "C" } { 2 2 2 }
1 1 1 0 1 1 1 0 1 0 0 1 1 1 0 0 1 0 1 0 0 0 0 0
"""


def test_what_was_not_checked_of_three_players_is_not_a_fact(cli, tmp_path):
    game = tmp_path / "dominant.nfg"
    game.write_text(DOMINANT)
    for words in (("solve", game), ("run", game, "--out", tmp_path)):
        out = cli(*words)[1]
        assert "in general, no player is guaranteed this payoff, and other equilibria may pay differently\n" in out
    assert "general" not in (tmp_path / "visualizations" / "dominant.svg").read_text()
    cli("solve", game, "-o", tmp_path / "s.csv")
    cli("draw", game, "--strategy", tmp_path / "s.csv", "-o", tmp_path / "s.svg")
    assert "NashConv 0 (exact)" in (drawn := (tmp_path / "s.svg").read_text())
    assert "pay differently" not in drawn
