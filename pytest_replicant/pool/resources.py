"""Resources that tests lease, as the ini names them: accounts, vouchers and other data for one test at a time.

A line is ``KIND: NAME key=value ...``, or ``KIND: make=COMMAND remove=COMMAND`` for those that a command makes.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import UsageError, did_you_mean
from ..model import Secret, Strings, names_a_credential, quoted

KEY = "replicant_resources"
LONGEST_NAME = 200
EXAMPLE = "account: ada@example.com password=$ADA_PASSWORD"
_FORM = "KIND: NAME key=value ..., or KIND: make=COMMAND remove=COMMAND"
_FIELD = re.compile(r"([A-Za-z_][\w-]*)=(.*)", re.DOTALL)
_SHOWN = re.compile(r"(?=.{1,24}$)[a-z]+(?:[_-][a-z]+)*")
"""Keys that an error may show: another may be a part of a password."""
_COMMANDS = ("make", "remove")


@dataclass(frozen=True)
class Resource:
    """A leased resource: its ``kind``, its ``name``, and its ``data``. ``resource["password"]`` is an entry."""

    kind: str
    name: str
    data: Mapping[str, str | Secret] = field(default_factory=dict, hash=False)

    def __getitem__(self, entry: str) -> str | Secret:
        """A value from the environment, and one whose name says that it is a credential, is a ``Secret``. Raises
        ``UsageError`` that lists the entries."""
        if entry in self.data:
            return self.data[entry]
        known = f"Entries: {', '.join(self.data)}." if self.data else "It has no entries."
        raise UsageError(
            f"{self} has no entry {quoted(entry)}.{did_you_mean(entry, self.data)} {known} Next: add "
            f"{entry}=VALUE to its line in {KEY}, or to the output of its make command"
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Declared:
    """One line of the ini. ``name`` is "" where a command makes the resources of the kind: ``make`` and ``remove``
    are its words. ``entries`` are as written, variables of the environment included."""

    kind: str
    name: str = ""
    entries: Mapping[str, str] = field(default_factory=dict, repr=False)
    make: Strings = field(default=(), repr=False)
    remove: Strings = field(default=(), repr=False)

    @property
    def lease(self) -> str:
        """Its name among all leases. It holds no project: two checkouts of one project have the same accounts."""
        return lease_name(self.kind, self.name)

    def resource(self, environment: Mapping[str, str]) -> Resource:
        """The resource itself. Raises ``UsageError`` for a variable that is unset or empty."""
        if unset := self.unset(environment):
            raise UsageError(unset_variables([f"{self.kind} {self.name}: {', '.join(unset)}"]))
        return Resource(self.kind, self.name, self.values(environment))

    def values(self, environment: Mapping[str, str]) -> dict[str, str | Secret]:
        found: dict[str, str | Secret] = {}
        for name, text in self.entries.items():
            variable = _variable(text)
            value = environment[variable] if variable else text
            found[name] = Secret(value) if variable or names_a_credential(name) else value
        return found

    def unset(self, environment: Mapping[str, str]) -> list[str]:
        """The variables that it needs and that are unset or empty."""
        return [name for name in map(_variable, self.entries.values()) if name and not environment.get(name)]


def lease_name(kind: str, name: str) -> str:
    return f"{kind} {name}"  # a kind has no blanks


def unset_variables(lines: Sequence[str]) -> str:
    listed = "\n".join(f"  {line}" for line in lines)
    return f"{KEY} names variables of the environment that are not set. Next: export them:\n{listed}"


def read_resources(lines: Iterable[str]) -> tuple[Declared, ...]:
    """Raises ``UsageError`` that has the number of the line, its kind and a key, but no other part of it."""
    found: dict[tuple[str, str], Declared] = {}
    for number, line in enumerate(filter(None, map(str.strip, lines)), 1):
        kind = line.partition(":")[0] if ":" in line else ""
        where = f"{KEY}, line {number}{f' ({kind})' if _SHOWN.fullmatch(kind) else ''}"
        try:
            one = _read(line)
        except ValueError as error:
            raise UsageError(f"{where}: {error}. Next: write {_FORM}, such as {EXAMPLE}") from None
        if (one.kind, one.name) in found:
            same = "has the name" if one.name else "has a make="
            first = 1 + [*found].index((one.kind, one.name))
            raise UsageError(f"{where}: it {same} of line {first}. Next: remove one of them")
        found[one.kind, one.name] = one
    return tuple(found.values())


def _read(line: str) -> Declared:
    """Raises ``ValueError`` that says what to write."""
    kind, colon, rest = line.partition(":")
    if not colon or not re.fullmatch(r"[A-Za-z][\w-]*", kind):
        raise ValueError("a line begins with the kind and a colon")
    words = _words("the line", rest)
    name = words.pop(0) if words and not _FIELD.fullmatch(words[0]) else ""
    entries: dict[str, str] = {}
    after = "the name" if name else "the kind"
    for word in words:
        match = _FIELD.fullmatch(word)
        if match is None:
            raise ValueError(f"the word after {after} is no key=value; a value with blanks goes into quotes")
        after = _key(match[1])
        if match[1] in entries:
            raise ValueError(f"{after} is given twice")
        entries[match[1]] = match[2]
    make, remove = (_words(f"{word}=", entries.pop(word, "")) for word in _COMMANDS)
    if name:
        check_name(name)
    if bool(name) == bool(make) or (remove and not make):
        raise ValueError("a line has a name, or make=COMMAND in its place, where remove=COMMAND may follow")
    return Declared(kind, name, entries, tuple(make), tuple(remove))


def _words(what: str, text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise ValueError(f"{what} has a quote that is not closed, or ends in a backslash") from None


def _key(key: str) -> str:
    """How an error shows it."""
    return f"{key}=" if _SHOWN.fullmatch(key) else "a key"


def check_name(name: str) -> str:
    """Raises ``ValueError`` for a name that no line of a report, or no command, could take."""
    if not name or not name.isprintable() or len(name) > LONGEST_NAME or name.startswith("-"):
        raise ValueError(
            f"the name is no printable text of up to {LONGEST_NAME} characters without a dash in front"
        )
    return name


def read_made(declared: Declared, output: str, environment: Mapping[str, str]) -> Resource:
    """The resource that a command has made, by its output: a name, or a JSON object with "name" and the entries.
    Raises ``ValueError``."""
    text = output.strip()
    if not text.startswith("{"):
        return Resource(declared.kind, check_name(text), declared.values(environment))
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it begins as a JSON object and is none") from None
    name = said.pop("name", None)
    if not isinstance(name, str):
        raise ValueError('its JSON object has no "name" that is a string')
    entries = declared.values(environment)
    for key, value in said.items():
        if not isinstance(value, (str, int, float)):
            raise ValueError(f"the value of {_key(key)} is no string or number")
        plain = value if isinstance(value, str) else json.dumps(value)
        entries[key] = Secret(plain) if names_a_credential(key) else plain
    return Resource(declared.kind, check_name(name), entries)


def _variable(text: str) -> str:
    """The variable of the environment that a value stands for, "" for one that is meant as it is written."""
    match = re.fullmatch(r"\$(?:(\w+)|\{(\w+)\})", text)
    return (match[1] or match[2]) if match else ""
