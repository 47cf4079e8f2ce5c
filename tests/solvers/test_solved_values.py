"""Values of games, each with its source, proved by every method that can; and methods that must agree on a game."""

import json
from fractions import Fraction
from functools import cache

import pytest
from bidding_games import HARD, SMALL
from paths import TESTS

import efg_builder as eb
from efg_builder.proof import verify
from efg_builder.solvers.regret import many
from efg_builder.solvers.regret.engine import RULES

F = Fraction
JOKER, HIGHEST, FACES = {"wild": 1, "wild_biddable": False}, {"wild": "highest"}, {"order": "face-quantity"}
LARGE = [(6, [1, 1]), (4, [2, 1]), (4, [1, 2])]
"""Trees of up to 300,000 nodes; the oracle proves the same values in the default run, without them."""

pytestmark = pytest.mark.usefixtures("in_process")


def published():
    """Settings of liars-dice, value and source."""
    for table in json.loads((TESTS / "published_values.json").read_text())["liars_dice"]:
        for sides, value in table["values"].items():
            chosen = {"sides": int(sides), "dice": table["dice"], "order": table["order"]}
            if table["wild"] is not None:
                wild = "highest" if table["wild"] == "highest face" else table["wild"]
                chosen |= {"wild": wild, "wild_biddable": table["wild_biddable"]}
            yield chosen, F(value), table["source"]


def row(method, value, *marks, name="liars-dice", tree=False, source="", more=None, **chosen):
    label = f"{method}{' tree' * tree} {more or ''} {name} {chosen} {source}"
    return pytest.param(name, chosen, method, tree, F(value), more or {}, marks=marks, id=label)


VALUES = [
    *(row("oracle", value, source=source, **chosen) for chosen, value, source in published()),
    *(
        row("lp", value, *[pytest.mark.slow] * ((c["sides"], c["dice"]) in LARGE), source=source, tree=True, **c)
        for c, value, source in published()
    ),
    # Proved by their certificates; 5/54 and 2128/8375 by `lp` too, the others have no other source.
    row("oracle", "212027/771552", sides=6, dice="2,1"),
    row("oracle", "-5/54", sides=6, dice="1,2", **JOKER),
    row("oracle", "7/27", sides=6, dice="2,1", **JOKER),
    row("oracle", "2128/8375", sides=5, dice="2,1"),
    row("oracle", "-97993266983069/5815959611262048", pytest.mark.slow, sides=6, dice="2,2"),
    row("oracle", "137405/401112", pytest.mark.slow, sides=6, dice="3,1"),
    # Bids above the dice change no value, fewer do: the table in README.md. Points are win-loss in other units.
    row("lp", "-1/9", sides=3, max_quantity="sides"),
    row("lp", "1/8", dice="2,2"),
    row("lp", "5/8", dice="2,2", max_quantity=2),
    row("lp", "4/9", sides=3, payoff="points"),
    row("lp", "1/2", name="mia"),
    # Two minutes, where ours takes a hundredth of a second.
    row("gambit-lp", "-1/9", pytest.mark.slow, sides=3),
    # The refined ones' values: the table in README.md.
    row("refined", "5/54", name="dice-poker"),
    row("refined", 0, sides=2),
    row("refined", "-1/9", sides=3),
    row("refined", "1/4", dice="2,1"),
    row("refined", "1/2", name="mia"),
    # Player 1's payoff in the equilibrium that is found: the last mover's call of a false bid.
    row("many", "1/3", dice="1,1,1", sides=3),
    row("many", "1/3", dice="1,1,1", sides=3, tree=True),
    row("many", "-1/9", sides=3),
]


@pytest.mark.parametrize(("name", "chosen", "method", "tree", "value", "more"), VALUES)
@pytest.mark.first(55)
def test_values_are_proved(name, chosen, method, tree, value, more):
    game = eb.game(name, **chosen)
    asked = {"refine": True} if method == "refined" else {"method": method}
    solution = eb.solve(eb.build(game, max_nodes=350_000) if tree else game, **asked, **more)
    assert (solution.status, solution.exact, solution.regret) == ("equilibrium", True, 0)
    assert solution.value[0] == value
    if len(game.players) == 2:
        assert solution.lower == solution.upper == value
    if method == "oracle":
        assert solution.tree is None
    if method == "refined":
        verdict = solution.refined
        assert verdict.sequential
        assert set(verdict.gains) == set(solution.tree.personal)  # every set, not only what play gets to
        assert set(verdict.gains.values()) == {0}


@cache
def value_by_lp(game):
    """The tree, and player 1's value by linear programs in the sequence form."""
    tree = eb.build(game)
    return tree, eb.solve(tree, "lp").value[0]


def agree(method, games, gap=0, tree=False, marks=(), **options):
    given = [game if isinstance(game, eb.Game) else eb.game("liars-dice", **game) for game in games]
    return [
        pytest.param(game, method, F(gap), tree, options, id=f"{method} {options} {game.title}", marks=marks)
        for game in given
    ]


POKER = [eb.game("dice-poker"), eb.game("dice-poker", sides=3, ante="1/2", bet=2)]
TREES = [*POKER, {}, {"payoff": "points"}, {"sides": 3, **JOKER}, FACES, eb.game("mia")]
FLOORS = [HARD, {"sides": 3, "dice": "2,2"}, {"sides": 4, "dice": "2,1", **FACES}, {"sides": 4, "dice": "1,2", **JOKER}]
FOR_CFR = [{"sides": 4}, {"sides": 3, **HIGHEST}, {"dice": "2,2"}, {"sides": 3, "payoff": "points"}]
FOR_GAMBIT = [{}, {"sides": 3}, {"sides": 5}, {"sides": 2, **HIGHEST}, {"sides": 3, **FACES}, {"payoff": "points"}]
AGREEING = [
    *agree(
        "oracle", [*SMALL, {"sides": 4}, {"sides": 4, **HIGHEST}, {"dice": "2,2"}, {"dice": "3,1"}, {"dice": "1,3"}]
    ),
    *agree("oracle", SMALL, gap=F(1, 100), master="regret"),
    *agree("oracle", FLOORS[:2], gap=F(1, 1000), marks=pytest.mark.slow, master="regret"),
    *agree("oracle", FLOORS[2:3], gap=F(1, 1000), marks=pytest.mark.slow, master="regret"),
    *agree("oracle", FLOORS[3:], gap=F(1, 1000), master="regret"),
    *agree("oracle", [HARD], gap=F(1, 20), marks=pytest.mark.slow, master="regret", bids="all"),
    *agree("oracle", [{"sides": 3, "dice": "2,1"}], gap=F(1, 20), master="regret", bids="all"),
    *(each for rule in RULES for each in agree("cfr", FOR_CFR, gap=F(1, 10**4), rule=rule)),
    *(each for rule in RULES for each in agree("cfr", POKER[:1], gap=F(1, 10**5), rule=rule)),
    *agree("gambit-lp", TREES, tree=True),
    *agree("gambit-lcp", TREES, tree=True),
    *agree("gambit-oracle", FOR_GAMBIT),
]


@pytest.mark.parametrize(("game", "method", "gap", "on_tree", "options"), AGREEING)
def test_methods_agree_with_the_linear_program(game, method, gap, on_tree, options):
    tree, value = value_by_lp(game)
    lines = []
    solution = eb.solve(
        tree if on_tree else game, method, gap=gap or None, options=options, timeout=60, progress=lines.append
    )
    # What cfr says of the gap is in floats.
    assert solution.upper - solution.lower <= gap + F(1, 10**8) * (method == "cfr")
    assert solution.lower <= value <= solution.upper
    if gap == 0:
        assert (solution.status, solution.exact) == ("equilibrium", True)
    if method == "oracle":
        verdict = verify(solution.sparse.on(tree))
        assert (verdict.lower, verdict.upper) == (solution.lower, solution.upper)
    if method == "cfr":
        assert solution.details["rule"] == options["rule"]
        assert float(solution.upper - solution.lower) == pytest.approx(solution.details["nash_conv"], abs=2e-6)
    low = any("without bids below" in line for line in lines)
    assert low or gap != F(1, 1000)
    assert not low or (options.get("master") == "regret" and options.get("bids") != "all")


SEVERAL = [
    {"dice": "1,1,1"},
    {"dice": "1,1,1", "sides": 3},
    {"dice": "1,1,1,1"},
    {"dice": "2,1,1"},
    {"dice": "1,1,1,1,1"},
    {"dice": "1,1,1,1", "sides": 3},
    {"dice": "1,1,1", "sides": 4},
]
"""Games of which an equilibrium in fractions is found; of 1,017 to 663,472 nodes."""


@pytest.mark.parametrize("cells", [many.MOST_CELLS, 0], ids=["whole arrays", "a part"])
@pytest.mark.parametrize("chosen", SEVERAL, ids=str)
@pytest.mark.first(8)
def test_equilibria_of_several_players_are_exact_and_proved(chosen, cells, monkeypatch):
    """Of "2,1,1" on a part the search needs moves by which players gain: else a look is due too seldom."""
    monkeypatch.setattr(many, "MOST_CELLS", cells)
    solution = eb.solve(eb.game("liars-dice", **chosen), "many")
    if cells or chosen["dice"] != "1,1,1" or chosen.get("sides") != 4:  # there floats come near: 4e-17
        assert (solution.status, solution.regret, solution.exact) == ("equilibrium", 0, True)
        assert (solution.to_json()["exact"], solution.verify().exact) == (True, True)
    assert sum(solution.value) == 0
    assert solution.verify().regret == solution.regret < F(1, 10**15)
