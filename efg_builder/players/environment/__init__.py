"""Liar's Dice as a decision process, and as the environments that learners expect.

The process is that of S. Kakatur and A. Chang, "Game 2 Player Liar's Dice": ``environment.definition`` holds its
states, observations, actions, transitions and rewards, exact and with nothing else in it. ``environment.gym`` is a
``gymnasium.Env`` in which one seat is the learner's, ``environment.aec`` a ``pettingzoo.AECEnv`` of all seats; both
need the extra ``env``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ...base.errors import NotApplicableError
from .definition import Process

if TYPE_CHECKING:
    from ...games.liars_dice import LiarsDice
    from ...strategies.policy import Policy
    from .policies import Act


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


def as_policy(game: LiarsDice, act: Act) -> Policy:
    """What was learnt as a strategy, which ``eb.evaluate`` measures: see ``policies.as_policy``."""
    from .policies import as_policy as policy

    return policy(game, act)


def _module(name: str, library: str) -> Any:
    try:
        return importlib.import_module(f".{name}", __name__)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("gymnasium", "pettingzoo"):
            raise
        problem = f"this environment needs {library}: pip install '.[env]' in the checkout"
        raise NotApplicableError(problem) from None


__all__ = ["Process", "as_policy", "make", "make_aec"]
