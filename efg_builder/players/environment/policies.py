"""Strategies and environments: a strategy of ours in a seat there, and a strategy made of what was learnt there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import ProfileError
from ...forms.extensive import MAX_NODES
from ...games.liars_dice import LiarsDice
from ...games.liars_dice_rules import Observation, State
from ...games.protocol import PublicDecision
from ...strategies.policy import Policy
from ...strategies.protocol import quiet
from ..find import TIMEOUT, find, table_of
from ..rounds.live import Chair, chair_of
from . import encoding
from .definition import Action, Process
from .round import Round


def opponent(process: Process, word: object) -> Chair:
    """The player, file or strategy *word*, as ``evaluate`` takes them.

    Raises what finding it raises, and ``ProfileError`` where it is a strategy of another game.
    """
    return chair_of(find(word, table_of(process.game, MAX_NODES, TIMEOUT, quiet)), keep=True)


def drawn_move(chair: Chair, now: Round, rng: np.random.Generator) -> Action:
    """What *chair* does where it is to move, drawn with its probabilities (up to the rounding of floats)."""
    played = [(name, float(p)) for name, p in chair.rows(now.turn, now.hands[now.turn.player]).items() if p]
    drawn, chosen = rng.random() * sum(p for _, p in played), played[-1][0]
    for name, p in played:
        drawn -= p
        if drawn < 0:
            chosen = name
            break
    game = now.process.game
    return now.process.actions[[*game.bid_names, game.call].index(chosen)]


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

    def learnt(turn: PublicDecision, hand: int) -> dict[str, Any]:
        bids = tuple(process.bids[bid] for bid in game.bids_of(turn.history))
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
