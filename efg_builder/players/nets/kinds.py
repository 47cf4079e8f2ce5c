"""The kinds of nets, and how each plays."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from ...games.protocol import PublicDecision
from ...strategies.dense_profile import DenseProfile
from . import policy_net, value_net
from .file import Net, read_kinds

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Kind:
    """How nets of a kind play.

    ``prepare(net)`` makes of the net whatever the other two take: ``probabilities(net, ready, bids, hand)``, of all
    moves after *bids*, the call last; ``wide(net, ready)``, the whole strategy.
    """

    name: str
    summary: str
    prepare: Callable[[Net], Any]
    probabilities: Callable[[Net, Any, tuple[int, ...], int], Array]
    wide: Callable[[Net, Any], DenseProfile]


_ALL = (
    Kind(
        value_net.KIND,
        "self-play: a net of values, moves by their regrets (T. D. Ahle 2022)",
        value_net.prepare,
        value_net.probabilities,
        value_net.wide,
    ),
    Kind(
        policy_net.KIND,
        "deep counterfactual regret minimisation: nets of regrets, and of the average strategy (Brown et al. 2019)",
        policy_net.prepare,
        policy_net.probabilities,
        policy_net.wide,
    ),
)

KINDS = MappingProxyType({kind.name: kind for kind in _ALL})
"""By name."""


def read_net(path: str | os.PathLike[str], kinds: Collection[str] = tuple(KINDS)) -> Net:
    """The net in the file at *path*, of one of the *kinds*. Raises ``FileError``."""
    return read_kinds(path, kinds)


@dataclass(frozen=True, eq=False)
class Playing:
    """A net that is ready to play. ``at`` and ``wide`` are what a policy needs."""

    net: Net
    ready: Any

    def at(self, turn: PublicDecision, hand: int) -> dict[str, float]:
        """The probabilities of the moves that are made at all."""
        game, kind = self.net.game, KINDS[self.net.kind]
        numbers = {name: bid for bid, name in enumerate(game.bid_names)}
        made = () if turn.history == game.history(()) else tuple(numbers[word] for word in turn.history.split(" "))
        row = kind.probabilities(self.net, self.ready, made, hand)
        names = (*game.bid_names, game.call)
        return {names[move]: float(row[move]) for move in np.flatnonzero(row)}

    def wide(self) -> DenseProfile:
        """At all histories."""
        return KINDS[self.net.kind].wide(self.net, self.ready)


def playing(net: Net) -> Playing:
    """*net*, ready to play. Raises ``FileError`` where its weights are no net of its kind."""
    return Playing(net, KINDS[net.kind].prepare(net))
