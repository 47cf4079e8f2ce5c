"""A playable page: its data are rules and strategies, and its scripts play and compute the values of moves.

For Liar's Dice of any size, the page stores the rules: bids, hands, and the dice that match each bid. For a match, it
stores the rules of each round; for any other game, it stores the tree. The page computes with floats;
``players.rounds`` computes exactly.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

from ...base.errors import NotApplicableError
from ...base.files import write_atomically
from ...base.rationals import text
from ...experiments.matches.playing import MatchTable, adviser, is_equilibrium, opponent, refused_in_match
from ...forms.extensive import GameTree, build
from ...forms.hand_names import Label, printed, printed_hands, relabelled
from ...forms.public_tree import public_tree
from ...games.bidding import DiceBidding
from ...games.liars_dice import LiarsDice, dice_in_words
from ...games.match_rules import EXACTS, MatchRules, StakedRound, in_a_line
from ...games.protocol import PublicDecision, PublicEnd
from ...players.rounds import Board, Opponent, refused
from ...players.rounds.boards import OnTable, OnTree
from ...players.rounds.words import SOLUTION
from ...strategies.cut import cut
from ...strategies.policy import Policy
from ...strategies.sparse_profile import SparseProfile, alike_openings, own_turns, without_alike
from ...strategies.tree_profile import TreeProfile
from ..markup import render
from .page import Part, page
from .viewer import Shown, view_data

FORMAT = 5
"""The version of the data format; the scripts reject any other version."""

DATA = "play-data"
"""The identifier of the data element in the page."""

MAX_ROWS = 100_000
"""The maximum number of information sets of one strategy on a page, or of all rounds' strategies in a match."""

SMALL_TURNS = 10_000
"""The maximum number of public turns of a completely stored strategy. Larger games are stored by reached turns."""

MAX_TREE = 400_000
"""The maximum number of nodes of a tree on a page."""

_WORDS = 300
"""The number of bytes reserved for the caption of a strategy, which is unknown before the strategy is verified."""

MAX_DEALS = 1_000_000
"""The maximum number of deals of a round; a page lists all deals in order to draw one."""


def write_play(path: str | os.PathLike[str], part: Part) -> Path:
    """Write a playable page (a ``play_part`` or ``match_part``) to *path* atomically. Raises ``FileError``."""
    return write_atomically(path, (_bytes(part),))


def _bytes(part: Part) -> bytes:
    return page(f"Play: {part.data[DATA]['title']}", part).encode()


def cut_to_size(profile: SparseProfile, other: Opponent, size: int) -> SparseProfile:
    """Return *profile*, cut if necessary so that its playable page has at most *size* bytes.

    *other* describes the opponent. Raises ``NotApplicableError`` if even a page without strategies is larger, and the
    errors of ``strategies.cut``.
    """

    def written(strategy: SparseProfile) -> int:
        board = OnTable(profile.game, strategy.played, sparse=strategy)
        return len(_bytes(part_of(_data(board, other, board, 0, range(len(board.players)))))) + _WORDS

    check_size(OnTable(profile.game, profile.played, sparse=profile))
    least = written(SparseProfile(profile.game, tuple({} for _ in profile.strategies)))
    if least > size:
        raise NotApplicableError(f"{profile.game.title}: a playable page has {least:,} bytes even without strategies")
    alike, part = alike_openings(profile), profile
    counted = sum(without_alike(profile, alike).sizes)
    sets, there = min(counted, MAX_ROWS), written(profile) if counted <= MAX_ROWS else size + 1
    while there > size:
        part = cut(part, sets)
        there = written(part)
        # Keep 5% fewer information sets than in proportion to the size: the remaining sets are reached often, and have
        # more moves.
        sets = min(sum(without_alike(part, alike).sizes), sets) * (size - least) * 19 // (max(there - least, 1) * 20)
    return part


def play_part(
    board: Board, other: Opponent, adviser: Board | None = None, seat: int = 0, seats: Sequence[int] | None = None
) -> Part:
    """Return the part of a page for playing against *other* on *board*; the human starts in *seat* (from 0).

    *adviser* is a board of the same game; the page takes its advice from the strategy of this board. The page offers
    *seats*, which include *seat*. The default is all seats that are not in ``rounds.refused``. Raises
    ``NotApplicableError`` if the game or a strategy is too large for a page, or if the human cannot take *seat*.
    """
    check_size(board)
    board.values(seat)
    if seats is None:
        seats = open_seats(board.players, refused(board))
    return part_of(_data(board, other, adviser, seat, seats))


def _data(board: Board, other: Opponent, adviser: Board | None, seat: int, seats: Sequence[int]) -> dict[str, Any]:
    game = board.game
    explained = list(game.explain()) if game is not None else []
    said = {"name": other.name, "caption": other.caption, "equilibrium": other.equilibrium}
    short = f"{bids_in_short(game)} {explained[-1]}" if isinstance(game, LiarsDice) else ""
    data = _head(board.title, short, explained, board.players, seat, seats, said)
    data["advised"], stored = adviser is not None, stored_rules(board)
    # For Liar's Dice, one strategy can serve both the opponent and the adviser.
    boards = [board] if adviser is None or (adviser is board and stored is not None) else [board, adviser]
    if other.solved and not other.equilibrium:
        data["adviser"] = SOLUTION
    if stored is not None:
        data["bidding"] = bidding_data(stored, [each for each in boards if isinstance(each, OnTable)])
    else:
        tree = _tree_of(board)
        # In the names of hands, the scripts replace dice with drawings.
        strategies = [Shown(f"strategy {k}", _profile(each, tree)) for k, each in enumerate(boards)]
        data["tree"] = view_data(tree, strategies, label=printed(game))
        data["bids"] = bids_data(game) if isinstance(game, DiceBidding) else None
        data["pictures"] = None if game is None else game.pictures
        data["known"], data["hands"] = _known(tree, printed(game)), None
        dealt = None if game is None else game.dealt_game
        if dealt is not None:  # the hands of each deal, in the order of the tree's first chance moves
            names = printed_hands(dealt)
            data["hands"] = [[names[n][hand] for n, hand in enumerate(deal.hands)] for deal in dealt.deals]
    return data


def _known(tree: GameTree, label: Label) -> list[list[str]] | None:
    """Return two texts for each information set: the mover's private knowledge, and the public chance moves so far.

    The first text names what distinguishes the information set from the others at the same public history, such as a
    hand. If some player does not see all moves, return None.
    """
    try:
        public = public_tree(relabelled(tree, label))
    except NotApplicableError:
        return None
    known = [["", public.opened.get(k, "")] for k in range(len(tree.infosets))]
    for sets in public.infosets:
        for opened in {known[k][1] for k in sets}:
            alike = [k for k in sets if known[k][1] == opened]
            for k, name in zip(alike, public.hands_of(alike), strict=True):
                known[k][0] = name
    return known


def _head(
    title: str,
    rules: str,
    explained: list[str],
    players: Sequence[str],
    seat: int,
    seats: Sequence[int],
    opponent: dict[str, Any],
) -> dict[str, Any]:
    head = {"format": FORMAT, "title": title, "rules": rules, "explained": explained}
    return head | {"players": list(players), "seat": seat, "seats": list(seats), "opponent": opponent}


def stored_rules(board: Board) -> LiarsDice | None:
    """Return the rules that the page stores instead of the tree; None if it stores the tree."""
    return board.game if isinstance(board, OnTable) and isinstance(board.game, LiarsDice) else None


def open_seats(players: Sequence[str], without: Mapping[int, object]) -> list[int]:
    """Return the seats (from 0) of all *players* except the seats in *without*."""
    return [seat for seat in range(len(players)) if seat not in without]


def part_of(data: dict[str, Any]) -> Part:
    """Return the part of a page whose scripts use *data*."""
    return Part(render("play.html", title=data["title"]), ("play.css",), ("play.js",), {DATA: data})


def bids_in_short(game: LiarsDice) -> str:
    """Return an explanation of bids and calls in a few sentences."""
    quantity, face = game.bids[-1]
    higher = "more dice, or as many of a higher face"
    if game.order == "face-quantity":
        higher = "a higher face, or more dice of the same face"
    if game.order == "bluff":
        higher += f", but {game.wild}s have a different order: see the rules below"
    wild = f" Dice showing {game.wild} count as every face." if game.wild is not None else ""
    ends = "the caller loses if the bid holds, otherwise the bidder"
    if game.needed(1) > 1:
        ends = "the caller loses if more dice match than were bid, otherwise the bidder"
    return (
        f"All roll in secret. {quantity}\u00d7{face} bids that at least {quantity} of all dice together show {face}. "
        f"Bid higher ({higher}), or call the last bid: then all dice are shown, and {ends}.{wild}"
    )


def bids_data(game: DiceBidding) -> dict[str, Any]:
    """Return the data from which the scripts describe calls and their results."""
    return {
        "bids": [list(bid) for bid in game.bids],
        "names": list(game.bid_names),
        "call": game.call,
        "wild": game.wild,
        "exact": EXACTS[game.needed(1) > 1],
    }


def bidding_data(game: LiarsDice, boards: list[OnTable]) -> dict[str, Any]:
    """Return rules and strategies as JSON data.

    ``pays[loser]`` contains the payoffs if player ``loser`` loses 1, 2, ... dice; the last entry includes more dice.
    ``loss`` and ``exact`` are as in ``games.match_rules``.

    ``strategies`` has an entry ``{history: [[hand, row], ...]}`` for each strategy and player. A history is a string of
    bid indices, such as "0 7". A row is an index into ``rows``; each entry of ``rows`` is a list of pairs [move,
    probability]. A move is the index of a bid; a call has the index after the last bid. A probability is an index into
    ``numbers``. A hand without an entry calls or, at the start, makes the lowest bid.

    For each strategy, ``alike`` lists pairs [bid, lower] of first bids with the same answers. The answers are stored
    only for the lower bid.
    """
    rows: dict[tuple[tuple[int, int], ...], int] = {}
    numbers: dict[str, int] = {}
    alike = [{} if board.sparse is None else alike_openings(board.sparse) for board in boards]
    told = [_once(board, without) for board, without in zip(boards, alike, strict=True)]
    players = range(len(game.players))
    strategies = [[_written(game, board, player, rows, numbers) for player in players] for board in told]
    index = game.bid_names.index
    return {
        **bids_data(game),
        "sides": game.sides,
        "hands": [[list(hand) for hand, _ in cup] for cup in game.cups],
        "chances": [[text(chance) for _, chance in cup] for cup in game.cups],
        "loss": game.loss if isinstance(game, StakedRound) else "one",
        "pays": [[list(map(text, each)) for each in side] for side in _pays(game)],
        "strategies": strategies,
        "alike": [[[index(name), index(lower)] for name, lower in each.items()] for each in alike],
        "rows": [list(map(list, row)) for row in rows],
        "numbers": list(numbers),
    }


def _pays(game: LiarsDice) -> list[list[tuple[Fraction, ...]]]:
    """Return all players' payoffs by loser and number of lost dice."""
    if isinstance(game, StakedRound):
        return [[(paid, -paid) for paid in side] for side in (game.lose1, game.lose2)]
    return [[paid] for paid in game.pays]


def _written(
    game: LiarsDice,
    board: OnTable,
    player: int,
    rows: dict[tuple[tuple[int, int], ...], int],
    numbers: dict[str, int],
) -> dict[str, list[list[int]]]:
    index = {name: bid for bid, name in enumerate((*game.bid_names, game.call))}
    by_history: dict[str, list[list[int]]] = {}
    count = 0
    for turn, played in _turns(board, player):
        default = turn.actions[game.default_action(turn)][0]
        entries = []
        for hand, behavior in played.items():
            if behavior.get(default) != 1:
                row = tuple((index[a], numbers.setdefault(text(p), len(numbers))) for a, p in behavior.items() if p)
                entries.append([hand, rows.setdefault(row, len(rows))])
        count += len(entries)
        if count > MAX_ROWS:
            what = f"a strategy of more than {MAX_ROWS:,} information sets is too large for a page"
            raise NotApplicableError(
                f"{game.title}: {what}; cut it with --size 1MB, or play in the terminal, without -o"
            )
        if entries:
            words = [] if turn.history == game.history(()) else turn.history.split()
            by_history[" ".join(str(index[word]) for word in words)] = entries
    return by_history


def _once(board: OnTable, alike: Mapping[str, str]) -> OnTable:
    """Return *board* without the answers to first bids in *alike*, which have the same answers as a lower first bid."""
    if board.sparse is None or not alike:
        return board
    strategy = without_alike(board.sparse, alike)
    return OnTable(board.game, strategy.played, sparse=strategy)


def _turns(board: OnTable, player: int) -> Iterator[tuple[PublicDecision, dict[int, Mapping[str, Fraction]]]]:
    """Yield the player's turns with each hand's moves; in a large game, only turns that the player's moves reach."""
    game = board.game

    def rows(turn: PublicDecision, hands: Iterable[int]) -> dict[int, Mapping[str, Fraction]]:
        if board.sparse is not None and isinstance(
            game.public_turn(turn.actions[game.default_action(turn)][1]), PublicEnd
        ):
            # If the default move ends play, omit the many hands that make it.
            written = board.sparse.rows(player, turn.history)
            hands = [hand for hand in hands if hand in written]
        return {hand: board.rows(turn, hand) for hand in hands}

    if sum(game.public_size().decisions) > SMALL_TURNS:
        if board.sparse is not None:
            return own_turns(game, player, rows, partial(board.sparse.silent, player))
        return own_turns(game, player, rows)
    every = range(game.hand_counts[player])
    return ((turn, rows(turn, every)) for turn in game.turns() if turn.player == player)


def check_size(board: Board) -> None:
    """Raise ``NotApplicableError`` if the number of deals or of tree nodes exceeds the limit of a page."""
    terminal = "it can be played in the terminal, without -o"
    stored = stored_rules(board)
    if stored is not None:
        if (deals := prod(stored.hand_counts)) > MAX_DEALS:
            what = f"{deals:,} deals are too many for a page (limit {MAX_DEALS:,})"
            raise NotApplicableError(f"{board.title}: {what}; {terminal}")
        return
    nodes = len(board.tree) if isinstance(board, OnTree) else None
    size = board.game.size() if nodes is None and board.game is not None else None
    nodes = size.nodes if size is not None else nodes
    if nodes is not None and nodes > MAX_TREE:
        what = f"a tree of {nodes:,} nodes is too large for a page (limit {MAX_TREE:,})"
        raise NotApplicableError(f"{board.title}: {what}; {terminal}")


def _tree_of(board: Board) -> GameTree:
    return board.tree if isinstance(board, OnTree) else build(board.game, max_nodes=MAX_TREE)


def _profile(board: Board, tree: GameTree) -> TreeProfile:
    if isinstance(board, OnTree):
        return TreeProfile(tree, tuple(board.rows))
    return Policy(board.rows, game=board.game).on(tree)


def match_part(table: MatchTable, caption: str, seats: Sequence[int] | None = None) -> Part:
    """Return the part of a page that plays matches; the human starts in the seat of *table*.

    *caption* is a line about the match's strategies. The page offers *seats*. The default is all seats that are not in
    ``playing.refused_in_match``. Raises ``NotApplicableError`` if the strategies of all rounds are too large for a
    page, or if the human cannot take the seat of *table*.
    """
    rules = table.rules
    rounds: list[dict[str, Any]] = [
        {"dice": list(pair), "bidding": _round_data(table, pair)} for pair in rules.rounds()
    ]
    written = sum(
        len(entries) for each in rounds for side in each["bidding"]["strategies"][0] for entries in side.values()
    )
    if written > MAX_ROWS:
        what = f"strategies of {written:,} information sets are too large for a page (limit {MAX_ROWS:,})"
        raise NotApplicableError(f"{rules.title}: {what}; the match can be played in the terminal, without -o")
    table.worth(table.opening)
    if seats is None:
        seats = open_seats(table.players, refused_in_match(table))
    first = _rules_of(table, table.pair(table.opening))
    rules_in_short = f"A match: {in_a_line(rules)}. {bids_in_short(first)}"
    explained = [*_in_full(rules), *first.explain()[:-1]]
    said = {"name": opponent(table.match), "caption": caption, "equilibrium": is_equilibrium(table.match)}
    head = _head(rules.title, rules_in_short, explained, table.players, table.human, seats, said)
    match = {"dice": list(rules.dice), "loss": rules.loss, "exact": rules.exact, "next": rules.next, "rounds": rounds}
    return part_of(head | {"advised": True, "adviser": adviser(table.match), "match": match})


def _round_data(table: MatchTable, pair: tuple[int, int]) -> dict[str, Any]:
    """Return the data of one round without payoffs, which the scripts compute from the values of later rounds."""
    data = bidding_data(_rules_of(table, pair), [table.solved(pair)])
    del data["pays"]
    return data


def _rules_of(table: MatchTable, pair: tuple[int, int]) -> StakedRound:
    """Return the rules of the round in which the first bidder and the other player have *pair* dice."""
    return table.rules.round_of(pair, table.rules.stakes(pair, table.match.bounds))


def _in_full(rules: MatchRules) -> list[str]:
    """Return the rules of the match as paragraphs; the last paragraph introduces the rules of the first round."""
    loss = "A call costs its loser one die."
    if rules.loss == "difference":
        loss = "A call costs its loser as many dice as bid and count differ by, at most all the loser's dice."
    exact = "If the count equals the bid, the bid holds, and the caller loses one die."
    if rules.exact != EXACTS[0]:
        exact = "If the count equals the bid, the bidder loses one die."
    then = f"The {rules.next} of the call makes the first bid of the next round"
    gives_way = "; a loser without dice has lost the match" if rules.next == "loser" else ""
    dice = dice_in_words(rules.dice)
    return [
        "A match is a series of rounds. It ends when one player has no dice left; the other player wins.",
        f"{loss} {exact}",
        f"Player 1 makes the first bid of the match. {then}{gives_way}.",
        f"Every round is played with the remaining dice. The following rules are for the first round, {dice}; "
        "later rounds differ in the number of dice, the highest bid and the first bidder.",
    ]
