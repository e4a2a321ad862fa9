"""The check of the drivers' contract: a good driver passes, and each broken promise is found and named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_replicant.drivers import AndroidDriver, Capability, CrashLog, IosDriver, LogMark
from pytest_replicant.errors import UsageError
from pytest_replicant.testing import DRIVER_CLAUSES, METHODS_NEEDING, DriverCheckFailed, DriverClause, check_driver

from . import broken_drivers as flawed
from . import broken_surroundings as around
from .phones import Subject, point, virtual

QUICK = 0.1  # seconds of patience with a promise that is broken
LONG = [
    "Busy-no-threads",
    "Careless-type",
    "Messy-restore",
    "Patient-shell-limit",
    "Obituary-pids",
    "Stiff-rotate",
]


class Forgetful(AndroidDriver):
    """Gives the whole log, whatever it was asked for."""

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        return super().logs(None, buffers)

    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog:
        return super().crashes(None, app)


class Obituary(AndroidDriver):
    """Takes for a crash what was stopped, and gives the dead a process."""

    def stop(self, app: str) -> None:
        pid = self.pids(app)[0]
        super().stop(app)
        self.shell(["log", "-t", "ActivityManager", f"Process {app} (pid {pid}) has died: fg  TOP"], 5.0)

    def pids(self, app: str) -> tuple[int, ...]:
        return super().pids(app) or (1,)


BROKEN: dict[type[Any], tuple[str, ...]] = {
    flawed.Anonymous: ("names-itself", "info-is-fixed"),
    flawed.Mute: ("hierarchy",),
    flawed.Pointed: ("pixels",),
    flawed.Thumbnail: ("screenshot", "rotate-screen"),
    flawed.Dizzy: ("orientation",),
    flawed.Sleepy: ("fresh",),
    flawed.Wordless: ("system-dialogs",),
    flawed.Numb: ("tap", "double-tap", "long-press", "swipe", "drag"),
    flawed.Askew: ("tap-place",),
    flawed.Hasty: ("touch-outside",),
    flawed.Clumsy: ("pinch", "pinch-nothing"),
    flawed.Critical: ("audit",),
    flawed.Content: ("no-audit",),
    flawed.Mumbling: ("acting-keys",),
    flawed.Tongueless: ("keys",),
    flawed.Obliging: ("unknown-key", "home"),
    flawed.Careless: ("type", "newline"),
    flawed.Prudish: ("typeable", "field-takes"),
    flawed.Lenient: ("untypeable", "type-nowhere"),
    flawed.Overwriting: ("type-more", "type-nothing"),
    flawed.Upright: ("hide-keyboard",),
    flawed.Stiff: ("rotate", "rotate-each", "rotate-unknown"),
    flawed.Messy: ("restore", "restore-nothing"),
    flawed.Nervous: ("wake",),
    around.Blind: ("launch", "launch-absent", "status-absent"),
    around.Once: ("launch-again",),
    around.Restless: ("launch-behind", "launch-keeps"),
    around.Undying: ("stop", "clear-data"),
    around.Lost: ("open-url", "open-url-absent", "open-url-nowhere", "activity"),
    around.Haunted: ("toasts", "logs"),
    Forgetful: ("log-mark", "crashes"),
    Obituary: ("stop-is-no-crash", "pids", "pids-absent"),
    around.Patient: ("shell", "shell-words", "shell-limit"),
    around.Gullible: (
        *("installed", "install-nothing", "uninstall-absent", "install"),
        *("permission-unknown", "files-nowhere"),
    ),
    around.Half: ("permissions", "files", "files-absent"),
    around.Clinging: ("close-twice",),
    around.Undead: ("closed",),
    around.Busy: ("no-threads",),
    around.Possessive: ("next",),
    around.Jealous: ("leaves-alone",),
    around.Amnesiac: ("reconnect-keeps",),
    around.Parted: ("reconnect",),
    around.Hurried: ("cold-start", "replace", "drawn", "lock", "appearance"),
    around.Misnamed: ("no-shell",),
    around.Leaving: ("no-shell",),
}
ON_AN_IPHONE: dict[type[Any], tuple[str, ...]] = {
    flawed.Pointed: ("pixels", "rotate-screen"),
    flawed.Thumbnail: ("screenshot",),
    flawed.Dizzy: ("orientation",),
    flawed.Sleepy: ("fresh",),
    flawed.Askew: ("tap-place",),
    flawed.Hasty: ("touch-outside",),
    flawed.Clumsy: ("pinch", "pinch-nothing"),
    flawed.Critical: ("audit",),
    flawed.boasting(Capability.AUDIT): ("no-audit",),
    flawed.Obliging: ("unknown-key",),
    flawed.Careless: ("type",),
    flawed.Lenient: ("untypeable", "type-nowhere"),
    flawed.Overwriting: ("type-more",),
    flawed.Stiff: ("rotate",),
    flawed.Messy: ("restore",),
    around.Blind: ("launch-absent",),
    around.Restless: ("launch-keeps",),
    around.Lost: ("open-url-nowhere",),
    around.Undead: ("closed",),
    around.Jealous: ("leaves-alone",),
    around.Amnesiac: ("reconnect-keeps",),
    around.Silent: (
        *("no-toasts", "no-shell", "no-logs", "no-clear-data", "no-current-activity"),
        *("no-permissions", "no-install", "no-files", "no-crashes"),
    ),
}
BOASTS = [
    (flawed.boasting(each), f"no-{str(each.name).lower().replace('_', '-')}")
    for each in METHODS_NEEDING
    if each is not Capability.AUDIT
]
CASES = [(flaw, clause) for flaw, clauses in BROKEN.items() for clause in clauses] + BOASTS
IPHONE_CASES = [(flaw, clause) for flaw, clauses in ON_AN_IPHONE.items() for clause in clauses]


def named(cases: Sequence[tuple[type[Any], str]]) -> list[Any]:
    found = []
    for flaw, clause in cases:
        name = f"{flaw.__name__}-{clause}"
        found.append(pytest.param(flaw, clause, id=name, marks=[pytest.mark.slow] if name in LONG else []))
    return found


@pytest.fixture(scope="module")
def android(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Subject]:
    with virtual("virtual:android", tmp_path_factory.mktemp("package")) as subject:
        yield replace(subject, patience=QUICK)


@pytest.fixture(scope="module")
def iphone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Subject]:
    with virtual("virtual:ios", tmp_path_factory.mktemp("package")) as subject:
        yield replace(subject, patience=QUICK)


def check(subject: Subject, kind: type[Any], clauses: Sequence[DriverClause]) -> None:
    assert subject.device.phone is not None
    subject.device.phone.set_rotation(0)  # as it was before a driver that turned it and left it so
    check_driver(
        lambda: subject.connect(kind),
        app=subject.app,
        text_field=subject.text_field,
        patience=subject.patience,
        installable=subject.installable,
        link=subject.link,
        clauses=clauses,
    )


def test_a_good_driver_passes(android: Subject) -> None:
    asked = [
        each for each in DRIVER_CLAUSES if each.name in ("names-itself", "hierarchy", "no-shell", "close-twice")
    ]
    check(android, AndroidDriver, asked)


@pytest.mark.parametrize(("flaw", "clause"), named(CASES))
def test_a_broken_promise_is_named(android: Subject, flaw: type[Any], clause: str) -> None:
    kind = flaw if issubclass(flaw, AndroidDriver) else flawed.broken(flaw, AndroidDriver)
    must_be_named(android, kind, clause)


@pytest.mark.parametrize(("flaw", "clause"), named(IPHONE_CASES))
def test_a_promise_broken_on_an_iphone_is_named(iphone: Subject, flaw: type[Any], clause: str) -> None:
    must_be_named(iphone, flawed.broken(flaw, IosDriver), clause)


def must_be_named(subject: Subject, kind: type[Any], clause: str) -> None:
    asked = [each for each in DRIVER_CLAUSES if each.name == clause]
    with pytest.raises(DriverCheckFailed) as failed:
        check(subject, kind, asked)
    assert [broken.clause for broken in failed.value.broken] == asked
    assert f"breaks 1 of 1 clauses of the contract:\n  {clause}: {asked[0].claim}" in str(failed.value)


def test_there_is_a_driver_that_breaks_each_clause() -> None:
    assert {clause.name for clause in DRIVER_CLAUSES} - {clause for _, clause in CASES} == set()


def test_clauses_have_names_of_their_own() -> None:
    names = [clause.name for clause in DRIVER_CLAUSES]
    assert len(set(names)) == len(names)


def test_what_is_not_asked_says_why(android: Subject) -> None:
    scene = android.scene()
    try:
        bare = replace(scene, text_field=None, installable=None, link=None)
        why = {clause.name: clause.unmet(bare) for clause in DRIVER_CLAUSES}
    finally:
        scene.driver.close()
    assert why["no-toasts"] == "the driver has toasts"
    assert (why["type"], why["install"], why["open-url"]) == (
        "no text_field was given",
        "no installable was given",
        "no link was given",
    )
    assert why["tap"] == ""


def test_a_place_on_the_command_line() -> None:
    assert point("540, 800") == (540, 800)
    assert point(None) is None
    with pytest.raises(UsageError, match="such as 540,800"):
        point("middle")
