"""What Android says by itself: of apps that hang or keep crashing, and notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...app_kit.dialog import DialogButton
from ...app_kit.running import RunningApp
from ..system_dialog import SystemDialog
from .alerts import ANDROID, DialogAction, alert, list_alert


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


def keeps_stopping(package: str, label: str, close: Callable[[], object]) -> SystemDialog:
    """Of an app that crashed again. "App info" leads nowhere: this phone has no such page."""
    answers = (
        DialogAction("android:id/aerr_app_info", "App info", close),
        DialogAction("android:id/aerr_close", "Close app", close),
    )
    return SystemDialog(
        ANDROID,
        f"Application Error: {package}",
        lambda: list_alert(f"{label} keeps stopping", answers),
        about=package,
    )


def notice(
    title: str,
    message: str,
    buttons: Sequence[DialogButton],
    package: str,
    close: Callable[[], object],
) -> SystemDialog:
    """An alert of the system's own, which a button, the back key or a touch outside it closes."""
    actions = [
        DialogAction(
            button.id or f"android:id/button{number}", button.label, button.on_click or close
        )
        for number, button in enumerate(buttons, 1)
    ]
    return SystemDialog(
        package, title or message, lambda: alert(title, message, actions), back=close, outside=close
    )
