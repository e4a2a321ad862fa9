"""What ``pm list`` prints: packages, permissions, features, users, instrumentation. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_PACKAGE = re.compile(r"package:(?P<rest>\S.*)")
_MORE = re.compile(r" (?P<name>versionCode|uid): ?(?P<value>[\d,]+)| +installer=(?P<installer>\S+)")
_PERMISSION = re.compile(r"\s*permission:(\S+)")
_FEATURE = re.compile(r"feature:(?P<name>[^=\s]+)(?:=(?P<version>\S+))?")
_USER = re.compile(r"\s*UserInfo\{(?P<id>\d{1,9}):(?P<name>.*):(?P<flags>[0-9a-f]+)\}(?P<state>.*)")
_INSTRUMENTATION = re.compile(r"instrumentation:(?P<told>\S+) \(target=(?P<target>[^)\s]+)\)")
_COMPONENT = re.compile(r"[^\s=/]+/\S+")
_FILTERS = frozenset(("-3", "-s", "-d", "-e", "-a", "-u", "-q", "--apex-only", "--user"))
_TELLING = frozenset(("-f", "-U", "-i", "--show-versioncode"))


def listed(said: str, what: str, words: tuple[str, ...]) -> Any:
    """None for a list that is not known, or where a line of it is of no known form."""
    reader = _READERS.get(what)
    return reader([line for line in said.splitlines() if line.strip()], words) if reader else None


def _packages(lines: list[str], words: tuple[str, ...]) -> list[str] | list[dict[str, Any]] | None:
    """Names; with options that tell more, a dict of each."""
    options = {word for word in words if word.startswith("-")}
    found = [_PACKAGE.fullmatch(line.strip()) for line in lines]
    if options - _FILTERS - _TELLING:
        return None
    told = [_package(match["rest"], with_path="-f" in options) for match in found if match]
    if len(told) != len(lines) or not all(one["package"] for one in told):
        return None
    return told if options & _TELLING else [str(one["package"]) for one in told]


def _package(rest: str, *, with_path: bool) -> dict[str, Any]:
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


def _permissions(lines: list[str], words: tuple[str, ...]) -> list[str] | None:
    """Names, whatever groups they are printed in."""
    found = [match[1] for line in lines if (match := _PERMISSION.fullmatch(line))]
    return None if "-s" in words or (lines and not found) else found


def _features(lines: list[str], words: tuple[str, ...]) -> dict[str, str | None] | None:
    """By name, the version where one is told."""
    found = [_FEATURE.fullmatch(line.strip()) for line in lines]
    return None if words or None in found else {one["name"]: one["version"] for one in found if one}


def _users(lines: list[str], words: tuple[str, ...]) -> list[dict[str, Any]] | None:
    found = [_USER.fullmatch(line) for line in lines if line.strip() != "Users:"]
    if words or not found or None in found:
        return None
    return [
        {"id": int(one["id"]), "name": one["name"], "flags": one["flags"], "running": "running" in one["state"]}
        for one in found
        if one
    ]


def _instrumentation(lines: list[str], words: tuple[str, ...]) -> list[dict[str, str]] | None:
    """With ``-f`` the package's path stands before the name, and an ``=`` between them."""
    found = [_INSTRUMENTATION.fullmatch(line.strip()) for line in lines]
    told = [(one["told"].rpartition("=")[2], one["target"]) for one in found if one]
    if len(told) != len(lines) or not all(_COMPONENT.fullmatch(name) for name, _ in told):
        return None
    return [{"instrumentation": name, "target": target} for name, target in told]


_READERS: Mapping[str, Callable[[list[str], tuple[str, ...]], Any]] = {
    "packages": _packages,
    "package": _packages,
    "permissions": _permissions,
    "features": _features,
    "users": _users,
    "instrumentation": _instrumentation,
}
