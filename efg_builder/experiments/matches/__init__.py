"""Whole matches, solved backward over the dice that are left, round by round."""

from .backward import Match, SolvedRound, read_match, solve_match

__all__ = ["Match", "SolvedRound", "read_match", "solve_match"]
