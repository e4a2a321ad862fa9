"""``docs/reference/options.md``, from the settings as they are declared."""

from __future__ import annotations

from pytest_replicant.options import SETTINGS, Setting

from .wording import cell

HEAD = """\
# Options, ini keys and markers

An option on the command line wins over its ini key, and `-o KEY=VALUE` sets any key for one run. A `replicant_`
key that no loaded plugin knows is an error that names the nearest.

| option | ini key | default | |
|---|---|---|---|
"""
MODES = """
## Modes of one run

These say how one run goes, and have no ini key.

| option | |
|---|---|
"""
TAIL = """
Two parts are plugins of their own and can be switched off. `-p no:replicant-requeue`: a test whose phone was lost
does not run once more. `-p no:replicant-ci`: a CI system gets no notes in its own format. So can each
[recovery policy](hooks.md#the-built-in-policies).

## Of one test

A marker on a test, a class, or a module's `pytestmark` says

- [what it allows](../explanation/recovery.md#what-a-test-may-allow):
  `@pytest.mark.replicant(allow=["step_back", "relaunch", "crash", "cut"])`
- [which phones serve it](../how-to/many-phones.md#tests-for-some-phones):
  `@pytest.mark.replicant(platform="android", api=">=34", needs=["shell"])`
- [what happens to its apps afterwards](../how-to/app-under-test.md#between-tests):
  `@pytest.mark.replicant(reset="clear")`
- [which test cases it covers](../how-to/report-elsewhere.md): `@pytest.mark.replicant(id="C123")`
"""


def page() -> str:
    """The whole text."""
    rows = [_row(one) for one in SETTINGS if not one.mode]
    modes = [f"| `{_option(one)}` | {_help(one)} |" for one in SETTINGS if one.mode]
    return HEAD + "\n".join(rows) + "\n" + MODES + "\n".join(modes) + "\n" + TAIL


def _row(one: Setting) -> str:
    option = f"`{_option(one)}`" if one.flag else ""
    keys = ", ".join(f"`{key}`" for key in one.keys)
    default = f"`{one.default}`" if one.default else ""
    return f"| {option} | {keys} | {default} | {_help(one)} |"


def _option(one: Setting) -> str:
    return f"{one.flag} {one.option}".rstrip()


def _help(one: Setting) -> str:
    words = f"; one of {', '.join(f'`{choice}`' for choice in one.choices)}" if one.choices else ""
    return cell(one.help) + words
