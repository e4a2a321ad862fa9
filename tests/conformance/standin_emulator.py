"""Stands in for the Android emulator's program: its command line, its console, and a phone that
boots in phases.

What it boots is a virtual phone behind an adbd of its own, and it makes itself known to the adb
server that the environment names, as the emulator does. How it behaves is read from
``standin.json`` beside it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import (
    COMMANDS,
    Call,
    CommandFailed,
    Latency,
    PhoneServer,
    Profile,
    VirtualPhone,
    start_server,
)
from pytest_replicant.virtual.system.properties import SAME_ON_EVERY_PHONE as PROPERTIES
from tests.unit.virtual.frail_app import frail_app

PLAIN = {"-no-boot-anim", "-no-audio", "-no-window", "-no-snapshot-load", "-no-snapshot-save"}
VALUED = {"-avd", "-port", "-snapshot"}
STAYS = "stand-in: stays as it is"
MULTIPLE = (
    "ERROR   | Running multiple emulators with the same AVD is an experimental feature. "
    "Please use -read-only flag to enable this feature."
)


@dataclass
class Manner:
    """``phase`` is the seconds from one phase of its boot to the next. ``stays_before`` is the
    phase that it never reaches. ``dies`` are its last words, with which it ends at once; ``deaf``
    means that it obeys neither console nor SIGTERM. ``child`` makes it start a process, as the real
    one has several."""

    phase: float = 0.05
    stays_before: str = ""
    dies: str = ""
    exit_code: int = 1
    deaf: bool = False
    child: bool = False
    snapshots: list[str] = field(default_factory=list)


def install(sdk: Path, manner: Manner) -> Path:
    """Puts the program where an SDK has it."""
    program = sdk / "emulator" / "emulator"
    program.parent.mkdir(parents=True)
    root = Path(__file__).parents[2]
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(root)!r})\n"
        "from tests.conformance.standin_emulator import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    behave(sdk, manner)
    return program


def behave(sdk: Path, manner: Manner) -> None:
    (sdk / "emulator" / "standin.json").write_text(json.dumps(asdict(manner)), encoding="utf-8")


def main() -> int:
    folder = Path(sys.argv[0]).parent
    manner = Manner(**json.loads((folder / "standin.json").read_text(encoding="utf-8")))
    given = _read(sys.argv[1:])
    if isinstance(given, str):
        print(given, flush=True)
        return 1
    print("INFO    | Android emulator version 0.0.0.0 (stand-in)", flush=True)
    if manner.dies:
        print(manner.dies, flush=True)
        return manner.exit_code
    return _run(manner, folder, given)


def _read(words: list[str]) -> dict[str, str] | str:
    given: dict[str, str] = {}
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word in VALUED and pending:
            given[word] = pending.pop(0)
        elif word in PLAIN:
            given[word] = ""
        else:
            return f"unknown option: {word}\nplease use -help for a list of valid options"
    port = given.get("-port", "")
    if not port.isdecimal() or int(port) % 2 or not 5554 <= int(port) <= 5682:
        return f"-port {port} is no even number between 5554 and 5682"
    return given


def _run(manner: Manner, folder: Path, given: dict[str, str]) -> int:
    avd = given["-avd"]
    lock = folder / f"{avd}.lock"
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:
        print(MULTIPLE, flush=True)
        return 1
    try:
        _write_down(folder, avd, given)
        if manner.deaf:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        else:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        if manner.child:
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            (folder / "child.pid").write_text(str(child.pid), encoding="ascii")
        StandIn(manner, avd, int(given["-port"])).serve()
    finally:
        lock.unlink(missing_ok=True)
    return 0


def _write_down(folder: Path, avd: str, given: dict[str, str]) -> None:
    facts = {"pid": os.getpid(), "given": given, "words": sys.argv[1:]}
    (folder / f"{avd}.started.json").write_text(json.dumps(facts), encoding="utf-8")


class StandIn:
    def __init__(self, manner: Manner, avd: str, port: int) -> None:
        self.manner = manner
        self.avd = avd
        self.port = port
        self.ended = threading.Event()
        self.phone = _Phone(self)

    def serve(self) -> None:
        """The console at once, the phone in its phases, until somebody ends it."""
        console = _Console(("127.0.0.1", self.port), _Conversation)
        console.emulator = self
        threading.Thread(target=console.serve_forever, daemon=True).start()
        self.phone.boot()
        self.ended.wait()

    def answer(self, command: str) -> str:
        if command == "avd name":
            return f"{self.avd}\r\nOK\r\n"
        if command == "avd snapshot list":
            rows = "".join(
                f"--        {name}   63M 2026-01-05 10:00:00   00:01:38.459\r\n"
                for name in self.manner.snapshots
            )
            return (
                "List of snapshots present on all disks:\r\nID        TAG      VM SIZE   "
                f"DATE\r\n{rows}OK\r\n"
            )
        if command.startswith("avd snapshot load "):
            return self._load(command.rpartition(" ")[2])
        if command == "kill" and not self.manner.deaf:
            threading.Timer(0.05, self.ended.set).start()
            return "OK: killing emulator, bye bye\r\n"
        return "KO: unknown command, try 'help'\r\n"

    def _load(self, name: str) -> str:
        if name not in self.manner.snapshots:
            return f"KO: Device 'cache' does not have the requested snapshot '{name}'\r\n"
        self.phone.start()
        print(f"INFO    | stand-in: loaded {name}", flush=True)
        return "OK\r\n"


class _Phone:
    """A virtual phone whose system starts slowly."""

    def __init__(self, emulator: StandIn) -> None:
        self._manner, self._avd, self._port = emulator.manner, emulator.avd, emulator.port
        self._server: PhoneServer | None = None

    def boot(self) -> None:
        ready = dict(COMMANDS)
        PROPERTIES["ro.boot.qemu.avd_name"] = self._avd
        PROPERTIES.update(
            {"sys.boot_completed": "", "dev.bootcomplete": "", "init.svc.bootanim": "running"}
        )
        COMMANDS["pm"] = replace(COMMANDS["pm"], function=_no_package_service)
        phases: dict[str, Callable[[], object]] = {
            "attached": self.start,
            "booted": lambda: PROPERTIES.update(
                {"sys.boot_completed": "1", "dev.bootcomplete": "1"}
            ),
            "animated": lambda: PROPERTIES.update({"init.svc.bootanim": "stopped"}),
            "ready": lambda: COMMANDS.update(ready),
        }
        for name, reach in phases.items():
            if name == self._manner.stays_before:
                print(f"INFO    | {STAYS}", flush=True)
                return
            time.sleep(self._manner.phase)
            reach()
            print(f"INFO    | stand-in: {name}", flush=True)

    def start(self) -> None:
        """A fresh phone on the same ports, as a cold boot and a loaded snapshot leave it."""
        if self._server is not None:
            self._server.close()
        phone = VirtualPhone(
            [*demo_apps([]), frail_app()],
            profile=Profile(serial=f"EMULATOR{self._port}"),
            latency=Latency.from_knobs({"latency": "0"}),
        )
        self._server = start_server(phone, server=False, adbd_port=self._port + 1)
        threading.Thread(target=_announce, args=(self._port + 1,), daemon=True).start()


async def _no_package_service(call: Call) -> int:
    raise CommandFailed("cmd: Can't find service: package", 20)


def _announce(port: int) -> None:
    """To the adb server, as the emulator does when its phone is there; and again for a while, as an
    adb server looks by itself for one that it has lost."""
    request = f"host:emulator:{port}".encode()
    address = ("127.0.0.1", int(os.environ.get("ANDROID_ADB_SERVER_PORT", "5037")))
    for _ in range(20):
        with suppress(OSError), socket.create_connection(address, timeout=5) as plain:
            plain.sendall(f"{len(request):04x}".encode() + request)
            plain.settimeout(5)
            plain.recv(4)  # nothing is answered: the server hangs up
        time.sleep(0.2)


class _Console(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    emulator: StandIn


class _Conversation(socketserver.StreamRequestHandler):
    server: _Console

    def handle(self) -> None:
        token = (Path.home() / ".emulator_console_auth_token").read_text(encoding="ascii").strip()
        self.say(
            "Android Console: Authentication required\r\nAndroid Console: type 'auth "
            "<auth_token>' to "
        )
        self.say("authenticate\r\nOK\r\n")
        known = False
        for line in self.rfile:
            command = line.decode().strip()
            if command == f"auth {token}":
                known = True
                self.say("Android Console: type 'help' for a list of commands\r\nOK\r\n")
            elif command.startswith("auth "):
                self.say(
                    "KO: authentication token does not match ~/.emulator_console_auth_token\r\n"
                )
            elif not known:
                self.say("KO: unknown command, try 'help'\r\n")
            else:
                self.say(self.server.emulator.answer(command))

    def say(self, text: str) -> None:
        self.wfile.write(text.encode())
