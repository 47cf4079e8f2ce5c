"""The strategies of a picture, from a solution file or a player's name, with their verified caption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from ...base.errors import NotApplicableError, ParameterError, RecallError
from ...base.rationals import brief, up
from ...base.words import at_most, minus, quiet
from ...equilibria.solution import Judged, judge_off_path
from ...forms.extensive import has_value
from ...forms.subject import Subject
from ...players.evaluate import unwritten
from ...players.find import AUTO, Table, drawn_form, find, shown
from ...players.kinds.equilibrium import NAME as EQUILIBRIUM
from ...players.kinds.equilibrium import solved
from ...proof import Verdict, verify
from ...proof.best_response import values
from ...proof.certificate import read_refined, read_solved
from ...proof.refinement import UNCHECKED, Refinement
from ...proof.sequential import SequentialVerdict
from ...strategies.reading import place_in
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from .subject import DrawnStrategies, caption_of, payoffs_of

NO_EQUILIBRIUM = "best strategies found, not proved an equilibrium"
"""The name of the solver's strategies without a proof that they are an equilibrium."""


def read_drawn(path: Path, game: Subject, which: int | None = None) -> DrawnStrategies:
    """Return the strategies in the solution file *path* for *game*.

    Raises ``ParameterError`` for a table, or if *which* is given for a file with one equilibrium, and the errors of
    ``read_solved``.
    """
    if path.exists() and str(path).lower().removesuffix(".gz").endswith(".csv"):
        hint = f"--strategy {path} draws a table of one equilibrium"
        raise ParameterError(f"--solution {path}: must be a .json file; {hint}")
    found = read_solved(path, game, which)
    profile = found.tree_profile
    if profile is None and which is not None:
        raise ParameterError(f"--which is for solutions with several equilibria; {path} has one equilibrium")
    try:
        verdict = verify(found)
    except NotApplicableError:
        return DrawnStrategies(found, "")
    if profile is None:
        return _verified(found, verdict)
    refined, place, off_path = None, place_in(path, which), UNCHECKED
    if which is None:
        refined = read_refined(path, profile)
    if place:
        off_path = judge_off_path(Judged(profile, verdict)).off_path
    return _verified(found, verdict, refined or off_path.proof, place, off_path=off_path)


def _verified(
    form: TreeProfile | SparseProfile,
    verdict: Verdict,
    refined: SequentialVerdict | None = None,
    place: str = "",
    equilibrium: bool = False,
    off_path: Refinement = UNCHECKED,
) -> DrawnStrategies:
    caption = caption_of(form.players, verdict, refined is not None, place, off_path)
    return DrawnStrategies(form, caption, equilibrium, verdict, refined, place, off_path)


def find_drawn(name: str, table: Table, method: str = AUTO, note: Callable[[str], object] = quiet) -> DrawnStrategies:
    """Return the strategies of the player or file *name* in all seats. *note* receives a line about missing rows."""
    solution = solved(table) if name == EQUILIBRIUM else None
    plays = find(name if solution is None else solution.strategy, table)
    if line := unwritten(plays, table):
        note(line)
    over, form = drawn_form(name, plays, table, method)
    try:
        verdict = verify(form, over=over)
    except RecallError as error:
        if form.tree_profile is None:
            raise
        # Payoffs are defined even without perfect recall.
        value, equilibrium, gain = values(form.tree_profile).value, False, f"no NashConv: {error}"
    else:
        if solution is not None and verdict.equilibrium:
            found = _verified(form, verdict, solution.refined, solution.place, True, solution.off_path)
            return replace(found, solution=solution)
        value, equilibrium, gain = verdict.value, verdict.equilibrium, _gain(verdict)
    one = form.tree is None or has_value(form.tree)  # sparse profiles are for two-player zero-sum games
    payoffs = payoffs_of(form.players, value, one, "payoff")
    who = f"{shown(name)} in all seats" if solution is None else NO_EQUILIBRIUM
    return DrawnStrategies(form, f"{who}: {payoffs}; {gain}", equilibrium)


def _gain(verdict: Verdict) -> str:
    gains = [best - value for best, value in zip(verdict.best_responses, verdict.value, strict=True)]
    total = sum(gains[1:], start=gains[0])
    if verdict.exact and verdict.error_bound is not None:
        return f"NashConv {at_most(up(Fraction(total), 6))}"
    return f"NashConv {minus(brief(total))} ({'exact' if verdict.exact else 'floats'})"
