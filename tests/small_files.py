"""Small games, as `.efg` text and of the catalogue, for several test modules."""

from contextlib import contextmanager
from unittest import mock

import efg_builder as eb
from efg_builder.solvers import small
from efg_builder.solvers.driver import Driver
from efg_builder.solvers.protocol import Request

BATTLE = """EFG 2 R "Battle of the Sexes" { "Row" "Col" } ""
p "" 1 1 "r" { "Opera" "Fight" } 0
p "" 2 1 "c" { "Opera" "Fight" } 0
t "" 1 "" { 2 1 }
t "" 2 "" { 0 0 }
p "" 2 1 "c" { "Opera" "Fight" } 0
t "" 2 "" { 0 0 }
t "" 3 "" { 1 2 }
"""

FORGETS_A_MOVE = """EFG 2 R "forgets the first move" { "A" "B" } ""
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "second" { "u" "d" } 0
t "" 1 "" { 1 0 }
t "" 2 "" { 0 1 }
p "" 1 2 "second" { "u" "d" } 0
t "" 2 "" { 0 1 }
t "" 1 "" { 1 0 }
"""

# B does not know B's own first move any more at the second: nothing says what B's moves are worth.
B_FORGETS = """EFG 2 R "Forgetful" { "A" "B" }
""
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "x" "y" } 0
p "" 2 2 "again" { "u" "v" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { 0, 0 }
p "" 2 2 "again" { "u" "v" } 0
t "" 3 "" { 0, 0 }
t "" 4 "" { 1, -1 }
t "" 5 "" { 0, 0 }
"""

# Piccione and Rubinstein (Games and Economic Behavior 20, 1997): exit 0, then 4, else 1.
DRIVER = (
    'EFG 2 R "driver" { "Driver" }\n\np "" 1 1 "x" { "exit" "on" } 0\nt "" 1 "" { 0 }\np "" 1 1 "x" { "exit" "on" } 0\n'
    't "" 2 "" { 4 }\nt "" 3 "" { 1 }\n'
)

# A battle of the sexes after an outside option: three subgame-perfect equilibria (solved by hand).
OUTSIDE = """EFG 2 R "outside option" { "A" "B" }
p "" 1 1 "door" { "out" "in" } 0
t "" 1 { 2 2 }
p "" 1 2 "row" { "T" "W" } 0
p "" 2 1 "col" { "T" "W" } 0
t "" 2 { 3 1 }
t "" 3 { 0 0 }
p "" 2 1 "col" { "T" "W" } 0
t "" 4 { 0 0 }
t "" 5 { 1 3 }
"""

# R. D. McKelvey and T. R. Palfrey's holdout game in the files of draw_tree has such sets. Matching pennies with a
# forced move: 0, 1/2 each (by hand).
FORCED = """EFG 2 R "forced" { "A" "B" }
p "" 1 1 "" { "L" "R" } 0
p "" 2 1 "" { "l" "r" } 0
p "" 1 2 "" { "go" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 2 1 "" { "l" "r" } 0
p "" 1 2 "" { "go" } 0
t "" 3 "" { -1 1 }
t "" 4 "" { 1 -1 }
"""

# A plays a or b, and never the third move, which pays -10^12. Uniform over a and b, A gains 1/2 by b.
ABSURD = """EFG 2 R "big" { "A" "B" }
p "" 1 1 "s" { "a" "b" "never" } 0
p "" 2 1 "r" { "l" "r" } 0
t "" 1 "" { 0 0 }
t "" 2 "" { 1000 -1000 }
t "" 3 "" { 1 -1 }
t "" 4 "" { -1000000000000 1000000000000 }
"""

UNSEEN = (
    'EFG 2 R "g" { "A" "B" } ""\np "" 1 1 "x" { "l" "r" } 0\nt "" 1 "" { 1, -1 }\np "" 2 1 "y" { "l" "r" } 0\n'
    'p "" 1 1 "x" { "l" "r" } 0\nt "" 2 "" { 0, 0 }\nt "" 3 "" { 2, -2 }\nt "" 4 "" { 0, 0 }\n'
)
"""A game in which player 1 does not know whether the first move was made: it has no public tree."""

# Two sets that are met again: no best response is worked out. Uniform gets 4/4 + 1/4 on each of two roads.
TWICE_TWO = 'EFG 2 R "two roads" { "Driver" }\n\nc "" 1 "road" { "a" 1/2 "b" 1/2 } 0\n' + "".join(
    f'p "" 1 {n} "{x}" {{ "exit" "on" }} 0\nt "" 1 "" {{ 0 }}\np "" 1 {n} "{x}" {{ "exit" "on" }} 0\n'
    f'p "" 1 {3 - n} "{y}" {{ "exit" "on" }} 0\nt "" 2 "" {{ 4 }}\nt "" 2 "" {{ 4 }}\nt "" 3 "" {{ 1 }}\n'
    for n, x, y in ((1, "x", "y"), (2, "y", "x"))
)


def matrix_tree(matrix, deep=False):
    """A matrix as a tree: the second player moves without knowing the row. *deep*: the first then moves once more.

    A payoff is player 1's, or a pair.
    """
    rows, columns = len(matrix), len(matrix[0])
    lines, outcome = ['EFG 2 R "matrix" { "R" "C" } ""'], 0
    names = " ".join(f'"{i}"' for i in range(rows))
    lines.append(f'p "" 1 1 "first" {{ {names} }} 0')
    for i in range(rows):
        lines.append(f'p "" 2 1 "second" {{ {" ".join(chr(34) + str(j) + chr(34) for j in range(columns))} }} 0')
        for j in range(columns):
            if deep:
                lines.append(f'p "" 1 {2 + i} "again {i}" {{ "l" "r" }} 0')
            for paid in matrix[i][j] if deep else (matrix[i][j],):
                outcome += 1
                mine, other = paid if isinstance(paid, tuple) else (paid, -paid)
                lines.append(f't "" {outcome} "" {{ {mine} {other} }}')
    return eb.parse_efg("\n".join(lines))


# One town of R. Selten, "The chain store paradox" (Theory and Decision 9, 1978): the threat to fight keeps the entrant
# out, and to share is better once it is in.
ENTRY = """EFG 2 R "entry" { "Entrant" "Incumbent" }
p "" 1 1 "enter" { "out" "in" } 0
t "" 1 "" { 1 5 }
p "" 2 1 "answer" { "fight" "share" } 0
t "" 2 "" { 0 0 }
t "" 3 "" { 2 2 }
"""

# R. Selten, "Reexamination of the perfectness concept" (International Journal of Game Theory 4, 1975), figure 1.
HORSE = """EFG 2 R "horse" { "A" "B" "C" }
p "" 1 1 "a" { "R" "D" } 0
p "" 2 1 "b" { "r" "d" } 0
t "" 1 "" { 1 1 1 }
p "" 3 1 "c" { "L" "R" } 0 t "" 2 "" { 4 4 0 } t "" 3 "" { 0 0 1 }
p "" 3 1 "c" { "L" "R" } 0 t "" 4 "" { 3 2 2 } t "" 5 "" { 0 0 0 }
"""

# Each player gets 1 for strategy 1 and 0 for strategy 2, whatever the others do. So there is one equilibrium, and each
# player is sure of 1.
DOMINANT = """NFG 1 R "dominant" { "A" "B" "C" } { 2 2 2 }
1 1 1 0 1 1 1 0 1 0 0 1 1 1 0 0 1 0 1 0 0 0 0 0
"""

STAKES = f"{10**50 + 1}/{10**50 + 3}"
ROUNDED = f'EFG 2 R "one" {{ "A" "B" }} ""\nt "" 1 "" {{ {STAKES} -{STAKES} }}\n'

# Ann does not see the coin; she remembers her own move, and sees the answer.
UNLABELED = """EFG 2 R "plain" { "Ann" "Bob" }
c "" 1 "coin" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "" { "up" "down" } 0
t "" 1 "" { 0, 0 }
p "" 2 1 "" { "go" } 0
p "" 1 2 "" { "left" "right" } 0
t "" 2 "" { 1, -1 }
t "" 3 "" { -1, 1 }
p "" 1 1 "" { "up" "down" } 0
t "" 1 "" { 0, 0 }
p "" 2 1 "" { "go" } 0
p "" 1 2 "" { "left" "right" } 0
t "" 3 "" { -1, 1 }
t "" 2 "" { 1, -1 }
"""

COIN = """EFG 2 R "coin" { "Player 1" "Player 2" }
c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "bet" { "yes" "no" } 0 t "" 1 "2, -2" { 2 -2 } t "" 2 "0, 0" { 0 0 }
p "" 1 2 "bet" { "yes" "no" } 0 t "" 3 "-1, 1" { -1 1 } t "" 2 "0, 0" { 0 0 }
"""

# By hand, in the manner of the examples that come with gtdraw: nodes named by themselves (EF 3), named shifts, places
# of labels, comments, a chance move in mid-game, an information set whose player stands at its end.
BET_LAYOUT = r"""% A bet on a card
player 1 name Ann
player 2 name Bob~B.
level 0 node 1 player 1
level 2 node 2 player 0 xshift a=1.5 from 1 move deal
level 4 node pass xshift -2a from 1 move::0.25 pass payoffs 0 0
level 4 node 3 xshift -b=1.2 from 2 move red~(\frac{1}{3})
level 4 node 4 xshift b from 2 move:r: ~\frac{2}{3}
%level 6 node 99 from 3 move never
level 6 node 5 xshift -c=.8 from 3 move in payoffs 1.5 -\frac{3}{2}
level 6 node 6 xshift c from 3 move out payoffs -1 1
level 6 node 7 xshift -c from 4 arrow:red 0.3 move out payoffs -1 1
level 6 node 8 xshift c from 4 move in payoffs 1/2 -1/2
iset 3 4 player 2
% a comment
"""


def finish(algorithm):
    """The result of an algorithm, without a time limit."""
    return Driver(Request()).complete(algorithm)


@contextmanager
def cells_in_integers(cells):
    """Let solvers pivot dictionaries of up to *cells* in integers, and work in floats on larger ones."""
    with mock.patch.object(
        small, "SETTINGS", small.SmallSettings(cells=cells, cells_with_mistakes=cells, path_cells=cells)
    ):
        yield


def small_games():
    """Return the small games of the catalogue."""
    return [eb.game(name, **dict(small)) for name, kind in eb.catalogue().items() for small in kind.small]
