"""JSON-RPC 2.0: a request's bytes in, an answer's bytes out."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...model import Point
from ..pace import Call as CallKind
from .automation import Automation
from .failures import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARAMS_INVALID,
    PARSE_ERROR,
    RpcError,
    java_exception,
    parameters_invalid,
)
from .selector import parse_selector

Kind = Literal["int", "long", "float", "boolean", "text", "object", "selector", "point", "ints"]
"""``object`` is a selector, or the name that an earlier call gave to an object."""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str) or _is_number(value)


def _is_point(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"x", "y"}
        and all(map(_is_number, value.values()))
    )


def _integer(bits: int) -> Callable[[object], int]:
    def convert_number(value: object) -> int:
        assert isinstance(value, int | float)
        number = int(value)  # Java too drops what follows the point
        if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
            raise parameters_invalid(f"{number} is out of range")
        return number

    return convert_number


def _to_text(value: object) -> object:
    return None if value is None else str(value)


def _to_selector(value: object) -> object:
    return parse_selector(value) if isinstance(value, dict) else value


def _to_point(value: object) -> object:
    assert isinstance(value, dict)
    return Point(_integer(32)(value["x"]), _integer(32)(value["y"]))


def _to_integers(value: object) -> object:
    assert isinstance(value, list)
    return [_integer(32)(each) for each in value]


def _to_float(value: object) -> object:
    assert isinstance(value, int | float)
    return float(value)


_ACCEPTS: dict[Kind, Callable[[object], bool]] = {
    "int": _is_number,
    "long": _is_number,
    "float": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "text": _is_text,
    "object": lambda value: isinstance(value, str | dict),
    "selector": lambda value: isinstance(value, dict),
    "point": _is_point,
    "ints": lambda value: isinstance(value, list) and all(map(_is_number, value)),
}
_CONVERT: dict[Kind, Callable[[object], object]] = {
    "int": _integer(32),
    "long": _integer(64),
    "float": _to_float,
    "boolean": lambda value: value,
    "text": _to_text,
    "object": _to_selector,
    "selector": _to_selector,
    "point": _to_point,
    "ints": _to_integers,
}


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RawJson:
    """A result that is JSON already, and is passed on as it is."""

    text: bytes


Result: TypeAlias = (
    "RawJson | bool | int | float | str | Sequence[Result] | dict[str, Result] | None"
)
Call = Callable[..., Awaitable[Result]]


@dataclass(frozen=True)
class Method:
    """One overload of a method: called with the ``Automation`` and as many arguments as it has
    kinds, after the phone's time for a call of its ``pace``; "" for one that takes its time by
    itself."""

    name: str
    kinds: tuple[Kind, ...]
    call: Call
    pace: CallKind | Literal[""] = "rpc"


def look(
    name: str, kinds: tuple[Kind, ...], act: Callable[..., Result], pace: CallKind = "rpc"
) -> Method:
    """A method that is done in one, with the phone standing still for it."""

    async def call(automation: Automation, *values: object) -> Result:
        return await automation.on_phone(lambda: act(automation, *values))

    return Method(name, kinds, call, pace)


class MethodTable:
    """The methods by name, each with its overloads."""

    def __init__(self, methods: Sequence[Method]) -> None:
        self._overloads: dict[str, list[Method]] = {}
        for method in methods:
            self._overloads.setdefault(method.name, []).append(method)

    @property
    def names(self) -> list[str]:
        return sorted(self._overloads)

    def choose(self, name: str, values: Sequence[object]) -> Method:
        """The first overload that takes these values; raises ``RpcError`` if none does."""
        if name not in self._overloads:
            raise RpcError(*METHOD_NOT_FOUND, name)
        for method in self._overloads[name]:
            if len(method.kinds) == len(values) and all(
                _ACCEPTS[kind](value) for kind, value in zip(method.kinds, values, strict=True)
            ):
                return method
        taken = " or ".join(f"({', '.join(method.kinds)})" for method in self._overloads[name])
        raise RpcError(*PARAMS_INVALID, f"{name} takes {taken}")


async def answer(table: MethodTable, automation: Automation, body: bytes) -> bytes:
    """The answer to one request; lists of requests and notifications, which no client sends, are
    refused."""
    identity: object = None
    try:
        try:
            given = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise RpcError(*PARSE_ERROR, str(error)) from None
        identity = given.get("id") if isinstance(given, dict) else None
        name, values = _read(given)
        result = await _perform(table.choose(name, values), automation, values)
    except RpcError as error:
        problem = {"code": error.code, "message": error.message, "data": error.data}
        return _encode({"jsonrpc": "2.0", "id": identity, "error": problem})
    encoded = result.text if isinstance(result, RawJson) else _encode(result)
    return b'{"jsonrpc":"2.0","id":' + _encode(identity) + b',"result":' + encoded + b"}"


def _read(given: object) -> tuple[str, list[object]]:
    if not isinstance(given, dict) or not isinstance(given.get("method"), str):
        raise RpcError(*INVALID_REQUEST, "a request is an object with a method")
    params = given.get("params")
    if params is None or params == {}:
        return given["method"], []
    if not isinstance(params, list):
        raise RpcError(*PARAMS_INVALID, "parameters have no names here; send a list")
    return given["method"], params


async def _perform(method: Method, automation: Automation, values: Sequence[object]) -> Result:
    try:
        converted = [
            _CONVERT[kind](value) for kind, value in zip(method.kinds, values, strict=True)
        ]
        if method.pace:
            await automation.phone.pace.take(method.pace)
        return await method.call(automation, *converted)
    except RpcError:
        raise
    except (TimeoutError, asyncio.TimeoutError) as error:
        reason = f"{method.name}: the phone did not answer in time; is an app looping?"
        raise java_exception("java.util.concurrent.TimeoutException", reason) from error
    except Exception as error:  # an app's own code may raise whatever it likes; the server goes on
        log.exception("virtual phone: %s failed", method.name)
        raise java_exception("java.lang.RuntimeException", traceback.format_exc()) from error


def _encode(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
