"""Coverage-guided fuzzing of one target of ``targets.py``: ``python tests/fuzz/run.py --target efg --seconds 60``.

Needs atheris, which nothing else here does. Starts from whole files; ``--corpus`` keeps what was found for the next
run. Ends with exit code 0 where nothing was found; a finding is left as a file ``crash-...`` in ``--findings``.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "benchmarks")]


def main() -> None:
    given = arguments()
    try:
        import atheris
    except ImportError:
        sys.exit("run.py needs atheris: install it into a virtual environment of its own")
    with atheris.instrument_imports(include=["efg_builder"]):
        from targets import TARGETS
    from mutation import mutated

    if given.target not in TARGETS:
        sys.exit(f"there is no target {given.target!r}; choose from: {', '.join(TARGETS)}")
    target = TARGETS[given.target]

    def change(data: bytes, most: int, seed: int) -> bytes:
        if seed % 4 == 0:
            return atheris.Mutate(data, most)
        return mutated(data, Random(seed), target.kind, most)

    corpus = Path(given.corpus or tempfile.mkdtemp(prefix="fuzz-"))
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    findings = Path(given.findings)
    findings.mkdir(parents=True, exist_ok=True)
    options = [
        *(f"-max_total_time={given.seconds}", "-max_len=65536", "-timeout=30", "-rss_limit_mb=2048"),
        *("-len_control=0", "-print_final_stats=1", f"-artifact_prefix={findings}/", str(corpus)),
    ]
    atheris.Setup([sys.argv[0], *options], target.check, custom_mutator=change)
    atheris.Fuzz()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", required=True, help="a name in TARGETS of targets.py")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", help="a folder of inputs to start from and to add to (default: a new one)")
    parser.add_argument("--findings", default=tempfile.gettempdir(), help="where inputs that failed are left")
    return parser.parse_args()


if __name__ == "__main__":
    main()
