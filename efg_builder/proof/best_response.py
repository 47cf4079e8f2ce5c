"""Best responses and expected payoffs over the whole tree, exact if the profile is rational.

The code walks over the nodes of the tree. It shares nothing with the solvers, and uses no sequence form, linear program
or Gambit routine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral

from ..base.errors import ParameterError, RecallError, check_argument, check_kind
from ..base.rationals import Number, brief
from ..base.words import bare_figure, distinct, in_columns
from ..forms.extensive import NONE
from ..forms.hand_names import Label, as_in_files
from ..strategies.lines import SHOWN_SETS, played_lines
from ..strategies.tree_profile import TreeProfile

MOST_LOSSES, MOST_MOVES = 5, 4
"""The maximum number of printed losses, and of printed moves for each loss."""


@dataclass(frozen=True)
class ProfileValues:
    """Expected payoffs and reach probabilities of a profile.

    ``value``: each player's expected payoff. ``reach``: the reach probability of each information set, in the order of
    ``tree.infosets``. This is the sum over all nodes of the information set, even if some path contains two of these
    nodes.
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
        The index of a best action at each of the player's information sets that chance and the other players reach. The
        keys are indices in ``tree.infosets``.
    gains : Mapping of (int, int) or None to Fraction or float
        The payoff of each action at these information sets, multiplied by the probability that chance and the other
        players reach the information set. A key is (information set, action). The entry for None is ``value``.
    weights : Sequence of Fraction or float
        The probability that chance and the other players reach each node.
    before : Mapping of int to (int, int) or None
        The player's last information set and action before each of these information sets, or None before the player's
        first move. The keys are in the order of play.

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
    """The loss of ``player`` (from 0) at one information set, compared with the best action there.

    ``infoset``: the name of the information set in ``tree.names``. ``reach``: its reach probability. ``played``: the
    probability of each played action. ``better``: a best action. ``regret``: ``reach`` times the gain of ``better``
    over ``played``, if a best response follows both. A player's regrets sum to the gain of a best response, by the
    performance difference lemma (S. Kakade and J. Langford, "Approximately optimal approximate reinforcement learning",
    ICML 2002, lemma 6.1).
    """

    player: int
    infoset: str
    reach: Number
    played: Mapping[str, Number]
    better: str
    regret: Number


def values(profile: TreeProfile) -> ProfileValues:
    """Return the expected payoffs and reach probabilities of *profile*.

    They are Fractions if the profile is rational, otherwise floats.
    """
    return values_of(ProfileWalk(profile))


def values_of(walk: ProfileWalk) -> ProfileValues:
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
        The responding player, from 0.

    Returns
    -------
    BestResponse
        The payoff and the actions. The payoff is a Fraction if *profile* is exact, else a float.

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
    hint = "e.g. solution.profile or strategy.on(tree)"
    check_kind("best_response", profile, TreeProfile, "a strategy on a tree", hint)
    check_argument("best_response", "player", player, isinstance(player, Integral), "a number")
    if player not in range(len(profile.tree.players)):
        known = ", ".join(map(str, range(len(profile.tree.players)))) or "none"
        raise ParameterError(f"there is no player number {player!r}; choose from: {known}")
    return best_response_of(ProfileWalk(profile), player)


def best_response_of(walk: ProfileWalk, player: int) -> BestResponse:
    tree = walk.tree
    # gain[(information set, action)]: the sum of the player's payoffs at the terminal nodes that follow this move
    # without another move of the player. Each payoff is weighted by the probability that chance and the other players
    # reach the node. The key None is for terminal nodes before the player's first move.
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
    # The walk lists the player's information sets in the order of play, so the reversed list begins with the last ones.
    for k in reversed(before):
        worth = [gain.get((k, action), walk.zero) for action in range(len(tree.infosets[k].actions))]
        actions[k] = max(range(len(worth)), key=worth.__getitem__)
        gain[before[k]] = gain.get(before[k], walk.zero) + worth[actions[k]]
    return BestResponse(player, gain[None], actions, gain, weight, before)


def losses(walk: ProfileWalk, best: BestResponse, reach: Sequence[Number]) -> list[Loss]:
    """Return the losses of ``best.player``. *reach*: the reach probability of each information set."""
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
    """Yield a line for each of the largest losses. *label* names an information set."""
    if not losses:
        return
    sums = "a player's losses sum to the best response's gain"
    yield f"losses         reach probability times the best move's gain; {sums}"
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
        yield f"  and {more:,} more: see --json (.losses)"


def _played(loss: Loss) -> str:
    """Return the moves with the highest probabilities, such as ``bet 1/3, pass 2/3``."""
    most = sorted(loss.played, key=lambda move: -loss.played[move])[:MOST_MOVES]
    shown = [f"{move} {brief(loss.played[move])}" if loss.played[move] != 1 else move for move in most]
    return ", ".join([*shown, "..."] if len(loss.played) > len(most) else shown)


def profile_lines(profile: TreeProfile) -> list[str]:
    """Return lines with the game's title and the moves at the information sets with the highest reach probabilities."""
    tree = profile.tree
    reach = values(profile).reach
    reached = [k for k in tree.personal if reach[k]]
    shown = sorted(sorted(reached, key=lambda k: -reach[k])[:SHOWN_SETS])
    said = [tree.title, *played_lines(profile, shown)]
    left, never = len(tree.personal) - len(shown), len(tree.personal) - len(reached)
    if not left:
        return said
    where = "reached less often"
    if never:
        where = "never reached" if never == left else f"{never:,} of them never reached"
    more = f"and {left:,} more information {'set' if left == 1 else 'sets'}, {where}"
    return [*said, f"{more}: profile[NAME] shows one of them, and profile.probabilities shows all"]


class ProfileWalk:
    """A profile as lists, for walks over its tree."""

    def __init__(self, profile: TreeProfile) -> None:
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
        """Return the information set and the action before *node*; None for the root."""
        return (self.infoset[self.parent[node]], self.action[node]) if node else None


def _normalized(row: list[float]) -> list[Number]:
    total = sum(row)
    return [p / total for p in row]
