"""The check of the drivers' contract: a good driver passes, and a broken promise is named.

``test_planted_faults.py`` has a fault for each promise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import UsageError
from pytest_replicant.testing import DRIVER_CLAUSES, DriverCheckFailed, check_driver

from .phones import Subject, point, virtual


class Mute(AndroidDriver):
    """Gives no screen if it cannot read one, and lets go once."""

    gone = False

    def dump_hierarchy(self) -> bytes:
        return b""

    def close(self) -> None:
        if self.gone:
            raise RuntimeError("closed already")
        self.gone = True
        super().close()


@pytest.fixture(scope="module")
def android(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Subject]:
    with virtual("virtual:android", tmp_path_factory.mktemp("package")) as subject:
        yield replace(subject, patience=0.1)


def check(subject: Subject, kind: type[Any], *names: str) -> None:
    check_driver(
        lambda: subject.connect(kind),
        app=subject.app,
        patience=subject.patience,
        clauses=[each for each in DRIVER_CLAUSES if each.name in names],
    )


def test_a_good_driver_passes(android: Subject) -> None:
    check(android, AndroidDriver, "names-itself", "hierarchy", "no-shell", "close-twice")


def test_each_broken_promise_is_named(android: Subject) -> None:
    with pytest.raises(DriverCheckFailed) as failed:
        check(android, Mute, "names-itself", "hierarchy", "close-twice")
    assert [str(broken.clause) for broken in failed.value.broken] == ["hierarchy", "close-twice"]
    claim = next(each.claim for each in DRIVER_CLAUSES if each.name == "hierarchy")
    assert f"breaks 2 of 3 clauses of the contract:\n  hierarchy: {claim}" in str(failed.value)


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
    assert (why["no-toasts"], why["tap"]) == ("the driver has toasts", "")
    assert [why[name] for name in ("type", "install", "open-url")] == [
        f"no {each} was given" for each in ("text_field", "installable", "link")
    ]


def test_a_place_on_the_command_line() -> None:
    assert point("540, 800") == (540, 800)
    assert point(None) is None
    with pytest.raises(UsageError, match="such as 540,800"):
        point("middle")
