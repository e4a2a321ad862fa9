"""The content of the virtual phone's screen: plain trees of nodes with real bounds.

Apps are laid out into these; the renderers (hierarchy text, pixels) and the on-device servers read
them. They carry what an accessibility service can see, plus ``Look``, which only the pixel renderer
reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ..model import Point, Rect
from .recording import RecordedNode

WindowKind = Literal[
    "app",
    "dialog",
    "popup",
    "keyboard",
    "toast",
    "volume_panel",
    "clipboard",
    "status_bar",
    "navigation_bar",
    "system_dialog",
    "overlay",
    "banner",
]
MODAL = ("dialog", "popup", "system_dialog")
"""Kinds of windows that take every touch, also those outside of them: they have neither
FLAG_NOT_FOCUSABLE nor FLAG_NOT_TOUCH_MODAL, as a spinner's list has not, which is a focusable
PopupWindow."""
_NEVER_IN_FRONT = ("status_bar", "navigation_bar", "overlay")  # and yet in a dump of all windows
DesignName = Literal["material", "cupertino"]


@dataclass(slots=True)
class Look:
    """How a node is drawn. Colours are ``#rrggbb``; sizes in pixels; "" and 0 mean nothing
    there."""

    shape: str = (
        ""  # what the pixel renderer draws: "button", "switch", "seek_bar", "image", "icon:cart" …
    )
    background: str = ""
    foreground: str = ""
    radius: int = 0
    text_size: int = 0
    bold: bool = False
    align: Literal["left", "center", "right"] = "left"
    progress: float | None = None  # 0 to 1, for bars
    elevation: int = 0
    border: str = ""
    turn: int = 0  # degrees by which a wheel has turned
    caret: bool = True  # of a focused field; one that blinks is out half of the time


@dataclass(slots=True)
class UiNode:
    """One view. ``bounds`` is the part that is visible on the screen, as Android reports it;
    ``frame`` the whole laid-out rectangle, which may reach beyond its parent and the screen."""

    class_name: str  # full: "android.widget.Button"
    package: str
    bounds: Rect
    frame: Rect
    resource_id: str = ""  # full: "dev.replicant.shop:id/email"
    text: str = ""
    description: str = ""
    hint: str = ""
    pane_title: str = ""
    checkable: bool = False
    checked: bool = False
    clickable: bool = False
    enabled: bool = True
    focusable: bool = False
    focused: bool = False
    scrollable: bool = False
    long_clickable: bool = False
    password: bool = False
    selected: bool = False
    editable: bool = False
    look: Look = field(default_factory=Look)
    children: list[UiNode] = field(default_factory=list)
    drawn: list[UiNode] = field(
        default_factory=list
    )  # by the app itself, on a canvas: pixels, and no views
    owner: object | None = (
        None  # the widget that this was laid out from; the phone's business alone
    )
    recorded: RecordedNode | None = None  # which it shows again, as a dump had it

    def walk(self) -> Iterator[UiNode]:
        """This node and all below it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def at(self, point: Point) -> list[UiNode]:
        """The nodes under a point, outermost first; among siblings the one drawn last."""
        if not self.bounds.contains(point):
            return []
        for child in reversed(self.children):
            below = child.at(point)
            if below:
                return [self, *below]
        return [self]


@dataclass(slots=True)
class Window:
    """A top-level surface. ``layer`` orders windows from the bottom up. Only those with
    ``accessible`` can be in front and in a dump (a platform toast cannot); Android's bars and
    overlays are in a dump of all windows. ``display`` is Android's number of the screen that it is
    on."""

    kind: WindowKind
    package: str
    title: str
    layer: int
    root: UiNode
    focused: bool = False
    accessible: bool = True
    dims_below: bool = False  # a dialog darkens what it covers
    design: DesignName = "material"  # how it is drawn
    display: int = 0


def drawn_by_apps(windows: Sequence[Window]) -> Iterator[UiNode]:
    """What apps draw on canvases by themselves, in no hierarchy: the words of each and where they
    are, which is the truth for one who reads a picture of the screen. Those without text are icons,
    as their look says."""
    for window in windows:
        for node in window.root.walk():
            for root in node.drawn:
                yield from root.walk()


def touchable(windows: Sequence[Window]) -> list[Window]:
    """Those of windows, given from the bottom up, that a phone lists: none under a modal one, none
    that another covers (updateUnaccountedSpace and windowMattersToAccessibility in AOSP's
    wm/AccessibilityController.java)."""
    listed: list[Window] = []
    for window in reversed(windows):
        if window.accessible or window.kind in _NEVER_IN_FRONT:
            bounds = window.root.bounds
            if window.focused or not any(above.root.bounds.encloses(bounds) for above in listed):
                listed.append(replace(window, accessible=True))
            if window.kind in MODAL:
                break
    return listed[::-1]
