"""What this machine has, and what of it this process may use."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

ROOT = Path("/")


def memory_here(root: Path = ROOT) -> int | None:
    """The bytes of memory that this process may use, or None where the system does not say.

    That is the machine's memory, or, where it is less, the limit of ``container_memory``.
    """
    return min((limit for limit in (_physical(), container_memory(root)) if limit is not None), default=None)


def container_memory(root: Path = ROOT) -> int | None:
    """The lowest memory limit in bytes of the control groups that this process is in; None where there is none.

    Containers, batch systems and services are limited by such groups, whatever the machine has. Version 2 keeps the
    limit in ``memory.max``, version 1 in ``memory.limit_in_bytes``; that of a group holds for all groups below it (the
    Linux kernel's admin-guide, cgroup-v2 and cgroup-v1/memory). *root* is the folder that has ``proc`` and ``sys``.
    """
    return min(filter(None, (_limit(file) for file in _limit_files(root))), default=None)


def own_peak() -> int | None:
    """The most bytes that this process has had resident; None where the system does not say."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            # Not getrusage: on Linux its figure begins with the parent's memory.
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads() -> int:
    """How many threads this process should use: one for each core, or fewer where OMP_NUM_THREADS says so."""
    wished = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores(), int(wished)) if wished.isdigit() and int(wished) else cores()


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _limit_files(root: Path) -> Iterator[Path]:
    """Where limits can stand: in this process's group and in all above it.

    Inside a container the group's path may be the one that the host knows it by, and is not there to be read. The
    container's own limit then stands at the top.
    """
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
