"""Long runs: sweeps, matches, arenas, exams and exploitability."""
