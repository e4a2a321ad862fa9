"""What well-known commands of Android print, as plain values. Pure.

A command is known by its words alone. Whatever does more than run one of them (a pipe, a redirection, a variable)
is not, nor is an answer that does not have the form it should: None then, and never a guess.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import dumpsys, package_lists

Words = tuple[str, ...]
Parser = Callable[[str, Words], Any]  # of what was printed, and of the words after those that name the command

_BEYOND_WORDS = re.compile(r"[|&;<>()$`\n*?\[\]{}~#!=]")
_REFUSED = re.compile(
    r"(?:Error|Exception|Security exception|Failure|java\.\w+\.|android\.os\.|cmd: |Can't find service|Unknown "
    r"(?:command|option|package)|Invalid |Unable to |Bad |usage: )",
    re.IGNORECASE,
)
_SIZE = re.compile(r"^(Physical|Override) size: (\d{1,6})x(\d{1,6})\s*$", re.MULTILINE)
_DENSITY = re.compile(r"^(Physical|Override) density: (\d{1,6})\s*$", re.MULTILINE)
_PROPERTY = re.compile(r"^\[([^\]\n]+)\]: \[(.*?)\]$", re.MULTILINE | re.DOTALL)
_SETTING = re.compile(r"[\w.:/@+ -]+=")
_NAME = re.compile(r"[\w.]+")
_NAMESPACES = ("system", "secure", "global")


def parse(command: str | Sequence[str], stdout: str) -> Any:
    """A dict or a list; None for a command or an answer that is not known. Never raises."""
    words = known_words(command)
    if not words or _REFUSED.match(stdout.lstrip()):
        return None
    for named, parser in PARSERS.items():
        if words[: len(named)] == named:
            return parser(stdout.replace("\r\n", "\n"), words[len(named) :])
    return None


def known_words(command: str | Sequence[str]) -> Words:
    """The words of one command; none where a string asks the phone's shell for more than that."""
    if isinstance(command, str):
        try:
            words = shlex.split(command) if not _BEYOND_WORDS.search(command.strip()) else []
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
    """By ``physical`` and ``override``, what ``wm size`` said anywhere in a text."""
    return {kind.lower(): (int(width), int(height)) for kind, width, height in _SIZE.findall(said)}


def screen_densities(said: str) -> dict[str, int]:
    return {kind.lower(): int(dots) for kind, dots in _DENSITY.findall(said)}


def _wm_size(said: str, words: Words) -> dict[str, list[int] | None] | None:
    sizes = screen_sizes(said)
    if words or "physical" not in sizes:
        return None
    return {kind: list(sizes[kind]) if kind in sizes else None for kind in ("physical", "override")}


def _wm_density(said: str, words: Words) -> dict[str, int | None] | None:
    dots = screen_densities(said)
    return None if words or "physical" not in dots else {kind: dots.get(kind) for kind in ("physical", "override")}


def _getprop(said: str, words: Words) -> dict[str, str] | None:
    """By name, whether all of them are asked for or one."""
    if len(words) > 2 or (words and words[0].startswith("-")):
        return None
    if words:
        return {words[0]: said.rstrip("\n")}
    found: dict[str, str] = dict(_PROPERTY.findall(said))
    return found or None


def _settings_get(said: str, words: Words) -> dict[str, str | None] | None:
    """The phone says "null" of one that is not set."""
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
        if _SETTING.match(line):
            latest, _, found[latest] = line.partition("=")
            found[latest] = line[len(latest) + 1 :]
        elif latest:
            found[latest] += f"\n{line}"
        elif line.strip():
            return None
    return found


def _of_any_user(words: Words) -> Words:
    return words[2:] if words[:1] == ("--user",) else words


def _battery(said: str, words: Words) -> dict[str, Any] | None:
    return None if words else dumpsys.battery(said)


def _package(said: str, words: Words) -> dict[str, Any] | None:
    return dumpsys.package(said, words[0]) if len(words) == 1 and _NAME.fullmatch(words[0]) else None


def _activities(said: str, words: Words) -> dict[str, Any] | None:
    return dumpsys.activities(said) if words in (("activities",), ("a",)) else _top(said, words)


def _top(said: str, words: Words) -> dict[str, Any] | None:
    return dumpsys.top(said) if words == ("top",) else None


def _meminfo(said: str, words: Words) -> dict[str, Any] | None:
    return dumpsys.meminfo(said, words[0]) if len(words) == 1 and not words[0].startswith("-") else None


def _listed(said: str, words: Words) -> Any:
    return package_lists.listed(said, words[0], words[1:]) if words else None


PARSERS: Mapping[Words, Parser] = {
    ("dumpsys", "battery"): _battery,
    ("dumpsys", "package"): _package,
    ("dumpsys", "activity"): _activities,
    ("dumpsys", "meminfo"): _meminfo,
    ("pm", "list"): _listed,
    ("settings", "get"): _settings_get,
    ("settings", "list"): _settings_list,
    ("getprop",): _getprop,
    ("wm", "size"): _wm_size,
    ("wm", "density"): _wm_density,
}
