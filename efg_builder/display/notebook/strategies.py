"""Strategy tables: a row for each own hand, below the public history where it moves; a column for each move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...base.rationals import Number
from ...base.words import percent
from ...forms.public_tree import merge
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Profile
from .markup import Band, Row, chance, heading, note, table
from .places import Place, profile_places, shown_places, sparse_places

MOST_ROWS = 40
"""A table has about so many rows; of what is left out it says how much."""

MOST_COLUMNS = 14
"""Of more moves those made most often have a column."""


def profile_table(profile: Profile, reach: Sequence[Number] = ()) -> str:
    """The table of a profile on a tree; *reach*: how likely each information set is, where that is known."""
    places, total = profile_places(profile, reach), len(profile.tree.personal)
    return strategy_table(profile.tree.players, shown_places(places, MOST_ROWS), total)


def sparse_table(profile: SparseProfile) -> str:
    """The table of strategies without a tree: the places that play is likeliest to get to."""
    places = sparse_places(profile, MOST_ROWS)
    told = strategy_table(profile.game.players, places, None) if places else note("too many hands to list")
    written = " + ".join(f"{size:,}" for size in profile.sizes)
    return told + note(f"{written} information sets are written down; everywhere else the default move is made.")


def strategy_table(players: Sequence[str], places: Sequence[Place], total: int | None) -> str:
    """What each hand does at *places*. ``total``: how many information sets there are in all (None: not known)."""
    if not places:
        return note("nobody has anything to decide")
    moves, left = _columns(places)
    rows = [row for place in places for row in _rows(players, place, moves)]
    shown = sum(min(len(place.hands), MOST_ROWS) for place in places)
    notes = ["a dot: never done; blank: not allowed there"]
    if any(hand.reached is False for place in places for hand in place.hands):
        notes.append("pale: where play never gets")
    if total is not None and shown < total:
        notes.append(f"{shown:,} of {total:,} information sets; {total - shown:,} are left out")
    elif total is None:
        notes.append("the places that play is likeliest to get to, of all")
    notes += [left] if left else []
    return table(("hand", *moves), rows) + "".join(map(note, notes))


def _columns(places: Sequence[Place]) -> tuple[list[str], str]:
    """The moves that have a column, in the order of play's rules, and a line on those that have none."""
    rows = [hand.behavior for place in places for hand in place.hands]
    moves = merge(dict.fromkeys(tuple(row) for row in rows))
    if len(moves) <= MOST_COLUMNS:
        return moves, ""
    made = Counter[str]()
    for row in rows:
        made.update({action: float(p) for action, p in row.items()})
    kept = {action for action, often in made.most_common(MOST_COLUMNS) if often > 0}
    which = "never made here" if sum(often > 0 for often in made.values()) == len(kept) else "seldom or never made here"
    return [move for move in moves if move in kept], f"moves without a column: {len(moves) - len(kept):,}, {which}"


def _rows(players: Sequence[str], place: Place, moves: Sequence[str]) -> Iterator[Row | Band]:
    seldom = "" if place.reach is None or place.reach >= 1 else f" ({_reached(place.reach)})"
    yield Band(f"{players[place.player]}{after(place.history)}{seldom}")
    for hand in place.hands[:MOST_ROWS]:
        row = hand.behavior
        cells = [chance(row[move], place.player) if move in row else "" for move in moves]
        yield Row(hand.name, cells, faded=hand.reached is False)
    if len(place.hands) > MOST_ROWS:
        yield Row(f"and {len(place.hands) - MOST_ROWS:,} hands more", ())


def after(history: str) -> str:
    """Where a player moves, in words to stand behind the player's name."""
    return {"": "", "start": ", at the start"}.get(history, f", after {history}")


def _reached(reach: Number) -> str:
    return "never reached" if not reach else f"reached {percent(reach)}"


def profile_html(profile: Profile) -> str:
    """A profile in a notebook."""
    return heading(f"Strategies in {profile.tree.title}") + profile_table(profile)


def sparse_html(profile: SparseProfile) -> str:
    """Strategies without a tree in a notebook."""
    return heading(f"Strategies in {profile.game.title}") + sparse_table(profile)
