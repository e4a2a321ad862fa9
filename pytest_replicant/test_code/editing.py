"""Puts a test, or steps, into a test file, and touches no other line of it. Every other byte stays
as it is: new text is spliced into the old one, at places that its syntax tree knows. Then the tools
that the project has lay it out."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from ..errors import ReplicantError
from ..model import grouped
from .locators import parsed_code
from .project_files import Import, bindings, imports_in
from .source_file import UNIT, File, Splice, newline_of, spliced

_TOOLS = (
    ("ruff", "check", "-q", "--fix", "--select", "I", "--stdin-filename"),
    ("ruff", "format", "-q", "--stdin-filename"),
    ("isort", "-q", "--filename"),
    ("black", "-q", "--stdin-filename"),
)
"""What sorts imports and formats code, before the path and a dash for the text."""
_LONGEST = 20  # seconds: black, which is started each time, takes one or two


@dataclass(frozen=True)
class NewTest:
    """A test function that is to be written. ``arguments`` are the fixtures that it asks for,
    with their types or without: ``mobile: Mobile``. ``body`` are its
    lines, with nested blocks indented by fours; ``imports`` are the statements that they need."""

    name: str
    arguments: tuple[str, ...]
    body: tuple[str, ...]
    imports: tuple[str, ...]


def written(
    source: str | None, new: NewTest, *, replace: bool = False, path: Path | None = None
) -> str:
    """The whole text of the test file with the test in it. ``source`` is its text so far, None for
    a new file. ``path`` is where it is: for messages, and for the formatter of the project around
    it.

    The test goes to the end of the file. If there is one of that name, ``replace`` gives that one
    the new body; its decorators, arguments and docstring stay. Raises ``UsageError`` if there is
    one and ``replace`` is not given, and where the file is no Python."""
    if not (source or "").strip("\ufeff \t\r\n\f"):
        lines = _import_lines(_imports_of(new.imports))
        if lines:
            lines += ["", ""]
        text = "\n".join([*lines, *_function(new, UNIT), ""])
        return _formatted("", _checked(text, str(path or "the test file")), path)

    def change(file: File) -> list[Splice]:
        return [*_with_imports(file, new.imports), _with_test(file, new, replace)]

    return _edited(source or "", path, change)


def inserted(
    source: str,
    line: int,
    body: Sequence[str],
    imports: Sequence[str],
    *,
    before: bool = False,
    path: Path | None = None,
) -> str:
    """The whole text with ``body`` after the statement that begins at ``line``, counted from 1, at
    its indentation, or ``before`` that. If none begins there, it is the one that the line is in.
    Raises ``UsageError`` where that statement is in no function, and if nothing after it would
    run."""

    def change(file: File) -> list[Splice]:
        return [*_with_imports(file, imports), _with_steps(file, line, body, before)]

    return _edited(source, path, change)


def with_check(
    source: str, line: int, check: str, code: str, imports: Sequence[str], path: Path
) -> str:
    """The whole text with ``code`` in place of the one call of ``check``, such as
    ``expect_visible``, in the statement at ``line``. Raises ``UsageError`` if there is none, or
    more than one."""

    def change(file: File) -> list[Splice]:
        found = {
            Splice(file.span(each.func)[1] - len(check), file.span(each)[1], code)
            for statement in _around(file, line)
            if not _is_compound(statement)
            for each in ast.walk(statement)
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
            if each.func.attr == check
        }
        if len(found) != 1:
            what = "the check that failed is not"
            if found:
                what = "several checks like the one that failed"
            raise file.error(line, f"{what} in this statement", f"put .{code} there by hand")
        return [*_with_imports(file, imports), *found]

    return _edited(source, path, change)


def _around(file: File, line: int) -> list[ast.stmt]:
    """The statements that a line belongs to, the outermost first."""
    return [
        each
        for each in ast.walk(file.tree)
        if isinstance(each, ast.stmt) and file.first_of(each) <= line <= file.last_of(each)
        if not (isinstance(each, ast.If) and file.text.startswith("elif", file.span(each)[0]))
    ]


def _edited(source: str, path: Path | None, change: Callable[[File], list[Splice]]) -> str:
    """The text after a change. One that does not end its last line does not do so afterwards."""
    text = source.removeprefix("\ufeff")
    bom = source[: len(source) - len(text)]
    end = "" if text.endswith(("\n", "\r")) else newline_of(text)
    file = File(text + end, str(path or "the test file"))
    after = _checked(spliced(file.text, change(file)), file.where)
    return bom + _formatted(file.text, after, path).removesuffix(end)


def _checked(text: str, where: str) -> str:
    """The text, once it is sure to compile: a file that does not is never written."""
    try:
        parsed_code(text, compiles=True)
    except SyntaxError as error:
        raise ReplicantError(
            f"{where} would be no Python with this test in it ({error.msg}); it stays as it was. "
            "Next: save to a new file, and report this as a bug"
        ) from None
    return text


def _function(new: NewTest, unit: str) -> list[str]:
    """The lines of the test. It returns None if an argument has a type."""
    arguments = ", ".join(new.arguments)
    returned = " -> None" if ":" in arguments else ""
    return [f"def {new.name}({arguments}){returned}:", *_laid_out(new.body, unit, unit)]


def _with_test(file: File, new: NewTest, replace: bool) -> Splice:
    """The test at the end of the file, or its new body."""
    name = new.name
    same = [each for each in file.tree.body if isinstance(each, _FUNCTIONS) and each.name == name]
    if not same:
        node = dict(bindings(file.tree)).get(name)
        if node:  # which the test would replace
            raise file.error(node, f"{name} is something else there", "save to another name")
        at = len(file.starts)
        return file.before(at, [*file.gap(at, 2), *_function(new, file.unit)])
    function = same[-1]
    if not replace:
        step = "--replace to give it these steps, or another name"
        raise file.error(function, f"{name} is there already", step)
    if isinstance(same[0], ast.AsyncFunctionDef):
        what = f"{name} is async, and these steps are not"
        raise file.error(same[0], what, "save to another name")
    if len(same) > 1:
        raise file.error(function, f"{name} is there {len(same)} times", "remove all but one")
    spec = function.args
    there = {each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    for each in new.arguments:
        wanted = each.partition(":")[0]
        if wanted not in there:
            what = f"{name} does not ask for {wanted}"
            raise file.error(function, what, f"add {wanted} to its arguments")
    return _with_body(file, function, new.body)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _with_body(
    file: File, function: ast.FunctionDef | ast.AsyncFunctionDef, body: Sequence[str]
) -> Splice:
    """The new body in place of the old one, below the docstring."""
    first = function.body[0]
    if not file.has_block(function):
        what = f"{function.name} is on one line"
        raise file.error(function, what, "put its body on a line of its own")
    start, last = file.first_of(first), file.last_of(function)
    is_documented = ast.get_docstring(function, clean=False) is not None
    if is_documented and all(map(file.leads, function.body[1:2])):
        start = file.last_of(first) + 1
        while start <= last and not file.line(start).strip():
            start += 1
    else:
        while not (above := file.line(start - 1).strip()) or above.startswith("#"):
            start -= 1
    lines = _laid_out(body, file.indent_of(file.first_of(first)), file.unit)
    return file.before(start, lines)._replace(end=file.start_of(last + 1))


def _with_steps(file: File, line: int, body: Sequence[str], before: bool) -> Splice:
    """The steps after the statement that begins at a line, or that the line is in, or before it."""
    around = _around(file, line)
    leading = [each for each in around if file.leads(each)]
    begins = (each for each in leading if file.first_of(each) == line)
    within = (each for each in leading if not _is_compound(each))
    node = next(begins, next(within, None))
    if not node or not any(isinstance(each, _FUNCTIONS) and each is not node for each in around):
        what, step = "no statement of a test is there", "name the line of a step of the test"
        raise file.error(line, what, step)
    last = file.last_of(node)
    if hasattr(node, "body") and not file.has_block(node):
        what = "a block on one line has no room for steps"
        raise file.error(line, what, "put its body on a line of its own")
    ends = any(isinstance(each, _ENDS) and file.last_of(each) == last for each in around)
    if not before and ends and not _is_compound(node):
        what = "nothing after that statement would run"
        raise file.error(line, what, "name the line of a step before it")
    first = file.first_of(node)
    lines = _laid_out(body, file.indent_of(first), file.unit)
    return file.before(first if before else last + 1, lines)


_ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def _is_compound(node: ast.stmt) -> bool:
    """Whether other statements are in it."""
    return hasattr(node, "body") or hasattr(node, "cases")


# --- imports --------------------------------------------------------------------------------------


def _imports_of(lines: Iterable[str]) -> list[Import]:
    """The imports of these statements, each once."""
    statements = (each for line in lines for each in parsed_code(line).body)
    return list(dict.fromkeys(one for each in statements for one in imports_in(each)))


def _import_lines(imports: Sequence[Import]) -> list[str]:
    """One statement for each module: modules first, then names."""
    lines = sorted(f"import {one.module}" for one in imports if not one.name)
    named = grouped((one.module, one.name) for one in imports if one.name)
    if lines and named:
        lines.append("")
    for module, names in sorted(named.items()):
        lines.append(f"from {module} import {', '.join(sorted(names))}")
    return lines


def _with_imports(file: File, lines: Sequence[str]) -> list[Splice]:
    """The imports that the file does not have yet, below those at its top, else below its
    docstring, or below the comments at its top."""
    there = [one for node in file.tree.body for one in imports_in(node)]
    missing = [one for one in _imports_of(lines) if not any(map(one.is_in, there))]
    for one in missing:
        _refuse_taken(file, one)
    body = file.tree.body[file.has_docstring :]
    top = [*takewhile(imports_in, body)]
    new = _import_lines(missing)
    if not new:
        return []
    if top:
        return [file.before(file.last_of(top[-1]) + 1, new)]
    at = len(file.starts)
    if body:
        at = file.comments_above(file.first_of(body[0]))
        new += ["", ""]
    if at > 1:
        new = [*file.gap(at, 1), *new]
    return [file.before(at, new)]


def _refuse_taken(file: File, wanted: Import) -> None:
    """Raises UsageError where the file gives the name of an import to something else."""
    name = wanted.bound
    for bound, node in bindings(file.tree):
        if bound != name:
            continue
        binding = imports_in(node)
        packages = {
            one.module.partition(".")[0] for one in binding if one.bound == name and not one.name
        }
        plain = not wanted.name and packages == {name}
        if not plain and not any(map(wanted.is_in, binding)):
            statement = f"import {wanted.module}"
            if wanted.name:
                statement = f"from {wanted.module} import {wanted.name}"
            what = f"{name} is something else there, but the test needs `{statement}`"
            raise file.error(node, what, "save to another file")


# --- layout ---------------------------------------------------------------------------------------


def _formatted(before: str, after: str, path: Path | None) -> str:
    """The text of a file after a change, as each tool leaves it that would have left the text
    ``before``."""
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    for name, *arguments in _TOOLS if path else ():
        program = shutil.which(name, path=places)
        command = [program or "", *arguments, str(path), "-"]
        if program and (not before.strip() or _by(command, before) == before):
            after = _by(command, after) or after
    return after


def _by(command: Sequence[str], text: str) -> str:
    """The text as a formatter prints it, "" if it does not."""
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=_LONGEST, check=True
        )
        return done.stdout.decode()
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


def _laid_out(body: Sequence[str], indent: str, unit: str) -> list[str]:
    """The lines of a body, indented. Blocks in ``body`` are indented by fours, and by ``unit``
    afterwards. The lines within a text of several lines stay. Raises ReplicantError if they are no
    Python."""
    if not {"\n", "\r", "\0"}.isdisjoint("".join(body)):
        raise ReplicantError(
            "a step holds a line break, so no test was written. Next: report this as a bug"
        )
    try:
        tree = parsed_code("\n".join(body))
    except SyntaxError as error:
        raise ReplicantError(
            f"the steps are no Python ({error.msg}), so no test was written. Next: report this as "
            "a bug"
        ) from None
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            inside.update(range(node.lineno + 1, (node.end_lineno or 0) + 1))
    lines = []
    for at, line in enumerate(body, 1):
        code = line.lstrip(" ")
        if code and at not in inside:
            depth, rest = divmod(len(line) - len(code), len(UNIT))
            line = indent + unit * depth + " " * rest + code
        lines.append(line)
    return lines if tree.body else [*lines, f"{indent}pass"]
