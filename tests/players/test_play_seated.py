"""Named players at one table: who is asked what, what all are told, and what it comes to."""

import io
import json
import random
import shlex
import sys
from fractions import Fraction
from itertools import islice

import pytest
from play_games import table_for

import efg_builder as eb
from efg_builder.players.rounds import sampler
from efg_builder.players.rounds.seating import live_rounds, seated

TWO = eb.game("liars-dice")
THREE = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)


def chairs(game, *names):
    return seated(table_for(game), names)


class EveryWay:
    """Draws that take every course in turn, and how likely each was."""

    def __init__(self):
        self.script, self.taken, self.chance = [], [], Fraction(1)

    def __call__(self, chances):
        open_ = [k for k, chance in enumerate(chances) if chance]
        at = len(self.taken)
        if at == len(self.script):
            self.script.append(0)
        self.taken.append(len(open_))
        self.chance *= chances[open_[self.script[at]]]
        return open_[self.script[at]]

    def on(self):
        """Whether there is another course; it is next."""
        while self.script and self.script[-1] == self.taken[len(self.script) - 1] - 1:
            self.script.pop()
        if not self.script:
            return False
        self.script[-1] += 1
        self.taken, self.chance = [], Fraction(1)
        return True


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
    seats, pick = chairs(game, *names), EveryWay()
    mean, whole = [Fraction(0)] * len(game.players), Fraction(0)
    while True:
        (played,) = islice(live_rounds(seats, pick), 1)
        mean = [m + pick.chance * u for m, u in zip(mean, played.payoffs, strict=True)]
        whole += pick.chance
        if not pick.on():
            break
    assert whole == 1
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


def test_a_session(cli, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("2 2\n"))
    code, out, err = cli("play", "liars-dice", "--players", "person,always-call", "--seed", "3")
    assert code == 0
    assert "Player 1, you hold" in err
    assert "Uncovered: Player 1 (you)" in err
    first, *totals = out.splitlines()
    assert first.startswith("Round 1: ")
    assert "Player 1 2x2, Player 2 call: Player" in first
    assert [line.split(": ")[0] for line in totals] == ["Player 1, person", "Player 2, always-call"]
    assert sorted(line.split(": ")[1] for line in totals) == ["-1", "1"]


def test_who_leaves_leaves_the_score(cli, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1x1\nc\nq\n"))
    seats = ["--players", "person,lowest-raise"]
    code, out, err = cli("play", "liars-dice", "sides=3", *seats, "--rounds", "5", "--seed", "3", "--json")
    assert code == 2
    assert err.splitlines()[-1] == "error: person: Player 1 has left the table"
    data = json.loads(out)
    assert data["seats"] == ["person", "lowest-raise"]
    (played,) = data["rounds"]
    assert played["moves"] == [[1, "1x1"], [2, "1x2"], [1, "call"]]
    assert data["totals"] == played["payoffs"]


def test_a_person_plays_until_it_leaves_where_nobody_says_how_many_rounds(cli, monkeypatch):
    for typed in ("1x1\nc\n1x1\nc\nq\n", "1x1\nc\n1x1\nc\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        seats = ["--players", "person,lowest-raise"]
        code, out, err = cli("play", "liars-dice", "sides=3", *seats, "--seed", "3")
        assert code == 0
        assert "error" not in err
        assert [line.split(":")[0] for line in out.splitlines()[:2]] == ["Round 1", "Round 2"]
        assert len(out.splitlines()) == 4


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
        return Solution(found.tree, "lp", "timeout", "", 0.0, (Judged(found, eb.verify(found)),), game=game)

    monkeypatch.setattr(equilibrium, "solve", late)
    code, out, _ = cli("play", "liars-dice", "--players", "equilibrium,uniform", "--seed", "1")
    assert code == 0
    assert out.startswith("Round 1: ")


def test_equal_seeds_give_equal_rounds(cli):
    words = [
        "play",
        "liars-dice",
        "sides=6",
        "dice=2,2,2",
        "--players",
        "uniform",
        "--rounds",
        "20",
        "--json",
        "--seed",
    ]
    first, again, other = (json.loads(cli(*words, seed)[1]) for seed in ("1", "1", "2"))
    assert first == again != other
    assert len(first["rounds"]) == 20


def test_you_are_the_person(monkeypatch, cli):
    said = []
    for name in ("person", "you"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
        said.append(cli("play", "liars-dice", "--players", f"{name},always-call", "--seed", "3"))
    assert said[0] == said[1]
