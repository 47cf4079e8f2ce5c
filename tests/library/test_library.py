"""The library: what is made is whole, described, proved by programs that stand alone, and read by three others."""

import csv
import gzip
import json
import re
import shutil
import sys
from collections import Counter
from fractions import Fraction
from hashlib import sha256

import pytest
from paths import DOCS, TESTS

import efg_builder as eb
import frame
import library
from efg_builder.experiments.library import making
from efg_builder.experiments.library.index import COLUMNS
from efg_builder.experiments.library.instances import FAMILIES, GAMBIT, instances
from efg_builder.proof.certificate import digests

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
    *("kuhn_cards-3", "dice-poker_sides-6", "liars-dice_sides-2_dice-1.1", "liars-dice_sides-3_dice-1.1"),
    *("liars-dice_sides-2_dice-1.1_payoff-points", "liars-dice-spot-on_sides-2_dice-1.1", "mia_sides-2"),
    *("liars-dice-stakes_sides-2_dice-2.1_loss-difference_lose1--1.-3_lose2-3", "leduc_suits-2_ranks-2_raises-1"),
    *("kuhn_cards-3_rake-1.10", "liars-dice_sides-2_dice-1.1.1", "gambit_journals.ijgt.selten1975.fig1"),
    *("kuhn_cards-4_seats-3", "liars-dice_sides-4_dice-1.1"),
)
"""One of each kind: values, another sum, more players, a near-equilibrium, and one that is proved by name."""

BY_SLUG = {one.slug: one for one in instances()}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the small part, as the command makes it."""
    folder = tmp_path_factory.mktemp("made") / "library"
    assert eb_run("library", "-o", folder, *SMALL) == 0
    return folder


def eb_run(*words):
    from efg_builder.cli import run

    return run([str(word) for word in words])


def rows(folder):
    with open(folder / "index.csv", encoding="utf-8", newline="") as file:
        return {row["slug"]: row for row in csv.DictReader(file)}


def stamps(folder):
    return {path: path.stat().st_mtime_ns for path in folder.glob("instances/*/*")}


# --- the list


def test_the_list_has_at_least_three_hundred_games_with_names_that_are_file_names():
    assert len(BY_SLUG) == len(instances()) >= 300
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9._-]{2,119}", slug) for slug in BY_SLUG)
    assert f"makes {len(BY_SLUG)} games" in (DOCS / "library.md").read_text("utf-8")
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
    asked = BY_SLUG[slug].settings
    if BY_SLUG[slug].game != "liars-dice":
        return None
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


def test_the_checkers_in_the_folder_prove_all(made, cli):
    code, out, _ = cli("library", "-o", made, "--check", "--json")
    said = json.loads(out)
    assert (code, said["wrong"], said["proved"].keys()) == (0, {}, set(SMALL))
    assert said["proved"]["kuhn_cards-3"] == "the value to Player 1 is -1/18 (exact)"
    assert {row["checker"] for row in rows(made).values()} == {"checker.py", "tree_checker.py"}


def test_a_row_that_says_more_than_its_certificate_is_found(made, cli):
    path = made / "instances" / "kuhn_cards-3" / "instance.json"
    before = path.read_bytes()
    record = json.loads(before)
    try:
        for changed, why in (({"value": "-1/17"}, "value is -1/17"), ({"regret": "1/2"}, "regret is 1/2")):
            path.write_text(json.dumps(record | changed))
            code, out, _ = cli("library", "-o", made, "--check", "kuhn_cards-3")
            assert code == 3
            assert f"kuhn_cards-3: {why}, and the certificate has" in out
        # Digests that fit are no proof: here the file is of another game.
        other = (made / "instances" / "dice-poker_sides-6" / "game.efg").read_bytes()
        (path.parent / "game.efg").rename(path.parent / "kept")
        (path.parent / "game.efg").write_bytes(other)
        files = record["files"] | {"game.efg": making.digest(other)}
        path.write_text(json.dumps(record | {"files": files}))
        assert "the certificate is of another game" in cli("library", "-o", made, "--check", "kuhn_cards-3")[1]
    finally:
        if (path.parent / "kept").exists():
            (path.parent / "kept").replace(path.parent / "game.efg")
        path.write_bytes(before)


def test_a_forged_certificate_is_refused_by_the_checker(made, cli, tmp_path):
    """With digests that fit, and a record that says the same: only best responses tell."""
    shutil.copytree(made / "instances" / "kuhn_cards-3", tmp_path / "instances" / "kuhn_cards-3")
    own = tmp_path / "instances" / "kuhn_cards-3"
    claim = json.loads(gzip.decompress((own / making.TREE).read_bytes()))
    claim |= {"value": ["-1/17", "1/17"], "lower": "-1/17", "upper": "-1/17"}
    claim["digests"] = digests(claim)
    content = gzip.compress(json.dumps(claim).encode())
    (own / making.TREE).write_bytes(content)
    record = json.loads((own / "instance.json").read_text())
    record |= {"value": "-1/17", "payoffs": claim["value"]}
    record["files"][making.TREE] = making.digest(content)
    (own / "instance.json").write_text(json.dumps(record))
    code, out, _ = cli("library", "-o", tmp_path, "--check")
    assert (code, out.splitlines()[0]) == (3, "0 certificates proved, 1 not")
    assert "kuhn_cards-3: refused: claim" in out


def test_damage_that_fits_its_digests_is_a_line(made, cli, tmp_path):
    slug = "kuhn_cards-3"
    own = tmp_path / "instances" / slug
    for name, content in (
        (making.TREE, b"no gzip"),
        (making.TREE, gzip.compress(b"[]")),
        (making.TREE, gzip.compress(b"{}")),
        (making.TREE, gzip.compress(b"{}")[:-4]),
        ("game.efg", b"no tree"),
    ):
        shutil.copytree(made / "instances" / slug, own)
        (own / name).write_bytes(content)
        record = json.loads((own / "instance.json").read_text())
        record["files"][name] = making.digest(content)
        (own / "instance.json").write_text(json.dumps(record))
        code, out, _ = cli("library", "-o", tmp_path, "--check")
        assert (code, out.splitlines()[1]) == (3, f"{slug}: its certificate cannot be read"), name
        shutil.rmtree(own)


def test_what_is_not_in_the_list_is_not_proved(made, cli, tmp_path):
    for slug in ("kuhn_cards-3", "kuhn_cards-2"):
        shutil.copytree(made / "instances" / "kuhn_cards-3", tmp_path / "instances" / slug)
    code, out, _ = cli("library", "-o", tmp_path, "--check")
    assert code == 3
    assert out.splitlines() == [
        "1 certificate proved, 1 not",
        f"kuhn_cards-2: it is not in the list of efg-builder {eb.__version__}",
    ]
    assert cli("library", "-o", tmp_path, "--check", "kuhn*")[0] == 0


# --- the index


def test_the_index_fits_its_schema(made):
    package = json.loads((made / "datapackage.json").read_text("utf-8"))
    resource = package["resources"][0]
    fields = {field["name"]: field for field in resource["schema"]["fields"]}
    found = rows(made)
    assert all(list(row) == list(fields) == [name for name, *_ in COLUMNS] for row in found.values())
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
    there = {path.relative_to(made).as_posix() for path in made.glob("instances/*/*")} - {
        f"instances/{slug}/instance.json" for slug in SMALL
    }
    assert named.keys() == there | {"index.csv", "index.json"}
    for path, each in named.items():
        content = (made / path).read_bytes()
        assert (each["bytes"], each["hash"]) == (len(content), f"sha256:{sha256(content).hexdigest()}")
    paths = [row[kind] for row in rows(made).values() for kind in ("efg", "mps", "certificate") if row[kind]]
    assert set(paths) == there


def test_a_library_says_its_licences(made):
    assert {row["licence"] for slug, row in rows(made).items() if slug.startswith("gambit")} == {"GPL-2.0-or-later"}
    assert (made / "LICENSE").read_text().startswith("SPDX-License-Identifier: MIT\n")
    assert "GPL-2.0-or-later" in (made / "LICENSE").read_text()


# --- again


def test_what_is_whole_stays_and_what_is_damaged_is_made_anew(made, cli):
    before = stamps(made)
    assert cli("library", "-o", made, *SMALL)[1].endswith(f": 0 made, {len(SMALL)} there already\n")
    assert stamps(made) == before
    own = made / "instances" / "kuhn_cards-3"
    whole = {path.name: path.read_bytes() for path in own.iterdir()}
    damages = {
        "game.efg": whole["game.efg"][:-1],
        "game.mps": whole["game.mps"].replace(b"ROWS", b"ROWZ"),
        making.TREE: b"",
        "instance.json": whole["instance.json"][:50],
    }
    for name, content in damages.items():
        (own / name).write_bytes(content)
        code, out, _ = cli("library", "-o", made, "--check", "kuhn_cards-3")
        assert (code, "it is not whole" in out) == (3, True), name
        assert "1 made" in cli("library", "-o", made, "kuhn_cards-3")[1]
        assert (own / "game.efg").read_bytes() == whole["game.efg"]
    record = json.loads(whole["instance.json"])
    assert set(record) == making.KEYS
    for changed in ({key: record[key] for key in record if key != "nodes"}, record | {"payoffs": [1, -1]}):
        (own / "instance.json").write_text(json.dumps(changed))
        assert "it is not whole" in cli("library", "-o", made, "--check", "kuhn_cards-3")[1]
        assert "1 made" in cli("library", "-o", made, "kuhn_cards-3")[1]
    (own / "game.mps").unlink()
    assert "1 made" in cli("library", "-o", made, "kuhn_cards-3")[1]
    assert (own / "game.mps").read_bytes() == whole["game.mps"]
    assert {path: stamp for path, stamp in stamps(made).items() if path.parent != own} == {
        path: stamp for path, stamp in before.items() if path.parent != own
    }


def test_a_run_that_is_interrupted_goes_on(tmp_path, monkeypatch, cli):
    slugs, write = ("dice-poker_sides-2", "kuhn_cards-3", "kuhn_cards-4"), making.write_sequence_form

    def interrupted(tree, path):
        if path.parent.name == "kuhn_cards-3":
            raise KeyboardInterrupt
        return write(tree, path)

    monkeypatch.setattr(making, "write_sequence_form", interrupted)
    assert cli("library", "-o", tmp_path / "l", *slugs)[0] == 130
    # In the order of the list, which has Kuhn poker first: what was begun is not whole, and nothing is described.
    assert rows(tmp_path / "l") == {}
    monkeypatch.setattr(making, "write_sequence_form", write)
    assert cli("library", "-o", tmp_path / "l", *slugs)[:2] == (
        0,
        f"3 instances in {tmp_path / 'l'}: 3 made, 0 there already\n",
    )


def test_without_pygambit_its_games_are_left_out_with_a_word(tmp_path, monkeypatch, cli):
    monkeypatch.setitem(sys.modules, "pygambit", None)
    there = {one.slug for one in instances()}
    gone = {slug for slug, one in BY_SLUG.items() if one.family == GAMBIT}
    assert there == BY_SLUG.keys() - gone
    assert f"{len(gone)} of pygambit's games" in (DOCS / "library.md").read_text("utf-8")
    needs = f"the family {GAMBIT} needs pygambit: pip install 'efg-builder[gambit]'"
    assert cli("library", "--list-instances", "gambit*")[2] == (
        f"error: no instance is called gambit*; --list-instances lists the names; {needs}\n"
    )
    few = instances()[:2]
    monkeypatch.setattr("efg_builder.experiments.library.instances.instances", lambda: few)
    code, out, _ = cli("library", "-o", tmp_path / "l")
    assert (code, out.splitlines()[1:]) == (0, [f"left out: {needs}"])
    words = ("library", "-o", tmp_path / "l", few[0].slug)
    assert len(cli(*words)[1].splitlines()) == 1
    # The index cannot have them, though they are there.
    (one, *_) = gone
    shutil.copytree(tmp_path / "l" / "instances" / few[0].slug, tmp_path / "l" / "instances" / one)
    assert cli(*words)[1].splitlines()[1:] == [f"left out: {needs}"]


def test_processes_make_the_same(made, tmp_path, cli):
    assert cli("library", "-o", tmp_path, "kuhn_cards-3", "mia_sides-2", "--workers", "2")[0] == 0
    for slug in ("kuhn_cards-3", "mia_sides-2"):
        for name in ("game.efg", "game.mps"):
            mine, theirs = (folder / "instances" / slug / name for folder in (tmp_path, made))
            assert mine.read_bytes() == theirs.read_bytes()


def test_a_game_that_is_not_solved_is_a_line_and_no_folder(tmp_path, monkeypatch, cli):
    monkeypatch.setattr(making, "MOST_REGRET", Fraction(0))
    code, out, _ = cli("library", "-o", tmp_path, "kuhn_cards-4_seats-3", "kuhn_cards-3")
    assert code == 3
    assert out.splitlines()[1].startswith("kuhn_cards-4_seats-3: near-equilibrium, somebody gains")
    assert [path.name for path in (tmp_path / "instances").iterdir()] == ["kuhn_cards-3"]
    assert rows(tmp_path).keys() == {"kuhn_cards-3"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("kuhn*",), "name the folder for the library: -o library"),
        (("-o", "{}", "kuhnn"), "no instance is called kuhnn; --list-instances lists the names"),
        (("-o", "{}", "kuhn*", "mia_sides-9"), "no instance is called mia_sides-9; --list-instances lists the names"),
        (("-o", "{}", "kuhn*"), "cannot make a library in {}: it has other files; name a new folder"),
        (("-o", "{}/none", "--check"), "there is no folder {}/none to check; without --check it is made"),
        (("-o", "{}/file", "kuhn*"), "cannot write {}/file: Not a directory"),
    ],
)
def test_what_cannot_be_done_is_one_line(words, said, tmp_path, cli):
    (tmp_path / "file").write_text("x")
    code, out, err = cli("library", *(word.format(tmp_path) for word in words))
    assert (code, out, err) == (2, "", f"error: {said.format(tmp_path)}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


# --- three readers


def test_gambit_reads_the_trees_and_finds_the_values(made):
    import pygambit

    found = {slug: row for slug, row in rows(made).items() if int(row["nodes"]) < 1500}  # it reads larger ones slowly
    assert len(found) == len(SMALL) - 1
    for slug, row in found.items():
        game = pygambit.read_efg(str(made / row["efg"]))
        assert len(game.players) == int(row["players"])
        lines = game.to_efg().splitlines()
        assert sum(line[:2] in ("c ", "p ", "t ") for line in lines) == int(row["nodes"]), slug
        if row["value"] and int(row["nodes"]) < 200:
            value = pygambit.nash.lp_solve(game, rational=True).equilibrium.payoffs[next(iter(game.players))]
            assert str(value) == row["value"], slug


def test_highs_reads_the_programs_and_finds_the_values(made):
    import highspy

    for slug, row in rows(made).items():
        if not row["mps"]:
            continue
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
    assert frame.filled(page, library.parts(data)) == page
    assert list(data["games"]) == list(library.CHOSEN)
    for each in data["games"].values():
        assert each["runs"]["simplex"].get("off", 0) < 1e-9


def test_a_solver_that_is_slow_absent_or_wrong_is_said_to_be():
    assert library.cell({"problem": "absent"}, 1.0, 10) == "absent"
    assert library.cell({"problem": "limit"}, 1.0, 10) == "over 10 s"
    assert library.cell({"seconds": 2.0, "off": 1e-9}, 0.5, 10) == "2.000 s (4)"
    assert library.cell({"seconds": 2.0, "off": 0.01}, None, 10) == "2.000 s, off by 1e-02"


def test_every_solver_finds_the_value(made):
    own = made / "instances" / "kuhn_cards-3"
    for solver in library.HIGHS:
        # In a process of its own, as there: HiGHS takes its number of threads once.
        found = frame.own_process(library.highs, str(own / "game.mps"), solver, 10)
        if solver != "hipo" or found != {"problem": "absent"}:
            assert found["value"] == pytest.approx(-1 / 18, abs=1e-5), solver
    for rational in (False, True):
        found = library.gambit(str(own / "game.efg"), rational)
        assert found["value"] == pytest.approx(-1 / 18, abs=1e-9)


# --- all of it


@pytest.mark.slow
def test_the_whole_library_is_made_and_proved(tmp_path, cli):
    assert cli("library", "-o", tmp_path, "--workers", "2")[0] == 0
    code, out, _ = cli("library", "-o", tmp_path, "--check", "--json")
    said = json.loads(out)
    assert (code, said["wrong"], said["proved"].keys()) == (0, {}, BY_SLUG.keys())
    found = rows(tmp_path)
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
