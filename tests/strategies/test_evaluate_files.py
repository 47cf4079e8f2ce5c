"""Strategy files: reading them, and messages on wrong files."""

import copy
import json
import pickle
import re
import zipfile
from fractions import Fraction

import numpy as np
import pytest

import efg_builder as eb
from efg_builder.base.errors import misspelled
from efg_builder.interop.gambit.mapping import read_strategy
from efg_builder.strategies.dense_profile import DenseProfile, read_dense, write_dense

GAME = eb.game("liars-dice", sides=3)
HEAD = "player,infoset,action,probability\n"
ENTRY = {"player": 1, "infoset": 1, "label": "1: start", "probabilities": {"1x1": "1"}}


def evaluate(path, game=GAME, **settings):
    return eb.evaluate(game, path, **settings)


CSV = [
    ("1,2: start,1x1\n", ":2: 3 fields; there must be 4"),
    ("0,2: start,1x1,1\n", ":2: player '0': must be a player's number, from 1"),
    ("Player1,2: start,1x1,1\n", ":2: player 'Player1': .*, or the name .*'Player 1'"),
    (
        "1,2: start,1x1,1/2\n1,2: strat,1x2,1/2\n",
        ":3: .*no information set '2: strat': no history begins with 'strat'; did you mean 'start'",
    ),
    ("3,2: 1x1,call,1\n", ":2: .*there is no player 3; there are 2"),
    ("1,2: start,1x1,half\n", ":2: probability 'half': not a number"),
    ("1,2: start,1x1,1/0\n", ":2: probability '1/0': a denominator of zero"),
    ("1,2: start,1x1,-1\n", ":2: probability '-1': the probability is negative"),
    ("1,2: start,1x1,1/2\n1,2: start,1x1,1/2\n", ":3: '1x1' at '2: start' appears twice"),
    ("1,2: start,1x1,1/2\n1,2: start,1x2,1/3\n", ":3: '2: start' of player 1: .* sum to 5/6, not 1"),
    ("1,2: start,1x1,0.94\n1,2: start,1x2,5%\n", ":3: .* sum to 99/100, not 1; .*, e.g. write 94/99 for 0.94$"),
    ("1,2: start,1x1,0.94\n1,2: start,1x2,0.03\n", ":3: .* sum to 97/100, not 1$"),
    ("1,2: start,1x1,0.99\n1,2: start,1x2,0\n", ":3: .* sum to 99/100, not 1; .*, e.g. write 1 for 0.99$"),
    ("1,2: start,1x1,0\n1,2: start,1x2,99%\n", ":3: .* sum to 99/100, not 1; .*, e.g. write 1 for 99%$"),
    ("1,2: start,1x1,67%\n1,2: start,1x2,1/3\n", ":3: .* sum to 301/300, not 1$"),
    ("1,2: start,1x1,1/2\n1,2: start,1x2,0.51\n", ":3: .* sum to 101/100, not 1$"),
    ("1,2: start,1x1,1\n1,2: start,1x2,0.01\n", ":3: .* sum to 101/100, not 1$"),
    ("1,2: start,1x1,1/3%\n", ":2: probability '1/3%': a fraction has no percent sign: '1/3%'; write a probability as"),
    ("1,2: start,1x1,0\n1,2: start,1x2,120%\n", ":3: .*: the probability of '1x2' is above 1 \\(6/5\\)$"),
    ("1,2: start,1x1,33\n1,2: start,1x2,67\n", ":3: .* sum to 100, not 1; write 33% or 0.33 for 33$"),
    ("1,2: start,1x1,50\n1,2: start,1x2,52\n", ":2: .*: the probability of '1x1' is above 1 \\(50\\)$"),
    ("1,2: start,1x1,0,25\n", ":2: the field '25' is in no column; write 0.25 for 0,25, and put text with commas in"),
    ("1,2: start,1x1,%\n", ":2: probability '%': not a number: ''; write a probability as 1/3, 0.25 or 25%$"),
    ("1,2: start,1x1,1/2\n1,2: start,9x9,1/2\n", ":3: .*'9x9' is not a move at '2: start'"),
    ("1,2: 1x1 call,1x1,1\n", r":2: .*no information set '2: 1x1 call'"),
    ("2,2: start,1x1,1\n", ":2: .*no information set '2: start' of player 2"),
    ('1,"2: start,1x1,1\n', ":2: not CSV"),
]
JSON = [
    (
        '{"2: start": {"1x1": "1/2"},\n"2: strat": {"1x2": "1/2"}}',
        ":2: .*no information set '2: strat': no history begins with 'strat'; did you mean 'start'",
    ),
    ('{"2: start":\n {"1x1": 1,}}', r":2:1\d: not JSON"),
    ("[1]", "not an object such as"),
    ('{"2: start": 1}', r":1: \['2: start'\]: not an object {action: probability}"),
    ('{"2: start": "1x1"}', r"not an object {action: probability}, such as {'1x1': 1}"),
    ('{\n"2: start": {"1x1": 0.5, "1x2": 0.4}}', ":2: .* sum to 9/10, not 1$"),
    ('{\n"2: start": {"1x1": 2, "1x2": -1}}', r":2: \['2: start'\]\['1x2'\]: the probability is negative"),
    ('{"2: start": {"1x1": "1/3", "1x2": "6666667/10000000"}}', "sum to 30000001/30000000, not 1$"),
    ('{"2: start": {"1x1": 66, "1x2": 33}}', "sum to 99, not 1; write 66% or 0.66 for 66$"),
    ('{"2: start": {"1x1": "1/3%"}}', "a fraction has no percent sign"),
    ('{"2: start": {"1x1": true}}', "not a number: True"),
    ('{"2: start": {"1x1": NaN}}', "not a finite number"),
    ('{"2: start": {"1x1": 1, "1x1": 1}}', "the action '1x1' appears twice"),
    ('{"2: start": {},\n"2: start": {}}', "the information set '2: start' appears twice"),
    ('{"2: start": {"call": 1}}', "'call' is not a move at '2: start'"),
    ('{"2:start": {"1x1": 1}}', "no information set '2:start'"),
    ('{"strategies": {}}', "strategies: not a list"),
    ('{"strategies": [{}, {"2: start": {"1x1": 1}}]}', r":1: strategies\[1\]\['2: start'\]: .*player 2"),
    ('{"profile": null, "status": "timeout"}', r"it has no profile \(status timeout\)"),
    ('{"profile": [3]}', r"profile\[0\]: not an object"),
    (f'{{"profile": [{json.dumps(ENTRY | {"label": ""})}]}}', r"profile\[0\]: it has no 'label'"),
    (f'{{"profile": [{json.dumps(ENTRY)}, {json.dumps(ENTRY)}]}}', r"profile\[1\]: .* appears twice"),
    ('{"game": {"name": "liars-dice", "settings": {"sides": "2"}}, "strategies": [{}, {}]}', "is for .* not for"),
]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("s.csv", "", ":1: the columns must be player,infoset,action,probability, not"),
        ("s.csv", "player,set,action,probability\n", ":1: the columns must be"),
        (
            "s.csv",
            HEAD.replace(",", ";") + "1;2: start;1x1;0,25\n",
            ":1: .*; separate them by commas, and write 0.25 for",
        ),
        ("s.txt", HEAD, ":1:1: not JSON: .*; the name of a strategy file must end in .csv or .json$"),
        *(("s.csv", HEAD + text, problem) for text, problem in CSV),
        *(("s.json", text, problem) for text, problem in JSON),
    ],
)
def test_what_is_wrong_is_said_by_place(tmp_path, name, text, problem):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(eb.ProfileError, match=problem) as caught:
        evaluate(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("complete", "value"),
    # Player 1 always bets with the jack. By default, players check and fold elsewhere: the jack wins the ante if
    # Player 2 folds to all bets, and otherwise the better hand wins 1: (2 * 1 + 2 * (1 - 1) + 2 * 1) / 6 = 2/3.
    [(None, Fraction(2, 3)), ("default", Fraction(2, 3)), ("uniform", Fraction(1, 4))],
)
def test_the_tree_of_a_game_is_completed_as_the_game(complete, value):
    for game in ("kuhn", eb.build("kuhn")):
        found = eb.evaluate(game, {"J: start": {"bet": 1}}, complete=complete)
        assert found.matches[0].value[0] == value
        assert found.strategies[0].completion == (complete or "default")
        assert str(found).count("default move   ") == (complete != "uniform")


def test_a_spreadsheet_and_a_missing_file(tmp_path):
    (tmp_path / "s.xlsx").write_bytes(b"PK\3\4\xff\xfe")
    with pytest.raises(
        eb.FileError, match=r"not UTF-8 text .*; the name of a strategy file must end in .csv or .json$"
    ):
        evaluate(tmp_path / "s.xlsx")
    with pytest.raises(eb.EfgBuilderError) as missing:
        read_strategy(tmp_path / "missing.txt", GAME)
    assert "must end in" not in str(missing.value)


def test_empty_fields_after_the_last_column_are_ignored(tmp_path):
    (tmp_path / "s.csv").write_text(f"{HEAD}1,2: start,1x1,1,,\n")
    assert read_strategy(tmp_path / "s.csv", GAME).written.sets == (1, 0)


# Kuhn poker's hands are J, Q, K in the terminal, and 1, 2, 3 in files. Player 1 moves at `start` and at `check bet`.
@pytest.mark.parametrize(
    ("label", "on_file", "by_rules"),
    [
        ("J: start", "; choose from: 1: check bet, 1: start, 2: check bet, ", None),
        ("1:start", "; did you mean '1: start'?", "; did you mean '1: start'?"),
        ("J:start", "; choose from: ", "; did you mean 'J: start'?"),
        ("j: start", "; choose from: ", "no hand 'j'; did you mean 'J'?"),
        ("A: start", "; choose from: ", "no hand 'A'; choose from: J, Q, K"),
        ("4: start", "; choose from: ", "no hand '4'; choose from: J, Q, K"),
        ("1: strat", "; did you mean '1: start'?", "; did you mean 'start'?"),
        ("1: bet bet", "; choose from: ", "; choose from: "),
    ],
)
def test_no_message_suggests_another_hand_or_history(label, on_file, by_rules, tmp_path):
    eb.build("kuhn").write(tmp_path / "kuhn.efg")
    (tmp_path / "s.csv").write_text(f"{HEAD}1,{label},bet,1\n")
    for game, wanted in ((tmp_path / "kuhn.efg", on_file), ("kuhn", by_rules)):
        if wanted is None:
            evaluate(tmp_path / "s.csv", game)
            continue
        with pytest.raises(eb.ProfileError) as caught:
            evaluate(tmp_path / "s.csv", game)
        assert wanted in str(caught.value)


def test_misspelled_suggests_no_other_number_or_short_word():
    for said, names, wanted in (
        ("J: start", ["3: start"], None),
        ("1x2", ["1x3"], None),
        ("-1", ["1"], None),
        ("Q: check", ["J: check"], None),
        ("fold", ["call"], None),
        ("J: check bet", ["J: bet"], None),
        ("Alice 1", ["Alice 2"], None),
        ("rise", ["raise", "fold"], "raise"),
        ("player1", ["Player 1", "Player 2"], "Player 1"),
        ("LEFT", ["left", "right"], "left"),
    ):
        assert misspelled(said, names) == (f"did you mean {wanted!r}?" if wanted else f"choose from: {names[0]}")


@pytest.mark.parametrize(
    "strategy", [eb.solve("kuhn").strategy, eb.solve("mia").strategy, eb.SparseProfile(GAME, ({}, {}))]
)
def test_in_agrees_with_brackets_and_actions_are_named(strategy):
    known = "J: start" if strategy.title.startswith("Kuhn") else next(iter(strategy.entries()), None)
    known = known if isinstance(known, str) else "1: start" if known is None else known.infoset
    assert known in strategy
    assert f"{known}x" not in strategy
    assert 1 not in strategy
    row = strategy[known]
    assert copy.deepcopy(row) == pickle.loads(pickle.dumps(row)) == dict(row)
    with pytest.raises(
        eb.ParameterError, match=re.escape(f"'9y9' is not a move at '{known}'; choose from: {next(iter(row))}")
    ):
        row["9y9"]


FORMS = {
    "plain.json": '{"2: start": {"1x1": "1/3", "1x3": "2/3"}, "1: 1x1": {"call": 1, "2x1": 0}}',
    "parts.json": '{"strategies": [{"2: start": {"1x1": "1/3", "1x3": "2/3"}}, {"1: 1x1": {"call": "1"}}]}',
    "bom.json": '\ufeff{"2: start": {"1x1": "1/3", "1x3": "2/3"}, "1: 1x1": {"call": 1}}',
    "s.csv": HEAD + "1,2: start,1x1,1/3\n2,1: 1x1,call,1\n1,2: start,1x3,2/3\n",
    "percent.csv": HEAD + "1,2: start,1x1,1/3\n2,1: 1x1,call,100 %\n1,2: start,1x3,2/3\n2,1: 1x1,2x1,0%\n",
    "named.csv": HEAD + "Player 1,2: start,1x1,1/3\nPlayer 2,1: 1x1,call,1\n1,2: start,1x3,2/3\n",
    "quoted.csv": "\ufeffPlayer, Infoset ,action,probability\r\n"
    '1,"2: start",1x1,1/3\r\n\r\n1,"2: start","1x3", 2/3\r\n2,1: 1x1,call,1.0\r\n',
}


@pytest.mark.parametrize("name", sorted(FORMS))
@pytest.mark.parametrize("method", ["tree", "sparse", "dense"])
def test_all_forms_say_the_same(tmp_path, name, method):
    paths = [tmp_path / name, tmp_path / "reference.json"]
    for path, key in zip(paths, (name, "plain.json"), strict=True):
        path.write_text(FORMS[key], encoding="utf-8", newline="")
    found, right = evaluate(paths[0], method=method), evaluate(paths[1], method="tree")
    assert found.exact == (method != "dense")
    assert [float(v) for v in found.matches[0].best_response] == pytest.approx(
        [float(v) for v in right.matches[0].best_response], abs=1e-13
    )
    assert [seat.written for seat in found.strategies[0].seats] == [1, 1]


# Hands in Kuhn poker are dependent, and Player 2's information sets have numbers in the order of the deals.
WRITTEN = [GAME, eb.game("mia"), eb.game("liars-dice", sides=4), eb.game("kuhn")]


@pytest.mark.parametrize("game", WRITTEN, ids=lambda game: game.title)
def test_what_solve_writes_is_read(tmp_path, game):
    solution = eb.solve(game)
    solution.write(tmp_path / "s.json")
    found = evaluate(tmp_path / "s.json", game)
    assert found.exact
    assert found.matches[0].value == solution.value
    assert found.matches[0].nash_conv == 0


def test_a_tree_from_a_file_alone(tmp_path):
    tree = eb.build(eb.game("mia"))
    tree.write(tmp_path / "g.efg")
    eb.solve(tree).write(tmp_path / "s.json")
    foreign = eb.read_efg(tmp_path / "g.efg")
    assert evaluate(tmp_path / "s.json", foreign).matches[0].nash_conv == 0
    (tmp_path / "part.json").write_text("{}")
    part = evaluate(tmp_path / "part.json", foreign)
    assert part.strategies[0].completion == "uniform"
    assert part.matches == tuple(
        match.__class__((str(tmp_path / "part.json"),) * 2, match.value, match.best_response)
        for match in evaluate("uniform", foreign).matches
    )
    with pytest.raises(eb.ParameterError, match="only dealt games"):
        evaluate(tmp_path / "part.json", foreign, complete="default")


def arrays(player=0, kind=np.float64):
    """Return arrays with the lowest legal bid everywhere; None for the other player."""
    found = [None, None]
    found[player] = np.zeros((32, 3), dtype=kind)
    if player == 0:
        found[0][0] = 1
    return found


def test_arrays_to_a_file_and_back(tmp_path):
    rng = np.random.default_rng(1)
    both = [rng.random((32, 3)) / 8 for _ in range(2)]
    both[0][1:][(np.arange(1, 32) & np.arange(0, 31)) == 0] /= 2
    both[0][[1 << k for k in range(5)]] = 0  # the root's bids except the lowest
    both[0][0], both[1][0] = 1, 0
    for kind in (np.float32, np.float64):
        strategy = DenseProfile(GAME, tuple(array.astype(kind) for array in both))
        write_dense(tmp_path / "s.npz", strategy)
        again = read_dense(tmp_path / "s.npz", GAME)
        with np.load(tmp_path / "s.npz") as plain:
            for player in range(2):
                assert again.arrays[player].dtype == plain[f"player{player + 1}"].dtype == kind
                assert np.array_equal(again.arrays[player], strategy.arrays[player])
                assert np.array_equal(plain[f"player{player + 1}"], strategy.arrays[player])
            packed = dict(plain)
        assert isinstance(again.arrays[0], np.memmap)
        np.savez_compressed(tmp_path / "packed.npz", **packed)
        assert np.array_equal(read_dense(tmp_path / "packed.npz", GAME).arrays[1], strategy.arrays[1])
    first = (tmp_path / "s.npz").read_bytes()
    write_dense(tmp_path / "s.npz", strategy)
    assert (tmp_path / "s.npz").read_bytes() == first


@pytest.mark.parametrize(
    ("player", "at", "value", "problem"),
    [
        (0, (5, 1), -0.25, r"player1, '2: 1x1 1x2': the probability of '2x1' is -0.25"),
        (0, (5, 1), np.nan, "is nan"),
        (0, (0, 2), 0.5, r"player1, '3: start': the bids' probabilities must sum to 1, not 0.5"),
        (
            1,
            (3, 0),
            1.5,
            r"player2, '1: 1x2': the bids' probabilities must sum to at most 1 \(the rest is the call\), not 1.5",
        ),
        (1, (0, 0), 1.0, "player2: row 0 belongs to the empty history"),
    ],
)
def test_arrays_that_are_no_strategy(player, at, value, problem):
    found = arrays(player)
    found[player][at] = value
    with pytest.raises(eb.ProfileError, match=problem):
        DenseProfile(GAME, tuple(found))


def test_arrays_of_the_wrong_shape_or_kind():
    with pytest.raises(eb.ProfileError, match=r"shape \(4, 3\); the shape must be \(32, 3\)"):
        DenseProfile(GAME, (np.zeros((4, 3)), None))
    with pytest.raises(eb.ProfileError, match="int64; the type must be float32, float64 or bool"):
        DenseProfile(GAME, (np.zeros((32, 3), dtype=np.int64), None))


def test_array_files_that_are_wrong(tmp_path):
    path = tmp_path / "s.npz"
    write_dense(path, DenseProfile(GAME, tuple(arrays())))
    with pytest.raises(eb.ProfileError, match="it has no strategy for player 2"):
        evaluate(path)
    one = eb.evaluate(GAME, "uniform", "always-call").matches[0]
    assert one.seats == ("uniform", "always-call")
    with pytest.raises(eb.ProfileError, match=r"is a strategy for .*three-sided die each\", not for .*four-sided"):
        evaluate(path, eb.game("liars-dice", sides=4))
    with pytest.raises(eb.NotApplicableError, match="arrays are for two-player bidding games"):
        evaluate(path, eb.game("mia"))
    data = path.read_bytes()
    for damaged in (data[: len(data) // 2], b"", b"PK" + data[2:60], data.replace(b"NUMPY", b"NUMPX")):
        path.write_bytes(damaged)
        with pytest.raises(eb.FileError, match="not a file of strategies as arrays, or it is damaged"):
            evaluate(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("about.npy", b"not an array")
    with pytest.raises(eb.FileError, match="damaged"):
        evaluate(path)
    np.savez(
        path,
        about=json.dumps({"format": "efg-builder strategy 1", "game": {"title": GAME.title}}),
        player1=np.zeros(10**6),
    )
    with pytest.raises(eb.FileError, match="larger than this game's arrays"):
        evaluate(path)


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "s.npz"
    path.write_bytes(b"old")
    strategy = DenseProfile(GAME, tuple(arrays()))
    monkeypatch.setattr("efg_builder.strategies.dense_profile._header", lambda kind, shape: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        write_dense(path, strategy)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["s.npz"]


def test_arrays_are_listed_in_text_up_to_a_limit(tmp_path, monkeypatch):
    found = evaluate("uniform", method="dense", exploiter=True)
    found.write_exploiter(tmp_path / "e.csv")
    monkeypatch.setattr("efg_builder.strategies.writing.MOST_LISTED", 191)
    with pytest.raises(
        eb.ParameterError, match=r"192 information sets are too many for a text file; name a \.npz file"
    ):
        found.write_exploiter(tmp_path / "f.csv")
    assert not (tmp_path / "f.csv").exists()


def test_decimals_are_exact_in_both_formats_and_rounded_ones_are_floats(tmp_path):
    start = GAME.public_turn(GAME.public_root())
    for third, exact in (("7E-1", True), ("0.7000001", False)):
        (tmp_path / "s.json").write_text(f'{{"2: start": {{"1x1": 0.1, "1x2": 2e-1, "1x3": {third}}}}}')
        (tmp_path / "s.csv").write_text(HEAD + f"1,2: start,1x1,0.1\n1,2: start,1x2,2e-1\n1,2: start,1x3,{third}\n")
        one, two = (read_strategy(tmp_path / name, GAME) for name in ("s.json", "s.csv"))
        assert one.at(start, 1) == two.at(start, 1)
        assert one.exact == two.exact == evaluate(tmp_path / "s.csv").exact == exact
        # In floats, 0.1 + 0.2 + 0.7 is not 1, and 0.1 is not a tenth.
        assert not exact or list(one.at(start, 1).values()) == [Fraction(1, 10), Fraction(1, 5), Fraction(7, 10)]
        assert sum(one.at(start, 1).values()) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    "number",
    ["1e999999999", "-1e999999999", "1e-999999999", "0." + "1" * 5000, "1" * 5000, "1e400", "1" * 5000 + "e1"],
)
def test_hostile_numbers_cost_nothing(tmp_path, number):
    path = tmp_path / "s.json"
    path.write_text(f'{{"2: start": {{"1x1": {number}}}}}')
    with pytest.raises(
        eb.ProfileError, match=r"\['2: start'\]\['1x1'\]: a number (of more than 4000 digits|beyond 1e300)"
    ):
        read_strategy(path, GAME)


TWINS = (
    'EFG 2 R "twins" { "A" "B" "C" }\n\np "" 1 1 "" { "l" "r" } 0\np "" 2 1 "x" { "l" "r" } 0\nt "" 1 "" { 1, -1, 0 }\n'
    'p "" 3 1 "" { "u" "d" } 0\nt "" 2 "" { 0, 0, 0 }\nt "" 5 "" { 1, 0, 2 }\np "" 2 2 "x" { "l" "r" } 0\n'
    't "" 3 "" { 2, -2, 0 }\nt "" 4 "" { 3, -3, 0 }\n'
)


def test_several_sets_of_one_label_need_numbers():
    with pytest.raises(eb.ProfileError, match="there are 2 information sets labeled 'x'; name them by number"):
        read_strategy({"strategies": [{}, {"x": {"l": 1}}, {}]}, eb.parse_efg(TWINS))


def test_sets_without_a_label_of_their_own_are_written_and_read_by_their_moves(tmp_path):
    tree = eb.parse_efg(TWINS)
    found = eb.evaluate(tree, "uniform", exploiter=True)
    for name in ("e.csv", "e.json"):
        path = found.write_exploiter(tmp_path / name)
        again = eb.evaluate(tree, path, "uniform")
        assert [match.value[seat] for seat, match in enumerate(again.matches)] == list(found.matches[0].best_response)
    names = [line.split(",")[1] for line in (tmp_path / "e.csv").read_text().splitlines()[1::2]]
    assert names == ["start", "after l", "after r", "after l r"]
    (tmp_path / "e.csv").write_text(HEAD + "2,set 3,l,1\n")
    with pytest.raises(eb.ProfileError, match="no information set 'set 3' of player 2"):
        eb.evaluate(tree, tmp_path / "e.csv")


ABOUT = {"format": "efg-builder strategy 1", "game": {"title": GAME.title}}


@pytest.mark.parametrize(
    "about",
    [
        None,
        "hello",
        "[1]",
        json.dumps(ABOUT | {"format": "other"}),
        json.dumps(ABOUT | {"game": {}}),
        json.dumps(ABOUT | {"game": {"name": "liars-dice", "title": "x"}}),
    ],
)
def test_what_arrays_are_of_must_be_said(tmp_path, about):
    path = tmp_path / "s.npz"
    both = dict(zip(("player1", "player2"), (arrays()[0], np.zeros((32, 3))), strict=True))
    np.savez(path, **both, **({} if about is None else {"about": about}))
    problem = r'array \'about\' must be the text {"format": "efg-builder strategy 1", "game": .* docs/strategies.md'
    with pytest.raises(eb.FileError, match=problem):
        evaluate(path)
    np.savez(path, **both, about=json.dumps(ABOUT))
    assert evaluate(path).matches[0].seats == (str(path), str(path))


def test_a_solutions_table_is_read_back_where_several_sets_share_a_label(tmp_path, in_process):
    tree = eb.parse_efg(TWINS)
    solution = eb.solve(tree)
    path = solution.write(tmp_path / "s.csv")
    again = eb.evaluate(tree, path)
    assert again.matches[0].value == pytest.approx(solution.value, abs=1e-12)
    assert [seat.completed for seat in again.strategies[0].seats] == [0, 0, 0]


UNNAMED = (
    'EFG 2 R "unnamed" { "C" "D" }\n\np "" 1 1 "" { "x" "y" } 0\np "" 2 1 "" { "l" "r" } 0\nt "" 1 "" { 1, -1 }\n'
    't "" 2 "" { -1, 1 }\np "" 2 1 "" { "l" "r" } 0\nt "" 3 "" { -1, 1 }\np "" 1 2 "" { "a" "b" } 0\n'
    't "" 4 "" { 1, -1 }\nt "" 5 "" { 2, -2 }\n'
)


def test_what_is_printed_as_a_sets_name_is_read_everywhere(tmp_path, cli):
    game = tmp_path / "unnamed.efg"
    game.write_text(UNNAMED)
    assert eb.read_efg(game).names == ("start", "D 1", "after y r")
    for command in ("solve", "ranges"):
        out = cli(command, game)[1]
        assert [line.split(" x ")[0].split()[-1] for line in out.splitlines() if " x " in line] == ["start"]
    assert "b at after y r" in cli("matrix", game)[1]
    assert cli("draw", game, "--strategy", "uniform", "-o", tmp_path / "t.svg")[0] == 0
    assert "<title>D 1" in (tmp_path / "t.svg").read_text()
    for name in ("x.json", "x.csv"):
        assert cli("solve", game, "-o", tmp_path / name)[0] == 0
        code, out, err = cli("evaluate", game, "--strategy", tmp_path / name)
        assert (code, err) == (0, "")
        assert "NashConv       0 " in out
        assert "completed" not in out


@pytest.mark.parametrize(
    "text",
    [
        '{"C": {"set 1": {"x": 1}, "set 2": {"a": 1}}, "D": {"set 1": {"l": 1}}}',
        '{"set 2": {"a": 1}, "C": {"set 1": {"x": 1}}, "D": {"set 1": {"l": 1}}}',
        '{"strategies": [{"set 1": {"x": 1}, "set 2": {"a": 1}}, {"set 1": {"l": 1}}]}',
    ],
)
def test_json_names_the_player_where_two_have_a_set_of_one_name(tmp_path, text):
    path = tmp_path / "s.json"
    path.write_text(text)
    found = eb.evaluate(eb.parse_efg(UNNAMED), path)
    assert found.matches[0].value == (1, -1)  # x, l: the first end of play
    assert found.strategies[0].completed == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"set 1": {"x": 1}}', r"""2 players .* 'set 1' \(C, D\); write it under .*: {"C": {"set 1": \.\.\.}}"""),
        ('{"set 7": {"x": 1}}', "no information set 'set 7'; choose from: D 1, after y r, start"),
        ('{"x": {"x": 1}}', "no information set 'x'; choose from: D 1, after y r, start"),
        ('{"E": {"set 1": {"x": 1}}}', "there is no player 'E'; choose from: C, D"),
        ('{"D": {"set 2": {"a": 1}}}', "no information set 'set 2' of player 2: it belongs to player 1"),
        ('{"C": {"set 1": {"x": 1}, "set 2": 1}}', "not an object {action: probability}"),
        ('{"C": {"set 1": 1}}', "no information set 'C'"),
        ('{"C": {"set 1": {"x": 1}, "set 1": {"y": 1}}}', "the information set 'set 1' appears twice"),
        ('{"C": {"set 1": {"x": 1}}, "C": {"set 1": {"y": 1}}}', "'C' appears twice"),
    ],
)
def test_what_is_wrong_with_a_named_set_is_said(tmp_path, text, problem):
    path = tmp_path / "s.json"
    path.write_text(text)
    with pytest.raises(eb.ProfileError, match=problem):
        eb.evaluate(eb.parse_efg(UNNAMED), path)


def test_a_label_that_reads_like_a_number_is_no_name():
    # Player 1's first set has the label "set 2"; the second has no label.
    tree = eb.parse_efg(UNNAMED.replace('1 1 ""', '1 1 "set 2"'))
    assert [tree.names[k] for k in tree.numbered] == ["start", "after y r", "D 1"]
    assert eb.read_strategy({"C": {"after y r": {"a": 1}}}, tree).on(tree)["after y r"] == {"a": 1, "b": 0}


def test_a_dict_is_read_as_the_same_in_a_file(tmp_path):
    tree, third = eb.parse_efg(UNNAMED), Fraction(1, 3)
    data = {"C": {"set 1": {"x": third, "y": 2 * third}}, "D": {"set 1": {"l": 0.25, "r": 0.75}}}
    (tmp_path / "s.json").write_text(json.dumps(data, default=str))
    one, two = eb.evaluate(tree, data), eb.evaluate(tree, tmp_path / "s.json")
    assert one.matches[0].value == two.matches[0].value
    assert one.exact
    assert eb.verify(eb.read_strategy({"1: start": {"1x1": 1}}, GAME)).exact
    wrongs = ({"set 9": {"x": 1}}, "strategy: .*no information set"), ({"C": {"set 1": {"x": 1j}}}, "1j")
    for wrong, problem in wrongs:
        with pytest.raises(eb.ProfileError, match=problem):
            eb.evaluate(tree, wrong)


@pytest.mark.parametrize("third", [Fraction(np.int64(1), np.int64(3)), Fraction(1, 3)])
def test_probabilities_of_numpy_are_read_as_those_of_python(third):
    given = {"2: start": {"1x1": third, "1x2": 1 - third}, "1: start": {"1x1": np.int64(1)}}
    read = eb.read_strategy(given, "liars-dice sides=2").on(eb.build("liars-dice sides=2"))
    assert read["2: start"]["1x1"] == Fraction(1, 3)
    assert type(read["2: start"]["1x1"].numerator) is int
    assert read["1: start"]["1x1"] == 1
    tree = eb.build("kuhn")
    profile = eb.TreeProfile.from_personal(tree, dict.fromkeys(tree.personal, (third, 1 - third)))
    assert profile.exact
    assert {type(p.numerator) for row in profile.probabilities for p in row} == {int}
