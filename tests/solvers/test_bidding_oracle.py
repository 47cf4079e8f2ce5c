"""The double oracle without a tree: its parts against the tree and enumeration, the whole against published values."""

import contextlib
import random
from fractions import Fraction

import brute
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_lp import published

import efg_builder as eb
from efg_builder.analysis import best_response, verify, verify_sparse
from efg_builder.solvers import bidding_oracle, bidding_programs
from efg_builder.solvers.bidding import bidding
from efg_builder.solvers.bidding_checkpoint import load
from efg_builder.solvers.bidding_master import carried, master
from efg_builder.solvers.bidding_plan import float_plan, rounded, sparse_profile
from efg_builder.solvers.bidding_regret import Regrets
from efg_builder.solvers.bidding_response import respond
from efg_builder.solvers.bidding_support import ROOT, Plan, Support
from efg_builder.solvers.exact_vertex import exact_optimum
from efg_builder.solvers.highs import interior, maximise
from efg_builder.solvers.rational import NotExactError

# Proved by their certificates; 5/54 and 2128/8375 by `lp` too, the others have no other source.
PROVED = [
    ({"sides": 6, "dice": "2,1"}, "212027/771552"),
    ({"sides": 6, "dice": "1,2", "wild": 1, "wild_biddable": False}, "-5/54"),
    ({"sides": 6, "dice": "2,1", "wild": 1, "wild_biddable": False}, "7/27"),
    ({"sides": 5, "dice": "2,1"}, "2128/8375"),
]
SMALL = [
    {},
    {"sides": 3},
    {"dice": "2,1"},
    {"dice": "1,2", "payoff": "points"},
    {"sides": 3, "wild": 1, "wild_biddable": False},
    {"sides": 3, "wild": "highest"},
    {"order": "face-quantity", "payoff": "points"},
    {"dice": "2,2", "max_quantity": 2},
]
TINY = [{"max_quantity": 1}, {"sides": 3, "max_quantity": 1}, {"max_quantity": 1, "wild": 2}]


def small_games(chosen):
    return pytest.mark.parametrize("game", [eb.game("liars-dice", **c) for c in chosen], ids=lambda game: game.title)


def random_support(model, rng, share=0.5):
    """A random restricted game: at each set that own allowed moves lead to, some bids."""
    support = Support(model)
    first = np.array([rng.random() < 0.8 for _ in range(model.hands[0])])
    support.allow(ROOT, 0, np.ones(model.hands[0], dtype=bool))
    node = 0
    while node < len(support):
        player, own = support.depth[node] % 2, support.parent[node]
        may = support.allowed[own] if own > ROOT else np.ones(model.hands[player], dtype=bool)
        for bid in range(support.bid[node] + 1, model.bids):
            some = may & np.array([rng.random() < share for _ in may])
            if some.any():
                support.allow(node, bid, some & first if node == ROOT else some)
        node += 1
    return support


def random_plan(model, support, player, rng, grain=12):
    """A random valid plan in integers on the restricted game."""
    weights = np.zeros((len(support), model.hands[player]), dtype=np.int64)
    for node in range(len(support)):
        if support.depth[node] % 2 != player:
            continue
        own = support.parent[node]
        for hand in range(model.hands[player]):
            left = int(weights[own, hand]) if own > ROOT else grain
            children = [c for c in support.children[node].values() if support.allowed[c][hand]]
            for child in children[:-1] if node == ROOT else children:
                weights[child, hand] = rng.randint(0, left)
                left -= int(weights[child, hand])
            if node == ROOT:
                weights[children[-1], hand] = left
    nodes = np.flatnonzero(weights.any(axis=1))
    return Plan(nodes, weights[nodes], grain)


def random_play(game, seed):
    """A random restricted game, plans on it, and the profile on the whole tree."""
    model, rng = bidding(game), random.Random(seed)
    support = random_support(model, rng)
    plans = tuple(random_plan(model, support, player, rng) for player in range(2))
    return model, support, plans, sparse_profile(model, support, plans).on(eb.build(game))


def mean(model, response, scale):
    return Fraction(int(response.value), model.totals[0] * model.totals[1] * scale)


def in_payoffs(model, player, response, scale):
    """What the best response is worth to the player who makes it."""
    first = model.payoff(mean(model, response, scale) * (1 if player == 0 else -1))
    return first if player == 0 else model.game.constant_sum - first


@small_games(SMALL)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sparse_best_responses_are_those_over_the_whole_tree(game, seed):
    model, support, plans, profile = random_play(game, seed)
    for player in range(2):
        plan = plans[1 - player]
        found = respond(model, support, player, plan, 0)
        assert in_payoffs(model, player, found, plan.scale) == best_response(profile, player).value
        large = respond(model, support, player, Plan(plan.nodes, plan.weights.astype(object), plan.scale), 0)
        assert large.value == found.value
        near = respond(model, support, player, Plan(plan.nodes, plan.weights / plan.scale), 1e-9)
        assert near.value * model.largest == pytest.approx(float(mean(model, found, plan.scale)), abs=1e-12)


@small_games(TINY)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sparse_best_responses_are_those_of_enumeration(game, seed):
    model, support, plans, profile = random_play(game, seed)
    for player in range(2):
        found = respond(model, support, player, plans[1 - player], 0)
        expected = brute.best_response_value(profile, player)
        assert in_payoffs(model, player, found, plans[1 - player].scale) == expected


@small_games(SMALL)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_with_the_improving_moves_the_restricted_game_is_worth_what_the_whole_is(game, seed):
    rng = random.Random(seed)
    model = bidding(game)
    support = random_support(model, rng, 0.25)
    plans = tuple(random_plan(model, support, player, rng) for player in range(2))
    for player in range(2):
        before = respond(model, support, player, plans[1 - player], 0)
        assert before.restricted <= before.value
        assert bool(before.moves) == (before.restricted < before.value) or before.moves
        for _ in range(2 * model.bids):
            after = respond(model, support, player, plans[1 - player], 0)
            for node, bid, hands in after.moves:
                child = support.children[node].get(bid)
                assert child is None or not (support.allowed[child] & hands).all()
                support.allow(node, bid, hands)
            if not after.moves:
                break
        assert after.value == after.restricted == before.value


@small_games(SMALL)
@pytest.mark.parametrize("seed", range(4))
def test_the_linear_program_is_that_of_the_restricted_game(game, seed):
    model = bidding(game)
    support = random_support(model, random.Random(seed))
    program = master(model, support)
    point = exact_optimum(program.exact, maximise(program.program, None, print), lambda: None, print)
    cut = eb.build(Cut(game, support))
    assert model.payoff(point.primal[1]) == eb.solve(cut, "lp").value[0]


class Cut(eb.Game):
    """*game* with the bids of the restricted game only, and the calls."""

    players = constant_sum = None
    title = "a restricted game"

    def __init__(self, game, support):
        self.game, self.players, self.constant_sum = game, game.players, game.constant_sum
        self.nodes = {game.history(support.path(node)): node for node in range(len(support))}
        self.support = support

    def size(self):
        return None

    def root(self):
        return None

    def turn(self, state):
        turn = self.game.turn(state)
        if state is None or not hasattr(turn, "actions"):
            return turn
        deal, (history, _, player) = state
        node = self.nodes[history or "start"]
        kept = []
        for action, then in turn.actions:
            bid = self.game.bid_names.index(action) if action != "call" else None
            child = self.support.children[node].get(bid)
            if bid is None or (child is not None and self.support.allowed[child][deal.hands[player]]):
                kept.append((action, then))
        return type(turn)(turn.player, turn.infoset, tuple(kept))


@small_games(SMALL[:4])
def test_the_interior_point_and_the_vertex_agree_on_the_value(game):
    model = bidding(game)
    program = master(model, random_support(model, random.Random(7))).program
    assert interior(program, None, print).values[1] == pytest.approx(maximise(program, None, print).values[1], abs=1e-6)


def test_a_basis_is_carried_into_a_larger_restricted_game():
    game = eb.game("liars-dice", sides=4, wild="highest")
    model, rng = bidding(game), random.Random(3)
    support = random_support(model, rng, 0.3)
    first = master(model, support)
    vertex = maximise(first.program, None, print)
    same = carried(first, vertex, master(model, support))
    assert (same.basic_rows == vertex.basic_rows).all()
    assert (same.basic_columns == vertex.basic_columns).all()
    for node in range(len(support)):
        for bid, child in list(support.children[node].items()):
            own = support.parent[node]
            may = support.allowed[own] if own > ROOT else np.ones(model.hands[support.depth[node] % 2], dtype=bool)
            support.allow(node, bid, may | support.allowed[child])
    after = master(model, support)
    start = carried(first, vertex, after)
    assert start.basic_rows.sum() + start.basic_columns.sum() == after.shape[0]
    warm, cold = maximise(after.program, None, print, start), maximise(after.program, None, print)
    assert warm.values[1] == pytest.approx(cold.values[1], abs=1e-9)


@small_games(SMALL)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_any_numbers_become_valid_plans(game, seed):
    rng = random.Random(seed)
    model = bidding(game)
    support = random_support(model, rng)
    for player in range(2):
        sequences = support.sequences(player)
        mass = np.array([rng.uniform(-0.2, 1) for _ in range(len(sequences))])
        plan = float_plan(model, support, player, sequences, mass, 0.05)
        whole = rounded(model, support, player, plan)
        plans = [whole, random_plan(model, support, 1 - player, rng)]
        profile = sparse_profile(model, support, tuple(plans if player == 0 else plans[::-1]))
        assert verify_sparse(profile).lower <= verify_sparse(profile).upper  # its distributions were checked
        table = np.zeros((len(support), model.hands[player]))
        table[plan.nodes] = plan.weights
        again = np.zeros(table.shape)
        again[whole.nodes] = whole.weights / whole.scale
        assert np.abs(table - again).max() < 1e-6


@pytest.mark.parametrize(("chosen", "value"), [*published(), *((c, Fraction(v)) for c, v in PROVED)])
def test_values_are_proved_without_a_tree(chosen, value):
    solution = eb.solve(eb.game("liars-dice", **chosen), "oracle")
    assert solution.tree is None
    assert (solution.status, solution.exact, solution.regret) == ("equilibrium", True, 0)
    assert solution.lower == solution.upper == solution.value[0] == value


@small_games([*SMALL, {"sides": 4}, {"sides": 4, "wild": "highest"}, {"dice": "2,2"}, {"dice": "3,1"}, {"dice": "1,3"}])
def test_the_tree_and_the_linear_program_agree(game):
    solution, tree = eb.solve(game, "oracle"), eb.build(game)
    assert solution.lower == solution.upper
    assert solution.value == eb.solve(tree, "lp").value
    verdict = verify(solution.sparse.profile.on(tree))
    assert (verdict.lower, verdict.upper, verdict.regret) == (solution.lower, solution.upper, 0)


@pytest.mark.slow
def test_two_dice_a_side_are_exact():
    """2^24 histories; the value has no other source than its certificate."""
    solution = eb.solve(eb.game("liars-dice", sides=6, dice="2,2"), "oracle")
    assert solution.exact
    assert solution.value[0] == Fraction(-97993266983069, 5815959611262048)


@pytest.mark.slow
def test_three_dice_against_one_are_exact():
    solution = eb.solve(eb.game("liars-dice", sides=6, dice="3,1"), "oracle")
    assert solution.exact
    assert solution.value[0] == Fraction(137405, 401112)


def test_auto_takes_the_oracle_where_the_tree_is_large():
    assert eb.solve(eb.game("liars-dice", sides=3)).method == "lp"
    assert eb.solve(eb.game("liars-dice", sides=4)).method == "oracle"
    assert eb.solve(eb.build(eb.game("liars-dice", sides=4))).method == "lp"


@pytest.mark.parametrize("chosen", [{"dice": "1,1,1", "max_quantity": 1}, {"sides": 3}])
def test_other_games_need_a_tree(chosen):
    game = eb.game("dice-poker", **chosen) if "dice" not in chosen else eb.game("liars-dice", **chosen)
    solution = eb.solve(game, "oracle")
    assert solution.tree is not None
    assert solution.status == ("not-applicable" if "dice" in chosen else "equilibrium")


HARD = eb.game("liars-dice", sides=4, dice="2,1", wild="highest")


def test_a_time_limit_gives_a_verified_bracket():
    solution = eb.solve(HARD, "oracle", timeout=0.15)
    assert solution.status == "timeout"
    assert -1 <= solution.lower < solution.upper <= 1
    assert solution.message


def test_an_interrupt_gives_a_verified_bracket():
    def interrupt(line):
        if line.startswith("round 6"):
            raise KeyboardInterrupt

    solution = eb.solve(HARD, "oracle", progress=interrupt)
    assert solution.status == "interrupted"
    value = eb.solve(HARD, "oracle").value[0]
    assert -1 < solution.lower < value < solution.upper < 1
    assert solution.details["rounds"] == 6


def test_the_asked_for_gap_is_enough():
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 20))
    assert solution.status == "bracket"
    assert 0 < solution.upper - solution.lower <= Fraction(1, 20)


@pytest.mark.parametrize("gap", [-1, float("nan"), float("inf"), "wide"])
def test_a_gap_must_be_a_number_from_zero_on(gap):
    with pytest.raises(eb.ParameterError, match="gap="):
        eb.solve(HARD, "oracle", gap=gap)


def test_a_search_goes_on_from_a_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    state, rounds = tmp_path / "state.npz", []

    def interrupt(line):
        if line.startswith("round 12"):
            raise KeyboardInterrupt

    whole = eb.solve(HARD, "oracle")
    stopped = eb.solve(HARD, "oracle", progress=interrupt, checkpoint=state)
    again = eb.solve(HARD, "oracle", resume=state, progress=rounds.append)
    assert stopped.status == "interrupted"
    assert rounds[0].startswith("round 11") or rounds[0].startswith("round 12")
    assert again.exact
    assert again.value == whole.value
    assert again.details["rounds"] < whole.details["rounds"] + 5


def test_a_checkpoint_of_another_game_or_a_spoilt_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    state = tmp_path / "state.npz"
    eb.solve(eb.game("liars-dice", sides=4), "oracle", checkpoint=state)
    with pytest.raises(eb.FileError, match="is of"):
        eb.solve(HARD, "oracle", resume=state)
    whole = state.read_bytes()
    for spoilt in (whole[:-40], b"", b"nothing", whole.replace(b"parent.npy", b"parens.npy")):
        state.write_bytes(spoilt)
        with pytest.raises(eb.FileError, match="state"):
            eb.solve(eb.game("liars-dice", sides=4), "oracle", resume=state)
    with pytest.raises(eb.FileError, match="cannot read"):
        eb.solve(HARD, "oracle", resume=tmp_path / "none.npz")
    with pytest.raises(eb.ParameterError, match="resume"):
        eb.solve(eb.build(eb.game("liars-dice")), resume=state)


def test_what_cannot_be_made_exact_ends_in_a_bracket(monkeypatch):
    def fails(*_):
        raise NotExactError("for the test")

    monkeypatch.setattr(bidding_programs, "exact_optimum", fails)
    solution = eb.solve(HARD, "oracle")
    assert solution.status == "bracket"
    assert "for the test" in solution.message
    assert 0 < solution.upper - solution.lower < 1e-6


def test_progress_tells_round_gap_bracket_and_sizes():
    lines = []
    eb.solve(HARD, "oracle", progress=lines.append)
    assert any("gap" in line and "sequences" in line and "histories visited" in line for line in lines)


@small_games(SMALL)
def test_regret_minimisation_tends_to_the_value(game):
    exact = eb.solve(game, "oracle").value[0]
    solution = eb.solve(game, "oracle", gap=Fraction(1, 100), options={"master": "regret"}, timeout=60)
    assert solution.status in ("bracket", "equilibrium")
    assert solution.lower <= exact <= solution.upper
    assert solution.upper - solution.lower <= Fraction(1, 100)


@small_games(SMALL)
@pytest.mark.parametrize("seed", range(3))
def test_an_iteration_is_counterfactual_regret_minimisation_on_the_restricted_tree(game, seed):
    """Held against the definition, node by node, in exact arithmetic: Zinkevich et al. (2007), with CFR+'s cut at 0."""
    rng = random.Random(seed)
    model = bidding(game)
    support = random_support(model, rng)
    for node in range(1, len(support)):
        support.allowed[node][:] = True
    regrets, plain = Regrets(model, support, np.float64), PlainRegrets(model, support)
    for _ in range(4):
        regrets.iterate()
        plain.iterate()
    for player in range(2):
        nodes, weights = regrets.average(player)
        for node, row in zip(nodes, weights, strict=True):
            for hand, weight in enumerate(row):
                assert weight == pytest.approx(plain.average(player, node, hand), abs=1e-9)


class PlainRegrets:
    """The same by plain recursion: one information set after the other."""

    def __init__(self, model, support):
        self.model, self.support = model, support
        self.regret = {}
        self.total = {}
        self.count = self.weight = 0

    def strategy(self, node, hand):
        """Probabilities by child (None: the call)."""
        children = [*self.support.children[node].values(), *([] if node == ROOT else [None])]
        found = {c: self.regret.get((node, hand, c), 0.0) for c in children}
        total = sum(found.values())
        if total > 0:
            return {c: r / total for c, r in found.items()}
        if node == ROOT:
            return {c: 1 / len(children) for c in children}
        return {c: float(c is None) for c in children}

    def iterate(self):
        self.count += 1
        self.weight += self.count
        for player in range(2):
            for hand in range(self.model.hands[player]):
                others = self.model.chances[1 - player] / self.model.totals[1 - player]
                self.walk(player, hand, ROOT, [float(p) for p in others])
            for hand in range(self.model.hands[player]):
                self.add(player, hand, ROOT, 1.0)

    def walk(self, player, hand, node, reach):
        """The value of *node*, weighted by the other's reach; regrets are updated on the way up."""
        if self.support.depth[node] % 2 != player:
            rows = [self.strategy(node, other) for other in range(len(reach))]
            moves = rows[0]
            return sum(
                self.after(player, hand, node, move, [r * row[move] for r, row in zip(reach, rows, strict=True)])
                for move in moves
            )
        row = self.strategy(node, hand)
        worth = {move: self.after(player, hand, node, move, reach) for move in row}
        value = sum(row[move] * worth[move] for move in row)
        for move in row:
            key = (node, hand, move)
            self.regret[key] = max(self.regret.get(key, 0.0) + worth[move] - value, 0.0)
        return value

    def after(self, player, hand, node, move, reach):
        if move is not None:
            return self.walk(player, hand, move, reach)
        caller, bid = self.support.depth[node] % 2, self.support.bid[node]
        k = self.model.called[caller][bid]
        paid = k[hand] if player == 0 else -k[:, hand]
        return sum(r * float(u) for r, u in zip(reach, paid, strict=True)) / self.model.largest

    def add(self, player, hand, node, weight):
        for child in self.support.children[node].values():
            if self.support.depth[node] % 2 == player:
                here = weight * self.strategy(node, hand)[child]
                self.total[child, hand] = self.total.get((child, hand), 0.0) + self.count * here
                self.add(player, hand, child, here)
            else:
                self.add(player, hand, child, weight)

    def average(self, player, node, hand):
        return self.total.get((node, hand), 0.0) / self.weight


def test_regrets_and_averages_outlive_growth():
    game = eb.game("liars-dice", sides=3)
    model = bidding(game)
    support = random_support(model, random.Random(1), 0.2)
    regrets = Regrets(model, support, np.float64)
    for _ in range(5):
        regrets.iterate()
    before = {p: dict(zip(*map(list, regrets.average(p)), strict=True)) for p in range(2)}
    for node in range(len(support)):
        if support.bid[node] + 1 < model.bids:
            support.allow(node, model.bids - 1, np.ones(model.hands[support.depth[node] % 2], dtype=bool))
    regrets.grow()
    for player in range(2):
        for node, row in zip(*regrets.average(player), strict=True):
            assert (row == before[player].get(node, np.zeros(len(row)))).all()
    regrets.iterate()
    assert all(np.isfinite(regrets.average(player)[1]).all() for player in range(2))


def test_where_a_linear_program_takes_too_long_regrets_take_over(monkeypatch):
    monkeypatch.setattr(bidding_oracle, "LP_SECONDS", 1e-9)
    lines = []
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 20), progress=lines.append)
    assert 0 < solution.upper - solution.lower <= Fraction(1, 20)
    assert any("regret minimisation" in line for line in lines)


def test_the_master_must_be_known():
    with pytest.raises(eb.ParameterError, match="master=lpp: did you mean 'lp'"):
        eb.solve(HARD, "oracle", options={"master": "lpp"})


def test_a_tiny_gap_is_reached_by_being_exact():
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 10**9))
    assert solution.exact


def test_damaged_checkpoints_are_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    state, rng = tmp_path / "state.npz", random.Random(5)
    game = eb.game("liars-dice", sides=4)
    value = eb.solve(game, "oracle", checkpoint=state).value
    whole = bytearray(state.read_bytes())
    for _ in range(60):
        spoilt = bytearray(whole)
        for _ in range(3):
            spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
        state.write_bytes(spoilt)
        with contextlib.suppress(eb.FileError):
            assert eb.solve(game, "oracle", resume=state).value == value


def test_regret_minimisation_goes_on_from_a_checkpoint_too(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    state, lines = tmp_path / "state.npz", []
    first = eb.solve(HARD, "oracle", gap=Fraction(1, 3), options={"master": "regret"}, checkpoint=state)
    again = eb.solve(HARD, "oracle", gap=Fraction(1, 10), resume=state, progress=lines.append)
    assert "regret minimisation" in lines[0]
    assert again.details["rounds"] > first.details["rounds"]
    assert again.upper - again.lower <= Fraction(1, 10)
    assert "--resume" in eb.solve(HARD, "oracle", timeout=0.05, checkpoint=state).message


def test_more_hands_than_memory_holds_are_left_alone():
    game = eb.game("liars-dice", sides=20, dice="10,10")
    with pytest.raises(eb.TreeTooLargeError):
        eb.solve(game, timeout=1)


def test_an_option_of_the_sparse_search_is_no_option_on_a_tree():
    with pytest.raises(eb.ParameterError, match="master"):
        eb.solve(eb.game("dice-poker"), "oracle", options={"master": "lp"})


def test_a_checkpoint_of_one_way_is_gone_on_with_in_another(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    one, two, lines = tmp_path / "one.npz", tmp_path / "two.npz", []
    value = eb.solve(HARD, "oracle").value[0]
    eb.solve(HARD, "oracle", gap=Fraction(1, 3), options={"master": "lp"}, checkpoint=one)
    regret = eb.solve(HARD, "oracle", gap=Fraction(1, 20), options={"master": "regret"}, resume=one, checkpoint=two)
    assert regret.upper - regret.lower <= Fraction(1, 20)
    again = eb.solve(HARD, "oracle", resume=two, progress=lines.append)
    assert (again.exact, again.value[0]) == (True, value)
    assert "regret minimisation" in lines[0]


def test_regrets_outlive_a_checkpoint_of_linear_programs(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(bidding_oracle, "LP_SECONDS", 1e-9)
    state, lines = tmp_path / "state.npz", []

    def interrupt(line):
        """In the second round of linear programs after regrets."""
        lines.append(line)
        if not line.startswith("round"):
            return
        programs = [k for k, line in enumerate(lines) if line.startswith("round") and ";" not in line]
        regrets = [k for k, line in enumerate(lines) if "regret" in line]
        if regrets and len([k for k in programs if k > regrets[-1]]) == 2:
            raise KeyboardInterrupt

    stopped = eb.solve(HARD, "oracle", checkpoint=state, progress=interrupt)
    assert stopped.status == "interrupted"
    search = load(state, bidding(HARD))
    assert search.turns == 1
    assert search.spent > 0
    assert search.regrets.iterations > 0
    assert eb.solve(HARD, "oracle", resume=state).exact


def test_a_checkpoint_is_promised_only_where_there_is_one(tmp_path):
    early = eb.solve(HARD, "oracle", timeout=1e-6, checkpoint=tmp_path / "state.npz")
    assert not (tmp_path / "state.npz").exists()
    assert early.message.endswith("too early for a checkpoint")
    with pytest.raises(eb.ParameterError, match="checkpoint and resume are for the method 'oracle'"):
        eb.solve(HARD, "cfr", checkpoint=tmp_path / "state.npz")
