"""Find players by name, and read strategies from names, files and objects.

A player receives a ``Table``, and returns a ``Strategy`` for every seat. Each module in ``.kinds`` lists its players in
a tuple ``PLAYERS``. All these modules are imported at the first use of a player's name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..base.errors import NotApplicableError, ParameterError, ProfileError, kind_of, nearest
from ..base.foreign import is_gambits
from ..base.machine import memory_here
from ..base.parameters import Parameter, Registry, read_settings, summary_of
from ..base.words import one_line, quiet
from ..forms.bidding_form import class_size
from ..forms.extensive import GameTree
from ..forms.subject import Subject
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game
from ..interop.gambit.mapping import read_strategy
from ..proof.verify import WAYS, best_responses, in_sparse_form, suited_measure
from ..strategies.policy import Policy, Seated
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import Strategy, TreeProfile, bidding_of_two, dealt, named
from . import TIMEOUT
from .tabular import is_tabular, profile_of

AUTO, *_ = METHODS = WAYS
"""The methods of ``evaluate``; ``auto`` chooses a method for the game and the strategies."""

SMALL_NODES = 5_000  # maximum number of nodes of a game for which ``auto`` uses the tree
MEMORY_SHARE = 0.75  # default memory limit for arrays, as a fraction of the machine's memory
GIB = 1 << 30


@dataclass(frozen=True)
class Table:
    """The game, and the settings for players that compute a strategy before play.

    ``timeout``, ``gap``, ``complete`` and ``max_memory`` are as in ``evaluate``, and ``refine`` is as in ``solve``. If
    ``live`` is true, policies choose one move at a time, as a person must. If ``verified`` is true, only a verified
    equilibrium is played. ``note`` is a function that receives a line about an equilibrium that may use an empty
    threat.
    """

    subject: Subject
    timeout: float = TIMEOUT
    progress: Callable[[str], None] = quiet
    complete: str | None = None
    max_memory: int | None = None
    live: bool = False
    gap: float | Fraction | None = None
    refine: bool | None = None
    verified: bool = False
    note: Callable[[str], object] = quiet

    @property
    def game(self) -> Game | None:
        """The rules, unless the game was given as a tree."""
        return self.subject.given_rules

    @property
    def title(self) -> str:
        return self.subject.title

    def tree(self) -> GameTree:
        """Return the game's tree, which is built at the first call. Raises ``TreeTooLargeError``."""
        return self.subject.tree()

    def respond(self, word: str) -> Strategy:
        """Return, for each seat, a best response to the player or file *word* in all other seats."""
        found = find(word, replace(self, live=False))
        over, (form,) = measured_over(AUTO, self, [found])
        kind = None if over != "dense" else float_kind(self, [found], self.max_memory, True, self.progress)
        return best_responses(dealt(form, self.game), over, kind, self.progress)

    def rules(self, name: str, kind: type, what: str) -> Any:
        """Return the rules. Raises ``NotApplicableError`` for player *name* unless they are an instance of *kind*."""
        rules = self.subject.rules
        if not isinstance(rules, kind):
            here = f"the tree of {self.title} without its rules" if rules is None else self.title
            raise NotApplicableError(f"{name} plays only {what}, not {here}")
        return rules

    def dealt(self, name: str) -> DealtGame:
        game: DealtGame = self.rules(name, DealtGame, "dealt games, such as liars-dice")
        return game

    def bidding(self, name: str) -> BiddingGame:
        game: BiddingGame = self.rules(name, BiddingGame, "bidding games, such as liars-dice")
        return game


@dataclass(frozen=True)
class Player:
    """A player of the registry.

    ``sit(table, **settings)`` returns the player's strategy, or raises ``NotApplicableError`` if the player cannot play
    the game. ``parameters`` follow the name, as in ``"zero-intelligence:call_z=0.3:tail=exact"``.
    ``main`` names the parameter, if any, that ``"NAME:VALUE"`` sets to the whole text after the first colon.
    """

    name: str
    summary: str
    sit: Callable[..., Strategy]
    parameters: tuple[Parameter, ...] = ()
    main: str = ""

    def settings(self, text: str) -> dict[str, Any]:
        """Return the value of every parameter. *text* contains the settings after the player's name and a colon.

        Raises ``ParameterError``, which names the player, the key and the value.
        """
        known = {parameter.name for parameter in self.parameters}
        words = text.split(":") if text else []
        if self.main and words and words[0].partition("=")[0] not in known:
            given = {self.main: text}
        elif wrong := [word for word in words if "=" not in word]:
            raise ParameterError(f"{self.name}: {wrong[0]!r} is not a setting; write KEY=VALUE:KEY=VALUE")
        else:
            given = {key: value for key, _, value in (word.partition("=") for word in words)}
        return read_settings(self.name, self.parameters, given)


def players() -> MappingProxyType[str, Player]:
    """Return the loadable players of this package and of installed packages, by name."""
    return REGISTRY.all()


def _player_of(given: Any, name: str) -> Player:
    """Return the player for *given*, an entry point's object: a strategy, or the function of a ``Policy``."""
    strategy = given if isinstance(given, Strategy) else Policy(given)
    return Player(name, summary_of(given) or "a player of an installed package", lambda table: strategy)


REGISTRY = Registry("efg_builder.players", f"{__package__}.kinds", "PLAYERS", "player", Player, _player_of)


def invite(word: str) -> Callable[[Table], Strategy]:
    """Return a function from a table to the strategy of *word*, ``"NAME"`` or ``"NAME:KEY=VALUE:KEY=VALUE"``.

    Raises ``ParameterError`` for an unknown name, key or value.
    """
    name, _, text = word.partition(":")
    player = REGISTRY.find(name)
    return partial(player.sit, **player.settings(text))


def find(given: object, table: Table, call: str = "find") -> Strategy:
    """Return the strategy *given* in the game of *table*. *call* is the name of the caller in messages.

    *given* is a player's name with its settings, a file, a mapping (as in a ``.json`` file), a solution, a strategy, a
    pygambit profile, or numbers as in ``tabular``. Raises ``ParameterError`` for anything else. Raises ``ProfileError``
    for a strategy of another game. Also raises the errors of the reader and the player.
    """
    if isinstance(given, str | os.PathLike):
        word = os.fspath(given)
        if word.partition(":")[0] in REGISTRY:
            return named(fitting(invite(word)(table), table), word)
        return _read(word, table)
    strategy = getattr(given, "strategy", given)  # *given* may be a solution
    if isinstance(strategy, Strategy):
        keeps_name = strategy is given or strategy.sparse_profile is not None
        return fitting(strategy if keeps_name else named(strategy, "solution"), table)
    if isinstance(given, Mapping) or is_gambits(given):
        return _read(given, table)
    if is_tabular(given):
        return dealt(profile_of(given, table.tree()), table.game)
    wanted = "a player's name, a file, a mapping, a strategy, an array or a function"
    hint = f"{given.__name__}(...) makes an object" if isinstance(given, type) else "for example, write 'uniform'"
    hint = "numpy.array(rows) makes an array" if isinstance(given, list) else hint
    raise ParameterError(f"{call}() takes {wanted}, not {kind_of(given)}; {hint}")


def shown(name: str) -> str:
    """Return the name of a strategy for display: a player with its settings, or a file without its folders."""
    return one_line(name if name.partition(":")[0] in players() else os.path.basename(name))


def fitting(strategy: Strategy, table: Table) -> Strategy:
    """Return *strategy* in the table's game. Raises ``ProfileError`` if the strategy is for another game."""
    if (policy := strategy.policy) is not None:
        if table.subject.dealt is None:
            raise NotApplicableError(
                f"{table.title}: a policy needs the rules of a dealt game, because moves depend on the hand and the "
                "public history; for other games, pass a function of an information set's name itself"
            )
        return policy.of(table.subject.dealt)
    if strategy.game is None:
        return dealt(strategy, table.game)
    if table.game is not None and strategy.game != table.game:
        what = "arrays" if strategy.measure == "dense" else "strategies"
        raise ProfileError(f"the {what} are for {strategy.game.title!r}, not for {table.title!r}")
    return strategy


def _read(word: str | Mapping[str, Any], table: Table) -> Strategy:
    if isinstance(word, str) and not Path(word).suffix and not Path(word).exists():
        problem = f"there is no player {word!r}, and no such file; {nearest(word.partition(':')[0], players())}"
        raise ParameterError(problem)
    return read_strategy(word, table.subject, table.complete)


def measured_over(method: str, table: Table, strategies: Sequence[Strategy]) -> tuple[str, list[Strategy]]:
    """Return the method for *strategies*, and each strategy in the form that this method needs."""
    if method not in METHODS:
        raise ParameterError(f"there is no method {method!r} to measure; {nearest(method, METHODS)}")
    if method == AUTO:
        method = suited_measure(table.subject.given_dealt, strategies, SMALL_NODES)
    if method == "tree":
        tree = table.tree()
        return method, [strategy.on(tree) for strategy in strategies]
    if method == "sparse":
        return method, [in_sparse_form(strategy) for strategy in strategies]
    # ``Seated`` caches the rows that it computes.
    return method, [Seated((strategy, strategy)) for strategy in strategies]


def drawn_form(
    name: object, strategy: Strategy, table: Table, method: str = AUTO
) -> tuple[str, TreeProfile | SparseProfile]:
    """Return the method for *strategy*, and the strategy's form for a picture. Messages call the strategy *name*.

    Raises ``NotApplicableError`` for a strategy that reaches every history of a large game.
    """
    over, (form,) = measured_over(method, table, [strategy])
    drawn = form.tree_profile or form.sparse_profile
    if drawn is None:
        raise NotApplicableError(f"{name} reaches every history of {table.title}, too many for a picture")
    return over, drawn


def float_kind(
    table: Table,
    strategies: Sequence[Strategy],
    max_memory: int | None,
    exploiter: bool,
    announce: Callable[[str], None],
) -> Any:
    """Return the float type of arrays: 64 bits if *max_memory* allows, else 32 bits. An *exploiter* needs more memory.

    Raises ``NotApplicableError`` if neither type fits, or if the game is not a two-player bidding game.
    """
    import numpy as np

    from ..proof.dense import memory

    game = bidding_of_two(table.game)
    if game is None:
        raise NotApplicableError(f"{table.title}: arrays are for two-player bidding games, such as liars-dice")
    there = memory_here()
    limit = 8 * GIB if there is None else int(MEMORY_SHARE * there)
    limit = limit if max_memory is None else max_memory
    histories = class_size(len(game.bid_names))
    beside = exploiter * histories * sum(game.hand_counts)
    for strategy in strategies:
        # Array files (memory-mapped) and policies that depend only on the last bid (small) need no additional memory.
        if strategy.measure != "dense" and not strategy.last_bid_only:
            beside += histories * sum(game.hand_counts) * np.dtype(np.float64).itemsize
    for kind in (np.float64, np.float32):
        needed = memory(game, kind) + beside
        if needed <= limit:
            bits = 8 * np.dtype(kind).itemsize
            announce(f"arrays of {histories:,} histories a player, {bits} bits: {_size(needed)} of memory")
            return kind
    larger = "set a larger limit with --max-memory (max_memory=); " if there is None or needed <= there else ""
    raise NotApplicableError(
        f"{game.title}: arrays over all {2 * histories:,} histories need {_size(needed)} of memory, over the limit "
        f"of {_size(limit)}; {larger}'efg-builder arena' estimates payoffs against other players from sampled games"
    )


def _size(count: int) -> str:
    unit, name = (GIB, "GiB") if count >= GIB else (GIB >> 10, "MiB")
    return f"{count / unit:,.3g} {name}"
