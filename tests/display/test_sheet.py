"""The view ``"sheet"``: its numbers, its room, and what it refuses."""

from fractions import Fraction

import brute
import pytest
from paths import DOCS

import efg_builder as eb
from efg_builder.base.errors import PictureTooSmallError
from efg_builder.display.trees import DrawOptions, Style, scene_of
from efg_builder.display.trees.colors import KINDS
from efg_builder.display.trees.scene import Box
from efg_builder.display.trees.sheet_data import sheet_data
from efg_builder.display.trees.subject import subject_of
from efg_builder.strategies.tree_profile import dealt

SLIDE = DrawOptions(view="sheet", style=Style(purpose="slide"))
FREE = DrawOptions(view="sheet", style=Style(purpose="free"))


def data_of(shown, **settings):
    return sheet_data(subject_of(shown, view="sheet"), DrawOptions(view="sheet", **settings))


def texts(scene, role):
    return [text.text for text in scene.texts if text.role == role]


@pytest.mark.parametrize("spec", ["kuhn", "kuhn cards=4", "leduc ranks=2", "dice-poker sides=3", "mia"])
def test_each_information_set_is_one_bar_with_its_probabilities(spec):
    tree = eb.build(spec)
    profile = brute.random_profile(tree, 3)
    data, rows = data_of(profile), brute.rows(profile)
    reach = brute.reaches(tree, rows)
    right = []
    for k in tree.personal:
        moves = [(a, p) for a, p in zip(tree.infosets[k].actions, rows[k], strict=True) if p]
        right.append((tuple(moves), sum(p for node, p in enumerate(reach) if tree.infoset[node] == k)))
    shown = [
        (bar.moves, bar.held * (1 if cell.reach is None else cell.reach))
        for cell in data.cells.values()
        for bar in cell.bars
    ]
    assert sorted(shown, key=repr) == sorted(right, key=repr)


@pytest.mark.parametrize("settings", [{"sides": 2}, {"sides": 3}, {"sides": 2, "dice": (2, 1)}], ids=str)
@pytest.mark.parametrize("sparse", [False, True])
def test_a_bid_is_answered_as_on_average_over_the_earlier_bids(settings, sparse):
    game = eb.game("liars-dice", **settings)
    tree = eb.build(game)
    profile = brute.random_profile(tree, 7)
    rows = brute.rows(profile)
    reach, right = brute.reaches(tree, rows), {}
    for key, weight, row in brute.after_last_bids(tree, rows, lambda node: reach[node]):
        entry = right.setdefault(key, {})
        for action, p in row.items():
            entry[action] = entry.get(action, 0) + weight * p
    shown = dealt(profile, game).sparse() if sparse else profile
    data, found = data_of(shown), {}
    for (_, column), cell in data.cells.items():
        bid = data.situations[column][1]
        for bar in cell.bars:
            if bar.held:
                key = cell.player, game.hands[cell.player][bar.hand], "" if bid == "opens" else bid
                found[key] = {move: p * bar.held * cell.reach for move, p in bar.moves}
    assert found == {key: {move: p for move, p in moves.items() if p} for key, moves in right.items()}


def test_leduc_fits_on_a_slide_with_all_its_information_sets():
    solution = eb.solve("leduc")
    data, scene = data_of(solution), scene_of(solution, options=SLIDE)
    assert len(data.bars) == len(solution.tree.personal) == 288
    assert (scene.width * scene.scale, scene.height * scene.scale) == pytest.approx((1280, 720))
    assert min(text.size for text in scene.texts) * scene.scale >= 8.99
    # A block for each way through the first round, in the order of the rules.
    assert texts(scene, "block") == [
        "round 1",
        "round 2: check, check",
        "round 2: check, raise, call",
        "round 2: check, raise, raise, call",
        "round 2: raise, call",
        "round 2: raise, raise, call",
    ]
    assert texts(scene, "situation")[1:6:2] == ["opens", "after check", "after raise"]


def test_two_dice_against_one_fit_on_a_slide():
    solution = eb.solve(eb.game("liars-dice", sides=6, dice=(2, 1)), "oracle")
    scene = scene_of(solution, options=SLIDE)
    assert (scene.width * scene.scale, scene.height * scene.scale) == pytest.approx((1280, 720))
    hands = texts(scene, "hand")
    assert hands == [*solution.game.hand_names[0], *solution.game.hand_names[1]]


def test_colors_tell_fold_from_call_from_raise_and_a_bluff_from_a_bid_with_dice():
    def colors(solution):
        boxes = [
            item for item in scene_of(solution, options=FREE).items if isinstance(item, Box) and item.role == "cell"
        ]
        return {(box.tip.split(": ")[0], box.tip.split(": ")[1].split(",")[0], box.color) for box in boxes}

    kuhn = colors(eb.solve("kuhn"))
    assert ("K", "bet 1", KINDS[2]) in kuhn
    assert ("Q", "check 1", KINDS[1]) in kuhn
    assert ("J", "fold 1", KINDS[0]) in kuhn
    three = colors(eb.solve("liars-dice sides=3"))
    assert ("\u2680", "1x1 1", KINDS[0]) in three
    assert ("\u2681", "1x1 1", KINDS[2]) in three  # a bluff
    assert ("\u2681", "call 1", KINDS[1]) in three


def overlapping(scene):
    """The pairs of texts that cover each other."""
    boxes = [(t.left, t.y - 0.75 * t.size, t.left + t.width, t.y, t.text) for t in scene.texts]
    return [
        (a[4], b[4])
        for place, a in enumerate(boxes)
        for b in boxes[:place]
        if a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5
    ]


GAMES = ["kuhn", "kuhn cards=5", "leduc", "dice-poker", "mia", "liars-dice sides=2", "liars-dice sides=4"]
GAMES += ["liars-dice-spot-on sides=3", "liars-poker", "liars-dice sides=2 dice=1,1,1"]


@pytest.mark.parametrize("options", [FREE, SLIDE], ids=["free", "slide"])
@pytest.mark.parametrize("spec", GAMES)
def test_no_text_covers_another_or_leaves_the_picture(spec, options):
    tree = eb.build(spec)
    for shown in (tree, brute.random_profile(tree, 5, zeros=False)):
        try:
            scene = scene_of(shown, options=options)
        except PictureTooSmallError:
            assert options is SLIDE
            continue
        assert overlapping(scene) == []
        for text in scene.texts:
            assert text.left >= -0.5
            assert text.left + text.width <= scene.width + 0.5


def test_without_strategies_it_is_a_sheet_to_fill_in():
    scene = scene_of(eb.build("kuhn"), options=FREE)
    assert texts(scene, "cell").count("bet") == 6
    assert texts(scene, "reach") == []
    blank = data_of(eb.build("liars-dice sides=6"))
    assert [words for _, words in blank.situations][:3] == ["opens", "1x1", "1x2"]
    assert {bar.moves for bar in blank.bars} == {()}


def test_rare_situations_are_left_out_and_the_legend_says_so():
    solution = eb.solve("kuhn")
    assert {cell.reach for cell in data_of(solution, reach=Fraction(4, 9)).cells.values()} == {1, Fraction(5, 9)}
    scene = scene_of(solution, options=DrawOptions(view="sheet", reach=Fraction(4, 9)))
    assert "2 rarer or later situations not shown" in texts(scene, "legend")
    assert len(data_of(solution, depth=1).cells) == 3
    three = scene_of(eb.solve("liars-dice sides=3"), options=FREE)
    assert "never bid: 1x2 and 2x2" in texts(three, "legend")


@pytest.mark.parametrize("settings", [{"values": True}, {"beliefs": True}, {"ranges": {}}], ids=str)
def test_what_a_sheet_does_not_show_is_refused_with_the_view_that_does(settings):
    (name,) = settings
    with pytest.raises(eb.ParameterError, match=f"{name} with view='sheet': .*--view public shows {name}"):
        eb.draw(eb.solve("kuhn"), view="sheet", **settings)


def test_what_is_left_out_is_said_as_it_is():
    """With a depth, the legend said "never bid" of later bids; with a reach, of bids that are only rarer."""
    three = eb.solve("liars-dice sides=3")
    assert data_of(three, depth=1).left_out == "only the first 1 move"
    two = brute.random_profile(eb.build("liars-dice sides=2"), 1, zeros=False)
    cells = data_of(two).cells
    limit = sorted(cell.reach for cell in cells.values())[1]
    assert data_of(two).left_out == ""
    assert data_of(two, reach=limit).left_out == "2 rarer situations not shown"


def test_bids_without_claims_have_no_words_of_dice():
    legend = texts(scene_of(eb.build("docs/games/sums.py"), options=FREE), "legend")
    assert not [words for words in legend if "die" in words]


def test_a_list_of_information_sets_has_one_scale(tmp_path):
    def node(depth):
        end = 't "" 1 "" { 0 0 }'
        then = node(depth + 1) if depth < 12 else end
        return f'p "" 1 {depth} "at {depth}" {{ "on" "out" }} 0\n{then}\n{end}'

    (tmp_path / "long.efg").write_text(f'EFG 2 R "long" {{ "A" "B" }}\n{node(1)}\n')
    tree = eb.build(tmp_path / "long.efg")
    scene = scene_of(eb.TreeProfile.uniform(tree), options=SLIDE)
    thick = {box.tip.split(":")[0]: box.height for box in scene.boxes if box.role == "cell"}
    assert thick["at 1"] > thick["at 2"] > thick["at 3"] > thick["at 4"]
    assert max(thick[f"at {depth}"] for depth in range(5, 13)) < thick["at 2"]


@pytest.mark.parametrize("spec", ["kuhn cards=4 seats=3", "liars-poker", "mia", "liars-dice-spot-on sides=3"])
def test_no_two_situations_have_the_same_words(spec):
    tree = eb.build(spec)
    scene, data = scene_of(tree, options=FREE), data_of(tree)
    shown = " ".join(texts(scene, "situation"))
    assert all(all(word in shown for word in words.split()) for _, words in data.situations)
    assert "…" not in shown


def test_a_worksheet_has_only_situations_that_can_come_up():
    data = data_of(eb.build("liars-dice sides=2"))
    found = {(cell.player, data.situations[at[1]][1]) for at, cell in data.cells.items()}
    assert (0, "opens") in found
    assert (0, "1x1") not in found  # only the first player can bid it
    assert (1, "1x1") in found
    assert len(data_of(eb.build("liars-dice sides=2"), depth=1).cells) == 5


@pytest.mark.parametrize("option", [("--values",), ("--ranges",), ("--beliefs",), ("--direction", "down")])
def test_options_that_a_sheet_has_not_are_refused_before_the_work(option, cli, tmp_path, monkeypatch):
    monkeypatch.setattr("efg_builder.cli.draw_command.DrawRequest.found", lambda *of: pytest.fail("it was solved"))
    words = ("draw", "kuhn", "--strategy", "equilibrium", "--view", "sheet", *option)
    code, _, err = cli(*words, "-o", tmp_path / "x.png")
    assert code == 2
    assert "view='sheet'" in err


def test_moves_without_names_are_drawn(tmp_path):
    text = 'EFG 2 R "x" { "A" "B" }\np "" 1 1 "" { "" "" } 0\nt "" 1 "" { 1 0 }\nt "" 2 "" { 0 1 }\n'
    (tmp_path / "x.efg").write_text(text)
    path = eb.draw(eb.build(tmp_path / "x.efg"), tmp_path / "x.png", view="sheet")
    assert path.stat().st_size > 1000


def test_a_sheet_whose_situations_are_all_hidden_says_why():
    with pytest.raises(eb.ParameterError, match="hide all situations"):
        eb.draw(eb.solve("kuhn"), view="sheet", reach=1)


def test_a_sheet_of_chance_alone_says_that_it_is_empty():
    """The error was about view="public"."""
    tree = eb.parse_efg('EFG 2 R "coin" { "A" "B" }\nc "" 1 "" { "h" 1/2 "t" 1/2 } 0\nt "" 1 { 1 0 }\nt "" 2 { 0 1 }\n')
    with pytest.raises(eb.NotApplicableError, match="view=\"sheet\": no player moves in 'coin', so the sheet is empty"):
        eb.draw(tree, view="sheet")


def test_a_sheet_with_too_many_bars_says_so(cli, tmp_path):
    code, _, err = cli("draw", "mia", "sides=3", "--view", "sheet", "-o", tmp_path / "x.png")
    assert (code, list(tmp_path.iterdir())) == (2, [])
    assert "a picture of 3,240 bars is too large to read (limit 1,500); cut below a depth" in err


def test_the_command_draws_it_in_all_formats(cli, tmp_path):
    files = [tmp_path / f"kuhn.{kind}" for kind in ("svg", "png", "pdf", "tex", "gv")]
    outputs = [word for file in files for word in ("-o", file)]
    code, _, err = cli("draw", "kuhn", "--strategy", "equilibrium", "--view", "sheet", *outputs)
    assert (code, err.split()) == (0, [str(file) for file in files])
    assert [file.stat().st_size > 1000 for file in files] == [True] * 5


@pytest.mark.parametrize("dice", ["2v1", "2v2"])
def test_opening_bids_of_liars_dice_have_room_for_their_names_on_a_slide(dice):
    """As long as an answer, an opening's bar showed colors without the bids."""
    game = eb.game("liars-dice", sides=6, dice=tuple(map(int, dice.split("v"))))
    solution = eb.read_solution(DOCS / "certificates" / f"{dice}-6.json.gz", game)
    scene = scene_of(solution, options=SLIDE)
    assert (scene.width * scene.scale, scene.height * scene.scale) == pytest.approx((1280, 720))
    assert min(text.size for text in scene.texts) * scene.scale >= 8.99
    opens, answers = [text.left for text in scene.texts if text.role == "situation"][:2]
    bars = [box for box in scene.boxes if box.role == "cell" and opens - 1 < box.x < answers - 1]
    full, names = max(box.width for box in bars), [text for text in scene.texts if text.role == "cell"]
    frequent = [box for box in bars if box.width > 0.28 * full and box.height >= 9]
    assert len(frequent) > 10
    for box in frequent:
        middle = box.x + box.width / 2, box.y + box.height / 2
        assert any(abs(each.left + each.width / 2 - middle[0]) < 2 and abs(each.y - middle[1]) < 9 for each in names)
