"""A screen as uiautomator writes it: windows into hierarchy XML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..ui import UiNode, Window

DECLARATION = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"

_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\t": "&#9;",
}
_SPECIAL = re.compile(
    '[&<>"\n\r\t\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufddf\ufffe\uffff'
    "\U00010000-\U0010ffff]"
)
_BOOLEAN = ("false", "true")
_HINTS, _DISPLAYS = 26, 30  # the first SDK that reports them


def render_hierarchy(
    windows: Sequence[Window], rotation: int, *, server: bool = False, sdk: int = 29
) -> bytes:
    """The windows given, those that are in dumps, under one root.

    On one line, with the seventeen attributes of ``uiautomator dump``; with ``server``, indented
    and with those that uiautomator2's server adds: ``visible-to-user``, ``drawing-order``, from
    Android 8 on (``sdk``) ``hint``, from Android 11 on ``display-id``
    (AccessibilityNodeInfoDumper.java). Its ``stripInvalidXMLChars`` goes by UTF-16 units and makes
    a dot of each surrogate, so that an emoji is ``..``; that of ``uiautomator dump`` lets them
    pass, and Android's serializer writes a number (KXmlSerializer.java, ``writeSurrogate``).
    """
    parts = [DECLARATION, "\r\n" if server else "", f'<hierarchy rotation="{rotation}">']
    shown = [window for window in windows if window.accessible]
    if not shown:
        return f'{parts[0]}{parts[1]}<hierarchy rotation="{rotation}" />'.encode()
    for index, window in enumerate(shown):
        display = (
            f' display-id="{window.display}"' if sdk >= _DISPLAYS else "" if sdk >= _HINTS else None
        )
        _write(window.root, index, parts, "\r\n  " if server else "", display)
    parts += ["\r\n" if server else "", "</hierarchy>"]
    return "".join(parts).encode()


def active_window(windows: Iterable[Window]) -> Window | None:
    """The one that ``uiautomator dump`` prints: the topmost that an app has, which a keyboard never
    is; None for a dark screen."""
    accessible = [window for window in windows if window.accessible and window.kind != "keyboard"]
    return max(accessible, key=lambda window: (window.focused, window.layer), default=None)


def shown_text(node: UiNode) -> str:
    """What accessibility calls the text: of an empty field, its hint."""
    return node.text or (node.hint if node.editable else "")


def _write(node: UiNode, index: int, parts: list[str], line: str, display: str | None) -> None:
    bounds = node.bounds
    text, description = shown_text(node), node.description
    escape = _dotted if line else _numbered
    nameless = (
        not text and not description and node.clickable and node.enabled and not _named_below(node)
    )
    naf = 'NAF="true" ' if nameless else ""
    parts.append(
        f'{line}<node {naf}index="{index}" text="{escape(text)}" '
        f'resource-id="{escape(node.resource_id)}"'
        f' class="{node.class_name}" package="{node.package}" content-desc="{escape(description)}"'
        f' checkable="{_BOOLEAN[node.checkable]}" checked="{_BOOLEAN[node.checked]}"'
        f' clickable="{_BOOLEAN[node.clickable]}" enabled="{_BOOLEAN[node.enabled]}"'
        f' focusable="{_BOOLEAN[node.focusable]}" focused="{_BOOLEAN[node.focused]}"'
        f' scrollable="{_BOOLEAN[node.scrollable]}" '
        f'long-clickable="{_BOOLEAN[node.long_clickable]}"'
        f' password="{_BOOLEAN[node.password]}" selected="{_BOOLEAN[node.selected]}"'
        f"{_visible(node) if line else ''}"
        f' bounds="[{bounds.left},{bounds.top}][{bounds.right},{bounds.bottom}]"'
    )
    if line:
        hint = "" if display is None else f' hint="{escape(node.hint)}"{display}'
        parts.append(f' drawing-order="{index + 1}"{hint}')
    children = [child for child in node.children if not child.bounds.is_empty or child.recorded]
    if not children:
        parts.append(" />")
        return
    parts.append(">")
    below = line + "  " if line else ""
    for place, child in enumerate(children):
        _write(child, place, parts, below, display)
    parts.append(f"{line}</node>")


def _visible(node: UiNode) -> str:
    hidden = node.recorded is not None and "hidden" in node.recorded.states
    return f' visible-to-user="{_BOOLEAN[not hidden]}"'


def _named_below(node: UiNode) -> bool:
    return any(child.text or child.description or _named_below(child) for child in node.children)


def _dotted(text: str) -> str:
    """For an attribute; what XML cannot hold becomes a full stop, and so does each half of a
    character that UTF-16 has two units for."""
    return _SPECIAL.sub(
        lambda match: _ESCAPES.get(match[0], ".." if match[0] > "\uffff" else "."), text
    )


def _numbered(text: str) -> str:
    """The same, but the number of a character that UTF-16 has two units for."""
    return _SPECIAL.sub(
        lambda match: _ESCAPES.get(match[0], f"&#{ord(match[0])};" if match[0] > "\uffff" else "."),
        text,
    )
