"""``python -m docs.generating``, from the project's folder; with ``clients``, outside clients are
run first."""

from __future__ import annotations

import sys

from . import clients, write

if sys.argv[1:2] == ["clients"]:
    clients.run_again(sys.argv[2:])
write()
