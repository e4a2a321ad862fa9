"""The rules that fail tests are those that were judged, and found right."""

from __future__ import annotations

from collections import Counter

from benchmarks.accessibility import LEAST_JUDGED, LEAST_RIGHT, earns_to_fail, verdicts
from pytest_replicant.accessibility import RULES


def test_a_rule_fails_tests_by_default_where_its_findings_were_judged_right() -> None:
    judged, right = Counter[str](), Counter[str]()
    for (_, rule, _), verdict in verdicts().items():
        judged[rule] += 1
        right[rule] += verdict == "right"
    earned = {name for name in RULES if earns_to_fail(judged[name], right[name])}
    assert {name for name, rule in RULES.items() if rule.fails} == earned


def test_too_few_and_too_many_wrong_earn_nothing() -> None:
    assert earns_to_fail(LEAST_JUDGED, LEAST_JUDGED)
    assert not earns_to_fail(LEAST_JUDGED - 1, LEAST_JUDGED - 1)
    assert not earns_to_fail(100, round(100 * LEAST_RIGHT) - 1)
