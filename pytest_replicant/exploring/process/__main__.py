"""``python -m pytest_replicant.exploring.process NAME FOLDER``: what ``replicant open`` starts."""

from __future__ import annotations

import sys

from .holding import main
from .turns import Answer, Handler, Request


def _open(name: str, request: Request) -> tuple[Handler, Answer]:
    from ..opening import open_handler  # heavy, and not needed if the name is taken

    return open_handler(name, request)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], _open))
