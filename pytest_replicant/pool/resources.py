"""Accounts, vouchers and other data that tests lease for one test at a time: as the ini names them,
and their pool.

A line is ``KIND: NAME key=value ...``, or ``KIND: make=COMMAND remove=COMMAND`` for those that a
command makes.
"""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any, cast, overload

from ..errors import ReplicantError, ResourceUnavailable, UsageError, did_you_mean
from ..model import Clock, Secret, Strings, SystemClock, names_a_credential, quoted
from .leases import Holder, Lease, Ticket, Tickets, alone, read_record, sweep
from .quarantine import resource_folder

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
    """A leased resource: its ``kind``, its ``name``, and its ``data``. ``resource["password"]`` is
    an entry."""

    kind: str
    name: str
    data: Mapping[str, str | Secret] = field(default_factory=dict, hash=False)

    def __getitem__(self, entry: str) -> str | Secret:
        """A value from the environment, and one whose name says that it is a credential, is a
        ``Secret``. Raises ``UsageError`` that lists the entries."""
        if entry in self.data:
            return self.data[entry]
        known = f"Entries: {', '.join(self.data)}." if self.data else "It has no entries."
        raise UsageError(
            f"{self} has no entry {quoted(entry)}.{did_you_mean(entry, self.data)} {known} Next: "
            f"add {entry}=VALUE to its line in {KEY}, or to the output of its make command"
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class Declared:
    """One line of the ini. ``name`` is "" if a command makes the resources of the kind: ``make``
    and ``remove`` are its words. ``entries`` are as written, variables of the environment
    included."""

    kind: str
    name: str = ""
    entries: Mapping[str, str] = field(default_factory=dict, repr=False)
    make: Strings = field(default=(), repr=False)
    remove: Strings = field(default=(), repr=False)

    @property
    def lease(self) -> str:
        """Its name among all leases. It holds no project: two checkouts of one project have the
        same accounts."""
        return f"{self.kind} {self.name}"  # a kind has no blanks

    def resource(self) -> Resource:
        """The resource itself. Raises ``UsageError`` for a variable that is unset or empty."""
        if unset := self.unset():
            raise UsageError(unset_variables([f"{self.lease}: {', '.join(unset)}"]))
        return Resource(self.kind, self.name, self.values())

    def values(self) -> dict[str, str | Secret]:
        found: dict[str, str | Secret] = {}
        for name, text in self.entries.items():
            variable = _variable(text)
            value = os.environ[variable] if variable else text
            found[name] = Secret(value) if variable or names_a_credential(name) else value
        return found

    def unset(self) -> list[str]:
        """The variables that it needs and that are unset or empty."""
        names = filter(None, map(_variable, self.entries.values()))
        return [name for name in names if not os.environ.get(name)]


def unset_variables(lines: Sequence[str]) -> str:
    listed = "\n".join(f"  {line}" for line in lines)
    return (
        f"{KEY} names variables of the environment that are not set. Next: export them:\n{listed}"
    )


def read_resources(lines: Iterable[str]) -> tuple[Declared, ...]:
    """Raises ``UsageError`` that has the number of the line, its kind and a key, but no other part
    of it."""
    found: dict[str, Declared] = {}
    for number, line in enumerate(filter(None, map(str.strip, lines)), 1):
        kind = line.partition(":")[0] if ":" in line else ""
        where = f"{KEY}, line {number}{f' ({kind})' if _SHOWN.fullmatch(kind) else ''}"
        try:
            one = _read(line)
        except ValueError as error:
            raise UsageError(f"{where}: {error}. Next: write {_FORM}, such as {EXAMPLE}") from None
        if one.lease in found:
            same = "has the name" if one.name else "has a make="
            first = 1 + [*found].index(one.lease)
            raise UsageError(f"{where}: it {same} of line {first}. Next: remove one of them")
        found[one.lease] = one
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
            raise ValueError(
                f"the word after {after} is no key=value; a value with blanks goes into quotes"
            )
        after = _key(match[1])
        if match[1] in entries:
            raise ValueError(f"{after} is given twice")
        entries[match[1]] = match[2]
    make, remove = (_words(f"{word}=", entries.pop(word, "")) for word in _COMMANDS)
    if name:
        check_name(name)
    if bool(name) == bool(make) or (remove and not make):
        raise ValueError(
            "a line has a name, or make=COMMAND in its place, where remove=COMMAND may follow"
        )
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
            f"the name is no printable text of up to {LONGEST_NAME} characters without a dash in "
            "front"
        )
    return name


def read_made(declared: Declared, output: str) -> Resource:
    """The resource that a command has made, by its output: a name, or a JSON object with "name" and
    the entries. Raises ``ValueError``."""
    text = output.strip()
    if not text.startswith("{"):
        return Resource(declared.kind, check_name(text), declared.values())
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it begins as a JSON object and is none") from None
    name = said.pop("name", None)
    if not isinstance(name, str):
        raise ValueError('its JSON object has no "name" that is a string')
    entries = declared.values()
    for key, value in said.items():
        if not isinstance(value, (str, int, float)):
            raise ValueError(f"the value of {_key(key)} is no string or number")
        plain = value if isinstance(value, str) else json.dumps(value)
        entries[key] = Secret(plain) if names_a_credential(key) else plain
    return Resource(declared.kind, check_name(name), entries)


def _variable(text: str) -> str:
    """The variable of the environment that a value stands for, "" for one that is meant as it is
    written."""
    match = re.fullmatch(r"\$(?:(\w+)|\{(\w+)\})", text)
    return (match[1] or match[2]) if match else ""


POLL = 0.05
"""Seconds between two looks for a resource that was released."""
LOOK_EVERY = 10
"""Of these looks one is thorough, of those behind in the queue fewer: it also finds what a killed
process held."""

Run = Callable[[Sequence[str]], str]
"""Runs a command, without a shell, and returns its output. Raises ``ResourceUnavailable`` and
``UsageError``."""


Wants = Sequence[Sequence[Declared]]
"""For each resource that is wanted, the lines of its kind that would do."""


@dataclass(eq=False)
class _Place:
    """A resource of this process. One that a command has made stays until the end, in use or
    not."""

    resource: Resource
    lease: Lease
    declared: Declared
    in_use: bool = True


@dataclass
class ResourcePool:
    """The resources of a run, each leased to one user at a time, over all processes of this
    computer.

    ``run`` runs the commands that make and remove. ``timeout`` is how many seconds a test waits.
    ``user`` says who leases, for those who wait, and ``secret`` is called with each value that no
    artifact may show. ``project`` is the folder of the ini. ``last_wait`` is the length of the
    latest wait in seconds. ``left`` says what could not be removed, a line each."""

    declared: tuple[Declared, ...]
    run: Run
    timeout: float
    project: str = ""
    user: Callable[[], str] = str
    secret: Callable[[str], object] = str
    folder: Path = field(default_factory=resource_folder)
    clock: Clock = field(default_factory=SystemClock)
    last_wait: float = 0
    left: list[str] = field(default_factory=list)
    _places: list[_Place] = field(default_factory=list)
    _turns: dict[str, int] = field(default_factory=dict)

    def acquire(self, *kinds: str, name: str = "") -> tuple[Resource, ...]:
        """Acquires a resource of that kind, of several kinds one each, all at once. With ``name``
        it is that one and no other. It waits while others hold them.

        Raises ``UsageError`` for a kind or name that the ini does not have, or a variable that is
        not set. Raises ``ResourceUnavailable`` if none came free in time, or a command failed. It
        does so at once where this process holds one of the kind, or of a kind that the ini names
        later: two that wait so might wait for each other."""
        self.last_wait = 0
        wants = [self._declared(kind, name) for kind in kinds]
        self._check(kinds, wants)
        chosen = self._choose(wants, None) or self._wait(wants)
        if chosen is None:
            raise self._busy(wants)
        try:
            for at, one in enumerate(chosen):
                if isinstance(one, Declared):
                    chosen[at] = self._make(one)
        except BaseException:
            self.release(*(one.resource for one in chosen if isinstance(one, _Place)))
            raise
        return tuple(place.resource for place in cast("list[_Place]", chosen))

    def release(self, *resources: Resource) -> None:
        """What a command has made stays for the next test. May be called again."""
        for place in list(self._places):
            if not any(place.resource is each for each in resources):
                continue
            place.in_use = False
            if not place.declared.make:
                self._places.remove(place)
                place.lease.release()

    @overload
    def leased(self, kind: str, /, *, name: str = "") -> AbstractContextManager[Resource]: ...
    @overload
    def leased(
        self, kind: str, other: str, /, *more: str
    ) -> AbstractContextManager[tuple[Resource, ...]]: ...
    @contextmanager
    def leased(self, *kinds: str, name: str = "") -> Iterator[Any]:
        """The resource, or several, while the block of a ``with`` lasts. Raises as ``acquire``
        does."""
        resources = self.acquire(*kinds, name=name)
        try:
            yield resources[0] if len(kinds) == 1 else resources
        finally:
            self.release(*resources)

    @property
    def held(self) -> tuple[Resource, ...]:
        """Those in use in this process, in the order in which they were leased."""
        return tuple(place.resource for place in self._places if place.in_use)

    def _declared(self, kind: str, name: str) -> list[Declared]:
        """The lines of that kind in order of preference. The one that this process used last comes
        first: an app may still be signed in with it. Those that a command makes come last."""
        if not isinstance(kind, str):
            raise UsageError(
                f'{kind!r} is no kind of resource: that is a string, as in leased("account")'
            )
        known = list(dict.fromkeys(each.kind for each in self.declared))
        found = [each for each in self.declared if each.kind == kind and name in ("", each.name)]
        if found:
            return sorted(found, key=lambda each: (not each.name, -self._turns.get(each.lease, 0)))
        named = [each.name for each in self.declared if each.kind == kind and each.name]
        if kind in known:
            listed = f"Names: {', '.join(named)}" if named else "A command makes its resources"
            raise UsageError(f'{KEY} has no {kind} "{name}".{did_you_mean(name, named)} {listed}')
        kinds = f"Kinds: {', '.join(known)}." if known else "It has none."
        raise UsageError(
            f'{KEY} has no kind "{kind}".{did_you_mean(kind, known)} {kinds} Next: add a line, '
            f"such as {EXAMPLE}"
        )

    def _check(self, kinds: Sequence[str], wants: Wants) -> None:
        """Of every resource of the kind, whichever comes free: else it would depend on that."""
        unset: dict[str, None] = {}
        for kind, want in zip(kinds, wants, strict=True):
            if kinds.count(kind) > self._supply(kind):
                asked = f"{kinds.count(kind)} of kind {kind} are asked for"
                raise UsageError(f"{asked}, and {KEY} has {len(want)}. Next: add a line")
            for each in want:
                if variables := each.unset():
                    unset[f"{each.kind} {each.name or 'by make='}: {', '.join(variables)}"] = None
        if unset:
            raise UsageError(unset_variables([*unset]))

    def _supply(self, kind: str) -> float:
        """How many there can be."""
        return sum(math.inf if each.make else 1 for each in self.declared if each.kind == kind)

    def _choose(self, wants: Wants, own: Ticket | None) -> list[_Place | Declared] | None:
        """All that is wanted, or None. A resource that a command has to make is there as it is
        declared."""
        with alone(self.folder, self.clock):
            leases = self._leases(wants)
            free = {name for name, lease in leases.items() if lease.holder is None}
            for ticket in Tickets(self.folder, self.clock).living():
                if not free or (own is not None and ticket.name >= own.name):
                    break
                for names in ticket.wanted:  # one that waited longer takes the first that is free
                    free.discard(next(filter(free.__contains__, names.split("\n")), ""))
            idle = [place for place in self._places if not place.in_use]
            chosen: list[_Place | Declared] = []
            for want in wants:
                one = _first(want, idle, free)
                if one is None:
                    return None
                chosen.append(one)
            return [self._taken(one, leases) for one in chosen]

    def _taken(self, one: _Place | Declared, leases: Mapping[str, Lease]) -> _Place | Declared:
        """Call it ``alone``, and of a lease that is free."""
        if isinstance(one, _Place):
            one.in_use = True
            return one
        if not one.name:
            return one
        lease = leases[one.lease]
        if not lease.take(user=self.user()):
            raise ResourceUnavailable(f"{one.lease}: its lock was taken by no process of ours")
        return self._keep(one.resource(), lease, one)

    def _keep(self, resource: Resource, lease: Lease, declared: Declared) -> _Place:
        for value in resource.data.values():
            if isinstance(value, Secret):
                self.secret(value.value)
        self._places.append(place := _Place(resource, lease, declared))
        self._turns[declared.lease] = 1 + max(self._turns.values(), default=0)
        return place

    def _wait(self, wants: Wants) -> list[_Place | Declared] | None:
        """In a queue with all processes of this computer: the longest wait is served first."""
        order = [each.kind for each in self.declared]
        last = max((order.index(each.kind) for each in self.held), default=-1)
        if any(order.index(want[0].kind) <= last for want in wants):
            return None
        tickets, start = Tickets(self.folder, self.clock), self.clock.now()
        names = ["\n".join(self._leases([want])) for want in wants]
        with tickets.queue_up(names) as ticket:
            leases = self._leases(wants).values()
            known: dict[str, bool] = {}
            for turn in count(1):
                if (left := self.timeout - self.clock.now() + start) <= 0:
                    break
                self.clock.sleep(min(left, POLL))
                self.last_wait = self.clock.now() - start
                released = sum(lease.is_released for lease in leases)
                if not released and turn % LOOK_EVERY:
                    continue
                ahead = tickets.ahead_of(ticket, known)
                if released <= ahead and turn % (LOOK_EVERY * (1 + ahead)):
                    continue
                if (chosen := self._choose(wants, ticket)) is not None:
                    return chosen
        return None

    def _busy(self, wants: Wants) -> ResourceUnavailable:
        lines = []
        with alone(self.folder, self.clock):
            for name, lease in self._leases(wants).items():
                held_by = "free, for who has waited longer"
                if holder := lease.holder:
                    held_by = f"in use by {holder.described}"
                lines.append(f"  {name}: {held_by}")
        kinds = [want[0].kind for want in wants]
        what = " and ".join(dict.fromkeys(kinds))
        if self.held and not self.last_wait:
            kept = ", ".join(map(str, self.held))
            together = [*(each.kind for each in self.held), *kinds]
            enough = all(self._supply(kind) >= together.count(kind) for kind in together)
            why = (
                f"no {what} is free, and this process holds {kept}. It does not wait, as two that "
                "wait so might wait for each other. Next: "
            )
            if enough:
                call = ", ".join(f'"{kind}"' for kind in together)
                why += f"ask for all in one call, mobile_resource({call}), or "
            why += f"add a line to {KEY}"
        else:
            why = (
                f"no {what} came free in {self.last_wait:.0f} s. Next: start fewer workers or runs "
                f"at a time, add a line to {KEY}, or set replicant_lease_timeout higher"
            )
        return ResourceUnavailable(f"{why}. In use:\n" + "\n".join(lines))

    def _make(self, declared: Declared) -> _Place:
        """Raises ``UsageError`` if the output is no resource, or one that another process holds."""
        self._remove_left_behind(declared)
        output = self.run(declared.make)
        try:
            resource = read_made(declared, output)
        except ValueError as error:
            raise UsageError(
                f"the command that makes a {declared.kind}: {error}. Next: let it print a name, "
                'or a JSON object with "name", and nothing else, on its standard output'
            ) from None
        lease = self._lease(str(resource))
        removal = (self.project, *declared.remove) if declared.remove else ()
        with alone(self.folder, self.clock):
            if not lease.take(user=self.user(), remove=removal):
                by = (lease.holder or Holder()).described
                raise UsageError(
                    f"the command made {resource}, which {by} holds. Next: let it make a new one "
                    "each time"
                )
        return self._keep(resource, lease, declared)

    def _remove_left_behind(self, declared: Declared) -> None:
        """Removes what a killed run of this project has made and not removed."""
        if not declared.remove or any(place.declared is declared for place in self._places):
            return
        removal = (self.project, *declared.remove)
        for path in self.folder.glob("*.holder"):
            with alone(self.folder, self.clock):
                record = read_record(path)
                kind, _, name = record.phone.partition(" ")
                lease = self._lease(record.phone)
                ours = kind == declared.kind and record.remove == removal
                taken = ours and lease.take(user=self.user(), remove=removal)
            if taken:
                self._remove(_Place(Resource(kind, name), lease, declared))

    def _lease(self, name: str) -> Lease:
        return Lease(name, self.folder, self.clock)

    def _leases(self, wants: Wants) -> dict[str, Lease]:
        """Of all that have a name of their own, by their names."""
        return {each.lease: self._lease(each.lease) for each in chain(*wants) if each.name}

    def close(self) -> None:
        """Releases all, and removes what commands have made. What could not be removed is in
        ``left``."""
        while self._places:  # a call that was interrupted may be repeated
            self._remove(self._places.pop())
        with suppress(OSError, ReplicantError), alone(self.folder, self.clock):
            sweep(self.folder)

    def _remove(self, place: _Place) -> None:
        trouble = "it was interrupted"
        try:
            if place.declared.remove:
                self.run([*place.declared.remove, check_name(place.resource.name)])
            trouble = ""
        except (ReplicantError, ValueError) as error:
            trouble = str(error)
        finally:
            if trouble:
                self.left.append(
                    f"{place.resource} was not removed: {trouble}. Next: remove it by hand"
                )
            place.lease.release()


def _first(
    want: Sequence[Declared], idle: list[_Place], free: set[str]
) -> _Place | Declared | None:
    """The resource that can be had soonest, out of ``idle`` or ``free``, from which it is
    removed."""
    for place in idle:
        if place.declared in want:
            idle.remove(place)
            return place
    for each in want:
        if not each.name or each.lease in free:
            free.discard(each.lease)
            return each
    return None
