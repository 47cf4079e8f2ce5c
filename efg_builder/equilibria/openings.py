"""What a person wants to know of a solved game: who is ahead, what each hand does at the start, who bluffs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from ..base.rationals import Number, is_played
from ..forms.extensive import CHANCE, GameTree
from ..games.protocol import DealtGame, Game, PublicDecision
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import Profile
from .solution import Solution


@dataclass(frozen=True)
class Opening:
    """What ``player`` (a name) does first with one hand (or at one first information set).

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
class Bluffing:
    """Of all bids that ``player`` is expected to make, the share that no own die bears out."""

    player: str
    share: Number


@dataclass(frozen=True)
class OpeningBid:
    """A bid that ``player`` may make first: how often it is made, all hands together.

    ``bluff`` is how often no own die bears it out where it is made, ``false`` how likely it then is to be false,
    given the hand alone.
    """

    player: str
    bid: str
    made: Number
    bluff: Number
    false: Number


def openings(profile: Profile | SparseProfile, game: Game | None = None) -> tuple[Opening, ...]:
    """The first mover's play, hand by hand: every set met right after the first chance move (or the root)."""
    if isinstance(profile, SparseProfile):
        return _sparse_openings(profile)
    tree = profile.tree
    firsts = list(dict.fromkeys(int(tree.infoset[node]) for node in _first_nodes(tree)))
    mover = tree.infosets[firsts[0]].player if firsts else None
    return tuple(_opening(profile, k, game) for k in firsts if tree.infosets[k].player == mover)


def opening_bids(solution: Solution, game: Game | None) -> tuple[OpeningBid, ...]:
    """The first bids that the solution makes, lowest first; empty where bids claim nothing or nothing was verified."""
    profile = solution.strategy
    if not isinstance(game, DealtGame) or solution.verdict is None or profile is None:
        return ()
    turn = game.public_turn(game.public_root())
    if not isinstance(turn, PublicDecision):
        return ()
    sums: dict[str, tuple[Number, Number, Number]] = {}
    chances = _hand_chances(game, turn.player)
    for opening in openings(profile, game):
        hand = game.hands[turn.player].index(opening.hand)
        for action, p in opening.actions:
            claim = game.claim(turn.player, hand, action)
            if claim is not None:
                often, bluff, false = sums.get(action, (Fraction(0), Fraction(0), Fraction(0)))
                way = chances[hand] * p
                bluff += way if claim.matching == 0 else 0
                sums[action] = often + way, bluff, false + way * claim.false
    name = game.players[turn.player]
    made = ((action, *sums[action]) for action, _ in turn.actions if action in sums)
    return tuple(OpeningBid(name, bid, often, bluff / often, false / often) for bid, often, bluff, false in made)


def _hand_chances(game: DealtGame, player: int) -> list[Fraction]:
    """How likely each of the player's hands is."""
    if game.hand_probabilities is not None:
        return list(game.hand_probabilities[player])
    chances = [Fraction(0)] * game.hand_counts[player]
    for deal in game.deals:
        chances[deal.hands[player]] += deal.probability
    return chances


def bluffing(solution: Solution, game: Game | None) -> tuple[Bluffing, ...]:
    """How often each player bluffs under the solution; empty where bids claim nothing or nothing was verified."""
    if not isinstance(game, DealtGame) or solution.verdict is None:
        return ()
    bids: list[Number] = [Fraction(0)] * len(game.players)
    bluffs = list(bids)
    for player, hand, action, weight in _moves(solution, game):
        claim = game.claim(player, hand, action)
        if claim is not None:
            bids[player] += weight
            bluffs[player] += weight if claim.matching == 0 else 0
    return tuple(
        Bluffing(name, bluff / bid) for name, bluff, bid in zip(game.players, bluffs, bids, strict=True) if bid
    )


def _moves(solution: Solution, game: DealtGame) -> Iterator[tuple[int, int, str, Number]]:
    """Everything that is played: player, hand, action, and how likely it is to happen."""
    if isinstance(solution.strategy, SparseProfile):
        yield from _sparse_moves(solution.strategy)
        return
    if solution.profile is None or solution.verdict is None:
        return
    tree = solution.profile.tree
    for k in tree.personal:
        reach, player = solution.verdict.reach[k], tree.infosets[k].player
        if not reach:
            continue
        for action, p in zip(tree.infosets[k].actions, solution.profile.probabilities[k], strict=True):
            if p:
                yield player, _hand(game, tree, k), action, reach * p


def _sparse_moves(profile: SparseProfile) -> Iterator[tuple[int, int, str, Number]]:
    """The same without a tree; nothing where hands are not independent (no such game is solved without one)."""
    game = profile.game
    chances = game.hand_probabilities
    if chances is None:
        return
    # By player and hand, how likely hand and own moves are: where hands are independent, so are these.
    stack = [(game.public_root(), tuple(dict(enumerate(mine)) for mine in chances))]
    while stack:
        state, ways = stack.pop()
        turn = game.public_turn(state)
        if not isinstance(turn, PublicDecision):
            continue
        others = prod((sum(way.values()) for p, way in enumerate(ways) if p != turn.player), start=Fraction(1))
        onward: dict[str, dict[int, Fraction]] = {}
        for hand, way in ways[turn.player].items():
            for action, p in profile.played(turn, hand).items():
                onward.setdefault(action, {})[hand] = way * p
                yield turn.player, hand, action, way * p * others
        stack += [
            (then, (*ways[: turn.player], onward[action], *ways[turn.player + 1 :]))
            for action, then in turn.actions
            if action in onward
        ]


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
    """Whether this is an equilibrium of a game on a tree for which all equilibria can be told, and no refined one.

    Such a one may look odd where nothing hangs on it: in dice poker, calling with a two and folding a three.
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


def _opening(profile: Profile, k: int, game: Game | None) -> Opening:
    infoset = profile.tree.infosets[k]
    row = zip(infoset.actions, profile.probabilities[k], strict=True)
    played = tuple((a, p) for a, p in row if is_played(p))
    if isinstance(game, DealtGame):
        return _claiming(game, infoset.player, _hand(game, profile.tree, k), played)
    name = profile.tree.players[infoset.player]
    return Opening(name, infoset.label or f"set {infoset.number}", played, None, None)


def _claiming(game: DealtGame, player: int, hand: int, played: tuple[tuple[str, Number], ...]) -> Opening:
    """What is played with a hand, and how much of it is bluff."""
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
