"""Text that is drawn on a screen, read by OCR: in a picture alone, and found as a label is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache, reduce
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from PIL import Image as pillow
from PIL.Image import Image, Resampling

from ..errors import UsageError, how_to_install
from ..model import Rect
from ..snapshots import clean, finds, shape
from .picture import opened, scaled_to, whole


@dataclass(frozen=True, slots=True)
class Found:
    """A place in a picture: the text of a line as OCR read it, which is never proof of more than
    that ("" for an icon), its box in pixels of the picture, and the engine's own confidence, 0 to
    1. Of several lines that is the least sure one's."""

    text: str
    box: Rect
    confidence: float


def has_ocr() -> bool:
    """Whether the extra ``[ocr]`` is installed. Imports nothing of it."""
    return all(map(find_spec, ("rapidocr", "onnxruntime")))


def need_ocr(what: str) -> None:
    """Raises ``UsageError`` if the extra ``[ocr]`` is missing; ``what`` needs it, the subject of a
    sentence."""
    if not has_ocr():
        raise UsageError(f"{what} needs OCR. Next: {how_to_install('ocr')}")


# --- reading --------------------------------------------------------------------------------------

KEPT = 32
"""Pictures whose texts are remembered: a suite reads the last few screens again and again."""
_LEAST_SURE = 0.6  # of a line: those below are mostly icons, taken for letters
_LEAST = 8  # pixels: no letter is lower
_ASPECT = 8  # of the longer side to the shorter: the models' own scaling grows without bound beyond
_MOST_PIXELS = 1_200  # of a side that is read
_LONGEST_SIDE = 4_000  # that the engine takes as it is: longer than any that is read

_reading = Lock()  # the engine keeps the size of the last picture, so it reads one at a time
_engine: list[Any] = []


def drawn_texts(png: bytes) -> tuple[Found, ...]:
    """The lines of text in a picture, from top to bottom. It is read at most 1,200 pixels long,
    which takes less than half the time of a phone's full size and loses no words; boxes are in
    pixels of the picture given. The same bytes are read once.

    Raises ``UsageError`` without the extra ``[ocr]``, ``SnapshotError`` for bytes that are no
    picture."""
    need_ocr("reading the text of a picture")
    with _reading:
        return _lines(png)


@lru_cache(maxsize=KEPT)
def _lines(png: bytes) -> tuple[Found, ...]:
    picture = opened(png)
    if min(picture.size) < _LEAST:
        return ()
    scale = min(1.0, _MOST_PIXELS / max(picture.size))
    width, height = scaled_to(picture.size, scale)
    small = picture.resize((width, height), Resampling.LANCZOS) if scale < 1 else picture
    least = max(64, -(-max(small.size) // _ASPECT))
    if min(small.size) < least:  # its first colour is added at the right or below
        size = (max(small.width, least), max(small.height, least))
        framed: Image = pillow.new("RGB", size, small.getpixel((0, 0)))
        framed.paste(small, (0, 0))
        small = framed
    across, down = picture.width / width, picture.height / height
    texts = []
    for text, corners, confidence in _recognised(small):
        xs, ys = [x * across for x, _ in corners], [y * down for _, y in corners]
        box = Rect(int(min(xs)), int(min(ys)), round(max(xs) + 0.5), round(max(ys) + 0.5))
        box = box.intersect(whole(picture))
        if text.strip() and not box.is_empty:
            texts.append(Found(text, box, max(0.0, min(float(confidence), 1.0))))
    return tuple(sorted(texts, key=lambda each: (each.box.top, each.box.left)))


def _recognised(picture: Image) -> Iterator[tuple[str, Sequence[tuple[float, float]], float]]:
    """Yields each line with its four corners."""
    import numpy

    if not _engine:
        _engine.append(_loaded())
    result = _engine[0](numpy.asarray(picture)[:, :, ::-1].copy())
    if result.boxes is not None and result.txts is not None:
        yield from zip(result.txts, result.boxes.tolist(), result.scores, strict=True)


def _loaded() -> Any:
    """The engine, with the models that its wheel brings: no path is left for it to choose, so that
    nothing is downloaded. The detector reads the picture as it is, scaled by us. Lines are
    recognised one by one, as those of a batch are padded to its longest, which takes three times as
    long. Screens are upright: no line is turned."""
    import rapidocr

    models = Path(rapidocr.__file__).parent / "models"
    files = {
        "Det": "PP-OCRv6_det_small.onnx",
        "Rec": "PP-OCRv6_rec_small.onnx",
        "Cls": "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
    }
    if missing := [name for name in files.values() if not (models / name).is_file()]:
        raise UsageError(
            f"rapidocr is installed without its models ({', '.join(missing)}), and none are "
            "downloaded. "
            'Next: pip install --force-reinstall "rapidocr>=3.10,<4"'
        )
    return rapidocr.RapidOCR(
        params={
            **{f"{part}.model_path": str(models / name) for part, name in files.items()},
            "Global.log_level": "critical",
            "Global.use_cls": False,
            "Global.text_score": _LEAST_SURE,
            "Global.max_side_len": _LONGEST_SIDE,
            "Det.limit_type": "max",
            "Det.limit_side_len": _LONGEST_SIDE,
            "Rec.rec_batch_num": 1,
        }
    )


# --- finding --------------------------------------------------------------------------------------

_MOST_LINES = 6  # of one label
_GAP = 0.9  # between two lines of a label, in heights of the lower line
_BLANK = 1.0  # between two words of a line, likewise


def find_text(
    texts: Sequence[Found],
    *,
    text: str | None = None,
    text_contains: str | None = None,
    text_matches: str | re.Pattern[str] | None = None,
) -> list[Found]:
    """The places of a text, from top to bottom: a line, or lines below or next to each other that
    make one label. Compared as the hierarchy's labels are, whole and case-sensitive, but by what a
    picture can show: without blanks, which OCR drops, and with signs that look alike (quotes,
    dashes, I and l) as one. An expression is searched in the text as it was read, so write ``\\s*``
    for a blank. More than one place is ambiguous, which is for the caller to say. Raises
    ``UsageError`` for an empty text, and for an expression that takes too long."""
    if text_matches is not None:
        return _places(texts, lambda run: finds(text_matches, clean(_joined(run).text)))
    given = text or text_contains or ""
    wanted = _shape(given.replace("\n", " "))
    if not wanted:
        raise UsageError(
            "an empty text cannot be found in a picture. Next: give at least one letter"
        )
    spellings = {wanted, _shape(re.sub(r"(?<=\d)\s+(?=\d)", "\n", given))}
    if text is not None:
        return _places(texts, lambda run: _run_shape(run) in spellings)
    return _places(texts, lambda run: any(one in _run_shape(run) for one in spellings))


def nearest_texts(texts: Sequence[Found], wanted: str, n: int = 5) -> list[Found]:
    """The ``n`` lines or joined lines most like the text that was not found, best first, for its
    message."""
    shape = _shape(wanted).casefold()

    def likeness(each: Found) -> float:
        return SequenceMatcher(None, shape, _shape(each.text).casefold(), autojunk=False).ratio()

    near = sorted(((likeness(each), each) for each in joined_lines(texts)), key=lambda one: -one[0])
    chosen: list[Found] = []
    for ratio, each in near:
        is_new = not any(_same_place(each.box, one.box) for one in chosen)
        if len(chosen) < n and ratio >= 0.5 and is_new:
            chosen.append(each)
    return chosen


def joined_lines(texts: Sequence[Found]) -> list[Found]:
    """Each line, and each run of lines that may be one label: below each other, of one height and
    with a common edge or middle; or next to each other on one line. Joined with a blank, even
    within a word that was broken."""
    return [_joined(run) for run in _runs(texts)]


_ONE_LOOK = str.maketrans("I|", "ll")  # one stroke each in most fonts of phones


def _shape(text: str) -> str:
    """The text as far as a picture shows it: no blanks, and one sign for those that look alike or
    that OCR takes for each other: quotes, dashes, wide and raised forms, I and l. Case, digits and
    accents do count."""
    plain = unicodedata.normalize("NFKC", text).translate(_ONE_LOOK)
    return "\n".join("".join(shape(line).split()) for line in plain.split("\n"))


def _run_shape(run: Sequence[Found]) -> str:
    """The shape of lines that are joined. Words may be broken between them, numbers are not: the
    lines 1 and 2 are no 12."""
    return re.sub(r"(?<!\d)\n|\n(?!\d)", "", "\n".join(_shape(line.text) for line in run))


def _places(texts: Sequence[Found], fits: Callable[[Sequence[Found]], bool]) -> list[Found]:
    """The runs that fit, the shortest first, none with a line or a place of another."""
    used: set[int] = set()
    places: list[Found] = []
    for run in sorted(_runs(texts), key=len):
        whole = _joined(run)
        if used.isdisjoint(map(id, run)) and fits(run):
            used.update(map(id, run))
            if not any(_same_place(whole.box, other.box) for other in places):
                places.append(whole)
    found = [replace(each, text=clean(each.text)) for each in places]
    return sorted(found, key=lambda each: (each.box.top, each.box.left))


def _joined(run: Sequence[Found]) -> Found:
    box = reduce(Rect.union, (line.box for line in run))
    return Found(" ".join(line.text for line in run), box, min(line.confidence for line in run))


def _runs(texts: Sequence[Found]) -> Iterator[Sequence[Found]]:
    follows = {id(one): _next_lines(one, texts) for one in texts}
    runs = [[each] for each in texts]
    for _ in range(_MOST_LINES):
        yield from runs
        runs = [[*run, other] for run in runs for other in follows[id(run[-1])]]


def _next_lines(one: Found, texts: Sequence[Found]) -> list[Found]:
    """The next line below and the next one on the same line, where the text may go on there."""
    follow = [other for other in texts if _goes_on(one.box, other.box)]
    start = one.box.right - one.box.height / 2
    right = [other for other in follow if other.box.left >= start]
    below = [other for other in follow if other.box.left < start]
    return [
        *sorted(right, key=lambda each: each.box.left)[:1],
        *sorted(below, key=lambda each: each.box.top)[:1],
    ]


def _goes_on(one: Rect, other: Rect) -> bool:
    """Whether the text of a box may go on in the other: on the next line, or after a blank on the
    same line."""
    low, high = sorted((one.height, other.height))
    if high > low * 1.6:
        return False
    middle = (other.top + other.bottom) / 2
    if one.top < middle < one.bottom:
        return -low * 0.3 <= other.left - one.right <= high * _BLANK
    if not -high * 0.4 <= other.top - one.bottom <= high * _GAP or middle < one.bottom:
        return False
    edges = (
        one.left - other.left,
        one.right - other.right,
        (one.left + one.right - other.left - other.right) / 2,
    )
    return min(map(abs, edges)) <= high * 0.7


def _same_place(one: Rect, other: Rect) -> bool:
    """Whether the two boxes share more than half of the smaller one."""
    return one.intersect(other).area * 2 > min(one.area, other.area)


# --- scripts --------------------------------------------------------------------------------------

READABLE = (
    "LATIN",
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "KATAKANA-HIRAGANA",
    "FULLWIDTH",
    "HALFWIDTH",
    "IDEOGRAPHIC",
)
"""The scripts that the models read, by the first word of their letters' Unicode names."""
_KNOWN_AS = {
    "HANGUL": "Korean",
    "ARABIC": "Arabic",
    "CYRILLIC": "Cyrillic",
    "DEVANAGARI": "Devanagari",
}


def unreadable(text: str) -> str:
    """The first script or letter of a text that OCR cannot read here, such as "Cyrillic"; "" for
    none."""
    for sign in unicodedata.normalize("NFC", text):
        if sign >= "\U0001f000" and unicodedata.category(sign) == "So":
            return "emoji"
        if unicodedata.category(sign)[0] == "L" and sign >= "\u0250":
            script = unicodedata.name(sign, "UNKNOWN").split()[0]
            if (
                script == "LATIN" and "\u1d00" <= sign <= "\u1eff"
            ):  # Vietnamese, and what linguists write
                return f"the letter {sign}"
            if script not in READABLE and unicodedata.category(sign) != "Lm":
                return _KNOWN_AS.get(script, script.capitalize())
    return ""


def refuse_unreadable(verb: str, text: str) -> None:
    """Raises ``UsageError`` for a text in a script that OCR cannot read: searched in a picture it
    would never be found, on any screen."""
    if script := unreadable(text):
        raise UsageError(
            f"{verb}: {text!r} has {script} in it, and OCR reads Latin, Chinese and Japanese text "
            'only. Next: find it in the hierarchy, or give a picture of it, by_image("word.png")'
        )
