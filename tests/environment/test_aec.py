"""The PettingZoo environment against the process it is of."""

import contextlib
import io
import warnings

import numpy as np
import pytest

import efg_builder as eb
from efg_builder.players.environment import make_aec

pytest.importorskip("pettingzoo", reason="needs PettingZoo (the extra 'env')")
aec = pytest.importorskip("efg_builder.players.environment.aec")

SETTINGS = [
    {},
    {"sides": 2, "dice": "1,2,1"},
    {"sides": 3, "wild": "highest", "order": "bluff", "render_mode": "ansi"},
    {"sides": 3, "payoff": "points"},
]

THEIRS = "Observation is not a NumPy array|Observation space for each agent probably should be"
"""What the test says of every environment whose observations are a dictionary with a mask, PettingZoo's own too."""


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("made", [make_aec, aec.raw_env])
def test_pettingzoo_has_nothing_to_say(settings, made):
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=THEIRS)
        api_test(made(**settings), num_cycles=60)
        seed_test(lambda: made(**settings), num_cycles=60)


def play(env, source):
    """A round of random legal actions; what each agent saw, did and was paid in the end."""
    process, log = env.unwrapped.process, []
    for agent in env.agent_iter():
        seen, reward, over, cut, info = env.last()
        assert not cut
        if over:
            log.append((agent, None, reward, info))
            env.step(None)
            continue
        state, player = env.unwrapped.round.state, env.unwrapped.possible_agents.index(agent) + 1
        assert process.decode(seen["observation"]) == process.observe(state, player)
        assert process.mover(state) == player
        assert (seen["action_mask"] == process.mask(state)).all()
        assert (reward, info) == (0, {})
        for other in env.agents:
            if other != agent:
                assert not env.observe(other)["action_mask"].any()
        number = source.choice(np.flatnonzero(seen["action_mask"]))
        expected = process.step(state, process.actions[number])
        env.step(number)
        assert env.unwrapped.round.state == expected
        log.append((agent, int(number), 0, {}))
    return log


@pytest.mark.parametrize("settings", SETTINGS)
def test_rounds_go_as_the_process_says(settings):
    env, source, winners = make_aec(**settings), np.random.default_rng(3), set()
    process, players = env.unwrapped.process, len(env.possible_agents)
    env.reset(seed=5)
    for _ in range(150):
        env.reset()
        log = play(env, source)
        state = env.unwrapped.round.state
        ends = {agent: (reward, info) for agent, number, reward, info in log if number is None}
        assert set(ends) == set(env.possible_agents)
        for player, agent in enumerate(env.possible_agents, start=1):
            reward, info = ends[agent]
            assert reward == pytest.approx(float(process.reward(state, player)))
            assert info["loser"] == process.loser(state)
            assert not info["illegal"]
            assert ("winner" in info) == (players == 2)
        moves = [agent for agent, number, *_ in log if number is not None]
        assert moves == [env.possible_agents[k % players] for k in range(len(moves))]
        assert not env.agents
        winners.add(process.loser(state))
    assert winners == set(range(1, players + 1))


def test_an_illegal_action_loses_the_round_or_is_refused():
    env = make_aec(sides=3, dice="1,1,1")
    env.reset(seed=1)
    env.step(0)
    env.step(0)  # not above the last bid
    assert env.rewards == {"player_1": 0.5, "player_2": -1.0, "player_3": 0.5}
    assert all(env.terminations.values())
    assert env.infos["player_1"]["illegal"]
    strict = make_aec(sides=3, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(eb.ParameterError, match="not legal"):
        strict.step(6)
    strict.step(0)
    assert strict.agent_selection == "player_2"
    with pytest.raises(eb.ParameterError, match="8 is no action"):
        strict.unwrapped.step(8)


def test_a_line_of_text_shows_what_the_mover_sees():
    env = make_aec(sides=3, render_mode="ansi")
    env.reset(seed=1, options={"hands": ((2,), (3,))})
    assert env.render() == "Player 1: 2, Player 2: ? | no bid yet | Player 1 to move"
    env.step(2)
    assert env.render() == "Player 1: ?, Player 2: 3 | 1x2 | Player 2 to move"
    env.step(6)
    assert env.render() == "Player 1: 2, Player 2: 3 | 1x2 | Player 2 calls: Player 2 loses"
    assert env.rewards == {"player_1": 1.0, "player_2": -1.0}
    silent = aec.raw_env()
    with pytest.raises(eb.ParameterError, match="no round"):
        silent.step(0)
    silent.reset()
    assert silent.render() is None
    env.close()
