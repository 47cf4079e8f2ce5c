"""Hands, their probabilities and payoffs, derived from a tree and compared with its rules."""

from __future__ import annotations

from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.forms.public_deals import public_deals
from efg_builder.forms.public_tree import public_tree
from efg_builder.games.protocol import DealtGame, PublicEnd

DEALT = {
    "two sides": ("liars-dice", {"sides": 2}),
    "two dice against one": ("liars-dice", {"sides": 2, "dice": (2, 1)}),
    "dice poker": ("dice-poker", {"sides": 4}),
    "Kuhn poker": ("kuhn", {"cards": 4}),
}


@pytest.mark.parametrize("name", DEALT)
def test_they_are_those_of_the_rules(name: str) -> None:
    kind, settings = DEALT[name]
    game = eb.game(kind, **settings)
    assert isinstance(game, DealtGame)
    found = public_deals(public_tree(eb.build(game)))
    assert [sorted(hands) for hands in found.hands] == [sorted(hands) for hands in game.hands]
    index = [[hands.index(name) for name in known] for hands, known in zip(found.hands, game.hands, strict=True)]
    chances: dict[tuple[int, ...], Fraction] = {}
    for deal in game.deals:
        hands = tuple(index[player][hand] for player, hand in enumerate(deal.hands))
        chances[hands] = chances.get(hands, Fraction(0)) + deal.probability
    assert found.deals == chances
    assert not found.opened
    play = enumerate(game.public_play())  # in prefix order, as the histories
    ends = {history: turn.key for history, turn in play if isinstance(turn, PublicEnd)}
    assert ends.keys() == found.ends.keys()
    for history, key in ends.items():
        for deal in game.deals:
            hands = tuple(index[player][hand] for player, hand in enumerate(deal.hands))
            assert found.ends[history][()][hands] == game.settle(key, deal).payoffs


def test_a_card_that_is_opened_has_chances_by_hands() -> None:
    """Leduc hold'em: two cards each of J, Q and K. Two jacks: 2/6 of 1/5, and then no third one."""
    found = public_deals(public_tree(eb.build(eb.game("leduc"))))
    assert found.hands == (("J", "Q", "K"),) * 2
    assert found.deals[0, 0] == Fraction(1, 15)
    assert found.deals[0, 1] == Fraction(2, 15)
    assert list(found.opened) == [("J",), ("Q",), ("K",)]
    assert (0, 0) not in found.opened["J",]
    assert found.opened["Q",][0, 0] == Fraction(1, 2)
    assert found.opened["J",][0, 1] == Fraction(1, 4)
    checked = next(h for h in found.ends if found.public.path(h) == ("check",) * 4)
    assert found.ends[checked]["J",][0, 2] == (1, -1)  # a pair beats a king
    assert found.ends[checked]["Q",][0, 2] == (-1, 1)
    assert found.ends[checked]["Q",][0, 0] == (0, 0)
    # Five of nine paths through the first round continue: check check, and a call after one or two raises.
    assert len(found.opening) == 5


# A moves twice: first without seeing the card, then with it.
LEARNS = (
    'EFG 2 R "learns" { "A" "B" } ""\nc "" 1 "" { "h" 1/2 "l" 1/2 } 0\n'
    'p "" 1 1 "a" { "x" } 0\np "" 2 1 "b" { "y" } 0\np "" 1 2 "c" { "z" "w" } 0\n'
    't "" 1 "" { 1 0 }\nt "" 2 "" { 0 1 }\n'
    'p "" 1 1 "a" { "x" } 0\np "" 2 1 "b" { "y" } 0\np "" 1 3 "d" { "z" "w" } 0\n'
    't "" 3 "" { 2 0 }\nt "" 4 "" { 0 2 }\n'
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("mia", "Player 1 does not see a chance move during play"),
        ("docs/games/centipede.py", "nothing is dealt before the first move"),
        (LEARNS, "A learns more about the deal during play"),
    ],
)
def test_what_is_no_deal_followed_by_public_play_is_refused(given: str, said: str) -> None:
    tree = eb.parse_efg(given) if given == LEARNS else eb.build(eb.game(given))
    with pytest.raises(eb.NotApplicableError, match=f"is not a deal followed by public play: {said}"):
        public_deals(public_tree(tree))


def test_a_deal_of_two_moves_of_chance_has_the_product_of_their_chances() -> None:
    """A sees a card, 1/3 or 2/3; B sees another, 1/4 or 3/4."""
    ends = "".join(
        f'c "" {k + 2} "" {{ "x" 1/4 "y" 3/4 }} 0\n'
        + "".join(
            f'p "" 1 {k} "{k}" {{ "go" }} 0\np "" 2 {j} "{j}" {{ "on" }} 0\nt "" {2 * k + j} "" {{ {k} {j} }}\n'
            for j in (1, 2)
        )
        for k in (1, 2)
    )
    tree = eb.parse_efg(f'EFG 2 R "two deals" {{ "A" "B" }} ""\nc "" 1 "" {{ "h" 1/3 "l" 2/3 }} 0\n{ends}')
    found = public_deals(public_tree(tree))
    chances = {(i, j): Fraction(i + 1, 3) * Fraction(2 * j + 1, 4) for i in (0, 1) for j in (0, 1)}
    assert found.deals == chances
