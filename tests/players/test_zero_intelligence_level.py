"""The level at which to call: indifference, the worst case and the robust level, against the text, closed forms that
are worked out another way, and simulated races."""

from math import atan, erf, exp, inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import owens_t
from scipy.stats import multivariate_normal, norm, uniform

import efg_builder as eb
import randomised
import robust_levels
from efg_builder.players.kinds import zero_intelligence as zi

VARIANCES = st.floats(0.02, 60)
LEVELS = st.floats(-2, 3)


# --- indifference


def test_the_text_s_numbers_and_what_is_wrong_with_one():
    found = zi.indifference()
    assert found == zi.indifference(strength=0, variance=3)
    assert found.y0 == pytest.approx(0.5775, abs=5e-5)  # as printed
    assert found.printed == pytest.approx(0.2818, abs=5e-5)  # as printed, where Y is taken for N(0, 1)
    assert found.printed == pytest.approx(1 - norm.cdf(found.y0), abs=1e-14)
    assert found.call_probability == pytest.approx(0.3864, abs=5e-5)  # 1 - F_Y(y0), Y being N(0, 4)
    assert found.call_probability == pytest.approx(norm.sf(found.y0, scale=2), abs=1e-14)
    assert found.call_z == pytest.approx(0.2887, abs=5e-5) == found.y0 / 2
    assert found.call_probability == pytest.approx(norm.sf(found.call_z), abs=1e-14)


@settings(max_examples=40)
@given(st.floats(-2, 2), st.floats(0.05, 30))
def test_it_solves_the_equation_with_a_bivariate_normal_of_scipy_s(strength, variance):
    found = zi.indifference(strength, variance)
    pair = multivariate_normal([0, 0], [[1, 1], [1, 1 + variance]], abseps=1e-10, releps=1e-10)  # X and X + Z
    joint = pair.cdf([strength, found.y0])
    assert joint + norm.cdf(found.y0, scale=sqrt(variance + 1)) == pytest.approx(1, abs=1e-7)


def test_by_hand_with_one_other_player_it_is_the_root_of_two_less_one():
    # With v = 1, U = (X + Z)/sqrt 2 and V = (X - Z)/sqrt 2 are independent, and X <= 0 is V <= -U:
    # P(U <= h, V <= -U) = integral of Phi(-u) phi(u) over u <= h = 1/2 - (1 - Phi(h))^2 / 2 = 1 - Phi(h) = lambda.
    # So lambda^2 + 2 lambda - 1 = 0.
    assert zi.indifference(variance=1).call_probability == pytest.approx(sqrt(2) - 1, abs=1e-12)


@pytest.mark.parametrize(("strength", "y0"), [(0, 0), (-1.5, 1.5), (0.7, 0.0)])
def test_with_nobody_else_the_bid_is_about_the_next_player_alone(strength, y0):
    # v = 0: P(X <= min(s, y0)) = 1 - Phi(y0), so y0 = -s for s < 0, and 0 else.
    assert zi.indifference(strength, 0).y0 == pytest.approx(y0, abs=1e-12)


# --- the worst case


@pytest.mark.parametrize(("z_level", "variance"), [(0.3, 1), (0.6277, 3), (1.2, 4), (-0.5, 2), (0.1, 40)])
def test_omega_a_by_simulated_races(z_level, variance):
    rng, plays = np.random.default_rng(11), 400_000
    x, y = rng.normal(size=plays), rng.normal(scale=sqrt(variance), size=plays)
    a_calls = x + z_level * sqrt(variance)
    others = np.where(y > z_level * sqrt(variance), inf, (y + z_level * sqrt(variance)) / 2)
    won = (np.minimum(a_calls, others) > x + y) == (a_calls < others)
    error = np.std(won) / sqrt(plays)
    assert abs(np.mean(won) - robust_levels.worst_case(z_level, variance)) < 4 * error


def test_the_others_cannot_do_better_than_their_call():
    """Simulated: other calls, earlier, later or never, win no more often, hand by hand."""
    rng, plays, z_level, variance = np.random.default_rng(23), 100_000, 0.5, 3.0
    x = rng.normal(size=plays)
    a_calls = x + z_level * sqrt(variance)

    def won(call, y):
        return float(np.mean((np.minimum(a_calls, call) > x + y) == (call < a_calls)))

    for y in (-3.0, -1.0, 0.0, 0.5, 0.8, 0.9, 2.0):
        edge = z_level * sqrt(variance)
        best = won(inf if y >= edge else (y + edge) / 2, y)
        for other in (*np.linspace(-4, 4, 33), inf):
            assert won(other, y) <= best + 4 * sqrt(0.5 / plays)


@settings(deadline=None)
@given(LEVELS, VARIANCES)
def test_omega_a_by_owen_s_function(z_level, variance):
    """Phi(level) - 2 P(X > 0, Y + 2X <= level sqrt v), the latter by Owen's T for a correlation of 2/sqrt(v + 4)."""
    h, rho = z_level * sqrt(variance / (variance + 4)), 2 / sqrt(variance + 4)
    # P(X <= 0, W <= h) = Phi(h)/2 + T(h, rho/sqrt(1 - rho^2)), W having that correlation with X.
    below = norm.cdf(h) / 2 + owens_t(h, rho / sqrt(1 - rho * rho))
    expected = norm.cdf(z_level) - 2 * (norm.cdf(h) - below)
    assert robust_levels.worst_case(z_level, variance) == pytest.approx(expected, abs=1e-12)


def test_omega_a_at_level_0_by_hand():
    # P(Y < 0 and |X| > -Y/2): the angle between x = 0 and y = -2x, in units of the deviations, on both sides.
    assert robust_levels.worst_case(0, 1) == pytest.approx(2 * atan(2) / (2 * pi), abs=1e-13)
    assert robust_levels.worst_case(0, 4) == pytest.approx(2 * atan(1) / (2 * pi), abs=1e-13)


@settings(deadline=None)
@given(LEVELS, VARIANCES)
def test_the_slope_by_integral_in_closed_form_and_by_differences(z_level, variance):
    found = robust_levels.slope(z_level, variance)
    behind = exp(-z_level * z_level * variance / (2 * (variance + 4))) / sqrt(2 * pi * (1 + 4 / variance))
    closed = norm.pdf(z_level) - behind * (1 + erf(sqrt(2 / (variance + 4)) * z_level))
    assert found == pytest.approx(closed, abs=1e-12)
    step = 1e-4
    ahead, behind = (robust_levels.worst_case(z_level + sign * step, variance) for sign in (1, -1))
    assert found == pytest.approx((ahead - behind) / (2 * step), abs=1e-7)


# --- the robust level


@settings(max_examples=40)
@given(VARIANCES)
def test_the_robust_level_in_three_ways(variance):
    found = zi.robust_level(variance)
    assert robust_levels.by_derivative(variance) == pytest.approx(found, abs=1e-9)
    assert robust_levels.by_maximum(variance) == pytest.approx(found, abs=1e-7)
    assert 0 < found < zi.highest_robust_level(variance)


@pytest.mark.parametrize("variance", [1, 2, 3, 4, 5, 8, 24])
def test_nothing_does_better_than_the_robust_level(variance):
    found = zi.robust_level(variance)
    best = robust_levels.worst_case(found, variance)
    for other in (*np.linspace(-1, 6, 141), found - 1e-3, found + 1e-3):
        assert robust_levels.worst_case(float(other), variance) <= best
    # The root of the equation as it is printed is another level, and far worse.
    printed = robust_levels.as_printed(variance)
    right = sqrt(1 + 4 / variance) * exp(-2 * printed**2 / (variance + 4))
    assert erf(-2 * printed / (variance + 4)) + 1 == pytest.approx(right, abs=1e-12)
    assert printed > found + 1
    assert robust_levels.worst_case(printed, variance) < best - 0.05


# --- what is refused


@pytest.mark.parametrize("variance", [-1, inf, float("nan")])
def test_variances_that_are_none(variance):
    for function in (zi.indifference, zi.robust_level, robust_levels.by_derivative, robust_levels.by_maximum):
        with pytest.raises(eb.ParameterError, match=r"variance=.*: must be"):
            function(variance=variance)
    with pytest.raises(eb.ParameterError, match="above 0"):
        robust_levels.worst_case(0.3, 0)


# --- a level that is drawn: by the text's two integrals, by simulated races, by differences

VARIANCES_DRAWN = st.floats(0.3, 20)
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
@given(HANDS, st.floats(-4, 6), DRAWS, VARIANCES_DRAWN)
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
@given(HANDS, DRAWS, VARIANCES_DRAWN)
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


@pytest.mark.slow
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
