"""The strategies of a file, fitted to a game: its information sets by what they are in the rules or in the tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from .errors import ParameterError, ProfileError, nearest
from .games import make
from .games.bidding import BiddingGame
from .games.protocol import DealtGame, Game, PublicDecision
from .naming import distinct
from .rationals import Number
from .sparse_profile import SparseProfile
from .strategy_file import Entry, StrategyFile
from .tree import GameTree

Behavior = Mapping[str, Number]

Rows = tuple[dict[str, dict[int, Behavior]], ...]
"""For each player: by public history, by hand (an index), the probabilities of the moves that are written."""


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
            raise file.error(entry, _unknown(game, entry))
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
            problem = f"{action!r} is no move at {entry.label!r}; {nearest(action, legal)}"
            raise file.error(entry, problem, action)


def _unknown(game: DealtGame, entry: Entry) -> str:
    """What is wrong with the set that *entry* names."""
    if entry.label is None:
        return "it has no 'label', which is needed for a game of this size"
    try:
        SparseProfile(game, tuple({} for _ in game.players))[entry.label]
    except ParameterError as error:
        return str(error)
    known = len(game.players)
    if entry.player is not None and entry.player not in range(known):
        return f"there is no player {entry.player + 1}; there are {known}"
    return f"player {(entry.player or 0) + 1} has no information set {entry.label!r}: another player moves there"


def _turns(game: DealtGame) -> Callable[[str], tuple[int, tuple[str, ...]] | None]:
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


def by_tree(file: StrategyFile, tree: GameTree) -> dict[int, tuple[Number, ...]]:
    """The strategies by index in ``tree.infosets``, each in the order of its actions.

    Sets go by player and number where the file has them, and else by label. Raises ``ProfileError`` as
    :func:`by_rules` does, and where several sets have the label.
    """
    numbered = {(tree.infosets[k].player, tree.infosets[k].number): k for k in tree.personal}
    labelled: dict[str, list[int]] = {}
    for k in tree.personal:
        labelled.setdefault(tree.infosets[k].label, []).append(k)
    rows: dict[int, tuple[Number, ...]] = {}
    for entry in file.entries:
        k = _find(file, tree, entry, numbered, labelled)
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
        how = "name them by number, in a 'profile' as 'efg-builder solve -o' writes it"
        raise file.error(entry, f"there are {len(mine)} information sets labelled {entry.label!r}; {how}")
    if not mine:
        owner = "" if entry.player is None else f" of player {entry.player + 1}"
        hint = nearest(entry.label or "", [label for label in labelled if label])
        raise file.error(entry, f"there is no information set {entry.label!r}{owner}; {hint}")
    return mine[0]
