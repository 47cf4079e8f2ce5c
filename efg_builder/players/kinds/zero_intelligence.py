"""Zero intelligence: call an improbable bid, else make the raise that the next player is least likely to call rightly.

After mu-zhao, "Zero Intelligence" (wiki of the repository Liars_dice). docs/zero-intelligence.md has the mathematics,
and the corrections to the text. Only the player's own dice and the last bid matter.

- **Calling.** A bid is called if its probability is below the call probability, i.e. its z-score is above ``call_z``.
- **Raising.** Otherwise the bid with the largest payoff is made; ``ties`` chooses between equal ones. The highest
  leaves the next player least room, and is hardest to exploit (measured).
- **Beliefs.** X, the number of unseen dice that count, is binomial; the text replaces it by a normal variable. A bid on
  r dice is false to a player who holds s of them if X < r - s. The continuity correction is -1/2; the text has +1/2.
- **The payoff of a raise.** A holds s, the next player B holds X, and all others Z. B sees Y dice that are not B's own,
  and calls if X <= r - y0, y0 = min {y : P(Y >= y) < level}. The payoff is minus the sum over x <= r - y0 of
  P(X = x) P(Z < r - s - x).
- **The call level** is where calling costs as much as raising: P(X <= s, X + Z <= y0) + F_Y(y0) = 1, Z ~ N(0, v),
  Y = X + Z. For s = 0 and v = 3, y0 = 0.5775 as in the text; its lambda of 0.2818 is 0.3864 with Y's variance v + 1.
- **The robust level** is best in the worst case (``benchmarks/robust_levels.py``): the positive root of
  1 + erf(sqrt(2) level / sqrt(v + 4)) = sqrt(1 + 4/v) exp(-2 level^2 / (v + 4)).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, erf, erfc, exp, inf, log1p, sqrt
from statistics import NormalDist
from typing import Literal

from ...base.errors import ParameterError
from ...base.parameters import Choice, Parameter, fraction
from ...base.rationals import Number
from ...games.bidding import DiceBidding
from ...games.protocol import PublicDecision
from ...strategies.policy import Policy
from ...strategies.tree_profile import Strategy
from ..find import Player, Table

Tail = Literal["normal", "exact", "printed"]
"""How chances are worked out: by normals with the correction -1/2, by exact binomials, or by normals with +1/2."""

TAILS: tuple[Tail, ...] = ("normal", "exact", "printed")

CORRECTIONS = {"normal": -0.5, "printed": 0.5}

NORMAL = NormalDist()

density = NORMAL.pdf


def deviation(dice: int, chance: Fraction) -> float:
    """The standard deviation of the number of *dice* that count, each with that *chance*."""
    return sqrt(dice * chance * (1 - chance))


def z_score(needed: int, dice: int, chance: Fraction, tail: Tail = "normal") -> float:
    """Return the number of standard deviations by which *needed* is above the mean of the unseen *dice*.

    With the continuity correction of *tail*; for ``"exact"``, the quantile of the exact chance that the bid is false.
    Infinite if that chance is 0 or 1.
    """
    spread = deviation(dice, chance)
    if tail == "exact" or spread == 0:
        return quantile(below(needed, dice, chance, tail))
    return (needed + CORRECTIONS[tail] - float(dice * chance)) / spread


@lru_cache(maxsize=1 << 16)
def below(needed: int, dice: int, chance: Fraction, tail: Tail) -> Number:
    """Return P(X < needed) for *dice* that count with that *chance*: 0 and 1, if it is certain, with every *tail*."""
    if needed <= 0 or needed > dice:
        return Fraction(int(needed > 0))
    if chance == 1:
        return Fraction(0)
    if tail == "exact":
        counts = range(needed)
        return sum((comb(dice, i) * chance**i * (1 - chance) ** (dice - i) for i in counts), Fraction(0))
    return cumulative(z_score(needed, dice, chance, tail))


def weight(count: int, dice: int, chance: Fraction, tail: Tail) -> Number:
    """Return P(X = count), by normals the mass from 1/2 below to 1/2 above; the tails belong to 0 and *dice*."""
    how: Tail = "exact" if tail == "exact" else "normal"
    return below(count + 1, dice, chance, how) - below(count, dice, chance, how)


def cumulative(z: float) -> float:
    """The standard normal distribution function, accurate in both tails."""
    return 0.5 * erfc(-z / sqrt(2))


def quantile(p: Number) -> float:
    """The inverse of ``cumulative``; infinite at 0 and 1."""
    p = float(p)
    return NORMAL.inv_cdf(p) if 0 < p < 1 else inf if p >= 1 else -inf


@dataclass(frozen=True, slots=True)
class Seats:
    """How many dice A has (``own``), B, who is next (``following``), and all ``others`` together."""

    own: int
    following: int
    others: int

    @property
    def unseen(self) -> int:
        """The dice that A does not see."""
        return self.following + self.others


@lru_cache(maxsize=1 << 12)
def least_doubted(dice: int, chance: Fraction, level: Number, tail: Tail) -> float:
    """Return y0 = min {y : P(Y >= y) < level}, with Y the number of *dice* that count; infinite at level 0."""
    if level <= 0:
        return inf
    return next(y for y in range(dice + 2) if 1 - below(y, dice, chance, tail) < level)


def payoff(needed: int, held: int, seats: Seats, chance: Fraction, level: Number, tail: Tail = "exact") -> Number:
    """Return the payoff, from -1 to 0, of a raise that needs *needed* dice to A, who has *held* of them.

    ``chance`` is that of a die to count, and the next player calls a bid less probable than ``level``.
    """
    doubted = least_doubted(seats.own + seats.others, chance, level, tail)
    lost: Number = Fraction(0)
    for count in range(seats.following + 1):
        if count <= needed - doubted:
            false = below(needed - held - count, seats.others, chance, tail)
            lost += weight(count, seats.following, chance, tail) * false
    return -lost


def seats(game: DiceBidding, player: int) -> Seats:
    """Return the seats as *player* (from 0), who makes a bid, sees them."""
    own, following = game.dice[player], game.dice[(player + 1) % len(game.dice)]
    return Seats(own, following, sum(game.dice) - own - following)


def expected(game: DiceBidding, player: int, hand: int) -> tuple[Fraction, ...]:
    """Return the dice that *player* expects to count for each face, from 1: the own ones and the mean of the unseen."""
    unseen, cup = seats(game, player).unseen, game.cups[player][hand][0]
    faces = range(1, game.sides + 1)
    return tuple(game.matches(cup, face) + unseen * game.counting_chance(face) for face in faces)


def _parts(game: DiceBidding, player: int, hand: int, bid: int) -> tuple[int, int, Fraction]:
    quantity, face = game.bids[bid]
    return game.needed(quantity), game.matches(game.cups[player][hand][0], face), game.counting_chance(face)


def false_chance(game: DiceBidding, player: int, hand: int, bid: int, tail: Tail = "exact") -> Number:
    """The chance p that *bid* (an index) is false, as *player* with that *hand* (an index) sees it."""
    needed, held, chance = _parts(game, player, hand, bid)
    return below(needed - held, seats(game, player).unseen, chance, tail)


def score(game: DiceBidding, player: int, hand: int, bid: int, tail: Tail = "normal") -> float:
    """The z-score of *bid* (an index): see ``beliefs.z_score``."""
    needed, held, chance = _parts(game, player, hand, bid)
    return z_score(needed - held, seats(game, player).unseen, chance, tail)


def raise_payoff(game: DiceBidding, player: int, hand: int, bid: int, level: Number, tail: Tail = "exact") -> Number:
    """What it is worth to make *bid* (an index): see ``payoff``. *level*: a chance, as there."""
    needed, held, chance = _parts(game, player, hand, bid)
    return payoff(needed, held, seats(game, player), chance, level, tail)


def raise_payoffs(
    game: DiceBidding, player: int, hand: int, last: int, level: Number, tail: Tail = "exact"
) -> dict[str, Number]:
    """The payoff of every legal raise by its name, lowest first; *last*: the index of the last bid, -1 for none."""
    return {
        game.bid_names[bid]: raise_payoff(game, player, hand, bid, level, tail)
        for bid in range(last + 1, len(game.bids))
    }


REACH = 40.0
"""Standard deviations within which all solutions lie: beyond, floats know no difference between 1 and the truth."""


@dataclass(frozen=True, slots=True)
class Level:
    """A solution ``y0`` of the indifference equation, and its readings; ``variance``: of what all others hold."""

    y0: float
    variance: float

    @property
    def call_z(self) -> float:
        """The z-score above which a bid is called."""
        return self.y0 / sqrt(self.variance + 1)

    @property
    def call_probability(self) -> float:
        """The chance of holding below which a bid is called: 1 - F_Y(y0)."""
        return cumulative(-self.call_z)

    @property
    def printed(self) -> float:
        """1 - Phi(y0), which the text prints as lambda: Y's variance is left out."""
        return cumulative(-self.y0)


def cost_of_calling(y: float, variance: float) -> float:
    """P(Y >= y): the chance that a bid which needs *y* of unseen players holds."""
    _check(variance)
    return cumulative(-y / sqrt(variance + 1))


def cost_of_raising(y: float, strength: float, variance: float) -> float:
    """Return P(X <= s, X + Z <= y), the chance that the next player calls a false raise.

    ``strength`` is s in standard deviations of one player, and ``variance`` is that of Z.
    """
    from scipy.integrate import quad

    _check(variance)
    if variance == 0:
        return cumulative(min(strength, y))
    spread = sqrt(variance)

    def false_and_called(x: float) -> float:
        return cumulative((y - x) / spread) * density(x)

    # In two parts, so that the bulk of the integrand is not missed.
    cut = min(strength, 0.0)
    parts = [(-inf, cut), *([(cut, strength)] if strength > cut else [])]
    return sum(float(quad(false_and_called, low, high, epsabs=1e-14, epsrel=1e-13)[0]) for low, high in parts)


def indifference(strength: float = 0.0, variance: float = 3.0) -> Level:
    """Return the level at which calling costs as much as raising: by default the text's, for five average players."""
    from scipy.optimize import brentq

    _check(variance)

    def excess(y: float) -> float:
        return cost_of_raising(y, strength, variance) - cost_of_calling(y, variance)

    edge = REACH * sqrt(variance + 1) + abs(strength)
    return Level(float(brentq(excess, -edge, edge, xtol=1e-13, rtol=1e-14)), variance)


def _check(variance: float) -> None:
    if not 0 <= variance < inf:
        raise ParameterError(f"variance={variance:g}: must be 0 or more, and finite")


def robust_level(variance: float) -> float:
    """Return the robust level, a z-score, as the root of the corrected closed form. *variance* is above 0."""
    from scipy.optimize import brentq

    def left_less_right(level: float) -> float:
        right = sqrt(1 + 4 / variance) * exp(-2 * level**2 / (variance + 4))
        return 1 + erf(sqrt(2 / (variance + 4)) * level) - right

    return float(brentq(left_less_right, 0.0, highest_robust_level(variance), xtol=1e-15, rtol=1e-14))


def highest_robust_level(variance: float) -> float:
    """Return an upper bound on the robust level: there both sides of the equation are at least 1."""
    if not 0 < variance < inf:
        raise ParameterError(f"variance={variance:g}: must be above 0, and finite")
    return sqrt((variance + 4) / 4 * log1p(4 / variance))


# --- the player

NAME = "zero-intelligence"

SOLVED, PRINTED, HERE, ROBUST = LEVELS = ("indifference", "printed", "table", "robust")

TIES = ("highest", "lowest", "uniform")


def _sit(
    table: Table,
    call_probability: Fraction | None,
    call_z: Fraction | None,
    level: str,
    tail: Tail,
    ties: str,
    spread: Fraction,
) -> Strategy:
    game = table.rules(NAME, DiceBidding, "Liar's Dice")
    if call_probability is not None and call_z is not None:
        raise ParameterError(f"{NAME}: call_probability and call_z both set the level; one of them is right")

    index = {name: bid for bid, name in enumerate(game.bid_names)}

    @cache
    def level_of(player: int) -> Number:
        if call_probability is not None:
            return call_probability
        return named_level(level, game, player) if call_z is None else cumulative(-float(call_z))

    @cache
    def worth(player: int, hand: int, bid: int) -> Number:
        return raise_payoff(game, player, hand, bid, level_of(player), tail)

    @cache
    def answer(player: int, hand: int, last: int) -> Mapping[str, Number]:
        bids = range(last + 1, len(game.bids))
        called: Number = Fraction(0)
        if last >= 0:
            called = call_chance(1 - false_chance(game, player, hand, last, tail), level_of(player), float(spread))
        if not bids or called == 1:
            return {game.call: Fraction(1)}
        worths = [worth(player, hand, bid) for bid in bids]
        most = max(worths)
        best = [bid for bid, value in zip(bids, worths, strict=True) if value == most]
        chosen = best if ties == "uniform" else best[:1] if ties == "lowest" else best[-1:]
        share = (1 - called) / len(chosen)
        return {game.bid_names[bid]: share for bid in chosen} | ({game.call: called} if called else {})

    def zero_intelligence(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        last = -1 if turn.actions[-1][0] != game.call else index[turn.history.rpartition(" ")[2]]
        return answer(turn.player, hand, last)

    return Policy(zero_intelligence, last_bid_only=True)


def named_level(word: str, game: DiceBidding, player: int) -> float:
    """Return the call probability of *word*, one of ``LEVELS``, in the seat of *player* (from 0).

    ``"indifference"`` is 0.3864 and ``"printed"`` 0.2818, see above. In ``"table"`` the variance is that of all others'
    dice in units of the next player's, and in ``"robust"`` the unseen dice in units of the player's own.
    """
    at = seats(game, player)
    if word == ROBUST:
        return cumulative(-robust_level(at.unseen / at.own))
    if word == HERE:
        return indifference(variance=at.others / at.following).call_probability
    found = indifference()
    return found.printed if word == PRINTED else found.call_probability


def call_chance(holds: Number, level: Number, spread: float) -> Number:
    """Return the probability of calling a bid that *holds* with this chance: 1 below the *level*, else 0.

    With a *spread* above 0, the level's z-score is drawn at each turn from a normal distribution around it.
    """
    if not spread or not 0 < holds < 1 or not 0 < level < 1:
        return Fraction(int(holds < level))
    return cumulative((quantile(level) - quantile(holds)) / spread)


_call_probability = fraction("none, or a number from 0 to 1", 0, 1)
_call_z = fraction("none, or a number of standard deviations")
_spread = fraction("0 or more standard deviations", 0)

PLAYERS = (
    Player(
        NAME,
        "calls what is improbable by its own dice, else makes the raise least likely to be called rightly; "
        "Liar's Dice of any size",
        _sit,
        (
            Parameter("call_probability", "none", _call_probability, "call what holds with less than this chance"),
            Parameter("call_z", "none", _call_z, "the same as a z-score: call what lies above"),
            Parameter(
                "level",
                SOLVED,
                Choice(*LEVELS),
                "where neither is set: indifference (0.3864), printed (0.2818), table (indifference at this table) or "
                "robust (best in the worst case)",
            ),
            Parameter(
                "tail", TAILS[0], Choice(*TAILS), "chances by normals, exact binomials, or as printed in the text"
            ),
            Parameter("ties", TIES[0], Choice(*TIES), "which of equally good raises: highest, lowest or uniform"),
            Parameter("spread", "0", _spread, "draw the level at each turn, with this standard deviation in z"),
        ),
    ),
)
