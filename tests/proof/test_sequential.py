"""Sequential rationality by stated mistakes, against Bayes' rule with small numbers and every continuation tried."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from brute import payoffs, random_profile, reaches, rows
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DOCS

import efg_builder as eb
from efg_builder.proof import reach as reach_module
from efg_builder.proof import verify_sequential
from efg_builder.proof.sequential import prove_sequential
from efg_builder.strategies.tree_profile import TreeProfile

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
    profile = TreeProfile.from_personal(tree, {one: (1, 0, 0), two: reply})
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
    ("begin", "then", "reply", "belief"),
    [
        # R. Selten (1975), figure 1: L pays Cat 1 after Bob's mistake, R pays her 2 after Ann's.
        ("R", "R", "L", {"RL": 1, "L": 0}),
        # The equilibrium that Selten rejects: with Cat's R, Bob's R pays 1 where his L pays 4.
        ("L", "R", "R", None),
    ],
)
def test_of_two_equilibria_of_seltens_horse_one_is_proved_to_be_sequential(begin, then, reply, belief):
    tree = eb.build(str(DOCS / "games" / "horse.py"))
    ann, bob, cat = tree.personal
    rows = {k: tuple(F(a == m) for a in tree.infosets[k].actions) for k, m in ((ann, begin), (bob, then), (cat, reply))}
    profile = TreeProfile.from_personal(tree, rows)
    assert eb.verify(profile).equilibrium
    found = prove_sequential(profile)
    after_bob, after_ann = (node for node in range(len(tree)) if tree.infoset[node] == cat)
    assert (found and {"RL": found.beliefs[after_bob], "L": found.beliefs[after_ann]}) == belief


def test_both_pooling_equilibria_of_signals_are_proved_to_be_sequential():
    """After the breakfast that nobody orders the bully fights: the guest is weak, he believes, with at least 1/2.

    I. Cho and D. Kreps, "Signaling games and stable equilibria", QJE 102 (1987).
    """
    solution = eb.solve(str(DOCS / "games" / "quiche.py"), method="extreme")
    tree = solution.tree
    proved = {one.verdict.value[0]: found for one in solution.judged if (found := prove_sequential(one.strategy))}
    assert set(proved) == {F(29, 10), F(21, 10)}
    for found in proved.values():
        reach = reach_module.reaches(tree, found.profile)
        _, weak = (node for node in found.beliefs if tree.player[node] == 1 and not reach[node])
        assert found.beliefs[weak] >= F(1, 2)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({0: (ONE, (F(0), 1), (F(1), 1))}, "'left' at 'go' has probability 0"),
        ({0: (ONE, (F(1), 0), (F(1), 1))}, r"at 'go' has probability 0, but the mistakes contain \(1, 0\)"),
        (
            {0: ((F(1, 2), 0), (F(1), 1), (F(1), 1))},
            r"'stop' at 'go' has probability 1, but the mistakes contain \(1/2, 0\)",
        ),
        ({0: ((F(1), 1), (F(1), 1), (F(1), 1))}, "'stop' at 'go'"),
        ({0: (ONE,)}, "the mistakes at 'go' have length 1, not 3"),
        ({1: ()}, "'reply'"),
    ],
)
def test_mistakes_must_be_those_of_the_profile(change, problem):
    profile, mistakes = threat((1, 0))
    with pytest.raises(eb.ProfileError, match=problem):
        verify_sequential(profile, mistakes | {profile.tree.personal[k]: row for k, row in change.items()})


def test_floats_and_forgetful_players_are_refused():
    profile, mistakes = threat((1, 0))
    floats = TreeProfile.from_personal(profile.tree, {k: tuple(map(float, profile.probabilities[k])) for k in mistakes})
    with pytest.raises(eb.NotApplicableError, match="floats"):
        verify_sequential(floats, mistakes)
    forgets = eb.parse_efg(
        'EFG 2 R "f" { "A" } ""\np "" 1 1 "s" { "a" "b" } 0\n'
        'p "" 1 2 "t" { "c" "d" } 0\nt "" 1 "" { 1 }\nt "" 2 "" { 2 }\n'
        'p "" 1 2 "t" { "c" "d" } 0\nt "" 3 "" { 0 }\nt "" 4 "" { 0 }\n'
    )
    with pytest.raises(eb.NotApplicableError, match="recall"):
        verify_sequential(eb.TreeProfile.uniform(forgets), {})


def pure(width):
    return [[F(int(a == pick)) for a in range(width)] for pick in range(width)]


def check_by_brute_force(verdict):
    """Bayes' rule with a very small number, and every pure continuation at every set, by recursion over the tree.

    A sequential profile must leave nothing to gain anywhere; of any other some continuation must gain at some set, and
    at each set by as much as the verdict says at least (a single action is one continuation of many).
    """
    profile, tree, small = verdict.profile, verdict.profile.tree, F(1, 10**12)
    mixed = rows(profile)
    for k, row in verdict.mistakes.items():
        assert [F(0) if order else c for c, order in row] == [F(p) for p in profile.probabilities[k]]
        weights = [c * small**order for c, order in row]
        mixed[k] = [w / sum(weights) for w in weights]
    reach = reaches(tree, mixed)
    plain, gained, rng = rows(profile), {}, random.Random(1)
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
        gained[k] = best - worth(plain)
        assert gained[k] >= verdict.gains[k] >= 0
        # Mixing continuations gains no more than the best of them: pure ones are enough to look at.
        assert all(worth(plain | {s: mixed_row(rng, len(plain[s])) for s in below}) <= best for _ in range(3))
    assert any(gained.values()) is not verdict.sequential
    return gained


def mixed_row(rng, width):
    weights = [F(rng.randint(0, 4)) for _ in range(width)]
    weights[rng.randrange(width)] += 1
    return [w / sum(weights) for w in weights]


def stated(profile, orders=lambda k, action: (F(1), 1)):
    """Mistakes for *profile*: at set k those of *orders*."""
    return {
        k: tuple((F(p), 0) if p else orders(k, action) for action, p in enumerate(profile.probabilities[k]))
        for k in profile.tree.personal
    }


def instead(profile, k, action):
    """The same profile, but at set *k* that action, always."""
    table = {s: profile.probabilities[s] for s in profile.tree.personal}
    return TreeProfile.from_personal(profile.tree, table | {k: pure(len(table[k]))[action]})


SMALL = [eb.build(eb.game("dice-poker", sides=2)), eb.build(eb.game("dice-poker", sides=3)), eb.parse_efg(THREAT)]


@pytest.mark.parametrize("tree", SMALL, ids=lambda tree: tree.title)
def test_every_change_of_a_refined_solution_is_judged_as_brute_force_does(tree):
    profile = eb.solve(tree, refine=True).profile
    verdicts = []
    for k in tree.personal:
        for action, p in enumerate(profile.probabilities[k]):
            if p != 1:
                broken = instead(profile, k, action)
                verdicts.append(verify_sequential(broken, stated(broken)))
                check_by_brute_force(verdicts[-1])
    # Moves that no optimal plan makes are among them.
    assert sum(not verdict.sequential for verdict in verdicts) >= 2


OF_THREE = eb.build(eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1))


@settings(max_examples=25)
@given(st.sampled_from([*SMALL, OF_THREE]), st.integers(0, 10**6), st.data())
def test_random_assessments_are_judged_as_brute_force_does(tree, seed, data):
    profile = random_profile(tree, seed)
    mistake = st.tuples(st.fractions(F(1, 9), 9, max_denominator=9), st.integers(1, 3))
    check_by_brute_force(verify_sequential(profile, stated(profile, lambda *_: data.draw(mistake))))


def test_a_false_verdict_is_convicted():
    profile, mistakes = threat((0, 1), left=(F(1), 1), right=(F(1), 2))
    true = verify_sequential(profile, mistakes)
    assert check_by_brute_force(true)[profile.tree.personal[1]] == 1  # paying 1 for 2, by hand
    refined = eb.solve(SMALL[1], refine=True).refined
    assert not any(check_by_brute_force(refined).values())
    one, two = profile.tree.personal
    changes = (instead(refined.profile, k, action) for k in SMALL[1].personal for action in range(2))
    worse = next(changed for changed in changes if eb.verify(changed).regret)
    false = [
        replace(true, gains=dict.fromkeys(true.gains, F(0))),  # nothing to gain, it says
        replace(true, gains=true.gains | {two: F(2)}),  # more than there is
        replace(true, gains=true.gains | {one: F(-1)}),
        replace(true, beliefs=true.beliefs | {2: F(0), 5: F(1)}),  # the rarer mistake
        replace(refined, gains=refined.gains | {SMALL[1].personal[0]: F(1)}),  # an equilibrium called none
        replace(refined, profile=worse),  # another profile
    ]
    for verdict in false:
        with pytest.raises(AssertionError):
            check_by_brute_force(verdict)


def test_beliefs_of_the_example_in_docs_proof():
    tree = eb.build(eb.game("liars-dice", sides=3))
    table = {k: pure(len(tree.infosets[k].actions))[0] for k in tree.personal}  # all open with 1x1
    mistakes = stated(TreeProfile.from_personal(tree, table))
    starts = {tree.infosets[k].label: k for k in tree.personal}
    for hand, mistake in (("1", (F(1), 1)), ("2", (F(2), 1)), ("3", (F(5), 2))):
        row = list(mistakes[starts[f"{hand}: start"]])
        row[1] = mistake
        mistakes[starts[f"{hand}: start"]] = tuple(row)
    verdict = verify_sequential(TreeProfile.from_personal(tree, table), mistakes)
    for hand in "123":
        found = [verdict.beliefs[n] for n in range(len(tree)) if tree.infoset[n] == starts[f"{hand}: 1x2"]]
        assert found == [F(1, 3), F(2, 3), 0]  # by hand: 1 to 2 to nothing


@pytest.mark.parametrize("name", ["dice-poker", "mia"])
def test_no_continuation_is_better_than_what_a_refined_solution_does(name):
    verdict = eb.solve(eb.game(name), refine=True).refined
    assert verdict.sequential
    check_by_brute_force(verdict)
