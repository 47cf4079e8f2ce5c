"""The game that a function works on: its rules, its tree, or both. The tree is built once, when it is first needed.

``interop.trees.as_subject`` makes a ``Subject`` of a name, a file, or an object of another package.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ..base.errors import ForgottenWarning, TreeTooLargeError
from ..base.words import plural, quiet
from ..games.catalogue import in_package
from ..games.checks import check_rules
from ..games.protocol import DealtGame, Game, Size, in_module_of_games
from .extensive import MAX_NODES, GameTree, build, kept
from .recall import forgotten


@dataclass(frozen=True)
class Subject:
    """A game, given as rules or as a tree.

    ``rules``: the rules; None if they are unknown, as for a tree from a file. ``given_tree``: the tree; None if the
    game was given by its rules alone. ``given``: the tree if it was given, otherwise the rules. ``max_nodes``: the
    maximum number of nodes of a tree to build.
    """

    rules: Game | None = None
    given_tree: GameTree | None = None
    max_nodes: int = MAX_NODES
    given: Game | GameTree = field(init=False, repr=False, compare=False)
    _trees: list[GameTree] = field(init=False, default_factory=list, repr=False, compare=False)  # at most one

    def __post_init__(self) -> None:
        given = self.rules if self.given_tree is None else self.given_tree
        if given is None:
            raise ValueError("a subject needs rules or a tree")
        if self.rules is not None and self.rules.dealt_game is not None and not in_module_of_games(type(self.rules)):
            check_rules(self.rules)  # methods without a tree rely on these rules
        object.__setattr__(self, "given", given)
        if self.given_tree is not None:
            self._trees.append(self.given_tree)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what was given: the tree, without its rules, or the rules, without a tree that was built from them."""
        return Subject, (self.given_rules, self.given_tree, self.max_nodes)

    @classmethod
    def of(cls, given: Game | GameTree | Subject, max_nodes: int = MAX_NODES) -> Subject:
        """Return *given* as a subject. The rules of a tree are those from which it was built."""
        if isinstance(given, Subject):
            return given
        if isinstance(given, GameTree):
            return cls(given.game, given, max_nodes)
        return cls(given, None, max_nodes)

    @property
    def given_rules(self) -> Game | None:
        """The rules if no tree was given, so that methods by rules are meant; otherwise None."""
        return self.rules if self.given_tree is None else None

    @property
    def dealt(self) -> DealtGame | None:
        """The rules if they are a deal followed by public play, otherwise None."""
        return None if self.rules is None else self.rules.dealt_game

    @property
    def given_dealt(self) -> DealtGame | None:
        """``dealt`` if no tree was given: such a game can be played without its tree."""
        return self.dealt if self.given_tree is None else None

    @property
    def title(self) -> str:
        return self.given.title

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(self.given.players)

    @property
    def known_tree(self) -> GameTree | None:
        """The tree if it was given or is already built, otherwise None."""
        return self._trees[0] if self._trees else None

    def tree(self, max_nodes: int | None = None, progress: Callable[[str], None] = quiet) -> GameTree:
        """Return the tree, which is built at the first call, with at most *max_nodes* nodes (default: the subject's).

        *progress*: see ``forms.extensive.build``. Raises ``TreeTooLargeError`` if the tree is not given and has
        more nodes, and the errors of ``build``.
        """
        if self.given_tree is not None:
            return self.given_tree
        most = self.max_nodes if max_nodes is None else max_nodes
        if not self._trees and self.rules is not None:
            self._trees.append(build(self.rules, max_nodes=most, progress=progress))
            if not in_package(self.rules):
                _warn_if_forgotten(self._trees[0])
        (tree,) = self._trees
        if len(tree) > most:
            raise TreeTooLargeError(len(tree), most)
        return tree

    def size(self) -> Size | None:
        """Return the exact size, as the rules or a known tree tell it without building a tree; None if neither does."""
        if self.given_rules is not None and (size := self.given_rules.size()) is not None:
            return size
        return None if self.known_tree is None else size_of(self.known_tree)


def _warn_if_forgotten(tree: GameTree) -> None:
    """Warn if a player forgets something, which in own rules is nearly always a mistake."""
    if found := forgotten(tree):
        more = f", and so at {plural(len(found) - 1, 'other information set')}" if len(found) > 1 else ""
        text = f"{tree.title}: {found[0].in_words(tree)}{more}; if this is a mistake, add it to the label"
        warnings.warn(ForgottenWarning(text, (tree.title, found[0].infoset)), stacklevel=4)


@kept
def size_of(tree: GameTree) -> Size:
    """Return the size of *tree*."""
    owners = Counter(tree.infosets[k].player for k in tree.personal)
    _, chance, decisions, ends = tree.node_counts.values()
    return Size(chance, decisions, ends, tuple(owners[player] for player in range(len(tree.players))))
