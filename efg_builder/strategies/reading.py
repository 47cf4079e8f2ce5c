"""Reading strategies from ``.npz``, ``.csv`` and JSON files.

A JSON file contains the output of ``solve -o``, ``{information set: {action: probability}}``, or ``{player:
{information set: {action: probability}}}``. Integers, fractions, and decimals that sum to exactly 1 are exact. Rounded
decimals are read as floats.
"""

from __future__ import annotations

import csv
import io
import json
import operator
import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from numbers import Rational
from pathlib import Path
from typing import Any, TypeVar

from ..base.errors import FileError, NotApplicableError, ParameterError, ProfileError, misspelled, nearest
from ..base.files import csv_text, read_text
from ..base.formats import check_format
from ..base.rationals import DIGITS, Number, exact_sum, from_json, parse, text
from ..base.strict_json import RepeatedKeyError, Twice, parse_json, repeated, strict_json
from ..base.words import distinct, one_line
from ..forms.extensive import MOST_NAMED_BY_MOVES, GameTree, kept, numbered_name, shared_moves
from ..forms.hand_names import displayed_tree
from ..forms.subject import Subject
from ..games.bidding import BiddingGame
from ..games.catalogue import make
from ..games.protocol import DealtGame, Game, PublicDecision
from .dense_profile import read_dense
from .dense_rows import DenseRows, Elsewhere, from_written
from .policy import uniform_move
from .sparse_profile import SparseProfile
from .tree_profile import Strategy, TreeProfile, Written, bidding_of_two, uniform_rows

COLUMNS = ("player", "infoset", "action", "probability")
"""The header of a CSV file."""

EQUILIBRIUM_COLUMN = "equilibrium"
"""The column with the number of the equilibrium, in a CSV file with several equilibria."""

SUM_TOLERANCE = Fraction(1, 10**6)
"""Maximum difference between 1 and a sum of floats or rounded decimals."""

ROUNDING = Fraction(1, 50)
"""Maximum difference between 1 and a sum of decimals that were probably rounded to two digits, or cut after them."""

COMPLETIONS: tuple[Elsewhere, ...] = ("default", "uniform")
Key = TypeVar("Key", bound=Hashable)

Behavior = Mapping[str, Number]

Rows = tuple[dict[str, dict[int, Behavior]], ...]
"""The probabilities of moves in a file, by player, public history and hand (an index)."""


def strategy_from_file(
    path: str | os.PathLike[str] | Mapping[str, Any],
    game: Subject,
    complete: str | None,
    tree: Callable[[], GameTree],
) -> Strategy:
    """Read a strategy as ``interop.gambit.mapping.read_strategy`` does. *tree* returns the game's tree."""
    name = "strategy" if isinstance(path, Mapping) else os.fspath(path)
    if not isinstance(path, Mapping) and name.lower().endswith(".npz"):
        bidding = bidding_of_two(game.given_rules)
        if bidding is None:
            raise NotApplicableError(f"{game.title}: arrays are for two-player bidding games, such as liars-dice")
        return read_dense(path, bidding)
    dealt = game.given_dealt
    elsewhere = completion(complete, game.dealt is not None)
    file = _given(path) if isinstance(path, Mapping) else _parsed(name)
    if game.given_rules is not None:
        _check_game(file, game.given_rules)
    if dealt is not None:
        return FileStrategy(name, dealt, _by_rules(file, dealt), elsewhere, "name" in file.game)
    on = tree()
    rows = _by_tree(file, on)
    counts = Counter(on.infosets[k].player for k in rows)
    written = Written(tuple(counts[player] for player in range(len(on.players))), elsewhere)
    return TreeProfile.from_personal(on, _missing_rows(on, game.dealt, elsewhere) | rows, name, written)


def _missing_rows(tree: GameTree, dealt: DealtGame | None, elsewhere: Elsewhere) -> dict[int, tuple[Number, ...]]:
    """Return the completion at all information sets of *tree*, which was built from the rules *dealt*, if any."""
    if dealt is None or elsewhere == "uniform":
        return dict(uniform_rows(tree))
    default = SparseProfile(dealt, tuple({} for _ in dealt.players)).on(tree)
    return {k: default.probabilities[k] for k in tree.personal}


def completion(asked: str | None, dealt: bool) -> Elsewhere:
    """Return *asked*; if it is None, return ``default`` for a dealt game or its tree, otherwise ``uniform``.

    Raises ``ParameterError`` if *asked* does not exist or does not apply to the game.
    """
    chosen = next((known for known in COMPLETIONS if known == asked), None)
    if asked is not None and chosen is None:
        raise ParameterError(f"complete={asked!r}: {nearest(str(asked), COMPLETIONS)}")
    if chosen == "default" and not dealt:
        raise ParameterError("complete=default: only dealt games, such as liars-dice, have a default move; use uniform")
    return chosen or ("default" if dealt else "uniform")


@dataclass(frozen=True, eq=False)
class FileStrategy(Strategy):
    """The strategies in a file, completed by ``elsewhere``. ``names_game``: True if the file names this game."""

    name: str
    game: DealtGame
    rows: Rows = field(repr=False)
    elsewhere: Elsewhere
    names_game: bool = False

    @cached_property
    def exact(self) -> bool:
        """Whether all probabilities in the file are rational."""
        rows = (row for mine in self.rows for hands in mine.values() for row in hands.values())
        return all(isinstance(p, Fraction) for row in rows for p in row.values())

    @property
    def written(self) -> Written:  # type: ignore[override]
        """The number of each player's information sets in the file, and the completion."""
        return Written(tuple(sum(map(len, mine.values())) for mine in self.rows), self.elsewhere)

    def at(self, turn: PublicDecision, hand: int) -> Behavior:
        """Return the probabilities in the file, or the completion."""
        row = self.rows[turn.player].get(turn.history, {}).get(hand)
        if row is None and self.elsewhere == "uniform":
            return uniform_move(turn, hand)
        return {turn.actions[self.game.default_action(turn)][0]: Fraction(1)} if row is None else row

    def sparse(self) -> SparseProfile | None:
        """Return the sparse profile; None unless the strategy is exact and completed by the default move."""
        if not self.exact or self.elsewhere != "default":
            return None
        return SparseProfile.of_distributions(self.game, self.rows, self.name)  # type: ignore[arg-type]

    def _rows_of(self, game: BiddingGame, player: int, progress: Callable[[str], None]) -> DenseRows:
        return from_written(game, player, self.rows[player], self.elsewhere)


# --- parsing: probabilities by information set, and their positions in the file


@dataclass(frozen=True, slots=True)
class _Entry:
    """The behavior at one information set: ``given`` maps actions to probabilities as in the file.

    ``place`` is the path of keys in JSON. ``lines`` contains the line number of each action in a CSV file.
    """

    player: int | None
    number: int | None
    label: str | None
    given: Mapping[str, object]
    place: str
    lines: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _File:
    source: str
    content: str = field(repr=False)
    data: Mapping[str, Any] | None
    game: Mapping[str, Any] = field(default_factory=dict)
    _known: dict[tuple[tuple[str, object], ...], Behavior] = field(default_factory=dict, repr=False)

    def error(self, entry: _Entry, problem: str, action: str = "", place: str = "") -> ProfileError:
        line, place = entry.lines.get(action) or min(entry.lines.values(), default=0), place or entry.place
        if not line and entry.label:
            # Find the first position of the label in the file; a label seldom appears twice.
            spellings = (json.dumps(entry.label, ensure_ascii=ascii) for ascii in (False, True))
            at = next((found for spelling in spellings if (found := self.content.find(spelling)) >= 0), -1)
            line = self.content.count("\n", 0, at) + 1 if at >= 0 else 0
        where = f"{self.source}:{line}" if line else self.source
        return ProfileError(f"{where}: {place}: {problem}" if place else f"{where}: {problem}")

    def row(self, entry: _Entry) -> Behavior:
        # Cache the rows, because large strategies repeat rows.
        key = tuple(entry.given.items())
        if not all(isinstance(given, str) for _, given in key):
            return self._row(entry)
        if key not in self._known:
            self._known[key] = self._row(entry)
        return self._known[key]

    def _row(self, entry: _Entry) -> Behavior:
        row: dict[str, Number] = {}
        for action, given in entry.given.items():
            place = f"probability {given!r}" if entry.lines else f"{entry.place}[{action!r}]"
            try:
                row[action] = _probability(given)
            except (ValueError, ZeroDivisionError) as error:
                examples = "1/3, 0.25 or 25%" if entry.lines else '"1/3", 0.25 or "25%"'
                raise self.error(entry, f"{error}; write a probability as {examples}", action, place) from None
            if row[action] < 0:
                raise self.error(entry, f"the probability is negative ({text(row[action])})", action, place)
        decimal = any(isinstance(g, str) and "/" not in g and not g.isdigit() for g in entry.given.values())
        exact = all(isinstance(p, Fraction) for p in row.values())
        try:
            total: Number = exact_sum([Fraction(p) for p in row.values()]) if exact else sum(map(float, row.values()))
        except ValueError as error:
            raise self.error(entry, str(error), action) from None
        if exact and total == 1:
            return row
        if (exact and not decimal) or not -SUM_TOLERANCE <= total - 1 <= SUM_TOLERANCE:
            raise self._wrong_sum(entry, row, total)
        return {action: float(p) / float(total) for action, p in row.items()}

    def _wrong_sum(self, entry: _Entry, row: Behavior, total: Number) -> ProfileError:
        advice, last = _advice(entry, row, total), list(row)[-1]
        high = next((action for action, p in row.items() if p > 1), None)
        if high is not None and not advice:
            return self.error(entry, f"the probability of {high!r} is above 1 ({text(row[high])})", high)
        return self.error(entry, f"the probabilities sum to {text(total)}, not 1{advice}", last)

    def entries(self, players: Sequence[str]) -> Iterator[_Entry]:
        data = self.data
        if data is None:
            yield from _csv(self.source, self.content, players)
        elif "strategies" in data:
            parts = data["strategies"]
            if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
                raise ProfileError(f"{self.source}: strategies: not a list with one object for each player")
            for player, part in enumerate(parts):
                yield from self._sets(part, player, f"strategies[{player}]")
        elif "profile" in data and (data["profile"] is None or isinstance(data["profile"], list)):
            if data["profile"] is None:
                raise ProfileError(f"{self.source}: it has no profile (status {_word(data.get('status'))})")
            yield from map(self._numbered, data["profile"], (f"profile[{k}]" for k in count()))
        else:
            yield from self._by_player(data, players)

    def _by_player(self, data: Mapping[str, Any], players: Sequence[str]) -> Iterator[_Entry]:
        """Yield the entries of ``{label: row}`` or ``{player: {label: row}}``; a row is an object."""
        if isinstance(data, Twice):
            yield from self._sets(data, None, "")
        sets = {}
        for name, part in data.items():
            if name == "game" or not isinstance(part, dict) or not any(isinstance(row, dict) for row in part.values()):
                sets[name] = part
                continue
            numbers = [player for player, known in enumerate(players) if known == name]
            if not numbers:
                raise ProfileError(
                    f"{self.source}: [{name!r}]: there is no player {name!r}; {misspelled(name, players)}"
                )
            if len(numbers) > 1:
                how = 'write "strategies": [...], with one object for each player in order'
                raise ProfileError(f"{self.source}: [{name!r}]: {len(numbers)} players have this name; {how}")
            yield from self._sets(part, numbers[0], f"[{name!r}]")
        yield from self._sets(sets, None, "")

    def _sets(self, part: Mapping[str, Any], player: int | None, place: str) -> Iterator[_Entry]:
        if isinstance(part, Twice):
            entry = _Entry(player, None, part.key, {}, place)
            raise self.error(entry, f"the information set {part.key!r} appears twice")
        for label, row in part.items():
            if place or label not in ("game", "strategy"):  # 'evaluate -o' may write these keys
                yield self._given(_Entry(player, None, label, {}, f"{place}[{label!r}]"), row)

    def _numbered(self, part: object, place: str) -> _Entry:
        if not isinstance(part, dict):
            raise ProfileError(f"{self.source}: {place}: not an object with 'player', 'infoset' and 'probabilities'")
        player, number, label = part.get("player"), part.get("infoset"), part.get("label")
        if type(player) is not int or type(number) is not int or not isinstance(label, str | None):
            wrong = "'player' and 'infoset' must be whole numbers, and 'label' must be text"
            raise ProfileError(f"{self.source}: {place}: {wrong}")
        return self._given(_Entry(player - 1, number, label, {}, place), part.get("probabilities"))

    def _given(self, entry: _Entry, row: object) -> _Entry:
        if not isinstance(row, dict) or not row:
            hint = f", such as {{{row!r}: 1}}" if isinstance(row, str) else ""
            raise self.error(entry, f"not an object {{action: probability}}{hint}")
        if isinstance(row, Twice):
            raise self.error(entry, f"the action {row.key!r} appears twice")
        label = None if entry.label is None else one_line(entry.label)
        return replace(entry, label=label, given={one_line(action): p for action, p in row.items()})


def _probability(given: object) -> Number:
    """Read a number, or a percentage such as ``"25%"``."""
    if isinstance(given, str) and given.endswith("%"):
        if "/" in given:
            raise ValueError(f"a fraction has no percent sign: {given!r}")
        return parse(given.removesuffix("%").rstrip()) / 100
    return from_json(given)


def _advice(entry: _Entry, row: Behavior, total: Number) -> str:
    """Return what to write at *entry*, if its numbers seem to be rounded decimals, or percentages without a sign.

    *row*: the numbers. *total*: their sum. For other numbers, return an empty text.
    """
    made = {action: entry.given[action] for action, p in row.items() if p}
    if not made or not isinstance(total, Fraction):
        return ""
    action, given = next(iter(made.items()))
    if all(_is_whole(each) for each in made.values()) and 99 <= total <= 101:
        return f"; write {given}% or {int(str(given)) / 100:g} for {given}"
    decimals = not any(_is_whole(each) or "/" in str(each) for each in made.values())
    if decimals and 0 < abs(total - 1) <= ROUNDING:
        return f"; divide rounded decimals by their sum, e.g. write {text(Fraction(row[action]) / total)} for {given}"
    return ""


def _is_whole(given: object) -> bool:
    return str(given).isdigit()


def _word(value: object) -> str:
    return value if isinstance(value, str) and value.isprintable() else "unknown"


def _parsed(source: str) -> _File:
    ending = Path(source.lower().removesuffix(".gz")).suffix
    try:
        content = read_text(source).removeprefix("\ufeff")
        return _File(source, content, None) if ending == ".csv" else _json(source, content)
    except (FileError, ProfileError) as error:
        if ending in (".csv", ".json") or isinstance(error.__cause__, OSError):
            raise
        raise type(error)(f"{error}; the name of a strategy file must end in .csv or .json") from None


def _given(data: Mapping[str, Any]) -> _File:
    try:
        content = json.dumps(data, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise ProfileError(f"strategy: {error}") from None
    return replace(_json("strategy", content), content="")  # a mapping has no line numbers


def _plain(value: object) -> object:
    if isinstance(value, Rational):  # including NumPy's rational types
        return text(Fraction(int(value.numerator), int(value.denominator)))
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"not a number: {value!r}")


def _json(source: str, content: str) -> _File:
    try:
        # Decimals stay text until ``parse`` reads them exactly and limits their length.
        data = parse_json(content, str, lambda digits: int(digits) if len(digits) <= DIGITS else digits)
    except json.JSONDecodeError as error:
        raise ProfileError(f"{source}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{source}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ProfileError(f"{source}: not an object such as {{information set: {{action: probability}}}}")
    if isinstance(data.get("format"), str):  # otherwise, it may be the name of an information set
        check_format(data, "strategy" if "strategy" in data else "solution", source)
    game = data.get("game")
    return _File(source, content, data, game if isinstance(game, dict) else {})


def _csv(source: str, content: str, players: Sequence[str]) -> Iterator[_Entry]:
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    sets: dict[tuple[int, str], tuple[dict[str, str], dict[str, int]]] = {}
    try:
        header = [word.strip().lower() for word in next(reader, [])]
        if header[: len(COLUMNS)] != list(COLUMNS):
            found = ",".join(header)
            between = "; separate them by commas, and write 0.25 for 0,25" if ";" in found or "\t" in found else ""
            wrong = f"the columns must be {','.join(COLUMNS)}, not {found!r}{between}"
            raise ProfileError(f"{source}:1: {wrong}")
        number, first = header.index(EQUILIBRIUM_COLUMN) if EQUILIBRIUM_COLUMN in header else None, ""
        for row in filter(None, reader):
            where, line = f"{source}:{reader.line_num}", reader.line_num
            if len(row) < len(COLUMNS):
                right = f"there must be {len(COLUMNS)}: {','.join(COLUMNS)}"
                raise ProfileError(f"{where}: {len(row)} fields; {right}")
            if any(extra := [word.strip() for word in row[len(header) :]]):
                right = "write 0.25 for 0,25, and put text with commas in quotes"
                raise ProfileError(f"{where}: the field {extra[0]!r} is in no column; {right}")
            if number is not None and number < len(row):
                first = first or row[number]
                if row[number] != first:
                    break  # only the first equilibrium is read, as in JSON
            player, label, action, given = (csv_text(word.strip()) for word in row[: len(COLUMNS)])
            givens, lines = sets.setdefault((_seat(player, players, where), label), ({}, {}))
            if action in givens:
                twice = f"appears twice; it was already in line {lines[action]}"
                raise ProfileError(f"{where}: {action!r} at {label!r} {twice}")
            givens[action], lines[action] = given, line
    except csv.Error as error:
        raise ProfileError(f"{source}:{reader.line_num}: not CSV: {error}") from None
    for (owner, label), (givens, lines) in sets.items():
        yield _Entry(owner, None, label, givens, f"{label!r} of player {owner + 1}", lines)


def _seat(word: str, players: Sequence[str], where: str) -> int:
    if word.isascii() and word.isdigit() and len(word) < 4 and int(word):
        return int(word) - 1
    if players.count(word) == 1:
        return players.index(word)
    right = "must be a player's number, from 1, or the name of one player"
    raise ProfileError(f"{where}: player {word!r}: {right}; {misspelled(word, players)}")


# --- matching the information sets of a file with a game


def _check_game(file: _File, game: Game) -> None:
    name, settings = file.game.get("name"), file.game.get("settings")
    if not isinstance(name, str) or not isinstance(settings, Mapping):
        return
    try:
        other = make(name, settings)
    except ParameterError as error:
        raise ProfileError(f"{file.source}: game: {error}") from None
    if other != game:
        raise ProfileError(f"{file.source} is for {other.title!r}, not for {game.title!r}")


def _fitted(
    file: _File, players: Sequence[str], find: Callable[[_Entry], tuple[Key, str, Sequence[str]]]
) -> dict[Key, Behavior]:
    """Return the behavior of each entry by its key.

    *find* returns an entry's key, and the label and actions of its information set.
    """
    rows: dict[Key, Behavior] = {}
    entries = list(file.entries(players))
    for place, name in repeated(file.data or {}):
        raise ProfileError(f"{file.source}: {place or 'the whole'}: the key {name!r} appears twice")
    for entry in entries:
        if entry.player is not None and entry.player not in range(len(players)):
            raise file.error(entry, f"there is no player {entry.player + 1}; there are {len(players)}")
    # Find all information sets before checking sums: a misspelled label in a CSV file also changes another row's sum.
    for entry, (key, label, legal) in zip(entries, list(map(find, entries)), strict=True):
        row = file.row(entry)
        for action in (action for action in row if action not in legal):
            raise file.error(entry, f"{action!r} is not a move at {label!r}; {misspelled(action, legal)}", action)
        if key in rows:
            raise file.error(entry, f"the information set {label!r} appears twice")
        rows[key] = row
    return rows


def _by_rules(file: _File, game: DealtGame) -> Rows:
    pairs = zip(game.hands, game.hand_names, strict=True)
    hands = [{name: hand for names in (shown, own) for hand, name in enumerate(names)} for own, shown in pairs]
    turn_at = _turns(game)

    def find(entry: _Entry) -> tuple[tuple[int, str, int], str, Sequence[str]]:
        if not entry.label:
            raise file.error(entry, "it has no 'label', which names an information set of this game")
        named, _, history = entry.label.partition(": ")
        turn = turn_at(history)
        if turn is None or named not in hands[turn[0]]:
            raise file.error(entry, _unknown(game, entry.label))
        if entry.player is not None and entry.player != turn[0]:
            raise file.error(entry, _of_another(entry.label, entry.player, turn[0]))
        return (turn[0], history, hands[turn[0]][named]), entry.label, turn[1]

    rows: Rows = tuple({} for _ in game.players)
    for (player, history, hand), row in _fitted(file, game.players, find).items():
        rows[player].setdefault(history, {})[hand] = row
    return rows


def _turns(game: DealtGame) -> Callable[[str], tuple[int, tuple[str, ...]] | None]:
    """Return a function from public histories to (mover, moves). The function returns None for other text."""
    bidding = game.bidding_game
    if bidding is None:
        turns = {turn.history: (turn.player, tuple(label for label, _ in turn.actions)) for turn in game.turns()}
        return turns.get

    def turn_at(history: str) -> tuple[int, tuple[str, ...]] | None:
        try:
            bids = bidding.bids_of(history)
        except ValueError:
            return None
        last = bids[-1] if bids else -1
        call = [bidding.call] if bids else []
        return len(bids) % len(bidding.players), (*bidding.bid_names[last + 1 :], *call)

    return turn_at


def _unknown(game: DealtGame, label: str) -> str:
    known = SparseProfile(game, tuple({} for _ in game.players))
    try:
        known[label]
    except ParameterError as error:
        return str(error)
    return f"there is no information set {label!r}"


def _of_another(label: str, named: int, owner: int) -> str:
    return f"there is no information set {label!r} of player {named + 1}: it belongs to player {owner + 1}"


def _by_tree(file: _File, tree: GameTree) -> dict[int, tuple[Number, ...]]:
    tables: tuple[Table, ...] = ({}, {}, {}, {})
    shown = displayed_tree(tree).names
    for k in tree.personal:
        infoset = tree.infosets[k]
        names = tree.names[k], infoset.label, f"set {infoset.number}", shown[k]
        for table, name in zip(tables, names, strict=True):
            table.setdefault(name, []).append(k)

    def find(entry: _Entry) -> tuple[int, str, Sequence[str]]:
        k = _on_tree(file, tree, entry, tables)
        return k, tree.names[k], distinct(tree.infosets[k].actions)

    rows = {}
    for k, row in _fitted(file, tree.players, find).items():
        zero = 0 * next(iter(row.values()))
        rows[k] = tuple(row.get(name, zero) for name in distinct(tree.infosets[k].actions))
    return rows


Table = dict[str, list[int]]
"""The indices of information sets by name."""


def _on_tree(file: _File, tree: GameTree, entry: _Entry, tables: tuple[Table, ...]) -> int:
    """Return the index of an entry's information set.

    *tables* map names, labels, numbers (``set 3``) and display names to indices. A name that is not in *tables* may be
    the information set's name in another file of this game, such as a file that Gambit wrote.
    """
    if entry.number is not None and entry.player is not None:
        found = tree.by_number.get((entry.player, entry.number))
        if found is None:
            raise file.error(entry, f"the game has no information set {entry.number} of player {entry.player + 1}")
        label = tree.infosets[found].label
        if entry.label is not None and not _renamed(entry.label, label):
            raise file.error(entry, f"the label is {entry.label!r}, but this game has {label!r}")
        return found
    label = entry.label or ""
    candidates = [[k for k in t.get(label, []) if entry.player in (None, tree.infosets[k].player)] for t in tables]
    meant = next(filter(None, candidates), [])
    if not meant:
        others = _other_names(tree).get(_plain_label(label), [])
        meant = [k for k in others if entry.player in (None, tree.infosets[k].player)]
    players = {
        tree.infosets[k].player: tree.players[tree.infosets[k].player] for k in (*meant, *candidates[0], *candidates[1])
    }
    if len(players) > 1:
        how = f"write it under its player: {{{json.dumps(next(iter(players.values())))}: {{{json.dumps(label)}: ...}}}}"
        problem = f"{len(players)} players have an information set {label!r} ({', '.join(players.values())}); {how}"
        raise file.error(entry, problem)
    if len(meant) > 1:
        numbers = [f"set {tree.infosets[k].number}" for k in meant[:5]]
        how = f"name them by number: {', '.join(map(repr, numbers))}"
        raise file.error(entry, f"there are {len(meant)} information sets labeled {label!r}; {how}")
    if not meant:
        raise file.error(entry, _unnamed(tree, entry, tables[0], tables[2]))
    return meant[0]


@kept
def _other_names(tree: GameTree) -> Table:
    """Return the names that information sets have in other files of this game, if a name has one meaning.

    The names are made of labels without extra spaces and with Gambit's numbers for equal labels, of the moves that all
    nodes share, or of the player and the number.
    """
    by_player: dict[int, list[int]] = {}
    for k in tree.personal:
        by_player.setdefault(tree.infosets[k].player, []).append(k)
    moves = shared_moves(tree, set(tree.personal)) if len(tree.personal) <= MOST_NAMED_BY_MOVES else {}
    by_name: Table = {}
    for player, sets in by_player.items():
        names: dict[str, set[int]] = {}
        labels = distinct((_plain_label(tree.infosets[k].label) for k in sets), empty=True)
        owner = tree.players[player]
        owners = filter(None, (owner, f"{owner}_1", owner.removesuffix("_1")))  # as Gambit renames players
        numbered = [[numbered_name(each, tree.infosets[k].number) for k in sets] for each in owners]
        for row in (labels, [moves.get(k, "") for k in sets], *numbered):
            for k, name in zip(sets, row, strict=True):
                names.setdefault(name, set()).add(k)
        for name, meant in names.items():
            if name and len(meant) == 1:
                by_name.setdefault(name, []).extend(meant)
    return by_name


_NUMBER_OF_EQUAL = re.compile(r"_\d+\Z", re.ASCII)


def _plain_label(label: str) -> str:
    """Return *label* without the spaces that Gambit's reader rejects."""
    return " ".join(label.split())


def _renamed(label: str, other: str) -> bool:
    """Return whether the labels are equal, except for spaces, and for a number that makes one distinct for Gambit."""
    one, two = _plain_label(label), _plain_label(other)
    return one == two or one == _NUMBER_OF_EQUAL.sub("", two) or two == _NUMBER_OF_EQUAL.sub("", one)


def _unnamed(tree: GameTree, entry: _Entry, named: Table, numbered: Table) -> str:
    label = entry.label or ""
    if entry.player is not None and (elsewhere := named.get(label) or numbered.get(label)):
        return _of_another(label, entry.player, tree.infosets[elsewhere[0]].player)
    owner = "" if entry.player is None else f" of player {entry.player + 1}"
    known = [name for name in named if any(entry.player in (None, tree.infosets[k].player) for k in named[name])]
    return f"there is no information set {label!r}{owner}; {misspelled(label, sorted(known))}"


# --- strict reading of solutions for a tree


def read_solution(path: str | os.PathLike[str], tree: GameTree, which: int | None = None) -> TreeProfile:
    """Return the profile for *tree* in the solution file at *path*; *which* (from 1) selects one of its ``equilibria``.

    Only the strategies are read, not the verdict, the value or the status. These claims may be false; ``eb.verify``
    checks them. Raises ``FileError`` and ``ProfileError``.
    """
    return profile_in(_solution_data(path), tree, str(path), which)


def place_in(path: str | os.PathLike[str], which: int | None) -> str:
    """Return the place of equilibrium *which* in the solution file at *path*, such as ``"1 of 4"``, as it claims.

    If *which* is None, return the place of the part ``profile``. If there is only one equilibrium, return "".
    """
    data = _solution_data(path)
    several = data.get("equilibria") if isinstance(data, dict) else None
    if not isinstance(several, list):
        return ""
    count = sum(isinstance(one, dict) and one.get("equilibrium") is True for one in several)
    return f"{which or number_of_profile(data)} of {count}" if count > 1 else ""


def number_of_profile(data: Mapping[str, Any]) -> int:
    """Return the number, from 1, of the entry of ``equilibria`` with the profile in the part ``profile``."""
    several = data.get("equilibria")
    numbered = enumerate(several, start=1) if isinstance(several, list) else ()
    found = (number for number, one in numbered if isinstance(one, dict) and one.get("profile") == data.get("profile"))
    return next(found, 1)


def _solution_data(path: str | os.PathLike[str]) -> Any:
    source = str(path)
    try:
        data = strict_json(read_text(path))
    except RepeatedKeyError as error:
        raise ProfileError(f"{source}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{source}: not JSON: {error}") from None
    if isinstance(data, dict):
        check_format(data, "solution", source)
    return data


def profile_in(data: Any, tree: GameTree, source: str, which: int | None = None) -> TreeProfile:
    """Return the profile for *tree* in the *data* of a solution file. Raises ``ProfileError``."""
    entries = _chosen(data, source, which)
    try:
        return profile_of(entries, tree, source, _renamed)
    except ProfileError as error:
        game = data.get("game")
        title = game.get("title") if isinstance(game, Mapping) else None
        if isinstance(title, str) and title != tree.title:
            raise ProfileError(f"{source} is a solution for {title!r}, not for {tree.title!r} ({error})") from None
        raise


def _chosen(data: Any, source: str, which: int | None) -> list[Any]:
    data = data if isinstance(data, dict) else {}
    entries = data.get("profile")
    if "profile" in data and entries is None:
        raise ProfileError(f"{source}: it has no profile (status {_word(data.get('status'))})")
    if which is not None and data:
        several = data.get("equilibria", [data])
        count = len(several) if isinstance(several, list) else 0
        if not 1 <= which <= count:
            raise ProfileError(f"{source}: it has no equilibrium number {which}; the number of equilibria is {count}")
        entries = several[which - 1].get("profile") if isinstance(several[which - 1], dict) else None
    if entries is None and "strategies" in data:
        hint = "eb.read_strategy reads its strategies, and eb.verify verifies the claim"
        raise ProfileError(f"{source}: it was found without a tree, so it has no profile; {hint}")
    if not isinstance(entries, list):
        raise ProfileError(
            f"{source}: it has no list 'profile'; 'efg-builder solve ... -o solution.json' writes a file with this list"
        )
    return entries


def profile_of(
    entries: list[Any],
    tree: GameTree,
    source: str = "solution",
    alike: Callable[[str, str], bool] = operator.eq,
) -> TreeProfile:
    """Return the profile for *tree* from the *entries* of ``profile`` in a solution file. Raises ``ProfileError``.

    *alike* compares the label of an information set in the file with the label in *tree*.
    """
    rows: dict[int, tuple[Number, ...]] = {}
    for position, entry in enumerate(entries, start=1):
        where = f"{source}: entry {position} of 'profile'"
        if not isinstance(entry, Mapping):
            raise ProfileError(f"{where}: not an object")
        player, number = entry.get("player"), entry.get("infoset")
        k = tree.by_number.get((player - 1, number)) if type(player) is int and type(number) is int else None
        if k is None:
            raise ProfileError(f"{where}: the game has no information set {number} of player {player}")
        if k in rows:
            raise ProfileError(f"{where}: information set {number} of player {player} appears twice")
        rows[k] = _strict_row(entry, tree, k, where, alike)
    missing = [k for k in tree.personal if k not in rows]
    if missing:
        raise ProfileError(f"{source}: the information set {tree.names[missing[0]]!r} is missing")
    return TreeProfile.from_personal(tree, rows)


def _strict_row(
    entry: Mapping[str, Any], tree: GameTree, k: int, where: str, alike: Callable[[str, str], bool]
) -> tuple[Number, ...]:
    infoset = tree.infosets[k]
    label = entry.get("label", infoset.label)
    if not isinstance(label, str) or not alike(label, infoset.label):
        raise ProfileError(f"{where}: the label is {label!r}, but this game has {infoset.label!r}")
    given, names = entry.get("probabilities"), distinct(infoset.actions)
    if not isinstance(given, Mapping) or set(given) != set(names):
        raise ProfileError(f"{where}: 'probabilities' must have exactly the actions {', '.join(names)}")
    try:
        return tuple(from_json(given[name]) for name in names)
    except (ValueError, ZeroDivisionError) as error:
        raise ProfileError(f"{where}: {error}") from None
