"""The memory that this process may use: the machine's, or a container's limit if that is lower."""

import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

from efg_builder.base import machine
from efg_builder.base.machine import container_memory, memory_here, own_peak

MIB = 2**20

UNLIMITED = 9223372036854771712
"""The value for no limit in version 1: the largest number of whole pages (kernel, cgroup-v1/memory)."""


def system(root: Path, groups: str, limits: dict[str, str]) -> Path:
    """Make an artificial ``/proc`` and ``/sys`` under *root*."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(groups)
    for name, limit in limits.items():
        file = root / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{limit}\n")
    return root


V1 = "memory/{}memory.limit_in_bytes"


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        # Version 2: a container with a limit, and one without.
        ("0::/\n", {"memory.max": str(512 * MIB)}, 512 * MIB),
        ("0::/\n", {"memory.max": "max"}, None),
        # A service below a slice: the lowest limit of all groups above applies.
        ("0::/a/b\n", {"a/b/memory.max": str(700 * MIB), "a/memory.max": str(300 * MIB)}, 300 * MIB),
        ("0::/a/b\n", {"a/b/memory.max": str(200 * MIB), "a/memory.max": "max"}, 200 * MIB),
        ("0::/a\n", {"b/memory.max": str(MIB)}, None),
        # Version 1, alone and beside version 2.
        ("4:memory:/job\n", {V1.format("job/"): str(64 * MIB), V1.format(""): str(UNLIMITED)}, 64 * MIB),
        ("5:cpu,memory:/job\n0::/\n", {V1.format("job/"): str(65 * MIB)}, 65 * MIB),
        ("4:cpu:/job\n", {V1.format("job/"): str(MIB)}, None),
        # Inside a container the path is the host's, and only its top exists.
        ("4:memory:/docker/0a1b\n", {V1.format(""): str(128 * MIB)}, 128 * MIB),
        ("0::/../../other\n", {"memory.max": str(MIB)}, MIB),
        # Damaged or missing files.
        ("nonsense\n::\n", {"memory.max": "a lot"}, None),
        ("", {}, None),
    ],
)
def test_the_lowest_limit_of_all_groups_holds(tmp_path, groups, limits, expected):
    assert container_memory(system(tmp_path, groups, limits)) == expected


@pytest.mark.parametrize(
    ("physical", "limit", "expected"),
    [
        (8 * MIB, 2 * MIB, 2 * MIB),
        (8 * MIB, UNLIMITED, 8 * MIB),
        (None, 2 * MIB, 2 * MIB),
        (8 * MIB, None, 8 * MIB),
        (None, None, None),
    ],
)
def test_the_less_of_machine_and_container(tmp_path, monkeypatch, physical, limit, expected):
    monkeypatch.setattr(machine, "_physical", lambda: physical)
    root = system(tmp_path, "0::/\n", {} if limit is None else {"memory.max": str(limit)})
    assert memory_here(root) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system has another figure")
def test_the_peak_of_a_process_is_its_own():
    """It does not include the parent's, unlike ``ru_maxrss``."""
    held = b"x" * (200 * MIB)
    code = "from efg_builder.base.machine import own_peak; print(own_peak())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert own_peak() >= len(held)
    assert int(done.stdout) < len(held) / 2
