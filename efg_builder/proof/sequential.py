"""Is a profile a sequential equilibrium? At every information set, also where play never gets, by stated mistakes.

D. M. Kreps and R. Wilson, "Sequential equilibria", Econometrica 50 (1982): beliefs must be limits of Bayes' rule under
strategies that play everything and tend to the profile, and against them no player may gain at any set. Here these
strategies are stated by their mistakes: an action of probability 0 is played with probability c e^k for small e. So
beliefs follow exactly: of the ways to a set those of the lowest order in e are the likely ones. That no *single* action
is better anywhere is enough where beliefs are such limits (E. Hendon, H. J. Jacobsen and B. Sloth, "The one-shot-
deviation principle for sequential rationality", Games and Economic Behavior 12, 1996).

Shares no code with any solver: it walks the tree's nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice

import numpy as np

from ..base.errors import NotApplicableError, ProfileError
from ..base.rationals import Number, text
from ..forms.extensive import NONE, GameTree, has_perfect_recall
from ..strategies.tree_profile import TreeProfile
from .reach import action_payoffs, beliefs

Chance = tuple[Fraction, int]
"""c and k: the probability c e^k, or what it tends to, for small e."""

Mistakes = Mapping[int, Sequence[Chance]]
"""For each personal information set, by index, how likely each action is: (probability, 0) where it is played, and
(c, k) with c > 0 and k >= 1 where it is a mistake."""


@dataclass(frozen=True)
class SequentialVerdict:
    """A profile, judged at every information set against the beliefs that stated mistakes give.

    ``beliefs``: how likely each node is within its set, by node; sets that chance never lets play get to have none.
    ``gains``: by set, how much more the best action is worth to the mover than what the profile does there, the profile
    being followed ever after. ``sequential``: no gain anywhere, so the profile is a sequential equilibrium.
    """

    profile: TreeProfile
    mistakes: Mapping[int, tuple[Chance, ...]]
    beliefs: Mapping[int, Fraction]
    gains: Mapping[int, Fraction]

    @property
    def gain(self) -> Fraction:
        """The largest gain at any set."""
        return max(self.gains.values(), default=Fraction(0))

    @property
    def sequential(self) -> bool:
        """Whether no action is better than what is done, at any set."""
        return self.gain == 0


def verify_sequential(profile: TreeProfile, mistakes: Mistakes) -> SequentialVerdict:
    """Whether *profile* is a sequential equilibrium by the beliefs that *mistakes* give; exact, any number of players.

    *mistakes* has, for each personal information set by its index in ``tree.infosets``, a pair (c, k) for each action:
    how likely it is in strategies that play everything and tend to *profile* as e goes to 0. An action that is played
    is (its probability, 0); one that is not is a mistake of probability c e^k, with c > 0 and k >= 1. So
    ``((Fraction(1), 0), (Fraction(1), 1))`` plays the first of two actions, and the second by mistake, with
    probability e. Beliefs go by the mistakes of the lowest order that lead to a set: the others are ever so much rarer.

    A verdict that is not ``sequential`` says only that these mistakes do not make the profile one; others might.
    ``eb.solve(game, refine=True)`` finds profile and mistakes, and has this verdict as ``solution.refined``. Raises
    ``ProfileError`` where the mistakes are not those of this profile, ``NotApplicableError`` without perfect recall or
    for probabilities in floats. Source: Kreps and Wilson, "Sequential equilibria", Econometrica 50 (1982).
    """
    if not profile.exact:
        raise NotApplicableError("sequential rationality is checked in exact arithmetic; the profile is in floats")
    if not has_perfect_recall(profile.tree):
        raise NotApplicableError("sequential equilibria are checked where all players have perfect recall")
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
"""The limits of the search, in assignments of mistakes and in nodes: about a second."""


def prove_sequential(profile: TreeProfile) -> SequentialVerdict | None:
    """Return the proof of a sequential equilibrium by the first simple mistakes that give one; None if none do.

    All mistakes of an information set have the same probability, e or the rarer e^2. First all are e, then those of
    one set are rarer, then those of two. None is no proof of the contrary, and the answer without perfect recall, for
    probabilities in floats, and for trees of more than 100,000 nodes.
    """
    if not profile.exact or len(profile.tree) > _MOST_NODES or not has_perfect_recall(profile.tree):
        return None
    unplayed = [k for k in profile.tree.personal if not all(profile.probabilities[k])]
    for rarer in islice(_subsets(unplayed), max(1, min(MOST_TRIES, _MOST_NODES // len(profile.tree)))):
        verdict = verify_sequential(profile, _equal_mistakes(profile, rarer))
        if verdict.sequential:
            return verdict
    return None


def _subsets(those: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(those, size) for size in range(len(those) + 1))


def _equal_mistakes(profile: TreeProfile, rarer: Sequence[int]) -> Mistakes:
    return {
        k: [(Fraction(p), 0) if p else (Fraction(1), 1 + (k in rarer)) for p in profile.probabilities[k]]
        for k in profile.tree.personal
    }


def _check(profile: TreeProfile, k: int, row: tuple[Chance, ...]) -> None:
    infoset = profile.tree.infosets[k]
    if len(row) != len(infoset.actions):
        raise ProfileError(
            f"{len(row)} mistakes or probabilities for the {len(infoset.actions)} actions of {profile.tree.names[k]!r}"
        )
    for action, (chance, order), p in zip(infoset.actions, row, profile.probabilities[k], strict=True):
        fits = (chance == p and order == 0) if p else (chance > 0 and order >= 1)
        if not fits:
            stated = f"{text(chance)} to the order {order}"
            raise ProfileError(
                f"{action!r} at {profile.tree.names[k]!r} has probability {text(p)}, which {stated} does not tend to"
            )


def _beliefs(tree: GameTree, stated: Mapping[int, tuple[Chance, ...]]) -> dict[int, Fraction]:
    """Each node's probability within its set, in the limit: only ways of the lowest order count."""
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
    """The distance of *profile* from its logit response at ``lambda = precision`` (per unit of payoff).

    The greatest difference between a probability and the logit response to the whole profile, over the sets that
    play reaches: 0 for an equilibrium, at most 1. At each set an action has a probability in proportion to
    ``exp(lambda * payoff)``, its payoff once play is there (R. D. McKelvey and T. R. Palfrey, "Quantal response
    equilibria for extensive form games", Experimental Economics 1, 1998). In floats.
    """
    tree, rows, worst = profile.tree, [[float(p) for p in row] for row in profile.probabilities], 0.0
    reach: list[Number] = [1.0]
    for above, action in zip(tree.parent[1:].tolist(), tree.action[1:].tolist(), strict=True):
        reach.append(reach[above] * rows[tree.infoset[above]][action])  # a solver's noise counts: it is judged here
    believed = {node: p for node, p in enumerate(beliefs(tree, reach)) if p is not None and tree.player[node] >= 0}
    for k, payoffs in action_payoffs(profile, believed).items():
        expected = precision * np.array(payoffs, dtype=np.float64)
        weights = np.exp(expected - expected.max())
        worst = max(worst, float(np.abs(weights / weights.sum() - rows[k]).max()))
    return worst
