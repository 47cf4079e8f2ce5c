"""Writing: what is written reads back equal, here and in Gambit, for any tree and any labels."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pygambit
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_trees import random_tree

from efg_builder.base.errors import FileError
from efg_builder.base.words import distinct
from efg_builder.forms.extensive import NONE, TERMINAL, GameTree, Outcome, build, scaled_payoffs
from efg_builder.games.catalogue import catalogue, game
from efg_builder.interop.efg import efg_chunks, parse_efg, read_efg, renamed, to_efg, write_efg
from efg_builder.interop.efg import writer as writer_module
from efg_builder.interop.efg.writer import Spelling
from sound import problems

SMALL = [(name, settings_) for name, kind in catalogue().items() for settings_ in kind.small]
LARGE = [{"sides": 5}, {"sides": 6}]  # minutes: Gambit reads labelled sets slowly
PLAIN = st.text(st.sampled_from("abcXYZ019 ,.:'x-/"), min_size=1).map(str.strip).filter(lambda s: s and "  " not in s)
ANY = st.text(max_size=8) | st.sampled_from(["", "x", "x", " x", "a  b", 'say "x"', "\\", 'a\\"', "a\\b", "é", "a\nb"])
NUMBERS = st.fractions(max_denominator=1000) | st.integers(-3, 3).map(Fraction) | st.just(Fraction(10**40, 7))


def gambit(text: str) -> pygambit.Game:
    return pygambit.read_efg(io.BytesIO(text.encode()))


@st.composite
def trees(draw: st.DrawFn, labels: st.SearchStrategy[str]) -> GameTree:
    """Random games: outcomes anywhere, odd numbers, named nodes; every name is drawn."""
    tree = random_tree(draw(st.integers(0, 10**6)), depth=3, total=None, players=draw(st.integers(2, 3)))

    def names(count: int) -> tuple[str, ...]:
        return tuple(draw(st.lists(labels, min_size=count, max_size=count)))

    return replace(
        tree,
        title=draw(labels),
        comment=draw(labels),
        players=names(len(tree.players)),
        infosets=tuple(i._replace(label=draw(labels), actions=names(len(i.actions))) for i in tree.infosets),
        outcomes=tuple(Outcome(5 * o.number, draw(labels), (draw(NUMBERS), *o.payoffs[1:])) for o in tree.outcomes),
        node_labels=draw(st.dictionaries(st.integers(0, len(tree) - 1), labels.filter(bool), max_size=3)),
    )


def agreeable(tree: GameTree) -> GameTree:
    """*tree* with information sets, nodes and players named as Gambit insists: apart."""
    who = [i.player for i in tree.infosets]
    names = [i.label for i in tree.infosets]
    for player in set(who):
        mine = [k for k, p in enumerate(who) if p == player]
        for k, name in zip(mine, distinct([names[k] for k in mine], empty=True), strict=True):
            names[k] = name
    nodes = dict(zip(tree.node_labels, distinct(tree.node_labels.values(), empty=True), strict=True))
    infosets = tuple(i._replace(label=name) for i, name in zip(tree.infosets, names, strict=True))
    return replace(tree, infosets=infosets, node_labels=nodes)


def paid(tree: GameTree) -> list[list[Fraction]]:
    rows, scale = scaled_payoffs(tree)
    return [[Fraction(p, scale) for p in row] for row in rows[tree.player == TERMINAL]]


@pytest.mark.parametrize(
    ("name", "given_"),
    [*SMALL, *(pytest.param("liars-dice", chosen, marks=pytest.mark.slow) for chosen in LARGE)],
    ids=str,
)
def test_games_of_the_catalogue_read_back_equal(name: str, given_: dict[str, object]) -> None:
    tree = build(game(name, **given_))
    again = parse_efg(to_efg(tree))
    assert problems(again) == []
    assert again == agreeable(tree)
    theirs = gambit(to_efg(tree))
    assert len(pygambit.layout_tree(theirs)) == len(tree)
    assert name != "liars-dice" or parse_efg(theirs.to_efg()).parent.tolist() == tree.parent.tolist()


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(trees(PLAIN))
def test_any_tree_reads_back_equal(tree: GameTree) -> None:
    assert problems(tree) == []
    again = parse_efg(to_efg(tree))
    assert again == agreeable(tree)
    assert problems(again) == []


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(trees(ANY), st.booleans())
def test_any_labels_become_labels_that_gambit_takes(tree: GameTree, portable: bool) -> None:
    text = to_efg(tree, portable=portable)
    once = parse_efg(text)
    assert to_efg(once, portable=portable) == text
    assert np.array_equal(once.parent, tree.parent)
    assert np.array_equal(once.action, tree.action)
    assert paid(once) == paid(tree)
    theirs = gambit(text)
    assert len(pygambit.layout_tree(theirs)) == len(tree)
    if portable:
        assert text.isascii()
        assert "\\" not in re.sub(r"\\(?![\"\\])", "", text)
        assert list(theirs.players) == list(once.players)
        assert (once.outcome[once.player != TERMINAL] == NONE).all()
        assert (once.outcome[once.player == TERMINAL] != NONE).all()


def test_an_unfit_label_does_not_rename_players_with_one_name() -> None:
    for label in ("fit", "un\x85fit"):
        text = f'EFG 2 R "" {{ "A" "A" }}\n""\n\nt "" 1 "{label}" {{ 1, -1 }}\n'
        assert parse_efg(text).players == ("A", "A")
    assert replace(parse_efg(text), players=("A\x85", "A")).players == ("A_1", "A_2")  # an unfit letter less


@pytest.mark.parametrize(
    ("label", "plain", "portable"),
    [
        ("1: 1x1 2x1", "1: 1x1 2x1", "1: 1x1 2x1"),
        ('the "best"', 'the "best"', "the 'best'"),
        ("Zürich 1×2", "Zürich 1×2", "Zurich 1x2"),
        ("Øre, Straße, “œuf”", "Øre, Straße, “œuf”", "Ore, Strasse, 'oeuf'"),
        ("α − β", "α − β", "U+03B1 - U+03B2"),
        ("½ ﬁ ﹨", "½ ﬁ ﹨", "1/2 fi /"),
        ("a\\b", "a\\b", "a\\b"),
        ("a\\\\b\\", "a//b/", "a//b/"),
        ("a\\ ", "a/", "a/"),
        (" two\nlines\t ", "two lines", "two lines"),
        ("a\x00  b", "a b", "a b"),
        ("a\u00a0b", "a\u00a0b", "a b"),
    ],
)
def test_labels(label: str, plain: str, portable: str) -> None:
    assert Spelling().label(label) == plain
    assert Spelling(portable=True).label(label) == portable
    assert Spelling().labels([label, "x"]) == [plain, "x"]


def test_gambit_tells_equal_labels_apart_in_the_same_way() -> None:
    text = 'EFG 2 R "" { "a" "a" "" "a_1" }\n""\n\np "" 1 1 "" { "x" "x" "" } 0\nt "" 0\nt "" 0\nt "" 0\n'
    tree, theirs = parse_efg(text), gambit(text)
    assert distinct(["a", "a", "", "a_1"]) == tuple(theirs.players)
    assert parse_efg(theirs.to_efg()).infosets[0].actions == distinct(tree.infosets[0].actions)


def test_labels_that_differ_stay_different_in_ascii() -> None:
    text = 'EFG 2 R "t" { "Ø" "O" }\np "" 1 1 "é" { "α" "β" "é" "e" } 0\n' + "".join(
        f'p "" 2 {n} "{name}" {{ "x" }} 0\nt "" {n} "{name}" {{ {n}, 0 }}\n' for n, name in enumerate("éeαβ", 1)
    )
    tree = parse_efg(text)
    again = parse_efg(to_efg(tree, portable=True))
    assert again.players == ("O_1", "O_2")
    assert again.infosets[0].actions == ("U+03B1", "U+03B2", "e_1", "e_2")
    assert [each.label for each in again.infosets[1:]] == ["e_1", "e_2", "U+03B1", "U+03B2"]
    assert renamed(tree, portable=True) == [
        *(("Ø", "O_1"), ("O", "O_2")),
        *(("é", "e"), ("é", "e_1"), ("e", "e_2"), ("α", "U+03B1"), ("β", "U+03B2")),
    ]
    assert renamed(tree) == []


def test_nobody_is_called_chance() -> None:
    tree = replace(build(game("dice-poker", sides=2)), players=("Chance", "B"))
    assert list(gambit(to_efg(tree)).players) == ["Chance_1", "B"]


def test_chunks_are_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = replace(build(game("liars-dice", sides=2)), node_labels={0: "root", 7: 'x"', 8: "y", 124: "z"})
    whole = to_efg(tree)
    monkeypatch.setattr(writer_module, "_CHUNK", 8)
    assert len(list(efg_chunks(tree))) > 10
    path = write_efg(tree, tmp_path / "a.efg")
    assert path.read_bytes() == whole.encode()
    assert read_efg(path) == tree
    with pytest.raises(FileError):
        write_efg(tree, tmp_path / "none" / "a.efg")
