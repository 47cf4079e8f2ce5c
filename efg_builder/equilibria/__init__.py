"""Results: solutions, ranges over all equilibria, refinements, quantal response equilibria, and the normal form."""
