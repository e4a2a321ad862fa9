"""What well-known commands of Android print, as plain values. Pure.

A command is known by its words alone. What does more than run one of them (a pipe, a redirection, a variable)
is not, nor is an answer that does not have the form it should: None then, and never a guess.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from . import dumpsys

Words = tuple[str, ...]
_PACKAGE = re.compile(r"package:(?P<rest>\S.*)")
_MORE = re.compile(r" (?P<name>versionCode|uid): ?(?P<value>[\d,]+)| +installer=(?P<installer>\S+)")
_FEATURE = re.compile(r"feature:(?P<name>[^=\s]+)(?:=(?P<version>\S+))?")
_USER = re.compile(r"\s*UserInfo\{(?P<id>\d{1,9}):(?P<name>.*):(?P<flags>[0-9a-f]+)\}(?P<state>.*)")
_INSTRUMENTATION = re.compile(r"instrumentation:(?P<name>\S+) \(target=(?P<target>[^)\s]+)\)")
_FILTERS = frozenset(("-3", "-s", "-d", "-e", "-a", "-u", "-q", "--apex-only", "--user"))
_DETAILED = frozenset(("-f", "-U", "-i", "--show-versioncode"))


def _packages(lines: list[str], words: Words) -> list[str] | list[dict[str, Any]] | None:
    """Names; with options that tell more, a dict of each."""
    options = {word for word in words if word.startswith("-")}
    found = _each(_PACKAGE, lines)
    if options - _FILTERS - _DETAILED or found is None:
        return None
    listing = [_listed_package(one["rest"], with_path="-f" in options) for one in found]
    if not all(one["package"] for one in listing):
        return None
    return listing if options & _DETAILED else [str(one["package"]) for one in listing]


def _listed_package(rest: str, *, with_path: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    more = _MORE.search(rest)
    for found in _MORE.finditer(rest, more.start()) if more else ():
        if found["installer"]:
            facts["installer"] = None if found["installer"] == "null" else found["installer"]
        else:
            name = {"versionCode": "version_code", "uid": "uid"}[found["name"]]
            facts[name] = int(found["value"].partition(",")[0])
    head = rest[: more.start()] if more else rest
    path, _, name = head.rpartition("=") if with_path else ("", "", head)
    return {"package": name if " " not in name else "", **({"path": path} if with_path else {}), **facts}


def _permissions(lines: list[str], words: Words) -> list[str] | None:
    """Names, in any group."""
    found = [match[1] for line in lines if (match := re.fullmatch(r"\s*permission:(\S+)", line))]
    return None if "-s" in words or (lines and not found) else found


def _features(lines: list[str], words: Words) -> dict[str, str | None] | None:
    """Libraries by name, with the version if one is listed."""
    found = _each(_FEATURE, lines)
    return None if words or found is None else {one["name"]: one["version"] for one in found}


def _users(lines: list[str], words: Words) -> list[dict[str, Any]] | None:
    found = _each(_USER, [line for line in lines if line.strip() != "Users:"])
    if words or not found:
        return None
    return [
        {"id": int(one["id"]), "name": one["name"], "flags": one["flags"], "running": "running" in one["state"]}
        for one in found
    ]


def _instrumentation(lines: list[str], words: Words) -> list[dict[str, str]] | None:
    """With ``-f`` the package's path stands before the name, and an ``=`` between them."""
    listing = [(one["name"].rpartition("=")[2], one["target"]) for one in _each(_INSTRUMENTATION, lines) or ()]
    if len(listing) != len(lines) or not all(re.fullmatch(r"[^\s=/]+/\S+", name) for name, _ in listing):
        return None
    return [{"instrumentation": name, "target": target} for name, target in listing]


def _each(pattern: re.Pattern[str], lines: list[str]) -> list[re.Match[str]] | None:
    """The match of every line, None if one has none."""
    found = [match for line in lines if (match := pattern.fullmatch(line.strip()))]
    return found if len(found) == len(lines) else None


# They may fail with exit code 0, or say why on standard output.
_TOOLS = frozenset(("am", "pm", "cmd", "dumpsys", "settings", "svc", "wm", "monkey", "service", "ime", "input"))
_COMPLAINT = (
    r"\s*(?:Error|Exception|Failure|Failed\b|Security ?exception|java\.|android\.|Can't |Unable |Unknown |No |"
    r"cmd: |INSTRU)"
)
_LONGEST = 20_000  # characters of an output that are looked at


class _Hint(NamedTuple):
    """A hint for a known failure. ``advice`` may quote the pattern's match; ``code`` is an exit code that also
    identifies the failure."""

    pattern: re.Pattern[str]
    advice: str
    code: int = -1


def _hint(pattern: str, advice: str, code: int = -1) -> _Hint:
    return _Hint(re.compile(pattern, re.IGNORECASE | re.MULTILINE), advice, code)


_WORD = r"[\w./:$@%+-]{1,200}"
_HINTS = (
    _hint(
        rf"(?:^|: )(?P<what>{_WORD}): (?:inaccessible or not found|(?:command )?not found)\s*$",
        "{what} is no command of this phone: `which {what}` says where one is, `toybox` lists what there is",
    ),
    _hint(r"(?!)", "the phone has no command of that name: `toybox` lists what there is", 127),
    _hint(
        r"run-as: (?:package not debuggable|Package '[^'\n]*' is not debuggable)",
        "run-as works for debuggable builds only: install a debug build of the app",
    ),
    _hint(
        rf"Activity class \{{(?P<what>{_WORD})\}} does not exist",
        "no activity {what}: `cmd package resolve-activity --brief PACKAGE` shows the one that a launcher starts, "
        "`pm list packages` whether the app is installed",
    ),
    _hint(
        rf"(?:unknown package:?|unable to find package:|no such package:?) '?(?P<what>{_WORD})",
        "{what} is not installed for this user: `pm list packages` shows all that are",
    ),
    _hint(
        r"unable to resolve Intent|No activities? found",
        "no app takes this intent: look at action, data and -p; `cmd package query-activities` shows who would",
    ),
    _hint(
        rf"Can't find service:? (?P<what>{_WORD})",
        "there is no service {what}: `service list` shows all; while the phone starts, wait for "
        "`getprop sys.boot_completed` to be 1",
    ),
    _hint(
        r"INSTRUMENTATION_FAILED|Unable to find instrumentation info",
        "the test package is not installed or names another runner: `pm list instrumentation` shows all",
    ),
    _hint(
        r"Security ?exception|Permission Denial|requires android\.permission\.",
        "the shell user may not do this; some makers allow it once 'USB debugging (Security settings)' is on in "
        "the developer options; what needs root works on an emulator without Google Play after `adb root`",
    ),
    _hint(
        r"Read-only file system",
        "this part of the phone is not written to: use /data/local/tmp, or /sdcard for what apps should read",
    ),
    _hint(
        r"No space left on device|not enough space|INSUFFICIENT_STORAGE",
        "the phone is full: `df -h /data` shows how far, `pm trim-caches 2G` empties caches; remove apps or files",
    ),
    _hint(
        r"(?<!exception: )Permission denied|Operation not permitted",
        "the shell user may not: files of a debuggable app are reached by `run-as PACKAGE`, others after "
        "`adb root` where the phone allows it",
    ),
    _hint(
        r"No such process|is not running|no process found|not running\b",
        "what it is about does not run: `pidof NAME` and `ps -A` show what does; start it first",
    ),
    _hint(r"^Failed\s*$", "it gives no reason: `pm list packages` shows whether the app is installed at all"),
    _hint(r"No such file or directory", "look at `ls` of the folder above; a relative path begins at /"),
    _hint(
        r"(?!)", "it could not be executed: `chmod +x` it, below /data/local/tmp; on /sdcard nothing can be", 126
    ),
    _hint(
        r"^Killed\s*$",
        "it was killed: by the phone for want of memory (`logcat -d -s lowmemorykiller`), or because another "
        "program holds what it needs, as one that dumps the screen does",
        137,
    ),
    _hint(r"^Segmentation fault\s*$", "it crashed: `logcat -d -b crash` has its stack", 139),
    _hint(r"^Aborted\s*$", "it aborted: `logcat -d -b crash` says why", 134),
    _hint(
        r"(?!)",
        "255 is what adb says where the connection ended, and what some tools say for wrong arguments: look at "
        "what was printed, and whether `adb devices` still lists the phone",
        255,
    ),
)


def hints(command: str | Sequence[str], stdout: str, stderr: str, exit_code: int) -> Words:
    """One for each thing that went wrong and is known, each with the next step; none for what went well, no
    matter what it printed."""
    said = stderr[:_LONGEST]
    if exit_code != 0:
        said = f"{said}\n{stdout[:_LONGEST]}"
    elif _is_tool(command):
        lines = [line for line in stdout[:_LONGEST].splitlines() if re.match(_COMPLAINT, line, re.IGNORECASE)]
        said = "\n".join([said, *lines])
    if exit_code == 0 and not said.strip():
        return ()
    return tuple(dict.fromkeys(_known(said, exit_code)))


def _known(said: str, exit_code: int) -> Iterator[str]:
    """Hints by the output; by the exit code alone only if no pattern knows the output."""
    by_words = [(hint, found) for hint in _HINTS if (found := hint.pattern.search(said))]
    for hint, found in by_words:
        yield hint.advice.format(what=found.groupdict().get("what") or "")
    if not by_words:
        yield from (hint.advice for hint in _HINTS if hint.code == exit_code)


def _is_tool(command: str | Sequence[str]) -> bool:
    """Whether the command's standard output is its own words, and not an app's."""
    words = known_words(command)
    if not words or words[0] not in _TOOLS:
        return False
    return words[0] != "dumpsys" and words[:2] not in (("settings", "get"), ("settings", "list"))


Parser = Callable[[str, Words], Any]  # of what was printed, and of the words after those that name the command

_REFUSED = (
    r"(?:Error|Exception|Security exception|Failure|java\.\w+\.|android\.os\.|cmd: |Can't find service|Unknown "
    r"(?:command|option|package)|Invalid |Unable to |Bad |usage: )"
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
        try:
            words = shlex.split(command) if not re.search(r"[|&;<>()$`\n*?\[\]{}~#!=]", command.strip()) else []
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
    return {kind: found.get(kind) for kind in ("physical", "override")} if "physical" in found else None


def _wm_size(said: str) -> dict[str, Any] | None:
    return _both({kind: list(size) for kind, size in screen_sizes(said).items()})


def _getprop(said: str, words: Words) -> dict[str, str] | None:
    """Properties by name, whether all of them are asked for or one."""
    if len(words) > 2 or (words and words[0].startswith("-")):
        return None
    if words:
        return {words[0]: said.rstrip("\n")}
    found: dict[str, str] = dict(re.findall(r"^\[([^\]\n]+)\]: \[(.*?)\]$", said, re.MULTILINE | re.DOTALL))
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
    return lambda said, words: read(said, words[0]) if len(words) == 1 and name_of.fullmatch(words[0]) else None


def _of_all(read: Callable[[str], Any], *names: Words) -> Parser:
    """A parser of what a service says where just these words are given."""
    return lambda said, words: read(said) if words in names else None


def _of_lines(read: Callable[[list[str], Words], Any]) -> Parser:
    """A parser of a list; None if a line of it is of no known form."""
    return lambda said, words: read([line for line in said.splitlines() if line.strip()], words)


PARSERS: Mapping[Words, Parser] = {
    ("dumpsys", "battery"): _of_all(dumpsys.battery, ()),
    ("dumpsys", "package"): _of_one(_NAME, dumpsys.package),
    ("dumpsys", "activity", "top"): _of_all(dumpsys.top, ()),
    ("dumpsys", "activity"): _of_all(dumpsys.activities, ("activities",), ("a",)),
    ("dumpsys", "meminfo"): _of_one(_NO_OPTION, dumpsys.meminfo),
    ("pm", "list", "packages"): _of_lines(_packages),
    ("pm", "list", "package"): _of_lines(_packages),
    ("pm", "list", "permissions"): _of_lines(_permissions),
    ("pm", "list", "features"): _of_lines(_features),
    ("pm", "list", "users"): _of_lines(_users),
    ("pm", "list", "instrumentation"): _of_lines(_instrumentation),
    ("settings", "get"): _settings_get,
    ("settings", "list"): _settings_list,
    ("getprop",): _getprop,
    ("wm", "size"): _of_all(_wm_size, ()),
    ("wm", "density"): _of_all(lambda said: _both(screen_densities(said)), ()),
}
