"""A screen that goes deeper than the phone gives: what is on it is there, and of what is not
nothing is known."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import TargetError
from pytest_replicant.model import by
from pytest_replicant.snapshots import Snapshot

from .screens import button, hierarchy, labels_of, node, parse, screen, text

LIMIT = "the phone gives no more than {} levels of this screen"


def limited(source: str, levels: int) -> str:
    """As a driver hands it over that asked the phone for so many levels."""
    return source.replace("?>", f'?><?replicant levels="{levels}"?>', 1)


def cut_screen() -> Snapshot:
    """A bar, and a box of which the phone gives the outside: the fourth level is the last that was
    read."""
    home = button("Home", at=(0, 2300, 200, 2400))
    bar = node(
        "HorizontalScrollView", home, at=(0, 2300, 1080, 2400), scrollable="true", resource_id="bar"
    )
    body = node(
        "FrameLayout",
        text("Blue mug", at=(0, 200, 300, 250)),
        node("FrameLayout", node("FrameLayout", at=(0, 400, 1080, 900)), at=(0, 400, 1080, 900)),
        at=(0, 100, 1080, 2300),
    )
    return parse(limited(screen(body, bar, title="Shop"), 4))


def tower(levels: int) -> str:
    inner = button("Deepest")
    for _ in range(levels - 1):
        inner = node("FrameLayout", inner)
    return hierarchy(inner)


@pytest.mark.parametrize(("levels", "asked", "cut"), [(3, 4, 0), (4, 4, 4), (4, 0, 0), (6, 4, 4)])
def test_a_dump_that_reaches_the_last_level_asked_for_may_go_on(
    levels: int, asked: int, cut: int
) -> None:
    source = tower(levels)
    assert parse(limited(source, asked) if asked else source).cut == cut


@pytest.mark.parametrize(("levels", "cut"), [(61, 0), (62, 62)])
def test_so_does_one_of_an_iphone(levels: int, cut: int) -> None:
    one = '<XCUIElementTypeOther type="XCUIElementTypeOther" x="0" y="0" width="390" height="844">'
    source = (
        "<?xml "
        f"version='1.0'?><AppiumAUT>{one * levels}{'</XCUIElementTypeOther>' * levels}</AppiumAUT>"
    )
    assert Snapshot.parse(limited(source, 62)).cut == cut


def test_app_text_cannot_say_how_many_levels_there_are() -> None:
    assert parse(screen(button('?><?replicant levels="2"?>'))).cut == 0


def test_a_dump_that_breaks_off_is_no_screen_however_deep_it_is() -> None:
    with pytest.raises(Exception, match="cut off"):
        parse(limited(tower(4), 4)[:-30])


def test_the_outline_says_where_it_ends() -> None:
    outline = cut_screen().outline().splitlines()
    assert outline[0].startswith("Shop")
    assert outline[-1] == "(cut at 4 levels)"
    assert [line.strip() for line in outline if "cut here" in line] == [
        f"… cut here: {LIMIT.format(4)}"
    ]
    assert cut_screen().to_dict()["cut"] == 4


def test_a_short_outline_says_it_all_the_same() -> None:
    assert "(cut at 4 levels)" in cut_screen().outline(max_chars=20)


def test_presence_is_known_and_uniqueness_is_not() -> None:
    snapshot = cut_screen()
    assert labels_of(snapshot.find_all(text="Home")) == ["Home"]
    with pytest.raises(TargetError) as raised:
        snapshot.find(text="Home")
    assert raised.value.code == "AMBIGUOUS_TARGET"
    ref = snapshot.find_all(text="Home")[0].ref
    assert str(raised.value).splitlines()[:3] == [
        f'AMBIGUOUS_TARGET  text="Home": 1 match, and perhaps more: {LIMIT.format(4)}',
        f'  [{ref}] Button "Home"',
        "Next: the ref of the one that is meant, or within= the ref of a part that is not cut.",
    ]


def test_what_is_not_found_may_lie_deeper() -> None:
    with pytest.raises(TargetError, match=f"{LIMIT.format(4)}, and it may lie deeper"):
        cut_screen().find(text="Red mug")


def test_a_part_that_is_not_cut_is_searched_as_any_screen() -> None:
    snapshot = cut_screen()
    bar = snapshot.find_all(resource_id="bar")[0]
    assert snapshot.find(text="Home", within=bar.ref).label == "Home"
    assert snapshot.shows_all(by(text="Red mug", within=bar))
    assert not snapshot.shows_all(by(text="Red mug", within=by(resource_id="bar")))
    assert not snapshot.shows_all(by(text="Red mug", within=bar, near=by(text="Home")))


def test_nothing_is_gone_from_a_cut_screen() -> None:
    whole = parse(screen(button("Pay"), text("Total"), title="Shop"))
    located = cut_screen().locate(whole.find(text="Pay"))
    assert (located.verdict, located.element) == ("ambiguous", None)
    assert located.reason == f"{LIMIT.format(4)}, and it may lie deeper"


def test_a_diff_claims_no_removal_on_a_cut_screen() -> None:
    whole = parse(screen(button("Pay"), title="Shop"))
    diff = cut_screen().diff(whole)
    assert diff.removed == ()
    assert labels_of(diff.unread) == ["Pay"]
    assert diff.cut == 4
    assert "1 not among the 4 levels read" in diff.summary
    assert "? [" in str(diff)
    back = whole.diff(cut_screen())
    assert (back.cut, back.unread) == (4, ())
    assert {"Home", "Blue mug"} <= {one.label for one in back.removed}


def test_a_proposal_is_unique_on_no_cut_screen() -> None:
    snapshot = cut_screen()
    proposal = snapshot.selector(snapshot.find_all(text="Home")[0].ref)
    assert proposal.unique_on == ()
    assert any(LIMIT.format(4) in warning for warning in proposal.warnings)


def test_what_lies_beneath_is_cut_as_well() -> None:
    over = node("FrameLayout", button("Cover", at=(0, 2300, 200, 2400)), at=(0, 2300, 1080, 2400))
    snapshot = parse(limited(screen(button("Under", at=(0, 2310, 100, 2390)), over), 3))
    assert snapshot.beneath is None or snapshot.beneath.cut == snapshot.cut == 3
