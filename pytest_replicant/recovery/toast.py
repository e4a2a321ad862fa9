"""A passing message of the app covers the target."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from ..model import Element, Failure, Node, Recovery, RecoveryState, Remedy, ancestors, descendants
from .evidence import hookimpl, screen_of

if TYPE_CHECKING:
    from ..session import RecoveryContext
    from ..snapshots import Snapshot

CALLED_SO = re.compile(r"snack_?bar|toast", re.IGNORECASE)
"""Classes and ids of passing messages."""

_LOWEST = 0.6  # of the screen's height: a passing message begins below that
_HIGHEST = 0.2  # of the screen's height: and is no higher than that
_MOST_ACTIONS = 1


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A passing message, such as a snackbar, lies over the target: waits until it is gone, and looks again."""
    snapshot, blocker = screen_of(failure), failure.blocker
    if snapshot is None or blocker is None or (failure.check is not None and failure.check.proves_absence):
        return None
    if not 0 <= blocker.node.index < len(snapshot.nodes) or snapshot.nodes[blocker.node.index] != blocker.node:
        return None  # of another screen
    bar = _bar_of(snapshot, blocker)
    if bar is None or not is_passing(snapshot, bar):
        return None
    reason = f"a passing message lay over the target: {blocker.describe()}"
    return Recovery("state_refresh", before=(Remedy.wait_gone(blocker),), reason=reason, policy="toast")


def is_passing(snapshot: Snapshot, bar: Node) -> bool:
    """A bar near the bottom that says something and offers at most one thing. It is called a snackbar, or hovers
    over the screen; a part of a panel, or a bar that reaches both sides or the lower edge of the screen, stays."""
    width, height = snapshot.size
    inside = descendants(snapshot.nodes, bar)
    if not any(node.text and not node.clickable for node in (bar, *inside)):
        return False
    if sum(node.clickable for node in inside) > _MOST_ACTIONS:
        return False
    if any(node.states.scrollable or node.states.editable for node in (bar, *inside)):
        return False
    if bar.bounds.top < height * _LOWEST:
        return False
    called_so = any(CALLED_SO.search(f"{node.class_name} {node.resource_id}") for node in (bar, *inside))
    around = snapshot.nodes[bar.parent].bounds.height if bar.parent >= 0 else height
    hovers = bar.bounds.left > 0 and bar.bounds.right < width and bar.bounds.bottom < height
    return called_so or (hovers and bar.bounds.width * 2 > width and around * 2 > height)


def _bar_of(snapshot: Snapshot, blocker: Element) -> Node | None:
    """The largest part of the screen around the blocking element that is no higher than a bar."""
    highest = snapshot.size[1] * _HIGHEST
    around = (blocker.node, *ancestors(snapshot.nodes, blocker.node))
    bars = list(takewhile(lambda node: node.bounds.height <= highest, around))
    return bars[-1] if bars else None
