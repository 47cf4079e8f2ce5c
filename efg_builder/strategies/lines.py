"""Strategies as lines of text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, islice, repeat

from ..base.rationals import Number
from ..base.words import in_columns, mixtures, notation, told_apart
from ..forms.hand_names import printed, printed_tree
from ..games.protocol import PublicDecision
from .reached import Hands, parted
from .sparse_profile import SparseProfile
from .tree_profile import TreeProfile

SHOWN_SETS = 40
MOST_HANDS = 2_000
"""Maximum number of hands per player for which information sets are sorted by reach probability."""


@dataclass(frozen=True)
class HandPlay:
    """The probability of each action with one hand. ``reached``: whether play reaches the turn (None: unknown)."""

    name: str
    behavior: Mapping[str, Number]
    reached: bool | None


@dataclass(frozen=True)
class PlayPlace:
    """A turn of ``player`` (from 0), the behavior with each hand, and the reach probability (None: unknown)."""

    player: int
    history: str
    reach: Number | None
    hands: tuple[HandPlay, ...]


OFF_PATH = "(off path)"
"""The mark of an information set off the equilibrium path."""


def played_lines(
    profile: TreeProfile, sets: Iterable[int], regret: Number = 0, off_path: Collection[int] = ()
) -> list[str]:
    """Return a line such as ``Player 1  1: start  2x1 1/3, 2x2 2/3`` for each of the information sets *sets*.

    *regret* limits the number of digits (see ``words.notation``). Information sets in *off_path* are marked.
    """
    tree, shown = printed_tree(profile.tree, profile.game), list(sets)
    names = [(tree.players[tree.infosets[k].player], tree.names[k]) for k in shown]
    rows = (zip(tree.infosets[k].actions, profile.probabilities[k], strict=True) for k in shown)
    return _lines(names, rows, regret, [OFF_PATH if k in off_path else "" for k in shown])


def _lines(
    names: Sequence[tuple[str, str]],
    rows: Iterable[Iterable[tuple[str, Number]]],
    regret: Number = 0,
    marks: Iterable[str] = repeat(""),
) -> list[str]:
    listed = [list(row) for row in rows]
    played, notes = mixtures(listed, notation((p for row in listed for _, p in row), regret))
    told = [tuple(map(told_apart, name)) for name in names]
    table = [(*name, moves, mark) for name, moves, mark in zip(told, played, marks, strict=False)]
    lines = [*(in_columns(table, right=()) if table else []), *([f"({'; '.join(notes)})"] if notes else [])]
    return [f"  {line}" for line in lines]


def sparse_lines(profile: SparseProfile) -> list[str]:
    """Return text lines: the game, the number of stored information sets, and the most likely information sets."""
    game = profile.game
    written = " + ".join(f"{size:,}" for size in profile.sizes)
    lines = [game.title, f"moves at {written} information sets; elsewhere, the player makes the default move"]
    label, rows = printed(game), list[tuple[tuple[str, str], Mapping[str, Number]]]()
    for place in likeliest_places(profile):
        for hand in place.hands:
            name = label(place.player, f"{hand.name}: {place.history}")
            rows.append(((game.players[place.player], name), hand.behavior))
        if len(rows) > SHOWN_SETS:
            break
    if not rows:  # dependent hands, or too many hands
        for player, history, own, behavior in islice(profile, SHOWN_SETS + 1):
            name = label(player, game.infoset_name(player, own, history))
            rows.append(((game.players[player], name), behavior))
    lines += _lines([name for name, _ in rows[:SHOWN_SETS]], (row.items() for _, row in rows[:SHOWN_SETS]))
    return (
        [*lines, "information sets with lower reach probability are omitted; profile[NAME] returns their moves"]
        if len(rows) > SHOWN_SETS
        else lines
    )


def likeliest_places(profile: SparseProfile) -> Iterator[PlayPlace]:
    """Yield the reached turns, most likely first. Yield nothing if there are too many hands, or hands are dependent."""
    game, number = profile.game, count()
    hands = Hands(game)
    if max(game.hand_counts) > MOST_HANDS or hands.chances is None:
        return
    heap = [(-1.0, next(number), game.public_root(), hands.start())]
    while heap:
        _, _, state, rows = heappop(heap)
        turn = game.public_turn(state)
        if not isinstance(turn, PublicDecision):
            continue
        played = {hand: profile.played(turn, hand) for hand in rows[turn.player].by_hand}
        zeros = dict.fromkeys((action for action, _ in turn.actions), Fraction(0))
        names = game.hands[turn.player]
        shown = tuple(HandPlay(names[hand], zeros | row, True) for hand, row in played.items())
        yield PlayPlace(turn.player, turn.history, hands.likely(rows), shown)
        onward = parted(turn, rows[turn.player], played)
        for action, then in turn.actions:
            if action in onward:
                after = (*rows[: turn.player], onward[action], *rows[turn.player + 1 :])
                heappush(heap, (-float(hands.likely(after)), next(number), then, after))
