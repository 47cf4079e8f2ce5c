"""The facts of a solution in words. Commands, reports and notebooks choose from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from ..base.errors import TreeTooLargeError
from ..base.facts import Fact, fact
from ..base.rationals import Number, brief
from ..base.words import (
    LEAST_SHOWN,
    NOBODY_GUARANTEED,
    NOBODY_SURE,
    PERCENT_ROUNDED,
    at_most,
    bare_figure,
    equilibrium_within,
    figure,
    in_columns,
    mixtures,
    most_won,
    nobody_gains,
    notation,
    plural,
)
from ..forms.extensive import TERMINAL, has_perfect_information, scaled_payoffs
from ..forms.hand_names import printed
from ..proof import Verdict
from ..proof.refinement import Refinement
from ..strategies.lines import SHOWN_SETS, played_lines
from ..strategies.reached import support_tree
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import Strategy, TreeProfile
from .bids import Bluffs, most_probable, openings

if TYPE_CHECKING:
    from .solution import Judged, Solution

SHOWN_NODES = 5_000
"""Maximum number of nodes in a support tree. The strategies on a larger support tree are not printed."""

FEW_SETS = 12
"""The maximum number of printed information sets of a strategy with more than ``SHOWN_SETS`` information sets."""

SHOWN_EQUILIBRIA, SHOWN_PAYOFFS = 20, 8

SHOWN_HANDS = 24
"""The maximum number of hands in the list of opening moves."""

SHOWN_BIDS = 24
"""Maximum number of printed first bids, each with a probability of at least ``LEAST_SHOWN``."""

ALL, SEVERAL = ("all", "extreme"), "gambit-enumpoly"
"""The methods ``ALL`` list all equilibria of a kind; ``SEVERAL`` finds several equilibria of other games."""

ONE_OF_MANY = (
    "there may be other equilibria: 'ranges' shows the play that all share, 'solve --refine' finds one that also "
    "plays well after mistakes"
)
"""A note on a single equilibrium. Such an equilibrium may contain odd moves that cost nothing, such as calling with a 2
but folding a 3.
"""

OTHERS_PAY = "there may be other equilibria, which may pay differently"
"""A note on the only equilibrium that a method found, unless this method finds all."""

SHARED_PAYOFFS = "all players get the same payoffs, and other equilibria may pay all of them more"
"""A note on one equilibrium of a game in which the players' payoffs never differ."""

EMPTY_THREATS = "moves off the equilibrium path were not checked, so a threat there may be empty"
"""A note on an equilibrium of a game without a value, if moves off the equilibrium path were not checked."""

BLUFFING = "that nothing in the bidder's hand supports"


def facts(solution: Solution) -> Iterator[Fact]:
    """Yield the facts that ``efg-builder solve`` prints."""
    yield fact("method", solution.method)
    yield fact("status", solution.status, solution.message)
    if solution.verdict is not None:
        yield from _bounds(solution, solution.verdict)
        yield from _payoffs(solution)
    if solution.refined is not None:
        sets = plural(len(solution.refined.gains), "information set")
        said = f"no action is better at any of {sets}, even after mistakes (beliefs: --json)"
        yield fact("refined", said, *_beliefs(solution.off_path))
    yield from _strategy(solution)
    if solution.verdict is not None:
        yield from bluff_facts(solution.bluffs, solution.regret)
    yield from _others(solution)
    yield fact("seconds", f"{solution.seconds:.2f}")


def brief_facts(solution: Solution) -> Iterator[Fact]:
    """Yield the facts that ``efg-builder run`` prints."""
    yield from _size(solution)
    if solution.verdict is None:
        yield fact("result", f"{solution.status} by {solution.method}: {solution.message}")
        return
    yield _worth(solution)
    yield fact("proof", _proof(solution))
    yield from _first_moves(solution)
    if solution.bluffs.shares:
        told = solution.bluffs.told(solution.regret)
        yield fact("bluffs", f"share of bids {_where(solution)} {BLUFFING}: {told}")
    if may_threaten(solution):
        yield fact("off path", EMPTY_THREATS)
    elif said := str(solution.off_path):
        yield fact("off path", said)
    if one_of_many(solution):
        yield fact("others", ONE_OF_MANY)


# --- single facts


def no_guarantee(solution: Solution) -> str:
    """Return a note on the payoffs of three or more players; empty for other games."""
    if len(solution.players) <= 2:
        return ""
    return NOBODY_SURE if solution.solved else NOBODY_GUARANTEED


def ahead(solution: Solution) -> str:
    """Return a clause that names the leading player; empty if the payoffs are not known to have a constant sum."""
    if solution.verdict is None:
        return ""
    value = solution.value
    divided = solution.lower is not None or (solution.game is not None and solution.game.constant_sum is not None)
    if not divided or len(value) < 2:
        return ""
    best = max(value)
    leaders = [name for name, v in zip(solution.players, value, strict=True) if v == best]
    if len(leaders) == len(value):
        return "the players are even"
    return f"{' and '.join(leaders)} {'is' if len(leaders) == 1 else 'are'} ahead"


def one_of_many(solution: Solution) -> bool:
    """Return whether *solution* is a single, unrefined equilibrium of a two-player constant-sum tree with moves."""
    if solution.status != "equilibrium" or solution.lower is None or solution.several or solution.refined is not None:
        return False
    return solution.profile is not None and bool(solution.profile.tree.personal)


def may_threaten(solution: Solution) -> bool:
    """Return whether *solution* is an equilibrium of a game without a value, with unchecked moves off the path."""
    if solution.off_path.kind is not None or solution.off_path.empty is not None:
        return False
    if not solution.solved or solution.lower is not None or solution.refined or solution.method == "backward":
        return False
    return solution.verdict is not None and has_unchecked(solution.strategy, solution.verdict)


def has_unchecked(strategy: Strategy, verdict: Verdict) -> bool:
    """Return whether *verdict* has no bounds on a value, and does not cover moves off the equilibrium path."""
    if verdict.lower is not None:
        return False
    tree = strategy.tree
    if tree is None:
        return True
    return any(verdict.reach[k] == 0 and len(tree.infosets[k].actions) > 1 for k in tree.personal)


def shares_payoffs(solution: Solution) -> bool:
    """Return whether all players always get the same payoffs, and the only equilibrium found is not the best end.

    With perfect information, no equilibrium pays more than backward induction.
    """
    tree = solution.tree
    if tree is None or len(tree.players) < 2 or len(solution.equilibria) != 1 or has_perfect_information(tree):
        return False
    paid, scale = scaled_payoffs(tree)
    ends = paid[tree.player == TERMINAL]
    return bool((ends == ends[:, :1]).all()) and solution.value[0] * scale < max(ends[:, 0])


# --- bounds and payoffs


def _bounds(solution: Solution, verdict: Verdict) -> Iterator[Fact]:
    """Yield bounds on the value, on gains and on the distance to an equilibrium, unless they are exact."""
    lower, upper = verdict.lower, verdict.upper
    most = nobody_gains(verdict.regret + (verdict.error_bound or 0))
    if lower is not None and upper is not None and lower != upper:
        width = float(Fraction(upper) - Fraction(lower))
        yield fact("bracket", f"{figure(lower)} to {figure(upper)} (gap {width:.3g})")
        yield fact("proved", most, f"an opponent gets {most_won(solution.players, verdict.value, lower, upper)}")
    elif lower is None and verdict.regret:
        yield fact("proved", most)
    if solution.near is not None and solution.near.radius is None:
        yield fact("not proved", f"that a true equilibrium is near: {solution.near.reason}")
    elif solution.near is not None and solution.near.radius is not None:
        yield fact("", equilibrium_within(solution.near.radius))


def _payoffs(solution: Solution) -> Iterator[Fact]:
    settled = solution.lower is not None and solution.lower == solution.upper
    for player, value in zip(solution.players, solution.value, strict=True):
        yield fact("value" if settled else "payoff", f"{player}: {figure(value)}")
    agree = settled and solution.exact
    proof = " (exact: two best responses over the whole game agree on the value)" if agree else ""
    yield fact("regret", f"{figure(solution.regret)}{proof}", no_guarantee(solution))


def _worth(solution: Solution) -> Fact:
    """Return the value or all payoffs on one line, with the leading player."""
    if solution.lower is not None and solution.status != "equilibrium":
        bounds = f"{figure(solution.lower)} and {figure(solution.upper)}"
        return fact("value", f"between {bounds} to {solution.players[0]}", no_guarantee(solution))
    told = [f"{figure(value)} to {name}" for name, value in zip(solution.players, solution.value, strict=True)]
    label, worth = ("payoffs", ", ".join(told)) if solution.lower is None else ("value", told[0])
    return fact(label, ": ".join(filter(None, [worth, ahead(solution)])), no_guarantee(solution))


def _proof(solution: Solution) -> str:
    over = f"(best responses over the whole {'tree' if solution.sparse is None else 'game'})"
    if solution.exact and solution.lower is not None:
        first, second = solution.players
        return (
            f"exact: {first}'s strategy guarantees {bare_figure(solution.lower)}, "
            f"{second}'s allows {at_most(bare_figure(solution.upper))} {over}"
        )
    equilibrium = solution.status == "equilibrium"
    if not equilibrium and (solution.lower is not None or solution.status != "not-an-equilibrium"):
        ended = f"; {solution.message}" if solution.message else ""
        return f"{nobody_gains(solution.regret)} {over}{ended}"
    word = "a verified equilibrium" if equilibrium else solution.status
    return f"{word} by {solution.method}: {nobody_gains(solution.regret)} {over}"


# --- strategies


def _size(solution: Solution) -> Iterator[Fact]:
    tree, size = solution.tree, None if solution.game is None else solution.game.size()
    if tree is not None:
        yield fact("size", f"{plural(len(tree), 'node')}, {plural(len(tree.personal), 'information set')}")
    elif size is not None:
        sets = plural(sum(size.infosets), "information set")
        yield fact("size", f"{plural(size.nodes, 'node')}, {sets}; solved without building the tree")


def _strategy(solution: Solution) -> Iterator[Fact]:
    profile, verdict = solution.profile, solution.verdict
    if solution.sparse is not None:
        yield from _sparse(solution, solution.sparse)
    elif profile is not None and len(profile.tree.personal) <= SHOWN_SETS:
        whole = solution.several or may_threaten(solution) or solution.off_path.known
        where = "(off path: unreached information sets)" if whole else "(reached information sets)"
        of = f"of equilibrium {solution.place} " if solution.place else ""
        yield fact("strategy", f"{of}{where}", table=_played(profile, verdict, whole))
    elif profile is not None and verdict is not None:
        yield _most_reached(profile, verdict)


def _sparse(solution: Solution, profile: SparseProfile) -> Iterator[Fact]:
    size, game = profile.game.size(), profile.game
    work = f"{_added(profile.sizes)} of {plural(sum(size.infosets), 'information set')}"
    rounds, sequences = (solution.details.get(key) for key in ("rounds", "sequences"))
    if isinstance(rounds, int) and isinstance(sequences, Sequence):
        work += f"; {plural(rounds, 'round')}, {_added(sequences)} sequences"
    yield fact("support", work)
    if sum(profile.sizes) > SHOWN_SETS:
        return
    with suppress(TreeTooLargeError):
        tree = support_tree(profile, max_nodes=SHOWN_NODES)
        if len(tree.personal) <= SHOWN_SETS:
            rest = "" if game.bidding_game is None else f"; elsewhere: {game.bidding_game.call}"
            yield fact("strategy", f"(reached information sets{rest})", table=_played(profile.on(tree), None))


def _added(counts: Sequence[int]) -> str:
    return " + ".join(f"{count:,}" for count in counts)


def _most_reached(profile: TreeProfile, verdict: Verdict) -> Fact:
    """Return the moves at the ``FEW_SETS`` information sets with the highest reach probability."""
    personal, reach = profile.tree.personal, verdict.reach
    shown = sorted(sorted((k for k in personal if reach[k]), key=lambda k: (-reach[k], k))[:FEW_SETS])
    others = plural(len(personal) - len(shown), "other information set")
    hint = f"  and {others}: -o FILE.csv (write) saves all, and 'draw --view public' shows the public tree"
    moves = played_lines(profile, shown, verdict.regret)
    return fact("strategy", "(the information sets reached most often)", table=[*moves, hint])


def _played(profile: TreeProfile, verdict: Verdict | None, whole: bool = False) -> list[str]:
    """Return lines of all information sets if *whole* is true or *verdict* is None, otherwise of the reached sets."""
    tree = profile.tree
    if verdict is None:
        return played_lines(profile, tree.personal)
    off_path = [k for k in tree.personal if not verdict.reach[k]]
    shown = [k for k in tree.personal if whole or verdict.reach[k]]
    return played_lines(profile, shown, verdict.regret, off_path)


# --- bluffs and first moves


def bluff_facts(bluffs: Bluffs, regret: Number = 0) -> Iterator[Fact]:
    """Yield the share of bluffs and the first bids; nothing if bids make no claims.

    The strategies' *regret* limits the printed digits.
    """
    if bluffs.shares:
        yield fact("bluffs", f"share of bids {BLUFFING}: {bluffs.told(regret)}")
    bids = bluffs.bids
    if not bids:
        return
    shown = [bid for bid in bids if bid.made >= LEAST_SHOWN][:SHOWN_BIDS]
    write = notation((p for bid in shown for p in (bid.made, bid.bluff)), regret)
    note = "; ".join([f"{bids[0].player}'s first bid, all hands together", *[PERCENT_ROUNDED] * write.rounded])
    width = max(3, *(len(bid.bid) for bid in bids))
    rows = [(bid.bid, write(bid.made), write(bid.bluff)) for bid in shown]
    more = len(bids) - len(shown)
    rest = f"and {plural(more, 'more bid')}: --json (to_json()) lists all" if more > 0 else ""
    yield fact("opening", *in_columns([("bid".ljust(width), "made  ", f"bluff   ({note})"), *rows], right=()), rest)


def _first_moves(solution: Solution) -> Iterator[Fact]:
    """Yield the first mover's play with the most probable hands."""
    moves = openings(solution.strategy, solution.game)
    if not moves:
        return
    rows, more = [moves[at] for at in most_probable(moves, SHOWN_HANDS)], len(moves) - SHOWN_HANDS
    by = "hand" if solution.game is not None else "information set"
    others = " (others may differ)" if solution.status == "equilibrium" else ""
    head = f"first move of {rows[0].player} {_where(solution)}{others}, for each {by}"
    label = printed(solution.game)
    tails = [[share for share in (row.bluff, row.false) if share is not None] for row in rows]
    played = chain.from_iterable(row.actions for row in rows)
    write = notation(chain((p for _, p in played), *tails), solution.regret)
    plays, notes = mixtures((row.actions for row in rows), write, "always")
    claims = any(tails)
    table = [(by, "play", *["bluff ", "false "] * claims)]
    for row, tail, play in zip(rows, tails, plays, strict=True):
        shares = [*map(write, tail), "", ""][:2] if claims else []
        table.append((label(solution.players.index(row.player), row.hand), play, *shares))
    yield fact(
        "start",
        head,
        *in_columns(table, right=()),
        "; ".join(notes),
        f"and {plural(more, f'less probable {by}')}: the solution's file has them all" if more > 0 else "",
        "bluff: probability that nothing in the bidder's hand supports the bid; false: that the bid is false" * claims,
    )


def _where(solution: Solution) -> str:
    return "in this equilibrium" if solution.status == "equilibrium" else "by these strategies"


# --- other equilibria


def _others(solution: Solution) -> Iterator[Fact]:
    """Yield the other equilibria that were found, and notes on equilibria that were not searched for."""
    judged = solution.judged
    only = solution.solved and len(judged) == 1 and solution.method not in ALL
    # All equilibria of a two-player constant-sum game pay the same. With more players, the fact "regret" has this note.
    if solution.several and only and len(solution.players) == 2 and solution.lower is None:
        yield fact("others", OTHERS_PAY)
    if solution.several and not only:
        good = sum(one.equilibrium for one in judged)
        kind = "an equilibrium" if good == 1 else "equilibria"
        if solution.lower is None:
            yield from _different_payoffs(judged)
        listed = _each(judged, solution.number)
        yield fact("found", f"{plural(len(judged), 'profile')}, {good} verified as {kind}", table=listed)
    if may_threaten(solution):
        yield fact("off the path", EMPTY_THREATS)
    elif solution.refined is None and (said := str(solution.off_path)):
        yield fact("off the path", said)
    if shares_payoffs(solution):
        yield fact("others", SHARED_PAYOFFS)
    if one_of_many(solution):
        yield fact("others", ONE_OF_MANY)


def _different_payoffs(judged: tuple[Judged, ...]) -> Iterator[Fact]:
    """Yield the different payoffs of exact equilibria, if there are fewer of them than equilibria."""
    verdicts = [one.verdict for one in judged if one.verdict is not None and one.equilibrium]
    payoffs = list(dict.fromkeys(verdict.value for verdict in verdicts))
    if not all(verdict.exact for verdict in verdicts) or not 1 < len(payoffs) < len(verdicts):
        return
    shown = [f"({', '.join(map(brief, value))})" for value in payoffs[:SHOWN_PAYOFFS]]
    more = [f"and {len(payoffs) - SHOWN_PAYOFFS:,} more"] * (len(payoffs) > SHOWN_PAYOFFS)
    yield fact("payoffs", f"{len(payoffs)} different: {', '.join(shown + more)}")


def _beliefs(off_path: Refinement) -> Iterator[str]:
    return iter(()) if off_path.proof is None else off_path.proof.belief_lines()


def _each(judged: tuple[Judged, ...], printed: int) -> Iterator[str]:
    """Yield a line for each strategy, with its moves unless it is the strategy number *printed*."""
    for number, one in enumerate(judged[:SHOWN_EQUILIBRIA], start=1):
        if one.verdict is None:
            continue
        payoffs = ", ".join(brief(value) for value in one.verdict.value)
        profile = one.strategy.tree_profile
        said = str(one.off_path)
        yield f"  {number:>3}  payoffs {payoffs}; regret {brief(one.verdict.regret)}{'; ' * bool(said)}{said}"
        if number != printed and profile is not None and len(profile.tree.personal) <= SHOWN_SETS:
            yield from (f"       {line}" for line in _played(profile, one.verdict, whole=True))
            yield from (f"         {line}" for line in _beliefs(one.off_path))
    if len(judged) > SHOWN_EQUILIBRIA:
        yield f"  and {len(judged) - SHOWN_EQUILIBRIA:,} more: --json (to_json()) lists all {len(judged):,}"
