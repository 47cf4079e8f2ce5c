"""The exact linear systems under the linear program: large numbers, wrong guesses, and when to give up."""

from fractions import Fraction
from math import lcm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_files import cells_in_integers, finish

import efg_builder as eb
from efg_builder.solvers.lp import exact
from efg_builder.solvers.lp.exact import ExactSystem, IntegerMatrix, NotExactError
from efg_builder.solvers.lp.highs import Vertex, maximize


@pytest.fixture(autouse=True, scope="module")
def in_floats():
    """Without the solver of small games."""
    with cells_in_integers(0):
        yield


def sparse(rows):
    places = [(i, j, entry) for i, row in enumerate(rows) for j, entry in enumerate(row) if entry or i == j == 0]
    i, j, entries = zip(*places, strict=True)
    return IntegerMatrix(np.array(i), np.array(j), np.array(entries, dtype=object), len(rows))


def times(rows, vector):
    return [sum(a * z for a, z in zip(row, vector, strict=True)) for row in rows]


def bits(solution):
    return lcm(*(z.denominator for z in solution)).bit_length()


def unit(n):
    return np.array([1] + [0] * (n - 1))


def solved(rows, right=None, *, transposed=False):
    """The solution, after it was put into the equations in plain Python."""
    right = unit(len(rows)) if right is None else np.array(right)
    solution = finish(ExactSystem(sparse(rows)).solve(right, transposed=transposed))
    equations = list(zip(*rows, strict=True)) if transposed else rows
    assert all(isinstance(z, Fraction) for z in solution)
    assert times(equations, solution) == right.tolist()
    return solution


def random_rows(n, largest, seed):
    rng = np.random.default_rng(seed)
    return [[int(a) for a in row] for row in rng.integers(-largest, largest, (n, n))]


def hilbert(n):
    """The Hilbert matrix times a number that makes it whole."""
    whole = lcm(*range(1, 2 * n))
    return [[whole // (i + j + 1) for j in range(n)] for i in range(n)]


@pytest.mark.parametrize("exponent", [61, 89, 127, 521, 607])
def test_a_first_guess_that_is_wrong_is_not_taken(exponent):
    # Of 1/p, with p prime, the first hundred bits look like 0.
    p = 2**exponent - 1
    assert solved([[p]]) == [Fraction(1, p)]
    assert solved([[p, 0], [1, 1]], [1, 1]) == [Fraction(1, p), 1 - Fraction(1, p)]


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(("n", "largest", "least"), [(20, 10**5, 300), (40, 10**6, 800), (60, 10**6, 1200)])
def test_solutions_of_many_bits(n, largest, least, transposed):
    assert bits(solved(random_rows(n, largest, n), transposed=transposed)) > least


def test_solutions_of_too_many_bits_are_given_up():
    rows = [[(2**1000 + 7**i * 3**j) * (1 if i <= j else -1) for j in range(5)] for i in range(5)]
    with pytest.raises(NotExactError, match="no rational solution within"):
        finish(ExactSystem(sparse(rows)).solve(unit(5)))


def test_what_does_not_converge_is_said_at_once():
    # Ill-conditioned, but well enough.
    assert solved(hilbert(8))[0].denominator > 1
    for n in (12, 14, 20):
        with pytest.raises(NotExactError, match="the refinement does not converge"):
            finish(ExactSystem(sparse(hilbert(n))).solve(unit(n)))


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("exponent", [31, 40, 62, 63, 64, 70, 300, 900])
def test_coefficients_of_any_size(exponent, transposed):
    large = 2**exponent
    solved([[large + 1, 3, 0], [5, large - 7, 2], [1, 0, -large]], [1, 0, 1], transposed=transposed)
    # As in the linear program: a few payoffs among many ones.
    solved([[1, -1, 0, 0], [3 * large + 1, 0, -1, 0], [0, large - 3, -1, 1], [0, 1, 0, 1]], transposed=transposed)
    solved([[large * a + 1 for a in row] for row in random_rows(8, 99, exponent)], transposed=transposed)


def test_coefficients_too_large_for_floats_are_refused():
    with pytest.raises(NotExactError, match="too large for floats"):
        ExactSystem(sparse([[2**1024]]))
    # Each one fits, but not their sum, and what is left over has the sum's size.
    huge = int(1.7e308)
    rows = [[huge * (1 if i <= j else -1) - (i == j) * i * 10**300 for j in range(10)] for i in range(10)]
    for transposed in (False, True):
        with pytest.raises(NotExactError, match="too large for floats"):
            finish(ExactSystem(sparse(rows)).solve(unit(10), transposed=transposed))


@settings(max_examples=20)
@given(st.integers(1, 12), st.integers(0, 10**6))
def test_exact_systems_are_solved_exactly(n, seed):
    """Both ways round, one after the other on one system."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-9, 10, (n, n)) * (rng.random((n, n)) < 0.6)
    rows, right = matrix.tolist(), rng.integers(-5, 6, n)
    try:
        system = ExactSystem(sparse(rows))
        found = [finish(system.solve(right, transposed=transposed)) for transposed in (True, False, True)]
    except NotExactError:
        assert abs(np.linalg.det(matrix)) < 0.5, "only a singular matrix may be refused"
        return
    assert found[0] == found[2]
    assert times(matrix.T.tolist(), found[0]) == times(rows, found[1]) == right.tolist()


@pytest.mark.parametrize("large", [1, 2**30, 2**70])
@pytest.mark.parametrize("transposed", [False, True])
def test_entries_at_one_place_add_up(large, transposed):
    rows, columns = np.array([0, 0, 1, 0, 1, 1, 0]), np.array([0, 1, 1, 0, 1, 0, 1])
    entries = np.array([2 * large, 1, 5, 3 * large, -2 * large, 4, 6], dtype=object)
    system = ExactSystem(IntegerMatrix(rows, columns, entries, 2))
    added = [[5 * large, 7], [4, 5 - 2 * large]]
    solution = finish(system.solve(np.array([1, 2]), transposed=transposed))
    assert times(list(zip(*added, strict=True)) if transposed else added, solution) == [1, 2]


@pytest.mark.parametrize("exponent", [0, 20, 21, 22, 23, 24, 30, 62, 63, 64, 200])
def test_products_are_exact_on_both_sides_of_64_bits(exponent):
    rows = [[2**40 - 1, -(2**40), 2**39], [1, 2, 3], [-(2**40), 0, 2**40]]
    for vector in ([2**exponent] * 3, [-(2**exponent), 2**exponent - 1, 1], [0, 0, -(2**exponent)], [0, 0, 0]):
        product = sparse(rows).times(np.array(vector, dtype=object))
        assert product.tolist() == times(rows, vector)
        assert all(type(number) is int for number in product)


# --- what the linear program makes of them ------------------------------------------------------------------


def test_from_a_wrong_basis_on_the_right_one_is_found(monkeypatch):
    """HiGHS' optimal basis with one column or row exchanged: refining it leads back, whatever was wrong with it."""
    tree, swaps = eb.build(eb.game("dice-poker", sides=2)), []
    wanted, outcomes = eb.solve(tree, "lp").value, []

    def exchanged(program, start=None):
        vertex = yield from maximize(program, start)
        if start is not None:
            return vertex
        basic = np.concatenate([vertex.basic_columns, vertex.basic_rows])
        if not swaps:
            swaps.extend((i, j) for i in np.flatnonzero(basic) for j in np.flatnonzero(~basic))
        i, j = swaps.pop()
        basic[i], basic[j] = False, True
        columns, rows = np.split(basic, [len(vertex.basic_columns)])
        return Vertex(vertex.values, vertex.duals, columns, rows)

    monkeypatch.setattr(exact, "maximize", exchanged)
    while True:
        solution = eb.solve(tree, "lp")
        assert solution.exact == (solution.regret == 0 and solution.lower == solution.upper)
        if not solution.message:
            assert solution.exact, "what is not refused is exact"
            assert solution.value == wanted
        outcomes.append(solution.message)
        if not swaps:
            break
    assert outcomes.count("") > 20
    # What is refused has no inverse, or none to speak of.
    assert all("singular" in message or "converge" in message for message in outcomes if message)


def test_without_room_for_blas_there_is_an_error(monkeypatch):
    """OpenBLAS asks again for ever where the system gives it no buffer."""
    monkeypatch.setattr(exact, "BLAS_BUFFER", 1 << 62)
    with pytest.raises(MemoryError):
        eb.solve(eb.game("liars-dice", sides=2), "lp")
