"""One player's strategy in the form that measuring needs: rows on a tree, sparse rows, or full-width arrays.

What is not written down is completed: by the game's default move (``"default"``) or by all moves alike
(``"uniform"``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real

from ..base.errors import NotApplicableError, ParameterError, PlayerError, ProfileError, nearest
from ..base.naming import distinct
from ..base.rationals import Number
from ..forms.extensive import GameTree
from ..games.protocol import DealtGame, Game, PublicDecision
from ..strategies.dense_profile import WideStrategy
from ..strategies.sparse_profile import Behavior, SparseProfile
from ..strategies.strategy_file import StrategyFile
from ..strategies.strategy_rows import by_rules, by_tree, check_game
from ..strategies.tree_profile import Profile, check_distribution
from . import Play, Policy
from .kinds import uniform as uniform_player

COMPLETIONS = ("default", "uniform")

Given = Play | StrategyFile
"""A strategy as it was given: what a player will do, or what stands in a file."""


@dataclass(frozen=True)
class Seat:
    """What is played in one seat, and of how many information sets it was written down; ``sets``: all there are."""

    written: int
    sets: int
    completion: str | None

    @property
    def completed(self) -> int:
        """The information sets of which nothing was written down."""
        return self.sets - self.written


def completion(given: Given, asked: str | None, game: Game | None) -> str | None:
    """How *given* is completed where nothing is written; None for what tells all moves by itself.

    Raises ``ParameterError`` for a completion that does not exist, or that this game lacks.
    """
    if asked not in (None, *COMPLETIONS):
        raise ParameterError(f"complete={asked!r}: {nearest(str(asked), COMPLETIONS)}")
    if not isinstance(given, StrategyFile):
        return None
    if asked == "default" and not isinstance(game, DealtGame):
        raise ParameterError("complete=default: only dealt games, such as liars-dice, have a default move; use uniform")
    return asked or ("default" if isinstance(game, DealtGame) else "uniform")


@dataclass(frozen=True, eq=False)
class Ground:
    """A tree, with the rules it was made from where they are known."""

    tree: GameTree
    game: Game | None

    @cached_property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """Each player's information sets."""
        owned: list[list[int]] = [[] for _ in self.tree.players]
        for k in self.tree.personal:
            owned[self.tree.infosets[k].player].append(k)
        return tuple(map(tuple, owned))

    @cached_property
    def turns(self) -> dict[int, tuple[PublicDecision, int]]:
        """Of a dealt game: the public turn and the hand at each information set."""
        assert isinstance(self.game, DealtGame)
        index = {self.tree.infosets[k].label: k for k in self.tree.personal}
        found = {}
        for turn in public_turns(self.game):
            for hand in range(self.game.hand_counts[turn.player]):
                found[index[self.game.infoset_name(turn.player, hand, turn.history)]] = turn, hand
        return found


def public_turns(game: DealtGame) -> Iterator[PublicDecision]:
    """All turns of public play."""
    stack = [game.public_root()]
    while stack:
        turn = game.public_turn(stack.pop())
        if isinstance(turn, PublicDecision):
            yield turn
            stack += [state for _, state in reversed(turn.actions)]


def asked(policy: Policy, game: DealtGame, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
    """What *policy* answers, checked.

    Raises ``ProfileError``, which names the policy, the information set, the player and the hand's index; what the
    function itself raised is its cause, but for a ``PlayerError``, which is passed on.
    """
    label, legal = game.infoset_name(turn.player, hand, turn.history), [action for action, _ in turn.actions]
    where = f"policy {policy.name!r} at {label!r} ({game.players[turn.player]}, hand {hand}, history {turn.history!r})"
    try:
        behavior = policy.at(turn, hand)
    except PlayerError:
        raise  # it names the player itself
    except Exception as error:
        said = f": {error}" if str(error) else ""
        raise ProfileError(f"{where}: it raised {type(error).__name__}{said}") from error
    if not isinstance(behavior, Mapping):
        right = f"{{{legal[0]!r}: 1}}"
        raise ProfileError(f"{where}: it returned {type(behavior).__name__}, not probabilities by move such as {right}")
    for action, p in behavior.items():
        if action not in legal:
            raise ProfileError(f"{where}: {action!r} is no move at {label!r}; {nearest(str(action), legal)}")
        if not isinstance(p, Real):
            raise ProfileError(f"{where}: the probability of {action!r} is {type(p).__name__}, not a number")
    try:
        check_distribution(tuple(behavior.values()), len(behavior), label)
    except ProfileError as error:
        raise ProfileError(f"{where}: {error}") from None
    return behavior


def on_tree(given: Given, player: int, ground: Ground, how: str | None) -> tuple[dict[int, tuple[Number, ...]], Seat]:
    """The rows of *player*'s sets by index in ``tree.infosets``. Raises ``ProfileError`` where they do not fit."""
    mine, tree = ground.sets[player], ground.tree
    if isinstance(given, StrategyFile):
        check_game(given, ground.game, tree.title)
        written = {k: row for k, row in by_tree(given, tree, ground.game).items() if k in set(mine)}
        full = {k: written[k] if k in written else _completed(ground, k, how) for k in mine}
        return full, Seat(len(written), len(mine), how)
    if isinstance(given, Profile):
        if given.tree is not tree and given.tree != tree:
            raise ProfileError(f"the profile is of {given.tree.title!r}, not of {tree.title!r}")
        return {k: given.probabilities[k] for k in mine}, Seat(len(mine), len(mine), how)
    if not isinstance(ground.game, DealtGame):
        raise NotApplicableError(f"{tree.title}: only dealt games can be played by hand and public history")
    if isinstance(given, SparseProfile):
        profile = given.on(tree)
        return {k: profile.probabilities[k] for k in mine}, Seat(len(mine), len(mine), how)
    if isinstance(given, WideStrategy):
        raise NotApplicableError("strategies in arrays are measured over arrays (method wide)")
    rows = {}
    for k in mine:
        turn, hand = ground.turns[k]
        behavior = asked(given, ground.game, turn, hand)
        rows[k] = tuple(behavior.get(action, Fraction(0)) for action in tree.infosets[k].actions)
    return rows, Seat(len(mine), len(mine), how)


def _completed(ground: Ground, k: int, how: str | None) -> tuple[Number, ...]:
    width = len(distinct(ground.tree.infosets[k].actions))
    if how == "uniform":
        return (Fraction(1, width),) * width
    assert isinstance(ground.game, DealtGame)
    default = ground.game.default_action(ground.turns[k][0])
    return tuple(Fraction(int(action == default)) for action in range(width))


def as_sparse(given: Given, player: int, game: DealtGame, how: str | None) -> SparseProfile | None:
    """*given* as sparse rows of which those of *player* count; None where it has no such form.

    Raises ``ProfileError`` where it does not fit the game.
    """
    if isinstance(given, StrategyFile) and how == "default":
        check_game(given, game, game.title)
        rows = by_rules(given, game)
        if all(
            isinstance(p, Fraction) for hands in rows[player].values() for row in hands.values() for p in row.values()
        ):
            kept: list[dict[str, dict[int, Behavior]]] = [{} for _ in game.players]
            kept[player] = {
                history: {hand: {a: Fraction(p) for a, p in row.items()} for hand, row in hands.items()}
                for history, hands in rows[player].items()
            }
            return SparseProfile(game, tuple(kept))
        return None
    if isinstance(given, Profile) and given.exact:
        return SparseProfile.from_profile(game, given)
    return given if isinstance(given, SparseProfile) else None


UNIFORM = Policy(uniform_player.play, last_bid_only=True)
"""What completes by ``"uniform"``."""
