"""The others' formulas, checked by hand."""

from __future__ import annotations

from collections import Counter

from benchmarks.peers import (
    PEERS,
    centre_hash,
    centre_name,
    content_hash,
    fingerprint,
    java_hash,
    position,
    tiered_hash,
)

from ..snapshots.screens import button, catalogue, node, parse, row, screen

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


def led(before: str, after: str) -> list[str]:
    """Where the hash leads from each element of one screen: label and number of one of the next, "" for none."""
    old, new = parse(before).elements, parse(after).elements
    found = PEER["tiered hash"].found(new)
    reached = [found.get(name) for name in tiered_hash(old)]
    return [f"{one.label} {new.index(one)}".strip() if one is not None else "" for one in reached]


def test_the_tiered_hash_takes_the_first_tier_that_is_unique() -> None:
    shop = screen(
        button("Pay", resource_id="dev.shop:id/pay"),
        button("Help", at=(0, 500, 200, 600)),
        catalogue(row("Mug", "5.90", 700), row("Cup", "4.20", 800)),
        *(node("ImageView", at=(left, 100, left + 99, 200), clickable="true") for left in (0, 100)),
    )
    tiers = [name.split("\0")[0] for name in tiered_hash(parse(shop).elements)]
    assert sorted(Counter(tiers).items()) == [("id", 1), ("place", 3), ("row", 2), ("words", 5)]
    assert "" not in led(shop, shop)


def test_the_tiered_hash_follows_a_row_and_abstains_where_its_key_is_gone_or_no_longer_unique() -> None:
    mug, cup = row("Mug", "5.90", 500), row("Cup", "4.20", 600)
    swapped = screen(catalogue(row("Cup", "4.20", 500), row("Mug", "5.90", 600)))
    adds = [one for one in led(screen(catalogue(mug, cup)), swapped) if one.startswith("Add")]
    assert len(adds) == 2
    assert int(adds[0][-1]) > int(adds[1][-1])  # the mug's is below now
    assert led(screen(button("Go")), screen(button("Stop"))) == [""]
    twice = (button("Go"), button("Go", at=(0, 500, 200, 600)))
    assert led(screen(button("Go")), screen(*twice)) == [""]
    assert led(screen(*twice), screen(*twice, button("Go", at=(0, 700, 200, 800)))) == ["", ""]


def test_the_tiered_hash_takes_no_typed_text_for_a_name() -> None:
    def field(typed: str) -> str:
        return screen(node("EditText", at=(0, 300, 900, 400), text=typed, hint="Search", clickable="true"))

    assert led(field(""), field("mugs")) == ["Search 0"]
