"""All exhibits, to choose from."""

from __future__ import annotations

from ...app_kit import Column, RecyclerList, Screen, Text, Widget
from .exhibit import Exhibit
from .exhibits import EXHIBITS
from .looks import SIDE, caption
from .state import Lab, LabState


class Start(Screen[LabState]):
    """``notice`` says why a link led here and nowhere else."""

    activity = ".Exhibits"
    title = "Lab"

    def __init__(self, notice: str = "") -> None:
        self.notice = notice

    def build(self, app: Lab) -> Widget:
        rows: list[Widget] = []
        for family, exhibits in EXHIBITS.items():
            heading = caption(family)
            heading.key, heading.margin = family, (SIDE, 16, SIDE, 4)
            rows += [heading, *(exhibit_row(app, exhibit) for exhibit in exhibits)]
        notice = Text(self.notice, id="notice", foreground=app.theme.error, margin=(SIDE, 12))
        notice.visible = bool(self.notice)
        return Column(
            children=[notice, RecyclerList(children=rows, id="exhibits", weight=1)], height="fill"
        )


def exhibit_row(app: Lab, exhibit: type[Exhibit]) -> Widget:
    return Column(
        children=[
            Text(exhibit.title, id="exhibit_title"),
            Text(exhibit.summary, id="exhibit_summary", size=14, muted=True),
        ],
        key=exhibit.slug,
        min_height=64,
        padding=(SIDE, 10),
        shape="row",
        on_click=lambda: app.go(exhibit()),
    )
