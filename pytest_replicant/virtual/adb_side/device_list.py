"""Lists of devices in both forms that adb clients ask for. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Listed:
    """One line: who a phone is, and whether it can be used."""

    serial: str
    state: str
    product: str
    model: str
    device: str
    transport_id: int

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What a phone that answers says about itself, made safe for one word each."""
        if self.state != "device":
            return ()
        pairs = (("product", self.product), ("model", self.model), ("device", self.device))
        return tuple((name, re.sub(r"[^A-Za-z0-9._-]", "_", value)) for name, value in pairs)


def short(devices: Iterable[Listed]) -> bytes:
    return "".join(f"{each.serial}\t{each.state}\n" for each in devices).encode()


def long(devices: Iterable[Listed]) -> bytes:
    lines = []
    for each in devices:
        facts = "".join(f" {name}:{value}" for name, value in each.facts)
        lines.append(f"{each.serial:<22} {each.state}{facts} transport_id:{each.transport_id}\n")
    return "".join(lines).encode()
