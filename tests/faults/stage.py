"""One virtual phone behind an adb server of its own, and a whole run of pytest on it, in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import pytest_replicant.drivers.android.driver  # noqa: F401 - each run inside would import it anew
import pytest_replicant.plugin  # noqa: F401
from pytest_replicant.pool.demo_apps import demo_apps
from pytest_replicant.virtual.device.phone import VirtualPhone
from pytest_replicant.virtual.profile import Latency
from pytest_replicant.virtual.serve import PhoneServer, start_server
from tests.conftest import QUICK

from .weak_app import weak_app

SERIAL = "virtual-1"
PLUGIN = "pytest_replicant.plugin"
LEFT_OUT = ("randomly", "rerunfailures", "cacheprovider", "xdist", "faulthandler")


@dataclass
class Stage:
    """``strike`` makes the fault happen, when the test inside calls its fixture ``fault``."""

    folder: Path
    boot_ms: int = 0
    phone: VirtualPhone = field(init=False)
    server: PhoneServer = field(init=False)
    port: int = field(init=False)
    strike: Callable[[], object] = field(init=False, default=lambda: None)

    undo: list[Callable[[], object]] = field(default_factory=list)

    def open(self) -> None:
        latency = Latency(**{**dict.fromkeys(Latency.__dataclass_fields__, 0), "boot_ms": self.boot_ms})
        self.phone = VirtualPhone([*demo_apps(()), weak_app()], latency=latency)
        self.server = start_server(self.phone)
        self.port = self.server.port

    def close(self) -> None:
        while self.undo:
            self.undo.pop()()
        self.server.close()

    @property
    def uri(self) -> str:
        return f"adb://127.0.0.1:{self.port}/{SERIAL}"

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
            *options,
            plugins=[self],
        )
