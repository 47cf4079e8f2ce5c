"""What attacks found once, each as it was found: falsehoods, lost files, hangs, tracebacks, escapes."""

import json
import shutil

import pytest
from certificates import POKER_SOLVED, SPARSE, changed, written

import efg_builder as eb
from efg_builder.base.files import SQLITE


@pytest.mark.parametrize(
    ("solution", "change", "words"),
    [
        (SPARSE, lambda data: data["game"].update(nodes=float(data["game"]["nodes"])), "game: nodes is"),
        (SPARSE, lambda data: data["game"].update(chance_nodes=True), "game: chance_nodes is true"),
        (POKER_SOLVED, lambda data: data["game"].update(chance_nodes=True), "game: chance_nodes is true"),
        (POKER_SOLVED, lambda data: data["profile"][2].pop("label"), "profile: 'label' is missing"),
        (SPARSE, lambda data: data.update(run=5), "run: not an object"),
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
    fake = shutil.copy(other, tmp_path / "solution.npz")
    for path, words in ((other, "name a file that ends in .npz"), (fake, "would be lost")):
        code, out, err = cli("solve", "liars-dice", "sides=5", "dice=2,1", "--checkpoint", path, "--timeout", "1")
        assert (code, out) == (2, "")
        assert words in err
        with pytest.raises(eb.ParameterError, match=words):
            eb.solve(eb.game("liars-dice", sides=5, dice=(2, 1)), checkpoint=path)
        assert path.read_text() == "{}"


def test_no_command_writes_over_a_database(tmp_path, cli):
    database = tmp_path / "sweep.csv"
    database.write_bytes(SQLITE + b"rows")
    link = tmp_path / "link.json"
    link.symlink_to(database)
    for words in (
        ("solve", "liars-dice", "sides=2", "-o", database),
        ("solve", "liars-dice", "sides=2", "-o", link),
        ("build", "dice-poker", "-o", shutil.copy(database, tmp_path / "g.efg")),
    ):
        code, out, err = cli(*words)
        assert (code, out) == (2, "")
        assert "it is a database" in err
    assert database.read_bytes() == (tmp_path / "g.efg").read_bytes() == SQLITE + b"rows"


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
