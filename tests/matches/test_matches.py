"""Whole matches: rules, backward induction, certificates."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tampering import replaced

import efg_builder as eb
import efg_builder.games.match_rules as match_rules_module
from efg_builder.experiments.matches import backward, read_match, solve_match
from efg_builder.games.bidding import sorted_hands
from efg_builder.games.match_rules import GRID, Bounds, Stakes, Standing, lost, match_rules
from efg_builder.games.protocol import PublicEnd
from efg_builder.proof.certificate import digests
from efg_builder.proof.certificate.chain import holds_match, prove_match, verify_file

TESTS = Path(__file__).parents[1]


# The table of the rules as they are told: (loss, exact, bid, count) -> who loses, how many dice.
@pytest.mark.parametrize(
    ("loss", "exact", "quantity", "count", "caller", "dice"),
    [
        ("one", "caller-loses-one", 2, 4, True, 1),
        ("one", "caller-loses-one", 2, 2, True, 1),
        ("one", "caller-loses-one", 2, 0, False, 1),
        ("one", "bidder-loses-one", 2, 2, False, 1),
        ("difference", "caller-loses-one", 2, 4, True, 2),
        ("difference", "caller-loses-one", 2, 2, True, 1),
        ("difference", "caller-loses-one", 3, 0, False, 3),
        ("difference", "bidder-loses-one", 2, 2, False, 1),
        ("difference", "bidder-loses-one", 2, 3, True, 1),
    ],
)
def test_what_a_call_costs(loss, exact, quantity, count, caller, dice):
    assert lost(loss, exact, (quantity, 1), count) == (caller, dice)


@pytest.mark.parametrize(
    ("following", "caller", "count", "expected"),
    [
        ("loser", 1, 2, Standing((2, 1, 2), 1)),  # the bid of player 1 holds: player 2 loses one, and begins
        ("winner", 1, 2, Standing((2, 1, 2), 0)),
        ("loser", 1, 0, Standing((1, 2, 2), 0)),
        ("winner", 1, 0, Standing((1, 2, 2), 1)),
    ],
)
def test_who_begins_the_next_round(following, caller, count, expected):
    rules = match_rules({"dice": "2,2,2", "next": following})
    assert rules.after(Standing((2, 2, 2), 0), caller, (2, 3), count) == expected


def test_who_is_out_neither_begins_nor_bids():
    rules = match_rules({"dice": "1,1,1"})
    # Player 1 bid, player 2 is out already, player 3 calls a bid that holds and is out too: player 1 has won.
    out = rules.after(Standing((1, 0, 1), 0), 2, (1, 3), 1)
    assert out == Standing((1, 0, 0), 0)
    assert rules.winner(out) == 0
    # The loser is out: who comes next in turn begins.
    assert rules.after(Standing((1, 1, 1), 0), 1, (1, 3), 1) == Standing((1, 0, 1), 2)
    assert rules.winner(Standing((1, 0, 1), 2)) is None


def test_defaults_and_settings():
    rules = match_rules({})
    assert (rules.dice, rules.sides, rules.loss, rules.next) == ((2, 2), 6, "one", "loser")
    assert rules.exact == "caller-loses-one"
    assert match_rules(rules.settings) == rules


def brute(rules, dice, first):
    """The match's worth to player 1, by the linear program over each whole round, with payoffs by hand.

    Nothing of the staked round is used: its payoffs are put on the tree of a plain round here.
    """

    @cache
    def worth(one: int, two: int, starts: int) -> Fraction:
        if not one or not two:
            return Fraction(1 if one else -1)
        pair = (one, two) if starts == 0 else (two, one)
        sign = 1 if starts == 0 else -1
        game = eb.game(
            "liars-dice",
            sides=rules.sides,
            dice=pair,
            wild=rules.wild or "none",
            wild_biddable=rules.wild_biddable,
            order=rules.order,
        )
        tree = eb.build(game)
        outcomes, numbers = [], []
        ends = []
        for deal in game.deals:
            stack = [game.public_root()]
            while stack:
                turn = game.public_turn(stack.pop())
                if isinstance(turn, PublicEnd):
                    ends.append((turn.key, deal))
                else:
                    stack += reversed([then for _, then in turn.actions])
        cups = [[hand for hand, _ in sorted_hands(count, rules.sides)] for count in pair]
        for (last, caller), deal in ends:
            quantity, face = game.bids[last]
            count = sum(die in (face, rules.wild) for cup, i in zip(cups, deal.hands, strict=True) for die in cup[i])
            loses = (
                caller if (count > quantity or (count == quantity and rules.exact.startswith("caller"))) else 1 - caller
            )
            dice_lost = 1 if rules.loss == "one" or count == quantity else abs(count - quantity)
            left = [max(0, n - dice_lost) if player == loses else n for player, n in enumerate(pair)]
            next_ = loses if rules.next == "loser" else 1 - loses
            mine, other = left if starts == 0 else left[::-1]
            begins = next_ if starts == 0 else 1 - next_
            value = sign * worth(mine, other, begins)
            numbers.append(len(outcomes))
            outcomes.append(tree.outcomes[0]._replace(number=len(outcomes) + 1, label="", payoffs=(value, -value)))
        outcome = tree.outcome.copy()
        outcome[tree.infoset == -1] = numbers
        solution = eb.solve(replace(tree, outcome=outcome, outcomes=tuple(outcomes)), "lp")
        assert solution.exact
        return sign * solution.value[0]

    return worth(*dice, first)


@pytest.mark.parametrize(
    "given",
    [
        {"sides": 2, "dice": "2,2"},
        {"sides": 2, "dice": "2,2", "next": "winner"},
        {"sides": 2, "dice": "2,2", "loss": "difference", "exact": "bidder-loses-one"},
        {"sides": 3, "dice": "2,1", "wild": "highest", "order": "bluff", "loss": "difference", "next": "winner"},
        {"sides": 3, "dice": "1,2", "wild": "1", "wild_biddable": "false"},
    ],
)
@pytest.mark.first(2)
def test_backward_induction_against_whole_trees(given):
    rules = match_rules(given)
    match = solve_match(rules)
    assert match.complete
    for dice, first, bounds in match.standings():
        assert bounds.width == 0
        assert bounds.lower == brute(rules, dice, first), (dice, first)


def published():
    """The values that others published, as (dice, value, the gap between its bounds), and their rules."""
    found = json.loads((TESTS / "published_values.json").read_text())["match"]
    rows = found["dice and first player's value, and the gap between its bounds"]
    return found["rules"], [(tuple(map(int, dice.split(","))), *row) for dice, row in rows.items()]


def test_the_published_match():
    """Each value that is proved lies within the published bounds; all but the largest round are exact."""
    rules, rows = published()
    proof = verify_file(TESTS.parent / "docs" / "matches" / "2-2-6-bluff.json.gz")
    assert proof.rules == match_rules(rules | {"dice": "2,2"})
    assert proof.complete
    assert proof.exact == all(bounds.width == 0 for bounds in proof.bounds.values())
    for pair, value, gap in rows:
        bounds = proof.bounds[pair]
        assert float(bounds.lower) >= float(Fraction(value)) - gap / 2
        assert float(bounds.upper) <= float(Fraction(value)) + gap / 2
        assert bounds.width == 0 or pair == (2, 2)
        assert bounds.width < Fraction(gap) / 1000 or gap == 0
    assert proof.bounds[1, 1].lower == Fraction(rows[0][1])


@pytest.mark.parametrize("name", ["2-2-6-bluff", pytest.param("3-2-6", marks=pytest.mark.slow)])
def test_the_page_says_what_the_certificates_prove(name):
    docs = TESTS.parent / "docs"
    proof = verify_file(docs / "matches" / f"{name}.json.gz")
    text = (docs / "matches.md").read_text().split(f"(matches/{name}.json.gz)")[1].split("\n\n")[1]
    rows = dict(re.findall(r"(?m)^\| (\d against \d) \| ([^|]+) \|", text))
    for (one, two), bounds in proof.bounds.items():
        said = rows[f"{one} against {two}"]
        if said.startswith("from "):
            low, high = map(Fraction, said.removeprefix("from ").split(" to "))
            assert low <= bounds.lower <= bounds.upper <= high
            assert high - low < 2 * bounds.width + Fraction(1, 10**9)
        else:
            exact, _, decimal = said.partition(" = ")
            assert Fraction(exact) == bounds.lower == bounds.upper
            assert not decimal or abs(Fraction(decimal) - bounds.lower) <= Fraction(1, 2 * 10**6)


@cache
def small():
    return solve_match(match_rules({"sides": 2}))


def test_its_certificate_proves_it(tmp_path):
    match = small()
    match.write(tmp_path / "match.json.gz")
    proof = verify_file(tmp_path / "match.json.gz")
    assert proof.complete
    assert proof.bounds == match.bounds
    assert read_match(tmp_path / "match.json.gz").bounds == match.bounds


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("match", "loss"), "difference", "rounds"),
        (("match", "sides"), 2, "match"),
        (("match",), None, "match"),
        (("title",), "x", "title"),
        (("complete",), False, "complete"),
        (("complete",), 1, "complete"),
        (("table", 0, "value"), "1/2", "table"),
        (("table", 0, "wins"), ["1/3"], "table"),
        (("table", 1, "upper"), "1", 'table, dice 1 and 1, player 2 first, upper: "1" in the file, but'),
        (("rounds",), [], "rounds: the list is empty, so nothing is proved"),
        (("rounds", 0, "dice"), [1, 2], "dice"),
        (("rounds", 1, "lower"), "0", "lower"),
        (("rounds", 1, "solution"), None, "the solution is missing"),
        (("rounds", 1, "solution", "lower"), "0", "claim"),
        (("rounds", 1, "solution", "game", "settings", "lose1"), "0", "game"),
        (("rounds", 1, "extra"), 1, "extra"),
        (("extra",), 1, "extra"),
        # Equal to Python alone.
        (("rounds", 0, "dice"), [True, 1.0], "dice"),
        (("table", 0, "first"), True, "table"),
        (("match", "dice"), "2,2,2", "match"),
    ],
)
def test_what_was_changed_is_refused(path, value, where):
    data = small().to_json()
    assert prove_match(data).complete
    with pytest.raises(eb.CertificateError, match=where):
        prove_match(replaced(data, path, value))


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("lower", "0", "lower is"),
        ("status", "proved", "claims nothing"),
        # What proves nothing is ignored, and not printed.
        ("method", "oracle)\nproved        3 against 3: 1", None),
        ("seconds", "x", None),
    ],
)
def test_of_what_was_changed_with_its_check_values_nothing_is_believed(key, value, where):
    """Who changes a file on purpose changes its digests too."""
    data = small().to_json()
    forged = replaced(data["rounds"][3]["solution"], (key,), value)
    forged["digests"] = digests(forged)
    forged = replaced(data, ("rounds", 3, "solution"), forged)
    if where is None:
        assert str(prove_match(forged)) == str(prove_match(data))
    else:
        with pytest.raises(eb.CertificateError, match=where):
            prove_match(forged)


def test_rounds_that_are_proved_for_other_stakes_are_refused():
    """A round's own certificate may be right, and yet be of another game than the match needs."""
    data, other = small().to_json(), solve_match(match_rules({"sides": 2, "next": "winner"})).to_json()
    with pytest.raises(eb.CertificateError, match="rounds, 2 against 2, game"):
        prove_match(replaced(data, ("rounds", 3, "solution"), other["rounds"][3]["solution"]))


def test_a_part_of_a_match_goes_on(monkeypatch):
    kept = []
    rules = match_rules({"sides": 2})
    whole = solve_match(rules, keep=lambda part, _: kept.append(part))
    assert [len(part.rounds) for part in kept] == [1, 2, 3, 4]
    assert not prove_match(kept[1].to_json()).complete
    solved = []
    original = backward.solve
    monkeypatch.setattr(backward, "solve", lambda game, *a, **k: solved.append(game) or original(game, *a, **k))
    assert solve_match(rules, resume=kept[1]).bounds == whole.bounds
    assert [game.dice for game in solved] == [(2, 1), (2, 2)]
    larger = solve_match(replace(rules, dice=(3, 1)), resume=whole)
    assert larger.complete
    with pytest.raises(eb.ParameterError, match=" differs from "):
        solve_match(match_rules({"sides": 2, "next": "winner"}), resume=whole)


WIDE = match_rules({"sides": 3, "dice": "2,2", "wild": "highest"})


def test_strategies_for_other_stakes_are_judged_for_these(monkeypatch):
    """Where a round after it is known better, a round's stakes are others; what was found for it is not lost."""
    wide, exact = solve_match(WIDE, gap=Fraction(1, 4)), solve_match(WIDE)
    assert wide.rounds[1].solution["game"] != exact.rounds[1].solution["game"]
    monkeypatch.setattr(backward, "solve", _no_better())
    again = solve_match(WIDE, resume=replace(wide, rounds=(exact.rounds[0], *wide.rounds[1:])))
    assert again.rounds[0].bounds == exact.rounds[0].bounds
    assert again.complete
    for one, true in zip(again.rounds, exact.rounds, strict=True):
        assert one.bounds.lower <= true.bounds.lower <= true.bounds.upper <= one.bounds.upper
    # The strategies are those of before, and prove nearly the same bracket.
    last, before = again.rounds[-1], wide.rounds[-1]
    assert last.solution["message"] == "strategies found for other stakes, verified for these"
    assert last.solution["strategies"] == before.solution["strategies"]
    assert last.bounds.width < 2 * before.bounds.width
    assert prove_match(json.loads(json.dumps(again.to_json()))).complete


def _no_better():
    """A search that ends at once, with the widest bracket."""
    original = backward.solve

    def solve(game, *words, **named):
        return original(game, *words, **named | {"gap": 2, "checkpoint": None, "resume": None})

    return solve


def test_a_damaged_state_is_begun_anew_with_a_line(tmp_path):
    game, state, said = eb.game("liars-dice-stakes", sides=4, dice="2,2", wild="highest"), tmp_path / "s.npz", []
    right = backward.solve_round(game, state, said.append)
    whole = state.read_bytes()
    state.write_bytes(whole[:200] + b"x" * 60 + whole[260:])
    assert backward.solve_round(game, state, said.append).value == right.value
    assert [line for line in said if line.startswith("started again: cannot resume from ")]


def test_the_state_of_a_round_is_deleted_after_the_round_is_kept(monkeypatch, tmp_path):
    monkeypatch.setattr("efg_builder.solvers.driver.SAVE_EVERY", 0.0)
    kept = []
    rules = match_rules({"sides": 3, "dice": "2,1"})
    solve_match(rules, keep=lambda *_: kept.extend(tmp_path.iterdir()), checkpoint=tmp_path / "state")
    assert [path.name for path in kept] == ["state.1-1.npz", "state.1-2.npz", "state.2-1.npz"]
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_ends_it_whatever_was_kept(monkeypatch):
    """A bracket that is not improved stays, but the interrupt counts; one that is told in a file does not."""
    rules = match_rules({"sides": 3, "dice": "2,1"})
    wide = solve_match(rules, gap=1)
    original = backward.solve

    def stopped(game, *words, **named):
        return replace(original(game, *words, **named | {"gap": 1}), status="interrupted")

    monkeypatch.setattr(backward, "solve", stopped)
    seen = []
    with pytest.raises(KeyboardInterrupt):
        solve_match(rules, resume=wide, keep=lambda part, solution: seen.append((part, solution)))
    assert [solution.status for _, solution in seen if solution is not None] == ["interrupted"]
    monkeypatch.setattr(backward, "solve", original)
    assert solve_match(rules, resume=seen[-1][0], gap=1).complete


def test_rounds_that_are_exact_for_rounded_stakes_are_kept(monkeypatch):
    """Stakes of long denominators are rounded: such a round is as good as it gets."""
    monkeypatch.setattr(match_rules_module, "MOST_DENOMINATOR", 3)
    rules = match_rules({"sides": 3, "dice": "2,2"})
    match = solve_match(rules)
    assert any(0 < bounds.width < Fraction(1, 10**8) for bounds in match.bounds.values())
    exact = backward.replace(match)
    monkeypatch.setattr(backward, "solve", lambda *words, **named: pytest.fail("solved again"))
    assert solve_match(rules, resume=exact).bounds == match.bounds
    assert prove_match(match.to_json()).bounds == match.bounds


fractions = st.fractions(-1, 1, max_denominator=10**12)


@settings(deadline=None)
@given(st.lists(st.tuples(fractions, fractions), min_size=2, max_size=6), fractions)
def test_stakes_are_bounded_by_what_they_are_rounded_to(ends, value):
    """A payoff of every call within its bounds lies within the widening of the rounded one."""
    bounds = [Bounds(min(pair), max(pair)) for pair in ends]
    stakes = Stakes(tuple(bounds[:1]), tuple(bounds[1:]))
    paid = [p for side in stakes.rounded() for p in side]
    around = stakes.around(value, value)
    for each, p in zip(bounds, paid, strict=True):
        for end in each:
            shifted = max(Fraction(-1), min(Fraction(1), value + end - p))
            assert around.lower <= shifted <= around.upper
        assert each.lower - Fraction(1, GRID) <= p <= each.upper + Fraction(1, GRID)


def test_a_file_with_its_keys_in_another_order_is_the_same_match(tmp_path):
    data = small().to_json()
    path = tmp_path / "sorted.json"
    path.write_text(json.dumps(data, sort_keys=True))
    assert next(iter(json.loads(path.read_text()))) != "match"
    assert holds_match(path)
    assert verify_file(path).bounds == small().bounds
    solution = tmp_path / "solution.json"
    solution.write_text(json.dumps({"match": 1, **data["rounds"][0]["solution"]}, sort_keys=True))
    assert not holds_match(solution)
