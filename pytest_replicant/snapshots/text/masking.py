"""Text without what changes in it while everything else stays."""

from __future__ import annotations

import re

# What ticks by itself: clocks, ages, the battery. Prices, counts and other percentages are content.
_CLOCK = re.compile(r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[AaPp]\.?[Mm]\.?)?(?![\d:])")
_AGE = re.compile(r"\b\d+ ?(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hrs?|hours?|d|days?) ago\b|\bjust now\b")
_BATTERY = re.compile(r"(\bbattery\b[^\d%]{0,24})\d{1,3}(?= ?(?:%|percent\b))", re.IGNORECASE)
_PERCENT = re.compile(r"\b\d+(?:[.,]\d+)?(?= ?(?:%|percent\b))")
_COUNT = re.compile(r" *\(\d[\d.,]*\+?\)$")  # "Inbox (3)"
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*\+?")  # "3", "1,234.50", "10:45", "2/3", "99+"


def mask_volatile(text: str) -> str:
    """The text with what ticks by itself replaced by ``~``."""
    if not any(sign.isdigit() for sign in text):
        return _AGE.sub("~", text) if "just now" in text else text
    return _BATTERY.sub(r"\1~", _AGE.sub("~", _CLOCK.sub("~", text)))


def mask_progress(text: str) -> str:
    """The same with percentages, which tick while something is going on."""
    return _PERCENT.sub("~", mask_volatile(text))


def mask_numbers(text: str) -> str:
    """The text with every number replaced by ``~``, for what is known by its words."""
    return _NUMBER.sub("~", text)


def mask_count(title: str) -> str:
    """The text without what ticks, and without a count at its end."""
    return _COUNT.sub("", mask_volatile(title))
