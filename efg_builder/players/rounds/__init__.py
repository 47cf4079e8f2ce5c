"""A person against a strategy: rounds, what moves are worth, the score with its luck taken out. No input, no output.

One seat is the person's, the *human's* below; a known strategy plays all others. Against it, everything the human can
do has a worth:

- At an information set I of the human's, the *value of a move* a, Q(I, a), is what the human gets on average from
  there on by making it and then playing as well as can be. On average: over hidden hands as they are likely given
  what the human has seen (own hand, public moves, and by Bayes the others' strategy), over the others' moves and over
  chance. V(I) = max over a of Q(I, a) is the best there is.
- The *start* V0 is what playing best is worth before the deal.
- The *price* of a move is V(I) - Q(I, a): 0 for a best move, and never negative. The prices are the human's part.
- *Luck* is all the rest of the result: the deal, and what the others and chance do by random choice,

      result = start + luck - prices,

  and its mean is 0 however the human plays, because Q(I, a) is the mean of what comes after a: of V at the next set of
  the human's, or of the payoff where there is none. So start - prices is the result without its luck, and a round's
  luck is its result minus that. (A baseline for a known strategy: compare the advantage sum estimators of Zinkevich
  et al., "Optimal unbiased estimators for evaluating agent performance", AAAI 2006.)

All is exact. Where a strategy is in floats, it is what those floats are exactly, divided by their sum.
"""

from .boards import Board, Values, refused
from .round import Event, OpenRound, Pick, Record, Score, Step, begin, choose, record, sampler, score
from .seating import Opponent, board_for, opponent, refined

__all__ = [
    "Board",
    "Event",
    "OpenRound",
    "Opponent",
    "Pick",
    "Record",
    "Score",
    "Step",
    "Values",
    "begin",
    "board_for",
    "choose",
    "opponent",
    "record",
    "refined",
    "refused",
    "sampler",
    "score",
]
