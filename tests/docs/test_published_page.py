"""The page "Is this published strategy right?": its table of results is what ``evaluate`` finds for its files."""

import re
from fractions import Fraction as F

import pytest
from paths import DOCS

import efg_builder as eb

PAGE = (DOCS / "howto" / "published.md").read_text("utf-8")
FILES = dict(re.findall(r"(?ms)^```\w+ file=(\S+)\n(.*?)^```$", PAGE))

ROWS = {
    "first version of a blog post": ("dice-poker", "draft.csv", None, "A gains 5/9", (F(0), F(5, 9))),
    "the same post": ("dice-poker", "post.csv", None, "payoff 5/54", (F(5, 54), F(0))),
    "advice in words": ("kuhn", "words.csv", "equilibrium", "loses 1/18 to the equilibrium", (F(-1, 18), F(1, 18))),
    "five sides": ("liars-dice sides=5", "snyd.csv", "equilibrium", "guarantees -3/25", (F(-3, 25), F(0))),
}
"""By words of the row: game, file, opponent, what the row says, and the first player's payoff and NashConv."""


@pytest.mark.parametrize("words", ROWS)
def test_the_table_says_what_the_program_finds(words, tmp_path):
    game, file, against, said, (value, nash_conv) = ROWS[words]
    (tmp_path / file).write_text(FILES[file], "utf-8")
    match = eb.evaluate(game, tmp_path / file, against).matches[0]
    assert (match.value[0], match.nash_conv) == (value, nash_conv)
    row = next(line for line in PAGE.split("\n") if line.startswith("|") and words in line)
    assert said in row


def test_a_best_response_wins_twice_as_much_from_the_advice(tmp_path):
    (tmp_path / "words.csv").write_text(FILES["words.csv"], "utf-8")
    assert eb.evaluate("kuhn", tmp_path / "words.csv", "equilibrium").matches[0].best_response[1] == F(1, 9)
    assert "1/9 to a best response" in PAGE
