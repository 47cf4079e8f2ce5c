"""The gymnasium environment against the process it is of."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from play_games import after, table_for

import efg_builder as eb
from efg_builder.players.environment import make
from efg_builder.players.find import find

gymnasium = pytest.importorskip("gymnasium", reason="needs gymnasium (the extra 'env')")
pytest.importorskip("efg_builder.players.environment.gym")

SETTINGS = [
    {},
    {"sides": 3, "dice": "2,1", "seat": 2, "opponent": "threshold"},
    {"sides": 2, "order": "quantity-face", "opponent": "lowest-raise", "render_mode": "ansi"},
    {"sides": 3, "wild": 1, "opponent": "equilibrium", "payoff": "points"},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_gymnasium_has_nothing_to_say(settings):
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("efg_builder/LiarsDice-v0", **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    assert env.spec.kwargs == settings


def moves(env, numbers, **options):
    """The results of the steps of one round."""
    env.reset(seed=1, options=options)
    return [env.step(number) for number in numbers]


def test_what_is_played_where_nothing_is_said():
    game = make().process.game
    assert (game.sides, game.dice, game.order, game.wild) == (6, (1, 1), "face-quantity", None)
    game = eb.game("liars-dice", sides=3)
    assert make(game=game).process.game == make(sides=3, order="quantity-face").process.game == game


def test_a_round_against_the_lowest_raise():
    env = make(sides=3, opponent="lowest-raise", render_mode="ansi")  # bids: 1x1 2x1 1x2 2x2 1x3 2x3
    assert env.render() is None
    seen, info = env.reset(seed=4, options={"hands": [[2], [3]]})
    assert seen.tolist() == [0, 1, 0] + [0] * 6 + [0]
    assert info["action_mask"].tolist() == [1] * 6 + [0]
    assert env.render() == "Player 1: 2, Player 2: ? | no bid yet | Player 1 to move"
    seen, reward, over, cut, info = env.step(0)
    assert seen.tolist() == [0, 1, 0, 1, 1, 0, 0, 0, 0, 0]
    assert (reward, over, cut) == (0, False, False)
    assert info["action_mask"].tolist() == [0, 0, 1, 1, 1, 1, 1]
    assert set(info) == {"action_mask"}
    seen, reward, over, cut, info = env.step(6)
    assert (reward, over, cut) == (1, True, False)  # 2x1 was false: the caller wins
    assert seen[-1] == 1
    assert not info["action_mask"].any()
    del info["action_mask"]
    assert info == {"winner": 1, "loser": 2, "hands": ("2", "3"), "illegal": False}
    assert env.render() == "Player 1: 2, Player 2: 3 | 1x1 2x1 | Player 1 calls: Player 2 loses"


class Every:
    """Plays all sequences of actions of the learner's, against a deterministic opponent, on the process alone."""

    def __init__(self, env, word):
        self.env, self.process, self.rounds = env, env.process, 0
        self.policy = find(word, table_for(env.process.game))

    def opponents(self, state):
        game = self.process.game
        turn = after(game, *(f"{bid.amount}x{bid.face}" for bid in state.bids))
        hand = [faces for faces, _ in game.cups[turn.player]].index(state.hands[turn.player])
        ((name, p),) = self.policy.at(turn, hand).items()
        assert p == 1
        return self.process.actions[[*game.bid_names, "call"].index(name)]

    def check(self, state, taken):
        process, seat = self.process, self.env.seat
        while state.status == "Active" and process.mover(state) != seat:
            state = process.step(state, self.opponents(state))
        if taken:
            *_, (seen, reward, over, _, info) = moves(self.env, taken, hands=state.hands)
            assert process.decode(seen) == process.observe(state, seat)
            assert reward == process.reward(state, seat)
            assert over == (state.status == "GameOver")
            if over:
                assert info["winner"] == process.win(state)
                self.rounds += 1
                return
        for number, action in enumerate(process.actions):
            if process.legal(state, action):
                self.check(process.step(state, action), [*taken, number])


@pytest.mark.parametrize(
    ("settings", "opponent"),
    [
        ({"sides": 2}, "threshold:threshold=1/3"),
        ({"sides": 2, "dice": "2,1", "seat": 2}, "lowest-raise"),
        ({"sides": 3, "order": "quantity-face", "seat": 2}, "threshold:opponent=uniform"),
    ],
)
def test_every_round_there_is_goes_as_the_process_says(settings, opponent):
    env = make(**settings, opponent=opponent)
    every = Every(env, opponent)
    for start, _ in env.process.starts:
        every.check(start, [])
    assert every.rounds > 20


def test_an_illegal_action_loses_or_is_refused():
    hands = ((2,), (3,))
    env = make(sides=3, opponent="lowest-raise")
    for wrong in ([6], [2, 0]):  # a call of nothing, a bid that is lower
        *_, (seen, reward, over, _, info) = moves(env, wrong, hands=hands)
        assert (reward, over, info["illegal"], info["winner"]) == (-1, True, True, 2)
        assert seen[-1] == 1
        with pytest.raises(eb.ParameterError, match=r"no round to act in; reset\(\) rolls"):
            env.step(0)
    assert make(sides=3, payoff="points").process.payoffs(1) == (0, 1)
    strict = make(sides=3, illegal="raise", opponent="lowest-raise")
    strict.reset(seed=1)
    with pytest.raises(eb.ParameterError, match="not legal"):
        strict.step(6)
    assert strict.step(0)[1] == 0  # the round goes on
    with pytest.raises(eb.ParameterError, match="99 is no action"):
        strict.step(99)


@pytest.mark.parametrize(
    ("settings", "error", "problem"),
    [
        ({"seat": 3}, eb.ParameterError, "seat=3: 1 or 2"),
        ({"illegal": "loose"}, eb.ParameterError, "illegal='loose': did you mean 'lose'"),
        ({"render_mode": "human"}, eb.ParameterError, "render_mode='human'"),
        ({"sides": 1}, eb.ParameterError, "sides=1"),
        ({"faces": 3}, eb.ParameterError, "no parameter 'faces'"),
        ({"opponent": "unifrom"}, eb.ParameterError, "no player 'unifrom'"),
        ({"opponent": "no-such-file.json"}, eb.FileError, r"no-such-file\.json"),
        ({"dice": "1,1,1"}, eb.NotApplicableError, "for two players"),
        ({"game": eb.game("liars-dice"), "sides": 3}, eb.ParameterError, "sides=: the game is given already"),
        ({"game": eb.game("dice-poker")}, eb.NotApplicableError, "one of liars-dice"),
    ],
)
def test_settings_that_are_wrong_are_named(settings, error, problem):
    with pytest.raises(error, match=problem):
        make(**settings)


@pytest.mark.parametrize("hands", [((1,), (7,)), ((1, 1), (1,)), ((1,),), 3, ((1,), ("x",))])
def test_hands_that_are_not_dealt_are_named(hands):
    with pytest.raises(eb.ParameterError, match="does not deal them; right is, say"):
        make(sides=6).reset(options={"hands": hands})


def test_the_dice_are_fair_and_the_seed_settles_them():
    env = make(sides=3, dice="2,1")
    env.reset(seed=7)
    counts, rounds = {}, 6000
    for _ in range(rounds):
        env.reset()
        counts[env.round.state.hands] = counts.get(env.round.state.hands, 0) + 1
    for start, chance in env.process.starts:
        p = float(chance)
        assert abs(counts[start.hands] / rounds - p) < 5 * (p * (1 - p) / rounds) ** 0.5
    first, again = ([env.reset(seed=seed)[0].tolist() for seed in range(20)] for _ in range(2))
    assert first == again
    assert len(set(map(tuple, first))) > 3


@pytest.mark.parametrize("opponent", ["uniform", "equilibrium"])
def test_mean_rewards_are_the_exact_value(opponent):
    # A rule of thumb for the learner, measured exactly as well: within 5 standard errors, the seed being fixed.
    def raises_or_calls(seen, mask):
        legal = np.flatnonzero(mask)
        return mask * (1 + (np.arange(len(mask)) == legal[-1]))

    from efg_builder.players.environment import as_policy

    env = make(sides=3, opponent=opponent)
    exact = eb.evaluate(env.process.game, as_policy(env.process.game, raises_or_calls), opponent).matches[0].value[0]
    rng, rounds, rewards = np.random.default_rng(5), 4000, []
    env.reset(seed=11)
    for _ in range(rounds):
        seen, info = env.reset()
        over = False
        while not over:
            weights = raises_or_calls(seen, info["action_mask"]).astype(float)
            seen, reward, over, _, info = env.step(int(rng.choice(len(weights), p=weights / weights.sum())))
        rewards.append(reward)
    assert abs(np.mean(rewards) - float(exact)) < 5 * np.std(rewards) / rounds**0.5
    assert abs(float(exact)) < 1


def test_the_opponent_hears_how_a_round_ended():
    heard = []

    def lowest(turn, hand):
        return {turn.actions[0][0]: Fraction(1)}

    env = make(sides=3, opponent=eb.Policy(lowest, on_end=heard.append))
    moves(env, [0, 6], hands=((2,), (3,)))
    (end,) = heard
    assert (end.seat, end.hands, end.history, end.last, end.payoffs) == (1, ("2", "3"), "1x1 2x1", "call", (1, -1))
    moves(env, [6], hands=((2,), (3,)))  # illegal: there was no call to hear of
    assert len(heard) == 1
