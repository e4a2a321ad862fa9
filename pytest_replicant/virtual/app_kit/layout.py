"""Layout: from widgets to nodes with real rectangles, in two steps, measuring and placing."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Rect
from ..ui import Look, UiNode
from .containers import Group, RecyclerList, Scroll
from .labels import Canvas
from .sideways import HorizontalScroll, Pager
from .widget import Extent, Sizing, Widget, edges

UNLIMITED = 1_000_000


def assign_paths(widget: Widget, path: str, found: dict[str, Widget]) -> None:
    """Names every widget by its keys from the root down, and lists them by that name in
    ``found``."""
    widget.path = path
    found[path] = widget
    taken: dict[str, int] = {}
    for index, part in enumerate(widget.parts()):
        own = part.key or part.id or part.raw_id or str(index)
        taken[own] = taken.get(own, 0) + 1
        assign_paths(
            part, f"{path}/{own}" if taken[own] == 1 else f"{path}/{own}#{taken[own]}", found
        )


class Layout:
    """One pass over one window. Widgets must not change meanwhile: what was measured is kept.

    ``unclipped`` places what cannot be seen as well: to learn where something is before scrolling
    to it. ``keeps_hidden`` keeps nodes scrolled out of sight, without bounds, as iOS does: all of a
    page, and all of a list's row as soon as a part of it is in sight.
    """

    def __init__(
        self, sizing: Sizing, *, unclipped: bool = False, keeps_hidden: bool = False
    ) -> None:
        self._sizing = sizing
        self._unclipped = unclipped
        self._keeps_hidden = unclipped or keeps_hidden
        self._sizes: dict[tuple[int, int, int], tuple[int, int]] = {}

    # --- measuring --------------------------------------------------------------------------------
    def measure(self, widget: Widget, limit_width: int, limit_height: int) -> tuple[int, int]:
        """Width and height in pixels, padding included and margins apart, within the limits."""
        key = (id(widget), limit_width, limit_height)
        known = self._sizes.get(key)
        if known is None:
            known = self._sizes[key] = self._measured(widget, limit_width, limit_height)
        return known

    def _measured(self, widget: Widget, limit_width: int, limit_height: int) -> tuple[int, int]:
        metrics = self._sizing.metrics
        left, top, right, bottom = edges(widget.padding, metrics)
        width = self._fixed(widget.width, limit_width)
        height = self._fixed(widget.height, limit_height)
        if width is None or height is None:
            inner_width = max((limit_width if width is None else width) - left - right, 0)
            inner_height = max((limit_height if height is None else height) - top - bottom, 0)
            wanted = self._content(
                widget, inner_width, inner_height, width is not None, height is not None
            )
            if width is None:
                width = min(wanted[0] + left + right, limit_width)
            if height is None:
                height = max(wanted[1] + top + bottom, metrics.px(widget.min_height))
                height = min(height, limit_height) if isinstance(widget, Group) else height
        return width, height

    def _fixed(self, extent: Extent, limit: int) -> int | None:
        if extent == "fill":
            return None if limit >= UNLIMITED // 2 else limit
        return None if extent == "wrap" else self._sizing.metrics.px(extent)

    def _content(
        self, widget: Widget, width: int, height: int, exact_width: bool, exact_height: bool
    ) -> tuple[int, int]:
        if not isinstance(widget, Group):
            parts = widget.parts()
            if not parts:
                return widget.content_size(self._sizing, width, height)
            return self.measure(parts[0], width, height)
        if isinstance(widget, Scroll):
            height = UNLIMITED
        elif widget.direction == "row" and isinstance(widget, HorizontalScroll):
            width = UNLIMITED
        outer = self._outer_sizes(widget, width, height, exact_width, exact_height)
        widths, heights = [size[0] for size in outer], [size[1] for size in outer]
        if widget.direction == "row":
            return sum(widths), max(heights, default=0)
        if widget.direction == "column":
            return max(widths, default=0), sum(heights)
        return max(widths, default=0), max(heights, default=0)

    def _outer_sizes(
        self, group: Group, width: int, height: int, exact_width: bool, exact_height: bool
    ) -> list[tuple[int, int]]:
        """Of each visible part with its margins. What has weight shares the room that the others
        leave."""
        parts = shown_parts(group)
        if group.direction == "stack":
            return [self._outer(part, width, height) for part in parts]
        is_row = group.direction == "row"
        room = width if is_row else height
        exact = exact_width if is_row else exact_height
        weights = sum(part.weight for part in parts) if exact and room < UNLIMITED // 2 else 0
        sizes: list[tuple[int, int]] = [(0, 0)] * len(parts)
        for index, part in enumerate(parts):
            if not (weights and part.weight):
                sizes[index] = self._outer(
                    part, room if is_row else width, height if is_row else room
                )
                room = max(room - sizes[index][0 if is_row else 1], 0)
        for index, part in enumerate(parts):
            if weights and part.weight:
                share = room * part.weight // weights
                room, weights = room - share, weights - part.weight
                size = self._outer(part, share if is_row else width, height if is_row else share)
                sizes[index] = (share, size[1]) if is_row else (size[0], share)
        return sizes

    def _outer(self, part: Widget, width: int, height: int) -> tuple[int, int]:
        left, top, right, bottom = edges(part.margin, self._sizing.metrics)
        size = self.measure(part, max(width - left - right, 0), max(height - top - bottom, 0))
        return size[0] + left + right, size[1] + top + bottom

    # --- placing ----------------------------------------------------------------------------------
    def place(self, widget: Widget, frame: Rect, clip: Rect) -> UiNode | None:
        """The node of a widget and those inside it; None if nothing of it can be seen."""
        bounds = frame if self._unclipped else frame.intersect(clip)
        if not widget.class_name or (bounds.is_empty and not self._keeps_hidden):
            return None
        node = UiNode(
            class_name=widget.class_name,
            package=self._sizing.package,
            bounds=bounds,
            frame=frame,
            resource_id=self._resource_id(widget),
            description=widget.description,
            clickable=widget.clickable,
            focusable=widget.clickable,
            long_clickable=widget.on_long_click is not None,
            enabled=widget.enabled,
            selected=widget.selected,
            owner=widget,
        )
        inner = self._inner(widget, frame)
        if isinstance(widget, Scroll):
            node.children = self._place_rows(widget, inner, bounds)
        elif isinstance(widget, HorizontalScroll):
            node.children = self._place_across(widget, inner, bounds)
        elif isinstance(widget, Group):
            node.children = self._place_parts(widget, inner, bounds)
        else:
            node.children = self._placed([(part, inner) for part in widget.parts()], bounds)
        if isinstance(widget, Canvas) and widget.drawing is not None:
            node.drawn = self._placed([(widget.drawing, inner)], bounds)
        widget.describe(node, self._sizing)
        node.look = widget.look(self._sizing) or Look()
        node.look.shape = widget.shape or node.look.shape
        return node

    def _placed(self, places: Sequence[tuple[Widget, Rect]], clip: Rect) -> list[UiNode]:
        nodes = (self.place(part, frame, clip) for part, frame in places)
        return [node for node in nodes if node is not None]

    def _place_parts(self, group: Group, inner: Rect, clip: Rect) -> list[UiNode]:
        parts = shown_parts(group)
        sizes = self._outer_sizes(group, inner.width, inner.height, True, True)
        is_row, is_stack = group.direction == "row", group.direction == "stack"
        taken = sum(size[0 if is_row else 1] for size in sizes)
        cursor = (
            0
            if is_stack
            else _shift(group.spread, (inner.width if is_row else inner.height) - taken)
        )
        places = []
        for part, (width, height) in zip(parts, sizes, strict=True):
            align = part.gravity or group.align
            dx = cursor if is_row else _shift(align, inner.width - width)
            dy = _shift(align, inner.height - height) if is_row or is_stack else cursor
            places.append(
                (part, self._framed(part, inner.left + dx, inner.top + dy, width, height))
            )
            if not is_stack:
                cursor += width if is_row else height
        return self._placed(places, clip)

    def _framed(self, part: Widget, left: int, top: int, width: int, height: int) -> Rect:
        before, above, after, below = edges(part.margin, self._sizing.metrics)
        return Rect(left + before, top + above, left + width - after, top + height - below)

    def _place_rows(self, widget: Scroll, inner: Rect, clip: Rect) -> list[UiNode]:
        scroll = self._sizing.view_state.scroll(widget.path)
        rows = [row for row in widget.rows if row.visible]
        sizes = [self._outer(row, inner.width, UNLIMITED) for row in rows]
        scroll.limit = max(sum(height for _, height in sizes) - inner.height, 0)
        scroll.by(0)
        top = inner.top - scroll.offset
        places = []
        for row, (width, height) in zip(rows, sizes, strict=True):
            in_sight = top + height > clip.top and top < clip.bottom
            if (
                in_sight
                or self._unclipped
                or (self._keeps_hidden and not isinstance(widget, RecyclerList))
            ):
                places.append((row, self._framed(row, inner.left, top, width, height)))
            top += height
        return self._placed(places, clip)

    def _place_across(self, widget: HorizontalScroll, inner: Rect, clip: Rect) -> list[UiNode]:
        scroll = self._sizing.view_state.scroll(widget.path)
        parts = shown_parts(widget)
        if isinstance(widget, Pager):
            sizes = [(inner.width, inner.height)] * len(parts)
            scroll.limit = max(len(parts) - 1, 0)
            scroll.offset = scroll.offset if widget.page is None else widget.page
        else:
            sizes = [self._outer(part, UNLIMITED, inner.height) for part in parts]
            scroll.limit = max(sum(width for width, _ in sizes) - inner.width, 0)
        scroll.by(0)
        left = inner.left - scroll.offset * (inner.width if isinstance(widget, Pager) else 1)
        places = []
        for part, (width, height) in zip(parts, sizes, strict=True):
            top = inner.top + _shift(part.gravity or widget.align, inner.height - height)
            if self._unclipped or not isinstance(widget, Pager) or left == inner.left:
                places.append((part, self._framed(part, left, top, width, height)))
            left += width
        return self._placed(places, clip)

    def _inner(self, widget: Widget, frame: Rect) -> Rect:
        left, top, right, bottom = edges(widget.padding, self._sizing.metrics)
        return Rect(frame.left + left, frame.top + top, frame.right - right, frame.bottom - bottom)

    def _resource_id(self, widget: Widget) -> str:
        if widget.raw_id or not widget.id:
            return widget.raw_id
        return widget.id if ":" in widget.id else f"{self._sizing.package}:id/{widget.id}"


def shown_parts(group: Group) -> list[Widget]:
    return [part for part in group.parts() if part.visible]


def _shift(align: str, room: int) -> int:
    if align == "start" or room <= 0:
        return 0
    return room // 2 if align == "center" else room
