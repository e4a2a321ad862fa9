"""A link to a phone that answers as it is reported to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, cast

from pytest_replicant.drivers import AndroidDriver, DeviceInfo, Ended
from pytest_replicant.drivers.base_driver import Exchanges, Sent
from pytest_replicant.model import ManualClock

APP = "com.example.shop"


class Phone:
    """A link to a phone that answers commands by how they begin, and everything else with
    nothing."""

    serial = "R5CT"
    calls = 0

    def __init__(self, **answers: Ended | str) -> None:
        self._answers = answers
        self.clock = ManualClock()
        self.sent = Sent()
        self.exchanges = Exchanges(self.clock)
        self.commands: list[str] = []
        self.pushed: list[str] = []
        self.screens: list[dict[str, int]] = []
        self.gesture: list[Any] = []

    def run(self, command: str | Sequence[str], seconds: float = 20.0) -> Ended:
        line = command if isinstance(command, str) else " ".join(command)
        self.commands.append(line)
        for beginning, answer in self._answers.items():
            if line.startswith(beginning.replace("_", " ")):
                return answer if isinstance(answer, Ended) else Ended(answer.encode(), b"", 0)
        return Ended(b"", b"", 0)

    ask = run

    def read(self, method: str, *params: object) -> object:
        return self.screens.pop(0) if len(self.screens) > 1 else self.screens[0]

    def send(self, method: str, *params: object, seconds: float) -> object:
        self.gesture = [method, *params]
        return True

    def push(self, source: object, remote: str, doing: str = "") -> None:
        self.pushed.append(remote)

    def pull(self, remote: str) -> NoReturn:
        raise AssertionError("this phone gives no file away")

    @property
    def driver(self) -> AndroidDriver:
        info = DeviceInfo(self.serial, "android", "Pixel 7", "14", 1080, 2400, 2.6)
        return AndroidDriver(cast(Any, self), f"android:{self.serial}", info)
