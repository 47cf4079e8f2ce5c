"""Regret minimization over the whole game: held against plain recursion, trees, exact values and its own verdict."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.solvers.regret import cfr
from efg_builder.solvers.regret.cfr import memory
from efg_builder.solvers.regret.engine import RULES
from efg_builder.solvers.regret.part import BiddingRegrets


def test_the_rules_are_those_of_their_papers():
    """One step by hand from regrets (3, -2) and gains (-4, 1) in iteration 5, as each paper defines it."""
    cases = {
        # R+ = max(R + r, 0); what it holds is never negative, so start from (3, 0).
        "cfr+": ((3.0, 0.0), (0.0, 1.0), (0.0, 1.0)),
        # Regrets of iterations up to 4 times 4^1.5 / (4^1.5 + 1) = 8/9 where positive, 1/2 where negative.
        "dcfr": ((3.0, -2.0), (0.0, 0.0), (24 / 9 - 4, 0.0)),
        # By 4^2 / (4^2 + 1) = 16/17 where positive, 0 where negative.
        "dcfr2": ((3.0, -2.0), (0.0, 1.0), (48 / 17 - 4, 1.0)),
        # R+ as in CFR+; played is [R+ + r]+.
        "pcfr+": ((3.0, 0.0), (0.0, 2.0), (0.0, 1.0)),
    }
    assert set(cases) == set(RULES)
    for name, (start, matched, held) in cases.items():
        regrets, instant = np.array(start), np.array([-4.0, 1.0])
        assert RULES[name].match(regrets, instant, 5) == pytest.approx(matched)
        assert regrets == pytest.approx(held)


@settings(max_examples=12)
@given(
    sides=st.integers(2, 3),
    dice=st.sampled_from([(1, 1), (2, 1), (1, 2)]),
    wild=st.sampled_from(["none", "1", "highest"]),
    order=st.sampled_from(["quantity-face", "face-quantity"]),
    rule=st.sampled_from(list(RULES)),
    rounds=st.integers(1, 30),
)
def test_nash_conv_is_what_the_judge_says(sides, dice, wild, order, rule, rounds):
    """At any time: the width of the bracket by exact best responses against the strategies written down."""
    if wild == "highest" and sides == 3 and sum(dice) > 2:
        sides = 2
    game = eb.game("liars-dice", sides=sides, dice=dice, wild=wild, order=order)
    solution = eb.solve(game, "cfr", options={"rule": rule, "iterations": rounds})
    assert solution.details["iterations"] <= rounds
    assert float(solution.upper - solution.lower) == pytest.approx(solution.details["nash_conv"], abs=2e-6)
    exact = eb.solve(game, "oracle").value[0]
    assert solution.lower <= exact <= solution.upper


@pytest.mark.parametrize("game", [("liars-dice", "sides=3"), ("dice-poker", "sides=2")])
def test_exit_codes_go_by_what_was_said_to_be_enough(cli, game):
    words = ("solve", *game, "--method", "cfr")
    told = "cfr stops at this gap by default (--gap, gap=)"
    code, out, _ = cli(*words)
    assert code == 3
    assert "status        bracket\n" in out
    assert told in out
    code, out, _ = cli(*words, "--gap", "1/1000")
    assert code == 0
    assert "status        bracket\n" in out
    assert told not in out
    code, out, _ = cli(*words, "--tolerance", "1e-6")
    assert code == 0
    assert "status        equilibrium\n" in out
    assert "(from cfr without --gap and --tolerance)" in " ".join(cli("solve", "--help")[1].split())


def test_memory_is_told_beforehand_and_too_much_is_refused(monkeypatch):
    game = eb.game("liars-dice", sides=4)
    engine = BiddingRegrets(BiddingForm(game), RULES["dcfr"])
    tables = [*engine.regrets.tables, *engine.strategy.tables, *engine.totals.tables]
    kept = sum(table.nbytes for table in (*tables, *engine.plans[0], *engine.plans[1]))
    assert kept <= memory(len(game.bid_names), game.hand_counts) <= 3 * kept
    lines = []
    eb.solve(game, "cfr", progress=lines.append, options={"iterations": 1})
    assert "MiB" in lines[0]
    monkeypatch.setattr(cfr, "memory_here", lambda: 1000)
    assert "GiB" in cfr.needs_tree(game)


def test_only_what_own_play_comes_to_is_written_in_large_games(monkeypatch):
    monkeypatch.setattr(cfr, "SETTINGS", cfr.CfrSettings(most_sets=40))
    solution = eb.solve(eb.game("liars-dice", sides=4), "cfr", options={"iterations": 20})
    assert max(solution.sparse.sizes) <= 40
    assert solution.lower <= Fraction(-1, 8) <= solution.upper
