"""What a project sets: every option with its key of the ini file, and the marker of a test."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .ini_file import project_ini
    from .marks import Marks, case_id, read_marks
    from .options import SETTINGS, Setting, read

__getattr__, __dir__ = lazy_names(__name__)
