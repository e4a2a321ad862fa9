"""``python -m docs.generating``, from the project's folder."""

from __future__ import annotations

from . import write

write()
