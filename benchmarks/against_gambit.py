"""Compare the speed of this package and pygambit: ``python benchmarks/against_gambit.py``.

The packages run each task in turn. The first table shows their median seconds, and the ratio of pygambit's seconds to
ours. The second table compares the double oracle with direct methods; all solutions are exact, and times include
verification. ``--large`` adds the tree of 2,097,137 nodes (minutes, about 10 GiB) and Gambit's linear program for three
sides (two minutes). ``--quick`` runs one round of the smallest trees.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import pygambit
from pygambit import H

import efg_builder as eb
import frame
from efg_builder.display.trees import to_svg
from efg_builder.games.liars_dice import LiarsDice

Row = tuple[str, float, float]
"""The task, our median seconds, and pygambit's median seconds."""


def side_by_side(name: str, ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> Row:
    """Run two functions in turn, and return their median seconds."""
    medians = frame.in_turn({"ours": ours, "theirs": theirs}, rounds)
    row = (name, medians["ours"], medians["theirs"])
    print(f"{name:<62}{row[1]:>10.4f} s {row[2]:>10.4f} s {row[2] / row[1]:>9.1f} x", flush=True)
    return row


def built_by_pygambit(game: LiarsDice) -> pygambit.ExtensiveGame:
    """Build the game by pygambit's functions, with one call per public history."""
    tree = pygambit.ExtensiveGame(list(game.players), title=game.title)
    deals = {
        game.deal_name(d): pygambit.Rational(d.probability.numerator, d.probability.denominator) for d in game.deals
    }
    tree.append_event(H.path(), deals)
    names = [f"{q}x{f}" for q, f in game.bids]
    histories: list[tuple[str, ...]] = [()]
    while histories:
        history = histories.pop()
        player = len(history) % 2
        higher = names[names.index(history[-1]) + 1 :] if history else names
        where = H.path(..., *history).by(lambda view, player=player: view.actions[0].split(" vs ")[player])
        tree.append_move(where, game.players[player], [*higher, "call"] if history else higher)
        histories += [(*history, name) for name in higher]

    def first_wins(view: pygambit.HistoryView) -> bool:
        *moves, _ = view.actions[1:]
        hands = tuple((int(hand),) for hand in view.actions[0].split(" vs "))
        quantity, face = map(int, moves[-1].split("x"))
        return (sum(game.matches(hand, face) for hand in hands) >= quantity) == (len(moves) % 2 == 1)

    tree.make_outcome(H.path().plays.filter(first_wins), dict(zip(game.players, (1, -1), strict=True)), "Player 1 wins")
    tree.make_outcome(
        H.path().plays.filter(lambda view: not first_wins(view)),
        dict(zip(game.players, (-1, 1), strict=True)),
        "Player 2 wins",
    )
    return tree


def compare(sides: int, rounds: int, *, build: bool, draw: bool) -> list[Row]:
    """Compare the times to build, write, read and draw one tree."""
    game = eb.game("liars-dice", sides=sides)
    assert isinstance(game, LiarsDice)
    tree = eb.build(game)
    text = tree.to_efg()
    theirs = pygambit.read_efg(io.StringIO(text))
    size = f"{len(tree):,} nodes"
    rows = []
    if build:
        rows.append(side_by_side(f"build, {size}", lambda: eb.build(game), lambda: built_by_pygambit(game), rounds))
    rows.append(side_by_side(f"write .efg, {size}", lambda: tree.to_efg(), theirs.to_efg, rounds))
    rows.append(
        side_by_side(
            f"read .efg, {size}", lambda: eb.parse_efg(text), lambda: pygambit.read_efg(io.StringIO(text)), rounds
        )
    )
    if draw:
        rows.append(
            side_by_side(
                f"draw (ours: layout and SVG; theirs: layout alone), {size}",
                lambda: to_svg(tree),
                lambda: pygambit.layout_tree(theirs),
                rounds,
            )
        )
    return rows


def compare_solvers(name: str, settings: dict[str, object], rounds: int) -> Row:
    """Compare our verified exact solution with Gambit's exact linear program."""
    tree = eb.build(eb.game(name, **settings))
    theirs = pygambit.read_efg(io.StringIO(tree.to_efg()))
    return side_by_side(
        f"solve exactly, {len(tree):,} nodes (theirs: lp_solve in rationals)",
        lambda: eb.solve(tree, "lp"),
        lambda: pygambit.nash.lp_solve(theirs),
        rounds,
    )


def large() -> Row:
    """Compare our times to build and write 2,097,137 nodes with pygambit's time to write them."""
    game = eb.game("liars-dice", sides=4, max_quantity="sides")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.efg"
        eb.build(game).write(path)
        print(f"(reading {path.stat().st_size / 1e6:.0f} MB into pygambit)", flush=True)
        theirs = pygambit.read_efg(str(path))
        assert len(theirs.get_histories(H.path())) == 1
        return side_by_side(
            "build and write 2,097,137 nodes (theirs: write alone)",
            lambda: eb.build(game).write(path),
            lambda: Path(folder, "theirs.efg").write_text(theirs.to_efg()),
            3,
        )


def compare_methods(sides: int, methods: list[str], rounds: int) -> dict[str, float]:
    """Compare the median seconds of exact methods on the game with one die each."""
    game = eb.game("liars-dice", sides=sides)
    tree = eb.build(game)
    found: dict[str, eb.Solution] = {}

    def solve(method: str) -> None:
        found[method] = eb.solve(game if method.endswith("oracle") else tree, method)
        assert found[method].exact, found[method].message

    medians = frame.in_turn({method: lambda method=method: solve(method) for method in methods}, rounds)  # type: ignore[misc]
    (value,) = {solution.value[0] for solution in found.values() if solution.verdict is not None}
    print(f"\n{tree.title}: {len(tree):,} nodes, value {value}")
    for method, seconds in medians.items():
        ratio = seconds / min(medians.values())
        print(f"{method:<16}{seconds:>10.3f} s{ratio:>10.1f} x   {found[method].message}", flush=True)
    return medians


def main(arguments: list[str] | None = None) -> tuple[list[Row], list[dict[str, float]]]:
    """Print the tables and return their rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args(arguments)
    rounds = 1 if chosen.quick else 5
    print(f"{'':<62}{'ours':>12} {'pygambit':>12} {'ratio':>11}")
    rows = compare(2, rounds, build=True, draw=True)
    rows.append(compare_solvers("liars-dice", {"sides": 2}, rounds))
    if not chosen.quick:
        rows += compare(3, rounds, build=True, draw=True)
        rows += compare(4, rounds, build=False, draw=False)
        rows += compare(5, 3, build=False, draw=False)
        rows.append(compare_solvers("dice-poker", {}, rounds))
        rows.append(compare_solvers("liars-dice", {"sides": 3}, 1))
    if chosen.large:
        rows.append(large())
    oracles = ["gambit-oracle", "oracle", "lp"]
    methods = [compare_methods(2, ["gambit-lp", *oracles], rounds)]
    if not chosen.quick:
        methods += [compare_methods(3, oracles, 5), compare_methods(6, oracles, 3)]
    if chosen.large:
        methods.append(compare_methods(3, ["gambit-lp", *oracles], 1))
    return rows, methods


if __name__ == "__main__":
    main()
