"""Every setting of the plugin: a field of ``Options``, with its default, its command-line option
and its ini key.

All are registered whether a phone is used or not: under pytest's strict mode an unknown key is an
error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import parse_qsl

import pytest

from ..errors import UsageError, did_you_mean
from ..model import AnyDict, AnyMapping, compiled
from ..pool import DeviceUri, read_uri
from ..pytest_private import config_keys
from .ini_file import given_on_the_command_line

if TYPE_CHECKING:
    from ..model import PermissionPrompts, RecoveryMode
    from ..pool import Declared

Severity = Literal["ignore", "warn", "fail"]
_SEVERITIES = ("warn", "ignore", "fail")
Screenshots = Literal["on", "off", "only-on-failure"]
Traces = Literal["on", "off", "retain-on-failure"]
AccessibilityMode = Literal["off", "report"]
Updated = Literal["looks", "accessibility"]
Reset = Literal["none", "stop", "clear", "snapshot"]
Words = tuple[str, ...]

PREFIX = "replicant_"
PREPARATIONS = ("animations", "awake", "dialogs", "permissions")
AVD = "avd:"
AVD_SECONDS = 300.0
READ_ON_IN_ALL = 10.0
"""Seconds: three failed checks are read on about to the end, and many cost no more than those."""

Parse = Callable[[str, Any], Any]
"""(name as the user wrote it, what was given) to the value. Raises ``UsageError``, which names
both."""


@dataclass(frozen=True)
class Setting:
    """How one field of ``Options`` is given. ``option`` is its metavar on the command line, "" for
    a switch, None if it has no option; a *mode* is of one run, and has no ini key. ``default`` is
    as written in an ini file. ``name`` is that of the field, of which a phone is one."""

    name: str
    help: str
    parse: Parse
    default: str
    option: str | None = None
    mode: bool = False
    choices: Words = ()
    ini_type: Literal["string", "linelist", "args"] = "string"
    const: str | None = None  # the value of an option that may go without one

    @property
    def flag(self) -> str:
        return f"--replicant-{self.name.replace('_', '-')}" if self.option is not None else ""

    @property
    def in_ini(self) -> Any:
        """The default as pytest reads it from an ini file: as words, where the key takes
        several."""
        return self.default if self.ini_type == "string" else self.default.split()

    @property
    def keys(self) -> Words:
        """The ini key; of phones there may be one or several, and both words are right."""
        names = ("device", "devices") if self.name == "device" else (self.name,)
        return tuple(PREFIX + name for name in names) if not self.mode else ()


def _number(name: str, given: str, most: float, expected: str) -> float:
    try:
        value = float(given)
    except ValueError:
        value = -1.0
    if not 0 <= value <= most or math.isinf(value):
        raise UsageError(f"{name} = {given}: {expected}")
    return value


_seconds = partial(_number, most=3600, expected="give seconds from 0 to 3600")
_megabytes = partial(_number, most=math.inf, expected="give megabytes, or 0 for no bound")


def _stabilize(name: str, given: str) -> tuple[float | None, ...]:
    parts = given.split()
    if len(parts) != 3:
        raise UsageError(f"{name} = {given}: give three numbers of seconds, such as 1.0 0.15 0.3")
    return tuple(
        None if index == 1 and part == "adaptive" else _seconds(name, part)
        for index, part in enumerate(parts)
    )


def _read_on(name: str, given: str) -> tuple[float, float]:
    each, *all_together = [_seconds(name, part) for part in given.split()] or [-1.0]
    if len(all_together) > 1 or each < 0:
        raise UsageError(
            f"{name} = {given}: give seconds for each failed check, and for all of a run: 3 10"
        )
    return each, all_together[0] if all_together else READ_ON_IN_ALL


def _choice(choices: Words, name: str, given: str) -> str:
    if given not in choices:
        raise UsageError(
            f"{name} = {given}: give one of "
            f"{', '.join(filter(None, choices))}.{did_you_mean(given, choices)}"
        )
    return given


def _words(choices: Words, name: str, given: Sequence[str]) -> frozenset[str]:
    return frozenset(_choice(choices, name, word) for word in given)


def _updated(name: str, given: Sequence[str]) -> frozenset[str]:
    words = filter(None, ",".join(given).split(","))
    return _words(get_args(Updated), name, [*words])


def _text(_: str, given: str) -> str | None:
    return given.strip() or None  # a variable of the CI system may be empty


def _path(_: str, given: str) -> Path | None:
    return Path(given) if given else None


def _guard_words(name: str, given: Sequence[str]) -> Words:
    words = _lines(name, given)
    for line in words:
        if line != "on" and not re.match(r"(refuse|allow) \S", line):
            raise UsageError(f"{name}={line!r}: give on, refuse LABEL or allow WORD")
    return words


def _lines(_: str, given: Sequence[str]) -> Words:
    return tuple(given)


def _patterns(name: str, given: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    patterns = []
    for source in given:
        try:
            patterns.append(compiled(source))
        except ValueError as error:
            raise UsageError(f"{name}: {source}: {error}") from None
    return tuple(patterns)


def _resources(_: str, given: Sequence[str]) -> tuple[Declared, ...]:
    if not given:
        return ()
    from ..pool import read_resources

    return read_resources(given)


def _set(default: str, text: str, parse: Parse = _text, **how: Any) -> Any:
    """The dataclass field of one setting, always present in ``Options``."""
    return field(metadata={"setting": Setting("", text, parse, default, **how)})


def _one_of(choices: Words, text: str, **how: Any) -> Any:
    """The first of the choices is the default."""
    return _set(choices[0], text, partial(_choice, choices), choices=choices, **how)


@dataclass(frozen=True)
class Options:
    """What the user asked for, read once. Durations are seconds.

    ``devices`` are as they were given until the run begins; then they are what its controller made
    of them, the same in each worker. ``app`` is an id or the path of a package. ``stabilize`` is
    the window, the interval and the quiet time of ``SessionSettings``. ``avds`` are emulators to
    boot, ``avd_snapshot`` the snapshot that they start from, "" for a cold boot. ``requeue`` and
    ``ci`` are off if their plugin is. ``shared_phones`` are virtual ones that the controller has
    started for its workers: what was given, and one URI for each of them.
    """

    devices: tuple[DeviceUri, ...] = _set(
        "virtual",
        "phone: virtual, android (all attached), android:SERIAL, adb://HOST:PORT/SERIAL, "
        "virtual:ios, ios:URL of a WebDriverAgent such as ios:http://127.0.0.1:8100, virtual:N (N "
        "phones), avd:NAME (an emulator, booted for the run); repeat it for a pool",
        _lines,
        option="URI",
        ini_type="linelist",
    )
    app: str | None = _set(
        "",
        "app under test: the path of an apk, ipa or app, installed where the phone lacks it, or "
        "the id of an installed one",
        option="PATH",
    )
    build: str | None = _set(
        "", "command that builds the app before the first test, such as './gradlew assembleDebug'",
        option="CMD",
    )  # fmt: skip
    output: Path = _set("replicant-report", "folder for traces and reports", _path, option="DIR")
    trace: Traces = _one_of(
        get_args(Traces),
        "whose traces are kept: all, none, or failed and recovered tests'",
        option="",
    )
    screenshot: Screenshots = _one_of(
        get_args(Screenshots), "whose screenshots are kept: all, none, or failed tests'",
        option="",
    )  # fmt: skip
    recovery: RecoveryMode = _one_of(
        ("allow", "off", "report", "fail"),
        "what happens to a recoverable failure: recovered (allow), left (off), left and described "
        "in the trace (report), recovered and failed all the same (fail)",
        option="",
    )
    baseline: Path | None = _set(
        "",
        "folder with reports of earlier runs, such as a downloaded artifact: a failure is compared "
        "with the last pass of its test in there, instead of in pytest's cache",
        _path,
        option="DIR",
        mode=True,
    )
    replay: str | None = _set(
        "",
        "replay the tests on what their phones showed in this report, with no phone: the same as "
        "--replicant-device=cassette:REPORT",
        option="REPORT",
        mode=True,
    )
    update: frozenset[str] = _set(
        "", "write the baselines that tests compare with: looks, accessibility, or both; each "
            "where its test is otherwise green",
        _updated, option="WHAT", ini_type="linelist", mode=True,
    )  # fmt: skip
    accessibility: AccessibilityMode = _one_of(
        get_args(AccessibilityMode), "report: rules of accessibility judge the screens "
        "that the tests visit anyway, by what the trace keeps of them, and change no outcome",
        option="", mode=True,
    )  # fmt: skip
    matrix: bool = _set(
        "", "run each test once on every --replicant-device, instead of on whichever is free",
        lambda _, given: bool(given), option="", mode=True,
    )  # fmt: skip
    action_timeout: float = _set("5", "seconds until an action's target is actionable", _seconds)
    expect_timeout: float = _set("5", "seconds until a check holds", _seconds)
    device_timeout: float = _set("60", "seconds until a phone is ready", _seconds)
    lease_timeout: float = _set(
        "600", "seconds to wait for a phone or resource that another test or run holds", _seconds
    )
    stabilize: tuple[float, float | None, float] = _set(
        "1.0 adaptive 0.3",
        "three numbers of seconds: within which two reads agree, between two reads (`adaptive` is "
        "0.05 to 0.15), and for which an unchanged screen is watched after an action",
        _stabilize,
    )
    read_on: tuple[float, float] = _set(
        "3 10",
        "seconds for which the screen is watched after a check has failed, to report what came too "
        "late, and those of all checks of a process; 0 is off",
        _read_on,
    )
    prepare: frozenset[str] = _set(
        "animations awake dialogs permissions",
        "changes on a phone while it is used: animations off, the screen stays on, no uninvited "
        "dialogs, runtime permissions of an app file granted; any of these words, or none",
        partial(_words, PREPARATIONS),
        ini_type="args",
    )
    permission_prompts: PermissionPrompts = _one_of(
        ("deny", "allow", "leave"), "how recovery answers a permission prompt"
    )
    source: Literal["hierarchy", "picture"] = _one_of(
        ("hierarchy", "picture"),
        "where taps, finds and expect_visible look that do not say so: picture is a second look, "
        "at text that is drawn and in no hierarchy",
    )
    unverified: Severity = _one_of(_SEVERITIES, "a test that ends on an action without a check")
    vacuous: Severity = _one_of(_SEVERITIES, "a check that already held before its action")
    missing_look: Literal["fail", "warn"] = _one_of(
        ("fail", "warn"), "a picture that has no baseline for this look of a phone"
    )
    looks: Words = _set(
        "",
        "the looks of phones whose pictures are compared, one pattern a line, such as "
        "`android-*-en-*-light`; all if none is given",
        _lines,
        ini_type="linelist",
    )
    crash: Severity = _one_of(
        ("fail", "warn", "ignore"), "a crash of an app that the test launched"
    )
    known_flaky: Path | None = _set(
        "", "file of the tests known to be flaky, each with a cause, a ticket and an expiry", _path
    )
    known_flaky_stale: Severity = _one_of(
        _SEVERITIES,
        "an entry of that file that has expired, names no test, or whose test passed 20 times "
        "in a row",
    )
    reset: Reset = _one_of(
        ("stop", "clear", "none", "snapshot"),
        "what happens to launched apps after a test; snapshot loads the emulator's",
    )
    resources: tuple[Declared, ...] = _set(
        "",
        "accounts and other resources that tests lease, one a line: `KIND: NAME key=value ...`, or "
        "`KIND: make=COMMAND remove=COMMAND` for those that a command makes; `$NAME` is a secret "
        "from the environment",
        _resources,
        ini_type="linelist",
    )
    redact: tuple[re.Pattern[str], ...] = _set(
        "",
        "regular expressions, one a line: their matches are hidden as a Secret is; credentials in "
        "addresses, and in token=, password= and their like, are hidden anyway",
        _patterns,
        ini_type="linelist",
    )
    debug: str = _set(
        "", "stop a test where it fails, before its teardown, for looking and acting by hand; =ci "
        "under CI too, and at mobile.pause()",
        partial(_choice, ("", "on", "ci")), option="WHEN", const="on", mode=True,
    )  # fmt: skip
    guard: Words = _set(
        "",
        "refuse, before anything is sent, to touch other apps and what pays, deletes, sends or "
        "calls: on, or further words, one a line: `refuse LABEL`, `allow WORD`",
        _guard_words,
        ini_type="linelist",
    )
    max_artifacts_mb: float = _set(
        "2048", "megabytes that the files of one run may take; 0 is no bound", _megabytes
    )
    avds: Words = ()
    avd_snapshot: str = ""
    avd_timeout: float = AVD_SECONDS
    requeue: bool = True
    ci: bool = True
    shared_phones: tuple[tuple[str, Words], ...] = ()


_BY_FIELD: dict[str, Setting] = {
    one.name: replace(one.metadata["setting"], name="device" if one.name == "devices" else one.name)
    for one in fields(Options)
    if "setting" in one.metadata
}
SETTINGS = tuple(_BY_FIELD.values())
"""All of them, in the order of ``pytest --help`` and of the reference page."""


def register(parser: pytest.Parser) -> None:
    """Declares every option and ini key."""
    group = parser.getgroup("replicant", "mobile tests (pytest-replicant)")
    for one in SETTINGS:
        text = one.help
        if one.option is not None:
            text = f"{one.help}; {one.flag} wins"
            how: AnyDict = {"help": one.help}
            if one.default:
                how["help"] = f"{one.help} (default: {one.default})"
            if one.choices:
                how["choices"] = one.choices
            elif one.option == "":
                how["action"] = "store_true"
            elif one.const:
                how |= {"nargs": "?", "const": one.const, "metavar": one.option}
            else:
                how["action"] = "append" if one.ini_type == "linelist" else "store"
                how["metavar"] = one.option
            group.addoption(one.flag, default=None, **how)
        for key in one.keys:
            parser.addini(
                key, text, type=one.ini_type, default=[] if one.name == "device" else one.in_ini
            )


def read(config: pytest.Config) -> Options:
    """Raises ``UsageError`` that names the option or key and what it takes."""
    _check_keys(config)
    values = {name: _value(config, setting) for name, setting in _BY_FIELD.items()}
    values |= _replayed(values["devices"], values["replay"])
    if values["replay"] and values["update"]:
        raise UsageError(
            "--replicant-update: a replay writes no baselines. Next: run the tests on a phone"
        )
    values |= _emulators(values["devices"])
    values["devices"] = tuple(map(read_uri, values["devices"]))
    root = config.rootpath
    values["output"] = root / values["output"]
    for name in ("baseline", "known_flaky"):
        values[name] = root / values[name] if values[name] else None
    for name in ("ci", "requeue"):
        values[name] = not config.pluginmanager.is_blocked(f"replicant-{name}")
    return Options(**values)


def _value(config: pytest.Config, setting: Setting) -> Any:
    """From the option, else from the ini key, else the default."""
    given = config.getoption(setting.flag) if setting.flag else None
    if isinstance(given, list):
        given = given_on_the_command_line(config, setting.flag) or given
    name = setting.flag
    for key in setting.keys:
        if given is None or given == []:
            given, name = config.getini(key), key
    if given is None or (
        given == [] and setting.ini_type != "args"
    ):  # no words at all are a choice
        given = setting.in_ini
    return setting.parse(name, given)


def _check_keys(config: pytest.Config) -> None:
    """A key of ours that no plugin has registered is a slip of the pen, which would go
    unnoticed."""
    overridden = (text.partition("=")[0].strip() for text in config.getoption("override_ini") or ())
    written = config_keys(config.inipath) if config.inipath else None
    for key in (*(written or ()), *overridden):
        if not key.startswith(PREFIX):
            continue
        try:
            config.getini(key)
        except ValueError:
            known = [name for one in SETTINGS for name in one.keys]
            hint = did_you_mean(key, known) or f" There are: {', '.join(sorted(known))}"
            for one in SETTINGS:
                if PREFIX + one.name == key:
                    hint = f" It is an option: {one.flag}"
            raise UsageError(f"{key}: no loaded plugin has such an ini key.{hint}") from None


CASSETTE = "cassette:"


def _replayed(devices: Words, report: str | None) -> AnyMapping:
    """The report that is replayed, whichever option names it, and its only phone. Raises
    ``UsageError``."""
    named = [uri for uri in devices if uri.startswith(CASSETTE)]
    if not named and not report:
        return {"replay": None}
    place = report or named[0][len(CASSETTE) :]
    if len(named) > 1 or (named and (report or len(devices) > 1)):
        raise UsageError(
            f"device {CASSETTE}{place}: a replay has no other phone. Next: name it alone"
        )
    return {"replay": place, "devices": (f"{CASSETTE}{place}",)}


def _emulators(devices: Words) -> AnyMapping:
    """``avd:NAME?snapshot=S&timeout=300`` among the phones: those to boot, and the phones apart
    from them."""
    avds = [uri[len(AVD) :] for uri in devices if uri.startswith(AVD)]
    if not avds:
        return {}
    names, queries = zip(*(avd.partition("?")[::2] for avd in avds), strict=True)
    knobs = dict(knob for query in queries for knob in _knobs(query))
    if "" in names:
        raise UsageError("device 'avd:': name the Android virtual device, such as avd:Pixel_7")
    return {
        "devices": tuple(uri for uri in devices if not uri.startswith(AVD)),
        "avds": names,
        "avd_snapshot": knobs.get("snapshot", ""),
        "avd_timeout": _seconds("timeout", knobs.get("timeout", f"{AVD_SECONDS:g}")),
    }


def _knobs(query: str) -> Iterator[tuple[str, str]]:
    """Raises ``UsageError`` for an unknown one."""
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in ("snapshot", "timeout"):
            raise UsageError(
                f"device 'avd:...?{query}': no knob {name!r}. Knobs: snapshot, timeout"
            )
        yield name, value
