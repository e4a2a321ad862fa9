"""The lab's own style."""

from __future__ import annotations

from ...app_kit import Column, Row, Scroll, Text, Theme, Widget

THEME = Theme(
    primary="#5b3f8c",
    on_primary="#ffffff",
    background="#f7f5fa",
    surface="#ffffff",
    text="#221f27",
    muted="#6a6572",
    outline="#cbc5d3",
    error="#b3261e",
)
PILL = 24  # dp, the corners of a button
SIDE = 16  # dp, what an exhibit leaves free at the left and right


def page(*parts: Widget, id: str = "page") -> Scroll:
    """An exhibit's widgets from the top down, scrolling if they are too many."""
    return Scroll(children=list(parts), id=id, padding=(SIDE, 8))


def caption(text: str) -> Text:
    """The heading of a section."""
    return Text(text, size=14, bold=True, muted=True, margin=(0, 16, 0, 4))


def heading(text: str) -> Text:
    """What stands above a control."""
    return Text(text, margin=(0, 16, 0, 0))


def result(text: str, id: str = "result") -> Text:
    """What came of it, in words."""
    return Text(text or "Nothing yet", id=id, size=18, margin=(0, 16), width="fill")


def result_over_list(text: str) -> Text:
    """As ``result``, on a screen whose list goes from side to side."""
    shown = result(text)
    shown.margin = (SIDE, 12)
    return shown


def line(text: str, id: str, key: str) -> Row:
    """A row of a list, with a text that has that id."""
    words = Text(text, id=id)
    return Row(children=[words], key=key, min_height=56, padding=(SIDE, 8), shape="row")


def filled(*parts: Widget) -> Column:
    """As ``page``, as high as the screen and not scrolling."""
    return Column(children=list(parts), height="fill", padding=(SIDE, 8))
