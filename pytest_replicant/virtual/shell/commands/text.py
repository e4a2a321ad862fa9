"""md5sum and its like, wc, head, tail, grep, sort, cut, tr, base64."""

from __future__ import annotations

import base64
import functools
import hashlib
import re

from ...streams import in_thread
from ..call import BadUsage, Call, CommandFailed, encoded, short_options
from ..registry import table
from .printing import unescaped

_MOST_COLUMNS = 1 << 32  # of a line, for `cut -c 5-`
_HASHES = {"md5": "md5", "md5sum": "md5", "sha1sum": "sha1", "sha256sum": "sha256", "sha512sum": "sha512"}


async def _digest(call: Call) -> int:
    options, names = short_options(call.words, "bq")
    status = 0
    for name in names or ["-"]:
        try:
            digest = _hashed(_HASHES[call.name], await call.load(name))
        except OSError as error:
            await call.error(f"{call.name}: {name}: {error.strerror}")
            status = 1
            continue
        await call.line(digest if "b" in options else f"{digest}  {name}")
    return status


@functools.lru_cache(maxsize=4)
def _hashed(kind: str, data: bytes) -> str:
    """Remembered, as each client that connects asks for the digest of the 4 MB that it would push otherwise."""
    return hashlib.new(kind, data).hexdigest()


async def _wc(call: Call) -> int:
    options, names = short_options(call.words, "lwcm")
    for name in names or ["-"]:
        data = await call.load(name)
        counts = {
            "l": data.count(b"\n"),
            "w": len(data.split()),
            "m": len(data.decode("utf-8", "replace")),
            "c": len(data),
        }
        wanted = [counts[letter] for letter in "lwmc" if letter in (options or {"l": "", "w": "", "c": ""})]
        await call.line(" ".join([*(str(count) for count in wanted), *([name] if names else [])]))
    return 0


async def _head(call: Call) -> int:
    words = [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in call.words]
    options, names = short_options(words, "qvfF", "nc")
    for name in names or ["-"]:
        data = await call.load(name) if names or call.name == "tail" else await _first(call, options)
        await call.channels.write(_part(data, options, from_end=call.name == "tail"))
    return 0


async def _first(call: Call, options: dict[str, str]) -> bytes:
    """No more of standard input than needed, so that an endless one can be cut."""
    taken = b""
    lines, size = _count(options.get("n", "10")), _count(options.get("c", "0"))
    while chunk := await call.channels.read():
        taken += chunk
        if len(taken) >= size > 0 or (not size and taken.count(b"\n") >= lines):
            break
    return taken


def _part(data: bytes, options: dict[str, str], *, from_end: bool) -> bytes:
    if "c" in options:
        size = _count(options["c"])
        return data[max(0, len(data) - size) :] if from_end else data[:size]
    count = options.get("n", "10")
    lines = data.splitlines(keepends=True) if b"\r" not in data else re.findall(rb"[^\n]*\n|[^\n]+", data)
    if not from_end:
        return b"".join(lines[: _count(count)])
    if count.startswith("+"):
        return b"".join(lines[max(0, _count(count[1:]) - 1) :])
    return b"".join(lines[max(0, len(lines) - _count(count)) :])


def _count(word: str) -> int:
    if not word.lstrip("-").isdecimal():
        raise CommandFailed(f"not integer: {word}")
    return abs(int(word))


async def _grep(call: Call) -> int:
    options, words = short_options(call.words, "ivcEFGnqolwxsrHhaz", "eAm")
    if "e" in options:
        words.insert(0, options["e"])
    if not words:
        raise CommandFailed("grep: no REGEX", 2)
    extended = "E" in options or call.name == "egrep"
    pattern = _pattern(words[0], options, extended=extended, fixed="F" in options or call.name == "fgrep")
    hits = 0
    for name in words[1:] or ["-"]:
        try:
            data = await call.load(name)
        except OSError as error:
            if "s" not in options:
                await call.error(f"grep: {name}: {error.strerror}")
            continue
        prefix = f"{name}:" if len(words) > 2 and "h" not in options else ""
        lines = await in_thread(_matching, data, pattern, options)
        hits += len(lines)
        await _print_hits(call, name, prefix, lines, options)
    return int(hits == 0)


async def _print_hits(
    call: Call, name: str, prefix: str, lines: list[tuple[int, bytes]], options: dict[str, str]
) -> None:
    if "q" in options:
        return
    if "c" in options:
        await call.line(f"{prefix}{len(lines)}")
    elif "l" in options:
        if lines:
            await call.line(name)
    else:
        for number, line in lines:
            place = f"{number}:" if "n" in options else ""
            await call.channels.write((prefix + place).encode("utf-8", "surrogateescape") + line + b"\n")


def _matching(data: bytes, pattern: re.Pattern[bytes], options: dict[str, str]) -> list[tuple[int, bytes]]:
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    most = int(options["m"]) if options.get("m", "").isdecimal() else len(lines)
    hits: list[tuple[int, bytes]] = []
    for number, line in enumerate(lines, 1):
        if "o" in options:
            hits += [(number, found.group()) for found in pattern.finditer(line) if found.group()]
        elif bool(pattern.search(line)) != ("v" in options):
            hits.append((number, line))
    return hits[:most]


def _pattern(text: str, options: dict[str, str], *, extended: bool, fixed: bool) -> re.Pattern[bytes]:
    if fixed:
        text = re.escape(text)
    elif not extended:
        text = re.sub(r"\\?[|+?(){}]", _basic, text)
    if "w" in options:
        text = rf"\b(?:{text})\b"
    if "x" in options:
        text = rf"^(?:{text})$"
    text = text.replace("[[:space:]]", r"\s").replace("[[:digit:]]", r"\d")
    try:
        return re.compile(text.encode("utf-8", "surrogateescape"), re.IGNORECASE if "i" in options else 0)
    except re.error as error:
        raise CommandFailed(f"grep: bad REGEX: {error}", 2) from None


def _basic(found: re.Match[str]) -> str:
    """Basic expressions mean these characters literally, and as operators behind a backslash."""
    return found.group()[1:] if found.group().startswith("\\") else "\\" + found.group()


async def _sort(call: Call) -> int:
    options, names = short_options(call.words, "nru")
    lines = [line for name in names or ["-"] for line in (await call.load(name)).splitlines()]
    if "u" in options:
        lines = list(dict.fromkeys(lines))
    if "n" in options:
        lines.sort(key=lambda line: int((re.match(rb"\s*(-?\d+)", line) or [b"", b"0"])[1]))
    else:
        lines.sort()
    for line in reversed(lines) if "r" in options else lines:
        await call.channels.write(line + b"\n")
    return 0


async def _cut(call: Call) -> int:
    """``cut -b|-c|-f LIST [-d LETTERS] [-O TEXT] [-s] [FILES]``, as toybox's cut.c: the choice comes in the
    line's order, and once."""
    options, names = short_options(call.words, "sn", "bcfdO")
    kind = next((kind for kind in "fcb" if kind in options), "")
    if not kind:
        raise CommandFailed("cut: no selections")
    if kind != "f" and set("sd") & set(options):
        raise CommandFailed(f"cut: -{'s' if 's' in options else 'd'} needs -Ff")
    ranges, between = _selected(options[kind], kind), options.get("d", "\t")
    splitter = re.compile(f"[{re.escape(between)}]") if between else re.compile(r"(?!)")
    joint = options.get("O", between if kind == "f" else "")
    codec = ("latin-1", "strict") if kind == "b" else ("utf-8", "surrogateescape")
    for name in names or ["-"]:
        try:
            data = await call.load(name)
        except OSError as error:
            raise CommandFailed(f"cut: {name}: {error.strerror}") from None
        for line in data.removesuffix(b"\n").decode(*codec).split("\n") if data else ():
            pieces = splitter.split(line) if kind == "f" else list(line)
            if kind == "f" and len(pieces) == 1:
                if "s" in options:
                    continue
                pieces = []
            kept = [piece for at, piece in enumerate(pieces, 1) if any(at in each for each in ranges)]
            text = line if kind == "f" and not pieces else joint.join(kept)
            await call.channels.write(f"{text}\n".encode(*codec))
    return 0


def _selected(words: str, kind: str) -> list[range]:
    """``2``, ``2-4``, ``2-``, ``-4``, with commas between. Raises ``CommandFailed``."""
    chosen = []
    for word in words.split(","):
        found = re.fullmatch(r"(\d*)(-?)(\d*)", word, re.ASCII)
        first = int(found[1] or 1) if found and len(word) < 12 else 0
        last = int(found[3] or _MOST_COLUMNS) if found and found[2] else first
        if not 0 < first <= last or not word:
            raise CommandFailed(f"cut: bad -{kind} '{words}'")
        chosen.append(range(first, last + 1))
    return chosen


async def _tr(call: Call) -> int:
    """``tr FROM TO`` and ``tr -d SET``, byte by byte; sets may have ranges and escapes."""
    options, words = short_options(call.words, "ds")
    if len(words) < (1 if "d" in options else 2):
        raise BadUsage("Needs 2 arguments")
    source = _byte_set(words[0])
    data = await call.read_all()
    if "d" in options:
        await call.channels.write(data.translate(None, source))
        return 0
    target = _byte_set(words[1])
    target = (target + target[-1:] * len(source))[: len(source)]
    await call.channels.write(data.translate(bytes.maketrans(source, target) if target else None))
    return 0


def _byte_set(word: str) -> bytes:
    plain = encoded(unescaped(word)[0])
    return re.sub(rb"(.)-(.)", lambda found: bytes(range(found[1][0], found[2][0] + 1)), plain, flags=re.DOTALL)


async def _base64(call: Call) -> int:
    options, names = short_options(call.words, "di", "w")
    data = await call.load(names[0] if names else "-")
    if "d" in options:
        await call.channels.write(base64.b64decode(data))
        return 0
    text = base64.b64encode(data).decode()
    width = _count(options.get("w", "76"))
    lines = [text[at : at + width] for at in range(0, len(text), width)] if width else [text]
    await call.out("".join(line + "\n" for line in lines))
    return 0


COMMANDS = table(
    "free",
    **dict.fromkeys(_HASHES, _digest),
    **dict.fromkeys(("head", "tail"), _head),
    **dict.fromkeys(("grep", "egrep", "fgrep"), _grep),
    wc=_wc,
    sort=_sort,
    cut=_cut,
    tr=_tr,
    base64=_base64,
)
