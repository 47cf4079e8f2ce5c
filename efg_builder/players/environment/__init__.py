"""Liar's Dice as a decision process, and as the environments that learners expect.

The process is that of S. Kakatur and A. Chang, "Game 2 Player Liar's Dice": ``environment.process`` holds its
states, observations, actions, transitions and rewards, exact and as numbers. ``environment.gym`` is a
``gymnasium.Env`` in which one seat is the learner's, ``environment.aec`` a ``pettingzoo.AECEnv`` of all seats; both
need the extra ``env``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import ProfileError, not_installed
from ...games.liars_dice import LiarsDice
from ...games.liars_dice_rules import Observation, State
from ...games.protocol import PublicDecision
from ...strategies.policy import Policy
from .process import Process, Vector

__all__ = ["Process", "as_policy", "make", "make_aec"]

Act = Callable[[Vector, Vector], int | npt.ArrayLike]
"""An observation and the mask of legal actions to an action's index, or to a weight for each action."""


def make(**settings: Any) -> Any:
    """A ``gymnasium.Env``: ``LiarsDiceEnv`` with these settings.

    Raises ``NotApplicableError`` where gymnasium is not installed, and what the environment raises.
    """
    return _module("gym", "gymnasium").LiarsDiceEnv(**settings)


def make_aec(**settings: Any) -> Any:
    """A ``pettingzoo.AECEnv``: ``aec.env`` with these settings.

    Raises ``NotApplicableError`` where PettingZoo is not installed, and what the environment raises.
    """
    return _module("aec", "pettingzoo").env(**settings)


def _module(name: str, library: str) -> Any:
    try:
        return importlib.import_module(f".{name}", __name__)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("gymnasium", "pettingzoo"):
            raise
        raise not_installed("this environment", library, "env") from None


def as_policy(game: LiarsDice, act: Act) -> Policy:
    """The strategy that asks *act* at every information set, for all seats of *game*.

    Weights (m + 1 of them, not negative) are taken of legal actions only and divided by their sum, in floats. When
    asked, the policy raises ``ProfileError`` for an illegal action, and for weights that are of another shape,
    negative, not finite, or all 0.
    """
    process = Process(game)
    labels = [*game.bid_names, game.call]

    def learnt(turn: PublicDecision, hand: int) -> dict[str, Any]:
        bids = tuple(process.bids[bid] for bid in game.bids_of(turn.history))
        own = game.cups[turn.player][hand][0]
        mask = process.mask(State((), bids))
        found = np.asarray(act(process.encode(Observation(own, bids, "Active")), mask))
        if found.ndim == 0:
            return {labels[_index(found.item(), mask)]: 1}
        if found.shape != mask.shape:
            raise ProfileError(f"weights of shape {found.shape}; one for each of the {len(mask)} actions is right")
        kept = np.where(mask, found, 0).astype(float)
        if not (np.isfinite(kept).all() and (kept >= 0).all() and kept.any()):
            raise ProfileError("weights must be finite, not negative, and not 0 for all legal actions")
        return {labels[k]: float(kept[k] / kept.sum()) for k in np.flatnonzero(kept)}

    return Policy(learnt)


def _index(action: Any, mask: Vector) -> int:
    if action not in range(len(mask)) or not mask[int(action)]:
        raise ProfileError(f"the action {action!r} is not legal; legal are {np.flatnonzero(mask).tolist()}")
    return int(action)
