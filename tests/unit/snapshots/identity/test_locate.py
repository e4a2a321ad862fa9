"""Location of an earlier element: by its own traits, its row, its surroundings."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Element
from pytest_replicant.snapshots import Snapshot

from ..screens import SHOP, button, hierarchy, node, parse, screen, text


def test_a_ref_alone_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="give an Element"):
        parse(SHOP).locate("k427")  # type: ignore[arg-type]


def over_files(*inside: str) -> str:
    """A dialog without a title that the framework knows."""
    buttons = button("OK", at=(100, 1000, 400, 1100), resource_id="android:id/button1")
    over = node("FrameLayout", *inside, buttons, at=(100, 700, 980, 1200))
    return hierarchy(over, node("FrameLayout", text("Files")))


def said(words: str, *, id: str = "", top: int = 800) -> str:
    return text(words, at=(100, top, 900, top + 50), resource_id=id)


@pytest.mark.parametrize("kept", [True, False])
def test_an_element_knows_its_screen_with_and_without_its_snapshot(kept: bool) -> None:
    """What lies under a dialog is not found in it, nor the other way round."""
    files, question = (
        parse(screen(button("OK"), title="Files")),
        parse(over_files(said("Share?")), "s2"),
    )

    def found(snapshot: Snapshot) -> Element:
        element = snapshot.find(text="OK")
        return element if kept else element.remembered(snapshot.traits)

    hidden, closed = question.locate(found(files)), files.locate(found(question))
    assert (hidden.verdict, hidden.reason) == ("gone", "a dialog has opened since")
    assert (closed.verdict, closed.reason) == ("gone", "the dialog that was open is closed")
