"""``Witness``: a session as a policy sees it, which notes what is done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...drivers import AppInFront, AppStatus, DeviceInfo
from ...drivers.android import dialogs as android
from ...drivers.ios import dialogs as ios
from ...errors import DeviceOffline, Unsupported, UsageError
from ...model import Selector
from ...session import DeviceSession, as_selector, as_target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...drivers import Platform, SystemDialogs
    from ...logs import Crash
    from ...model import Element, Failure
    from ...session import SessionSettings, Target
    from ...snapshots import Snapshot


class Witness:
    """Answers the questions that change nothing, from the failure's own screen. All else is noted in ``acts``, and
    refused as a session refuses it while it asks its policies."""

    def __init__(
        self,
        settings: SessionSettings,
        resolved: Mapping[Selector, Element],
        failure: Failure,
        acts: list[str],
    ) -> None:
        self.settings = settings
        self.launched = [failure.app] if failure.app else []
        self._resolved = resolved
        self._failure = failure
        self._acts = acts

    @property
    def system_dialogs(self) -> SystemDialogs:
        return ios.SYSTEM_DIALOGS if self.platform == "ios" else android.SYSTEM_DIALOGS

    @property
    def platform(self) -> Platform:
        """That of the failure's screen."""
        snapshot: Snapshot | None = self._failure.snapshot
        return snapshot.platform if snapshot is not None else "android"

    @property
    def info(self) -> DeviceInfo:
        if self.platform == "ios":
            return DeviceInfo("an-iphone", "ios", "Witness", "17.5", 1170, 2532, 3.0)
        return DeviceInfo("a-phone", "android", "Witness", "14", 1080, 2400, 2.75)

    @property
    def current_app(self) -> AppInFront:
        return AppInFront(self.snapshot().app)

    def resolved_before(self, selector: Selector) -> Element | None:
        return self._resolved.get(selector)

    def ended_by_nobody(self, app: str) -> bool:
        return False

    def app_status(self, app: str | None = None) -> AppStatus:
        return "foreground" if (app or self._failure.app) == self.snapshot().app else "background"

    def crashes(self, app: str | None = None) -> list[Crash]:
        if self.platform == "ios":
            raise Unsupported("the crashes of an-iphone cannot be read", capability="CRASHES", device="an-iphone")
        return []

    def snapshot(self) -> Snapshot:
        found: Snapshot | None = self._failure.snapshot
        if found is None:
            raise DeviceOffline("the screen cannot be read")
        return found

    def find(self, target: Target | None = None, /, **by: Any) -> Element:
        wanted = as_target("find", target, by)
        if isinstance(wanted, Selector):
            return self.snapshot().one(wanted)
        return self.snapshot().element(wanted if isinstance(wanted, str) else wanted.ref)

    def find_all(self, selector: Selector | None = None, /, **by: Any) -> list[Element]:
        return self.snapshot().every(as_selector("find_all", selector, by))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(DeviceSession, name):
            raise AttributeError(f"a session has no {name!r}")
        self._acts.append(name)
        raise UsageError(f"{name}: a policy answers with a Recovery; the session does what it says")
