"""Seats: an opponent in all seats except the human's, or a named player in each seat.

An opponent is a solution or another strategy. A named player sees only one hand. Its answers are not cached, because it
may be a person, or a program that draws randomly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ...base.errors import NotApplicableError, ParameterError
from ...base.words import at_most, most_won, nobody_gains, one_line, quiet
from ...equilibria.solution_facts import EMPTY_THREATS, has_unchecked
from ...forms.extensive import GameTree
from ...forms.subject import Subject
from ...games.protocol import Chance, End, Game
from ...proof import Verdict, verify
from ...proof.certificate import read_solved
from ...proof.refinement import UNCHECKED, refinement
from ...strategies.policy import Uncovered
from ...strategies.tree_profile import Strategy, dealt
from ..find import Table, find, shown
from ..kinds.equilibrium import NAME as EQUILIBRIUM
from .boards import Board, Event, OnTable, OnTree, Pick, decision, on_table_rows, on_tree_rows

QUICK_SETS = 20_000  # maximum number of information sets for verifying a sparse strategy without *prove* (about 1 s)


@dataclass(frozen=True, eq=False)
class Opponent:
    """A strategy for all seats, with a ``caption`` about its verification.

    ``equilibrium``: whether the strategy is a verified equilibrium. ``solved``: whether it is a solution, which may be
    approximate.
    """

    name: str
    caption: str
    given: Strategy
    equilibrium: bool = False
    solved: bool = False


def opponent(
    table: Table, strategy: object = None, solution: str | os.PathLike[str] | None = None, *, prove: bool = True
) -> Opponent:
    """Return *strategy*, as in ``evaluate``, or the solution in the file *solution*. The default is an equilibrium.

    Unless *prove* is true, a sparse strategy with more than ``QUICK_SETS`` information sets is not verified, and has no
    caption.
    """
    if solution is not None:
        stored = read_solved(solution, table.subject)
        name = one_line(os.path.basename(os.fspath(solution)))
        if not prove and (sparse := stored.sparse_profile) is not None and sum(sparse.sizes) > QUICK_SETS:
            return Opponent(name, "", stored, solved=True)
        return judged(name, stored, table)
    if strategy is None or strategy == EQUILIBRIUM:
        return judged(EQUILIBRIUM, find(EQUILIBRIUM, table), table)
    found_player = find(strategy, table)
    return Opponent(shown(found_player.name), "not verified", found_player)


def judged(name: str, given: Strategy, table: Table) -> Opponent:
    """Return the solution *given* as an opponent, verified again for its caption."""
    if given.policy is not None:
        return Opponent(name, "not verified", given)
    try:
        verdict = verify(given)
    except NotApplicableError as error:
        return Opponent(name, f"not verified: {error}", given)
    if verdict.equilibrium:
        what = "" if name == EQUILIBRIUM else "an equilibrium: "
        off_path = f"; {_off_path(given, verdict)}" if _may_threaten(name, given, verdict) else ""
        return Opponent(name, f"{what}verified{', exact' if verdict.exact else ''}{off_path}", given, True, True)
    named = "the best strategy found" if name == EQUILIBRIUM else name
    return Opponent(named, f"proved: {_how_good(verdict, table)}", given, solved=True)


def _off_path(given: Strategy, verdict: Verdict) -> str:
    """Return the verdict off the path of an equilibrium, or a note that its moves there were not checked."""
    profile = given.tree_profile
    found = UNCHECKED if profile is None or not verdict.exact or verdict.regret else refinement(profile)
    return EMPTY_THREATS if found.kind is None and found.empty is None else str(found)


def _may_threaten(name: str, given: Strategy, verdict: Verdict) -> bool:
    """Whether *given* may use an empty threat.

    Solutions of games with perfect information use no empty threats, because backward induction finds these solutions.
    """
    if name == EQUILIBRIUM and given.tree is not None:
        met = given.tree.infoset[given.tree.player >= 0]
        if len(met) == len(set(met.tolist())):
            return False
    return has_unchecked(given, verdict)


def with_bound(other: Opponent, board: Board, seat: int) -> Opponent:
    """Return the unverified opponent *other* with a new caption: the human's best-response payoff in *seat*."""
    best = at_most(board.values(seat).start)
    return replace(other, caption=f"proved: you get {best} a round on average as {board.players[seat]}")


def _how_good(verdict: Verdict, table: Table) -> str:
    if verdict.lower is None or verdict.upper is None:
        return nobody_gains(verdict.regret)
    return f"you get {most_won(table.subject.players, verdict.value, verdict.lower, verdict.upper)}"


def board_for(subject: Game | GameTree | Subject, given: Strategy, progress: Callable[[str], None] = quiet) -> Board:
    """Return the board on which *given* plays all seats except the human's.

    A dealt game with independent hands does not need its tree.
    """
    about = Subject.of(subject)
    game = about.given_dealt
    if game is None or game.hand_probabilities is None:
        return OnTree(about.tree(), on_tree_rows(given, about.tree()), about.given_rules)
    played = dealt(given, game)
    sparse = played.sparse_profile
    return OnTable(game, on_table_rows(played), progress=progress, sparse=sparse)


@dataclass(frozen=True)
class Chair:
    """The player in one seat: a name, a board with the strategy, and a callback for the end of each round."""

    name: str
    board: Board
    on_end: Callable[[Uncovered], None]


@dataclass(frozen=True)
class LiveRound:
    """A finished round: the ``hands`` (or chance events), all moves, the payoffs, and the name of the outcome."""

    hands: tuple[str, ...]
    events: tuple[Event, ...]
    payoffs: tuple[Fraction, ...]
    ending: str


def seated(table: Table, names: Sequence[object]) -> tuple[Chair, ...]:
    """Seat the players *names* (as in ``evaluate``) in order. The last player takes all remaining seats."""
    seats = len(table.subject.players)
    if not 0 < len(names) <= seats:
        raise ParameterError(f"there are {len(names)} players for the {seats} seats of {table.title}")
    live = replace(table, live=True)
    return tuple(chair_of(find(names[min(seat, len(names) - 1)], live), live) for seat in range(seats))


def chair_of(given: Strategy, table: Table) -> Chair:
    """Seat *given*. A policy is called at every turn, because it may draw randomly."""
    game = table.subject.given_dealt
    if game is None:
        return Chair(given.name, OnTree(table.tree(), on_tree_rows(given, table.tree())), quiet)
    board = OnTable(game, on_table_rows(given, keep=given.policy is None))
    return Chair(given.name, board, given.on_end or quiet)


def live_rounds(chairs: Sequence[Chair], pick: Pick) -> Iterator[LiveRound]:
    """Yield an endless sequence of rounds. In a dealt game, report the end of each round to every seat."""
    board = chairs[0].board
    while True:
        state, events, history = board.deal(pick), list[Event](), ""
        while not isinstance(turn := board.turn(state), End):
            if isinstance(turn, Chance):
                state = turn.branches[pick([Fraction(p) for _, p, _ in turn.branches])][2]
                continue
            row = chairs[turn.player].board.behavior(state, turn)
            if isinstance(board, OnTable):
                history = decision(board.game, state[1]).history
            action, state = turn.actions[pick(row)]
            events.append(Event(turn.player, action))
        hidden = board.uncovered(state)
        if isinstance(board, OnTree):
            hands = tuple(f"{label}: {what}" if label else what for label, what in hidden)
        else:
            hands = tuple(hand for _, hand in hidden)
            last = events[-1].action if events else ""
            for seat, chair in enumerate(chairs):
                chair.on_end(Uncovered(seat, hands, history, last, turn.payoffs))
        yield LiveRound(hands, tuple(events), turn.payoffs, turn.label)
