"""Verification of strategies and solutions. This code is independent of the solvers, so that it can find
their errors.
"""

from .best_response import best_response, values
from .measures import BestResponse, ProfileValues
from .near import Near, prove_near
from .sequential import Chance, Mistakes, SequentialVerdict, verify_sequential
from .verify import DEFAULT_TOLERANCE, Verdict, check_tolerance, verify

__all__ = [
    "DEFAULT_TOLERANCE",
    "BestResponse",
    "Chance",
    "Mistakes",
    "Near",
    "ProfileValues",
    "SequentialVerdict",
    "Verdict",
    "best_response",
    "check_tolerance",
    "prove_near",
    "values",
    "verify",
    "verify_sequential",
]
