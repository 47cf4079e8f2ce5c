"""The documents: every certificate proves itself, and every figure on a page is what its command makes."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from fractions import Fraction

import pytest
from paths import DOCS, ROOT, TESTS, unwrapped

import bracket
import efg_builder as eb
import frame
import kernel as measured
from efg_builder.cli import run
from efg_builder.proof import kernel
from efg_builder.proof.certificate import digests, verify_solution
from efg_builder.solvers.oracle import search as bidding_oracle

DATA = ROOT / "benchmarks" / "data"
RECORDS = json.loads((DATA / "oracle.json").read_text())["games"]
CERTIFICATES = sorted((DOCS / "certificates").glob("*.json.gz"))
OF_MANY = json.loads((DOCS / "certificates" / "many.json").read_text())
PUBLISHED = json.loads((TESTS / "published_values.json").read_text())["liars_dice"]
PROOF = (DOCS / "proof.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", unwrapped(PROOF), flags=re.DOTALL)


def measure(*words, root, script="oracle"):
    command = [sys.executable, str(ROOT / "benchmarks" / f"{script}.py"), *words, "--root", str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# --- oracle.md


def name_of(path):
    return path.name.removesuffix(".json.gz")


def mark(name):
    """The largest certificates take as long as all others together."""
    size = (DOCS / "certificates" / f"{name}.json.gz").stat().st_size
    return pytest.param(name, marks=pytest.mark.slow if size > 10_000 else ())


@pytest.mark.parametrize("name", [mark(name_of(path)) for path in CERTIFICATES if name_of(path) not in OF_MANY])
def test_each_certificate_proves_what_the_table_says(name):
    path = DOCS / "certificates" / f"{name}.json.gz"
    record, proof = RECORDS[name], verify_solution(path)
    assert (str(proof.lower), str(proof.upper), proof.exact) == (record["lower"], record["upper"], record["exact"])
    assert (list(proof.written), proof.status) == (record["written"], record["status"])
    assert path.stat().st_size == record["certificate_bytes"]
    assert record["certificate"] == f"certificates/{path.name}"
    assert proof.title == record["title"]


def test_every_certificate_of_the_table_is_there():
    linked = {record["certificate"] for record in RECORDS.values()} - {None}
    assert linked == {f"certificates/{path.name}" for path in CERTIFICATES if name_of(path) not in OF_MANY}


@pytest.mark.parametrize("name", [mark(name) for name in OF_MANY])
def test_each_certificate_of_more_than_two_players_proves_what_the_table_says(name):
    path = DOCS / "certificates" / f"{name}.json.gz"
    row, proof, data = OF_MANY[name], verify_solution(path), json.loads(gzip.decompress(path.read_bytes()))
    assert row == {
        "game": proof.title,
        "nodes": data["game"]["nodes"],
        "method": "many",
        "status": proof.status,
        "seconds": row["seconds"],
        "value": [str(payoff) for payoff in proof.value],
        "regret": str(proof.regret),
        "bytes": path.stat().st_size,
    }
    assert (proof.lower, proof.upper, proof.exact) == (None, None, proof.regret == 0)
    assert proof.status == ("equilibrium" if proof.regret == 0 else "near-equilibrium")
    assert proof.regret < Fraction(1, 10**12)
    assert row["bytes"] < 200 * 1024
    assert "v".join(data["game"]["settings"]["dice"].split(",")) == name.partition("-")[0]
    assert len(proof.players) > 2


@pytest.mark.parametrize("name", RECORDS)
def test_each_record_agrees_with_itself_and_with_its_game(name):
    record = RECORDS[name]
    lower, upper = Fraction(record["lower"]), Fraction(record["upper"])
    assert record["proved"]
    assert Fraction(record["gap"]) == upper - lower >= 0
    assert record["exact"] == (lower == upper)
    settings = {key: tuple(value) if isinstance(value, list) else value for key, value in record["settings"].items()}
    game = eb.game("liars-dice", **settings)
    assert (game.title, sum(game.size().infosets)) == (record["title"], record["infosets"])


def test_every_published_value_is_proved():
    proved = 0
    for entry in PUBLISHED:
        kind = {None: "", 1: "-joker", "highest face": "-highest"}[entry["wild"]]
        for sides, value in entry["values"].items():
            record = RECORDS["v".join(map(str, entry["dice"])) + f"-{sides}{kind}"]
            assert record["lower"] == record["upper"] == record["published"]["value"] == value
            assert record["published"]["agrees"]
            proved += 1
    assert proved == sum("published" in r and r["published"] is not None for r in RECORDS.values())


@pytest.mark.parametrize(
    ("script", "data", "plots"),
    [
        ("oracle", ["oracle", "ablation"], ["growth.svg", "convergence.svg"]),
        pytest.param("neural", ["neural"], ["neural/exploitability.svg"], marks=pytest.mark.slow),
    ],
)
def test_rendering_makes_page_and_plots_byte_for_byte(script, data, plots, tmp_path):
    for folder in ("docs/neural", "benchmarks/data"):
        (tmp_path / folder).mkdir(parents=True)
    for name in data:
        shutil.copy(DATA / f"{name}.json", tmp_path / "benchmarks/data")
    page, made = (DOCS / f"{script}.md").read_text(), tmp_path / "docs" / f"{script}.md"
    emptied = re.sub(r"(<!-- (\w+) -->\n).*?(<!-- end of \2 -->)", r"\1\3", page, flags=re.DOTALL)
    assert len(emptied) < len(page)
    made.write_text(emptied)
    measure("--render", root=tmp_path, script=script)
    assert made.read_text() == page
    recorded = set(re.findall(r"Matplotlib v([\d.]+\w*)", "".join((DOCS / name).read_text() for name in plots)))
    for name in plots:
        found, kept = ((folder / name).read_bytes() for folder in (tmp_path / "docs", DOCS))
        assert len(found) == pytest.approx(len(kept), rel=0.2)
        # Other versions of matplotlib draw other bytes.
        assert found == kept or recorded != {__import__("matplotlib").__version__}


def test_the_bounds_in_the_picture_of_regret_minimization(tmp_path, monkeypatch):
    drawn = [bracket.bounds(number) for number in (1, 8, 64)]
    # The value -1/9 is the oracle's, with a certificate: docs/certificates/1v1-6.json.gz.
    assert all(lower <= Fraction(-1, 9) <= upper for lower, upper in drawn)
    widths = [upper - lower for lower, upper in drawn]
    assert widths == sorted(widths, reverse=True)
    monkeypatch.setattr(bracket, "ITERATIONS", (1, 2))
    bracket.draw(tmp_path / "bracket.svg")
    assert "value −1/9" in (tmp_path / "bracket.svg").read_text()


@pytest.mark.slow
def test_measuring_a_tiny_game(tmp_path):
    said = measure("--only", "1v1-2", "--limit", "20", root=tmp_path)
    assert said.startswith("1v1-2: equilibrium, value 0, ")
    record = json.loads((tmp_path / "benchmarks/data/oracle.json").read_text())["games"]["1v1-2"]
    assert set(record) == set(RECORDS["1v1-2"])
    assert {"value": "0", "agrees": True}.items() <= record["published"].items()
    for key in ("title", "settings", "infosets", "status", "lower", "upper", "exact", "certificate"):
        assert record[key] == RECORDS["1v1-2"][key]
    assert verify_solution(tmp_path / "docs" / record["certificate"]).exact
    assert (tmp_path / "docs" / "growth.svg").exists()


@pytest.mark.slow
def test_a_wider_bracket_does_not_replace_a_narrower_one(tmp_path):
    kept = tmp_path / "benchmarks/data/oracle.json"
    measure("--only", "2v1-4", "--limit", "20", root=tmp_path)
    before = kept.read_text()
    files = {path: path.read_bytes() for path in (tmp_path / "docs/certificates").iterdir()}
    assert "; not kept: the gap was 0" in measure("--only", "2v1-4", "--limit", "0.001", root=tmp_path)
    assert kept.read_text() == before
    assert {path: path.read_bytes() for path in files} == files
    measure("--only", "2v1-4", "--limit", "0.001", "--force", root=tmp_path)
    assert not json.loads(kept.read_text())["games"]["2v1-4"]["exact"]
    assert measure("--only", "2v1-4", "--missing", "--list", root=tmp_path) == "\n"


def test_figures_in_the_text_of_the_page_are_right():
    page = " ".join((DOCS / "oracle.md").read_text().split())
    assert f"has {RECORDS['2v2-6']['infosets']:,} information sets" in page
    assert f"more than {100 * bidding_oracle.SETTINGS.add_share_of_gap:.0f}% of the current gap" in page
    assert "the whole game grows at least fourfold" in page
    assert "The restricted game grows at most sixfold" in page
    plain = [name for name in RECORDS if name.count("-") == 1]
    for name in plain:
        dice, sides = name.split("-")
        after = RECORDS.get(f"{dice}-{int(sides) + 1}")
        if after:
            assert after["infosets"] >= 4 * RECORDS[name]["infosets"]
            # Regret minimization takes in whole histories, so only exact games compare.
            assert not after["exact"] or sum(after["sequences"]) <= 6 * sum(RECORDS[name]["sequences"])


# --- proof.md


def test_the_certificate_on_the_page_is_the_file_and_proves_itself():
    (shown,) = (text for kind, text in BLOCKS if kind == "json")
    parts = [re.escape(part) for part in shown.split("...\n")]
    assert re.fullmatch("(?:.*\n)+?".join(parts), (DOCS / "proof.json").read_text())
    proof = verify_solution(DOCS / "proof.json")
    assert proof.exact
    assert str(proof.lower) == "-1/9"


def test_a_forged_line_is_found_as_the_page_says(tmp_path, capsys):
    line, forged = '"3: 1x1 1x3": {"2x3": "1"}', '"3: 1x1 1x3": {"2x2": "1"}'
    content, path = (DOCS / "proof.json").read_text(), tmp_path / "forged.json"
    assert forged in PROOF
    assert content.count(line) == 1
    data = json.loads(content.replace(line, forged))
    said = []
    for kept in (data["digests"], digests(data)):
        path.write_text(json.dumps(data | {"digests": kept}))
        assert run(["verify", str(path)]) == 3
        said.append(capsys.readouterr().err.removeprefix(f"error: {path}: "))
    assert ("text", "".join(said)) in BLOCKS


def test_equilibria_of_three_players_pay_differently_as_the_page_says():
    """Two equilibria of one game, each proved."""
    written, game = verify_solution(DOCS / "certificates" / "1v1v1-2.json.gz"), eb.game("liars-dice", dice=(1, 1, 1))
    solved = eb.solve(game)
    assert (written.regret, solved.regret, written.title) == (0, 0, game.title)
    first, second = (", ".join(map(str, found.value)) for found in (written, solved))
    flowing = " ".join(PROOF.split())
    assert f"The equilibrium in the file above pays `{first}`." in flowing
    assert "The equilibrium that `solve liars-dice dice=1,1,1` finds" in flowing
    assert f"of the same game pays `{second}`. Both equilibria are proved" in flowing


def test_every_number_in_the_text_of_the_page_is_right():
    game, proof = eb.game("liars-dice", sides=3), verify_solution(DOCS / "proof.json")
    flowing = " ".join(PROOF.split())
    assert sum(proof.written) == 7
    assert "the seven entries define two complete strategies" in flowing
    assert f"for all {sum(game.size().infosets)} information sets" in flowing
    histories = 2 ** len(game.bids)
    assert f"visits only {proof.visited[0]} of the {histories} histories for player 1's best response" in flowing
    assert f"and {proof.visited[1]} for player 2's" in flowing
    assert f"So both bounds on the value to player 1 are {proof.lower}." in flowing
    facts = {proof.lower, proof.upper, proof.visited[0], proof.visited[1], histories, sum(game.size().infosets)}
    before, kernel = PROOF.split("## Sources")[0].split("## By the kernel of a proof assistant")
    own = before + kernel[kernel.index("## More than two players") :]  # the test below has the numbers between
    # Indented lines are outputs of the stand-alone programs: tests/proof/test_checkers.py has them.
    text = re.sub(r"```.*?```|`[^`]*`|\[[^]]*\]\([^)]*\)|(?m:^    .*$)", "", own, flags=re.DOTALL)
    text = re.sub(r"\d+x\d|(?m:^\d\.)|\d-sided|(player|step) \d(?:'s)?|Player \d", "", text)
    found = set(re.findall(r"-?\d+(?:/\d+)?", text))
    # The rest: a payoff of 1, a sum of 1, a belief of 0.
    assert {Fraction(number) for number in found} - facts <= {0, 1}


def test_the_numbers_about_the_kernel_are_right():
    assert frame.filled(PROOF, measured.parts(frame.load("kernel"))) == PROOF
    lines = [len((kernel.HERE / f"{name}.v").read_text("utf-8").splitlines()) for name in ("Game", "Rules")]
    assert "Both files together have 150 lines." in PROOF
    assert 145 <= sum(lines) <= 150
    assert f"up to {kernel.MOST_NODES:,} nodes" in PROOF


def test_wildcards_in_examples_are_quoted():
    """The shell zsh refuses a word with a wildcard that fits no file; patterns of files, ``part-*.db``, may stand."""
    pages = [path for folder in (DOCS, ROOT / "notebooks") for path in folder.rglob("*.md")]
    texts = [path.read_text() for path in (*pages, *(ROOT / "efg_builder" / "cli").glob("*.py"))]
    for path in (ROOT / "notebooks").rglob("*.ipynb"):
        texts += ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]
    command = re.compile(r"^[ \t]*[!%$]?[ \t]*(efg-builder [a-z-]+ .*)$", re.MULTILINE)
    lines = [line for text in texts for line in command.findall(text)]
    assert len(lines) > 100
    for line in lines:
        words = re.sub(r"'[^']*'|\"[^\"]*\"", "", line.partition(" #")[0]).split()
        assert not [word for word in words if re.search(r"=.*[*?\[]|[*?\[](?!.*\.\w+$)", word)], line
