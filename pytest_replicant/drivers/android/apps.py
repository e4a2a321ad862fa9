"""Apps and their runtime permissions, and the system's own dialogs from Android 6 on."""

from __future__ import annotations

import difflib
import re
import shlex
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ...errors import DeviceError, UsageError
from ...logs import permissions_of, resumed_activity
from ...model import Selector, Strings
from ...snapshots import PERMISSION_PACKAGES, PERMISSION_SUFFIXES
from ..base import AppInFront, AppStatus, PermissionAnswer, SystemDialogs
from ..base_driver import as_one
from ..checks import checked_apk
from .adb import FULL, Ended, command_line
from .link import Link
from .screen import Role


def checked_name(app: str) -> str:
    """Name of a package. Raises ``UsageError`` for one that Android does not allow."""
    if not re.fullmatch(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+|android", app, re.ASCII):
        raise UsageError(
            f"{app!r} is no Android package name; one looks like com.example.shop. Nothing was "
            "done."
        )
    return app


_REFUSED = r"^(?:Error|Exception|Security exception|java\.lang\.\w+)\b[^\n]*"
_TOO_LITTLE = r"Error type \d+|Exception occurred while executing.*"


def component(app: str, activity: str) -> str:
    """Component ``app/activity`` as ``am start -n`` takes it; ``Main``, ``.Main`` and a full name
    all do. Raises ``UsageError`` for what can be no activity's name."""
    if not re.fullmatch(r"[A-Za-z_.$][\w.$]*", activity):
        raise UsageError(
            f'activity={activity!r} is no activity\'s name; give one such as ".MainActivity". '
            "Nothing was started."
        )
    return f"{app}/{activity if '.' in activity else '.' + activity}"


def refusal(said: str) -> str:
    """Reason why ``am start`` started nothing; "" if it did. Its exit code is reliable only on
    newer phones."""
    lines: list[str] = re.findall(_REFUSED, said, re.MULTILINE)
    telling = [line for line in lines if not re.fullmatch(_TOO_LITTLE, line)] or lines
    return telling[0][:300] if telling else ""


def in_front(said: str) -> AppInFront | None:
    """Resumed activity in ``dumpsys activity activities``, by its full name."""
    found = resumed_activity(said)
    return AppInFront(*found) if found else None


LIST_SECONDS = 30.0
MOST_NEAR = 5
INSTALL_SECONDS = 180.0  # the phone compiles what it installs
_FAILURE = r"Failure \[(?P<code>[A-Z_]+)(?:: (?P<why>.*?))?\]|^(?P<error>Error: .*)"
_PHONES_TROUBLE = (
    "STORAGE",
    "INTERNAL_ERROR",
    "USER_RESTRICTED",
    "ABORTED",
    "VERIFICATION",
    "MEDIA_UNAVAILABLE",
)
_ADVICE: Mapping[str, str] = {
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": "It is installed with another signature: uninstall it "
    "first.",
    "INSTALL_FAILED_VERSION_DOWNGRADE": "A newer version is installed: uninstall it first.",
    "INSTALL_FAILED_OLDER_SDK": "The phone's Android is older than the app allows.",
    "INSTALL_FAILED_NO_MATCHING_ABIS": "It holds no native code for this phone's processor, which "
    "`adb shell getprop ro.product.cpu.abi` names. Next: build it for that, or for all.",
    "INSTALL_FAILED_INSUFFICIENT_STORAGE": FULL,
    "INSTALL_FAILED_MISSING_SPLIT": "It is one part of a split package; build a universal APK.",
    "INSTALL_FAILED_DEPRECATED_SDK_VERSION": "Android 14 and newer take no app for so old an "
    "Android. Next: raise its targetSdkVersion, or install it by hand: "
    "adb install --bypass-low-target-sdk-block FILE.",
    "INSTALL_FAILED_VERIFICATION_FAILURE": "Play Protect, or what else verifies apps, held it "
    "up. Next: leave dialogs in replicant_prepare, or adb shell settings put global "
    "verifier_verify_adb_installs 0.",
    "INSTALL_FAILED_USER_RESTRICTED": "Allow 'Install via USB' in the phone's developer options.",
}


START_SECONDS = 30.0  # a cold start of a large app
_MAIN = ["-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER"]
# Of the hundred kilobytes that a phone says here, these lines are read.
_FRONT = "dumpsys activity activities | grep -E 'Resumed(Activity|:)|mFocusedApp|^ *Display( #|: )'"
_RESOLVE = "cmd package resolve-activity --brief"
_ASIDE = "echo '--- replicant'"  # between two commands in one line, whose answers it keeps apart
# Asked up to twelve times, until the app is in front, without a round trip for each.
_AWAIT_FRONT = (
    f"for i in {' '.join(map(str, range(12)))}; do "
    f'f=$({_FRONT}); case "$f" in *Resumed*" {{app}}/"*) break;; esac; sleep 0.05; done; echo "$f"'
)


def _ending(app: str, fresh: bool) -> str:
    return f"pm clear {app}" if fresh else f"am force-stop {app}; pm path {app}"


def _parts(ended: Ended) -> list[str]:
    """The answers of the commands in one line."""
    return ended.text.replace("\r\n", "\n").split("--- replicant\n")


class AndroidApps(Role):
    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._kept_granted: dict[str, Strings] = {}

    def installed(self, app: str) -> bool:
        return self._link.run(["pm", "path", checked_name(app)]).text.startswith("package:")

    def install(self, path: str | Path) -> None:
        """Installs an APK. It is pushed under a name of its own, and removed afterwards in any
        case."""
        local = checked_apk(Path(path))
        remote = f"/data/local/tmp/replicant-{uuid.uuid4().hex}.apk"
        try:
            with local.open("rb") as file:
                self._link.push(file, remote, f"install {local.name}")
            said = self._link.run(["pm", "install", "-r", "-t", remote], INSTALL_SECONDS).words
        finally:
            with suppress(DeviceError):  # the phone is gone; the install's own error reports that
                self._link.run(["rm", "-f", remote])
        if "Success" not in said.splitlines():
            raise self._install_refused(f"install {local.name}", said)

    @as_one
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

    def _install_refused(self, doing: str, said: str) -> DeviceError | UsageError:
        code, why = "", said
        if found := re.search(_FAILURE, said, re.MULTILINE):
            code, why = found["code"] or "", found["why"] or found["error"] or ""
        refused = ": ".join(filter(None, ("the phone refused", code, why[:300])))
        reason = f"{refused}. {_ADVICE.get(code, '')}".rstrip()
        if code and not any(word in code for word in _PHONES_TROUBLE):
            return UsageError(f"{doing} on {self._link.serial}: {reason}")
        return self._failed(doing, reason, said).give_up()  # it answered, and would answer so again

    def _must_be_installed(self, app: str) -> None:
        if not self.installed(app):
            raise self._not_installed(app)

    def _not_installed(self, app: str) -> UsageError:
        listed = self._link.run(["pm", "list", "packages"], LIST_SECONDS).text
        names = sorted(re.findall(r"^package:(.*\S)", listed, re.MULTILINE))
        last = app.rpartition(".")[2].lower()
        alike = difflib.get_close_matches(app, names, MOST_NEAR)
        sharing = [name for name in names if last in name.lower().split(".")]
        found = f"None of its {len(names)} packages is near."
        if near := [*dict.fromkeys([*alike, *sharing])][:MOST_NEAR]:
            found = f"Near names on it: {', '.join(near)}."
        return UsageError(
            f"{app} is not installed on {self._link.serial}. {found} Install it first, or correct "
            "the name; `adb shell pm list packages` shows all."
        )

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        """Starts an app. ``args`` are words for ``am start``, such as ``("--es", "user", "ada")``;
        each is quoted. Raises ``UsageError`` for an app or activity that is not there."""
        checked_name(app)
        self._start(app, component(app, activity) if activity else self._launcher(app), args)

    @as_one
    def cold_start(
        self,
        app: str,
        activity: str | None,
        args: Sequence[str],
        *,
        fresh: bool,
        ended: Callable[[AppInFront | None], object],
    ) -> AppInFront | None:
        """In two round trips. What comes to the front is awaited for about a second."""
        checked_name(app)
        goal = component(app, activity) if activity else ""
        line = "; ".join((_FRONT, "echo", _ASIDE, _ending(app, fresh), _ASIDE, f"{_RESOLVE} {app}"))
        said = self._link.run(line, START_SECONDS)
        front, answer, launcher = [*_parts(said), "", ""][:3]
        ended(in_front(front))
        self._check_ended(app, fresh, answer.strip() or said.error_text.strip())
        goal = goal or self._launcher(app, f"{launcher}\n{said.error_text}")
        after = in_front(
            self._start(app, goal, args, f"; {_ASIDE}; {_AWAIT_FRONT.format(app=app)}")
        )
        if after is not None:
            self._link.front = after.app
        return after

    def _start(self, app: str, goal: str, args: Sequence[str], then: str = "") -> str:
        """Starts this component. Returns what ``then``, the rest of the command line, prints."""
        line = command_line(["am", "start", *_MAIN, "-n", goal, *args])
        ended = self._link.run(line + then, START_SECONDS)
        *said, rest = _parts(ended) if then else (ended.text, "")
        problem = refusal("\n".join((*said, ended.error_text)).strip())
        if not problem:
            return rest
        self._must_be_installed(app)
        raise UsageError(f"launch {app} on {self._link.serial}: {goal} did not start: {problem}")

    def stop(self, app: str) -> None:
        self._check_ended(app, False, self._link.run(_ending(checked_name(app), fresh=False)).text)

    def clear_data(self, app: str) -> None:
        said = self._link.run(_ending(checked_name(app), fresh=True), START_SECONDS)
        self._check_ended(app, True, said.text.strip() or said.error_text.strip())

    def _check_ended(self, app: str, fresh: bool, said: str) -> None:
        """Judges the answer to the command that ended the app, and grants again what
        ``keep_granted`` is to keep, if its data were cleared. Raises ``UsageError`` if it is not
        installed."""
        if not fresh and "package:" not in said:  # force-stop itself does not report an absent app
            raise self._not_installed(app)
        if fresh and said != "Success":
            self._must_be_installed(app)
            raise self._failed(f"clear_data {app}", said[:300] or "the phone refused", said)
        self._grant(app, self._kept_granted.get(app, ()) if fresh else ())

    def app_in_front(self) -> AppInFront:
        """App whose activity is resumed; a keyboard, a menu or the shade over it changes
        nothing."""
        said = self._link.run(_FRONT).text
        front = in_front(said)
        if front is None:
            raise self._failed(
                "app_in_front", "the phone names no resumed activity. Is it locked?", said
            )
        self._link.front = front.app
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

    @as_one
    def open_url(self, url: str, app: str | None) -> None:
        """Raises ``UsageError`` if no app, or not this one, opens it."""
        only = ["-p", checked_name(app)] if app else []
        words = ["am", "start", "-a", "android.intent.action.VIEW", "-d", url, *only]
        problem = refusal(self._link.run(words, START_SECONDS).words)
        if not problem:
            return
        if app:
            self._must_be_installed(app)
        by_whom = f"{app} does not open it" if app else "no app on the phone opens it"
        raise UsageError(f"open_url {url!r} on {self._link.serial}: {by_whom}: {problem}")

    def _launcher(self, app: str, said: str | None = None) -> str:
        """``said`` is the phone's answer to the question for it, which is asked if there is none.
        For several launcher activities Android names its own chooser, which is none of the app."""
        if said is None:
            said = self._link.run(f"{_RESOLVE} {app}").words
        found = re.findall(r"^\s*(([\w.]+)/[\w.$]+)\s*$", said, re.MULTILINE)
        if found and found[-1][1] == app:
            return str(found[-1][0])
        self._must_be_installed(app)
        raise UsageError(
            f"launch {app} on {self._link.serial}: it is installed, but has no one activity for a "
            'launcher. Name it: launch(app, activity=".MainActivity").'
        )

    def set_permission(self, app: str, permission: str, granted: bool) -> None:
        """Sets a permission, by a short name (``SHORT_NAMES``) or Android's own, with or without
        ``android.permission.``. Revoking one ends the app, as it does where its user revokes
        one."""
        checked_name(app)
        wanted = full_names(permission)
        requested, held = self._asked_for(app)
        names = [name for name in wanted if name in requested]
        if not names:
            asked = [name.removeprefix(_PREFIX) for name in sorted(requested)]
            known = " none"
            if asked:
                known = f": {', '.join(asked[:20])}"
            if len(asked) > 20:
                known += ", …"
            raise UsageError(
                f"set_permission {permission} on {self._link.serial}: {app} does not ask for "
                f"{' or '.join(wanted)} in its manifest, so that it cannot be given or taken. It "
                f"asks for{known}. Nothing was changed."
            )
        refusals = [self._decide(app, name, granted, held.get(name)) for name in names]
        if all(refusals):
            raise UsageError(
                f"set_permission {permission} on {self._link.serial}: it cannot be given or taken "
                f"there: {refusals[0][:300]}. Nothing was changed."
            )

    def keep_granted(self, app: str) -> None:
        """Grants all runtime permissions, now and whenever its data are cleared, which revokes
        them. They are not restored, as those that a test sets are."""
        held = self._asked_for(checked_name(app))[1]
        self._kept_granted[app] = tuple(held)
        self._grant(app, [name for name in held if not held[name]])

    def _grant(self, app: str, names: Sequence[str]) -> None:
        """Grants them in one command. One that cannot be granted stays as it is; if none can, the
        phone is in trouble."""
        if not names:
            return
        commands = (shlex.join(["pm", "grant", app, name]) for name in names)
        said = self._link.run("; ".join(commands), GRANT_SECONDS).words
        problems = _PROBLEM.findall(
            _NOBODYS.sub("", re.sub(_HEADING, "", said, flags=re.MULTILINE))
        )
        if len(problems) >= len(names):
            why = (
                f"{problems[0][:300]}. Next: some phones want 'USB debugging (Security settings)' "
                "in their developer options; or set replicant_prepare = animations"
            )
            raise self._failed(f"granting the permissions of {app}", why, said)

    def permissions(self, app: str) -> Mapping[str, bool]:
        return self._asked_for(checked_name(app))[1]

    def _asked_for(self, app: str) -> tuple[frozenset[str], dict[str, bool]]:
        said = self._link.run(["dumpsys", "package", app]).text
        if _ENTRY.format(app) not in said:
            self._must_be_installed(app)
            why = "it is installed, but `dumpsys package` says nothing of it."
            raise self._failed(f"permissions of {app}", why, said)
        return read_permissions(app, said)

    def _decide(self, app: str, name: str, granted: bool, before: bool | None) -> str:
        """Reason why it cannot be decided; "" if it was decided."""
        said = self._link.run(["pm", "grant" if granted else "revoke", app, name]).words
        nobodys = _NOBODYS.search(said)
        if nobodys:
            return nobodys[0].strip()
        problem = _PROBLEM.search(said)
        if problem:
            raise self._failed(f"set_permission {name} of {app}", problem[0][:300], said)
        if before is not None and before is not granted:

            def put_back() -> None:
                self._must_be_installed(app)
                self._decide(app, name, before, None)

            self._changes.setdefault(f"{app} {name}", put_back)
        return ""


# Ids of AOSP's dialog (its GrantPermissionsViewHandlerImpl), and what makers made of them. Names
# that any app may use have a package. "permission_allow_selected_button" is no answer: it opens a
# page to select photos.
_ANSWERS: Mapping[PermissionAnswer, Strings] = {
    "allow": (
        "permission_allow_button",
        "permission_allow_button_1",  # MIUI, where there are two
        # "While using the app": location, camera, microphone
        "permission_allow_foreground_only_button",
        "permission_allow_all_button",  # photos, from Android 14 on
        "permission_allow_always_button",  # location in the background, Android 10
        "com.huawei.systemmanager:id/btn_allow",
        "com.lbe.security.miui:id/accept",  # MIUI before Android 10
        "flyme:id/accept",
    ),
    "allow_once": ("permission_allow_one_time_button", "permission_allow_onetime_button"),
    "deny": (
        "permission_deny_button",
        "permission_deny_button_1",
        "permission_deny_and_dont_ask_again_button",  # the second time that an app asks
        "permission_no_upgrade_button",  # "Keep while the app is in use"
        "permission_no_upgrade_and_dont_ask_again_button",
        "permission_no_upgrade_one_time_button",
        "permission_no_upgrade_one_time_and_dont_ask_again_button",
        "permission_dont_allow_more_selected_button",
        "com.huawei.systemmanager:id/btn_forbbid",
        "com.lbe.security.miui:id/reject",
        "flyme:id/reject",
    ),
}
# Dialogs of the framework's own look say it in words alone: their ids are android:id/button1 and
# button2.
_WORDS: Mapping[PermissionAnswer, Strings] = {
    "allow": ("Allow", "ALLOW", "Always allow", "While using the app", "允许", "始终允许"),
    "allow_once": ("Only this time", "本次运行允许"),
    "deny": ("Deny", "DENY", "Don\u2019t allow", "Don't allow", "拒绝", "禁止", "不允许"),
}

ANDROID_DIALOGS = SystemDialogs(
    permission_packages=PERMISSION_PACKAGES,
    permission_suffixes=PERMISSION_SUFFIXES,
    permission_buttons={
        answer: (
            *(Selector(resource_id=name) for name in names),
            *(Selector(text=word) for word in _WORDS[answer]),
        )
        for answer, names in _ANSWERS.items()
    },
    wait_buttons=(Selector(resource_id="android:id/aerr_wait"),),
    close_buttons=(Selector(resource_id="android:id/aerr_close"),),
    packages=PERMISSION_PACKAGES | {"android", "com.android.systemui"},
    # "Save password to Google?": AOSP
    # services/autofill/java/com/android/server/autofill/ui/SaveUi.java.
    declining_buttons=(Selector(resource_id="android:id/autofill_save_no"),),
)


GRANT_SECONDS = 30.0
_PREFIX = "android.permission."
# Several, where Android split one question into several permissions over the years: those are set
# that the app asks for and that this phone lets anybody set.
SHORT_NAMES: Mapping[str, Strings] = {
    "activity": ("ACTIVITY_RECOGNITION",),
    "background_location": ("ACCESS_BACKGROUND_LOCATION",),
    "bluetooth": ("BLUETOOTH_CONNECT", "BLUETOOTH_SCAN", "BLUETOOTH_ADVERTISE"),
    "body_sensors": ("BODY_SENSORS",),
    "calendar": ("READ_CALENDAR", "WRITE_CALENDAR"),
    "call_log": ("READ_CALL_LOG", "WRITE_CALL_LOG"),
    "camera": ("CAMERA",),
    "contacts": ("READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS"),
    "location": ("ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION"),
    "microphone": ("RECORD_AUDIO",),
    "music": ("READ_MEDIA_AUDIO",),
    "nearby_devices": (
        "BLUETOOTH_CONNECT",
        "BLUETOOTH_SCAN",
        "BLUETOOTH_ADVERTISE",
        "NEARBY_WIFI_DEVICES",
    ),
    "notifications": ("POST_NOTIFICATIONS",),
    "phone": ("READ_PHONE_STATE", "CALL_PHONE", "READ_PHONE_NUMBERS", "ANSWER_PHONE_CALLS"),
    "photos": ("READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_VISUAL_USER_SELECTED"),
    "sms": ("SEND_SMS", "RECEIVE_SMS", "READ_SMS"),
    "storage": ("READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE"),
}
_CONSTANTS = frozenset(name for names in SHORT_NAMES.values() for name in names)
_ENTRY = "  Package [{}]"
# What every app gets that asks for it, and what this phone's Android does not know.
_NOBODYS = re.compile(r"^.*(?:not a changeable permission type|Unknown permission).*", re.MULTILINE)
_HEADING = r"^Exception occurred while executing.*"
_PROBLEM = re.compile(r"^(?:[\w.]*Exception|Error|Operation not allowed|Unknown)\b.*", re.MULTILINE)


def read_permissions(app: str, said: str) -> tuple[frozenset[str], dict[str, bool]]:
    """Permissions in ``dumpsys package``: those that the app requests, and those that its user may
    decide, with their state. Android 9 and older leave out undecided ones."""
    requested: list[str] = []
    held: dict[str, bool] = {}
    given = set()
    for section, name, state in permissions_of(said, app):
        if section == "requested":
            requested.append(name)
        elif section == "install":
            given.add(name)
        elif section == "runtime":
            held[name] = "granted=true" in state
    for name in requested:
        if name.removeprefix(_PREFIX) in _CONSTANTS and name not in given:
            held.setdefault(name, False)
    return frozenset(requested), held


def full_names(permission: str) -> Strings:
    """Android's names of a permission. Raises ``UsageError`` for an unknown name, with near
    ones."""
    plain = permission.strip().lower().replace(" ", "_").replace("-", "_")
    if plain in SHORT_NAMES:
        return tuple(_PREFIX + name for name in SHORT_NAMES[plain])
    if re.fullmatch(r"[A-Za-z]\w*(\.\w+)+", permission, re.ASCII):
        return (permission,)
    if permission in _CONSTANTS:
        return (_PREFIX + permission,)
    near = difflib.get_close_matches(plain, SHORT_NAMES)
    near += difflib.get_close_matches(permission.upper(), _CONSTANTS)
    hint = f"Near ones: {', '.join(near)}." if near else f"There are: {', '.join(SHORT_NAMES)}."
    raise UsageError(
        f"set_permission: {permission!r} names no permission. {hint} Or give the whole name, such "
        f'as "{_PREFIX}CAMERA". Nothing was changed.'
    )
