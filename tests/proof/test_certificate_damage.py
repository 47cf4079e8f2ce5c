"""Solution files that were changed, by accident or on purpose: refused, by place."""

import gzip
import json
import random
import re
from fractions import Fraction

import pytest
from certificates import GAME, KINDS, OF_THREE, POKER_SOLVED, SOLVED, SPARSE, THREE, THREE_ON_TREE, changed, written

import efg_builder as eb
from efg_builder.base import files
from efg_builder.proof.certificate import verify_solution
from efg_builder.strategies.sparse_profile import SparseProfile

SECTIONS = ("game", "claim", "default", "strategies", "profile", "digests", "seconds", "run")


def digit_positions(text):
    """The digits that count, each with the section it stands in."""
    starts = [(m.start(), m[1]) for m in re.finditer(r'^ "(\w+)":', text, re.MULTILINE)]
    for match in re.finditer(r"\d", text):
        key = next(name for at, name in reversed(starts) if at <= match.start())
        section = key if key in SECTIONS else "claim"
        if section not in ("seconds", "run"):
            yield match.start(), section, key


@pytest.mark.parametrize("kind", KINDS)
def test_every_changed_digit_is_found_and_located(kind, tmp_path, cli):
    path = written(KINDS[kind], tmp_path)
    text = path.read_text()
    positions, rng = list(digit_positions(text)), random.Random(kind)
    by_section = {}
    for at, section, key in positions:
        by_section.setdefault(section, []).append((at, section, key))
    assert {"game", "claim", kind, "digests"} == set(by_section)
    chosen = [spot for spots in by_section.values() for spot in rng.sample(spots, min(10, len(spots)))]
    chosen += rng.sample(positions, 100 - len(chosen))
    for at, section, key in chosen:
        digit = rng.choice([d for d in "0123456789" if d != text[at]])
        path.write_text(text[:at] + digit + text[at + 1 :])
        code, out, err = cli("verify", path)
        assert (code, out) == (3, ""), (section, text[at - 30 : at + 30])
        assert err.count("\n") == 1
        assert section in err or key in err
        with pytest.raises(eb.CertificateError) as caught:
            verify_solution(path)
        assert caught.value.where
        assert section in str(caught.value) or key in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("lower", "-1/9"),
        ("upper", "1/9"),
        ("upper", None),
        ("value", ["0", "0"]),
        ("value", "0"),
        ("value", ["0"]),
        ("regret", "1/100"),
        ("regret", 0),
        ("exact", False),
        ("exact", 1),
        ("status", "bracket"),
        ("status", "not-an-equilibrium"),
        ("status", "proved"),
    ],
)
def test_a_false_claim_with_right_check_values_fails_by_the_mathematics(kind, key, value, tmp_path, cli):
    path = changed(written(KINDS[kind], tmp_path), lambda data: data.update({key: value}))
    code, _, err = cli("verify", path)
    assert code == 3
    assert re.search(rf"s\.json: claim: .*{key}", err)


@pytest.mark.parametrize("kind", OF_THREE)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("value", ["0", "0", "0"]),
        ("value", ["1/8", "-1/8"]),
        ("value", ["1/8", "-1/16", "-1/16", "0"]),
        ("regret", "1/100"),
        ("regret", 0),
        ("regrets", ["0", "0", "1/100"]),
        ("regrets", ["0", "0"]),
        ("regrets", ["0", "0", "0", "0"]),
        ("regrets", [0, 0, 0]),
        ("regrets", "0"),
        ("regrets", None),
        ("lower", "1/8"),
        ("upper", "1/8"),
        ("exact", False),
        ("status", "near-equilibrium"),
        ("status", "bracket"),
        ("status", "not-an-equilibrium"),
        ("status", "proved"),
    ],
)
def test_a_false_claim_of_three_players_fails_by_the_mathematics(kind, key, value, tmp_path, cli):
    path = changed(written(OF_THREE[kind], tmp_path), lambda data: data.update({key: value}))
    code, out, err = cli("verify", path)
    assert (code, out) == (3, "")
    assert re.search(rf"s\.json: claim: .*{key}", err)


@pytest.mark.parametrize("kind", OF_THREE)
def test_what_each_of_three_players_gains_must_be_told(kind, tmp_path, cli):
    path = changed(written(OF_THREE[kind], tmp_path), lambda data: data.pop("regrets"))
    assert cli("verify", path)[2].endswith(
        "s.json: claim: regrets belong to games without bounds, and to nothing else\n"
    )
    path = changed(written(KINDS[kind], tmp_path), lambda data: data.update(regrets=["0", "0"]))
    assert cli("verify", path)[2].endswith(
        "s.json: claim: regrets belong to games without bounds, and to nothing else\n"
    )


@pytest.mark.parametrize("change", [lambda parts: parts.append({}), lambda parts: parts.pop(), list.reverse])
def test_another_number_or_order_of_players_is_refused(change, tmp_path, cli):
    path = changed(written(THREE, tmp_path), lambda data: change(data["strategies"]))
    code, _, err = cli("verify", path)
    assert code == 3
    assert "strategies" in err


def test_rows_of_three_players_that_are_dropped_or_changed_are_refused_unless_what_they_claim_is_true(tmp_path):
    whole, failed, tree = THREE.to_json(), 0, THREE_ON_TREE.tree
    rows = [(player, name) for player, part in enumerate(whole["strategies"]) for name in part]

    def move_a_third(row):
        action, p = next(iter(row.items()))
        other = "call" if action != "call" else "3x2"
        return row | {action: str(Fraction(p) * 2 / 3), other: str(Fraction(row.get(other, 0)) + Fraction(p) / 3)}

    for player, name in rows:
        for change in (None, move_a_third):
            path = tmp_path / "s.json"
            data = json.loads(json.dumps(whole))
            row = data["strategies"][player].pop(name)
            if change is not None:
                data["strategies"][player][name] = change(row)
            path.write_text(json.dumps(data))
            try:
                proof = verify_solution(changed(path, lambda data: None))
            except eb.CertificateError as error:
                failed += "claim" in error.where or "strategies" in error.where
                continue
            # Another equilibrium that pays the same: judged by other code, over the tree.
            verdict = eb.verify(from_json(data["strategies"], THREE.game).on(tree))
            assert (verdict.value, verdict.regret) == (proof.value, 0)
    assert failed > len(rows)


def test_changed_strategies_with_right_check_values_fail_unless_what_they_claim_is_true(tmp_path):
    text, rng = written(SPARSE, tmp_path).read_text(), random.Random(3)
    tree, failed = SOLVED.tree, 0
    spots = [at for at, section, _ in digit_positions(text) if section == "strategies"]
    for at in rng.sample(spots, 60):
        path = tmp_path / "s.json"
        path.write_text(text[:at] + rng.choice("123456789") + text[at + 1 :])
        try:
            path = changed(path, lambda data: None)
            proof = verify_solution(path)
        except eb.CertificateError as error:
            failed += "claim" in error.where or "strategies" in error.where
            continue
        # Another equilibrium, or the same: judged by other code, over the tree.
        rows = json.loads(path.read_text())["strategies"]
        verdict = eb.verify(from_json(rows, GAME).on(tree))
        assert (verdict.lower, verdict.upper, verdict.regret) == (proof.lower, proof.upper, 0)
    assert failed > 30


def from_json(parts, game):
    strategies = tuple({} for _ in game.players)
    for player, rows in enumerate(parts):
        for name, row in rows.items():
            hand, _, history = name.partition(": ")
            index = game.hands[player].index(hand)
            behavior = {action: Fraction(p) for action, p in row.items()}
            strategies[player].setdefault(history, {})[index] = behavior
    return SparseProfile(game, strategies)


def test_equal_shares_moved_between_two_moves_are_no_equilibrium_any_more(tmp_path):
    def shift(data):
        row = data["profile"][0]["probabilities"]
        assert row == {"show": "1/3", "raise": "2/3"}
        row.update({"show": "1/4", "raise": "3/4"})

    path = changed(written(POKER_SOLVED, tmp_path), shift)
    with pytest.raises(eb.CertificateError, match="claim: lower is"):
        verify_solution(path)


def put(name, row, player=0):
    return lambda data: data["strategies"][player].update({name: row})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("7,7: start", {"1x2": "1"}), "player 1, hand 7,7: .*no such hand"),
        (put("nonsense", {"1x2": "1"}), "hand nonsense: .*no such hand"),
        (put("1,1: 9x9", {"call": "1/2", "2x2": "1/2"}), "player 1, hand 1,1: '1,1: 9x9': it has no effect"),
        (put("1,1: start ", {"1x2": "1"}), "hand 1,1: .*it has no effect"),
        (put("1: 1x2", {"call": "1"}, 1), "player 2, hand 1: '1: 1x2': it has no effect"),
        (put("1: 1x2", {"9x9": "1"}, 1), "strategies: Player 2: '9x9' is not an action at '1: 1x2'"),
        (put("1: 1x2", {"call": "1/2", "2x2": "1/3"}, 1), "player 2, hand 1: .*do not sum to 1"),
        (put("1: 1x2", {"call": "1/2", "2x2": "2/4"}, 1), "'2x2' is not a positive fraction in lowest terms"),
        (put("1: 1x2", {"call": "1", "2x2": "0"}, 1), "'2x2' is not a positive fraction"),
        (put("1: 1x2", {"call": 1}, 1), "'call' is not a positive fraction"),
        (put("1: 1x2", {"call": "1/0"}, 1), "denominator of zero"),
        (put("1: 1x2", [], 1), "not an object of probabilities"),
        (put("1: 1x2\n", {"call": "1"}, 1), r"'1: 1x2\\n'"),
        (lambda data: data["strategies"].append({}), "strategies: 3 of them for 2 players"),
        (lambda data: data.update(default="Whatever."), "default: not the rule"),
        (lambda data: data["game"].update(name="chess"), "game: there is no game 'chess'"),
        (lambda data: data["game"].update(name=3), "game: 'name' and 'settings' do not name a game"),
        (lambda data: data["game"]["settings"].update(sides="4"), "game: title is"),
        (lambda data: data["game"]["settings"].update(sides=3), "game: settings is"),
        (lambda data: data["game"]["settings"].update(dice="10,10", sides="20"), "game: more than 100,000 hands"),
        (lambda data: data["game"].update(nodes=12), "game: nodes is 12 in the file, but [0-9]+ by the rules"),
        (
            lambda data: data["game"].update(nodes=float("nan")),
            "game: nodes is NaN in the file, but [0-9]+ by the rules",
        ),
        (lambda data: data["game"].update(more=12), "game: more is 12 in the file, but null"),
        (lambda data: [data["game"].pop(key) for key in ("name", "settings")], "game: 'strategies' need a game"),
        (lambda data: data["game"].update(name="mia", settings={}), "game: .*is no dealt game"),
        (lambda data: data.update(status="timeout", lower="-1"), "claim: lower is"),
    ],
)
def test_what_is_not_right_is_named(change, words, tmp_path, cli):
    path = changed(written(SPARSE, tmp_path), change)
    code, _, err = cli("verify", path)
    assert code == 3
    assert err.count("\n") == 1
    assert re.search(words, err)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.pop("game"), "game: missing"),
        (lambda data: data.pop("digests"), "digests: missing"),
        (lambda data: data.pop("strategies"), "either 'strategies' or 'profile'"),
        (lambda data: data.update(profile=[]), "either 'strategies' or 'profile'"),
        (lambda data: data.update(strategies=3), "strategies: not a list"),
        (lambda data: data.update(equilibria=[3]), "equilibria: not a list of objects"),
        (lambda data: data.pop("default"), "default: it belongs"),
        (lambda data: data["digests"].pop("claim"), "claim: it has no check value"),
        (lambda data: data["digests"].update(more="0"), "more: it is in 'digests', but not in the file"),
        (lambda data: data["strategies"][0].popitem(), "strategies of player 1"),
        (lambda data: data.update(note="trust me"), "claim: it does not agree"),
    ],
)
def test_missing_and_additional_parts_are_named(change, words, tmp_path):
    path = changed(written(SPARSE, tmp_path), change, sign=False)
    with pytest.raises(eb.CertificateError, match=words):
        verify_solution(path)


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", 2, "not JSON"),
        (b"junk", 2, "not JSON"),
        (b'EFG 2 R "Coin" { "Ann" }\n', 2, "a game, not a solution: 'efg-builder solve' writes one"),
        (b"{", 2, "not JSON"),
        (b"[" * 100_000, 2, "not JSON"),
        (b"\xff\xfe", 2, "not UTF-8"),
        (b"\x1f\x8b\x08nonsense", 2, "damaged gzip"),
        (gzip.compress(b"junk", mtime=0), 2, "not JSON"),
        (gzip.compress(b"{}", mtime=0)[:-3], 2, "damaged gzip"),
        (b"[]", 2, "not an object"),
        (b"3", 2, "not an object"),
        (b"{}", 3, "game: missing"),
        (b'{"game": {"nodes": 012}}', 3, "game: not JSON"),
        (b'{"game": {"nodes": 1, "nodes": 2}}', 3, "game: the key 'nodes' stands there twice"),
        (b'{"value": ["1"], "game": {', 3, "game: not JSON"),
    ],
)
def test_junk(content, code, words, tmp_path, cli):
    path = tmp_path / "junk.json"
    path.write_bytes(content)
    found, out, err = cli("verify", path)
    assert (found, out) == (code, "")
    assert err.count("\n") == 1
    assert re.search(words, err)


@pytest.mark.parametrize("depth", [100, 800, 950, 990, 5000])
def test_junk_nested_deeply(depth, tmp_path, cli):
    path = tmp_path / "junk.json"
    path.write_text('{"game": ' + "[" * depth + "]" * depth + "}")
    code, _, err = cli("verify", path)
    assert code in (2, 3)
    assert re.fullmatch("error: .*(game: missing|not JSON).*\n", err)


def test_a_small_file_cannot_ask_for_unbounded_memory(tmp_path, monkeypatch, cli):
    monkeypatch.setattr(files, "UNPACKED", 1 << 20)
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(b" " * (1 << 21)))
    code, _, err = cli("verify", tmp_path / "bomb.json.gz")
    assert code == 2
    assert "unpacks to more than 1 MiB" in err
