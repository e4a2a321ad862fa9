"""A control that contradicts its role is resolved by what the platform reports alone."""

from __future__ import annotations

from tests.unit.snapshots.screens import SHOP, parse

from .failures import ask, failed


def test_it_is_resolved_without_derived_semantics_once() -> None:
    failure = failed("SEMANTIC_MISMATCH", parse(SHOP), action_type="select")
    answer = ask("semantics", failure)
    assert answer is not None
    assert (answer.strategy, answer.target, dict(answer.params)) == ("re_resolve", None, {"semantics": "raw"})
    assert ask("semantics", failure, "re_resolve") is None


def test_nothing_else_is_its_business() -> None:
    assert ask("semantics", failed("CONTROL_CONVERGENCE_FAILED", parse(SHOP), may_retry=True)) is None
    assert ask("semantics", failed("ELEMENT_NOT_FOUND", parse(SHOP))) is None
