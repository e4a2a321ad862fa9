"""``App``: an app, declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .theme import LIGHT, Theme

if TYPE_CHECKING:
    from .host import Host
    from .running import RunningApp
    from .screen import Screen
    from .widget import Callback, Widget

S = TypeVar("S")

# how long Android waits for an app to take its input before it says that it isn't responding
ANR_MS = 5000


@dataclass(frozen=True, kw_only=True)
class App(Generic[S]):
    """``state`` makes the state of a fresh process; it is given what the app stored on the phone, a
    dict that outlives the process and is emptied with the app's data. ``start`` makes the first
    screen. ``screens`` makes those that can be started from outside, by activity name. ``links``
    answers a URL that begins with one of ``url_prefixes`` with the screen to open. ``receivers``
    answer broadcasts by action: given the extras, they return result code and data. ``answers`` has
    the activity that an intent opens, by its action, with a space and a category behind it where it
    needs one. ``panels`` are activities that are a dialog over the screen in front: given the phone
    and what closes it, they return what builds it. A start of the first activity of a
    ``single_task`` closes what lies on it; one that is not ``launchable`` has no activity for a
    launcher. ``anr_ms`` is how long input may wait for the app before the system complains.
    """

    package: str
    label: str
    state: Callable[[dict[str, Any]], S]
    start: Callable[[], Screen[S]]
    screens: Mapping[str, Callable[[], Screen[S]]] = field(default_factory=dict)
    url_prefixes: Sequence[str] = ()
    links: Callable[[str], Screen[S]] | None = None
    receivers: Mapping[str, Callable[[RunningApp[S], Mapping[str, str]], tuple[int, str]]] = field(
        default_factory=dict
    )
    answers: Mapping[str, str] = field(default_factory=dict)
    panels: Mapping[str, Callable[[Host, Callback], Callable[[], Widget]]] = field(
        default_factory=dict
    )
    theme: Theme | Callable[[S], Theme] = LIGHT
    version_name: str = "1.0"
    version_code: int = 1
    permissions: Sequence[str] = ()
    icon_color: str = "#3949ab"
    system: bool = False
    single_task: bool = False
    launchable: bool = True
    anr_ms: int = ANR_MS

    def full_name(self, activity: str) -> str:
        """A full class name, from one that may begin with a dot."""
        return f"{self.package}{activity}" if activity.startswith(".") else activity

    @property
    def main_activity(self) -> str:
        return self.full_name(self.start().activity)
