"""What solving a game will take: seconds of a core and memory, foretold from games that were measured.

The figures are in ``forecast.json``, which ``benchmarks/forecast.py`` makes; ``docs/on-paper.md`` says how the models
came about and how wrong they are. A range is as wide as the models were wrong on games that they had not seen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, exp, floor, inf, log, log10
from pathlib import Path
from typing import Any

from ..base.errors import ParameterError
from ..base.machine import memory_here
from ..base.words import about
from ..forms.extensive import GameTree
from ..games.catalogue import identify, named
from ..games.protocol import Game
from ..solvers.protocol import AUTO, Facts, choose
from .solve import REFINED_NODES, REFINING, small_tree, without_tree

BUSY = 2.0
"""A factor by which seconds of one game differ from run to run, as the machine has other work."""

FITTED_DICE, FITTED_SIDES = 3, 6
"""The models of the oracle are fitted to games of so many dice a side, and of so many sides, at most."""

MOST_DICE, MOST_SIDES = 5, 8
"""Of more they say nothing."""

BEYOND = 2.0
"""Trees may have so many times the nodes of the largest that was measured, or that part of the least."""

LEAST_SECONDS = 0.1
"""Less is not told apart: loading the libraries takes as long."""

PATIENCE = 3600.0
"""Seconds; a search without a limit that will take longer is warned of."""

HOPELESS = 10**14
"""Nodes; games above this of which there is no prediction have ended as brackets so far (docs/oracle.md)."""

QUICK = 600.0
"""Seconds; what is named instead takes at most so long, where there is no limit."""


@dataclass(frozen=True)
class Forecast:
    """What ``solve`` by ``method`` will take, up to an exact answer: ``seconds`` of a core and ``mib`` from ... to.

    The end of a range is infinite where a search that should have been shorter was not done. None: no prediction, and
    ``why`` says why; else it says from what the ranges are.
    """

    method: str
    seconds: tuple[float, float] | None
    mib: tuple[float, float] | None
    why: str

    def to_json(self) -> dict[str, Any]:
        """As plain data; None for an end that nobody knows."""
        ranges = {"seconds": self.seconds, "mib": self.mib}
        known = {key: None if ends is None else [_number(end) for end in ends] for key, ends in ranges.items()}
        return {"method": self.method, **known, "why": self.why}


def _number(end: float) -> float | None:
    return None if end == inf else float(f"{end:.2g}")


def forecast(given: Game | GameTree, method: str = AUTO) -> Forecast:
    """What *given* will take by *method*; a tree of a ``Game`` that has to be built is not foretold from its rules."""
    game = given if isinstance(given, Game) else None
    solver = without_tree(given, method)
    if solver is not None and game is not None:
        return _of_oracle(game) if solver.name == "oracle" else _of_many(game, solver.name)
    if not isinstance(given, GameTree):
        return Forecast(method, None, None, "its tree would have to be built first")
    return _of_tree(given, method)


@cache
def figures() -> Mapping[str, Any]:
    """What was measured."""
    found: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return found


# --- trees


def _of_tree(tree: GameTree, method: str) -> Forecast:
    if method == AUTO and small_tree(tree) is not None:
        return Forecast(REFINING, (0.0, 1.0), None, f"as trees of at most {REFINED_NODES:,} nodes do")
    name = choose(Facts(tree)).name if method == AUTO else method
    model = figures().get(name) if name in ("lp", "lcp") else None
    if model is None:
        return Forecast(name, None, None, f"trees solved by {name} were not modelled")
    sequences = len(tree.players) + sum(len(tree.infosets[k].actions) for k in tree.personal)
    least, most = model["nodes"]
    if len(tree) < least / BEYOND:
        return Forecast(name, (0.0, 1.0), None, f"the smallest of the trees measured has {least:,} nodes")
    if not least / BEYOND <= len(tree) <= most * BEYOND:
        return Forecast(name, None, None, f"trees of {least:,} to {most:,} nodes were measured")
    terms = (1.0, log(len(tree)), log(sequences))
    why = f"{model['games']} trees of {least:,} to {most:,} nodes"
    return Forecast(name, _around(model, terms), None if "mib" not in model else _memory(model["mib"], terms), why)


def _around(model: Mapping[str, Any], terms: Sequence[float]) -> tuple[float, float]:
    middle = exp(sum(weight * term for weight, term in zip(model["weights"], terms, strict=True)))
    off = max(BUSY, model["off"])
    return middle / off, middle * off


def _memory(model: Mapping[str, Any], terms: Sequence[float]) -> tuple[float, float]:
    base: float = figures()["oracle"]["base_mib"]
    least, most = _around(model, terms)
    return base + least, base + most


# --- without a tree


@dataclass(frozen=True)
class _Round:
    """What the models know a round of Liar's Dice by."""

    dice: tuple[int, int]
    sides: int
    rules: str
    order: str

    def inside(self, other: _Round) -> bool:
        """Whether this game has the same rules as *other*, and no more dice and sides."""
        fewer = all(mine <= their for mine, their in zip(self.dice, other.dice, strict=True))
        return fewer and self.sides <= other.sides and (self.rules, self.order) == (other.rules, other.order)

    def terms(self) -> dict[str, float]:
        """The numbers that the models' weights go with."""
        one, two = (log(comb(count + self.sides - 1, count)) for count in self.dice)
        joker, highest, faces = self.rules == "joker", self.rules == "highest", self.order == "face-quantity"
        return {
            **{"constant": 1.0, "bids": log(sum(self.dice) * (self.sides - joker))},
            **{"hands of player 1": one, "hands of player 2": two},
            **{"joker": joker, "highest wild": highest, "by faces": faces},
            "wild by faces": faces and (joker or highest),
        }

    def middle(self, figure: str) -> float:
        """What the model of *figure* says."""
        weights = figures()["oracle"][figure]["weights"]
        return exp(sum(weights[name] * term for name, term in self.terms().items()))


def _round(game: Game) -> _Round | None:
    """*game* as the models know it; None where its rules are others."""
    known = identify(game)
    if known is None or known[0] != "liars-dice":
        return None
    said = known[1]
    dice, sides = [int(count) for count in said["dice"].split(",")], int(said["sides"])
    if len(dice) != 2 or said["order"] == "bluff" or int(said["max_quantity"]) != sum(dice):
        return None
    wild, biddable = said["wild"], said["wild_biddable"] == "true"
    rules = "plain" if wild == "none" else "joker" if not biddable else "highest" if wild == str(sides) else ""
    return _Round((dice[0], dice[1]), sides, rules, said["order"]) if rules else None


def _of_oracle(game: Game) -> Forecast:
    data, round_ = figures()["oracle"], _round(game)
    if round_ is None:
        return Forecast("oracle", None, None, "no game with such rules was measured")
    longer, least, stopped = 1.0, 0.0, round_
    for one, two, sides, rules, order, exact, seconds, mib in data["searches"]:
        other = _Round((one, two), sides, rules, order)
        if exact and other == round_:
            ends = (mib / 1.5, mib * 1.5)
            return Forecast("oracle", (seconds / BUSY, seconds * BUSY), ends, f"this game took {about(seconds)}")
        if not exact and other.inside(round_):
            longer = max(longer, seconds / other.middle("seconds"))
            least, stopped = max((least, stopped), (seconds, other), key=lambda one: one[0])
    if max(round_.dice) > MOST_DICE or round_.sides > MOST_SIDES:
        return Forecast("oracle", None, None, f"no game of more than {MOST_DICE} dice a side or {MOST_SIDES} sides was")
    fitted = max(round_.dice) <= FITTED_DICE and round_.sides <= FITTED_SIDES
    off = {figure: data[figure]["unseen"][1 if fitted else 2] for figure in ("seconds", "sequences")}
    seconds, sequences = (round_.middle(figure) for figure in ("seconds", "sequences"))
    few, many = data["bytes"]
    mib = [data["base_mib"] + size * sequences / 2**20 for size in (few / off["sequences"], many * off["sequences"])]
    why = "the model of docs/on-paper.md" + ("" if fitted else ", beyond the games that it is fitted to")
    low, high = seconds * longer / off["seconds"], seconds * off["seconds"]
    if least > 0:
        same = "this game" if stopped == round_ else f"dice={','.join(map(str, stopped.dice))} sides={stopped.sides}"
        low, why = max(low, least), f"{why}; {same} was not done in {about(least)}"
        high = inf if longer > 1 or low > high else high
    return Forecast("oracle", (low, high), (mib[0], mib[1]), why)


def _of_many(game: Game, name: str) -> Forecast:
    known = identify(game)
    for settings, status, seconds in figures()["many"]:
        if identify(named("liars-dice").create(settings)) == known:
            why = f"this game took {about(seconds)}, and ended with status {status}"
            return Forecast(name, (seconds / BUSY, seconds * BUSY), None, why)
    return Forecast(name, None, None, "no game with such rules was measured")


# --- in words


def time_in_words(found: Forecast) -> str:
    """``between 3.7 min and 86 min``, or that nobody knows."""
    if found.seconds is None:
        return "no prediction"
    low, high = found.seconds
    if high == inf:
        return f"more than {about(low)}"
    if high <= max(LEAST_SECONDS, 1.0):
        return f"less than {about(max(high, LEAST_SECONDS))}"
    return f"between {about(low)} and {about(high)}"


def memory_in_words(found: Forecast) -> str:
    """``between 80 and 250 MiB``."""
    if found.mib is None:
        return "no prediction"
    low, high = (f"{float(f'{end:.2g}'):,.0f}" for end in found.mib)
    return f"between {low} and {high} MiB"


def hopeless(given: Game | GameTree, method: str = AUTO, timeout: float | None = None) -> str:
    """One line on why an exact answer is not to be hoped for, and what can be had; empty where it is.

    It is not where even the low end of the range is more than *timeout* (None: than an hour), or than the memory here.
    """
    if not isinstance(given, Game) or without_tree(given, method) is None:
        return ""
    found, limit = forecast(given, method), PATIENCE if timeout is None else timeout
    memory = memory_here()
    if found.mib is not None and memory is not None and found.mib[0] * 2**20 > memory:
        said = f"{memory_in_words(found)} are to be expected, and {memory / 2**20:,.0f} MiB are here"
    elif found.seconds is not None and (found.seconds[0] > limit or (found.seconds[1] == inf and timeout is None)):
        said = f"an exact answer would take {time_in_words(found)} ({found.why})"
    elif found.seconds is None and timeout is None and (size := given.size()) is not None and size.nodes > HOPELESS:
        said = f"10^{floor(log10(size.nodes))} nodes: so large a game has not been solved exactly here"
    else:
        return ""
    ends = "the time limit gives" if timeout is not None else "Ctrl-C, --timeout SECONDS and --gap NUMBER give"
    instead = f"{ends} the best strategies found by then, and their bound; --checkpoint FILE.npz keeps the search"
    less = _feasible(given, method, limit if timeout is not None else QUICK)
    return f"{said}. {instead}" + (f"; {less}" if less else "")


def _feasible(game: Game, method: str, limit: float) -> str:
    """The game with the fewest dice less that ends in *limit* seconds, and how long it takes; empty where none does."""
    known, round_ = identify(game), _round(game)
    if known is None or round_ is None:
        return ""
    dice = round_.dice
    while sum(dice) > 2:
        dice = (dice[0] - 1, dice[1]) if dice[0] >= dice[1] else (dice[0], dice[1] - 1)
        fewer = f"{dice[0]},{dice[1]}"
        try:
            smaller = named(known[0]).create({**known[1], "dice": fewer, "max_quantity": "dice"})
        except ParameterError:
            return ""
        found = forecast(smaller, method)
        if without_tree(smaller, method) is None or (found.seconds is not None and found.seconds[1] <= limit):
            told = "" if found.seconds is None else f" takes {time_in_words(found)}"
            return f"dice={fewer}{told or ' is small'}"
    return ""
