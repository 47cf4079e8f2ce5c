"""What a notebook cell shows of each result: a picture or a plot where it is small enough, otherwise facts and tables.

First the strategy table (a row for each own hand, below the public history where it moves; a column for each move):
where a strategy moves, and no more of that than is shown. Then games, trees, solutions and verdicts; then what was
measured or worked out over all equilibria.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from itertools import groupby, islice
from math import prod
from typing import TYPE_CHECKING, Protocol

from ...base.rationals import Number, brief
from ...base.words import NOBODY_SURE, distinct, number, percent
from ...equilibria.bids import ahead
from ...forms.extensive import CHANCE, GameTree
from ...forms.public_tree import merge
from ...games.protocol import Game
from ...proof import values
from ...strategies.lines import HandPlay, PlayPlace, likeliest_places
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..markup import Cell, band, cell_row, cell_table, chance, facts, heading, note, shaded, worth, worths
from ..trees import caption_of, notebook_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...equilibria.qre import QuantalBranch
    from ...equilibria.ranges import ActionRange, Ranges
    from ...equilibria.solution import Solution
    from ...equilibria.strategic import MatrixReport
    from ...forms.normal_form import NormalForm
    from ...players.evaluate import Evaluation, Seating
    from ...proof import BestResponse, SequentialVerdict, Verdict
    from ...proof.certificate import Proof

# --- strategy tables

MOST_NODES = 20_000
"""Of profiles on larger trees only the start is shown: nothing is computed over the whole tree."""

MOST_DEALS = 10_000
"""At the start of a large tree, this many branches of chance are looked at."""


def shown_places(places: Sequence[PlayPlace], most: int) -> list[PlayPlace]:
    """Those that fit into *most* rows, the likeliest first to be kept, in their old order; a first one always."""
    total = sum(len(place.hands) for place in places)
    if total <= most:
        return list(places)
    order = sorted(range(len(places)), key=lambda n: (-(places[n].reach or 0), n))
    kept, room = set[int](), most
    for n in order:
        if places[n].reach == 0 and kept:
            break
        if len(places[n].hands) <= room or not kept:
            kept.add(n)
            room -= len(places[n].hands)
    return [place for n, place in enumerate(places) if n in kept]


def profile_places(profile: TreeProfile, reach: Sequence[Number] = ()) -> list[PlayPlace]:
    """The places of a profile in prefix order; of a large tree, those of the first move alone.

    *reach*: how likely each information set is, where that is known.
    """
    tree, known = profile.tree, None
    if len(tree) > MOST_NODES:
        nodes = islice(tree.children(0), MOST_DEALS) if tree.player[0] == CHANCE else [0]
        sets = list(dict.fromkeys(int(tree.infoset[node]) for node in nodes if tree.player[node] >= 0))
    else:
        sets = [k for k in tree.first_nodes if tree.infosets[k].player != CHANCE]
        known = reach if len(reach) == len(tree.infosets) else values(profile).reach
    groups: dict[tuple[int, str, tuple[str, ...]], list[int]] = {}
    for k in sets:
        infoset = tree.infosets[k]
        groups.setdefault((infoset.player, place_of(tree, k)[1], infoset.actions), []).append(k)

    def played(k: int) -> HandPlay:
        infoset = tree.infosets[k]
        behavior = dict(zip(distinct(infoset.actions), profile.probabilities[k], strict=True))
        return HandPlay(place_of(tree, k)[0], behavior, None if known is None else known[k] > 0)

    return [
        PlayPlace(
            player,
            history,
            None if known is None else sum((known[k] for k in members), start=Fraction(0)),
            tuple(map(played, sorted(members))),
        )
        for (player, history, _), members in groups.items()
    ]


def place_of(tree: GameTree, k: int) -> tuple[str, str]:
    """The hand and the public history in a set's name, ``"hand: history"``; of other names the whole and nothing."""
    hand, colon, history = tree.names[k].rpartition(": ")
    return (hand, history) if colon else (tree.names[k], "")


def sparse_places(profile: SparseProfile, most: int) -> list[PlayPlace]:
    """The places of strategies without a tree that play gets to, likeliest first, until *most* rows are full."""
    found: list[PlayPlace] = []
    rows = 0
    for place in likeliest_places(profile):
        if found and rows + len(place.hands) > most:
            break
        found.append(place)
        rows += len(place.hands)
    return found


MOST_ROWS = 40
"""Rows of a table, about; it says how many are left out."""

MOST_COLUMNS = 14
"""Of more moves those made most often have a column."""


def table_of(found: TreeProfile | SparseProfile, reach: Sequence[Number] = ()) -> str:
    """The table of strategies; without a tree, of the places that play is likeliest to get to.

    *reach*: how likely each information set of the tree is, where that is known.
    """
    if isinstance(found, TreeProfile):
        places = shown_places(profile_places(found, reach), MOST_ROWS)
        return strategy_table(found.tree.players, places, len(found.tree.personal))
    places = sparse_places(found, MOST_ROWS)
    shown = strategy_table(found.game.players, places, None) if places else note("too many hands to list")
    written = " + ".join(f"{size:,}" for size in found.sizes)
    return shown + note(f"{written} information sets are written down; everywhere else the default move is made.")


def strategy_table(players: Sequence[str], places: Sequence[PlayPlace], total: int | None) -> str:
    """What each hand does at *places*. ``total``: how many information sets there are in all (None: not known)."""
    if not places:
        return note("nobody has anything to decide")
    moves, left = _place_columns(places)
    rows = [row for place in places for row in _place_rows(players, place, moves)]
    shown = sum(min(len(place.hands), MOST_ROWS) for place in places)
    notes = ["a dot: never done; blank: not allowed there"]
    if any(hand.reached is False for place in places for hand in place.hands):
        notes.append("pale: where play never gets")
    if total is not None and shown < total:
        notes.append(f"{shown:,} of {total:,} information sets; {total - shown:,} are left out")
    elif total is None:
        notes.append("the places that play is likeliest to get to, of all")
    notes += [left] if left else []
    return cell_table(("hand", *moves), rows) + "".join(map(note, notes))


def _place_columns(places: Sequence[PlayPlace]) -> tuple[list[str], str]:
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


def _place_rows(players: Sequence[str], place: PlayPlace, moves: Sequence[str]) -> Iterator[str]:
    seldom = "" if place.reach is None or place.reach >= 1 else f" ({_reached(place.reach)})"
    yield band(f"{players[place.player]}{after(place.history)}{seldom}", 1 + len(moves))
    for hand in place.hands[:MOST_ROWS]:
        row = hand.behavior
        cells = [chance(row[move], place.player) if move in row else "" for move in moves]
        yield cell_row(hand.name, cells, faded=hand.reached is False)
    if len(place.hands) > MOST_ROWS:
        yield cell_row(f"and {len(place.hands) - MOST_ROWS:,} hands more", ())


def after(history: str) -> str:
    """Where a player moves, in words to stand behind the player's name."""
    return {"": "", "start": ", at the start"}.get(history, f", after {history}")


def _reached(reach: Number) -> str:
    return "never reached" if not reach else f"reached {percent(reach)}"


def strategy_html(found: TreeProfile | SparseProfile) -> str:
    """Strategies in a notebook."""
    title = found.tree.title if isinstance(found, TreeProfile) else found.game.title
    return heading(f"Strategies in {title}") + table_of(found)


# --- games, trees, solutions and verdicts


def game_html(game: Game) -> str:
    """The rules, and how large the tree would be: it is not built."""
    size = game.size()
    rows = [("rules", game.comment), ("players", ", ".join(game.players))]
    if size is not None:
        rows += [("nodes", f"{size.nodes:,}"), ("information sets", " + ".join(f"{n:,}" for n in size.infosets))]
    return facts(game.title, [*rows, *(("note", words) for words in game.notes)])


def drawn_svg(found: GameTree | Solution) -> str | None:
    """The picture of a tree or a solution, or None where it is too large for a cell or nothing was found."""
    return notebook_svg(found) if isinstance(found, GameTree) or found.strategy is not None else None


def drawn_html(found: GameTree | Solution) -> str | None:
    """The facts of a tree or a solution of which there is no picture."""
    if drawn_svg(found) is not None:
        return None
    return _tree_facts(found) if isinstance(found, GameTree) else _solution_facts(found)


def _tree_facts(tree: GameTree) -> str:
    """A tree that is too large for a picture."""
    counts, owners = tree.node_counts, [tree.infosets[k].player for k in tree.personal]
    sets = " + ".join(f"{owners.count(player):,}" for player in range(min(len(tree.players), 8)))
    nodes = f"{counts['nodes']:,}, {counts['terminal_nodes']:,} of them ends of play"
    rows = [("rules", tree.comment), ("players", ", ".join(tree.players[:8])), ("nodes", nodes)]
    rows += [("information sets", sets), ("picture", "too large for a cell; eb.draw(tree, path) folds it")]
    return facts(tree.title, rows)


def _solution_facts(solution: Solution) -> str:
    """A solution that is too large for a picture: what was proved, and what the strategies do."""
    verdict = solution.verdict
    judged = solution.status if verdict is None else caption_of(solution.players, verdict)
    if len(solution.players) > 2 and verdict is not None and verdict.equilibrium:
        judged += f"; {NOBODY_SURE}"
    rows = [("status" if verdict is None else "verified", judged), ("method", solution.method)]
    if solution.value is not None:
        lead = ahead(solution, solution.game)
        word = value_word(solution.value)
        rows.append((word, worths(solution.players, solution.value) + (f"; {lead}" if lead else "")))
    if not solution.exact:
        rows.append(("bounds", bounds_words(solution.lower, solution.upper)))
    bluffs = [f"{name} {percent(share)}" for name, share in _bluffs(solution).items()]
    rows += [("bids that are bluffs", ", ".join(bluffs)), ("message", solution.message)]
    reach = () if verdict is None else verdict.reach
    return facts(solution.title, rows) + ("" if solution.strategy is None else table_of(solution.strategy, reach))


def value_word(values: Sequence[Number]) -> str:
    """What to call what all get: a game of more than two players has no value."""
    return "value" if len(values) <= 2 else "payoffs"


def _bluffs(solution: Solution) -> Mapping[str, Number]:
    # Over everything that is written down: for large certificates that is more than a cell should take.
    large_tree = solution.tree is not None and len(solution.tree.personal) > 50_000
    large = large_tree or (isinstance(solution.strategy, SparseProfile) and sum(solution.strategy.sizes) > 5_000)
    return {} if large else solution.bluffs.shares


def bounds_words(lower: Number | None, upper: Number | None) -> str:
    """What player 1 is sure of, and what player 2 allows; empty where the players do not divide a constant sum."""
    if lower is None or upper is None:
        return ""
    if lower == upper:
        how = "proved" if isinstance(lower, Fraction) and isinstance(upper, Fraction) else "in floats"
        return f"{how}: the first player is sure of {worth(lower)}, the second allows no more"
    return f"the first player is sure of {worth(lower)}, the second allows {worth(upper)}"


def verdict_html(verdict: Verdict) -> str:
    """A verdict on a profile."""
    names = [f"player {n + 1}" for n in range(len(verdict.value))]
    rows = [
        (value_word(verdict.value), worths(names, verdict.value)),
        ("best responses", worths(names, verdict.best_responses)),
        ("regret", worth(verdict.regret)),
        ("bounds", bounds_words(verdict.lower, verdict.upper)),
        ("arithmetic", "exact, in fractions" if verdict.exact else "floats"),
        ("histories visited", " + ".join(f"{n:,}" for n in verdict.visited)),
    ]
    return facts("An equilibrium" if verdict.equilibrium else "Not an equilibrium", rows)


def sequential_html(verdict: SequentialVerdict) -> str:
    """A verdict at every information set."""
    title = "sequential equilibrium by the stated mistakes"
    rows = [
        ("game", verdict.profile.tree.title),
        ("information sets judged", f"{len(verdict.gains):,}"),
        ("greatest gain at one", worth(verdict.gain)),
        ("beliefs", f"at {len(verdict.beliefs):,} nodes"),
    ]
    return facts(f"{'A' if verdict.sequential else 'No'} {title}", rows)


def response_html(response: BestResponse) -> str:
    """A best response."""
    rows = [("value", worth(response.value)), ("actions chosen", f"at {len(response.actions):,} information sets")]
    return facts(f"A best response of player {response.player + 1}", rows)


def proof_html(proof: Proof) -> str:
    """What was proved from a solution's file."""
    rows = [
        ("claim", proof.status),
        (value_word(proof.value), worths(proof.players, proof.value)),
        ("bounds", bounds_words(proof.lower, proof.upper)),
        ("regret", worth(proof.regret)),
        ("checked", proof.checked),
        ("information sets written", " + ".join(f"{n:,}" for n in proof.written)),
        ("histories visited", " + ".join(f"{n:,}" for n in proof.visited or ())),
        ("nodes", "" if proof.nodes is None else f"{proof.nodes:,}"),
    ]
    return facts(f"{'Proved' if proof.exact else 'Checked'}: {proof.title}", rows)


def form_html(form: NormalForm) -> str:
    """A normal form: its size; the cells are not listed."""
    one, two = form.tree.players
    rows, columns = form.shape
    total = "vary" if form.total is None else f"sum to {worth(form.total)}"
    return facts(
        f"Normal form of {form.tree.title}",
        [
            ("plans", f"{rows:,} of {one} (rows), {columns:,} of {two} (columns)"),
            ("payoffs", total),
            ("more", "form.analyse() is a picture"),
        ],
    )


class Printer(Protocol):
    """IPython's pretty printer."""

    def text(self, obj: str) -> None:
        """Write."""


def pretty(found: object, printer: Printer, cycle: bool) -> None:
    """A line instead of a ``repr`` over all information sets: what it is, of which game, and the value."""
    holder = next((each for name in ("form", "profile") if (each := getattr(found, name, None)) is not None), found)
    tree, value = getattr(holder, "tree", None), getattr(found, "value", ())
    of = "" if tree is None else f" of {tree.title!r}"
    values = ", ".join(map(brief, value if isinstance(value, tuple) else (value,)))
    printer.text(f"<{type(found).__name__}{of}{': value ' if values else ''}{values}>")


# --- measurements and all equilibria

MOST_CELLS = 20_000
"""Larger matrices are described in words."""

MOST_COURSES = 20_000
"""Points times information sets of a branch that is drawn."""

DPI = 100
"""Of plots in a cell: about their size in pixels on most screens."""


def evaluation_html(found: Evaluation) -> str:
    """What a strategy gets, what best responses to it get, and how far it is from an equilibrium."""
    kind = "exact, in fractions" if found.exact else f"{found.arithmetic}, right to {found.error_bound:.2g}"
    rows = [("method", f"{found.method}, {kind}"), *(("warning", words) for words in found.warnings)]
    rows += [("regret", f"not given: {found.no_regret}")] if found.no_regret else []
    head = facts(found.title, rows)
    return head + "".join(_match(match, found.players) for match in found.matches)


def match_html(match: Seating) -> str:
    """One seating."""
    return _match(match, [f"player {n + 1}" for n in range(len(match.seats))])


def _match(match: Seating, players: tuple[str, ...] | list[str]) -> str:
    if match.nash_conv is None:  # a player does not have perfect recall
        rows = [cell_row(who, (seat, worth(v))) for who, seat, v in zip(players, match.seats, match.value, strict=True)]
        return cell_table(("player", "strategy", "gets"), rows)
    columns = zip(players, match.seats, match.value, match.best_response, match.gains, strict=True)
    rows = [cell_row(who, (seat, worth(v), worth(best), worth(gain))) for who, seat, v, best, gain in columns]
    head = ("player", "strategy", "gets", "a best response would get", "gain")
    half = match.exploitability
    words = f"NashConv {worth(match.nash_conv)}" + ("" if half is None else f"; exploitability {worth(half)}")
    return cell_table(head, rows) + note(words)


def ranges_html(found: Ranges) -> str:
    """From where to where each probability can go over all equilibria; what is forced, and what is free."""
    players = found.tree.players
    head = facts(
        f"All equilibria of {found.tree.title}",
        [
            ("value", worth(found.value)),
            *((name, _freedom(found, player)) for player, name in enumerate(players)),
            ("verified", f"{found.verified:,} equilibria, which attain every end"),
        ],
    )
    groups = [list(group) for _, group in groupby(found.actions, key=lambda action: action.infoset)]
    reached = [group for group in groups if any(action.conditional for action in group)]
    shown = _in_order(found, reached)[:MOST_ROWS]
    moves = merge(dict.fromkeys(found.tree.infosets[group[0].infoset].actions for group in shown))[:MOST_COLUMNS]
    rows = cell_table(("hand", *moves), _range_rows(found, shown, moves))
    left, never = len(groups) - len(shown), len(groups) - len(reached)
    notes = [f"{left - never:,} more information sets are left out"] if left > never else []
    notes += [f"{never:,} more, to which own play leads in no equilibrium"] if never else []
    return head + rows + "".join(map(note, notes))


def _in_order(found: Ranges, groups: list[list[ActionRange]]) -> list[list[ActionRange]]:
    """The sets' actions place by place, those of few moves first; of a large tree as they come."""
    tree = found.tree
    if len(tree) > MOST_NODES:
        return groups
    place = dict[tuple[int, str], tuple[int, int]]()
    names = [(tree.infosets[k].player, place_of(tree, k)[1]) for k in (group[0].infoset for group in groups)]
    for name, group in zip(names, groups, strict=True):
        node = tree.first_nodes.get(group[0].infoset, 0)
        place[name] = min(place.get(name, (int(tree.depth[node]), node)), (int(tree.depth[node]), node))
    order = sorted(range(len(groups)), key=lambda n: (place[names[n]], groups[n][0].infoset))
    return [groups[n] for n in order]


def _freedom(found: Ranges, player: int) -> str:
    plans = found.plans[player]
    if plans.unique:
        return "one strategy only"
    corners = "" if plans.vertices is None else f", a polytope with {len(plans.vertices):,} vertices"
    return f"free in {plans.dimension:,} dimension{'s' if plans.dimension > 1 else ''}{corners}"


def _range_rows(found: Ranges, shown: list[list[ActionRange]], moves: list[str]) -> Iterator[str]:
    before: tuple[int, str] | None = None
    for group in shown:
        infoset = found.tree.infosets[group[0].infoset]
        hand, history = place_of(found.tree, group[0].infoset)
        if (infoset.player, history) != before:
            before = (infoset.player, history)
            yield band(found.tree.players[infoset.player] + after(history), 1 + len(moves))
        cells = {infoset.actions[action.action]: _range_cell(action) for action in group}
        yield cell_row(hand, [cells.get(move, "") for move in moves])


def _range_cell(action: ActionRange) -> Cell:
    if action.conditional is None:
        return Cell("?", title="in no equilibrium does own play lead here")
    low, high = action.conditional
    if low == high:
        return chance(low, action.player)
    return shaded(f"{number(low)} to {number(high)}", float(low + high) / 2, action.player, "free")


def matrix_png(report: MatrixReport) -> bytes | None:
    """The map of a normal form, or None where it has too many cells."""
    if prod(report.form.shape) > MOST_CELLS:
        return None
    from ..plots.heatmap import heatmap

    return _png(lambda: heatmap(report))


def matrix_html(report: MatrixReport) -> str | None:
    """The same in words, where there is no picture."""
    if prod(report.form.shape) <= MOST_CELLS:
        return None
    rows, columns = report.form.shape
    pure = f"{len(report.equilibria):,} pairs of plans are best replies to each other"
    mixed = report.mixed
    value = report.message if mixed is None else _between(mixed.lower, mixed.upper)
    size = f"{rows:,} x {columns:,} plans"
    return facts(f"Normal form of {report.form.tree.title}", [("size", size), ("pure play", pure), ("value", value)])


def _between(lower: Number, upper: Number) -> str:
    return worth(lower) if lower == upper else f"from {worth(lower)} to {worth(upper)}"


def branch_png(branch: QuantalBranch) -> bytes | None:
    """The plot of a branch, or None where it has too many points or sets."""
    if not _plotted(branch):
        return None
    from ..plots.branch import branch_figure

    return _png(lambda: branch_figure(branch))


def branch_html(branch: QuantalBranch) -> str | None:
    """The same in words, where there is no plot."""
    if _plotted(branch):
        return None
    limit = "" if branch.limit is None else ", ".join(map(worth, branch.limit.value))
    last = f"{branch.points[-1].precision:,.4g}" if branch.points else ""
    rows = [("ended", branch.ended), ("message", branch.message), ("points", f"{len(branch.points):,}")]
    rows += [("last lambda", last), ("equilibrium at the end", limit)]
    return facts(f"Quantal responses in {branch.tree.title}", rows)


def _plotted(branch: QuantalBranch) -> bool:
    return bool(branch.points) and len(branch.points) * len(branch.tree.personal) <= MOST_COURSES


def _png(figure: Callable[[], Figure]) -> bytes:
    from ..plots.style import style

    out = BytesIO()
    with style():
        figure().savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return out.getvalue()
