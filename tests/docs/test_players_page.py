"""The pages on players and strategies: every player stands there, and the examples do what the pages say."""

import re
import subprocess
import sys
from fractions import Fraction

from paths import ROOT

import efg_builder as eb
from efg_builder.forms.subject import Subject
from efg_builder.players.find import Table, players
from efg_builder.players.kinds.program import end_line, move_line, new_line
from efg_builder.strategies.policy import Uncovered

PAGE = (ROOT / "docs" / "players.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)
ROWS = dict(re.findall(r"^\| `([\w-]+)[^|]*\|(.*)$", PAGE.partition("*Bidding games*")[0], flags=re.MULTILINE))
TRANSCRIPT = next(text for kind, text in BLOCKS if kind == "text").replace("\n    ", " ").splitlines()
THREE = eb.game("liars-dice", sides=3)
DEAL = next(deal for deal in THREE.deals if deal.hands == (1, 2))


def test_every_player_and_its_settings_stand_there():
    assert set(players()) <= set(ROWS)
    for name, player in players().items():
        if "see there" not in ROWS[name]:
            assert {p.name for p in player.parameters} <= set(re.findall(r"`(\w+)`", ROWS[name]))


def after(*moves):
    turn = THREE.public_turn(THREE.public_root())
    for move in moves:
        turn = THREE.public_turn(dict(turn.actions)[move])
    return turn


def test_the_transcript_is_what_is_sent():
    assert [line[2:] for line in TRANSCRIPT if line.startswith("> ")] == [
        new_line(THREE),
        move_line(THREE, after(), 1),
        move_line(THREE, after("1x2"), 2),
        end_line(THREE, Uncovered(0, ("2", "3"), "1x2", "call", THREE.settle(THREE.called(1, 1), DEAL).payoffs)),
        move_line(THREE, after("1x2", "2x1"), 1),
    ]


def test_the_transcript_is_what_the_example_answers():
    given = "".join(f"{line[2:]}\n" for line in TRANSCRIPT if line.startswith("> "))
    example = [sys.executable, str(ROOT / "docs" / "players" / "likely.py")]
    done = subprocess.run(example, input=given, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [line[2:] for line in TRANSCRIPT if line.startswith("< ")]


def test_the_example_is_the_file():
    assert (ROOT / "docs" / "players" / "likely.py").read_text() in [text for kind, text in BLOCKS if kind == "python"]


def test_the_player_of_the_page_plays():
    scope = {}
    exec(next(text for kind, text in BLOCKS if kind == "python" and "PLAYERS" in text), scope)
    (player,) = scope["PLAYERS"]
    game = eb.game("liars-dice")
    word, figure = re.search(r"--strategy stubborn:(\S+)` prints a NashConv of (\d+/\d+)", PAGE).groups()
    policy = player.sit(Table(Subject(game), 1.0, print), **player.settings(word))
    assert eb.evaluate(game, policy).matches[0].nash_conv == Fraction(figure)
