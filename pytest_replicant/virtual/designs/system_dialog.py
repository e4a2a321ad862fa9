"""``SystemDialog``: a dialog that the system, not an app, puts over the screen in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..app_kit.running import RunningApp
from ..app_kit.view_state import ViewState
from ..app_kit.widget import Widget


class SystemDialog:
    """One dialog. ``owner`` is the app that it is about: it goes when that dies, and with
    ``follows`` it is on the screen only while that is in front; ``about`` is the package of one
    whose process is gone already, and it goes when that is stopped. ``activity`` is what counts as
    resumed meanwhile, "" for the app's own. ``back`` is what the back key does, None for nothing;
    ``outside`` the same for a touch outside it."""

    def __init__(
        self,
        package: str,
        window_title: str,
        build: Callable[[], Widget],
        *,
        owner: RunningApp[Any] | None = None,
        follows: bool = False,
        about: str = "",
        activity: str = "",
        back: Callable[[], object] | None = None,
        outside: Callable[[], object] | None = None,
    ) -> None:
        self.package = package
        self.window_title = window_title
        self.build = build
        self.owner = owner
        self.follows = follows
        self.about = about
        self.activity = activity
        self.back = back
        self.outside = outside
        self.view_state = ViewState()
