"""Drag and drop: parcels picked up here and put down there."""

from __future__ import annotations

from ...app_kit import Column, IconButton, RecyclerList, Row, Text, Widget
from .exhibit import Exhibit
from .looks import SIDE, page, result
from .state import Lab, witness

TASKS = (
    "Water the plants",
    "Feed the cat",
    "Call Ada",
    "Buy milk",
    "Sweep the floor",
    "Write to Grace",
)
PARCELS = ("Books", "Mugs")
ZONES = ("Berlin", "Lagos", "Quito")


class Reorder(Exhibit):
    """A list whose rows are moved by the handle at their right.

    Stands for playlists, to-do lists, dashboards.

    A good test drags one row's handle onto another row, and checks the order of the whole list.
    """

    slug = "reorder"
    activity = ".Reorder"
    title = "List to reorder"
    summary = "Drag a handle onto another row"

    def __init__(self, **settings: int) -> None:
        super().__init__(**settings)
        self.tasks = list(TASKS)

    def content(self, app: Lab) -> Widget:
        return RecyclerList(children=[self.row(app, task) for task in self.tasks], id="tasks")

    def row(self, app: Lab, task: str) -> Widget:
        # Without an id or key of its own: a drop on a handle is a drop on its row.
        handle = IconButton(icon="menu", description=f"Move {task}")
        handle.on_drop = lambda target: self.move(app, task, target)
        title = Text(task, weight=1)
        return Row(
            children=[title, handle], key=task, min_height=64, padding=(SIDE, 8, 4, 8), shape="row"
        )

    def move(self, app: Lab, task: str, target: str) -> None:
        if target in self.tasks and target != task:
            place = self.tasks.index(target)
            self.tasks.remove(task)
            self.tasks.insert(place, task)
            witness(app, f"moved {task} to {place}")


class DropZones(Exhibit):
    """Two parcels and three places to drop them.

    Stands for boards with columns, folders, baskets to drag things into.

    A good test drags onto the place by name, and checks where the parcel is. A drop next to it
    leaves everything as it was.
    """

    slug = "drop-zones"
    activity = ".DropZones"
    title = "Drop zones"
    summary = "Drag parcels to where they belong"

    def __init__(self, **settings: int) -> None:
        super().__init__(**settings)
        self.places: dict[str, str] = {}

    def content(self, app: Lab) -> Widget:
        parcels = [self.parcel(app, name) for name in PARCELS]
        zones = [self.zone(name) for name in ZONES]
        went = [f"{name} to {zone}" for name, zone in self.places.items()]
        return page(Row(children=parcels, margin=(0, 16)), *zones, result(", ".join(went)))

    def parcel(self, app: Lab, name: str) -> Widget:
        parcel = Text(
            name,
            id=f"parcel_{name.lower()}",
            shape="button_tonal",
            align="center",
            padding=(16, 18),
        )
        parcel.weight, parcel.margin, parcel.radius, parcel.foreground = (
            1,
            (4, 0),
            12,
            app.theme.primary,
        )
        parcel.on_drop = lambda zone: self.drop(app, name, zone)
        return parcel

    def zone(self, name: str) -> Widget:
        inside = [parcel for parcel, zone in self.places.items() if zone == name]
        title = Text(name, bold=True)
        content = Text(", ".join(inside) or "Empty", size=14, muted=True)
        zone = Column(
            children=[title, content], id=f"zone_{name.lower()}", background="#e7e1f0", radius=12
        )
        zone.margin, zone.padding = (0, 6), (16, 14)
        return zone

    def drop(self, app: Lab, name: str, target: str) -> None:
        zone = target.removeprefix("zone_").capitalize()
        if zone in ZONES:
            self.places[name] = zone
            witness(app, f"dropped {name} at {zone}")
