"""The rules of the games, and their catalogue."""
