"""Kills processes while they write, and looks at what they leave: ``python tests/fuzz/killed.py FOLDER``.

Of each kind of file there is an old one; a process of its own begins to replace it by a new one and is killed with
signal 9, at each step of writing and at random moments. Prints a JSON object of counts, for ``test_hardening.py``.
"""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path

from targets import DICE, checkpoint_seeds, dense_profile

import efg_builder as eb
from efg_builder.base import files
from efg_builder.display.trees import draw
from efg_builder.forms.normal_form import normal_form
from efg_builder.interop.efg.writer import write_efg
from efg_builder.interop.nfg import write_form
from efg_builder.solvers.bidding_model import bidding
from efg_builder.solvers.oracle.state import load, save
from efg_builder.strategies.dense_profile import write_dense

STEPS = ("before", "empty", "half", "whole", "beside", "in place")
"""Before the file beside it is made, when it is empty, half written, whole, about to be renamed, and after that."""
RANDOM = 6

Writer = Callable[[Path], object]


def writers(folder: Path) -> dict[str, tuple[Writer, Writer]]:
    """For each kind of file, what writes an old and a new one."""
    dice, poker = eb.game("liars-dice", sides=2), eb.game("dice-poker", sides=2)
    trees = eb.build(dice), eb.build(poker)
    solved = tuple(eb.solve(tree, "lp") for tree in trees)
    forms = tuple(normal_form(eb.build(game)) for game in (poker, eb.game("dice-poker", sides=3)))
    searches, state = [], folder / "state-of-the-oracle"
    for seed in checkpoint_seeds():
        state.write_bytes(seed)
        searches.append(load(state, bidding(eb.game(DICE[0], **DICE[1]))))
    state.unlink()
    wide = dense_profile(0.0), dense_profile(0.25)
    pictures = {kind: pair(trees, lambda tree, path: draw(tree, path)) for kind in ("svg", "png", "pdf", "gv")}
    return pictures | {
        "efg": pair(trees, write_efg),
        "json": pair(solved, lambda solution, path: solution.write(path)),
        "json.gz": pair(solved, lambda solution, path: solution.write(path)),
        "state": pair(searches, lambda search, path: save(path, search)),
        "csv": pair(forms, write_form),
        "nfg": pair(forms, write_form),
        "npz": pair(wide, lambda strategy, path: write_dense(path, strategy)),
    }


def pair(things, write) -> tuple[Writer, Writer]:
    old, new = things
    return lambda path: write(old, path), lambda path: write(new, path)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dying(function: Callable, after: bool) -> Callable:
    """*function* that is the process's last, done or not."""

    def last(*given, **named):
        if after:
            function(*given, **named)
        die()

    return last


class Half:
    """A file of which half the first piece gets written."""

    def __init__(self, file) -> None:
        self.file = file

    def __enter__(self) -> "Half":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> None:
        self.file.write(data[: len(data) // 2])
        self.file.flush()
        die()


def arm(step: str) -> None:
    """Let this process die at *step*."""
    if step in ("before", "empty"):
        files.tempfile.mkstemp = dying(files.tempfile.mkstemp, step == "empty")
    elif step == "half":
        opened = os.fdopen
        files.os.fdopen = lambda *given, **named: Half(opened(*given, **named))
    elif step == "whole":
        files.os.chmod = dying(os.chmod, False)
    else:
        files.os.replace = dying(os.replace, step == "in place")


def kill_one(path: Path, write: Writer, step: str | None, patience: float) -> bool:
    """Whether a process that writes to *path* was killed, at *step* or after a while."""
    process = os.fork()
    if process == 0:
        try:
            if step:
                arm(step)
            write(path)
            while step is None:
                signal.pause()
        finally:
            os._exit(1)
    if step is None:
        time.sleep(random.uniform(0, 1.3 * patience))
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def trial(folder: Path, kind: str, old: Writer, new: Writer) -> dict[str, object]:
    path, aside = folder / f"file.{kind}", folder.parent / f"aside.{kind}"
    old(aside)
    before = aside.read_bytes()
    began = time.monotonic()
    new(aside)
    patience, after = time.monotonic() - began, aside.read_bytes()
    assert before != after
    aside.unlink()
    found = {"kills": 0, "killed": 0, "old": 0, "new": 0, "torn": 0, "strays": []}
    for step in (*STEPS, *[None] * RANDOM):
        path.write_bytes(before)
        found["kills"] += 1
        found["killed"] += kill_one(path, new, step, patience)
        content = path.read_bytes() if path.exists() else b""
        found["old" if content == before else "new" if content == after else "torn"] += 1
        for other in folder.iterdir():
            if other != path:
                if not fnmatch(other.name, ".eb-*.part"):
                    found["strays"].append(other.name)
                other.unlink()
    path.unlink(missing_ok=True)
    return found


def main(folder: Path) -> None:
    inside = folder / "inside"
    inside.mkdir()
    print(json.dumps({kind: trial(inside, kind, *both) for kind, both in writers(folder).items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
