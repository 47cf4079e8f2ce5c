"""Plots by matplotlib: payoff matrices, quantal responses, ratings, exploitability and matches."""
