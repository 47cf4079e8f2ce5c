"""No name from a file adds a line to an output, or reorders one: titles, names, labels, files and folders."""

import csv
import json
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.base.files import csv_lines, csv_text
from efg_builder.base.words import one_line
from efg_builder.experiments.library import MARK, MARKER
from efg_builder.proof import tree_checker
from efg_builder.proof.certificate import digests

FORGED = "proved        the value of the game is 99 to Player 1"
BREAKS = ["\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028", "\u2029"]
UNSEEN = ["\u202e", "\u2066", "\x9b", "\u200f", "\ufeff"]


def hostile(mark, names=("Ann", "Bob")):
    """A game that carries *mark* and a forged line in each name."""
    tail = mark + FORGED
    first, second = names
    return (
        f'EFG 2 R "Game{tail}" {{ "{first}{tail}" "{second}" }}\n"comment{tail}"\n'
        f'c "n{tail}" 1 "deal{tail}" {{ "low{tail}" 1/2 "high" 1/2 }} 0\n'
        f'p "" 1 1 "one{tail}" {{ "a{tail}" "b" }} 0\n'
        f'p "" 2 1 "two{tail}" {{ "l{tail}" "r" }} 0\nt "" 1 "o{tail}" {{ 1 -1 }}\nt "" 2 "o2" {{ -1 1 }}\n'
        f'p "" 2 1 "two{tail}" {{ "l{tail}" "r" }} 0\nt "" 2 "o2" {{ -1 1 }}\nt "" 1 "o{tail}" {{ 1 -1 }}\n'
        'p "" 1 2 "three" { "a" "b" } 0\nt "" 3 "o3" { 2 -2 }\nt "" 1 "" { 1 -1 }\n'
    ).encode("utf-8", "surrogatepass")


ONE_MOVE = 'EFG 2 R "T" { "Player 1" "B" } p "" 1 1 "s" { "a" "b" } 0 t "" 1 { 1 -1 } t "" 2 { 2 -2 }'


def own(out):
    """The lines of *out* that begin like a proof, but are not the program's own."""
    return [line for line in out.splitlines() if re.match(r"proved +the value of the game is 99", line)]


COMMANDS = (
    *("info G", "solve G", "solve G --all", "evaluate G --strategy uniform", "matrix G", "qre G", "ranges G"),
    *("draw G -o x.svg", "draw G -o x.html", "draw G -o x.tex", "report G -o r.html", "build G -o y.efg"),
    *("solve G -o c.json", "solve G -o s.csv", "play G -o p.html", "exam G -o e.jsonl"),
)


@pytest.mark.parametrize("mark", BREAKS)
def test_a_line_break_in_a_name_adds_no_line(mark, cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.efg").write_bytes(hostile(mark))
    for command in COMMANDS if mark in ("\n", "\u2028") else COMMANDS[:3]:
        code, out, err = cli(*command.replace("G", "g.efg").split())
        assert (code, own(out + err)) == (0, []), command
    cli("solve", "g.efg", "-o", "c.json")
    code, out, _ = cli("verify", "c.json")
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("proved")] == [
        "proved        the value of the game is 1 to Ann " + " ".join(FORGED.split())
    ]
    assert not own(cli("verify", "c.json", "g.efg")[1])


def test_a_certificate_with_line_breaks_proves_only_its_own_line(cli, tmp_path):
    """A certificate of release 0.3.0, whose names are as its writer made them; its digests fit."""
    path = tmp_path / "forged.json"
    solution = eb.solve(eb.parse_efg(ONE_MOVE))
    data = json.loads(json.dumps(solution.to_json()))
    data["game"]["title"] = f"Kuhn poker\n{FORGED}"
    data["game"]["efg"] = data["game"]["efg"].replace('"T"', f'"Kuhn poker\n{FORGED}"')
    data["digests"] = digests(data)
    path.write_text(json.dumps(data))
    code, out, _ = cli("verify", path)
    assert code == 0
    assert not own(out)
    assert "\nproved        the value of the game is 2 to Player 1\n" in out
    assert tree_checker.prove(data).startswith("the value to Player 1 is 2 (exact)")


@pytest.mark.parametrize("mark", UNSEEN)
def test_no_page_picture_or_table_has_an_unseen_character(mark, tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    strange = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
    solution = eb.solve(eb.parse_efg(hostile(mark).decode()))
    for ending in ("svg", "tex"):
        path = tmp_path / f"x.{ending}"
        eb.draw(solution, path)
        assert not strange.search(path.read_text()), ending
    for ending in ("csv", "json"):
        path = solution.write(tmp_path / f"s.{ending}")
        assert not strange.search(path.read_text()), ending
    for write, name in ((eb.write_report, "r.html"), (eb.write_viewer, "v.html")):
        write(solution, tmp_path / name)
        assert not strange.search((tmp_path / name).read_text())


def test_names_of_files_and_folders_add_no_line(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "set"
    (folder / "instances" / f"kuhn\n{FORGED}").mkdir(parents=True)
    (folder / MARKER).write_bytes(MARK.encode())
    assert not own(cli("verify", folder)[1])
    player = tmp_path / f"one\n{FORGED}.json"
    eb.solve("kuhn").write(player)
    assert not own("".join(cli("arena", "kuhn", "--players", f"{player},uniform", "--games", "20")[1:]))
    assert not own("".join(cli("evaluate", "kuhn", "--strategy", player)[1:]))


def test_positions_of_an_exam_add_no_line(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli("exam", "kuhn", "-o", "p.jsonl", "--answers")[0] == 0
    for name in ("p.jsonl", "p.answers.jsonl"):
        lines = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        changed = [line | ({"game": f"Kuhn\n{FORGED}"} if "game" in line else {}) for line in lines]
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in changed))
    answers = tmp_path / f"a\n{FORGED}.jsonl"
    answers.write_text("".join(json.dumps({"id": line["id"], "move": "bet"}) + "\n" for line in lines))
    code, out, _ = cli("exam", "--score", answers, "--positions", "p.jsonl", "-o", "s.csv")
    assert code == 0
    assert "FORGED" not in out
    assert not own(out)
    assert all(len(row) == 11 for row in csv.reader((tmp_path / "s.csv").open()))


def test_own_rules_with_a_line_break_in_a_name_are_refused():
    class Renamed(type(eb.game("kuhn"))):
        title = "Kuhn\nproved"

    with pytest.raises(eb.RulesError, match="must be one line"):
        eb.build(Renamed())


@given(st.text())
def test_a_name_becomes_one_line_and_stays_so(name):
    line = one_line(name)
    assert one_line(line) == line
    assert len(line.splitlines()) <= 1
    if name.isprintable():
        assert line == name


FORMULAS = ["=1+1", "+1+1", "-2+3", "@SUM(1)", '=cmd|"/c calc"!A1', "'=1", "=", "-"]


def test_no_table_has_a_formula_and_a_strategy_is_read_back(tmp_path, cli, monkeypatch):
    """A spreadsheet runs a cell that begins with one of = + - @; numbers such as -1/9 are safe."""
    monkeypatch.chdir(tmp_path)
    labels = " ".join(json.dumps(word, ensure_ascii=False) for word in FORMULAS)
    ends = "".join(f't "" {n} "" {{ {n} -{n} }}\n' for n in range(1, len(FORMULAS) + 1))
    (tmp_path / "f.efg").write_text(f'EFG 2 R "=T" {{ "=A" "@B" }}\n\np "" 1 1 "=set" {{ {labels} }} 0\n{ends}')
    solution = eb.solve(eb.read_efg("f.efg"))
    assert eb.read_strategy(solution.write("s.csv"), solution.tree).probabilities == solution.strategy.probabilities
    for command in ("qre f.efg -o q.csv", "matrix f.efg -o m.csv", "evaluate f.efg --strategy s.csv -o e.csv"):
        cli(*command.split())
    for path in tmp_path.glob("*.csv"):
        cells = [cell for row in csv.reader(path.open()) for cell in row]
        wrong = [cell for cell in cells if re.match("[=+@-]", cell) and not re.fullmatch(r"-?[\d./e-]+", cell)]
        assert cells, path
        assert not wrong, path


@given(st.lists(st.text(min_size=1), min_size=1))
def test_a_cell_is_read_as_it_was_written(cells):
    assume(not any("\r" in cell or "\n" in cell for cell in cells))  # a name is one line
    line = b"".join(csv_lines([cells])).decode()
    assert [csv_text(cell) for cell in next(csv.reader([line]))] == cells
