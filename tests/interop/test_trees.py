"""One door for whatever is a tree: trees, games, pygambit's games, paths and text; and back to Gambit."""

from __future__ import annotations

import gzip
import io
from fractions import Fraction
from pathlib import Path

import pygambit
import pytest

import efg_builder as eb
from efg_builder.interop.nfg import nfg_chunks

POKER = eb.build(eb.game("dice-poker", sides=3))
NFG = b"".join(nfg_chunks(eb.matrix(POKER))).decode()


def extensive() -> pygambit.Game:
    return pygambit.read_efg(io.StringIO(POKER.to_efg()))


def strategic() -> pygambit.Game:
    # Matching pennies; Gambit numbers strategies where they have no names.
    pennies = {"Even": [[1, -1], [-1, 1]], "Odd": [[-1, 1], [1, -1]]}
    return pygambit.StrategicGame.from_dict(pennies, title="Matching pennies")


def test_a_tree_is_itself_and_a_game_is_built() -> None:
    assert eb.build(POKER) is POKER
    assert eb.build(eb.game("dice-poker", sides=3)) == POKER
    with pytest.raises(eb.TreeTooLargeError):
        eb.build(eb.game("dice-poker"), max_nodes=100)


def test_names_of_an_extensive_game_are_kept_both_ways() -> None:
    theirs = eb.to_gambit(POKER)
    assert isinstance(theirs, pygambit.Game)
    assert eb.build(theirs) == eb.build(extensive()) == POKER


def test_names_of_a_strategic_game_are_kept_both_ways() -> None:
    for theirs in (strategic(), eb.to_gambit(strategic())):
        tree = eb.build(theirs)
        assert (tree.title, tree.players) == ("Matching pennies", ("Even", "Odd"))
        assert [(infoset.label, infoset.actions) for infoset in tree.infosets] == [
            ("Even", ("1", "2")),
            ("Odd", ("1", "2")),
        ]
        # Gambit names the outcomes of a table by numbers, column by column.
        paid = {outcome.label: outcome.payoffs[0] for outcome in tree.outcomes}
        assert paid == {"1": 1, "2": -1, "3": -1, "4": 1}
        solution = eb.solve(theirs)
        assert solution.value == (0, 0)
        assert solution.strategy["Even"] == {"1": Fraction(1, 2), "2": Fraction(1, 2)}


@pytest.mark.parametrize("name", ["efg", "nfg"])
def test_files_are_known_by_what_they_hold(name: str, tmp_path: Path) -> None:
    text = POKER.to_efg() if name == "efg" else NFG
    path, packed, other = tmp_path / f"game.{name}", tmp_path / "game.gz", tmp_path / "game.txt"
    for each in (path, other):
        each.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    found = [eb.build(given) for given in (path, str(path), text, "\ufeff" + text, "\n " + text, packed, str(other))]
    assert all(tree == found[0] for tree in found)
    assert eb.solve(found[0]).value == eb.solve(POKER).value
    if name == "efg":
        assert found[0] == POKER


@pytest.mark.parametrize("make", [extensive, strategic], ids=["extensive", "strategic"])
@pytest.mark.usefixtures("in_process")
def test_whatever_takes_a_tree_takes_a_game_of_gambits(make, tmp_path: Path) -> None:
    given, tree = make(), eb.build(make())
    solution = eb.solve(given)
    assert solution.exact
    assert eb.solve(tree).value == solution.value
    assert eb.ranges(given).value == solution.value[0]
    assert eb.evaluate(given, "uniform").matches == eb.evaluate(tree, "uniform").matches
    assert eb.matrix(given).shape == eb.matrix(tree).shape
    assert eb.quantal_branch(given, points=2).points
    assert eb.verify(solution.write(tmp_path / "s.json"), game=given).exact
    assert eb.verify(eb.read_strategy({}, given)).regret is not None
    for name, call in {
        "a.svg": lambda path, game: eb.draw(game, path),
        "b.svg": lambda path, game: eb.draw(game, path, solution),
        "a.html": lambda path, game: eb.write_viewer(game, path),
        "b.html": lambda path, game: eb.write_viewer(game, path, {"equilibrium": solution}),
    }.items():
        assert call(tmp_path / name, given).read_bytes() == call(tmp_path / f"t-{name}", tree).read_bytes()
    assert "Report on a game" in eb.write_report(given, tmp_path / "report.html").read_text()


@pytest.mark.parametrize("call", [eb.build, eb.solve, eb.ranges, eb.matrix, eb.quantal_branch, eb.to_gambit])
def test_what_is_no_tree_is_named_in_one_line(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kuhn").mkdir()  # a folder is no file
    profile = strategic().mixed_strategy_profile()
    for given, kind in ((5, "int 5"), (None, "NoneType"), (profile, type(profile).__name__)):
        with pytest.raises(eb.ParameterError, match=rf"{call.__name__}\(\) takes .*, not {kind}; ") as caught:
            call(given)
        assert "\n" not in str(caught.value)
    with pytest.raises(eb.ParameterError, match="there is no game 'kun'; did you mean 'kuhn'"):
        call("kun")
    with pytest.raises(eb.FileError, match=r"cannot read nowhere\.efg"):
        call("nowhere.efg")
    with pytest.raises(eb.EfgSyntaxError, match="line 1:8"):
        call("NFG 1 R")


def test_a_game_is_named_as_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kuhn").mkdir()  # a folder is no file
    Path("own.py").write_text(
        "import efg_builder as eb\n\nclass One(eb.Game):\n    players = 'Ann',\n\n"
        "    def turn(self, state):\n        return eb.End((2,))\n"
    )
    assert eb.build("liars-dice sides=3 dice=1,1") == eb.build(eb.game("liars-dice", sides=3))
    assert eb.solve("kuhn").game == eb.game("kuhn")
    assert eb.solve("own.py:One").value == (2,)
    with pytest.raises(AttributeError, match="efg_builder has no 'tree'; did you mean 'build'"):
        eb.tree("kuhn")
    assert eb.build("kuhn") == eb.ranges("kuhn").tree
    assert eb.draw("own.py", "x.svg").exists()
    for words, problem in {
        "liars-dice sides": "'sides' is not of the form KEY=VALUE",
        "liars-dice sides=3 sides=4": "set twice",
        "liars-dice side=3": "did you mean 'sides'",
        "": "does not name a game",
        "liars-dice 'x": "does not name a game",
        "own.py:Two": "has no class 'Two'",
    }.items():
        with pytest.raises(eb.ParameterError, match=problem):
            eb.solve(words)


@pytest.mark.parametrize("write", [eb.draw, eb.write_report])
@pytest.mark.parametrize("given", [3, object()])
def test_paths_of_other_types_are_refused_in_one_line(write, given) -> None:
    with pytest.raises(eb.ParameterError) as caught:
        write("kuhn", given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("command", "kind"), [("matrix", "nfg"), ("build", "efg")])
def test_commands_write_and_take_each_kind_of_file(command, kind, cli, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = f"game.{kind}"
    for words in (
        [command, "dice-poker", "-o", game],
        ["solve", game, "-o", "solution.json"],
        ["verify", "solution.json", game],
        ["draw", game, "--solution", "solution.json", "-o", "page.html"],
        ["build", game, "-o", "again.efg"],
        ["info", game],
        ["evaluate", game, "--strategy", "uniform"],
        ["verify", "solution.json", "again.efg"],
    ):
        code, out, err = cli(*words)
        assert code == 0, err
        assert words[0] != "solve" or "value         A: 5/54" in out  # dice poker's, as the README has it
    assert eb.read_efg("again.efg") == eb.build(game)
    assert kind == "nfg" or eb.build(game).parent.tolist() == eb.build(eb.game("dice-poker")).parent.tolist()
