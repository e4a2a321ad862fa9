"""What several policies share: evidence in a failure, which is only facts that can be
seen, and no assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ReplicantError
from ..model import Element, Failure, Selector, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ..drivers import SystemDialogs
    from ..snapshots import Snapshot

_SEARCHED = ("ELEMENT_NOT_FOUND", "STALE_REFERENCE")  # their candidates are near misses
_ANYBODYS = {"", "android"}  # ids that every dialog may have do not say which one is meant
_LONGEST_SAID = 80  # characters of a dialog in a reason


def screen_of(failure: Failure) -> Snapshot | None:
    """The screen on which it failed; None if nothing could be read."""
    snapshot: Snapshot | None = failure.snapshot
    return snapshot


def of_packages(
    known: SystemDialogs, snapshot: Snapshot, packages: Collection[str], failure: Failure
) -> list[Element]:
    """Elements listed in these packages' windows. Those of the app under test are the product, however they are
    called. Where the system asks in the home screen's name, only windows marked as dialogs count."""
    own = failure.app
    if known.from_home_screen and snapshot.dialog is None:
        return []
    return [e for e in snapshot.elements if e.package in packages and e.package != own]


def permission_prompt_on(known: SystemDialogs, snapshot: Snapshot, failure: Failure) -> list[Element]:
    """The question whether an app may do something; empty if none is up."""
    from ..session import permission_prompt as shown  # which is heavy, and loaded wherever a policy is asked

    return shown(known, snapshot, {failure.app})


def the_one(elements: Iterable[Element]) -> Element | None:
    """The only one that may be enabled; None for several, since two are never a choice."""
    found = [element for element in elements if element.states.enabled is not False]
    return found[0] if len(found) == 1 else None


def first_of(snapshot: Snapshot, buttons: Iterable[Selector], among: Collection[Element]) -> Element | None:
    """The button of the first selector that finds any; None where that one finds several."""
    for button in buttons:
        found = [element for element in snapshot.match(button) if element in among]
        if found:
            return the_one(found)
    return None


def is_about(failure: Failure, snapshot: Snapshot, dialog: Collection[Element]) -> bool:
    """Whether to leave a dialog alone: the test means it, or the check would come true by its removal, or is not
    about the screen."""
    if failure.check is not None and (failure.check.proves_absence or not failure.check.about_screen):
        return True
    packages, ids = {e.package for e in dialog}, {e.resource_id.partition(":")[0] for e in dialog}
    found = () if failure.code in _SEARCHED else failure.candidates
    if any(each is not None and each.package in packages for each in (meant(failure), *found)):
        return True
    absent = failure.check.absent if failure.check is not None else ()
    named = [target for target in (failure.target, *absent) if isinstance(target, Selector)]
    if any(name.partition(":")[0] in (packages | ids) - _ANYBODYS for each in named for name in _ids(each)):
        return True
    return any(_finds(snapshot, target, packages) for target in named)


def _finds(snapshot: Snapshot, target: Selector, packages: Collection[str]) -> bool:
    try:
        return any(element.package in packages for element in snapshot.match_labels(target))
    except ReplicantError:  # an anchor in it that is not on this screen
        return False


def says(snapshot: Snapshot, dialog: Collection[Element]) -> str:
    """Quoted title of a dialog, else its first text; "" where it has none."""
    packages = {element.package for element in dialog}
    texts = (node.text for node in snapshot.nodes if node.text and not node.clickable and node.package in packages)
    said = snapshot.dialog or next(texts, "")
    return quoted(said[:_LONGEST_SAID]) if said else ""


def meant(failure: Failure) -> Element | None:
    """The element that was meant, as last seen; None where that is not known. A near miss of a search is not
    meant, nor is an action's element by a check of something else."""
    if isinstance(failure.target, Element):
        return failure.target
    near_miss = failure.code in _SEARCHED and failure.element in failure.candidates
    other = failure.check is not None and not failure.check.about_acted
    return None if near_miss or other else failure.element


def never_stood_still(failure: Failure) -> bool:
    """Whether the target was visible, enabled and not covered, so that it can only have been moving."""
    snapshot, element = screen_of(failure), failure.element
    if failure.code != "ELEMENT_NOT_INTERACTABLE" or failure.steady or snapshot is None or element is None:
        return False
    (width, height), middle = snapshot.size, element.center
    in_sight = 0 <= middle.x < width and 0 <= middle.y < height
    return in_sight and failure.blocker is None and element.states.enabled is not False


def _ids(selector: Selector) -> Iterator[str]:
    for each in (selector, selector.android, selector.ios):
        if each is not None and each.resource_id:
            yield each.resource_id
