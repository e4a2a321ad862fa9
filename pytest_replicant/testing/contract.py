"""A contract as clauses, each checked alone; and what a clause about a driver is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..drivers import AppStatus, Capability, Driver
from ..errors import ReplicantError, UsageError
from ..model import Clock, Point, Rect, SystemClock, come_true
from ..snapshots import Snapshot

S = TypeVar("S")
C = TypeVar("C")
Check = TypeVar("Check", bound=Callable[..., None])


@dataclass(frozen=True)
class Clause(Generic[S]):
    """One clause, as it is run on a scene: ``check`` raises if the ``claim`` does not hold."""

    name: str
    claim: str
    check: Callable[[S], None]

    def unmet(self, scene: S) -> str:
        """Why it is not asked of this scene; "" if it is."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.name


class NotOffered(Exception):
    """Raised by a check if it turns out, while it runs, that what its clause is about is not
    offered."""


@dataclass(frozen=True)
class Verdict:
    """Result of one clause: kept, broken with ``error``, or not asked for the reason in
    ``unmet``."""

    clause: Clause[Any]
    asked: bool = True
    error: Exception | None = None
    unmet: str = ""

    @property
    def kept(self) -> bool:
        return self.asked and self.error is None

    def __str__(self) -> str:
        broken = f"broken: {self.error}" if self.error else "kept"
        return f"{self.clause}: {self.unmet or broken}"


def judge(clauses: Iterable[Clause[S]], scene: S) -> Iterator[Verdict]:
    """Checks each clause that applies, no matter what the others raise."""
    for clause in clauses:
        if unmet := clause.unmet(scene):
            yield Verdict(clause, asked=False, unmet=unmet)
            continue
        try:
            clause.check(scene)
        except NotOffered as reason:
            yield Verdict(clause, asked=False, unmet=f"not offered: {reason}")
        except Exception as error:
            yield Verdict(clause, error=error)
        else:
            yield Verdict(clause)


class Clauses(list[C]):
    """Clauses of one kind, as they are written: a check below its claim, under the name that the
    clause has."""

    def __init__(self, kind: Callable[..., C]) -> None:
        super().__init__()
        self._kind = kind

    def clause(self, claim: str, **conditions: Any) -> Callable[[Check], Check]:
        """Adds a clause; ``conditions`` are its further fields."""

        def add(check: Check) -> Check:
            name = check.__name__.removeprefix("_").replace("_", "-")
            self.append(self._kind(name, claim, check, **conditions))
            return check

        return add


_LOOK_EVERY = 0.05


@dataclass(frozen=True)
class Installable:
    """An app in a local file, which a check may install and remove. ``permission`` is the short
    name of one that it asks for and its user may decide."""

    app: str
    path: Path
    permission: str = ""


def screen_of(driver: Driver) -> Snapshot:
    """The screen as a session reads it, in pixels."""
    info, traits = driver.info, driver.traits
    return Snapshot.parse(
        driver.dump_hierarchy(),
        info.platform,
        scale=traits.scale(info),
        keyboard=traits.keyboard,
    )


@dataclass(frozen=True)
class DriverScene:
    """A connected driver, and what the phone behind it offers to a check. ``text_field`` is on the
    first screen of the app; ``show_field`` brings one that is elsewhere to the front, and returns a
    pixel of it. ``in_use`` is a phone on which nothing may be changed for good."""

    driver: Driver
    connect: Callable[[], Driver]
    app: str
    text_field: Point | None
    patience: float
    installable: Installable | None = None
    folder: str = "/data/local/tmp"
    link: str | None = None
    clock: Clock = field(default_factory=SystemClock)
    show_field: Callable[[], Point] | None = None
    in_use: bool = False

    @contextmanager
    def another(self) -> Iterator[Driver]:
        """A second driver of the phone, closed at the end. Of a phone that serves one at a time it
        ends the first, which is connected again behind it."""
        with closing(self.connect()) as driver:
            yield driver
        if self.driver.traits.one_session:
            self.driver.reconnect(self.patience)

    def look(self) -> Snapshot:
        """The screen as a session reads it, in pixels."""
        return screen_of(self.driver)

    def front(self) -> None:
        """The app in front, on its first screen."""
        self.driver.stop(self.app)
        self.driver.launch(self.app, None, ())
        self.await_front()

    def await_front(self, by: str = "") -> None:
        self.wait_for(
            lambda: self.driver.app_in_front().app == self.app, f"{self.app} in front{by}"
        )

    def leave(self) -> None:
        """The app behind the home screen."""
        self.driver.press_key("home")
        self.await_status("background")

    def field(self) -> Point:
        """A pixel of the text field, whose screen is in front."""
        if self.show_field:
            return self.show_field()
        self.front()
        must(self.text_field is not None, "there is no text field to type into")
        return self.text_field or Point(0, 0)

    def idle_place(self) -> Point | None:
        """A pixel on which nothing of the app reacts; None if none is found."""
        info = self.driver.info
        taken = [Rect(0, 0, info.width, info.height)]
        with suppress(ReplicantError):  # a screen that cannot be read is another clause's business
            taken = [one.bounds for one in self.look().elements if not one.states.scrollable]
        column = (Point(info.width // 2, info.height * part // 40) for part in range(4, 32))
        free = (place for place in column if not any(bounds.contains(place) for bounds in taken))
        return next(free, None)

    def expect_front(self, cause: str) -> None:
        """Raises ``AssertionError`` if another app is in front by now, which ``cause`` brought
        there."""
        front = self.driver.app_in_front().app
        must(front == self.app, f"{cause} brought {front} to the front")

    def await_status(self, status: AppStatus) -> None:
        self.wait_for(lambda: self.driver.app_status(self.app) == status, f'the status "{status}"')

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Raises ``AssertionError`` if it does not come within ``patience``."""
        happened = come_true(self.clock, condition, self.patience, _LOOK_EVERY)
        must(happened, f"{what} did not happen within {self.patience:g} s")


@dataclass(frozen=True)
class DriverClause(Clause[DriverScene]):
    """A promise of the ``Driver`` protocol. ``check`` raises if the ``claim`` does not hold. It is
    asked of drivers with the capabilities ``needs`` and without the capabilities ``lacks``; and
    with a ``risk``, which says what it may change for good, not on a phone that is in use."""

    needs: Capability = Capability.NONE
    lacks: Capability = Capability.NONE
    needs_field: bool = False
    needs_field_first: bool = False
    needs_package: bool = False
    needs_link: bool = False
    risk: str = ""

    def unmet(self, scene: DriverScene) -> str:
        """Why it is not asked of this driver, such as "not offered: rotate"; "" if it is."""
        able = scene.driver.capabilities
        if self.lacks & able:
            return f"the driver has {capability_names(self.lacks)}"
        if self.needs not in able:
            return f"not offered: {capability_names(self.needs & ~able)}"
        missing = ""
        if self.needs_field and not (scene.text_field or scene.show_field):
            missing = "text_field"
        elif self.needs_field_first and not scene.text_field:
            missing = "text_field on the app's first screen"
        elif self.needs_package and not scene.installable:
            missing = "installable"
        elif self.needs_link and scene.link is None:
            missing = "link"
        if missing:
            return f"no {missing} was given"
        return f"not offered: on a phone in use, {self.risk}" if self.risk and scene.in_use else ""


class DriverClauses(Clauses[DriverClause]):
    """Those of a driver."""

    def __init__(self) -> None:
        super().__init__(DriverClause)

    def in_front(self, claim: str, **conditions: Any) -> Callable[[Check], Check]:
        """Adds one that begins with the app in front, on its first screen."""

        def add(check: Check) -> Check:
            @wraps(check)
            def shown(scene: DriverScene) -> None:
                scene.front()
                check(scene)

            self.clause(claim, **conditions)(shown)
            return check

        return add


def capability_names(capabilities: Capability) -> str:
    """Capabilities in words: "logs and shell"."""
    parts = [str(each.name) for each in Capability if each and each in capabilities]
    return " and ".join(parts).lower().replace("_", " ")


def must(holds: bool, said: str) -> None:
    """An ``assert`` that optimised Python keeps."""
    if not holds:
        raise AssertionError(said)


def refuses(
    call: Callable[[], object], what: str, *kinds: type[Exception], names: str = ""
) -> Exception:
    """The error of one of these kinds that the call must raise, a ``UsageError`` unless given; what
    it ``names`` is in its message."""
    kinds = kinds or (UsageError,)
    try:
        result = call()
    except kinds as error:
        must(bool(str(error)), f"{what} raises {type(error).__name__} without a word")
        must(names in str(error), f"the error does not name {names}: {error}")
        return error
    raise AssertionError(
        f"{what} gives {result!r}, and should raise {' or '.join(one.__name__ for one in kinds)}"
    )
