"""The check of the drivers' contract: a good driver passes, and each broken promise is found and named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from pytest_replicant.drivers.android.driver import AndroidDriver
from pytest_replicant.drivers.base import (
    AppInFront,
    Capability,
    CrashLog,
    LogMark,
    Orientation,
    ShellOutput,
    SystemDialogs,
)
from pytest_replicant.errors import DeviceTimeout, UsageError
from pytest_replicant.model.geometry import Point, Rect
from pytest_replicant.pool.open import OpenDevice, open_device
from pytest_replicant.testing.check_driver import CLAUSES, Clause, DriverCheckFailed, check_driver

from .packages import camera_app

SHOP = "dev.replicant.shop"


class Mute(AndroidDriver):
    """Gives no screen where it cannot read one."""

    def dump_hierarchy(self) -> bytes:
        return b""


class Careless(AndroidDriver):
    """Types through a shell word."""

    def type_text(self, text: str) -> None:
        super().type_text(text.replace("'", ""))


class Hasty(AndroidDriver):
    """Says that it touched, wherever it was."""

    def tap(self, point: Point) -> None:
        if point.x >= 0 and point.x < self.info.width:
            super().tap(point)


class Blind(AndroidDriver):
    """Takes whatever it started for what is in front."""

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        self._app = app

    def app_in_front(self) -> AppInFront:
        return AppInFront(self._app)


class Patient(AndroidDriver):
    """Reports a time-out as a result."""

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        try:
            return super().shell(command, timeout)
        except DeviceTimeout:
            return ShellOutput("", "", 0)


class Boastful(AndroidDriver):
    """Denies an ability and does it all the same."""

    @property
    def capabilities(self) -> Capability:
        return super().capabilities & ~Capability.TOASTS


class Clinging(AndroidDriver):
    """Cannot let go twice."""

    def close(self) -> None:
        if self._link._closed:
            raise RuntimeError("closed already")
        super().close()


class Wordless(AndroidDriver):
    """Knows who asks for a permission, and not how to answer."""

    @property
    def system_dialogs(self) -> SystemDialogs:
        known = super().system_dialogs
        return SystemDialogs(known.permission_packages, packages=known.packages)


class Forgetful(AndroidDriver):
    """Gives the whole log, whatever it was asked for."""

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        return super().logs(None, buffers)

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        return super().crashes(None, app)


class Obituary(AndroidDriver):
    """Takes for a crash what was stopped, and gives the dead a process."""

    def stop(self, app: str) -> None:
        pid = self.pids(app)[0]
        super().stop(app)
        self.shell(["log", "-t", "ActivityManager", f"Process {app} (pid {pid}) has died: fg  TOP"], 5.0)

    def pids(self, app: str) -> tuple[int, ...]:
        return super().pids(app) or (1,)


class Restless(AndroidDriver):
    """Starts everything anew."""

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        self.stop(app)
        super().launch(app, activity, args)


class Stiff(AndroidDriver):
    """Says that it turned, whatever it was asked for."""

    def rotate(self, orientation: Orientation) -> None:
        return None


class Messy(AndroidDriver):
    """Leaves everything as it is, and is surprised by it."""

    def restore_settings(self) -> None:
        if not self._changes._put_back:
            raise RuntimeError("nothing to put back")


class Nervous(AndroidDriver):
    """Sends the screen to sleep once it is awake."""

    def wake(self) -> None:
        raise RuntimeError("it is awake")


class Clumsy(AndroidDriver):
    """Two fingers that do whatever they were asked to, or nothing at all."""

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        if scale >= 1.5:
            raise UsageError("too far")


class Gullible(AndroidDriver):
    """Believes that everything was done."""

    def installed(self, app: str) -> bool:
        return True

    def install(self, path: str | Path) -> None:
        return None

    def uninstall(self, app: str) -> None:
        return None

    def set_permission(self, app: str, permission: str, granted: bool) -> None:
        return None

    def push_file(self, local: str | Path | bytes, remote: str) -> None:
        return None


class Half(AndroidDriver):
    """Grants the first half of what was asked for, brings half of a file."""

    def permissions(self, app: str) -> Mapping[str, bool]:
        return dict.fromkeys(super().permissions(app), True)

    def pull_file(self, remote: str) -> bytes:
        try:
            whole = super().pull_file(remote)
        except UsageError:
            return b""
        return whole[: 1 << 16]


class Broken(AndroidDriver):
    """Lets go, and does not take hold again."""

    def reconnect(self, timeout: float) -> None:
        self.close()


@pytest.fixture(scope="module")
def device() -> Iterator[OpenDevice]:
    with open_device("virtual?latency=0") as opened:
        yield opened


@pytest.fixture
def email(device: OpenDevice) -> Point:
    """Where the shop's first field is."""
    device.driver.clear_data(SHOP)
    device.driver.launch(SHOP, None, ())
    assert device.phone is not None
    nodes = [node for window in device.phone.windows() for node in window.root.walk()]
    return next(node.bounds.center for node in nodes if node.resource_id == f"{SHOP}:id/email")


def check(
    device: OpenDevice, kind: type[AndroidDriver], text_field: Point, clauses: Sequence[Clause], folder: Path
) -> None:
    serial = device.driver.info.serial

    def connect() -> AndroidDriver:
        return kind.connect(*device.address, serial, uri=device.uri)

    package = camera_app(folder)
    check_driver(connect, app=SHOP, text_field=text_field, patience=0.2, installable=package, clauses=clauses)


@pytest.mark.slow
def test_our_own_driver_keeps_the_contract(device: OpenDevice, email: Point, tmp_path: Path) -> None:
    check(device, AndroidDriver, email, CLAUSES, tmp_path)


@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        (Mute, "hierarchy"),
        (Careless, "type"),
        (Hasty, "touch-outside"),
        (Blind, "launch-absent"),
        (Patient, "shell-limit"),
        (Boastful, "unsupported"),
        (Clinging, "close-twice"),
        (Wordless, "system-dialogs"),
        (Forgetful, "log-mark"),
        (Forgetful, "crashes"),
        (Obituary, "stop-is-no-crash"),
        (Obituary, "pids"),
        (Obituary, "pids-absent"),
        (Restless, "launch-behind"),
        (Stiff, "rotate"),
        (Stiff, "rotate-unknown"),
        (Messy, "restore"),
        (Messy, "restore-nothing"),
        (Nervous, "wake"),
        (Clumsy, "pinch"),
        (Clumsy, "pinch-nothing"),
        (Gullible, "installed"),
        (Gullible, "install-nothing"),
        (Gullible, "uninstall-absent"),
        (Gullible, "install"),
        (Gullible, "permission-unknown"),
        (Half, "permissions"),
        (Half, "files"),
        (Half, "files-absent"),
        (Gullible, "files-nowhere"),
        (Broken, "reconnect"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else value,
)
def test_a_broken_promise_is_named(
    device: OpenDevice, email: Point, kind: type[AndroidDriver], clause: str, tmp_path: Path
) -> None:
    asked = [each for each in CLAUSES if each.name == clause]
    with pytest.raises(DriverCheckFailed) as failed:
        check(device, kind, email, asked, tmp_path)
    assert [broken.clause for broken in failed.value.broken] == asked
    assert f"breaks 1 of 1 clauses of the contract:\n  {clause}: {asked[0].claim}" in str(failed.value)


def test_clauses_have_names_of_their_own() -> None:
    names = [clause.name for clause in CLAUSES]
    assert len(set(names)) == len(names)
