"""How often the players bluff, for ``efg-builder solve``: in words, and in the solution's JSON."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..base.numbers_in_words import percent, plural
from ..equilibria.openings import Bluffing, OpeningBid, bluffing, opening_bids
from ..equilibria.solution import Solution

SHOWN_BIDS, SHOWN_SHARE = 24, 0.0001
"""First bids are listed up to so many, and from this probability on."""


@dataclass(frozen=True)
class Bluffs:
    """The figures: each player's share of bluffs, and the bids made first; both empty where bids claim nothing."""

    shares: tuple[Bluffing, ...]
    bids: tuple[OpeningBid, ...]


def bluffs_of(solution: Solution) -> Bluffs:
    """The figures on *solution*; this goes over all that is played, so it is done once for words and JSON."""
    return Bluffs(bluffing(solution, solution.game), opening_bids(solution, solution.game))


def with_bluffs(solution: Solution, bluffs: Bluffs) -> Solution:
    """The solution with its figures on bluffs among the details, for its JSON; they are no part of what is claimed."""
    if not bluffs.shares:
        return solution
    figures = {
        "of_all_bids": {share.player: float(share.share) for share in bluffs.shares},
        "opening": [{"bid": bid.bid, "made": float(bid.made), "bluff": float(bid.bluff)} for bid in bluffs.bids],
    }
    return replace(solution, details={**solution.details, "bluffs": figures})


def bluff_lines(bluffs: Bluffs) -> list[str]:
    """Of all bids, and of each that is made first, how many are bluffs; nothing where bids claim nothing."""
    shares, bids = bluffs.shares, bluffs.bids
    words = ", ".join(f"{share.player} {percent(share.share)}" for share in shares)
    lines = [f"bluffs        of all bids, those that no own die bears out: {words}"] if shares else []
    if not bids:
        return lines
    width = max(3, *(len(bid.bid) for bid in bids)) + 2
    lines.append(f"opening       {'bid':<{width}}{'made':<8}bluff   ({bids[0].player}'s first bid, all hands together)")
    shown = [bid for bid in bids if bid.made >= SHOWN_SHARE][:SHOWN_BIDS]
    lines += [f"{'':<14}{bid.bid:<{width}}{percent(bid.made):<8}{percent(bid.bluff)}" for bid in shown]
    more = len(bids) - len(shown)
    return [*lines, f"{'':<14}and {plural(more, 'more bid')}: --json lists all"] if more > 0 else lines
