"""``check_policy``: does a recovery policy keep the contract of ``pytest_replicant_recover``? Clause by clause.

In a test of your own policy::

    def test_my_policy_keeps_the_contract():
        survey = Snapshot.parse(SURVEY)
        check_policy(conftest, occasions=[Failure("ELEMENT_NOT_FOUND", "", snapshot=survey)])

or one test a clause, with ``@pytest.mark.parametrize("clause", CLAUSES, ids=str)`` and ``clause.check(scene)``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..model import Element, Failure, FailureCode, Selector
from ..session import SessionSettings
from .contract import Broken, ContractBroken, check_clauses
from .policy_clauses.answering import ANSWERING
from .policy_clauses.asking import ASKING
from .policy_clauses.clause import Clause, Scene

__all__ = ["CLAUSES", "Broken", "Clause", "PolicyCheckFailed", "Scene", "check_policy"]

CLAUSES: tuple[Clause, ...] = (*ASKING, *ANSWERING)


class PolicyCheckFailed(ContractBroken):
    """Clauses of the contract that the policy breaks, in ``broken``."""

    by = "the policy"


def check_policy(
    policy: Any,
    *,
    occasions: Sequence[Failure] = (),
    codes: Collection[FailureCode] = (),
    settings: SessionSettings | None = None,
    resolved: Mapping[Selector, Element] | None = None,
    clauses: Sequence[Clause] = CLAUSES,
) -> None:
    """Asks the policy about failures of every kind, and judges what it says; raises ``PolicyCheckFailed``.

    ``policy`` is the function, or a plugin that has it. ``occasions`` are failures that it is for, and answers;
    ``codes`` those that are evidence enough for it by themselves. To every other failure it must say nothing.
    ``settings`` are what the session works by, such as what it allows; ``resolved`` is what selectors meant
    earlier in the test. No phone is needed.
    """
    scene = Scene(policy, tuple(occasions), frozenset(codes), settings or SessionSettings(), resolved or {})
    check_clauses(clauses, scene, PolicyCheckFailed)
