"""Whether the tests would notice: plants defects in the package, one at a time, and shows which are
caught.

``python -m benchmarks.defects draw --seed 13 --count 60 defects.json`` draws them over all rooms;
``run`` plants each in a copy of the checkout and runs the room's tests. A list that was drawn on
another version of the package is found again by room, function and statement.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "pytest_replicant"
TESTS = "not browser and not viewer and not allure and not thorough and not ci"
PHONE = "--replicant-device=virtual?latency=0"
SECONDS = 300  # for the tests of one room; a defect that hangs them is caught
MUTABLE = (ast.Assign, ast.Return, ast.If, ast.While, ast.Expr, ast.AugAssign)
NOT_COPIED = shutil.ignore_patterns(".venv*", ".git", ".mypy_cache", "replicant-report")


@dataclass(frozen=True)
class Defect:
    """One change of one statement.

    ``function`` is the name of the innermost one; ``before`` and ``after`` are the statement in
    normal form; ``target`` is what caught it, "" where nothing did.
    """

    room: str
    file: str
    function: str
    kind: str
    before: str
    after: str
    target: str = ""
    seconds: float = 0.0


# --- drawing --------------------------------------------------------------------------------------


def rooms(root: Path) -> dict[str, list[Path]]:
    """The files of each room; those at the top are one room together."""
    package = root / PACKAGE
    found: dict[str, list[Path]] = {}
    for path in sorted(package.rglob("*.py")):
        found.setdefault(_room_of(path.relative_to(package)), []).append(path)
    return found


def _room_of(below: Path) -> str:
    return below.parts[0] if len(below.parts) > 1 else "."


def draw(root: Path, seed: int, count: int) -> list[Defect]:
    """As many of each room, in turn, until there are enough."""
    chance = random.Random(seed)
    stock = {
        room: [one for path in paths for one in _possible(root, room, path)]
        for room, paths in rooms(root).items()
    }
    drawn: list[Defect] = []
    while len(drawn) < count and any(stock.values()):
        for room in sorted(stock):
            if stock[room] and len(drawn) < count:
                drawn.append(stock[room].pop(chance.randrange(len(stock[room]))))
    return drawn


def _possible(root: Path, room: str, path: Path) -> Iterator[Defect]:
    name = path.relative_to(root).as_posix()
    for function, statement in _statements(ast.parse(path.read_text(encoding="utf-8"))):
        for kind, changed in _mutants(statement):
            yield Defect(room, name, function, kind, _head(statement), _head(changed))


def _statements(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.stmt]]:
    """Every statement inside a function, with the function's name; annotations and docstrings
    apart."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _statements(child, child.name)
        else:
            if function and isinstance(child, MUTABLE):
                yield function, child
            yield from _statements(child, function)


def _head(statement: ast.stmt) -> str:
    """The statement as text, of a compound one its first line."""
    return ast.unparse(_without_body(statement)).split("\n    ", 1)[0]


def _without_body(statement: ast.stmt) -> ast.stmt:
    if isinstance(statement, (ast.If, ast.While)):
        bare = copy.copy(statement)
        bare.body, bare.orelse = [ast.Pass()], []
        return ast.fix_missing_locations(bare)
    return statement


_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


def _mutants(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """One changed copy for each place in the statement's own expressions where one thing may be
    another."""
    if isinstance(statement, ast.Expr):
        if isinstance(statement.value, ast.Call):
            yield "call dropped", ast.copy_location(ast.Pass(), statement)
        return
    own = _without_body(statement)
    for index, node in enumerate(ast.walk(own)):
        for kind, change in _changes(node):
            changed = copy.deepcopy(own)
            change(list(ast.walk(changed))[index])
            yield kind, changed


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[ast.AST], None]]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _FLIPPED:
        yield "comparison", lambda it: it.ops.__setitem__(0, _FLIPPED[type(it.ops[0])]())  # type: ignore[attr-defined]
    if isinstance(node, ast.BoolOp):
        other = ast.And if isinstance(node.op, ast.Or) else ast.Or
        yield "and/or", lambda it: setattr(it, "op", other())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", lambda it: setattr(it, "operand", ast.UnaryOp(ast.Not(), it.operand))  # type: ignore[attr-defined]
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "boolean", lambda it: setattr(it, "value", not it.value)  # type: ignore[attr-defined]
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1000:
        yield "number", lambda it: setattr(it, "value", it.value + 1)  # type: ignore[attr-defined]
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        minus = ast.Sub if isinstance(node.op, ast.Add) else ast.Add
        yield "plus/minus", lambda it: setattr(it, "op", minus())


# --- planting -------------------------------------------------------------------------------------


def find(root: Path, defect: Defect) -> tuple[Path, ast.stmt] | None:
    """Where the statement stands now; None if it is gone or was written another way."""
    inside = rooms(root)
    for path in inside.get(defect.room) or chain(
        *inside.values()
    ):  # a room may have another name by now
        for function, statement in _statements(ast.parse(path.read_text(encoding="utf-8"))):
            if function == defect.function and _head(statement) == defect.before:
                return path, statement
    return None


def plant(path: Path, statement: ast.stmt, text: str) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    start, end = statement.lineno - 1, statement.end_lineno
    if isinstance(statement, (ast.If, ast.While)):
        end = statement.body[0].lineno - 1
    indent, first = lines[start][: statement.col_offset], lines[start][statement.col_offset :]
    if isinstance(statement, ast.If) and first.startswith("elif"):
        text = "el" + text
    if end == start:  # `if x: return`, on one line
        raise ValueError("a statement on one line with its body")
    lines[start:end] = [indent + line for line in text.split("\n")]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# --- catching -------------------------------------------------------------------------------------


def tests_of(root: Path, defect: Defect) -> list[str]:
    """The tests of a room."""
    unit = root / "tests" / "unit"
    room = unit / defect.room
    wide = [room] if defect.room != "." and room.is_dir() else unit.glob("test_*.py")
    return [path.relative_to(root).as_posix() for path in wide]


def run(root: Path, defects: Sequence[Defect]) -> Iterator[Defect]:
    """Each with what caught it. The copy in which they are planted is thrown away."""
    with tempfile.TemporaryDirectory(prefix="replicant-defects-") as folder:
        house = Path(folder) / "checkout"
        shutil.copytree(root, house, ignore=NOT_COPIED)
        shared = root.parent / "shared"
        if shared.exists():
            (Path(folder) / "shared").symlink_to(shared.resolve())
        sound: set[str] = set()
        for defect in defects:
            found = find(house, defect)
            if found is None:
                yield replace(defect, target="not found")
                continue
            path, statement = found
            tests = tests_of(house, _as_of(house, defect, path))
            for part in set(tests) - sound:  # else what fails anyway would count as a catch
                if not _passes(house, [part]):
                    raise SystemExit(f"{part} fails without any defect")
                sound.add(part)
            source = path.read_text(encoding="utf-8")
            began = time.monotonic()
            try:
                plant(path, statement, defect.after)
                caught = not _passes(house, tests)
            except ValueError:
                yield replace(defect, target="not plantable")
                continue
            finally:
                path.write_text(source, encoding="utf-8")
            seconds = round(time.monotonic() - began, 1)
            yield replace(
                _as_of(house, defect, path), seconds=seconds, target="test" if caught else ""
            )


def _as_of(house: Path, defect: Defect, path: Path) -> Defect:
    """The defect in the file where it stands now."""
    name = path.relative_to(house).as_posix()
    return replace(defect, file=name, room=_room_of(path.relative_to(house / PACKAGE)))


def _passes(house: Path, tests: Sequence[str]) -> bool:
    """False where a part fails twice, since once may be the machine, or hangs."""
    for part in dict.fromkeys(tests):
        ended = _run(house, part)
        if ended == "failed":
            ended = _run(house, part)
        if ended != "passed":
            return False
    return True


def _run(house: Path, part: str) -> str:
    """Its end: passed, failed or hangs."""
    quiet = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly"]
    child = subprocess.Popen(
        [sys.executable, "-m", "pytest", *quiet, "-m", TESTS, PHONE, part],
        cwd=house,
        env={**os.environ, "PYTHONPATH": str(house)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return "passed" if child.wait(SECONDS) in (0, 5) else "failed"
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.wait()
        return "hangs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("verb", choices=["draw", "run"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--count", type=int, default=60)
    given = parser.parse_args()
    if given.verb == "draw":
        drawn = draw(ROOT, given.seed, given.count)
        _write(given.file, drawn)
        print(f"{len(drawn)} defects in {len({one.room for one in drawn})} rooms")
        return
    # a job in the background ignores it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    defects = [Defect(**row) for row in json.loads(given.file.read_text(encoding="utf-8"))]
    done: list[Defect] = []
    for one in run(ROOT, defects):
        done.append(one)
        where = f"{one.target or 'NOT CAUGHT':14} {one.seconds:6.1f} s  {one.file}:{one.function}"
        print(f"{where}  {one.before}  ->  {one.after}", flush=True)
        _write(given.file.with_suffix(".result.json"), done)


def _write(path: Path, defects: Sequence[Defect]) -> None:
    path.write_text(json.dumps([asdict(one) for one in defects], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
