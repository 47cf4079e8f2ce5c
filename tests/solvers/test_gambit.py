"""Gambit's routines as solvers: what they find, how they are ended, what they are told."""

import json

import brute
import pytest
from gambit_games import BIDS, POKER, SOLVERS, THREE, TREES, solve
from small_files import BATTLE, FORGETS_A_MOVE

from efg_builder.base.errors import ParameterError
from efg_builder.interop.efg import parse_efg
from efg_builder.interop.gambit import adapter
from efg_builder.solvers.gambit import routines as gambit_solvers
from efg_builder.strategies.reading import read_solution

FLOAT_REGRET = 1e-3


def test_every_routine_of_pygambit_is_a_solver():
    import pygambit.nash

    routines = {name for name in dir(pygambit.nash) if name.endswith("_solve")}
    assert routines == set(adapter.ROUTINES)
    assert routines == {gambit_solvers.routine(name) for name in SOLVERS}


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    ("name", "options", "count"),
    [
        ("gambit-enumpure", {}, 2),
        ("gambit-enummixed", {}, 3),
        ("gambit-enummixed", {"rational": "false"}, 3),
        ("gambit-enumpoly", {}, 3),
        ("gambit-enumpoly", {"use_strategic": "true"}, 3),
        ("gambit-enumpoly", {"stop_after": "1"}, 1),
        ("gambit-lcp", {}, 1),
        ("gambit-lcp", {"use_strategic": "true"}, 3),
        ("gambit-lcp", {"use_strategic": "true", "stop_after": "1"}, 1),
        ("gambit-gnm", {"steps": "50", "end_lambda": "-5", "local_newton_interval": "2"}, 3),
        ("gambit-logit", {"use_strategic": "true", "first_step": "0.1", "max_accel": "1.2"}, 1),
        ("gambit-logit", {"maxregret": "1e-4"}, 1),
        ("gambit-ipa", {"perturbation": "random:3"}, 1),
        ("gambit-simpdiv", {"start": "random:3", "maxregret": "1/1000", "refine": "3"}, 1),
        ("gambit-simpdiv", {"start": "first"}, 1),
        ("gambit-liap", {"start": "random:3", "maxiter": "500", "maxregret": "1e-5"}, 1),
        ("gambit-liap-agent", {"start": "random:3"}, 1),
        ("gambit-liap-agent", {"start": "centroid"}, 1),
        ("gambit-hp", {"prior": "uniform"}, 1),
        ("gambit-hp", {"prior": "first"}, 1),
    ],
)
def test_options_reach_gambit(name, options, count):
    found = solve(name, TREES["coordination"], **options)
    assert len(found.strategies) == count, found
    assert all(brute.regret(profile) <= FLOAT_REGRET for profile in found.strategies)


@pytest.mark.usefixtures("in_process")
def test_no_pure_equilibrium_is_an_answer_and_no_equilibrium_is_a_failure():
    matching = BATTLE.replace("{ 2 1 }", "{ 1 -1 }").replace("{ 1 2 }", "{ 1 -1 }")
    found = solve("gambit-enumpure", parse_efg(matching.replace("{ 0 0 }", "{ -1 1 }")))
    assert (found.strategies, found.ended, found.message) == ((), "done", "no pure-strategy equilibrium exists")
    found = solve("gambit-logit", BIDS, timeout=20)
    assert (found.strategies, found.ended) == ((), "failed")
    assert found.message == "Gambit found no equilibrium: regret target not reached"
    found = solve("gambit-hp", POKER, prior="uniform")
    assert found.ended == "failed"
    assert "best response" in found.message


def test_a_float_answer_without_distributions_where_it_is_played_to_is_told():
    # pygambit 17.0.0b2 gives both actions of such a set probability 0 here.
    found = solve("gambit-lp", BIDS, rational="false")
    assert (len(found.strategies), found.ended) == (1, "done")
    assert (
        "which the player can reach, Gambit's probabilities are not a distribution (0.0, 0.0); "
        "they were taken as uniform" in found.message
    )


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("gambit-lp", {"rational": "maybe"}, "gambit-lp: rational=maybe: must be true or false"),
        ("gambit-lcp", {"stop_after": "2"}, "gambit-lcp: stop_after works only with use_strategic=true"),
        ("gambit-lcp", {"stop_after": "0", "use_strategic": "true"}, "must be a whole number from 1"),
        ("gambit-enumpoly", {"max_rectangles": "1.5"}, "must be a whole number from 1"),
        ("gambit-enumpoly", {"stop_after": "9" * 30}, "must be a whole number from 1"),
        ("gambit-logit", {"maxregret": "0"}, "must be a number above zero"),
        ("gambit-logit", {"maxregret": "nan"}, "must be a number above zero"),
        ("gambit-logit", {"max_accel": "0.5"}, "must be a number of at least 1"),
        ("gambit-gnm", {"end_lambda": "1"}, "must be a number below zero"),
        ("gambit-gnm", {"perturbation": "uniform"}, "must favor one strategy of each player"),
        ("gambit-simpdiv", {"maxregret": "1/0"}, "must be a number above zero"),
        ("gambit-simpdiv", {"refine": "1"}, "must be a whole number from 2"),
        ("gambit-liap", {"start": "unifrm"}, "gambit-liap: start=unifrm: no such file; did you mean 'uniform'?"),
        ("gambit-liap", {"start": "random:x"}, "must be random:SEED"),
        ("gambit-hp", {"prior": "missing.json"}, "cannot read missing.json: No such file or directory"),
    ],
)
def test_wrong_options_are_refused_before_anything_starts(monkeypatch, name, options, said):
    monkeypatch.setattr(gambit_solvers, "child", None)
    with pytest.raises(ParameterError) as caught:
        solve(name, POKER, **options)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("tree", "lacking"),
    [
        (THREE, {"gambit-lp", "gambit-lcp", "gambit-enummixed"}),
        (TREES["dilemma"], {"gambit-lp"}),
        (parse_efg(FORGETS_A_MOVE), set(SOLVERS) - {"gambit-enumpure-agent"}),
        (
            parse_efg('EFG 2 R "alone" { "A" }\np "" 1 1 "a" { "l" "r" } 0\nt "" 1 "o" { 2 }\nt "" 2 "z" { 0 }\n'),
            {"gambit-lp", "gambit-lcp", "gambit-enummixed", "gambit-ipa", "gambit-gnm"},
        ),
    ],
)
def test_where_a_method_does_not_apply_it_says_so_first(tree, lacking):
    assert {name for name, solver in SOLVERS.items() if solver.inapplicable(tree)} == lacking


@pytest.mark.usefixtures("in_process")
def test_a_start_is_read_from_a_solution(tmp_path):
    profile = brute.random_profile(POKER, 3, zeros=False)
    entries = [
        {
            "player": POKER.infosets[k].player + 1,
            "infoset": POKER.infosets[k].number,
            "label": POKER.infosets[k].label,
            "probabilities": dict(zip(POKER.infosets[k].actions, map(str, profile.probabilities[k]), strict=True)),
        }
        for k in reversed(POKER.personal)
    ]
    path = tmp_path / "start.json"
    path.write_text(json.dumps({"profile": entries}))
    assert read_solution(path, POKER).probabilities == profile.probabilities
    for name, key in (("gambit-liap-agent", "start"), ("gambit-hp", "prior"), ("gambit-ipa", "perturbation")):
        found = solve(name, POKER, **{key: str(path)})
        assert found.strategies, (name, found.message)
        assert brute.regret(found.strategies[0]) <= FLOAT_REGRET
