"""Results: solutions, ranges over all equilibria, refinements, quantal responses, the strategic form."""
