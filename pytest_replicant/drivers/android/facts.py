"""What a phone is, asked in one round trip. Pure but for the question's text."""

from __future__ import annotations

from ...errors import ProtocolError
from ...logs import screen_densities, screen_sizes
from ..base import DeviceInfo

_PROPERTIES = {
    "serialno": "ro.serialno",
    "brand": "ro.product.brand",
    "model": "ro.product.model",
    "release": "ro.build.version.release",
    "sdk": "ro.build.version.sdk",
    "abi": "ro.product.cpu.abi",
}
QUESTION = "; ".join([*(f"getprop {name}" for name in _PROPERTIES.values()), "wm size", "wm density"])

_BASE_DENSITY = 160  # dots per inch at which one density-independent pixel is one pixel


def read_facts(serial: str, answer: str) -> DeviceInfo:
    """The answer to ``QUESTION``. An override of size or density wins over the physical one; the size is that
    of the phone held upright. Raises ``ProtocolError`` where there is no size."""
    lines = answer.splitlines()
    said = dict(zip(_PROPERTIES, (line.strip() for line in lines[: len(_PROPERTIES)]), strict=False))
    sizes, densities = screen_sizes(answer), screen_densities(answer)
    if not sizes:
        raise ProtocolError(
            f"connecting to {serial}: `wm size` did not say how large the screen is. Is it still starting?",
            exchange=answer[-500:],
            device=serial,
        )
    width, height = sizes.get("override", sizes.get("physical", (0, 0)))
    density = densities.get("override", densities.get("physical", _BASE_DENSITY))
    return DeviceInfo(
        serial=serial,
        platform="android",
        model=said.get("model", ""),
        os_version=said.get("release", ""),
        width=width,
        height=height,
        density=density / _BASE_DENSITY,
        extra={key: value for key, value in said.items() if key in ("serialno", "brand", "sdk", "abi") and value},
    )
