"""Clients of others, unmodified, each in an environment of its own, on virtual phones: what works
there."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import (
    IPHONE,
    Latency,
    PhoneServer,
    Profile,
    VirtualPhone,
    start_server,
)

from ..conformance.packages import package
from ..conformance.private_adb import PrivateAdb, adb_binary, environment, free_port

HERE = Path(__file__).parent
PATIENCE = 90.0  # seconds for a call
INSTALLING = 900.0  # seconds for an environment
SHOP, SMALL = "dev.replicant.shop", "dev.example.small"


class Watched(VirtualPhone):
    """Counts swipes, of which a screen that does not scroll shows nothing."""

    swipes = 0

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        self.swipes += 1
        super().swipe(x1, y1, x2, y2, ms)


Holds = Callable[[Watched, str], object]
"""Whether the phone and the answer are as they have to be."""


@dataclass(frozen=True)
class Row:
    """A call, in the words that a user writes, and what the phone or the answer has to be after it.
    Where ``cannot`` says why it fails, ``error`` has to be in what it says."""

    call: str
    holds: Holds | None = None
    cannot: str = ""
    error: str = ""


@dataclass(frozen=True)
class Client:
    """``package`` as its registry calls it; ``begin`` is run before the rows, and is no row
    itself."""

    name: str
    package: str
    source: Literal["pip", "npm", "apt"]
    begin: str
    rows: Sequence[Row]
    platform: Literal["android", "ios"] = "android"
    also: Sequence[str] = ()  # packages that it needs and does not bring


@dataclass(frozen=True)
class Result:
    call: str
    verdict: Literal["works", "cannot", "broken"]
    reason: str = ""


class Unavailable(Exception):
    """A client that is not to be had here, and why."""


class Talk:
    """With a client's process: one call after the other. Everything that it started ends with
    it."""

    def __init__(
        self, command: Sequence[str], folder: Path, surroundings: Mapping[str, str]
    ) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=surroundings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def ask(self, code: str) -> tuple[bool, str]:
        """Whether it succeeded, and what it answered."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended, which is seen below
            asked.write(json.dumps(code).encode() + b"\n")
            asked.flush()
        if not select.select([answers], [], [], PATIENCE)[0]:
            self._process.kill()  # what it answers late would count for the next call
            return False, f"no answer within {PATIENCE:.0f} s"
        line = answers.readline()
        said = json.loads(line) if line else {"error": "the client's process ended"}
        return "value" in said, str(said.get("value", said.get("error")))


def run(client: Client, folder: Path) -> tuple[str, list[Result]]:
    """Its version, and what became of each row; ``folder`` takes all that it needs. Raises
    ``Unavailable``."""
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    package(folder, SMALL).rename(folder / "app.apk")
    (folder / "x.txt").write_text("hello")
    command, version = installed(client, folder)
    with contextlib.ExitStack() as stack:
        phone, server = stack.enter_context(phone_of(client))
        known = names(client, phone, server)
        port = server.port or known["FREE"]
        if client.source == "apt":  # through a server of its own kind, and the phone's adbd
            own = stack.enter_context(PrivateAdb(Path(shutil.which("adb") or ""), home))
            known["ANDROID_SERIAL"] = f"127.0.0.1:{server.adbd_port}"
            own("connect", known["ANDROID_SERIAL"])
            port = own.port
        tools = "/usr/bin:/bin"
        if wheels := adb_binary():  # some run the command, and there may be none on this computer
            tools += f":{wheels.parent}"
        around = environment(home, port) | {"PATH": tools, "LANG": "C.UTF-8"}
        around |= {"ANDROID_HOME": "/usr/lib/android-sdk"} | {
            name: str(value) for name, value in known.items()
        }
        talk = stack.enter_context(Talk(command, folder, around))
        declared = {"pip": "{} = {!r}\n", "npm": "globalThis.{} = {!r}\n", "apt": ""}[client.source]
        said = talk.ask("".join(declared.format(*each) for each in known.items()) + client.begin)
        if not said[0]:
            return version, [Result(client.begin, "broken", said[1])]
        return version, [judged(row, *talk.ask(row.call), phone) for row in client.rows]


def judged(row: Row, good: bool, said: str, phone: Watched) -> Result:
    """What came of a call that answered ``said``."""
    if row.cannot and row.error in said:
        return Result(row.call, "cannot", row.cannot)
    if row.cannot or not good:
        return Result(row.call, "broken", said[:300])
    if row.holds is None or not row.holds(phone, said):
        return Result(row.call, "broken", f"not what the phone has; the answer was {said[:200]}")
    return Result(row.call, "works")


@contextlib.contextmanager
def phone_of(client: Client) -> Iterator[tuple[Watched, PhoneServer]]:
    """A fresh one, without latency; an iPhone shows WebDriverAgent, and an Android phone both faces
    of adb."""
    ios = client.platform == "ios"
    profile = IPHONE if ios else Profile()
    phone = Watched(demo_apps([]), profile=profile, latency=Latency.from_knobs({"latency": "0"}))
    with start_server(phone, server=not ios, adbd=not ios, wda=ios) as server:
        yield phone, server


def names(client: Client, phone: VirtualPhone, server: PhoneServer) -> dict[str, Any]:
    """What a call may use: where the phone is, where its Email field is, and a port that is
    free."""
    phone.start_app(SHOP)
    nodes = [node for window in phone.windows() for node in window.root.walk()]
    at = next(node.bounds.center for node in nodes if node.resource_id.endswith("email"))
    phone.stop_app(SHOP)
    known = {"X": at.x, "Y": at.y, "SERIAL": phone.profile.serial, "FREE": free_port()}
    if client.platform == "ios":
        return {**known, "WDA": server.wda_url}
    return {**known, "PORT": server.port, "ADBD": server.adbd_port}


def installed(client: Client, folder: Path) -> tuple[list[str], str]:
    """What runs the client's calls, and its version. Raises ``Unavailable``."""
    if client.source == "apt":
        version = said_by("dpkg-query", "-W", "-f", "${Version}", client.package)
        return [sys.executable, str(HERE / "child.py"), "shell"], version
    if client.source == "npm":
        wanted = [client.package, *client.also]
        if not (folder / "node_modules").exists():
            said_by("npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *wanted)
        facts = json.loads((folder / "node_modules" / client.package / "package.json").read_text())
        return ["node", str(HERE / "child.mjs")], facts["version"]
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        said_by(sys.executable, "-m", "venv", str(folder / "venv"))
        said_by(str(python), "-m", "pip", "install", "--quiet", client.package, *client.also)
    asked = f"import importlib.metadata as m; print(m.version({client.package!r}))"
    return [str(python), str(HERE / "child.py"), "python"], said_by(str(python), "-c", asked)


def said_by(*command: str) -> str:
    """Raises ``Unavailable`` where it fails; what it says of paths and registries is not kept."""
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=INSTALLING, text=True, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{Path(command[0]).name}: {type(error).__name__}") from None
    if done.returncode:
        raise Unavailable(
            f"{' '.join(Path(each).name for each in command[:3])}: exit code {done.returncode}"
        )
    return done.stdout.strip()


def run_all(clients: Sequence[Client]) -> dict[str, dict[str, Any]]:
    """By name: version and results, or ``unavailable`` and why. Each environment is removed
    again."""
    found: dict[str, dict[str, Any]] = {}
    for client in clients:
        with tempfile.TemporaryDirectory(
            prefix="replicant-client-", ignore_cleanup_errors=True
        ) as folder:
            try:
                version, results = run(client, Path(folder))
            except Unavailable as reason:
                found[client.name] = {"unavailable": str(reason)}
            else:
                found[client.name] = {"version": version, "rows": [vars(each) for each in results]}
    return found
