"""Secrets out of documents, hierarchies and attachments, which spell a text in more ways than one."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ...model import Redactor

if TYPE_CHECKING:
    from ...kept import RecordedAttempt
    from ...model import TestTrace

_QUOTED = re.compile(r'"[^"<]*"|\'[^\'<]*\'|>[^<]+<')
_ENCODINGS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_OPAQUE = ("image/", "video/", "audio/", "font/", "application/zip", "application/pdf", "application/octet")

# Fields whose words are ours, never an app's or a test's: a secret such as "1" or "tap" must not break them.
OURS = frozenset(
    {
        "schema", "outcome", "started_at", "kind", "result", "stage", "final_outcome", "timestamp",
        "action_id", "action_type", "lifecycle_state", "source_module", "failure_code", "runtime_code",
        "failure_class", "recovery_strategy", "cycle_id", "ref", "before", "after", "blob", "outline", "path",
        "phase", "level", "screen_key", "id", "step", "code", "unfit", "owner", "structure", "snapshot",
    }
)  # fmt: skip
FREE = frozenset({"metadata", "details", "device"})


def redacted_document(value: Any, redactor: Redactor, field: str = "") -> Any:
    """A trace document without secrets: free text and free mappings are cleaned, its structure stands."""
    if isinstance(value, dict):
        if field in FREE:
            return redactor.value(value)
        return {name: redacted_document(item, redactor, name) for name, item in value.items()}
    if isinstance(value, list):
        inner = "" if field == "before" else field  # a list of those is what was done, not the id of a screen
        return [redacted_document(item, redactor, inner) for item in value]
    if not isinstance(value, str) or field in OURS:
        return value
    return redactor.text(value, code=field == "source_text")


def redacted_source(source: bytes, redactor: Redactor) -> bytes:
    """A hierarchy, XML or JSON, without secrets: as typed, and as XML or JSON would escape them."""
    encoding = next((name for mark, name in _ENCODINGS if source.startswith(mark)), "utf-8")
    try:
        text = source.decode(encoding)
    except UnicodeDecodeError:  # broken bytes stay as they are, around the secrets
        encoding = "utf-8"
        text = source.decode("utf-8", errors="surrogateescape")
    if not redactor.may_change(text):
        return source
    cleaned = (
        _redacted_json(text, redactor) if text.lstrip()[:1] in ("{", "[") else _redacted_markup(text, redactor)
    )
    return source if cleaned == text else cleaned.encode(encoding, errors="surrogateescape")


def redacted_attachment(data: bytes, media_type: str, redactor: Redactor) -> bytes:
    """An attachment without secrets; pictures and archives are opaque and stay as they are."""
    if media_type.lower().startswith(_OPAQUE):
        return data
    return redacted_source(data, redactor)


def _redacted_json(text: str, redactor: Redactor) -> str:
    try:
        value = json.loads(text)
    except ValueError:  # a log that begins with a bracket, or JSON lines
        return redactor.text(text)
    cleaned = redactor.value(value)
    return text if cleaned == value else json.dumps(cleaned, ensure_ascii=False)


def _redacted_markup(text: str, redactor: Redactor) -> str:
    whole = html.unescape(text)
    if not redactor.by_pattern and redactor.text(whole) == whole:
        return text  # a pattern may match a quoted text, and not where it stands among others

    @cache
    def quoted(shown: str) -> str:
        value = html.unescape(shown[1:-1])
        cleaned = redactor.text(value)
        return shown if cleaned == value else shown[0] + html.escape(cleaned) + shown[-1]

    return redactor.text(_QUOTED.sub(lambda match: quoted(match[0]), text))


_STANDS = OURS - {"outline", "path"}
"""Fields of a trace whose words are ours; those two hold paths of ours in a document alone."""

Value = TypeVar("Value")


def cleaned(value: Value, redactor: Redactor, field: str) -> Value:
    """A frozen value without secrets; the very same where it holds none. Words of ours stand, as in documents."""
    from ...model import Element

    found: Any = value
    if isinstance(value, str):
        found = value if field in _STANDS else redactor.text(value, code=field == "source_text")
    elif isinstance(value, Mapping):
        found = {name: cleaned(item, redactor, field) for name, item in value.items()}
        if field in FREE:
            found = redactor.value(found)
    elif hasattr(value, "_make"):  # a named tuple
        found = type(value)._make(cleaned(item, redactor, "") for item in value)  # type: ignore[attr-defined]
    elif type(value) in (tuple, list, frozenset):
        inner = "" if field == "before" else field
        found = type(value)(cleaned(item, redactor, inner) for item in value)  # type: ignore[attr-defined, call-arg]
    elif isinstance(value, Element) and value.family is not None:  # which is the whole screen it was on
        found = cleaned(replace(value, family=None), redactor, field)
    elif is_dataclass(value) and not isinstance(value, type):
        before = {item.name: getattr(value, item.name) for item in fields(value) if item.init}
        after = {name: cleaned(item, redactor, name) for name, item in before.items()}
        changed = {name: item for name, item in after.items() if item is not before[name]}
        found = replace(value, **changed) if changed else value
    return cast("Value", found)


def recorded(trace: TestTrace, redactor: Redactor) -> RecordedAttempt:
    """An attempt that has just ended, as it is read of its files: redacted."""
    from ...kept import recorded as of_trace  # heavy, and of no use before a phone was used

    screens = {name: replace(one, elements=()) for name, one in trace.snapshots.items()}
    return of_trace(cleaned(replace(trace, attachments=(), screenshots={}, snapshots=screens), redactor, ""))
