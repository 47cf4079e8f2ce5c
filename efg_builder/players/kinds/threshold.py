"""The threshold player, which calls a bid whose probability is below the threshold.

Otherwise, it makes the first bid whose probability is at least the threshold. Source: S. Kakatur and A. Chang, "Game 2
Player Liar's Dice" (sections *Math Formulations* and *Bid Priority Order*), generalized to any game of Liar's Dice. See
docs/players.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from typing import cast

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
"""The least exploitable threshold for one or two dice per player with two to six sides. See docs/players.md."""

NOBODY = "none"

Answers = Callable[[PublicDecision, int], Mapping[str, Number]]  # (turn, index of the hand): probabilities

Beliefs = tuple[tuple[Fraction, ...], ...]
"""The probability of each hand given the public history, for an observer without dice: ``[player][hand]``."""

KEPT = 20_000  # maximum number of public histories with cached beliefs
PValid = Callable[[PublicDecision, int, Bid], Fraction]
"""A function of a turn, the index of the mover's hand and a bid: the mover's probability that the bid is true."""


def priority(game: DiceBidding, last: int) -> tuple[Bid, ...]:
    """Return the legal bids after the bid *last* (an index; -1: none), in the order of the source.

    In face-quantity order, bids on the last bid's face come after all other bids. In all other orders, lower bids come
    first.
    """
    higher = game.bids[last + 1 :]
    if last < 0 or game.order != "face-quantity":
        return higher
    return tuple(sorted(higher, key=lambda bid: bid[1] == game.bids[last][1]))  # a stable sort


def by_prior(game: DiceBidding) -> PValid:
    """Return P_valid without inference from bids: the binomial tail over all unseen dice.

    If k more matching dice are needed, P_valid is 1 for k <= 0, and 0 if k exceeds the number of unseen dice.
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
    """Return a function that maps a public history to ``Beliefs``, if all players use the probabilities *rows*.

    Hands are independent, and each bid depends only on the bidder's hand. A player's posterior is therefore
    proportional to the prior times the probabilities of the player's bids. A bid that no possible hand makes is
    skipped, because the posterior is undefined.

    Raises ``NotApplicableError`` if hands are not independent.
    """
    prior = game.hand_probabilities
    if prior is None:
        raise NotApplicableError(
            f"{game.title}: hands are not independent, so a bid is not evidence about one hand alone"
        )

    @lru_cache(maxsize=KEPT)
    def after(names: tuple[str, ...]) -> tuple[PublicDecision | PublicEnd, Beliefs]:
        if not names:
            return game.public_turn(game.public_root()), prior
        before, found = after(names[:-1])
        turn = cast("PublicDecision", before)  # every name follows a decision
        player, name = turn.player, names[-1]
        weights = [p and p * Fraction(rows(turn, hand).get(name, 0)) for hand, p in enumerate(found[player])]
        if total := sum(weights, Fraction(0)):
            found = (*found[:player], tuple(weight / total for weight in weights), *found[player + 1 :])
        return game.public_turn(dict(turn.actions)[name]), found

    return lambda history: after(tuple(game.bid_names[bid] for bid in game.bids_of(history)))[1]


def by_bayes(game: DiceBidding, rows: Answers) -> PValid:
    """Return P_valid from the posterior of the other hands, if all other players play by *rows*.

    See ``after_bids`` for bids that these players never make.
    """
    beliefs = after_bids(game, rows)

    @lru_cache(maxsize=4096)
    def others(history: str, mover: int, face: int) -> dict[int, Fraction]:
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
    """Return the policy of the threshold player.

    The player calls if P_valid of the last bid is below *threshold*. Otherwise, the player makes the first bid, in the
    order of ``priority``, whose P_valid is at least *threshold*. If there is no such bid, the player calls. If there is
    also no bid to call, the player makes the bid with the largest P_valid, or the first of several such bids.
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
    game = table.rules(NAME, DiceBidding, "the game liars-dice")
    if opponent == NOBODY:
        return policy(game, threshold, by_prior(game), last_bid_only=True)
    rows = fitting(invite(opponent.replace(",", ":"))(table), table).at
    return policy(game, threshold, by_bayes(game, rows))


PLAYERS = (
    Player(
        NAME,
        "calls a bid if its probability is below a threshold, else makes the first bid above the threshold; "
        "plays Liar's Dice",
        _sit,
        (
            Parameter(
                "threshold",
                DEFAULT,
                fraction("a probability, from 0 to 1", 0, 1),
                "minimum probability of a true bid; a less likely bid is called",
            ),
            Parameter(
                "opponent",
                NOBODY,
                str,
                "the player assumed in the other seats, with settings after commas (zero-intelligence,call_z=0.3); "
                "the other hands are then inferred from bids; none: no inference",
            ),
        ),
    ),
)
