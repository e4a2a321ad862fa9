"""``DevicePool``: the phones of one test process, opened when first asked for, kept warm, acquired
one user at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

from ..drivers import Driver
from ..errors import DeviceBusy, DeviceError, UsageError
from ..model import Clock, Strings, SystemClock, grouped
from .leases import Ticket, Tickets, busy_with, holder_of, is_wanted
from .open import Opened, read_uri
from .quarantine import Loss, Quarantine, is_device_loss
from .readiness import PhoneUnfit
from .requirements import DeviceRequirements, NoMatchingDevice
from .uri import DeviceUri

POLL = 0.1  # seconds between two looks for a phone that came free
POLL_FOREIGN = 1.0  # the same, where a look asks a driver of the user's
SHOWN = 4


Opener = Callable[[DeviceUri, "float | None"], Opened]
"""(URI, seconds until the phone must be ready, None for the run's own) to the phone."""


@dataclass
class _Place:
    """``lease`` is the name of the phone's lease, None if no other process can want it; ``loss`` is
    set while a test still holds a phone that was lost."""

    uri: DeviceUri
    opened: Opened
    in_use: bool = False
    lease: str | None = None
    loss: Loss | None = None

    def acquire(self) -> Opened:
        self.in_use = True
        return self.opened


@dataclass
class _Search:
    """One test's search for a phone. ``given`` is what the run or the test named, ``candidates``
    are its phones.

    ``unfit`` are phones that do not match, each with the reason; ``held`` are in use by this very
    test, ``busy`` by others, ``here`` by this process, but not through its pool: those come free
    only if it releases them. No test can begin on those that are ``not_ready``. With ``lost_too``
    phones in quarantine are tried."""

    given: tuple[DeviceUri, ...]
    candidates: tuple[DeviceUri, ...]
    wanted: DeviceRequirements
    timeout: float | None = None
    unfit: dict[DeviceUri, str] = field(default_factory=dict)
    held: list[DeviceUri] = field(default_factory=list)
    busy: dict[DeviceUri, DeviceBusy] = field(default_factory=dict)
    here: set[DeviceUri] = field(default_factory=set)
    not_ready: dict[DeviceUri, DeviceError] = field(default_factory=dict)
    tickets: Sequence[Ticket] = ()
    own: Ticket | None = None
    lost_too: bool = False
    waited: float = 0.0

    def begin_round(self, clock: Clock) -> None:
        """Which phones do not match stays known."""
        self.held.clear()
        self.busy.clear()
        self.here.clear()
        self.tickets = Tickets(clock=clock).waiting() if self.leases else ()

    @property
    def remaining(self) -> list[DeviceUri]:
        return [
            uri for uri in self.candidates if uri not in self.unfit and uri not in self.not_ready
        ]

    @property
    def leases(self) -> Strings:
        return tuple(filter(None, (uri.lease_name() for uri in self.remaining)))

    @property
    def waits_for_others(self) -> bool:
        return any(uri not in self.here for uri in self.busy)

    @property
    def found_nothing(self) -> bool:
        """Whether no phone would do, in use or not."""
        return not self.held and not self.busy

    def failure(self) -> DeviceError | NoMatchingDevice:
        if len(self.busy) == 1 and not self.held and not self.waited:
            (only,) = self.busy.values()
            return only
        if not self.found_nothing:
            return self._busy()
        if self.not_ready:
            return next(iter(self.not_ready.values()))
        among = ", ".join(uri.masked for uri in self.given)
        kind = f" {self.wanted.platform}" if self.wanted.platform else ""
        only_platform = self.wanted == DeviceRequirements(self.wanted.platform)
        why = "" if only_platform else f" will do for {self.wanted.described} ({self._reasons})"
        return NoMatchingDevice(
            f"no{kind} phone among {among}{why}. Next: name one with --replicant-device, or "
            "new_mobile(uri), such "
            f'as new_mobile("{self._virtual}")',
            reason=f"no phone of this run will do for {self.wanted.described}: {self._reasons}",
        )

    @property
    def _reasons(self) -> str:
        """In one line, however many phones there are."""
        reasons = []
        for why, names in grouped((why, uri.label) for uri, why in self.unfit.items()).items():
            phones = ", ".join(names[:SHOWN])
            if len(names) > SHOWN:
                phones += f" and {len(names) - SHOWN} more"
            reasons.append(f"{phones}: {why}")
        return "; ".join(reasons)

    @property
    def _virtual(self) -> str:
        return "virtual:ios" if self.wanted.platform == "ios" else "virtual"

    def _busy(self) -> DeviceBusy:
        kind = f" {self.wanted.platform}" if self.wanted.platform else ""
        lines, devices = "", []
        for uri in self.held:
            lines += f"\n  {uri.label} is in use by this test"
            devices.append(uri.text)
        for busy in self.busy.values():
            lines += f"\n  {busy.what}"
            devices.append(busy.device)
        why = (
            f"this run has no further{kind} phone. Next: repeat --replicant-device with another "
            f"phone, or use {self._virtual}, of which there are as many as asked for"
        )
        if self.waited:
            why = (
                f"no{kind} phone came free in {self.waited:.0f} s. Next: start fewer workers or "
                "runs at a time, add a phone with --replicant-device, end a process below that "
                "has no business with it, or set replicant_lease_timeout higher"
            )
        return DeviceBusy(f"{why}.\nIn use:{lines}", device=", ".join(devices))


@dataclass
class DevicePool:
    """The phones of a run. A virtual one may be acquired any number of times, others once each.

    ``open`` opens a phone; ``prepare`` makes an opened one ready for tests, or closes it and
    raises. ``shared`` are phones that another process of the run has started: the text of a given
    URI to their own. While others hold every phone that would do, a test waits ``lease_timeout``
    seconds for one; ``last_wait`` is the length of the latest wait. ``passed_over`` are the reasons
    why attached phones cannot be used."""

    is_replayed: ClassVar[bool] = False
    uris: tuple[DeviceUri, ...]
    open: Opener
    lease_timeout: float = 0
    prepare: Callable[[Opened, float | None], object] | None = None
    shared: Mapping[str, tuple[DeviceUri, ...]] = field(default_factory=dict)
    clock: Clock = field(default_factory=SystemClock)
    quarantined: Quarantine = field(default_factory=Quarantine)
    last_wait: float = 0
    losses: list[Loss] = field(default_factory=list)
    passed_over: dict[str, None] = field(default_factory=dict)
    _places: list[_Place] = field(default_factory=list)
    _met: dict[DeviceUri, Driver] = field(default_factory=dict)
    _attached: dict[DeviceUri, tuple[DeviceUri, ...]] = field(default_factory=dict)
    _ours: set[DeviceUri] = field(default_factory=set)

    def acquire(
        self,
        uri: str | DeviceUri | None = None,
        platform: str | None = None,
        timeout: float | None = None,
        *,
        wanted: DeviceRequirements | None = None,
    ) -> Opened:
        """Acquires the first phone that is free, in the order of the URIs, those with a phone in
        use last. Earlier openings make no difference: which of two platforms a test gets depends on
        no other test.

        A phone that another run holds is passed over, and waited for where no other will do, unless
        this process holds one already: holding one while waiting for another may wait for ever. A
        lost phone is passed over, and tried again if nothing else is left; so is one on which no
        test can begin. One that is not there, or does not answer, raises its ``DeviceError``.

        Raises ``UsageError`` for an unknown platform, ``NoMatchingDevice`` if no phone will do, and
        ``DeviceBusy`` where every phone that would do is in use."""
        given = self.uris
        if uri is not None:
            given = (read_uri(uri) if isinstance(uri, str) else uri,)
        search = _Search(
            given, self._candidates(given), wanted or DeviceRequirements(platform or ""), timeout
        )
        self.last_wait = 0
        self.yield_idle()
        opened = self._found(search)
        if (
            opened is None
            and search.found_nothing
            and any(map(self.quarantined.reason, search.candidates))
        ):
            search.lost_too = True
            opened = self._found(search)
        if opened is None:
            raise search.failure()
        self.passed_over.update(dict.fromkeys(map(str, search.not_ready.values())))
        return opened

    def _candidates(self, given: tuple[DeviceUri, ...]) -> tuple[DeviceUri, ...]:
        """One URI for each phone, in order."""
        found: dict[DeviceUri, None] = {}
        for each in given:
            expanded = self._expanded(each)
            found.update(dict.fromkeys(self.shared.get(each.text, expanded)))
        if set(given) <= set(self.uris):
            self._ours.update(found)
        return tuple(found)

    def _expanded(self, given: DeviceUri) -> tuple[DeviceUri, ...]:
        """Attached phones come and go. If none is found any more, the phones found before are
        candidates: each then reports its own trouble."""
        expanded, passed_over = given.expand()
        if expanded == (given,):
            return self._attached.get(given, expanded)
        self.passed_over.update(dict.fromkeys(passed_over))
        self._attached[given] = expanded
        return expanded

    def _found(self, search: _Search) -> Opened | None:
        """One that is free, at once or as soon as other processes let it."""
        return self._look(search) or self._wait(search)

    def _look(self, search: _Search) -> Opened | None:
        search.begin_round(self.clock)
        passed_over = self.quarantined.passed_over(search.remaining, lost_too=search.lost_too)
        in_use = {place.uri for place in self._places if place.in_use}
        candidates = [uri for uri in search.remaining if uri not in passed_over]
        for candidate in sorted(candidates, key=in_use.__contains__):
            opened = self._try(candidate, search)
            if opened is not None:
                return opened
        return None

    def _try(self, candidate: DeviceUri, search: _Search) -> Opened | None:
        """The phone, if it matches and is free; the obstacle is noted in the search."""
        lease = candidate.lease_name()
        is_mine = False
        for place in self._places:
            if place.uri != candidate and (not lease or place.lease != lease):
                continue
            is_mine = True
            if why := search.wanted.why_not(place.opened.driver):
                search.unfit[candidate] = why
                return None
            if not place.in_use:
                return place.acquire()
        if is_mine and not candidate.is_unlimited:
            search.held.append(candidate)
        elif why := self._mismatch(candidate, search.wanted):
            search.unfit[candidate] = why
        elif lease is None or not self._is_others(candidate, lease, search):
            return self._opened(candidate, lease, search)
        return None

    def _mismatch(self, uri: DeviceUri, wanted: DeviceRequirements) -> str:
        """As far as the URI, or an earlier meeting, can say."""
        met = self._met.get(uri)
        return wanted.why_not(met) if met else wanted.not_on(uri.platform)

    def _is_others(self, candidate: DeviceUri, lease: str, search: _Search) -> bool:
        """Whether another process holds it, or has waited for it longer."""
        holder = holder_of(lease)
        if holder is not None:
            why = search.wanted.why_not_with(holder.facts) if holder.facts else ""
            if why:
                search.unfit[candidate] = why
            else:
                search.busy[candidate] = busy_with(lease, holder)
                if holder.pid == os.getpid():
                    search.here.add(candidate)
            return True
        if is_wanted(lease, search.tickets, search.own):
            search.busy[candidate] = DeviceBusy(
                f"{lease} goes to a test that has waited longer", device=lease
            )
            return True
        return False

    def _opened(self, candidate: DeviceUri, lease: str | None, search: _Search) -> Opened | None:
        self.quarantined.check(candidate)
        began = self.clock.now()
        try:
            opened = self.open(candidate, search.timeout)
        except DeviceBusy as busy:
            search.busy[candidate] = busy
            return None
        except DeviceError as error:
            self._note_loss(candidate, error, self.clock.now() - began)
            raise
        self.quarantined.lift(candidate)
        self._met[candidate] = opened.driver
        why = search.wanted.why_not(opened.driver)
        if why:
            search.unfit[candidate] = why
            with suppress(DeviceError):  # another worker may be looking for just this one
                opened.close()
            return None
        try:
            if self.prepare is not None:
                self.prepare(opened, search.timeout)
        except PhoneUnfit as trouble:
            search.not_ready[candidate] = trouble
            self.quarantined.add(candidate, str(trouble))
            return None
        except DeviceError as error:
            self._note_loss(candidate, error)
            raise
        self._places.append(_Place(candidate, opened, True, lease))
        return opened

    def _note_loss(self, candidate: DeviceUri, error: DeviceError, took: float = 0.0) -> None:
        if is_device_loss(error):
            self.losses.append(self.quarantined.add(candidate, str(error), took=took))

    def _wait(self, search: _Search) -> Opened | None:
        """In a queue with all processes of this computer."""
        if not self.lease_timeout or not search.waits_for_others or self.in_use:
            return None
        tickets, start = Tickets(clock=self.clock), self.clock.now()
        with tickets.queue_up(search.leases) as ticket:
            search.own = ticket
            while (
                search.waits_for_others
                and (left := self.lease_timeout - self.clock.now() + start) > 0
            ):
                asks_others = any(uri.lease_name() is None for uri in search.busy)
                self.clock.sleep(min(left, POLL_FOREIGN if asks_others else POLL))
                self.yield_idle(search.own)
                opened = self._look(search)
                self.last_wait = search.waited = self.clock.now() - start
                if opened is not None:
                    return opened
                if (leases := search.leases) != search.own.wanted:
                    search.own = tickets.narrow(search.own, leases)
        return None

    def yield_idle(self, own: Ticket | None = None) -> None:
        """Closes idle phones that other processes wait for: one for each of them that has no free
        one."""
        idle = {
            place.lease: place.opened for place in self._places if place.lease and not place.in_use
        }
        if not idle:
            return
        with suppress(DeviceBusy, UsageError):  # the queue cannot be read; a search reports that
            for ticket in Tickets(clock=self.clock).waiting():
                wanted = [phone for phone in ticket.wanted if phone in idle]
                others = [phone for phone in ticket.wanted if phone not in idle]
                if wanted and not (own and ticket.name == own.name) and all(map(holder_of, others)):
                    self._discard(idle.pop(wanted[0]))

    def release(self, opened: Opened) -> None:
        """Ends the use of a phone. It stays warm, unless it was lost, or another process waits for
        it."""
        place = self._place(opened)
        if place is not None:
            place.in_use = False
            if place.loss:
                self._discard(opened)
        self.yield_idle()

    @property
    def in_use(self) -> list[Opened]:
        return [place.opened for place in self._places if place.in_use]

    def lose(self, opened: Opened, reason: str) -> None:
        """Records the loss of a phone in use: it is closed as soon as it is released, and then
        passed over."""
        place = self._place(opened)
        if place is not None and place.loss is None:
            place.loss = self.quarantined.add(place.uri, reason, named=opened.driver.uri)
            self.losses.append(place.loss)

    def is_lost(self, opened: Opened) -> bool:
        place = self._place(opened)
        return place is not None and place.loss is not None

    def holds(self, opened: Opened) -> bool:
        """Whether it is a phone of this pool that was neither lost nor closed."""
        return self._place(opened) is not None and not self.is_lost(opened)

    def quarantine(self, opened: Opened, reason: str) -> None:
        """Closes a phone that was lost, also if that raises. It is passed over while another is
        left."""
        self.lose(opened, reason)
        self._discard(opened)

    def _discard(self, opened: Opened) -> None:
        with suppress(DeviceError):  # the next user meets the same
            self.drop(opened)

    def _place(self, opened: Opened) -> _Place | None:
        return next((place for place in self._places if place.opened is opened), None)

    def has_alternative(
        self, uri: str, wanted: DeviceRequirements, kind: DeviceUri | None = None
    ) -> bool:
        """Whether a test that lost the phone of that URI may find another of the kind in this
        run."""
        lost = read_uri(uri)
        if lost.is_virtual:  # there is always a new one
            return True
        candidates = self._candidates(self.uris if kind is None else (kind,))
        ours = lost in self._ours  # it was, though it may not be attached any more
        return ours and any(
            not self._mismatch(one, wanted) and not self.quarantined.reason(one)
            for one in candidates
            if one != lost
        )

    def drop(self, opened: Opened) -> None:
        """Closes a phone that is in trouble; the next user gets a new connection."""
        self._places = [place for place in self._places if place.opened is not opened]
        opened.close()

    def close(self) -> None:
        """Closes every phone, also after one of them raises."""
        trouble: DeviceError | None = None
        while self._places:  # a call that was interrupted may be repeated
            try:
                self._places.pop(0).opened.close()
            except DeviceError as error:
                trouble = error
        if trouble is not None:
            raise trouble
