"""Conversion to and from OpenSpiel (https://github.com/google-deepmind/open_spiel)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from ..base.errors import FAILURES, PASSED_ON, NotApplicableError, ProfileError, RulesError, kind_of
from ..base.words import player_names, quiet
from ..forms.extensive import MAX_NODES, NONE, GameTree, build, kept
from ..games.protocol import Chance, Decision, End, Game, Turn
from ..strategies.tree_profile import Strategy
from .efg import to_efg

LARGEST_DENOMINATOR = 10**6
"""Maximum denominator of the fraction that replaces an OpenSpiel float."""

NEAR = 1e-9
"""Maximum difference between an OpenSpiel float and its fraction."""


def tree(theirs: Any, max_nodes: int = MAX_NODES, progress: Callable[[str], None] = quiet) -> GameTree:
    """Return the tree of the OpenSpiel game or state *theirs*, with OpenSpiel's information sets.

    Simultaneous moves become consecutive moves; later players do not see earlier moves. Raises ``NotApplicableError``
    for sampled chance, for imperfect information without information states, and for a state of a simultaneous-move
    game. Raises ``RulesError`` if a number is not close to a short fraction, and ``TreeTooLargeError`` if there are
    more than *max_nodes* nodes. *progress*: see ``forms.extensive.build``.
    """
    # Drop the rules, because a file cannot name an OpenSpiel object. Policies need the states.
    rules = OpenSpielGame(theirs)
    found = replace(build(rules, max_nodes=max_nodes, progress=progress))
    object.__setattr__(found, "origin", rules)
    return found


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

    def after(self, state: Any) -> list[Callable[[], Any]]:
        """Return, for each child of the tree's node at *state*, a function that makes its state."""
        chance = state.is_chance_node()
        moves = [a for a, p in state.chance_outcomes() if p] if chance else state.legal_actions()
        return [partial(state.child, move) for move in moves]

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


def policy(strategy: Strategy, theirs: Any) -> Any:
    """Return *strategy* as a ``pyspiel.TabularPolicy`` for *theirs*, the result of ``load`` on the strategy's tree.

    Nodes and actions are matched by position. Raises ``ProfileError`` if *theirs* is another game, and
    ``NotApplicableError`` if the strategy has no tree.
    """
    profile = strategy.tree_profile
    if profile is None:
        raise NotApplicableError(f"{strategy.name} has no tree; strategy.on(tree) plays it on one")
    tree, table = profile.tree, {}
    for node, state in _side_by_side(tree, theirs):
        if state.is_chance_node() or state.is_terminal():
            continue
        row = zip(state.legal_actions(), profile.probabilities[tree.infoset[node]], strict=True)
        table[state.information_state_string()] = [(action, float(p)) for action, p in row]
    return _pyspiel().TabularPolicy(table)


def rows(policy: Any, tree: GameTree) -> Iterator[list[float]]:
    """Yield the probabilities of *policy*, an OpenSpiel policy, at each information set in ``tree.personal``.

    *tree* must have been built from an OpenSpiel game. ``policy.action_probabilities(state)`` is called with one state
    of each information set. The states are computed once and kept with the tree. Raises ``NotApplicableError`` for
    other trees, and ``ProfileError`` if the policy fails.
    """
    for k, (state, actions) in zip(tree.personal, _states(tree), strict=True):
        where = f"the policy {type(policy).__name__} at {tree.names[k]!r}"
        try:
            played = policy.action_probabilities(state)
        except PASSED_ON:
            raise
        except FAILURES as error:
            said = f": {error}" if str(error) else ""
            raise ProfileError(f"{where} raised {type(error).__name__}{said}") from error
        if not isinstance(played, Mapping) or not played.keys() <= set(actions):
            raise ProfileError(f"{where} returned {kind_of(played)}, not probabilities of the actions {actions}")
        yield [played.get(action, 0.0) for action in actions]


@kept
def _states(tree: GameTree) -> list[tuple[Any, list[int]]]:
    """Return a state and its actions for each information set in ``tree.personal``."""
    rules = tree.origin
    if not isinstance(rules, OpenSpielGame):
        hint = "build the tree from OpenSpiel's game, e.g. eb.build(pyspiel.load_game('kuhn_poker'))"
        raise NotApplicableError(f"{tree.title}: an OpenSpiel policy needs OpenSpiel's states; {hint}")
    wanted = sorted(tree.first_nodes[k] for k in tree.personal)
    found, stack = {}, [(0, rules.root())]
    while stack:
        node, state = stack.pop()
        if wanted[bisect_left(wanted, node) : bisect_left(wanted, node + 1)]:
            found[int(tree.infoset[node])] = state, state.legal_actions()
        for child, after in zip(tree.children(node), rules.after(state), strict=True):
            if bisect_left(wanted, child) < bisect_left(wanted, child + int(tree.sizes[child])):
                stack.append((child, after()))
    return [found[k] for k in tree.personal]


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
