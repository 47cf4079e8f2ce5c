"""Strategies as arrays, functions and OpenSpiel policies, and evaluation in floats for learners."""

from dataclasses import replace
from fractions import Fraction

import brute
import numpy as np
import pytest
from random_trees import random_tree
from small_files import FORGETS_A_MOVE, small_games

import efg_builder as eb
from efg_builder.interop import open_spiel
from efg_builder.proof.sequences import sequences_of

KUHN = eb.build("kuhn")


def array_of(profile):
    """Return the probabilities of *profile* as an array [information set, action], filled up with zeros."""
    rows = [list(map(float, row)) for row in profile.probabilities]
    found = np.zeros((len(rows), max(map(len, rows), default=0)))
    for k, row in enumerate(rows):
        found[k, : len(row)] = row
    return found


def function_of(profile):
    """Return a function of an information set that returns the probabilities of *profile*."""
    place = {infoset[:2]: k for k, infoset in enumerate(profile.tree.infosets)}
    return lambda infoset: profile.probabilities[place[infoset[:2]]]


def mapping_of(profile):
    return {name: {action: float(p) for action, p in profile[name].items()} for name in profile}


FORMS = {"array": array_of, "function": function_of, "mapping": mapping_of, "profile": lambda profile: profile}


def figures(found):
    return [(match.value, match.best_response, match.nash_conv) for match in found.matches]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", small_games(), ids=lambda game: game.title)
def test_floats_are_near_the_exact_figures(game, form):
    tree = eb.build(game)
    profile = brute.random_profile(tree, 1)
    exact = eb.evaluate(tree, profile)
    found = eb.evaluate(tree, FORMS[form](profile), exact=False)
    assert found.method == "tree"
    for (value, best, gap), (right, most, nash_conv) in zip(figures(found), figures(exact), strict=True):
        assert value == pytest.approx(tuple(map(float, right)), abs=1e-9)
        assert best == pytest.approx(tuple(map(float, most)), abs=1e-9)
        assert gap == pytest.approx(float(nash_conv), abs=1e-9)
        assert abs(Fraction(gap) - nash_conv) <= Fraction(found.nash_conv_error_bound)
    assert all(match.losses is None for match in found.matches)


@pytest.mark.parametrize("seed", range(10))
def test_two_strategies_in_each_seat(seed):
    tree = random_tree(seed, depth=4, total=None, players=2 + seed % 2)
    one, other = brute.random_profile(tree, seed), brute.random_profile(tree, seed + 1)
    exact = eb.evaluate(tree, one, other)
    found = eb.evaluate(tree, array_of(one), function_of(other), exact=False)
    assert len(found.matches) == len(tree.players)
    for (value, best, _), (right, most, _) in zip(figures(found), figures(exact), strict=True):
        assert value == pytest.approx(tuple(map(float, right)), abs=1e-9)
        assert best == pytest.approx(tuple(map(float, most)), abs=1e-9)


def test_a_function_of_fractions_is_evaluated_exactly():
    found = eb.evaluate(KUHN, function_of(eb.TreeProfile.uniform(KUHN)))
    assert found.exact
    assert found.matches[0].nash_conv == Fraction(11, 12)
    assert found.matches[0].losses
    by_action = eb.evaluate(KUHN, lambda infoset: {infoset.actions[0]: 1})
    assert by_action.matches[0].nash_conv == 2


def test_an_array_is_evaluated_with_its_losses():
    found = eb.evaluate("kuhn", array_of(eb.TreeProfile.uniform(KUHN)))
    assert not found.exact
    assert found.matches[0].nash_conv == pytest.approx(11 / 12)
    assert found.matches[0].losses


def test_a_tree_is_prepared_once():
    tree = eb.build("kuhn")
    given = array_of(eb.TreeProfile.uniform(tree))
    first = eb.evaluate(tree, given, exact=False)
    kept = dict(tree._kept)
    assert figures(eb.evaluate(tree, given, exact=False)) == figures(first)
    assert sequences_of(tree) in kept.values()
    assert len(kept) == len(tree._kept)
    assert all(tree._kept[compute] is found for compute, found in kept.items())
    assert not replace(tree)._kept


def test_without_perfect_recall_floats_come_from_the_walk():
    tree = eb.parse_efg(FORGETS_A_MOVE)
    assert sequences_of(tree) is None
    found = eb.evaluate(tree, array_of(eb.TreeProfile.uniform(tree)), exact=False)
    assert figures(found) == [((0.5, 0.5), (1.0, 0.5), 0.5)]
    assert found.forgetful == ("A",)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (np.ones((3, 3)), r"shape \(3, 3\) is not a strategy .* so the shape is \(13, 2\)"),
        (np.ones(26), r"shape \(26,\)"),
        (np.ones((12, 2)), r"so the shape is \(13, 2\); chance events have rows too"),
        (np.full((13, 2), "a"), "an array of <U1 is not a strategy; the probabilities must be numbers"),
        (np.ones((13, 6)), "'1: start' sum to 2.0, not 1"),
        (np.full((13, 2), np.nan), "a probability at '1: start' is not a number"),
        (np.tile([1.5, -0.5], (13, 1)), "a negative probability at '1: start'"),
        (lambda infoset: [1], r"<lambda> at '1: start' returned 1 probabilities for 2 actions"),
        (lambda infoset: {"x": 1}, r"'x' is not an action; choose from: check, bet"),
        (lambda infoset: "ab", "returned str 'ab', not one probability for each action"),
        (lambda infoset: ["a", "b"], "a probability at '1: start' is str 'a', not a number"),
        (lambda infoset: [0.5, 0.25], "'1: start' sum to 0.75, not 1"),
        (lambda infoset: infoset.lacks, "raised AttributeError"),
    ],
)
def test_what_is_no_strategy_is_refused(given, problem, exact):
    with pytest.raises(eb.ProfileError, match=problem):
        eb.evaluate(KUHN, given, exact=exact)


class Tensor:
    """What PyTorch's and JAX's arrays have in common with NumPy's."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __array__(self, dtype=None, copy=None):
        return np.array(self.numbers, dtype=dtype)


def test_tensors_and_truth_values_are_arrays():
    exact = eb.evaluate(KUHN, "uniform").matches[0].nash_conv
    rows = array_of(eb.TreeProfile.uniform(KUHN))
    first = eb.evaluate(KUHN, lambda infoset: [1, 0]).matches[0].nash_conv
    pure = np.tile([True, False], (13, 1))
    for how in (True, False):
        for given in (Tensor(rows), rows.astype(np.float32), lambda infoset: Tensor([0.5, 0.5])):
            assert eb.evaluate(KUHN, given, exact=how).matches[0].nash_conv == pytest.approx(float(exact))
        assert eb.evaluate(KUHN, pure, exact=how).matches[0].nash_conv == first
    assert "<svg" in str(KUHN.draw(strategy=rows))


def test_policies_and_players_with_rules_play_on_a_tree_that_was_built_from_rules():
    policy = eb.Policy(lambda turn, hand: {turn.actions[0][0]: 1})
    assert eb.evaluate(KUHN, policy).matches == eb.evaluate("kuhn", policy).matches
    tree = eb.build("liars-dice sides=3")
    assert eb.evaluate(tree, "threshold").matches == eb.evaluate("liars-dice sides=3", "threshold").matches
    with pytest.raises(eb.NotApplicableError, match=r"the tree of .* without its rules"):
        eb.evaluate(replace(tree), "threshold")


@pytest.mark.parametrize("exact", ["no", None, 0])
def test_exact_is_true_or_false(exact):
    with pytest.raises(eb.ParameterError, match="True or False"):
        eb.evaluate(KUHN, "uniform", exact=exact)


def test_a_list_of_rows_is_refused_with_what_makes_an_array():
    with pytest.raises(eb.ParameterError, match=r"numpy.array\(rows\) makes an array"):
        eb.evaluate(KUHN, [[0.5, 0.5]] * 13)


TWINS = """EFG 2 R "equal labels" { "A" "B" } ""
p "" 1 1 "choice" { "a" "a" "b" } 0
t "" 1 "" { 3 0 }
t "" 2 "" { 0 1 }
t "" 3 "" { 1 1 }
"""


def test_equal_labels_are_named_as_in_files():
    tree = eb.parse_efg(TWINS)
    for exact in (True, False):
        for given in ({"choice": {"a_1": 0.5, "a_2": 0.5}}, lambda infoset: {"a_1": 0.5, "a_2": 0.5}):
            assert eb.evaluate(tree, given, exact=exact).matches[0].value == pytest.approx((1.5, 0.5))
        for given in ({"choice": {"a": 0.5, "b": 0}}, lambda infoset: {"a": 0.5, "b": 0}):
            with pytest.raises(eb.ProfileError):
                eb.evaluate(tree, given, exact=exact)


@pytest.mark.parametrize("row", [{"check": 0.5, "bet": 0.5, "raise": 0.7}, {"check": True}, {"check": "a", "bet": 1}])
@pytest.mark.parametrize("exact", [True, False])
def test_what_the_reader_refuses_is_refused(row, exact):
    given = mapping_of(eb.TreeProfile.uniform(KUHN)) | {"1: start": row}
    with pytest.raises(eb.ProfileError, match="1: start"):
        eb.evaluate(KUHN, given, exact=exact)


def test_a_function_without_a_signature_is_called():
    with pytest.raises(eb.ProfileError, match="the function max at '1: start'"):
        eb.evaluate(KUHN, max)


def test_the_text_recommends_nothing_that_was_done():
    said = str(eb.evaluate(KUHN, "uniform", exact=False))
    assert "method         tree" in said
    assert "--measure" not in said


def test_payoffs_beyond_floats_are_refused_or_evaluated_exactly():
    tree = eb.parse_efg(TWINS)
    huge = replace(
        tree, outcomes=tuple(o._replace(payoffs=tuple(10**400 * u for u in o.payoffs)) for o in tree.outcomes)
    )
    uniform = eb.TreeProfile.uniform(huge)
    assert eb.verify(uniform).regret == 3 * 10**400 - Fraction(4 * 10**400, 3)
    with pytest.raises(eb.NotApplicableError, match="too large for floats"):
        eb.evaluate(huge, uniform, exact=False)


def test_the_second_strategy_of_one_player_has_no_seat():
    tree = eb.parse_efg('EFG 2 R "" { "A" } ""\np "" 1 1 "x" { "l" "r" } 0\nt "" 1 "" { 1 }\nt "" 2 "" { 0 }\n')
    both = [eb.evaluate(tree, "uniform", "uniform", exact=exact).strategies for exact in (True, False)]
    assert both[0] == both[1]
    assert both[0][1].seats == ()


class StubState:
    """Kuhn poker's tree as OpenSpiel's states, for tests without OpenSpiel."""

    def __init__(self, node=0):
        self.node = node

    def is_chance_node(self):
        return KUHN.player[self.node] == -1

    def chance_outcomes(self):
        return [(action, 1 / 6) for action in range(6)]

    def legal_actions(self):
        return list(range(len(list(KUHN.children(self.node)))))

    def child(self, action):
        return StubState(list(KUHN.children(self.node))[action])


class StubPolicy:
    def __init__(self, answer):
        self.answer = answer

    def action_probabilities(self, state):
        return self.answer(state)


class TestStub:
    @pytest.fixture
    def tree(self):
        tree = eb.build("kuhn")
        rules = open_spiel.OpenSpielGame.__new__(open_spiel.OpenSpielGame)
        rules._start = StubState()
        object.__setattr__(tree, "origin", rules)
        return tree

    def test_policies_are_asked_at_one_state_of_each_information_set(self, tree):
        asked = []

        def answer(state):
            asked.append(int(KUHN.infoset[state.node]))
            return {0: 0.25, 1: 0.75}

        rows = {k: (Fraction(1, 4), Fraction(3, 4)) for k in KUHN.personal}
        right = eb.evaluate(KUHN, eb.TreeProfile.from_personal(KUHN, rows)).matches[0].nash_conv
        for exact in (True, False):
            found = eb.evaluate(tree, StubPolicy(answer), exact=exact).matches[0].nash_conv
            assert found == pytest.approx(float(right), abs=1e-12)
        assert asked == [*KUHN.personal] * 2

    @pytest.mark.parametrize(
        ("answer", "problem"),
        [
            (lambda state: {}["no"], "the policy StubPolicy at '1: start' raised KeyError"),
            (lambda state: [0.5, 0.5], "returned list, not probabilities of the actions"),
            (lambda state: {7: 1.0}, "not probabilities of the actions"),
            (lambda state: {0: 0.5}, "'1: start' sum to 0.5, not 1"),
        ],
    )
    @pytest.mark.parametrize("exact", [True, False])
    def test_what_a_policy_does_wrong_is_told(self, tree, answer, problem, exact):
        with pytest.raises(eb.ProfileError, match=problem):
            eb.evaluate(tree, StubPolicy(answer), exact=exact)

    def test_a_class_is_no_policy(self, tree):
        with pytest.raises(eb.ParameterError, match=r"not type; StubPolicy\(...\) makes an object"):
            eb.evaluate(tree, StubPolicy)


@pytest.mark.parametrize("given", [{"1: start": {"check": "1/3", "bet": "2/3"}}, {"1: start": {"bet": 1}}])
def test_other_mappings_are_read_as_files_are(given):
    exact = eb.evaluate(KUHN, given).matches[0].nash_conv
    assert eb.evaluate(KUHN, given, exact=False).matches[0].nash_conv == pytest.approx(float(exact), abs=1e-12)


def test_errors_in_a_complete_mapping_are_those_of_the_reader():
    wrong = mapping_of(eb.TreeProfile.uniform(KUHN))
    wrong["1: start"] = {"check": 0.5, "bet": 0.25}
    for exact in (True, False):
        with pytest.raises(eb.ProfileError, match="1: start"):
            eb.evaluate(KUHN, wrong, exact=exact)


@pytest.mark.parametrize("more", [{"method": "sparse"}, {"exploiter": True}])
def test_floats_need_the_tree_and_give_no_exploiter(more):
    with pytest.raises(eb.ParameterError, match="omit method= and exploiter="):
        eb.evaluate(KUHN, "uniform", exact=False, **more)


class TestOpenSpiel:
    @pytest.fixture
    def kuhn(self):
        return pytest.importorskip("pyspiel").load_game("kuhn_poker")

    def test_policies_are_evaluated(self, kuhn):
        policy = pytest.importorskip("open_spiel.python.policy").UniformRandomPolicy(kuhn)
        pyspiel = pytest.importorskip("pyspiel")
        tree = eb.build(kuhn)
        for given in (policy, policy.to_tabular(), pyspiel.UniformRandomPolicy(kuhn)):
            right = pyspiel.nash_conv(kuhn, pyspiel.UniformRandomPolicy(kuhn), False)
            for found in (eb.evaluate(tree, given, exact=False), eb.evaluate(kuhn, given)):
                assert found.matches[0].nash_conv == pytest.approx(right, abs=1e-12)

    def test_a_policy_differs_between_information_sets(self, kuhn):
        pyspiel = pytest.importorskip("pyspiel")
        theirs = pyspiel.load_game("leduc_poker")
        policy = pyspiel.UniformRandomPolicy(theirs)
        table = {
            key: [(action, (1 + (number + place) % 3) / sum(1 + (number + q) % 3 for q in range(len(row))))
                  for place, (action, _) in enumerate(row)]
            for number, (key, row) in enumerate(sorted(policy.policy_table().items()))
        }  # fmt: skip
        uneven = pyspiel.TabularPolicy(table)
        found = eb.evaluate(eb.build(theirs), uneven, exact=False).matches[0].nash_conv
        assert found == pytest.approx(pyspiel.nash_conv(theirs, uneven, False), abs=1e-9)

    def test_a_tree_of_another_origin_has_no_states(self, kuhn):
        policy = pytest.importorskip("open_spiel.python.policy").UniformRandomPolicy(kuhn)
        with pytest.raises(eb.NotApplicableError, match="build the tree from OpenSpiel's game"):
            eb.evaluate("kuhn", policy)
