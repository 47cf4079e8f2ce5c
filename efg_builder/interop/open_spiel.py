"""A bridge to OpenSpiel (https://github.com/google-deepmind/open_spiel): our games there, our strategies as policies.

Nothing here is needed for anything else: ``pyspiel`` is imported when a function is called, and only here.
"""

from __future__ import annotations

from typing import Any

from ..base.errors import NotApplicableError, ProfileError
from ..forms.extensive import NONE, GameTree
from ..games.liars_dice import LiarsDice
from ..strategies.tree_profile import TreeProfile
from .efg import to_efg

RULES = {"quantity-face": "reset-face", "face-quantity": "reset-quantity"}
"""The orders of bids, ours and OpenSpiel's ``bidding_rule``."""


def load(tree: GameTree) -> Any:
    """*tree* as OpenSpiel's ``efg_game``. Raises ``NotApplicableError`` where OpenSpiel is not installed."""
    return _pyspiel().load_efg_game(to_efg(tree, portable=True))


def load_liars_dice(game: LiarsDice) -> Any:
    """OpenSpiel's own ``liars_dice`` with the rules of *game*.

    There both have as many dice, all quantities may be bid, and the highest face is wild and may be bid. Raises
    ``NotApplicableError``, which names what is different, for other rules, and where OpenSpiel is not installed.
    """
    different = {
        "dice": game.dice != (game.dice[0],) * 2,
        "wild": game.wild != game.sides,
        "order": game.order not in RULES,
        "wild_biddable": not game.wild_biddable,
        "max_quantity": game.max_quantity != sum(game.dice),
        "payoff": game.payoff != "win-loss",
    }
    wrong = ", ".join(key for key, other in different.items() if other)
    if wrong:
        right = f"dice={game.dice[0]},{game.dice[0]} wild={game.sides} wild_biddable=true payoff=win-loss"
        raise NotApplicableError(f"OpenSpiel's liars_dice has another {wrong}; it plays {right} and every quantity")
    settings = {"numdice": game.dice[0], "dice_sides": game.sides, "bidding_rule": RULES[game.order]}
    return _pyspiel().load_game("liars_dice", settings)


def policy(profile: TreeProfile, theirs: Any) -> Any:
    """*profile* as a ``pyspiel.TabularPolicy`` for *theirs*, what ``load`` makes of the profile's tree.

    Both trees are walked side by side, so that nothing is matched by name but the actions of a state. Raises
    ``ProfileError`` where *theirs* is another game.
    """
    tree, table = profile.tree, {}
    for node, state in _side_by_side(tree, theirs):
        if state.is_chance_node() or state.is_terminal():
            continue
        row = zip(state.legal_actions(), profile.probabilities[tree.infoset[node]], strict=True)
        table[state.information_state_string()] = [(action, float(p)) for action, p in row]
    return _pyspiel().TabularPolicy(table)


def liars_dice_policy(profile: TreeProfile, game: LiarsDice) -> Any:
    """*profile*, on the tree of *game*, as a ``pyspiel.TabularPolicy`` for ``load_liars_dice`` of *game*.

    OpenSpiel numbers bids as ``LiarsDice.bids`` does and puts the call last; an information set is the player's
    sorted dice and the bids, ``"16 1-3 2-1"``.
    """
    numbers = {name: action for action, name in enumerate((*game.bid_names, game.call))}
    table = {}
    for k in profile.tree.personal:
        infoset = profile.tree.infosets[k]
        row = zip(infoset.actions, profile.probabilities[k], strict=True)
        table[information_state(game, infoset.label)] = [(numbers[action], float(p)) for action, p in row]
    return _pyspiel().TabularPolicy(table)


def information_state(game: LiarsDice, label: str) -> str:
    """OpenSpiel's name of the information set that is *label* here: ``"1 2-1"`` for ``"1: 2x1"``."""
    hand, _, history = label.partition(": ")
    bids = "" if history == game.history(()) else history
    return " ".join([hand.replace(",", ""), *(bid.replace("x", "-") for bid in bids.split())])


def _side_by_side(tree: GameTree, theirs: Any) -> Any:
    """Each node with OpenSpiel's state there, in prefix order. Raises ``ProfileError`` where they do not match."""
    stack, node = [theirs.new_initial_state()], 0
    while stack:
        state = stack.pop()
        if node == len(tree):
            raise ProfileError("OpenSpiel's game has more nodes than the tree")
        infoset = None if tree.infoset[node] == NONE else tree.infosets[tree.infoset[node]]
        actions = [] if state.is_terminal() else state.legal_actions()
        mover = NONE if state.is_chance_node() else state.current_player()
        if (infoset is None) != state.is_terminal() or (infoset and infoset.player != mover):
            raise ProfileError(f"at node {node} OpenSpiel's game and the tree have different movers")
        if len(actions) != (0 if infoset is None else len(infoset.actions)):
            raise ProfileError(f"at node {node} OpenSpiel's game and the tree have different actions")
        yield node, state
        stack += [state.child(action) for action in reversed(actions)]
        node += 1
    if node < len(tree):
        raise ProfileError("OpenSpiel's game has fewer nodes than the tree")


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise NotApplicableError("this needs OpenSpiel: pip install open_spiel") from None
    return pyspiel
