"""Recordings of short tests on a virtual phone, and reports that keep them."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from pytest_replicant import Secret
from pytest_replicant.cassettes import Cassette, cassette_json
from pytest_replicant.model import Redactor

from .taped_flows import Flow, Step, Taped, step, taped, then

SHOP, LAB = "dev.replicant.shop", "dev.replicant.lab"
PASSWORD = "correct horse"
HIDDEN = Secret(PASSWORD)


def signed_in(password: str | Secret = HIDDEN, screen: str = "Catalogue") -> tuple[Step, ...]:
    return (
        step("launch", SHOP),
        then("expect_screen", "Sign in"),
        step("fill", text="Email", value="ada@example.com"),
        step("fill", text="Password", value=password),
        step("tap", text="Sign in"),
        then("expect_screen", screen, timeout=1),
    )


SAVED = step("open_url", "lab://flash?delay=1200&lasts=9000"), step("tap", text="Save")
"""A message comes more than a second after the tap."""


def late(timeout: float) -> tuple[Step, ...]:
    return *SAVED, then("expect_visible", text="Saved", timeout=timeout)


_EVERYTHING = (
    *signed_in(),
    then("expect_visible", text="Welcome, Ada"),
    then("expect_log", "signed in"),
    step("shell", "echo Ada Lovelace"),
    step("screenshot"),
    step("tap", text="Cart, 0 items"),
    then("expect_screen", "Cart"),
)
FLOWS: Mapping[str, Flow] = {
    "passed": Flow("test_shop.py::test_signs_in", "android", signed_in()),
    "refused": Flow("test_shop.py::test_signs_in", "android", signed_in("battery staple")),
    "failed": Flow("test_shop.py::test_signs_in", "android", signed_in("correct horse", "Orders")),
    "everything": Flow("test_shop.py::test_everything", "android", _EVERYTHING),
    "iphone": Flow("test_shop.py::test_on_ios[a-b]", "ios", signed_in("correct horse")),
    "late": Flow("test_lab.py::test_late", "android", late(5), (LAB,)),
    "too late": Flow(
        "test_lab.py::test_late", "android", late(0.4), (LAB,), settings={"read_on": 0}
    ),
}


@cache
def tape(name: str) -> Taped:
    """Recorded once in a process."""
    return taped(FLOWS[name])


@cache
def _text(name: str) -> bytes:
    return cassette_json(tape(name).cassette, Redactor())


def document(name: str) -> dict[str, Any]:
    """A cassette as JSON, to be changed."""
    made: dict[str, Any] = json.loads(_text(name))
    return made


def packed(made: object) -> bytes:
    return gzip.compress(json.dumps(made).encode(), 1)


@dataclass(frozen=True)
class Kept:
    """One cassette of a report. ``names`` are of its folder and its test where they are not the
    flow's."""

    tape: Taped
    attempt: int = 0
    outcome: str = ""

    @property
    def cassette(self) -> Cassette:
        known = self.tape.cassette
        outcome = self.outcome or known.header.outcome
        return replace(known, header=replace(known.header, attempt=self.attempt, outcome=outcome))

    @property
    def folder(self) -> str:
        digest = hashlib.sha256(self.cassette.header.nodeid.encode()).hexdigest()[:8]
        return f"test-{digest}{f'-retry{self.attempt}' if self.attempt else ''}"


def keep(report: Path, *cassettes: Kept, began: str = "2026-11-02T10:00:00+00:00") -> Path:
    """A run of a report, as it is on disk; its traces name the first blob of each cassette."""
    run = report / f"{began[:10].replace('-', '')}-100000-abcdef"
    for one in cassettes:
        folder = run / one.folder
        folder.mkdir(parents=True)
        (folder / "cassette.json.gz").write_bytes(
            gzip.compress(cassette_json(one.cassette, Redactor()), mtime=0)
        )
        shown = {
            "schema": "replicant.trace/2",
            "snapshots": {"s1": {"blob": f"../blobs/{one.cassette.blobs[0]}"}},
        }
        (folder / "trace.json").write_text(json.dumps(shown))
        (folder / "trace.html").write_text("<html>")
        (run / "blobs").mkdir(exist_ok=True)
        for name, data in one.tape.blobs.items():
            (run / "blobs" / name).write_bytes(
                data if name.endswith(".png") else gzip.compress(data, mtime=0)
            )
    facts = {
        "schema": "replicant.run/2",
        "run_id": run.name,
        "started_at": began,
        "duration_ms": 0,
        "tests": [],
    }
    (run / "run.json").write_text(json.dumps(facts))
    return run


Blob = Callable[[str], bytes]


def showing(known: Taped, shown: Mapping[str, str]) -> tuple[Cassette, Blob]:
    """The recording with other texts on its screens."""
    names, blobs = [], {}
    for name in known.cassette.blobs:
        data = known.blobs[name]
        for before, after in shown.items():
            data = data.replace(escape(before).encode(), escape(after).encode())
        other = name
        if data != known.blobs[name]:
            other = f"{hashlib.sha256(gzip.compress(data, mtime=0)).hexdigest()[:32]}{name[32:]}"
        names.append(other)
        blobs[other] = data
    return replace(known.cassette, blobs=tuple(names)), blobs.__getitem__


def strings(value: Any) -> Iterator[str]:
    """Every text of a JSON document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from (name, *strings(one))
    elif isinstance(value, Sequence):
        for one in value:
            yield from strings(one)
