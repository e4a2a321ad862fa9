"""Makes a bare checkout behave like an installed plugin, and an installed one not load twice."""

from __future__ import annotations

from importlib.metadata import entry_points

PLUGIN = "pytest_replicant.plugin"

# An entry point and `pytest_plugins` for one module are two names for one plugin, which pytest
# refuses.
_installed = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
pytest_plugins = ["pytester"] if _installed else ["pytester", PLUGIN]
