"""``efg-builder solve``: an equilibrium, verified."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10
from pathlib import Path
from typing import Any

import click

from ..base.errors import ParameterError, TreeTooLargeError
from ..base.files import check_writable
from ..base.rationals import NEGLIGIBLE, brief, is_played
from ..base.words import NOBODY_GUARANTEED, NOBODY_SURE, equilibrium_within, figure, nobody_gains, plural, three_digits
from ..equilibria.bids import Bluffs, one_of_many
from ..equilibria.solution import SUFFIXES, Judged, Solution
from ..equilibria.solve import solve, without_tree
from ..forms.extensive import GameTree
from ..games.bidding import BiddingGame
from ..games.protocol import Game
from ..proof import Verdict
from ..solvers.protocol import AUTO, methods
from ..strategies.sparse_profile import SparseProfile
from ..strategies.support_tree import support_tree
from ..strategies.tree_profile import TreeProfile
from . import INTERRUPTED, NO_EQUILIBRIUM, TIME_LIMIT, echo, say
from .common import (
    STDOUT,
    Command,
    Progress,
    Source,
    advise,
    gap_option,
    json_option,
    key_values,
    listing_option,
    max_nodes_option,
    outputs_option,
    path_option,
    print_json,
    show_lines,
    solve_options,
    source,
    words_argument,
)

SHOWN_SETS = 40
"""Strategies are printed where the game has at most this many information sets."""

SHOWN_NODES = 5_000
"""Larger support trees have more than those sets."""

SHOWN_EQUILIBRIA = 20

HOPELESS = 10**14
"""Nodes; games above this have ended as brackets so far (docs/oracle.md)."""

SHOWN_BIDS, SHOWN_SHARE = 24, 0.0001
"""At most this many first bids are listed, from this probability on."""

ONE_OF_MANY = "equilibria are seldom unique: 'ranges' shows what all share, 'solve --refine' one good after mistakes"
"""Said of an equilibrium that may look odd where nothing hangs on it, such as calling with a 2 and folding a 3."""


def _list_methods(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    for solver in methods().values():
        click.echo(f"{click.style(solver.name, bold=True)}  {solver.summary}\n    {solver.source}")
        for option, about in solver.options.items():
            echo(f"      --option {option}=...  {about}")
    ctx.exit()


@click.command("solve", cls=Command, old={"--methods": "--list-methods"})
@words_argument
@solve_options
@click.option(
    "--all", "every", is_flag=True, help="All extreme equilibria of a small game of two players: --method extreme."
)
@gap_option
@path_option("--checkpoint", said="Keep the state of oracle or many in this file (.npz).")
@path_option("--resume", said="Go on from such a file, and keep it up to date.")
@outputs_option(
    "Write the solution as JSON (.json, .json.gz), for 'draw' and 'verify', or as a table (.csv); - writes the JSON "
    "to standard output.",
    stdout=True,
)
@json_option
@max_nodes_option
@listing_option("--list-methods", _list_methods, "List the methods and their settings, and do nothing else.")
def command(
    words: tuple[str, ...],
    gap: Fraction | None,
    outputs: tuple[Path, ...],
    as_json: bool,
    max_nodes: int,
    every: bool,
    **settings: Any,
) -> int:
    """Find an equilibrium and verify it by best responses over the whole game.

    Games of bidding too large for a tree are solved without one (--method oracle). In Python, solution.to_gambit()
    hands an equilibrium on to pygambit, and efg_builder.interop.open_spiel games and equilibria to OpenSpiel.

    Exit code 0: a verified equilibrium, or the asked-for gap; 3: none (a bracket only, as cfr gives without --gap or
    --tolerance); 4: time limit, 130: interrupted (what was found by then is given, verified like any other).

    \b
    Examples:
      efg-builder solve liars-dice sides=3
      efg-builder solve liars-dice sides=6 dice=2,1 -o solution.json
    """
    for path in outputs:
        check_writable(path)
        if path != STDOUT and not path.name.lower().endswith(SUFFIXES):
            raise ParameterError(f"{path}: a solution is written as {', '.join(SUFFIXES)}")
    if every:
        if settings["method"] not in (AUTO, "extreme"):
            raise ParameterError(f"--all is --method extreme, so it does not go with --method {settings['method']}")
        settings["method"] = "extreme"
    with Progress() as progress:
        solution = solve_with(source(words), max_nodes, progress, gap=gap, **settings)
    if solution.strategy is None and solution.lower is None:
        for path in outputs:
            if path != STDOUT:
                say(f"{path} is not written: neither a strategy nor a bound was found")
        outputs = tuple(path for path in outputs if path == STDOUT)
    for path in outputs:
        # Before anything is printed: a reader of a pipe may be gone by then.
        solution.write(path)
    if STDOUT in outputs:
        return exit_code(solution, gap)
    if as_json:
        print_json(solution.to_json())
        return exit_code(solution, gap)
    show_lines(describe(solution))
    for path in outputs:
        echo(f"solution      {path}")
    return exit_code(solution, gap)


def solve_with(
    given: Source,
    max_nodes: int,
    progress: Progress,
    *,
    method: str,
    timeout: Fraction | None,
    tolerance: Fraction | None,
    options: tuple[str, ...],
    gap: Fraction | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
    refine: bool | None = None,
) -> Solution:
    """``equilibria.solve.solve`` with the command line's settings; *options* reach the method that ``auto`` takes."""
    settings = key_values(options, "--option")
    subject = given.subject(max_nodes)
    if timeout is None and not gap and (warning := hopeless(subject, method)):
        say(warning)
    try:
        return solve(
            subject,
            method,
            timeout=timeout,
            tolerance=tolerance,
            options=settings,
            gap=gap,
            progress=progress,
            checkpoint=checkpoint,
            resume=resume,
            max_nodes=max_nodes,
            refine=refine,
        )
    except TreeTooLargeError as error:
        advise(error, given.game)
        raise


def hopeless(subject: Game | GameTree, method: str) -> str:
    """What to know before a search that will hardly end; empty where it should."""
    size = subject.size() if isinstance(subject, Game) else None
    if size is None or size.nodes <= HOPELESS or without_tree(subject, method) is None:
        return ""
    nodes = f"10^{floor(log10(size.nodes))}"
    return (
        f"{nodes} nodes: so large a game has not been solved exactly here. Ctrl-C gives the best strategies found by "
        "then, and their bound; so do --timeout SECONDS and --gap NUMBER"
    )


def describe(solution: Solution) -> list[str]:
    """The solution in a few lines, strategies included where they are few."""
    lines = [solution.title, f"method        {solution.method}", f"status        {solution.status}"]
    if solution.message:
        lines.append(f"              {solution.message}")
    settled = solution.lower is not None and solution.lower == solution.upper
    if solution.lower is not None and solution.upper is not None and not settled:
        width = float(Fraction(solution.upper) - Fraction(solution.lower))
        lines.append(f"bracket       {figure(solution.lower)} to {figure(solution.upper)} (gap {width:.3g})")
        if solution.regret is not None:
            lines.append(f"proved        {nobody_gains(solution.regret)}")
    elif solution.lower is None and solution.regret:
        lines.append(f"proved        {nobody_gains(solution.regret)}")
    if solution.near is not None:
        radius, why = solution.near.radius, f"not proved    that a true equilibrium is near: {solution.near.reason}"
        lines.append(why if radius is None else f"              {equilibrium_within(radius)}")
    if solution.value is not None:
        word = "value" if settled else "payoff"
        for player, value in zip(solution.players, solution.value, strict=True):
            lines.append(f"{word:<14}{player}: {figure(value)}")
    if solution.regret is not None:
        proof = (
            " (exact: two best responses over the whole game agree on the value)" if settled and solution.exact else ""
        )
        lines.append(f"regret        {figure(solution.regret)}{proof}")
    if len(solution.players) > 2 and solution.value is not None:
        lines.append(f"              {NOBODY_SURE if solution.solved else NOBODY_GUARANTEED}")
    if solution.refined is not None:
        sets = plural(len(solution.refined.gains), "information set")
        lines.append(f"refined       no action is better at any of {sets}, also after mistakes (beliefs: --json)")
    if solution.profile is not None and len(solution.profile.tree.personal) <= SHOWN_SETS:
        lines += [
            "strategy      (where play reaches)",
            *(f"  {line}" for line in strategy(solution.profile, solution.verdict)),
        ]
    if solution.sparse is not None:
        lines += _sparse(solution, solution.sparse)
    lines += bluff_lines(solution.bluffs)
    if solution.several:
        good = sum(1 for j in solution.judged if j.verdict and j.verdict.equilibrium)
        lines.append(f"found         {plural(len(solution.judged), 'profile')}, {good} verified as equilibria")
        lines += _each(solution.judged)
    if one_of_many(solution):
        lines.append(f"others        {ONE_OF_MANY}")
    return [*lines, f"seconds       {solution.seconds:.2f}"]


def _sparse(solution: Solution, profile: SparseProfile) -> list[str]:
    """How much is written of how much there is, the work it took, and the strategies where they are few."""
    size, lines = profile.game.size(), []
    written = " + ".join(f"{count:,}" for count in profile.sizes)
    work = [f"{written} of {plural(sum(size.infosets), 'information set')}"]
    rounds, sequences = (solution.details.get(key) for key in ("rounds", "sequences"))
    if isinstance(rounds, int) and isinstance(sequences, Sequence):
        work.append(f"{plural(rounds, 'round')}, {' + '.join(f'{count:,}' for count in sequences)} sequences")
    lines.append(f"support       {'; '.join(work)}")
    try:
        tree = support_tree(profile, max_nodes=SHOWN_NODES)
    except TreeTooLargeError:
        return lines
    if len(tree.personal) <= SHOWN_SETS:
        rest = f"; anywhere else: {profile.game.call}" if isinstance(profile.game, BiddingGame) else ""
        lines.append(f"strategy      (where play reaches{rest})")
        lines += _indented(profile.on(tree), None)
    return lines


def bluff_lines(bluffs: Bluffs) -> list[str]:
    """The share of bluffs in all bids, and in each opening bid; nothing where bids claim nothing."""
    shares, bids = bluffs.shares, bluffs.bids
    words = ", ".join(f"{name} {three_digits(share)}" for name, share in shares.items())
    lines = [f"bluffs        of all bids, those that no own die bears out: {words}"] if shares else []
    if not bids:
        return lines
    width = max(3, *(len(bid.bid) for bid in bids)) + 2
    lines.append(f"opening       {'bid':<{width}}{'made':<8}bluff   ({bids[0].player}'s first bid, all hands together)")
    shown = [bid for bid in bids if bid.made >= SHOWN_SHARE][:SHOWN_BIDS]
    lines += [f"{'':<14}{bid.bid:<{width}}{three_digits(bid.made):<8}{three_digits(bid.bluff)}" for bid in shown]
    more = len(bids) - len(shown)
    return [*lines, f"{'':<14}and {plural(more, 'more bid')}: --json lists all"] if more > 0 else lines


def _indented(profile: TreeProfile, verdict: Verdict | None) -> list[str]:
    return [f"  {line}" for line in strategy(profile, verdict)]


def strategy(profile: TreeProfile, verdict: Verdict | None) -> list[str]:
    """The strategies at each information set that play reaches: ``Player 1  1: start  2x1 1/3, 2x2 2/3``."""
    tree, rows = profile.tree, []
    for k in tree.personal:
        if verdict is not None and not verdict.reach[k]:
            continue
        infoset = tree.infosets[k]
        actions = zip(infoset.actions, profile.probabilities[k], strict=True)
        played = ", ".join(
            action if p > 1 - NEGLIGIBLE else f"{action} {brief(p)}" for action, p in actions if is_played(p)
        )
        rows.append((tree.players[infoset.player], tree.names[k], played))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
    return [f"{name:<{widths[0]}}  {label:<{widths[1]}}  {played}" for name, label, played in rows]


def _each(judged: tuple[Judged, ...]) -> list[str]:
    lines = []
    for index, one in enumerate(judged[:SHOWN_EQUILIBRIA], start=1):
        if one.verdict is not None:
            payoffs = ", ".join(brief(value) for value in one.verdict.value)
            lines.append(f"  {index:>3}  payoffs {payoffs}; regret {brief(one.verdict.regret)}")
            # The first one stands above.
            if index > 1 and isinstance(one.strategy, TreeProfile) and len(one.strategy.tree.personal) <= SHOWN_SETS:
                lines += [f"         {line}" for line in strategy(one.strategy, one.verdict)]
    if len(judged) > SHOWN_EQUILIBRIA:
        lines.append(f"  and {len(judged) - SHOWN_EQUILIBRIA:,} more: --json lists all")
    return lines


def exit_code(solution: Solution, gap: Fraction | None = None) -> int:
    """The command line's verdict."""
    if solution.solved or (gap is not None and solution.regret is not None and solution.regret <= gap):
        return 0
    lower, upper = solution.lower, solution.upper
    if gap is not None and lower is not None and upper is not None and Fraction(upper) - Fraction(lower) <= gap:
        return 0
    return {"timeout": TIME_LIMIT, "interrupted": INTERRUPTED}.get(solution.status, NO_EQUILIBRIUM)
