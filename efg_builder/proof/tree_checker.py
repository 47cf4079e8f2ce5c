"""Verify certificates that contain a game tree: ``python tree_checker.py FILE...``. This file needs only Python 3.11.

A certificate contains a game tree in Gambit's ``.efg`` format (EFG 2), strategies, and the claimed payoffs and regrets.
This program checks the claim by exact best responses. It shares no code with the writer of certificates.

A player's regret is the payoff of a best response, minus the player's payoff. In an equilibrium, all regrets are 0.
Suppose that two players divide a constant total. If player 2's best response pays b2, player 1's strategy guarantees
total - b2, a lower bound on the value to player 1. The payoff of player 1's best response is an upper bound.

The weight of a node is the product of the probabilities of all moves on its path, except the responder's moves. Each
terminal node's payoff, times its weight, is added to the credit of the responder's last move. With perfect recall, all
nodes of an information set follow the same move of its player (H. W. Kuhn, 1953). So, from the last information set
backward, the largest credit of a move there is added to the credit of the responder's move before it."""

import gzip
import json
import re
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, NoReturn

DUE = [float("inf")]  # the earliest time of the next progress line; set by main
NUMBER = r"(?=.{1,4000}$)[+-]?([0-9]+(/0*[1-9][0-9]*)?|([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)([eE][+-]?0*[0-9]{1,3})?)"


class _Refused(Exception):
    """The file proves nothing; the message states the mistake and its location."""


def shown(value: object) -> str:
    """Return a value as JSON for a message, cut to 60 characters."""
    return text if len(text := json.dumps(value)) <= 60 else f"{text[:57]}..."


def same(place: str, said: object, right: object) -> None:
    """Refuse the file unless *said* and *right* are the same JSON; in Python, ``True == 1``."""
    if json.dumps(said) != json.dumps(right):
        raise _Refused(f"{place}: {shown(said)} in the file, but it must be {shown(right)}")


def figure(number: Fraction, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return a number as text: a long one with an approximation, a very long one as approximation and digit count."""
    text, digits = str(number), Context(10, rounding)
    near = f"about {digits.divide(Decimal(number.numerator), Decimal(number.denominator))}"
    if len(text) > 40:
        return f"{near} ({sum(map(str.isdigit, text)):,} digits)"
    return text if len(text) < 10 else f"{text}, {near}"


def named(names: list[str]) -> list[str]:
    """Return the players' names; a blank name becomes ``Player 1`` and so on, with _1 if another player has it."""
    found = []
    for number, name in enumerate(names, start=1):
        other = f"Player {number}"
        while other in names:
            other += "_1"
        found.append(name if name.strip() else other)
    return found


def progress(line: str) -> None:
    """Print a line on stderr, at most once every two seconds."""
    if monotonic() > DUE[0]:
        print(line, file=sys.stderr, flush=True)
        DUE[0] = monotonic() + 2


def exact(place: str, given: object) -> Fraction:
    """Convert an integer, or a string such as ``"-1/9"``, ``"0.25"`` or ``"1e-5"``, to a fraction."""
    if type(given) in (int, str) and re.fullmatch(NUMBER, str(given)):
        return Fraction(str(given))
    raise _Refused(f"{place}: {shown(given)} is not an exact number, e.g. 1/3; 'efg-builder verify FILE' takes floats")


# --- The tree.

NONE = -1
TOKEN = re.compile(r'[ \t\r\n\v\f]*(?:"((?:[^"\\]|\\.)*)"|([{},])|([^ \t\r\n\v\f"{},]+)|(\Z))', re.DOTALL)
TEXT, SIGN, WORD, END = 1, 2, 3, 4  # the groups of a token
Rows = list[list[Fraction]]  # [information set, move]: the probability of the move; includes chance


class OwnSet(NamedTuple):
    """An information set of the player ``owner`` (from 0), or a chance event, with ``owner`` NONE and ``chances``."""

    owner: int
    number: int
    label: str
    moves: list[str]
    chances: list[Fraction]


class Tree:
    """A game. For each node, in file order: ``above``, its parent (NONE at the root); ``move``, the index of the last
    move; ``at``, its information set's index in ``sets`` (NONE if terminal); ``paid``, each player's payoff so far."""

    def __init__(self, text: str) -> None:
        self.text, self.begin, self.end = text, 0, 1 if text.startswith("\ufeff") else 0
        self.above, self.move, self.at, self.paid = list[int](), list[int](), list[int](), list[list[Fraction]]()
        self.sets, self.found = list[OwnSet](), dict[tuple[int, int], int]()  # found[owner, number]: index
        self.outcomes: dict[int, tuple[str, list[Fraction]]] = {}
        self.advance()
        if [self.take(WORD), self.take(WORD)] != ["EFG", "2"] or self.take(WORD) not in ("R", "D"):
            self.fail("it does not begin with EFG 2 R")
        self.title, names = self.take(TEXT), self.braced(lambda: self.take(TEXT))
        self.players = named(names)
        self.comment = self.take(TEXT) if self.kind == TEXT else ""
        places = [(NONE, NONE)]  # (parent, move) of the unread nodes, the next node last
        while places:
            progress(f"reading the tree: {len(self.at):,} nodes")
            above, move = places.pop()
            kind = self.take(WORD, "[cpt]", "a node (c, p or t)")
            self.take(TEXT)  # the node's label, which is ignored
            self.above.append(above)
            self.move.append(move)
            self.at.append(NONE if kind == "t" else self.read_set(kind == "c"))
            before, paid = self.paid[above] if above != NONE else [Fraction(0)] * len(self.players), self.read_outcome()
            self.paid.append([a + b for a, b in zip(before, paid, strict=True)] if paid else before)
            moves = self.sets[self.at[-1]].moves if self.at[-1] != NONE else []
            places += [(len(self.at) - 1, move) for move in reversed(range(len(moves)))]
        if self.kind != END or not self.players:
            self.fail("there is text after the end of the tree" if self.players else "there are no players")

    def fail(self, problem: str, at: int | None = None) -> NoReturn:
        """Refuse the text; the message contains the line of the offset *at*, or of the previous token."""
        raise _Refused(f"game, efg, line {1 + self.text.count(chr(10), 0, self.last if at is None else at)}: {problem}")

    def advance(self) -> None:
        """Go to the next token, and set its ``kind`` and ``word``."""
        self.last, token = self.begin, TOKEN.match(self.text, self.end)
        if token is None:
            self.fail("a text without a closing quotation mark", self.end)
        self.kind = token.lastindex or END
        self.begin, self.end = token.start(self.kind), token.end()
        self.word = re.sub(r'\\(["\\])', r"\1", token[self.kind])  # Valid words contain no backslash.
        if re.search(r"[\x00-\x08\x0e-\x1f\x7f]", self.word):
            self.fail("a control character", self.begin)

    def take(self, kind: int, pattern: str = "", what: str = "a word or a text in quotation marks") -> str:
        """Return the current word, and advance. Refuse a word of another *kind*, or without a match of *pattern*."""
        if self.kind != kind or not re.fullmatch(pattern or ".*", self.word, re.DOTALL):
            self.fail(f"{what} must come before {shown(self.word)}", self.begin)
        word = self.word
        self.advance()
        return word

    def braced(self, read: Callable[[], Any], needed: bool = True) -> list[Any]:
        """Call *read* until the closing brace, and return the results. Unless *needed*, the braces may be missing."""
        if not needed and (self.kind, self.word) != (SIGN, "{"):
            return []
        self.take(SIGN, "{", "an opening brace")
        found = []
        while self.kind == TEXT or self.word != "}":
            found.append(read())
        self.advance()
        return found

    def whole(self, what: str) -> int:
        """Read an integer."""
        number = int(self.take(WORD, "[+-]?[0-9]{1,10}", f"the number of {what}"))
        return number if -(2**31) <= number < 2**31 else self.fail(f"the number of {what} has more than 32 bits")

    def fraction(self, comma: bool = True) -> Fraction:
        """Read an exact number, and, if *comma*, a comma after the number."""
        number = Fraction(self.take(WORD, NUMBER, "an exact number"))
        if abs(number) > 10**300:
            self.fail("a number beyond 1e300")
        if comma and self.kind == SIGN and self.word == ",":
            self.advance()
        return number

    def read_set(self, chance: bool) -> int:
        """Read an information set, and return its index. Later occurrences must agree with the first occurrence."""
        owner = NONE if chance else self.whole("a player") - 1
        if owner not in range(NONE if chance else 0, len(self.players)):
            self.fail("unknown player")
        number, label = self.whole("an information set"), self.take(TEXT) if self.kind == TEXT else ""
        listed = self.braced(lambda: (self.take(TEXT), *([self.fraction(comma=False)] if chance else [])), needed=False)
        given = OwnSet(owner, number, label, [each[0] for each in listed], [each[1] for each in listed if chance])
        if (owner, number) in self.found:
            known = self.sets[self.found[owner, number]]
            if label not in ("", known.label) or (listed and (*given[3:],) != known[3:]):
                self.fail(f"the information set {number} differs from its first occurrence")
            return self.found[owner, number]
        if not listed or (chance and (sum(given.chances) != 1 or min(given.chances) < 0)):
            self.fail(f"the information set {number} needs moves{', and probabilities that sum to 1' * chance}")
        self.found[owner, number] = len(self.sets)
        self.sets.append(given)
        return len(self.sets) - 1

    def read_outcome(self) -> list[Fraction]:
        """Return the payoffs at the current node; an empty list if the node has no outcome."""
        number, label = self.whole("an outcome"), self.take(TEXT) if self.kind == TEXT else None
        pays = self.braced(self.fraction, needed=False)
        if number == 0:
            return [] if label is None and not pays else self.fail("outcome 0 means no outcome, and has no payoffs")
        if number not in self.outcomes and len(pays) == len(self.players):
            self.outcomes[number] = (label or "", pays)
        known = self.outcomes.get(number) or self.fail(f"outcome {number} needs a payoff for each player")
        if (label or known[0], pays or known[1]) != known:
            self.fail(f"outcome {number} differs from its first occurrence")
        return known[1]


def distinct(labels: list[str]) -> list[str]:
    """Return unique move names: add _1, _2, ... to duplicate and empty labels, but skip names in use."""
    names: list[str] = []
    for label in labels:
        numbered = (f"{label}_{number}" for number in range(1, 2 * len(labels) + 1))
        alone = label and labels.count(label) == 1
        names.append(label if alone else next(name for name in numbered if name not in (*labels, *names)))
    return names


def weights(tree: Tree, rows: Rows, me: int) -> list[Fraction]:
    """Return the product of the probabilities on each node's path, without the moves of player *me*."""
    found = [Fraction(1)]
    for above, move in zip(tree.above[1:], tree.move[1:], strict=True):
        progress(f"{'payoffs' if me == NONE else f'best response of player {me + 1}'}: {len(found):,} nodes")
        mine = tree.sets[tree.at[above]].owner == me != NONE
        found.append(found[above] * (1 if mine or not found[above] else rows[tree.at[above]][move]))
    return found


def most(tree: Tree, rows: Rows, me: int) -> Fraction:
    """Return the payoff of player *me*'s best response to the others' strategies."""
    own: list[tuple[int, int] | None] = [None]  # the player's last move before each node
    before: dict[int, tuple[int, int] | None] = {}
    credit: dict[tuple[int, int] | None, Fraction] = defaultdict(Fraction)
    for node, weight in enumerate(weights(tree, rows, me)):
        above, at = tree.above[node], tree.at[node]
        if node:
            own.append((tree.at[above], tree.move[node]) if tree.sets[tree.at[above]].owner == me else own[above])
        if weight and at == NONE:
            credit[own[node]] += weight * tree.paid[node][me]
        elif weight and tree.sets[at].owner == me and before.setdefault(at, own[node]) != own[node]:
            where = f"player {me + 1} lacks perfect recall at set {tree.sets[at].number}"
            raise _Refused(f"game: {where}; try 'efg-builder verify FILE'")
    for at in reversed(before):  # last information sets first: ``before`` is in the order of play
        credit[before[at]] += max(credit[at, move] for move in range(len(tree.sets[at].moves)))
    return credit[None]


def read_rows(tree: Tree, entries: list[dict[str, Any]], place: str) -> Rows:
    """Return the probabilities in *entries*: one distribution for each player's information set."""
    rows = [list(each.chances) for each in tree.sets]
    for entry in entries:
        at = tree.found.get((entry["player"] - 1, entry["infoset"]), NONE) if entry["player"] > 0 else NONE
        here = f"{place}, player {entry['player']}, set {entry['infoset']}"
        if at == NONE or rows[at]:
            raise _Refused(f"{here}: {'there is no such set' if at == NONE else 'it appears twice'}")
        same(f"{here}, label", entry["label"], tree.sets[at].label)
        names = distinct(tree.sets[at].moves)
        same(f"{here}, the moves", sorted(entry["probabilities"]), sorted(names))
        rows[at] = [exact(f"{here}, {shown(name)}", entry["probabilities"][name]) for name in names]
        if min(rows[at]) < 0 or sum(rows[at]) != 1:
            raise _Refused(f"{here}: {shown(entry['probabilities'])} is not a distribution: at least 0, sum 1")
    for at, row in enumerate(rows):
        if not row:
            raise _Refused(f"{place}: no entry for player {tree.sets[at].owner + 1}, set {tree.sets[at].number}")
    return rows


def judge(tree: Tree, entries: list[dict[str, Any]], place: str) -> tuple[list[Fraction], ...]:
    """Return the payoffs, the regrets, and bounds on the value (empty unless two players divide a constant sum)."""
    rows, players = read_rows(tree, entries, place), range(len(tree.players))
    weight = weights(tree, rows, NONE)
    reached = {at for at, p in zip(tree.at, weight, strict=True) if p}
    for entry in entries:
        at = tree.found[entry["player"] - 1, entry["infoset"]]
        same(f"{place}, player {entry['player']}, set {entry['infoset']}, reached", entry["reached"], at in reached)
    ends = [node for node, at in enumerate(tree.at) if at == NONE]
    value = [sum((weight[end] * tree.paid[end][me] for end in ends), Fraction(0)) for me in players]
    best = [most(tree, rows, me) for me in players]
    totals = {sum(tree.paid[end]) for end in ends}
    bounds = [totals.pop() - best[1], best[0]] if len(best) == 2 and len(totals) == 1 else []
    return value, [most - got for most, got in zip(best, value, strict=True)], bounds


# --- The claim, and the file.

ENTRY = {"player": int, "infoset": int, "label": str, "reached": bool, "probabilities": {str: object}}
ONE = {"value": object, "regret": object, "equilibrium": object, "profile": [ENTRY]}
COUNTS = dict.fromkeys(("nodes", "chance_nodes", "decision_nodes", "terminal_nodes"), int)
GAME = COUNTS | {"title": str, "players": [str], "efg": str}
FORMAT = "efg-builder solution 1"  # files of release 0.3 have no format
CLAIM = ("method", "status", "message", "value", "lower", "upper", "exact", "regret", "tolerance")
SHAPE: dict[str, Any] = dict.fromkeys(CLAIM, object) | {"game": GAME, "digests": {str: str}, "profile": [ENTRY]}
OPTIONAL: dict[str, Any] = {"format": str, "regrets": list, "equilibria": [ONE], "refined": dict, "off_path": list}
OPTIONAL |= dict.fromkeys(("radius", "run", "seconds"), object)


def fits(place: str, data: Any, shape: Any) -> None:
    """Refuse *data* unless they fit *shape*: a type, [shape of each item], or {key: shape} (``str`` for any key)."""
    kind: Any = shape if isinstance(shape, type) else type(shape)
    if kind is not object and type(data) is not kind:
        raise _Refused(f"{place}: {shown(data)} is not of the type {kind.__name__}")
    if kind is list and isinstance(shape, list):
        data, shape = dict(enumerate(data, start=1)), {str: shape[0]}
    if isinstance(shape, dict):
        for key in data if str in shape else [*data, *shape]:
            if key not in data or (key not in shape and str not in shape):
                raise _Refused(f"{place}: the key {shown(key)} is {'unknown' if key in data else 'missing'}")
            fits(f"{place}, {key}", data[key], shape.get(key, shape.get(str)))


def check_claim(tree: Tree, data: dict[str, Any]) -> str:
    """Check the numbers and the status in the claim by best responses, and return the verified statement."""
    value, regrets, bounds = judge(tree, data["profile"], "profile")
    regret, several = max(regrets), data.get("equilibria", [])
    said: list[Any] = [*map(str, bounds), None] if bounds else [None, None, [*map(str, regrets)]]
    right = {"value": [*map(str, value)], "regret": str(regret), "exact": not regret}
    for key, number in (right | dict(zip(("lower", "upper", "regrets"), said, strict=True))).items():
        same(f"claim, {key}", data.get(key), number)
    near = ["bracket" if bounds else "near-equilibrium", "not-an-equilibrium"]
    if data["status"] not in ["timeout", "interrupted", *(near if regret else ["equilibrium"])]:
        raise _Refused(f"claim, status: {shown(data['status'])} does not follow from a regret of {shown(str(regret))}")
    for number, entry in enumerate(several, start=1):
        paid, gains, _ = judge(tree, entry["profile"], place := f"equilibria, number {number}")
        for key, fact in {"value": [*map(str, paid)], "regret": str(max(gains)), "equilibrium": not max(gains)}.items():
            same(f"{place}, {key}", entry[key], fact)
    more = sum(entry["equilibrium"] for entry in several)
    end = f"; {more} of {len(several)} profiles in 'equilibria' are equilibria" if several else ""
    names = [n if n.isprintable() and 0 < len(n.strip()) == len(n) <= 60 else shown(n) for n in tree.players]
    if bounds and not regret:
        return f"the value to {names[0]} is {figure(bounds[0])} (exact){end}"
    if bounds:
        lower, upper = figure(bounds[0], ROUND_FLOOR), figure(bounds[1], ROUND_CEILING)
        return f"the value to {names[0]} lies in [{lower}, {upper}]{end}"
    gets = ", ".join(f"{name} gets {figure(number)}" for name, number in zip(names, value, strict=True))
    return f"{f'nobody gains more than {figure(regret, ROUND_CEILING)}' if regret else 'an equilibrium'}: {gets}{end}"


def check_digests(data: dict[str, Any]) -> None:
    """Check each part's digest, 12 hexadecimal digits of the SHA-256 of its JSON, to find damage, but not forgery."""
    claim = {key: part for key, part in data.items() if key in (*CLAIM, "regrets", "radius")}
    parts: dict[str, Any] = {k: data[k] for k in ("game", "refined", "off_path") if k in data} | {"claim": claim}
    for entry in data["profile"]:
        parts.setdefault(f"profile of player {entry['player']}", []).append(entry)
    parts |= {f"equilibria, number {n}": one for n, one in enumerate(data.get("equilibria", []), start=1)}
    for name in [*parts, *data["digests"]]:
        plain = json.dumps(parts.get(name), sort_keys=True, separators=(",", ":"))
        if name not in parts or data["digests"].get(name) != sha256(plain.encode()).hexdigest()[:12]:
            raise _Refused(f"{name}: it does not match its digest: one of the two was changed")


def prove(data: Any) -> str:
    """Return the statement proved by *data*, the content of a file. Raises ``_Refused``."""
    game = data.get("game") if isinstance(data, dict) else None
    if not isinstance(game, dict) or "efg" not in game:
        raise _Refused("the whole: it has no tree; try checker.py (Liar's Dice) or 'efg-builder verify FILE'")
    fits("the whole", data, SHAPE | {key: shape for key, shape in OPTIONAL.items() if key in data})
    same("format", data.get("format", FORMAT), FORMAT)
    check_digests(data)
    tree = Tree(game["efg"])
    kinds = Counter("t" if at == NONE else "c" if tree.sets[at].owner == NONE else "p" for at in tree.at)
    facts = (tree.title, tree.players, len(tree.at), *(kinds[kind] for kind in "cpt"))
    for key, fact in zip(("title", "players", *COUNTS), facts, strict=True):
        same(f"game, {key}", game[key], fact)
    left = " and ".join(repr(key) for key in ("radius", "refined", "off_path") if key in data)
    return check_claim(tree, data) + (f" (not checked: {left}; use 'efg-builder verify FILE')" if left else "")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the JSON object of *pairs*. Raises ``_Refused`` if a key appears twice."""
    if len(dict(pairs)) < len(pairs):
        raise _Refused(f"the whole: a key appears twice in {shown(dict(pairs))}")
    return dict(pairs)


def read(path: str) -> Any:
    """Read JSON in UTF-8, or UTF-16 with its mark, perhaps gzip-compressed, with a limited unpacked size."""
    content = Path(path).read_bytes()
    if content.startswith(b"\x1f\x8b"):  # gzip
        most = min(1 << 29, max(1 << 26, 250 * len(content)))
        content = gzip.GzipFile(fileobj=BytesIO(content)).read(most + 1)
        if len(content) > most:
            raise OSError(f"it unpacks to more than {most >> 20} MiB")
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return json.loads(content.decode(encoding), object_pairs_hook=once)


def main(paths: list[str]) -> int:
    """Verify each file, and print a line. Return 0 if all are verified, 1 if any is refused, 2 if any is unreadable."""
    if not paths:
        print("usage: python tree_checker.py FILE...   (certificates, .json or .json.gz)", file=sys.stderr)
        return 2
    code = 0
    for path in paths:
        DUE[0] = monotonic() + 2
        name = path if path.isprintable() else ascii(path)
        try:
            print(f"{name}: proved: {prove(read(path))}")
        except (OSError, EOFError, zlib.error) as error:
            print(f"{name}: cannot be read: {error}")
            code = 2
        except (_Refused, ValueError, OverflowError, RecursionError) as error:
            why = str(error) if isinstance(error, _Refused) else f"not a certificate in JSON: {error}"
            print(f"{name}: refused: {why.encode('unicode_escape').decode()}")
            code = max(code, 1)
    return code


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.setrecursionlimit(10_000)
    sys.set_int_max_str_digits(100_000)
    sys.exit(main(sys.argv[1:]))
