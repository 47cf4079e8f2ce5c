"""Named players at one table: who is asked what, what all are told, and what it comes to."""

import io
import random
import shlex
import sys
from fractions import Fraction
from itertools import islice

import pytest
from play_games import after, every_course, table_for

import efg_builder as eb
from efg_builder.players.find import find
from efg_builder.players.rounds import sampler
from efg_builder.players.rounds.seating import live_rounds, seated

TWO = eb.game("liars-dice")
THREE = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)


def chairs(game, *names):
    return seated(table_for(game), names)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (TWO, ["uniform", "equilibrium"]),
        (eb.game("liars-dice", dice=(2, 1)), ["lowest-raise", "always-call"]),
        (TWO, ["lowest-raise", "best-response:lowest-raise"]),
        (THREE, ["lowest-raise", "uniform", "best-response:uniform"]),
        (THREE, ["uniform"]),
        (eb.game("dice-poker", sides=3), ["uniform", "equilibrium"]),
    ],
    ids=lambda each: getattr(each, "title", None),
)
def test_all_courses_together_come_to_the_exact_value(game, names):
    seats = chairs(game, *names)
    courses = list(every_course(lambda pick: next(live_rounds(seats, pick))))
    assert sum(chance for chance, _ in courses) == 1
    mean = [sum(chance * played.payoffs[seat] for chance, played in courses) for seat in range(len(game.players))]
    assert mean == expected(game, [*names, *[names[-1]] * (len(game.players) - len(names))])


def expected(game, names):
    """The value of these seats, from the profile in which each plays its own sets."""
    tree = eb.build(game)
    rows = {}
    for player, name in enumerate(names):
        chair = chairs(game, name)[0]
        for k in tree.personal:
            if tree.infosets[k].player == player:
                hand, _, history = tree.infosets[k].label.partition(": ")
                turn = next(turn for turn in game.turns() if turn.history == history)
                row = chair.board.rows(turn, game.hands[player].index(hand))
                rows[k] = [row.get(action, Fraction(0)) for action in tree.infosets[k].actions]
    return list(eb.evaluate(game, eb.TreeProfile.from_personal(tree, rows)).matches[0].value)


def test_everyone_is_told_what_was_uncovered_and_sees_one_hand(tmp_path):
    code = f"""
import sys
log = open({str(tmp_path)!r} + '/' + str(__import__('os').getpid()), 'w')
for line in sys.stdin:
    print(line, end='', file=log, flush=True)
    if line[0] == 'm': print(line.split(',')[-1].split('=')[-1].strip(), flush=True)
"""
    (tmp_path / "player.py").write_text(code)
    word = "program:" + shlex.join([sys.executable, str(tmp_path / "player.py")])
    seats = chairs(TWO, word)
    first, second = islice(live_rounds(seats, sampler(random.Random(1))), 2)
    del seats
    logs = [path.read_text().splitlines() for path in tmp_path.iterdir() if path.name.isdigit()]
    assert len(logs) == 2  # a process for each seat
    for seat, log in enumerate(sorted(logs, key=lambda log: "seat=1" in log[1])):
        assert {line.split()[1] for line in log[1:]} == {f"seat={seat}"}
        for played, line in zip((first, second), [line for line in log if line[0] == "e"], strict=True):
            history = ",".join(event.action for event in played.events[:-1])
            payoffs = ",".join(map(str, played.payoffs))
            assert (
                line == f"end seat={seat} hands={';'.join(played.hands)} history={history} last=call payoffs={payoffs}"
            )


def test_with_a_gap_a_bracket_is_good_enough_to_play(cli):
    words = ["liars-dice", "sides=6", "dice=2,2", "wild=1", "--players", "equilibrium,uniform", "--seed", "1"]
    code, out, _ = cli("play", *words, "--gap", "2")
    assert code == 0
    assert out.startswith("Round 1: ")


def test_the_best_found_in_the_time_plays(cli, monkeypatch):
    from efg_builder.equilibria.solution import Judged, Solution
    from efg_builder.players.kinds import equilibrium

    def late(game, **_):
        found = eb.TreeProfile.uniform(eb.build(game))
        return Solution(found.tree, "lp", "timeout", "", 0.0, (Judged(found, eb.verify(found)),), game=game.rules)

    monkeypatch.setattr(equilibrium, "solve", late)
    code, out, _ = cli("play", "liars-dice", "--players", "equilibrium,uniform", "--seed", "1")
    assert code == 0
    assert out.startswith("Round 1: ")


def test_the_end_of_input_is_an_error_in_one_line(monkeypatch):
    person = find("person", table_for(TWO, live=True))
    monkeypatch.setattr(sys, "stdin", io.StringIO("zz\n"))
    with pytest.raises(eb.PlayerError, match=r"^person: Player 1 is to move, and standard input has ended$"):
        person.at(after(TWO), 0)
    for closed in (None, open(__file__)):  # noqa: SIM115
        if closed:
            closed.close()
        monkeypatch.setattr(sys, "stdin", closed)
        with pytest.raises(eb.PlayerError, match="standard input has ended"):
            person.at(after(TWO), 0)


def test_a_seat_is_live_for_whoever_sits_there_and_not_for_those_who_are_answered():
    table = table_for(TWO, live=True)
    with pytest.raises(eb.NotApplicableError, match="one move at a time"):
        table.respond("person")
