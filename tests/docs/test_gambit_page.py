"""The page for users of Gambit 16: its statements on pygambit 17 are true of the installed version."""

import inspect
import io
import re

import pygambit
import pytest
from paths import DOCS

import efg_builder as eb
from efg_builder.solvers.registry import methods

PAGE = (DOCS / "from-gambit.md").read_text()
CHANGES = PAGE.partition("## What changed")[2].partition("\n## ")[0]
ROUTINES = PAGE.partition("## Gambit's routines and ours")[2]
GAMES = (pygambit.Game, pygambit.ExtensiveGame, pygambit.StrategicGame)


def rows(part):
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in part.splitlines() if line[:1] == "|"]


def test_what_is_said_to_be_gone_is_gone_and_what_replaces_it_is_there():
    gone = re.findall(r"`[Gg]ame\.(\w+)", "".join(old for old, _ in rows(CHANGES)[2:]))
    kept = re.findall(r"`game\.(\w+)", "".join(new for _, new in rows(CHANGES)[2:]))
    assert {"new_tree", "new_table", "add_outcome", "add_player", "add_strategy"} < set(gone)
    for name in set(gone) - {"append_move"}:
        assert not any(hasattr(kind, name) for kind in GAMES[:2]), name
        assert name.startswith("from_") or not hasattr(pygambit.StrategicGame, name)
    for name in kept:
        assert any(hasattr(kind, name) for kind in GAMES), name
    for kind, name in re.findall(r"`(\w+Game)\.(\w+)", CHANGES):
        assert hasattr(getattr(pygambit, kind), name)
    profile = pygambit.read_efg(io.StringIO(eb.build(eb.game("dice-poker", sides=2)).to_efg())).mixed_behavior_profile()
    assert not hasattr(profile, "payoff")
    assert profile.payoffs["A"]


def test_every_routine_of_gambits_is_named_and_every_method_is_one():
    named = set(re.findall(r"`(\w+_solve)`", ROUTINES))
    routines = {name for name, value in inspect.getmembers(pygambit.nash) if name.endswith("_solve")}
    assert named == {name for name in routines if "agent" not in name}
    said = set(re.findall(r"--method ([a-z]+(?:-[a-z]+)?)(?!-)", PAGE))
    assert {"lp", "many", "gambit-lp"} <= said
    assert said <= set(methods())


def test_a_workbook_goes_by_way_of_pygambit(tmp_path):
    poker = eb.build(eb.game("dice-poker", sides=2))
    head = '<?xml version="1.0"?>\n<gambit:document xmlns:gambit="http://gambit.sourceforge.net/" version="0.1">\n'
    workbook = f"{head}<game>\n<efgfile>\n{poker.to_efg()}</efgfile>\n</game>\n</gambit:document>\n"
    assert eb.build(pygambit.read_gbt(io.BytesIO(workbook.encode()))) == poker
    path = tmp_path / "game.gbt"
    path.write_text(workbook)
    with pytest.raises(eb.EfgSyntaxError, match="begins with EFG"):
        eb.build(path)
