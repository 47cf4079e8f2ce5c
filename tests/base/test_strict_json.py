"""A key that is doubled is refused by every command that reads JSON."""

import json
import shlex

import pytest

import efg_builder as eb
from efg_builder.base.strict_json import RepeatedKeyError, Twice, parse_json, strict_json


def test_each_key_may_occur_once_in_each_object():
    text = '{"a": [{"b": 1}, {"b": 2}], "c": {"a": 1.5}}'
    assert strict_json(text) == strict_json(f"\ufeff{text}") == strict_json(text.encode()) == json.loads(text)
    for wrong in ('{"a": 1, "a": 1}', '[{"b": {"a": 1, "c": 2, "a": 3}}]', '{"x": 1, "\\u0061": 1, "a": 1}'):
        with pytest.raises(RepeatedKeyError, match=r"^the key 'a' appears twice$"):
            strict_json(wrong)
    with pytest.raises(json.JSONDecodeError):
        strict_json('{"a": 1')
    found = parse_json('{"a": 1, "a": 2}')
    assert isinstance(found, Twice)
    assert (found, found.key) == ({"a": 2}, "a")


COMMANDS = (
    "verify {}",
    "draw kuhn --solution {} -o x.svg",
    "report kuhn --solution {} -o x.html",
    "evaluate kuhn --strategy {}",
    "exam kuhn --solution {} --at '1: start'",
    "play kuhn --players you,{}",
    "solve {}",
    "info {}",
)


@pytest.mark.parametrize("doubled", ["status", "profile", "label"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_solution_with_a_doubled_key_is_refused(command, doubled, tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    text = eb.solve("kuhn").write("s.json").read_text()
    at = text.index(f'"{doubled}"')
    (tmp_path / "s.json").write_text(f'{text[:at]}"{doubled}": 0, {text[at:]}')
    code, out, err = cli(*shlex.split(command.format("s.json")))
    assert (code, out) == (3 if command.startswith(("verify", "report")) else 2, "")
    assert err.count("\n") == 1
    assert "s.json" in err
    assert "twice" in err, err
    assert not (tmp_path / "x.svg").exists()
