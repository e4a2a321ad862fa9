"""Drivers of which each breaks some promises of apps, of the phone, and of the end, on whichever platform."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from pytest_replicant.drivers import Appearance, AppInFront, AppStatus, Capability, ShellOutput
from pytest_replicant.errors import DeviceTimeout, Unsupported, UsageError

from .broken_drivers import Sound
from .phones import SHOP


class Blind(Sound):
    """Takes whatever it started for what is in front."""

    _app = ""

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        self._app = app

    def app_in_front(self) -> AppInFront:
        return AppInFront(self._app)

    def app_status(self, app: str) -> AppStatus:
        return "background"


class Once(Sound):
    """Cannot start what runs."""

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        if super().app_in_front().app == app:
            raise RuntimeError("it runs already")
        super().launch(app, activity, args)


class Restless(Sound):
    """Restarts everything."""

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        self.stop(app)
        super().launch(app, activity, args)


class Undying(Sound):
    """Says that it ended an app."""

    def stop(self, app: str) -> None:
        return None

    def clear_data(self, app: str) -> None:
        return None


class Lost(Sound):
    """Opens no link, and knows no activity."""

    def open_url(self, url: str, app: str | None) -> None:
        return None

    def app_in_front(self) -> AppInFront:
        return AppInFront(super().app_in_front().app)


class Haunted(Sound):
    """Sees toasts that are gone, and a log without a line."""

    def last_toast(self) -> str | None:
        return "boo"

    def logs(self, since: object = None, buffers: Sequence[str] = ()) -> list[str]:
        return []


class Patient(Sound):
    """Reports a time-out as a result, and every other result as none."""

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        with suppress(DeviceTimeout):
            super().shell(command, timeout)
        return ShellOutput("", "", 0)


class Gullible(Sound):
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


class Half(Sound):
    """Grants the first half of what was asked for, brings half of a file."""

    def permissions(self, app: str) -> Mapping[str, bool]:
        return dict.fromkeys(super().permissions(app), True)

    def pull_file(self, remote: str) -> bytes:
        try:
            whole = super().pull_file(remote)
        except UsageError:
            return b""
        return whole[: 1 << 16]


class Clinging(Sound):
    """Cannot let go twice."""

    gone = False

    def close(self) -> None:
        if self.gone:
            raise RuntimeError("closed already")
        self.gone = True
        super().close()


class Undead(Sound):
    """Goes on after it was closed."""

    def close(self) -> None:
        return None


class Busy(Sound):
    """Leaves a thread behind."""

    def close(self) -> None:
        threading.Thread(target=partial(threading.Event().wait, 10.0), daemon=True).start()
        super().close()


class Possessive(Sound):
    """Leaves the phone to no other."""

    def close(self) -> None:
        super().close()
        setattr(type(self), "dump_hierarchy", _refused)  # noqa: B010 - a type checker knows better


class Jealous(Sound):
    """Takes the app along when it goes."""

    gone = False

    def close(self) -> None:
        if not self.gone:
            self.gone = True
            self.stop(SHOP)
        super().close()


class Amnesiac(Sound):
    """Takes hold again, and begins again."""

    def reconnect(self, timeout: float) -> None:
        super().reconnect(timeout)
        self.stop(SHOP)
        self.launch(SHOP, None, ())


class Parted(Sound):
    """Lets go, and does not take hold again."""

    def reconnect(self, timeout: float) -> None:
        self.close()


def _refused(driver: object) -> bytes:
    raise RuntimeError("somebody else's")


class Silent(Sound):
    """Does nothing where it can do nothing, and says nothing of it."""

    def last_toast(self) -> str | None:
        return None

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        return ShellOutput("", "", 0)

    def logs(self, since: object = None, buffers: Sequence[str] = ()) -> list[str]:
        return []

    def clear_data(self, app: str) -> None:
        return None

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        super().launch(app, None, args)

    def permissions(self, app: str) -> Mapping[str, bool]:
        return {}

    def installed(self, app: str) -> bool:
        return False

    def push_file(self, local: str | Path | bytes, remote: str) -> None:
        return None

    def pids(self, app: str) -> tuple[int, ...]:
        return ()


class Hurried(Sound):
    """Says at once what takes a while to know, and does half of it."""

    def cold_start(
        self, app: str, activity: str | None, args: Sequence[str], *, fresh: bool, ended: Callable[..., object]
    ) -> AppInFront | None:
        return AppInFront(app)

    def replace_text(self, text: str) -> None:
        self.type_text(text)

    def is_drawn(self, front: AppInFront) -> bool:
        return False

    def is_locked(self) -> bool:
        return True

    def appearance(self) -> Appearance:
        return Appearance("en_GB")


class Misnamed(Sound):
    """Says that it lacks something else."""

    @property
    def capabilities(self) -> Capability:
        return super().capabilities & ~Capability.SHELL

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        raise Unsupported("there is no log", capability="logs")


class Leaving(Sound):
    """Says what it lacks, on the home screen."""

    @property
    def capabilities(self) -> Capability:
        return super().capabilities & ~Capability.SHELL

    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        self.press_key("home")
        raise Unsupported("there is no shell", capability="shell")
