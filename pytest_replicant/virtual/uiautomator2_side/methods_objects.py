"""Methods that look at objects: are they there, how many, what are they like; and waiting for
them."""

from __future__ import annotations

from .automation import Automation, Object
from .object_info import object_info
from .rpc import Method, Result, look
from .selector import Selector


def exist(automation: Automation, wanted: Object) -> Result:
    return bool(automation.find_now(wanted))


async def wait_for_exists(automation: Automation, wanted: Object, timeout_ms: int) -> Result:
    return await automation.wait_until(lambda: bool(automation.find_now(wanted)), timeout_ms)


async def wait_until_gone(automation: Automation, wanted: Object, timeout_ms: int) -> Result:
    return await automation.wait_until(lambda: not automation.find_now(wanted), timeout_ms)


def count(automation: Automation, wanted: Selector) -> Result:
    """With an instance in the selector's last level it is that one, so 0 or 1."""
    found = len(automation.find_now(wanted))
    last = wanted.steps[-1][1] if wanted.steps else wanted
    return found if last.instance is None else min(found, 1)


def object_info_of(automation: Automation, wanted: Object) -> Result:
    return object_info(automation.find_one_now(wanted))


def object_info_of_all(automation: Automation, wanted: Selector) -> Result:
    return [object_info(node) for node in automation.find_now(wanted)]


def child_by_instance(
    automation: Automation, around: Selector, pattern: Selector, instance: int
) -> Result:
    return automation.remember(around.then("child", pattern.of_instance(instance)))


METHODS = (
    look("exist", ("object",), exist),
    Method("waitForExists", ("object", "long"), wait_for_exists),
    Method("waitUntilGone", ("object", "long"), wait_until_gone),
    look("count", ("selector",), count),
    look("objInfo", ("object",), object_info_of),
    look("objInfoOfAllInstances", ("selector",), object_info_of_all),
    look("childByInstance", ("selector", "selector", "int"), child_by_instance),
)
