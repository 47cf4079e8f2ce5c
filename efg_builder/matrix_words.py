"""A pure strategy in words."""

from __future__ import annotations

from collections.abc import Sequence

from .normal_form import NOT_REACHED, Strategies


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
