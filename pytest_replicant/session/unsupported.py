"""What a phone cannot do, told before anything is sent, with what serves in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..drivers import Capability
from ..errors import Unsupported

if TYPE_CHECKING:
    from ..drivers import Driver

INSTEAD: Mapping[Capability, str] = {
    Capability.SHELL: "what is beside the app has to be set up before the run, or through the app itself",
    Capability.LOGS: "a check of the screen says what the app did, and expect_app() whether it still runs",
    Capability.CRASHES: 'expect_app("foreground") says whether the app still runs; a failed check says so, too',
    Capability.CLEAR_DATA: "have the app forget by itself, by a link or a launch argument of its own: open_url(), "
    "launch(args=...)",
    Capability.PERMISSIONS: "let the app ask, and answer_permission() the question",
    Capability.INSTALL: "install it before the run, with the tools of the platform",
    Capability.FILES: "bring the data into the app by a link or a launch argument: open_url(), launch(args=...)",
    Capability.CURRENT_ACTIVITY: "open that part of the app by a link: open_url()",
    Capability.DRAG: "swipe() from place to place, where the app takes that for a drag",
    Capability.PINCH: "use what else the app has for it, such as a double_tap()",
    Capability.OPEN_URL: "launch() the app, and go to the screen as a person does",
    Capability.ROTATE: "turn the phone itself",
}
"""For each capability, what a test does on a phone that does not have it."""


def need(driver: Driver, verb: str, capability: Capability) -> None:
    """Raises ``Unsupported``, before anything is sent, where the phone does not have what the verb needs."""
    if capability not in driver.capabilities:
        name = str(capability.name).lower()
        told = f"{verb} on {driver.uri}: this phone does not offer {name!r}. Nothing was sent."
        raise _unsupported(driver, told, capability, name)


def need_to_read(driver: Driver, capability: Capability) -> None:
    """Raises ``Unsupported`` where this cannot be read from the phone, such as its logs."""
    if capability not in driver.capabilities:
        name = str(capability.name)
        raise _unsupported(driver, f"the {name.lower()} of {driver.uri} cannot be read", capability, name)


def _unsupported(driver: Driver, told: str, capability: Capability, name: str) -> Unsupported:
    instead = INSTEAD.get(capability, "")
    return Unsupported(f"{told}\nNext: {instead}." if instead else told, capability=name, device=driver.uri)
