"""The grammar of a step: the call as it will stand in the test, or ``VERB REF [VALUE]``.

Parsed, never evaluated: only literals, ``by(...)``, ``Screen(...)``, ``re.compile(...)`` and a
secret's name.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from ..errors import UsageError, did_you_mean
from ..model import (
    SELECTOR_KEYWORDS,
    SURROUNDINGS,
    TABLE,
    AnyDict,
    AnyMapping,
    Screen,
    Secret,
    Selector,
    Verb,
    by,
    is_ref,
    source,
    verb_of,
    written_keyword,
    wrong_call,
)
from ..session import HERE, DeviceSession, Expectation
from .locators import LONGEST, constant, described_by, name_of, parsed_code

WORDS: Mapping[str, str] = {one.name: one.words for one in TABLE if one.words is not None}
"""Each call that is a step, with the words that may follow it if it is not written as a call."""
_TARGETS = frozenset({"target", "source", "selector", "container"})
_CALLED = re.compile(r"[A-Za-z_]\w*\s*[.(]")


@dataclass(frozen=True)
class EnvText:
    """A secret that stands in the environment of the run."""

    name: str


@dataclass(frozen=True)
class Call:
    """One call of a step; ``checks`` are those chained to an action. ``args`` and ``keywords`` hold
    literals, selectors, patterns, screens and ``EnvText``; a ref is a string."""

    verb: str
    args: tuple[Any, ...] = ()
    keywords: AnyMapping = field(default_factory=dict)
    checks: tuple[Call, ...] = ()

    @property
    def is_check(self) -> bool:
        return verb_of(self.verb).kind == "check"

    @property
    def alone(self) -> Call:
        """Without its checks."""
        return replace(self, checks=())

    def secrets(self) -> Iterator[str]:
        """The names of the secrets in it."""
        for value in (*self.args, *self.keywords.values()):
            if isinstance(value, EnvText):
                yield value.name
        for check in self.checks:
            yield from check.secrets()

    def targets(self) -> Iterator[Any]:
        """What names an element: refs and selectors."""
        yield from (
            value for place, value in enumerate(self.args) if self._names_element(place, value)
        )
        described = (self.selector, self.keywords.get("container"))
        yield from (one for one in described if one is not None)

    @property
    def selector(self) -> Selector | None:
        """The selector of its keywords; None if it has none."""
        given = {name: value for name, value in self.keywords.items() if name in SELECTOR_KEYWORDS}
        if not given or not self._takes_keywords:
            return None
        return by(**given)

    def durable(self, change: Callable[[str], Selector]) -> Call:
        """The call with a selector in place of each ref, as a test has it. Its checks are left as
        they are."""

        def changed(name: str, value: Any) -> Any:
            if isinstance(value, Selector):
                anchors = {
                    one: changed(one, kept)
                    for one, kept in value.given()
                    if one in SURROUNDINGS and (isinstance(kept, Selector) or _is_ref(kept))
                }
                return replace(value, **anchors)
            return (
                change(value)
                if _is_ref(value) and (name in SURROUNDINGS or name in _TARGETS)
                else value
            )

        args, keywords = [], {name: changed(name, value) for name, value in self.keywords.items()}
        for place, value in enumerate(self.args):
            name = self._parameter(place)
            mine = self._names_element(place, value)
            new = changed(name, value) if mine else value
            if (
                mine
                and name != "container"
                and place == 0
                and isinstance(new, Selector)
                and self._takes_keywords
            ):
                keywords = {**dict(new.given()), **keywords}
            else:
                args.append(new)
        if (
            keywords.keys() != self.keywords.keys() and args
        ):  # what stood behind the target needs its name now
            names = [self._parameter(place) for place in range(1, len(self.args))]
            keywords, args = {**keywords, **dict(zip(names, args, strict=True))}, []
        return replace(self, args=tuple(args), keywords=keywords)

    @property
    def _takes_keywords(self) -> bool:
        return any(one.name == "by" for one in _parameters(self.verb))

    def _parameter(self, place: int) -> str:
        names = [
            one.name
            for one in _parameters(self.verb)
            if one.kind is not inspect.Parameter.KEYWORD_ONLY
        ]
        return names[place] if place < len(names) else ""

    def _names_element(self, place: int, value: Any) -> bool:
        """By its place. ``expect_text("a")`` of an outcome gives the text, and no ref."""
        return self._parameter(place) in _TARGETS and (
            isinstance(value, Selector) or _is_ref(value)
        )

    def on(self, session: DeviceSession | Expectation, secrets: Mapping[str, str]) -> Any:
        """Makes the call, without its checks. ``secrets`` are texts by the names that it
        mentions."""

        def value(given: Any) -> Any:
            return Secret(secrets[given.name]) if isinstance(given, EnvText) else given

        keywords = {name: value(given) for name, given in self.keywords.items()}
        return getattr(session, self.verb)(*map(value, self.args), **keywords)

    def code(self, on: str = "") -> str:
        """As a test has it: ``mobile.tap(text="Sign in")`` with ``on="mobile."``."""
        given = [
            *map(source_of, self.args),
            *(f"{written_keyword(n, v)}={source_of(v, n)}" for n, v in self.keywords.items()),
        ]
        own = f"{on}{self.verb}({', '.join(given)})"
        return "".join([own, *(f".{check.code()}" for check in self.checks)])

    def __str__(self) -> str:
        return self.code()


def source_of(value: Any, keyword: str = "") -> str:
    """Python source of a value in a call. A selector of a text alone stands as that text where the
    keyword takes one."""
    if isinstance(value, EnvText):
        return f"Secret(os.environ[{source('', value.name)}])"
    if isinstance(value, Screen):
        parts = [source("", value.name)]
        parts += [
            f"{name}={source_of(list(each))}"
            for name in ("has", "lacks")
            if (each := getattr(value, name))
        ]
        return f"Screen({', '.join(parts)})"
    return source("has" if isinstance(value, list) else keyword, value)


def _is_ref(value: object) -> bool:
    return isinstance(value, str) and is_ref(value)


@cache
def _parameters(verb: str) -> tuple[inspect.Parameter, ...]:
    """Of a call, without ``self``."""
    return tuple(inspect.signature(getattr(_owner(verb), verb)).parameters.values())[1:]


def _owner(verb: str) -> type:
    """Whose call it is."""
    its = verb_of(verb)
    return Expectation if its.of_outcome or its.state else DeviceSession


# --- reading --------------------------------------------------------------------------------------


def read_step(text: str) -> Call:
    """The call of one step. Raises ``UsageError`` for anything else, with what was probably
    meant."""
    line = text.strip()
    if not line or len(line) > LONGEST:
        raise UsageError(
            "a step is empty" if not line else f"a step has at most {LONGEST:,} characters"
        )
    call = _called(line) if _CALLED.match(line) else _worded(line)
    call = replace(_as_it_is_now(call), checks=tuple(map(_as_it_is_now, call.checks)))
    for one in (call, *call.checks):
        _check(one)
    return call


def _as_it_is_now(call: Call) -> Call:
    """A check of one state as tests have it now: ``expect_state`` of an element that is named.
    Raises ``UsageError``."""
    verb = verb_of(call.verb)
    if not verb.state:
        return call
    args, keywords = _described(call)
    if args and (
        isinstance(args[0], Selector)
        or "expected" in keywords
        or (verb.is_flag and _is_ref(args[0]))
    ):
        expected = keywords.pop("expected", args[1] if len(args) > 1 else verb.is_flag or None)
        wanted = {verb.state: _wanted(verb, args[0], expected), **keywords}
        return replace(call, verb="expect_state", args=args[:1], keywords=wanted)
    if verb.is_flag and verb.proves:
        return replace(call, verb=f"expect_{verb.state}", args=(False,))
    return call


def _described(call: Call) -> tuple[tuple[Any, ...], AnyDict]:
    """Its arguments and keywords, with those that describe an element as a selector in front."""
    described = {name: value for name, value in call.keywords.items() if name in SELECTOR_KEYWORDS}
    others = {name: value for name, value in call.keywords.items() if name not in described}
    return (by(**described), *call.args) if described else call.args, others


def _wanted(verb: Verb, target: Any, expected: Any) -> Any:
    """What a check wants of another element than the one acted on."""
    if not verb.proves:
        return expected
    if verb.is_flag:
        return False
    raise UsageError(
        f"{verb.name}() of another element is a call of its locator, which no step has. "
        f"Next: expect_state({source_of(target)}, {verb.state}=...), of what it is to be"
    )


def read_steps(text: str) -> list[str]:
    """The steps in a text, such as standard input: one a line. Empty lines, and those that begin
    with #, are left out."""
    lines = map(str.strip, text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _worded(line: str) -> Call:
    """``VERB REF [VALUE]``: a value is the rest of the line, as it is."""
    verb, _, rest = line.partition(" ")
    verb = _SHORT.get(verb, verb)
    if verb == "scroll" and not rest:
        rest = "down"
    if verb not in WORDS:
        raise UsageError(no_step(verb, line))
    args: list[Any] = []
    keywords: AnyDict = {}
    words = WORDS[verb].split()
    for place, word in enumerate(words):
        kind = word.strip("[]")
        name, _, kind = kind.rpartition("=")
        rest = rest.strip()
        last = place == len(words) - 1
        given, _, left = (
            (rest, "", "") if last and kind in ("text", "value") else rest.partition(" ")
        )
        if not given:
            if word.startswith("["):
                break
            raise UsageError(
                f"{line!r}: {verb} is written as {verb} {' '.join(map(_placeholder, words))}"
            )
        rest = left
        if name:
            keywords[name] = _word(kind, given, line)
        elif kind == "value" and (
            secret := re.fullmatch(r"""env=(["']?)([A-Za-z_]\w*)\1""", given)
        ):
            keywords["value"] = EnvText(secret[2])
        else:
            args.append(_word(kind, given, line))
    if rest.strip():
        raise UsageError(f"{line!r}: more words than {verb} takes. Next: {_EXAMPLE}")
    return Call(verb, tuple(args), keywords)


def no_step(verb: str, line: str) -> str:
    """The answer to a verb that there is not: what another tool's name is here, or the nearest.
    ``line`` is the step that it stands in."""
    here = HERE.get(verb, "")
    if not here:
        return f"{verb!r} is no step.{did_you_mean(verb, WORDS)} Next: {_EXAMPLE}"
    right = here.removesuffix("()")
    if right in WORDS:  # the same call by another name; any other needs more than a new name
        step = re.sub(rf"\b{verb}\b", right, line, count=1)
        with suppress(UsageError):
            read_step(step)
            return f"{verb!r} is no step; here it is {right}. Next: {step}"
    return f"{verb!r} is no step; here it is {here}. Next: {_EXAMPLE}"


def as_a_step(word: str) -> str:
    """What to say of a word that is no command and begins a step, here or in another tool; "" for
    any other."""
    if word not in WORDS and word not in HERE:
        return ""
    right = HERE.get(word, f"{word}()")
    return f"{word!r} is no command but a step, {right}. Next: do '{right.partition('(')[0]} ...'"


_SHORT = {"type": "fill", "open": "launch"}  # of words alone: a test has no such call
_EXAMPLE = 'a step is tap m987, fill k020 some text, or the call as in a test: tap(text="Sign in")'


def _placeholder(word: str) -> str:
    bare = word.strip("[]").rpartition("=")[2]
    shown = {"literal": "VALUE", "value": "TEXT", "word": "WORD"}.get(bare, bare.upper())
    return f"[{shown}]" if word.startswith("[") else shown


def _word(kind: str, given: str, line: str) -> Any:
    if kind == "ref":
        ref = given[1:-1] if given[:1] == "[" and given[-1:] == "]" else given
        if not is_ref(ref):
            verb = line.partition(" ")[0]
            raise UsageError(
                f"{line!r}: {given!r} is no ref. Next: "
                f"{verb}(text={source('', line.partition(' ')[2])})"
            )
        return ref
    if kind == "literal":
        try:
            return ast.literal_eval(given)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return {"true": True, "false": False, "on": True, "off": False}.get(
                given.lower(), given
            )
    return given


def _called(line: str) -> Call:
    try:
        return _chain(parsed_code(line, "eval").body, line)
    except SyntaxError as error:
        raise UsageError(
            f"{_short(line)} is no call in Python: {error.msg}. Next: {_EXAMPLE}"
        ) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise UsageError(f"{_short(line)}: {error}") from None


def _short(line: str) -> str:
    return repr(line if len(line) <= 80 else f"{line[:79]}…")


def _chain(node: ast.expr, line: str) -> Call:
    """``mobile.tap(...).expect_visible(...)``, with a locator in front or none."""
    links: list[ast.Call] = []
    while isinstance(node, ast.Call):
        func = node.func
        if isinstance(func, ast.Name):
            links.append(node)
            break
        if not isinstance(func, ast.Attribute):
            raise ValueError(f"no step. Next: {_EXAMPLE}")
        links.append(node)
        if verb_of(func.attr).kind in ("action", "wait") or not _is_step(func.value):
            node = func.value
            break
        node = func.value
    links.reverse()
    located: Selector | None = None
    if isinstance(node, (ast.Call, ast.Attribute, ast.BinOp)) and node not in links:
        located = described_by(node)
    elif isinstance(node, ast.Name) and node.id not in ("mobile", "outcome"):
        raise ValueError(
            f"a call of {node.id}. Next: write the call without what it is called on, or on mobile"
        )
    first, *rest = [_one(link, line) for link in links]
    if located is not None:
        first = replace(first, args=(located, *first.args))
    if rest and first.is_check:
        raise ValueError("one check a step, or checks behind an action")
    return replace(first, checks=tuple(rest))


def _is_step(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and name_of(node.func) in WORDS


def _one(node: ast.Call, line: str) -> Call:
    verb = name_of(node.func)
    if verb not in WORDS:
        raise ValueError(no_step(verb, line))
    if any(isinstance(each, ast.Starred) for each in node.args) or any(
        each.arg is None for each in node.keywords
    ):
        raise ValueError("* and ** are not literals")
    keywords = {str(each.arg): _value(each.value) for each in node.keywords}
    if len(keywords) < len(node.keywords):
        raise ValueError("a keyword is given twice")
    if "env" in keywords:
        name = keywords.pop("env")
        if (
            not verb_of(verb).types
            or "value" in keywords
            or not (isinstance(name, str) and name.isidentifier())
        ):
            raise ValueError(
                'env="NAME" is the value of a fill, by the name of a variable of the environment'
            )
        keywords["value"] = EnvText(name)
    return Call(verb, tuple(map(_value, node.args)), keywords)


def _value(node: ast.expr) -> Any:
    """A literal, or one of the few calls whose value is one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "Screen":
            keywords = {str(each.arg): _value(each.value) for each in node.keywords}
            return Screen(*map(_value, node.args), **keywords)
        if node.func.id == "Secret" and (named := _environ(node)) is not None:
            return EnvText(named)
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(one) for one in node.elts]
    try:
        return constant(node)
    except ValueError:
        raise ValueError(
            f"{ast.unparse(node)[:60]} is no literal, and a step evaluates nothing"
        ) from None


def _environ(node: ast.Call) -> str | None:
    """``NAME`` of ``Secret(os.environ["NAME"])``, which is how a saved test has a secret."""
    given = node.args[0] if len(node.args) == 1 and not node.keywords else None
    if isinstance(given, ast.Subscript) and ast.unparse(given.value) == "os.environ":
        name = getattr(given.slice, "value", None)
        return name if isinstance(name, str) else None
    return None


def _check(call: Call) -> None:
    """Whether the session's call takes these arguments. Raises ``UsageError``."""
    if (
        "silent" in call.keywords and not verb_of(call.verb).types
    ):  # a field that formats is not read back
        raise UsageError(f"{call.verb}(silent=...): a step has to be looked at; leave silent out")
    if "soft" in call.keywords:
        raise UsageError(f"{call.verb}(soft=...) is no keyword of it")
    if wrong := wrong_call(getattr(_owner(call.verb), call.verb), call.args, call.keywords):
        raise UsageError(wrong)
