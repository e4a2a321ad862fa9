"""What one WebDriverAgent holds: the phone, its settings, the session, and the tree that was made
last."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ...model import Point
from ..renderers.xcuitest import OVER_APPS, SPRINGBOARD, XCElement, element_tree, springboard_tree
from ..streams import in_thread
from .failures import crashed, no_session, stale
from .session import Mark, Session, marks
from .settings import defaults
from .versions import Kind, lacking

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone
    from ..ui import Window

T = TypeVar("T")
POLL = 0.01  # seconds between two looks at a phone that something is awaited of


class Agent:
    """Methods named ``…_now`` look at the phone, inside ``on_phone``; the others are for the
    loop."""

    def __init__(self, phone: VirtualPhone) -> None:
        self.phone = phone
        self.settings: dict[str, Any] = defaults(phone.profile.wda)
        self.session: Session | None = None
        self.rendered: dict[tuple[object, ...], bytes] = {}  # of the newest tree
        self.pictures: dict[tuple[object, ...], bytes] = {}
        self._key: object = None
        self._tree: XCElement | None = None
        self._elements: dict[Mark, XCElement] = {}
        self._marks: dict[XCElement, Mark] = {}

    @property
    def scale(self) -> float:
        return self.phone.profile.scale

    def lacks(self, kind: Kind) -> frozenset[str]:
        """Names that this version does not know."""
        return lacking(self.phone.profile.wda, kind)

    # --- on the loop ------------------------------------------------------------------------------
    async def on_phone(self, look: Callable[[], T]) -> T:
        """Runs a look or an act off the loop, the phone standing still for it."""

        def locked() -> T:
            with self.phone.lock:
                return look()

        return await in_thread(locked)

    async def wait_until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Whether it holds in time. It is looked at once at least."""
        pace = self.phone.pace
        deadline = pace.now() + seconds
        while not await self.on_phone(condition):
            if pace.now() >= deadline:
                return False
            await pace.sleep(POLL)
        return True

    def gesture_ms(self, seconds: float) -> int:
        """Returns the duration of a gesture of this length: 0 on a phone without latency."""
        return round(max(seconds, 0) * 1000) if self.phone.latency.gesture_ms else 0

    def open(self, session: Session) -> None:
        """The only one: what was there before is gone."""
        self.session = session
        self.settings = defaults(self.phone.profile.wda)

    def forget(self) -> None:
        """As after a new start: no session, and the settings as they are at first."""
        self.session = None
        self.settings = defaults(self.phone.profile.wda)

    def session_named(self, identity: str) -> Session:
        """Raises ``WdaError`` if it is not, or no longer, the session."""
        if self.session is None or self.session.id != identity:
            raise no_session()
        return self.session

    # --- on the phone -----------------------------------------------------------------------------
    def point(self, x: float, y: float) -> Point:
        """From points to the phone's pixels."""
        return Point(round(x * self.scale), round(y * self.scale))

    def active_now(self) -> str:
        """The application that commands are about. Raises ``WdaError`` if that of the session has
        died."""
        session, front = self.session, self.phone.foreground()[0]
        if (
            front == self.settings["defaultActiveApplication"]
        ):  # before all else (FBSession.m activeApplication)
            return front
        if (
            session is not None
            and session.expected
            and session.bundle_id not in self.phone.processes()
        ):
            raise crashed(session.bundle_id)
        return SPRINGBOARD if not self.phone.awake or self._is_behind_now(front) else front

    def _is_behind_now(self, front: str) -> bool:
        """Whether a window of SpringBoard's makes that the active application. Over the app that
        the session was opened for an alert does, and the NotificationShortLookView of a banner,
        where the setting says so (FBSession.m activeApplication). Over another app it is what lies
        under one point of the screen (FBActiveAppDetectionPoint.m)."""
        over = [window for window in self.phone.windows() if window.kind in OVER_APPS]
        if self.session is not None and self.session.bundle_id == front:
            return bool(over and self.settings["respectSystemAlerts"])
        x, _, y = self.settings["activeAppDetectionPoint"].partition(",")
        return any(window.root.bounds.contains(self.point(float(x), float(y))) for window in over)

    def system_alert_now(self) -> bool:
        return any(window.kind == "system_dialog" for window in self.phone.windows())

    def tree_now(self) -> XCElement:
        """Returns the active application's elements, rebuilt only if something has changed."""
        bundle_id = self.active_now()
        windows = self.phone.windows()
        key = (self.phone.version(), bundle_id, self.phone.rotation, self.phone.awake)
        if key != self._key or self._tree is None:
            self._tree = self.tree_of(windows, bundle_id)
            self._key, self._elements, self._marks, self.rendered = key, {}, {}, {}
        return self._tree

    def tree_of(self, windows: list[Window], bundle_id: str) -> XCElement:
        """The elements of an application in windows that were on the screen at some time."""
        size, pid = self.phone.size, self.phone.processes().get(bundle_id, 0)
        if bundle_id == SPRINGBOARD and any(window.kind in OVER_APPS for window in windows):
            return springboard_tree(windows, pid=pid, size=size, scale=self.scale)
        package = self.phone.packages.get(bundle_id)
        name = package.label if package is not None and bundle_id != SPRINGBOARD else " "
        return element_tree(
            windows, bundle_id=bundle_id, name=name, pid=pid, size=size, scale=self.scale
        )

    def alert_tree_now(self) -> XCElement:
        """Where an alert is looked for: SpringBoard's elements while it has one, in any
        settings."""
        if self.system_alert_now():
            return self.tree_of(self.phone.windows(), SPRINGBOARD)
        return self.tree_now()

    def remember_now(self, session: Session, element: XCElement) -> str:
        """An element's id for clients. It has to be of the newest tree."""
        self._mark_all_now()
        return session.remember(self._marks[element])

    def element_now(self, session: Session, identity: str) -> XCElement:
        """Raises ``WdaError`` if it is not on the screen any more."""
        mark = session.mark(identity)
        self._mark_all_now()
        if mark not in self._elements:
            raise stale(identity)
        return self._elements[mark]

    def _mark_all_now(self) -> None:
        tree = self.tree_now()
        if not self._elements:
            self._elements = dict(marks(tree, self.phone.screen()))
            self._marks = {element: mark for mark, element in self._elements.items()}
