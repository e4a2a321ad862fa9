"""Text of an app within text of ours."""

from __future__ import annotations

import re
from functools import lru_cache

_LONGEST = 160
_BARE = re.compile(r"[\w.$:/+-]{1,100}")
# Control characters, marks without a shape of their own, and what icon fonts draw: printed raw, a label of them
# looks empty or turns the line around.
_UNSEEN = (
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ue000-\uf8ff\ufeff\U000f0000-\U0010fffd]"
)


def quoted(text: str) -> str:
    """Puts a text in double quotes, escaped and shortened: app text never breaks out of its quotes. Invisible
    characters are escaped as Python writes them."""
    whole = '"' + shortened(text, _LONGEST).replace("\\", "\\\\").replace('"', '\\"') + '"'
    return whole if whole.isprintable() else re.sub(_UNSEEN, _escaped, whole)


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """Returns a class name or an id unquoted; in quotes and on one line where it is plainly neither: the app
    writes it."""
    return name if _BARE.fullmatch(name) else quoted(" ".join(name.split()))


def shortened(text: str, longest: int) -> str:
    """Shortens the text to ``longest`` characters; an ellipsis stands for the rest."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Returns a text without quotes on a line of its own, as a message shows a log's line."""
    line = shortened(" ".join(text.split()), longest)
    return line if line.isprintable() else re.sub(_UNSEEN, _escaped, line)


def _escaped(sign: re.Match[str]) -> str:
    return sign[0].encode("unicode_escape").decode("ascii")


_NOT_IN_XML = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufddf\ufffe\uffff\U00010000-\U0010ffff]"
)


def as_dotted(text: str) -> str:
    """The text as uiautomator2's server dumps it: each UTF-16 unit that XML cannot hold alone is a dot, and an
    emoji has two."""
    plain = text.isascii() and text.isprintable()
    return text if plain else re.sub(_NOT_IN_XML, lambda sign: ".." if sign[0] > "\uffff" else ".", text)


def shown_name(uri: str, serial: str) -> str:
    """A virtual phone by its serial, however much its URI asks for; another one as the user named it."""
    return serial or uri.partition("?")[0] if uri.startswith("virtual") else uri
