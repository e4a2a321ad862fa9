"""The bytes of a picture, opened."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

from ..errors import SnapshotError

if TYPE_CHECKING:
    from PIL.Image import Image


def opened(png: bytes) -> Image:
    """The picture as RGB. Raises ``SnapshotError`` for bytes that are no picture: a failed read proves nothing."""
    from PIL import Image as pillow  # heavy, and not needed by a run that looks at no picture

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of sizes that no phone has, and refuses beyond
            with pillow.open(io.BytesIO(png)) as found:
                picture: Image = found.convert("RGB")
    except (OSError, ValueError, SyntaxError, pillow.DecompressionBombError) as error:
        raise SnapshotError(f"the screenshot is no picture ({len(png)} bytes): {error}") from error
    return picture
