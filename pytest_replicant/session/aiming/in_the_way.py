"""What lies over an element or over the whole app, as messages name it and as recovery policies read it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...model import bare, quoted

if TYPE_CHECKING:
    from ...model import Element, Node
    from ...snapshots import Cover, Snapshot

_MOST_BUTTONS = 6
_PERMISSION = ("permissioncontroller", "packageinstaller")
_SYSTEM = ("com.android.systemui", "android", *_PERMISSION)
_SPRINGBOARD = "com.apple.springboard"  # iOS's home screen, and what it asks and says in the system's name
_ALLOWS = re.compile(r"(Don[’']t )?Allow\b")


def blocker_of(snapshot: Snapshot, element: Element, cover: Cover) -> Element | None:
    """The listed element that lies over another one: what covers it itself, else what that is a part of, else what
    is in it; of a window its title, else the first thing in it. None for a keyboard."""
    if cover.index < 0:
        return None
    listed = (*snapshot.headings, *snapshot.elements)
    node = snapshot.nodes[cover.index]
    if cover.kind == "window":
        return next((one for one in listed if one.window == node.window), None)
    known = {one.node.index: one for one in listed}
    around, index = _around(snapshot, element.node), cover.index
    while index >= 0 and index not in around:
        if index in known:
            return known[index]
        index = snapshot.nodes[index].parent
    return next((one for one in listed if cover.index in _around(snapshot, one.node)), None)


def told(snapshot: Snapshot, cover: Cover, blocker: Element | None) -> str:
    """``Dialog "Allow notifications?"``, ``Button "Undo" (snackbar)``."""
    node = snapshot.nodes[cover.index]
    if cover.kind == "window":
        if snapshot.dialog is not None and node.window == _top(snapshot):
            return describe_dialog(snapshot)
        return f"a window of {bare(node.package)}" if node.package else "another window"
    if blocker is None:
        return bare(node.class_name)
    name = quoted(blocker.label) if blocker.label else f"[{blocker.ref}]"
    notice = " (snackbar)" if _is_snackbar(snapshot, blocker.node) else ""
    return f"{bare(blocker.class_name)} {name}{notice}"


def describe_dialog(snapshot: Snapshot) -> str:
    """``Dialog "Allow notifications?"``: by its title, else by what it says first."""
    name = _dialog_name(snapshot)
    return f"Dialog {quoted(name)}" if name else "a dialog"


def _dialog_name(snapshot: Snapshot) -> str:
    window = _top(snapshot)
    says = (
        one.label for one in snapshot.elements if one.window == window and not one.node.clickable and one.label
    )
    return snapshot.dialog or next(says, "")


def hides_the_app(snapshot: Snapshot) -> bool:
    """Whether a message of iOS's own has taken the app's place in the hierarchy, so that nothing of the app can be
    read at all."""
    return snapshot.platform == "ios" and snapshot.app == _SPRINGBOARD and snapshot.dialog is not None


def over_the_app(snapshot: Snapshot) -> str:
    """What hides the app's own screen, which is a reason not to find something on it, with what can be pressed
    there. "" where nothing does."""
    if snapshot.dialog is None:
        return ""
    return f"\n{_announced(snapshot)}{pressable(snapshot)}"


def pressable(snapshot: Snapshot) -> str:
    """The buttons of what lies over the app, and how to get past it; "" where nothing does."""
    if snapshot.dialog is None:
        return ""
    window = _top(snapshot)
    buttons = [one for one in snapshot.elements if one.window == window and one.node.clickable]
    listed = "   ".join(
        f"[{one.ref}] {bare(one.class_name)} {quoted(one.label)}" for one in buttons[:_MOST_BUTTONS]
    )
    lines = [f"  {listed}"] if listed else []
    if _asks_permission(snapshot, buttons):
        before = "" if snapshot.platform == "ios" else ", or grant it before launch"
        lines.append(f'Next: mobile.answer_permission("allow"){before}.')
    elif buttons:
        lines.append("Next: tap one of them first.")
    return "".join(f"\n{line}" for line in lines)


def _announced(snapshot: Snapshot) -> str:
    window, name = _top(snapshot), _dialog_name(snapshot)
    package = next((node.package for node in snapshot.nodes if node.window == window and node.package), "")
    system = package != snapshot.app and any(package == one or package.endswith(one) for one in _SYSTEM)
    if system or hides_the_app(snapshot):
        return f"A system alert covers the app{': ' + quoted(name) if name else ''}"
    named = f" {quoted(name)}" if name else ""
    return f"A window{named} covers the app; what lies below it is not listed."


def _top(snapshot: Snapshot) -> int:
    """The window that lies over the app: that of the dialog's title, else of the first thing that is listed."""
    listed = (*snapshot.headings, *snapshot.elements)
    titled = next((one.window for one in snapshot.headings if one.label == snapshot.dialog), None)
    return titled if titled is not None else next((one.window for one in listed), -1)


def _asks_permission(snapshot: Snapshot, buttons: list[Element]) -> bool:
    if hides_the_app(snapshot):
        return any(_ALLOWS.match(one.label) for one in buttons)
    return any("permission_allow" in one.resource_id or one.node.package.endswith(_PERMISSION) for one in buttons)


def _is_snackbar(snapshot: Snapshot, node: Node) -> bool:
    while True:
        if "snackbar" in f"{node.class_name} {node.resource_id}".lower():
            return True
        inside = (snapshot.nodes[index] for index in node.children)
        if any("snackbar" in one.resource_id.lower() for one in inside):
            return True
        if node.parent < 0:
            return False
        node = snapshot.nodes[node.parent]


def _around(snapshot: Snapshot, node: Node) -> set[int]:
    found = {node.index}
    while node.parent >= 0:
        node = snapshot.nodes[node.parent]
        found.add(node.index)
    return found
