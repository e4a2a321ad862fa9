"""How long a property is tried."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No database: an example found once is written down as a test, not kept with the checkout. Large
# screens are slow to draw, which is no fault of theirs.
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
CI = settings(
    deadline=None,
    database=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=_SLOW,
    max_examples=100,
)
NIGHTLY = settings(CI, derandomize=False, max_examples=20_000)


def examples(ci: int, nightly: int = 2000) -> settings:
    """For a test: ``ci`` examples, always the same ones, or ``nightly`` examples that are new each
    time."""
    if settings.default == NIGHTLY:
        return settings(NIGHTLY, max_examples=nightly)
    return settings(CI, max_examples=ci)
