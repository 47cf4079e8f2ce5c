"""One game of the arena, from the deal to who is paid what: a single round, or a whole match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod

from ...base.errors import NotApplicableError
from ...games import make
from ...games.liars_dice import LiarsDice
from ...games.liars_dice_stakes import EXACTS
from ...games.match_rules import MatchRules, Standing
from ...games.protocol import DealtGame, Game
from .contestants import Contestant, Patience, sit
from .draws import Draws
from .hall import ROOM, Hall, Paid

Subject = DealtGame | MatchRules
"""What is played: one round of a game, or matches."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one game: what each seat is ``paid``, and its rank (0 the best; equal ranks are ties)."""

    paid: Paid
    ranks: tuple[int, ...]


@dataclass(eq=False)
class Contest:
    """*subject*, and the players who may sit down to it; they do when a game with such dice is first played."""

    subject: Subject
    players: Sequence[Contestant]
    patience: Patience
    progress: Callable[[str], None] = lambda line: None
    _halls: dict[tuple[int, ...], Hall] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        """How many play together."""
        return len(self.subject.dice if isinstance(self.subject, MatchRules) else self.subject.players)

    def play(self, seating: Sequence[int], draws: Draws, game: int) -> Outcome:
        """Game *game* of the block that *draws* are of, with the players *seating* (by index) in the seats."""
        if isinstance(self.subject, MatchRules):
            return self._match(self.subject, seating, draws, game)
        hall = self.hall(())
        hands = hall.hands(draws.hands(game, 0))
        played = hall.play(seating, hands, draws.moves(game, 0))
        paid = hall.paid(played.key, hands)
        return Outcome(paid, ranks(paid))

    def hall(self, dice: tuple[int, ...]) -> Hall:
        """Where the round with these dice left is played (``()`` where there is but one round).

        Raises what sitting down raises.
        """
        if dice not in self._halls:
            game = round_game(self.subject, dice)
            movers = [sit(one, game, self.patience, self.progress) for one in self.players]
            self._halls[dice] = Hall(game, movers, self._room())
        return self._halls[dice]

    def _room(self) -> int:
        """What a hall may keep: a match has one for all dice that can be left."""
        return ROOM // (prod(self.subject.dice) if isinstance(self.subject, MatchRules) else 1)

    def _match(self, rules: MatchRules, seating: Sequence[int], draws: Draws, game: int) -> Outcome:
        """Rounds until one player has all the dice that are left. Seats are those of the first round."""
        standing, turn, out = Standing(rules.dice, 0), 0, list[int]()
        while rules.winner(standing) is None:
            standing = self._round(rules, standing, seating, draws, game, turn)
            out += [seat for seat, dice in enumerate(standing.dice) if not dice and seat not in out]
            turn += 1
        last = len(seating) - 1
        winner = rules.winner(standing)
        place = {seat: last - k for k, seat in enumerate(out)}
        share = -1 / last
        paid = tuple(1.0 if seat == winner else share for seat in range(len(seating)))
        return Outcome(paid, tuple(place.get(seat, 0) for seat in range(len(seating))))

    def _round(
        self, rules: MatchRules, standing: Standing, seating: Sequence[int], draws: Draws, game: int, turn: int
    ) -> Standing:
        """The standing after one more round. Whose dice are gone is passed over; who bids first has the first seat."""
        places = in_turn(standing)
        hall = self.hall(tuple(standing.dice[place] for place in places))
        numbers, moves = draws.hands(game, turn), draws.moves(game, turn)
        hands = hall.hands([numbers[place] for place in places])
        sitting = [seating[place] for place in places]
        played = hall.play(sitting, hands, moves)
        bid, counted = called(hall.game, played.key, hands)
        return rules.after(standing, places[played.caller], bid, counted)


def called(game: Game, key: object, hands: tuple[int, ...]) -> tuple[tuple[int, int], int]:
    """The bid that was called at the end *key* of a round of Liar's Dice, and how many dice counted."""
    assert isinstance(game, LiarsDice)
    assert isinstance(key, tuple)
    bid = game.bids[key[0]]
    return bid, sum(game.matches(cup[hand][0], bid[1]) for cup, hand in zip(game.cups, hands, strict=True))


def in_turn(standing: Standing) -> list[int]:
    """The seats with dice, in turn, from who bids first."""
    seats = len(standing.dice)
    around = [(standing.first + k) % seats for k in range(seats)]
    return [seat for seat in around if standing.dice[seat]]


def round_game(subject: Subject, dice: tuple[int, ...]) -> DealtGame:
    """The round that is played with these dice. Raises ``NotApplicableError`` for a game that is no deal and bids."""
    if not isinstance(subject, MatchRules):
        if not isinstance(subject, DealtGame):
            title = subject.title if isinstance(subject, Game) else "a tree"
            raise NotApplicableError(f"{title}: an arena is for games of one deal and public play, such as liars-dice")
        return subject
    rounds = {"sides": subject.sides, "dice": dice, "wild": subject.wild, "wild_biddable": subject.wild_biddable}
    if len(dice) == 2 and subject.exact != EXACTS[0]:
        # Who loses an exact count is part of the round, and only the game with stakes has it.
        stakes = {"order": subject.order, "exact": subject.exact, "lose1": "-1", "lose2": "1"}
        made = make("liars-dice-stakes", rounds | stakes)
    else:
        made = make("liars-dice", rounds | {"order": subject.order})
    assert isinstance(made, DealtGame)
    return made


@cache
def ranks(paid: Paid) -> tuple[int, ...]:
    """For each seat how many got more."""
    return tuple(sum(other > mine for other in paid) for mine in paid)
