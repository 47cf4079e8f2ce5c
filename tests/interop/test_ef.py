"""Layouts, ``.ef``: read as gtdraw reads them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from small_files import BET_LAYOUT

import efg_builder as eb
from efg_builder.forms.extensive import CHANCE
from efg_builder.interop.ef import parse_ef
from sound import problems

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


def test_a_file_by_hand_is_read_exactly() -> None:
    tree = parse_ef(BET_LAYOUT, "bet.ef")
    assert problems(tree) == []
    assert (tree.title, tree.players) == ("A bet on a card", ("Ann", "Bob B."))
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
    assert eb.build(BET_LAYOUT) == tree
    with pytest.raises(eb.ParameterError, match="takes"):
        eb.build("player one")  # no text of a layout, but a name


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
        parse_ef(BET_LAYOUT, max_nodes=8)
    assert len(parse_ef(BET_LAYOUT, max_nodes=9)) == 9


@pytest.mark.parametrize(
    ("tex", "label"),
    [
        (r"a\_1^2~\&~b", "a_1^2 & b"),
        (r"2\textasciitilde{}x", "2~x"),
        (r"50\%~\#\$\{\}", "50% #${}"),
        (r"\textless{}\textbar{}\textgreater{}", "<|>"),
        (r"\textbackslash{}frac\{1", "\\frac{1"),
        (r"a\space{}b\_{}c", "a b_c"),
        (r"\frac{1}{2}", "1/2"),
    ],
)
def test_signs_of_tex_are_read(tex: str, label: str) -> None:
    tree = parse_ef(f"player 1 name {tex}\nlevel 0 node 1 player 1\nlevel 1 node 2 from 1 move {tex} payoffs 1")
    assert (tree.players, tree.infosets[0].actions) == ((label,), (label,))
