"""What a phone can be asked, in small roles. A driver implements those it can and says which."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from ..errors import Unsupported
from ..model import AuditIssue, NodeText, Picture, Point, Rect, Selector, shown_name

Platform = Literal["android", "ios"]
Key = Literal[
    "back",
    "home",
    "enter",
    "tab",
    "delete",
    "escape",
    "search",
    "volume_up",
    "volume_down",
    "power",
    "menu",
]
AppStatus = Literal["foreground", "background", "stopped"]
Orientation = Literal["portrait", "landscape", "reverse_portrait", "reverse_landscape"]
PermissionAnswer = Literal["allow", "allow_once", "deny"]


class Capability(Flag):
    """Abilities that not every phone has. A missing one raises ``Unsupported``.

    ``COLD_START`` and ``REPLACE_TEXT`` are shortcuts: one call in place of several. Without
    ``DRAWN``, ``LOCK`` or ``STYLE`` a session does not know, and goes on.
    """

    NONE = 0
    TOASTS = auto()
    SHELL = auto()
    LOGS = auto()
    CLEAR_DATA = auto()
    OPEN_URL = auto()
    CURRENT_ACTIVITY = auto()
    DRAG = auto()
    PERMISSIONS = auto()
    INSTALL = auto()
    FILES = auto()
    ROTATE = auto()
    PINCH = auto()
    CRASHES = auto()
    AUDIT = auto()
    COLD_START = auto()
    REPLACE_TEXT = auto()
    DRAWN = auto()
    LOCK = auto()
    STYLE = auto()


INSTEAD: Mapping[Capability, str] = {
    Capability.SHELL: "set up the rest of the phone before the run, or through the app itself",
    Capability.LOGS: "a check of the screen says what the app did, and expect_app whether it "
    "still runs",
    Capability.CRASHES: 'expect_app("foreground") says whether the app still runs; a failed '
    "check says so, too",
    Capability.CLEAR_DATA: "have the app forget by itself, by a link or a launch argument of its "
    "own: open_url, or launch with args=",
    Capability.PERMISSIONS: "let the app ask, and answer the question by answer_permission",
    Capability.INSTALL: "install it before the run, with the tools of the platform",
    Capability.FILES: "bring the data into the app by a link or a launch argument: open_url, or "
    "launch with args=",
    Capability.CURRENT_ACTIVITY: "open that part of the app by a link: open_url",
    Capability.DRAG: "swipe from place to place, where the app takes that for a drag",
    Capability.PINCH: "use what else the app has for it, such as a double_tap",
    Capability.OPEN_URL: "launch the app, and go to the screen as a person does",
    Capability.ROTATE: "turn the phone itself",
    **dict.fromkeys(
        (
            Capability.COLD_START,
            Capability.REPLACE_TEXT,
            Capability.DRAWN,
            Capability.LOCK,
            Capability.STYLE,
        ),
        "nothing: a session does without",
    ),
    Capability.AUDIT: "accessibility_findings has rules of its own, which go by the hierarchy "
    "and the picture",
}
"""For each capability, what a test does on a phone that does not have it."""


@dataclass(frozen=True)
class DeviceInfo:
    """Facts about a phone that do not change while it is used. ``width`` and ``height`` in
    pixels."""

    serial: str
    platform: Platform
    model: str
    os_version: str
    width: int
    height: int
    density: float
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def api(self) -> int | None:
        """Android's API level, such as 34; None on an iPhone, and where the phone does not say."""
        level = str(self.extra.get("sdk", ""))
        return int(level) if self.platform == "android" and level.isdecimal() else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "serial": self.serial,
            "platform": self.platform,
            "model": self.model,
            "os_version": self.os_version,
            "size": [self.width, self.height],
            "density": None if self.extra.get("density") == "assumed" else self.density,
        }


@dataclass(frozen=True)
class AppInFront:
    """The app that has the focus; ``activity`` is "" if the platform has none or does not say."""

    app: str
    activity: str = ""


@dataclass(frozen=True)
class ShellOutput:
    """What a command printed, and how it ended. ``hints`` say, for failures that are known, what to
    do next. ``parsed`` is a dict or a list for ``dumpsys battery``, ``dumpsys package APP``,
    ``dumpsys activity activities`` and ``top``, ``dumpsys meminfo APP``, ``pm list``, ``settings
    get`` and ``list``, ``getprop``, ``wm size`` and ``density``. It is None for any other command,
    and where it failed or the answer is of no known form."""

    stdout: str
    stderr: str
    exit_code: int
    hints: tuple[str, ...] = ()
    parsed: Any = None


@dataclass(frozen=True)
class FocusedField:
    """The text field that typing would reach."""

    resource_id: str
    bounds: Rect
    text: str

    def is_same(self, resource_id: str, bounds: Rect) -> bool:
        """Whether this is the field that has that id and place now. Several may share an id."""
        same_id = resource_id == self.resource_id or not (resource_id and self.resource_id)
        return same_id and not self.bounds.intersect(bounds).is_empty


@dataclass(frozen=True)
class LogMark:
    """A moment of the phone's own clock, at which a reading of its log may begin. ``moment`` is the
    driver's, ``local`` the same as the log stamps its lines, ``MM-DD hh:mm:ss``, "" if the phone
    does not say.

    ``last`` is the newest line of the log at that moment, as ``logs`` gives it: "" for an empty
    log, None if the driver does not say. What stands behind it is newer, no matter what the phone's
    clock was set to."""

    moment: str
    local: str = ""
    last: str | None = None


@dataclass(frozen=True)
class CrashLog:
    """What the log says of apps that died or stopped answering, as raw lines, oldest first; other
    apps' too.

    ``until`` is where the next reading begins; what was logged meanwhile is in both. ``pids`` are
    the processes of the app that was asked about: none if it does not run, or if none was asked
    about. ``oldest`` is how far back the phone keeps its log, None if that is not known.
    """

    lines: tuple[str, ...]
    until: LogMark
    pids: tuple[int, ...] = ()
    oldest: LogMark | None = None


@dataclass(frozen=True)
class Appearance:
    """``locale`` is a BCP 47 tag such as "en-GB", "" if the phone does not say. ``dark`` is None
    there. ``dots`` are the dots per inch that a user may have set, 0 if the platform has none
    such."""

    locale: str = ""
    dark: bool | None = None
    dots: int = 0


@dataclass(frozen=True)
class SystemDialogs:
    """How the platform's own questions look, over all of its versions; empty if a platform has none
    such.

    ``permission_packages`` ask for permissions, as do those that end on one of
    ``permission_suffixes``. ``permission_buttons`` are, for each answer, the buttons that give it:
    the first one that is on the screen. An id without a package is a button of the question's, no
    matter which package asks. ``packages`` own windows that are the system's and no app's, dialogs
    and bars among them. ``from_home_screen``: the system asks in the home screen's name. Then only
    a marked dialog with a button that denies is a question, and the app behind it still counts as
    in the foreground.
    """

    permission_packages: frozenset[str] = frozenset()
    permission_suffixes: tuple[str, ...] = ()
    permission_buttons: Mapping[PermissionAnswer, tuple[Selector, ...]] = field(
        default_factory=dict
    )
    wait_buttons: tuple[Selector, ...] = ()  # "the app isn't responding": keep waiting
    close_buttons: tuple[Selector, ...] = ()  # the same, or "the app has stopped": end it
    declining_buttons: tuple[Selector, ...] = ()  # "no" to an offer that no one asked for
    packages: frozenset[str] = frozenset()
    from_home_screen: bool = False

    def asks(self, package: str) -> bool:
        """Whether this package's windows ask for permissions."""
        return package in self.permission_packages or package.endswith(self.permission_suffixes)


@dataclass(frozen=True)
class Traits:
    """Habits of a platform that a session allows for, so that it need not ask which platform it is.

    - ``hierarchy_in_points``: bounds in the hierarchy are points of ``DeviceInfo.density`` pixels
      each
    - ``android_commands``: the shell has ``settings``, ``wm``, ``pm`` and ``dumpsys``
    - ``dots_for_emoji``: the hierarchy has two dots in place of each emoji, and ``true_texts``
      tells the texts
    - ``keyboard``: package of the input method whose windows are in the hierarchy; "" if it is not
      known
    - ``one_session``: the phone serves one driver at a time, and connecting another ends the one
      before
    - ``focus_in_hierarchy``: the hierarchy says which field has the focus, and asking for it costs
      another one
    - ``toasts_in_hierarchy``: toasts are nodes of the class ``Toast``, while they are up
    - ``log_drains``: ``logs`` gives each line once, no matter what it is given, and there is no
      ``log_mark``
    - ``dear_pictures``: a screenshot is slow or costs money: a session takes it for a check or a
      failure alone
    """

    hierarchy_in_points: bool = False
    android_commands: bool = False
    dots_for_emoji: bool = False
    keyboard: str = ""
    one_session: bool = False
    focus_in_hierarchy: bool = False
    toasts_in_hierarchy: bool = False
    log_drains: bool = False
    dear_pictures: bool = False

    def scale(self, info: DeviceInfo) -> float:
        """Pixels to one unit of the hierarchy's bounds."""
        return info.density if self.hierarchy_in_points else 1.0


class Abilities(Protocol):
    """What every role stands on. ``instead`` says, for abilities that are missing, what there is in
    their place: it becomes a part of the error."""

    instead: ClassVar[Mapping[Capability, str]] = {}

    @property
    @abstractmethod
    def info(self) -> DeviceInfo: ...

    @property
    def capabilities(self) -> Capability:
        """The optional abilities that the driver has; none unless it states them."""
        return Capability.NONE

    def unsupported(self, verb: str, capability: Capability) -> Unsupported:
        """The error of a missing ability, to be raised before anything is sent; for ``launch`` with
        an activity, too, if an app has none."""
        name, device = str(capability.name), self.info.serial
        lacking = f"{verb} on {device}: this phone does not offer {name.lower()!r}"
        if capability in self.instead:
            lacking += f": {self.instead[capability]}"
        return Unsupported(
            f"{lacking}. Nothing was sent.",
            capability=name,
            device=device,
        )


class Hierarchy(Protocol):
    @abstractmethod
    def dump_hierarchy(self) -> bytes:
        """The screen as the platform prints it. Raises ``DeviceError``; never returns an empty
        screen in place of a failed read. It may leave out what lies deeper than so many levels, or
        show a window of the system over an app. Then the XML says so first, ``<?replicant
        over="dev.shop" levels="62"?>``, and nothing that is missing counts as gone."""

    def true_texts(
        self, texts: Mapping[str, int], descriptions: Mapping[str, int]
    ) -> Sequence[NodeText]:
        """The nodes on the screen that have one of these, with dots for emoji, in the hierarchy,
        and so many of each. If not all can be returned, one of each true text that there is. What a
        driver with the trait ``dots_for_emoji`` has."""
        return ()


class Pointer(Abilities, Protocol):
    """Each touch is sent once, and never again after a failure. A touch that the phone does not
    take raises ``DeviceError``. ``seconds`` is how long the finger is down."""

    @abstractmethod
    def tap(self, point: Point) -> None: ...

    @abstractmethod
    def double_tap(self, point: Point) -> None: ...

    @abstractmethod
    def long_press(self, point: Point, seconds: float) -> None: ...

    @abstractmethod
    def swipe(self, start: Point, end: Point, seconds: float) -> None: ...

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        raise self.unsupported("drag", Capability.DRAG)

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        """Two fingers, on a line through the middle of ``area`` and never outside it; how far they
        are apart at the end is ``scale`` times what it was. Raises ``UsageError`` if the area is
        too small for that."""
        raise self.unsupported("pinch", Capability.PINCH)


class Keyboard(Abilities, Protocol):
    @abstractmethod
    def check_typeable(self, text: str) -> None:
        """Raises ``UsageError`` when ``text`` could not arrive exactly; nothing is typed."""

    def check_field_takes(self, text: str) -> None:
        """Raises ``UsageError`` if the focused field would drop a part of the text; nothing is
        typed. Takes any text for typeable in any field, unless a driver knows better."""
        return

    @abstractmethod
    def type_text(self, text: str) -> None:
        """Types at the end of the focused field, exactly. Raises ``UsageError``, before anything
        is typed, if no field has the focus or where this one is known to drop part of the text."""

    @abstractmethod
    def clear_text(self) -> None:
        """Empties the focused field. Raises ``UsageError`` if no field has the focus."""

    @abstractmethod
    def focused_field(self) -> FocusedField | None:
        """What has the input focus; None if it is no text field."""

    @abstractmethod
    def keyboard_shown(self) -> bool:
        """Whether an on-screen keyboard is up; it may be in no hierarchy."""

    @abstractmethod
    def press_key(self, key: Key) -> None: ...

    @abstractmethod
    def hide_keyboard(self) -> None:
        """Does nothing if no keyboard is up. Raises ``UsageError``, and touches nothing, if all
        that would hide it does something else as well."""

    def replace_text(self, text: str) -> None:
        """Types in place of what the focused field holds, by one call, and raises as ``type_text``
        does."""
        raise self.unsupported("replace_text", Capability.REPLACE_TEXT)


class Display(Abilities, Protocol):
    @abstractmethod
    def screenshot(self) -> bytes:
        """The screen as PNG."""

    def appearance(self) -> Appearance:
        """Language, style and size of points, which keep baselines of pictures apart."""
        raise self.unsupported("appearance", Capability.STYLE)

    def rotate(self, orientation: Orientation) -> None:
        """Turns the screen and keeps it so; returns once it has turned. Raises ``UsageError`` if
        the app in front does not let it."""
        raise self.unsupported("rotate", Capability.ROTATE)

    @abstractmethod
    def orientation(self) -> Orientation: ...

    @abstractmethod
    def wake(self) -> None:
        """Turns the screen on; does nothing if it is."""

    def is_locked(self) -> bool:
        """Whether a lock screen is up that asks for something; False if that is not known."""
        raise self.unsupported("is_locked", Capability.LOCK)

    def is_drawn(self, front: AppInFront) -> bool:
        """Whether that activity shows a window of its own; True if that is not known. While an app
        hangs in opening one, it is in front already, and the screen still shows what was there."""
        raise self.unsupported("is_drawn", Capability.DRAWN)

    def last_toast(self) -> str | None:
        """Text of the last toast since ``clear_toasts``; toasts are in no hierarchy."""
        raise self.unsupported("last_toast", Capability.TOASTS)

    def clear_toasts(self) -> None:
        raise self.unsupported("clear_toasts", Capability.TOASTS)

    def accessibility_audit(self) -> Sequence[AuditIssue]:
        """What the platform's own audit finds on the screen, in seconds. ``Unsupported`` if it has
        none."""
        raise self.unsupported("accessibility_audit", Capability.AUDIT)


class Apps(Abilities, Protocol):
    @abstractmethod
    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        """Starts a stopped app; brings one that runs to the front, without ``activity`` as it was
        left. Raises ``UsageError`` if it is not installed, listing near names."""

    @abstractmethod
    def stop(self, app: str) -> None:
        """Ends it, if it runs. Raises ``UsageError`` if it is not installed."""

    def clear_data(self, app: str) -> None:
        """Ends it and forgets its data. Raises ``UsageError`` if it is not installed."""
        raise self.unsupported("clear_data", Capability.CLEAR_DATA)

    @abstractmethod
    def app_in_front(self) -> AppInFront: ...

    @abstractmethod
    def app_status(self, app: str) -> AppStatus:
        """Status of the app; one that is not installed is "stopped"."""

    def open_url(self, url: str, app: str | None) -> None:
        """In ``app``, otherwise in the one that the phone chooses. Raises ``UsageError`` if none
        opens it."""
        raise self.unsupported("open_url", Capability.OPEN_URL)

    def cold_start(
        self,
        app: str,
        activity: str | None,
        args: Sequence[str],
        *,
        fresh: bool,
        ended: Callable[[AppInFront | None], object],
    ) -> AppInFront | None:
        """``stop``, or with ``fresh`` ``clear_data``, and ``launch``, and raises as these do.
        ``ended`` is given the app that was in front before, as soon as that is known; returns the
        one in front once it has started. None if the phone names none."""
        raise self.unsupported("cold_start", Capability.COLD_START)

    def installed(self, app: str) -> bool:
        raise self.unsupported("installed", Capability.INSTALL)

    def install(self, path: str | Path) -> None:
        """A package in a local file; an app that is there is updated and keeps its data. Raises
        ``UsageError`` for a file that is no package, and for one that the phone refuses, with its
        reason."""
        raise self.unsupported("install", Capability.INSTALL)

    def uninstall(self, app: str) -> None:
        """With its data. Raises ``UsageError`` if it is not installed, or belongs to the system."""
        raise self.unsupported("uninstall", Capability.INSTALL)

    def permissions(self, app: str) -> Mapping[str, bool]:
        """What the app asks for and its user may decide, by the platform's names, and whether it
        has it."""
        raise self.unsupported("permissions", Capability.PERMISSIONS)

    def set_permission(self, app: str, permission: str, granted: bool) -> None:
        """Grants or takes away, without a dialog; taking one away may end the app. ``permission``
        is a short name such as "camera" or "location", or the platform's own. Raises ``UsageError``
        for a name that there is not, and for one that the app does not ask for, listing what it
        does."""
        raise self.unsupported("set_permission", Capability.PERMISSIONS)


class Logs(Abilities, Protocol):
    def log_mark(self) -> LogMark:
        """Now. What was logged before is in no reading ``since`` it."""
        raise self.unsupported("log_mark", Capability.LOGS)

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        """The device log, oldest first, one raw line an entry; all that is kept without a mark.
        ``buffers`` are the platform's names for parts of it; its usual ones if none is given."""
        raise self.unsupported("logs", Capability.LOGS)

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        """What the log says of deaths, and the processes of ``app``, in one exchange with the
        phone. On Android as logcat prints it; of an iPhone crash reports, ``.ips`` or ``.crash``,
        and lines of the system log."""
        raise self.unsupported("crashes", Capability.CRASHES)

    def pids(self, app: str) -> tuple[int, ...]:
        """Its processes, none if it does not run."""
        raise self.unsupported("pids", Capability.CRASHES)


class Shell(Abilities, Protocol):
    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        """Runs a command; a list is quoted word by word, a string is passed as it is. Raises
        ``DeviceTimeout`` if it has not ended after ``timeout`` seconds, and hangs up on it."""
        raise self.unsupported("shell", Capability.SHELL)

    def push_file(self, local: str | Path | bytes, remote: str) -> None:
        """A local file, or bytes, to exactly this path; missing folders are made, a file that is
        there is replaced. Raises ``UsageError`` for a path that cannot be read here or written
        there."""
        raise self.unsupported("push_file", Capability.FILES)

    def pull_file(self, remote: str) -> bytes:
        """Raises ``UsageError`` if there is no such file, or where it may not be read."""
        raise self.unsupported("pull_file", Capability.FILES)


class PictureListener:
    """What a session says of the pictures that it takes, to what records them. This one keeps
    nothing: a recording derives its own, and so does a replay, which has no pictures but what was
    made of them."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def report_picture(self) -> bytes:
        """A screenshot for the report alone: it is a part of no recording."""
        return self._driver.screenshot()

    def note_picture(self, png: bytes) -> None:
        """The screenshot that was taken last, with secrets painted over."""

    def note_looks(self, pictures: Mapping[Rect, Picture] | None) -> None:
        """What was made of the screenshot that was taken last; None if it was of no use."""

    def recorded_looks(self) -> Mapping[Rect, Picture] | None:
        """What a recording has in place of the next screenshot; None if one is to be taken. Raises
        ``DeviceError`` if it has nothing."""
        return None


class Driver(Hierarchy, Pointer, Keyboard, Display, Apps, Logs, Shell, Protocol):
    """One phone. Every method may raise ``DeviceError``; no other library's error leaves a
    driver."""

    @property
    @abstractmethod
    def uri(self) -> str: ...

    @property
    def system_dialogs(self) -> SystemDialogs:
        """How the platform's own questions look; unknown unless the driver states it."""
        return SystemDialogs()

    @property
    def traits(self) -> Traits:
        """Habits of the phone: those of its platform, unless the driver states its own."""
        return TRAITS[self.info.platform]

    @property
    def listener(self) -> PictureListener:
        """What hears of the pictures that a session takes. Only a recording or a replay has one of
        its own."""
        return PictureListener(self)

    def notices(self) -> Sequence[str]:
        """What the driver did of its own accord since it was asked last, for the trace. Each is a
        few words, such as "the screen had gone dark, and was turned on"."""
        return ()

    def restore_settings(self) -> None:
        """Puts back what ``rotate`` and ``set_permission`` have changed, as it was before the first
        of them; does nothing if nothing was changed, and may be called again."""
        return

    @abstractmethod
    def reconnect(self, timeout: float) -> None:
        """Lets go of the phone and takes hold of the same one again, waiting up to ``timeout``
        seconds for it to come back. Nothing that was sent before is sent again. May be called on a
        sound connection.

        Raises ``DeviceNotFound`` if it stays away, ``DeviceOffline`` if it does not answer,
        ``DeviceTimeout`` if it is not ready in time; after each, it may be called again.
        """

    @abstractmethod
    def close(self) -> None:
        """Releases sockets, threads and processes; safe to call twice."""


TRAITS: Mapping[Platform, Traits] = {
    "android": Traits(android_commands=True),
    "ios": Traits(hierarchy_in_points=True),
}
"""Traits of a driver that does not state its own, by its platform."""


def scale_of(device: object) -> float:
    """The scale of a phone of which a file has the facts: pixels of a point, in which iPhones
    count."""
    if not isinstance(device, Mapping) or device.get("platform") != "ios":
        return 1.0
    density = device.get("density")
    return float(density) if isinstance(density, (int, float)) and 0 < density <= 100 else 1.0


def language_tag(word: str) -> str:
    """As in "en_GB@calendar=gregorian": the tag alone."""
    found = re.match(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}", word.strip())
    return found[0].replace("_", "-") if found else ""


_SYSTEMS = {"android": "Android", "ios": "iOS"}


def device_name(device: Mapping[str, Any]) -> str:
    """``"Pixel 7, Android 14"`` out of a phone's facts; "" if nothing is known."""
    parts = str(device.get("model") or device.get("serial") or ""), system_name(device)
    return ", ".join(filter(None, parts))


def system_name(device: Mapping[str, Any]) -> str:
    """``"iOS 17.5"`` out of a phone's facts; "" if nothing is known."""
    platform = str(device.get("platform") or "")
    return " ".join(
        filter(None, (_SYSTEMS.get(platform, platform), str(device.get("os_version") or "")))
    )


def phone_name(driver: Driver) -> str:
    """The phone in a sentence."""
    return shown_name(driver.uri, driver.info.serial)
