"""A session over recorded screens: what it printed earlier is used on what it reads now, by its own
rules."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from pytest_replicant.drivers import Capability, Traits
from pytest_replicant.model import ManualClock, Redactor
from pytest_replicant.session import SessionSettings
from pytest_replicant.session.actionability import resolve
from pytest_replicant.session.stabilize.observer import Observer
from pytest_replicant.session.step import StageFailed

if TYPE_CHECKING:
    from pytest_replicant.drivers import Driver
    from pytest_replicant.model import Element
    from pytest_replicant.snapshots import Snapshot


class Replay:
    """The session's observer before a phone that shows what it is given."""

    def __init__(self) -> None:
        self._phone = _Phone()
        phone, redactor = cast("Driver", self._phone), Redactor()
        self._observer = Observer(
            phone, ManualClock(), SessionSettings(), lambda snapshot, source: None, redactor, id
        )

    def show(self, screen: bytes) -> Snapshot:
        """Raises ``SnapshotError``."""
        self._phone.screen = screen
        return self._observer.read().snapshot

    def use(self, target: str | Element) -> tuple[Element | None, str]:
        """The element that a ref or an element of an earlier screen is on the last one shown, or
        None and the verdict."""
        snapshot = self._observer.latest
        assert snapshot is not None, "nothing was shown yet"
        try:
            return resolve(self._observer, snapshot, target), "resolved"
        except StageFailed as stale:
            if stale.failure.code == "ELEMENT_NOT_INTERACTABLE":
                return None, "covered"
            verdict = "".join(map(str, stale.failure.details))
            return None, verdict.removeprefix("Verdict: ") or "never printed"


class _Phone:
    capabilities = Capability.NONE
    info = SimpleNamespace(platform=None, width=0, height=0)  # each screen says
    traits = Traits()

    def __init__(self) -> None:
        self.screen = b""

    def dump_hierarchy(self) -> bytes:
        return self.screen
