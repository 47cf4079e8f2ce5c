"""The public exam: ``python benchmarks/public_exam.py`` makes ``docs/exam/`` and the table of ``docs/exam.md``.

The seed and the certificates determine the exam's 200 positions, from five games. Every player that can play a game
takes the exam in this game (two core-minutes in total, mostly for CFR).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import efg_builder as eb
import frame
from efg_builder.base.errors import EfgBuilderError
from efg_builder.display.plots.exam_plot import draw_losses
from efg_builder.experiments.exam import Position, files
from efg_builder.experiments.exam.positions import Certified, certified, drawn, named, rows_of
from efg_builder.experiments.exam.scores import Line
from efg_builder.games.protocol import Chance, Deal, Decision, End
from efg_builder.interop.trees import as_subject
from efg_builder.players.find import Table
from efg_builder.players.rounds.boards import OnTree, decision

FOLDER = "docs/exam"
SEED = 1
JOKER = "wild=1 wild_biddable=false"
GAMES = {
    "dice poker": ("dice-poker", "outputs/dice-poker.json", 8),
    "one die each, 3 sides": ("liars-dice sides=3", "docs/certificates/1v1-3.json.gz", 13),
    "one die each, 6 sides": ("liars-dice sides=6", "docs/certificates/1v1-6.json.gz", 60),
    "two dice each, joker": (f"liars-dice sides=6 dice=2,2 {JOKER}", "docs/certificates/2v2-6-joker.json.gz", 59),
    "Leduc": ("leduc", f"{FOLDER}/leduc.json.gz", 60),
}
"""The command-line arguments of each game, its certificate, and its number of positions, by name in the table."""

BESIDE = {
    "one die each, joker*": (f"liars-dice sides=6 {JOKER}", "docs/certificates/1v1-6-joker.json.gz", 60),
}
"""A game outside the public exam that the trained net plays."""

PLAYERS: dict[str, Any] = {
    "net": lambda game: f"neural:{frame.ROOT / 'docs' / 'neural' / '1v1.npz'}",
    "CFR, 10 iterations": lambda game: eb.solve(game, "cfr", options={"iterations": 10}).strategy,
    **{name: lambda game, name=name: name for name in ("threshold", "zero-intelligence", "uniform")},
}


def opened(root: Path = frame.ROOT) -> dict[str, Certified]:
    return {
        name: certified(Table(as_subject("exam", words)), str(root / solution))
        for name, (words, solution, _) in (GAMES | BESIDE).items()
    }


def made(games: Mapping[str, Certified]) -> dict[str, list[Position]]:
    return {name: list(drawn(of, (GAMES | BESIDE)[name][2], SEED)) for name, of in games.items()}


def scored(games: Mapping[str, Certified], exam: Mapping[str, list[Position]]) -> Iterator[Line]:
    """Yield a line for the equilibrium and for each player that can play the game, by game."""
    for name, of in games.items():
        lines = eb.score(exam[name], {}).lines
        yield from (replace(line, group=name) for line in lines if line.name == "equilibrium")
        for player, make in PLAYERS.items():
            try:
                rows = rows_of(of, exam[name], make((GAMES | BESIDE)[name][0]))
            except EfgBuilderError as error:
                frame.tell(f"{name}: {player}: {error}")
                continue
            yield replace(eb.score(exam[name], rows, name=player).lines[0], group=name)


def unanswered(of: Certified, position: Position) -> int:
    """Count the losing moves that leave the equilibrium path for every hand of the mover."""
    state = named(of, position.player, position.infoset)
    return sum(not any(reached(of, then) for then in after(of, state, move)) for move in position.kinds)


def after(of: Certified, state: Any, move: str) -> Iterator[Any]:
    """Yield the states after *move* in the information set of *state*."""
    board = of.board
    if isinstance(board, OnTree):
        infosets = board.tree.infoset
        states: list[Any] = np.flatnonzero(infosets == infosets[state]).tolist()
    else:
        deal, public = state
        mover = decision(board.game, public).player
        hands = [[deal.hands[p]] if p == mover else range(len(own)) for p, own in enumerate(board.game.hands)]
        states = [(Deal(Fraction(1), each), public) for each in product(*hands)]
    for each in states:
        turn = board.turn(each)
        assert isinstance(turn, Decision)
        yield dict(turn.actions)[move]


def reached(of: Certified, state: Any) -> bool:
    """Return whether *state* is terminal or the equilibrium reaches it."""
    turn = of.board.turn(state)
    if isinstance(turn, Chance):
        return any(reached(of, then) for _, _, then in turn.branches)
    return isinstance(turn, End) or bool(of.board.reach(state))


def table(lines: list[Line]) -> list[str]:
    """Return the mean loss of each player in each game, unweighted and weighted by reach."""
    by = {(line.name, line.group): line for line in lines}

    def cell(line: Line | None) -> str:
        if line is None or line.by_reach is None:
            return "–"
        return " / ".join(shown(mean.mean) for mean in (line.loss, line.by_reach))

    rows = [[game, *(cell(by.get((player, game))) for player in PLAYERS)] for game in GAMES | BESIDE]
    return frame.table(["game", *(f"`{player}`" for player in PLAYERS)], rows)


def shown(mean: Fraction) -> str:
    """Return *mean* with three decimals; only an exact zero is "0"."""
    return "0" if not mean else "<0.001" if mean < Fraction(1, 2000) else f"{float(mean):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", action="store_true", help="write only the positions and their key")
    only_positions = parser.parse_args().positions
    games = opened()
    exam = made(games)
    positions = [position for name in GAMES for position in exam[name]]
    path = frame.ROOT / FOLDER / "positions.jsonl"
    files.write_lines(path, map(files.question, positions))
    files.write_lines(files.key_path(path), map(files.answer, positions))
    if only_positions:
        return
    lines = list(scored(games, exam))
    losing = [len(position.kinds) for position in positions]
    off = [unanswered(games[name], position) for name in GAMES for position in exam[name]]
    said = f"The equilibrium never makes {sum(off):,} of the {sum(losing):,} losing moves in the public exam "
    said += f"(at {sum(map(bool, off))} of the 200 positions)."
    frame.fill("exam", {"players": table(lines), "unanswered": [said]})
    draw_losses(lines, frame.ROOT / FOLDER / "players.svg", "The public exam: 200 decisions in five games")


if __name__ == "__main__":
    main()
