"""Where the flows run: a session in this process on a clock without waits; and pytest runs of what
was saved (``-p benchmarks.exploring_apps``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pytest_replicant.drivers import Platform
from pytest_replicant.exploring.commands import OpenSession, Phone
from pytest_replicant.exploring.explorer import Explorer
from pytest_replicant.exploring.process.turns import Request
from pytest_replicant.pool import demo_apps
from pytest_replicant.session import DeviceSession, Guard
from pytest_replicant.testing import SharedClock, VirtualDevice, virtual_device
from pytest_replicant.virtual import App

from .broken_runs.bank_app import bank
from .exploring_flows import BANK, LAB, SECRETS, SHOP
from .processes import run_pytest

_OUTCOME = re.compile(r"(?P<kind>PASSED|FAILED|ERROR) \S+::(?P<test>\S+)")
_THINKS = 0.5  # seconds on the phone's clock before each command; an agent takes longer
MAKES: Mapping[str, Callable[[], App[Any]]] = {
    SHOP: lambda: demo_apps([SHOP])[0],
    LAB: lambda: demo_apps([LAB])[0],
    BANK: bank,
}


class Inside:
    """A session in this process, each command handled as the process of a session handles it."""

    def __init__(self, app: str, platform: Platform, folder: Path) -> None:
        self.app, self.platform, self.folder = app, platform, folder
        self._open = ExitStack()
        guard = Guard.of(["on"], {app})
        self.explorer = Explorer(self._session(guard), app, lambda: self._session(guard))
        self.handler = OpenSession(
            self.explorer,
            Phone("flows", "virtual", app, platform, "data cleared", fresh_in_test=True),
            guard,
        )

    def _session(self, guard: Guard) -> DeviceSession:
        self._open.close()
        device = virtual_device(MAKES[self.app](), platform=self.platform, clock=SharedClock())
        self.device: VirtualDevice = self._open.enter_context(device)
        session = self._open.enter_context(self.device.session(screenshots=False, guard=guard))
        session.launch(self.app)
        return session

    def run(self, *argv: str) -> tuple[str, int]:
        env = {name: text for name, text in SECRETS.items() if any(name in each for each in argv)}
        self.device.clock.sleep(_THINKS)
        answer = self.handler.handle(Request(argv, str(self.folder), None, env))
        return answer.out + answer.err, answer.code

    @property
    def state(self) -> Any:
        return self.device.phone.app_state(self.app)

    def close(self) -> None:
        self._open.close()


def run_saved(folder: Path, platform: Platform) -> dict[str, str]:
    """Outcome of each saved test, by its name: "passed" or the line that says why not. A process of
    its own."""
    options = [
        "-rA", "-n0", "--no-header", "--color=no", "--tb=no", "-p", "benchmarks.exploring_apps",
        "--replicant-trace=off", "--replicant-screenshot=off",
        f"--replicant-device=virtual:{platform}", f"--rootdir={folder}", ".",
    ]  # fmt: skip
    done = run_pytest(*options, cwd=folder, environment={"COLUMNS": "300", **SECRETS})
    if done.returncode not in (0, 1):
        raise RuntimeError(
            f"pytest ended with {done.returncode}: {(done.stdout + done.stderr)[-600:]}"
        )
    outcomes: dict[str, str] = {}
    for line in done.stdout.splitlines():
        if found := _OUTCOME.match(line):
            passed = found["kind"] == "PASSED" and outcomes.get(found["test"], "passed") == "passed"
            outcomes[found["test"]] = "passed" if passed else line
    return outcomes
