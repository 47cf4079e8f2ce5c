"""The gallery is what one command makes, byte for byte; JSON but for its times and versions."""

import json
import re
import shlex
import struct
from importlib.metadata import version
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


def recorded():
    """The versions that the committed solutions were made with."""
    return json.loads((ROOT / "outputs" / "dice-poker.json").read_text())["run"]["versions"]


def same_solver():
    # Another version of a solver may find another of many equilibria, or Gambit another layout.
    return all(recorded()[part] == versions()[part] for part in ("highspy", "pygambit"))


def content(path):
    """The bytes of a file; of JSON its data, without what is of a run."""
    if path.suffix != ".json":
        return path.read_bytes()
    data = json.loads(path.read_text())
    del data["run"]
    return data


def test_each_file_is_what_the_command_makes(tmp_path):
    gallery.make(tmp_path)
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()) == FILES
    others = [file for file in FILES if content(tmp_path / file) != content(ROOT / file)]
    assert not [file for file in others if file.suffix == ".efg"]
    if others and not same_solver():
        pytest.skip(f"made with {recorded()}, installed are others: another equilibrium or layout is as good")
    assert others == []


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


# --- docs/tutorials/lecture.md

LECTURE = ROOT / "docs" / "lecture"


def test_the_lecture_has_each_file_with_its_command():
    page = (ROOT / "docs" / "tutorials" / "lecture.md").read_text()
    lines = {tuple(shlex.split(line)) for line in re.sub(r" *\\\n *", " ", page).splitlines() if " -o " in line}
    files = {f"{name}{ending}" for name, (_, endings) in gallery.LECTURE.items() for ending in endings}
    for name, (words, endings) in gallery.LECTURE.items():
        outputs = (word for ending in endings for word in ("-o", f"{name}{ending}"))
        assert ("efg-builder", *words, *outputs) in lines
    assert {path.name for path in LECTURE.iterdir()} == files
    assert {name for name in files if f"(../lecture/{name})" in page} == files
    assert sum(path.stat().st_size for path in LECTURE.iterdir()) < 1_500_000


def test_the_slides_of_the_lecture_fill_a_screen():
    sizes = {path.name: struct.unpack(">II", path.read_bytes()[16:24]) for path in LECTURE.glob("*.png")}
    assert {name: wide / high for name, (wide, high) in sizes.items()} == dict.fromkeys(sizes, 16 / 9)


def test_each_file_of_the_lecture_is_what_its_command_makes(tmp_path):
    made_with = re.search(rb"pdf backend v([\d.]+)", (LECTURE / "1-game.pdf").read_bytes())[1].decode()
    if made_with != version("matplotlib"):
        pytest.skip(f"made with Matplotlib {made_with}: another version has other files")
    gallery.make_lecture(tmp_path)
    others = [path.name for path in tmp_path.iterdir() if path.read_bytes() != (LECTURE / path.name).read_bytes()]
    if others and not same_solver():
        pytest.skip(f"made with {recorded()}, installed are others: another equilibrium is as good")
    assert others == []
