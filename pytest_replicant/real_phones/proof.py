"""``Proof``: whether the drivers keep their contract on one phone, which is as it was when it
ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import Any

from ..drivers import OWN_FOLDER, AppStatus, Capability, Driver
from ..errors import DeviceError, ReplicantError, UsageError
from ..model import Clock, SystemClock
from ..pool import (
    WORDS,
    DeviceUri,
    OpenDevice,
    has_settings,
    is_device_loss,
    make_ready,
    open_device,
    put_back_left,
    quick_checks,
    use_settings,
    why_unusable,
)
from ..testing import DRIVER_CLAUSES, DriverClause, DriverScene, Verdict, judge
from .capture import ProofRow
from .collector import Collector
from .tour import EXTRAS, START_SECONDS, Places, TourScene, tour

PATIENCE = 10.0
RETURN_SECONDS = (
    5.0  # for a phone whose cable was out, before what it lacks is left to the next open
)
_SLEEP = "223"  # KeyEvent.KEYCODE_SLEEP
STOPPED = "it was stopped"
_RECORDED = Capability.ROTATE | Capability.FILES  # what they change has to be recorded before


class Stopped(BaseException):
    """Ends what waits on the clock of a proof that was stopped."""


class _StoppableClock:
    """The clock of a proof, which can be stopped from any thread wherever it waits."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stops: list[None] = []  # which threads may add to
        self._heeds = 1

    def stop(self) -> None:
        self._stops.append(None)

    def wait_on(self) -> None:
        """From now on only a second stop ends what waits."""
        self._heeds = 2

    def now(self) -> float:
        if len(self._stops) >= self._heeds:
            raise Stopped
        return self._clock.now()

    def epoch_ms(self) -> int:
        return self._clock.epoch_ms()

    def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds)
        self.now()


class Proof:
    """The contract of ``Driver`` and the tour, on the phone of a URI. ``extras`` are further stops
    of the tour: "contacts", "dialler"; ``collector`` is given what the phone shows. ``connect``
    makes the driver that is judged, by default the one that opens the phone.

    ``rows`` are the verdicts so far. ``ended`` says why the proof ended early, "" if it did not;
    ``left`` what could not be put back. ``facts`` are those of the phone, once it is open.
    """

    def __init__(
        self,
        uri: str | DeviceUri,
        extras: Collection[str] = (),
        collector: Collector | None = None,
        *,
        connect: Callable[[OpenDevice], Driver] | None = None,
        timeout: float = 60.0,
        patience: float = PATIENCE,
        clock: Clock | None = None,
    ) -> None:
        self.uri = uri if isinstance(uri, str) else uri.masked
        self.rows: list[ProofRow] = []
        self.facts: dict[str, Any] = {}
        self.ended = ""
        self.left: list[str] = []
        self.seconds = 0.0
        self._opening = partial(open_device, uri, timeout=timeout)
        self._timeout, self._patience = timeout, patience
        self._extras, self._collector, self._connect = extras, collector, connect
        self._clock = _StoppableClock(clock or SystemClock())

    def stop(self) -> None:
        """Ends it soon, from any thread: what it changed is put back. Called again, it ends without
        that."""
        self._clock.stop()

    def run(self) -> Iterator[ProofRow]:
        """The verdict of each clause as soon as there is one; those that were not reached last.
        Raises ``UsageError`` or ``DeviceError`` where the phone cannot be had."""
        began = time.monotonic()
        try:
            with self._opening(clock=self._clock) as device:
                self.facts = device.facts
                yield from self._on(device)
        except Stopped:
            self._end(STOPPED)
        finally:
            self.seconds = time.monotonic() - began

    def _end(self, why: str) -> None:
        self.ended = self.ended or why

    @property
    def interrupted(self) -> bool:
        return self.ended == STOPPED

    def _on(self, device: OpenDevice) -> Iterator[ProofRow]:
        before = _Before(device.driver)
        clauses: list[Any] = [*DRIVER_CLAUSES, *tour(self._extras)]
        try:
            with ExitStack() as stack:
                yield from self._judge_all(clauses, device, before, stack)
        except Stopped:
            self._end(STOPPED)
        except DeviceError as error:
            self._end(str(error))
        finally:
            self._clock.wait_on()  # what follows waits as well
            try:
                before.put_back(self.left, self._clock)
            except Stopped:
                self._end(STOPPED)
        judged = {row.name for row in self.rows}
        for clause in clauses if self.ended else ():
            if clause.name not in judged and not getattr(clause, "lacks", Capability.NONE):
                yield self._add(ProofRow(clause.name, clause.claim, "not reached", 0, self.ended))

    def _judge_all(
        self, clauses: Sequence[Any], device: OpenDevice, before: _Before, stack: ExitStack
    ) -> Iterator[ProofRow]:
        if self._collector:
            self._collector.opened(device)
        before.record(self._timeout, self._clock)
        places = Places(device.driver, self._clock)
        skipped = {*EXTRAS} - {*self._extras}
        before.using(
            [app for stop, app in places.apps.items() if stop not in skipped],
            spared=[places.apps[stop] for stop in EXTRAS],
        )
        scene = self._scene(device, places, stack)
        on_tour = TourScene(scene, places, self._collector)
        for clause in clauses:
            if isinstance(clause, DriverClause):
                if clause.lacks & scene.driver.capabilities:
                    continue  # how an ability is refused that there is
                unmet = before.unrecorded if clause.needs & _RECORDED else ""
                row = self._judged(clause, scene, unmet, device)
            else:
                row = self._judged(clause, on_tour, "", device)
            yield self._add(row)
            if self.ended:
                return

    def _add(self, row: ProofRow) -> ProofRow:
        self.rows.append(row)
        return row

    def _scene(self, device: OpenDevice, places: Places, stack: ExitStack) -> DriverScene:
        connect, again = self._connect, device.again
        driver = device.driver
        if connect:
            again = partial(connect, device)
            driver = stack.enter_context(closing(again()))
        if not again:
            raise UsageError(f"{device.uri}: no second driver can be connected to this phone")
        show = places.show_field if places.apps["search"] else None
        first = None
        if show and places.apps["search"] == places.apps["settings"]:
            with suppress(
                ReplicantError, AssertionError
            ):  # clauses that need it will find the same
                first = show()
        return DriverScene(
            driver,
            again,
            places.apps["settings"],
            first,
            self._patience,
            folder=OWN_FOLDER,
            clock=self._clock,
            show_field=show,
            in_use=True,
        )

    def _judged(self, clause: Any, scene: Any, unmet: str, device: OpenDevice) -> ProofRow:
        began = self._clock.now()
        verdict = Verdict(clause, asked=False, unmet=unmet)
        if not unmet:
            verdict = next(judge([clause], scene))
        ms = round((self._clock.now() - began) * 1000)
        row = partial(ProofRow, clause.name, clause.claim)
        if verdict.kept:
            return row("holds", ms)
        if verdict.error is not None or not clause.unmet(scene):
            self._end(why_unusable(device.driver))
        if self.ended:
            return row("not reached", ms, self.ended)
        if verdict.error is None:
            lacks = isinstance(clause, DriverClause) and clause.needs & ~scene.driver.capabilities
            said = "this driver does not offer " if lacks else ""
            return row("not offered", ms, said + verdict.unmet.removeprefix("not offered: "))
        return row("broken", ms, f"{type(verdict.error).__name__}: {verdict.error}")


class _Before:
    """What a phone was like, and how it becomes that again."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._front = ""
        self._dark = False
        self._gone = False
        self._apps: dict[str, AppStatus] = {}
        self._recorded = False
        self.unrecorded = ""  # why nothing may be changed that a record has to outlive

    def record(self, timeout: float, clock: Clock) -> None:
        """Records it, on the phone too where that has settings, then wakes the phone and makes it
        ready."""
        driver = self._driver
        self._dark = any(
            each.name == "screen" and each.status == "warn" for each in quick_checks(driver)
        )
        make_ready(driver, timeout, clock)
        with suppress(DeviceError):
            self._front = driver.app_in_front().app
        if has_settings(driver):
            self._recorded = True  # or it may be, whatever the answer
            before, trouble = use_settings(driver, (*WORDS, "rotation"))
            self.unrecorded = str(trouble) if before is None else ""

    def using(self, apps: Iterable[str], spared: Collection[str]) -> None:
        """Before these apps are started and stopped. Some are only looked at: one that ran before,
        as for a call, is not stopped."""
        for app in filter(None, apps):
            status = self._driver.app_status(app)
            if status == "stopped" or app not in spared:
                self._apps[app] = status

    def put_back(self, left: list[str], clock: Clock) -> None:
        """``left`` names at any time what has yet to be done. A phone that was lost is reconnected
        to once."""
        driver = self._driver
        steps: dict[str, Callable[[], object]] = {
            "the orientation": driver.restore_settings,
            **{app: partial(self._put_app_back, app) for app in self._apps},
            "the app in front": self._put_front_back,
        }
        if self._recorded:
            steps["settings"] = partial(put_back_left, driver)
        if self._dark:
            steps["the dark screen"] = partial(
                driver.shell, ["input", "keyevent", _SLEEP], START_SECONDS
            )
        left[:] = steps
        for name, step in steps.items():
            clock.now()  # where this is stopped
            if self._done(step):
                left.remove(name)

    def _done(self, step: Callable[[], object]) -> bool:
        if self._gone:
            return False
        try:
            step()
        except DeviceError as error:
            if not is_device_loss(error):
                return False
            try:
                self._driver.reconnect(RETURN_SECONDS)
                step()
            except DeviceError:
                self._gone = True
                return False
        return True

    def _put_app_back(self, app: str) -> None:
        """What was typed there is gone with it. One that ran is started again, if it has a first
        screen."""
        self._driver.stop(app)
        if self._apps[app] != "stopped":
            with suppress(UsageError):
                self._driver.launch(app, None, ())

    def _put_front_back(self) -> None:
        if self._front in self._driver.system_dialogs.packages:
            self._driver.press_key("home")
        elif self._front:
            try:
                self._driver.launch(self._front, None, ())
            except UsageError:  # a home screen
                self._driver.press_key("home")
