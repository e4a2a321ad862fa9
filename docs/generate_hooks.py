"""Writes ``docs/reference/hooks.md`` from the code's own words: ``python docs/generate_hooks.py``."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "hooks.md"
WIDTH = 120

HEAD = """\
# Hooks

What pytest-replicant asks of others. A hook is a function of that name in a `conftest.py` or in any other pytest
plugin; it takes the arguments that it wants, by name.
"""
TOLD = """\
## What a policy is told

A failure's code says what happened, and its class what may mend it. A code that is retryable may be tried again as
it is, unless the failure itself says otherwise.

| code | class | retryable |
|---|---|---|
"""
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

They are asked in this order, after those of a test's own folders and of other plugins, and answer from evidence
only. Each is a plugin of its own: `-p no:replicant-recover-toast` switches one off, as
`-p no:replicant-recover-system-dialog` does another.

| policy | for | answers with | what it does |
|---|---|---|---|
"""
IN_ORDER = """
So a failure of a class meets them in this order:

| class | policies |
|---|---|
"""
TESTING = """
## Testing a policy of one's own

`pytest_replicant.testing.check_policy.check_policy` proves that a policy keeps the contract, without a phone: it
asks about failures of every kind, and judges what is said. {0}

| clause | a policy |
|---|---|
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_hooks(), *_told(), *_answers(), *_policies(), *_clauses()])


def _hooks() -> Iterator[str]:
    """Signatures as they are written, without what they are annotated with."""
    source = ast.parse((ROOT / "pytest_replicant" / "hookspecs.py").read_text(encoding="utf-8"))
    for hook in source.body:
        if isinstance(hook, ast.FunctionDef):
            names = ", ".join(argument.arg for argument in hook.args.args)
            yield f"## {hook.name}\n\n```python\ndef {hook.name}({names})\n```\n"
            yield _markdown(ast.get_docstring(hook) or "")


def _told() -> Iterator[str]:
    from pytest_replicant.model.failure import FAILURE_CLASSES, RETRYABLE, Failure

    rows = [
        f"| `{code}` | {kind} | {'yes' if code in RETRYABLE else ''} |" for code, kind in FAILURE_CLASSES.items()
    ]
    yield TOLD + "\n".join(rows) + "\n"
    yield FAILURE.format(_begun(inspect.getdoc(Failure) or ""))


def _answers() -> Iterator[str]:
    from pytest_replicant.model.recovery import Recovery, Remedy

    rows = []
    for name, remedy in vars(Remedy).items():
        if isinstance(remedy, classmethod):
            names = ", ".join(list(inspect.signature(remedy.__func__).parameters)[1:])
            rows.append(f"| `Remedy.{name}({names})` | {_cell(inspect.getdoc(remedy.__func__) or '')} |")
    yield ANSWER.format(_begun(inspect.getdoc(Recovery) or "")) + "\n".join(rows) + "\n"


def _policies() -> Iterator[str]:
    from pytest_replicant.recovery import ORDER, POLICIES, STRATEGIES

    rows = []
    for name, plugin in POLICIES.items():
        classes = [kind for kind, names in ORDER.items() if name in names]
        kinds = "any failure" if len(classes) == len(ORDER) else ", ".join(classes)
        said = _cell(inspect.getdoc(plugin.pytest_replicant_recover) or "")
        rows.append(f"| `{name}` | {kinds} | `{STRATEGIES[name]}` | {said} |")
    order = [f"| {kind} | {', '.join(names)} |" for kind, names in ORDER.items()]
    yield BUILT_IN + "\n".join(rows) + "\n" + IN_ORDER + "\n".join(order)


def _clauses() -> Iterator[str]:
    from pytest_replicant.testing import check_policy

    rows = [f"| {clause.name} | {clause.claim} |" for clause in check_policy.CLAUSES]
    use = (check_policy.__doc__ or "").partition("\n\n")[2]
    yield TESTING.format(_markdown(use).strip()) + "\n".join(rows) + "\n"


def _markdown(doc: str) -> str:
    """A docstring as Markdown: code after two colons in a fence, names between two ticks between one."""
    parts: list[str] = []
    for block in re.split(r"\n\n(?=\S)", doc):
        text, _, code = block.partition("::\n\n")
        ending = ":" if code else ""
        parts.append(textwrap.fill(text.replace("``", "`") + ending, WIDTH))
        if code:
            parts.append(f"```python\n{textwrap.dedent(code).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def _begun(doc: str) -> str:
    """A docstring that goes on where a sentence has begun."""
    text = _markdown(doc)
    return (text[0].lower() + text[1:]).strip()


def _cell(doc: str) -> str:
    return " ".join(doc.split()).replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(page(), encoding="utf-8")
