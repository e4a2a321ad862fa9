"""Our own drivers keep the contract of drivers, clause by clause, on every phone that there is.

A real one: ``pytest tests/conformance/test_drivers.py --phone android:SERIAL --phone-app APP``, and
with ``--phone-field X,Y`` it is typed into the field at that place of the app's first screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from pytest_replicant.errors import DeviceError
from pytest_replicant.testing import DRIVER_CLAUSES, DriverClause, DriverScene

from .phones import VIRTUAL, attached, virtual

# Of what takes longer than a quarter of a second even there.
LONG = {"type", "rotate", "shell-limit", "no-threads"}
CASES = [
    pytest.param(each, id=str(each), marks=[pytest.mark.slow] if each.name in LONG else [])
    for each in DRIVER_CLAUSES
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """On the virtual phones, or on the one that was asked for."""
    chosen = metafunc.config.getoption("phone", default=None)
    metafunc.parametrize("scene", [chosen] if chosen else VIRTUAL, indirect=True, scope="module")


@pytest.fixture(scope="module")
def scene(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DriverScene]:
    with ExitStack() as ends:
        if request.param in VIRTUAL:
            subject = ends.enter_context(virtual(request.param, tmp_path_factory.mktemp("package")))
        else:
            subject = ends.enter_context(attached(request.config))
        scene = subject.scene()
        ends.callback(scene.driver.close)
        yield scene


@pytest.mark.parametrize("clause", CASES)
def test_our_own_driver_keeps(clause: DriverClause, scene: DriverScene) -> None:
    if clause.unmet(scene):
        pytest.skip(f"not asked of {scene.driver.uri}: {clause.unmet(scene)}")
    clause.check(scene)


def test_a_screen_that_is_off_is_no_empty_screen(scene: DriverScene) -> None:
    """Asked of virtual phones alone: another may want a code before it shows anything again."""
    if not scene.driver.uri.startswith("virtual"):
        pytest.skip("the phone might want a code")
    scene.front()
    scene.driver.press_key("power")
    try:
        with pytest.raises(DeviceError):
            scene.driver.dump_hierarchy()
    finally:
        scene.driver.wake()
    scene.wait_for(lambda: len(scene.look().nodes) > 1, "the screen, once it is on again,")
