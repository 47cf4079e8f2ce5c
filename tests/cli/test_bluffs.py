"""How often opening bids are bluffs: in ``solve``'s words, and in its JSON."""

import json
from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.equilibria.solution_facts import bluff_facts

GAMES = {
    "one die each": {"sides": 3},
    "two against one": {"sides": 3, "dice": (2, 1)},
    "wild": {"sides": 4, "wild": "highest"},
    "three players": {"dice": (1, 1, 1), "max_quantity": 1},
}


def by_hand(game, behavior):
    """The opening bids, counted deal by deal: for each the chance that it is made, is a bluff, and is false."""
    found = {}
    for deal in game.deals:
        dice = [
            [int(die) for die in hands[hand].split(",")] for hands, hand in zip(game.hands, deal.hands, strict=True)
        ]
        for bid, p in behavior(game.hands[0][deal.hands[0]]).items():
            quantity, face = map(int, bid.split("x"))
            count = [sum(die in (face, game.wild) for die in mine) for mine in dice]
            cases = (True, count[0] == 0, sum(count) < quantity)
            old = found.get(bid, (0, 0, 0))
            found[bid] = tuple(a + deal.probability * p * case for a, case in zip(old, cases, strict=True))
    return {bid: (made, bluff / made, false / made) for bid, (made, bluff, false) in found.items() if made}


@pytest.mark.parametrize(
    ("name", "method"),
    [("three players", "gambit-logit")]
    + [(name, method) for name in GAMES if name != "three players" for method in ("lp", "oracle")],
)
def test_opening_bids_are_those_counted_deal_by_deal(name, method, in_process):
    game = eb.game("liars-dice", **GAMES[name])
    solution = eb.solve(game, method)
    profile = solution.sparse if solution.sparse else solution.profile
    right = by_hand(game, lambda hand: profile[f"{hand}: start"])
    found = solution.bluffs.bids
    names = [bid for bid in game.bid_names if right.get(bid, (0,))[0] > 1e-6]
    assert [bid.bid for bid in found] == names
    for bid in found:
        assert bid.player == "Player 1"
        assert (bid.made, bid.bluff, bid.false) == pytest.approx(right[bid.bid], abs=1e-6)
        assert solution.profile is not None or isinstance(bid.bluff, Fraction)


def test_where_bids_claim_nothing_there_are_none():
    poker = eb.game("dice-poker")
    assert eb.solve(poker).bluffs.bids == ()
    solution = eb.solve(eb.parse_efg(eb.build(eb.game("liars-dice")).to_efg()))
    assert solution.bluffs.bids == ()
    assert [*bluff_facts(solution.bluffs), *bluff_facts(eb.solve(poker).bluffs)] == []


def test_json_file_and_python_have_the_same_bluffs_and_the_file_is_proved(cli, tmp_path):
    for words in (["sides=3"], ["sides=6"]):
        file = tmp_path / "s.json"
        code, out, _ = cli("solve", "liars-dice", *words, "--json", "-o", file)
        assert code == 0
        data = json.loads(out)
        assert data == json.loads(file.read_text())
        game = eb.game("liars-dice", sides=int(words[0][-1]))
        solution = eb.solve(game)
        bids = solution.bluffs.bids
        here = solution.to_json()
        assert here == data
        assert data["run"]["bluffs"] == {
            "of_all_bids": {name: float(share) for name, share in solution.bluffs.shares.items()},
            "opening": [{"bid": b.bid, "made": float(b.made), "bluff": float(b.bluff)} for b in bids],
        }
        assert len(bids) > 1
        assert cli("verify", file)[0] == 0
    assert "bluffs" not in json.loads(cli("solve", "dice-poker", "--json")[1])["run"]
