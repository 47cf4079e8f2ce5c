"""Evaluate a strategy: compute its payoffs, and the payoffs of best responses to it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import ParameterError, ProfileError, RecallError, check_argument, check_budget, check_functions
from ..base.facts import attributes
from ..base.files import check_path
from ..base.parameters import check_gap, check_seconds
from ..base.rationals import Number, brief
from ..base.words import above, figure, listed, one_line, quiet
from ..forms.extensive import MAX_NODES
from ..forms.hand_names import printed
from ..forms.subject import Subject, size_of
from ..games.protocol import SOONEST, Game
from ..interop.trees import GameLike, as_subject
from ..proof.best_response import values
from ..proof.measures import Loss, loss_lines
from ..proof.refinement import UNCHECKED, Refinement, refinement
from ..proof.sequences import floats_over_sequences
from ..proof.verify import best_responses, tree_error, verify
from ..strategies.policy import Seated
from ..strategies.reading import FileStrategy, completion
from ..strategies.tree_profile import Strategy, Written, dealt
from ..strategies.writing import write_strategy
from . import TIMEOUT
from .find import AUTO, Table, find, float_kind, measured_over
from .tabular import floats_by_name, floats_in, floats_of, is_tabular, name_of, seated_floats

_HOW = {
    "tree": "over the whole tree",
    "sparse": "over the part of the public tree that the strategies reach",
    "dense": "over arrays of all histories",
}


@dataclass(frozen=True)
class Seating:
    """The payoffs of strategies in one order of seats.

    Attributes
    ----------
    seats : tuple of str
        The names of the strategies, in the order of the players.
    value : tuple of Number
        The expected payoff of each player: fractions if all probabilities are rational, otherwise floats.
    best_response : tuple of Number
        The payoff of each player's best response to the other strategies; empty if unknown (see
        ``Evaluation.no_regret``).
    losses : tuple of Loss or None
        The losses at information sets, the largest regret first; None if they were not computed. The sum of a player's
        regrets is the gain of a best response.
    """

    seats: tuple[str, ...]
    value: tuple[Number, ...]
    best_response: tuple[Number, ...]
    losses: tuple[Loss, ...] | None = field(default=None, repr=False, compare=False)

    @property
    def gains(self) -> tuple[Number, ...]:
        """The gain of each player's best response; empty if the best responses are unknown."""
        return tuple(best - value for best, value in zip(self.best_response, self.value, strict=False))

    @property
    def nash_conv(self) -> Number | None:
        """The sum of the gains, which is 0 only for a Nash equilibrium; None if the best responses are unknown."""
        return sum(self.gains[1:], start=self.gains[0]) if self.gains else None

    @property
    def exploitability(self) -> Number | None:
        """Half of ``nash_conv``, which is the mean gain of two players; None for more or fewer players."""
        total = self.nash_conv
        return total / 2 if total is not None and len(self.seats) == 2 else None


@dataclass(frozen=True)
class SeatCount:
    """The number of information sets of one seat: in the game (``sets``), and in the file (``written``)."""

    written: int
    sets: int

    @property
    def completed(self) -> int:
        """The number of information sets that the file lacks."""
        return self.sets - self.written


@dataclass(frozen=True)
class Described:
    """An evaluated strategy. ``completion``: the moves at missing information sets, as in ``evaluate``, or None."""

    name: str
    completion: str | None
    seats: tuple[SeatCount, ...]

    @property
    def completed(self) -> int:
        """The number of information sets that the file lacks, in all seats."""
        return sum(seat.completed for seat in self.seats)


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The result of ``evaluate``. ``str`` returns the output of ``efg-builder evaluate``.

    Attributes
    ----------
    title, players : str, tuple of str
        The title of the game, and the names of its players.
    method : str
        ``"tree"``, ``"sparse"`` or ``"dense"``, as in ``evaluate``.
    error_bound : float or None
        The maximum error of a value or best response; None for exact results.
    strategies : tuple of Described
        The strategies, each with the number of information sets that its file lacks.
    matches : tuple of Seating
        The payoffs, best responses, ``nash_conv`` and ``exploitability``: one entry if one strategy plays all seats,
        otherwise one for each seat of the first strategy. With two strategies, ``nash_conv`` and ``exploitability``
        measure the pair.
    seconds : float
        The duration of the evaluation.
    game : Game or None
        The rules, if they are known.
    exploiter : Strategy or None
        For each seat, a best response to the first strategy in all other seats; None if not requested.
    no_regret : str
        The reason for missing best responses; empty if none are missing.
    forgetful : tuple of str
        The players without perfect recall, whose best responses are the best behavior strategies.
    off_path : Refinement
        For an exact equilibrium on a small tree: whether it is subgame perfect, and whether it is sequential.

    Examples
    --------
    >>> import efg_builder as eb
    >>> found = eb.evaluate("kuhn", "uniform")
    >>> found.matches[0].value, found.matches[0].exploitability
    ((Fraction(1, 8), Fraction(-1, 8)), Fraction(11, 24))
    """

    title: str
    players: tuple[str, ...]
    method: str
    error_bound: float | None
    strategies: tuple[Described, ...]
    matches: tuple[Seating, ...]
    seconds: float
    game: Game | None
    exploiter: Strategy | None = None
    no_regret: str = ""
    forgetful: tuple[str, ...] = ()
    off_path: Refinement = UNCHECKED

    @property
    def exact(self) -> bool:
        """Whether all payoffs are exact."""
        return self.error_bound is None

    @property
    def equilibrium(self) -> bool | None:
        """Whether one strategy in all seats is an equilibrium; None if this is not decided, or if there are two."""
        gains = self.matches[0].gains
        if len(self.strategies) > 1 or not gains:
            return None
        if self.error_bound is None:
            return max(gains) <= 0
        return False if max(gains) > 2 * self.error_bound else None

    @property
    def nash_conv_error_bound(self) -> float | None:
        """The maximum error of NashConv: the sum of the error bounds of all values and best responses."""
        return None if self.error_bound is None or self.no_regret else 2 * len(self.players) * self.error_bound

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for each strategy whose file has no information set of this game."""
        return tuple(
            f"{each.name}: its file has no information set of this game; only its completion was measured"
            for each in self.strategies
            if all(each.completion is not None and not seat.written for seat in each.seats)
        )

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def to_json(self) -> dict[str, Any]:
        """Return the evaluation as plain data, without the exploiter. Rationals are text such as ``"-1/9"``.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.evaluate("kuhn", "uniform").to_json()["matches"][0]["value"]
        ['1/8', '-1/8']
        """
        return {
            "game": attributes(self, "title", "players"),
            **attributes(self, "method", "exact", "error_bound", "nash_conv_error_bound"),
            "strategies": [
                attributes(each, "name", "completion")
                | {"seats": [attributes(seat, "sets", "written", "completed") for seat in each.seats]}
                for each in self.strategies
            ],
            **attributes(self, "warnings"),
            "no_regret": self.no_regret or None,
            **attributes(self, "forgetful"),
            "off_path": self.off_path.to_json() if self.off_path.known else None,
            "equilibrium": self.equilibrium,
            "matches": list(map(_seating_data, self.matches)),
            "seconds": round(self.seconds, 3),
        }

    def __repr__(self) -> str:
        names = " against ".join(each.name for each in self.strategies)
        values = ", ".join(brief(payoff) for payoff in self.matches[0].value)
        return f"<Evaluation of {names} in {self.title!r}: value {values}>"

    def write_exploiter(self, path: str | os.PathLike[str]) -> Path:
        """Write the exploiter to a file that ``evaluate`` can read.

        Parameters
        ----------
        path : str or path
            A path that ends in ``.json``, ``.csv`` or, for arrays, ``.npz``.

        Returns
        -------
        Path
            The path of the file.

        Raises
        ------
        ParameterError
            If there is no exploiter, or the file format cannot store it.
        FileError
            If the file cannot be written.
        """
        check_path(path)
        if self.exploiter is None:
            raise ParameterError("there is no exploiter to write: evaluate(..., exploiter=True) finds one")
        about = f"for each seat, a best response to {self.strategies[0].name} in all other seats"
        return write_strategy(path, self.exploiter, self.game, about)


def _seating_data(found: Seating) -> dict[str, Any]:
    data = attributes(found, "seats")
    for key in ("value", "best_response", "gains"):
        data |= attributes(found, key) | {f"{key}_float": list(map(float, getattr(found, key)))}
    for key in ("nash_conv", "exploitability"):
        number = getattr(found, key)
        data |= attributes(found, key) | {f"{key}_float": None if number is None else float(number)}
    return data | {"losses": None if found.losses is None else list(map(_loss_data, found.losses))}


def _loss_data(loss: Loss) -> dict[str, Any]:
    data = attributes(loss, "player", "infoset", "reach", "played", "better", "regret")
    return data | {"player": loss.player + 1, "regret_float": float(loss.regret)}


def evaluate(
    game: GameLike,
    strategy: object,
    against: object = None,
    *,
    method: str = AUTO,
    complete: str | None = None,
    timeout: float = TIMEOUT,
    gap: float | Fraction | None = None,
    max_nodes: int = MAX_NODES,
    max_memory: int | None = None,
    exploiter: bool = False,
    exact: bool = True,
    progress: Callable[[str], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> Evaluation:
    """Return the payoffs of *strategy* in *game*, the best responses to it, NashConv and the exploitability.

    Parameters
    ----------
    game : GameLike
        Rules, a tree, a name such as ``"kuhn"``, a file, or a pygambit game.
    strategy : str, path, mapping, Solution, Strategy, array, function, or profile of pygambit or OpenSpiel
        The name of a player such as ``"uniform"``, a file (``.json``, ``.csv``, ``.npz``), a mapping ``{information
        set: {action: probability}}``, a solution or a profile. In an array, ``array[k, action]`` is the probability of
        ``tree.infosets[k].actions[action]``. A function takes ``tree.infosets[k]``, and returns the probabilities of
        its actions as a sequence or a mapping. An OpenSpiel policy needs a game or tree from OpenSpiel. The strategy
        plays all seats.
    against : same as strategy, optional
        A second strategy. The first strategy then plays each seat in turn, and the second plays all other seats.
    method : {"auto", "tree", "sparse", "dense"}, default "auto"
        ``"tree"`` uses the tree, and is exact for rational strategies. ``"sparse"`` is exact, and needs no tree.
        ``"dense"`` uses float arrays over all histories of a two-player bidding game, and gives an error bound.
    complete : {"default", "uniform"}, optional
        The moves at information sets that a file lacks: the game's default move, or the uniform distribution. Games
        without default moves, and trees from files, need ``"uniform"``, which is then the default.
    timeout : float, default 60
        The time limit in seconds for a player that solves the game. After this time, the player uses the best strategy
        found.
    gap : float or Fraction, optional
        A player that solves the game stops when its bounds on the value differ by at most this number.
    max_nodes : int, default 5,000,000
        The maximum number of nodes of a tree to build.
    max_memory : int, optional
        The maximum size of arrays in bytes. The default is three quarters of the machine's memory.
    exploiter : bool, default False
        Whether to return best responses to *strategy*: see ``Evaluation.write_exploiter``.
    exact : bool, default True
        Whether rational strategies are evaluated exactly, with their losses. If false, return floats without losses. A
        learner that is measured often passes the same tree each time, because the tree keeps what was computed from it.
    progress, announce : callable, optional
        Functions that receive lines of text. *announce* receives a line about the required memory, before its
        allocation.

    Returns
    -------
    Evaluation
        The payoffs are in its ``matches``.

    Raises
    ------
    ParameterError
        If *strategy* or *against* is not a player, a file or a strategy, or if a setting is invalid.
    ProfileError
        If a strategy does not fit the game.
    NotApplicableError
        If a player cannot play the game, or if *method* does not apply to the game.
    TreeTooLargeError
        If the tree has more than *max_nodes* nodes.
    FileError
        If a file cannot be read.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.evaluate("kuhn", "uniform").matches[0].nash_conv
    Fraction(11, 12)
    >>> for match in eb.evaluate("kuhn", "uniform", against="equilibrium").matches:
    ...     print(match.seats, match.value[0])
    ('uniform', 'equilibrium') -1/6
    ('equilibrium', 'uniform') 1/6
    >>> tree = eb.build("kuhn")
    >>> learner = eb.TreeProfile.uniform(tree)
    >>> round(eb.evaluate(tree, learner, exact=False).matches[0].nash_conv, 9)
    0.916666667
    """
    check_functions("evaluate", progress=progress, announce=announce)
    progress, announce = progress or quiet, announce or quiet
    if max_memory is not None:
        check_budget("evaluate", "max_memory", max_memory)
    check_gap(gap)
    check_seconds(timeout)
    check_argument("evaluate", "exact", exact, isinstance(exact, bool), "True or False")
    began = time.monotonic()
    about = as_subject("evaluate", game, max_nodes=max_nodes)
    if exploiter and against is not None and len(about.players) != 2:
        raise ParameterError("with a second strategy, an exploiter is available for two players only")
    if not exact and (exploiter or method not in (AUTO, "tree")):
        raise ParameterError("exact=False evaluates over the tree, without an exploiter; omit method= and exploiter=")
    completion(complete, dealt=True)  # Only check the argument; the game determines the completion of a file.
    table = Table(about, timeout, progress, complete=complete, max_memory=max_memory, gap=gap)
    given = (strategy, *(() if against is None else (against,)))
    if not exact:
        return _in_floats(table, given, began)
    return _in_fractions(table, given, method, announce, exploiter, began)


def _in_fractions(
    table: Table,
    given: Sequence[object],
    method: str,
    announce: Callable[[str], None],
    exploiter: bool,
    began: float,
) -> Evaluation:
    """Evaluate the strategies *given* exactly, or over arrays with an error bound."""
    strategies, progress = [find(each, table, "evaluate") for each in given], table.progress
    over, forms = measured_over(method, table, strategies)
    kind = float_kind(table, strategies, table.max_memory, exploiter, announce) if over == "dense" else None
    judged = []
    for places in _seatings(len(table.subject.players), len(strategies)):
        seated = Seated(tuple(forms[which] for which in places)) if any(places) else forms[0]
        seated = seated.on(table.tree()) if over == "tree" else seated
        names = tuple(one_line(strategies[which].name) for which in places)
        judged.append(_judged(names, seated, over=over, kind=kind, progress=progress))
    exploiting = best_responses(dealt(forms[0], table.game), over, kind, progress) if exploiter else None
    sets = _sets(table)
    described = tuple(
        _described(one_line(each.name), each.written, sets, number) for number, each in enumerate(strategies)
    )
    return _evaluation(table, over, described, judged, began, exploiting)


def _in_floats(table: Table, given: Sequence[object], began: float) -> Evaluation:
    """Evaluate the strategies *given* in floats over the tree, without losses."""
    tree, sets = table.tree(), _sets(table)
    described, played, judged = list[Described](), [], []
    for number, each in enumerate(given):
        floats = floats_by_name(each, tree) if isinstance(each, Mapping) else None
        if floats is not None or is_tabular(each):
            described.append(_described(name_of(each), None, sets, number))
            played.append(floats_of(each, tree) if floats is None else floats)
        else:
            strategy = find(each, table, "evaluate")
            described.append(_described(one_line(strategy.name), strategy.written, sets, number))
            played.append(floats_in(strategy.on(tree)))
    for places in _seatings(len(tree.players), len(given)):
        names, seats = tuple(described[which].name for which in places), [played[which] for which in places]
        play = floats_over_sequences(tree, seats)
        if play is None:
            found = _judged(names, seated_floats(tree, seats), over="tree")
            judged.append(found._replace(seating=replace(found.seating, losses=None)))
        else:
            value, best = (tuple(map(payoff, range(len(seats)))) for payoff in (play.payoff, play.best_payoff))
            judged.append(_Judged(Seating(names, value, best), tree_error(tree)))
    return _evaluation(table, "tree", tuple(described), judged, began)


def _evaluation(
    table: Table,
    over: str,
    described: tuple[Described, ...],
    judged: Sequence[_Judged],
    began: float,
    exploiter: Strategy | None = None,
) -> Evaluation:
    players = table.subject.players
    return Evaluation(
        title=table.title,
        players=players,
        method=over,
        error_bound=max((each.bound for each in judged if each.bound is not None), default=None),
        strategies=described,
        matches=tuple(each.seating for each in judged),
        seconds=time.monotonic() - began,
        game=table.game,
        exploiter=exploiter,
        no_regret=next((each.no_regret for each in judged if each.no_regret), ""),
        off_path=judged[0].off_path,
        forgetful=tuple(name for k, name in enumerate(players) if any(k in each.forgetful for each in judged)),
    )


class _Judged(NamedTuple):
    seating: Seating
    bound: float | None
    no_regret: str = ""
    forgetful: tuple[int, ...] = ()
    off_path: Refinement = UNCHECKED


def _judged(names: tuple[str, ...], seated: Strategy, **how: Any) -> _Judged:
    on_tree = seated.tree_profile
    try:
        verdict = verify(seated, **how)
    except RecallError as error:
        if on_tree is None:
            raise
        bound = None if on_tree.exact else tree_error(on_tree.tree)
        return _Judged(Seating(names, values(on_tree).value, ()), bound, str(error))
    losses = None
    if on_tree is not None:
        losses = tuple(loss for loss in verdict.losses if loss.regret > (verdict.error_bound or 0))
    seating = Seating(names, verdict.value, verdict.best_responses, losses)
    judged = _Judged(seating, verdict.error_bound, forgetful=verdict.forgetful)
    if on_tree is None or not verdict.exact or verdict.regret:
        return judged
    return judged._replace(off_path=refinement(on_tree))


def _seatings(seats: int, strategies: int) -> list[list[int]]:
    if strategies == 1:
        return [[0] * seats]
    return [[int(player != seat) for player in range(seats)] for seat in range(seats)]


def unwritten(strategy: Strategy, table: Table) -> str:
    """Return a line about the information sets that the file of *strategy* lacks; empty for a complete file.

    A sparse file that names this game is complete. Raises ``ProfileError`` if the file has no information set of the
    game.
    """
    if strategy.written is None or (isinstance(strategy, FileStrategy) and strategy.names_game):
        return ""
    sets, written = sum(_sets(table)), sum(strategy.written.sets)
    if not written:
        raise ProfileError(f"{strategy.name}: it has none of the {sets:,} information sets of {table.title!r}")
    how = "the default move" if strategy.written.elsewhere == "default" else "the uniform distribution"
    if written == sets:
        return ""
    return f"{strategy.name} has {written:,} of the {sets:,} information sets of this game; the others use {how}"


def _sets(table: Table) -> tuple[int, ...]:
    """Return each player's number of information sets. The tree is built if the rules do not tell its size."""
    return (table.subject.size() or size_of(table.tree())).infosets


def _described(name: str, written: Written | None, sets: tuple[int, ...], number: int) -> Described:
    # In a game with one player, the second strategy has no seat.
    seats = sets if not number or len(sets) > 1 else ()
    counts = tuple(map(SeatCount, seats if written is None else written.sets, seats))
    return Described(name, None if written is None else written.elsewhere, counts)


# --- an evaluation as lines of text


def _lines(found: Evaluation) -> Iterator[str]:
    how = "with exact fractions"
    if not found.exact:
        errors = f"each value accurate to {found.error_bound:.2g}"
        errors += "" if found.no_regret else f", NashConv to {found.nash_conv_error_bound:.2g}"
        # A best response to fractions may be irrational.
        how = f"with {'fractions' if isinstance(found.matches[0].value[0], Fraction) else 'floats'}, {errors}"
    yield found.title
    yield f"method         {found.method}: {_HOW[found.method]}, {how}"
    for each in found.strategies:
        yield from _completed(each, found.players)
    if any(each.completion == "default" and each.completed for each in found.strategies):
        dealt = None if found.game is None else Subject.of(found.game).dealt
        yield f"default move   {SOONEST if dealt is None else dealt.default_in_words()}"
    yield from (f"warning        {warning}" for warning in found.warnings)
    pair = len(found.strategies) > 1
    for match in found.matches:
        yield from _match(match, found)
    if said := str(found.off_path):
        yield f"off the path   {said}"
    if found.off_path.proof is not None:
        yield from (f"{'':<15}{line}" for line in found.off_path.proof.belief_lines())
    if found.forgetful:
        names = listed(found.forgetful)
        best = "best response: over all behavior strategies; no mixed strategy gets more"
        yield f"recall         not perfect: {names}; {best}"
        yield f"losses         not shown for {names}: they need perfect recall"
    if found.no_regret:
        yield f"regret         not given: {found.no_regret}"
    elif pair:
        which = "NashConv" if found.matches[0].exploitability is None else "NashConv and exploitability"
        yield (
            f"note           {which}: for these strategies together; for {found.strategies[0].name} alone, "
            "omit --against (against=)"
        )


def _match(match: Seating, found: Evaluation) -> Iterator[str]:
    players, pair = found.players, len(found.strategies) > 1
    yield "seats          " + ", ".join(f"{name}: {seat}" for name, seat in zip(players, match.seats, strict=True))
    for name, value in zip(players, match.value, strict=True):
        yield f"value          {name}: {figure(value)}"
    if match.nash_conv is None:
        return
    for name, best, gain in zip(players, match.best_response, match.gains, strict=True):
        yield f"best response  {name}: {figure(best)} (gains {figure(gain)})"
    if not pair:
        yield f"equilibrium    {_equilibrium(found)}"
    of = "" if not pair else "for this pair: " if len(players) == 2 else "for these strategies: "
    yield f"NashConv       {figure(match.nash_conv)} ({of}the sum of the gains)"
    if match.exploitability is not None:
        yield f"exploitability {figure(match.exploitability)} ({of}half of NashConv)"
    if match.losses is not None:
        yield from loss_lines(match.losses, players, printed(found.game))
    elif match.nash_conv and found.method != "tree":
        yield "losses         not computed: they need the whole tree (--measure tree)"


def _equilibrium(found: Evaluation) -> str:
    """Return whether one strategy in all seats is an equilibrium, or the conclusion from the bounds of floats."""
    slack, gains = 2 * (found.error_bound or 0), found.matches[0].gains
    if found.equilibrium is None:
        return f"not decided: no player gains more than {above(max(gains) + slack)}"
    gainers = [f"{name} gains {brief(gain)}" for name, gain in zip(found.players, gains, strict=True) if gain > slack]
    return f"no: {listed(gainers)}" if gainers else "yes: no player gains"


def _completed(each: Described, names: tuple[str, ...]) -> Iterator[str]:
    seats = [(name, seat) for name, seat in zip(names, each.seats, strict=False) if seat.completed]
    if seats:
        move = "the default move" if each.completion == "default" else "the uniform distribution"
        counts = ", ".join(f"{name} {seat.completed:,} of {seat.sets:,}" for name, seat in seats)
        yield f"completed      {each.name}: {move} at missing information sets: {counts}"
