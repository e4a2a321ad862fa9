"""Somebody who looks at one exhibit, with a clock in hand."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_replicant.virtual import LabState, Latency, UiNode, VirtualPhone, lab
from pytest_replicant.virtual.demo_apps.lab import PACKAGE

STILL = Latency(*[0] * 8)


class Visitor:
    """On a phone of their own, whose time passes only by ``wait``; at the exhibit that a link names."""

    def __init__(self, link: str = "") -> None:
        self.now = 100.0
        self.phone = VirtualPhone([lab()], latency=STILL, clock=lambda: self.now)
        self.phone.settings.put("global", "stay_on_while_plugged_in", "7")
        self.open(link)

    def open(self, link: str) -> None:
        self.phone.start_app(PACKAGE, url=f"lab://{link}" if link else None)

    def wait(self, ms: int) -> None:
        self.now += ms / 1000
        self.phone.windows()

    # --- looking ------------------------------------------------------------------------------------------
    def nodes(self) -> Iterator[UiNode]:
        """Of the accessible windows, the topmost first."""
        for window in reversed(self.phone.windows()):
            if window.accessible:
                yield from window.root.walk()

    def find_all(self, text: str = "", *, id: str = "", description: str = "") -> list[UiNode]:
        ids = (f"{PACKAGE}:id/{id}", id)
        return [
            node
            for node in self.nodes()
            if text in ("", node.text)
            and (not id or node.resource_id in ids)
            and description in ("", node.description)
        ]

    def find(self, text: str = "", *, id: str = "", description: str = "") -> UiNode:
        found = self.find_all(text, id=id, description=description)
        assert found, f"no {text or id or description!r} among {self.texts()}"
        return found[0]

    def sees(self, text: str = "", *, id: str = "") -> bool:
        return bool(self.find_all(text, id=id))

    def texts(self) -> list[str]:
        return [node.text for node in self.nodes() if node.text]

    @property
    def title(self) -> str:
        return next(node.text for node in self.find(id="toolbar").walk() if node.text)

    @property
    def result(self) -> str:
        return self.find(id="result").text

    @property
    def log(self) -> str:
        return "\n".join(f"{entry.level} {entry.tag}: {entry.message}" for entry in self.phone.log.entries())

    @property
    def events(self) -> list[str]:
        """What the app says really happened; nothing where it does not run."""
        state = self.phone.app_state(PACKAGE)
        return state.events if isinstance(state, LabState) else []

    # --- touching -----------------------------------------------------------------------------------------
    def tap(self, text: str = "", *, id: str = "", description: str = "") -> None:
        self.tap_node(self.find(text, id=id, description=description))

    def tap_node(self, node: UiNode, share: float = 0.5) -> None:
        """``share`` of the way from its left to its right."""
        bounds = node.bounds
        self.phone.tap(bounds.left + 1 + round((bounds.width - 2) * share), bounds.center.y)

    def type(self, id: str, text: str) -> None:
        self.tap(id=id)
        assert self.phone.type_text(text)

    def set_text(self, id: str, text: str) -> None:
        assert self.phone.set_text(self.find(id=id), text)

    def drag(self, source: UiNode, target: UiNode) -> None:
        start, end = source.bounds.center, target.bounds.center
        self.phone.drag(start.x, start.y, end.x, end.y)

    def swipe(self, id: str, towards: str) -> None:
        """A finger across most of a widget."""
        bounds = self.find(id=id).bounds
        middle, above, below = bounds.center, bounds.top + bounds.height // 8, bounds.bottom - bounds.height // 8
        start, end = (below, above) if towards == "up" else (above, below)
        self.phone.swipe(middle.x, start, middle.x, end)
