"""Mutations that keep a file nearly whole: of tokens in text, of what is packed in gzip, of an archive's arrays."""

import gzip
import io
import re
import zipfile
import zlib
from math import inf, nan
from random import Random
from struct import pack

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[A-Za-z_]+|[-+]?[0-9][0-9./eE+-]*|\s+|.', re.DOTALL)

NASTY = [
    *(b"0 1 -1 2 1/3 1/0 0/0 -0 -1/9 00 +1 .5 1. 1e5 1e-5 1e300 1e301 1e999999999 -1e999999999 1/1e5 nan inf".split()),
    *(b"NaN Infinity -Infinity null true false {} [] {{ }} \" ' \\ , : c p t EFG NFG R D".split()),
    *(b"2147483647 2147483648 -2147483649 18446744073709551616 9223372036854775808 1000000000000".split()),
    *(b"9" * digits for digits in (400, 4000, 4001, 4300, 5000, 20_000)),
    *(b"1/" + b"7" * digits for digits in (400, 3990, 4400)),
    *(b"", b" ", b"\n", b"\r\n", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b'"\\ud800"', "é\u2028☃".encode(), b"\x1b[31m"),
    *(b"[" * depth for depth in (50, 900, 990, 3000)),
    *(b"[" * depth + b"]" * depth for depth in (50, 900, 960, 990)),
    *(b'{"a":' * depth + b"1" + b"}" * depth for depth in (50, 900, 960, 990)),
    *(b'""', b'"1/3"', b'"0.3"', b'"a"', b'"call"', b'"1x1"', b'"x" "x"', b'{ "a" 1/2 "b" 1/2 }'),
]


def mutated(data: bytes, random: Random, kind: str = "text", most: int = 1 << 16) -> bytes:
    """*data* changed in one place or a few."""
    change = {"text": text, "gzip": compressed, "archive": archive}[kind]
    return change(data, random)[:most]


def text(data: bytes, random: Random) -> bytes:
    """Tokens deleted, doubled, exchanged, replaced; now and then the file is cut."""
    tokens = _TOKEN.findall(data) or [b""]
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        at = random.randrange(len(tokens))
        how = random.randrange(7)
        if how == 0:
            del tokens[at : at + random.choice((1, 1, 2, 8))]
        elif how == 1:
            tokens[at:at] = tokens[at : at + random.choice((1, 2, 8, 40))]
        elif how == 2:
            other = random.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif how == 3:
            tokens[at] = tokens[random.randrange(len(tokens))]
        elif how == 4:
            tokens[at] = random.choice(NASTY)
        elif how == 5:
            tokens[at:at] = [random.choice(NASTY)]
        else:
            tokens[at] = number(tokens[at], random)
        tokens = tokens or [b""]
    whole = b"".join(tokens)
    return whole[: random.randrange(len(whole) + 1)] if random.randrange(20) == 0 else whole


def number(token: bytes, random: Random) -> bytes:
    """Another digit, or a byte changed."""
    if not token:
        return b"0"
    at = random.randrange(len(token))
    new = b"0123456789"[random.randrange(10)] if token[at : at + 1].isdigit() else random.randrange(256)
    return token[:at] + bytes([new]) + token[at + 1 :]


def compressed(data: bytes, random: Random) -> bytes:
    """What is packed is changed, or the packing."""
    try:
        inner = gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        inner = b""
    if inner and random.randrange(2):
        return gzip.compress(text(inner, random), mtime=0)
    return flipped(data, random)


def flipped(data: bytes, random: Random) -> bytes:
    """Bytes changed, taken away, or put in."""
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8))):
        at = random.randrange(len(found) + 1)
        how = random.randrange(4)
        if how == 0:
            del found[at : at + random.choice((1, 4, 64))]
        elif how == 1:
            found[at:at] = bytes(random.randrange(256) for _ in range(random.choice((1, 4))))
        else:
            found[at : at + 1] = bytes([random.choice((0, 1, 127, 128, 255, random.randrange(256)))])
    return bytes(found)


def archive(data: bytes, random: Random) -> bytes:
    """One member of a zip file changed and packed again with a right check sum; or a byte of the file itself."""
    members = unzipped(data)
    if not members or random.randrange(8) == 0:
        return flipped(data, random)
    for _ in range(random.choice((1, 1, 2))):
        name = random.choice(sorted(members))
        other = random.choice(sorted(members))
        how = random.randrange(8)
        if how == 0:
            del members[name]
        elif how == 1:
            members[name] = members[other]
        elif how == 2:
            members[name] = flipped(members[name], random)
        elif how == 3:
            members[name] = head_and_body(members[name], random, head=True)
        else:
            members[name] = head_and_body(members[name], random, head=False)
        if not members:
            break
    return zipped(members, random.choice((*[zipfile.ZIP_STORED] * 6, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)))


def head_and_body(member: bytes, random: Random, head: bool) -> bytes:
    """An array's header mutated as text, its length kept right; or its numbers changed to telling ones."""
    length = int.from_bytes(member[8:10], "little")
    start, middle, body = member[:8], member[10 : 10 + length], member[10 + length :]
    if head:
        middle = text(middle, random)[:65000]
    elif body.startswith(b"{") or (b"\x00\x00\x00" in body[:8] and b"{" in body[:2]):
        body = text(body.decode("utf-32-le", "replace").encode(), random).decode("utf-8", "replace").encode("utf-32-le")
    else:
        width = random.choice((1, 4, 8))
        at = random.randrange(len(body) // width + 1) * width
        kind, telling = {1: ("<B", (128, 127, 85)), 4: ("<f", (inf, nan, 1e38)), 8: ("<d", (inf, nan, 1e301))}[width]
        whole = (b"\xff" * width, bytes(width), random.randrange(8).to_bytes(width, "little"), random.randbytes(width))
        new = random.choice((*whole, *(pack(kind, number) for number in telling)))
        body = body[:at] + new + body[at + width :]
    return start + len(middle).to_bytes(2, "little") + middle + body


def unzipped(data: bytes) -> dict[str, bytes]:
    """The members of a zip file; none where it is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            if sum(info.file_size for info in file.infolist()) > 1 << 20:
                return {}
            return {info.filename: file.read(info) for info in file.infolist()}
    except Exception:
        return {}


def zipped(members: dict[str, bytes], packing: int = zipfile.ZIP_STORED) -> bytes:
    """A zip file of *members*."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name), content, packing)
    return out.getvalue()
