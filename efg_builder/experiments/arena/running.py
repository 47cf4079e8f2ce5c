"""A run of an arena, which claims blocks of games, plays them and writes the results."""

from __future__ import annotations

import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from math import ceil
from pathlib import Path

from ...base.errors import (
    EfgBuilderError,
    FileError,
    NotApplicableError,
    NotSolvedError,
    ParameterError,
    check_kind,
)
from ...base.parameters import check_seconds
from ...base.words import progress_of
from ...games.catalogue import identify
from ...games.match_rules import MatchRules
from ...interop.trees import GameLike, as_subject
from ...players import TIMEOUT
from ..jobs.executors import InProcess, executor
from ..jobs.running import Jobs, Run
from ..jobs.store import OPEN, RUNNING, Store
from . import results as units
from .expected import ExpectedPayoffs
from .play import MOST_SEED, Contest
from .results import Description, Standings, read_pairings, read_standings
from .schedule import block_size, contestants, pairings
from .tally import Tally, count

MOST_GAMES = 10**9  # the maximum number of games of a pairing
TASK = 1.0  # the approximate computing time of a task in seconds; a killed process loses one task


def run_arena(
    subject: GameLike | MatchRules,
    players: Iterable[object],
    games: int,
    *,
    path: str | os.PathLike[str] | None = None,
    seed: int = 0,
    workers: int | None = None,
    timeout: float = TIMEOUT,
    measured: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Standings:
    """Play a round robin of *players*, and return the results with Elo ratings.

    A script that uses other processes must protect the call with ``if __name__ == "__main__":``.

    Parameters
    ----------
    subject : GameLike or MatchRules
        A game or a tree, which is played in single rounds, or the rules of a match.
    players : iterable of str, path, Strategy or Solution
        Names, files, patterns of files such as ``"neural:nets/*.npz"``, strategies, or pairs (name, strategy).
    games : int
        The number of games of each pairing, at least 1, rounded up so that each deal is played in all its seatings.
    path : str or path, optional
        A SQLite file. Later runs can continue the arena with more games or players; several runs can share the file.
    seed : int, default 0
        The seed of the deals and the moves.
    workers : int, optional
        The number of processes, at least 1; 1 means the current process. The default is one process per core.
    timeout : float, default 60
        Time limit in seconds for a player that solves the game.
    measured : bool, default True
        Whether to compute exact expected payoffs, if the game is small enough.
    progress : callable, optional
        A function that receives lines of progress.

    Returns
    -------
    Standings
        The payoffs of each pairing, with 95% confidence intervals, and the ratings.

    Raises
    ------
    ParameterError
        If an argument is invalid.
    FileError
        If a file cannot be read or is damaged.
    NotApplicableError
        If a player cannot play the game.
    NotSolvedError
        If processes die repeatedly.

    Examples
    --------
    >>> import efg_builder as eb
    >>> table = eb.run_arena("kuhn", ["uniform", "equilibrium"], games=100, workers=1)
    >>> table.games, table.meetings[0].exact(0)
    (100, Fraction(-1, 6))
    """
    match = subject if isinstance(subject, MatchRules) else None
    given = match or as_subject("run_arena", subject, "a game, a tree or rules of a match")
    players = None if isinstance(players, str | bytes) else players  # type: ignore[assignment]
    check_kind("run_arena", players, Iterable, "a list of players", "for example, write ['uniform', 'always-call']")
    for name, value in {"games": games, "seed": seed, "workers": 1 if workers is None else workers}.items():
        check_kind("run_arena", value, int, f"a whole number as {name}", "for example, write 1")
    if workers is not None and workers < 1:
        raise ParameterError(f"workers={workers}: must be a whole number of at least 1")
    if path is not None:
        check_kind("run_arena", path, (str, os.PathLike), "the path of a file as path", "for example, write 'arena.db'")
    progress = progress_of("run_arena", progress)
    check_seconds(timeout)
    if not 1 <= games <= MOST_GAMES or not 0 <= seed <= MOST_SEED:
        limits = f"games must be from 1 to {MOST_GAMES:,}, and seed from 0 to {MOST_SEED}"
        raise ParameterError(f"games={games}, seed={seed}: {limits}")
    who = contestants(players)
    contest = Contest.of(given, who, timeout, progress)
    wanted = pairings([one.name for one in who], contest.seats)
    contest.open()
    deals = ceil(games / contest.seats)
    index = {one.name: k for k, one in enumerate(who)}
    asked = _description(contest, seed, deals)
    with _kept(path) as file, executor(workers, here=True) as pool:
        task = partial(play, contest) if isinstance(pool, InProcess) else partial(play_sent, packed(contest))
        with units.joined(file, asked, who, wanted, deals) as store:
            # Read all pairings, to find damage before play.
            slots = {pairing: names for pairing, names, _ in read_pairings(store.connection, file, contest.seats)}
            seated = {k: tuple(index[name] for name in names) for k, names in slots.items() if set(names) <= {*index}}
            described = units.describe(store.connection, file) or asked
            _ArenaRun(store, pool, progress, task, seated, described).work()
            if measured:
                _measure(store, contest, seated)
        return read_standings(file, set(index))


def _measure(store: Store, contest: Contest, seated: Mapping[int, tuple[int, ...]]) -> None:
    """Write the expected payoffs of the pairings that lack them. ``seated[pairing]``: the players' indices."""
    payoffs, ahead = ExpectedPayoffs(contest), units.pairings_without_expectation(store)
    for k, pairing in enumerate(ahead):
        contest.progress(f"exact values: {k:,} of {len(ahead):,} pairings")
        units.expect(store, pairing, payoffs.of(seated[pairing]).to_json())


@contextmanager
def _kept(path: str | os.PathLike[str] | None) -> Iterator[Path]:
    if path is not None:
        yield Path(path)
        return
    with tempfile.TemporaryDirectory(prefix="efg-arena-") as folder:
        yield Path(folder) / "arena.db"


def _description(contest: Contest, seed: int, deals: int) -> Description:
    what, name, settings = "rounds", "tree", dict[str, str]()
    subject, match = contest.subject, contest.match
    title = subject.title if match is None else match.title
    if match is not None:
        what, name, settings = "matches", "liars-dice", dict(match.settings)
    elif subject.given_rules is not None:
        name, settings = identify(subject.given_rules) or (type(subject.given_rules).__name__, {})
    else:
        settings = {"sha256": sha256(subject.tree().to_efg().encode()).hexdigest()[:16]}
    return Description(what, name, settings, title, contest.seats, seed, block_size(deals))


Unit = tuple[tuple[int, ...], int, int]
"""The indices of a pairing's players, the block, and the number of deals to play."""

Done = list[tuple[Tally, float]]  # the result of each unit, and its computing time in seconds


@dataclass(eq=False)
class _ArenaRun(Run[Done]):
    task: Callable[[int, Sequence[Unit]], Done]
    pairings: Mapping[int, tuple[int, ...]]
    about: Description
    deals: int = field(default=0, init=False)
    seconds: float = field(default=0.0, init=False)

    unit = "games"

    def together(self) -> int:
        each = self.seconds / self.deals * self.about.block if self.deals else TASK
        return max(1, int(TASK / max(each, 1e-6)))

    def submit(self, jobs: Jobs) -> Future[Done]:
        if any(min(unit["block"], unit["deals"]) < 0 for unit in jobs):
            raise FileError(
                f"{self.store.path} is damaged: a block has a negative number, or a negative number of deals"
            )
        given = [(self.pairings[unit["pairing"]], unit["block"], unit["deals"]) for unit in jobs]
        return self.pool.submit(self.task, self.about.seed, given)

    def record(self, jobs: Jobs, result: Done) -> None:
        units.finish(self.store, jobs, result)
        self.deals += sum(unit["deals"] for unit in jobs)
        self.seconds += sum(spent for _, spent in result)

    def counts(self) -> Mapping[str, int]:
        return {status: deals * self.about.seats for status, deals in self.store.counts("sum(deals)").items()}

    def seconds_left(self, counts: Mapping[str, int], width: int) -> float | None:
        ahead = counts.get(OPEN, 0) + counts.get(RUNNING, 0)
        return self.seconds / self.deals / self.about.seats * ahead / width if self.deals else None


# Functions that run in other processes.


_seated: dict[bytes, Contest] = {}
"""The contest of the current run; the key is the pickled contest."""


def packed(contest: Contest) -> bytes:
    """Return the pickled *contest*. Raises ``ParameterError`` if a player cannot be pickled."""
    for player in contest.players:
        try:
            pickle.dumps(player)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            why = f"it cannot be sent to other processes ({error}); workers=1 uses only this process"
            raise ParameterError(f"the player {player.name!r}: {why}") from None
    return pickle.dumps(Contest(contest.subject, contest.players, contest.timeout, match=contest.match))


def play(contest: Contest, seed: int, units: Sequence[Unit]) -> Done:
    """Play *units*, and measure the computing time of each unit."""
    done = []
    for pairing, block, deals in units:
        began = time.perf_counter()
        done.append((count(contest, pairing, seed, block, deals), time.perf_counter() - began))
    return done


def play_sent(sent: bytes, seed: int, units: Sequence[Unit]) -> Done:
    """Play *units* in the contest that ``packed`` pickled; the process caches the contest.

    Raises ``NotSolvedError``, and ``NotApplicableError`` for any other error of a player, because these two can be
    pickled.
    """
    if sent not in _seated:
        _seated.clear()
        _seated[sent] = pickle.loads(sent)
    try:
        return play(_seated[sent], seed, units)
    except NotSolvedError:
        raise
    except EfgBuilderError as error:
        raise NotApplicableError(str(error)) from None
