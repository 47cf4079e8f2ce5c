"""Training: its arrays against plain sums over the tree, what it learns, and going on as if never stopped."""

import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from nets.made import SMALL, game

import efg_builder as eb
from efg_builder.base.errors import NotSavedWarning
from efg_builder.games.protocol import Deal
from efg_builder.players.nets import KINDS, playing, training
from efg_builder.players.nets.encoding import call_payoffs
from efg_builder.players.nets.file import Net
from efg_builder.players.nets.training import LEARNERS, train
from efg_builder.proof.dense import dense_best_response, dense_value, stakes
from efg_builder.strategies.dense_rows import ArrayRows

TINY = {
    "value": {"embedding": "6", "width": "5", "layers": "2", "games": "8"},
    "deep-cfr": {"width": "6", "layers": "2", "fits": "2", "average_fits": "1", "batch": "8"},
}


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason='training needs PyTorch: pip install --editable ".[neural]"')


# --- arrays


@pytest.mark.parametrize("settings", SMALL, ids=str)
def test_payoffs_are_those_of_the_rules(settings):
    rules = game(**settings)
    found = call_payoffs(rules)
    points = settings.get("payoff") == "points"
    for caller, bid in np.ndindex(2, len(rules.bid_names)):
        for hands in np.ndindex(rules.hand_counts):
            paid = rules.settle(rules.called(bid, caller), Deal(Fraction(1), hands)).payoffs[0]
            assert found[caller, bid][hands] == (2 * paid - 1 if points else paid)


def random_strategy(torch, passes, player, random):
    from efg_builder.players.nets.encoding import legal_moves

    legal = legal_moves(player, passes.m)[:, None]
    shares = random.random((passes.entries, passes.hands[player], passes.m + 1)) ** 3 * legal
    return torch.tensor(shares / shares.sum(axis=2, keepdims=True), dtype=torch.float32)


def as_arrays(strategies):
    found = []
    for player, strategy in enumerate(strategies):
        numbers = strategy.numpy()
        array = np.zeros(numbers.shape[:2])
        if player == 0:
            array[0] = numbers[0, :, 0]
        for bid in range(1, numbers.shape[2] - 1):
            half = 1 << bid >> 1
            array[half : 2 * half] = numbers[:half, :, bid]
        found.append(array)
    return found


@pytest.mark.parametrize("settings", SMALL[:3], ids=str)
def test_values_are_those_of_the_analysis(torch, settings):
    """The root's value against the analysis' own pass, and each move's against a policy that makes just that move."""
    from efg_builder.players.nets.training.learners import Passes

    rules, random = game(**settings), np.random.default_rng(5)
    passes, facts = Passes(rules, torch.device("cpu")), stakes(rules)
    strategies = [random_strategy(torch, passes, player, random) for player in range(2)]
    dense = [ArrayRows(array) for array in as_arrays(strategies)]
    expected = dense_value(facts, tuple(dense))
    for player in range(2):
        reach = passes.reach(strategies[1 - player], 1 - player)
        values, likely = passes.values(player, strategies[player], strategies[1 - player], reach)
        if player == 0:
            assert float(likely[0]) == pytest.approx(1)
            root = (strategies[0][0] * values[0]).sum(dim=1)
            assert float(passes.chances[0] @ root) == pytest.approx(expected, abs=1e-6)
        # Best responses: taking the best move from the last bid back must come to what the analysis finds.
        best = strategies[player].clone()
        for _ in range(passes.m + 1):
            values, _ = passes.values(player, best, strategies[1 - player], reach)
            legal = strategies[player] > 0
            best = torch.nn.functional.one_hot(torch.where(legal, values, -9.0).argmax(dim=2), passes.m + 1).float()
        both = (best, strategies[1]) if player == 0 else (strategies[0], best)
        got = dense_value(facts, tuple(ArrayRows(array) for array in as_arrays(both)))
        most = dense_best_response(facts, dense[1 - player], player).value
        assert (got if player == 0 else -got) == pytest.approx(most, abs=1e-6)


def test_games_of_self_play_are_played_by_the_rules(torch):
    from efg_builder.players.nets.training import learners

    rules = game(sides=3, wild=1, wild_biddable=False, dice=(1, 2))
    m = len(rules.bid_names)
    learner = learners.SelfPlay(
        rules, learners.SelfPlayOptions(20, 8, 2, games=200, noise=0.05), 1, 3, torch.device("cpu")
    )
    hands = [learner._dealt(player) for player in range(2)]
    states, games, results = learner._play(hands)
    seen = {number: [] for number in range(200)}
    for state, number, result in zip(states.numpy(), games.tolist(), results.tolist(), strict=True):
        seen[number].append((state, result))
    for number, course in seen.items():
        bids = []
        for ply, (state, _) in enumerate(course):
            moves = [np.flatnonzero(part) for part in np.split(state, 2)]
            assert sum(map(len, moves)) == ply
            if 0 < ply < len(course) - 1:
                (bid,) = set(moves[(ply - 1) % 2]) - set(bids)
                assert bid > max(bids, default=-1)
                bids.append(int(bid))
        caller = len(bids) % 2
        assert set(moves[caller]) - set(bids) == {m}
        dealt = Deal(Fraction(1), tuple(int(hands[p][number]) for p in range(2)))
        paid = rules.settle(rules.called(bids[-1], caller), dealt).payoffs[0]
        assert {result for _, result in course} == {float(paid)}


def test_moves_of_self_play_are_as_likely_as_regret_matching_says(torch):
    from efg_builder.players.nets.training import learners

    rules, noise, games = game(sides=2), 0.05, 40_000
    learner = learners.SelfPlay(
        rules, learners.SelfPlayOptions(20, 8, 2, games=games, noise=noise), 1, 4, torch.device("cpu")
    )
    for tensor in learner.weights.values():
        tensor.data *= 3  # what starts small plays evenly
    ready = playing(learner.net())
    with torch.no_grad():
        hands = [learner._dealt(player) for player in range(2)]
        states, _, _ = learner._play(hands)
    opened = states[games : 2 * games, : len(rules.bid_names)].numpy().argmax(axis=1)
    for hand in range(2):
        from efg_builder.players.nets.ready import finish

        table = ready.tables[0][hand]
        values = finish(ready, np.concatenate([table[:1], table[0] + table[1 : 1 + len(rules.bid_names)]]))
        shares = np.maximum(values[1:] - values[0], 0) + noise
        counts = np.bincount(opened[hands[0].numpy() == hand], minlength=len(shares))
        expected = shares / shares.sum()
        # Five standard deviations of a share of some 20,000 games.
        assert counts / counts.sum() == pytest.approx(expected, abs=5 * 0.5 / np.sqrt(counts.sum()))
        assert expected.max() > 1.5 * expected.min()


# --- what is learned


def nash_conv(net):
    ready = playing(net)
    return float(eb.evaluate(net.game, eb.Policy(ready.at, arrays=ready.dense)).matches[0].nash_conv)


def test_deep_cfr_comes_near_equilibrium(torch):
    run = train(
        game(sides=2),
        "deep-cfr",
        steps=120,
        options={"width": "32", "layers": "2", "fits": "8", "batch": "32", "rate": "0.003"},
    )
    assert nash_conv(run.net) < 0.12


def test_self_play_comes_nearer_to_equilibrium(torch):
    """Far from there: see docs/neural.md on why. Playing all moves alike gives 1."""
    options = {"embedding": "60", "width": "30", "layers": "2", "noise": "0.05"}
    run = train(game(sides=2), "value", steps=500, options=options)
    assert nash_conv(run.net) < 0.6 < float(eb.evaluate(game(sides=2), "uniform").matches[0].nash_conv)


# --- stopping and going on


@pytest.mark.parametrize("kind", LEARNERS)
def test_going_on_ends_where_one_run_ends(torch, kind, tmp_path):
    rules = game(sides=2, dice=(1, 2))
    settings = {"steps": 9, "seed": 7, "options": TINY[kind]}
    whole = train(rules, kind, **settings)

    def stop(course):
        if course.done in (4, 6):
            raise KeyboardInterrupt

    for resume in (False, True):
        with pytest.raises(KeyboardInterrupt):
            train(rules, kind, **settings, checkpoints=tmp_path, every=0, resume=resume, progress=stop)
    run = train(rules, kind, **settings, checkpoints=tmp_path, resume=True)
    assert run.complete
    assert run.net.trained == whole.net.trained
    for name, weights in whole.net.weights.items():
        assert np.array_equal(run.net.weights[name], weights), name
    other = train(rules, kind, **{**settings, "seed": 8}).net.weights
    assert any(not np.array_equal(other[name], weights) for name, weights in whole.net.weights.items())


@pytest.mark.parametrize("kind", LEARNERS)
def test_a_time_limit_gives_the_net_so_far(torch, kind, tmp_path):
    rules = game(sides=2)
    settings = {"steps": 10**6, "options": TINY[kind], "checkpoints": tmp_path}
    run = train(rules, kind, timeout=0.2, **settings)
    done = run.net.trained["steps"]
    assert not run.complete
    assert 0 < done < 10**6
    assert train(rules, kind, timeout=0.05, resume=True, **settings).net.trained["steps"] > done


def test_what_does_not_fit_the_checkpoint_is_named(torch, tmp_path):
    rules, settings = game(sides=2), {"steps": 3, "options": TINY["value"], "checkpoints": tmp_path}
    with pytest.raises(eb.FileError, match=r"state\.npz"):
        train(rules, "value", **settings, resume=True)
    train(rules, "value", **settings)
    for changed, says in (
        ({"seed": 1}, "was started with seed 0, not 1"),
        ({"steps": 4}, "was started with steps 3, not 4"),
        ({"options": {**TINY["value"], "noise": "0.1"}}, "was started with options"),
    ):
        with pytest.raises(eb.ParameterError, match=says):
            train(rules, "value", **{**settings, **changed}, resume=True)
    with pytest.raises(eb.ParameterError, match="was started with kind 'value', not 'deep-cfr'"):
        train(rules, "deep-cfr", steps=3, checkpoints=tmp_path, resume=True)
    with pytest.raises(eb.ParameterError, match="not of"):
        train(game(sides=3), "value", **settings, resume=True)
    before = (tmp_path / "state.npz").read_bytes()
    with pytest.raises(eb.ParameterError, match=r"state\.npz exists: continue with --resume"):
        train(rules, "value", **settings)
    assert (tmp_path / "state.npz").read_bytes() == before
    with pytest.raises(eb.ParameterError, match="--checkpoints"):
        train(rules, "value", resume=True)


# --- what is refused


@pytest.mark.parametrize("kind", LEARNERS)
def test_training_leaves_arithmetic_as_it_was(torch, kind):
    least = np.nextafter(0.0, 1.0)
    torch.set_flush_denormal(False)
    train(game(sides=2), kind, steps=1, options=TINY[kind])
    assert float(least) * 1.0 > 0
    torch.set_flush_denormal(True)
    try:
        train(game(sides=2), kind, steps=1, options=TINY[kind])
        assert sys.float_info.min / 2 == 0
    finally:
        torch.set_flush_denormal(False)


def test_weights_decay_as_in_pytorch(torch):
    from efg_builder.players.nets.training.learners import Optimizer

    start = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    ours, theirs = (torch.tensor(start, requires_grad=True) for _ in range(2))
    mine, other = Optimizer({"w": ours}, decay=0.3), torch.optim.AdamW([theirs], lr=0.05, weight_decay=0.3)
    for _ in range(20):
        mine.descend(((ours - 1) ** 2).sum(), 0.05)
        other.zero_grad()
        ((theirs - 1) ** 2).sum().backward()
        other.step()
    assert ours.detach().numpy() == pytest.approx(theirs.detach().numpy(), abs=1e-5)
    assert np.abs(ours.detach().numpy() - start).max() > 0.1


def test_options_are_checked(torch):
    for options, says in (
        ({"widht": "3"}, "value has no parameter 'widht'; did you mean 'width'"),
        ({"width": "0"}, "width=0: must be a whole number from 1"),
        ({"noise": "nan"}, "noise=nan: must be from 0"),
    ):
        with pytest.raises(eb.ParameterError, match=says):
            train(game(sides=2), "value", steps=1, options=options)


def test_games_that_no_net_plays(torch):
    with pytest.raises(eb.ParameterError, match="no kind of net 'valeu'; did you mean 'value'"):
        train(game(sides=2), "valeu", steps=1)
    for rules in (game(dice=(1, 1, 1)), eb.game("dice-poker")):
        with pytest.raises(eb.NotApplicableError, match="a net of kind value plays only the game liars-dice"):
            train(rules, "value", steps=1)
    with pytest.raises(eb.NotApplicableError, match=r"deep-cfr visits all histories, .* 2\^24"):
        train(game(sides=6, dice=(2, 2)), "deep-cfr", steps=1)


def test_kinds_are_those_that_play():
    assert set(LEARNERS) == set(KINDS)


@dataclass(frozen=True)
class NoOptions:
    """Training without a setting."""


class Counting:
    """A learner that learns nothing, and needs no PyTorch."""

    settings = NoOptions

    def __init__(self, rules, options, total, seed, device):
        self.rules, self.options, self.done, self.loss = rules, options, 0, 0.0
        self.random = np.random.default_rng(seed)

    def step(self):
        self.done += 1

    def arrays(self):
        return {"x": np.zeros(1)}

    def net(self):
        return Net("value", self.rules, {}, {"steps": self.done})


def test_training_goes_on_where_its_state_cannot_be_written(tmp_path, monkeypatch, full_disk, cli):
    monkeypatch.setattr(training, "_learner", lambda how: Counting)
    monkeypatch.setattr(training, "_device", lambda name: None)
    with pytest.warns(NotSavedWarning, match="No space left on device"):
        run = train(game(sides=2), steps=3, checkpoints=tmp_path, every=0)
    assert (run.net.trained["steps"], len(full_disk)) == (3, 4)
    words = ("train", "liars-dice", "sides=2", "--steps", "3", "--checkpoints", tmp_path)
    state, net = tmp_path / "state.npz", tmp_path / "net.npz"
    code, out, err = cli(*words)
    assert "steps       3" in out
    assert (code, err.splitlines()[-1]) == (2, f"error: cannot write {state}: No space left on device")
    code, out, err = cli(*words, "-o", net)
    assert "steps       3" in out
    assert (code, err.splitlines()[-1]) == (2, f"error: cannot write {net}: No space left on device")
