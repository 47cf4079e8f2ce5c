"""Iterated elimination of dominated strategies: textbook games, and random matrices against a linear program."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import efg_builder as eb
from efg_builder.equilibria.dominance import Dominance

HALF = Fraction(1, 2)


def eliminated(form: eb.GameTree, kind: str) -> Dominance:
    return eb.matrix(form).dominance(kind)


def removed(found: Dominance) -> list[list[tuple[int, int]]]:
    return [[(each.player, each.strategy) for each in each_round] for each_round in found.rounds]


def test_a_strategy_that_only_a_mixture_dominates() -> None:
    # By hand: 1/2 of each other row gets 3/2 in both columns.
    found = eliminated(eb.normal_form([[3, 0], [0, 3], [1, 1]]), "strict")
    assert removed(found) == [[(0, 2)]]
    assert found.rounds[0][0].by == ((0, HALF), (1, HALF))
    # 3/2 in both columns is only as good as 3/2.
    assert removed(eliminated(eb.normal_form([[3, 0], [0, 3], ["3/2", "3/2"]]), "strict")) == []
    assert removed(eliminated(eb.normal_form([[3, 0], [0, 3], ["3/2", "3/2"]]), "weak")) == []
    # The exact comparison sees 10^-30: 3p > 3/2 - 10^-30 and 3(1 - p) > 3/2 for some p just below 1/2.
    tiny = Fraction(1, 10**30)
    assert removed(eliminated(eb.normal_form([[3, 0], [0, 3], [HALF * 3 - tiny, "3/2"]]), "strict")) == [[(0, 2)]]
    assert removed(eliminated(eb.normal_form([[3, 0], [0, 3], [HALF * 3 - tiny, HALF * 3 + tiny]]), "weak")) == []
    # Against the third column, no row is better than another.
    same = eb.normal_form([[3, 0, 0], [0, 3, 0], [1, 1, 0]])
    assert removed(eliminated(same, "strict")) == []
    assert removed(eliminated(same, "weak"))[0][0] == (0, 2)


def test_weak_elimination_removes_all_at_once() -> None:
    # M. J. Osborne and A. Rubinstein, A Course in Game Theory (1994), figure 63.1: T first leaves (2, 1), and B first
    # leaves (1, 1).
    tree = eb.normal_form(
        [[1, 0], [1, 2], [0, 2]], [[1, 0], [1, 1], [0, 1]], actions=(["T", "M", "B"], ["L", "R"]), title="Order"
    )
    found = eliminated(tree, "weak")
    assert removed(found) == [[(0, 0), (0, 2)]]
    assert found.remaining == ((1,), (0, 1))
    assert "both players at once; another order may leave other strategies" in str(found)
    assert removed(eliminated(tree, "strict")) == []


def test_the_prisoners_dilemma_in_text_and_json(cli, tmp_path) -> None:
    (tmp_path / "dilemma.csv").write_text('Ann \\ Bob,c,d\nc,"3, 3","0, 5"\nd,"5, 0","1, 1"\n')
    code, out, _ = cli("matrix", tmp_path / "dilemma.csv", "--dominance", "strict")
    assert code == 0
    lines = out.partition("dominance")[2].splitlines()
    assert lines[0].strip() == "strict, 1 round; strategies left: 1 x 1"
    assert [line.strip() for line in lines[1:]] == [
        "the order does not matter",
        "round 1 removes 2 strategies",
        "Ann  c, dominated by d",
        "Bob  c, dominated by d",
        "left to Ann",
        "2  d",
        "left to Bob",
        "2  d",
    ]
    assert "1 equilibrium: d against d, paying 1, 1" in out
    assert "1 at most against this strategy of Bob: 2  d" in out
    code, out, _ = cli("matrix", tmp_path / "dilemma.csv", "--dominance", "weak", "--json")
    data = json.loads(out)["dominance"]
    ann, bob = data["rounds"][0]
    assert (code, data["kind"], data["remaining"]) == (0, "weak", [["2"], ["2"]])
    assert ann == {"player": "Ann", "code": "1", "by": [{"weight": "1", "code": "2"}]}
    assert bob["player"] == "Bob"
    assert json.loads(cli("matrix", tmp_path / "dilemma.csv", "--json")[1])["dominance"] is None


def test_short_names_of_strategies_and_else_their_codes() -> None:
    payoffs = [[3, 0], [0, 3], [1, 1]]
    named = eliminated(eb.normal_form(payoffs, actions=(["T", "M", "B"], ["L", "R"])), "strict")
    assert "  B, dominated by 1/2 of T + 1/2 of M" in str(named)
    assert "codes" not in str(named)
    long = eliminated(eb.normal_form(payoffs, actions=(["T", "M", "B" * 40], ["L", "R"])), "strict")
    assert "  3, dominated by 1/2 of 1 + 1/2 of 2" in str(long)
    assert "codes as in all lines of 'matrix'" in str(long)
    poker = eliminated(eb.build("dice-poker sides=2"), "weak")
    assert "  'show at 2; otherwise raise', dominated by 'always raise'" in str(poker)
    assert "codes" in str(eliminated(eb.build("kuhn"), "weak"))


def test_strict_elimination_keeps_the_value() -> None:
    form = eb.matrix("kuhn")
    rows, columns = form.dominance("strict").remaining
    kept = [[form.payoff(i, j)[0] for j in columns] for i in rows]
    assert (len(rows), len(columns)) == (20, 44)  # every other strategy is a best response to some mixed strategy
    assert eb.normal_form(kept).solve().value[0] == Fraction(-1, 18)


def test_wrong_arguments_and_time_limits() -> None:
    form = eb.matrix("kuhn")
    with pytest.raises(eb.ParameterError, match="'strict' or 'weak' as kind=, not str 'very'"):
        form.dominance("very")
    with pytest.raises(eb.NotSolvedError, match="within the time limit") as told:
        form.dominance("weak", timeout=1e-9)
    assert told.value.timed_out


def is_dominated(payoffs: np.ndarray, own: int, weak: bool) -> bool:
    """Decide by a linear program in floats, which is exact enough for small integers."""
    others = np.delete(payoffs, own, axis=0)
    rows, columns = others.shape
    gains = (others - payoffs[own]).T
    unit = np.append(np.ones(rows), 0)[None]
    if weak:
        found = linprog(
            np.append(-gains.sum(axis=0), 0), -np.c_[gains, np.zeros(columns)], np.zeros(columns), unit, [1]
        )
    else:
        bounds = [(0, None)] * rows + [(None, None)]
        cost = np.append(np.zeros(rows), -1)
        found = linprog(cost, np.c_[-gains, np.ones(columns)], np.zeros(columns), unit, [1], bounds)
    return found.status == 0 and -found.fun > 1e-7


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(2, 5), st.integers(1, 4), st.sampled_from(["strict", "weak"]))
def test_random_matrices(data: st.DataObject, rows: int, columns: int, kind: str) -> None:
    entries = st.lists(st.integers(-3, 3), min_size=columns, max_size=columns)
    tables = [np.array(data.draw(st.lists(entries, min_size=rows, max_size=rows))) for _ in range(2)]
    found = eb.matrix(eb.normal_form(*tables)).dominance(kind)
    left = [list(range(rows)), list(range(columns))]
    for each_round in [*found.rounds, ()]:
        own = [table[np.ix_(*left)] for table in tables]
        own[1] = own[1].T
        for player in range(2):
            gone = {each.strategy for each in each_round if each.player == player}
            for place, strategy in enumerate(left[player]):
                dominated = len(left[player]) > 1 and is_dominated(own[player], place, kind == "weak")
                assert dominated == (strategy in gone)
        for each in each_round:
            side, places = own[each.player], left[each.player]
            mixed = sum(weight * side[places.index(k)].astype(object) for k, weight in each.by)
            gain = mixed - side[places.index(each.strategy)]
            assert sum(weight for _, weight in each.by) == 1
            assert all(gain > 0) if kind == "strict" else all(gain >= 0) and any(gain > 0)
        left = [[k for k in left[p] if (p, k) not in {(e.player, e.strategy) for e in each_round}] for p in range(2)]
    assert found.remaining == tuple(map(tuple, left))
