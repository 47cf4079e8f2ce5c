"""A level that is drawn: the opponents' chances by the text's two integrals, by simulated races, by differences."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm, uniform

import randomised
import robust_levels
from efg_builder.players import zero_intelligence as zi

VARIANCES = st.floats(0.3, 20)
HANDS = st.floats(-4, 4)
DRAWS = st.one_of(
    st.tuples(st.just("normal"), st.floats(-0.5, 1.5), st.floats(0.1, 1.5)),
    st.tuples(st.just("uniform"), st.floats(-0.5, 1.0), st.floats(0.1, 2.0)),
)


def made(draw):
    """The level as the package draws it, and as scipy does."""
    kind, where, width = draw
    if kind == "normal":
        return randomised.normal_level(where, width), norm(where, width)
    return randomised.uniform_level(where, where + width), uniform(where, width)


@settings(max_examples=60)
@given(HANDS, st.floats(-4, 6), DRAWS, VARIANCES)
def test_a_call_wins_as_the_text_s_integrals_say(y, call, draw, variance):
    """The text's form, with (K - x)/sigma as the inner bound of the second integral."""
    ours, theirs = made(draw)
    sigma = sqrt(variance)
    low, high = ours.low, ours.high
    cut = min(max(y / sigma, low), high)
    first = quad(lambda at: theirs.pdf(at) * norm.cdf(call - at * sigma), low, cut, limit=200)[0]
    edges = [x for x in (call - low * sigma, call - high * sigma) if -9 < x < call - y]
    second = (
        quad(lambda x: norm.pdf(x) * theirs.sf((call - x) / sigma), -9, call - y, points=edges or None, limit=200)[0]
        if call - y > -9
        else 0.0
    )
    assert randomised.others_win(call, y, ours, variance) == pytest.approx(first + second, abs=2e-7)
    assert randomised.others_win(inf, y, ours, variance) == pytest.approx(theirs.cdf(y / sigma), abs=1e-12)


def test_the_bound_as_printed_is_wrong():
    """(K - lambda)/sigma as the inner bound counts levels against a bound that moves with them: K/(1 + sigma)."""
    level, theirs = made(("normal", 0.6, 0.3))
    y, call, sigma = 0.2, 0.8, sqrt(3)
    first = quad(lambda at: theirs.pdf(at) * norm.cdf(call - at * sigma), -9, y / sigma)[0]
    printed = first + norm.cdf(call - y) * theirs.sf(call / (1 + sigma))
    won = randomised.others_win(call, y, level, 3)
    assert abs(won - simulated(call, y, theirs, 3)[0]) < 4 * simulated(call, y, theirs, 3)[1]
    assert abs(printed - won) > 0.1


def simulated(call, y, theirs, variance, plays=200_000, seed=7):
    """How often the others win the race, and the standard error."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=plays)
    a_calls = x + theirs.rvs(size=plays, random_state=rng) * sqrt(variance)
    number = np.minimum(a_calls, call)
    won = (number > x + y) == (call < a_calls)
    return float(np.mean(won)), max(float(np.std(won)) / sqrt(plays), 1e-6)


@settings(max_examples=40)
@given(HANDS, DRAWS, VARIANCES)
def test_no_call_wins_more_often_than_the_best(y, draw, variance):
    ours, _ = made(draw)
    call, won = randomised.best_call(y, ours, variance)
    assert won == randomised.others_win(call, y, ours, variance)
    others = (*np.linspace(-12, 25, 149), inf, call - 1e-3, call + 1e-3)
    assert max(randomised.others_win(float(other), y, ours, variance) for other in others) <= won + 1e-9
    # Where the best call wins practically always the slope vanishes for want of digits, and elsewhere by being best.
    assert call == inf or abs(randomised.slope(call, y, ours, variance)) < 1e-5


@pytest.mark.parametrize("variance", [1.0, 3.0])
def test_a_level_that_hardly_varies_is_the_fixed_one(variance):
    fixed = 0.5
    drawn = randomised.uniform_level(fixed - 5e-5, fixed + 5e-5)
    assert randomised.worst_case(drawn, variance) == pytest.approx(robust_levels.worst_case(fixed, variance), abs=1e-4)
    for y in (-1.0, 0.0, 0.3):
        call, won = randomised.best_call(y, drawn, variance)
        assert call == pytest.approx((y + fixed * robust_levels.spread_of(variance)) / 2, abs=1e-3)  # y is below
        assert won == pytest.approx(2 * norm.cdf((fixed * sqrt(variance) - y) / 2) - 1, abs=1e-4)  # |X| less than that
    assert randomised.best_call(fixed * sqrt(variance) + 0.1, drawn, variance) == (inf, 1.0)


def test_the_worst_case_of_a_drawn_level_by_simulation():
    """Hands are drawn, the others look up their best call between hands a fiftieth apart, and the race is run."""
    rng, plays, variance = np.random.default_rng(3), 200_000, 3.0
    ours, theirs = made(("normal", 0.63, 0.3))
    x, y = rng.normal(size=plays), rng.normal(scale=sqrt(variance), size=plays)
    a_calls = x + theirs.rvs(size=plays, random_state=rng) * sqrt(variance)
    hands = np.linspace(-8, 8, 801)
    calls = np.array([randomised.best_call(float(hand), ours, variance)[0] for hand in hands])
    theirs_at = calls[np.clip(np.rint((y + 8) * 50).astype(int), 0, 800)]
    won = (np.minimum(a_calls, theirs_at) > x + y) == (a_calls < theirs_at)
    error = float(np.std(won)) / sqrt(plays)
    found = randomised.worst_case(ours, variance)
    assert abs(float(np.mean(won)) - found) < 4 * error
    # And it is worth it: more than any fixed level has.
    assert found > robust_levels.worst_case(zi.robust_level(variance), variance) + 0.005
