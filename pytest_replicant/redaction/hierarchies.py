"""The texts of a hierarchy: all that it says, and the same hierarchy with other texts in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from xml.sax.saxutils import quoteattr

from ..drivers import Platform
from ..model import Node
from ..snapshots import Dump, read_hierarchy

Change = Callable[[str], str]
ENTER_KEYS = ("Return", "Go", "Search", "Done", "Next", "Send", "Join", "Route", "Continue")
"""The names of the key of an iPhone's keyboard that ends a line."""

_NUMBERS = frozenset(
    {"accessible", "bounds", "checkable", "checked", "clickable", "context-clickable", "display-id", "displayed",
     "drawing-order", "enabled", "focusable", "focused", "height", "index", "instance", "long-clickable", "NAF",
     "password", "rotation", "scrollable", "selected", "showing-hint", "visible", "visible-to-user", "width", "x",
     "y"}
)  # fmt: skip
_ONE = r"-?(?:\d{1,6}(?:\.\d{1,20})?(?:e-?\d\d?)?|inf|nan)"
_NUMBER = re.compile(rf"true|false|{_ONE}|\W{{0,3}}(?:{_ONE}\W{{1,4}}){{3}}{_ONE}\W{{0,3}}", re.ASCII)
_NAMES = frozenset({"class", "package", "resource-id", "bundleId", "type"})
_IDS = frozenset({"name", "rawIdentifier", "identifier"})
_TEXTS = frozenset({"text", "content-desc", "hint", "pane-title", "label", "value", "placeholderValue", "traits"})
_READ = _NUMBERS | _NAMES | _IDS | _TEXTS
_TRAITS = re.compile(r"[A-Z][A-Za-z]*(?:, ?[A-Z][A-Za-z]*)*")
_CODE = re.compile(r"[\w.:$/+@-]+", re.ASCII)
_OWN_ID = re.compile(r"(?=.*[._:$/]|.*[a-z][A-Z]|[a-z0-9-]+$)[\w.:$/-]+", re.ASCII)
"""What people who write apps call an element: it has a dot or the like, a hump, or is all small."""
_SET = re.compile(r"\d|true|false|yes|no", re.ASCII)
_HAS_STATE = frozenset({"Button", "CheckBox", "RadioButton", "Switch", "Tab", "Toggle"})


@lru_cache(maxsize=65_536)
def _is_number(name: str, value: str) -> bool:
    return name in _NUMBERS and _NUMBER.fullmatch(value) is not None


def said_in(source: bytes) -> set[str]:
    """All that a hierarchy says, but for numbers and states. Raises ``SnapshotError``."""
    every = {pair for given in read_hierarchy(source, None).attributes for pair in given.items()}
    return {value for name, value in every if not _is_number(name, value)}


def rewritten(source: bytes, text: Change, named: Change, platform: Platform | None = None) -> bytes:
    """The hierarchy as XML, with other texts; ``named`` is for names, which stay but for personal data in them.
    Only attributes that are read are in it, and no comments. Raises ``SnapshotError`` if it is no screen, or
    none of ``platform``."""
    dump = read_hierarchy(source, platform)
    rewriting = _Rewriting(dump, text, named)
    written = [_instruction(dump), _root(dump)]
    open_tags: list[tuple[int, str]] = []
    for node, given in zip(dump.nodes, dump.attributes, strict=True):
        while open_tags and open_tags[-1][0] != node.parent:
            written.append(f"</{open_tags.pop()[1]}>")
        tag = "node" if dump.platform == "android" else f"XCUIElementType{node.class_name}"
        written.append(f"<{tag}{rewriting.attributes(node, given)}>")
        open_tags.append((node.index, tag))
    written += [f"</{tag}>" for _, tag in reversed(open_tags)]
    return "".join([*written, "</hierarchy>"]).encode("utf-8", "replace")


def _instruction(dump: Dump) -> str:
    """What a driver said of the hierarchy."""
    over = f'over="{dump.over}" ' if dump.over else ""
    return f'<?replicant {over}levels="{dump.levels}"?>' if over or dump.levels else ""


def _root(dump: Dump) -> str:
    width, height = dump.size
    return f'<hierarchy width="{width}" height="{height}">' if width or height else "<hierarchy>"


class _Rewriting:
    """Of one hierarchy."""

    def __init__(self, dump: Dump, text: Change, named: Change) -> None:
        self._is_ios = dump.platform == "ios"
        self._text = text
        self._named = named
        self._in_keyboard: set[int] = set()

    def attributes(self, node: Node, given: Mapping[str, str]) -> str:
        """Nodes are given in their order."""
        if node.class_name == "Keyboard" or node.parent in self._in_keyboard:
            self._in_keyboard.add(node.index)
        if not self._is_ios and "class" not in given:
            given = {**given, "class": node.class_name}  # its tag was the class
        kept = {name: self._value(node, given, name) for name in given if name in _READ}
        return "".join(f" {name}={quoteattr(value)}" for name, value in kept.items())

    def _value(self, node: Node, given: Mapping[str, str], name: str) -> str:
        value = given[name]
        if not value or _is_number(name, value):
            return value
        if name in _NAMES:
            return self._named(value) if _CODE.fullmatch(value) else self._text(value)
        if name == "traits" and _TRAITS.fullmatch(value):
            return value
        if name == "value" and node.class_name in _HAS_STATE and _SET.fullmatch(value):
            return value
        if name in _IDS and self._is_own(node, given, value):
            return self._named(value)
        return self._text(value)

    def _is_own(self, node: Node, given: Mapping[str, str], value: str) -> bool:
        """Whether an iPhone's element has an id here that is no text of the screen."""
        if node.index in self._in_keyboard and value in ENTER_KEYS:
            return True
        if node.class_name == "NavigationBar" and not re.search("[._]", value):  # its title
            return False
        shown = [given.get(each) for each in ("label", "value", "placeholderValue")]
        return value not in shown and _OWN_ID.fullmatch(value) is not None
