"""Best responses and expected payoffs by a walk over the nodes of the tree, exact if the profile is rational.

The walk needs no sequences, so it also serves games with players who lack perfect recall. It shares nothing with the
solvers, and uses no sequence form, linear program or Gambit routine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from ..base.errors import RecallError
from ..base.rationals import Number
from ..base.words import VERIFYING, quiet
from ..forms.extensive import NONE, revisits
from ..forms.recall import solvable
from ..strategies.tree_profile import TreeProfile
from .measures import BestResponse, Loss, ProfileValues, loss

STEP = 1_000
"""The minimum number of nodes between two progress lines."""


class ProfileWalk:
    """A profile as lists, for walks over its tree. An exception of *progress* ends a walk."""

    def __init__(self, profile: TreeProfile, progress: Callable[[str], None] = quiet) -> None:
        self.progress = progress
        tree, exact = profile.tree, profile.exact
        # Python reads an element of a list faster than an element of an array. Either all numbers are Fractions or all
        # are floats, because mixed arithmetic is slow and inexact. Rows of floats are normalized, because a solver's
        # rounding errors would change the payoffs.
        self.tree, self.zero, self.one = tree, Fraction(0) if exact else 0.0, Fraction(1) if exact else 1.0
        self.parent: list[int] = tree.parent.tolist()
        self.action: list[int] = tree.action.tolist()
        self.infoset: list[int] = tree.infoset.tolist()
        self.outcome: list[int] = tree.outcome.tolist()
        self.sizes: list[int] = tree.sizes.tolist()
        self.revisits = revisits(tree)
        # ``free[k]``: whether a move at k counts as a player's move. Forced moves do not if they alone hide perfect
        # recall.
        hide = solvable(tree) is not tree
        self.free = [len(infoset.actions) > 1 or not hide for infoset in tree.infosets]
        self.mover = [infoset.player for infoset in tree.infosets]
        self.payoffs: list[list[Number]] = [[u if exact else float(u) for u in row] for row in tree.payoffs]
        self.probabilities: list[list[Number]] = [
            list(row) if exact else _normalized(list(map(float, row))) for row in profile.probabilities
        ]

    def reached(self, player: int | None = None) -> Iterator[tuple[int, Number, int]]:
        """Yield the nodes that chance and all players except *player* reach, in prefix order.

        Also yield the probability that they reach the node, and the node after *player*'s last move (0 without such a
        move).
        """
        weight: list[Number] = [self.one] * len(self.tree)
        after = [0] * len(self.tree)
        node, end, due = 0, len(self.tree), STEP
        while node < end:
            if node >= due:
                self.progress(f"{VERIFYING}: {node:,} of {end:,} nodes")
                due = node + STEP
            if node:
                above = self.parent[node]
                k, p, after[node] = self.infoset[above], weight[above], after[above]
                if self.mover[k] == player:
                    if self.free[k]:
                        after[node] = node
                else:
                    p = p * self.probabilities[k][self.action[node]]
                if not p:
                    node += self.sizes[node]
                    continue
                weight[node] = p
            yield node, weight[node], after[node]
            node += 1

    def move_to(self, node: int) -> tuple[int, int] | None:
        """Return the information set and the action before *node*; None for the root."""
        return (self.infoset[self.parent[node]], self.action[node]) if node else None

    def values(self) -> ProfileValues:
        """Return the expected payoffs and reach probabilities."""
        total = [self.zero] * len(self.tree.players)
        reached = [self.zero] * len(self.tree.infosets)
        for node, p, _ in self.reached():
            if self.outcome[node] != NONE:
                for player, payoff in enumerate(self.payoffs[self.outcome[node]]):
                    total[player] += p * payoff
            # A path may meet an information set twice; it reaches the set only once.
            if self.infoset[node] != NONE and node not in self.revisits:
                reached[self.infoset[node]] += p
        return ProfileValues(tuple(total), tuple(reached))

    def best_response(self, player: int) -> BestResponse:
        """Return a best response of *player* to the others. Raises ``RecallError``."""
        return self._respond(player)[0]

    def _respond(self, player: int) -> tuple[BestResponse, dict[int, tuple[int, int] | None]]:
        """Return a best response, and the player's last move before each reached information set, in order of play."""
        tree, zero = self.tree, self.zero
        # gain[(information set, action)]: the sum of the player's payoffs at the terminal nodes that follow this move
        # without another move of the player. Each payoff is weighted by the probability that chance and the other
        # players reach the node. The key None is for terminal nodes before the player's first move.
        gain: dict[tuple[int, int] | None, Number] = {None: zero}
        before: dict[int, tuple[int, int] | None] = {}
        reach: dict[int, Number] = {}
        actions: dict[int, int] = {}
        for node, p, after in self.reached(player):
            last = self.move_to(after)
            if self.outcome[node] != NONE:
                gain[last] = gain.get(last, zero) + p * self.payoffs[self.outcome[node]][player]
            k = self.infoset[node]
            if k != NONE and self.mover[k] == player:
                reach[k] = reach.get(k, zero) + p
                if not self.free[k]:
                    actions[k] = 0  # the only action, which does not count as a move
                elif before.setdefault(k, last) != last:
                    raise RecallError(f"{tree.players[player]} does not have perfect recall at {tree.names[k]!r}")
        gains = dict[tuple[int, int] | None, Number]()
        # The walk lists the player's information sets in the order of play, so the reversed list begins with the last.
        for k in reversed(before):
            worth = [gain.get((k, action), zero) for action in range(len(tree.infosets[k].actions))]
            gains |= {(k, action): each for action, each in enumerate(worth)}
            actions[k] = max(range(len(worth)), key=worth.__getitem__)
            gain[before[k]] = gain.get(before[k], zero) + worth[actions[k]]
        gains[None] = gain[None]
        return BestResponse(player, gain[None], dict(sorted(actions.items())), gains, reach), before

    def judge(self, player: int, profile: TreeProfile, reach: Sequence[Number]) -> tuple[Number, list[Loss]]:
        """Return the payoff of *player*'s best response, and the player's losses. Raises ``RecallError``.

        *reach*: the reach probability of each information set.
        """
        best, before = self._respond(player)
        own: dict[tuple[int, int] | None, Number] = {None: self.one}
        found = {}
        for k, last in before.items():
            row = self.probabilities[k]
            worth = [best.gains[k, action] for action in range(len(row))]
            own |= {(k, action): own[last] * p for action, p in enumerate(row)}
            played = sum((p * w for p, w in zip(row, worth, strict=True)), self.zero)
            regret = own[last] * (worth[best.actions[k]] - played)
            if regret > 0:
                found[k] = loss(profile, player, k, reach[k], best.actions[k], regret)
        return best.value, [found[k] for k in sorted(found, key=self.tree.first_nodes.__getitem__)]


def _normalized(row: list[float]) -> list[Number]:
    total = sum(row)
    return [p / total for p in row]
