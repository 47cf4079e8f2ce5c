"""What attacks found once, each as it was found: falsehoods, lost files, hangs, tracebacks, escapes."""

import json
import shutil
import sqlite3

import numpy as np
import pytest
from certificates import POKER_SOLVED, SPARSE, changed, written

import efg_builder as eb


@pytest.mark.parametrize(
    ("solution", "change", "words"),
    [
        (SPARSE, lambda data: data["game"].update(nodes=float(data["game"]["nodes"])), "game: nodes is"),
        (SPARSE, lambda data: data["game"].update(chance_nodes=True), "game: chance_nodes is true"),
        (POKER_SOLVED, lambda data: data["game"].update(chance_nodes=True), "game: chance_nodes is true"),
        (POKER_SOLVED, lambda data: data["profile"][2].pop("label"), "profile: 'label' is missing"),
    ],
)
def test_certificates_hold_what_they_should_and_nothing_like_it(solution, change, words, tmp_path, cli):
    path = changed(written(solution, tmp_path), change)
    code, out, err = cli("verify", path)
    assert (code, out) == (3, "")
    assert words in err


def test_a_state_is_kept_over_no_other_file(tmp_path, cli):
    other = tmp_path / "solution.json"
    other.write_text("{}")
    fake, arrays = shutil.copy(other, tmp_path / "solution.npz"), tmp_path / "net.npz"
    np.savez(arrays, weights=np.ones(3))
    for path, words in (
        (other, "name a file that ends in .npz"),
        (fake, "would be overwritten"),
        (arrays, "would be overwritten"),
    ):
        before = path.read_bytes()
        code, out, err = cli("solve", "liars-dice", "sides=5", "dice=2,1", "--checkpoint", path, "--timeout", "1")
        assert (code, out) == (2, "")
        assert words in err
        with pytest.raises(eb.ParameterError, match=words):
            eb.solve(eb.game("liars-dice", sides=5, dice=(2, 1)), checkpoint=path)
        assert path.read_bytes() == before


def test_decimals_off_by_just_a_millionth_are_rounded_ones(tmp_path, cli):
    # A third in six digits is the natural case.
    tree = eb.build(eb.game("mia", sides=2))
    k = next(k for k in tree.personal if len(tree.infosets[k].actions) == 3)
    row = dict.fromkeys(tree.infosets[k].actions, "0.333333")
    file = tmp_path / "thirds.json"
    file.write_text(json.dumps({tree.infosets[k].label: row}))
    strategy = eb.read_strategy(file, tree)
    assert strategy.probabilities[k] == pytest.approx([1 / 3] * 3)
    row[tree.infosets[k].actions[0]] = "0.333332"
    file.write_text(json.dumps({tree.infosets[k].label: row}))
    with pytest.raises(eb.ProfileError, match="sum to 499999/500000, not 1"):
        eb.read_strategy(file, tree)


def test_letters_that_a_terminal_takes_for_commands_are_escaped(tmp_path, cli):
    # C1 controls (U+009B begins a command), a next line and a change of direction, in every label.
    odd = "\x9b2J\x85\u202e"
    file = tmp_path / "t.efg"
    ends = 't "" 1 "o" { 1 }\nt "" 2 "" { 0 }\n'
    file.write_text(f'EFG 2 R "t{odd}" {{ "A{odd}" }} ""\np "" 1 1 "s{odd}" {{ "l{odd}" "r" }} 0\n{ends}')
    for words in (["solve", file], ["solve", file, "--json"], ["info", file], ["run", file, "--out", tmp_path]):
        code, out, err = cli(*words)
        assert code == 0
        assert all(letter.isprintable() or letter == "\n" for letter in out + err)
        if "--json" in words:
            assert json.loads(out)["game"]["title"] == "t 2J"


def test_best_responses_are_nested_only_so_deep(cli):
    code, out, err = cli("evaluate", "dice-poker", "--strategy", "best-response:" * 300 + "uniform")
    assert (code, out) == (2, "")
    assert "300 nested best responses; the limit is 20" in err


def test_a_database_with_a_view_is_refused_before_it_is_read(tmp_path, cli):
    sweep, endless = (
        tmp_path / "s.db",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
    )
    assert cli("sweep", "dice-poker", "sides=2", "-o", sweep, "--workers", "1")[0] == 0
    with sqlite3.connect(sweep) as connection:
        connection.execute("ALTER TABLE variants RENAME TO hidden")
        connection.execute(f"CREATE VIEW variants AS {endless}")
    for command in ("verify", "table"):
        code, out, err = cli(command, sweep)
        assert (code, out) == (2, "")
        assert "'variants' is a view" in err


def test_what_was_typed_is_quoted_in_short(cli):
    for words in (["info", "X" * 100_000], ["info", "liars-dice", "sides=" + "9" * 100_000]):
        code, out, err = cli(*words)
        assert (code, out) == (2, "")
        assert len(err) < 1_100
        assert "File name too long" not in err
