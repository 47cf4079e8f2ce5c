"""A pure strategy, and the place where one moves, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..forms.normal_form import NOT_REACHED, Strategies

HAND = re.compile(r"\d+(,\d+)*")
"""How the dice games write a hand before the colon of a label: its dice."""


def strategy_in_words(side: Strategies, index: int, letters: int | None = None) -> str:
    """``raise at 1, 5, 6; otherwise show``: what the strategy does at the sets that it leads to.

    Labels lose the end that all sets of the player share after a colon (``1: start``). Cut to *letters*.
    """
    names = short_names([side.tree.infosets[k].label for k in side.infosets])
    groups: dict[str, list[str]] = {}
    for name, k, choice in zip(names, side.infosets, side.choices[index], strict=True):
        if choice != NOT_REACHED:
            groups.setdefault(side.tree.infosets[k].actions[choice], []).append(name)
    if not groups:
        return "nothing to choose"
    # The commonest action goes last, without its sets; of equal ones the one met first.
    last = max(groups, key=lambda action: len(groups[action]))
    if len(groups) == 1:
        return f"always {last}"
    parts = [f"{action} at {', '.join(sets)}" for action, sets in groups.items() if action != last]
    words = "; ".join([*parts, f"otherwise {last}"])
    return words if letters is None or len(words) <= letters else words[: letters - 1] + "…"


def short_names(labels: Sequence[str]) -> list[str]:
    """*labels* without the end after a colon that all share: ``1: start``, ``2: start`` become ``1``, ``2``."""
    tails = {label.partition(": ")[2] for label in labels}
    heads = [label.partition(": ")[0] for label in labels]
    return heads if len(tails) == 1 and len(set(heads)) == len(heads) else list(labels)


def place_in_words(label: str) -> str:
    """The label of an information set of a dice game as a person says it; other labels come back as they are.

    ``1: 1x2 2x1`` becomes ``hand 1, after 1x2 2x1`` and ``6,6: start`` becomes ``hand 6,6, at the start``.
    """
    hand, _, play = label.partition(": ")
    if not play or not HAND.fullmatch(hand):
        return label
    return f"hand {hand}, at the start" if play == "start" else f"hand {hand}, after {play}"


def by_hand(labels: Sequence[str]) -> bool:
    """Whether *labels* differ in nothing but the hand, so that ``short_names`` gives hands."""
    names = short_names(labels)
    return list(names) != list(labels) and all(HAND.fullmatch(name) for name in names)
