"""What the table sees, as a picture: one way to write numbers, and as much as has room."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

import pytest
from paths import DOCS
from test_draw_geometry import solved
from test_draw_picture import mixed, reach_in, tree_of

import efg_builder as eb
from efg_builder.base.errors import PictureTooSmallError
from efg_builder.base.rationals import brief
from efg_builder.base.words import amount, decimal, notation, percent
from efg_builder.display.trees import DrawOptions, Style, scene_of, to_svg
from efg_builder.display.trees.choose import FILE, REACHES, TABLE_NODES, Views, choose
from efg_builder.display.trees.subject import subject_of
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.strategies.tree_profile import TreeProfile

FREE = Style(purpose="free")
TABLE = DrawOptions(view="table", style=FREE)
PICTURES = {
    "one die each": ("liars-dice sides=6", TABLE),
    "whole": ("two against one", TABLE),
    "folded": ("two against one", DrawOptions(view="table", style=FREE, reach=Fraction(1, 100))),
    "values": ("two against one", DrawOptions(view="table", style=FREE, reach=Fraction(1, 100), values=True)),
    "rarely": ("two against one", DrawOptions(view="table", style=FREE, reach=Fraction(1, 50))),
    "openings": ("two against one", DrawOptions(view="table", style=FREE, depth=1)),
    "wild": ("wild", TABLE),
}
BY_PICTURE = pytest.mark.parametrize("picture", PICTURES)


@cache
def scene(picture):
    name, options = PICTURES[picture]
    return scene_of(solved(name), None, options)


def texts(picture, role):
    return [text.text for text in scene(picture).texts if text.role == role]


def edges(picture):
    return (stroke for stroke in scene(picture).strokes if stroke.role == "edge")


# --- numbers


@BY_PICTURE
def test_all_probabilities_have_one_notation(picture):
    name, _ = PICTURES[picture]
    seen = eb.table_view(solved(name))
    tree = seen.tree
    shown = {t.node: t.text for t in scene(picture).texts if t.role == "probability"}
    right = {n: seen.probabilities[tree.infoset[tree.parent[n]]][tree.action[n]] for n in shown}
    chance = {n for n in right if tree.player[tree.parent[n]] < 0}
    assert {n: shown[n] for n in chance} == {n: str(right[n]) for n in chance}
    others = shown.keys() - chance
    assert {"%" in shown[n] for n in others} == {picture not in ("one die each", "wild")}
    write = notation(right[n] for n in others)
    rows = {n: seen.probabilities[tree.infoset[tree.parent[n]]] for n in others}
    assert {n: shown[n] for n in others} == {n: write(right[n], rows[n]) for n in others}
    legend = " ".join(texts(picture, "legend"))
    assert ("percentages are rounded" in legend) == write.rounded
    decimals = [text for text in texts(picture, "payoff") + texts(picture, "value") if "." in text]
    assert all(text.startswith("≈") and len(text.partition(".")[2]) == 3 for text in decimals)
    assert bool(decimals) == (picture == "values")


def in_floats(tree):
    rows = TreeProfile.uniform(tree).probabilities
    return TreeProfile.from_personal(tree, {k: tuple(map(float, rows[k])) for k in tree.personal})


def test_beside_floats_the_chances_of_the_rules_stay_exact():
    tree = tree_of("two sides")
    drawn = scene_of(tree, in_floats(tree), DrawOptions(beliefs=True))
    shown = [t.text for t in drawn.texts if t.role in ("probability", "belief")]
    assert {"25%", "33%", "50%"} <= set(shown)
    assert all(text.endswith("%") for text in shown)
    assert " ".join(t.text for t in drawn.texts if t.role == "each") == "each 1/4"
    exact = [t.text for t in scene_of(tree, mixed("two sides")).texts if t.role == "probability"]
    assert not [text for text in exact if "%" in text]


def test_chances_stay_as_in_the_rules_beside_long_fractions():
    """Bagwell's 99/100 beside 489/98; Leduc's 1/15; Kuhn's -5/78 in a caption and in a box."""
    bagwell = eb.solve(eb.build(eb.game(str(DOCS / "games" / "bagwell.py"))))
    assert {"99/100", "1/100"} <= {t.text for t in scene_of(bagwell).texts if t.role == "probability"}
    leduc = eb.build(eb.game("leduc"))
    texts = {t.text for t in scene_of(leduc, TreeProfile.uniform(leduc), DrawOptions(depth=1)).texts}
    assert "1/15" in texts
    assert not [text for text in texts if "%" in text]
    kuhn = scene_of(eb.solve(eb.game("kuhn", cards=13)), None, DrawOptions(view="public"))
    assert "−5/78" in {t.text for t in kuhn.texts if t.role == "value"}


short = partial(amount, digits=4)


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        # A number that is rounded says so.
        *((amount, Fraction(-1, 3), "−1/3"), (amount, -1 / 3, "≈−0.333"), (amount, 0.25, "0.250")),
        *((amount, Fraction(123457, 8), "≈15432"), (amount, 1e-9, "≈ 0"), (amount, 5e-7, "≈0")),
        *((short, Fraction(-2, 3), "−2/3"), (short, 0.25, "0.25"), (short, -0.0625001, "≈−0.0625")),
        *((percent, Fraction(1, 4), "25.0%"), (percent, 0.163, "16.3%"), (percent, Fraction(1), "100%")),
        *((percent, 0.0, "0%"), (percent, 1.0, "100%"), (percent, Fraction(1, 1296), "0.1%")),
        *((percent, Fraction(9999, 10000), ">99.9%"), (percent, Fraction(999, 1000), "99.9%")),
        *((percent, Fraction(1, 1000), "0.1%"), (percent, 1e-9, "<0.1%"), (percent, 5.37e-7, "<0.1%")),
        *((decimal, Fraction(-1, 4), "−0.250"), (decimal, Fraction(3), "3"), (decimal, -1.0, "−1")),
        *((decimal, Fraction(123456), "123456"), (decimal, Fraction(1, 7000), "0.000143")),
        *((decimal, Fraction(70001, 7), "10000"), (decimal, Fraction(7001, 8), "875.125")),
        *((decimal, -0.0, "0"), (decimal, -7.19e-6, "−0.000007"), (decimal, 1e300, "1e+300")),
        *((brief, Fraction(-1, 9), "-1/9"), (brief, Fraction(212027, 7715529), "≈0.02748"), (brief, 1 / 3, "≈0.3333")),
        *((brief, 1e-6, "1e-06"), (brief, 0.25, "0.25"), (brief, Fraction(1, 7 * 10**12), "≈1.429e-13")),
    ],
)
def test_numbers_are_short_and_true(write, value, text):
    assert write(value) == text


# --- asking for it


def test_a_large_solution_is_drawn_as_the_table_sees_it(tmp_path):
    solution = solved("two against one")
    seen = eb.table_view(solution)
    for reach in (None, Fraction(1, 100)):
        text = to_svg(solution, None, DrawOptions(view="table", reach=reach))
        assert text == to_svg(
            seen, None, DrawOptions(reach=reach, caption="Exact equilibrium", result=("≈0.2748", "value to Player 1"))
        )
        assert eb.draw(solution, tmp_path / "x.svg", view="table", reach=reach).read_text() == text
    assert to_svg(solution.sparse, None, TABLE) == to_svg(seen)
    small = solved("wild")
    tree = eb.build(small.game)
    assert to_svg(tree, small, TABLE) == to_svg(small, None, TABLE)


def test_a_picture_says_that_its_decimals_are_rounded():
    """Fractions are not rounded. In the public view, a turn is reached with probability 1/96."""
    tree = tree_of("two sides")
    for view in ("tree", "public"):
        for profile, told in ((TreeProfile.uniform(tree), False), (in_floats(tree), True)):
            texts = [t.text for t in scene_of(tree, profile, DrawOptions(view=view)).texts]
            assert ("percentages are rounded" in texts) == (told or view == "public"), view
            valued = [t.text for t in scene_of(tree, profile, DrawOptions(view=view, values=view == "tree")).texts]
            assert ("≈ rounded" in valued) == told, view


def test_what_ends_pay_stays_a_fraction_beside_values_that_are_none():
    tree = eb.parse_efg(
        'EFG 2 R "thirds" { "A" "B" } ""\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 1/3 -1/3 }\nt "" 2 "" { 2/3 -2/3 }\n'
    )
    profile = eb.TreeProfile.from_personal(tree, {0: (0.3, 0.7)})
    scene = scene_of(tree, profile, DrawOptions(values=True))
    assert [t.text for t in scene.texts if t.role == "payoff"] == ["1/3", "−1/3", "2/3", "−2/3"]
    assert [t.text for t in scene.texts if t.role == "value"] == ["≈0.567"]


# --- what has room


def chosen(name, view=None, style=FREE):
    """The reach probability at which the public tree is folded."""
    subject = subject_of(solved(name), view="table")
    return choose(Views(subject, replace(TABLE, style=style)), FILE, view).options.reach


def test_of_what_the_table_sees_as_much_is_drawn_as_has_room():
    assert chosen("liars-dice sides=6") is None  # all of it
    assert chosen("two against one", "table") is None
    found = chosen("two against one")
    reached = reach_in(eb.table_view(solved("two against one")))
    before = REACHES[REACHES.index(found) - 1]
    assert sum(p > before for p in reached) > TABLE_NODES >= sum(p > found for p in reached)


@pytest.mark.parametrize("purpose", ["slide", "page", "column"])
def test_a_purpose_is_filled_until_letters_would_be_too_small(purpose):
    seen, options = eb.table_view(solved("two against one")), DrawOptions(style=Style(purpose=purpose))
    found = chosen("two against one", style=options.style)
    assert found is not None
    steps = [Fraction(digit, 1000) for digit in (10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)]
    assert found in steps
    assert scene_of(seen.tree, seen, replace(options, reach=found)).texts
    below = [step for step in steps if step < found]
    assert below
    for reach in (below[-1], None):
        with pytest.raises(PictureTooSmallError):
            scene_of(seen.tree, seen, replace(options, reach=reach))


def test_two_dice_each_are_drawn_without_further_words(tmp_path, cli):
    """441 deals: a tree of them is no picture, and is not begun."""
    game = eb.game("liars-dice", sides=6, dice=(2, 2))
    bids = {f"{quantity}x{face}": Fraction(1, 18) for quantity in range(1, 4) for face in range(1, 7)}
    first = {"start": dict.fromkeys(range(game.hand_counts[0]), bids)}
    second = {bid: dict.fromkeys(range(game.hand_counts[1]), bid_again(bid)) for bid in bids}
    profile = eb.SparseProfile(game, (first, second))
    file, picture = tmp_path / "s.json", tmp_path / "x.svg"
    Solution(None, "mine", "bracket", "", 0.0, (Judged(profile, eb.verify(profile)),), game=game).write(file)
    code, _, err = cli("draw", "liars-dice", "sides=6", "dice=2,2", "--solution", file, "-o", picture)
    assert (code, err) == (0, f"the picture shows the public tree, averaged over hands\n{picture}\n")
    assert "This tree averages over all hands" in picture.read_text()
    for purpose, told in (("slide", True), ("column", False)):  # where there is no title and no caption
        code, _, err = cli(
            *("draw", "liars-dice", "sides=6", "dice=2,2", "--solution", file, "--view", "table"),
            *("--for", purpose, "-o", picture),
        )
        assert code == 0
        assert re.match(r"the picture shows the public tree, averaged over hands; only nodes .* above \d+/\d+\n", err)
        assert ("the picture shows the public tree" in "".join(re.findall(">([^<]*)<", picture.read_text()))) == told


def bid_again(bid):
    """A higher bid on the same face, or a call, one as likely as the other."""
    quantity, face = bid.split("x")
    return {f"{int(quantity) + 1}x{face}": Fraction(1, 2), "call": Fraction(1, 2)}
