"""The sentences of the documents that say "only", "all" or "never" of the equilibria of an example.

Each is put to the program, or names the test that does it. A new sentence of this kind fails until it has one.
"""

import re
from fractions import Fraction as F

import pytest
from paths import DOCS, ROOT, TESTS

import efg_builder as eb
from efg_builder.proof.sequential import prove_sequential

PAGES = {path.relative_to(ROOT).as_posix(): path.read_text() for path in [ROOT / "README.md", *DOCS.rglob("*.md")]}


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


def the_belief_in_the_horse():
    tree = example("horse")
    beliefs = prove_sequential(eb.solve(tree).strategy).beliefs
    (cat,) = (k for k in tree.personal if tree.names[k] == "stopped")
    nodes = [node for node in range(len(tree)) if tree.infoset[node] == cat]
    bob = {node for node in nodes if tree.parent[tree.parent[node]] == 0}  # after Ann's R and Bob's L
    return len(nodes) == 2 and {node: beliefs[node] for node in nodes} == {node: node in bob for node in nodes}


def no_quiche():
    tree = example("quiche")
    plays = eb.solve(tree, refine=False).strategy
    return all(plays.probabilities[k][0] == 1 for k in tree.personal if tree.infosets[k].player == 0)


def dice_poker_of_a():
    return eb.ranges("dice-poker").to_json()["unique"][0] is True


def dice_poker_of_b():
    found = ranges("dice-poker")
    sure = {label: action for (label, action), ends in found.items() if ends == (1, 1) and label.endswith("raise")}
    return sure == {"1: raise": "fold", "5: raise": "call", "6: raise": "call"}


def the_hexagon():
    text = str(eb.ranges("dice-poker"))
    return re.search(r"optimal plans B: 2 dimensions, 6 vertices", text) is not None


def openings_with_three_sides():
    found = {key: ends for key, ends in ranges("liars-dice sides=3").items() if key[0].endswith(": start")}
    one_die = [ends for (_, bid), ends in found.items() if bid.startswith("1x")]
    foreign = [ends for (label, bid), ends in found.items() if bid.startswith("2x") and bid[-1] != label[0]]
    return set(one_die) == {(0, 1)} and len(one_die) == 9 and set(foreign) == {(0, 0)}


def choices_with_three_sides():
    text = str(eb.ranges("liars-dice sides=3")).partition("Player 2 (information sets")[2]
    return re.findall(r"^  (\d: \S+(?: \S+)*?)  +.* to ", text, flags=re.MULTILINE) == ["1: 2x1", "2: 2x2"]


def first_bids_with_two_sides():
    found = {bid: ends for (label, bid), ends in ranges("liars-dice sides=2").items() if label == "1: start"}
    return found == {"1x1": (0, 1), "1x2": (0, 1), "2x1": (0, 1), "2x2": (0, 0)}


def the_cards_of_the_web_page():
    return round(float(eb.solve("kuhn cards=13").value[0]), 3) == -0.064


def all_four_of_beer_and_quiche():
    return [str(one.off_path) for one in eb.solve(example("quiche"), "extreme").judged] == ["sequential"] * 4


def one_of_two_in_the_horse():
    kinds = [one.off_path.kind for one in eb.solve(example("horse"), "pure").judged]
    return kinds == ["sequential", "not sequential"]


CHECKED = {
    "In beer or quiche (Cho and Kreps 1987), all four extreme equilibria are sequential.": all_four_of_beer_and_quiche,
    "In Selten's horse, only one of the two pure equilibria is sequential.": one_of_two_in_the_horse,
    "In the only subgame-perfect equilibrium of the centipede game, the mover takes at every turn:": the_centipede,
    "In this equilibrium of Selten's horse, Cat's threat off the equilibrium path keeps Bob from moving L.": the_horse,
    "Cat believes with probability 1 that Bob made the mistake, which": the_belief_in_the_horse,
    'In this equilibrium of the signaling game "beer or quiche", neither type orders quiche.': no_quiche,
    "**Dice poker.** Player A has a unique optimal strategy.": dice_poker_of_a,
    "Player B folds a one, and calls with a five and with a six.": dice_poker_of_b,
    "The optimal values of B's other probabilities form a hexagon.": the_hexagon,
    "With any hand, player 1 may open with one die of any face, but never with": openings_with_three_sides,
    "Player 2 has a choice only with a one after 2x1, and with a two": choices_with_three_sides,
    "`1x1` is not the only optimal first bid.": first_bids_with_two_sides,
    "With a one, the probability of the bid `1x1` ranges from 0 to 1 over all equilibria.": first_bids_with_two_sides,
    "so the probability of `2x2` is 0 in every equilibrium.": first_bids_with_two_sides,
    "with optimal play, the first player loses about 6.4 cents per deal": the_cards_of_the_web_page,
}

HELD = {
    "cli/test_transcripts.py": ("In the first equilibrium, the entrant comes in", "start`, Player 1 holds a one"),
    "docs/test_docs.py": ("So it visits only 21 of the 64 histories", "player 1 has no entry for any hand"),
    "docs/test_pages.py": ("With one die each, we do not know whether the value is 0",),
    "docs/test_guides.py": ("that Player 1 always bids one die of the face", "This strategy always bluffs with a one"),
}
"""Sentences about the output of a command, or about a table, on the same page, by the test that makes it again."""

GENERAL = (
    "With perfect recall, every mixed strategy has a behavior strategy",  # Kuhn's theorem
    "two-player Liar's Dice under all rules",
    "All games have six sides, wild ones that cannot be bid",
    '"3v2" means three dice for Player 1',
    "Player 1's strategy has a proved bound in the whole game",
    "Player 2's strategy gives the same replies to all openings",
    "the bid 1x1 holds only if player 1 has a one",
    "The bid holds only if player 1 has a three",
    "the value of moving first in Liar's Dice",
    "![The first bids of a game with six-sided dice]",
    "(With two sides and a joker, the first bid can claim",
    "This player of Liar's Dice considers only its dice and the last bid.",
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
