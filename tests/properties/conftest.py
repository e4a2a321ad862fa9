"""Profiles: ``ci`` tries the same examples every time, ``nightly`` many others each time.

``make properties``, ``--hypothesis-profile=nightly`` and ``HYPOTHESIS_PROFILE=nightly`` choose the
second. Other tests keep the settings that they have: ``effort.examples`` applies a profile, and
``ci`` is nobody's default."""

from __future__ import annotations

import os

from hypothesis import settings

from .effort import CI, NIGHTLY

settings.register_profile("ci", CI)
settings.register_profile("nightly", NIGHTLY)
if os.environ.get("HYPOTHESIS_PROFILE") == "nightly":
    settings.load_profile("nightly")
