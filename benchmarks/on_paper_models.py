"""What the oracle's work was measured to be, and models of it.

A row is a game and what it took. A model says that a figure is a constant times powers of the number of bids and of
both players' hands, times a factor for each of three rules: least squares of the logarithms, and how wrong each model
is on what it was not fitted to. Times are seconds of a core, which a busy machine changes less than those of a clock.
"""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from fractions import Fraction
from math import ceil, comb, erfc, exp, log, pi, sqrt
from pathlib import Path
from sqlite3 import connect
from statistics import median
from typing import Any

import numpy as np

import efg_builder as eb
import frame
from efg_builder.equilibria import solve
from efg_builder.experiments.jobs.executors import executor
from efg_builder.experiments.matches import solve_match
from efg_builder.experiments.sweeps.running import sweep
from efg_builder.experiments.sweeps.table import read as read_sweep
from efg_builder.experiments.sweeps.variants import grid
from efg_builder.games.match_rules import match_rules
from efg_builder.proof.certificate import verify_solution
from efg_builder.solvers.oracle import regret, search, state
from efg_builder.solvers.regret import rules
from efg_builder.solvers.regret.bidding import BiddingRegrets
from efg_builder.solvers.regret.bidding import Model as Numbers
from efg_builder.solvers.regret.cfr import memory
from oracle import GAMES, IN_WORDS, RULES, load_libraries, make

Row = dict[str, Any]
Data = dict[str, Any]
Model = dict[str, Any]

# --- rows


def game(dice: Sequence[int], sides: int, rules: str = "plain", order: str = "quantity-face") -> Row:
    """A game of plain rules, with a joker, or with the highest face wild, as a row without figures."""
    one, two = (comb(count + sides - 1, count) for count in dice)
    bids = sum(dice) * (sides - (rules == "joker"))
    return {
        **{"dice": list(dice), "sides": sides, "rules": rules, "order": order},
        **{"bids": bids, "hands": [one, two], "infosets": (one + two) << (bids - 1)},
    }


def of_settings(settings: dict[str, Any]) -> Row:
    """The row of a game by its settings."""
    rules = "plain" if "wild" not in settings else "highest" if settings["wild"] == "highest" else "joker"
    return game(settings["dice"], settings["sides"], rules, settings.get("order", "quantity-face"))


def settings_of(row: Row) -> dict[str, Any]:
    """The settings of the game of *row*."""
    order = {} if row["order"] == "quantity-face" else {"order": row["order"]}
    return {"sides": row["sides"], "dice": row["dice"], **RULES[row["rules"]], **order}


def title(row: Row) -> str:
    """``3v3, 6 sides, highest wild, by faces``."""
    name = f"{row['dice'][0]}v{row['dice'][1]}, {row['sides']} sides{IN_WORDS[row['rules']]}"
    return name + (", by faces" if row["order"] == "face-quantity" else "")


def name_of(row: Row) -> tuple[Any, ...]:
    """Dice, sides, rules and order of the game of *row*."""
    return (*row["dice"], row["sides"], row["rules"], row["order"])


def take_in(path: Path, seconds: dict[str, float]) -> list[Row]:
    """The rows of the sweep at *path*; *seconds* of proving each certificate, by key."""
    rows = []
    for each in read_sweep(path):
        of, said = each.figures, each.settings
        sides, dice = int(said["sides"]), [int(count) for count in said["dice"].split(",")]
        rules = "plain" if said["wild"] == "none" else "highest" if said["wild_biddable"] == "true" else "joker"
        row = game(dice, sides, rules, said["order"])
        assert str(row["infosets"]) == of["infosets"]
        same = ("status", "exact", "method", "rounds", "seconds", "cpu_seconds", "peak_mib", "certificate_bytes")
        row |= {key: of[key] for key in (*same, "nodes", "timeout")}
        row |= {"sequences": of["columns"], "proof_seconds": seconds.get(of["key"])}
        rows.append(row | {"gap": None if of["gap"] is None else float(Fraction(of["gap"]))})
    return rows


def oracle_rows(root: Path) -> list[Row]:
    """The games of ``oracle.json``."""
    records, rows = frame.load("oracle", root)["games"], []
    for each in GAMES:
        if (record := records.get(each.name)) is None:
            continue
        row = game(each.dice, each.sides, each.rules) | {"method": "oracle", "rounds": record["rounds"]}
        assert row["infosets"] == record["infosets"]
        row |= {key: record[key] for key in ("status", "exact", "seconds", "peak_mib", "certificate_bytes")}
        row |= {"sequences": sum(record["sequences"]), "proof_seconds": record["verify_seconds"]}
        row |= {"gap": float(Fraction(record["gap"])), "visited": sum(record["visited"])}
        rows.append(row)
    return rows


def all_rows(data: Data, root: Path = frame.ROOT) -> list[Row]:
    """One row for each game: of the sweep's and that of ``oracle.json`` the exact one, or the one of longer search."""
    rows = {name_of(row): row for row in data["rows"]}
    for row in oracle_rows(root):
        before = rows.get(name_of(row))
        if before is None or (not before["exact"] and (row["exact"] or row["seconds"] > before["seconds"])):
            rows[name_of(row)] = row
    return list(rows.values())


MATCH_FILE = "3-2-6"
"""The certificate of the match whose rounds are simulated: 3 dice against 2, plain rules."""


def match_rounds() -> dict[str, dict[str, float]]:
    """Seconds of the rounds of the match that is kept, by the dice left."""
    path = frame.ROOT / "docs" / "matches" / f"{MATCH_FILE}.json.gz"
    rounds = json.loads(gzip.decompress(path.read_bytes()))["rounds"]
    return {"plain": {",".join(map(str, one["dice"])): one["solution"]["seconds"] for one in rounds}}


# --- models

TERMS = (
    *("constant", "bids", "hands of player 1", "hands of player 2"),
    *("joker", "highest wild", "by faces", "wild by faces"),
)
"""Powers of the second to fourth; factors for the rest."""

FEWEST = 1000
"""Games of fewer sequences are over in a moment, and say nothing of larger ones."""

STEPS = 200
"""Steps of the EM algorithm."""

SHARE = 0.9
"""Predictions are given with the factor that this share of them keeps to."""


def _digits(number: float) -> float:
    return float(f"{number:.6g}")


def features(row: Row) -> Any:
    """The numbers that the weights of a model go with."""
    one, two = row["hands"]
    joker, highest, faces = row["rules"] == "joker", row["rules"] == "highest", row["order"] == "face-quantity"
    flags = (joker, highest, faces, faces and (joker or highest))
    return np.array([1.0, log(row["bids"]), log(one), log(two), *map(float, flags)])


def fit(rows: Sequence[Row], figure: Callable[[Row], float], over: Sequence[Row] = ()) -> Model:
    """The model of *figure* over *rows*; of the games *over* it is known only that it is more than what is there.

    ``weights``: of each of ``TERMS``; ``scatter``: a standard deviation of the residuals, as a factor; ``unseen``: the
    factors by which predictions are off for pairs of dice that were left out of the fit, one pair at a time (the
    median, what 90 % keep to, and the worst); ``larger``: the same where the smaller half of the games predicts the
    larger. All to six digits.
    """
    weights, spread = _least_squares(rows, figure, over)
    off: list[float] = []
    for family in sorted({tuple(row["dice"]) for row in rows}):
        inside = [row for row in rows if tuple(row["dice"]) == family]
        seen, seen_over = ([row for row in some if tuple(row["dice"]) != family] for some in (rows, over))
        off += _off(seen, inside, figure, seen_over)
    ordered = sorted(rows, key=lambda row: row["infosets"])
    half = len(ordered) // 2
    largest = ordered[half - 1]["infosets"]
    larger = _off(ordered[:half], ordered[half:], figure, [row for row in over if row["infosets"] <= largest])
    return {
        "weights": {name: _digits(weight) for name, weight in zip(TERMS, weights, strict=True)},
        "rows": len(rows),
        "over": len(over),
        "scatter": _digits(exp(spread)),
        "unseen": _factors(off),
        "larger": _factors(larger),
    }


def _least_squares(rows: Sequence[Row], figure: Callable[[Row], float], over: Sequence[Row]) -> tuple[Any, float]:
    """Weights, and the standard deviation of the residuals of logarithms.

    Games of which only a lower bound is known take the mean of what is above it, again and again: the EM algorithm
    for J. Tobin's model (Econometrica 26, 1958), as of A. P. Dempster, N. M. Laird and D. B. Rubin (J. R. Stat. Soc. B
    39, 1977).
    """
    table = np.array([features(row) for row in (*rows, *over)])
    least = np.array([log(figure(row)) for row in (*rows, *over)])
    known, logs, spread = len(rows), least.copy(), 0.0
    for _ in range(STEPS if over else 1):
        weights = np.linalg.lstsq(table, logs, rcond=None)[0]
        means = table @ weights
        squares = (logs - means) ** 2
        if over:
            z = (least[known:] - means[known:]) / (spread or 1.0)
            above = np.array([_above(one) for one in z])
            squares[known:] += (spread or 1.0) ** 2 * (1 + z * above - above**2)
            logs[known:] = means[known:] + (spread or 1.0) * above
        spread = float(np.sqrt(squares.sum() / (len(logs) - len(TERMS))))
    return weights, spread


def _above(z: float) -> float:
    """The mean of a standard normal number that is more than *z*."""
    tail = erfc(z / sqrt(2)) / 2
    return z if tail < 1e-12 else exp(-z * z / 2) / sqrt(2 * pi) / tail


def _off(
    seen: Sequence[Row], unseen: Sequence[Row], figure: Callable[[Row], float], over: Sequence[Row]
) -> list[float]:
    weights, _ = _least_squares(seen, figure, over)
    return [abs(float(features(row) @ weights) - log(figure(row))) for row in unseen]


def _factors(logs: Sequence[float]) -> list[float]:
    ordered = sorted(logs)
    return [_digits(exp(off)) for off in (median(ordered), ordered[ceil(SHARE * len(ordered)) - 1], ordered[-1])]


def power(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """y = c x^e: the exponent e, the constant c, and the standard deviation of the residuals as a factor."""
    table = np.array([[log(x), 1.0] for x, _ in points])
    logs = np.array([log(y) for _, y in points])
    (exponent, constant), *_ = np.linalg.lstsq(table, logs, rcond=None)
    residuals = logs - table @ np.array([exponent, constant])
    return float(exponent), exp(constant), exp(float(np.sqrt(residuals @ residuals / max(1, len(points) - 2))))


def two_costs(points: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """y = a x1 + b x2, neither below 0, by least squares of the relative errors: a, b and the median factor off."""
    table = np.array([[one / y, two / y] for one, two, y in points])
    a, b = np.linalg.lstsq(table, np.ones(len(points)), rcond=None)[0]
    if a < 0 or b < 0:
        column = 0 if b < 0 else 1
        only = float(table[:, column].sum() / (table[:, column] ** 2).sum())
        a, b = (only, 0.0) if column == 0 else (0.0, only)
    off = [abs(log(float(row @ np.array([a, b])))) for row in table]
    return float(a), float(b), exp(median(off))


def exact_rows(rows: Sequence[Row]) -> list[Row]:
    """Those that the oracle solved exactly, and that are not over in milliseconds."""
    return [row for row in rows if row["exact"] and row["method"] == "oracle" and row["sequences"] >= FEWEST]


BASE_MIB = 70.0
"""A process with all libraries loaded, before it solves anything."""


def memory_each(rows: Sequence[Row]) -> list[float]:
    """Bytes above that for each sequence, of each game."""
    return [(row["peak_mib"] - BASE_MIB) * 2**20 / row["sequences"] for row in rows]


def by_programs(rows: Sequence[Row]) -> list[Row]:
    """Exact games that are large enough for memory to tell."""
    return [row for row in exact_rows(rows) if row["sequences"] > 5000]


def by_regrets(rows: Sequence[Row]) -> list[Row]:
    """Those that ended as brackets while regrets were minimised."""
    return [row for row in rows if not row["exact"] and (row["sequences"] or 0) > 100_000]


def bytes_each(rows: Sequence[Row]) -> dict[str, float]:
    """The median of :func:`memory_each` for both ways to solve restricted games."""
    ways = (("linear programs", by_programs(rows)), ("regret minimisation", by_regrets(rows)))
    return {name: _digits(median(memory_each(some))) for name, some in ways}


FIGURES: dict[str, Callable[[Row], float]] = {
    "sequences": lambda row: float(row["sequences"]),
    "seconds": lambda row: max(float(row["seconds"]), 0.01),
    "certificate bytes": lambda row: float(row["certificate_bytes"]),
    "seconds to prove": lambda row: max(float(row["proof_seconds"]), 0.001),
}
"""What is modelled."""


def models(rows: Sequence[Row]) -> dict[str, Model]:
    """A model of each figure, from the games that were solved exactly."""
    there = exact_rows(rows)
    over = [row for row in rows if row["method"] == "oracle" and not row["exact"]]
    return {
        name: fit([row for row in there if _known(row, figure)], figure, over if name == "seconds" else ())
        for name, figure in FIGURES.items()
    }


def said(weights: dict[str, float], row: Row) -> float:
    """What the model of these weights says of a game."""
    return float(exp(features(row) @ np.array([weights[name] for name in TERMS])))


def _known(row: Row, figure: Callable[[Row], float]) -> bool:
    try:
        return figure(row) > 0
    except TypeError:
        return False


def fits(data: Data) -> dict[str, Any]:
    """The models, as plain data."""
    rows = all_rows(data)
    found: dict[str, Any] = {**models(rows), "memory": bytes_each(rows)}
    points = [(v, p, s) for one in data["profile"].values() for p, v, s in one["responses"] if s >= 0.001]
    costs = zip(("visited", "product", "factor"), two_costs(points), strict=True)
    found["best responses"] = {name: _digits(cost) for name, cost in costs}
    return found


# --- measuring


def named(*games: tuple[Any, ...]) -> dict[str, dict[str, Any]]:
    """The settings of games that are given as in :func:`game`, by their titles."""
    rows = [game(*each) for each in games]
    return {title(row): settings_of(row) for row in rows}


PROFILED = named(
    *(((2, 1), 6), ((2, 2), 5), ((2, 2), 6), ((3, 1), 6), ((3, 2), 4), ((3, 3), 4)),
    ((2, 1), 6, "highest"),
    ((3, 1), 6, "highest", "face-quantity"),
)
"""Games of some seconds each."""

UNSEEN = named(
    ((1, 1), 10),
    ((1, 1), 8, "highest"),
    ((2, 1), 8),
    ((1, 2), 7, "joker"),
    ((2, 2), 7, "plain", "face-quantity"),
    ((4, 1), 5),
    ((4, 2), 4, "plain", "face-quantity"),
)
"""Games beyond those that the models are fitted to: more sides, or more dice."""

WIDE = named(((1, 1), 6), ((2, 1), 5), ((2, 1), 6), ((2, 2), 5))

LIMIT = 300.0
ITERATIONS = 5

PARTS: tuple[tuple[Any, str, str], ...] = (
    (search, "maximise", "linear programs"),
    (search, "master", "writing them down"),
    (search, "exact_optimum", "exact finish"),
    (search, "respond_both", "exact best responses"),
    (state, "respond_both", "best responses"),
    (regret, "respond_both", "best responses"),
    (regret.RestrictedRegrets, "iterate", "regret minimisation"),
    (solve, "verify", "verification"),
)
"""Where a part of the work is called, by what name, and what it is."""


def profile(settings: dict[str, Any]) -> dict[str, Any]:
    """Solve, and say how long each part took: every linear program and every pair of best responses too."""
    seconds: dict[str, float] = dict.fromkeys((what for _, _, what in PARTS), 0.0)
    programs: list[list[float]] = []
    responses: list[list[float]] = []

    def timed(function: Callable[..., Any], what: str) -> Callable[..., Any]:
        def call(*words: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                answer = function(*words, **named)
            finally:
                taken = time.process_time() - began
                seconds[what] += taken
            if what == "linear programs":
                rows, columns = words[0].matrix.shape
                programs.append([rows, columns, words[0].matrix.nnz, round(taken, 4)])
            if what == "best responses":
                tables = [words[0].lines[player].matrix.size for player in range(2)]
                products = sum(one.visited * table for one, table in zip(answer, tables, strict=True))
                responses.append([products, sum(one.visited for one in answer), round(taken, 5)])
            return answer

        return call

    game = make(settings)
    load_libraries()
    for place, name, what in PARTS:
        setattr(place, name, timed(getattr(place, name), what))
    base, began = frame.peak_mib(), time.process_time()
    found = eb.solve(game, "oracle", timeout=LIMIT)
    total = time.process_time() - began
    rounded = {what: round(taken, 3) for what, taken in seconds.items()}
    return {
        "settings": settings,
        "exact": found.exact,
        "sequences": sum(found.details["sequences"]),  # type: ignore[call-overload]
        "seconds": round(total, 3),
        "parts": rounded | {"rest": round(total - sum(seconds.values()), 3)},
        "base_mib": base,
        "peak_mib": frame.peak_mib(),
        "programs": programs,
        "responses": responses,
    }


def wide(settings: dict[str, Any]) -> dict[str, Any]:
    """Seconds of one iteration of regret minimisation over all histories, and of one best response."""
    game = make(settings)
    model = Numbers(game)  # type: ignore[arg-type]
    base, arrays = frame.peak_mib(), BiddingRegrets(model, rules.RULES["dcfr"])
    arrays.iterate()
    began = time.process_time()
    for _ in range(ITERATIONS):
        arrays.iterate()
    iterated = time.process_time()
    arrays.nash_conv()
    return {
        "settings": settings,
        "bids": model.bids,
        "hands": list(model.hands),
        "iteration": round((iterated - began) / ITERATIONS, 5),
        "best_response": round((time.process_time() - iterated) / 2, 5),
        "bytes": memory(model.bids, tuple(model.hands)),
        "peak_bytes": (frame.peak_mib() - base) << 20,
    }


def brief(found: dict[str, Any]) -> dict[str, Any]:
    """A profile without its linear programs and best responses one by one."""
    return {key: value for key, value in found.items() if key not in ("programs", "responses", "parts")}


def proofs(path: Path) -> dict[str, float]:
    """Seconds of a core that proving each certificate of the sweep at *path* takes, by key."""
    load_libraries()
    seconds = {}
    with closing(connect(f"file:{path}?mode=ro", uri=True)) as db, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "one.json.gz"
        for key, data in db.execute("SELECT key, data FROM certificates ORDER BY key"):
            file.write_bytes(data)
            began = time.process_time()
            verify_solution(file)
            seconds[key] = round(time.process_time() - began, 4)
    return seconds


# --- a sweep and a match on 1 and on 2 workers, one after the other: what the simulation is held against

SWEEP = {"sides": "2..6", "dice": "1..2,1..2", "order": "*"}
MATCH = {"sides": "6", "dice": "3,2", "order": "face-quantity"}
WORKERS = (1, 2, 2, 1)


def sweep_on(workers: int) -> dict[str, Any]:
    """Seconds of the whole sweep, and of each variant in the order in which they are begun."""
    with tempfile.TemporaryDirectory() as folder:
        path, began = Path(folder) / "run.db", time.monotonic()
        sweep(grid("liars-dice", SWEEP), path, workers=workers)
        whole = time.monotonic() - began
        rows = sorted(read_sweep(path), key=lambda row: (int(row.figures["nodes"]), row.figures["key"]))
    return {"workers": workers, "whole": round(whole, 3), "tasks": [row.figures["seconds"] for row in rows]}


def match_on(workers: int) -> dict[str, Any]:
    """Seconds of the whole match, and of each of its rounds."""
    began = time.monotonic()
    with executor(workers=workers) as pool:
        match = solve_match(match_rules(MATCH), executor=pool)
    whole = time.monotonic() - began
    tasks = [round(each.seconds, 3) for each in match.rounds]
    return {"workers": workers, "whole": round(whole, 3), "tasks": tasks}


def runs() -> dict[str, Any]:
    """Both, on each number of workers, with how many tasks the machine had to do on average meanwhile."""
    done: dict[str, Any] = {"sweep": SWEEP, "match": MATCH}
    kinds: tuple[tuple[str, Callable[[int], dict[str, Any]]], ...] = (("sweeps", sweep_on), ("matches", match_on))
    for name, run in kinds:
        done[name] = [run(workers) for workers in WORKERS]
    load = os.getloadavg()[1] if hasattr(os, "getloadavg") else float("nan")
    return done | {"load": round(load, 1)}


def measured() -> dict[str, Any]:
    """All that is measured, as ``on-paper.json`` has it."""
    return {
        "profile": {name: frame.own_process(profile, settings, timeout=900) for name, settings in PROFILED.items()},
        "unseen": {name: brief(frame.own_process(profile, one, timeout=900)) for name, one in UNSEEN.items()},
        "wide": {name: frame.own_process(wide, settings, timeout=900) for name, settings in WIDE.items()},
        "runs": runs(),
    }
