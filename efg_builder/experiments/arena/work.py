"""The work of a process: some units of an arena, for players that sit down there once."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ...base.errors import EfgBuilderError, NotApplicableError, NotSolvedError, ParameterError
from .contest import Contest, Subject
from .contestants import Contestant, Patience
from .tally import Tally, count


@dataclass(frozen=True)
class Setup:
    """What all units of a run have in common."""

    subject: Subject
    players: tuple[Contestant, ...]
    seed: int
    patience: Patience


@dataclass(frozen=True)
class Unit:
    """The first ``deals`` deals of ``block``, played by the players ``pairing`` (by index) in all seatings."""

    pairing: tuple[int, ...]
    block: int
    deals: int


@dataclass(frozen=True)
class Done:
    """What units came to, in their order, and the ``seconds`` of each."""

    tallies: tuple[Tally, ...]
    seconds: tuple[float, ...]
    worker: int


_seated: dict[bytes, tuple[Setup, Contest]] = {}
"""In each process: the setups it has had, by their bytes; there is one to a run."""


def packed(setup: Setup) -> bytes:
    """*setup* for other processes. Raises ``ParameterError`` where a player cannot be sent there."""
    for player in setup.players:
        try:
            pickle.dumps(player)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            why = f"it cannot be sent to other processes ({error}); workers=1 plays here"
            raise ParameterError(f"the player {player.name!r}: {why}") from None
    return pickle.dumps(setup)


def play(setup: bytes, units: Sequence[Unit]) -> Done:
    """Play *units* in this process.

    Raises ``NotSolvedError``, and ``NotApplicableError`` for all else that players raise: those get back from there.
    """
    if setup not in _seated:
        _seated.clear()
        made: Setup = pickle.loads(setup)
        _seated[setup] = made, Contest(made.subject, made.players, made.patience)
    found, contest = _seated[setup]
    try:
        return play_here(found, contest, units)
    except NotSolvedError:
        raise
    except EfgBuilderError as error:
        raise NotApplicableError(str(error)) from None


def play_here(setup: Setup, contest: Contest, units: Sequence[Unit]) -> Done:
    """Play *units* in *contest*."""
    tallies, seconds = [], []
    for unit in units:
        began = time.perf_counter()
        tallies.append(count(contest, unit.pairing, setup.seed, unit.block, unit.deals))
        seconds.append(time.perf_counter() - began)
    return Done(tuple(tallies), tuple(seconds), os.getpid())
