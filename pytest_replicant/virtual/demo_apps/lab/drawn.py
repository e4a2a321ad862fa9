"""Words, a button, icons and a game that the app draws by itself: seen, and in no hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

from ...app_kit import Button, Canvas, Column, IconButton, Row, Stack, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import page, result
from .state import Lab, witness

ORDERS = ("Orders 37", "Orders 73", "Order 37")
WRAPPED = "Notificationpreferences"
BROKEN = "Reset all the counters"
CHINESE = "大小"
ICONS = ("camera", "heart", "lock", "heart", "bell")
PLACES = ((16, 60), (250, 70), (130, 190), (40, 230), (270, 210), (150, 90))


def drawing(id: str, *parts: Widget, height: int) -> Canvas:
    """A canvas with what lies on it, each part by its own margin from the upper left corner."""
    return Canvas(
        id=id, height=height, margin=(0, 8), drawing=Stack(children=list(parts), height="fill")
    )


class DrawnText(Exhibit):
    """Words that the app draws by itself. For accessibility they are one view without a word in it.

    Stands for charts, maps, canvases of Flutter or Unity without semantics, pictures with words in
    them.

    A good test reads them in a picture, if it was allowed to, and says so. Two equal words are
    ambiguous, and what no picture shows is not proven to be gone.
    """

    slug = "drawn-text"
    activity = ".DrawnText"
    title = "Drawn text"
    summary = "All words are pixels; a tap chooses one"
    chosen: str = ""

    def content(self, app: Lab) -> Widget:
        lines: list[Widget] = [
            self.word(app, "Daily report", (16, 12), size=24, bold=True),
            self.word(app, "Visitors 1,204", (16, 60)),
            *(self.word(app, text, (16, 96 + 32 * row)) for row, text in enumerate(ORDERS)),
            self.word(app, "Details", (230, 60), foreground="#5b3f8c"),
            self.word(app, "Details", (230, 124), foreground="#5b3f8c"),
            self.word(app, WRAPPED, (16, 204), width=140),
            self.word(app, BROKEN, (210, 204), width=120),
            self.word(app, CHINESE, (16, 270), size=22),
            self.word(app, "Updated at 09:41", (16, 312), size=14, muted=True),
        ]
        return page(drawing("board", *lines, height=344), result(self.chosen))

    def word(
        self,
        app: Lab,
        text: str,
        place: tuple[int, int],
        *,
        size: int = 18,
        bold: bool = False,
        muted: bool = False,
        foreground: str = "",
        width: int = 0,
    ) -> Text:
        return Text(
            text,
            size=size,
            bold=bold,
            muted=muted,
            foreground=foreground,
            width=width or "wrap",
            margin=(*place, 0, 0),
            on_click=lambda: self.choose(app, text),
        )

    def choose(self, app: Lab, text: str) -> None:
        self.chosen = f"Chose {text}"
        witness(app, self.chosen.lower())


class DrawnButton(Exhibit):
    """A button that the app draws by itself: it can be tapped, and there is no node to tap.

    Stands for buttons in games, players, web canvases, advertisements.

    A good test taps the word that it sees, and proves the effect by the line below, which the
    hierarchy has.
    """

    slug = "drawn-button"
    activity = ".DrawnButton"
    title = "Drawn button"
    summary = "A button without a node"
    taps: int = 0

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Play", size=18, width=160, margin=(100, 60, 0, 0), on_click=lambda: self.tap(app)
        )
        return page(drawing("board", button, height=200), result(f"Taps: {self.taps}"))

    def tap(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"tap {self.taps}")


class IconRow(Exhibit):
    """Icons that the app draws by itself, without nodes and without words. One of them is there
    twice.

    Stands for toolbars of drawing programs, map controls, players.

    A good test gives a picture of the icon that it means, or taps by place. The one that is there
    twice is ambiguous, and one that is not there is not found.
    """

    slug = "icon-row"
    activity = ".IconRow"
    title = "Row of icons"
    summary = "Icons without nodes or words"
    chosen: str = ""

    def content(self, app: Lab) -> Widget:
        icons = [
            IconButton(icon=name, margin=(8, 16), on_click=lambda at=at: self.choose(app, at))  # type: ignore[misc]
            for at, name in enumerate(ICONS)
        ]
        return page(
            drawing("board", Row(children=icons, margin=(4, 16)), height=128), result(self.chosen)
        )

    def choose(self, app: Lab, at: int) -> None:
        self.chosen = f"Chose {ICONS[at]}, number {at + 1}"
        witness(app, self.chosen.lower())


class DrawnGame(Exhibit):
    """A game that draws everything by itself. Its star goes to the next place again and again; a
    hit counts.

    Stands for games, animated charts, live maps.

    A good test does not tap where the star was a look ago, and reads the score in two pictures that
    agree, or proves a hit by the line below.
    """

    slug = "drawn-game"
    activity = ".DrawnGame"
    title = "Drawn game"
    summary = "Catch the star; the score is drawn"
    parameters = (
        Parameter("every", 800, 0, 60_000, "milliseconds that the star stays; 0 is for ever"),
    )
    moves: int = 0
    hits: int = 0

    def opened(self, app: Lab) -> None:
        if self.settings["every"]:
            self.every(app, self.settings["every"], self.move)

    def move(self) -> None:
        self.moves += 1

    def content(self, app: Lab) -> Widget:
        star = IconButton(
            icon="star",
            foreground="#b3261e",
            margin=(*self.place(self.moves), 0, 0),
            on_click=lambda: self.hit(app),
        )
        pieces: Sequence[Widget] = [
            IconButton(
                icon="heart", margin=(*self.place(self.moves * 5 + 1 + piece), 0, 0), enabled=False
            )
            for piece in range(2)
        ]
        score = Column(
            children=[Text(f"Score {12 + self.hits}", size=24, bold=True)], margin=(16, 12, 0, 0)
        )
        return page(
            drawing("board", score, *pieces, star, height=296), result(f"Hits: {self.hits}")
        )

    def place(self, at: int) -> tuple[int, int]:
        """dp from the left and the top."""
        return PLACES[at % len(PLACES)]

    def hit(self, app: Lab) -> None:
        self.hits += 1
        self.moves += 1
        witness(app, f"hit {self.hits}")
