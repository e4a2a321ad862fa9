"""``avd:NAME``: emulators that are booted before the first test, used by it, and stopped at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from ..apps import (
    AdbBooting,
    BootGate,
    Emulator,
    Wish,
    avd_home,
    check_avd,
    choose_port,
    find_emulator,
    has_display,
    interrupt_held,
    known_avds,
    pass_gates,
    running_avds,
    snapshot_name,
    start_emulator,
)
from ..clock import SystemClock
from ..errors import DeviceBusy, UsageError
from ..options import Options
from ..pool import Lease, is_this_computer, lease_folder, list_phones, read_uri, server_address
from ..stash import OPTIONS, RUN_ID

Report = Callable[[str], None]

_LEASE_POLL = 0.5
_SILENT_SECONDS = 15.0  # after which an emulator that makes no progress is reported again


def boot(config: pytest.Config) -> None:
    """The run's phones are then the emulators, added to the other phones that were named."""
    options = config.stash[OPTIONS]
    serials = _Emulators(config, options).boot()
    devices = [*options.devices, *(read_uri(f"android:{serial}") for serial in serials)]
    config.stash[OPTIONS] = replace(options, devices=tuple(dict.fromkeys(devices)), avds=())


class _Emulators:
    """The emulators of one run. Each is registered for the end of the run in the moment it is started or
    leased."""

    def __init__(self, config: pytest.Config, options: Options) -> None:
        self._config = config
        self._options = options
        self._clock = SystemClock()
        self._report = _terminal(config)
        self._mine: list[Emulator] = []
        self._folder = options.output / config.stash[RUN_ID]

    def boot(self) -> list[str]:
        """Starts all, then waits for all; the serials, in the order of the names."""
        avds, snapshot = self._options.avds, self._options.avd_snapshot
        if len({*avds}) < len(avds):
            raise UsageError(f"avd:{', avd:'.join(avds)}: one AVD is one phone; name each once")
        if snapshot:
            snapshot_name(snapshot)
        host, port = _own_server()
        list_phones(host, port)  # raises where none listens, before anything is started
        binary = find_emulator()
        known = known_avds(binary)
        for avd in avds:
            check_avd(avd, known)
        leases = self._leases()
        gates = self._gates(binary, host, port, leases)
        pass_gates(list(gates.values()), self._options.avd_timeout, self._clock, _Progress(self._report).show)
        self._check_snapshots()
        return list(gates)

    def _leases(self) -> dict[str, Lease]:
        """An AVD that another run of ours has started will be stopped by it: it is waited for. In one order, so
        that two runs never wait for each other."""
        leases = {}
        for avd in sorted(self._options.avds):
            lease = Lease(f"avd:{avd_home() / avd}")
            self._acquire(lease, avd)
            self._config.add_cleanup(lease.release)
            leases[avd] = lease
        return leases

    def _acquire(self, lease: Lease, avd: str) -> None:
        seconds = self._options.lease_timeout
        deadline = self._clock.now() + seconds
        reported = False
        while True:
            try:
                lease.acquire()
                return
            except DeviceBusy as busy:
                holder = busy.what
                if self._clock.now() >= deadline:
                    raise DeviceBusy(
                        f"avd:{avd}: another run has started this AVD and will stop it, and did not "
                        f"end within replicant_lease_timeout = {seconds:g} s ({holder}). Next: one AVD a run",
                        device=avd,
                    ) from None
            if not reported:
                self._report(f"{holder}: waiting for the end of that run")
                reported = True
            self._clock.sleep(_LEASE_POLL)

    def _gates(self, binary: Path, host: str, port: int, leases: dict[str, Lease]) -> dict[str, BootGate]:
        """By serial."""
        phones = list_phones(host, port)
        running = running_avds(host, port, phones)
        gates = {}
        for avd in self._options.avds:
            alive: Callable[[], object] = bool
            serial = running.get(avd, "")
            if serial:
                leases[avd].release()
                self._report(f"{avd} runs already as {serial}: used as it is, and left running")
            else:
                emulator = self._started(binary, avd, [phone.serial for phone in phones])
                serial, alive = emulator.serial, emulator.check_alive
            gates[serial] = BootGate(f"{avd} ({serial})", AdbBooting(host, port, serial), alive)
        return gates

    def _started(self, binary: Path, avd: str, known: Sequence[str]) -> Emulator:
        wish = Wish(avd, self._options.avd_snapshot, has_display())
        port = choose_port(lease_folder(), known)
        with interrupt_held():
            emulator = start_emulator(binary, wish, port, self._folder / f"emulator-{avd}.log", self._clock)
            self._config.add_cleanup(emulator.stop)
        self._report(f"{avd} starts as {emulator.serial}, log: {emulator.log}")
        self._mine.append(emulator)
        return emulator

    def _check_snapshots(self) -> None:
        """An emulator that has no such snapshot boots cold, without a word that anyone would read."""
        wanted = self._options.avd_snapshot
        for emulator in self._mine if wanted else ():
            found = emulator.console.snapshots()
            if wanted not in found:
                raise UsageError(
                    f"avd:{emulator.wish.avd}?snapshot={wanted}: it has no snapshot of that name, and so "
                    f"it booted cold. Next: `emulator -avd {emulator.wish.avd}`, and once it is as tests should "
                    f"find it `adb emu avd snapshot save {wanted}`. Its list:\n  {' '.join(found) or '(empty)'}"
                )


def _own_server() -> tuple[str, int]:
    host, port = server_address()
    if not is_this_computer(host):
        raise UsageError(
            f"avd:NAME: an emulator is started on this computer and known to its adb server alone, and "
            f"ANDROID_ADB_SERVER_ADDRESS names {host}. Next: start it there, and --replicant-device=android:SERIAL"
        )
    return host, port


@dataclass
class _Progress:
    """A line for each step on the way, and one in a while if nothing moves."""

    report: Report
    _reported: dict[str, tuple[str, float]] = field(default_factory=dict)

    def show(self, gates: Sequence[BootGate], elapsed: float) -> None:
        for gate in gates:
            standing, since = self._reported.get(gate.name, ("", 0.0))
            if gate.standing != standing:
                self.report(f"{gate.name}: {gate.standing}, {elapsed:.0f} s")
            elif not gate.open and elapsed - since >= _SILENT_SECONDS:
                self.report(f"{gate.name}: {gate.standing}, {elapsed:.0f} s; {gate.last_seen}")
            else:
                continue
            self._reported[gate.name] = gate.standing, elapsed


def _terminal(config: pytest.Config) -> Report:
    """Prints a line of the run; nothing under ``-q``, nor where pytest has no terminal."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")

    def report(line: str) -> None:
        if reporter is not None and config.option.verbose >= 0:
            reporter.ensure_newline()
            reporter.write_line(f"replicant: {line}")
            reporter.flush()

    return report
