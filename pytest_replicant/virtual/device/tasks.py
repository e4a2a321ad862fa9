"""``Tasks``: which apps run, which is in front, and what they ask of the phone."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ..app_kit.app import App
from ..app_kit.crash import fatal_exception
from ..app_kit.declared import Page
from ..app_kit.dialog import DialogButton
from ..app_kit.host import Process
from ..app_kit.running import SHORT_TOAST_MS, RunningApp
from ..app_kit.timers import Timer, Timers
from ..designs.design import LOUDEST, Design, Toast
from ..designs.material.processes import SYSTEM_PROCESSES
from ..designs.system_dialog import SystemDialog
from ..profile import Latency
from ..system.files import FileSystem
from ..system.logcat import LogBuffer
from ..system.packages import Packages
from .hangs import Hangs
from .permissions import Permissions
from .system_dialogs import SystemDialogs


def anr_reason(component: str, waited_ms: int) -> str:
    """Why the input dispatcher gave up; ``component`` is the activity with its full name."""
    token = f"{zlib.crc32(component.encode('utf-8', 'replace')) & 0xFFFFFFF:07x}"
    return (
        f"Input dispatching timed out ({token} {component} (server) is not responding. "
        f"Waited {waited_ms + 1}ms for MotionEvent)"
    )


def anr_block(package: str, short_component: str, pid: int, reason: str) -> str:
    """As the activity manager logs it."""
    return (
        f"ANR in {package} ({short_component})\nPID: {pid}\nReason: {reason}\n"
        f"Parent: {short_component}\nFrozen: false\nLoad: 1.12 / 0.94 / 0.71"
    )


SYSTEM_SERVER = SYSTEM_PROCESSES["system_server"]
FIRST_VOLUME = 5
FIRST_PID = 4021
VOLUME_SHOWN_MS = 3000
CLIP_SHOWN_MS = 6000  # ClipboardOverlayController.java, without a screen reader
CRASHED_AGAIN_S = 60  # within which a second crash makes the system say that an app keeps stopping
PID_STEP = 37  # processes of the system come and go between two apps


class Tasks:
    """Not thread-safe by itself: the phone's lock is held by the caller."""

    def __init__(
        self,
        apps: Sequence[App[Any]],
        design: Design,
        *,
        timers: Timers,
        latency: Latency,
        log: LogBuffer,
        packages: Packages,
        files: FileSystem,
    ) -> None:
        self.design = design
        self.apps = {app.package: app for app in (design.home, *apps)}
        self.home_package = design.home.package
        self.timers = timers
        self.latency = latency
        self.system_log = log
        self.packages = packages
        self.files = files
        self.screen_dp = (0, 0)
        self.is_online = True
        self.running: dict[str, RunningApp[Any]] = {}
        self.recent: list[str] = []  # packages that run, the one in front last
        self.version = 0
        self.keyboard = False
        self.keyboard_rising: Timer | None = None
        self.reveal_focus = False
        self.toast_shown: Toast | None = None
        self.last_toast: str | None = None
        self.clipboard: str | None = None
        self.clip_shown: str | None = (
            None  # the text of SystemUI's overlay, while it is on the screen
        )
        self._readers: set[str] | None = (
            None  # apps that have read the shell's clip; None for another's
        )
        self.banner: str | None = None  # what a notification says, while it hangs over the screen
        self._banner_hides: Timer | None = None
        self.volume = FIRST_VOLUME
        self.volume_hides: Timer | None = None  # while its panel is on the screen
        self.dialogs = SystemDialogs(self.changed)
        self.hangs = Hangs(design, timers, self.dialogs, self)
        self.permissions = Permissions(design, packages, self.dialogs, self.guard, self._by_system)
        self._panel: SystemDialog | None = None
        self._callers: dict[str, str] = {}
        self._crashed_at: dict[str, float] = {}
        self.stored: dict[str, dict[str, Any]] = {}
        self._pid = FIRST_PID
        self.home()

    # --- what runs --------------------------------------------------------------------------------
    @property
    def front(self) -> RunningApp[Any]:
        return self.running[self.recent[-1]]

    def is_alive(self, app: RunningApp[Any]) -> bool:
        return self.running.get(app.package) is app

    def run_due(self) -> None:
        self.timers.run_due(self._run_timer)

    def _run_timer(self, timer: Timer) -> None:
        owner = timer.owner
        if not isinstance(owner, RunningApp):
            timer.callback()
        elif not self.hangs.put_off(
            owner, lambda: self.guard(owner, timer.callback), is_input=False
        ):
            self.guard(owner, timer.callback)

    def guard(self, app: RunningApp[Any], call: Callable[..., object], *args: object) -> bool:
        """Runs an app's own code that may change something: what it raises kills the app and not
        the phone. False if it died."""
        try:
            return self.is_alive(app) and self.survives(app, call, *args)
        finally:
            self.changed()

    def survives(self, app: RunningApp[Any], call: Callable[..., object], *args: object) -> bool:
        """As ``guard``, for code that only looks."""
        try:
            call(*args)
        except Exception as error:
            if app.app.system:
                raise
            self.crash(app, error)
            return False
        return True

    def crash(self, app: RunningApp[Any], error: Exception) -> None:
        text = fatal_exception(error, app.package, app.pid)
        self.system_log.append("E", "AndroidRuntime", text, app.pid, buffer="crash")
        short = self.component(app)
        self.write("W", "ActivityTaskManager", f"  Force finishing activity {short}")
        self.write(
            "I", "ActivityManager", f"Process {app.package} (pid {app.pid}) has died: fg  TOP"
        )
        self._end(app.package)
        before, self._crashed_at[app.package] = self._crashed_at.get(app.package), self.timers.now
        if before is not None and self.timers.now - before < CRASHED_AGAIN_S:
            self._complain(app)

    def _complain(self, app: RunningApp[Any]) -> None:
        dialog = self.design.keeps_stopping(
            app.package, app.app.label, lambda: self.dialogs.close(dialog)
        )
        if dialog is not None:
            self.show_keyboard(False)
            self.dialogs.show(dialog)

    def unresponsive(self, app: RunningApp[Any], waited_ms: int) -> None:
        short, reason = self.component(app), anr_reason(f"{app.package}/{app.activity}", waited_ms)
        self.write(
            "W", "InputDispatcher", f"Window {app.package}/{app.activity} is not responding."
        )
        event = f"[0,{app.pid},{app.package},948452932,{reason}]"
        self.system_log.append("I", "am_anr", event, SYSTEM_SERVER, buffer="events")
        block = anr_block(app.package, short, app.pid, reason)
        self.system_log.append("E", "ActivityManager", block, SYSTEM_SERVER, buffer="system")

    def kill(self, app: RunningApp[Any]) -> None:
        text = f"Killing {app.pid}:{app.package} (adj 0): user request after error"
        self.system_log.append("I", "ActivityManager", text, SYSTEM_SERVER, buffer="system")
        self.write(
            "I", "ActivityManager", f"Process {app.package} (pid {app.pid}) has died: fg  TOP"
        )
        self._end(app.package)

    def component(self, app: RunningApp[Any]) -> str:
        activity = app.activity if app.entries else self.apps[app.package].main_activity
        return f"{app.package}/{activity.removeprefix(app.package)}"

    def write(self, level: Literal["V", "D", "I", "W", "E", "F"], tag: str, text: str) -> None:
        self.system_log.append(level, tag, text, SYSTEM_SERVER)

    # --- starting and stopping --------------------------------------------------------------------
    def start(self, package: str, activity: str | None = None, url: str | None = None) -> None:
        """Raises ``LookupError`` if there is no such app or activity."""
        app = self.apps.get(package)
        if app is None or self.packages.get(package) is None:
            raise LookupError(_unresolved(package, activity))
        self._callers.pop(package, None)
        if activity is not None and self._show_panel(app, app.full_name(activity)):
            return
        make = self._wanted_screen(app, activity, url)
        self.write(
            "I",
            "ActivityTaskManager",
            f"START u0 {{cmp={package}/{activity or app.main_activity}}}",
        )
        running = self.running.get(package)
        if running is None:
            running = self._launch(app, make or app.start)
        elif make is not None:
            self.guard(running, _open, running, make)
        elif app.single_task and activity is not None:
            self.guard(running, running.to_first, app.start)
        if self.is_alive(running):
            self.transition(running, lambda: self._to_front(package))

    def _wanted_screen(
        self, app: App[Any], activity: str | None, url: str | None
    ) -> Callable[[], Page] | None:
        """Makes the screen that was asked for by link or name; None for wherever the app is."""
        links = app.links
        if url is not None and links is not None:
            return lambda: links(url)
        name = app.full_name(activity) if activity is not None else app.main_activity
        running = self.running.get(app.package)
        if name == app.main_activity or (running is not None and name == running.activity):
            return None
        for declared, make in app.screens.items():
            if app.full_name(declared) == name:
                return make
        raise LookupError(_unresolved(app.package, activity))

    def _show_panel(self, app: App[Any], activity: str) -> bool:
        """Whether it is one, which then lies over the app in front; only one of a kind does."""
        make = next(
            (make for name, make in app.panels.items() if app.full_name(name) == activity), None
        )
        if make is None:
            return False

        def close() -> None:
            self.dialogs.close(panel)

        self.dialogs.close(self._panel)
        self._panel = panel = SystemDialog(
            app.package,
            f"{app.package}/{activity}",
            make(self, close),
            owner=self.front,
            follows=True,
            about=app.package,
            activity=activity,
            back=close,
            outside=close,
        )
        self._by_system(lambda: self.dialogs.show(panel))
        return True

    def _launch(self, app: App[Any], make: Callable[[], Page]) -> RunningApp[Any]:
        stored = self.stored.setdefault(app.package, {})
        running: RunningApp[Any] = RunningApp(app, self, self._pid, stored)
        self._pid += PID_STEP
        self.running[app.package] = running
        self.recent.insert(0, app.package)
        self.write(
            "I", "ActivityManager", f"Start proc {running.pid}:{app.package} for top-activity"
        )
        self.guard(running, running.begin, make)
        return running

    def _to_front(self, package: str) -> None:
        self.dialogs.close(self._panel)  # an activity of its own, which no one can go back to
        if package in self.recent:
            self.recent.remove(package)
            self.recent.append(package)
            asks = (
                self.running[package].entry.view_state.wanted_focus != ""
            )  # its screen, as it was opened
            self.show_keyboard(False)
            if asks:
                self.show_keyboard(True)
            self.write(
                "I", "ActivityTaskManager", f"Displayed {self.component(self.running[package])}"
            )
        self.changed()

    def home(self) -> None:
        if self.home_package not in self.running:
            home = self.apps[self.home_package]
            self._launch(home, home.start)
        self._to_front(self.home_package)

    def switch(self) -> None:
        """To the app that was in front before, as a double tap on the overview key does."""
        others = [package for package in self.recent[:-1] if package != self.home_package]
        if others:
            self._to_front(others[-1])

    def stop(self, package: str) -> None:
        if package in self.running and package != self.home_package:
            self._end(package)
        self.dialogs.stopped(package)
        if self.packages.get(package) is None:
            self.stored.pop(package, None)
        self.changed()  # the installed apps may have changed, and the launcher shows them

    def clear(self, package: str) -> bool:
        if self.packages.get(package) is None:
            return False
        self.stop(package)
        self.stored.pop(package, None)
        self.packages.revoke_all(package)
        return True

    def _end(self, package: str) -> None:
        app = self.running.pop(package)
        was_front = self.recent[-1] == package
        self.recent.remove(package)
        self.timers.cancel_all(app)
        self.hangs.forget(app)
        self.permissions.forget(app)
        self.dialogs.forget(app)
        if (
            self.design.toasts_are_apps
            and self.toast_shown is not None
            and self.toast_shown.package == package
        ):
            self.toast_shown = None
        if was_front:
            self.home()
        self.changed()

    def broadcast(self, action: str, extras: Mapping[str, str]) -> tuple[int, str]:
        for app in list(self.running.values()):
            receiver = self.apps[app.package].receivers.get(action)
            if receiver is not None:
                answers: list[tuple[int, str]] = []
                self.guard(app, _collect, answers, receiver, app, extras)
                return answers[0] if answers else (0, "")
        return 0, ""

    # --- what apps ask for (the kit's Host) -------------------------------------------------------
    def later(self, ms: int, callback: Callable[[], object], owner: Process | None) -> Timer:
        return self.timers.after(ms, callback, owner)

    def transition(self, owner: Process, change: Callable[[], object]) -> None:
        if self.latency.screen_change_ms:
            self.later(self.latency.screen_change_ms, change, owner)
        else:
            change()
            self.changed()

    def _by_system(self, change: Callable[[], object]) -> None:
        """As ``transition``, for what the system shows: it comes although an app hangs."""
        if self.latency.screen_change_ms:
            self.later(self.latency.screen_change_ms, change, None)
        else:
            change()

    def is_granted(self, owner: Process, permission: str) -> bool:
        return self.permissions.is_granted(owner.package, permission)

    def request_permission(
        self, owner: Process, permission: str, on_result: Callable[[bool], object]
    ) -> None:
        self.permissions.request(self.running[owner.package], permission, on_result)

    def hang(self, owner: Process, ms: int) -> None:
        self.hangs.begin(self.running[owner.package], ms)

    def system_dialog(
        self, title: str, message: str, buttons: Sequence[DialogButton], package: str
    ) -> None:
        def close() -> None:
            self.dialogs.close(dialog)

        def press(button: DialogButton) -> Callable[[], None]:
            def pressed() -> None:
                close()
                if button.on_click is not None:
                    button.on_click()

            return pressed

        closing = [replace(button, on_click=press(button)) for button in buttons]
        dialog = self.design.notice(title, message, closing, package, close)
        self._by_system(lambda: self.dialogs.show(dialog))

    def changed(self) -> None:
        self.version += 1

    def show_keyboard(self, shown: bool) -> None:
        """It takes a screen change to rise, and goes at once."""
        if shown:
            self.reveal_focus = True
            if self.latency.screen_change_ms and not self.keyboard and self.keyboard_rising is None:
                self.keyboard_rising = self.later(
                    self.latency.screen_change_ms, self._keyboard_up, None
                )
            elif self.keyboard_rising is None:
                self.keyboard = True
        else:
            self.keyboard = False
            if self.keyboard_rising is not None:
                self.keyboard_rising.cancel()
                self.keyboard_rising = None
        self.changed()

    def _keyboard_up(self) -> None:
        self.keyboard_rising = None
        self.keyboard = self.reveal_focus = True
        self.changed()

    def toast(self, owner: Process, text: str, ms: int) -> None:
        self._show(Toast(owner.package, text), ms)

    def _show(self, toast: Toast, ms: int) -> None:
        self.toast_shown, self.last_toast = toast, toast.text
        self.later(ms, lambda: self._hide_toast(toast), None)
        self.changed()

    def _hide_toast(self, toast: Toast) -> None:
        if self.toast_shown is toast:
            self.toast_shown = None
            self.changed()

    def show_banner(self, text: str, ms: int) -> None:
        self.hide_banner()
        self.banner, self._banner_hides = text, self.later(ms, self.hide_banner, None)
        self.changed()

    def hide_banner(self) -> None:
        if self._banner_hides is not None:
            self._banner_hides.cancel()
            self.banner = self._banner_hides = None
            self.changed()

    def set_volume(self, volume: int) -> None:
        """Shows the system's panel for a while; a volume that it cannot have is the nearest one."""
        self.volume = min(max(volume, 0), LOUDEST)
        if self.volume_hides is not None:
            self.volume_hides.cancel()
        self.volume_hides = self.later(VOLUME_SHOWN_MS, self._hide_volume, None)
        self.changed()

    def _hide_volume(self) -> None:
        self.volume_hides = None
        self.changed()

    def log(
        self, owner: Process, level: Literal["V", "D", "I", "W", "E", "F"], tag: str, text: str
    ) -> None:
        self.system_log.append(level, tag, text, owner.pid)

    def leave(self, owner: Process) -> None:
        caller = self._callers.pop(owner.package, "")
        if self.front is owner:
            self._to_front(caller if caller in self.running else self.home_package)

    def read_file(self, path: str) -> bytes | None:
        try:
            return self.files.read(path)
        except OSError:
            return None

    def installed_apps(self) -> list[tuple[str, str, str]]:
        shown = [
            app for app in self.apps.values() if not app.system and self.packages.get(app.package)
        ]
        return sorted(
            ((app.package, app.label, app.icon_color) for app in shown), key=lambda row: row[1]
        )

    def start_app(self, package: str, activity: str | None = None) -> None:
        caller = self.front.package
        self.start(package, activity)
        self._callers[package] = caller  # where the back key leads from its last screen

    def copy(self, text: str) -> None:
        self.clipboard, self._readers = text, None

    def set_clip(self, text: str | None, *, shows: bool, announces: bool) -> None:
        """The clip of the shell, which is no app's own."""
        self.clipboard, self._readers = text, set() if announces and text else None
        self.clip_shown = text if shows and text else None
        self.later(CLIP_SHOWN_MS, lambda: self._hide_clip(text), None)
        self.changed()

    def _hide_clip(self, text: str | None) -> None:
        if self.clip_shown == text:
            self.clip_shown = None
            self.changed()

    def read_clip(self, app: RunningApp[Any]) -> str:
        """What an app gets; from Android 12 on a toast says so, once for each app and clip
        (ClipboardService.java, ``showAccessNotificationLocked``)."""
        if self._readers is not None and app.package not in self._readers:
            self._readers.add(app.package)
            self._show(
                Toast("android", f"{app.app.label} pasted from your clipboard"), SHORT_TOAST_MS
            )
        return self.clipboard or ""


def _open(running: RunningApp[Any], make: Callable[[], Page]) -> None:
    running.open(make())


def _collect(answers: list[Any], call: Callable[..., object], *args: object) -> None:
    answers.append(call(*args))


def _unresolved(package: str, activity: str | None) -> str:
    """As the activity manager words it."""
    if activity is not None:
        return f"Activity class {{{package}/{activity}}} does not exist."
    return (
        "Activity not started, unable to resolve Intent { act=android.intent.action.MAIN "
        f"cat=[android.intent.category.LAUNCHER] flg=0x10000000 pkg={package} }}"
    )
