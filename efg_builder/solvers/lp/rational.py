"""The exact optimum of a small linear program by integer pivoting, for programs that floats cannot solve.

Payoffs or probabilities that differ by a factor of 1e20 are beyond the tolerances of HiGHS. ``small.Dictionary`` pivots
in integers. All right-hand sides are 0 but one, so the dictionary of the zero point is feasible if this row is relaxed
to an inequality; the first objective makes it an equation again (V. Chvatal, "Linear Programming", 1983, chapter 3).
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np

from ..driver import Iterates
from ..small import Dictionary, Row, maximize_dictionary
from .exact import ExactProgram, NotExactError

MOST_CELLS = 40_000
"""Maximum number of entries of a dictionary; larger ones take minutes."""


def fits(program: ExactProgram) -> bool:
    """Return whether *program* is small enough."""
    return prod(program.matrix.shape) <= MOST_CELLS


def optimum(program: ExactProgram) -> Iterates[list[Fraction]]:
    """Return the values of the columns at an exact optimum. Raises ``NotExactError`` if there is no feasible point."""
    width = program.matrix.shape[1]
    of = _at_zero(program)
    kept = _without_free(of, program)
    _without_equations(of, program)
    slack = width + program.unit_row
    place = of.basic.index(slack)
    relaxed = of.rows[place]  # 1 minus the row's activity; the first objective is its negative
    of.rows += [[relaxed[0], *(-number for number in relaxed[1:])], _objective(of, program, kept)]
    yield from maximize_dictionary(of)
    values = {variable: of.constant(row)[0] for variable, row in zip(of.basic, of.rows, strict=False)}
    if values.get(slack):
        raise NotExactError("the program has no feasible point")
    for variable, row, nonbasic in reversed(kept):
        parts = zip(row[of.first :], nonbasic[of.first :], strict=True)
        total = sum((number * values.get(other, Fraction(0)) for number, other in parts if number), Fraction(row[1]))
        values[variable] = total / row[0]
    return [values.get(column, Fraction(0)) for column in range(width)]


def _at_zero(program: ExactProgram) -> Dictionary:
    """Return the dictionary in which all columns are nonbasic, and the slack of row r is the variable width + r."""
    height, width = program.matrix.shape
    of = Dictionary(1, range(width))
    rows = [of.number() for _ in range(height)]
    matrix = program.matrix
    for r, c, entry in zip(matrix.rows.tolist(), matrix.columns.tolist(), matrix.entries.tolist(), strict=True):
        rows[r][of.first + c] += int(entry)
    rows[program.unit_row] = [1, *(-number for number in rows[program.unit_row][1:])]
    rows[program.unit_row][1] = 1
    for r, row in enumerate(rows):
        of.add(width + r, row)
    return of


Kept = list[tuple[int, Row, list[int]]]
"""Free variables, each with its row and with the variables of the row's columns."""


def _without_free(of: Dictionary, program: ExactProgram) -> Kept:
    """Express each free column by the others, and remove it from the dictionary. It limits no pivot."""
    kept: Kept = []
    slack = len(program.signed) + program.unit_row
    for variable in np.flatnonzero(~program.signed).tolist():
        column = of.nonbasic.index(variable)
        places = [at for at, row in enumerate(of.rows) if row[column] and of.basic[at] != slack]
        if not places:
            continue  # the variable is in no row, and stays 0
        place = min(places, key=lambda at: (not _is_equation(of.basic[at], program), at))
        of.pivot(place, column)
        kept.append((variable, of.rows.pop(place), list(of.nonbasic)))
        of.basic.pop(place)
    return kept


def _is_equation(variable: int, program: ExactProgram) -> bool:
    row = variable - len(program.signed)
    return row >= 0 and row != program.unit_row and bool(program.equal[row])


def _without_equations(of: Dictionary, program: ExactProgram) -> None:
    """Make the slacks of all equations but the unit row nonbasic, and remove them, so that they stay 0."""
    for variable in [each for each in of.basic if _is_equation(each, program)]:
        place = of.basic.index(variable)
        row = of.rows[place]
        fit = (c for c in range(of.first, len(row)) if row[c] and not _is_equation(of.nonbasic[c], program))
        column = next(fit, None)
        if column is None:  # a consequence of the other equations
            of.rows.pop(place)
            of.basic.pop(place)
        else:
            of.pivot(place, column)
    for column in reversed(range(of.first, len(of.nonbasic))):
        if _is_equation(of.nonbasic[column], program):
            of.nonbasic.pop(column)
            for row in of.rows:
                row.pop(column)


def _objective(of: Dictionary, program: ExactProgram, kept: Kept) -> Row:
    """Return the row of the objective's column, which may be basic, nonbasic or a free variable that was removed."""
    row = of.number()
    terms = {program.objective: Fraction(1)}
    for variable, given, nonbasic in kept:  # a row may contain free variables that were removed later
        share = terms.pop(variable, Fraction(0))
        for number, other in zip(given[of.first :], nonbasic[of.first :], strict=False):
            if share and number:
                terms[other] = terms.get(other, Fraction(0)) + share * Fraction(number, given[0])
    total = [Fraction(0)] * len(row)
    for variable, share in terms.items():
        if variable in of.basic:
            its = of.rows[of.basic.index(variable)]
            total = [mine + share * Fraction(number, its[0]) for mine, number in zip(total, its, strict=True)]
        elif variable in of.nonbasic:
            total[of.nonbasic.index(variable)] += share
    scale = np.lcm.reduce([number.denominator for number in total], dtype=object)
    return [int(scale), *(int(number * scale) for number in total[1:])]
