"""A system message over the app, with one button that closes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Element, Failure, Recovery, RecoveryState, Remedy, quoted
from .evidence import first_of, hookimpl, is_about, of_packages, permission_prompt, says, screen_of, the_one

if TYPE_CHECKING:
    from collections.abc import Collection

    from ..drivers import SystemDialogs
    from ..session import RecoveryContext
    from ..snapshots import Snapshot

CLOSES = frozenset(
    {"cancel", "close", "dismiss", "don't show again", "don’t show again", "got it", "later", "no thanks"}
    | {"no, thanks", "not now", "skip"}
)
"""Labels, in lower case, of buttons that only close what they are on."""
CLOSES_ALONE = frozenset(
    {"ok", "okay", "done"}
    | {"aceptar", "d'acord", "tamam", "ок", "οκ", "حسنًا", "אישור", "ठीक है", "ตกลง", "확인", "确定", "確定"}
)
"""The same where there is no other button; next to one they are the other choice. Android's word for it, in other
languages (AOSP ``core/res/res/values-*/strings.xml``, ``ok``)."""

CANCEL = "cancel"
_ASKS = "?？؟;՞"  # question marks, the Greek one among them
_MOST_BUTTONS = 3  # of a message; more are on a page, a menu or the notification shade


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
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
    return Recovery("state_refresh", before=(Remedy.tap(button),), reason=reason, policy="system_dialog")


def _message(known: SystemDialogs, snapshot: Snapshot, failure: Failure) -> list[Element]:
    """Elements of a system message; permission prompts belong to another policy."""
    if not known.from_home_screen:
        return of_packages(known, snapshot, known.packages - known.permission_packages, failure)
    if permission_prompt(known, snapshot, failure):
        return []
    return of_packages(known, snapshot, known.packages, failure)


def _button(known: SystemDialogs, snapshot: Snapshot, dialog: Collection[Element]) -> Element | None:
    """The button that closes it, by its label, or, in any language, by its id, which declines an offer. "OK" under
    a question is an answer: "Delete?"."""
    button = closing_button(dialog) or first_of(snapshot, known.declining_buttons, dialog)
    packages = {element.node.package for element in dialog}
    texts = [node.text or node.description for node in snapshot.nodes if node.package in packages]
    asks = any(mark in text for text in (*texts, snapshot.dialog or "") for mark in _ASKS)
    return None if button is not None and _word(button) in CLOSES_ALONE and asks else button


def closing_button(dialog: Collection[Element]) -> Element | None:
    """The one button that only closes it; None where there is none, or a choice."""
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
