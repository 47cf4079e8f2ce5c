"""A best response to a sparse strategy, written down: the moves that ``proof.sparse`` only counts.

The same recursion over public histories, in the same whole numbers; at the responder's turns the best move of each
hand is kept. Only histories that the opponent's strategy leads to are visited, and nothing is written where the best
is the default move, nor where the opponent never lets play come.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from ..base.errors import NotApplicableError
from ..games.protocol import PublicEnd, State
from ..strategies.sparse_profile import Behavior, SparseProfile
from .sparse import Weights, _Ends, _played, _product

Written = dict[str, dict[int, Behavior]]
"""By public history, by hand: the move, with probability 1."""


def sparse_best_response(profile: SparseProfile, player: int) -> tuple[Fraction, Written]:
    """What *player* (from 0) can get against the other's strategy in *profile*, and by which moves, in play's order.

    Raises what ``sparse.verify_sparse`` raises.
    """
    game, found = profile.game, Written()
    if len(game.players) != 2 or game.constant_sum is None:
        raise NotApplicableError(f"{game.title}: this needs two players who divide a constant sum")
    ends = _Ends(game, game.constant_sum)
    try:
        worth = _most(profile, player, ends, found, game.public_root(), ends.start(1 - player))
    except RecursionError:
        raise NotApplicableError(f"{game.title}: play is too deep to be judged by recursion") from None
    return _product(ends.start(player), worth), found


def _most(profile: SparseProfile, player: int, ends: _Ends, found: Written, state: State, reach: Weights) -> Weights:
    """The most from *state* on for each own hand; the moves are added to *found*."""
    turn = profile.game.public_turn(state)
    if isinstance(turn, PublicEnd):
        return ends.worth(turn.key, player, reach)
    if turn.player == player:
        found[turn.history] = {}  # keeps its place before what follows
    if turn.player != player:
        ways = [(turn.actions[a][1], way) for a, way in sorted(_played(profile, turn, reach))]
    else:
        ways = [(then, reach) for _, then in turn.actions]
    worths = [_most(profile, player, ends, found, then, way) for then, way in ways]
    scale = lcm(*(denominator for denominator, _ in worths))
    columns = list(zip(*([scale // d * number for number in row] for d, row in worths), strict=True))
    if turn.player != player:
        return scale, list(map(sum, columns))
    default = profile.game.default_action(turn)
    best = [default if column[default] == max(column) else column.index(max(column)) for column in columns]
    moves: dict[int, Behavior] = {
        hand: {turn.actions[a][0]: Fraction(1)} for hand, a in enumerate(best) if a != default
    }
    if moves:
        found[turn.history] = moves
    else:
        del found[turn.history]
    return scale, list(map(max, columns))
