"""A desk with sessions whose phone is none: the process that holds one, its clients, and what they
leave."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_replicant.exploring.process import protocol, records

ROOT = str(Path(__file__).parents[3])
PROCESS = """
import os, signal, sys, time
from pathlib import Path
from pytest_replicant.errors import DeviceNotFound, UsageError
from pytest_replicant.exploring.process import holding, listening, turns
from pytest_replicant.exploring import Answer

turns.GRACE_SECONDS, turns.NOTICE_SECONDS = 0.1, 0.05
listening.REQUEST_SECONDS = 0.3
holding._SEND_SECONDS = 0.2
desk = Path(sys.argv[1])

def wait_for(name):
    (desk / "pid").write_text(str(os.getpid()))
    (desk / f"{name}.began").touch()
    until = time.monotonic() + 20
    while not (desk / name).exists() and time.monotonic() < until:
        time.sleep(0.005)

class Screen:
    kept = "nothing yet"
    def handle(self, request):
        verb, *words = (word for word in request.argv if word != "--")
        if verb == "close":
            return Answer("closed", ends=True)
        if words[:1] == ["wait"]:
            wait_for(words[1])
            Screen.kept = words[1]
        if words[:1] == ["raise"]:
            raise RuntimeError(f"no idea of {dict(request.env)}")
        if words[:1] == ["lost"]:
            raise DeviceNotFound("the phone has gone. Next: plug it in")
        if verb == "evidence":
            return Answer("[k020] Button", picture=(desk / "shot").read_bytes())
        if words[:1] == ["noise"]:
            print("n" * int(words[1]), flush=True)
        return Answer(repr((request.argv, request.cwd, request.stdin, dict(request.env))), "", 0)
    def peek(self, request, busy):
        return Answer(self.kept) if request.verb == "last" else None
    def facts(self):
        if (desk / "defect").exists():
            raise KeyError("a defect")
        return {"phone": "virtual", "app": f"dev.replicant.{self.kept}"}
    def close(self):
        (desk / "released").touch()
        if (desk / "stuck").exists():
            raise DeviceNotFound("the phone did not let go")

def opener(name, request):
    words = " ".join(request.argv)
    if "bad" in words:
        raise UsageError("no such app. Next: name another")
    if "defect" in words:
        raise KeyError("a defect")
    if "die" in words:
        print("last words", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    if "slow" in words:
        wait_for("slow")
    said = f"opened {name} {request.argv}"
    return Screen(), Answer(said + "!" * 1_000_000 if "much" in words else said)

sys.exit(holding.main(sys.argv[-2:], opener))
"""
CLIENT = """
import sys
from pytest_replicant.client import main

if "open" in sys.argv:
    from pytest_replicant.exploring.process import starting

    starting.PROGRAM = sys.argv[1].split("|")
sys.exit(main(sys.argv[2:]))
"""


def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.005)


@dataclass
class Desk:
    """One user's folder for temporary files, and the clients that run there. ``real`` is a
    program that has phones."""

    folder: Path
    real: tuple[str, ...] = ()
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def sessions(self) -> Path:
        return Path(records.sessions_folder())

    @property
    def left(self) -> list[str]:
        return sorted(os.listdir(self.sessions)) if self.sessions.exists() else []

    @property
    def program(self) -> tuple[str, ...]:
        """What Python is given to start a session."""
        return self.real or (str(self.folder / "process.py"), str(self.folder))

    def start(self, *argv: str, **options: Any) -> subprocess.Popen[str]:
        options = {
            "stdin": subprocess.DEVNULL,
            "env": {**os.environ, "PYTHONPATH": ROOT},
            **options,
        }
        process = subprocess.Popen(
            [sys.executable, "-c", CLIENT, "|".join(self.program), *argv], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, **{"cwd": self.folder, **options},
        )  # fmt: skip
        self.started.append(process)
        return process

    def run(self, *argv: str, code: int = 0, stdin: str | None = None, **options: Any) -> str:
        """What it prints, on both streams."""
        process = self.start(
            *argv, **({"stdin": subprocess.PIPE} if stdin is not None else {}), **options
        )
        out, err = process.communicate(stdin, timeout=20)
        assert process.returncode == code, out + err
        return out + err

    def project(self, name: str) -> Path:
        folder = self.folder / name
        (folder / "tests").mkdir(parents=True)
        (folder / "pytest.ini").touch()
        return folder

    def record(self, name: str = "s1") -> records.Record:
        found = records.read(str(self.sessions), name)
        assert found is not None
        return found

    def began(self, name: str) -> None:
        until((self.folder / f"{name}.began").exists)

    def let(self, name: str) -> None:
        (self.folder / name).touch()

    def ended(self, name: str = "s1") -> None:
        until(lambda: not records.is_held(records.lock_path(str(self.sessions), name)))

    def connected(self) -> socket.socket:
        return protocol.connect(self.record().port, 5)

    def state(self) -> dict[str, Any]:
        """What the session is at, as it says."""
        with self.connected() as connection:
            connection.sendall(
                protocol.packed(protocol.message_of(["sessions"]), self.record().token)
            )
            answer = protocol.read_frame(protocol.reader(connection), protocol.LARGEST_ANSWER)
        state: dict[str, Any] = json.loads(answer["out"])
        return state

    def clean_up(self) -> None:
        for name in records.names(str(self.sessions)) if self.sessions.is_dir() else ():
            record = None
            with suppress(ValueError):
                record = records.read(str(self.sessions), name)
            if records.is_held(records.lock_path(str(self.sessions), name)):
                os.kill(
                    record.pid if record else int((self.folder / "pid").read_text()), signal.SIGKILL
                )
                self.ended(name)
        for process in self.started:
            process.kill()
            process.communicate()
