"""Rounds among named players, one in each seat; each is asked for a move at its turn.

Nothing is computed beforehand and no answer is kept, so that persons can sit there, and programs that draw. Each seat
has a player of its own, who sees one hand only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...base.errors import ParameterError
from ...base.words import quiet
from ...forms.extensive import GameTree
from ...games.protocol import Chance, Deal, DealtGame, End, Game, PublicDecision
from ...strategies.policy import Policy, Uncovered
from ...strategies.tree_profile import Strategy
from ..find import Table, find
from . import Event, Pick
from .boards import OnTree, Row, Rows, on_table_rows, on_tree_rows


@dataclass(frozen=True)
class Chair:
    """Who sits in one seat: the name, the strategy, and a function that takes the end of each round."""

    name: str
    rows: Rows
    on_end: Callable[[Uncovered], None]


@dataclass(frozen=True)
class TreeChair:
    """Who sits in one seat of a game that is not dealt: the name, and a row for each set of its tree."""

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class AtTable:
    """A dealt game, and who sits in each seat."""

    game: DealtGame
    chairs: tuple[Chair, ...]


@dataclass(frozen=True)
class AtTree:
    """The tree of a game that is not dealt, and who sits in each seat."""

    tree: GameTree
    chairs: tuple[TreeChair, ...]


Chairs = AtTable | AtTree


@dataclass(frozen=True)
class LiveRound:
    """A round that is over: the ``hands``, all moves, the payoffs, and the outcome's name.

    Of a game that is not dealt ``hands`` is what chance did.
    """

    hands: tuple[str, ...]
    events: tuple[Event, ...]
    payoffs: tuple[Fraction, ...]
    ending: str


def seated(
    game: Game | GameTree,
    names: Sequence[object],
    *,
    max_nodes: int,
    timeout: float,
    progress: Callable[[str], None],
    gap: Fraction | None = None,
    note: Callable[[str], object] = quiet,
) -> Chairs:
    """The players *names* (as ``evaluate`` takes strategies) in the seats of *game*, in order.

    The last one sits in all seats that are left, once for each. Those of a game that is not dealt sit at its tree. Who
    solves the game plays an equilibrium, or the best found in the time; with *gap* what was found when the value was
    known to within that. Raises ``ParameterError`` where there are none or more than seats, and what sitting down
    raises. *note* as in ``Table``.
    """
    seats = len(game.players)
    if not 0 < len(names) <= seats:
        raise ParameterError(f"{len(names)} players for the {seats} seats of {game.title}")
    table = Table(game, max_nodes, timeout, progress, live=True, gap=gap, note=note)
    found = [find(names[min(seat, len(names) - 1)], table) for seat in range(seats)]
    if isinstance(game, DealtGame):
        return AtTable(game, tuple(map(chair_of, found)))
    tree = table.tree()
    return AtTree(tree, tuple(TreeChair(given.name, on_tree_rows(given, tree)) for given in found))


def chair_of(given: Strategy, keep: bool | None = None) -> Chair:
    """*given* in one seat. ``keep``: whether it is asked once for the same; None: all but policies, which may draw."""
    policy = isinstance(given, Policy)
    on_end = (given.on_end if isinstance(given, Policy) else None) or (lambda end: None)
    return Chair(given.name, on_table_rows(given, keep=not policy if keep is None else keep), on_end)


def rounds(at: Chairs, pick: Pick) -> Iterator[LiveRound]:
    """Rounds without end, each dealt and played when it is asked for. Raises what the players raise."""
    return live_rounds(at.game, at.chairs, pick) if isinstance(at, AtTable) else _tree_rounds(at, pick)


def _tree_rounds(at: AtTree, pick: Pick) -> Iterator[LiveRound]:
    board = OnTree(at.tree, ())
    while True:
        state, events = board.root(), list[Event]()
        while not isinstance(turn := board.turn(state), End):
            if isinstance(turn, Chance):
                state = turn.branches[pick([p for _, p, _ in turn.branches])][2]
                continue
            chosen = pick(at.chairs[turn.player].rows[int(board.tree.infoset[state])])
            events.append(Event(turn.player, turn.actions[chosen][0]))
            state = turn.actions[chosen][1]
        rolled = tuple(f"{label}: {action}" if label else action for label, action in board.uncovered(state))
        yield LiveRound(rolled, tuple(events), turn.payoffs, turn.label)


def live_rounds(game: DealtGame, chairs: Sequence[Chair], pick: Pick) -> Iterator[LiveRound]:
    """Rounds without end, each dealt and played when it is asked for. Raises what the players raise.

    Every seat sees the end of each round.
    """
    chances = game.hand_probabilities
    while True:
        if chances is not None:
            hands = tuple(map(pick, chances))
        else:
            hands = game.deals[pick([deal.probability for deal in game.deals])].hands
        events: list[Event] = []
        turn, history, last = game.public_turn(game.public_root()), "", ""
        while isinstance(turn, PublicDecision):
            history, row = turn.history, chairs[turn.player].rows(turn, hands[turn.player])
            last, then = turn.actions[pick([row.get(action, Fraction(0)) for action, _ in turn.actions])]
            events.append(Event(turn.player, last))
            turn = game.public_turn(then)
        paid = game.settle(turn.key, Deal(Fraction(1), hands))
        names = tuple(game.hands[seat][hand] for seat, hand in enumerate(hands))
        for seat, chair in enumerate(chairs):
            chair.on_end(Uncovered(seat, names, history, last, paid.payoffs))
        yield LiveRound(names, tuple(events), paid.payoffs, paid.label)
