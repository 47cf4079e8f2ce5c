"""The state of the oracle's search, and the checkpoint (an ``.npz`` file)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ...forms.bidding_form import BiddingForm, Flags
from ...games.match_rules import StakedRound
from ..driver import StateKind, load_state, round_count, save_state
from ..lp.highs import Vertex
from .regret import RestrictedRegrets
from .response import Bidders, Response, respond, respond_both
from .restricted import ROOT, Master, PlanOnSupport, Support, first_plan, master, moved, unfolded, valid_plan

WIDEST = 4.0
"""The width of the first bracket, as a share of half the payoff range."""

SIGHT = 1e-9
"""Minimum gap and gain for floats, as shares of half the payoff range."""

KIND = StateKind("oracle", 4)

EARLY = "early_"
"""The prefix of arrays in a checkpoint for the restricted game ``OracleState.early``."""

LEAST = 1e-30
"""Minimum weight in a checkpoint; smaller weights are read as 0."""


@dataclass
class OracleState:
    """The restricted game, the bracket, and the plans that prove the bracket.

    ``lower``, ``upper``: bounds on the value, as shares of half the payoff range. ``plans``: the plans that prove the
    bounds; player 1's plan is on the support ``home``.

    ``floor``: the lowest bid in the game, apart from the lowest opening. With a floor above 0, player 1's plan is
    computed in a separate restricted game, ``early``. ``alike``: player 2 answers openings below this bid in the same
    way as the lowest opening.

    ``recent``: the bracket of the plans since the last switch between linear programs and regret minimization.
    ``spent``: the total time of regret minimization in seconds. ``turns``: the number of runs of regret minimization.
    ``last``: the last linear program and its vertex. ``regrets``: None before regret minimization.
    """

    model: BiddingForm
    support: Support
    lower: float = -WIDEST / 2
    upper: float = WIDEST / 2
    plans: list[PlanOnSupport] = field(default_factory=list)
    recent: tuple[float, float] = (-WIDEST / 2, WIDEST / 2)
    rounds: int = 0
    visited: tuple[int, int] = (0, 0)
    last: tuple[Master, Vertex] | None = None
    regrets: RestrictedRegrets | None = None
    early: RestrictedRegrets | None = None
    floor: int = 0
    alike: int = 0
    spent: float = 0.0
    turns: int = 0

    def __post_init__(self) -> None:
        self.home = self.support

    @property
    def sequences(self) -> tuple[int, int]:
        support = self.support
        one, two = (int(support.rows(support.nodes(p), support.hands[p]).sum()) for p in range(2))
        return one, two

    @property
    def gap(self) -> float:
        return self.upper - self.lower

    def bidding(self, player: int) -> Bidders:
        """Return the bids that each player may make in the game ``played``.

        For player 2's plan, the lowest opening represents all openings below the floor.
        """
        has, every = np.arange(self.model.bids) >= self.floor, np.ones(self.model.bids, dtype=bool)
        if player == 0:
            return has, every
        return _bids(self.model, self.floor), has

    def played(self, player: int) -> BiddingForm:
        """Return the game in which the plan of *player* is computed."""
        return self.model.trusting if player == 1 and self.floor else self.model

    def minimizer(self, player: int) -> RestrictedRegrets:
        """Return the regrets for the plan of *player*, extended to the current floor."""
        bidding, found = self.bidding(player), self.early if player == 0 else self.regrets
        support = self.support if player == 1 else start(self.model).support
        if found is not None:
            support = found.support
        # Both plans need an opening: player 1 makes it, and player 2 answers it.
        for bid in (0, self.floor):
            support.allow(ROOT, bid, np.ones(self.model.hands[0], dtype=bool))
        if found is not None:
            found.grow(bidding)
        if found is None or found.model is not self.played(player):
            before, found = found, RestrictedRegrets(self.played(player), support, bidding=bidding)
            if before is not None:
                found.restore(before.state())
        if player == 0:
            self.early = found
        else:
            self.regrets = found
        return found

    def gather(self) -> None:
        """Copy the best plans to one support, without a floor, so that linear programs can start."""
        self.plans[0] = moved(self.home, self.plans[0], self.support)
        self.plans[1] = unfolded(self.support, self.plans[1], self.alike)
        self.home, self.alike, self.floor, self.early = self.support, 0, 0, None

    def update_bounds(self, plans: Sequence[PlanOnSupport], responses: tuple[Response, Response]) -> None:
        """Count a round, and store each plan that improves its bound."""
        self.count(responses)
        low, high = -responses[1].value, responses[0].value
        self.recent = max(self.recent[0], low), min(self.recent[1], high)
        self.keep_best(0, plans[0], -low, self.support)
        self.keep_best(1, plans[1], high, self.support)

    def count(self, responses: tuple[Response, Response]) -> None:
        self.rounds += 1
        self.visited = (responses[0].visited, responses[1].visited)

    def keep_best(self, player: int, plan: PlanOnSupport, loss: float, home: Support, alike: int = 0) -> None:
        """Store the plan of *player* if it is the best so far. *loss*: the value of the best response to the plan."""
        if player == 0 and -loss >= self.lower:
            self.lower, self.plans[0], self.home = -loss, plan, home
        if player == 1 and loss <= self.upper:
            self.upper, self.plans[1], self.alike = loss, plan, alike

    def update_bounds_exactly(self, plans: Sequence[PlanOnSupport], lower: Fraction, upper: Fraction) -> None:
        """Store each exact plan that is the best so far, and narrow the bracket.

        An exact plan also replaces a plan with floats that is better by at most ``SIGHT``, because floats are rounded
        later.
        """
        low, high = float(lower), float(upper)
        if lower == upper:
            self.lower, self.upper, self.plans = low, high, list(plans)
            return
        if low >= self.lower - SIGHT:
            self.plans[0] = plans[0]
        if high <= self.upper + SIGHT:
            self.plans[1] = plans[1]
        self.lower, self.upper = max(self.lower, low), min(self.upper, high)

    def respond(self, plans: tuple[PlanOnSupport, PlanOnSupport], threshold: float) -> tuple[Response, Response]:
        responses = respond_both(self.model, self.support, plans, threshold)
        self.update_bounds(plans, responses)
        return responses

    def respond_exactly(self, plans: tuple[PlanOnSupport, PlanOnSupport]) -> tuple[tuple[Response, Response], bool]:
        """Return both players' best responses to integer plans, and True if neither gains; update the bracket."""
        model = self.model
        responses = respond_both(model, self.support, plans, 0)
        whole = model.totals[0] * model.totals[1] * model.largest
        upper = Fraction(int(responses[0].value), whole * plans[1].scale)
        lower = -Fraction(int(responses[1].value), whole * plans[0].scale)
        self.visited = (responses[0].visited, responses[1].visited)
        self.update_bounds_exactly(plans, lower, upper)
        return responses, lower == upper

    def add_moves(self, responses: Sequence[Response]) -> int:
        """Allow the improving moves in *responses*; return the number of moves."""
        moves = [move for response in responses for move in response.moves]
        for node, bid, hands in moves:
            self.support.allow(node, bid, hands)
        return len(moves)

    def save(self, path: Path) -> None:
        """Write a checkpoint for ``load``. Raises ``FileError``."""
        model = self.model
        arrays = _histories(model, self.support)
        for player, plan in enumerate(self.plans):
            arrays[f"nodes{player}"] = plan.nodes
            arrays[f"weights{player}"] = (plan.weights / plan.scale).astype(np.float64)
        if self.last is not None:
            vertex = self.last[1]
            arrays["columns"], arrays["rows"] = vertex.basic_columns, vertex.basic_rows
        if self.regrets is not None:
            # Extend the regrets by the histories from linear programs and the bids from a lower floor.
            self.regrets.grow(self.bidding(1))
            arrays |= self.regrets.state()
        if self.early is not None:
            self.early.grow(self.bidding(0))
            early = _histories(model, self.early.support) | self.early.state()
            arrays |= {EARLY + name: array for name, array in early.items()}
        course = {
            "rounds": self.rounds,
            "spent": self.spent,
            "turns": self.turns,
            "payoffs": repr(model.game),
            "floor": self.floor,
            "alike": self.alike,
            "early": self.home is not self.support,
        }
        save_state(path, KIND, model.game.title, _name(model), arrays, course)

    def line(self) -> str:
        """Return a line about the progress, with the bracket in player 1's payoffs."""
        model = self.model
        bounds = (min(max(bound, -1.0), 1.0) for bound in (self.lower, self.upper))
        low, high = (float(model.payoff(Fraction(bound) * model.largest)) for bound in bounds)
        size = " + ".join(f"{count:,}" for count in self.sequences)
        return (
            f"round {self.rounds}: gap {high - low:.2g}, value in [{low:.6f}, {high:.6f}], {size} sequences, "
            f"{sum(self.visited):,} histories visited"
        )


def start(model: BiddingForm) -> OracleState:
    support = Support(model)
    support.allow(ROOT, 0, np.ones(model.hands[0], dtype=bool))
    return OracleState(model, support, plans=[first_plan(model, support, player) for player in range(2)])


def load(path: Path, model: BiddingForm) -> OracleState:
    """Return the state in a checkpoint, with recomputed bounds. Raises ``FileError``."""

    def restored(arrays: dict[str, Any], state: dict[str, Any]) -> OracleState:
        if state.get("payoffs", repr(model.game)) != repr(model.game):
            # The checkpoint is for other payoffs. The saved regrets are still a valid start, but the basis is not.
            arrays = {name: array for name, array in arrays.items() if name not in ("rows", "columns")}
        search = _search(model, arrays, state)
        search.rounds, search.turns = round_count(state["rounds"]), round_count(state["turns"])
        search.spent = state["spent"]
        if type(search.spent) is not float or not 0 <= search.spent < math.inf:
            raise ValueError("not a number of seconds")
        return search

    return load_state(path, KIND, model.game.title, _name(model), restored)


def _search(model: BiddingForm, arrays: dict[str, Any], state: dict[str, Any]) -> OracleState:
    support = _support(model, arrays)
    search = OracleState(model, support, plans=[first_plan(model, support, player) for player in range(2)])
    early = {name.removeprefix(EARLY): array for name, array in arrays.items() if name.startswith(EARLY)}
    search.floor, alike = round_count(state["floor"]), round_count(state["alike"])
    if max(search.floor, alike) >= model.bids or (early and not search.floor):
        raise ValueError("no such bid")
    if early:
        search.early = RestrictedRegrets(model, _support(model, early), bidding=search.bidding(0))
        search.early.restore(early)
    if type(state["early"]) is not bool or (state["early"] and search.early is None):
        raise ValueError("the histories of a plan are missing")
    home = search.early.support if state["early"] and search.early else support
    one, two = _plan(model, home, 0, arrays), _plan(model, support, 1, arrays)
    game, has = (model.trusting, _bids(model, alike)) if alike else (model, None)
    responses = respond(game, support, 0, two, 0.0, has), respond(model, home, 1, one, 0.0)
    search.count(responses)
    search.keep_best(0, one, responses[1].value, home)
    search.keep_best(1, two, responses[0].value, support, alike)
    if "rows" in arrays:
        search.last = _solved(model, support, arrays)
    if "weight" in arrays:
        search.regrets = RestrictedRegrets(search.played(1), support, bidding=search.bidding(1))
        search.regrets.restore(arrays)
    return search


def _bids(model: BiddingForm, alike: int) -> Flags:
    has = np.arange(model.bids) >= alike
    has[0] = True
    return has


def _histories(model: BiddingForm, support: Support) -> dict[str, Any]:
    flags = {f"allowed{player}": _flags(model, support, player) for player in range(2)}
    return {"parent": support.parent, "bid": support.bid} | flags


def _plan(model: BiddingForm, support: Support, player: int, arrays: dict[str, Any]) -> PlanOnSupport:
    nodes, rows = _whole_numbers(arrays[f"nodes{player}"]), arrays[f"weights{player}"]
    if any(not 0 < node < len(support) or support.bidder(node) != player for node in nodes):
        raise ValueError("no plan")
    if rows.dtype.kind != "f" or rows.shape != (len(nodes), model.hands[player]):
        raise ValueError("not an array of weights")
    if len(set(nodes)) != len(nodes) or not np.all((rows >= 0) & (rows <= 1)):
        raise ValueError("no plan")
    order = np.argsort(nodes)
    # The inverse of a tiny weight is not finite.
    weights = np.where(rows < LEAST, 0, rows)[order].astype(np.float64)
    return valid_plan(model, support, player, np.array(nodes, dtype=np.intp)[order], weights, 1)


def _name(model: BiddingForm) -> str:
    # The stakes of a round in a match change slightly whenever later rounds are solved again.
    rules = model.game
    if not isinstance(rules, StakedRound):
        return repr(rules)
    return repr({each.name: getattr(rules, each.name) for each in fields(rules) if each.name not in STAKES})


STAKES = ("lose1", "lose2")
"""The fields of a round that may differ between a game and its checkpoint."""


def _flags(model: BiddingForm, support: Support, player: int) -> np.ndarray[Any, Any]:
    return np.packbits(support.rows(support.nodes(player), model.hands[player]), axis=1)


def _support(model: BiddingForm, arrays: dict[str, Any]) -> Support:
    support = Support(model)
    flags = [iter(np.unpackbits(arrays[f"allowed{p}"], axis=1, count=model.hands[p]).astype(bool)) for p in range(2)]
    above, bids = _whole_numbers(arrays["parent"])[1:], _whole_numbers(arrays["bid"])[1:]
    for parent, bid in zip(above, bids, strict=True):
        # A later parent, or a negative index, would create a cycle.
        if not 0 <= parent < len(support):
            raise ValueError("no such parent")
        if not support.bid[parent] < bid < model.bids or bid in support.children[parent]:
            raise ValueError("no such history")
        hands = next(flags[support.depth[parent] % 2], None)
        if hands is None or not _may_be_there(support, parent, hands):
            raise ValueError("no such hands")
        support.allow(parent, bid, hands)
    if not np.any([support.allowed[node] for node in support.children[ROOT].values()], axis=0).all():
        raise ValueError("a hand has no opening")
    return support


def _may_be_there(support: Support, node: int, hands: np.ndarray[Any, Any]) -> bool:
    own = support.parent[node]
    return own <= ROOT or not (hands & ~support.allowed[own]).any()


def _whole_numbers(array: np.ndarray[Any, Any]) -> list[int]:
    if array.ndim != 1 or array.dtype.kind != "i":
        raise ValueError("not an array of integers")
    found: list[int] = array.tolist()
    return found


def _solved(model: BiddingForm, support: Support, arrays: dict[str, Any]) -> tuple[Master, Vertex]:
    program, nothing = master(model, support), np.zeros(0)
    if (len(arrays["rows"]), len(arrays["columns"])) != program.shape:
        raise ValueError("the basis does not fit")
    return program, Vertex(nothing, nothing, arrays["columns"].astype(bool), arrays["rows"].astype(bool))
