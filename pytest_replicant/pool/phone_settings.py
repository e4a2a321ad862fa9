"""Settings of an Android phone while it is used. What they were is recorded in a file on the phone
before any is changed, and put back at the end; after a run that was killed, when the phone is
opened next."""

from __future__ import annotations

import re
import secrets
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..drivers import OWN_FOLDER, Capability, Driver, ShellOutput
from .readiness import ANIMATIONS, Finding

_FOLDER, _FILE = "/data/local/tmp", "replicant-settings"
KEPT = f"{_FOLDER}/{_FILE}"
"""The record, on the phone."""
SECONDS = 20.0
BACK_SECONDS = 5.0  # for a phone that may not answer any more

_UNPLUGGED = "! dumpsys battery | grep -q 'powered: true'"
_HAS_PEN = "getprop ro.build.characteristics | grep -qE 'emulator|tablet'"


@dataclass(frozen=True)
class PhoneSetting:
    """A setting and its ``value`` while the phone is used, None for one that is recorded only,
    since a test may change it. ``word`` is that of ``replicant_prepare``, ``otherwise`` what there
    is to expect where the phone refuses it; ``sdk`` is the API level from which on it counts,
    ``only`` a command of the phone's shell that succeeds where it is wanted."""

    namespace: str
    key: str
    value: str | None
    word: str
    otherwise: str = ""
    sdk: int = 0
    only: str = ""

    @property
    def name(self) -> str:
        return f"{self.namespace} {self.key}"


SETTINGS = (
    *(PhoneSetting("global", key, "0", "animations", "animations stay on") for key in ANIMATIONS),
    # 1 AC, 2 USB, 4 wireless (BatteryManager.BATTERY_PLUGGED_*). Reading the screen is no user
    # activity.
    PhoneSetting("global", "stay_on_while_plugged_in", "7", "awake", "the screen may go dark"),
    PhoneSetting(
        "system",
        "screen_off_timeout",
        "14400000",
        "awake",
        "the screen may go dark",
        only=_UNPLUGGED,
    ),
    # The name of no service turns it off: AOSP services/core/java/com/android/server/infra/
    # AbstractPerUserSystemService.java; an unset one may become the maker's default again.
    PhoneSetting(
        "secure", "autofill_service", "null", "dialogs", "the phone may offer to save passwords", 26
    ),
    # The keyboard's page "Try out your stylus": appium/appium-uiautomator2-driver#909,
    # kaeawc/auto-mobile#1834.
    PhoneSetting(
        "secure",
        "stylus_handwriting_enabled",
        "0",
        "dialogs",
        "the keyboard may show a page on pens",
        34,
        _HAS_PEN,
    ),
    # "Viewing full screen": AOSP
    # services/core/java/com/android/server/wm/ImmersiveModeConfirmation.java.
    PhoneSetting(
        "secure",
        "immersive_mode_confirmations",
        "confirmed",
        "dialogs",
        "hints on full screen may come",
    ),
    PhoneSetting(
        "global",
        "verifier_verify_adb_installs",
        "0",
        "dialogs",
        "Play Protect may ask at an install",
    ),
)
RECORDED = (  # the sensor last: what it says counts once it is on again
    PhoneSetting("system", "user_rotation", None, "rotation"),
    PhoneSetting("system", "accelerometer_rotation", None, "rotation"),
)
WORDS = tuple(dict.fromkeys(setting.word for setting in SETTINGS))
_NAMES = {setting.name for setting in (*SETTINGS, *RECORDED)}


def use_settings(
    driver: Driver, words: Collection[str]
) -> tuple[dict[str, str] | None, Finding | None]:
    """Records and sets all settings of these words, in one command; what a killed run has left is
    put back before. Nothing on a phone that has no such settings. Returns the values of what was
    changed, by name, "null" for one that was not set, None if there is no record on the phone;
    and what could not be changed, None if all was. Raises ``DeviceError``."""
    if not has_settings(driver):
        return None, None
    api = driver.info.api or 0
    wanted = [one for one in (*SETTINGS, *RECORDED) if one.word in words and one.sdk <= api]
    for _ in range(2):
        mark = secrets.token_hex(8)
        ended = driver.shell(_use_line(wanted, mark), SECONDS)
        said = _text(ended)
        if said.startswith(f"{mark}\n") or not said:
            break
        put_back(driver, _read(said))
    if not wanted and not said:
        return None, None
    record, whole, now = said.partition(f"{mark} end\n")
    if not whole:
        return None, _LEFT if said else _not_recorded(ended)
    before, after = _read(record), _read(f"{mark}\n{now}")
    refused, changed = [], {}
    for one in wanted:
        unsaid = one.value if one.only else None
        if one.value is not None and after.get(one.name, unsaid) != one.value:
            refused.append(one)
        elif one.name in before:
            changed[one.name] = before[one.name]
    return changed, _refused(refused, ended) if refused else None


def has_settings(driver: Driver) -> bool:
    return driver.traits.android_commands and Capability.SHELL in driver.capabilities


def put_back(driver: Driver, before: Mapping[str, str]) -> None:
    """Sets these values where the record is still on the phone, which it is not on an emulator that
    was set back, and removes it, unless a value was not taken. Raises ``DeviceError``."""
    line = f"rm -rf {OWN_FOLDER}; [ -e {KEPT} ] || exit 0; ok=1; "
    for name, value in before.items():
        # "null" is also what the phone prints for a setting that is not set. Where the phone
        # refuses it, it may have refused the change as well.
        quoted = shlex.quote(value)
        put = f"settings put {name} {quoted}"
        if value == "null":
            put = f"settings delete {name}"
        line += f'{put} >/dev/null || [ "$(settings get {name})" = {quoted} ] || ok=; '
    driver.shell(f'{line}[ -z "$ok" ] || rm -f {KEPT}', BACK_SECONDS)


def put_back_left(driver: Driver) -> tuple[str, ...]:
    """Puts back what a killed run has left on the phone; the names of these settings. Raises
    ``DeviceError``."""
    said = _text(driver.shell(f"cat {KEPT} 2>/dev/null", SECONDS)) if has_settings(driver) else ""
    before = _read(said)
    if said:
        put_back(driver, before)
    return tuple(before)


def _text(ended: ShellOutput) -> str:
    return ended.stdout.replace("\r\n", "\n")


def _use_line(wanted: Sequence[PhoneSetting], mark: str) -> str:
    """Prints an old record, and ends with that. Otherwise prints the new one, applies it, and
    prints what the settings are then. No value can look like an entry of the record: no one knows
    ``mark`` before."""
    old = f"cd {_FOLDER}; [ -s {_FILE} ] && {{ cat {_FILE}; exit; }}"
    if not wanted:
        return old
    new = f"{_FILE}.new"
    keep, use = [], []
    for number, setting in enumerate(wanted):
        name, only = setting.name, f"{setting.only} && " if setting.only else ""
        keep.append(f"{only}echo $m {name} && settings get {name} && k{number}=1")
        if setting.value is not None:
            put = f"settings put {name} {setting.value} >/dev/null"
            use.append(f"[ $k{number} ] && {{ {put}; echo $m {name}; settings get {name}; }}")
    record = f"{{ {'; '.join(['echo $m', *keep, 'echo $m end'])}; }} >{new}"
    recorded = f"grep -qxF '{mark} end' {new} && mv {new} {_FILE} && cat {_FILE}"
    return f"{old}; m={mark}; {record}; {recorded} && {{ {'; '.join(use)}; }}"


def _read(said: str) -> dict[str, str]:
    """Values by name, of known settings alone: a record is a file that anybody with adb can
    write."""
    mark = said.partition("\n")[0]
    _, *parts = re.split(rf"^{re.escape(mark)} (\w+ \w+|end)\n", said, flags=re.MULTILINE)
    entries = zip(parts[::2], parts[1::2], strict=True)
    return {name: value[:-1] for name, value in entries if name in _NAMES and value.endswith("\n")}


_LEFT = Finding(
    "warn",
    "settings",
    "the phone does not take back what a run that was killed has changed, so that nothing more "
    "was changed",
    f"put back by hand what {KEPT} on it names, and remove that",
)


def _not_recorded(ended: ShellOutput) -> Finding:
    said = " ".join(ended.stderr.split())[:200] or f"the command ended with {ended.exit_code}"
    found = f"the phone cannot record what its settings were ({said}), so that none was changed"
    return Finding(
        "warn", "settings", found, f"look whether there is room in {_FOLDER}, and remove {KEPT}"
    )


def _refused(refused: Sequence[PhoneSetting], ended: ShellOutput) -> Finding:
    reason = re.search(r"(?:Security ?[Ee]xception|Error): .*", ended.stderr)
    said = f" ({reason[0].strip()[:200]})" if reason else ""
    keys = ", ".join(one.key for one in refused)
    meant = "; ".join(dict.fromkeys(one.otherwise for one in refused))
    return Finding(
        "warn",
        "settings",
        f"the phone refused to change {keys}{said}: {meant}",
        "on a Xiaomi, turn on Developer options > USB debugging (Security settings), then restart "
        "the phone",
    )
