"""What no page of ours may do: spell a missing value, scroll sideways, write to the console."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .chromium import Tab

WIDTHS = (1400, 800, 390)
"""CSS pixels: a laptop, half of its window, a phone held upright."""

_MISSING = r"\b(null|undefined|NaN|None|nan)\b|\[object \w+\]"
"""How JavaScript and Python spell a value that is not there, or that is no text."""

# Every text and every attribute that is shown or read aloud, folded or not.
_TEXTS = """(() => {
    const named = ['title', 'aria-label', 'alt', 'placeholder', 'href'];
    const found = [document.title];
    for (const node of document.documentElement.querySelectorAll('*:not(script, style, noscript, noscript *)')) {
        const texts = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
        found.push(...texts.map(({ data }) => (node.matches('q') ? `"${data}"` : data)));
        for (const name of named) if (node.hasAttribute(name)) found.push(node.getAttribute(name));
        if (typeof node.value === 'string') found.push(node.value);
        for (const side of ['::before', '::after']) found.push(getComputedStyle(node, side).content);
    }
    return [...new Set(found)];
})()"""

_SIDEWAYS = """(() => {
    const { clientWidth: room, scrollWidth: width } = document.documentElement;
    if (width <= room) return [];
    const beyond = (node) => node.getBoundingClientRect().right > room;
    const found = [...document.body.querySelectorAll('*')].filter(beyond);
    return [`${width} pixels wide`, ...found.slice(0, 5).map((node) => node.outerHTML.slice(0, 80))];
})()"""

_UNFOLD = """(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    for (const button of document.querySelectorAll('.more')) button.click();
})()"""


def faults(tab: Tab, given: Iterable[str] = ()) -> set[str]:
    """What is wrong with the open page as it stands, all of it unfolded, each step of a trace in
    turn. ``given`` are words that the test, the app or a log has put there."""
    found = set(tab.console)
    steps = tab.run(
        "[...document.querySelectorAll('#steps a')].map((one) => one.getAttribute('href'))"
    )
    for width, step in product(WIDTHS, steps or [""]):
        tab.resize(width, 800)
        if step:
            tab.run(f"location.hash = {json.dumps(step)}")
            tab.wait_for(
                f"document.querySelector('#steps [aria-current]').hash === {json.dumps(step)}"
            )
        tab.run(_UNFOLD)
        found |= {f"{step} at {width}: {node}" for node in tab.run(_SIDEWAYS)}
        if width == WIDTHS[0]:  # the texts are the same at any
            found |= {f"{step} {text}" for text in tab.run(_TEXTS) if _spells_nothing(text, given)}
    return found


def _spells_nothing(text: str, given: Iterable[str]) -> bool:
    for words in given:
        text = text.replace(words, "")
    return re.search(_MISSING, text) is not None
