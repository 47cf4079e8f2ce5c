"""How much memory a process has, with all that it started."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def watched() -> bool:
    """Whether this system tells the memory of another process (Linux does)."""
    return Path("/proc/self/statm").exists()


def resident(pid: int) -> int:
    """The resident bytes of process *pid* and of all below it, now; what has ended by then counts nothing."""
    total, fresh = 0, [pid]
    while fresh:
        one = fresh.pop()
        with contextlib.suppress(OSError, ValueError, IndexError):
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * _PAGE
        fresh += _children(one)
    return total


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError, ValueError):
                found += map(int, (thread / "children").read_text().split())
    return found


def own_peak() -> int | None:
    """The most bytes that this process has had resident; None where the system does not tell."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            # Not getrusage: on Linux that begins with what the parent had.
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def limit_own(most: int) -> None:
    """Limit this process's address space to *most* bytes: for systems on which nobody can watch it."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
