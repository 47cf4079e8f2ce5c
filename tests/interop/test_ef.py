"""Layouts, ``.ef``: read as gtdraw reads them, and written so that the same game comes back."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from paths import DOCS
from random_trees import random_tree
from small_files import BATTLE, DRIVER, TWICE_TWO

import catalogue
import efg_builder as eb
from efg_builder.display.trees import draw, formats, scene_of
from efg_builder.forms.extensive import CHANCE, NONE, GameTree, problems, scaled_payoffs
from efg_builder.games.catalogue import catalogue as games
from efg_builder.interop.ef import parse_ef, to_ef

# By hand, in the manner of the examples that come with gtdraw: nodes named by themselves (EF 3), named shifts, places
# of labels, comments, a chance move in mid-game, an information set whose player stands at its end.
NAMED = r"""% A bet on a card
player 1 name Ann
player 2 name Bob~B.
level 0 node 1 player 1
level 2 node 2 player 0 xshift a=1.5 from 1 move deal
level 4 node pass xshift -2a from 1 move::0.25 pass payoffs 0 0
level 4 node 3 xshift -b=1.2 from 2 move red~(\frac{1}{3})
level 4 node 4 xshift b from 2 move:r: ~\frac{2}{3}
%level 6 node 99 from 3 move never
level 6 node 5 xshift -c=.8 from 3 move in payoffs 1.5 -\frac{3}{2}
level 6 node 6 xshift c from 3 move out payoffs -1 1
level 6 node 7 xshift -c from 4 arrow:red 0.3 move out payoffs -1 1
level 6 node 8 xshift c from 4 move in payoffs 1/2 -1/2
iset 3 4 player 2
% set 3: red or black
"""

# The older kind: nodes are named by level and name, and ends may share a name.
LEVELS = r"""player 1 name I
player 2 name II
% set up: by hand
level 0 node 1 player 2
level 2 node 1 xshift -a=2 from 0,1 move l~
level 2 node 2 xshift a from 0,1 move ~r
level 4 node 1 xshift -b=1 from 2,1 move T payoffs 3
level 4 node 2 xshift b from 2,1 move B payoffs -2
level 4 node 1 xshift -b from 2,2 move T payoffs 0
level 4 node 2 xshift b from 2.0,2 move B payoffs \frac{1}{2}
iset 2,1 2,2 player 1
"""


def text_of(tree: GameTree) -> str:
    return formats()["ef"].render(scene_of(tree)).decode()


def normal(label: str) -> str:
    return " ".join(label.split())


def meaning(tree: GameTree) -> dict[str, object]:
    """All that a layout holds; sets by their nodes, what is paid on the way at the ends."""
    paid, scale = scaled_payoffs(tree)
    infosets = [None if k == NONE else tree.infosets[k] for k in tree.infoset.tolist()]
    sets: dict[int, list[int]] = {}
    for node, k in enumerate(tree.infoset.tolist()):
        if tree.player[node] >= 0:
            sets.setdefault(k, []).append(node)
    return {
        "title": normal(tree.title),
        "players": [normal(name) for name in tree.players],
        "parent": tree.parent.tolist(),
        "action": tree.action.tolist(),
        "player": tree.player.tolist(),
        "moves": [[normal(action) for action in k.actions] if k else None for k in infosets],
        "chances": [k.probabilities if k else None for k in infosets],
        "sets": {tuple(nodes): normal(tree.infosets[k].label) for k, nodes in sets.items()},
        "paid": [tuple(Fraction(int(p), scale) for p in paid[n]) for n, k in enumerate(infosets) if k is None],
    }


def assert_returns(tree: GameTree) -> None:
    text = text_of(tree)
    again = parse_ef(text)
    assert problems(again) == []
    assert meaning(again) == meaning(tree)
    assert text_of(again) == text


# --- round trips


GAMES = [
    *(
        pytest.param(eb.game(kind.name, **chosen), id=f"{kind.name} {chosen}")
        for kind in games().values()
        for chosen in kind.small
    ),
    pytest.param(eb.game(str(DOCS / "games" / "horse.py")), id="three players"),
    *(pytest.param(path, id=name) for name, path in catalogue.games()),
    # Sets that are met again.
    *(pytest.param(text, id=text.split('"')[1]) for text in (BATTLE, DRIVER, TWICE_TWO)),
    *(pytest.param(random_tree(seed, total=None, players=2 + seed % 3), id=f"random {seed}") for seed in range(25)),
]


@pytest.mark.parametrize("given", GAMES)
def test_games_come_back(given: object) -> None:
    tree = eb.tree(given)
    if len(tree) > 1_500:
        pytest.skip("a picture has at most 1,500 nodes")
    assert_returns(tree)


def test_signs_that_mean_something_to_tex_come_back() -> None:
    labels = ["2~x", "50%", "a_1^2", "{b} & $c$ #", "\\frac{1", "<|>", "é ü", "two words", "", "1/2", "payoffs"]
    actions = " ".join(f'"{label}"'.replace("\\", "\\\\") for label in labels)
    ends = "".join(f't "" {k} "" {{ {k} }}\n' for k in range(1, len(labels) + 1))
    tree = eb.parse_efg(f'EFG 2 R "100% of it" {{ "A_1 & co" }}\np "" 1 1 "a: b % c" {{ {actions} }} 0\n{ends}')
    assert list(tree.infosets[0].actions) == labels
    assert_returns(tree)


def test_payoffs_on_the_way_are_paid_at_the_ends() -> None:
    tree = eb.parse_efg('EFG 2 R "" { "A" }\np "" 1 1 "" { "l" "r" } 1 "" { 1/3 }\nt "" 2 "" { 1 }\nt "" 0\n')
    assert meaning(parse_ef(text_of(tree)))["paid"] == [(Fraction(4, 3),), (Fraction(1, 3),)]


# --- files by hand


def test_a_file_by_hand_is_read_exactly() -> None:
    tree = parse_ef(NAMED, "bet.ef")
    assert problems(tree) == []
    assert (tree.title, tree.players) == ("A bet on a card", ("Ann", "Bob B."))
    assert tree.names[2] == "red or black"
    assert [(k.player, k.actions) for k in tree.infosets] == [
        (0, ("deal", "pass")),
        (CHANCE, ("red", "")),
        (1, ("in", "out")),
    ]
    assert tree.infosets[1].probabilities == (Fraction(1, 3), Fraction(2, 3))
    # The second node of the set lists its moves the other way round.
    paid = [tuple(tree.payoffs[tree.outcome[n]]) for n in range(len(tree)) if tree.is_terminal(n)]
    half, more = Fraction(1, 2), Fraction(3, 2)
    assert paid == [(more, -more), (-1, 1), (half, -half), (-1, 1), (0, 0)]
    assert eb.tree(NAMED) == tree


def test_a_file_of_the_older_kind_and_a_single_payoff_of_two_players() -> None:
    tree = parse_ef(LEVELS)
    assert problems(tree) == []
    assert (tree.title, tree.players, len(tree)) == ("", ("I", "II"), 7)
    assert [(k.player, k.actions) for k in tree.infosets] == [(1, ("l", "r")), (0, ("T", "B"))]
    paid = [tree.payoffs[tree.outcome[n]] for n in range(len(tree)) if tree.is_terminal(n)]
    assert paid == [(3, -3), (-2, 2), (0, 0), (Fraction(1, 2), Fraction(-1, 2))]
    # I mixes T with probability 1/11: 3 p - 2 (1 - p) = (1 - p) / 2 gives p = 5/11, and 3 p - 2 (1 - p) = 3/11.
    assert eb.solve(tree).value[0] == Fraction(3, 11)


def test_too_large_a_tree_is_refused() -> None:
    with pytest.raises(eb.TreeTooLargeError):
        parse_ef(NAMED, max_nodes=8)
    assert len(parse_ef(NAMED, max_nodes=9)) == 9


# --- the layout


@pytest.mark.parametrize("name", ["kuhn", "dice-poker"])
def test_nodes_stand_apart_and_members_of_a_set_on_one_line(name: str) -> None:
    tree = eb.build(eb.game(name, **games()[name].small[0]))
    x, y = [0.0] * len(tree), [0.0] * len(tree)
    for line in text_of(tree).splitlines():
        words = line.split()
        if words[0] == "level":
            node = int(words[3]) - 1
            y[node] = float(words[1])
            if node:
                x[node] = x[int(words[words.index("from") + 1]) - 1] + float(words[words.index("xshift") + 1])
    for node in range(1, len(tree)):
        assert y[node] > y[tree.parent[node]]
    for k in tree.personal:
        assert len({y[node] for node in range(len(tree)) if tree.infoset[node] == k}) == 1
    places = sorted(zip(y, x, strict=True))
    for (up, left), (down, right) in pairwise(places):
        assert up < down or right - left > 0.25, "two nodes on one line overlap"


def test_a_layout_holds_the_game_and_nothing_else(tmp_path) -> None:
    tree = eb.build(eb.game("dice-poker", sides=2))
    with pytest.raises(eb.ParameterError, match="leave out strategies"):
        draw(tree, tmp_path / "game.ef", eb.solve(tree))
    with pytest.raises(eb.ParameterError, match="takes"):
        eb.tree("player one")  # no text of a layout, but a name
    assert to_ef(tree, [(0.0, 0.0)] * len(tree)).startswith("% ")
