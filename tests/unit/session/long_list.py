"""A list on a scripted phone that moves under the finger, as a script of frames cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_replicant.model import Point

from .scripted_phone import ScriptedPhone, node, screen

TOP, BOTTOM, ROW = 200, 1200, 160

Cell = Callable[[int, tuple[int, int, int, int]], str]


def text_row(texts: Sequence[str], **flags: bool) -> Cell:
    def cell(index: int, bounds: tuple[int, int, int, int]) -> str:
        return node("TextView", bounds, text=texts[index], resource_id="a:id/row", **flags)

    return cell


class LongList:
    """Rows of ``ROW`` pixels between ``TOP`` and ``BOTTOM``, of which only what shows is in a dump,
    cut at the edges. ``drops`` swipes are lost, one after the other; ``sideways`` lays the rows
    side by side; ``fling`` is how much farther than the finger the list goes; ``more`` is called by
    each swipe that reached the end."""

    def __init__(
        self,
        phone: ScriptedPhone,
        count: int,
        cell: Cell,
        *,
        drops: int = 0,
        sideways: bool = False,
        around: Sequence[str] = (),
        fling: float = 1.0,
        more: Callable[[LongList], None] | None = None,
    ) -> None:
        self.phone, self.count, self.cell = phone, count, cell
        self.drops, self.sideways, self.around, self.fling, self.more = (
            drops,
            sideways,
            around,
            fling,
            more,
        )
        self.last = 1000 if sideways else BOTTOM  # where it ends on the screen
        self.offset = 0
        self.swipes: list[tuple[Point, Point]] = []
        phone.swipe = self.swipe  # type: ignore[method-assign]
        self.show()

    @property
    def limit(self) -> int:
        return max(self.count * ROW - (self.last - TOP), 0)

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        self.swipes.append((start, end))
        if self.drops:
            self.drops -= 1
            return
        travel = start.x - end.x if self.sideways else start.y - end.y
        self.offset = min(max(self.offset + round(travel * self.fling), 0), self.limit)
        if self.more is not None and self.offset == self.limit:
            self.more(self)
        self.show()

    def show(self) -> bytes:
        cells = []
        for index in range(self.count):
            low = max(TOP + index * ROW - self.offset, TOP)
            high = min(TOP + (index + 1) * ROW - self.offset, self.last)
            if low < high:
                cells.append(
                    self.cell(index, (low, 0, high, 400) if self.sideways else (0, low, 1000, high))
                )
        box = (TOP, 0, self.last, 400) if self.sideways else (0, TOP, 1000, BOTTOM)
        rows = node("RecyclerView", box, *cells, resource_id="a:id/list", scrollable=True)
        shown = screen(rows, *self.around, title="List")
        self.phone.frames = [shown]
        return shown
