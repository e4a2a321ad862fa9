"""JSON of our own files and processes, decoded, encoded and described by the types of its values.

msgspec does it, and is imported when the first file is read or written. It takes our dataclasses as
they are, but lets fields pass that they do not have. So a ``Struct`` of the same fields is made of
each, which refuses them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import Flag
from functools import cache, lru_cache, reduce
from operator import or_
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NoReturn,
    Optional,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from .aliases import AnyDict, AnyMapping
from .calls import did_you_mean
from .element import Rect
from .selector import Selector

Kind = TypeVar("Kind")


class WrongSchema(ValueError):
    """A file of another schema than the one that is read; ``ours`` is whether it is of another
    version of this product."""

    def __init__(self, message: str, found: str) -> None:
        super().__init__(message)
        self.found = found
        self.ours = found.startswith("replicant.")


def decode(kind: type[Kind], data: bytes | str) -> Kind:
    """The value of a file's content. If its type has a field ``schema``, only files of that default
    are read. ``metadata`` of a field may say its ``name`` in the file, and which type is ``stored``
    there.

    Raises ``WrongSchema``, and ``ValueError`` with the place of a field that is unknown, missing or
    wrong."""
    import msgspec

    try:
        found = msgspec.json.decode(data, type=_wire(kind), dec_hook=_read_by_hand)
    except (ValueError, RecursionError) as error:
        _check_schema(kind, data)
        _refuse(kind, error)
    return cast("Kind", _made(found))


def convert(kind: type[Kind], value: object, where: str = "") -> Kind:
    """As ``decode``, of the values that JSON has; ``where`` is the place of this one in its
    file."""
    import msgspec

    try:
        found = msgspec.convert(value, _wire(kind), dec_hook=_read_by_hand)
    except (ValueError, RecursionError) as error:
        _refuse(kind, error, where)
    return cast("Kind", _made(found))


def encode(value: object, *, indent: int = 0) -> bytes:
    """JSON in UTF-8, of dataclasses too; in lines if indented. NaN becomes null, half of a
    character "?"."""
    import msgspec

    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:
        text = json.JSONEncoder(ensure_ascii=False).encode(msgspec.to_builtins(value))
        data = msgspec.json.encode(json.loads(text.encode("utf-8", "replace")))
    return msgspec.json.format(data, indent=indent) + b"\n" if indent else data


def json_schema(kind: type) -> AnyDict:
    """The JSON Schema (draft 2020-12) of a file, by its type; a new value on every call."""
    import msgspec

    schema = msgspec.json.schema(_wire(kind), schema_hook=_shape_of)
    named = schema["$defs"]
    top = named.pop(schema["$ref"].rpartition("/")[2])
    title = _schema_of(kind)
    about = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{title.replace('/', ':')}",
    }
    return {**about, **top, "title": title, "$defs": named}


# --- refusals -------------------------------------------------------------------------------------

_UNKNOWN = re.compile(r"Object contains unknown field `(.{0,60})", re.DOTALL)


def _refuse(kind: Any, error: Exception, where: str = "") -> NoReturn:
    import msgspec

    if isinstance(error, RecursionError):
        raise ValueError("is nested too deeply") from None
    if not isinstance(error, msgspec.ValidationError):
        raise ValueError(f"is no JSON: {error}") from None
    what, _, place = str(error).partition(" - at `$")
    if unknown := _UNKNOWN.match(what):
        name = unknown[1].rstrip("`")
        what = f"there is no field {name!r}.{did_you_mean(name, _names_in(_wire(kind)))}"
    place = f"{where}{place}".rstrip("`").lstrip(".")
    raise ValueError(f"{place}: {what}" if place else what) from None


def _names_in(wire: Any) -> frozenset[str]:
    """The fields of a file, at any place."""
    own = getattr(wire, "__struct_fields__", ())
    inner = get_type_hints(wire).values() if own else get_args(wire)
    return frozenset(own).union(*map(_names_in, inner))


def _schema_of(kind: Any) -> str:
    """Which files are read as a kind; "" if it is that of no file."""
    known = fields(kind) if is_dataclass(kind) else ()
    return next((str(one.default) for one in known if one.name == "schema"), "")


def _check_schema(kind: Any, data: bytes | str) -> None:
    """Raises ``WrongSchema``: what does not fit may be a file of another version."""
    import msgspec

    wanted, some_file = _schema_of(kind), msgspec.defstruct("File", [("schema", str, "")])
    try:
        found: str = cast("Any", msgspec.json.decode(data, type=some_file)).schema
    except (ValueError, RecursionError):
        return
    if found == wanted or not wanted:
        return
    (name, _, version), (our_name, _, our_version) = found.rpartition("/"), wanted.rpartition("/")
    if name != our_name or not version.isdecimal():
        whose = "" if found.startswith("replicant.") else ", but another tool's"
        raise WrongSchema(f"no {wanted}{whose}", found)
    which = "an earlier version. Next: make the file again"
    if int(version) > int(our_version):
        which = "a newer version. Next: install that"
    raise WrongSchema(f"this version reads {wanted}, and it is {found}, of {which}", found)


# --- what msgspec reads ---------------------------------------------------------------------------


class _Anything(type):
    """The type of a stand-in for a type that msgspec is not to look into: any value is an instance
    of it."""

    def __instancecheck__(cls, value: object) -> bool:
        return True


@cache
def _stand_in(kind: type) -> Any:
    return _Anything(kind.__name__, (), {"kind": kind})


_FAR = 2**31  # pixels from the corner of any screen
_FOUR_NUMBERS = {"type": "array", "items": {"type": "integer"}, "minItems": 4, "maxItems": 4}


def _shape_of(stand_in: Any) -> AnyDict:
    if stand_in.kind is Selector:
        return {"type": "object", "description": "A target by its keywords."}
    if stand_in.kind is Rect:
        return {
            "anyOf": [_FOUR_NUMBERS, {"type": "object"}],
            "description": "left, top, right, bottom",
        }
    return {"type": "array", "items": {"enum": list(stand_in.kind.__members__)}}


def _read_by_hand(stand_in: Any, value: Any) -> Any:
    kind = stand_in.kind
    try:
        if kind is Selector:
            return _selector_of(value)
        if kind is Rect:
            return _rect_of(value)
        known = kind.__members__
        if unknown := [name for name in value if name not in known]:
            raise ValueError(f"{unknown[0]!r:.60} is not one of {', '.join(known)}")
        return reduce(or_, (known[name] for name in value), kind(0))
    except (AttributeError, LookupError, TypeError, OverflowError, re.error) as error:
        raise ValueError(f"no {kind.__name__}: {error}") from None


def _rect_of(given: Any) -> Rect:
    """By its keywords or its sides. Raises ``ValueError`` and ``TypeError`` for anything else."""
    found = Rect(**given) if isinstance(given, dict) else Rect(*given)
    if not all(type(side) is int and abs(side) < _FAR for side in found):
        raise ValueError("a rectangle has four whole numbers of reasonable size")
    return found


def _selector_of(given: AnyMapping) -> Selector:
    """By its keywords. Raises ``ValueError`` and ``TypeError`` for anything else."""
    try:
        return _selector(tuple(given.items()))
    except TypeError:  # one of them is a list or an object
        return _selector(tuple((name, _keyword(value)) for name, value in given.items()))


@lru_cache(maxsize=500)  # those of system dialogs are in every cassette
def _selector(keywords: tuple[tuple[str, Any], ...]) -> Selector:
    return Selector(**dict(keywords))


def _keyword(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_selector_of, value))
    if not isinstance(value, dict):
        return value
    if "pattern" in value:
        return re.compile(value["pattern"], value["flags"])
    return _selector_of(value)


def _wire_of(kind: Any) -> Any:
    """The type with a ``Struct`` for each dataclass, and a stand-in for each that is read by
    hand."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in (Selector, Rect) or (isinstance(kind, type) and issubclass(kind, Flag)):
        return _stand_in(kind)
    if is_dataclass(kind):
        return _struct(kind)
    if origin in (Union, UnionType):
        return Union[tuple(map(_wire, inner))]  # noqa: UP007  # of types that are known only now
    if origin is Annotated:
        return _bounded(_wire(inner[0]), inner[1])
    if origin is None or origin is Literal:
        return kind
    return origin[tuple(map(_wire, inner))]


def _bounded(kind: Any, bound: Any) -> Any:
    """``bound`` is a range of a number, or of the length of a text, or a pattern or choices of a
    text."""
    import msgspec

    if isinstance(bound, tuple):
        return Literal[bound]
    if isinstance(bound, re.Pattern):
        letters = "?a:" if bound.flags & re.ASCII else "?:"
        return Annotated[kind, msgspec.Meta(pattern=f"^({letters}{bound.pattern})(?![\\s\\S])")]
    if kind is str:
        return Annotated[kind, msgspec.Meta(min_length=bound.start, max_length=bound.stop - 1)]
    return Annotated[kind, msgspec.Meta(ge=bound.start, lt=bound.stop)]


_wire: Callable[[Any], Any] = cache(_wire_of)


def _struct(kind: Any) -> Any:
    """Of the fields that take part in ``repr``; others are in no file."""
    import msgspec

    hints = get_type_hints(kind, include_extras=True)
    own = []
    tag: AnyDict = {}
    for one in fields(kind):
        if "tag" in one.metadata:  # it says which of several types this is
            tag = {"tag_field": one.name, "tag": one.default}
            continue
        known: AnyDict = {"name": one.metadata.get("name")}
        if one.default is not MISSING and one.name != "schema":
            known["default"] = one.default
        if one.default_factory is not MISSING:
            known["default_factory"] = one.default_factory
        if one.repr:
            stored = one.metadata.get("stored")
            hint = hints[one.name] if stored is None else Optional[stored]  # noqa: UP045  # known only now
            own.append((one.name, _wire(hint), msgspec.field(**known)))
    made = msgspec.defstruct(
        kind.__name__, own, module=kind.__module__, kw_only=True, forbid_unknown_fields=True,
        namespace={"__doc__": kind.__doc__}, **tag,
    )  # fmt: skip
    names = made.__struct_fields__
    _MAKERS[made] = lambda value: kind(**{name: _made(getattr(value, name)) for name in names})
    return made


def _made(value: Any) -> Any:
    """With our dataclasses in place of what msgspec has read."""
    make = _MAKERS.get(type(value))
    return value if make is None else make(value)


def _made_tuple(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if _MAKERS.keys().isdisjoint(map(type, values)):  # most are of texts and numbers
        return values
    return tuple([_made(one) for one in values])


_MAKERS: dict[type, Callable[[Any], Any]] = {
    tuple: _made_tuple,
    dict: lambda values: {name: _made(one) for name, one in values.items()},
}
"""What makes our values, by the type that msgspec has read."""
