"""Apps by their bundle id: whether they run, starting and stopping them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..renderers.xcuitest import SPRINGBOARD
from .failures import not_installed

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone
    from .agent import Agent

LAUNCH_SECONDS = 60.0
NOT_RUNNING, BACKGROUND, FOREGROUND = 1, 3, 4


def is_running_now(phone: VirtualPhone, bundle_id: str) -> bool:
    return bundle_id in phone.processes()


def state_now(phone: VirtualPhone, bundle_id: str) -> int:
    """As XCUIApplication numbers it; an unknown app does not run."""
    if bundle_id == SPRINGBOARD:
        return FOREGROUND
    if not is_running_now(phone, bundle_id):
        return NOT_RUNNING
    in_front = (
        phone.awake and phone.foreground()[0] == bundle_id
    )  # iOS puts an app away as the phone locks
    return FOREGROUND if in_front else BACKGROUND


async def in_front(agent: Agent, bundle_id: str) -> None:
    """Waits until an app that was launched is in front, as XCUIApplication's launch and activate
    do, or died."""
    phone = agent.phone

    def settled() -> bool:
        there = is_running_now(phone, bundle_id) and phone.awake
        return not there or state_now(phone, bundle_id) == FOREGROUND

    await agent.wait_until(settled, LAUNCH_SECONDS)


def launch_now(phone: VirtualPhone, bundle_id: str, *, afresh: bool = False) -> None:
    """Starts an app, or brings it to the front where it runs already. Raises ``WdaError`` for one
    that is not installed."""
    if bundle_id == SPRINGBOARD:
        phone.press_key("HOME")
        return
    if phone.packages.get(bundle_id) is None:
        raise not_installed(bundle_id)
    if afresh:
        phone.stop_app(bundle_id)
    elif state_now(phone, bundle_id) == FOREGROUND:
        return
    try:
        phone.start_app(bundle_id)
    except LookupError:
        raise not_installed(bundle_id) from None
