"""Reduction of a strategy to the information sets with the highest reach probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from ..base.errors import NotApplicableError
from ..base.rationals import common_denominator
from ..games.protocol import PublicDecision, PublicEnd
from .sparse_profile import Behavior, SparseProfile, alike_openings, own_turns, with_alike, without_alike

GRID = 1000
"""Probabilities are multiples of 1 / ``GRID``."""


class _Set(NamedTuple):
    reach: float
    player: int
    history: str
    hand: int
    row: Behavior


def cut(profile: SparseProfile, most: int) -> SparseProfile:
    """Return *profile* with at most *most* information sets, and default moves elsewhere.

    Information sets are ranked by the probability of the player's hand and moves. Probabilities are rounded to
    multiples of 1/``GRID``. Answers to several alike openings (``alike_openings``) count once. They are chosen first,
    because openings stay alike only if the answers with all hands are included. Raises ``NotApplicableError`` if hands
    are not independent.
    """
    chances = profile.game.hand_probabilities
    if chances is None:
        raise NotApplicableError(f"{profile.game.title}: only strategies of players with independent hands can be cut")
    alike = alike_openings(profile)
    profile = without_alike(profile, alike)
    sets = [each for player in range(len(chances)) for each in _sets(profile, player, chances[player])]
    # Reach probabilities never rise along a path, and the sort is stable, so each path keeps its order.
    answers = set(alike.values())
    ranked = sorted(range(len(sets)), key=lambda k: (sets[k].history not in answers, -sets[k].reach))
    kept: tuple[dict[str, dict[int, Behavior]], ...] = tuple({} for _ in chances)
    for each in (sets[k] for k in sorted(ranked[:most])):
        kept[each.player].setdefault(each.history, {})[each.hand] = each.row
    whole = {name: low for name, low in alike.items() if len(kept[1].get(low, ())) == profile.game.hand_counts[1]}
    return with_alike(SparseProfile(profile.game, kept, profile.name), whole)


def _sets(profile: SparseProfile, player: int, chances: tuple[Fraction, ...]) -> list[_Set]:
    """Return the information sets that the player's moves reach, without default moves, in the order of play.

    *chances*: the probabilities of the player's hands.
    """
    game, sets = profile.game, list[_Set]()

    def rows(turn: PublicDecision, reaches: Mapping[int, float]) -> dict[int, Behavior]:
        written = profile.rows(player, turn.history)
        default, then = turn.actions[game.default_action(turn)]
        hands = written.keys() & reaches.keys() if isinstance(game.public_turn(then), PublicEnd) else reaches
        played = {hand: _rounded(profile.played(turn, hand)) for hand in reaches if hand in hands}
        sets.extend(
            _Set(reaches[hand], player, turn.history, hand, row)
            for hand, row in played.items()
            if list(row) != [default]
        )
        return played

    # Floats suffice for reach probabilities, because they only rank the information sets.
    for _ in own_turns(game, player, rows, partial(profile.silent, player), chances):
        pass
    return sets


def _rounded(row: Mapping[str, Fraction]) -> Behavior:
    """Return *row* rounded to multiples of 1/``GRID`` that sum to 1, by the largest-remainder method."""
    if len(row) == 1:
        return row
    scale = common_denominator(row.values())
    numbers = [GRID * p.numerator * (scale // p.denominator) for p in row.values()]
    parts = [number // scale for number in numbers]
    ranked = sorted(range(len(parts)), key=lambda k: -(numbers[k] % scale))
    for k in ranked[: GRID - sum(parts)]:
        parts[k] += 1
    return {action: Fraction(part, GRID) for action, part in zip(row, parts, strict=True) if part}
