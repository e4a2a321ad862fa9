"""Clauses about what a driver cannot do: it says so, in the same way for all that needs the same ability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ...drivers import Capability, Driver
from ...errors import Unsupported
from ...model import Point, Rect
from .clause import Clause, Scene, must, refuses

_ABSENT = "dev.replicant.not.installed"
_AREA = Rect(100, 400, 500, 800)

NEEDING: Mapping[Capability, Mapping[str, Callable[[Driver], object]]] = {
    Capability.TOASTS: {
        "last_toast": lambda driver: driver.last_toast(),
        "clear_toasts": lambda driver: driver.clear_toasts(),
    },
    Capability.SHELL: {"shell": lambda driver: driver.shell("true", 5.0)},
    Capability.LOGS: {
        "logs": lambda driver: driver.logs(),
        "log_mark": lambda driver: driver.log_mark(),
    },
    Capability.CLEAR_DATA: {"clear_data": lambda driver: driver.clear_data(_ABSENT)},
    Capability.OPEN_URL: {"open_url": lambda driver: driver.open_url("https://example.com/", None)},
    Capability.CURRENT_ACTIVITY: {"launch(activity)": lambda driver: driver.launch(_ABSENT, ".Main", ())},
    Capability.DRAG: {"drag": lambda driver: driver.drag(Point(200, 600), Point(200, 700), 0.1)},
    Capability.PERMISSIONS: {
        "set_permission": lambda driver: driver.set_permission(_ABSENT, "camera", True),
        "permissions": lambda driver: driver.permissions(_ABSENT),
    },
    Capability.INSTALL: {
        "install": lambda driver: driver.install("no-such-file"),
        "uninstall": lambda driver: driver.uninstall(_ABSENT),
        "installed": lambda driver: driver.installed(_ABSENT),
    },
    Capability.FILES: {
        "push_file": lambda driver: driver.push_file(b"", "/replicant/no/such/folder/file"),
        "pull_file": lambda driver: driver.pull_file("/replicant/no/such/file"),
    },
    Capability.ROTATE: {"rotate": lambda driver: driver.rotate("portrait")},
    Capability.PINCH: {"pinch": lambda driver: driver.pinch(_AREA, 2.0, 0.1)},
    Capability.CRASHES: {
        "crashes": lambda driver: driver.crashes(None),
        "pids": lambda driver: driver.pids(_ABSENT),
    },
}
"""For each ability all that needs it, called so that it does no harm where the phone has it after all."""


def why_not(driver: Driver, capability: Capability) -> str:
    """Why this driver lacks it, in its own words. Raises ``AssertionError`` where it says nothing of the kind."""
    name = str(capability.name)
    said = []
    for verb, call in NEEDING[capability].items():
        error = refuses(partial(call, driver), Unsupported, f"{verb}, which needs {name},")
        told = getattr(error, "capability", "")
        must(told.upper() == name, f"the error of {verb} names {told!r} as what is missing, not {name.lower()!r}")
        said.append(str(error))
    return said[0]


def _says_so(capability: Capability, scene: Scene) -> None:
    scene.front()  # on the home screen nobody would see that it was left for that
    before = scene.driver.app_in_front()
    why_not(scene.driver, capability)
    after = scene.driver.app_in_front()
    must(after == before, f"{after.app} is in front after what cannot be done, and {before.app} was")


def _clause(capability: Capability) -> Clause:
    name = str(capability.name).lower()
    verbs = list(NEEDING[capability])
    listed = " and ".join([", ".join(verbs[:-1]), verbs[-1]] if verbs[1:] else verbs)
    claim = f"without the ability, {listed} {'raise' if verbs[1:] else 'raises'} Unsupported, naming it"
    return Clause(f"no-{name.replace('_', '-')}", claim, partial(_says_so, capability), lacks=capability)


MISSING = tuple(_clause(capability) for capability in NEEDING)
