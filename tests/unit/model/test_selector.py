"""``Selector`` as a value: compared, hashed, pickled, and written as the call that makes it."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.model import Selector, by, combined
from tests.unit.snapshots.screens import button, parse, screen

SIGNS = [
    '"',
    "'",
    "\\",
    '\\"',
    "\\'",
    "'\"\\",
    "{}",
    "{x!r}",
    "\n",
    "\r\n",
    "\\n",
    "\u202egpj",
    "\ud83d",
    'r"',
    "#",
]
HOSTILE = st.text(alphabet=st.characters(exclude_categories=[]), max_size=40) | st.sampled_from(
    SIGNS
)


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        (by(text="Add"), 'by(text="Add")'),
        (by(text='He said "no"'), 'by(text="He said \\"no\\"")'),
        (by(text="Add", row_with=by(text="Tray")), 'by(text="Add", row_with="Tray")'),
        (by(enabled=False, nth=0), "by(enabled=False, nth=0)"),
        (by(text_matches=r"^Cart \d+$"), r'by(text_matches=r"^Cart \d+$")'),
        (by(text_matches="Cart"), 'by(text_matches="Cart")'),
        (by(text_matches='\\d"'), 'by(text_matches="\\\\d\\"")'),
        (
            by(text_matches=re.compile(r"\d", re.I | re.S)),
            r're.compile(r"\d", re.IGNORECASE | re.DOTALL)',
        ),
        (by(within="k427"), 'by(within="k427")'),
        (by(), "by()"),
    ],
)
def test_it_prints_as_the_call_that_makes_it(selector: Selector, code: str) -> None:
    assert code in repr(selector)
    assert eval(repr(selector), {"by": by, "re": re}) == selector
    assert f"by({selector})" == repr(selector)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_no_text_breaks_out_of_its_quotes(text: str, pattern: str, inner: str) -> None:
    selector = by(
        text=text, text_matches=pattern, row_with=by(text_contains=inner, has=by(description=text))
    )
    code = repr(selector)
    assert eval(code, {"by": by}) == selector
    assert code.isprintable()


def test_two_that_say_the_same_are_one() -> None:
    first = by(
        text_matches=re.compile("a", re.IGNORECASE), within=by(text="x", has=by(role="button"))
    )
    second = by(
        text_matches=re.compile("a", re.IGNORECASE), within=by(text="x", has=by(role="button"))
    )
    assert first == second
    assert len({first, second, by(text_matches=re.compile("a"))}) == 2
    assert by(text="1") != by(text="1", nth=0)
    assert by(checked=False) != by()


def test_it_can_be_pickled() -> None:
    (element,) = parse(screen(button("OK"))).elements
    selector = by(
        text_matches=re.compile("a", re.IGNORECASE), ios=by(text="x"), near="k427", within=element
    )
    assert f'within="{element.ref}"' in repr(selector)
    assert {pickle.loads(pickle.dumps(selector))} == {selector}


def test_of_two_combined_the_second_wins() -> None:
    both = combined(by(text="Add", nth=0), by(nth=1, row_with=by(text="Tray")))
    assert both == by(text="Add", nth=1, row_with=by(text="Tray"))
