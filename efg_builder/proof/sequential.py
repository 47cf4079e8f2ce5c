"""Verification of sequential equilibria: no player gains at any information set, given beliefs from stated mistakes.

In a sequential equilibrium (D. M. Kreps and R. Wilson, "Sequential equilibria", Econometrica 50, 1982), the beliefs are
limits of Bayes' rule under completely mixed strategies that converge to the profile. Given these beliefs, no player
gains by deviating at any information set. Here, stated mistakes define the completely mixed strategies: an action of
probability 0 gets the probability c e^k, for constants c and k, and small e. So the beliefs are exact: at each
information set, only the nodes of the lowest order in e have positive probability. With such beliefs, it is enough to
check single actions (E. Hendon, H. J. Jacobsen and B. Sloth, "The one-shot-deviation principle for sequential
rationality", Games and Economic Behavior 12, 1996).

The code shares nothing with any solver: it walks over the nodes of the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice
from typing import Any

import numpy as np

from ..base.errors import NotApplicableError, ProfileError
from ..base.rationals import Number, brief, text
from ..base.words import plural
from ..forms.extensive import NONE, GameTree
from ..forms.recall import has_perfect_recall, history
from ..strategies.tree_profile import TreeProfile
from .reach import action_payoffs, beliefs, reaches

Chance = tuple[Fraction, int]
"""The pair (c, k): the probability c e^k, or the leading term of a probability, for small e."""

Mistakes = Mapping[int, Sequence[Chance]]
"""For each personal information set, by its index: the pairs (c, k) of its actions, in order."""

SHOWN_BELIEFS = 5
"""The maximum number of printed information sets with beliefs, and of the nodes of each."""


@dataclass(frozen=True)
class SequentialVerdict:
    """The verdict on a profile at every information set, with beliefs from stated mistakes.

    ``beliefs``: the probability of each node given its information set. Information sets that can be reached only by
    chance moves of probability 0 have no beliefs. ``gains``: for each information set, the mover's gain by the best
    action, compared with the profile, if all players follow the profile afterwards.
    """

    profile: TreeProfile
    mistakes: Mapping[int, tuple[Chance, ...]]
    beliefs: Mapping[int, Fraction]
    gains: Mapping[int, Fraction]

    @property
    def gain(self) -> Fraction:
        return max(self.gains.values(), default=Fraction(0))

    @property
    def sequential(self) -> bool:
        """Whether no gain is positive, so that the profile is a sequential equilibrium."""
        return self.gain == 0

    def off_path(self) -> dict[int, dict[int, Fraction]]:
        """Return the positive beliefs at each unreached information set with several nodes, by its index."""
        tree = self.profile.tree
        counts = np.bincount(tree.infoset[tree.infoset != NONE], minlength=len(tree.infosets))
        reached = {int(tree.infoset[node]) for node, p in enumerate(reaches(tree, self.profile)) if p}
        found: dict[int, dict[int, Fraction]] = {}
        for node, p in sorted(self.beliefs.items()):
            k = int(tree.infoset[node])
            if p and k not in reached and counts[k] > 1:
                found.setdefault(k, {})[node] = p
        return found

    def belief_lines(self) -> Iterator[str]:
        """Yield a line of beliefs for each unreached information set with several nodes; if many, only their number."""
        tree, believed = self.profile.tree, self.off_path()
        if len(believed) > SHOWN_BELIEFS:
            yield f"beliefs at {len(believed):,} unreached information sets: --json (to_json())"
            return
        for k, belief in believed.items():
            last = _shared_end([_history(tree, int(node)) for node in np.flatnonzero(tree.infoset == k)])
            shown = islice(belief.items(), SHOWN_BELIEFS)
            shares = [f"{brief(p)} {history(tree, node).removesuffix(last)}" for node, p in shown]
            more = [f"and {plural(len(belief) - len(shares), 'more node')}"] * (len(belief) > len(shares))
            yield f"belief at {tree.names[k]!r}: {'; '.join(shares + more)}"


def _shared_end(histories: Sequence[list[str]]) -> str:
    """Return the last moves that all *histories* share, as they end a history in words; none has all its moves here."""
    count, shortest = 0, min(map(len, histories))
    while count < shortest - 1 and len({moves[-1 - count] for moves in histories}) == 1:
        count += 1
    shared = histories[0][len(histories[0]) - count :]
    return "".join(f", {move}" for move in shared)


def beliefs_part(tree: GameTree, belief: Mapping[int, Fraction]) -> list[dict[str, Any]]:
    """Return the probabilities of nodes as plain data. A node is named by its history, the actions from the root."""
    return [{"history": _history(tree, node), "probability": text(p)} for node, p in belief.items()]


def _history(tree: GameTree, node: int) -> list[str]:
    path = []
    while node:
        above = int(tree.parent[node])
        path.append(tree.infosets[tree.infoset[above]].actions[tree.action[node]])
        node = above
    return path[::-1]


def verify_sequential(profile: TreeProfile, mistakes: Mistakes) -> SequentialVerdict:
    """Check exactly whether *profile* is a sequential equilibrium given the beliefs from *mistakes*.

    The game may have any number of players. The keys of *mistakes* are the indices of the personal information sets in
    ``tree.infosets``. A value contains a pair (c, k) for each action: the action has the probability c e^k in
    completely mixed strategies, which converge to *profile* as e goes to 0 (Kreps and Wilson 1982). For a played
    action, c is its probability, and k is 0. An unplayed action is a mistake, with c > 0 and k >= 1. For example, with
    ``((Fraction(1), 0), (Fraction(1), 1))`` the player plays the first of two actions, and plays the second by mistake,
    with probability e.

    If the verdict is not ``sequential``, the profile may still be a sequential equilibrium given other mistakes.
    ``eb.solve(game, refine=True)`` finds a profile and mistakes; its ``solution.refined`` is this verdict. Raises
    ``ProfileError`` if the mistakes do not fit the profile. Raises ``NotApplicableError`` if a player lacks perfect
    recall, or if the probabilities are floats.
    """
    if not profile.exact:
        raise NotApplicableError("the check of a sequential equilibrium needs exact probabilities; these are floats")
    if not has_perfect_recall(profile.tree):
        raise NotApplicableError("the check of a sequential equilibrium needs perfect recall of all players")
    stated = {k: tuple(mistakes.get(k, ())) for k in profile.tree.personal}
    for k, row in stated.items():
        _check(profile, k, row)
    beliefs = _beliefs(profile.tree, stated)
    gains = {}
    for k, options in action_payoffs(profile, beliefs).items():
        done = sum(p * option for p, option in zip(profile.probabilities[k], options, strict=True))
        gains[k] = Fraction(max(options) - done)
    return SequentialVerdict(profile, stated, beliefs, gains)


MOST_TRIES, _MOST_NODES = 256, 100_000
"""The maximum numbers of assignments of mistakes to try, and of nodes in the tree. A search takes about a second."""


def prove_sequential(profile: TreeProfile, most: int = MOST_TRIES) -> SequentialVerdict | None:
    """Try to prove that *profile* is a sequential equilibrium, given simple mistakes.

    Return None if this fails after *most* tries; *profile* may still be a sequential equilibrium.

    All mistakes at an information set have the same probability, e or e^2, for small e. The search first tries e at all
    information sets, then e^2 at one information set, then at two, and so on. The search also fails if a player lacks
    perfect recall, if the probabilities are floats, or if the tree has more than 100,000 nodes.
    """
    if not profile.exact or len(profile.tree) > _MOST_NODES or not has_perfect_recall(profile.tree):
        return None
    unplayed = [k for k in profile.tree.personal if not all(profile.probabilities[k])]
    subsets = chain.from_iterable(combinations(unplayed, size) for size in range(len(unplayed) + 1))
    for rarer in islice(subsets, max(1, min(most, _MOST_NODES // len(profile.tree)))):
        mistakes = {
            k: [(Fraction(p), 0) if p else (Fraction(1), 1 + (k in rarer)) for p in profile.probabilities[k]]
            for k in profile.tree.personal
        }
        verdict = verify_sequential(profile, mistakes)
        if verdict.sequential:
            return verdict
    return None


def _check(profile: TreeProfile, k: int, row: tuple[Chance, ...]) -> None:
    infoset = profile.tree.infosets[k]
    if len(row) != len(infoset.actions):
        raise ProfileError(
            f"the mistakes at {profile.tree.names[k]!r} have length {len(row)}, not {len(infoset.actions)}"
        )
    for action, (chance, order), p in zip(infoset.actions, row, profile.probabilities[k], strict=True):
        fits = (chance == p and order == 0) if p else (chance > 0 and order >= 1)
        if not fits:
            stated = f"({text(chance)}, {order})"
            raise ProfileError(
                f"{action!r} at {profile.tree.names[k]!r} has probability {text(p)}, but the mistakes contain {stated}"
            )


def _beliefs(tree: GameTree, stated: Mapping[int, tuple[Chance, ...]]) -> dict[int, Fraction]:
    """Return the limit of each node's probability given its information set, from the paths of the lowest order."""
    parent, action, infoset = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    way: list[Chance] = [(Fraction(1), 0)] * len(tree)
    lowest: dict[int, int] = {}
    total: dict[int, Fraction] = {}
    for node in range(len(tree)):
        k = infoset[node]
        if node:
            above = infoset[parent[node]]
            chances = tree.infosets[above].probabilities
            step = stated[above][action[node]] if chances is None else (chances[action[node]], 0)
            before = way[parent[node]]
            way[node] = (before[0] * step[0], before[1] + step[1])
        chance, order = way[node]
        if k == NONE or k not in stated or not chance:
            continue
        if k not in lowest or order < lowest[k]:
            lowest[k], total[k] = order, Fraction(0)
        if order == lowest[k]:
            total[k] += chance
    return {
        node: way[node][0] / total[k] if way[node][1] == lowest[k] else Fraction(0)
        for node, k in enumerate(infoset)
        if k in total
    }


def logit_residual(profile: TreeProfile, precision: float) -> float:
    """Return the distance of *profile* from its logit response at ``lambda = precision`` (per unit of payoff).

    The distance, a float, is the largest difference between a probability of *profile* and of the logit response, over
    all reached information sets. The distance is 0 for a logit equilibrium, and at most 1. In the logit response, the
    probability of an action is proportional to ``exp(lambda * payoff)``, for the expected payoff given the information
    set (R. D. McKelvey and T. R. Palfrey, "Quantal response equilibria for extensive form games", Experimental
    Economics 1, 1998).
    """
    tree, rows, worst = profile.tree, [[float(p) for p in row] for row in profile.probabilities], 0.0
    reach: list[Number] = [1.0]
    for above, action in zip(tree.parent[1:].tolist(), tree.action[1:].tolist(), strict=True):
        reach.append(reach[above] * rows[tree.infoset[above]][action])  # including a solver's rounding errors
    believed = {node: p for node, p in enumerate(beliefs(tree, reach)) if p is not None and tree.player[node] >= 0}
    for k, payoffs in action_payoffs(profile, believed).items():
        expected = precision * np.array(payoffs, dtype=np.float64)
        weights = np.exp(expected - expected.max())
        worst = max(worst, float(np.abs(weights / weights.sum() - rows[k]).max()))
    return worst
