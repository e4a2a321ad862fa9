"""What looks for leaks finds each kind of them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pytest_replicant.pool import Lease
from pytest_replicant.virtual import VirtualPhone

from . import leaks
from .leaks import Held, leased, left_in, left_on, left_since


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "PATIENCE", 0.05)


@pytest.fixture
def later() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def a_thread(later: ExitStack) -> None:
    told = threading.Event()
    thread = threading.Thread(target=told.wait, name="left", daemon=True)
    thread.start()
    later.callback(thread.join, 5)
    later.callback(told.set)


def a_socket(later: ExitStack) -> None:
    later.enter_context(socket.create_server(("127.0.0.1", 0)))


@pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="this system does not list what a process holds"
)
@pytest.mark.parametrize(("leave", "kind"), [(a_thread, "thread left"), (a_socket, "socket")])
def test_what_a_process_holds(
    leave: Callable[[ExitStack], None], kind: str, later: ExitStack
) -> None:
    before = Held.now()
    leave(later)
    (found,) = left_since(before)
    assert found.startswith(kind)
    later.close()
    assert left_since(before) == []


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "leases").mkdir()
    (tmp_path / "leases" / "a.lock").touch()
    assert left_in(tmp_path) == []
    (tmp_path / "replicant-x").touch()
    assert left_in(tmp_path) == ["temporary file replicant-x"]


def test_a_lease(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    lease = Lease("adb://127.0.0.1:1/R5CT").acquire()
    (found,) = leased("adb://127.0.0.1:1/R5CT")
    assert found.startswith("lease: ")
    lease.release()
    assert leased("adb://127.0.0.1:1/R5CT") == []


def test_what_runs_and_lies_about_on_the_phone() -> None:
    phone = VirtualPhone([])
    assert left_on(phone) == []
    phone.files.write("/data/local/tmp/replicant-1.apk", b"")
    phone.ports.bind("tcp:9008", lambda stream: stream.close())
    phone.running_programs["com.wetest.uia2.Main"] = bool
    assert left_on(phone) == [
        "program com.wetest.uia2.Main",
        "port tcp:9008 of the phone",
        "file /data/local/tmp/replicant-1.apk on the phone",
    ]
