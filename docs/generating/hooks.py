"""``docs/reference/hooks.md``, from the docstrings of the hooks, of what they exchange, and of the
policies."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import get_args

from pytest_replicant.model import (
    FAILURE_CLASSES,
    Failure,
    FailureClass,
    FailureCode,
    Recovery,
    Remedy,
)
from pytest_replicant.model.failure import RETRYABLE
from pytest_replicant.plugin import hookspecs
from pytest_replicant.recovery import POLICIES
from pytest_replicant.testing import policy_check

from .wording import begun, cell, markdown, words_of

HEAD = """\
# Hooks and policies

A hook is a function of that name in a `conftest.py` or in any other pytest plugin. It takes the arguments that it
wants, by name.
"""
CODES = """\
## What a policy gets

A code that is retryable may be tried again as it is, unless the failure itself says otherwise.

| code | what happened | class | retryable |
|---|---|---|---|
"""
MEANINGS: Mapping[FailureCode, str] = {
    "ELEMENT_NOT_FOUND": "nothing fits the target",
    "STALE_REFERENCE": "the element that a ref was printed for is gone, or it cannot be decided "
    "which one it is",
    "AMBIGUOUS_TARGET": "several elements fit; nothing was touched",
    "TIMEOUT": "the phone did not answer in time",
    "ACTION_REJECTED": "it did not take: a field has no focus or shows another text, a prompt "
    "stayed up",
    "UNKNOWN": "other trouble with the phone or a tool; `failure.error` has it",
    "ELEMENT_NOT_INTERACTABLE": "the element is there, but disabled, covered, off screen or "
    "never still",
    "NAVIGATION_NO_CHANGE": "what should have come to the front, or left it, did not",
    "VERIFICATION_FAILED": "a check does not hold",
    "EXPECT_STATE_MISMATCH": "`expect_state` does not hold",
    "CONTROL_CONVERGENCE_FAILED": "`adjust` did not reach the value",
    "SEMANTIC_MISMATCH": "a control does not behave as its role says: a list does not open",
}
FAILURE = "`Failure` is {0}\n"
ANSWER = """\
## What a policy answers with

`Recovery` is {0}

What can be done first, in `before`:

| remedy | what it does |
|---|---|
"""
BUILT_IN = """\
## The built-in policies

They are asked in this order, after those of a test's own folders and of other plugins. They answer from evidence
only, and [do this](../explanation/recovery.md#the-built-in-policies). Each is a plugin of its own:
`-p no:replicant-recover-system-dialog` switches one off.

| policy | for | answers with |
|---|---|---|
"""
TESTING = """\
## Testing a policy of your own

`pytest_replicant.testing.check_policy` asks a policy about failures of every kind, without a phone, and judges its
answers. {0}
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_hooks(), *_codes(), *_answers(), *_policies(), _testing()])


def _hooks() -> Iterator[str]:
    """Signatures without what they are annotated with."""
    for name, hook in vars(hookspecs).items():
        if name.startswith("pytest_"):
            names = ", ".join(inspect.signature(hook).parameters)
            yield f"## {name}\n\n```python\ndef {name}({names})\n```\n"
            yield markdown(words_of(hook))


def _codes() -> Iterator[str]:
    rows = [
        f"| `{code}` | {MEANINGS[code]} | {kind} | {'yes' if code in RETRYABLE else ''} |"
        for code, kind in FAILURE_CLASSES.items()
    ]
    yield CODES + "\n".join(rows) + "\n"
    yield FAILURE.format(begun(words_of(Failure)))


def _answers() -> Iterator[str]:
    rows = []
    for name, remedy in vars(Remedy).items():
        if isinstance(remedy, classmethod):
            names = ", ".join(list(inspect.signature(remedy.__func__).parameters)[1:])
            rows.append(f"| `Remedy.{name}({names})` | {cell(words_of(remedy.__func__))} |")
    yield ANSWER.format(begun(words_of(Recovery))) + "\n".join(rows) + "\n"


def _policies() -> Iterator[str]:
    rows = []
    every = get_args(FailureClass)
    for policy in POLICIES:
        kinds = "any failure" if len(policy.classes) == len(every) else ", ".join(policy.classes)
        rows.append(f"| `{policy.name}` | {kinds} | `{policy.strategy}` |")
    yield BUILT_IN + "\n".join(rows) + "\n"


def _testing() -> str:
    use = (policy_check.__doc__ or "").partition("\n\n")[2]
    return TESTING.format(markdown(use).strip())
