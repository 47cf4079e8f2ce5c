"""A run of an arena: claims units, has them played, writes what came of them, until there is nothing left to do."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ...base.errors import NotSolvedError, ParameterError, check_kind
from ...games import identify
from ...games.match_rules import MatchRules
from ...games.protocol import Game
from ...players.find import TIMEOUT
from ..jobs import live
from ..sweeps.pool import Pool
from ..sweeps.schedulers import executor
from ..sweeps.time_left import in_words
from . import store as units
from .contest import Contest, Subject, round_game
from .contestants import Patience, by_name, contestants
from .draws import MOST_SEED
from .expected import Oracle
from .pool import InProcess
from .results import Standings, read_standings
from .schedule import block_size, deals_for, pairings
from .store import Claim, Description, Store, joined
from .work import Done, Setup, Unit, packed, play, play_here

MOST_GAMES = 10**9
"""Of one pairing."""

TASK = 1.0
"""Seconds of work that are given to a process at a time, about: what a kill can cost each of them."""

RETRIES = 2
"""Units whose process dies are given to so many more; then the run ends."""

PAUSE = 0.5
"""Seconds between two looks at what other runs do, and two lines of progress."""


@dataclass
class _Run:
    """What changes while a run goes on: what is held, how long a deal takes, the processes lost, who was told when."""

    store: Store
    pool: Pool
    work: Callable[[list[Unit]], Future[Done]]
    index: dict[str, int]
    held: dict[Future[Done], list[Claim]] = field(default_factory=dict)
    deals: int = 0
    seconds: float = 0.0
    lost: int = 0
    spoken: float = float("-inf")


def run_arena(
    subject: Game | MatchRules,
    players: Iterable[object],
    games: int,
    *,
    path: str | os.PathLike[str] | None = None,
    seed: int = 0,
    workers: int | None = None,
    timeout: float = TIMEOUT,
    measured: bool = True,
    progress: Callable[[str], None] = lambda line: None,
) -> Standings:
    """Play a round robin of *players* and give its table: *games* games of each pairing, a few more to fill a deal.

    *subject* is a dealt game (single rounds) or the rules of a match (``match_rules``). *players* are
    names, files, patterns of files, strategies, or (name, strategy) (``contestants.contestants``). The rows are
    kept in the SQLite file *path* (None: nowhere), where a later run goes on, with more games or players too; several
    runs may work on one file. *workers* processes, one for each core where None; 1: no other process but this.
    *timeout*: seconds for players that solve. *measured*: work out exact values where the game is small.

    Raises ``ParameterError``, ``FileError``, ``NotApplicableError`` and what the players raise before anything is
    played, and ``NotSolvedError`` where processes die again and again. On ``KeyboardInterrupt`` what is being played is
    open again. A script that calls it with other processes needs ``if __name__ == "__main__":``.
    """
    check_kind("run_arena", subject, (Game, MatchRules), "a game or rules of a match", "eb.game(...) makes a game")
    if not 1 <= games <= MOST_GAMES or not 0 <= seed <= MOST_SEED:
        raise ParameterError(f"games={games}, seed={seed}: from 1 to {MOST_GAMES:,} games, seeds from 0 to {MOST_SEED}")
    if not isinstance(subject, MatchRules):
        subject = round_game(subject, ())  # type: ignore[arg-type]
    who = contestants(players)
    contest = Contest(subject, who, Patience(timeout), progress)
    wanted = pairings([one.name for one in who], contest.seats)
    contest.hall(subject.dice if isinstance(subject, MatchRules) else ())  # so that who cannot play says so now
    deals = deals_for(games, contest.seats)
    with _kept(path) as file, _pool(workers) as pool:
        with joined(file, _description(subject, contest.seats, seed, deals), who, wanted, deals) as store:
            setup = Setup(subject, who, seed, contest.patience)
            run = _Run(store, pool, _worker(pool, setup, contest), by_name(who))
            while _step(run):
                if time.monotonic() - run.spoken > PAUSE:
                    run.spoken = time.monotonic()
                    progress(_line(run))
            if measured:
                _measure(store, Oracle(contest), run.index, progress)
        return read_standings(file, {one.name for one in who})


@contextmanager
def _kept(path: str | os.PathLike[str] | None) -> Iterator[Path]:
    if path is not None:
        yield Path(path)
        return
    with tempfile.TemporaryDirectory(prefix="efg-arena-") as folder:
        yield Path(folder) / "arena.db"


@contextmanager
def _pool(workers: int | None) -> Iterator[Pool]:
    if workers == 1:
        yield InProcess()
        return
    with executor(workers) as pool:
        yield pool


def _worker(pool: Pool, setup: Setup, contest: Contest) -> Callable[[list[Unit]], Future[Done]]:
    if isinstance(pool, InProcess):
        return lambda some: pool.submit(play_here, setup, contest, some)
    sent = packed(setup)
    return lambda some: pool.submit(play, sent, some)


def _description(subject: Subject, seats: int, seed: int, deals: int) -> Description:
    if isinstance(subject, MatchRules):
        return Description("matches", "liars-dice", subject.settings, subject.title, seats, seed, block_size(deals))
    name, settings = identify(subject) or (type(subject).__name__, {})
    return Description("rounds", name, settings, subject.title, seats, seed, block_size(deals))


def _step(run: _Run) -> bool:
    """Claim what there is room for, and wait a moment for what ends; whether there is more to do."""
    live(run.store)
    room = run.pool.width() - len(run.held)
    for part in _parts(units.claim(run.store, room * _together(run)), room) if room > 0 else ():
        some = [Unit(tuple(run.index[name] for name in one.slots), one.block, one.deals) for one in part]
        run.held[run.work(some)] = part
    if not run.held:
        known = units.counts(run.store)
        if not known.get("open", 0) + known.get("running", 0):
            return False
        time.sleep(PAUSE)
        return True
    for future in wait(run.held, timeout=1.0, return_when=FIRST_COMPLETED)[0]:
        _record(run, future, run.held.pop(future))
    return True


def _together(run: _Run) -> int:
    """How many units make a task."""
    if not run.deals:
        return 1
    return max(1, int(TASK / max(run.seconds / run.deals * run.store.description.block, 1e-6)))


def _parts(claims: list[Claim], room: int) -> list[list[Claim]]:
    """*claims* for so many processes, about alike."""
    return [part for k in range(room) if (part := claims[k::room])]


def _record(run: _Run, future: Future[Done], claims: list[Claim]) -> None:
    """Write what one task came to; where its process died its units are open again, until that was too often."""
    try:
        done = future.result()
    except run.pool.lost:
        run.lost += 1
        units.give_back(run.store, claims)
        if run.lost > RETRIES:
            raise NotSolvedError(f"processes of the arena died {run.lost} times; the same command goes on") from None
        return
    except CancelledError:
        raise KeyboardInterrupt from None
    units.finish(run.store, claims, done.tallies, done.seconds)
    run.deals += sum(one.deals for one in claims)
    run.seconds += sum(done.seconds)


def _line(run: _Run) -> str:
    """``1,200 of 10,000 games, about 3 s left``."""
    known = units.counts(run.store)
    total, done = sum(known.values()), known.get("done", 0)
    seats, width = run.store.description.seats, max(run.pool.width(), 1)
    each = run.seconds / run.deals / seats if run.deals else None
    left = in_words(None if each is None else each * (total - done) / width)
    if not run.held and not known.get("open"):
        left = "waiting for another run"
    return ", ".join(filter(None, [f"{done:,} of {total:,} games", left]))


def _measure(store: Store, oracle: Oracle, index: dict[str, int], progress: Callable[[str], None]) -> None:
    """Work out what is to be expected of each pairing."""
    ahead = units.unexpected(store)
    for k, (pairing, slots) in enumerate(ahead):
        progress(f"exact values: {k:,} of {len(ahead):,} pairings")
        units.expect(store, pairing, oracle.of([index[name] for name in slots]).to_json())
