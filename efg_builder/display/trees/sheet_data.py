"""The data of the view ``"sheet"``: hands by situations, with the moves of each hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ...base.errors import NotApplicableError
from ...base.rationals import Number
from ...base.words import full, listed_in_short, plural
from ...equilibria.bids import replies
from ...forms.extensive import CHANCE, GameTree
from ...forms.public_tree import PublicTree, merge, public_tree
from ...games.bidding import BiddingGame
from ...proof.reach import reaches, settled
from ...strategies.tree_profile import Strategy, TreeProfile
from .options import DrawOptions
from .public_play import PublicPlay
from .subject import DrawnSubject

OPENS = "opens"  # the words for a situation before any move

Moves = tuple[tuple[str, Number | None], ...]  # names and probabilities, which are None without strategies
Place = tuple[int, int]  # the index of a block, and of a situation


@dataclass(frozen=True)
class Bar:
    """A hand in a situation, or an information set, with its moves in the order of the rules.

    Moves that are never made are omitted. ``held``: the probability of the hand in the situation, or the reach
    probability of the information set; None without strategies. ``hand``: the hand's index in the rules of a bidding
    game.
    """

    name: str
    moves: Moves
    held: Number | None
    card: str = ""  # the public cards
    hand: int | None = None

    @property
    def never(self) -> bool:
        return self.held == 0

    @property
    def tip(self) -> str:
        """The moves with their exact probabilities."""
        if self.never:
            return f"{self.name}: never gets here"
        said = ", ".join(name if p is None else f"{name} {full(p)}" for name, p in self.moves)
        return f"{self.name}: {said}"


@dataclass(frozen=True)
class Cell:
    """The bars of a player's situation. ``reach``: its reach probability; None without strategies, or in a list."""

    player: int
    bars: tuple[Bar, ...]
    reach: Number | None = None


@dataclass(frozen=True)
class SheetData:
    """The cells of a sheet by block (from top to bottom) and situation (from left to right).

    ``situations`` are pairs of a player and words. ``blocks`` are titles. ``listed``: each situation is a player, and
    its bars are the player's information sets. ``noun``: the word for a bar. ``left_out``: the part of the game that is
    not shown, in words.
    """

    blocks: tuple[str, ...]
    situations: tuple[tuple[int, str], ...]
    cells: Mapping[Place, Cell]
    bids: BiddingGame | None = None
    listed: bool = False
    noun: str = "hand"
    left_out: str = ""

    @cached_property
    def bars(self) -> tuple[Bar, ...]:
        return tuple(bar for cell in self.cells.values() for bar in cell.bars)

    @cached_property
    def played(self) -> bool:
        """Whether the bars have probabilities."""
        return any(bar.held is not None for bar in self.bars)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The different moves, in the order of the rules."""
        return tuple(merge(tuple(name for name, _ in bar.moves) for bar in self.bars))


def sheet_data(subject: DrawnSubject, options: DrawOptions) -> SheetData:
    """Return the data of *subject*.

    A bidding game has a situation for each last bid, averaged over the earlier bids. Another game with a public tree
    has a situation for each public history of a round, and a block for each course of the earlier rounds. Any other
    tree has a list of each player's information sets.
    """
    played: Strategy | None = subject.sparse or subject.profile
    rules = subject.tree.game or (None if played is None else played.game)
    game = None if rules is None else rules.bidding_game
    if game is not None and played is not None:
        return _by_last_bid(played, game, options)
    if game is not None:
        return _blank(game, options)
    subject = subject.displayed
    try:
        public = public_tree(subject.tree)
    except NotApplicableError:
        return _listed(subject, options)
    decisions = sum(1 for sets in public.infosets if sets)
    if not decisions or len(subject.tree.personal) < 2 * decisions:
        return _listed(subject, options)
    return _by_history(PublicPlay(subject.tree, subject.profile), options)


def _by_last_bid(played: Strategy, game: BiddingGame, options: DrawOptions) -> SheetData:
    limit = options.reach or 0
    every = replies(played, game, options.depth)
    shown = [reply for reply in every if reply.reach > limit]
    bids = [bid for bid in ("", *game.bid_names) if any(reply.bid == bid for reply in shown)]
    movers = sorted({reply.player for reply in shown})
    order = {name: place for place, name in enumerate(game.bid_names)}
    cells = {}
    for reply in shown:
        bars = tuple(
            Bar(name, tuple(sorted(moves.items(), key=lambda move: order.get(move[0], len(order)))), held, hand=hand)
            for hand, name in enumerate(game.hand_names[reply.player])
            for held, moves in (reply.hands.get(hand, (Fraction(0), {})),)
        )
        cells[movers.index(reply.player), bids.index(reply.bid)] = Cell(reply.player, bars, reply.reach)
    left_out = [f"{plural(len(every) - len(shown), 'rarer situation')} not shown"] if len(every) > len(shown) else []
    unmade = [bid for bid in game.bid_names if all(reply.bid != bid for reply in every)]
    if options.depth is not None:
        left_out.append(f"only the first {plural(options.depth, 'move')}")
    elif unmade:
        left_out.append(f"never bid: {listed_in_short(unmade)}")
    titles = tuple(game.players[player] for player in movers)
    # The mover is the block, so a situation has no player.
    situations = tuple((CHANCE, bid or OPENS) for bid in bids)
    return SheetData(titles, situations, cells, game, left_out="; ".join(left_out))


def _blank(game: BiddingGame, options: DrawOptions) -> SheetData:
    """Return the sheet of a bidding game without strategies. Each bid is higher than the last one."""
    players, bids = range(len(game.players)), ("", *game.bid_names)
    most = len(bids) if options.depth is None else options.depth
    cells = {}
    for column, bid in enumerate(bids):
        for player in players:
            moves = player or (len(players) if bid else 0)  # the least number of moves before the player's turn
            if moves <= min(column, most) and (bid or not player):
                cells[player, column] = Cell(player, tuple(Bar(name, (), None) for name in game.hand_names[player]))
    return SheetData(game.players, tuple((CHANCE, bid or OPENS) for bid in bids), cells, game)


Block = tuple[int, tuple[str, ...]]  # the number of a round, and the moves of the earlier rounds
Situation = tuple[int, tuple[str, ...]]  # the mover, and the moves of the round


def _by_history(play: PublicPlay, options: DrawOptions) -> SheetData:
    public, flow = play.public, play.flow
    begins, found, hidden = _begins(public), dict[tuple[Block, Situation], int](), 0
    for history, sets in enumerate(public.infosets):
        path = public.path(history)
        if sets and _is_shown(history, len(path), play, options):
            number, first = begins[history]
            start = len(public.path(first))
            found[(number, path[:start]), (int(public.player[history]), path[start:])] = history
        elif sets:
            hidden += 1
    rounds = list(dict.fromkeys(earlier for earlier, _ in found))
    situations = sorted(dict.fromkeys(each for _, each in found), key=lambda each: len(each[1]))
    cells = {}
    for (earlier, situation), history in found.items():
        reach = None if flow is None else flow.history[history]
        cells[rounds.index(earlier), situations.index(situation)] = Cell(situation[0], _hands(play, history), reach)
    return SheetData(
        tuple(map(_title, rounds)) if len(rounds) > 1 else ("",),
        tuple((player, f"after {', '.join(moves)}" if moves else OPENS) for player, moves in situations),
        cells,
        noun="hand" if all(public.holds_hands(history) for history in found.values()) else "information set",
        left_out=f"{plural(hidden, 'rarer or later situation')} not shown" if hidden else "",
    )


def _is_shown(history: int, depth: int, play: PublicPlay, options: DrawOptions) -> bool:
    if options.depth is not None and depth > options.depth:
        return False
    return options.reach is None or play.flow is None or play.flow.history[history] > options.reach


def _title(block: Block) -> str:
    number, earlier = block
    return f"round {number}: {', '.join(earlier)}" if earlier else f"round {number}"


def _begins(public: PublicTree) -> list[tuple[int, int]]:
    """Return, for each history, its round and the first history of the round: a public chance move begins a round."""
    begins, cards = list[tuple[int, int]](), list[set[str]]()
    for history, sets in enumerate(public.infosets):
        above = int(public.parent[history])
        cards.append({public.opened.get(k, "") for k in sets})
        same_round = history and cards[history] <= cards[above]
        number = begins[above][0] + 1 if history else 1
        begins.append(begins[above] if same_round else (number, history))
    return begins


def _hands(play: PublicPlay, history: int) -> tuple[Bar, ...]:
    hands = sorted(play.hands(history), key=lambda hand: play.rank(hand[0], hand[2]))
    return tuple(Bar(name, _moves(play.tree, play.profile, k), held, card) for card, k, name, held in hands)


def _moves(tree: GameTree, profile: TreeProfile | None, k: int) -> Moves:
    actions = tree.infosets[k].actions
    if profile is None:
        return tuple((action, None) for action in actions)
    settled_ones = zip(actions, map(settled, profile.probabilities[k]), strict=True)
    return tuple((action, p) for action, p in settled_ones if p)


def _listed(subject: DrawnSubject, options: DrawOptions) -> SheetData:
    tree, profile = subject.tree, subject.profile
    met: dict[int, Number] = {}
    if profile is not None:
        for k, reach in zip(tree.infoset.tolist(), reaches(tree, profile), strict=True):
            met[k] = met.get(k, Fraction(0)) + reach
    depth = {k: int(tree.depth[node]) for k, node in tree.first_nodes.items()}
    limit = -1 if options.reach is None else options.reach
    shown = [k for k in tree.numbered if met.get(k, 1) > limit and (options.depth is None or depth[k] <= options.depth)]
    movers = sorted({tree.infosets[k].player for k in shown})
    cells = {
        (0, column): Cell(
            player,
            tuple(
                Bar(tree.names[k], _moves(tree, profile, k), met.get(k))
                for k in shown
                if tree.infosets[k].player == player
            ),
        )
        for column, player in enumerate(movers)
    }
    hidden = len(tree.numbered) - len(shown)
    situations = tuple((player, tree.players[player]) for player in movers)
    left_out = f"{plural(hidden, 'information set')} not shown" if hidden else ""
    return SheetData(("",), situations, cells, listed=True, left_out=left_out)
