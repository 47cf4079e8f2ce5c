"""Players and their payoffs: players by name (``find``), ``evaluate``, rounds and nets."""

TIMEOUT = 60.0  # default time limit of a player that solves the game, in seconds
