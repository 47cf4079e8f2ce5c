"""What this machine has."""

from __future__ import annotations

import os


def memory_here() -> int | None:
    """The bytes of memory, or None where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
