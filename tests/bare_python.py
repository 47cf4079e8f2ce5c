"""A Python like a browser's: no threads, no processes, no engines, a 32-bit index type, and a mask that hides all.

Run as a script, it plays through small games of the catalogue and prints what it found as JSON, a line per game. A test
runs it in a process of its own, because no module of the package may be loaded before the blocks are in place.
"""

import contextlib
import errno
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

ENGINES = ("highspy", "numba", "pygambit", "psutil", "lzma", "_lzma")


def no_thread(self):
    raise RuntimeError("can't start new thread")


def no_process(*given, **named):
    raise OSError(errno.ENOTSUP, "this platform does not support processes.")


def block():
    """Put all blocks in place; NumPy's index type last, because that imports the whole package."""
    assert not [name for name in sys.modules if name.startswith("efg_builder")]
    sys.modules.update(dict.fromkeys(ENGINES))
    threading.Thread.start = no_thread
    subprocess.Popen.__init__ = no_process
    for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system"):
        setattr(os, name, no_process)
    os.umask = lambda mask: 0o777
    import narrow_indices

    narrow_indices.install()


def course(game, folder, picture):
    """Solve *game*, write its proof and pictures into *folder*, and return what was found."""
    import efg_builder as eb

    solution = eb.solve(game)
    files = [solution.write(folder / "solution.json"), solution.draw(folder / "tree.html")]
    if picture:
        files.append(solution.draw(folder / "tree.svg"))
    found = {"status": solution.status, "value": [str(value) for value in solution.value]}
    found["modes"] = [file.stat().st_mode & 0o777 for file in files]
    found["uniform"] = eb.evaluate(game, "uniform").to_json()
    found["methods"] = dict(methods(game))
    return found


def methods(game):
    """Yield the status of each method that applies, and the value if it is exact."""
    import efg_builder as eb

    size = len(eb.build(game))
    for name in ("backward", "cfr", "lcp", "lp", "many", "oracle"):
        if name == "lcp" and size > 400:
            continue
        solution = eb.solve(game, name, timeout=60, gap=0.1 if name in ("cfr", "many") else None)
        exact = solution.value if solution.status == "equilibrium" else ()
        yield name, [solution.status, *map(str, exact)]


COMMANDS = {
    "run": "run liars-dice --out run",
    "report": "report kuhn -o report.html",
    "ranges": "ranges kuhn",
    "ranges by linear programs": "ranges liars-dice sides=3 --json",
    "large": "solve liars-dice sides=6 dice=2,1 --json",
    "leduc": "solve leduc --method lp --json",
    "regret": "solve liars-dice sides=6 dice=2,2 --option master=regret --method oracle --gap 1/10 --json",
    "arena": "arena liars-dice --players uniform,always-call --games 100 -o arena.db --workers 1",
    "gambit": "solve kuhn --method gambit-lcp",
    "branch": "qre kuhn",
    "sweep": "sweep liars-dice sides=2 -o sweep.db",
    "memory": "sweep liars-dice sides=2 -o sweep.db --memory 500",
    "program": "evaluate kuhn --strategy program:cat",
}


def commands():
    """Yield the name, the exit code, the output and the errors of each command."""
    from efg_builder.cli import run

    for name, words in COMMANDS.items():
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words.split())
        yield name, [code, out.getvalue(), err.getvalue()]


def main(folder):
    block()
    import efg_builder as eb

    os.chdir(folder)
    for name, kind in eb.catalogue().items():
        for number, settings in enumerate(kind.small):
            place = Path(f"{name}-{number}")
            place.mkdir()
            found = course(eb.game(name, **settings), place, picture=number == 0)
            print(json.dumps([place.name, found]), flush=True)
    print(json.dumps(["commands", dict(commands())]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
