"""Lists that are longer than anybody looks."""

from __future__ import annotations

from ...app_kit import Column, HorizontalScroll, Progress, RecyclerList, Row, Scroll, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import SIDE, line, page, result, result_over_list
from .state import Lab, witness

FILTERS = (
    "Brass",
    "Canvas",
    "Copper",
    "Cotton",
    "Glass",
    "Iron",
    "Leather",
    "Linen",
    "Paper",
    "Silk",
    "Stone",
    "Wool",
)
SENTENCES = (
    "The kiln was lit before dawn.",
    "No one had counted the crates.",
    "Rain came in from the harbour.",
    "A letter lay on the bench.",
    "The apprentice swept the yard.",
)
DP_A_SENTENCE = 5600  # square dp that one takes, its number included
BATCH = 20  # rows that an endless list loads at once


class _Numbered(Exhibit):
    """Rows with numbers; the one that was tapped is named above them."""

    chosen: str = ""

    def row(self, app: Lab, number: int) -> Widget:
        row = line(f"Row {number}", "row_title", f"row{number}")
        row.on_click = lambda: self.choose(app, number)
        return row

    def choose(self, app: Lab, number: int) -> None:
        self.chosen = f"Chose row {number}"
        witness(app, self.chosen.lower())

    def above(self) -> Widget:
        return result_over_list(self.chosen)


class LongList(_Numbered):
    """Five hundred rows, of which a dozen are views at any time.

    Stands for country pickers, contacts, product lists.

    A good test scrolls to the row by name, in either direction, and says so if it is not there at
    all, within a bounded number of swipes.
    """

    slug = "long-list"
    activity = ".LongList"
    title = "Long list"
    summary = "Hundreds of rows, of which only the visible ones exist"
    parameters = (Parameter("rows", 500, 1, 2000, "how many there are"),)

    def content(self, app: Lab) -> Widget:
        rows = [self.row(app, number) for number in range(1, self.settings["rows"] + 1)]
        return Column(
            children=[self.above(), RecyclerList(children=rows, id="rows", weight=1)], height="fill"
        )


class EndlessList(_Numbered):
    """Twenty rows. At the end there is a wheel, and a moment later there are twenty more.

    Stands for feeds and search results that load as one scrolls.

    A good test does not take the wheel for the end of the list, and gives up after a bounded number
    of swipes rather than scroll for ever.
    """

    slug = "endless-list"
    activity = ".EndlessList"
    title = "Endless list"
    summary = "Loads more at its end, for ever"
    parameters = (
        Parameter("delay", 800, 1, 10_000, "milliseconds that loading takes"),
        Parameter("pages", 0, 0, 100, "the list ends after so many pages; 0 is never"),
    )
    pages: int = 1
    loading: bool = False

    def content(self, app: Lab) -> Widget:
        rows = [self.row(app, number) for number in range(1, self.pages * BATCH + 1)]
        wheel = Column(
            children=[Progress(id="loading_more")], key="wheel", align="center", padding=(0, 12)
        )
        wheel.visible = self.has_more
        found = RecyclerList(
            children=[*rows, wheel], id="rows", weight=1, on_end=lambda: self.load(app)
        )
        return Column(children=[self.above(), found], height="fill")

    @property
    def has_more(self) -> bool:
        return self.pages != self.settings["pages"]

    def load(self, app: Lab) -> None:
        if self.has_more and not self.loading:
            self.loading = True
            self.later(app, self.settings["delay"], self.loaded)

    def loaded(self) -> None:
        self.loading = False
        self.pages += 1


class PullToRefresh(Exhibit):
    """A list of departures that is renewed by pulling it down beyond its top.

    Stands for mail, timetables, feeds.

    A good test pulls (a scroll up at the top), waits until the wheel is gone, and checks the new
    rows. There is no button to tap.
    """

    slug = "pull-to-refresh"
    activity = ".PullToRefresh"
    title = "Pull to refresh"
    summary = "Pull the list down at its top to renew it"
    parameters = (Parameter("delay", 1000, 1, 10_000, "milliseconds that it takes"),)
    times: int = 0
    refreshing: bool = False

    def content(self, app: Lab) -> Widget:
        first = 1 + self.times
        rows = [
            line(f"Train {number} to the coast", "departure", f"train{number}")
            for number in range(first, first + 30)
        ]
        wheel = Column(
            children=[Progress(id="refreshing")],
            align="center",
            padding=(0, 8),
            visible=self.refreshing,
        )
        stand = Text(f"Renewed {self.times} times", id="result", size=18, margin=(SIDE, 12))
        departures = RecyclerList(
            children=rows, id="departures", weight=1, on_pull=lambda: self.refresh(app)
        )
        return Column(children=[stand, wheel, departures], height="fill")

    def refresh(self, app: Lab) -> None:
        if not self.refreshing:
            self.refreshing = True
            self.later(app, self.settings["delay"], lambda: self.refreshed(app))

    def refreshed(self, app: Lab) -> None:
        self.refreshing = False
        self.times += 1
        witness(app, f"renewed {self.times}")


class NestedScrollers(Exhibit):
    """A page that scrolls, with a list inside it that scrolls by itself and hands on what it has no
    use for.

    Stands for forms with a list of options in the middle, terms within a sign-up page.

    A good test says which of the two it scrolls, and notices when the other one moved.
    """

    slug = "nested-scrollers"
    activity = ".NestedScrollers"
    title = "Nested scrollers"
    summary = "A scrolling list inside a scrolling page"

    def content(self, app: Lab) -> Widget:
        inner = [self.line(f"Inner row {number}", "inner_row") for number in range(1, 31)]
        outer = [self.line(f"Outer row {number}", "outer_row") for number in range(1, 21)]
        half = len(outer) // 4
        box = RecyclerList(
            children=inner, id="inner", height=240, background="#e7e1f0", margin=(SIDE, 8)
        )
        return Scroll(children=[*outer[:half], box, *outer[half:]], id="outer")

    def line(self, text: str, id: str) -> Widget:
        row = line(text, id, text)
        row.class_name = "android.widget.FrameLayout"
        return row


class SideScroller(Exhibit):
    """Twelve filters in a row that goes on to the right of the screen.

    Stands for filter chips, tabs, stories.

    A good test scrolls the row to the side to reach "Wool", and does not take a swipe of the page
    for one of the row.
    """

    slug = "side-scroller"
    activity = ".SideScroller"
    title = "Row to the side"
    summary = "Goes on to the right of the screen"
    chosen: str = ""

    def content(self, app: Lab) -> Widget:
        row = HorizontalScroll(children=[self.chip(app, name) for name in FILTERS], id="filters")
        return page(row, result(f"Only {self.chosen.lower()}" if self.chosen else ""))

    def chip(self, app: Lab, name: str) -> Widget:
        return Text(
            name,
            key=name,
            shape="chip",
            align="center",
            height=48,
            margin=(4, 16),
            padding=(max(20, app.screen_dp[0] // 32), 12),  # more than fit on any screen
            selected=name == self.chosen,
            on_click=lambda: self.choose(app, name),
        )

    def choose(self, app: Lab, name: str) -> None:
        self.chosen = name
        witness(app, f"filter {name}")


class TallRow(Exhibit):
    """A list whose middle row, an article of one long text, is several screens high. The last row
    comes after it.

    Stands for threads, product pages, terms: rows longer than the screen.

    A good test scrolls through the article to the last row. That the article's end is cut off at
    the edge of the list is no sign that the list ends there.
    """

    slug = "tall-row"
    activity = ".TallRow"
    title = "Row taller than the screen"
    summary = "The list goes on below an article"
    parameters = (Parameter("screens", 3, 2, 12, "how high the article is"),)

    def content(self, app: Lab) -> Widget:
        words = self.settings["screens"] * app.screen_dp[0] * app.screen_dp[1] // DP_A_SENTENCE
        said = " ".join(
            f"{number}. {SENTENCES[number % len(SENTENCES)]}" for number in range(1, words + 1)
        )
        article = Text(said, id="article", key="article", size=16, padding=(SIDE, 8))
        first, last = (line(text, "line", text) for text in ("Headline", "Signed, the editors"))
        return RecyclerList(children=[first, article, last], id="rows", height="fill")


class EqualLists(Exhibit):
    """Two lists side by side, as high and as long as each other: those to take and those taken.

    Stands for pickers of two columns, boards, split screens.

    A good test says which of the two it scrolls, with ``within``. Without that there is no telling
    which is meant.
    """

    slug = "equal-lists"
    activity = ".EqualLists"
    title = "Two equal lists"
    summary = "Two lists of one size, side by side"
    chosen: str = ""

    def content(self, app: Lab) -> Widget:
        both = Row(children=[self.list(app, "Left"), self.list(app, "Right")], weight=1)
        return Column(children=[result(self.chosen), both], height="fill", padding=(SIDE, 0))

    def list(self, app: Lab, side: str) -> Widget:
        rows: list[Widget] = [
            Row(
                children=[Text(f"{side} {number}", id="item")],
                key=f"{side}{number}",
                min_height=56,
                padding=(SIDE, 8),
                on_click=lambda number=number: self.choose(app, f"{side} {number}"),  # type: ignore[misc]
            )
            for number in range(1, 61)
        ]
        return Column(
            children=[RecyclerList(children=rows, id=side.lower(), weight=1)],
            weight=1,
            height="fill",
        )

    def choose(self, app: Lab, name: str) -> None:
        self.chosen = f"Chose {name.lower()}"
        witness(app, self.chosen.lower())
