"""One line of a build's output that is an error: of Kotlin, Java, the resource compiler, lint, the dexer, a shell.
Pure, a line at a time."""

from __future__ import annotations

import re
from urllib.parse import unquote

from .build_error import BuildError, BuildErrorKind

_BEFORE = re.compile(r"(?:> )?(?:Output: +)?")
_FOR_EDITORS = "AGPBI: "
_PROCESSOR = re.compile(r"\[(?P<name>ksp|kapt)\] *")
_KOTLIN_PLACES = (
    re.compile(r"(?:file://)?(?P<file>\S.*?\.\w+):(?P<line>\d+):(?P<column>\d+):? (?P<message>.*)"),
    re.compile(r"(?P<file>\S.*?\.\w+): \((?P<line>\d+), (?P<column>\d+)\): (?P<message>.*)"),
    re.compile(r"(?:file://)?(?P<file>\S.*?\.\w+):(?P<line>\d+): (?P<message>.*)"),
)
_GENERATING = re.compile(r"generating class file [^(]*\(compiled from \[(?P<file>[^\]]*)\]\): *(?P<message>.*)")
_BACKEND_FILE = re.compile(r"File being compiled: (?:\((?P<line>\d+), ?(?P<column>\d+)\) in )?(?P<file>\S.*)")
_DRIVE = re.compile(r"/(?=[A-Za-z]:[/\\])")

# path/to/File.java:12: error: message. Columns, ranges and who says so differ from tool to tool.
_PLACED = re.compile(
    r"(?:ERROR: ?|C/C\+\+: )?(?P<file>\S.*?\.\w{1,10}):(?P<line>\d+)(?::(?P<column>\d+))?(?:-\d+(?::\d+)?)?:? "
    r"(?P<aapt>AAPT: )?(?:fatal )?(?P<word>[Ee]rror|ERROR): ?(?P<message>.*)"
)
_FILE_ONLY = re.compile(r"(?:ERROR: ?)?(?P<file>\S.*?\.\w{1,10}): (?:AAPT: )?error: (?P<message>.*)")
_MANIFEST = re.compile(
    r"(?P<file>\S.*?\.xml)(?::(?P<line>\d+)(?::(?P<column>\d+))?(?:-\d+(?::\d+)?)?)?:? Error:(?P<message>.*)"
)
_LINT_ID = re.compile(r"\[\w+(?: from [^\]]+)?\]$")
_BARE = re.compile(r"(?:ERROR: ?(?P<aapt>AAPT: )?(?:error: )?|error: )(?P<message>\S.*)")

_KINDS: dict[str, BuildErrorKind] = {
    "java": "java",
    "kt": "kotlin",
    "kts": "kotlin",
    "xml": "resource",
    "png": "resource",
    "webp": "resource",
}
_PLAIN: tuple[tuple[re.Pattern[str], BuildErrorKind], ...] = (
    (re.compile(r"(?:ERROR: )?(?P<message>(?:JAVA_HOME|The JAVA_HOME) .*)"), "jvm"),
    (re.compile(r"Error: (?P<message>Could not find or load main class .*)"), "gradle"),
    (re.compile(r"Exception in thread \"[^\"]*\" (?P<message>.*)"), "gradle"),
    (re.compile(r"(?P<message>Could not (?:create|reserve) .*(?:virtual machine|object heap).*)"), "jvm"),
    (re.compile(r"(?:Error: ?)?(?P<message>(?:ERROR: )?(?:R8|D8): .*)"), "dex"),
    (re.compile(r"(?P<message>.*Type \S+ is defined multiple times: .*)"), "dex"),
    (re.compile(r"(?P<message>(?:\S*sh: )(?:line )?\d*:? ?\S.*: (?:command )?not found)"), "command"),
    (re.compile(r"(?P<message>(?:\S*sh: )(?:line )?\d*:? ?\S.*: Permission denied)"), "command"),
    (re.compile(r"(?P<message>(?:\S*sh: )(?:line )?\d*:? ?\S.*: No such file or directory)"), "command"),
    (re.compile(r"(?P<message>'.+' is not recognized as an internal or external command.*)"), "command"),
    (re.compile(r"xcodebuild: error: (?P<message>.*)"), "compiler"),
)
_PLAIN_WORDS = re.compile(
    r"JAVA_HOME|main class|Exception in|machine|heap|[RD]8:|Type |sh: |recognized|xcodebuild"
)


def read_error(line: str) -> BuildError | None:
    """The error that a line tells of. Gradle indents those that it repeats."""
    text = _BEFORE.sub("", line.strip(), count=1)
    if text.startswith(_FOR_EDITORS):
        return None  # the same stands in the next lines for people
    if text.startswith("e: "):
        return _kotlin(text)
    if "rror" in text or "ERROR" in text:
        for read in (_placed, _manifest, _file_only):
            error = read(text)
            if error is not None:
                return error
    if _PLAIN_WORDS.search(text):
        for pattern, kind in _PLAIN:
            found = pattern.fullmatch(text)
            if found:
                return BuildError(kind, found["message"])
    found = _BARE.fullmatch(text)
    return BuildError(_bare_kind(found), found["message"]) if found else None


def backend_file(line: str) -> tuple[str, int | None, int | None] | None:
    """Which file the Kotlin compiler was at when it broke down itself."""
    found = _BACKEND_FILE.match(line.strip())
    if found is None:
        return None
    return _path(found["file"]), _number(found["line"]), _number(found["column"])


def _kotlin(text: str) -> BuildError:
    message, kind = text[3:], _kotlin_kind(text)
    processor = _PROCESSOR.match(message)
    if processor:
        message = message[processor.end() :]
    for pattern in _KOTLIN_PLACES:
        found = pattern.fullmatch(message)
        if found:
            column = _number(found["column"]) if "column" in pattern.groupindex else None
            return BuildError(kind, found["message"], _path(found["file"]), _number(found["line"]), column)
    generating = _GENERATING.search(message)
    if generating:
        return BuildError(kind, generating["message"] or message, _path(generating["file"]))
    return BuildError(kind, message)


def _kotlin_kind(text: str) -> BuildErrorKind:
    return "ksp" if _PROCESSOR.match(text, 3) else "kotlin"


def _placed(text: str) -> BuildError | None:
    found = _PLACED.fullmatch(text)
    if found is None or not found["message"]:
        return None
    file = _path(found["file"])
    kind: BuildErrorKind = _KINDS.get(file.rpartition(".")[2].lower(), "compiler")
    if found["aapt"]:
        kind = "resource"
    elif found["word"] == "Error" and _LINT_ID.search(found["message"]):
        kind = "lint"
    return BuildError(kind, found["message"], file, _number(found["line"]), _number(found["column"]))


def _manifest(text: str) -> BuildError | None:
    """What it is follows on the next line."""
    found = _MANIFEST.fullmatch(text)
    if found is None:
        return None
    line, column = _number(found["line"]), _number(found["column"])
    return BuildError("manifest", found["message"].strip(), _path(found["file"]), line, column)


def _file_only(text: str) -> BuildError | None:
    found = _FILE_ONLY.fullmatch(text)
    if found is None:
        return None
    file = _path(found["file"])
    return BuildError(_KINDS.get(file.rpartition(".")[2].lower(), "compiler"), found["message"], file)


def _bare_kind(found: re.Match[str]) -> BuildErrorKind:
    if "R8" in found["message"]:
        return "dex"
    return "resource" if found["aapt"] or "resource " in found["message"] else "compiler"


def _path(given: str) -> str:
    """Kotlin writes a URI: with its escapes, and a slash before the drive."""
    path = unquote(given) if "%" in given else given
    drive = _DRIVE.match(path)
    return path[drive.end() :] if drive else path


def _number(digits: str | None) -> int | None:
    return int(digits) if digits and len(digits) < 10 else None
