"""Properties of a test case from its rows: facts, files, and nothing XML could not hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.reporting.junit import attachments, numbered, properties
from tests.unit.reporting.factory import HOSTILE

from .made_rows import row

HERE = Path("/srv/place")
RUN = HERE / "out" / "run"


def reported(*rows: object) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for name, value in properties(list(rows), RUN, HERE):  # type: ignore[arg-type]
        found.setdefault(name, []).append(value)
    return found


def test_paths_are_seen_from_where_the_run_began() -> None:
    one = replace(row("a", "failed", "no", trace="a/trace.html"), screenshot="../blobs/1.png")
    found = reported(one)
    assert found["trace_html"] == ["out/run/a/trace.html"]
    assert found["screenshot"] == ["out/blobs/1.png"]
    elsewhere = properties([one], Path("/tmp/run"), HERE)
    assert ("trace_html", "/tmp/run/a/trace.html") in elsewhere


def test_a_later_attempt_that_passes_is_flaky() -> None:
    assert reported(row("a", attempt=1))["outcome"] == ["flaky"]
    assert reported(row("a", "failed", "no", attempt=1))["outcome"] == ["failed"]
    assert reported(row("a"))["outcome"] == ["passed"]


def test_a_second_phone_adds_its_own_and_repeats_no_cause() -> None:
    found = reported(row("a", "failed", "no"), replace(row("a", "failed", "no"), device="Pixel 8"))
    assert found["device"] == ["Pixel 7", "Pixel 8"]
    assert found["failure_class"] == ["TestError"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_fit_for_xml_and_for_another_process(name: str) -> None:
    one = row("a", "failed", "no")
    assert one.cause is not None
    found = reported(replace(one, cause=replace(one.cause, target=HOSTILE[name], screen=HOSTILE[name])))
    for value in found["target"] + found["screen"]:
        assert isinstance(value, str)
        assert value.isprintable()
        assert len(value) <= 1000
        value.encode("utf-8")


def test_the_picture_of_a_failure_comes_first_and_that_of_a_pass_not_at_all() -> None:
    failed = replace(row("a", "failed", "no", trace="a/trace.html"), screenshot="../blobs/1.png")
    found = attachments([failed], RUN)
    assert [path.name for path in found] == ["1.png", "trace.html"]
    assert [value for _, value in numbered(found, HERE)] == ["out/blobs/1.png", "out/run/a/trace.html"]
    assert [path.name for path in attachments([replace(failed, outcome="passed")], RUN)] == ["trace.html"]


def test_no_rows_no_properties() -> None:
    assert reported() == {}
    assert attachments([], RUN) == []
