"""The sentences of the documents that say "only", "all" or "never" of the equilibria of an example.

Each is put to the program, or names the test that does it. A new sentence of this kind fails until it has one.
"""

import re
from fractions import Fraction as F

import pytest
from paths import DOCS, ROOT, TESTS

import efg_builder as eb

PAGES = {path.relative_to(ROOT).as_posix(): path.read_text() for path in [ROOT / "README.md", *DOCS.rglob("*.md")]}
PAGES["CHANGELOG.md"] = (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1]
"""The documents; of the changelog, the newest release."""


def example(name):
    return eb.build(eb.game(f"{DOCS}/games/{name}.py:{name.title()}"))


def ranges(game):
    found = eb.ranges(game).to_json()
    return {(one["label"], one["action"]): (F(one["min"]), F(one["max"])) for one in found["actions"]}


def the_centipede():
    solution = eb.solve(example("centipede"), "backward")
    rows = [solution.strategy.probabilities[k] for k in solution.tree.personal]
    return len(solution.equilibria) == 1 and "the only" in solution.message and {row[0] for row in rows} == {1}


def the_horse():
    tree = example("horse")
    plays = eb.solve(tree).strategy
    first = [plays.probabilities[k][0] for k in tree.personal]  # the action R of Ann, Bob and Cat
    others = {"Ann": {"begin": {"R": 1}}, "Bob": {"begin": {"R": 1}}}
    without = eb.read_strategy(others | {"Cat": {"stopped": {"R": 1}}}, tree)
    gains = eb.verify(without).regrets
    return first == [1, 1, 0] and gains[1] == 3


def no_quiche():
    tree = example("quiche")
    plays = eb.solve(tree, refine=False).strategy
    return all(plays.probabilities[k][0] == 1 for k in tree.personal if tree.infosets[k].player == 0)


def a_jack_that_bets_too_often():
    """Kuhn poker with two jacks in three bets: calls with the queen gain 1/9, and with one in three nobody gains."""
    solution = eb.solve("kuhn")
    jack, queen = "1: start", "2: bet"
    often = dict(solution.strategy) | {jack: {"check": F(1, 3), "bet": F(2, 3)}}
    calls = often | {queen: {"call": 1}}
    read = [eb.verify(eb.read_strategy(rows, solution.tree)) for rows in (often, calls)]
    gains = read[1].value[1] - read[0].value[1]
    return solution.strategy[jack]["bet"] == F(1, 3) and read[0].regrets == (0, F(1, 9)) and gains == F(1, 9)


def first_bids_with_two_sides():
    found = {bid: ends for (label, bid), ends in ranges("liars-dice sides=2").items() if label == "1: start"}
    return found == {"1x1": (0, 1), "1x2": (0, 1), "2x1": (0, 1), "2x2": (0, 0)}


CHECKED = {
    "Here player 1 bets the jack too often: player 2 gains 1/9 by calling with the queen.": a_jack_that_bets_too_often,
    "In the only subgame-perfect equilibrium of the centipede game, the mover takes at every turn:": the_centipede,
    "In this equilibrium of Selten's horse, Cat's threat off the equilibrium path keeps Bob from moving L.": the_horse,
    'In this equilibrium of the signaling game "beer or quiche", neither type orders quiche.': no_quiche,
    "`1x1` is not the only optimal first bid.": first_bids_with_two_sides,
    "With a one, the probability of the bid `1x1` ranges from 0 to 1 over all equilibria.": first_bids_with_two_sides,
    "so the probability of `2x2` is 0 in every equilibrium.": first_bids_with_two_sides,
}

HELD = {
    "cli/test_transcripts.py": ("In the first equilibrium, the entrant comes in", "start`, Player 1 holds a one"),
    "docs/test_docs.py": ("So it visits only 21 of the 64 histories",),
    "docs/test_pages.py": (
        "With one die each, we do not know whether the value is 0",
        "loses about 6.4 cents per deal",
    ),
    "display/test_report.py": ("player 1 may open with one die of any face", "Player 2 has a choice only with a one"),
    "equilibria/test_ranges.py": (
        "Player A has a unique optimal strategy.",
        "Player B folds a one, and calls with a five and with a six.",
        "The optimal values of B's other probabilities form a hexagon.",
    ),
    "proof/test_refinement.py": (
        "In beer or quiche (Cho and Kreps 1987), all four extreme equilibria are sequential.",
        "In Selten's horse, only one of the two pure equilibria is sequential.",
    ),
    "proof/test_sequential.py": ("Cat believes with probability 1 that Bob made the mistake, which",),
    "docs/test_guides.py": ("that Player 1 always bids one die of the face", "This strategy always bluffs with a one"),
}
"""Sentences by the test that holds them, or that makes the output or table on the same page that they are about."""

GENERAL = (
    "With perfect recall, every mixed strategy has a behavior strategy",  # Kuhn's theorem
    "two-player Liar's Dice under all rules",
    "All games have six sides, wild ones that cannot be bid",
    '"3v2" means three dice for Player 1',
    "Player 1's strategy has a proved bound in the whole game",
    "Player 2's strategy gives the same replies to all openings",
    "the value of moving first in Liar's Dice",
    "![The first bids of a game with six-sided dice]",
    "(With two sides and a joker, the first bid can claim",
    "This player of Liar's Dice considers only its dice and the last bid.",
    "`threshold`, `zero-intelligence` and `neural` name the game that they play",
)
"""Theorems, rules, definitions, and descriptions of methods, of players and of pages."""

EVERY = re.compile(
    r"\b(only|unique|all|every|no other|never|always|neither|nobody|first|no published)\b", re.IGNORECASE
)
EXAMPLE = re.compile(
    r"kuhn|leduc|liar's|dice poker|\bmia\b|centipede|horse|quiche|entrant|incumbent|\bann\b|\bben\b|\bbob\b|\bcat\b|"
    r"player [ab12]\b|\bcoin\b|sides|type\b|with a (one|two|j|q|k|\d)",
    re.IGNORECASE,
)
FACT = re.compile(
    r"equilibri|optimal|\bvalues?\b|best respon|\bbids?\b|threat|payoff|dominat|calls?\b|folds?\b|bluff", re.IGNORECASE
)


def sentences():
    for page, text in sorted(PAGES.items()):
        for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).split("\n"):
            for sentence in [] if line.startswith(("|", "![")) else re.split(r"(?<=[.!?:])\s+", line):
                if all(pattern.search(sentence) for pattern in (EVERY, EXAMPLE, FACT)):
                    yield page, sentence.removeprefix("- ")


@pytest.mark.parametrize("sentence", CHECKED, ids=lambda sentence: CHECKED[sentence].__name__)
def test_the_program_gives_what_a_page_says(sentence):
    assert any(sentence in " ".join(text.split()) for text in PAGES.values()), "the page says something else now"
    assert CHECKED[sentence]()


def test_every_sentence_of_this_kind_is_checked():
    known = [*CHECKED, *(sentence for those in HELD.values() for sentence in those), *GENERAL]
    assert all((TESTS / test).is_file() for test in HELD)
    found = list(sentences())
    assert len(found) >= 20
    new = [pair for pair in found if not any(pair[1].startswith(each) or each in pair[1] for each in known)]
    assert not new, "put these sentences to the program (CHECKED), or name the test that does it (HELD)"
