"""The oracle without low bids: player 1 makes none, player 2 answers low openings alike and makes none either."""

from fractions import Fraction

import numpy as np
import pytest
from bidding_games import HARD
from small_files import finish

import efg_builder as eb
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.proof.sparse import sparse_figures
from efg_builder.solvers.oracle import search, state
from efg_builder.solvers.oracle.regret import average, sides
from efg_builder.solvers.oracle.response import respond
from efg_builder.solvers.oracle.restricted import ROOT, rounded, sparse_profile, unfolded
from efg_builder.strategies.sparse_profile import alike_openings

GAMES = [
    HARD,
    eb.game("liars-dice", sides=3, dice="2,2"),
    eb.game("liars-dice", sides=4, dice="2,1", order="face-quantity"),
    eb.game("liars-dice", sides=4, dice="1,2", wild=1, wild_biddable="false"),
]


def at_floor(game, floor):
    """A search that has looked for both plans without bids below *floor*, and nothing else."""
    found = state.start(BiddingForm(game))
    found.floor = floor
    for player in range(2):
        finish(search.minimize_without_low_bids(found, player, 0.0, 0.0))
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
@pytest.mark.parametrize("share", [3, 4])
def test_plans_without_low_bids_prove_what_the_search_says(game, share):
    model = BiddingForm(game)
    floor = model.bids // share
    found = at_floor(game, floor)
    plans = [rounded(model, (found.home, found.support)[p], p, found.plans[p]) for p in range(2)]
    profile = sparse_profile(model, (found.home, found.support), plans, found.alike)
    figures = sparse_figures(profile)
    # The judge shares no code with the search, and knows of no floors.
    lower, upper = (float(model.payoff(Fraction(bound) * model.largest)) for bound in (found.lower, found.upper))
    # What player 2 could lose by calling a low opening is put as high as can be.
    assert float(figures.best[0]) <= upper + 1e-6
    assert float(game.constant_sum - figures.best[1]) == pytest.approx(lower, abs=1e-6)
    assert float(figures.best[0]) == pytest.approx(upper, abs=1e-3)
    low = set(game.bid_names[:floor])
    assert not low & {action for _, _, behavior in written(profile, 0) for action in behavior}
    assert not low & {action for _, _, behavior in written(profile, 1) for action in behavior}
    openings = game.bid_names[:floor]
    assert all(profile.rows(1, opening) == profile.rows(1, openings[0]) != {} for opening in openings)
    assert alike_openings(profile) == dict.fromkeys(openings[1:], openings[0])


def written(profile, player):
    return [(history, hand, row) for mover, history, hand, row in profile if mover == player]


def test_floors_go_down_to_the_lowest_bid():
    for bids in (1, 2, 5, 12, 60):
        floors = [search.lower(bids, None)]
        while floors[-1]:
            floors.append(search.lower(bids, floors[-1]))
        assert floors == sorted(set(floors), reverse=True)
        assert bids - floors[0] == min(bids, search.SETTINGS.first_bids)


def test_a_restricted_game_without_bids_has_no_histories_with_them():
    found = at_floor(HARD, 2)
    support, model = found.support, found.model
    everyone = [np.ones(count, dtype=bool) for count in model.hands]
    low = support.allow(ROOT, 1, everyone[0])
    support.allow(low, 3, everyone[1])
    for player in range(2):
        has = found.bidding(player)
        kept = {int(node) for side in sides(support, has) for node in side.nodes}
        for node in range(1, len(support)):
            path = support.path(node)
            assert (node in kept) == all(has[depth % 2][bid] for depth, bid in enumerate(path))
    assert low not in kept


def test_unfolded_a_plan_answers_every_opening():
    found = at_floor(HARD, 3)
    plan = unfolded(found.support, found.plans[1], found.alike)
    assert unfolded(found.support, plan, 1) is plan
    answers = [
        {
            tuple(found.support.path(node)[1:]): row.tolist()
            for node, row in zip(plan.nodes, plan.weights, strict=True)
            if found.support.path(node)[0] == opening
        }
        for opening in range(3)
    ]
    assert answers[0] == answers[1] == answers[2] != {}
    found.gather()
    assert (found.floor, found.alike, found.early) == (0, 0, None)
    assert respond(found.model, found.support, 0, found.plans[1], 0.0).value <= found.upper + 1e-9
    assert respond(found.model, found.support, 1, found.plans[0], 0.0).value == pytest.approx(-found.lower)


def test_a_search_without_low_bids_goes_on_from_its_state(tmp_path):
    found, file = at_floor(HARD, 3), tmp_path / "state.npz"
    found.save(file)
    again = state.load(file, found.model)
    assert (again.floor, again.alike) == (found.floor, found.alike) == (3, 3)
    assert (again.lower, again.upper) == pytest.approx((found.lower, found.upper))
    for player in range(2):
        mine, theirs = again.minimizer(player), found.minimizer(player)
        assert mine.model.lines[1].matrix.tolist() == theirs.model.lines[1].matrix.tolist()
        for one, other in zip(mine.state().values(), theirs.state().values(), strict=True):
            assert np.allclose(one, other)
        assert (average(mine, player, 0.0).nodes == average(theirs, player, 0.0).nodes).all()


@pytest.mark.parametrize("master", ["lp", "auto"])
def test_from_a_state_without_low_bids_a_game_is_made_exact(tmp_path, monkeypatch, master):
    found, file = at_floor(HARD, 3), tmp_path / "state.npz"
    found.save(file)
    made = search.best_responses

    def watched(found, *given):
        # Linear programs are blended with the best plans so far, which must be on the same histories.
        assert found.regrets is None or found.home is found.support
        return made(found, *given)

    monkeypatch.setattr(search, "best_responses", watched)
    solution = eb.solve(HARD, "oracle", resume=file, options={"master": master})
    assert (solution.exact, solution.value) == (True, eb.solve(HARD, "oracle").value)


@pytest.mark.parametrize(
    "wrong", [{"floor": 99}, {"alike": 99}, {"early": 1}, {"floor": 0}, {"early": True, "floor": 0}]
)
def test_states_that_contradict_themselves_are_refused(tmp_path, monkeypatch, wrong):
    found, file = at_floor(HARD, 3), tmp_path / "state.npz"
    kept = state.save_state
    monkeypatch.setattr(state, "save_state", lambda *args: kept(*args[:-1], args[-1] | wrong))
    found.save(file)
    with pytest.raises(eb.FileError):
        state.load(file, found.model)
