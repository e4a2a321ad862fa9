"""Methods for text: fields and the clipboard."""

from __future__ import annotations

from ..renderers.uiautomator import shown_text
from .automation import Automation, Object
from .rpc import Method, Result
from .selector import Selector


async def set_text(automation: Automation, wanted: Object, text: str | None) -> Result:
    """Touches a field, so that it has the focus, and replaces its text; False for a node that is no field, which
    is not touched. An object with a name is not touched either, nor what only a UiSelector can find
    (AutomatorServiceImpl.java, ``setText``)."""
    await automation.phone.pace.take("text")

    def act() -> bool:
        node = automation.find_one_now(wanted)
        if node.editable and isinstance(wanted, Selector) and wanted.is_simple:
            automation.phone.tap(node.bounds.center.x, node.bounds.center.y)
        return automation.phone.set_text(node, text or "")

    return await automation.on_phone(act)


async def clear_text(automation: Automation, wanted: Object) -> Result:
    await automation.phone.pace.take("text")
    await automation.on_phone(lambda: automation.phone.set_text(automation.find_one_now(wanted), ""))
    return None


async def get_text(automation: Automation, wanted: Object) -> Result:
    await automation.phone.pace.take("rpc")
    return await automation.on_phone(lambda: shown_text(automation.find_one_now(wanted)))


async def clear_input(automation: Automation) -> Result:
    """Empties the field that has the focus. The real server presses keys for it, so that, as there, nothing is
    said if none has."""
    await automation.phone.pace.take("text")

    def act() -> None:
        window = automation.active_window_now()
        for node in window.root.walk() if window else ():
            if node.focused and node.editable:
                automation.phone.set_text(node, "")

    await automation.on_phone(act)
    return None


async def set_clipboard(automation: Automation, _label: str | None, text: str | None) -> Result:
    await automation.phone.pace.take("rpc")
    await automation.on_phone(lambda: automation.phone.set_clip(text))
    return None


async def get_clipboard(automation: Automation) -> Result:
    await automation.phone.pace.take("rpc")
    return automation.phone.clipboard if automation.phone.profile.reads_clipboard else None


async def paste(automation: Automation) -> Result:
    """At the caret of the field that has the focus; by keys too, and as silent if none has."""
    await automation.phone.pace.take("text")
    await automation.on_phone(automation.phone.paste)
    return None


METHODS = (
    Method("setText", ("object", "text"), set_text),
    Method("getText", ("object",), get_text),
    Method("clearTextField", ("object",), clear_text),
    Method("clearInputText", (), clear_input),
    Method("setClipboard", ("text", "text"), set_clipboard),
    Method("getClipboard", (), get_clipboard),
    Method("pasteClipboard", (), paste),
)
