"""Prove certificates of games of bidding: ``python checker.py FILE...``, with nothing installed but Python 3.10.

A certificate (JSON, or JSON packed with gzip) names a round of Liar's Dice, holds a strategy of each player, and claims
bounds on the value of the game. This file states the rules, reads both strategies, works out both best responses in
whole numbers and holds the claim against them. It shares no code with the package that writes certificates.

Why the bounds hold. Let b2 be the most that player 2 can get against the strategy of player 1. What one player gets the
other does not, out of a constant total. So player 1 has at least total - b2 by this strategy, whatever player 2 does: a
lower bound on the value. In the same way b1, the most that player 1 can get against the strategy of player 2, is an
upper bound. Nothing depends on how the strategies were found.

How a best response is found. The opponent's strategy becomes a realization plan: at each history of bids, a weight for
each hand and move, the product of the hand's odds and the probabilities of the opponent's own moves up to this one
(D. Koller, N. Megiddo, B. von Stengel, STOC 1994). The weights of a plan have one common denominator, so that all that
follows is in whole numbers. The responder has perfect recall, so backward induction is right: at each history, from the
last bids back, the best move for each hand is the one with the largest sum over the opponent's hands of weight times
what follows. Where nothing is written the opponent calls, which ends play (a default strategy, as in B. Bosansky,
C. Kiekintveld, V. Lisy, M. Pechoucek, JAIR 51, 2014). So only histories that are written down are visited, and what a
bid is worth which all hands of the opponent call follows from how many dice of each hand count.

Digests find accidents and prove nothing: the first 12 hexadecimal digits of the SHA-256 of a part as JSON, in ASCII with
sorted keys and no spaces. The parts are ``game``; ``claim``, all keys that belong to no other part; ``default``; and of
each player the list of the hands that are written down, and the rows of each hand. Where a solution writes strategies
down in full, the entries of each player in ``profile`` are a part. ``seconds`` and ``run`` have no digest.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, lcm, prod
from typing import Any


class Refused(Exception):
    """The file proves nothing: the place, and why."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")


def shown(value: object) -> str:
    """A value of the file on one line of a message, cut short."""
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def same(place: str, said: object, right: object) -> None:
    """Refuse what is not written just as it must be. Compared as text, because to Python ``True`` is 1."""
    if json.dumps(said, sort_keys=True) != json.dumps(right, sort_keys=True):
        raise Refused(place, f"{shown(said)} in the file, but it must be {shown(right)}")


def exact(place: str, given: object) -> Fraction:
    """The number that text such as ``"-1/9"`` stands for."""
    if isinstance(given, str) and re.fullmatch("-?[0-9]{1,4000}(/0*[1-9][0-9]{0,4000})?", given):
        number = Fraction(given)
        if str(number) == given:
            return number
    raise Refused(place, f"{shown(given)} is no exact number: a whole number or a fraction in lowest terms, as text")


def has_keys(place: str, data: dict[str, Any], must: set[str], may: frozenset[str] = frozenset()) -> None:
    """Refuse an object that lacks a key, or has one that nobody would check."""
    for key in [*sorted(must), *data]:
        if key not in data or key not in must | may:
            raise Refused(place, f"the key {shown(key)} is {'unknown' if key in data else 'missing'}")


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
SETTINGS = {"liars-dice": BIDDING | {"payoff": "win-loss|points"}, "liars-dice-stakes": BIDDING | STAKES}


class Game:
    """A round for two players, numbered 0 and 1. Player 0 begins; a move is a higher bid, or the call of the last one.

    ``bids``: (quantity, face), lowest first. A bid is written as its index in this list, the call as the next number.
    By player: ``hands``, sorted faces; ``odds``, how many of all rolls give each hand; ``counting[player][face]``: how
    many dice of each hand count towards a bid on that face. ``pays[player][bid][caller][dice that count]``, in 1/unit.
    """

    def __init__(self, name: str, settings: dict[str, str]) -> None:
        for key, pattern in SETTINGS[name].items():
            if not isinstance(settings[key], str) or not re.fullmatch(pattern, settings[key]):
                raise Refused("game", f"{key} cannot be {shown(settings[key])}")
        self.settings, self.sides, self.most = settings, int(settings["sides"]), int(settings["max_quantity"])
        self.dice = [int(count) for count in settings["dice"].split(",")]
        self.wild = None if settings["wild"] == "none" else int(settings["wild"])
        self.wild_biddable, order = settings["wild_biddable"] == "true", settings["order"]
        if (self.wild or 1) > self.sides or not (self.wild or (self.wild_biddable and order != "bluff")):
            raise Refused("game", f"with {self.sides} sides, wild cannot be {self.wild} and order {order}")
        if order == "bluff" and not self.wild_biddable:
            raise Refused("game", "order cannot be bluff where the wild face is not to be bid")
        if sum(comb(count + self.sides - 1, count) for count in self.dice) > 100_000:
            raise Refused("game", "more than 100,000 hands are too many to be checked")

        faces = range(1, self.sides + 1)
        self.hands = [list(combinations_with_replacement(faces, count)) for count in self.dice]
        self.hand_names = [[",".join(map(str, hand)) for hand in mine] for mine in self.hands]
        self.odds = [
            [factorial(len(h)) // prod(map(factorial, Counter(h).values())) for h in own] for own in self.hands
        ]
        self.rolls = self.sides ** sum(self.dice)
        # A die counts towards a bid where it shows the face, or the wild face.
        self.counting = [
            {face: [sum(die in (face, self.wild) for die in hand) for hand in mine] for face in faces}
            for mine in self.hands
        ]
        bids = product(range(1, self.most + 1), faces)
        self.bids = sorted((bid for bid in bids if bid[1] != self.wild or self.wild_biddable), key=self.rank)
        self.call = len(self.bids)
        self.moves = [*(f"{quantity}x{face}" for quantity, face in self.bids), "call"]

        # What player 1 gets where player 1, or 2, loses 1, 2, ... dice. Win-loss is a round with the stakes -1 and 1; in
        # points the loser gets 0, and both together 1.
        points = settings.get("payoff") == "points"
        texts = [settings.get("lose1", "0" if points else "-1"), settings.get("lose2", "1")]
        self.stakes = [[exact("game, stakes", text) for text in side.split(",")] for side in texts]
        for stakes, dice in zip(self.stakes, self.dice, strict=True):
            if len(stakes) > (dice if settings.get("loss") == "difference" else 1):
                raise Refused("game", f"{len(stakes)} stakes are more than dice that a player can lose")
        self.total, self.unit = int(points), lcm(*(stake.denominator for side in self.stakes for stake in side))
        counts = range(sum(self.dice) + 1)
        first = [[[int(self.paid(bid, who, n) * self.unit) for n in counts] for who in (0, 1)] for bid in self.bids]
        self.pays = [first, [[[self.total * self.unit - pay for pay in row] for row in rows] for rows in first]]

    def rank(self, bid: tuple[int, int]) -> tuple[int, ...]:
        """Each bid must have a higher rank than the last. In bluff, k wild ones come right after 2k - 1 of the others."""
        quantity, face = bid
        if self.settings["order"] == "face-quantity":
            return face, quantity
        if self.settings["order"] == "bluff" and face == self.wild:
            return 2 * quantity - 1, self.sides + 1
        return quantity, face

    def paid(self, bid: tuple[int, int], caller: int, count: int) -> Fraction:
        """What player 1 gets where *caller* calls *bid* and *count* of all dice count. The bid says: at least so many."""
        over = count - bid[0]
        holds = over > 0 or (over == 0 and self.settings.get("exact") != "bidder-loses-one")
        lost = max(1, abs(over)) if self.settings.get("loss") == "difference" else 1
        stakes = self.stakes[caller if holds else 1 - caller]
        return stakes[min(lost, len(stakes)) - 1]

    def title(self) -> str:
        """The game in a line, as certificates have it."""
        (one, two), given = self.dice, self.settings
        each = f"{'one' if one == 1 else one} {self.sides}-sided {'die' if one == 1 else 'dice'} each"
        parts = [f"Liar's Dice: {each if one == two else f'{one} against {two} {self.sides}-sided dice'}"]
        parts += [f"wild {self.wild}{'' if self.wild_biddable else ' (not to be bid)'}"] if self.wild else []
        parts += [given["order"]] if given["order"] != "quantity-face" else []
        parts += [f"bids up to {self.most}"] if self.most != one + two else []
        parts += ["points"] if self.total else []
        if "loss" in given:
            parts += [f"loss {given['loss']}"] + ([given["exact"]] if given["exact"] == "bidder-loses-one" else [])
            brief = [[str(n) if len(str(n)) <= 12 else f"{float(n):.4g}" for n in side] for side in self.stakes]
            parts += [f"stakes {' | '.join(map(' '.join, brief))}"]
        return ", ".join(parts)

    def sizes(self) -> dict[str, int]:
        """The nodes of the game tree: a history is a set of bids, and play can end after each but the empty one."""
        deals, histories = len(self.hands[0]) * len(self.hands[1]), 2 ** len(self.bids)
        decisions, ends = deals * histories, deals * (histories - 1)
        counts = {"chance_nodes": 1, "decision_nodes": decisions, "terminal_nodes": ends}
        return {"nodes": sum(counts.values())} | counts


def read_game(part: dict[str, Any]) -> Game:
    """The game that a file names. Title, players and node counts must be those of the rules."""
    name, settings = part.get("name"), part.get("settings")
    if not isinstance(name, str) or name not in SETTINGS or not isinstance(settings, dict):
        known = f"this checker knows only games of bidding ({', '.join(SETTINGS)}), not {shown(name)}"
        raise Refused("game", f"{known}; 'efg-builder verify FILE' may know it")
    has_keys("game, settings", settings, set(SETTINGS[name]))
    game = Game(name, settings)
    right = {"name": name, "settings": settings, "title": game.title(), "players": ["Player 1", "Player 2"]}
    right |= game.sizes()
    has_keys("game", part, set(right))
    for key, fact in right.items():
        same(f"game, {key}", part[key], fact)
    return game


# --- Strategies. Bids only rise, so a history is the set of its bids: a whole number with a bit for each.

Weights = dict[int, int]
"""A weight for each hand of a player; a hand that is left out has none."""


@dataclass
class Plan:
    """The realization plan of a strategy.

    ``start``: the weight of each hand before play, its odds times the common denominator ``scale``.
    ``moves[history][move]``: the weights with which the player makes this move. At a history that is not in it, every
    hand that gets there calls.
    """

    scale: int
    start: Weights
    moves: dict[int, dict[int, Weights]]


def read_row(game: Game, player: int, name: str, row: object, full: bool) -> tuple[int, int, dict[int, Fraction]]:
    """History, hand and the probability of each move, from ``"3: 1x1 1x2": {"1x3": "1"}``.

    A strategy that is written down in *full* also has moves of probability 0.
    """
    place = f"strategies of player {player + 1}, {shown(name)}"
    hand, _, words = name.partition(": ")
    bids = (
        [] if words == "start" else [game.moves.index(word) if word in game.moves else -1 for word in words.split(" ")]
    )
    if hand not in game.hand_names[player] or len(bids) % 2 != player:
        raise Refused(place, f"player {player + 1} does not move there, or has no such hand")
    if any(low >= high for low, high in zip([-1, *bids], [*bids, game.call], strict=True)):
        raise Refused(place, "there is no such history: each bid must be higher than the last")
    legal = game.moves[bids[-1] + 1 :] if bids else game.moves[:-1]
    if not isinstance(row, dict) or not (set(row) == set(legal) if full else set(row) <= set(legal)):
        raise Refused(place, f"{shown(row)} is no distribution over the legal moves: {', '.join(legal)}")
    found = {game.moves.index(move): exact(f"{place}, {move}", given) for move, given in row.items()}
    if sum(found.values()) != 1 or not all(p > 0 or (full and p == 0) for p in found.values()):
        raise Refused(place, "probabilities must be positive and sum to 1")
    return sum(1 << bid for bid in bids), game.hand_names[player].index(hand), {m: p for m, p in found.items() if p}


def read_plan(game: Game, player: int, rows: dict[str, Any], full: bool = False) -> Plan:
    """The realization plan of the rows of a player.

    Unless the strategy is written down in *full*, each row must matter: refused is a row to which the player's own
    moves never lead, and one with the default move alone.
    """
    written: dict[int, dict[int, dict[int, Fraction]]] = {}
    names: dict[tuple[int, int], str] = {}
    for name, row in rows.items():
        history, hand, moves = read_row(game, player, name, row, full)
        names[history, hand] = f"strategies of player {player + 1}, {shown(name)}"
        if not full and list(moves) == [game.call if history else 0]:
            raise Refused(names[history, hand], "it has no effect: it is the default move")
        written.setdefault(history, {})[hand] = moves
    if player == 0:  # There is nothing to call at the start. By default the lowest bid is made.
        written[0] = {hand: {0: Fraction(1)} for hand in range(len(game.hands[0]))} | written.get(0, {})
    start = {hand: Fraction(odds) for hand, odds in enumerate(game.odds[player])}
    plan: dict[int, dict[int, dict[int, Fraction]]] = {}
    for history in sorted(written, key=int.bit_count):
        came = start
        if history.bit_count() >= 2:  # The player's own last bid is the highest but one.
            shorter = history ^ (1 << history.bit_length() - 1)
            own = shorter.bit_length() - 1
            came = plan.get(shorter ^ (1 << own), {}).get(own, {})
        plan[history] = {}
        for hand in came.keys() | written[history].keys():
            if hand not in came and not full:
                raise Refused(names[history, hand], "it has no effect: the player's own moves never lead there")
            for move, probability in written[history].get(hand, {game.call: Fraction(1)}).items():
                if hand in came:
                    plan[history].setdefault(move, {})[hand] = came[hand] * probability
    scale = lcm(*(w.denominator for moves in plan.values() for weights in moves.values() for w in weights.values()))

    def whole(weights: dict[int, Fraction]) -> Weights:
        return {hand: int(weight * scale) for hand, weight in weights.items()}

    moves_ = {history: {move: whole(weights) for move, weights in moves.items()} for history, moves in plan.items()}
    return Plan(scale, whole(start), moves_)


# --- Best responses.


def tally(game: Game, player: int, face: int, weights: Weights) -> list[int]:
    """The weight with which 0, 1, ... dice of *player* count towards a bid on *face*."""
    found = [0] * (game.dice[player] + 1)
    for hand, weight in weights.items():
        found[game.counting[player][face][hand]] += weight
    return found


def best_response(game: Game, me: int, plan: Plan) -> Fraction:
    """The most that player *me* can get on average against the other player's *plan*."""

    def called(bid: int, caller: int, weights: Weights) -> list[int]:
        """What the call of *bid* pays me with each of my hands, summed over the opponent's hands."""
        face, pay = game.bids[bid][1], game.pays[me][bid][caller]
        others = list(enumerate(tally(game, 1 - me, face, weights)))
        by_count = [sum(weight * pay[own + other] for other, weight in others) for own in range(game.dice[me] + 1)]
        return [by_count[own] for own in game.counting[me][face]]

    def my_turn(history: int, weights: Weights) -> list[int]:
        """What my best move gets with each of my hands, where the opponent comes here with these *weights*."""
        last = history.bit_length() - 1
        found = [called(last, me, weights)] if history else []
        for bid in range(last + 1, game.call):
            longer = history | 1 << bid
            found.append(their_turn(longer) if longer in plan.moves else called(bid, 1 - me, weights))
        return [max(column) for column in zip(*found, strict=True)]

    def their_turn(history: int) -> list[int]:
        """What each of my hands gets where the opponent moves as written."""
        last, found = history.bit_length() - 1, []
        for move, weights in plan.moves[history].items():
            call = move == game.call
            found.append(called(last, 1 - me, weights) if call else my_turn(history | 1 << move, weights))
        return [sum(column) for column in zip(*found, strict=True)]

    best = my_turn(0, plan.start) if me == 0 else their_turn(0)
    total = sum(odds * worth for odds, worth in zip(game.odds[me], best, strict=True))
    return Fraction(total, game.rolls * plan.scale * game.unit)


def value(game: Game, plans: list[Plan]) -> Fraction:
    """What player 1 gets on average where both play as written."""

    def from_here(history: int, mover: int, weights: list[Weights]) -> int:
        last, total = history.bit_length() - 1, 0
        for move, mine in plans[mover].moves.get(history, {game.call: weights[mover]}).items():
            both = [weights[0], mine] if mover else [mine, weights[1]]
            if move != game.call:
                total += from_here(history | 1 << move, 1 - mover, both)
                continue
            one, two = (list(enumerate(tally(game, who, game.bids[last][1], both[who]))) for who in (0, 1))
            pay = game.pays[0][last][mover]
            total += sum(weight * other * pay[i + j] for i, weight in one for j, other in two)
        return total

    total = from_here(0, 0, [plan.start for plan in plans])
    return Fraction(total, game.rolls * plans[0].scale * plans[1].scale * game.unit)


# --- The claim, and the file.

CLAIM = {"method", "status", "message", "value", "lower", "upper", "exact", "regret", "tolerance"}
APART = {"game", "default", "strategies", "profile", "seconds", "run", "digests"}
DEFAULT = (
    "At an information set that is not written down the player makes the move after which play can end soonest; "
    "of several, the first."
)
STOPPED, ENDED = ("timeout", "interrupted"), ("equilibrium", "bracket", "not-an-equilibrium")


def check_claim(game: Game, plans: list[Plan], data: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """Hold all numbers of the claim, and its status, against the best responses. Returns the bounds.

    In an ``equilibrium`` nobody gains more than ``tolerance`` (null: 0) times the range of all payoffs.
    """
    most = [best_response(game, player, plans[1 - player]) for player in (0, 1)]
    first = value(game, plans)
    lower, upper, regret = game.total - most[1], most[0], max(most[0] - first, most[1] - game.total + first)
    right = {"value": [str(first), str(game.total - first)], "lower": str(lower), "upper": str(upper)}
    for key, number in (right | {"regret": str(regret), "exact": lower == upper}).items():
        same(f"claim, {key}", data[key], number)
    tolerance = Fraction(0) if data["tolerance"] is None else exact("claim, tolerance", data["tolerance"])
    flat = [pay for rows in game.pays[0] for row in rows for pay in row]
    holds = regret <= tolerance * Fraction(max(flat) - min(flat), game.unit)
    status = data["status"]
    if tolerance < 0 or status not in STOPPED + ENDED or (status in ENDED and (status == "equilibrium") != holds):
        raise Refused(
            "claim", f"status {shown(status)} does not follow: a player gains {shown(str(regret))} by deviating"
        )
    return lower, upper


def check_digests(data: dict[str, Any]) -> None:
    """Hold each part against its digest."""
    parts: dict[str, Any] = {"game": data["game"], "claim": {k: v for k, v in data.items() if k not in APART}}
    parts |= {"default": data["default"]} if "default" in data else {}
    for player, rows in enumerate(data.get("strategies", ()), start=1):
        hands: dict[str, dict[str, Any]] = {}
        for name, row in rows.items():
            hands.setdefault(name.partition(":")[0], {})[name] = row
        parts[f"strategies of player {player}"] = list(hands)
        parts |= {f"strategies of player {player}, hand {hand}": part for hand, part in hands.items()}
    for entry in data.get("profile", ()):
        parts.setdefault(f"profile of player {json.dumps(entry.get('player'))}", []).append(entry)
    for name in [*parts, *data["digests"]]:
        plain = json.dumps(parts.get(name), sort_keys=True, separators=(",", ":"))
        if name not in parts or data["digests"].get(name) != sha256(plain.encode()).hexdigest()[:12]:
            raise Refused(name, "it does not agree with its digest: one of the two was changed")


def read_profile(game: Game, entries: list[dict[str, Any]]) -> list[Plan]:
    """Both plans of strategies written down in full: an entry for each information set, in the order of the tree."""
    each = 2 ** (game.call - 1)  # A player moves after sets of bids of even, or of odd, size.
    same("profile, its length", len(entries), each * sum(map(len, game.hands)))
    sets: list[tuple[int, int, int]] = []  # player, hand, history
    rows: list[dict[str, Any]] = [{}, {}]
    for player in (0, 1):
        sizes = range(player, game.call + 1, 2)
        histories = sorted(bids for size in sizes for bids in combinations(range(game.call), size))
        for number, (hand, bids) in enumerate(product(range(len(game.hands[player])), histories), start=1):
            label = f"{game.hand_names[player][hand]}: {' '.join(game.moves[bid] for bid in bids) or 'start'}"
            place, entry = f"profile, entry {len(sets) + 1}", entries[len(sets)]
            has_keys(place, entry, {"player", "infoset", "label", "reached", "probabilities"})
            for key, right in (("player", player + 1), ("infoset", number), ("label", label)):
                same(f"{place}, {key}", entry[key], right)
            rows[player][label] = entry["probabilities"]
            sets.append((player, hand, sum(1 << bid for bid in bids)))
    plans = [read_plan(game, player, rows[player], full=True) for player in (0, 1)]
    for (player, hand, history), entry in zip(sets, entries, strict=True):
        last = history.bit_length() - 1  # the opponent's bid
        own = any(hand in weights for weights in plans[player].moves[history].values())
        same(
            "profile, reached",
            entry["reached"],
            own and (not history or last in plans[1 - player].moves[history ^ 1 << last]),
        )
    return plans


def prove(data: dict[str, Any]) -> str:
    """What the content of a file proves, in words. Raises ``Refused``."""
    if not isinstance(data, dict) or "match" in data or "equilibria" in data or "refined" in data:
        raise Refused("the whole", "no certificate of a single round; 'efg-builder verify FILE' may know it")
    parts = {"profile"} if "profile" in data else {"default", "strategies"}
    has_keys("the whole", data, {"game", "digests"} | CLAIM | parts, frozenset({"seconds", "run"}))
    kinds = {"game": dict, "digests": dict, "strategies": list, "profile": list, "method": str, "message": str}
    for key, kind in kinds.items():
        if key in data and not isinstance(data[key], kind):
            raise Refused(key, f"not of the right kind: {shown(data[key])}")
    listed = data["profile" if "profile" in data else "strategies"]
    if not all(isinstance(part, dict) for part in listed):
        raise Refused("strategies", "not a list of objects")
    check_digests(data)
    game = read_game(data["game"])
    if "profile" in data:
        plans = read_profile(game, listed)
    else:
        same("default", data["default"], DEFAULT)
        same("strategies, their number", len(listed), 2)
        plans = [read_plan(game, player, rows) for player, rows in enumerate(listed)]
    lower, upper = check_claim(game, plans, data)
    return f"the value to Player 1 {f'is {lower} (exact)' if lower == upper else f'lies in [{lower}, {upper}]'}"


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the file, in which no key may stand twice."""
    for key, count in Counter(key for key, _ in pairs).items():
        if count > 1:
            raise Refused("the whole", f"the key {shown(key)} stands {count} times in {shown(dict(pairs))}")
    return dict(pairs)


def shortest(number: str) -> float:
    """A number of the file that is not a whole one, in which no digit can be changed without a change of the number."""
    if repr(float(number)) != number:
        raise Refused("the whole", f"{number[:60]} is not how a number is written")
    return float(number)


def main(paths: list[str]) -> int:
    """Prove each file, one line each. Returns 0 where all are proved, 1 where one is refused, 2 where one is unreadable."""
    if not paths or paths[0].startswith("-"):
        print(
            "usage: python checker.py FILE...   (certificates of games of bidding, .json or .json.gz)", file=sys.stderr
        )
        return 2
    code = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                packed = file.peek(2)[:2] == b"\x1f\x8b"
                content = (gzip.GzipFile(fileobj=file) if packed else file).read(1 << 29).decode()
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            print(f"{path}: cannot be read: {error}")
            code = 2
            continue
        try:
            data = json.loads(content, object_pairs_hook=once, parse_float=shortest, parse_constant=shortest)
            print(f"{path}: proved: {prove(data)}")
        except (Refused, ValueError, RecursionError) as error:
            print(f"{path}: refused: {error if isinstance(error, Refused) else f'not JSON: {error}'}")
            code = max(code, 1)
    return code


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    sys.set_int_max_str_digits(100_000)
    sys.exit(main(sys.argv[1:]))
