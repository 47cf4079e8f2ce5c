"""Verification of strategies and solutions. This code is independent of the solvers, so that it can find
their errors.
"""

from .best_response import best_response, values
from .near import Near, prove_near
from .sequential import verify_sequential
from .verify import Verdict, check_tolerance, verify

__all__ = [
    "Near",
    "Verdict",
    "best_response",
    "check_tolerance",
    "prove_near",
    "values",
    "verify",
    "verify_sequential",
]
