"""Bluffs where hands depend on each other: the figures of the public walk are those counted node by node."""

from fractions import Fraction

import efg_builder as eb
from efg_builder.games.liars_dice import LiarsDice
from efg_builder.games.protocol import Deal


class Apart(LiarsDice):
    """Liar's Dice in which no two players hold the same hand."""

    hand_probabilities = None

    @property
    def deals(self):
        pairs = [(a, b) for a in range(self.sides) for b in range(self.sides) if a != b]
        return tuple(Deal(Fraction(1, len(pairs)), pair) for pair in pairs)

    @property
    def deal_count(self):
        return len(self.deals)


def test_bluffs_of_hands_that_depend_on_each_other():
    game = Apart(sides=3)
    solution = eb.solve(game, "lp")
    tree, rows = solution.profile.tree, solution.profile.probabilities
    reach, bids, bluffs, opened = [Fraction(1)], [0, 0], [0, 0], {}
    for node in range(1, len(tree)):
        infoset = tree.infosets[tree.infoset[tree.parent[node]]]
        action = infoset.actions[tree.action[node]]
        reach.append(reach[tree.parent[node]] * rows[tree.infoset[tree.parent[node]]][tree.action[node]])
        if infoset.player >= 0 and action != "call":
            bids[infoset.player] += reach[node]
            bluff = action.partition("x")[2] != infoset.label.partition(":")[0]
            bluffs[infoset.player] += reach[node] * bluff
            if infoset.label.endswith(": start"):
                made, lied = opened.get(action, (0, 0))
                opened[action] = made + reach[node], lied + reach[node] * bluff
    expected = {name: lied / made for name, made, lied in zip(game.players, bids, bluffs, strict=True) if made}
    assert solution.bluffs.shares == expected
    found = {bid.bid: (bid.made, bid.bluff * bid.made) for bid in solution.bluffs.bids}
    assert found == {bid: pair for bid, pair in opened.items() if pair[0]}
