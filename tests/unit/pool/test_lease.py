"""One phone, one user: across processes, whatever ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_replicant.errors import DeviceBusy
from pytest_replicant.pool.lease import Lease, lease_folder

HOLD = """
import sys, pathlib
from pytest_replicant.pool.lease import Lease
lease = Lease(sys.argv[1], pathlib.Path(sys.argv[2])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


def hold_elsewhere(phone: str, folder: Path) -> subprocess.Popen[str]:
    root = str(Path(__file__).parents[3])
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, phone, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_lease_is_held_until_it_is_released(tmp_path: Path) -> None:
    lease = Lease("R5CT", tmp_path)
    assert lease.acquire().held
    lease.release()
    assert not lease.held
    assert Lease("R5CT", tmp_path).acquire().held


def test_releasing_twice_is_fine(tmp_path: Path) -> None:
    lease = Lease("R5CT", tmp_path).acquire()
    lease.release()
    lease.release()
    assert not lease.held


def test_the_same_process_gets_no_second_lease_and_no_deadlock(tmp_path: Path) -> None:
    first = Lease("R5CT", tmp_path).acquire()
    with pytest.raises(DeviceBusy, match=f"this very process \\({os.getpid()}\\)") as refused:
        Lease("R5CT", tmp_path).acquire()
    assert refused.value.device == "R5CT"
    assert refused.value.__suppress_context__
    assert first.held


def test_two_phones_are_two_leases(tmp_path: Path) -> None:
    assert Lease("one", tmp_path).acquire().held
    assert Lease("two", tmp_path).acquire().held


def test_a_serial_may_hold_what_a_file_name_may_not(tmp_path: Path) -> None:
    assert Lease("adb://../../etc:5037/10.0.0.2:5555\n", tmp_path).acquire().held
    assert all(path.parent == tmp_path for path in tmp_path.rglob("*"))


@pytest.mark.slow
def test_another_process_is_named_and_its_end_gives_the_phone_back(tmp_path: Path) -> None:
    other = hold_elsewhere("R5CT", tmp_path)
    try:
        with pytest.raises(DeviceBusy, match=f"process {other.pid}"):
            Lease("R5CT", tmp_path).acquire()
    finally:
        other.communicate()
    assert Lease("R5CT", tmp_path).acquire().held


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process outright")
def test_a_killed_process_leaves_no_lease_behind(tmp_path: Path) -> None:
    other = hold_elsewhere("R5CT", tmp_path)
    other.kill()
    other.communicate()
    assert Lease("R5CT", tmp_path).acquire().held


def test_the_folder_belongs_to_the_user_alone() -> None:
    folder = lease_folder()
    assert folder.is_dir()
    if hasattr(os, "getuid"):
        assert folder.stat().st_mode & 0o077 == 0
