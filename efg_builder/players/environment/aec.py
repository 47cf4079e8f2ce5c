"""A ``pettingzoo.AECEnv`` of Liar's Dice: every seat is an agent. Needs the extra ``env``."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ...base.errors import ParameterError
from ...games.liars_dice import LiarsDice
from . import DiceRound, process_of, roll


class LiarsDiceAEC(AECEnv):  # type: ignore[misc]
    """A round of Liar's Dice of any number of players, who are the agents ``player_1``, ``player_2``, ...

    ``game``, ``settings``, ``illegal`` and ``render_mode`` as in ``LiarsDiceEnv``. An observation is
    ``{"observation": vector, "action_mask": flags}`` as in ``environment``; the mask of an agent whose turn it
    is not is all zeros. Once the round is over, rewards are the payoffs, and ``infos`` say ``loser``, ``winner`` (of
    two players), ``hands`` and ``illegal``. ``reset(options={"hands": ...})`` deals these hands.

    Raises ``ParameterError`` for settings that are wrong, ``NotApplicableError`` for games that are not Liar's Dice.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1, "name": "liars_dice_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: LiarsDice | None = None,
        *,
        illegal: str = "lose",
        render_mode: str | None = None,
        **settings: object,
    ) -> None:
        super().__init__()
        self.process = process_of(game, settings, illegal, render_mode)
        self.illegal, self.render_mode = illegal, render_mode
        self.possible_agents = [f"player_{number}" for number in range(1, len(self.process.game.dice) + 1)]
        self.action_spaces = {agent: spaces.Discrete(len(self.process.actions)) for agent in self.possible_agents}
        flags = spaces.Box(0, 1, (len(self.process.actions),), dtype=np.int8)
        seen = {"observation": spaces.Box(0, self.process.highest, dtype=np.int8), "action_mask": flags}
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self.agents: list[str] = []
        self.round: DiceRound | None = None
        self._rng: np.random.Generator | None = None

    def _player(self, agent: str) -> int:
        return self.possible_agents.index(agent) + 1

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of observations of *agent*."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of actions of *agent*."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Roll. Raises ``ParameterError`` for ``options["hands"]`` that the game does not deal; no others are read."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        assert self._rng is not None
        self.round = roll(self.process, self._rng, options)
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What *agent* sees."""
        now = self._now()
        mask = now.mask if now.mover == self._player(agent) else np.zeros(len(self.process.actions), np.int8)
        return {"observation": now.seen(self._player(agent)), "action_mask": mask}

    def step(self, action: Any) -> None:
        """The action of the agent whose turn it is. Raises ``ParameterError`` for what is no action."""
        before = self._now()
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.round = now = before.act(self.process.action(action), self.illegal)
        for agent, payoff in zip(self.possible_agents, now.payoffs, strict=True):
            self.rewards[agent] = float(payoff)
            self.terminations[agent] = now.over
            self.infos[agent] = now.info
        following = self.possible_agents.index(self.agent_selection) + 1
        self.agent_selection = self.possible_agents[following % len(self.possible_agents)]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The round in a line, as the agent whose turn it is sees it; None without a render mode."""
        if self.render_mode is None:
            return None
        return self._now().line(self._player(self.agent_selection))

    def close(self) -> None:
        """Nothing is open."""

    def _now(self) -> DiceRound:
        if self.round is None:
            raise ParameterError("there is no round to act in; reset() rolls for one")
        return self.round


raw_env = LiarsDiceAEC
"""The environment without PettingZoo's checks, under the name that PettingZoo's own have for it."""


def env(**settings: Any) -> AECEnv:
    """``LiarsDiceAEC`` with PettingZoo's checks around it: of the order of calls, and of actions out of bounds."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**settings)))
