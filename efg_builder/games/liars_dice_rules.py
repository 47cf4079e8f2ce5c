"""The rules of Liar's Dice alone, for n players, named as in the two-player formulation by S. Kakatur
and A. Chang ("Game 2 Player Liar's Dice", sections *Math Formulations* and *Bid Priority Order*).

A state is S = (H, D, G_o): the hands, the bids so far, and whether the game is over. Bids are
(face value, amount) as there; ``games.liars_dice`` writes the same bid as ``"2x3"`` (amount x face).
Players are numbered from 1 here, as in the formulation. Everything is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from ..base.errors import ParameterError
from .bidding import DiceBidding, Hand, at_least


class Bid(NamedTuple):
    """At least ``amount`` of all dice show ``face``."""

    face: int
    amount: int


class State(NamedTuple):
    """S = (H, D, G_o); ``hands[i - 1]`` is player i's hand, ``bids[-1]`` is D_last."""

    hands: tuple[Hand, ...]
    bids: tuple[Bid, ...] = ()
    status: Literal["Active", "GameOver"] = "Active"


class Observation(NamedTuple):
    """O = (H_i, D, G_o): what player i sees of a state."""

    hand: Hand
    bids: tuple[Bid, ...]
    status: Literal["Active", "GameOver"]


@dataclass(frozen=True)
class Rules:
    """The moves, transitions, observations and wins of a ``LiarsDice``."""

    game: DiceBidding

    @cached_property
    def _rank(self) -> dict[Bid, int]:
        return {Bid(face, amount): index for index, (amount, face) in enumerate(self.game.bids)}

    def mover(self, state: State) -> int:
        """Whose turn it is (from 1): players bid in turn."""
        return len(state.bids) % len(self.game.dice) + 1

    def higher(self, bids: tuple[Bid, ...], bid: Bid) -> bool:
        """LEGAL(D): whether *bid* is a bid of the game and higher than the last one."""
        return bid in self._rank and (not bids or self._rank[bid] > self._rank[bids[-1]])

    def legal(self, state: State, move: Bid | Literal["call"]) -> bool:
        """Whether *move* may be made at *state*: a bid where LEGAL(D) says so, a call once there is a bid."""
        if state.status == "GameOver":
            return False
        if isinstance(move, str):
            return move == "call" and bool(state.bids)
        return self.higher(state.bids, move)

    def legal_moves(self, state: State) -> tuple[Bid | Literal["call"], ...]:
        """The legal moves in the documented order, ``"call"`` last.

        In quantity-face order: from the lowest bid up, as in the tree. In face-quantity order: the
        formulation's *bid priority order*: first the higher faces (by face, then amount, lowest first),
        then the same face with a greater amount. (The tree lists bids from the lowest up in both.)
        """
        if state.status == "GameOver":
            return ()
        bids = [Bid(f, q) for q, f in self.game.bids if self.higher(state.bids, Bid(f, q))]
        if self.game.order == "face-quantity" and state.bids:
            bids.sort(key=lambda bid: (bid.face == state.bids[-1].face, bid))
        return (*bids, "call") if state.bids else tuple(bids)

    def step(self, state: State, move: Bid | Literal["call"]) -> State:
        """T: the one state that follows. Raises ``ParameterError`` for a move that is not legal."""
        if not self.legal(state, move):
            raise ParameterError(f"{move} is not legal after {list(map(tuple, state.bids))}, {state.status}")
        if isinstance(move, str):
            return state._replace(status="GameOver")
        return state._replace(bids=(*state.bids, Bid(*move)))

    def observe(self, state: State, player: int = 1) -> Observation:
        """Omega: what *player* (from 1) sees."""
        return Observation(state.hands[player - 1], state.bids, state.status)

    def count(self, hand: Hand, face: int) -> int:
        """COUNT(H, v): the dice of *hand* that count towards *face*, wild ones included."""
        return self.game.matches(hand, face)

    def loser(self, state: State) -> int | None:
        """Who lost the call (from 1), or None while the game is active."""
        if state.status == "Active":
            return None
        caller, bid = self.mover(state), state.bids[-1]
        holds = sum(self.count(hand, bid.face) for hand in state.hands) >= self.game.needed(bid.amount)
        return caller if holds else (caller - 2) % len(state.hands) + 1

    def win(self, state: State) -> int | None:
        """WIN(s, caller) of two players: 1, 2, or None while the game is active.

        Raises ``ParameterError`` for more players, where a round has a loser and no single winner.
        """
        if len(state.hands) != 2:
            raise ParameterError("with more than two players a call has a loser, not a winner; use loser()")
        loser = self.loser(state)
        return None if loser is None else 3 - loser

    def p_valid(self, bid: Bid, hand: Hand, others: int) -> Fraction:
        """P_valid(D_last | H): the chance that *bid* holds, given one's own *hand* and *others* unseen dice.

        A binomial tail: each unseen die counts with probability 1/sides (2/sides where a wild face helps).
        """
        missing = self.game.needed(bid.amount) - self.count(hand, bid.face)
        return at_least(missing, others, self.game.counting_chance(bid.face))
