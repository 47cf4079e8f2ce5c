"""Sections on the rules, the size and the value of the game, its equilibria, and the certificate."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from markupsafe import Markup

from ...base.errors import CertificateError
from ...base.rationals import Number, is_played
from ...base.version import __version__
from ...base.words import (
    LEAST_SHOWN,
    Notation,
    most_won,
    moves_shown,
    nobody_gains,
    plural,
    shows_all,
)
from ...equilibria.bids import openings
from ...equilibria.ranges import ActionRange, Ranges, reached_in_some, shown_ends
from ...equilibria.solution import Solution
from ...equilibria.solution_facts import ahead, no_guarantee
from ...forms.hand_names import displayed
from ...forms.subject import size_of
from ...proof.certificate import CHECKED_SPARSE, digests, encode
from ..markup import data, in_row, in_sentence, notation
from .about import About, Section
from .playing import bets

# --- rules and size


def rules_section(about: About) -> Section | None:
    """Return the rules of the game or the comment of a file."""
    if about.game is not None:
        lines = [re.sub(r"(?<=\s)-(?=\d)", "−", part) for part in about.game.explain()]
        return about.section("rules", "The rules", lines=lines)
    comment = "" if about.solution.tree is None else about.solution.tree.comment
    return about.section("rules", "About the game", lines=[comment]) if comment.strip() else None


def size_section(about: About) -> Section:
    """Return the numbers of nodes, information sets, deals and hands."""
    subject, rows = about.solution.subject, list[tuple[str, int]]()
    size = subject.size() or size_of(subject.tree())
    if about.dealt is not None:
        counts = zip(about.solution.players, about.dealt.hand_counts, strict=True)
        rows += [(f"Hands that {name} can have", count) for name, count in counts]
        rows.append(("Deals (combinations of hands)", about.dealt.deal_count))
        what = "Different bidding sequences" if about.bidding is not None else "Different sequences of moves"
        rows.append((what, about.dealt.public_size().ends))
    rows += [
        ("Nodes of the game tree", size.nodes),
        ("… chance nodes", size.chance_nodes),
        ("… decision nodes", size.decision_nodes),
        ("… terminal nodes", size.terminal_nodes),
    ]
    sets = zip(about.solution.players, size.infosets, strict=True)
    rows += [(f"Information sets of {name}", count) for name, count in sets]
    cells = [(name, data(Fraction(count), f"{count:,}")) for name, count in rows]
    return about.section("size", "Size of the game", rows=cells)


# --- the value

_FEW = 6
"""The maximum number of hands whose first moves fit on one line; also the maximum number of listed bids."""

MOST_RESULTS = 12
"""The maximum number of listed payoffs."""


def in_brief(about: About, short: bool) -> Markup:
    """Return the summary: value, wins, opening, bluffs, proof, the command to play; if *short*, also verdicts."""
    bluffs = bets(about)
    return about.render(
        "brief",
        **_lead(about),
        short=short,
        opening=_opening(about),
        bets=bluffs if len(bluffs) <= _FEW // 2 else [],
        play=about.equilibrium or (about.strategies is not None and about.solution.lower is not None),
    )


def _opening(about: About) -> dict[str, Any] | None:
    """Return the first moves of each hand if they fit on one line, otherwise the most frequent first bids."""
    first_moves = () if about.strategies is None else openings(about.strategies, about.game)
    if len(first_moves) > _FEW:
        return _first_bids(about, first_moves[0].player)
    if not first_moves or (about.dealt is None and len(first_moves) > 1):
        return None
    mover = about.solution.players.index(first_moves[0].player)
    names = ["" if about.dealt is None else about.label(mover, row.hand) for row in first_moves]
    moves = [moves_shown(row.actions) for row in first_moves]
    numbers = iter(in_sentence([p for row in moves for _, p in row if p != 1], about.solution.regret))
    told_moves = [[(move, "" if p == 1 else next(numbers)) for move, p in row] for row in moves]
    whole = all(shows_all(made, row.actions) for made, row in zip(moves, first_moves, strict=True))
    hands = list(zip(names, told_moves, strict=True))
    return {"player": first_moves[0].player, "bids": [], "hands": hands, "whole": whole}


def _first_bids(about: About, player: str) -> dict[str, Any] | None:
    """Return the most frequent first bids over all hands of *player*; None if there are no bids."""
    bids = [bid for bid in about.solution.bluffs.bids if is_played(bid.made)]
    if not bids:
        return None
    often_made = [bid for bid in bids if bid.made >= LEAST_SHOWN] or bids
    shown = sorted(often_made, key=lambda bid: -bid.made)[:_FEW]
    told = in_sentence([bid.made for bid in shown], about.solution.regret)
    named = [(bid.bid, "" if bid.made == 1 else p) for bid, p in zip(shown, told, strict=True)]
    if len(bids) > len(shown):
        named.append((plural(len(bids) - len(shown), "other bid"), ""))
    return {"player": player, "bids": named}


def value_section(about: About) -> Section:
    """Return the value or the payoffs in words, or a statement that none were found."""
    title, known = "Result", _lead(about)
    if about.equilibrium:
        title = "Payoffs in this equilibrium" if known["kind"] == "equilibrium" else "Value of the game"
    one_plan = about.ranges is not None and all(plans.unique for plans in about.ranges.plans)
    return about.section("value", title, **known, one_plan=one_plan, results=[] if known["wins"] else _results(about))


def _lead(about: About) -> dict[str, Any]:
    """Return the values for ``value_parts.html``: the kind of result, the lead per round, and the proof."""
    solution, two = about.solution, len(about.solution.players) == 2
    values: dict[str, Any] = {"kind": "none", "wins": _wins(about), "alone": ONE_PLAN}
    values["listed"], values["more_listed"] = _listed(about), max(0, len(solution.equilibria) - MOST_LISTED)
    if solution.verdict is None:
        return values
    values["gains"] = nobody_gains(solution.verdict.regret)
    values["others"] = _others(about)
    note = no_guarantee(solution)
    values["note"] = f"{note[0].upper()}{note[1:]}." if note else ""
    if about.equilibrium:
        if solution.lower is None or not two:
            return values | {"kind": "equilibrium"}
        return values | {"kind": "value", "ahead": ahead(solution), "rounds": _rounds(*solution.value)}
    if solution.lower is None or solution.upper is None:
        return values | {"kind": "near" if solution.status != "not-an-equilibrium" else "not"}
    values["width"] = Fraction(solution.upper) - Fraction(solution.lower)
    if solution.status == "not-an-equilibrium":
        return values | {"kind": "not"}
    return values | {
        "kind": "bracket",
        "most": most_won(about.solution.players, solution.value, solution.lower, solution.upper),
    }


MOST_OTHERS = 8
"""The maximum number of other equilibria whose payoffs are listed."""

MOST_LISTED = 8
"""The maximum number of equilibria that are listed with their verdicts off the path."""


def _listed(about: About) -> list[tuple[tuple[Number, ...], str]]:
    """Return the payoffs of each equilibrium that was found, and its verdict off the path, if there are verdicts."""
    found = [(one.verdict.value, str(one.off_path)) for one in about.solution.judged if one.verdict and one.equilibrium]
    return found[:MOST_LISTED] if len(found) > 1 and any(said for _, said in found) else []


def _others(about: About) -> list[tuple[int, tuple[Number, ...]]]:
    """Return the numbers and the payoffs of the other equilibria that were found, if payoffs differ."""
    judged = [one.verdict for one in about.solution.judged if one.verdict is not None and one.verdict.equilibrium]
    if len({verdict.value for verdict in judged}) < 2:
        return []
    return [
        (number, verdict.value) for number, verdict in enumerate(judged, start=1) if number != about.solution.number
    ][:MOST_OTHERS]


def _rounds(one: Number, two: Number) -> tuple[int, str] | None:
    """Return a number of rounds, and the lead in units over these rounds; None if the lead per round is an integer."""
    if one + two != 0 or one == 0:
        return None
    if isinstance(one, Fraction) and 1 < one.denominator <= 500:
        return one.denominator, plural(abs(one.numerator), "unit")
    many = 1000 * abs(Fraction(one))
    if many % 1000 == 0:
        return None  # the value is already a whole number of units per round
    much = f"{float(many):,.0f}" if many >= 100 else f"{float(many):.3g}"
    about = "" if many == Fraction(much.replace(",", "")) else "about "
    return 1000, f"{about}{much} unit{'' if much == '1' else 's'}"


def _results(about: About) -> list[tuple[Fraction, list[Number]]]:
    """Return the probability of each payoff by player; [] if there is only one payoff or there are too many."""
    payoffs = sorted({payoff for mine in about.chances for payoff in mine})
    if not 2 <= len(payoffs) <= MOST_RESULTS:
        return []
    return [(payoff, [mine.get(payoff, Fraction(0)) for mine in about.chances]) for payoff in payoffs]


def _wins(about: About) -> list[tuple[str, Number]]:
    """Return each player's probability of winning or, if there are more than two players, of losing.

    Return [] if a round has results other than a win and a loss.
    """
    chances, two = about.chances, len(about.chances) == 2
    divided = about.solution.lower is not None or (about.game is not None and about.game.constant_sum is not None)
    if not divided or any(len(mine) != 2 for mine in chances) or len(chances) < 2:
        return []
    if len({max(mine) for mine in chances}) > 1 or len({min(mine) for mine in chances}) > 1:
        return []
    picked = (mine[max(mine) if two else min(mine)] for mine in chances)
    return list(zip(about.solution.players, picked, strict=True))


# --- ranges over all equilibria

ONE_PLAN = "one optimal plan (its moves are free at information sets that its own moves avoid)"
"""The description of a player's only optimal plan."""

MOST_SETS = 40
"""The maximum number of listed information sets of each player."""


def equilibria_section(about: About) -> Section | None:
    ranges = about.ranges
    if ranges is None:
        return None
    met, tables = reached_in_some(ranges), []
    for player, plans in enumerate(ranges.plans):
        actions_met = [action for action in ranges.actions if action.player == player and action.infoset in met]
        sets = [list(actions) for _, actions in groupby(actions_met, key=lambda action: action.infoset)]
        rows = sets[:MOST_SETS]
        write = notation((action.conditional for actions in rows for action in actions), regret=about.solution.regret)
        tables.append(
            {
                "player": about.solution.players[player],
                "unique": plans.unique,
                "every": sum(ranges.tree.infosets[k].player == player for k in ranges.tree.personal),
                "sets": len(sets),
                "forced": sum(all(action.forced for action in actions) for actions in sets),
                "rows": [_row(ranges, actions, write) for actions in rows],
                "write": write,
            }
        )
    return about.section("equilibria", "Forced and free moves", tables=tables, alone=ONE_PLAN)


def _row(found: Ranges, actions: Sequence[ActionRange], write: Notation) -> dict[str, Any]:
    infoset, moves, never = found.tree.infosets[actions[0].infoset], [], []
    for action in actions:
        name = infoset.actions[action.action]
        shown = shown_ends(action, actions)
        if shown is None:
            never.append(name)
        else:
            ends, beside = shown
            moves.append((name, [in_row(end, write, beside) for end in ends]))
    forced = all(action.forced for action in actions)
    # If one move is certain, omit the other moves.
    never = [] if forced else never
    name = displayed(found.game or found.tree.game)(infoset.player, found.tree.names[actions[0].infoset])
    return {"name": name, "forced": forced, "moves": moves, "never": never}


# --- the proof

MOST_BYTES = 500_000
"""The maximum compressed size in bytes of a certificate in the page."""

MOST_WRITTEN = 100_000
"""The maximum number of information sets of a certificate in the page; larger certificates exceed ``MOST_BYTES``."""


def certificate_section(about: About) -> Section | None:
    """Return the proved claim and the commands to verify it."""
    solution = about.solution
    if solution.verdict is None:
        return None
    large = solution.sparse is not None and sum(solution.sparse.sizes) > MOST_WRITTEN
    file, checked, wrong = b"" if large else certificate(solution), CHECKED_SPARSE, ""
    # Strategies without a tree were verified when their file was read; a second verification would take as long.
    if not about.file or solution.sparse is None:
        try:
            checked = solution.verify().checked
        except CertificateError as error:
            wrong = str(error)
    return about.section(
        "certificate",
        "The certificate",
        checked=checked,
        wrong=wrong,
        name="certificate.json.gz",
        bytes=len(file) if len(file) <= MOST_BYTES else 0,
        url=f"data:application/gzip;base64,{base64.b64encode(file).decode('ascii')}",
    )


def certificate(solution: Solution) -> bytes:
    """Return the solution's compressed file without times and versions; equal solutions give equal bytes."""
    given = solution.to_json()
    kept: dict[str, Any] = {key: part for key, part in given.items() if key not in ("seconds", "run", "digests")}
    text = "".join((*encode(kept | {"digests": digests(kept)}), "\n"))
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def proof_section(about: About) -> Section | None:
    """Return the proof in one line with its commands."""
    return None if about.solution.verdict is None else about.section("proof", "The proof", version=__version__)


def made_section(about: About) -> Section:
    return about.section("made", "Command for this page", version=__version__)
