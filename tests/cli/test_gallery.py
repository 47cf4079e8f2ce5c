"""The gallery is what one command makes, byte for byte; JSON but for its times and versions."""

import json
import re
import shlex
from pathlib import Path

import pytest
from paths import ROOT

import gallery
from efg_builder import __version__
from efg_builder.equilibria.solution_files import versions

NAMES = ("dice-poker", "liars-dice_sides-2", "liars-dice_sides-3")
FILES = sorted(
    [
        *(
            Path(folder) / f"{name}.{suffix}"
            for name in NAMES
            for folder, suffix in (("outputs", "efg"), ("outputs", "json"), ("visualizations", "svg"))
        ),
        *(Path("visualizations", name) for name in gallery.DRAWN),
    ]
)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gallery")
    gallery.make(folder)
    return folder


def recorded():
    """The versions that the committed solutions were made with."""
    return json.loads((ROOT / "outputs" / "dice-poker.json").read_text())["run"]["versions"]


def same_solver():
    # Another version of a solver may find another of many equilibria, or Gambit another layout.
    return all(recorded()[part] == versions()[part] for part in ("highspy", "pygambit"))


@pytest.mark.slow
def test_the_gallery_has_all_files(fresh):
    made = sorted(p.relative_to(fresh) for p in fresh.rglob("*") if p.is_file())
    assert made == FILES


@pytest.mark.parametrize("file", FILES, ids=str)
def test_each_file_is_what_the_command_makes(fresh, file):
    if file.suffix == ".efg":
        assert (fresh / file).read_bytes() == (ROOT / file).read_bytes()
        return
    if file.suffix == ".json":
        old, new = (json.loads((folder / file).read_text()) for folder in (ROOT, fresh))
        for data in (old, new):
            del data["run"]
    else:
        old, new = ((folder / file).read_bytes() for folder in (ROOT, fresh))
    if old != new and not same_solver():
        pytest.skip(f"made with {recorded()}, installed are others: another equilibrium or layout is as good")
    assert old == new


def test_the_gallery_was_made_with_this_version():
    assert recorded()["efg-builder"] == __version__


def test_the_page_has_each_picture_with_its_command():
    page = re.sub(r" *\\\n *", " ", (ROOT / "docs" / "gallery.md").read_text())
    shown = re.findall(r"```sh\nefg-builder (.*)\n```\n\n!\[.*?\]\(\.\./visualizations/(.*?)\)", page)
    assert len(shown) >= 19
    commands = {name: shlex.split(command) for command, name in shown}
    for name, words in gallery.DRAWN.items():
        assert commands[name] == ["draw", *words, "-o", name]
    runs = [words for name, words in commands.items() if name not in gallery.DRAWN]
    assert all(words in [["run", *game] for game in gallery.RUNS] for words in runs)
