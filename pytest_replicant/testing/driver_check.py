"""``check_driver``: whether a driver keeps the contract of ``Driver``, clause by clause, on any phone.

In a test of your own driver::

    def test_my_driver_keeps_the_contract():
        check_driver(lambda: MyDriver("serial"), app="com.example.app", text_field=Point(540, 800))

or one test a clause, with ``@pytest.mark.parametrize("clause", DRIVER_CLAUSES, ids=str)`` and
``clause.check(scene)``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from inspect import signature
from operator import methodcaller

from ..drivers import AppInFront, Capability, Driver
from ..errors import DeviceError, Unsupported
from ..model import Point, Rect
from .contract import (
    ContractBroken,
    DriverClause,
    DriverClauses,
    DriverScene,
    Installable,
    Verdict,
    check_clauses,
    must,
    refuses,
)
from .driver_apps import ABSENT, APPS
from .driver_screen import SCREEN, expect_text, write

_HARMLESS: Mapping[str, object] = {
    "activity": None, "app": ABSENT, "area": Rect(100, 400, 500, 800), "args": (), "command": "true",
    "end": Point(200, 700), "ended": id, "fresh": False, "front": AppInFront(ABSENT, ".Main"), "granted": True,
    "local": b"", "orientation": "portrait", "path": "no-such-file", "permission": "camera",
    "remote": "/replicant/no/such/folder/file", "scale": 2.0, "seconds": 0.1, "start": Point(200, 600), "text": "",
    "since": None, "timeout": 5.0, "url": "https://example.com/",
}  # fmt: skip
"""Arguments by which a call does no harm if the phone has the ability after all."""


def _calls(*verbs: str) -> Mapping[str, Callable[[Driver], object]]:
    return {verb: partial(_call, verb) for verb in verbs}


def _call(verb: str, driver: Driver) -> object:
    wanted = signature(getattr(Driver, verb)).parameters
    return methodcaller(verb, **{name: _HARMLESS[name] for name in wanted if name in _HARMLESS})(driver)


METHODS_NEEDING: Mapping[Capability, Mapping[str, Callable[[Driver], object]]] = {
    Capability.TOASTS: _calls("last_toast", "clear_toasts"),
    Capability.SHELL: _calls("shell"),
    Capability.LOGS: _calls("logs", "log_mark"),
    Capability.CLEAR_DATA: _calls("clear_data"),
    Capability.OPEN_URL: _calls("open_url"),
    Capability.CURRENT_ACTIVITY: {"launch(activity)": lambda driver: driver.launch(ABSENT, ".Main", ())},
    Capability.DRAG: _calls("drag"),
    Capability.PERMISSIONS: _calls("set_permission", "permissions"),
    Capability.INSTALL: _calls("install", "uninstall", "installed"),
    Capability.FILES: _calls("push_file", "pull_file"),
    Capability.ROTATE: _calls("rotate"),
    Capability.PINCH: _calls("pinch"),
    Capability.CRASHES: _calls("crashes", "pids"),
    Capability.AUDIT: _calls("accessibility_audit"),
    Capability.COLD_START: _calls("cold_start"),
    Capability.REPLACE_TEXT: _calls("replace_text"),
    Capability.DRAWN: _calls("is_drawn"),
    Capability.LOCK: _calls("is_locked"),
    Capability.STYLE: _calls("appearance"),
}
"""For each ability all that needs it, called so that it does no harm if the phone has it after all."""


def why_unsupported(driver: Driver, capability: Capability) -> str:
    """Why this driver lacks it, in its own words. Raises ``AssertionError`` if it says nothing of the kind."""
    name = str(capability.name)
    said = []
    for verb, call in METHODS_NEEDING[capability].items():
        error = refuses(partial(call, driver), f"{verb}, which needs {name},", Unsupported)
        named = getattr(error, "capability", "")
        must(named.upper() == name, f"the error of {verb} names {named!r} as missing, not {name.lower()!r}")
        said.append(str(error))
    return said[0]


def _says_so(capability: Capability, scene: DriverScene) -> None:
    scene.front()  # on the home screen it could not be seen that it left for that
    before = scene.driver.app_in_front()
    why_unsupported(scene.driver, capability)
    after = scene.driver.app_in_front()
    must(after == before, f"{after.app} is in front after what cannot be done, and {before.app} was")


def _missing_clause(capability: Capability) -> DriverClause:
    name = str(capability.name).lower()
    verbs = list(METHODS_NEEDING[capability])
    listed = " and ".join([", ".join(verbs[:-1]), verbs[-1]] if verbs[1:] else verbs)
    claim = f"without the ability, {listed} {'raise' if verbs[1:] else 'raises'} Unsupported, naming it"
    return DriverClause(f"no-{name.replace('_', '-')}", claim, partial(_says_so, capability), lacks=capability)


MISSING = tuple(_missing_clause(capability) for capability in METHODS_NEEDING)
CLOSING = DriverClauses()
_CONNECTIONS = 8


@CLOSING.clause("close may be called twice")
def _close_twice(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.close()
        driver.close()


@CLOSING.clause("a closed driver raises DeviceError")
def _closed(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.close()
        refuses(driver.dump_hierarchy, "a dump on a closed driver", DeviceError)


@CLOSING.clause("close leaves no thread behind")
def _no_threads(scene: DriverScene) -> None:
    _connect_and_dump(scene)  # whatever a process starts once and keeps is there from now on
    before = {*threading.enumerate()}
    for _ in range(_CONNECTIONS):
        _connect_and_dump(scene)
    since = {*threading.enumerate()} - before  # other phones of this process may have some that end

    def ended() -> bool:
        return sum(thread.is_alive() for thread in since) < _CONNECTIONS

    scene.wait_for(ended, "the end of the drivers' threads")


def _connect_and_dump(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.dump_hierarchy()


@CLOSING.clause("the phone is there for the next driver")
def _next(scene: DriverScene) -> None:
    for _ in range(2):
        _connect_and_dump(scene)


@CLOSING.in_front("connecting and closing leave the app in front")
def _leaves_alone(scene: DriverScene) -> None:
    front = scene.driver.app_in_front()
    with scene.another() as driver:
        must(driver.app_in_front() == front, f"connecting left {front.app} for {driver.app_in_front().app}")
    after = scene.driver.app_in_front()
    must(after == front, f"closing left {front.app} for {after.app}")


@CLOSING.clause("after reconnect the app is as it was, and goes on", needs_field=True)
def _reconnect_keeps(scene: DriverScene) -> None:
    with scene.another() as driver:
        own = replace(scene, driver=driver)
        write(own, "kept")
        driver.reconnect(scene.patience)
        expect_text(own, "kept")
        driver.type_text(" and more")
        expect_text(own, "kept and more")


@CLOSING.clause("a sound connection may be renewed, a closed one not")
def _reconnect(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.reconnect(scene.patience)
        driver.dump_hierarchy()
        driver.reconnect(scene.patience)
        driver.tap(Point(driver.info.width // 2, 2))
    refuses(lambda: driver.reconnect(scene.patience), "reconnecting a closed driver", DeviceError)


DRIVER_CLAUSES: tuple[DriverClause, ...] = (*SCREEN, *APPS, *MISSING, *CLOSING)


class DriverCheckFailed(ContractBroken):
    """Clauses of the contract that the driver breaks, in ``broken``."""

    by = "the driver"


def check_driver(
    connect: Callable[[], Driver],
    *,
    app: str,
    text_field: Point | None = None,
    patience: float = 10.0,
    installable: Installable | None = None,
    folder: str = "/data/local/tmp",
    link: str | None = None,
    clauses: Sequence[DriverClause] = DRIVER_CLAUSES,
) -> tuple[Verdict, ...]:
    """Runs the clauses that the driver's capabilities and the arguments allow; raises ``DriverCheckFailed``.

    Returns a verdict for each clause; that of an ability that the driver does not have reads "not offered: ...".

    ``connect`` makes a fresh driver of the same phone each time. ``app`` is an installed app, which is launched,
    stopped and touched. ``text_field`` is a point inside a text field of one line on its first screen, in device
    pixels; without it nothing is typed. ``patience`` is in seconds, for what a phone does in its own time.
    ``installable`` is an app that is not on the phone; without it none is installed. ``folder`` is one on the
    phone that files may be written to. ``link`` is an address that the app opens; without it none is.
    """
    with closing(connect()) as driver:
        scene = DriverScene(driver, connect, app, text_field, patience, installable, folder, link)
        return check_clauses(clauses, scene, DriverCheckFailed)
