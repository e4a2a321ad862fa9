"""The two spellings of a hierarchy, XML and JSON: which of their values are texts, and others in their place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ..json_fields import load_json
from .learned import ENTER_KEYS

Change = Callable[[str], str]

_NUMBERS = frozenset(
    {"accessible", "bounds", "checkable", "checked", "clickable", "context-clickable", "display-id", "displayed",
     "drawing-order", "enabled", "focusable", "focused", "frame", "hasFocus", "height", "index", "instance",
     "isAccessible", "isEnabled", "isFocused", "isSelected", "isVisible", "long-clickable", "NAF", "password",
     "rotation", "scrollable", "selected", "showing-hint", "visible", "visible-to-user", "width", "x", "y"}
)  # fmt: skip
_ONE = r"-?(?:\d{1,6}(?:\.\d{1,20})?(?:e-?\d\d?)?|inf|nan)"
_NUMBER = re.compile(rf"true|false|{_ONE}|\W{{0,3}}(?:{_ONE}\W{{1,4}}){{3}}{_ONE}\W{{0,3}}", re.ASCII)
_NAMES = frozenset({"class", "package", "resource-id", "bundleId", "type"})
_TRAITS = re.compile(r"[A-Z][A-Za-z]*(?:, ?[A-Z][A-Za-z]*)*")
CODE = re.compile(r"[\w.:$/+@-]+", re.ASCII)
_OWN_ID = re.compile(r"(?=.*[._:$/]|.*[a-z][A-Z]|[a-z0-9-]+$)[\w.:$/-]+", re.ASCII)
"""What people who write apps call an element: it has a dot or the like, a hump, or is all small."""
_SET = re.compile(r"\d|true|false|yes|no", re.ASCII)
_HAS_STATE = frozenset({"Button", "CheckBox", "RadioButton", "Switch", "Tab", "Toggle"})
_START = re.compile(r"<(?:\?xml\b|hierarchy\b|node\b|AppiumAUT\b|XCUIElementType)")
_TOKEN = re.compile(
    r"<(?:!--.*?--|!\[CDATA\[.*?\]\]|(?P<instruction>\?.*?\?)|(?P<end>/?)(?P<tag>[^\s<>/!?]+)"
    r"(?P<given>[^<>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^<>\"']*)*))>|(?P<text>[^<]+)",
    re.DOTALL,
)
_INSTRUCTION = re.compile(
    r"\?(?:replicant (?:over=\"[\w.-]{1,200}\" )?levels=\"\d{1,6}\"|"
    r"xml(?: +(?:version|encoding|standalone)=([\"'])[\w.-]{1,20}\1)* *)\?"
)
_ATTRIBUTE = re.compile(r"([^\s=\"']+)(\s*=\s*)(\"[^\"]*\"|'[^']*')")
_TO_CHANGE = re.compile(
    rf"(?<=\s)(?!(?:{'|'.join(sorted(_NUMBERS))})=\"(?:true|false|\d{{1,6}})\"|[\w-]+=\"\"){_ATTRIBUTE.pattern}"
)
"""Most attributes of most elements are numbers or empty: to leave them out is three times as fast."""
REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,10})|(amp|lt|gt|quot|apos));")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ESCAPES = {ord(sign): f"&{name};" for name, sign in _ENTITIES.items()} | {9: "&#9;", 10: "&#10;", 13: "&#13;"}
_BLANKS = {9: 32, 10: 32, 13: 32}


def unescaped(raw: str) -> str:
    return REFERENCE.sub(character, raw) if "&" in raw else raw


def character(match: re.Match[str]) -> str:
    if match[3]:
        return _ENTITIES[match[3]]
    code = int(match[1], 16) if match[1] else int(match[2])
    is_character = code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code in _ABOVE
    return chr(code) if is_character else ""


_ABOVE = range(0x10000, 0x110000)


class Hierarchies:
    """Writes hierarchies with other ``texts``. ``named`` is for names, which are kept but for personal data in
    them. All else stays as it was, byte for byte, but noise around the hierarchy, and comments."""

    def __init__(self, text: Change, named: Change) -> None:
        self._text = text
        self._named = named
        self._known: dict[tuple[str, str], str] = {}

    def xml(self, text: str) -> str:
        """Raises ``ValueError`` for markup that no parser would read either."""
        start = _START.search(text)
        text = text[start.start() if start else 0 : text.rfind(">") + 1]
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            raise ValueError("declares a document type")
        keyboard, last = 0, 0
        found: list[str] = []
        for match in _TOKEN.finditer(text):
            if match.start() != last:
                break
            last, tag = match.end(), match["tag"]
            if tag:
                is_open = not (match["end"] or match["given"].endswith("/"))
                if keyboard or tag == "XCUIElementTypeKeyboard":
                    keyboard += is_open - bool(match["end"])
                given = self._given(tag, match["given"], keyboard > 0)
                found.append(f"<{match['end']}{self._named(tag)}{given}>")
            elif match["text"]:
                found.append(_escaped(match["text"], self._text))
            elif match["instruction"] and _INSTRUCTION.fullmatch(match["instruction"]):
                found.append(match[0])
        if last != len(text):
            raise ValueError("is no XML")
        return "".join(found)

    def _given(self, tag: str, raw: str, in_keyboard: bool) -> str:
        """The attributes of a tag."""
        element: dict[str, Any] = {}
        if tag.startswith("XCUI"):
            element = {name: unescaped(value[1:-1]) for name, _, value in _ATTRIBUTE.findall(raw)}
            element["type"] = tag.removeprefix("XCUIElementType")

        def changed(match: re.Match[str]) -> str:
            name, between, value = match.groups()
            seen = value if len(value) == 2 else None if element else self._known.get((name, value))
            if seen is None:
                seen = _escaped(value, lambda text: self._attribute(name, text, element, in_keyboard))
                self._known[name, value] = seen
            return f"{name if name in _SAFE else self._named(name)}{between}{seen}"

        return _TO_CHANGE.sub(changed, raw)

    def _attribute(self, name: str, value: str, element: Mapping[str, Any], in_keyboard: bool) -> str:
        """``element`` are the attributes of an iPhone's."""
        if is_number(name, value):
            return value
        if name in _NAMES:
            return self._name(value)
        if (name == "traits" and _TRAITS.fullmatch(value)) or (
            name == "value" and element.get("type") in _HAS_STATE and _SET.fullmatch(value)
        ):
            return value
        if name in _IDS and element:
            shown = [element.get(each) for each in ("label", "value", "placeholderValue")]
            is_title = element.get("type") == "NavigationBar" and not re.search("[._]", value)
            is_own = value not in shown and not is_title and _OWN_ID.fullmatch(value)
            if is_own or (in_keyboard and value in ENTER_KEYS):
                return self._named(value)
        return self._text(value)

    def _name(self, text: str) -> str:
        return self._named(text) if CODE.fullmatch(text) else self._text(text)

    def json(self, text: str) -> str:
        tree = load_json(text.encode())
        pending: list[tuple[Any, bool]] = [(tree, False)]
        while pending:
            value, in_keyboard = pending.pop()
            if isinstance(value, list):
                value[:] = [self._leaf("", one, {}, in_keyboard) for one in value]
                pending += [(one, in_keyboard) for one in value]
            if not isinstance(value, dict):
                continue
            in_keyboard = in_keyboard or value.get("type") == "Keyboard"
            element = dict(value)
            value.clear()
            for key, one in element.items():
                is_markup = key == "value" and "type" not in element and isinstance(one, str) and "<" in one
                changed = self.xml(one) if is_markup else self._leaf(key, one, element, in_keyboard)
                value[key if key in _SAFE else self._name(key)] = changed
                pending.append((changed, in_keyboard))
        return json.dumps(tree, ensure_ascii=False)

    def _leaf(self, key: str, value: Any, element: Mapping[str, Any], in_keyboard: bool) -> Any:
        if isinstance(value, str):
            return self._attribute(key, value, element, in_keyboard)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            changed = self._attribute(key, str(value), element, in_keyboard)
            return value if changed == str(value) else changed
        return value


_IDS = ("name", "rawIdentifier", "identifier")
_SAFE = _NUMBERS | _NAMES | {*_IDS, "text", "content-desc", "hint", "label", "value", "placeholderValue", "traits",
                             "rect", "children"}  # fmt: skip


def _escaped(raw: str, change: Callable[[str], str]) -> str:
    """An attribute in its quotes, or a text between tags; as it was where the change is none."""
    quote = raw[0] if raw[0] in "\"'" and raw[-1] == raw[0] and len(raw) > 1 else ""
    text = unescaped(raw[1:-1].translate(_BLANKS) if quote else raw)
    changed = change(text)
    return raw if changed == text else quote + changed.translate(_ESCAPES) + quote


_VALUES = re.compile(r"\s([^\s=\"'<>]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_MARKUP = re.compile(r"<\?(?:xml|replicant)\b[^>]*>|</?[^\s<>\"'/]+|[\s/]*>")


@lru_cache(maxsize=65_536)
def is_number(name: str, value: str) -> bool:
    return name in _NUMBERS and _NUMBER.fullmatch(value) is not None


def is_kept(name: str, value: str) -> bool:
    """Whether it is no text, by its name and its form."""
    if is_number(name, value):
        return True
    if name == "traits":
        return _TRAITS.fullmatch(value) is not None
    kept = (name in _NAMES and CODE.fullmatch(value)) or (name in _IDS and _OWN_ID.fullmatch(value))
    return (
        bool(kept)
        or (name in _IDS and value in ENTER_KEYS)
        or (name == "value" and _SET.fullmatch(value) is not None)
    )


def xml_values(text: str) -> set[tuple[str, str]]:
    """The attributes, each once, and what else is there without a name."""
    found = {(name, unescaped(one or other)) for name, one, other in {*_VALUES.findall(text)}}
    return found | {("", unescaped(_MARKUP.sub(" ", _VALUES.sub("", text))).strip())}


def json_values(text: str) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    pending = [("", json.loads(text))]
    while pending:
        name, value = pending.pop()
        if isinstance(value, dict):
            pending += value.items()
            found |= {("", key) for key in value if not CODE.fullmatch(key)}
        elif isinstance(value, list):
            pending += [(name, one) for one in value]
        elif isinstance(value, str) and name == "value" and "</" in value:
            found |= xml_values(value)
        elif value is not None:
            found.add((name, str(value)))
    return found
