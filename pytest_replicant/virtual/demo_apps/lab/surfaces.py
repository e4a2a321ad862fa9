"""What has nothing, or something foreign, inside."""

from __future__ import annotations

from ...app_kit import Button, Canvas, Column, EditText, Text, WebView, Widget
from .exhibit import Exhibit
from .looks import SIDE, page, result
from .state import Lab, witness


class WebPage(Exhibit):
    """A web page within the app: ids without a package, and a form.

    Stands for help pages, terms, payment forms.

    A good test finds the page's parts by their words as anywhere else, and does not rely on classes
    that the browser makes up.
    """

    slug = "web-page"
    activity = ".WebPage"
    title = "Web page"
    summary = "Views of a browser, with ids of their own"
    query: str = ""
    asked: str = ""

    def content(self, app: Lab) -> Widget:
        field = EditText("Question", raw_id="q", text=self.query, margin=(0, 12))
        field.on_change = lambda text: setattr(self, "query", text)
        parts = [
            Text(
                "How can we help?",
                raw_id="headline",
                size=24,
                bold=True,
                class_name="android.view.View",
            ),
            Text(
                "Ask anything. We answer within a day.",
                class_name="android.view.View",
                margin=(0, 8),
            ),
            field,
            Button("Ask", raw_id="ask", on_click=lambda: self.ask(app)),
            Text(self.asked, raw_id="answer", class_name="android.view.View", margin=(0, 16)),
        ]
        page_view = WebView(
            children=parts, id="web", page_title="Help", weight=1, padding=(SIDE, 12)
        )
        page_view.margin = (SIDE, 8)
        return Column(children=[page_view], height="fill")

    def ask(self, app: Lab) -> None:
        self.asked = f"You asked: {self.query}"
        app.hide_keyboard()  # a browser's field loses the focus to the button
        witness(app, "asked")


class BareCanvas(Exhibit):
    """A drawing surface. For accessibility it is one view without a word in it.

    Stands for games, maps, charts, signatures.

    A good test says that there is nothing to find inside. It touches by place, which the trace
    marks as such, and proves the effect by the line below.
    """

    slug = "bare-canvas"
    activity = ".BareCanvas"
    title = "Canvas"
    summary = "One view, nothing inside is accessible"
    touches: int = 0

    def content(self, app: Lab) -> Widget:
        board = Canvas(
            id="board",
            height=320,
            background="#ece6f5",
            margin=(0, 16),
            on_touch=lambda x, y: self.touch(app, x, y),
        )
        return page(board, result(f"Touched {self.touches} times"))

    def touch(self, app: Lab, x: int, y: int) -> None:
        self.touches += 1
        witness(app, f"touched {x},{y}")


class PinchMap(Exhibit):
    """A map that two fingers enlarge, from once to eight times. How much is in its description.

    Stands for maps, pictures, documents.

    A good test pinches on the map and reads the scale; a tap or a swipe is no pinch.
    """

    slug = "pinch-map"
    activity = ".PinchMap"
    title = "Map for two fingers"
    summary = "Pinch to enlarge it"
    scale: float = 1.0

    def content(self, app: Lab) -> Widget:
        board = Canvas(
            id="map",
            height=320,
            background="#ece6f5",
            margin=(0, 16),
            description=f"Map, enlarged {self.scale:.1f} times",
        )
        board.on_pinch = lambda by: self.pinch(app, by)
        return page(board, result(f"Enlarged {self.scale:.1f} times"))

    def pinch(self, app: Lab, by: float) -> None:
        self.scale = min(max(self.scale * by, 1.0), 8.0)
        witness(app, f"enlarged {self.scale:.1f} times")
