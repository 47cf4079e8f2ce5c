"""What a picture shows, read back from its scene."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import dist
from xml.etree import ElementTree

import brute
import numpy as np
import pytest
from paths import DOCS

from efg_builder.base.words import amount, notation
from efg_builder.display.trees import DrawOptions, Style, scene_of, to_svg
from efg_builder.display.trees.colors import NEVER, PAPER, contrast, ink, rgb
from efg_builder.display.trees.scene import Scene, Text, painted
from efg_builder.display.trees.sizes import SIZES, badges, text_width
from efg_builder.equilibria.solve import solve
from efg_builder.forms.extensive import CHANCE, build
from efg_builder.forms.hand_names import displayed_tree
from efg_builder.games.bidding import FACES
from efg_builder.games.catalogue import game
from efg_builder.interop.efg.reader import parse_efg
from efg_builder.interop.trees import build as build_game
from efg_builder.strategies.tree_profile import TreeProfile

GAMES = {
    "two sides": ("liars-dice", {"sides": 2}),
    "three sides": ("liars-dice", {"sides": 3}),
    "three players": ("liars-dice", {"sides": 2, "dice": (1, 1, 1), "max_quantity": 1}),
    "mia": ("mia", {"sides": 2}),
    "poker": ("dice-poker", {"sides": 3}),
}


@cache
def tree_of(name):
    kind, settings = GAMES[name]
    return build(game(kind, **settings))


@cache
def mixed(name, zeros=0.5):
    """A profile that mixes, and never makes some of the moves."""
    return mixture(tree_of(name), zeros)


def mixture(tree, zeros=0.5):
    """The same for any tree."""
    draw = random.Random(7)
    rows = {}
    for k in tree.personal:
        weights = [0 if draw.random() < zeros else draw.randint(1, 4) for _ in tree.infosets[k].actions]
        weights[-1] += not any(weights)
        rows[k] = tuple(Fraction(w, sum(weights)) for w in weights)
    return TreeProfile.from_personal(tree, rows)


FREE = Style(purpose="free")
"""To the right, and as large as it gets; test_draw_geometry has all directions and purposes."""

PICTURES = {
    "plain": ("two sides", False, DrawOptions(style=FREE)),
    "played": ("two sides", True, DrawOptions(style=FREE, caption="Worth 1/7 to Player 1")),
    "all shown": ("two sides", True, DrawOptions(style=FREE, values=True, beliefs=True)),
    "folded": ("three sides", True, DrawOptions(style=FREE, reach=0, values=True, beliefs=True)),
    "rarely": ("three sides", True, DrawOptions(style=FREE, reach=Fraction(1, 100))),
    "shallow": ("three sides", True, DrawOptions(style=FREE, depth=3, values=True, beliefs=True)),
    "three players": ("three players", True, DrawOptions(style=FREE, values=True)),
    "mia": ("mia", True, DrawOptions(style=FREE, values=True, beliefs=True)),
    "poker": ("poker", True, DrawOptions(style=FREE, beliefs=True)),
}


@cache
def scene(picture):
    name, played, options = PICTURES[picture]
    return scene_of(tree_of(name), mixed(name) if played else None, options)


def roles(picture, *wanted):
    return [text for text in scene(picture).texts if text.role in wanted]


def edges(picture):
    return [stroke for stroke in scene(picture).strokes if stroke.role == "edge"]


def reach_in(profile):
    """The probability of each node."""
    return brute.reaches(profile.tree, brute.rows(profile))


@cache
def reach(name):
    return reach_in(mixed(name))


def bands(picture):
    """The upright bands of information sets: x, top and bottom."""
    for stroke in scene(picture).strokes:
        if stroke.role == "infoset" and not stroke.curved:
            (x, one), (same, other) = stroke.points
            assert x == same
            cap = stroke.width / 2 * stroke.round
            yield stroke, x, min(one, other) - cap, max(one, other) + cap


DEEP = {
    **dict.fromkeys("|_", 0.24),
    **dict.fromkeys("gjpqyJ", 0.21),
    **dict.fromkeys("()[]{}@$Q", 0.17),
    **dict.fromkeys(",;/", 0.12),
}
"""How far below their line letters reach, as a share of their size; all others at most 0.02."""


def box(text):
    """What the letters cover: left, top, right and bottom."""
    width = text_width(text.text, text.size, text.bold)
    left = text.x - {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
    below = max((DEEP.get(letter, 0.02) for letter in text.text), default=0.0)
    return (left, text.y - 0.76 * text.size, left + width, text.y + below * text.size)


@pytest.mark.parametrize("picture", PICTURES)
def test_bands_of_different_sets_never_run_into_each_other(picture):
    tree = tree_of(PICTURES[picture][0])
    columns = {}
    for stroke, x, top, bottom in bands(picture):
        columns.setdefault(round(x, 3), []).append((top, bottom, int(tree.infoset[stroke.node]), not stroke.round))
    assert columns
    for lines in columns.values():
        for (a, b, one, goes_on), (c, d, other, too) in combinations(lines, 2):
            gap = 12 if goes_on and too else 0  # else the two would look like one band
            assert one == other or b + gap < c or d + gap < a


@pytest.mark.parametrize("picture", PICTURES)
def test_bands_hold_just_the_members_and_go_on_where_some_are_not_shown(picture):
    tree = tree_of(PICTURES[picture][0])
    shown = {mark.node: mark for mark in scene(picture).marks if mark.node >= 0}
    held, open_sets = {}, set()
    for stroke, x, top, bottom in bands(picture):
        k = int(tree.infoset[stroke.node])
        inside = {node for node, mark in shown.items() if mark.x == x and top <= mark.y <= bottom}
        held.setdefault(k, set()).update(inside)
        if not stroke.round:
            open_sets.add(k)
    expected = set()
    for k in tree.personal:
        members = {node for node in range(len(tree)) if tree.infoset[node] == k}
        kept = members & set(shown)
        choice = len(tree.infosets[k].actions) > 1  # a single action needs no band
        partly = choice and 0 < len(kept) < len(members)
        assert held.get(k, set()) == (kept if (choice and len(kept) > 1) or partly else set())
        expected |= {k} if partly else set()
    assert open_sets == expected
    legend = " ".join(text.text for text in roles(picture, "legend"))
    assert ("its other nodes are not shown" in legend) == bool(expected)


@pytest.mark.parametrize("picture", ["plain", "played", "three players", "mia", "poker"])
def test_every_node_is_drawn_once_with_its_own_edge_move_and_payoffs(picture):
    tree = displayed_tree(tree_of(PICTURES[picture][0]))
    whole = scene(picture)
    shapes = {CHANCE: "chance", -2: "end"}
    drawn = sorted((m.node, m.role) for m in whole.marks if m.node >= 0)
    assert drawn == [(n, shapes.get(int(tree.player[n]), "decision")) for n in range(len(tree))]
    assert sorted((s.node, s.source) for s in edges(picture)) == [(n, int(tree.parent[n])) for n in range(1, len(tree))]
    moves = {text.node: text.text for text in roles(picture, "action")}
    for node in range(1, len(tree)):
        assert (
            moves[node].removesuffix(":") == tree.infosets[tree.infoset[tree.parent[node]]].actions[tree.action[node]]
        )
    paid = {}
    for text in roles(picture, "payoff"):
        paid.setdefault(text.node, []).append(text.text)
    ends = [node for node in range(len(tree)) if tree.is_terminal(node)]
    assert paid == {n: [amount(p) for p in tree.payoffs[tree.outcome[n]]] for n in ends}


@pytest.mark.parametrize("picture", ["played", "folded", "mia", "poker"])
def test_probabilities_on_the_edges_are_the_profiles(picture):
    name = PICTURES[picture][0]
    tree, rows = tree_of(name), mixed(name).probabilities
    written = {text.node: text.text for text in roles(picture, "probability")}
    players = [stroke for stroke in edges(picture) if tree.player[stroke.source] >= 0]
    numbers = [rows[tree.infoset[stroke.source]][tree.action[stroke.node]] for stroke in players]
    likely = reach(name)
    beliefs = [
        likely[text.node] / sum(likely[n] for n in np.flatnonzero(tree.infoset == tree.infoset[text.node]))
        for text in roles(picture, "belief")
    ]
    write = notation([*numbers, *beliefs])
    assert write.fractions  # 23 is the largest denominator; test_notation has tables in percent
    for stroke in edges(picture):
        k = tree.infoset[stroke.source]
        p = rows[k][tree.action[stroke.node]]
        once = stroke.source == 0 and len(set(rows[k])) == 1  # said at the start
        shown = str(p) if tree.player[stroke.source] < 0 else write(p, rows[k])
        assert written.get(stroke.node) == (shown if 0 < p < 1 and not once else None)  # off the path too
    each = {}
    for text in roles(picture, "each"):
        each[text.node] = f"{each.get(text.node, '')} {text.text}".strip()
    row = rows[tree.infoset[0]]
    assert each == ({0: f"each {row[0]}"} if len(set(row)) == 1 else {})


@pytest.mark.parametrize("picture", ["played", "all shown", "mia", "poker"])
def test_width_grows_with_probability_and_what_is_not_reached_is_hollow(picture):
    name = PICTURES[picture][0]
    tree, rows, likely = tree_of(name), mixed(name).probabilities, reach(name)
    assert 0 in likely
    personal = [stroke for stroke in edges(picture) if tree.player[stroke.source] != CHANCE]
    alive = [stroke for stroke in personal if likely[stroke.node] > 0]
    by_width = sorted(alive, key=lambda s: s.width)
    chances = [float(rows[tree.infoset[s.source]][tree.action[s.node]]) for s in by_width]
    assert chances == sorted(chances)
    for stroke in personal:
        never = rows[tree.infoset[stroke.source]][tree.action[stroke.node]] == 0
        assert (stroke.color == NEVER) == never
        assert (stroke.width == SIZES.least_line) == never
    for mark in scene(picture).marks:
        if mark.node >= 0:
            assert (mark.color == PAPER) == (likely[mark.node] == 0)
            assert mark.rim


def test_a_probability_of_all_chance_moves_is_said_once():
    """Each coin of docs/games/river.py shows either side with 1/2, before the bets and after them."""
    whole = scene_of(build_game(str(DOCS / "games" / "river.py")))
    assert [text.text for text in whole.texts if text.role in ("each", "probability")] == ["each 1/2"]


def test_values_and_beliefs_are_the_profiles():
    tree = tree_of("two sides")
    likely = reach("two sides")
    beliefs = {text.node: text.text for text in roles("all shown", "belief")}
    for node in range(len(tree)):
        members = [n for n in range(len(tree)) if tree.infoset[n] == tree.infoset[node]]
        choice = tree.player[node] >= 0 and len(tree.infosets[tree.infoset[node]].actions) > 1
        if choice and likely[node] and len(members) > 1:
            assert beliefs.pop(node) == str(likely[node] / sum(likely[n] for n in members))
    assert not beliefs
    values = {text.node: text.text for text in roles("all shown", "value")}
    for node, text in values.items():
        below = range(node, node + int(tree.sizes[node]))
        total = sum(likely[n] * tree.payoffs[tree.outcome[n]][0] for n in below if tree.is_terminal(n))
        assert text == amount(total / likely[node])
    assert len(values) == sum(1 for n in range(len(tree)) if likely[n] and not tree.is_terminal(n))


def test_legend_samples_are_numbers_of_the_picture():
    for role in ("value", "belief"):
        numbers = {text.text for text in roles("all shown", role)}
        assert numbers & {text.text for text in roles("all shown", "legend")}
    legend = " ".join(text.text for text in roles("all shown", "legend"))
    for words in ("one information set", "expected payoff of Player 1", "belief", "never played", "not reached"):
        assert words in legend


@pytest.mark.parametrize(
    ("comment", "cut"), [("", False), ("QxF claims", False), ("so it " * 99, True), ("x" * 999, True)]
)
def test_the_games_comment_stands_below_the_title(comment, cut):
    picture = scene_of(replace(tree_of("two sides"), comment=comment, title="t" * 200), None, DrawOptions(style=FREE))
    lines = [text for text in picture.texts if text.role == "comment"]
    assert "".join("".join(line.text for line in lines).split())[:10] == "".join(comment.split())[:10]
    assert [line.text.endswith("…") for line in lines] == [False] * (len(lines) - 1) + [cut] * bool(lines)
    for text in picture.texts:
        assert box(text)[2] <= picture.width
    (title,) = {text.text[:1] for text in picture.texts if text.role == "title"}
    assert title == "t"
    assert len(lines) <= 6


@pytest.mark.parametrize("picture", PICTURES)
def test_the_svg_is_well_formed_and_names_itself(picture):
    name, played, options = PICTURES[picture]
    tree = tree_of(name)
    root = ElementTree.fromstring(to_svg(tree, mixed(name) if played else None, options))
    space = "{http://www.w3.org/2000/svg}"
    assert root.get("role") == "img"
    assert root.findtext(f"{space}title") == tree.title
    assert root.findtext(f"{space}desc")
    shown = [mark for mark in scene(picture).marks if mark.node >= 0]
    hovering = [element for tag in ("circle", "polygon") for element in root.iter(space + tag) if len(element)]
    assert len(hovering) == len(shown)


def test_node_letters_tell_players_apart():
    assert badges(("Player 1", "Player 2")) == ("1", "2")
    assert badges(("A", "B")) == ("A", "B")
    assert badges(("Alice", "Bob")) == ("A", "B")
    assert badges(("Ann", "Alice")) == ("1", "2")
    assert badges(("", "x")) == ("1", "2")


# --- dice


@pytest.mark.parametrize("face", range(6))
def test_a_die_has_its_spots_within_its_square_and_in_the_room_of_its_letter(face):
    text = Text(100.0, 50.0, f"a {FACES[face]} b", 11.0, "#222222", "action", anchor="middle")
    first, square, *spots, last = painted(Scene(200, 100, "", "", (text,)))
    assert (first.text, last.text) == ("a", "b")
    assert len(spots) == face + 1
    assert first.left + first.width < square.x
    assert square.x + square.width < last.left
    assert last.left + last.width == pytest.approx(text.left + text.width)
    for one in spots:
        assert square.x < one.x - one.r < one.x + one.r < square.x + square.width
        assert square.y < one.y - one.r < one.y + one.r < square.y + square.height
    assert all(dist((a.x, a.y), (b.x, b.y)) > 2 * a.r for a, b in combinations(spots, 2))


# --- texts that are read together


@pytest.mark.parametrize("direction", ["right", "down"])
@pytest.mark.parametrize("view", ["tree", "public"])
@pytest.mark.parametrize("name", ["mia", "poker"])
def test_a_label_that_ends_in_a_digit_is_apart_from_its_probability(name, view, direction):
    """The label 22 and the probability 1/4 would be read as twenty-two and a quarter."""
    whole = scene_of(tree_of(name), mixed(name), DrawOptions(view=view, style=replace(FREE, direction=direction)))
    texts = [text for text in whole.texts if text.role == "action"]
    probabilities = {text.node: text for text in whole.texts if text.role == "probability"}
    assert probabilities
    for label in texts:
        beside = probabilities.get(label.node)
        assert label.text.endswith(":") == (beside is not None and beside.y == label.y)
        if beside is not None and beside.y == label.y:
            assert beside.left - (label.left + label.width) >= 4
        elif beside is not None:
            assert beside.y - label.y > label.size


def test_a_move_without_a_name_has_its_number():
    """Two moves of one player, and two of chance."""
    ends = "".join(f't "" {k} "" {{ {k} }}\n' for k in range(1, 5))
    first, second = ends.splitlines(keepends=True)[:2], ends.splitlines(keepends=True)[2:]
    text = 'EFG 2 R "x" { "A" } ""\nc "" 1 "" { "" 1/4 "" 3/4 } 0\n'
    text += 'p "" 1 1 "" { "" "" } 0\n' + "".join(first) + 'p "" 1 2 "" { "go" "" } 0\n' + "".join(second)
    whole = scene_of(parse_efg(text))
    labels = [text.text for text in sorted(whole.texts, key=lambda text: text.node) if text.role == "action"]
    assert [label.removesuffix(":") for label in labels] == ["1", "1", "2", "2", "go", "2"]


def test_one_player_has_a_payoff():
    tree = parse_efg('EFG 2 R "Choice" { "Driver" } ""\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 4 }\nt "" 2 "" { 1 }\n')
    texts = {text.role: text.text for text in scene_of(solve(tree)).texts}
    whole = [text.text for text in scene_of(solve(tree)).texts]
    assert texts["caption"] == "Exact sequential equilibrium"
    assert {"4", "payoff of Driver", "payoff"} <= set(whole)
    assert not [text for text in whole if "payoffs" in text or "(" in text]


@pytest.mark.parametrize("width", [560, 700, 900])
def test_a_long_title_is_broken_at_signs_and_has_no_blank_more(width):
    title = (
        "battleship(allow_repeated_shots=False,board_height=1,board_width=2,num_shots=2,ship_sizes=[1],ship_values=[1])"
    )
    tree = parse_efg(f'EFG 2 R "{title}" {{ "A" }} ""\nt "" 1 "" {{ 1 }}\n')
    whole = scene_of(tree, None, DrawOptions(style=Style(width=width)))
    lines = [text.text for text in whole.texts if text.role == "title"]
    assert "".join(lines) == title
    assert len(lines) > 1
    assert all(line[-1] in ",_" or after[0] == "(" for line, after in pairwise(lines))


@pytest.mark.parametrize("words", range(4, 12))
@pytest.mark.parametrize("width", [500, 700, 900])
def test_the_second_of_two_lines_of_a_title_or_legend_has_several_entries(words, width):
    title = " ".join(f"word{k}" for k in range(words))
    start = f'EFG 2 R "{title}" {{ "A" "B" }} ""\np "" 1 1 "" {{ "l" "r" }} 0\n'
    tree = parse_efg(start + 't "" 1 "" { 1 1 }\nt "" 2 "" { 0 0 }\n')
    whole = scene_of(tree, TreeProfile.uniform(tree), DrawOptions(style=Style(width=width)))
    entries = Counter(text.y for text in whole.texts if text.role == "legend")
    written = {text.y: len(text.text.split()) for text in whole.texts if text.role == "title"}
    for lines in (entries, written):
        if len(lines) == 2:
            assert lines[max(lines)] > 1, lines


@pytest.mark.parametrize("picture", ["played", "mia", "poker"])
def test_moves_off_the_path_of_play_are_pale(picture):
    name = PICTURES[picture][0]
    tree, likely = tree_of(name), reach(name)
    for stroke in edges(picture):
        player = tree.player[stroke.source]
        if player != CHANCE and stroke.color != NEVER:
            light, full = contrast(rgb(stroke.color), (1, 1, 1)), contrast(rgb(ink(player)), (1, 1, 1))
            assert light == full if likely[stroke.source] else contrast(rgb(NEVER), (1, 1, 1)) < light < full


def test_beliefs_are_at_the_same_corner_of_each_node():
    whole = scene_of(solve(build_game(str(DOCS / "games" / "horse.py"))), None, DrawOptions(beliefs=True))
    at = {mark.node: (mark.x, mark.y) for mark in whole.marks if mark.node >= 0}
    corners = {
        (round(text.x - at[text.node][0], 1), round(text.y - at[text.node][1], 1))
        for text in whole.texts
        if text.role == "belief"
    }
    assert len(corners) == 1
