"""What well-known commands of Android print, as plain values. Pure.

A command is known by its words alone. What does more than run one of them (a pipe, a redirection, a
variable) is not, nor is an answer that does not have the form it should: None then, and never a
guess. Each of Android's versions words what its services say somewhat differently. What one does
not tell is None, or not in the list.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Words = tuple[str, ...]
Found = list[re.Match[str]]
_PACKAGE = r"package:(?P<rest>\S.*)"
_MORE = re.compile(r" (?P<name>versionCode|uid): ?(?P<value>[\d,]+)| +installer=(?P<installer>\S+)")
_FEATURE = r"feature:(?P<name>[^=\s]+)(?:=(?P<version>\S+))?"
_USER = (
    r"Users:|UserInfo\{(?P<id>\d{1,9}):(?P<name>.*):(?P<flags>[0-9a-f]+)\}(?P<running>.*running)?.*"
)
# With `-f` the package's path stands before the name, and an `=` between them.
_INSTRUMENTATION = (
    r"instrumentation:(?:\S*=)?(?P<instrumentation>[^\s=/]+/[^\s=]+) \(target=(?P<target>[^)\s]+)\)"
)
_FILTERS = frozenset(("-3", "-s", "-d", "-e", "-a", "-u", "-q", "--apex-only", "--user"))
_DETAILED = frozenset(("-f", "-U", "-i", "--show-versioncode"))


def _packages(found: Found, words: Words) -> list[str] | list[dict[str, Any]] | None:
    """Names; with options that tell more, a dict of each."""
    options = {word for word in words if word.startswith("-")}
    listing = [_listed_package(one["rest"], with_path="-f" in options) for one in found]
    if options - _FILTERS - _DETAILED or not all(one["package"] for one in listing):
        return None
    return listing if options & _DETAILED else [str(one["package"]) for one in listing]


def _listed_package(rest: str, *, with_path: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    head = rest
    for found in _MORE.finditer(rest):
        head = head[: found.start()]
        if found["installer"]:
            facts["installer"] = None if found["installer"] == "null" else found["installer"]
        else:
            name = found["name"].replace("versionCode", "version_code")
            facts[name] = int(found["value"].partition(",")[0])
    where: dict[str, str] = {}
    if with_path:
        where["path"], _, head = head.rpartition("=")
    return {"package": "" if " " in head else head, **where, **facts}


def _permissions(found: Found, words: Words) -> list[str] | None:
    """Names, in any group."""
    names = [one["name"] for one in found if one["name"]]
    return None if "-s" in words or (found and not names) else names


def _features(found: Found, words: Words) -> dict[str, str | None] | None:
    """Libraries by name, with the version if one is listed."""
    return None if words else {one["name"]: one["version"] for one in found}


def _users(found: Found, words: Words) -> list[dict[str, Any]] | None:
    users = [
        {**one.groupdict(), "id": int(one["id"]), "running": bool(one["running"])}
        for one in found
        if one["id"]
    ]
    return users if users and not words else None


# They may fail with exit code 0, or say why on standard output.
_TOOLS = frozenset(
    ("am", "pm", "cmd", "settings", "svc", "wm", "monkey", "service", "ime", "input")
)
_READS = (("settings", "get"), ("settings", "list"))
_COMPLAINT = (
    r"\s*(?:Error|Exception|Failure|Failed\b|Security ?exception|java\.|android\.|Can't |Unable |"
    r"Unknown |No |cmd: |INSTRU)"
)
_LONGEST = 20_000  # characters of an output that are looked at


class _Hint(NamedTuple):
    """A hint for a known failure. ``advice`` may quote the pattern's match; ``code`` is an exit
    code that also identifies the failure."""

    pattern: str
    advice: str
    code: int = -1


_WORD = r"[\w./:$@%+-]{1,200}"
_HINTS = (
    _Hint(
        rf"(?:^|: )(?P<what>{_WORD}): (?:inaccessible or not found|(?:command )?not found)\s*$",
        "{what} is no command of this phone: `which {what}` says where one is, `toybox` lists "
        "what there is",
    ),
    _Hint(r"(?!)", "the phone has no command of that name: `toybox` lists what there is", 127),
    _Hint(
        r"run-as: (?:package not debuggable|Package '[^'\n]*' is not debuggable)",
        "run-as works for debuggable builds only: install a debug build of the app",
    ),
    _Hint(
        rf"Activity class \{{(?P<what>{_WORD})\}} does not exist",
        "no activity {what}: `cmd package resolve-activity --brief PACKAGE` shows the one that a "
        "launcher starts, `pm list packages` whether the app is installed",
    ),
    _Hint(
        rf"(?:unknown package:?|unable to find package:|no such package:?) '?(?P<what>{_WORD})",
        "{what} is not installed for this user: `pm list packages` shows all that are",
    ),
    _Hint(
        r"unable to resolve Intent|No activities? found",
        "no app takes this intent: look at action, data and -p; `cmd package query-activities` "
        "shows who would",
    ),
    _Hint(
        rf"Can't find service:? (?P<what>{_WORD})",
        "there is no service {what}: `service list` shows all; while the phone starts, wait for "
        "`getprop sys.boot_completed` to be 1",
    ),
    _Hint(
        r"INSTRUMENTATION_FAILED|Unable to find instrumentation info",
        "the test package is not installed or names another runner: `pm list instrumentation` "
        "shows all",
    ),
    _Hint(
        r"Security ?exception|Permission Denial|requires android\.permission\.",
        "the shell user may not do this; some makers allow it once 'USB debugging (Security "
        "settings)' is on in the developer options; what needs root works on an emulator without "
        "Google Play after `adb root`",
    ),
    _Hint(
        r"Read-only file system",
        "this part of the phone is not written to: use /data/local/tmp, or /sdcard for what apps "
        "should read",
    ),
    _Hint(
        r"No space left on device|not enough space|INSUFFICIENT_STORAGE",
        "the phone is full: `df -h /data` shows how far, `pm trim-caches 2G` empties caches; "
        "remove apps or files",
    ),
    _Hint(
        r"(?<!exception: )Permission denied|Operation not permitted",
        "the shell user may not: files of a debuggable app are reached by `run-as PACKAGE`, "
        "others after `adb root` where the phone allows it",
    ),
    _Hint(
        r"No such process|is not running|no process found|not running\b",
        "what it is about does not run: `pidof NAME` and `ps -A` show what does; start it first",
    ),
    _Hint(
        r"^Failed\s*$",
        "it gives no reason: `pm list packages` shows whether the app is installed at all",
    ),
    _Hint(
        r"No such file or directory",
        "look at `ls` of the folder above; a relative path begins at /",
    ),
    _Hint(
        r"(?!)",
        "it could not be executed: `chmod +x` it, below /data/local/tmp; on /sdcard nothing can be",
        126,
    ),
    _Hint(
        r"^Killed\s*$",
        "it was killed: by the phone for want of memory (`logcat -d -s lowmemorykiller`), or "
        "because another program holds what it needs, as one that dumps the screen does",
        137,
    ),
    _Hint(r"^Segmentation fault\s*$", "it crashed: `logcat -d -b crash` has its stack", 139),
    _Hint(r"^Aborted\s*$", "it aborted: `logcat -d -b crash` says why", 134),
    _Hint(
        r"(?!)",
        "255 is what adb says where the connection ended, and what some tools say for wrong "
        "arguments: look at what was printed, and whether `adb devices` still lists the phone",
        255,
    ),
)


def hints(command: str | Sequence[str], stdout: str, stderr: str, exit_code: int) -> Words:
    """One for each thing that went wrong and is known, each with the next step; none for what went
    well, no matter what it printed."""
    said, words = stderr[:_LONGEST], known_words(command)
    if exit_code != 0:
        said = f"{said}\n{stdout[:_LONGEST]}"
    elif words[:2] not in _READS and not _TOOLS.isdisjoint(words[:1]):
        # standard output is the tool's own words, and not an app's
        lines = [
            line
            for line in stdout[:_LONGEST].splitlines()
            if re.match(_COMPLAINT, line, re.IGNORECASE)
        ]
        said = "\n".join([said, *lines])
    if exit_code == 0 and not said.strip():
        return ()
    return tuple(dict.fromkeys(_known(said, exit_code)))


def _known(said: str, exit_code: int) -> Iterator[str]:
    """Hints by the output; by the exit code alone only if no pattern knows the output."""
    is_known = False
    for hint in _HINTS:
        if found := re.search(hint.pattern, said, re.IGNORECASE | re.MULTILINE):
            is_known = True
            yield hint.advice.format_map(found.groupdict())
    if not is_known:
        yield from (hint.advice for hint in _HINTS if hint.code == exit_code)


Parser = Callable[
    [str, Words], Any
]  # of what was printed, and of the words after those that name the command

_REFUSED = (
    r"(?:Error|Exception|Security exception|Failure|java\.\w+\.|android\.os\.|cmd: |Can't find "
    r"service|Unknown (?:command|option|package)|Invalid |Unable to |Bad |usage: )"
)
_SIZE = re.compile(r"^(Physical|Override) size: (\d{1,6})x(\d{1,6})\s*$", re.MULTILINE)
_DENSITY = r"^(Physical|Override) density: (\d{1,6})\s*$"
_NAME = re.compile(r"[\w.]+")
_NO_OPTION = re.compile(r"(?!-).*", re.DOTALL)
_NAMESPACES = ("system", "secure", "global")


def parse(command: str | Sequence[str], stdout: str) -> Any:
    """Parsed output, a dict or a list; None for an unknown command or answer. Never raises."""
    words = known_words(command)
    if not words or re.match(_REFUSED, stdout.lstrip(), re.IGNORECASE):
        return None
    for named, parser in PARSERS.items():
        if words[: len(named)] == named:
            return parser(stdout.replace("\r\n", "\n"), words[len(named) :])
    return None


def known_words(command: str | Sequence[str]) -> Words:
    """Words of one command; none if a string asks the phone's shell for more than one."""
    if isinstance(command, str):
        if re.search(r"[|&;<>()$`\n*?\[\]{}~#!=]", command.strip()):
            return ()
        try:
            words = shlex.split(command)
        except ValueError:  # a quote that is not closed
            return ()
    else:
        words = list(command)
    if not words:
        return ()
    name = words[0].removeprefix("/system/bin/")
    if name == "cmd" and words[1:2] in (["package"], ["settings"]):
        name = {"package": "pm", "settings": "settings"}[words.pop(1)]
    return (name, *words[1:])


def screen_sizes(said: str) -> dict[str, tuple[int, int]]:
    """Sizes by ``physical`` and ``override``, as ``wm size`` printed them anywhere in a text."""
    return {kind.lower(): (int(width), int(height)) for kind, width, height in _SIZE.findall(said)}


def screen_densities(said: str) -> dict[str, int]:
    return {kind.lower(): int(dots) for kind, dots in re.findall(_DENSITY, said, re.MULTILINE)}


def _both(found: Mapping[str, Any]) -> dict[str, Any] | None:
    """The physical value and the override, None if that is not set."""
    if "physical" not in found:
        return None
    return {"physical": found["physical"], "override": found.get("override")}


def _getprop(said: str, words: Words) -> dict[str, str] | None:
    """Properties by name, whether all of them are asked for or one."""
    if len(words) > 2 or (words and words[0].startswith("-")):
        return None
    if words:
        return {words[0]: said.rstrip("\n")}
    found: dict[str, str] = dict(
        re.findall(r"^\[([^\]\n]+)\]: \[(.*?)\]$", said, re.MULTILINE | re.DOTALL)
    )
    return found or None


def _settings_get(said: str, words: Words) -> dict[str, str | None] | None:
    """Value of a setting; the phone prints "null" for one that is not set."""
    words = _of_any_user(words)
    if len(words) != 2 or words[0] not in _NAMESPACES:
        return None
    value = said.rstrip("\n")
    return {words[1]: None if value == "null" else value} if said.endswith("\n") else None


def _settings_list(said: str, words: Words) -> dict[str, str] | None:
    """A value may have several lines."""
    words = _of_any_user(words)
    if len(words) != 1 or words[0] not in _NAMESPACES:
        return None
    found: dict[str, str] = {}
    latest = ""
    for line in said.splitlines():
        if re.match(r"[\w.:/@+ -]+=", line):
            latest, _, found[latest] = line.partition("=")
            found[latest] = line[len(latest) + 1 :]
        elif latest:
            found[latest] += f"\n{line}"
        elif line.strip():
            return None
    return found


def _of_any_user(words: Words) -> Words:
    return words[2:] if words[:1] == ("--user",) else words


def _of_one(name_of: re.Pattern[str], read: Callable[[str, str], Any]) -> Parser:
    """A parser of what a service says of one thing, if nothing but its name is given."""
    return lambda said, words: (
        read(said, words[0]) if len(words) == 1 and name_of.fullmatch(words[0]) else None
    )


def _of_all(read: Callable[[str], Any], *names: Words) -> Parser:
    """A parser of what a service says where just these words are given."""
    return lambda said, words: read(said) if words in names else None


def _of_lines(pattern: str, read: Callable[[Found, Words], Any]) -> Parser:
    """A parser of a list; None if a line of it is of no known form."""

    def parser(said: str, words: Words) -> Any:
        lines = list(filter(None, map(str.strip, said.splitlines())))
        found = list(filter(None, (re.fullmatch(pattern, line) for line in lines)))
        return read(found, words) if len(found) == len(lines) else None

    return parser


Facts = dict[str, Any]
_NUMBERS = {
    "min_sdk": r"\bminSdk=(\d{1,9})",
    "target_sdk": r"\btargetSdk=(\d{1,9})",
    "uid": r"^    (?:userId|appId)=(\d{1,9})",
}
_TEXTS = {
    "version_name": r"^ +versionName=(.*\S)",
    "first_installed": r"^ +firstInstallTime=(.*\S)",
    "last_updated": r"^ +lastUpdateTime=(.*\S)",
}
_SECTION = (
    r" +(?P<name>requested|declared|install|runtime) permissions:\s*|"
    r"    +(?P<user>User) (?P<id>\d+):.*"
)
# An activity by what it is said to be, and the display that the lines from there on are about.
_RECORD = (
    r"^ *(?:(?P<label>\w+)[:=] ?ActivityRecord\{\S+ u\d+ (?P<app>[\w.]+)/(?P<activity>[\w.$]+)"
    r"|Display(?:: mDisplayId=| #)(?P<display>\d+))"
)
_RESUMED = (
    "topResumedActivity",
    "mResumedActivity",
    "Resumed",
)  # of Android 10 and newer, of older ones, of an area
_OVERALL = (
    "ResumedActivity",
    "mFocusedActivity",
)  # said behind all displays, and may be another one's
_HISTORY = r"^[ \t]*\* Hist +#\d+: ActivityRecord\{\S+ u\d+ ([\w.]+)/([\w.$]+)"
_SHOWN = (
    r"^ +ACTIVITY ([\w.]+)/([\w.$]+) \S+ pid=(\d{1,10}|\(not running\))(.*?)(?=^ +ACTIVITY |\Z)"
)
_ROW = r" +(?P<name>[A-Za-z.][A-Za-z. -]*?) +(?P<pss>\d{1,12})(?: +\d{1,12})* *"
_PROCESS = r"^\*\* MEMINFO in pid (\d{1,10}) \[([^\]\n]+)\] \*\*(.*?)(?=^\*\* MEMINFO in pid \d|\Z)"


SCREEN_QUESTION = {
    "power": "dumpsys power | grep mWakefulness=",
    "policy": "dumpsys window policy | grep -iE 'showing|keyguard|lockscreen|secure'",
}
_SHOWING = (
    r"\b(?:showing|mIsShowing|mShowingLockscreen|isStatusBarKeyguard|mKeyguardShowing)=(true|"
    r"false)\b"
)


class ScreenState(NamedTuple):
    """Whether the screen is on, the keyguard up, and asks for a PIN or the like; None if not
    reported."""

    awake: bool | None
    locked: bool | None
    secure: bool | None


def screen_state(said: str) -> ScreenState:
    """Of the answers to ``SCREEN_QUESTION``. The keyguard's name has changed over the versions of
    Android."""
    showing, power = re.findall(_SHOWING, said), _found(r"mWakefulness=(\w+)", said)
    secure = _found(r"^\s*secure=(true|false)\b", said)
    return ScreenState(
        power in ("Awake", "Dreaming") if power else None,
        "true" in showing if showing else None,
        secure == "true" if secure else None,
    )


def battery(said: str) -> Facts | None:
    """Values by name in lower case; temperature in tenths of a degree, voltage in millivolts, as
    printed."""
    _, head, facts = said.partition("Current Battery Service state:")
    found: Facts = {}
    for line in facts.splitlines() if head else ():
        if fact := re.fullmatch(r"\s+(?P<name>[A-Za-z][\w ]*): (?P<value>.*\S)\s*", line):
            value: Any = fact["value"]
            if value in ("true", "false"):
                value = value == "true"
            elif re.fullmatch(r"-?\d{1,18}", value, re.ASCII):
                value = int(value)
            found.setdefault(fact["name"].strip().lower().replace(" ", "_"), value)
    return found if "level" in found else None


def package(said: str, name: str) -> Facts | None:
    """Facts of a package. ``granted`` and ``denied`` are permissions of the first user in the
    answer."""
    block = _block(said, name)
    version = _found(r"\bversionCode=(\d{1,18})", block)
    if not version:
        return None
    permissions = list(permissions_of(said, name))
    return {
        "package": name,
        "version_code": int(version),
        **{key: _found(pattern, block) for key, pattern in _TEXTS.items()},
        **{key: _number(_found(pattern, block)) for key, pattern in _NUMBERS.items()},
        "flags": (_found(r"^ +(?:pkgFlags|flags)=\[ ?(.*?) ?\]", block) or "").split(),
        "requested": [one for section, one, _ in permissions if section == "requested"],
        "granted": [one for _, one, facts in permissions if "granted=true" in facts],
        "denied": [one for _, one, facts in permissions if "granted=false" in facts],
    }


def resumed_activity(said: str) -> tuple[str, str] | None:
    """App and full name of the activity that is resumed on the phone's own display, in ``dumpsys
    activity activities``. Of several (a split screen, free windows) it is the one with the focus;
    None if none has."""
    found: dict[str, list[tuple[str, str]]] = {}
    displays, display = set(), "0"
    for record in re.finditer(_RECORD, said, re.MULTILINE):
        label, app = record["label"], record["app"]
        if not label:
            displays.add(display := record["display"])
        elif display == "0" or label in _OVERALL:
            found.setdefault(label, []).append((app, _full(app, record["activity"])))
    focused = found.get("mFocusedApp", [])
    resumed = next((found[label] for label in _RESUMED if label in found), [])
    overall = [one for label in _OVERALL for one in found.get(label, [])]
    if not resumed:
        resumed = focused if focused or displays - {"0"} else overall
    if len(set(resumed)) > 1:
        resumed = [one for one in (*focused, *overall) if one in resumed]
    return resumed[0] if resumed else None


def activities(said: str) -> Facts | None:
    """Activities. ``stack`` holds all open ones, as ``app/activity``, the topmost of each task
    first."""
    resumed = resumed_activity(said)
    stack = [_component(*found) for found in re.findall(_HISTORY, said, re.MULTILINE)]
    if not resumed and not stack:
        return None
    return {"resumed": _component(*resumed) if resumed else None, "stack": stack}


def top(said: str) -> Facts | None:
    """Activity in front of each task; one is resumed that says so itself."""
    shown = [
        {
            "activity": _component(app, activity),
            "pid": _number(pid),
            "resumed": "mResumed=true" in rest,
        }
        for app, activity, pid, rest in re.findall(_SHOWN, said, re.MULTILINE | re.DOTALL)
    ]
    if not shown:
        return None
    resumed = [one["activity"] for one in shown if one["resumed"]]
    return {"resumed": resumed[0] if len(resumed) == 1 else None, "activities": shown}


def meminfo(said: str, name: str) -> Facts | None:
    """Memory of the process of that name or pid, in kilobytes; ``pss`` by the use of the memory."""
    processes = re.findall(_PROCESS, said, re.MULTILINE | re.DOTALL)
    chosen = [one for one in processes if name in one[:2]]
    if len(chosen) != 1:
        return None
    pid, process, text = chosen[0]
    rows: dict[str, int] = {}
    for line in text.partition("App Summary")[0].splitlines():
        # the total is the last row of the table
        if "TOTAL" not in rows and (row := re.fullmatch(_ROW, line)):
            rows[row["name"]] = int(row["pss"])
    total = re.search(r"\bTOTAL(?: PSS)?: +(\d{1,12})", text)
    return {
        "pid": int(pid),
        "process": process,
        "total_pss": int(total[1]) if total else rows.get("TOTAL"),
        "total_rss": _number(_found(r"\bTOTAL RSS: +(\d{1,12})", text)),
        "pss": {row: size for row, size in rows.items() if row != "TOTAL"},
    }


def _block(said: str, name: str) -> str:
    """Section of the package itself, and not of the one that an update hides; "" if it is not
    there."""
    _, _, rest = f"\n{said}".partition("\nPackages:")
    block = rf"^  Package \[{re.escape(name)}\] \(.*(?:\n(?:   .*|[^\S\n]*$))*"
    found = re.search(block, rest, re.MULTILINE)
    return found[0] if found else ""


def permissions_of(said: str, name: str) -> Iterator[tuple[str, str, str]]:
    """Section, name and value of each permission of a package, in ``dumpsys package``; those of the
    first user."""
    section, user = "", ""
    for line in _block(said, name).splitlines():
        if head := re.fullmatch(_SECTION, line):
            section = head["name"] or ""
            if head["user"] and user not in ("", head["id"]):
                return
            user = head["id"] or user
            continue
        found = re.fullmatch(r" +(?P<name>\w+\.[\w.]+)(?:[:,] (?P<facts>.*))?\s*", line)
        if section and found:
            yield section, found["name"], found["facts"] or ""
        else:
            section = ""


def _found(pattern: str, text: str) -> str | None:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() else None


def _full(app: str, activity: str) -> str:
    return app + activity if activity.startswith(".") else activity


def _component(app: str, activity: str) -> str:
    return f"{app}/{_full(app, activity)}"


PARSERS: Mapping[Words, Parser] = {
    ("dumpsys", "battery"): _of_all(battery, ()),
    ("dumpsys", "package"): _of_one(_NAME, package),
    ("dumpsys", "activity", "top"): _of_all(top, ()),
    ("dumpsys", "activity"): _of_all(activities, ("activities",), ("a",)),
    ("dumpsys", "meminfo"): _of_one(_NO_OPTION, meminfo),
    ("pm", "list", "packages"): _of_lines(_PACKAGE, _packages),
    ("pm", "list", "package"): _of_lines(_PACKAGE, _packages),
    ("pm", "list", "permissions"): _of_lines(r"permission:(?P<name>\S+)|.*", _permissions),
    ("pm", "list", "features"): _of_lines(_FEATURE, _features),
    ("pm", "list", "users"): _of_lines(_USER, _users),
    ("pm", "list", "instrumentation"): _of_lines(
        _INSTRUMENTATION, lambda found, _: [one.groupdict() for one in found]
    ),
    ("settings", "get"): _settings_get,
    ("settings", "list"): _settings_list,
    ("getprop",): _getprop,
    ("wm", "size"): _of_all(
        lambda said: _both({kind: list(size) for kind, size in screen_sizes(said).items()}), ()
    ),
    ("wm", "density"): _of_all(lambda said: _both(screen_densities(said)), ()),
}
