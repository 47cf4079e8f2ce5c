"""The state of a search without a tree in a file: gone on with, and refused where it is damaged or of another game."""

import contextlib
import random
from fractions import Fraction

import pytest
from bidding_games import HARD

import efg_builder as eb
from efg_builder.solvers.oracle import bidding_oracle
from efg_builder.solvers.oracle.bidding import bidding
from efg_builder.solvers.oracle.bidding_checkpoint import load


def test_a_search_goes_on_from_a_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    state, rounds = tmp_path / "state.npz", []

    def interrupt(line):
        if line.startswith("round 12"):
            raise KeyboardInterrupt

    whole = eb.solve(HARD, "oracle")
    stopped = eb.solve(HARD, "oracle", progress=interrupt, checkpoint=state)
    again = eb.solve(HARD, "oracle", resume=state, progress=rounds.append)
    assert stopped.status == "interrupted"
    assert rounds[0].startswith("round 11") or rounds[0].startswith("round 12")
    assert again.exact
    assert again.value == whole.value
    assert again.details["rounds"] < whole.details["rounds"] + 5


def test_a_checkpoint_of_another_game_or_a_spoilt_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    state = tmp_path / "state.npz"
    eb.solve(eb.game("liars-dice", sides=4), "oracle", checkpoint=state)
    with pytest.raises(eb.FileError, match="is of") as caught:
        eb.solve(HARD, "oracle", resume=state)
    one, other = (repr(game.title) for game in (eb.game("liars-dice", sides=4), HARD))
    assert str(caught.value) == f"cannot resume from {state}: it is of {one}, not of {other}"
    whole = state.read_bytes()
    for spoilt in (whole[:-40], b"", b"nothing", whole.replace(b"parent.npy", b"parens.npy")):
        state.write_bytes(spoilt)
        with pytest.raises(eb.FileError, match="state"):
            eb.solve(eb.game("liars-dice", sides=4), "oracle", resume=state)
    with pytest.raises(eb.FileError, match="cannot read"):
        eb.solve(HARD, "oracle", resume=tmp_path / "none.npz")
    with pytest.raises(eb.ParameterError, match="resume"):
        eb.solve(eb.build(eb.game("liars-dice")), resume=state)


def test_damaged_checkpoints_are_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    state, rng = tmp_path / "state.npz", random.Random(5)
    game = eb.game("liars-dice", sides=4)
    value = eb.solve(game, "oracle", checkpoint=state).value
    whole = bytearray(state.read_bytes())
    for _ in range(60):
        spoilt = bytearray(whole)
        for _ in range(3):
            spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
        state.write_bytes(spoilt)
        with contextlib.suppress(eb.FileError):
            assert eb.solve(game, "oracle", resume=state).value == value


def test_regret_minimisation_goes_on_from_a_checkpoint_too(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    state, lines = tmp_path / "state.npz", []
    first = eb.solve(HARD, "oracle", gap=Fraction(1, 3), options={"master": "regret"}, checkpoint=state)
    again = eb.solve(HARD, "oracle", gap=Fraction(1, 10), resume=state, progress=lines.append)
    assert "regret minimisation" in lines[0]
    assert again.details["rounds"] > first.details["rounds"]
    assert again.upper - again.lower <= Fraction(1, 10)
    assert "--resume" in eb.solve(HARD, "oracle", timeout=0.05, checkpoint=state).message


def test_a_checkpoint_of_one_way_is_gone_on_with_in_another(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    one, two, lines = tmp_path / "one.npz", tmp_path / "two.npz", []
    value = eb.solve(HARD, "oracle").value[0]
    eb.solve(HARD, "oracle", gap=Fraction(1, 3), options={"master": "lp"}, checkpoint=one)
    regret = eb.solve(HARD, "oracle", gap=Fraction(1, 20), options={"master": "regret"}, resume=one, checkpoint=two)
    assert regret.upper - regret.lower <= Fraction(1, 20)
    again = eb.solve(HARD, "oracle", resume=two, progress=lines.append)
    assert (again.exact, again.value[0]) == (True, value)
    assert "regret minimisation" in lines[0]


def test_regrets_outlive_a_checkpoint_of_linear_programs(tmp_path, monkeypatch):
    monkeypatch.setattr(bidding_oracle, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(bidding_oracle, "LP_SECONDS", 1e-9)
    state, lines = tmp_path / "state.npz", []

    def interrupt(line):
        """In the second round of linear programs after regrets."""
        lines.append(line)
        if not line.startswith("round"):
            return
        programs = [k for k, line in enumerate(lines) if line.startswith("round") and ";" not in line]
        regrets = [k for k, line in enumerate(lines) if "regret" in line]
        if regrets and len([k for k in programs if k > regrets[-1]]) == 2:
            raise KeyboardInterrupt

    stopped = eb.solve(HARD, "oracle", checkpoint=state, progress=interrupt)
    assert stopped.status == "interrupted"
    search = load(state, bidding(HARD))
    assert search.turns == 1
    assert search.spent > 0
    assert search.regrets.iterations > 0
    assert eb.solve(HARD, "oracle", resume=state).exact


def test_a_checkpoint_is_promised_only_where_there_is_one(tmp_path):
    early = eb.solve(HARD, "oracle", timeout=1e-6, checkpoint=tmp_path / "state.npz")
    assert not (tmp_path / "state.npz").exists()
    assert early.message.endswith("too early for a checkpoint")
    with pytest.raises(eb.ParameterError, match="checkpoint and resume are for the method 'oracle'"):
        eb.solve(HARD, "cfr", checkpoint=tmp_path / "state.npz")
