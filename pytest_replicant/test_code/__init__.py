"""The code of tests, read and written: a call and its source, locators, and the file that a test
goes to. Code is parsed and never run."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .calls import WORDS, Call, EnvText, as_a_step, read_step, read_steps, source_of
    from .editing import NewTest, inserted, with_check, written
    from .fitting import Fit, fits, fixture_files
    from .healing.healer import Failed, Healed, Healing, Refused, heal
    from .healing.proposing import Known, Proposal, propose
    from .healing.refinding import Refound, refind
    from .healing.refusal import NEXT, Refusal
    from .healing.sources import Literal, Source
    from .locators import (
        LARGEST_FILE,
        NARROWING,
        Use,
        Written,
        has_expression,
        locators_in,
        name_of,
        parsed_code,
        read_locator,
        said_by,
        written_in,
    )
    from .source_file import SourceFile, patch_of, read_source, write_source

__getattr__, __dir__ = lazy_names(__name__)
