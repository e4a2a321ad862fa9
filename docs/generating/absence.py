"""``docs/reference/absence.md``, from the table of doubts that checks of absence go by."""

from __future__ import annotations

from pytest_replicant.session.checks.absence import DOUBTS

from .wording import cell

HEAD = """\
# Why an absence is not proven

`expect_gone`, `expect_count(0)` and `lacks=` hold only if none of these doubts is left, in this order. A
check names the first that there is: [when a thing is gone](../explanation/verification.md#when-a-thing-is-gone).

| doubt | what it means | what decides it |
|---|---|---|
"""


def page() -> str:
    return HEAD + "".join(
        f"| {one.name} | {cell(one.means)} | {cell(one.decides)} |\n" for one in DOUBTS
    )
