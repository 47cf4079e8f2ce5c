"""The benchmark runs and both sides build the same tree; no time is asserted."""

import io

import pygambit

import against_gambit
import efg_builder as eb
import oracle_against_gambit


def test_the_benchmark_runs(capsys):
    rows = against_gambit.main(["--quick"])
    assert len(rows) == 5
    assert "build, 125 nodes" in capsys.readouterr().out


def test_the_benchmark_of_the_oracle_runs(capsys):
    rows = oracle_against_gambit.main(["--quick"])
    assert [method for _, method, _, _ in rows] == ["gambit-lp", "gambit-oracle", "oracle", "lp"]
    assert min(ratio for _, _, _, ratio in rows) == 1
    assert "125 nodes, value 0" in capsys.readouterr().out


def test_both_sides_build_the_same_game():
    game = eb.game("liars-dice", sides=2)
    theirs = eb.parse_efg(against_gambit.built_by_pygambit(game).to_efg())
    ours = eb.build(game)
    assert theirs.node_counts == ours.node_counts
    assert len(theirs.personal) == len(ours.personal)
    assert eb.solve(theirs, "lp").value == eb.solve(ours, "lp").value
    assert pygambit.read_efg(io.StringIO(eb.to_efg(ours))).is_const_sum
