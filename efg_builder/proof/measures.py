"""The numbers that a judge computes from a profile: payoffs, reach probabilities, best responses and losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..base.rationals import Number
from ..base.words import PERCENT_ROUNDED, Notation, bare_figure, in_columns, notation
from ..forms.hand_names import Label, as_in_files
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
        keys are indices in ``tree.infosets``, ascending.
    gains : dict of (int, int) or None to Fraction or float
        The payoff of each action at these information sets, multiplied by the probability that chance and the other
        players reach the information set. A key is (information set, action). The entry for None is ``value``.
    reach : dict of int to Fraction or float
        The probability that chance and the other players reach each of these information sets.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.best_response(eb.solve("kuhn").profile, 1)
    BestResponse(player=1, value=Fraction(1, 18), actions={7: 0, 8: 0, 9: 0, 10: 0, 11: 1, 12: 1})
    """

    player: int
    value: Number
    actions: dict[int, int]
    gains: Mapping[tuple[int, int] | None, Number] = field(default_factory=dict, repr=False, compare=False)
    reach: Mapping[int, Number] = field(default_factory=dict, repr=False, compare=False)


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


def loss(profile: TreeProfile, player: int, k: int, reach: Number, best: int, regret: Number) -> Loss:
    """Return the loss of *player* at the information set *k*. *best*: the index of a best action."""
    row = profile.row(k)
    played = {label: p for label, p in row.items() if p}
    return Loss(player, profile.tree.names[k], reach, played, list(row)[best], regret)


def loss_lines(losses: Sequence[Loss], players: Sequence[str], label: Label = as_in_files) -> Iterator[str]:
    """Yield a line for each of the largest losses. *label* names an information set."""
    if not losses:
        return
    sums = "a player's losses sum to the best response's gain"
    write = notation(p for loss in losses[:MOST_LOSSES] for p in loss.played.values())
    rounded = f"; {PERCENT_ROUNDED}" * write.rounded
    yield f"losses         reach probability times the best move's gain; {sums}{rounded}"
    rows = [
        (
            players[loss.player],
            label(loss.player, loss.infoset),
            _played(loss, write),
            f"better {loss.better}",
            f"gains {bare_figure(loss.regret)}",
        )
        for loss in losses[:MOST_LOSSES]
    ]
    yield from (f"  {line}" for line in in_columns(rows, right=()))
    if (more := len(losses) - len(rows)) > 0:
        yield f"  and {more:,} more: see --json (.losses)"


def _played(loss: Loss, write: Notation) -> str:
    """Return the moves with the highest probabilities, such as ``bet 1/3, pass 2/3``."""
    most = sorted(loss.played, key=lambda move: -loss.played[move])[:MOST_MOVES]
    row = [loss.played[move] for move in most]
    shown = [f"{move} {write(p, row)}" if p != 1 else move for move, p in zip(most, row, strict=True)]
    return ", ".join([*shown, "..."] if len(loss.played) > len(most) else shown)
