"""The memory and processor cores that this process may use."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

ROOT = Path("/")


def memory_here(root: Path = ROOT) -> int | None:
    """Return the machine's memory or the container's limit, whichever is lower, in bytes; None if both are unknown."""
    return min((limit for limit in (_physical(), container_memory(root)) if limit is not None), default=None)


def container_memory(root: Path = ROOT) -> int | None:
    """Return the lowest memory limit in bytes of this process's control groups; None if there is no limit.

    *root* contains the folders ``proc`` and ``sys``. See cgroup-v1 and cgroup-v2 in the Linux kernel's admin-guide.
    """
    return min(filter(None, (_limit(file) for file in _limit_files(root))), default=None)


def own_peak() -> int | None:
    """Return the peak resident memory of this process in bytes; None if unknown."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            # Do not use getrusage on Linux: its peak starts at the memory of the parent process.
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads() -> int:
    """Return the number of threads to use: the number of cores, or OMP_NUM_THREADS if it is smaller."""
    wished = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores(), int(wished)) if wished.isdigit() and int(wished) else cores()


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _limit_files(root: Path) -> Iterator[Path]:
    """Yield the memory limit files of this process's control group and its ancestors; each group may have a limit."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except (OSError, ValueError):
        lines = []
    mount = root / "sys/fs/cgroup"
    yield mount / "memory.max"
    yield mount / "memory/memory.limit_in_bytes"
    for line in lines:
        _, _, named = line.partition(":")
        controllers, _, path = named.partition(":")
        if controllers and "memory" not in controllers.split(","):
            continue
        top, name = (mount / "memory", "memory.limit_in_bytes") if controllers else (mount, "memory.max")
        group = PurePosixPath(path.lstrip("/"))
        if ".." not in group.parts:
            yield from (top / each / name for each in (group, *group.parents))


def _limit(file: Path) -> int | None:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None
