"""Sections on the picture, the opening, bluffs and calls, later moves, the probable course of play, and the viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np
from markupsafe import Markup

from ...base.rationals import Number, is_played
from ...base.words import LEAST_SHOWN, moves_shown, shows_all
from ...equilibria.bids import Answer, BidFigures, Opening, most_probable, openings, played_by
from ...forms.extensive import CHANCE, GameTree
from ...forms.hand_names import displayed
from ...games.bidding import BiddingGame
from ...games.protocol import DealtGame, PublicDecision, PublicEnd, State
from ...proof.reach import PlayStep, likeliest
from ..pages.viewer import Shown, viewer_part
from ..trees.choose import Room, Views, choose
from ..trees.options import DrawOptions, Style
from ..trees.subject import subject_of
from ..trees.svg import write_svg_for_page
from .about import About, Played, Section

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


# --- opening

MOST_OPENINGS, MOST_MOVES = 60, 24
"""The maximum numbers of hands and of moves in the table."""


def opening_section(about: About) -> Section | None:
    first_moves = () if about.strategies is None else openings(about.strategies, about.game)
    if not first_moves:
        return None
    places, first = most_probable(first_moves, MOST_OPENINGS), _first_sets(about)
    moves, sets = _first_moves(about, first_moves), [first[at] for at in places if first]
    bids = about.solution.bluffs.bids
    return about.section(
        "opening",
        "How to open",
        player=first_moves[0].player,
        by="hand" if about.game is not None else "information set",
        claims=any(row.bluff is not None for row in first_moves),
        moves=moves,
        rows=[(row, _hand_shown(about, row), dict(row.actions)) for row in map(first_moves.__getitem__, places)],
        hidden=any(action not in moves and p < LEAST_SHOWN for row in first_moves for action, p in row.actions),
        free=_free(about, sets) if sets else None,
        bets=bets(about),
        more=len(first_moves[MOST_OPENINGS:]),
        bids=[bid for bid in bids if bid.made >= LEAST_SHOWN],
        made=sum(is_played(bid.made) for bid in bids),
    )


def _hand_shown(about: About, row: Opening) -> str:
    return about.label(about.solution.players.index(row.player), row.hand)


def _free(about: About, sets: Sequence[int]) -> list[bool] | None:
    """Return, for each of *sets*, whether other equilibria differ at this information set; None if unknown."""
    return None if about.free is None else [k in about.free for k in sets]


def _first_moves(about: About, first_moves: Sequence[Opening]) -> list[str]:
    """Return each first move whose probability with some hand is at least 1%, in the order of the rules."""
    made = [action for row in first_moves for action, _ in moves_shown(row.actions)]
    order: list[str] = []
    if about.solution.tree is not None:
        first = next(
            (i for i in about.solution.tree.infosets if i.player != CHANCE and set(made) <= set(i.actions)), None
        )
        order = list(first.actions) if first is not None else []
    elif about.bidding is not None:
        order = list(about.bidding.bid_names)
    rank = {move: place for place, move in enumerate(order)}
    return sorted(dict.fromkeys(made), key=lambda move: rank.get(move, len(rank)))[:MOST_MOVES]


def _first_sets(about: About) -> list[int]:
    """Return the information sets of the first moves, in the order of the openings; [] if free moves are unknown."""
    if about.free is None or about.played is None:
        return []
    tree = about.played.tree
    sets = {_set_name(tree, k): k for k in reversed(tree.personal)}
    return [sets[row.player, row.hand] for row in openings(about.played.profile)]


# --- bluffs and calls

MOST_COLUMNS = 24
"""The maximum number of hands with columns; more hands are grouped by their number of matching dice."""


def bids_section(about: About) -> Section | None:
    """Return tables of each player's bids; None if bids are not claims."""
    game, bids = about.bidding, about.bids
    if game is None or not bids:
        return None
    # The page explains bluffs by an example from this game: a bid on two dice.
    two = next((bid for bid in game.bid_names if bid.startswith("2x")), "")
    tables = [
        (about.solution.players[player], rows, _calls(game, rows))
        for player in dict.fromkeys(row.player for row in bids)
        if (rows := [row for row in bids if row.player == player])
    ]
    most = max(bids, key=lambda row: row.made)
    return about.section("bids", "When to bluff, and when to call", two=two, most=most, tables=tables)


def _calls(game: BiddingGame, rows: Sequence[BidFigures]) -> dict[str, Any]:
    hands = game.hands[rows[0].answerer]
    by_hand = len(hands) <= MOST_COLUMNS
    called = [{a.hand: a.called for a in row.answers} if by_hand else _by_matching(game, row) for row in rows]
    columns = list(hands) if by_hand else sorted({key for row in called for key in row})
    names = dict(zip(hands, game.hand_names[rows[0].answerer], strict=True)) if by_hand else {}
    return {"by_hand": by_hand, "columns": columns, "names": names, "called": called}


def _by_matching(game: BiddingGame, row: BidFigures) -> dict[str, Number]:
    index = {hand: number for number, hand in enumerate(game.hands[row.answerer])}
    groups: dict[str, list[Answer]] = {}
    for answer in row.answers:
        claim = game.claim(row.answerer, index[answer.hand], row.bid)
        groups.setdefault("" if claim is None else str(claim.matching), []).append(answer)
    return {
        key: sum((a.held * a.called for a in group), Fraction(0)) / sum((a.held for a in group), Fraction(0))
        for key, group in groups.items()
    }


# --- later moves

MOST_SETS = 40
"""The maximum number of information sets in the table. For bidding games, a longer table is omitted."""


def answers_section(about: About) -> Section | None:
    """Return a table of the strategies at reached information sets after the first move."""
    played = about.played
    if played is None:
        return None
    tree, reach = played.tree, played.met
    first = {(first.player, first.hand) for first in openings(played.profile)}
    sets = [k for k in tree.personal if reach.get(k) and _set_name(tree, k) not in first]
    if not sets:
        return None
    if about.bidding is not None and len(sets) > MOST_SETS:
        values = {"sets": len(sets), "rows": [], "viewer": explored(about)}
    else:
        values = _moves(about, played, sets, MOST_SETS)
    return about.section("answers", "Later moves", **values)


SHORT_SETS, SHORT_HANDS = 7, 24
"""The maximum numbers of rows in the table of a handout with a picture, and without one."""


def short_section(about: About, most: int) -> Section | None:
    """Return the moves at the *most* most probable information sets, including first moves.

    If there are too many information sets for a picture, return the first moves of the most probable hands.
    """
    if about.played is None:
        return _short_openings(about, most)
    sets = [k for k in about.played.met if about.played.tree.infosets[k].player != CHANCE]
    return about.section("play", "How to play", **_moves(about, about.played, sets, most)) if sets else None


def _short_openings(about: About, most: int) -> Section | None:
    first_moves = () if about.strategies is None else openings(about.strategies, about.game)
    if not first_moves:
        return None
    shown = (first_moves[at] for at in most_probable(first_moves, most))
    rows = _move_rows((_hand_shown(about, row), row.player, row.held, row.actions) for row in shown)
    return about.section("play", "How to open", sets=len(first_moves), free=None, **rows)


def _moves(about: About, played: Played, sets: Sequence[int], most: int) -> dict[str, Any]:
    """Return the moves at the *most* probable of *sets*, in the order of play."""
    tree, reach = played.tree, played.met
    most_met = sorted(sets, key=lambda k: (-reach[k], k))[:most]
    kept = sorted(most_met, key=lambda k: (int(tree.depth[np.flatnonzero(tree.infoset == k)[0]]), k))
    rows = []
    for k in kept:
        player, name = _set_name(tree, k)
        made = list(zip(tree.infosets[k].actions, played.profile.probabilities[k], strict=True))
        rows.append((about.label(tree.infosets[k].player, name), player, reach[k], made))
    return {"sets": len(sets), "free": _free(about, kept), **_move_rows(rows)}


def _move_rows(given: Iterable[tuple[str, str, Number, Sequence[tuple[str, Number]]]]) -> dict[str, Any]:
    """Return the rows of a table of moves, from names, players, reach probabilities, and actions with probabilities.

    ``whole``: whether the rows have all played moves.
    """
    rows, whole = [], True
    for name, player, met, actions in given:
        made = moves_shown(actions)
        whole &= shows_all(made, actions)
        rows.append({"name": name, "player": player, "met": met, "moves": made})
    return {"rows": rows, "whole": whole}


def _set_name(tree: GameTree, k: int) -> tuple[str, str]:
    return tree.players[tree.infosets[k].player], tree.names[k]


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

PICTURE = "picture"
"""The identifier of the picture's section."""


def picture_section(about: About, screen: Pixels = SCREEN, paper: Pixels = PAPER) -> Section | None:
    """Return a picture of a small tree, otherwise of the public view, otherwise of a large tree.

    Large pictures are folded. The picture on *paper* may show less than the picture on the *screen*.
    """
    if about.played is None:
        return None
    # The page has its own title.
    views = Views(subject_of(about.solution), DrawOptions(style=Style(purpose="free", head=False)))
    view = None if about.solution.tree is not None else "public"
    view = view if about.played.public else "tree"
    seen, printed = (choose(views, Room(SMALL_TREE, 0, *size), view) for size in (screen, paper))
    if seen is None:
        return None
    whole = seen.options.view == "tree" and seen.options.reach is None
    title = "The game and its strategies" if whole else "Play in a picture"
    svg = {shown: Markup(write_svg_for_page(shown.picture.scene)) for shown in {seen, printed} if shown is not None}
    return about.section(PICTURE, title, seen=seen, printed=printed, svg=svg)


MOST_NODES = 300_000
"""The maximum number of nodes of a tree in the page."""


def explored(about: About) -> bool:
    """Return whether the page includes the viewer of the strategies' tree."""
    return about.played is not None and len(about.played.tree) <= MOST_NODES


def explore_section(about: About) -> Section | None:
    """Return the viewer of the whole tree or the support tree."""
    played, shown = about.played, []
    tree = about.solution.tree if played is None else played.tree
    if tree is None or len(tree) > MOST_NODES:
        return None
    if played is not None:
        name, caption = "the strategies of this report", "Not an equilibrium"
        if about.equilibrium:
            name = "the equilibrium of this report"
            caption = "Exact equilibrium" if about.solution.exact else "Equilibrium"
        shown = [Shown(name, played.profile, caption, None if about.ranges is None else about.ranges.shares)]
    part = viewer_part(tree, shown, label=displayed(about.game))
    sparse = about.strategies is not None and about.strategies.tree is None
    # The viewer is not printed; the picture replaces it on paper.
    return about.section("explore", "Interactive tree", part, sparse=sparse, viewer=part.body)
