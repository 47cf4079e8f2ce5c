"""Long runs: sweeps, matches, arenas and exploitability, over one way to share work between processes."""
