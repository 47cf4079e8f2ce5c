"""What every equilibrium has in common, and where players are free."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...base.rationals import Number, brief
from ...base.words import minus, plural
from ...equilibria.ranges import ActionRange, Ranges, reached_in_some
from ..markup import Cell, data, paragraph, table
from .about import About, Section

ONE_PLAN = "one optimal plan (what it would do where its own moves never lead is free)"
"""What a polytope of one plan says: a plan leaves open what its own moves rule out."""

MOST_SETS = 40
"""Information sets of each player in the table."""


def equilibria_section(about: About) -> Section | None:
    """What is forced and what is free; nothing where that is not known."""
    found = about.ranges
    if found is None:
        return None
    seldom = "" if any(plans.unique for plans in found.plans) else "Equilibria are seldom unique. "
    parts = [
        paragraph(
            f"{seldom}These are the least and the greatest probability of each move over all equilibria, at the "
            "information sets that some equilibrium reaches. What is one number is forced; what is a range is free, "
            "though not every combination is allowed."
        )
    ]
    met = reached_in_some(found)
    for player, name in enumerate(about.players):
        sets = _sets(found, player, met)
        parts.append(paragraph(_size(found, player, sets)))
        rows = [_row(found, actions) for actions in sets[:MOST_SETS]]
        if rows:
            head = ("what the player knows", "", "what to play")
            parts.append(table(f"{name} in all equilibria", head, rows, "moves"))
        if len(sets) > MOST_SETS:
            parts.append(paragraph(f"And {plural(len(sets) - MOST_SETS, 'more information set')}."))
    return Section("equilibria", "What is forced, and what is free", "\n".join(parts))


def _sets(found: Ranges, player: int, met: frozenset[int]) -> list[list[ActionRange]]:
    """The actions of each of the player's information sets in *met*."""
    sets: dict[int, list[ActionRange]] = {}
    for action in found.actions:
        if action.player == player and action.infoset in met:
            sets.setdefault(action.infoset, []).append(action)
    return list(sets.values())


def _size(found: Ranges, player: int, sets: Sequence[Sequence[ActionRange]]) -> str:
    name, plans = escape(found.tree.players[player]), found.plans[player]
    alike = sum(all(action.forced for action in actions) for actions in sets)
    many = f"has just {ONE_PLAN}" if plans.unique else "has many optimal plans"
    every = sum(found.tree.infosets[k].player == player for k in found.tree.personal)
    met = plural(len(sets), "information set")
    some = f"{met} that some equilibrium reaches (of {every:,} in all)" if len(sets) < every else met
    forced = "all are" if alike == len(sets) else f"{alike:,} {'is' if alike == 1 else 'are'}"
    return f"<strong>{name}</strong> {many}. Of {name}'s {some}, {forced} forced."


def _row(found: Ranges, actions: Sequence[ActionRange]) -> list[str | Cell]:
    infoset = found.tree.infosets[actions[0].infoset]
    moves, never = [], []
    for action in actions:
        assert action.conditional is not None
        low, high = action.conditional
        name = escape(infoset.actions[action.action])
        if not high:
            never.append(name)
        else:
            much = "always" if low == 1 else _number(low) if low == high else f"{_number(low)} to {_number(high)}"
            moves.append(f"{name} {much}")
    forced = all(action.forced for action in actions)
    if never and not forced:
        # Part of what is forced: in a row of one sure move it goes without saying.
        moves.append(f"never {', '.join(never)}")
    label = infoset.label or f"set {infoset.number}"
    return [escape(label), Cell("forced" if forced else "free", "forced" if forced else "free"), "; ".join(moves)]


def _number(value: Number) -> str:
    return data(value, minus(brief(value)))
