"""SQLite files that several runs work on at once, any of which may die: how they are opened, and who holds what."""

from .file import Kind, opened, told, writing
from .owners import Owner, this_run
from .runs import BEAT, LEASE, RUNS, Presence, leave, live, present

__all__ = [
    "BEAT",
    "LEASE",
    "RUNS",
    "Kind",
    "Owner",
    "Presence",
    "leave",
    "live",
    "opened",
    "present",
    "this_run",
    "told",
    "writing",
]
