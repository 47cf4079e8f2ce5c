"""The state of a sparse double oracle in a file: the restricted game and its optimal basis."""

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
from .bidding_support import Support
from .highs import Vertex

FORMAT = "efg-builder oracle 1"

DAMAGE = (ValueError, KeyError, IndexError, TypeError, EOFError, NotImplementedError, RuntimeError, AttributeError)
"""What reading a damaged file can raise, besides its compression's own errors."""


def save(path: Path, model: Bidding, support: Support, vertex: Vertex | None, rounds: int) -> None:
    """Write what :func:`load` gives back; *vertex* is one of the restricted game *support*, if there is one.

    Raises ``FileError``.
    """
    arrays: dict[str, Any] = {"parent": support.parent, "bid": support.bid}
    for player in range(2):
        arrays[f"allowed{player}"] = _flags(model, support, player)
    if vertex is not None:
        arrays["columns"], arrays["rows"] = vertex.basic_columns, vertex.basic_rows
    arrays["state"] = json.dumps({"format": FORMAT, "game": _name(model), "rounds": rounds})
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_atomically(path, [buffer.getvalue()])


def load(path: Path, model: Bidding) -> tuple[Support, tuple[Master, Vertex] | None, int]:
    """The restricted game, its program and basis (None: regrets were minimised), and the rounds made.

    No bound is taken from the file: the next round works them out anew. Raises ``FileError`` where the file cannot
    be read or is not one of this game.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        state = json.loads(str(arrays["state"]))
        if state["format"] == FORMAT and state["game"] == _name(model):
            support = _support(model, arrays)
            solved = _solved(model, support, arrays) if "rows" in arrays else None
            return support, solved, int(state["rounds"])
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except (*DAMAGE, zipfile.BadZipFile, zlib.error) as error:
        raise FileError(f"cannot resume from {path}: it is no state of the oracle, or damaged") from error
    raise FileError(f"cannot resume from {path}: it is of {state['game']!r}, not of {_name(model)!r}")


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
