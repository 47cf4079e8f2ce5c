"""Explore's numbers against Python's: payoffs, best responses, bounds and the value of each move, in fractions."""

import json
import random
import shutil
import subprocess
from fractions import Fraction
from itertools import islice

import pytest
from brute import random_profile
from paths import DOCS
from random_trees import random_tree
from small_files import small_games

import efg_builder as eb
from efg_builder.display import pages
from efg_builder.display.pages.viewer import Shown, view_data
from efg_builder.forms.extensive import NONE, constant_sum
from efg_builder.proof import best_response, values

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")

MOST_EXACT = 3_000
"""The maximum number of nodes of a tree that the page computes in fractions."""

OWN = sorted(path.stem for path in (DOCS / "games").glob("*.py"))

SCRIPT = """
import { readFileSync } from "node:fs";
import { evaluate } from "./explore_game.js";
import { exploreOf, start, stateOf } from "./explore_model.js";
import { fractionText } from "./numbers.js";
import { treeOf } from "./model.js";

const told = [];
for (const data of JSON.parse(readFileSync(0))) {
  const self = exploreOf(treeOf(data), 0), text = (pair) => pair && (pair[1] ? fractionText(pair[1]) : pair[0]);
  told.push(data.solutions.map((_, which) => {
    start(self, which);
    const { payoffs, best, gains, bounds, exact, values } = self.result;
    const moves = self.game.sets.flat().map((k) => [k, values(k)?.map(text) ?? null]);
    const all = { payoffs: payoffs.map(text), best: best.map(text), gains: gains.map(text) };
    return { ...all, exact, bounds: bounds?.map(text) ?? null, moves, state: stateOf(self) };
  }));
}
console.log(JSON.stringify(told));
"""


def run(script, data):
    """Run *script* beside the page's sources, with *data* as its input; return what it prints."""
    command = ["node", "--input-type=module", "--eval", script]
    folder = next(iter(pages.__path__)) + "/src"
    done = subprocess.run(command, cwd=folder, input=json.dumps(data), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def told(shown, script=SCRIPT):
    """Return what the page computes: for each list of profiles of one tree, the results of each profile."""
    data = [view_data(each[0].tree, [Shown(str(n), profile) for n, profile in enumerate(each)]) for each in shown]
    return run(script, data)


def numbers(texts):
    return None if texts is None else [None if text is None else Fraction(text) for text in texts]


def check(profile, found):
    """Compare what the page found of a profile with the proof's numbers."""
    tree, players = profile.tree, range(len(profile.tree.players))
    assert found["exact"] == (len(tree) <= MOST_EXACT)
    payoffs = values(profile).value
    replies = [best_response(profile, player) for player in players]
    best = [reply.value for reply in replies]
    told_moves = {k: numbers(moves) for k, moves in found["moves"]}
    moves = {}
    for k in told_moves:
        reply = replies[tree.infosets[k].player]
        reach = reply.reach.get(k, 0)
        width = range(len(tree.infosets[k].actions))
        moves[k] = [reply.gains[k, a] / reach for a in width] if reach else None
    sets = [k for k in tree.personal if len(tree.infosets[k].actions) > 1]
    assert sorted(told_moves) == sorted(sets)
    gains = [most - got for most, got in zip(best, payoffs, strict=True)]
    total = constant_sum(tree) if len(tree.players) == 2 else None
    bounds = None if total is None else [total - best[1], best[0]]
    right = {"payoffs": list(payoffs), "best": best, "gains": gains, "bounds": bounds}
    if (tree.outcome[tree.infoset != NONE] != NONE).any():  # the page counts payments on the way too
        told_moves, moves = (
            {k: row and [x - row[0] for x in row] for k, row in all_.items()} for all_ in (told_moves, moves)
        )
    if found["exact"]:
        assert {name: numbers(found[name]) for name in right} == right
        assert told_moves == moves
        state = found["state"]
        assert [numbers(state["payoffs"]), numbers(state["regrets"])] == [right["payoffs"], right["gains"]]
        return
    for name, row in right.items():
        assert numbers(found[name]) == pytest.approx(row, abs=1e-9)
    for k, row in moves.items():
        assert told_moves[k] == (None if row is None else pytest.approx(row, abs=1e-9))


def compare(trees, count):
    profiles = [[random_profile(tree, seed) for seed in range(count)] for tree in trees]
    for each, found in zip(profiles, told(profiles), strict=True):
        for profile, results in zip(each, found, strict=True):
            check(profile, results)


COUNTS = [3, pytest.param(20, marks=pytest.mark.slow)]


@pytest.mark.parametrize("count", COUNTS)
def test_the_catalogue(count):
    games = {str(game): game for game in [*map(eb.game, eb.catalogue()), *small_games()]}
    compare([tree for tree in map(eb.build, games.values()) if len(tree) <= MOST_EXACT], count)


@pytest.mark.parametrize("count", COUNTS)
def test_own_games(count):
    small = {"sums": {"sides": 4}}
    games = [eb.game(f"{DOCS}/games/{name}.py:{name.capitalize()}", **small.get(name, {})) for name in OWN]
    compare(list(map(eb.build, games)), count)


@pytest.mark.parametrize("count", COUNTS)
def test_random_trees(count):
    trees = (
        random_tree(seed, depth=5, total=None if seed % 3 else Fraction(1, 3), players=2 + seed % 2)
        for seed in range(200)
    )
    compare(list(islice((tree for tree in trees if len(tree) > 20), 30)), count)


def test_floats_above_the_limit():
    compare([eb.build(eb.game("liars-dice", sides=4))], 1)


def test_a_solution_of_floats_is_computed_in_floats():
    tree = eb.build("kuhn")
    rows = {k: [0.3, 0.7] for k in tree.personal}
    profile = eb.TreeProfile.from_personal(tree, {k: tuple(row) for k, row in rows.items()})
    [[found]] = told([[profile]])
    assert not found["exact"]
    assert found["payoffs"] == pytest.approx(values(profile).value)
    assert found["state"]["payoffs"][0].startswith("≈")


FORGETFUL = (
    'EFG 2 R "x" { "A" "B" } p "" 1 1 "x" { "l" "r" } 0 p "" 2 1 "y" { "l" "r" } 0 p "" 1 2 "z" { "l" "r" } 0 '
    't "" 1 "" { 1 -1 } t "" 2 "" { 0 0 } t "" 2 "" { 0 0 } p "" 1 2 "z" { "l" "r" } 0 '
    't "" 2 "" { 0 0 } t "" 1 "" { 1 -1 }'
)
"""A game whose first player forgets the own first move."""


def test_a_player_who_forgets_has_payoffs_and_no_best_response():
    tree = eb.parse_efg(FORGETFUL)
    profile = eb.TreeProfile.uniform(tree)
    [[found]] = told([[profile]])
    assert numbers(found["payoffs"]) == list(values(profile).value)
    assert found["best"][0] is None
    assert numbers(found["best"])[1] == best_response(profile, 1).value
    assert found["bounds"] is None


LEARN = SCRIPT.replace("const told", 'import { learner } from "./explore_learn.js"; const told').replace(
    "told.push(",
    """const learn = learner(self.game, self.payoffs, self.profile);
  while (learn.steps < 1000) learn.step();
  told.push(evaluate(self.game, learn.profile(), self.payoffs).gains.map(([x]) => x));
  continue;
  told.push(""",
)
"""The gains of each player after learning from the first profile on."""


def test_learning_comes_near_an_equilibrium():
    names = ("kuhn", "dice-poker", "leduc")
    trees = [*map(eb.build, names), eb.build(eb.game("liars-dice", sides=3)), random_tree(3, depth=4)]
    for gains in told([[eb.TreeProfile.uniform(tree)] for tree in trees], LEARN):
        assert max(gains) < 1e-3


def test_dragged_shares_are_simple_and_sum_to_one():
    rng = random.Random(5)
    rows = [[rng.randint(0, 6) for _ in range(rng.randint(2, 5))] for _ in range(200)]
    cases = [
        ([f"{n}/{sum(row) or 1}" for n in row], rng.randrange(len(row)), f"{rng.randint(0, 12)}/12")
        for row in rows
        if sum(row)
    ]
    script = (
        "import { rowOfTexts, rational } from './explore_game.js'; import { withShare } from './explore_model.js';"
        "import { fractionText } from './numbers.js'; import { readFileSync } from 'node:fs';"
        "console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(([row, a, p]) =>"
        " withShare(rowOfTexts(row), a, rational(p)).exact.map(fractionText))))"
    )
    for (row, action, share), made in zip(cases, map(numbers, run(script, cases)), strict=True):
        before = numbers(row)
        assert sum(made) == 1
        assert min(made) >= 0
        assert made[action] == Fraction(share)
        others = [n for n in range(len(row)) if n != action]
        if before[action] < 1:
            assert [made[n] * (1 - before[action]) for n in others] == [before[n] * (1 - made[action]) for n in others]
