"""Puts a test, or steps, into a test file, and touches no other line of it. Every other byte stays as it is: new
text is spliced into the old one, at places that libcst knows."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import ReplicantError, UsageError
from .code_layout import (
    UNIT,
    Style,
    columns,
    deeper,
    header,
    imports_of,
    laid_out,
    sections_of,
    style_of,
)
from .file_imports import with_imports
from .source_file import File, Splice, listed, newline_of, patch_of, read_source, spliced, write_source

if TYPE_CHECKING:
    import libcst

__all__ = ["NewTest", "inserted", "patch_of", "read_source", "write_source", "written"]

_GUARD = re.compile(r"""if\s*\(?\s*__name__\s*==\s*['"]__main__['"]""")


@dataclass(frozen=True)
class NewTest:
    """A test function that is to be written. ``arguments`` are the fixtures that it asks for,
    with their types or without: ``mobile: Mobile``. ``body`` are its
    lines, with nested blocks indented by fours; ``imports`` are the statements that they need. ``class_name`` is
    the class that it is a method of, ``TestShop`` or ``TestShop::TestCart``; it is made where there is none.
    ``decorators`` are written with or without ``@``."""

    name: str
    arguments: tuple[str, ...]
    body: tuple[str, ...]
    imports: tuple[str, ...]
    class_name: str = ""
    decorators: tuple[str, ...] = ()


def written(source: str | None, new: NewTest, *, replace: bool = False, path: Path | None = None) -> str:
    """The whole text of the test file with the test in it. ``source`` is its text so far, None for a new file.
    ``path`` is where it is: for messages, and for the line length of the project around it.

    The test goes to the end of the file, or of its class. Where there is one of that name, ``replace`` gives that
    one the new body; its decorators, arguments and docstring stay. Raises ``UsageError`` where there is one and
    ``replace`` is not given, where the file is no Python, and without libcst unless the file is new."""
    _check_names(new)
    if not (source or "").strip("\ufeff \t\r\n\f"):
        return _checked("\n".join([*_new_file(new, style_of(path)), ""]), _named(path))

    def change(file: File) -> list[Splice]:
        if not file.module.body:  # comments alone
            end = len(file.starts)
            return [file.before(end, [*file.gap(end, 1), *_new_file(new, file.style)])]
        return [*with_imports(file, new.imports), *_with_test(file, new, replace)]

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
    """The whole text with ``body`` after the statement that begins at ``line``, counted from 1, at its
    indentation, or ``before`` that. Where none begins there, it is the one that the line is in. Raises
    ``UsageError`` where that statement is in no function, where nothing after it would run, and without libcst."""

    def change(file: File) -> list[Splice]:
        return [*with_imports(file, imports), _with_steps(file, line, body, before)]

    return _edited(source, path, change)


def _edited(source: str, path: Path | None, change: Callable[[File], list[Splice]]) -> str:
    """The text after a change. One that does not end its last line does not do so afterwards."""
    text = source.removeprefix("\ufeff")
    bom = source[: len(source) - len(text)]
    end = "" if text.endswith(("\n", "\r")) else newline_of(text)
    file = File(text + end, _named(path), style_of(path))
    return bom + _checked(spliced(file.text, change(file)), file.where).removesuffix(end)


def _named(path: Path | None) -> str:
    return str(path or "the test file")


def _check_names(new: NewTest) -> None:
    arguments = (each.partition(":")[0] for each in new.arguments)
    for name in (new.name, *arguments, *(new.class_name.split("::") if new.class_name else ())):
        if not name.isidentifier() or iskeyword(name):
            raise UsageError(
                f"{name!r} is no name in Python, so no test was written. Next: save to FILE::test_name or "
                "FILE::TestClass::test_name, of letters, digits and _"
            )


def _checked(text: str, where: str) -> str:
    """The text, once it is sure to compile: a file that does not is never written."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the user's own code
            compile(text, where, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = getattr(error, "msg", error)
        raise ReplicantError(
            f"{where} would be no Python with this test in it ({why}); it stays as it was. Next: save to a new "
            "file, and report this as a bug"
        ) from None
    return text


def _new_file(new: NewTest, style: Style) -> list[str]:
    lines: list[str] = []
    for statements in sections_of(imports_of(new.imports), style).values():
        lines += [*([""] if lines else ()), *(line for _, each in statements for line in each)]
    return [*lines, *(["", ""] if lines else ()), *_function(new, style.width)]


def _function(new: NewTest, width: int, inside: int = 0, indent: str = "", unit: str = UNIT) -> list[str]:
    """The lines of the test and of its classes, the first ``inside`` of which are there: they have ``indent``."""
    classes = new.class_name.split("::") if new.class_name else []
    lines = [f"{indent}{unit * depth}class {name}:" for depth, name in enumerate(classes[inside:])]
    indent += unit * len(classes[inside:])
    lines += [f"{indent}@{each.removeprefix('@')}" for each in new.decorators]
    arguments = ["self", *new.arguments] if classes else new.arguments
    for line in header(new.name, arguments, width - columns(indent)):
        code = line.lstrip(" ")
        lines.append(deeper(indent, len(line) - len(code), unit) + code)
    return [*lines, *laid_out(new.body, indent + unit, unit, width)]


def _with_test(file: File, new: NewTest, replace: bool) -> list[Splice]:
    """The test at the end of the file or of its class, or its new body."""
    import libcst

    body: Sequence[libcst.CSTNode] = file.module.body
    scope, owner = file.scopes.get(file.module), None
    classes = new.class_name.split("::") if new.class_name else []
    for inside, name in enumerate(classes):
        found = [each for each in body if isinstance(each, libcst.ClassDef) and each.name.value == name]
        if not found:
            _refuse_bound(file, scope, name)
            return [_appended(file, new, owner, inside)]
        owner = found[-1]
        _refuse_uncollected(file, owner)
        if not isinstance(owner.body, libcst.IndentedBlock):
            raise file.error(owner, f"class {name} is on one line", "put its body on a line of its own")
        body = owner.body.body
        scope = file.scopes.get(body[0])
    same = [each for each in body if isinstance(each, libcst.FunctionDef) and each.name.value == new.name]
    if not same:
        _refuse_bound(file, scope, new.name)
        return [_appended(file, new, owner, len(classes))]
    if not replace:
        raise file.error(
            same[-1], f"{new.name} is there already", "--replace to give it these steps, or another name"
        )
    if same[0].asynchronous is not None:
        raise file.error(same[0], f"{new.name} is async, and these steps are not", "save to another name")
    if len(same) > 1:
        raise file.error(same[-1], f"{new.name} is there {len(same)} times", "remove all but one")
    return [*_with_arguments(file, same[0], new.arguments), _with_body(file, same[0], new.body)]


def _refuse_uncollected(file: File, owner: libcst.ClassDef) -> None:
    """Raises UsageError for a class whose methods pytest gives no fixtures, or does not collect."""
    import libcst

    name = owner.name.value
    made = [each for each in owner.body.body if isinstance(each, libcst.FunctionDef)]
    bases = [file.module.code_for_node(each.value) for each in owner.bases]
    if any("TestCase" in base for base in bases):
        raise file.error(owner, f"{name} is of unittest, whose tests get no fixtures", "save to FILE::test")
    if not name.startswith("Test") or any(each.name.value == "__init__" for each in made):
        why = "has an __init__" if name.startswith("Test") else "does not begin with Test"
        raise file.error(owner, f"{name} {why}, so pytest does not collect it", "save to FILE::test")


def _refuse_bound(file: File, scope: Any, name: str) -> None:
    """Raises UsageError where something else has that name, which the test would replace."""
    for each in scope.assignments[name] if scope is not None else ():
        if (node := getattr(each, "node", None)) is not None:
            raise file.error(node, f"{name} is something else there", "save to another name")


def _appended(file: File, new: NewTest, owner: libcst.ClassDef | None, inside: int) -> Splice:
    """The test after all else, or before the block that runs the file as a script."""
    if owner is not None:
        at = _end_of(file, owner) + 1
        indent = file.indent_of(file.first_of(owner.body.body[0]))
        unit = indent.removeprefix(file.indent_of(file.first_of(owner)))
        return file.before(at, [*file.gap(at, 1), *_function(new, file.style.width, inside, indent, unit)])
    lines = _function(new, file.style.width, unit=file.unit)
    guard = file.module.body[-1] if file.module.body else None
    if guard is not None and _GUARD.match(file.line(file.first_of(guard))):
        at = file.comments_above(file.first_of(guard))
        return file.before(at, [*file.gap(at, 2), *lines, "", ""])
    at = len(file.starts)
    return file.before(at, [*file.gap(at, 2), *lines])


def _end_of(file: File, block: libcst.ClassDef | libcst.FunctionDef) -> int:
    """The last line of a class or function, comments below that are indented as its body included."""
    end = file.last_of(block)
    indent = file.indent_of(file.first_of(block.body.body[0]))
    for line in range(end + 1, len(file.starts) + 1):
        text = file.line(line)
        if (
            text.strip()
            and not text.startswith(f"{indent}#")
            and not (text.lstrip().startswith("#") and text.startswith(indent))
        ):
            break
        end = line if text.strip() else end
    return end


def _with_body(file: File, function: libcst.FunctionDef, body: Sequence[str]) -> Splice:
    """The new body in place of the old one, below the docstring."""
    import libcst

    if not isinstance(function.body, libcst.IndentedBlock):
        start, _ = file.span(function.body)
        line = file.line_at(start)
        indent = file.indent_of(file.first_of(function)) + file.unit
        lines = ["", *laid_out(body, indent, file.unit, file.style.width)]
        end = file.start_of(line) + len(file.line(line))
        return Splice(len(file.text[:start].rstrip(" \t")), end, file.newline.join(lines))
    first, last = function.body.body[0], _end_of(file, function)
    start = file.first_of(first)
    if (
        function.get_docstring() is not None
        and isinstance(first, libcst.SimpleStatementLine)
        and len(first.body) == 1
    ):
        start = file.last_of(first) + 1
        while start <= last and not file.line(start).strip():
            start += 1
    else:
        while not (above := file.line(start - 1).strip()) or above.startswith("#"):
            start -= 1
    lines = laid_out(body, file.indent_of(file.first_of(first)), file.unit, file.style.width)
    return file.before(start, lines)._replace(end=file.start_of(last + 1))


def _with_arguments(file: File, function: libcst.FunctionDef, wanted: Sequence[str]) -> list[Splice]:
    """The arguments that the function does not have yet, after those without a default."""
    params = function.params
    positional = [*params.posonly_params, *params.params]
    there = {each.name.value for each in (*positional, *params.kwonly_params)}
    missing = [each for each in wanted if each.partition(":")[0] not in there]
    plain = [each for each in positional if each.default is None]
    if not missing:
        return []
    if plain:
        (start, end), annotation = file.span(plain[-1]), plain[-1].annotation
        if annotation is not None:
            _, end = file.span(annotation.annotation)
            for _ in annotation.annotation.rpar:  # which its own place leaves out
                end = file.text.index(")", end) + 1
        return listed(file, start, end, missing)
    at = file.text.index("(", file.span(function.name)[1]) + 1
    more = ", " if file.text[at:].lstrip()[:1] != ")" else ""
    return [Splice(at, at, ", ".join(missing) + more)]


def _with_steps(file: File, line: int, body: Sequence[str], before: bool) -> Splice:
    """The steps after the statement that begins at a line, or that the line is in, or before it."""
    import libcst

    kinds = (libcst.SimpleStatementLine, libcst.BaseCompoundStatement)
    around = [
        each
        for each in file.positions
        if isinstance(each, kinds) and file.first_of(each) <= line <= file.last_of(each)
    ]
    begins = [each for each in around if file.first_of(each) == line]
    within = [each for each in around if isinstance(each, libcst.SimpleStatementLine)]
    if not (begins or within):
        raise file.error(line, "no statement is there", "name the line of a step of the test")
    node = (begins or within)[0]
    if not any(isinstance(each, libcst.FunctionDef) and each is not node for each in around):
        raise file.error(line, "that statement is in no test", "name the line of a step of the test")
    if isinstance(getattr(node, "body", None), libcst.SimpleStatementSuite):
        raise file.error(line, "a block on one line has no room for steps", "put its body on a line of its own")
    ends = (libcst.Return, libcst.Raise, libcst.Break, libcst.Continue)
    if not before and isinstance(node, libcst.SimpleStatementLine) and isinstance(node.body[-1], ends):
        raise file.error(line, "nothing after that statement would run", "name the line of a step before it")
    indent = file.indent_of(file.first_of(node))
    at = file.first_of(node) if before else file.last_of(node) + 1
    return file.before(at, laid_out(body, indent, file.unit, file.style.width))
