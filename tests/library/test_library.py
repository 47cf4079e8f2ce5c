"""The data set: the folder is whole, described, proved by stand-alone programs, and read by three others."""

import csv
import gzip
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from hashlib import sha256

import pytest
from paths import DOCS, TESTS
from tampering import repacked

import efg_builder as eb
import frame
import library
import library_solvers
from efg_builder.experiments.library import (
    COLUMNS,
    GAMBIT,
    MARKER,
    NAMED,
    RECORD,
    TREE,
    as_json,
    description,
    digest,
)
from library import FAMILIES, instances

KNOWN = {
    "kuhn_cards-3": ("-1/18", "Kuhn 1950"),
    "leduc_suits-2": (
        "-1454920850547486749701863871533/16995463438839962469905132501930",
        "-0.085606424078 in OpenSpiel's sequence_form_lp_test.py, after Lanctot et al. 2017",
    ),
    "liars-poker_hand_length-1_num_digits-3": ("1/9", "OpenSpiel 2.0.2, solve_zero_sum_game, to 8 digits"),
    "dice-poker_sides-6": ("5/54", "FiveThirtyEight Riddler, 'Can You Deal With These Card Game Puzzles?'"),
}
"""Value to player 1, and who published it; those of Liar's Dice are in ``published_values.json``."""

SMALL = (
    *("kuhn_cards-3", "kuhn_cards-4", "dice-poker_sides-6", "mia_sides-2", "leduc_suits-2_ranks-2_raises-1"),
    *("liars-dice_sides-2_dice-1.1", "liars-dice_sides-3_dice-1.1", "liars-dice_sides-4_dice-1.1"),
    *("liars-dice_sides-2_dice-1.1_payoff-points", "liars-dice-spot-on_sides-2_dice-1.1"),
    *("liars-dice-stakes_sides-2_dice-2.1_loss-difference_lose1--1.-3_lose2-3", "liars-dice_sides-2_dice-1.1.1"),
    *("kuhn_cards-3_rake-1.10", "kuhn_cards-4_seats-3", "gambit_journals.ijgt.selten1975.fig1"),
)
"""One of each kind: values, another sum, more players, a near-equilibrium, and one that is proved by name."""

BY_SLUG = {one.slug: one for one in instances()}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the small part."""
    folder = tmp_path_factory.mktemp("made") / "library"
    assert make(folder, *SMALL) == 0
    return folder


def make(folder, *words):
    return library.main(["-o", str(folder), *words])


def rows(folder):
    with open(folder / "index.csv", encoding="utf-8", newline="") as file:
        return {row["slug"]: row for row in csv.DictReader(file)}


def stamps(folder):
    return {path: path.stat().st_mtime_ns for path in folder.glob("instances/*/*")}


# --- the list


def test_the_list_has_at_least_three_hundred_games_with_names_that_are_file_names():
    assert len(BY_SLUG) == len(instances()) >= 300
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9._-]{2,119}", slug) for slug in BY_SLUG)
    assert f" {len(BY_SLUG)} games for testing solvers" in (DOCS / "library.md").read_text("utf-8")
    families = Counter(one.family for one in BY_SLUG.values())
    assert families.keys() == {family.name for family in FAMILIES} | {GAMBIT}


@pytest.mark.slow
def test_no_game_is_in_the_list_twice():
    """By the shape of the tree: moves, sets, odds and payoffs, without any name."""
    found = {}
    for one in instances():
        tree, first = one.tree(), {}
        if len(tree) > 50_000:
            continue
        sets = [first.setdefault(k, len(first)) if k >= 0 else -1 for k in tree.infoset.tolist()]
        moves = [
            (tree.infosets[k].player, len(tree.infosets[k].actions), tree.infosets[k].probabilities) for k in first
        ]
        shape = repr((tree.parent.tolist(), sets, moves, [tree.payoffs[k] for k in tree.outcome.tolist()]))
        key = sha256(shape.encode()).hexdigest()
        assert key not in found, (one.slug, found[key])
        found[key] = one.slug


# --- what is made


def test_values_are_the_published_ones(made):
    found = rows(made)
    for slug in found.keys() & KNOWN.keys():
        assert found[slug]["value"] == KNOWN[slug][0], KNOWN[slug][1]
    assert published("liars-dice_sides-3_dice-1.1") == "-1/9"
    for slug in ("liars-dice_sides-2_dice-1.1", "liars-dice_sides-3_dice-1.1", "liars-dice_sides-4_dice-1.1"):
        assert found[slug]["value"] == published(slug)
    # Points are halves of what is won and lost, from the loser's 0 on.
    assert found["liars-dice_sides-2_dice-1.1_payoff-points"]["value"] == "1/2"


def published(slug):
    """The value in ``published_values.json``, which has its source; None where it has none of this game."""
    if BY_SLUG[slug].game != "liars-dice":
        return None
    asked = dict(word.split("=") for word in BY_SLUG[slug].settings.split())
    for entry in json.loads((TESTS / "published_values.json").read_text())["liars_dice"]:
        wild = "none" if entry["wild"] is None else str(entry["wild"])
        settings = (",".join(map(str, entry["dice"])), wild, entry["order"], entry.get("wild_biddable", True))
        biddable = asked["wild_biddable"] == "true"
        played = asked["max_quantity"] == str(sum(entry["dice"])) and asked["payoff"] == "win-loss"
        if played and settings == (asked["dice"], asked["wild"], asked["order"], biddable):
            return entry["values"].get(asked["sides"])
    return None


def test_what_is_claimed_is_what_can_be_claimed(made):
    found = rows(made)
    assert found.keys() == set(SMALL)
    for slug, row in found.items():
        constant = row["players"] == "2" and row["constant_sum"] != ""
        assert (row["kind"] == "value", row["value"] != "", row["mps"] != "") == (constant,) * 3, slug
        assert len(row["payoffs"].split()) == int(row["players"])
    near = {slug for slug, row in found.items() if row["regret"] != "0"}
    assert near == {"kuhn_cards-4_seats-3"}  # its equilibria are known, but not by rounding (docs/many-players.md)
    assert 0 < Fraction(found["kuhn_cards-4_seats-3"]["regret"]) < Fraction(1, 10**12)
    assert found["kuhn_cards-3_rake-1.10"]["kind"] == "equilibrium"
    assert {row["licence"] for slug, row in found.items() if slug.startswith("gambit")} == {"GPL-2.0-or-later"}
    assert (made / "LICENSE").read_text().startswith("SPDX-License-Identifier: MIT AND GPL-2.0-or-later\n")


def test_all_is_proved_and_so_it_is_by_the_checkers_in_the_folder(made, cli):
    code, out, _ = cli("verify", made, "--json")
    said = json.loads(out)
    assert (code, said["counts"]) == (0, {"proved": len(SMALL), "wrong": 0, "not compared": 0})
    assert {row["name"]: row["proof"]["value"] for row in said["rows"]}["kuhn_cards-3"] == ["-1/18", "1/18"]
    assert cli("verify", made)[:2] == (0, f"{len(SMALL)} proved, 0 wrong, 0 not compared\n")
    for name in {row["checker"] for row in rows(made).values()}:
        files = [row["certificate"] for row in rows(made).values() if row["checker"] == name]
        done = subprocess.run([sys.executable, "-I", name, *files], cwd=made, capture_output=True, text=True)
        assert (done.returncode, done.stdout.count(": proved: ")) == (0, len(files))


# --- forgeries


@pytest.fixture
def forged(made, tmp_path):
    """A copy of three games, to be changed."""
    folder = tmp_path / "forged"
    (folder / "instances").mkdir(parents=True)
    shutil.copy(made / MARKER, folder)
    for slug in ("kuhn_cards-3", "kuhn_cards-4", "dice-poker_sides-6"):
        shutil.copytree(made / "instances" / slug, folder / "instances" / slug)
    describe(folder)
    return folder


def describe(folder):
    for name, content in description(folder).items():
        (folder / name).write_bytes(content)


def forge(folder, slug="kuhn_cards-3", contents=(), **changes):
    """Change the files and the record of an instance, with digests and an index that fit."""
    own = folder / "instances" / slug
    record = json.loads((own / RECORD).read_bytes()) | changes
    for name, content in dict(contents).items():
        (own / name).write_bytes(content)
        record["files"][name] = digest(content)
    (own / RECORD).write_bytes(as_json(record))
    describe(folder)


def refused(cli, folder, *lines):
    code, out, _ = cli("verify", folder)
    assert (code, out.splitlines()[:-1]) == (3, list(lines))


def test_the_certificate_of_another_tree_is_refused(forged, cli, tmp_path):
    """Doubled payoffs in ``game.efg``, solved again, with a record and digests that fit."""
    path = forged / "instances" / "kuhn_cards-3" / "game.efg"
    text = re.sub(r"\{ (-?\d+), (-?\d+) \}", lambda m: f"{{ {2 * int(m[1])}, {2 * int(m[2])} }}", path.read_text())
    eb.solve(eb.build(text), refine=False).write(tmp_path / "c.json.gz")
    assert cli("verify", tmp_path / "c.json.gz")[0] == 0
    files = {"game.efg": text.encode(), TREE: (tmp_path / "c.json.gz").read_bytes()}
    forge(forged, contents=files, value="-1/9", payoffs="-1/9 1/9", nodes=7, lp_rows=3)
    refused(cli, forged, "wrong: kuhn_cards-3: game.efg does not describe the row's game")
    # With the right game.efg, the certificate is still of another tree.
    forge(forged, contents={"game.efg": eb.build(eb.game("kuhn")).to_efg(portable=True).encode()})
    code, out, _ = cli("verify", forged)
    assert (code, "the tree in the certificate differs" in out) == (3, True)


def claim(forged, slug, **changes):
    """The certificate of *slug* with a changed claim, and check values that fit."""
    return repacked((forged / "instances" / slug / TREE).read_bytes(), lambda parts: parts.update(changes))


def test_a_true_certificate_of_no_equilibrium_is_refused(forged, cli, tmp_path):
    verdict = eb.verify(eb.TreeProfile.uniform(eb.build(eb.game("kuhn", cards=4))))
    profile = json.loads(gzip.decompress((forged / "instances" / "kuhn_cards-4" / TREE).read_bytes()))["profile"]
    for entry in profile:
        entry["probabilities"] = dict.fromkeys(entry["probabilities"], "1/2")
    value, regret = [str(each) for each in verdict.value], str(verdict.regret)
    bounds = {"lower": str(verdict.lower), "upper": str(verdict.upper)}
    status = {"status": "not-an-equilibrium", "exact": False}
    (tmp_path / "c.json.gz").write_bytes(
        content := claim(forged, "kuhn_cards-4", profile=profile, value=value, regret=regret, **bounds, **status)
    )
    assert cli("verify", tmp_path / "c.json.gz")[0] == 0
    said = {"kind": "equilibrium", "value": None, "payoffs": " ".join(value), "regret": regret}
    forge(forged, "kuhn_cards-4", {TREE: content}, **said)
    why = f"claim: not-an-equilibrium, a player gains {float(verdict.regret):.3g}"
    refused(cli, forged, f"wrong: kuhn_cards-4: {why}; the data set takes only exact or almost exact equilibria")


def test_a_false_claim_is_refused(forged, cli):
    content = claim(forged, "kuhn_cards-3", value=["-1/17", "1/17"], lower="-1/17", upper="-1/17")
    forge(forged, contents={TREE: content}, value="-1/17", payoffs="-1/17 1/17")
    code, out, _ = cli("verify", forged)
    assert (code, '"-1/17" in the file, but "-1/18" by the best responses' in out) == (3, True)


RIGHT = {
    **{"title": "Kuhn poker: 2 players, 3 cards", "players": 2, "constant_sum": "0", "nodes": 55, "ends": 30},
    **{"infosets": 12, "sequences": 26, "lp_rows": 20, "lp_columns": 20, "lp_nonzeros": 68, "kind": "value"},
    **{"value": "-1/18", "payoffs": "-1/18 1/18", "regret": "0", "method": "lp", "checker": "tree_checker.py"},
    **{"settings": "cards=3 seats=2", "licence": "MIT"},
}


@pytest.mark.parametrize("key", RIGHT)
@pytest.mark.first(6)
def test_each_figure_of_a_row_is_compared(key, forged, cli):
    forged_value = "equilibrium" if key == "kind" else 7
    forge(forged, **{key: forged_value})
    said, right = json.dumps(forged_value), json.dumps(RIGHT[key])
    refused(cli, forged, f"wrong: kuhn_cards-3: instance.json: {key} is {said}, but {right} by the rules and the proof")


def test_the_files_of_another_game_are_refused(forged, cli):
    for name in ("game.mps", "game.efg"):
        other = (forged / "instances" / "dice-poker_sides-6" / name).read_bytes()
        before = (forged / "instances" / "kuhn_cards-3" / name).read_bytes()
        forge(forged, contents={name: other})
        refused(cli, forged, f"wrong: kuhn_cards-3: {name} does not describe the row's game")
        forge(forged, contents={name: before})
    # A whole instance under the name of another, and a file too many.
    shutil.rmtree(forged / "instances" / "kuhn_cards-3")
    shutil.copytree(forged / "instances" / "kuhn_cards-4", forged / "instances" / "kuhn_cards-3")
    describe(forged)
    refused(cli, forged, "wrong: kuhn_cards-3: the game of the row is kuhn_cards-4")
    (forged / "instances" / "dice-poker_sides-6" / NAMED).write_text("x")
    assert "wrong: dice-poker_sides-6: its files must be" in cli("verify", forged)[1]


@pytest.mark.parametrize(
    "name", ["index.csv", "index.json", "datapackage.json", *library.CHECKERS.values(), "README.md"]
)
def test_each_file_of_the_folder_is_compared(name, forged, cli):
    line = f"wrong: {name}: it does not match the instance.json files and this version of efg-builder"
    content = (forged / name).read_bytes()
    for old, new in ((b"-1/18", b"-1/9"), (b'"hash": "sha256:', b'"hash": "sha256:0')):
        (forged / name).write_bytes(content.replace(old, new, 1) if old in content else content + b"\n")
        refused(cli, forged, line)
    (forged / name).unlink()
    refused(cli, forged, line)


def test_a_forged_description_of_the_package_is_refused(forged, cli):
    path, line = (
        forged / "datapackage.json",
        "it does not match the instance.json files and this version of efg-builder",
    )
    package = json.loads(path.read_bytes())
    index, *others = package["resources"]
    assert index["path"] == "index.csv"
    for change in (
        {"title": "Games"},
        {"licenses": package["licenses"][:1]},
        {"sources": [{"title": "somebody"}]},
        {"resources": [index | {"schema": {}}, *others]},
        {"resources": [index | {"hash": "sha256:0"}, *package["resources"]]},
        {"resources": [*package["resources"], index | {"name": "more", "path": "more.csv"}]},
    ):
        path.write_bytes(as_json(package | change))
        refused(cli, forged, f"wrong: datapackage.json: {line}")


def test_damage_that_fits_its_digests_is_a_line(forged, cli):
    for content in (b"no gzip", gzip.compress(b"[]"), gzip.compress(b"{}"), gzip.compress(b"{}")[:-4]):
        forge(forged, contents={TREE: content})
        assert cli("verify", forged)[1].startswith("wrong: kuhn_cards-3: "), content
    path = forged / "instances" / "kuhn_cards-3" / RECORD
    for content in (b"", b"[]", b'{"nodes": 1, "nodes": 2}', b"{}"):
        path.write_bytes(content)
        describe(forged)
        assert cli("verify", forged)[1].startswith("wrong: kuhn_cards-3: "), content


def test_what_this_version_cannot_rebuild_is_not_proved(forged, cli):
    asked = {"family": "kuhn", "game": "kuhn", "asked": {"cards": "3"}, "rake": "0"}
    for change, why in (
        ({"game": "kuhnn"}, "there is no game 'kuhnn'"),
        ({"game": "unheard.py:Of"}, "the game 'unheard.py:Of' is a class in a file"),
        ({"asked": {"suits": "3"}}, "kuhn has no parameter 'suits'"),
        ({"family": GAMBIT, "game": "../x"}, "the installed pygambit has no game '../x'"),
    ):
        forge(forged, asked=asked | change)
        code, out, _ = cli("verify", forged)
        assert (code, out.splitlines()[1]) == (3, "2 proved, 0 wrong, 1 not compared"), out
        assert out.startswith(f"not compared: kuhn_cards-3: {why}")
    forge(forged, asked=asked | {"rake": 0})
    assert cli("verify", forged)[1].startswith("wrong: kuhn_cards-3: the row does not name a game")
    forge(forged, asked=asked)
    (forged / MARKER).write_text("of another version")
    why = "another version made this data set; its index, README.md and checkers are not compared"
    refused(cli, forged, f"not compared: {MARKER}: {why}")
    code, out, _ = cli("verify", forged, "--max-nodes", "50")
    assert (code, out.count("not compared: ")) == (3, 4)


# --- the index


def test_the_index_fits_its_schema(made):
    package = json.loads((made / "datapackage.json").read_text("utf-8"))
    resource = package["resources"][0]
    assert package["description"].startswith(f"{len(SMALL)} games in extensive form, ")
    assert f"\n{len(SMALL)} games in extensive form, " in (made / "README.md").read_text()
    fields = {field["name"]: field for field in resource["schema"]["fields"]}
    found = rows(made)
    assert all(list(row) == list(fields) == list(COLUMNS) for row in found.values())
    for row in found.values():
        for name, cell in row.items():
            fits(fields[name], cell)
    listed = json.loads((made / "index.json").read_text("utf-8"))["instances"]
    assert [{k: "" if v is None else str(v) for k, v in one.items()} for one in listed] == list(found.values())
    page = (DOCS / "library.md").read_text("utf-8")
    assert all(f"`{name}`" in page for name in fields)


def fits(field, cell):
    limits = field.get("constraints", {})
    if not cell:
        assert not limits.get("required"), field["name"]
        return
    number = {"integer": int, "number": float}.get(field["type"], str)(cell)
    assert "minimum" not in limits or number >= limits["minimum"], (field["name"], cell)
    assert "enum" not in limits or cell in limits["enum"], (field["name"], cell)
    assert "pattern" not in limits or re.fullmatch(limits["pattern"], cell), (field["name"], cell)


def test_every_file_has_the_size_and_the_digest_that_the_package_says(made):
    package = json.loads((made / "datapackage.json").read_text("utf-8"))
    named = {each["path"]: each for each in package["resources"]}
    there = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
    assert named.keys() == there - {MARKER, "datapackage.json"}
    for path, each in named.items():
        content = (made / path).read_bytes()
        assert (each["bytes"], each["hash"]) == (len(content), f"sha256:{sha256(content).hexdigest()}")
    paths = [row[kind] for row in rows(made).values() for kind in ("efg", "mps", "certificate") if row[kind]]
    assert set(paths) == {path for path in there if path.startswith("instances/") and not path.endswith(RECORD)}


# --- again


def test_what_is_proved_stays_and_all_else_is_made_anew(forged, capsys):
    own, before = forged / "instances" / "kuhn_cards-3", stamps(forged)
    whole = {path.name: path.read_bytes() for path in own.iterdir()}
    for name, content in (*((name, b"x") for name in whole), ("game.mps", None)):
        (own / name).unlink() if content is None else (own / name).write_bytes(content)
        assert make(forged, "kuhn_cards-3", "kuhn_cards-4") == 0
        assert capsys.readouterr().out == f"2 games in {forged}: 1 made, 1 there already\n", name
        assert {path.name: path.read_bytes() for path in own.iterdir() if path.suffix in (".efg", ".mps")} == {
            name: whole[name] for name in ("game.efg", "game.mps")
        }
    # A forged row is not there already, whatever its digests are.
    forge(forged, nodes=7)
    assert make(forged, "kuhn_cards-3") == 0
    assert rows(forged)["kuhn_cards-3"]["nodes"] == "55"
    after = stamps(forged)
    assert [path for path in before if path.parent != own and after[path] != before[path]] == []


FOREIGN = {"README.md": "my project", "index.csv": "mine", "instances/kuhn_cards-3/notes.txt": "my notes"}


def test_a_folder_of_others_is_refused_and_stays_as_it_is(tmp_path, capsys):
    folder = tmp_path / "project"
    for name, content in FOREIGN.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    assert make(folder, "kuhn_cards-3") == 2
    assert capsys.readouterr().err == (
        f"error: cannot make a data set in {folder}: it has files, and no {MARKER} that this script writes first; "
        "name a new folder\n"
    )
    assert {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*") if p.is_file()} == FOREIGN
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / ".git").mkdir()
    assert make(tmp_path / "hidden", "kuhn_cards-3") == 2


def test_files_of_others_in_a_data_set_are_left_alone(forged, capsys):
    own = forged / "instances" / "kuhn_cards-3"
    (own / "notes.txt").write_text("my notes")
    (own / RECORD).unlink()
    # A killed run leaves such files.
    for place in (own, forged):
        (place / ".eb-1.part").write_text("")
    assert make(forged, "kuhn_cards-3") == 0
    assert capsys.readouterr().out == (
        f"1 game in {forged}: 1 made, 0 there already\n"
        "left alone: 1 file of others, e.g. instances/kuhn_cards-3/notes.txt\n"
    )
    assert (own / "notes.txt").read_text() == "my notes"
    assert not list(forged.rglob(".eb-*.part"))


def test_an_interrupted_run_goes_on_also_with_processes(made, tmp_path, monkeypatch, capsys):
    slugs, write, written = ("dice-poker_sides-2", "kuhn_cards-3", "kuhn_cards-4"), library.write_atomically, []

    def interrupted(path, chunks):
        written.append((path.name, (tmp_path / "l" / MARKER).exists()))
        if (path.parent.name, path.name) == ("kuhn_cards-4", "game.mps"):
            raise KeyboardInterrupt
        return write(path, chunks)

    monkeypatch.setattr(library, "write_atomically", interrupted)
    assert make(tmp_path / "l", *slugs) == 130
    assert all(marked for _, marked in written)
    assert rows(tmp_path / "l").keys() == {"kuhn_cards-3"}  # in the order of the list
    monkeypatch.setattr(library, "write_atomically", write)
    assert make(tmp_path / "l", *slugs, "--workers", "2") == 0
    assert capsys.readouterr().out.endswith(f"3 games in {tmp_path / 'l'}: 2 made, 1 there already\n")
    assert rows(tmp_path / "l").keys() == {*slugs}
    for name in ("kuhn_cards-4/game.efg", "kuhn_cards-4/game.mps"):
        assert (tmp_path / "l" / "instances" / name).read_bytes() == (made / "instances" / name).read_bytes()


def test_without_pygambit_its_games_are_left_out_with_a_word(made, tmp_path, monkeypatch, cli, capfd):
    monkeypatch.setitem(sys.modules, "pygambit", None)
    gone = {slug for slug, one in BY_SLUG.items() if one.family == GAMBIT}
    assert {one.slug for one in instances()} == BY_SLUG.keys() - gone
    assert f"{len(gone)} of pygambit's games" in (DOCS / "library.md").read_text("utf-8")
    needs = f"the family {GAMBIT} needs pygambit, which is not installed: pip install 'pygambit>=17.0.0b2,<18'"
    assert library.main(["--list", "gambit*"]) == 2
    assert capfd.readouterr().err == f"error: no game is called gambit*; --list lists the names; {needs}\n"
    few = instances()[:2]
    monkeypatch.setattr(library, "instances", lambda: few)
    assert make(tmp_path / "l") == 0
    assert capfd.readouterr().out.splitlines()[1:] == [f"left out: {needs}"]
    refused(cli, made, f"not compared: gambit_journals.ijgt.selten1975.fig1: {needs}")


def test_a_game_that_is_not_solved_is_a_line_and_no_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("efg_builder.experiments.library.MOST_REGRET", Fraction(0))
    assert make(tmp_path / "l", "kuhn_cards-4_seats-3", "kuhn_cards-3") == 3
    assert "kuhn_cards-4_seats-3: claim: near-equilibrium, a player gains" in capsys.readouterr().out.splitlines()[1]
    assert [path.name for path in (tmp_path / "l" / "instances").iterdir()] == ["kuhn_cards-3"]
    assert rows(tmp_path / "l").keys() == {"kuhn_cards-3"}


def test_bad_input_is_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    for words, said in {
        "kuhn*": "name the folder: -o library",
        "-o {}/l kuhn* --workers 0": "--workers 0: at least 1",
        "-o {}/l kuhn* mia_sides-9": "no game is called mia_sides-9; --list lists the names",
        "-o {}/file kuhn*": "cannot write {}/file: File exists",
    }.items():
        assert library.main(words.format(tmp_path).split()) == 2
        assert capsys.readouterr() == ("", f"error: {said.format(tmp_path)}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


# --- three readers


def test_gambit_and_highs_read_the_files_and_find_the_values(made):
    import highspy
    import pygambit

    for slug, row in rows(made).items():
        if int(row["nodes"]) < 1500:  # it reads larger ones slowly
            game = pygambit.read_efg(str(made / row["efg"]))
            assert len(game.players) == int(row["players"])
            lines = game.to_efg().splitlines()
            assert sum(line[:2] in ("c ", "p ", "t ") for line in lines) == int(row["nodes"]), slug
            if row["value"] and int(row["nodes"]) < 200:
                value = pygambit.nash.lp_solve(game, rational=True).equilibrium.payoffs[next(iter(game.players))]
                assert str(value) == row["value"], slug
        if row["mps"]:
            highs = highspy.Highs()
            highs.setOptionValue("output_flag", False)
            assert highs.readModel(str(made / row["mps"])) == highspy.HighsStatus.kOk
            size = highs.getNumRow(), highs.getNumCol(), highs.getNumNz()
            assert size == tuple(int(row[name]) for name in ("lp_rows", "lp_columns", "lp_nonzeros")), slug
            highs.run()
            assert highs.getObjectiveValue() == pytest.approx(float(Fraction(row["value"])), abs=1e-7), slug


def test_open_spiel_reads_the_trees_and_nobody_gains(made):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    from efg_builder.interop.open_spiel import policy

    for slug, row in rows(made).items():
        theirs = pyspiel.load_game(f"efg_game(filename={made / row['efg']})")
        assert theirs.num_players() == int(row["players"])
        if row["checker"] == "tree_checker.py" and int(row["nodes"]) < 800:
            tree = eb.read_efg(made / row["efg"])
            profile = eb.read_strategy(made / row["certificate"], tree)
            assert exploitability.nash_conv(theirs, policy(profile, theirs)) == pytest.approx(0, abs=1e-6), slug


# --- the page


def test_the_table_on_the_page_is_of_the_figures_that_are_kept():
    data, page = frame.load("library"), (DOCS / "library.md").read_text("utf-8")
    assert frame.filled(page, library_solvers.parts(data)) == page
    assert list(data["games"]) == list(library_solvers.CHOSEN)
    for each in data["games"].values():
        assert each["runs"]["simplex"].get("off", 0) < 1e-9


def test_a_solver_that_is_slow_absent_or_wrong_is_said_to_be():
    assert library_solvers.cell({"problem": "absent"}, 1.0, 10) == "absent"
    assert library_solvers.cell({"problem": "limit"}, 1.0, 10) == "over 10 s"
    assert library_solvers.cell({"seconds": 2.0, "off": 1e-9}, 0.5, 10) == "2.000 s (4)"
    assert library_solvers.cell({"seconds": 2.0, "off": 0.01}, None, 10) == "2.000 s, off by 1e-02"


@pytest.mark.slow
def test_every_solver_finds_the_value(made):
    own = made / "instances" / "kuhn_cards-3"
    for solver in library_solvers.HIGHS:
        # In a process of its own, as there: HiGHS takes its number of threads once.
        found = frame.own_process(library_solvers.highs, str(own / "game.mps"), solver, 10)
        if solver != "hipo" or found != {"problem": "absent"}:
            assert found["value"] == pytest.approx(-1 / 18, abs=1e-5), solver
    for rational in (False, True):
        found = library_solvers.gambit(str(own / "game.efg"), rational)
        assert found["value"] == pytest.approx(-1 / 18, abs=1e-9)


# --- all of it


@pytest.mark.slow
def test_the_whole_library_is_made_and_proved(tmp_path, cli, capfd):
    assert make(tmp_path / "l", "--workers", "2") == 0
    capfd.readouterr()
    assert cli("verify", tmp_path / "l")[:2] == (0, f"{len(BY_SLUG)} proved, 0 wrong, 0 not compared\n")
    found = rows(tmp_path / "l")
    for slug, (value, source) in KNOWN.items():
        assert found[slug]["value"] == value, source
    known = {slug: published(slug) for slug in found if found[slug]["value"]}
    compared = {slug: value for slug, value in known.items() if value is not None}
    assert len(compared) >= 12
    assert {slug: found[slug]["value"] for slug in compared} == compared
    assert {slug for slug, row in found.items() if row["regret"] != "0"} == {
        "kuhn_cards-4_seats-3",
        "kuhn_cards-5_seats-3",
    }
