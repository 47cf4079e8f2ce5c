"""Runs every command once in a folder and prints digests of what it printed and wrote, as a JSON object.

``python tests/fuzz/repeated.py FOLDER``, for ``test_hardening.py``. Times that are stated (in seconds, and the ``run``
of a solution or of a row) are left out, and nothing else.
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import re
import sys
from pathlib import Path

from efg_builder.cli import NO_EQUILIBRIUM, run

NETS = Path(__file__).resolve().parents[2] / "docs" / "neural"

LINES = """
games
info liars-dice sides=3
info mia --json
build liars-dice sides=2 -o dice.efg
build mia -o mia.efg
build dice-poker --portable -o poker.efg
solve dice.efg --method lp -o lp.json
solve liars-dice sides=3 --method oracle -o oracle.json.gz --checkpoint state.npz
solve dice-poker --method cfr --option iterations=300 -o cfr.json
solve dice-poker --method gambit-lcp -o gambit.json
solve mia --refine -o refined.json
solve dice-poker --json
verify lp.json dice.efg
verify oracle.json.gz --json
draw dice.efg --solution lp.json --values --beliefs -o dice.svg
draw dice.efg -o dice.png
draw dice.efg --solution lp.json -o dice.pdf
draw dice.efg --solution lp.json -o dice.gv
draw dice.efg --solution lp.json -o dice.tex
draw dice.efg --solution lp.json --view public -o public.svg
draw liars-dice sides=3 --solution oracle.json.gz --view public -o seen.png
draw liars-dice sides=2 --strategy always-call --view public -o called.pdf
draw liars-dice sides=3 --solution oracle.json.gz --view table -o table.svg
play dice-poker -o poker.html
play liars-dice sides=3 --solution oracle.json.gz -o play.html
play liars-dice sides=3 --players uniform,best-response:lowest-raise --rounds 20 --seed 1
run dice-poker --out out
report liars-dice sides=3 --solution oracle.json.gz -o oracle.html
report liars-dice sides=2 -o dice.html
run mia --out out --picture png --values
ranges dice-poker --json
evaluate liars-dice sides=2 --strategy always-call -o exploiter.json --json
evaluate liars-dice sides=2 --strategy uniform -o exploiter.csv
evaluate liars-dice sides=3 --strategy uniform --measure dense -o exploiter.npz
evaluate liars-dice sides=2 --strategy lp.json --against uniform
exploitability liars-dice sides=2;3 --players uniform,always-call -o lost.json -o lost.svg -o lost.csv
matrix dice-poker sides=3 -o map.svg -o map.png -o map.nfg -o map.csv
matrix dice-poker sides=3 --json
export dice-poker sides=3 -o program.lp -o program.mps -o form.npz
qre dice-poker sides=2 -o quantal.svg -o quantal.png -o quantal.csv --max-regret 0.01
qre dice-poker sides=2 --max-regret 0.01 --json
match liars-dice sides=2 -o match.json.gz -o chart.svg
verify match.json.gz
sweep liars-dice sides=2 dice=1,1;2,1 -o sweep.db
table sweep.db --json
table sweep.db -o atlas
arena liars-dice sides=3 --players uniform,lowest-raise,equilibrium --games 300 --workers 2 -o arena.db -o arena.csv
arena liars-dice sides=2 --match --players uniform,lowest-raise --games 100 --workers 1 -o arena.svg --json
arena --show arena.db --json
train --net NETS/1v1.npz -o net.onnx
"""

TIMES = re.compile(r"^seconds +[\d.,]+$|\b\d[\d,]*(?:\.\d+)?(?:e-?\d+)? ?(?:ms|s|seconds|min|minutes)\b", re.MULTILINE)
STATED = ("seconds", "run", "cpu_seconds", "peak_mib", "worker", "finished", "certificate_bytes")
"""Figures of a run. A certificate has the seconds in it, so its size is one of them."""


def plain(text: str) -> str:
    """*text* without the times that it states."""
    try:
        return json.dumps(timeless(json.loads(text)))
    except ValueError:
        return TIMES.sub("TIME", text)


def timeless(data: object) -> object:
    if isinstance(data, dict):
        return {key: timeless(part) for key, part in data.items() if key not in STATED}
    return [timeless(part) for part in data] if isinstance(data, list) else data


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def printed(line: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = run([word.replace("NETS", str(NETS)) for word in line.split()])
    assert code in (0, NO_EQUILIBRIUM), f"{line}: exit code {code}"
    return digest(plain(out.getvalue()).encode())


def written(path: Path) -> str:
    """The digest of a file; of JSON and of a report, but for the times."""
    content = path.read_bytes()
    if path.name.endswith((".json", ".json.gz")):
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        content = plain(text.decode()).encode()
    elif path.name.endswith("_report.html"):  # it tells how long Gambit's routine took
        content = TIMES.sub("TIME", content.decode()).encode()
    return digest(content)


def main(folder: Path) -> None:
    os.chdir(folder)
    words = [line for line in LINES.splitlines() if line]
    out = {line: printed(line) for line in words}
    # The rows of a sweep tell when they were made; 'table' prints the rest. A folder's page tells the seconds.
    kept = [path for path in sorted(Path().rglob("*")) if path.is_file() and path.suffix != ".db"]
    kept = [path for path in kept if path != Path("atlas/index.html")]
    files = {str(path): written(path) for path in kept}
    print(json.dumps({"printed": out, "files": files}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
