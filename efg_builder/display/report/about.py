"""What a report is about: a solution, read or found, with what the sections ask of it, worked out once."""

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
from ...equilibria.ranges import Ranges, ranges
from ...equilibria.solution import BidFigures, Solution
from ...equilibria.solve import Plan
from ...forms.hand_names import Label, displayed
from ...games.bidding import BiddingGame, DiceBidding
from ...games.catalogue import identify, make
from ...games.protocol import DealtGame, Game
from ...proof.reach import payoff_chances, public_by_moves, reaches
from ...strategies.reached import support_tree
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..markup import render
from ..pages.page import Part

MOST_NODES = 200_000
"""Strategies without a tree are shown node by node up to this many nodes of the support tree."""


@dataclass(frozen=True)
class Section:
    """One section of the report: ``id`` for links; a section that ``needs`` scripts is not for paper."""

    id: str
    title: str
    body: Markup
    needs: Part | None = None


@dataclass(frozen=True)
class Commands:
    """The command lines that the report names: what made it, what makes and proves the solution's file, what plays."""

    report: str
    solve: str
    verify: str
    play: str = ""

    @property
    def solve_and_verify(self) -> str:
        """The commands that make the solution's file and prove it, a line each."""
        return f"{self.solve}\n{self.verify.replace('SOLUTION', 'solution.json.gz')}"


@dataclass(frozen=True, eq=False)
class About:
    """A solution to report on; ``ranges`` over all equilibria, where they are known; ``commands`` to print.

    ``file``: the name of the file that the strategies were read from, or empty where they were found just now.
    """

    solution: Solution
    commands: Commands
    ranges: Ranges | None = None
    file: str = ""

    @property
    def game(self) -> Game | None:
        """The rules, where they are known."""
        return self.solution.game

    @property
    def dealt(self) -> DealtGame | None:
        """The rules, where they are those of a deal followed by public play."""
        return self.game if isinstance(self.game, DealtGame) else None

    @property
    def bidding(self) -> BiddingGame | None:
        """The rules, where they are those of bidding."""
        return self.game if isinstance(self.game, BiddingGame) else None

    @cached_property
    def label(self) -> Label:
        """The display names of hands and information sets."""
        return displayed(self.game)

    @property
    def equilibrium(self) -> bool:
        """Whether it is a verified equilibrium: nothing else may be called one."""
        return self.solution.status == "equilibrium"

    @property
    def strategies(self) -> TreeProfile | SparseProfile | None:
        """The strategies, on a tree or without; None where nothing was found, or it could not be judged."""
        return None if self.solution.verdict is None else self.solution.strategy

    @cached_property
    def played(self) -> TreeProfile | None:
        """The profile, on the whole tree or on the support tree; None where there is none, or the tree is too large."""
        found = self.strategies
        if not isinstance(found, SparseProfile):
            return found
        try:
            return found.on(support_tree(found, max_nodes=MOST_NODES))
        except TreeTooLargeError:
            return None

    @cached_property
    def reach(self) -> Sequence[Number]:
        """The probability of each node of ``played``'s tree."""
        assert self.played is not None
        return reaches(self.played.tree, self.played)

    @cached_property
    def met(self) -> dict[int, Number]:
        """The probability of each information set that is reached, by its index in ``played``'s tree."""
        assert self.played is not None
        found: dict[int, Number] = {}
        for k, chance in zip(self.played.tree.infoset.tolist(), self.reach, strict=True):
            if k >= 0 and chance:
                found[k] = found.get(k, 0) + chance
        return found

    @cached_property
    def chances(self) -> tuple[dict[Fraction, Number], ...]:
        """How likely each payoff is, player by player; empty where there is nothing ``played``."""
        return () if self.played is None else payoff_chances(self.played, self.reach)

    @cached_property
    def public(self) -> bool:
        """Whether the players' moves are all that everybody sees of ``played``, so that it has a public view."""
        return self.played is not None and public_by_moves(self.played.tree, dealt=self.dealt is not None) is not None

    @cached_property
    def free(self) -> frozenset[int] | None:
        """The information sets, by index, where other equilibria do otherwise; None where that is not known."""
        if self.ranges is None:
            return None
        return frozenset(a.infoset for a in self.ranges.actions if a.conditional is not None and not a.forced)

    @cached_property
    def bids(self) -> tuple[BidFigures, ...]:
        """Every bid that is made; empty where there are none."""
        return tuple(row for row in self.solution.bids if is_played(row.made))

    @cached_property
    def bluffs(self) -> list[tuple[str, Number, float]]:
        """Each player's name, how much of the player's bids is bluff, and bids in 100 rounds; empty without claims."""
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
        """What a bid is that counts as a bluff, in plain words."""
        wild = ", nor a wild one" if isinstance(self.game, DiceBidding) and self.game.wild is not None else ""
        return f"a bid on a face that the bidder does not hold at all{wild}"

    @property
    def here(self) -> str:
        """Where figures of play hold."""
        return "in this equilibrium" if self.equilibrium else "by these strategies"

    def render(self, name: str, /, **values: object) -> Markup:
        """The template *name* of the report, with *values*."""
        known = {"about": self, "solution": self.solution, "players": self.solution.players}
        return render(f"report/{name}.html", **known, **values)

    def section(self, name: str, title: str, needs: Part | None = None, /, **values: object) -> Section:
        """The section *name* of the report, with *values* for its template."""
        return Section(name, title, self.render(name, **values), needs)


RANGED_NODES = 1_500
"""For games up to this size all equilibria are looked at, which takes seconds."""


def commands_for(solution: Solution, output: str) -> Commands:
    """The command lines for the solution's game by its name and settings; for a tree from anywhere, ``FILE.efg``."""
    named = None if solution.game is None else identify(solution.game)
    words = ["FILE.efg"]
    if named is not None:
        name, settings = named
        for key in tuple(settings):
            fewer = {other: value for other, value in settings.items() if other != key}
            # What changes nothing need not be typed; other settings may be refused without it.
            with suppress(ParameterError):
                settings = fewer if make(name, fewer) == solution.game else settings
        words = [name, *(f"{key}={value}" for key, value in settings.items())]
    return commands_of(words, output, refine=asks_to_refine(solution))


def asks_to_refine(solution: Solution) -> bool | None:
    """What a command must be told to find *solution* again: to refine it, not to, or (None) nothing."""
    refined, subject = solution.refined is not None, solution.tree if solution.tree is not None else solution.game
    return None if subject is None or refined is (Plan.choose(subject).refine is None) else refined


def commands_of(
    words: Sequence[str],
    output: str,
    options: Sequence[str] = (),
    *,
    extra: Sequence[str] = (),
    refine: bool | None = None,
) -> Commands:
    """The command lines for the game that *words* name; *options* are those of solving, *extra* those of reporting.

    *refine*: what they must be told, as ``asks_to_refine`` gives it. Files have no folders: a report is shared.
    """
    words, output = [*(Path(word).name for word in words[:1]), *words[1:]], Path(output).name
    how = [] if refine is None else ["--refine" if refine else "--no-refine"]
    made = ["efg-builder", "report", *words, *extra, *([] if extra else how), *options, "-o", output]
    solved = ["efg-builder", "solve", *words, *how, *options, "-o", "solution.json.gz"]
    # A solution of a tree does not name its game: what it is checked against has to be said.
    verified = ["efg-builder", "verify", "SOLUTION", *words]
    played = ["efg-builder", "play", *words, *how]
    return Commands(*map(shlex.join, (made, solved, verified, played)))


def known_ranges(solution: Solution, progress: Callable[[str], None]) -> Ranges | None:
    """All equilibria, where the game is small and of a form for which they are computed; otherwise None."""
    if solution.tree is None or len(solution.tree) > RANGED_NODES or solution.status != "equilibrium":
        return None
    try:
        return ranges(solution.tree, vertices=0, progress=progress)
    except (NotApplicableError, NotSolvedError):
        return None
