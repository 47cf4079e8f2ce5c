"""The promises of docs/programs.md: threads, cancellation, the same output, and nothing left behind.

No test asserts a time.
"""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from processes import below, until

import efg_builder as eb

SOLVES = {
    "auto": "kuhn",
    "lp": "liars-dice sides=2",
    "lcp": "dice-poker",
    "many": "liars-dice sides=2 dice=1,1,1",
    "extreme": "dice-poker sides=2",
    "oracle": "liars-dice sides=4",
    "cfr": "liars-dice sides=2",
    "backward": "docs/games/centipede.py:Centipede",
    "gambit-lp": "kuhn",
}
"""A game for each method."""

KEPT = {
    "oracle": ("liars-dice sides=4 dice=2,1 wild=highest", "round"),
    "cfr": ("liars-dice sides=4", "iteration"),
    "many": ("liars-dice sides=4 dice=1,1,1", "iteration"),
    "extreme": ("dice-poker", "plan"),
}
"""Methods that keep the strategies found so far: a game, and the beginning of a line of the search."""

LONG = "liars-dice sides=6 dice=3,3"
"""A game that no machine solves in a moment."""


def content(solution: eb.Solution, folder: Path) -> dict[str, bytes | str]:
    """Everything that a solution writes and prints, except the time that it took."""
    files = [folder / name for name in ("s.json", "s.json.gz", "s.csv")]
    found: dict[str, bytes | str] = {path.name: solution.write(path).read_bytes() for path in files}
    found["text"] = "\n".join(line for line in str(solution).splitlines() if not line.startswith("seconds"))
    found["verdict"] = str(eb.verify(solution.strategy))
    if solution.tree is not None and len(solution.tree) < 100:
        found["svg"] = Path(solution.draw(folder / "p.svg")).read_bytes()
    return found


def solve(method, **settings):
    return eb.solve(SOLVES[method], method, gap=0.1 if method == "cfr" else None, **settings)


def solved(method: str, folder: Path) -> dict[str, bytes | str]:
    folder.mkdir(parents=True)
    return content(solve(method), folder)


def in_threads(tasks):
    """The results of *tasks*, called by four threads that begin together."""
    together = threading.Barrier(4)

    def worker(first):
        together.wait()
        return {k: tasks[k]() for k in range(first, len(tasks), 4)}

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(worker, range(4)))
    return [found[k % 4][k] for k in range(len(tasks))]


def test_four_threads_find_what_one_finds_one_after_another(tmp_path):
    alone = {method: solved(method, tmp_path / "alone" / method) for method in SOLVES}
    # Each method meets itself and the others.
    names = [method for method in SOLVES for _ in range(4)]
    tasks = [lambda k=k, name=name: solved(name, tmp_path / str(k)) for k, name in enumerate(names)]
    for name, found in zip(names, in_threads(tasks), strict=True):
        assert found == alone[name], name


def test_threads_may_share_a_tree_and_a_solution(tmp_path):
    fresh = eb.build("kuhn")
    expected = content(eb.solve(eb.build("kuhn")), tmp_path)

    def work(k):
        (tmp_path / str(k)).mkdir()
        return content(fresh.solve(), tmp_path / str(k))

    assert in_threads([lambda k=k: work(k) for k in range(8)]) == [expected] * 8
    solution = eb.solve(eb.build("kuhn"))

    def write(k):
        (tmp_path / f"w{k}").mkdir()
        return content(solution, tmp_path / f"w{k}")

    assert in_threads([lambda k=k: write(k) for k in range(8)]) == [expected] * 8


@pytest.mark.parametrize("ending", ["pdf", "png", "tex"])
def test_threads_draw_the_same_pictures(ending, tmp_path):
    """PDFs, because matplotlib's settings are global, beside pictures of the other formats."""
    game = eb.build("docs/games/centipede.py:Centipede")
    expected = eb.draw(game, tmp_path / f"alone.{ending}").read_bytes()
    tasks = [lambda k=k: eb.draw(game, tmp_path / f"{k}.{(ending, 'pdf')[k % 2]}").read_bytes() for k in range(8)]
    assert in_threads(tasks)[::2] == [expected] * 4


def test_solving_beside_an_event_loop():
    async def both():
        ticks = 0

        async def ticking():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(ticking())
        found = await asyncio.gather(*(asyncio.to_thread(eb.solve, name) for name in ("kuhn", "dice-poker")))
        beside.cancel()
        return ticks, found

    ticks, found = asyncio.run(both())
    assert ticks > 0
    assert [each.value for each in found] == [eb.solve(name).value for name in ("kuhn", "dice-poker")]


@pytest.mark.parametrize("method", ["oracle", "many"])
def test_a_time_limit_in_a_thread(method):
    game = LONG if method == "oracle" else "liars-dice sides=6 dice=2,2,2"
    (found,) = ThreadPoolExecutor(1).map(lambda limit: eb.solve(game, method, timeout=limit), [0.5])
    assert (found.status, found.verdict.equilibrium) == ("timeout", False)
    assert found.verify().regret == found.regret


# --- cancelling


class CancelledError(Exception):
    """An exception of the caller's program."""


def left_behind():
    """Child processes, open descriptors and threads of this process."""
    gc.collect()
    me = psutil.Process()
    return below(os.getpid()), me.num_fds(), threading.active_count()


@pytest.mark.parametrize("method", SOLVES)
def test_an_exception_of_progress_passes_through_and_leaves_nothing(method):
    lines: list[str] = []
    expected = solve(method, progress=lines.append).to_json()
    before = left_behind()
    assert lines
    for place in {len(lines) // 2} if method == "gambit-lp" else sorted({0, len(lines) // 2, len(lines) - 1}):
        left = iter(range(place))

        def cancel(line, left=left):
            if next(left, None) is None:
                raise CancelledError(line)

        with pytest.raises(CancelledError):
            solve(method, progress=cancel)
        until(lambda: left_behind() == before)
    assert solve(method).to_json() == expected


@pytest.mark.parametrize("method", KEPT)
def test_a_flag_ends_the_search_and_keeps_the_best_so_far(method):
    """``progress`` raises KeyboardInterrupt at every line after the flag is up."""
    game, start = KEPT[method]
    stop, seen = threading.Event(), iter(range(2))

    def progress(line):
        if line.startswith(start) and next(seen, None) is None:
            stop.set()
        if stop.is_set():
            raise KeyboardInterrupt

    solution = eb.solve(game, method, gap=0 if method != "extreme" else None, progress=progress)
    assert solution.status == "interrupted"
    assert solution.verify().regret == solution.regret


# --- nothing is left


@pytest.mark.parametrize("method", ["auto", "lp"])
def test_a_hundred_solves_take_no_memory_and_leave_nothing(method):
    def solve(times):
        for _ in range(times):
            eb.solve("kuhn", method)
        gc.collect()

    times = 100
    solve(3)
    before = left_behind()
    objects = len(gc.get_objects())
    tracemalloc.start()
    solve(1)
    start, _ = tracemalloc.get_traced_memory()
    solve(times)
    end, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(gc.get_objects()) - objects < times
    assert end - start < 1_000 * times, "a kept tree of Kuhn poker takes more than 10,000 bytes"
    until(lambda: left_behind() == before)
