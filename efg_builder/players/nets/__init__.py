"""Neural nets that play games of bidding: what they see, what they compute (in NumPy alone), and their files.

Two kinds. ``value``: self-play, a net of values, moves by their regrets (T. D. Ahle 2022; ``value_net``).
``deep-cfr``: deep counterfactual regret minimisation, a net of the average strategy (N. Brown et al. 2019;
``policy_net``). Only ``nets.training`` needs PyTorch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ...base.errors import FileError
from ...games.protocol import PublicDecision
from ...strategies.dense_profile import DenseProfile
from . import policy_net, value_net
from .file import FORMAT, Net, game_of, read_archive, write_net

__all__ = ["KINDS", "Net", "Playing", "playing", "read_net", "write_net"]

Ready = value_net.Sums | policy_net.Stacks
"""A net made ready: ``probabilities(bids, hand)`` of all moves, the call last, and ``dense()``, the whole strategy."""

KINDS: Mapping[str, Callable[[Net], Ready]] = MappingProxyType(
    {value_net.KIND: value_net.prepare, policy_net.KIND: policy_net.prepare}
)
"""What makes a net of each kind ready to play; it raises ``FileError`` where the weights do not fit the kind."""


def read_net(path: str | os.PathLike[str], kinds: Collection[str] = tuple(KINDS)) -> Net:
    """The net in the file at *path*, of one of the *kinds*. Raises ``FileError``."""
    about, arrays = read_archive(path, FORMAT)
    if about.get("kind") not in kinds:
        raise FileError(f"cannot read {path}: its kind is {about.get('kind')!r}; known are {', '.join(kinds)}")
    trained = about.get("trained")
    return Net(about["kind"], game_of(path, about), arrays, trained if isinstance(trained, dict) else {}, str(path))


@dataclass(frozen=True, eq=False)
class Playing:
    """A net that is ready to play. ``at`` and ``dense`` are what a policy needs."""

    net: Net
    ready: Ready

    def at(self, turn: PublicDecision, hand: int) -> dict[str, float]:
        """The probabilities of the moves of positive probability."""
        game = self.net.game
        numbers = {name: bid for bid, name in enumerate(game.bid_names)}
        made = () if turn.history == game.history(()) else tuple(numbers[word] for word in turn.history.split(" "))
        row = self.ready.probabilities(made, hand)
        names = (*game.bid_names, game.call)
        return {names[move]: float(row[move]) for move in np.flatnonzero(row)}

    def dense(self) -> DenseProfile:
        """At all histories."""
        return self.ready.dense()


def playing(net: Net) -> Playing:
    """*net*, ready to play. Raises ``FileError`` where its weights are no net of its kind."""
    return Playing(net, KINDS[net.kind](net))
