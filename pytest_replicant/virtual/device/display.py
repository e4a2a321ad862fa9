"""``Display``: from what runs to the windows on the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...model import Rect
from ..app_kit.fields import EditText
from ..app_kit.layout import Layout, assign_paths
from ..app_kit.metrics import Metrics
from ..app_kit.recorded import RecordedPage, placed
from ..app_kit.running import Choices, Overlay, RunningApp
from ..app_kit.view_state import ViewState
from ..app_kit.widget import Sizing, Widget
from ..designs.design import Insets, SystemState
from ..designs.material.overlays import Place, overlays
from ..designs.system_dialog import SystemDialog
from ..profile import Profile
from ..system.settings import SettingsStore
from ..ui import UiNode, Window
from .keyguard import Keyguard
from .panes import Pane, scroll_around
from .tasks import Tasks

DIALOG_MARGIN_DP = 16
POPUP_MARGIN_DP = 8
REVEAL_MARGIN_DP = 8
DIALOG_SHARE = 0.75  # of the screen, at most
FIRST_SYSTEM_LAYER = 21  # above the keyboard


SECOND_DISPLAY = 2  # Android's number of the first one that is added
_MONITOR = Rect(0, 0, 1920, 1080)


def other_displays(profile: Profile) -> list[Window]:
    """The windows of the screens next to the phone's own, as of a monitor in desktop mode: a
    launcher of its own, larger than the phone (SecondaryDisplayLauncher of AOSP's Launcher3)."""
    if profile.displays < 2:
        return []
    package = "com.android.launcher3"
    apps = [
        UiNode(
            "android.widget.TextView",
            package,
            place := Rect(60 + 240 * column, 60, 260 + 240 * column, 260),
            place,
            f"{package}:id/icon",
            label,
            clickable=True,
            focusable=True,
        )
        for column, label in enumerate(("Files", "Settings"))
    ]
    root = UiNode("android.widget.FrameLayout", package, _MONITOR, _MONITOR, children=apps)
    return [Window("app", package, "SecondaryDisplayLauncher", 0, root, display=SECOND_DISPLAY)]


class Display:
    """Builds the windows when they are asked for, and keeps them as long as nothing changes."""

    def __init__(
        self,
        tasks: Tasks,
        profile: Profile,
        clock: Callable[[], str],
        keyguard: Keyguard,
        settings: SettingsStore,
    ) -> None:
        self._tasks = tasks
        self._design = tasks.design
        self._profile = profile
        self._clock = clock
        self.keyguard = keyguard
        self._settings = settings
        self.stylus_page_closed = False
        self._locked: tuple[int, list[Window]] = (-1, [])
        self._built_version = -1
        self._windows: list[Window] = []
        self._none: list[Window] = []  # the same one each time, as for a screen that is on
        self._drawn: dict[
            str, list[Pane]
        ] = {}  # what an app showed last, by package, for when it hangs
        self.panes: list[Pane] = []
        self.rotation = 0
        self.awake = True
        self.is_drawn = True  # the activity in front, of an app that does not hang in opening it
        self.metrics = Metrics(profile.scale)

    @property
    def size(self) -> tuple[int, int]:
        upright = (self._profile.width, self._profile.height)
        return upright if self.rotation % 2 == 0 else (upright[1], upright[0])

    @property
    def top(self) -> Pane:
        """The pane that has the input focus."""
        self.windows()
        return self.panes[-1]

    @property
    def keyboard_shown(self) -> bool:
        self.windows()
        return self._tasks.keyboard

    def wake(self, awake: bool) -> None:
        """Turns the screen on or off."""
        self.awake = awake
        if not awake:
            self.keyguard.went_dark()
        self._tasks.changed()

    @property
    def usable(self) -> bool:
        """Whether the screen is on and unlocked."""
        return self.awake and not self.keyguard.shown

    def dismiss_keyguard(self) -> bool:
        self._tasks.changed()
        return self.keyguard.dismiss()

    def windows(self) -> list[Window]:
        """From the bottom up; none while the screen is off, the lock screen alone while it is
        up."""
        while self._built_version != self._tasks.version:
            app = self._tasks.front
            if self._tasks.survives(app, self._build, app):
                self._built_version = self._tasks.version
        if self.usable or not self.awake:
            return self._windows if self.awake else self._none
        if self._locked[0] != self._built_version:
            shown = self._design.lock_screen(self.size, self.metrics, self._clock())
            bar = [window for window in self._windows if window.kind == "status_bar"]
            self._locked = (self._built_version, [shown, *bar])
        return self._locked[1]

    def _build(self, app: RunningApp[Any]) -> None:
        self._settle_keyboard(app)
        panes = self._frozen(app) if app in self._tasks.hangs else self._app_panes(app)
        self.is_drawn = app not in self._tasks.hangs or self._has_drawn(app)
        own = len(panes)
        panes += [self._dialog_pane(app, dialog) for dialog in self._tasks.dialogs.over(app)]
        if self._tasks.keyboard and panes[-1].focused_field is None:
            self._tasks.keyboard = (
                False  # what had the focus is gone, and the room for the keyboard with it
            )
            self._build(app)
            return
        self._drawn[app.package] = panes[:own]
        panes[-1].window.focused = True
        self._tasks.reveal_focus = False
        self.panes = panes
        self._windows = [*(pane.window for pane in panes), *self._system_windows(app, panes)]
        if over := self._overlays(app, panes):
            self._windows = sorted([*self._windows, *over], key=lambda window: window.layer)
        for window in self._windows:
            window.design = self._design.name

    def _settle_keyboard(self, app: RunningApp[Any]) -> None:
        tasks, entry = self._tasks, app.entry
        state = entry.overlays[-1].view_state if entry.overlays else entry.view_state
        if tasks.keyboard and not state.focus and not state.wanted_focus:
            tasks.keyboard = False
        if (
            self._design.focus_needs_keyboard
            and not tasks.keyboard
            and tasks.keyboard_rising is None
        ):
            state.focus = ""

    def _overlays(self, app: RunningApp[Any], panes: list[Pane]) -> list[Window]:
        """The windows that are not modal; those of a field lie with the window that it is in."""
        if not self._profile.windows:
            return []
        own = [pane for pane in panes if pane.dialog is None]
        nodes = own[-1].window.root.walk() if own[-1:] == panes[-1:] else iter(())
        field = next((node.bounds for node in nodes if node.focused and node.editable), None)
        place = Place(self.size, self.metrics, app.package, self._insets.top, field)
        without = app.screen.seen.without if isinstance(app.screen, RecordedPage) else ()
        return overlays([name for name in self._profile.windows if name not in without], place)

    def _system_windows(self, app: RunningApp[Any], panes: list[Pane]) -> list[Window]:
        tasks = self._tasks
        state = SystemState(
            size=self.size,
            metrics=self.metrics,
            app=app,
            clock=self._clock(),
            keyboard=tasks.keyboard,
            field=panes[-1].focused_field,
            toast=tasks.toast_shown,
            input_method=self._input_method,
            stylus_page=self.stylus_page,
            volume=tasks.volume if tasks.volume_hides is not None else None,
            clip=tasks.clip_shown,
            banner=tasks.banner,
        )
        return self._design.system_windows(state)

    @property
    def stylus_page(self) -> bool:
        """Whether the keyboard shows its page on pens: at the first field, until it is closed,
        unless that is off (appium/appium-uiautomator2-driver#909)."""
        off = self._settings.get("secure", "stylus_handwriting_enabled") == "0"
        return (
            self._profile.stylus
            and self._profile.sdk >= 34
            and not off
            and not self.stylus_page_closed
        )

    @property
    def _input_method(self) -> str:
        method = self._settings.get("secure", "default_input_method") or self._profile.keyboard
        return method.partition("/")[0]

    # --- the app's windows ------------------------------------------------------------------------
    def _screen_pane(self, app: RunningApp[Any]) -> Pane:
        has_focus = self._tasks.keyboard and not app.entry.overlays
        resizes = has_focus and app.screen.soft_input == "resize"
        keyboard_top = self._bottom(has_focus)
        room = (self.size[1] - keyboard_top) / self.metrics.scale if resizes else 0
        toast = self._tasks.toast_shown
        said = toast.text if toast is not None and toast.package == app.package else ""
        root = self._design.screen(app, room, said)
        side = self._insets.side  # apps keep clear of it: LAYOUT_IN_DISPLAY_CUTOUT_MODE_DEFAULT
        turned = Rect(0, 0, *self.size).shifted(side if self.rotation == 1 else -side, 0)
        frame = turned.intersect(Rect(0, 0, *self.size))
        window = Window("app", app.package, f"{app.package}/{app.activity}", 1, _NOTHING)
        pane = self._pane(window, app, app.entry.view_state, root, None)
        self._place(pane, root, frame, keyboard_top if has_focus else None)
        return pane

    def _app_panes(self, app: RunningApp[Any]) -> list[Pane]:
        if isinstance(app.screen, RecordedPage):
            return self._recorded_panes(app, app.screen)
        return [
            self._screen_pane(app),
            *(self._overlay_pane(app, each) for each in app.entry.overlays),
        ]

    def _recorded_panes(self, app: RunningApp[Any], page: RecordedPage) -> list[Pane]:
        """Its windows as they were, stretched on a phone that is turned; one that leaves much of
        the screen free is a dialog's."""
        across, down = self.size[0] / self._profile.width, self.size[1] / self._profile.height
        roots, panes, widgets = page.roots(app), [], dict[str, Widget]()
        for place, root in enumerate(roots):
            assign_paths(root, str(place), widgets)
            is_dialog = root.node.bounds.area < DIALOG_SHARE * self.size[0] * self.size[1]
            window = Window(
                "dialog" if is_dialog else "app", app.package, page.seen.name, 1 + place, _NOTHING
            )
            window.dims_below = is_dialog
            panes.append(
                Pane(window, app, app.entry.view_state, self.metrics, widgets, self._tasks)
            )
        self._focus(panes[0])
        for pane, root in zip(panes, roots, strict=True):
            pane.window.root = placed(root, self._sizing(pane), across, down)
        return panes

    def _has_drawn(self, app: RunningApp[Any]) -> bool:
        """Whether what the app showed before it hung was the activity that is in front now."""
        drawn = self._drawn.get(app.package, [])
        return (
            bool(drawn)
            and drawn[0].app is app
            and drawn[0].window.title == f"{app.package}/{app.activity}"
        )

    def _frozen(self, app: RunningApp[Any]) -> list[Pane]:
        """What the app showed before it hung; where it never came to show anything, an empty
        window."""
        drawn = self._drawn.get(app.package, [])
        if not drawn or drawn[0].app is not app:
            window = Window("app", app.package, f"Splash Screen {app.package}", 1, _NOTHING)
            root = Widget(class_name="android.widget.FrameLayout", width="fill", height="fill")
            drawn = [self._pane(window, app, ViewState(), root, None)]
            self._place(drawn[0], root, Rect(0, 0, *self.size), None)
        return [replace(pane, window=replace(pane.window, focused=False)) for pane in drawn]

    def _dialog_pane(self, app: RunningApp[Any], dialog: SystemDialog) -> Pane:
        root = dialog.build()
        layer = FIRST_SYSTEM_LAYER + self._tasks.dialogs.over(app).index(dialog)
        window = Window(
            "system_dialog", dialog.package, dialog.window_title, layer, _NOTHING, dims_below=True
        )
        pane = self._pane(window, app, dialog.view_state, root, None)
        pane.dialog = dialog
        self._place(pane, root, self._dialog_frame(pane, root), None)
        return pane

    def _overlay_pane(self, app: RunningApp[Any], overlay: Overlay) -> Pane:
        layer = 2 + app.entry.overlays.index(overlay)
        content = overlay.content
        if isinstance(content, Choices):
            root = self._design.choices(app, content)
            window = Window("popup", app.package, "PopupWindow", layer, _NOTHING)
            pane = self._pane(window, app, overlay.view_state, root, overlay)
            frame = self._popup_frame(pane, root, content.anchor)
        else:
            root = self._design.dialog(app, content)
            window = Window("dialog", app.package, content.title, layer, _NOTHING, dims_below=True)
            pane = self._pane(window, app, overlay.view_state, root, overlay)
            frame = self._dialog_frame(pane, root)
        self._place(pane, root, frame, None)
        return pane

    def _pane(
        self,
        window: Window,
        app: RunningApp[Any],
        view_state: ViewState,
        root: Widget,
        overlay: Overlay | None,
    ) -> Pane:
        pane = Pane(window, app, view_state, self.metrics, {}, self._tasks, overlay)
        assign_paths(root, "", pane.widgets)
        self._focus(pane)
        return pane

    def _focus(self, pane: Pane) -> None:
        """Gives the focus to the widget that was asked for, and takes it from one that cannot have
        it."""
        view_state = pane.view_state
        wanted, view_state.wanted_focus = view_state.wanted_focus, ""
        if wanted:
            paths = (path for path in pane.widgets if path.rsplit("/", 1)[-1] == wanted)
            view_state.focus = next(paths, view_state.focus)
        focused = pane.widgets.get(view_state.focus)
        if focused is None or not focused.enabled:
            view_state.focus = ""

    def _popup_frame(self, pane: Pane, root: Widget, anchor: Rect) -> Rect:
        room = self._room(POPUP_MARGIN_DP, keyboard=False)
        layout = Layout(self._sizing(pane))

        def height(width: int) -> int:
            return min(layout.measure(root, width, room.height)[1], room.height)

        return self._design.choices_frame(anchor, room, height, self.metrics)

    def _dialog_frame(self, pane: Pane, root: Widget) -> Rect:
        room = self._room(DIALOG_MARGIN_DP, keyboard=self._tasks.keyboard)
        width = self._design.dialog_width(self.size, self.metrics)
        height = min(Layout(self._sizing(pane)).measure(root, width, room.height)[1], room.height)
        left, start = (self.size[0] - width) // 2, room.top + (room.height - height) // 2
        return Rect(left, start, left + width, start + height)

    def _room(self, margin_dp: int, *, keyboard: bool) -> Rect:
        """What the system leaves of the screen, and a margin less."""
        margin = self.metrics.px(margin_dp)
        top, bottom = self._insets.top + margin, self._bottom(keyboard) - margin
        return Rect(margin, top, self.size[0] - margin, bottom)

    def _place(self, pane: Pane, root: Widget, frame: Rect, keyboard_top: int | None) -> None:
        """Lays a window out; above ``keyboard_top`` if something is typed in it."""
        if keyboard_top is not None and pane.view_state.focus:
            frame = frame.shifted(0, -self._pan(pane, root, frame, keyboard_top))
        layout = Layout(self._sizing(pane), keeps_hidden=self._design.keeps_hidden)
        placed = layout.place(root, frame, Rect(0, 0, *self.size))
        pane.window.root = placed or pane.window.root

    def _pan(self, pane: Pane, root: Widget, frame: Rect, keyboard_top: int) -> int:
        """Scrolls the focused field into view; the pixels that the window must move up besides."""
        margin = self.metrics.px(REVEAL_MARGIN_DP)
        field = self._frame_of(pane, root, frame, pane.view_state.focus)
        scroll = scroll_around(pane.widgets, pane.view_state.focus)
        if field is None:
            return 0
        if scroll is not None and self._tasks.reveal_focus:
            view = self._frame_of(pane, root, frame, scroll.path) or frame
            below = field.bottom + margin - min(view.bottom, keyboard_top)
            above = view.top - field.top
            moved = pane.view_state.scroll(scroll.path).by(max(below, 0) or -max(above, 0))
            field = field.shifted(0, -moved)
        return 0 if scroll is not None else max(field.bottom + margin - keyboard_top, 0)

    def _frame_of(self, pane: Pane, root: Widget, frame: Rect, path: str) -> Rect | None:
        """Where a widget is or would be, seen or not."""
        placed = Layout(self._sizing(pane), unclipped=True).place(root, frame, frame)
        nodes = placed.walk() if placed else iter(())
        return next(
            (node.frame for node in nodes if getattr(node.owner, "path", None) == path), None
        )

    def _sizing(self, pane: Pane) -> Sizing:
        return Sizing(self.metrics, pane.theme, pane.window.package, pane.view_state)

    def _bottom(self, keyboard: bool) -> int:
        """Where the part of the screen that an app has for itself ends."""
        if keyboard:
            return self._design.keyboard_frame(self.size, self.metrics).top
        return self.size[1] - self._insets.bottom

    @property
    def _insets(self) -> Insets:
        return self._design.insets(self.size, self.metrics)


_NOTHING = UiNode("android.view.View", "", Rect(0, 0, 0, 0), Rect(0, 0, 0, 0))


def field_of(pane: Pane, node: UiNode) -> EditText | None:
    """The field that a node stands for, in the newest build of its window; None if it is no
    field."""
    path = getattr(node.owner, "path", None)
    widget = pane.widgets.get(path) if isinstance(path, str) else None
    return widget if isinstance(widget, EditText) else None
