"""Names made different where they must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def distinct(labels: Iterable[str], *, empty: bool = False) -> tuple[str, ...]:
    """*labels* made different by Gambit's own rule: equal ones become ``x_1``, ``x_2``, ...

    A single empty label counts as equal to others too, unless *empty* allows it.
    """
    given = tuple(labels)
    if len(set(given)) == len(given) and (empty or "" not in given):
        return given
    counts, used, last = Counter(given), set(given), Counter[str]()
    found = []
    for stem in given:
        label = stem
        if counts[stem] > 1 if stem else not empty:
            while label in used:
                last[stem] += 1
                label = f"{stem}_{last[stem]}"
            used.add(label)
        found.append(label)
    return tuple(found)
