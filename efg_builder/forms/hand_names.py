"""Names of information sets and deals, with display names of hands instead of ``DealtGame.hands``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..games.protocol import DealtGame, Game
from .extensive import CHANCE, NONE, GameTree

Label = Callable[[int, str], str]
"""A function that takes a player and a name in files (of a hand or an information set), and returns a display name."""


def printed_hands(game: DealtGame) -> Sequence[Sequence[str]]:
    """Return each player's names of hands for terminals: display names if all are ASCII, otherwise ``game.hands``.

    Die faces are too small to read in a terminal, and some encodings lack them.
    """
    names = game.hand_names
    return names if all(name.isascii() for own in names for name in own) else game.hands


def printed(game: Game | None) -> Label:
    """Return the ``Label`` for terminals and plots, e.g. ``"J: check bet"`` for ``"1: check bet"``."""
    return _labels(game, printed_hands)


def displayed(game: Game | None) -> Label:
    """Return the ``Label`` for pictures and pages."""
    return _labels(game, lambda dealt: dealt.hand_names)


def as_in_files(player: int, label: str) -> str:
    return label


def _labels(game: Game | None, names_of: Callable[[DealtGame], Sequence[Sequence[str]]]) -> Label:
    dealt = None if game is None else game.dealt_game
    if dealt is None or (names := names_of(dealt)) == dealt.hands:
        return as_in_files
    tables = [dict(zip(*pair, strict=True)) for pair in zip(dealt.hands, names, strict=True)]

    def label(player: int, given: str) -> str:
        hand, colon, history = given.partition(":")
        return f"{tables[player].get(hand, hand)}{colon}{history}"

    return label


def printed_tree(tree: GameTree, game: Game | None = None) -> GameTree:
    """Return *tree* with names for terminals, from the rules *game* or the tree's rules."""
    return relabelled(tree, printed(game or tree.game))


def displayed_tree(tree: GameTree, game: Game | None = None) -> GameTree:
    """Return *tree* with names for pictures and pages, from the rules *game* or the tree's rules."""
    return relabelled(tree, displayed(game or tree.game))


def relabelled(tree: GameTree, label: Label) -> GameTree:
    """Return *tree* with information sets and deals renamed by *label*."""
    if label is as_in_files:
        return tree
    infosets = [
        infoset if infoset.player == CHANCE else infoset._replace(label=label(infoset.player, infoset.label))
        for infoset in tree.infosets
    ]
    first, comment = int(tree.infoset[0]), tree.comment
    if first != NONE and infosets[first].player == CHANCE:
        deals = {action: _deal(action, len(tree.players), label) for action in infosets[first].actions}
        infosets[first] = infosets[first]._replace(actions=tuple(deals.values()))
        if told := next((action for action in deals if f" {action}: " in comment), None):  # as in Liar's Dice
            comment = comment.replace(f" {told}: ", f" {deals[told]}: ")
            for player, (name, hand) in enumerate(zip(tree.players, told.split(" vs "), strict=True)):
                comment = comment.replace(f"{name} holds {hand}", f"{name} holds {label(player, hand)}")
    return tree if tuple(infosets) == tree.infosets else replace(tree, infosets=tuple(infosets), comment=comment)


def _deal(action: str, players: int, label: Label) -> str:
    """Rename the hands in a deal such as ``"1 vs 2"``; return other text unchanged."""
    hands = action.split(" vs ")
    return " vs ".join(map(label, range(players), hands)) if len(hands) == players else action


def hand_called(game: DealtGame, player: int, named: str) -> int | None:
    """Return the index of the player's hand that is called *named* in files or on display; None if no hand matches."""
    own, names = list(game.hands[player]), list(game.hand_names[player])
    return own.index(named) if named in own else names.index(named) if named in names else None
