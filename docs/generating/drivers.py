"""``docs/reference/drivers.md``: the contract of a driver, from its roles, and the types that it
names."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import get_args

import pytest_replicant
from pytest_replicant.drivers import Capability, Driver
from pytest_replicant.testing import METHODS_NEEDING

from .wording import cell, markdown, words_of

HEAD = """\
# The contract of drivers

All that a session asks of a phone. [Writing a driver](../how-to/write-a-driver.md) begins with an example. The
types here are imported from `pytest_replicant`.

"""
CAPABILITIES = """\
## Capabilities

Every driver has the methods that no capability lists. A method of an ability that is not stated raises
`Unsupported`, as `BaseDriver` does.

| capability | methods |
|---|---|
"""
VALUES = """\
## Types

`AppInFront`, `DeviceInfo` and `ShellOutput` are [values of a session](session.md#values) too.

| type | fields or values | |
|---|---|---|
"""
TYPES = (
    *(
        "AppStatus",
        "Appearance",
        "AuditIssue",
        "CrashLog",
        "FocusedField",
        "Key",
        "LogMark",
        "NodeText",
    ),
    *("Orientation", "PermissionAnswer", "Platform", "Point", "Rect", "SystemDialogs"),
)


def page() -> str:
    """The whole page."""
    traits = words_of(pytest_replicant.Traits).replace("``", "`")
    capabilities = markdown(words_of(Capability))
    parts = [
        HEAD + "\n".join(_roles()),
        CAPABILITIES + _abilities(),
        capabilities,
        f"## Traits\n\n{traits}\n",
        _types(),
    ]
    return "\n".join(parts)


def _roles() -> Iterator[str]:
    """Each role of ``Driver``, with its methods and properties."""
    yield "## Methods\n"
    for role in (Driver, *Driver.__mro__[1:]):
        members = [(name, each) for name, each in vars(role).items() if _is_public(name, each)]
        if not members:
            continue
        yield f"### {role.__name__}\n"
        if role.__doc__ and role is not Driver:
            yield markdown(words_of(role))
        for name, member in members:
            is_property = isinstance(member, property)
            of = member.fget if is_property else member
            signature = (
                str(inspect.signature(of))
                .replace("(self, ", "(")
                .replace("(self)", "()")
                .replace("'", "")
            )
            call = f"{name}{signature.removeprefix('()') if is_property else signature}"
            doc = words_of(of)
            yield f"- `{call}`{': ' + cell(doc) if doc else ''}\n"


def _is_public(name: str, member: object) -> bool:
    named = name[0] != "_" and name != "listener"  # which is for recordings
    return named and (inspect.isfunction(member) or isinstance(member, property))


def _abilities() -> str:
    methods = {
        each.name: ", ".join(f"`{name}`" for name in needing)
        for each, needing in METHODS_NEEDING.items()
    }
    return "".join(f"| `{name}` | {listed} |\n" for name, listed in methods.items())


def _types() -> str:
    rows = []
    for name in TYPES:
        each = getattr(pytest_replicant, name)
        if is_dataclass(each):
            parts = [one.name for one in fields(each)]
        else:
            parts = list(getattr(each, "_fields", ())) or [f'"{value}"' for value in get_args(each)]
        doc = cell(words_of(each)) if inspect.isclass(each) else ""
        rows.append(f"| `{name}` | {', '.join(f'`{part}`' for part in parts)} | {doc} |")
    return VALUES + "\n".join(rows) + "\n"
