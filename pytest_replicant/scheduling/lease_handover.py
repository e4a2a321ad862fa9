"""Leases between tests: idle phones go to waiting processes, and long waits are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ..stash import OPTIONS, POOL, SECRETS, WAITS

if TYPE_CHECKING:
    from ..pool import DevicePool


REPORTED_SECONDS = 5.0  # a shorter wait is worth no line
REPORTED_TESTS = 5
OUTPUT = "replicant_lease_handover"


class LeaseHandover:
    """Registered in every process. A worker hands its waits to the controller."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._waits: dict[str, float] = {}
        self._passed_over: dict[str, None] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        """Keeps the reasons of the pool, which the last teardown closes."""
        if (phones := self._phones) is not None:
            self._passed_over.update(phones.passed_over)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self) -> None:
        """Yields idle phones after each test, also one that uses none: many such may follow."""
        if (phones := self._phones) is not None:
            phones.yield_idle()

    @property
    def _phones(self) -> DevicePool | None:
        return self._config.stash.get(POOL, None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        waits: dict[str, float] = self._config.stash.get(WAITS, {})
        self._waits.update(waits)
        output: dict[str, Any] | None = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[OUTPUT] = {"waits": self._waits, "passed_over": list(self._passed_over)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker that died has reported nothing."""
        report = getattr(node, "workeroutput", {}).get(OUTPUT, {})
        self._waits.update(report.get("waits", {}))
        self._passed_over.update(dict.fromkeys(report.get("passed_over", ())))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in wait_lines(self._waits, list(self._passed_over), self._config.stash[OPTIONS].lease_timeout):
            terminalreporter.write_line(self._config.stash[SECRETS].text(line))


def wait_lines(waits: dict[str, float], passed_over: list[str], limit: float) -> list[str]:
    long = sorted(
        ((seconds, nodeid) for nodeid, seconds in waits.items() if seconds >= REPORTED_SECONDS), reverse=True
    )
    lines = [f"replicant: passed over {each}" for each in passed_over]
    if long:
        lines.append(
            f"replicant: {len(long)} test{'' if len(long) == 1 else 's'} waited {REPORTED_SECONDS:g} s or more "
            f"for a phone or a resource that others held (replicant_lease_timeout = {limit:g}); the longest:"
        )
        lines += [f"  {seconds:.0f} s  {nodeid}" for seconds, nodeid in long[:REPORTED_TESTS]]
    return lines
