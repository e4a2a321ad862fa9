"""What lies over the app or its target: dialogs of the system, the keyboard, a passing message."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from ..model import Element, Failure, Node, Recovery, RecoveryState, Remedy, ancestors, quoted
from .evidence import first_of, is_about, meant, of_packages, permission_prompt_on, says, screen_of, the_one

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..drivers import PermissionAnswer, SystemDialogs
    from ..session import RecoveryContext
    from ..snapshots import Snapshot


def anr_dialog(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The system asks whether to wait for an app that does not respond: waits, and looks again."""
    snapshot = screen_of(failure)
    if snapshot is None:
        return None
    known = session.system_dialogs
    dialog = of_packages(known, snapshot, known.packages, failure)
    wait = first_of(snapshot, known.wait_buttons, dialog)
    if wait is None or is_about(failure, snapshot, dialog):
        return None
    reason = f"the system said that an app does not respond ({says(snapshot, dialog)}); given more time"
    return Recovery("state_refresh", before=(Remedy.tap(wait),), reason=reason)


ANSWERS: dict[str, tuple[PermissionAnswer, ...]] = {"deny": ("deny",), "allow": ("allow", "allow_once")}
"""Answers by the setting ``permission_prompts``, the first that the prompt offers. "leave" answers nothing."""


def permission_prompt(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A permission prompt is in the way: answers it as ``permission_prompts`` says ("deny" unless set), and looks
    again. A prompt that the test itself is about is left alone."""
    snapshot = screen_of(failure)
    wanted = ANSWERS.get(session.settings.permission_prompts, ())
    if snapshot is None or not wanted or failure.action_type == "answer_permission":
        return None
    known = session.system_dialogs
    prompt = permission_prompt_on(known, snapshot, failure)
    buttons = [each for answer in wanted for each in known.permission_buttons.get(answer, ())]
    button = first_of(snapshot, buttons, prompt)
    if button is None or is_about(failure, snapshot, prompt):
        return None
    asked = says(snapshot, prompt) or "the system asked for a permission"
    reason = f"a permission prompt was in the way: {asked}, answered {quoted(button.label)}"
    return Recovery("state_refresh", before=(Remedy.tap(button),), reason=reason)


CLOSES = frozenset(
    {"cancel", "close", "dismiss", "don't show again", "don’t show again", "got it", "later", "no thanks"}
    | {"no, thanks", "not now", "skip"}
)
"""Labels, in lower case, of buttons that only close what they are on."""
CLOSES_ALONE = frozenset(
    {"ok", "okay", "done"}
    | {"aceptar", "d'acord", "tamam", "ок", "οκ", "حسنًا", "אישור", "ठीक है", "ตกลง", "확인", "确定", "確定"}
)
"""The same if there is no other button; next to one they are the other choice. Android's word for it, in other
languages (AOSP ``core/res/res/values-*/strings.xml``, ``ok``)."""

CANCEL = "cancel"
_ASKS = "?？؟;՞"  # question marks, the Greek one among them
_MOST_BUTTONS = 3  # of a message; more are on a page, a menu or the notification shade


def system_dialog(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A message of the system's own is in the way, with exactly one button that only closes it: closes it, and
    looks again. Never a dialog of the app under test, never a choice between two."""
    snapshot = screen_of(failure)
    if snapshot is None or snapshot.loading:  # a running operation would be cancelled, not closed
        return None
    known = session.system_dialogs
    dialog = _message(known, snapshot, failure)
    button = None if _is_about_apps(known, snapshot, dialog) else _button(known, snapshot, dialog)
    if button is None or is_about(failure, snapshot, dialog):
        return None
    reason = f"a message of the system was in the way: {says(snapshot, dialog)}, closed by {quoted(button.label)}"
    return Recovery("state_refresh", before=(Remedy.tap(button),), reason=reason)


def _message(known: SystemDialogs, snapshot: Snapshot, failure: Failure) -> list[Element]:
    """Elements of a system message; permission prompts belong to another policy."""
    if not known.from_home_screen:
        return of_packages(known, snapshot, known.packages - known.permission_packages, failure)
    if permission_prompt_on(known, snapshot, failure):
        return []
    return of_packages(known, snapshot, known.packages, failure)


def _button(known: SystemDialogs, snapshot: Snapshot, dialog: Collection[Element]) -> Element | None:
    """The button that closes it, by its label, or, in any language, by its id, which declines an offer. "OK" under
    a question is an answer: "Delete?"."""
    button = closing_button(dialog) or first_of(snapshot, known.declining_buttons, dialog)
    packages = {element.package for element in dialog}
    texts = [node.words for node in snapshot.nodes if node.package in packages]
    asks = any(mark in text for text in (*texts, snapshot.dialog or "") for mark in _ASKS)
    return None if button is not None and _word(button) in CLOSES_ALONE and asks else button


def closing_button(dialog: Collection[Element]) -> Element | None:
    """The one button that only closes it; None if there is none, or a choice."""
    if any(element.states.scrollable or element.states.editable for element in dialog):
        return None  # a page of settings, a shade, a question: no message
    buttons = [element for element in dialog if element.node.clickable]
    if len(buttons) > _MOST_BUTTONS:
        return None
    return the_one(_closing(buttons))


def _closing(buttons: list[Element]) -> list[Element]:
    words = [_word(button) for button in buttons]
    if len(words) == 1 and words[0] in CLOSES_ALONE:
        return buttons
    closing = [button for button, word in zip(buttons, words, strict=True) if word in CLOSES]
    is_choice = len(buttons) > 1 and [_word(each) for each in closing] == [CANCEL]  # as of "Open in “Shop”?"
    return [] if is_choice else closing


def _word(button: Element) -> str:
    return button.label.strip(" .!").casefold()


def _is_about_apps(known: SystemDialogs, snapshot: Snapshot, dialog: Collection[Element]) -> bool:
    """Whether it says that an app crashed or hangs: a fact for the report, that no button may take away."""
    return any(e in dialog for each in (*known.wait_buttons, *known.close_buttons) for e in snapshot.match(each))


def keyboard(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The on-screen keyboard covers the target: hides it, and looks again."""
    snapshot = screen_of(failure)
    if snapshot is None or snapshot.keyboard is None or failure.check is not None:
        return None  # a check need not be about the element of its action
    if failure.blocker is not None and not snapshot.keyboard.contains(failure.blocker.center):
        return None  # something else covers it
    element = meant(failure)
    if element is None or not snapshot.keyboard.contains(element.center):
        return None
    reason = f"the on-screen keyboard lay over {element.describe()}"
    return Recovery("state_refresh", before=(Remedy.hide_keyboard(),), reason=reason)


CALLED_SO = re.compile(r"snack_?bar|toast", re.IGNORECASE)
"""Classes and ids of passing messages."""

_LOWEST = 0.6  # of the screen's height: a passing message begins below that
_HIGHEST = 0.2  # of the screen's height: and is no higher than that
_MOST_ACTIONS = 1


def toast(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A passing message, such as a snackbar, lies over the target: waits until it is gone, and looks again."""
    snapshot, blocker = screen_of(failure), failure.blocker
    if snapshot is None or blocker is None or (failure.check is not None and failure.check.proves_absence):
        return None
    if not 0 <= blocker.index < len(snapshot.nodes) or snapshot.nodes[blocker.index] != blocker.node:
        return None  # of another screen
    bar = _bar_of(snapshot, blocker)
    if bar is None or not is_passing(snapshot, bar):
        return None
    reason = f"a passing message lay over the target: {blocker.describe()}"
    return Recovery("state_refresh", before=(Remedy.wait_gone(blocker),), reason=reason)


def is_passing(snapshot: Snapshot, bar: Node) -> bool:
    """A bar near the bottom that says something and offers at most one thing. It is called a snackbar, or hovers
    over the screen; a part of a panel, or a bar that reaches both sides or the lower edge of the screen, stays."""
    width, height = snapshot.size
    inside = snapshot.below(bar)
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
