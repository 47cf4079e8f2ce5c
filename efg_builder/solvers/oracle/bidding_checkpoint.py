"""The state of a double oracle for bidding in a file."""

from __future__ import annotations

import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ...base.errors import FileError
from ...base.files import reason, write_atomically
from ...base.npy_file import read_arrays
from ..lp.highs import Vertex
from .bidding import Bidding
from .bidding_master import Master, master
from .bidding_plan import valid_plan
from .bidding_regret import Regrets
from .bidding_search import Search
from .bidding_support import ROOT, Plan, Support

FORMAT = "efg-builder oracle 2"

DAMAGE = (
    *(ValueError, KeyError, IndexError, TypeError, EOFError, NotImplementedError, RuntimeError, AttributeError),
    *(ArithmeticError, zipfile.BadZipFile),
)
"""What reading a damaged file can raise."""

LEAST = 1e-30
"""Smaller weights are none."""

MOST_ROUNDS = 10**12
"""More rounds than any search has."""


def save(path: Path, search: Search) -> None:
    """Write what ``load`` gives back. Raises ``FileError``."""
    model, support = search.model, search.support
    arrays: dict[str, Any] = {"parent": support.parent, "bid": support.bid}
    for player, plan in enumerate(search.plans):
        arrays[f"allowed{player}"] = _flags(model, support, player)
        arrays[f"nodes{player}"] = plan.nodes
        arrays[f"weights{player}"] = (plan.weights / plan.scale).astype(np.float64)
    if search.last is not None:
        vertex = search.last[1]
        arrays["columns"], arrays["rows"] = vertex.basic_columns, vertex.basic_rows
    if search.regrets is not None:
        # Linear programs add to the support, of which regrets know nothing yet.
        search.regrets.grow()
        arrays |= search.regrets.state()
    course = {"rounds": search.rounds, "spent": search.spent, "turns": search.turns}
    arrays["state"] = json.dumps({"format": FORMAT, "game": _name(model), "title": model.game.title, **course})
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    write_atomically(path, [buffer.getvalue()])


def load(path: Path, model: Bidding) -> Search:
    """The search of *model* that was saved: restricted game, basis, regrets, best plans.

    No bound is taken from the file: those of the plans are worked out anew. Raises ``FileError`` where the file
    cannot be read or is not one of this game.
    """
    try:
        with open(path, "rb") as file:
            arrays = read_arrays(file)
        state = json.loads(str(arrays["state"]))
        saved = state.get("title", "")
        if state["format"] != FORMAT or not isinstance(state["game"], str) or not isinstance(saved, str):
            raise ValueError("another format")
        if state["game"] == _name(model):
            search = _search(model, arrays)
            search.rounds, search.turns = _count(state["rounds"]), _count(state["turns"])
            search.spent = _seconds(state["spent"])
            return search
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except DAMAGE as error:
        raise FileError(f"cannot resume from {path}: it is no state of the oracle, or damaged") from error
    title, other = model.game.title, f"{saved[:200]!r}" if "title" in state else "another game"
    if saved == title:
        raise FileError(f"cannot resume from {path}: it is of {other} with other rules")
    raise FileError(f"cannot resume from {path}: it is of {other}, not of {title!r}")


def _count(given: object) -> int:
    if type(given) is not int or not 0 <= given <= MOST_ROUNDS:
        raise ValueError("no number of rounds")
    return given


def _seconds(given: object) -> float:
    if type(given) is not float or not 0 <= given < math.inf:
        raise ValueError("no number of seconds")
    return given


def _search(model: Bidding, arrays: dict[str, Any]) -> Search:
    support = _support(model, arrays)
    search = Search(model, support)
    search.plans = [_plan(model, support, player, arrays) for player in range(2)]
    search.respond((search.plans[0], search.plans[1]), 0.0)
    if "rows" in arrays:
        search.last = _solved(model, support, arrays)
    if "weight" in arrays:
        search.regrets = Regrets(model, support)
        search.regrets.restore(arrays)
    return search


def _plan(model: Bidding, support: Support, player: int, arrays: dict[str, Any]) -> Plan:
    nodes, rows = _whole_numbers(arrays[f"nodes{player}"]), arrays[f"weights{player}"]
    if any(not 0 < node < len(support) or support.bidder(node) != player for node in nodes):
        raise ValueError("no plan")
    if rows.dtype.kind != "f" or rows.shape != (len(nodes), model.hands[player]):
        raise ValueError("no weights")
    if len(set(nodes)) != len(nodes) or not np.all((rows >= 0) & (rows <= 1)):
        raise ValueError("no plan")
    weights = np.zeros((len(support), model.hands[player]))
    # What is next to nothing has no inverse.
    weights[nodes] = np.where(rows < LEAST, 0, rows)
    return valid_plan(model, support, player, weights, 1)


def _name(model: Bidding) -> str:
    return repr(model.game)


def _flags(model: Bidding, support: Support, player: int) -> np.ndarray[Any, Any]:
    nodes = [node for node in range(1, len(support)) if support.bidder(node) == player]
    flags = np.array([support.allowed[node] for node in nodes], dtype=bool)
    return np.packbits(flags.reshape(len(nodes), model.hands[player]), axis=1)


def _support(model: Bidding, arrays: dict[str, Any]) -> Support:
    support = Support(model)
    flags = [iter(np.unpackbits(arrays[f"allowed{p}"], axis=1, count=model.hands[p]).astype(bool)) for p in range(2)]
    above, bids = _whole_numbers(arrays["parent"])[1:], _whole_numbers(arrays["bid"])[1:]
    for parent, bid in zip(above, bids, strict=True):
        # A parent that came later, or an index from the end, would make a circle.
        if not 0 <= parent < len(support):
            raise ValueError("no such parent")
        if not support.bid[parent] < bid < model.bids or bid in support.children[parent]:
            raise ValueError("no such history")
        hands = next(flags[support.depth[parent] % 2], None)
        if hands is None or not _may_be_there(support, parent, hands):
            raise ValueError("no such hands")
        support.allow(parent, bid, hands)
    if not np.any([support.allowed[node] for node in support.children[ROOT].values()], axis=0).all():
        raise ValueError("a hand has no opening")
    return support


def _may_be_there(support: Support, node: int, hands: np.ndarray[Any, Any]) -> bool:
    """Whether each of *hands*, of the player to move at *node*, may have made its own last bid before."""
    own = support.parent[node]
    return own <= ROOT or not (hands & ~support.allowed[own]).any()


def _whole_numbers(array: np.ndarray[Any, Any]) -> list[int]:
    if array.ndim != 1 or array.dtype.kind != "i":
        raise ValueError("no whole numbers")
    found: list[int] = array.tolist()
    return found


def _solved(model: Bidding, support: Support, arrays: dict[str, Any]) -> tuple[Master, Vertex]:
    program, nothing = master(model, support), np.zeros(0)
    if (len(arrays["rows"]), len(arrays["columns"])) != program.shape:
        raise ValueError("the basis does not fit")
    return program, Vertex(nothing, nothing, arrays["columns"].astype(bool), arrays["rows"].astype(bool))
