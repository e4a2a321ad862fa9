"""Methods for text: fields and the clipboard."""

from __future__ import annotations

from ..renderers.uiautomator import active_window, shown_text
from .automation import Automation, Object
from .rpc import Result, look
from .selector import Selector


def set_text(automation: Automation, wanted: Object, text: str | None) -> Result:
    """Touches a field, so that it has the focus, and replaces its text; False for a node that is no
    field, which is not touched. An object with a name is not touched either, nor what only a
    UiSelector can find (AutomatorServiceImpl.java, ``setText``)."""
    node = automation.find_one_now(wanted)
    if node.editable and isinstance(wanted, Selector) and wanted.is_simple:
        automation.phone.tap(node.bounds.center.x, node.bounds.center.y)
    return automation.phone.set_text(node, text or "")


def clear_text(automation: Automation, wanted: Object) -> Result:
    automation.phone.set_text(automation.find_one_now(wanted), "")
    return None


def get_text(automation: Automation, wanted: Object) -> Result:
    return shown_text(automation.find_one_now(wanted))


def clear_input(automation: Automation) -> Result:
    """Empties the field that has the focus. The real server presses keys for it, so that, as there,
    nothing is said if none has."""
    window = active_window(automation.phone.windows())
    for node in window.root.walk() if window else ():
        if node.focused and node.editable:
            automation.phone.set_text(node, "")
    return None


def set_clipboard(automation: Automation, _label: str | None, text: str | None) -> Result:
    automation.phone.set_clip(text)
    return None


def get_clipboard(automation: Automation) -> Result:
    return automation.phone.clipboard if automation.phone.profile.reads_clipboard else None


def paste(automation: Automation) -> Result:
    """At the caret of the field that has the focus; by keys too, and as silent if none has."""
    automation.phone.paste()
    return None


METHODS = (
    look("setText", ("object", "text"), set_text, "text"),
    look("getText", ("object",), get_text),
    look("clearTextField", ("object",), clear_text, "text"),
    look("clearInputText", (), clear_input, "text"),
    look("setClipboard", ("text", "text"), set_clipboard),
    look("getClipboard", (), get_clipboard),
    look("pasteClipboard", (), paste, "text"),
)
