"""Apps: starting, stopping, and which one is in front. Names are checked, and every word is quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import ProtocolError, UsageError
from ..base import AppInFront, AppStatus
from .activities import component, in_front, launcher_component, refusal
from .installing import AndroidPackages
from .packages import checked_name

START_SECONDS = 30.0  # a cold start of a large app
_MAIN = ["-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER"]
# Of the hundred kilobytes that a phone says here, these lines are read.
_FRONT = "dumpsys activity activities | grep -E 'ResumedActivity|mFocusedApp'"


class AndroidApps(AndroidPackages):
    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        """``args`` are words for ``am start``, such as ``("--es", "user", "ada")``; each is quoted. Raises
        ``UsageError`` for an app or activity that is not there."""
        checked_name(app)
        goal = component(app, activity) if activity else self._launcher(app)
        said = self._link.run(["am", "start", *_MAIN, "-n", goal, *args], START_SECONDS).words
        problem = refusal(said)
        if not problem:
            return
        self._must_be_installed(app)
        raise UsageError(f"launch {app} on {self._link.serial}: {goal} did not start: {problem}")

    def stop(self, app: str) -> None:
        """Raises ``UsageError`` where it is not installed."""
        ended = self._link.run(f"am force-stop {checked_name(app)}; pm path {app}")
        if "package:" not in ended.text:  # force-stop itself says nothing of what is not there
            raise self._not_installed(app)

    def clear_data(self, app: str) -> None:
        """Raises ``UsageError`` where it is not installed."""
        checked_name(app)
        ended = self._link.run(["pm", "clear", app], START_SECONDS)
        if ended.text.strip() == "Success":
            return
        self._must_be_installed(app)
        raise ProtocolError(
            f"clear_data {app} on {self._link.serial}: {ended.words[:300] or 'the phone refused'}",
            exchange=ended.words,
            device=self._link.serial,
        )

    def app_in_front(self) -> AppInFront:
        """The app whose activity is resumed; a keyboard, a menu or the shade over it changes nothing."""
        said = self._link.run(_FRONT).text
        front = in_front(said)
        if front is None:
            raise ProtocolError(
                f"app_in_front on {self._link.serial}: the phone names no resumed activity. Is it locked?",
                exchange=said[:2000],
                device=self._link.serial,
            )
        return front

    def app_status(self, app: str) -> AppStatus:
        checked_name(app)
        pids, _, activities = self._link.run(f"pidof {app}; echo; {_FRONT}").text.partition("\n")
        if not re.search(r"\d", pids):
            return "stopped"
        front = in_front(activities)
        return "foreground" if front is not None and front.app == app else "background"

    def pids(self, app: str) -> tuple[int, ...]:
        """Those that bear the app's own name, as its activities' does; not those that it has for services."""
        said = self._link.run(f"pidof {checked_name(app)}").text
        return tuple(int(word) for word in said.split() if word.isdecimal())

    def open_url(self, url: str, app: str | None) -> None:
        """Raises ``UsageError`` where no app, or not this one, opens it."""
        only = ["-p", checked_name(app)] if app else []
        words = ["am", "start", "-a", "android.intent.action.VIEW", "-d", url, *only]
        problem = refusal(self._link.run(words, START_SECONDS).words)
        if not problem:
            return
        if app:
            self._must_be_installed(app)
        by_whom = f"{app} does not open it" if app else "no app on the phone opens it"
        raise UsageError(f"open_url {url!r} on {self._link.serial}: {by_whom}: {problem}")

    def _launcher(self, app: str) -> str:
        said = self._link.run(["cmd", "package", "resolve-activity", "--brief", app]).words
        goal = launcher_component(app, said)
        if goal:
            return goal
        self._must_be_installed(app)
        raise UsageError(
            f"launch {app} on {self._link.serial}: it is installed, but has no one activity for a launcher. "
            'Name it: launch(app, activity=".MainActivity").'
        )
