"""The screen as ``screencap`` writes it; imported only when somebody looks, for Pillow is slow to
import."""

from __future__ import annotations

import io
import struct
from weakref import WeakKeyDictionary

from PIL import Image

from ...device.display import other_displays
from ...device.phone import VirtualPhone
from ...renderers.png import render_png

_RGBA_8888, _SRGB = 1, 1
_KEPT: WeakKeyDictionary[VirtualPhone, tuple[int, bytes]] = (
    WeakKeyDictionary()
)  # goes with the phone


def png(phone: VirtualPhone) -> bytes:
    """Returns the screen as a PNG, drawn again only when the phone's version has changed."""
    with phone.lock:
        version = phone.version()
        kept = _KEPT.get(phone)
        if kept is None or kept[0] != version:
            kept = version, render_png(phone.windows(), phone.size)
            _KEPT[phone] = kept
        return kept[1]


def monitor(phone: VirtualPhone) -> bytes:
    windows = other_displays(phone.profile)
    return render_png(windows, (windows[0].root.bounds.right, windows[0].root.bounds.bottom))


def dark(phone: VirtualPhone) -> bytes:
    """A panel that is off, about twice as wide as the one that is on."""
    output = io.BytesIO()
    Image.new("RGB", (2 * phone.profile.width, phone.profile.height)).save(output, "PNG")
    return output.getvalue()


def framebuffer(phone: VirtualPhone) -> bytes:
    """As adbd's framebuffer_service.cpp sends it: version, bits, from Android 9 on the colour
    space, size, then offset and length of red, blue, green, alpha."""
    data = raw(png(phone))
    width, height, _, space = struct.unpack_from("<4I", data)
    spaces = (2, 32, space) if phone.profile.sdk >= 28 else (1, 32)
    header = (*spaces, width * height * 4, width, height, 0, 8, 16, 8, 8, 8, 24, 8)
    return struct.pack(f"<{len(header)}I", *header) + data[16:]


def raw(picture: bytes) -> bytes:
    """As without -p: width, height, format, colour space, each 32 bits, then RGBA."""
    with Image.open(io.BytesIO(picture)) as image:
        pixels: bytes = image.convert("RGBA").tobytes()
        header = struct.pack("<IIII", image.width, image.height, _RGBA_8888, _SRGB)
    return header + pixels
