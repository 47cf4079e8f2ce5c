"""What is known of the game: its rules, size and value, what all equilibria share, and how to check it.

Each section is a function ``..._section(about)``; the report's first lines (``in_brief``) stand here too.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from itertools import groupby
from typing import Any

from ...base.errors import CertificateError
from ...base.rationals import brief, is_played
from ...base.version import __version__
from ...base.words import (
    LEAST_SHOWN,
    LEFT_OUT,
    NOBODY_GUARANTEED,
    NOBODY_SURE,
    chance,
    listed,
    minus,
    most_won,
    moves_shown,
    nobody_gains,
    plural,
)
from ...equilibria.bids import ahead, openings
from ...equilibria.ranges import ActionRange, Ranges, reached_in_some
from ...equilibria.solution import Solution
from ...forms.size import facts
from ...proof.certificate import CHECKED_SPARSE, digests, encode
from ..markup import (
    Cell,
    amount,
    at_least,
    at_most,
    bar,
    bullets,
    command,
    data,
    in_full,
    often,
    paragraph,
    table,
)
from .about import About, Section
from .playing import bets

# --- rules and size


def rules_section(about: About) -> Section | None:
    """The rules as the game explains them; of a file its comment; nothing where there is none."""
    if about.game is not None:
        lines = [re.sub(r"(?<=\s)-(?=\d)", "−", escape(part)) for part in about.game.explain()]
    else:
        lines = [escape(about.tree.comment)] if about.tree is not None and about.tree.comment.strip() else []
    if not lines:
        return None
    body = paragraph(lines[0]) if len(lines) == 1 else bullets(lines)
    return Section("rules", "The rules" if about.game is not None else "About the game", body)


def size_section(about: About) -> Section:
    """Nodes, information sets, deals and hands, exact at any size."""
    subject = about.game if about.game is not None else about.tree
    assert subject is not None
    known = facts(subject)
    rows: list[tuple[str, int]] = []
    if about.dealt is not None:
        counts = zip(about.players, about.dealt.hand_counts, strict=True)
        rows += [(f"Hands that {escape(name)} can have", count) for name, count in counts]
        rows.append(("Deals (combinations of hands)", about.dealt.deal_count))
        what = "Different bidding sequences" if about.bidding is not None else "Different sequences of moves"
        rows.append((what, about.dealt.public_size().ends))
    rows += [
        ("Nodes of the game tree", known["nodes"]),
        ("… where chance moves", known["chance_nodes"]),
        ("… where a player moves", known["decision_nodes"]),
        ("… where play ends", known["terminal_nodes"]),
    ]
    sets = zip(about.players, known["infosets_by_player"], strict=True)
    rows += [(f"Information sets of {escape(name)}", count) for name, count in sets]
    cells = [(name, Cell(f'<data value="{count}">{count:,}</data>', "number")) for name, count in rows]
    numbers = table("The game in numbers", ("", "number"), cells, "sizes")
    return Section("size", "How large the game is", paragraph(_size_in_words(about)) + numbers)


def _size_in_words(about: About) -> str:
    hidden = ", hidden dice or cards included" if about.game is not None else ""
    whole = (
        f"A node is a point in one course of the game{hidden}. An information set is what a "
        "player knows at a turn: one decision to be made."
    )
    if about.solution.sparse is None:
        return whole
    written = sum(about.solution.sparse.sizes)
    return (
        f"{whole} Of all of them, the strategies of this report need {plural(written, 'information set')}; anywhere "
        "else a player makes the move that ends play soonest."
    )


# --- the value

_FEW = 6
"""Hands whose first moves fit into a line; where there are more hands, this many of the first bids are named."""


def in_brief(about: About) -> str:
    """What it is worth, who wins how often, how to open, how much is bluff, whether that is proved, how to play it."""
    lines = (headline(about), _wins(about), *_opening(about), *_bluffs(about), *_play(about))
    return bullets(filter(None, lines))


def _opening(about: About) -> list[str]:
    """What the first mover does: hand by hand where that is one line, otherwise the first bids of all hands."""
    if about.strategies is None:
        return []
    found = openings(about.strategies, about.game)
    if not found:
        return []
    start = f"How {escape(found[0].player)} opens {about.here}"
    if len(found) > _FEW:
        return _bids(about, start)
    moves, regret, whole = [], about.solution.regret or 0, True
    for row in found:
        shown = moves_shown(row.actions, regret)
        whole &= len(shown) == sum(is_played(p) for _, p in row.actions)
        said = listed([escape(a) if p == 1 else f"{escape(a)} {data(p, chance(p, regret))}" for a, p in shown])
        moves.append(f"with hand {escape(row.hand)}, {said}" if about.dealt is not None else said)
    if about.dealt is None and len(moves) > 1:
        return []
    return [f"{start}: {'; '.join(moves)}.{'' if whole else f' {LEFT_OUT.capitalize()}.'}"]


def _bids(about: About, start: str) -> list[str]:
    bids = [bid for bid in about.solution.bluffs.bids if is_played(bid.made)]
    if not bids:
        return []
    often_made = [bid for bid in bids if bid.made >= LEAST_SHOWN] or bids
    shown = sorted(often_made, key=lambda bid: -bid.made)[:_FEW]
    said = [f"{escape(bid.bid)} {data(bid.made, chance(bid.made, about.solution.regret or 0))}" for bid in shown]
    more = len(bids) - len(shown)
    said += [plural(more, "other bid")] if more else []
    return [f"{start}, all hands together: {listed(said)}. Hand by hand: see below."]


def _bluffs(about: About) -> list[str]:
    if about.bluffs:
        return [f"Bluffs: {'; '.join(about.bluffs)}. A bluff is {about.bluff}."]
    found = bets(about)
    return found if len(found) <= _FEW // 2 else []


def _play(about: About) -> list[str]:
    """The command that plays against it."""
    play, solution = about.commands.play, about.solution
    if not play or not (about.equilibrium or (about.strategies is not None and solution.lower is not None)):
        return []
    whom = "it" if about.refined else "an equilibrium"
    if not about.equilibrium:
        # Another search would find others.
        whom, play = "these strategies", f"{play} --solution solution.json.gz"
    return [f"To play against {whom}: <code>{escape(play)}</code>"]


MOST_RESULTS = 12
"""Results are listed where there are at most this many."""


def value_section(about: About) -> Section:
    """The value or the payoffs, in words; that nothing was found, where that is so."""
    title = "What the game is worth" if about.equilibrium else "What was found"
    answer, *more = _lead(about)
    parts = [paragraph(answer, "key"), *map(paragraph, more), *_meaning(about), *_results(about)]
    return Section("value", title, "\n".join(parts))


def headline(about: About) -> str:
    """The answer in a sentence or two, and what it rests on."""
    proved = " Proved: an exact equilibrium." if about.equilibrium and about.solution.exact else ""
    return _lead(about)[0] + proved


def _lead(about: About) -> list[str]:
    """The answer, and what else is to be said at once: a paragraph each."""
    solution = about.solution
    if solution.verdict is None or solution.value is None:
        said = f": {escape(solution.message)}" if solution.message else ""
        return [f"<strong>No equilibrium was found</strong> ({escape(solution.status)}){said}."]
    regret, two = solution.verdict.regret, solution.lower is not None and len(about.players) == 2
    if about.equilibrium and two:
        worth = f"The value of the game is <strong>{in_full(solution.value[0])}</strong> to {escape(about.players[0])}"
        return [f"{worth}: {_lead_in_words(about)}.{_rounds(about)}"]
    if about.equilibrium:
        gains = "no player gains anything" if regret == 0 else f"no player gains more than {at_most(regret)}"
        return [_payoffs(about), f"In this equilibrium {gains} by playing differently alone.", *_nobody_sure(about)]
    if solution.lower is None and solution.status != "not-an-equilibrium":
        word = "Nearly an equilibrium" if solution.solved else "These strategies are not an equilibrium"
        return [f"<strong>{word}</strong>: {nobody_gains(regret)}.", _payoffs(about), *_nobody_sure(about)]
    bounds = ""
    if solution.lower is not None and solution.upper is not None:
        low, high = in_full(solution.lower, at_least), in_full(solution.upper, at_most)
        width = Fraction(solution.upper) - Fraction(solution.lower)
        bounds = f"to {escape(about.players[0])} it is between {low} and {high}"
        if solution.status != "not-an-equilibrium":
            players = tuple(map(escape, about.players))
            most = minus(most_won(players, solution.value, solution.lower, solution.upper))
            return [
                f"<strong>The value is proved to within {at_most(width)}</strong>: {bounds}. These strategies are no "
                f"equilibrium, but near one: {nobody_gains(regret)}, and who plays against them gets {most}."
            ]
    gain = f"<strong>These strategies are not an equilibrium</strong>: a player can gain {at_least(regret)}"
    found = [f"{gain} a round by playing differently.", _payoffs(about), *_nobody_sure(about)]
    return [*found, f"The value of the game itself is bounded: {bounds}."] if bounds else found


def _payoffs(about: About) -> str:
    assert about.solution.value is not None
    pairs = zip(about.players, about.solution.value, strict=True)
    each = ", ".join(f"{escape(name)} <strong>{amount(value)}</strong>" for name, value in pairs)
    return f"On average it pays: {each}."


def _nobody_sure(about: About) -> list[str]:
    said = NOBODY_SURE if about.solution.solved else NOBODY_GUARANTEED
    return [f"{said[0].upper()}{said[1:]}."] if len(about.players) > 2 else []


def _lead_in_words(about: About) -> str:
    """``Player 2 is ahead by 1/9 of a unit a round``."""
    assert about.solution.value is not None
    one, two = about.solution.value
    who = escape(ahead(about.solution, about.game))
    if one == two or not who:
        return who or "on average, a round"
    if one + two == 0:
        by = max(one, two)
        return f"{who} by {amount(by)}{' of a unit' if by < 1 else ''} a round, on average"
    return (
        f"{who}: {escape(about.players[0])} gets {amount(one)} and {escape(about.players[1])} {amount(two)} on average"
    )


def _rounds(about: About) -> str:
    """How that adds up over rounds, where it is a whole number of units in some of them."""
    assert about.solution.value is not None
    one, two = about.solution.value
    if one + two != 0 or one == 0:
        return ""
    if isinstance(one, Fraction) and 1 < one.denominator <= 500:
        return f" In {one.denominator} rounds that is {plural(abs(one.numerator), 'unit')} on average."
    many = 1000 * abs(Fraction(one))
    if many % 1000 == 0:
        # Said already: a whole number of units a round.
        return ""
    much = f"{float(many):,.0f}" if many >= 100 else f"{float(many):.3g}"
    about_ = "" if many == Fraction(much.replace(",", "")) else "about "
    return f" In 1,000 rounds that is {about_}{much} unit{'' if much == '1' else 's'} on average."


def _meaning(about: About) -> list[str]:
    """What the value is a promise of."""
    solution = about.solution
    if not about.equilibrium or solution.verdict is None or solution.lower is None or len(about.players) != 2:
        return []
    first, second = map(escape, about.players)
    promise = (
        f"{first} has a strategy that wins at least this on average, whatever {second} does; and {second} has one that "
        f"lets {first} win no more, whatever {first} does. Such a pair of strategies is an equilibrium: neither player "
        "gains by playing anything else."
    )
    known = (
        "This is proved, not estimated: both numbers are exact fractions."
        if solution.exact
        else f"Known to within {at_most(solution.verdict.regret)}, by best responses to both strategies."
    )
    others = "Any other equilibrium has the same value"
    others += "." if about.ranges is None else ", but may play differently."
    if about.ranges is not None and all(plans.unique for plans in about.ranges.plans):
        others = f"Each player has just {ONE_PLAN}."
    if about.refined:
        others += " Shown here is, of all equilibria, one that also plays well after mistakes."
    return [paragraph(" ".join(filter(None, (promise, known, others))))]


def _results(about: About) -> list[str]:
    """How often each result comes out; who wins how often, where there is nothing but winning and losing."""
    chances, said = about.chances, _wins(about)
    if any(len(mine) > MOST_RESULTS for mine in chances):
        return []
    if said:
        return [paragraph(said)]
    payoffs = sorted({payoff for mine in chances for payoff in mine})
    if len(payoffs) < 2 or len(payoffs) > MOST_RESULTS:
        return []
    rows: list[list[str | Cell]] = [
        [amount(payoff), *(bar(mine.get(payoff, Fraction(0))) for mine in chances)] for payoff in payoffs
    ]
    head = ("payoff", *map(escape, about.players))
    return [table(f"How often a round pays what, {about.here}", head, rows)]


def _wins(about: About) -> str:
    """``Player 1 wins 4/9 (44.4%) of the rounds``, where there is nothing but winning and losing; else empty.

    With more players, who loses how often.
    """
    chances = about.chances
    divided = about.solution.lower is not None or (about.game is not None and about.game.constant_sum is not None)
    if not divided or any(len(mine) != 2 for mine in chances) or len(chances) < 2:
        return ""
    bests, worsts = {max(mine) for mine in chances}, {min(mine) for mine in chances}
    if len(bests) > 1 or len(worsts) > 1:
        return ""
    word = "wins" if len(chances) == 2 else "loses"
    picked = (mine[max(mine) if len(chances) == 2 else min(mine)] for mine in chances)
    each = [f"{escape(name)} {word} {often(p)}" for name, p in zip(about.players, picked, strict=True)]
    return f"If {'both' if len(chances) == 2 else 'all'} play like this, {', '.join(each)} of all rounds."


# --- what all equilibria share

ONE_PLAN = "one optimal plan (what it would do where its own moves never lead is free)"
"""What a polytope of one plan says: a plan leaves open what its own moves rule out."""

MOST_SETS = 40
"""Information sets of each player in the table."""


def equilibria_section(about: About) -> Section | None:
    """What is forced and what is free; nothing where that is not known."""
    found = about.ranges
    if found is None:
        return None
    several = "" if all(plans.unique for plans in found.plans) else "The game has several equilibria. "
    parts = [
        paragraph(
            f"{several}These are the least and the greatest probability of each move over all equilibria, at the "
            "information sets that some equilibrium reaches. What is one number is forced; what is a range is free, "
            "though some combinations may not be allowed."
        )
    ]
    met = reached_in_some(found)
    for player, name in enumerate(about.players):
        own = [action for action in found.actions if action.player == player and action.infoset in met]
        sets = [list(actions) for _, actions in groupby(own, key=lambda action: action.infoset)]
        parts.append(paragraph(_size(found, player, sets)))
        rows = [_row(found, actions) for actions in sets[:MOST_SETS]]
        if rows:
            head = ("what the player knows", "", "what to play")
            parts.append(table(f"{name} in all equilibria", head, rows, "moves"))
        if len(sets) > MOST_SETS:
            parts.append(paragraph(f"And {plural(len(sets) - MOST_SETS, 'more information set')}."))
    return Section("equilibria", "What is forced, and what is free", "\n".join(parts))


def _size(found: Ranges, player: int, sets: Sequence[Sequence[ActionRange]]) -> str:
    name, plans = escape(found.tree.players[player]), found.plans[player]
    alike = sum(all(action.forced for action in actions) for actions in sets)
    many = f"has just {ONE_PLAN}" if plans.unique else "has many optimal plans"
    every = sum(found.tree.infosets[k].player == player for k in found.tree.personal)
    met = plural(len(sets), "information set")
    some = f"{met} that some equilibrium reaches (of {every:,} in all)" if len(sets) < every else met
    forced = "all are" if alike == len(sets) else f"{alike:,} {'is' if alike == 1 else 'are'}"
    return f"<strong>{name}</strong> {many}. Of {name}'s {some}, {forced} forced."


def _row(found: Ranges, actions: Sequence[ActionRange]) -> list[str | Cell]:
    infoset = found.tree.infosets[actions[0].infoset]
    moves, never = [], []
    for action in actions:
        assert action.conditional is not None
        low, high = action.conditional
        name = escape(infoset.actions[action.action])
        if not high:
            never.append(name)
        else:
            ends = dict.fromkeys(data(end, minus(brief(end))) for end in (low, high))
            much = "always" if low == 1 else " to ".join(ends)
            moves.append(f"{name} {much}")
    forced = all(action.forced for action in actions)
    if never and not forced:
        # Part of what is forced: in a row of one sure move it goes without saying.
        moves.append(f"never {', '.join(never)}")
    name = found.tree.names[actions[0].infoset]
    return [escape(name), Cell("forced" if forced else "free", "forced" if forced else "free"), "; ".join(moves)]


# --- the proof

MOST_BYTES = 500_000
"""Certificates are put into the page up to this size, compressed."""

MOST_WRITTEN = 100_000
"""Information sets above which a certificate is over that size: it is not written to see."""


def certificate_section(about: About) -> Section | None:
    """What holds of the strategies, and how anybody can see for themselves; nothing where nothing was judged."""
    solution = about.solution
    if solution.verdict is None:
        return None
    parts = [bullets(_claims(about)), *_checked(about)]
    large = solution.sparse is not None and sum(solution.sparse.sizes) > MOST_WRITTEN
    file, proves = b"" if large else certificate(solution), about.commands.verify
    if 0 < len(file) <= MOST_BYTES:
        name = "certificate.json.gz"
        where = f"data:application/gzip;base64,{base64.b64encode(file).decode('ascii')}"
        link = f'<a id="certificate-file" href="{where}" download="{name}">{name}</a>'
        said = f"The strategies are in this page, as the file {link} ({plural(len(file), 'byte')}). Save it; then this"
        parts.append(paragraph(f"{said} proves what it says, with no solver taking part:"))
        parts += [command(proves.replace("SOLUTION", name)), paragraph("Or make such a file yourself, and prove that:")]
    else:
        parts.append(paragraph("To see for yourself, make the solution's file and prove it:"))
    parts.append(command(f"{about.commands.solve}\n{proves.replace('SOLUTION', 'solution.json.gz')}"))
    return Section("certificate", "The certificate, and how to check it", "\n".join(parts))


def certificate(solution: Solution) -> bytes:
    """The solution's file, compressed, without times and versions: of equal solutions the same bytes."""
    given = solution.to_json()
    data: dict[str, Any] = {key: part for key, part in given.items() if key not in ("seconds", "run", "digests")}
    text = "".join((*encode(data | {"digests": digests(data)}), "\n"))
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def _claims(about: About) -> list[str]:
    solution, said = about.solution, []
    if solution.lower is not None and solution.upper is not None:
        first, second = map(escape, about.players)
        said = [
            f"{first}'s strategy guarantees {first} {in_full(solution.lower, at_least)}, whatever {second} does.",
            f"{second}'s strategy allows {first} no more than {in_full(solution.upper, at_most)}, whatever {first} "
            "does.",
        ]
    said += [*_judged(about), f"The strategies {_source(about)}; that is no part of the proof."]
    opinion = about.solution.gambit
    return said if opinion is None else [*said, f"Gambit was asked too. {escape(minus(str(opinion)))}."]


def _source(about: About) -> str:
    if about.file:
        return f"were read from the file {escape(about.file)}"
    return f"come from the method '{escape(about.solution.method)}'"


def _judged(about: About) -> list[str]:
    """What nobody gains, and what that makes of the strategies."""
    solution = about.solution
    verdict = solution.verdict
    assert verdict is not None
    gain = "nothing" if solution.regret == 0 else f"at most {at_most(verdict.regret)}"
    said = [f"A player who plays differently, while the other strategies stay, gains {gain}."]
    if about.equilibrium:
        kind = "exact fractions throughout" if verdict.exact else "floating-point numbers, within the tolerance"
        said.append(f"So this is an equilibrium, in {kind}.")
        if solution.refined is not None:
            sets = plural(len(solution.refined.gains), "information set")
            said.append(f"It also plays well after mistakes: at none of {sets} is another move better.")
    else:
        said.append(f"So this is {'nearly' if solution.solved else '<strong>not</strong>'} an equilibrium.")
    return said


def proof_section(about: About) -> Section | None:
    """The proof in a line, with the commands that show it; nothing where nothing was judged."""
    if about.solution.verdict is None:
        return None
    commands = f"{about.commands.solve}\n{about.commands.verify.replace('SOLUTION', 'solution.json.gz')}"
    said = f"{' '.join(_judged(about))} To see for yourself (efg-builder {escape(__version__)}):"
    return Section("proof", "The proof", paragraph(said) + command(commands))


def _checked(about: About) -> list[str]:
    """The verdict of the check that reads the file alone."""
    if about.file and about.solution.sparse is not None:
        # Read and proved just now: a second proof of the same would take as long again.
        checked = CHECKED_SPARSE
    else:
        try:
            checked = about.solution.verify().checked
        except CertificateError as error:
            return [paragraph(f"<strong>The check of the file fails</strong>: {escape(str(error))}.")]
    return [paragraph(f"The solution's file was checked when this page was made ({escape(checked)}).")]


def made_section(about: About) -> Section:
    """The command that made the page; the same command makes the same page."""
    version = f"With efg-builder {escape(__version__)}, this makes the page anew:"
    return Section("made", "How this page was made", paragraph(version) + command(about.commands.report))
