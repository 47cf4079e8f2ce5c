"""Who plays, and what it is worth: players by name (``find``), ``evaluate``, rounds, environments and nets."""
