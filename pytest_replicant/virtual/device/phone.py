"""The device model: one virtual phone, with any face that it shows to the world.

Everything here is synchronous and guarded by one re-entrant lock, so that any face may call from
any thread. Time is the phone's own clock; due timers run whenever somebody looks, so that no thread
is needed.
"""

from __future__ import annotations

import copy
import threading
import time
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from ...model import Point
from ..app_kit.dialog import DialogButton
from ..app_kit.fields import INPUT_TYPES, EditText
from ..app_kit.recorded import recorded_apps
from ..app_kit.timers import Timers
from ..designs.by_platform import design_of
from ..designs.material.processes import SYSTEM_PROCESSES
from ..faults import DumpFault, Faults, FaultSource
from ..jobs import Jobs
from ..pace import Pace
from ..profile import Latency, Profile
from ..profiles import profile_of
from ..streams import PortTable
from ..system.files import FileSystem
from ..system.logcat import LogBuffer
from ..system.packages import Package, Packages
from ..system.settings import RADIOS, Radio, settings_of
from .autofill import Autofill
from .boot import BOOT_ID, Boot
from .digitizer import Digitizer
from .display import Display, field_of
from .editing import Editing
from .keyguard import Keyguard
from .keys import Keys
from .screen_timeout import ScreenTimeout
from .tasks import Tasks
from .touch import DOUBLE_TAP, LONG_PRESS_MS, Touch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..app_kit import App
    from ..streams import Program
    from ..ui import UiNode, Window

    Seen = tuple[list[Window], int]  # the windows on the screen, and its rotation

SYSTEM_USER_ID = 10_050  # of the first of the system's own apps
NOTIFICATION = "PHONE, now, Ada, Missed call"
BANNER_MS = (
    6000  # iOS takes one away after about five seconds; so one outlasts the time-out of a check
)
BOOTED_AT = datetime(
    2026, 1, 5, 10, 0, tzinfo=timezone.utc
)  # what the status bar shows when the phone starts


class VirtualPhone:
    """A phone made of Python. ``apps`` are installed from the start, in place of the system's own
    of that name; the launcher, settings, contacts, dialler and the system are its own.

    ``faults`` go wrong on purpose, and ``phone.faults`` counts those that did. ``clock`` gives
    seconds that only grow; ``time.monotonic`` unless given. ``sleep`` waits so many seconds of that
    clock, and what the phone takes its time over is waited for with it; in real time unless given.
    """

    def __init__(
        self,
        apps: Sequence[App[Any]] = (),
        *,
        profile: Profile | None = None,
        latency: Latency | None = None,
        faults: Faults | None = None,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self.profile = profile or Profile()
        recorded = recorded_apps(self.profile.recorded)
        apps = [
            *recorded,
            *(app for app in apps if app.package not in {each.package for each in recorded}),
        ]
        self.latency = latency or self.profile.latency
        self.faults = FaultSource(faults or Faults())
        self.lock = threading.RLock()
        self.files = FileSystem()
        self.log = LogBuffer()
        self.packages = Packages()
        self.settings = settings_of(self.profile)
        self.ports = PortTable()  # what listens on the phone's own sockets
        self.programs: dict[str, Program] = {}  # Java main classes that `app_process` starts
        self.running_programs: dict[
            str, Callable[[], object]
        ] = {}  # of those, how to kill what runs
        self.jobs = Jobs()  # what shells have running in the background
        self.on_restart: list[Callable[[], object]] = [
            self.jobs.end_now
        ]  # and connections, which a restart ends
        if self.faults.repeated_by:
            text = f"faults on purpose; the same ones again: {self.faults.repeated_by}"
            self.log.append("I", "VirtualPhone", text, SYSTEM_PROCESSES["init"])
        self._clock = clock or time.monotonic
        self.pace = Pace(self.latency, self._clock, sleep)
        self._booted = self._clock()
        self.boot = Boot(self._clock)
        self.files.write(BOOT_ID, f"{self.boot.id}\n".encode())
        self._design = design_of(self.profile)
        self._timers = Timers(self._clock)
        self._tasks = Tasks(
            self._install_all(apps),
            self._design,
            timers=self._timers,
            latency=self.latency,
            log=self.log,
            packages=self.packages,
            files=self.files,
        )
        self.keyguard = Keyguard(self.settings)
        self._display = Display(
            self._tasks, self.profile, self._time_of_day, self.keyguard, self.settings
        )
        self.screen_timeout = ScreenTimeout(self.settings, self._timers, self._display)
        self._turned(0)
        self._autofill = Autofill(self.settings, self._tasks, self._display)
        self._keys = Keys(self._tasks, self._display)
        self._dumped: Seen | None = None
        self._open_schemes = {"http", "https"}  # of the links that iOS opens without a question
        self._radios: dict[Radio, bool] = {"airplane": False, "wifi": True, "data": True}
        self.digitizer = Digitizer((self.profile.width, self.profile.height), self.now)
        self.finger_down: float | None = None  # when the finger of the next tap went down
        self._touch = Touch(
            self._tasks, self._display, self._keys.pressed, DOUBLE_TAP[self.profile.platform]
        )

    @classmethod
    def from_knobs(
        cls, apps: Sequence[App[Any]], platform: str, knobs: dict[str, str]
    ) -> VirtualPhone:
        """The phone that a URI's knobs describe. Raises ``UsageError`` for a value that a knob does
        not take."""
        profile = profile_of(platform, knobs)
        return cls(
            apps,
            profile=profile,
            latency=Latency.from_knobs(knobs, profile.latency),
            faults=Faults.from_knobs(knobs),
        )

    def _install_all(self, apps: Sequence[App[Any]]) -> list[App[Any]]:
        """All but the home screen: those given, and what comes with the system."""
        given = {app.package for app in apps}
        builtin = [app for app in self._design.system_apps if app.package not in given]
        for app in (self._design.home, *apps):
            self._install(app)
        for user_id, app in enumerate(builtin, SYSTEM_USER_ID):
            self._install(app, user_id)
        for package in self._design.system_packages:
            self.packages.add(package)
        return [*apps, *builtin]

    def _install(self, app: App[Any], user_id: int = 0) -> None:
        self.packages.add(
            Package(
                name=app.package,
                label=app.label,
                version_name=app.version_name,
                version_code=app.version_code,
                activity=app.main_activity if app.launchable else "",
                requested=tuple(app.permissions),
                url_prefixes=tuple(app.url_prefixes),
                answers=tuple(
                    (intent, app.full_name(activity)) for intent, activity in app.answers.items()
                ),
                user_id=user_id,
                system=app.system,
            )
        )

    def _time_of_day(self) -> str:
        return f"{BOOTED_AT + timedelta(seconds=self._clock() - self._booted):%H:%M}"

    def _run_due(self) -> None:
        """What has come about by itself since someone last looked."""
        self._tasks.run_due()
        if self.profile.platform == "android":
            self.screen_timeout.settle()
            self._autofill.settle()

    def _touched(self) -> None:
        self._run_due()
        self._notify()
        self.screen_timeout.activity()

    def _notify(self) -> None:
        """A notification, if one is to come after this touch or start."""
        if self.profile.platform == "ios" and self.faults.strikes("banners"):
            self._tasks.later(0, lambda: self._tasks.show_banner(NOTIFICATION, BANNER_MS), None)

    # --- looking ----------------------------------------------------------------------------------
    def windows(self) -> list[Window]:
        """Returns the windows on the screen from the bottom up, after due timers have run."""
        with self.lock:
            self._run_due()
            return self._display.windows()

    def version(self) -> int:
        """Changes whenever ``windows()`` would; what was rendered for one version may be kept."""
        with self.lock:
            self._run_due()
            return self._tasks.version

    def now(self) -> float:
        """Seconds on the phone's clock, since whenever."""
        return self._clock()

    def is_due_within(self, seconds: float) -> bool:
        """Whether anything is to happen by itself so soon: a text that ticks, a screen that
        comes."""
        with self.lock:
            due = self._timers.next_due()
            return due is not None and due - self._clock() <= seconds

    def begin_dump(self) -> tuple[DumpFault, Seen]:
        """Returns the faults of the hierarchy dump that begins now, and what it would have shown at
        the dump before this one, or shows now where there was none. Called once for each dump."""
        with self.lock:
            seen = self.windows(), self.rotation
            former, self._dumped = self._dumped, seen
            screen = self._tasks.front.screen
            fault = self.faults.of_dump(screen.dump, screen.dump_ms, has_former=former is not None)
            return fault, former or seen

    @property
    def rotation(self) -> int:
        """0 to 3, quarter turns."""
        with self.lock:
            self._run_due()
            return self._display.rotation

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as rotated now."""
        return self._display.size

    def foreground(self) -> tuple[str, str]:
        """Package and full activity name in front."""
        with self.lock:
            self._run_due()
            self._display.windows()
            front = self._tasks.front
            asked = (each for each in reversed(self._tasks.dialogs.over(front)) if each.activity)
            return next(
                ((each.package, each.activity) for each in asked), (front.package, front.activity)
            )

    @property
    def is_drawn(self) -> bool:
        """Whether the activity in front shows a window of its own: False while its app hangs in
        opening it."""
        with self.lock:
            self._run_due()
            self._display.windows()
            return self._display.is_drawn

    def screen(self) -> object:
        """Stands for the app's screen in front: the same object for as long as the app keeps that
        screen."""
        with self.lock:
            self._run_due()
            return self._tasks.front.entry

    def processes(self) -> Mapping[str, int]:
        """Package to pid, of running apps and the system's own processes."""
        with self.lock:
            self._run_due()
            system = self._design.processes(self._tasks.dialogs.over(self._tasks.front))
            return {**system, **{name: app.pid for name, app in self._tasks.running.items()}}

    @property
    def awake(self) -> bool:
        """Whether the screen is on. While it is off there is no window, and keys but that for power
        do nothing."""
        with self.lock:
            self._run_due()
            return self._display.awake

    def dismiss_keyguard(self) -> bool:
        """Opens a lock screen that asks for no pin; False for one that does."""
        with self.lock:
            return self._display.dismiss_keyguard()

    @property
    def volume(self) -> int:
        """Of media, 0 to 15."""
        return self._tasks.volume

    @property
    def keyboard_shown(self) -> bool:
        with self.lock:
            self._run_due()
            return self._display.keyboard_shown

    @property
    def input_type(self) -> int:
        """What the focused field takes, as ``android.text.InputType`` has it; 0 if no field has the
        focus."""
        with self.lock:
            focused = (
                node for window in self.windows() for node in window.root.walk() if node.focused
            )
            field = next((node.owner for node in focused if isinstance(node.owner, EditText)), None)
            return INPUT_TYPES[field.input] if field is not None else 0

    # --- touching ---------------------------------------------------------------------------------
    def finger(self, *path: tuple[int, int], ms: int = 80) -> None:
        """A person's finger on the glass: a tap, a long press from half a second on, or a swipe
        along ``path``, in pixels of the screen as it is turned. ``getevent`` prints it, which it
        does of no touch by adb."""
        with self.lock:
            self.digitizer.finger([Point(*point) for point in path], self.rotation, ms)
            if len(path) > 1:
                self.swipe(*path[0], *path[-1], ms)
            elif ms >= LONG_PRESS_MS:
                self.long_press(*path[0], ms)
            else:
                self.tap(*path[0])

    def tap(self, x: int, y: int) -> None:
        """A finger that comes up now; it went down then, or at ``finger_down``."""
        with self.lock:
            self._touched()
            up = self.now()
            down, self.finger_down = self.finger_down or up, None
            if not self.faults.strikes("lose_tap"):
                self._touch.tap(x, y, down, up)

    def long_press(self, x: int, y: int, ms: int = 800) -> None:
        with self.lock:
            self._touched()
            self._touch.long_press(x, y, ms)

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        with self.lock:
            self._touched()
            self._touch.swipe(Point(x1, y1), Point(x2, y2), ms)

    def drag(self, x1: int, y1: int, x2: int, y2: int, ms: int = 800) -> None:
        """As ``swipe``, the finger holding still first: what can be picked up goes along."""
        with self.lock:
            self._touched()
            self._touch.drag(Point(x1, y1), Point(x2, y2), ms)

    def pinch(self, starts: tuple[Point, Point], ends: tuple[Point, Point]) -> None:
        """Two fingers at once, each from its start to its end."""
        with self.lock:
            self._touched()
            self._touch.pinch(starts, ends)

    def press_key(self, key: str | int, meta: int = 0) -> bool:
        """By number (4), name ("BACK") or constant ("KEYCODE_BACK"), with shift where bit 1 of
        ``meta`` is set; False for an unknown one."""
        with self.lock:
            self._touched()
            return self._keys.press(key, meta)

    def type_text(self, text: str) -> bool:
        """At the caret of the focused field; False if nothing has the focus."""
        with self.lock:
            self._touched()
            return self._keys.type(text)

    def set_text(self, node: UiNode, text: str) -> bool:
        """Replaces a field's text, as the accessibility action does; False if it is no field."""
        with self.lock:
            self._run_due()
            self._display.windows()
            for pane in reversed(self._display.panes):
                field = field_of(pane, node)
                if field is not None and field.enabled:
                    return not self._tasks.hangs.put_off(
                        pane.app, lambda: self.set_text(node, text), is_input=False
                    ) and self._tasks.guard(pane.app, Editing(pane, field).replace, text)
            return False

    def set_rotation(self, rotation: int) -> None:
        """Raises ``ValueError`` if it is not 0 to 3."""
        if rotation not in range(4):
            raise ValueError(f"a rotation is 0 to 3 quarter turns, not {rotation!r}")
        with self.lock:
            self._turned(rotation)
            self._tasks.changed()

    def _turned(self, rotation: int) -> None:
        self._display.rotation = rotation
        width, height = self._display.size
        self._tasks.screen_dp = (
            round(width / self.profile.scale),
            round(height / self.profile.scale),
        )

    def turn(self, rotation: int) -> None:
        """Turns the phone as a hand does: the screen follows after ``screen_change_ms``."""
        with self.lock:
            if self.latency.screen_change_ms:
                self._tasks.later(
                    self.latency.screen_change_ms, lambda: self.set_rotation(rotation), None
                )
            else:
                self.set_rotation(rotation)

    # --- apps -------------------------------------------------------------------------------------
    def start_app(self, package: str, activity: str | None = None, url: str | None = None) -> None:
        """Raises ``LookupError`` with Android's own wording where it is not installed."""
        with self.lock:
            self._run_due()
            self._notify()
            self._tasks.start(package, activity, url)

    def stop_app(self, package: str) -> None:
        with self.lock:
            self._tasks.stop(package)

    def clear_app(self, package: str) -> bool:
        """Stops it and forgets its data; False if it is not installed."""
        with self.lock:
            return self._tasks.clear(package)

    def send_broadcast(self, action: str, extras: Mapping[str, str]) -> tuple[int, str]:
        """Result code and data of an ordered broadcast."""
        with self.lock:
            self._run_due()
            return self._tasks.broadcast(action, extras)

    def show_system_dialog(
        self,
        title: str,
        message: str = "",
        buttons: Sequence[str] = ("OK",),
        *,
        package: str = "android",
    ) -> None:
        """The system opens a dialog of its own over the screen in front, such as "Battery low". Its
        buttons are ``android:id/button1`` and so on; each closes it, and so do the back key and a
        touch outside it. On an iPhone it is an alert of SpringBoard's, no matter what ``package``
        says, and only its buttons close it."""
        with self.lock:
            self._run_due()
            self._tasks.system_dialog(
                title, message, [DialogButton(label) for label in buttons], package
            )

    def show_banner(self, text: str = NOTIFICATION, seconds: float = BANNER_MS / 1000) -> None:
        """A notification comes down over the top of an iPhone's screen, and stays so long. A touch
        of it leads into the app that it is of."""
        with self.lock:
            self._run_due()
            self._tasks.show_banner(text, round(seconds * 1000))

    def open_link(self, package: str, url: str) -> None:
        """An app opens a link. Before one of the app's own scheme iOS asks, until that was allowed
        once."""
        scheme = url.partition(":")[0].lower()

        def opened() -> None:
            self._open_schemes.add(scheme)
            self._tasks.start(package, url=url)

        with self.lock:
            self._run_due()
            self._notify()
            if scheme in self._open_schemes:
                opened()
                return
            buttons = [DialogButton("Open", opened), DialogButton("Cancel")]
            app = self.packages.get(package)
            title = f"Open in \u201c{app.label if app else package}\u201d?"
            self._tasks.system_dialog(title, "", buttons, package)

    # --- what happens to the whole phone ----------------------------------------------------------
    def restart(self) -> None:
        """Ends every app and every connection. Until Android is up again there is no service to
        talk to."""
        with self.lock:
            for package in list(self._tasks.running):
                self._tasks.stop(package)
            self._keys.press("HOME")
            self.boot.again(self.latency.boot_ms)
            self.files.write(BOOT_ID, f"{self.boot.id}\n".encode())
        for end in list(self.on_restart):
            end()

    def kill_program(self, main: str) -> None:
        """As ``kill -9`` does to a Java program that ``app_process`` runs. Raises ``KeyError``."""
        self.running_programs[main]()

    def set_radio(self, radio: Radio, on: bool) -> None:
        """What ``settings put`` alone does not: apps are without a network in airplane mode, and
        where neither Wi-Fi nor mobile data is on. adb goes on, as over USB."""
        with self.lock:
            self.settings.put("global", RADIOS[radio], str(int(on)))
            self._radios[radio] = on
            self._tasks.is_online = not self._radios["airplane"] and (
                self._radios["wifi"] or self._radios["data"]
            )
            self._tasks.changed()

    @property
    def radios(self) -> Mapping[Radio, bool]:
        """Which are on, no matter what the settings say."""
        return dict(self._radios)

    def set_clock(self, seconds: float) -> None:
        """Somebody sets the phone's clock so much forwards, or backwards: the log goes by it from
        now on."""
        now = self.log.now
        self.log.now = lambda: now() + seconds

    def app_state(self, package: str) -> object:
        """The state of a running app, for those who test apps and the kit; None if it does not
        run."""
        with self.lock:
            running = self._tasks.running.get(package)
            return getattr(running, "state", None)

    def app_data(self) -> Mapping[str, Mapping[str, Any]]:
        """What apps have stored on the phone, by package."""
        with self.lock:
            return copy.deepcopy(self._tasks.stored)

    # --- toasts, clipboard ------------------------------------------------------------------------
    @property
    def last_toast(self) -> str | None:
        """The newest toast's text, also after it is gone."""
        with self.lock:
            self._run_due()
            return self._tasks.last_toast

    @last_toast.setter
    def last_toast(self, text: str | None) -> None:
        with self.lock:
            self._tasks.last_toast = text

    @property
    def clipboard(self) -> str | None:
        return self._tasks.clipboard

    @clipboard.setter
    def clipboard(self, text: str | None) -> None:
        self._tasks.clipboard = text

    def set_clip(self, text: str | None) -> None:
        """As adb's shell copies a text, which it does not mark as one that is to be kept off the
        screen: from Android 13 on SystemUI shows it for a while (ClipboardListener.java,
        ``shouldSuppressOverlay``)."""
        with self.lock:
            self._tasks.set_clip(
                text, shows=self.profile.sdk >= 33, announces=self.profile.sdk >= 31
            )

    def paste(self) -> bool:
        """Ctrl+V; False if nothing has the focus."""
        with self.lock:
            self._tasks.run_due()
            return self._keys.paste()
