"""Positions of an exam: the mover's knowledge, and the loss of each move against a certified equilibrium.

All other seats play the equilibrium. Let Q(I, a) be the expected payoff of move a at the examinee's information set I,
followed by best play (``players.rounds``). The loss of a is the maximum of Q(I, b) over all moves b, minus Q(I, a).
Weight the losses of a strategy by its reach probabilities, and sum them over all information sets. By the performance
difference lemma (S. Kakade and J. Langford, ICML 2002, lemma 6.1), this sum is the payoff of a best response minus the
payoff of the strategy.

Positions are drawn in rounds, with seed S. In round k (from 0), the examinee has seat k modulo the number of players.
Chance moves by the rules, and the other players move by the equilibrium. The examinee moves by the equilibrium with
probability 1/2, otherwise uniformly. Each round adds at most one new position, which must have a losing move. The round
chooses the position whose depth (number of seen moves) was drawn least often; ties go to the earliest position. The
draw ends after ``IDLE`` rounds without a new position. Each random move uses one number u from
``random.Random(S).random()``. These numbers are the same on all machines. The move is the first one whose cumulative
probability exceeds u.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256

from ...base.errors import NotApplicableError, NotSolvedError, ParameterError, misspelled, nearest
from ...base.rationals import text
from ...base.words import listed
from ...forms.extensive import CHANCE
from ...forms.hand_names import hand_called, printed_hands
from ...games.protocol import DealtGame, Decision, PublicDecision, State
from ...players import rounds as playing
from ...players.find import Table, find
from ...players.kinds.threshold import NAME as THRESHOLD
from ...players.rounds import Board, OpenRound, words
from ...players.rounds.boards import OnTable, OnTree, decision, decision_at
from ...players.rounds.seating import judged
from ...proof.certificate import strategies_part
from ...strategies.sparse_profile import SparseProfile, way_to
from ...strategies.tree_profile import TreeProfile

Chances = Mapping[str, Fraction]  # the probability of each move
IDLE = 1_000  # the number of consecutive rounds without a new position that end the draw
EQUILIBRIUM, UNIFORM = "equilibrium", "uniform"


@dataclass(frozen=True)
class Position:
    """An information set of the examinee, as a question with its answer.

    Attributes
    ----------
    id : str
        A digest of the certificate, the player and the information set.
    game, rules, certificate : str
        The title of the game, its rules in words, and the digest of the equilibrium that the other seats play.
    player : int
        The mover, from 0.
    infoset, hand : str
        The name of the information set, and the mover's hand (empty in games without hands).
    history : tuple of (str, str)
        The moves that the mover has seen, in order. Each pair is the name of the player or chance event, and the move.
    words : str
        The mover's knowledge and the legal moves, in sentences.
    reach : Fraction
        The reach probability if all players play the equilibrium.
    depth : int
        The number of players' moves that the mover has seen.
    value : Fraction
        The expected payoff of best play from this position on.
    losses : dict of str to Fraction
        The loss of each legal move: ``value`` minus the expected payoff of the move, followed by best play.
    kinds : dict of str to str
        The kind of mistake of each losing move, such as ``"missed call"``.
    references : dict of str to dict
        The move probabilities of each reference player: ``"equilibrium"``, ``"uniform"`` and, in Liar's Dice,
        ``"threshold"``.
    population : int or None
        The number of positions of the game that can be drawn, if the exam was found to have them all.

    Examples
    --------
    >>> import efg_builder as eb
    >>> position = next(eb.exam("kuhn", 1, seed=1))
    >>> position.hand, position.loss("check"), position.loss("bet")
    ('3', Fraction(2, 5), Fraction(0, 1))
    """

    id: str
    game: str
    rules: str
    certificate: str
    player: int
    infoset: str
    hand: str
    history: tuple[tuple[str, str], ...]
    words: str
    reach: Fraction
    depth: int
    value: Fraction = field(repr=False)
    losses: Chances = field(repr=False)
    kinds: Mapping[str, str] = field(repr=False)
    references: Mapping[str, Chances] = field(repr=False)
    population: int | None = field(default=None, repr=False)

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves."""
        return tuple(self.losses)

    def loss(self, move: str) -> Fraction:
        """Return the loss of *move*: 0 for a best move. Raises ``ParameterError`` for an illegal move."""
        if move not in self.losses:
            raise ParameterError(f"{move!r} is not a legal move at {self.infoset!r}; {misspelled(move, self.moves)}")
        return self.losses[move]

    def mean_loss(self, chances: Chances) -> Fraction:
        """Return the expected loss of a distribution over the moves."""
        return sum((p * self.losses[move] for move, p in chances.items()), Fraction(0))


MOST_PLACES = 2_000
"""The maximum number of information sets of a game whose positions are counted."""


@dataclass(frozen=True, eq=False)
class Certified:
    """A game with a certified equilibrium, on a board that computes the loss of each move.

    ``name``: the solution. ``bound``: the proved statement about a solution that is not an exact equilibrium, which
    only ``--at`` accepts; empty for an exact equilibrium.
    """

    table: Table
    strategy: SparseProfile | TreeProfile
    board: Board
    name: str = EQUILIBRIUM
    bound: str = ""

    @cached_property
    def digest(self) -> str:
        """Twelve digits of a SHA-256 hash of the title, the equilibrium's probabilities and, on trees, the payoffs."""
        if (sparse := self.strategy.sparse_profile) is not None:
            return _digest([self.board.title, strategies_part(sparse)])
        profile = self.strategy.on_tree()
        tree, rows = profile.tree, zip(profile.tree.names, profile.probabilities, strict=True)
        paid = [tree.outcome.tolist(), [list(map(text, payoffs)) for payoffs in tree.payoffs]]
        return _digest([self.board.title, paid, [[name, *map(text, row)] for name, row in rows]])

    @cached_property
    def rules(self) -> str:
        """The rules in words, or the comment of the game's file."""
        game = self.table.game
        told = (self.table.tree().comment,) if game is None else game.explain()
        return " ".join(filter(None, told)) or self.table.title

    @cached_property
    def references(self) -> dict[str, Board]:
        """The boards of the reference players of this game, by name."""
        found = {}
        for name in (UNIFORM, THRESHOLD):
            with suppress(NotApplicableError):
                found[name] = board_of(self.table, name)
        return found

    @property
    def nodes(self) -> Mapping[tuple[int, str], int]:
        """One node of each information set in a tree, by player and name; empty for a board without a tree."""
        return self.board.places if isinstance(self.board, OnTree) else {}


def certified(table: Table, solution: object = None, *, approximate: bool = False) -> Certified:
    """Return the game of *table* with the equilibrium *solution*, a file or a ``Solution``.

    By default, solve the game. Raises ``NotSolvedError`` unless the solution is an exactly verified equilibrium or, if
    *approximate*, a solution with a proved bound.
    """
    if solution is None or isinstance(solution, str) or hasattr(solution, "__fspath__"):
        other = playing.opponent(table, solution=solution)
    else:
        other = judged("solution", find(solution, table, "exam"), table)
    given = other.given
    exact, profile = other.equilibrium and given.exact, given.sparse_profile or given.tree_profile
    if profile is None or not (exact or (approximate and other.solved)):
        raise NotSolvedError(
            f"an exam needs an exact equilibrium, and {other.name} is not one ({other.caption}); a longer search may "
            "find one: 'efg-builder solve GAME --timeout SECONDS -o FILE'; 'exam --at' takes any solution"
        )
    board = playing.board_for(table.subject, given, table.progress)
    return Certified(table, profile, board, other.name, "" if exact else other.caption)


def board_of(table: Table, player: object) -> Board:
    """Return the board on which *player* plays *table*'s game. Raises the errors of ``find``."""
    return playing.board_for(table.subject, find(player, table, "exam"))


def drawn(of: Certified, count: int, seed: int) -> Iterator[Position]:
    """Yield up to *count* positions, drawn as the module's docstring describes."""
    source, taken, depths = random.Random(seed), set[str](), Counter[int]()
    known = dict[tuple[int, str], Position]()
    played = last = 0

    def pick(chances: Sequence[Fraction]) -> int:
        left = Fraction(source.random())
        for index, chance in enumerate(chances):
            left -= chance
            if left < 0:
                return index
        raise AssertionError("probabilities sum to 1")

    while len(taken) < count and played - last < IDLE:
        fresh = []
        now = playing.begin(of.board, played % len(of.board.players), pick)
        while isinstance(turn := now.turn, Decision):
            key = turn.player, turn.infoset
            if key not in known:
                known[key] = at(of, now.state)
            if known[key].id not in taken and known[key].kinds:
                fresh.append(known[key])
            row = of.board.behavior(now.state, turn)
            now = playing.choose(now, now.actions[pick([(p + Fraction(1, len(row))) / 2 for p in row])], pick)
        played += 1
        if fresh:
            chosen = min(fresh, key=lambda position: depths[position.depth])
            taken.add(chosen.id)
            depths[chosen.depth] += 1
            last = played
            yield chosen


def with_population(of: Certified, positions: Sequence[Position]) -> list[Position]:
    """Return *positions* with their number as ``population`` if they are all positions that can be drawn."""
    count = sum(_has_mistakes(of, state) for state in of.board.states(MOST_PLACES))
    return [replace(each, population=count) for each in positions] if count == len(positions) else list(positions)


def _has_mistakes(of: Certified, state: State) -> bool:
    try:
        return bool(at(of, state).kinds)
    except NotApplicableError:  # the others' equilibrium moves exclude the state
        return False


def at(of: Certified, state: State) -> Position:
    """Return the position at *state*.

    Raises ``NotApplicableError`` if the equilibrium moves of the other players exclude *state*.
    """
    board, turn = of.board, decision_at(of.board, state)
    now = OpenRound(board, turn.player, state, turn)
    gains = now.values
    best, reach, hand = max(gains.values()), board.reach(state), board.hand(state, turn.player)
    losses = {move: best - gain for move, gain in gains.items()}
    seen = tuple(each for each in board.seen(state) if each.player != CHANCE or board.dealt is None)
    references = {EQUILIBRIUM: now.advice(board)} | {name: now.advice(other) for name, other in of.references.items()}
    if not of.bound and any(p * losses[move] for move, p in references[EQUILIBRIUM].items()):
        # The equilibrium may play a losing move here, because the examinee's own equilibrium moves exclude this
        # information set. The reference player makes a best move instead.
        assert not reach, f"the certificate is wrong at {turn.infoset}"
        count = sum(not loss for loss in losses.values())
        references[EQUILIBRIUM] = {move: Fraction(not loss, count) for move, loss in losses.items()}
    told = words.so_far(seen, board.players, now.seat, board.game)
    knows = f"{words.dealt(now)} {f'So far: {told}.' if told else 'You move first.'}" if hand else words.known(now)
    return Position(
        id=_digest([of.digest, turn.player, turn.infoset]),
        game=board.title,
        rules=of.rules,
        certificate=of.digest,
        player=turn.player,
        infoset=turn.infoset,
        hand=hand,
        history=tuple((board.players[e.player] if e.player != CHANCE else e.label, e.action) for e in seen),
        words=f"You are {board.players[now.seat]}. {knows} Your move: {listed(now.actions, 'or')}.",
        reach=reach,
        depth=sum(event.player != CHANCE for event in seen),
        value=best,
        losses=losses,
        kinds=_kinds(board, now, losses),
        references=references,
    )


def _kinds(board: Board, now: OpenRound, losses: Chances) -> dict[str, str]:
    """Return the kind of each mistake. A bluff is a bid that nothing in the bidder's hand matches."""
    game, wrong = board.dealt, [move for move, loss in losses.items() if loss]
    if game is None:
        return dict.fromkeys(wrong, "mistake")
    hand = game.hands[now.seat].index(board.hand(now.state, now.seat))
    claims = {move: game.claim(now.seat, hand, move) for move in losses}
    bluffs = {claim.matching == 0 for move, claim in claims.items() if claim is not None and not losses[move]}
    kinds = {}
    for move in wrong:
        claim = claims[move]
        if claim is None:
            kinds[move] = "false call" if any(claims.values()) else "mistake"
        elif claim.false == 1:
            kinds[move] = "impossible bid"
        elif not bluffs:
            kinds[move] = "missed call"
        elif (claim.matching == 0) in bluffs:
            kinds[move] = "wrong bid"
        else:
            kinds[move] = "over-bluffing" if claim.matching == 0 else "under-bluffing"
    return kinds


def _digest(part: object) -> str:
    return sha256(json.dumps(part, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:12]


# --- a position, given by its name or as people type it


def named(of: Certified, player: int, infoset: str) -> State:
    """Return a state at the information set *infoset*. Raises ``ParameterError`` for an unknown name."""
    if isinstance(of.board, OnTable):
        return typed(of, infoset)
    if (player, infoset) not in of.nodes:
        own = [name for mover, name in of.nodes if mover == player]
        raise ParameterError(f"player {player + 1} has no information set {infoset!r}; {misspelled(infoset, own)}")
    return of.nodes[player, infoset]


def typed(of: Certified, said: str) -> State:
    """Return a state at the position *said*: a hand, a colon, and moves as people type them.

    In games without hands, *said* is the name of an information set. Raises ``ParameterError``, which suggests the
    nearest word.
    """
    board, game = of.board, of.board.dealt
    if game is None:
        places = {name.casefold(): place for (_, name), place in of.nodes.items()}
        if (place := places.get(" ".join(said.casefold().split()))) is None:
            names = [name for _, name in of.nodes]
            raise ParameterError(f"there is no information set {said!r}; {misspelled(said, names)}")
        return place
    holding, _, moves = said.partition(":")
    state, turn = _after(game, said, moves)
    hand = _hand(game, turn.player, holding.strip())
    return board.holding(turn.player, hand, state)


def _after(game: DealtGame, said: str, told: str) -> tuple[State, PublicDecision]:
    """Return the public state and the turn after *told*: a history, or moves as people type them."""
    state = game.public_root()
    if way := way_to(game, told.strip()):
        for turn, action in zip(way.turns, way.moves, strict=False):
            state = turn.actions[action][1]
        return state, way.turns[-1]
    turn = decision(game, state)
    digits = " ".join(words.IN_DIGITS.get(word, word) for word in re.split(r"[\s,;.!]+", told.strip().casefold()))
    left = re.sub(r"(\d+)(?: ?[x×*] ?| )(\d+)s?\b", r"\1x\2", digits).strip()
    while left:
        labels, after = [label for label, _ in turn.actions], turn.history
        whole = [label for label in labels if f"{left} ".startswith(f"{label.casefold()} ")]
        word = max(whole, key=len, default=left.split()[0])
        left = left[len(word) :].strip()
        move = words.understood(word, labels)
        if move.kind != "move":
            place = f"after {after!r}" if after else "at the start"
            raise ParameterError(f"{said!r}: {word!r} is not a move {place}; {nearest(word, labels)}")
        state = dict(turn.actions)[move.text]
        then = game.public_turn(state)
        if not isinstance(then, PublicDecision):
            raise ParameterError(f"{said!r}: play is over after {move.text!r}; give only the moves before a decision")
        turn = then
    return state, turn


def _hand(game: DealtGame, player: int, holding: str) -> int:
    dice = holding.replace(",", " ").split()
    digits = [",".join(sorted(each, key=lambda die: (len(die), die))) for each in (dice, holding)]
    for spelled in (holding, holding.upper(), *digits):
        if (hand := hand_called(game, player, spelled)) is not None:
            return hand
    known = misspelled(digits[0], list(printed_hands(game)[player]))
    raise ParameterError(
        f"{game.players[player]} moves there, but {holding!r} before the colon is not a possible hand; {known}"
    )


def rows_of(of: Certified, positions: Sequence[Position], player: object) -> dict[str, dict[str, Fraction]]:
    """Return the move probabilities of *player*, a strategy or its name, by position id.

    ``"equilibrium"`` is the certified equilibrium, with best moves off the equilibrium path.
    """
    if player == EQUILIBRIUM:
        return {position.id: dict(position.references[EQUILIBRIUM]) for position in positions}
    board, found = board_of(of.table, player), {}
    for position in positions:
        state = named(of, position.player, position.infoset)
        turn = decision_at(board, state)
        found[position.id] = OpenRound(board, turn.player, state, turn).advice(board)
    return found
