"""Programs in any language: what they are told, what they may answer, and that nothing they do holds us up."""

import gc
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import cache
from math import comb
from multiprocessing import get_context

import processes
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import DOCS
from play_games import after, table_for
from processes import until

import efg_builder as eb
from efg_builder.players.find import find, players
from efg_builder.players.kinds import program as module
from efg_builder.players.kinds.program import read_answer
from efg_builder.strategies.policy import Uncovered

EXAMPLES = DOCS / "players"
LIKELY = EXAMPLES / "likely.py"
TWO = eb.game("liars-dice")
THREE = eb.game("liars-dice", sides=3, dice=(2, 1))

# Of every program here: it leaves its process number in FILE, so that it can be seen to be gone.
HEAD = "import os, sys, time; open({file!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
LAST = """
for line in sys.stdin:
    if line.startswith('move'): print(line.split(',')[-1].split('=')[-1].strip(), flush=True)
"""

# It has to be told to end: that there is no more to read is not enough.
STAYS = f"{LAST}time.sleep(99)"


def spelled(code, tmp_path, **settings):
    """The spelling of a player that is the Python program *code*."""
    path = tmp_path / "player.py"
    path.write_text(HEAD.format(file=str(tmp_path / "pids")) + code)
    command = shlex.join([sys.executable, str(path)])
    if not settings:
        return f"program:{command}"
    return ":".join(["program", *(f"{key}={value}" for key, value in settings.items()), f"command={command}"])


def seated(word, game=TWO):
    return find(word, table_for(game))


def pids(tmp_path):
    return [int(word) for word in (tmp_path / "pids").read_text().split()]


def gone(pid):
    """Whether there is no such process before long; a zombie is one."""
    return until(lambda: not psutil.pid_exists(pid))


def stopped(pid):
    """Whether a process that is not ours is gone before long, or a zombie that nobody here can reap."""
    return until(lambda: processes.gone(pid))


# --- the examples


@cache
def held(hand, face):
    return hand.split(",").count(face)


def likely(game):
    """The strategy of the examples once more, in fractions."""

    def chance(turn, hand, bid):
        quantity, face = bid.split("x")
        unseen = sum(game.dice) - game.dice[turn.player]
        lacking = max(0, int(quantity) - held(game.hands[turn.player][hand], face))
        ways = sum(comb(unseen, k) * (game.sides - 1) ** (unseen - k) for k in range(lacking, unseen + 1))
        return Fraction(ways, game.sides**unseen)

    def policy(turn, hand):
        bids = [action for action, _ in turn.actions if action != "call"]
        last = turn.history.split()[-1]
        if not bids or (last != "start" and chance(turn, hand, last) < Fraction(1, 2)):
            return {"call": 1}
        return {max(bids, key=lambda bid: chance(turn, hand, bid)): 1}

    return eb.Policy(policy)


EXAMPLE_GAMES = [
    eb.game("liars-dice", sides=3),
    THREE,
    eb.game("liars-dice", sides=2, dice=(2, 2)),
    eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1),
]


def mixed(turn, hand):
    """The strategy of the example in shell."""
    labels = [action for action, _ in turn.actions]
    return {labels[0]: 1} if len(labels) == 1 else {labels[0]: Fraction(2, 3), labels[-1]: Fraction(1, 3)}


@pytest.mark.parametrize("game", EXAMPLE_GAMES, ids=lambda game: game.title)
@pytest.mark.parametrize(
    ("interpreter", "example"), [(sys.executable, "likely.py"), ("node", "likely.js"), ("sh", "mixed.sh")]
)
def test_the_examples_play_what_they_say(game, interpreter, example):
    if shutil.which(interpreter) is None:
        pytest.skip(f"no {interpreter} here")
    found = eb.evaluate(game, f"program:{shlex.join([interpreter, str(EXAMPLES / example)])}")
    assert found.exact
    policy = eb.Policy(mixed) if example == "mixed.sh" else likely(game)
    (mine,), (same,) = found.matches, eb.evaluate(game, policy).matches
    assert (mine.value, mine.best_response) == (same.value, same.best_response)
    assert mine.nash_conv > 0 or len(game.players) == 3


# --- what is said


def test_every_line_that_is_sent(tmp_path):
    said = tmp_path / "said"
    policy = seated(spelled(f"log = open({str(said)!r}, 'w')\n{TEE}", tmp_path), THREE)
    assert policy.at(after(THREE), 1) == {"3x3": 1}
    assert policy.at(after(THREE, "1x1", "1x3"), 2) == {"call": 1}
    policy.on_end(Uncovered(1, ("1,2", "3"), "1x1 1x3", "call", (Fraction(-1), Fraction(1))))
    assert policy.at(after(THREE, "3x3"), 0) == {"call": 1}
    bids = "1x1,1x2,1x3,2x1,2x2,2x3,3x1,3x2,3x3"
    assert said.read_text().splitlines() == [
        "new protocol=1 game=liars-dice sides=3 dice=2,1 wild=none wild_biddable=true order=quantity-face "
        f"max_quantity=3 payoff=win-loss players=2 bids={bids}",
        f"move seat=0 hand=1,2 history= legal={bids}",
        "move seat=0 hand=1,3 history=1x1,1x3 legal=2x1,2x2,2x3,3x1,3x2,3x3,call",
        "end seat=1 hands=1,2;3 history=1x1,1x3 last=call payoffs=-1,1",
        "move seat=1 hand=1 history=3x3 legal=call",
    ]


TEE = LAST.replace("    if", "    print(line, end='', file=log, flush=True)\n    if")


def test_one_process_for_as_long_as_somebody_sits_there(tmp_path):
    word = spelled(LAST, tmp_path)
    policy = seated(word)
    for _ in range(3):
        policy.at(after(TWO), 0)
    (pid,) = pids(tmp_path)
    assert not policy.last_bid_only
    del policy
    gc.collect()
    assert gone(pid)


def test_what_a_program_promises_makes_large_games_measurable(tmp_path):
    game = eb.game("liars-dice", sides=6, dice=(2, 1))
    found = eb.evaluate(game, spelled(LAST, tmp_path, last_bid_only="true"))
    same = eb.Policy(lambda turn, hand: {turn.actions[-1][0]: 1}, last_bid_only=True)
    assert found.method == "dense"
    assert found.matches[0].best_response == eb.evaluate(game, same).matches[0].best_response


# --- what may be answered


@pytest.mark.parametrize(
    ("answer", "row"),
    [
        ("2x1", {"2x1": 1}),
        ("2x1=1", {"2x1": 1}),
        ("2x1=1/3 call=2/3", {"2x1": Fraction(1, 3), "call": Fraction(2, 3)}),
        ("2x1=0.1 2x2=.2  call=7e-1", {"2x1": Fraction(1, 10), "2x2": Fraction(1, 5), "call": Fraction(7, 10)}),
        ("2x1=0 call=1", {"2x1": 0, "call": 1}),
    ],
)
def test_answers_are_exact(answer, row):
    found = read_answer(answer, ["2x1", "2x2", "call"])
    assert found == row
    assert all(isinstance(p, Fraction) for p in found.values())


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any))
def test_any_distribution_can_be_answered(weights):
    moves = [f"m{k}" for k in range(len(weights))]
    row = {move: Fraction(w, sum(weights)) for move, w in zip(moves, weights, strict=True)}
    exact = read_answer(" ".join(f"{move}={p}" for move, p in row.items()), moves)
    assert exact == row
    rounded = read_answer(" ".join(f"{move}={float(p):.8f}" for move, p in row.items()), moves)
    assert sum(rounded.values()) == pytest.approx(1, abs=1e-15)
    assert all(float(rounded[move]) == pytest.approx(float(p), abs=1e-7) for move, p in row.items())


NO_ANSWERS = {
    "": "an empty line names no move",
    "9x9": "'9x9' is not a legal move; choose from: 2x1, call",
    "cal": "'cal' is not a legal move; did you mean 'call'?",
    "I call": "'I' is not MOVE=PROBABILITY",
    "call=": "'call=': not a number: ''",
    "call=1/0": "'call=1/0': a denominator of zero",
    "call=nan": "'call=nan': not a number: 'nan'",
    "call=2 2x1=-1": "'2x1=-1' is negative",
    "call=0.5 2x1=0.4": "the probabilities sum to 9/10, not 1",
    "call=0.5 2x1=0.500002": "the probabilities sum to 500001/500000, not 1",
    "call=1/2 call=1/2": "'call' appears twice",
    "=1": "'=1' is not MOVE=PROBABILITY",
    '{"call": 1}': """'{"call":' is not MOVE=PROBABILITY""",
    "call=1e999999": "'call=1e999999': a number of more than 4000 digits",
}


def test_wrong_answers_say_what_is_wrong():
    for answer, problem in NO_ANSWERS.items():
        with pytest.raises(ValueError, match=re.escape(problem)):
            read_answer(answer, ["2x1", "call"])


# --- what can go wrong

HINT = "move seat=0 hand=1 history= legal=1x1,1x2,2x1,2x2"


ANSWER = "for line in sys.stdin:\n    if line[0] == 'm': "
WRONG = {
    f"{ANSWER}print('1x9', flush=True)": "answered '1x9' to 'move seat",
    f"{ANSWER}print('2x1=1/2', flush=True)": "probabilities sum to 1/2",
    "for line in sys.stdin:\n    print('\\x1b\\xff', flush=True)": r"'\x1b",
    "sys.stdout.buffer.write(b'\\xff\\n')\nsys.stdout.flush()\ntime.sleep(99)": "'\ufffd'",
    "raise SystemExit('I play poker')": "(exit code 1); its last line: 'I play poker'",
    f"{ANSWER}sys.exit(7)": f"ended without an answer to '{HINT}' (exit code 7)",
    "os.close(1)\nprint('out of words', file=sys.stderr, flush=True)\ntime.sleep(99)": "'out of words'",
    "for k in range(2): sys.stdin.readline()\nint('x')": '(exit code 1); its last line: "ValueError: invalid literal',
    "os.kill(os.getpid(), 9)": "(exit code -9)",
    f"print('Welcome!', flush=True)\n{LAST}": "'Welcome!'",
    "while True: print('1x1')": "'1x1'",
    f"{ANSWER}sys.stdout.write('1' * 10**6)": "wrote more than 262,144 bytes without an end of line",
    "while True: print('chatter ' * 9, file=sys.stderr)": "gave no answer",
    "print('thinking', file=sys.stderr, flush=True)\ntime.sleep(99)": "its last line: 'thinking'",
    "sys.stdin.close()\ntime.sleep(99)": "gave no answer",
    f"out = open(1, 'w')\n{ANSWER}out.write('1x1\\n')": f"'{HINT}' within 3 s (does it flush every line?)",
}


@pytest.mark.parametrize(("code", "problem"), WRONG.items())
@pytest.mark.first(12)
def test_what_programs_do_wrong_is_one_line_and_their_end(tmp_path, code, problem, cli):
    word = spelled(code, tmp_path, timeout=3 if "sleep" in code or re.search("no answer|3 s", problem) else 60)
    code, out, err = cli("evaluate", "liars-dice", "--strategy", word)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith(f"error: program {shlex.join([sys.executable, str(tmp_path / 'player.py')])!r} ")
    assert problem in line
    assert len(line) < 600
    assert all(map(gone, pids(tmp_path)))


@pytest.mark.parametrize("code", ["sys.exit('no')", "while True: print('no')"])
def test_after_an_error_the_same_error_is_all_there_is(tmp_path, code):
    policy, said = seated(spelled(code, tmp_path)), set()
    for _ in range(3):
        with pytest.raises(eb.PlayerError, match="'no'") as caught:
            policy.at(after(TWO), 0)
        said.add(str(caught.value))
    with pytest.raises(eb.PlayerError) as caught:
        policy.on_end(Uncovered(0, ("1", "1"), "1x1", "call", (Fraction(1), Fraction(-1))))
    assert said == {str(caught.value)}


def test_a_late_second_line_is_not_the_next_answer(tmp_path):
    policy = seated(spelled(LAST.replace("print(", "print('2x1', file=sys.stdout) or print("), tmp_path))
    assert policy.at(after(TWO), 0) == {"2x1": 1}
    time.sleep(1)  # until it has written both of its lines
    with pytest.raises(eb.PlayerError, match="wrote '2x2' without a question"):
        policy.at(after(TWO), 0)


def test_who_never_reads_is_told_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BEHIND", 50)
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    policy = seated(spelled("time.sleep(99)", tmp_path))
    end = Uncovered(0, ("1", "1"), " ".join(["1x1"] * 5_000), "call", (Fraction(1), Fraction(-1)))
    while not (tmp_path / "pids").exists():
        time.sleep(0.01)

    def tell_many():
        for _ in range(200):
            policy.on_end(end)

    with pytest.raises(eb.PlayerError, match=r"has read nothing for 0\.5 s"):
        tell_many()
    assert all(map(gone, pids(tmp_path)))


def test_games_that_a_line_cannot_hold_are_refused():
    class Odd(type(eb.game("dice-poker"))):
        def public_turn(self, state):
            turn = super().public_turn(state)
            if state != "start":
                return turn
            return turn._replace(actions=(("show down", "show"), *turn.actions[1:]))

    policy = seated("program:cat", Odd())
    with pytest.raises(eb.ProfileError, match=r"'show down' of Dice poker: .* has a blank"):
        policy.at(after(Odd()), 0)


# --- how it ends


def test_whoever_will_not_end_is_ended_with_all_it_started(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "GRACE", 0.2)
    deaf = "import signal, subprocess; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    child = f"child = subprocess.Popen(['sleep', '99'])\nprint(child.pid, file=open({str(tmp_path / 'pids')!r}, 'a'))\n"
    policy = seated(spelled(deaf + child + LAST + "time.sleep(99)\n", tmp_path))
    policy.at(after(TWO), 0)
    program, started = pids(tmp_path)
    del policy
    gc.collect()
    assert gone(program)
    assert stopped(started)


@pytest.mark.parametrize("ending", ["it is told to", "by itself", "wrongly"])
@pytest.mark.first(1)
def test_what_a_program_started_ends_with_it_however_it_ends(tmp_path, ending):
    # The shell becomes the program, which ends by itself: what it had put into the background must not stay.
    last = {"it is told to": LAST, "by itself": LAST, "wrongly": LAST.replace("print(", "sys.exit(7); print(")}[ending]
    (tmp_path / "player.py").write_text(HEAD.format(file=str(tmp_path / "pids")) + last)
    start = f"sleep 99 & echo $! >> {tmp_path / 'pids'}\nexec {shlex.quote(sys.executable)} {tmp_path / 'player.py'}\n"
    (tmp_path / "wrap.sh").write_text(start)
    policy = seated(f"program:timeout=2:command=sh {tmp_path / 'wrap.sh'}")
    if ending == "wrongly":
        with pytest.raises(eb.PlayerError, match=r"ended without an answer to 'move .*\(exit code 7\)"):
            policy.at(after(TWO), 0)
    else:
        policy.at(after(TWO), 0)
    started, program = pids(tmp_path)
    assert ending == "wrongly" or not (processes.gone(started) or processes.gone(program))
    if ending == "by itself":
        os.kill(program, 9)
        time.sleep(0.1)
    del policy
    gc.collect()
    assert gone(program)
    assert stopped(started)


@pytest.mark.parametrize("ending", ["", "raise SystemExit(3)", "raise KeyboardInterrupt"])
@pytest.mark.first(1)
def test_it_ends_with_the_interpreter(tmp_path, ending):
    script = (
        "import efg_builder as eb\nfrom efg_builder.forms.subject import Subject\n"
        "from efg_builder.players.find import find, Table\n"
        "game = eb.game('liars-dice')\n"
        f"policy = find({spelled(STAYS, tmp_path)!r}, Table(Subject(game), 1.0, print))\n"
        f"print(policy.at(game.public_turn(game.public_root()), 0))\n{ending}"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "{'2x2': Fraction(1, 1)}\n"
    assert all(map(stopped, pids(tmp_path)))


def measured(word):
    found = eb.evaluate(TWO, word)
    kept.append(seated(word))  # one that only the end of the worker ends
    kept[0].at(after(TWO), 0)
    return found.matches[0].best_response


kept = []


@pytest.mark.parametrize("how", [pytest.param("spawn", marks=pytest.mark.slow), "fork"])
def test_it_works_and_ends_in_worker_processes(tmp_path, how):
    word = spelled(STAYS, tmp_path)
    mine = seated(word)
    mine.at(after(TWO), 0)  # so that its number is the first in the file
    with ProcessPoolExecutor(2, mp_context=get_context(how)) as pool:
        first, second = pool.map(measured, [word, word])
    assert first == second == eb.evaluate(TWO, word).matches[0].best_response
    own, *others = pids(tmp_path)
    assert len(others) == 5
    assert all(map(stopped, others))
    assert mine.at(after(TWO), 0) == {"2x2": 1}  # the workers have not ended what they did not start
    assert not processes.gone(own)


def test_it_can_be_played_against_and_answered(tmp_path, cli):
    word = spelled(LAST, tmp_path)
    code, out, _ = cli("evaluate", "liars-dice", "--strategy", f"best-response:{word}", "--against", word, "--json")
    assert code == 0
    assert f'"best-response:{word}"' in out
    assert len(pids(tmp_path)) == 2
    assert all(map(gone, pids(tmp_path)))
    assert players()["program"].main == "command"
