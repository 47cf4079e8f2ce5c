"""Whole matches, solved round by round, backward over the remaining dice."""

from .backward import Match, SolvedRound, read_match, solve_match

__all__ = ["Match", "SolvedRound", "read_match", "solve_match"]
