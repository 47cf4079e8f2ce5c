"""The player that answers another: it gets what a best response to that one gets, in every seat of every game."""

import json
from itertools import product

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_games import ROUNDS

import efg_builder as eb
from efg_builder.forms.subject import Subject
from efg_builder.players.find import Table

THREE = eb.game("liars-dice", sides=3)
GAMES = [
    *ROUNDS,
    eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1),
    eb.game("dice-poker"),
    eb.game("dice-poker", sides=3, ante="1/2", bet="2/3"),
]


def got(game, word, **options):
    """What the answer to *word* gets in each seat, and what the best response to *word* is worth there."""
    (match,) = eb.evaluate(game, word, **options).matches
    found = eb.evaluate(game, f"best-response:{word}", word, **options)
    return [played.value[seat] for seat, played in enumerate(found.matches)], list(match.best_response), found


@pytest.mark.parametrize(
    ("game", "opponent"),
    [
        *product([*GAMES, eb.game("mia")], ["uniform", "equilibrium", "best-response:uniform"]),
        *product(GAMES[:6], ["always-call", "lowest-raise"]),
    ],
    ids=lambda each: getattr(each, "title", each),
)
def test_it_gets_the_most_in_every_seat(game, opponent, in_process):
    values, best, found = got(game, opponent)
    assert found.exact
    assert values == best


@settings(max_examples=20)
@given(st.sampled_from(GAMES), st.integers(0, 10**6))
def test_it_answers_strategies_in_files(tmp_path_factory, game, seed):
    path = tmp_path_factory.mktemp("given") / "strategy.json"
    tree = eb.build(game)
    profile = brute.random_profile(tree, seed)
    rows = {
        tree.infosets[k].label: dict(zip(tree.infosets[k].actions, map(str, profile.probabilities[k]), strict=True))
        for k in tree.personal
    }
    assert len(rows) == len(tree.personal)
    path.write_text(json.dumps(rows))
    values, _, _ = got(game, str(path))
    assert values == list(eb.evaluate(game, profile).matches[0].best_response)


def test_without_a_tree_it_answers_any_policy_by_arrays():
    game = eb.game("liars-dice", sides=4, dice=(2, 2))
    values, best, found = got(game, "uniform")
    assert found.method == "dense"
    assert values == pytest.approx(best, abs=2 * found.error_bound)
    assert min(values) > 0.9


def test_what_a_file_leaves_out_is_completed_as_asked(tmp_path):
    path = tmp_path / "nothing.json"
    path.write_text('{"1: start": {"1x1": 1}}')
    by_default, uniform = (got(THREE, str(path), complete=how)[:2] for how in ("default", "uniform"))
    assert by_default[0] == by_default[1] != uniform[0] == uniform[1]


def test_memory_is_what_it_may_take():
    game = eb.game("liars-dice", sides=4, dice=(2, 2))
    with pytest.raises(eb.NotApplicableError, match=r"over the limit of 1 MiB"):
        Table(Subject.of(game), 60.0, lambda line: None, max_memory=1 << 20).respond("uniform")
