"""Pictures of screens: read, marked, searched and compared. Pure functions; none asks a phone, and Pillow, and what
the extra ``[ocr]`` brings, are imported by the first that needs them."""

from .picture import opened

__all__ = ["opened"]
