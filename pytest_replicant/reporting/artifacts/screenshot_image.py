"""Screenshots as WebP: a third of the bytes of PNG, less where there are photographs."""

from __future__ import annotations

import io
import warnings

from PIL import Image, features

QUALITY = 85
"""Lossy: 1080 × 2400 takes 30 to 60 ms of a processor whatever is on it. Lossless needs a quarter fewer bytes for
plain screens and up to ten times the time and four times the bytes for photographs."""


def webp(png: bytes) -> bytes | None:
    """The same picture, to the eye; None where Pillow lacks WebP, the bytes are no picture, or PNG is smaller."""
    if not features.check("webp"):
        return None
    packed = io.BytesIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of sizes that no phone has; Image refuses beyond
            with Image.open(io.BytesIO(png)) as image:
                shown = image if image.mode == "RGB" else image.convert("RGB")
                shown.save(packed, "WEBP", quality=QUALITY, method=0)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return packed.getvalue() if len(packed.getvalue()) < len(png) else None
