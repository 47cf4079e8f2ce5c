"""Matches solved backward, from the last dice to the first: each round for the worths of the rounds after it.

Backward induction over the standings of the match, which never repeat because every call costs dice. Each round is
a game of its own; where its solution is exact and the rounds after it are, so is its worth, and elsewhere the
bracket includes the brackets of the rounds after it.

Rounds are solved here, one after the other, or at once on the workers of an executor. A file in a shared folder asks
workers to stop, and others hold their lines of progress. A worker on another machine may not see that folder: its round
then does not stop early, and reports nothing before it ends.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from ...base.errors import FileError, NotSolvedError, ParameterError, check_kind, warnings_as_lines
from ...base.files import write_atomically
from ...base.rationals import parse
from ...base.surface import later
from ...base.words import VERIFYING, plural, quiet
from ...equilibria.solution import Judged, Solution
from ...equilibria.solve import solve
from ...games.catalogue import identify
from ...games.match_rules import Bounds, MatchRules, StakedRound, Stakes, in_words, wins
from ...proof import verify
from ...proof.certificate.chain import Pair, match_part, proved_match, standings
from ...proof.certificate.reading import read_strategies
from ...strategies.writing import encode

SMALL = 5_000_000
"""A round of fewer nodes is solved in this process: it takes about a second, as starting a process does."""

RETRIES = 2
"""A round whose worker dies is tried this often again."""

PATIENCE = 60.0
"""Seconds that rounds have on Ctrl-C to stop, and to prove the brackets that they have."""

LOOK = 0.5
"""Seconds between two lines of progress, here and on the workers."""

STOP = "stop"
"""The file that asks workers to stop."""


@dataclass(frozen=True)
class SolvedRound:
    """The round of ``pair`` (dice of the first bidder, and of the other): its worth to the first bidder, and its proof.

    ``solution`` is that of the round's game as plain data.
    """

    pair: Pair
    bounds: Bounds
    solution: Mapping[str, Any] = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether the round's worth is known as one fraction."""
        return self.bounds.width == 0


@dataclass(frozen=True)
class Match:
    """A match, as far as its ``rounds`` are solved: those with the fewest dice first.

    As text it is what ``efg-builder match`` prints.
    """

    rules: MatchRules
    rounds: tuple[SolvedRound, ...]

    def __repr__(self) -> str:
        worth = "" if self.worth is None else f", value {in_words(self.worth)}"
        return f"<Match of {self.rules.title!r}: {len(self.rounds)} of {len(self.rules.rounds())} rounds{worth}>"

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    @property
    def bounds(self) -> dict[Pair, Bounds]:
        """The worth of each round, and of the match from there on, to its first bidder."""
        return {each.pair: each.bounds for each in self.rounds}

    @property
    def complete(self) -> bool:
        """Whether all rounds are solved."""
        return len(self.rounds) == len(self.rules.rounds())

    @property
    def worth(self) -> Bounds | None:
        """The worth of the whole match to player 1, who bids first; None while the match is not complete."""
        return self.bounds.get((self.rules.dice[0], self.rules.dice[1]))

    def standings(self) -> tuple[tuple[Pair, int, Bounds], ...]:
        """Dice of players 1 and 2, the first bidder (from 0), and the worth of that standing to player 1."""
        return tuple(standings(self.rules, self.bounds))

    def draw(self, path: str | os.PathLike[str]) -> Path:
        """Draw who wins how often, by the dice left, to *path*. Raises ``ParameterError`` and ``FileError``."""
        drawn: Path = later("Match.draw")(self, path)
        return drawn

    def to_json(self) -> dict[str, Any]:
        """The match as plain data, its own certificate: ``verify_file`` proves it."""
        return match_part(self.rules, self.bounds, {each.pair: each.solution for each in self.rounds})

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write ``to_json`` to *path*, whole or not at all; compressed where *path* ends in ``.gz``."""
        return write_atomically(path, (part.encode() for part in (*encode(self.to_json()), "\n")))


def solve_match(
    rules: MatchRules,
    *,
    timeout: float | Fraction | None = None,
    gap: float | Fraction | None = None,
    progress: Callable[[str], None] = quiet,
    resume: Match | None = None,
    keep: Callable[[Match, Solution | None], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
) -> Match:
    """Solve the match of *rules*, which must be for two players, backward over the dice that are left.

    *timeout* is for each round, in seconds (None: no limit); its result is then a bracket, which the rounds with more
    dice include. *gap*: brackets at most this wide are enough. *resume*: a part of the match that is solved already;
    its rounds are kept where they are exact, or not wider than *gap*, and the others are solved on. Where the rounds
    after one are known better now, its strategies are judged for what these are worth now, and kept until better ones
    are found. *keep* is called
    after each round with the match so far, and with the round's solution where it was solved now. *checkpoint* begins
    the names of the files in which long rounds keep their state, and from which they go on.

    *executor*: rounds that do not depend on one another are solved at once on its workers (of ``concurrent.futures``,
    as ``jobs.executors.executor`` makes them), all but those of fewer than ``SMALL`` nodes. *keep* is called for the
    same rounds in the same order, in this process. A worker that dies costs its round another try.

    Ctrl-C ends the rounds at hand with a bracket, which *keep* is given, and then all, as ``KeyboardInterrupt``.
    Raises ``ParameterError`` for more players, or where *resume* is of another match, and ``NotSolvedError`` where a
    round ended without a bracket, or its workers died.
    """
    check_kind("solve_match", rules, MatchRules, "the rules of a match", "eb.match_rules({'dice': '2,2'}) makes them")
    if len(rules.dice) != 2:
        raise ParameterError(f"dice={','.join(map(str, rules.dice))}: matches of two players are solved, like dice=2,2")
    if resume is not None and replace(resume.rules, dice=rules.dice) != rules:
        raise ParameterError(f"cannot resume: {resume.rules.title!r} is another match than {rules.title!r}")
    before = {} if resume is None else {each.pair: each for each in resume.rounds}
    place: AbstractContextManager[Work | None] = nullcontext() if executor is None else work_on(executor)
    with place as work:
        state = _Solving(Match(rules, ()), before, list(rules.rounds()), timeout, gap, keep, checkpoint, work, progress)
        try:
            while state.waiting or (work and work.held):
                state.step()
        except KeyboardInterrupt:
            progress("stopping: what is being solved proves what it has; Ctrl-C again does without")
            for order, new in work.stop() if work else ():
                state.settle(order, new)
            raise
    return state.match


@dataclass
class _Solving:
    """The state of solving: rounds ``known`` (solved), ``waiting`` (not begun), and the solutions of rounds that are
    not yet in ``match``, which has them in the order of the rules (``news``).
    """

    match: Match
    before: dict[Pair, SolvedRound]
    waiting: list[Pair]
    timeout: float | Fraction | None
    gap: float | Fraction | None
    keep: Callable[[Match, Solution | None], None] | None
    checkpoint: str | os.PathLike[str] | None
    work: Work | None
    report: Callable[[str], None]
    known: dict[Pair, SolvedRound] = field(default_factory=dict)
    news: dict[Pair, Solution | None] = field(default_factory=dict)

    def stakes(self, pair: Pair) -> Stakes | None:
        try:
            return self.match.rules.stakes(pair, {each.pair: each.bounds for each in self.known.values()})
        except KeyError:
            return None

    def state_file(self, pair: Pair) -> Path | None:
        return None if self.checkpoint is None else Path(f"{self.checkpoint}.{pair[0]}-{pair[1]}.npz")

    def step(self) -> None:
        """Begin one round whose stakes are known; where there is none, wait a moment for one that is being solved.

        Raises ``KeyboardInterrupt`` after a round that was ended by one.
        """
        ready = ((pair, stakes) for pair in self.waiting if (stakes := self.stakes(pair)) is not None)
        pair, stakes = next(ready, (None, None))
        if pair is None or stakes is None:
            assert self.work is not None
            for order, new in self.work.ended():
                self.settle(order, new)
                _go_on(new)
            self.report(f"{len(self.known)} of {len(self.match.rules.rounds())} rounds; {self.work.latest_line()}")
            return
        self.waiting.remove(pair)
        found = _again(self.match.rules, self.before.get(pair), stakes)
        if found is not None:
            self.before[pair] = found
        if found is not None and (found.solution["exact"] or found.bounds.width <= (self.gap or 0)):
            # Exact for its stakes, or narrow enough: solving it again would be of no use.
            self.take(pair, found, None)
            return
        game, folder = self.match.rules.round_of(pair, stakes), self.work.folder if self.work else None
        order, size = Order(game, self.timeout, self.gap, self.state_file(pair), folder), game.size()
        if self.work is not None and (size is None or size.nodes >= SMALL):
            self.work.give(order)
            return
        new = solve_round(order, lambda line: self.report(f"{order.name}: {line}"))
        self.settle(order, new)
        _go_on(new)

    def settle(self, order: Order, new: Solution) -> None:
        pair = (order.game.dice[0], order.game.dice[1])
        stakes = self.stakes(pair)
        assert stakes is not None
        solved = SolvedRound(pair, stakes.around(*_ends(new)), new.to_json())
        found = _again(self.match.rules, self.before.get(pair), stakes)
        self.take(pair, solved if found is None or solved.bounds.width < found.bounds.width else found, new)

    def take(self, pair: Pair, found: SolvedRound, new: Solution | None) -> None:
        """Enter a solved round, and move to the match all rounds that are next in its order."""
        self.known[pair], self.news[pair] = found, new
        for following in self.match.rules.rounds()[len(self.match.rounds) :]:
            if following not in self.news:
                return
            new = self.news.pop(following)
            self.match = replace(self.match, rounds=(*self.match.rounds, self.known[following]))
            if self.keep is not None:
                self.keep(self.match, new)
            file = self.state_file(following)
            if file is not None and new is not None and new.exact:
                file.unlink(missing_ok=True)


def _go_on(new: Solution) -> None:
    if new.status == "interrupted":
        raise KeyboardInterrupt


@dataclass(frozen=True)
class Order:
    """A round to be solved, as plain values that can be sent anywhere.

    ``timeout`` in seconds, ``gap``: as of ``solve``. ``state``: the file that keeps the state of the
    search, and from which it goes on where it exists. ``folder``: of progress and the request to stop.
    """

    game: StakedRound
    timeout: float | Fraction | None = None
    gap: float | Fraction | None = None
    state: Path | None = None
    folder: Path | None = None

    @property
    def name(self) -> str:
        """``2 against 1``."""
        return " against ".join(map(str, self.game.dice))


@dataclass
class Work:
    """The rounds that are being solved on ``executor``; ``lost`` counts the workers that died under each."""

    executor: Executor
    folder: Path
    held: dict[Future[Solution], Order] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)

    def give(self, order: Order) -> None:
        """Submit *order*. Raises ``NotSolvedError`` where the executor accepts no more."""
        try:
            self.held[self.executor.submit(away, order)] = order
        except (BrokenExecutor, RuntimeError) as error:
            raise NotSolvedError(f"{order.name}: nobody is there to solve it: {error}") from None

    def ended(self, timeout: float = LOOK) -> Iterator[tuple[Order, Solution]]:
        """Those that ended by now, or within *timeout* seconds.

        Raises ``NotSolvedError`` where one failed, as where its workers died too often.
        """
        done, _ = wait(self.held, timeout=timeout, return_when=FIRST_COMPLETED)
        for future in done:
            order = self.held.pop(future)
            try:
                yield order, future.result()
            except CancelledError:
                raise NotSolvedError(f"{order.name}: it was dropped by the executor; --resume goes on") from None
            except getattr(self.executor, "lost", BrokenExecutor):
                self.lost[order.name] += 1
                if self.lost[order.name] > RETRIES:
                    raise NotSolvedError(f"{order.name}: its worker died {self.lost[order.name]} times") from None
                self.give(order)

    def stop(self, patience: float = PATIENCE) -> Iterator[tuple[Order, Solution]]:
        """Cancel what has not begun, ask the others to stop, and yield their results within *patience* seconds."""
        self.call_off()
        end = time.monotonic() + patience
        while self.held and (left := end - time.monotonic()) > 0:
            yield from self.ended(left)

    def call_off(self) -> None:
        """Cancel what has not begun, and ask the others to stop."""
        (self.folder / STOP).touch()
        for future in [future for future in self.held if future.cancel()]:
            del self.held[future]

    def latest_line(self) -> str:
        """The latest line of progress of any round; empty where there is none."""
        said: list[tuple[float, str, str]] = []
        for order in self.held.values():
            with contextlib.suppress(OSError):
                path = self.folder / order.name
                said.append((path.stat().st_mtime, order.name, path.read_text()))
        return ": ".join(max(said)[1:]) if said else ""


@contextmanager
def work_on(executor: Executor) -> Iterator[Work]:
    """Rounds to be solved on *executor*; leaving calls off what is left of them."""
    with tempfile.TemporaryDirectory(prefix="efg-builder-match-") as folder:
        work = Work(executor, Path(folder))
        try:
            yield work
        finally:
            work.call_off()


def solve_round(order: Order, progress: Callable[[str], None]) -> Solution:
    """One round, on from its state where there is one. Raises ``NotSolvedError`` where it ended without a bracket."""
    begin = partial(
        solve,
        order.game,
        "oracle",
        timeout=order.timeout,
        gap=order.gap,
        progress=progress,
        checkpoint=order.state,
    )
    try:
        found = begin(resume=order.state if order.state is not None and order.state.exists() else None)
    except FileError as error:
        progress(f"begun anew: {error}")
        found = begin()
    _ends(found)
    return found


def away(order: Order) -> Solution:
    """On a worker: solve *order*, report its progress, and stop on request."""
    spoken = float("-inf")

    def tell(line: str) -> None:
        nonlocal spoken
        now, folder = time.monotonic(), order.folder
        if folder is None or line == VERIFYING or now - spoken < LOOK:
            return
        spoken = now
        if (folder / STOP).exists():
            # Once: a round that was asked to stop is not asked again while it proves what it has.
            spoken = float("inf")
            raise KeyboardInterrupt
        with contextlib.suppress(OSError):
            (folder / order.name).write_text(line)

    with warnings_as_lines(lambda line: print(f"{order.name}: {line}", file=sys.stderr)):
        return solve_round(order, tell)


def _ends(found: Solution) -> tuple[Fraction, Fraction]:
    if not isinstance(found.lower, Fraction) or not isinstance(found.upper, Fraction):
        raise NotSolvedError(f"{found.title}: {found.message or found.status}", found.status == "timeout")
    return found.lower, found.upper


def _again(rules: MatchRules, found: SolvedRound | None, stakes: Stakes) -> SolvedRound | None:
    """*found* with its worth for these stakes; where it was played for others, its strategies judged for these."""
    if found is None:
        return None
    game = rules.round_of(found.pair, stakes)
    named = identify(game)
    assert named is not None
    if found.solution["game"]["settings"] != named[1]:
        profile = read_strategies(game, found.solution["strategies"])
        verdict = verify(profile)
        judged = Solution(
            tree=None,
            game=game,
            method=found.solution["method"],
            status="equilibrium" if verdict.equilibrium else "bracket",
            message="" if verdict.equilibrium else "strategies that were found for other stakes, judged for these",
            seconds=float(found.solution.get("seconds", 0)),
            judged=(Judged(profile, verdict),),
        )
        return SolvedRound(found.pair, stakes.around(*_ends(judged)), judged.to_json())
    ends = (parse(found.solution[key]) for key in ("lower", "upper"))
    return replace(found, bounds=stakes.around(*ends))


def read_match(path: str | os.PathLike[str]) -> Match:
    """The match in the file that ``Match.write`` wrote, proved again round by round.

    Raises ``CertificateError`` and ``FileError``.
    """
    data, proof = proved_match(path)
    return Match(proof.rules, tuple(_solved(data["rounds"], proof.bounds)))


def _solved(entries: list[dict[str, Any]], bounds: Mapping[Pair, Bounds]) -> Iterator[SolvedRound]:
    for entry in entries:
        pair = (entry["dice"][0], entry["dice"][1])
        yield SolvedRound(pair, bounds[pair], entry["solution"])


# --- a match in lines


def _lines(match: Match) -> list[str]:
    worth, exact = match.worth, sum(each.exact for each in match.rounds)
    lines = [match.rules.title, f"rounds      {plural(len(match.rounds), 'round')}, {exact} of them exact"]
    if worth is not None:
        how = "exact" if worth.width == 0 else f"proved to within {float(worth.width):.2g}"
        lines.append(
            f"value       {in_words(worth)} to Player 1, who bids first ({how}; 1 wins the match, -1 loses it)"
        )
        lines.append(f"wins        Player 1 wins {wins(worth)} of such matches when both play perfectly")
    return [*lines, "chart       how often you win, by the dice that are left", *_chart(match)]


def _chart(match: Match) -> list[str]:
    """Rows of dice left, and how often their owner wins, first to bid or not."""
    known = match.bounds
    rows: list[tuple[str, ...]] = [("you have", "they have", "you start", "they start")]
    for mine, other in match.rules.rounds():
        ends = [known.get((mine, other)), known.get((other, mine))]
        shown = ["" if end is None else wins(end if k == 0 else -end) for k, end in enumerate(ends)]
        rows.append((plural(mine, "die", "dice"), plural(other, "die", "dice"), *shown))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["            " + "   ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
