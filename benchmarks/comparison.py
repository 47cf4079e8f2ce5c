"""Compare our speed with pygambit, OpenSpiel and LiteEFG on the same jobs: ``python benchmarks/comparison.py``.

Each job runs in a process of its own, one after the other, with the game already read unless the job is to read it. The
table of ``docs/comparison.md`` shows CPU seconds: the fastest of a few calls, or the only call of a long job. Our
solutions are exact and their time includes the proof; a peer verifies nothing. Needs ``open_spiel`` and LiteEFG 1.0.0,
which compiles from its source archive; a missing program has an empty column. ``--render`` only writes the table again.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import subprocess
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from itertools import count
from typing import Any

import pygambit
from pygambit import H

import efg_builder as eb
import evaluation
import frame
from efg_builder.base.words import listed
from efg_builder.display.trees import to_svg
from efg_builder.games.liars_dice import LiarsDice

PROGRAMS = {"efg_builder": "efg-builder", "pygambit": "pygambit", "open_spiel": "open_spiel", "lite_efg": "LiteEFG"}
"""The programs, and the names of their packages."""
LEAST, MOST, LONG = 0.5, 20, 10
"""A job is called at least three times and for ``LEAST`` CPU seconds, at most ``MOST`` times, and not after ``LONG``
CPU seconds in total."""
LIMIT = 900
"""Time limit of a job, in seconds of wall time."""
LEDUC, DICE, GAP = "leduc_poker", "liars_dice", 1e-3
"""OpenSpiel's games, and the NashConv at which regret minimization stops, in chips."""


def timed(call: Callable[[], Any]) -> dict[str, float]:
    """Return the fewest CPU seconds of a call."""
    taken: list[float] = []
    while sum(taken) < LONG and (len(taken) < 3 or (sum(taken) < LEAST and len(taken) < MOST)):
        began = time.process_time()
        call()
        taken.append(time.process_time() - began)
    return {"seconds": min(taken)}


# --- trees, beside pygambit


def dice(sides: int) -> LiarsDice:
    game = eb.game("liars-dice", sides=sides)
    assert isinstance(game, LiarsDice)
    return game


def for_pygambit(name: str) -> pygambit.ExtensiveGame:
    return pygambit.read_efg(io.StringIO(eb.build(name).to_efg()))


def solve_here(name: str) -> dict[str, float]:
    """Measure ``solve`` as a user calls it, with its choice of a method."""
    tree = eb.build(name)

    def call() -> None:
        assert eb.solve(tree).exact

    return timed(call)


def solve_there(name: str) -> dict[str, float]:
    game = for_pygambit(name)
    return timed(lambda: pygambit.nash.lp_solve(game))


def build_here(sides: int) -> dict[str, float]:
    return timed(lambda: eb.build(dice(sides)))


def build_there(sides: int) -> dict[str, float]:
    return timed(lambda: built_by_pygambit(dice(sides)))


def built_by_pygambit(game: LiarsDice) -> pygambit.ExtensiveGame:
    """Build the game by pygambit's functions, with one call per public history."""
    tree = pygambit.ExtensiveGame(list(game.players), title=game.title)
    deals = {
        game.deal_name(d): pygambit.Rational(d.probability.numerator, d.probability.denominator) for d in game.deals
    }
    tree.append_event(H.path(), deals)
    names = [f"{q}x{f}" for q, f in game.bids]
    histories: list[tuple[str, ...]] = [()]
    while histories:
        history = histories.pop()
        player = len(history) % 2
        higher = names[names.index(history[-1]) + 1 :] if history else names
        where = H.path(..., *history).by(lambda view, player=player: view.actions[0].split(" vs ")[player])
        tree.append_move(where, game.players[player], [*higher, "call"] if history else higher)
        histories += [(*history, name) for name in higher]

    def first_wins(view: pygambit.HistoryView) -> bool:
        *moves, _ = view.actions[1:]
        hands = tuple((int(hand),) for hand in view.actions[0].split(" vs "))
        quantity, face = map(int, moves[-1].split("x"))
        return (sum(game.matches(hand, face) for hand in hands) >= quantity) == (len(moves) % 2 == 1)

    tree.make_outcome(H.path().plays.filter(first_wins), dict(zip(game.players, (1, -1), strict=True)), "Player 1 wins")
    tree.make_outcome(
        H.path().plays.filter(lambda view: not first_wins(view)),
        dict(zip(game.players, (-1, 1), strict=True)),
        "Player 2 wins",
    )
    return tree


def write_here(name: str) -> dict[str, float]:
    tree = eb.build(name)
    return timed(tree.to_efg)


def write_there(name: str) -> dict[str, float]:
    game = for_pygambit(name)
    return timed(game.to_efg)


def read_here(name: str) -> dict[str, float]:
    text = eb.build(name).to_efg()
    return timed(lambda: eb.parse_efg(text))


def read_there(name: str) -> dict[str, float]:
    text = eb.build(name).to_efg()
    return timed(lambda: pygambit.read_efg(io.StringIO(text)))


def draw_here(name: str) -> dict[str, float]:
    tree = eb.build(name)
    return timed(lambda: to_svg(tree))


def draw_there(name: str) -> dict[str, float]:
    game = for_pygambit(name)
    return timed(lambda: pygambit.layout_tree(game))


# --- games of OpenSpiel


def load_here(game: str) -> dict[str, float]:
    import pyspiel

    return timed(lambda: eb.build(pyspiel.load_game(game)))


def load_in_lite_efg(game: str) -> dict[str, float]:
    import LiteEFG as leg  # type: ignore[import-not-found]
    import pyspiel

    with contextlib.redirect_stdout(io.StringIO()):
        graph = leg.Graph()
        with leg.backward(is_static=True):
            leg.const(graph.action_set_size, 1.0 / graph.action_set_size)

        def call() -> None:
            leg.OpenSpielEnv(pyspiel.load_game(game), traverse_type="Enumerate", regenerate=True).set_graph(graph)

        return timed(call)


def measure_here(game: str) -> dict[str, float]:
    return {"seconds": evaluation.ours(game, exact=False)["later"]}


def measure_here_exactly(game: str) -> dict[str, float]:
    return {"seconds": evaluation.ours(game, exact=True)["later"]}


def measure_in_open_spiel(game: str) -> dict[str, float]:
    return {"seconds": evaluation.open_spiel(game)["later"]}


def measure_in_lite_efg(game: str) -> dict[str, float]:
    return {"seconds": evaluation.lite_efg(game)["later"]}


def until(iterate: Callable[[], object], nash_conv: Callable[[], float]) -> dict[str, float]:
    """Iterate until NashConv is at most ``GAP``. Return the CPU seconds of the iterations, without the checks."""
    taken, check = 0.0, 1
    for done in count(1):
        began = time.process_time()
        iterate()
        taken += time.process_time() - began
        if done >= check:
            if nash_conv() <= GAP:
                return {"seconds": taken, "iterations": done}
            check = done + 1 + done // 10
    raise AssertionError("count() does not end")


def minimize_here(game: str) -> dict[str, float]:
    """Measure our search with its proof: the best responses that state the gap."""
    import pyspiel

    tree = eb.build(pyspiel.load_game(game))

    def call() -> None:
        found = eb.solve(tree, "cfr", gap=GAP, options={"rule": "cfr+"}).verdict
        assert found is not None
        assert sum(found.regrets) <= GAP

    return timed(call)


def minimize_in_open_spiel(game: str) -> dict[str, float]:
    import pyspiel

    theirs = pyspiel.load_game(game)
    solver = pyspiel.CFRPlusSolver(theirs)
    return until(
        solver.evaluate_and_update_policy, lambda: pyspiel.nash_conv(theirs, solver.tabular_average_policy(), False)
    )


def minimize_in_lite_efg(game: str) -> dict[str, float]:
    import LiteEFG as leg
    import pyspiel
    from LiteEFG.baselines.CFRplus import graph as cfr_plus  # type: ignore[import-not-found]

    with contextlib.redirect_stdout(io.StringIO()):
        graph = cfr_plus()
        env = leg.OpenSpielEnv(pyspiel.load_game(game), traverse_type="Enumerate", regenerate=True)
        env.set_graph(graph)

        def iterate() -> None:
            graph.update_graph(env)
            env.update_strategy(graph.current_strategy(), update_best=False)

        return until(iterate, lambda: sum(env.exploitability(graph.current_strategy(), "linear-avg-iterate")))


# --- the table

NASH_CONV = {"open_spiel": measure_in_open_spiel, "lite_efg": measure_in_lite_efg}
"""The peers that measure strategies, in floats."""

JOBS: dict[str, tuple[Any, dict[str, Callable[..., dict[str, float]]]]] = {
    "solve exactly, 1,144 nodes (pygambit: `lp_solve`)": (
        "liars-dice sides=3",
        {"efg_builder": solve_here, "pygambit": solve_there},
    ),
    "build, 1,144 nodes": (3, {"efg_builder": build_here, "pygambit": build_there}),
    "write `.efg`, 51,176 nodes": ("liars-dice sides=5", {"efg_builder": write_here, "pygambit": write_there}),
    "read `.efg`, 51,176 nodes": ("liars-dice sides=5", {"efg_builder": read_here, "pygambit": read_there}),
    "draw 1,144 nodes (pygambit: only the layout)": (
        "liars-dice sides=3",
        {"efg_builder": draw_here, "pygambit": draw_there},
    ),
    "make the tree of OpenSpiel's `liars_dice`, 294,883 nodes": (
        DICE,
        {"efg_builder": load_here, "lite_efg": load_in_lite_efg},
    ),
    "NashConv in floats, `liars_dice`, a later call": (
        DICE,
        {"efg_builder": measure_here, **NASH_CONV},
    ),
    "NashConv, `liars_dice`, a later call (efg_builder: exact)": (
        DICE,
        {"efg_builder": measure_here_exactly, **NASH_CONV},
    ),
    "NashConv in floats, `leduc_poker`, a later call": (
        LEDUC,
        {"efg_builder": measure_here, **NASH_CONV},
    ),
    "CFR+ until NashConv is 1/1000, `leduc_poker`": (
        LEDUC,
        {"efg_builder": minimize_here, "open_spiel": minimize_in_open_spiel, "lite_efg": minimize_in_lite_efg},
    ),
}
"""The jobs by name: what is worked on, and each program's function."""


def measured() -> Iterator[dict[str, Any]]:
    """Yield the rows of the table."""
    for job, (what, programs) in JOBS.items():
        row: dict[str, Any] = {"job": job}
        for program, function in programs.items():
            try:
                row[program] = frame.own_process(function, what, timeout=LIMIT)["seconds"]
            except subprocess.CalledProcessError as error:
                frame.tell(f"{program}: {error.stderr.splitlines()[-1]}")
            except subprocess.TimeoutExpired:
                row[program] = None
        frame.tell(str(row))
        yield row


def shown(seconds: float | None) -> str:
    """Return a time with its unit; None is the time limit."""
    if seconds is None:
        return f"more than {LIMIT} s"
    return f"{frame.two(seconds)} s" if seconds >= 1 else f"{frame.two(1e3 * seconds)} ms"


def ratio(row: dict[str, Any]) -> float:
    """Return the time of the fastest peer divided by ours; if every peer was stopped, a lower bound of this ratio."""
    return min(seconds or LIMIT for seconds in peers_of(row)) / float(row["efg_builder"])


def peers_of(row: dict[str, Any]) -> list[float | None]:
    return [row[peer] for peer in list(PROGRAMS)[1:] if peer in row]


def table(data: dict[str, Any]) -> Iterator[str]:
    """Yield the table, and a sentence with the jobs in which a peer is ahead."""
    versions, rows = data["versions"], data["rows"]
    peers = dict(zip(PROGRAMS, ("", "pygambit", "OpenSpiel", "LiteEFG"), strict=True))
    heads = ["efg_builder", *(f"{name} {versions[program]}" for program, name in peers.items() if name)]
    lines = []
    for row in rows:
        cells = [shown(row[program]) if program in row else "" for program in PROGRAMS]
        at_least = "" if any(peers_of(row)) else "at least "
        lines.append([row["job"], *cells, at_least + frame.two(ratio(row))])
    yield from frame.table(" | ".join(["job", *heads, "speedup"]), lines)
    yield ""
    yield f"A peer is faster in: {listed([row['job'] for row in rows if ratio(row) < 1])}."


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--render", action="store_true", help="only write the table again, from the saved data")
    if not parser.parse_args(arguments).render:
        versions = {program: metadata.version(package) for program, package in PROGRAMS.items()}
        frame.keep("comparison", {"versions": versions, "rows": list(measured())})
    frame.fill("comparison", {"comparison": table(frame.load("comparison"))})


if __name__ == "__main__":
    main()
