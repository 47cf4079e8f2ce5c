"""The atlas of a sweep: a page for choosing any variant of Liar's Dice, and further files for small variants.

``index.html`` contains the rows of the sweep; the subfolders contain certificates, pictures and playable pages. This
module computes all texts and numbers from exact fractions. The script shows one variant at a time.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from ...base.errors import FileError, NotApplicableError, ParameterError, TreeTooLargeError
from ...base.files import read_text, reason, write_atomically
from ...base.rationals import down, parse, up
from ...base.words import quiet
from ...equilibria.bids import Opening, OpeningBid, opening_bids, openings
from ...experiments.sweeps.store import DONE, FAILED, MEMORY, OPEN, RUNNING, TIMEOUT, opened, unpacked
from ...experiments.sweeps.table import Row, read
from ...forms.hand_names import displayed
from ...forms.subject import Subject
from ...games.catalogue import make
from ...games.liars_dice import LiarsDice, dice_in_words
from ...players.find import Table
from ...players.kinds.equilibrium import NAME as EQUILIBRIUM
from ...players.rounds import board_for
from ...players.rounds.seating import judged
from ...proof import verify
from ...proof.certificate import read_solved
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..markup import data, render, template
from ..trees.choose import Room, Views, choose
from ..trees.options import DrawOptions, Style
from ..trees.subject import caption_of, subject_of
from ..trees.svg import write_svg
from .page import Part, page
from .play import bids_in_short, play_part, write_play

INDEX = "index.html"

DATA = "atlas-data"
"""The identifier of the data element in the page."""

NODES = 300_000
"""The maximum number of nodes of a variant with a picture and a playable page; larger variants get commands instead."""

CERTIFICATE_BYTES = 200_000
"""The maximum compressed size in bytes of a certificate in the atlas; larger certificates are replaced by a command."""

FOLDERS = CERTIFICATES, TREES, PLAY = ("certificates", "trees", "play")

_ROOM = Room(width=1_300, height=1_300)
"""The room for a picture; improbable nodes are folded away until the picture fits."""


@dataclass(frozen=True)
class Made:
    """The numbers of variants, of variants with an exact value, and of files in each folder.

    ``left_out`` is the number of rows of the sweep that are not two-player Liar's Dice. ``size`` is the size of all
    files in bytes.
    """

    index: Path
    variants: int
    exact: int
    certificates: int
    trees: int
    play: int
    left_out: int
    size: int


@dataclass(frozen=True)
class _Variant:
    """A row of the sweep with its game, and the game's command-line arguments."""

    row: Row
    game: LiarsDice
    words: tuple[str, ...]

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """The variant's choice for each setting in ``_AXES``: the displayed text, and the text in URLs."""
        game = self.game
        wild = ("no face", "plain")
        if game.wild is not None:
            named = "highest" if game.wild == game.sides else f"{game.wild}s"
            wild = (f"the {named} face" if named == "highest" else named, f"wild-{named}")
            if not game.wild_biddable:
                wild = (f"{wild[0]}, which cannot be bid", f"{wild[1]}-unbid")
        most = "dice" if game.max_quantity == sum(game.dice) else str(game.max_quantity)
        one, two = map(str, game.dice)
        return (
            (one, one), (two, two), (str(game.sides), f"{game.sides}-sided"), wild, (_ORDERS[game.order], game.order),
            ("all dice on the table" if most == "dice" else most, f"up-to-{most}"),
            (_PAYOFFS[game.payoff], game.payoff),
        )  # fmt: skip

    @cached_property
    def name(self) -> str:
        one, two, *rest = (short for _, short in self.choices)
        return "_".join([f"{one}-against-{two}", *(word for word in rest if word not in ("up-to-dice", "win-loss"))])

    @cached_property
    def title(self) -> str:
        _, _, _, (wild, _), (order, _), (most, _), (payoff, _) = self.choices
        wild = "no wild face" if self.game.wild is None else f"wild: {wild}"
        parts = [dice_in_words(self.game.dice, self.game.sides), wild, f"a higher bid has {order}"]
        parts += [f"maximum number of dice in a bid: {most}"] if self.game.max_quantity != sum(self.game.dice) else []
        parts += [f"the loser {payoff}"] if self.game.payoff != "win-loss" else []
        return "; ".join(parts)

    @property
    def order(self) -> tuple[Any, ...]:
        """The sort key of variants, which follows the order of choices on the page."""
        game = self.game
        wild = (0, 0) if game.wild is None else (2, 0) if game.wild == game.sides else (1, game.wild)
        return (
            *game.dice, game.sides, wild, not game.wild_biddable, list(_ORDERS).index(game.order),
            game.max_quantity != sum(game.dice), game.max_quantity, game.payoff != "win-loss",
        )  # fmt: skip

    @cached_property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """The lower and the upper bound on the value to Player 1; None if unknown."""
        figures = self.row.figures
        if figures["lower"] is None or figures["upper"] is None:
            return None
        return parse(figures["lower"]), parse(figures["upper"])

    @property
    def wins(self) -> tuple[Fraction, Fraction] | None:
        """The lower and the upper bound on the share of rounds that Player 1 wins; None if unknown."""
        if self.bounds is None or self.game.payoff == "points":
            return self.bounds
        return (1 + self.bounds[0]) / 2, (1 + self.bounds[1]) / 2

    @cached_property
    def known(self) -> str:
        """The status of the value: ``unknown``, ``exact``, ``proved`` (bounds as fractions), or ``floats``."""
        figures = self.row.figures
        if self.bounds is None:
            return "unknown"
        if figures["exact"] and self.bounds[0] == self.bounds[1]:
            return "exact"
        return "floats" if re.search("[.en]", figures["lower"] + figures["upper"]) else "proved"


_AXES = (
    *("Dice of Player 1", "Dice of Player 2", "Sides of a die", "Wild (counts as every face)", "A higher bid has"),
    *("Maximum number of dice in a bid", "The loser"),
)
"""The settings to choose; the page omits a setting that is the same in all variants."""

_ORDERS = {
    "quantity-face": "more dice",
    "face-quantity": "a higher face",
    "bluff": "more dice (k wild dice follow 2k - 1 others)",
}
_PAYOFFS = {"win-loss": "pays 1", "points": "gets 0 points"}


def write_atlas(
    sweep: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    nodes: int = NODES,
    progress: Callable[[str], None] = quiet,
) -> Made:
    """Write the atlas of all two-player Liar's Dice variants in the file *sweep* to *folder*.

    The folder is created if necessary. All certificates of up to 200 kB are written. A variant with such a certificate
    and at most *nodes* nodes also gets a picture and a playable page. If a variant's certificate is unchanged, the
    variant's files are reused, so an interrupted run can continue. ``index.html`` is written last. *progress* receives
    one line for each variant.

    Raises ``FileError`` if *sweep* is not a sweep or the folder cannot be written. Raises ``ParameterError`` if no row
    is two-player Liar's Dice, and ``CertificateError`` if a certificate is damaged.
    """
    place = Path(folder)
    rows = read(sweep)
    variants = sorted(_variants(rows), key=lambda one: one.order)
    if not variants:
        raise ParameterError(f"{sweep}: no row is two-player Liar's Dice, and an atlas shows only this game")
    try:
        for name in FOLDERS:
            (place / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {place}: {reason(error)}") from None
    with opened(Path(sweep)) as connection, tempfile.TemporaryDirectory() as spare:
        how = _method(connection)
        entries: list[dict[str, Any]] = []
        for done, one in enumerate(variants, start=1):
            progress(f"{done} of {len(variants)}: {one.title}")
            found = _files(connection, one, place, Path(spare), nodes)
            entries.append(_entry(one, found, Path(sweep), how))
    index = write_atomically(place / INDEX, [_page(variants, entries).encode()])
    files = [index, *(each for name in FOLDERS for each in (place / name).iterdir())]
    counts = {name: sum(name in entry["files"] for entry in entries) for name in FOLDERS}
    exact, size = sum(one.known == "exact" for one in variants), sum(path.stat().st_size for path in files)
    return Made(index, len(variants), exact, **counts, left_out=len(rows) - len(variants), size=size)


def _variants(rows: Sequence[Row]) -> Iterator[_Variant]:
    for row in rows:
        # Settings in a file are untrusted, so the page describes the game made from the settings.
        game = make(row.game, dict(row.settings)) if row.game == "liars-dice" else None
        if isinstance(game, LiarsDice) and len(game.dice) == 2:
            asked = row.asked if _makes(row.game, row.asked, game) else row.settings
            yield _Variant(row, game, (row.game, *(f"{key}={value}" for key, value in asked.items())))


def _makes(name: str, settings: Mapping[str, str], game: LiarsDice) -> bool:
    with suppress(ParameterError):
        return make(name, dict(settings)) == game
    return False


def _method(connection: sqlite3.Connection) -> tuple[str, ...]:
    row = connection.execute("SELECT method, gap FROM sweep").fetchone()
    method, gap = (None, None) if row is None else (row["method"], row["gap"])
    words = () if method in (None, "auto") else ("--method", str(method))
    return words if gap is None else (*words, "--gap", str(gap))


# --- the files of a variant


@dataclass(frozen=True)
class _Found:
    """A variant's files by folder, first bids, the first moves of each hand, and a flag for sparse strategies."""

    files: Mapping[str, Path]
    bids: Sequence[OpeningBid] = ()
    hands: tuple[Opening, ...] = ()
    sparse: bool = False


def _files(connection: sqlite3.Connection, one: _Variant, place: Path, spare: Path, nodes: int) -> _Found:
    rows = connection.execute("SELECT data FROM certificates WHERE key = ?", (one.row.figures["key"],)).fetchall()
    paths = {
        CERTIFICATES: place / CERTIFICATES / f"{one.name}.json.gz",
        TREES: place / TREES / f"{one.name}.svg",
        PLAY: place / PLAY / f"{one.name}.html",
    }
    text = unpacked(rows[0]["data"]) if rows else ""
    ships = bool(rows) and len(rows[0]["data"]) <= CERTIFICATE_BYTES
    if not ships or not paths[CERTIFICATES].is_file() or read_text(paths[CERTIFICATES]) != text:
        # Remove outdated files. Remove the certificate last, because it marks the other files as current.
        for path in (*list(paths.values())[1:], paths[CERTIFICATES]):
            path.unlink(missing_ok=True)
    if not rows:
        return _Found({})
    file = paths[CERTIFICATES] if ships else spare / "certificate.json.gz"
    if not file.is_file() or not ships:
        write_atomically(file, [text.encode()])
    profile = read_solved(file, Subject(one.game))
    shipped = {CERTIFICATES: file} if ships else {}
    for name, write in ((TREES, _write_tree), (PLAY, _write_page_to_play)):
        if ships and not paths[name].is_file() and one.game.size().nodes <= nodes:
            # These errors are raised if no picture fits, or if the page is too large.
            with suppress(NotApplicableError, TreeTooLargeError):
                write(one.game, profile, paths[name])
        if paths[name].is_file():
            shipped[name] = paths[name]
    label = displayed(one.game)
    hands = tuple(replace(each, hand=label(0, each.hand)) for each in openings(profile, one.game))
    return _Found(shipped, opening_bids(profile, one.game), hands, profile.tree is None)


def _write_tree(game: LiarsDice, profile: SparseProfile | TreeProfile, path: Path) -> None:
    """Write the public tree with strategies, folded to fit. Raises ``NotApplicableError`` if it does not fit."""
    options = DrawOptions(view="public", caption=caption_of(game.players, verify(profile)), style=Style(purpose="free"))
    shown = choose(Views(subject_of(profile, view="public"), options, _part), _ROOM, "public")
    if shown is None:
        raise NotApplicableError(f"{game.title}: no picture is small enough for a page")
    write_atomically(path, [write_svg(shown.picture.scene).encode()])


def _part(options: DrawOptions, why: str) -> str:
    reach = options.reach
    return f"only the part reached in more than {float(100 * reach):g}% of rounds is shown" if reach else ""


def _write_page_to_play(game: LiarsDice, profile: SparseProfile | TreeProfile, path: Path) -> None:
    at = Table(Subject(game), 0, quiet)
    board = board_for(at.subject, profile)
    write_play(path, play_part(board, judged(EQUILIBRIUM, profile, at), board))


# --- the description of a variant


def _entry(one: _Variant, found: _Found, sweep: Path, how: tuple[str, ...]) -> dict[str, Any]:
    parts = template("variant.html").make_module(
        {
            "one": one,
            "title": one.title[:1].upper() + one.title[1:],
            "found": found,
            "waits": one.row.figures["status"] in (OPEN, RUNNING),
            "rules": f"Dice: {dice_in_words(one.game.dice, one.game.sides)}. {bids_in_short(one.game)}",
            "sizes": _sizes(one),
            "sweep": sweep.name,
            **_commands(one, found, sweep, how),
        }
    )
    said = f"{one.title}. {parts.verdict().striptags()}"  # type: ignore[attr-defined]
    return {"name": one.name, "said": said, "markup": str(parts).strip(), "files": sorted(found.files)}


def _commands(one: _Variant, found: _Found, sweep: Path, how: tuple[str, ...]) -> dict[str, Any]:
    there, words, timeout = found.files, one.words, one.row.figures["timeout"]
    file, size = "solution.json.gz", 0
    if CERTIFICATES in there:
        file = f"{CERTIFICATES}/{there[CERTIFICATES].name}"
        size = max(1, round(there[CERTIFICATES].stat().st_size / 1000))
    limit = ("--timeout", f"{timeout:g}") if one.known != "exact" and timeout else ()
    view = "table" if found.sparse or not found.hands else "public"
    lines = {
        "solve": ("solve", *words, *how, *limit, "-o", "solution.json.gz"),
        "play": ("play", *words, "--solution", file, "-o", "play.html"),
        "draw": ("draw", *words, "--solution", file, "--view", view, "-o", "tree.svg"),
        "verify": ("verify", file),
        "extract": ("table", sweep.name, "--extract", " ".join(words), "-o", file),
    }
    return {
        "commands": {name: shlex.join(("efg-builder", *line)) for name, line in lines.items()},
        "links": {folder: f"{folder}/{path.name}" for folder, path in there.items()},
        "size": size,
    }


_STATES = {
    OPEN: "not tried yet",
    RUNNING: "being solved",
    FAILED: "failed",
    TIMEOUT: "stopped at the time limit",
    MEMORY: "stopped at the memory limit",
}

_COUNTS = {
    "nodes": "Nodes of the game tree",
    "infosets": "Information sets (decisions)",
    "deals": "Deals (pairs of hands)",
}


def _sizes(one: _Variant) -> list[tuple[str, str]]:
    figures = one.row.figures
    counts = {name: figures[key] for key, name in _COUNTS.items() if figures[key] is not None}
    rows: list[tuple[str, str]] = [(name, data(Fraction(n), f"{int(n):,}")) for name, n in counts.items()]
    rows.append(("Solution method", figures["method"] or "none"))
    rows += [("Time, seconds", f"{figures['seconds']:.3g}")] if figures["seconds"] is not None else []
    rows += [("Memory, MiB", f"{figures['peak_mib']:.0f}")] if figures["peak_mib"] is not None else []
    return rows + ([("In the sweep", _STATES[figures["status"]])] if figures["status"] != DONE else [])


# --- the page


def _page(variants: Sequence[_Variant], entries: Sequence[Mapping[str, Any]]) -> str:
    kept = [axis for axis in range(len(_AXES)) if len({one.choices[axis] for one in variants}) > 1]
    values = {axis: _values(variants, axis) for axis in kept}
    shown = [
        {name: entry[name] for name in ("name", "said", "markup")}
        | {"at": [values[axis].index(one.choices[axis]) for axis in kept]}
        for one, entry in zip(variants, entries, strict=True)
    ]
    ruled = sorted(variants, key=lambda one: (one.order[3:], one.order))
    known = Counter(one.known for one in variants)
    body = render(
        "atlas.html",
        axes=[(_AXES[axis], [words for words, _ in values[axis]]) for axis in kept],
        variants=len(variants),
        exact=known["exact"],
        loose=known["proved"] + known["floats"],
        grids=[_grid(list(each), kept) for _, each in groupby(ruled, key=lambda one: one.choices[3:])],
    )
    stored = {"variants": shown, "start": min(range(len(variants)), key=lambda k: _first(variants[k]))}
    part = Part(body, ("report.css", "atlas.css"), ("atlas.js",), {DATA: stored})
    return page("Who wins at Liar's Dice? An atlas", part)


def _first(one: _Variant) -> tuple[Any, ...]:
    """Return the sort key that selects the page's first variant: a known value, few dice, and about six sides."""
    game = one.game
    return one.bounds is None, sum(game.dice), abs(game.sides - 6), *one.order


def _values(variants: Sequence[_Variant], axis: int) -> list[tuple[str, str]]:
    start, end = ((0, 1), (1, 2), (2, 3), (3, 5), (5, 6), (6, 8), (8, 9))[axis]
    return list(dict.fromkeys(one.choices[axis] for one in sorted(variants, key=lambda one: one.order[start:end])))


def _grid(group: Sequence[_Variant], kept: Sequence[int]) -> dict[str, Any]:
    """Return a table of variants with the same rules, with dice counts in rows and numbers of sides in columns."""
    (wild, _), (order, _), (most, _), (payoff, _) = group[0].choices[3:]
    title = f"Wild: {wild}; a higher bid has {order}"
    title += f"; maximum number of dice in a bid: {most}" if 5 in kept else ""
    title += f"; the loser {payoff}" if 6 in kept else ""
    by = {(one.game.dice, one.game.sides): one for one in group}
    sides = sorted({side for _, side in by})
    rows = [(dice, [_cell(by.get((dice, side))) for side in sides]) for dice in sorted({dice for dice, _ in by})]
    return {"title": title, "sides": sides, "rows": rows}


def _cell(one: _Variant | None) -> dict[str, str] | None:
    """Return a variant's name, Player 1's wins per 100 rounds, the favored player, and the shade for the lead."""
    if one is None:
        return None
    if one.wins is None:
        return {"name": one.name, "shown": "?", "side": ""}
    low, high = one.wins
    # Show bounds as one number if they differ by less than the displayed precision.
    near = f"{float(50 * (low + high)):.1f}"
    shown = near if high - low < Fraction(1, 1000) else f"{down(100 * low, 0)}–{up(100 * high, 0)}"
    middle = float(low + high) - 1
    sure = low == high or low > Fraction(1, 2) or high < Fraction(1, 2)
    side = ("one" if middle > 0 else "two") if sure and middle else "even"
    # Most leads are small, so the shade uses their square root.
    tone = f"--tone:{math.sqrt(min(1.0, abs(middle))):.2f}" if side != "even" else ""
    return {"name": one.name, "shown": shown, "side": side, "tone": tone}
