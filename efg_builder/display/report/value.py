"""What the game is worth, and what that means; first the report in a few lines, for its head."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from ...base.rationals import Number, is_played
from ...base.words import listed, plural
from ...equilibria.bids import ahead, openings
from ...proof.likeliest import payoff_chances
from ..markup import Cell, amount, at_least, at_most, bar, bullets, in_full, often, paragraph, share, table
from .about import About, Section
from .equilibria import ONE_PLAN
from .playing import bets

_FEW = 6
"""Hands whose first moves fit into a line; where there are more hands, this many of the first bids are named."""


def in_brief(about: About) -> str:
    """What it is worth, who wins how often, how to open, how much is bluff, whether that is proved, how to play it."""
    lines = (headline(about), results(about), *_opening(about), *_bluffs(about), *_play(about))
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
    moves = []
    for row in found:
        played = [(action, p) for action, p in row.actions if is_played(p)]
        said = listed([escape(a) if p == 1 else f"{escape(a)} {share(p)}" for a, p in played])
        moves.append(f"with hand {escape(row.hand)}, {said}" if about.dealt is not None else said)
    if about.dealt is None and len(moves) > 1:
        return []
    return [f"{start}: {'; '.join(moves)}."]


def _bids(about: About, start: str) -> list[str]:
    bids = [bid for bid in about.solution.bluffs.bids if is_played(bid.made)]
    if not bids:
        return []
    shown = sorted(bids, key=lambda bid: -bid.made)[:_FEW]
    said = [f"{escape(bid.bid)} {share(bid.made)}" for bid in shown]
    more = len(bids) - len(shown)
    said += [plural(more, "other bid")] if more else []
    return [f"{start}, all hands together: {listed(said)}. Hand by hand: see <em>How to open</em>."]


def _bluffs(about: About) -> list[str]:
    if about.bluffs:
        return [f"Bluffs: {'; '.join(about.bluffs)}. A bluff is {about.bluff}."]
    found = bets(about)
    return found if len(found) <= _FEW // 2 else []


def _play(about: About) -> list[str]:
    """The command that plays against it."""
    if not about.equilibrium or not about.commands.play:
        return []
    return [
        f"To play against {'it' if about.refined else 'an equilibrium'}: <code>{escape(about.commands.play)}</code>"
    ]


MOST_RESULTS = 12
"""Results are listed where there are at most this many."""


def value_section(about: About) -> Section:
    """The value or the payoffs, in words; that nothing was found, where that is so."""
    title = "What the game is worth" if about.equilibrium else "What was found"
    return Section("value", title, "\n".join([*_lead(about), *_meaning(about), *_results(about)]))


def headline(about: About) -> str:
    """The answer in a sentence or two, and what it rests on."""
    found = _lead(about)[0].removeprefix('<p class="key">').removesuffix("</p>")
    return f"{found} Proved: an exact equilibrium." if about.equilibrium and about.solution.exact else found


def results(about: About) -> str:
    """Who wins how often, where there is nothing but winning and losing; empty otherwise."""
    return "" if about.played is None else _wins(about, payoff_chances(about.played, about.reach))


def _lead(about: About) -> list[str]:
    """The answer in a paragraph or two."""
    solution = about.solution
    if solution.verdict is None or solution.value is None:
        said = f": {escape(solution.message)}" if solution.message else ""
        return [paragraph(f"<strong>No equilibrium was found</strong> ({escape(solution.status)}){said}.", "key")]
    if about.equilibrium:
        return _equilibrium(about)
    bounds = _bounds(about)
    if solution.lower is not None and solution.status != "not-an-equilibrium":
        return [paragraph(f"<strong>No equilibrium was found, but the value is bounded</strong>: {bounds}.", "key")]
    gain = f"<strong>These strategies are not an equilibrium</strong>: a player can gain {_least(solution.regret)}"
    found = [paragraph(f"{gain} a round by playing differently.", "key"), paragraph(_payoffs(about))]
    return (
        found if solution.lower is None else [*found, paragraph(f"The value of the game itself is bounded: {bounds}.")]
    )


def _bounds(about: About) -> str:
    first, low, high = escape(about.players[0]), about.solution.lower, about.solution.upper
    assert low is not None
    assert high is not None
    return f"to {first} it is between {in_full(low, at_least)} and {in_full(high, at_most)}"


def _most(value: Number | None) -> str:
    return "" if value is None else at_most(value)


def _least(value: Number | None) -> str:
    return "" if value is None else at_least(value)


def _equilibrium(about: About) -> list[str]:
    solution = about.solution
    assert solution.value is not None
    if solution.lower is None or len(about.players) != 2:
        best = (
            "no player gains anything"
            if solution.regret == 0
            else f"no player gains more than {_most(solution.regret)}"
        )
        return [
            paragraph(_payoffs(about), "key"),
            paragraph(f"In this equilibrium {best} by playing differently alone."),
        ]
    first = escape(about.players[0])
    worth = f"The value of the game is <strong>{in_full(solution.value[0])}</strong> to {first}"
    return [paragraph(f"{worth}: {_lead_in_words(about)}.{_rounds(about)}", "key")]


def _payoffs(about: About) -> str:
    assert about.solution.value is not None
    pairs = zip(about.players, about.solution.value, strict=True)
    each = ", ".join(f"{escape(name)} <strong>{amount(value)}</strong>" for name, value in pairs)
    return f"On average it pays: {each}."


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
    if not about.equilibrium or solution.lower is None or len(about.players) != 2:
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
        else f"Known to within {_most(solution.regret)}, by best responses to both strategies."
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
    if about.played is None:
        return []
    chances = payoff_chances(about.played, about.reach)
    if any(len(mine) > MOST_RESULTS for mine in chances):
        return []
    said = _wins(about, chances)
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


def _wins(about: About, chances: tuple[dict[Fraction, Number], ...]) -> str:
    """``Player 1 wins 4/9 (44.4%) of the rounds``; with more players, who loses how often."""
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
