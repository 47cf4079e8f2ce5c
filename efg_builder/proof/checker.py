"""Verify certificates of bidding games: ``python checker.py FILE...``. This file needs only Python 3.11.

A certificate names a round of Liar's Dice. It contains each player's strategy, and the claimed payoffs and regrets.
This file checks the claim by best responses, in integers. It shares no code with the writer of certificates.

A player's regret is the payoff of a best response, minus the player's payoff. In an equilibrium, all regrets are 0.
Suppose that two players divide a constant total. If player 2's best response pays b2, player 1's strategy guarantees
total - b2, a lower bound on the value. The payoff of player 1's best response is an upper bound.

The strategies are converted to realization plans (D. Koller, N. Megiddo, B. von Stengel, STOC 1994): a weight for each
history, hand and move. The weight is the number of rolls of the hand, times the probabilities of the player's moves so
far. The responder has perfect recall, so backward induction is correct. The best move has the largest payoff, summed
over the others' hands with their weights. If a history and hand have no entry in a strategy, the player calls. A call
ends play (B. Bosansky et al., JAIR 2014)."""

import gzip
import json
import re
import sys
import zlib
from collections import Counter
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from itertools import product
from math import lcm, prod
from operator import mul
from pathlib import Path
from time import monotonic
from typing import Any


class _Refused(Exception):
    """The file proves nothing; the message names the place and the reason."""


def shown(value: object) -> str:
    """Return a value from the file for a message, on one line, cut to 60 characters."""
    return text if len(text := json.dumps(value)) <= 60 else f"{text[:57]}..."


def same(place: str, said: object, right: object) -> None:
    """Refuse the file unless *said* is *right*. They are compared as JSON, because ``True == 1`` in Python."""
    if json.dumps(said) != json.dumps(right):
        raise _Refused(f"{place}: {shown(said)} in the file, but it must be {shown(right)}")


def figure(number: Fraction, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return a number as text: with an approximation if it is long, as an approximation only if it is very long."""
    text, digits = str(number), Context(10, rounding)
    near = f"about {digits.divide(Decimal(number.numerator), Decimal(number.denominator))}"
    if len(text) > 40:
        return f"{near} ({sum(map(str.isdigit, text)):,} digits)"
    return text if len(text) < 10 else f"{text}, {near}"


DUE = [float("inf")]  # the earliest time of the next progress line; set by main


def progress(line: str) -> None:
    """Print a line on stderr, at most once every two seconds."""
    if monotonic() > DUE[0]:
        print(line, file=sys.stderr, flush=True)
        DUE[0] = monotonic() + 2


def exact(place: str, given: str) -> Fraction:
    """Return the number in a string such as ``"-1/9"``."""
    if re.fullmatch("(?=.{1,4000}$)-?[0-9]+(/[1-9][0-9]*)?", given) and str(Fraction(given)) == given:
        return Fraction(given)
    raise _Refused(f"{place}: {shown(given)} is not an exact number: an integer or fraction in lowest terms")


# --- The rules: hands, bids, and the payoffs of a call.

BIDDING = {
    "sides": "[2-9]|1[0-9]|20",
    "dice": "([1-9]|10)(,([1-9]|10)){1,9}",
    "wild": "none|[1-9]|1[0-9]|20",
    "wild_biddable": "true|false",
    "order": "quantity-face|face-quantity|bluff",
    "max_quantity": "[1-9][0-9]?|100",
}
STAKES = {"loss": "one|difference", "exact": "caller-loses-one|bidder-loses-one", "lose1": ".*", "lose2": ".*"}
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
SETTINGS = {"liars-dice": BIDDING | {"payoff": "win-loss|points"}, "liars-dice-stakes": BIDDING | STAKES}


class Round:
    """A round. Players are numbered from 0. Player 0 begins. A move is a higher bid, or a call of the last bid.

    ``bids``: (quantity, face), lowest first. A bid's number is its index in this list; the call has the next number.
    For each player: ``hands``, such as "1,3"; ``odds``, the number of rolls of each hand; ``counting[player][face]``,
    the matching dice in each hand. ``pays[quantity][caller][matching dice]``: all players' payoffs, times ``unit``.
    """

    def __init__(self, settings: dict[str, str]) -> None:
        self.settings, self.sides, self.most = settings, int(settings["sides"]), int(settings["max_quantity"])
        self.dice = [int(count) for count in settings["dice"].split(",")]
        self.players, self.faces = range(len(self.dice)), range(1, self.sides + 1)
        self.wild = 0 if settings["wild"] == "none" else int(settings["wild"])  # No die shows 0.
        self.biddable, bluff = settings["wild_biddable"] == "true", settings["order"] == "bluff"
        if self.wild > self.sides or (self.wild == 0 and (bluff or not self.biddable)) or (bluff and not self.biddable):
            raise _Refused("game, settings: sides, wild, wild_biddable and order do not go together")
        self.hands, self.odds, self.counting = self.roll()
        bids = product(range(1, self.most + 1), self.faces)
        self.bids = sorted((bid for bid in bids if bid[1] != self.wild or self.biddable), key=self.rank)
        self.moves = [*(f"{quantity}x{face}" for quantity, face in self.bids), "call"]
        self.call = len(self.bids)
        self.total = int(settings.get("payoff") == "points")
        self.stakes = [settings[key].split(",") for key in ("lose1", "lose2") if key in settings]
        self.losses = self.read_losses()
        self.unit = lcm(*(pay.denominator for losses in self.losses for pay in losses)) * (len(self.dice) - 1)
        counts = range(sum(self.dice) + 1)
        self.pays = [[[self.paid(n, who, k) for k in counts] for who in self.players] for n in range(self.most + 1)]

    def roll(self) -> tuple[list[list[str]], list[list[int]], list[dict[int, list[int]]]]:
        """Return ``hands``, ``odds`` and ``counting``."""
        if max(self.sides**count for count in self.dice) > 2_000_000:
            raise _Refused("game, settings: a player has more than 2,000,000 rolls, too many to check")
        kinds = {n: Counter(tuple(sorted(roll)) for roll in product(self.faces, repeat=n)) for n in set(self.dice)}
        rolls, shows = [kinds[count] for count in self.dice], {face: {face, self.wild} for face in self.faces}
        hands = [[",".join(map(str, hand)) for hand in own] for own in rolls]
        counting = [
            {face: [sum(die in shows[face] for die in hand) for hand in own] for face in shows} for own in rolls
        ]
        return hands, [list(own.values()) for own in rolls], counting

    def read_losses(self) -> list[list[Fraction]]:
        """Return each loser's payoff for 1, 2, ... dice lost. The others share the rest of the total."""
        if len(self.dice) > 2 and (self.total or self.stakes):
            raise _Refused("game, settings: points and stakes are for two players")
        found = [[Fraction(self.total - 1)] for _ in self.players]
        if self.stakes:  # Both are payoffs of player 1.
            one, two = ([exact("game, settings, stakes", text) for text in side] for side in self.stakes)
            found = [one, [-pay for pay in two]]
        for losses, dice in zip(found, self.dice, strict=True):
            if len(losses) > (dice if self.settings.get("loss") == "difference" else 1):
                raise _Refused("game, settings: there are more stakes than dice that a player can lose")
        return found

    def rank(self, bid: tuple[int, int]) -> tuple[int, ...]:
        """Return the rank of a bid. In the order "bluff", k wild dice rank just above 2k - 1 dice of another face."""
        quantity, face = bid
        if self.settings["order"] == "bluff" and face == self.wild:
            return 2 * quantity - 1, self.sides + 1
        return (face, quantity) if self.settings["order"] == "face-quantity" else (quantity, face)

    def paid(self, quantity: int, caller: int, count: int) -> list[int]:
        """Return all payoffs after *caller* calls a bid on *quantity* dice, if *count* dice match the bid."""
        over = count - quantity
        holds = over > 0 or (over == 0 and self.settings.get("exact") != "bidder-loses-one")
        lost = max(1, abs(over)) if self.settings.get("loss") == "difference" else 1
        loser = caller if holds else (caller - 1) % len(self.dice)
        loss = self.losses[loser][:lost][-1] * self.unit
        share = (self.total * self.unit - loss) / (len(self.dice) - 1)
        return [int(loss if who == loser else share) for who in self.players]

    def title(self) -> str:
        """Return the title of the game, as in certificates."""
        given, each = self.settings, f"{self.dice[0]} {{}} dice each" if self.dice[0] > 1 else "one {} die each"
        each = each if len(self.dice) == 2 else f"{len(self.dice)} players, {each}"
        each = each if len(set(self.dice)) == 1 else f"{' against '.join(map(str, self.dice))} {{}} dice"
        sided = f"{WORDS[self.sides] if self.sides < len(WORDS) else self.sides}-sided"
        parts = [f"Liar's Dice: {each.format(sided)}"]
        parts += [f"wild {self.wild}{'' if self.biddable else ' (not to be bid)'}"] if self.wild else []
        parts += [given["order"]] if given["order"] != "quantity-face" else []
        parts += [f"bids up to {self.most}"] if self.most != sum(self.dice) else []
        parts += ["points"] if self.total else []
        if "loss" in given:
            brief = [[n if len(n) <= 12 else f"{float(Fraction(n)):.4g}" for n in side] for side in self.stakes]
            parts += [f"loss {given['loss']}", *([given["exact"]] if given["exact"] == "bidder-loses-one" else [])]
            parts += [f"stakes {' | '.join(map(' '.join, brief))}"]
        return ", ".join(parts)


def read_game(part: dict[str, Any]) -> Round:
    """Return the game in a file. Its title, players and node counts must follow from the rules."""
    if part["name"] not in SETTINGS:
        raise _Refused(f"game, name: {shown(part['name'])} is not one of the bidding games: {', '.join(SETTINGS)}")
    same("game, settings", sorted(part["settings"]), sorted(SETTINGS[part["name"]]))
    for key, pattern in SETTINGS[part["name"]].items():
        if not re.fullmatch(pattern, part["settings"][key]):
            raise _Refused(f"game, settings, {key}: {shown(part['settings'][key])} does not match {pattern}")
    game = Round(part["settings"])
    # A history is a set of bids. Play can end after each history, except the empty one.
    deals, histories = prod(map(len, game.hands)), 2**game.call
    counts = [deals * (2 * histories - 1) + 1, 1, deals * histories, deals * (histories - 1)]
    players = [f"Player {who + 1}" for who in game.players]
    for key, fact in ({"title": game.title(), "players": players} | dict(zip(COUNTS, counts, strict=True))).items():
        same(f"game, {key}", part[key], fact)
    return game


# --- Strategies and best responses. Bids only rise, so a history is an integer with a bit for each of its bids.

Row = dict[int, Fraction]  # The probability of each move; 0 for missing moves.
Weights = dict[int, int]  # The weight of each hand of a player; 0 for missing hands.
Plan = tuple[Weights, dict[int, dict[int, Weights]]]  # The weights before play, and after each history and move.


def read_row(game: Round, player: int, place: str, name: str, row: dict[str, str]) -> tuple[int, int, Row]:
    """Return the history, the hand and the probabilities in a row such as ``"3: 1x1 1x2": {"1x3": "1"}``."""
    hand, _, words = name.partition(": ")
    bids = [game.moves.index(word) if word in game.moves else -1 for word in words.split(" ") if words != "start"]
    rising = all(low < high for low, high in zip([-1, *bids], [*bids, game.call], strict=True))
    if hand not in game.hands[player] or len(bids) % len(game.dice) != player or not rising:
        raise _Refused(f"{place}: player {player + 1} has no such hand, or does not move after such bids")
    legal = game.moves[bids[-1] + 1 :] if bids else game.moves[:-1]
    found = {game.moves.index(move): exact(f"{place}, {move}", p) for move, p in row.items() if move in legal}
    if len(found) < len(row) or sum(found.values()) != 1 or min(found.values()) <= 0:
        raise _Refused(f"{place}: {shown(row)} is not a distribution over {shown(legal)}: positive numbers with sum 1")
    return sum(1 << bid for bid in bids), game.hands[player].index(hand), found


def read_rows(game: Round, player: int, rows: dict[str, dict[str, str]]) -> dict[int, dict[int, Row]]:
    """Return a player's rows, by history and hand. A row without effect is refused."""
    written: dict[int, dict[int, Row]] = {}
    for name, row in rows.items():
        progress(place := f"strategies of player {player + 1}, {shown(name)}")
        history, hand, moves = read_row(game, player, place, name, row)
        if list(moves) == [game.call if history else 0]:
            raise _Refused(f"{place}: it is the default move, so the row has no effect")
        written.setdefault(history, {})[hand] = moves
    if player == 0:  # At the start, there is no bid to call: the default is the lowest bid.
        written[0] = {hand: {0: Fraction(1)} for hand in range(len(game.hands[0]))} | written.get(0, {})
    return written


def read_plan(game: Round, player: int, rows: dict[str, dict[str, str]]) -> Plan:
    """Return the realization plan for a player's rows. A row that the player's moves never reach is refused."""
    written = read_rows(game, player, rows)
    plan: dict[int, dict[int, dict[int, Fraction]]] = {}
    for history in sorted(written, key=int.bit_count):
        came = {hand: Fraction(odds) for hand, odds in enumerate(game.odds[player])}
        bids = [bid for bid in range(game.call) if history >> bid & 1]
        if len(bids) >= len(game.dice):  # The others have made one bid each since the player's last bid.
            own = bids[-len(game.dice)]
            came = plan.get(history % (1 << own), {}).get(own, {})
        for hand in written[history].keys() - came.keys():
            where = " ".join([f"hand {game.hands[player][hand]}:", *(game.moves[bid] for bid in bids)])
            raise _Refused(f"strategies of player {player + 1}, {where}: the player's moves never lead there")
        plan[history] = {}
        for hand, weight in came.items():
            for move, probability in written[history].get(hand, {game.call: Fraction(1)}).items():
                plan[history].setdefault(move, {})[hand] = weight * probability
    scale = lcm(*(w.denominator for moves in plan.values() for weights in moves.values() for w in weights.values()))
    whole = {
        history: {move: {hand: int(w * scale) for hand, w in weights.items()} for move, weights in moves.items()}
        for history, moves in plan.items()
    }
    return {hand: odds * scale for hand, odds in enumerate(game.odds[player])}, whole


def worth(game: Round, me: int, plans: list[Plan], best: bool) -> Fraction:
    """Return player *me*'s expected payoff under *plans*, or of a best response to the others if *best* is true."""

    def called(bid: int, caller: int, weights: list[Weights]) -> list[int]:
        """Return my payoff after a call of *bid* with each of my hands, summed over the others' hands."""
        quantity, face = game.bids[bid]
        pay = [payoffs[me] for payoffs in game.pays[quantity][caller]]
        by_others = [1]  # The weight of 0, 1, ... matching dice in the others' hands.
        for player in {*game.players} - {me}:
            longer = [0] * (len(by_others) + game.dice[player])
            for hand, weight in weights[player].items():
                for others, so_far in enumerate(by_others):
                    longer[others + game.counting[player][face][hand]] += so_far * weight
            by_others = longer
        by_count = [sum(map(mul, by_others, pay[own:])) for own in range(game.dice[me] + 1)]
        return [weights[me].get(hand, 0) * by_count[own] for hand, own in enumerate(game.counting[me][face])]

    def follow(history: int, weights: list[Weights]) -> list[int]:
        """Return the payoff of each of my hands after a history; *weights* are all players' weights there."""
        progress(f"player {me + 1}, {'best response' if best else 'payoff'}: after {history.bit_count()} bids")
        mover, last, found = history.bit_count() % len(game.dice), history.bit_length() - 1, []
        moves = plans[mover][1].get(history, {game.call: weights[mover]})
        chosen = best and mover == me
        if chosen:  # All higher bids are legal, and the call if there is a bid.
            moves = dict.fromkeys(range(last + 1, game.call + (history > 0)), weights[me])
        for move, after in moves.items():
            then = [*weights[:mover], after, *weights[mover + 1 :]]
            found.append(called(last, mover, then) if move == game.call else follow(history | 1 << move, then))
        return found[0] if len(found) == 1 else [(max if chosen else sum)(each) for each in zip(*found, strict=True)]

    # A best response does not depend on my strategy: my weights are the odds of my hands.
    start = [dict(enumerate(game.odds[who])) if best and who == me else plan[0] for who, plan in enumerate(plans)]
    return Fraction(sum(follow(0, start)), prod(sum(weights.values()) for weights in start) * game.unit)


DEFAULT = (
    "At an information set that is not written down the player makes the move after which play can end soonest; "
    "of several, the first."
)
FORMAT = "efg-builder solution 1"  # files of release 0.3 have no format
CLAIM = ("method", "status", "message", "value", "lower", "upper", "exact", "regret", "tolerance")
SHAPE: dict[str, Any] = dict.fromkeys(CLAIM, object)
COUNTS = dict.fromkeys(("nodes", "chance_nodes", "decision_nodes", "terminal_nodes"), int)
GAME = COUNTS | {"name": str, "settings": {str: str}, "title": str, "players": [str]}
SHAPE |= {"game": GAME, "digests": {str: str}, "default": str, "strategies": [{str: {str: str}}]}


def fits(place: str, data: Any, shape: Any) -> None:
    """Refuse *data* unless it has the *shape*: a type, [the shape of each item], or {key: shape} (``str``: any key)."""
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


def check_claim(game: Round, plans: list[Plan], data: dict[str, Any]) -> str:
    """Check the numbers and the status in the claim by best responses, and return the proved statement."""
    most, value = ([worth(game, me, plans, best) for me in game.players] for best in (True, False))
    regrets = [best - got for best, got in zip(most, value, strict=True)]
    two, regret, lower, upper = len(most) == 2, max(regrets), game.total - most[1], most[0]
    bounds: list[Any] = [str(lower), str(upper), None] if two else [None, None, [*map(str, regrets)]]
    right = {"value": [*map(str, value)], "regret": str(regret), "exact": not regret}
    for key, number in (right | dict(zip(("lower", "upper", "regrets"), bounds, strict=True))).items():
        same(f"claim, {key}", data.get(key), number)
    same("claim, status", data["status"], "near-equilibrium" if "radius" in data else data["status"])
    near = ["bracket" if two else "near-equilibrium", "not-an-equilibrium"]
    if data["status"] not in ["timeout", "interrupted", *(near if regret else ["equilibrium"])]:
        raise _Refused(f"claim, status: {shown(data['status'])} does not follow from a regret of {shown(str(regret))}")
    if two and lower == upper:
        return f"the value to Player 1 is {figure(lower)} (exact)"
    if two:
        return f"the value to Player 1 lies in [{figure(lower, ROUND_FLOOR)}, {figure(upper, ROUND_CEILING)}]"
    gets = ", ".join(f"Player {who} gets {figure(number)}" for who, number in enumerate(value, start=1))
    return f"{f'nobody gains more than {figure(regret, ROUND_CEILING)}' if regret else 'an equilibrium'}: {gets}"


def check_digests(data: dict[str, Any]) -> None:
    """Check each part's digest: 12 hexadecimal digits of its JSON's SHA-256. This reveals accidents, not forgeries."""
    claim = {key: part for key, part in data.items() if key in (*CLAIM, "regrets", "radius")}
    parts: dict[str, Any] = {"game": data["game"], "claim": claim, "default": data["default"]}
    for player, rows in enumerate(data["strategies"], start=1):
        hands: dict[str, Any] = {}
        for name, row in rows.items():
            hands.setdefault(name.partition(":")[0], {})[name] = row
        parts[f"strategies of player {player}"] = list(hands)
        parts |= {f"strategies of player {player}, hand {hand}": own for hand, own in hands.items()}
    for name in [*parts, *data["digests"]]:
        plain = json.dumps(parts.get(name), sort_keys=True, separators=(",", ":"))
        if name not in parts or data["digests"].get(name) != sha256(plain.encode()).hexdigest()[:12]:
            raise _Refused(f"{name}: it does not match its digest: one of the two was changed")


def prove(data: Any) -> str:
    """Return the statement that the content of a file proves. Only 'efg-builder verify' checks a ``radius``."""
    if not isinstance(data, dict) or "strategies" not in data:
        raise _Refused("the whole: not one round of bidding with sparse strategies; try 'efg-builder verify FILE'")
    optional = {"format": str, "regrets": [str], "radius": object, "run": object, "seconds": object}
    fits("the whole", data, SHAPE | {key: shape for key, shape in optional.items() if key in data})
    same("format", data.get("format", FORMAT), FORMAT)
    check_digests(data)
    game = read_game(data["game"])
    same("default", data["default"], DEFAULT)
    same("number of strategies", len(data["strategies"]), len(game.dice))
    plans = [read_plan(game, player, rows) for player, rows in enumerate(data["strategies"])]
    return check_claim(game, plans, data)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the JSON object of *pairs*. Raises ``_Refused`` if a key appears twice."""
    if len(dict(pairs)) < len(pairs):
        raise _Refused(f"the whole: a key appears twice in {shown(dict(pairs))}")
    return dict(pairs)


def read(path: str) -> Any:
    """Read JSON in UTF-8, or UTF-16 with its mark. The size of unpacked gzip data is limited."""
    content = Path(path).read_bytes()
    if content.startswith(b"\x1f\x8b"):  # gzip
        most = min(1 << 29, max(1 << 26, 250 * len(content)))
        content = gzip.GzipFile(fileobj=BytesIO(content)).read(most + 1)
        if len(content) > most:
            raise OSError(f"it unpacks to more than {most >> 20} MiB")
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return json.loads(content.decode(encoding), object_pairs_hook=once)


def main(paths: list[str]) -> int:
    """Verify each file, and print a line. Return 0 if all are proved, 1 if any is refused, 2 if any is unreadable."""
    if not paths:
        print("usage: python checker.py FILE...   (certificates, .json or .json.gz)", file=sys.stderr)
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
