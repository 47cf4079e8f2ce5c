"""A card to print: for each hand and each last bid, the moves of a strategy in a bidding game of two players."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import NotApplicableError, ParameterError
from ...base.files import write_atomically
from ...base.rationals import Number
from ...equilibria.bids import Reply, first_replies, replies
from ...games.bidding import BiddingGame
from ...games.protocol import Game
from ...strategies.tree_profile import Strategy
from ..markup import render
from ..trees.subject import DrawnStrategies
from .page import Part, check_page, page

LEAST_PERCENT = 5
"""The lowest percentage of a move on the card."""

MOST_MOVES, FEWER_MOVES, MANY_HANDS = 5, 3, 30
"""The maximum number of moves in a cell, also for a player with many hands, and the number of hands that are many."""


@dataclass(frozen=True)
class Answer:
    """The moves of a hand after a last bid, in percent, the most frequent first; the percentages add up to 100.

    ``reached``: whether both players' strategies lead there. If not, the bid counts as the other player's first move.
    ``varied``: whether the moves depend on the earlier bids, too.
    """

    moves: tuple[tuple[str, int], ...]
    reached: bool
    varied: bool = False


def in_percent(moves: Mapping[str, Number], order: Mapping[str, int], most: int) -> tuple[tuple[str, int], ...]:
    """Return the *most* frequent *moves* in percent. The first one also gets the frequency of the rare ones."""
    ranked = sorted(moves, key=lambda move: (-moves[move], order[move]))
    often = [(move, round(100 * moves[move])) for move in ranked[1:most]]
    often = [(move, share) for move, share in often if share >= LEAST_PERCENT]
    return ((ranked[0], 100 - sum(share for _, share in often)), *often)


@dataclass(frozen=True)
class Column:
    """A last bid ("" before the first bid), and the probability that the player has to answer it."""

    bid: str
    reach: Number


@dataclass(frozen=True)
class Seat:
    """The card of a player: for each group of hands that play alike, the answer in each column (None: never there).

    After a bid without a column, every hand calls.
    """

    player: str
    most: int  # the maximum number of moves in a cell
    columns: tuple[Column, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Answer | None, ...]], ...]

    @property
    def letters(self) -> str:
        """The size of the letters: "small" for a card with few cells, which has room, "large" for one with many."""
        cells = len(self.rows) * len(self.columns)
        return "small" if cells <= 80 else "large" if cells > 400 else ""

    @property
    def answers(self) -> Iterator[Answer]:
        return (answer for _, row in self.rows for answer in row if answer is not None)


def most_moves(game: BiddingGame, player: int) -> int:
    return MOST_MOVES if game.hand_counts[player] <= MANY_HANDS else FEWER_MOVES


Answers = dict[tuple[str, int], Answer]


def answers(profile: Strategy, game: BiddingGame, player: int) -> Answers:
    """Return the answer of *player* to each last bid with each hand (its index)."""
    most = most_moves(game, player)
    order = {name: place for place, name in enumerate((*game.bid_names, game.call))}

    found = {
        (bid, hand): Answer(in_percent(moves, order, most), False)
        for (mover, bid), by_hand in first_replies(profile, game).items()
        for hand, moves in by_hand.items()
        if mover == player
    }
    for reply in replies(profile, game):
        if reply.player == player:
            for hand, (held, moves) in reply.hands.items():
                if held:
                    found[reply.bid, hand] = Answer(in_percent(moves, order, most), True, hand in reply.varied)
    return found


def card(strategy: Strategy) -> tuple[Seat, ...]:
    """Return the cards of both players. Raises ``NotApplicableError`` unless two players play a bidding game."""
    game = _game_of(strategy)
    reaches = {(reply.player, reply.bid): reply for reply in replies(strategy, game)}
    return tuple(_seat(game, player, answers(strategy, game, player), reaches) for player in range(2))


def has_card(game: Game | None) -> bool:
    """Return whether *game* is a bidding game of two players."""
    return game is not None and game.bidding_game is not None and len(game.players) == 2


def _game_of(strategy: Strategy) -> BiddingGame:
    game: BiddingGame | None = None if strategy.game is None else strategy.game.bidding_game
    if game is None or not has_card(game):
        raise NotApplicableError("view='card': a card needs a bidding game of two players, such as Liar's Dice")
    return game


def _seat(game: BiddingGame, player: int, found: Answers, reaches: Mapping[tuple[int, str], Reply]) -> Seat:
    calls = ((game.call, 100),)
    bids = [bid for bid in ("", *game.bid_names) if any(at == bid and a.moves != calls for (at, _), a in found.items())]
    columns = tuple(Column(bid, reply.reach if (reply := reaches.get((player, bid))) else 0) for bid in bids)
    groups: dict[tuple[object, ...], tuple[list[str], list[Answer | None]]] = {}
    for hand, name in enumerate(game.hand_names[player]):
        row = [found.get((bid, hand)) for bid in bids]
        alike = tuple(answer and (answer.moves, answer.varied) for answer in row)
        names, first = groups.setdefault(alike, ([], row))
        names.append(name)
        # The answer of a group is reached if it is reached with one of its hands.
        first[:] = [answer if answer and answer.reached else other for answer, other in zip(row, first, strict=True)]
    rows = tuple((tuple(names), tuple(row)) for names, row in groups.values())
    return Seat(game.players[player], most_moves(game, player), columns, rows)


def write_card(path: str | os.PathLike[str], given: DrawnStrategies | None) -> Path:
    """Write the cards of both players as a page. Raises the errors of ``check_page`` and ``card``."""
    check_page(path, "a card")
    strategy = None if given is None else given.form
    if given is None or strategy is None:
        raise ParameterError("view='card': a card needs a solution or a strategy")
    seats = card(strategy)
    title = _game_of(strategy).title
    body = render(
        "card.html", title=title, caption=given.caption, seats=seats, call=BiddingGame.call, least=LEAST_PERCENT
    )
    return write_atomically(path, [page(f"Card: {title}", Part(body, styles=("card.css",))).encode()])
