"""What a phone can be asked, in small roles. A driver implements those it can and says which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Any, Literal, Protocol

from ..model.geometry import Point, Rect

Platform = Literal["android", "ios"]
Key = Literal[
    "back", "home", "enter", "tab", "delete", "escape", "search", "volume_up", "volume_down", "power", "menu"
]
AppStatus = Literal["foreground", "background", "stopped"]


class Capability(Flag):
    """Abilities that not every phone has. What is missing raises ``Unsupported``."""

    NONE = 0
    TOASTS = auto()
    SHELL = auto()
    LOGS = auto()
    CLEAR_DATA = auto()
    OPEN_URL = auto()
    CURRENT_ACTIVITY = auto()
    DRAG = auto()


@dataclass(frozen=True)
class DeviceInfo:
    """Facts about a phone that do not change while it is used. ``width`` and ``height`` in pixels."""

    serial: str
    platform: Platform
    model: str
    os_version: str
    width: int
    height: int
    density: float
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "serial": self.serial,
            "platform": self.platform,
            "model": self.model,
            "os_version": self.os_version,
            "size": [self.width, self.height],
            "density": self.density,
        }


@dataclass(frozen=True)
class AppInFront:
    """The app that has the focus; ``activity`` is "" where the platform has none or does not say."""

    app: str
    activity: str = ""


@dataclass(frozen=True)
class ShellOutput:
    """What a command printed, and how it ended."""

    stdout: str
    stderr: str
    exit_code: int


@dataclass(frozen=True)
class FocusedField:
    """The text field that typing would reach."""

    resource_id: str
    bounds: Rect
    text: str

    def is_same(self, resource_id: str, bounds: Rect) -> bool:
        """Whether this is the field of that id and place; a keyboard may have panned it, so an id decides."""
        if resource_id and self.resource_id:
            return resource_id == self.resource_id
        return not self.bounds.intersect(bounds).is_empty


class Hierarchy(Protocol):
    def dump_hierarchy(self) -> bytes:
        """The screen as the platform prints it. Raises ``DeviceError``; never returns an empty screen
        in place of a failed read."""
        ...


class Pointer(Protocol):
    """Each touch is sent once, and never again after a failure. A touch that the phone does not take raises
    ``DeviceError``. ``seconds`` is how long the finger is down."""

    def tap(self, point: Point) -> None: ...

    def double_tap(self, point: Point) -> None: ...

    def long_press(self, point: Point, seconds: float) -> None: ...

    def swipe(self, start: Point, end: Point, seconds: float) -> None: ...

    def drag(self, start: Point, end: Point, seconds: float) -> None: ...


class Keyboard(Protocol):
    def check_typeable(self, text: str) -> None:
        """Raises ``UsageError`` when ``text`` could not arrive exactly; nothing is typed."""
        ...

    def check_field_takes(self, text: str) -> None:
        """Raises ``UsageError`` where the focused field would drop a part of the text; nothing is typed."""
        ...

    def type_text(self, text: str) -> None:
        """Types into the focused field, behind what is there, exactly. Raises ``UsageError``, before anything
        is typed, where no field has the focus or where this one is known to drop part of the text."""
        ...

    def clear_text(self) -> None:
        """Empties the focused field. Raises ``UsageError`` where no field has the focus."""
        ...

    def focused_field(self) -> FocusedField | None:
        """What has the input focus; None where it is no text field."""
        ...

    def keyboard_shown(self) -> bool:
        """Whether an on-screen keyboard is up; it may be in no hierarchy."""
        ...

    def press_key(self, key: Key) -> None: ...

    def hide_keyboard(self) -> None:
        """Does nothing where no keyboard is up."""
        ...


class ScreenImage(Protocol):
    def screenshot(self) -> bytes:
        """The screen as PNG."""
        ...


class Apps(Protocol):
    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        """Starts a stopped app, or brings it to the front. Raises ``UsageError`` where it is not
        installed, listing near names."""
        ...

    def stop(self, app: str) -> None:
        """Ends it, if it runs. Raises ``UsageError`` where it is not installed."""
        ...

    def clear_data(self, app: str) -> None:
        """Ends it and forgets its data. Raises ``UsageError`` where it is not installed."""
        ...

    def app_in_front(self) -> AppInFront: ...

    def app_status(self, app: str) -> AppStatus:
        """What is not installed is "stopped"."""
        ...

    def open_url(self, url: str, app: str | None) -> None:
        """In ``app``, else in whichever the phone chooses. Raises ``UsageError`` where none opens it."""
        ...


class Toasts(Protocol):
    def last_toast(self) -> str | None:
        """Text of the last toast since ``clear_toasts``; toasts are in no hierarchy."""
        ...

    def clear_toasts(self) -> None: ...


class Logs(Protocol):
    def logs(self) -> list[str]:
        """The device log, oldest first, one raw line an entry."""
        ...


class Shell(Protocol):
    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        """Runs a command; a list is quoted word by word, a string is passed as it is. Raises
        ``DeviceTimeout`` where it has not ended after ``timeout`` seconds, and hangs up on it."""
        ...


class Driver(Hierarchy, Pointer, Keyboard, ScreenImage, Apps, Toasts, Logs, Shell, Protocol):
    """One phone. Every method may raise ``DeviceError``; no other library's error leaves a driver."""

    @property
    def uri(self) -> str: ...

    @property
    def info(self) -> DeviceInfo: ...

    @property
    def capabilities(self) -> Capability: ...

    def close(self) -> None:
        """Releases sockets, threads and processes; safe to call twice."""
        ...
