"""What happens on real screens, done to a capture, with the truth of which node is which kept.

A mutation changes a copy of a capture in place and answers whether it applied. Nodes keep their keys; what is put
in place of something else gets a new one. The same capture always changes in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal
from zlib import crc32

from . import bait, content, geometric, structural, wordless

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..tree import Tree

Group = Literal["geometric", "structural", "content", "bait", "informative"]


@dataclass(frozen=True)
class Mutation:
    """``prepare`` changes the screen that the refs are printed on, for what few captures show. A ``control``
    counts where nothing in the hierarchy changes, too."""

    name: str
    group: Group
    change: Callable[[Tree, Random], bool]
    prepare: Callable[[Tree, Random], bool] | None = None
    control: bool = False

    @property
    def says(self) -> str:
        """Its docstring's first line."""
        return (self.change.__doc__ or "").strip().splitlines()[0].rstrip(".")


def _jitter(pixels: int) -> Mutation:
    def change(tree: Tree, rng: Random) -> bool:
        return geometric.jitter(tree, rng, pixels)

    change.__doc__ = f"Every part of the screen moves by {pixels} px, each in a direction of its own."
    return Mutation(f"jitter_{pixels}", "geometric", change)


MUTATIONS: tuple[Mutation, ...] = (
    *(_jitter(pixels) for pixels in (1, 3, 5, 10, 20, 40)),
    Mutation("density", "geometric", geometric.density),
    Mutation("rotation", "geometric", geometric.rotation),
    Mutation("keyboard", "geometric", geometric.keyboard),
    Mutation("scroll_part", "geometric", geometric.scroll_part),
    Mutation("scroll_rows", "geometric", geometric.scroll_rows),
    Mutation("scroll_new", "geometric", geometric.scroll_new),
    Mutation("toast", "geometric", geometric.toast),
    Mutation("snackbar", "geometric", geometric.snackbar),
    Mutation("banner", "geometric", geometric.banner),
    Mutation("notice", "geometric", geometric.notice),
    Mutation("sheet", "geometric", geometric.sheet),
    Mutation("row_first", "structural", structural.row_first),
    Mutation("row_middle", "structural", structural.row_middle),
    Mutation("row_removed", "structural", structural.row_removed),
    Mutation("rows_swapped", "structural", structural.rows_swapped),
    Mutation("rows_rotated", "structural", structural.rows_rotated),
    Mutation("touched_swapped", "structural", structural.rows_swapped, structural.touched_words),
    Mutation("touched_pushed", "structural", structural.row_first, structural.touched_words),
    Mutation("icon_gone", "structural", wordless.icon_gone, wordless.add_grid),
    Mutation("icon_came", "structural", wordless.icon_came, wordless.add_grid),
    Mutation("wordless_gone", "structural", wordless.wordless_gone, wordless.strip_rows),
    Mutation("wordless_came", "structural", wordless.wordless_came, wordless.strip_rows),
    Mutation("tab_switched", "structural", bait.tab_switched, bait.tab_bar),
    Mutation("wrapper", "structural", structural.wrapper),
    Mutation("wrapper_root", "structural", structural.wrapper_root),
    Mutation("text_changed", "content", content.text_changed),
    Mutation("one_text", "content", content.one_text),
    Mutation("title_counts", "content", content.title_counts, content.give_title),
    Mutation("title_changed", "content", content.title_changed, content.give_title),
    Mutation("row_title", "content", content.row_title),
    Mutation("theme", "content", content.theme, control=True),
    Mutation("row_detail", "content", content.row_detail),
    Mutation("counter", "content", content.counter),
    Mutation("toggles", "content", content.toggles),
    Mutation("typed", "content", content.typed),
    Mutation("translation", "content", content.translation),
    Mutation("ids_renamed", "content", content.ids_renamed),
    Mutation("other_rows", "bait", bait.other_rows),
    Mutation("other_dialog", "bait", bait.other_dialog, bait.dialog),
    Mutation("other_tab", "bait", bait.tab_switched, bait.tab_bar),
    Mutation("sheet_alone", "bait", bait.sheet_alone),
    Mutation("row_copied", "informative", structural.row_copied),
)


def named(name: str) -> Mutation:
    """Raises ``KeyError``."""
    return {mutation.name: mutation for mutation in MUTATIONS}[name]


def mutate(tree: Tree, mutation: Mutation, seed: str) -> tuple[Tree, Tree] | None:
    """The screen before and after; None where the mutation does not apply or nothing shows it. ``seed`` is the
    capture's name."""
    rng = Random(crc32(f"{seed} {mutation.name}".encode()))
    before = tree
    if mutation.prepare is not None:
        before = tree.copy()
        if not mutation.prepare(before, rng):
            return None
    after = before.copy()
    applies = mutation.change(after, rng) and (mutation.control or not after.reads_as(before))
    return (before, after) if applies else None
