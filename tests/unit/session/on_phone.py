"""Sessions on a virtual phone, on one clock, with an app of the test's own or an exhibit of the lab
in front."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from pytest_replicant.drivers import Platform
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_device, virtual_session
from pytest_replicant.virtual import App, RunningApp, Screen, Widget

PACKAGE = "dev.replicant.trial"
LAB = "dev.replicant.lab"
QUICK: dict[str, Any] = {
    "action_timeout": 1.0,
    "expect_timeout": 1.0,
    "window": 0.4,
    "interval": 0.05,
    "quiet": 0.1,
    "read_on": 0.0,
    "screenshots": False,
    "recover": None,
}


def trial(
    start: type[Screen[dict[str, Any]]], *, options: Any = None, **state: Any
) -> App[dict[str, Any]]:
    """An app of the test's own. ``start`` is its first screen, ``state`` what it holds at first,
    ``options`` are further ones of ``App``."""
    return App(
        package=PACKAGE,
        label="Trial",
        state=lambda stored: {**stored, **state},
        start=start,
        **(options or {}),
    )


@contextmanager
def session_on(
    start: type[Screen[dict[str, Any]]], *, platform: Platform = "android", **options: Any
) -> Iterator[DeviceSession]:
    """``start`` is the app's first screen, which is in front; ``options`` are further ones of
    ``App``."""
    with virtual_session(trial(start, options=options), platform=platform, **QUICK) as session:
        yield session


@contextmanager
def lab_phone(platform: Platform = "android") -> Iterator[VirtualDevice]:
    """For ``lab_on``."""
    with virtual_device("dev.replicant.lab", platform=platform, start=False) as device:
        yield device


@contextmanager
def lab_on(device: VirtualDevice, exhibit: str = "", **settings: Any) -> Iterator[DeviceSession]:
    """A new session, with one of the lab's exhibits in front, or its list; the lab has forgotten
    all before."""
    device.phone.clear_app(LAB)
    with device.session(**{**QUICK, "app": None, "recover": builtin, **settings}) as session:
        if exhibit:
            session.open_url(f"lab://{exhibit}", LAB)
        else:
            session.launch(LAB)
        yield session


Page = RunningApp[dict[str, Any]]


@contextmanager
def page_on(
    platform: Platform,
    build: Callable[[Page], Widget],
    *others: App[Any],
    reads_take: float = 0.0,
    title: str = "Front",
    room: Literal["resize", "pan"] = "resize",
    **settings: Any,
) -> Iterator[tuple[DeviceSession, Page, VirtualDevice]]:
    """A session on an app of one page, the app, and its phone. A read is taken at once, and arrives
    ``reads_take`` seconds later."""
    opened: list[Page] = []

    class Front(Screen[dict[str, Any]]):
        def opened(self, app: Page) -> None:
            opened[:] = [app]

        def build(self, app: Page) -> Widget:
            return build(app)

    Front.title, Front.soft_input = title, room
    with (
        virtual_device(trial(Front), *others, platform=platform) as device,
        device.session(**{**QUICK, **settings}) as session,
    ):
        dump, clock = device.driver.dump_hierarchy, session._context.clock

        def slow() -> bytes:
            source = dump()
            clock.sleep(reads_take)
            return source

        device.driver.dump_hierarchy = slow  # type: ignore[method-assign]
        yield session, opened[0], device


def shown_on(platform: str, build: Callable[[Page], Widget]) -> Any:
    """A session on an app of one page."""

    class Front(Screen[dict[str, Any]]):
        title = "Front"

        def build(self, app: Page) -> Widget:
            return build(app)

    return virtual_session(trial(Front), platform=platform, **QUICK)  # type: ignore[arg-type]


def noting(app: Page, what: str) -> Callable[[], None]:
    """What a touch does: it is noted in the app's state, under "done"."""
    return lambda: app.state.update(done=[*app.state.get("done", ()), what])


def done(app: Page) -> list[str]:
    return list(app.state.get("done", ()))
