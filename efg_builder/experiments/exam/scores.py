"""Scores of an exam: the mean loss per decision, in total and by group, and the mean losses of reference players.

A missing or illegal answer (an illegal move or an invalid distribution) counts as the worst legal move. Means are exact
if the answers are exact.

The 95% interval is Student's t interval for a mean of n losses with positive weights w. The squared standard error is
n / (n - 1) times the sum of (w (loss - mean))^2, divided by the square of the sum of w (W. Cochran, Sampling
Techniques, 3rd ed., section 6.3). The interval is cut at 0 and at the largest loss of a legal move, because no mean
loss lies outside. The interval is for the mean over exams of the same size with other seeds. In Leduc poker (30
positions, 40 seeds), it covers this mean in 92 to 100% of the exams, for uniform play and for the strategy that always
chooses the last move in the list of legal moves. There is no interval for fewer than five positions, and none for an
exam with all positions of its games: its mean has no sampling error.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from ...base.errors import ParameterError, ProfileError, check_kind, kind_of
from ...base.rationals import Number, from_json, to_json
from ...base.words import PERCENT_ROUNDED, in_columns, notation, one_line, plural
from ...players.rounds.boards import exact
from ...players.rounds.words import understood
from ...strategies.tree_profile import check_distribution
from .positions import Chances, Position

Given = Any  # an answer: a move, or the probabilities of moves; None if it is missing
NO_ANSWER, ILLEGAL = "no answer", "illegal answer"
ALL, BY_GAME, BY_VALUE, BY_DEPTH = "all", "by game", "by value, in thirds", "by depth"
THIRDS = ("low", "middle", "high")
AROUND = " \t\n.!:*_`'\"-"  # characters that language models put around a move
MOST_IDS = 5  # the maximum number of listed ids


LEAST = 5
"""The minimum number of positions for an interval."""


@dataclass(frozen=True)
class Mean:
    """A mean loss per decision, and its 95% interval (None for few positions, or for all positions of a game)."""

    mean: Fraction
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Line:
    """The mean loss at a group's positions: unweighted, and weighted by reach probability (None if all are 0)."""

    group: str
    name: str
    positions: int
    loss: Mean
    by_reach: Mean | None


def by_group(lines: Iterable[Line]) -> dict[str, list[Line]]:
    found = defaultdict[str, list[Line]](list)
    for line in lines:
        found[line.group].append(line)
    return dict(found)


@dataclass(frozen=True)
class Mistake:
    """A kind of mistake, its share of the decisions, and its contribution to the unweighted mean loss."""

    kind: str
    share: Fraction
    loss: Fraction


@dataclass(frozen=True, repr=False)
class Score:
    """The result of ``score``; the text of this object is the output of ``efg-builder exam --score``.

    Attributes
    ----------
    opponents : tuple of (str, str)
        The title of each game, with the digest of the equilibrium that the other seats play.
    lines : tuple of Line
        First, the mean losses of the answers and of each reference player. Then, the mean losses of the answers by game
        (if there are several games), by value (low, middle or high third of each game's positions), and by depth.
    mistakes : tuple of Mistake
        The kinds of mistakes; the sum of their losses is the mean loss.
    illegal, missing : tuple of str
        The ids of positions with an illegal answer, and of positions without an answer.
    sampled : bool
        False if the exam has all positions of its games, so that the means have no sampling error and no intervals.

    Examples
    --------
    >>> import efg_builder as eb
    >>> found = eb.score(eb.exam("kuhn", 6), lambda position: position.moves[0])
    >>> found.lines[1].name, found.lines[1].loss.mean
    ('equilibrium', Fraction(0, 1))
    """

    opponents: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    mistakes: tuple[Mistake, ...]
    illegal: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    sampled: bool = True

    def __str__(self) -> str:
        return "\n".join(_text(self))

    def __repr__(self) -> str:
        return f"<Score of {plural(self.lines[0].positions, 'position')}: loss {_decimal(self.lines[0].loss.mean)}>"

    @property
    def about_intervals(self) -> str:
        """A sentence on the missing intervals; empty if every mean has one."""
        if not self.sampled:
            return (
                "no intervals: the exam has all positions in which some move loses, so the means have no sampling error"
            )
        few = any(line.positions < LEAST for line in self.lines)
        return f"no interval for fewer than {LEAST} positions" if few else ""

    def table(self) -> Iterator[tuple[object, ...]]:
        """Yield the header and the rows of the score's table, e.g. for a ``.csv`` file."""
        parts = ("loss", "low", "high", "exact loss")
        yield "group", "name", "decisions", *parts, *(f"{part} by reach" for part in parts)
        for line in self.lines:
            means = [
                (float(m.mean), m.low, m.high, to_json(m.mean)) if m else [""] * 4 for m in (line.loss, line.by_reach)
            ]
            yield line.group, line.name, line.positions, *means[0], *means[1]
        for each in self.mistakes:
            count = float(each.share * self.lines[0].positions)
            yield "mistakes", each.kind, count, float(each.loss), "", "", to_json(each.loss), "", "", "", ""

    def to_json(self) -> dict[str, Any]:
        """Return the score as a dictionary; exact numbers are fractions."""
        return asdict(self)


def score(
    positions: Iterable[Position], answers: Mapping[str, Given] | Callable[[Position], Given], name: str = "answers"
) -> Score:
    """Return the mean loss per decision of *answers* to *positions*, in total and by group.

    Parameters
    ----------
    positions : iterable of Position
        Positions of one or more games, such as ``eb.exam("kuhn", 6)``.
    answers : mapping or callable
        ``answers(position)`` or ``answers[position.id]`` is a move, ``{move: probability}`` or None. Moves can be
        written as people type them.
    name : str, default "answers"
        The name of the examinee in the table.

    Returns
    -------
    Score
        The score. A missing answer and an illegal answer count as the worst legal move.

    Raises
    ------
    ParameterError
        If there are no positions, a position is repeated, or an answer has an unknown id.

    Examples
    --------
    >>> import efg_builder as eb
    >>> positions = list(eb.exam("kuhn", 6))
    >>> len(eb.score(positions, {positions[0].id: positions[0].moves[0]}).missing)
    5
    """
    exam = _checked(positions)
    rows = [row_of(each, given) for each, given in zip(exam, _given(exam, answers), strict=True)]
    losses = [_loss(each, row) for each, row in zip(exam, rows, strict=True)]
    known = [who for who in exam[0].references if who != name and all(who in each.references for each in exam)]
    counts = Counter((each.game, each.certificate) for each in exam)
    sampled = any(each.population != counts[each.game, each.certificate] for each in exam)
    beside = [_line(ALL, who, exam, [each.mean_loss(each.references[who]) for each in exam], sampled) for who in known]

    def ids(kind: str) -> tuple[str, ...]:
        return tuple(each.id for each, row in zip(exam, rows, strict=True) if row == kind)

    return Score(
        opponents=tuple(counts),
        lines=(_line(ALL, one_line(name), exam, losses, sampled), *beside, *_grouped(exam, losses, sampled)),
        mistakes=_mistakes(exam, rows),
        illegal=ids(ILLEGAL),
        missing=ids(NO_ANSWER),
        sampled=sampled,
    )


def _checked(positions: Iterable[Position]) -> tuple[Position, ...]:
    check_kind("score", positions, Iterable, "positions", "eb.exam(game) draws positions")
    exam = tuple(positions)
    for each in exam:
        check_kind("score", each, Position, "positions", "eb.exam(game) draws positions")
    twice = Counter(each.id for each in exam).most_common(1)
    if not exam or twice[0][1] > 1:
        problem = f"the position {twice[0][0]} occurs {twice[0][1]} times" if exam else "there are no positions"
        raise ParameterError(f"score(): {problem}; eb.exam(game) draws different positions")
    return exam


def _given(exam: Sequence[Position], answers: Mapping[str, Given] | Callable[[Position], Given]) -> list[Given]:
    """Return the answer to each position."""
    if isinstance(answers, Mapping):
        for unknown in answers.keys() - {position.id for position in exam}:
            raise ParameterError(f"there is an answer to {unknown!r}, which is not a position of this exam")
        return [answers.get(each.id) for each in exam]
    if not callable(answers):
        raise ParameterError(f"score() takes answers by id, or a function of a position, not {kind_of(answers)}")
    return [answers(each) for each in exam]


def row_of(position: Position, given: Given) -> Chances | str:
    """Return the move probabilities of an answer, or ``NO_ANSWER`` or ``ILLEGAL``."""
    if given is None:
        return NO_ANSWER
    row: dict[str, Number] = dict.fromkeys(position.moves, Fraction(0))
    try:
        for move, p in ({given: 1} if isinstance(given, str) else given).items():
            typed = understood(move if move in row else str(move).strip(AROUND), position.moves)
            row[typed.text if typed.kind == "move" else ""] += p if isinstance(p, Fraction) else from_json(p)
        check_distribution(tuple(row.values()), len(row), position.id)
    except (AttributeError, KeyError, ValueError, ZeroDivisionError, ProfileError):
        return ILLEGAL
    return dict(zip(row, exact(tuple(row.values())), strict=True))


def _loss(position: Position, row: Chances | str) -> Fraction:
    return max(position.losses.values()) if isinstance(row, str) else position.mean_loss(row)


def _line(group: str, name: str, exam: Sequence[Position], losses: Sequence[Fraction], sampled: bool) -> Line:
    reaches = [each.reach for each in exam]
    most = max(max(each.losses.values()) for each in exam) if sampled else None
    unweighted = _mean([Fraction(1)] * len(exam), losses, most)
    return Line(group, name, len(exam), unweighted, _mean(reaches, losses, most) if any(reaches) else None)


def _mean(weights: Sequence[Fraction], losses: Sequence[Fraction], most: Fraction | None) -> Mean:
    """Return the weighted mean, with an interval cut at *most*, the largest possible loss; None means no interval."""
    from scipy.special import stdtrit

    total, count = sum(weights, Fraction(0)), sum(map(bool, weights))
    mean = sum((w * loss for w, loss in zip(weights, losses, strict=True)), Fraction(0)) / total
    if count < LEAST or most is None:
        return Mean(mean, None, None)
    squares = sum(float(w / total * (loss - mean)) ** 2 for w, loss in zip(weights, losses, strict=True))
    half = float(stdtrit(count - 1, 0.975)) * sqrt(squares * count / (count - 1))
    return Mean(mean, max(float(mean) - half, 0.0), min(float(mean) + half, float(most)))


def _grouped(exam: Sequence[Position], losses: Sequence[Fraction], sampled: bool) -> Iterator[Line]:
    games = list(dict.fromkeys(each.game for each in exam))
    ranked = {game: sorted(each.value for each in exam if each.game == game) for game in games}
    thirds = [sum(each.value >= ranked[each.game][k * len(ranked[each.game]) // 3] for k in (1, 2)) for each in exam]
    depths = [plural(depth, "move") + " seen" for depth in range(max(each.depth for each in exam) + 1)]
    for group, names, of in (
        (BY_GAME, games if len(games) > 1 else [], [each.game for each in exam]),
        (BY_VALUE, THIRDS, [THIRDS[third] for third in thirds]),
        (BY_DEPTH, depths, [depths[each.depth] for each in exam]),
    ):
        for name in names:
            if inside := [k for k, each in enumerate(of) if each == name]:
                yield _line(group, name, [exam[k] for k in inside], [losses[k] for k in inside], sampled)


def _mistakes(exam: Sequence[Position], rows: Sequence[Chances | str]) -> tuple[Mistake, ...]:
    shares, lost = defaultdict[str, Fraction](Fraction), defaultdict[str, Fraction](Fraction)
    for each, row in zip(exam, rows, strict=True):
        if isinstance(row, str):
            shares[row] += 1
            lost[row] += _loss(each, row)
            continue
        for move, kind in each.kinds.items():
            if row[move]:
                shares[kind] += row[move]
                lost[kind] += row[move] * each.losses[move]
    ranked = sorted(lost, key=lambda kind: (-lost[kind], kind))
    return tuple(Mistake(kind, shares[kind] / len(exam), lost[kind] / len(exam)) for kind in ranked)


def _text(score: Score) -> Iterator[str]:
    yield from (f"{game}, against the equilibrium {digest}" for game, digest in score.opponents)
    yield f"loss per decision, {plural(score.lines[0].positions, 'position')}; 0 is best play"
    for group, lines in by_group(score.lines).items():
        yield from ("", group)
        rows = [(line.name, str(line.positions), *_figures(line.loss), *_figures(line.by_reach)) for line in lines]
        table = [("", "positions", "mean loss", "95% interval", "by reach", "95% interval"), *rows]
        if any(row[3] or row[5] for row in rows):
            yield from (f"  {line}" for line in in_columns(table, right={1, 2, 4}))
        else:
            yield from (f"  {line}" for line in in_columns([(*row[:3], row[4]) for row in table], right={1, 2, 3}))
    if note := score.about_intervals:
        yield from ("", note)
    if score.mistakes:
        write = notation(each.share for each in score.mistakes)
        yield from ("", f"mistakes; their losses sum to the mean{f'; {PERCENT_ROUNDED}' * write.rounded}")
        kinds = [(each.kind, write(each.share), _decimal(each.loss)) for each in score.mistakes]
        yield from (f"  {line}" for line in in_columns([("", "decisions", "loss"), *kinds], right={1, 2}))
    for what, ids in ((ILLEGAL, score.illegal), (NO_ANSWER, score.missing)):
        if ids:
            more = f" and {len(ids) - MOST_IDS} more" if len(ids) > MOST_IDS else ""
            yield f"{what}, counted as the worst move: {', '.join(ids[:MOST_IDS])}{more}"


def _figures(mean: Mean | None) -> tuple[str, str]:
    if mean is None:
        return "-", ""
    return _decimal(mean.mean), f"{mean.low:.4f} to {mean.high:.4f}" if mean.high else ""


def _decimal(loss: Fraction) -> str:
    return f"{float(loss):.4f}" if loss >= Fraction(1, 10_000) else f"{float(loss):.1g}"
