"""The link to WebDriverAgent: every request of the driver's roles goes through here, once, bounded
as a whole: in time, and in the size of its answer. What the WebDriverAgent at hand has, its
``Release`` knows.

Of facebook-wda only the connection is used. What it builds on that is not fit for a test that has
to know what happened:

- it bounds each read of a socket alone, so that an answer that trickles would never end, and holds
  a lock for the host meanwhile, so that every later request would wait for that one
- its ``tap`` is sent a second time, to another address, after any error at all
- its callbacks open a new session after a lost one and send again what was sent, without the limit
  it had
- its element calls wait, 30 s by default, and ask every 0.5 s; waiting is the session's business,
  on its clock
- asking for the window's size may accept an alert that is open, and start the Settings app
- its ``orientation``, ``send_keys``, ``app_current`` and ``status`` are repeated after errors
- its ``get_clipboard`` asks Siri to open an app and sleeps 3 s

Foreign errors end here; the roles see only ours.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from ...errors import DeviceOffline, UsageError
from ...model import Clock, SystemClock
from ..base_driver import Exchanges, Sent, unsent
from ..translate import sent_nothing
from .answers import CONNECTING, Agent, Refused, is_status, read_answer, refusal

SPRINGBOARD = "com.apple.springboard"
# iOS 18 asks there which contacts an app may see. It is an app of its own that is not among the
# active ones (XCUIApplication+FBAlert.m): WebDriverAgent shows it where it is the preferred app,
# and only while it is up.
CONTACTS_PROMPT = "com.apple.ContactsUI.LimitedAccessPromptView"
SYSTEM_APPS = frozenset({SPRINGBOARD, CONTACTS_PROMPT})
DEPTH = "snapshotMaxDepth"
LEVELS = (
    62,
    50,
)  # as many as iOS gives (kAXErrorIllegalArgument for more); WebDriverAgent's own default

ALERTS = "respectSystemAlerts"
SETTINGS: Mapping[str, Any] = {
    # The whole screen: with SpringBoard's alerts, which belong to no app. Obeyed in a session of
    # the app in front.
    ALERTS: True,
    "defaultActiveApplication": CONTACTS_PROMPT,
    # In a session of no app yet, the app in front is the one under this point: by default near a
    # corner, where a notification lies (FBActiveAppDetectionPoint.m).
    "activeAppDetectionPoint": "160,240",
    # By default 50 levels are shown, and what lies deeper is left out without a word.
    DEPTH: LEVELS[0],
    # When a screen stands still is judged by the session. These would wait for it before each call,
    # up to 10 s where something on the screen always moves, and 2 s behind each touch.
    "waitForIdleTimeout": 0,
    "animationCoolOffTimeout": 0,
    # An element comes with the attributes that are read next; which they are is its release's.
    "shouldUseCompactResponses": False,
    # Text arrives as it is typed.
    "keyboardAutocorrection": 0,
    "keyboardPrediction": 0,
}


Body = Mapping[str, Any] | None
NOTHING: Mapping[str, Any] = {}
"""Body of a POST that is sent without one."""
BUNDLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
FOREGROUND = 4
CALL_LIMIT = 20.0
CLOSE_SECONDS = 2.0
_RETURN_POLL = 0.1
_LEAST = 0.05
_ELEMENT_ID = re.compile(r"^element/[^/]+/")
_TOUCHES = r"wda/tap|wda/doubleTap|wda/touchAndHold|actions|element/[^/]+/click"


class Link(Agent):
    """A WebDriverAgent with a session of our own. Not to be shared between threads."""

    def __init__(self, url: str, clock: Clock | None = None) -> None:
        super().__init__(url.rstrip("/"), url.rstrip("/"))
        self.clock = clock or SystemClock()
        self.exchanges = Exchanges(self.clock)
        self.sent = Sent()
        self.calls = 0  # requests so far
        self._session = ""
        self.app = ""  # bundle id of the one that the session was opened for
        self._closed = False
        self._deadline = float("inf")
        self.status: Mapping[str, Any] = {}
        self.release = Release()
        self.settings = dict(SETTINGS)

    @classmethod
    def connect(cls, url: str, timeout: float, clock: Clock | None = None) -> Link:
        """Opens a session within ``timeout`` seconds in all. Raises ``DeviceError``. A session of
        another program is replaced: WebDriverAgent has one at a time."""
        if not re.fullmatch(r"(https?|http\+usbmux)://[^/?#@\s]+(/[^?#\s]*)?", url):
            raise UsageError(
                f"{url!r} is no URL of a WebDriverAgent; one looks like http://127.0.0.1:8100."
            )
        link = cls(url, clock)
        with link.within(timeout):
            link._acquire()
        return link

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Limits all requests in the block together to so many seconds."""
        self._deadline = self.clock.now() + seconds
        try:
            yield
        finally:
            self._deadline = float("inf")

    def get(self, path: str, data: Body = None, *, seconds: float = CALL_LIMIT) -> Any:
        """The value of a call that only looks, with ``data`` a POST. Asked once more where the
        connection or the session was lost, or where its app has died: a new session is with the app
        in front."""
        self._begin(path)
        try:
            return self._in_session(path, data, seconds)
        except Refused as refused:
            if not (refused.is_session_lost or refused.is_app_dead):
                raise
            self._open_session()
        except DeviceOffline:
            pass  # a relay to a phone on a cable drops one now and then
        return self._in_session(path, data, seconds)

    def find(self, using: str, value: str) -> list[dict[str, Any]]:
        """Elements that are there at once; only looks. Where a banner makes SpringBoard the active
        app, it looks past it."""
        found = self.get("elements", {"using": using, "value": value})
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise self.unexpected("elements", found)
        return self.find(using, value) if not found and self.looked_past_banner() else found

    def looked_past_banner(self) -> bool:
        """Whether a banner of SpringBoard's stood in the way of a look at the session's app, which
        is in front. The next looks see past it, until the hierarchy is read again."""
        if (
            not (self.app and self.settings[ALERTS])
            or self.active_app() != SPRINGBOARD
            or self.alert_buttons()
        ):
            return False
        if self.state_of(self.app) != FOREGROUND:
            return False
        self.respect_alerts(False)
        return True

    def respect_alerts(self, respect: bool) -> None:
        """Whether windows of SpringBoard's over the session's app make that the active one."""
        if self.settings[ALERTS] is not respect:
            self.change_setting(ALERTS, respect)

    def active_app(self) -> str:
        """Bundle id of the app that reads and touches are about."""
        said = self.get("wda/activeAppInfo")
        bundle = said.get("bundleId") if isinstance(said, dict) else None
        if not isinstance(bundle, str) or not BUNDLE_ID.fullmatch(bundle):
            raise self.unexpected("wda/activeAppInfo", said)
        return bundle

    def state_of(self, app: str) -> int:
        """The state of an app as XCUIApplication numbers it: ``FOREGROUND`` for one in front, also
        under a window of SpringBoard's."""
        said = self.get("wda/apps/state", {"bundleId": app})
        if not isinstance(said, int):
            raise self.unexpected("wda/apps/state", said)
        return said

    def alert_buttons(self) -> list[str]:
        """Labels of the buttons of the alert that is up, of the system or an app; none without
        one."""
        try:
            said = self.get("wda/alert/buttons")
        except Refused as refused:
            if refused.error == "no such alert":
                return []
            raise
        return [str(label) for label in said] if isinstance(said, list) else []

    def post(
        self, path: str, data: Mapping[str, Any] = NOTHING, *, seconds: float = CALL_LIMIT
    ) -> Any:
        """Sends a call that does something, once. It is sent again, in a new session, only if the
        first session was unknown: then nothing was done. A touch is not: the place or element that
        it was meant for is known no more by then. Then raises the refusal, which says
        ``look_again``."""
        self._begin(path)
        with self.sent.one():
            try:
                return self._in_session(path, data, seconds)
            except Refused as refused:
                if refused.is_app_dead:
                    self._open_session()  # or every later call would be refused too
                if not refused.is_session_lost:
                    raise
                with unsent():
                    self._open_session()
                if re.fullmatch(_TOUCHES, path):
                    refused.sent_nothing(look_again=True)
                    raise
            return self._in_session(path, data, seconds)

    def get_sessionless(self, path: str) -> Any:
        """The value of a call outside of any session."""
        self._begin(path)
        return self._exchange(path)["value"]

    def post_sessionless(self, path: str) -> None:
        """Sends a call that does something outside of any session, once."""
        self._begin(path)
        with self.sent.one():
            self._exchange(path, NOTHING)

    def change_setting(self, name: str, value: object) -> None:
        """Changes a setting of this session and of those that may follow it."""
        self.post("appium/settings", {"settings": {name: value}})
        self.settings[name] = value

    def follow(self, app: str) -> bool:
        """Opens a session for an app that is in front, unless this one is. Only then does
        WebDriverAgent show the system's alerts over it (FBSession.m activeApplication); the app is
        neither started nor ended by it. Returns whether it did."""
        if app == self.app or app in SYSTEM_APPS:
            return False
        self._open_session(app)
        return True

    def reconnect(self, timeout: float) -> None:
        """Opens a new session, as soon as WebDriverAgent answers again."""
        self._begin("reconnecting")
        with self.within(timeout):
            while True:
                try:
                    return self._acquire()
                except DeviceOffline:
                    if self.clock.now() + _RETURN_POLL >= self._deadline:
                        raise
                self.clock.sleep(_RETURN_POLL)

    def close(self) -> None:
        """Ends the session. May be called again."""
        if self._closed:
            return
        self._closed = True
        if self._session:
            self._exchange(f"session/{self._session}", None, CLOSE_SECONDS, method="DELETE")

    def _in_session(self, path: str, data: Body, seconds: float) -> Any:
        if not self._session:  # lost, and the next one was refused
            self._open_session()
        doing = _ELEMENT_ID.sub(
            "element/ID/", path
        )  # in a message it says nothing, and is another one each time
        place = f"session/{self._session}/{path}"
        return self._exchange(place, data, seconds, doing=doing)["value"]

    def _acquire(self) -> None:
        said = self._exchange("status", doing=CONNECTING)["value"]
        if not is_status(said):
            raise self.no_agent("its status is that of something else", said)
        if said.get("ready") is False:
            raise self.not_ready(said)
        self.status = dict(said)
        self.release = Release.of(self.status)
        if self.release.refusal:
            raise self.invalid(CONNECTING, self.release.refusal, str(self.status))
        self.settings["elementResponseAttributes"] = self.release.response_attributes
        self._open_session()

    def _open_session(self, app: str = "") -> None:
        """Without ``app`` it is bound to none: it reads and touches the app in front, and after a
        lost session it is not known which one that is; an app that does not run would be
        started."""
        self._session, self.app = "", app
        wanted: dict[str, Any] = {"shouldWaitForQuiescence": False}
        if app:
            wanted |= {"bundleId": app, "forceAppLaunch": False, "shouldTerminateApp": False}
        body = {"capabilities": {"alwaysMatch": wanted}}
        answer = self._exchange("session", body, doing="opening a session")
        found = answer.get("sessionId")
        if not found or not isinstance(found, str):
            raise self.unexpected("session", answer)
        self._session = found
        self._exchange(f"session/{found}/appium/settings", {"settings": self.settings})

    def _exchange(
        self,
        path: str,
        data: Body = None,
        seconds: float = CALL_LIMIT,
        *,
        doing: str = "",
        method: str = "POST",
    ) -> Mapping[str, Any]:
        """Makes one request within the limit, by GET if it has no ``data``. Raises ``DeviceError``;
        ``Refused`` if the agent says no."""
        doing = doing or path
        if data is None and method == "POST":
            method = "GET"
        seconds = max(min(seconds, self._deadline - self.clock.now()), _LEAST)
        with self.exchanges.made("call", doing):
            request = BoundedRequest(method, f"{self.url}/{path}", data)
            try:
                status, content = request.result(seconds)
            except ResponseTooLarge:
                raise self.too_large(doing) from None
            except Exception as error:
                ours = self.error_of(error, doing, seconds, bytes(request.received))
                raise ours.sent_nothing(sent_nothing(error)) from None
            if status == HTTPStatus.BAD_GATEWAY:
                raise self.bad_gateway(doing, content)
            answer = read_answer(content)
            if answer is None:
                raise self.unreadable(doing, content)
            no = refusal(answer["value"])
            if no:
                raise self.refused(doing, *no) from None
            return answer

    def _begin(self, doing: str) -> None:
        self.calls += 1
        if self._closed:
            raise self.invalid(doing, "the driver is closed", "")


# Of January 2025, the oldest whose replies were checked; respectSystemAlerts knows banners since
# 8.12.
OLDEST = (9, 0)
PLACEHOLDER = "placeholderValue"
_PLACEHOLDER_SINCE = (9, 1)  # pull request 987; asked for earlier it is an error
_PRINTED_SINCE = (9, 7)  # pull request 1016: the placeholder in the page source
_RESPONSE = "type,label,rect,attribute/name,attribute/value"


@dataclass(frozen=True)
class Release:
    """``reported`` is the version as its status has it, "" for none. One that cannot be read, as of
    a build of someone's own, is taken for the oldest."""

    reported: str = ""

    @classmethod
    def of(cls, status: Mapping[str, object]) -> Release:
        build = status.get("build")
        version = build.get("version") if isinstance(build, Mapping) else None
        return cls(str(version or ""))

    @property
    def refusal(self) -> str:
        """Why it cannot be driven, and what helps; "" if it can."""
        if self._number >= OLDEST:
            return ""
        oldest = ".".join(map(str, OLDEST))
        return (
            f"it is version {self.reported}, and the oldest that can be driven is {oldest}. "
            "Install a newer one: build and start the latest release of Appium's WebDriverAgent; "
            "docs/how-to/iphone.md has the steps."
        )

    @property
    def prints_placeholders(self) -> bool:
        """Whether the page source has them; an empty field's value is its placeholder all the
        same."""
        return self._number >= _PRINTED_SINCE

    @property
    def response_attributes(self) -> str:
        """What an element is to come with, which saves a request for each."""
        if self._number < _PLACEHOLDER_SINCE:
            return _RESPONSE
        return f"{_RESPONSE},attribute/{PLACEHOLDER}"

    @property
    def _number(self) -> tuple[int, int]:
        found = re.match(r"(\d+)\.(\d+)(\.|$|-)", self.reported)
        return (int(found[1]), int(found[2])) if found else OLDEST


MOST_BYTES = 64 * 1024 * 1024  # a screenshot of the largest iPad takes a quarter of that
_CHUNK = 64 * 1024
_END_SECONDS = 1.0


class ResponseTooLarge(Exception):
    """The answer is longer than ``MOST_BYTES``."""


class BoundedRequest(threading.Thread):
    """A request, for one use. ``received`` is the part of the answer's body that has come so far.

    A thread makes it, since neither a look-up of a host's name nor usbmuxd can be given a limit. A
    daemon: one that still waits for those keeps no process alive, and sends nothing any more.
    """

    def __init__(self, method: str, url: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(name="replicant-wda-request", daemon=True)
        self.received = bytearray()
        self._method = method
        self._url = url
        self._data = data
        self._seconds = 0.0
        self._response: tuple[int, bytes] | None = None
        self._error: BaseException | None = None
        self._socket: socket.socket | None = None
        self._abandoned = False
        self._state = threading.Lock()
        # Not ``join``: Ctrl-C in it makes Python 3.11 and 3.12 take a thread that still runs for
        # one that ended.
        self._ended = threading.Event()

    def result(self, seconds: float) -> tuple[int, bytes]:
        """Sends the request and waits for its answer: its status and content. Raises
        ``TimeoutError`` after ``seconds``, ``ResponseTooLarge``, and what the connection raises."""
        self._seconds = seconds
        self.start()
        try:
            if not self._ended.wait(seconds):
                raise TimeoutError
        finally:
            if not self._ended.is_set():  # Ctrl-C included
                self._hang_up()
        self.join(_END_SECONDS)  # the rest of it takes no time
        if self._error is not None:
            raise self._error
        assert self._response is not None
        return self._response

    def run(self) -> None:
        try:
            self._response = self._exchanged()
        except BaseException as error:  # raised again where the result is awaited
            self._error = error
        finally:
            self._ended.set()

    def _exchanged(self) -> tuple[int, bytes]:
        connection = self._connected()
        try:
            with self._state:
                if self._abandoned:
                    raise TimeoutError
                self._socket = connection.sock
            connection.sock.settimeout(self._seconds)
            parts = urlsplit(self._url)
            path = self._url[len(parts.scheme) + len("://") + len(parts.netloc) :]
            body = json.dumps(self._data) if self._data else None
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request(self._method, path, body, headers)
            with connection.getresponse() as response:
                while chunk := response.read1(_CHUNK):
                    self.received += chunk
                    if len(self.received) > MOST_BYTES:
                        raise ResponseTooLarge
                return response.status, bytes(self.received)
        finally:
            connection.close()

    def _connected(self) -> HTTPConnection:
        try:
            connection = http_create(self._url)
            connection.timeout = self._seconds
            connection.connect()
        except Exception as error:
            error.never_sent = True  # type: ignore[attr-defined]  # read where it becomes one of ours
            with warnings.catch_warnings():
                # facebook-wda leaves sockets open if usbmuxd fails: its frames alone hold them.
                warnings.simplefilter("ignore", ResourceWarning)
                traceback.clear_frames(error.__traceback__)
            raise
        return connection

    def _hang_up(self) -> None:
        """Shuts the connection down, which ends the thread. One that still connects sends nothing
        any more."""
        with self._state:
            self._abandoned = True
            connected = self._socket
        if connected is not None:
            with suppress(OSError):  # closed in this very moment
                connected.shutdown(socket.SHUT_RDWR)
            self._ended.wait(_END_SECONDS)


def http_create(url: str) -> HTTPConnection:
    """facebook-wda's connection to ``url``, not yet open. Imported here: it costs 70 ms."""
    with warnings.catch_warnings():
        # It has escape sequences that Python complains about where it compiles them, on its first
        # import.
        warnings.filterwarnings("ignore", message=".*invalid escape sequence")
        from wda.usbmux import http_create as create
    connection: HTTPConnection = create(url)
    return connection
