"""Make ``docs/howto/bluff.md`` and its pictures from the certificates: ``python benchmarks/bluff.py [--measure]``.

With ``--measure``, first measure the strategies in ``docs/certificates``, the cards and the rules of thumb, and save
the results in ``benchmarks/data``. This takes about ten minutes.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import efg_builder as eb
import frame
from efg_builder.base.files import write_atomically
from efg_builder.display.pages.card import answers
from efg_builder.display.plots.line_ends import Line, draw_lines, place_labels
from efg_builder.display.plots.style import look
from efg_builder.display.trees.colors import PAPER, readable_on
from efg_builder.equilibria.bids import bluff_shares, opening_bids, openings, replies
from efg_builder.games.liars_dice import LiarsDice
from efg_builder.games.protocol import Deal, PublicDecision
from efg_builder.strategies.reached import Hands, number, reached
from efg_builder.strategies.sparse_profile import SparseProfile

CERTIFICATES = frame.ROOT / "docs" / "certificates"
PAGE = frame.ROOT / "docs" / "howto" / "bluff.md"
PICTURES = frame.ROOT / "docs" / "bluff"

SIX = tuple(f"{dice}-6" for dice in ("1v1", "2v1", "1v2", "2v2", "3v1", "1v3", "3v2", "2v3"))
JOKERS = tuple(f"{dice}-6-joker" for dice in ("1v1", "2v1", "1v2", "2v2"))
COURSES = ("1v1", "2v1", "1v2", "2v2", "3v2", "2v3")
"""The dice whose bluffs are compared over the number of sides."""

MEASURED = tuple(dict.fromkeys((*SIX, *JOKERS, *(f"{dice}-{sides}" for dice in COURSES for sides in range(3, 7)))))
EXPLOITED = ("1v1-6", "2v1-6", "1v2-6", "2v2-6")
"""The games in which best responses to the rules and the cards are computed."""

Play = Callable[[PublicDecision, int], Mapping[str, Any]]
Record = dict[str, Any]


def certificate(name: str) -> tuple[LiarsDice, SparseProfile]:
    """Return the game and the strategies of the certificate *name*, such as ``2v1-6-joker``."""
    dice, sides, *joker = name.split("-")
    settings: dict[str, Any] = {"wild": 1, "wild_biddable": False} if joker else {}
    game = eb.game("liars-dice", sides=int(sides), dice=tuple(map(int, dice.split("v"))), **settings)
    strategy = eb.read_solution(CERTIFICATES / f"{name}.json.gz", game).strategy.sparse_profile
    assert isinstance(game, LiarsDice)
    assert strategy is not None
    return game, strategy


def matching(game: LiarsDice, player: int, hand: int, face: int) -> int:
    """Return the number of dice of a hand that count for *face*, wild dice included."""
    return sum(die in (face, game.wild) for die in game.cups[player][hand][0])


def bid_of(name: str) -> tuple[int, int]:
    quantity, face = name.split("x")
    return int(quantity), int(face)


# --- the equilibria


def statistics(name: str) -> Record:
    """Return the frequencies of bluffs, calls and raises in the strategies of a certificate."""
    game, profile = certificate(name)
    found: Record = {
        "value": float(payoffs(game, profile)[0]),
        "bluffs": list(map(float, bluff_shares(profile, game).values())),
    }
    first = opening_bids(profile, game)
    found["opening bluff"] = float(sum(bid.made * bid.bluff for bid in first))
    found["opening false"] = float(sum(bid.made * bid.false for bid in first))
    found["opening called"] = float(
        sum(
            r.reach * held * row.get("call", 0)
            for r in replies(profile, game, 1)
            if r.player
            for held, row in r.hands.values()
        )
    )
    found["call right"] = float(right_calls(game, profile))
    found["by missing"] = by_missing(game, profile)
    found["opening"] = {kind: float(p) for kind, p in opening_kinds(game, profile).items()}
    return found


def right_calls(game: LiarsDice, profile: SparseProfile) -> Fraction:
    """Return the share of calls that are right: the bid is false."""
    false = Fraction(0)
    for _, p, hands, (bid, caller) in ends(game, profile.behaviors):
        false += p if game.is_false(bid, caller, hands) else 0
    return false


def ends(game: LiarsDice, behaviors: Callable[..., Any]) -> Any:
    """Yield each end of a round with its probability, hands that stand for the others of their classes, and its key."""
    hands = Hands(game)
    for turn, _, _, rows, _ in reached(hands, behaviors):
        if isinstance(turn, PublicDecision):
            continue
        classes = [game.classes(turn.key, player) for player in range(2)]
        scale, cells = hands.together(rows, classes)
        for cell, weight in cells.items():
            yield (
                turn,
                Fraction(number(weight, scale)),
                tuple(c.index(of) for c, of in zip(classes, cell, strict=True)),
                turn.key,
            )


def by_missing(game: LiarsDice, profile: SparseProfile) -> dict[str, list[float]]:
    """Return, by the dice that the last bid needs from the other cup, how often this occurs in a round, the share of
    calls, and the share of raises on a face that the raiser holds.
    """
    sums: dict[int, list[Any]] = defaultdict(lambda: [Fraction(0)] * 3)
    for reply in replies(profile, game):
        if not reply.bid:
            continue
        quantity, face = bid_of(reply.bid)
        for hand, (held, row) in reply.hands.items():
            entry = sums[max(0, quantity - matching(game, reply.player, hand, face))]
            weight = Fraction(reply.reach * held)
            own = sum(
                p for bid, p in row.items() if bid != "call" and matching(game, reply.player, hand, bid_of(bid)[1])
            )
            for k, part in enumerate((1, row.get("call", 0), own)):
                entry[k] += weight * part
    return {
        str(missing): [float(often), float(call / often), float(own / (often - call)) if often > call else 0.0]
        for missing, (often, call, own) in sorted(sums.items())
    }


def opening_kinds(game: LiarsDice, profile: SparseProfile) -> dict[str, Fraction]:
    """Return the shares of first bids: of one die, of fewer dice than the hand has, and of the highest face held."""
    shares = dict.fromkeys(("one die", "fewer than held", "highest face"), Fraction(0))
    for hand, opening in enumerate(openings(profile, game)):
        dice = game.cups[0][hand][0]
        for name, p in opening.actions:
            (quantity, face), made = bid_of(name), Fraction(opening.held * p)
            shares["one die"] += made if quantity == 1 else 0
            shares["fewer than held"] += made if quantity < matching(game, 0, hand, face) else 0
            shares["highest face"] += made if face == max(dice) else 0
    return shares


def payoffs(
    game: LiarsDice, profile: SparseProfile, seat: int | None = None, play: Play | None = None
) -> list[Fraction]:
    """Return the expected payoffs if all follow *profile*, except for *seat*, which plays *play*."""

    def behaviors(turn: PublicDecision, hands: Collection[int]) -> Mapping[int, Mapping[str, Any]]:
        if turn.player == seat and play is not None:
            return {hand: play(turn, hand) for hand in hands}
        return profile.behaviors(turn, hands)

    total = [Fraction(0), Fraction(0)]
    for _, p, hands, key in ends(game, behaviors):
        paid = game.settle(key, Deal(Fraction(1), hands)).payoffs
        total = [total[k] + p * paid[k] for k in range(2)]
    return total


# --- the rules of thumb

RULES = {
    "high": "Open with one die of your highest face.",
    "weak": "Without a face from the upper half, open 1x1.",
    "true": "Never call a bid that your own dice make true. Raise a face that you hold.",
    "two": "Call a bid that needs two or more dice from the other cup.",
    "one": "If it needs one, raise only to a bid that your own dice make true; otherwise call.",
}
INSTEAD = {
    "high": "bid all dice of your most frequent face",
    "weak": "always open with your highest face",
    "true": "call it",
    "two": "raise a face that you hold",
    "one": "raise a face that you hold, even if the raise needs one die more",
}
"""The play without each rule."""


def thumb(game: LiarsDice, without: str = "") -> Play:
    """Return the player that follows the rules of thumb, except for the rule *without*."""

    def open_with(dice: tuple[int, ...]) -> str:
        top = max(dice)
        if without != "weak" and top <= game.sides // 2:
            return "1x1"
        if without == "high":
            count, face = max((dice.count(face), face) for face in dice)
            return f"{count}x{face}"
        return f"1x{top}"

    def play(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        dice = game.cups[turn.player][hand][0]
        legal = [label for label, _ in turn.actions]
        if game.call not in legal:
            return {open_with(dice): Fraction(1)}

        def needs(name: str) -> int:
            quantity, face = bid_of(name)
            return max(0, quantity - dice.count(face))

        missing = needs(turn.history.split()[-1])
        own = [name for name in legal[:-1] if bid_of(name)[1] in dice]
        if missing == 0:
            move = min(own, key=needs, default=legal[0]) if without != "true" else game.call
        elif missing == 1:
            most = 1 if without == "one" else 0
            move = next((name for name in own if needs(name) <= most), game.call)
        else:
            move = next(iter(own), legal[0]) if without == "two" else game.call
        return {move: Fraction(1)}

    return play


def card_player(game: LiarsDice, profile: SparseProfile) -> Play:
    """Return the player that follows the card, and calls where the card has no answer."""
    known = [answers(profile, game, player) for player in range(2)]

    def play(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        last = "" if game.call not in [label for label, _ in turn.actions] else turn.history.split()[-1]
        answer = known[turn.player].get((last, hand))
        return (
            {game.call: Fraction(1)} if answer is None else {move: Fraction(share, 100) for move, share in answer.moves}
        )

    return play


def loss(game: LiarsDice, profile: SparseProfile, play: Play) -> list[float]:
    """Return the rounds per hundred that *play* loses against the equilibrium, as the first and as the second mover."""
    value = payoffs(game, profile)
    return [float(50 * (value[seat] - payoffs(game, profile, seat, play)[seat])) for seat in range(2)]


def worst_loss(game: LiarsDice, profile: SparseProfile, play: Play) -> list[float]:
    """Return the rounds per hundred that *play* loses at most, in each seat, against any opponent."""
    value = payoffs(game, profile)
    best = eb.evaluate(game, eb.Policy(play, last_bid_only=True)).matches[0].best_response
    return [float(50 * (value[seat] + best[1 - seat])) for seat in range(2)]


def players(name: str) -> dict[str, Play]:
    game, profile = certificate(name)
    return {"card": card_player(game, profile), "": thumb(game), **{rule: thumb(game, rule) for rule in RULES}}


def losses(name: str) -> Record:
    """Return the losses of the card and of the rules of thumb, with each rule left out in turn."""
    game, profile = certificate(name)
    found: Record = {"equilibrium": {who: loss(game, profile, play) for who, play in players(name).items()}}
    if name in EXPLOITED:
        some = players(name) if name != "2v2-6" else {who: players(name)[who] for who in ("card", "")}
        found["worst"] = {who: worst_loss(game, profile, play) for who, play in some.items()}
    return found


def free(sides: int) -> dict[str, list[float]]:
    """Return the range over all equilibria of each hand's probability to open 1x1, with one die per player."""
    tree = eb.build(eb.game("liars-dice", sides=sides))
    shares = eb.ranges(tree).shares
    rows = {
        tree.infosets[k].label: (k, tree.infosets[k].actions.index("1x1"))
        for k in tree.personal
        if tree.infosets[k].label.endswith(": start")
    }
    return {label.partition(":")[0]: list(map(float, shares[key])) for label, key in rows.items() if key in shares}


def measure() -> Record:
    data: Record = {"statistics": {}, "losses": {}, "free": free(3)}
    for name in MEASURED:
        data["statistics"][name] = statistics(name)
    for name in SIX:
        data["losses"][name] = losses(name)
        frame.tell(name)
    return data


# --- the page


def percent(p: float) -> str:
    return f"{100 * p:.0f}%"


def dice_of(name: str) -> str:
    one, two = name.split("-")[0].split("v")
    return f"{one} against {two}"


def frequencies(data: Record, names: Collection[str]) -> str:
    """Return the table of openings and calls."""
    head = "dice | first mover wins | first bid: bluff | first bid: called | right calls"
    rows = []
    for name in names:
        found = data["statistics"][name]
        parts = [found[key] for key in ("opening bluff", "opening called", "call right")]
        rows.append([dice_of(name), f"{50 + 50 * found['value']:.1f}%", *map(percent, parts)])
    return "\n".join(frame.table(head, rows))


def answers_table(data: Record) -> str:
    """Return the table of calls by the number of missing dice."""
    head = ["dice", *(f"needs {k}" for k in ("0", "1", "2", "3 or more")), "raises on a face held"]
    rows = []
    for name in SIX:
        by = data["statistics"][name]["by missing"]
        cells = [percent(by[k][1]) if k in by else "" for k in "012"]
        more = [by[k] for k in by if int(k) > 2]
        often = sum(entry[0] for entry in more)
        cells.append(percent(sum(e[0] * e[1] for e in more) / often) if often else "")
        raised = [(e[0] * (1 - e[1]), e[2]) for e in by.values()]
        cells.append(percent(sum(w * own for w, own in raised) / sum(w for w, _ in raised)))
        rows.append([dice_of(name), *cells])
    return "\n".join(frame.table(head, rows))


def seats(pair: list[float]) -> str:
    return f"{pair[0] + 0.0:.1f} / {pair[1] + 0.0:.1f}"


def rules_table(data: Record) -> str:
    """Return the table of losses against the equilibrium: with all rules, and with each rule replaced."""
    names = ("1v1-6", "2v1-6", "1v2-6", "2v2-6", "3v2-6")
    head = ["player", *(dice_of(name) for name in names)]
    who = {
        "": "all five rules",
        **{rule: f"without rule {k}: {INSTEAD[rule]}" for k, rule in enumerate(RULES, 1)},
        "card": "the card",
    }
    rows = [[said, *(seats(data["losses"][name]["equilibrium"][key]) for name in names)] for key, said in who.items()]
    return "\n".join(frame.table(head, rows))


def worst_table(data: Record) -> str:
    """Return the table of losses against the best opponent."""
    head = ["player", *(dice_of(name) for name in EXPLOITED)]
    who = {"": "all five rules", **{rule: f"without rule {k}" for k, rule in enumerate(RULES, 1)}, "card": "the card"}
    rows = []
    for key, said in who.items():
        found = [data["losses"][name]["worst"].get(key) for name in EXPLOITED]
        rows.append([said, *("" if pair is None else seats(pair) for pair in found)])
    return "\n".join(frame.table(head, rows))


def page_of(data: Record) -> str:
    """Return the page: the text with its figures."""
    by = data["statistics"]
    even = [by[f"{dice}-6"]["opening bluff"] for dice in ("1v1", "2v2")]
    fewer = [by[f"{dice}-6"]["opening bluff"] for dice in ("1v2", "1v3", "2v3")]
    more = [by[f"{dice}-6"]["opening bluff"] for dice in ("2v1", "3v1", "3v2")]
    one = [by[name]["by missing"]["1"][1] for name in SIX]
    two = [by[name]["by missing"]["2"][1] for name in SIX]
    top = [by[f"{dice}-6"]["opening"]["highest face"] for dice in ("1v1", "2v1", "2v2", "3v1", "3v2")]
    rules = [loss for name in SIX for loss in data["losses"][name]["equilibrium"][""]]
    spread = {"even": even, "fewer": fewer, "more": more, "one": one, "two": two}
    figures = {
        f"{key}_{end.__name__}": f"{100 * end(values):.0f}" for key, values in spread.items() for end in (min, max)
    }
    figures |= {
        "table": frequencies(data, SIX), "jokers": frequencies(data, JOKERS), "answers": answers_table(data),
        "rules": rules_table(data), "worst": worst_table(data),
        "zero": str(max(round(100 * by[name]["by missing"]["0"][1]) for name in SIX)),
        "low_right": percent(by["1v1-6"]["call right"]), "high_right": percent(max(by[n]["call right"] for n in SIX)),
        "one_die": percent(min(by[n]["opening"]["one die"] for n in SIX if n != "2v3-6")),
        "one_die_2v3": percent(by["2v3-6"]["opening"]["one die"]),
        "top_min": percent(min(top)), "top_max": percent(max(top)),
        "under": percent(by["2v2-6"]["opening"]["fewer than held"]),
        "mean": f"{sum(rules) / len(rules):.1f}", "largest": f"{max(rules):.1f}",
        "card_2v2": f"{max(data['losses']['2v2-6']['worst']['card']):.1f}",
        "nash": str(Fraction(sum(data["losses"]["1v1-6"]["worst"][""]) / 50).limit_denominator(1000)),
        "free_low": percent(max(low for low, _ in data["free"].values())),
        "free_high": percent(min(high for _, high in data["free"].values())),
        **{f"rule_{key}": words for key, words in RULES.items()},
    }  # fmt: skip
    return frame.data_file("bluff").with_suffix(".txt").read_text().format(**figures)


# --- the pictures


def draw_bluffs(data: Record, path: Path) -> None:
    """Draw the share of bluffs among first bids by the number of sides, one line for each pair of dice."""
    with frame.plot(path, 7.6, 3.9) as figure:
        axis = figure.subplots()
        axis.set(ylim=(0, 100), xticks=range(3, 7), xlabel="sides of a die", ylabel="bluffs, of 100 first bids")
        lines = []
        for k, dice in enumerate(COURSES):
            color, mark = look(k)
            ys = [100 * data["statistics"][f"{dice}-{sides}"]["opening bluff"] for sides in range(3, 7)]
            lines.append(Line(ys, dice_of(dice), color=color, mark=mark))
        draw_lines(axis, range(3, 7), lines)
        axis.set_title("How often the first bid is a bluff", **frame.HEADING)
        figure.subplots_adjust(left=0.09, right=0.66, top=0.9, bottom=0.14)
        place_labels(figure)


def draw_calls(data: Record, path: Path) -> None:
    """Draw the share of calls, with a row for each pair of dice and a mark for each number of missing dice."""
    order = sorted(SIX, key=lambda name: -data["statistics"][name]["by missing"]["1"][1])
    with frame.plot(path, 7.6, 3.6) as figure:
        axis = figure.subplots()
        axis.set(xlim=(-4, 104), ylim=(len(order) - 0.5, -0.5), xlabel="calls, of 100 answers to a bid")
        axis.set_yticks(range(len(order)), labels=[dice_of(name) for name in order])
        for missing, words in enumerate(("needs 0", "needs 1", "needs 2")):
            color, mark = look(missing)
            xs = [100 * data["statistics"][name]["by missing"][str(missing)][1] for name in order]
            axis.plot(xs, range(len(order)), mark, color=color, markersize=6, clip_on=False)
            place: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "color": readable_on(color, PAPER)}
            axis.annotate(words, (xs[0], 0), (0, 14), annotation_clip=False, **place)
        figure.suptitle("How often a bid is called, with six sides", x=0.02, ha="left", fontsize=10, fontweight="bold")
        figure.subplots_adjust(left=0.14, right=0.96, top=0.82, bottom=0.14)


DRAWN: Mapping[str, Callable[[Record, Path], None]] = {"opening.svg": draw_bluffs, "calls.svg": draw_calls}


def draw(data: Record, folder: Path = PICTURES) -> None:
    for name, make in DRAWN.items():
        make(data, folder / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", action="store_true")
    if parser.parse_args().measure:
        frame.keep("bluff", measure())
    data = frame.load("bluff")
    write_atomically(PAGE, [page_of(data).encode()])
    draw(data)


if __name__ == "__main__":
    main()
