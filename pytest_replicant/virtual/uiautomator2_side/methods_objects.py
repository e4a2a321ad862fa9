"""Methods that look at objects: are they there, how many, what are they like; and waiting for them."""

from __future__ import annotations

from dataclasses import replace

from .automation import Automation, Object
from .failures import object_not_found
from .object_info import object_info
from .rpc import Method, Result
from .selector import Selector


async def exist(automation: Automation, wanted: Object) -> Result:
    await automation.phone.pace.take("rpc")
    return await automation.on_phone(lambda: bool(automation.find_now(wanted)))


async def wait_for_exists(automation: Automation, wanted: Object, timeout_ms: int) -> Result:
    await automation.phone.pace.take("rpc")
    return await automation.wait_until(lambda: bool(automation.find_now(wanted)), timeout_ms)


async def wait_until_gone(automation: Automation, wanted: Object, timeout_ms: int) -> Result:
    await automation.phone.pace.take("rpc")
    return await automation.wait_until(lambda: not automation.find_now(wanted), timeout_ms)


async def count(automation: Automation, wanted: Selector) -> Result:
    """With an instance in the selector's last level it is that one, so 0 or 1."""
    await automation.phone.pace.take("rpc")
    found = await automation.on_phone(lambda: len(automation.find_now(wanted)))
    last = wanted.steps[-1][1] if wanted.steps else wanted
    return found if last.instance is None else min(found, 1)


async def object_info_of(automation: Automation, wanted: Object) -> Result:
    await automation.phone.pace.take("rpc")
    return await automation.on_phone(lambda: object_info(automation.find_one_now(wanted)))


async def object_info_of_all(automation: Automation, wanted: Selector) -> Result:
    await automation.phone.pace.take("rpc")
    return await automation.on_phone(lambda: [object_info(node) for node in automation.find_now(wanted)])


# --- objects with a name ----------------------------------------------------------------------------------
async def get_object(automation: Automation, wanted: Selector) -> Result:
    await automation.phone.pace.take("rpc")
    return automation.remember(wanted)


async def get_child(automation: Automation, name: str, wanted: Selector) -> Result:
    await automation.phone.pace.take("rpc")
    return automation.remember(automation.selector(name).then("child", wanted))


async def get_from_parent(automation: Automation, name: str, wanted: Selector) -> Result:
    await automation.phone.pace.take("rpc")
    return automation.remember(automation.selector(name).then("sibling", wanted))


async def get_objects(automation: Automation) -> Result:
    await automation.phone.pace.take("rpc")
    return list(automation.objects)


async def remove_object(automation: Automation, name: str) -> Result:
    await automation.phone.pace.take("rpc")
    automation.objects.pop(name, None)
    return None


# --- children of a collection -----------------------------------------------------------------------------
async def child_by_text(automation: Automation, around: Selector, pattern: Selector, text: str) -> Result:
    """The name of the first child like ``pattern`` that has the text itself or somewhere inside."""
    await automation.phone.pace.take("rpc")
    row = await automation.on_phone(lambda: row_now(automation, around, pattern, Selector((("text", text),))))
    return _named(automation, row, text)


async def child_by_description(automation: Automation, around: Selector, pattern: Selector, text: str) -> Result:
    await automation.phone.pace.take("rpc")
    inside = Selector((("description", text),))
    row = await automation.on_phone(lambda: row_now(automation, around, pattern, inside))
    return _named(automation, row, text)


async def child_by_instance(automation: Automation, around: Selector, pattern: Selector, instance: int) -> Result:
    await automation.phone.pace.take("rpc")
    return automation.remember(around.then("child", pattern.of_instance(instance)))


def row_now(automation: Automation, around: Selector, pattern: Selector, inside: Selector) -> Selector | None:
    """The selector of the first row that is or holds a match of ``inside``; None if no row does."""
    rows = around.then("child", pattern)
    for instance in range(len(automation.find_now(rows))):
        row = rows.of_instance(instance)
        (node,) = automation.find_now(row)[:1]
        key, text = inside.criteria[0]
        if getattr(node, key) == text or any(getattr(below, key) == text for below in node.walk()):
            return row
    return None


def _named(automation: Automation, row: Selector | None, text: str) -> str:
    if row is None:
        raise object_not_found(f'for {text}= "{text}"')
    return automation.remember(replace(row))


METHODS = (
    Method("exist", ("object",), exist),
    Method("waitForExists", ("object", "long"), wait_for_exists),
    Method("waitUntilGone", ("object", "long"), wait_until_gone),
    Method("count", ("selector",), count),
    Method("objInfo", ("object",), object_info_of),
    Method("objInfoOfAllInstances", ("selector",), object_info_of_all),
    Method("getUiObject", ("selector",), get_object),
    Method("getChild", ("text", "selector"), get_child),
    Method("getFromParent", ("text", "selector"), get_from_parent),
    Method("getUiObjects", (), get_objects),
    Method("removeUiObject", ("text",), remove_object),
    Method("childByText", ("selector", "selector", "text"), child_by_text),
    Method("childByDescription", ("selector", "selector", "text"), child_by_description),
    Method("childByInstance", ("selector", "selector", "int"), child_by_instance),
)
