"""Players and their payoffs: players by name (``find``), ``evaluate``, rounds and nets."""

TIMEOUT = 60.0  # seconds that a player who solves the game has for it
