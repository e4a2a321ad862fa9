"""Actions on whole apps."""

from __future__ import annotations

from collections.abc import Sequence

from ...drivers import Capability
from ...errors import ActionFailed, DeviceError, UsageError
from ..arguments import checked_seconds
from ..execute import device
from ..expectation import Expectation
from ..postconditions import InFront, Left, LinkOpened, app_in_front
from .base import ActionBase


class AppActions(ActionBase):
    """Starting, stopping, opening links, going to the background.

    An app is named by its package, such as ``dev.replicant.shop``. If none is named, it is the one that the
    session is about (``replicant_app``), else the one that was launched last. One that is not installed is a
    ``UsageError`` that lists near names. What does not bring about what it promises fails as NAVIGATION_NO_CHANGE.
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
        """Starts the app cold: a running one is stopped first. ``fresh`` clears its data as well, permissions
        included but for those that the run grants. ``activity`` is the part of the app to start, such as
        ``.SettingsActivity``, if the platform has such parts. ``args`` are words for Android's ``am start``,
        such as ``("--es", "user", "ada")``, and on iOS the app's arguments. It succeeded when the app has come to
        the front, within ``timeout`` seconds; a permission prompt may lie over it. Raises ``Unsupported``, before
        anything is sent, if the phone clears no data or its apps have no such parts."""
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
            self._note_launch(name)  # it may have been started all the same
            raise
        self._launched(name)
        return outcome

    def activate(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Brings the app to the front as it is, starting it where it does not run. It succeeded when it is
        there."""
        name = self._context.known_app("activate", app)
        promise = InFront(self._context, name)
        send = device.activate(promise)
        return self._do("activate", name, send, timeout, silent, check=promise.judge)

    def background(
        self, seconds: float | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Sends the app in front to the background. With ``seconds``, it is left there for that long and then
        brought back to the front, as it was. It succeeded when the app has left, and has come back."""
        left = Left(self._context, None)
        if seconds is None:
            return self._do("background", "", device.home(left), timeout, silent, check=left.judge)
        stay = checked_seconds("background", seconds, 0, name="seconds")
        checked_seconds("background", timeout, 0)  # before the phone is asked for the app in front
        back = InFront(self._context, self._app_in_front())
        send = device.background(stay, left, back)
        return self._do("background", f"for {stay:g} s", send, timeout, silent, check=back.judge)

    def stop(self, app: str | None = None, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Ends the app, if it runs; what it stored stays. Raises ``UsageError`` if it is not installed."""
        name = self._context.known_app("stop", app)
        send = device.command(lambda phone: phone.stop(name), ends=name, app=name)
        return self._do("stop", name, send, timeout, silent)

    def clear_data(
        self, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Stops the app and forgets everything that it stored. Raises ``Unsupported`` if the phone cannot."""
        name = self._context.known_app("clear_data", app)
        self._need("clear_data", Capability.CLEAR_DATA)
        send = device.command(lambda phone: phone.clear_data(name), ends=name, app=name)
        return self._do("clear_data", name, send, timeout, silent)

    def open_url(
        self, url: str, app: str | None = None, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Opens a link, in the given app if there is a choice. It succeeded when that app is in front, or
        if none is named another app than before, or another screen. A link that no app opens is a
        ``UsageError``."""
        if not isinstance(url, str) or not url or not isinstance(app, (str, type(None))):
            raise UsageError(f"open_url({url!r}, {app!r}): a link, and the name of an app where there is a choice")
        self._need("open_url", Capability.OPEN_URL)
        self._ask_guard(lambda guard: guard.opens(url, app))
        promise = LinkOpened(self._context, app or "")
        send = device.open_url(url, app, promise)
        try:
            outcome = self._do("open_url", url, send, timeout, silent, check=promise.judge)
        except DeviceError:
            came = promise.newly_foreground(excluding=self._context.launched)
            if came:
                self._launched(came, named=came == app)  # it was opened, though its screen could not be read
            raise
        if promise.arrived:
            self._launched(promise.arrived, named=promise.arrived == app)
        return outcome

    def home(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Shows the home screen. It succeeded when an app that the test started is not in front any more."""
        promise = Left(self._context, (*self._context.launched, *filter(None, [self._context.app])))
        return self._do("home", "", device.home(promise), timeout, silent, check=promise.judge)

    def _app_in_front(self) -> str:
        """A permission prompt is an app too, but not the one that can be brought back."""
        front, dialogs = app_in_front(self._context).app, self._context.driver.system_dialogs
        if dialogs.asks(front) and not dialogs.from_home_screen:
            return self._context.known_app("background", None)
        return front

    def _launched(self, app: str, *, named: bool = True) -> None:
        self._note_launch(app, named=named)
        self._context.stopped.discard(app)

    def _note_launch(self, app: str, *, named: bool = True) -> None:
        """Not ``named``: a link led there, to its own app or to whichever is the user's browser."""
        launched, led_to = self._context.launched, self._context.led_to
        if named:
            led_to.discard(app)
        elif app not in launched:
            led_to.add(app)
        if app in launched:
            launched.remove(app)
        launched.append(app)
