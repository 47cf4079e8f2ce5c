"""``efg-builder draw`` and captions: what is drawn, and what is said of it."""

import re
from fractions import Fraction
from types import SimpleNamespace

import pytest
from paths import carried
from test_draw_picture import mixed, tree_of

import efg_builder as eb
from efg_builder.display.trees import VIEWS, DrawOptions, scene_of
from efg_builder.display.trees.colors import fill, ink
from efg_builder.display.trees.subject import caption_of


@pytest.fixture
def drawn(tmp_path, cli):
    """Runs ``draw`` and gives the exit code, what it says, and the picture."""

    def call(*words):
        path = tmp_path / "picture.svg"
        code, out, err = cli("draw", *words, "-o", path)
        return code, out + err, path.read_text("utf-8")

    return call


def words_in(text):
    return re.findall(r"<text [^>]*>([^<]*)</text>", text)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Solutions, by the name of their game and method."""
    folder, found = tmp_path_factory.mktemp("solutions"), {}
    for name, sides, method in (("two", 2, "lp"), ("three", 3, "lp"), ("sparse", 4, "oracle")):
        found[name] = str(eb.solve(eb.game("liars-dice", sides=sides), method).write(folder / f"{name}.json"))
    return found


def test_the_public_view_of_a_solution_without_a_tree_folds_by_reach(drawn, files):
    words = ("liars-dice", "sides=4", "--solution", files["sparse"], "--view", "public")
    code, said, whole = drawn(*words)
    assert (code, "large picture" in said) == (0, False)
    code, said, text = drawn(*words, "--reach", "1/10")
    assert (code, "table" in said) == (0, False)
    tables = [sum(word.startswith("reached ") for word in words_in(each)) for each in (whole, text)]
    assert 1 < tables[1] < tables[0]
    assert any(word.startswith("never: ") for word in words_in(text))


# --- strategies


@pytest.mark.parametrize(
    ("words", "said", "reached"),
    [
        ("sides=3 --solution three", {"Exact equilibrium", "−1/9", "value to Player 1"}, 5),
        ("sides=4 --strategy equilibrium", {"Exact equilibrium", "−1/8", "value to Player 1"}, None),
        ("sides=4 --solution sparse", {"Exact equilibrium", "−1/8", "value to Player 1"}, None),
        ("sides=2 --strategy two", {"two.json in all seats: payoff 0 to Player 1; NashConv 0 (exact)"}, None),
        ("sides=4 --strategy sparse", {"sparse.json in all seats: payoff −1/8 to Player 1; NashConv 0 (exact)"}, None),
        # One way only: the lowest bid, called; and it holds where a one is among the two dice: 5/9 - 4/9.
        (
            "sides=3 --strategy always-call",
            {"always-call in all seats: payoff 1/9 to Player 1; NashConv 14/9 (exact)"},
            2,
        ),
    ],
)
def test_the_caption_says_what_is_played_and_its_nash_conv(drawn, files, words, said, reached):
    code, _, text = drawn("liars-dice", *(files.get(word, word) for word in words.split()), "--view", "public")
    assert code == 0
    assert said <= set(words_in(text))
    assert reached in (None, sum(word.startswith("reached ") for word in words_in(text)))


def test_a_strategy_by_name_says_what_could_be_gained(drawn):
    found = eb.evaluate(eb.game("liars-dice", sides=2), "uniform").matches[0]
    assert found.nash_conv > 0
    worth = f"payoff {found.value[0]} to Player 1; NashConv {found.nash_conv} (exact)".replace("-", "−")
    for view in VIEWS[:2]:
        code, _, text = drawn("liars-dice", "sides=2", "--strategy", "uniform", "--view", view)
        assert code == 0
        assert f"uniform in all seats: {worth}" in words_in(text)
        assert "xact equilibrium" not in text


FORGETFUL = """EFG 2 R "Pennies" { "One" "Two" }
p "" 1 1 "a" { "h" "t" } 0
p "" 1 2 "b" { "h" "t" } 0
p "" 2 1 "x" { "h" "t" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { -1 1 }
p "" 2 1 "x" { "h" "t" } 0 t "" 3 "" { -2 2 } t "" 3 "" { -2 2 }
p "" 1 2 "b" { "h" "t" } 0
p "" 2 1 "x" { "h" "t" } 0 t "" 3 "" { -2 2 } t "" 3 "" { -2 2 }
p "" 2 1 "x" { "h" "t" } 0 t "" 2 "" { -1 1 } t "" 1 "" { 1 -1 }
"""
"""Player One forgets the first move, so the best strategies that regret matching finds are no equilibrium."""


def test_strategies_that_are_no_equilibrium_are_not_called_one(tmp_path, cli):
    """The strategy equilibrium is the best one found, and the caption gives what a player gains against it."""
    game, page = tmp_path / "pennies.efg", tmp_path / "p.html"
    game.write_text(FORGETFUL)
    regret = eb.solve(game).regret
    assert regret > 0
    assert cli("draw", game, "--strategy", "equilibrium", "-o", tmp_path / "p.svg")[0] == 0
    said = " ".join(words_in((tmp_path / "p.svg").read_text("utf-8")))
    told = f"best strategies found, not proved an equilibrium: payoff −1 to One; NashConv {regret} (exact)"
    assert told in said
    assert cli("draw", game, "--strategy", "equilibrium", "-o", page)[0] == 0
    shown = carried(page)["solutions"]
    assert shown[0]["caption"] == told
    assert [each["name"].startswith("equilibrium") for each in shown] == [False] * len(shown)


def test_strategies_of_three_players_tell_all_payoffs_and_floats_say_so(drawn, tmp_path, in_process):
    game, path = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1), tmp_path / "floats.json"
    eb.solve(game, "gambit-logit").write(path)
    found = eb.evaluate(game, path).matches[0].nash_conv
    assert isinstance(found, float)
    for name, told in (("uniform", "NashConv "), (str(path), f"NashConv ≈{found:.4g} (floats)".replace("-", "−"))):
        code, _, text = drawn("liars-dice", "dice=1,1,1", "max_quantity=1", "--strategy", name, "--view", "public")
        assert code == 0
        said = " ".join(words_in(text))  # the caption takes two lines
        assert told in said
        assert re.search(r"payoffs \([^,]+, [^,]+, [^,]+\);", said)


# --- refused


def test_beliefs_that_there_are_none_of_are_told(tmp_path, cli):
    """Dice poker's B sees nothing of A's die: two nodes and more. A centipede has no such set."""
    nothing = "--beliefs has nothing to show: no information set with several nodes is reached"
    for game, told in (("docs/games/centipede.py", True), ("dice-poker", False)):
        code, _, err = cli("draw", game, "--strategy", "uniform", "--beliefs", "-o", tmp_path / "x.svg")
        assert (code, nothing in err) == (0, told), game
    code, out, _ = cli("run", "docs/games/centipede.py", "--no-report", "--no-gambit", "--beliefs", "--out", tmp_path)
    assert (code, nothing in out) == (0, True)


def test_beliefs_off_the_path_are_those_of_a_sequential_equilibrium():
    """After Bob's mistake Cat is certain of it: with less than 2/3 she would not reply L (R. Selten, IJGT 4, 1975)."""
    solution = eb.solve("docs/games/horse.py")
    for asked in (True, False):
        scene = scene_of(solution, options=DrawOptions(beliefs=asked))
        assert [text.text for text in scene.texts if text.role == "belief"] == ["1", "0"] * asked


@pytest.mark.parametrize(("game", "refine"), [("kuhn", True), ("kuhn", False), ("docs/games/horse.py", False)])
def test_a_caption_says_sequential_where_the_solver_proved_it(game, refine, tmp_path, drawn, cli):
    """No option of the picture changes the claim."""
    file, kept = tmp_path / "s.json", ["--refine" if refine else "--no-refine"]
    assert cli("solve", game, *kept, "-o", file)[0] == 0
    told = "Exact sequential equilibrium" if refine or game != "kuhn" else "Exact equilibrium"
    if game != "kuhn":
        told += " 1 of 2"
    ways = [["--solution", file], *([["--strategy", "equilibrium"]] if refine else [])]
    for way in ways:
        for options in ([], ["--beliefs"], ["--values"], *([["--view", "public"]] if game == "kuhn" else [])):
            code, _, text = drawn(game, *way, *options)
            assert (code, f">{told}<" in text) == (0, True), (way, options)
    solution = eb.solve(game, refine=refine)
    for options in (DrawOptions(), DrawOptions(beliefs=True)):
        assert captions(scene_of(solution, options=options)) == told
    assert told in captions_of_pages(solution, tmp_path)


def captions_of_pages(solution, folder):
    return carried(eb.write_viewer(solution, folder / "x.html"))["solutions"][0]["caption"]


SAID = "Exact equilibrium, value −1/9 to Player 1"


NINTH = Fraction(1, 9)


def verdict(**other):
    exact = {"equilibrium": True, "exact": True, "regret": Fraction(0), "value": (-NINTH, NINTH)}
    return SimpleNamespace(**exact | {"lower": -NINTH, "upper": -NINTH} | other)


def solution(profile, found):
    return SimpleNamespace(profile=profile, verdict=found)


def captions(scene):
    return " ".join(text.text for text in scene.texts if text.role == "caption")


LESS = {"equilibrium": False, "regret": Fraction(1, 7)}


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({}, SAID),
        ({"exact": False}, "Equilibrium, value −1/9 to Player 1"),
        ({"lower": None}, "Exact equilibrium, payoffs (−1/9, 1/9)"),
        ({"value": (-0.062500006, 0.0), "exact": False}, "Equilibrium, value ≈−0.0625 to Player 1"),
        ({"value": (Fraction(-212027, 7715529), 0)}, "Exact equilibrium, value ≈−0.02748 to Player 1"),
        (LESS | {"lower": None}, "ε-equilibrium, ε = 0.15: no player gains more by deviating"),
        (
            LESS | {"upper": Fraction(-1, 70)},
            "ε-equilibrium, ε = 0.15: no player gains more by deviating; "
            "an opponent gets at most −0.014 a round on average as Player 1, 0.12 as Player 2",
        ),
    ],
)
def test_the_caption_is_the_verdict(found, words):
    tree = tree_of("two sides")
    assert caption_of(tree.players, verdict(**found)) == words
    scene = scene_of(tree, solution(mixed("two sides"), verdict(**found)))
    if "equilibrium" in found:
        assert captions(scene) == words
        return
    # Of an equilibrium its kind stands below the title, and the value or the payoffs at the right.
    kind = "Equilibrium" if found.get("exact") is False else "Exact equilibrium"
    result = [text.text for text in scene.texts if text.role == "result"]
    payoff = words.partition("value ")[2].partition(" ")[0]
    all_of_them = ["(−1/9, 1/9)", "payoffs of Player 1, Player 2"]
    assert (captions(scene), result) == (kind, all_of_them if "lower" in found else [payoff, "value to Player 1"])


def test_the_caption_has_the_payoffs_of_all_players():
    three = verdict(value=(Fraction(5, 16), Fraction(-1, 4), Fraction(-1, 16)), lower=None)
    assert caption_of(("A", "B", "C"), three) == "Exact equilibrium, payoffs (5/16, −1/4, −1/16)"
    assert caption_of(("A", "B", "C"), three, True).startswith("Exact sequential equilibrium, payoffs")
    many = verdict(value=(Fraction(-1),) * 9, lower=None)
    assert caption_of(tuple("ABCDEFGHI"), many) == f"Exact equilibrium, payoffs ({', '.join(['−1'] * 9)})"


def test_nothing_is_said_of_what_was_not_verified_and_another_caption_stays():
    tree, profile = tree_of("two sides"), mixed("two sides")
    for nothing in (solution(profile, None), solution(None, None), profile):
        assert captions(scene_of(tree, nothing)) == ""
    assert captions(scene_of(tree, solution(profile, verdict()), DrawOptions(caption="mine"))) == "mine"


def test_sixteen_players_have_different_colors():
    assert len({fill(player) for player in range(16)}) == len({ink(player) for player in range(16)}) == 16


def test_payoffs_of_many_players_in_one_strategy_are_a_vector(tmp_path, cli):
    names = " ".join(f'"Member {k}"' for k in range(4))
    (tmp_path / "four.efg").write_text(f'EFG 2 R "Four" {{ {names} }}\nt "" 1 "" {{ 1 2 3 4 }}\n')
    assert cli("draw", tmp_path / "four.efg", "--strategy", "uniform", "-o", tmp_path / "x.svg")[0] == 0
    assert "uniform in all seats: payoffs (1, 2, 3, 4); NashConv 0" in (tmp_path / "x.svg").read_text()
