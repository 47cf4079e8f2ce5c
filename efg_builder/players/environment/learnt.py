"""What was learnt in an environment as a strategy, so that it can be measured, drawn and played against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import ProfileError
from ...games.liars_dice import LiarsDice
from ...games.liars_dice_rules import Observation, State
from ...games.protocol import PublicDecision
from .. import Policy
from . import encoding
from .definition import Process

Act = Callable[[encoding.Vector, encoding.Vector], int | npt.ArrayLike]
"""An observation and the mask of legal actions to an action's index, or to a weight for each action."""


def as_policy(game: LiarsDice, act: Act) -> Policy:
    """The strategy that asks *act* at every information set, for all seats of *game*.

    Weights (m + 1 of them, not negative) are taken of legal actions only and divided by their sum, in floats. When
    asked, the policy raises ``ProfileError`` for an illegal action, and for weights that are of another shape,
    negative, not finite, or all 0.
    """
    process = Process(game)
    labels = [*game.bid_names, game.call]
    number = {name: bid for bid, name in enumerate(game.bid_names)}

    def learnt(turn: PublicDecision, hand: int) -> dict[str, Any]:
        names = [] if turn.history == game.history(()) else turn.history.split(" ")
        bids = tuple(process.bids[number[name]] for name in names)
        own = game.cups[turn.player][hand][0]
        mask = encoding.mask(process, State((), bids))
        found = np.asarray(act(encoding.encode(process, Observation(own, bids, "Active")), mask))
        if found.ndim == 0:
            return {labels[_index(found.item(), mask)]: 1}
        if found.shape != mask.shape:
            raise ProfileError(f"weights of shape {found.shape}; one for each of the {len(mask)} actions is right")
        kept = np.where(mask, found, 0).astype(float)
        if not (np.isfinite(kept).all() and (kept >= 0).all() and kept.any()):
            raise ProfileError("weights must be finite, not negative, and not 0 for all legal actions")
        return {labels[k]: float(kept[k] / kept.sum()) for k in np.flatnonzero(kept)}

    return Policy(learnt)


def _index(action: Any, mask: encoding.Vector) -> int:
    if action not in range(len(mask)) or not mask[int(action)]:
        raise ProfileError(f"the action {action!r} is not legal; legal are {np.flatnonzero(mask).tolist()}")
    return int(action)
