"""Output of builds in our own words, and what is read in it."""

from __future__ import annotations

from pytest_replicant.logs import BuildError, BuildSummary, read_build_output


def read(output: str) -> BuildSummary:
    return read_build_output(output.splitlines(keepends=True))


def only(output: str) -> BuildError:
    summary = read(output)
    assert len(summary.errors) == summary.error_count == 1, summary
    return summary.errors[0]


def place(error: BuildError) -> tuple[str | None, int | None, int | None]:
    return error.file, error.line, error.column


FAILED = """
FAILURE: Build failed with an exception.

* What went wrong:
{what}

* Try:
> Run with --stacktrace option to get the stack trace.

BUILD FAILED in 1m 5s
7 actionable tasks: 7 executed
"""
COMPILE_FAILED = FAILED.format(
    what="Execution failed for task ':app:compileDebugKotlin'.\n"
    "> A failure occurred while executing org.example.Work\n"
    "   > Compilation error. See log for more details"
)


JAVA = """\
> Task :app:compileDebugJavaWithJavac FAILED
/src/Cart.java:12: error: cannot find symbol
        Totl total;
        ^
  symbol:   class Totl
  location: class Cart
/src/Cart.java:20: error: ';' expected
int x = 1
         ^
/src/Cart.java:30: warning: [deprecation] old() in Cart has been deprecated
Note: Some input files use unchecked operations.
2 errors
1 warning

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:compileDebugJavaWithJavac'.
> Compilation failed; see the compiler output below.
  /src/Cart.java:12: error: cannot find symbol
          Totl total;
          ^
    symbol:   class Totl
    location: class Cart
  2 errors

* Try:
> Run with --info option to get more log output.

BUILD FAILED in 3s
"""
