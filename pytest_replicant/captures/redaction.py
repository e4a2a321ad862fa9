"""A capture for strangers: kept are the facts that are read from it, and words of our own. Texts of apps,
accounts, numbers and names of networks are others."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from ..errors import SnapshotError
from .archive import Capture, CapturedScreen, ProofRow
from .hierarchies import rewritten
from .substitutes import WORD, Words, key_of

UNREADABLE = "left out: its hierarchy cannot be read, so it cannot be redacted"
MAIL = r"[^\s\"'<>()\[\]{},;:=|/]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,100})+"
_PERSONAL = (
    MAIL,
    r"(?<![0-9A-Za-z])(?!\d{4}-\d\d-\d\d)\+?\d(?:[ ()/-]{0,2}\d){6,}(?![\d:])",  # a phone, or its number
    r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b",
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b",
    r"\b(?:[0-9A-Fa-f]{0,4}:){3,7}[0-9A-Fa-f]{1,4}\b",
    r"(?:(?<=/home/)|(?<=/Users/)|(?<=\\Users\\))[^/\\\s\"']+",
)
"""What may be in a name that is no text: an id, a package, a path."""
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\"?|(?<!\w)'(?:[^'\\\n]|\\.)*'?|“[^”\n]*”?|«[^»\n]*»?"
_EXTRA = ("abi", "brand", "locale", "model", "release", "sdk", "simulator", "webdriveragent")
_DEVICE = ("platform", "model", "os_version", "width", "height", "density")
_OUR_ROOMS = ("drivers", "proving", "session", "snapshots", "testing")
"""Whose messages a proof has."""


@cache
def _our_words() -> frozenset[str]:
    """The words of our own code: a message may say them."""
    package = Path(__file__).parents[1]
    sources = [package / "errors.py", *(file for room in _OUR_ROOMS for file in package.glob(f"{room}/**/*.py"))]
    return frozenset(key_of(word) for file in sources for word in WORD.findall(file.read_text(encoding="utf-8")))


def redacted(capture: Capture, secrets: Collection[str] = (), *, seed: int | None = None) -> Capture:
    """The capture with other words for those of apps and people: one word has the same substitute wherever it
    stands. ``secrets`` are in nothing of the result. Substitutes are new with each call, unless there is a
    ``seed``. What cannot be redacted is left out, and named in ``unknown``. Pictures stay as they are."""
    words = Words(SystemRandom() if seed is None else Random(seed))
    return _Redaction(words, sorted({*secrets} - {""}, key=lambda each: (-len(each), each))).of(capture)


class _Redaction:
    """Of one capture."""

    def __init__(self, words: Words, secrets: list[str]) -> None:
        self._words = words
        literal = [rf"(?<!\w){re.escape(each)}(?!\w)" if len(each) < 4 else re.escape(each) for each in secrets]
        secret = f"(?i:{'|'.join(literal)})" if literal else "(?!)"
        self._secret = re.compile(secret)
        self._in_names = re.compile("|".join((secret, *_PERSONAL)))
        self._in_prose = re.compile(f"{secret}|{_QUOTED}|(?P<word>{WORD.pattern})")
        self._left: dict[str, str] = {}

    def of(self, capture: Capture) -> Capture:
        screens = tuple(self._screen(each, capture.platform) for each in capture.screens)
        unknown = {self._name(name): self._prose(why) for name, why in capture.unknown.items()}
        return replace(
            capture,
            made={self._name(name): self._name(value) for name, value in capture.made.items()},
            device=self._device(capture.device),
            screens=screens,
            facts={source: self._fact(values) for source, values in capture.facts.items()},
            proof=tuple(map(self._row, capture.proof)),
            redacted={"texts": True, "pictures": all(each.picture is None for each in screens)},
            unknown={**unknown, **self._left},
        )

    def _device(self, device: Mapping[str, Any]) -> dict[str, Any]:
        """Facts of all such phones; others may be of its owner."""
        kept = {name: self._fact(device[name]) for name in _DEVICE if name in device}
        extra = device.get("extra")
        if isinstance(extra, Mapping):
            kept["extra"] = {name: self._fact(extra[name]) for name in _EXTRA if name in extra}
        return kept

    def _fact(self, value: Any) -> Any:
        """The number of a model may look like that of a phone."""
        if isinstance(value, Mapping):
            return {name: self._fact(one) for name, one in value.items()}
        return self._secret.sub(self._covered, value) if isinstance(value, str) else value

    def _row(self, row: ProofRow) -> ProofRow:
        name, claim, reason = self._name(row.name), self._name(row.claim), row.reason
        return replace(row, name=name, claim=claim, reason=self._prose(reason))

    def _screen(self, seen: CapturedScreen, platform: Any) -> CapturedScreen:
        step, named = seen.reached, self._name
        forms: dict[str, bytes] = {}
        for form, source in seen.forms.items():
            try:
                written = rewritten(source, self._words.text, named, platform)
            except SnapshotError:
                self._left[f"{form} of screen {named(seen.name)}"] = UNREADABLE
            else:
                forms.setdefault(form.replace("json", "xml"), written)
        return replace(
            seen,
            name=named(seen.name),
            app=named(seen.app),
            activity=named(seen.activity),
            reached=replace(step, source=named(step.source), intent=named(step.intent)),
            forms=forms,
        )

    # --- texts -----------------------------------------------------------------------------------------------
    def _name(self, text: str) -> str:
        """A name or a phrase of ours, or of the phone's maker: only what looks personal in it is another."""
        return self._in_names.sub(self._covered, text)

    def _prose(self, text: str) -> str:
        """A message of ours: our own words stand, but where they are quoted."""
        return self._in_prose.sub(self._in_sentence, text)

    def _in_sentence(self, match: re.Match[str]) -> str:
        is_ours = match["word"] is not None and key_of(match[0]) in _our_words()
        return match[0] if is_ours else self._covered(match)

    def _covered(self, match: re.Match[str]) -> str:
        return self._words.text(match[0]) if WORD.search(match[0]) else "-" * len(match[0])
