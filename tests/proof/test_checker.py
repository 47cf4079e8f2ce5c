"""The checker of one file proves what is committed, refuses what was tampered with, and agrees with the package."""

import ast
import gzip
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
from fractions import Fraction

import brute
import pytest
from certificates import (
    SPARSE,
    THREE,
    assert_judged_alike,
    changed,
    figure,
    in_words,
    mutants,
    respelled,
    sparse_solution,
)
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from paths import DOCS, ROOT

import efg_builder as eb
from efg_builder.games.catalogue import identify
from efg_builder.proof import verify
from efg_builder.proof.certificate import digests, verify_solution
from efg_builder.strategies.sparse_profile import SparseProfile
from efg_builder.strategies.writing import game_part

SOURCE = ROOT / "efg_builder" / "proof" / "checker.py"
CERTIFICATES = [*sorted((DOCS / "certificates").glob("*.json.gz")), DOCS / "proof.json"]

_spec = importlib.util.spec_from_file_location("checker", SOURCE)
checker = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(checker)


# --- One file


def test_it_is_one_short_file_of_the_standard_library():
    text = SOURCE.read_text()
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


def test_it_proves_every_certificate(check):
    code, lines, _ = check(*CERTIFICATES)  # on a busy machine stderr has lines of progress
    assert (code, len(lines)) == (0, len(CERTIFICATES))
    for path, line in zip(CERTIFICATES, lines, strict=True):
        text = path.read_text() if path.suffix == ".json" else gzip.decompress(path.read_bytes())
        assert line == f"{path}: proved: {in_words(json.loads(text))}"


def test_it_says_what_it_does_not_know(check):
    others = [*sorted((ROOT / "outputs").glob("*.json")), *sorted((DOCS / "matches").glob("*.json.gz"))]
    code, lines, err = check(*others)
    assert (code, err, len(lines)) == (1, "", len(others))
    for path, line in zip(others, lines, strict=True):
        assert line.startswith(f"{path}: refused: the whole: not one round of bidding with sparse strategies; ")
        assert "'efg-builder verify FILE'" in line


def test_it_says_what_it_cannot_read(check, tmp_path):
    (tmp_path / "damaged.json.gz").write_bytes(b"\x1f\x8b\x08nonsense")
    code, lines, err = check(tmp_path / "none.json", tmp_path / "damaged.json.gz", DOCS / "proof.json", tmp_path)
    assert (code, err) == (2, "")
    assert [line.split(": ")[1] for line in lines] == ["cannot be read", "cannot be read", "proved", "cannot be read"]
    code, lines, err = check()
    assert (code, lines) == (2, [])
    assert err.startswith("usage: python checker.py FILE")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: data[:-300], "Compressed file ended before the end-of-stream marker was reached"),
        (lambda data: data[:-4], "Compressed file ended before the end-of-stream marker was reached"),
        (lambda data: data + b"xx", "Not a gzipped file (b'xx')"),
        (lambda data: data[:20] + bytes(20) + data[40:], "Error -3 while decompressing data: "),
    ],
)
def test_damaged_gzip_data_is_not_read(check, tmp_path, damage, words):
    path = tmp_path / "damaged.json.gz"
    path.write_bytes(damage(gzip.compress((DOCS / "proof.json").read_bytes())))
    code, [line], err = check(path)
    assert (code, err) == (2, "")
    assert line.startswith(f"{path}: cannot be read: {words}")


def test_it_prints_what_the_page_says(check, tmp_path):
    shutil.copy(DOCS / "proof.json", tmp_path / "alone")
    line, forged = '"3: 1x1 1x3": {"2x3": "1"}', '"3: 1x1 1x3": {"2x2": "1"}'
    (tmp_path / "alone" / "forged.json").write_text((DOCS / "proof.json").read_text().replace(line, forged))
    changed(tmp_path / "alone" / "forged.json", lambda data: None)
    code, lines, err = check("proof.json", "forged.json")
    assert (code, err) == (1, "")
    assert "".join(f"    {line}\n" for line in lines) in (DOCS / "proof.md").read_text()


# --- What is malformed

PROOF = json.loads((DOCS / "proof.json").read_text())


def put(name, row, player=0):
    return lambda data: data["strategies"][player].update({name: row})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("7: 1x1 1x2", {"1x3": "1"}), 'player 1, "7: 1x1 1x2": player 1 has no such hand'),
        (put("3: 1x1", {"1x3": "1"}), 'player 1, "3: 1x1": player 1 has no such hand, or does not move'),
        (put("3: 1x2 1x1", {"1x3": "1"}), "does not move after such bids"),
        (put("3: 1x1  1x2", {"1x3": "1"}), "does not move after such bids"),
        (put("3: 1x1 1x2 call 2x2", {"2x3": "1"}), "does not move after such bids"),
        (put("3: start ", {"1x3": "1"}), "does not move after such bids"),
        (put("3: 1x1 2x2", {"2x1": "1"}), 'is no distribution over ["2x3", "call"]'),
        (put("3: start", {"call": "1"}), "is no distribution over"),
        (put("3: start", {}), "is no distribution over"),
        (put("3: start", {"1x2": "3/2", "1x3": "-1/2"}), "positive numbers that sum to 1"),
        (put("3: start", {"1x2": "1", "1x3": "0"}), "positive numbers that sum to 1"),
        (put("3: start", {"1x2": "1/2", "1x3": "1/3"}), "positive numbers that sum to 1"),
        (put("3: start", {"1x2": "2/4", "1x3": "1/2"}), '"2/4" is no exact number'),
        (put("3: start", {"1x2": "0.5", "1x3": "1/2"}), '"0.5" is no exact number'),
        (put("3: start", {"1x2": "1/0"}), '"1/0" is no exact number'),
        (put("3: start", {"1x2": 1}), "1x2: 1 is not of the type str"),
        (put("3: start", ["1x2"]), 'start: ["1x2"] is not of the type dict'),
        (put("3: start", {"1x1": "1"}), "it is the default move"),
        (put("3: 1x1 1x2 1x3 2x1", {"call": "1"}), "it is the default move"),
        (put("3: 1x2 1x3", {"2x1": "1"}), "own moves never lead there"),
        (lambda data: data["strategies"].append({}), "strategies, how many: 3 in the file"),
        (lambda data: data["strategies"].reverse(), "does not move after such bids"),
        (lambda data: data.update(default="To call."), "default: "),
        (lambda data: data.update(status="solved"), 'claim, status: "solved" does not follow'),
        (lambda data: data.update(status="bracket"), 'claim, status: "bracket" does not follow'),
        (lambda data: data.update(exact=1), "claim, exact: 1 in the file, but it must be true"),
        (lambda data: data.update(value=["-1/9"]), "claim, value"),
        (lambda data: data.update(note="trust me"), 'the key "note" is unknown'),
        (lambda data: data.pop("regret"), 'the key "regret" is missing'),
        (lambda data: data["game"].update(name="chess"), 'game, name: "chess" is none of the games of bidding'),
        (lambda data: data["game"].update(nodes=1145), "game, nodes: 1145 in the file, but it must be 1144"),
        (lambda data: data["game"].update(nodes=True), "nodes: true is not of the type int"),
        (lambda data: data["game"].update(title="Liar's Dice"), "game, title"),
        (lambda data: data["game"].update(players=["A", "B"]), "game, players"),
        (lambda data: data["game"]["settings"].update(sides="21"), 'settings, sides: "21" does not match'),
        (lambda data: data["game"]["settings"].update(sides=3), "sides: 3 is not of the type str"),
        (lambda data: data["game"]["settings"].update(dice="1,11"), 'settings, dice: "1,11" does not match'),
        (lambda data: data["game"]["settings"].update(dice="1" + ",1" * 10), "settings, dice: "),
        (lambda data: data["game"]["settings"].update(dice="1,1,1"), "game, title: "),
        (lambda data: data["game"]["settings"].update(dice="1,1,1", payoff="points"), "points and stakes are for two"),
        (lambda data: data.update(regrets=["0", "0"]), 'claim, regrets: ["0", "0"] in the file, but it must be null'),
        (lambda data: data.update(regrets=None), "regrets: null is not of the type list"),
        (lambda data: data.update(lower=None, upper=None), 'claim, lower: null in the file, but it must be "-1/9"'),
        (lambda data: data.update(status="near-equilibrium"), 'claim, status: "near-equilibrium" does not follow'),
        (lambda data: data["game"]["settings"].update(wild="4"), "do not go together"),
        (lambda data: data["game"]["settings"].update(wild_biddable="false"), "do not go together"),
        (lambda data: data["game"]["settings"].update(order="bluff"), "do not go together"),
        (lambda data: data["game"]["settings"].update(dice="10,10", sides="20"), "too many to be checked"),
        (lambda data: data["game"]["settings"].update(loss="one"), "game, settings: "),
        (lambda data: data["game"].update({"a\nb\u2028": 1}), "the key"),
    ],
)
def test_what_is_wrong_is_named(change, words, tmp_path, capsys):
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(PROOF))
    assert checker.main([str(changed(path, change))]) == 1
    out, err = capsys.readouterr()
    assert (err, out.count("\n"), len(out.splitlines())) == ("", 1, 1)
    assert out.startswith(f"{path}: refused: ")
    assert words in out


JUNK = [
    (b"", "no certificate in JSON"),
    (b"[]", "not one round of bidding"),
    (b"3", "not one round of bidding"),
    (b"{}", "not one round of bidding"),
    (b"\xff", "no certificate in JSON"),
    (b"[" * 100_000, "no certificate in JSON"),
    (b'{"strategies": ' + b"[" * 9_000 + b"]" * 9_000 + b"}", "the whole, strategies"),
    (b'{"strategies": 1}', "the whole, strategies: 1 is not of the type list"),
    (b'{"strategies": [], "game": {}}', "the whole, game: the key"),
    (b'{"strategies": [], "strategies": []}', 'a key stands twice in {"strategies": []}'),
    (b'{"strategies": ' + b"9" * 200_000 + b"}", "no certificate in JSON"),
    ((DOCS / "proof.json").read_bytes()[:-20], "no certificate in JSON"),
    ((DOCS / "proof.json").read_bytes().replace(b'"nodes": 1144', b'"nodes": 1144.0'), "nodes"),
]


def test_junk_gives_one_line_each(tmp_path, check):
    paths = [tmp_path / f"junk{number}.json" for number in range(len(JUNK))]
    for path, (content, _) in zip(paths, JUNK, strict=True):
        path.write_bytes(content)
    code, lines, err = check(*paths)
    assert (code, err, len(lines)) == (1, "", len(JUNK))
    for path, line, (_, words) in zip(paths, lines, JUNK, strict=True):
        assert line.startswith(f"{path}: refused: ")
        assert words in line


# --- What is tampered with

TAMPERED = 300


def certificate(name):
    return json.loads(gzip.decompress((DOCS / "certificates" / f"{name}.json.gz").read_bytes()))


BASES = {
    "two players": ("1v1-3", "1v1-4-joker", "1v1-6-highest", "1v2-3", "1v2-6-joker", "2v1-4", "2v2-3"),
    "more players": ("1v1v1-2", "1v1v1-3", "1v1v1-4", "1v1v1-5", "2v1v1-2", "1v1v1v1-2", "1v1v1v1-3", "1v1v1v1v1-2"),
}


def bracket():
    """A claim of two bounds that differ, with stakes."""
    stakes = {"loss": "difference", "lose1": "-1/3,-1", "lose2": "5/6"}
    game = eb.game("liars-dice-stakes", sides=3, wild=1, dice="2,1", **stakes)
    return sparse_solution(game, brute.random_sparse(game, random.Random(5), 0.1), "bracket").to_json()


def near():
    """A claim that nobody of three gains more than the regret, which is not 0."""
    game = eb.game("liars-dice", sides=3, wild=1, dice="1,2,1", max_quantity=3)
    return sparse_solution(game, brute.random_sparse(game, random.Random(5), 0.1), "near-equilibrium").to_json()


MORE = {"two players": bracket, "more players": near}


def change_a_digit(data, rng):
    bounds = ["lower", "upper"] if data["lower"] is not None else ["regrets", "regrets"]
    key = rng.choice(["value", *bounds, "regret", "strategies", "strategies", "strategies", "game"])
    text = json.dumps(data[key])
    places = [at for at, letter in enumerate(text) if letter.isdigit()]
    at = rng.choice(places)
    part = json.loads(text[:at] + rng.choice([d for d in "123456789" if d != text[at]]) + text[at + 1 :])
    data[key] = part


def a_row(data, rng):
    rows = rng.choice([rows for rows in data["strategies"] if rows])
    return rows, rng.choice(list(rows))


def move_probability(data, rng):
    rows, name = a_row(data, rng)
    row = rows[name]
    last = name.rpartition(" ")[2]
    moves = [*row, *([] if last == "start" else ["call"])]
    source, target = rng.choice(list(row)), rng.choice(moves)
    shift = Fraction(row[source]) / rng.randint(1, 5)
    found = {move: Fraction(p) for move, p in row.items()}
    found[source] -= shift
    found[target] = found.get(target, 0) + shift
    rows[name] = {move: str(p) for move, p in found.items() if p}


def break_a_probability(data, rng):
    rows, name = a_row(data, rng)
    move = rng.choice(list(rows[name]))
    p = Fraction(rows[name][move])
    wrong = [
        f"{2 * p.numerator}/{2 * p.denominator}",
        str(-p),
        str(p / 2),
        float(p),
        "0",
        f"{float(p):.3f}",
        " 1",
        "1e0",
    ]
    rows[name][move] = rng.choice([text for text in wrong if text != str(p)])


def remove_a_row(data, rng):
    rows, name = a_row(data, rng)
    del rows[name]


def add_a_row(data, rng):
    rows, name = a_row(data, rng)
    hand, _, history = name.partition(": ")
    other = rng.choice([*{name.partition(": ")[0] for name in rows}, "9", "1,9"])
    rows[rng.choice([f"{other}: {history} 2x1", f"{hand}: 9x9", f"{other}: {history}", f"{hand}:  {history}"])] = {
        "call": "1"
    }


def swap_rows(data, rng):
    rows, name = a_row(data, rng)
    other = rng.choice(list(rows))
    rows[name], rows[other] = rows[other], rows[name]


def swap_players(data, rng):
    data["strategies"].reverse()


def change_the_move(data, rng):
    rows, name = a_row(data, rng)
    move = rng.choice(list(rows[name]))
    rows[name][rng.choice(["9x9", "1x1", "fold", "", "call", "2x3"])] = rows[name].pop(move)


def change_the_game(data, rng):
    """Other settings, with the title and the sizes that belong to them."""
    part = data["game"]
    more = ("1,1,1", "2,1,1", "1,2,1", "1,1,1,1") if len(part["players"]) > 2 else ("1,1", "1,2", "2,1", "2,2", "1,1,1")
    key, *values = rng.choice(
        [
            ("sides", "2", "3", "4", "5", "6"),
            ("dice", "1,1", *more),
            ("wild", "none", "1", "2", "3"),
            ("order", "quantity-face", "face-quantity"),
            ("max_quantity", "1", "2", "3", "4", "5"),
            *([("payoff", "points")] if "payoff" in part["settings"] else [("lose2", "1", "2/3"), ("loss", "one")]),
        ]
    )
    changes = {key: rng.choice([value for value in values if value != part["settings"][key]])}
    try:
        data["game"] = game_part(eb.game(part["name"], **(part["settings"] | changes)))
    except eb.ParameterError:
        data["game"] = part | {"settings": part["settings"] | changes}


def change_the_head(data, rng):
    key = rng.choice(["title", "players", "nodes", "decision_nodes", "name", "settings"])
    wrong = {"title": "Liar's Dice", "players": ["Player 2", "Player 1"], "name": "mia", "settings": {}}
    data["game"][key] = wrong.get(key, 12345)


def change_the_claim(data, rng):
    two, exact = data["lower"] is not None, data["regret"] == "0"
    true = {"equilibrium"} if exact else {"bracket" if two else "near-equilibrium", "not-an-equilibrium"}
    statuses = ["equilibrium", "near-equilibrium", "bracket", "not-an-equilibrium", "proved", ""]
    status = rng.choice([status for status in statuses if status not in true])
    changes = [
        {"status": status},
        # What the file allows itself makes no equilibrium of what is none; and by it a near one would be one.
        {"status": status if exact else rng.choice(sorted(true)), "tolerance": rng.choice(["1", "1000", str(10**300)])},
        {"exact": not data["exact"]},
        {"value": data["value"][::-1] if data["value"] != data["value"][::-1] else ["1", "-1"]},
        {"lower": "-1"},
        {"upper": data["upper"] + "0" if two else "1"},
        {"regrets": [*data.get("regrets", ["0"]), "0"]},
        {"regrets": data["regrets"][::-1]} if len(set(data.get("regrets", []))) > 1 else {"regrets": ["1/9", "0"]},
        {"regret": "1/1000"},
        {"regret": 0},
        {"regret": "-1/10"},
        {"value": data["value"][:-1]},
        {"default": data["default"].replace("first", "last")},
        {"note": "true"},
        {"equilibria": []},
    ]
    data.update(rng.choice(changes))


def lose_a_part(data, rng):
    parts = ["value", "exact", "regret", "status", "default", "strategies", "method", "game"]
    del data[rng.choice([*parts, *(["regrets"] if "regrets" in data else [])])]


def change_the_number_of_players(data, rng):
    more = rng.random() < 0.5
    (data["strategies"].append({}) if more else data["strategies"].pop())
    if rng.random() < 0.5:
        part = data["game"]["settings"]
        part["dice"] = f"{part['dice']},1" if more else part["dice"].rpartition(",")[0]
    for key in ("value", "regrets"):
        if key in data:
            (data[key].append("0") if more else data[key].pop())


CHANGES = [
    *(change_a_digit, change_a_digit, change_a_digit, move_probability, move_probability, break_a_probability),
    *(remove_a_row, remove_a_row, add_a_row, swap_rows, swap_players, change_the_move, change_the_game),
    *(change_the_game, change_the_head, change_the_claim, change_the_claim, change_the_claim, lose_a_part),
    change_the_number_of_players,
]


def tampered(number, bases):
    """A changed certificate, as text, and what was done. Those of odd number have new digests."""
    rng = random.Random(number)
    base = rng.choice(bases)
    data = json.loads(json.dumps(base))
    change = rng.choice(CHANGES)
    change(data, rng)
    signed = number % 2 == 1
    if signed and "game" in data:
        data["digests"] = digests(data)
    if data == base:
        return None, change.__name__, signed
    if number % 10 == 9:  # a key that stands twice, with its old value last
        key = rng.choice(["lower", "status", "game", "strategies"])
        first = json.dumps({key: "0"})[:-1]
        return f"{first}, {json.dumps(base)[1:]}", "twice", True
    return json.dumps(data), change.__name__, signed


@pytest.mark.parametrize("players", BASES)
def test_tampered_certificates_are_refused(players, tmp_path, check):
    """What the package proves is true all the same, such as another equilibrium: the checker must prove it too."""
    bases, paths, held = [*map(certificate, BASES[players]), MORE[players]()], [], set()
    for number in range(int(1.25 * TAMPERED)):
        text, change, signed = tampered(number, bases)
        if text is None:
            continue
        path = tmp_path / f"{number}-{change}-{'signed' if signed else 'plain'}.json"
        path.write_text(text)
        paths.append(path)
        try:
            verify_solution(path)
            held.add(path)
        except (eb.CertificateError, eb.FileError):
            pass
    code, lines, err = check(*paths)
    assert (code, err, len(lines)) == (1, "", len(paths))
    refused = {path: line for path, line in zip(paths, lines, strict=True) if line.startswith(f"{path}: refused: ")}
    assert set(paths) - set(refused) == held
    assert len(refused) >= TAMPERED
    signed = [line for path, line in refused.items() if path.stem.endswith("signed")]
    assert len(signed) >= TAMPERED * 0.45
    assert not any("digest" in line for line in signed)
    by_bounds = [line for line in signed if ": claim, " in line]
    assert len(by_bounds) >= TAMPERED / 6


# --- Three implementations

# A failure is shown as it was found: a smaller one is not looked for, since each attempt builds a tree.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)


@st.composite
def games(draw):
    """Variants that are small enough for a tree: at most nine bids."""
    sides, dice = draw(
        st.sampled_from([(2, d) for d in ("1,1", "2,1", "1,2", "2,2")] + [(3, d) for d in ("1,1", "2,1", "1,2")])
    )
    wild = draw(st.sampled_from(["none", *map(str, range(1, sides + 1))]))
    biddable = wild == "none" or draw(st.booleans())
    orders = ["quantity-face", "face-quantity", *(["bluff"] if wild != "none" and biddable else [])]
    total = sum(map(int, dice.split(",")))
    rules = {
        "sides": sides,
        "dice": dice,
        "wild": wild,
        "wild_biddable": biddable,
        "order": draw(st.sampled_from(orders)),
        "max_quantity": draw(st.integers(1, min(total + 1, 9 // (sides - (not biddable))))),
    }
    if draw(st.booleans()):
        return eb.game("liars-dice", **rules, payoff=draw(st.sampled_from(["win-loss", "points"])))
    loss = draw(st.sampled_from(["one", "difference"]))
    numbers = st.fractions(-2, 2, max_denominator=9)
    stakes = {}
    for player, count in enumerate(map(int, dice.split(",")), start=1):
        most = count if loss == "difference" else 1
        stakes[f"lose{player}"] = ",".join(map(str, draw(st.lists(numbers, min_size=1, max_size=most))))
    exact = draw(st.sampled_from(["caller-loses-one", "bidder-loses-one"]))
    return eb.game("liars-dice-stakes", **rules, loss=loss, exact=exact, **stakes)


@st.composite
def games_of_more(draw):
    """Variants of three and four players, of at most eight bids."""
    sides, dice = draw(
        st.sampled_from(
            [(2, d) for d in ("1,1,1", "2,1,1", "1,2,1", "1,1,2", "1,1,1,1", "1,1,2,1")]
            + [(3, "1,1,1"), (3, "1,2,1"), (3, "1,1,1,1")]
        )
    )
    wild = draw(st.sampled_from(["none", *map(str, range(1, sides + 1))]))
    biddable = wild == "none" or draw(st.booleans())
    orders = ["quantity-face", "face-quantity", *(["bluff"] if wild != "none" and biddable else [])]
    total = sum(map(int, dice.split(",")))
    most = draw(st.integers(1, min(total + 1, 8 // (sides - (not biddable)))))
    rules = {"wild": wild, "wild_biddable": biddable, "order": draw(st.sampled_from(orders)), "max_quantity": most}
    return eb.game("liars-dice", sides=sides, dice=dice, **rules)


@pytest.mark.parametrize("dice", ["1,1", "2,2", "2,1", "1,1,1", "2,2,2", "1,2,1", "1,1,1,1"])
@pytest.mark.parametrize("sides", [2, 12, 13])
def test_titles_are_those_of_the_games(dice, sides):
    game = eb.game("liars-dice", sides=sides, dice=dice, max_quantity=2)
    settings_ = {name: str(value) for name, value in identify(game)[1].items()}
    assert checker.Game(settings_).title() == game.title


def status_of(verdict):
    """What a claim with this verdict is, when nothing stopped it."""
    return "equilibrium" if verdict.equilibrium else "bracket" if verdict.lower is not None else "near-equilibrium"


@settings(max_examples=40, phases=PHASES)
@given(game=games(), seed=st.integers(0, 10**6), density=st.sampled_from([0, 0.05, 0.2, 0.6]))
def test_three_implementations_agree(game, seed, density):
    assert_implementations_agree(game, seed, density)


@settings(max_examples=40, phases=PHASES)
@given(game=games_of_more(), seed=st.integers(0, 10**6), density=st.sampled_from([0, 0.05, 0.2, 0.6]))
def test_three_implementations_agree_on_more_players(game, seed, density):
    assert_implementations_agree(game, seed, density)


def assert_implementations_agree(game, seed, density):
    profile = brute.random_sparse(game, random.Random(seed), density).canonical()
    verdict = verify(profile)
    solution = sparse_solution(game, profile, status_of(verdict))
    data = json.loads(json.dumps(solution.to_json()))

    mine = checker.read_game(data["game"])
    odds = [[Fraction(n, sum(own)) for n in own] for own in mine.odds]
    assert mine.moves == [*game.bid_names, "call"]
    assert (mine.hands, odds) == ([list(own) for own in game.hands], [list(own) for own in game.hand_probabilities])
    assert mine.title() == game.title

    plans = [checker.read_plan(mine, player, rows) for player, rows in enumerate(data["strategies"])]
    best, value = (tuple(checker.worth(mine, player, plans, best) for player in mine.players) for best in (True, False))
    tree = eb.build(game)
    on_tree = eb.verify(profile.on(tree), over="tree")
    assert {key: data["game"][key] for key in tree.node_counts} == dict(tree.node_counts)
    assert best == verdict.best_responses == on_tree.best_responses
    assert value == verdict.value == on_tree.value
    assert tuple(map(Fraction.__sub__, best, value)) == verdict.regrets == on_tree.regrets
    assert max(verdict.regrets) == verdict.regret == on_tree.regret
    assert sum(value) == mine.total

    proof = verify_solution(solution, game)
    assert (proof.value, proof.regret) == (value, verdict.regret)
    assert (proof.lower, proof.upper) == ((mine.total - best[1], best[0]) if len(value) == 2 else (None, None))
    assert checker.prove(data) == in_words(data)


@settings(max_examples=10, phases=PHASES)
@given(
    game=st.one_of(games(), games_of_more()),
    seed=st.integers(0, 10**6),
    off=st.fractions(-1, 1, max_denominator=1000),
)
def test_every_number_of_a_claim_must_follow(game, seed, off):
    assume(off)
    profile = brute.random_sparse(game, random.Random(seed), 0.2)
    data = json.loads(json.dumps(sparse_solution(game, profile, status_of(verify(profile))).to_json()))
    numbers = {key: data[key] for key in ("value", "lower", "upper", "regret", "regrets") if data.get(key) is not None}
    for key, said in numbers.items():
        for at in range(len(said) if isinstance(said, list) else 1):
            wrong = str(Fraction(said[at] if isinstance(said, list) else said) + off)
            forged = data | {key: [*said[:at], wrong, *said[at + 1 :]] if isinstance(said, list) else wrong}
            with pytest.raises(checker.Refused, match=f"claim, {key}: "):
                checker.prove(forged | {"digests": digests(forged)})


@pytest.mark.parametrize("key", ["message", "method", "seconds", "run", "tolerance"])
@pytest.mark.parametrize("content", [None, "1000", -1, 1e300, "a\nb", {"a": [1]}])
def test_parts_that_prove_nothing_are_ignored(key, content, tmp_path):
    game = eb.game("liars-dice", sides=3)
    for solution in (SPARSE, THREE, sparse_solution(game, SparseProfile(game, ({}, {})), "bracket")):
        data = json.loads(json.dumps(solution.to_json()))
        path = changed(solution.write(tmp_path / "s.json"), lambda data: data.update({key: content}))
        assert checker.prove(checker.read(str(path))) == in_words(data)
        assert verify_solution(path).status == solution.status
        forged = signed(data, **{key: content, "status": "equilibrium" if data["regret"] != "0" else "bracket"})
        with pytest.raises(checker.Refused, match="claim, status"):
            checker.prove(forged)


def test_a_run_that_was_stopped_claims_its_bounds_alone():
    game = eb.game("liars-dice", sides=6, dice=(4, 4))
    for status in ("timeout", "interrupted"):
        data = sparse_solution(game, SparseProfile(game, ({}, {})), status).to_json()
        assert checker.prove(data) == in_words(data)


def signed(data, **changes):
    forged = data | changes
    return forged | {"digests": digests(forged)}


@pytest.mark.parametrize("name", ["1v1v1-3", "1v1v1v1-2", "2v1v1-2"])
@pytest.mark.parametrize("status", ["near-equilibrium", "not-an-equilibrium", "bracket"])
def test_an_equilibrium_of_more_players_claims_no_less(name, status):
    data = certificate(name)
    for tolerance in (None, "1/10", "1000"):
        with pytest.raises(checker.Refused, match="claim, status"):
            checker.prove(signed(data, status=status, tolerance=tolerance))
        assert checker.prove(signed(data, tolerance=tolerance)) == in_words(data)


def test_a_regret_that_is_hardly_any_makes_no_equilibrium():
    """The regret of 1v1v1-5 is below 1e-16: its strategies are floats' worth of digits, written as fractions."""
    data = certificate("1v1v1-5")
    assert 0 < Fraction(data["regret"]) < Fraction(1, 10**16)
    assert data["status"] == "near-equilibrium"
    for tolerance in (None, data["regret"], "1", "1000", str(10**300)):
        with pytest.raises(checker.Refused, match="claim, status"):
            checker.prove(signed(data, status="equilibrium", tolerance=tolerance))
    nothing = {"status": "equilibrium", "regret": "0", "regrets": ["0", "0", "0"]}
    with pytest.raises(checker.Refused, match="claim, reg"):
        checker.prove(signed(data, **nothing))


@pytest.mark.parametrize("files", [mutants, respelled])
def test_verify_and_the_checker_prove_the_same(files, tmp_path):
    for solution in (SPARSE, THREE):
        data = solution.to_json()
        assert_judged_alike(checker, verify_solution, files(data), tmp_path)


def test_a_compressed_trap_is_refused_by_its_size(tmp_path, check):
    path = tmp_path / "trap.json.gz"
    path.write_bytes(gzip.compress(bytes(70 << 20)))
    assert check(path) == (2, [f"{path}: cannot be read: it unpacks to more than 64 MiB"], "")


def test_all_that_is_printed_is_ascii(tmp_path):
    """A Windows console in another encoding prints it too."""
    path = tmp_path / "2v1-6.json.gz"
    shutil.copy(DOCS / "certificates" / "2v1-6.json.gz", path)
    env = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run([sys.executable, SOURCE, path], env=env, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b", about " in done.stdout
    assert done.stdout.isascii()


def test_progress_is_told_at_most_every_two_seconds(monkeypatch, capsys):
    clock = iter(range(10**9))
    monkeypatch.setattr(checker, "monotonic", lambda: next(clock))
    monkeypatch.setattr(checker, "DUE", [0])
    checker.prove(json.loads(json.dumps(SPARSE.to_json())))
    out, err = capsys.readouterr()
    assert out == ""
    assert "player 1, best response: " in err
    monkeypatch.setattr(checker, "monotonic", lambda: 0)
    checker.progress("not yet")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("-1/9", "-1/9"),
        ("212027/771552", "212027/771552, about 0.2748058459"),
        (f"{10**40 // 3}/{10**40}", "about 0.3333333333 (81 digits)"),
        (f"2/{3 * 10**60}", "about 6.666666667E-61 (62 digits)"),
    ],
)
def test_a_long_fraction_has_a_decimal(number, shown):
    assert checker.figure(Fraction(number)) == figure(Fraction(number))
    assert checker.figure(Fraction(number)).startswith(shown.partition(" (")[0])


def test_a_printed_bracket_holds_the_proved_one():
    third = Fraction(1, 3 * 10**50)
    assert checker.figure(third, checker.ROUND_FLOOR).startswith("about 3.333333333E-51")
    assert checker.figure(third, checker.ROUND_CEILING).startswith("about 3.333333334E-51")
