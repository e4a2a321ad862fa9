"""Text of an app within text of ours."""

from __future__ import annotations

import re

_PRINTED_LENGTH = 160
_BARE = re.compile(r"[\w.$]{1,100}")


def quoted(text: str) -> str:
    """In double quotes, escaped, cut to a bearable length: app text never breaks out of its quotes."""
    return '"' + shortened(text, _PRINTED_LENGTH).replace("\\", "\\\\").replace('"', '\\"') + '"'


def shortened(text: str, longest: int) -> str:
    """The text in ``longest`` characters; an ellipsis stands for what is cut off."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def class_named(name: str) -> str:
    """A class name as it stands; in quotes and on one line what is none, for the app writes it."""
    return name if _BARE.fullmatch(name) else quoted(" ".join(name.split()))
