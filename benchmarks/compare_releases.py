"""Compare the output of two checkouts: ``python benchmarks/compare_releases.py OLD NEW``.

OLD and NEW are folders with ``efg_builder``. Both checkouts run the commands below at the same time, each in an empty
folder (two to three minutes on two idle cores). The script compares every file, output and exit code byte for byte, and
prints the first lines of each difference. The exit code is 1 if ``ON_PURPOSE`` lacks a difference. Times, memory,
versions and processes are not compared. Sweep and arena files are compared through their tables (``table`` and ``arena
--show``).

``--times`` compares times instead: four commands run as whole processes, OLD and NEW in turn, ``--rounds`` times. The
script prints minimum and median seconds, and the ratios of new to old.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import gzip
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from statistics import median
from typing import Any

DOCS = Path(__file__).resolve().parent.parent / "docs"
CERTIFICATE = DOCS / "certificates" / "2v2-6.json.gz"

COMMANDS = f"""
build liars-dice sides=2 -o ld2.efg
build liars-dice sides=3 dice=2,1 wild=highest --portable -o ld3.efg
build dice-poker -o poker.efg
build liars-dice-stakes -o stakes.efg
build mia -o mia.efg
exam kuhn -o positions.jsonl --answers
build ld2.efg -o again.efg
games
games --json
info liars-dice sides=6 dice=5,5 --json
info ld3.efg
solve liars-dice sides=3 -o s3.json
solve liars-dice sides=3 -o s3.csv --json
solve liars-dice sides=3 --refine -o refined.json
solve liars-dice sides=2 --method cfr --gap 0.01 -o cfr.json
solve liars-dice sides=6 dice=2,1 -o oracle.json.gz
solve liars-dice sides=5 --method oracle --gap 0.01
solve ld2.efg --method gambit-lcp -o lcp.json
solve mia
solve --list-methods
verify s3.json
verify cfr.json --json
verify {CERTIFICATE} --json
verify {DOCS}/matches/2-2-6-bluff.json.gz
evaluate liars-dice sides=3 --strategy uniform --json
evaluate liars-dice sides=3 --strategy s3.csv --against always-call -o exploiter.json
evaluate liars-dice sides=4 dice=2,1 --strategy lowest-raise -o exploiter.npz
evaluate liars-dice sides=5 --strategy uniform --measure dense --json
evaluate liars-dice sides=6 dice=2,1 --strategy oracle.json.gz -o sparse.csv
evaluate liars-dice sides=6 wild=1 wild_biddable=false --strategy neural:{DOCS}/neural/1v1.npz --json
evaluate --list-players
ranges dice-poker --json
matrix liars-dice sides=2 -o m.csv -o m.nfg -o m.svg
matrix dice-poker --chain raise --json
export dice-poker sides=3 -o program.lp -o program.mps -o form.npz
qre dice-poker -o q.csv -o q.svg --json
draw liars-dice sides=2 --solution lcp.json -o tree.svg
draw liars-dice sides=2 --strategy uniform --values --beliefs -o tree.gv
draw ld2.efg --depth 2 -o tree.tex
draw liars-dice sides=3 --view public -o public.html
draw dice-poker --strategy equilibrium --ranges -o ranges.svg
draw liars-dice sides=6 dice=2,1 --solution oracle.json.gz --view table --reach 1/100 -o table.svg
draw liars-dice sides=6 dice=2,1 --solution oracle.json.gz --reach 1/100 -o table.gv
draw liars-dice sides=3 --solution s3.json --strategy uniform -o tree.html
draw ld2.efg -o tree.png
draw ld2.efg -o tree.pdf
run dice-poker --picture png --values --no-report --out out
report liars-dice sides=3 -o report.html
report mia -o mia.html
play dice-poker -o play.html
play liars-dice sides=2 --rounds 2 --seed 1
sit liars-dice sides=3 dice=1,1,1 --players uniform,lowest-raise --rounds 20 --seed 2 --json
match liars-dice sides=2 dice=2,2 loss=difference -o match.json -o match.svg --workers 1
verify match.json
play --match match.json --seed 1 --rounds 1 --json
sweep liars-dice sides=2..3 dice=1,1;2,1 order=* -o sweep.db --workers 1
table sweep.db -o sweep.csv
table sweep.db --markdown
table sweep.db --extract "liars-dice sides=3" -o row.json.gz
verify sweep.db
exploitability liars-dice sides=2..3 --players uniform,threshold -o losses.json -o losses.csv -o losses.svg
arena liars-dice sides=3 --players uniform,equilibrium --games 100 --workers 1 -o arena.db
arena --show arena.db -o arena.csv -o arena.svg
build nonsense -o x.efg
build liars-dice sides=1 -o x.efg
solve liars-dice sides=6 dice=5,5 --method lp
evaluate liars-dice sides=3 --strategy nonsense
verify ld2.efg
train liars-dice sides=2 -o net.txt
draw liars-dice sides=2 --solution s3.json -o x.svg
""".strip().splitlines()
"""The commands. Some commands read files that earlier commands write. The last commands are invalid."""

GALLERY = (str(Path(__file__).with_name("gallery.py")), "gallery")
"""The program that makes the gallery in the folder ``gallery``."""

RULE = "the rules say '2x2 says that ...'"
SIDES = (
    "the rules say '2x2 says that ...'; the sizes of titles, hands and boxes depend on their font; captions are shorter"
)
MATCH = "six significant digits, as in all other files; rounds are solved in turn"
OTHER = "small games are solved by exact pivoting, which may find another equilibrium"
VIEWER = "the viewer's boxes have hands and chips; a report also prints its pictures"

ON_PURPOSE = {
    "exam *": "a new command",
    "positions.*": "of a new command",
    "gallery": "run also calls Gambit's own routine",
    "info *": "the nearest measured game instead of a forecast",
    "solve liars-dice sides=2 --method cfr --gap 0.01 -o cfr.json": "probabilities in percent",
    "solve ld2.efg --method gambit-lcp -o lcp.json": "a strategy without a value is shown off the path too",
    "games*": "shorter help of one setting",
    "verify */2-2-6-bluff.json.gz": MATCH,
    "verify match.json": MATCH,
    "match *": MATCH,
    "export *": "export is build -o FILE.lp",
    "exploitability *": OTHER,
    "losses.*": OTHER,
    "train *": "nets are no longer exported to ONNX",
    "exploiter.npz": "compressed, with the time stamp of all our files",
    "solve --list-methods": "oracle and gambit-oracle solve only bidding games",
    "qre dice-poker *": "players and information sets by number",
    "play *": "one line of score after a round, the full score at the end",
    "sit *": "sit is play --players",
    "help": "plainer words; sit and atlas are no longer commands",
    "names": "draw takes DrawOptions in settings",
    "notebook": SIDES,
    "*.efg": RULE,
    "*.nfg": RULE,
    "lcp.json": RULE,
    "arena.svg": "scipy's ratings differ in the sixth decimal; one heading for all plots",
    "q.*": "the last decimals of the curve: probabilities are normalized; a legend names the lines",
    "m.svg": "one heading for all plots",
    "match.svg": "one heading for all plots",
    "evaluate --list-players": "shorter help of three settings",
    "run dice-poker *": "run also calls Gambit's own routine",
    "out/visualizations/*.png": "a palette of 128 colors",
    "gallery/visualizations/*.svg": SIDES,
    "tree.*": SIDES,
    "table.*": SIDES,
    "ranges.svg": SIDES,
    "*.html": VIEWER,
}
"""Intended differences from the previous release: pattern and reason. The table is emptied after each release."""

SCRIPTS = {
    "help": "from efg_builder.cli import COMMANDS, run\nfor name in COMMANDS: run([name, '--help'])",
    "names": """
import inspect, efg_builder as eb
for name in eb.__all__:
    value = getattr(eb, name)
    try:
        print(name, *inspect.signature(value).parameters)
    except (TypeError, ValueError):
        print(name)
""",
    "notebook": """
import efg_builder as eb
for sides in (2, 4):
    found = eb.solve(eb.game("liars-dice", sides=sides))
    print(found._repr_svg_(), found._repr_html_(), repr(found), found.tree and found.tree._repr_html_())
""",
}
"""Python programs whose output and files are compared too."""

TYPED = "1x1\ncall\n1x2\ncall\n2x2\ncall\nq\n"
"""The input of ``play``."""

OF_THE_RUN = {"run", "seconds", "versions", "cpu_seconds", "peak_mib", "worker", "finished", "certificate_bytes"}
"""JSON keys and table columns that describe the run, not its result."""

TEXT_OF_THE_RUN = re.compile(r"(?<=seconds) +\d+\.\d+|\b\d+(\.\d+)? s\b|\d+\.\d+ \| \d+ \|$", re.MULTILINE)
"""The pattern of times such as ``0.12 s``, and of seconds and MiB at the end of a Markdown table."""

PROGRESS_LINES = re.compile(r"^\d+ of \d+ .*\n", re.MULTILINE)
"""The pattern of progress lines such as ``3 of 8 variants``."""

PROGRESS_AFTER = 5.0
"""Seconds until a command shows progress on stderr. The stderr of longer runs is not compared."""

TIMED = (
    "--help",
    "solve liars-dice sides=3",
    "evaluate liars-dice sides=6 --strategy uniform",
    f"verify {CERTIFICATE}",
)


@dataclass(frozen=True)
class Result:
    """Exit codes and stdout by command, stderr by command, and files."""

    outputs: dict[str, str]
    errors: dict[str, str]
    files: dict[str, str]


def start(checkout: Path, words: Sequence[str], folder: Path, seed: str = "0") -> subprocess.CompletedProcess[bytes]:
    """Run ``python WORDS`` with the package of *checkout* in *folder*."""
    env = os.environ | {"PYTHONPATH": str(checkout), "PYTHONHASHSEED": seed, "COLUMNS": "100"}
    return subprocess.run([sys.executable, *words], cwd=folder, env=env, input=TYPED.encode(), capture_output=True)


def made_by(checkout: Path, seed: str = "0") -> Result:
    """Return the results of *checkout* without data that varies between runs; *seed* seeds Python's hashes."""
    todo = {"gallery": list(GALLERY)}
    todo |= {command: ["-m", "efg_builder", *shlex.split(command)] for command in COMMANDS}
    todo |= {name: ["-c", script] for name, script in SCRIPTS.items()}
    outputs, errors = {}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def cleaned(data: bytes) -> str:
            text = data.decode(errors="replace").replace(str(DOCS), "DOCS").replace(str(checkout), "CHECKOUT")
            text = text.replace(name, "FOLDER")
            return TEXT_OF_THE_RUN.sub("SECONDS", PROGRESS_LINES.sub("", text))

        for command, words in todo.items():
            began = time.monotonic()
            done = start(checkout, words, folder, seed)
            quick = time.monotonic() - began < PROGRESS_AFTER
            outputs[command] = f"exit code {done.returncode}\n{cleaned(_without_run_in_json(done.stdout))}"
            if quick or done.returncode:
                errors[command] = cleaned(done.stderr)
        paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".db")
        files = {str(path.relative_to(folder)): _content(path) for path in paths}
    return Result(outputs, errors, files)


def _content(path: Path) -> str:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = data.decode("utf-8") if path.suffix not in (".npz", ".png", ".pdf") else data.hex("\n", 40)
    if ".json" in path.suffixes:
        return _as_lines(json.loads(text))
    if path.suffix == ".csv":
        rows = csv.DictReader(io.StringIO(text))
        return "\n".join(str({key: cell for key, cell in row.items() if key not in OF_THE_RUN}) for row in rows)
    return text


def _without_run_in_json(stdout: bytes) -> bytes:
    try:
        return _as_lines(json.loads(stdout)).encode()
    except ValueError:
        return stdout


def _as_lines(data: Any) -> str:
    return json.dumps(_without_run(data), indent=1, ensure_ascii=False)


def _without_run(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_run(value) for key, value in data.items() if key not in OF_THE_RUN}
    return [_without_run(each) for each in data] if isinstance(data, list) else data


def differences(old: dict[str, str], new: dict[str, str], what: str, most: int) -> int:
    """Print at most *most* lines of each difference; return the number of differences outside ``ON_PURPOSE``."""
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    unexplained = 0
    for name in names:
        reason = next((why for pattern, why in ON_PURPOSE.items() if fnmatch(name, pattern)), None)
        unexplained += reason is None
        print(f"\n{what}: {name}" + (f"\n  on purpose: {reason}" if reason else ""))
        if name not in old or name not in new:
            print(f"  only {'old' if name in old else 'new'}")
            continue
        lines = difflib.unified_diff(old[name].splitlines(), new[name].splitlines(), "old", "new", n=0, lineterm="")
        shown = list(lines)[2:]
        print(*(f"  {line[:160]}" for line in shown[:most]), sep="\n")
        if len(shown) > most:
            print(f"  and {len(shown) - most} more lines")
    return unexplained


def compare(old: Path, new: Path, most: int) -> int:
    began = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(made_by, (old, new))
    both = [command for command in one.errors if command in two.errors]
    outputs = differences(one.outputs, two.outputs, "output of", most)
    errors = differences({n: one.errors[n] for n in both}, {n: two.errors[n] for n in both}, "stderr of", most)
    files = differences(one.files, two.files, "file", most)
    compared = f"{len(one.outputs)} commands, stderr of {len(both)} of them, {len(one.files)} files"
    taken = f"{time.monotonic() - began:.0f} s"
    print(f"\n{compared}: {outputs}, {errors} and {files} differ, apart from intended differences ({taken})")
    return 1 if outputs or errors or files else 0


def compare_times(old: Path, new: Path, rounds: int) -> None:
    """Print the seconds of whole processes, run in turn."""
    print(f"{'':<50}{'old: least':>10}{'median':>8}{'new: least':>12}{'median':>8}{'ratio: least':>14}{'median':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for command in TIMED:
            seconds: tuple[list[float], list[float]] = ([], [])
            for turn in range(2 * rounds + 2):
                checkout = (old, new)[turn % 2]
                began = time.perf_counter()
                done = start(checkout, ["-m", "efg_builder", *shlex.split(command)], Path(folder))
                taken = time.perf_counter() - began
                if done.returncode:
                    raise SystemExit(f"{checkout}: {command}: {done.stderr.decode()}")
                if turn >= 2:  # the first run of each checkout fills the caches of files and bytecode
                    seconds[turn % 2].append(taken)
            least, middle = [min(each) for each in seconds], [median(each) for each in seconds]
            shown = command.replace(str(DOCS), "docs")
            print(
                f"{shown:<50}{least[0]:>10.3f}{middle[0]:>8.3f}{least[1]:>12.3f}{middle[1]:>8.3f}"
                f"{least[1] / least[0]:>14.3f}{middle[1] / middle[0]:>8.3f}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, metavar="OLD")
    parser.add_argument("new", type=Path, metavar="NEW")
    parser.add_argument("--lines", type=int, default=12, metavar="N", help="maximum number of lines of each difference")
    parser.add_argument("--times", action="store_true", help="compare times instead")
    parser.add_argument(
        "--rounds", type=int, default=7, metavar="N", help="number of runs of each command with --times"
    )
    given = parser.parse_args()
    old, new = given.old.resolve(), given.new.resolve()
    for checkout in (old, new):
        if not (checkout / "efg_builder").is_dir():
            raise SystemExit(f"{checkout} has no efg_builder")
    if given.times:
        compare_times(old, new, given.rounds)
    else:
        sys.exit(compare(old, new, given.lines))


if __name__ == "__main__":
    main()
