"""Train neural players and measure them exactly: ``python docs/neural.py`` makes ``neural.json`` and its plots anew.

Each run trains one net; at some of its steps a best response in each seat says, over all histories, what the net gives
away. What is measured stands in ``neural.json`` at once; a run that was broken off goes on where its last checkpoint
was (in the system's folder for temporary files), and what is there is not run again (``--again`` does). The nets in
``KEPT`` are kept in ``docs/neural/``. ``--only PATTERN`` takes some runs, ``--list`` names them all, ``--render`` only
draws. Seconds are of one core, and this machine's.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from neural_exact import CAUSES, cause
from neural_page import fill
from neural_plots import draw

import efg_builder as eb
from efg_builder.base.files import write_atomically
from efg_builder.players.nets import KINDS, Net, playing, read_net, write_net
from efg_builder.players.nets.training import train

DOCS = Path(__file__).parent
NETS = DOCS / "neural"
STATES = Path(tempfile.gettempdir()) / "efg_builder-neural"
GAMES = {"1v1": (1, 1), "1v2": (1, 2), "2v1": (2, 1)}
VALUES = {"1v1": "-7/327", "1v2": "-5/54", "2v1": "7/27"}
"""To player 1; proved by ``efg-builder solve``: see docs/oracle.md."""

KEPT = {"1v1": "deep-cfr", "1v2": "deep-cfr", "2v1": "deep-cfr", "1v1-value": "value"}
"""The nets that are kept, by the names of their files, and of what kind they are: the best of the three seeds."""

STEPS = {("value", "1v1"): 2400, ("value", ""): 2000, ("deep-cfr", "1v1"): 160, ("deep-cfr", ""): 80}
SEEDS = (0, 1, 2)
POINTS = 5
"""How often a run is measured. A value net takes seconds each time: it is asked at 440,000 information sets."""

VARIANTS: dict[str, dict[str, str]] = {
    "longer": {},
    "noise 0.1": {"noise": "0.1"},
    "slower fall": {"fall": "5000"},
    "as its program": {"fall": "1", "power": "0.5", "decay": "0.01"},
}
"""Of the post's method on 1v2, one run each: is the method what player 1 suffers from?"""

LONGER = {"longer": 6000, "as its program": 14_760}
"""Steps of those that take more than others. The program itself goes to 100,000: half an hour of a core, or more."""

Record = dict[str, Any]


def rules(name: str) -> Any:
    """The game of that name: six sides, ones wild and not to be bid."""
    return eb.game("liars-dice", sides=6, wild=1, wild_biddable=False, dice=GAMES[name])


def runs() -> dict[str, Record]:
    """All runs by name, those first of which one would wait for."""
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
    """What a best response in seat 1, and one in seat 2, gets from *net* in the other seat, in points a game."""
    ready = playing(net)
    match = eb.evaluate(net.game, eb.Policy(ready.at, arrays=ready.wide), method="dense").matches[0]
    return [float(got) for got in match.best_response]


def read() -> Record:
    """What has been measured."""
    path = DOCS / "neural.json"
    return json.loads(path.read_text()) if path.exists() else {"runs": {}, "causes": {}, "kept": {}}


def write(part: str, name: str, record: Record) -> None:
    """Put one record where it belongs."""
    data = read()
    data[part][name] = record
    order = [*runs(), *CAUSES, *KEPT]
    data[part] = dict(sorted(data[part].items(), key=lambda pair: order.index(pair[0])))
    write_atomically(DOCS / "neural.json", [json.dumps(data, indent=1).encode(), b"\n"])


def work(name: str, run: Record) -> None:
    """Train and measure one run."""
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
    """Keep *net*, in 16 bits, where it gives less away in *game* than what is kept of its kind, if that is kept."""
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


def main() -> None:
    """Run what is asked for, then draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="PATTERN", default="*", help="these runs, as 'value 1v2 *'")
    parser.add_argument("--again", action="store_true", help="also those that are there")
    parser.add_argument("--list", action="store_true", help="name the runs, and end")
    parser.add_argument("--render", action="store_true", help="draw, and end")
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
        draw(read(), VALUES, NETS)
        fill(DOCS / "neural.md", read(), VALUES)


if __name__ == "__main__":
    main()
