"""Conversion to and from OpenSpiel (https://github.com/google-deepmind/open_spiel)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from ..base.errors import NotApplicableError, ProfileError, RulesError
from ..base.words import player_names
from ..forms.extensive import MAX_NODES, NONE, GameTree, build
from ..games.protocol import Chance, Decision, End, Game, Turn
from ..strategies.tree_profile import TreeProfile
from .efg import to_efg

LARGEST_DENOMINATOR = 10**6
"""Maximum denominator of the fraction that replaces an OpenSpiel float."""

NEAR = 1e-9
"""Maximum difference between an OpenSpiel float and its fraction."""


def tree(theirs: Any, max_nodes: int = MAX_NODES) -> GameTree:
    """Return the tree of the OpenSpiel game or state *theirs*, with OpenSpiel's information sets.

    Simultaneous moves become consecutive moves; later players do not see earlier moves. Raises ``NotApplicableError``
    for sampled chance, for imperfect information without information states, and for a state of a simultaneous-move
    game. Raises ``RulesError`` if a number is not close to a short fraction, and ``TreeTooLargeError`` if there are
    more than *max_nodes* nodes.
    """
    # Drop the rules, because a file cannot name an OpenSpiel object.
    return replace(build(OpenSpielGame(theirs), max_nodes=max_nodes))


class OpenSpielGame(Game):
    """An OpenSpiel game as a ``Game`` whose states are OpenSpiel states."""

    players: tuple[str, ...] = ()
    title = ""
    comment = "from OpenSpiel"

    def __init__(self, theirs: Any) -> None:
        is_game = hasattr(theirs, "new_initial_state")
        game = theirs if is_game else theirs.get_game()
        kind, start = game.get_type(), None if is_game else theirs.clone()
        if kind.dynamics == kind.Dynamics.SIMULTANEOUS and is_game:
            game = _pyspiel().convert_to_turn_based(game)
            kind = game.get_type()
        self._perfect = kind.information == kind.Information.PERFECT_INFORMATION
        lacking = (
            "simultaneous moves" * (kind.dynamics != kind.Dynamics.SEQUENTIAL)
            or "no information states" * (not kind.provides_information_state_string and not self._perfect)
            or "sampled chance" * (kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC)
        )
        if lacking:
            raise NotApplicableError(f"OpenSpiel's game {kind.short_name} has {lacking}, so it has no tree")
        self.title, self.players = str(theirs if is_game else game), player_names(game.num_players())
        self._start = game.new_initial_state() if start is None else start

    def root(self) -> Any:
        return self._start

    def turn(self, state: Any) -> Turn:
        if state.is_terminal():
            return End(tuple(_fraction(payoff, "payoff") for payoff in state.returns()))
        mover = state.current_player()
        if state.is_chance_node():
            outcomes = [(action, _fraction(p, "probability")) for action, p in state.chance_outcomes() if p]
            rolls = tuple((state.action_to_string(mover, a), p, state.child(a)) for a, p in outcomes)
            return Chance("", rolls)
        moves = tuple((state.action_to_string(mover, a), state.child(a)) for a in state.legal_actions())
        known = state.history_str() if self._perfect else state.information_state_string()
        return Decision(mover, " / ".join(filter(None, map(str.strip, known.split("\n")))), moves)


def _fraction(number: float, what: str) -> Fraction:
    found = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    if abs(found - Fraction(number)) > NEAR:
        raise RulesError(f"OpenSpiel's {what} {number!r} is not close to a fraction with a denominator up to 1,000,000")
    return found


def load(tree: GameTree) -> Any:
    """Return *tree* as OpenSpiel's ``efg_game``. Raises ``NotApplicableError`` if OpenSpiel is not installed."""
    return _pyspiel().load_efg_game(to_efg(tree, portable=True))


def policy(profile: TreeProfile, theirs: Any) -> Any:
    """Return *profile* as a ``pyspiel.TabularPolicy`` for *theirs*, the result of ``load`` on the profile's tree.

    Nodes and actions are matched by position. Raises ``ProfileError`` if *theirs* is another game.
    """
    tree, table = profile.tree, {}
    for node, state in _side_by_side(tree, theirs):
        if state.is_chance_node() or state.is_terminal():
            continue
        row = zip(state.legal_actions(), profile.probabilities[tree.infoset[node]], strict=True)
        table[state.information_state_string()] = [(action, float(p)) for action, p in row]
    return _pyspiel().TabularPolicy(table)


def _side_by_side(tree: GameTree, theirs: Any) -> Any:
    """Yield each node and its OpenSpiel state, in prefix order. Raises ``ProfileError`` if the games differ."""
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
            raise ProfileError(f"at node {node} OpenSpiel's game and the tree have different numbers of actions")
        yield node, state
        stack += [state.child(action) for action in reversed(actions)]
        node += 1
    if node < len(tree):
        raise ProfileError("OpenSpiel's game has fewer nodes than the tree")


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise NotApplicableError("OpenSpiel is not installed: pip install 'efg-builder[open-spiel]'") from None
    return pyspiel
