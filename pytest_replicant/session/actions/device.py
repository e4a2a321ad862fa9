"""Actions on the phone: orientation, permissions, packages and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from ...drivers import Capability, Orientation, PermissionAnswer
from ...errors import ActionFailed, DeviceError, UsageError
from ..arguments import checked_name, checked_seconds, checked_word
from ..execute import device
from ..expectation import Expectation
from ..perform import Performed
from ..postconditions import InFront, Left, LinkOpened, app_in_front
from .base import ActionBase


class AppActions(ActionBase):
    """Starting, stopping, opening links, going to the background.

    An app is named by its package, such as ``dev.replicant.shop``. If none is named, it is the one
    that the session is about (``replicant_app``), else the one that was launched last. One that is
    not installed is a ``UsageError`` that lists near names. What does not bring about what it
    promises fails as NAVIGATION_NO_CHANGE.
    """

    def launch(
        self,
        app: str | None = None,
        *,
        fresh: bool = False,
        args: Sequence[str] = (),
        activity: str | None = None,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Starts the app cold: a running one is stopped first. ``fresh`` clears its data as well,
        permissions included but for those that the run grants. ``activity`` is the part of the app
        to start, such as ``.SettingsActivity``, if the platform has such parts. ``args`` are words
        for Android's ``am start``, such as ``("--es", "user", "ada")``, and on iOS the app's
        arguments. It succeeded when the app has come to the front, within ``timeout`` seconds; a
        permission prompt may lie over it. Raises ``Unsupported``, before anything is sent, if the
        phone clears no data or its apps have no such parts."""
        name = self._context.known_app("launch", app)
        if isinstance(args, str) or not all(isinstance(word, str) for word in args):
            raise UsageError(f"launch(args={args!r}): the arguments are a list of words")
        if fresh:
            self._need("launch(fresh=True)", Capability.CLEAR_DATA)
        if activity is not None:
            self._need("launch(activity=)", Capability.CURRENT_ACTIVITY)
        promise = InFront(self._context, name)
        send = device.launch(promise, fresh=fresh, activity=activity, args=tuple(args))
        try:
            outcome = self._do("launch", name, send, timeout, silent, check=promise.judge)
        except (ActionFailed, DeviceError):
            self._launched(name)  # it may have been started all the same
            raise
        self._launched(name, stopped=False)
        return outcome

    def activate(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Brings the app to the front as it is, starting it where it does not run. It succeeded
        when it is there."""
        name = self._context.known_app("activate", app)
        promise = InFront(self._context, name)
        send = device.activate(promise)
        return self._do("activate", name, send, timeout, silent, check=promise.judge)

    def background(
        self, seconds: float | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Sends the app in front to the background. With ``seconds``, it is left there for that
        long and then brought back to the front, as it was. It succeeded when the app has left, and
        has come back."""
        left = Left(self._context, None)
        if seconds is None:
            return self._do("background", "", device.home(left), timeout, silent, check=left.judge)
        stay = checked_seconds("background", seconds, 0, name="seconds")
        checked_seconds("background", timeout, 0)  # before the phone is asked for the app in front
        front, dialogs = app_in_front(self._context).app, self._context.driver.system_dialogs
        if dialogs.asks(front) and not dialogs.from_home_screen:
            # a permission prompt is an app too, but not the one that can be brought back
            front = self._context.known_app("background", None)
        back = InFront(self._context, front)
        send = device.background(stay, left, back)
        return self._do("background", f"for {stay:g} s", send, timeout, silent, check=back.judge)

    def stop(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Ends the app, if it runs; what it stored stays. Raises ``UsageError`` if it is not
        installed."""
        name = self._context.known_app("stop", app)
        send = device.command(lambda phone: phone.stop(name), ends=name, app=name)
        return self._do("stop", name, send, timeout, silent)

    def clear_data(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Stops the app and forgets everything that it stored. Raises ``Unsupported`` if the phone
        cannot."""
        name = self._context.known_app("clear_data", app)
        self._need("clear_data", Capability.CLEAR_DATA)
        send = device.command(lambda phone: phone.clear_data(name), ends=name, app=name)
        return self._do("clear_data", name, send, timeout, silent)

    def open_url(
        self,
        url: str,
        app: str | None = None,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Opens a link, in the given app if there is a choice. It succeeded when that app is in
        front, or if none is named another app than before, or another screen. A link that no app
        opens is a ``UsageError``."""
        if not isinstance(url, str) or not url or not isinstance(app, (str, type(None))):
            raise UsageError(
                f"open_url({url!r}, {app!r}): a link, and the name of an app where there is a "
                "choice"
            )
        self._need("open_url", Capability.OPEN_URL)
        self._ask_guard(lambda guard: guard.opens(url, app))
        promise = LinkOpened(self._context, app or "")
        send = device.open_url(url, app, promise)
        outcome = self._do("open_url", url, send, timeout, silent, check=promise.judge)
        if promise.arrived:
            self._launched(promise.arrived, named=promise.arrived == app, stopped=False)
        return outcome

    def home(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Shows the home screen. It succeeded when an app that the test started is not in front any
        more."""
        promise = Left(
            self._context, (*self._context.apps.launched, *filter(None, [self._context.app]))
        )
        return self._do("home", "", device.home(promise), timeout, silent, check=promise.judge)

    def _launched(self, app: str, *, named: bool = True, **became: bool) -> None:
        """Not ``named``: a link led there, to its own app or to whichever is the user's browser."""
        context = self._context
        if named or app not in context.apps.launched:
            context.note_app(app, led_to=not named)
        context.note_app(app, launched=False)
        context.note_app(app, launched=True, **became)  # the newest is the last


class Pulled(Expectation):
    """The outcome of ``pull_file``; ``data`` is the content."""

    def __init__(self, done: Performed, data: bytes) -> None:
        super().__init__(done)
        self.data = data


class DeviceActions(ActionBase):
    """Rotation, permissions, packages and files. What they change is put back when the session
    ends, packages and files apart. Each raises ``Unsupported``, before anything is sent, if the
    phone cannot."""

    def rotate(
        self, orientation: Orientation, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Turns the screen: "portrait", "landscape", "reverse_portrait" or "reverse_landscape". It
        succeeded when it is that way up. An app that does not let it is a ``UsageError``."""
        checked_word("rotate", orientation, get_args(Orientation), "orientation")
        self._need("rotate", Capability.ROTATE)
        send, check = device.rotate(orientation), device.turned(orientation)
        return self._do("rotate", orientation, send, timeout, silent, check=check)

    def answer_permission(
        self, answer: PermissionAnswer, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Answers the system's permission prompt, once it is up: "allow" (for as long as the app is
        used, if that is the most it offers), "allow_once" or "deny". It succeeded when that prompt
        is gone; fails as ELEMENT_NOT_FOUND if none comes up within ``timeout`` seconds, or it
        offers no such answer."""
        checked_word("answer_permission", answer, get_args(PermissionAnswer), "answer")
        if not self._context.driver.system_dialogs.permission_buttons:
            # to answer takes no power to grant
            self._need("answer_permission", Capability.PERMISSIONS)
        prompt = device.Prompt(answer)
        return self._do(
            "answer_permission", answer, prompt.send, timeout, silent, check=prompt.judge
        )

    def set_permission(
        self,
        permission: str,
        granted: bool,
        app: str | None = None,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Grants a permission such as "camera", or takes it away, without a prompt. Taking one away
        may end the app. A name that the phone does not know, or the app does not ask for, is a
        ``UsageError``."""
        name = self._context.known_app("set_permission", app)
        checked_name(
            permission, f'set_permission({permission!r}): name the permission, such as "camera"'
        )
        if not isinstance(granted, bool):
            raise UsageError(
                f"set_permission({permission!r}, {granted!r}): granted is True or False; the app "
                "comes last"
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

    def install(
        self, path: str | Path, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Installs a package from this computer; an app that is there is updated and keeps its
        data. A file that is no package, or that the phone refuses, is a ``UsageError`` with the
        phone's reason."""
        local = _local_file("install", path)
        self._need("install", Capability.INSTALL)
        self._ask_guard(lambda guard: guard.names("install", local.name))
        size = local.stat().st_size
        send = device.command(lambda phone: phone.install(local), path=local.name, bytes=size)
        return self._do("install", local.name, send, timeout, silent)

    def uninstall(
        self, app: str, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Removes an app and its data; it has to be named. One that is not installed is a
        ``UsageError``."""
        checked_name(
            app, f'uninstall({app!r}): name the app, as in uninstall("dev.replicant.shop")'
        )
        self._need("uninstall", Capability.INSTALL)
        self._ask_guard(lambda guard: guard.names("uninstall", app))
        send = device.command(lambda phone: phone.uninstall(app), ends=app, app=app)
        outcome = self._do("uninstall", app, send, timeout, silent)
        self._context.note_app(app, removed=True, launched=False)
        return outcome

    def push_file(
        self,
        local: str | Path | bytes,
        remote: str,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Copies a file of this computer, or bytes, to that path on the phone, an absolute one with
        the file's name, replacing a file that is there."""
        source = local if isinstance(local, bytes) else _local_file("push_file", local)
        goal = _remote("push_file", remote)
        self._need("push_file", Capability.FILES)
        self._ask_guard(lambda guard: guard.names("push_file", ""))
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        send = device.command(lambda phone: phone.push_file(source, goal), remote=goal, bytes=size)
        return self._do("push_file", goal, send, timeout, silent)

    def pull_file(
        self, remote: str, local: str | Path | None = None, *, timeout: float | None = None
    ) -> Pulled:
        """Copies a file of the phone: its content is the outcome's ``data``, as bytes, and is
        written to ``local`` if that is given. The screen is not read for it. Raises ``UsageError``
        if there is no such file."""
        source = _remote("pull_file", remote)
        if local is not None and (not isinstance(local, (str, Path)) or Path(local).is_dir()):
            raise UsageError(f"pull_file(local={local!r}): the path of a file to write")
        self._need("pull_file", Capability.FILES)
        content = bytearray()
        send = device.pull_file(source, content)
        outcome = self._do("pull_file", source, send, timeout, True)
        if local is not None:
            Path(local).write_bytes(content)
        return Pulled(outcome._done, bytes(content))


def _local_file(verb: str, path: str | Path) -> Path:
    local = Path(path)
    if not local.is_file():
        raise UsageError(
            f"{verb}({str(path)!r}): there is no such file on this computer ({local.absolute()})"
        )
    return local


def _remote(verb: str, path: str) -> str:
    if not path.startswith("/") or path.endswith("/"):
        raise UsageError(
            f'{verb}({path!r}): the path of a file on the phone, as in "/sdcard/Download/a.txt"'
        )
    return path
