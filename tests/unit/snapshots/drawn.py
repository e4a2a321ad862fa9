"""Screens drawn as text, and files of cases: what is on the screens, and what is to come out of it.

A line is a node; what it contains is indented by two more. A line names the class, what it says,
where it lies (left, top, right, bottom; on an iPhone left, top, width, height; all of the screen
where nothing is given), and the attributes of the dump by their names. A bare word is a flag that
is true, one after ``!`` one that is false::

    FrameLayout
      TextView "Total" 0,200,500,250
      Button "Pay" 0,300,200,400 resource-id=dev.shop:id/pay clickable !enabled

A screen that begins with ``Application`` is one of an iPhone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import escape
from inspect import signature
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from _pytest.mark import ParameterSet

WORD = re.compile(r'(?:([\w-]+)=)?("(?:\\.|[^"\\])*"|\S+)')
PLACE = re.compile(r"-?[\d.]+(,-?[\d.]+){3}")
HERE = Path(__file__).parent
Attributes = dict[str, str]


def drawn(screen: str) -> str:
    """The dump that a phone would print of it."""
    lines = dedent(screen).strip().splitlines()
    of_iphone = lines[0].startswith("Application")
    written: list[str] = []
    within: list[tuple[str, str]] = []  # by level, how a node ends and which package it is of
    for line in lines:
        level = (len(line) - len(line.lstrip())) // 2
        while len(within) > level:
            written.append(within.pop()[0])
        kind, _, rest = line.strip().partition(" ")
        attributes = _attributes(rest)
        if of_iphone:
            tag, more = f"XCUIElementType{kind}", _of_iphone(kind, attributes)
            package = ""
        else:
            package = attributes.setdefault("package", within[-1][1] if within else "dev.shop")
            tag, more = "node", _of_android(kind, attributes)
        written.append(f"<{tag} {' '.join(_pair(*each) for each in more.items())}>")
        within.append((f"</{tag}>", package))
    written += [end for end, _ in reversed(within)]
    return "".join(written if of_iphone else ["<hierarchy>", *written, "</hierarchy>"])


def _pair(name: str, value: str) -> str:
    return f'{name}="{escape(value)}"'


def _attributes(rest: str) -> Attributes:
    """By name; what it says is "said", and its place is "at"."""
    found: Attributes = {}
    for name, word in WORD.findall(rest):
        value = json.loads(word) if word.startswith('"') else word
        if name:
            found[name] = value
        elif word.startswith('"'):
            found["said"] = value
        elif PLACE.fullmatch(word):
            found["at"] = word
        else:
            found[word.lstrip("!")] = str(not word.startswith("!")).lower()
    return found


def _of_android(kind: str, given: Attributes) -> Attributes:
    left, top, right, bottom = given.pop("at", "0,0,1080,2400").split(",")
    named = kind if "." in kind else f"android.widget.{kind}"
    said = {"text": given.pop("said")} if "said" in given else {}
    return {"class": named, **said, **given, "bounds": f"[{left},{top}][{right},{bottom}]"}


def _of_iphone(kind: str, given: Attributes) -> Attributes:
    """Visible and enabled, and named as it is labelled, unless something else is given."""
    places = given.pop("at", "0,0,375,667").split(",")
    said = given.pop("said", None)
    words = {} if said is None else {"label": said, "name": said}
    if said is not None and kind == "StaticText":
        words["value"] = said
    shown = {
        "type": f"XCUIElementType{kind}",
        "enabled": "true",
        "visible": "true",
        **words,
        **given,
    }
    return {**shown, **dict(zip(("x", "y", "width", "height"), places, strict=True))}


def cases(folder: str) -> Callable[[Any], Any]:
    """Runs a test for each case in the files of a folder beside this one, with the sections of the
    case.

    A case begins with ``##`` and the rule that it shows; ``--`` stands between its sections, and
    the last is what is expected.
    """

    found = [case for path in sorted((HERE / folder).glob("*.txt")) for case in _cases(path)]

    def mark(test: Any) -> Any:
        return pytest.mark.parametrize(list(signature(test).parameters), found)(test)

    return mark


def _cases(path: Path) -> Iterator[ParameterSet]:
    for case in path.read_text("utf-8").split("\n## ")[1:]:
        rule, _, body = case.partition("\n")
        sections = re.split(r"^--$", body, flags=re.MULTILINE)
        yield pytest.param(*(section.strip("\n") for section in sections), id=rule)
