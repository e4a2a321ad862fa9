"""UI Automator's selectors: parsed from the client's dictionary, matched against the nodes of a
window."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ..renderers.uiautomator import shown_text
from ..ui import UiNode
from .failures import java_exception, parameters_invalid

Relation = Literal["child", "sibling"]
Test = Callable[[UiNode, object], bool]


@dataclass(frozen=True)
class Attribute:
    """One key of a selector: its bit in ``mask``, its name in messages, what it asks of a node."""

    mask: int
    name: str
    kind: type
    test: Test


def _read(node: UiNode, attribute: str) -> object:
    return shown_text(node) if attribute == "text" else getattr(node, attribute)


def _same(attribute: str) -> Test:
    return lambda node, wanted: _read(node, attribute) == wanted


def _contains(attribute: str) -> Test:
    return lambda node, wanted: str(wanted).lower() in str(_read(node, attribute)).lower()


def _starts_with(attribute: str) -> Test:
    return lambda node, wanted: str(_read(node, attribute)).lower().startswith(str(wanted).lower())


def _matches(attribute: str) -> Test:
    return lambda node, wanted: bool(
        isinstance(wanted, re.Pattern) and wanted.fullmatch(str(_read(node, attribute)))
    )


ATTRIBUTES: dict[str, Attribute] = {
    "text": Attribute(0x1, "TEXT", str, _same("text")),
    "textContains": Attribute(0x2, "CONTAINS_TEXT", str, _contains("text")),
    "textMatches": Attribute(0x4, "TEXT_REGEX", re.Pattern, _matches("text")),
    "textStartsWith": Attribute(0x8, "START_TEXT", str, _starts_with("text")),
    "className": Attribute(0x10, "CLASS", str, _same("class_name")),
    "classNameMatches": Attribute(0x20, "CLASS_REGEX", re.Pattern, _matches("class_name")),
    "description": Attribute(0x40, "DESCRIPTION", str, _same("description")),
    "descriptionContains": Attribute(0x80, "CONTAINS_DESCRIPTION", str, _contains("description")),
    "descriptionMatches": Attribute(
        0x100, "DESCRIPTION_REGEX", re.Pattern, _matches("description")
    ),
    "descriptionStartsWith": Attribute(
        0x200, "START_DESCRIPTION", str, _starts_with("description")
    ),
    "checkable": Attribute(0x400, "CHECKABLE", bool, _same("checkable")),
    "checked": Attribute(0x800, "CHECKED", bool, _same("checked")),
    "clickable": Attribute(0x1000, "CLICKABLE", bool, _same("clickable")),
    "longClickable": Attribute(0x2000, "LONG_CLICKABLE", bool, _same("long_clickable")),
    "scrollable": Attribute(0x4000, "SCROLLABLE", bool, _same("scrollable")),
    "enabled": Attribute(0x8000, "ENABLED", bool, _same("enabled")),
    "focusable": Attribute(0x10000, "FOCUSABLE", bool, _same("focusable")),
    "focused": Attribute(0x20000, "FOCUSED", bool, _same("focused")),
    "selected": Attribute(0x40000, "SELECTED", bool, _same("selected")),
    "packageName": Attribute(0x80000, "PACKAGE_NAME", str, _same("package")),
    "packageNameMatches": Attribute(
        0x100000, "PACKAGE_NAME_REGEX", re.Pattern, _matches("package")
    ),
    "resourceId": Attribute(0x200000, "RESOURCE_ID", str, _same("resource_id")),
    "resourceIdMatches": Attribute(
        0x400000, "RESOURCE_ID_REGEX", re.Pattern, _matches("resource_id")
    ),
}
INDEX_MASK = 0x800000
INSTANCE_MASK = 0x1000000
STRUCTURE = ("mask", "childOrSibling", "childOrSiblingSelector")


@dataclass(frozen=True)
class Selector:
    """One level of a query and the ``steps`` down or aside from it. ``criteria`` are (key, value)
    pairs."""

    criteria: tuple[tuple[str, object], ...] = ()
    index: int | None = None
    instance: int | None = None
    steps: tuple[tuple[Relation, Selector], ...] = ()

    def then(self, relation: Relation, selector: Selector) -> Selector:
        """The same, and from there to a child (any depth) or to something below the same parent."""
        inner = replace(selector, steps=())
        return replace(self, steps=(*self.steps, (relation, inner), *selector.steps))

    def of_instance(self, instance: int) -> Selector:
        """The same, of its last level only the match with this number."""
        if not self.steps:
            return replace(self, instance=instance)
        relation, last = self.steps[-1]
        return replace(self, steps=(*self.steps[:-1], (relation, replace(last, instance=instance))))

    @property
    def is_simple(self) -> bool:
        """Whether a BySelector can say it as well (Selector.java, ``toUiObject2``)."""
        return self.index is None and self.instance is None and not self.steps

    def __str__(self) -> str:
        """As UI Automator writes one: ``UiSelector[TEXT=Add, INSTANCE=1]``."""
        parts = [f"{ATTRIBUTES[key].name}={_shown(value)}" for key, value in self.criteria]
        if self.index is not None:
            parts.append(f"INDEX={self.index}")
        if self.instance is not None:
            parts.append(f"INSTANCE={self.instance}")
        names = {"child": "CHILD", "sibling": "PARENT"}
        parts += [f"{names[relation]}={step}" for relation, step in self.steps]
        return f"UiSelector[{', '.join(parts)}]"


@dataclass(slots=True, eq=False)
class Place:
    """A node and where it stands; ``index`` is its position among all its parent's children."""

    node: UiNode
    index: int
    parent: Place | None = None
    children: list[Place] = field(default_factory=list)

    def below(self) -> Iterator[Place]:
        """All that is below it, in document order."""
        for child in self.children:
            yield child
            yield from child.below()


def parse_selector(given: Mapping[str, object]) -> Selector:
    """From the client's dictionary. Only keys whose bit is set in ``mask`` count. Raises
    ``RpcError``."""
    unknown = [key for key in given if key not in (*ATTRIBUTES, *STRUCTURE, "index", "instance")]
    if unknown:
        raise parameters_invalid(f'Unrecognized field "{unknown[0]}" (class Selector)')
    mask = _number(given, "mask") or 0
    selector = Selector(
        tuple(
            (key, _value(key, given.get(key))) for key in ATTRIBUTES if mask & ATTRIBUTES[key].mask
        ),
        _number(given, "index") if mask & INDEX_MASK else None,
        _number(given, "instance") if mask & INSTANCE_MASK else None,
    )
    for relation, step in _steps(given):
        selector = selector.then(relation, parse_selector(step))
    return selector


def find(selector: Selector, root: UiNode) -> list[UiNode]:
    """All matches below and including ``root``, in document order. An invisible node, with all
    below it, is skipped, as on a phone; ``instance`` counts matches across all parents."""
    places = place(root)
    found = list(_matching([places, *places.below()], selector))
    for relation, step in selector.steps:
        found = list(_matching(_scope(found, relation), step))
    return [each.node for each in found]


def find_inner(selector: Selector, root: UiNode) -> list[UiNode]:
    """All matches of one level, each behind those that are inside of it."""

    def inside_out(each: Place) -> Iterator[Place]:
        for child in each.children:
            yield from inside_out(child)
        yield each

    return [each.node for each in _matching(inside_out(place(root)), selector)]


def place(root: UiNode) -> Place:
    """The visible tree of ``root`` with its parents and positions."""
    top = Place(root, 0)
    waiting = [top]
    while waiting:
        above = waiting.pop()
        for index, child in enumerate(above.node.children):
            if not child.bounds.is_empty:
                above.children.append(Place(child, index, above))
        waiting += above.children
    return top


def _matching(places: Iterable[Place], selector: Selector) -> Iterator[Place]:
    left = selector.instance or 0
    tests = [(ATTRIBUTES[key].test, value) for key, value in selector.criteria]
    for each in places:
        if selector.index is not None and each.index != selector.index:
            continue
        if all(test(each.node, value) for test, value in tests):
            if left:
                left -= 1
            else:
                yield each


def _scope(found: Iterable[Place], relation: Relation) -> Iterator[Place]:
    seen: set[int] = set()
    for each in found:
        above = each if relation == "child" else each.parent
        for candidate in above.below() if above else ():
            if id(candidate) not in seen:
                seen.add(id(candidate))
                yield candidate


def _steps(given: Mapping[str, object]) -> list[tuple[Relation, Mapping[str, object]]]:
    relations = given.get("childOrSibling") or []
    selectors = given.get("childOrSiblingSelector") or []
    if not (isinstance(relations, list) and isinstance(selectors, list)) or len(relations) != len(
        selectors
    ):
        raise parameters_invalid(
            "childOrSibling and childOrSiblingSelector are two lists of one length"
        )
    steps: list[tuple[Relation, Mapping[str, object]]] = []
    for relation, selector in zip(relations, selectors, strict=True):
        if relation not in ("child", "sibling") or not isinstance(selector, dict):
            raise parameters_invalid(f"no relation to follow: {relation!r}")
        steps.append((relation, selector))
    return steps


def _number(given: Mapping[str, object], key: str) -> int | None:
    value = given.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise parameters_invalid(f"Selector.{key}: {value!r} is no count")
    return value


def _value(key: str, value: object) -> object:
    kind = ATTRIBUTES[key].kind
    if kind is bool:
        if not isinstance(value, bool):
            raise parameters_invalid(f"Selector.{key}: {value!r} is neither true nor false")
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise parameters_invalid(f"Selector.{key}: {value!r} is no text")
    return compile_pattern(str(value)) if kind is re.Pattern else str(value)


def compile_pattern(text: str) -> re.Pattern[str]:
    """A Java pattern as a Python one; raises ``RpcError`` where it is none. Quoting with
    ``\\Q..\\E`` is translated, the rest of the two languages is close enough for what selectors
    hold."""
    quoted = re.sub(r"\\Q(.*?)(?:\\E|\Z)", lambda found: re.escape(found[1]), text, flags=re.DOTALL)
    try:
        return re.compile(quoted)
    except (re.error, RecursionError, OverflowError) as error:
        raise java_exception(
            "java.util.regex.PatternSyntaxException", f"{error}: {text}"
        ) from error


def _shown(value: object) -> str:
    if isinstance(value, re.Pattern):
        return str(value.pattern)
    return str(value).lower() if isinstance(value, bool) else str(value)
