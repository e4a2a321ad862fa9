"""What is printed names one element of a screen, and in a session one digest for good."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.model import is_ref
from pytest_replicant.snapshots import Memory, Snapshot
from pytest_replicant.snapshots.identity.refs import print_refs
from pytest_replicant.virtual import UiNode

from .effort import examples
from .wild import trees, windows, written

WELL_FORMED = re.compile(r"[a-z][0-9]{3,15}")
LONGEST = 15


def in_full(digest: int) -> str:
    """A digest written out, which every ref for it is the beginning of."""
    return chr(ord("a") + digest % 26) + f"{digest // 26 % 10**LONGEST:0{LONGEST}d}"


def check_printed(printed: dict[int, str]) -> None:
    """By identity, what one screen printed."""
    assert len(set(printed.values())) == len(printed)
    for identity, ref in printed.items():
        assert WELL_FORMED.fullmatch(ref)
        assert is_ref(ref)
        assert in_full(identity).startswith(ref)


@pytest.mark.slow
@examples(15)
@given(windows())
def test_no_two_elements_share_a_ref_or_an_identity(roots: list[UiNode]) -> None:
    snapshot = Snapshot.parse(written(*roots))
    everything = (*snapshot.elements, *snapshot.headings)
    check_printed({element.identity: element.ref for element in everything})
    assert len({element.identity for element in everything}) == len(everything)
    for element in everything:
        assert snapshot.element(element.ref) is element


@pytest.mark.slow
@examples(15)
@given(st.lists(windows(8), min_size=2, max_size=6))
def test_a_session_never_prints_one_ref_for_two_digests(screens: list[list[UiNode]]) -> None:
    memory = Memory()
    for roots in screens:
        snapshot = Snapshot.parse(written(*roots), memory=memory)
        before = dict(memory.digests)
        memory.learn(snapshot)
        printed = (*snapshot.elements, *snapshot.headings)
        check_remembered(before, {element.ref: element.identity for element in printed})
        assert before == memory.digests
        assert {ref: digest for digest, ref in memory.refs.items()} == memory.digests


# Digests that agree in their first digits, as chance alone hardly makes them.
neighbours = st.builds(
    lambda letter, start, rest: letter + 26 * (start * 10 ** (LONGEST - 3) + rest),
    st.integers(0, 1),
    st.integers(0, 2),
    st.sampled_from([0, 1, 10**6, 10**6 + 1, 5 * 10**11, 5 * 10**11 + 1])
    | st.integers(0, 10**12 - 1),
)


@pytest.mark.slow
@examples(30)
@given(st.lists(st.lists(neighbours, unique=True, max_size=8), max_size=6))
def test_however_alike_digests_are_a_session_keeps_them_apart(screens: list[list[int]]) -> None:
    remembered: dict[str, int] = {}
    for digests in screens:
        known = {digest: ref for ref, digest in remembered.items()}
        printed = dict(zip(print_refs(digests, remembered, known), digests, strict=True))
        assert len(printed) == len(digests)
        check_printed({digest: ref for ref, digest in printed.items()})
        check_remembered(remembered, printed)


def check_remembered(remembered: dict[str, int], printed: dict[str, int]) -> None:
    """Adds what a screen printed to what a session printed before."""
    known = {digest: ref for ref, digest in remembered.items()}
    for ref, digest in printed.items():
        assert remembered.get(ref, digest) == digest, "another element had this ref"
        assert known.get(digest, ref) == ref, "this element had another ref"
        remembered[ref] = digest


@pytest.mark.slow
@examples(15)
@given(st.lists(trees(8), min_size=2, max_size=3))
def test_what_a_session_remembers_changes_only_what_has_come_to_mean_something_else(
    screens: list[UiNode],
) -> None:
    memory = Memory()
    for root in screens:
        alone, message = Snapshot.parse(written(root)), Snapshot.parse(written(root), memory=memory)
        for one, other in zip(alone.elements, message.elements, strict=True):
            assert one.fragile == other.fragile
            assert (
                one.fragile
                or other.identity == memory.printable_digest(one.identity)
                or one.states.editable
            )
        memory.learn(message)
