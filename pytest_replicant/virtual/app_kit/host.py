"""``Host``: what the phone does for the apps that run on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from .dialog import DialogButton
    from .timers import Timer


class Process(Protocol):
    """The identity of a running app on the phone."""

    @property
    def package(self) -> str: ...

    @property
    def pid(self) -> int: ...


class Host(Protocol):
    """The phone, as an app sees it."""

    volume: int  # of media, 0 to 15

    def later(self, ms: int, callback: Callable[[], object], owner: Process | None) -> Timer:
        """Calls back on the phone's clock, as long as the owner's process lives."""
        ...

    def transition(self, owner: Process, change: Callable[[], object]) -> None:
        """Makes a change visible once the phone's screen change is over; at no latency, at once."""
        ...

    def changed(self) -> None:
        """Marks the screen as out of date."""
        ...

    def show_keyboard(self, shown: bool) -> None: ...

    def toast(self, owner: Process, text: str, ms: int) -> None: ...

    def log(
        self, owner: Process, level: Literal["V", "D", "I", "W", "E", "F"], tag: str, text: str
    ) -> None: ...

    def is_granted(self, owner: Process, permission: str) -> bool:
        """Whether the app has a permission now."""
        ...

    def request_permission(
        self, owner: Process, permission: str, on_result: Callable[[bool], object]
    ) -> None:
        """Asks the user for it where that is called for."""
        ...

    def hang(self, owner: Process, ms: int) -> None:
        """The app's main thread is blocked for so long."""
        ...

    def system_dialog(
        self, title: str, message: str, buttons: Sequence[DialogButton], package: str
    ) -> None:
        """The system opens a dialog of its own over the screen in front."""
        ...

    def leave(self, owner: Process) -> None:
        """The last screen of an app is gone: what was there before comes to the front."""
        ...

    @property
    def is_online(self) -> bool:
        """Whether the phone has a network."""
        ...

    @property
    def screen_dp(self) -> tuple[int, int]:
        """Width and height of the screen as it is held, in density-independent pixels or points."""
        ...

    def read_file(self, path: str) -> bytes | None:
        """Returns the content of a file of the shared storage; None if there is none."""
        ...

    def installed_apps(self) -> list[tuple[str, str, str]]:
        """Package, label and icon colour of what a launcher shows, by label."""
        ...

    def start_app(self, package: str, activity: str | None = None) -> None: ...

    def copy(self, text: str) -> None:
        """Puts a text on the clipboard."""
        ...
