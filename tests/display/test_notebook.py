"""What is made shows itself in a notebook: as a picture where it is small, otherwise as tables."""

from dataclasses import fields
from fractions import Fraction
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

import efg_builder as eb
from efg_builder.base.words import NOBODY_SURE
from efg_builder.display.notebook import cells
from efg_builder.display.trees import DrawOptions, Style
from efg_builder.display.trees.choose import NOTEBOOK, picture
from efg_builder.display.trees.options import DrawSettings
from efg_builder.display.trees.subject import subject_of
from efg_builder.games.bidding import FACES
from efg_builder.proof.certificate import verify_solution
from efg_builder.strategies.tree_profile import dealt

HOSTILE = "<script>alert('1')</script>\" onload=\"x"


class Read:
    """The rows of all tables, cell by cell, and the text outside of cells, of markup that is balanced."""

    def __init__(self, text):
        root = ElementTree.fromstring(f"<cell>{text}</cell>")
        self.rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
        self.text = [each.text for each in root.iter() if (each.text or "").strip() and each.tag not in ("td", "th")]
        self.tags = {each.tag for each in root.iter()} - {"cell"}
        self.attributes = [pair for each in root.iter() for pair in each.items()]


def facts(html):
    return dict(row for row in Read(html).rows if len(row) == 2)


def table(html):
    """The strategy tables' rows by band and hand, as numbers by move; blanks left out."""
    found, head, band = {}, None, None
    for row in Read(html).rows:
        if row[0] == "hand":
            head = row[1:]
        elif head and len(row) == 1:
            band = row[0]
        elif head:
            cells = zip(head, row[1:], strict=True)
            found[band, row[0]] = {move: number(words) for move, words in cells if words}
    return found


def number(words):
    return Fraction(words.removesuffix("%").replace("·", "0")) / (100 if words.endswith("%") else 1)


@pytest.fixture(scope="module")
def three():
    return eb.solve(eb.game("liars-dice", sides=3), "lp")


@pytest.fixture(scope="module")
def poker():
    return eb.build(eb.game("dice-poker"))


def test_small_trees_and_solutions_are_pictures():
    solution = eb.solve(eb.game("dice-poker", sides=2), "lp")
    for shown in (solution.tree, solution):
        assert shown._repr_svg_().startswith("<")
        assert shown._repr_html_() is None  # a notebook would take it before the picture
    assert ">Exact equilibrium<" in solution._repr_svg_()
    assert "equilibrium" not in solution.tree._repr_svg_()


def test_what_is_drawn_without_a_path_shows_itself(tmp_path):
    solution = eb.solve("kuhn")
    picture = solution.draw(values=True, direction="down", colors="dark", width=700)
    assert picture._repr_svg_() == str(picture)
    style = {"direction": "down", "colors": "dark", "width": 700, "purpose": "free"}
    assert str(picture) == eb.draw(solution, tmp_path / "x.svg", values=True, style=style).read_text()
    assert repr(picture) == "<Picture of 'Kuhn poker: 2 players, 3 cards', 700 x 392 pixels>"
    for drawn in (eb.draw("kuhn"), solution.tree.draw()):
        assert str(drawn) == solution.tree._repr_svg_()
    assert str(solution.tree.draw(strategy=solution)) == str(eb.draw(solution)) == solution._repr_svg_()


def test_a_folded_picture_says_why():
    """A tree of 55 nodes is small, but not for a column."""
    subject = subject_of(eb.solve("kuhn"))
    options = DrawOptions(caption="x", style=Style(purpose="column"))
    shown = picture(subject, options, None, NOTEBOOK)
    assert shown.why == "the text of the whole tree would be too small for a column"
    assert shown.options.caption == f"x; drawn with view=public, reach=0, as {shown.why}"
    assert picture(subject, DrawOptions(), None, NOTEBOOK).why == ""


@pytest.mark.parametrize(
    ("solved", "part"),
    [(False, "depth=2"), (True, "reach=0")],
)
def test_a_large_tree_is_folded_and_the_picture_says_so(solved, part):
    tree = eb.build("liars-dice sides=4")
    drawn = (eb.solve(tree, "lp") if solved else tree).draw()
    (caption,) = [text.text for text in drawn.scene.texts if text.role == "caption"]
    assert caption.endswith(f"drawn with {part}, as the tree has 8,177 nodes")
    assert "nodes are not shown" in str(drawn)
    with pytest.raises(eb.EfgBuilderError, match="nodes"):
        tree.draw(depth=7)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"strategy": "uniform", "profile": "uniform"},
            "strategies are given twice: as strategy= and by its former name profile=",
        ),
        ({"widht": 3}, "draw() has no setting 'widht'; did you mean 'width'?"),
        ({"width": 10}, "width=10: must be from 50 to 20000 pixels"),
        ({"ranges": 3}, "ranges=int 3: must be the result of eb.ranges(game)"),
        ({"options": 3}, "draw() takes DrawOptions as options, not int 3; its fields may also be keywords"),
    ],
)
def test_wrong_settings_are_named(settings, said):
    with pytest.raises(eb.ParameterError) as error:
        eb.draw("kuhn", **settings)
    assert str(error.value) == said


def test_the_keywords_of_draw_are_the_fields_of_its_options_and_those_of_the_command_line():
    every = {each.name for kind in (DrawOptions, Style) for each in fields(kind)} | {"solution", "which", "all"}
    assert set(DrawSettings.__annotations__) == every
    ranges = eb.ranges("kuhn")
    assert str(eb.draw("kuhn", ranges=ranges)) == str(eb.draw("kuhn", ranges=ranges.shares))


def test_large_ones_are_words():
    tree = eb.build(eb.game("liars-dice", sides=4))
    assert tree._repr_svg_() is None
    assert repr(tree) == '<GameTree "Liar\'s Dice: one four-sided die each": 8,177 nodes, 1,024 information sets>'
    told = facts(tree._repr_html_())
    large = eb.game("liars-dice", sides=6, dice=(5, 5))  # not built
    assert facts(large._repr_html_())["nodes"] == f"{large.size().nodes:,}"
    assert facts(large._repr_html_())["information sets"] == " + ".join(f"{n:,}" for n in large.size().infosets)
    # 16 deals of 2^8 - 1 ends of play; 4 hands times 2^7 histories for each player
    assert told["nodes"] == "8,177, 4,080 of them terminal"
    assert told["information sets"] == "512 + 512"


def test_a_large_solution_says_what_is_proved_and_what_each_hand_does(three):
    html = three._repr_html_()
    told = facts(html)
    assert told["verified"] == "Exact equilibrium, value −1/9 to Player 1"
    assert told["value"] == "Player 1: −1/9 = −0.1111; Player 2: 1/9 = 0.1111; Player 2 is ahead"
    assert "bounds" not in told
    assert len(table(html)) >= 3
    assert "seconds" not in html  # the same each time


def test_a_strategy_table_is_the_profile(three):
    tree, profile, reach = three.tree, three.profile, three.verdict.reach
    shown = table(profile._repr_html_())
    expected = {}
    for k in tree.personal:
        hand, _, history = tree.infosets[k].label.partition(": ")
        player = tree.players[tree.infosets[k].player]
        here = [j for j in tree.personal if tree.infosets[j].label.endswith(f": {history}")]
        likely = sum(reach[j] for j in here)
        if likely:
            seldom = "" if likely == 1 else f" (reached {likely})"
            where = ", at the start" if history == "start" else f", after {history}"
            expected[f"{player}{where}{seldom}", FACES[int(hand) - 1]] = dict(
                zip(tree.infosets[k].actions, profile.probabilities[k], strict=True)
            )
    assert shown == expected
    left = len(tree.personal) - len(expected)
    assert f"{len(expected)} of 192 information sets; {left} are left out" in profile._repr_html_()


def test_rows_that_play_never_gets_to_are_pale():
    tree = eb.build(eb.game("dice-poker", sides=2))
    never = {k: (Fraction(1), Fraction(0)) for k in tree.personal}
    html = eb.TreeProfile.from_personal(tree, never)._repr_html_()
    assert html.count("<tr style") == 2 == sum(tree.infosets[k].player == 1 for k in tree.personal)
    assert "B, after raise (never reached)" in html
    assert "pale" in html
    assert "<tr style" not in eb.TreeProfile.uniform(tree)._repr_html_()


@pytest.mark.parametrize("sides", [2, 3])
@pytest.mark.parametrize("mixed", [False, True])
def test_without_a_tree_the_table_is_the_same(sides, mixed):
    """The walk through public play against the one over all nodes of the tree."""
    game = eb.game("liars-dice", sides=sides)
    profile = eb.TreeProfile.uniform(eb.build(game)) if mixed else eb.solve(game, "lp").profile
    sparse = dealt(profile, game).sparse()
    dense = {
        (place.player, place.history): place for place in cells.profile_places(sparse.on(profile.tree)) if place.reach
    }
    walked = cells.sparse_places(sparse, 1_000)
    assert {(place.player, place.history) for place in walked} == set(dense)
    for place in walked:
        other = dense[place.player, place.history]
        assert place.reach == other.reach
        assert place.hands == tuple(hand for hand in other.hands if hand.reached)
    likely = [place.reach for place in walked]
    assert likely == sorted(likely, reverse=True)
    assert set(table(sparse._repr_html_())) <= set(table(sparse.on(profile.tree)._repr_html_()))


def test_a_table_has_no_more_rows_and_columns_than_a_reader_wants():
    solution = eb.solve(eb.game("liars-dice", sides=4, dice=(2, 2)), "oracle")
    assert solution._repr_svg_() is None
    shown = table(solution._repr_html_())
    assert 10 <= len(shown) <= cells.MOST_ROWS
    assert all(len(row) <= cells.MOST_COLUMNS for row in shown.values())
    made = {move for row in shown.values() for move, p in row.items() if p}
    assert made == {move for row in shown.values() for move in row}
    assert f"moves without a column: {17 - len(made)}, never made here" in solution._repr_html_()
    tree = eb.build(eb.game("liars-dice", sides=4))
    html = eb.TreeProfile.uniform(tree)._repr_html_()
    assert len(table(html)) == 40  # ten places of four hands
    assert "40 of 1,024 information sets; 984 are left out" in html


def test_limits_of_a_table(monkeypatch):
    tree = eb.build(eb.game("liars-dice", sides=3))
    sparse, profile = eb.solve(eb.game("liars-dice", sides=3), "oracle").sparse, eb.solve(eb.game("dice-poker")).profile
    monkeypatch.setattr("efg_builder.strategies.lines.MOST_HANDS", 2)
    assert "too many hands to list" in sparse._repr_html_()
    assert not table(sparse._repr_html_())
    monkeypatch.setattr(cells, "MOST_COLUMNS", 3)
    assert {move for row in table(profile._repr_html_()).values() for move in row} == {"show", "raise", "call"}
    assert "moves without a column: 1, seldom or never made here" in profile._repr_html_()
    monkeypatch.undo()
    monkeypatch.setattr(cells, "MOST_NODES", 1_000)
    monkeypatch.setattr(cells, "values", None)
    html = eb.TreeProfile.uniform(tree)._repr_html_()
    assert list(table(html)) == [("Player 1, at the start", face) for face in FACES[:3]]
    assert "3 of 192 information sets; 189 are left out" in html


def test_a_measured_strategy_is_a_table():
    found = eb.evaluate(eb.game("liars-dice", sides=2), "always-call")
    match = found.matches[0]
    rows = Read(found._repr_html_()).rows
    number = {f"{v} = {float(v):.4g}" if v.denominator > 1 else str(v) for v in match.gains}
    assert {row[4] for row in rows if row[0].startswith("Player")} == number
    assert f"exploitability {match.exploitability}" in found._repr_html_()
    assert Read(match._repr_html_()).rows[1][1] == "always-call"


def test_ranges_tell_the_forced_from_the_free(poker):
    html = eb.ranges(poker)._repr_html_()
    told = facts(html)
    assert told["A"] == "one strategy only"
    assert told["B"] == "free in 2 dimensions, a polytope with 6 vertices"
    rows = {(n, row[0]): row[1:] for n, row in enumerate(Read(html).rows)}
    assert [row for (_, hand), row in rows.items() if hand == "4"][1] == ["", "", "0 to 2/3", "1/3 to 1"]
    assert next(row for (_, hand), row in rows.items() if hand == "1") == ["1/3", "2/3", "", ""]
    assert html.count('title="free"') == 6


def test_ranges_are_in_the_order_of_play_and_say_what_is_left_out():
    found = eb.ranges(eb.build(eb.game("liars-dice", sides=2)))
    html = found._repr_html_()
    bands = [row[0] for row in Read(html).rows if len(row) == 1]
    assert bands[0] == "Player 1, at the start"
    assert len(bands) == len(set(bands))
    moves = [len(band.partition("after ")[2].split()) for band in bands]
    assert moves == sorted(moves)
    never = {a.infoset for a in found.actions} - {a.infoset for a in found.actions if a.conditional}
    assert sum(row[0] in ("1", "2") for row in Read(html).rows) == len(found.tree.personal) - len(never)
    assert f"{len(never)} more, to which the player&#39;s own moves lead in no equilibrium" in html


def test_verdicts_and_proofs_say_what_they_come_to(three, tmp_path):
    assert "An equilibrium" in three.verdict._repr_html_()
    assert facts(three.verdict._repr_html_())["regret"] == "0"
    uniform = eb.verify(eb.TreeProfile.uniform(three.tree))
    assert "Not an equilibrium" in uniform._repr_html_()
    assert facts(uniform._repr_html_())["regret"].split(" = ")[0] == str(uniform.regret)
    proof = verify_solution(three.write(tmp_path / "proof.json"))
    assert Read(proof._repr_html_()).text[0] == "Proved: Liar's Dice: one three-sided die each"
    assert facts(proof._repr_html_())["bounds"].startswith("proved: the first player guarantees −1/9")
    response = eb.best_response(three.profile, 1)
    assert facts(response._repr_html_())["value"] == "1/9 = 0.1111"
    refined = eb.solve(eb.game("dice-poker", sides=3), refine=True).refined
    assert "A sequential equilibrium" in refined._repr_html_()
    sparse = eb.solve(eb.game("liars-dice", sides=3), "oracle").verdict
    assert "histories visited" in facts(sparse._repr_html_())


def test_of_three_players_there_are_payoffs_and_no_value():
    solution = eb.solve(eb.game("liars-dice", sides=4, dice="1,1,1"))
    assert repr(solution).endswith("equilibrium, payoffs 17/64, -13/64, -1/16>")
    for html in (solution._repr_html_(), solution.verdict._repr_html_(), solution.verify()._repr_html_()):
        assert "17/64" in facts(html)["payoffs"]
        assert "value" not in facts(html)
    assert NOBODY_SURE in facts(solution._repr_html_())["verified"]


def test_the_plain_text_beside_a_table_is_a_line(three, poker):
    def told(found):
        seen = []
        found._repr_pretty_(SimpleNamespace(text=seen.append), False)
        return "".join(seen)

    assert told(three.verdict) == "<Verdict: value -1/9, 1/9>"
    assert told(eb.ranges(poker)) == "<Ranges of 'Dice poker: 6 sides, ante 1, bet 1': value 5/54>"
    assert told(eb.matrix(poker).analyse()) == "<MatrixReport of 'Dice poker: 6 sides, ante 1, bet 1'>"
    assert told(eb.best_response(three.profile, 1)) == "<BestResponse: value 1/9>"


def test_what_found_nothing_says_so(poker):
    nothing = eb.solve(poker, "gambit-lcp", timeout=1e-6)
    assert nothing._repr_svg_() is None
    assert facts(nothing._repr_html_())["status"] == "timeout"


def test_matrices_and_branches_are_plots_unless_too_large(poker, monkeypatch, in_process):
    form = eb.matrix(poker)
    report, branch = form.analyse(), eb.quantal_branch(poker, points=5)
    assert facts(form._repr_html_())["plans"] == "64 of A (rows), 64 of B (columns)"
    for shown in (report, branch):
        assert shown._repr_png_().startswith(b"\x89PNG")
        assert shown._repr_html_() is None
    monkeypatch.setattr(cells, "MOST_CELLS", 4_095)
    monkeypatch.setattr(cells, "MOST_COURSES", 59)
    for shown in (report, branch):
        assert shown._repr_png_() is None
    assert facts(report._repr_html_()) == {
        "size": "64 x 64 plans",
        "pure play": "0 equilibria in pure plans",
        "value": "5/54 = 0.09259",
    }
    assert facts(branch._repr_html_())["points"] == "5"


def hostile_tree():
    names = " ".join(f'"{n}{HOSTILE}"'.replace('" on', "' on").replace('="x', "='x") for n in range(2))
    word = HOSTILE.replace('"', "'")
    text = f"""EFG 2 R "{word}" {{ {names} }} "{word}"
p "" 1 1 "{word}" {{ "a{word}" "b{word}" }} 0
t "" 1 "x{word}" {{ 1, -1 }}
p "" 2 1 "{word}: {word}" {{ "a{word}" "b{word}" }} 0
t "" 2 "y{word}" {{ 2, -2 }}
t "" 3 "z{word}" {{ -3, 3 }}
"""
    return eb.parse_efg(text)


def test_labels_of_files_are_no_markup():
    tree = hostile_tree()
    solution = eb.solve(tree, "lp")
    shown = [tree._repr_svg_(), solution._repr_svg_(), solution.profile._repr_html_()]
    shown += [eb.ranges(tree)._repr_html_(), eb.matrix(tree)._repr_html_(), eb.evaluate(tree, "uniform")._repr_html_()]
    shown += [cells.tree_facts(tree), cells.solution_facts(solution), solution.verdict._repr_html_()]
    for text in shown[:2]:
        assert "<script" not in text
    for text in shown[2:]:
        read = Read(text)
        assert read.tags <= {"div", "b", "table", "thead", "tbody", "tr", "th", "td"}
        assert {name for name, _ in read.attributes} <= {"style", "cellpadding", "scope", "colspan", "title"}
    assert "<script>" in "".join(Read(shown[2]).text)  # it is there, as text


def test_tables_suit_light_and_dark_notebooks(three, poker):
    html = three._repr_html_() + eb.ranges(poker)._repr_html_()
    styles = [value for name, value in Read(html).attributes if name == "style"]
    properties = {part.partition(":")[0] for style in styles for part in style.split(";")}
    assert properties <= {"text-align", "font-weight", "font-size", "opacity", "background"}
    shades = [style for style in styles if "background" in style]
    assert shades
    # See-through enough for black letters on white paper, and for white ones on black.
    assert all(0 < float(style.rpartition(",")[2].rstrip(")")) < 0.5 for style in shades)
