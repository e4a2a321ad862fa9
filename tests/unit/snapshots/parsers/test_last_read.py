"""Another dump of a session is read by what differs from the last one, and exactly as a whole parse
reads it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import SnapshotError
from pytest_replicant.snapshots import Dump, Memory, read_hierarchy

from ..screens import SHOP, button, hierarchy, node, screen, text

FORM = screen(
    *(text(f"Line {n}", at=(0, n * 50, 500, n * 50 + 50)) for n in range(12)), button("Save")
)
LINE = FORM[FORM.index('<node class="android.widget.TextView"') :].partition("/>")[0] + "/>"


def whole(source: str | bytes) -> Dump | str:
    try:
        return replace(read_hierarchy(source, None), attributes=())
    except SnapshotError as refused:
        return str(refused)


def after(first: str | bytes, then: str | bytes) -> Dump | str:
    """``then``, read by a session that read ``first`` just before."""
    last = Memory().last_read
    with suppress(SnapshotError):
        last.read(first, None, 1.0)
    try:
        return last.read(then, None, 1.0)
    except SnapshotError as refused:
        return str(refused)


def parsed_again(before: Dump, now: Dump) -> int:
    return sum(one is not other for one, other in zip(before.nodes, now.nodes, strict=True))


def test_only_the_tags_that_differ_are_parsed() -> None:
    last = Memory().last_read
    first = last.read(FORM, None, 1.0)
    for changed in (FORM.replace("Line 3", "Line 33").replace('text="Save"', 'text="Saved"'), FORM):
        then, before = last.read(changed, None, 1.0), first
        assert then == whole(changed)
        assert parsed_again(before, then) == 2
        first = then


def test_of_a_screen_that_differs_in_many_tags_everything_is_parsed() -> None:
    last = Memory().last_read
    before, now = last.read(FORM, None, 1.0), last.read(FORM.replace("Line", "Row"), None, 1.0)
    assert now == whole(FORM.replace("Line", "Row"))
    assert parsed_again(before, now) == len(now.nodes)


@pytest.mark.parametrize(
    "tag",
    [
        LINE.replace("/>", "></node>"),
        LINE.replace("/>", ">"),
        LINE.replace("/>", "/></node><node/>"),
        LINE.replace("/>", ">text/>"),
        LINE.replace("Line 0", '"/><node text="'),
        LINE.replace("Line 0", "a > b"),
        LINE.replace("Line 0", "a &lt; b &amp; c&#128512;"),
        LINE.replace("Line 0", "a & b"),
        LINE.replace("Line 0", "a &nbsp; b"),
        LINE.replace("Line 0", "\x01"),
        LINE.replace("Line 0", "two\nlines\tand\r\nmore"),
        LINE.replace("Line 0", "&#10;"),
        LINE.replace(' text="', ' text="twice" text="'),
        LINE.replace("<node", '<node xmlns="other"'),
        LINE.replace("<node", '<node a:b="1"'),
        LINE.replace("<node", "<other"),
        LINE.replace("<node", "< node"),
        LINE.replace("<node", "<!-- node"),
        LINE.replace("<node", "<?node"),
        LINE.replace("<node", "<XCUIElementTypeOther"),
        LINE.replace("/>", "/> text"),
        LINE.replace("/>", "/>\n"),
        LINE.replace("/>", ""),
        LINE.replace("/>", ' hint="Name"/>'),
        LINE.replace("/>", ' visible-to-user="false"/>'),
        LINE.replace("/>", ' display-id="2"/>'),
        LINE.replace("Line 0", "half \ud83d"),
        LINE.replace("Line 0", "x" * 200_000),
        "",
    ],
)
def test_whatever_a_tag_becomes_it_is_read_as_in_a_whole_parse(tag: str) -> None:
    changed = FORM.replace(LINE, tag)
    assert after(FORM, changed) == whole(changed)
    assert after(changed, FORM) == whole(FORM)
    assert after(changed, changed.replace("Line 7", "Line 77")) == whole(
        changed.replace("Line 7", "Line 77")
    )


@pytest.mark.parametrize(
    "form",
    [
        FORM.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        FORM.encode("utf-16"),
        FORM.replace("<hierarchy", "<!DOCTYPE x []><hierarchy"),
        FORM.replace("<hierarchy", "<?a <node/> ?><hierarchy"),
        FORM.replace("<hierarchy", "<!-- <node/> --><hierarchy"),
        FORM.replace("<hierarchy", "<?replicant levels='2'?><hierarchy"),
        FORM.replace(LINE, f"<![CDATA[{LINE}]]>{LINE}"),
        FORM.replace("<hierarchy", '<hierarchy xmlns="other"'),
        "noise < more " + FORM,
        FORM + " dumped to: /dev/tty",
        FORM.replace("Line 1", "a\x01b"),
        hierarchy(
            node("FrameLayout", text("Far away"), display_id="2"), node("FrameLayout", *[LINE] * 9)
        ),
        FORM.replace(
            'class="android.widget.FrameLayout"',
            'class="android.widget.FrameLayout" visible-to-user="true"',
        ),
        FORM.replace("/>", ' hint=""/>'),
        FORM.partition("?>")[2],
    ],
)
def test_a_text_of_any_form_is_read_as_in_a_whole_parse(form: str | bytes) -> None:
    old, new = ("Line 7", "Ligne …") if isinstance(form, str) else (b"Line 7", b"Line 8")
    for word in (new, "Emoji .." if isinstance(form, str) else b"Emoji .."):
        changed = form.replace(old, word)  # type: ignore[arg-type]
        assert after(form, changed) == whole(changed)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_edit_of_the_text_is_read_otherwise(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(SHOP)))
    end = start + data.draw(st.integers(0, 12))
    put = data.draw(st.text(alphabet='<>/"=& nodetx!?-', max_size=12))
    changed = SHOP[:start] + put + SHOP[end:]
    assert after(SHOP, changed) == whole(changed)


def test_a_dump_that_could_not_be_read_is_no_last_one() -> None:
    last = Memory().last_read
    last.read(FORM, None, 1.0)
    with pytest.raises(SnapshotError):
        last.read(FORM[:-40], None, 1.0)
    assert last.read(FORM, None, 1.0) == whole(FORM)
