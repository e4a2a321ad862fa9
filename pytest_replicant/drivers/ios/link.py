"""The one seam between the driver's roles and WebDriverAgent: every request goes through here, once.

Of facebook-wda only the transport is used: its client's ``http.fetch``, without its callbacks. What it builds on
that is not fit for a test that has to know what happened:

- its ``tap`` is sent a second time, to another address, after any error at all
- its callbacks open a new session after a lost one and send again whatever was sent, without the limit it had
- its element calls wait, 30 s by default, and ask every 0.5 s; waiting is the session's business, on its clock
- asking for the window's size may accept an alert that is open, and start the Settings app
- its ``orientation``, ``send_keys``, ``app_current`` and ``status`` are repeated after errors
- its ``get_clipboard`` asks Siri to open an app and sleeps 3 s

Foreign errors end here; the roles see only ours.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from ...errors import DeviceOffline, ProtocolError, UsageError
from .answers import Refused, is_status, refusal, session_id
from .one_call import OneCall, Overdue, TooMuch
from .settings import SETTINGS
from .trouble import CONNECTING, Trouble

CALL_LIMIT = 20.0
CLOSE_SECONDS = 2.0
_RETURN_POLL = 0.1
_LEAST = 0.05
_ELEMENT_ID = re.compile(r"^element/[^/]+/")
_URL = re.compile(r"(https?|http\+usbmux)://[^/?#@\s]+(/[^?#\s]*)?")


class Link:
    """A WebDriverAgent with a session of our own. Not to be shared between threads."""

    def __init__(self, url: str, client: Any) -> None:
        self.name = url
        self._url = url
        self._client = client
        self._session = ""
        self._line: OneCall | None = None  # the call that is being made, or that would not end
        self._closed = False
        self._deadline = float("inf")
        self.calls = 0  # everything said to the phone so far
        self.status: Mapping[str, Any] = {}
        self.settings = dict(SETTINGS)

    @classmethod
    def connect(cls, url: str, timeout: float) -> Link:
        """Within ``timeout`` seconds in all. Raises ``DeviceError``. A session that somebody else has is replaced:
        WebDriverAgent has one at a time."""
        if not _URL.fullmatch(url):
            raise UsageError(f"{url!r} is no URL of a WebDriverAgent; one looks like http://127.0.0.1:8100.")
        link = cls(url.rstrip("/"), wda_client(url.rstrip("/")))
        with link.within(timeout):
            link._take_hold()
        return link

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """However many requests it takes, all of them together have no longer."""
        self._deadline = time.monotonic() + seconds
        try:
            yield
        finally:
            self._deadline = float("inf")

    @property
    def url(self) -> str:
        return self._url

    def get(self, path: str, *, seconds: float = CALL_LIMIT) -> Any:
        """What the session says; a call that only looks. Asked once more where the session was lost, or where the
        app that it was with has died: a new one is with whatever is in front."""
        return self._look("GET", path, None, seconds)

    def query(self, path: str, data: Mapping[str, Any]) -> Any:
        """As ``get``: it is a POST, and only looks."""
        return self._look("POST", path, data, CALL_LIMIT)

    def find(self, using: str, value: str) -> list[dict[str, Any]]:
        """The elements, at once and without waiting; only looks."""
        found = self.query("elements", {"using": using, "value": value})
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise self.odd("elements", found)
        return found

    def post(self, path: str, data: Mapping[str, Any] | None = None, *, seconds: float = CALL_LIMIT) -> Any:
        """Something is done: sent once. Sent again, in a new session, only where the first one was unknown: then
        nothing was done."""
        self._begin(path)
        try:
            return self._in_session("POST", path, data, seconds)
        except Refused as refused:
            if refused.is_app_dead:
                self._open_session()  # or every later call would be refused too
            if not refused.is_session_lost:
                raise
        self._open_session()
        return self._in_session("POST", path, data, seconds)

    def ask(self, path: str, *, seconds: float = CALL_LIMIT) -> Any:
        """What the phone says outside of any session."""
        self._begin(path)
        return self._value("GET", path, None, seconds)

    def tell(self, path: str, *, seconds: float = CALL_LIMIT) -> Any:
        """Something is done outside of any session: sent once."""
        self._begin(path)
        return self._value("POST", path, None, seconds)

    def change_setting(self, name: str, value: object) -> None:
        """For this session and those that may follow it."""
        self.settings[name] = value
        self.post("appium/settings", {"settings": {name: value}})

    def reconnect(self, timeout: float) -> None:
        """A new session, as soon as WebDriverAgent answers again."""
        self._begin("reconnecting", waits=True)
        with self.within(timeout):
            while True:
                try:
                    self._await_line()
                    return self._take_hold()
                except DeviceOffline:
                    if time.monotonic() + _RETURN_POLL >= self._deadline:
                        raise
                time.sleep(_RETURN_POLL)

    def close(self) -> None:
        """Ends our session. Says nothing to a phone that does not answer anyway."""
        if self._closed:
            return
        self._closed = True
        if self._session and not self._hangs:
            self._exchange("DELETE", f"session/{self._session}", None, CLOSE_SECONDS)

    def odd(self, doing: str, said: object) -> ProtocolError:
        """An answer that no WebDriverAgent gives."""
        return self._trouble.odd(doing, said)

    def senseless(self, doing: str, told: str, said: object) -> ProtocolError:
        """An answer that cannot be used, whoever gave it."""
        return self._trouble.senseless(doing, told, exchange=str(said))

    @property
    def place(self) -> str:
        """The phone and where it was looked for; for messages."""
        return self._trouble.place

    @property
    def _trouble(self) -> Trouble:
        return Trouble(self.name, self._url)

    @property
    def _hangs(self) -> bool:
        return self._line is not None and self._line.runs

    def _look(self, method: str, path: str, data: Mapping[str, Any] | None, seconds: float) -> Any:
        self._begin(path)
        try:
            return self._in_session(method, path, data, seconds)
        except Refused as refused:
            if not (refused.is_session_lost or refused.is_app_dead):
                raise
        self._open_session()
        return self._in_session(method, path, data, seconds)

    def _in_session(self, method: str, path: str, data: Mapping[str, Any] | None, seconds: float) -> Any:
        if not self._session:  # lost, and the new one was refused
            self._open_session()
        doing = _ELEMENT_ID.sub("element/ID/", path)  # in a message it says nothing, and is another one each time
        return self._value(method, f"session/{self._session}/{path}", data, seconds, doing=doing)

    def _take_hold(self) -> None:
        self.status = self._checked_status()
        self._open_session()

    def _checked_status(self) -> Mapping[str, Any]:
        said = self._value("GET", "status", None, CALL_LIMIT, doing=CONNECTING)
        if not is_status(said):
            raise self._trouble.no_agent("its status is that of something else", said)
        if said.get("ready") is False:
            raise self._trouble.not_ready(said)
        return dict(said)

    def _open_session(self) -> None:
        """Bound to no app: what is in front is what is looked at and touched."""
        self._session = ""
        wanted = {"shouldWaitForQuiescence": False}
        body = {"capabilities": {"alwaysMatch": wanted}, "desiredCapabilities": wanted}  # new and old protocol
        answer = self._exchange("POST", "session", body, CALL_LIMIT, doing="opening a session")
        found = session_id(answer)
        if not found:
            raise self.odd("session", answer)
        self._session = found
        self._put_settings()

    def _put_settings(self) -> None:
        """All at once, or one after the other where this WebDriverAgent is too old to know them all."""
        try:
            self._settings(self.settings)
        except Refused:
            for name, value in self.settings.items():
                with suppress(Refused):
                    self._settings({name: value})

    def _settings(self, settings: Mapping[str, Any]) -> None:
        self._value("POST", f"session/{self._session}/appium/settings", {"settings": dict(settings)}, CALL_LIMIT)

    def _value(
        self, method: str, path: str, data: Mapping[str, Any] | None, seconds: float, *, doing: str = ""
    ) -> Any:
        answer = self._exchange(method, path, data, seconds, doing=doing)
        if "value" not in answer:
            raise self.odd(doing or path, answer)
        return answer["value"]

    def _exchange(
        self, method: str, path: str, data: Mapping[str, Any] | None, seconds: float, *, doing: str = ""
    ) -> Mapping[str, Any]:
        """One request, one answer, within the limit. Raises ``DeviceError``; ``Refused`` where it says no."""
        doing = doing or path
        seconds = max(min(seconds, self._deadline - time.monotonic()), _LEAST)
        self._line = line = OneCall(lambda: self._client.http.fetch(method, path, data, timeout=seconds))
        try:
            answer = line.made(seconds)
        except Overdue:
            raise self._trouble.overdue(doing, seconds) from None
        except TooMuch:
            raise self._trouble.too_much(doing) from None
        except Exception as error:
            raise self._trouble.ours(error, doing, seconds, line.heard) from None
        finally:
            if not line.is_alive():
                self._line = None  # with all that it brought
        if not isinstance(answer, Mapping):
            raise self.odd(doing, answer)
        no = refusal(answer.get("value"), answer.get("status"))
        if no:
            raise self._trouble.refused(doing, *no) from None
        return answer

    def _begin(self, doing: str, *, waits: bool = False) -> None:
        self.calls += 1
        if self._closed:
            raise self.senseless(doing, "the driver is closed", "")
        if self._hangs and not waits:
            raise self._trouble.still_hangs(doing)

    def _await_line(self) -> None:
        """For the end of a call that was hung up on; facebook-wda makes one at a time for each host."""
        if self._line is not None:
            self._line.ended_in(max(self._deadline - time.monotonic(), 0.0))
        if self._hangs:
            raise self._trouble.still_hangs("reconnecting")


def wda_client(url: str) -> Any:
    """facebook-wda's client, without the callbacks that send again. Imported here: it costs 70 ms."""
    with warnings.catch_warnings():
        # It has escape sequences that Python complains about where it compiles them, on its first import.
        warnings.filterwarnings("ignore", message=".*invalid escape sequence")
        import wda
    client = wda.Client(url)
    client.unregister_callback()
    return client
