"""Whatever bytes arrive, they end in a screen that works or in a ``SnapshotError`` that says why
not."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.captures import NO_CORPUS
from pytest_replicant.errors import SnapshotError, TargetError
from pytest_replicant.snapshots import Memory, Snapshot

from .dumps import BY_HAND, captures
from .effort import examples

LONGEST_MESSAGE = 500
SHOP = Snapshot.parse(BY_HAND["uiautomator"])
TOKENS = (
    "<", ">", "/>", '"', "'", "&", ";", "=", " ", "\x00", "\r\n", "]]>", "<![CDATA[", "<!--", "-->",
    "<?x", "?>", "&#0;", "&#xD83D;", "&#55357;&#56832;", "&#x110000;", "&#99999999999;", "&lol;",
    "&amp;", "\ud83d", "\ufffe", "<!DOCTYPE x>", "<!ENTITY a 'b'>",
    '<!DOCTYPE x [<!ENTITY a "b">]>', "<?xml version='1.0' encoding='UTF-16'?>", "<node", "<node>",
    "</node>", "<node/>", "<hierarchy>", "</hierarchy>", "<XCUIElementTypeButton", "<AppiumAUT>",
    'bounds="[', 'bounds="[-9,9][9,-9]"', "[999999999999,0]", "9" * 400, "-", "1e999", "NaN",
    'x="٣"', 'width="-1"', "{", "}", "[", "]", ",", ":", "null", "true", '"children":',
    '"children": [null]', '"rect": {}', '"value":', "\\u", "\\ud800", 'class=""', 'class="."',
    'package="com.android.systemui"', 'checked="maybe"', "xmlns:a='b'", "a:b", "UTF-7",
    "ERROR: null root node", "Killed", "\ufeff", "\x1b[0m", "é" * 300, "<" * 200,
)  # fmt: skip
BYTES = (
    b"\xff",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xc3",
    b"\xed\xa0\xbd",
    b"\x80" * 50,
    b"\xf8\x88\x80\x80\x80",
)
NOISE = (*(token.encode("utf-8", "surrogatepass") for token in TOKENS), *BYTES)

VALUE = re.compile(rb'"([^"]*)"')
Edit = Callable[[bytes], bytes]
places = st.integers(0, 2**16)
lengths = st.sampled_from([1, 1, 2, 3, 8, 30, 200, 3000])


def cut(place: int, length: int) -> Edit:
    return lambda data: data[: place % (len(data) + 1)] + data[place % (len(data) + 1) + length :]


def end(place: int) -> Edit:
    return lambda data: data[: place % (len(data) + 1)]


def insert(place: int, noise: bytes) -> Edit:
    return lambda data: data[: place % (len(data) + 1)] + noise + data[place % (len(data) + 1) :]


def flip(place: int, bits: int) -> Edit:
    def flipped(data: bytes) -> bytes:
        at = place % (len(data) + 1)
        return data[:at] + bytes(sign ^ bits for sign in data[at : at + 1]) + data[at + 1 :]

    return flipped


def again(place: int, length: int, target: int) -> Edit:
    """A piece of it a second time, somewhere else."""
    return lambda data: insert(target, data[place % (len(data) + 1) :][:length])(data)


def splice(place: int, length: int, other: bytes, target: int) -> Edit:
    return insert(target, other[place % len(other) :][:length])


def another_value(number: int, noise: bytes) -> Edit:
    """Noise for one of the values in quotes, so that the rest can still be read."""

    def replaced(data: bytes) -> bytes:
        found = [match.span(1) for match in VALUE.finditer(data)]
        start, stop = found[number % len(found)] if found else (0, 0)
        return data[:start] + noise + data[stop:]

    return replaced


edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(another_value, places, st.sampled_from(NOISE)),
    st.builds(another_value, places, st.sampled_from(NOISE)),
    st.builds(insert, places, st.sampled_from(NOISE)),
    st.builds(insert, places, st.sampled_from(NOISE)),
    st.builds(insert, places, st.binary(max_size=8)),
    st.builds(cut, places, lengths),
    st.builds(end, places),
    st.builds(flip, places, st.integers(1, 255)),
    st.builds(again, places, lengths, places),
    st.builds(splice, places, lengths, st.sampled_from(sorted(BY_HAND.values())), places),
)
damage = st.lists(edits, min_size=1, max_size=6)


def check_total(data: bytes | str) -> Snapshot | None:
    """Reads and uses it; None where it is no screen. Whatever else is raised is what is looked
    for."""
    try:
        snapshot = Snapshot.parse(data)
    except SnapshotError as error:
        check_message(str(error))
        return None
    use(snapshot, Snapshot.parse(data, id="s1"))
    return snapshot


def check_message(message: str) -> None:
    assert message.strip()
    assert len(message) <= LONGEST_MESSAGE, len(message)
    message.encode()  # can be written to a report
    assert message.isprintable(), message


def use(snapshot: Snapshot, again: Snapshot) -> None:
    """Everything that a session does with a screen."""
    assert snapshot.outline().strip()
    snapshot.outline(bounds=True, offscreen=True)
    snapshot.outline(depth=1, max_chars=200)
    assert snapshot.fingerprint == again.fingerprint
    assert snapshot.screen_key == again.screen_key
    assert snapshot.nodes
    assert len({element.ref for element in snapshot.elements}) == len(snapshot.elements)
    assert again.diff(snapshot).empty
    for text in (
        str(snapshot.diff(SHOP)),
        str(SHOP.diff(snapshot)),
        str(snapshot.diff(None)),
        repr(snapshot),
    ):
        assert text
    assert (snapshot.loading, snapshot.app, snapshot.keyboard_visible) == (
        again.loading,
        again.app,
        again.keyboard_visible,
    )
    memory = Memory()
    memory.learn(snapshot)
    Snapshot.parse(BY_HAND["uiautomator"], memory=memory)
    for element in snapshot.elements[:4]:
        assert again.locate(replace(element, family=None)).verdict == "same"
        SHOP.locate(replace(element, family=None))
        assert snapshot.selector(element.ref).code
        assert element.parent is None or element in element.parent.children
    snapshot.find_all(text_contains="i", enabled=True)
    with suppress(TargetError):
        snapshot.find(text="Sign in")


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(BY_HAND))
@examples(40, 20_000)
@given(damage)
def test_a_damaged_dump(kind: str, edits: list[Edit]) -> None:
    data = BY_HAND[kind]
    for edit in edits:
        data = edit(data)
    check_total(data)


@pytest.mark.slow
@pytest.mark.skipif(not captures(), reason=NO_CORPUS)
@examples(30, 20_000)
@given(st.integers(0, 9999), damage)
def test_a_damaged_capture(number: int, edits: list[Edit]) -> None:
    data = captures()[number % len(captures())].read_bytes()
    for edit in edits:
        data = edit(data)
    check_total(data)


@pytest.mark.slow
@examples(50, 20_000)
@given(
    st.lists(st.sampled_from(NOISE) | st.binary(max_size=6), max_size=12),
    st.sampled_from([b"", b"<node", b'{"value": ']),
)
def test_bytes_of_no_kind(pieces: list[bytes], start: bytes) -> None:
    check_total(start + b"".join(pieces))


@pytest.mark.slow
@examples(30, 20_000)
@given(
    st.text(st.characters(), max_size=40),
    st.sampled_from(["", "<hierarchy><node ", "<node text='", '{"type": "']),
)
def test_text_of_no_kind(text: str, start: str) -> None:
    check_total(start + text)


@pytest.mark.parametrize("kind", sorted(BY_HAND))
def test_undamaged_they_are_screens_or_refused_by_platform(kind: str) -> None:
    data = BY_HAND[kind]
    snapshot = check_total(data)
    if kind in ("xcuitest", "wda"):
        if snapshot is None:
            pytest.skip("no hierarchies of iOS are read")
        assert snapshot.platform == "ios"
        with pytest.raises(SnapshotError):
            Snapshot.parse(data, "android")
    else:
        assert snapshot is not None
        assert snapshot.platform == "android"
        with pytest.raises(SnapshotError):
            Snapshot.parse(data, "ios")


@pytest.mark.parametrize(
    "data",
    [
        b"<node-" + b"a" * 20_000 + b"/>",
        b"<node-" + b"a" * 20_000 + b" x='1'>",
        b"<node><" + b"b" * 20_000 + b"></node>",
        b"<node " + b"c" * 20_000 + b"='' " + b"c" * 20_000 + b"=''/>",
        b"<node>&" + b"d" * 20_000 + b";</node>",
        b"<node xmlns:" + b"e" * 20_000 + b"=''>",
        b'<?xml version="' + b"9" * 20_000 + b'"?><node>',
        b'<?xml version="1.0" encoding="' + b"x" * 20_000 + b'"?><hierarchy/>',
        b"{" + b'"a": ' * 9000,
        b"Killed \x1b[31m\x00\x07 \xff\xfe" + b"x" * 9000,
        "ERROR: null root node \u202e\u2028 \ud83d".encode("utf-8", "surrogatepass"),
        b"\x00" * 5000,
        b" " * 5000,
    ],
    ids=lambda data: repr(data[:16]),
)
def test_a_message_is_short_and_clean_whatever_it_is_about(data: bytes) -> None:
    assert check_total(data) is None


@pytest.mark.parametrize("name", ["\ufeff", ".", "  ", ""])
def test_a_class_without_a_name_is_in_no_proposal(name: str) -> None:
    inside = (
        '<node class="a.Switch" text="ON" checkable="true" clickable="true" bounds="[0,0][50,50]"/>'
    )
    beside = f'<node class="{name}" clickable="true" bounds="[60,60][80,80]"/>'
    assert check_total(
        f'<hierarchy><node class="{name}" bounds="[0,0][90,90]">{inside}{beside}</node></hierarchy>'
    )
