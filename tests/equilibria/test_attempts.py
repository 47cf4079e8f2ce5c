"""``auto`` on games that the linear program does not take: who is tried, for how long, and whose word counts."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.equilibria import solve as solving
from efg_builder.solvers import registry as solvers
from efg_builder.solvers.protocol import Found, Request, Solver, Solves
from efg_builder.solvers.registry import AUTO_ORDER

COORDINATION = eb.parse_efg(
    'EFG 2 R "Coordination" { "A" "B" "C" }\n'
    'p "" 1 1 "a" { "l" "r" } 0\n'
    'p "" 2 1 "b" { "x" "y" } 0\nt "" 1 "" { 2, 1, 0 }\nt "" 2 "" { 0, 0, 0 }\n'
    'p "" 2 1 "b" { "x" "y" } 0\nt "" 2\nt "" 3 "" { 1, 2, 0 }\n'
)
"""Three players, the third without a move; l with x and r with y are equilibria."""

HALVES = eb.TreeProfile.uniform(COORDINATION)
"""No equilibrium: each gains 1/4 by one of the pure strategies (1 instead of 3/4)."""


def pure(*choices: int) -> eb.TreeProfile:
    rows = {k: tuple(Fraction(a == choices[k]) for a in range(2)) for k in COORDINATION.personal}
    return eb.TreeProfile.from_personal(COORDINATION, rows)


def fake(name: str, found: Found, asked: list[float | None] | None = None, takes: float = 0.0) -> Solver:
    def run(tree, request):
        if asked is not None:
            asked.append(request.timeout)
        time.sleep(takes)
        return found

    return Solver(name, "a fake", "nowhere", Solves(recall=None), run)


def auto(monkeypatch, *fakes: Solver, timeout: float | None = None, **settings) -> eb.Solution:
    monkeypatch.setattr(solving, "applicable", lambda tree: fakes)
    return eb.solve(COORDINATION, timeout=timeout, **settings)


def test_the_first_verified_equilibrium_wins(monkeypatch) -> None:
    liar = fake("gambit-liar", Found((HALVES,)))
    silent = fake("gambit-silent", Found((), "failed", "Gambit found no equilibrium"))
    right, never = fake("gambit-right", Found((HALVES, pure(0, 0)))), fake("gambit-never", Found((pure(1, 1),)))
    solution = auto(monkeypatch, liar, silent, right, never)
    assert (solution.method, solution.status, solution.regret) == ("gambit-right", "equilibrium", 0)
    assert solution.profile.probabilities == pure(0, 0).probabilities
    assert solution.message == (
        "auto took gambit-right: 3 players, no constant sum, perfect recall; before it, "
        "gambit-liar: a player gains 0.25 by deviating; gambit-silent: Gambit found no equilibrium"
    )
    tried = solution.to_json()["run"]["tried"]
    assert [(each["method"], each["status"], each["regret"]) for each in tried] == [
        ("gambit-liar", "not-an-equilibrium", "1/4"),
        ("gambit-silent", "no-result", None),
        ("gambit-right", "equilibrium", "0"),
    ]


LATE = Found((), "timeout", "stopped at the time limit")
ENDED = Found((), "failed", "Gambit found no equilibrium: excessive error")


@pytest.mark.parametrize(
    ("found", "told", "message"),
    [
        (  # the best profile, for what it is
            {"gambit-worse": Found((pure(0, 1),)), "gambit-better": Found((HALVES,))},
            ("gambit-better", "not-an-equilibrium", Fraction(1, 4)),
            "gambit-worse: a player gains 1 by deviating; gambit-better: a player gains 0.25 by deviating",
        ),
        (
            {"gambit-a": LATE, "gambit-b": ENDED, "gambit-c": LATE},
            ("gambit-a", "timeout", None),
            "gambit-a, gambit-c were stopped at auto's limit of 60 s; --timeout SECONDS (timeout=) allows more time; "
            "gambit-b: Gambit found no equilibrium: excessive error",
        ),
    ],
)
def test_what_comes_out_without_an_equilibrium(monkeypatch, found, told, message) -> None:
    solution = auto(monkeypatch, *(fake(*each) for each in found.items()))
    regret = solution.regret if solution.verdict else None
    assert (solution.method, solution.status, regret, solution.message) == (*told, message)


def test_an_exact_near_miss_does_not_hide_a_later_equilibrium(monkeypatch) -> None:
    near = {0: (1 - Fraction(1, 10**9), Fraction(1, 10**9)), 1: (Fraction(1), Fraction(0))}
    floats = {0: (1 - 1e-8, 1e-8), 1: (1.0, 0.0)}
    one, two = (Found((eb.TreeProfile.from_personal(COORDINATION, rows),)) for rows in (near, floats))
    solution = auto(monkeypatch, fake("gambit-near", one), fake("gambit-floats", two))
    assert 0 < solution.details["tried"][1]["regret"] < 1e-6
    assert (solution.method, solution.status) == ("gambit-floats", "equilibrium")


def test_what_was_found_before_the_limit_counts(monkeypatch) -> None:
    stopped = Found((pure(1, 1),), "timeout", "stopped at the time limit")
    solution = auto(monkeypatch, fake("gambit-slow", stopped), fake("gambit-never", Found(())))
    assert (solution.method, solution.status, solution.regret) == ("gambit-slow", "equilibrium", 0)


def test_the_first_has_half_the_time_and_what_is_not_used_goes_on(monkeypatch) -> None:
    asked: list[float | None] = []
    nothing = Found((), "failed", "nothing")
    four = [fake(f"gambit-{k}", nothing, asked) for k in range(4)]
    auto(monkeypatch, *four, timeout=90.0)
    assert asked == pytest.approx([45, 30, 45, 90], abs=0.5)
    asked.clear()
    auto(monkeypatch, *four, timeout=1.5)  # too short to share: each has a second while there is as much
    assert asked == pytest.approx([1, 1, 1, 1.5], abs=0.25)
    asked.clear()
    auto(monkeypatch, *four)
    assert asked[0] == pytest.approx(solving.AUTO_TIMEOUT / 2, abs=0.5)


def test_nobody_begins_after_the_limit(monkeypatch) -> None:
    asked: list[float | None] = []
    late = Found((), "timeout", "stopped at the time limit")
    fakes = [fake("gambit-late", late, asked, takes=0.06), fake("gambit-never", Found((pure(0, 0),)), asked)]
    solution = auto(monkeypatch, *fakes, timeout=0.05)
    assert asked == pytest.approx([0.05], abs=0.001)
    assert (solution.method, solution.status) == ("gambit-late", "timeout")
    assert solution.message == (
        "gambit-late was stopped at the time limit; --timeout SECONDS (timeout=) allows more time"
    )


def test_the_order_names_methods_and_ends_with_what_takes_the_most_games() -> None:
    assert set(AUTO_ORDER) <= set(eb.methods())
    assert len(set(AUTO_ORDER)) == len(AUTO_ORDER)
    three = tuple(solvers.applicable(COORDINATION))
    assert [each.name for each in three][:3] == ["pure", "many", "gambit-logit"]
    two = eb.build(eb.game("dice-poker", sides=2))
    assert solvers.choose(two).name == "lp"


def test_auto_says_why_in_its_json() -> None:
    poker = eb.solve(eb.build(eb.game("dice-poker", sides=2)))
    assert (poker.message, poker.details["auto"]) == (
        "",
        "quasi-perfect: a small game, 2 players, constant sum, perfect recall",
    )
    three = eb.solve(COORDINATION, timeout=60)
    assert (three.status, three.details["tried"][-1]["status"]) == ("equilibrium", "equilibrium")
    assert three.details["auto"].startswith("pure: ")


def test_a_gap_is_told_to_be_none_of_gambits_business(monkeypatch) -> None:
    right = fake("gambit-right", Found((pure(0, 0),)))
    assert "gambit-right does not stop at a gap" in auto(monkeypatch, right, gap=Fraction(1, 10)).message


def test_an_attempt_alone_keeps_its_status(monkeypatch) -> None:
    # Asked for by name, a routine that was stopped has been stopped, whatever it had found.
    slow = fake("gambit-slow", Found((pure(1, 1),), "timeout", "stopped"))
    one = solving.attempt(COORDINATION, slow, Request(), None)
    assert (one.status, one.regret) == ("timeout", 0)
    nothing = replace(one, judged=())
    for name in ("value", "strategy", "regret"):
        with pytest.raises(eb.NotSolvedError) as refused:
            getattr(nothing, name)
        assert (
            str(refused.value)
            == f"this solution of 'Coordination' has no {name}; {one.method} ended with status 'timeout': stopped; "
            "a longer timeout= may find one"
        )
        assert refused.value.timed_out
    assert nothing.profile is nothing.sparse is nothing.verdict is None
    assert repr(nothing).endswith("timeout>")
