"""The file of a net: an archive of NumPy arrays, with the net's game, kind and training as JSON.

The array ``about`` contains the JSON text ``{"format": "efg-builder net 1", "kind": ..., "game": {"name", "settings",
"title"}, "trained": {...}}``. All other arrays are weights, in 16 or 32 bits.
"""

from __future__ import annotations

import io
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...base.errors import EfgBuilderError, FileError
from ...base.files import reason, write_atomically
from ...base.npy_file import read_arrays
from ...base.strict_json import strict_json
from ...games.bidding import DiceBidding
from ...games.catalogue import identify, make
from ...games.protocol import PublicDecision
from ...solvers.driver import DAMAGE
from ...strategies.dense_profile import DenseProfile
from .encoding import Array

FORMAT = "efg-builder net 1"

Layers = tuple[tuple[Array, Array], ...]

MOST_LAYERS = 50


@dataclass(frozen=True, eq=False)
class Net:
    """A net that plays ``game``.

    ``kind`` is a key of ``nets.KINDS``. ``weights`` contains float arrays by name. ``trained`` contains the seed, the
    number of steps and the options of the training.
    """

    kind: str
    game: DiceBidding
    weights: Mapping[str, Array]
    trained: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def parameters(self) -> int:
        return sum(array.size for array in self.weights.values())

    def weight(self, name: str, shape: tuple[int, ...]) -> Array:
        """Return the array *name* as float32. In *shape*, -1 matches any size. Raises ``FileError``."""
        found = self.weights.get(name)
        if found is None:
            raise FileError(f"{self.source or 'the net'}: the array {name!r} is missing")
        fits = found.ndim == len(shape) and all(w in (-1, n) for w, n in zip(shape, found.shape, strict=True))
        if not fits or found.dtype.kind != "f" or not np.isfinite(found).all():
            wanted = " x ".join("any" if n < 0 else str(n) for n in shape)
            raise FileError(f"{self.source or 'the net'}: {name!r} is not an array of {wanted} finite floats")
        return found.astype(np.float32)

    def layers(self, prefix: str, units: int, outputs: int, least: int = 0, added: bool = False) -> Layers:
        """Return the fully connected layers ``prefix1``, ``prefix2``, ..., ``prefixout``, as (weights, biases).

        The first layer has *units* inputs, and the last layer has *outputs* units. At least *least* layers precede the
        last layer. With residual connections (*added*), every layer between the first and the last must be square.
        Raises ``FileError`` for other shapes.
        """
        count = next((n for n in range(MOST_LAYERS) if f"{prefix}{n + 1}.weight" not in self.weights), -1)
        if count < least:
            raise FileError(f"{self.source or 'the net'}: it has no layers, or more than {MOST_LAYERS}")
        found: list[tuple[Array, Array]] = []
        for name in (*map(str, range(1, count + 1)), "out"):
            rows = outputs if name == "out" else units if added and found else -1
            weight = self.weight(f"{prefix}{name}.weight", (rows, units))
            units = len(weight)
            found.append((weight, self.weight(f"{prefix}{name}.bias", (units,))))
        return tuple(found)


@dataclass(frozen=True, eq=False)
class Ready(ABC):
    """A net prepared to play ``game``, with the methods ``at`` and ``dense`` of a policy."""

    game: DiceBidding

    @abstractmethod
    def probabilities(self, bids: tuple[int, ...], hand: int) -> Array:
        """Return the probabilities of all m bids and then of the call, after *bids*: shape (m + 1,)."""

    @abstractmethod
    def dense(self) -> DenseProfile:
        """Return the whole strategy."""

    def at(self, turn: PublicDecision, hand: int) -> dict[str, float]:
        """Return the probability of each move with a positive probability."""
        game = self.game
        row, names = self.probabilities(game.bids_of(turn.history), hand), (*game.bid_names, game.call)
        return {names[move]: float(row[move]) for move in np.flatnonzero(row)}


def archive(about: Mapping[str, Any], arrays: Mapping[str, Array]) -> bytes:
    """Return an archive as bytes. The same content always gives the same bytes."""
    out = io.BytesIO()
    named: dict[str, Any] = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    np.savez(out, about=np.array(json.dumps(about)), **named)
    return out.getvalue()


def game_part(game: DiceBidding) -> dict[str, Any]:
    """Return the game as JSON data for the array ``about`` of a file."""
    named = identify(game)
    assert named is not None
    return {"name": named[0], "settings": named[1], "title": game.title}


def write_net(path: str | os.PathLike[str], net: Net, half: bool = False) -> None:
    """Write *net* atomically, with weights in 32 bits, or in 16 bits if *half*. Raises ``FileError``."""
    about = {"format": FORMAT, "kind": net.kind, "game": game_part(net.game), "trained": dict(net.trained)}
    kind = np.float16 if half else np.float32
    write_atomically(path, [archive(about, {name: w.astype(kind) for name, w in net.weights.items()})])


def read_archive(path: str | os.PathLike[str], wanted: str) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return ``about`` and the arrays in the file at *path*. Raises ``FileError`` unless the format is *wanted*."""
    try:
        with open(path, "rb") as file:
            arrays = read_arrays(file)
        about = strict_json(str(arrays.pop("about")[()]))
        if about["format"] != wanted:
            raise ValueError(f"its format is {str(about['format'])[:40]!r}, not {wanted!r}")
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except DAMAGE as error:
        what = "'about' is missing" if isinstance(error, KeyError) else str(error)
        raise FileError(
            f"cannot read {path}: not a net, or damaged ({what}); 'efg-builder train' writes nets"
        ) from error
    return about, arrays


def game_of(path: str | os.PathLike[str], about: Mapping[str, Any]) -> DiceBidding:
    try:
        part = about["game"]
        game = make(part["name"], part["settings"])
        if not isinstance(game, DiceBidding) or len(game.players) != 2:
            raise ValueError(f"{game.title} is not two-player Liar's Dice")
    except (*DAMAGE, EfgBuilderError) as error:
        raise FileError(f"cannot read {path}: the game in its 'about' is invalid ({error})") from error
    return game
