"""Sections on the picture, the opening, bluffs and calls, later moves, the probable course of play, and the viewer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from markupsafe import Markup

from ...base.errors import TreeTooLargeError
from ...base.rationals import Number
from ...equilibria.bids import played_by
from ...forms.extensive import CHANCE, build
from ...forms.hand_names import displayed
from ...games.protocol import DealtGame, PublicDecision, PublicEnd, State
from ...proof.reach import PlayStep, likeliest
from ..pages.viewer import Shown, fits_explore, viewer_part
from ..trees.choose import Room, Views, choose
from ..trees.options import VIEWS, DrawOptions, Style
from ..trees.subject import subject_of
from ..trees.svg import write_svg_for_page
from .about import About, Section

# --- bluffs in games without claims

MOST_STEPS = 100_000
"""The maximum number of deals times terminal histories in the search for bluffs."""


def bets(about: About) -> list[dict[str, Any]]:
    """Return each bluffing bet in the strategies; [] for bidding games, in which bids can be bluffs."""
    game, strategies = about.dealt, about.strategies
    if game is None or strategies is None or about.bidding is not None or len(game.players) != 2:
        return []
    if game.deal_count * game.public_size().ends > MOST_STEPS:
        return []
    played = played_by(strategies, game)
    return [
        {
            "who": game.players[turn.player],
            "other": game.players[1 - turn.player],
            "hand": name,
            "move": move,
            "p": p,
            "answers": [(answer,) for answer in gains],
        }
        for turn in game.turns()
        for hand, name in enumerate(game.hand_names[turn.player])
        for move, p in played(turn, hand).items()
        if (gains := only_unshown(game, turn, hand, move))
    ]


def only_unshown(game: DealtGame, turn: PublicDecision, hand: int, move: str) -> tuple[str, ...]:
    """Return the final moves by which *hand* (an index) gains without a showdown after *move* at *turn*.

    Return () if the hand can also gain at a showdown, or cannot gain at all.
    """
    gains = []
    for last, end in _ends_after(game, dict(turn.actions)[move], move):
        every = {game.settle(end.key, deal).payoffs[turn.player] for deal in game.deals}
        mine = {game.settle(end.key, d).payoffs[turn.player] for d in game.deals if d.hands[turn.player] == hand}
        if len(every) > 1 and max(mine) > 0:
            return ()
        if len(every) == 1 and max(mine) > 0:
            gains.append(last)
    # A move that itself ends play is not a bet.
    return tuple(dict.fromkeys(gains)) if move not in gains else ()


def _ends_after(game: DealtGame, state: State, move: str) -> Iterator[tuple[str, PublicEnd]]:
    turn = game.public_turn(state)
    if isinstance(turn, PublicEnd):
        return iter([(move, turn)])
    return chain.from_iterable(_ends_after(game, then, last) for last, then in turn.actions)


# --- bids


def bids_section(about: About) -> Section | None:
    """Return tables of each player's bids; None if bids are not claims."""
    game, bids = about.bidding, about.bids
    if game is None or not bids:
        return None
    # The page explains bluffs by an example from this game: a bid on two dice.
    two = next((bid for bid in game.bid_names if bid.startswith("2x")), "")
    tables = [
        (about.solution.players[player], rows)
        for player in dict.fromkeys(row.player for row in bids)
        if (rows := [row for row in bids if row.player == player])
    ]
    most = max(bids, key=lambda row: row.made)
    return about.section("bids", "Frequency of each bid, and of bluffs", two=two, most=most, tables=tables)


# --- the most probable course of play

MOST_HANDS = 8
"""The maximum number of named hands in a step."""


def course_section(about: About) -> Section | None:
    """Return the most probable course of play; None if no player moves or the course is too long."""
    played = about.played
    if played is None:
        return None
    course = likeliest(played.profile, played.reach, dealt=played.public)
    if course is None or not any(step.player != CHANCE for step in course.steps):
        return None
    what = "round" if about.game is not None else "course"
    chance = any(infoset.player == CHANCE for infoset in played.tree.infosets)
    return about.section(
        "course",
        f"The most common {what}",
        what=what,
        course=course,
        steps=[(step, _hands_behind(about, step)) for step in course.steps],
        most=MOST_HANDS,
        averaged=course.public and chance,
        paid=list(zip(about.solution.players, course.payoffs, strict=True)),
    )


def _hands_behind(about: About, step: PlayStep) -> list[tuple[str, Number]]:
    if about.dealt is None or len(step.holdings) < 2:
        return []
    likely = [(h.hand, h.held * h.plays / step.chance) for h in step.holdings if h.held and h.plays]
    after = [(about.label(step.player, hand).replace(",", "-"), p) for hand, p in likely]
    return sorted(after, key=lambda pair: -pair[1])


# --- picture

SMALL_TREE = 60
"""The maximum number of nodes of a tree that is drawn without folding."""

Pixels = tuple[int, int]  # a width and a height

SCREEN = (1_500, 1_900)
"""The maximum width and height in pixels of a picture on a screen."""

PAPER = (774, 640)
"""The maximum width and height in pixels below the summary on A4 paper; letters then have at least 6 points."""

SHEET = (774, 400)
"""The maximum width and height in pixels on a handout."""

WIDE_PAPER, WIDE_SHEET = (940, 1_200), (940, 560)
"""The maximum sizes of the sheet of all hands, on A4 paper and on a handout. The sheet has one size of letters."""

PICTURE = "picture"
"""The identifier of the picture's section."""


def picture_section(about: About, screen: Pixels = SCREEN, paper: Pixels = PAPER) -> Section | None:
    """Return a picture of a small tree, otherwise of the public view, otherwise of a large tree.

    Large pictures are folded. The picture on *paper* may show less than the picture on the *screen*.
    """
    if about.played is None:
        return None
    view = None if about.solution.tree is not None else "public"
    pictures = _pictures(about, view if about.played.public else "tree", SMALL_TREE, (screen, paper))
    if pictures is None:
        return None
    whole = pictures["seen"].options.view == "tree" and pictures["seen"].options.reach is None
    title = "The game and its strategies" if whole else "Play in a picture"
    return about.section(PICTURE, title, **pictures)


def sheet_section(about: About, screen: Pixels = SCREEN, paper: Pixels = WIDE_PAPER) -> Section | None:
    """Return the sheet of all hands, or of the most probable situations if it is large."""
    pictures = None if about.strategies is None else _pictures(about, "sheet", 0, (screen, paper))
    return None if pictures is None else about.section("sheet", "How to play", **pictures)


def _pictures(about: About, view: str | None, whole: int, sizes: tuple[Pixels, Pixels]) -> dict[str, Any] | None:
    """Return the pictures for the screen and for paper, at most of the given *sizes*, or None if none is readable."""
    try:
        subject = subject_of(about.solution, view=view or VIEWS[0], max_nodes=MOST_NODES)
    except TreeTooLargeError:
        return None
    # The page has its own title.
    views = Views(subject, DrawOptions(view=view or VIEWS[0], style=Style(purpose="free", head=False)))
    seen, printed = (choose(views, Room(whole, 0, *size), view) for size in sizes)
    if seen is None:
        return None
    svg = {shown: Markup(write_svg_for_page(shown.picture.scene)) for shown in {seen, printed} if shown is not None}
    return {"seen": seen, "printed": printed, "svg": svg}


MOST_NODES = 300_000
"""The maximum number of nodes of a tree in the page."""


def explored(about: About) -> bool:
    """Return whether the page includes the viewer of the strategies' tree."""
    return about.played is not None and len(about.played.tree) <= MOST_NODES


def explore_section(about: About) -> Section | None:
    """Return the viewer of the whole tree, or of the support tree if the whole tree is too large for Explore."""
    played, shown = about.played, []
    sparse = None if about.strategies is None else about.strategies.sparse_profile
    only_played = sparse is not None
    tree = about.solution.tree if played is None else played.tree
    if tree is None or len(tree) > MOST_NODES:
        return None
    if played is not None:
        name, caption = "the strategies of this report", "Not an equilibrium"
        if about.equilibrium:
            name = "the equilibrium of this report"
            caption = "Exact equilibrium" if about.solution.exact else "Equilibrium"
        profile = played.profile
        if sparse is not None and fits_explore(sparse):
            profile, only_played = sparse.on(build(sparse.game)), False
            tree = profile.tree
        shown = [Shown(name, profile, caption, None if about.ranges is None else about.ranges.shares)]
    part = viewer_part(tree, shown, label=displayed(about.game), only_played=only_played)
    # The viewer is not printed; the picture replaces it on paper.
    return about.section("explore", "Interactive tree", part, only_played=only_played, viewer=part.body)
