"""Compare the evaluation of a strategy with OpenSpiel and LiteEFG: ``python benchmarks/evaluation.py``.

Every program measures uniform play of the same OpenSpiel games: NashConv, which is the sum of both players' gains from
a best response. Each measurement runs in a process of its own. The tables of ``docs/from-openspiel.md`` show the
milliseconds of CPU time of the first call, which includes the preparation, and of a later call, both after the program
has read the game. Needs ``open_spiel`` and LiteEFG 1.0.0, which compiles from its source archive.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import subprocess
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import efg_builder as eb
import frame
from efg_builder.base.words import listed

GOOFSPIEL = "goofspiel(imp_info=true,num_cards={},players=2,points_order=descending)"
GAMES = {
    "Leduc poker": "leduc_poker",
    "Goofspiel, 5 cards": f"turn_based_simultaneous_game(game={GOOFSPIEL.format(5)})",
    "Liar's Dice, 6 sides": "liars_dice",
    "Goofspiel, 6 cards": f"turn_based_simultaneous_game(game={GOOFSPIEL.format(6)})",
}
LEAST, MOST = 0.5, 50
"""Minimum seconds and maximum number of repeated calls."""


def _timed(call: Callable[[], Any]) -> dict[str, Any]:
    """Return the result of *call*, and the CPU seconds of the first call and of the fastest later call."""
    taken: list[float] = []
    while not taken or (sum(taken) < LEAST and len(taken) < MOST) or len(taken) < 2:
        began = time.process_time()
        found = call()
        taken.append(time.process_time() - began)
    return {"nash_conv": str(found), "first": taken[0], "later": min(taken[1:])}


def ours(game: str, exact: bool) -> dict[str, Any]:
    import pyspiel

    began = time.process_time()
    tree = eb.build(pyspiel.load_game(game))
    read, uniform = time.process_time() - began, eb.TreeProfile.uniform(tree)
    if exact:
        found = _timed(lambda: sum(eb.verify(uniform).regrets))
    else:
        array = _array(tree)
        found = _timed(lambda: eb.evaluate(tree, array, exact=False).matches[0].nash_conv)
    return found | {"read": read, "nodes": len(tree), "mib": frame.peak_mib()}


def _array(tree: eb.GameTree) -> Any:
    import numpy as np

    widths = [len(infoset.actions) for infoset in tree.infosets]
    array = np.zeros((len(widths), max(widths)))
    for k, width in enumerate(widths):
        array[k, :width] = 1 / width
    return array


def open_spiel(game: str) -> dict[str, Any]:
    import pyspiel

    theirs = pyspiel.load_game(game)
    policy = pyspiel.UniformRandomPolicy(theirs)
    found = _timed(lambda: pyspiel.nash_conv(theirs, policy, False))
    return found | {"read": 0.0, "mib": frame.peak_mib()}


def lite_efg(game: str) -> dict[str, Any]:
    import LiteEFG as leg  # type: ignore[import-not-found]
    import pyspiel

    with contextlib.redirect_stdout(io.StringIO()):
        graph = leg.Graph()
        with leg.backward(is_static=True):
            strategy = leg.const(graph.action_set_size, 1.0 / graph.action_set_size)
        began = time.process_time()
        env = leg.OpenSpielEnv(pyspiel.load_game(game), traverse_type="Enumerate", regenerate=True)
        env.set_graph(graph)
        read = time.process_time() - began
        found = _timed(lambda: sum(env.exploitability(strategy)))
    return found | {"read": read, "mib": frame.peak_mib()}


def measured(games: dict[str, str]) -> list[dict[str, Any]]:
    rows = []
    for name, game in games.items():
        calls: dict[str, Callable[[], dict[str, Any]]] = {
            "exact": lambda game=game: frame.own_process(ours, game, True),  # type: ignore[misc]
            "floats": lambda game=game: frame.own_process(ours, game, False),  # type: ignore[misc]
            "open_spiel": lambda game=game: frame.own_process(open_spiel, game),  # type: ignore[misc]
            "lite_efg": lambda game=game: frame.own_process(lite_efg, game),  # type: ignore[misc]
        }
        row: dict[str, Any] = {"game": name}
        for program, call in calls.items():
            try:
                row[program] = call()
            except subprocess.CalledProcessError as error:
                row[program] = None
                frame.tell(f"{program}: {error.stderr.splitlines()[-1]}")
            frame.tell(f"{name}, {program}: {row[program]}")
        right = Fraction(row["exact"]["nash_conv"])
        for program in ("floats", "open_spiel", "lite_efg"):
            assert row[program] is None or abs(float(row[program]["nash_conv"]) - right) < 1e-6, program
        rows.append(row)
    return rows


def tables(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a table of later calls and a table of first calls. A ratio to *floats* follows each peer's time."""
    for which in ("later", "first"):
        lines = []
        for row in rows:
            floats = row["floats"][which]
            taken = [peer and peer[which] for peer in (row["open_spiel"], row["lite_efg"])]
            cells = [f"{frame.two(1e3 * t)} ({frame.two(t / floats)})" if t else "-" for t in taken]
            own = [frame.two(1e3 * row[how][which]) for how in ("exact", "floats")]
            lines.append([row["game"], f"{row['exact']['nodes']:,}", *own, *cells])
        head = f"{'a later call' if which == 'later' else 'the first call'} | nodes | exact | floats"
        yield from frame.table(f"{head} | OpenSpiel | LiteEFG", lines)
        yield ""
    yield from _where_they_are_ahead(rows)


def _where_they_are_ahead(rows: list[dict[str, Any]]) -> Iterator[str]:
    known = [row for row in rows if row["lite_efg"] is not None]
    if ahead := [row["game"] for row in known if row["lite_efg"]["later"] < row["floats"]["later"]]:
        yield f"LiteEFG is faster in {listed(ahead)}."
    if all(row["lite_efg"]["first"] < row["floats"]["first"] for row in known):
        yield "The first call of LiteEFG is faster in all games."


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=len(GAMES), help="only the first games, e.g. 2")
    parser.add_argument("--render", action="store_true", help="only write the table again, from the saved data")
    chosen = parser.parse_args(arguments)
    if not chosen.render:
        frame.keep("evaluation", {"rows": measured(dict(list(GAMES.items())[: chosen.games]))})
    frame.fill("from-openspiel", {"evaluation": tables(frame.load("evaluation")["rows"])})


if __name__ == "__main__":
    main()
