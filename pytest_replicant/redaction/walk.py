"""The one walk over a value whose texts are redacted, by a policy: what becomes of a text, by the
path to it. And masks in place of secrets: in values, in records of ours, and in the bytes of
hierarchies and attachments, which spell a text in more ways than one."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar, cast

from ..model import MASK, Redactor, is_credential

Place = tuple[str, ...]
"""Names of fields and keys; ``ITEM`` for an entry of a list, and last ``KEY`` for a text that is a
key itself."""
Policy = Callable[[str, Place], str]
KEY, ITEM = "", "[]"
Value = TypeVar("Value")


def walked(value: Value, policy: Policy, path: Place = ()) -> Value:
    """The value with other texts. A dataclass in which nothing is another is the very same."""
    found: Any = value
    if isinstance(value, str):
        found = policy(value, path)
    elif isinstance(value, Mapping):
        found = {}
        for name, one in value.items():
            found[walked(name, policy, (*path, KEY))] = walked(one, policy, (*path, str(name)))
    elif hasattr(value, "_make"):
        named = zip(value._fields, cast("Any", value), strict=True)  # type: ignore[attr-defined]
        found = value._make(walked(one, policy, (*path, name)) for name, one in named)
    elif type(value) in (tuple, list, frozenset):
        found = type(value)(walked(one, policy, (*path, ITEM)) for one in cast("Any", value))  # type: ignore[call-arg]
    elif is_dataclass(value) and not isinstance(value, type):
        found = _record(value, policy, path)
    return cast("Value", found)


def _record(value: Any, policy: Policy, path: Place) -> Any:
    from ..model import Element  # heavy, and of no use before a phone was used

    if isinstance(value, Element) and value.family is not None:  # the whole screen it was on
        value = replace(value, family=None)
    changed: dict[str, Any] = {}
    for one in fields(value):
        before = getattr(value, one.name)
        after = walked(before, policy, (*path, one.name))
        if one.init and after is not before:
            changed[one.name] = after
    return replace(value, **changed) if changed else value


def every_text(change: Callable[[str], str]) -> Policy:
    """Keys too."""
    return lambda text, _: change(text)


def every_value(change: Callable[[str], str]) -> Policy:
    """Keys stand."""
    return lambda text, path: text if path[-1:] == (KEY,) else change(text)


def texts_in(value: object) -> list[str]:
    """All of them, keys too."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    walked(value, every_text(note))
    return found


_QUOTED = re.compile(r'"[^"<]*"|\'[^\'<]*\'|>[^<]+<')
_ENCODINGS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_OPAQUE = (
    "image/",
    "video/",
    "audio/",
    "font/",
    "application/zip",
    "application/pdf",
    "application/octet",
)

# Fields whose words are ours, never an app's or a test's: a secret such as "1" or "tap" must not
# break them.
_OURS = frozenset(
    {
        "schema", "outcome", "started_at", "kind", "result", "stage", "final_outcome", "timestamp",
        "action_id", "action_type", "lifecycle_state", "source_module", "failure_code",
        "runtime_code", "failure_class", "recovery_strategy", "cycle_id", "ref", "before", "after",
        "blob", "phase", "level", "screen_key", "id", "step", "code", "unfit", "owner", "structure",
        "snapshot",
    }
)  # fmt: skip
PATHS = frozenset({"outline", "path"})
"""Fields of a document that hold paths of ours; in a trace they hold texts."""
_FREE = frozenset({"metadata", "details", "device"})
"""Fields in which all is a test's or a phone's: keys too."""
_GIVEN = frozenset({"wanted", "observed", "other_way", "params"})
"""Fields whose keys are ours, and never the values."""


def masks_of(redactor: Redactor) -> Policy:
    """For a value of anyone's."""
    return lambda text, path: (
        MASK if path and is_credential(path[-1], text) else redactor.text(text)
    )


def masked_value(value: Value, redactor: Redactor) -> Value:
    """A value of anyone's: its keys too."""
    return walked(value, masks_of(redactor))


def masked_record(value: Value, redactor: Redactor, paths: frozenset[str] = frozenset()) -> Value:
    """A trace, its document or a part of one: our own words stand, and so do fields of
    ``paths``."""
    free, ours = masks_of(redactor), _OURS | paths

    def policy(text: str, path: Place) -> str:
        if not _FREE.isdisjoint(path):
            return free(text, path)
        names = [one for one in path if one != ITEM]
        parent, name = ("", "", *names)[-2:]
        in_list_of_actions = name == "before" and path[-1] == ITEM  # else it is the id of a screen
        given = parent in _GIVEN
        if (name in ours and not (given or in_list_of_actions)) or path[-1:] == (KEY,):
            return text
        return redactor.text(text, code=name == "source_text")

    return walked(value, policy)


def masked_source(source: bytes, redactor: Redactor) -> bytes:
    """A hierarchy, XML or JSON, without secrets: as typed, and as XML or JSON would escape them."""
    encoding = next((name for mark, name in _ENCODINGS if source.startswith(mark)), "utf-8")
    try:
        text = source.decode(encoding)
    except UnicodeDecodeError:  # broken bytes stay as they are, around the secrets
        encoding = "utf-8"
        text = source.decode("utf-8", errors="surrogateescape")
    if not redactor.may_change(text):
        return source
    clean = text
    if text.lstrip()[:1] not in ("{", "["):
        clean = _masked_markup(text, redactor)
    else:
        try:
            value = json.loads(text)
            masked = masked_value(value, redactor)
            if masked != value:
                clean = json.dumps(masked, ensure_ascii=False)
        except (ValueError, RecursionError):  # a log, JSON lines, or thousands of brackets
            clean = redactor.text(text)
    return source if clean == text else clean.encode(encoding, errors="surrogateescape")


def masked_attachment(data: bytes, media_type: str, redactor: Redactor) -> bytes:
    """An attachment without secrets; pictures and archives are opaque and stay as they are."""
    if media_type.lower().startswith(_OPAQUE):
        return data
    return masked_source(data, redactor)


def _masked_markup(text: str, redactor: Redactor) -> str:
    whole = html.unescape(text)
    if not redactor.by_pattern and redactor.text(whole) == whole:
        return text  # a pattern may match a quoted text, and not where it stands among others

    @cache
    def quoted(shown: str) -> str:
        value = html.unescape(shown[1:-1])
        clean = redactor.text(value)
        return shown if clean == value else shown[0] + html.escape(clean) + shown[-1]

    return redactor.text(_QUOTED.sub(lambda match: quoted(match[0]), text))
