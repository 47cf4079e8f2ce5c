"""The strategies of a file, fitted to a game: its information sets by what they are in the rules or in the tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from ..base.errors import ParameterError, ProfileError
from ..base.naming import distinct
from ..base.rationals import Number
from ..forms.extensive import GameTree
from ..games import make
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game, PublicDecision
from .sparse_profile import SparseProfile
from .strategy_file import Entry, StrategyFile
from .strategy_hints import likely, likely_set

Behavior = Mapping[str, Number]

Rows = tuple[dict[str, dict[int, Behavior]], ...]
"""For each player: by public history, by hand (an index), the probabilities of the moves that are written."""

Turns = Callable[[str], tuple[int, tuple[str, ...]] | None]
"""Of a public history: who moves there and which moves there are; None where there is no such history."""


def check_game(file: StrategyFile, game: Game | None, title: str) -> None:
    """Raise ``ProfileError`` where *file* says that it is of another game."""
    name, settings = file.game.get("name"), file.game.get("settings")
    if game is None or not isinstance(name, str) or not isinstance(settings, Mapping):
        return
    try:
        other = make(name, settings)
    except ParameterError as error:
        raise ProfileError(f"{file.source}: game: {error}") from None
    if other != game:
        raise ProfileError(f"{file.source} is of {other.title!r}, not of {title!r}")


def by_rules(file: StrategyFile, game: DealtGame) -> Rows:
    """The strategies by public history and hand.

    Raises ``ProfileError``, which names file, line and place, for a set or a move that the game does not have, and for
    a set that stands there twice.
    """
    rows: Rows = tuple({} for _ in game.players)
    turns, hands = _turns(game), [{name: hand for hand, name in enumerate(mine)} for mine in game.hands]
    for entry in file.entries:
        named, _, history = (entry.label or "").partition(": ")
        turn = turns(history)
        if turn is None or named not in hands[turn[0]] or entry.player not in (None, turn[0]):
            raise file.error(entry, _unknown(game, entry, turns))
        player, legal = turn
        _check_actions(file, entry, legal)
        mine = rows[player].setdefault(history, {})
        if hands[player][named] in mine:
            raise file.error(entry, f"the information set {entry.label!r} stands there twice")
        mine[hands[player][named]] = entry.row
    return rows


def _check_actions(file: StrategyFile, entry: Entry, legal: tuple[str, ...]) -> None:
    for action in entry.row:
        if action not in legal:
            problem = f"{action!r} is no move at {entry.label!r}; {likely(action, legal)}"
            raise file.error(entry, problem, action)


def _unknown(game: DealtGame, entry: Entry, turns: Turns) -> str:
    """What is wrong with the set that *entry* names."""
    label, known = entry.label, len(game.players)
    if label is None:
        return "it has no 'label', which is needed for a game of this size"
    if entry.player is not None and entry.player not in range(known):
        return _no_player(entry.player, known)
    try:
        SparseProfile(game, tuple({} for _ in game.players))[label]
    except ParameterError as error:
        meant = _meant(game, label, turns)
        return str(error) if meant is None else f"there is no information set {label!r}; did you mean {meant!r}?"
    found = turns(label.partition(": ")[2])
    assert found is not None
    assert entry.player is not None
    return _of_another(label, entry.player, found[0])


def _meant(game: DealtGame, label: str, turns: Turns) -> str | None:
    """The set that *label* was meant for, as far as its spelling tells."""
    hands = [{name: hand for hand, name in enumerate(mine)} for mine in game.hands]

    def mover(history: str) -> tuple[int, Mapping[str, int]] | None:
        found = turns(history)
        return None if found is None else (found[0], hands[found[0]])

    start = game.public_turn(game.public_root())
    names = dict.fromkeys(name for mine in hands for name in mine)
    return likely_set(label, names, start.history if isinstance(start, PublicDecision) else "", mover)


def _no_player(player: int, known: int) -> str:
    return f"there is no player {player + 1}; there are {known}"


def _of_another(label: str, named: int, owner: int) -> str:
    return f"there is no information set {label!r} of player {named + 1}: it belongs to player {owner + 1}"


def _turns(game: DealtGame) -> Turns:
    """Who moves at a public history and which moves there are; None where there is no such history."""
    if isinstance(game, BiddingGame):
        index = {name: bid for bid, name in enumerate(game.bid_names)}

        def bidding(history: str) -> tuple[int, tuple[str, ...]] | None:
            bids = [] if history == game.history(()) else [index.get(word, -1) for word in history.split(" ")]
            if bids != sorted(set(bids)) or -1 in bids:
                return None
            last = bids[-1] if bids else -1
            return len(bids) % len(game.players), (*game.bid_names[last + 1 :], *([game.call] if bids else []))

        return bidding

    @cache
    def walked(history: str) -> tuple[int, tuple[str, ...]] | None:
        turn = _walk(game, history)
        return None if turn is None else (turn.player, tuple(label for label, _ in turn.actions))

    return walked


def _walk(game: DealtGame, history: str) -> PublicDecision | None:
    stack = [game.public_root()]
    while stack:
        turn = game.public_turn(stack.pop())
        if isinstance(turn, PublicDecision):
            if turn.history == history:
                return turn
            stack += [state for _, state in turn.actions]
    return None


def by_tree(file: StrategyFile, tree: GameTree, game: Game | None = None) -> dict[int, tuple[Number, ...]]:
    """The strategies by index in ``tree.infosets``, each in the order of its actions.

    Sets go by player and number where the file has them, and else by label, or as ``set 3`` (by number) where no
    set of that player has this label. *game*, from which the tree was made, helps to say what was meant. Raises
    ``ProfileError`` as ``by_rules`` does, and where several sets have the label.
    """
    numbered = {(tree.infosets[k].player, tree.infosets[k].number): k for k in tree.personal}
    labelled: dict[str, list[int]] = {}
    for k in tree.personal:
        labelled.setdefault(tree.infosets[k].label, []).append(k)
    rows: dict[int, tuple[Number, ...]] = {}
    for entry in file.entries:
        k = _find(file, tree, entry, numbered, labelled, game)
        names = distinct(tree.infosets[k].actions)
        _check_actions(file, entry, names)
        if k in rows:
            raise file.error(entry, f"the information set {tree.infosets[k].label!r} stands there twice")
        zero = 0 * next(iter(entry.row.values()))
        rows[k] = tuple(entry.row.get(name, zero) for name in names)
    return rows


def _find(
    file: StrategyFile,
    tree: GameTree,
    entry: Entry,
    numbered: Mapping[tuple[int, int], int],
    labelled: Mapping[str, list[int]],
    game: Game | None,
) -> int:
    if entry.number is not None and entry.player is not None:
        found = numbered.get((entry.player, entry.number))
        if found is None:
            raise file.error(entry, f"the game has no information set {entry.number} of player {entry.player + 1}")
        label = tree.infosets[found].label
        if entry.label not in (None, label):
            raise file.error(entry, f"labelled {entry.label!r}, but in this game it is {label!r}")
        return found
    mine = [k for k in labelled.get(entry.label or "", []) if entry.player in (None, tree.infosets[k].player)]
    if len(mine) > 1:
        how = "name them by number, as 'set 1', or in a 'profile' as 'efg-builder solve -o' writes it"
        raise file.error(entry, f"there are {len(mine)} information sets labelled {entry.label!r}; {how}")
    if not mine:
        number = _NUMBERED.match(entry.label or "")
        found = numbered.get((entry.player or 0, int(number[1]))) if number else None
        if found is None or entry.player is None:
            raise file.error(entry, _unlabelled(tree, entry, labelled, game))
        return found
    return mine[0]


_NUMBERED = re.compile(r"set (\d{1,9})\Z", re.ASCII)


def _unlabelled(tree: GameTree, entry: Entry, labelled: Mapping[str, list[int]], game: Game | None) -> str:
    """What is wrong with a label that no set of the tree has, or none of that player."""
    label = entry.label or ""
    if entry.player is not None and entry.player not in range(len(tree.players)):
        return _no_player(entry.player, len(tree.players))
    if entry.player is not None and label in labelled:
        return _of_another(label, entry.player, tree.infosets[labelled[label][0]].player)
    if isinstance(game, DealtGame):
        return _unknown(game, entry, _turns(game))
    owner = "" if entry.player is None else f" of player {entry.player + 1}"
    return f"there is no information set {label!r}{owner}; {likely(label, [name for name in labelled if name])}"
