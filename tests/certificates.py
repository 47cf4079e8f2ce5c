"""Solutions and their files, and ways to change these: what several modules test with."""

import copy
import gzip
import json
import zlib
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from itertools import islice, product

import efg_builder as eb
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.proof import verify
from efg_builder.proof.certificate import digests
from efg_builder.strategies.tree_profile import dealt

GAME = eb.game("liars-dice", sides=3, wild=1, wild_biddable=False, dice=(2, 1))
SOLVED = eb.solve(GAME, "lp")
POKER = eb.game("dice-poker")
POKER_SOLVED = eb.solve(POKER, "lp")
FOREIGN = """EFG 2 R "matching pennies 7" { "Row 1" "Col" } ""
p "" 1 1 "r" { "H1" "T" } 0
p "" 2 1 "c" { "H" "T" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 2 1 "c" { "H" "T" } 0
t "" 2 "" { -1 1 }
t "" 1 "" { 1 -1 }
"""


def sparse_solution(game, profile, status="equilibrium", **more):
    judged = (Judged(profile, verify(profile, more.get("tolerance"))),)
    return Solution(None, "oracle", status, "as found", 0.1, judged, game=game, **more)


SPARSE = sparse_solution(GAME, dealt(SOLVED.profile, GAME).sparse())
KINDS = {"strategies": SPARSE, "profile": POKER_SOLVED}

THREE = eb.solve(eb.game("liars-dice", dice=(1, 1, 1)), "many")
THREE_ON_TREE = eb.solve(THREE.game)
OF_THREE = {"strategies": THREE, "profile": THREE_ON_TREE}
"""Equilibria of three players, with no bounds."""


def written(solution, folder):
    return solution.write(folder / "s.json")


def changed(path, change, *, sign=True):
    """The file with its data changed, and, with *sign*, new check values: what an attacker would write."""
    data = json.loads(path.read_text())
    change(data)
    if sign:
        data["digests"] = digests(data)
    path.write_text(json.dumps(data))
    return path


GONE = object()
WRONG = (GONE, None, True, 0, 1, -1, 0.5, "", "x", "1/2", "0.5", [], {}, [1], {"a": 1})


def places(part, path=()):
    """The keys and indices to each part of *part*; of a list to its first two parts."""
    keys = list(part) if isinstance(part, dict) else range(min(len(part), 2)) if isinstance(part, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(part[key], (*path, key))


def mutants(data, step=1):
    """Certificates with one part gone or of a wrong kind, each with new digests, and what was done; each *step*-th."""
    data = json.loads(json.dumps(data | {"run": {}}))
    every = list(places({key: part for key, part in data.items() if key != "digests"}))
    paths = [path for at, path in enumerate(every) if len(path) < 3 or at % 7 == 0]
    for path, wrong in islice(product(paths, WRONG), 0, None, step):
        changed_ = copy.deepcopy(data)
        part = changed_
        for key in path[:-1]:
            part = part[key]
        if wrong is GONE:
            del part[path[-1]]
        else:
            part[path[-1]] = wrong
        with suppress(AttributeError, KeyError, TypeError):
            changed_["digests"] = digests(changed_)
        yield f"{path}: {'gone' if wrong is GONE else wrong!r}", json.dumps(changed_).encode()


def respelled(data):
    """The certificate in other encodings and with numbers written in other ways, and what was done."""
    text = json.dumps(data | {"seconds": 0.5})  # as in files of older versions
    for encoding in ("utf-8-sig", "utf-16", "utf-32", "utf-16-le"):
        yield encoding, text.encode(encoding)
    for seconds in ("NaN", "Infinity", "-1", "1e0", "0.50", "-0", "1E-1", "2"):
        yield (
            f"seconds {seconds}",
            text.replace('"seconds": 0.5', f'"seconds": {seconds}').encode(),
        )
    packed = gzip.compress(text.encode())
    for name, more in (("twice", packed), ("zeros", bytes(9)), ("junk", b"xx"), ("empty part", gzip.compress(b""))):
        yield name, packed + more
    yield "cut", packed[:-4]


def assert_judged_alike(checker, verify_solution, files, folder):
    """The checker and ``verify`` prove the same of *files*, pairs of words and content; some, and not all."""
    path, proved, total = folder / "mutant.json", 0, 0
    for words, content in files:
        path.write_bytes(content)
        try:
            right = bool(verify_solution(path))
        except (eb.CertificateError, eb.FileError, eb.ParameterError):
            right = False
        try:
            found = bool(checker.prove(checker.read(str(path))))
        except (checker._Refused, OSError, EOFError, zlib.error, ValueError, OverflowError, RecursionError):
            found = False
        assert found == right, words
        proved, total = proved + right, total + 1
    assert 0 < proved < total


def figure(number, rounding=ROUND_HALF_EVEN):
    """How the checkers write a number."""
    text = str(number)
    with localcontext(prec=10, rounding=rounding):
        near = Decimal(Fraction(number).numerator) / Decimal(Fraction(number).denominator)
    if len(text) > 40:
        return f"about {near} ({len(text) - text.count('-') - text.count('/'):,} digits)"
    return text if len(text) < 10 else f"{text}, about {near}"


def in_words(data):
    """What the checkers say of a claim that is true."""
    lower, upper, players = data["lower"], data["upper"], data["game"]["players"]
    several = data.get("equilibria", [])
    count = sum(one["equilibrium"] for one in several)
    end = f"; {count} of {len(several)} profiles in 'equilibria' are equilibria" if several else ""
    if lower is not None and lower == upper:
        return f"the value to {players[0]} is {figure(lower)} (exact){end}"
    if lower is not None:
        bounds = f"[{figure(lower, ROUND_FLOOR)}, {figure(upper, ROUND_CEILING)}]"
        return f"the value to {players[0]} lies in {bounds}{end}"
    regret = figure(data["regret"], ROUND_CEILING)
    what = "an equilibrium" if data["regret"] == "0" else f"nobody gains more than {regret}"
    gets = ", ".join(f"{name} gets {figure(got)}" for name, got in zip(players, data["value"], strict=True))
    return f"{what}: {gets}{end}"
