"""The subject of a report: a solution, with cached results for the sections."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from markupsafe import Markup

from ...base.errors import NotApplicableError, NotSolvedError, ParameterError, TreeTooLargeError
from ...base.rationals import Number, is_played
from ...equilibria.bids import BidFigures
from ...equilibria.ranges import Ranges, ranges
from ...equilibria.solution import Solution
from ...equilibria.solution_facts import BLUFFING
from ...equilibria.solve import Plan
from ...forms.extensive import GameTree, revisits
from ...forms.hand_names import Label, displayed
from ...games.bidding import BiddingGame
from ...games.catalogue import identify, make
from ...games.protocol import DealtGame, Game
from ...proof.reach import payoff_chances, public_by_moves, reaches
from ...solvers.protocol import two_player_constant_sum_with_recall
from ...strategies.reached import support_tree
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..markup import render
from ..pages.page import Part

MOST_NODES = 200_000
"""The maximum number of nodes of a support tree in a report."""


@dataclass(frozen=True)
class Section:
    """A section of the report. ``id`` is the target of links; a section with scripts (``needs``) is not printed."""

    id: str
    title: str
    body: Markup
    needs: Part | None = None


@dataclass(frozen=True)
class Commands:
    """The command lines that make the report, and that solve, verify and play the game."""

    report: str
    solve: str
    verify: str
    play: str = ""


@dataclass(frozen=True, eq=False)
class Played:
    """A profile on the whole tree or the support tree, and the reach probabilities of its parts.

    ``dealt``: whether the game is a deal followed by public play.
    """

    profile: TreeProfile
    dealt: bool

    @property
    def tree(self) -> GameTree:
        return self.profile.tree

    @cached_property
    def reach(self) -> Sequence[Number]:
        """The reach probability of each node."""
        return reaches(self.tree, self.profile)

    @cached_property
    def met(self) -> dict[int, Number]:
        """The reach probability of each reached information set, by its index in ``tree``."""
        met: dict[int, Number] = {}
        again = revisits(self.tree)
        for node, (k, chance) in enumerate(zip(self.tree.infoset.tolist(), self.reach, strict=True)):
            if k >= 0 and chance and node not in again:
                met[k] = met.get(k, 0) + chance
        return met

    @cached_property
    def public(self) -> bool:
        """Whether there is a public view: all players see exactly the moves of all players."""
        return public_by_moves(self.tree, dealt=self.dealt) is not None


@dataclass(frozen=True, eq=False)
class About:
    """The solution of a report, with the ranges over all equilibria (None if unknown), and the commands to print.

    ``file`` is the name of the file that contains the strategies, or empty if they were just found.
    """

    solution: Solution
    commands: Commands
    ranges: Ranges | None = None
    file: str = ""

    @property
    def game(self) -> Game | None:
        return self.solution.game

    @property
    def dealt(self) -> DealtGame | None:
        """The game, if it is a deal followed by public play."""
        return self.solution.subject.dealt

    @property
    def bidding(self) -> BiddingGame | None:
        return None if self.game is None else self.game.bidding_game

    @property
    def plays(self) -> str:
        """The command that plays against the strategies; strategies that are not an equilibrium need their file."""
        file = "" if self.equilibrium else f" --solution {shlex.quote(self.file or 'solution.json.gz')}"
        return f"{self.commands.play}{file}"

    @property
    def checks(self) -> str:
        """The command that verifies ``file`` or, on separate lines, the commands that make a file and verify it.

        The strategies in a file may be the result of a search with any options, which nobody could repeat.
        """
        verify = self.commands.verify.replace("SOLUTION", shlex.quote(self.file or "solution.json.gz"))
        return verify if self.file else f"{self.commands.solve}\n{verify}"

    @cached_property
    def label(self) -> Label:
        """A function that returns the display name of a hand or an information set."""
        return displayed(self.game)

    @property
    def equilibrium(self) -> bool:
        """Whether the strategies are a verified equilibrium; the report calls no other strategies an equilibrium."""
        return self.solution.status == "equilibrium"

    @property
    def strategies(self) -> TreeProfile | SparseProfile | None:
        """The strategies, with or without a tree; None if none were found or verified."""
        return None if self.solution.verdict is None else self.solution.strategy

    @cached_property
    def played(self) -> Played | None:
        """The strategies on a tree; None if there are no strategies, or the tree is too large."""
        if self.solution.verdict is None:
            return None
        profile, sparse = self.solution.profile, self.solution.sparse
        if sparse is not None:
            try:
                profile = sparse.on(support_tree(sparse, max_nodes=MOST_NODES))
            except TreeTooLargeError:
                return None
        return None if profile is None else Played(profile, self.dealt is not None)

    @cached_property
    def chances(self) -> tuple[dict[Fraction, Number], ...]:
        """For each player, the probability of each payoff; empty without ``played``."""
        return () if self.played is None else payoff_chances(self.played.profile, self.played.reach)

    @cached_property
    def bids(self) -> tuple[BidFigures, ...]:
        return tuple(row for row in self.solution.bids if is_played(row.made))

    @cached_property
    def bluffs(self) -> list[tuple[str, Number, float]]:
        """Each player's name, fraction of bluffs, and number of bids per 100 rounds; empty if bids are not claims."""
        return [
            (
                name,
                bluffed,
                100 * float(sum(row.made for row in self.bids if self.solution.players[row.player] == name)),
            )
            for name, bluffed in self.solution.bluffs.shares.items()
        ]

    @property
    def bluff(self) -> str:
        if self.game is None or self.game.pictures != "dice":
            return f"a bid {BLUFFING}"
        wild = " and no wild die" if getattr(self.game, "wild", None) is not None else ""
        return f"a bid on a face by a player who has no die of this face{wild}"

    @property
    def here(self) -> str:
        """The words that attribute figures to the strategies."""
        return "in this equilibrium" if self.equilibrium else "by these strategies"

    def render(self, name: str, /, **values: object) -> Markup:
        known = {"about": self, "solution": self.solution, "players": self.solution.players}
        return render(f"report/{name}.html", **known, **values)

    def section(self, name: str, title: str, needs: Part | None = None, /, **values: object) -> Section:
        """Return the report's section *name*; its template uses *values*."""
        return Section(name, title, self.render(name, **values), needs)


RANGED_NODES = 1_500
"""The maximum number of nodes of a game for which the report computes ranges over all equilibria.

Computing the ranges takes seconds.
"""


def commands_for(solution: Solution, output: str) -> Commands:
    """Return the command lines for the solution's game; a tree without a named game is called ``FILE.efg``."""
    named = None if solution.game is None else identify(solution.game)
    words = ["FILE.efg"]
    if named is not None:
        name, settings = named
        for key in tuple(settings):
            fewer = {other: value for other, value in settings.items() if other != key}
            # Omit settings that change nothing, unless other settings need them.
            with suppress(ParameterError):
                settings = fewer if make(name, fewer) == solution.game else settings
        words = [name, *(f"{key}={value}" for key, value in settings.items())]
    return commands_of(words, output, refine=asks_to_refine(solution))


def asks_to_refine(solution: Solution) -> bool | None:
    """Return the setting *refine* with which a command finds *solution* again; None for the default.

    Other methods find sequential equilibria too, in games to which refining does not apply.
    """
    refined, subject = solution.refined is not None, solution.tree if solution.tree is not None else solution.game
    if subject is None or refined is (Plan.choose(subject).refine is None):
        return None
    if refined and solution.tree is not None and two_player_constant_sum_with_recall(solution.tree) is not None:
        return None
    return refined


def commands_of(
    words: Sequence[str],
    output: str,
    options: Sequence[str] = (),
    *,
    extra: Sequence[str] = (),
    refine: bool | None = None,
) -> Commands:
    """Return the command lines for the game *words*, with *options* for solving and *extra* options for the report.

    *refine* is the result of ``asks_to_refine``. File names have no folders, because reports are shared.
    """
    words, output = [*(Path(word).name for word in words[:1]), *words[1:]], Path(output).name
    how = [] if refine is None else ["--refine" if refine else "--no-refine"]
    made = ["efg-builder", "report", *words, *extra, *([] if extra else how), *options, "-o", output]
    solved = ["efg-builder", "solve", *words, *how, *options, "-o", "solution.json.gz"]
    # The solution of a tree does not name its game, so the command must.
    verified = ["efg-builder", "verify", "SOLUTION", *words]
    played = ["efg-builder", "play", *words, *how]
    return Commands(*map(shlex.join, (made, solved, verified, played)))


def known_ranges(solution: Solution, progress: Callable[[str], None]) -> Ranges | None:
    """Return the ranges over all equilibria; None if the game is too large or has no such ranges."""
    if solution.tree is None or len(solution.tree) > RANGED_NODES or solution.status != "equilibrium":
        return None
    try:
        return ranges(solution.tree, vertices=0, progress=progress)
    except (NotApplicableError, NotSolvedError):
        return None
