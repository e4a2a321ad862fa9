"""The grammar of a step: the call as it will stand in the test, or ``VERB REF [VALUE]``.

Parsed, never evaluated: only literals, ``by(...)``, ``Screen(...)``, ``re.compile(...)`` and a
secret's name.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    shortened,
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
_NAMED = _TARGETS.union(SURROUNDINGS)
"""Arguments that may be a ref."""
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
        """What names an element: refs and selectors. ``expect_text("a")`` of an outcome gives the
        text, and no ref."""
        for place, value in enumerate(self.args):
            if self._parameter(place) in _TARGETS and (
                isinstance(value, Selector) or _is_ref(value)
            ):
                yield value
        yield from filter(None, (self.selector, self.keywords.get("container")))

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
                given = value.given()
                around = {one: changed(one, kept) for one, kept in given if one in SURROUNDINGS}
                return replace(value, **around)
            return change(value) if name in _NAMED and _is_ref(value) else value

        args = [changed(self._parameter(place), value) for place, value in enumerate(self.args)]
        keywords = {name: changed(name, value) for name, value in self.keywords.items()}
        if self._parameter(0) == "container" or not self._takes_keywords:
            return replace(self, args=tuple(args), keywords=keywords)
        if args and isinstance(args[0], Selector):
            keywords = {**dict(args[0].given()), **keywords}
            for place in range(1, len(args)):  # what stood behind the target needs its name now
                keywords[self._parameter(place)] = args[place]
            args = []
        return replace(self, args=tuple(args), keywords=keywords)

    @property
    def _takes_keywords(self) -> bool:
        return any(one.name == "by" for one in _parameters(self.verb))

    def _parameter(self, place: int) -> str:
        names = [one.name for one in _parameters(self.verb) if one.kind is not one.KEYWORD_ONLY]
        return "".join(names[place : place + 1])

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
    try:
        is_call = _CALLED.match(line)
        call = _chain(parsed_code(line, "eval").body, line) if is_call else _worded(line)
    except (SyntaxError, ValueError, TypeError, RecursionError) as error:
        short = repr(shortened(line, 80))
        if isinstance(error, SyntaxError):
            short += f" is no call in Python: {error.msg}. Next: {_EXAMPLE}"
            raise UsageError(short) from None
        raise UsageError(f"{short}: {error}") from None
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
    args, keywords = call.args, dict(call.keywords)
    described = {name: keywords.pop(name) for name in SELECTOR_KEYWORDS & keywords.keys()}
    if described:
        args = (by(**described), *args)
    if args and (
        isinstance(args[0], Selector)
        or "expected" in keywords
        or (verb.is_flag and _is_ref(args[0]))
    ):
        expected = keywords.pop("expected", next(iter(args[1:]), verb.is_flag or None))
        wanted = {verb.state: _wanted(verb, args[0], expected), **keywords}
        return replace(call, verb="expect_state", args=args[:1], keywords=wanted)
    if verb.is_flag and verb.proves:
        return replace(call, verb=f"expect_{verb.state}", args=(False,))
    return call


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
    for place, word in enumerate(words, 1):
        name, _, kind = word.strip("[]").rpartition("=")
        given, rest = rest.strip(), ""
        if place < len(words) or kind not in ("text", "value"):
            given, _, rest = given.partition(" ")
        if not given:
            if word.startswith("["):
                break
            raise UsageError(f"{line!r}: {verb} is written as {verb} {_form(words)}")
        secret = re.fullmatch(r"""env=(["']?)([A-Za-z_]\w*)\1""", given)
        if name:
            keywords[name] = _word(kind, given, line)
        elif kind == "value" and secret:
            keywords["value"] = EnvText(secret[2])
        else:
            args.append(_word(kind, given, line))
    if rest.strip():
        raise UsageError(f"{line!r}: more words than {verb} takes. Next: {_EXAMPLE}")
    return Call(verb, tuple(args), keywords)


def _form(words: Sequence[str]) -> str:
    """What may follow a verb, as a message says it."""
    shown = []
    for word in words:
        bare = word.strip("[]").rpartition("=")[2]
        name = {"literal": "VALUE", "value": "TEXT"}.get(bare, bare.upper())
        shown.append(f"[{name}]" if word.startswith("[") else name)
    return " ".join(shown)


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


def _word(kind: str, given: str, line: str) -> Any:
    if kind == "ref":
        ref = given[1:-1] if given[:1] == "[" and given[-1:] == "]" else given
        if not is_ref(ref):
            verb, _, rest = line.partition(" ")
            raise UsageError(
                f"{line!r}: {given!r} is no ref. Next: {verb}(text={source('', rest)})"
            )
        return ref
    if kind != "literal":
        return given
    try:
        return ast.literal_eval(given)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        words = {"true": True, "false": False, "on": True, "off": False}
        return words.get(given.lower(), given)


def _chain(node: ast.expr, line: str) -> Call:
    """``mobile.tap(...).expect_visible(...)``, with a locator in front or none."""
    links: list[ast.Call] = []
    goes_on = True
    while goes_on and isinstance(node, ast.Call):
        func = node.func
        links.insert(0, node)
        if isinstance(func, ast.Name):
            break
        if not isinstance(func, ast.Attribute):
            raise ValueError(f"no step. Next: {_EXAMPLE}")
        node = func.value
        goes_on = isinstance(node, ast.Call) and name_of(node.func) in WORDS
        goes_on = goes_on and verb_of(func.attr).kind not in ("action", "wait")
    located: tuple[Selector, ...] = ()
    if isinstance(node, (ast.Call, ast.Attribute, ast.BinOp)) and node not in links:
        located = (described_by(node),)
    elif isinstance(node, ast.Name) and node.id not in ("mobile", "outcome"):
        raise ValueError(
            f"a call of {node.id}. Next: write the call without what it is called on, or on mobile"
        )
    first, *rest = [_one(link, line) for link in links]
    if rest and first.is_check:
        raise ValueError("one check a step, or checks behind an action")
    return replace(first, args=(*located, *first.args), checks=tuple(rest))


def _one(node: ast.Call, line: str) -> Call:
    verb = name_of(node.func)
    if verb not in WORDS:
        raise ValueError(no_step(verb, line))
    keywords = {each.arg: _value(each.value) for each in node.keywords if each.arg}
    if any(isinstance(each, ast.Starred) for each in node.args) or any(
        each.arg is None for each in node.keywords
    ):
        raise ValueError("* and ** are not literals")
    if len(keywords) < len(node.keywords):
        raise ValueError("a keyword is given twice")
    if "env" in keywords:
        name = keywords.pop("env")
        is_name = isinstance(name, str) and name.isidentifier()
        if not is_name or "value" in keywords or not verb_of(verb).types:
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
