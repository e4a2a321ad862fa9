"""What a build failed of, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BuildErrorKind = Literal[
    "kotlin",
    "java",
    "ksp",
    "compiler",
    "resource",
    "manifest",
    "lint",
    "dex",
    "dependency",
    "sdk",
    "jvm",
    "command",
    "gradle",
]
"""Whose word it is: a compiler's, a check's of what goes into the package, or the build tool's own."""

Verdict = Literal["successful", "failed", "unknown"]

LONGEST_MESSAGE = 500


@dataclass(frozen=True)
class BuildError:
    """One error. ``file`` as the build printed it; ``task`` is Gradle's, such as ``:app:compileDebugKotlin``."""

    kind: BuildErrorKind
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    task: str = ""


@dataclass(frozen=True)
class BuildSummary:
    """What the output of a build says. ``errors`` begin with the cause; ``error_count`` counts those that were too
    many to keep as well. ``task`` is the first one that failed, ``seconds`` what the build says it took."""

    verdict: Verdict
    task: str = ""
    seconds: float | None = None
    errors: tuple[BuildError, ...] = ()
    error_count: int = 0
    warning_count: int = 0
