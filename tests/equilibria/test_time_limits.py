"""Time limits outside the search. No test depends on the speed of the machine."""

from __future__ import annotations

from fractions import Fraction

import pytest
from small_files import BATTLE, DRIVER

import efg_builder as eb
from efg_builder.equilibria import solve as solving
from efg_builder.forms import extensive
from efg_builder.proof import walk
from efg_builder.solvers import driver
from efg_builder.solvers.protocol import TimeLimit

MOVES = 5


class Long(eb.Game):
    """A player moves five times: 63 nodes."""

    players = "A", "B"

    def root(self):
        return ""

    def turn(self, state):
        if len(state) == MOVES:
            return eb.End((1, -1))
        return eb.Decision(0, f"at {state}", (("l", f"{state}l"), ("r", f"{state}r")))


class ManyMoves(eb.DealtGame):
    """Player 1 gets one of four cards, and moves five times: 4 x 63 nodes."""

    players = "A", "B"
    cards = 4
    hands = tuple("1234"), ("none",)

    @property
    def deals(self):
        return tuple(eb.Deal(Fraction(1, 4), (card, 0)) for card in range(4))

    def public_root(self):
        return ""

    def public_turn(self, state):
        if len(state) == MOVES:
            return eb.PublicEnd(state)
        return eb.PublicDecision(0, state, (("l", f"{state}l"), ("r", f"{state}r")))

    def settle(self, key, deal):
        return eb.End((deal.hands[0], -deal.hands[0]))


class ManyDeals(ManyMoves):
    """Two public turns, so that only the deals take time."""

    def public_turn(self, state):
        if state:
            return eb.PublicEnd(state)
        return eb.PublicDecision(0, state, (("l", "l"), ("r", "r")))


def of_open_spiel():
    return pytest.importorskip("pyspiel").load_game("kuhn_poker")


CALLS = {
    "own rules": (lambda **limits: eb.solve(Long(), **limits), 6),
    "own dealt rules": (lambda **limits: eb.solve(ManyMoves(), **limits), 9),
    "many deals": (lambda **limits: eb.solve(ManyDeals(), **limits), 1),
    "OpenSpiel": (lambda **limits: eb.solve(of_open_spiel(), **limits), 5),
    "ranges": (lambda **limits: eb.ranges(Long(), **limits), 6),
}
"""A call, and the number of lines of progress while the tree is built, with a line for each ten nodes."""


class Late(list):
    """A progress function that collects lines. The time is over after *most* lines of building a tree."""

    def __init__(self, monkeypatch, most):
        super().__init__()
        self.most = most
        clock = lambda limit: lambda: None if limit is None else float(len(self.building) < most)  # noqa: E731
        monkeypatch.setattr(driver, "countdown", clock)
        monkeypatch.setattr(extensive, "STEP", 10)

    @property
    def building(self):
        return [line for line in self if line.startswith("building the tree")]

    def __call__(self, line):
        self.append(line)


@pytest.mark.parametrize("name", CALLS)
def test_building_ends_at_the_limit_with_a_clear_error(name, monkeypatch):
    call, lines = CALLS[name]
    for most in range(1, lines + 1):
        late = Late(monkeypatch, most)
        with pytest.raises(eb.NotSolvedError) as ended:
            call(timeout=60, progress=late)
        assert ended.value.timed_out
        assert str(ended.value) == f"the time limit was reached while {late[-1]}"
        assert late.building == late, "no search begins"
    late = Late(monkeypatch, 10**9)
    call(timeout=60, progress=late)
    assert len(late.building) == lines


@pytest.mark.parametrize("name", CALLS)
def test_an_exception_of_progress_passes_through_building(name, monkeypatch):
    monkeypatch.setattr(extensive, "STEP", 10)
    cancelled = ValueError("cancelled by the caller")

    def progress(line):
        raise cancelled

    with pytest.raises(ValueError, match="cancelled") as raised:
        CALLS[name][0](progress=progress)
    assert raised.value is cancelled


def test_small_trees_are_always_built():
    solution = eb.solve("kuhn", "lp", timeout=1e-9)
    assert (solution.status, len(solution.tree)) == ("timeout", 55)


# --- the exact steps


SIDES = eb.build("liars-dice sides=3")
VALUE = eb.solve(SIDES, "lp").value[0]


def late_at(monkeypatch, start):
    """Let the time be over from the first line of progress that begins with *start*; return the progress function."""
    lines = []
    over = lambda: any(line.startswith(start) for line in lines)  # noqa: E731
    monkeypatch.setattr(driver, "countdown", lambda limit: lambda: None if limit is None else 1.0 - over())
    return lines.append


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("solving the optimal basis", "the optimal basis was not solved exactly (the time limit came first), so the"),
        ("verifying: ", "the time limit came before the end of the exact verification, so the strategy is rounded"),
    ],
)
def test_what_is_found_is_returned_with_what_is_proved_of_it(start, message, monkeypatch):
    progress = late_at(monkeypatch, start)
    solution = eb.solve(SIDES, "lp", timeout=60, progress=progress)
    assert solution.status == "timeout"
    assert message in solution.message
    assert message in " ".join(str(solution).split())
    slack = Fraction(solution.verdict.error_bound or 0)
    assert slack < 1e-9
    assert Fraction(solution.lower) - slack <= VALUE <= Fraction(solution.upper) + slack
    assert Fraction(solution.upper) - Fraction(solution.lower) < 1e-4
    assert not solution.exact or start.startswith("solving")


def test_exact_verification_has_at_least_ten_seconds(monkeypatch):
    profile = eb.solve(SIDES, "lp").profile
    monkeypatch.setattr(driver, "countdown", lambda limit: lambda: None if limit is None else float(limit >= 10))
    solution = eb.solve(SIDES, lambda tree: profile, timeout=1)
    assert (solution.status, solution.exact) == ("equilibrium", True)
    monkeypatch.setattr(solving, "VERIFYING_SECONDS", 9)
    assert eb.solve(SIDES, lambda tree: profile, timeout=1).status == "timeout"


@pytest.mark.parametrize("text", [DRIVER, BATTLE], ids=["a walk over the nodes", "sequences"])
def test_verifying_can_be_ended_at_every_line_of_progress(text, monkeypatch):
    monkeypatch.setattr(walk, "STEP", 2)
    tree = eb.parse_efg(text)
    profile, lines = eb.TreeProfile.uniform(tree), []
    eb.verify(profile, progress=lines.append)
    assert len(lines) >= len(tree.players)
    for place in range(len(lines)):
        left = iter(range(place))

        def stop(line, left=left):
            if next(left, None) is None:
                raise TimeLimit

        with pytest.raises(TimeLimit):
            eb.verify(profile, progress=stop)


# --- the command


ENDLESS = """
import efg_builder as eb

class Endless(eb.Game):
    players = "A", "B"

    def root(self):
        return ""

    def turn(self, state):
        if len(state) == 60:
            return eb.End((0, 0))
        return eb.Decision(0, f"at {state}", (("l", state + "l"), ("r", state + "r")))
"""


def test_the_command_ends_with_the_code_of_a_time_limit(cli, tmp_path):
    (tmp_path / "endless.py").write_text(ENDLESS)
    code, out, err = cli("solve", tmp_path / "endless.py", "--timeout", "0.1", "-o", tmp_path / "s.json")
    assert (code, out) == (4, "")
    assert "error: the time limit was reached while building the tree: " in err
    assert not (tmp_path / "s.json").exists()
