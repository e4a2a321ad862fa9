"""Pictures of screens: read, marked, searched and compared. None of it asks a phone.

Pillow, and what the extra ``[ocr]`` brings, are imported by the first call that needs them."""

from .picture import opened

__all__ = ["opened"]
