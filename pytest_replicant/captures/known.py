"""Proofs of phones that users sent: the index of the contributed files, which is a part of the package."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from ..errors import UsageError
from ..json_fields import fitted, load_json
from .archive import Capture, read_capture

SCHEMA = "replicant.proofs/1"
INDEX = Path(__file__).with_name("index.json")


@dataclass(frozen=True)
class KnownProof:
    """A file of ``captures/``: of which phone, made when and by which version, and how many clauses came out how.
    ``broken`` are names of clauses; there is no proof in a recording, which holds none."""

    file: str
    sha256: Annotated[str, re.compile("[0-9a-f]{64}")]
    platform: str
    brand: str
    model: str
    os_version: str
    date: str
    version: str
    commit: str
    holds: int
    not_offered: int
    broken: tuple[str, ...]

    def __str__(self) -> str:
        broken = f", broken: {', '.join(self.broken)}" if self.broken else ""
        commit = f" at {self.commit[:10]}" if self.commit else ""
        return f"{self.holds} clauses hold{broken}, on {self.date} by {self.version}{commit}"


@dataclass(frozen=True)
class _Index:
    schema: Annotated[str, (SCHEMA,)]
    proofs: tuple[KnownProof, ...]


def known_proofs(index: Path | None = None) -> tuple[KnownProof, ...]:
    """None where there is no index, or one that cannot be read: nothing is known then."""
    with suppress(OSError, ValueError):
        read: _Index = fitted(_Index, load_json((index or INDEX).read_bytes()), "")
        return read.proofs
    return ()


def proofs_of(device: Mapping[str, Any]) -> list[KnownProof]:
    """Those of the model of a phone with these facts, the newest first."""
    same = [
        each for each in known_proofs() if (each.platform, each.model) == (device["platform"], device["model"])
    ]
    return sorted(same, key=lambda each: each.date, reverse=True)


def index_of(folder: Path) -> str:
    """The text of the index of a folder's files. Raises ``UsageError`` for one that cannot be contributed."""
    proofs = [_known(path) for path in sorted(folder.glob("*.zip"))]
    return json.dumps({"schema": SCHEMA, "proofs": [asdict(each) for each in proofs]}, indent=1) + "\n"


def _known(path: Path) -> KnownProof:
    capture = read_capture(path)
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*\.zip", path.name):
        raise UsageError(
            f"{path}: a contributed file is named by a-z, 0-9 and '-', such as pixel-7-android-14.zip"
        )
    if capture.made.get("phone") == "virtual":
        raise UsageError(f"{path}: it is of a virtual phone, and proves nothing of a real one")
    if not capture.redacted.get("texts"):
        raise UsageError(f"{path}: its texts are not redacted; save it without --with-texts")
    if any(screen.picture for screen in capture.screens):
        raise UsageError(f"{path}: it has pictures, which show all that was on the screen")
    return KnownProof(
        path.name, hashlib.sha256(path.read_bytes()).hexdigest(), capture.platform, _fact(capture, "brand"),
        _fact(capture, "model"), _fact(capture, "os_version"), capture.made.get("date", ""),
        capture.made.get("pytest-replicant", ""), capture.made.get("commit", ""), _count(capture, "holds"),
        _count(capture, "not offered"), tuple(row.name for row in capture.proof if row.verdict == "broken"),
    )  # fmt: skip


def _fact(capture: Capture, name: str) -> str:
    extra = capture.device.get("extra")
    return str({**(extra if isinstance(extra, Mapping) else {}), **capture.device}.get(name) or "")


def _count(capture: Capture, verdict: str) -> int:
    return sum(row.verdict == verdict for row in capture.proof)
