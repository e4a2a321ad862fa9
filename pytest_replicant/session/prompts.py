"""The question whether an app may do something, as it is on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..drivers import SystemDialogs
    from ..model import Element
    from ..snapshots import Snapshot


def permission_prompt(known: SystemDialogs, snapshot: Snapshot, own: Collection[str]) -> list[Element]:
    """The elements of the question; none where it is not up. The content of windows of the apps under test,
    ``own``, is the product, whatever it looks like; and where no app is known to be one, an id alone is no
    evidence."""
    listed = [element for element in snapshot.elements if element.package not in own]
    asking = {each.package for each in listed if known.asks(each.package)}
    buttons = [each for buttons in known.permission_buttons.values() for each in buttons]
    if any(own):
        names = [each for each in buttons if each.resource_id and ":" not in each.resource_id]
        asking |= {one.package for each in names for one in snapshot.match(each) if one in listed}
    if known.from_home_screen:
        denying = (each for each in known.permission_buttons.get("deny", ()) if snapshot.match(each))
        if snapshot.dialog is None or next(denying, None) is None:
            return []
    return [element for element in listed if element.package in asking]
