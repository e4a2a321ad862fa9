"""``EditText``: a field to type in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..ui import Look
from .metrics import text_width, wrap_text
from .widget import Edges, Extent, Sizing, Surface, Widget

if TYPE_CHECKING:
    from ...model import Point
    from ..ui import UiNode

Input = Literal["text", "email", "number", "phone", "password", "multiline"]

INPUT_TYPES: dict[Input, int] = {
    "text": 0x1,
    "number": 0x2,
    "phone": 0x3,
    "email": 0x21,
    "password": 0x81,
    "multiline": 0x20001,
}
"""As ``android.text.InputType`` has them."""

BULLET = "•"


@dataclass(kw_only=True, eq=False)
class EditText(Widget):
    """``text`` is what the app's state holds, with ``on_change`` to store typed text; with
    ``text=None`` the screen keeps it, as a view does. ``on_done`` is called for the keyboard's
    action key. ``max_length`` cuts; ``accepts`` filters typed text, glyph by glyph; ``transform``
    is given the whole text after each edit and returns what the app makes of it, as a field does
    that formats a number or drops what it does not like."""

    hint: str = field(default="", kw_only=False)
    text: str | None = None
    on_change: Callable[[str], object] | None = None
    on_done: Callable[[], object] | None = None
    input: Input = "text"
    max_length: int = 0
    accepts: Callable[[str], bool] | None = None
    transform: Callable[[str], str] | None = None
    caret: bool = True
    size: int = 16
    width: Extent = "fill"
    min_height: int = 56
    padding: Edges = (12, 10)
    class_name: str = "android.widget.EditText"

    @property
    def password(self) -> bool:
        return self.input == "password"

    @property
    def multiline(self) -> bool:
        return self.input == "multiline"

    @property
    def clickable(self) -> bool:
        return True

    def content(self, surface_texts: dict[str, str]) -> str:
        """The field's present text."""
        return surface_texts.get(self.path, "") if self.text is None else self.text

    def shown(self, sizing: Sizing) -> str:
        content = self.content(sizing.view_state.texts)
        return BULLET * len(content) if self.password else content

    def content_size(self, sizing: Sizing, width: int, height: int) -> tuple[int, int]:
        size_px = sizing.metrics.px(self.size)
        line = sizing.metrics.line(size_px)
        if not self.multiline:
            return width, line
        return width, line * len(wrap_text(self.shown(sizing) or self.hint, size_px, max(width, 1)))

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        node.text = self.shown(sizing)
        node.hint = self.hint
        node.password = self.password
        node.editable = True
        node.focusable = self.enabled
        node.long_clickable = True
        node.focused = self.enabled and bool(self.path) and sizing.view_state.focus == self.path

    def look(self, sizing: Sizing) -> Look:
        theme = sizing.theme
        focused = sizing.view_state.focus == self.path
        return Look(
            shape="field",
            background=self.background or theme.surface,
            foreground=self.foreground or (theme.text if self.shown(sizing) else theme.muted),
            text_size=sizing.metrics.px(self.size),
            radius=sizing.metrics.px(self.radius or 4),
            border=theme.primary if focused else theme.outline,
            caret=self.caret,
        )

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        surface.view_state.carets.pop(self.path, None)
        surface.view_state.selected.pop(self.path, None)
        surface.focus(self.path)
        Widget.tapped(self, surface, node, point)

    def double_tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        """Selects the word there; a mask has one word."""
        self.tapped(surface, node, point)
        glyphs, sizing = self.content(surface.view_state.texts), surface.metrics.px(self.size)
        left = point.x - node.bounds.left
        for word in re.finditer(r".+" if self.password else r"\w+", glyphs):
            if text_width(glyphs[: word.start()], sizing) <= left:
                surface.view_state.selected[self.path] = word.span()

    def store(self, surface_texts: dict[str, str], text: str) -> None:
        """Puts a whole new text into the field, as the app sees it."""
        if self.text is None:
            surface_texts[self.path] = text
        else:
            self.text = text
        if self.on_change is not None:
            self.on_change(text)

    def allowed(self, text: str, room_taken: int) -> str:
        """The part of ``text`` that the field's filters let in, ``room_taken`` glyphs being there
        already."""
        if not self.multiline:
            text = text.replace("\r", "").replace("\n", "")
        if self.input == "number":
            text = "".join(glyph for glyph in text if glyph.isdecimal() or glyph in ".-")
        if self.accepts is not None:
            text = "".join(filter(self.accepts, text))
        return text[: max(self.max_length - room_taken, 0)] if self.max_length else text
