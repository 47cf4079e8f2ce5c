"""A picture of a solution says what was verified of it."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from test_draw_picture import mixed, tree_of

from efg_builder.display.trees import DrawOptions, caption_of, scene_of
from efg_builder.display.trees.colors import fill, ink

SAID = "equilibrium (exact), worth −1/9 to Player 1"


NINTH = Fraction(1, 9)


def verdict(**other):
    exact = {"equilibrium": True, "exact": True, "regret": Fraction(0), "value": (-NINTH, NINTH)}
    return SimpleNamespace(**exact | {"lower": -NINTH, "upper": -NINTH} | other)


def solution(profile, found):
    return SimpleNamespace(profile=profile, verdict=found)


def captions(scene):
    return " ".join(text.text for text in scene.texts if text.role == "caption")


LESS = {"equilibrium": False, "regret": Fraction(1, 7)}


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({}, SAID),
        ({"exact": False}, "equilibrium, worth −1/9 to Player 1"),
        ({"lower": None}, f"{SAID}, 1/9 to Player 2"),
        ({"value": (-0.062500006, 0.0), "exact": False}, "equilibrium, worth −0.0625 to Player 1"),
        ({"value": (Fraction(-212027, 7715529), 0)}, "equilibrium (exact), worth −0.02748 to Player 1"),
        (LESS | {"lower": None}, "not quite an equilibrium: nobody gains more than 0.15 by playing otherwise"),
        (
            LESS | {"upper": Fraction(-1, 70)},
            "not quite an equilibrium: nobody gains more than 0.15 by playing otherwise; "
            "against this one gets at most −0.014 a round on average as Player 1, 0.12 as Player 2",
        ),
    ],
)
def test_the_caption_is_the_verdict(found, words):
    tree = tree_of("two sides")
    assert caption_of(tree.players, verdict(**found)) == words
    assert captions(scene_of(tree, solution(mixed("two sides"), verdict(**found)))) == words


def test_of_more_players_the_caption_has_all_payoffs_and_of_many_no_names():
    three = verdict(value=(Fraction(5, 16), Fraction(-1, 4), Fraction(-1, 16)), lower=None)
    assert caption_of(("A", "B", "C"), three) == "equilibrium (exact), worth 5/16 to A, −1/4 to B, −1/16 to C"
    many = verdict(value=(Fraction(-1),) * 9, lower=None)
    assert caption_of(tuple("ABCDEFGHI"), many) == f"equilibrium (exact), payoffs ({', '.join(['−1'] * 9)})"


def test_nothing_is_said_of_what_was_not_verified_and_another_caption_stays():
    tree, profile = tree_of("two sides"), mixed("two sides")
    for nothing in (solution(profile, None), solution(None, None), profile):
        assert captions(scene_of(tree, nothing)) == ""
    assert captions(scene_of(tree, solution(profile, verdict()), DrawOptions(caption="mine"))) == "mine"


def test_sixteen_players_have_different_colors():
    assert len({fill(player) for player in range(16)}) == len({ink(player) for player in range(16)}) == 16


def test_payoffs_of_many_players_in_one_strategy_are_a_vector(tmp_path, cli):
    names = " ".join(f'"Member {k}"' for k in range(4))
    (tmp_path / "four.efg").write_text(f'EFG 2 R "Four" {{ {names} }}\nt "" 1 "" {{ 1 2 3 4 }}\n')
    assert cli("draw", tmp_path / "four.efg", "--strategy", "uniform", "-o", tmp_path / "x.svg")[0] == 0
    assert "uniform in all seats: payoffs (1, 2, 3, 4); NashConv 0" in (tmp_path / "x.svg").read_text()
