"""What the system says of apps that hang or keep crashing: its dialogs, and the block in the log."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

from ..app_kit.dialog import DialogButton
from ..app_kit.running import RunningApp
from .system_dialogs import ANDROID, DialogAction, SystemDialog, SystemDialogs, alert, list_alert


def not_responding(
    app: RunningApp[Any], close_app: Callable[[], object], wait: Callable[[], object]
) -> SystemDialog:
    """``close_app`` and ``wait`` also close the dialog; nothing else does."""
    answers = (
        DialogAction("android:id/aerr_close", "Close app", close_app),
        DialogAction("android:id/aerr_wait", "Wait", wait),
    )
    title = f"{app.app.label} isn't responding"
    window_title = f"Application Not Responding: {app.package}"
    return SystemDialog(ANDROID, window_title, lambda: list_alert(title, answers), owner=app)


def keeps_stopping(package: str, label: str, dialogs: SystemDialogs) -> SystemDialog:
    """Of an app that crashed again. "App info" leads nowhere: this phone has no such page."""

    def close() -> None:
        dialogs.close(dialog)

    answers = (
        DialogAction("android:id/aerr_app_info", "App info", close),
        DialogAction("android:id/aerr_close", "Close app", close),
    )
    dialog = SystemDialog(
        ANDROID,
        f"Application Error: {package}",
        lambda: list_alert(f"{label} keeps stopping", answers),
        about=package,
    )
    return dialog


def notice(
    title: str, message: str, buttons: Sequence[DialogButton], package: str, dialogs: SystemDialogs
) -> SystemDialog:
    """An alert of the system's own, which a button, the back key or a touch beside it closes."""

    def close() -> None:
        dialogs.close(dialog)

    def press(button: DialogButton) -> Callable[[], None]:
        def pressed() -> None:
            close()
            if button.on_click is not None:
                button.on_click()

        return pressed

    actions = [
        DialogAction(button.id or f"android:id/button{number}", button.label, press(button))
        for number, button in enumerate(buttons, 1)
    ]
    dialog = SystemDialog(
        package, title or message, lambda: alert(title, message, actions), back=close, outside=close
    )
    return dialog


def anr_reason(component: str, waited_ms: int) -> str:
    """Why the input dispatcher gave up; ``component`` is the activity with its full name."""
    token = f"{zlib.crc32(component.encode('utf-8', 'replace')) & 0xFFFFFFF:07x}"
    return (
        f"Input dispatching timed out ({token} {component} (server) is not responding. "
        f"Waited {waited_ms + 1}ms for MotionEvent)"
    )


def anr_block(package: str, short_component: str, pid: int, reason: str) -> str:
    """As the activity manager logs it."""
    return (
        f"ANR in {package} ({short_component})\nPID: {pid}\nReason: {reason}\n"
        f"Parent: {short_component}\nFrozen: false\nLoad: 1.12 / 0.94 / 0.71"
    )
