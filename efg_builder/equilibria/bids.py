"""Bids under a strategy: how often each is made, a bluff, false and called; first moves; who is ahead.

One pass over the public histories that are reached, in whole numbers where strategies are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any

from ..base.rationals import Number, is_played
from ..forms.extensive import CHANCE, GameTree
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game, PublicDecision
from ..strategies.reached import Behaviors, Count, Hands, Rows, number, reached
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import Strategy, TreeProfile, dealt

Played = Callable[[PublicDecision, int], Mapping[str, Number]]
"""The mover's actions of positive probability at a turn with a hand."""


@dataclass(frozen=True)
class Answer:
    """One hand of the player who answers a bid: its probability there, and how often it then calls."""

    hand: str
    held: Number
    called: Number


@dataclass(frozen=True)
class BidFigures:
    """A bid of ``player``, over all histories that lead to it.

    ``made`` is the probability that the player makes it in a round. Given that: ``bluff`` is how often no own die
    bears it out, ``false`` how often it does not hold, ``called`` how often ``answerer``, who moves next, calls it.
    ``answers``: by the answerer's hands, those that get there, in the hands' order. Players count from 0.
    """

    player: int
    answerer: int
    bid: str
    made: Number
    bluff: Number
    false: Number
    called: Number
    answers: tuple[Answer, ...]


class _Sums:
    """Numbers by name, added up over one scale."""

    def __init__(self) -> None:
        self.scale, self.counts = 1, dict[Hashable, Count]()

    def add(self, scale: int, counts: Iterable[tuple[Hashable, Count]]) -> None:
        """Add *counts* over *scale*."""
        common = lcm(self.scale, scale)
        if common != self.scale:
            times = common // self.scale
            self.scale, self.counts = common, {name: times * count for name, count in self.counts.items()}
        times = common // scale
        for name, count in counts:
            self.counts[name] = self.counts.get(name, 0) + times * count

    def __getitem__(self, name: Hashable) -> Number:
        return number(self.counts.get(name, 0), self.scale)


_MADE, _BLUFF, _FALSE = "made", "bluff", "false"


def bid_figures(profile: Strategy, game: BiddingGame) -> tuple[BidFigures, ...]:
    """The figures of every bid that is made, player by player, lowest bids first.

    Exact where *profile* is. Floats that are a solver's noise count as 0. Empty where hands are not independent.
    """
    hands = Hands(game)
    if hands.chances is None:
        return ()
    sums: dict[tuple[int, int], tuple[_Sums, _Sums, _Sums]] = {}
    bids = {name: index for index, name in enumerate(game.bid_names)}
    false_bids, claimed = _FalseBids(game, hands), cache(game.claim)
    for turn, _, action, rows, onward in reached(hands, _behaviors(profile, game)):
        if action not in bids or not isinstance(turn, PublicDecision):
            continue
        bidder, bid = (turn.player - 1) % len(game.players), bids[action]
        figures, held, called = sums.setdefault((bidder, bid), (_Sums(), _Sums(), _Sums()))
        scale, mine = hands.held(rows, bidder)
        claims = ((weight, claimed(bidder, hand, action)) for hand, weight in mine.items())
        bluff = sum(weight for weight, claim in claims if claim is not None and claim.matching == 0)
        figures.add(scale, [(_MADE, sum(mine.values())), (_BLUFF, bluff)])
        scale, lies = false_bids.weight(bid, turn.player, rows)
        figures.add(scale, [(_FALSE, lies)])
        for kept, weights in ((held, rows[turn.player]), (called, onward.get(game.call))):
            if weights is not None:
                scale, answers = hands.held((*rows[: turn.player], weights, *rows[turn.player + 1 :]), turn.player)
                kept.add(scale, answers.items())
    return tuple(_figures(game, *key, *sums[key]) for key in sorted(sums))


def bluff_shares(profile: Strategy, game: DealtGame) -> dict[int, Number]:
    """By player: of all claims that the player makes, the share that no own die bears out.

    A player who never makes a claim is left out. Exact where *profile* is.
    """
    # The same at every history: a hand's chances are worked out once for each claim.
    claims, bluffs, claimed, hands = _Sums(), _Sums(), cache(game.claim), Hands(game)
    for turn, _, _, rows, onward in reached(hands, _behaviors(profile, game)):
        if not isinstance(turn, PublicDecision):
            continue
        player = turn.player
        for action, weights in onward.items():
            scale, held = hands.held((*rows[:player], weights, *rows[player + 1 :]), player)
            made = [(weight, claimed(player, hand, action)) for hand, weight in held.items()]
            claims.add(scale, [(player, sum(weight for weight, claim in made if claim is not None))])
            lies = sum(weight for weight, claim in made if claim is not None and claim.matching == 0)
            bluffs.add(scale, [(player, lies)])
    return {player: bluffs[player] / claims[player] for player in range(len(game.players)) if claims[player]}


def _figures(game: BiddingGame, player: int, bid: int, figures: _Sums, held: _Sums, called: _Sums) -> BidFigures:
    answerer = (player + 1) % len(game.players)
    names, made = game.hands[answerer], figures[_MADE]
    answers = tuple(
        Answer(names[hand], held[hand] / made, called[hand] / held[hand]) for hand in range(len(names)) if held[hand]
    )
    calls = number(sum(called.counts.values()), called.scale)
    bluff, false = figures[_BLUFF] / made, figures[_FALSE] / made
    return BidFigures(player, answerer, game.bid_names[bid], made, bluff, false, calls / made, answers)


def _behaviors(profile: Strategy, game: DealtGame) -> Behaviors:
    """What *profile* does, without a solver's noise."""
    if isinstance(profile, SparseProfile):
        return profile.behaviors
    played = played_by(profile, game)
    return lambda turn, hands: {hand: played(turn, hand) for hand in hands}


def played_by(profile: Strategy, game: DealtGame) -> Played:
    """The behavior of *profile*, on the whole tree of *game* or without one; a solver's noise counts as 0."""
    strategy = dealt(profile, game)

    def played(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        return {action: p for action, p in strategy.at(turn, hand).items() if is_played(p)}

    return profile.played if isinstance(profile, SparseProfile) else played


class _FalseBids:
    """Which bids are false: deals in which all hands are of one class are settled once."""

    def __init__(self, game: BiddingGame, hands: Hands) -> None:
        self.game, self.hands = game, hands
        self._known: dict[tuple[int, int], tuple[list[tuple[int, ...]], frozenset[tuple[Hashable, ...]]]] = {}

    def weight(self, bid: int, caller: int, rows: Rows) -> tuple[int, Count]:
        """The probability that play reaches the turn with these *rows* and that *bid* is false, over a scale."""
        classes, lies = self._table(bid, caller)
        scale, found = self.hands.together(rows, classes)
        return scale, sum(weight for cell, weight in found.items() if cell in lies)

    def _table(self, bid: int, caller: int) -> tuple[list[tuple[int, ...]], frozenset[tuple[Hashable, ...]]]:
        """Each player's hands' classes; and the combinations of classes of which the bid is false."""
        if (bid, caller) not in self._known:
            key = self.game.called(bid, caller)
            classes = [self.game.classes(key, player) for player in range(len(self.game.players))]
            # One deal stands for all deals of its classes.
            lies = frozenset(
                cell
                for cell in product(*map(dict.fromkeys, classes))
                if self.game.is_false(bid, caller, tuple(map(tuple.index, classes, cell)))
            )
            self._known[bid, caller] = (classes, lies)
        return self._known[bid, caller]


# In brief.

if TYPE_CHECKING:
    from .solution import Solution


@dataclass(frozen=True)
class Opening:
    """The first move of ``player`` (a name) with one hand (or at one first information set).

    ``actions`` are (label, probability) with positive probability. ``bluff`` is the probability of a bid
    that no own die bears out, ``false`` the probability that the bid made is false, given the hand alone;
    both are None where actions claim nothing.
    """

    player: str
    hand: str
    actions: tuple[tuple[str, Number], ...]
    bluff: Number | None
    false: Number | None


@dataclass(frozen=True)
class OpeningBid:
    """A first bid of ``player``: ``made`` is its probability over all hands.

    Given that it is made: ``bluff`` is the probability that no own die bears it out, ``false`` that it is false,
    given the hand alone.
    """

    player: str
    bid: str
    made: Number
    bluff: Number
    false: Number


@dataclass(frozen=True)
class Bluffs:
    """How often the players bluff; empty where bids claim nothing.

    ``shares``: by player's name, of all bids, weighted by their probability, the share that no own die bears out.
    ``bids``: those made first, lowest first.
    """

    shares: Mapping[str, Number]
    bids: tuple[OpeningBid, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data for the ``run`` of a solution, which no certificate claims; nothing where bids claim nothing."""
        if not self.shares:
            return {}
        shares = {name: float(share) for name, share in self.shares.items()}
        opening = [{"bid": bid.bid, "made": float(bid.made), "bluff": float(bid.bluff)} for bid in self.bids]
        return {"bluffs": {"of_all_bids": shares, "opening": opening}}


def bluffs(solution: Solution) -> Bluffs:
    """The figures on *solution*; empty where no strategy was verified, or no game is known.

    This goes over all of play, so ``Solution.bluffs`` keeps them.
    """
    profile, game = solution.strategy, solution.game
    if not isinstance(game, DealtGame) or solution.verdict is None or profile is None:
        return Bluffs({}, ())
    found = _shares_of(solution.bids) or bluff_shares(profile, game)
    shares = {game.players[player]: share for player, share in found.items()}
    return Bluffs(shares, opening_bids(profile, game))


def _shares_of(bids: tuple[BidFigures, ...]) -> dict[int, Number]:
    """What ``bluff_shares`` finds, where the figures of all bids are known already."""
    made, bluffs = dict[int, Number](), dict[int, Number]()
    for bid in bids:
        made[bid.player] = made.get(bid.player, Fraction(0)) + bid.made
        bluffs[bid.player] = bluffs.get(bid.player, Fraction(0)) + bid.made * bid.bluff
    return {player: bluffs[player] / made[player] for player in made}


def openings(profile: TreeProfile | SparseProfile, game: Game | None = None) -> tuple[Opening, ...]:
    """The first mover's play, hand by hand: every set met right after the first chance move (or the root)."""
    if isinstance(profile, SparseProfile):
        return _sparse_openings(profile)
    tree = profile.tree
    firsts = list(dict.fromkeys(int(tree.infoset[node]) for node in _first_nodes(tree)))
    mover = tree.infosets[firsts[0]].player if firsts else None
    return tuple(_opening(profile, k, game) for k in firsts if tree.infosets[k].player == mover)


def opening_bids(profile: Strategy, game: DealtGame) -> tuple[OpeningBid, ...]:
    """The first bids by *profile*, lowest first; empty where moves claim nothing. Exact where *profile* is."""
    played = played_by(profile, game)
    hands, turn = Hands(game), game.public_turn(game.public_root())
    if not isinstance(turn, PublicDecision):
        return ()
    player, sums = turn.player, dict[str, tuple[Number, Number, Number]]()
    scale, held = hands.held(hands.start(), player)
    for hand, count in held.items():
        weight = number(count, scale)
        for action, p in played(turn, hand).items():
            claim = game.claim(player, hand, action)
            if claim is not None:
                often, bluff, false = sums.get(action, (Fraction(0), Fraction(0), Fraction(0)))
                bluff += weight * p if claim.matching == 0 else 0
                sums[action] = often + weight * p, bluff, false + weight * p * claim.false
    name = game.players[player]
    made = ((action, *sums[action]) for action, _ in turn.actions if action in sums)
    return tuple(OpeningBid(name, bid, often, bluff / often, false / often) for bid, often, bluff, false in made)


def ahead(solution: Solution, game: Game | None) -> str:
    """Who is ahead, in a clause; empty where the players do not divide a constant sum."""
    value = solution.value
    divided = solution.lower is not None or (game is not None and game.constant_sum is not None)
    if value is None or not divided or len(value) < 2:
        return ""
    best = max(value)
    leaders = [name for name, v in zip(solution.players, value, strict=True) if v == best]
    if len(leaders) == len(value):
        return "the players are even"
    return f"{' and '.join(leaders)} {'is' if len(leaders) == 1 else 'are'} ahead"


def one_of_many(solution: Solution) -> bool:
    """Whether this is an unrefined equilibrium on a tree, so that ``ranges`` can describe all the others.

    Such an equilibrium may look odd where no payoff depends on it: in dice poker, calling with a two and folding a
    three.
    """
    if solution.status != "equilibrium" or solution.lower is None or solution.several or solution.refined is not None:
        return False
    return solution.profile is not None and bool(solution.profile.tree.personal)


def _first_nodes(tree: GameTree) -> list[int]:
    if tree.player[0] != CHANCE:
        return [] if tree.is_terminal(0) else [0]
    return [node for node in tree.children(0) if tree.player[node] >= 0]


def _sparse_openings(profile: SparseProfile) -> tuple[Opening, ...]:
    game = profile.game
    turn = game.public_turn(game.public_root())
    if not isinstance(turn, PublicDecision):
        return ()
    hands = range(game.hand_counts[turn.player])
    return tuple(_claiming(game, turn.player, hand, tuple(profile.played(turn, hand).items())) for hand in hands)


def _opening(profile: TreeProfile, k: int, game: Game | None) -> Opening:
    infoset = profile.tree.infosets[k]
    row = zip(infoset.actions, profile.probabilities[k], strict=True)
    played = tuple((a, p) for a, p in row if is_played(p))
    if isinstance(game, DealtGame):
        return _claiming(game, infoset.player, _hand(game, profile.tree, k), played)
    name = profile.tree.players[infoset.player]
    return Opening(name, profile.tree.names[k], played, None, None)


def _claiming(game: DealtGame, player: int, hand: int, played: tuple[tuple[str, Number], ...]) -> Opening:
    """The first move with a hand, and how much of it is bluff."""
    claims = [(game.claim(player, hand, action), p) for action, p in played]
    bluff = false = None
    if any(claim for claim, _ in claims):
        bluff = sum((p for claim, p in claims if claim and claim.matching == 0), Fraction(0))
        false = sum((claim.false * p for claim, p in claims if claim), Fraction(0))
    return Opening(game.players[player], game.hands[player][hand], played, bluff, false)


def _hand(game: DealtGame, tree: GameTree, k: int) -> int:
    """The hand known at a set: ``DealtGame.infoset_name`` puts its name before the colon."""
    name = tree.infosets[k].label.partition(":")[0]
    return game.hands[tree.infosets[k].player].index(name)
