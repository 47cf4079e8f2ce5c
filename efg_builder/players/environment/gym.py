"""A ``gymnasium.Env`` of Liar's Dice: one seat is the learner's, the other is played inside.

Importing this module registers ``efg_builder/LiarsDice-v0``. Needs the extra ``env``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ...base.errors import NotApplicableError, ParameterError
from ...games.liars_dice import LiarsDice
from ...strategies.policy import Uncovered
from ..find import Table, find
from ..rounds.boards import OnTable
from ..rounds.seating import chair_of
from . import DiceRound, process_of, roll

ID = "efg_builder/LiarsDice-v0"


class LiarsDiceEnv(gymnasium.Env):  # type: ignore[misc]
    """A round of Liar's Dice of two players, from the point of view of one.

    ``game``: a game of ``eb.game("liars-dice", ...)``; without it, ``settings`` are those of that game where they
    differ from six sides, one die each and bids in face-quantity order. ``opponent``: who plays the other seat, as
    ``evaluate`` takes strategies: a player's name with settings, a file, a policy. ``seat``: the
    learner's, 1 or 2. ``illegal``: an illegal action loses the round (``"lose"``), or raises ``ParameterError``
    (``"raise"``). ``render_mode``: None, or ``"ansi"``: a line of text.

    A step is the learner's action and the opponent's answer. Actions and observations are those of
    ``environment``; ``info["action_mask"]`` says which actions are legal. The reward is the payoff once the
    round is over, 0 before; then ``info`` has ``winner`` and ``loser`` (1 or 2), ``hands`` and ``illegal`` too.
    ``reset(options={"hands": ((3,), (5,))})`` deals these hands.

    Raises ``ParameterError`` for settings that are wrong, ``NotApplicableError`` for games that are not Liar's Dice of
    two players, and what the opponent raises.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: LiarsDice | None = None,
        *,
        opponent: object = "uniform",
        seat: int = 1,
        illegal: str = "lose",
        render_mode: str | None = None,
        **settings: object,
    ) -> None:
        self.process = process_of(game, settings, illegal, render_mode)
        if len(self.process.game.dice) != 2:
            raise NotApplicableError(
                f"{self.process.game.title}: this environment is for two players; make_aec() is not"
            )
        if seat not in (1, 2):
            raise ParameterError(f"seat={seat!r}: 1 or 2 is right")
        self.seat, self.illegal, self.render_mode = seat, illegal, render_mode
        self.action_space = spaces.Discrete(len(self.process.actions))
        self.observation_space = spaces.Box(0, self.process.highest, dtype=np.int8)
        table = Table(self.process.game)
        self._opponent = chair_of(find(opponent, table), table, keep=True)
        self.round: DiceRound | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Roll, and let the opponent open where the learner has seat 2.

        Raises ``ParameterError`` for ``options["hands"]`` that the game does not deal; other options are not read.
        """
        super().reset(seed=seed)
        self.round = self._answered(roll(self.process, self.np_random, options))
        return self.round.seen(self.seat), self._info(self.round)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action, and the opponent's answer.

        Raises ``ParameterError`` for what is no action, before the first ``reset`` and after the end.
        """
        if self.round is None or self.round.over:
            raise ParameterError("there is no round to act in; reset() rolls for one")
        now = self.round.act(self.process.action(action), self.illegal)
        now = self.round = self._answered(now)
        if now.over and now.forfeit is None:
            other = 2 - self.seat
            self._opponent.on_end(
                Uncovered(other, now.info["hands"], now.turn.history, self.process.game.call, now.payoffs)
            )
        return now.seen(self.seat), float(now.payoffs[self.seat - 1]), now.over, False, self._info(now)

    def render(self) -> str | None:
        """The round in a line, as the learner sees it; None without a render mode or before the first ``reset``."""
        return None if self.render_mode is None or self.round is None else self.round.line(self.seat)

    def _answered(self, now: DiceRound) -> DiceRound:
        """The round after the opponent's move, drawn with its probabilities up to the rounding of floats."""
        if now.over or now.mover == self.seat:
            return now
        assert isinstance(self._opponent.board, OnTable)
        row = self._opponent.board.rows(now.turn, now.hands[now.turn.player])
        played = {name: float(p) for name, p in row.items() if p}
        drawn, chosen = self.np_random.random() * sum(played.values()), next(reversed(played))
        for name, p in played.items():
            drawn -= p
            if drawn < 0:
                chosen = name
                break
        game = self.process.game
        return now.act(self.process.actions[[*game.bid_names, game.call].index(chosen)], "raise")

    def _info(self, now: DiceRound) -> dict[str, Any]:
        return {"action_mask": now.mask} | now.info


if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point=f"{__name__}:LiarsDiceEnv")
