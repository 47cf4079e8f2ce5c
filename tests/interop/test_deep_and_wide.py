"""Trees of 11,000 levels and of 100,000 actions: read, written, told, judged; Gambit is kept from what it dies of."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.forms.size import size_and_properties
from efg_builder.interop.efg import to_efg
from efg_builder.interop.gambit import child
from efg_builder.interop.gambit.mapping import MAX_DEPTH, too_deep
from efg_builder.solvers.gambit.routines import SOLVERS
from sound import problems

HEAD = 'EFG 2 R "t" { "A" "B" }\n'
DEPTH, WIDTH = 11_000, 100_000


def centipede(depth: int) -> str:
    """In turn, go on or stop. All the way pays (1, 2), a stop (0, 0)."""
    moves = "".join(f'p "" {1 + k % 2} {k} "m{k}" {{ "on" "stop" }} 0\n' for k in range(1, depth + 1))
    return HEAD + moves + 't "" 1 "end" { 1, 2 }\n' + 't "" 2 "stopped" { 0, 0 }\n' * depth


def fan(kind: str, width: int = WIDTH) -> str:
    """One move with so many actions; the k-th pays (k, -k)."""
    actions = " ".join(f'"{k}"' + f" 1/{width}" * (kind == "c") for k in range(1, width + 1))
    who = "" if kind == "c" else " 1"
    ends = "\n".join(f't "" {k} "" {{ {k}, -{k} }}' for k in range(1, width + 1))
    return f'{HEAD}{kind} ""{who} 1 "many" {{ {actions} }} 0\n{ends}\n'


@pytest.fixture(scope="module")
def deep() -> eb.GameTree:
    return eb.parse_efg(centipede(DEPTH))


@pytest.fixture(scope="module")
def deep_file(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("deep") / "deep.efg"
    path.write_text(centipede(DEPTH))
    return path


def always(tree: eb.GameTree, action: int) -> eb.TreeProfile:
    row = tuple(Fraction(a == action) for a in range(2))
    return eb.TreeProfile.from_personal(tree, dict.fromkeys(tree.personal, row))


def test_a_deep_tree_is_read_and_written(deep: eb.GameTree) -> None:
    assert (len(deep), int(deep.depth.max()), len(deep.personal)) == (2 * DEPTH + 1, DEPTH, DEPTH)
    assert deep.parent.tolist() == [-1, *range(DEPTH), *reversed(range(DEPTH))]
    assert problems(deep) == []
    assert to_efg(deep) == to_efg(eb.parse_efg(to_efg(deep)))
    assert eb.parse_efg(to_efg(deep)) == deep
    assert len(eb.parse_efg(to_efg(deep, portable=True))) == len(deep)


def test_a_deep_tree_is_told_and_judged(deep: eb.GameTree) -> None:
    known = size_and_properties(deep)
    assert (known["perfect_recall"], known["constant_sum"], known["infosets_by_player"]) == (
        True,
        False,
        [DEPTH // 2] * 2,
    )
    on = eb.verify(always(deep, 0))
    assert (on.value, on.regret) == ((1, 2), 0)
    # Player 1 moves second: both stop at once, and neither gains by going on alone.
    stop = eb.verify(always(deep, 1))
    assert (stop.value, stop.regret, stop.equilibrium) == ((0, 0), 0, True)
    # The last mover, player 1, stops two times in three: that costs player 1 two thirds, and player 2 can do nothing.
    last = dict(enumerate(always(deep, 0).probabilities))
    end = max(deep.personal, key=lambda k: deep.infosets[k].number)
    last[end] = (Fraction(1, 3), Fraction(2, 3))
    verdict = eb.verify(eb.TreeProfile.from_personal(deep, last))
    assert deep.infosets[end].player == 0
    assert (verdict.value, verdict.regret) == ((Fraction(1, 3), Fraction(2, 3)), Fraction(2, 3))


def test_the_commands_take_a_deep_file(cli, deep_file, tmp_path) -> None:
    code, out, _ = cli("info", deep_file, "--json")
    assert (code, json.loads(out)["nodes"]) == (0, 2 * DEPTH + 1)
    assert cli("build", deep_file, "-o", tmp_path / "again.efg")[0] == 0
    assert (tmp_path / "again.efg").stat().st_size > 50 * DEPTH
    code, _, err = cli("draw", deep_file, "-o", tmp_path / "p.svg")
    assert (code, err.count("\n")) == (2, 1)
    assert "too large to read" in err
    assert cli("draw", deep_file, "--depth", "3", "-o", tmp_path / "p.svg")[0] == 0


def test_gambit_is_kept_from_a_deep_tree(cli, deep_file, deep: eb.GameTree, monkeypatch) -> None:
    from efg_builder.solvers.gambit import routines as gambit

    monkeypatch.setattr(gambit, "child", None)  # nothing may be started
    said = "the tree is 11,000 levels deep, and Gambit's recursive reader crashes beyond 10,000"
    assert {solver.inapplicable(deep) for solver in SOLVERS} == {said}
    # auto has methods of our own, which are not: all is seen, so backward induction.
    code, out, _ = cli("solve", deep_file)
    assert code == 0
    assert re.search(r"(?m)^method +backward$", out)
    code, out, _ = cli("solve", deep_file, "--method", "gambit-lcp", "--json")
    assert (code, json.loads(out)["message"]) == (3, f"gambit-lcp does not apply: {said}")
    with pytest.raises(eb.NotApplicableError, match="11,000 levels deep"):
        always(deep, 0).to_gambit()


def test_the_limit_is_where_it_is_said_to_be() -> None:
    at, above = (eb.parse_efg(centipede(depth)) for depth in (MAX_DEPTH, MAX_DEPTH + 1))
    assert too_deep(at) is None
    assert too_deep(above) is not None


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other stacks")
def test_gambit_reads_what_it_is_given_and_would_die_of_the_rest() -> None:
    # The program for constant sums looks at the payoffs once the game is read, and stops: so it was read.
    read = child.run([centipede(MAX_DEPTH).encode()], "lp_solve", {}, 60.0)
    assert (read.ended, read.message) == ("failed", "Method only valid for constant-sum games.")
    died = child.run([centipede(20_000).encode()], "lp_solve", {}, 60.0)
    assert (died.ended, died.message) == ("failed", "Gambit crashed (SIGSEGV)")


@pytest.mark.slow
def test_our_own_method_solves_a_deep_tree() -> None:
    tree = eb.parse_efg(centipede(DEPTH).replace("{ 1, 2 }", "{ 1, -1 }"))
    solution = eb.solve(tree)
    # Player 2 stops before it pays.
    assert (solution.method, solution.exact, solution.value) == ("backward", True, (0, 0))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["c", "p"])
def test_a_wide_tree_is_read_written_told_and_judged(kind: str) -> None:
    tree = eb.parse_efg(fan(kind))
    assert (len(tree), int(tree.depth.max())) == (WIDTH + 1, 1)
    assert problems(tree) == []
    assert eb.parse_efg(to_efg(tree)) == tree
    known = size_and_properties(tree)
    assert (known["terminal_nodes"], known["sum"], known["infosets"]) == (WIDTH, "0", int(kind == "p"))
    verdict = eb.verify(eb.TreeProfile.uniform(tree))
    mean = Fraction(WIDTH + 1, 2)
    assert verdict.value == (mean, -mean)
    assert verdict.regret == (WIDTH - mean if kind == "p" else 0)
