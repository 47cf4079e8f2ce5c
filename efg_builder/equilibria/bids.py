"""Statistics of bids, bluffs and first moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any, cast

from ..base.rationals import Number, is_played
from ..base.words import in_text
from ..forms.extensive import CHANCE
from ..games.bidding import BiddingGame
from ..games.checks import payoff_classes
from ..games.protocol import Claim, DealtGame, Game, PublicDecision, PublicEnd
from ..strategies.reached import Behaviors, Count, Hands, Rows, Weights, number, reached
from ..strategies.tree_profile import Strategy, dealt

if TYPE_CHECKING:
    from .solution import Solution

Played = Callable[[PublicDecision, int], Mapping[str, Number]]
"""A function that takes a turn and a hand, and returns the mover's actions with positive probability."""


@dataclass(frozen=True)
class BidFigures:
    """The statistics of a bid by ``player`` (from 0), over all histories.

    ``made``: the probability of the bid in a round. The other probabilities are conditional on the bid. ``bluff``:
    nothing in the bidder's hand supports the bid. ``false``: the bid is false. ``called``: the next player,
    ``answerer``, calls.
    """

    player: int
    answerer: int
    bid: str
    made: Number
    bluff: Number
    false: Number
    called: Number


class _Sums:
    """Numerators by name, over the common denominator ``scale``."""

    def __init__(self) -> None:
        self.scale, self.counts = 1, dict[Hashable, Count]()

    def add(self, scale: int, counts: Mapping[Any, Count]) -> None:
        common = lcm(self.scale, scale)
        if common != self.scale:
            times = common // self.scale
            self.scale, self.counts = common, {name: times * count for name, count in self.counts.items()}
        times = common // scale
        for name, count in counts.items():
            self.counts[name] = self.counts.get(name, 0) + times * count

    def __getitem__(self, name: Hashable) -> Number:
        return number(self.counts.get(name, 0), self.scale)


_MADE, _BLUFF, _FALSE, _CALLED = "made", "bluff", "false", "called"


def bid_figures(profile: Strategy, game: BiddingGame) -> tuple[BidFigures, ...]:
    """Return the statistics of all bids with positive probability, sorted by player and bid.

    The statistics are exact if *profile* is exact. Numerical noise (``is_played``) is treated as 0. The result is empty
    if hands are not independent.
    """
    hands = Hands(game)
    if hands.chances is None:
        return ()
    sums: dict[tuple[int, int], _Sums] = {}
    bids = {name: index for index, name in enumerate(game.bid_names)}
    claimed = cache(game.claim)

    @cache
    def false_classes(bid: int, caller: int) -> tuple[list[tuple[int, ...]], frozenset[tuple[Hashable, ...]]]:
        """Return the classes of each player's hands, and the combinations of classes for which the bid is false."""
        classes = payoff_classes(game, game.called(bid, caller))
        # One deal represents all deals with the same classes.
        cells = product(*map(dict.fromkeys, classes))
        return classes, frozenset(
            cell for cell in cells if game.is_false(bid, caller, tuple(map(tuple.index, classes, cell)))
        )

    for turn, _, action, rows, onward in reached(hands, _behaviors(profile, game)):
        if action not in bids or not isinstance(turn, PublicDecision):
            continue
        bidder, bid = (turn.player - 1) % len(game.players), bids[action]
        figures = sums.setdefault((bidder, bid), _Sums())
        scale, mine = hands.held(rows, bidder)
        bluff = sum(weight for hand, weight in mine.items() if _is_bluff(claimed(bidder, hand, action)))
        figures.add(scale, {_MADE: sum(mine.values()), _BLUFF: bluff})
        classes, lies = false_classes(bid, turn.player)
        scale, cells = hands.together(rows, classes)
        figures.add(scale, {_FALSE: sum(weight for cell, weight in cells.items() if cell in lies)})
        if game.call in onward:
            scale, calling = hands.held(_put(rows, turn.player, onward[game.call]), turn.player)
            figures.add(scale, {_CALLED: sum(calling.values())})
    return tuple(_figures(game, *key, sums[key]) for key in sorted(sums))


def _put(rows: Rows, player: int, weights: Weights) -> Rows:
    return (*rows[:player], weights, *rows[player + 1 :])


def _is_bluff(claim: Claim | None) -> bool:
    return claim is not None and claim.matching == 0


def _figures(game: BiddingGame, player: int, bid: int, figures: _Sums) -> BidFigures:
    made = figures[_MADE]
    bluff, false, called = (figures[name] / made for name in (_BLUFF, _FALSE, _CALLED))
    return BidFigures(player, (player + 1) % len(game.players), game.bid_names[bid], made, bluff, false, called)


@dataclass(frozen=True)
class Reply:
    """The answers of ``player`` (from 0) to the last bid ``bid`` ("" before the first bid), over all histories.

    ``reach``: the probability that the player has to answer this bid. ``hands``: for each possible hand (its index),
    the hand's probability given the bid, and the moves of positive probability with this hand. ``varied``: the hands
    whose moves depend on the earlier bids, too.
    """

    player: int
    bid: str
    reach: Number
    hands: Mapping[int, tuple[Number, Mapping[str, Number]]]
    varied: frozenset[int] = frozenset()


Row = frozenset[tuple[str, float]]  # the moves of a hand, with rounded probabilities


def replies(profile: Strategy, game: BiddingGame, depth: int | None = None) -> list[Reply]:
    """Return the answers to all bids with positive probability, averaged over the earlier bids.

    *depth*: the maximum number of bids in the histories that are averaged.
    """
    sums: dict[tuple[int, str], tuple[_Sums, dict[str, _Sums]]] = {}
    played: dict[tuple[int, str], dict[int, set[Row]]] = {}
    hands, depths, behaviors = Hands(game), list[int](), _behaviors(profile, game)
    for turn, above, action, rows, onward in reached(hands, behaviors):
        depths.append(depths[above] + 1 if above >= 0 else 0)
        if not isinstance(turn, PublicDecision) or (depth is not None and depths[-1] > depth):
            continue
        held, made = sums.setdefault((turn.player, action), (_Sums(), {}))
        held.add(*hands.held(rows, turn.player))
        for move, weights in onward.items():
            made.setdefault(move, _Sums()).add(*hands.held(_put(rows, turn.player, weights), turn.player))
        seen = played.setdefault((turn.player, action), {})
        for hand, row in behaviors(turn, rows[turn.player].by_hand.keys()).items():
            # Rounding hides numerical noise.
            seen.setdefault(hand, set()).add(
                frozenset((move, round(float(p), 6)) for move, p in row.items() if is_played(p))
            )
    return [_reply(*key, *both, played[key]) for key, both in sums.items()]


def _reply(
    player: int, bid: str, held: _Sums, made: Mapping[str, _Sums], played: Mapping[int, Collection[Row]]
) -> Reply:
    reach = number(sum(held.counts.values()), held.scale)
    hands: dict[int, tuple[Number, Mapping[str, Number]]] = {}
    for hand in cast("list[int]", held.counts):
        if held[hand]:
            moves = {move: sums[hand] / held[hand] for move, sums in made.items() if sums[hand]}
            hands[hand] = held[hand] / reach, moves
    return Reply(player, bid, reach, hands, frozenset(hand for hand, rows in played.items() if len(rows) > 1))


def first_replies(profile: Strategy, game: BiddingGame) -> dict[tuple[int, str], dict[int, Mapping[str, Number]]]:
    """Return the answers to every bid that is the other player's first move, whether that player ever makes it or not.

    The key is the player who answers, and the bid. The value has the moves with each hand that can get there by the
    player's own moves, averaged over the player's earlier bid. The game has two players.
    """
    behaviors, start = _behaviors(profile, game), game.public_turn(game.public_root())
    weights: dict[tuple[int, str, int], Number] = {}
    made: dict[tuple[int, str, int], dict[str, Number]] = {}

    def add(turn: PublicDecision | PublicEnd, bid: str, held: Mapping[int, Number]) -> None:
        if not isinstance(turn, PublicDecision):
            return
        for hand, row in behaviors(turn, held.keys()).items():
            key = turn.player, bid, hand
            weights[key] = weights.get(key, 0) + held[hand]
            for move, p in row.items():
                if is_played(p):
                    sums = made.setdefault(key, {})
                    sums[move] = sums.get(move, 0) + held[hand] * p

    if isinstance(start, PublicDecision):
        mine = behaviors(start, range(game.hand_counts[start.player]))
        for bid, then in start.actions:
            turn = game.public_turn(then)
            if not isinstance(turn, PublicDecision):
                continue
            add(turn, bid, dict.fromkeys(range(game.hand_counts[turn.player]), Fraction(1)))
            held = {hand: p for hand, row in mine.items() if is_played(p := row.get(bid, 0))}
            for answer, after in turn.actions if held else ():
                if answer != game.call:
                    add(game.public_turn(after), answer, held)
    found: dict[tuple[int, str], dict[int, Mapping[str, Number]]] = {}
    for (player, bid, hand), moves in made.items():
        shares = {move: p / weights[player, bid, hand] for move, p in moves.items()}
        found.setdefault((player, bid), {})[hand] = shares
    return found


def bluff_shares(profile: Strategy, game: DealtGame) -> dict[int, Number]:
    """Return the share of each player's claims that nothing in the player's hand supports. Players without claims
    are omitted.
    """
    # An action with a given hand makes the same claim at every history, so claims are cached.
    sums, claimed, hands = _Sums(), cache(game.claim), Hands(game)
    for turn, _, _, rows, onward in reached(hands, _behaviors(profile, game)):
        if not isinstance(turn, PublicDecision):
            continue
        for action, weights in onward.items():
            scale, held = hands.held(_put(rows, turn.player, weights), turn.player)
            made = [(claim, weight) for hand, weight in held.items() if (claim := claimed(turn.player, hand, action))]
            bluff = sum(weight for claim, weight in made if _is_bluff(claim))
            sums.add(scale, {(turn.player, _MADE): sum(weight for _, weight in made), (turn.player, _BLUFF): bluff})
    players = (player for player in range(len(game.players)) if sums[player, _MADE])
    return {player: sums[player, _BLUFF] / sums[player, _MADE] for player in players}


def _behaviors(profile: Strategy, game: DealtGame) -> Behaviors:
    if profile.sparse_profile is not None:
        return profile.behaviors
    played = played_by(profile, game)
    return lambda turn, hands: {hand: played(turn, hand) for hand in hands}


def played_by(profile: Strategy, game: DealtGame) -> Played:
    """Return the behavior of *profile* in *game*, without numerical noise (``is_played``)."""
    if profile.sparse_profile is not None:
        return profile.played
    strategy = dealt(profile, game)
    return lambda turn, hand: {action: p for action, p in strategy.at(turn, hand).items() if is_played(p)}


@dataclass(frozen=True)
class Opening:
    """The first move of ``player`` (a name) with one hand, or at one information set.

    ``actions``: the actions with positive probability, and their probabilities. ``held``: the probability of the hand
    or, without hands, of the information set. ``bluff``: the probability of a bid that nothing in the bidder's
    hand supports. ``false``: the probability of a false bid, given only the hand. Without claims, ``bluff`` and
    ``false`` are None.
    """

    player: str
    hand: str
    actions: tuple[tuple[str, Number], ...]
    held: Number
    bluff: Number | None = None
    false: Number | None = None


@dataclass(frozen=True)
class OpeningBid:
    """The statistics of a first bid by ``player``.

    ``made``: the probability of the bid over all hands. The other probabilities are conditional on the bid. ``bluff``:
    nothing in the bidder's hand supports the bid. ``false``: the bid is false.
    """

    player: str
    bid: str
    made: Number
    bluff: Number
    false: Number


@dataclass(frozen=True)
class Bluffs:
    """The frequency of bluffs; empty if bids make no claims.

    ``shares``: by player name, the share of the player's bids that nothing in the player's hand supports, weighted
    by probability. ``bids``: the first bids, lowest first.
    """

    shares: Mapping[str, Number]
    bids: tuple[OpeningBid, ...]

    def told(self, regret: Number) -> str:
        """Return the shares as text: ``Player 1 1/4, Player 2 1/2``. The strategies' *regret* limits the digits."""
        numbers = in_text(self.shares.values(), regret)
        return ", ".join(f"{name} {share}" for name, share in zip(self.shares, numbers, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return JSON data for the entry ``run`` of a solution; empty if bids make no claims."""
        if not self.shares:
            return {}
        shares = {name: float(share) for name, share in self.shares.items()}
        opening = [{"bid": bid.bid, "made": float(bid.made), "bluff": float(bid.bluff)} for bid in self.bids]
        return {"bluffs": {"of_all_bids": shares, "opening": opening}}


def bluffs(solution: Solution) -> Bluffs:
    """Return the statistics of bluffs; empty unless *solution* has a verdict and the rules of a dealt game.

    Every reached history is visited, so ``Solution.bluffs`` caches the result.
    """
    game = solution.subject.dealt
    if game is None or solution.verdict is None:
        return Bluffs({}, ())
    by_player = (_makes_claims(game) and _shares_of(solution.bids)) or bluff_shares(solution.strategy, game)
    shares = {game.players[player]: share for player, share in by_player.items()}
    return Bluffs(shares, opening_bids(solution.strategy, game))


def _makes_claims(game: DealtGame) -> bool:
    """Return whether the bids of a bidding game are claims about dice."""
    bidding = game.bidding_game
    return bidding is not None and game.claim(0, 0, bidding.bid_names[0]) is not None


def _shares_of(bids: tuple[BidFigures, ...]) -> dict[int, Number]:
    made, bluffs = dict[int, Number](), dict[int, Number]()
    for bid in bids:
        made[bid.player] = made.get(bid.player, Fraction(0)) + bid.made
        bluffs[bid.player] = bluffs.get(bid.player, Fraction(0)) + bid.made * bid.bluff
    return {player: bluffs[player] / made[player] for player in made}


def openings(profile: Strategy, game: Game | None = None) -> tuple[Opening, ...]:
    """Return the first mover's play with each hand, or at each of the mover's first information sets.

    A first information set contains the root, or a child of a chance node at the root.
    """
    rules = game if profile.sparse_profile is None else profile.game
    dealt_game = None if rules is None else rules.dealt_game
    if dealt_game is not None:
        return _openings_by_hand(profile, dealt_game)
    on_tree = profile.tree_profile
    if on_tree is None:
        return ()
    tree, firsts, first_moves = on_tree.tree, dict[int, Fraction](), list[Opening]()
    odds = tree.infosets[tree.infoset[0]].probabilities if tree.player[0] == CHANCE else None
    for node, p in [(0, Fraction(1))] if odds is None else zip(tree.children(0), odds, strict=True):
        if tree.player[node] >= 0:
            k = int(tree.infoset[node])
            firsts[k] = firsts.get(k, Fraction(0)) + p
    mover = next((tree.infosets[k].player for k in firsts), None)
    for k, weight in firsts.items():
        if tree.infosets[k].player == mover:
            row = zip(tree.infosets[k].actions, on_tree.probabilities[k], strict=True)
            actions = tuple((action, p) for action, p in row if is_played(p))
            first_moves.append(Opening(tree.players[mover], tree.names[k], actions, weight))
    return tuple(first_moves)


def _openings_by_hand(profile: Strategy, game: DealtGame) -> tuple[Opening, ...]:
    turn = game.public_turn(game.public_root())
    if not isinstance(turn, PublicDecision):
        return ()
    played, hands = played_by(profile, game), Hands(game)
    scale, held = hands.held(hands.start(), turn.player)
    return tuple(
        _opening(game, turn.player, hand, number(held.get(hand, 0), scale), played(turn, hand))
        for hand in range(game.hand_counts[turn.player])
    )


def _opening(game: DealtGame, player: int, hand: int, held: Number, played: Mapping[str, Number]) -> Opening:
    claims = [(claim, p) for action, p in played.items() if (claim := game.claim(player, hand, action)) is not None]
    bluff = false = None
    if claims:
        bluff = sum((p for claim, p in claims if _is_bluff(claim)), Fraction(0))
        false = sum((claim.false * p for claim, p in claims), Fraction(0))
    return Opening(game.players[player], game.hands[player][hand], tuple(played.items()), held, bluff, false)


def most_probable(first_moves: Sequence[Opening], most: int) -> list[int]:
    """Return the indices of the *most* openings with the highest probability, in ascending order."""
    return sorted(sorted(range(len(first_moves)), key=lambda index: (-first_moves[index].held, index))[:most])


def opening_bids(profile: Strategy, game: DealtGame) -> tuple[OpeningBid, ...]:
    """Return the first bids of *profile*, lowest first; empty if moves make no claims."""
    turn, made = game.public_turn(game.public_root()), dict[str, list[tuple[Claim, Number]]]()
    if not isinstance(turn, PublicDecision):
        return ()
    for hand, opening in enumerate(openings(profile, game)):
        for action, p in opening.actions:
            claim = game.claim(turn.player, hand, action)
            if claim is not None and opening.held:
                made.setdefault(action, []).append((claim, opening.held * p))
    bids = []
    for bid in (action for action, _ in turn.actions if action in made):
        often = sum((p for _, p in made[bid]), Fraction(0))
        bluff = sum((p for claim, p in made[bid] if _is_bluff(claim)), Fraction(0))
        false = sum((p * claim.false for claim, p in made[bid]), Fraction(0))
        bids.append(OpeningBid(game.players[turn.player], bid, often, bluff / often, false / often))
    return tuple(bids)
