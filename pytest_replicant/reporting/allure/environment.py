"""``environment.properties``: with what a run was made, as Allure shows it beside the results."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from .plain_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MOST_PHONES = 20

BELOW = "# Below: by pytest-replicant, of its last run into this folder\n"
"""What stands before this line is somebody's own; what follows is written anew by each run."""

_KEY = re.compile(r"^\s*((?:\\.|[^\s:=\\])+)")
_SPECIAL = frozenset("\\:=#!")


def environment(phones: Iterable[str]) -> dict[str, str]:
    """Versions, the system, and the phones that tests ran on, by model and system; no serial, no host, no user."""
    seen = sorted({phone for phone in phones if phone})
    more = f"; {len(seen) - MOST_PHONES} more" if len(seen) > MOST_PHONES else ""
    facts = {
        "pytest": _version("pytest"),
        "pytest-replicant": _version("pytest-replicant"),
        "allure-pytest": _version("allure-pytest"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "phones": "; ".join(seen[:MOST_PHONES]) + more,
    }
    return {name: value for name, value in facts.items() if value}


def properties(facts: Mapping[str, str]) -> str:
    """A Java properties file, in ASCII."""
    return "".join(f"{_escaped(name)}={_escaped(one_line(value, 1_000))}\n" for name, value in facts.items())


def merged(existing: str, facts: Mapping[str, str]) -> str:
    """What somebody wrote stays as it is; of ours the keys that are not there are added."""
    own = existing.partition(BELOW)[0]
    taken = {match[1] for line in own.splitlines() if (match := _KEY.match(line))}
    fresh = {name: value for name, value in facts.items() if _escaped(name) not in taken}
    gap = "\n" if own and not own.endswith("\n") else ""
    return own + gap + BELOW + properties(fresh)


def _escaped(text: str) -> str:
    return "".join(_escapes(text))


def _escapes(text: str) -> Iterator[str]:
    for index, character in enumerate(text):
        if character in _SPECIAL or (character == " " and index == 0):
            yield "\\" + character
        elif character == "\n":
            yield "\\n"
        elif " " <= character <= "~":
            yield character
        else:
            units = character.encode("utf-16-be", errors="surrogatepass")
            yield from (f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
