"""The others' formulas, checked by hand."""

from __future__ import annotations

from benchmarks.peers import (
    PEERS,
    centre_hash,
    centre_name,
    content_hash,
    fingerprint,
    java_hash,
    position,
)

from ..snapshots.screens import button, node, parse, screen

PEER = {peer.key: peer for peer in PEERS}


def test_javas_string_hash() -> None:
    assert java_hash("") == 0
    assert java_hash("ab") == 97 * 31 + 98
    assert java_hash("polygenelubricants") == -(2**31)  # a well-known string
    assert java_hash("😀") == 0xD83D * 31 + 0xDE00  # two UTF-16 units


def test_a_name_by_hand() -> None:
    # "B||0,0" is 66 124 124 48 44 48; ((((66*31+124)*31+124)*31+48)*31+44)*31+48 = 2007782194
    assert java_hash("B||0,0") == 2007782194
    # 2007782194 = 26 * 77222392 + 2: the third letter, and 77222392 mod 1000
    assert centre_name("B", "", 9, -9) == "c392"


def test_the_centre_counts_in_cells_cut_off_toward_zero() -> None:
    assert centre_name("B", "Go", 109, 200) == centre_name("B", "Go", 100, 209)
    assert centre_name("B", "Go", 109, 200) != centre_name("B", "Go", 110, 200)


def test_equal_ones_get_letters_in_reading_order() -> None:
    twins = parse(screen(*(button("Go", at=(left, 300, left + 200, 400)) for left in range(3)))).elements
    first, second, third = centre_hash(twins)
    assert (second, third) == (first + "b", first + "c")


def test_a_moved_element_has_another_content_hash_and_fingerprint() -> None:
    here = parse(screen(button("Go", at=(0, 0, 100, 100)))).elements
    there = parse(screen(button("Go", at=(0, 1, 100, 101)))).elements
    assert content_hash(here) != content_hash(there)
    assert fingerprint(here) != fingerprint(there)
    assert centre_hash(here) == centre_hash(there)
    assert position(here) == position(there) == ["0"]


def test_a_fingerprint_is_compared_with_the_first_element_at_its_centre() -> None:
    inside = button("Go", at=(10, 10, 90, 90))
    around = node("FrameLayout", inside, at=(0, 0, 100, 100), clickable="true")
    before, after = parse(screen(inside)).elements, parse(screen(around)).elements
    name = fingerprint(before)[0]
    assert name in PEER["fingerprint"].found(before)
    assert name not in PEER["fingerprint"].found(after)
