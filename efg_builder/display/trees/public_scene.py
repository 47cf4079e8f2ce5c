"""The picture of what the table sees: one node per public history, in it a table of hands by moves."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.errors import NotApplicableError, ParameterError
from ...forms.extensive import NONE, GameTree, constant_sum
from ...forms.public_tree import PublicTree, public_tree
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Profile
from .curves import branch
from .facts import full
from .head import head
from .options import DrawOptions, check_size, check_unplayed
from .public_facts import Turn, turns_of
from .public_layout import Place, PublicLayout, place_tables
from .public_legend import entries
from .public_table import HEAD, Table, items, manner_of, measured, move_name
from .scene import Item, Mark, Scene, Stroke, Text
from .style import INK, LABEL_SIZE, RADIUS, badges, fill, letter_on, shorten, text_width

_MARGIN = 22.0
_LEAST_WIDTH = 720.0
_THIN, _PLAIN, _GAIN = 1.0, 1.4, 3.4


def compose_public(
    tree: GameTree, profile: Profile | None, options: DrawOptions, sparse: SparseProfile | None = None
) -> Scene:
    """The scene of the public histories of *tree*, with *profile* on it.

    *sparse* are the strategies of which *tree* is what is played, where that is so.
    Raises ``NotApplicableError`` where the tree has no public tree, ``PictureTooLargeError``, and ``ParameterError``
    for what needs a profile and for what this picture does not show.
    """
    if profile is None:
        check_unplayed(options)
    if options.ranges is not None:
        raise ParameterError('ranges with view="public": a cell holds one number; leave one of the two out')
    public = public_tree(tree)
    if not public.infosets[0]:
        raise NotApplicableError(f'view="public": in {tree.title!r} nobody ever moves, so there is no table to draw')
    turns = turns_of(public, profile, options, sparse)
    check_size(sum(1 + len(turn.hands) for turn in turns), options, profile is not None)
    one = len(tree.players) == 2 and constant_sum(tree) is not None
    manner = manner_of(turns, tree.players, badges(tree.players), one, options.beliefs)
    folded = _folded(turns)
    tables = [measured(turn, manner, folded[k]) for k, turn in enumerate(turns)]
    labels = [text_width(_label(turns, turn), LABEL_SIZE) + 14.0 if k else 0.0 for k, turn in enumerate(turns)]
    layout = place_tables(tables, labels, _LEAST_WIDTH - 2 * _MARGIN)
    width = max(_LEAST_WIDTH, layout.width + 2 * _MARGIN)
    legend = entries(tables, public, len(layout.starts), any(folded))
    top, start = head(tree.title, tree.comment, options.caption, legend, width, _MARGIN)
    board = _Board(tables, folded, layout, _MARGIN, start - 8.0)
    drawn = (*top, *board.edges(), *board.again(), *board.nodes(), *board.labels())
    return Scene(width, start - 8.0 + layout.height + _MARGIN, tree.title, _description(public, turns, options), drawn)


def _folded(turns: list[Turn]) -> list[frozenset[int]]:
    """For each turn the columns whose moves lead to turns that are not shown."""
    shown: list[set[int]] = [set() for _ in turns]
    for turn in turns:
        if turn.above != NONE:
            shown[turn.above].add(turn.by)
    return [
        frozenset(column for column, move in enumerate(turn.moves) if not move.ends and column not in shown[k])
        for k, turn in enumerate(turns)
    ]


def _label(turns: list[Turn], turn: Turn) -> str:
    """The name of the move that leads there."""
    return move_name(turns[turn.above].moves[turn.by].name)


def _description(public: PublicTree, turns: list[Turn], options: DrawOptions) -> str:
    tree = public.tree
    inner = sum(1 for player in public.player.tolist() if player >= 0)
    parts = [
        f"What the table sees of a game of {', '.join(tree.players)}: {len(turns):,} of {inner:,} public histories, "
        "drawn from left to right, each with a table of the mover's hands by moves, shaded by probability."
    ]
    parts += filter(None, (options.caption, shorten(tree.comment, 300)))
    return " ".join(parts)


class _Board:
    """Turns tables and places into items, kind by kind, so that each kind lies above the one before."""

    def __init__(
        self, tables: list[Table], folded: list[frozenset[int]], layout: PublicLayout, left: float, top: float
    ) -> None:
        self.tables, self.folded, self.layout = tables, folded, layout
        self.left, self.top = left, top
        self.turns = [table.turn for table in tables]

    def tables_of(self, panel: int) -> list[int]:
        return [k for k in range(1, len(self.tables)) if self.layout.panel[k] == panel]

    def place(self, index: int, panel: int) -> Place:
        """Where a table is, as its children of that *panel* have it."""
        return self.layout.starts[panel] if index == 0 else self.layout.places[index]

    def width(self, index: int) -> float:
        """Of the edge that leads to a table."""
        turn = self.turns[index]
        likely = self.turns[turn.above].moves[turn.by].chance
        return _PLAIN if likely is None else _THIN + _GAIN * float(likely)

    def edges(self) -> Iterator[Stroke]:
        """For each table in each panel a stem and its branches."""
        for panel in range(len(self.layout.starts)):
            stems: dict[int, list[int]] = {}
            for index in self.tables_of(panel):
                stems.setdefault(self.turns[index].above, []).append(index)
            for above, below in stems.items():
                yield self._stem(above, panel, below)
                yield from (self._branch(above, panel, index) for index in below)

    def _stem(self, above: int, panel: int, below: list[int]) -> Stroke:
        place, table = self.place(above, panel), self.tables[above]
        # It begins under the table, whose right side may be anywhere.
        begins = place.x + (table.width - RADIUS if above or panel == 0 else 0.0)
        y, bend = self.top + place.y, place.bend + 0.5
        color, node = fill(table.turn.player), table.turn.history
        points = ((self.left + begins, y), (self.left + bend, y))
        return Stroke(points, color, max(map(self.width, below)), "stem", node, node)

    def _branch(self, above: int, panel: int, index: int) -> Stroke:
        start, place, turn = self.place(above, panel), self.layout.places[index], self.turns[index]
        y = self.top + place.y
        points = branch(
            (self.left + start.bend, self.top + start.y), (self.left + place.label, y), (self.left + place.x, y)
        )
        move = self.turns[above].moves[turn.by]
        tip = move.name + ("" if move.chance is None else f": probability {full(move.chance)}")
        source = self.turns[above].history
        color = fill(self.turns[above].player)
        return Stroke(points, color, self.width(index), "edge", turn.history, source, curved=True, tip=tip)

    def again(self) -> Iterator[Item]:
        """The start in the panels after the first."""
        player, letter = self.turns[0].player, self.tables[0].manner.badges[self.turns[0].player]
        for start in self.layout.starts[1:]:
            x, y = self.left + start.x, self.top + start.y
            yield Mark("circle", x, y, RADIUS, fill(player), "again")
            yield Text(x, y + 3.3, letter, 9.0, letter_on(player), "again", -1, "middle", True)

    def nodes(self) -> Iterator[Item]:
        """All tables with what is in them."""
        for index, (table, place) in enumerate(zip(self.tables, self.layout.places, strict=True)):
            yield from items(table, self.left + place.x, self.top + place.y - HEAD / 2, self.folded[index])

    def labels(self) -> Iterator[Text]:
        """The names of moves on the edges."""
        for index, place in enumerate(self.layout.places):
            if index:
                turn = self.turns[index]
                base = self.top + place.y - self.width(index) / 2 - 3.0
                yield Text(
                    self.left + place.label + 4.0,
                    base,
                    _label(self.turns, turn),
                    LABEL_SIZE,
                    INK,
                    "action",
                    turn.history,
                )
