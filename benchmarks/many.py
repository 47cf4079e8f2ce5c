"""Solve and verify games with three or more players: ``python benchmarks/many.py [NAME ...] [--against]``.

Each game of ``GAMES``, or each named game, is solved in a separate process. The script fills the table of
``docs/many-players.md``. ``--render`` only fills the page from saved data. ``--against`` compares ``many`` with
Gambit's routines on small trees, for the page's second table.
"""

from __future__ import annotations

import argparse
import subprocess
from fractions import Fraction
from typing import Any

import catalogue
import efg_builder as eb
import frame
from efg_builder.base.rationals import Number
from efg_builder.forms.recall import has_perfect_recall
from efg_builder.solvers.registry import applicable

Record = dict[str, Any]

GAMES: dict[str, tuple[dict[str, str], float]] = {
    "3 players, 2 sides": ({"dice": "1,1,1", "sides": "2"}, 60),
    "3 players, 3 sides": ({"dice": "1,1,1", "sides": "3"}, 60),
    "3 players, 4 sides": ({"dice": "1,1,1", "sides": "4"}, 60),
    "3 players, 5 sides": ({"dice": "1,1,1", "sides": "5"}, 300),
    "3 players, 6 sides": ({"dice": "1,1,1", "sides": "6"}, 900),
    "3 players, 6 sides, joker": ({"dice": "1,1,1", "sides": "6", "wild": "1", "wild_biddable": "false"}, 900),
    "4 players, 2 sides": ({"dice": "1,1,1,1", "sides": "2"}, 60),
    "4 players, 3 sides": ({"dice": "1,1,1,1", "sides": "3"}, 60),
    "5 players, 2 sides": ({"dice": "1,1,1,1,1", "sides": "2"}, 60),
    "two dice, one, one; 2 sides": ({"dice": "2,1,1", "sides": "2"}, 60),
    "4 players, 6 sides": ({"dice": "1,1,1,1", "sides": "6"}, 300),
    "6 players, 6 sides": ({"dice": "1,1,1,1,1,1", "sides": "6"}, 300),
    "3 players with two dice each, 6 sides": ({"dice": "2,2,2", "sides": "6"}, 300),
}
"""Settings of Liar's Dice, with one die each unless the name states otherwise, and the time limit in seconds."""

AGAINST = (
    ("liars-dice", {"dice": "1,1,1", "max_quantity": "1"}),
    ("liars-dice", {"dice": "1,1,1", "max_quantity": "2"}),
    ("liars-dice", {"dice": "1,1,1"}),
    ("liars-dice", {"dice": "2,1,1", "max_quantity": "1"}),
    ("liars-dice", {"dice": "1,1,1", "sides": "3", "max_quantity": "1"}),
    ("liars-dice", {"dice": "1,1,1", "sides": "4", "max_quantity": "1"}),
    ("liars-dice", {"dice": "1,1,1,1", "max_quantity": "1"}),
)
"""Small games with more than two players; ``small`` adds games of Gambit's catalogue."""

LIMIT = 5.0
"""Time limit in seconds for each routine on each small game."""


def measure(settings: dict[str, str], timeout: float) -> Record:
    game = eb.game("liars-dice", **settings)
    size = game.size()
    solution = eb.solve(game, "many", timeout=timeout)
    sparse = solution.sparse
    assert size is not None
    return {
        "settings": settings,
        "nodes": str(size.nodes),
        "status": solution.status,
        "value": [short(v) for v in (solution.value if solution.verdict else ())],
        "regret": short(solution.regret if solution.verdict else 0),
        "written": list(sparse.sizes) if sparse is not None else None,
        "seconds": round(solution.seconds, 1),
    }


def short(exact: Number) -> str:
    """Return a short fraction as text, and a long fraction as a float."""
    return str(exact) if len(str(exact)) <= 24 else repr(float(exact))


def small() -> list[tuple[str, eb.GameTree]]:
    found = []
    for name, settings in AGAINST:
        words = " ".join(f"{key}={value}" for key, value in settings.items())
        found.append((f"{name} {words}", eb.build(eb.game(name, **settings))))
    found += [(name, eb.read_efg(path)) for name, path in catalogue.games()]
    return [(name, tree) for name, tree in found if len(tree.players) > 2 and has_perfect_recall(tree)]


def against() -> dict[str, Record]:
    """Return the seconds and the verified regret of ``many`` and of Gambit's applicable routines, by game."""
    found: dict[str, Record] = {}
    for name, tree in small():
        frame.tell(name)
        found[name] = {"nodes": len(tree), "players": len(tree.players), "routines": {}}
        routines = ["many", *(s.name for s in applicable(tree) if s.name.startswith("gambit-"))]
        for routine in routines:
            solution = eb.solve(tree, routine, timeout=LIMIT)
            regret = None if solution.verdict is None else float(solution.regret)
            found[name]["routines"][routine] = {"seconds": round(solution.seconds, 2), "regret": regret}
    return found


def number(text: str) -> str:
    """Return a short fraction as text, and a long fraction as a decimal."""
    return text if len(text) <= 9 else f"{float(Fraction(text)):.6f}"


def small_number(text: str) -> str:
    return "0" if Fraction(text) == 0 else f"{float(Fraction(text)):.1e}"


def render(data: dict[str, Any]) -> None:
    rows = []
    for name in GAMES:
        if name in data["games"]:
            one = data["games"][name]
            nodes = int(one["nodes"])
            count = f"{nodes:,}" if nodes < 10**9 else f"{nodes:.1e}"
            value = ", ".join(map(number, one["value"]))
            rows.append([name, count, value, small_number(one["regret"]), f"{one['seconds']:,}"])
    parts = {"games": frame.table("game | nodes | payoffs | proved regret | seconds", rows)}
    if data.get("against"):
        head, lines = ["game", "nodes", "many", "best Gambit routine", "other Gambit routines"], []
        for name, one in data["against"].items():
            told = {routine: _told(found) for routine, found in one["routines"].items()}
            ours = told.pop("many")
            good = {r: f for r, f in one["routines"].items() if r != "many" and f["regret"] is not None}
            best = min(good, key=lambda r: (good[r]["regret"] > 1e-6, good[r]["seconds"]), default=None)
            wrong, none = sum(f["regret"] > 1e-6 for f in good.values()), len(told) - len(good)
            counted = ((wrong, "found no equilibrium"), (none, "found nothing in time"))
            words = ", ".join(f"{count} {what}" for count, what in counted if count)
            lines.append([name, f"{one['nodes']:,}", ours, f"{best}: {told[best]}" if best else "none", words])
        parts["against"] = frame.table(head, lines)
    frame.fill("many-players", parts)


def _told(found: Record) -> str:
    regret = found["regret"]
    return f"{'nothing' if regret is None else f'{regret:.0e}' if regret else '0'}, {found['seconds']:.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--against", action="store_true", help="measure Gambit's routines on small games too")
    parser.add_argument("--render", action="store_true", help="only fill the page from saved data")
    given = parser.parse_args()
    data = frame.load("many") or {"games": {}, "against": {}}
    for name in [] if given.render else given.names or ([] if given.against else list(GAMES)):
        settings, timeout = GAMES[name]
        try:
            data["games"][name] = frame.own_process(measure, settings, timeout)
        except subprocess.SubprocessError as error:
            frame.tell(f"{name}: {error}")
            continue
        frame.tell(f"{name}: {data['games'][name]}")
        frame.keep("many", data)
    if given.against:
        data["against"] = against()
        frame.keep("many", data)
    render(data)


if __name__ == "__main__":
    main()
