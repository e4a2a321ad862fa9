"""What one run of the server holds: the phone, the objects it handed out, and what was rendered
last."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ..renderers.uiautomator import active_window
from ..streams import in_thread
from ..ui import UiNode, touchable
from .failures import REFUSED_TO_INJECT, java_exception, object_not_found
from .selector import Selector, find, find_inner

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

Object = Selector | str
T = TypeVar("T")

POLL = 0.01  # seconds between two looks at the phone's version while a call waits for a change
MAIN = "com.wetest.uia2.Main"  # by which `app_process` starts the server
LONGEST_WAIT = 600.0  # seconds; the client's socket gives up then


@dataclass
class Touch:
    """A finger that ``injectInputEvent`` has put down: where it was, in order, with the times in
    seconds."""

    trail: list[tuple[int, int, float]]


class Automation:
    """Methods named ``…_now`` look at the phone, inside ``on_phone``; the others are for the
    loop."""

    def __init__(self, phone: VirtualPhone) -> None:
        self.phone = phone
        self.touch: Touch | None = None
        self.objects: dict[str, Selector] = {}
        self._names = itertools.count(1)
        self._rendered: dict[tuple[object, ...], bytes] = {}
        self._rendered_version: int | None = None

    # --- on the loop ------------------------------------------------------------------------------
    async def on_phone(self, look: Callable[[], T]) -> T:
        """Runs a look or an act off the loop, the phone standing still for it."""

        def locked() -> T:
            with self.phone.lock:
                return look()

        return await in_thread(locked)

    async def wait_until(self, condition: Callable[[], bool], timeout_ms: int) -> bool:
        """Whether it holds in time. It is looked at once at least, and again at each change of the
        screen."""
        deadline = self.phone.pace.now() + min(max(timeout_ms, 0) / 1000, LONGEST_WAIT)
        while True:
            version, holds = await self.on_phone(lambda: (self.phone.version(), condition()))
            if holds or not await self._changes(version, deadline):
                return holds

    async def _changes(self, version: int, deadline: float) -> bool:
        """Waits until the screen is another one; False if the phone's pace reaches ``deadline``
        before."""
        pace = self.phone.pace
        while (left := deadline - pace.now()) > 0:
            if await in_thread(self.phone.version) != version:
                return True
            await pace.sleep(min(POLL, left))
        return False

    async def rendered(
        self, key: tuple[object, ...], look: Callable[[], T], render: Callable[[T], bytes]
    ) -> bytes:
        """What ``render`` makes of what ``look`` sees, made once for as long as the screen stays as
        it is. Only the look holds up the phone: the tree of its screen is rebuilt for each
        change."""

        def look_and_render() -> bytes:
            with self.phone.lock:
                version = self.phone.version()
                if version != self._rendered_version:
                    self._rendered, self._rendered_version = {}, version
                kept = self._rendered
                if key in kept:
                    return kept[key]
                seen = look()
            kept[key] = render(seen)
            return kept[key]

        return await in_thread(look_and_render)

    async def inject(self, length_ms: int = 0) -> None:
        """Waits for the call to come, then as long as a gesture of this length takes, none of it on
        a phone without latency. Raises ``RpcError`` if the maker lets adb touch nothing."""
        latency = self.phone.latency
        await self.phone.pace.take(
            "gesture", latency.rpc_ms + (max(length_ms, 0) if latency.gesture_ms else 0)
        )
        if not self.phone.profile.injects:
            raise java_exception("java.lang.SecurityException", REFUSED_TO_INJECT)

    def remember(self, selector: Selector) -> str:
        """A name that stands for the selector from now on."""
        name = f"obj{next(self._names)}"
        self.objects[name] = selector
        return name

    def selector(self, wanted: Object) -> Selector:
        """What a name stands for; raises ``RpcError`` for one that was never given or was
        removed."""
        if isinstance(wanted, Selector):
            return wanted
        if wanted not in self.objects:
            raise object_not_found(f"UiObject {wanted} not found!")
        return self.objects[wanted]

    # --- on the phone -----------------------------------------------------------------------------
    def find_now(self, wanted: Object) -> list[UiNode]:
        """In the window that selectors see, as UI Automator's do: the one with the focus, and no
        other."""
        selector = self.selector(wanted)
        window = active_window(self.phone.windows())
        return find(selector, window.root) if window else []

    def find_one_now(self, wanted: Object) -> UiNode:
        """The first match; raises ``RpcError`` if there is none. What a BySelector can say is
        looked for in all windows, and a match inside another one comes before it (ByMatcher.java,
        ``findMatches``)."""
        found: list[UiNode] = []
        if isinstance(wanted, Selector) and wanted.is_simple:
            for window in touchable(self.phone.windows()):
                found = found or find_inner(wanted, window.root)[:1]
        found = found or self.find_now(wanted)
        if not found:
            raise object_not_found(str(self.selector(wanted)))
        return found[0]
