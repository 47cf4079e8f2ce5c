"""What ``zero-intelligence.md`` says was measured: ``python docs/zero_intelligence_measure.py`` makes
``zero-intelligence.json`` anew, in about half an hour; no times are in it, so a rerun gives the same file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import efg_builder as eb
from efg_builder.base.files import write_atomically
from efg_builder.base.rationals import to_json
from efg_builder.players.zero_intelligence import randomised, robust, worst_case

DOCS = Path(__file__).parent
DICE = ((1, 1), (1, 2), (2, 1), (2, 2))
RULES: dict[str, dict[str, Any]] = {"joker": {"sides": 6, "wild": 1, "wild_biddable": False}, "plain": {"sides": 6}}

LISTED = (
    "zero-intelligence",
    "zero-intelligence:tail=exact",
    "zero-intelligence:tail=printed",
    "zero-intelligence:level=printed",
    "zero-intelligence:level=table",
    "zero-intelligence:level=robust",
    "zero-intelligence:ties=lowest",
    "zero-intelligence:ties=uniform",
    "zero-intelligence:spread=1",
    "zero-intelligence:level=printed:spread=1",
    "zero-intelligence:level=printed:ties=uniform",
    "uniform",
    "always-call",
    "lowest-raise",
)
"""Measured in every game; of two dice a side without a wild face, whose arrays are large, ``FEW``."""

FEW = ("zero-intelligence", "zero-intelligence:level=printed", "zero-intelligence:level=printed:spread=1", "uniform")

CALL_Z = ("0", "1/4", "1/2", "3/4", "1", "3/2", "2")
SPREADS = ("0", "1/2", "1")
TIES = ("highest", "lowest", "uniform")

OPPONENTS = (1, 2, 3, 4, 5, 8)
DEVIATIONS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8)


def measured(rules: str, dice: tuple[int, int], spec: str) -> dict[str, Any]:
    """What *spec* plays for itself, NashConv, and the bound on its rounding (None where exact)."""
    found = eb.evaluate(eb.game("liars-dice", dice=dice, **RULES[rules]), spec)
    match = found.matches[0]
    return {
        "game": f"{dice[0]}v{dice[1]}",
        "rules": rules,
        "strategy": spec,
        "value": to_json(match.value[0]) if found.exact else round(float(match.value[0]), 9),
        "nash_conv": to_json(match.nash_conv) if found.exact else round(float(match.nash_conv), 9),
        "exact": found.exact,
    }


def listed() -> Iterator[dict[str, Any]]:
    """The settings that have names, and those that they are compared with."""
    for rules, dice in product(RULES, DICE):
        for spec in FEW if (rules, dice) == ("plain", (2, 2)) else LISTED:
            yield measured(rules, dice, spec)


def grid() -> Iterator[dict[str, Any]]:
    """Levels, spreads and ties, with the joker."""
    for dice, ties, spread, call_z in product(DICE, TIES, SPREADS, CALL_Z):
        spec = f"zero-intelligence:call_z={call_z}:ties={ties}:spread={spread}"
        found = measured("joker", dice, spec)
        kept = {key: found[key] for key in ("game", "nash_conv")}
        yield kept | {"ties": ties, "spread": spread, "call_z": call_z}


def drawn() -> Iterator[dict[str, Any]]:
    """The worst case of normal levels about the robust one, and of the best mean for each deviation."""
    from scipy.optimize import minimize_scalar

    for opponents in OPPONENTS:
        fixed = robust.by_closed_form(opponents)
        yield {"opponents": opponents, "deviation": 0.0, "mean": fixed, "wins": worst_case.worst_case(fixed, opponents)}
        for deviation in DEVIATIONS if opponents in (1, 3, 5) else (0.2, 0.3):
            best = minimize_scalar(
                lambda mean, deviation=deviation, opponents=opponents: (
                    -randomised.worst_case(randomised.normal_level(mean, deviation), opponents)
                ),
                bounds=(fixed - 0.3, fixed + 0.5),
                method="bounded",
                options={"xatol": 2e-3},
            )
            yield {"opponents": opponents, "deviation": deviation, "mean": float(best.x), "wins": -float(best.fun)}


def main() -> None:
    """Measure all, and write the file."""
    parts = (listed, grid, drawn)
    data = {part.__name__: [_rounded(record) for record in part()] for part in parts}
    lines = ",\n".join(
        f' "{name}": [\n' + ",\n".join(f"  {json.dumps(record)}" for record in records) + "\n ]"
        for name, records in data.items()
    )
    write_atomically(DOCS / "zero-intelligence.json", [f"{{\n{lines}\n}}\n".encode()])


def _rounded(record: dict[str, Any]) -> dict[str, Any]:
    return {key: round(value, 9) if isinstance(value, float) else value for key, value in record.items()}


if __name__ == "__main__":
    main()
