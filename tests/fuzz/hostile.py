"""Reads files that are made to take time or memory, within limits on both; prints what each is refused with.

``python tests/fuzz/hostile.py FOLDER``, for ``test_hardening.py``: where a limit is hit, the process ends badly.
"""

import io
import json
import random
import struct
import sys
import zipfile
import zlib
from pathlib import Path

import efg_builder as eb
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.interop.gambit.mapping import read_strategy
from efg_builder.proof.certificate import verify_solution
from efg_builder.solvers.oracle.state import load
from efg_builder.strategies.dense_profile import read_dense
from efg_builder.strategies.reading import read_solution

ROOT = Path(__file__).parent.parent.parent
MEMORY, SECONDS = 2 << 30, 60
DIGITS = random.Random(1)


def long() -> str:
    """One over a number of about 2,000 digits that has little in common with the next."""
    return f"1/{DIGITS.randrange(10**1990) | 1}"


def game(probabilities: list[str], payoffs: list[str]) -> str:
    """A game of one chance event."""
    events = " ".join(f'"{k}" {p}' for k, p in enumerate(probabilities))
    ends = "\n".join(f't "" {k} "" {{ {u} }}' for k, u in enumerate(payoffs, start=1))
    return f'EFG 2 R "x" {{ "a" }}\nc "" 1 "" {{ {events} }} 0\n{ends}\n'


def texts() -> dict[str, str]:
    """Files of text by name."""
    many, certificate = 400, json.loads((ROOT / "outputs/liars-dice_sides-2.json").read_text())
    deep = json.loads(json.dumps(certificate))
    deep["profile"][0]["probabilities"]["1x1"] = "@"
    longs = {str(k): long() for k in range(many)}
    certificate = {key: part for key, part in certificate.items() if key not in ("profile", "refined")}
    sparse = certificate | {"strategies": [{"1: start": longs}, {}], "default": "none"}
    return {
        "probabilities.efg": game([long() for _ in range(many)], ["1"] * many),
        "payoffs.efg": game([f"1/{many}"] * many, [long() for _ in range(many)]),
        "huge.efg": game(["1"], ["9" * 1_000_000]),
        "exponent.efg": game(["1"], ["1e999999999"]),
        "counts.efg": 'EFG 2 R "x" { "a" } p "" 1 99999999999999999999 "" { "b" } 0 t "" 0',
        "twice.json": "{" + ",".join(f'"{k}": 1' for k in range(120_000)) + ', "60000": 2}',
        "nested.json": '{"game": ' + "[" * 5_000_000,
        "list.json": json.dumps(deep).replace('"@"', "[" * 940 + "]" * 940),
        "denominators.json": json.dumps(sealed(sparse)),
        "denominators-strategy.json": json.dumps({"1: start": longs}),
    }


def sealed(data: dict) -> dict:
    from efg_builder.proof.certificate import digests
    from efg_builder.proof.certificate.reading import DEFAULT_RULE
    from efg_builder.strategies.writing import game_part

    data = data | {"game": game_part(eb.game("liars-dice", sides=2)), "default": DEFAULT_RULE}
    return data | {"digests": digests(data)}


def head(shape: str) -> bytes:
    """An array's head."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def archives() -> dict[str, bytes]:
    """Archives by name: one that declares more than it has, one of packed zeros, one whose members overlap."""
    found = {}
    for name, member in (("declared.npz", "parent.npy"), ("declared-strategy.npz", "about.npy")):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as file:
            file.writestr(member, head("(1000000000000,)") + bytes(80))
        found[name] = out.getvalue()
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
        file.open("a.npy", "w", force_zip64=True) as inner,
    ):
        inner.write(head("(262500000,)"))
        for _ in range(2100):
            inner.write(bytes(1_000_000))
    found["bomb.npz"] = out.getvalue()
    found["overlap.npz"] = overlapping(head("(1000000,)") + bytes(8_000_000), 2000)
    return found


def overlapping(content: bytes, many: int) -> bytes:
    """An archive that has *content* once and names it *many* times."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("0000.npy", content)
    whole = out.getvalue()
    at = whole.rindex(b"PK\x01\x02")
    end = whole.rindex(b"PK\x05\x06")
    entry = whole[at:end]
    entries = entry * many
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, many, many, len(entries), at, 0)
    return whole[:at] + entries + tail


def dense(piece: bytes, size: int) -> bytes:
    """*piece* again and again, up to *size*, packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = piece * (1_000_000 // len(piece))
    return b"".join([*(packer.compress(block) for _ in range(size // 1_000_000)), packer.flush()])


def main(folder: Path) -> None:
    dice = eb.game("liars-dice", sides=2)
    tree = eb.build(dice)
    model = BiddingForm(eb.game("liars-dice", sides=3))
    inputs: dict[str, bytes] = {name: text.encode() for name, text in texts().items()}
    inputs |= archives()
    inputs["bomb.json.gz"] = dense(b"[],", 200_000_000)
    inputs["bomb.efg.gz"] = dense(b'"" ', 90_000_000)
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    readers = {
        ".efg": eb.read_efg,
        "efg.gz": eb.read_efg,
        ".npz": lambda path: load(path, model),
        "-strategy.npz": lambda path: read_dense(path, dice),
        "-strategy.json": lambda path: read_strategy(path, dice),
        ".json": verify_solution,
        "list.json": lambda path: read_solution(path, tree),
        ".json.gz": verify_solution,
    }
    for name, content in inputs.items():
        path = folder / name
        path.write_bytes(content)
        report(name, path, readers[max((end for end in readers if name.endswith(end)), key=len)])
        path.unlink()
    report("endless", Path("/dev/zero"), eb.read_efg)


def report(name: str, path: Path, read: object) -> None:
    try:
        read(path)
    except eb.EfgBuilderError as error:
        print(name, error)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
