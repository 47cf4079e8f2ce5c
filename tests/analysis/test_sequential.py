"""Sequential rationality by stated mistakes, against Bayes' rule with small numbers and every continuation tried."""

from fractions import Fraction
from itertools import product

import pytest
from brute import payoffs, rows

import efg_builder as eb
from efg_builder.analysis.sequential import verify_sequential
from efg_builder.profile import Profile

F = Fraction
ONE, LIKELY = (F(1), 0), (F(1), 1)

# Player 1 stops (and gets 3) or goes on; then player 2 chooses to pay 1 or 2, or in another set 0, not knowing how.
THREAT = """EFG 2 R "threat" { "A" "B" } ""
p "" 1 1 "go" { "stop" "left" "right" } 0
t "" 1 "" { 3 -3 }
p "" 2 1 "reply" { "cheap" "dear" } 0
t "" 2 "" { 1 -1 }
t "" 3 "" { 2 -2 }
p "" 2 1 "reply" { "cheap" "dear" } 0
t "" 4 "" { 2 -2 }
t "" 5 "" { 0 0 }
"""


def threat(reply, left=LIKELY, right=LIKELY):
    tree = eb.parse_efg(THREAT)
    one, two = tree.personal
    chances = tuple((F(p), 0) if p else (F(1), 1) for p in reply)
    profile = Profile.from_personal(tree, {one: (1, 0, 0), two: reply})
    return profile, {one: (ONE, left, right), two: chances}


def test_beliefs_are_those_of_the_likelier_mistake():
    # By hand: mistakes of orders 1 and 2, so the first is certain; "cheap" then costs 1 and "dear" 2.
    verdict = verify_sequential(*threat((1, 0), left=(F(1), 1), right=(F(5), 2)))
    assert dict(verdict.beliefs) == {0: 1, 2: 1, 5: 0}
    assert verdict.gain == 0
    assert verdict.sequential
    # The other way round "dear" costs 0, "cheap" 2.
    verdict = verify_sequential(*threat((1, 0), left=(F(1), 3), right=(F(5), 2)))
    assert dict(verdict.beliefs) == {0: 1, 2: 0, 5: 1}
    assert verdict.gain == 2
    assert not verdict.sequential
    # As likely as 1 to 3: cheap 1/4 + 3/4 * 2 = 7/4, dear 1/4 * 2 + 0 = 1/2.
    verdict = verify_sequential(*threat((1, 0), left=(F(1), 1), right=(F(3), 1)))
    assert dict(verdict.beliefs) == {0: 1, 2: F(1, 4), 5: F(3, 4)}
    assert verdict.gain == F(5, 4)


def test_an_empty_threat_is_an_equilibrium_but_not_sequential():
    # With mistakes to the left only player 2 must be cheap; any reply whatever is an equilibrium, as A stops.
    profile, mistakes = threat((0, 1), left=(F(1), 1), right=(F(1), 2))
    assert eb.verify(profile).equilibrium
    verdict = verify_sequential(profile, mistakes)
    assert verdict.gain == 1
    assert {profile.tree.infosets[k].label: gain for k, gain in verdict.gains.items()} == {"go": 0, "reply": 1}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({0: (ONE, (F(0), 1), (F(1), 1))}, "'left' at 'go' has probability 0"),
        ({0: (ONE, (F(1), 0), (F(1), 1))}, "1 to the order 0"),
        ({0: ((F(1, 2), 0), (F(1), 1), (F(1), 1))}, "'stop' at 'go' has probability 1, which 1/2"),
        ({0: ((F(1), 1), (F(1), 1), (F(1), 1))}, "'stop' at 'go'"),
        ({0: (ONE,)}, "1 mistakes or probabilities for the 3 actions of 'go'"),
        ({1: ()}, "'reply'"),
    ],
)
def test_mistakes_must_be_those_of_the_profile(change, problem):
    profile, mistakes = threat((1, 0))
    with pytest.raises(eb.ProfileError, match=problem):
        verify_sequential(profile, mistakes | {profile.tree.personal[k]: row for k, row in change.items()})


def test_floats_and_forgetful_players_are_refused():
    profile, mistakes = threat((1, 0))
    floats = Profile.from_personal(profile.tree, {k: tuple(map(float, profile.probabilities[k])) for k in mistakes})
    with pytest.raises(eb.NotApplicableError, match="floats"):
        verify_sequential(floats, mistakes)
    forgets = eb.parse_efg(
        'EFG 2 R "f" { "A" } ""\np "" 1 1 "s" { "a" "b" } 0\n'
        'p "" 1 2 "t" { "c" } 0\nt "" 1 "" { 1 }\np "" 1 2 "t" { "c" } 0\nt "" 2 "" { 0 }\n'
    )
    with pytest.raises(eb.NotApplicableError, match="recall"):
        verify_sequential(eb.uniform(forgets), {})


def pure(width):
    return [[F(int(a == pick)) for a in range(width)] for pick in range(width)]


def check_by_brute_force(verdict):
    """Bayes' rule with a very small number, and every pure continuation at every set, by recursion over the tree."""
    profile, tree, small = verdict.profile, verdict.profile.tree, F(1, 10**12)
    mixed = {}
    for k, row in verdict.mistakes.items():
        weights = [c * small**order for c, order in row]
        mixed[k] = [w / sum(weights) for w in weights]
    reach = [F(1)] * len(tree)
    for node in range(1, len(tree)):
        above = int(tree.infoset[tree.parent[node]])
        chances = tree.infosets[above].probabilities or mixed[above]
        reach[node] = reach[tree.parent[node]] * chances[tree.action[node]]
    plain = rows(profile)
    for k in tree.personal:
        nodes = [n for n in range(len(tree)) if tree.infoset[n] == k]
        total = sum(reach[n] for n in nodes)
        for n in nodes:
            assert abs(verdict.beliefs[n] - reach[n] / total) < F(1, 10**6)
        mover = tree.infosets[k].player
        below = {
            int(tree.infoset[m]) for n in nodes for m in range(n, n + int(tree.sizes[n])) if tree.player[m] == mover
        }

        def worth(strategies, nodes=nodes, mover=mover):
            return sum(verdict.beliefs[n] * payoffs(tree, strategies, n)[mover] for n in nodes if verdict.beliefs[n])

        best = max(
            worth(plain | dict(zip(below, picks, strict=True)))
            for picks in product(*(pure(len(plain[s])) for s in below))
        )
        assert best == worth(plain) if verdict.sequential else best >= worth(plain)


@pytest.mark.parametrize("name", ["dice-poker", "mia"])
def test_no_continuation_is_better_than_what_a_refined_solution_does(name):
    verdict = eb.solve(eb.game(name), refine=True).refined
    assert verdict.sequential
    check_by_brute_force(verdict)
