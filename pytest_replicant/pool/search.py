"""One test's search for a phone: which would do, who has them, and what is said where none is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import DeviceBusy, DeviceError
from .leases.tickets import Ticket
from .wanted import NoneFits, Wanted
from .wda_url import told_uri

SHOWN = 4


@dataclass
class Search:
    """``given`` is what the run or the test named, ``candidates`` the phones that these are, each with how it is
    shown. ``unfit`` will not do, by URI, and why; ``lent`` are in use by this very test, ``busy`` by others,
    ``here`` by this process, but not through its pool: those come free only if it lets go of them. No test can
    begin on those that are ``not_ready``. ``lost_too`` where phones in quarantine are tried."""

    given: tuple[str, ...]
    candidates: Mapping[str, str]
    wanted: Wanted
    timeout: float | None = None
    unfit: dict[str, str] = field(default_factory=dict)
    lent: list[str] = field(default_factory=list)
    busy: dict[str, DeviceBusy] = field(default_factory=dict)
    here: set[str] = field(default_factory=set)
    not_ready: dict[str, DeviceError] = field(default_factory=dict)
    tickets: Sequence[Ticket] = ()
    own: Ticket | None = None
    lost_too: bool = False
    waited: float = 0.0

    def look_again(self, tickets: Sequence[Ticket]) -> None:
        """Who uses what may have changed; which phone will not do stays known."""
        self.lent, self.busy, self.here, self.tickets = [], {}, set(), tickets

    @property
    def open_ones(self) -> list[str]:
        return [uri for uri in self.candidates if uri not in self.unfit and uri not in self.not_ready]

    @property
    def waits_for_others(self) -> bool:
        return any(uri not in self.here for uri in self.busy)

    @property
    def left_nothing(self) -> bool:
        """Whether no phone would do, in use or not."""
        return not self.lent and not self.busy

    def failure(self) -> DeviceError:
        if self.left_nothing:
            return next(iter(self.not_ready.values()), None) or self._none_fits()
        if len(self.busy) == 1 and not self.lent and not self.waited:
            (only,) = self.busy.values()
            return only
        return self._busy()

    def _none_fits(self) -> NoneFits:
        among = ", ".join(map(told_uri, self.given))
        kind = f" {self.wanted.platform}" if self.wanted.platform else ""
        only_platform = self.wanted == Wanted(self.wanted.platform)
        why = "" if only_platform else f" will do for {self.wanted.told} ({self._reasons})"
        return NoneFits(
            f"no{kind} phone among {among}{why}. Next: name one with --replicant-device, or new_mobile(uri), such "
            f'as new_mobile("{self._virtual}")',
            reason=f"no phone of this run will do for {self.wanted.told}: {self._reasons}",
            device=among,
        )

    @property
    def _reasons(self) -> str:
        """In one line, however many phones there are."""
        phones: dict[str, list[str]] = {}
        for uri, why in self.unfit.items():
            phones.setdefault(why, []).append(self.candidates[uri])
        return "; ".join(f"{_several(names)}: {why}" for why, names in phones.items())

    @property
    def _virtual(self) -> str:
        return "virtual:ios" if self.wanted.platform == "ios" else "virtual"

    def _busy(self) -> DeviceBusy:
        kind = f" {self.wanted.platform}" if self.wanted.platform else ""
        in_use = [
            *(f"{self.candidates[uri]} is in use by this test" for uri in self.lent),
            *(str(busy).partition(". ")[0] for busy in self.busy.values()),
        ]
        lines = "\n".join(f"  {line}" for line in in_use)
        device = ", ".join([*self.lent, *(busy.device for busy in self.busy.values())])
        if self.waited:
            return DeviceBusy(
                f"no{kind} phone came free in {self.waited:.0f} s. Next: start fewer workers or runs at a time, "
                "add a phone with --replicant-device, end a process below that has no business with it, or set "
                f"replicant_lease_timeout higher. In use:\n{lines}",
                device=device,
            )
        return DeviceBusy(
            f"this run has no further{kind} phone. Next: repeat --replicant-device with another phone, or use "
            f"{self._virtual}, of which there are as many as asked for. In use:\n{lines}",
            device=device,
        )


def _several(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
