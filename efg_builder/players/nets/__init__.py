"""Neural nets for two-player Liar's Dice: inputs, play (in NumPy alone), and files.

A ``value`` net is trained by self-play, and its moves follow from regret matching (T. D. Ahle 2022). A ``deep-cfr`` net
is the average strategy of deep counterfactual regret minimization (N. Brown et al. 2019). Only ``nets.training`` needs
PyTorch.
"""

from __future__ import annotations

import os

from ...base.errors import FileError
from .file import FORMAT, Net, Ready, game_of, read_archive, write_net
from .ready import KINDS, playing

__all__ = ["KINDS", "Net", "Ready", "playing", "read_net", "write_net"]


def read_net(path: str | os.PathLike[str]) -> Net:
    """Return the net in the file at *path*. Raises ``FileError``."""
    about, arrays = read_archive(path, FORMAT)
    if about.get("kind") not in KINDS:
        raise FileError(
            f"cannot read {path}: its kind is {about.get('kind')!r}; the known kinds are {', '.join(KINDS)}"
        )
    trained = about.get("trained")
    return Net(about["kind"], game_of(path, about), arrays, trained if isinstance(trained, dict) else {}, str(path))
