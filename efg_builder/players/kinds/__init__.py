"""The named players. Each module lists its players in a tuple ``PLAYERS``. There is no other list."""
