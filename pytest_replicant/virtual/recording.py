"""Recorded screens, as neutral nodes: what a profile file keeps of a capture, and the virtual phone
plays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from ..model import Rect

DEEPEST = 300
"""Levels of a recorded window at most."""

Name = Annotated[str, re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")]
Word = Annotated[str, re.compile(r"[\w.$:/+-]{0,300}", re.ASCII)]
Text = Annotated[str, range(20_001)]
Side = Annotated[float, range(-100_000, 100_001)]
State = Literal[
    "accessible", "checkable", "checked", "clickable", "disabled", "focusable", "focused", "hidden",
    "long-clickable", "password", "scrollable", "selected",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecordedNode:
    """One view. ``parent`` is the place of its parent in the window's nodes, -1 at the root;
    ``bounds`` are pixels. ``text`` is an iPhone's label. ``frame`` is x, y, width and height in
    points on an iPhone; ``text``, ``value`` and ``hint`` are None if an iPhone reports none."""

    bounds: Rect
    kind: Word  # in full on Android: "android.widget.Button"; "Button" on an iPhone
    parent: int = -1
    package: Word = ""
    id: Text = ""
    text: Text | None = ""
    description: Text = ""
    hint: Text | None = ""
    states: tuple[State, ...] = ()
    value: Text | None = None
    traits: Text = ""
    frame: tuple[Side, Side, Side, Side] | None = None

    @property
    def takes_text(self) -> bool:
        """Whether it is a field to type in, by its class."""
        return (
            self.kind.endswith(_FIELDS) if self.frame is None else self.kind in _FIELDS_OF_IPHONES
        )


_FIELDS = ("EditText", "AutoCompleteTextView", "SearchAutoComplete")
_FIELDS_OF_IPHONES = ("TextField", "SecureTextField", "SearchField", "TextView")


@dataclass(frozen=True, slots=True)
class RecordedScreen:
    """``windows`` are those of the app, from the bottom up. ``means`` and the like say how it was
    reached, as ``proving.Reached`` does: ``source`` is a screen of the recording, ``at`` the bounds
    of what was tapped."""

    name: Name
    app: Annotated[str, re.compile(r"[A-Za-z][\w-]*(\.[\w-]+)+", re.ASCII)]
    windows: tuple[tuple[RecordedNode, ...], ...]
    activity: Word = ""
    label: Text = ""  # of the app
    keyboard: bool = False
    enter: Word = ""  # of an iPhone's keyboard, the name of the key that ends a line: "Go"
    means: Literal["launch", "intent", "tap", "back", "home", "scroll", "type", "hand"] = "hand"
    source: str = ""
    at: Rect | None = None
    intent: Annotated[str, re.compile(r"[\w.]{0,300}( [\w.]{1,300})?", re.ASCII)] = (
        ""  # action and category
    )
    without: tuple[Word, ...] = ()  # windows of the phone that do not lie over this screen


def check_screens(screens: tuple[RecordedScreen, ...]) -> None:
    """Raises ``ValueError`` for what no single field says: names that are there twice or nowhere,
    nodes that make no tree."""
    names: set[str] = set()
    for number, screen in enumerate(screens):
        if screen.name in names:
            raise ValueError(f"screens[{number}].name: {screen.name} is there twice")
        names.add(screen.name)
        for index, nodes in enumerate(screen.windows):
            _check_tree(nodes, f"screens[{number}].windows[{index}]")
    for number, screen in enumerate(screens):
        if screen.source and screen.source not in names:
            raise ValueError(f"screens[{number}].source: there is no screen {screen.source!r}")


def _check_tree(nodes: tuple[RecordedNode, ...], where: str) -> None:
    levels: list[int] = []
    for place, node in enumerate(nodes):
        if not (0 <= node.parent < place if place else node.parent == -1):
            allowed = "of an earlier node" if place else "-1, as the first one has no parent"
            raise ValueError(f"{where}[{place}].parent: {node.parent} is not the place {allowed}")
        levels.append(levels[node.parent] + 1 if place else 1)
        if levels[-1] > DEEPEST:
            raise ValueError(f"{where}[{place}]: more than {DEEPEST} levels")
    if not nodes:
        raise ValueError(f"{where}: a window without a node")
