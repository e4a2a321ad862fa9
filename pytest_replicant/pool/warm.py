"""The phones of one test process: opened when first asked for, kept warm, lent to one user at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..clock import Clock, SystemClock
from ..errors import DeviceBusy, DeviceError, UsageError
from .fitness.finding import PhoneUnfit
from .kinds import Meant, expand, lease_name, shown
from .leases.lease import busy_with, holder_of
from .leases.tickets import Ticket, Tickets, is_wanted
from .opened import Opened
from .quarantine import Loss, Quarantine, tells_of_a_loss
from .search import Search
from .uri import is_unlimited, is_virtual, platform_of
from .wanted import Wanted

if TYPE_CHECKING:
    from ..drivers import Driver

__all__ = ["Opened", "Opener", "WarmPhones"]

POLL = 0.1  # seconds between two looks for a phone that came free
POLL_FOREIGN = 1.0  # the same, where looking means asking somebody else's driver


Opener = Callable[[str, "float | None"], Opened]
"""(URI, seconds until the phone must be ready, None for the run's own) to the phone."""


@dataclass
class _Place:
    """``lease`` is what the phone is leased as, None where nobody else can want it."""

    uri: str
    opened: Opened
    lent: bool = False
    lease: str | None = None
    lost: str = ""


@dataclass
class WarmPhones:
    """``uris`` are the phones of the run, as they were given. A virtual one may be had any number of times, others
    once each. ``prepare`` makes one ready that will be used, or closes it and raises. ``shared`` are those that
    another process of the run has started: a given URI to the phones' own.

    While others hold every phone that would do, a test waits ``lease_timeout`` seconds for one; ``last_wait`` is
    how long the last one waited. ``passed_over`` says which attached phones cannot be used, ``losses`` which were
    lost in this process, in order.
    """

    uris: tuple[str, ...]
    open: Opener
    lease_timeout: float = 0
    prepare: Callable[[Opened, float | None], object] | None = None
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clock: Clock = field(default_factory=SystemClock)
    quarantined: Quarantine = field(default_factory=Quarantine)
    losses: list[Loss] = field(default_factory=list)
    last_wait: float = 0
    passed_over: dict[str, None] = field(default_factory=dict)
    _places: list[_Place] = field(default_factory=list)
    _met: dict[str, Driver] = field(default_factory=dict)
    _attached: dict[str, Meant] = field(default_factory=dict)
    _ours: set[str] = field(default_factory=set)

    def take(
        self,
        uri: str | None = None,
        platform: str | None = None,
        timeout: float | None = None,
        *,
        wanted: Wanted | None = None,
    ) -> Opened:
        """The first phone that is free, in the order of the URIs, those of which a phone is lent last. What was
        opened before makes no difference: which of two platforms a test gets hangs on no other test.

        One that another run holds is passed over, and waited for where no other will do, unless a phone is lent
        already: who holds one and waits for another may wait for ever. One that was lost is passed over, and tried
        again where nothing else is left; so is one on which no test can begin. One that is not there, or does not
        answer, raises its ``DeviceError``.

        Raises ``UsageError`` for a platform that is none, ``NoneFits`` where no phone will do, and ``DeviceBusy``
        where every phone that would do is in use.
        """
        given = (uri,) if uri is not None else self.uris
        wanted = wanted or Wanted(platform or "")
        search = Search(given, self._candidates(given), wanted, timeout)
        self.last_wait = 0
        self.give_way()
        opened = self._look(search) or self._wait(search)
        if opened is None and search.left_nothing and any(map(self.quarantined.reason, search.candidates)):
            search.lost_too = True
            opened = self._look(search) or self._wait(search)
        if opened is None:
            raise search.failure()
        self.passed_over.update(dict.fromkeys(map(str, search.not_ready.values())))
        return opened

    def _candidates(self, given: tuple[str, ...]) -> dict[str, str]:
        """One URI for each phone that is meant, in order, and how it is shown."""
        found: dict[str, str] = {}
        for each in given:
            meant = self._meant(each)
            found.update(zip(self.shared.get(each, meant.uris), map(shown, meant.uris), strict=True))
        if set(given) <= set(self.uris):
            self._ours.update(found)
        return found

    def _meant(self, given: str) -> Meant:
        """Attached phones come and go. Where none is found any more, those that were there before are meant: each
        then says what became of it."""
        meant = expand(given)
        if meant.uris == (given,):
            return self._attached.get(given, meant)
        self.passed_over.update(dict.fromkeys(meant.passed_over))
        self._attached[given] = meant
        return meant

    def _look(self, search: Search) -> Opened | None:
        search.look_again(Tickets.of_this_user().waiting() if _leases(search) else ())
        passed_over = self.quarantined.passed_over(search.open_ones, lost_too=search.lost_too)
        for candidate in sorted((uri for uri in search.open_ones if uri not in passed_over), key=self._lends):
            opened = self._try(candidate, search)
            if opened is not None:
                return opened
        return None

    def _lends(self, uri: str) -> bool:
        return any(place.lent for place in self._places if place.uri == uri)

    def _try(self, candidate: str, search: Search) -> Opened | None:
        """The phone, if it will do and nobody has it; what is in the way is noted in the search."""
        lease = lease_name(candidate)
        mine = [each for each in self._places if each.uri == candidate or (lease and each.lease == lease)]
        for place in mine:
            why = _why_not(place.opened.driver, search.wanted)
            if why:
                search.unfit[candidate] = why
                return None
            if not place.lent:
                place.lent = True
                return place.opened
        if mine and not is_unlimited(candidate):
            search.lent.append(candidate)
            return None
        met = self._met.get(candidate)
        why = _why_not(met, search.wanted) if met else search.wanted.not_on(platform_of(candidate))
        if why:
            search.unfit[candidate] = why
            return None
        if lease is not None and self._is_others(candidate, lease, search):
            return None
        return self._opened(candidate, lease, search)

    def _is_others(self, candidate: str, lease: str, search: Search) -> bool:
        """Whether somebody holds it, or has waited for it longer."""
        holder = holder_of(lease)
        if holder is not None:
            why = search.wanted.why_not_with(holder.facts) if holder.facts else ""
            if why:
                search.unfit[candidate] = why
            else:
                search.busy[candidate] = busy_with(lease, holder)
                search.here |= {candidate} if holder.pid == os.getpid() else set()
            return True
        if is_wanted(lease, search.tickets, search.own):
            search.busy[candidate] = DeviceBusy(f"{lease} goes to a test that has waited longer", device=lease)
            return True
        return False

    def _opened(self, candidate: str, lease: str | None, search: Search) -> Opened | None:
        try:
            opened = self._open(candidate, search.timeout)
        except DeviceBusy as busy:
            search.busy[candidate] = busy
            return None
        self._met[candidate] = opened.driver
        why = _why_not(opened.driver, search.wanted)
        if not why:
            try:
                self._prepare(candidate, opened, search.timeout)
            except PhoneUnfit as trouble:
                search.not_ready[candidate] = trouble
                self.quarantined.add(candidate, str(trouble))
                return None
            self._places.append(_Place(candidate, opened, True, lease))
            return opened
        search.unfit[candidate] = why
        with suppress(DeviceError):  # it may be just what another worker looks for
            opened.close()
        return None

    def _open(self, candidate: str, timeout: float | None) -> Opened:
        self.quarantined.check(candidate)
        began = self.clock.now()
        try:
            opened = self.open(candidate, timeout)
        except DeviceError as error:
            if tells_of_a_loss(error):
                self._note(candidate, str(error), took=self.clock.now() - began)
            raise
        self.quarantined.lift(candidate)
        return opened

    def _prepare(self, candidate: str, opened: Opened, timeout: float | None) -> None:
        if self.prepare is None:
            return
        try:
            self.prepare(opened, timeout)
        except DeviceError as error:
            if tells_of_a_loss(error):
                self._note(candidate, str(error))
            raise

    def _wait(self, search: Search) -> Opened | None:
        """In a queue with all processes of this computer."""
        if not self.lease_timeout or not search.waits_for_others or any(place.lent for place in self._places):
            return None
        tickets, start = Tickets.of_this_user(), self.clock.now()
        with tickets.queue_up(_leases(search)) as ticket:
            search.own = ticket
            while search.waits_for_others and (left := self.lease_timeout - self.clock.now() + start) > 0:
                asks_others = any(lease_name(uri) is None for uri in search.busy)
                self.clock.sleep(min(left, POLL_FOREIGN if asks_others else POLL))
                self.give_way(search.own)
                opened = self._look(search)
                self.last_wait = search.waited = self.clock.now() - start
                if opened is not None:
                    return opened
                if (leases := _leases(search)) != search.own.phones:
                    search.own = tickets.narrow(search.own, leases)
        return None

    def give_way(self, own: Ticket | None = None) -> None:
        """Lets go of idle phones that somebody waits for, one for each who waits and for whom none is free."""
        idle = {place.lease: place.opened for place in self._places if place.lease and not place.lent}
        if not idle:
            return
        with suppress(DeviceBusy, UsageError):  # nobody can be asked; who needs to know will be told
            for ticket in Tickets.of_this_user().waiting():
                wanted = [phone for phone in ticket.phones if phone in idle]
                others = [phone for phone in ticket.phones if phone not in idle]
                if wanted and not (own and ticket.name == own.name) and all(map(holder_of, others)):
                    self._let_go(idle.pop(wanted[0]))

    def _let_go(self, opened: Opened) -> None:
        with suppress(DeviceError):  # whoever opens it next will meet the same
            self.drop(opened)

    def give_back(self, opened: Opened) -> None:
        for place in self._places:
            if place.opened is opened:
                place.lent = False
                if place.lost:
                    self.quarantine(opened, place.lost)
        self.give_way()

    @property
    def lent(self) -> list[Opened]:
        return [place.opened for place in self._places if place.lent]

    def lose(self, opened: Opened, reason: str) -> None:
        """It was lost while it is lent: it goes into quarantine as soon as it is given back."""
        for place in self._places:
            if place.opened is opened and not place.lost:
                place.lost = reason
                self._note(place.uri, reason, named=opened.driver.uri)

    def is_lost(self, opened: Opened) -> bool:
        return any(place.opened is opened and place.lost for place in self._places)

    def quarantine(self, opened: Opened, reason: str) -> None:
        """Lets go of a phone that was lost, whatever it says to that. It is passed over while another is left."""
        self.lose(opened, reason)
        with suppress(DeviceError):
            self.drop(opened)

    def another(self, uri: str, wanted: Wanted, kind: str | None = None) -> bool:
        """Whether a test that lost the phone of that URI may find another of the kind in this run."""
        if is_virtual(uri):  # there is always a new one
            return True
        candidates = self._candidates(self.uris if kind is None else (kind,))
        ours = uri in self._ours  # it was, though it may not be attached any more
        return ours and any(self._may_do(one, wanted) for one in candidates if one != uri)

    def _may_do(self, candidate: str, wanted: Wanted) -> bool:
        met = self._met.get(candidate)
        why = _why_not(met, wanted) if met else wanted.not_on(platform_of(candidate))
        return not why and not self.quarantined.reason(candidate)

    def _note(self, uri: str, reason: str, *, named: str = "", took: float = 0.0) -> None:
        self.losses.append(Loss(uri, reason, named))
        if not is_virtual(uri):
            self.quarantined.add(uri, reason, took)

    def drop(self, opened: Opened) -> None:
        """Closes a phone that is in trouble; the next user gets a new connection."""
        self._places = [place for place in self._places if place.opened is not opened]
        opened.close()

    def close(self) -> None:
        """Lets go of every phone, whatever one of them says."""
        places, self._places = self._places, []
        trouble: DeviceError | None = None
        for place in places:
            try:
                place.opened.close()
            except DeviceError as error:
                trouble = error
        if trouble is not None:
            raise trouble


def _leases(search: Search) -> tuple[str, ...]:
    return tuple(filter(None, map(lease_name, search.open_ones)))


def _why_not(driver: Driver, wanted: Wanted) -> str:
    if wanted == Wanted(wanted.platform):
        return wanted.not_on(driver.info.platform)
    return wanted.why_not(driver.info, driver.capabilities)
