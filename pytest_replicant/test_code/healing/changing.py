"""Keywords of calls, changed by libcst, which keeps every other character of a file. It comes with
``[edit]``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import libcst
from libcst import matchers
from libcst.metadata import MetadataWrapper, PositionProvider

from ...model import Selector

Wanted = Mapping[tuple[int, int], tuple[Selector, Selector]]
"""By the line and column at which a call ends: what its keywords say, and what they are to say."""
Keywords = Mapping[str, libcst.Arg]
_LAYOUT = cast("libcst.Call", libcst.parse_expression("by(one, two)")).args[0]


def with_keywords(text: str, wanted: Wanted) -> str:
    """Raises ``ValueError`` if a call is not there, or if a comment would be lost."""
    changing = _Changing(wanted)
    try:
        module = MetadataWrapper(libcst.parse_module(text), unsafe_skip_copy=True).visit(changing)
    except libcst.ParserSyntaxError:
        raise ValueError("libcst does not read the code") from None
    if changing.changed != len(wanted):
        raise ValueError("libcst does not find the call")
    return module.code


class _Changing(libcst.CSTTransformer):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self._wanted = wanted
        self.changed = 0

    def leave_Call(self, original_node: libcst.Call, updated_node: libcst.Call) -> libcst.Call:
        end = self.get_metadata(PositionProvider, original_node).end
        both = self._wanted.get((end.line, end.column))
        if not both:
            return updated_node
        self.changed += 1
        after = updated_node.with_changes(args=_arguments(updated_node.args, *map(_keywords, both)))
        before, now = (matchers.findall(one, matchers.Comment()) for one in (updated_node, after))
        if len(before) != len(now):
            raise ValueError("a comment stands between the keywords")
        return after


def _keywords(selector: Selector) -> Keywords:
    """As a test writes them, by their names."""
    call = cast("libcst.Call", libcst.parse_expression(f"by({selector})"))
    return {_name(one): one for one in call.args}


def _name(argument: libcst.Arg) -> str:
    return argument.keyword.value if argument.keyword else ""


def _arguments(given: Sequence[libcst.Arg], before: Keywords, after: Keywords) -> list[libcst.Arg]:
    """With ``after`` in place of the first of ``before``. Commas, and the layout and comments
    behind them, stay where they are."""
    written = {_name(one): one for one in given}
    first = next(place for place, one in enumerate(given) if _name(one) in before)
    new = [
        written[name] if name in before and one.deep_equals(before[name]) else one
        for name, one in after.items()
    ]
    found = [*given[:first], *new, *(one for one in given[first:] if _name(one) not in before)]
    more = len(found) - len(given)
    layout = [*given[:-1][: len(found) - 1], *[_LAYOUT] * more, given[-1]]
    return [
        one.with_changes(comma=its.comma, whitespace_after_arg=its.whitespace_after_arg)
        for one, its in zip(found, layout, strict=True)
    ]
