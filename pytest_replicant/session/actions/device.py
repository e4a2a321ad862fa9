"""Actions on the phone: orientation, permissions, packages and files."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from ...drivers import Capability, Orientation, PermissionAnswer
from ...errors import UsageError, did_you_mean
from ..execute import device
from ..expectation import Expectation
from ..perform import Performed
from ..step import SessionContext
from .base import ActionBase


class Pulled(Expectation):
    """The outcome of ``pull_file``; ``data`` is the content."""

    def __init__(self, context: SessionContext, done: Performed, data: bytes) -> None:
        super().__init__(context, done)
        self.data = data


class DeviceActions(ActionBase):
    """Rotation, permissions, packages and files. What they change is put back when the session ends, packages and
    files apart. Each raises ``Unsupported``, before anything is sent, if the phone cannot."""

    def rotate(
        self, orientation: Orientation, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Turns the screen: "portrait", "landscape", "reverse_portrait" or "reverse_landscape". It succeeded when
        it is that way up. An app that does not let it is a ``UsageError``."""
        _one_of("rotate", orientation, get_args(Orientation), "orientation")
        self._need("rotate", Capability.ROTATE)
        send, check = device.rotate(orientation), device.turned(orientation)
        return self._do("rotate", orientation, send, timeout, silent, check=check)

    def answer_permission(
        self, answer: PermissionAnswer, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Answers the system's permission prompt, once it is up: "allow" (for as long as the app is used, if
        that is the most it offers), "allow_once" or "deny". It succeeded when that prompt is gone; fails as
        ELEMENT_NOT_FOUND if none comes up within ``timeout`` seconds, or it offers no such answer."""
        _one_of("answer_permission", answer, get_args(PermissionAnswer), "answer")
        if not self._context.driver.system_dialogs.permission_buttons:  # to answer takes no power to grant
            self._need("answer_permission", Capability.PERMISSIONS)
        prompt = device.Prompt(answer)
        return self._do("answer_permission", answer, prompt.send, timeout, silent, check=prompt.judge)

    def set_permission(
        self,
        permission: str,
        granted: bool,
        app: str | None = None,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Grants a permission such as "camera", or takes it away, without a prompt. Taking one away may end the
        app. A name that the phone does not know, or the app does not ask for, is a ``UsageError``."""
        name = self._context.known_app("set_permission", app)
        if not isinstance(permission, str) or not permission:
            raise UsageError(f'set_permission({permission!r}): name the permission, such as "camera"')
        if not isinstance(granted, bool):
            raise UsageError(
                f"set_permission({permission!r}, {granted!r}): granted is True or False; the app comes last"
            )
        self._need("set_permission", Capability.PERMISSIONS)
        title = f"{permission} {'granted' if granted else 'denied'} for {name}"
        send = device.command(
            lambda phone: phone.set_permission(name, permission, granted),
            ends="" if granted else name,  # the platform may end it
            app=name,
            permission=permission,
            granted=granted,
        )
        return self._do("set_permission", title, send, timeout, silent)

    def install(self, path: str | Path, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Installs a package from this computer; an app that is there is updated and keeps its data. A file
        that is no package, or that the phone refuses, is a ``UsageError`` with the phone's reason."""
        local = _local_file("install", path)
        self._need("install", Capability.INSTALL)
        self._ask_guard(lambda guard: guard.names("install", local.name))
        size = local.stat().st_size
        send = device.command(lambda phone: phone.install(local), path=local.name, bytes=size)
        return self._do("install", local.name, send, timeout, silent)

    def uninstall(self, app: str, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Removes an app and its data; it has to be named. One that is not installed is a ``UsageError``."""
        if not isinstance(app, str) or not app:
            raise UsageError(f'uninstall({app!r}): name the app, as in uninstall("dev.replicant.shop")')
        self._need("uninstall", Capability.INSTALL)
        self._ask_guard(lambda guard: guard.names("uninstall", app))
        send = device.command(lambda phone: phone.uninstall(app), ends=app, app=app)
        outcome = self._do("uninstall", app, send, timeout, silent)
        self._context.removed.add(app)
        if app in self._context.launched:
            self._context.launched.remove(app)
        return outcome

    def push_file(
        self, local: str | Path | bytes, remote: str, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Copies a file of this computer, or bytes, to that path on the phone, an absolute one with the file's
        name, replacing a file that is there."""
        source = local if isinstance(local, bytes) else _local_file("push_file", local)
        goal = _remote("push_file", remote)
        self._need("push_file", Capability.FILES)
        self._ask_guard(lambda guard: guard.names("push_file", ""))
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        send = device.command(lambda phone: phone.push_file(source, goal), remote=goal, bytes=size)
        return self._do("push_file", goal, send, timeout, silent)

    def pull_file(self, remote: str, local: str | Path | None = None, *, timeout: float | None = None) -> Pulled:
        """Copies a file of the phone: its content is the outcome's ``data``, as bytes, and is written to ``local``
        if that is given. The screen is not read for it. Raises ``UsageError`` if there is no such file."""
        source = _remote("pull_file", remote)
        if local is not None and (not isinstance(local, (str, Path)) or Path(local).is_dir()):
            raise UsageError(f"pull_file(local={local!r}): the path of a file to write")
        self._need("pull_file", Capability.FILES)
        content = bytearray()
        send = device.pull_file(source, content)
        outcome = self._do("pull_file", source, send, timeout, True)
        if local is not None:
            Path(local).write_bytes(content)
        return Pulled(self._context, outcome._done, bytes(content))


def _one_of(verb: str, given: object, known: tuple[str, ...], what: str) -> None:
    if given not in known:
        there_are = ", ".join(f'"{name}"' for name in known)
        meant = did_you_mean(str(given), known, form='"{}"')
        raise UsageError(f"{verb}({given!r}): no such {what}.{meant} There are: {there_are}")


def _local_file(verb: str, path: object) -> Path:
    if not isinstance(path, (str, Path)) or not str(path):
        raise UsageError(f"{verb}({path!r}): give the path of a file on this computer")
    local = Path(path)
    if not local.is_file():
        raise UsageError(f"{verb}({str(path)!r}): there is no such file on this computer ({local.absolute()})")
    return local


def _remote(verb: str, path: object) -> str:
    if not isinstance(path, str) or not path.startswith("/") or path.endswith("/"):
        raise UsageError(f'{verb}({path!r}): the path of a file on the phone, as in "/sdcard/Download/a.txt"')
    return path
