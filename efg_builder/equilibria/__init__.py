"""Solutions, ranges over all equilibria, quantal response equilibria, and reports on normal forms."""
