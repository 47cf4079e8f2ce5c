"""List the files whose functions a command calls: ``python benchmarks/files_passed.py [COMMAND ...]``.

Without arguments, trace ``solve``, ``evaluate``, ``draw --view public`` and ``verify``. ``efg_builder.cli.run`` runs
each in a separate process, so that nothing is cached. PYTHONPATH selects the checkout:

    PYTHONPATH=/path/to/release python benchmarks/files_passed.py
    PYTHONPATH=. python benchmarks/files_passed.py solve liars-dice sides=2

A file counts if the command calls at least one of its functions, methods or lambdas, in any thread. These do not count:
imports and the code that runs during imports (module and class bodies, registering decorators); methods that
``dataclass`` generates; comprehensions; child processes.

Two counts follow each list. The first has every such file. The second leaves out the command line (``cli``), the
package's ``__init__``, and the base modules: errors, files, registry, rationals, naming, machine and .npy files in any
folder, and the folder ``base``. ``*`` marks the files of the second count.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

COMMANDS = (
    "solve liars-dice sides=3",
    "evaluate liars-dice sides=6 --strategy uniform",
    "draw liars-dice sides=3 --view public -o x.svg",
    f"verify {ROOT / 'docs/certificates/2v2-6.json.gz'}",
)

GROUND_FLOOR = {"errors", "files", "rationals", "machine", "npy_file"}
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}

OPTIMIZED = 1
"""``inspect.CO_OPTIMIZED``: set for the code of functions, not for that of modules and class bodies."""


class Tracer:
    """Records the functions called in files below *folder*, by file, in the order of the first calls."""

    def __init__(self, folder: Path) -> None:
        self.below = f"{folder}{os.sep}"
        self.called: dict[str, set[CodeType]] = {}
        self.thread = threading.local()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Take one event of ``sys.setprofile``."""
        code = frame.f_code
        importing = getattr(self.thread, "importing", 0)
        if code.co_name == "<module>":
            self.thread.importing = importing + {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing and self.counts(code):
            self.called.setdefault(code.co_filename.removeprefix(self.below), set()).add(code)

    def counts(self, code: CodeType) -> bool:
        """Test whether *code* belongs to a function in the folder."""
        function = code.co_flags & OPTIMIZED and code.co_name not in COMPREHENSIONS
        return bool(function) and code.co_filename.startswith(self.below)


def traced(words: list[str]) -> dict[str, Any]:
    """Return the exit code of the command *words*, and the names of the called functions, by file."""
    import efg_builder
    from efg_builder.cli import run

    tracer = Tracer(Path(efg_builder.__file__).parent)
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        code = run(words)
    finally:
        sys.setprofile(None)
    functions = {file: sorted({each.co_qualname for each in codes}) for file, codes in tracer.called.items()}
    return {"package": tracer.below, "code": code, "files": functions}


def is_frame(file: str) -> bool:
    """Test whether *file* belongs to the command line or the base modules."""
    return file.split(os.sep)[0] in ("cli", "base", "__init__.py") or Path(file).stem in GROUND_FLOOR


def show(command: str, found: dict[str, Any], functions: bool) -> None:
    """Print the files in order with their numbers of functions, then both counts."""
    files: dict[str, list[str]] = found["files"]
    print(f"\nefg-builder {command}\n{found['package']}, exit code {found['code']}")
    for number, (file, names) in enumerate(files.items(), 1):
        shown = ", ".join(names) if functions else f"{len(names)}"
        print(f"{number:>4} {' ' if is_frame(file) else '*'} {file:<34} {shown}")
    others = sum(not is_frame(file) for file in files)
    calls = sum(map(len, files.values()))
    print(f"{len(files)} files, {others} without the command line and the ground floor (*); {calls} functions")


def main() -> None:
    """Trace the commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", action="store_true", help="name the functions, instead of counting them")
    parser.add_argument("--here", action="store_true", help="trace in this process, and print JSON in the last line")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="the words of one command")
    given = parser.parse_args()
    if given.here:
        print("\n" + json.dumps(traced(given.command)))
        return
    path = os.path.abspath(os.environ.get("PYTHONPATH") or ROOT)
    for command in [" ".join(given.command)] if given.command else COMMANDS:
        step = [sys.executable, os.path.abspath(__file__), "--here", *command.split()]
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                step, cwd=folder, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
            )
        if done.returncode:
            raise SystemExit(f"efg-builder {command}: {done.stderr}")
        show(command, json.loads(done.stdout.splitlines()[-1]), given.functions)


if __name__ == "__main__":
    main()
