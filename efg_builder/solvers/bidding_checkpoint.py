"""The state of a double oracle for bidding in a file."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FileError
from ..files import reason, write_atomically
from .bidding import Bidding
from .bidding_master import Master, master
from .bidding_plan import valid_plan
from .bidding_regret import Regrets
from .bidding_search import Search
from .bidding_support import Plan, Support
from .highs import Vertex

FORMAT = "efg-builder oracle 2"

DAMAGE = (ValueError, KeyError, IndexError, TypeError, EOFError, NotImplementedError, RuntimeError, AttributeError)
"""What reading a damaged file can raise, besides its compression's own errors."""


def save(path: Path, search: Search) -> None:
    """Write what :func:`load` gives back. Raises ``FileError``."""
    model, support = search.model, search.support
    arrays: dict[str, Any] = {"parent": support.parent, "bid": support.bid}
    for player, plan in enumerate(search.plans):
        arrays[f"allowed{player}"] = _flags(model, support, player)
        arrays[f"nodes{player}"] = plan.nodes
        arrays[f"weights{player}"] = (plan.weights / plan.scale).astype(np.float64)
    if search.last is not None:
        vertex = search.last[1]
        arrays["columns"], arrays["rows"] = vertex.basic_columns, vertex.basic_rows
    elif search.regrets is not None:
        arrays |= search.regrets.state()
    arrays["state"] = json.dumps({"format": FORMAT, "game": _name(model), "rounds": search.rounds})
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    write_atomically(path, [buffer.getvalue()])


def load(path: Path, model: Bidding) -> Search:
    """The search of *model* that was saved: restricted game, basis, regrets, best plans.

    No bound is taken from the file: those of the plans are worked out anew. Raises ``FileError`` where the file
    cannot be read or is not one of this game.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        state = json.loads(str(arrays["state"]))
        if state["format"] == FORMAT and state["game"] == _name(model):
            return _search(model, arrays, int(state["rounds"]))
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except (*DAMAGE, zipfile.BadZipFile, zlib.error) as error:
        raise FileError(f"cannot resume from {path}: it is no state of the oracle, or damaged") from error
    raise FileError(f"cannot resume from {path}: it is of {state['game']!r}, not of {_name(model)!r}")


def _search(model: Bidding, arrays: dict[str, Any], rounds: int) -> Search:
    support = _support(model, arrays)
    search = Search(model, support)
    search.plans = [_plan(model, support, player, arrays) for player in range(2)]
    search.respond((search.plans[0], search.plans[1]), 0.0)
    search.rounds = rounds
    if "rows" in arrays:
        search.last = _solved(model, support, arrays)
    if "weight" in arrays:
        search.regrets = Regrets(model, support)
        search.regrets.restore(arrays)
    return search


def _plan(model: Bidding, support: Support, player: int, arrays: dict[str, Any]) -> Plan:
    nodes, rows = arrays[f"nodes{player}"], arrays[f"weights{player}"]
    if any(support.bidder(node) != player for node in nodes.tolist()) or not np.all((rows >= 0) & (rows <= 1)):
        raise ValueError("no plan")
    weights = np.zeros((len(support), model.hands[player]))
    weights[nodes] = rows
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
    for parent, bid in zip(arrays["parent"][1:].tolist(), arrays["bid"][1:].tolist(), strict=True):
        bidder = support.depth[parent] % 2
        if not support.bid[parent] < bid < model.bids or bid in support.children[parent]:
            raise ValueError("no such history")
        support.allow(parent, bid, next(flags[bidder], np.zeros(0, dtype=bool)))
    return support


def _solved(model: Bidding, support: Support, arrays: dict[str, Any]) -> tuple[Master, Vertex]:
    program, nothing = master(model, support), np.zeros(0)
    if (len(arrays["rows"]), len(arrays["columns"])) != program.shape:
        raise ValueError("the basis does not fit")
    return program, Vertex(nothing, nothing, arrays["columns"].astype(bool), arrays["rows"].astype(bool))
