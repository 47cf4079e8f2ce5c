"""A run of an arena: claims units, has them played, writes their results, until there is nothing left to do."""

from __future__ import annotations

import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from hashlib import sha256
from math import ceil
from pathlib import Path

from ...base.errors import EfgBuilderError, NotApplicableError, NotSolvedError, ParameterError, check_kind
from ...base.words import quiet
from ...forms.extensive import GameTree
from ...games.catalogue import identify
from ...games.match_rules import MatchRules
from ...games.protocol import Game
from ...players import TIMEOUT
from ..jobs.claims import give_back
from ..jobs.executors import InProcess, executor
from ..jobs.pool import Pool
from ..jobs.progress import in_words, work_through
from . import store as units
from .contestants import contestants
from .expected import ExpectedPayoffs
from .play import MOST_SEED, Contest, Subject
from .results import Standings, read_pairings, read_standings
from .schedule import block_size, pairings
from .store import ClaimedUnit, Description
from .tally import Tally, count

MOST_GAMES = 10**9
"""Of one pairing."""

TASK = 1.0
"""Approximate seconds of work that a process is given at a time; it loses them when it is killed."""

RETRIES = 2
"""Units whose process dies are played this often again; then the run ends."""


def run_arena(
    subject: Game | GameTree | MatchRules,
    players: Iterable[object],
    games: int,
    *,
    path: str | os.PathLike[str] | None = None,
    seed: int = 0,
    workers: int | None = None,
    timeout: float = TIMEOUT,
    measured: bool = True,
    progress: Callable[[str], None] = quiet,
) -> Standings:
    """Play a round robin of *players*: *games* games of each pairing, a few more to fill a deal. Returns its table.

    *subject* is a game or a tree (single rounds) or the rules of a match (``match_rules``). *players* are
    names, files, patterns of files, strategies, or (name, strategy) (``contestants.contestants``). The rows are
    kept in the SQLite file *path* (None: nowhere), where a later run goes on, with more games or players too; several
    runs may work on one file. *workers* processes, one for each core where None; 1: no other process but this.
    *timeout*: seconds for players that solve. *measured*: compute exact values where the game is small.

    Raises ``ParameterError``, ``FileError``, ``NotApplicableError`` and errors of the players before anything is
    played, and ``NotSolvedError`` where processes die again and again. On ``KeyboardInterrupt`` units under way are
    open again. A script that calls it with other processes needs ``if __name__ == "__main__":``.
    """
    check_kind(
        "run_arena",
        subject,
        (Game, GameTree, MatchRules),
        "a game, a tree or rules of a match",
        "eb.game(...) makes a game",
    )
    if not 1 <= games <= MOST_GAMES or not 0 <= seed <= MOST_SEED:
        raise ParameterError(f"games={games}, seed={seed}: from 1 to {MOST_GAMES:,} games, seeds from 0 to {MOST_SEED}")
    who = contestants(players)
    contest = Contest(subject, who, timeout, progress)
    wanted = pairings([one.name for one in who], contest.seats)
    contest.open()
    deals = ceil(games / contest.seats)
    index = {one.name: k for k, one in enumerate(who)}
    place: AbstractContextManager[Pool] = nullcontext(InProcess()) if workers == 1 else executor(workers)
    described = _description(subject, contest.seats, seed, deals)
    with _kept(path) as file, place as pool:
        with units.joined(file, described, who, wanted, deals) as store:
            for _ in read_pairings(store.connection, file, contest.seats):
                pass  # damage is found before anything is played
            _play_all(store, pool, contest, index, progress)
            if measured:
                _measure(store, ExpectedPayoffs(contest), index, progress)
        return read_standings(file, set(index))


@contextmanager
def _kept(path: str | os.PathLike[str] | None) -> Iterator[Path]:
    if path is not None:
        yield Path(path)
        return
    with tempfile.TemporaryDirectory(prefix="efg-arena-") as folder:
        yield Path(folder) / "arena.db"


def _description(subject: Subject, seats: int, seed: int, deals: int) -> Description:
    if isinstance(subject, MatchRules):
        return Description("matches", "liars-dice", subject.settings, subject.title, seats, seed, block_size(deals))
    if isinstance(subject, GameTree):
        digest = sha256(subject.to_efg().encode()).hexdigest()[:16]
        return Description("rounds", "tree", {"sha256": digest}, subject.title, seats, seed, block_size(deals))
    name, settings = identify(subject) or (type(subject).__name__, {})
    return Description("rounds", name, settings, subject.title, seats, seed, block_size(deals))


def _play_all(
    store: units.ArenaStore,
    pool: Pool,
    contest: Contest,
    index: dict[str, int],
    progress: Callable[[str], None],
) -> None:
    """Play all units of *store* that no other run plays."""
    deals, seconds, lost = 0, 0.0, 0
    seats, block, seed = store.description.seats, store.description.block, store.description.seed
    here = isinstance(pool, InProcess)
    task = partial(play, contest) if here else partial(play_sent, packed(contest))

    def claim(room: int) -> Iterator[tuple[Future[Done], list[ClaimedUnit]]]:
        together = max(1, int(TASK / max(seconds / deals * block, 1e-6))) if deals else 1
        claimed = units.claim(store, room * together)
        for part in (claimed[k::room] for k in range(room)):
            if part:
                yield (
                    pool.submit(
                        task, seed, [(tuple(index[name] for name in one.slots), one.block, one.deals) for one in part]
                    ),
                    part,
                )

    def record(future: Future[Done], part: list[ClaimedUnit]) -> None:
        """Write the results of one task; where its process died its units are open again, until that was too often."""
        nonlocal deals, seconds, lost
        try:
            done = future.result()
        except pool.lost:
            lost += 1
            give_back(store, [((one.pairing, one.block), one.tries) for one in part])
            if lost > RETRIES:
                raise NotSolvedError(f"processes of the arena died {lost} times; the same command goes on") from None
            return
        except CancelledError:
            raise KeyboardInterrupt from None
        units.finish(store, part, done)
        deals += sum(one.deals for one in part)
        seconds += sum(spent for _, spent in done)

    def report(busy: bool) -> None:
        """``1,200 of 10,000 games, about 3 s left``."""
        known = units.counts(store)
        total, done = sum(known.values()), known.get("done", 0)
        each = seconds / deals / seats if deals else None
        left = in_words(None if each is None else each * (total - done) / max(pool.width(), 1))
        if not busy and not known.get("open"):
            left = "waiting for another run"
        progress(", ".join(filter(None, [f"{done:,} of {total:,} games", left])))

    work_through(store, pool, claim, record, lambda: units.counts(store), report)


def _measure(
    store: units.ArenaStore, payoffs: ExpectedPayoffs, index: dict[str, int], progress: Callable[[str], None]
) -> None:
    """Compute the expected payoffs of each pairing that has none yet."""
    ahead = units.pairings_without_expectation(store)
    for k, (pairing, slots) in enumerate(ahead):
        progress(f"exact values: {k:,} of {len(ahead):,} pairings")
        units.expect(store, pairing, payoffs.of([index[name] for name in slots]).to_json())


# In the processes.


Unit = tuple[tuple[int, ...], int, int]
"""The players of a pairing (by index), the block, and how many deals of it they play."""

Done = list[tuple[Tally, float]]
"""The result of each unit, and its seconds."""

_seated: dict[bytes, Contest] = {}
"""In each process: the contest of its run, by its bytes."""


def packed(contest: Contest) -> bytes:
    """*contest* for other processes. Raises ``ParameterError`` where a player cannot be sent there."""
    for player in contest.players:
        try:
            pickle.dumps(player)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            why = f"it cannot be sent to other processes ({error}); workers=1 plays here"
            raise ParameterError(f"the player {player.name!r}: {why}") from None
    return pickle.dumps(Contest(contest.subject, contest.players, contest.timeout))


def play(contest: Contest, seed: int, units: Sequence[Unit]) -> Done:
    """Play *units* in *contest*."""
    done = []
    for pairing, block, deals in units:
        began = time.perf_counter()
        done.append((count(contest, pairing, seed, block, deals), time.perf_counter() - began))
    return done


def play_sent(sent: bytes, seed: int, units: Sequence[Unit]) -> Done:
    """Play *units* in the contest that ``packed`` made, which this process keeps.

    Raises ``NotSolvedError``, and ``NotApplicableError`` for all other errors of players: these two can be pickled.
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
