"""All certificates of a library proved by the stand-alone checkers, which know nothing of this package."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from ...base.errors import EfgBuilderError
from ...base.words import plural, quiet
from ...interop.efg import parse_efg, to_efg
from .instances import Instance
from .making import ABOUT, CHECKERS, NAMED, TREE, Record, place, read


@dataclass(frozen=True)
class Checked:
    """``proved``: what the checker says of each slug that is proved; ``wrong``: why another is not, in one line."""

    proved: Mapping[str, str]
    wrong: Mapping[str, str]


def check_library(folder: Path, listed: Iterable[Instance], progress: Callable[[str], None] = quiet) -> Checked:
    """Prove every certificate in *folder* of those that are *listed*, in one run of each checker.

    Besides, the files must have their digests, the certificate must be of the game in ``game.efg``, and the payoffs
    and the regret of ``instance.json`` must be those that it proves.
    """
    proved, wrong = dict[str, str](), dict[str, str]()
    by_checker: dict[str, list[str]] = {name: [] for name in CHECKERS}
    for one in listed:
        if not place(folder, one.slug).is_dir():
            continue
        record = read(folder, one)
        problem = "it is not whole; 'efg-builder library' makes it anew" if record is None else _problem(folder, record)
        if record is None or problem:
            wrong[one.slug] = problem
        else:
            by_checker[next(name for name in CHECKERS if name in record["files"])].append(one.slug)
        progress(f"read {one.slug}")
    total = sum(map(len, by_checker.values()))
    for certificate, slugs in by_checker.items():
        for slug, (good, said) in zip(slugs, _run(folder, certificate, slugs), strict=False):
            (proved if good else wrong)[slug] = said
            progress(f"{len(proved):,} of {plural(total, 'certificate')} proved")
        for slug in slugs:
            if slug not in proved and slug not in wrong:
                wrong[slug] = f"{CHECKERS[certificate]} ended before it came to it"
    return Checked(proved, wrong)


def unlisted(folder: Path, listed: Iterable[Instance]) -> list[str]:
    """The folders of instances that are none of those *listed*: of another version, or of games that are not there."""
    names = {one.slug for one in listed}
    return sorted(path.parent.name for path in folder.glob(f"instances/*/{ABOUT}") if path.parent.name not in names)


def _problem(folder: Path, record: Record) -> str:
    """What of the record the certificate does not say; empty where it says all."""
    try:
        return _difference(folder, record)
    except (EfgBuilderError, OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        return "its certificate cannot be read"  # digests that fit are written soon


def _difference(folder: Path, record: Record) -> str:
    own = place(folder, record["slug"])
    name = next(name for name in CHECKERS if name in record["files"])
    claim = json.loads(gzip.decompress((own / name).read_bytes()))
    for mine, theirs in (("payoffs", "value"), ("regret", "regret")):
        if record[mine] != claim[theirs]:
            return f"{mine} is {record[mine]}, and the certificate has {claim[theirs]}"
    if record["kind"] == "value" and [record["value"]] * 2 != [claim["lower"], claim["upper"]]:
        return f"value is {record['value']}, and the certificate has {claim['lower']} and {claim['upper']}"
    asked, efg = record["asked"], own / "game.efg"
    if name == TREE and efg.exists():
        same = parse_efg(claim["game"]["efg"]).equals(parse_efg(efg.read_text("utf-8")))
    elif name == NAMED:
        same = (claim["game"]["name"], claim["game"]["settings"]) == (asked["game"], asked["settings"])
        if same and efg.exists():
            one = Instance(record["slug"], asked["family"], asked["game"], asked["settings"])
            same = to_efg(one.tree(), portable=True) == efg.read_text("utf-8")
    else:
        same = True
    return "" if same else "the certificate is of another game than game.efg"


def _run(folder: Path, certificate: str, slugs: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Whether the checker proves the certificate of each of *slugs*, and what it says, as it comes to them."""
    if not slugs:
        return
    paths = [f"instances/{slug}/{certificate}" for slug in slugs]
    with as_file(files("efg_builder.proof") / CHECKERS[certificate]) as checker:
        # -I: no path of this package, and nothing of the environment.
        words = [sys.executable, "-I", str(checker), *paths]
        with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
            assert process.stdout is not None
            try:
                for path, line in zip(paths, process.stdout, strict=False):
                    said = line.rstrip("\n").removeprefix(f"{path}: ")
                    yield said.startswith("proved: "), said.removeprefix("proved: ")
            finally:
                process.kill()
