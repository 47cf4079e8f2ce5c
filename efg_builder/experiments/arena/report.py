"""The results of an arena as text, JSON values and CSV."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from pathlib import Path
from statistics import NormalDist
from typing import Any

from ...base.files import csv_lines, write_atomically
from ...base.rationals import Number, text, to_json
from ...base.words import in_columns
from .ratings import LEVEL
from .results import Estimate, Meeting, Standings

COLUMNS = (
    *("players", "player", "games", "deals", "mean", "mean_low", "mean_high"),
    *("score", "score_low", "score_high", "first", "exact", "exact_float", "exact_error", "off"),
)

MOST_LETTERS = 14  # the maximum length of a fraction; longer fractions are shown as decimals


@dataclass(frozen=True)
class Rated:
    """The data for a plot of ratings. A player without a finite interval has no finite rating.

    ``shown``: the printed names. ``about``: the line below the title.
    """

    title: str
    about: str
    names: tuple[str, ...]
    shown: tuple[str, ...]
    elo: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    @property
    def finite(self) -> list[int]:
        """The indices of the players with a finite rating."""
        return [k for k in range(len(self.names)) if isfinite(self.low[k]) and isfinite(self.high[k])]


def short(names: Sequence[str]) -> dict[str, str]:
    """Return each player's printed name, without folders if the names remain unique."""
    last = {name: name.rpartition(":")[0] + ":" * (":" in name) + _base(name.rpartition(":")[2]) for name in names}
    return last if len(set(last.values())) == len(last) else {name: name for name in names}


def _base(word: str) -> str:
    return word if "=" in word or " " in word else os.path.basename(word) or word


def lines(found: Standings) -> list[str]:
    about, names = found.about, short(found.players)
    unit = "match" if about.what == "matches" else "round"
    head = [
        about.title,
        f"played      {found.games:,} {unit}{'es' if unit == 'match' else 's'}, "
        f"all {about.seats} seatings of each deal, seed {about.seed}"
        + (f"; {found.open:,} not played yet" if found.open else ""),
    ]
    if not found.meetings:
        return [*head, "nothing has been played yet"]
    return [*head, "", *_meetings(found, names), "", *_ratings(found, names), "", *notes(found, names)]


def _meetings(found: Standings, names: dict[str, str]) -> list[str]:
    two = found.about.seats == 2
    rows = [("player", "against", "games", "mean [95%]", ("wins" if two else "score") + " [95%]", "exact", "off")]
    for meeting in found.meetings:
        for place in range(1 if two else len(meeting.players)):
            others = ", ".join(names[each] for k, each in enumerate(meeting.players) if k != place)
            off = meeting.off(place)
            paid, score, exact = meeting.paid(place), meeting.score(place), meeting.exact(place)
            figures = (
                f"{paid.mean:+.4f} [{paid.low:+.4f}, {paid.high:+.4f}]",
                f"{100 * score.mean:.1f}% [{100 * score.low:.1f}, {100 * score.high:.1f}]",
                "" if exact is None else _exact(exact),
                "" if off is None else f"{off:+.1f}",
            )
            rows.append((names[meeting.players[place]], others, f"{meeting.games:,}", *figures))
    return in_columns(rows, right={2, 6})


def _ratings(found: Standings, names: dict[str, str]) -> list[str]:
    elo, luck = found.elo, found.luck
    order = sorted(range(len(found.players)), key=lambda k: (_group(found, k), -elo.elo[k]))
    rows = [("rating", "games", "mean", "score", "Elo [95%]", "Elo with luck")]
    totals = found.totals()
    for k in order:
        games, mean, score = totals[k]
        whole = f"{elo.elo[k]:.0f} [{elo.low[k]:.0f}, {elo.high[k]:.0f}]" if isfinite(elo.low[k]) else "not finite"
        lucky = ""
        if luck is not None and luck.r:
            # If skill cannot be separated from luck, print no ratings that exclude luck.
            lucky = f"{'beyond ' * (k in luck.at_bound)}{luck.elo[k]:.0f}" if luck.determined else "-"
        rows.append((names[found.players[k]], f"{games:,}", f"{mean:.4f}", f"{100 * score:.1f}%", whole, lucky))
    return in_columns(rows, right={1, 2, 3, 5})


def _group(found: Standings, player: int) -> int:
    return next(k for k, group in enumerate(found.elo.groups) if player in group)


def notes(found: Standings, names: dict[str, str]) -> list[str]:
    said = []
    luck = found.luck
    if luck is not None:
        what = f"skill       r = {luck.r:.3f} [{luck.low:.3f}, {luck.high:.3f}]"
        told = f"{what}: a game is decided by skill with probability r, else by luck"
        if not luck.determined:
            told = f"{what}: with these games, r may be 1 (pure skill, Elo's formula)"
            if len(found.players) == 2:
                told = f"skill       r ≥ {luck.low:.3f}: games of two players give only a lower bound"
        said.append(told)
    groups = found.elo.groups
    for above, below in pairwise(groups):
        first, second = (", ".join(names[found.players[k]] for k in group) for group in (above, below))
        said.append(f"rating      {first} never lost to {second}: compare ratings only within each of these groups")
    why = sorted({m.expected.why for m in found.meetings if m.expected is not None and m.expected.why})
    said += [f"exact       {reason}" for reason in why]
    # In two-player games, the means of both players have the same error.
    places = range(1 if found.about.seats == 2 else found.about.seats)
    far = [abs(off) for m in found.meetings for k in places if (off := m.off(k)) is not None]
    if far:
        among = f"the largest of {len(far)} such differences" if len(far) > 1 else "such a difference"
        said.append(
            f"exact       sampled means are at most {max(far):.1f} standard errors off the exact means "
            f"({among} is below {yardstick(len(far)):.1f} with probability 95%)"
        )
    return said


def yardstick(figures: int) -> float:
    """Return the 95% quantile of the maximum absolute value of *figures* independent standard normal variables."""
    return NormalDist().inv_cdf((1 + LEVEL ** (1 / figures)) / 2)


def rated(found: Standings) -> Rated:
    unit, names, elo = found.about.what, short(found.players), found.elo
    said = f"{found.games:,} {unit}; lines are 95% intervals; 0 is the mean rating"
    luck = found.luck
    if luck is not None and luck.determined:
        said += f"; r = {luck.r:.2f} [{luck.low:.2f}, {luck.high:.2f}]"
    shown = tuple(names[name] for name in found.players)
    return Rated(found.about.title, said, found.players, shown, elo.elo, elo.low, elo.high)


def _exact(number: Number) -> str:
    decimal = f"{float(number):+.6f}"
    if isinstance(number, Fraction) and len(shown := text(number)) <= MOST_LETTERS:
        return f"{shown} = {decimal}" if "/" in shown else shown
    return decimal


def to_data(found: Standings) -> dict[str, Any]:
    """Return JSON values; exact numbers are strings such as ``"-1/9"``."""
    about, luck = found.about, found.luck
    return {
        "play": about.what,
        "game": {"name": about.game, "settings": dict(about.settings), "title": about.title},
        "seats": about.seats,
        "seed": about.seed,
        "block": about.block,
        "games": found.games,
        "open": found.open,
        "meetings": [_meeting(meeting) for meeting in found.meetings],
        "ratings": _ratings_data(found),
        "luck": None
        if luck is None
        else {
            **{name: getattr(luck, name) for name in ("r", "low", "high", "gain")},
            "players": [
                {"player": name, "elo": luck.elo[k], "at_bound": k in luck.at_bound}
                for k, name in enumerate(found.players)
            ],
        },
    }


def _meeting(meeting: Meeting) -> dict[str, Any]:
    places, expected = range(len(meeting.players)), meeting.expected
    return {
        "players": list(meeting.players),
        "games": meeting.games,
        "deals": meeting.tally.deals,
        "orders": dict(meeting.tally.orders),
        "not_measured": (expected and expected.why) or None,
        "results": [
            {
                "player": meeting.players[place],
                "mean": _interval(meeting.paid(place)),
                "score": _interval(meeting.score(place)),
                "first": meeting.first(place),
                "exact": None if (exact := meeting.exact(place)) is None else to_json(exact),
                "exact_float": None if exact is None else float(exact),
                "exact_error": None if exact is None or expected is None else expected.error,
                "off": _finite(meeting.off(place)),
                "seats": [_seat(meeting, place, seat) for seat in places],
            }
            for place in places
        ],
    }


def _seat(meeting: Meeting, place: int, seat: int) -> dict[str, Any]:
    exact = meeting.exact_in_seat(place, seat)
    return {"mean": _interval(meeting.in_seat(place, seat)), "exact": None if exact is None else to_json(exact)}


def _interval(one: Estimate) -> dict[str, float | None]:
    return {"value": one.mean, "error": _finite(one.error), "low": one.low, "high": one.high}


def _finite(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None


def _ratings_data(found: Standings) -> dict[str, Any]:
    elo, totals = found.elo, found.totals()
    players = [
        {
            "player": name,
            "games": totals[k][0],
            "mean": totals[k][1],
            "score": totals[k][2],
            "elo": elo.elo[k] if isfinite(elo.low[k]) else None,
            "elo_low": _finite(elo.low[k]),
            "elo_high": _finite(elo.high[k]),
            "elo_half_width_independent": _finite(elo.alone[k]),
            "group": _group(found, k) + 1,
        }
        for k, name in enumerate(found.players)
    ]
    return {"players": players, "groups": len(elo.groups), "blocks": elo.blocks}


def to_csv(found: Standings, path: str | os.PathLike[str]) -> Path:
    """Write a row for each player of each pairing to *path*, a ``.csv`` file. Raises ``FileError``."""
    rows: list[tuple[object, ...]] = [COLUMNS]
    for each in map(_meeting, found.meetings):
        for result in each["results"]:
            figures = [result[name][end] for name in ("mean", "score") for end in ("value", "low", "high")]
            tail = [result[name] for name in COLUMNS[10:]]
            rows.append((" | ".join(each["players"]), result["player"], each["games"], each["deals"], *figures, *tail))
    return write_atomically(path, csv_lines(rows))
