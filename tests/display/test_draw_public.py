"""The picture of public histories, read back from its scene and held against sums over the tree."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from test_draw_geometry import ranges, solved
from test_draw_picture import box, mixed, reach, tree_of

import efg_builder as eb
from efg_builder.base.words import amount, notation
from efg_builder.display.trees import Box, DrawOptions, Style, Text, scene_of, to_svg
from efg_builder.display.trees.choose import REACHES, Room, Views, choose
from efg_builder.display.trees.colors import INK, PALE, PAPER, fill, ink, letter_over, luminance, rgb, shade
from efg_builder.display.trees.options import VIEWS
from efg_builder.display.trees.public_play import PublicPlay, turns_of
from efg_builder.display.trees.sizes import shortened, text_width
from efg_builder.display.trees.subject import subject_of
from efg_builder.display.trees.svg import write_svg
from efg_builder.forms.extensive import CHANCE
from efg_builder.forms.hand_names import displayed_tree
from efg_builder.forms.public_tree import public_tree
from efg_builder.strategies.tree_profile import TreeProfile

PUBLIC = DrawOptions(view="public")
A4 = (842.0, 595.0)  # points, landscape
LEAST_LETTER = 6.0  # points: what is read on paper without a glass


@cache
def solution_scene(name, limit=None):
    return scene_of(solved(name), None, DrawOptions(view="public", reach=limit))


@cache
def mixed_scene(name, beliefs=False):
    return scene_of(tree_of(name), mixed(name), DrawOptions(view="public", beliefs=beliefs))


def texts(scene, role):
    """By history, in drawing order."""
    found = {}
    for text in scene.texts:
        if text.role == role:
            found.setdefault(text.node, []).append(text.text)
    return found


def paths(name):
    """The players' moves that lead to each node, from the tree alone."""
    tree = tree_of(name)
    found = {0: ()}
    for node in range(1, len(tree)):
        above = int(tree.parent[node])
        infoset = tree.infosets[tree.infoset[above]]
        step = () if infoset.player == CHANCE else (infoset.actions[tree.action[node]],)
        found[node] = found[above] + step
    return found


MIXED = ["two sides", "three sides", "mia", "poker", "three players"]


@pytest.mark.parametrize("name", MIXED)
def test_each_history_that_is_reached_and_goes_on_has_one_table(name):
    tree, likely, ways = tree_of(name), reach(name), paths(name)
    public, scene = public_tree(tree), mixed_scene(name)
    expected = {}
    for node in range(len(tree)):
        if tree.player[node] >= 0 and likely[node]:
            expected[ways[node]] = expected.get(ways[node], Fraction(0)) + likely[node]
    tables = [b.node for b in scene.boxes if b.role == "table"]
    assert {public.path(history) for history in tables} == set(expected)
    assert len(tables) == len(expected)
    told = {public.path(h): words for h, (words,) in texts(scene, "reach").items()}
    percents = [notation([]), notation([Fraction(1, 100)])]
    assert told in [{path: f"reached {write(p)}" for path, p in expected.items()} for write in percents]
    edges = {(s.source, s.node) for s in scene.strokes if s.role == "edge"}
    ends = {m.node for m in scene.marks if m.role == "end"}
    assert edges == {(int(public.parent[h]), h) for h in {*tables, *ends} if h}


@pytest.mark.parametrize("name", ["two sides", "mia", "poker"])
def test_values_and_what_ends_pay_are_means_over_the_nodes(name):
    tree, likely, ways = tree_of(name), reach(name), paths(name)
    public, scene = public_tree(tree), mixed_scene(name)
    worth = {public.path(h): words[0] for h, words in texts(scene, "value").items()}
    paid = {public.path(h): words[0] for h, words in texts(scene, "payoff").items()}
    assert worth
    assert paid
    numbers = {}
    for path in {*worth, *paid}:
        ends = [n for n in range(len(tree)) if tree.is_terminal(n) and ways[n][: len(path)] == path]
        total = sum(likely[n] * tree.payoffs[tree.outcome[n]][0] for n in ends)
        numbers[path] = total / sum(likely[n] for n in ends)
    written = {path: amount(value) for path, value in numbers.items()}
    assert worth == {path: written[path] for path in worth}
    assert paid == {path: written[path] for path in paid}
    # An end that is reached is drawn, and no other.
    reached = {ways[n] for n in range(len(tree)) if tree.is_terminal(n) and likely[n]}
    assert set(paid) == reached


@pytest.mark.parametrize("name", ["two sides", "mia", "poker", "three players"])
def test_cells_are_the_profile_shaded_and_hands_that_never_get_there_are_faded(name):
    tree, rows, likely = displayed_tree(tree_of(name)), mixed(name).probabilities, reach(name)
    public, scene = public_tree(tree), mixed_scene(name)
    cells = {h: [b for b in scene.boxes if b.role == "cell" and b.node == h] for h in texts(scene, "hand")}
    never = 0
    for history, boxes in cells.items():
        moves = texts(scene, "move")[history]
        player = int(public.player[history])
        hands = [
            t
            for t in scene.texts
            if t.role == "hand" and t.node == history and t.text not in ("hand", "information set")
        ]
        assert [t.text for t in hands] == list(public.hands(history))
        expected = []
        for hand, k in zip(hands, public.infosets[history], strict=True):
            gets = any(likely[n] for n in range(len(tree)) if tree.infoset[n] == k)
            never += not gets
            assert hand.color == (INK if gets else PALE)
            row = dict(zip(tree.infosets[k].actions, rows[k], strict=True))
            expected += [(shade(player, float(row[m]) if gets else 0), gets) for m in moves]
        assert [(b.color, bool(b.rim) or b.color != "#ffffff") for b in boxes] == expected
        inside = [t for t in scene.texts if t.role == "cell" and t.node == history]
        shaded = [b for b in boxes if b.color != "#ffffff"]
        assert len(inside) == len(shaded)
        for text, cell in zip(inside, shaded, strict=True):
            left, top, right, bottom = box(text)
            assert cell.x <= left <= right <= cell.x + cell.width
            assert cell.y <= top <= bottom <= cell.y + cell.height
            assert text.color == letter_over(cell.color)
        # Columns are the moves that some hand that gets there makes; the others are counted.
        made = {
            a
            for k in public.infosets[history]
            for a, p in zip(tree.infosets[k].actions, rows[k], strict=True)
            if p and any(likely[n] for n in range(len(tree)) if tree.infoset[n] == k)
        }
        assert set(moves) == made
        left_out = len(public.children[history]) - len(made)
        assert texts(scene, "never").get(history, []) == (
            [f"never: +{left_out} move{'s' * (left_out > 1)}"] if left_out else []
        )
    assert never or name != "two sides"


def test_beliefs_are_how_likely_each_hand_is_there():
    tree, likely, public = tree_of("two sides"), reach("two sides"), public_tree(tree_of("two sides"))
    told = texts(mixed_scene("two sides", beliefs=True), "belief")
    assert set(told) == set(texts(mixed_scene("two sides"), "reach"))
    for history, words in told.items():
        ways = [sum(likely[n] for n in range(len(tree)) if tree.infoset[n] == k) for k in public.infosets[history]]
        shares = [p / sum(ways) for p in ways if p]
        assert words[0] == "belief"
        assert words[1:] == [str(p) for p in shares]


# --- on paper


@pytest.mark.parametrize("name", ["liars-dice sides=2", "liars-dice sides=3", "dice-poker"])
def test_a_whole_equilibrium_fits_on_one_page_in_letters_that_can_be_read(name):
    scene = solution_scene(name)
    public = public_tree(solved(name).tree)
    assert not [t for t in scene.texts if t.role == "stub"]  # whole: nothing that is reached is left out
    assert len([b for b in scene.boxes if b.role == "table"]) >= 2
    assert set(texts(scene, "reach")) <= set(range(len(public)))
    scale = min(A4[0] / scene.width, A4[1] / scene.height)
    assert min(text.size for text in scene.texts) * scale >= LEAST_LETTER


@pytest.mark.parametrize("player", range(8))
def test_shades_get_darker_and_letters_on_them_can_be_read(player):
    shades = [shade(player, k / 50) for k in range(51)]
    light = [luminance(rgb(color)) for color in shades]
    assert shades[0] == "#ffffff"
    assert shades[-1] == ink(player)
    assert light == sorted(light, reverse=True)
    assert light[0] - light[1] > 0.05  # the least probability is told from none
    for color in shades:
        one, other = sorted((luminance(rgb(color)), luminance(rgb(letter_over(color)))))
        assert (other + 0.05) / (one + 0.05) >= 4.5  # WCAG 2.1, level AA


SLIDES = [
    *(("kuhn", {}), ("kuhn", {"cards": 13}), ("kuhn", {"seats": 3, "cards": 4}), ("dice-poker", {})),
    *(("liars-dice", {"sides": 2}), ("liars-dice", {"sides": 3}), ("mia", {}), ("docs/games/quiche.py", {})),
]


@pytest.mark.parametrize(("name", "rules"), SLIDES)
def test_a_slide_is_filled_and_its_legend_is_one_line_in_no_larger_letters(name, rules):
    scene = scene_of(eb.solve(eb.game(name, **rules)), None, PUBLIC)
    drawn = [(b.x, b.y, b.x + b.width, b.y + b.height) for b in scene.boxes if b.role == "table"]
    lefts, tops, rights, bottoms = zip(*drawn, *(box(t) for t in scene.texts if t.node >= 0), strict=True)
    head = max(box(t)[3] for t in scene.texts if t.role in ("title", "caption", "result"))
    legend = [t for t in scene.texts if t.role == "legend"]
    room = min(box(t)[1] for t in legend) - head
    assert scene.width * scene.scale == pytest.approx(1280)
    assert max((max(rights) - min(lefts)) / scene.width, (max(bottoms) - min(tops)) / room) >= 0.85
    cells = max(t.size for t in scene.texts if t.role == "cell")
    assert max(t.size for t in legend) <= cells
    assert max(t.y for t in legend) - min(t.y for t in legend) < 2


# --- strategies without a tree


def test_sparse_strategies_count_moves_and_hands_that_the_support_has_lost():
    game = eb.game("liars-dice", sides=3)
    found = eb.solve(game, "oracle")
    sparse, full = found.sparse, found.sparse.on(eb.build(game))
    one, other = scene_of(sparse, None, PUBLIC), scene_of(full.tree, full, PUBLIC)
    for role in ("reach", "value", "move", "never", "probability", "payoff", "cell"):
        # Numbers of histories differ: the support is another tree.
        assert list(texts(one, role).values()) == list(texts(other, role).values()), role
    assert [(t.text, t.color) for t in one.texts if t.role == "hand"] == [
        (t.text, t.color) for t in other.texts if t.role == "hand"
    ]


@pytest.mark.slow
def test_two_against_one_is_folded():
    limit = Fraction(1, 100)
    scene = solution_scene("two against one", limit)
    tables = texts(scene, "reach")
    assert len(tables) == 46
    reached = [words[0].removeprefix("reached ") for words in tables.values()]
    assert all(Fraction(p.strip("≈%")) / (100 if "%" in p else 1) >= limit for p in reached)
    assert any("hands" in words[0] for words in texts(scene, "never").values())
    assert any(name.startswith("all ") for names in texts(scene, "hand").values() for name in names)
    assert texts(scene, "stub")
    legend = " ".join(t.text for t in scene.texts if t.role == "legend")
    assert "46 of 217 public histories are shown" in legend


# --- asking for it


def test_every_way_to_draw_takes_the_view(tmp_path):
    solution = solved("liars-dice sides=2")
    text = to_svg(solution, None, PUBLIC)
    assert eb.draw(solution, tmp_path / "x.svg", view="public").read_text() == text
    assert eb.draw(solution.tree, tmp_path / "y.svg", solution, PUBLIC).read_text() == text
    assert ">Exact equilibrium<" in text
    assert ">value to Player 1<" in text
    for suffix in ("png", "gv", "tex"):
        assert eb.draw(solution, tmp_path / f"x.{suffix}", view="public").stat().st_size > 3000


def test_a_game_without_a_solution_has_its_tables_too():
    scene = scene_of(tree_of("two sides"), None, PUBLIC)
    assert len([b for b in scene.boxes if b.role == "table"]) == 16
    assert not texts(scene, "reach")
    assert not texts(scene, "cell")
    shallow = scene_of(tree_of("two sides"), None, DrawOptions(view="public", depth=1))
    assert len([b for b in shallow.boxes if b.role == "table"]) == 5
    assert texts(shallow, "stub")


def test_longest_names_are_cut_and_stay_in_their_columns():
    long = "a move of many words that nobody could fit into a column"
    tree = eb.parse_efg(
        f'EFG 2 R "long" {{ "A" "B" }} ""\np "" 1 1 "" {{ "{long}" "r" }} 0\nt "" 1 "" {{ 1 0 }}\nt "" 2 "" {{ 0 1 }}\n'
    )
    scene = scene_of(tree, TreeProfile.uniform(tree), PUBLIC)
    (table,) = (b for b in scene.boxes if b.role == "table")
    for text in (t for t in scene.texts if t.role == "move"):
        assert text_width(text.text, text.size) < 150
        assert table.x < box(text)[0] < box(text)[2] < table.x + table.width


# --- ranges over all equilibria


def test_a_file_without_a_view_shows_ranges_as_the_command_does(tmp_path):
    """The tree of 1,144 nodes is too large for a slide, so the file shows the public view."""
    solution, shares = solved("liars-dice sides=3"), ranges("liars-dice sides=3")
    text = eb.draw(solution, tmp_path / "x.svg", ranges=shares).read_text()
    assert text == eb.draw(solution, tmp_path / "y.svg", ranges=shares, view="public").read_text()
    assert 'width="1280"' in text
    assert 'width="1280"' not in eb.draw(solution, tmp_path / "z.svg", ranges=shares, view="tree").read_text()


def test_cells_have_ranges():
    """Dice poker: B folds 1, calls 5 and 6, and is free with 2 to 4, with 4 between 0 and 2/3 to fold."""
    options = replace(PUBLIC, ranges=ranges("dice-poker"))
    scene = scene_of(solved("dice-poker").tree, None, options)
    cells = texts(scene, "cell")
    second = max(cells)
    assert cells[second] == ["1", *["0 to 1"] * 4, "0 to 2/3", "1/3 to 1", "1", "1"]
    # Without a strategy a cell is shaded by what is sure, and has a rim where nothing is.
    boxes = [b for b in scene.boxes if b.role == "cell" and b.node == second]
    assert [b.color for b in boxes[6:8]] == ["#ffffff", shade(1, 1 / 3)]
    assert boxes[6].rim == ink(1)
    played = scene_of(solved("dice-poker"), None, options)
    assert texts(played, "cell")[second] == cells[second]
    assert any("shaded by the strategy shown" in t.text for t in played.texts)
    unled = scene_of(solved("liars-dice sides=2").tree, None, replace(PUBLIC, ranges=ranges("liars-dice sides=2")))
    assert any("–" in words for words in texts(unled, "cell").values())
    assert any("the hand's own moves lead here in no equilibrium" in t.text for t in unled.texts)


def test_moves_of_other_equilibria_have_columns():
    """Liar's Dice, three sides: an equilibrium in pure strategies where others mix."""
    solution = solved("liars-dice sides=3")
    shares = ranges("liars-dice sides=3")
    public = public_tree(solution.tree)
    moves = texts(scene_of(solution, None, replace(PUBLIC, ranges=shares)), "move")[0]
    free = {
        a
        for k in public.infosets[0]
        for number, a in enumerate(solution.tree.infosets[k].actions)
        if shares[k, number][1] > 0
    }
    assert set(moves) == free
    assert len(moves) > len(texts(scene_of(solution, None, PUBLIC), "move")[0])


# --- the game by itself

ALL_ENDS = DrawOptions(view="public", all_ends=True)


def test_a_game_by_itself_has_its_deal_and_a_table_at_each_end():
    """Kuhn poker: six deals, five ends, at two of which somebody folds and the other wins 1."""
    scene = scene_of(eb.game("kuhn"), None, ALL_ENDS)
    public = public_tree(eb.build(eb.game("kuhn")))
    written = {}
    for text in scene.texts:
        if text.role == "payoff":
            written.setdefault(public.path(text.node), []).append(text.text)
    assert written.pop(()) == ["1/6"] * 6
    assert written == {
        ("check", "check"): ["−1", "−1", "1", "−1", "1", "1"],
        ("check", "bet", "fold"): ["−1"],
        ("check", "bet", "call"): ["−2", "−2", "2", "−2", "2", "2"],
        ("bet", "fold"): ["1"],
        ("bet", "call"): ["−2", "−2", "2", "−2", "2", "2"],
    }
    assert {t.color for t in scene.texts if t.role == "payoff" and t.node} == {ink(0)}
    assert len([m for m in scene.marks if m.role == "end"]) == 5
    assert len([m for m in scene.marks if m.role == "decision"]) == 4


def test_equal_tables_are_drawn_once_and_equal_chances_are_one_number():
    """One two-sided die each: fifteen calls, of four bids; a bid pays the caller what it takes from the bidder."""
    scene = scene_of(eb.game("liars-dice", sides=2), None, ALL_ENDS)
    letters = [t.text for t in scene.texts if t.role == "letter" and t.node >= 0]
    assert len(letters) == 15
    assert sorted(t.text for t in scene.texts if t.role == "letter" and t.node < 0) == ["A", "B", "C", "D"]
    assert set(letters) == {"A", "B", "C", "D"}
    assert "deal: 1/4 each" in [t.text for t in scene.texts]
    # Letters of tables are no players.
    named = scene_of(replace(eb.build(eb.game("liars-dice", sides=2)), players=("A", "C")), None, ALL_ENDS)
    assert sorted(t.text for t in named.texts if t.role == "letter" and t.node < 0) == ["B", "D", "E", "F"]


def test_payoffs_that_do_not_sum_to_a_constant_stand_in_both_colours():
    scene = scene_of(eb.game("docs/games/quiche.py"), None, ALL_ENDS)
    paid = [t for t in scene.texts if t.role == "payoff" and t.node]
    assert [(t.text, t.color) for t in paid[:4]] == [("1", ink(0)), ("0", ink(1)), ("0", ink(0)), ("1", ink(1))]
    assert [t.text for t in scene.texts if t.role == "payoff" and not t.node] == ["9/10", "1/10"]


def test_depth_folds_a_game_by_itself():
    scene = scene_of(eb.game("liars-dice", sides=3), None, replace(ALL_ENDS, depth=2))
    assert len([m for m in scene.marks if m.role == "end"]) == 6  # a call of each of six bids
    assert len([t for t in scene.texts if t.role == "stub"]) == 15  # and each pair of bids


# --- worksheets

BLANKS = DrawOptions(view="public", blanks=True)
SHEETS = ("kuhn", "dice-poker", "liars-dice sides=2", "leduc", "docs/games/quiche.py")
ANSWERED = ("cell", "result", "caption")
"""The roles of texts that differ between a worksheet and its answer key."""


@cache
def sheets(name):
    """The worksheet of a game, made without a strategy, and its answer key."""
    tree = eb.build(name)
    return scene_of(tree, None, BLANKS), scene_of(tree, eb.solve(name), BLANKS)


def unanswered(scene):
    """The items without answers, and without the colors of the boxes."""
    kept = [item for item in scene.items if not (isinstance(item, Text) and item.role in ANSWERED)]
    return [replace(item, color=PAPER) if isinstance(item, Box) and item.role == "cell" else item for item in kept]


@pytest.mark.parametrize("name", SHEETS)
def test_a_worksheet_and_its_answers_differ_only_in_the_answers(name):
    blank, answers = sheets(name)
    assert (blank.width, blank.height, blank.scale, blank.title) == (
        answers.width,
        answers.height,
        answers.scale,
        answers.title,
    )
    assert unanswered(blank) == unanswered(answers)
    places = [
        [(t.x, t.y, t.role) for t in scene.texts if t.role in ("result", "caption")] for scene in (blank, answers)
    ]
    assert places[0] == places[1]


@pytest.mark.parametrize("name", SHEETS)
def test_a_key_has_each_probability_in_its_box(name):
    """Rows and columns are read back, with the moves that are never made and the hands that never get there."""
    blank, answers = sheets(name)
    tree, profile = eb.build(name), eb.solve(name).profile
    public, count = public_tree(tree), 0
    write = notation([p for k in tree.personal for p in profile.probabilities[k]])
    for history, found in texts(answers, "cell").items():
        rows = [[write(p, row) for p in row] for row in (profile.probabilities[k] for k in public.infosets[history])]
        assert sorted(found) == sorted(p for row in rows for p in row)
        if len({public.opened.get(k) for k in public.infosets[history]}) == 1:
            assert found == [p for row in rows for p in row]
        count += len(found)
    assert count == sum(len(tree.infosets[k].actions) for k in tree.personal)
    assert not texts(blank, "cell")
    boxes = [b for b in blank.boxes if b.role == "cell" and b.width > 40]
    assert len(boxes) >= count
    assert all(not t.width > b.width for t in answers.texts if t.role == "cell" for b in boxes)


def test_no_answer_is_in_the_file_of_a_worksheet():
    """Kuhn poker: the value -1/18, and bluffs with probability 1/3; no payoff and no chance is one of them."""
    blank, answers = (write_svg(scene) for scene in sheets("kuhn"))
    for answer in ("−1/18", "2/3", "1/3", "equilibrium"):
        assert answer in answers
        assert answer not in blank
    fills = [set(re.findall(r' fill="(#\w+)"', svg)) for svg in (blank, answers)]
    assert len(fills[1] - fills[0]) > 1  # the shades of probabilities
    assert "rounded" in " ".join(t.text for t in sheets("leduc")[1].texts if t.role == "caption")


def test_the_worksheet_of_strategies_without_a_tree_has_the_whole_game():
    """Double oracle gives only the moves that it found."""
    found = eb.solve("liars-dice sides=2", "oracle")
    assert found.sparse is not None
    answers = scene_of(found, None, BLANKS)
    assert unanswered(answers) == unanswered(sheets("liars-dice sides=2")[0])


@pytest.mark.parametrize("name", SHEETS[:3])
def test_answers_without_a_value_have_no_line_for_it(name):
    """Strategies that are no equilibrium have no value; everything else is where the worksheet has it."""
    blank, tree = sheets(name)[0], eb.build(name)
    uniform = scene_of(tree, TreeProfile.uniform(tree), BLANKS)
    assert [t.text for t in uniform.texts if t.role in ("result", "caption")] == ["Answers"]
    assert "value" not in uniform.description
    assert [t.text for t in blank.texts if t.role == "result"][1:] == [f"value to {tree.players[0]}"]
    assert unanswered(uniform) == unanswered(blank)
    assert (uniform.width, uniform.height) == (blank.width, blank.height)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"view": "tree"}, r"blanks \(--blanks\) with view='tree': this option needs view='public'"),
        ({"reach": 0}, r"blanks \(--blanks\) with reach: leave one out"),
        ({"values": True}, r"blanks \(--blanks\) with values: leave one out"),
    ],
)
def test_a_worksheet_has_no_other_view_and_no_folding(settings, message):
    with pytest.raises(eb.ParameterError, match=message):
        eb.draw(eb.build("kuhn"), strategy="uniform", **{"view": "public", "blanks": True} | settings)
    with pytest.raises(eb.NotApplicableError, match=r"3 players, but --blanks \(blanks\) is for two players"):
        scene_of(eb.game("liars-dice", dice=(1, 1, 1), sides=2), None, BLANKS)


def test_rows_of_a_table_have_different_names():
    """Leduc's hands differ by the public card; names are cut so that none equals another."""
    for name in ("kuhn", "leduc", "dice-poker", "mia", "liars-dice"):
        tree = eb.build(eb.game(name))
        for turn in turns_of(PublicPlay(tree, TreeProfile.uniform(tree)), DrawOptions()):
            rows = [(hand.opened, turn.rows[hand.name]) for hand in turn.hands]
            assert len(set(rows)) == len(rows), turn.path
            assert name != "leduc" or {name for _, name in rows} <= {"J", "Q", "K"}  # without the history
            assert len(set(turn.columns.values())) == len(turn.moves), turn.path
    scene = scene_of(eb.game("leduc"), None, PUBLIC)
    assert {text.text for text in scene.texts if text.role == "card"} == {"J", "Q", "K"}
    leduc = public_tree(eb.build(eb.game("leduc")))
    (later,) = [h for h in range(len(leduc)) if leduc.path(h) == ("check", "raise", "raise", "call", "raise")]
    assert leduc.hands(later)[:2] == ("J, (Q)", "J, (K)")
    assert shortened(("a" * 30 + "b", "a" * 30 + "c"), 18)["a" * 30 + "b"] == "aaaaaaaaa…aaaaaaab"


def test_rows_without_hands_stand_under_another_heading():
    """The catalogue's signaling game: types that chance deals, and an answer to a move."""
    tree = eb.parse_efg(SIGNALS)
    texts = [t.text for t in scene_of(tree, TreeProfile.uniform(tree), DrawOptions(view="public")).texts]
    assert {"information set", "Strong", "Weak", "after Stay", "after Up"} <= set(texts)
    assert not [text for text in texts if "hand" in text or re.match(r"set \d", text)]


ANSWERS = "".join(
    f'p "" 2 {move} "" {{ "Fight" "Yield" }} 0\nt "" 1 "" {{ 1 0 }}\nt "" 2 "" {{ 2 1 }}\n' for move in (1, 2)
)
SIGNALS = 'EFG 2 R "signals" { "Wesley" "Prince" }\nc "" 1 "" { "Strong" 1/2 "Weak" 1/2 } 0\n' + "".join(
    f'p "" 1 {kind} "" {{ "Up" "Stay" }} 0\n{ANSWERS}' for kind in (1, 2)
)


def test_players_from_the_ninth_on_are_told_from_the_first():
    """Nine players, each of whom stops or goes on: rings around nodes, and payoffs as one vector."""
    paid = "{ 1 0 0 0 0 0 0 0 -1 }"
    moves = "".join(
        f'p "" {player} {player} "" {{ "stop" "go" }} 0\nt "" {player} "" {paid}\n' for player in range(1, 10)
    )
    names = " ".join(f'"Member {player}"' for player in range(1, 10))
    tree = eb.parse_efg(f'EFG 2 R "nine" {{ {names} }} ""\n{moves}t "" 10 "" {paid}\n')
    for view in VIEWS[:2]:
        scene = scene_of(tree, TreeProfile.uniform(tree), DrawOptions(view=view))
        marks = {mark.node: mark for mark in scene.marks if mark.role == "decision" and mark.node >= 0}
        first, *_, ninth = (marks[node] for node in sorted(marks))
        assert (first.color, ninth.color, ninth.rim) == (fill(0), PAPER, ink(8))
        assert "(1, 0, 0, 0, 0, 0, 0, 0, −1)" in {t.text for t in scene.texts if t.role == "payoff"}


def test_play_goes_down_where_that_gives_larger_letters():
    column = scene_of(eb.solve("kuhn"), None, replace(PUBLIC, style=Style(purpose="column")))
    boxes = {b.node: b for b in column.boxes if b.role == "table"}
    for edge in (s for s in column.strokes if s.role == "edge" and s.node in boxes):
        assert boxes[edge.source].y + boxes[edge.source].height < boxes[edge.node].y
    assert min(t.size for t in column.texts) * column.scale * 0.75 >= 6.5  # points


def test_the_chosen_picture_is_the_least_folded_one_that_has_room():
    """Without room for each deal, the public view is drawn; a step less of folding would be too high."""
    free = DrawOptions(style=Style(purpose="free"))
    views = Views(subject_of(tree_of("three sides"), mixed("three sides")), free)

    def height(reach):
        return views.fit(replace(free, view="public", reach=reach)).height

    low, high = height(REACHES[-1]), height(None)
    for limit in (high, (low + high) / 2, low / 2):
        shown = choose(views, Room(whole=0, reached=0, height=limit))
        if limit < low:
            assert shown is None
            continue
        reach = shown.options.reach
        assert (shown.options.view, bool(reach)) == ("public", limit < high)
        assert height(reach) == shown.picture.height <= limit
        assert not reach or height(REACHES[REACHES.index(reach) - 1]) > limit
