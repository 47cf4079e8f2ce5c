"""The named players. Each module has a tuple ``PLAYERS``; there is no other list."""
