"""A view of one of several equilibria says so: text, pictures, pages, notebooks, files; and each can be picked."""

import json
from fractions import Fraction as F

import click
import pytest
from paths import DOCS, carried

import efg_builder as eb
from efg_builder.cli import root
from efg_builder.display.notebook import cells
from efg_builder.display.trees import subject_of
from efg_builder.display.trees.options import DrawSettings

QUICHE = f"{DOCS}/games/quiche.py:Quiche"

# Cho and Kreps 1987, section II: both types have beer, or both have quiche; each meal with a sure and a mixed threat.
PAID = [(F(29, 10), F(9, 10)), (F(29, 10), F(9, 10)), (F(21, 10), F(9, 10)), (F(21, 10), F(9, 10))]


@pytest.fixture(scope="module")
def four():
    return eb.solve(QUICHE, "extreme")


def test_each_equilibrium_can_be_picked(four):
    assert (four.place, len(four.equilibria)) == ("1 of 4", 4)
    for number, (plays, paid) in enumerate(zip(four.equilibria, PAID, strict=True), start=1):
        one = four.pick(number)
        assert (one.place, one.value, one.regret) == (f"{number} of 4", paid, 0)
        assert one.strategy.probabilities == plays.probabilities
        assert one.pick(1).value == PAID[0]
    for wrong in (0, 5, "1", True):
        with pytest.raises(eb.ParameterError, match="the solution has 4 equilibria"):
            four.pick(wrong)
    assert eb.solve("kuhn").place == ""


def test_a_picked_one_is_written_as_the_first_and_proved(four, tmp_path):
    path = four.pick(3).write(tmp_path / "third.json")
    assert eb.verify(path).value == PAID[2]
    assert [F(each) for each in json.loads(path.read_text())["value"]] == list(PAID[2])
    again = eb.read_solution(path)
    assert (again.number, again.place, again.value) == (3, "3 of 4", PAID[2])
    rows = list(four.pick(3).table())
    assert [row[-1] for row in rows[1:]] == sorted((row[-1] for row in rows[1:]), key=lambda n: (n != "3", n))
    # A reader who takes the first strategy of a table or of a file has the picked one.
    table = four.pick(3).write(tmp_path / "third.csv")
    for file in (path, table):
        assert eb.read_strategy(file, four.tree).probabilities == four.equilibria[2].probabilities
        assert "quilibrium 3 of 4" in str(eb.draw(QUICHE, solution=path))


def test_pictures_pages_and_cells_say_which_of_four(four, tmp_path):
    for number in (1, 3):
        said, one = f"quilibrium {number} of 4", four.pick(number)
        assert said in str(eb.draw(one))
        assert said in str(four.draw(which=number))
        assert said in str(eb.draw(four.tree, strategy=four, which=number))
        assert said in str(eb.draw(QUICHE, solution=four.write(tmp_path / "s.json"), which=number))
        assert said in cells.solution_facts(one)
        page = eb.write_report(one, tmp_path / "r.html").read_text()
        assert f"Equilibrium {number} of 4" in page
        assert "The 4 equilibria that were found, with their payoffs and verdicts off the equilibrium path" in page
        assert page.count("; sequential (shown here)</li>") == 1
        assert "Value of the game" not in page
    assert "1 of" not in str(eb.draw("kuhn", strategy="equilibrium"))


def test_the_command_line_says_it_too(four, tmp_path, cli):
    path = four.write(tmp_path / "s.json")
    for number in (1, 2, 4):
        which = () if number == 1 else ("--which", number)
        assert cli("draw", QUICHE, "--solution", path, *which, "-o", tmp_path / "x.svg")[0] == 0
        assert f"equilibrium {number} of 4" in (tmp_path / "x.svg").read_text()


def test_the_keywords_of_draw_are_the_options_of_the_command():
    command = root.get_command(click.Context(root), "draw")
    names = [name.removeprefix("--") for p in command.params for name in p.opts if name.startswith("--")]
    options = {name.replace("-", "_") for name in names}
    other = {"output", "timeout", "gap", "for"}  # the path; limits of a search; 'for' is a word of Python
    known = set(DrawSettings.__annotations__) | {"strategy"}
    assert options - other - known == set()
    assert subject_of("kuhn").place == ""


def test_which_needs_a_solution():
    with pytest.raises(eb.ParameterError, match="only a solution has numbered equilibria"):
        eb.draw("kuhn", which=2)
    with pytest.raises(eb.ParameterError, match="given twice"):
        eb.draw("kuhn", strategy="uniform", solution="s.json")


def test_a_picture_of_the_first_equilibrium_gives_its_place(cli, tmp_path):
    # auto takes the method subgames, which finds three subgame-perfect equilibria.
    assert cli("draw", DOCS / "games" / "outside.py", "--strategy", "equilibrium", "-o", tmp_path / "a.svg")[0] == 0
    assert ">Exact sequential equilibrium 1 of 3<" in (tmp_path / "a.svg").read_text()
    assert cli("draw", "kuhn", "--strategy", "equilibrium", "-o", tmp_path / "b.svg")[0] == 0
    assert " of 1" not in (tmp_path / "b.svg").read_text()


def test_a_page_of_the_computed_equilibrium_lists_the_others(cli, tmp_path):
    """The page said "1 of 3" and had only the first, while the page from Python had all."""
    page = tmp_path / "a.html"
    assert cli("draw", DOCS / "games" / "outside.py", "--strategy", "equilibrium", "-o", page)[0] == 0
    from_python = eb.draw(f"{DOCS}/games/outside.py", tmp_path / "b.html", strategy="equilibrium")
    found, right = ([each["caption"] for each in carried(path)["solutions"]] for path in (page, from_python))
    assert found == right
    assert [words.split(",")[0] for words in found] == [f"Exact sequential equilibrium {n} of 3" for n in (1, 2, 3)]
