"""A driver that plays a script of screens on a manual clock: for what depends on when a dump comes
back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_replicant.drivers import (
    AppInFront,
    AppStatus,
    BaseDriver,
    Capability,
    CrashLog,
    DeviceInfo,
    FocusedField,
    Key,
    LogMark,
    Orientation,
    SystemDialogs,
)
from pytest_replicant.model import ManualClock, Point, Rect

APP = "dev.example.app"
LAUNCHER = "dev.example.home"


def node(
    class_name: str,
    bounds: tuple[int, int, int, int],
    *inner: str,
    text: str = "",
    resource_id: str = "",
    **flags: bool,
) -> str:
    left, top, right, bottom = bounds
    known = {
        name: str(flags.get(name.replace("-", "_"), name == "enabled")).lower()
        for name in (
            "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable",
            "long-clickable", "password", "selected",
        )
    }  # fmt: skip
    states = " ".join(f'{name}="{value}"' for name, value in known.items())
    place = f"[{left},{top}][{right},{bottom}]"
    return (
        f'<node index="0" text="{text}" resource-id="{resource_id}" '
        f'class="android.widget.{class_name}" package="{APP}" content-desc="" {states} '
        f'bounds="{place}">{"".join(inner)}</node>'
    )


def screen(*nodes: str, title: str = "") -> bytes:
    bar = (
        node("Toolbar", (0, 0, 1000, 100), node("TextView", (0, 0, 500, 100), text=title))
        if title
        else ""
    )
    root = node("FrameLayout", (0, 0, 1000, 2000), bar, *nodes)
    return f"<?xml version='1.0' encoding='UTF-8' ?><hierarchy rotation=\"0\">{root}</hierarchy>".encode()


def button(text: str, top: int = 200, **flags: bool) -> str:
    states = {"clickable": True, **flags}
    return node("Button", (100, top, 500, top + 100), text=text, resource_id="", **states)


HOME = screen(button("Go"), title="Home")
NEXT = screen(button("Stop"), title="Next")


class ScriptedPhone(BaseDriver):
    """``frames`` are what successive dumps return or raise; the last one stays. ``on_gesture`` may
    change them. A dump takes ``dump_seconds`` of the clock."""

    uri = "scripted"
    system_dialogs = SystemDialogs()
    info = DeviceInfo("scripted", "android", "Script", "14", 1000, 2000, 2.0)
    capabilities = ~(
        Capability.COLD_START
        | Capability.REPLACE_TEXT
        | Capability.DRAWN
        | Capability.LOCK
        | Capability.STYLE
    )

    def __init__(
        self,
        clock: ManualClock,
        frames: Sequence[bytes | Exception],
        *,
        dump_seconds: float = 0.05,
        on_gesture: Callable[[ScriptedPhone], None] | None = None,
    ) -> None:
        self.clock = clock
        self.frames = list(frames)
        self.dump_seconds = dump_seconds
        self.on_gesture = on_gesture
        self.dumps = 0
        self.gestures: list[tuple[str, Point]] = []
        self.toast: str | None = None
        self.keyboard_up = True  # as the phone says it; a dump may be older
        self.activity = ".MainActivity"
        self.front = APP  # what a launch puts in front, unless it is ``stubborn``
        self.stubborn = False
        self.typed: list[str] = []

    def dump_hierarchy(self) -> bytes:
        self.dumps += 1
        frame = self.frames.pop(0) if len(self.frames) > 1 else self.frames[0]
        self.clock.advance(self.dump_seconds)
        if isinstance(frame, BaseException):
            raise frame
        return frame

    def _gesture(self, kind: str, point: Point) -> None:
        self.gestures.append((kind, point))
        if self.on_gesture is not None:
            self.on_gesture(self)

    def tap(self, point: Point) -> None:
        self._gesture("tap", point)

    def double_tap(self, point: Point) -> None:
        self._gesture("double_tap", point)

    def long_press(self, point: Point, seconds: float) -> None:
        self._gesture("long_press", point)

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        self._gesture("swipe", start)

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        self._gesture("drag", start)

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        self._gesture("pinch", area.center)

    def check_typeable(self, text: str) -> None: ...

    def type_text(self, text: str) -> None:
        self.typed.append(text)
        if self.on_gesture is not None:
            self.on_gesture(self)

    def clear_text(self) -> None: ...

    def focused_field(self) -> FocusedField | None:
        return FocusedField("", Rect(0, 0, 1000, 2000), "")

    def keyboard_shown(self) -> bool:
        return False

    def press_key(self, key: Key) -> None:
        if key == "home" and not self.stubborn:
            self.front = LAUNCHER
        self._gesture(f"key {key}", Point(0, 0))

    def hide_keyboard(self) -> None:
        if self.keyboard_up:
            self.press_key("back")

    def screenshot(self) -> bytes:
        return repr(self.frames[0]).encode()  # of no use but to be compared

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        self.front = self.front if self.stubborn else app
        self._gesture(f"launch {app}", Point(0, 0))

    def stop(self, app: str) -> None: ...

    def app_in_front(self) -> AppInFront:
        return AppInFront(self.front, self.activity)

    def app_status(self, app: str) -> AppStatus:
        return "foreground"

    def last_toast(self) -> str | None:
        return self.toast

    def clear_toasts(self) -> None:
        self.toast = None

    def log_mark(self) -> LogMark:
        return LogMark("0")

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        return []

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        return CrashLog((), LogMark("0"))

    def pids(self, app: str) -> tuple[int, ...]:
        return ()

    def installed(self, app: str) -> bool:
        return True

    def orientation(self) -> Orientation:
        return "portrait"

    def wake(self) -> None: ...

    def reconnect(self, timeout: float) -> None: ...

    def close(self) -> None: ...


def to_next(phone: ScriptedPhone) -> None:
    phone.frames = [NEXT]
