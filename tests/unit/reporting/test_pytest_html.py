"""The summary of a test on the page of pytest-html: a text of an app is text there."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant.model import Redactor
from pytest_replicant.reporting import TraceFiles, redacted_trace
from pytest_replicant.reporting.pytest_html import summary_markup

from .factory import HOSTILE, hostile_trace, recovered_trace

NO_FILES = TraceFiles(Path(), None, None)


def test_recoveries_and_deaths_are_shown() -> None:
    markup = summary_markup(
        redacted_trace(recovered_trace("failed"), Redactor(["no cart"])), NO_FILES
    )
    assert "<p>dev.replicant.shop died: ••• (Cart.kt:4)" in markup
    assert "<p>Recovered: ELEMENT_NOT_FOUND of tap text=&quot;Sign in&quot;" in markup
    assert "<p>Recovery would have tried: VERIFICATION_FAILED of expect_visible" in markup
    assert markup.count("<tr>") == 3


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_text(name: str) -> None:
    markup = summary_markup(hostile_trace(HOSTILE[name]), NO_FILES)
    assert not {"<img", "<script", "<!--"} & {markup[at : at + 4] for at in range(len(markup))}
    assert len(markup) < 10_000
