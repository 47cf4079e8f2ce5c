"""The picture, the opening, bluffs and calls, the later moves, the likeliest course of play, and the viewer.

Each section is a function ``..._section(about)`` that gathers values for its template in ``templates/report/``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from markupsafe import Markup

from ...base.errors import NotApplicableError, PictureTooLargeError
from ...base.rationals import Number, is_played
from ...base.words import LEAST_SHOWN, moves_shown
from ...equilibria.solution import Answer, BidFigures, Opening, openings, played_by
from ...forms.extensive import CHANCE, GameTree
from ...forms.hand_names import displayed
from ...games.bidding import BiddingGame
from ...games.protocol import DealtGame, PublicDecision, PublicEnd, State
from ...proof.reach import PlayStep, likeliest
from ...strategies.sparse_profile import SparseProfile
from ..pages.viewer import Shown, viewer_part
from ..trees import DrawOptions, Style, subject_of
from ..trees.public_play import PublicPlay
from ..trees.public_view import compose_public
from ..trees.scene import Scene
from ..trees.svg import write_svg_for_page
from ..trees.tree_view import compose_scene
from .about import About, Section

# --- bluffs where moves claim nothing

MOST_STEPS = 100_000
"""Deals times ends that are gone through; of larger games nothing is said."""


def bets(about: About) -> list[dict[str, Any]]:
    """Each such bet in the strategies; none of games with claims, whose bluffs are counted."""
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
    """The moves that end play, nothing shown, and so alone can make *move* with *hand* (an index) gain at *turn*.

    Empty where the hand may gain at an end that depends on the hands, too, or where nothing can be gained.
    """
    gains = []
    for last, state in _ends_after(game, dict(turn.actions)[move], move):
        key = game.public_turn(state)
        assert isinstance(key, PublicEnd)
        every = {game.settle(key.key, deal).payoffs[turn.player] for deal in game.deals}
        mine = {game.settle(key.key, d).payoffs[turn.player] for d in game.deals if d.hands[turn.player] == hand}
        if len(every) > 1 and max(mine) > 0:
            return ()
        if len(every) == 1 and max(mine) > 0:
            gains.append(last)
    # A move that ends play itself bets on nobody's giving up.
    return tuple(dict.fromkeys(gains)) if move not in gains else ()


def _ends_after(game: DealtGame, state: State, move: str) -> Iterator[tuple[str, State]]:
    """The ends that *state*, which came by *move*, leads to, each with the move that leads to it."""
    turn = game.public_turn(state)
    if isinstance(turn, PublicDecision):
        return chain.from_iterable(_ends_after(game, then, last) for last, then in turn.actions)
    return iter([(move, state)])


# --- how to open

MOST_OPENINGS, MOST_MOVES = 60, 24
"""Hands, and moves that some of them make, in the table."""


def opening_section(about: About) -> Section | None:
    """A table of hands and first moves; nothing where nobody moves."""
    found = () if about.strategies is None else openings(about.strategies, about.game)
    if not found:
        return None
    moves, sets = _first_moves(about, found), _first_sets(about)[:MOST_OPENINGS]
    bids = about.solution.bluffs.bids
    return about.section(
        "opening",
        "How to open",
        player=found[0].player,
        by="hand" if about.game is not None else "information set",
        claims=any(row.bluff is not None for row in found),
        moves=moves,
        rows=[(row, _hand_shown(about, row), dict(row.actions)) for row in found[:MOST_OPENINGS]],
        hidden=any(action not in moves and p < LEAST_SHOWN for row in found for action, p in row.actions),
        free=_free(about, sets) if sets else None,
        bets=bets(about),
        more=len(found[MOST_OPENINGS:]),
        bids=[bid for bid in bids if bid.made >= LEAST_SHOWN],
        made=sum(is_played(bid.made) for bid in bids),
    )


def _hand_shown(about: About, row: Opening) -> str:
    return about.label(about.solution.players.index(row.player), row.hand)


def _free(about: About, sets: Sequence[int]) -> list[bool] | None:
    """Whether other equilibria do otherwise at each of the information *sets*; None where that is not known."""
    return None if about.free is None else [k in about.free for k in sets]


def _first_moves(about: About, found: Sequence[Opening]) -> list[str]:
    """Every move that some hand makes, from 1% on, in the order of the rules."""
    made = [action for row in found for action, _ in moves_shown(row.actions, about.solution.regret)]
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
    """The information sets of the first moves, in the openings' order, where it is known which are free."""
    if about.free is None or about.played is None:
        return []
    tree = about.played.tree
    found = {_set_name(tree, k): k for k in reversed(tree.personal)}
    return [found[row.player, row.hand] for row in openings(about.played)]


# --- when to bluff and when to call

MOST_COLUMNS = 24
"""Hands that stand side by side; where there are more, they are joined by how many of their dice count."""


def bids_section(about: About) -> Section | None:
    """Tables for each player's bids; nothing where bids claim nothing."""
    game, found = about.bidding, about.bids
    if game is None or not found:
        return None
    # A bid on more dice than the bidder holds is no bluff by this word: the example is one of the game's own bids.
    two = next((bid for bid in game.bid_names if bid.startswith("2x")), "")
    tables = [
        (about.solution.players[player], rows, _calls(game, rows))
        for player in dict.fromkeys(row.player for row in found)
        if (rows := [row for row in found if row.player == player])
    ]
    most = max(found, key=lambda row: row.made)
    return about.section("bids", "When to bluff, and when to call", two=two, most=most, tables=tables)


def _calls(game: BiddingGame, rows: Sequence[BidFigures]) -> dict[str, Any]:
    """Who calls, by hand, or where hands are many, by how many of their dice count towards the bid."""
    hands = game.hands[rows[0].answerer]
    by_hand = len(hands) <= MOST_COLUMNS
    called = [{a.hand: a.called for a in row.answers} if by_hand else _by_matching(game, row) for row in rows]
    columns = list(hands) if by_hand else sorted({key for row in called for key in row})
    names = dict(zip(hands, game.hand_names[rows[0].answerer], strict=True)) if by_hand else {}
    return {"by_hand": by_hand, "columns": columns, "names": names, "called": called}


def _by_matching(game: BiddingGame, row: BidFigures) -> dict[str, Number]:
    """How often the bid is called, by the number of the answerer's dice that count towards it."""
    index = {hand: number for number, hand in enumerate(game.hands[row.answerer])}
    groups: dict[str, list[Answer]] = {}
    for answer in row.answers:
        claim = game.claim(row.answerer, index[answer.hand], row.bid)
        groups.setdefault("" if claim is None else str(claim.matching), []).append(answer)
    return {
        key: sum((a.held * a.called for a in group), Fraction(0)) / sum((a.held for a in group), Fraction(0))
        for key, group in groups.items()
    }


# --- how to go on

MOST_SETS = 40
"""Information sets in the table; of games of bidding, which have tables of their own, all or none."""


def answers_section(about: About) -> Section | None:
    """A table of information sets that are reached, and the strategy there."""
    if about.played is None:
        return None
    tree, reach = about.played.tree, about.met
    first = {(first.player, first.hand) for first in openings(about.played)}
    sets = [k for k in tree.personal if reach.get(k) and _set_name(tree, k) not in first]
    if not sets:
        return None
    elsewhere = about.bidding is not None and len(sets) > MOST_SETS
    values = {"sets": len(sets), "rows": [], "viewer": explored(about)} if elsewhere else _moves(about, sets, MOST_SETS)
    return about.section("answers", "How to go on", **values)


SHORT_SETS = 7
"""Information sets in the table of a handout."""


def short_section(about: About) -> Section | None:
    """The moves at the information sets that are reached most often, first moves included."""
    if about.played is None:
        return None
    sets = [k for k in about.met if about.played.tree.infosets[k].player != CHANCE]
    return about.section("play", "How to play", **_moves(about, sets, SHORT_SETS)) if sets else None


def _moves(about: About, sets: Sequence[int], most: int) -> dict[str, Any]:
    """The *sets* that are met most, in the order of play, and the moves there."""
    assert about.played is not None
    tree, reach, rows = about.played.tree, about.met, list[dict[str, Any]]()
    most_met = sorted(sets, key=lambda k: (-reach[k], k))[:most]
    kept = sorted(most_met, key=lambda k: (int(tree.depth[np.flatnonzero(tree.infoset == k)[0]]), k))
    whole = True
    for k in kept:
        row = list(zip(tree.infosets[k].actions, about.played.probabilities[k], strict=True))
        made = moves_shown(row, about.solution.regret)
        whole &= len(made) == sum(is_played(p) for _, p in row)
        player, name = _set_name(tree, k)
        name = about.label(tree.infosets[k].player, name)
        rows.append({"name": name, "player": player, "met": reach[k], "moves": made})
    return {"sets": len(sets), "rows": rows, "free": _free(about, kept), "whole": whole}


def _set_name(tree: GameTree, k: int) -> tuple[str, str]:
    return tree.players[tree.infosets[k].player], tree.names[k]


# --- the course seen most

MOST_HANDS = 8
"""Hands that a step names."""


def course_section(about: About) -> Section | None:
    """The course, nothing where nobody moves or there is too much of it."""
    if about.played is None:
        return None
    found = likeliest(about.played, about.reach, dealt=about.public)
    if found is None or not any(step.player != CHANCE for step in found.steps):
        return None
    what = "round" if about.game is not None else "course"
    chance = any(infoset.player == CHANCE for infoset in about.played.tree.infosets)
    return about.section(
        "course",
        f"The {what} seen most",
        what=what,
        course=found,
        steps=[(step, _hands_behind(about, step)) for step in found.steps],
        most=MOST_HANDS,
        averaged=found.public and chance,
        paid=list(zip(about.solution.players, found.payoffs, strict=True)),
    )


def _hands_behind(about: About, step: PlayStep) -> list[tuple[str, Number]]:
    """The probability of each hand behind the move, likeliest first."""
    if about.dealt is None or len(step.holdings) < 2:
        return []
    likely = [(h.hand, h.held * h.plays / step.chance) for h in step.holdings if h.held and h.plays]
    after = [(about.label(step.player, hand).replace(",", "-"), p) for hand, p in likely]
    return sorted(after, key=lambda pair: -pair[1])


# --- play to look at

SMALL_TREE = 60
"""Nodes of a tree that is shown whole, in place of a view of it."""

SCREEN = (1_500, 1_900)
"""Width and height: a picture that is larger, in pixels, cannot be read on a screen."""

PAPER = (774, 640)
"""On a page of A4, below the summary: of pictures up to so wide and high, no letter is below 6 points."""

SHEET = (774, 400)
"""The same on a sheet that has all else too."""

PICTURE = "picture"
"""The identifier of the picture's section, which stands under the summary."""

REACHES = tuple(Fraction(p, 1000) for p in (0, 1, 10, 30, 50, 100, 150, 200, 300, 500))
"""How likely moves are that a picture still shows, until it is small enough."""


def picture_section(about: About, screen: tuple[int, int] = SCREEN, paper: tuple[int, int] = PAPER) -> Section | None:
    """A small tree whole, else the public view, or the tree where there is none, as far as it can be read.

    On *paper* maybe less than on the *screen*.
    """
    if about.played is None:
        return None
    scene = _scenes(about)
    seen, printed = _first(about, scene, screen), _first(about, scene, paper)
    if seen is None:
        return None
    title = "The game and how it is played" if seen[:2] == ("tree", None) else "Play in a picture"
    svg = {shown: Markup(write_svg_for_page(shown[2])) for shown in {seen, printed} if shown is not None}
    return about.section(PICTURE, title, seen=seen, printed=printed, svg=svg)


_Scenes = Callable[[str, Fraction | None], Scene | None]
_Picture = tuple[str, Fraction | None, Scene]


def _first(about: About, scene: _Scenes, size: tuple[int, int]) -> _Picture | None:
    """The picture that shows most of those that are within *size*, after its view and reach."""
    looks: list[tuple[str, Fraction | None]] = []
    if about.solution.tree is not None and len(about.solution.tree) <= SMALL_TREE:
        looks.append(("tree", None))
    looks += [(view, reach) for view in (("public", "tree") if about.public else ("tree",)) for reach in REACHES]
    for view, reach in looks:
        made = scene(view, reach)
        if made is not None and made.width <= size[0] and made.height <= size[1] and _tells(made):
            return view, reach, made
    return None


def _tells(scene: Scene) -> bool:
    return any(item.role == "edge" for item in scene.strokes) or any(item.role == "table" for item in scene.boxes)


def _scenes(about: About) -> _Scenes:
    """The picture of a view down to a reach (None: all of it), None where there is none. Nothing is made twice."""
    subject = subject_of(about.solution).displayed
    play = cache(lambda: PublicPlay(subject.tree, subject.profile, subject.sparse))

    @cache
    def scene(view: str, reach: Fraction | None) -> Scene | None:
        # The page itself says above it what a head would.
        options = DrawOptions(view=view, reach=reach, style=Style(purpose="free", head=False))
        try:
            if view == "public":
                return compose_public(play(), options)
            return compose_scene(subject.tree, subject.profile, options)
        except (NotApplicableError, PictureTooLargeError):
            return None

    return scene


MOST_NODES = 300_000
"""Larger trees are left out: the page would be too large to hand out."""


def explored(about: About) -> bool:
    """Whether the page has the viewer on the strategies' tree."""
    return about.played is not None and len(about.played.tree) <= MOST_NODES


def explore_section(about: About) -> Section | None:
    """The viewer, on the whole tree, or without one on the support tree; nothing where it is too large."""
    profile, shown = about.played, []
    tree = about.solution.tree if profile is None else profile.tree
    if tree is None or len(tree) > MOST_NODES:
        return None
    if profile is not None:
        name, caption = "the strategies of this report", "Not an equilibrium"
        if about.equilibrium:
            name = "the equilibrium of this report"
            caption = "Exact equilibrium" if about.solution.exact else "Equilibrium"
        shown = [Shown(name, profile, caption, None if about.ranges is None else about.ranges.shares)]
    part = viewer_part(tree, shown, label=displayed(about.game))
    sparse = isinstance(about.strategies, SparseProfile)
    # On paper there is nothing to unfold: there the picture stands for it.
    return about.section("explore", "The tree, to explore", part, sparse=sparse, viewer=part.body)
