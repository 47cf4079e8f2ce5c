"""Words that name no player, no setting, no game or no file: one line of error for each, and nothing is left behind."""

import shlex

import pytest

STRATEGY = {
    # players and their settings
    "unifrm": "there is no player 'unifrm', and no such file; did you mean 'uniform'?",
    "none.json": "cannot read none.json: No such file or directory",
    "uniform:x=1": "uniform has no parameter 'x'",
    "best-response": "best-response: to whom? best-response:uniform",
    "best-response:unifrom": "there is no player 'unifrom', and no such file; did you mean 'uniform'?",
    "best-response:uniform:x=1": "uniform has no parameter 'x'",
    "best-response:person": "person is asked for one move at a time",
    "person": "nobody answers at all information sets at once, which this takes",
    "program": "program: which one? program:COMMAND",
    "program:cat": "program 'cat' answered 'new protocol",
    "'program:no-such-program at all'": "program 'no-such-program at all' cannot be started: No such file",
    '"program:python3 \'x"': "program: command=python3 'x: No closing quotation",
    "program:timeout=0:command=cat": "program: timeout=0: must be a number of seconds above zero",
    "program:timeout=1e99:command=cat": "program: timeout=1e99: must be a number of seconds above zero",
    "program:timeout=1:cat": "program: 'cat' sets nothing; KEY=VALUE",
    "program:last_bid_only=maybe:command=cat": "program: last_bid_only=maybe: must be true or false",
    "neural": "needs a file, which 'efg-builder train GAME -o FILE' makes",
    "neural:file=": "needs a file, which 'efg-builder train GAME -o FILE' makes",
    "neural:none.npz": "none.npz",
    "threshold:threshold": "threshold: 'threshold' sets nothing",
    "threshold:threshold=2": "threshold: threshold=2: must be a probability",
    "threshold:threshold=-1/9": "must be a probability",
    "threshold:threshold=often": "threshold=often: not a number",
    "threshold:opponent=unifrom": "no player 'unifrom'; did you mean 'uniform'",
    "threshold:opponent=uniform,x=1": "uniform has no parameter 'x'",
    "zero-intelligence:call_probability=1/3:call_z=0.3": "call_probability and call_z both set the level",
    "zero-intelligence:call_probability=2": "call_probability=2: must be none, or a number from 0 to 1",
    "zero-intelligence:call_probability=1/0": "call_probability=1/0: must be none, or a number",
    "zero-intelligence:call_z=inf": "call_z=inf: must be none, or a number of standard deviations",
    "zero-intelligence:spread=-1": "spread=-1: must be 0 or more",
    "zero-intelligence:spread=wide": "spread=wide: must be 0 or more",
    "zero-intelligence:tail=exakt": "tail=exakt: did you mean 'exact'",
    "zero-intelligence:ties=first": "ties=first",
    "zero-intelligence:level=robus": "level=robus: did you mean 'robust'",
    "zero-intelligence:lambda=1": "no parameter 'lambda'",
    # ways to measure
    "uniform --measure sparse": "a strategy is not rational, or not written down",
    "uniform --measure tre": "there is no method 'tre' to measure; did you mean 'tree'?",
    "uniform --against person": "nobody answers at all information sets at once",
    "uniform -o /nowhere/x.json": "there is no folder /nowhere",
}
"""What is wrong about ``evaluate liars-dice --strategy ...``."""

COMMANDS = [
    # 2 classes of 2**23 histories, 21 hands, in 32 bits after 64 bits were too many: bytes by hand.
    (
        "evaluate liars-dice sides=6 dice=2,2 --strategy uniform --max-memory 1",
        f"need {2 * 2**23 * 21 * 4 / 2**30:.3g} GiB of memory, over the limit of 1 GiB",
    ),
    ("evaluate liars-dice sides=6 dice=5,5 --strategy zero-intelligence", "; 'efg-builder arena' estimates payoffs"),
    ("evaluate liars-dice sides=6 dice=1,1,1 --strategy uniform", "over the budget of 5,000,000 (--max-nodes)"),
    ("evaluate liars-dice sides=6 dice=2,1 --strategy uniform --measure tree", "--measure dense measures without it"),
    ("evaluate dice-poker", "name what to measure: --strategy FILE, or a player's name: always-call, best-response"),
    ("evaluate mia --strategy uniform --measure dense", "arrays are for two-player games of bidding"),
    ("evaluate mia --strategy uniform --measure sparse", "only dealt games are measured without a tree"),
    ("evaluate mia --strategy person", "person plays dealt games only, such as liars-dice"),
    ("evaluate mia --strategy program:cat", "program plays dealt games only"),
    ("evaluate mia --strategy threshold", "threshold plays Liar's Dice only"),
    ("evaluate dice-poker --strategy always-call", "always-call plays games of bidding only"),
    ("evaluate dice-poker --strategy zero-intelligence", "zero-intelligence plays Liar's Dice only"),
    ("evaluate dice-poker --strategy neural:net.npz", "neural plays Liar's Dice for two only"),
    ("evaluate dice-poker --strategy program:last_bid_only=true:command=cat", "plays games of bidding only"),
    ("draw liars-dice --strategy person -o person.svg", "nobody answers at all information sets at once"),
    ("play liars-dice --strategy person", "nobody answers at all information sets at once"),
    ("play liars-dice --seat 3", "--seat 3: this game has seats 1 to 2"),
    ("play liars-dice --refine --strategy uniform", "give one of the three"),
    ("play liars-dice -o page.txt", "page.txt: name a file that ends in .html"),
    ("play liars-dice -o page.html --rounds 3", "are for playing here, not for a page"),
    ("play liars-dice --solution missing.json", "missing.json"),
    ("play liars-dice sides=6 dice=2,1 --strategy uniform", "too many to say what moves are worth"),
    (
        "play mia --players person,uniform",
        "here a person plays dealt games only, such as liars-dice",
    ),
    ("play liars-dice --players uniform,uniform,uniform", "3 players for the 2 seats"),
    ("play liars-dice --players unifrom", "there is no player 'unifrom'"),
    ("play liars-dice --players 2", "'2' is no player: --players takes names, as in person,uniform; --seat N is"),
    ("play liars-dice --players program:cat", "program 'cat' "),
    ("play --match", "--match plays liars-dice, but nothing was given"),
    ("play dice-poker --match", "--match plays liars-dice, but 'dice-poker' was given"),
    ("play liars-dice loss=2 --match", "loss=2: "),
    ("play liars-dice dice=1,1,1 --match", "matches of two players are solved"),
    ("play liars-dice --match match.json", "names the match: it takes no game, but 'liars-dice' was given"),
    ("play --match match.json", "cannot read match.json"),
    ("play liars-dice --match --strategy uniform", "--match is played against its equilibrium"),
    ("play liars-dice --match --refine", "--match is played against its equilibrium"),
    ("play liars-dice --match --seat 3", "--seat 3: a match has seats 1 to 2"),
    ("match", "match plays liars-dice, but nothing was given"),
    ("match liars-dice next=me", "next=me: "),
    ("match liars-dice order=bluff", "order=bluff: needs a wild face"),
    ("match liars-dice max_quantity=1", "has no parameter 'max_quantity'"),
    ("match liars-dice dice=2", "dice=2: must be 2 to 10 whole numbers"),
    ("match liars-dice -o x.tex", "name a file that ends in"),
    ("match liars-dice --resume nothing.json", "cannot read nothing.json"),
    ("train liars-dice", "nothing would be kept"),
    ("train liars-dice -o net.npz -o net.json", "net.json: name a file that ends in .npz, .onnx"),
    ("train --net net.npz", "--net FILE.npz is for -o FILE.onnx"),
    ("train --net none.npz -o net.onnx", "cannot read none.npz"),
    ("train g.efg -o net.npz", "g.efg is a file; a net learns from rules"),
    ("train liars-dice --kind vale -o net.npz", "no kind of net 'vale'; did you mean 'value'?"),
    ("train dice-poker -o net.npz", "plays Liar's Dice for two only"),
]

LATE = [
    ("play dice-poker sides=150 --players equilibrium --timeout 0.001", "and found nothing to play within 0.001 s"),
    (
        "play liars-dice sides=6 dice=3,3 --match --timeout 1/10",
        "the match was not solved within 0.1 s (--timeout); 'efg-builder match liars-dice dice=3,3 -o match.json.gz'",
    ),
]
"""What takes more time than it is given: exit code 4."""

TABLE = [
    *((2, f"evaluate liars-dice --strategy {words}", problem) for words, problem in STRATEGY.items()),
    *((2, *row) for row in COMMANDS),
    *((4, *row) for row in LATE),
]


@pytest.mark.parametrize(("code", "words", "problem"), TABLE, ids=[words for _, words, _ in TABLE])
def test_wrong_words_are_one_line_of_error(cli, tmp_path, monkeypatch, code, words, problem):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", None)
    found, out, err = cli(*shlex.split(words))
    assert (found, out) == (code, "")
    assert err.splitlines()[-1].startswith("error: ")
    assert problem in err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []
