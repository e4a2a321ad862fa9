"""Text as labels are compared, with volatile parts masked, and whether it is likely to last."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..errors import UsageError
from ..model import composed

# Marks without a shape of their own, that keyboards and frameworks leave in labels.
_SHAPELESS = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffc]"
)


def clean(text: str) -> str:
    """NFC, white space collapsed to single spaces, shapeless marks removed."""
    if not text.isascii():
        text = composed(_SHAPELESS.sub("", text))
    elif not text.isprintable():
        text = _SHAPELESS.sub("", text)
    elif "  " not in text and text.strip() == text:
        return text
    return " ".join(text.split())


_ICON = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd\\s]+")


def is_icon(text: str) -> bool:
    """Whether a text is nothing but signs of an icon font, which are pictures and no words."""
    return text[:1] >= "\ue000" and _ICON.fullmatch(text) is not None


def clean_part(text: str) -> str:
    """The same of a part of a text: a blank at its end is kept, as "9 " is no part of "99"."""
    shown = _SHAPELESS.sub("", text)
    return (
        f"{' ' if shown[:1].isspace() else ''}{clean(shown)}{' ' if shown[-1:].isspace() else ''}"
    )


def has_part(text: str, part: str) -> bool:
    """Whether a text has that part, to a reader. The ends of a text count as blanks."""
    return clean_part(part) in f" {clean(text)} "


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same to a reader: the one comparison of a test's words with a
    phone's. Blanks of any kind and number, letters composed or not, and marks without a shape make
    no difference; case, quotes, and what joins emoji do."""
    return one == other or clean(one) == clean(other)


SEARCH_SECONDS = 2.0
"""The longest that one search of an expression in one text of an app may take."""


_OWN_SYNTAX = re.compile(r"\\.|\{(?!\d+\}|\d*,\d*\})", re.DOTALL)


@lru_cache(maxsize=256)
def _bounded(pattern: str, flags: int) -> Any:
    import regex  # loaded by the first expression, not by the plugin

    if (
        "[:" in pattern
    ):  # a class of letters to it, and letters to ``re``; as ``{e}`` allows for errors
        return None
    pattern = _OWN_SYNTAX.sub(
        lambda found: found[0] if found[0][0] == "\\" else f"\\{found[0]}", pattern
    )
    alike = flags & (re.IGNORECASE | re.LOCALE | re.MULTILINE | re.DOTALL | re.VERBOSE)
    if flags & re.ASCII:
        alike |= regex.ASCII
    try:
        return regex.compile(pattern, alike | regex.VERSION0)
    except regex.error:  # of a kind that ``re`` alone knows
        return None


def searches(pattern: str | re.Pattern[str], text: str) -> bool:
    """Whether an expression of a test is found in a text of an app. The app chooses the text, and
    on some of them ``re`` never ends: ``(a+)+$``. Raises ``UsageError`` after
    ``SEARCH_SECONDS``."""
    compiled = re.compile(pattern)
    bounded = _bounded(compiled.pattern, compiled.flags)
    if bounded is None:
        return compiled.search(text) is not None
    try:
        return bounded.search(text, timeout=SEARCH_SECONDS) is not None
    except TimeoutError:
        raise UsageError(
            f"the expression {compiled.pattern!r} takes more than {SEARCH_SECONDS:g} s on a text "
            f"of {len(text)} letters",
            advice="write it without a repeat within a repeat, as in (a+)+",
        ) from None


_ESCAPED = re.compile(
    r"\\(?:x(?P<two>[0-9a-fA-F]{2})|u(?P<four>[0-9a-fA-F]{4})|(?P<one>[tnrfv])|.)", re.DOTALL
)
_BLANKS = re.compile(r"[^\S ]")


@lru_cache(maxsize=256)
def _folded(pattern: str | re.Pattern[str]) -> str | re.Pattern[str]:
    """An expression with its letters folded as labels are: composed, no shapeless marks, plain
    blanks."""
    text = pattern if isinstance(pattern, str) else pattern.pattern

    def plain(found: re.Match[str]) -> str:
        code = found["two"] or found["four"]
        return " " if found["one"] or (code and chr(int(code, 16)).isspace()) else found[0]

    folded = composed(_SHAPELESS.sub("", _BLANKS.sub(" ", _ESCAPED.sub(plain, text))))
    if folded == text:
        return pattern
    try:
        return folded if isinstance(pattern, str) else re.compile(folded, pattern.flags)
    except re.error:
        return pattern


def finds(pattern: str | re.Pattern[str], label: str, *raw: str) -> bool:
    """Whether an expression is found in a label, with its own letters or folded ones, or in one of
    the ``raw`` texts that the label was made of. Raises ``UsageError`` as ``searches`` does."""
    texts = [each for each in raw if each != label and clean(each) == label]
    return any(searches(pattern, each) for each in (label, *texts)) or searches(
        _folded(pattern), label
    )


def fits(wanted: str | re.Pattern[str], shown: str) -> bool:
    """Whether a text is the one that is wanted, or has the pattern in it. Raises ``UsageError`` as
    ``searches`` does."""
    if isinstance(wanted, str):
        return same_text(shown, wanted)
    return finds(wanted, clean(shown), shown)


_LOOKS = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕ"
    + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"
    + "‘’‚‛´`ʼ′"
    + "“”„″"
    + "‐‑‒–—―−־"
    + "×·•\u3164\u2800",
    "ABEKMHOPCTYXIJSaeopcyxijs" + "ABEZHIKMNOPTYXo" + "'" * 8 + '"' * 4 + "-" * 8 + "x..  ",
)
"""Letters of other scripts, quotes, dashes and blanks, each with what it looks like."""
_SPELT_OUT = re.compile("[\ufb00-\ufb06\uff01-\uff5e…]")  # ligatures, wide letters
_UNSEEN = re.compile("[\ufe00-\ufe0f\u034f]")  # what chooses a variant of the sign before


def shape(text: str) -> str:
    """The text by its shape alone: letters, quotes, dashes and blanks that look alike are one."""
    plain = _SPELT_OUT.sub(
        lambda sign: unicodedata.normalize("NFKC", sign[0]), clean(text).translate(_LOOKS)
    )
    return "".join(sign for sign in _UNSEEN.sub("", plain) if unicodedata.category(sign) != "Cf")


def code_points(wanted: str, shown: str) -> str:
    """``it looks alike, but has U+0430 where U+0061 is wanted``: a clause about two texts that
    differ in what no reader can see; "" for all others."""
    if same_text(wanted, shown) or shape(wanted) != shape(shown):
        return ""
    one, other = clean(wanted), clean(shown)
    pairs = enumerate(zip(one, other, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
    said = [f"U+{ord(text[at]):04X}" if at < len(text) else "nothing" for text in (other, one)]
    return f"it looks alike, but has {said[0]} where {said[1]} is wanted, at letter {at + 1}"


def first_alike(wanted: str, shown: Iterable[str], *, part: bool = False) -> tuple[str, str] | None:
    """The first of the texts that looks like the wanted one and is not it, with the clause about
    that; with ``part``, that has such a part."""
    look, width = shape(wanted), len(clean(wanted))
    if not look:
        return None
    for text in shown:
        whole = clean(text)
        places = range(len(whole) - width + 1) if part and look in shape(text) else ()
        for piece in (whole, *(whole[at : at + width] for at in places)):
            if unseen := code_points(wanted, piece):
                return text, unseen
    return None


def short_id(resource_id: str) -> str:
    """Returns the part after ``:id/``, or the whole id if there is none."""
    return resource_id.rpartition(":id/")[2]


# What ticks by itself: clocks, ages, the battery. Prices, counts and other percentages are content.
_CLOCK = re.compile(r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[AaPp]\.?[Mm]\.?)?(?![\d:])")
_AGE = re.compile(
    r"\b\d+ ?(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hrs?|hours?|d|days?) ago\b|\bjust now\b"
)
_BATTERY = re.compile(r"(\bbattery\b[^\d%]{0,24})\d{1,3}(?= ?(?:%|percent\b))", re.IGNORECASE)
_PERCENT = re.compile(r"\b\d+(?:[.,]\d+)?(?= ?(?:%|percent\b))")
_COUNT = re.compile(r" *\(\d[\d.,]*\+?\)$")  # "Inbox (3)"
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*\+?")  # "3", "1,234.50", "10:45", "2/3", "99+"


def mask_volatile(text: str) -> str:
    """Replaces clocks, ages and the battery level, which tick by themselves, with ``~``."""
    if not _DIGIT.search(text):
        return _AGE.sub("~", text) if "just now" in text else text
    return _BATTERY.sub(r"\1~", _AGE.sub("~", _CLOCK.sub("~", text)))


def mask_progress(text: str) -> str:
    """Masks percentages as well, which tick while a task is in progress."""
    return _PERCENT.sub("~", mask_volatile(text))


def mask_numbers(text: str) -> str:
    """Replaces every number with ``~``, for comparing texts by their words."""
    return _NUMBER.sub("~", text)


_FEW_LETTERS = 3  # with a number: "3 May", "10:20 PM", "5 kg", "USD 5.00"


def is_mark(label: str) -> bool:
    """Whether a label is a rank, a time, a price, a sign or a flag rather than a name: it has no
    letters, or a number and few."""
    letters = sum(map(str.isalpha, mask_volatile(label)))
    return letters <= (_FEW_LETTERS if _DIGIT.search(label) else 0)


def mask_count(title: str) -> str:
    """Masks volatile parts and removes a count at the end, as in "Inbox (3)"."""
    masked = mask_volatile(title)
    return _COUNT.sub("", masked) if masked[-1:] == ")" else masked


# A number that stands for itself: "Cart 3" and "5 min", but not the 3 of "MP3" or the 4 of "4K".
_LONE_NUMBER = re.compile(
    r"(?<![A-Za-z\d])(?<!\d[.,])\d+(?:[.,]\d+)*(?![A-Za-z\d]|[.,]\d)"
    r"|(?<![A-Za-z\d])(?<!\d[.,])\d+(?:[.,]\d+)*(?=(?:ms|s|sec|m|min|h|hr|d|w|am|pm|AM|PM|"
    r"[kKMGT]i?B|km)\b)"
)
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_STATE_WORDS = frozenset({"on", "off", "checked", "unchecked", "not checked"})
_GENERATED = re.compile(
    r"^\d|obfuscated|name removed"  # numbered first, or stripped of its name by the build
    r"|[0-9a-f]{8}-[0-9a-f]{4}-"  # a UUID
    r"|(?=[a-f]*\d)[0-9a-f]{8,}$"  # the end of a hash
    r"|\d{3,}$|[-_:.]\d+$|^[A-Za-z]{1,2}\d+$"  # counted up
    r"|[:«_]r_?[0-9a-z]+[:»_]$",  # React's own
    re.IGNORECASE,
)
_FRAMEWORK = "android:id/"
LONGEST = 60
"""Characters of a label that reads well in a test."""
_FEWEST_LETTERS = 2
_LONGEST_ID = 80
_MOST_READ = 200  # characters of a label; a hostile one is a book


# Dots that stand for an emoji in a dump, or for themselves; three are an ellipsis.
DOUBTFUL = re.compile(r"(?<!\.)(?:\.\.)+(?!\.)")


def is_volatile(label: str) -> bool:
    """Whether a label may change by the next run, or says nothing to a reader."""
    return doubt(label) != ""


def doubt(label: str) -> str:
    """Returns the reason why a label may not last, as a clause; "" if there is none."""
    if _LONE_NUMBER.search(label[:_MOST_READ]):
        return "holds digits, which may change"
    if label.casefold() in _STATE_WORDS:
        return "names a state, which may change"
    if DOUBTFUL.search(label):
        return "has dots, which may be an emoji"
    return "" if any(map(str.isalnum, label)) else "is a sign, not a word"


def is_generated(short: str) -> bool:
    """Whether a framework numbered or generated the id (given without its package) rather than a
    developer choosing it."""
    return len(short) > _LONGEST_ID or _GENERATED.search(short) is not None


# Words and customary short forms that ids consist of.
_SHORT_WORDS = (
    "act add ads age ago air all alt amt any api app art ask aux avg bad bag ban bar bat bed bet "
    "bg bgm bid big bin bio bit bot box bt btn bug bus buy by cab cal cam can cap car cat cb cc "
    "cd chk cl cod col cta cup cut cv cvc cvv day db del dev dir div dl do doc dot dr dry ear eat "
    "edt egg end eq err esc est et etc exp eye fab fan faq far fat fav fax fb fee few fin fit fix "
    "fl fly fm for fps fri fun gap gas get gif gl go gps grp gv hd hdr hex hi hit hot hr hub ib "
    "ic icn ico id im img in inc inv ip iv job jpg key kg kid km lab lat law lay lb lbl led leg "
    "let lg lib ll ln lng loc log lot low lp lv mac mag man map max me men mic mid min mix mod "
    "mon mp msg mv my nav net new nfc nl no not now num off ok old on one op opt or org otp our "
    "out own pad pan pay pb pc pct pdf pen per pet pg phn pic pie pin pkg pm png pop pos pot pow "
    "pre pro ptr put pwd qr qty raw rb rec red ref rep rg rl row rss rub rv sat sb sc sd sea sec "
    "see seq set sex sid sim sin sku sky sms sn so sos src ssn st std str sub sum sun sv sw sys "
    "tab tag tan tap tax tc td tel tip tl tm to tom top toy try ts tue tv tx txt ui uid up uri "
    "url usb use usr utc val van var vat vcr vib vid vip vis vol vp vpn vs war wc web wed wg who "
    "why win wv www x xl y yes z zip"
)
_WORDS = frozenset(_SHORT_WORDS.split())
_SHORTENED = re.compile(
    r"[a-z\d_]{1,3}|[b-df-hj-np-tv-xz\d_]{4}", re.ASCII
)  # four with a vowel are a word


def is_shortened(short: str) -> bool:
    """Whether an id (given without its package) may be a name that a build shortened, as ``elo``
    and ``b4m``."""
    return _SHORTENED.fullmatch(short) is not None


def is_short_word(short: str) -> bool:
    """Whether such an id is a word all the same, as ``ok`` and ``url``."""
    return short in _WORDS


def is_framework(resource_id: str) -> bool:
    """Whether the framework gives this id to every app and dialog, so that it identifies none of
    them."""
    return resource_id.startswith(_FRAMEWORK)


def generalised(label: str) -> str:
    """Returns a pattern for the label that accepts any number in the place of each number; "" if
    too little text is left to recognise it by."""
    if len(label) > LONGEST:
        return ""
    numbers = _LONE_NUMBER.findall(label)
    words = _LONE_NUMBER.split(label)
    if not numbers or sum(map(str.isalpha, "".join(words))) < _FEWEST_LETTERS:
        return ""
    pattern = _escaped(words[0])
    for number, after in zip(numbers, words[1:], strict=True):
        any_number = r"[\d.,]+" if "." in number or "," in number else r"\d+"
        pattern += any_number + _escaped(after)
    return f"^{pattern}$"


def beginning(label: str) -> str:
    """Returns the first words of a long label, up to the first number; "" if they are too few."""
    head = _LONE_NUMBER.split(label[:_MOST_READ], 1)[0]
    if len(head) > LONGEST:
        head = head[:LONGEST].rpartition(" ")[0] or head[:LONGEST]
    head = head.strip()
    return head if len(head) >= LONGEST // 4 else ""


def _escaped(text: str) -> str:
    """Like ``re.escape``, but white space and plain signs stay readable."""
    return _SPECIAL.sub(r"\\\g<0>", text)


# --- how alike two texts are to a reader ----------------------------------------------------------

_LONGEST_ALIKE = 200
_LONGER, _LONGER_BY = 0.7, 0.3
"""A text that begins, holds or ends with the wanted one: this much, and so much more by its share
of the whole."""
_PART, _PART_BY = 0.48, 0.4
"""A text that is a part of the wanted one, such as the field "Password" for "Wrong password or
mail": below what has nearly all its words, in any order, and nothing if it is a letter or two of
many."""
_HALF = 0.6
"""The least that counts as alike."""
_PROMISING = 0.6
_SAME_WORD = 0.75
"""From here on two words are one with other letters: "mail" and "email", "colour" and "color"."""
_SHORTEST = 4
"""Letters of a word that may have others; of a shorter one they make another word: "mug" and
"rug"."""
_WORD = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
"""A word; a letter of a script that writes without spaces: Thai, Lao, Burmese, Khmer, Japanese,
Chinese."""


def resemblance(wanted: str, name: str) -> float:
    """From 0 to 1, in capitals or not: the best of how many words they share, how alike they are
    letter by letter, and how much of one the other is."""
    wanted, name = wanted.casefold()[:_LONGEST_ALIKE], name.casefold()[:_LONGEST_ALIKE]
    part = 0.0
    if wanted in name:
        part = _LONGER + _LONGER_BY * len(wanted) / len(name)
    elif name in wanted:
        part = _PART + _PART_BY * len(name) / len(wanted)
    ours, theirs = _WORD.findall(wanted), _WORD.findall(name)
    # half of their words in common, numbers apart: "Sign in" and "Log in"
    same = [word for word in ours if word in theirs and word.isalpha()]
    if same and 2 * len(same) >= max(len(ours), len(theirs)):
        part = max(part, _HALF)
    return max(part, _ratio(wanted, name), _shared(ours, theirs))


def _shared(ours: list[str], theirs: list[str]) -> float:
    """The share of letters that are in words of both, in any order."""
    letters, shared = sum(map(len, ours + theirs)), 0.0
    for word in ours:
        ranked: list[tuple[float, str]] = [(0.0, "")]
        for other in theirs:
            short = min(len(word), len(other)) < _SHORTEST
            ranked.append((float(word == other) if short else _ratio(word, other), other))
        best, other = max(ranked)
        if best >= _SAME_WORD:
            theirs.remove(other)
            shared += best * len(word + other)
    return shared / letters if letters else 0.0


def _ratio(one: str, other: str) -> float:
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _PROMISING else 0.0
