"""``docs/reference/faults.md``, from the table that the tests go by."""

from __future__ import annotations

from itertools import groupby

from tests.faults.table import ROWS, Row

HEAD = """\
# How a test ends by each fault of a phone

Each row below is a test of this project: a run of pytest on a virtual phone, with the fault in its middle. Each proves

- the result and pytest's exit code;
- the trace: valid by its schema, with its page, naming what happened;
- that nothing is left on the computer: no thread, process, socket, lease or temporary file;
- that nothing is left on the phone: no program, port or file.

A phone that is gone for good keeps one small file, by which the next run turns its animations on again.

**{faults} of {faults} faults** are covered, in {rows} ways.

*infra* is trouble with the phone or on the way to it, which says nothing about the app. *failed* is the app's, or
the build's. *requeued* was lost with its phone and passed on another. If no other is named there is one phone.

| fault | when | result | exit code | the report says |
|---|---|---|---|---|
"""
TAIL = """
## How they are made

By hand, or in your own tests, on a virtual phone. `phone` is a `VirtualPhone`, `server` its `PhoneServer`.
[The knobs](virtual-phone.md) make some of them happen by chance.

| fault | how |
|---|---|
| adb server killed | `server.close()`, and `start_server(phone, port=...)` on the same port again |
| phone offline, unauthorised | `server.set_state(serial, "offline")`, `"unauthorized"` |
| uiautomator2 server crash | `phone.kill_program("com.wetest.uia2.Main")` |
| `Killed` dump | the knob `kill_dump` |
| rebooting | `phone.restart()`, `adb reboot`, or `reboot` in its shell |
| full storage | `phone.files.capacity = phone.files.used` |
| wrong ABI | a package whose `lib/` has a folder for other processors alone |
| airplane mode | `phone.set_radio("airplane", True)`, or `cmd connectivity airplane-mode enable` in its shell |
| clock jump | `phone.set_clock(seconds)`, less than none for backwards |
| artifact disk full | files of the report are opened on `/dev/full`, where every write is refused |
"""


def page() -> str:
    """The whole page."""
    faults = len({row.number for row in ROWS})
    rows = [
        _line(row, first=index == 0)
        for _, group in groupby(ROWS, _number)
        for index, row in enumerate(group)
    ]
    return HEAD.format(faults=faults, rows=len(ROWS)) + "".join(rows) + TAIL


def _number(row: Row) -> int:
    return row.number


def _line(row: Row, *, first: bool) -> str:
    fault = f"{row.number}. {row.fault}" if first else ""
    return f"| {fault} | {row.how} | {row.outcome} | {row.exit_code} | {row.means} |\n"
