"""Games of one's own: the page, commands by game, and the mistakes that people make when they write rules."""

import os
import pickle
import re
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from paths import DOCS, ROOT

import efg_builder as eb
import frame
import own_games
from efg_builder.games import catalogue as catalogue_module
from efg_builder.games.catalogue import catalogue
from efg_builder.players import find
from efg_builder.solvers import registry

PAGE = (DOCS / "your-own-game.md").read_text()
FILES = dict(re.findall(r"```python file=(\S+)\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with the games of the page."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- the page


@pytest.mark.slow
def test_games_of_the_page_pass_a_strict_type_checker(folder):
    (folder / "use.py").write_text(
        "import efg_builder as eb\n\nimport coin\n\ntree: eb.GameTree = eb.build(coin.Coin())\n"
    )
    words = [sys.executable, "-m", "mypy", "--strict", "--config-file=", *FILES, "use.py"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | {"MYPYPATH": str(ROOT)})
    own = [line for line in done.stdout.splitlines() if line.startswith((*FILES, "use.py"))]
    assert not own
    assert "source files" in done.stdout, done.stderr


def test_games_of_the_page_are_short():
    # At most thirty lines of rules, and up to six of imports and of blank lines between them.
    assert all(len(text.splitlines()) <= 36 for text in FILES.values())
    for path in (DOCS / "games").glob("*.py"):
        lines = path.read_text().splitlines()
        body = [line for line in lines if line and not line.startswith(('"""', "from", "import"))]
        assert len(body) <= 30, path


def test_messages_of_the_page(folder):
    coin = FILES["coin.py"]
    raised = coin.replace('("doubt", state + "d")]', '("doubt", state + "d"), *([("raise", "r")] * (state[0] == "H"))]')
    for changed in (raised, coin.replace("eb.End((-1, 1)", "eb.End((0.5, 1)")):
        assert changed != coin
        (folder / f"wrong{len(changed)}.py").write_text(changed)
        with pytest.raises(eb.RulesError) as refused:
            eb.build(eb.game(f"wrong{len(changed)}.py"))
        # Which of two states is reached first is not the page's to say.
        assert str(refused.value).partition(":")[2].split(";")[0][:40] in PAGE


# --- four games, all commands


@pytest.mark.slow
def test_the_table_of_commands_and_games():
    found = own_games.answers(ROOT)
    assert frame.filled(PAGE, {"table": own_games.table(found)}) == PAGE
    for row in found.values():
        for code, said in row.values():
            assert code in (0, 2)
            assert code == 0 or (said.startswith("error: ") and len(said) < 200)


VALUES = {
    # With tails against tails Alice checks, and then loses 1 or wins it by the last coin; with heads she may as well
    # check: by hand, both bets are called only by heads.
    "river.py": ("0", "0"),
    # The bluff: Alice claims with tails so often that Bob gains nothing by doubting, 1/3; he doubts 2/3.
    "coin.py": ("1/3", "-1/3"),
    # With four sides, 11/218 by the sequence form's linear program on the tree (test below); six by the double oracle.
    "sums.py": ("519689/17902116", "-519689/17902116"),
    # Cho and Kreps 1987, the intuitive equilibrium: both kinds have beer. The guest: .9 x 3 + .1 x 2, the bully .9.
    "quiche.py": ("29/10", "9/10"),
    # Three subgame-perfect equilibria, by hand; the first: in, and both at the opera.
    "outside.py": ("3", "1"),
}


def test_values():
    for name, value in VALUES.items():
        solution = eb.build(eb.game(str(DOCS / "games" / name))).solve()
        assert (solution.regret, tuple(map(str, solution.value))) == (0, value)
    three = eb.build(eb.game(str(DOCS / "games" / "guts.py"), cards=4)).solve()
    assert (three.regret, sum(three.value)) == (0, 0)


def test_a_game_of_ones_own_is_equal_to_itself_and_travels(folder):
    one, other = eb.game("kuhn.py:Kuhn"), eb.game("kuhn.py:Kuhn", cards=3)
    assert one == other != eb.game("kuhn.py:Kuhn", cards=4)
    assert eb.game("coin.py") == eb.game("coin.py:Coin") != one
    assert pickle.loads(pickle.dumps(one)) == one
    assert eb.build(one) == eb.build(other)


# --- what the command line says

HEAD = "from dataclasses import dataclass\nfrom fractions import Fraction\n\nimport efg_builder as eb\n\n\n"


SETTINGS = '''@dataclass(frozen=True)
class A(eb.Game):
    """A game."""

    need: int
    share: Fraction = Fraction(1, 2)
    players = "One", "Two"

    def __post_init__(self):
        if self.need > 5:
            raise ValueError("need is at most 5")

    def turn(self, state):
        return eb.End((self.need, self.share))
'''
EMPTY = "class A(eb.Game):\n    pass"


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("", "none.py:Kuhn", "cannot read none.py: No such file or directory"),
        (
            "x = 1",
            "a.py",
            "a.py: it has no subclass of eb.Game or eb.DealtGame; define one, and name it as a.py:CLASS",
        ),
        (EMPTY.replace("A(", "Game("), "a.py:Gmae", "a.py has no class 'Gmae'; did you mean 'Game'?"),
        (f"{EMPTY}\n{EMPTY.replace('A(', 'B(')}", "a.py", "a.py: name the class of the game, as in a.py:A"),
        (EMPTY, "a.py:A", "a.py:A lacks players, turn, which every game must define"),
        ("class A:\n    pass", "a.py:A", "a.py:A is not a game; it must be a subclass of eb.Game or eb.DealtGame"),
        ("def f(:", "a.py:A", "a.py, line 7: not valid Python: invalid syntax"),
        ("1 / 0", "a.py:A", "a.py, line 7: ZeroDivisionError: division by zero"),
        ("import nonsense", "a.py:A", "a.py, line 7: ModuleNotFoundError: No module named 'nonsense'"),
        (SETTINGS, "a.py:A", "a.py:A: need has no default; set it"),
        (SETTINGS, "a.py:A need=x", "a.py:A: need=x: must be a whole number from -999999999 to 999999999"),
        (SETTINGS, "a.py:A need=6", "a.py:A: need is at most 5"),
        (SETTINGS, "a.py:A need=1 shar=2", "a.py:A has no parameter 'shar'; did you mean 'share'?"),
        (SETTINGS, "a.py:A need=1 share=x", "a.py:A: share=x: not a number: 'x'"),
        (
            *(SETTINGS.replace("(frozen=True)", ""), "a.py:A"),
            "a.py:A is mutable, but a game must not change; write @dataclass(frozen=True)",
        ),
        (
            *(SETTINGS.replace("need: int", "need: list"), "a.py:A"),
            "a.py:A: its field 'need' has the type list; a setting must have the type int, bool, str, Fraction, "
            "tuple[int, ...] or Literal of strings",
        ),
        (FILES["coin.py"], "a.py:Coin cards=4", "a.py:Coin has no parameter 'cards'; it takes no parameters"),
    ],
)
def test_files_without_a_game_and_wrong_settings(text, words, said, tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(HEAD + text + "\n")
    assert cli("info", *words.split()) == (2, "", f"error: {said}\n")


def test_a_file_of_results_runs_no_file(folder, cli):
    assert cli("sweep", "coin.py:Coin", "-o", "coin.db", "--workers", "1")[0] == 0
    # In another process, to which nobody has named the file.
    command = [sys.executable, "-m", "efg_builder", "verify", "coin.db"]
    alone = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)})
    assert alone.returncode == 3
    assert "to run the file, name the class in the command" in alone.stdout
    named = subprocess.run([*command, "coin.py:Coin"], capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)})
    assert (named.returncode, "1 proved, 0 wrong" in named.stdout) == (0, True)


# --- packages that bring games


@pytest.fixture
def brings(folder, monkeypatch):
    """Installs a package into the folder that brings games, by the lines of its entry points."""
    known = (catalogue_module.REGISTRY, registry.REGISTRY, find.REGISTRY)

    def install(*lines, group=catalogue_module.REGISTRY.group):
        package = folder / "bringing-1.dist-info"
        package.mkdir()
        (package / "METADATA").write_text("Name: bringing\nVersion: 1\n")
        (package / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
        monkeypatch.syspath_prepend(str(folder))
        for each in known:
            vars(each).pop("brought", None)

    yield install
    for each in known:
        vars(each).pop("brought", None)


def test_installed_packages_bring_games(brings, cli):
    brings("kuhn-of-mine = kuhn:Kuhn", "bad = nowhere:Game", "mia = kuhn:Kuhn")
    assert (
        catalogue()["kuhn-of-mine"].summary
        == "Each antes 1 and gets a card; check, or bet 1 more; the higher card wins"
    )
    assert eb.build(eb.game("kuhn-of-mine", cards=4)).solve().value[0] == Fraction(-1, 24)
    code, out, err = cli("games")
    assert code == 0
    assert "kuhn-of-mine  Each antes 1" in out
    bad, mia = sorted(err.splitlines(), reverse=True)
    assert bad == "the game 'bad' (nowhere:Game) cannot be loaded: No module named 'nowhere'"
    assert mia == "kuhn:Kuhn: the name 'mia' is already used by this package"
    assert type(eb.game("mia")).__name__ == "Mia"
    assert cli("info", "bad")[0] == 2


SOLVER = """
import efg_builder as eb


def first_action(tree):
    \"\"\"Play the first action everywhere.\"\"\"
    rows = {k: [int(a == 0) for a in range(len(tree.infosets[k].actions))] for k in tree.personal}
    return {tree.names[k]: dict(zip(tree.infosets[k].actions, row)) for k, row in rows.items()}


def bad(tree):
    return 1 / 0


def careful(turn, hand):
    \"\"\"Check and fold.\"\"\"
    return {turn.actions[0][0]: 1}
"""


def test_installed_packages_bring_solvers(brings, folder, cli):
    (folder / "theirs.py").write_text(SOLVER)
    brings(
        "first = theirs:first_action",
        "bad = theirs:bad",
        "none = nowhere:f",
        "lp = theirs:bad",
        group=registry.REGISTRY.group,
    )
    solution = eb.solve("kuhn", "first")
    assert (solution.method, solution.status, solution.exact) == ("first", "bracket", False)
    assert solution.value == eb.evaluate("kuhn", solution).matches[0].value
    assert eb.solve("kuhn", "lp").exact  # ours
    for name, problem in {
        "bad": "the solver bad failed: ZeroDivisionError",
        "none": "cannot be loaded: No mod",
    }.items():
        with pytest.raises(eb.EfgBuilderError, match=problem):
            eb.solve("kuhn", name)
        code, out, err = cli("solve", "kuhn", "--method", name)
        assert (code, out, err.count("\n")) == (3 if name == "bad" else 2, "", 1)
    assert "first" in cli("solve", "--list-methods")[1]
    assert cli("solve", "kuhn", "--method", "first", "-o", "first.json")[0] in (0, 3)
    assert cli("verify", "first.json")[0] == 0


def test_installed_packages_bring_players(brings, folder, cli):
    (folder / "theirs.py").write_text(SOLVER)
    brings("careful = theirs:careful", "none = nowhere:f", "uniform = theirs:careful", group=find.REGISTRY.group)
    assert eb.evaluate("kuhn", "careful").matches[0].value == (0, 0)  # both check
    assert "Check and fold" in cli("evaluate", "--list-players")[1]
    assert cli("arena", "kuhn", "--players", "careful,uniform", "--games", "10", "-o", "a.db")[0] == 0
    with pytest.raises(eb.RulesError, match=r"the player 'none' .* cannot be loaded"):
        eb.evaluate("kuhn", "none")


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda tree: None, "returned NoneType, not a strategy or a mapping"),
        (lambda tree: "x", "returned str 'x', not a strategy or a mapping"),
        (lambda tree: {"no set": {"a": 1}}, "there is no information set 'no set'"),
        (lambda tree: {"1: start": {"check": 2}}, r"the probability of 'check' is above 1 \(2\)"),
        (lambda tree: eb.TreeProfile.uniform(eb.build("dice-poker sides=2")), "is for 'Dice poker"),
        (lambda tree: eb.game("none"), "there is no game 'none'"),
    ],
)
def test_what_a_function_returns_is_judged_like_any_other(answer, problem):
    with pytest.raises(eb.EfgBuilderError, match=problem):
        eb.solve("kuhn", answer)


# --- rules that are wrong


class Right(eb.Game):
    """A coin, a choice, an end; each mistake below replaces a piece."""

    players = "Ann", "Bob"

    def turn(self, state):
        if state == "":
            return eb.Chance("coin", self.branches())
        if state in ("H", "T"):
            return self.choice(state)
        return self.end(state)

    def branches(self):
        return [("heads", Fraction(1, 2), "H"), ("tails", Fraction(1, 2), "T")]

    def choice(self, state):
        return eb.Decision(0, "Ann", [("left", state + "l"), ("right", state + "r")])

    def end(self, state):
        return eb.End((1, -1))


class Table(eb.DealtGame):
    """Two hands each, one choice; each mistake below replaces a piece."""

    players = "Ann", "Bob"
    hands = (("lo", "hi"), ("lo", "hi"))
    deals = tuple(eb.Deal(Fraction(1, 4), (a, b)) for a in range(2) for b in range(2))

    def public_turn(self, state):
        if state == "":
            return eb.PublicDecision(0, "", [("left", "l"), ("right", "r")])
        return eb.PublicEnd(state)

    def settle(self, key, deal):
        return eb.End((1, -1))


def half(*labels):
    return [(label, Fraction(1, 2), label[0]) for label in labels]


def test_public_play_is_walked_once():
    walked = []

    class Seen(Table):
        def public_turn(self, state):
            walked.append(state)
            return super().public_turn(state)

    tree = eb.build(Seen())
    assert sorted(walked) == ["", "l", "r"]
    assert (tree.game.size().nodes, tree.game.constant_sum) == (len(tree), 0)
    assert sorted(walked) == ["", "l", "r"]


def test_sets_of_one_name_are_those_of_each_player():
    class Both(eb.Game):
        players = "Ann", "Bob"

        def turn(self, state):
            if len(state) == 2:
                return eb.End((1, -1))
            return eb.Decision(len(state), "start", [("left", state + "l"), ("right", state + "r")])

    assert [(infoset.player, infoset.label) for infoset in eb.build(Both()).infosets] == [(0, "start"), (1, "start")]


RIGHT = [  # (what is replaced, by what or by what it returns, the message)
    *(("end", eb.End((x, 1)), f"'Hl': the payoff of Ann is the float {x}; it must be a") for x in (inf, -inf, nan)),
    ("end", eb.End((0.5, -0.5)), "state 'Hl': the payoff of Ann is the float 0.5; write Fraction(1, 2)"),
    ("end", eb.End(("1", -1)), "state 'Hl': the payoff of Ann is '1', a str; it must be a whole number or a Fraction"),
    *(
        (
            "end",
            eb.End((x, -1)),
            f"'Hl': the payoff of Ann is {x} with integers of type int64, which overflow; convert them with int",
        )
        for x in (np.int64(1), Fraction(np.int64(1), np.int64(3)), Fraction(np.int64(1), 3))
    ),
    ("end", eb.End((1,)), "state 'Hl': the payoffs are (Fraction(1, 1),); there must be one for each of 2 players"),
    ("end", eb.End(1), "state 'Hl': the payoffs are 1; there must be one for each of 2 players"),
    ("constant_sum", 1, "state 'Hl': the payoffs sum to 0, but constant_sum is 1"),
    ("branches", half("H", "H"), "state '': a branch of chance appears twice: 'H'"),
    (
        *("branches", [("heads", 0.5, "H"), ("tails", 0.5, "T")]),
        "state '': the probability of 'heads' is the float 0.5; write Fraction(1, 2)",
    ),
    (
        *("branches", half("Heads", "Tails", "Edge")),
        "state '': the probabilities of 'coin' sum to 3/2, not 1: Heads 1/2, Tails 1/2, Edge 1/2",
    ),
    ("branches", [("heads", 2, "H"), ("tails", -1, "T")], "state '': the probability of 'tails' is -1, below 0"),
    (
        *("choice", lambda self, s: eb.Decision(0, "Ann", [(s, "x")])),
        "state 'T': the information set 'Ann' of Ann has the actions T here and H elsewhere",
    ),
    ("choice", eb.Decision(0, "Ann", []), "state 'H': actions are []; there must be at least one"),
    (
        "choice",
        eb.Decision(0, "Ann", ["l", "r"]),
        "state 'H': actions contain 'l'; write actions as in (('check', next",
    ),
    ("choice", eb.Decision(0, "Ann", ("left", "right")), "state 'H': actions contain 'left'; write actions as in"),
    ("choice", eb.Decision(0, "Ann", [("l", "x"), ("l", "y")]), "state 'H': an action appears twice: 'l'"),
    ("choice", eb.Decision(2, "C", [("l", "x")]), "state 'H': there is no player 2; players are numbered from 0 to 1"),
    ("choice", eb.Decision("Ann", "A", [("l", "x")]), "state 'H': there is no player 'Ann'; players are numbered from"),
    ("choice", eb.Decision(0, None, [("l", "x")]), "state 'H': infoset is None; it must be text"),
    ("choice", eb.Decision(0, ["Ann"], [("l", "x")]), "state 'H': infoset is ['Ann'], a list; it must be text"),
    ("turn", eb.Chance(None, [("a", 1, "")]), "state '': the label of a Chance is None; it must be text"),
    ("end", None, "state 'Hl': turn() returned None; it must return Chance, Decision or End"),
    ("end", lambda self, s: {}[s], "state 'Hl': KeyError: 'Hl' (test_own.py, line "),
    ("end", lambda self, s: eb.Decision(0, s, [("on", s + ".")]), "play has not ended after 10,000 moves; it must end"),
    ("end", lambda self, s: eb.End((1, -1) if s == "Hl" else (1.0, -1.0)), "the float 1.0"),  # equal, and no fraction
    ("players", "Ann", "Broken: players is 'Ann', a str; it must list the players' names, as in ('Alice', 'Bob')"),
    ("players", ("Ann", "Ann"), "Broken: two players are called 'Ann'"),
]
TABLE = [
    ("hands", (("lo", "hi"),), "Broken: hands has 1 entry for 2 players"),
    ("hands", ("lo", "hi"), "Broken: hands is ('lo', 'hi'); it must list each player's hands"),
    ("hand_names", "JQ", "Broken: hand_names is 'JQ'; it must list each player's names"),
    ("hand_names", (("J", "Q"),), "Broken: hand_names has 1 entry for 2 players"),
    ("hand_names", (("J", "Q", "K"), ("J", "Q")), "Broken: hand_names has 3 names for the 2 hands of Ann"),
    ("hand_names", (("J", "Q"), ("J", 2)), "Broken: hand_names has 2; a name must be nonempty text without a colon"),
    ("hand_names", (("J", "J"), ("J", "Q")), "Broken: hand_names has 'J' twice for Ann"),
    (
        "hand_names",
        (("J", "lo"), ("J", "Q")),
        "Broken: hand_names renames 'hi' of Ann to 'lo', the name of another hand in hands",
    ),
    ("deals", Table.deals[:3], "Broken: the probabilities of deals sum to 3/4, not 1"),
    ("deals", (), "Broken: deals is (); it must list each Deal(probability, indices of the hands)"),
    ("deals", (eb.Deal(1, (0, 2)),), "must have one hand index, from 0, for each of 2 players"),
    ("deals", (eb.Deal(1, ("lo", "hi")),), "must have one hand index, from 0, for each of 2 players"),
    ("deals", (Table.deals[0], *Table.deals[:3]), "Broken: the hands (0, 0) are dealt twice"),
    ("deals", (eb.Deal(1.0, (0, 0)),), "Broken: the probability of 'lo vs lo' is the float 1.0; write Fraction(1, 1)"),
    ("public_turn", eb.End((1, -1)), "state '': public_turn() returned End("),
    (
        *(
            "public_turn",
            lambda self, s: eb.PublicDecision(0, "x", [("on", s + ".")]) if len(s) < 2 else eb.PublicEnd(s),
        ),
        "Broken: two public turns of Ann have the history 'x'",
    ),
    ("settle", (1, -1), "settle() returned (1, -1), a tuple; it must return End"),
    (
        *("infoset_name", lambda self, player, hand, history: f"{player} {history}"),  # nobody sees the own hand
        "infoset_name() gives '0 ' to 2 hands or histories of Ann",
    ),
]


@pytest.mark.parametrize(
    ("base", "name", "piece", "said"), [(base, *row) for base, rows in ((Right, RIGHT), (Table, TABLE)) for row in rows]
)
def test_each_mistake_is_one_line(base, name, piece, said):
    assert eb.build(base()).solve().regret == 0  # without the mistake nothing is wrong
    method = callable(getattr(base, name)) and not callable(piece)
    broken = type("Broken", (base,), {name: (lambda self, *_: piece) if method else piece})
    with pytest.raises(eb.RulesError) as refused:
        eb.build(broken())
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith("Broken")


@pytest.mark.parametrize(("base", "name"), [(Right, "turn"), (Right, "size"), (Table, "claim"), (Table, "settle")])
def test_a_parameter_cannot_take_the_name_of_a_method(base, name):
    kind = dataclass(frozen=True)(type("Broken", (base,), {"__annotations__": {name: int}, name: 1}))
    with pytest.raises(eb.RulesError) as refused:
        eb.build(kind())
    assert str(refused.value).startswith(
        f"Broken: {name} is 1, an int; give this parameter another name, because {name}() is a method"
    )
    assert eb.build(dataclass(type("Mine", (Right,), {"__annotations__": {"claim": int}, "claim": 1}))()).solve().exact


def test_a_public_turn_of_another_kind_is_one_line_before_any_tree():
    broken = type("Broken", (Table,), {"public_turn": lambda self, _: eb.End((1, -1))})()
    for looked_at in (broken.size, lambda: broken.constant_sum, lambda: list(broken.turns())):
        with pytest.raises(
            eb.RulesError, match=r"^Broken, state '': public_turn\(\) returned End\(.*must return Public"
        ):
            looked_at()


def test_a_list_of_players_is_as_good_as_a_tuple():
    listed = eb.build(type("Listed", (Right,), {"players": ["Ann", "Bob"]})())
    assert hash(listed) == hash(eb.build(listed.to_efg()))


def test_a_game_with_slots_has_settings_and_travels_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = HEAD + SETTINGS.replace("(frozen=True)", "(frozen=True, slots=True)")
    (tmp_path / "slots.py").write_text(
        text.replace('    players = "One", "Two"\n', "").replace(
            "    def turn", '    @property\n    def players(self):\n        return ("One", "Two")\n\n    def turn'
        )
    )
    game = eb.game("slots.py:A", need=3, share=Fraction(1, 3))
    assert eb.build(game).payoffs[0] == (3, Fraction(1, 3))
    packed = pickle.dumps(game)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert pickle.loads(packed) == game


def test_a_tree_with_equal_labels_is_carried(tmp_path, cli):
    (tmp_path / "g.efg").write_text(
        'EFG 2 R "twice" { "A" "B" }\np "" 1 1 "S" { "l" "r" } 0\np "" 1 2 "S" { "l" "r" } 0\n'
        't "" 1 "" { 1, 2 }\nt "" 2 "" { 3, 1 }\nt "" 3 "" { 2, 2 }\n'
    )
    assert cli("solve", tmp_path / "g.efg", "-o", tmp_path / "g.json")[0] == 0
    code, out, _ = cli("verify", tmp_path / "g.json")
    assert (code, "claim         equilibrium: true" in out) == (0, True)


ENDINGS = ("import sys; sys.exit(3)", "raise SystemExit", "exit()")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("command", ["solve", "info", "play --players uniform,uniform --rounds 1"])
def test_a_file_that_ends_the_program_is_one_line(ending, command, folder, cli, monkeypatch):
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115 (exit() closes it)
    where = {"": "while it was read", "coin.py": "in turn()", "kuhn.py": "in deals()"}
    for name, method in (
        ("coin.py", ""),
        ("coin.py", "turn(self, state: str) -> eb.Chance | eb.Decision | eb.End"),
        ("kuhn.py", "deals(self) -> tuple[eb.Deal, ...]"),
    ):
        text = FILES[name]
        head = f"    def {method}:\n"
        changed = text.replace(head, f"{head}        {ending}\n") if method else f"{text}\n{ending}\n"
        assert changed != text
        (folder / "ends.py").write_text(changed)
        first, *rest = command.split()
        code, out, err = cli(first, "ends.py", *rest)
        assert (code, out) == (2, "")
        assert err.endswith(f"ends.py ended the program (sys.exit) {where[name if method else '']}\n")
        assert err.count("\n") == 1
        with pytest.raises(eb.RulesError, match="ended the program"):
            eb.solve(eb.game("ends.py"))


def test_a_file_may_be_a_program_too(folder, cli):
    (folder / "both.py").write_text(FILES["coin.py"] + '\nif __name__ == "__main__":\n    raise SystemExit(3)\n')
    assert cli("solve", "both.py")[0] == 0
