"""Solutions as JSON, both ways."""

import json
from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.naming import distinct
from efg_builder.profile_file import read_profile

GAME = eb.game("liars-dice", sides=3)
SOLUTION = eb.solve(GAME)


def test_the_json_has_every_documented_key():
    data = json.loads(json.dumps(SOLUTION.to_json()))
    for key in ("method", "status", "value", "lower", "upper", "exact", "regret", "seconds", "profile"):
        assert key in data
    assert data["value"] == ["-1/9", "1/9"]
    assert (data["lower"], data["upper"], data["regret"], data["exact"]) == ("-1/9", "-1/9", "0", True)
    assert (data["method"], data["status"]) == ("lp", "equilibrium")
    entry = data["profile"][0]
    assert (entry["player"], entry["infoset"], entry["label"], entry["reached"]) == (1, 1, "1: start", True)
    assert list(entry["probabilities"]) == ["1x1", "1x2", "1x3", "2x1", "2x2", "2x3"]
    assert len(data["profile"]) == 192


def test_a_profile_survives_the_round_trip():
    again = read_profile(json.dumps(SOLUTION.to_json()), SOLUTION.tree)
    assert again.probabilities == SOLUTION.profile.probabilities
    assert again.exact


def test_reached_is_what_play_reaches():
    data = SOLUTION.to_json()["profile"]
    starts = [e for e in data if e["label"].endswith(": start")]
    assert len(starts) == 3
    assert all(e["reached"] for e in starts)
    assert any(not e["reached"] for e in data)


def change(**changes):
    data = json.loads(json.dumps(SOLUTION.to_json()))
    data["profile"][4].update(changes)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("{", eb.ProfileError, "not JSON"),
        ("[]", eb.ProfileError, "no list 'profile'"),
        ('{"profile": [3]}', eb.ProfileError, "entry 1 of 'profile': not an object"),
        ('{"profile": []}', eb.ProfileError, "nothing for the information set '1: start'"),
        (change(infoset=9999), eb.ProfileError, "entry 5 .* no information set 9999 of player 1"),
        (change(infoset="5"), eb.ProfileError, "no information set 5"),
        (change(label="something"), eb.ProfileError, "labelled 'something'"),
        (change(probabilities={"2x1": 1}), eb.ProfileError, "exactly the actions"),
        (change(probabilities=None), eb.ProfileError, "exactly the actions"),
    ],
)
def test_what_does_not_fit_is_named(text, error, words):
    with pytest.raises(error, match=words):
        read_profile(text, SOLUTION.tree)


@pytest.mark.parametrize(
    ("value", "words"), [("x", "not a number"), ("1/0", "denominator of zero"), ("2", "sum to"), (-1, "negative")]
)
def test_bad_probabilities_are_named(value, words):
    entry = json.loads(change())["profile"][4]
    actions = dict.fromkeys(entry["probabilities"], 0) | {next(iter(entry["probabilities"])): value}
    with pytest.raises(eb.ProfileError, match=words):
        read_profile(change(probabilities=actions), SOLUTION.tree)


def test_actions_of_one_name_are_told_apart():
    # By Gambit's own rule, so that names are the same there.
    assert distinct(("a", "b", "a", "a")) == ("a_1", "b", "a_2", "a_3")
    assert len(set(distinct(("x", "x", "x_1")))) == 3


def test_auto_says_what_it_took_and_unknown_methods_are_named():
    assert SOLUTION.method == "lp"
    with pytest.raises(eb.ParameterError, match="did you mean 'lp'"):
        eb.solve(GAME, "lpp")


def test_values_sum_to_the_constant():
    assert sum(SOLUTION.value) == 0
    assert SOLUTION.value[0] == Fraction(-1, 9)
    assert "lp: equilibrium, value -1/9" in repr(SOLUTION)


def test_behavior_by_label():
    assert sum(SOLUTION.profile["1: start"].values()) == 1
    assert list(SOLUTION.profile["3: 2x2"]) == ["2x3", "call"]
    with pytest.raises(eb.ParameterError, match="0 information sets labelled '1: strat'; did you mean '1: start'"):
        SOLUTION.profile["1: strat"]
