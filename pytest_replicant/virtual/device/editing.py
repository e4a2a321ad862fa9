"""Typing: what happens to the text and the caret of a field."""

from __future__ import annotations

from ..app_kit.fields import EditText
from .panes import Pane


class Editing:
    """One field while somebody types in it. Calls the app's own code: run it under the tasks'
    guard."""

    def __init__(self, pane: Pane, field: EditText) -> None:
        self._pane = pane
        self._field = field

    @property
    def text(self) -> str:
        return self._field.content(self._pane.view_state.texts)

    @property
    def caret(self) -> int:
        """Before which glyph the next one goes; the end unless it was moved."""
        return min(
            self._pane.view_state.carets.get(self._field.path, len(self.text)), len(self.text)
        )

    @property
    def selection(self) -> tuple[int, int]:
        """First glyph, and behind the last; twice the caret if nothing is selected."""
        return self._pane.view_state.selected.get(self._field.path, (self.caret, self.caret))

    def insert(self, text: str) -> None:
        """What the field's filters let in of it, at the caret, or in place of the selection."""
        before, (start, end) = self.text, self.selection
        allowed = self._field.allowed(text, len(before) - (end - start))
        if allowed:
            self._store(before[:start] + allowed + before[end:], start + len(allowed))

    def replace(self, text: str) -> None:
        allowed = self._field.allowed(text, 0)
        self._store(allowed, len(allowed))

    def delete(self, *, forward: bool = False) -> None:
        """The selection, else the glyph before the caret, or after it."""
        before, (start, end) = self.text, self.selection
        if start == end:
            start, end = (start, end + 1) if forward else (start - 1, end)
        if 0 <= start < len(before):
            self._store(before[:start] + before[end:], start)

    def move(self, to: int) -> None:
        self._pane.view_state.selected.pop(self._field.path, None)
        self._pane.view_state.carets[self._field.path] = min(max(to, 0), len(self.text))

    def _store(self, text: str, caret: int) -> None:
        """``caret`` keeps its distance to the end where the field makes another text of it."""
        if self._field.transform is not None:
            made = self._field.transform(text)
            caret = min(max(caret + len(made) - len(text), 0), len(made))
            text = made
        self._pane.view_state.selected.pop(self._field.path, None)
        self._pane.view_state.carets[self._field.path] = caret
        if text != self.text:
            self._field.store(self._pane.view_state.texts, text)
