"""Bids under a strategy: how often each is made, a bluff, false and called; first moves; who is ahead.

One pass over the public histories that are reached. Each player has a row of weights, one for each hand. Where hands
are independent, so are these rows, and no deal is listed; where they are not, each history sums over the deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.rationals import Number, is_played
from ..forms.extensive import CHANCE, GameTree
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game, PublicDecision, State
from ..strategies.dealt_profile import dealt
from ..strategies.protocol import Strategy
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile

Rows = tuple[Mapping[int, Number], ...]
"""For each player and hand, the probability of the player's own moves, times that of the hand where independent."""

Played = Callable[[PublicDecision, int], Mapping[str, Number]]
"""The mover's actions of positive probability at a turn with a hand."""


class Reached(NamedTuple):
    """A public turn that play reaches: the last ``action`` (empty at the start), and the ``rows`` of all players.

    ``held``: for each hand of the mover, the probability that it is held and that play reaches the turn.
    """

    turn: PublicDecision
    action: str
    rows: Rows
    held: Mapping[int, Number]


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


@dataclass
class _Sums:
    """Probabilities added up over all histories that end with a player's bid."""

    made: Number = Fraction(0)
    bluff: Number = Fraction(0)
    false: Number = Fraction(0)
    held: dict[int, Number] = field(default_factory=dict)
    called: dict[int, Number] = field(default_factory=dict)


def bid_figures(profile: Strategy, game: BiddingGame) -> tuple[BidFigures, ...]:
    """The figures of every bid that is made, player by player, lowest bids first.

    Exact where *profile* is. Floats that are a solver's noise count as 0. Empty where hands are not independent.
    """
    if game.hand_probabilities is None:
        return ()
    sums: dict[tuple[int, int], _Sums] = {}
    bids = {name: index for index, name in enumerate(game.bid_names)}
    false_bids = _FalseBids(game)
    played = played_by(profile, game)
    for turn, action, rows, held in reached_turns(game, played):
        if action not in bids:
            continue
        bidder, bid = (turn.player - 1) % len(game.players), bids[action]
        at = sums.setdefault((bidder, bid), _Sums())
        at.made += sum(held.values())
        at.false += false_bids.probability(bid, turn.player, rows)
        others = prod(sum(row.values()) for player, row in enumerate(rows) if player != bidder)
        for hand, weight in rows[bidder].items():
            claim = game.claim(bidder, hand, action)
            at.bluff += weight * others if claim is not None and claim.matching == 0 else 0
        for hand, weight in held.items():
            at.held[hand] = at.held.get(hand, Fraction(0)) + weight
            at.called[hand] = at.called.get(hand, Fraction(0)) + weight * played(turn, hand).get(game.call, Fraction(0))
    return tuple(_figures(game, *key, sums[key]) for key in sorted(sums))


def bluff_shares(profile: Strategy, game: DealtGame) -> dict[int, Number]:
    """By player: of all claims that the player makes, the share that no own die bears out.

    A player who never makes a claim is left out. Exact where *profile* is.
    """
    claims: dict[int, Number] = {}
    bluffs: dict[int, Number] = {}
    played = played_by(profile, game)
    for turn, _, _, held in reached_turns(game, played):
        for hand, weight in held.items():
            for action, p in played(turn, hand).items():
                claim = game.claim(turn.player, hand, action)
                if claim is not None:
                    claims[turn.player] = claims.get(turn.player, Fraction(0)) + weight * p
                    bluff = weight * p if claim.matching == 0 else Fraction(0)
                    bluffs[turn.player] = bluffs.get(turn.player, Fraction(0)) + bluff
    return {player: bluffs[player] / claims[player] for player in sorted(claims)}


def _figures(game: BiddingGame, player: int, bid: int, at: _Sums) -> BidFigures:
    answerer = (player + 1) % len(game.players)
    names = game.hands[answerer]
    answers = (
        Answer(names[hand], at.held[hand] / at.made, at.called[hand] / at.held[hand]) for hand in sorted(at.held)
    )
    bluff, false, called = (part / at.made for part in (at.bluff, at.false, sum(at.called.values(), Fraction(0))))
    return BidFigures(player, answerer, game.bid_names[bid], at.made, bluff, false, called, tuple(answers))


def played_by(profile: Strategy, game: DealtGame) -> Played:
    """The behavior of *profile*, on the whole tree of *game* or without one; a solver's noise counts as 0."""
    strategy = dealt(profile, game)

    def played(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        return {action: p for action, p in strategy.at(turn, hand).items() if is_played(p)}

    return profile.played if isinstance(profile, SparseProfile) else played


def reached_turns(game: DealtGame, played: Played) -> Iterator[Reached]:
    """All public turns that are reached under *played*, each before those that follow it."""
    chances = game.hand_probabilities
    start: Rows = tuple(dict(enumerate(row)) for row in chances or ([Fraction(1)] * n for n in game.hand_counts))
    stack: list[tuple[State, str, Rows]] = [(game.public_root(), "", start)]
    while stack:
        state, action, rows = stack.pop()
        turn = game.public_turn(state)
        if not isinstance(turn, PublicDecision):
            continue
        held = _held(game, turn.player, rows, independent=chances is not None)
        yield Reached(turn, action, rows, held)
        onward: dict[str, dict[int, Number]] = {}
        for hand in held:
            for move, p in played(turn, hand).items():
                onward.setdefault(move, {})[hand] = rows[turn.player][hand] * p
        before, after = rows[: turn.player], rows[turn.player + 1 :]
        stack += [
            (then, move, (*before, onward[move], *after)) for move, then in reversed(turn.actions) if move in onward
        ]


def _held(game: DealtGame, player: int, rows: Rows, *, independent: bool) -> dict[int, Number]:
    if independent:
        others = prod((sum(row.values()) for other, row in enumerate(rows) if other != player), start=Fraction(1))
        return {hand: weight * others for hand, weight in rows[player].items()}
    found: dict[int, Number] = {}
    for deal in game.deals:
        if all(hand in row for row, hand in zip(rows, deal.hands, strict=True)):
            weight = prod((row[hand] for row, hand in zip(rows, deal.hands, strict=True)), start=deal.probability)
            found[deal.hands[player]] = found.get(deal.hands[player], Fraction(0)) + weight
    return dict(sorted(found.items()))


class _FalseBids:
    """Which bids are false: deals in which all hands are of one class are settled once."""

    def __init__(self, game: BiddingGame) -> None:
        self.game = game
        self._known: dict[tuple[int, int], tuple[list[dict[int, list[int]]], dict[tuple[int, ...], bool]]] = {}

    def probability(self, bid: int, caller: int, rows: Rows) -> Number:
        """The probability that play reaches the turn with these *rows* and that *bid* is false."""
        classes, lies = self._table(bid, caller)
        weights = [
            {number: sum(row.get(hand, Fraction(0)) for hand in hands) for number, hands in mine.items()}
            for mine, row in zip(classes, rows, strict=True)
        ]
        parts = (prod(mine[k] for mine, k in zip(weights, held, strict=True)) for held, lie in lies.items() if lie)
        return sum(parts, start=Fraction(0))

    def _table(self, bid: int, caller: int) -> tuple[list[dict[int, list[int]]], dict[tuple[int, ...], bool]]:
        """Each player's hands by class; and for each combination of classes whether the bid is false."""
        if (bid, caller) not in self._known:
            key, classes = self.game.called(bid, caller), []
            for player in range(len(self.game.players)):
                mine: dict[int, list[int]] = {}
                for hand, number in enumerate(self.game.classes(key, player)):
                    mine.setdefault(number, []).append(hand)
                classes.append(mine)
            lies = {}
            for held in product(*classes):
                hands = tuple(mine[k][0] for mine, k in zip(classes, held, strict=True))
                lies[held] = self.game.is_false(bid, caller, hands)
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
    shares = {game.players[player]: share for player, share in bluff_shares(profile, game).items()}
    return Bluffs(shares, _opening_bids(profile, game))


def openings(profile: TreeProfile | SparseProfile, game: Game | None = None) -> tuple[Opening, ...]:
    """The first mover's play, hand by hand: every set met right after the first chance move (or the root)."""
    if isinstance(profile, SparseProfile):
        return _sparse_openings(profile)
    tree = profile.tree
    firsts = list(dict.fromkeys(int(tree.infoset[node]) for node in _first_nodes(tree)))
    mover = tree.infosets[firsts[0]].player if firsts else None
    return tuple(_opening(profile, k, game) for k in firsts if tree.infosets[k].player == mover)


def _opening_bids(profile: Strategy, game: DealtGame) -> tuple[OpeningBid, ...]:
    played = played_by(profile, game)
    first = next(reached_turns(game, played), None)
    if first is None:
        return ()
    player, sums = first.turn.player, dict[str, tuple[Number, Number, Number]]()
    for hand, weight in first.held.items():
        for action, p in played(first.turn, hand).items():
            claim = game.claim(player, hand, action)
            if claim is not None:
                often, bluff, false = sums.get(action, (Fraction(0), Fraction(0), Fraction(0)))
                bluff += weight * p if claim.matching == 0 else 0
                sums[action] = often + weight * p, bluff, false + weight * p * claim.false
    name = game.players[player]
    made = ((action, *sums[action]) for action, _ in first.turn.actions if action in sums)
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
