"""A cassette by its steps, and all of it in numbers."""

from __future__ import annotations

from dataclasses import replace

from pytest_replicant.cassettes import Entry, Totals, sent_call, steps_of

from .kept import tape


def test_each_step_has_what_it_sent_and_read() -> None:
    cassette = tape("passed").cassette
    steps = steps_of(cassette)
    assert [step.number for step in steps] == [0, 1, 2, 3, 4, 5, 6][-len(steps) :]
    assert [(step.kind, step.title) for step in steps if step.number] == [
        ("action", "launch dev.replicant.shop"),
        ("check", "expect_screen Sign in"),
        ("action", "fill text=\"Email\" with 'ada@example.com'"),
        ("action", 'fill text="Password" with •••'),
        ("action", 'tap text="Sign in"'),
        ("check", "expect_screen Catalogue"),
    ]
    fill = next(step for step in steps if step.number == 4)
    assert [sent_call(one).partition("(")[0] for one in fill.sends] == ["tap", "replace_text"]
    assert sent_call(fill.sends[1]) == "replace_text(•••)"
    assert fill.reads == len(fill.entries) - 2 > 0
    assert 0 < fill.screens <= fill.reads
    assert 0 < fill.took < 5
    calls = [one for one in cassette.entries if not one.is_mark]
    assert [one for step in steps for one in step.entries] == calls


def test_totals_count_the_test_and_not_what_was_read_for_the_report() -> None:
    cassette = tape("passed").cassette
    totals = Totals.of(cassette)
    assert (totals.steps, totals.secrets, totals.hidden) == (6, 1, 0)
    assert totals.sends == sum(one.is_send for one in cassette.entries)
    last = cassette.entries[-1].end
    report = (
        Entry(0, "#phase", last, 0, ("report",), None),
        Entry(0, "last_toast", last + 90_000, 0, (), None),
    )
    longer = replace(
        cassette, entries=(*cassette.entries, *report), masks={"0": (-1, -2), "1": (-2,)}
    )
    assert Totals.of(longer) == replace(totals, hidden=1)
