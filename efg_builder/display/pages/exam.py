"""Pages of an exam: a worksheet with a separate key, and the score of the answers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ...base.files import write_atomically
from ...experiments.exam import Position, Score
from ...experiments.exam.scores import by_group
from ...forms.hand_names import displayed
from ...players.rounds import Board
from ..markup import render
from .page import Part, check_page, page


def write_worksheet(path: str | os.PathLike[str], positions: Sequence[Position], board: Board) -> Path:
    """Write *positions* in the game of *board* as a page. Raises the errors of ``check_page``."""
    check_page(path, "a worksheet")
    label = displayed(board.game)
    rows = [(each, board.players[each.player], label(each.player, each.hand), _by_loss(each)) for each in positions]
    body = render("worksheet.html", first=positions[0], rows=rows)
    return write_atomically(path, [page(f"Exam: {positions[0].game}", Part(body, styles=("worksheet.css",))).encode()])


def write_score(path: str | os.PathLike[str], score: Score) -> Path:
    """Write *score* as a page. Raises the errors of ``check_page``."""
    check_page(path, "a score")
    body = render("score.html", score=score, groups=by_group(score.lines))
    return write_atomically(path, [page(f"Exam: {score.lines[0].name}", Part(body, styles=("report.css",))).encode()])


def _by_loss(position: Position) -> dict[str, list[str]]:
    """Return the moves by their loss, rounded to two decimals, with the best moves first."""
    found: dict[str, list[str]] = {}
    for move, loss in sorted(position.losses.items(), key=lambda pair: pair[1]):
        shown = "best" if not loss else f"{float(loss):.2f}" if float(loss) >= 0.005 else "under 0.01"
        found.setdefault(shown, []).append(move)
    return found
