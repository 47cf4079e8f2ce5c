"""That a true equilibrium is near: it is where the literature says; what is no equilibrium, and ties, are refused."""

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from certificates import changed
from hypothesis import assume, given
from hypothesis import strategies as st
from small_files import B_FORGETS

import efg_builder as eb
from efg_builder.equilibria.solution import Judged
from efg_builder.games.protocol import Chance, Decision, End
from efg_builder.proof import checker, prove_near, verify
from efg_builder.proof.certificate import read_sparse, verify_solution

CERTIFICATES = Path(__file__).parents[2] / "docs" / "certificates"


class NashPoker(eb.Game):
    """J. Nash, "Non-cooperative games", Annals of Mathematics 54 (1951): three-man poker with high and low cards.

    An ante of 2, one bet of 2; the highest cards of those who bet share the pot. Where nobody bets, all get back
    their ante. The deck is large, so that cards are independent.
    """

    players = ("Player 1", "Player 2", "Player 3")
    title = "Three-man poker"
    constant_sum = Fraction(0)

    def size(self):
        return None

    def root(self):
        return None, ""

    def turn(self, state):
        cards, history = state
        if cards is None:
            return Chance(
                "deal", tuple(("".join(deal), Fraction(1, 8), (deal, "")) for deal in product("HL", repeat=3))
            )
        bet, player = history.find("b"), len(history) % 3
        if history == "ppp" or (bet >= 0 and len(history) == bet + 3):
            return self.end(cards, history, bet)
        actions = tuple((move, (cards, history + move)) for move in ("pb" if bet < 0 else "fc"))
        return Decision(player, f"{cards[player]}: {history or 'start'}", actions)

    def end(self, cards, history, bet):
        if bet < 0:
            return End((Fraction(0),) * 3, history)
        bold = [seat for seat in range(3) if seat == bet or history[bet + (seat - bet) % 3] == "c"]
        paid = [4 if seat in bold else 2 for seat in range(3)]
        best = min(cards[seat] for seat in bold)
        winners = [seat for seat in bold if cards[seat] == best]
        won = Fraction(sum(paid), len(winners))
        return End(tuple(won * (seat in winners) - paid[seat] for seat in range(3)), history)


POKER = eb.build(NashPoker())
SOLVED = eb.solve(POKER, "many")


def nash(digits):
    """The equilibrium that the paper has, to many digits: by set, the probability of the second action."""
    with localcontext() as context:
        context.prec = digits + 5
        a = (21 - Decimal(321).sqrt()) / 10
        found = {"H: start": a, "L: pp": (5 * a + 1) / 4, "H: p": (5 - 2 * a) / (5 + a), "L: p": (4 * a - 1) / (a + 5)}
        return {name: Fraction(p) for name, p in found.items()}


def distance(profile, true):
    return max(abs(Fraction(list(profile[name].values())[1]) - p) for name, p in true.items())


def shifted(profile, name, by):
    rows = {k: list(profile.probabilities[k]) for k in profile.tree.personal}
    row = rows[profile.tree.by_label[name]]
    row[0], row[1] = row[0] - by, row[1] + by
    return eb.TreeProfile.from_personal(profile.tree, rows)


# --- where the equilibrium is known


def test_nashs_own_equilibrium_is_in_the_ball():
    true, near = nash(50), SOLVED.near
    assert SOLVED.status == "near-equilibrium"
    assert (near.reason, near.unknowns, near.held) == ("", 4, 0)
    assert distance(SOLVED.strategy, true) <= near.radius <= Fraction(1, 10**14)
    # And not anywhere: a point beside it is not in the ball.
    assert distance(SOLVED.strategy, true | {"L: p": true["L: p"] + Fraction(1, 10**13)}) > near.radius


@pytest.mark.parametrize("by", [Fraction(1, 10**6), Fraction(-1, 10**9), Fraction(1, 10**12)])
@pytest.mark.parametrize("name", ["H: start", "L: p"])
def test_a_ball_around_a_worse_profile_is_larger_and_holds_it_too(name, by):
    worse = shifted(SOLVED.strategy, name, by)
    near = prove_near(worse)
    assert abs(by) / 2 < distance(worse, nash(50)) <= near.radius < 100 * abs(by)


def at_once(pays, actions):
    """Three players who choose at once; *pays* takes each one's action."""
    words = [" ".join(f'"{action}"' for action in mine) for mine in actions]
    lines, outcome = ['EFG 2 R "at once" { "A" "B" "C" }', f'p "" 1 1 "a" {{ {words[0]} }} 0'], 0
    for a in actions[0]:
        lines.append(f'p "" 2 1 "b" {{ {words[1]} }} 0')
        for b in actions[1]:
            lines.append(f'p "" 3 1 "c" {{ {words[2]} }} 0')
            for c in actions[2]:
                outcome += 1
                lines.append(f't "" {outcome} "" {{ {", ".join(map(str, pays(a, b, c)))} }}')
    return eb.parse_efg("\n".join(lines) + "\n")


def planted(seeds, p):
    """Three players with two actions each, whom *p*, the probabilities of their first actions, makes indifferent.

    The first action pays as *seeds* says in three cases of the others' actions, and in the last what follows then.
    """
    more = []
    for player, three in enumerate(seeds):
        one, two = (q for other, q in enumerate(p) if other != player)
        weights = [one * two, one * (1 - two), (1 - one) * two]
        more.append([*three, -sum(w * m for w, m in zip(weights, three, strict=True)) / ((1 - one) * (1 - two))])

    def pays(*chosen):
        for player, mine in enumerate(chosen):
            one, two = (action == "2" for other, action in enumerate(chosen) if other != player)
            yield more[player][2 * one + two] if mine == "1" else 0

    return at_once(pays, [("1", "2")] * 3)


PAYOFF = st.integers(-9, 9)
INSIDE = st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=12)
OFF = st.integers(-1000, 1000).map(lambda n: Fraction(n, 10**12))


@given(
    seeds=st.tuples(*[st.tuples(PAYOFF, PAYOFF, PAYOFF)] * 3),
    p=st.tuples(INSIDE, INSIDE, INSIDE),
    off=st.tuples(OFF, OFF, OFF),
)
def test_an_equilibrium_that_was_planted_is_in_the_ball(seeds, p, off):
    tree = planted(seeds, p)
    sets = [tree.by_label[name] for name in "abc"]
    true = {k: [q, 1 - q] for k, q in zip(sets, p, strict=True)}
    assert verify(eb.TreeProfile.from_personal(tree, true)).regret == 0
    moved = {k: [q + d, 1 - q - d] for k, q, d in zip(sets, p, off, strict=True)}
    near = prove_near(eb.TreeProfile.from_personal(tree, moved))
    assume(near.radius is not None)  # nearly dependent equations
    # Where nothing was held, the equilibrium in the ball is the only one there.
    assert near.held or max(map(abs, off)) <= near.radius
    assert near.radius <= Fraction(1, 10**4)


# --- ties


def circle(third):
    """All three mix equally: A is indifferent where B does, B where C does, C where A does. A has a *third* action."""

    def pays(a, b, c):
        mine = {"1": Fraction(1 if b == "1" else -1, 2), "2": 0, "third": third(b == "1", c == "1")}[a]
        return mine, (1 if c == "1" else -1) * (b == "1"), {"1": 1, "2": -1, "third": 0}[a] * (c == "1")

    return at_once(pays, (("1", "2", "third"), ("1", "2"), ("1", "2")))


def around_half(tree, off=Fraction(1, 10**12)):
    half = Fraction(1, 2)
    a, b, c = (tree.by_label[name] for name in "abc")
    rows = {a: [half + off, half - off, 0], b: [half - off, half + off], c: [half + off, half - off]}
    return eb.TreeProfile.from_personal(tree, {k: list(map(Fraction, row)) for k, row in rows.items()})


NEARLY = "'third' at A's 'a' is nearly as good as the actions played there"
TIES = [
    (lambda b, c: Fraction(-1, 4), 12, ""),
    (lambda b, c: Fraction(-1, 10**6), 12, ""),
    (lambda b, c: Fraction(-1, 10**6), 4, NEARLY),  # the ball is too large for it
    (lambda b, c: 1 if b else -1, 12, ""),  # worth twice what the first is, so 0 wherever that is
    # Worth (2 q - 1)(2 r - 1): 0 in the equilibrium, but above 0 wherever both are on one side.
    (
        lambda b, c: 1 if b == c else -1,
        12,
        NEARLY + ", but its equation does not follow from the others",
    ),
    (lambda b, c: Fraction(1, 10), 12, "'third' at A's 'a' is better than the actions played there"),
]


@pytest.mark.parametrize(("third", "digits", "reason"), TIES)
def test_an_unused_action_does_no_harm_or_is_named(third, digits, reason):
    near = prove_near(around_half(circle(third), Fraction(1, 10**digits)))
    assert near.reason == reason
    assert near.radius is None if reason else Fraction(1, 10**12) <= near.radius <= Fraction(1, 10**11)


def test_a_tie_off_the_path_is_solved_for():
    """A goes out for 0, or in; B, who only then moves, mixes so that in is worth about 0: the mix is an unknown too."""
    tree = eb.parse_efg(
        """EFG 2 R "in or out" { "A" "B" }
p "" 1 1 "a" { "out" "in" } 0
t "" 1 "" { 0, 1 }
p "" 2 1 "b" { "1" "2" } 0
t "" 2 "" { 1, 0 }
t "" 3 "" { -1, 0 }
"""
    )
    half, off = Fraction(1, 2), Fraction(1, 10**14)
    profile = eb.TreeProfile.from_personal(
        tree, {tree.by_label["a"]: [Fraction(1), Fraction(0)], tree.by_label["b"]: [half + off, half - off]}
    )
    assert verify(profile).regret == 2 * off
    near = prove_near(profile)
    assert (near.unknowns, near.held) == (1, 0)
    assert off <= near.radius <= 100 * off


# --- what is refused


def test_what_is_far_from_an_equilibrium_is_refused():
    near = prove_near(eb.TreeProfile.uniform(POKER))
    assert near.radius is None
    assert near.reason.startswith("the profile is too far from a solution of the equations")


def test_a_probability_that_might_as_well_be_0_is_named():
    profile = shifted(shifted(SOLVED.strategy, "H: start", Fraction(1, 10**5)), "L: b", Fraction(1, 10**7))
    assert "'L: b'" in prove_near(profile).reason


def test_floats_and_imperfect_recall_are_refused():
    with pytest.raises(eb.NotApplicableError, match="these are floats"):
        prove_near(eb.TreeProfile.from_personal(POKER, {k: [0.5, 0.5] for k in POKER.personal}))
    with pytest.raises(eb.NotApplicableError, match="perfect recall"):
        prove_near(eb.TreeProfile.uniform(eb.parse_efg(B_FORGETS)))
    with pytest.raises(eb.ParameterError, match="prove_near"):
        prove_near(POKER)


# --- certificates


PROVED = {"1v1v1-5": "1/100000000000000", "1v1v1-6": "1/1000000000000", "1v1v1v1-6": "1/1000000000000"}
"""Games of 8 million to 43 billion nodes."""


@pytest.mark.parametrize("name", PROVED)
def test_large_games_without_a_tree(name):
    near = prove_near(read_sparse(CERTIFICATES / f"{name}.json.gz"))
    assert (near.reason, str(near.radius)) == ("", PROVED[name])


def test_a_game_with_too_many_deals_is_left_alone(monkeypatch):
    monkeypatch.setattr("efg_builder.proof.near.MOST_NODES", 1_000)
    near = prove_near(read_sparse(CERTIFICATES / "1v1v1-6.json.gz"))
    assert near.reason == "the profile reaches more than 1,000 nodes, too many for this proof"


def test_the_radius_is_shown_and_proved_again(tmp_path, cli):
    POKER.write(tmp_path / "poker.efg")
    code, out, _ = cli("solve", tmp_path / "poker.efg", "-o", tmp_path / "s.json")
    line = "              a true equilibrium differs by at most 1e-15 in each probability\n"
    assert (code, line in out) == (0, True)
    assert json.loads((tmp_path / "s.json").read_text())["radius"] == "1/1000000000000000"
    code, out, _ = cli("verify", tmp_path / "s.json", tmp_path / "poker.efg")
    assert (code, line in out) == (0, True)
    code, out, _ = cli("verify", tmp_path / "s.json", tmp_path / "poker.efg", "--json")
    assert json.loads(out)["radius"] == "1/1000000000000000"


@pytest.mark.parametrize(
    ("radius", "words"),
    [
        (
            "1/10000000000000000",
            'radius is "1/10000000000000000", but the smallest proved radius is "1/1000000000000000"',
        ),
        ("0", 'radius is "0", which is not a positive fraction'),
        ("-1", 'radius is "-1", which is not a positive fraction'),
        ("2/20", 'radius is "2/20", which is not a positive fraction in lowest terms'),
        ("x", "radius: not a number"),
        (1e-10, "radius is 1e-10, which is not a positive fraction"),
    ],
)
def test_a_radius_that_is_not_proved_is_refused(radius, words, tmp_path, cli):
    POKER.write(tmp_path / "poker.efg")
    path = changed(SOLVED.write(tmp_path / "s.json"), lambda data: data.update(radius=radius))
    code, out, err = cli("verify", path, tmp_path / "poker.efg")
    assert (code, out) == (3, "")
    assert f"claim: {words}" in err


def test_a_larger_radius_is_true_as_well(tmp_path):
    path = changed(SOLVED.write(tmp_path / "s.json"), lambda data: data.update(radius="1/1000"))
    assert eb.verify(path, game=POKER).radius == Fraction(1, 1000)


def test_a_radius_of_an_equilibrium_is_refused(tmp_path):
    exact = eb.solve(eb.game("liars-dice", dice="1,1,1"), "many")
    path = changed(exact.write(tmp_path / "s.json"), lambda data: data.update(radius="1/1000"))
    with pytest.raises(eb.CertificateError, match="only an exact near-equilibrium may have a radius"):
        eb.verify(path)


def test_what_prevents_the_proof_is_told(tmp_path, cli):
    tree = circle(lambda b, c: 1 if b == c else -1)
    profile = around_half(tree)
    solution = eb.Solution(
        tree, "by hand", "near-equilibrium", judged=(Judged(profile, verify(profile)),), near=prove_near(profile)
    )
    (line,) = [line for line in str(solution).splitlines() if "not proved" in line]
    assert line.startswith("not proved    that a true equilibrium is near: 'third' at A's 'a' is nearly as good")
    data = solution.to_json()
    assert "radius" not in data
    assert data["run"]["near"] == solution.near.reason
    assert verify_solution(solution).radius is None


def test_the_checker_proves_all_but_the_radius(tmp_path):
    """And says nothing of it."""
    profile = read_sparse(CERTIFICATES / "1v1v1-5.json.gz")
    solution = eb.Solution(
        None,
        "many",
        "near-equilibrium",
        judged=(Judged(profile, verify(profile)),),
        game=profile.game,
        near=prove_near(profile),
    )
    data = json.loads(solution.write(tmp_path / "s.json").read_text())
    assert data["radius"] == PROVED["1v1v1-5"]
    assert checker.prove(data).startswith("nobody gains more than ")
    assert eb.verify(tmp_path / "s.json").radius == Fraction(PROVED["1v1v1-5"])
