"""Gambit's routines as solvers: what they find, how they are ended, what they are told."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from fractions import Fraction
from types import SimpleNamespace

import brute
import numpy as np
import pytest
from test_tree_oracle import random_tree

from efg_builder.analysis import verify
from efg_builder.efg import parse_efg, to_efg
from efg_builder.errors import ParameterError, ProfileError
from efg_builder.gambit import adapter, child, worker
from efg_builder.games import game
from efg_builder.profile import Profile, uniform
from efg_builder.profile_file import read_profile
from efg_builder.solvers import Facts, Request
from efg_builder.solvers import gambit as gambit_solvers
from efg_builder.solvers.gambit_mapping import faults, from_profile, order, own_reach, to_profile
from efg_builder.tree import build

SOLVERS = {solver.name: solver for solver in gambit_solvers.SOLVERS}

COORDINATION = """EFG 2 R "Coordination" { "A" "B" }
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "x" "y" } 0
t "" 1 "both first" { 2, 1 }
t "" 2 "apart" { 0, 0 }
p "" 2 1 "b" { "x" "y" } 0
t "" 2 "apart" { 0, 0 }
t "" 3 "both second" { 1, 2 }
"""

DILEMMA = """EFG 2 R "Dilemma" { "A" "B" }
p "" 1 1 "a" { "hold" "tell" } 0
p "" 2 1 "b" { "hold" "tell" } 0
t "" 1 "silence" { 2, 2 }
t "" 2 "B tells" { 0, 3 }
p "" 2 1 "b" { "hold" "tell" } 0
t "" 3 "A tells" { 3, 0 }
t "" 4 "both tell" { 1, 1 }
"""

FORGETFUL = """EFG 2 R "Forgetful" { "A" "B" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "again" { "l" "r" } 0
t "" 1 "good" { 2, 0 }
t "" 2 "bad" { 0, 1 }
p "" 1 2 "again" { "l" "r" } 0
t "" 2 "bad" { 0, 1 }
t "" 1 "good" { 2, 0 }
"""

# Numbers against the order of play.
SCRAMBLED = """EFG 2 R "Scrambled" { "A" "B" }
c "" 1 "deal" { "h" 1/3 "k" 2/3 } 0
p "" 1 7 "late" { "l" "m" "r" } 0
t "" 1 "o" { 2, 1 }
t "" 2 "z" { 0, 0 }
p "" 1 9 "deeper" { "a" "b" } 0
t "" 1 "o" { 2, 1 }
t "" 1 "o" { 2, 1 }
p "" 2 5 "other" { "l" "r" } 0
t "" 2 "z" { 0, 0 }
p "" 1 2 "early" { "u" "v" "w" "x" } 0
t "" 2 "z" { 0, 0 }
t "" 1 "o" { 2, 1 }
t "" 2 "z" { 0, 0 }
t "" 2 "z" { 0, 0 }
"""

POKER = build(game("dice-poker", sides=2))
BIDS = build(game("liars-dice", sides=2))
THREE = build(game("liars-dice", dice="1,1,1", sides=2, max_quantity=1))
TREES = {
    "coordination": parse_efg(COORDINATION),
    "dilemma": parse_efg(DILEMMA),
    "poker": POKER,
    "three": THREE,
    "scrambled": parse_efg(SCRAMBLED),
    "impossible": parse_efg(SCRAMBLED.replace('"h" 1/3 "k" 2/3', '"h" 0 "k" 1').replace('"m"', '"l"')),
}

EXACT = {"gambit-lp", "gambit-lcp", "gambit-enumpure", "gambit-enummixed", "gambit-enumpure-agent"}
"""The routines that compute in rationals by default and find what they look for to the last digit."""

FLOAT_REGRET = 1e-3

GIVING_UP = {
    "gambit-liap": {"poker", "three", "scrambled", "impossible"},
    "gambit-liap-agent": {"scrambled", "impossible"},
    "gambit-logit": {"impossible"},
    "gambit-hp": {"scrambled", "impossible"},
}
"""Where a float routine reaches no equilibrium from its default start, and says so."""


def solve(name, tree, timeout=30.0, **options):
    return SOLVERS[name].run(tree, Request(timeout, options))


@pytest.fixture
def in_process(monkeypatch):
    """Gambit in this very process: the child's start takes a second, a tiny game a millisecond."""

    def run(chunks, routine, options, timeout=None, progress=None):
        messages = []
        request = json.loads(json.dumps({"routine": routine, "options": options}))
        worker.serve(request, b"".join(chunks).decode(), messages.append)
        answer = child.Answer()
        for message in messages:
            child._take(json.dumps(message).encode(), answer)
        return answer

    monkeypatch.setattr(gambit_solvers, "child", SimpleNamespace(run=run))


def test_every_routine_of_pygambit_is_a_solver():
    import pygambit.nash

    routines = {name for name in dir(pygambit.nash) if name.endswith("_solve")}
    assert routines == set(adapter.ROUTINES)
    assert routines == {method.routine for method in gambit_solvers.METHODS}


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("name", SOLVERS)
def test_what_gambit_finds_is_an_equilibrium_of_tiny_games(name, tree):
    if SOLVERS[name].inapplicable(Facts(TREES[tree])):
        pytest.skip("does not apply")
    if tree in ("poker", "three") and name == "gambit-liap":
        pytest.skip("takes seconds to give up")
    # From its default perturbation the path of the dilemma meets no equilibrium.
    options = {"perturbation": "random:1"} if name == "gambit-gnm" else {}
    found = solve(name, TREES[tree], **options)
    if tree in GIVING_UP.get(name, ()):
        assert (found.profiles, found.ended) == ((), "failed")
        assert found.message
        return
    assert found.ended == "done", found.message
    assert found.profiles
    for profile in found.profiles:
        regret = brute.regret(profile) if name != "gambit-enumpure-agent" else agent_regret(profile)
        assert regret <= (0 if name in EXACT else FLOAT_REGRET)
        assert profile.exact == (name in EXACT or name == "gambit-simpdiv")


def agent_regret(profile):
    """The most that one information set gains by another action, everything else as it is."""
    tree, fixed = profile.tree, brute.rows(profile)
    value = brute.payoffs(tree, fixed)
    gains = [Fraction(0)]
    for k in tree.personal:
        width, player = len(tree.infosets[k].actions), tree.infosets[k].player
        for pick in range(width):
            row = [Fraction(int(a == pick)) for a in range(width)]
            gains.append(brute.payoffs(tree, fixed | {k: row})[player] - value[player])
    return max(gains)


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    ("name", "options", "count"),
    [
        ("gambit-enumpure", {}, 2),
        ("gambit-enummixed", {}, 3),
        ("gambit-enummixed", {"rational": "false"}, 3),
        ("gambit-enumpoly", {}, 3),
        ("gambit-enumpoly", {"use_strategic": "true"}, 3),
        ("gambit-enumpoly", {"stop_after": "1"}, 1),
        ("gambit-lcp", {}, 1),
        ("gambit-lcp", {"use_strategic": "true"}, 3),
        ("gambit-lcp", {"use_strategic": "true", "stop_after": "1"}, 1),
        ("gambit-gnm", {"steps": "50", "end_lambda": "-5", "local_newton_interval": "2"}, 3),
        ("gambit-logit", {"use_strategic": "true", "first_step": "0.1", "max_accel": "1.2"}, 1),
        ("gambit-logit", {"maxregret": "1e-4"}, 1),
        ("gambit-ipa", {"perturbation": "random:3"}, 1),
        ("gambit-simpdiv", {"start": "random:3", "maxregret": "1/1000", "refine": "3"}, 1),
        ("gambit-simpdiv", {"start": "first"}, 1),
        ("gambit-liap", {"start": "random:3", "maxiter": "500", "maxregret": "1e-5"}, 1),
        ("gambit-liap-agent", {"start": "random:3"}, 1),
        ("gambit-liap-agent", {"start": "centroid"}, 1),
        ("gambit-hp", {"prior": "uniform"}, 1),
        ("gambit-hp", {"prior": "first"}, 1),
    ],
)
def test_options_reach_gambit(name, options, count):
    found = solve(name, TREES["coordination"], **options)
    assert len(found.profiles) == count, found
    assert all(brute.regret(profile) <= FLOAT_REGRET for profile in found.profiles)


@pytest.mark.usefixtures("in_process")
def test_cliques_are_counted():
    found = solve("gambit-enummixed", POKER, cliques="true")
    assert found.message == "maximal cliques of extreme equilibria: 1"


@pytest.mark.usefixtures("in_process")
def test_random_starts_are_reproducible():
    first, again = (solve("gambit-liap-agent", POKER, start="random:5").profiles for _ in range(2))
    assert [p.probabilities for p in first] == [p.probabilities for p in again]


@pytest.mark.usefixtures("in_process")
def test_no_pure_equilibrium_is_an_answer_and_no_equilibrium_is_a_failure():
    matching = COORDINATION.replace("{ 2, 1 }", "{ 1, -1 }").replace("{ 1, 2 }", "{ 1, -1 }")
    found = solve("gambit-enumpure", parse_efg(matching.replace("{ 0, 0 }", "{ -1, 1 }")))
    assert (found.profiles, found.ended, found.message) == ((), "done", "no pure-strategy equilibrium exists")
    found = solve("gambit-logit", BIDS, timeout=20)
    assert (found.profiles, found.ended) == ((), "failed")
    assert found.message == "Gambit found no equilibrium: regret target not reached"
    found = solve("gambit-hp", POKER, prior="uniform")
    assert found.ended == "failed"
    assert "best response" in found.message


def test_the_sequence_form_is_solved_exactly_at_125_nodes():
    for name in ("gambit-lp", "gambit-lcp"):
        lines = []
        found = SOLVERS[name].run(BIDS, Request(60.0, {}, lines.append))
        (profile,) = found.profiles
        assert profile.exact
        assert brute.payoffs(BIDS, brute.rows(profile)) == [0, 0]
        assert all(best_on_tree(profile, player) == 0 for player in (0, 1))
        assert lines
        assert all(line.startswith("Gambit, ") and " of 60 s" in line for line in lines)


def best_on_tree(profile, player):
    """The best response's value by recursion over own information sets, for games with perfect recall."""
    tree, rows = profile.tree, brute.rows(profile)
    children = [[] for _ in range(len(tree))]
    for node in range(1, len(tree)):
        children[tree.parent[node]].append(node)

    def value(states):
        """The most from these (node, reach) on, all the same to the player."""
        total, own = Fraction(0), {}
        while states:
            node, p = states.pop()
            if tree.outcome[node] != -1:
                total += p * tree.outcomes[tree.outcome[node]].payoffs[player]
            if children[node] and tree.player[node] == player:
                own.setdefault(int(tree.infoset[node]), []).append((node, p))
            elif children[node]:
                row = rows[int(tree.infoset[node])]
                states += [(c, p * row[int(tree.action[c])]) for c in children[node]]
        for k, members in own.items():
            total += max(
                value([(children[node][a], p) for node, p in members]) for a in range(len(tree.infosets[k].actions))
            )
        return total

    return value([(0, Fraction(1))])


def test_a_float_answer_without_distributions_where_it_is_played_to_is_told():
    # pygambit 17.0.0b2 gives both actions of such a set probability 0 here.
    found = solve("gambit-lp", BIDS, rational="false")
    assert (len(found.profiles), found.ended) == (1, "done")
    assert "which is played to, Gambit gives no distribution but 0.0, 0.0: taken as uniform" in found.message


NEEDS_PS = pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps to list processes with")


def children_of(pid):
    """The workers that the process *pid* started and that still run."""
    return [int(row[0]) for row in processes() if int(row[1]) == pid and "efg_builder.gambit.worker" in row[3]]


def workers():
    return {int(row[0]) for row in processes() if "efg_builder.gambit.worker" in row[3]}


def processes():
    """Process id, parent, state and arguments of all processes; -ww because ps cuts lines where COLUMNS is set."""
    command = ["ps", "-ww", "-eo", "pid,ppid,stat,args"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line.split(None, 3) for line in listed.splitlines()[1:]]


@NEEDS_PS
def test_the_time_limit_ends_the_child():
    seen = []
    began = time.monotonic()
    request = Request(2.0, {}, lambda line: seen.extend(children_of(os.getpid())))
    found = SOLVERS["gambit-enummixed"].run(BIDS, request)
    assert time.monotonic() - began < 4
    assert seen, "while it ran, the child was not found"
    assert (found.ended, found.profiles) == ("timeout", ())
    assert found.message == "stopped at the time limit of 2 s"
    assert not children_of(os.getpid())


def test_what_was_found_before_the_time_limit_is_kept():
    # The first pure equilibria come at once; trying all pairs of strategies would take very long.
    found = solve("gambit-enumpure", BIDS, timeout=6.0)
    assert found.ended == "timeout"
    assert found.profiles
    assert all(best_on_tree(profile, 0) + best_on_tree(profile, 1) == 0 for profile in found.profiles)


SCRIPT = """
import sys
from efg_builder.games import game
from efg_builder.solvers import Request, method
from efg_builder.tree import build
def progress(line):
    print(line, flush=True)
try:
    method("gambit-enummixed").run(build(game("liars-dice", sides=2)), Request(60.0, {}, progress))
except KeyboardInterrupt:
    print("INTERRUPTED", flush=True)
    sys.exit(7)
"""


def running_script():
    """A process in which Gambit computes, and the worker's process id."""
    # A shell's background jobs ignore SIGINT, and what they start does too unless it is told not to.
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    for line in process.stdout:
        if "2 s of" in line:
            break
    (pid,) = children_of(process.pid)
    assert pid in workers()
    return process, pid


@NEEDS_PS
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_the_child_and_is_raised_again():
    process, pid = running_script()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=10)
    assert process.returncode == 7
    assert "INTERRUPTED" in rest
    assert pid not in workers()


@NEEDS_PS
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the time limit ends it")
def test_the_child_dies_with_its_parent():
    process, pid = running_script()
    process.kill()
    process.communicate(timeout=10)
    deadline = time.monotonic() + 5
    while pid in workers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert pid not in workers()


def test_a_crash_is_survived_and_told():
    # pygambit 17.0.0b2 follows a null pointer where nobody plays.
    answer = child.run([b'EFG 2 R "nobody" { }\n""\nt "" 0\n'], "logit_solve", {}, 30.0)
    assert (answer.rows, answer.ended) == ([], "failed")
    assert answer.message == "Gambit crashed (SIGSEGV)"


def test_what_gambit_cannot_read_is_told():
    answer = child.run([b"EFG 2 X"], "lp_solve", {}, 30.0)
    assert answer.ended == "failed"
    assert answer.message.startswith("Parse error")


@NEEDS_PS
def test_an_exception_in_the_progress_line_ends_the_child():
    seen = []

    def refuse(line):
        seen.extend(children_of(os.getpid()))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        SOLVERS["gambit-lp"].run(BIDS, Request(30.0, {}, refuse))
    assert seen, "while it ran, the child was not found"
    assert not children_of(os.getpid())


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("gambit-lp", {"rationl": "true"}, "gambit-lp has no option 'rationl'; did you mean 'rational'?"),
        ("gambit-enumpure", {"rational": "true"}, "gambit-enumpure has no option 'rational'; it has none"),
        ("gambit-lp", {"rational": "maybe"}, "gambit-lp: rational=maybe: must be true or false"),
        ("gambit-lcp", {"stop_after": "2"}, "gambit-lcp: stop_after works only with use_strategic=true"),
        ("gambit-lcp", {"stop_after": "0", "use_strategic": "true"}, "must be a whole number from 1"),
        ("gambit-enumpoly", {"max_rectangles": "1.5"}, "must be a whole number from 1"),
        ("gambit-enumpoly", {"stop_after": "9" * 30}, "must be a whole number from 1"),
        ("gambit-enumpoly", {"phcpack_path": sys.executable}, "phcpack_path works only with use_strategic=true"),
        ("gambit-enummixed", {"lrsnash_path": "/no/such"}, "lrsnash_path=/no/such: must be the path of a program"),
        ("gambit-enummixed", {"lrsnash_path": sys.executable, "cliques": "true"}, "cannot be used together"),
        ("gambit-logit", {"maxregret": "0"}, "must be a number above zero"),
        ("gambit-logit", {"maxregret": "nan"}, "must be a number above zero"),
        ("gambit-logit", {"max_accel": "0.5"}, "must be a number from 1 on"),
        ("gambit-gnm", {"end_lambda": "1"}, "must be a number below zero"),
        ("gambit-gnm", {"perturbation": "uniform"}, "must favour one strategy of each player"),
        ("gambit-simpdiv", {"maxregret": "1/0"}, "must be a number above zero"),
        ("gambit-simpdiv", {"refine": "1"}, "must be a whole number from 2"),
        ("gambit-liap", {"start": "unifrm"}, "gambit-liap: start=unifrm: did you mean 'uniform'? or name a FILE.json"),
        ("gambit-liap", {"start": "random:x"}, "must be random:SEED"),
        ("gambit-hp", {"prior": "missing.json"}, "cannot read missing.json: No such file or directory"),
    ],
)
def test_wrong_options_are_refused_before_anything_starts(monkeypatch, name, options, said):
    monkeypatch.setattr(gambit_solvers, "child", None)
    with pytest.raises(ParameterError) as caught:
        solve(name, POKER, **options)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("tree", "lacking"),
    [
        (THREE, {"gambit-lp", "gambit-lcp", "gambit-enummixed"}),
        (TREES["dilemma"], {"gambit-lp"}),
        (parse_efg(FORGETFUL), set(SOLVERS) - {"gambit-enumpure-agent"}),
        (
            parse_efg('EFG 2 R "alone" { "A" }\np "" 1 1 "a" { "l" "r" } 0\nt "" 1 "o" { 2 }\nt "" 2 "z" { 0 }\n'),
            {"gambit-lp", "gambit-lcp", "gambit-enummixed", "gambit-ipa", "gambit-gnm"},
        ),
    ],
)
def test_where_a_method_does_not_apply_it_says_so_first(tree, lacking):
    assert {name for name, solver in SOLVERS.items() if solver.inapplicable(Facts(tree))} == lacking


@pytest.mark.usefixtures("in_process")
def test_a_start_is_read_from_a_solution(tmp_path):
    profile = brute.random_profile(POKER, 3, zeros=False)
    entries = [
        {
            "player": POKER.infosets[k].player + 1,
            "infoset": POKER.infosets[k].number,
            "label": POKER.infosets[k].label,
            "probabilities": dict(zip(POKER.infosets[k].actions, map(str, profile.probabilities[k]), strict=True)),
        }
        for k in reversed(POKER.personal)
    ]
    path = tmp_path / "start.json"
    path.write_text(json.dumps({"profile": entries}))
    assert read_profile(path.read_text(), POKER).probabilities == profile.probabilities
    for name, key in (("gambit-liap-agent", "start"), ("gambit-hp", "prior"), ("gambit-ipa", "perturbation")):
        found = solve(name, POKER, **{key: str(path)})
        assert found.profiles, (name, found.message)
        assert brute.regret(found.profiles[0]) <= FLOAT_REGRET
    for broken, said in (
        ({}, "no list 'profile'"),
        ({"profile": entries[1:]}, "nothing for the information set"),
        ({"profile": [*entries, entries[0] | {"player": 3}]}, "no information set . of player 3"),
        ({"profile": [entries[0] | {"probabilities": {"no": 1}}, *entries[1:]]}, "exactly the actions"),
    ):
        path.write_text(json.dumps(broken))
        with pytest.raises(ParameterError, match=said):
            solve("gambit-liap-agent", POKER, start=str(path))


def test_information_sets_are_matched_by_gambits_order():
    tree = TREES["scrambled"]
    gambit_order = adapter.rows(adapter.read(to_efg(tree)).mixed_behavior_profile(rational=True))
    widths = [[len(tree.infosets[k].actions) for k in sets] for sets in order(tree)]
    assert widths == [[len(row) for row in player] for player in gambit_order] == [[3, 2, 4], [2]]
    assert to_profile(tree, gambit_order).probabilities == uniform(tree).probabilities
    profile = brute.random_profile(tree, 1)
    assert to_profile(tree, from_profile(profile, exact=True)).probabilities == profile.probabilities


UNIFORM, SCALED = "taken as uniform", "scaled to sum to 1"
REPAIRS = [
    (["0", "0", "0", "0"], [0.25] * 4, UNIFORM),
    ([0.0, 1e-17, 0.0, 0.0], [0.25] * 4, UNIFORM),
    ([float("nan"), 0.0, 1.0, 0.0], [0.25] * 4, UNIFORM),
    ([float("inf"), 0.0, 1.0, 0.0], [0.25] * 4, UNIFORM),
    (["3/2", "-1", "0", "0"], [0.25] * 4, UNIFORM),
    ([1.5, -1.0, 0.0, 0.0], [0.25] * 4, UNIFORM),
    (["1/2", "1/4", "1/4", "1/2"], [1 / 3, 1 / 6, 1 / 6, 1 / 3], SCALED),
    (["0", "0", "3/8", "1/8"], [0, 0, 0.75, 0.25], SCALED),
    ([0.5, 0.75, 0.0, -1e-9], [0.4, 0.6, 0, 0], SCALED),
]
"""What a row of Gambit's that is no distribution becomes, and what is said of it."""


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(("depth", "seeds"), [(4, range(100)), (5, (42, 99, 118, 144, 147, 163))])
def test_gambits_exact_answers_with_weight_missing_are_equilibria_once_scaled(depth, seeds):
    # pygambit 17.0.0b2 leaves part of a set's weight away where the other player never gets to. Uniform instead of in
    # proportion, that cost up to 2 in these games.
    scaled = 0
    for seed in seeds:
        tree = random_tree(seed, depth)
        found = solve("gambit-lp", tree)
        (profile,) = found.profiles
        assert profile.exact
        assert verify(profile).regret == 0, (seed, found.message)
        scaled += SCALED in found.message
    assert scaled > len(seeds) / 10


def test_rows_that_lost_all_that_gambit_gave_are_told_first():
    tree = TREES["scrambled"]
    rows = [[["1/2", "0", "0"], ["1", "0"], ["0", "0", "0", "0"]], [["1", "0"]]]
    assert [said.rpartition(": ")[2] for said in faults(tree, rows)] == [UNIFORM, SCALED]


def test_what_own_play_does_not_reach_is_repaired_in_silence_all_else_with_a_word():
    tree = TREES["scrambled"]
    found = to_profile(tree, [[["1", "0", "0"], ["4", "-3"], ["0", "1", "0", "0"]], [["1", "0"]]])
    labels = {infoset.label: row for infoset, row in zip(tree.infosets, found.probabilities, strict=True)}
    assert labels["deeper"] == (Fraction(1, 2), Fraction(1, 2))
    assert labels["early"] == (0, 1, 0, 0)  # not reached either, but by the other's doing
    found = to_profile(tree, [[[1.0, 0.0, -1e-17], [float("nan"), 0.0], [0.0, 1.0, 0.0, 0.0]], [[1.0, 0.0]]])
    labels = {infoset.label: row for infoset, row in zip(tree.infosets, found.probabilities, strict=True)}
    assert labels["deeper"] == (0.5, 0.5)
    assert labels["late"] == (1.0, 0.0, 0.0)
    for row, found, word in REPAIRS:
        rows = [[["1", "0", "0"], ["1", "0"], row], [["1", "0"]]]
        (said,) = faults(tree, rows)
        assert said.startswith("at 'early', which is played to, Gambit gives no distribution but ")
        assert said.endswith(f": {word}")
        assert not faults(tree, [[["1", "0", "0"], row[:2], ["0", "1", "0", "0"]], [["1", "0"]]])
        repaired = to_profile(tree, rows).probabilities
        assert sum(list(map(float, probabilities)) == found for probabilities in repaired) == 1
        assert all(isinstance(p, Fraction) for r in repaired for p in r) == isinstance(row[0], str)
    with pytest.raises(ProfileError, match="not those of the tree"):
        to_profile(tree, [[["1", "0", "0"]], [["1", "0"]]])


def test_own_reach_is_what_own_moves_allow():
    profile = brute.random_profile(BIDS, 4)
    reach = own_reach(BIDS, dict(enumerate(profile.probabilities)))
    for k in BIDS.personal:
        expected = False
        for node in np.flatnonzero(BIDS.infoset == k):
            allowed, at = True, int(node)
            while at:
                above = int(BIDS.parent[at])
                if BIDS.player[above] == BIDS.infosets[k].player:
                    allowed &= profile.probabilities[BIDS.infoset[above]][BIDS.action[at]] > 0
                at = above
            expected |= bool(allowed)
        assert reach[k] == expected


@pytest.mark.usefixtures("in_process")
def test_profiles_come_once_and_broken_ones_are_told(monkeypatch):
    good = from_profile(uniform(POKER), exact=True)
    broken = [[["1", "1"] for _ in player] for player in good]
    answer = child.Answer([good, good, broken], "done", "", True)
    monkeypatch.setattr(gambit_solvers, "child", SimpleNamespace(run=lambda *_: answer))
    found = solve("gambit-lp", POKER)
    assert [type(p) for p in found.profiles] == [Profile]  # broken, repaired, is uniform too
    assert "gives no distribution but 1, 1: scaled to sum to 1 (and 3 more of that kind)" in found.message


def test_layout_and_node_count_follow_the_nodes():
    text = to_efg(BIDS)
    places = adapter.layout(text)
    assert len(places) == len(BIDS)
    assert [level for level, _, _ in places] == BIDS.depth.tolist()
