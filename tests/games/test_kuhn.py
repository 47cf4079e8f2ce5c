"""Kuhn poker: its rules against others', and the values that are known."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linprog

import efg_builder as eb
from efg_builder.games.protocol import Chance, Decision, End

VALUES = {  # the table of docs/games.md
    3: "-1/18",
    4: "-1/24",
    5: "-1/15",
    6: "-11/180",
    7: "-1/14",
    8: "-1/16",
    9: "-7/108",
    10: "-11/180",
    11: "-7/110",
    12: "-49/792",
    13: "-5/78",
}


def by_hand(cards):
    """The value for two players, by a linear program written down from the rules, of a few lines and in floats.

    Player 1 with card i bets with x[i], and checks and then calls with y[i]; against it, player 2 with card j who calls
    with probability d[j], or bets after a check with e[j]. The payoff is linear in each of d and e.
    """
    n, deals = cards, cards * (cards - 1)
    # Variables: x, y, and for each j the worse of both answers to a bet (u) and to a check (v).
    u, v = 2 * n, 3 * n
    rows, bounds = [], []
    for j in range(n):
        answers = {"call": np.zeros(4 * n), "fold": np.zeros(4 * n), "bet": np.zeros(4 * n), "check": np.zeros(4 * n)}
        constants = dict.fromkeys(answers, 0.0)
        for i in set(range(n)) - {j}:
            sign = 1 if i > j else -1
            answers["call"][i] += 2 * sign
            answers["fold"][i] += 1
            # After a check, which has the probability 1 - x[i]: a bet wins 1 but where it is called.
            answers["bet"][i] += 1
            answers["bet"][n + i] += 1 + 2 * sign
            constants["bet"] -= 1
            answers["check"][i] -= sign
            constants["check"] += sign
        for answer, row in answers.items():
            worse = u + j if answer in ("call", "fold") else v + j
            row = -row
            row[worse] += 1
            rows.append(row)
            bounds.append(constants[answer])
    for i in range(n):
        row = np.zeros(4 * n)
        row[[i, n + i]] = 1
        rows.append(row)
        bounds.append(1)
    goal = np.concatenate([np.zeros(2 * n), -np.ones(2 * n)])
    free = [(0, 1)] * (2 * n) + [(None, None)] * (2 * n)
    return -linprog(goal, np.array(rows), bounds, bounds=free).fun / deals


@pytest.mark.parametrize(("cards", "value"), VALUES.items())
def test_the_values_of_two_players(cards, value):
    # Three cards: H. W. Kuhn, "A simplified two-person poker" (1950). More: the linear program above.
    solution = eb.solve(eb.game("kuhn", cards=cards), "lp")
    assert (solution.exact, solution.verify().regret) == (True, 0)
    assert solution.value == (Fraction(value), -Fraction(value))
    assert by_hand(cards) == pytest.approx(float(Fraction(value)), abs=1e-12)


def test_the_first_player_bluffs_with_a_third_of_what_is_bet_for_value():
    # Kuhn 1950, in all equilibria: a jack bets a third as often as a king, a queen never does.
    bets = {i: row[1] for i, row in _rows(eb.solve(eb.game("kuhn"), refine=False)).items() if i.endswith("start")}
    assert bets["1: start"] == bets["3: start"] / 3 <= Fraction(1, 3)
    assert bets["2: start"] == 0


def _rows(solution):
    tree = solution.profile.tree
    return {
        tree.infosets[k].label: solution.profile.probabilities[k] for k in tree.personal if tree.infosets[k].player == 0
    }


class ThreePlayerKuhn(eb.Game):
    """D. Szafron, R. Gibson and N. Sturtevant, "A parameterized family of equilibrium profiles for three-player Kuhn
    poker", AAMAS 2013: four cards, an ante of 1, one bet of 1. In turn a player checks or bets, and after a bet each of
    the others folds or calls, once; the highest card of those who did not fold takes the pot."""

    players = ("Player 1", "Player 2", "Player 3")
    title = "Kuhn poker with three players"
    constant_sum = Fraction(0)

    def size(self):
        return None

    def root(self):
        return None, ""

    def turn(self, state):
        cards, history = state
        if cards is None:
            deals = list(permutations(range(1, 5), 3))
            return Chance("deal", tuple((str(deal), Fraction(1, 24), (deal, "")) for deal in deals))
        bet = history.find("b")
        if history == "ccc" or (bet >= 0 and len(history) == bet + 3):
            return self.end(cards, history)
        player = len(history) % 3
        actions = tuple((move, (cards, history + move)) for move in ("cb" if bet < 0 else "fc"))
        return Decision(player, f"{player} holds {cards[player]}: {history}", actions)

    def end(self, cards, history):
        bet = history.find("b")
        # Seat (bet + k) % 3 answers with the k-th letter after the bet; "ccc" is everybody's check.
        paid = [1 + (bet >= 0 and (seat == bet or history[bet + (seat - bet) % 3] == "c")) for seat in range(3)]
        left = [seat for seat in range(3) if bet < 0 or paid[seat] == 2]
        winner = max(left, key=lambda seat: cards[seat])
        return End(tuple(Fraction(sum(paid) * (seat == winner) - paid[seat]) for seat in range(3)), history)


def test_the_rules_for_three_players_are_those_stated_apart():
    one, other = eb.build(eb.game("kuhn", cards=4, seats=3)), eb.build(ThreePlayerKuhn())
    # 24 deals of 12 decisions and 13 ends; 4 cards and 4 histories for each player.
    assert (len(one), len(one.personal)) == (len(other), len(other.personal)) == (1 + 24 * 25, 3 * 16)
    assert payoffs(one) == payoffs(other)


def payoffs(tree):
    """The payoffs by cards and moves, moves by their first letters."""
    found = {}
    for node in np.flatnonzero(tree.outcome >= 0):
        moves, at = [], int(node)
        while at:
            set_ = tree.infosets[tree.infoset[tree.parent[at]]]
            moves.append(set_.actions[tree.action[at]])
            at = int(tree.parent[at])
        *played, deal = moves
        cards = tuple(int(word) for word in deal if word.isdigit())
        found[cards, "".join(move[0] for move in reversed(played))] = tree.outcomes[tree.outcome[node]].payoffs
    return found


def test_more_players_than_cards_are_refused():
    with pytest.raises(eb.ParameterError, match="kuhn: cards=3: there must be more cards than players, and seats=3"):
        eb.game("kuhn", seats=3)


@pytest.mark.parametrize(("cards", "seats"), [(5, 3), (5, 4)])
def test_more_than_two_players(cards, seats):
    solution = eb.solve(eb.game("kuhn", cards=cards, seats=seats))
    assert solution.method == "many"
    assert solution.regret <= Fraction(1, 10**12)
    assert sum(solution.value) == 0
