"""The 64-bit digest behind refs and fingerprints: the only place that needs xxhash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import xxhash

if TYPE_CHECKING:
    from collections.abc import Iterable


def digest(parts: Iterable[str]) -> int:
    """xxh3 of the parts, each with its length before it, so that no two splits of one text collide."""
    packed = "".join([f"{len(part)}:{part}" for part in parts])
    return xxhash.xxh3_64_intdigest(packed.encode("utf-8", "surrogatepass"))
