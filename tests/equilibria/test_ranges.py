"""Ranges over all equilibria, against published facts, vertices by brute force, and other solvers' equilibria."""

import json
import random
import re
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_files import matrix_tree

import efg_builder as eb
from efg_builder.proof import verify
from efg_builder.strategies.tree_profile import TreeProfile

F = Fraction


def of(found, player, label, action):
    """The range of an action by its labels."""
    tree = found.tree
    (hit,) = (
        a
        for a in found.actions
        if a.player == player
        and tree.infosets[a.infoset].label == label
        and tree.infosets[a.infoset].actions[a.action] == action
    )
    return hit


def test_dice_poker_has_one_strategy_for_a_and_a_hexagon_for_b():
    # The equilibria of the Riddler's dice poker: A raises with (2/3, 0, 0, 0, 1, 1); B calls with b1 = 0, b5 = b6 = 1,
    # b2 + b3 + b4 = 5/3, b4 >= 1/3 and 2 b2 + b3 <= 2. Here the corners are worked out from these lines by hand.
    found = eb.ranges(eb.game("dice-poker"))
    assert found.value == F(5, 54)
    assert [plans.dimension for plans in found.plans] == [0, 2]
    assert [plans.unique for plans in found.plans] == [True, False]
    raises = [of(found, 0, f"{die}: start", "raise") for die in range(1, 7)]
    assert [(a.low, a.high) for a in raises] == [(p, p) for p in (F(2, 3), 0, 0, 0, 1, 1)]
    calls = [of(found, 1, f"{die}: raise", "call") for die in range(1, 7)]
    assert [(a.low, a.high) for a in calls] == [(0, 0), (0, 1), (0, 1), (F(1, 3), 1), (1, 1), (1, 1)]
    (hexagon,) = (plans.vertices for plans in found.plans if not plans.unique)
    sets = {a.infoset: i for i, a in enumerate(calls)}
    corners = {
        tuple(next((w for (k, action), w in v.items() if sets[k] == die and action == 1), F(0)) for die in range(6))
        for v in hexagon
    }
    assert corners == {(F(0), b2, b3, F(5, 3) - b2 - b3, F(1), F(1)) for b2, b3 in hexagon_corners()}
    assert len(corners) == len(hexagon) == 6


def hexagon_corners():
    """Where two of the sides of 0 <= b2, b3, b4 <= 1, b4 >= 1/3, 2 b2 + b3 <= 2 meet, inside all of them."""
    sides = [(1, 0, 0), (0, 1, 0), (-1, 0, -1), (0, -1, -1), (1, 1, F(2, 3)), (-1, -1, F(-4, 3)), (-2, -1, -2)]
    for (a, b, c), (d, e, f) in combinations(sides, 2):
        det = a * e - b * d
        if det:
            x, y = F(c * e - b * f) / det, F(a * f - c * d) / det
            if all(p * x + q * y >= r for p, q, r in sides):
                yield x, y


def solved(rows, right):
    """The solution of square equations in Fractions, None where there is not just one."""
    m = [[F(x) for x in row] + [F(r)] for row, r in zip(rows, right, strict=True)]
    for c in range(len(m)):
        pivot = next((r for r in range(c, len(m)) if m[r][c]), None)
        if pivot is None:
            return None
        m[c], m[pivot] = m[pivot], m[c]
        m[c] = [x / m[c][c] for x in m[c]]
        for r in range(len(m)):
            if r != c:
                m[r] = [x - m[r][c] * y for x, y in zip(m[r], m[c], strict=True)]
    return [row[-1] for row in m]


def brute_vertices(matrix, value):
    """All vertices of {x: sum 1, x >= 0, x matrix >= value}: every choice of tight bounds, solved and checked."""
    n = len(matrix)
    bounds = [([F(int(i == k)) for i in range(n)], F(0)) for k in range(n)]
    bounds += [([F(row[j]) for row in matrix], value) for j in range(len(matrix[0]))]
    found = set()
    for chosen in combinations(bounds, n - 1):
        x = solved([[1] * n, *(row for row, _ in chosen)], [1, *(right for _, right in chosen)])
        if x and all(sum(a * b for a, b in zip(row, x, strict=True)) >= right for row, right in bounds):
            found.add(tuple(x))
    return found


def rank(vectors):
    rows, count = [list(v) for v in vectors], 0
    while rows and rows[0]:
        pivot = next((r for r in rows if r[0]), None)
        if pivot is not None:
            rows = [[x - r[0] / pivot[0] * y for x, y in zip(r, pivot, strict=True)] for r in rows if r is not pivot]
            count += 1
        rows = [r[1:] for r in rows]
    return count


@settings(max_examples=15)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(-2, 2), min_size=n, max_size=n), min_size=1, max_size=4)
    )
)
def test_matrix_games_against_brute_force(matrix):
    found = eb.ranges(matrix_tree(matrix))
    turned = [[-row[j] for row in matrix] for j in range(len(matrix[0]))]
    for player, (seen, value) in enumerate(((matrix, found.value), (turned, -found.value))):
        corners = brute_vertices(seen, value)
        listed = found.plans[player].vertices
        width = len(seen)
        assert {
            tuple(next((w for (_, a), w in v.items() if a == i), F(0)) for i in range(width)) for v in listed
        } == corners
        assert len(listed) == len(corners)
        mine = [a for a in found.actions if a.player == player]
        assert [(a.low, a.high) for a in mine] == [(min(c), max(c)) for c in zip(*corners, strict=True)]
        assert all(a.conditional == (a.low, a.high) for a in mine)
        base, *others = corners
        assert found.plans[player].dimension == rank([[x - y for x, y in zip(o, base, strict=True)] for o in others])


def ends_from_vertices(tree, plans, infoset, action):
    """The range of an action's weight, and of its share where own play gets there, from the vertices alone."""
    weights, shares = [], []
    for vertex in plans.vertices:
        here = [vertex.get((infoset, a), F(0)) for a in range(len(tree.infosets[infoset].actions))]
        weights.append(here[action])
        shares += [here[action] / sum(here)] if sum(here) else []
    return (min(weights), max(weights)), (min(shares), max(shares)) if shares else None


def check_against_vertices(found):
    # Linear programs and double description share the equations of the affine hull only. A linear function, and a
    # ratio of two where the lower one is positive, have their ends at vertices.
    for action in found.actions:
        plans = found.plans[action.player]
        weight, share = ends_from_vertices(found.tree, plans, action.infoset, action.action)
        assert (action.low, action.high) == weight
        assert action.conditional == share
    for plans in found.plans:
        keys = sorted({key for vertex in plans.vertices for key in vertex})
        first, *others = [[vertex.get(key, F(0)) for key in keys] for vertex in plans.vertices]
        assert plans.dimension == rank([[x - y for x, y in zip(other, first, strict=True)] for other in others])
    for player in range(2):
        other = found.plans[1 - player].vertices[0]
        for vertex in found.plans[player].vertices:
            assert verify(profile_of(found.tree, vertex | other)).regret == 0


def profile_of(tree, weights):
    rows = {}
    for k in tree.personal:
        here = [weights.get((k, a), F(0)) for a in range(len(tree.infosets[k].actions))]
        total = sum(here)
        rows[k] = [w / total if total else F(1, len(here)) for w in here]
    return TreeProfile.from_personal(tree, rows)


@pytest.mark.parametrize(
    "game",
    [
        eb.game("dice-poker"),
        eb.game("dice-poker", sides=4, ante="1/2", bet="2/3"),
        eb.game("liars-dice", sides=2),
        pytest.param(eb.game("liars-dice", sides=2, wild=1), marks=pytest.mark.slow),
        eb.game("liars-dice", sides=2, wild=1, wild_biddable=False),
        eb.game("mia"),
    ],
    ids=lambda game: game.title,
)
def test_ranges_by_linear_programs_are_those_of_the_vertices(game):
    check_against_vertices(eb.ranges(game, vertices=2000))


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
def test_ranges_of_random_two_stage_games(seed, rows, columns):
    # Few different payoffs: so that there are many equilibria.
    rng = random.Random(seed)
    matrix = [[[rng.randint(-1, 1) for _ in range(2)] for _ in range(columns)] for _ in range(rows)]
    check_against_vertices(eb.ranges(matrix_tree(matrix, deep=True), vertices=2000))


@pytest.mark.parametrize(
    ("method", "name", "keys"),
    [
        ("lp", "liars-dice", {"sides": 2}),
        ("gambit-lcp", "dice-poker", {"sides": 4}),
        pytest.param("gambit-lcp", "mia", {}, marks=pytest.mark.slow),
        pytest.param("gambit-lp", "mia", {}, marks=pytest.mark.slow),
        ("gambit-lp", "liars-dice", {"sides": 2}),
        ("gambit-enummixed", "dice-poker", {"sides": 2}),
    ],
)
def test_equilibria_of_other_solvers_lie_in_the_ranges(method, name, keys, in_process):
    tree = eb.build(eb.game(name, **keys))
    found = eb.ranges(tree)
    solution = eb.solve(tree, method, timeout=60)
    equilibria = [j.strategy for j in solution.judged if j.verdict and j.verdict.equilibrium and j.strategy.exact]
    assert equilibria
    for profile in equilibria:
        within(found, profile)


def within(found, profile):
    tree, rows = found.tree, profile.probabilities
    for action in found.actions:
        node = next(n for n in range(len(tree)) if tree.infoset[n] == action.infoset)
        reach = F(1)
        while node:
            above = tree.parent[node]
            if tree.player[above] == action.player:
                reach *= rows[tree.infoset[above]][tree.action[node]]
            node = above
        p = rows[action.infoset][action.action]
        assert action.low <= reach * p <= action.high
        if reach:
            assert action.conditional[0] <= p <= action.conditional[1]


def test_three_sides_exactly():
    found = eb.ranges(eb.game("liars-dice", sides=3))
    assert found.value == F(-1, 9)
    assert [plans.dimension for plans in found.plans] == [69, 3]
    assert found.plans[0].vertices is None
    assert found.plans[0].note == "not listed: the polytope has 69 dimensions (limit 16)"
    assert len(found.plans[1].vertices) == 6
    assert found.to_json()["vertices"][0] is None
    assert "more information sets: --json (to_json()) lists all" in str(found)
    # Player 2's answer to an opening is forced but for two hands: with a one after 2x1, with a two after 2x2.
    free = {
        found.tree.infosets[a.infoset].label
        for a in found.actions
        if a.player == 1 and a.conditional is not None and not a.forced
    }
    assert free == {"1: 2x1", "2: 2x2"}
    assert of(found, 0, "1: 1x1 1x2", "2x2").conditional == (0, F(1, 2))


def test_what_no_equilibrium_gets_to_has_no_conditional_range(cli):
    code, out, _ = cli("ranges", "liars-dice", "sides=2", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["dimension"], data["unique"], data["value"]) == ([6, 5], [False, False], "0")
    by_name = {(a["player"], a["label"], a["action"]): a for a in data["actions"]}
    assert len(by_name) == len(data["actions"]) == 2 * 2 * (2**4 - 1)  # H_i (2^m - 1) actions for each player
    # With a one, player 2 never answers 1x1 by 2x2, so what would follow is not said.
    assert by_name[2, "1: 1x1", "2x2"]["max"] == "0"
    # Player 1 with a two never bids 2x1, and so is never at what follows it.
    assert by_name[1, "2: 2x1 2x2", "call"] == {
        **{"player": 1, "infoset": by_name[1, "2: 2x1 2x2", "call"]["infoset"], "label": "2: 2x1 2x2"},
        **{"action": "call", "min": "0", "max": "0", "conditional_min": None, "conditional_max": None},
    }
    called = by_name[1, "1: 1x1 2x2", "call"]
    assert [called[key] for key in ("min", "max", "conditional_min", "conditional_max")] == ["0", "1", "1", "1"]
    assert [len(v) for v in data["vertices"]] == [9, 16]


def test_limits_and_errors():
    none = eb.ranges(eb.game("dice-poker"), vertices=0)
    assert none.plans[1].vertices is None
    assert none.plans[1].note == "not requested"
    few = eb.ranges(eb.game("dice-poker"), vertices=4)
    assert few.plans[1].vertices is None
    assert "more than 4" in few.plans[1].note
    for wrong in ({"vertices": -1}, {"vertices": True}, {"timeout": 0}, {"timeout": float("nan")}):
        with pytest.raises(eb.ParameterError, match=next(iter(wrong))):
            eb.ranges(eb.game("dice-poker"), **wrong)


def test_a_set_may_stand_before_the_set_that_leads_to_it():
    # The same game, its sets in another order of their table: the same ranges.
    tree = matrix_tree([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], deep=True)
    order = list(reversed(range(len(tree.infosets))))
    turned = eb.GameTree(
        *(tree.title, tree.players, tree.parent, tree.action),
        infoset=(len(order) - 1 - tree.infoset).astype(tree.infoset.dtype) * (tree.infoset >= 0) - (tree.infoset < 0),
        outcome=tree.outcome,
        infosets=tuple(tree.infosets[k] for k in order),
        outcomes=tree.outcomes,
    )
    assert turned == tree
    one, other = eb.ranges(tree), eb.ranges(turned)
    rows = [sorted(found.to_json()["actions"], key=str) for found in (one, other)]  # in the order of each table
    assert rows[0] == rows[1]
    check_against_vertices(other)


def test_a_player_without_a_move():
    tree = eb.parse_efg(
        'EFG 2 R "one" { "R" "C" } ""\np "" 1 1 "s" { "a" "b" "c" } 0\n'
        + "\n".join(f't "" {i} "" {{ {v} {-v} }}' for i, v in ((1, 1), (2, 1), (3, 0)))
    )
    found = eb.ranges(tree)
    assert found.value == 1
    assert [plans.dimension for plans in found.plans] == [1, 0]
    assert [(a.low, a.high) for a in found.actions] == [(0, 1), (0, 1), (0, 0)]


def test_ranges_are_drawn_instead_of_one_number(cli, tmp_path):
    path = tmp_path / "ranges.svg"
    code, _, _ = cli("draw", "dice-poker", "--ranges", "--view", "tree", "-o", path)
    assert code == 0
    drawn = path.read_text()
    # B's calls with a four are from 1/3 to 1, A's raises with a one just 2/3; forced ones are told too.
    assert drawn.count(">1/3 to 1</text>") == drawn.count(">0 to 2/3</text>") == 6
    assert drawn.count(">2/3</text>") == 6
    assert re.search(r'font-weight="bold"[^>]*>1</text>', drawn)
    assert "over all equilibria" in drawn
    assert cli("solve", "dice-poker", "--method", "lp", "-o", tmp_path / "s.json")[0] == 0
    code, _, _ = cli("draw", "dice-poker", "--ranges", "--view", "tree", "--solution", tmp_path / "s.json", "-o", path)
    assert code == 0
    assert path.read_text().count(">1/3 to 1</text>") == 6


def test_ranges_by_label():
    ranges = eb.ranges("kuhn")
    # Kuhn 1950: player 1 bluffs with up to a third of the lowest cards, and bets three times as often with the highest.
    assert ranges["1: start"] == {"check": (Fraction(2, 3), 1), "bet": (0, Fraction(1, 3))}
    assert ranges["3: start"]["bet"] == (0, 1)
    assert next(iter(ranges)) == "1: start"
    for label in ("1: strat", 0):
        with pytest.raises(eb.ParameterError, match=r"did you mean '1: start'|takes the label of an information set"):
            ranges[label]
