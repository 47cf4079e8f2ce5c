"""Smaller strategies: the information sets that a player's own hand and moves reach most often, others by default."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from ..base.errors import NotApplicableError
from ..base.rationals import common_denominator
from ..games.protocol import PublicDecision, PublicEnd, State
from .sparse_profile import Behavior, SparseProfile, alike_openings, with_alike, without_alike

GRID = 1000
"""Probabilities are whole numbers of these parts."""


class _Set(NamedTuple):
    reach: float
    player: int
    history: str
    hand: int
    row: Behavior


def cut(profile: SparseProfile, most: int) -> SparseProfile:
    """Of *profile* the *most* information sets to which the players' own hands and moves lead most often.

    Probabilities are rounded to 1/``GRID``. Answers to ``alike_openings`` count once, and come first, as they are alike
    only where every hand has one. Raises ``NotApplicableError`` where hands are not independent.
    """
    chances = profile.game.hand_probabilities
    if chances is None:
        raise NotApplicableError(f"{profile.game.title}: only strategies of players with independent hands can be cut")
    alike = alike_openings(profile)
    profile = without_alike(profile, alike)
    found = [each for player in range(len(chances)) for each in _sets(profile, player, chances[player])]
    # A set comes after those whose moves lead there, also where it is reached as often: none is kept without them.
    answers = set(alike.values())
    ranked = sorted(range(len(found)), key=lambda k: (found[k].history not in answers, -found[k].reach))
    kept: tuple[dict[str, dict[int, Behavior]], ...] = tuple({} for _ in chances)
    for each in (found[k] for k in sorted(ranked[:most])):
        kept[each.player].setdefault(each.history, {})[each.hand] = each.row
    whole = {name: low for name, low in alike.items() if len(kept[1].get(low, ())) == profile.game.hand_counts[1]}
    return with_alike(SparseProfile(profile.game, kept, profile.name), whole)


def _sets(profile: SparseProfile, player: int, chances: tuple[Fraction, ...]) -> list[_Set]:
    """What *player* plays where own moves lead and it is no default, in the order of play; *chances* are of hands."""
    game, found = profile.game, list[_Set]()
    # Floats decide what is kept, and nothing else.
    stack: list[tuple[State, dict[int, float]]] = [(game.public_root(), dict(enumerate(map(float, chances))))]
    while stack:
        state, reaches = stack.pop()
        turn = game.public_turn(state)
        if not isinstance(turn, PublicDecision):
            continue
        if turn.player != player:
            if profile.silent(player, turn):
                continue
            stack += [(then, reaches) for _, then in reversed(turn.actions)]
            continue
        written, follow = profile.rows(player, turn.history), dict[str, dict[int, float]]()
        default, then = turn.actions[game.default_action(turn)]
        ends = isinstance(game.public_turn(then), PublicEnd)
        for hand, reach in reaches.items():
            if ends and hand not in written:
                continue
            row = _rounded(profile.played(turn, hand))
            if list(row) != [default]:
                found.append(_Set(reach, player, turn.history, hand, row))
            for action, p in row.items():
                follow.setdefault(action, {})[hand] = reach * float(p)
        stack += [(then, follow[action]) for action, then in reversed(turn.actions) if action in follow]
    return found


def _rounded(row: Mapping[str, Fraction]) -> Behavior:
    """*row* in whole parts of 1/``GRID`` that sum to 1: what is left over goes to the largest remainders."""
    if len(row) == 1:
        return row
    scale = common_denominator(row.values())
    numbers = [GRID * p.numerator * (scale // p.denominator) for p in row.values()]
    parts = [number // scale for number in numbers]
    ranked = sorted(range(len(parts)), key=lambda k: -(numbers[k] % scale))
    for k in ranked[: GRID - sum(parts)]:
        parts[k] += 1
    return {action: _PARTS[part] for action, part in zip(row, parts, strict=True) if part}


_PARTS = tuple(Fraction(part, GRID) for part in range(GRID + 1))
