"""Observations and actions of the decision process as the numbers that learners take.

An action is an index: bid b of the game's m bids, lowest first, then, m, the call. An observation is a vector of
whole numbers: how many of the own dice show each face (``sides`` entries), for each bid whether it was made (m), and
whether the round is over (1). Each bid is higher than the one before, so that their set gives their order: nothing
of an observation is lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import ParameterError
from ...games.liars_dice_rules import Observation, State
from .definition import Action, Process

Vector = npt.NDArray[np.int8]


def length(process: Process) -> int:
    """The length of an observation: sides + m + 1."""
    return process.game.sides + len(process.actions)


def highest(process: Process) -> Vector:
    """The greatest value of each entry of an observation, whoever sees it; the least is 0."""
    found = np.ones(length(process), np.int8)
    found[: process.game.sides] = max(process.game.dice)
    return found


def encode(process: Process, seen: Observation) -> Vector:
    """*seen* as a vector of ``length`` entries."""
    found, sides = np.zeros(length(process), np.int8), process.game.sides
    for face in seen.hand:
        found[face - 1] += 1
    for bid in seen.bids:
        found[sides + process.rank(bid)] = 1
    found[-1] = seen.status == "GameOver"
    return found


def decode(process: Process, vector: npt.ArrayLike) -> Observation:
    """What ``encode`` made a vector of. Raises ``ParameterError`` for a vector of another length."""
    row, sides = np.asarray(vector), process.game.sides
    if row.shape != (length(process),):
        raise ParameterError(f"an observation has the shape ({length(process)},), not {row.shape}")
    hand = tuple(face for face in range(1, sides + 1) for _ in range(int(row[face - 1])))
    bids = tuple(bid for bid, made in zip(process.bids, row[sides:-1], strict=True) if made)
    return Observation(hand, bids, "GameOver" if row[-1] else "Active")


def mask(process: Process, state: State) -> Vector:
    """1 for each action that is legal at *state*, 0 for each that is not; m + 1 entries."""
    found = np.zeros(len(process.actions), np.int8)
    if state.status == "Active":
        found[process.rank(state.bids[-1]) + 1 if state.bids else 0 :] = 1
        found[-1] = bool(state.bids)
    return found


def action_of(process: Process, number: Any) -> Action:
    """The action of that index. Raises ``ParameterError`` for what is no index of an action."""
    try:
        index = int(number)
        right = index == number and 0 <= index < len(process.actions)
    except (TypeError, ValueError, OverflowError):
        right = False
    if not right:
        most = len(process.actions) - 1
        raise ParameterError(f"{number!r} is no action; actions are the whole numbers from 0 to {most}")
    return process.actions[index]
