"""Facts: labeled rows that become aligned text, and values that become JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .rationals import text

LABEL_WIDTH = 14
"""The column in which the lines of all facts start."""


@dataclass(frozen=True)
class Fact:
    """A labeled row.

    ``lines``: the lines beside the label, one below the other. ``table``: the lines below them, from the left margin.
    """

    label: str
    lines: tuple[str, ...] = ()
    table: tuple[str, ...] = ()


def fact(label: str, *lines: str, table: Iterable[str] = ()) -> Fact:
    """Return a fact with the nonempty *lines*."""
    return Fact(label, tuple(filter(None, lines)), tuple(table))


def fact_lines(facts: Iterable[Fact]) -> Iterator[str]:
    """Yield *facts* as aligned lines. A fact without ``lines`` is the heading of its table."""
    for each in facts:
        first, *below = each.lines or ("",)
        yield f"{each.label:<{LABEL_WIDTH}}{first}" if first else each.label
        yield from (f"{'':<{LABEL_WIDTH}}{line}" for line in below)
        yield from each.table


def facts_in_text(title: str, facts: Iterable[Fact]) -> str:
    """Return *title* and *facts* as text.

    >>> print(facts_in_text("Kuhn poker", [fact("method", "lp"), fact("value", "-1/18", "to player 1")]))
    Kuhn poker
    method        lp
    value         -1/18
                  to player 1
    """
    return "\n".join([title, *fact_lines(facts)])


def plain(value: Any) -> Any:
    """Return *value* as JSON data: fractions as text, and tuples as lists."""
    if isinstance(value, Fraction):
        return text(value)
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, tuple | list) else value


def attributes(found: object, *names: str) -> dict[str, Any]:
    """Return the named attributes of *found* as JSON data.

    >>> from fractions import Fraction
    >>> attributes(Fraction(1, 3), "numerator", "real")
    {'numerator': 1, 'real': '1/3'}
    """
    return {name: plain(getattr(found, name)) for name in names}
