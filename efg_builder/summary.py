"""What a person wants to know of a solved game: who is ahead, what each hand does at the start, who bluffs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .games.protocol import DealtGame, Game
from .profile import Profile
from .rationals import Number, is_played
from .solution import Solution
from .tree import CHANCE, GameTree


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


def openings(profile: Profile, game: Game | None = None) -> tuple[Opening, ...]:
    """The first mover's play, hand by hand: every set met right after the first chance move (or the root)."""
    tree = profile.tree
    firsts = list(dict.fromkeys(int(tree.infoset[node]) for node in _first_nodes(tree)))
    mover = tree.infosets[firsts[0]].player if firsts else None
    return tuple(_opening(profile, k, game) for k in firsts if tree.infosets[k].player == mover)


def bluffing(solution: Solution, game: Game | None) -> tuple[Bluffing, ...]:
    """How often each player bluffs under the solution; empty where bids claim nothing or nothing was verified."""
    if not isinstance(game, DealtGame) or solution.profile is None or solution.verdict is None:
        return ()
    tree, profile = solution.profile.tree, solution.profile
    bids: list[Number] = [Fraction(0)] * len(tree.players)
    bluffs = list(bids)
    for k in tree.personal:
        reach, player = solution.verdict.reach[k], tree.infosets[k].player
        if not reach:
            continue
        for action, p in zip(tree.infosets[k].actions, profile.probabilities[k], strict=True):
            claim = game.claim(player, _hand(game, tree, k), action) if p else None
            if claim is not None:
                bids[player] += reach * p
                bluffs[player] += reach * p if claim.matching == 0 else 0
    return tuple(
        Bluffing(name, bluff / bid) for name, bluff, bid in zip(tree.players, bluffs, bids, strict=True) if bid
    )


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


def _first_nodes(tree: GameTree) -> list[int]:
    if tree.player[0] != CHANCE:
        return [] if tree.is_terminal(0) else [0]
    return [node for node in tree.children(0) if tree.player[node] >= 0]


def _opening(profile: Profile, k: int, game: Game | None) -> Opening:
    infoset = profile.tree.infosets[k]
    player = profile.tree.players[infoset.player]
    row = zip(infoset.actions, profile.probabilities[k], strict=True)
    played = tuple((a, p) for a, p in row if is_played(p))
    if not isinstance(game, DealtGame):
        return Opening(player, infoset.label or f"set {infoset.number}", played, None, None)
    hand = _hand(game, profile.tree, k)
    claims = [(game.claim(infoset.player, hand, action), p) for action, p in played]
    bluff = false = None
    if any(claim for claim, _ in claims):
        bluff = sum((p for claim, p in claims if claim and claim.matching == 0), Fraction(0))
        false = sum((claim.false * p for claim, p in claims if claim), Fraction(0))
    return Opening(player, game.hands[infoset.player][hand], played, bluff, false)


def _hand(game: DealtGame, tree: GameTree, k: int) -> int:
    """The hand known at a set: :meth:`DealtGame.infoset_name` puts its name before the colon."""
    name = tree.infosets[k].label.partition(":")[0]
    return game.hands[tree.infosets[k].player].index(name)
