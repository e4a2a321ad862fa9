"""Secrets: text that is typed but never written down, and the ``Redactor`` that keeps it out of
reports."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator

from .quoting import SPELLINGS, Span, Spelling, as_dotted, normal, normal_spans, read_as

MASK = "•••"

SHORT = 3
"""Characters, blanks around them not counted, from which on a secret is looked for inside other
text."""

MOST_LEARNT = 1_000
"""How many matches of patterns are remembered: each makes every later text a little slower."""

REACH = 2_000
"""Characters that one search looks at beyond the place where it begins. A pattern that tries every
start against all of the rest, as ``\\w+@`` does, would take minutes for a long text; so a match is
found up to this length, and a longer one if its beginning already matches."""
_CUT = re.compile(r"(…|\.\.\.)")
"""How we, and how pytest, show that a text goes on."""
_PLAIN = re.compile(r"[\x20\x21\x23-\x26\x28-\x5b\x5d-\x7e]*")
"""What Python and JSON spell as it stands: printable ASCII but for quotes and the backslash."""

_LITERAL = r"""(\bSecret\(\s*(?:value\s*=\s*)?)((?:[rbuRBU]?(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')\s*)+)"""  # noqa: E501
"""A secret as the source of a test spells it, or an explained ``assert``: typed yet or not."""

_WORDS = (
    "token", "passw", "passphrase", "secret", "auth", "apikey", "api_key", "api-key", "accesskey",
    "access_key", "access-key", "privatekey", "private_key", "private-key",
)  # fmt: skip
"""A text without any of them names no credential: a quick look before the search."""
_ASSIGNED = re.compile(r"""[\w-]{1,20}\\*["']?[ \t]*[=:]""")
_STATES = ('password="false"', 'password="true"')
"""What a dump of Android says of every node."""
_NAME = (
    r"(?:token|passw(?:or)?d|passphrase|secret|(?:api|access|private)[_-]?key|authorization|"
    r"(?<![a-z])o?auth)"
)
_SCHEME = r"(?:(?:bearer|basic)[ \t]+)"
_CREDENTIALS = (
    # https://ada:value@host, https://value@host
    re.compile(
        r"(?i)(?P<name>://[^\s/?#:@\"'<>]*:|"
        r"https?://(?=[^\s/?#:@\"'<>]+@))(?P<value>[^\s/?#\"'<>]+)(?=@)"
    ),
    # token = "value", {"token": "value"}
    re.compile(
        rf"""(?im)(?P<name>(?:{_NAME}[ \t]*=|(?:^|[{{,\[(])[ \t]*(?P<key>\\*["'])[\w.-]*{_NAME}(?P=key)[ \t]*:)"""  # noqa: E501
        # where a quote ends a text instead, "...token=" + token, no value follows
        r"""[ \t]*[bfr]?(?P<quote>\\*["']))(?!, |[ \t]*(?:[+%] |[,)\]}]*[ \t]*$))"""
        r"""(?P<value>(?:\\.|[^\\\n])*?)(?=(?P=quote)|\\?$)"""
    ),
    # token=value, Authorization: Bearer value
    re.compile(
        rf"""(?i)(?P<name>{_NAME}={_SCHEME}?|authorization\\*["']?[ \t]*[:=][ \t]*{_SCHEME})"""
        r"""(?P<value>[^\s"'&;,<>()\[\]{}|\\]+[(\[]?)"""
    ),
)
_STATE = re.compile(
    r"(?i:true|false|none|null|nil|undefined|yes|no|on|off)|\d{1,2}|[•*.…]+|%\w|\$\w+|\$?\{.*\}|"
    r"<.*>"
)
"""Values that are no secret: a state that a report speaks of, a mask, a placeholder."""
_VARIABLE = re.compile(
    r".*[(\[]|[A-Z_]+|[a-z_]+(?:\.[a-z_]+)+|(?i:[a-z_.]*[_.](?:token|password|secret|key))|"
    r"(?i:password|token)"
)
"""What a line of code has in the place of a value."""
_QUERY = re.compile(r"[?&][\w.-]*\Z")


_LETTERS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_KEY_NAME = re.compile(
    r"(?:^|_)(?:"
    r"[a-z]*(?:tokens?|passw(?:or)?ds?|passphrase|passcode|secrets?)|pwd|t?otp|cvv|cvc|"
    r"credentials?|o?auth|authorization"
    r"|(?:(?:api|access|private|secret|auth|encryption|signing|master|ssh)_?|pass)key"
    r"|(?:access|auth|authorization|verification|security|login|pin|pass|recovery|backup|"
    r"unlock)_?code"
    r")(?:_|$)|(?:^|_)(?:pass|pin)$|^(?:code|key)$"
)
"""Of a name whose words are joined by _. Not meant are ``country_code``, ``primary_key``,
``pin_colour``."""
_PAIR = re.compile(
    r"""(?P<name>(?<!\w)(?P<key>[A-Za-z][\w.-]{0,80})(?:=|["'][ \t]*:)[ \t]*)"""
    r"""(?P<value>"[^"\n]*"?|'[^'\n]*'?|[^\s"',;&)}\]]+)"""
)


def names_a_credential(name: str) -> bool:
    """Whether a key's name says that its value is one, such as ``password``, ``apiKey`` and
    ``pin``."""
    return _KEY_NAME.search("_".join(_LETTERS.findall(name)).lower()) is not None


def without_values(text: str) -> str:
    """The text with the value of each ``key=`` or ``"key":`` replaced that names a credential."""
    return _PAIR.sub(lambda it: it["name"] + MASK if names_a_credential(it["key"]) else it[0], text)


class Redactor:
    """Replaces every known secret, and every match of a pattern, in a text before it is written.

    A secret of ``SHORT`` or more characters is replaced wherever it stands in a form that a reader
    takes for the same, as ``normal`` has it: apps tidy blanks and letters. So it is as Python,
    JSON, HTML, an address or a shell would spell it, and its beginning if a text was cut off in the
    middle of it. A shorter one would take letters out of every word: it is replaced only as the
    whole text, or as the whole text between two quotes. The string in ``Secret("...")`` is always
    replaced, known or not, and so are the credentials of an address and the values of ``token=``,
    ``password=`` and their like, of which the name stays. A match of a pattern counts as known from
    then on if it could stand elsewhere in a form that the pattern does not match; those values do
    not, as many are words that a screen shows as well."""

    def __init__(
        self, secrets: Iterable[str] = (), patterns: Iterable[re.Pattern[str]] = ()
    ) -> None:
        self._secrets: set[str] = set()
        self._forms: list[str] = []  # the normal forms of those that are looked for inside others
        self._thin: set[str] = set()  # those of which a normal form leaves too little to look for
        self._shorts: set[str] = set()  # the short ones, as they are and in normal forms
        self._quoted: re.Pattern[str] | None = None
        self._patterns = tuple(patterns)
        self._learnt = 0
        for secret in secrets:
            self.add(secret)

    def add(self, secret: str) -> None:
        if not secret or secret in self._secrets:
            return
        self._secrets.add(secret)
        if any(map(str.isalnum, secret)):
            self.add(as_dotted(secret))  # as a dump of Android has it
        form = normal(secret)
        if len(form) >= SHORT:
            self._forms += [form] if form not in self._forms else []
            return
        if len(secret.strip()) >= SHORT:
            self._thin.add(secret)
        self._shorts |= {secret, form} - {""}
        short = "|".join(map(re.escape, sorted(self._shorts, key=len, reverse=True)))
        self._quoted = re.compile(rf"(?P<quote>[\"'])(?:{short})(?P=quote)")

    def learn(self, text: str) -> None:
        """Adds the patterns' matches in this text to the secrets, also for places that show only a
        part of them."""
        for shown in {text, normal(text)} if self._patterns else ():
            for pattern in self._patterns:
                for start, end in matches(pattern, shown):
                    self._learn(shown[start:end])

    @property
    def known(self) -> frozenset[str]:
        """Every secret so far, in the clear: only for another process that redacts."""
        return frozenset(self._secrets)

    def without_secrets(self) -> Redactor:
        """One of the same patterns that knows no secret."""
        return Redactor((), self._patterns)

    @property
    def by_pattern(self) -> bool:
        """Whether it hides what patterns match, wherever that depends on the text around it."""
        return bool(self._patterns)

    def __bool__(self) -> bool:
        return bool(self._secrets or self._patterns)

    def may_change(self, text: str) -> bool:
        """A quick look whether ``text`` may hold anything to replace."""
        return bool(self) or "Secret(" in text or _may_name(text)

    def text(self, text: str, *, code: bool = False) -> str:
        """The text with each secret replaced. In a line of ``code``, what stands outside of quotes
        names a variable, and stays."""
        if text in self._secrets or (self._shorts and normal(text) in self._shorts):
            return MASK
        if "Secret(" in text:
            text = re.sub(_LITERAL, rf"\1'{MASK}'", text)
        for pattern in self._patterns:
            text = self._without(pattern, text)
        before = text
        text = self._without_known(text)
        if text != before:  # a match may have touched a secret, so that it did not stand for itself
            for pattern in self._patterns:
                text = replaced(text, matches(pattern, text))
        return _without_credentials(text, code) if _may_name(text) else text

    def count(self, text: str) -> int:
        """How often the text shows a secret of ``SHORT`` or more characters, in the spelling that
        shows the most."""
        shown = {normal(text), *(normal(read_as(text, each)) for each in SPELLINGS)}
        return max(len(list(_joined(self._places(one)))) for one in shown)

    def _without(self, pattern: re.Pattern[str], text: str) -> str:
        cleaned = replaced(text, matches(pattern, text))
        if cleaned is not text and not _PLAIN.fullmatch(text):
            for start, end in matches(pattern, text):
                if not _PLAIN.fullmatch(
                    text, start, end
                ):  # quotes or a line end: escaped it may not match
                    self._learn(text[start:end])
        shown = normal(cleaned)
        return (
            cleaned
            if shown == cleaned
            else _with_masks(cleaned, shown, matches(pattern, shown), None)
        )

    def _learn(self, secret: str) -> None:
        if self._learnt < MOST_LEARNT and secret not in self._secrets:
            self._learnt += 1
            self.add(secret)

    def _without_known(self, text: str) -> str:
        for secret in self._thin:
            text = text.replace(secret, MASK)
        for spelling in (None, *SPELLINGS) if self._forms else ():
            # What the text shows once it is read as that spelling.
            read = text if spelling is None else read_as(text, spelling)
            if spelling is None or read != text:
                shown = normal(read)
                text = _with_masks(text, shown, _joined(self._places(shown)), spelling)
        if self._quoted is not None:
            text = self._quoted.sub(rf"\g<quote>{MASK}\g<quote>", text)
        return text

    def _places(self, shown: str) -> Iterator[Span]:
        """If the normal form of a text has a secret, or a part of one next to a cut."""
        for form in self._forms:
            start = shown.find(form)
            while start >= 0:
                yield start, start + len(form)
                start = shown.find(form, start + len(form))
        for start, end in (cut.span() for cut in _CUT.finditer(shown)):
            for form in self._forms:
                lengths = range(SHORT, len(form) + 1)
                if shown[max(start - SHORT, 0) : start] in form:
                    yield from (
                        (start - n, start) for n in lengths if shown.endswith(form[:n], 0, start)
                    )
                if shown[end : end + SHORT] in form:
                    yield from ((end, end + n) for n in lengths if shown.startswith(form[-n:], end))


def _joined(places: Iterable[Span]) -> Iterator[Span]:
    """The places in their order, those that overlap as one."""
    last = (0, 0)
    for start, end in sorted(places):
        if start >= last[1]:
            if last[1]:
                yield last
            last = (start, end)
        last = (last[0], max(last[1], end))
    if last[1]:
        yield last


def _with_masks(text: str, shown: str, places: Iterable[Span], spelling: Spelling | None) -> str:
    """The text with a mask for each of these places in ``shown``, its normal form. If that is not
    known, all of it goes."""
    found = list(places)
    if found and shown != text:
        signs, spans = normal_spans(text, spelling)
        if signs != shown:
            return MASK
        found = [(spans[start][0], spans[end - 1][1]) for start, end in found]
    return replaced(text, found)


def _may_name(text: str) -> bool:
    if "://" in text and "@" in text:
        return True
    if "=" not in text and ":" not in text:
        return False
    lower = text.lower()
    for state in _STATES if len(text) > REACH else ():
        lower = lower.replace(state, "")
    for word in _WORDS:
        at = lower.find(word)
        while at >= 0:
            if _ASSIGNED.match(lower, at):
                return True
            at = lower.find(word, at + 1)
    return False


def _without_credentials(text: str, code: bool) -> str:
    def hidden(match: re.Match[str]) -> str:
        value, at = match["value"], match.start()
        if not value or _STATE.fullmatch(value.rstrip(":!?")):
            return match[0]
        bare = match.re is _CREDENTIALS[-1] and not _QUERY.search(text, max(at - 40, 0), at)
        return match[0] if bare and (code or _VARIABLE.fullmatch(value)) else match["name"] + MASK

    for credential in _CREDENTIALS:
        text = credential.sub(hidden, text)
    return text


def is_credential(name: str, value: str) -> bool:
    """Whether an entry of a mapping is one, by its name."""
    return re.fullmatch(rf"(?i)[\w.-]*{_NAME}", name) is not None and not _STATE.fullmatch(value)


def compiled(source: str) -> re.Pattern[str]:
    """Compiles a pattern. Raises ``ValueError`` with the reason why it is unfit."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what may mean something else in a later Python
            pattern = re.compile(source)
            nothing = pattern.search("") is not None
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"not a regular expression: {error}") from None
    if nothing:
        raise ValueError(
            "it matches the empty text, which stands everywhere; perhaps + was meant instead of *"
        )
    return pattern


def replaced(
    text: str, places: Iterable[Span], change: Callable[[str], str] = lambda _: MASK
) -> str:
    """The text with what stands in each of these places changed, to a mask unless said; the very
    same if there is none."""
    parts: list[str] = []
    done = 0
    for start, end in places:
        parts += (text[done:start], change(text[start:end]))
        done = end
    return "".join((*parts, text[done:])) if parts else text


def matches(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    """Yields the span of each match from left to right, none of them empty."""
    at = 0
    while at < len(text):
        begin_before = at + REACH
        looked_at = min(begin_before + REACH, len(text))
        found = pattern.finditer(
            text, at, looked_at
        )  # an empty one, as of ``\b``, has nothing to hide
        match = next((one for one in found if one.end() > one.start()), None)
        if match is None or match.start() >= begin_before:
            at = begin_before
            continue
        if match.end() == looked_at < len(text):  # it may go on
            match = pattern.match(text, match.start()) or match
        yield match.span()
        at = match.end()
