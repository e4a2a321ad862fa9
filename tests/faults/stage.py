"""One virtual phone behind an adb server of its own, and a whole run of pytest on it, in this
process."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import pytest_replicant
from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import Latency, PhoneServer, Profile, VirtualPhone, start_server
from tests.conftest import QUICK

from .weak_app import weak_app

SERIAL = "virtual-1"
SPARE = "virtual-2"
PLUGIN = "pytest_replicant.plugin"
LEFT_OUT = (
    "randomly",
    "rerunfailures",
    "cacheprovider",
    "xdist",
    "faulthandler",
    "hypothesispytest",
)


def import_everything() -> None:
    """Once for all: a run inside forgets, at its end, whatever was first imported in it."""
    for module in pkgutil.walk_packages(pytest_replicant.__path__, "pytest_replicant."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


@dataclass
class Stage:
    """``strike`` makes the fault happen, when the test inside calls its fixture ``fault``."""

    folder: Path
    phone: VirtualPhone = field(init=False)
    server: PhoneServer = field(init=False)
    port: int = field(init=False)
    strike: Callable[[], object] = field(init=False, default_factory=lambda: bool)
    undo: list[Callable[[], object]] = field(default_factory=list)

    def open(self) -> None:
        self.phone = VirtualPhone(
            [*demo_apps(()), weak_app()], latency=Latency.from_knobs({"latency": "0"})
        )
        self.server = start_server(self.phone)
        self.port = self.server.port

    def close(self) -> None:
        while self.undo:
            self.undo.pop()()
        self.server.close()

    @property
    def uri(self) -> str:
        return f"adb://127.0.0.1:{self.port}/{SERIAL}"

    @property
    def lease(self) -> str:
        """By which name a run holds the phone."""
        return self.uri

    def boot_ms(self, milliseconds: int) -> None:
        """How long it takes to start."""
        self.phone.latency = replace(self.phone.latency, boot_ms=milliseconds)

    def spare(self) -> str:
        """The URI of a second phone, attached now."""
        other = VirtualPhone(
            demo_apps(()), profile=Profile(serial=SPARE), latency=self.phone.latency
        )
        self.server.attach(other)
        return f"adb://127.0.0.1:{self.port}/{SPARE}"

    def come_back(self) -> None:
        """A new adb server on the port of the one that was killed, with the same phone."""
        self.server.close()
        self.server = start_server(self.phone, port=self.port)

    @pytest.fixture
    def fault(self) -> Callable[[], object]:
        """What the test inside calls where the fault is to happen."""
        return self.strike

    def run(self, pytester: pytest.Pytester, source: str, *options: str) -> pytest.RunResult:
        """Quick waits, a report in ``out``."""
        pytester.makepyfile(test_it=source)
        pytester.makeini(QUICK)
        installed = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
        loaded = [] if installed else ["-p", PLUGIN]
        left_out = [word for name in LEFT_OUT for word in ("-p", f"no:{name}")]
        return pytester.runpytest_inprocess(
            *loaded,
            *left_out,
            f"--replicant-device={self.uri}",
            "--replicant-output=out",
            "--assert=plain",
            *options,
            plugins=[self],
        )
