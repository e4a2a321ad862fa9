"""Proofs of phones that users sent: the index of the contributed files, which is a part of the package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from ..json_fields import fitted, load_json

SCHEMA_OF_PROOFS = "replicant.proofs/1"
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
    schema: Annotated[str, (SCHEMA_OF_PROOFS,)]
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
