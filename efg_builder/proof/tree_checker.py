"""Prove certificates that carry a game tree: ``python tree_checker.py FILE...``, with nothing but Python 3.11.

A certificate holds the tree as the text of a ``.efg`` file (Gambit's EFG 2), a strategy of each player, and a claim of
what each gets and could gain. This file holds the claim against everybody's best response, in fractions. It shares no
code with its writer. Rounds of Liar's Dice, which a certificate names and does not carry, are for ``checker.py``.

What holds. A player's regret is the most that can be got against the others' strategies, less what is got. Nobody
gains more than the largest regret by another strategy: where it is 0, this is an equilibrium. That is all, unless two
players divide a constant total. Then, with b2 the most that player 2 can get against the strategy of player 1, player 1
has at least total - b2 by it, whatever player 2 does: a lower bound on the value. In the same way b1, the most that
player 1 can get, is an upper bound. Nothing depends on how the strategies were found.

How a best response is found. A node has a weight: the product of the probabilities of chance and of the others on the
way to it. What is paid there, times the weight, is credited to the responder's last move before it. The responder has
perfect recall: all nodes of an information set come after the same own move (H. W. Kuhn, 1953), which is checked where
the weight is not 0. So sets are settled from the last back: each takes the move of largest credit, which it passes on
to the own move before the set. What is credited to no move at all, in the end, is the most that can be got.
"""

import gzip
import io
import json
import re
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from hashlib import sha256
from itertools import count
from time import monotonic
from typing import Any, NamedTuple, NoReturn


class Refused(Exception):
    """The file proves nothing; the message names the place and says why."""


def shown(value: object) -> str:
    """A value of the file on one line of a message, cut short."""
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def same(place: str, said: object, right: object) -> None:
    """Refuse what is not written just as it must be. Compared as text, because to Python ``True`` is 1."""
    if json.dumps(said) != json.dumps(right):
        raise Refused(f"{place}: {shown(said)} in the file, but it must be {shown(right)}")


def figure(number: Fraction, rounding: str = ROUND_HALF_EVEN) -> str:
    """Write a number, beside a long one its decimal; in place of a very long one its decimal and number of digits."""
    text, digits = str(number), Context(10, rounding)
    near = f"≈ {digits.divide(Decimal(number.numerator), Decimal(number.denominator))}"
    if len(text) > 40:
        return f"{near} ({sum(map(str.isdigit, text)):,} digits)"
    return text if len(text) < 10 else f"{text} {near}"


def named(name: str) -> str:
    """A player's name, quoted and escaped where it could not be printed on one line."""
    return name if name.isprintable() and 0 < len(name.strip()) == len(name) <= 60 else shown(name)


DUE = [float("inf")]  # when the next line of progress may be printed; main sets it


def progress(line: str) -> None:
    """Print a line on stderr, at most one in two seconds."""
    if monotonic() > DUE[0]:
        print(line, file=sys.stderr, flush=True)
        DUE[0] = monotonic() + 2


NUMBER = r"(?=.{1,4000}$)[+-]?([0-9]+(/0*[1-9][0-9]*)?|([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)([eE][+-]?0*[0-9]{1,3})?)"


def exact(place: str, given: object) -> Fraction:
    """The number that ``"-1/9"``, ``"0.25"`` or ``"1e-5"`` stands for, or a whole number."""
    if type(given) is float:
        raise Refused(f"{place}: {given} is a float, which proves nothing exactly; 'efg-builder verify FILE' may do")
    if type(given) in (int, str) and re.fullmatch(NUMBER, str(given)):
        return Fraction(str(given))
    raise Refused(f"{place}: {shown(given)} is no exact number, such as 1/3")


# --- The tree.

NONE = -1
TOKEN = re.compile(r'[ \t\r\n\v\f]*(?:"((?:[^"\\]|\\.)*)"|([{},])|([^ \t\r\n\v\f"{},]+)|(\Z))', re.DOTALL)
TEXT, SIGN, WORD, END = 1, 2, 3, 4  # the groups of a token


class Infoset(NamedTuple):
    """An information set of a player (from 0), or an event of chance (of nobody, NONE), with its ``chances``."""

    owner: int
    number: int
    label: str
    moves: list[str]
    chances: list[Fraction]


class Tree:
    """A game as its text has it, the nodes in the order of the text, the root first.

    By node: ``above`` (the node before, NONE at the root), ``move`` (which of its moves leads here), ``at`` (the index
    of the set in ``sets``, NONE where play ends), ``paid`` (by player, all outcomes up to here).
    """

    def __init__(self, text: str) -> None:
        self.text, self.begin, self.end = text, 0, 1 if text.startswith("\ufeff") else 0
        self.above, self.move, self.at, self.paid = list[int](), list[int](), list[int](), list[list[Fraction]]()
        self.sets, self.found = list[Infoset](), dict[tuple[int, int], int]()  # found: by owner and number
        self.outcomes: dict[int, tuple[str, list[Fraction]]] = {}
        self.advance()
        if [self.take(WORD), self.take(WORD)] != ["EFG", "2"] or self.take(WORD) not in ("R", "D"):
            self.fail("it does not begin with EFG 2 R")
        self.title, self.players = self.take(TEXT), self.braced(lambda: self.take(TEXT))
        self.comment = self.take(TEXT) if self.kind == TEXT else ""
        places = [(NONE, NONE)]  # where nodes are still to come, the next one last
        while places:
            progress(f"reading the tree: {len(self.at):,} nodes")
            self.read_node(*places.pop())
            moves = self.sets[self.at[-1]].moves if self.at[-1] != NONE else []
            places += [(len(self.at) - 1, move) for move in reversed(range(len(moves)))]
        if self.kind != END or not self.players:
            self.fail("there is text after the end of the tree" if self.players else "there are no players")

    def fail(self, problem: str, at: int | None = None) -> NoReturn:
        """Refuse the text, by the line of the offset *at*, or of the token before the one in hand."""
        raise Refused(f"game, efg, line {1 + self.text.count(chr(10), 0, self.last if at is None else at)}: {problem}")

    def advance(self) -> None:
        """Go to the next token: ``kind`` and ``word``."""
        self.last, token = self.begin, TOKEN.match(self.text, self.end)
        if token is None:
            self.fail("a text without a closing quotation mark", self.end)
        self.kind = token.lastindex or END
        self.begin, self.end, self.word = token.start(self.kind), token.end(), token[self.kind]
        if self.kind == TEXT:
            self.word = re.sub(r'\\(["\\])', r"\1", self.word)
        if re.search(r"[\x00-\x08\x0e-\x1f\x7f]", self.word):
            self.fail("a control character", self.begin)

    def take(self, kind: int, pattern: str = "", what: str = "a word") -> str:
        """The word in hand, which must be of this kind, and match; then the next one is in hand."""
        if self.kind != kind or not re.fullmatch(pattern or ".*", self.word, re.DOTALL):
            what = "a text in quotation marks" if kind == TEXT else what
            self.fail(f"{what} must stand before {shown(self.word)}", self.begin)
        word = self.word
        self.advance()
        return word

    def braced(self, read: Callable[[], Any], needed: bool = True) -> list[Any]:
        """What *read* reads, again and again, between braces; nothing where there are none and none are *needed*."""
        if not needed and (self.kind, self.word) != (SIGN, "{"):
            return []
        self.take(SIGN, "{", "an opening brace")
        found = []
        while self.kind == TEXT or self.word != "}":
            found.append(read())
        self.advance()
        return found

    def whole(self, what: str) -> int:
        """A whole number."""
        number = int(self.take(WORD, "[+-]?[0-9]{1,10}", f"the number of {what}"))
        return number if -(2**31) <= number < 2**31 else self.fail(f"the number of {what} has more than 32 bits")

    def fraction(self, comma: bool = True) -> Fraction:
        """An exact number, which a *comma* may follow."""
        number = Fraction(self.take(WORD, NUMBER, "an exact number"))
        if comma and self.kind == SIGN and self.word == ",":
            self.advance()
        return number

    def read_node(self, above: int, move: int) -> None:
        """The node in hand: ``c`` of chance, ``p`` of a player, ``t`` where play ends."""
        kind = self.take(WORD, "[cpt]", "a node (c, p or t)")
        self.take(TEXT)  # the node's own label, which means nothing
        self.above.append(above)
        self.move.append(move)
        self.at.append(NONE if kind == "t" else self.read_set(kind == "c"))
        before, paid = self.paid[above] if above != NONE else [Fraction(0)] * len(self.players), self.read_outcome()
        self.paid.append([a + b for a, b in zip(before, paid, strict=True)] if paid else before)

    def read_set(self, chance: bool) -> int:
        """A set says everything where it stands first, and nothing else later. Its index."""
        owner = NONE if chance else self.whole("a player") - 1
        if owner not in range(NONE if chance else 0, len(self.players)):
            self.fail("there is no such player")
        number, label = self.whole("an information set"), self.take(TEXT) if self.kind == TEXT else ""
        listed = self.braced(lambda: (self.take(TEXT), *([self.fraction(comma=False)] if chance else [])), needed=False)
        given = Infoset(owner, number, label, [each[0] for each in listed], [each[1] for each in listed if chance])
        if (owner, number) in self.found:
            known = self.sets[self.found[owner, number]]
            if label not in ("", known.label) or (listed and (*given[3:],) != known[3:]):
                self.fail(f"the information set {number} is not what it was before")
            return self.found[owner, number]
        if not listed or (chance and (sum(given.chances) != 1 or min(given.chances) < 0)):
            self.fail(f"the information set {number} needs moves{', and probabilities that sum to 1' * chance}")
        self.found[owner, number] = len(self.sets)
        self.sets.append(given)
        return len(self.sets) - 1

    def read_outcome(self) -> list[Fraction]:
        """What is paid at the node in hand; nothing where no outcome stands there."""
        number, label = self.whole("an outcome"), self.take(TEXT) if self.kind == TEXT else None
        pays = self.braced(self.fraction, needed=False)
        if number == 0:
            return [] if label is None and not pays else self.fail("outcome 0 is none, and pays nothing")
        if number not in self.outcomes and len(pays) == len(self.players):
            self.outcomes[number] = (label or "", pays)
        known = self.outcomes.get(number) or self.fail(f"outcome {number} needs a payoff for each player")
        if (label or known[0], pays or known[1]) != known:
            self.fail(f"outcome {number} is not what it was before")
        return known[1]


def distinct(labels: list[str]) -> list[str]:
    """The names of moves: equal and empty labels get _1, _2, ... in their order, as far as no other has the name."""
    if len({*labels}) == len(labels) and "" not in labels:
        return labels
    names: list[str] = []
    for label in labels:
        numbered = (f"{label}_{number}" for number in count(1))
        alone = label and labels.count(label) == 1
        names.append(label if alone else next(name for name in numbered if name not in (*labels, *names)))
    return names


# --- Strategies, and what can be got against them.

Rows = list[list[Fraction]]  # by information set the probability of each move, chance's too


def read_profile(tree: Tree, entries: list[dict[str, Any]], place: str) -> Rows:
    """The strategies of all players. Each information set must have exactly one entry."""
    rows = [list(each.chances) for each in tree.sets]
    for entry in entries:
        at = tree.found.get((entry["player"] - 1, entry["infoset"]), NONE) if entry["player"] > 0 else NONE
        here = f"{place}, player {entry['player']}, set {entry['infoset']}"
        if at == NONE or rows[at]:
            raise Refused(f"{here}: {'there is no such set' if at == NONE else 'it stands there twice'}")
        same(f"{here}, label", entry["label"], tree.sets[at].label)
        names = distinct(tree.sets[at].moves)
        same(f"{here}, the moves", sorted(entry["probabilities"]), sorted(names))
        rows[at] = [exact(f"{here}, {shown(name)}", entry["probabilities"][name]) for name in names]
        if min(rows[at]) < 0 or sum(rows[at]) != 1:
            raise Refused(f"{here}: {shown(entry['probabilities'])} is no distribution: it must sum to 1, none below 0")
    for at, row in enumerate(rows):
        if not row:
            raise Refused(f"{place}: nothing for player {tree.sets[at].owner + 1}, set {tree.sets[at].number}")
    return rows


def weights(tree: Tree, rows: Rows, me: int) -> list[Fraction]:
    """By node the product of all probabilities on the way to it, but for those of player *me* (NONE: of all)."""
    found = [Fraction(1)]
    whose = "payoffs" if me == NONE else f"the best response of {named(tree.players[me])}"
    for above, move in zip(tree.above[1:], tree.move[1:], strict=True):
        progress(f"{whose}: {len(found):,} nodes")
        mine = tree.sets[tree.at[above]].owner == me != NONE
        found.append(found[above] * (1 if mine or not found[above] else rows[tree.at[above]][move]))
    return found


def most(tree: Tree, rows: Rows, me: int) -> Fraction:
    """The most that player *me* can get against the others' strategies."""
    own: list[tuple[int, int] | None] = [None]  # by node the own move before it: (set, move)
    before: dict[int, tuple[int, int] | None] = {}
    credit: dict[tuple[int, int] | None, Fraction] = defaultdict(Fraction)
    for node, weight in enumerate(weights(tree, rows, me)):
        above, at = tree.above[node], tree.at[node]
        if node:
            own.append((tree.at[above], tree.move[node]) if tree.sets[tree.at[above]].owner == me else own[above])
        if weight and at == NONE:
            credit[own[node]] += weight * tree.paid[node][me]
        elif weight and tree.sets[at].owner == me and before.setdefault(at, own[node]) != own[node]:
            where = f"player {me + 1} has no perfect recall at set {tree.sets[at].number}"
            raise Refused(f"game: {where}; 'efg-builder verify FILE' may do")
    for at in reversed(before):  # a set was met first after the set of the own move before it
        credit[before[at]] += max(credit[at, move] for move in range(len(tree.sets[at].moves)))
    return credit[None]


class Judged:
    """Strategies, and what follows from them: by player ``value`` and ``most``; ``regrets``, and the bounds or None."""

    def __init__(self, tree: Tree, entries: list[dict[str, Any]], place: str) -> None:
        rows, players = read_profile(tree, entries, place), range(len(tree.players))
        weight = weights(tree, rows, NONE)
        reached = {at for at, p in zip(tree.at, weight, strict=True) if p}
        for entry in entries:
            at = tree.found[entry["player"] - 1, entry["infoset"]]
            same(f"{place}, player {entry['player']}, set {entry['infoset']}, reached", entry["reached"], at in reached)
        ends = [node for node, at in enumerate(tree.at) if at == NONE]
        self.value = [sum((weight[end] * tree.paid[end][me] for end in ends), Fraction(0)) for me in players]
        best = [most(tree, rows, me) for me in players]
        self.regrets = [most - got for most, got in zip(best, self.value, strict=True)]
        self.regret = max(self.regrets)
        totals = {sum(tree.paid[end]) for end in ends}
        self.bounds = (totals.pop() - best[1], best[0]) if len(best) == 2 and len(totals) == 1 else None
        self.range = max(max(own) - min(own) for own in zip(*(tree.paid[end] for end in ends), strict=True))


# --- The claim, and the file.

ENTRY = {"player": int, "infoset": int, "label": str, "reached": bool, "probabilities": {str: object}}
SEVERAL = {"value": object, "regret": object, "equilibrium": bool, "profile": [ENTRY]}
COUNTS = dict.fromkeys(("nodes", "chance_nodes", "decision_nodes", "terminal_nodes"), int)
GAME = COUNTS | {"title": str, "players": [str], "efg": str}
CLAIM: dict[str, Any] = dict.fromkeys(("method", "status", "message"), str) | {"exact": bool}
CLAIM |= dict.fromkeys(("value", "lower", "upper", "regret", "tolerance"), object)
SHAPE = CLAIM | {"game": GAME, "digests": {str: str}, "profile": [ENTRY]}
OPTIONAL = {"regrets": [object], "radius": object, "equilibria": [SEVERAL], "refined": dict}
OPTIONAL |= {"run": dict, "seconds": object}
METHOD = "[A-Za-z0-9][A-Za-z0-9 .,+_-]{0,59}"


def fits(place: str, data: Any, shape: Any) -> None:
    """Refuse what is not of a type, a list of a shape, or an object of shapes with these keys (``str``: with any)."""
    kind: Any = shape if isinstance(shape, type) else type(shape)
    if kind is not object and type(data) is not kind:
        raise Refused(f"{place}: {shown(data)} is not of the type {kind.__name__}")
    if kind is list:
        data, shape = dict(enumerate(data, start=1)), {str: shape[0]}
    if isinstance(shape, dict):
        for key in data if str in shape else [*data, *shape]:
            if key not in data or (key not in shape and str not in shape):
                raise Refused(f"{place}: the key {shown(key)} is {'unknown' if key in data else 'missing'}")
            fits(f"{place}, {key}", data[key], shape.get(key, shape.get(str)))


def check_claim(tree: Tree, data: dict[str, Any]) -> str:
    """What is proved, in words, after all numbers of the claim, and its status, were held against best responses."""
    judged = Judged(tree, data["profile"], "profile")
    lower, upper = judged.bounds or (None, None)
    value, regret = [*map(str, judged.value)], judged.regret
    bounds = [None, None, [*map(str, judged.regrets)]] if lower is None else [str(lower), str(upper), None]
    right = {"value": value, "regret": str(regret), "exact": not regret}
    for key, number in (right | dict(zip(("lower", "upper", "regrets"), bounds, strict=True))).items():
        same(f"claim, {key}", data.get(key), number)
    given = data["tolerance"]  # which makes no equilibrium of what is none
    tolerance = Fraction(given or 0) if type(given) in (float, type(None)) else exact("claim, tolerance", given)
    same("claim, tolerance", given, given if type(given) in (float, type(None)) else str(tolerance))
    beyond = regret > tolerance * judged.range
    true = {"equilibrium": not regret, "not-an-equilibrium": beyond, "timeout": True, "interrupted": True}
    true["near-equilibrium" if lower is None else "bracket"] = beyond
    if tolerance < 0 or not true.get(data["status"]):
        raise Refused(f"claim, status: {shown(data['status'])} does not follow from a regret of {shown(str(regret))}")
    for number, entry in enumerate(data.get("equilibria", []), start=1):
        one = Judged(tree, entry["profile"], place := f"equilibria, number {number}")
        same(f"{place}, value", entry["value"], [*map(str, one.value)])
        same(f"{place}, regret", entry["regret"], str(one.regret))
        if one.regret if entry["equilibrium"] else one.regret <= tolerance * one.range:
            raise Refused(f"{place}, equilibrium: it does not follow from a regret of {shown(str(one.regret))}")
    several = data.get("equilibria", [])
    more = sum(entry["equilibrium"] for entry in several)
    end = f"; {more} of {len(several)} profiles in 'equilibria' are equilibria" if several else ""
    first, *_ = names = [*map(named, tree.players)]
    if lower is not None and lower == upper:
        return f"the value to {first} is {figure(lower)} (exact){end}"
    if lower is not None and upper is not None:
        return f"the value to {first} lies in [{figure(lower, ROUND_FLOOR)}, {figure(upper, ROUND_CEILING)}]{end}"
    gets = ", ".join(f"{name} gets {figure(number)}" for name, number in zip(names, judged.value, strict=True))
    return f"{f'nobody gains more than {figure(regret, ROUND_CEILING)}' if regret else 'an equilibrium'}: {gets}{end}"


def check_digests(data: dict[str, Any]) -> None:
    """Hold each part against its digest, the start of the SHA-256 of its JSON; that finds accidents and no lies."""
    claim = {key: part for key, part in data.items() if key in (*CLAIM, "regrets", "radius")}
    parts: dict[str, Any] = {"game": data["game"], "claim": claim}
    for entry in data["profile"]:
        parts.setdefault(f"profile of player {entry['player']}", []).append(entry)
    parts |= {f"equilibria, number {n}": one for n, one in zip(count(1), data.get("equilibria", []), strict=False)}
    parts |= {"refined": data["refined"]} if "refined" in data else {}
    for name in [*parts, *data["digests"]]:
        plain = json.dumps(parts.get(name), sort_keys=True, separators=(",", ":"))
        if name not in parts or data["digests"].get(name) != sha256(plain.encode()).hexdigest()[:12]:
            raise Refused(f"{name}: it does not agree with its digest: one of the two was changed")


def prove(data: Any) -> str:
    """What the content of a file proves, in words. Raises ``Refused``."""
    game = data.get("game") if isinstance(data, dict) else None
    if not isinstance(game, dict) or "efg" not in game:
        raise Refused("the whole: it carries no tree; checker.py (Liar's Dice) or 'efg-builder verify FILE' may do")
    shape = SHAPE | {key: shape for key, shape in OPTIONAL.items() if key in data}
    fits("the whole", data, shape)
    if type(seconds := data.get("seconds", 0)) not in (int, float) or seconds < 0:
        raise Refused(f"seconds: {shown(seconds)} is no number of seconds")
    if not re.fullmatch(METHOD, data["method"]):
        raise Refused(f"claim, method: {shown(data['method'])} is no name of a method")
    check_digests(data)
    tree = Tree(game["efg"])
    kinds = Counter("t" if at == NONE else "c" if tree.sets[at].owner == NONE else "p" for at in tree.at)
    facts = (tree.title, tree.players, len(tree.at), *(kinds[kind] for kind in "cpt"))
    for key, fact in zip(("title", "players", *COUNTS), facts, strict=True):
        same(f"game, {key}", game[key], fact)
    left = " and ".join(repr(key) for key in ("radius", "refined") if key in data)
    return check_claim(tree, data) + (f" (not looked at: {left}; 'efg-builder verify FILE' does)" if left else "")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the file, in which no key may stand twice."""
    counts = Counter(key for key, _ in pairs)
    if len(counts) < len(pairs):
        raise Refused(f"the whole: the key {shown(max(counts, key=counts.__getitem__))} twice in {shown(dict(pairs))}")
    return dict(pairs)


def read(path: str) -> Any:
    """Read JSON in UTF-8. Little gzip-compressed data must not give much."""

    def number(text: str) -> float:
        found = int(text) if text.strip("-").isdigit() else float(text)
        same("the whole", text, str(found))
        return found

    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"\x1f\x8b"):  # gzip
        most = min(1 << 29, max(1 << 26, 250 * len(content)))
        try:
            with gzip.open(io.BytesIO(content)) as packed:
                content = packed.read(most + 1)
        except (OSError, EOFError, zlib.error):
            raise OSError("damaged gzip data") from None
        if len(content) > most:
            raise OSError(f"it unpacks to more than {most >> 20} MiB")
    numbers: Any = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), number)
    return json.loads(content.decode("utf-8-sig"), object_pairs_hook=once, **numbers)


def main(paths: list[str]) -> int:
    """Prove files, one line each. Returns 0 where all are proved, 1 where one is refused, 2 where one is unreadable."""
    if not paths:
        print("usage: python tree_checker.py FILE...   (certificates, .json or .json.gz)", file=sys.stderr)
        return 2
    code = 0
    for path in paths:
        DUE[0] = monotonic() + 2
        try:
            print(f"{path}: proved: {prove(read(path))}")
        except OSError as error:
            print(f"{path}: cannot be read: {error}")
            code = 2
        except (Refused, ValueError, OverflowError, RecursionError) as error:
            why = str(error) if isinstance(error, Refused) else f"no certificate in JSON: {error}"
            print(f"{path}: refused: {why.encode('unicode_escape').decode()}")
            code = max(code, 1)
    return code


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.setrecursionlimit(10_000)
    sys.set_int_max_str_digits(100_000)
    sys.exit(main(sys.argv[1:]))
