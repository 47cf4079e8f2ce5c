"""Train neural players and measure their losses exactly: ``python benchmarks/neural.py`` makes ``docs/neural.md``.

Each run trains one net. At some steps, a best response over all histories in each seat measures the net's loss, and the
result is saved. An interrupted run resumes from its last checkpoint in the system's folder for temporary files.
Finished runs are skipped, unless ``--again`` is given. The nets of ``KEPT`` are saved in ``docs/neural/``. ``--render``
only makes the page and its plot. Times are in core-seconds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import efg_builder as eb
import frame
from efg_builder.display.plots.style import FILLS, GREY, INK, style, write_figure
from efg_builder.players.nets import KINDS, Net, playing, read_net, write_net
from efg_builder.players.nets.training import train
from neural_exact import CAUSES, cause

NETS = frame.ROOT / "docs" / "neural"
STATES = Path(tempfile.gettempdir()) / "efg_builder-neural"
GAMES = {"1v1": (1, 1), "1v2": (1, 2), "2v1": (2, 1)}
VALUES = {"1v1": "-7/327", "1v2": "-5/54", "2v1": "7/27"}
"""Player 1's values, proved by ``efg-builder solve`` (see docs/oracle.md)."""

KEPT = {"1v1": "deep-cfr", "1v2": "deep-cfr", "2v1": "deep-cfr", "1v1-value": "value"}
"""The saved nets: file name and kind of player. Each is the best of three seeds."""

STEPS = {("value", "1v1"): 2400, ("value", ""): 2000, ("deep-cfr", "1v1"): 160, ("deep-cfr", ""): 80}
SEEDS = (0, 1, 2)
POINTS = 5
"""The number of measurements per run. Measuring a value net at 440,000 information sets takes seconds."""

VARIANTS: dict[str, dict[str, str]] = {
    "longer": {},
    "noise 0.1": {"noise": "0.1"},
    "slower fall": {"fall": "5000"},
    "as its program": {"fall": "1", "power": "0.5", "decay": "0.01"},
}
"""Variants of the blog post's method (see docs/neural.md) on 1v2, to find the cause of player 1's loss."""

LONGER = {"longer": 6000, "as its program": 14_760}
"""Numbers of steps that replace ``STEPS`` for some variants. The blog post's program makes 100,000 steps, in at least
half an hour.
"""

Record = dict[str, Any]


def rules(name: str) -> Any:
    """Return the game called *name*: six sides, ones wild and not biddable."""
    return eb.game("liars-dice", sides=6, wild=1, wild_biddable=False, dice=GAMES[name])


def runs() -> dict[str, Record]:
    """Return all runs by name, the most important first."""
    found = {}
    for seed in SEEDS:
        for game in GAMES:
            for kind in KINDS:
                steps = STEPS.get((kind, game), STEPS[kind, ""])
                found[f"{kind} {game} seed {seed}"] = {"game": game, "kind": kind, "seed": seed, "steps": steps}
    for name, options in VARIANTS.items():
        steps = LONGER.get(name, STEPS["value", ""])
        found[f"value 1v2 {name}"] = {"game": "1v2", "kind": "value", "seed": 0, "steps": steps, "options": options}
    return found


def measured(net: Net) -> list[float]:
    """Return the payoffs of best responses in seats 1 and 2 against *net*."""
    ready = playing(net)
    match = eb.evaluate(net.game, eb.Policy(ready.at, arrays=ready.dense), method="dense").matches[0]
    return [float(got) for got in match.best_response]


def read(root: Path = frame.ROOT) -> Record:
    return frame.load("neural", root) or {"runs": {}, "causes": {}, "kept": {}}


def write(part: str, name: str, record: Record) -> None:
    data = read()
    data[part][name] = record
    order = [*runs(), *CAUSES, *KEPT]
    data[part] = dict(sorted(data[part].items(), key=lambda pair: order.index(pair[0])))
    frame.keep("neural", data)


def work(name: str, run: Record) -> None:
    known = read()["runs"].get(name, {"points": []})
    state = STATES / name.replace(" ", "-")
    record = {**run, "points": known["points"], "parameters": 0}
    begun = (state / "state.npz").exists()
    if not begun:
        record["points"] = []
    clock = [time.process_time(), record["points"][-1]["seconds"] if record["points"] else 0.0]

    def keep(net: Net) -> None:
        spent = clock[1] + time.process_time() - clock[0]
        record["parameters"] = net.parameters
        point = {"steps": net.trained["steps"], "seconds": round(spent, 1), "best_response": measured(net)}
        record["points"] = [p for p in record["points"] if p["steps"] < point["steps"]] + [point]
        write("runs", name, record)
        print(name, point, flush=True)
        clock[:] = [time.process_time(), spent]

    marks = tuple(run["steps"] * k // POINTS for k in range(1, POINTS + 1))
    done = train(
        rules(run["game"]),
        run["kind"],
        steps=run["steps"],
        seed=run["seed"],
        options=run.get("options"),
        device="cpu",
        checkpoints=state,
        every=60,
        resume=begun,
        snapshots=marks,
        keep=keep,
    )
    (state / "state.npz").unlink()
    if "options" not in run:
        keep_best(run["game"], done.net)


def keep_best(game: str, net: Net) -> None:
    """Save *net* with 16-bit weights, if its kind is saved and it loses less in *game* than the saved net."""
    name = next((name for name, kind in KEPT.items() if (name.partition("-")[0], kind) == (game, net.kind)), None)
    if name is None:
        return
    NETS.mkdir(exist_ok=True)
    trial = NETS / f".{game}-{net.kind}.npz"
    write_net(trial, net, half=True)
    got = measured(read_net(trial))
    before = read()["kept"].get(name)
    if before is not None and sum(before["best_response"]) <= sum(got):
        trial.unlink()
        return
    trial.replace(NETS / f"{name}.npz")
    size = (NETS / f"{name}.npz").stat().st_size
    write("kept", name, {"kind": net.kind, "trained": dict(net.trained), "best_response": got, "bytes": size})


# --- the page


def parts(data: Record) -> dict[str, list[str]]:
    return {"measured": _measured(data), "causes": _causes(data), "kept": _kept(data)}


def least(game: str) -> tuple[float, float]:
    """Return the payoffs of best responses in seats 1 and 2 against an equilibrium."""
    value = float(Fraction(VALUES[game]))
    return -value, value


def won(point: Record) -> tuple[float, float]:
    """Return the payoffs of best responses against the net as player 1, and as player 2."""
    first, second = point["best_response"]
    return second, first


def _measured(data: Record) -> list[str]:
    head = "game | kind | seconds | loss as player 1 | loss as player 2 | NashConv"
    rows = []
    for game in VALUES:
        for kind in TITLES:
            runs = [r for r in data["runs"].values() if (r["game"], r["kind"]) == (game, kind) and "options" not in r]
            ends = [run["points"][-1] for run in runs if run["points"] and run["points"][-1]["steps"] == run["steps"]]
            if not ends:
                continue
            losses = [sorted(found) for found in zip(*(_losses(end, game) for end in ends), strict=True)]
            seconds = median(end["seconds"] for end in ends)
            cells = (", ".join(f"{each:.3f}" for each in found) for found in losses)
            rows.append([game, kind, f"{seconds:.0f}", *cells])
    return frame.table(head, rows, left=2)


def _causes(data: Record) -> list[str]:
    head = "game | strategy | noise | length | loss as player 1 | loss as player 2"
    return frame.table(head, _cause_rows(data), left=2)


def _cause_rows(data: Record) -> Iterator[list[str]]:
    for tried in data["causes"].values():
        game, end = "v".join(map(str, tried["dice"])), tried["points"][-1]
        noise = f"{tried['noise']:g}" + ("/T" if tried.get("falls") else "")
        yield [game, "table", noise, f"{end['rounds']} rounds", *_two(end, game)]
    for run in data["runs"].values():
        if (run["kind"], run["game"], run["seed"]) == ("value", "1v2", 0) and run["points"]:
            end, options = run["points"][-1], dict(run.get("options", {}))
            noise = options.pop("noise", "0.01")
            more = "".join(f", {key}={value}" for key, value in options.items())
            yield ["1v2", f"net{more}", noise, f"{end['steps']:,} steps", *_two(end, "1v2")]


def _losses(point: Record, game: str) -> tuple[float, float, float]:
    """Return the net's loss against a best response as player 1 and as player 2, and their sum."""
    first, second = (found - possible for found, possible in zip(won(point), least(game), strict=True))
    return first, second, first + second


def _two(point: Record, game: str) -> list[str]:
    return [f"{loss:.3f}" for loss in _losses(point, game)[:2]]


def _kept(data: Record) -> list[str]:
    rows = []
    for name, kept in data["kept"].items():
        losses = _losses(kept, name.partition("-")[0])
        cells = [f"[{name}.npz](neural/{name}.npz)", kept["kind"], f"{kept['bytes'] / 1000:.0f}"]
        rows.append([*cells, *(f"{loss:.4f}" for loss in losses)])
    return frame.table("file | kind | kB | loss as player 1 | loss as player 2 | NashConv", rows, left=2)


# --- the plot

SEATS = ("as player 1", "as player 2")
TITLES = {"value": "value net, self-play", "deep-cfr": "deep CFR"}


def draw(data: Record, path: Path) -> None:
    from matplotlib.figure import Figure

    games, kinds = list(VALUES), list(TITLES)
    with style():
        figure = Figure(figsize=(9.6, 6.0))
        axes = figure.subplots(len(kinds), len(games), sharey=True, squeeze=False)
        for row, kind in enumerate(kinds):
            for column, game in enumerate(games):
                _panel(axes[row][column], data["runs"], kind, game)
                axes[row][column].set_title(f"{game}, {TITLES[kind]}", loc="left", fontsize=9, fontweight="bold")
            axes[row][0].set_ylabel("payoff of a best response")
        for axis in axes[-1]:
            axis.set_xlabel("seconds of training (one core)")
        _legend(figure)
        figure.tight_layout(rect=(0, 0, 1, 0.95))
    write_figure(figure, path, "Payoff of a best response to the networks over training")


def _panel(axis: Any, runs: dict[str, Any], kind: str, game: str) -> None:
    for seat in range(2):
        colour = FILLS[seat]
        axis.axhline(least(game)[seat], color=colour, linestyle=(0, (4, 3)), linewidth=1.0)
        courses = [
            [(p["seconds"], won(p)[seat], p["steps"]) for p in run["points"]]
            for run in runs.values()
            if (run["kind"], run["game"]) == (kind, game) and "options" not in run
        ]
        for course in courses:
            axis.plot([x for x, _, _ in course], [y for _, y, _ in course], color=colour, linewidth=0.8, alpha=0.45)
        steps = sorted({step for course in courses for _, _, step in course})
        at = [[(x, y) for course in courses for x, y, step in course if step == mark] for mark in steps]
        xs, ys = [median(x for x, _ in points) for points in at], [median(y for _, y in points) for points in at]
        axis.plot(xs, ys, color=colour, linewidth=2.2, marker="o", markersize=3)
    axis.grid(color="#e6e6e6", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.set_xlim(left=0)


def _legend(figure: Any) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], color=FILLS[seat], linewidth=2.2, label=f"the network is {SEATS[seat][3:]}") for seat in range(2)
    ]
    marks.append(Line2D([], [], color=GREY, linewidth=0.8, label="each run (bold: the median)"))
    dashes = Line2D([], [], color=GREY, linestyle=(0, (4, 3)), linewidth=1.0, label="minimum: an equilibrium")
    figure.legend(handles=[*marks, dashes], loc="upper left", ncols=4, frameon=False, fontsize=8.5, labelcolor=INK)


# --- the command


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="PATTERN", default="*", help="runs to train, e.g. 'value 1v2 *'")
    parser.add_argument("--again", action="store_true", help="repeat finished runs")
    parser.add_argument("--list", action="store_true", help="only list the runs")
    parser.add_argument("--render", action="store_true", help="only make the page and its plot")
    parser.add_argument("--root", type=Path, default=frame.ROOT, help="root of the repository, or of a copy")
    asked = parser.parse_args()
    everything: dict[str, Record | None] = {**runs(), **dict.fromkeys(CAUSES)}
    for name, run in everything.items():
        data = read()
        points = data["runs"].get(name, {}).get("points", [])
        there = name in data["causes"] or (run is not None and bool(points) and points[-1]["steps"] == run["steps"])
        if asked.list:
            print(name, "(there)" if there else "")
        elif fnmatch(name, asked.only) and not asked.render and (asked.again or not there):
            if run is None:
                write("causes", name, cause(name))
            else:
                work(name, run)
    if not asked.list:
        data, docs = read(asked.root), asked.root / "docs"
        draw(data, docs / "neural" / "exploitability.svg")
        frame.fill("neural", parts(data), asked.root)


if __name__ == "__main__":
    main()
