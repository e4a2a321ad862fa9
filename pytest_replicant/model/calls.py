"""Public calls. A wrong one is answered in one sentence, with the call as it should be, at its
line. The base of the errors of this package stands here too; ``errors`` has the others."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import wraps
from math import isfinite
from types import FunctionType, NoneType, TracebackType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from .aliases import AnyDict, AnyMapping, Strings

if TYPE_CHECKING:
    from typing_extensions import Self

    from .failure import Failure, FailureRecord


class Parted:
    """An error that keeps what it says in parts: a ``Failure``, or what happened in words of ours
    with ``advice``, what to do next. ``remarks`` are lines that were found out after it was raised.
    Text is made of them by ``str`` alone."""

    parts: Failure | None
    advice: str
    remarks: Strings = ()
    _preface = ""
    recoverable = True

    def _say(self, said: Failure | str, advice: str = "") -> None:
        self.parts = None if isinstance(said, str) else said
        self._words = said if isinstance(said, str) else ""
        self.advice = advice

    @property
    def what(self) -> str:
        """What happened, in one line: without advice, and without what came of it."""
        return self._preface + self._text(whole=False)

    def _text(self, *, whole: bool = True) -> str:
        if self.parts is None:
            return self._words
        from .failure import opening, text_for_terminal  # for a failure on a phone

        return text_for_terminal(self.parts) if whole else opening(self.parts)

    def preface(self, words: str) -> None:
        """Puts words before what it says."""
        self._preface = words + self._preface

    def advise(self, advice: str) -> None:
        """Says what to do next, if it does not say so itself."""
        self.advice = self.advice or advice

    def remark(self, line: str) -> None:
        """Adds a line to what it says, if there is any."""
        self.remarks += (line,) if line else ()

    def __str__(self) -> str:
        text = self._preface + self._text()
        if self.advice:
            text += "" if text.endswith((".", "?")) else "."
            text += f" Next: {self.advice}"
        return "\n".join([text, *self.remarks])


class ReplicantError(Parted, Exception):
    """Base of what this package raises, failed checks apart. ``failure`` holds its facts, as the
    trace has them, if a session raised it. ``what`` is what happened, and ``advice`` what to do
    next, "" for none of its own. ``recoverable``: another try may help, as a further read or a new
    connection."""

    __module__ = "pytest_replicant.errors"  # which has them all
    failure: FailureRecord | None = None

    def __init__(self, said: Failure | str = "", *, advice: str = "") -> None:
        super().__init__(said)
        self._say(said, advice)

    def give_up(self) -> Self:
        """The same error, from which nothing is to recover: what was done by then may not be done
        twice."""
        self.recoverable = False
        return self


def did_you_mean(word: str, words: Iterable[str], likeness: float = 0.6, form: str = "{}") -> str:
    """The sentence that proposes the nearest of the words, after a space; "" if none is that much
    alike, from 0 to 1. ``form`` is how a word is written in it."""
    near = get_close_matches(word, list(words), 1, likeness)
    return f" Did you mean {form.format(near[0])}?" if near else ""


def what_happened(error: object) -> str:
    """An error in one line: of ours without advice, of another its first line, or its type."""
    if isinstance(error, Parted):
        return error.what
    return str(error).partition("\n")[0] or type(error).__name__


class UsageError(ReplicantError):
    """The call, option or URI is wrong; nothing was done."""

    __module__ = "pytest_replicant.errors"


_WrongCall = type("UsageError", (UsageError, TypeError), {"__module__": UsageError.__module__})
"""Where arguments do not fit a signature: what any function raises then, too."""

_OURS = frozenset({__name__.partition(".")[0], "contextlib", "pluggy"})
"""Ours, and what lies between ours and those of a test."""


def their_frames(frames: TracebackType | None) -> list[TracebackType]:
    """The steps of a traceback without those through this package."""
    kept = []
    while frames is not None:
        if str(frames.tb_frame.f_globals.get("__name__")).partition(".")[0] not in _OURS:
            kept.append(frames)
        frames = frames.tb_next
    return kept


def joined_frames(
    kept: list[TracebackType], last: TracebackType | None = None
) -> TracebackType | None:
    """One traceback of these steps."""
    for one in reversed(kept):
        last = TracebackType(last, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return last


Values = tuple[Any, ...]
"""The arguments of a call that have no name."""
Public = TypeVar("Public", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)


def public(function: Public) -> Public:
    """Decorator of what users call. A call that does not fit its signature is a ``UsageError``; of
    one that does, no more is looked at than the names of its arguments."""
    call = _Call(function)

    @wraps(function)
    def checked(*args: Any, **given: Any) -> Any:
        __tracebackhide__ = True
        try:
            if call.is_plainly_wrong(args, given):
                raise _WrongCall(call.answer(args, given))
            return function(*args, **given)
        except UsageError as error:
            if not isinstance(error, _WrongCall):
                error.advise(call.advice(args, given))
            raise error.with_traceback(joined_frames(their_frames(error.__traceback__))) from None
        except (TypeError, AttributeError):
            if not call.fits(args, given):
                raise _WrongCall(call.answer(args, given)) from None
            if not (advice := call.advice(args, given)):
                raise
            raise UsageError(
                f"{function.__name__}(): a value of another type is meant", advice=advice
            ) from None

    vars(checked)["call"] = call
    return cast("Public", checked)


def public_methods(kind: Class) -> Class:
    """Decorator of a class whose methods users call, or whose values they make."""
    for name, one in list(vars(kind).items()):
        if isinstance(one, FunctionType) and (name == "__init__" or not name.startswith("_")):
            setattr(kind, name, public(one))
    return kind


class PublicMethods:
    """Base of such a class, for all that are made of it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        public_methods(cls)


def wrong_call(method: Callable[..., Any], args: Sequence[Any], given: AnyMapping) -> str:
    """The sentence for a call of a public method that does not fit its signature, before it is
    made; "" for any other."""
    call: _Call = vars(method)["call"]
    every = (None, *args)
    if call.fits(every, given) and (call.target < 0 or given.keys() <= call.known):
        return ""
    return call.answer(every, given)


ELSEWHERE = {
    "name": "text", "label": "text", "hint": "text", "placeholder": "text", "xpath": "text",
    "css": "text", "exact": "text", "has_text": "text_contains", "id": "resource_id",
    "test_id": "resource_id", "accessibility_id": "description", "content_desc": "description",
    "index": "nth", "instance": "nth", "class_": "class_name", "type": "class_name",
    "below": "near", "above": "near", "inside": "within", "row": "row_with",
    "timeout_ms": "timeout", "duration": "seconds",
}  # fmt: skip
"""Names of keywords in other tools."""
_OTHERWISE = {
    "xpath": ", as an element is described by what the outline prints",
    "css": ", as an element is described by what the outline prints",
    "exact": ", as text= is always the whole text",
    "timeout_ms": ", as times are in seconds",
    "stays": ", which is for checks that something is there",
}
"""Names whose values are none here, and why."""
_LIKELY = 0.6
_OWN = ("self", "kind")
"""Parameters that a call does not give: ``kind`` is what it is called."""


class _Call:
    """What a function takes: ``known`` by their names, ``flags`` are True or False. ``target`` is
    the place of an element that keywords may describe, -1 if they do not: no text stands there."""

    def __init__(self, function: Callable[..., Any]) -> None:
        inner: Any = inspect.unwrap(function)
        code, types = inner.__code__, inner.__annotations__
        places, count = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
        names = code.co_varnames[: count + 1]
        self.function = function
        self.own = len(_OWN) if names[:2] == _OWN else int(names[:1] == _OWN[:1])
        self.name = function.__qualname__.removesuffix(".__init__")
        self.known = frozenset(names[code.co_posonlyargcount : count]) - {"self"}
        self.flags = frozenset(name for name in names if types.get(name) == "bool")
        self.target = -1
        described = ("by", "keywords", "selector")
        if code.co_flags & inspect.CO_VARKEYWORDS and names[count] in described:
            from .selector import SELECTOR_KEYWORDS  # a run without phones has no use for it

            self.known |= SELECTOR_KEYWORDS
            elements = [at for at in range(places) if names[at] in ("target", "selector")]
            self.target = elements[0] if elements else places

    def is_plainly_wrong(self, args: Values, given: AnyMapping) -> bool:
        """Whether it fits the signature and is wrong all the same, as far as that is seen at
        once."""
        if self.target >= 0 and (self.has_text(args) or not given.keys() <= self.known):
            return True
        return any(type(given.get(name, True)) is not bool for name in self.flags)

    def has_text(self, args: Sequence[Any]) -> bool:
        """Whether a text stands in place of the element; a ref in brackets is answered
        otherwise."""
        one = args[self.target] if 0 <= self.target < len(args) else None
        if not isinstance(one, str):
            return isinstance(one, re.Pattern)
        from .element import is_ref

        return not is_ref(one.strip("[]"))

    def fits(self, args: Values, given: AnyMapping) -> bool:
        try:
            inspect.signature(self.function).bind(*args, **given)
        except TypeError:
            return False
        return True

    def answer(self, args: Values, given: AnyMapping) -> str:
        """The sentence for a wrong call, with the right one."""
        right = _Corrected(self, args, given)
        verb = self._verb(args)
        wrong = ", ".join(dict.fromkeys(right.wrong))
        return (
            f"{verb}({_arguments(args[self.own :], given)}): {wrong}. Did you mean "
            f"{right.form.format(f'{verb}({right})')}?"
        )

    def _verb(self, args: Values) -> Any:
        return args[1] if self.own == len(_OWN) else self.name.rpartition(".")[2]

    def advice(self, args: Values, given: AnyMapping) -> str:
        """The call, which fits, with another value for each that is of the wrong type; "" if there
        is none."""
        right = _Corrected(self, args, given)
        return f"{self._verb(args)}({right})" if right.put_examples() else ""


class _Corrected:
    """A wrong call as it should be. ``wrong`` says what was not; ``form`` is what else is written
    around it."""

    def __init__(self, call: _Call, args: Values, given: AnyMapping) -> None:
        self.wrong: list[str] = []
        self.form = "{}"
        self._call = call
        self._values: AnyDict = {}
        self._unnamed: set[str] = set()
        parameters = inspect.signature(call.function).parameters.items()
        loose = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        self.free = {name: one for name, one in parameters if one.kind not in loose}
        for name, value in given.items():
            if name not in call.known and name not in self.free:
                self._rename(name, value)
                continue
            self._values[name] = value
            if name in call.flags and not isinstance(value, bool):
                self.wrong.append(f"{name} is True or False")
                self._values[name] = True
            elif name not in call.known:
                self.wrong.append(f"{name} is given without its name")
                self._unnamed.add(name)
        self._put(list(args))
        for one in self._required():
            self.wrong.append(f"{one.name} is missing")
            self._values[one.name] = self._example(one)
            self._unnamed.add(one.name)

    def _rename(self, name: str, value: Any) -> None:
        known = sorted({*self._call.known, *self.free}.difference(_OWN))
        meant = ELSEWHERE.get(name, "")
        meant = meant if meant in known else "".join(get_close_matches(name, known, 1, _LIKELY))
        self.wrong.append(f"it takes no {name}={_OTHERWISE.get(name, '')}")
        if name == "timeout_ms" and isinstance(value, (int, float)):
            self._values.setdefault("timeout", value / 1000)
        elif meant:
            self._values.setdefault(meant, ... if name in _OTHERWISE else value)
            self._unnamed |= {meant} - self._call.known
        elif not self._place(value, self._required()):
            self._drop(name, value, known)

    def _drop(self, name: str, value: Any, known: Sequence[str]) -> None:
        from .selector import SELECTOR_KEYWORDS

        if name in SELECTOR_KEYWORDS and self._call.name.startswith("Locator."):
            self.form = "mobile.{}"
            self._values[name] = value
        elif known and name not in _OTHERWISE:
            self.wrong[-1] += f", but {', '.join(known)}"
        elif isinstance(value, str) and self._call.function.__annotations__["return"] == "bytes":
            self.form = f"Path({_source(value)}).write_bytes(mobile.{{}})"

    def _put(self, loose: list[Any]) -> None:
        """The values without a name. A text in place of an element describes it."""
        places = [name for name, one in self.free.items() if one.kind <= one.POSITIONAL_OR_KEYWORD]
        if self._call.has_text(loose):
            text = loose.pop(self._call.target)
            del places[self._call.target : self._call.target + 1]
            if self._values.keys() <= self.free.keys():
                self.wrong.append('a bare string is a ref such as "k427"')
                self._values = {"text": text, **self._values}
            else:
                self.wrong.append("the target is named twice")
                loose.append(text)
        for name, value in zip(places, loose, strict=False):
            self._values.setdefault(name, value)
            self._unnamed.add(name)
        for value in loose[len(places) :]:
            name = type(value).__name__
            kinds = {"object", name, name.replace("int", "float")}
            free = self.free.values()
            fitting = [one for one in free if kinds & {*str(one.annotation).split(" | ")}]
            if not self._place(value, self._required() or fitting):
                self.wrong.append(f"{_source(value)} is one too many")
                self._drop("", value, ())

    def _required(self) -> list[inspect.Parameter]:
        needed = [one for one in self.free.values() if one.default is one.empty]
        return [one for one in needed if one.name not in self._values]

    def _place(self, value: Any, fitting: Sequence[inspect.Parameter]) -> bool:
        for one in fitting:
            if one.name in self._call.known and one.name not in self._values:
                self.wrong.append(f"{_source(value)} needs its name, {one.name}=")
                self._values[one.name] = value
                return True
        return False

    def _example(self, one: inspect.Parameter) -> Any:
        """The default, if it has one; the first of the words that it takes; else an ellipsis."""
        if one.default not in (one.empty, None, ""):
            return one.default
        for kind in self._kinds(one):
            if kind in _EXAMPLES or isinstance(kind, str):
                return _EXAMPLES.get(kind, kind)
        return ...

    def _kinds(self, one: inspect.Parameter) -> tuple[Any, ...]:
        """The types and words that a parameter takes; nothing if that is not known."""
        known: Any = str(one.annotation)
        try:
            while isinstance(known, str):  # an alias may be one as well
                known = eval(known, inspect.unwrap(self._call.function).__globals__)
        except (NameError, SyntaxError, TypeError):
            return ()
        if get_origin(known) not in (Union, UnionType, Literal):
            return (known,)
        kinds: list[Any] = []
        for kind in get_args(known):
            kinds += get_args(kind) if get_origin(kind) is Literal else (kind,)
        return tuple(kinds)

    def put_examples(self) -> bool:
        """Puts others in place of values that are of no type that they may be of; whether there
        were any."""
        examples = {}
        for name in self.free.keys() & self._values:
            kinds = self._kinds(self.free[name])
            if kinds and not any(_is_of(self._values[name], kind) for kind in kinds):
                examples[name] = self._example(self.free[name])
        self._values.update(examples)
        return bool(examples)

    def __str__(self) -> str:
        """The arguments: without their names as long as there is none before that has one."""
        values, places = dict(self._values), []
        for name, one in self.free.items():
            if values.get(name, ...) is one.default and name not in self._unnamed:
                del values[name]
        for name, one in self.free.items():
            if one.kind > one.POSITIONAL_OR_KEYWORD or name not in self._unnamed:
                break
            places.append(values.pop(name))
        return _arguments(places[self._call.own :], values)


def _arguments(places: Sequence[Any], named: AnyMapping) -> str:
    """As a test writes them."""
    pairs = (f"{name}={_source(value)}" for name, value in named.items())
    return ", ".join([*map(_source, places), *pairs])


def _is_of(value: Any, kind: Any) -> bool:
    """Whether a value is of a type, or that word; of a type that is not known here it may be."""
    if isinstance(kind, str):
        return bool(value == kind)
    if kind in (int, float):
        fits = type(value) is int or isinstance(value, kind)
        return fits and not isinstance(value, bool) and 0 <= value <= _LONGEST_TIME
    plain = get_origin(kind) or kind
    try:
        return isinstance(value, plain) and not (isinstance(value, str) and plain is Sequence)
    except TypeError:
        return True


_LONGEST_TIME = 3600
_EXAMPLES = {float: 5, int: 5, bool: True}
_LONGEST = 160


def _source(value: Any) -> str:
    """The value as a test writes it, an ellipsis for one that is made elsewhere, and for one that
    is long."""
    from .element import Element
    from .selector import Selector, source, unbound

    value, written = unbound(value), "..."
    if isinstance(value, float) and not isfinite(value):
        return written
    if isinstance(value, (list, tuple)):
        written = f"[{', '.join(map(_source, value))}]"
    elif isinstance(value, (str, re.Pattern, Selector, Element)):
        written = source("text", value)
    elif isinstance(value, (bytes, int, float, NoneType)):
        written = repr(value)
    return written if len(written) <= _LONGEST else "..."
