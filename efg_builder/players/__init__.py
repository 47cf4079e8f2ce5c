"""Who plays, and what it is worth: players by name (``find``), ``evaluate``, rounds and nets."""

TIMEOUT = 60.0
"""Seconds that a player who solves the game has for it."""
