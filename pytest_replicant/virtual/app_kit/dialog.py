"""``Dialog``: an alert over an app, declared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .widget import Callback, Widget


@dataclass(frozen=True)
class DialogButton:
    """A button that closes the dialog and then calls ``on_click``."""

    label: str
    on_click: Callback | None = None
    id: str = ""
    enabled: bool = True


@dataclass
class Dialog:
    """An alert over the app. The first of ``buttons`` is the positive one (``android:id/button1``),
    the second the negative one, the third the neutral one. ``content`` builds the part below the
    message."""

    title: str = ""
    message: str = ""
    buttons: Sequence[DialogButton] = ()
    content: Callable[[], Widget] | None = None
    cancelable: bool = True
    on_cancel: Callback | None = None
