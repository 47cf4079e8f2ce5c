"""A solution in lines."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..base.errors import TreeTooLargeError
from ..base.rationals import Number, brief
from ..base.words import (
    LEAST_SHOWN,
    NOBODY_GUARANTEED,
    NOBODY_SURE,
    chance,
    equilibrium_within,
    figure,
    most_won,
    nobody_gains,
    plural,
)
from ..games.bidding import BiddingGame
from ..proof import Verdict
from ..strategies.lines import SHOWN_SETS, played_lines
from ..strategies.protocol import Strategy
from ..strategies.sparse_profile import SparseProfile
from ..strategies.support_tree import support_tree
from ..strategies.tree_profile import TreeProfile
from .bids import Bluffs, one_of_many

if TYPE_CHECKING:
    from .solution import Judged, Solution

SHOWN_NODES = 5_000
"""Larger support trees have more than those sets."""

SHOWN_EQUILIBRIA = 20

SHOWN_BIDS = 24
"""At most this many first bids are listed, from the probability ``LEAST_SHOWN`` on."""

ONE_OF_MANY = (
    "there may be other equilibria: 'ranges' shows the play that all share, 'solve --refine' finds one that also "
    "plays well after mistakes"
)
"""Said of an equilibrium that may look odd where nothing hangs on it, such as calling with a 2 and folding a 3."""

EMPTY_THREATS = "moves off the equilibrium path were not checked, so a threat there may be empty"
"""A note on an equilibrium without a value that was verified on the equilibrium path alone."""


def may_threaten(solution: Solution) -> bool:
    """Whether this is an equilibrium without a value, not checked where play does not get, and there are such sets.

    Where there is a value each player secures it, whatever the other threatens. Backward induction and refinement have
    looked at all sets.
    """
    if not solution.solved or solution.lower is not None or solution.refined or solution.method == "backward":
        return False
    if solution.strategy is None or solution.verdict is None:
        return False
    return has_unchecked(solution.strategy, solution.verdict)


def has_unchecked(strategy: Strategy, verdict: Verdict) -> bool:
    """Whether *verdict* leaves moves off the equilibrium path unchecked, and gives no bounds of a value."""
    if verdict.lower is not None:
        return False
    if not isinstance(strategy, TreeProfile):
        return True
    tree = strategy.tree
    return any(verdict.reach[k] == 0 and len(tree.infosets[k].actions) > 1 for k in tree.personal)


def solution_lines(solution: Solution) -> list[str]:
    """The solution in a few lines, strategies included where they are few."""
    lines = [solution.title, f"method        {solution.method}", f"status        {solution.status}"]
    if solution.message:
        lines.append(f"              {solution.message}")
    settled = solution.lower is not None and solution.lower == solution.upper
    if solution.lower is not None and solution.upper is not None and not settled:
        width = float(Fraction(solution.upper) - Fraction(solution.lower))
        lines.append(f"bracket       {figure(solution.lower)} to {figure(solution.upper)} (gap {width:.3g})")
        if solution.regret is not None:
            lines.append(f"proved        {nobody_gains(solution.regret)}")
        if solution.value is not None:
            most = most_won(solution.players, solution.value, solution.lower, solution.upper)
            lines.append(f"              who plays against this gets {most}")
    elif solution.lower is None and solution.regret:
        lines.append(f"proved        {nobody_gains(solution.regret)}")
    if solution.near is not None:
        radius, why = solution.near.radius, f"not proved    that a true equilibrium is near: {solution.near.reason}"
        lines.append(why if radius is None else f"              {equilibrium_within(radius)}")
    if solution.value is not None:
        word = "value" if settled else "payoff"
        for player, value in zip(solution.players, solution.value, strict=True):
            lines.append(f"{word:<14}{player}: {figure(value)}")
    if solution.regret is not None:
        proof = (
            " (exact: two best responses over the whole game agree on the value)" if settled and solution.exact else ""
        )
        lines.append(f"regret        {figure(solution.regret)}{proof}")
    if len(solution.players) > 2 and solution.value is not None:
        lines.append(f"              {NOBODY_SURE if solution.solved else NOBODY_GUARANTEED}")
    if solution.refined is not None:
        sets = plural(len(solution.refined.gains), "information set")
        lines.append(f"refined       no action is better at any of {sets}, also after mistakes (beliefs: --json)")
    if solution.profile is not None and len(solution.profile.tree.personal) <= SHOWN_SETS:
        whole = solution.several or may_threaten(solution)
        where = "(off path: information sets that this play does not reach)" if whole else "(where play reaches)"
        lines += [f"strategy      {where}", *_played(solution.profile, solution.verdict, whole)]
    if solution.sparse is not None:
        lines += _sparse(solution, solution.sparse)
    lines += bluff_lines(solution.bluffs, solution.regret or 0)
    if solution.several:
        good = sum(1 for j in solution.judged if j.verdict and j.verdict.equilibrium)
        lines.append(f"found         {plural(len(solution.judged), 'profile')}, {good} verified as equilibria")
        lines += _each(solution.judged)
    if may_threaten(solution):
        lines.append(f"off the path  {EMPTY_THREATS}")
    if one_of_many(solution):
        lines.append(f"others        {ONE_OF_MANY}")
    return [*lines, f"seconds       {solution.seconds:.2f}"]


def _sparse(solution: Solution, profile: SparseProfile) -> list[str]:
    """How much is written of how much there is, the work it took, and the strategies where they are few."""
    size, lines = profile.game.size(), []
    written = " + ".join(f"{count:,}" for count in profile.sizes)
    work = [f"{written} of {plural(sum(size.infosets), 'information set')}"]
    rounds, sequences = (solution.details.get(key) for key in ("rounds", "sequences"))
    if isinstance(rounds, int) and isinstance(sequences, Sequence):
        work.append(f"{plural(rounds, 'round')}, {' + '.join(f'{count:,}' for count in sequences)} sequences")
    lines.append(f"support       {'; '.join(work)}")
    try:
        tree = support_tree(profile, max_nodes=SHOWN_NODES)
    except TreeTooLargeError:
        return lines
    if len(tree.personal) <= SHOWN_SETS:
        rest = f"; anywhere else: {profile.game.call}" if isinstance(profile.game, BiddingGame) else ""
        lines.append(f"strategy      (where play reaches{rest})")
        lines += _played(profile.on(tree), None)
    return lines


def bluff_lines(bluffs: Bluffs, regret: Number = 0) -> list[str]:
    """The share of bluffs in all bids, and in each opening bid; nothing where bids claim nothing.

    *regret* is that of the strategies (``chance``).
    """
    shares, bids = bluffs.shares, bluffs.bids
    words = ", ".join(f"{name} {chance(share, regret)}" for name, share in shares.items())
    lines = [f"bluffs        of all bids, those that no own die bears out: {words}"] if shares else []
    if not bids:
        return lines
    width = max(3, *(len(bid.bid) for bid in bids)) + 2
    lines.append(f"opening       {'bid':<{width}}{'made':<8}bluff   ({bids[0].player}'s first bid, all hands together)")
    shown = [bid for bid in bids if bid.made >= LEAST_SHOWN][:SHOWN_BIDS]
    lines += [f"{'':<14}{bid.bid:<{width}}{chance(bid.made, regret):<8}{chance(bid.bluff, regret)}" for bid in shown]
    more = len(bids) - len(shown)
    return [*lines, f"{'':<14}and {plural(more, 'more bid')}: --json (to_json()) lists all"] if more > 0 else lines


def _played(profile: TreeProfile, verdict: Verdict | None, whole: bool = False) -> list[str]:
    """The play at the information sets that are reached, or at all of them (*whole*), those off the path marked.

    Without a verdict nothing is known of reach, and all are listed.
    """
    tree = profile.tree
    if verdict is None:
        return played_lines(profile, tree.personal)
    off_path = [k for k in tree.personal if not verdict.reach[k]]
    shown = [k for k in tree.personal if whole or verdict.reach[k]]
    return played_lines(profile, shown, verdict.regret, off_path)


def _each(judged: tuple[Judged, ...]) -> list[str]:
    lines = []
    for index, one in enumerate(judged[:SHOWN_EQUILIBRIA], start=1):
        if one.verdict is not None:
            payoffs = ", ".join(brief(value) for value in one.verdict.value)
            lines.append(f"  {index:>3}  payoffs {payoffs}; regret {brief(one.verdict.regret)}")
            # The first one stands above.
            if index > 1 and isinstance(one.strategy, TreeProfile) and len(one.strategy.tree.personal) <= SHOWN_SETS:
                lines += [f"       {line}" for line in _played(one.strategy, one.verdict, whole=True)]
    if len(judged) > SHOWN_EQUILIBRIA:
        lines.append(f"  and {len(judged) - SHOWN_EQUILIBRIA:,} more: --json (to_json()) lists all")
    return lines
