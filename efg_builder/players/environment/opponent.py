"""A player of ours in a seat of an environment: its moves are drawn as its strategy says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...forms.extensive import MAX_NODES
from ...games.dice import hand_name
from ...strategies.protocol import Strategy
from .. import Policy, Uncovered
from ..find import TIMEOUT, find, table_of
from ..rounds.on_table import Rows
from ..rounds.rows import on_table_rows
from .definition import Action, Process
from .round import Round


@dataclass(frozen=True)
class Opponent:
    """A strategy, and its probabilities by public turn and hand."""

    given: Strategy
    rows: Rows

    def move(self, now: Round, rng: np.random.Generator) -> Action:
        """What it does where it is to move, drawn with its probabilities (up to the rounding of floats)."""
        played = [(name, float(p)) for name, p in self.rows(now.turn, now.hands[now.turn.player]).items() if p]
        drawn, chosen = rng.random() * sum(p for _, p in played), played[-1][0]
        for name, p in played:
            drawn -= p
            if drawn < 0:
                chosen = name
                break
        game = now.process.game
        return now.process.actions[[*game.bid_names, game.call].index(chosen)]

    def told(self, now: Round, seat: int) -> None:
        """Tell it, in *seat* (from 1), how the round ended, where it was by a call and it wants to know."""
        if isinstance(self.given, Policy) and self.given.told is not None and now.forfeit is None:
            hands = tuple(map(hand_name, now.state.hands))
            self.given.told(Uncovered(seat - 1, hands, now.turn.history, now.process.game.call, now.payoffs))


def opponent(process: Process, word: object) -> Opponent:
    """The player, file or strategy *word*, as ``evaluate`` takes them.

    Raises what finding it raises, and ``ProfileError`` where it is a strategy of another game.
    """
    given = find(word, table_of(process.game, MAX_NODES, TIMEOUT, lambda line: None))
    return Opponent(given, on_table_rows(given))
