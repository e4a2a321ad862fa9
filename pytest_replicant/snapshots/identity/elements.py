"""From labelled nodes to addressable elements with refs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import Element, leading
from ..naming.labels import labels_of_row
from ..naming.values import held_by
from ..parsers.roles import meaning_of
from ..screen.scrolling import scrolls
from .memory import Memory
from .refs import Likeness, identify, print_refs

if TYPE_CHECKING:
    from ...model import Family
    from ..naming.labels import Labels
    from ..naming.values import Held
    from ..screen.layout import Layout
    from .surroundings import Surroundings

_MOST_IN_CONTEXT = 4  # labels of a row that name what is in it


def build(
    layout: Layout,
    labels: Labels,
    around: Surroundings,
    *,
    snapshot_id: str,
    reports_hints: bool,
    memory: Memory | None,
    family: Family,
) -> tuple[Element, ...]:
    """The addressable elements in document order: controls, and labels that stand alone."""
    indexes = _addressable(layout, labels)
    rows = {row: labels_of_row(row, layout, labels) for row in {labels.row_of(layout.nodes[i]) for i in indexes}}
    likenesses: list[Likeness] = []
    holds: list[Held] = []
    for index in indexes:
        node, label = layout.nodes[index], labels.label[index]
        held = held_by(node, layout, label, labels.folded.get(index, ()), reports_hints)
        holds.append(held)
        likenesses.append(_likeness(index, layout, labels, rows[labels.row_of(node)], held.value))
    memory = memory or Memory()
    identities = identify(likenesses, around)
    digests = [memory.renewed(identity.digest) for identity in identities]
    refs = print_refs(digests, memory.digests, memory.refs)
    found: list[Element] = []
    for likeness, held, identity, digest, ref in zip(likenesses, holds, identities, digests, refs, strict=True):
        node = layout.nodes[likeness.index]
        role = meaning_of(node)
        found.append(
            Element(
                ref=ref,
                identity=digest,
                fragile=identity.twins is not None,
                label=labels.label[node.index],
                node=node,
                snapshot_id=snapshot_id,
                context=likeness.context,
                row=rows[labels.row_of(node)],
                value=held.value,
                value_range=held.range,
                semantic_role=role.name,
                supported_actions=role.actions,
                adjustable=role.adjustable,
                state_shape=role.shape,
                folded=tuple(labels.folded.get(node.index, ())),
                section=identity.section,
                ids=identity.ids,
                order=identity.order,
                twins=identity.twins,
                family=family,
            )
        )
    return tuple(found)


def _addressable(layout: Layout, labels: Labels) -> list[int]:
    return [
        index
        for index, shown in enumerate(layout.shown)
        if shown and (labels.controls[index] or (labels.own[index] and labels.owner[index] < 0))
    ]


def _likeness(index: int, layout: Layout, labels: Labels, row: tuple[str, ...], held: object) -> Likeness:
    """A drop-down that is called by what is chosen in it has no name: a choice is no more lasting than what was
    typed."""
    node = layout.nodes[index]
    label = labels.label[index]
    if label and label == held and meaning_of(node).name == "dropdown":
        label = ""
    name = leading(label, labels.folded.get(index, ()))
    nameless_pane = not (name or node.resource_id) and scrolls(node)
    kind = f"{node.class_name} pane" if nameless_pane else node.class_name
    title, context = (row[0], " ".join(row[:_MOST_IN_CONTEXT])) if row else ("", "")
    return Likeness(kind, node.resource_id, name, label, title, context, node.bounds, index)
