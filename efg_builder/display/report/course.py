"""The course of play that is seen most, told step by step."""

from __future__ import annotations

from html import escape

from ...forms.extensive import CHANCE
from ...proof.likeliest import Course, Step, likeliest
from .about import About
from .markup import Section, amount, bullets, listed, often, paragraph, plural, share

MOST_HANDS = 8
"""Hands that a step names."""


def section(about: About) -> Section | None:
    """The course, nothing where nobody moves or there is too much of it."""
    if about.played is None:
        return None
    course = likeliest(about.played, about.reach, dealt=about.public)
    if course is None or not any(step.player != CHANCE for step in course.steps):
        return None
    what = "round" if about.game is not None else "course"
    parts = [paragraph(_words(about, course, what)), bullets([_step(about, step) for step in course.steps], "ol")]
    return Section("course", f"The {what} seen most", "\n".join([*parts, paragraph(_end(about, course))]))


def _words(about: About, course: Course, what: str) -> str:
    if not course.public:
        return f"Of all courses of the game, this one is the likeliest: {often(course.reach)} of the time."
    said = f"Of all {what}s that differ by the moves alone, this one is played most often: {often(course.reach)} of"
    if about.dealt is None:
        return f"{said} the time."
    return f"{said} the time. Behind each move stand hands; in brackets, how likely each of them then is."


def _step(about: About, step: Step) -> str:
    who = "Chance" if step.player == CHANCE else escape(about.players[step.player])
    certain = "always" if step.chance == 1 else f"{often(step.chance)} of the time at this point"
    told = _told(about, step)
    return f"<strong>{who}: {escape(step.move)}</strong>, {certain}.{told}"


def _told(about: About, step: Step) -> str:
    """What is believed of the hand behind the move, likeliest first."""
    if about.dealt is None or len(step.holdings) < 2:
        return ""
    after = [(h.hand, h.held * h.plays / step.chance) for h in step.holdings if h.held and h.plays]
    after.sort(key=lambda pair: -pair[1])
    shown = [f"{escape(hand.replace(',', '-'))} ({share(p)})" for hand, p in after[:MOST_HANDS]]
    more = len(after) - len(shown)
    rest = f", and {plural(more, 'other hand')}" if more > 0 else ""
    return f" Behind it: {'hands' if len(after) > 1 else 'hand'} {', '.join(shown)}{rest}."


def _end(about: About, course: Course) -> str:
    pairs = zip(about.players, course.payoffs, strict=True)
    paid = listed([f"{escape(name)} {amount(value)}" for name, value in pairs])
    if not course.public or not _chances(about):
        return f"It ends there, and pays {paid}."
    over = "all hands that lead there" if about.dealt is not None else "all that chance may have done"
    return f"It ends there, and pays, on average over {over}, {paid}."


def _chances(about: About) -> bool:
    """Whether chance moves at all."""
    return about.played is not None and any(infoset.player == CHANCE for infoset in about.played.tree.infosets)
