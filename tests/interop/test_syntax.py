"""Malformed files of each text format: the error says the file, the line, the column and the problem in one line."""

import csv
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder.interop.ef import parse_ef
from efg_builder.interop.nfg import parse_nfg

PARSERS = {"efg": eb.parse_efg, "nfg": parse_nfg, "ef": parse_ef}

with Path(__file__).with_name("malformed.csv").open() as file:
    ROWS = list(csv.DictReader(file))
"""The kind of file, the place of the mistake, the problem and the text, with escapes as in Python."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kind']} {row['problem']}")
def test_errors_say_where(row):
    kind, text, place = row["kind"], row["text"].encode().decode("unicode_escape"), (row["line"], row["column"])
    with pytest.raises(eb.EfgSyntaxError) as caught:
        PARSERS[kind](text, f"game.{kind}")
    error = caught.value
    assert row["problem"] in error.problem
    assert (str(error.line), str(error.column)) == place
    assert str(error).startswith(":".join([f"game.{kind}", *place, " "]))
    assert "\n" not in str(error)
    if kind == "efg":
        assert text.split("\n")[error.line - 1][error.column - 1 :].startswith(error.text.removesuffix("..."))
