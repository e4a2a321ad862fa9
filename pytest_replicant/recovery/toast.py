"""A passing message of the app covers the target."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pluggy import HookimplMarker

from ..model import Recovery, Remedy
from .evidence import screen_of

if TYPE_CHECKING:
    from ..model import Element, Failure, Node, RecoveryState
    from ..session import RecoveryContext
    from ..snapshots import Snapshot

hookimpl = HookimplMarker("pytest")

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
    inside = list(_inside(snapshot, bar))
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
    bar, node = None, blocker.node
    while node.bounds.height <= highest:
        bar = node
        if node.parent < 0:
            break
        node = snapshot.nodes[node.parent]
    return bar


def _inside(snapshot: Snapshot, bar: Node) -> list[Node]:
    """The bar's subtree, which lies in one piece in document order."""
    within = {bar.index}
    for node in snapshot.nodes[bar.index + 1 :]:
        if node.parent not in within:
            break
        within.add(node.index)
    return [snapshot.nodes[index] for index in sorted(within - {bar.index})]
