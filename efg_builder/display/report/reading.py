"""What a report needs besides the solution found just now: one read from a file, and the ranges of small games."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Sequence

from ...base.errors import NotApplicableError, NotSolvedError, TreeTooLargeError
from ...equilibria.ranges import Ranges, ranges
from ...equilibria.solution import Judged, Solution
from ...forms.extensive import GameTree, build
from ...games import identify, make
from ...games.protocol import Game
from ...proof import Verdict, verify
from ...proof.certificate import read_solved
from ...solvers import Facts
from ...solvers.lp.lp import inapplicable
from ...strategies.tree_profile import TreeProfile
from .about import Commands

RANGED_NODES = 1_500
"""For games up to this size, all equilibria are looked at, and a refined one is shown: seconds."""


def read_for_report(path: str | os.PathLike[str], game: Game | GameTree) -> Solution:
    """The strategies in the solution file at *path*, judged here and now: what the file claims is not believed.

    Raises what ``read_solution`` and ``read_sparse`` raise, and ``TreeTooLargeError``.
    """
    began = time.monotonic()
    found = read_solved(path, game, lambda: build(game) if isinstance(game, Game) else game)
    tree = found.tree if isinstance(found, TreeProfile) else None
    verdict: Verdict | None = None
    try:
        verdict = verify(found)
    except NotApplicableError as error:
        if tree is None:
            raise
        status, message = "no-result", str(error)
    else:
        failed = "bracket" if tree is None else "not-an-equilibrium"
        status, message = "equilibrium" if verdict.equilibrium else failed, ""
    seconds = time.monotonic() - began
    rules = game if isinstance(game, Game) else found.game
    return Solution(tree, "file", status, message, seconds, (Judged(found, verdict),), game=rules)


def commands_for(solution: Solution, output: str) -> Commands:
    """The command lines for the solution's game by its name and settings; for a tree from anywhere, ``FILE.efg``."""
    named = None if solution.game is None else identify(solution.game)
    words = ["FILE.efg"]
    if named is not None:
        name, settings = named
        for key in tuple(settings):
            # What changes nothing need not be typed.
            fewer = {other: value for other, value in settings.items() if other != key}
            settings = fewer if make(name, fewer) == solution.game else settings
        words = [name, *(f"{key}={value}" for key, value in settings.items())]
    plain = [] if solution.refined is not None or not refines(_subject(solution)) else ["--no-refine"]
    return commands_of(words, output, extra=plain, refined=solution.refined is not None)


def commands_of(
    words: Sequence[str],
    output: str,
    options: Sequence[str] = (),
    *,
    extra: Sequence[str] = (),
    refined: bool = False,
) -> Commands:
    """The command lines for the game that *words* name; *options* are those of solving, *extra* those of reporting.

    *refined*: the equilibrium is one of ``solve --refine``.
    """
    refine = ["--refine"] if refined else []
    made = ["efg-builder", "report", *words, *extra, *options, "-o", output]
    solved = ["efg-builder", "solve", *words, *refine, *options, "-o", "solution.json.gz"]
    # A solution of a tree does not name its game: what it is checked against has to be said.
    verified = ["efg-builder", "verify", "SOLUTION", *words]
    played = ["efg-builder", "play", *words, *refine]
    return Commands(*map(shlex.join, (made, solved, verified, played)))


def refines(subject: Game | GameTree | None) -> bool:
    """Whether a handout shows the refined equilibrium where nothing else is asked for: of small games, seconds.

    That is for two players, constant sum and perfect recall, as refining is.
    """
    if isinstance(subject, Game):
        try:
            subject = build(subject, max_nodes=RANGED_NODES)
        except TreeTooLargeError:
            return False
    return subject is not None and len(subject) <= RANGED_NODES and inapplicable(Facts(subject)) is None


def _subject(solution: Solution) -> Game | GameTree | None:
    return solution.tree if solution.tree is not None else solution.game


def known_ranges(solution: Solution, progress: Callable[[str], None]) -> Ranges | None:
    """All equilibria, where the game is small and of a form for which they can be told; otherwise None."""
    if solution.tree is None or len(solution.tree) > RANGED_NODES or solution.status != "equilibrium":
        return None
    try:
        return ranges(solution.tree, vertices=0, progress=progress)
    except (NotApplicableError, NotSolvedError):
        return None
