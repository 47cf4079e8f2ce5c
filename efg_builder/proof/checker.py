"""Prove certificates of games of bidding: ``python checker.py FILE...``, with nothing installed but Python 3.11.

A certificate names a round of Liar's Dice, holds a strategy of each player, and claims bounds on its value. This file
holds the claim against both best responses, in whole numbers. It shares no code with the package that writes them.

Why the bounds hold. Let b2 be the most that player 2 can get against the strategy of player 1. What one player gets the
other does not, out of a constant total. So player 1 has at least total - b2 by this strategy, whatever player 2 does: a
lower bound on the value. In the same way b1, the most that player 1 can get against the strategy of player 2, is an
upper bound. Nothing depends on how the strategies were found.

How a best response is found. The opponent's strategy becomes a realization plan: at each history of bids, a weight for
each hand and move, the product of the hand's odds and the probabilities of the opponent's own moves up to this one
(D. Koller, N. Megiddo, B. von Stengel, STOC 1994). The weights of a plan have one common denominator, so that all that
follows is in whole numbers. The responder has perfect recall, so backward induction is right: at each history, from the
last bids back, the best move for each hand has the largest sum over the opponent's hands of weight times what follows.
Where nothing is written the opponent calls, which ends play (a default strategy, as in B. Bosansky et al., JAIR 2014).
So only histories that are written down are visited, and a bid that all call is worth what the hands' dice make of it.
"""

import json
import re
import sys
import zlib
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import lcm
from typing import Any


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


def exact(place: str, given: str) -> Fraction:
    """The number that a text such as ``"-1/9"`` stands for."""
    if re.fullmatch("-?[0-9]{1,4000}(/0*[1-9][0-9]{0,4000})?", given) and str(Fraction(given)) == given:
        return Fraction(given)
    raise Refused(f"{place}: {shown(given)} is no exact number: a whole number or a fraction in lowest terms")


# --- The rules: hands, bids, and what a call pays.

BIDDING = {
    "sides": "[2-9]|1[0-9]|20",
    "dice": "([1-9]|10),([1-9]|10)",
    "wild": "none|[1-9]|1[0-9]|20",
    "wild_biddable": "true|false",
    "order": "quantity-face|face-quantity|bluff",
    "max_quantity": "[1-9][0-9]?|100",
}
STAKES = {"loss": "one|difference", "exact": "caller-loses-one|bidder-loses-one", "lose1": ".*", "lose2": ".*"}
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
SETTINGS = {"liars-dice": BIDDING | {"payoff": "win-loss|points"}, "liars-dice-stakes": BIDDING | STAKES}


class Game:
    """A round for two players, numbered 0 and 1. Player 0 begins; a move is a higher bid, or the call of the last one.

    ``bids``: (quantity, face), lowest first. A bid is written as its index in this list, the call as the next number.
    By player: ``hands``, such as "1,3"; ``odds``, how many of all rolls give each; ``counting[player][face]``, how many
    dice of each hand count towards a bid on that face. ``pays[player][bid][caller][dice that count]``, in 1/unit.
    """

    def __init__(self, settings: dict[str, str]) -> None:
        self.settings, self.sides, self.most = settings, int(settings["sides"]), int(settings["max_quantity"])
        self.dice = [int(count) for count in settings["dice"].split(",")]
        self.wild = 0 if settings["wild"] == "none" else int(settings["wild"])  # No die shows 0.
        self.biddable, bluff = settings["wild_biddable"] == "true", settings["order"] == "bluff"
        if self.wild > self.sides or (self.wild == 0 and (bluff or not self.biddable)) or (bluff and not self.biddable):
            raise Refused("game, settings: sides, wild, wild_biddable and order do not go together")
        if max(self.sides**count for count in self.dice) > 2_000_000:
            raise Refused("game, settings: a player has more than 2,000,000 rolls, too many to be checked")

        faces = range(1, self.sides + 1)
        bids = product(range(1, self.most + 1), faces)
        self.bids = sorted((bid for bid in bids if bid[1] != self.wild or self.biddable), key=self.rank)
        self.moves = [*(f"{quantity}x{face}" for quantity, face in self.bids), "call"]
        self.call = len(self.bids)
        rolls = [Counter(tuple(sorted(roll)) for roll in product(faces, repeat=count)) for count in self.dice]
        self.hands = [[",".join(map(str, hand)) for hand in own] for own in rolls]
        self.odds = [list(own.values()) for own in rolls]
        self.counting = [
            {face: [sum(die in (face, self.wild) for die in hand) for hand in own] for face in faces} for own in rolls
        ]

        # What player 1 gets where player 1, or 2, loses 1, 2, ... dice: -1 and 1 in win-loss, 0 and 1 in points.
        self.total = 1 if settings.get("payoff") == "points" else 0
        texts = [settings.get("lose1", str(self.total - 1)), settings.get("lose2", "1")]
        self.stakes = [[exact("game, settings, stakes", text) for text in side.split(",")] for side in texts]
        for stakes, dice in zip(self.stakes, self.dice, strict=True):
            if len(stakes) > (dice if settings.get("loss") == "difference" else 1):
                raise Refused("game, settings: there are more stakes than dice that a player can lose")
        self.unit = lcm(*(stake.denominator for side in self.stakes for stake in side))
        counts = range(sum(self.dice) + 1)
        first = [[[int(self.paid(bid, who, n) * self.unit) for n in counts] for who in (0, 1)] for bid in self.bids]
        self.pays = [first, [[[self.total * self.unit - pay for pay in row] for row in rows] for rows in first]]

    def rank(self, bid: tuple[int, int]) -> tuple[int, ...]:
        """Each bid must rank higher than the last. In bluff, k wild ones come right after 2k - 1 of the others."""
        quantity, face = bid
        if self.settings["order"] == "bluff" and face == self.wild:
            return 2 * quantity - 1, self.sides + 1
        return (face, quantity) if self.settings["order"] == "face-quantity" else (quantity, face)

    def paid(self, bid: tuple[int, int], caller: int, count: int) -> Fraction:
        """What player 1 gets where *caller* calls *bid* and *count* dice count: it holds if its quantity is reached."""
        over = count - bid[0]
        holds = over > 0 or (over == 0 and self.settings.get("exact") != "bidder-loses-one")
        lost = max(1, abs(over)) if self.settings.get("loss") == "difference" else 1
        stakes = self.stakes[caller if holds else 1 - caller]
        return stakes[min(lost, len(stakes)) - 1]

    def title(self) -> str:
        """The game in a line, as certificates have it."""
        (one, two), given = self.dice, self.settings
        sided = f"{WORDS[self.sides] if self.sides < len(WORDS) else self.sides}-sided"
        each = f"one {sided} die each" if one == 1 else f"{one} {sided} dice each"
        parts = [f"Liar's Dice: {each if one == two else f'{one} against {two} {sided} dice'}"]
        parts += [f"wild {self.wild}{'' if self.biddable else ' (not to be bid)'}"] if self.wild else []
        parts += [given["order"]] if given["order"] != "quantity-face" else []
        parts += [f"bids up to {self.most}"] if self.most != one + two else []
        parts += ["points"] if self.total else []
        if "loss" in given:
            brief = [[str(n) if len(str(n)) <= 12 else f"{float(n):.4g}" for n in side] for side in self.stakes]
            parts += [f"loss {given['loss']}", *([given["exact"]] if given["exact"] == "bidder-loses-one" else [])]
            parts += [f"stakes {' | '.join(map(' '.join, brief))}"]
        return ", ".join(parts)


def read_game(part: dict[str, Any]) -> Game:
    """The game that a file names. Title, players and node counts must be those of the rules."""
    if part["name"] not in SETTINGS:
        raise Refused(f"game, name: {shown(part['name'])} is none of the games of bidding: {', '.join(SETTINGS)}")
    same("game, settings", sorted(part["settings"]), sorted(SETTINGS[part["name"]]))
    for key, pattern in SETTINGS[part["name"]].items():
        if not re.fullmatch(pattern, part["settings"][key]):
            raise Refused(f"game, settings, {key}: {shown(part['settings'][key])} does not match {pattern}")
    game = Game(part["settings"])
    # A history is a set of bids, and play can end after each but the empty one.
    deals, histories = len(game.hands[0]) * len(game.hands[1]), 2**game.call
    counts = [deals * (2 * histories - 1) + 1, 1, deals * histories, deals * (histories - 1)]
    right = {"title": game.title(), "players": ["Player 1", "Player 2"]} | dict(zip(COUNTS, counts, strict=True))
    for key, fact in right.items():
        same(f"game, {key}", part[key], fact)
    return game


# --- Strategies. Bids only rise, so a history is the set of its bids: a whole number with a bit for each.

Row = dict[int, Fraction]  # The probability of each move; a move that is left out has none.
Weights = dict[int, int]  # A weight for each hand of a player; a hand that is left out has none.

Plan = tuple[Weights, dict[int, dict[int, Weights]]]
"""A realization plan: the weights before play (odds of hands times a common denominator), and by history and move the
weights of this move. At a history that is not in it, every hand that reaches it calls."""


def last(history: int) -> int:
    """The last bid, which is the highest one; -1 before the first."""
    return history.bit_length() - 1


def read_row(game: Game, player: int, place: str, name: str, row: dict[str, str]) -> tuple[int, int, Row]:
    """History, hand and the probability of each move, from ``"3: 1x1 1x2": {"1x3": "1"}``."""
    hand, _, words = name.partition(": ")
    bids = [game.moves.index(word) if word in game.moves else -1 for word in words.split(" ") if words != "start"]
    rising = all(low < high for low, high in zip([-1, *bids], [*bids, game.call], strict=True))
    if hand not in game.hands[player] or len(bids) % 2 != player or not rising:
        raise Refused(f"{place}: player {player + 1} has no such hand, or does not move after such bids")
    legal = game.moves[bids[-1] + 1 :] if bids else game.moves[:-1]
    found = {game.moves.index(move): exact(f"{place}, {move}", p) for move, p in row.items() if move in legal}
    if len(found) < len(row) or sum(found.values()) != 1 or min(found.values()) <= 0:
        raise Refused(f"{place}: {shown(row)} is no distribution over {shown(legal)}: positive numbers that sum to 1")
    return sum(1 << bid for bid in bids), game.hands[player].index(hand), found


def read_plan(game: Game, player: int, rows: dict[str, dict[str, str]]) -> Plan:
    """The realization plan of the rows of a player. Refused is a row that has no effect."""
    written: dict[int, dict[int, Row]] = {}
    places = {}
    for name, row in rows.items():
        place = f"strategies of player {player + 1}, {shown(name)}"
        history, hand, moves = read_row(game, player, place, name, row)
        if list(moves) == [game.call if history else 0]:
            raise Refused(f"{place}: it is the default move, so that the row has no effect")
        written.setdefault(history, {})[hand] = moves
        places[history, hand] = place
    if player == 0:  # There is nothing to call at the start. By default the lowest bid is made.
        written[0] = {hand: {0: Fraction(1)} for hand in range(len(game.hands[0]))} | written.get(0, {})
    plan: dict[int, dict[int, dict[int, Fraction]]] = {}
    for history in sorted(written, key=int.bit_count):
        came = {hand: Fraction(odds) for hand, odds in enumerate(game.odds[player])}
        if history.bit_count() >= 2:  # The player's own last bid is the highest but one.
            shorter = history ^ 1 << last(history)
            came = plan.get(shorter ^ 1 << last(shorter), {}).get(last(shorter), {})
        for hand in written[history].keys() - came.keys():
            raise Refused(f"{places[history, hand]}: own moves never lead there, so that the row has no effect")
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


# --- Best responses.


def tally(game: Game, player: int, face: int, weights: Weights) -> list[int]:
    """The weight with which 0, 1, ... dice of *player* count towards a bid on *face*."""
    found = [0] * (game.dice[player] + 1)
    for hand, weight in weights.items():
        found[game.counting[player][face][hand]] += weight
    return found


def best_response(game: Game, me: int, plan: Plan) -> Fraction:
    """The most that player *me* can get on average against the other player's *plan*."""
    start, moves = plan

    def called(bid: int, caller: int, weights: Weights) -> list[int]:
        """What the call of *bid* pays me with each of my hands, summed over the opponent's hands."""
        face, pay = game.bids[bid][1], game.pays[me][bid][caller]
        others = list(enumerate(tally(game, 1 - me, face, weights)))
        by_count = [sum(weight * pay[own + other] for other, weight in others) for own in range(game.dice[me] + 1)]
        return [by_count[own] for own in game.counting[me][face]]

    def my_turn(history: int, weights: Weights) -> list[int]:
        """What my best move gets with each of my hands, where the opponent reaches the history with *weights*."""
        found = [called(last(history), me, weights)] if history else []
        for bid in range(last(history) + 1, game.call):
            longer = history | 1 << bid
            found.append(their_turn(longer) if longer in moves else called(bid, 1 - me, weights))
        return [max(column) for column in zip(*found, strict=True)]

    def their_turn(history: int) -> list[int]:
        """What each of my hands gets where the opponent moves as written."""
        found = [
            called(last(history), 1 - me, weights) if move == game.call else my_turn(history | 1 << move, weights)
            for move, weights in moves[history].items()
        ]
        return [sum(column) for column in zip(*found, strict=True)]

    best = my_turn(0, start) if me == 0 else their_turn(0)
    total = sum(odds * worth for odds, worth in zip(game.odds[me], best, strict=True))
    return Fraction(total, sum(game.odds[me]) * sum(start.values()) * game.unit)


def value(game: Game, plans: list[Plan]) -> Fraction:
    """What player 1 gets on average where both play as written."""

    def from_here(history: int, mover: int, weights: list[Weights]) -> int:
        total = 0
        for move, mine in plans[mover][1].get(history, {game.call: weights[mover]}).items():
            both = [weights[0], mine] if mover else [mine, weights[1]]
            if move == game.call:
                one, two = (enumerate(tally(game, who, game.bids[last(history)][1], both[who])) for who in (0, 1))
                pay = game.pays[0][last(history)][mover]
                total += sum(weight * other * pay[i + j] for (i, weight), (j, other) in product(one, two))
            else:
                total += from_here(history | 1 << move, 1 - mover, both)
        return total

    start = [plan[0] for plan in plans]
    return Fraction(from_here(0, 0, start), sum(start[0].values()) * sum(start[1].values()) * game.unit)


# --- The claim, and the file.

DEFAULT = (
    "At an information set that is not written down the player makes the move after which play can end soonest; "
    "of several, the first."
)
CLAIM = dict.fromkeys(("method", "status", "message", "lower", "upper", "regret"), str)
COUNTS = dict.fromkeys(("nodes", "chance_nodes", "decision_nodes", "terminal_nodes"), int)
GAME = COUNTS | {"name": str, "settings": {str: str}, "title": str, "players": [str]}
SHAPE = CLAIM | {"game": GAME, "value": [str], "exact": bool, "digests": {str: str}}
SHAPE |= {"default": str, "strategies": [{str: {str: str}}]}


def fits(place: str, data: Any, shape: Any) -> None:
    """Refuse what is not of a type, a list of a shape, or an object of shapes with these keys (``str``: with any)."""
    kind: Any = shape if isinstance(shape, type) else type(shape)
    if type(data) is not kind:
        raise Refused(f"{place}: {shown(data)} is not of the type {kind.__name__}")
    if kind is list and isinstance(shape, list):
        data, shape = dict(enumerate(data, start=1)), {str: shape[0]}
    if isinstance(shape, dict):
        for key in data if str in shape else [*data, *shape]:
            if key not in data or (key not in shape and str not in shape):
                raise Refused(f"{place}: the key {shown(key)} is {'unknown' if key in data else 'missing'}")
            fits(f"{place}, {key}", data[key], shape.get(key, shape.get(str)))


def check_claim(game: Game, plans: list[Plan], data: dict[str, Any]) -> str:
    """What is proved, in words, after all numbers of the claim, and its status, were held against best responses."""
    most, first = [best_response(game, me, plans[1 - me]) for me in (0, 1)], value(game, plans)
    lower, upper, regret = game.total - most[1], most[0], max(most[0] - first, most[1] - game.total + first)
    right = {"value": [str(first), str(game.total - first)], "lower": str(lower), "upper": str(upper)}
    for key, number in (right | {"regret": str(regret), "exact": lower == upper}).items():
        same(f"claim, {key}", data[key], number)
    tolerance = exact("claim, tolerance", data["tolerance"] or "0")  # which makes no equilibrium of what is none
    flat = [pay for rows in game.pays[0] for row in rows for pay in row]
    beyond = regret > tolerance * Fraction(max(flat) - min(flat), game.unit)
    true = {"equilibrium": not regret, "bracket": beyond, "not-an-equilibrium": beyond}
    if tolerance < 0 or not (true | {"timeout": True, "interrupted": True}).get(data["status"]):
        raise Refused(f"claim, status: {shown(data['status'])} does not follow from a regret of {shown(str(regret))}")
    return f"the value to Player 1 {f'is {lower} (exact)' if lower == upper else f'lies in [{lower}, {upper}]'}"


def check_digests(data: dict[str, Any]) -> None:
    """Hold each part against its digest: the start of the SHA-256 of the part as JSON in ASCII, sorted, without spaces.

    It finds accidents and proves nothing. The parts are the game, the claim, the default rule, and of each player the
    list of the hands that have rows, and the rows of each of these hands.
    """
    claim = {key: part for key, part in data.items() if key in (*CLAIM, "value", "exact", "tolerance")}
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
            raise Refused(f"{name}: it does not agree with its digest: one of the two was changed")


def prove(data: Any) -> str:
    """What the content of a file proves, in words. Raises ``Refused``."""
    if not isinstance(data, dict) or "strategies" not in data:
        raise Refused("the whole: not one round of bidding with sparse strategies; 'efg-builder verify FILE' may do")
    tolerance = {"tolerance": str if data.get("tolerance") else type(None)}
    fits("the whole", {key: part for key, part in data.items() if key not in ("seconds", "run")}, SHAPE | tolerance)
    check_digests(data)
    game = read_game(data["game"])
    same("default", data["default"], DEFAULT)
    same("strategies, how many", len(data["strategies"]), 2)
    plans = [read_plan(game, player, rows) for player, rows in enumerate(data["strategies"])]
    return check_claim(game, plans, data)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the file, in which no key may stand twice."""
    counts = Counter(key for key, _ in pairs)
    if len(counts) < len(pairs):
        raise Refused(f"the whole: the key {shown(max(counts, key=counts.__getitem__))} twice in {shown(dict(pairs))}")
    return dict(pairs)


def main(paths: list[str]) -> int:
    """Prove files, one line each. Returns 0 where all are proved, 1 where one is refused, 2 where one is unreadable."""
    if not paths:
        print("usage: python checker.py FILE...   (certificates, .json or .json.gz)", file=sys.stderr)
        return 2
    code = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                content = file.read()
            if content.startswith(b"\x1f\x8b"):  # gzip
                unpacking = zlib.decompressobj(wbits=31)
                content = unpacking.decompress(content, 1 << 29)
                if not unpacking.eof or unpacking.unused_data:
                    raise OSError("damaged gzip data")
            print(f"{path}: proved: {prove(json.loads(content, object_pairs_hook=once))}")
        except (OSError, zlib.error) as error:
            print(f"{path}: cannot be read: {error}")
            code = 2
        except (Refused, ValueError, OverflowError, RecursionError) as error:
            why = str(error) if isinstance(error, Refused) else f"no certificate in JSON: {error}"
            print(f"{path}: refused: {why.encode('unicode_escape').decode()}")
            code = max(code, 1)
    return code


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    sys.set_int_max_str_digits(100_000)
    sys.exit(main(sys.argv[1:]))
