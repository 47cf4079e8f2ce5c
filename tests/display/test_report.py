"""The report: its figures against brute force, its page against Python, its words against the rules."""

import base64
import gzip
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DOCS
from small_files import BATTLE, ENTRY, matrix_tree

import efg_builder as eb
from efg_builder.base.facts import fact_lines
from efg_builder.base.words import NOBODY_GUARANTEED, NOBODY_SURE, nobody_gains
from efg_builder.display.markup import at_least, at_most, in_full
from efg_builder.display.report.about import asks_to_refine
from efg_builder.display.report.playing import only_unshown
from efg_builder.equilibria.bids import bid_figures, bluff_shares, replies
from efg_builder.equilibria.ranges import ranges, reached_in_some
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.equilibria.solution_facts import brief_facts
from efg_builder.equilibria.solve import REFINED_NODES, Plan
from efg_builder.games.bidding import FACES
from efg_builder.games.liars_dice import dice_in_words
from efg_builder.games.protocol import Chance, Deal, Decision
from efg_builder.interop.efg.reader import parse_efg
from efg_builder.proof import sparse, verify
from efg_builder.proof.reach import likeliest, payoff_chances, public_by_moves
from efg_builder.strategies.reached import reached
from efg_builder.strategies.sparse_profile import SparseProfile
from efg_builder.strategies.tree_profile import dealt

BIDDING = {
    "one die each": {"sides": 2},
    "two against one": {"sides": 2, "dice": (2, 1)},
    "wild": {"sides": 3, "wild": 1, "wild_biddable": False},
    "three players": {"dice": (1, 1, 1), "max_quantity": 1},
    "points": {"order": "face-quantity", "payoff": "points"},
    # Player 1 is behind whoever loses the call: what is false does not go by who is paid more.
    "stakes": {"dice": "2,1", "lose1": "-1", "lose2": "-1/9"},
}


def by_hand(game, profile):
    """Every bid, counted state by state: (player, bid) to made, bluff, false, called, and held and called by hand."""
    found = {}

    def go(state, p, dice, last):
        turn = game.turn(state)
        if isinstance(turn, Chance):
            for label, chance, then in turn.branches:
                go(then, p * chance, [tuple(map(int, hand.split(","))) for hand in label.split(" vs ")], None)
        if not isinstance(turn, Decision):
            return
        behavior = profile[turn.infoset]
        if last is not None:
            player, bid = last
            quantity, face = map(int, bid.split("x"))
            counts = [sum(die in (face, game.wild) for die in mine) for mine in dice]
            mine = ",".join(map(str, dice[turn.player]))
            entry = found.setdefault(last, {"made": 0, "bluff": 0, "false": 0, "called": 0, "held": {}, "calls": {}})
            entry["made"] += p
            entry["bluff"] += p * (counts[player] == 0)
            entry["false"] += p * (sum(counts) < quantity)
            entry["called"] += p * behavior["call"]
            entry["held"][mine] = entry["held"].get(mine, 0) + p
            entry["calls"][mine] = entry["calls"].get(mine, 0) + p * behavior["call"]
        for action, then in turn.actions:
            if behavior[action]:
                go(then, p * behavior[action], dice, None if action == "call" else (turn.player, action))

    go(game.root(), Fraction(1), None, None)
    return found


@pytest.mark.parametrize("name", BIDDING)
@pytest.mark.parametrize("seed", range(3))
def test_figures_of_bids_are_those_counted_state_by_state(name, seed):
    game = eb.game("liars-dice-stakes" if name == "stakes" else "liars-dice", **BIDDING[name])
    profile = brute.random_profile(eb.build(game), seed)
    right, found = by_hand(game, profile), bid_figures(profile, game)
    assert {(row.player, row.bid) for row in found} == {key for key, entry in right.items() if entry["made"]}
    order = [(row.player, game.bid_names.index(row.bid)) for row in found]
    assert order == sorted(order)
    for row in found:
        entry = right[row.player, row.bid]
        assert row.made == entry["made"]
        shares = [entry[key] / entry["made"] for key in ("bluff", "false", "called")]
        assert [row.bluff, row.false, row.called] == shares
        assert row.answerer == (row.player + 1) % len(game.players)
    for reply in replies(profile, game):
        if reply.bid:
            names, entry = game.hands[reply.player], right[(reply.player - 1) % len(game.players), reply.bid]
            assert {names[hand]: held * reply.reach for hand, (held, _) in reply.hands.items()} == entry["held"]
            calls = {names[hand]: moves.get(game.call, 0) for hand, (_, moves) in reply.hands.items()}
            assert calls == {hand: entry["calls"][hand] / p for hand, p in entry["held"].items()}
            assert all(sum(moves.values()) == 1 for _, moves in reply.hands.values())
    made, bluffs = Counter(), Counter()
    for (player, _), entry in right.items():
        made[player] += entry["made"]
        bluffs[player] += entry["bluff"]
    shares = {player: bluffs[player] / made[player] for player in sorted(made) if made[player]}
    assert bluff_shares(dealt(profile, game).sparse(), game) == shares


@pytest.mark.parametrize("words", [{"sides": 3}, {"sides": 2, "dice": (2, 1)}, {"sides": 3, "wild": "highest"}])
def test_figures_of_bids_are_the_same_without_a_tree(words):
    game = eb.game("liars-dice", **words)
    solution = eb.solve(game, "oracle")
    assert solution.sparse is not None
    strategies = solution.sparse
    assert bid_figures(strategies, game) == bid_figures(strategies.on(eb.build(game)), game)
    bids = {bid.bid: bid.made for bid in solution.bluffs.bids}
    shares = solution.bluffs.shares
    rows = bid_figures(strategies, game)
    for player, name in enumerate(game.players):
        mine = [row for row in rows if row.player == player]
        assert shares[name] == sum(row.made * row.bluff for row in mine) / sum(row.made for row in mine)
    # The first mover makes a bid at least as often as it opens with it.
    assert all(next(r.made for r in rows if (r.player, r.bid) == (0, bid)) >= made for bid, made in bids.items())


TREES = {
    "liars-dice": {},
    "dice-poker": {"sides": 3},
    "mia": {},
    "three": {"dice": (1, 1, 1), "max_quantity": 1},
}


def tree_of(name):
    return eb.build(eb.game("liars-dice" if name == "three" else name, **TREES[name]))


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("seed", range(4))
def test_the_likeliest_course_is_found_by_adding_up_all_courses(name, seed):
    tree = tree_of(name)
    profile = brute.random_profile(tree, seed)
    courses = {}
    for node in range(len(tree)):
        if not tree.is_terminal(node):
            continue
        p, moves, at = Fraction(1), [], node
        while at:
            above = int(tree.parent[at])
            infoset = tree.infosets[tree.infoset[above]]
            p *= profile.probabilities[tree.infoset[above]][tree.action[at]]
            moves += [infoset.actions[tree.action[at]]] if infoset.player >= 0 else []
            at = above
        total, paid = courses.get(tuple(reversed(moves)), (0, [0] * len(tree.players)))
        gained = tree.outcomes[tree.outcome[node]].payoffs
        courses[tuple(reversed(moves))] = (total + p, [a + p * b for a, b in zip(paid, gained, strict=True)])
    found = likeliest(profile)
    assert found.public
    moves = tuple(step.move for step in found.steps)
    assert found.reach == courses[moves][0] == max(p for p, _ in courses.values())
    assert list(found.payoffs) == [paid / found.reach for paid in courses[moves][1]]
    for number, step in enumerate(found.steps):
        start = moves[: number + 1]
        assert step.reach == sum(p for course, (p, _) in courses.items() if course[: number + 1] == start)
        assert sum(h.held for h in step.holdings) == 1
        assert step.chance == sum(h.held * h.plays for h in step.holdings)


@pytest.mark.parametrize("name", TREES)
def test_payoff_chances_sum_to_one_and_have_the_mean_of_the_verdict(name):
    profile = brute.random_profile(tree_of(name), 5)
    found = payoff_chances(profile)
    assert all(sum(mine.values()) == 1 and list(mine) == sorted(mine) for mine in found)
    means = tuple(sum(payoff * p for payoff, p in mine.items()) for mine in found)
    assert means == verify(profile).value


def test_where_moves_are_not_seen_by_all_the_course_is_one_of_nodes():
    rows = {0: (Fraction(1, 3), Fraction(2, 3)), 1: (Fraction(3, 4), Fraction(1, 4))}
    profile = eb.TreeProfile.from_personal(matrix_tree([[1, 2], [3, 4]]), rows)
    found = likeliest(profile)
    assert not found.public
    assert ([s.move for s in found.steps], found.reach, found.payoffs) == (["1", "0"], Fraction(1, 2), (3, -3))


def coin_file(steps, at, players=2):
    """An .efg where, as *steps* says, players move in turn and each sees the coin or not; before turn *at* it falls."""
    numbers = {}

    def go(turn, coin):
        if turn == at and coin is None:
            return f'c "" 1 "coin" {{ "H" 2/3 "T" 1/3 }} 0\n{go(turn, "H")}{go(turn, "T")}'
        if turn == len(steps):
            return 't "" 0\n'
        player, sees = steps[turn]
        key = player, turn, coin if sees else ""
        number = numbers.setdefault(key, 1 + sum(other == player for other, _, _ in numbers))
        return f'p "" {player + 1} {number} "{turn} {key[2]}" {{ "m" }} 0\n{go(turn + 1, coin)}'

    names = " ".join(f'"{name}"' for name in "ABC"[:players])
    return f'EFG 2 R "coin" {{ {names} }}\n{go(0, None)}'


A, B, C = 0, 1, 2


@pytest.mark.parametrize(
    ("steps", "at", "hidden"),
    [([(A, True), (B, True)], 0, False),  # all see it fall
     ([(A, True), (B, False)], 0, True),
     ([(A, False), (B, False)], 0, True),
     ([(A, True), (B, True), (C, False)], 0, True),
     ([(A, True), (B, True), (C, True)], 0, False),
     # B is shown it before the last turn, or is not.
     ([(A, True), (B, False), (A, True), (B, True)], 0, False),
     ([(A, True), (B, False), (A, True), (B, False)], 0, True),
     # It falls in mid-game: whoever still moves sees it, or does not; at the end nobody acts on it.
     ([(A, False), (B, True)], 1, False),
     ([(A, False), (B, False)], 1, True),
     ([(A, False), (B, True), (A, False)], 1, True),
     ([(A, False), (B, True), (A, True)], 1, False),
     ([(A, False), (B, False)], 2, True)],
)  # fmt: skip
def test_a_coin_that_all_see_is_not_hidden(steps, at, hidden):
    tree = parse_efg(coin_file(steps, at, players=3))
    assert (public_by_moves(tree) is not None) == hidden
    assert public_by_moves(tree, dealt=True) is not None
    course = likeliest(eb.TreeProfile.uniform(tree))
    assert course.public == hidden
    # Hidden, it is added up over; seen, it is told.
    assert course.reach == (1 if hidden else Fraction(2, 3))
    assert ("H" in [step.move for step in course.steps]) != hidden


@pytest.mark.parametrize(
    ("name", "words"), [("dice-poker", {}), ("dice-poker", {"sides": 3}), ("mia", {}), ("liars-dice", {"sides": 2})]
)
def test_sets_that_some_equilibrium_reaches_are_those_the_middle_one_does(name, words):
    found = ranges(eb.game(name, **words), vertices=5_000)
    tree, rows = found.tree, {}
    for player, plans in enumerate(found.plans):
        assert plans.vertices is not None
        for k in (k for k in tree.personal if tree.infosets[k].player == player):
            weights = [sum(v.get((k, a), 0) for v in plans.vertices) for a in range(len(tree.infosets[k].actions))]
            total = sum(weights)
            rows[k] = [w / total for w in weights] if total else [Fraction(1, len(weights))] * len(weights)
    # The mean of all vertices plays everything that any equilibrium plays.
    verdict = verify(eb.TreeProfile.from_personal(tree, rows))
    assert verdict.equilibrium
    assert reached_in_some(found) == {k for k in tree.personal if verdict.reach[k]}


def test_what_chance_never_does_is_not_reached():
    text = """EFG 2 R "never" { "A" "B" }
    c "" 1 "coin" { "heads" 1 "edge" 0 } 0
    p "" 1 1 "heads" { "l" "r" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 }
    p "" 2 1 "edge" { "u" "d" } 0 t "" 1 t "" 2"""
    found = ranges(parse_efg(text))
    assert [found.tree.infosets[k].label for k in reached_in_some(found)] == ["heads"]


class Page:
    """What the page says: headings, links, identifiers, text by section, tables as rows of exact numbers or text."""

    def __init__(self, text):
        root = ElementTree.fromstring(re.search(r"<main.*</main>", text, re.DOTALL)[0])
        self.ids = [each.get("id") for each in root.iter() if each.get("id")]
        for picture in root.iterfind(".//div[@class='picture']"):
            picture.clear()
        self.headings = [(int(e.tag[1]), e.text) for e in root.iter() if re.fullmatch(r"h\d", e.tag)]
        self.links = [each.get("href") for each in root.iter("a")]
        self.words = {"head": said(root.find("header"))} | {e.get("id"): said(e) for e in root.iterfind("section")}
        self.tables = {
            table.get("aria-label"): [[cell(each) for each in row] for row in table.iter("tr")]
            for table in root.iter("table")
        }


def said(element):
    return " ".join("".join(element.itertext()).split())


def cell(element):
    """The last exact number of a cell of a table, or its text."""
    exact = [Fraction(each.get("value")) for each in element.iter("data")]
    return exact[-1] if exact else said(element)


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The report on a game as a page, made once; with the exit code."""
    from efg_builder.cli import run

    made = {}

    def get(*words, code=0):
        if words not in made:
            path = tmp_path_factory.mktemp("report") / "report.html"
            assert run(["report", *words, "-o", str(path)]) == code
            made[words] = path.read_text()
        return made[words]

    return get


@pytest.fixture
def report(tmp_path, cli):
    """The page that a command writes, read."""

    def make(*words, code=0):
        page = tmp_path / "r.html"
        assert cli("report", *words, "-o", page)[0] == code
        return Page(page.read_text())

    return make


@pytest.fixture
def of_file(tmp_path, report):
    """The report on an .efg, read."""

    def make(text):
        (tmp_path / "g.efg").write_text(text)
        return report(tmp_path / "g.efg")

    return make


GAMES = [
    ("liars-dice", "sides=2"),
    ("liars-dice", "sides=3"),
    ("dice-poker",),
    ("mia",),
    ("liars-dice", "sides=6", "dice=2,1"),
    ("liars-dice", "dice=1,1,1", "max_quantity=1"),
]
DOT = "·"


def shown_for(words):
    """The game, and the solution that a handout shows where nothing else is asked for."""
    game = eb.game(words[0], **dict(word.split("=") for word in words[1:]))
    return game, eb.solve(game)


# All games but the largest, whose page takes longer than all the others.
ORDERED = [pytest.param(words, marks=pytest.mark.slow) if "dice=2,1" in words else words for words in GAMES]


@pytest.mark.parametrize("words", ORDERED, ids=" ".join)
def test_the_page_is_in_order(words, reported):
    page = Page(reported(*words))
    assert [level for level, _ in page.headings] == [1, 2] + [2] * (len(page.headings) - 2)
    assert len(set(page.ids)) == len(page.ids)
    inner = [link for link in page.links if link.startswith("#")]
    assert len(inner) == len(page.headings) - 2
    assert {link[1:] for link in inner} <= set(page.ids)
    assert all(page.words[link[1:]].strip() for link in inner)
    assert not [link for link in page.links if not link.startswith(("#", "data:application/gzip"))]
    assert "://" not in re.sub(r"<script.*?</script>|<svg.*?</svg>", "", reported(*words), flags=re.DOTALL)


LARGE, THREE = GAMES[4], GAMES[5]
THREE_SIDES = ("liars-dice", "sides=3", "dice=1,1,1")
POKER, PLAIN = ("dice-poker",), ("dice-poker", "--no-refine")
RAISES = "with hand \u2680, A makes the move raise in 2/3 of the cases. With this hand, A never gains"

# The game, a section of its page, what is said there, and how often. Values are the README's; with payoffs 1 and -1 and
# the value v, player 1 wins (1 + v)/2 of the rounds; the only optimal strategy of dice poker raises two ones of three.
SAID = [
    *((GAMES[1], section, "Player 1 wins 4/9, Player 2 wins 5/9 of all rounds", 1)
      for section in ("value", "head")),
    (("mia",), "value", "Player 1 wins 3/4, Player 2 wins 1/4 of all rounds", 1),
    (("liars-dice", "payoff=points"), "value", "Player 1 wins 1/2, Player 2 wins 1/2", 1),
    (GAMES[1], "value", "−1/9 (about −0.1111) to Player 1: Player 2 is ahead by 1/9 of a unit a round", 1),
    (GAMES[1], "value", "Over 9 rounds, this is 1 unit on average.", 1),
    (GAMES[0], "value", "The value of the game is 0 to Player 1: the players are even.", 1),
    (POKER, "value", "5/54 (about 0.09259) to A: A is ahead by 5/54 of a unit", 1),
    (POKER, "value", "Over 54 rounds, this is 5 units on average.", 1),
    (LARGE, "value", "212027/771552 (about 0.2748) to Player 1", 1),
    (LARGE, "value", "Over 1,000 rounds, this is about 275 units on average.", 1),
    (THREE, "value", "value of the game", 0),
    (THREE_SIDES, "value", NOBODY_SURE[1:], 1),
    *((THREE_SIDES, section, said, 0) for said in ("guarantees", "value of the game", "optimal")
      for section in ("head", "value", "certificate")),
    *((THREE_SIDES, "bids", f"Player {k}'s bids", 1) for k in (1, 2, 3)),
    *((words, "head", said, 1) for words in (POKER, PLAIN) for said in (RAISES, "A bluff:")),
    (GAMES[1], "head", "A bluff:", 0),
    (LARGE, "sheet", "Each bar is divided by the probabilities of the moves", 1),
    (LARGE, "head", "Player 1's opening in this equilibrium, averaged over hands: 1x4 ≈20%", 1),
    (LARGE, "head", "efg-builder play liars-dice sides=6 dice=2,1", 1),
    (LARGE, "bids", "has no die of this face", 1),
    (("liars-dice-spot-on", "wild=1"), "head", "has no die of this face and no wild die", 1),
    (("liars-poker",), "head", "A bluff is a bid that nothing in the bidder's hand supports.", 1),  # of digits
    # With two sides, player 1 always opens with 1x1, which player 2 always raises (the value of 0, in the README).
    (GAMES[0], "bids", "Player 1 bids 1x1 in every round. Of these rounds", 1),
    (GAMES[0], "bids", "the bid is a bluff in 1/2 and false in 1/4, and Player 2 never calls it.", 1),
    (GAMES[1], "head", "; none of Player 2's bids", 1),
    *((words, "course", "This sequence of moves is the most common round", 1)
      for words in (("mia",), POKER)),
    # Rolls come in mid-game: no hands stand behind the moves.
    *((("mia",), section, "hand", 0) for section in ("course", "picture")),
    (("mia",), "course", "averaged over all chance moves", 1),
    *((words, "value", "This page shows a sequential equilibrium, which also plays well after mistakes", words == POKER)
      for words in (POKER, PLAIN)),
    (POKER, "certificate", "efg-builder solve dice-poker -o", 1),  # which refines it too
    (PLAIN, "certificate", "efg-builder solve dice-poker --no-refine -o", 1),
    (PLAIN, "head", "efg-builder play dice-poker --no-refine", 1),
    (POKER, "course", "After each move are the hands that make it", 1),
    (POKER, "picture", "by hand", 1),
]  # fmt: skip


def test_what_the_page_says(reported):
    pages = {words: Page(reported(*words)) for words, *_ in SAID}
    for words, section, said, times in SAID:
        found = pages[words].words[section].count(said)
        assert (found == times) if said == "A bluff" else (found > 0) == times, (words, section, said)
    # 66,060,163 nodes: README. 3,538,944 information sets: docs/oracle.md.
    sizes = {row[0]: row[1] for row in pages[LARGE].tables["The game in numbers"][1:]}
    assert sizes["Nodes of the game tree"] == 66_060_163
    assert sum(n for key, n in sizes.items() if key.startswith("Information sets")) == 3_538_944
    assert sizes["Deals (combinations of hands)"] == 21 * 6
    many = 100 * float(sum(row[1] for row in pages[LARGE].tables["Player 2's bids, in this equilibrium"][1:]))
    assert f"of Player 2's bids ({many:.3g} bids in 100 rounds)" in pages[LARGE].words["bids"]


@pytest.mark.parametrize("words", [GAMES[0], GAMES[1], GAMES[4]], ids=" ".join)
def test_the_figures_of_bids_are_pythons(words, reported):
    game, solution = shown_for(words)
    strategies = solution.sparse if solution.sparse else solution.profile
    page, rows = Page(reported(*words)), bid_figures(strategies, game)
    for player, name in enumerate(game.players):
        mine = [row for row in rows if row.player == player]
        table = page.tables[f"{name}'s bids, in this equilibrium"]
        assert table[0] == ["bid", "made", "bluff", "false", "called"]
        assert table[1:] == [[row.bid, row.made, row.bluff, row.false, row.called] for row in mine]


def test_what_is_forced_is_what_the_readme_says(reported):
    page = Page(reported(*GAMES[1]))
    rows = {row[0]: row[1:] for row in page.tables["Player 2 in all equilibria"][1:]}
    free = {name for name, (kind, _) in rows.items() if kind == "free"}
    # README: free is only what a one does after 2x1 and a two after 2x2.
    assert free == {"\u2680: 2x1", "\u2681: 2x2"}
    assert rows["\u2680: 1x1"] == ["forced", "2x1 always"]
    assert rows["\u2682: 1x3"] == ["forced", "2x3 always"]
    # README: player 1 may open any hand with any single face, but never with two of a face not held.
    for hand in (1, 2, 3):
        row = re.search(rf"{FACES[hand - 1]}: startfree(.*?)(?: [{FACES}]:|$)", page.words["equilibria"])[1]
        words = re.findall(r"(\dx\d) 0 to 1", row)
        assert {"1x1", "1x2", "1x3"} <= set(words) <= {"1x1", "1x2", "1x3", f"2x{hand}"}
        # What is left is forced to 0, and said so.
        never = re.search(r"never ([^A-Z:]*)", row)[1].split(", ")
        assert sorted([*words, *never]) == ["1x1", "1x2", "1x3", "2x1", "2x2", "2x3"]
    # 192 information sets in all (README), 96 of each player.
    assert (
        "Of Player 2's 24 information sets that some equilibrium reaches (of 96 in all), 22 are forced"
        in (page.words["equilibria"])
    )
    assert "dimension" not in page.words["equilibria"]


def test_a_handout_shows_the_refined_equilibrium_and_says_so(reported, tmp_path, cli):
    # Who has the better die calls the more often: a three may not be folded where a two is called.
    for words, sane in ((POKER, True), (PLAIN, False)):
        tips = re.findall(r"<title>(.): (?:fold ([0-9/]+))?(?:, )?(?:call ([0-9/]+))?</title>", reported(*words))
        calls = {hand: Fraction(call or 0) for hand, fold, call in tips if fold or call}
        assert (list(calls.values()) == sorted(calls.values())) == sane
    asked = tmp_path / "r.html"
    assert cli("report", "dice-poker", "--refine", "-o", asked)[0] == 0
    same = asked.read_text().replace(f"report dice-poker --refine -o {asked.name}", "").replace(" --refine", "")
    assert same == re.sub(r"report dice-poker -o \S+?(?=<)", "", reported("dice-poker"))


def test_commands_for_a_sequential_equilibrium_refine_only_zero_sum_games(tmp_path, cli):
    # The first of four equilibria of beer or quiche is sequential, and the payoffs do not sum to a constant.
    quiche, saved, page = f"{DOCS}/games/quiche.py:Quiche", tmp_path / "quiche.json", tmp_path / "r.html"
    assert cli("solve", quiche, "--all", "-o", saved)[0] == 0
    assert eb.read_solution(saved, quiche).refined is not None
    assert cli("report", quiche, "--solution", saved, "-o", page)[0] == 0
    assert "To play against an equilibrium: <code>efg-builder play quiche.py:Quiche</code>" in page.read_text()
    large = eb.solve("liars-dice sides=4", refine=True)
    assert len(large.tree) > REFINED_NODES
    assert asks_to_refine(large)


@pytest.mark.parametrize(
    ("name", "settings", "right"),
    [("liars-dice", {"sides": 3}, True), ("liars-dice", {"sides": 4}, False), ("dice-poker", {}, True),
     ("liars-dice", {"sides": 2, "dice": (1, 1, 1), "max_quantity": 1}, False),
     ("liars-dice", {"sides": 6, "dice": (5, 5)}, False)],
)  # fmt: skip
def test_only_small_games_of_two_are_refined_unasked(name, settings, right):
    # 1,144 nodes on three sides, 10,065 on four (README: 125 to 294,877); three players are no two.
    assert (Plan.choose(eb.game(name, **settings)).refine is None) == right


@pytest.mark.parametrize("settings", [{}, {"sides": 2}, {"sides": 4, "bet": "1/2"}, {"ante": "2"}])
def test_a_bet_that_gains_only_by_a_fold_is_one_that_never_wins_when_called(settings):
    game = eb.game("dice-poker", **settings)
    turn = game.public_turn(game.public_root())
    for hand in range(game.sides):
        # By the rules: a called raise wins just where some die of B's is lower.
        wins = any(b < hand for b in range(game.sides))
        assert only_unshown(game, turn, hand, "raise") == (() if wins else ("fold",))
        assert only_unshown(game, turn, hand, "show") == ()
    answer = game.public_turn("raise")
    assert all(only_unshown(game, answer, hand, move) == () for hand in range(game.sides) for move in ("fold", "call"))


@pytest.mark.parametrize("words", GAMES[1:], ids=" ".join)
def test_the_certificate_in_the_page_proves_itself(words, reported, tmp_path, cli):
    link = next(link for link in Page(reported(*words)).links if link.startswith("data:application/gzip;base64,"))
    file = tmp_path / "certificate.json.gz"
    file.write_bytes(base64.b64decode(link.partition(",")[2]))
    code, out, _ = cli("verify", file, *words)
    assert code == 0
    assert "equilibrium: true" in out
    code, _, err = cli("verify", file, "dice-poker", "sides=3")
    assert code != 0, err


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("words", [("sides=2",), ("dice=1,1,1", "max_quantity=1")], ids=" ".join)
def test_a_profile_that_is_no_equilibrium_is_never_called_one(words, seed, tmp_path, report):
    game = eb.game("liars-dice", **dict(word.split("=") for word in words))
    tree = eb.build(game)
    profile = brute.random_profile(tree, seed, zeros=False)
    verdict = verify(profile)
    assert not verdict.equilibrium
    found = Solution(tree, "mine", "not-an-equilibrium", "", 0.0, (Judged(profile, verdict),), game=game)
    said = report("liars-dice", *words, "--solution", found.write(tmp_path / "s.json")).words
    text = "".join(said.values())
    assert "These strategies are not an equilibrium" in text
    claims = re.findall(r"(?i)[^.]*(?:is|in this|a verified|an exact) equilibrium", text)
    assert all("not" in claim for claim in claims)
    assert "by these strategies" in text
    assert "Proved" not in text
    # No player gains more than the page says.
    least = re.search(r"a player can gain (\S+) a round", said["value"])[1]
    most = re.search(r"gains at most (\S+)\.", said["certificate"])[1]
    assert Fraction(least) <= verdict.regret <= Fraction(most)


def test_what_is_nearly_an_equilibrium_is_told_with_its_regret(tmp_path, report):
    game = eb.game("liars-dice", sides=3, dice="1,1,1")
    exact = eb.solve(game).strategy
    # Of the call with a 2 after 1x3 2x1, little is left to another move.
    rows = [dict(each) for each in exact.strategies]
    rows[2]["1x3 2x1"] = rows[2]["1x3 2x1"] | {1: {"call": 1 - Fraction(1, 10**9), "3x1": Fraction(1, 10**9)}}
    near = SparseProfile(game, tuple(rows))
    verdict = verify(near)
    assert 0 < verdict.regret < Fraction(1, 10**8)
    found = Solution(None, "mine", "near-equilibrium", "", 0.0, (Judged(near, verdict),), game=game)
    file = found.write(tmp_path / "s.json")
    words = report("liars-dice", "sides=3", "dice=1,1,1", "--solution", file).words
    assert "Nearly an equilibrium: nobody gains more than" in words["value"]
    assert NOBODY_SURE[1:] in words["value"]
    assert "The solution's file was verified" in words["certificate"]
    assert "this is nearly an equilibrium" in words["certificate"]


def test_strategies_of_a_file_are_proved_once_and_gone_over_twice(tmp_path, report, monkeypatch):
    """Five dice each took two proofs and several walks over all of play, of which each is most of the time."""
    proofs, walks = [], []
    file = eb.solve(eb.game("liars-dice", sides=3), "oracle").write(tmp_path / "s.json")
    expected = sparse._expected  # once in each proof
    monkeypatch.setattr(sparse, "_expected", lambda *of: proofs.append(of) or expected(*of))
    monkeypatch.setattr("efg_builder.equilibria.bids.reached", lambda *of: walks.append(of) or reached(*of))
    words = report("liars-dice", "sides=3", "--solution", file).words
    assert (len(proofs), len(walks)) == (1, 2)  # one walk for the statistics of bids, one for the sheet
    assert "The solution's file was verified" in words["certificate"]
    assert "were read from the file s.json" in words["certificate"]
    assert "−1/9" in words["value"]


def test_of_three_players_what_the_time_limit_left_is_told_with_its_regret(tmp_path):
    tree = eb.build(eb.game("liars-dice", sides=2, dice="1,1,1"))
    uniform = eb.TreeProfile.uniform(tree)
    judged = Judged(uniform, eb.verify(uniform))
    late = Solution(tree, "many", "timeout", "the time limit came first", 0.0, (judged,), game=tree.game)
    gains = nobody_gains(judged.verdict.regret)
    for text in (str(late), "\n".join(fact_lines(brief_facts(late)))):
        assert gains in text
        assert "the time limit came first" in text
        assert NOBODY_GUARANTEED in text
        assert "other equilibria" not in text  # there is none yet
    late.report(tmp_path / "r.html")
    words = Page((tmp_path / "r.html").read_text()).words["value"]
    assert f"not an equilibrium: {gains}" in words
    assert NOBODY_GUARANTEED[1:] in words
    assert "other equilibria" not in words


SEEN = """EFG 2 R "a coin for all to see" { "A" "B" }
c "" 1 "coin" { "H" 2/3 "T" 1/3 } 0
p "" 1 1 "H" { "l" "r" } 0
p "" 2 1 "H l" { "u" "d" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 }
p "" 2 2 "H r" { "u" "d" } 0 t "" 1 t "" 2
p "" 1 2 "T" { "l" "r" } 0
p "" 2 3 "T l" { "u" "d" } 0 t "" 1 t "" 2
p "" 2 4 "T r" { "u" "d" } 0 t "" 1 t "" 2
"""


def test_of_a_file_only_what_applies_is_told(of_file):
    found, page = of_file(BATTLE), of_file(SEEN)
    assert not {"rules", "bids", "equilibria"} & set(found.ids)
    assert {"size", "value", "sheet", "certificate", "made"} <= set(found.ids)
    assert found.headings[0] == (1, "Battle of the Sexes")
    assert "This course of the game is the most probable: 2/3" in page.words["course"]
    assert "Chance: H, 2/3" in page.words["course"]
    assert "The width of a line" in page.words["picture"]
    assert not re.search(r"(?i)\bhands?\b|\bbids?\b|\bdice\b|at the table", "".join(page.words.values()))


def small(best):
    """An .efg whose value is *best*: B chooses between it and less for A, after A chose between that and less."""
    return f"""EFG 2 R "sure" {{ "A" "B" }}
p "" 1 1 "" {{ "l" "r" }} 0
p "" 2 1 "" {{ "u" "d" }} 0 t "" 1 "" {{ {best} -{best} }} t "" 2 "" {{ 2 -2 }}
p "" 2 1 "" {{ "u" "d" }} 0 t "" 3 "" {{ 0 0 }} t "" 4 "" {{ -1 1 }}
"""


def test_of_one_optimal_plan_no_more_is_said_than_is_known(reported, of_file):
    one = of_file(small("1"))
    many, poker, large = (Page(reported(*words)) for words in (GAMES[1], POKER, LARGE))
    plan = "just one optimal plan (its moves are free at information sets that its own moves avoid)"
    assert f"Each player has {plan}." in one.words["value"]
    assert f"A has {plan}." in one.words["equilibria"]
    # A has just one (README), B has many.
    assert "Each player has" not in poker.words["value"]
    for page, several in ((one, False), (poker, True), (many, True)):
        assert ("The game has several equilibria." in page.words["equilibria"]) == several
    assert "has many optimal plans" in many.words["equilibria"]
    assert "Any other equilibrium has the same value, but may play differently." in many.words["value"]
    # Of a large game it is not known whether there are others.
    assert "Any other equilibrium has the same value." in large.words["value"]
    for page in (one, many, poker, large):
        assert not re.search(r"No other strateg|optimal strateg|Other equilibria have", "".join(page.words.values()))


@pytest.mark.parametrize(
    ("value", "said"),
    [("1", ""), ("3/2", "Over 2 rounds, this is 3 units on average."),
     ("1/18", "Over 18 rounds, this is 1 unit on average."),
     ("1/1000", "Over 1,000 rounds, this is 1 unit on average."),
     ("1001/1000", "Over 1,000 rounds, this is 1,001 units on average."),
     ("1/3000", "Over 1,000 rounds, this is about 0.333 units on average."),
     ("200/601", "Over 1,000 rounds, this is about 333 units on average.")],
)  # fmt: skip
def test_how_the_value_adds_up_over_rounds(value, said, of_file):
    words = of_file(small(value)).words["value"]
    assert said in words
    assert words.count("rounds, this is") == bool(said)


LONG = st.fractions(-100, 100) | st.floats(-1e9, 1e9) | st.fractions(0, 1).map(lambda p: p**40)


@given(LONG)
@settings(deadline=None)
def test_bounds_are_rounded_outward(value):
    exact, shown = Fraction(value), {}
    for bound in (at_most, at_least):
        for markup in (bound(value), in_full(value, bound)):
            assert re.search(r'value="(.*?)"', markup)[1] == str(value)
            told = Fraction(re.search(r">(.*?)<", markup)[1].replace("−", "-"))
            assert abs(told - exact) <= max(abs(exact) / 999, Fraction(1, 10**290))
            assert told >= exact if bound is at_most else told <= exact
        shown[bound] = told
    assert shown[at_least] <= shown[at_most]


def test_where_no_equilibrium_is_found_the_page_says_so(reported):
    found = Page(text := reported("liars-dice", "dice=1,1,1", "--method", "lp", code=3))
    assert "No equilibrium was found (not-applicable)" in found.words["value"]
    assert not {"sheet", "bids", "course", "certificate", "equilibria"} & set(found.ids)
    assert "In this equilibrium" not in text


def test_run_writes_it_and_it_tells_the_command_that_makes_the_same(tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "outputs" / "dice-poker_sides-3_report.html"
    for options in ("--method lp ", ""):  # the same equilibrium, whichever command finds it
        code, out, _ = cli("run", "dice-poker", "sides=3", *options.split(), "--no-gambit")
        assert code == 0
        assert str(page.relative_to(tmp_path)) in out
        command = re.search(r"efg-builder (report .*\.html)", Page(page.read_text()).words["made"])[1]
        assert command == f"report dice-poker sides=3 {options}-o {page.name}"
        assert cli(*command.split())[0] == 0
        assert (tmp_path / page.name).read_bytes() == page.read_bytes()
    page.unlink()
    assert cli("run", "dice-poker", "sides=3", "--no-report")[0] == 0
    assert not page.exists()


def test_from_python_it_is_the_same_page(tmp_path, cli):
    by_python, by_command = tmp_path / "r.html", tmp_path / "c.html"
    # A wild face of three is none of the dice of two sides, which are the default: both settings are named.
    wild = {"sides": 3, "wild": 3, "max_quantity": 1}
    for words, refine in (({}, True), ({}, False), (wild, True)):
        options = [*(f"{key}={value}" for key, value in words.items()), *([] if refine else ["--no-refine"])]
        solution = eb.solve(eb.game("liars-dice", **{"dice": (1, 1)} | words), refine=refine)
        assert eb.write_report(solution, by_python) == by_python
        assert cli("report", "liars-dice", *options, "-o", by_command)[0] == 0
        assert by_python.read_text() == by_command.read_text().replace(by_command.name, by_python.name)
    with pytest.raises(eb.ParameterError, match="is a page"):
        eb.write_report(solution, tmp_path / "r.pdf")
    with pytest.raises(eb.ParameterError, match="takes a solution"):
        eb.write_report(solution.profile, by_python)


PARAMETERS = st.fixed_dictionaries(
    {
        "sides": st.integers(2, 7),
        "dice": st.lists(st.integers(1, 4), min_size=2, max_size=4).map(tuple),
        "wild": st.sampled_from(["none", "highest", 1]),
        "wild_biddable": st.booleans(),
        "order": st.sampled_from(["quantity-face", "face-quantity", "bluff"]),
        "max_quantity": st.sampled_from(["dice", "sides", 1, 3]),
    }
).filter(lambda given: given["order"] != "bluff" or (given["wild"] != "none" and given["wild_biddable"]))


@given(PARAMETERS)
@settings(deadline=None)
def test_the_rules_in_words_say_what_the_game_does(parameters):
    game = eb.game("liars-dice", **parameters)
    told = " ".join(game.explain())
    assert told.startswith(f"One round: {dice_in_words(game.dice, game.sides)}. ")
    example = re.search(r"The bid (\d+)x(\d+) says: of the \S+ dice on the table, at least (\d+) shows? a (\d+)", told)
    assert example[1] == example[3]
    assert example[2] == example[4]
    assert f"{example[1]}x{example[2]}" in game.bid_names
    if len(game.bids) > 1:
        count, row = re.search(r"That makes (\d+) bids: (.+?)\. After", told).groups()
        shown = row.split(" < ")
        ranks = [game.bid_names.index(name) for name in shown if name != "..."]
        assert int(count) == len(game.bids)
        assert ranks == sorted(set(ranks))
        assert (ranks[0], ranks[-1]) == (0, len(game.bids) - 1)
        # Dots just where something is left out.
        assert len(shown) == len(ranks) + sum(b > a + 1 for a, b in pairwise(ranks))
    assert ("stand apart" in told) == (game.order == "bluff")
    assert ("is wild" in told) == (game.wild is not None)
    assert ("Nobody may bid on the face" in told) == (game.wild is not None and not game.wild_biddable)
    assert ("are always false" in told) == (game.max_quantity > sum(game.dice))
    assert ("this is a different game" in told) == (game.max_quantity < sum(game.dice))
    assert ("names a higher face, or the same face" in told) == (game.order == "face-quantity" and len(game.bids) > 1)
    end = game.settle(game.called(0, 1), Deal(Fraction(1), (0,) * len(game.players)))
    assert all(str(abs(payoff)) in game.explain()[-1] for payoff in end.payoffs)


def test_other_games_explain_themselves_too():
    poker = " ".join(eb.game("dice-poker", ante="1/2", bet="2/3").explain())
    assert "an ante of 1/2" in poker
    assert "one with a raise and a call 7/6, and a fold costs B 1/2" in poker
    mia = " ".join(eb.game("mia", sides=3, max_rolls=2).explain())
    assert "31 < 32 < 11 < 22 < 33 < 21" in mia
    assert "After roll 2 the answer can only be a doubt" in mia
    assert "only be a doubt:" not in " ".join(eb.game("mia").explain())


COIN = """from fractions import Fraction
import efg_builder as eb

class Coin(eb.Game):
    players = "Alice", "Bob"

    def turn(self, state):
        if state == "":
            return eb.Chance("coin", [("heads", Fraction(1, 2), "H"), ("tails", Fraction(1, 2), "T")])
        moves = [("a", state + "a"), ("b", state + "b")]
        return eb.Decision(0, "toss", moves) if len(state) < 2 else eb.End((1, -1), "")
"""


def unpacked(raw):
    """The bytes of a file, and those of all that is packed into them."""
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    found = [base64.b64decode(part) for part in re.findall(rb"(?:base64,|octet-stream\"[^>]*>)([\w+/=]+)", raw)]
    return b"".join([raw, *(gzip.decompress(part) if part[:2] == b"\x1f\x8b" else part for part in found)])


@pytest.mark.parametrize("own", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_nothing_to_share_names_the_folder_of_its_author(tmp_path, cli, own):
    folder = tmp_path / "folder-of-the-author"
    folder.mkdir()
    (folder / "coin.py").write_text(COIN, "utf-8")
    game = folder / ("coin.py:Coin" if own else "coin.efg")
    if not own:
        assert cli("build", "kuhn", "-o", str(game))[0] == 0
    found = folder / "found.json.gz"
    assert cli("solve", str(game), "-o", str(found))[0] == 0
    for words in (["report"], ["report", "--short"], ["report", "--solution", str(found)], ["play"]):
        page = folder / f"{len(list(folder.iterdir()))}.html"
        assert cli(*words, str(game), "-o", str(page))[0] == 0
    for suffix in ("html", "svg", "pdf", "tex", "gv"):
        assert cli("draw", str(game), "--solution", str(found), "-o", str(folder / f"tree.{suffix}"))[0] == 0
    shared = [path for path in folder.iterdir() if path.suffix not in (".py", ".efg") and path.is_file()]
    assert len(shared) == 10
    assert [path.name for path in shared if folder.name.encode() in unpacked(path.read_bytes())] == []


@pytest.mark.parametrize("nodes", [200_000, 10])
def test_a_handout_without_a_picture_has_its_sheet(nodes, tmp_path, report, monkeypatch):
    """The words "by hand: see below" stood on a page without hands, where the tree was too large for a picture."""
    monkeypatch.setattr("efg_builder.display.report.playing.SHEET", (1, 1))
    monkeypatch.setattr("efg_builder.display.report.about.MOST_NODES", nodes)
    game = eb.game("liars-dice", sides=6, dice=(2, 1))
    file = eb.solve(game, "oracle").write(tmp_path / "found here.json")
    page = report("liars-dice", "sides=6", "dice=2,1", "--short", "--solution", file)
    assert "picture" not in page.words
    assert ("By hand: see below." in page.words["head"]) == ("sheet" in page.words)
    assert "Each bar is divided" in page.words["sheet"]
    assert "efg-builder verify 'found here.json' liars-dice" in page.words["proof"]
    assert "efg-builder solve" not in page.words["proof"]  # nobody knows the options of the search


def test_hands_are_cut_by_their_probability(cli, tmp_path, monkeypatch):
    """Of 6 hands of two three-sided dice, three have probability 2/9; in the alphabet, 1,1 is the first."""
    monkeypatch.setattr("efg_builder.equilibria.solution_facts.SHOWN_HANDS", 3)
    words = ("liars-dice", "sides=3", "dice=2,1")
    code, out, _ = cli("run", *words, "--no-gambit", "--out", tmp_path)
    shown = re.findall(r"^ {14}(\d,\d) ", out, flags=re.MULTILINE)
    assert (code, shown) == (0, ["1,2", "1,3", "2,3"])
    assert "and 3 less probable hands: the solution's file has them all" in out


@pytest.mark.parametrize("short", [False, True])
def test_a_report_lists_equilibria_with_payoffs_and_verdicts(tmp_path, short):
    tree = eb.parse_efg(ENTRY)
    solution = eb.solve(tree, "extreme")
    page = eb.write_report(solution, tmp_path / "report.html", short=short).read_text()
    text = " ".join(re.sub("<[^>]*>", "", page).split())
    assert "Equilibrium 1 of" in text
    for number, one in enumerate(solution.judged, 1):
        payoffs = ", ".join(f"{name} {paid}" for name, paid in zip(tree.players, one.verdict.value, strict=True))
        shown = " (shown here)" if number == 1 else ""
        assert text.count(f"{payoffs}; {one.off_path}{shown}".replace("'", "&#39;")) >= 1
    # A single equilibrium has one sentence.
    single = solution.pick(len(solution.judged))
    alone = replace(single, judged=(single.judged[-1],), number=1, several=False, refined=None)
    assert (
        f"Off the equilibrium path: {alone.off_path}."
        in eb.write_report(alone, tmp_path / "x.html", short=short).read_text()
    )
