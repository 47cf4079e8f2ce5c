"""Solutions: verified strategies with their values and regrets, statistics of bluffs, and output as text and JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from importlib import metadata
from itertools import chain, islice, product
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from .._later import later
from ..base.errors import NotApplicableError, NotSolvedError, ParameterError, TreeTooLargeError
from ..base.files import check_writable, csv_lines, write_atomically
from ..base.formats import COMPUTED, format_of
from ..base.rationals import Number, brief, is_played, text, to_json
from ..base.version import __version__
from ..base.words import (
    LEAST_SHOWN,
    NOBODY_GUARANTEED,
    NOBODY_SURE,
    PERCENT_ROUNDED,
    PROVING,
    equilibrium_within,
    figure,
    in_text,
    most_won,
    nobody_gains,
    notation,
    plural,
    quiet,
)
from ..forms.extensive import CHANCE, TERMINAL, GameTree, has_perfect_information, scaled_payoffs
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game, PublicDecision
from ..interop.gambit.mapping import to_gambit
from ..proof import Near, Verdict, prove_near, verify
from ..proof.certificate import DEFAULT_RULE, Proof, certified_game, digests, strategies_part, verify_solution
from ..proof.certificate.check import refined_part
from ..proof.sequential import SequentialVerdict
from ..strategies.lines import SHOWN_SETS, played_lines
from ..strategies.reached import Behaviors, Count, Hands, number, reached, support_tree
from ..strategies.reading import EQUILIBRIUM_COLUMN
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import Strategy, TreeProfile, dealt
from ..strategies.writing import encode, profile_part, table

if TYPE_CHECKING:
    from ..display.trees import Picture
    from ..display.trees.options import DrawSettings
    from .second_opinion import SecondOpinion

SUFFIXES = (".json", ".json.gz", ".csv", ".csv.gz")
STATUSES = (
    "equilibrium",
    "near-equilibrium",
    "bracket",
    "not-an-equilibrium",
    "no-result",
    "timeout",
    "interrupted",
    "not-applicable",
)
"""The statuses of a solution.

A ``bracket`` and a ``near-equilibrium`` have a verified regret above 0. A ``bracket`` also has bounds on the value.
"""

SHOWN_NODES = 5_000
"""Maximum number of nodes in a support tree. The strategies on a larger support tree are not printed."""

FEW_SETS = 12
"""The maximum number of printed information sets of a strategy with more than ``SHOWN_SETS`` information sets."""

SHOWN_EQUILIBRIA = 20

SHOWN_BIDS = 24
"""Maximum number of printed first bids, each with a probability of at least ``LEAST_SHOWN``."""

ONE_OF_MANY = (
    "there may be other equilibria: 'ranges' shows the play that all share, 'solve --refine' finds one that also "
    "plays well after mistakes"
)
"""A note on a single equilibrium. Such an equilibrium may contain odd moves that cost nothing, such as calling with a 2
but folding a 3.
"""

ALL, SEVERAL = "extreme", "gambit-enumpoly"
"""``ALL`` finds all extreme equilibria of two-player games; ``SEVERAL`` finds several equilibria of other games."""

OTHERS_PAY = "there may be other equilibria, which may pay differently"
"""A note on the only equilibrium that a method found, unless this method finds all."""

SHARED_PAYOFFS = "all players get the same payoffs, and other equilibria may pay all of them more"
"""A note on one equilibrium of a game in which the players' payoffs never differ."""

EMPTY_THREATS = "moves off the equilibrium path were not checked, so a threat there may be empty"
"""A note on an equilibrium of a game without a value, if moves off the equilibrium path were not checked."""

Played = Callable[[PublicDecision, int], Mapping[str, Number]]
"""A function that takes a turn and a hand, and returns the mover's actions with positive probability."""


@dataclass(frozen=True)
class Judged:
    """A strategy from a solver, and the verdict on it (None if the strategy could not be verified)."""

    strategy: TreeProfile | SparseProfile
    verdict: Verdict | None


def judge(
    strategy: TreeProfile | SparseProfile,
    tolerance: float | Fraction | None = None,
    progress: Callable[[str], None] = quiet,
) -> Judged:
    """Return the strategy with its verdict at *tolerance*, or without a verdict if the strategy cannot be verified."""
    try:
        return Judged(strategy, verify(strategy, tolerance, progress=progress))
    except NotApplicableError:
        return Judged(strategy, None)


@dataclass(frozen=True, eq=False)
class Solution:
    """The best strategies found for a game, and their verdict. ``str`` returns the output of ``efg-builder solve``.

    A solution equals only itself. To compare the content of two solutions, compare the results of ``to_json``.

    Attributes
    ----------
    tree : GameTree or None
        The tree; None if the game was solved without a tree.
    game : Game or None
        The rules, if they are known.
    method : str
        Name of the method.
    status : str
        One of ``equilibrium``, ``near-equilibrium``, ``bracket``, ``not-an-equilibrium``, ``no-result``, ``timeout``,
        ``interrupted`` and ``not-applicable``.
    message : str
        The reason for the status.
    seconds : float
        Time taken to solve and verify, in seconds.
    judged : tuple of Judged
        All strategies found, with their verdicts, in order of regret.
    several : bool
        Whether the method looks for more than one equilibrium.
    number : int
        The number in ``judged``, from 1, of the strategy that all other attributes and pictures describe.
    tolerance : float, Fraction or None
        The requested tolerance; None for the default of ``verify``.
    details : mapping
        Details of the search, such as the number of rounds.
    refined : SequentialVerdict or None
        The verification of a sequential equilibrium, with beliefs.
    near : Near or None
        The proved distance to an exact equilibrium, or the reason for a missing proof.
    gambit : SecondOpinion or None
        The answer of one of Gambit's routines.

    Examples
    --------
    >>> import efg_builder as eb
    >>> solution = eb.solve("kuhn")
    >>> solution.status, solution.regret
    ('equilibrium', Fraction(0, 1))
    >>> solution.to_json() == eb.solve("kuhn").to_json()
    True
    >>> solution.strategy["2: bet"]
    {'fold': Fraction(2, 3), 'call': Fraction(1, 3)}
    """

    tree: GameTree | None
    method: str
    status: str
    message: str = ""
    seconds: float = 0.0
    judged: tuple[Judged, ...] = ()
    several: bool = False
    number: int = 1
    game: Game | None = None
    tolerance: float | Fraction | None = None
    details: Mapping[str, object] = field(default_factory=dict)
    refined: SequentialVerdict | None = None
    near: Near | None = None
    gambit: SecondOpinion | None = None

    @property
    def title(self) -> str:
        """The game's title."""
        return self._subject.title

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return self._subject.players

    @property
    def _subject(self) -> Game | GameTree:
        subject = self.tree if self.tree is not None else self.game
        assert subject is not None
        return subject

    @cached_property
    def strategy(self) -> TreeProfile | SparseProfile:
        """The best strategy found. Raises ``NotSolvedError`` if no strategy was found."""
        if not self.judged:
            raise self._lacks("strategy")
        return dealt(self.judged[self.number - 1].strategy, self.game)

    def _verified(self, name: str) -> Verdict:
        if self.verdict is None:
            raise self._lacks(name)
        return self.verdict

    def _lacks(self, name: str) -> NotSolvedError:
        ended = f"{self.method} ended with status {self.status!r}" + (f": {self.message}" if self.message else "")
        late, hint = self.status == "timeout", ""
        if self.judged:
            hint = "; .strategy was found, but not verified"
        elif late and "timeout=" not in self.message:
            hint = "; a longer timeout= may find one"
        elif self.status == "not-applicable" and self.method != "auto":
            hint = "; eb.solve(game) chooses a method"
        return NotSolvedError(f"this solution of {self.title!r} has no {name}; {ended}{hint}", timed_out=late)

    @property
    def profile(self) -> TreeProfile | None:
        """``strategy`` if it is on a tree, otherwise None."""
        return self.strategy if self.judged and isinstance(self.strategy, TreeProfile) else None

    @property
    def sparse(self) -> SparseProfile | None:
        """``strategy`` if it was found without a tree, otherwise None."""
        return self.strategy if self.judged and isinstance(self.strategy, SparseProfile) else None

    @property
    def equilibria(self) -> tuple[TreeProfile | SparseProfile, ...]:
        """All strategies that were verified as equilibria."""
        return tuple(
            dealt(one.strategy, self.game) for one in self.judged if one.verdict is not None and one.verdict.equilibrium
        )

    @property
    def place(self) -> str:
        """``"1 of 4"`` if ``strategy`` is one of four equilibria that were found; empty if it is the only one."""
        return f"{self.number} of {len(self.equilibria)}" if len(self.equilibria) > 1 else ""

    def pick(self, number: int) -> Solution:
        """Return the solution with the equilibrium *number* (from 1) of ``equilibria`` in place of the first.

        Raises ``ParameterError`` if there is no such equilibrium.

        Examples
        --------
        >>> import efg_builder as eb
        >>> text = 'EFG 2 R "" { "A" "B" } p "" 1 1 { "out" "in" } 0 t "" 1 { 1 2 } p "" 2 1 { "no" "yes" } 0'
        >>> solution = eb.solve(eb.parse_efg(text + ' t "" 2 { 0 0 } t "" 3 { 2 1 }'), "extreme")
        >>> solution.place, solution.value, solution.pick(3).value
        ('1 of 3', (Fraction(1, 1), Fraction(2, 1)), (Fraction(2, 1), Fraction(1, 1)))
        """
        count = len(self.equilibria)  # they come first in ``judged``, in order of regret
        if type(number) is not int or not 1 <= number <= count:
            found = plural(count, "equilibrium", "equilibria")
            raise ParameterError(f"there is no equilibrium number {number!r}; the solution has {found}")
        return self if number == self.number else replace(self, number=number, refined=None, near=None, gambit=None)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on ``strategy``; None if no strategy was found, or ``strategy`` could not be verified."""
        return self.judged[self.number - 1].verdict if self.judged else None

    @property
    def value(self) -> tuple[Number, ...]:
        """Each player's expected payoff under ``strategy``. Raises ``NotSolvedError`` if ``verdict`` is None."""
        return self._verified("value").value

    @property
    def lower(self) -> Number | None:
        """The payoff that player 1's strategy guarantees; None if the game is not two-player constant-sum."""
        return self.verdict.lower if self.verdict else None

    @property
    def upper(self) -> Number | None:
        """The payoff to which player 2's strategy limits player 1; None if the game is not two-player constant-sum."""
        return self.verdict.upper if self.verdict else None

    @property
    def regret(self) -> Number:
        """The largest gain of any player from a best response. Raises ``NotSolvedError`` if ``verdict`` is None."""
        return self._verified("regret").regret

    @property
    def regrets(self) -> tuple[Number, ...]:
        """Each player's gain from a best response. Raises ``NotSolvedError`` if ``verdict`` is None."""
        return self._verified("regrets").regrets

    @property
    def solved(self) -> bool:
        """Whether this is an equilibrium, or a near-equilibrium with regret up to a millionth of the payoff range."""
        near = self.status == "near-equilibrium" and self.verdict is not None and self.verdict.near
        return self.status == "equilibrium" or near

    @property
    def exact(self) -> bool:
        """Whether exact best responses prove that no player gains by deviating.

        In a two-player constant-sum game, ``lower`` and ``upper`` then equal the value.
        """
        verdict = self.verdict
        return verdict is not None and verdict.exact and verdict.regret == 0

    @cached_property
    def bids(self) -> tuple[BidFigures, ...]:
        """The statistics of all bids with positive probability; empty if there are no bids or no verdict."""
        if self.verdict is None or not isinstance(self.game, BiddingGame):
            return ()
        return bid_figures(self.strategy, self.game)

    @cached_property
    def bluffs(self) -> Bluffs:
        """The frequency of bluffs, and the opening bids; empty if bids make no claims."""
        return bluffs(self)

    def __str__(self) -> str:
        return "\n".join(solution_lines(self))

    def __repr__(self) -> str:
        word = "value" if len(self.players) <= 2 else "payoffs"
        value = "" if self.verdict is None else f", {word} {', '.join(map(text, self.value))}"
        return f"<Solution of {self.title!r} by {self.method}: {self.status}{value}>"

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the solution atomically to a file, and return the path.

        Parameters
        ----------
        path : str or path
            A file that ends in ``.json`` (for ``to_json``) or ``.csv`` (for ``table``), optionally followed by ``.gz``.

        Raises
        ------
        ParameterError
            If the path has another suffix.
        FileError
            If the file cannot be written.
        NotSolvedError
            If a table is requested, and there is no strategy.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.verify(eb.solve("kuhn").write("kuhn.json")).value[0]
        Fraction(-1, 18)
        """
        check_writable(path)
        name = os.fspath(path).lower().removesuffix(".gz")
        if not name.endswith((".csv", ".json")) and not name.startswith("/dev/"):
            raise ParameterError(f"{os.fspath(path)}: a solution is written as {', '.join(SUFFIXES)}")
        if name.endswith(".csv"):
            return write_atomically(path, csv_lines(self.table()))
        return write_atomically(path, (part.encode() for part in (*encode(self.to_json()), "\n")))

    def table(self) -> Iterator[tuple[object, ...]]:
        """Return ``strategy`` as the rows of a table that ``read_strategy`` reads.

        If there are several equilibria, the table contains all of them, numbered in the column ``equilibrium``.

        Returns
        -------
        iterator of tuples
            The column names, then the rows. The column ``float`` contains the rounded probability. The column ``reach
            probability`` contains the reach probability of the information set; it is empty without a tree.

        Raises
        ------
        NotSolvedError
            If there is no strategy.

        Examples
        --------
        >>> import efg_builder as eb
        >>> next(eb.solve("kuhn").table())[:4]
        ('player', 'infoset', 'action', 'probability')
        """
        if len(self.equilibria) < 2:
            return _rows(self.strategy, self.verdict)
        numbered = [(n, one) for n, one in enumerate(self.judged, 1) if one.verdict and one.verdict.equilibrium]
        numbered.sort(key=lambda pair: pair[0] != self.number)  # a reader of the table takes the first strategy
        every = (_rows(dealt(one.strategy, self.game), one.verdict, n) for n, one in numbered)
        return chain(next(every), *(islice(rows, 1, None) for rows in every))

    def verify(self) -> Proof:
        """Verify the data of ``to_json`` at ``tolerance``, and return the verified claims.

        Raises ``CertificateError`` if a claim is false, or there is no strategy.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").verify().exact
        True
        """
        return verify_solution(self, tolerance=self.tolerance)

    @overload
    def draw(self, path: None = None, **settings: Unpack[DrawSettings]) -> Picture: ...

    @overload
    def draw(self, path: str | os.PathLike[str], **settings: Unpack[DrawSettings]) -> Path: ...

    def draw(self, path: Any = None, **settings: Any) -> Path | Picture:
        """Write a picture of the tree with the strategy to the file *path*, and return the path.

        Parameters
        ----------
        path : path-like, optional
            The file for the picture, e.g. ``kuhn.svg``. By default, return a picture that a notebook displays.
        **settings
            Keyword arguments of ``efg_builder.draw``. Its documentation also lists the formats and the errors.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").draw("kuhn.svg").name
        'kuhn.svg'
        >>> str(eb.solve("kuhn").draw(values=True))[:4]
        '<svg'
        """
        drawn: Path | Picture = later("Solution.draw")(self, path, **settings)
        return drawn

    def report(self, path: str | os.PathLike[str], **options: Any) -> Path:
        """Write a report on the solution as an HTML page to *path*, and return the path.

        The *options* and the errors are the same as for ``efg_builder.write_report``.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").report("kuhn.html").name
        'kuhn.html'
        """
        written: Path = later("Solution.report")(self, path, **options)
        return written

    def to_gambit(self) -> Any:
        """Return ``strategy`` as a ``pygambit.MixedBehaviorProfile``; rational if ``strategy`` is exact.

        Raises
        ------
        NotApplicableError
            If ``strategy`` is not on a tree (``support_tree`` builds one), no player moves, or the tree is too deep for
            Gambit.
        NotSolvedError
            If there is no strategy.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").to_gambit().game.title
        'Kuhn poker: 2 players, 3 cards'
        """
        return to_gambit(self)

    def to_json(self) -> dict[str, Any]:
        """Return the data that ``write`` writes to a ``.json`` file. Rationals are text such as ``"-1/9"``.

        ``value`` and ``regret`` are None if there is no verdict. The data has no times: solving a game twice with the
        same versions, without a time limit that ends the search, gives the same data.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").to_json()["value"]
        ['-1/18', '1/18']
        """
        data: dict[str, Any] = {
            "format": format_of("solution"),
            "game": certified_game(self.game, None if self.sparse is not None else self.tree),
            "method": self.method,
            "status": self.status,
            "message": self.message,
            "value": None if self.verdict is None else [to_json(v) for v in self.value],
            "lower": _json(self.lower),
            "upper": _json(self.upper),
            "exact": self.exact,
            "regret": None if self.verdict is None else to_json(self.regret),
            "tolerance": _json(self.tolerance),
            "run": {"versions": versions(), **self._untimed, **self.bluffs.to_json()},
        }
        if self.verdict is not None and self.lower is None:
            # If there are bounds, the regrets follow from the bounds.
            data["regrets"] = [to_json(gain) for gain in self.regrets]
        if self.near is not None and self.near.radius is not None:
            data["radius"] = to_json(self.near.radius)
        elif self.near is not None:
            data["run"]["near"] = self.near.reason
        if self.gambit is not None:
            data["run"]["gambit"] = self.gambit.to_json()
        if self.sparse is not None:
            data |= {"default": DEFAULT_RULE, "strategies": strategies_part(self.sparse)}
        else:
            data["profile"] = _profile(self.judged[self.number - 1]) if self.judged else None
        if self.several:
            data["equilibria"] = [_one_of_several(judged) for judged in self.judged]
        if self.refined is not None:
            data["refined"] = refined_part(self.refined)
        return data | {"digests": digests(data)}

    @property
    def _untimed(self) -> dict[str, object]:
        return {key: part for key, part in self.details.items() if key != COMPUTED}


def with_near(found: Solution, progress: Callable[[str], None] = quiet) -> Solution:
    """Return *found*. If *found* is a near-equilibrium with rational probabilities, add ``near``."""
    first = found.judged[0] if found.judged and found.status == "near-equilibrium" else None
    if first is None or first.verdict is None or first.verdict.forgetful or not first.strategy.exact:
        return found
    progress(PROVING)
    return replace(found, near=prove_near(first.strategy))


def _rows(
    strategy: TreeProfile | SparseProfile, verdict: Verdict | None, number: int | None = None
) -> Iterator[tuple[object, ...]]:
    listed = strategy.canonical() if isinstance(strategy, SparseProfile) else strategy
    which = () if number is None else (str(number),)

    def besides(k: int | None, p: Number) -> tuple[str, ...]:
        return repr(float(p)), "" if k is None or verdict is None else text(verdict.reach[k]), *which

    return table(listed, ("float", "reach probability", *([EQUILIBRIUM_COLUMN] if which else [])), besides)


def _one_of_several(judged: Judged) -> dict[str, Any]:
    verdict = judged.verdict
    return {
        "value": [to_json(v) for v in verdict.value] if verdict else None,
        "regret": to_json(verdict.regret) if verdict else None,
        "equilibrium": bool(verdict and verdict.equilibrium),
        "profile": _profile(judged),
    }


def versions() -> dict[str, str]:
    parts = ("pygambit", "highspy", "numpy", "scipy")
    ours = {"python": platform.python_version(), "efg-builder": __version__}
    return ours | {part: _version(part) for part in parts}


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _json(number: Number | None) -> str | float | None:
    return None if number is None else to_json(number)


def _profile(judged: Judged) -> list[dict[str, Any]]:
    profile, verdict = judged.strategy, judged.verdict
    assert isinstance(profile, TreeProfile)
    unknown: list[bool | None] = [None] * len(profile.tree.infosets)
    return profile_part(profile, unknown if verdict is None else [reach > 0 for reach in verdict.reach])


# --- statistics of bids; first moves; the leading player


@dataclass(frozen=True)
class Answer:
    """A hand of the player who answers a bid.

    ``held``: the hand's probability given the bid. ``called``: the probability that the player calls with this hand.
    """

    hand: str
    held: Number
    called: Number


@dataclass(frozen=True)
class BidFigures:
    """The statistics of a bid by ``player`` (from 0), over all histories.

    ``made``: the probability of the bid in a round. The other probabilities are conditional on the bid. ``bluff``: none
    of the bidder's dice support the bid. ``false``: the bid is false. ``called``: the next player, ``answerer``, calls.
    ``answers``: the answerer's possible hands, in order.
    """

    player: int
    answerer: int
    bid: str
    made: Number
    bluff: Number
    false: Number
    called: Number
    answers: tuple[Answer, ...]


class _Sums:
    """Numerators by name, over the common denominator ``scale``."""

    def __init__(self) -> None:
        self.scale, self.counts = 1, dict[Hashable, Count]()

    def add(self, scale: int, counts: Iterable[tuple[Hashable, Count]]) -> None:
        common = lcm(self.scale, scale)
        if common != self.scale:
            times = common // self.scale
            self.scale, self.counts = common, {name: times * count for name, count in self.counts.items()}
        times = common // scale
        for name, count in counts:
            self.counts[name] = self.counts.get(name, 0) + times * count

    def __getitem__(self, name: Hashable) -> Number:
        return number(self.counts.get(name, 0), self.scale)


_MADE, _BLUFF, _FALSE = "made", "bluff", "false"


def bid_figures(profile: Strategy, game: BiddingGame) -> tuple[BidFigures, ...]:
    """Return the statistics of all bids with positive probability, sorted by player and bid.

    The statistics are exact if *profile* is exact. Numerical noise (``is_played``) is treated as 0. The result is empty
    if hands are not independent.
    """
    hands = Hands(game)
    if hands.chances is None:
        return ()
    sums: dict[tuple[int, int], tuple[_Sums, _Sums, _Sums]] = {}
    bids = {name: index for index, name in enumerate(game.bid_names)}
    claimed = cache(game.claim)

    @cache
    def false_classes(bid: int, caller: int) -> tuple[list[tuple[int, ...]], frozenset[tuple[Hashable, ...]]]:
        """Return the classes of each player's hands, and the combinations of classes for which the bid is false."""
        classes = [game.classes(game.called(bid, caller), player) for player in range(len(game.players))]
        # One deal represents all deals with the same classes.
        cells = product(*map(dict.fromkeys, classes))
        return classes, frozenset(
            cell for cell in cells if game.is_false(bid, caller, tuple(map(tuple.index, classes, cell)))
        )

    for turn, _, action, rows, onward in reached(hands, _behaviors(profile, game)):
        if action not in bids or not isinstance(turn, PublicDecision):
            continue
        bidder, bid = (turn.player - 1) % len(game.players), bids[action]
        figures, held, called = sums.setdefault((bidder, bid), (_Sums(), _Sums(), _Sums()))
        scale, mine = hands.held(rows, bidder)
        claims = ((weight, claimed(bidder, hand, action)) for hand, weight in mine.items())
        bluff = sum(weight for weight, claim in claims if claim is not None and claim.matching == 0)
        figures.add(scale, [(_MADE, sum(mine.values())), (_BLUFF, bluff)])
        classes, lies = false_classes(bid, turn.player)
        scale, found = hands.together(rows, classes)
        figures.add(scale, [(_FALSE, sum(weight for cell, weight in found.items() if cell in lies))])
        for kept, weights in ((held, rows[turn.player]), (called, onward.get(game.call))):
            if weights is not None:
                scale, answers = hands.held((*rows[: turn.player], weights, *rows[turn.player + 1 :]), turn.player)
                kept.add(scale, answers.items())
    return tuple(_figures(game, *key, *sums[key]) for key in sorted(sums))


def bluff_shares(profile: Strategy, game: DealtGame) -> dict[int, Number]:
    """Return the share of each player's claims that none of the player's dice support. Players without claims are
    omitted.
    """
    # An action with a given hand makes the same claim at every history, so claims are cached.
    claims, bluffs, claimed, hands = _Sums(), _Sums(), cache(game.claim), Hands(game)
    for turn, _, _, rows, onward in reached(hands, _behaviors(profile, game)):
        if not isinstance(turn, PublicDecision):
            continue
        player = turn.player
        for action, weights in onward.items():
            scale, held = hands.held((*rows[:player], weights, *rows[player + 1 :]), player)
            made = [(weight, claimed(player, hand, action)) for hand, weight in held.items()]
            claims.add(scale, [(player, sum(weight for weight, claim in made if claim is not None))])
            lies = sum(weight for weight, claim in made if claim is not None and claim.matching == 0)
            bluffs.add(scale, [(player, lies)])
    return {player: bluffs[player] / claims[player] for player in range(len(game.players)) if claims[player]}


def _figures(game: BiddingGame, player: int, bid: int, figures: _Sums, held: _Sums, called: _Sums) -> BidFigures:
    answerer = (player + 1) % len(game.players)
    names, made = game.hands[answerer], figures[_MADE]
    answers = tuple(
        Answer(names[hand], held[hand] / made, called[hand] / held[hand]) for hand in range(len(names)) if held[hand]
    )
    calls = number(sum(called.counts.values()), called.scale)
    bluff, false = figures[_BLUFF] / made, figures[_FALSE] / made
    return BidFigures(player, answerer, game.bid_names[bid], made, bluff, false, calls / made, answers)


def _behaviors(profile: Strategy, game: DealtGame) -> Behaviors:
    if isinstance(profile, SparseProfile):
        return profile.behaviors
    played = played_by(profile, game)
    return lambda turn, hands: {hand: played(turn, hand) for hand in hands}


def played_by(profile: Strategy, game: DealtGame) -> Played:
    """Return the behavior of *profile* in *game*, without numerical noise (``is_played``)."""
    strategy = dealt(profile, game)

    def played(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        return {action: p for action, p in strategy.at(turn, hand).items() if is_played(p)}

    return profile.played if isinstance(profile, SparseProfile) else played


@dataclass(frozen=True)
class Opening:
    """The first move of ``player`` (a name) with one hand, or at one information set.

    ``actions``: the actions with positive probability, and their probabilities. ``held``: the probability of the hand
    or, without hands, of the information set. ``bluff``: the probability of a bid that none of the bidder's dice
    support. ``false``: the probability of a false bid, given only the hand. Without claims, ``bluff`` and ``false`` are
    None.
    """

    player: str
    hand: str
    actions: tuple[tuple[str, Number], ...]
    held: Number
    bluff: Number | None = None
    false: Number | None = None


@dataclass(frozen=True)
class OpeningBid:
    """The statistics of a first bid by ``player``.

    ``made``: the probability of the bid over all hands. The other probabilities are conditional on the bid. ``bluff``:
    none of the bidder's dice support the bid. ``false``: the bid is false.
    """

    player: str
    bid: str
    made: Number
    bluff: Number
    false: Number


@dataclass(frozen=True)
class Bluffs:
    """The frequency of bluffs; empty if bids make no claims.

    ``shares``: by player name, the share of the player's bids that none of the player's dice support, weighted by
    probability. ``bids``: the first bids, lowest first.
    """

    shares: Mapping[str, Number]
    bids: tuple[OpeningBid, ...]

    def told(self, regret: Number) -> str:
        """Return the shares as text: ``Player 1 1/4, Player 2 1/2``. The strategies' *regret* limits the digits."""
        numbers = in_text(self.shares.values(), regret)
        return ", ".join(f"{name} {share}" for name, share in zip(self.shares, numbers, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return JSON data for the entry ``run`` of a solution; empty if bids make no claims."""
        if not self.shares:
            return {}
        shares = {name: float(share) for name, share in self.shares.items()}
        opening = [{"bid": bid.bid, "made": float(bid.made), "bluff": float(bid.bluff)} for bid in self.bids]
        return {"bluffs": {"of_all_bids": shares, "opening": opening}}


def bluffs(solution: Solution) -> Bluffs:
    """Return the statistics of bluffs; empty unless *solution* has a verdict and the rules of a dealt game.

    Every reached history is visited, so ``Solution.bluffs`` caches the result.
    """
    game = solution.game
    if not isinstance(game, DealtGame) or solution.verdict is None:
        return Bluffs({}, ())
    profile = solution.strategy
    found = _shares_of(solution.bids) or bluff_shares(profile, game)
    shares = {game.players[player]: share for player, share in found.items()}
    return Bluffs(shares, opening_bids(profile, game))


def _shares_of(bids: tuple[BidFigures, ...]) -> dict[int, Number]:
    made, bluffs = dict[int, Number](), dict[int, Number]()
    for bid in bids:
        made[bid.player] = made.get(bid.player, Fraction(0)) + bid.made
        bluffs[bid.player] = bluffs.get(bid.player, Fraction(0)) + bid.made * bid.bluff
    return {player: bluffs[player] / made[player] for player in made}


def openings(profile: TreeProfile | SparseProfile, game: Game | None = None) -> tuple[Opening, ...]:
    """Return the first mover's play with each hand, or at each of the mover's first information sets.

    A first information set contains the root, or a child of a chance node at the root.
    """
    game = profile.game if isinstance(profile, SparseProfile) else game
    if isinstance(game, DealtGame):
        played, turn = played_by(profile, game), game.public_turn(game.public_root())
        if not isinstance(turn, PublicDecision):
            return ()
        every = Hands(game)
        scale, held = every.held(every.start(), turn.player)
        hands = range(game.hand_counts[turn.player])
        return tuple(
            _claiming(game, turn.player, hand, number(held.get(hand, 0), scale), tuple(played(turn, hand).items()))
            for hand in hands
        )
    assert isinstance(profile, TreeProfile)
    tree, found = profile.tree, []
    odds = tree.infosets[tree.infoset[0]].probabilities if tree.player[0] == CHANCE else None
    firsts = dict[int, Fraction]()
    for node, p in [(0, Fraction(1))] if odds is None else zip(tree.children(0), odds, strict=True):
        if tree.player[node] >= 0:
            k = int(tree.infoset[node])
            firsts[k] = firsts.get(k, Fraction(0)) + p
    mover = next((tree.infosets[k].player for k in firsts), None)
    for k, weight in firsts.items():
        if tree.infosets[k].player == mover:
            row = zip(tree.infosets[k].actions, profile.probabilities[k], strict=True)
            played_here = tuple((action, p) for action, p in row if is_played(p))
            found.append(Opening(tree.players[mover], tree.names[k], played_here, weight))
    return tuple(found)


def most_probable(found: Sequence[Opening], most: int) -> list[int]:
    """Return the indices of the *most* openings with the highest probability, in ascending order."""
    return sorted(sorted(range(len(found)), key=lambda index: (-found[index].held, index))[:most])


def opening_bids(profile: Strategy, game: DealtGame) -> tuple[OpeningBid, ...]:
    """Return the first bids of *profile*, lowest first; empty if moves make no claims."""
    played = played_by(profile, game)
    hands, turn = Hands(game), game.public_turn(game.public_root())
    if not isinstance(turn, PublicDecision):
        return ()
    player, sums = turn.player, dict[str, tuple[Number, Number, Number]]()
    scale, held = hands.held(hands.start(), player)
    for hand, count in held.items():
        weight = number(count, scale)
        for action, p in played(turn, hand).items():
            claim = game.claim(player, hand, action)
            if claim is not None:
                often, bluff, false = sums.get(action, (Fraction(0), Fraction(0), Fraction(0)))
                bluff += weight * p if claim.matching == 0 else 0
                sums[action] = often + weight * p, bluff, false + weight * p * claim.false
    name = game.players[player]
    made = ((action, *sums[action]) for action, _ in turn.actions if action in sums)
    return tuple(OpeningBid(name, bid, often, bluff / often, false / often) for bid, often, bluff, false in made)


def ahead(solution: Solution, game: Game | None) -> str:
    """Return a clause that names the leading player; empty if the payoffs are not known to have a constant sum."""
    if solution.verdict is None:
        return ""
    value = solution.value
    divided = solution.lower is not None or (game is not None and game.constant_sum is not None)
    if not divided or len(value) < 2:
        return ""
    best = max(value)
    leaders = [name for name, v in zip(solution.players, value, strict=True) if v == best]
    if len(leaders) == len(value):
        return "the players are even"
    return f"{' and '.join(leaders)} {'is' if len(leaders) == 1 else 'are'} ahead"


def one_of_many(solution: Solution) -> bool:
    """Return whether *solution* is a single, unrefined equilibrium of a two-player constant-sum tree with moves."""
    if solution.status != "equilibrium" or solution.lower is None or solution.several or solution.refined is not None:
        return False
    return solution.profile is not None and bool(solution.profile.tree.personal)


def _claiming(game: DealtGame, player: int, hand: int, held: Number, played: tuple[tuple[str, Number], ...]) -> Opening:
    claims = [(game.claim(player, hand, action), p) for action, p in played]
    bluff = false = None
    if any(claim for claim, _ in claims):
        bluff = sum((p for claim, p in claims if claim and claim.matching == 0), Fraction(0))
        false = sum((claim.false * p for claim, p in claims if claim), Fraction(0))
    return Opening(game.players[player], game.hands[player][hand], played, held, bluff, false)


# --- text output


def may_threaten(solution: Solution) -> bool:
    """Return whether *solution* is an equilibrium of a game without a value, with unchecked moves off the path."""
    if not solution.solved or solution.lower is not None or solution.refined or solution.method == "backward":
        return False
    return solution.verdict is not None and has_unchecked(solution.strategy, solution.verdict)


def shares_payoffs(solution: Solution) -> bool:
    """Return whether all players always get the same payoffs, and the only equilibrium found is not the best end.

    With perfect information, no equilibrium pays more than backward induction.
    """
    tree = solution.tree
    if tree is None or len(tree.players) < 2 or len(solution.equilibria) != 1 or has_perfect_information(tree):
        return False
    paid, scale = scaled_payoffs(tree)
    ends = paid[tree.player == TERMINAL]
    return bool((ends == ends[:, :1]).all()) and solution.value[0] * scale < max(ends[:, 0])


def has_unchecked(strategy: Strategy, verdict: Verdict) -> bool:
    """Return whether *verdict* has no bounds on a value, and does not cover moves off the equilibrium path."""
    if verdict.lower is not None:
        return False
    if not isinstance(strategy, TreeProfile):
        return True
    tree = strategy.tree
    return any(verdict.reach[k] == 0 and len(tree.infosets[k].actions) > 1 for k in tree.personal)


def solution_lines(solution: Solution) -> list[str]:
    """Return *solution* as text lines, with the moves at the most reached information sets of a larger strategy."""
    lines = [solution.title, f"method        {solution.method}", f"status        {solution.status}"]
    if solution.message:
        lines.append(f"              {solution.message}")
    settled = solution.lower is not None and solution.lower == solution.upper
    if solution.lower is not None and solution.upper is not None and not settled:
        width = float(Fraction(solution.upper) - Fraction(solution.lower))
        lines.append(f"bracket       {figure(solution.lower)} to {figure(solution.upper)} (gap {width:.3g})")
        if solution.verdict is not None:
            lines.append(f"proved        {nobody_gains(_most_gained(solution.verdict))}")
            most = most_won(solution.players, solution.value, solution.lower, solution.upper)
            lines.append(f"              an opponent gets {most}")
    elif solution.verdict is not None and solution.lower is None and solution.regret:
        lines.append(f"proved        {nobody_gains(_most_gained(solution.verdict))}")
    if solution.near is not None:
        radius, why = solution.near.radius, f"not proved    that a true equilibrium is near: {solution.near.reason}"
        lines.append(why if radius is None else f"              {equilibrium_within(radius)}")
    if solution.verdict is not None:
        word = "value" if settled else "payoff"
        for player, value in zip(solution.players, solution.value, strict=True):
            lines.append(f"{word:<14}{player}: {figure(value)}")
        proof = (
            " (exact: two best responses over the whole game agree on the value)" if settled and solution.exact else ""
        )
        lines.append(f"regret        {figure(solution.regret)}{proof}")
    if len(solution.players) > 2 and solution.verdict is not None:
        lines.append(f"              {NOBODY_SURE if solution.solved else NOBODY_GUARANTEED}")
    if solution.refined is not None:
        sets = plural(len(solution.refined.gains), "information set")
        lines.append(f"refined       no action is better at any of {sets}, even after mistakes (beliefs: --json)")
    if solution.profile is not None and len(solution.profile.tree.personal) <= SHOWN_SETS:
        whole = solution.several or may_threaten(solution)
        where = "(off path: unreached information sets)" if whole else "(reached information sets)"
        of = f"of equilibrium {solution.place} " if solution.place else ""
        lines += [f"strategy      {of}{where}", *_played(solution.profile, solution.verdict, whole)]
    elif solution.profile is not None and solution.verdict is not None:
        lines += _most_reached(solution.profile, solution.verdict)
    if solution.sparse is not None:
        lines += _sparse(solution, solution.sparse)
    if solution.verdict is not None:
        lines += bluff_lines(solution.bluffs, solution.regret)
    only = solution.solved and len(solution.judged) == 1 and solution.method != ALL
    if solution.several and only and len(solution.players) == 2:  # with more players, a line above says so
        lines.append(f"others        {OTHERS_PAY}")
    if solution.several and not only:
        good = sum(1 for j in solution.judged if j.verdict and j.verdict.equilibrium)
        kind = "an equilibrium" if good == 1 else "equilibria"
        lines.append(f"found         {plural(len(solution.judged), 'profile')}, {good} verified as {kind}")
        lines += _each(solution.judged, solution.number)
    if may_threaten(solution):
        lines.append(f"off the path  {EMPTY_THREATS}")
    if shares_payoffs(solution):
        lines.append(f"others        {SHARED_PAYOFFS}")
    if one_of_many(solution):
        lines.append(f"others        {ONE_OF_MANY}")
    return [*lines, f"seconds       {solution.seconds:.2f}"]


def _most_gained(verdict: Verdict) -> Number:
    """Return the regret with the error of its computation in floats."""
    return verdict.regret + (verdict.error_bound or 0)


def _sparse(solution: Solution, profile: SparseProfile) -> list[str]:
    size, lines = profile.game.size(), []
    written = " + ".join(f"{count:,}" for count in profile.sizes)
    work = [f"{written} of {plural(sum(size.infosets), 'information set')}"]
    rounds, sequences = (solution.details.get(key) for key in ("rounds", "sequences"))
    if isinstance(rounds, int) and isinstance(sequences, Sequence):
        work.append(f"{plural(rounds, 'round')}, {' + '.join(f'{count:,}' for count in sequences)} sequences")
    lines.append(f"support       {'; '.join(work)}")
    if profile.game.deal_count < SHOWN_NODES and not _reaches_more(profile, SHOWN_SETS):
        with suppress(TreeTooLargeError):
            tree = support_tree(profile, max_nodes=SHOWN_NODES)
            rest = f"; elsewhere: {profile.game.call}" if isinstance(profile.game, BiddingGame) else ""
            lines.append(f"strategy      (reached information sets{rest})")
            lines += _played(profile.on(tree), None)
    return lines


def _most_reached(profile: TreeProfile, verdict: Verdict) -> list[str]:
    """Return lines of the moves at the ``FEW_SETS`` information sets with the highest reach probability."""
    personal, reach = profile.tree.personal, verdict.reach
    reached = (k for k in personal if reach[k])
    shown = sorted(sorted(reached, key=lambda k: (-reach[k], k))[:FEW_SETS])
    left = plural(len(personal) - len(shown), "other information set")
    return [
        "strategy      (the information sets reached most often)",
        *played_lines(profile, shown, verdict.regret),
        f"  and {left}: -o FILE.csv (write) saves all, and 'draw --view public' shows the public tree",
    ]


def _reaches_more(profile: SparseProfile, most: int) -> bool:
    """Return whether *profile* reaches more than *most* information sets, without building the support tree."""
    sets = 0
    for step in reached(Hands(profile.game), profile.behaviors):
        sets += len({hand for weights in step.onward.values() for hand in weights.by_hand})
        if sets > most:
            return True
    return False


def bluff_lines(bluffs: Bluffs, regret: Number = 0) -> list[str]:
    """Return text lines on bluffs; empty if bids make no claims. The strategies' *regret* limits the printed digits."""
    said, bids = "bluffs        share of bids that none of the bidder's dice support", bluffs.bids
    lines = [f"{said}: {bluffs.told(regret)}"] if bluffs.shares else []
    if not bids:
        return lines
    width = max(3, *(len(bid.bid) for bid in bids)) + 2
    shown = [bid for bid in bids if bid.made >= LEAST_SHOWN][:SHOWN_BIDS]
    write = notation((p for bid in shown for p in (bid.made, bid.bluff)), regret)
    note = "; ".join([f"{bids[0].player}'s first bid, all hands together", *[PERCENT_ROUNDED] * write.rounded])
    lines.append(f"opening       {'bid':<{width}}{'made':<8}bluff   ({note})")
    lines += [f"{'':<14}{bid.bid:<{width}}{write(bid.made):<8}{write(bid.bluff)}" for bid in shown]
    more = len(bids) - len(shown)
    return [*lines, f"{'':<14}and {plural(more, 'more bid')}: --json (to_json()) lists all"] if more > 0 else lines


def _played(profile: TreeProfile, verdict: Verdict | None, whole: bool = False) -> list[str]:
    """Return lines of all information sets if *whole* is true or *verdict* is None, otherwise of the reached ones."""
    tree = profile.tree
    if verdict is None:
        return played_lines(profile, tree.personal)
    off_path = [k for k in tree.personal if not verdict.reach[k]]
    shown = [k for k in tree.personal if whole or verdict.reach[k]]
    return played_lines(profile, shown, verdict.regret, off_path)


def _each(judged: tuple[Judged, ...], printed: int) -> list[str]:
    """Return a line for each strategy, with its moves unless it is the strategy number *printed*."""
    lines = []
    for index, one in enumerate(judged[:SHOWN_EQUILIBRIA], start=1):
        if one.verdict is not None:
            payoffs = ", ".join(brief(value) for value in one.verdict.value)
            lines.append(f"  {index:>3}  payoffs {payoffs}; regret {brief(one.verdict.regret)}")
            if (
                index != printed
                and isinstance(one.strategy, TreeProfile)
                and len(one.strategy.tree.personal) <= SHOWN_SETS
            ):
                lines += [f"       {line}" for line in _played(one.strategy, one.verdict, whole=True)]
    if len(judged) > SHOWN_EQUILIBRIA:
        lines.append(f"  and {len(judged) - SHOWN_EQUILIBRIA:,} more: --json (to_json()) lists all")
    return lines
