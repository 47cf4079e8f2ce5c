"""A bridge to OpenSpiel (https://github.com/google-deepmind/open_spiel), imported only when it is used."""

from __future__ import annotations

from typing import Any

from ..base.errors import NotApplicableError, ProfileError
from ..forms.extensive import NONE, GameTree
from ..strategies.tree_profile import TreeProfile
from .efg import to_efg


def load(tree: GameTree) -> Any:
    """*tree* as OpenSpiel's ``efg_game``. Raises ``NotApplicableError`` where OpenSpiel is not installed."""
    return _pyspiel().load_efg_game(to_efg(tree, portable=True))


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
