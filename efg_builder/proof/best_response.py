"""Best responses and values over the whole tree: plain, and exact where the profile is rational.

This module judges what solvers propose and shares no code with them: it walks the tree's nodes, and knows
nothing of sequence forms, linear programs or Gambit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral

from ..base.errors import ParameterError, RecallError, check_argument, check_kind
from ..base.rationals import Number, brief
from ..base.words import bare_figure, distinct, in_columns, plural
from ..forms.extensive import NONE
from ..forms.hand_names import Label, as_in_files
from ..strategies.lines import SHOWN_SETS, played_lines
from ..strategies.tree_profile import TreeProfile

MOST_LOSSES, MOST_MOVES = 5, 4
"""The most information sets at which a player loses that are shown, and the most moves that are played there."""


@dataclass(frozen=True)
class ProfileValues:
    """What a profile is worth, and where it leads.

    ``value``: each player's expected payoff. ``reach``: the probability that play passes through each
    information set, by index in ``tree.infosets`` (of a set met twice on a path, the sum).
    """

    value: tuple[Number, ...]
    reach: tuple[Number, ...]


@dataclass(frozen=True)
class BestResponse:
    """A best response of one player to the strategies of the others.

    Attributes
    ----------
    player : int
        The player, from 0.
    value : Fraction or float
        The player's expected payoff; a Fraction if all strategies are exact.
    actions : dict of int to int
        The index of a best action, by the index in ``tree.infosets`` of each of the player's information sets that
        chance and the others reach.
    gains : Mapping of (int, int) or None to Fraction or float
        The payoff of each action at such an information set, times the probability that chance and the others play
        there. The entry of None is ``value``.
    weights : Sequence of Fraction or float
        By node, the probability that chance and the others play there; 0 at nodes behind one that they never reach.
    before : Mapping of int to (int, int) or None
        By such an information set, the player's last information set and action before it, or None; in the order of
        play.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.best_response(eb.solve("kuhn").profile, 1)
    BestResponse(player=1, value=Fraction(1, 18), actions={8: 0, 7: 0, 12: 1, 11: 1, 10: 0, 9: 0})
    """

    player: int
    value: Number
    actions: dict[int, int]
    gains: Mapping[tuple[int, int] | None, Number] = field(default_factory=dict, repr=False, compare=False)
    weights: Sequence[Number] = field(default=(), repr=False, compare=False)
    before: Mapping[int, tuple[int, int] | None] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Loss:
    """What ``player`` (from 0) loses at one information set by what is played there: ``regret``.

    ``regret``: how likely play gets to the set (``reach``) times how much more the best action, ``better``, is worth
    there than what is ``played``, the player going on with a best response after either. So a player's regrets of all
    sets sum to what a best response gains: the performance difference lemma (S. Kakade and J. Langford, "Approximately
    optimal approximate reinforcement learning", ICML 2002, lemma 6.1). At a set where play never gets nothing is lost.
    ``infoset``: its name (``tree.names``).
    """

    player: int
    infoset: str
    reach: Number
    played: Mapping[str, Number]
    better: str
    regret: Number


def values(profile: TreeProfile) -> ProfileValues:
    """Expected payoffs and reach probabilities; Fractions where the profile is rational, otherwise floats."""
    return values_of(ProfileWalk(profile))


def values_of(walk: ProfileWalk) -> ProfileValues:
    """``values`` of a profile that was unpacked already."""
    tree = walk.tree
    total = [walk.zero] * len(tree.players)
    reached = [walk.zero] * len(tree.infosets)
    for node, p, _ in walk.reached():
        if walk.outcome[node] != NONE:
            for player, payoff in enumerate(walk.payoffs[walk.outcome[node]]):
                total[player] += p * payoff
        if walk.infoset[node] != NONE:
            reached[walk.infoset[node]] += p
    return ProfileValues(tuple(total), tuple(reached))


def best_response(profile: TreeProfile, player: int) -> BestResponse:
    """Return a best response of one player to the strategies of the others, by backward induction.

    Parameters
    ----------
    profile : TreeProfile
        A strategy on a tree, such as ``solution.profile`` or ``strategy.on(tree)``.
    player : int
        The player who responds, from 0.

    Returns
    -------
    BestResponse
        Its payoff and actions. The payoff is a Fraction if *profile* is exact, else a float.

    Raises
    ------
    ParameterError
        If *profile* is not a strategy on a tree, or the game has no such player.
    RecallError
        If the player lacks perfect recall.

    Examples
    --------
    >>> import efg_builder as eb
    >>> default = eb.read_strategy({}, "kuhn").on(eb.build("kuhn"))
    >>> eb.best_response(default, 0).value
    Fraction(1, 1)
    """
    hint = "solution.profile and strategy.on(tree) are such"
    check_kind("best_response", profile, TreeProfile, "a strategy on a tree", hint)
    check_argument("best_response", "player", player, isinstance(player, Integral), "a number")
    if player not in range(len(profile.tree.players)):
        known = ", ".join(map(str, range(len(profile.tree.players)))) or "none"
        raise ParameterError(f"there is no player number {player!r}; choose from: {known}")
    return best_response_of(ProfileWalk(profile), player)


def best_response_of(walk: ProfileWalk, player: int) -> BestResponse:
    """``best_response`` to a profile that was unpacked already."""
    tree = walk.tree
    # gain[(set, action)]: what ends of play after this as the last own move are worth in all, weighted by
    # the probability that chance and the others play towards them. None stands for no own move yet.
    gain: dict[tuple[int, int] | None, Number] = {None: walk.zero}
    before: dict[int, tuple[int, int] | None] = {}
    weight: list[Number] = [walk.zero] * len(tree)
    for node, p, after in walk.reached(player):
        weight[node], own = p, walk.move_to(after)
        if walk.outcome[node] != NONE:
            gain[own] = gain.get(own, walk.zero) + p * walk.payoffs[walk.outcome[node]][player]
        k = walk.infoset[node]
        if k != NONE and walk.mover[k] == player and before.setdefault(k, own) != own:
            raise RecallError(f"{tree.players[player]} does not have perfect recall at {tree.names[k]!r}")
    actions = {}
    # A set is first met after the set of the own move before it: backwards, the later ones come first.
    for k in reversed(before):
        worth = [gain.get((k, action), walk.zero) for action in range(len(tree.infosets[k].actions))]
        actions[k] = max(range(len(worth)), key=worth.__getitem__)
        gain[before[k]] = gain.get(before[k], walk.zero) + worth[actions[k]]
    return BestResponse(player, gain[None], actions, gain, weight, before)


def losses(walk: ProfileWalk, best: BestResponse, reach: Sequence[Number]) -> list[Loss]:
    """Where the player of *best* loses by what is played; *reach* is how likely play gets to each information set."""
    tree, zero = walk.tree, walk.zero
    own: dict[tuple[int, int] | None, Number] = {None: walk.one}
    found = []
    for k, last in best.before.items():
        row = walk.probabilities[k]
        worth = [best.gains.get((k, action), zero) for action in range(len(row))]
        own |= {(k, action): own[last] * p for action, p in enumerate(row)}
        regret = own[last] * (worth[best.actions[k]] - sum((p * w for p, w in zip(row, worth, strict=True)), zero))
        if regret > 0:
            labels = distinct(tree.infosets[k].actions)
            played = {label: p for label, p in zip(labels, row, strict=True) if p}
            found.append(Loss(best.player, tree.names[k], reach[k], played, labels[best.actions[k]], regret))
    return found


def loss_lines(losses: Sequence[Loss], players: Sequence[str], label: Label = as_in_files) -> Iterator[str]:
    """The information sets at which most is lost: what is played there, what is better, and what that would gain.

    *label* names the sets.
    """
    if not losses:
        return
    yield "where it loses reach times gain of the best move at a set; a player's sum to the gain of the best response"
    rows = [
        (
            players[loss.player],
            label(loss.player, loss.infoset),
            _played(loss),
            f"better {loss.better}",
            f"gains {bare_figure(loss.regret)}",
        )
        for loss in losses[:MOST_LOSSES]
    ]
    yield from (f"  {line}" for line in in_columns(rows, right=()))
    if (more := len(losses) - len(rows)) > 0:
        yield f"  and {plural(more, 'set')} more: --json (.losses) has all"


def _played(loss: Loss) -> str:
    """``bet 1/3, pass 2/3``; of many moves those that are played most."""
    most = sorted(loss.played, key=lambda move: -loss.played[move])[:MOST_MOVES]
    shown = [f"{move} {brief(loss.played[move])}" if loss.played[move] != 1 else move for move in most]
    return ", ".join([*shown, "..."] if len(loss.played) > len(most) else shown)


def profile_lines(profile: TreeProfile) -> list[str]:
    """A profile on a tree: its game, what is played where play gets to, and how many sets are left out."""
    tree = profile.tree
    reach = values(profile).reach
    reached = [k for k in tree.personal if reach[k]]
    shown = sorted(sorted(reached, key=lambda k: -reach[k])[:SHOWN_SETS])
    said = [tree.title, *played_lines(profile, shown)]
    left, never = len(tree.personal) - len(shown), len(tree.personal) - len(reached)
    if not left:
        return said
    where = "where play gets less often"
    if never:
        where = "where play never gets" if never == left else f"{never:,} of them where play never gets"
    return [*said, f"and {plural(left, 'set')} more, {where}: profile[NAME] tells one, profile.probabilities all"]


class ProfileWalk:
    """A profile unpacked for walks over its tree."""

    def __init__(self, profile: TreeProfile) -> None:
        tree, exact = profile.tree, profile.exact
        # As Python lists, as single elements are read faster there; all Fractions or all floats, as mixed arithmetic
        # would be slow and inexact; rows of floats sum to 1, as what a solver left over would count as payoff.
        self.tree, self.zero, self.one = tree, Fraction(0) if exact else 0.0, Fraction(1) if exact else 1.0
        self.parent: list[int] = tree.parent.tolist()
        self.action: list[int] = tree.action.tolist()
        self.infoset: list[int] = tree.infoset.tolist()
        self.outcome: list[int] = tree.outcome.tolist()
        self.sizes: list[int] = tree.sizes.tolist()
        self.mover = [infoset.player for infoset in tree.infosets]
        self.payoffs: list[list[Number]] = [[u if exact else float(u) for u in row] for row in tree.payoffs]
        self.probabilities: list[list[Number]] = [
            list(row) if exact else _normalised(list(map(float, row))) for row in profile.probabilities
        ]

    def reached(self, player: int | None = None) -> Iterator[tuple[int, Number, int]]:
        """The nodes to which all but *player* play, in prefix order; subtrees that they never reach are not visited.

        Each with the probability that they do, and the node to which the last move of *player* led (0: none yet).
        """
        weight: list[Number] = [self.one] * len(self.tree)
        after = [0] * len(self.tree)
        node, end = 0, len(self.tree)
        while node < end:
            if node:
                above = self.parent[node]
                k, p, after[node] = self.infoset[above], weight[above], after[above]
                if self.mover[k] == player:
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
        """The information set and the action that lead to *node*; None for the root."""
        return (self.infoset[self.parent[node]], self.action[node]) if node else None


def _normalised(row: list[float]) -> list[Number]:
    total = sum(row)
    return [p / total for p in row]
