"""What one flow costs an agent: sign in, put the red mug into the cart, check out, place the order.

Each surface gets a fresh virtual phone behind a real adb server. Counted are the characters that an agent writes
and reads. A flow counts only where the app's own state has the order, and where each element that was used had
been printed before it was used.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import Profile, VirtualPhone, start_server
from tests.conformance.private_adb import adb_binary, environment
from tests.consumers.npm import package

from .exploring_flows import SECRETS, SHOP
from .exploring_phone import CLIENT, ROOT, environment_in, run_python
from .exploring_screen import proposed_in
from .table import Table, Unmeasurable, percent

MOBILE_MCP, AGENT_DEVICE = ("@mobilenext/mobile-mcp", "1.0.4"), ("agent-device", "0.21.5")
EMAIL, PASSWORD = "ada@example.com", SECRETS["SHOP_PASSWORD"]
SKILL = ROOT / "pytest_replicant" / "exploring" / "skill.md"
SERVE = "import sys; from pytest_replicant.exploring.mcp import serve; sys.exit(serve())"
_LOOKS, _PAUSE = 12, 0.5  # of an agent that waits for a screen, and seconds between
_COLUMNS = (
    "surface", "calls", "characters in", "characters out", "in and out", "of the batch", "read once", "checks",
    "its test passes", "order placed", "seconds",
)  # fmt: skip
_NOTE = """In and out: of one flow; *of the batch* is its ratio to mobile-mcp's cheaper way. Read once: tool
definitions of a server, the skill of the command line. The save and its run are in the calls, and are more than
mobile-mcp does. Seconds are the scale only: the machine is shared, and mobile-mcp's include the pauses of its
agent while a screen comes. agent-device was asked for its definitions alone."""


class Failed(Exception):
    """The flow did not come to its end; the message says where."""


@dataclass
class Bill:
    """What one surface took. ``printed`` is all that was read so far."""

    surface: str
    calls: int = 0
    written: int = 0
    read: int = 0
    once: int = 0
    checks: int = 0
    test: str = "none"
    placed: bool = False
    seconds: float = 0.0
    printed: list[str] = field(default_factory=list)
    trouble: str = ""

    def add(self, given: str, answer: str) -> str:
        self.calls, self.written, self.read = self.calls + 1, self.written + len(given), self.read + len(answer)
        self.printed.append(answer)
        return answer

    def needs(self, *labels: str) -> None:
        """Raises ``Failed`` where one was not printed in any answer so far."""
        for label in labels:
            if not any(label in each for each in self.printed):
                raise Failed(f"{label!r} is needed and was not printed")

    @property
    def total(self) -> int:
        return self.written + self.read


# --- ours ----------------------------------------------------------------------------------------------------

Send = Callable[[str, Mapping[str, Any]], str]
"""Gives a command by its name and arguments; the text of its answer. Raises ``Failed``."""


def our_flow(bill: Bill, send: Send, uri: str, placed: Callable[[], bool], *, batches: bool) -> None:
    """Ours, by whatever surface. With ``batches`` steps on what is printed already go together."""

    def do(*steps: str, checked: bool = True, **more: Any) -> None:
        text = ""
        for some in [steps] if batches else [[each] for each in steps]:
            text = send("do", {"steps": list(some), **more})
        if checked:
            proposed = proposed_in(text)
            if not proposed:
                raise Failed(f"no check was proposed: {text[:200]}")
            send("expect", {"checks": [proposed[0][0]]})
            bill.checks += 1

    send("open", {"app": SHOP, "device": uri})
    bill.needs("Email", "Password", "Sign in")
    do(f'fill(text="Email", value="{EMAIL}")', 'fill(text="Password", env="SHOP_PASSWORD")', 'tap(text="Sign in")')
    bill.needs("Red mug", "Add", "Cart, 0 items")
    if batches:
        cart = re.search(r'\[(\w+)\][^\n]*"Cart, 0 items"', "\n".join(bill.printed))
        assert cart is not None
        do('tap(text="Add", row_with="Red mug")')
        do(f"tap {cart[1]}")
    else:
        do('tap(text="Add", row_with="Red mug")')
        bill.needs("Cart, 1 item")
        do('tap(text="Cart, 1 item")')
    bill.needs("Check out")
    do('tap(text="Check out")')
    bill.needs("Place order")
    do('tap(text="Place order")', allow=["pay"])
    bill.needs('Button "Place order"', 'Dialog "Place order?"')
    do('tap(text="Place order")', allow=["pay"])
    bill.placed = placed()
    said = send("save", {"place": "tests/test_order.py::test_order", "run": True, "allow": ["pay"]})
    bill.test = "yes" if "Fresh run: passed" in said else f"no: {said[:200]}"
    send("close", {})


def as_typed(name: str, given: Mapping[str, Any]) -> list[str]:
    words = [name]
    for key, value in given.items():
        if key in ("app", "place"):
            words.append(value)
        elif key in ("steps", "checks"):
            words += value
        elif value is True:
            words.append(f"--{key}")
        else:
            words += [
                word for each in (value if isinstance(value, list) else [value]) for word in (f"--{key}", each)
            ]
    return words


def by_clients(bill: Bill, folder: Path) -> Send:
    bill.once = len(SKILL.read_text(encoding="utf-8")) if SKILL.is_file() else 0

    def send(name: str, given: Mapping[str, Any]) -> str:
        words = as_typed(name, given)
        done = run_python(folder, environment_in(folder), "-c", CLIENT, *words)
        answer = bill.add(f"replicant {shlex.join(words)}", done.stdout + done.stderr)
        if done.returncode:
            raise Failed(f"{shlex.join(words)}: {answer[:400]}")
        return answer

    return send


# --- MCP -----------------------------------------------------------------------------------------------------


class Server:
    """A server of the Model Context Protocol over stdio, and no more of the protocol than a benchmark needs."""

    def __init__(self, command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> None:
        self._errors = (folder / "server.log").open("w", encoding="utf-8")
        self._process = subprocess.Popen(
            command, cwd=folder, env=dict(environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._errors, text=True,
        )  # fmt: skip
        self._count = 0
        client = {"name": "benchmark", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client})
        self._write({"method": "notifications/initialized"})

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._count += 1
        self._write({"id": self._count, "method": method, "params": dict(params)})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise Failed(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
        raise Failed(f"{method}: the server ended")

    def definitions(self) -> tuple[int, int]:
        """How many tools, and their characters as compact JSON."""
        tools = self.ask("tools/list", {})["tools"]
        return len(tools), len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")))

    def call(self, bill: Bill, name: str, given: Mapping[str, Any]) -> str:
        asked = json.dumps({"name": name, "arguments": given}, ensure_ascii=False)
        result = self.ask("tools/call", {"name": name, "arguments": dict(given)})
        answer = "\n".join(each.get("text", "") for each in result["content"])
        bill.add(asked, answer)
        if result.get("isError"):
            raise Failed(f"{name}: {answer[:400]}")
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._errors.close()


# --- mobile-mcp ----------------------------------------------------------------------------------------------

_LISTED = re.compile(r'^@(?P<ref>e\d+) (?P<kind>\w+)(?: text="(?P<text>[^"]*)")?(?: label="(?P<label>[^"]*)")?')
CLICK, TYPE = "mobile_click_on_screen_at_coordinates", "mobile_type_keys"


class MobileAgent:
    """What an agent does with mobile-mcp: reads the list, acts by the refs of it, and reads again."""

    def __init__(self, its: Server, bill: Bill, device: str) -> None:
        self.server, self.bill, self.device = its, bill, device
        self.listed = ""

    def call(self, name: str, **given: Any) -> str:
        return self.server.call(self.bill, name, {"device": self.device, **given})

    def list(self) -> None:
        self.listed = self.call("mobile_list_elements_on_screen")

    def ref(self, label: str, kind: str = "", after: str = "") -> str | None:
        """Of the first such element, behind another text where one is given."""
        passed = not after
        for line in self.listed.splitlines():
            found = _LISTED.match(line)
            if found is None:
                continue
            said = found["text"] or found["label"] or ""
            if passed and said.startswith(label) and found["kind"].endswith(kind):
                return f"@{found['ref']}"
            passed = passed or said == after
        return None

    def wait(self, label: str, kind: str = "", after: str = "") -> str:
        """The ref, with further lists while it is not there. Raises ``Failed``."""
        for _ in range(_LOOKS):
            if (ref := self.ref(label, kind, after)) is not None:
                return ref
            time.sleep(_PAUSE)
            self.list()
        raise Failed(f"{label!r} was not listed:\n{self.listed[:600]}")

    def click(self, label: str, kind: str = "", after: str = "") -> None:
        """A list, then the click."""
        self.list()
        self.call(CLICK, ref=self.wait(label, kind, after))

    def batch(self, *steps: tuple[str, dict[str, Any]]) -> None:
        """Several calls in one, and the list at its end."""
        made = [{"name": name, "arguments": given} for name, given in steps]
        answer = self.call("mobile_batch_commands", steps=made, listElementsAtEnd=True)
        if "failed" in answer:
            raise Failed(answer[:400])
        self.listed = answer


def by_lists(agent: MobileAgent) -> None:
    agent.call("mobile_launch_app", packageName=SHOP)
    for label, text in (("Email", EMAIL), ("Password", PASSWORD)):
        agent.click(label, "EditText")
        agent.call(TYPE, text=text, submit=False)
    agent.click("Sign in", "Button")
    agent.list()
    agent.call(CLICK, ref=agent.wait("Add", "Button", after="Red mug"))
    for label in ("Cart", "Check out", "Place order"):
        agent.click(label, "Button")
    agent.list()
    agent.wait("Place order?")
    agent.call(CLICK, ref=agent.wait("Place order", "Button", after="Place order?"))
    agent.list()
    agent.wait("Order number")


def by_batches(agent: MobileAgent) -> None:
    agent.batch(("mobile_launch_app", {"packageName": SHOP}))
    fields = [(agent.wait("Email", "EditText"), EMAIL), (agent.wait("Password", "EditText"), PASSWORD)]
    typed = [
        step for ref, text in fields for step in ((CLICK, {"ref": ref}), (TYPE, {"text": text, "submit": False}))
    ]
    agent.batch(*typed, (CLICK, {"ref": agent.wait("Sign in", "Button")}))
    add, cart = agent.wait("Add", "Button", after="Red mug"), agent.wait("Cart", "Button")
    agent.batch((CLICK, {"ref": add}), (CLICK, {"ref": cart}))
    agent.batch((CLICK, {"ref": agent.wait("Check out", "Button")}))
    agent.batch((CLICK, {"ref": agent.wait("Place order", "Button")}))
    agent.wait("Place order?")
    agent.batch((CLICK, {"ref": agent.wait("Place order", "Button", after="Place order?")}))
    agent.wait("Order number")


# --- all of them ---------------------------------------------------------------------------------------------


@contextmanager
def phone_behind_adb() -> Iterator[tuple[VirtualPhone, int, str]]:
    """A fresh phone, the port of its adb server, and its URI."""
    phone = VirtualPhone(demo_apps([SHOP]), profile=Profile())
    with start_server(phone, server=True) as its:
        yield phone, its.port, f"adb://127.0.0.1:{its.port}/{phone.profile.serial}"


def orders(phone: VirtualPhone) -> bool:
    """Whether the app has one order, and its confirmation is what the phone shows."""
    state = phone.app_state(SHOP)
    texts = {node.text for window in phone.windows() for node in window.root.walk()}
    return getattr(state, "orders", 0) == 1 and "Order number 1001" in texts


def measured(surface: str, run: Callable[[Bill, Path, VirtualPhone, int, str], None]) -> Bill:
    bill = Bill(surface)
    with tempfile.TemporaryDirectory() as kept, phone_behind_adb() as (phone, port, uri):
        begin = time.monotonic()
        try:
            run(bill, Path(kept), phone, port, uri)
        except Failed as error:
            bill.trouble = " ".join(str(error).split())
        bill.seconds = time.monotonic() - begin
    return bill


def our_clients(batches: bool) -> Bill:
    def run(bill: Bill, folder: Path, phone: VirtualPhone, port: int, uri: str) -> None:
        our_flow(bill, by_clients(bill, folder), uri, lambda: orders(phone), batches=batches)

    return measured(f"replicant, {'steps in batches' if batches else 'a command a step'}", run)


def our_server(batches: bool) -> Bill:
    def run(bill: Bill, folder: Path, phone: VirtualPhone, port: int, uri: str) -> None:
        with closing(Server([sys.executable, "-c", SERVE], folder, environment_in(folder))) as its:
            bill.once = its.definitions()[1]
            our_flow(
                bill, lambda name, given: its.call(bill, name, given), uri, lambda: orders(phone), batches=batches
            )

    return measured(f"replicant mcp, {'steps in batches' if batches else 'a call a step'}", run)


def mobile_mcp(way: Callable[[MobileAgent], None], surface: str, modules: Path) -> Bill:
    def run(bill: Bill, folder: Path, phone: VirtualPhone, port: int, uri: str) -> None:
        program = str(_program(modules, MOBILE_MCP[0], "lib/index.js"))
        with closing(Server(["node", program], folder, _adb(folder, port))) as its:
            bill.once = its.definitions()[1]
            its.call(bill, "mobile_list_available_devices", {})
            way(MobileAgent(its, bill, phone.profile.serial))
        bill.placed = orders(phone)

    return measured(surface, run)


def _program(modules: Path, name: str, path: str) -> Path:
    return modules / "node_modules" / name / path


def _adb(folder: Path, port: int) -> dict[str, str]:
    """Where mobile-mcp looks for adb, which speaks to the phone's own server. It reports nothing to its makers.
    Its helper in Java, which no virtual phone runs, is refused: it would be waited for at each list."""
    binary = adb_binary()
    if binary is None:
        raise Unmeasurable("the adbutils of this platform brings no adb, which mobile-mcp runs")
    tools = folder / "sdk" / "platform-tools"
    tools.mkdir(parents=True)
    adb = tools / "adb"
    adb.write_text(
        f'#!/bin/sh\ncase "$*" in *mobilecli.dex*) exit 1;; esac\nexec {shlex.quote(str(binary))} "$@"\n'
    )
    adb.chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ.get('PATH', '')}"
    own = {"PATH": path, "ANDROID_HOME": str(tools.parent), "MOBILEMCP_DISABLE_TELEMETRY": "1"}
    return {**environment(folder, port), **own}


def fetched(name: str, version: str) -> tuple[Path | None, str]:
    """The folder with its ``node_modules``; None where it cannot be had, and why."""
    if shutil.which("node") is None:
        return None, "no node on PATH"
    if "/" in name:  # the cache has a folder for the scope
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pytest-replicant"
        (cache / name).parent.mkdir(parents=True, exist_ok=True)
    modules, why = package(name, version)
    return (modules, why) if modules is None or modules.is_dir() else (None, f"{name} was not kept")


def agent_device(modules: Path) -> tuple[int, int]:
    with tempfile.TemporaryDirectory() as folder:
        program = str(_program(modules, AGENT_DEVICE[0], "bin/agent-device.mjs"))
        environ = {**os.environ, "HOME": folder, "AGENT_DEVICE_NO_UPDATE_NOTIFIER": "1"}
        with closing(Server(["node", program, "mcp"], Path(folder), environ)) as its:
            return its.definitions()


def measure() -> Table:
    bills = [our_clients(batches=False), our_clients(batches=True)]
    skipped: list[str] = []
    try:
        import mcp  # noqa: F401

        bills += [our_server(batches=False), our_server(batches=True)]
    except ImportError:
        skipped.append("replicant mcp: the extra mcp is not installed")
    modules, why = fetched(*MOBILE_MCP)
    if modules is None:
        skipped.append(f"mobile-mcp: {why}")
    else:
        bills.append(mobile_mcp(by_lists, "mobile-mcp 1.0.4, a list before each action", modules))
        bills.append(mobile_mcp(by_batches, "mobile-mcp 1.0.4, batches and refs", modules))
    modules, why = fetched(*AGENT_DEVICE)
    rows = rows_of(bills)
    if modules is None:
        skipped.append(f"agent-device: {why}")
    else:
        rows.append(("agent-device 0.21.5, definitions only", *["-"] * 5, agent_device(modules)[1], *["-"] * 4))
    note = " ".join(_NOTE.split())
    skips = f" Skipped: {'; '.join(skipped)}." if skipped else ""
    command = "python -m benchmarks exploring"
    return Table("exploring_cost", "One flow, by surface", command, _COLUMNS, tuple(rows), note + skips)


def rows_of(bills: Sequence[Bill]) -> list[tuple[Any, ...]]:
    """A flow that did not come to its end has no figures, and says why."""
    batch = next((one for one in bills if one.surface.endswith("batches and refs") and one.placed), None)
    rows: list[tuple[Any, ...]] = []
    for one in bills:
        if one.trouble or not one.placed:
            rows.append((one.surface, *["-"] * 8, f"no: {one.trouble or 'the app has no order'}", "-"))
            continue
        ratio = percent(one.total, batch.total, 0) if batch is not None else "-"
        rows.append(
            (
                one.surface, one.calls, one.written, one.read, one.total, ratio, one.once, one.checks, one.test,
                "yes", round(one.seconds, 1),
            )
        )  # fmt: skip
    return rows
