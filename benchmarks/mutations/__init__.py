"""What happens on real screens, done to a capture, with the truth of which node is which kept.

A mutation changes a copy of a capture in place and answers whether it applied. Nodes keep their
keys; what is put in place of something else gets a new one. The same capture always changes in the
same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal
from zlib import crc32

from ..lists import NoList
from . import bait, content, geometric, structural, wordless

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..tree import Tree

Group = Literal["geometric", "structural", "content", "bait", "informative"]


@dataclass(frozen=True)
class Mutation:
    """``prepare`` changes the screen that the refs are printed on, for what few captures show. A
    ``control`` counts where nothing in the hierarchy changes, too."""

    group: Group
    change: Callable[[Tree, Random], bool]
    prepare: Callable[[Tree, Random], bool] | None = None
    control: bool = False
    called: str = ""

    @property
    def name(self) -> str:
        return self.called or self.change.__name__

    @property
    def says(self) -> str:
        """Its docstring's first line."""
        return (self.change.__doc__ or "").strip().splitlines()[0].rstrip(".")


def _jitter(pixels: int) -> Mutation:
    def change(tree: Tree, rng: Random) -> bool:
        return geometric.jitter(tree, rng, pixels)

    change.__doc__ = (
        f"Every part of the screen moves by {pixels} px, each in a direction of its own."
    )
    return Mutation("geometric", change, called=f"jitter_{pixels}")


def _each(group: Group, *changes: Callable[[Tree, Random], bool]) -> Iterator[Mutation]:
    return (Mutation(group, change) for change in changes)


MUTATIONS: tuple[Mutation, ...] = (
    *(_jitter(pixels) for pixels in (1, 3, 5, 10, 20, 40)),
    *_each(
        "geometric",
        geometric.density,
        geometric.rotation,
        geometric.keyboard,
        geometric.scroll_part,
        geometric.scroll_rows,
        geometric.scroll_new,
        geometric.toast,
        geometric.snackbar,
        geometric.banner,
        geometric.notice,
        geometric.sheet,
    ),
    *_each(
        "structural",
        structural.row_first,
        structural.row_middle,
        structural.row_removed,
        structural.rows_swapped,
        structural.rows_rotated,
    ),
    Mutation(
        "structural", structural.rows_swapped, structural.touched_words, called="touched_swapped"
    ),
    Mutation("structural", structural.row_first, structural.touched_words, called="touched_pushed"),
    Mutation("structural", wordless.one_goes, wordless.add_grid, called="icon_gone"),
    Mutation("structural", wordless.one_comes, wordless.add_grid, called="icon_came"),
    Mutation("structural", wordless.one_goes, wordless.strip_rows, called="wordless_gone"),
    Mutation("structural", wordless.one_comes, wordless.strip_rows, called="wordless_came"),
    Mutation("structural", bait.tab_switched, bait.tab_bar),
    *_each("structural", structural.wrapper, structural.wrapper_root),
    *_each("content", content.text_changed, content.one_text),
    Mutation("content", content.title_counts, content.give_title),
    Mutation("content", content.title_changed, content.give_title),
    Mutation("content", content.row_title),
    Mutation("content", content.theme, control=True),
    *_each(
        "content",
        content.row_detail,
        content.counter,
        content.toggles,
        content.typed,
        content.translation,
        content.ids_renamed,
    ),
    Mutation("bait", bait.other_rows),
    Mutation("bait", bait.other_dialog, bait.dialog),
    Mutation("bait", bait.tab_switched, bait.tab_bar, called="other_tab"),
    Mutation("bait", bait.sheet_alone),
    Mutation("informative", structural.row_copied),
)


def named(name: str) -> Mutation:
    """Raises ``KeyError``."""
    return {mutation.name: mutation for mutation in MUTATIONS}[name]


def mutate(tree: Tree, mutation: Mutation, seed: str) -> tuple[Tree, Tree] | None:
    """The screen before and after; None where the mutation does not apply or nothing shows it.
    ``seed`` is the capture's name."""
    rng = Random(crc32(f"{seed} {mutation.name}".encode()))
    before = tree.copy() if mutation.prepare else tree
    try:
        if mutation.prepare and not mutation.prepare(before, rng):
            return None
        after = before.copy()
        applies = mutation.change(after, rng) and (mutation.control or not after.reads_as(before))
    except NoList:
        return None
    return (before, after) if applies else None
