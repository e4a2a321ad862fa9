"""md5sum and sha256sum, head, grep, cut."""

from __future__ import annotations

import functools
import hashlib
import re

from ...streams import in_thread
from ..call import Call, CommandFailed, encoded, short_options
from ..registry import table

_HASHES = {"md5sum": "md5", "sha256sum": "sha256"}


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
    """Remembered, as each client that connects asks for the digest of the 4 MB that it would push
    otherwise."""
    return hashlib.new(kind, data).hexdigest()


async def _head(call: Call) -> int:
    """``head [-n COUNT | -COUNT] [FILES]``; of standard input it takes no more than it needs."""
    words = [f"-n{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in call.words]
    options, names = short_options(words, "", "n")
    count = options.get("n", "10")
    if not count.isdecimal():
        raise CommandFailed(f"not integer: {count}")
    for name in names or ["-"]:
        data = b"" if name == "-" else await call.load(name)
        while (
            name == "-" and data.count(b"\n") < int(count) and (chunk := await call.channels.read())
        ):
            data += chunk
        await call.channels.write(b"".join(re.findall(rb"[^\n]*\n|[^\n]+", data)[: int(count)]))
    return 0


async def _grep(call: Call) -> int:
    options, words = short_options(call.words, "ivcEFqox", "m")
    if not words:
        raise CommandFailed("grep: no REGEX", 2)
    pattern = _pattern(words[0], options)
    hits = 0
    for name in words[1:] or ["-"]:
        try:
            data = await call.load(name)
        except OSError as error:
            await call.error(f"grep: {name}: {error.strerror}")
            continue
        prefix = f"{name}:" if len(words) > 2 else ""
        lines = await in_thread(_matching, data, pattern, options)
        hits += len(lines)
        await _print_hits(call, prefix, lines, options)
    return int(hits == 0)


async def _print_hits(call: Call, prefix: str, lines: list[bytes], options: dict[str, str]) -> None:
    if "q" in options:
        return
    if "c" in options:
        await call.line(f"{prefix}{len(lines)}")
    else:
        for line in lines:
            await call.channels.write(encoded(prefix) + line + b"\n")


def _matching(data: bytes, pattern: re.Pattern[bytes], options: dict[str, str]) -> list[bytes]:
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    most = int(options["m"]) if options.get("m", "").isdecimal() else len(lines)
    hits: list[bytes] = []
    for line in lines:
        if "o" in options:
            hits += [found.group() for found in pattern.finditer(line) if found.group()]
        elif bool(pattern.search(line)) != ("v" in options):
            hits.append(line)
    return hits[:most]


def _pattern(text: str, options: dict[str, str]) -> re.Pattern[bytes]:
    if "F" in options:
        text = re.escape(text)
    elif "E" not in options:
        text = re.sub(r"\\?[|+?(){}]", _basic, text)
    if "x" in options:
        text = rf"^(?:{text})$"
    text = text.replace("[[:space:]]", r"\s").replace("[[:digit:]]", r"\d")
    try:
        return re.compile(
            text.encode("utf-8", "surrogateescape"), re.IGNORECASE if "i" in options else 0
        )
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
    head=_head,
    grep=_grep,
    cut=_cut,
)
