"""Zero intelligence: call what is improbable, else raise where the next player is least likely to call rightly.

After mu-zhao, "Zero Intelligence" (wiki of the repository Liars_dice); docs/zero-intelligence.md has the mathematics,
and what of the text is corrected. Nothing but the player's own dice and the last bid enters, so that any number of dice
and players, any wild face and any order of bids will do.

**Calling.** A bid is called where it holds with less than the call probability, which is where its z-score is above
``call_z``. Just at the level it is not called: the text calls what exceeds it. A bid that the own dice bear out by
themselves is never called.

**Raising.** Otherwise, of all higher bids, the one with the largest payoff: minus the chance that the next player, who
goes by the same level, calls it and it is false. Where several have the same, ``ties`` says which: the highest of
them, which leaves the next player least room and is hardest to exploit (measured), the lowest, or all alike. Where
there is no higher bid: call. First to move: raise, there is nothing to call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from math import inf

from ...base.errors import ParameterError
from ...base.parameters import Parameter, choice
from ...base.rationals import Number, parse
from ...games.bidding import DiceBidding
from ...games.protocol import PublicDecision
from ...strategies.policy import Policy
from ...strategies.tree_profile import Strategy
from ..find import Player, Table
from ..zero_intelligence import (
    TAILS,
    Tail,
    cumulative,
    false_chance,
    indifference,
    quantile,
    raise_payoff,
    robust_level,
    seats,
)

NAME = "zero-intelligence"

SOLVED, PRINTED, HERE, ROBUST = LEVELS = ("indifference", "printed", "table", "robust")

TIES = ("highest", "lowest", "uniform")


def _sit(
    table: Table,
    call_probability: Fraction | None,
    call_z: Fraction | None,
    level: str,
    tail: Tail,
    ties: str,
    spread: Fraction,
) -> Strategy:
    game = table.rules(NAME, DiceBidding, "Liar's Dice")
    if call_probability is not None and call_z is not None:
        raise ParameterError(f"{NAME}: call_probability and call_z both set the level; one of them is right")

    index = {name: bid for bid, name in enumerate(game.bid_names)}

    @cache
    def level_of(player: int) -> Number:
        if call_probability is not None:
            return call_probability
        return named_level(level, game, player) if call_z is None else cumulative(-float(call_z))

    @cache
    def worth(player: int, hand: int, bid: int) -> Number:
        return raise_payoff(game, player, hand, bid, level_of(player), tail)

    @cache
    def answer(player: int, hand: int, last: int) -> Mapping[str, Number]:
        bids = range(last + 1, len(game.bids))
        called: Number = Fraction(0)
        if last >= 0:
            called = call_chance(1 - false_chance(game, player, hand, last, tail), level_of(player), float(spread))
        if not bids or called == 1:
            return {game.call: Fraction(1)}
        worths = [worth(player, hand, bid) for bid in bids]
        most = max(worths)
        best = [bid for bid, value in zip(bids, worths, strict=True) if value == most]
        chosen = best if ties == "uniform" else best[:1] if ties == "lowest" else best[-1:]
        share = (1 - called) / len(chosen)
        return {game.bid_names[bid]: share for bid in chosen} | ({game.call: called} if called else {})

    def zero_intelligence(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        last = -1 if turn.actions[-1][0] != game.call else index[turn.history.rpartition(" ")[2]]
        return answer(turn.player, hand, last)

    return Policy(zero_intelligence, last_bid_only=True)


def named_level(word: str, game: DiceBidding, player: int) -> float:
    """The call probability that *word*, one of ``LEVELS``, stands for in the seat of *player* (from 0).

    ``"indifference"``: 0.3864, where calling costs as much as raising with three players besides the next one;
    ``"printed"``: 0.2818, which the text prints for it; ``"table"``: the same equation for the dice of this game, the
    variance being those of all others in units of the next player's; ``"robust"``: what does best in the worst case,
    the variance being the unseen dice in units of the own ones.
    """
    at = seats(game, player)
    if word == ROBUST:
        return cumulative(-robust_level(at.unseen / at.own))
    if word == HERE:
        return indifference(variance=at.others / at.following).call_probability
    found = indifference()
    return found.printed if word == PRINTED else found.call_probability


def call_chance(holds: Number, level: Number, spread: float) -> Number:
    """How likely a bid is called that *holds* with this chance: below the *level* it is, at it or above not.

    With a *spread* above 0 the level, as a z-score, is drawn anew at each turn, normally distributed about its own.
    What certainly holds is never called, and what certainly does not always is, but for a level of 0 or 1.
    """
    if not spread or not 0 < holds < 1 or not 0 < level < 1:
        return Fraction(int(holds < level))
    return cumulative((quantile(level) - quantile(holds)) / spread)


def _number(right: str, low: float = -inf, high: float = inf) -> Callable[[str], Fraction | None]:
    """A reader of exact numbers from *low* to *high*; *right* says what is right, and "none" is where it says so."""

    def read(text: str) -> Fraction | None:
        if text == "none" and right.startswith(text):
            return None
        with suppress(ValueError, ZeroDivisionError):
            if low <= (number := parse(text)) <= high:
                return number
        raise ValueError(f"must be {right}")

    return read


_call_probability = _number("none, or a number from 0 to 1", 0, 1)
_call_z = _number("none, or a number of standard deviations")
_spread = _number("0 or more standard deviations", 0)

PLAYERS = (
    Player(
        NAME,
        "calls what is improbable by its own dice, else makes the raise least likely to be called rightly; "
        "Liar's Dice of any size",
        _sit,
        (
            Parameter("call_probability", "none", _call_probability, "call what holds with less than this chance"),
            Parameter("call_z", "none", _call_z, "the same as a z-score: call what lies above"),
            Parameter(
                "level",
                SOLVED,
                choice(*LEVELS),
                "where neither is set: indifference (0.3864), printed (0.2818), table (indifference at this table) or "
                "robust (best in the worst case)",
            ),
            Parameter(
                "tail", TAILS[0], choice(*TAILS), "chances by normals, exact binomials, or as printed in the text"
            ),
            Parameter("ties", TIES[0], choice(*TIES), "which of equally good raises: highest, lowest or uniform"),
            Parameter("spread", "0", _spread, "draw the level at each turn, with this standard deviation in z"),
        ),
    ),
)
