"""Neural nets that play games of bidding: what they see, what they compute (in NumPy alone), and their files.

Only ``nets.training`` needs PyTorch, and only when something is trained.
"""

from __future__ import annotations

from .file import Net, write_net
from .kinds import KINDS, Playing, playing, read_net

__all__ = ["KINDS", "Net", "Playing", "playing", "read_net", "write_net"]
