"""What a session remembers of the screens it has printed."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import Memory, Snapshot

from ..screens import button, labels_of, node, screen, text


def stars(count: int, title: str = "Ratings") -> str:
    images = [
        node("ImageView", at=(n * 100, 300, n * 100 + 90, 390), clickable="true")
        for n in range(count)
    ]
    return screen(*images, title=title)


def read(memory: Memory, source: str, snapshot_id: str) -> Snapshot:
    snapshot = Snapshot.parse(source, id=snapshot_id, memory=memory)
    memory.learn(snapshot)
    return snapshot


def test_a_witness_is_kept_without_its_screen_but_with_its_traits() -> None:
    memory = Memory()
    snapshot = read(memory, screen(text("Hello"), title="Start"), "s1")
    witness = memory.witness(snapshot.elements[0].ref)
    assert witness is not None
    assert (witness.label, witness.family, witness.screen) == ("Hello", None, snapshot.traits)
    assert memory.witness("z999") is None


def test_look_alikes_that_were_seen_to_change_are_never_printed_alike_again() -> None:
    memory = Memory()
    first = read(memory, stars(3), "s1")
    read(memory, stars(2), "s2")
    third = read(memory, stars(3), "s3")
    assert not {e.ref for e in first.elements} & {e.ref for e in third.elements}
    witness = memory.witness(first.elements[1].ref)
    assert witness is not None
    assert third.locate(witness).verdict == "ambiguous"


def test_look_alikes_that_did_not_change_keep_their_refs() -> None:
    memory = Memory()
    first = read(memory, stars(3), "s1")
    assert [e.ref for e in read(memory, stars(3), "s2").elements] == [e.ref for e in first.elements]


def test_another_screen_in_between_says_nothing_about_a_group() -> None:
    memory = Memory()
    first = read(memory, stars(3), "s1")
    read(memory, screen(text("Hello"), title="Start"), "s2")
    assert [e.ref for e in read(memory, stars(3), "s3").elements] == [e.ref for e in first.elements]


def test_a_hint_seen_under_an_id_that_fields_share_is_nobodys() -> None:
    def form(first: str, second: str) -> str:
        fields = [
            node(
                "EditText", at=(0, top, 900, top + 90), text=value, resource_id="dev.shop:id/input"
            )
            for top, value in ((300, first), (500, second))
        ]
        return screen(*fields)

    memory = Memory()
    read(memory, form("Email", "Name"), "s1")
    again = read(memory, form("Email", "Name"), "s2")
    assert labels_of(again.elements) == ["Email", "Name"]


def test_a_caption_is_not_taken_for_a_hint() -> None:
    memory = Memory()
    form = screen(
        text("Last name", at=(0, 300, 400, 350)),
        node("EditText", at=(0, 350, 900, 450), text="Lovelace"),
        title="You",
    )
    first, second = read(memory, form, "s1"), read(memory, form, "s2")
    assert [e.describe() for e in first.elements] == [e.describe() for e in second.elements]
    assert second.find(text="Last name").class_name == "EditText"


def asked(label: str) -> str:
    return screen(button(label, resource_id="android:id/button1"), title="Settings")


def test_a_ref_is_not_printed_again_for_what_it_does_not_mean() -> None:
    memory = Memory()
    allow = read(memory, asked("ALLOW"), "s1").elements[0]
    turn_off = read(memory, asked("TURN OFF"), "s2").elements[0]
    again = read(memory, asked("ALLOW"), "s3")
    assert len({allow.ref, turn_off.ref, again.elements[0].ref}) == 3
    witness = memory.witness(allow.ref)
    assert witness is not None
    assert (
        again.locate(witness).element is again.elements[0]
    )  # the element is back, whatever it is called now
    assert memory.witness(turn_off.ref) is not None


def test_every_flip_costs_one_ref() -> None:
    memory = Memory()
    for number in range(20):
        read(memory, asked(("ALLOW", "TURN OFF")[number % 2]), f"s{number}")
    assert len(memory.digests) == len(memory.refs) == 20 + 1  # and the title


def test_a_ref_printed_for_one_app_means_nothing_in_another() -> None:
    memory = Memory()
    shop = screen(button("OK"))
    first = read(memory, shop, "s1").find(text="OK")
    bank = read(memory, shop.replace("dev.shop", "dev.bank"), "s2")
    assert bank.find(text="OK").ref != first.ref
    located = bank.locate(first)
    reason = "what looks like it belongs to dev.bank, not to dev.shop"
    assert (located.verdict, located.reason) == ("gone", reason)
    assert read(memory, shop, "s3").locate(first).verdict == "same"


def test_what_has_neither_name_nor_id_is_found_on_its_own_screen_only() -> None:
    memory = Memory()
    first = read(memory, stars(1), "s1").elements[0]
    elsewhere = read(memory, stars(1, "Settings"), "s2")
    witness = memory.witness(first.ref)
    assert witness is not None
    assert elsewhere.locate(witness).verdict == "gone"
    assert read(memory, stars(1), "s3").locate(witness).verdict == "same"


def test_a_session_keeps_the_elements_that_it_printed_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was dropped is said to be, its string comes to mean nothing else, and the screen itself
    is kept."""
    monkeypatch.setattr("pytest_replicant.snapshots.identity.elements.MOST_KEPT", 40)
    memory = Memory()
    first = read(memory, screen(button("First")), "s0").elements[0]
    for number in range(60):
        last = read(
            memory, screen(button(f"Button {number}"), title=f"Page {number}"), f"s{number + 1}"
        )
    assert memory.witness(first.ref) is None
    assert memory.was_dropped(first.ref) == 40
    assert memory.witness(last.elements[0].ref) is not None
    assert not memory.was_dropped(last.elements[0].ref)
    assert not memory.was_dropped("k000")
