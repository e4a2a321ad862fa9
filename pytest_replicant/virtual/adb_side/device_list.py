"""Lists of devices in each of the forms that adb clients ask for. Pure."""

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


_PROTO_STATES = {"unauthorized": 3, "offline": 6, "device": 8}
_SOCKET = 2  # by which way a phone is connected


def proto_text(devices: Iterable[Listed]) -> bytes:
    """The ``Devices`` message of adb's ``adb_host.proto`` in protobuf's text form."""
    parts = []
    for each in devices:
        facts = "".join(f'  {name}: "{value}"\n' for name, value in each.facts)
        parts.append(
            f'device {{\n  serial: "{each.serial}"\n  state: {each.state.upper()}\n{facts}'
            f"  connection_type: SOCKET\n  transport_id: {each.transport_id}\n}}\n"
        )
    return "".join(parts).encode()


def proto_binary(devices: Iterable[Listed]) -> bytes:
    """The same message in protobuf's wire form. Fields: serial 1, state 2, product, model, device 4 to 6,
    connection type 7, transport id 10."""
    return b"".join(_field(1, _message(each)) for each in devices)


def _message(each: Listed) -> bytes:
    parts = [_field(1, each.serial.encode()), _field(2, _PROTO_STATES[each.state])]
    parts += [_field(number, value.encode()) for number, (_, value) in enumerate(each.facts, start=4)]
    parts += [_field(7, _SOCKET), _field(10, each.transport_id)]
    return b"".join(parts)


def _field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
