"""``python -m pytest_replicant.cli``: the same as ``replicant``, wherever that is not on the
path."""

from __future__ import annotations

import sys

from . import main

sys.exit(main())
