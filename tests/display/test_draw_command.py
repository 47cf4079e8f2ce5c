"""``efg-builder draw --view`` and ``--strategy``: what is drawn, what it says of it, and what is refused."""

import re

import pytest

import efg_builder as eb
from efg_builder.cli import run
from efg_builder.display.trees import VIEWS


@pytest.fixture
def drawn(tmp_path, capsys):
    """Runs ``draw`` and gives the exit code, stderr, and the words of the picture (None where there is none)."""

    def call(*words):
        path = tmp_path / "picture.svg"
        path.unlink(missing_ok=True)
        code = run(["draw", *words, "-o", str(path)])
        told = capsys.readouterr()
        text = path.read_text("utf-8") if path.exists() else None
        return code, told.out + told.err, text

    return call


def words_in(text):
    return re.findall(r"<text [^>]*>([^<]*)</text>", text)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Solutions, by the name of their game and method."""
    folder, found = tmp_path_factory.mktemp("solutions"), {}
    for name, kind, settings, method in (
        ("two", "liars-dice", {"sides": 2}, "lp"),
        ("three", "liars-dice", {"sides": 3}, "lp"),
        ("sparse", "liars-dice", {"sides": 4}, "oracle"),
    ):
        found[name] = str(folder / f"{name}.json")
        eb.solve(eb.game(kind, **settings), method).write(found[name])
    return found


def test_the_public_view_of_a_solution_without_a_tree_folds_by_reach(drawn, files):
    words = ("liars-dice", "sides=4", "--solution", files["sparse"], "--view", "public")
    code, said, whole = drawn(*words)
    assert (code, "large picture" in said) == (0, False)
    code, said, text = drawn(*words, "--reach", "1/10")
    assert (code, "table" in said) == (0, False)
    tables = [sum(word.startswith("reached ") for word in words_in(each)) for each in (whole, text)]
    assert 1 < tables[1] < tables[0]
    assert any(re.fullmatch(r"\+\d+ never", word) for word in words_in(text))


# --- strategies


@pytest.mark.parametrize(
    ("words", "said", "reached"),
    [
        ("sides=3 --solution three", "equilibrium (exact), worth −1/9 to Player 1", 5),
        ("sides=4 --strategy equilibrium", "equilibrium (exact), worth −1/8 to Player 1", None),
        ("sides=4 --solution sparse", "equilibrium (exact), worth −1/8 to Player 1", None),
        ("sides=2 --strategy two", "two.json in all seats: worth 0 to Player 1; NashConv 0 (exact)", None),
        ("sides=4 --strategy sparse", "sparse.json in all seats: worth −1/8 to Player 1; NashConv 0 (exact)", None),
        # One way only: the lowest bid, called; and it holds where a one is among the two dice: 5/9 - 4/9.
        ("sides=3 --strategy always-call", "always-call in all seats: worth 1/9 to Player 1; NashConv 14/9 (exact)", 2),
    ],
)
def test_the_caption_says_what_is_played_and_its_nash_conv(drawn, files, words, said, reached):
    code, _, text = drawn("liars-dice", *(files.get(word, word) for word in words.split()), "--view", "public")
    assert code == 0
    assert said in words_in(text)
    assert reached in (None, sum(word.startswith("reached ") for word in words_in(text)))


def test_a_strategy_by_name_says_what_could_be_gained(drawn):
    found = eb.evaluate(eb.game("liars-dice", sides=2), "uniform").matches[0]
    assert found.nash_conv > 0
    worth = f"worth {found.value[0]} to Player 1; NashConv {found.nash_conv} (exact)".replace("-", "−")
    for view in VIEWS[:2]:
        code, _, text = drawn("liars-dice", "sides=2", "--strategy", "uniform", "--view", view)
        assert code == 0
        assert f"uniform in all seats: {worth}" in words_in(text)
        assert "equilibrium (exact)" not in text


def test_strategies_of_three_players_tell_all_payoffs_and_floats_say_so(drawn, tmp_path):
    game, path = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1), tmp_path / "floats.json"
    eb.solve(game, "gambit-logit").write(path)
    found = eb.evaluate(game, path).matches[0].nash_conv
    assert isinstance(found, float)
    for name, told in (("uniform", "NashConv "), (str(path), f"NashConv {found:.4g} (in floats)".replace("-", "−"))):
        code, _, text = drawn("liars-dice", "dice=1,1,1", "max_quantity=1", "--strategy", name, "--view", "public")
        assert code == 0
        said = " ".join(words_in(text))  # the caption takes two lines
        assert told in said
        assert said.count(" to Player ") == 3


# --- refused


def test_beliefs_that_there_are_none_of_are_told(tmp_path, cli):
    """Dice poker's B sees nothing of A's die: two nodes and more. A centipede has no such set."""
    nothing = "--beliefs has nothing to show: play gets to no information set of several nodes"
    for game, told in (("docs/games/centipede.py", True), ("dice-poker", False)):
        code, _, err = cli("draw", game, "--strategy", "uniform", "--beliefs", "-o", tmp_path / "x.svg")
        assert (code, nothing in err) == (0, told), game
    code, out, _ = cli("run", "docs/games/centipede.py", "--no-report", "--no-gambit", "--beliefs", "--out", tmp_path)
    assert (code, nothing in out) == (0, True)
