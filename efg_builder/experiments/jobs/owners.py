"""Who works on a row: a process, and whether it still lives."""

from __future__ import annotations

import os
import platform
import uuid
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Owner:
    """A run of a sweep. ``host`` tells machines, their boots and their containers apart; ``began`` processes of one id.

    ``began`` is empty where the system does not tell when a process began.
    """

    id: str
    host: str
    pid: int
    began: str


def this_run() -> Owner:
    """A new run, of this process."""
    return Owner(uuid.uuid4().hex, this_host(), os.getpid(), process_began(os.getpid()) or "")


def this_host() -> str:
    """Names what process ids are distinct in: the machine, since it was booted, and the container."""
    boot = _read("/proc/sys/kernel/random/boot_id").strip()
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return " ".join(filter(None, [platform.node(), boot, space]))


def surely_gone(owner: Owner, here: str) -> bool:
    """Whether *owner* is a process of this host (*here*) that does not run any more. False where nobody can tell."""
    if owner.host != here or not owner.began:
        return False
    return process_began(owner.pid) != owner.began


def process_began(pid: int) -> str | None:
    """When process *pid* began, in the kernel's own unit; None where it is not there, or the system does not tell."""
    after_name = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    # Field 22 of proc(5); the list begins with field 3. A process that has ended and is not yet collected is gone.
    return after_name[19] if len(after_name) > 19 and after_name[0] not in ("Z", "X") else None


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
