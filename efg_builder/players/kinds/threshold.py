"""The threshold player: call what is not likely enough, else make the first bid that is.

After S. Kakatur and A. Chang, "Game 2 Player Liar's Dice" (sections *Math Formulations* and *Bid Priority Order*), read
for any game of Liar's Dice: see docs/players.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

from ...base.errors import NotApplicableError
from ...base.parameters import Parameter, fraction
from ...base.rationals import Number
from ...games.bidding import Bid, BiddingGame, DiceBidding, at_least, bid_name
from ...games.protocol import PublicDecision, PublicEnd
from ...strategies.policy import Policy
from ...strategies.tree_profile import Strategy
from ..find import Player, Table, fitting, invite

NAME = "threshold"

DEFAULT = "1/6"
"""Loses least to best responses over one and two dice a side of two to six sides; figures: docs/players.md."""

NOBODY = "none"

Answers = Callable[[PublicDecision, int], Mapping[str, Number]]  # probabilities at a public turn, by hand (its index)

Beliefs = tuple[tuple[Fraction, ...], ...]
"""For each player the probability of each hand, as public play shows it to somebody who holds none of the dice."""

KEPT = 20_000  # public histories whose beliefs are kept; more are worked out anew
PValid = Callable[[PublicDecision, int, Bid], Fraction]
"""The chance that a bid holds, for the mover at a public turn with a hand (its index)."""


def priority(game: DiceBidding, last: int) -> tuple[Bid, ...]:
    """The legal bids after the bid *last* (an index; -1: none) in the documented order.

    In face-quantity order: first the higher faces, by face and then amount, lowest first, then the same face with a
    greater amount; all other orders, and the first bid, from the lowest bid up.
    """
    higher = game.bids[last + 1 :]
    if last < 0 or game.order != "face-quantity":
        return higher
    return tuple(sorted(higher, key=lambda bid: bid[1] == game.bids[last][1]))  # by face and amount before


def by_prior(game: DiceBidding) -> PValid:
    """P_valid where nothing is inferred from bids: the binomial tail over all unseen dice.

    With k dice still missing: 1 for k <= 0, and 0 where more are missing than are unseen.
    """

    @cache
    def tail(missing: int, unseen: int, face: int) -> Fraction:
        return at_least(missing, unseen, game.counting_chance(face))

    def chance(turn: PublicDecision, hand: int, bid: Bid) -> Fraction:
        quantity, face = bid
        mine = game.matches(game.cups[turn.player][hand][0], face)
        return tail(game.needed(quantity) - mine, sum(game.dice) - game.dice[turn.player], face)

    return chance


def after_bids(game: BiddingGame, rows: Answers) -> Callable[[str], Beliefs]:
    """A function of the public history that gives everybody's ``Beliefs``, all players playing as *rows* say.

    Hands are dealt independently and each bid depends on its maker's hand alone, so each player's posterior is its
    own prior times the probabilities of its own bids, divided by their sum. A bid that none of the hands still
    possible would have made has no posterior: it is passed over, and the posterior from the other bids stands.

    Raises ``NotApplicableError`` where hands are not dealt independently.
    """
    prior = game.hand_probabilities
    if prior is None:
        raise NotApplicableError(f"{game.title}: hands depend on each other, so that no bid tells of one hand alone")

    @lru_cache(maxsize=KEPT)
    def after(names: tuple[str, ...]) -> tuple[PublicDecision | PublicEnd, Beliefs]:
        if not names:
            return game.public_turn(game.public_root()), prior
        turn, found = after(names[:-1])
        assert isinstance(turn, PublicDecision)
        player, name = turn.player, names[-1]
        weights = [p and p * Fraction(rows(turn, hand).get(name, 0)) for hand, p in enumerate(found[player])]
        if total := sum(weights, Fraction(0)):
            found = (*found[:player], tuple(weight / total for weight in weights), *found[player + 1 :])
        return game.public_turn(dict(turn.actions)[name]), found

    return lambda history: after(tuple(game.bid_names[bid] for bid in game.bids_of(history)))[1]


def by_bayes(game: DiceBidding, rows: Answers) -> PValid:
    """P_valid under the posterior over the other hands, given the bids and that all others play as *rows* say.

    See ``after_bids`` for bids that they never make.
    """
    beliefs = after_bids(game, rows)

    @lru_cache(maxsize=4096)
    def others(history: str, mover: int, face: int) -> dict[int, Fraction]:
        """The distribution of how many dice of all others together count."""
        totals = {0: Fraction(1)}
        for player, belief in enumerate(beliefs(history)):
            if player != mover:
                counts = [game.matches(cup, face) for cup, _ in game.cups[player]]
                found: dict[int, Fraction] = defaultdict(Fraction)
                for (count, p), (total, q) in product(zip(counts, belief, strict=True), totals.items()):
                    found[total + count] += p * q
                totals = found
        return totals

    def chance(turn: PublicDecision, hand: int, bid: Bid) -> Fraction:
        quantity, face = bid
        missing = game.needed(quantity) - game.matches(game.cups[turn.player][hand][0], face)
        totals = others(turn.history, turn.player, face)
        return sum((p for total, p in totals.items() if total >= missing), Fraction(0))

    return chance


def policy(game: DiceBidding, threshold: Fraction, p_valid: PValid, last_bid_only: bool = False) -> Policy:
    """Call where P_valid of the last bid is below *threshold*; else the first bid of ``priority`` that reaches it.

    Where no bid does: call, or, where there is nothing to call, the likeliest bid, of several the first.
    """
    index = {name: bid for bid, name in enumerate(game.bid_names)}
    options = cache(lambda last: priority(game, last))

    def threshold_player(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        last = index.get(turn.history.rpartition(" ")[2], -1)
        if last >= 0 and p_valid(turn, hand, game.bids[last]) < threshold:
            return {game.call: Fraction(1)}
        chances = {}
        for bid in options(last):
            chances[bid] = p_valid(turn, hand, bid)
            if chances[bid] >= threshold:
                return {bid_name(bid): Fraction(1)}
        likeliest = game.call if last >= 0 else bid_name(max(chances, key=chances.__getitem__))
        return {likeliest: Fraction(1)}

    return Policy(threshold_player, last_bid_only=last_bid_only)


def _sit(table: Table, threshold: Fraction, opponent: str) -> Strategy:
    game = table.rules(NAME, DiceBidding, "Liar's Dice")
    if opponent == NOBODY:
        return policy(game, threshold, by_prior(game), last_bid_only=True)
    rows = fitting(invite(opponent.replace(",", ":"))(table), table).at
    return policy(game, threshold, by_bayes(game, rows))


PLAYERS = (
    Player(
        NAME,
        "calls a bid that is not likely enough, else makes the first bid that is; plays Liar's Dice",
        _sit,
        (
            Parameter(
                "threshold",
                DEFAULT,
                fraction("a probability, from 0 to 1", 0, 1),
                "the chance to hold below which a bid is called, not made",
            ),
            Parameter(
                "opponent",
                NOBODY,
                str,
                "the player assumed in the other seats, whose bids give the posterior over their hands, with its "
                "settings after commas (zero-intelligence,call_z=0.3); none: nothing is inferred",
            ),
        ),
    ),
)
