"""``efg-builder play`` as people use it: lines typed, a score at the end."""

import json
import re
from fractions import Fraction

import pytest
from paths import DOCS, carried
from play_games import typed
from small_files import ENTRY

import efg_builder as eb
from efg_builder.display.pages.play import MAX_DEALS, MAX_ROWS, MAX_TREE
from efg_builder.players.rounds.boards import MAX_TURNS


def test_a_round_against_who_always_calls_is_scored_as_by_hand():
    # Against a sure call the first bid decides: any face that one holds wins 1, so best play is worth 1 and no luck is
    # left; two of a face that one does not hold lose 1 for sure, a mistake of 2.
    game = "liars-dice --strategy always-call --seed 4 --rounds 2 --json"
    hand = re.search(r"You hold (\d)\.", typed(game, []).stderr)[1]
    other = str(3 - int(hand))
    done = typed(game, [f"1 x {hand}", "2x9", f"2x{other}", f"2x{other}"])
    data = json.loads(done.stdout)
    first, second = data["rounds"]
    assert (first["result"], first["start"], first["luck"], first["price"]) == ("1", "1", "0", "0")
    assert first["events"][1:] == [[1, f"1x{hand}"], [2, "call"]]
    held = second["uncovered"][0][1]
    lost = held != other
    assert second["price"] == ("2" if lost else str(Fraction(1) - Fraction(second["steps"][0]["values"][f"2x{other}"])))
    assert data["score"]["rounds"] == 2
    for name in ("result", "start", "price", "luck"):
        assert Fraction(data["score"][name]) == Fraction(first[name]) + Fraction(second[name])
    for step in (*first["steps"], *second["steps"]):
        values = {action: Fraction(value) for action, value in step["values"].items()}
        assert Fraction(step["price"]) == max(values.values()) - values[step["action"]]
    assert first["steps"][0]["infoset"] == f"{hand}: start"
    assert data["opponent"] == {"name": "always-call", "caption": "not verified", "equilibrium": False}
    assert "'2x9' is not a legal move" in done.stderr


def test_after_a_move_that_it_never_makes_the_equilibrium_is_no_advice():
    for seed in range(20):
        done = typed(f"liars-dice --seed {seed}", ["1x1", "e", "q"])
        if "Player 2 bids" in done.stdout:
            break
    else:
        pytest.fail("player 2 never raises")
    hand = re.search(r"You hold (\d)\.", done.stdout)[1]
    profile = eb.solve(eb.build(eb.game("liars-dice"))).profile
    strayed = profile[f"{hand}: start"]["1x1"] == 0
    assert ("do not rely on this advice" in done.stdout) == strayed


def test_the_best_strategy_found_in_the_time_plays_and_says_how_good_it_is(cli, tmp_path):
    done = typed("liars-dice sides=6 dice=3,3 --timeout 0.05 --seed 1", ["e", "?", "q"])
    assert done.exit_code == 0
    assert "e  advice from these strategies\n" in done.stdout
    proved = r"proved: you get at most \d\.\d+ a round on average as Player 1, \d\.\d+ as Player 2"
    assert re.search(rf"Against you: the best strategy found \({proved}\)\.", done.stdout)
    assert "These strategies would play " in done.stdout
    page = tmp_path / "p.html"
    assert cli("play", "liars-dice", "sides=6", "dice=3,3", "--timeout", "0.05", "-o", page)[0] == 0
    assert carried(page)["opponent"]["caption"].startswith("proved: you get at most ")


def test_a_page_to_play_on_solves_for_nothing_that_was_not_asked_for(cli, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("solved")

    solution = eb.solve(eb.game("liars-dice", sides=6, dice=(2, 1)), gap=1).write(tmp_path / "s.json")
    monkeypatch.setattr("efg_builder.players.kinds.equilibrium.solve", refuse)
    for words in (["sides=6", "dice=2,1", "--solution", solution], ["sides=3", "--strategy", "uniform"]):
        assert cli("play", "liars-dice", *words, "-o", tmp_path / "p.html")[0] == 0
    with pytest.raises(AssertionError, match="solved"):
        cli("play", "liars-dice", "sides=3", "--strategy", "uniform", "--advice", "-o", tmp_path / "p.html")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        # 1 + 30^2 deals * (two turns, three ends)
        ("dice-poker sides=30 --strategy uniform", "a tree of 4,501 nodes is too large for a page (limit 4,000)"),
        # 252 = C(10, 5) hands of five dice each
        (
            "liars-dice sides=6 dice=5,5,5 --strategy always-call",
            "16,003,008 deals are too many for a page (limit 1,000,000)",
        ),
    ],
)
def test_a_page_of_what_is_too_large_is_refused(cli, tmp_path, words, message, monkeypatch):
    monkeypatch.setattr("efg_builder.display.pages.play.MAX_TREE", 4_000)  # 400,000, which takes half a minute
    code, _, err = cli("play", *words.split(), "-o", tmp_path / "page.html")
    assert code == 2
    assert f"{message}; it can be played in the terminal" in err
    assert list(tmp_path.iterdir()) == []


def test_limits_of_the_page_are_those_of_the_code():
    text = (DOCS / "play.md").read_text()
    for limit in (MAX_TURNS, MAX_ROWS, MAX_TREE, MAX_DEALS):
        assert f"more than {limit:,}" in text


def test_an_opponent_has_its_verdict_off_the_path(tmp_path, cli, monkeypatch):
    verdict = "not sequential: at "
    three, page = ("liars-dice", "dice=1,1,1"), tmp_path / "p.html"
    assert f"(verified, exact; {verdict}" in typed(f"{' '.join(three)} --seed 1 --rounds 1", ["q"]).stdout
    cli("play", *three, "-o", page)
    assert f"verified, exact; {verdict}" in carried(page)["opponent"]["caption"]
    assert cli("play", *three, "--players", "equilibrium", "--rounds", "1")[2].startswith(f"equilibrium: {verdict}")
    (tmp_path / "entry.efg").write_text(ENTRY)  # backward induction
    assert "equilibrium (verified, exact).\n" in typed(f"{tmp_path / 'entry.efg'} --seed 1", ["q"]).stdout
    monkeypatch.setattr("efg_builder.proof.refinement.MOST_NODES", 0)
    warning = "moves off the equilibrium path were not checked, so a threat there may be empty"
    cli("play", *three, "-o", page)
    assert warning in carried(page)["opponent"]["caption"]
