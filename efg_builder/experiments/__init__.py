"""Long runs: sweeps, matches, arenas, exams and measurements of exploitability."""
