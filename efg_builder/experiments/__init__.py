"""Long runs: sweeps, matches, arenas and exploitability, which all share work between processes in the same way."""
