"""Players: a registry by name (``find``), their payoffs (``evaluate``), rounds of play, and neural nets."""

TIMEOUT = 60.0  # default time limit of a player that solves the game, in seconds
