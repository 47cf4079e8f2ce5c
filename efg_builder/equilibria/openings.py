"""A solved game in brief: who is ahead, the first move of each hand, how often each player bluffs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..base.rationals import Number, is_played
from ..forms.extensive import CHANCE, GameTree
from ..games.protocol import DealtGame, Game, PublicDecision
from ..proof.bid_statistics import bluff_shares, played_by, reached_turns
from ..strategies.protocol import Strategy
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile

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
    return Opening(name, infoset.label or f"set {infoset.number}", played, None, None)


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
