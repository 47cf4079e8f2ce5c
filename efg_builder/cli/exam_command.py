"""``efg-builder exam``: positions with the exact loss of each move, and scores of answers."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import NotApplicableError, ParameterError
from ..base.words import plural
from . import options, say
from .common import Progress, answer, check_outputs, ending, show, source

if TYPE_CHECKING:
    from ..experiments.exam import Position, Score
    from ..experiments.exam.options import ExamOptions
    from ..experiments.exam.positions import Certified

POSITIONS, REPORTS = [".jsonl", ".html"], [".csv", ".html", ".svg", ".png"]


@click.command(
    "exam",
    cls=options.Grouped,
    first="output score positions at solution",
    epilog="docs/exam.md explains the losses, the files, and how a program or a language model takes an exam.",
)
@options.words
@options.output(
    "File for positions (.jsonl) or for a worksheet for people (.html). With --score: file for a table (.csv), a web "
    "page (.html) or a plot (.svg, .png)."
)
@options.path(
    "--solution",
    said="Certified equilibrium from 'efg-builder solve -o' that the opponents play; --at takes any solution. "
    "[default: solve the game first]",
)
@options.count(
    "--count",
    "Maximum number of positions, e.g. 50. All positions are different, so a small game may have fewer.",
    default=200,
)
@options.seed(default=1)
@click.option("--answers", is_flag=True, help="Also write the answer key: NAME.answers.jsonl for -o NAME.jsonl.")
@click.option(
    "--at",
    metavar="TEXT",
    help="Print the loss of each move in one position, given by a hand and the moves so far, "
    "e.g. '2,3: 1x6, two sixes'.",
)
@click.option(
    "--score",
    metavar="FILE|NAME",
    help="Score a file of answers (FILE.jsonl) or, if GAME is given, a player or a strategy.",
)
@options.path(
    "--positions",
    said="File of the positions to score. The answer key is read from the same folder or, if GAME is given, "
    "computed again.",
)
@options.timeout(on_the_way=True)
@options.as_json
@options.max_nodes
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Sample decision problems with the exact loss of each move against a certified equilibrium, and score answers.

    Chance moves follow the rules, and all opponents play the equilibrium. Each earlier move of the examinee follows the
    equilibrium with probability 1/2, and is uniform otherwise. The same seed and solution give the same positions on
    every machine.

    An answer is a line of JSON, {"id": "...", "move": "call"} or {"id": "...", "moves": {"call": "2/3", "2x6": "1/3"}}.
    A missing or illegal answer counts as the worst legal move. With GAME and --solution, the positions and losses of
    that game are computed again, and a forged key is an error.

    \b
    Examples:
      efg-builder exam kuhn -o positions.jsonl --answers
      efg-builder exam --score answers.jsonl --positions positions.jsonl -o report.csv
      efg-builder exam kuhn --score uniform --positions positions.jsonl
      efg-builder exam liars-dice sides=3 --at "2: 1x1"
    """
    from ..experiments.exam.options import ExamOptions

    asked = ExamOptions(words=words, **settings)
    check_outputs([] if asked.output is None else [asked.output], POSITIONS if asked.score is None else REPORTS)
    with Progress() as progress:
        of = _certified(asked, progress) if words else None
        if asked.score is not None and asked.positions is not None:
            _score(of, asked, asked.score, asked.positions)
        elif of is not None and asked.at is not None:
            _price(of, asked, asked.at)
        elif of is not None and asked.output is not None:
            _draw(of, asked, asked.output)


def _certified(asked: ExamOptions, progress: Progress) -> Certified:
    from ..experiments.exam.positions import certified
    from ..players.find import Table

    subject = source(asked.words).subject(asked.max_nodes)
    table = Table(subject, asked.timeout, progress)
    return certified(table, asked.solution, approximate=asked.at is not None)


def _draw(of: Certified, asked: ExamOptions, output: Path) -> None:
    from ..experiments.exam import files
    from ..experiments.exam.positions import IDLE, drawn, with_population

    positions = list(drawn(of, asked.count, asked.seed))
    positions = with_population(of, positions)
    if not positions:
        raise NotApplicableError(f"{of.board.title}: an exam needs a move with a loss, and no position has one")
    if ending(output, ".html"):
        from ..display.pages.exam import write_worksheet

        write_worksheet(output, positions, of.board)
    else:
        files.write_lines(output, map(files.question, positions))
    beside = ""
    if asked.answers:
        beside = f", key in {files.write_lines(files.key_path(output), map(files.answer, positions))}"
    fewer = f" (no more in {IDLE:,} rounds)" if len(positions) < asked.count else ""
    if positions[0].population is not None:
        fewer = " (all in which some move loses)"
    say(f"{output}: {plural(len(positions), 'position')}{fewer}, equilibrium {of.digest}{beside}")


def _score(of: Certified | None, asked: ExamOptions, named: str, exam: Path) -> None:
    from ..experiments.exam import files, score
    from ..experiments.exam.positions import rows_of
    from ..players.find import shown

    positions, others = files.read_positions(exam, of)
    answers: Mapping[str, Any]
    if named.endswith(".jsonl"):
        answers = files.read_answers(Path(named))
        answers = {name: given for name, given in answers.items() if name not in others}
    elif of is None:
        problem = f"--score {named} is not a file of answers (.jsonl), so it is a player or a strategy"
        raise ParameterError(f"{problem}; name the game too")
    else:
        answers = rows_of(of, positions, named)
    paths = [] if asked.output is None else [asked.output]
    scored = score(positions, answers, name=shown(named))
    if of is None:
        say("the losses are from the key; with the game and --solution, they are computed again")
    if others:
        say(f"{plural(len(others), 'position')} from other certificates are left out")
    answer(scored, asked.as_json, paths, lambda path: _write_score(scored, path))


def _write_score(found: Score, path: Path) -> Path:
    from ..base.files import csv_lines, write_atomically

    if ending(path, ".csv"):
        return write_atomically(path, csv_lines(found.table()))
    if ending(path, ".html"):
        from ..display.pages.exam import write_score

        return write_score(path, found)
    from ..display.plots.exam_plot import draw_losses

    return draw_losses(found.lines, path, f"Exam: {found.opponents[0][0]}" if len(found.opponents) == 1 else "Exam")


def _price(of: Certified, asked: ExamOptions, place: str) -> None:
    from ..experiments.exam import files
    from ..experiments.exam.positions import at, typed

    state = typed(of, place)
    try:
        position = at(of, state)
    except NotApplicableError as error:
        raise NotApplicableError(f"{error}{_card_instead(of, asked)}") from None
    others = len(of.board.players) - 1
    bound = {"bound": of.bound} if of.bound else {}

    def data() -> dict[str, Any]:
        whole = files.question(position) | files.answer(position) | bound
        return {key: part for key, part in whole.items() if key != "format"}  # the data are not a line of a file

    show(asked.as_json, data, lambda: _told(of, position, others))


def _card_instead(of: Certified, asked: ExamOptions) -> str:
    """Return the command of a card, which has an answer to bids that the opponent never makes; "" without a card."""
    from ..display.pages.card import has_card
    from ..players.kinds.equilibrium import NAME

    if not has_card(of.strategy.game):
        return ""
    plays = ["--strategy", NAME] if asked.solution is None else ["--solution", str(asked.solution)]
    draws = shlex.join([*asked.words, *plays])
    return f"; 'efg-builder draw {draws} --view card -o card.html' has an answer to each bid"


def _told(of: Certified, position: Position, others: int) -> Iterator[str]:
    from ..players.rounds import words

    knows, your, moves = position.words.rpartition("Your move: ")
    who = of.name if of.bound else words.EQUILIBRIUM
    if of.bound:
        yield f"Against {of.name}, which is not an exact equilibrium ({of.bound}):"
    yield knows
    yield f"{your}{moves}"
    gains = {move: position.value - loss for move, loss in position.losses.items()}
    yield from words.hint(gains, whole=True, opponents=others)
    if position.reach:
        yield words.advice(position.references["equilibrium"], strayed=False, who=who)
    else:
        yield f"{who} never reaches this position by its own moves."
