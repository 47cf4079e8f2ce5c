"""Neural nets that play games of bidding: what they see, what they compute (in NumPy alone), and their files.

Two kinds. ``value``: self-play, a net of values, moves by their regrets (T. D. Ahle 2022; ``value_net``).
``deep-cfr``: deep counterfactual regret minimisation, a net of the average strategy (N. Brown et al. 2019;
``policy_net``). Only ``nets.training`` needs PyTorch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import MappingProxyType

from ...base.errors import FileError
from . import policy_net, value_net
from .file import FORMAT, Net, Ready, game_of, read_archive, write_net

__all__ = ["KINDS", "Net", "Ready", "playing", "read_net", "write_net"]

KINDS: Mapping[str, Callable[[Net], Ready]] = MappingProxyType(
    {value_net.KIND: value_net.prepare, policy_net.KIND: policy_net.prepare}
)
"""What makes a net of each kind ready to play; it raises ``FileError`` where the weights do not fit the kind."""


def read_net(path: str | os.PathLike[str]) -> Net:
    """The net in the file at *path*. Raises ``FileError``."""
    about, arrays = read_archive(path, FORMAT)
    if about.get("kind") not in KINDS:
        raise FileError(f"cannot read {path}: its kind is {about.get('kind')!r}; known are {', '.join(KINDS)}")
    trained = about.get("trained")
    return Net(about["kind"], game_of(path, about), arrays, trained if isinstance(trained, dict) else {}, str(path))


def playing(net: Net) -> Ready:
    """*net*, ready to play. Raises ``FileError`` where its weights are no net of its kind."""
    return KINDS[net.kind](net)
