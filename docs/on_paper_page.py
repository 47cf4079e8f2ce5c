"""The tables of ``on-paper.md``, between its marks, and the plots beside it, from ``on-paper.json``."""

from __future__ import annotations

import json
from pathlib import Path

import on_paper_limits as beyond
import on_paper_plots as plots
import on_paper_tables as tables
from on_paper import all_rows
from on_paper_scenarios import checked, deaths, scenarios, speedups
from oracle_page import _between

from efg_builder.base.files import write_atomically

PICTURES = ("predicted.svg", "shares.svg", "speedups.svg")


def render(folder: Path) -> None:
    """Make the tables in ``on-paper.md`` and the plots in ``on-paper/`` anew."""
    data = json.loads((folder / "on-paper.json").read_text())
    rows, simulated = all_rows(data, folder), scenarios(data, folder)
    parts = {
        "counted": tables.counted(rows, data),
        "models": tables.models(data),
        "costs": tables.costs(data, rows),
        "shares": tables.shares(data),
        "failures": beyond.failures(rows, data),
        "predictions": beyond.predictions(rows, data),
        "unseen": tables.unseen(data),
        "limits": beyond.limits(rows, data),
        "full width": tables.full_width(data),
        "brackets": beyond.brackets(rows, data),
        "speedups": speedups(simulated),
        "deaths": deaths(data, folder),
        "checked": checked(data),
    }
    page = folder / "on-paper.md"
    if page.exists():
        found = page.read_text()
        for name, lines in parts.items():
            found = _between(found, name, lines)
        write_atomically(page, [found.encode()])
    pictures = folder / "on-paper"
    pictures.mkdir(exist_ok=True)
    plots.predicted(rows, data, pictures / PICTURES[0])
    plots.shares(data, pictures / PICTURES[1])
    plots.speedups(simulated, pictures / PICTURES[2])
