"""``Autofill``: the service of an Android phone that offers to save what was typed into a form with
a password."""

from __future__ import annotations

from typing import Any

from ..app_kit.dialog import DialogButton
from ..app_kit.running import RunningApp
from ..system.settings import SettingsStore
from .display import Display
from .tasks import Tasks

LABELS = {
    "com.google.android.gms": "Google",
    "com.samsung.android.samsungpassautofill": "Samsung Pass",
}


class Autofill:
    """Asks once the screen with the form is left for another one of the same app, as AOSP's
    ``services/autofill/java/com/android/server/autofill/Session.java`` does; in the dialog of
    ``ui/SaveUi.java``, which covers all and closes by a touch outside. A setting that names no
    service turns it off."""

    def __init__(self, settings: SettingsStore, tasks: Tasks, display: Display) -> None:
        self._settings = settings
        self._tasks = tasks
        self._display = display
        self._form: tuple[RunningApp[Any], object] | None = (
            None  # with a password in it, and the screen it is on
        )

    def settle(self) -> None:
        package, slash, _ = (self._settings.get("secure", "autofill_service") or "").partition("/")
        if not slash:
            self._form = None
            return
        app = self._tasks.front
        if self._form is not None and self._form[0] is app and self._form[1] is not app.entry:
            self._form = None
            self._offer(LABELS.get(package, package.rpartition(".")[2]))
        self._display.windows()
        fields = [field for pane in self._display.panes for field in pane.fields if field.password]
        texts = [field.content(self._display.top.view_state.texts) for field in fields]
        if any(texts):
            self._form = app, app.entry

    def _offer(self, label: str) -> None:
        buttons = [
            DialogButton("No thanks", id="android:id/autofill_save_no"),
            DialogButton("Save", id="android:id/autofill_save_yes"),
        ]
        self._tasks.system_dialog(f"Save password to {label}?", "", buttons, "android")
