"""``many``: its arithmetic against brute force and against the judge, and the games that it solves exactly."""

import random
from fractions import Fraction

import brute
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_trees import random_tree
from small_files import finish, matrix_tree

import efg_builder as eb
from efg_builder.forms.bidding_form import BiddingForm, bids_at, bids_of, class_size
from efg_builder.proof import verify
from efg_builder.solvers.regret import many
from efg_builder.solvers.regret.engine import RULES, TableStrategy, exact_row
from efg_builder.solvers.regret.newton import MixedSet, MixedSupport
from efg_builder.solvers.regret.part import BiddingRegrets, Part, lowest_opening, whole_game
from efg_builder.solvers.regret.tree import TreeRegrets

GAMES = [
    eb.game("liars-dice"),
    eb.game("liars-dice", dice=(1, 1, 1)),
    eb.game("liars-dice", dice=(2, 1, 1), max_quantity=2),
    eb.game("liars-dice", dice=(1, 1, 1), sides=3, wild=1, max_quantity=2),
    eb.game("liars-dice", dice=(1, 1, 1, 1), max_quantity=2),
    eb.game("liars-dice-stakes", dice="2,2", lose1="-1,-3", lose2="1,2", loss="difference"),
]


def growing(form, rule):
    return BiddingRegrets(form, rule, lowest_opening(form))


def random_strategies(engine, seed):
    """Random strategies with many probabilities of 0."""
    rng, tables = np.random.default_rng(seed), engine.totals.tables
    return engine.normalized(
        TableStrategy([rng.random(t.shape) * (rng.random(t.shape) < rng.random()) for t in tables], engine.totals.part)
    )


def payoff_gains(engine, strategy):
    return [gain * unit for gain, unit in zip(engine.gains(strategy), engine.units, strict=True)]


# --- the engines


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_gains_are_those_of_the_judge(game, seed):
    """And what is written down is enough: the judge makes the default move where nothing is.

    On the part that is kept, also bids that lead out of it are looked at.
    """
    engine, part = BiddingRegrets(BiddingForm(game), RULES["dcfr"]), growing(BiddingForm(game), RULES["pcfr+"])
    for _ in range(5 + 30 * (seed % 2)):
        part.iterate()
    average = part.average()
    looked = [(part, one) for one in (part.last(), average, part.supported(average, 0.05))]
    for one, strategy in ((engine, random_strategies(engine, seed)), *looked):
        verdict = verify(one.written(strategy))
        assert payoff_gains(one, strategy) == pytest.approx([float(gain) for gain in verdict.regrets], abs=1e-12)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 4), constant=st.booleans())
def test_gains_on_trees_are_those_of_all_pure_strategies(seed, players, constant):
    tree = random_tree(seed, 4, Fraction(1) if constant else None, players)
    sets = list(tree.personal)
    assume(np.prod([float(len(tree.infosets[k].actions)) for k in sets]) < 500)
    engine = TreeRegrets(tree, RULES["dcfr"])
    strategy = random_strategies(engine, seed)
    profile = engine.written(strategy)
    value = brute.payoffs(tree, brute.rows(profile))
    gains = [brute.best_response_value(profile, p) - v for p, v in enumerate(value)]
    assert payoff_gains(engine, strategy) == pytest.approx([float(gain) for gain in gains], abs=1e-9)


@pytest.mark.parametrize("kind", [BiddingRegrets, growing, TreeRegrets])
def test_in_averages_plans_weigh_the_square_of_their_number(kind):
    game = GAMES[1]
    engine = kind(eb.build(game) if kind is TreeRegrets else BiddingForm(game), RULES["dcfr"])
    wanted = [0.0] * 3
    for number in range(1, 7):
        engine.iterate()
        plans = [np.concatenate([np.ravel(p) for p in engine.plan(engine.last(), k)]) for k in range(3)]
        wanted = [total + number**2 / 91 * plan for total, plan in zip(wanted, plans, strict=True)]
    for player in range(3):
        found = np.concatenate([np.ravel(p) for p in engine.plan(engine.average(), player)])
        assert found == pytest.approx(wanted[player], abs=1e-12)


@pytest.mark.parametrize("game", GAMES[:5], ids=lambda game: game.title)
@pytest.mark.first(3)
def test_what_actions_gain_is_counterfactual_regret(game):
    """Both engines against the definition: the others' reach times what the action, then the strategy, is worth."""
    tree = eb.build(game)
    arrays, on_tree = BiddingRegrets(BiddingForm(game), RULES["dcfr"]), TreeRegrets(tree, RULES["dcfr"])
    strategies = random_strategies(arrays, 5)
    profile = everywhere(arrays, strategies, tree)
    probabilities = np.concatenate([np.array(row, dtype=float) for row in profile.probabilities])
    moves = np.cumsum([0, *(len(one.actions) for one in tree.infosets)])
    for player in range(len(game.players)):
        plans = [arrays.plan(strategies, other) for other in arrays.seats]
        bids, calls = arrays.counterfactual_regrets(strategies, plans, player)
        tree_plans = [on_tree.plan(TableStrategy([probabilities]), other) for other in on_tree.seats]
        regrets, _ = on_tree.counterfactual_regrets(TableStrategy([probabilities]), tree_plans, player)
        histories = arrays.part.histories[player].tolist()
        follow = (player + 1) % len(game.players)
        for at, history in enumerate(histories):
            named = game.history(bids_of(history))
            for hand in range(game.hand_counts[player]):
                k = tree.by_label[game.infoset_name(player, hand, named)]
                above = range(history.bit_length(), arrays.form.bids)
                row = [bids[arrays.part.ends[follow][b].start + at, hand] for b in above]
                row += [calls[at, hand]] * bool(history)
                chance = arrays.form.probabilities[player][hand]
                expected = by_definition(tree, profile, k)
                assert chance * np.array(row) == pytest.approx(np.array(expected) / arrays.units[player], abs=1e-12)
                assert regrets[moves[k] : moves[k + 1]] * on_tree.units[player] == pytest.approx(expected, abs=1e-12)


def everywhere(engine, strategies, tree):
    """The strategies at all sets of the tree, in floats."""
    game, rows = engine.form.game, {}
    for player in engine.seats:
        follow = (player + 1) % len(game.players)
        for at, history in enumerate(engine.part.histories[player].tolist()):
            named = game.history(bids_of(history))
            above = range(history.bit_length(), engine.form.bids)
            for hand in range(game.hand_counts[player]):
                row = [strategies.bids[player][engine.part.ends[follow][b].start + at, hand] for b in above]
                row += [strategies.calls[player][at, hand]] * bool(history)
                rows[tree.by_label[game.infoset_name(player, hand, named)]] = [float(p) for p in row]
    return eb.TreeProfile.from_personal(tree, rows)


def by_definition(tree, profile, k):
    """Of each action at set *k*, the sum over its nodes of the others' reach times what it is worth more."""
    player, rows = tree.infosets[k].player, profile.probabilities
    worth = np.zeros((len(tree), len(tree.players)))
    for node in range(len(tree) - 1, -1, -1):
        if tree.outcome[node] >= 0:
            worth[node] += [float(u) for u in tree.outcomes[tree.outcome[node]].payoffs]
        if node:
            above = tree.parent[node]
            worth[above] += float(rows[tree.infoset[above]][tree.action[node]]) * worth[node]
    found = np.zeros(len(tree.infosets[k].actions))
    for node in np.flatnonzero(tree.infoset == k).tolist():
        reach, at = 1.0, node
        while at:
            above = int(tree.parent[at])
            if tree.player[above] != player:
                reach *= float(rows[tree.infoset[above]][tree.action[at]])
            at = above
        children = np.flatnonzero(tree.parent == node)
        found += reach * (worth[children, player] - worth[node, player])
    return found.tolist()


@pytest.mark.parametrize("game", GAMES[:2], ids=lambda game: game.title)
def test_a_part_with_all_histories_is_the_whole_game(game):
    form = BiddingForm(game)
    whole = whole_game(form.bids, form.players)
    allowed = [np.ones((size, form.hands[r - 1]), dtype=bool) for r, size in enumerate(whole.sizes)]
    parts = [BiddingRegrets(form, RULES["dcfr"], part) for part in (None, Part(whole.histories, form.bids, allowed))]
    for _ in range(25):
        for engine in parts:
            engine.iterate()
    for one, other in zip(*(engine.totals.tables for engine in parts), strict=True):
        assert (one == other).all()
    assert parts[0].gains(parts[0].average()) == parts[1].gains(parts[1].average())


def test_two_players_histories_are_in_the_order_of_the_arrays_of_strategies():
    for r, histories in enumerate(whole_game(6, 2).histories):
        assert [tuple(b for b in range(6) if h >> b & 1) for h in histories.tolist()] == [
            bids_at(r, index) for index in range(class_size(6))
        ]


def test_the_part_grows_until_nobody_gains_outside_of_it():
    game = eb.game("liars-dice", dice="1,1,1", sides=3)
    engine, kept = growing(BiddingForm(game), RULES["dcfr"]), []
    for _ in range(300):
        engine.iterate()
        kept.append(sum(engine.part.sizes))
    assert kept == sorted(kept)
    assert 2 < kept[-1] < 100 < 2 ** len(game.bid_names)
    assert max(engine.gains(engine.average())) < 1e-3


def test_moves_by_which_players_gain_join_a_strategy():
    """However little they gain: best responses to the averages do not add that. Nothing else changes."""
    engine = growing(BiddingForm(eb.game("liars-dice", dice="1,1,1", sides=3)), RULES["dcfr"])
    strategy = engine.last()
    assert engine.key(engine.with_deviations(strategy, 2.0)) == engine.key(strategy)
    assert engine.part is not strategy.part or max(engine.gains(strategy)) <= 2.0
    wider = engine.with_deviations(strategy, 1e-13)
    before, now = (set(np.concatenate(part.histories).tolist()) for part in (strategy.part, wider.part))
    assert before < now
    assert wider.part is engine.part
    played = [
        {
            (h, k)
            for player, bids in enumerate(one.bids)
            for h, row in zip(one.part.histories[(player + 1) % 3].tolist(), bids, strict=True)
            for k in np.flatnonzero(row).tolist()
        }
        for one in (strategy, wider)
    ]
    assert played[0] < played[1]
    assert max(np.abs(np.array(engine.gains(wider)) - engine.gains(strategy))) < 0.1


# --- Newton's method


def test_probabilities_of_a_support_follow_from_indifference():
    """Two players, payoffs p q - 2 p (1 - q) - (1 - p) q + (1 - p)(1 - q) / 2 and their negatives: p = 1/3, q = 5/9."""
    terms = {(0, 2): (1, -1), (0, 3): (-2, 2), (1, 2): (-1, 1), (1, 3): (0.5, -0.5)}
    sets = [MixedSet(0, range(0, 2)), MixedSet(1, range(2, 4))]
    found = finish(MixedSupport(terms, sets, np.array([0.5, 0.5, 0.5, 0.5]), [()] * 4).solve())
    assert found.x == pytest.approx([1 / 3, 2 / 3, 5 / 9, 4 / 9], abs=1e-14)
    assert found.blocking is None


def test_where_a_probability_would_fall_below_0_its_move_is_named():
    # Player 1's first action is worth q - 3/2 more than the second: that is 0 only where 1 - q is -1/2.
    terms = {(0, 2): (-0.5, 1), (0, 3): (-1.5, 0), (1, 2): (0, 0), (1, 3): (0, 1)}
    sets = [MixedSet(0, range(0, 2)), MixedSet(1, range(2, 4))]
    found = finish(MixedSupport(terms, sets, np.full(4, 0.5), [()] * 4).solve())
    assert (found.x, found.blocking) == (None, 3)


def test_on_a_curve_of_solutions_simple_ones_are_taken():
    """p q does not matter to either where r = 1/2 alone counts: p and q go to simple fractions, r stays."""
    terms = {(0, 2): (1, 0), (1, 2): (1, 0), (0, 3): (1, 0), (1, 3): (1, 0)}
    sets = [MixedSet(0, range(0, 2)), MixedSet(1, range(2, 4))]
    start = np.array([0.4871, 0.5129, 0.3402, 0.6598])
    support = MixedSupport(terms, sets, start, [()] * 4)
    x = finish(support.solve()).x
    assert x == pytest.approx(start)
    assert finish(support.simplify(x, lambda x: True)) == pytest.approx([1 / 2, 1 / 2, 1 / 2, 1 / 2])
    assert finish(support.simplify(x, lambda x: x[2] < 0.4)) == pytest.approx([1 / 2, 1 / 2, 1 / 3, 2 / 3])


@given(st.lists(st.integers(0, 900), min_size=1, max_size=5).filter(any))
def test_rows_become_fractions_that_sum_to_1(weights):
    exact = [Fraction(w, sum(weights)) for w in weights]
    found = exact_row(tuple(map(float, exact)))
    assert sum(found) == 1
    assert all(abs(p - q) < Fraction(1, 10**15) for p, q in zip(found, exact, strict=True))
    assert sum(weights) > 1000 or list(found) == exact


# --- the method


@pytest.mark.slow
def test_where_fractions_are_not_guessed_the_regret_is_told():
    solution = eb.solve(eb.game("liars-dice", dice="1,1,1", sides=5))
    assert (solution.method, solution.status) == ("many", "near-equilibrium")
    assert solution.solved
    assert 0 < solution.regret < Fraction(1, 10**14)
    assert max(solution.regrets) == solution.regret
    assert solution.verify().status == "near-equilibrium"


@pytest.mark.slow
def test_three_players_with_two_dice_each_are_proved_nearly_optimal():
    """36 bids, so 2**36 histories and 9,261 deals: no array and no tree holds that."""
    solution = eb.solve(eb.game("liars-dice", dice="2,2,2", sides=6), gap=Fraction(1, 200))
    assert solution.regret <= Fraction(1, 200)
    assert solution.verify().regret == solution.regret


# --- from other starts


def random_matrices(seed, size):
    """Two players who choose at once among *size* actions each; what one gains the other mostly loses."""
    rng = random.Random(seed)
    mine = iter(lambda: rng.randint(-20, 20), None)
    return matrix_tree([[(m := next(mine), rng.randint(-10, 10) - m) for _ in range(size)] for _ in range(size)])


def test_where_regrets_run_in_a_circle_another_start_helps():
    tree = random_matrices(seed=25, size=8)
    # As many iterations as there are before the first new start.
    assert eb.solve(tree, "many", options={"iterations": many.SETTINGS.restart_iterations}).regret > Fraction(1, 100)
    found, again = (eb.solve(tree, "many") for _ in range(2))
    assert found.solved
    assert found.regret <= Fraction(1, 10**12)
    assert found.strategy.probabilities == again.strategy.probabilities


def test_ctrl_c_in_many_ends_auto():
    """And no routine of Gambit is started after it."""

    def stop(line):
        if line.startswith("iteration"):
            raise KeyboardInterrupt

    found = eb.solve(eb.build(eb.game("liars-dice", dice="1,1,1")), timeout=10, progress=stop)
    assert (found.status, [each["method"] for each in found.details["tried"]]) == ("interrupted", ["many"])


def test_games_of_too_many_dice_are_left_to_others():
    assert "too many dice" in many.needs_tree(eb.game("liars-dice", dice="5,5,5,5,5,5", sides=2))
    assert "more than 62 bids" in many.needs_tree(eb.game("liars-dice", dice="5,5,5", sides=6))
