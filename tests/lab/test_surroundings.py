"""The network, the way the phone is held, files: states of the surroundings, and checked as
such."""

from __future__ import annotations

from .exhibits_shown import Visit, disproved, proves, refused, refutes, shows
from .lab_phone import LabPhone
from .needed import FILES, needs

IMPORTED = "/sdcard/Download/lab.txt"


@proves("offline")
def test_a_banner_is_waited_for_within_a_limit(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("offline?lasts=700")
    mobile.expect_gone(text="No connection")
    mobile.tap(text="Send").expect_visible(text="Sent")
    assert lab.events == ["sent"]


@refutes("offline")
def test_what_will_be_sent_was_not_sent(visit: Visit, lab: LabPhone) -> None:
    outcome = visit("offline?lasts=0", allow=frozenset({"step_back"})).tap(text="Send")
    with disproved():
        outcome.expect_visible(text="Sent")
    assert lab.events == ["will be sent later"]


@shows("rotation")
def test_another_layout_is_looked_at_again(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("rotation")
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text="Reply")
    mobile.tap(text="Letter from Ada").expect_visible(text="A letter from Ada")
    mobile.rotate("landscape").expect_visible(text="Reply").expect_visible(text="Letter from Grace")
    mobile.tap(text="Reply")
    mobile.rotate("portrait").expect_gone(text="Reply").expect_visible(text="Close")
    assert lab.events == ["replied to Ada"]


@shows("file-import")
@needs(FILES)
def test_a_file_of_its_own_is_pushed_first(visit: Visit, lab: LabPhone) -> None:
    mobile = visit("file-import")
    outcome = mobile.tap(text="Import").expect_visible(text="There is no such file")
    with disproved():
        outcome.expect_visible(text="Dear Ada")
    mobile.push_file(b"Dear Ada\n", IMPORTED)
    mobile.tap(text="Import").expect_visible(text="Dear Ada")
    assert mobile.pull_file(IMPORTED).data == b"Dear Ada\n"
    mobile.shell(["rm", IMPORTED])
    assert lab.events == ["file missing", "file read, 9 bytes"]
