"""What a capture says of a phone: a profile of the form ``replicant.profile/1``, and what it does
not say."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from statistics import median
from typing import Any

from ..drivers import DeviceInfo
from ..errors import SnapshotError
from ..model import AnyDict, Node, Rect, convert
from ..model.printable import printable
from ..redaction import ENTER_KEYS
from ..snapshots import Dump, read_hierarchy
from ..virtual import (
    PROFILE_SCHEMA,
    Latency,
    Profile,
    RecordedNode,
    RecordedScreen,
    asker_of,
    check_fact,
    check_screens,
    make_named,
)
from .capture import Capture, CapturedScreen

LONGEST = 20_000  # characters of a text
BULLET = "\u2022"
_SYSTEM = ("com.android.systemui", "android", "com.apple.springboard")
_STATES = ("checkable", "checked", "clickable", "focusable", "focused", "long-clickable",
           "password", "scrollable",
           "selected")  # fmt: skip
_NOT = {"enabled": "disabled", "visible-to-user": "hidden", "visible": "hidden"}
PROPERTIES = {
    "ro.product.brand": "brand",
    "ro.product.name": "product",
    "ro.product.device": "device",
    "ro.build.version.release": "release",
    "ro.product.cpu.abi": "abi",
    "ro.build.characteristics": "characteristics",
    "ro.product.locale": "locale",
    "persist.sys.locale": "locale",
}
_SERVICE = re.compile(r"[A-Za-z]\w*(\.\w+)+/[\w.$]+", re.ASCII)
SETTINGS = {
    "default_input_method": ("keyboard", _SERVICE),
    "autofill_service": ("autofill", _SERVICE),
    "screen_off_timeout": ("screen_timeout", re.compile("[1-9][0-9]{3,7}")),
}
"""Their facts, and the form of a value; a timeout is in milliseconds."""
REFUSED = (
    ("injects", re.compile("INJECT_EVENTS|Injecting (?:input|to another)", re.IGNORECASE)),
    ("writes_settings", re.compile("WRITE_(?:SECURE_)?SETTINGS")),
    ("reads_clipboard", re.compile("clip", re.IGNORECASE)),
    ("deepest", re.compile("StackOverflowError")),
)
# that of the next smaller reading, which such a phone gives (drivers/android/screen.py, LEVELS)
_REFUSED_DEPTH = 60


@dataclass
class Learned:
    """``facts`` by their source; ``unknown`` are names of others, each with the reason."""

    called: str
    platform: str
    facts: dict[str, AnyDict] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    screens: list[RecordedScreen] = field(default_factory=list)

    def add(self, source: str, name: str, value: Any) -> None:
        """A fact that is known already stays as it is; one that no phone has is not known."""
        if value in (None, "") or name in self.names:
            return
        try:
            check_fact(name, value)
        except ValueError as error:
            self.unknown[name] = _phrase(f"the capture says so, and it cannot be: {error}")
        else:
            self.facts.setdefault(source, {})[name] = value

    @property
    def names(self) -> set[str]:
        return {name for values in self.facts.values() for name in values}

    def value(self, name: str) -> Any:
        return next((values[name] for values in self.facts.values() if name in values), "")

    def add_device(self, device: DeviceInfo) -> None:
        said = {"release": device.os_version, **device.extra, **vars(device)}
        for name in ("model", "brand", "abi", "width", "height", "release"):
            self.add("the phone's own facts", name, said.get(name))
        self.add("the phone's own facts", "locale", str(said.get("locale") or "").replace("_", "-"))
        self.add("the phone's own facts", "density", round(device.density * 160))
        self.add("the phone's own facts", "sdk", device.api)

    def add_answer(self, command: str, output: str) -> None:
        for name, value in re.findall(r"^\[([\w.]+)\]: \[([^\]\n]+)\]$", output, re.MULTILINE):
            if name in PROPERTIES:
                self.add("getprop", PROPERTIES[name], value)
        name = command.split()[-1]
        if name in SETTINGS and (found := SETTINGS[name][1].fullmatch(output.strip())):
            said: Any = found[0]
            if said.isdecimal():
                said = int(said) // 1000
            self.add("settings", SETTINGS[name][0], said)
        if "REQUEST_PERMISSIONS" in command and (
            found := re.search(r"^([\w.]+)/[\w.$]+$", output, re.MULTILINE)
        ):
            name = asker_of(found[1], str(self.value("locale")))
            self.add("who answers REQUEST_PERMISSIONS", "permissions", name)
            if not name:
                why = f"{found[1]} asks, whose dialogs are not modelled"
                self.unknown["permissions"] = why[:200]
        if found := re.search(r"DisplayCutout\{insets=Rect\(\d{1,4}, (\d{1,4}) -", output):
            self.add(
                "dumpsys", "cutout", round(int(found[1]) * 160 / (self.value("density") or 160))
            )

    def to_dict(self) -> AnyDict:
        """The file's content; fields that have their default are left out."""
        return {
            "schema": PROFILE_SCHEMA,
            "called": self.called,
            "platform": self.platform,
            "facts": [
                {"source": source, "values": values} for source, values in self.facts.items()
            ],
            "unknown": self.unknown,
            "screens": [_plain(screen) for screen in self.screens],
        }


def _plain(value: Any) -> AnyDict:
    found = {}
    for item in fields(value):
        given = getattr(value, item.name)
        if given != item.default:
            found[item.name] = given
    if isinstance(value, RecordedScreen):
        found["windows"] = [[_plain(node) for node in window] for window in value.windows]
    return found


def write_profile(path: Path, learned: Learned) -> None:
    """Writes the file, whole or not at all, and reads it again. Raises ``OSError``,
    ``UsageError``."""
    unfinished = path.with_name(f".{path.name}.unfinished.json")
    try:
        text = json.dumps(learned.to_dict(), ensure_ascii=False, separators=(",", ":"))
        unfinished.write_text(text, encoding="utf-8")
        make_named(str(unfinished), learned.platform)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def learn(capture: Capture) -> Learned:
    """The phone that was captured."""
    device = capture.device
    system = "iOS" if device.platform == "ios" else "Android"
    learned = Learned(
        _phrase(f"{device.model or 'a phone'}, {system} {device.os_version}"), device.platform
    )
    for source, values in capture.facts.items():
        for name, value in values.items():
            learned.add(_phrase(source), _phrase(name), value)
    learned.add_device(device)
    screens = _Screens(capture, learned)
    learned.screens = screens.all()
    learned.add("the windows of other packages in its dumps", "windows", screens.overlays or None)
    if learned.screens:
        learned.unknown["turned screens"] = "played as those that were seen upright, stretched"
    learned.unknown |= {_phrase(name): _phrase(why) for name, why in capture.unknown.items()}
    for name in _ASKABLE[device.platform]:
        if name not in learned.names:
            learned.unknown.setdefault(name, "the capture does not say")
    timed = learned.value("latency") or {}
    if missing := [item.name for item in fields(Latency) if item.name not in timed]:
        learned.unknown.setdefault("latency", f"not timed: {', '.join(missing)}")
    return learned


_ASKABLE = {
    "android": [
        item.name
        for item in fields(Profile)
        if item.name not in ("platform", "serial", "latency", "recorded")
    ],
    "ios": ["model", "release", "width", "height", "density", "locale"],
}
"""What could be known of a phone."""


def _phrase(text: str) -> str:
    return printable(text, 200) or "no reason was given"


def facts_of(
    device: DeviceInfo,
    answers: Mapping[str, str],
    refused: Iterable[str],
    took: Mapping[str, Sequence[float]],
) -> Learned:
    """What a phone said of itself. ``answers`` is what it printed, by command, ``refused`` are
    facts of ``refused_in``, and ``took`` are seconds by kind of call, a field of ``Latency``."""
    learned = Learned("", device.platform)
    learned.add_device(device)
    for command, output in answers.items():
        learned.add_answer(command, output)
    for fact in sorted(refused):
        learned.add("what the phone refused", fact, _REFUSED_DEPTH if fact == "deepest" else False)
    known = {}
    for item in fields(Latency):
        if item.name in took:
            known[item.name] = round(median(took[item.name]) * 1000)
    calls = sum(len(took[kind]) for kind in known)
    learned.add(f"medians of {calls} calls", "latency", known or None)
    return learned


def refused_in(said: str) -> set[str]:
    """The facts that a refused call shows, with what the phone answered to it."""
    return {fact for fact, pattern in REFUSED if pattern.search(said)}


class _Screens:
    """The screens of a capture as a profile keeps them, and what else is on them."""

    def __init__(self, capture: Capture, learned: Learned) -> None:
        self._capture = capture
        self._learned = learned
        self._size = capture.device.width, capture.device.height
        self._upright = "portrait" if self._size[0] <= self._size[1] else "landscape"
        self._keyboard = str(learned.value("keyboard")).partition("/")[0]
        self.overlays: list[str] = []
        self._over: defaultdict[str, set[str]] = defaultdict(set)

    def all(self) -> list[RecordedScreen]:
        found = [screen for each in self._capture.screens if (screen := self._screen(each))]
        names = {screen.name for screen in found}
        lasting = [kind for kind in self.overlays if kind not in _OVER_A_FIELD]
        return [
            replace(
                each,
                source=each.source if each.source in names else "",
                without=tuple(kind for kind in lasting if kind not in self._over[each.name]),
            )
            for each in found
        ]

    def _screen(self, seen: CapturedScreen) -> RecordedScreen | None:
        try:
            screen = self._played(seen)
            check_screens((convert(RecordedScreen, {**_plain(screen), "source": ""}),))
        except ValueError as why:
            self._learned.unknown[_phrase(f"screen {seen.name}")] = _phrase(str(why))
            return None
        return screen

    def _played(self, seen: CapturedScreen) -> RecordedScreen:
        platform, step, label, enter = self._capture.device.platform, seen.reached, "", ""
        if seen.app in _SYSTEM or step.means == "home":
            raise _NotKept("the home screen and what the system shows are the virtual phone's own")
        if self._upright not in seen.orientation:
            raise _NotKept(
                f"it was seen in {seen.orientation}, and a phone is played {self._upright}"
            )
        try:
            dump = read_hierarchy(seen.hierarchy, platform, self._capture.scale)
        except SnapshotError as error:
            raise _NotKept(str(error)) from None
        if platform == "ios":
            nodes = _iphone(dump)
            if nodes[0].kind == "Application":
                label = nodes[0].text or ""
            if seen.keyboard:
                nodes = _with_focus(nodes, step.bounds)
                for given in dump.attributes:
                    name = given.get("rawIdentifier") or given.get("name", "")
                    if name in ENTER_KEYS:
                        enter = name
            windows: tuple[tuple[RecordedNode, ...], ...] = (nodes,)
        else:
            self._look_around(seen, dump)
            windows = _android(dump, seen.app)
        return RecordedScreen(
            seen.name,
            seen.app,
            windows,
            activity=seen.activity,
            label=label,
            keyboard=seen.keyboard,
            enter=enter,
            means=step.means,
            source=step.source,
            at=step.bounds,
            intent=step.intent.replace(" -c ", " "),
        )

    def _look_around(self, seen: CapturedScreen, dump: Dump) -> None:
        """Which windows lie over the app, by what the virtual phone has."""
        displays = {given.get("display-id", "0") for given in dump.attributes}
        if len(displays) > 1:
            self._learned.add("display-id in its dumps", "displays", 2)
        for root in [node for node in dump.nodes if node.parent < 0]:
            nodes = [node for node in dump.nodes if node.window == root.window]
            ids = {node.resource_id for node in nodes}
            kind = next((kind for kind, name in _OVER_A_FIELD.items() if name in ids), "")
            if not kind and root.package not in (_SYSTEM[0], seen.app, self._keyboard):
                kind = self._kind(root, nodes)
            if kind:
                self._over[seen.name].add(kind)
                if kind not in self.overlays:
                    self.overlays.append(kind)

    def _kind(self, root: Node, nodes: Sequence[Node]) -> str:
        """Which of the known windows this one of another package is, by ids, else by place; "" for
        none."""
        width, height = self._size
        share = root.bounds.area / max(width * height, 1)
        words = " ".join({root.package, *(node.resource_id for node in nodes)})
        for kind, pattern in _BY_WORDS.items():
            if pattern.search(words):
                return kind
        at_edge = root.bounds.left <= 0 or root.bounds.right >= width
        shape = root.bounds.width / max(root.bounds.height, 1)
        if 0 < share < 0.06 and at_edge and 0.5 < shape < 2:
            return "bubble"
        if not any(word in root.package for word in ("inputmethod", "keyboard", "honeyboard")):
            self._learned.unknown.setdefault(
                f"window of {root.package}"[:100], "the virtual phone has none such"
            )
        return ""


class _NotKept(ValueError):
    """Why a screen is not in the profile."""


_BY_WORDS = {
    "taskbar": re.compile(":id/taskbar"),
    "edge": re.compile("cocktailbar|edgepanel|edge_panel"),
    "pip": re.compile(r":id/pip_|PictureInPicture"),
}
_OVER_A_FIELD = {
    "toolbar": "android:id/floating_toolbar_menu_item_text",
    "autofill": "android:id/autofill_dataset_picker",
}


def _android(dump: Dump, app: str) -> tuple[tuple[RecordedNode, ...], ...]:
    """The app's windows, but for those that the system shows with a field."""
    over = {node.window for node in dump.nodes if node.resource_id in _OVER_A_FIELD.values()}
    roots = [
        node
        for node in dump.nodes
        if node.parent < 0 and node.package == app and node.window not in over
    ]
    if not roots:
        raise _NotKept(f"{app} has no window in the dump")
    windows = [_recorded(dump, dump.nodes[root.index :], _view) for root in roots]
    return tuple(sorted(windows, key=lambda nodes: -nodes[0].bounds.area))


def _recorded(
    dump: Dump, nodes: Iterable[Node], made: Callable[[Dump, Node, int], RecordedNode]
) -> tuple[RecordedNode, ...]:
    """The first of the nodes, and those that lie in it."""
    places: dict[int, int] = {}
    found: list[RecordedNode] = []
    for node in nodes:
        if not found or node.parent in places:
            parent = places.get(node.parent, -1)
            places[node.index] = len(found)
            found.append(made(dump, node, parent))
    return tuple(found)


def _view(dump: Dump, node: Node, parent: int) -> RecordedNode:
    given = dump.attributes[node.index]
    seen = RecordedNode(
        node.bounds,
        _word(given.get("class") or node.class_name),
        parent,
        package=_word(node.package),
        id=node.resource_id[:LONGEST],
        text=node.text[:LONGEST],
        description=node.description[:LONGEST],
        hint=node.hint[:LONGEST],
        states=_states(given),
    )
    masked = "password" in seen.states and not node.text.strip(BULLET)
    if seen.takes_text and not dump.reports_hints and not masked:
        return replace(
            seen, hint=node.text
        )  # as an empty field shows it; a text that was typed looks the same
    return seen


def _word(text: str) -> str:
    """A class or a package; what neither can have in it is left out."""
    return re.sub(r"[^\w.$:/+-]", "", text, flags=re.ASCII)[:300]


def _states(given: Mapping[str, str], *more: str) -> tuple[Any, ...]:
    """Those that hold, by the names that a profile has for them."""
    held = [name for name in (*_STATES, "accessible") if given.get(name) in ("true", "1")]
    held += [state for name, state in _NOT.items() if given.get(name) in ("false", "0")]
    return tuple(sorted({*held, *more}))


def _iphone(dump: Dump) -> tuple[RecordedNode, ...]:
    """The app's elements but for the window of the keyboard."""
    keyboards: set[int] = set()
    for node in dump.nodes:
        if node.class_name == "Keyboard" and node.parent >= 0:
            window = node  # that is around it, below the root
            while dump.nodes[window.parent].parent >= 0:
                window = dump.nodes[window.parent]
            keyboards.add(window.index)
    return _recorded(dump, (node for node in dump.nodes if node.index not in keyboards), _element)


def _with_focus(nodes: tuple[RecordedNode, ...], tapped: Rect | None) -> tuple[RecordedNode, ...]:
    """Marks the field with the keyboard, which an iPhone does not say: the one that was tapped, or
    the first."""
    fields = [node for node in nodes if node.takes_text and "hidden" not in node.states]
    here = fields
    if tapped:
        here = [node for node in fields if node.bounds.contains(tapped.center)] or fields
    return tuple(
        replace(node, states=(*node.states, "focused")) if node in here[:1] else node
        for node in nodes
    )


def _element(dump: Dump, node: Node, parent: int) -> RecordedNode:
    given = dump.attributes[node.index]
    label, name = given.get("label"), given.get("name")
    shown = (label, given.get("value"), given.get("placeholderValue"))
    text, value, hint = (said and said[:LONGEST] for said in shown)
    x, y, width, height = (float(given.get(side) or 0) for side in ("x", "y", "width", "height"))
    touched = ("clickable",) if node.clickable else ()
    return RecordedNode(
        node.bounds,
        node.class_name,
        parent,
        id=(given.get("rawIdentifier") or ("" if name == label else name) or "")[:LONGEST],
        text=text,
        hint=hint,
        states=_states(given, *touched),
        value=value,
        traits=given.get("traits", "")[:LONGEST],
        frame=(x, y, width, height),
    )
