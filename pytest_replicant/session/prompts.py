"""What the system asks or says over an app: whether it may do something, and what an earlier test
left on the screen, closed before the first look of this one counts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import chain

from ..drivers import Capability, SystemDialogs
from ..errors import UNANSWERED
from ..model import Element, Selector, quoted
from ..snapshots import Snapshot
from .reachability import gesture_point
from .step import SessionContext, StageFailed


def permission_prompt(
    known: SystemDialogs, snapshot: Snapshot, own: Collection[str]
) -> list[Element]:
    """The elements of the question; none if it is not up. The content of windows of the apps under
    test, ``own``, is the product, however it looks; and if no app is known to be one, an id alone
    is no evidence."""
    listed = [element for element in snapshot.elements if element.package not in own]
    asking = {each.package for each in listed if known.asks(each.package)}
    buttons = [each for buttons in known.permission_buttons.values() for each in buttons]
    if any(own):
        names = [each for each in buttons if each.resource_id and ":" not in each.resource_id]
        asking |= {one.package for each in names for one in snapshot.match(each) if one in listed}
    if known.from_home_screen:
        denies = any(snapshot.match(each) for each in known.permission_buttons.get("deny", ()))
        if snapshot.dialog is None or not denies:
            return []
    return [element for element in listed if element.package in asking]


SECONDS = 5.0
"""Within which such dialogs go: one that stays is for the step that meets it."""


def close_leftovers(context: SessionContext, snapshot: Snapshot, *, prompts: bool) -> None:
    """Closes what the system says of apps that had died before this session, each once, and reads
    again. Not what is about an app that died in this test, or also offers to wait for the app,
    which then lives. With ``prompts``, a permission prompt is denied that is up before the session
    has sent anything, unless prompts are to be left. Without them, and if nothing is recovered, it
    closes nothing."""
    if context.ask is None and not prompts:
        return
    button = _closing_button(context, snapshot, prompts)
    if not button or not _is_of_before(context):
        return
    observer, clock = context.observer, context.clock
    closed: set[str] = set()
    deadline = clock.now() + SECONDS
    while button and clock.now() < deadline:
        said = snapshot.dialog or button.label
        if said in closed:  # on its way out: what lies beneath must not get a second tap
            clock.sleep(context.settings.pause)
        else:
            closed.add(said)
            try:
                context.driver.tap(gesture_point(snapshot, button))
            except StageFailed:
                break
            finally:
                observer.invalidate()
        snapshot = observer.read().snapshot
        button = _closing_button(context, snapshot, prompts)
    context.recorder.noticed.append(
        f"left by an earlier test, and closed: {', '.join(map(quoted, sorted(closed)))}"
    )
    del observer.seen[:-1]


def _closing_button(context: SessionContext, snapshot: Snapshot, prompts: bool) -> Element | None:
    known = context.driver.system_dialogs

    def matching(selectors: tuple[Selector, ...]) -> Iterator[Element]:
        return chain.from_iterable(map(snapshot.match, selectors))

    if prompts and not context.log.acted and context.settings.permission_prompts != "leave":
        asking = permission_prompt(known, snapshot, {context.newest_app})
        for button in matching(known.permission_buttons.get("deny", ())):
            if button in asking:
                return button

    def of_the_system(selectors: tuple[Selector, ...]) -> list[Element]:
        return [one for one in matching(selectors) if one.package in known.packages]

    if of_the_system(known.wait_buttons):
        return None
    buttons = of_the_system(known.close_buttons)
    return buttons[0] if len(buttons) == 1 else None


def _is_of_before(context: SessionContext) -> bool:
    """Whether no app has died in this test; of a phone that cannot tell, whether the test has sent
    nothing."""
    if Capability.CRASHES in context.driver.capabilities:
        with suppress(*UNANSWERED):
            return not context.log.crashes()
    return not context.log.acted
