"""md5sum and sha256sum, wc, head, tail, grep, cut."""

from __future__ import annotations

import functools
import hashlib
import re

from ...streams import in_thread
from ..call import Call, CommandFailed, short_options
from ..registry import table

_HASHES = {"md5sum": "md5", "sha1sum": "sha1", "sha256sum": "sha256"}


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
    options, names = short_options(call.words, "lwc")
    for name in names or ["-"]:
        data = await call.load(name)
        counts = {"l": data.count(b"\n"), "w": len(data.split()), "c": len(data)}
        wanted = [str(count) for letter, count in counts.items() if letter in (options or counts)]
        await call.line(" ".join([*wanted, *([name] if names else [])]))
    return 0


async def _head(call: Call) -> int:
    words = [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in call.words]
    options, names = short_options(words, "", "nc")
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
    options, words = short_options(call.words, "ivcEFnqowxsh", "em")
    if "e" in options:
        words.insert(0, options["e"])
    if not words:
        raise CommandFailed("grep: no REGEX", 2)
    pattern = _pattern(words[0], options)
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
        await _print_hits(call, prefix, lines, options)
    return int(hits == 0)


async def _print_hits(call: Call, prefix: str, lines: list[tuple[int, bytes]], options: dict[str, str]) -> None:
    if "q" in options:
        return
    if "c" in options:
        await call.line(f"{prefix}{len(lines)}")
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


def _pattern(text: str, options: dict[str, str]) -> re.Pattern[bytes]:
    if "F" in options:
        text = re.escape(text)
    elif "E" not in options:
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


async def _cut(call: Call) -> int:
    """``cut [-d LETTER] -f NUMBERS [FILES]``; a line without the letter stays as it is."""
    options, names = short_options(call.words, "", "fd")
    between, chosen = options.get("d", "\t"), options.get("f", "").split(",")
    if not all(number.isdecimal() and int(number) for number in chosen) or len(between) != 1:
        raise CommandFailed(f"cut: bad -f '{options.get('f', '')}'")
    for name in names or ["-"]:
        for line in (await call.load(name)).decode("utf-8", "surrogateescape").splitlines():
            fields = dict(enumerate(line.split(between), 1))
            kept = [field for number, field in fields.items() if str(number) in chosen]
            await call.line(between.join(kept) if len(fields) > 1 else line)
    return 0


COMMANDS = table(
    "free",
    **dict.fromkeys(_HASHES, _digest),
    **dict.fromkeys(("head", "tail"), _head),
    grep=_grep,
    wc=_wc,
    cut=_cut,
)
