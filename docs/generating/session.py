"""``docs/reference/session.md``: every action, read, scope and check, from signatures and
docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass

from pytest_replicant.drivers import AppInFront, DeviceInfo, ShellOutput
from pytest_replicant.logs import Crash, LogLine
from pytest_replicant.model import ActionResult, RecoveryState, Screen
from pytest_replicant.plugin import fixtures
from pytest_replicant.session import (
    Collected,
    CustomCheck,
    DeviceSession,
    Expectation,
    Locator,
    RecoveryContext,
    Seen,
    SessionSettings,
    check,
)
from pytest_replicant.session.actions.controls import ControlActions
from pytest_replicant.session.actions.device import AppActions, DeviceActions
from pytest_replicant.session.actions.gestures import GestureActions
from pytest_replicant.session.checks.checks import Checks, LocatorChecks
from pytest_replicant.session.checks.elements import OneState
from pytest_replicant.session.device_log.evidence import Classification
from pytest_replicant.session.device_session import Scopes
from pytest_replicant.session.expectation import Scrolled
from pytest_replicant.session.queries import Queries
from pytest_replicant.snapshots import SnapshotDiff

from .wording import cell, markdown, words_of

HEAD = """\
# Every action, read, wait and check

What the fixture `mobile` gives to a test, and what each of its actions returns. Elsewhere:
[what an action, a check and a wait prove](../explanation/verification.md), and
[how a failure is recovered](../explanation/recovery.md).

```python
def test_signs_in(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.fill(text="Password", value="correct horse")
    outcome = mobile.tap(text="Sign in")
    outcome.expect_screen("Catalogue").expect_gone(text="Password")
    print(outcome.summary, outcome.result.lifecycle_state)
```

- **A target** is a ref that an outline showed (`"k427"`), an element of a snapshot, a selector such
  as `by(text="Sign in")`, or a locator. If a signature ends in `**by`, [selector keywords](selectors.md) will
  do: `tap(text="Sign in")`. Exactly one element must fit.
- **`timeout`** is in seconds, from 0. For actions and waits it is how long the target may take to be fit for them
  (`replicant_action_timeout`). For checks it is how long the claim may take to hold (`replicant_expect_timeout`).
- **An action** returns an `Expectation`, and a check what it was called on, unless another type is named.
- **`silent=True`** sends the action and reads nothing afterwards, not even what an action promises by itself.
- Lengths and places are pixels of the screen, times are seconds; names that end in `_ms` are whole milliseconds.
- A call that is wrong in itself is a `UsageError`. An action that could not be done is `ActionFailed`; its
  `result.failure_code` says why. A check that does not hold is `ExpectationFailed`, an `AssertionError`. What
  this phone cannot do is `Unsupported`, an error of the test that asks for it. Trouble with the phone or its tools
  is a `DeviceError`.
"""
WAITS = """\
A wait synchronises, and verifies nothing. Each is in the trace.
"""
CHECKS = f"""\
Of what an action returns, and of the session itself, which looks at the screen as it is now.
{words_of(Checks).partition(chr(10))[2].strip()}
"""
CUSTOM = f"""
### A check of your own

```python
from pytest_replicant import Snapshot, check


@check
def has_fields(screen: Snapshot, count: int) -> bool:
    return len(screen.find_all(role="text_field")) == count


def test_sign_in_has_two_fields(mobile):
    mobile.launch("dev.replicant.shop").expect(has_fields(2))
```

{words_of(check)}
"""
POLICIES = """\
The `session` that [`pytest_replicant_recover`](hooks.md) is given, a `RecoveryContext`: the reads above, and:
"""
VALUES = """\
## Values

What the methods above return, and the fields of it.

| value | fields | |
|---|---|---|
"""
FIXTURES = """\
## Fixtures

What a test asks for by naming it. Any of them may be overridden, as pytest's fixtures are:

| fixture | |
|---|---|
"""
ARGUMENTS = """\

```python
# conftest.py
import pytest


@pytest.fixture(scope="session")
def mobile_session_args():
    return {"app": "dev.replicant.shop", "expect_timeout": 10}
```

Without pytest, in a script or at a prompt:

```python
from pytest_replicant import connect

with connect("virtual") as mobile:
    print(mobile.launch("dev.replicant.shop").snapshot)
```
"""


def _is_wait(name: str) -> bool:
    return name.startswith("wait_")


def _is_check(name: str) -> bool:
    return name.startswith("expect") or name == "soft"


_NARROWS = ("locator", "row", "within", "filter", "first", "last", "nth")
LOCATORS = f"""\
{words_of(Locator)}

```python
class SignIn:
    def __init__(self, mobile):
        self.email = mobile.locator(text="Email")
        self.submit = mobile.locator(role="button", text="Sign in")


def test_page(mobile):
    mobile.launch("dev.replicant.shop")
    page = SignIn(mobile)
    page.email.fill("ada@example.com").expect_text("ada@example.com")
    mobile.fill(text="Password", value="correct horse")
    page.submit.expect_enabled().tap()
    mobile.locator(text="Add").row("Red mug").tap().expect_visible(text="Cart, 1 item")
```

`a | b` is either of two. If both are there, an action on it is ambiguous.

- Its actions: {{actions}}.

- Its reads and waits: {{reads}}.

- Its checks: {{checks}}.

They take what the session's take, without a target. Checks of one state are theirs and those of outcomes:
`email.expect_text("ada")`. Of any other element there is `expect_state(by(...), text="ada")`.
"""


def _locators() -> str:
    members = {**vars(Locator), **vars(LocatorChecks), **vars(OneState)}
    names = [name for name, each in members.items() if callable(each) and not name.startswith("_")]
    own = [name for name in names if name not in _NARROWS]
    reads = [name for name in own if hasattr(Queries, name) or name == "collect"]
    checks = [name for name in own if _is_check(name)]
    actions = [name for name in own if name not in (*reads, *checks)]
    listed = {"actions": actions, "reads": reads, "checks": checks}
    return LOCATORS.format(
        **{name: ", ".join(f"`{each}`" for each in given) for name, given in listed.items()}
    )


@dataclass(frozen=True)
class Group:
    """Some methods and properties under one heading. ``intro`` stands in the place of the classes'
    docstrings."""

    title: str
    owners: tuple[type, ...]
    intro: str = ""
    receiver: str = "mobile"
    holds: Callable[[str], bool] = lambda name: True

    def entries(self) -> dict[str, object]:
        """Public members that have their place here, by name and in the order of the code."""
        found: dict[str, object] = {}
        for owner in self.owners:
            for name, member in vars(owner).items():
                is_listed = callable(member) or isinstance(member, property)
                if is_listed and not name.startswith("_") and self.holds(name):
                    found.setdefault(name, member)
        return found


GROUPS = (
    Group(
        "Locators", (DeviceSession, Locator), _locators(), "locator", lambda name: name in _NARROWS
    ),
    Group("Apps", (AppActions,)),
    Group("Gestures", (GestureActions,)),
    Group("Fields and controls", (ControlActions,)),
    Group("The phone", (DeviceActions,)),
    Group("Reads", (Queries,), holds=lambda name: not _is_wait(name)),
    Group("Waits", (Queries,), WAITS, holds=_is_wait),
    Group("Scopes", (Scopes,)),
    Group("Checks", (Checks, OneState, Expectation), CHECKS + CUSTOM, "outcome", _is_check),
    Group(
        "What an action returns",
        (Expectation,),
        receiver="outcome",
        holds=lambda name: not _is_check(name),
    ),
    Group("What scroll returns", (Scrolled,), receiver="outcome"),
    Group("What collect returns", (Collected,), receiver="found"),
    Group("What a recovery policy sees", (RecoveryContext,), POLICIES, receiver="session"),
)
VALUE_TYPES = (
    ActionResult,
    CustomCheck,
    SnapshotDiff,
    Seen,
    RecoveryState,
    Classification,
    Screen,
    DeviceInfo,
    AppInFront,
    ShellOutput,
    LogLine,
    Crash,
    SessionSettings,
)
FIXTURE_NAMES = (
    "mobile", "new_mobile", "class_mobile module_mobile session_mobile", "mobile_resource",
    "mobile_resource_pool", "mobile_device", "mobile_pool", "mobile_session_args",
)  # fmt: skip


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_sections(), _values(), _fixtures()])


def doc_of(member: object) -> str:
    """What the code says of a method or property."""
    return words_of(member.fget if isinstance(member, property) else member)


def _sections() -> Iterator[str]:
    for group in GROUPS:
        intro = group.intro or "\n\n".join(words_of(owner) for owner in group.owners)
        parts = re.split(r"(?s)\n*(```python\n.*?```|\n### .*?\n)\n*", intro)
        shown = (
            part.strip() if index % 2 else markdown(part).strip()
            for index, part in enumerate(parts)
        )
        yield f"## {group.title}\n\n" + "\n\n".join(filter(None, shown)) + "\n"
        for name, member in group.entries().items():
            call = _call(group.receiver, name, member)
            yield f"### {name}\n\n```python\n{call}\n```\n\n{markdown(doc_of(member))}"


def _call(receiver: str, name: str, member: object) -> str:
    """How it is written in a test: without annotations but for what it returns."""
    if isinstance(member, property):
        signature = inspect.signature(member.fget)  # type: ignore[arg-type]  # each has one
        return f"{receiver}.{name} -> {_returned(signature)}"
    signature = inspect.signature(member)  # type: ignore[arg-type]  # it is callable
    bare = [each.replace(annotation=each.empty) for each in list(signature.parameters.values())[1:]]
    arguments = str(signature.replace(parameters=bare, return_annotation=signature.empty)).replace(
        "'", '"'
    )
    if str(signature.return_annotation).startswith("Iterator"):
        return f"with {receiver}.{name}{arguments}:\n    ..."
    returned = _returned(signature)
    return f"{receiver}.{name}{arguments}" + (
        "" if returned in ("Expectation", "Self") else f" -> {returned}"
    )


def _returned(signature: inspect.Signature) -> str:
    return str(signature.return_annotation)


def _values() -> str:
    rows = []
    for each in VALUE_TYPES:
        parts = [field.name for field in fields(each)] if is_dataclass(each) else each._fields
        names = ", ".join(f"`{name}`" for name in parts)
        rows.append(f"| `{each.__name__}` | {names} | {cell(words_of(each))} |")
    return VALUES + "\n".join(rows) + "\n"


def _said(name: str) -> str:
    """What a fixture is; one of a wider scope, for all scopes."""
    said = cell(words_of(getattr(fixtures, name)))
    return said.replace("of a class", "of that scope").replace("the class ends", "the scope ends")


def _fixtures() -> str:
    rows = [
        f"| {', '.join(f'`{each}`' for each in name.split())} | {_said(name.split()[0])} |"
        for name in FIXTURE_NAMES
    ]
    return FIXTURES + "\n".join(rows) + "\n" + ARGUMENTS
