"""The device model: one virtual phone, whichever face it shows to the world.

Everything here is synchronous and guarded by one re-entrant lock, so that any face may call from any thread.
Time is the phone's own clock; due timers run whenever somebody looks, so that no thread is needed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .app_kit import App
    from .pace import Pace
    from .profile import Latency, Profile
    from .streams import PortTable, Program
    from .system.files import FileSystem
    from .system.logcat import LogBuffer
    from .system.packages import Packages
    from .system.settings import SettingsStore
    from .ui import UiNode, Window


class VirtualPhone:
    """A phone made of Python. ``apps`` are installed from the start; the launcher and the system are its own."""

    profile: Profile
    latency: Latency
    lock: threading.RLock
    files: FileSystem
    log: LogBuffer
    packages: Packages
    settings: SettingsStore
    pace: Pace
    ports: PortTable  # what listens on the phone's own sockets
    programs: dict[str, Program]  # Java main classes that `app_process` and `am instrument` can start

    def __init__(
        self,
        apps: Sequence[App] = (),
        *,
        profile: Profile | None = None,
        latency: Latency | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        raise NotImplementedError

    # --- looking ------------------------------------------------------------------------------------------
    def windows(self) -> list[Window]:
        """What is on the screen now, from the bottom up, after timers that are due have run."""
        raise NotImplementedError

    def version(self) -> int:
        """Changes whenever ``windows()`` would; what was rendered for one version may be kept."""
        raise NotImplementedError

    @property
    def rotation(self) -> int:
        """0 to 3, quarter turns."""
        raise NotImplementedError

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as rotated now."""
        raise NotImplementedError

    def foreground(self) -> tuple[str, str]:
        """Package and full activity name in front."""
        raise NotImplementedError

    def processes(self) -> Mapping[str, int]:
        """Package to pid, of running apps and the system's own processes."""
        raise NotImplementedError

    @property
    def keyboard_shown(self) -> bool:
        raise NotImplementedError

    # --- touching -----------------------------------------------------------------------------------------
    def tap(self, x: int, y: int) -> None:
        raise NotImplementedError

    def long_press(self, x: int, y: int, ms: int = 800) -> None:
        raise NotImplementedError

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        raise NotImplementedError

    def drag(self, x1: int, y1: int, x2: int, y2: int, ms: int = 800) -> None:
        raise NotImplementedError

    def press_key(self, key: str | int) -> bool:
        """By number (4), name ("BACK") or constant ("KEYCODE_BACK"); False for an unknown one."""
        raise NotImplementedError

    def type_text(self, text: str) -> bool:
        """At the caret of the focused field; False where nothing has the focus."""
        raise NotImplementedError

    def set_text(self, node: UiNode, text: str) -> bool:
        """Replaces a field's text, as the accessibility action does; False where it is no field."""
        raise NotImplementedError

    def set_rotation(self, rotation: int) -> None:
        raise NotImplementedError

    # --- apps ---------------------------------------------------------------------------------------------
    def start_app(self, package: str, activity: str | None = None, url: str | None = None) -> None:
        """Raises ``LookupError`` with Android's own wording where it is not installed."""
        raise NotImplementedError

    def stop_app(self, package: str) -> None:
        raise NotImplementedError

    def clear_app(self, package: str) -> bool:
        """Stops it and forgets its data; False where it is not installed."""
        raise NotImplementedError

    def send_broadcast(self, action: str, extras: Mapping[str, str]) -> tuple[int, str]:
        """Result code and data of an ordered broadcast."""
        raise NotImplementedError

    # --- toasts, clipboard --------------------------------------------------------------------------------
    last_toast: str | None
    clipboard: str | None
