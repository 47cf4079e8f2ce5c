"""What the tests of play share: small games, every course that a round of them can take, and ways to play."""

from fractions import Fraction
from functools import cache

from click.testing import CliRunner

import efg_builder as eb
from efg_builder.cli import root
from efg_builder.forms.subject import Subject
from efg_builder.players.find import Table, find
from efg_builder.players.rounds import begin, board_for, choose, record

GAMES = {
    "two sides": ("liars-dice", {}),
    "three sides": ("liars-dice", {"sides": 3, "max_quantity": 1}),
    "two dice against one": ("liars-dice", {"dice": "2,1", "max_quantity": 1}),
    "points, wild": ("liars-dice", {"sides": 3, "wild": "highest", "payoff": "points", "max_quantity": 1}),
    "three players": ("liars-dice", {"dice": "1,1,1", "max_quantity": 1}),
    "four players": ("liars-dice", {"dice": "1,1,1,1", "max_quantity": 1}),
    "dice poker": ("dice-poker", {"sides": 3, "bet": "2/3"}),
    "mia": ("mia", {}),
}

ROUNDS = [
    eb.game("liars-dice"),
    eb.game("liars-dice", sides=3),
    eb.game("liars-dice", dice=(2, 1)),
    eb.game("liars-dice", dice=(1, 2), order="face-quantity", payoff="points"),
    eb.game("liars-dice", sides=3, wild=1, wild_biddable=False),
]
"""Rounds of two players, small enough for every way to measure."""


@cache
def table(name):
    word, parameters = GAMES[name]
    game = eb.game(word, **parameters)
    return game, table_for(game)


@cache
def seated(name, strategy):
    _, at = table(name)
    return board_for(at.subject, find(strategy, at))


def table_for(game, **options):
    """A table at which *game* is played, with a minute for players who solve; *options* are those of ``Table``."""
    return Table(Subject.of(game), 60.0, lambda line: None, **options)


def after(game, *moves):
    """The public turn after these moves."""
    turn = game.public_turn(game.public_root())
    for move in moves:
        turn = game.public_turn(dict(turn.actions)[move])
    return turn


def every_course(play):
    """Every course that ``play(pick)`` can take: (probability, what it returns).

    All draws go through the pick: it follows a script, and the first draw beyond its end puts all its continuations
    on the list.
    """

    class Forked(Exception):
        pass

    courses = [((), Fraction(1))]
    while courses:
        script, probability = courses.pop()
        left = list(script)

        def pick(chances, script=script, probability=probability, left=left):
            if left:
                return left.pop(0)
            courses.extend(((*script, k), probability * p) for k, p in enumerate(chances) if p)
            raise Forked

        try:
            found = play(pick)
        except Forked:
            continue
        yield probability, found


def every_round(board, seat, human):
    """Every course a round can take: (probability, record). ``human(play)``: the chance of each legal move."""

    def play(pick):
        now = begin(board, seat, pick)
        while not now.over:
            move = human(now)
            now = choose(now, list(move)[pick(list(move.values()))], pick)
        return record(now)

    return every_course(play)


def at_random(play):
    return {action: Fraction(1, len(play.actions)) for action in play.actions}


def weighted(play):
    """Not uniform, everything positive: later moves are more likely."""
    total = sum(range(1, len(play.actions) + 1))
    return {action: Fraction(k, total) for k, action in enumerate(play.actions, start=1)}


HUMANS = {
    "at random": at_random,
    "weighted": weighted,
    "first move": lambda play: {play.actions[0]: Fraction(1)},
    "last move": lambda play: {play.actions[-1]: Fraction(1)},
    "worst move": lambda play: {min(play.values, key=play.values.get): Fraction(1)},
    "best move": lambda play: {max(play.values, key=play.values.get): Fraction(1)},
}


def typed(arguments, lines):
    """``efg-builder play`` with these arguments, and these lines typed."""
    done = CliRunner().invoke(root, ["play", *arguments.split()], input="".join(f"{line}\n" for line in lines))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done
