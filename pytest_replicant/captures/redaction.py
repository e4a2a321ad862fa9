"""A capture for strangers: texts of apps, accounts, numbers and names of networks are others in it, and what the
phone is like is the same."""

from __future__ import annotations

import base64
import builtins
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from random import Random, SystemRandom
from typing import Any
from urllib.parse import unquote

from .. import errors
from ..errors import SnapshotError
from ..snapshots import read_hierarchy
from .archive import FORMS, Answer, Capture, CapturedScreen, ProofRow, Refusal
from .hierarchies import CODE, REFERENCE, Hierarchies, character, is_kept, is_number, json_values, xml_values
from .learned import ASKER, CUTOUT, PROPERTIES, PROPERTY, REFUSED, SETTINGS, setting_in
from .substitutes import SHORTEST, WORD, Words, key_of

LEFT_OUT = "left out: it would have shown a text of the phone"
_ERRORS = frozenset(
    name.lower()
    for room in (builtins, errors)
    for name, value in vars(room).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
"""Names that reasons begin with."""
_TRIES = 4  # in a large capture, a short word may be in base64 by chance
UNREADABLE = "left out: its hierarchy cannot be read, so it cannot be redacted"


def redacted(capture: Capture, secrets: Collection[str] = (), *, seed: int | None = None) -> Capture:
    """The capture with other words for those of apps and people: one word has the same substitute wherever it
    stands. ``secrets`` are in nothing of the result. Substitutes are new with each call, unless there is a
    ``seed``. What cannot be redacted is left out, and named in ``unknown``. Pictures stay as they are."""
    words = Words(SystemRandom() if seed is None else Random(seed))
    redaction = _Redaction(capture, words, sorted({*secrets} - {""}, key=lambda each: (-len(each), each)))
    redaction.all()  # all words first: none may become another one of them
    net = _Net(words, redaction)
    for _ in range(_TRIES):
        words.choose()
        found = net.checked(redaction.all())
        if LEFT_OUT not in found.unknown.values():
            break
    return found


# --- signs of personal data, and of none ----------------------------------------------------------------------
MAIL = r"[^\s\"'<>()\[\]{},;:=|/]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,100})+"
_IN_NAMES = (
    MAIL,
    r"(?<![0-9A-Za-z])(?!\d{4}-\d\d-\d\d)\+?\d(?:[ ()/-]{0,2}\d){6,}(?![\d:])",  # a phone, or its number
    r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b",
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b",
    r"\b(?:[0-9A-Fa-f]{0,4}:){3,7}[0-9A-Fa-f]{1,4}\b",
    r"(?:(?<=/home/)|(?<=/Users/)|(?<=\\Users\\))[^/\\\s\"']+",
)
_SERIAL = r"\b(?=(?:[A-Za-z]*\d){3})(?=\d*[A-Za-z])[0-9A-Za-z]{7,}\b"
_PERSONAL_KEY = re.compile(
    "ssid|name|title|label|account|owner|host|serial|imei|meid|iccid|number|msisdn|_id$|operator|address|mail",
    re.IGNORECASE,
)
_TITLE = (
    r"(?P<before>(?i:ssid|name|title|label|account|owner|host|serial|imei)\w{0,9}[=:] ?|\bu0 )"
    r"(?P<title>[^,;}\n\"']+)"
)
_QUOTED = "|".join(
    rf"{before}{begin}(?:[^{end}\\\n]|\\.?)*(?:{end}|(?=\n)|\Z)"
    for before, begin, end in (("", '"', '"'), (r"(?<!\w)", "'", "'"), ("", "“", "”"), ("", "«", "»"))
)
_PLATFORM = r"(?:android|androidx|com\.android|dalvik|java|javax|kotlin|libcore|com\.wetest)"
_SIGNATURE = re.compile(rf"['\"](?:\w+ )?{_PLATFORM}(?:\.[\w$]+)+(?:\([\w.$, ()\[\]]*\))?['\"]", re.ASCII)
"""What Java says of a method or a field, which is of no app."""
_THROWN = re.compile(rf"['\"]{_PLATFORM}(?:\.[\w$]+)*\.\w*(?:Exception|Error)\b", re.ASCII)
_JAVA = rf"\b{_PLATFORM}(?:\.[\w$]+)+"
_OURS = re.compile(rf"{_JAVA}|\"\w+\"(?=:)|^\w+ →", re.ASCII)
"""What is of no app in the raw answer of a call: names of Java, keys, the call."""
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")
_COMPONENT = re.compile(r"[A-Za-z]\w*(?:\.\w+)+(?:/[\w.$]+)?", re.ASCII)
_SAID = re.compile(r"(?:Physical|Override) (?:size: \d+x\d+|density: \d+)")
_LISTED = re.compile(r"^([\w.:/-]+)=(.*)$", re.MULTILINE)
_KEY = re.compile(r"\b[A-Za-z]\w*(?=[=:{])|^ *Display(?=[ :#])", re.ASCII | re.MULTILINE)
_PLAIN_VALUE = re.compile(r"\d{0,3}|true|false|null|running|stopped|unknown")
_IN_OUTLINE = re.compile(
    r"^ *(?:- )?\[[a-z]\d{3,15}\](?: (?!id=)[\w.$:/+-]{1,100}(?![^ ]))?|(?<= )(?:id|value)=|^Dialog(?![^ ])"
    r"|\[(?:(?:un)?checked|selected|focused|expanded|collapsed|disabled|password|scrollable)\]"
    r"|\((?:loading|keyboard open|offscreen|covered|\d+ (?:offscreen|covered)|cut at \d+ levels"
    r"|folded: [\d a-z,]+; outline\(full=True\) lists them|the app reports nothing of what it draws; look at "
    r"mobile\.screenshot\(\)|\+\d+ (?:more|inside))\)"
    r"|(?<= of )-?[\d.]+\.\.-?[\d.]+|\([A-Za-z]\w*(?:\.\w+)+\)$|\{x:-?\d+,y:-?\d+,w:\d+,h:\d+\}|@-?\d+,-?\d+$",
    re.MULTILINE,
)
_EXTRA = frozenset({"abi", "brand", "locale", "model", "release", "sdk", "simulator", "webdriveragent"})
_DEVICE = frozenset({"density", "height", "model", "os_version", "platform", "width"})

_CODED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


def _spelled_out(text: str) -> str:
    """Letters for what JSON and XML write as numbers; other signs stay as they are written."""
    text = _CODED.sub(partial(_if_letters, _of_json), text)
    return REFERENCE.sub(partial(_if_letters, character), text)


def _if_letters(read: Callable[[re.Match[str]], str], match: re.Match[str]) -> str:
    return read(match) if WORD.search(read(match)) else match[0]


def _of_json(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("\\u", "")).decode("utf-16-be", "replace")


# --- how each part is treated ----------------------------------------------------------------------------------
Part = tuple[int, int, str]
"""From, to, and how what stands there is treated: "kept" or "text"; "known" is a text that may be elsewhere."""


def _parts(answer: Answer) -> list[Part]:
    """The parts of an answer that are read, and those that are plainly texts. The rest is prose."""
    found: list[Part] = []
    command, output = answer.command, answer.output
    for match in PROPERTY.finditer(output):
        found += [(*match.span(1), "kept"), (*match.span(2), _how(match[1], match[2], match[1] in PROPERTIES))]
    settings = command.split()[:1] == ["settings"]
    for match in _LISTED.finditer(output) if settings or any(name in output for name in SETTINGS) else ():
        is_read = match[1] in SETTINGS and setting_in(match[1], "", match[0]) != ""
        if settings or is_read:
            found += [(*match.span(1), "kept"), (*match.span(2), _how(match[1], match[2], is_read))]
    if settings and not found and output:
        name = command.split()[-1]
        is_read = name in SETTINGS and setting_in(name, command, output) != ""
        found.append((0, len(output), _how(name, output.strip(), is_read)))
    found += [(*match.span(), "kept") for match in _KEY.finditer(output) if not _PERSONAL_KEY.search(match[0])]
    asker = ASKER.search(output) if "REQUEST_PERMISSIONS" in command else None
    for each in (asker, CUTOUT.search(output), *_SAID.finditer(output)):
        found += [(*each.span(), "kept")] if each else []
    return found


def _how(name: str, value: str, is_read: bool) -> str:
    if is_read or _PLAIN_VALUE.fullmatch(value):
        return "kept"
    return "known" if _PERSONAL_KEY.search(name) else "text"


def _reason_parts(text: str) -> list[Part]:
    """Of a message of ours, the first line is prose, and the others are most often an outline."""
    found: list[Part] = []
    last = text.find("\n") + 1 or len(text)
    for match in _IN_OUTLINE.finditer(text, last):
        found += [(last, match.start(), "known"), (*match.span(), "kept")]
        last = match.end()
    return [*found, (last, len(text), "known")]


def _refused_parts(text: str) -> list[Part]:
    return [(*match.span(), "kept") for _, pattern in REFUSED for match in pattern.finditer(text)]


class _Redaction:
    """One capture, and how each part of it is redacted. ``own`` are words of the proof, which are ours: in prose
    they stand."""

    def __init__(self, capture: Capture, words: Words, secrets: list[str]) -> None:
        self._capture = capture
        self._words = words
        self.secrets = secrets
        self.left: dict[str, str] = {}
        claims = [f"{row.name} {row.claim}" for row in capture.proof]
        self.own = {*_ERRORS, *(key_of(word) for text in claims for word in WORD.findall(text))}
        literal = [
            re.escape(each) if len(each) >= SHORTEST else rf"(?<!\w){re.escape(each)}(?!\w)" for each in secrets
        ]
        secret = f"(?i:{'|'.join(literal)})" if literal else "(?!)"
        self._secret = re.compile(secret)
        self._in_names = re.compile("|".join((secret, *_IN_NAMES)))
        marks = "|".join((secret, *_IN_NAMES, _SERIAL))
        self._in_prose = re.compile(
            f"(?P<mark>{marks})|(?P<java>{_JAVA})|(?P<quoted>{_QUOTED})|{_TITLE}|(?P<word>{WORD.pattern})"
        )
        self._unreadable: set[tuple[str, str]] = set()

    def all(self) -> Capture:
        self.left.clear()
        capture, named, reason = self._capture, self.named, self.reason
        self._hierarchies = Hierarchies(self._words.text, named)
        for secret in self.secrets:
            self._words.text(secret)
        screens = tuple(self._screen(each) for each in capture.screens)
        proof = (replace(row, name=named(row.name), claim=named(row.claim),
                         reason=named(row.reason) if row.verdict == "not offered" else reason(row.reason))
                 for row in capture.proof)  # fmt: skip
        refusals = (Refusal(*(self.prose(text, _refused_parts(text)) for text in (each.call, each.answer)))
                    for each in capture.refusals)  # fmt: skip
        return replace(
            capture,
            made={named(name): named(value) for name, value in capture.made.items()},
            device={name: self._fact(name, value, _DEVICE) for name, value in capture.device.items()},
            screens=screens,
            answers=tuple(self._answer(each) for each in capture.answers),
            refusals=tuple(refusals),
            proof=tuple(proof),
            redacted={"texts": True, "pictures": all(each.picture is None for each in screens)},
            unknown={**{named(name): reason(why) for name, why in capture.unknown.items()}, **self.left},
        )

    def _fact(self, name: str, value: Any, kept: Collection[str]) -> Any:
        """A fact of the phone; those that are not known to be of all such phones may be of its owner."""
        if name == "extra" and isinstance(value, Mapping):
            return {self.named(inner): self._fact(inner, one, _EXTRA) for inner, one in value.items()}
        return value if name == "platform" else self._value(value, name in kept)

    def _value(self, value: Any, is_name: bool) -> Any:
        if isinstance(value, Mapping):
            return {self.named(name): self._value(one, is_name) for name, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._value(one, is_name) for one in value]
        if isinstance(value, str):  # the number of a model may look like that of a phone
            return self._secret.sub(self._covered, value) if is_name else self._words.text(value)
        return value if isinstance(value, bool) or value is None or is_name else self._words.text(str(value))

    def _answer(self, answer: Answer) -> Answer:
        output, errors = self.prose(answer.output, _parts(answer), ()), self.prose(answer.errors, own=())
        return replace(answer, command=self.named(answer.command), output=output, errors=errors)

    # --- texts of one line or more ---------------------------------------------------------------------------
    def named(self, text: str) -> str:
        """A name or a phrase of ours, or of the phone's maker: only what looks personal in it is redacted."""
        return self._in_names.sub(self._covered, text)

    def _covered(self, match: re.Match[str]) -> str:
        return self._words.text(match[0]) if WORD.search(match[0]) else "-" * len(match[0])

    def reason(self, text: str) -> str:
        return self.prose(text, _reason_parts(text))

    def prose(self, text: str, parts: Iterable[Part] = (), own: Collection[str] | None = None) -> str:
        """A text of which not all is known. Words of the proof stand, or others that are our ``own``."""
        found: list[str] = []
        last = 0
        for start, end, how in [*sorted(parts), (len(text), len(text), "kept")]:
            if start >= last:
                pieces = ((text[last:start], "prose"), (text[start:end], how))
                found += [self._treated(piece, kind, self.own if own is None else own) for piece, kind in pieces]
                last = end
        return "".join(found)

    def _treated(self, text: str, how: str, own: Collection[str]) -> str:
        if how == "kept":
            return self.named(text)
        text = _spelled_out(text)
        if how == "prose":
            return self._in_prose.sub(lambda match: self._in_sentence(match, own), text)
        return self._words.text(text, how == "known")

    def _in_sentence(self, match: re.Match[str], own: Collection[str]) -> str:
        text = match[0]
        if match.lastgroup == "quoted":
            if _SIGNATURE.fullmatch(text):
                return self.named(text)
            pieces = text[1:-1].split('\\"')
            if _THROWN.match(text) and len(pieces) % 2:
                said = (
                    _by_escapes(piece, self._words.text if place % 2 else partial(self.prose, own=own))
                    for place, piece in enumerate(pieces)
                )
                return text[0] + '\\"'.join(said) + text[-1]
            is_key = match.string[match.end() : match.end() + 1] == ":" and CODE.fullmatch(text[1:-1])
            return self.named(text) if is_key else _by_escapes(text, self._words.text)
        if match.lastgroup == "java":
            return self.named(text)
        if match.lastgroup == "word":
            return self._words.text(text, False) if key_of(text) not in own and self._words.knows(text) else text
        if match.lastgroup == "title":
            title = match["title"]
            return match["before"] + (self.named if _COMPONENT.fullmatch(title) else self._words.text)(title)
        return self._covered(match)

    # --- screens ---------------------------------------------------------------------------------------------
    def _screen(self, seen: CapturedScreen) -> CapturedScreen:
        step, named = seen.reached, self.named
        forms = {form: self._form(seen.name, form, source) for form, source in seen.forms.items()}
        return replace(
            seen,
            name=named(seen.name),
            app=named(seen.app),
            activity=named(seen.activity),
            reached=replace(step, source=named(step.source), intent=named(step.intent)),
            forms={form: source for form, source in forms.items() if source is not None},
        )

    def _form(self, screen: str, form: str, source: bytes) -> bytes | None:
        read = self._hierarchies.json if FORMS[form] == "json" else self._hierarchies.xml
        try:
            if (screen, form) in self._unreadable:
                raise ValueError(UNREADABLE)
            if not self._words.chosen:
                read_hierarchy(source, self._capture.platform)  # type: ignore[arg-type]
            return read(source.decode("utf-8-sig")).encode()
        except (SnapshotError, ValueError):
            self._unreadable.add((screen, form))
            self.left[f"{form} of screen {self.named(screen)}"] = UNREADABLE
            return None


def _by_escapes(text: str, change: Callable[[str], str]) -> str:
    """A text in quotes, but for what stands there for signs that are not seen."""
    found, last = [], 0
    for match in _ESCAPE.finditer(text):
        found += [change(text[last : match.start()]), match[0]]
        last = match.end()
    return "".join([*found, change(text[last:])])


# --- the net -------------------------------------------------------------------------------------------------
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{6,}")


class _Net:
    """Looks at all that would be written for words that were to be others, however they are spelled."""

    def __init__(self, words: Words, redaction: _Redaction) -> None:
        self._words = words
        self._redaction = redaction
        self._seen: dict[str, bool] = {}
        self._secrets = [each.casefold() for each in redaction.secrets if len(each) >= SHORTEST]

    def checked(self, capture: Capture) -> Capture:
        unknown = dict(capture.unknown)
        screens = tuple(self._screen(each, unknown) for each in capture.screens)
        device = dict(capture.device)
        if isinstance(device.get("extra"), Mapping):
            device["extra"] = {
                name: value for name, value in device["extra"].items() if self._is_clean(name, value)
            }
        return replace(
            capture,
            made={name: self._line(value, "") for name, value in capture.made.items()},
            device=device,
            screens=screens,
            answers=tuple(map(self._answer, capture.answers)),
            refusals=tuple(
                Refusal(self._refused(each.call), self._refused(each.answer)) for each in capture.refusals
            ),
            proof=tuple(self._row(each) for each in capture.proof),
            unknown={name: self._reason(why) for name, why in unknown.items()},
        )

    def _row(self, row: ProofRow) -> ProofRow:
        return row if row.verdict == "not offered" else replace(row, reason=self._reason(row.reason))

    def _reason(self, text: str) -> str:
        return self._line(text, _OURS.sub(" ", _without(text, _reason_parts(text))))

    def _is_clean(self, name: str, value: Any) -> bool:
        text = json.dumps(value, ensure_ascii=False)
        return not self._gives_away(text, "" if name in _EXTRA else text, ())

    def _line(self, text: str, loose: str) -> str:
        """``loose`` is what of the text may not hold such a word; the secrets may be nowhere in it."""
        return LEFT_OUT if text != UNREADABLE and self._gives_away(text, loose) else text

    def _refused(self, text: str) -> str:
        return self._line(text, _OURS.sub(" ", _without(text, _refused_parts(text))))

    def _answer(self, answer: Answer) -> Answer:
        said = f"{answer.output}\n{answer.errors}"
        loose = f"{_without(answer.output, _parts(answer))}\n{answer.errors}"
        if self._gives_away(f"{answer.command}\n{said}", loose, ()):
            return replace(answer, output=LEFT_OUT, errors="")
        return answer

    def _screen(self, seen: CapturedScreen, unknown: dict[str, str]) -> CapturedScreen:
        forms = {}
        for form, source in seen.forms.items():
            text = source.decode()
            values = json_values(text) if FORMS[form] == "json" else xml_values(text)
            said = {value for name, value in values if not is_number(name, value)}
            loose = {value for name, value in values if not is_kept(name, value)}
            if self._gives_away("\n".join(said), "\n".join(loose), ()):
                unknown[f"{form} of screen {seen.name}"] = LEFT_OUT
            else:
                forms[form] = source
        return replace(seen, forms=forms)

    def _gives_away(self, text: str, loose: str, own: Collection[str] | None = None) -> bool:
        if self._secrets and any(
            secret in each.casefold() for each in _spellings(text) for secret in self._secrets
        ):
            return True
        own = self._redaction.own if own is None else own
        plain = _read(loose)
        if any(key_of(word) not in own and self._shows(word) for each in plain for word in WORD.findall(each)):
            return True
        coded = (word for each in plain for text in _from_base64(each) for word in WORD.findall(text))
        return any(len(word) >= SHORTEST and self._words.is_exact(word) for word in coded)

    def _shows(self, word: str) -> bool:
        if word not in self._seen:
            self._seen[word] = self._words.gives_away(word)
        return self._seen[word]


def _without(text: str, parts: Iterable[Part]) -> str:
    """The text without those of its parts that are kept."""
    found, last = [], 0
    for start, end, how in sorted(parts):
        if how == "kept" and start >= last:
            found.append(text[last:start])
            last = end
    return " ".join([*found, text[last:]])


def _spellings(text: str) -> Iterator[str]:
    for each in _read(text):
        yield each
        yield from _from_base64(each)


def _read(text: str) -> set[str]:
    """The text, and what it is to those who read it as JSON, XML or part of an address."""
    read = _spelled_out(text)
    return {text, unquote(read) if "%" in read else read}


def _from_base64(text: str) -> Iterator[str]:
    for piece in {*_BASE64.findall(text)}:
        yield from _of_base64(piece)


@lru_cache(maxsize=65_536)
def _of_base64(piece: str) -> tuple[str, ...]:
    """What it may be the middle of: a text in base64 that begins anywhere. Short pieces between other bytes are
    there by chance."""
    plain = piece.replace("-", "+").replace("_", "/")
    found: list[str] = []
    for start in range(4):
        part = plain[start : len(plain) - ((len(plain) - start) % 4 == 1)]
        read = base64.b64decode(part + "=" * (-len(part) % 4)).decode("utf-8", "replace")
        texts = _NO_TEXT.split(read)
        found += [each for each in texts if len(each) > SHORTEST + 1 or len(texts) == 1]
    return tuple(found)


_NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ufffd]+")
