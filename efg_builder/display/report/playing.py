"""How to play: how to open, when to bluff and when to call, how to go on, and the course seen most.

Each section is a table information set by information set, or hand by hand, with what it says in words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from html import escape
from itertools import chain

import numpy as np

from ...base.errors import NotApplicableError, PictureTooLargeError
from ...base.rationals import Number, is_played
from ...base.words import LEAST_SHOWN, LEFT_OUT, listed, moves_shown, plural
from ...equilibria.bids import Answer, BidFigures, Opening, openings, played_by
from ...forms.extensive import CHANCE, GameTree
from ...games.bidding import BiddingGame
from ...games.protocol import DealtGame, PublicDecision, PublicEnd, State
from ...proof.likeliest import LikelyPlay, PlayStep, likeliest
from ...strategies.sparse_profile import SparseProfile
from ..markup import Cell, amount, bar, bullets, often, paragraph, shade, share, table
from ..pages.viewer import Shown, viewer_part
from ..trees import DrawOptions, Style, subject_of
from ..trees.public_view import compose_public, look_at
from ..trees.scene import Scene
from ..trees.svg import write_svg
from ..trees.tree_view import compose_scene
from .about import About, Section

# --- what is free


def _free_marks(free: frozenset[int] | None, infoset: int) -> list[Cell]:
    """The cell that ends the row of an information set; none where it is not known what is *free*."""
    if free is None:
        return []
    title = ' title="other equilibria do otherwise"'
    return [Cell(f"<span{title}>free</span>" if infoset in free else "", "free")]


def _free_note(free: frozenset[int] | None, shown: Collection[int]) -> list[str]:
    """What the mark means, below a table of the information sets *shown*; nothing where none has it."""
    if free is None:
        return []
    if free.isdisjoint(shown):
        return [paragraph("All equilibria do the same here.", "note")]
    rest = "" if free.issuperset(shown) else " All other rows are forced."
    return [paragraph(f"<em>Free</em>: other equilibria do otherwise.{rest}", "note")]


# --- bluffs where moves claim nothing

MOST_STEPS = 100_000
"""Deals times ends that are gone through; of larger games nothing is said."""


def bets(about: About) -> list[str]:
    """A sentence on each such bet in the strategies, as markup; none of games with claims, whose bluffs are counted."""
    game, strategies = about.dealt, about.strategies
    if game is None or strategies is None or about.bidding is not None or len(game.players) != 2:
        return []
    if game.deal_count * game.public_size().ends > MOST_STEPS:
        return []
    played = played_by(strategies, game)
    found: list[str] = []
    for turn in game.turns():
        for hand, name in enumerate(game.hands[turn.player]):
            row = played(turn, hand)
            found += [
                _bet(game, turn, name, move, p, gains)
                for move, p in row.items()
                if (gains := only_unshown(game, turn, hand, move))
            ]
    return found


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


def _bet(game: DealtGame, turn: PublicDecision, hand: str, move: str, p: Number, gains: tuple[str, ...]) -> str:
    who, other = (escape(game.players[player]) for player in (turn.player, 1 - turn.player))
    given = listed([f"<em>{escape(each)}</em>" for each in gains])
    return (
        f"<strong>A bluff</strong>: with hand {escape(hand)}, {who} makes the move <em>{escape(move)}</em> in "
        f"{often(p)} of the cases. With that hand {who} never gains where hands are shown, so the move pays only if "
        f"{other} answers with {given}."
    )


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
    shown, moves = found[:MOST_OPENINGS], _first_moves(about, found)
    name, claims = escape(found[0].player), any(row.bluff is not None for row in found)
    by = "hand" if about.game is not None else "information set"
    parts = [paragraph(_opening_words(about, name, by, claims))]
    sets = _first_sets(about)[:MOST_OPENINGS]
    head = [by, *map(escape, moves), *(("bluff", "false") if claims else ()), *([""] if sets else [])]
    marked = [_free_marks(about.free, k) for k in sets] or [[] for _ in shown]
    rows = [[*_opening_row(row, moves, claims), *mark] for row, mark in zip(shown, marked, strict=True)]
    parts.append(table(f"{found[0].player}'s first move, in percent, by {by}, {about.here}", head, rows, "heat"))
    if any(action not in moves and p < LEAST_SHOWN for row in found for action, p in row.actions):
        parts.append(paragraph("A move that each hand makes in under 1% of the cases has no column.", "note"))
    parts += [*_free_note(about.free, sets), *map(paragraph, bets(about))]
    if len(found) > len(shown):
        parts.append(
            paragraph(f"And {plural(len(found) - len(shown), f'more {by}')}: the solution's file has them all.")
        )
    bids = about.solution.bluffs.bids
    if bids:
        lines: list[list[str | Cell]] = [
            [escape(bid.bid), *map(bar, (bid.made, bid.bluff, bid.false))] for bid in bids if bid.made >= LEAST_SHOWN
        ]
        caption = f"{found[0].player}'s first bids, all hands together, {about.here}"
        parts.append(table(caption, ("bid", "made", "bluff", "false"), lines, "bars"))
        if len(lines) < sum(is_played(bid.made) for bid in bids):
            parts.append(paragraph("Bids under 1% are left out.", "note"))
    return Section("opening", "How to open", "\n".join(parts))


def _first_moves(about: About, found: Sequence[Opening]) -> list[str]:
    """Every move that some hand makes, from 1% on, in the order of the rules."""
    made = [action for row in found for action, _ in moves_shown(row.actions, about.solution.regret or 0)]
    order: list[str] = []
    if about.tree is not None:
        first = next((i for i in about.tree.infosets if i.player != CHANCE and set(made) <= set(i.actions)), None)
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


def _opening_words(about: About, name: str, by: str, claims: bool) -> str:
    said = f"{name} moves first. Each row is one {by}: how often, of 100 times, each move is made with it."
    if not claims:
        return said
    return (
        f"{said} <em>Bluff</em>: how often it is {about.bluff}. <em>False</em>: how likely the bid is not to hold, as "
        f"far as {name}'s own dice tell."
    )


def _opening_row(row: Opening, moves: Sequence[str], claims: bool) -> list[str | Cell]:
    played = dict(row.actions)
    tail: list[str | Cell] = []
    if claims:
        tail = [Cell("" if p is None else share(p), "number") for p in (row.bluff, row.false)]
    return [escape(row.hand), *(shade(played.get(move, Fraction(0))) for move in moves), *tail]


# --- when to bluff and when to call

MOST_COLUMNS = 24
"""Hands that stand side by side; where there are more, they are joined by how many of their dice count."""


def bids_section(about: About) -> Section | None:
    """Tables for each player's bids; nothing where bids claim nothing."""
    game, found = about.bidding, about.bids
    if game is None or not found:
        return None
    parts = [paragraph(_bid_words(about)), *_example(about, found)]
    for player in dict.fromkeys(row.player for row in found):
        rows = [row for row in found if row.player == player]
        parts += [_made_table(about, rows), _calls(about, game, rows)]
    return Section("bids", "When to bluff, and when to call", "\n".join(parts))


def _bid_words(about: About) -> str:
    start = f"Here, bluffs are {'; and '.join(about.bluffs)}. " if about.bluffs else ""
    return (
        f"A <em>bluff</em> is {about.bluff}. {_not_counted(about)}{start}<em>Made</em>: in how many rounds the player "
        "makes the bid, at whatever point. The other columns are shares of just those rounds: how often the bid is a "
        "<em>bluff</em>; how often it is <em>false</em>, which means that it does not hold; and how often it is "
        "<em>called</em> at once."
    )


def _not_counted(about: About) -> str:
    """That a bid on more dice than one holds is no bluff by this word, with the game's own bid."""
    bids = about.bidding.bid_names if about.bidding is not None else ()
    two = next((bid for bid in bids if bid.startswith("2x")), None)
    if two is None:
        return ""
    face = two.partition("x")[2]
    return f"A bid of {two} with a single {face} is not counted as one; that it may fail shows under <em>false</em>. "


def _example(about: About, found: Sequence[BidFigures]) -> list[str]:
    """The bid that is made most, in a sentence."""
    most = max(found, key=lambda row: row.made)
    bidder, answerer = escape(about.players[most.player]), escape(about.players[most.answerer])
    return [
        paragraph(
            f"For example: {bidder} bids {escape(most.bid)} in {often(most.made)} of all rounds. Of these "
            f"rounds, the bid is a bluff in {often(most.bluff)} and false in {often(most.false)}, and {answerer} calls "
            f"it in {often(most.called)}."
        )
    ]


def _made_table(about: About, rows: Sequence[BidFigures]) -> str:
    name = about.players[rows[0].player]
    caption = f"{name}'s bids, {about.here}"
    head = ("bid", "made", "bluff", "false", "called")
    lines: list[list[str | Cell]] = [
        [escape(row.bid), *map(bar, (row.made, row.bluff, row.false, row.called))] for row in rows
    ]
    return table(caption, head, lines, "bars")


def _calls(about: About, game: BiddingGame, rows: Sequence[BidFigures]) -> str:
    """Who calls, by hand, or where hands are many, by how many of their dice count towards the bid."""
    answerer = rows[0].answerer
    name, bidder = about.players[answerer], about.players[rows[0].player]
    hands = game.hands[answerer]
    if len(hands) <= MOST_COLUMNS:
        caption = f"How often {name} calls {bidder}'s bid, in percent, by {name}'s hand"
        columns, by_row = list(hands), [{a.hand: a.called for a in row.answers} for row in rows]
    else:
        caption = f"How often {name} calls {bidder}'s bid, in percent, by how many of {name}'s dice count towards it"
        joined = [_by_matching(game, row) for row in rows]
        columns, by_row = sorted({key for row in joined for key in row}), joined
    lines: list[list[str | Cell]] = [
        [escape(row.bid), *(shade(called.get(column)) for column in columns)]
        for row, called in zip(rows, by_row, strict=True)
    ]
    note = paragraph("0: never call. 100: always call. A dot: that hand does not meet this bid.", "note")
    return table(caption, ("bid", *map(escape, columns)), lines, "heat") + note


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
    tree, reach = about.played.tree, _reach_of_sets(about)
    first = {(first.player, first.hand) for first in openings(about.played)}
    sets = [k for k in tree.personal if reach.get(k) and _set_name(tree, k) not in first]
    if not sets:
        return None
    if about.bidding is not None and len(sets) > MOST_SETS:
        return Section("answers", "How to go on", paragraph(_elsewhere(about, len(sets))))
    return Section("answers", "How to go on", f"{paragraph(_answer_words(about))}\n{_moves(about, sets, MOST_SETS)}")


SHORT_SETS = 7
"""Information sets in the table of a handout."""


def short_section(about: About) -> Section | None:
    """What to play where one is most often, first moves included."""
    if about.played is None:
        return None
    sets = [k for k, reach in _reach_of_sets(about).items() if about.played.tree.infosets[k].player != CHANCE]
    return Section("play", "How to play", _moves(about, sets, SHORT_SETS, brief=True)) if sets else None


def _moves(about: About, sets: Sequence[int], most: int, brief: bool = False) -> str:
    """A table of the *sets* that are met most, and what to play there, in the order of play.

    *brief*: in percent alone, and without the mark of what is free.
    """
    assert about.played is not None
    much, free = (share, None) if brief else (often, about.free)
    tree, reach = about.played.tree, _reach_of_sets(about)
    kept = set(sorted(sets, key=lambda k: (-reach[k], k))[:most])
    depth = {k: int(tree.depth[np.flatnonzero(tree.infoset == k)[0]]) for k in kept}
    rows: list[list[str | Cell]] = []
    whole = True
    for k in sorted(kept, key=lambda k: (depth[k], k)):
        infoset = tree.infosets[k]
        row = list(zip(infoset.actions, about.played.probabilities[k], strict=True))
        made = moves_shown(row, about.solution.regret or 0)
        whole &= len(made) == sum(is_played(p) for _, p in row)
        moves = [f"{escape(a)} always" if p == 1 else f"{escape(a)} {much(p)}" for a, p in made]
        player, name = map(escape, _set_name(tree, k))
        shown = Cell(player, "name"), Cell(share(reach[k]), "number"), listed(moves)
        rows.append([name, *shown, *_free_marks(free, k)])
    head = (*_HEAD, *([""] if free is not None else []))
    parts = [table(f"The moves, {about.here}", head, rows, "moves met"), *_free_note(free, kept)]
    if not whole:
        parts.append(paragraph(f"{LEFT_OUT.capitalize()}.", "note"))
    if len(sets) > len(rows):
        parts.append(paragraph(f"And {plural(len(sets) - len(rows), 'more information set')}, less often met."))
    return "\n".join(parts)


_HEAD: tuple[str, ...] = ("what the player knows", "player", "met", "what to play")


def _answer_words(about: About) -> str:
    knows = "one's own hand, and after the colon the moves so far" if about.dealt is not None else "an information set"
    return (
        f"Each row is what a player knows at a turn: {knows}. <em>Met</em>: in how many rounds that comes up. "
        "Only what comes up is listed; first moves are above."
    )


def _elsewhere(about: About, sets: int) -> str:
    """Where the later moves are to be found, where they are too many for a table."""
    below = '<span class="only-screen">, and the viewer below shows each of them</span>'
    explore = below if explored(about) else ""
    return (
        f"After the first bid play can reach {plural(sets, 'information set')}: too many for a table here. Who calls "
        f"which bid with which hand stands above{explore}; the file of the certificate has them all, with exact "
        "probabilities."
    )


def _set_name(tree: GameTree, k: int) -> tuple[str, str]:
    """The player and the set, as ``Opening`` names them."""
    return tree.players[tree.infosets[k].player], tree.names[k]


def _reach_of_sets(about: About) -> dict[int, Number]:
    """How likely each information set is."""
    assert about.played is not None
    found: dict[int, Number] = {}
    for k, chance in zip(about.played.tree.infoset.tolist(), about.reach, strict=True):
        if k >= 0 and chance:
            found[k] = found.get(k, 0) + chance
    return found


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
    parts = [paragraph(_course_words(about, found, what)), bullets([_step(about, step) for step in found.steps], "ol")]
    return Section("course", f"The {what} seen most", "\n".join([*parts, paragraph(_end(about, found))]))


def _course_words(about: About, course: LikelyPlay, what: str) -> str:
    if not course.public:
        return f"Of all courses of the game, this one is the likeliest: {often(course.reach)} of the time."
    said = f"Of all {what}s that differ by the moves alone, this one is played most often: {often(course.reach)} of"
    if about.dealt is None:
        return f"{said} the time."
    return f"{said} the time. Behind each move stand hands; in brackets, how likely each of them then is."


def _step(about: About, step: PlayStep) -> str:
    who = "Chance" if step.player == CHANCE else escape(about.players[step.player])
    certain = "always" if step.chance == 1 else f"{often(step.chance)} of the time at this point"
    return f"<strong>{who}: {escape(step.move)}</strong>, {certain}.{_hands_behind(about, step)}"


def _hands_behind(about: About, step: PlayStep) -> str:
    """What is believed of the hand behind the move, likeliest first."""
    if about.dealt is None or len(step.holdings) < 2:
        return ""
    after = [(h.hand, h.held * h.plays / step.chance) for h in step.holdings if h.held and h.plays]
    after.sort(key=lambda pair: -pair[1])
    shown = [f"{escape(hand.replace(',', '-'))} ({share(p)})" for hand, p in after[:MOST_HANDS]]
    more = len(after) - len(shown)
    rest = f", and {plural(more, 'other hand')}" if more > 0 else ""
    return f" Behind it: {'hands' if len(after) > 1 else 'hand'} {', '.join(shown)}{rest}."


def _end(about: About, course: LikelyPlay) -> str:
    pairs = zip(about.players, course.payoffs, strict=True)
    paid = listed([f"{escape(name)} {amount(value)}" for name, value in pairs])
    chances = about.played is not None and any(infoset.player == CHANCE for infoset in about.played.tree.infosets)
    if not course.public or not chances:
        return f"It ends there, and pays {paid}."
    over = "all hands that lead there" if about.dealt is not None else "all that chance may have done"
    return f"It ends there, and pays, on average over {over}, {paid}."


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

REACHES = (*(Fraction(p, 1000) for p in (0, 1, 10, 30, 50, 100, 150, 200, 300, 500)),)


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
    body = _shown(*seen)
    if printed != seen:
        note = "The picture is too large for paper: this page, on a screen, has it."
        on_paper = paragraph(note) if printed is None else _shown(*printed)
        body = f'<div class="only-screen">{body}</div><div class="only-print">{on_paper}</div>'
    title = "The game and how it is played" if seen[0] == scene("tree", None) else "Play in a picture"
    return Section(PICTURE, title, body)


def _shown(scene: Scene, words: str) -> str:
    plate = f'<div class="picture" role="region" tabindex="0" aria-label="Play">{write_svg(scene)}</div>'
    return f'<div class="plate">{paragraph(words)}{plate}</div>'


_Scenes = Callable[[str, Fraction | None], Scene | None]


def _first(about: About, scene: _Scenes, size: tuple[int, int]) -> tuple[Scene, str] | None:
    """The picture that shows most of those that are within *size*, and what it shows in words."""
    assert about.played is not None
    looks: list[tuple[str, Fraction | None]] = []
    if about.tree is not None and len(about.tree) <= SMALL_TREE:
        looks.append(("tree", None))
    looks += [(view, reach) for view in (("public", "tree") if about.public else ("tree",)) for reach in REACHES]
    for view, reach in looks:
        made = scene(view, reach)
        if made is not None and made.width <= size[0] and made.height <= size[1] and _tells(made):
            return made, _words(about, view, reach)
    return None


def _tells(scene: Scene) -> bool:
    """Whether there is more than the root."""
    return any(item.role == "edge" for item in scene.strokes) or any(item.role == "table" for item in scene.boxes)


def _scenes(about: About) -> _Scenes:
    """The picture of a view down to a reach (None: all of it), None where there is none. Nothing is made twice."""
    subject = subject_of(about.solution)
    look = cache(lambda: look_at(subject.tree, subject.profile, subject.sparse))

    @cache
    def scene(view: str, reach: Fraction | None) -> Scene | None:
        # The page itself says above it what a head would.
        options = DrawOptions(view=view, reach=reach, style=Style(purpose="free", head=False))
        try:
            if view == "public":
                return compose_public(look(), options)
            return compose_scene(subject.tree, subject.profile, options)
        except (NotApplicableError, PictureTooLargeError):
            return None

    return scene


def _words(about: About, view: str, reach: Fraction | None) -> str:
    if reach is None:
        return "The whole game; the width of a line is how likely the move is there."
    much = f"{float(100 * reach):g}%"
    kept = f"Only what happens in more than {much} of all rounds is drawn." if reach else ""
    if view == "tree":
        return f"Every course of play that comes up; the width of a line is how likely the move is there. {kept}"
    turn = (
        "as the table sees it; in it, hand by hand,"
        if about.dealt is not None
        else "as the moves alone distinguish it; in it, for each information set,"
    )
    return (
        f"Each box is a turn, {turn} how often each move is made there (the darker, the more often). Moves that are "
        f"never made are left out. {kept}"
    )


MOST_NODES = 300_000
"""Larger trees are left out: the page would be too large to hand out."""


def explored(about: About) -> bool:
    """Whether the page has the viewer on the strategies' tree."""
    return about.played is not None and len(about.played.tree) <= MOST_NODES


def explore_section(about: About) -> Section | None:
    """The viewer, on the whole tree, or without one on the support tree; nothing where it is too large."""
    profile = about.played
    if profile is None:
        if about.tree is None or len(about.tree) > MOST_NODES:
            return None
        part = viewer_part(about.tree)
    elif len(profile.tree) > MOST_NODES:
        return None
    else:
        name, caption = "the strategies of this report", "not an equilibrium"
        if about.equilibrium:
            name = "the equilibrium of this report"
            caption = "equilibrium (exact)" if about.solution.exact else "equilibrium"
        ranges = None if about.ranges is None else about.ranges.shares
        part = viewer_part(profile.tree, [Shown(name, profile, caption, ranges)])
    sought = "a hand or a bid" if about.bidding is not None else "a hand or a move" if about.dealt else "a move"
    said = (
        f"Unfold the game move by move, search for {sought}, and see at each point what is believed there, what "
        "each move is worth and how often it is made. The question mark tells the keys."
    )
    if isinstance(about.strategies, SparseProfile):
        said += " It has only moves of positive probability; the whole tree is too large."
    # On paper there is nothing to unfold: there the picture stands for it.
    return Section("explore", "The tree, to explore", paragraph(said) + part.body, part, "only-screen")
