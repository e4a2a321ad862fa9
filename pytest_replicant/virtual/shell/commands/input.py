"""input: tap, swipe, text, keys."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import NoReturn

from ...streams import in_thread
from ..call import Call, CommandFailed
from ..registry import table

_SOURCES = frozenset(
    (
        "keyboard",
        "touchscreen",
        "mouse",
        "stylus",
    )
)
CMD_INPUT_SDK = (
    31  # from here on `input` is `cmd input` (AOSP cmds/input/input.sh); before, a Java program
)
_APP_PROCESS_S = 0.5


def _fails(call: Call, problem: str) -> NoReturn:
    """In the words of Android's command framework."""
    command = call.words[0] if call.words else ""
    raise CommandFailed(f"\nException occurred while executing '{command}':\n{problem}", 255)


def _numbers(call: Call, count: int) -> list[float]:
    words = call.words[1 : 1 + count]
    if len(words) < count:
        previous = call.words[len(words)]
        _fails(call, f'java.lang.IllegalArgumentException: Argument expected after "{previous}"')
    return [_number(call, word) for word in words]


def _number(call: Call, word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        _fails(call, f'java.lang.NumberFormatException: For input string: "{word}"')
    return number


def _duration(call: Call, index: int, default: int) -> int:
    if len(call.words) <= index:
        return default
    return max(0, min(600_000, int(_number(call, call.words[index]))))


async def _tap(call: Call) -> int:
    x, y = _numbers(call, 2)
    await call.phone.pace.take("gesture")
    await in_thread(call.phone.tap, int(x), int(y))
    return 0


async def _swipe(call: Call) -> int:
    x1, y1, x2, y2 = (int(number) for number in _numbers(call, 4))
    ms = _duration(call, 5, 300)
    await call.phone.pace.take("gesture", extra_ms=ms)
    await in_thread(call.phone.swipe, x1, y1, x2, y2, ms)
    return 0


async def _text(call: Call) -> int:
    """``%s`` is a space. Android's virtual keyboard knows ASCII alone: other text is refused as a
    whole."""
    if len(call.words) < 2:
        _fails(call, 'java.lang.IllegalArgumentException: Argument expected after "text"')
    text = call.words[1].replace("%s", " ")
    if not all(character in "\n\t" or " " <= character <= "~" for character in text):
        _fails(call, "java.lang.NullPointerException: Attempt to get length of null array")
    await call.phone.pace.take("text")
    for index, line in enumerate(text.split("\n")):
        if index:
            await in_thread(call.phone.press_key, "ENTER")
        if line:
            await in_thread(call.phone.type_text, line)
    return 0


async def _keys(call: Call) -> int:
    """``keyevent [--longpress|--doubletap|--async] [--delay MS] KEY…``: one after another."""
    keys = _key_words(call)
    await call.phone.pace.take("gesture")
    for key in keys:
        if not await in_thread(call.phone.press_key, key):
            _fails(call, f"java.lang.IllegalArgumentException: unknown key: {key}")
    return 0


def _key_words(call: Call) -> list[str]:
    words = list(call.words[1:])
    keys: list[str] = []
    while words:
        word = words.pop(0)
        if word in ("--delay", "--duration", "-t"):
            words = words[1:]
        elif not word.startswith("--"):
            keys.append(word)
    if not keys:
        _fails(
            call, f'java.lang.IllegalArgumentException: Argument expected after "{call.words[0]}"'
        )
    return keys


_COMMANDS: dict[str, Callable[[Call], Awaitable[int]]] = {
    "tap": _tap,
    "swipe": _swipe,
    "text": _text,
    "keyevent": _keys,
}


async def _input(call: Call) -> int:
    words = list(call.words)
    if words and words[0] in _SOURCES:
        words.pop(0)
    if words[:1] == ["-d"]:
        words = words[2:]
    command = _COMMANDS.get(words[0]) if words else None
    if call.phone.profile.sdk < CMD_INPUT_SDK and call.phone.latency.gesture_ms:
        await call.phone.pace.sleep(_APP_PROCESS_S)
    if command is None:
        unknown = f"Error: Unknown command: {words[0]}\n" if words else ""
        raise CommandFailed(
            f"{unknown}Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]", 255
        )
    return await command(call.shifted(len(call.words) - len(words)))


COMMANDS = table("own", input=_input)
