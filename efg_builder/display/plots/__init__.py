"""Plots drawn with matplotlib: payoff matrices, quantal responses, ratings, exploitability and matches."""
