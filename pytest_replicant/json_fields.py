"""JSON that may be anyone's, checked against the annotations of our own values: a value that does not fit is
named by its place, with those that would."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from importlib import resources
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NoReturn, Union, cast, get_args, get_origin, get_type_hints

LONGEST = 4_000_000
"""Characters of a text at most."""
MOST = 100_000
"""Entries of a list at most."""
_LARGEST = 2**53
_SHOWN = 60
_DEEPEST = 6  # levels where anything may stand
_NAMES = {str: "text", int: "whole number", float: "number", bool: "true or false", NoneType: "null"}


def load_json(data: bytes) -> Any:
    """Raises ``ValueError``, with the reason, for bytes that are no standard JSON in UTF-8."""
    try:
        return json.loads(data.decode(), parse_constant=_no_number, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"is no JSON: {_brief(str(error))}") from None


def packaged_json(package: str, name: str) -> dict[str, Any]:
    """A file of a package, such as a published schema (JSON Schema, draft 2020-12); a new value on every call."""
    return cast("dict[str, Any]", load_json(resources.files(package).joinpath(name).read_bytes()))


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at]))
        raise ValueError(f"{_brief(repr(twice))} is there twice in one object")
    return found


def fitted(kind: Any, value: Any, where: str) -> Any:
    """``value`` as a ``kind``: text, number, true or false, ``None``, ``Literal``, union, tuple (named ones too),
    ``Mapping`` by text, dataclass. ``Annotated`` with a ``range`` bounds a number, or how long a text is, with a
    pattern or choices a text. Raises ``ValueError`` that begins with the place, ``where`` and below."""
    origin, inner = _parts(kind)
    if origin is Annotated:
        return _bounded(fitted(inner[0], value, where), inner[1], where)
    if origin in (Union, UnionType):
        return _any_of(inner, value, where)
    if origin is Literal:
        return value if isinstance(value, str) and value in inner else _refuse(where, value, _one_of(inner))
    if origin is str and isinstance(value, str):
        return _text(value, where)
    if origin in (int, float) and type(value) in (int, origin):
        return origin(value) if abs(value) <= _LARGEST else _refuse(where, value, "a number of reasonable size")
    if origin in (bool, NoneType):
        return value if type(value) is origin else _refuse(where, value, _NAMES[origin])
    if origin is Any:
        return _anything(value, where, _DEEPEST)
    if isinstance(value, list) and isinstance(origin, type) and issubclass(origin, tuple):
        return _tuple(origin, inner, value, where)
    if isinstance(value, dict) and origin is Mapping:
        _check_count(value, where)
        return {
            _text(name, where): fitted(inner[1], one, f"{where}.{_brief(name)}") for name, one in value.items()
        }
    if isinstance(value, dict) and is_dataclass(origin):
        return _record(origin, value, where)
    wanted = _NAMES.get(origin) or ("list" if isinstance(origin, type) and issubclass(origin, tuple) else "object")
    return _refuse(where, value, wanted if wanted.startswith("true") else f"a {wanted}".replace("a ob", "an ob"))


_PLAIN = (str, int, float, bool, NoneType)
_SCALARS = str | bool | int | float | None


def _anything(value: Any, where: str, levels: int) -> Any:
    if isinstance(value, _PLAIN):
        return fitted(_SCALARS, value, where)
    _check_count(value, where)
    if not levels:
        raise ValueError(f"{where}: more than {_DEEPEST} levels")
    if isinstance(value, list):
        return [_anything(one, f"{where}[{at}]", levels - 1) for at, one in enumerate(value)]
    return {
        _text(name, where): _anything(one, f"{where}.{_brief(name)}", levels - 1) for name, one in value.items()
    }


def _any_of(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    refusal: ValueError | None = None
    for kind in kinds:
        try:
            return fitted(kind, value, where)
        except ValueError as error:
            refusal = refusal or error
    raise refusal or ValueError(where)


def _tuple(kind: Any, inner: tuple[Any, ...], value: list[Any], where: str) -> Any:
    _check_count(value, where)
    named = list(_hints(kind).values()) if hasattr(kind, "_fields") else []
    kinds = named or (list(inner[:1]) * len(value) if inner[-1] is ... else list(inner))
    if len(kinds) != len(value):
        _refuse(where, value, f"a list of {len(kinds)}")
    found = [fitted(one, each, f"{where}[{at}]") for at, (one, each) in enumerate(zip(kinds, value, strict=True))]
    return kind(*found) if named else tuple(found)


def _record(kind: Any, given: Mapping[str, Any], where: str) -> Any:
    hints = _hints(kind)
    for name in given:
        if name not in hints:
            near = get_close_matches(name, hints, 1)
            hint = f" Did you mean {near[0]}?" if near else f" There are: {', '.join(hints)}."
            raise ValueError(f"{where}: there is no field {_brief(repr(name))}.{hint}")
    if missing := [name for name in _needed(kind) if name not in given]:
        raise ValueError(f"{where}: {missing[0]} is missing")
    dot = f"{where}." if where else ""
    return kind(**{name: fitted(hints[name], value, f"{dot}{name}") for name, value in given.items()})


def _bounded(value: Any, bound: Any, where: str) -> Any:
    if isinstance(bound, range) and isinstance(value, str):
        return value if len(value) in bound else _refuse(where, value, f"of at most {bound.stop - 1} characters")
    if isinstance(bound, range):
        allowed = f"a number from {bound.start} to {bound.stop - 1}"
        return value if bound.start <= value < bound.stop else _refuse(where, value, allowed)
    if isinstance(bound, tuple):
        return value if value in bound else _refuse(where, value, _one_of(bound))
    return value if bound.fullmatch(value) else _refuse(where, value, f"of the form {bound.pattern}")


def _text(text: str, where: str) -> str:
    if len(text) > LONGEST:
        raise ValueError(f"{where}: a text of {len(text)} characters, and {LONGEST} are allowed")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError(f"{where}: the text has half of a character in it")
    return text


def _check_count(value: Any, where: str) -> None:
    if len(value) > MOST:
        raise ValueError(f"{where}: {len(value)} entries, and {MOST} are allowed")


def _refuse(where: str, value: Any, allowed: str) -> NoReturn:
    shown = repr(value) if isinstance(value, _PLAIN) else "a list" if isinstance(value, list) else "an object"
    raise ValueError(f"{where}: {_brief(shown)} is not {allowed}")


def _one_of(names: tuple[Any, ...]) -> str:
    return f"one of {', '.join(repr(name) for name in names)}"


def _brief(text: str) -> str:
    shown = "".join(sign if sign.isprintable() else "?" for sign in text[: _SHOWN + 1])
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    if get_origin(kind) is Annotated:
        return Annotated, get_args(kind)
    return get_origin(kind) or kind, get_args(kind)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


@cache
def _needed(kind: Any) -> list[str]:
    return [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
