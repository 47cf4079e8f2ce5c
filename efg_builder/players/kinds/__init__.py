"""The players that have a name. Each is one file here with a tuple ``PLAYERS``; nothing else lists them."""
