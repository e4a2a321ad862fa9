"""One phone, one user: across processes, whatever ends them; and a queue for each phone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_replicant.drivers import Capability, DeviceInfo
from pytest_replicant.errors import DeviceBusy, UsageError
from pytest_replicant.model import ManualClock
from pytest_replicant.pool import MUTEX, Facts, Lease, Tickets, lease_folder
from pytest_replicant.pool.leases import KEPT_SECONDS, alone, holder_of, is_wanted

HOLD = """
import sys, pathlib
from pytest_replicant.pool import Lease, Tickets
folder = pathlib.Path(sys.argv[2])
lease = Lease(sys.argv[1], folder).acquire()
with Tickets(folder).queue_up([sys.argv[1]]):
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


def test_a_lease_is_held_until_it_is_released_once_or_twice(tmp_path: Path) -> None:
    lease = Lease("R5CT", tmp_path)
    assert lease.acquire().held
    for _ in range(2):
        lease.release()
        assert not lease.held
    assert Lease("R5CT", tmp_path).acquire().held


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
@pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process outright"
)
def test_a_killed_process_leaves_neither_lease_nor_ticket_behind(tmp_path: Path) -> None:
    other = hold_elsewhere("R5CT", tmp_path)
    assert [ticket.wanted for ticket in Tickets(tmp_path).waiting()] == [("R5CT",)]
    holder = holder_of("R5CT", tmp_path)
    assert holder is not None
    assert holder.pid == other.pid
    other.kill()
    other.communicate()
    assert list(tmp_path.glob("*.holder")), "the record of who held it is still there"
    assert holder_of("R5CT", tmp_path) is None, "and misleads no one"
    assert Tickets(tmp_path).waiting() == []
    assert Lease("R5CT", tmp_path).acquire().held


def test_the_same_process_gets_no_second_lease_and_reads_since_when(tmp_path: Path) -> None:
    first = Lease("R5CT", tmp_path).acquire()
    said = rf"this very process \({os.getpid()}\), another session of the same run, since \d\d:\d\d:\d\d\. Next: wait"
    with pytest.raises(DeviceBusy, match=said) as refused:
        Lease("R5CT", tmp_path).acquire()
    assert refused.value.device == "R5CT"
    assert refused.value.__suppress_context__
    assert first.held
    assert Lease("another", tmp_path).acquire().held
    first.release()
    assert holder_of("R5CT", tmp_path) is None


def test_what_the_phone_is_can_be_read_while_it_is_held(tmp_path: Path) -> None:
    lease = Lease("R5CT", tmp_path).acquire()
    holder = holder_of("R5CT", tmp_path)
    assert holder is not None
    assert holder.facts is None, "no one has asked it yet"
    info = DeviceInfo("R5CT", "android", "Pixel 8", "14", 1080, 2400, 2.6, {"sdk": "34"})
    lease.publish(info, Capability.SHELL | Capability.LOGS)
    holder = holder_of("R5CT", tmp_path)
    assert holder is not None
    assert holder.facts == Facts("android", 34, ("shell", "logs"))
    lease.release()
    lease.publish(info, Capability.SHELL)
    assert [path.name for path in tmp_path.iterdir()] == [MUTEX], (
        "nothing of a phone that is not held"
    )


def test_what_is_left_behind_is_swept_up_once_it_is_old(tmp_path: Path) -> None:
    kept = Lease("held", tmp_path).acquire()
    name = "0123456789abcdef" * 2
    left = [
        tmp_path / each
        for each in (f"{name}.lock", f"{name}.holder", "0001-77-ab.ticket-lock", "a.77.new")
    ]
    others = tmp_path / "emulator-5554.lock"
    for path in (*left, others):
        path.touch()
    Lease("other", tmp_path).acquire()
    assert all(path.exists() for path in left), "somebody may just be at it"
    for path in tmp_path.iterdir():
        os.utime(path, (1, time.time() - KEPT_SECONDS - 1))
    Lease("third", tmp_path).acquire()
    assert not any(path.exists() for path in left)
    assert others.exists(), "it is not of these"
    assert holder_of("held", tmp_path) is not None
    with pytest.raises(DeviceBusy):
        Lease("held", tmp_path).acquire()
    assert kept.held


def test_a_folder_that_someone_keeps_for_himself_is_reported(tmp_path: Path) -> None:
    clock = ManualClock()
    held = Lease("held", tmp_path, clock).acquire()
    with alone(tmp_path):
        with pytest.raises(DeviceBusy, match="look for a process that is stopped"):
            Lease("R5CT", tmp_path, clock).acquire()
        assert clock.now() >= 1010
        held.release()
    assert not held.held, "it is given back all the same"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_a_folder_of_someone_else_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    lease_folder()
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    (tmp_path / f"pytest-replicant-leases-{owner}").rename(
        tmp_path / f"pytest-replicant-leases-{owner + 1}"
    )
    with pytest.raises(UsageError, match="belongs to another user"):
        lease_folder()


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / MUTEX).mkdir()
    with pytest.raises(
        UsageError, match=r"cannot keep leases of phones in .*: Is a directory. Next: remove"
    ):
        Lease("R5CT", tmp_path).acquire()


def test_tickets_are_in_the_order_in_which_they_were_drawn(tmp_path: Path) -> None:
    tickets = Tickets(tmp_path)
    with (
        tickets.queue_up(["a"]) as first,
        tickets.queue_up(["b"]) as second,
        Tickets(tmp_path).queue_up(["c"]) as third,
    ):
        assert tickets.waiting() == [first, second, third]
    assert tickets.waiting() == []
    assert [path.name for path in tmp_path.iterdir()] == [MUTEX]


def test_a_ticket_that_no_one_holds_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "000000000001-77-abcd.ticket"
    left.write_text('{"wanted": ["a"]}')
    left.with_suffix(".ticket-lock").touch()
    with Tickets(tmp_path).queue_up(["b"]) as mine:
        assert mine.name.startswith("000000000002-")
        assert Tickets(tmp_path).ahead_of(mine, {}) == 0, "it wants another one"
        assert Tickets(tmp_path).waiting() == [mine]
    assert [path.name for path in tmp_path.iterdir()] == [MUTEX]


def test_a_ticket_may_ask_for_less(tmp_path: Path) -> None:
    tickets = Tickets(tmp_path)
    with tickets.queue_up(["a", "b"]) as wide:
        narrow = tickets.narrow(wide, ["b"])
        assert tickets.waiting() == [narrow]
        assert (narrow.name, narrow.wanted) == (wide.name, ("b",))


def test_only_earlier_tickets_come_first(tmp_path: Path) -> None:
    tickets = Tickets(tmp_path)
    with tickets.queue_up(["a"]) as first, tickets.queue_up(["a", "b"]) as second:
        waiting = tickets.waiting()
    assert is_wanted("a", waiting, second)
    assert not is_wanted("b", waiting, second)
    assert not is_wanted("a", waiting, first)
    assert is_wanted("b", waiting, None), "who has no ticket comes after all of them"
    assert not is_wanted("c", waiting, None)
