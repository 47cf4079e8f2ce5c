"""Solutions read back from their files: the same, judged anew; forgeries change nothing."""

import json

import pytest
from paths import ROOT

import efg_builder as eb

SOLVED = {
    "kuhn": {},
    "liars-dice sides=2": {"method": "lp"},
    "liars-dice sides=3 dice=2,1": {"method": "oracle"},
    "docs/games/quiche.py": {"method": "extreme"},
    "liars-dice sides=2 dice=1,1,1": {"method": "many"},
}


@pytest.mark.parametrize("words", SOLVED)
def test_what_was_written_is_read(words, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    solution = eb.solve(words, **SOLVED[words])
    for name in ("s.json", "s.json.gz"):
        found = eb.read_solution(solution.write(tmp_path / name))
        said, right = found.to_json(), solution.to_json()
        for part in ("run", "message", "digests"):
            said.pop(part), right.pop(part)
        if words.startswith("docs"):  # the class is known, so the file carries the tree
            said.pop("game"), right.pop("game")
        assert said == right
        assert found.verify().exact == solution.exact
        assert len(found.equilibria) == len(solution.equilibria)


def test_a_forged_value_is_not_believed(tmp_path):
    path = eb.solve("kuhn").write(tmp_path / "s.json")
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | {"value": ["1", "-1"], "lower": "1", "upper": "1"}))
    assert str(eb.read_solution(path).value[0]) == "-1/18"  # Kuhn 1950
    with pytest.raises(eb.CertificateError):
        eb.verify(path)


def test_what_is_no_solution_is_refused_in_one_line(tmp_path):
    solution = eb.solve("kuhn").write(tmp_path / "s.json")
    (tmp_path / "empty.json").write_text("{}")
    (tmp_path / "text.json").write_text("text")
    for path, game in (
        (tmp_path / "none.json", None),
        (tmp_path / "empty.json", None),
        (tmp_path / "text.json", None),
        (solution, "liars-dice sides=2"),
        (solution, "kuhn cards=4"),
        (3, None),
        (None, None),
    ):
        with pytest.raises(eb.EfgBuilderError) as caught:
            eb.read_solution(path, game)
        assert "\n" not in str(caught.value)
