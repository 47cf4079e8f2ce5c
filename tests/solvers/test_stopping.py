"""Ends before the end, on trees: a gap that is enough, and Ctrl-C wherever it comes."""

from fractions import Fraction as F

import pytest
from small_files import B_FORGETS, BATTLE, DRIVER, ENTRY

import efg_builder as eb
from efg_builder.solvers import driver, extreme, forgetful
from efg_builder.solvers.driver import Driver, Iterate
from efg_builder.solvers.protocol import Request, Solves, TimeLimit, countdown
from efg_builder.solvers.registry import methods
from efg_builder.solvers.regret.part import BiddingRegrets

HARD = eb.build(eb.game("liars-dice", sides=4, wild="highest"))
SMALL = eb.game("liars-dice", dice="2,1")


# --- the time limit


@pytest.mark.parametrize(
    ("module", "text", "phases"),
    [
        # All vertices of both sides; then all pairs of them.
        (
            extreme,
            BATTLE,
            {
                f"incomplete: {n} found; the time limit ended the search"
                for n in ("1 extreme equilibrium", "2 extreme equilibria")
            },
        ),
        # What moves are worth, by nodes; then combinations of moves.
        (forgetful, B_FORGETS, {"the time limit stopped the enumeration of strategies"}),
        (forgetful, DRIVER, {"the time limit stopped the enumeration of strategies"}),
    ],
    ids=["extreme", "forgetful", "met again"],
)
def test_the_clock_is_looked_at_in_all_phases(module, text, phases, monkeypatch):
    """However many looks find time left, the next one ends it."""
    tree, looks, seen = eb.parse_efg(text), [], set()

    def run(most):
        looks.clear()
        clock = lambda: looks.append(0) or float(len(looks) <= most)  # noqa: E731
        monkeypatch.setattr(driver, "countdown", lambda limit: clock if limit is None else countdown(limit))
        return module.run(tree, Request())

    assert run(10**9).ended == "done"
    for most in range(len(looks)):
        found = run(most)
        assert (found.ended, len(looks)) == ("timeout", most + 1)
        seen |= {phase for phase in phases if found.message.startswith(phase)}
    assert seen == phases
    assert len(looks) >= len(tree)


def test_a_result_at_the_time_limit_is_a_result():
    """The clock is not looked at after the last step, but after any other."""

    def algorithm(last):
        yield Iterate("almost", last=last)
        return "found"

    for last, ended in ((True, "done"), (False, "timeout")):
        late = Driver(Request(timeout=1e-9))
        assert (late.run(algorithm(last)), late.ended) == ("found" if last else None, ended)


def test_a_method_may_ask_for_any_number_of_players():
    two = eb.build("kuhn")
    assert Solves(players=3).inapplicable(two) == "the game has 2 players, not 3"
    assert Solves(least_players=3).inapplicable(two) == "the game has 2 players, not 3 or more"


BIDDING = {
    "oracle": (eb.game("liars-dice", sides=4, dice="2,1", wild="highest"), 0.15, F(33, 152)),
    "cfr": (eb.game("liars-dice", sides=4), 0.01, F(-1, 8)),
    "many": (eb.game("liars-dice", dice="1,1,1", sides=6), 1, None),
}
"""Game, seconds that are not enough, and player 1's value: by ``lp`` (1v1) and its certificate (2v1)."""


@pytest.mark.parametrize("ended", ["timeout", "interrupted"])
@pytest.mark.parametrize("method", BIDDING)
def test_whatever_ends_a_search_the_best_so_far_is_proved(method, ended):
    game, seconds, value = BIDDING[method]
    searching = iter(range(5))

    def progress(line):
        if ended == "interrupted" and line.startswith(("round", "iteration")) and next(searching, None) is None:
            raise KeyboardInterrupt

    solution = eb.solve(game, method, timeout=seconds if ended == "timeout" else None, gap=0, progress=progress)
    assert (solution.status, solution.method) == (ended, method)
    assert solution.verify().regret == solution.regret > 0
    if value is not None:
        assert -1 <= solution.lower <= value <= solution.upper <= 1
        assert solution.lower < solution.upper


def test_ctrl_c_before_the_first_candidate_gives_the_average_so_far(monkeypatch):
    iterate = BiddingRegrets.iterate

    def once(engine):
        iterate(engine)
        raise KeyboardInterrupt

    monkeypatch.setattr(BiddingRegrets, "iterate", once)
    found = eb.solve(eb.game("liars-dice", dice="1,1,1"), "many")
    assert (found.status, found.verify().regret) == ("interrupted", found.regret)


@pytest.mark.parametrize(
    ("method", "seconds", "says"),
    [
        ("lp", 1e-9, "HiGHS reached no optimum within the time limit"),
        ("lcp", 1e-6, "the time limit stopped Lemke's method before the end of the path"),
        ("backward", 1e-9, "the time limit stopped the induction before it reached the root"),
    ],
)
def test_methods_without_anything_so_far_say_so(method, seconds, says):
    solution = eb.solve(eb.parse_efg(ENTRY) if method == "backward" else HARD, method, timeout=seconds)
    assert (solution.status, solution.message, solution.profile) == ("timeout", says, None)


# --- the gap


SLOW = pytest.mark.slow


def test_methods_that_do_not_stop_at_a_gap_say_so(in_process):
    for method in ("lp", "gambit-lp", "auto"):
        solution = eb.solve(eb.game("dice-poker", sides=2), method, gap=F(1, 10), refine=False)
        assert solution.status == "equilibrium"
        name = "lp" if method == "auto" else method
        assert solution.message.endswith(f"{name} does not stop at a gap (--gap); cfr, gambit-oracle, many, oracle do")
        assert "gap" not in eb.solve(eb.game("dice-poker", sides=2), method).message
    solution = eb.solve(HARD, "lp", gap=F(1, 10), timeout=1e-9)
    assert (solution.status, "; lp does not stop at a gap" in solution.message) == ("timeout", True)


def test_the_methods_that_stop_at_a_gap_are_those_that_are_named(in_process):
    """The others with a bracket come to the same answer, whatever gap is asked for."""
    for name, solver in methods().items():
        applies = solver.needs_tree(SMALL) is None or solver.inapplicable(eb.build(SMALL)) is None
        if solver.solves.exact or not applies:
            assert not solver.stops_at_gap
            continue
        found = eb.solve(SMALL, name, gap=1)
        assert (found.status == "bracket") == solver.stops_at_gap, name


# --- Ctrl-C


def _interrupt(*_, **__):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "words",
    [["dice-poker", "--method", "lp"], ["liars-dice", "--method", "oracle"]],
)
def test_an_interrupt_while_the_answer_is_verified_claims_nothing(cli, tmp_path, monkeypatch, words):
    path = tmp_path / "s.json"
    monkeypatch.setattr("efg_builder.equilibria.solution.verify", _interrupt)
    for more in (["-o", path], ["--json"]):
        code, out, err = cli("solve", *words, *more)
        assert (code, out, err.strip()) == (130, "", "interrupted")
    assert not path.exists()


def squares(until):
    """An algorithm: the squares of whole numbers, and all squares so far as its result."""
    found = []
    try:
        for number in range(until):
            yield Iterate(f"{number}", lambda path: path.write_text(f"{found}"))
            found.append(number**2)
    except TimeLimit:
        return ["late", *found]
    return found


def test_a_driver_runs_an_algorithm_to_its_end(tmp_path):
    lines = []
    driver = Driver(Request(progress=lines.append, checkpoint=tmp_path / "state"))
    assert driver.run(squares(3)) == [0, 1, 4]
    assert (driver.ended, driver.message, lines) == ("done", "", ["0", "1", "2"])
    assert (tmp_path / "state").read_text() == "[]"


def test_a_driver_raises_the_time_limit_in_the_algorithm():
    assert Driver(Request(timeout=-1)).run(squares(3)) == ["late"]


def test_a_driver_stops_an_algorithm_at_the_time_limit_and_at_ctrl_c():
    def interrupt(line):
        if line == "1":
            raise KeyboardInterrupt

    def endless():
        while True:
            yield Iterate("1")

    late, stopped = Driver(Request(timeout=-1)), Driver(Request(progress=interrupt))
    assert late.run(endless()) is None
    assert stopped.run(endless()) is None
    assert (late.ended, late.message) == ("timeout", "the time limit came first")
    assert (stopped.ended, stopped.message) == ("interrupted", "stopped before the end")
