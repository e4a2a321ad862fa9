"""``replicant.profile/1``: a phone as a file, for ``virtual?profile=FILE.json``. It may come from
anyone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from ..errors import UsageError
from ..model import WrongSchema, convert, decode
from .profile import OVERLAYS, PERMISSION_DIALOGS, Latency
from .recording import RecordedScreen, check_screens

SCHEMA = "replicant.profile/1"
MOST_BYTES = 64_000_000
ENDING = ".json"

_Phrase = Annotated[str, re.compile(r"[^\x00-\x1f\x7f\u2028\u2029]{1,200}")]
_Component = Annotated[str, re.compile(r"([A-Za-z]\w*(\.\w+)+/[\w.$]+)?", re.ASCII)]
_Side = Annotated[int, range(160, 10_001)]


@dataclass(frozen=True)
class Values:
    """What a file may say of the fields of a ``Profile``; None for what it does not."""

    brand: _Phrase | None = None
    model: _Phrase | None = None
    product: _Phrase | None = None
    device: _Phrase | None = None
    release: _Phrase | None = None
    abi: _Phrase | None = None
    characteristics: _Phrase | None = None
    folded: bool | None = None
    injects: bool | None = None
    writes_settings: bool | None = None
    reads_clipboard: bool | None = None
    stylus: bool | None = None
    verifier: bool | None = None
    keyboard: _Component | None = None
    autofill: _Component | None = None
    width: _Side | None = None
    height: _Side | None = None
    density: Annotated[int, range(72, 1001)] | None = None
    cutout: Annotated[int, range(301)] | None = None
    sdk: Annotated[int, range(100)] | None = None
    displays: Annotated[int, range(1, 3)] | None = None
    deepest: Annotated[int, range(1, 1000)] | None = None
    screen_timeout: Annotated[int, range(1, 86_401)] | None = None
    locale: Annotated[str, re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")] | None = None
    permissions: Annotated[str, PERMISSION_DIALOGS] | None = None
    windows: tuple[Annotated[str, OVERLAYS], ...] | None = None
    latency: Latency | None = None

    @property
    def given(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}


def check_fact(name: str, value: Any) -> None:
    """Raises ``ValueError`` for a value that the field of this name cannot have."""
    if not isinstance(value, Latency):
        convert(Values, {name: value})


@dataclass(frozen=True)
class FactsInFile:
    """``values`` are those that ``source`` reports."""

    source: _Phrase
    values: Values


@dataclass(frozen=True)
class ProfileFile:
    """The content of such a file. ``called`` is the phone's name among people; ``unknown`` are
    facts that are not known, each with the reason."""

    called: _Phrase
    platform: Literal["android", "ios"]
    facts: tuple[FactsInFile, ...]
    schema: Literal["replicant.profile/1"] = "replicant.profile/1"
    unknown: Mapping[str, _Phrase] = field(default_factory=dict)
    screens: tuple[RecordedScreen, ...] = ()


def is_file(name: str) -> bool:
    """Whether a profile's name is that of a file."""
    return name.endswith(ENDING) or "/" in name or "\\" in name


def read_profile_file(name: str) -> ProfileFile:
    """``name`` is a path, of the working directory where it is relative. Raises ``UsageError`` with
    the field."""
    try:
        path = Path(name).resolve()
        if not path.is_file():
            raise UsageError(f"profile {name}: there is no such file")
        found = path.stat()
        if found.st_size > MOST_BYTES:
            raise UsageError(f"profile {name}: {found.st_size} bytes, and {MOST_BYTES} are allowed")
        return _read(path, found.st_mtime_ns, found.st_size)
    except (OSError, RuntimeError) as error:  # a link in a circle is a RuntimeError
        raise UsageError(
            f"profile {name}: cannot be read: {getattr(error, 'strerror', '') or error}"
        ) from None
    except ValueError as error:
        raise UsageError(f"profile {name}: {error}") from None


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> ProfileFile:
    """``changed`` and ``size`` are for the cache: a file that was written again is read again."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES)
    try:
        read = decode(ProfileFile, content)
    except WrongSchema as error:
        raise ValueError(f"{error}. One is made by: replicant virtual from-capture ZIP") from None
    said: dict[str, str] = {}
    for number, facts in enumerate(read.facts):
        for name in facts.values.given:
            if name in said:
                raise ValueError(f"facts[{number}].values.{name}: {said[name]} has it already")
            said[name] = f"facts[{number}]"
    check_screens(read.screens)
    return read
