"""Text of an app within text of ours."""

from __future__ import annotations

import re

_LONGEST = 160
_BARE = re.compile(r"[\w.$:/+-]{1,100}")
# Control characters, marks without a shape of their own, and what icon fonts draw: printed raw, a label of them
# looks empty or turns the line around.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ue000-\uf8ff\ufeff\U000f0000-\U0010fffd]"
)


def quoted(text: str) -> str:
    """In double quotes, escaped, cut to a bearable length: app text never breaks out of its quotes. What cannot be
    seen stands as Python writes it."""
    whole = '"' + shortened(text, _LONGEST).replace("\\", "\\\\").replace('"', '\\"') + '"'
    return whole if whole.isprintable() else _UNSEEN.sub(_escaped, whole)


def bare(name: str) -> str:
    """A class name or an id as it stands; in quotes and on one line what is plainly none: the app writes it."""
    return name if _BARE.fullmatch(name) else quoted(" ".join(name.split()))


def shortened(text: str, longest: int) -> str:
    """The text in ``longest`` characters; an ellipsis stands for what is cut off."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Without quotes, for what stands in a message on a line of its own: what a log says, say."""
    line = shortened(" ".join(text.split()), longest)
    return line if line.isprintable() else _UNSEEN.sub(_escaped, line)


def _escaped(sign: re.Match[str]) -> str:
    return sign[0].encode("unicode_escape").decode("ascii")
