"""What a project has already: its fixtures, states, page objects and functions that do what was recorded.

Files are parsed and never imported. Only a sure match fits: a straight list of the same calls.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
        *("cache", "capfd", "caplog", "capsys", "monkeypatch", "pytestconfig", "record_property", "recwarn"),
        *("request", "tmp_path", "tmp_path_factory", "mobile_app", "mobile_session_args"),
    }
)
"""The fixtures of pytest and of ours that do nothing on a phone."""
_SPECIAL = (
    "__new__", "__post_init__", "__getattribute__", "__getattr__", "__setattr__", "__init_subclass__",
)  # fmt: skip
"""Members of a class that change how its objects are made or looked up."""
_ALLOWED = {"pytest.fixture": {"name", "scope", "autouse"}, "mobile_state": {"proof", "name"}}


@dataclass(frozen=True)
class Fit:
    """Steps ``first`` to ``last``, counted from 0, both included, can be ``code``: "" for a fixture, which the
    test asks for by ``arguments``. ``imports`` are the statements that the code needs, ``source`` is its
    FILE:LINE."""

    first: int
    last: int
    code: str
    arguments: tuple[str, ...]
    imports: tuple[str, ...]
    source: str


def fits(steps: Sequence[str], root: Path, near: Path) -> list[Fit]:
    """The parts of the recorded steps that the project has a name for: the longest first, none overlapping.

    ``steps`` are calls on ``mobile``, checks included; ``near`` is the file that the test goes to, there or not.
    Looked at are its fixtures and functions, the fixtures of ``conftest.py`` in its folder and those above up to
    ``root``, and functions and page objects of modules that it can import. A fixture stands for the first steps
    only. Where two fit the same steps, neither is chosen. Steps that an ``autouse`` fixture does as well are left.
    """
    wanted = [plain_step(code) for code in steps]
    actions = {node.attr for step in wanted if step for node in ast.walk(step) if isinstance(node, ast.Attribute)}
    if not actions:
        return []
    root = root.resolve()
    files = files_near(root, near.resolve(), actions)
    found = [
        fit
        for routine in _routines_of(files)
        for first in range(1 if routine.fixture else len(steps))
        if (fit := _fit(routine, wanted, steps, first, root)) is not None
    ]
    return _chosen(found)


def _chosen(found: Sequence[Fit]) -> list[Fit]:
    """The longest fits, the first of those that overlap. What two fit equally stays, and so do those
    within."""
    spans: dict[tuple[int, int], list[Fit]] = {}
    for each in found:
        spans.setdefault((each.first, each.last), []).append(each)
    taken: set[int] = set()
    chosen = []
    for (first, last), those in sorted(spans.items(), key=lambda item: (item[0][0] - item[0][1], item[0])):
        if taken.isdisjoint(range(first, last + 1)):
            taken.update(range(first, last + 1))
            chosen += those if len(those) == 1 else []
    return chosen


def _fit(
    routine: _Routine, wanted: Sequence[ast.expr | None], steps: Sequence[str], first: int, root: Path
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
    path = routine.path
    source = f"{path.relative_to(root).as_posix() if root in path.parents else path}:{routine.line}"
    if routine.fixture:
        return Fit(first, last, "", (routine.fixture,), (), source)
    given = [routine.phone, *(f"{name}={values[name]}" for name in routine.parameters if name in values)]
    code = f"{routine.callee}({', '.join(filter(None, given))})"
    return Fit(first, last, code, (), routine.imports, source)


def _same(pattern: object, value: object, code: str, values: dict[str, str]) -> bool:
    """Whether a step, or a part of it, is that of a routine. What stands in place of a parameter is its value,
    which must be one and the same."""
    if isinstance(pattern, ast.Name) and pattern.id.startswith(_HOLE):
        if not isinstance(value, ast.expr) or any(getattr(each, "id", "") == _PHONE for each in ast.walk(value)):
            return False  # what the phone is asked for depends on when
        text = ast.get_source_segment(code, value) or ""
        return bool(text) and values.setdefault(pattern.id.removeprefix(_HOLE), text) == text
    if type(pattern) is not type(value):
        return False
    if isinstance(pattern, list) and isinstance(value, list):
        pairs = zip(pattern, value, strict=False)
        return len(pattern) == len(value) and all(_same(one, other, code, values) for one, other in pairs)
    if isinstance(pattern, ast.AST):
        return all(
            _same(getattr(pattern, name, None), getattr(value, name, None), code, values)
            for name in pattern._fields
            if name not in ("ctx", "kind")
        )
    return pattern == value


# --- the fixtures, functions and page objects ----------------------------------------------------------------


@dataclass(frozen=True)
class _Routine:
    """Calls that have a name, at ``path`` and ``line``: a fixture, where ``fixture`` is its own, else what
    ``callee`` calls. ``phone`` is the argument that gives it the phone. ``parameters`` are the other ones,
    each in ``calls`` as a name after ``_HOLE``; ``optional`` are those with a default."""

    calls: tuple[ast.expr, ...]
    path: Path
    line: int
    fixture: str = ""
    callee: str = ""
    phone: str = ""
    parameters: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    imports: tuple[str, ...] = ()


def _routines_of(files: NearFiles) -> Iterator[_Routine]:
    """All of them that a test of ``files.own`` can use."""
    yield from _Fixtures(files).routines()
    for file in (*([files.own] if files.own is not None else ()), *files.modules):
        bound = Counter(name for name, _ in bindings(file.tree))
        for node in file.tree.body:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            if bound[node.name] > 1 or not _is_public(node.name):
                continue
            if not file.module or files.can_import(node.name, file.module):
                yield from _function(file, node) if isinstance(node, ast.FunctionDef) else _methods(file, node)


def _is_public(name: str) -> bool:
    return not name.lower().startswith(("_", "test"))


def _function(file: ProjectFile, node: ast.FunctionDef) -> Iterator[_Routine]:
    """A function that is given the phone, by any name."""
    names = [each.arg for each in node.args.args]
    calls = [each.value for each in node.body if isinstance(each, ast.Expr | ast.Return)]
    phone = next((root for each in calls if (root := _root(each)) in names), "")
    if phone:
        given = _PHONE if names[0] == phone else f"{phone}={_PHONE}"
        yield from _called(file, node, node.name, node.name, phone, given)


def _methods(file: ProjectFile, node: ast.ClassDef) -> Iterator[_Routine]:
    """The methods of a page object, which is made of a phone and holds it."""
    held = _held_phone(file, node)
    names = Counter(name for name, _ in bindings(ast.Module(node.body, [])))
    for method in node.body if held else ():
        if isinstance(method, ast.FunctionDef) and _is_public(method.name) and names[method.name] == 1:
            callee = f"{node.name}({_PHONE}).{method.name}"
            yield from _called(file, method, node.name, callee, f"self.{held}", "")


def _called(
    file: ProjectFile, node: ast.FunctionDef, name: str, callee: str, phone: str, given: str
) -> Iterator[_Routine]:
    """The routine that a function or method is, if it is one. ``name`` is imported for it, ``phone`` what
    it calls the phone, and ``given`` the argument for that."""
    spec = node.args
    names = [each.arg for each in spec.args]
    if node.decorator_list or spec.vararg or spec.kwarg or spec.posonlyargs:
        return
    if phone.startswith("self.") and names[:1] != ["self"]:
        return
    defaults = names[len(names) - len(spec.defaults) :]
    by_name = [each.arg for each in spec.kwonlyargs]
    defaults += [each for each, value in zip(by_name, spec.kw_defaults, strict=True) if value is not None]
    parameters = [each for each in (*names, *by_name) if each not in (phone, "self")]
    meanings = {each: ast.Name(_HOLE + each, ast.Load()) for each in parameters}
    try:
        calls = _calls(file, node.body, {**meanings, phone: ast.Name(_PHONE, ast.Load())})
    except Unknown:
        return
    if len(calls) > 1 or not parameters:  # one call with a parameter is another name for the action
        imports = (f"from {file.module} import {name}",) if file.module else ()
        yield _Routine(
            calls, file.path, node.lineno, "", callee, given, tuple(parameters), frozenset(defaults), imports
        )


def _calls(file: ProjectFile, body: Sequence[ast.stmt], given: Mapping[str, ast.expr]) -> tuple[ast.expr, ...]:
    """The calls of a function that does nothing else. It may return the phone, its own object or the last call.
    Raises Unknown for any other."""
    given = {"self": ast.Name("self", ast.Load()), **given}
    calls = []
    for place, statement in enumerate(body):
        last = place == len(body) - 1
        match statement:
            case ast.Expr(value=ast.Constant(value=str())) if place == 0:
                continue
            case ast.Return(value=None) | ast.Expr(value=ast.Yield(value=None)) if last:
                continue
            case ast.Return(value=ast.Name() as value) | ast.Expr(value=ast.Yield(value=ast.Name() as value)) if (
                last
            ):
                _expect_name(file.plain(value, given), _PHONE, "self")
            case ast.Return(value=ast.Attribute() as value) if last:
                _expect_name(file.plain(value, given), _PHONE)
            case ast.Expr(value=ast.Call() as value):
                calls.append(file.plain(value, given))
            case ast.Return(value=ast.Call() as value) if last:
                calls.append(file.plain(value, given))
            case _:
                raise Unknown
    if not calls or any(_root(each) != _PHONE for each in calls):
        raise Unknown
    return tuple(calls)


def _expect_name(node: ast.expr, *names: str) -> None:
    if not isinstance(node, ast.Name) or node.id not in names:
        raise Unknown


def _root(node: ast.expr | None) -> str:
    """The name that a chain of calls and attributes begins with; "" for any other node."""
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _held_phone(file: ProjectFile, node: ast.ClassDef) -> str:
    """The attribute in which an object of the class holds the phone that it is made of, and nothing more is done
    then. "" if that is not sure."""
    chain = _with_bases(file, node)
    if not chain or any(name in _SPECIAL for each in chain for name, _ in bindings(ast.Module(each.body, []))):
        return ""
    maker = next((each for each in chain if each.decorator_list or _makers(each)), node)
    field = _field(file, maker)
    held = field or _initial(maker)
    stores = [
        each.attr
        for one in chain
        for each in ast.walk(one)
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
    ]
    fields = [ast.Module([each for each in one.body if not _is_annotation(each)], []) for one in chain]
    stores += [name for each in fields for name, _ in bindings(each)]
    return held if stores.count(held) == (0 if field else 1) else ""


def _makers(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]


def _is_annotation(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and node.value is None


def _with_bases(file: ProjectFile, node: ast.ClassDef) -> list[ast.ClassDef]:
    """A class and those of the same file that it is built on; empty if there are others."""
    chain = [node]
    while bases := [each for each in chain[-1].bases if getattr(each, "id", "") != "object"]:
        named = [
            each for each in file.tree.body if isinstance(each, ast.ClassDef) and each.name == _root(bases[0])
        ]
        if len(bases) > 1 or len(named) != 1 or not isinstance(bases[0], ast.Name) or named[0] in chain:
            return []
        chain += named
    return [] if any(each.keywords for each in chain) else chain


def _initial(node: ast.ClassDef) -> str:
    """The attribute that ``__init__`` sets to its only argument; "" if it does anything else."""
    made = _makers(node)
    if len(made) != 1 or node.decorator_list or made[0].decorator_list:
        return ""
    spec, body = made[0].args, made[0].body
    if ast.get_docstring(made[0]) is not None:
        body = body[1:]
    others = spec.posonlyargs or spec.kwonlyargs or spec.vararg or spec.kwarg
    match spec.args, body:
        case [ast.arg(arg="self"), ast.arg(arg=given)], [
            ast.Assign(targets=[target], value=ast.Name(id=value))
            | ast.AnnAssign(target=target, value=ast.Name(id=value))
        ] if given == value and not others:
            return target.attr if isinstance(target, ast.Attribute) and _root(target) == "self" else ""
    return ""


def _field(file: ProjectFile, node: ast.ClassDef) -> str:
    """The only field of a dataclass; "" for any other class."""
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    if len(node.decorator_list) != 1 or len(fields) != 1 or fields[0].value is not None or node.bases:
        return ""
    decorator = node.decorator_list[0]
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    if _makers(node) or _dotted(file, name) != "dataclasses.dataclass":
        return ""
    return fields[0].target.id if isinstance(fields[0].target, ast.Name) else ""


def _dotted(file: ProjectFile, node: ast.expr) -> str:
    try:
        return ast.unparse(file.plain(node, {}))
    except Unknown:
        return ""


@dataclass(frozen=True)
class _Fixture:
    """A fixture of the project, by its declaration. ``sure``: it is one for each test, made the plain way."""

    file: ProjectFile
    node: ast.FunctionDef
    sure: bool
    autouse: bool


class _Fixtures:
    """Those that a test of a file can ask for: its own hide those of ``conftest.py``, a near one those above."""

    def __init__(self, files: NearFiles) -> None:
        self.declared: dict[str, _Fixture | None] = {}
        for file in (*([files.own] if files.own is not None else ()), *files.conftests):
            self.declared = {**_declared(file), **self.declared}

    def routines(self) -> Iterator[_Routine]:
        """The fixtures that a test can ask for in place of its first calls."""
        for name, declared in self.declared.items():
            try:
                done = self.done_by(name)
            except Unknown:
                continue
            calls = tuple(call for each in done.values() for call in each)
            if calls and declared is not None and not declared.autouse and name.isidentifier():
                yield _Routine(calls, declared.file.path, declared.node.lineno, fixture=name)

    def done_by(self, name: str, within: tuple[str, ...] = ()) -> dict[str, tuple[ast.expr, ...]]:
        """The calls on the phone for each fixture that runs where one is asked for, in order. Raises Unknown."""
        declared = self.declared.get(name)
        if name in (_PHONE, *_HARMLESS) and name not in self.declared:
            return {}
        if declared is None or name in (_PHONE, *within) or not _is_plain(declared.node.args):
            raise Unknown
        done: dict[str, tuple[ast.expr, ...]] = {}
        given = {}
        for each in declared.node.args.args:
            before = self.done_by(each.arg, (*within, name))
            done |= {one: calls for one, calls in before.items() if one not in done}
            if each.arg == _PHONE or before:
                given[each.arg] = ast.Name(_PHONE, ast.Load())
        asked = any(getattr(each, "attr", "") == "getfixturevalue" for each in ast.walk(declared.node))
        if not (given or asked):
            return done  # it has no phone to do anything with
        if asked or not declared.sure:
            raise Unknown
        return {**done, name: _calls(declared.file, declared.node.body, given)}


def fixture_files(root: Path, name: str) -> tuple[list[Path], set[str]]:
    """The files of tests, and of their fixtures, below a root that have a fixture of that name, imported ones too;
    and the names of all fixtures there."""
    found, known = [], set[str]()
    for file in filter(None, map(parsed, python_files(root))):
        declared = _declared(file)
        known.update(declared)
        own = {*declared, *(bound for bound, _ in bindings(file.tree))}
        if name in own and is_of_tests(file.path):
            found.append(file.path)
    return found, known


def _is_plain(spec: ast.arguments) -> bool:
    return not (spec.posonlyargs or spec.vararg or spec.kwarg or spec.defaults or spec.kwonlyargs)


def _declared(file: ProjectFile) -> dict[str, _Fixture | None]:
    """The fixtures of a file by name; None for a name that has several."""
    found: dict[str, _Fixture | None] = {}
    for node in file.tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for decorator in node.decorator_list:
            call = decorator.func if isinstance(decorator, ast.Call) else decorator
            kind, given = _dotted(file, call), _keywords(decorator)
            if kind not in _ALLOWED:
                continue
            name = given.get("name", node.name)
            if not isinstance(name, str) or name in found or isinstance(node, ast.AsyncFunctionDef):
                found[str(name)] = None
                continue
            sure = len(node.decorator_list) == 1 and given.keys() <= _ALLOWED[kind]
            sure = sure and given.get("scope", "function") == "function"
            found[name] = _Fixture(file, node, sure, given.get("autouse", False) is not False)
    return found


def _keywords(decorator: ast.expr) -> dict[str, object]:
    """The arguments of a decorator: anything but a text, a number or the like stands for itself."""
    if not isinstance(decorator, ast.Call):
        return {}
    given: dict[str, object] = {f"argument {place}": each for place, each in enumerate(decorator.args)}
    for each in decorator.keywords:
        given[each.arg or "**"] = each.value.value if isinstance(each.value, ast.Constant) else each.value
    return given
