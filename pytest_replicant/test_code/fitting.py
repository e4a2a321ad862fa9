"""What a project has already: its fixtures, states and page objects that do what was recorded.

Files are parsed and never imported. Only a sure match fits: a straight list of the same calls.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from .project_files import (
    NearFiles,
    ProjectFile,
    Unknown,
    bindings,
    files_near,
    is_of_tests,
    parsed,
    plain_step,
    python_files,
)

_PHONE = "mobile"
_HOLE = "$"
"""Before the name of a parameter, where its value goes: no name in Python begins so."""
_HARMLESS = frozenset(
    {
        *(
            "cache",
            "capfd",
            "caplog",
            "capsys",
            "monkeypatch",
            "pytestconfig",
            "record_property",
            "recwarn",
        ),
        *("request", "tmp_path", "tmp_path_factory", "mobile_app", "mobile_session_args"),
    }
)
"""The fixtures of pytest and of ours that do nothing on a phone."""
_SPECIAL = (
    "__new__", "__post_init__", "__getattribute__", "__getattr__", "__setattr__",
    "__init_subclass__",
)  # fmt: skip
"""Members of a class that change how its objects are made or looked up."""
_ALLOWED = {"pytest.fixture": {"name", "scope", "autouse"}, "mobile_state": {"proof", "name"}}


@dataclass(frozen=True)
class Fit:
    """Steps ``first`` to ``last``, counted from 0, both included, can be ``code``: "" for a
    fixture, which the test asks for by ``arguments``. ``imports`` are the statements that the code
    needs, ``source`` is its FILE:LINE."""

    first: int
    last: int
    code: str
    arguments: tuple[str, ...]
    imports: tuple[str, ...]
    source: str


def fits(steps: Sequence[str], root: Path, near: Path) -> list[Fit]:
    """The parts of the recorded steps that the project has a name for: the longest first, none
    overlapping.

    ``steps`` are calls on ``mobile``, checks included; ``near`` is the file that the test goes to,
    there or not. Looked at are its fixtures and page objects, the fixtures of ``conftest.py`` in
    its folder and those above up to ``root``, and page objects of modules that it can import. A
    fixture stands for the first steps only. Where two fit the same steps, neither is chosen. Steps
    that an ``autouse`` fixture does as well are left.
    """
    wanted = [plain_step(code) for code in steps]
    nodes = chain.from_iterable(map(ast.walk, filter(None, wanted)))
    actions = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    if not actions:
        return []
    root = root.resolve()
    spans: dict[tuple[int, int], list[Fit]] = {}
    for routine in _routines_of(files_near(root, near.resolve(), actions)):
        for first in range(1 if routine.fixture else len(steps)):
            if fit := _fit(routine, wanted, steps, first, root):
                spans.setdefault((fit.first - fit.last, fit.first), []).append(fit)
    taken: set[int] = set()
    chosen = []
    for _, those in sorted(spans.items()):
        span = range(those[0].first, those[0].last + 1)
        if taken.isdisjoint(span):
            taken.update(span)
            chosen += those if len(those) == 1 else []
    return chosen


def _fit(
    routine: _Routine,
    wanted: Sequence[ast.expr | None],
    steps: Sequence[str],
    first: int,
    root: Path,
) -> Fit | None:
    """The routine in place of the steps from ``first`` on, where they are its calls."""
    last = first + len(routine.calls) - 1
    if last >= len(steps):
        return None
    values: dict[str, str] = {}
    for call, step, code in zip(routine.calls, wanted[first:], steps[first:], strict=False):
        if not _same(call, step, code, values):
            return None
    if not routine.optional.union(values).issuperset(routine.parameters):
        return None  # a value that shows in no step
    path = routine.path.relative_to(root) if root in routine.path.parents else routine.path
    source = f"{path.as_posix()}:{routine.line}"
    if routine.fixture:
        return Fit(first, last, "", (routine.fixture,), (), source)
    given = (f"{name}={values[name]}" for name in routine.parameters if name in values)
    return Fit(first, last, f"{routine.callee}({', '.join(given)})", (), routine.imports, source)


def _same(pattern: object, value: object, code: str, values: dict[str, str]) -> bool:
    """Whether a step, or a part of it, is that of a routine. What stands in place of a parameter is
    its value, which must be one and the same."""
    if isinstance(pattern, ast.Name) and pattern.id.startswith(_HOLE):
        if not isinstance(value, ast.expr) or _PHONE in _names_in(value):
            return False  # what the phone is asked for depends on when
        text = ast.get_source_segment(code, value) or ""
        return bool(text) and values.setdefault(pattern.id.removeprefix(_HOLE), text) == text
    if type(pattern) is not type(value):
        return False
    if isinstance(pattern, list) and isinstance(value, list):
        if len(pattern) != len(value):
            return False
        pairs = [*zip(pattern, value, strict=True)]
    elif isinstance(pattern, ast.AST):
        names = {*pattern._fields} - {"ctx", "kind"}
        pairs = [(getattr(pattern, name, None), getattr(value, name, None)) for name in names]
    else:
        return pattern == value
    return all(_same(one, other, code, values) for one, other in pairs)


def _names_in(node: ast.AST) -> list[str]:
    return [getattr(each, "id", "") for each in ast.walk(node)]


# --- the fixtures and page objects ----------------------------------------------------------------


@dataclass(frozen=True)
class _Routine:
    """Calls that have a name, at ``path`` and ``line``: a fixture, where ``fixture`` is its own,
    else what ``callee`` calls. ``parameters`` are its arguments, each in ``calls`` as a name after
    ``_HOLE``; ``optional`` are those with a default."""

    calls: tuple[ast.expr, ...]
    path: Path
    line: int
    fixture: str = ""
    callee: str = ""
    parameters: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    imports: tuple[str, ...] = ()


def _routines_of(files: NearFiles) -> Iterator[_Routine]:
    """All of them that a test of ``files.own`` can use."""
    yield from _Fixtures(files).routines()
    for file in (*files.own, *files.modules):
        for node in _public(file.tree):
            if not isinstance(node, ast.ClassDef):
                continue
            if not file.module or files.can_import(node.name, file.module):
                held = _held_phone(node)
                for method in _public(node) if held else ():
                    if isinstance(method, ast.FunctionDef):
                        yield from _called(file, method, node.name, f"self.{held}")


def _public(owner: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    """The functions and classes in it whose names are public, and given to nothing else."""
    bound = Counter(name for name, _ in bindings(owner))
    for node in owner.body:
        name: str = getattr(node, "name", "_")
        if bound[name] == 1 and not name.lower().startswith(("_", "test")):
            yield node


def _called(file: ProjectFile, node: ast.FunctionDef, owner: str, phone: str) -> Iterator[_Routine]:
    """The routine that a method is, if it is one: of a page object, which is made of a phone and
    holds it. ``owner`` is its class, ``phone`` what it calls the phone."""
    spec = node.args
    names = [each.arg for each in spec.args]
    if node.decorator_list or spec.vararg or spec.kwarg or names[:1] != ["self"]:
        return
    defaults = names[len(names) - len(spec.defaults) :]
    by_name = [each.arg for each in spec.kwonlyargs]
    defaults += [name for name, value in zip(by_name, spec.kw_defaults, strict=True) if value]
    parameters = [*names[1:], *by_name]
    meanings = {each: ast.Name(_HOLE + each, ast.Load()) for each in parameters}
    try:
        calls = _calls(file, node.body, {**meanings, phone: ast.Name(_PHONE, ast.Load())})
    except Unknown:
        return
    if len(calls) > 1 or not parameters:  # one call with a parameter is another name for the action
        imports = (f"from {file.module} import {owner}",) if file.module else ()
        callee = f"{owner}({_PHONE}).{node.name}"
        yield _Routine(
            calls,
            file.path,
            node.lineno,
            "",
            callee,
            tuple(parameters),
            frozenset(defaults),
            imports,
        )


def _calls(
    file: ProjectFile, body: Sequence[ast.stmt], given: Mapping[str, ast.expr]
) -> tuple[ast.expr, ...]:
    """The calls of a function that does nothing else. It may return the phone, its own object or
    the last call. Raises Unknown for any other."""
    given = {"self": ast.Name("self", ast.Load()), **given}
    calls = []
    for place, statement in enumerate(body):
        last = place == len(body) - 1
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) if place == 0:
                continue
            case ast.Return(value=None) | ast.Expr(value=ast.Yield(value=None)) if last:
                continue
            case (
                ast.Return(value=(ast.Name() | ast.Attribute()) as value)
                | ast.Expr(value=ast.Yield(value=ast.Name() as value))
            ) if last:
                match file.plain(value, given):
                    case ast.Name(id=name) if name in (_PHONE, "self"):
                        continue
                raise Unknown
            case ast.Expr(value=ast.Call() as value):
                calls.append(file.plain(value, given))
            case ast.Return(value=ast.Call() as value) if last:
                calls.append(file.plain(value, given))
            case _:
                raise Unknown
    if not calls or any(_root(each) != _PHONE for each in calls):
        raise Unknown
    return tuple(calls)


def _root(node: ast.expr | None) -> str:
    """The name that a chain of calls and attributes begins with; "" for any other node."""
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _held_phone(node: ast.ClassDef) -> str:
    """The attribute in which an object of the class holds the phone that it is made of, and nothing
    more is done then. "" if that is not sure, as for a class that is built on another one."""
    bound = [name for name, _ in bindings(node)]
    if node.bases or node.keywords or node.decorator_list or not {*_SPECIAL}.isdisjoint(bound):
        return ""
    stores = [
        each.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
    ]
    held = _initial(node)
    return held if [*stores, *bound].count(held) == 1 else ""


def _initial(node: ast.ClassDef) -> str:
    """The attribute that ``__init__`` sets to its only argument; "" if it does anything else."""
    made = [
        each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"
    ]
    match made:
        case [
            ast.FunctionDef(
                decorator_list=[],
                args=ast.arguments(
                    posonlyargs=[],
                    args=[ast.arg(arg="self"), ast.arg(arg=given)],
                    vararg=None,
                    kwonlyargs=[],
                    kwarg=None,
                ),
                body=[ast.Assign(targets=[ast.Attribute() as target], value=ast.Name(id=value))],
            )
        ] if given == value and _root(target) == "self":
            return target.attr
    return ""


def _dotted(file: ProjectFile, node: ast.expr) -> str:
    try:
        return ast.unparse(file.plain(node, {}))
    except Unknown:
        return ""


@dataclass(frozen=True)
class _Fixture:
    """A fixture of the project, by its declaration. ``sure``: it is one for each test, made the
    plain way."""

    file: ProjectFile
    node: ast.FunctionDef
    sure: bool
    autouse: bool


class _Fixtures:
    """Those that a test of a file can ask for: its own hide those of ``conftest.py``, a near one
    those above."""

    def __init__(self, files: NearFiles) -> None:
        self.declared: dict[str, _Fixture | None] = {}
        for file in (*files.own, *files.conftests):
            self.declared = {**_declared(file), **self.declared}

    def routines(self) -> Iterator[_Routine]:
        """The fixtures that a test can ask for in place of its first calls."""
        for name, declared in self.declared.items():
            try:
                done = self.done_by(name)
            except Unknown:
                continue
            calls = tuple(call for each in done.values() for call in each)
            if calls and declared and not declared.autouse and name.isidentifier():
                yield _Routine(calls, declared.file.path, declared.node.lineno, fixture=name)

    def done_by(self, name: str, within: tuple[str, ...] = ()) -> dict[str, tuple[ast.expr, ...]]:
        """The calls on the phone for each fixture that runs where one is asked for, in order.
        Raises Unknown."""
        declared = self.declared.get(name)
        if name in (_PHONE, *_HARMLESS) and name not in self.declared:
            return {}
        if not declared or name in (_PHONE, *within):
            raise Unknown
        spec = declared.node.args
        if spec.posonlyargs or spec.vararg or spec.kwarg or spec.defaults or spec.kwonlyargs:
            raise Unknown
        done: dict[str, tuple[ast.expr, ...]] = {}
        given = {}
        for each in spec.args:
            before = self.done_by(each.arg, (*within, name))
            for one, calls in before.items():
                done.setdefault(one, calls)
            if each.arg == _PHONE or before:
                given[each.arg] = ast.Name(_PHONE, ast.Load())
        asked = any(
            getattr(each, "attr", "") == "getfixturevalue" for each in ast.walk(declared.node)
        )
        if not (given or asked):
            return done  # it has no phone to do anything with
        if asked or not declared.sure:
            raise Unknown
        return {**done, name: _calls(declared.file, declared.node.body, given)}


def fixture_files(root: Path, name: str) -> tuple[list[Path], set[str]]:
    """The files of tests, and of their fixtures, below a root that have a fixture of that name,
    imported ones too; and the names of all fixtures there."""
    found, known = [], set[str]()
    for file in filter(None, map(parsed, python_files(root))):
        declared = _declared(file)
        known.update(declared)
        own = {*declared, *(bound for bound, _ in bindings(file.tree))}
        if name in own and is_of_tests(file.path):
            found.append(file.path)
    return found, known


def _declared(file: ProjectFile) -> dict[str, _Fixture | None]:
    """The fixtures of a file by name; None for a name that has several."""
    found: dict[str, _Fixture | None] = {}
    for node in file.tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for decorator in node.decorator_list:
            call = decorator
            if not isinstance(call, ast.Call):
                call = ast.Call(decorator, [], [])
            kind = _dotted(file, call.func)
            if kind not in _ALLOWED:
                continue
            # anything but a text, a number or the like stands for itself
            given = {one.arg: getattr(one.value, "value", one.value) for one in call.keywords}
            name = given.get("name", node.name)
            if not isinstance(name, str) or name in found or isinstance(node, ast.AsyncFunctionDef):
                found[str(name)] = None
                continue
            plain = given.keys() <= _ALLOWED[kind]
            each_test = given.get("scope", "function") == "function"
            sure = all((plain, not call.args, each_test, len(node.decorator_list) == 1))
            found[name] = _Fixture(file, node, sure, given.get("autouse", False) is not False)
    return found
