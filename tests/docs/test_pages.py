"""Pages whose tables, settings and links are held by what they tell of."""

import re
from fractions import Fraction

import pytest
import yaml
from paths import DOCS, ROOT

import efg_builder as eb
import frame
import many
from efg_builder.cli import COMMANDS, root

README = (ROOT / "README.md").read_text()
GAMES = (DOCS / "games.md").read_text()
MANY = (DOCS / "many-players.md").read_text()
DATA = frame.load("many")


# --- the README, and links of all pages


def test_ci_runs_the_test_command_as_printed():
    assert "<!-- tests -->" in (ROOT / ".ci" / "run").read_text()
    command = README.split("<!-- tests -->")[1].split("```")[1].splitlines()[1]
    assert command.endswith("-m pytest")


def test_the_readme_is_short():
    assert len(README) <= 7_500


@pytest.mark.parametrize(
    "page", [path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))], ids=str
)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text("utf-8")):
        if "://" in link:
            continue
        target, _, part = link.partition("#")
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), link
        if part:
            heads = re.findall(r"(?m)^#+ (.*)$", file.read_text("utf-8"))
            assert part in {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}, link


# --- the number of pages


def test_a_reader_has_few_pages_to_choose_from():
    """A page more is a decision more for each reader. A new page has the room of a removed one."""
    assert 30 < len(list(DOCS.rglob("*.md"))) <= 45


# --- games.md


def rows(heading):
    """The rows of the table under a heading, as cells."""
    part = GAMES.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")
    ]
    return lines[2:]


@pytest.mark.parametrize("row", rows("Kuhn poker"), ids=lambda row: row[0])
def test_kuhn_poker(row):
    cards, nodes, value, decimal, _ = row
    game = eb.game("kuhn", cards=int(cards))
    assert (f"{game.size().nodes:,}", str(eb.solve(game, "lp").value[0])) == (nodes, value)
    assert decimal == f"{float(Fraction(value)):.6f}"


def test_leduc():
    (value,) = re.findall(r"(?m)^> (-\d+/\d+) = -0\.085606424078\.\.\.$", GAMES)
    assert eb.solve(eb.game("leduc"), "lp").value[0] == Fraction(value)
    assert str(float(Fraction(value))).startswith("-0.085606424078")
    assert f"{eb.game('leduc', seats=3, ranks=2, raises=1).size().nodes:,} nodes" in GAMES
    assert f"{eb.game('leduc', seats=3, raises=1).size().nodes:,} nodes" in GAMES


@pytest.mark.parametrize("row", rows("Liar's Poker"), ids=lambda row: f"{row[0]} of {row[1]}")
def test_liars_poker(row):
    length, digits, nodes, value, theirs = row
    game = eb.game("liars-poker", hand_length=int(length), num_digits=int(digits))
    assert (f"{game.size().nodes:,}", str(eb.solve(game, "lp").value[0])) == (nodes, value)
    assert float(theirs) == pytest.approx(float(Fraction(value)), abs=1e-7)


@pytest.mark.parametrize("row", rows("Spot on"), ids=lambda row: row[0])
def test_spot_on(row):
    name, without, value = row
    chosen = {"dice": "2,1"} if "against" in name else {"sides": name.split()[0]}
    assert str(eb.solve(eb.game("liars-dice", **chosen), "lp").value[0]) == without
    assert str(eb.solve(eb.game("liars-dice-spot-on", **chosen), "lp").value[0]) == value


# --- oracle.md and the front page


def test_the_largest_game_that_is_solved_exactly():
    nodes = eb.game("liars-dice", sides=6, dice="3,3", order="face-quantity").size().nodes
    assert f"solved exactly, too: {nodes:,} nodes" in (DOCS / "oracle.md").read_text()
    assert f"{nodes // 10**12} trillion nodes" in (DOCS / "index.md").read_text()


# --- many-players.md


def test_the_tables_are_those_of_the_figures(monkeypatch):
    pages = []
    monkeypatch.setattr(frame, "fill", lambda page, parts: pages.append((page, frame.filled(MANY, parts))))
    many.render(DATA)
    assert pages == [("many-players", MANY)]
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


# --- strategies.md, files.md and the page on this site


def test_the_table_of_the_page_is_read(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(re.findall(r"```csv\n(.*?)```", (DOCS / "strategies.md").read_text(), re.DOTALL)[0])
    found = eb.evaluate(eb.game("liars-dice"), path)
    assert found.exact
    assert found.matches[0].nash_conv > 0


def test_every_ending_of_a_file_is_in_the_reference():
    page = (DOCS / "reference" / "files.md").read_text("utf-8")
    helps = "".join(
        option.help or ""
        for name in COMMANDS
        for option in root.get_command(None, name).params
        if option.name == "outputs"
    )
    endings = set(re.findall(r"\.[a-z]\w+(?:\.gz)?", helps))
    assert len(endings) > 12
    assert not [ending for ending in endings if f"`{ending}`" not in page]


def test_the_workflow_builds_with_the_command_of_the_page():
    jobs = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text("utf-8"))["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    ran = "\n".join(step.get("run", "") for step in steps)
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("\n## The site\n")[1]
    install, build = page.split("```sh\n")[1].split("```")[0].splitlines()
    assert install in ran
    assert build in ran
    (upload,) = (step for step in steps if "upload-pages-artifact" in step.get("uses", ""))
    assert upload["with"]["path"] == build.split()[-1]
    assert all("@" in step["uses"] for step in steps if "uses" in step)
