"""Texts in which a dump has dots in place of emoji: the phone knows the true ones, where it can be
asked.

uiautomator2's server goes by UTF-16 units, and prints a dot for each that XML cannot hold alone: an
emoji is ``..`` (AccessibilityNodeInfoDumper.java, ``stripInvalidXMLChars``). Its answers in JSON
have the true text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from ...errors import UndecidableText
from ...model import Node, NodeText, Selector, as_dotted, quoted
from ..screen.layout import Layout
from ..text import DOUBTFUL, clean

Ask = Callable[[Mapping[str, int], Mapping[str, int]], "Sequence[NodeText] | None"]
"""Asks the phone for the nodes that have one of these texts, or one of these descriptions, in its
dump, which has so many of each. Where not all are returned, one of each true text is. None if it
cannot be asked: no phone, or one whose screen may be another by now."""

_DOTS = ".."


Way = Literal["whole", "part", "pattern"]
_WAYS: dict[str, Way] = {
    "text": "whole", "description": "whole", "text_contains": "part", "text_matches": "pattern"
}  # fmt: skip


class Word(NamedTuple):
    """A text that something on the screen is compared with: with the ``whole`` of it, with a
    ``part``, or as a ``pattern``."""

    text: str
    way: Way = "whole"


def words_of(selector: Selector) -> Iterator[Word]:
    """The texts in a selector, and in the selectors in it."""
    for name, value in selector.given():
        if isinstance(value, Selector):
            yield from words_of(value)
        elif isinstance(value, tuple):
            for one in value:
                yield from words_of(one)
        elif name in _WAYS:
            if isinstance(value, re.Pattern):
                yield Word(value.pattern, "pattern")
            else:
                yield Word(str(value), _WAYS[name])


Field = Literal["text", "description"]
_ASKED: tuple[Field, Field] = ("text", "description")


class Dotted:
    """The dotted texts of one dump. What was asked once is not asked again."""

    def __init__(self, nodes: Sequence[Node], ask: Ask | None) -> None:
        self._nodes = [node for node in nodes if _texts_with_dots(node)]
        self._ask = ask
        self._said: dict[tuple[Field, str], list[NodeText]] = {}

    @property
    def asked(self) -> bool:
        """Whether the phone was asked: the next dump may look the same, and not be the same."""
        return bool(self._said)

    def true_layout(self, words: Iterable[Word], layout: Layout) -> Layout | None:
        """The layout with the true texts of what may decide about ``words``; None if it has them.
        Raises ``UndecidableText``."""
        wanted = list(words)
        nodes = [
            one for one in self._nodes if layout.shown[one.index] or layout.offscreen[one.index]
        ]
        texts = {text for node in nodes for text in _texts_with_dots(node)}
        among = {text for text in texts if any(_may_decide(word, text) for word in wanted)}
        known, plain = self._learn(among), all(as_dotted(word.text) == word.text for word in wanted)
        hints = {node.hint for node in self._nodes if node.hint != node.text} if plain else set()
        among = {
            text
            for text in among
            if DOUBTFUL.search(text) or not (plain and (text in hints or not known))
        }
        found = {
            node.index: self._true(node, among, wanted)
            for node in nodes
            if among & _texts_with_dots(node)
        }
        if all(node == layout.nodes[index] for index, node in found.items()):
            return None
        return replace(layout, nodes=tuple(found.get(node.index, node) for node in layout.nodes))

    def _learn(self, texts: Collection[str]) -> bool:
        """Asks for those that are not known; False if no one answers."""
        asked = [Counter(getattr(node, name) for node in self._nodes) for name in _ASKED]
        for name, counts in zip(_ASKED, asked, strict=True):
            for text in [
                text for text in counts if text not in texts or (name, text) in self._said
            ]:
                del counts[text]
        if not any(asked):
            return True
        said = self._ask(*asked) if self._ask is not None else None
        if said is None:
            return False
        for name, wanted in zip(_ASKED, asked, strict=True):
            self._said |= {
                (name, t): [one for one in said if as_dotted(getattr(one, name)) == t]
                for t in wanted
            }
        return True

    def _true(self, node: Node, among: Collection[str], words: Sequence[Word]) -> Node:
        text = self._only(node, "text", words) if node.text in among else node.text
        description = (
            self._only(node, "description", words)
            if node.description in among
            else node.description
        )
        hint = node.hint
        if hint in among:
            hint = (
                text
                if hint == node.text
                else _unknown(hint, "a hint behind a text is in no answer")
            )
        return replace(node, text=text, description=description, hint=hint)

    def _only(self, node: Node, name: Field, words: Sequence[Word]) -> str:
        """The one true text that fits the node: of what lies there, else of all that have such a
        text; of several one, if none of them is meant."""
        dotted = getattr(node, name)
        said = self._said.get((name, dotted))
        if said is None:
            return _unknown(dotted, "the phone cannot be asked about this screen")
        there = [one for one in said if one.bounds == node.bounds]
        there = there or [one for one in said if one.bounds.contains(node.bounds.center)]
        found = {getattr(one, name) for one in there or said}
        if not found:
            return _unknown(dotted, "it is not there any more")
        if len(found) > 1 and any(
            word.way != "whole" or clean(t) in clean(word.text) for word in words for t in found
        ):
            return _unknown(dotted, "several texts fit")
        return str(min(found))


def _unknown(dotted: str, why: str) -> str:
    raise UndecidableText(
        f"{quoted(dotted)} may hold emoji, each of which is two dots in a dump, and {why}"
    )


def _texts_with_dots(node: Node) -> set[str]:
    return {text for text in (node.text, node.description, node.hint) if _DOTS in text}


def _may_decide(word: Word, text: str) -> bool:
    if word.way == "pattern":
        return True
    dotted = as_dotted(clean(word.text))
    if word.way == "part":
        return "." in dotted
    return _DOTS in dotted and as_dotted(clean(text)) in dotted
