"""Information sets have one name everywhere: five games of Gambit's catalogue through all that shows a game."""

import csv
import io
import random
import re
from html import unescape

import pytest
from looking import expect
from play_page import against, infoset, moves

import catalogue
import efg_builder as eb
from efg_builder.display.pages.play import play_part, write_play
from efg_builder.players.rounds.words import so_far

PATHS = dict(catalogue.games())

GAMES = {
    "journals/ijgt/selten1975/fig1": {
        "Player 1": ["start"],
        "Player 2": ["after R"],
        "Player 3": ["Player 3, set 1"],
    },  # Selten's horse
    "books/shohamleytonbrown2008/fig5_9": {  # the centipede
        "1": ["start", "after D D", "after D D D D"],
        "2": ["after D", "after D D D"],
    },
    "books/watson2013/fig29_1": {"You": ["High", "Low"], "Firm": ["after E", "after N"]},  # a signalling game
    "journals/geb/bagwell1995": {"Player 1": ["start"], "Player 2": ["c", "s"]},
    "books/myerson1991/fig2_1": {"Fred": ["Red", "Black"], "Alice": ["after Raise"]},
}
"""By player the names of the information sets, to which Gambit's file gives no labels: the moves that are known."""

pytestmark = pytest.mark.skipif(not PATHS, reason="the installed pygambit has no catalogue")


@pytest.fixture(scope="module", params=GAMES)
def solved(request):
    names = GAMES[request.param]
    tree = eb.read_efg(PATHS[request.param])
    return tree, eb.solve(tree), names, PATHS[request.param]


def every(names):
    return {name for mine in names.values() for name in mine}


def set_names(text, names):
    """Return those of *names* that stand in tips or in cells of tables, and all names by number."""
    told = {name for name in names if re.search(rf"(?:>|: ){re.escape(name)}(?=[\n<])", text)}
    return told | set(re.findall(r"(?<!, )\bset \d+\b", text))


def test_in_files_and_in_words(solved, tmp_path):
    tree, solution, names, _ = solved
    rows = list(csv.DictReader(io.StringIO(solution.write(tmp_path / "s.csv").read_text())))
    assert {(tree.players[int(row["player"]) - 1], row["infoset"]) for row in rows} == {
        (player, name) for player, mine in names.items() for name in mine
    }
    again = eb.read_strategy(tmp_path / "s.csv", tree).on(tree)  # what is shown is also what is read
    assert again.probabilities == solution.profile.probabilities
    uniform = eb.evaluate(tree, "uniform").matches[0].losses
    assert all(loss.infoset in names[tree.players[loss.player]] for loss in uniform)


def test_in_pictures_and_in_the_report(solved, tmp_path):
    tree, solution, names, _ = solved
    for found in (tree, solution):
        picture = eb.draw(found, tmp_path / "t.svg", view="tree").read_text()
        assert set_names(picture, every(names)) == every(names)
    report = eb.write_report(solution, tmp_path / "r.html").read_text()
    told = set_names(unescape(re.sub(r"<(script|style).*?</\1>", "", report, flags=re.DOTALL)), every(names))
    reached = {tree.names[k] for k in tree.personal if solution.verdict.reach[k]}
    assert reached <= told <= every(names)


@pytest.mark.first(2)
def test_in_the_viewer(solved, opened, serious, tmp_path):
    tree, _, names, _ = solved
    page = opened(eb.write_viewer(eb.TreeProfile.uniform(tree), tmp_path / "v.html"))
    page.wait_for_selector(".efg-ready")
    told, panel = set(), page.locator(".efg-panel")
    for view in ("public", "full"):
        page.evaluate(f"window.efgView.view.acts.look('{view}')")
        for key in page.evaluate("[...window.efgView.view.state.sight.index.keys()]"):
            page.evaluate("(key) => window.efgView.view.acts.select(key)", key)
            assert not set_names(panel.inner_text(), ())
            expect(page.get_by_role("button", name=re.compile(r"^\s*$"))).to_have_count(0)
            if panel.locator("b").count() and view == "full":
                told.add((panel.locator("h2, h3").first.inner_text(), panel.locator("b").first.inner_text()))
        assert serious(page) == []
    assert told == {(player, name) for player, mine in names.items() for name in mine}


def test_in_the_terminal(solved, cli, monkeypatch):
    tree, _, names, path = solved
    for seat, player in enumerate(tree.players):
        told = set()
        for seed in range(4):
            typed = "".join(random.Random(seed).choice("12") + "\n" for _ in range(40)) + "q\n"
            monkeypatch.setattr("sys.stdin", io.StringIO(typed))
            out = cli("play", path, "--strategy", "uniform", "--seat", seat + 1, "--seed", seed)[1]
            told |= set(re.findall(r"^Your information set: (.*?)\. ", out, re.MULTILINE))
            assert not set_names(out, ())
            assert "Uncovered: ." not in out
            assert "Uncovered: :" not in out
        assert told == set(names[player])


@pytest.mark.first(2)
def test_on_the_page_with_what_has_happened_so_far_as_in_the_terminal(solved, seated, serious, tmp_path):
    tree, _, names, _ = solved
    board, other = against(tree, "uniform")
    page = seated(write_play(tmp_path / "play.html", play_part(board, other)))
    for seat, player in enumerate(tree.players):
        page.select_option("#play-seat", str(seat))
        page.wait_for_function(f"() => document.querySelector('#play-seat').value === '{seat}'")
        told, way = set(), random.Random(seat)
        for _ in range(60):
            while name := infoset(page):
                told.add(name)
                own = page.locator(".play-own")
                assert own.locator("h2").inner_text() == "Your information set"
                assert own.locator(".hand-text").inner_text() == name
                (k,) = (k for k in tree.personal if tree.infosets[k].player == seat and tree.names[k] == name)
                node = next(n for n in range(len(tree)) if tree.infoset[n] == k)
                seen = so_far(board.seen(node), board.players, seat, None)  # the same at all nodes of the set
                assert own.locator(".play-seen").inner_text() == (
                    f"So far: {seen}." if seen else "You have seen nothing so far."
                )
                expect(page.get_by_role("button", name=re.compile(r"^\s*$"))).to_have_count(0)
                found = moves(page)
                found.nth(way.randrange(found.count())).click()
            expect(page.locator(".play-closing")).not_to_contain_text(": .", use_inner_text=True)
            expect(page.locator(".play-closing")).not_to_contain_text(": : ", use_inner_text=True)
            if told == set(names[player]):
                break
            page.get_by_role("button", name="New round").click()
        assert told == set(names[player])
    assert serious(page) == []


def test_a_label_that_two_sets_share_is_no_name_in_the_report_either(tmp_path):
    text = PATHS["books/myerson1991/fig2_1"].read_text()
    shared = re.sub(r'p "" 1 (\d) ""', r'p "" 1 \1 "card"', text)
    assert shared.count('"card"') == 2
    report = eb.write_report(eb.solve(eb.parse_efg(shared)), tmp_path / "r.html").read_text()
    rows = re.findall(r"<t[hd][^>]*>(Red|Black|set \d|card)</t[hd]>", report)
    assert set(rows) == {"Red", "Black"}


def test_a_name_made_of_moves_is_no_label_of_other_sets():
    """Two sets of B share the label that the first, blank one would be called by: it stays theirs."""
    text = 'EFG 2 R "clash" { "A" "B" }\np "" 1 1 "r" { "Stay" "Go" "Up" } 0\n'
    for number, label in ((1, ""), (2, "after Stay"), (3, "after Stay")):
        text += f'p "" 2 {number} "{label}" {{ "l" "m" }} 0\nt "" 1 "" {{ 1 -1 }}\nt "" 2 "" {{ 2 -2 }}\n'
    tree = eb.parse_efg(text)
    assert tree.names[1:] == ("B 1", "after Go", "after Up")
    with pytest.raises(eb.ProfileError, match="after Stay"):
        eb.read_strategy({"B": {"after Stay": {"l": 1}}}, tree)
