"""Apps: names, activities, starting and stopping, packages."""

from __future__ import annotations

import difflib
import re
import uuid
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...errors import DeviceError, ProtocolError, UsageError
from ...logs import resumed_activity
from ..base import AppInFront, AppStatus
from .adb import FULL
from .screen import Role

SEVERAL = (".aab", ".apks", ".xapk", ".apkm")
"""Endings of files that hold several packages, or are made into several."""

ONE_INSTEAD = "holds several packages; give one APK, such as the universal one that bundletool makes"
_NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+|android", re.ASCII)
_NEAR = 0.6  # difflib's ratio from which two names look alike
_SHOWN = 5


def checked_name(app: str) -> str:
    """Name of a package. Raises ``UsageError`` for one that Android does not allow."""
    if not _NAME.fullmatch(app):
        raise UsageError(f"{app!r} is no Android package name; one looks like com.example.shop. Nothing was done.")
    return app


def not_installed(app: str, serial: str, listed: str) -> UsageError:
    """Error for an app that is not installed. ``listed`` is the output of ``pm list packages``."""
    names = sorted(line[len("package:") :].strip() for line in listed.splitlines() if line.startswith("package:"))
    near = near_names(app, names)
    found = f"Near names on it: {', '.join(near)}." if near else f"None of its {len(names)} packages is near."
    return UsageError(
        f"{app} is not installed on {serial}. {found} Install it first, or correct the name; "
        "`adb shell pm list packages` shows all."
    )


def near_names(app: str, names: list[str]) -> list[str]:
    """Similar names, at most five: those that look alike, then those that share the last part of the name."""
    alike = difflib.get_close_matches(app, names, _SHOWN, _NEAR)
    last = app.rpartition(".")[2].lower()
    sharing = [name for name in names if last in name.lower().split(".")]
    return list(dict.fromkeys([*alike, *sharing]))[:_SHOWN]


_ACTIVITY_NAME = re.compile(r"[A-Za-z_.$][\w.$]*")
_COMPONENT = re.compile(r"^\s*([\w.]+)/([\w.$]+)\s*$", re.MULTILINE)
_REFUSED = re.compile(r"^(?:Error|Exception|Security exception|java\.lang\.\w+)\b[^\n]*", re.MULTILINE)
_TOO_LITTLE = re.compile(r"Error type \d+|Exception occurred while executing.*")


def component(app: str, activity: str) -> str:
    """Component ``app/activity`` as ``am start -n`` takes it; ``Main``, ``.Main`` and a full name all do. Raises
    ``UsageError`` for what can be no activity's name."""
    if not _ACTIVITY_NAME.fullmatch(activity):
        raise UsageError(
            f'activity={activity!r} is no activity\'s name; give one such as ".MainActivity". Nothing was started.'
        )
    return f"{app}/{activity if '.' in activity else '.' + activity}"


def launcher_component(app: str, said: str) -> str:
    """Component in the answer of ``cmd package resolve-activity --brief``; "" where there is none of this app. For
    several launcher activities Android names its own chooser, which is none of the app either."""
    for package, activity in reversed(_COMPONENT.findall(said)):
        return f"{package}/{activity}" if package == app else ""
    return ""


def refusal(said: str) -> str:
    """Reason why ``am start`` started nothing; "" where it did. Its exit code is reliable only on newer phones."""
    lines: list[str] = _REFUSED.findall(said)
    telling = [line for line in lines if not _TOO_LITTLE.fullmatch(line)] or lines
    return telling[0][:300] if telling else ""


def in_front(said: str) -> AppInFront | None:
    """Resumed activity in ``dumpsys activity activities``, by its full name."""
    found = resumed_activity(said)
    return AppInFront(*found) if found else None


LIST_SECONDS = 30.0
INSTALL_SECONDS = 180.0  # the phone compiles what it installs
_FAILURE = re.compile(r"Failure \[(?P<code>[A-Z_]+)(?:: (?P<why>.*?))?\]|^(?P<error>Error: .*)", re.MULTILINE)
_PHONES_TROUBLE = ("STORAGE", "INTERNAL_ERROR", "USER_RESTRICTED", "ABORTED", "VERIFICATION", "MEDIA_UNAVAILABLE")
_ADVICE: Mapping[str, str] = {
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": "It is installed with another signature: uninstall it first.",
    "INSTALL_FAILED_VERSION_DOWNGRADE": "A newer version is installed: uninstall it first.",
    "INSTALL_FAILED_OLDER_SDK": "The phone's Android is older than the app allows.",
    "INSTALL_FAILED_NO_MATCHING_ABIS": "It holds no native code for this phone's processor, which "
    "`adb shell getprop ro.product.cpu.abi` names. Next: build it for that, or for all.",
    "INSTALL_FAILED_INSUFFICIENT_STORAGE": FULL,
    "INSTALL_FAILED_MISSING_SPLIT": "It is one part of a split package; build a universal APK.",
    "INSTALL_FAILED_USER_RESTRICTED": "Allow 'Install via USB' in the phone's developer options.",
}


def _checked_apk(path: Path) -> Path:
    """Path of an APK. Raises ``UsageError`` for a file that can be none, before the phone is asked."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise UsageError(f"install {path}: it {what}; give the path of an APK. Nothing was installed.")
    try:
        is_archive = zipfile.is_zipfile(path)
    except OSError as error:
        raise UsageError(f"install {path}: it cannot be read: {error}. Nothing was installed.") from None
    if not is_archive:
        raise UsageError(f"install {path}: it is no APK, nor any other zip file. Nothing was installed.")
    if path.suffix.lower() in SEVERAL:
        raise UsageError(f"install {path}: a {path.suffix} {ONE_INSTEAD}. Nothing was installed.")
    return path


START_SECONDS = 30.0  # a cold start of a large app
_MAIN = ["-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER"]
# Of the hundred kilobytes that a phone says here, these lines are read.
_FRONT = "dumpsys activity activities | grep -E 'ResumedActivity|mFocusedApp'"


class AndroidApps(Role):
    def installed(self, app: str) -> bool:
        return self._link.run(["pm", "path", checked_name(app)]).text.startswith("package:")

    def install(self, path: str | Path) -> None:
        """Installs an APK. It is pushed under a name of its own, and removed afterwards in any case."""
        local = _checked_apk(Path(path))
        remote = f"/data/local/tmp/replicant-{uuid.uuid4().hex}.apk"
        try:
            with local.open("rb") as file:
                self._link.push(file, remote, f"install {local.name}")
            said = self._link.run(["pm", "install", "-r", "-t", remote], INSTALL_SECONDS).words
        finally:
            self._remove_file(remote)
        if "Success" not in said.splitlines():
            raise self._install_refused(f"install {local.name}", said)

    def uninstall(self, app: str) -> None:
        checked_name(app)
        said = self._link.run(["pm", "uninstall", app], LIST_SECONDS).words
        if "Success" in said.splitlines():
            return
        self._must_be_installed(app)
        if "DELETE_FAILED_INTERNAL_ERROR" in said:  # all that Android says of an app of its own
            raise UsageError(
                f"uninstall {app} on {self._link.serial}: the phone keeps it, as it does "
                "an app of the system. Nothing was removed."
            )
        raise self._install_refused(f"uninstall {app}", said)

    def _remove_file(self, remote: str) -> None:
        try:
            self._link.run(["rm", "-f", remote])
        except DeviceError:
            return  # the phone is gone; the install's own error reports that

    def _install_refused(self, doing: str, said: str) -> DeviceError | UsageError:
        found = _FAILURE.search(said)
        code = (found["code"] or "") if found else ""
        why = (found["why"] or found["error"] or "") if found else said[:300]
        message = (
            f"{doing} on {self._link.serial}: the phone refused: {': '.join(filter(None, (code, why[:300])))}."
        )
        message = f"{message} {_ADVICE.get(code, '')}".rstrip()
        if code and not any(word in code for word in _PHONES_TROUBLE):
            return UsageError(message)
        error = ProtocolError(message, exchange=said[:2000], device=self._link.serial)
        error.recoverable = False  # it answered, and would answer so again
        return error

    def _must_be_installed(self, app: str) -> None:
        if not self.installed(app):
            raise self._not_installed(app)

    def _not_installed(self, app: str) -> UsageError:
        listed = self._link.run(["pm", "list", "packages"], LIST_SECONDS).text
        return not_installed(app, self._link.serial, listed)

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        """Starts an app. ``args`` are words for ``am start``, such as ``("--es", "user", "ada")``; each is quoted.
        Raises ``UsageError`` for an app or activity that is not there."""
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
        if "package:" not in ended.text:  # force-stop itself does not report an absent app
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
        """App whose activity is resumed; a keyboard, a menu or the shade over it changes nothing."""
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
        """Processes with the app's own name, as its activities' has; not those of its services."""
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
