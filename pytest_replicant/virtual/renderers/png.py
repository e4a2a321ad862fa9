"""The virtual phone's screen as pixels: PNG and JPEG, drawn with Pillow alone.

``Look.shape`` says what a node looks like; "" means by class name. Sizes are pixels; a dp is the
screen's shorter side / 411. In document order: shadow, ground (``background``, ``radius``,
``border``), content, children. The palette is light or dark by the nearest opaque background.

=====================
================================================================================== class name ends
in     shape =====================
================================================================================== TextView
``text``, wrapped where the height allows Button                 ``button``; also ``button_text``,
``button_outlined``, ``button_tonal``, ``chip`` ImageButton            ``icon:NAME``, the name
guessed from the description EditText               ``field``; also ``field_underline``,
``field_search`` CheckBox, RadioButton  ``check_box``, ``radio`` Switch                 ``switch``
SeekBar, ProgressBar   ``seek_bar``, ``progress_bar`` (``Look.progress`` 0 to 1),
``progress_circle`` RatingBar              ``stars:FULL/ALL`` Spinner                ``spinner``
ImageView              ``image:NAME``, a product picture in the colour ``foreground`` Toolbar,
CardView      ``toolbar``, ``card`` WebView                ``web`` anything else          its
background; ``text`` if it has any =====================
==================================================================================

By name only: ``avatar``, ``badge``, ``canvas``, ``dialog``, ``divider``, ``key``, ``keyboard``,
``launcher:NAME``, ``navigation_bar``, ``row``, ``sheet``, ``status_bar``, ``toast``, ``wallpaper``.
The windows of the system and dialogs get theirs by kind. ``pixels/icons.py`` and
``pixels/pictures.py`` list the names. An unknown shape falls back to the class; no text, size or
bounds makes drawing fail.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence

from PIL import Image, ImageChops

from ..ui import Window
from .pixels.screen import draw_screen

SIGNATURE = b"\x89PNG\r\n\x1a\n"
UP = b"\x02"  # the PNG filter "difference to the row above"


def render_png(
    windows: Sequence[Window], size: tuple[int, int], *, compress_level: int = 1
) -> bytes:
    """The screen as a PNG of ``size`` (width, height) pixels; ``compress_level`` as in zlib, 0 to
    9."""
    return encode_png(draw_screen(windows, size), compress_level)


def render_jpeg(
    windows: Sequence[Window], size: tuple[int, int], quality: int = 80, scale: float = 1.0
) -> bytes:
    """The screen as a JPEG, ``quality`` 1 to 95, made smaller by ``scale`` (0 to 1) after
    drawing."""
    image = draw_screen(windows, size)
    if scale != 1.0:
        smaller = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
        image = image.resize(smaller, Image.Resampling.BILINEAR)
    output = io.BytesIO()
    image.save(output, "JPEG", quality=quality)
    return output.getvalue()


def encode_png(image: Image.Image, compress_level: int = 1) -> bytes:
    """An RGB image as a PNG. One filter for all rows: screens are flat, and Pillow's own choice of
    filters row by row takes twice the time."""
    above = Image.new("RGB", image.size)
    above.paste(image, (0, 1))
    rows = ImageChops.subtract_modulo(image, above).tobytes()
    stride = image.width * 3
    filtered = b"".join(
        [UP + rows[start : start + stride] for start in range(0, len(rows), stride)]
    )
    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0)
    body = zlib.compress(filtered, compress_level)
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
