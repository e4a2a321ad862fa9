from __future__ import annotations

import asyncio
import contextlib
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.virtual import FileSystem
from pytest_replicant.virtual.shell import expand, syntax
from pytest_replicant.virtual.shell.parse import parse

FILES = FileSystem()
FILES.write("/sdcard/one.txt", b"")
FILES.write("/sdcard/two.txt", b"")
FILES.write("/sdcard/.hidden.txt", b"")


async def nothing(script: syntax.Script) -> str:
    return "captured  text\n\n"


def arguments(line: str, variables: dict[str, str] | None = None) -> list[str]:
    """The words of a line's only command, expanded."""
    command = parse(line).steps[0].pipeline.commands[0]
    assert isinstance(command, syntax.Simple)

    async def expanded(words: tuple[syntax.Word, ...]) -> list[str]:
        return [
            each
            for word in words
            for each in await expand.expand_word(word, variables or {}, nothing, FILES, "/")
        ]

    return asyncio.run(expanded(command.words))


# A zero byte cannot be in an argument of any process.
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(texts, min_size=1))
def test_quoted_words_come_back_exactly(words: list[str]) -> None:
    assert arguments(f"echo {shlex.join(words)}") == [
        "echo",
        *words,
    ]  # "if" alone would be no command


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(texts, min_size=1))
def test_words_in_double_quotes_come_back_exactly(words: list[str]) -> None:
    def quote(word: str) -> str:
        return '"' + "".join(f"\\{each}" if each in '"\\$`' else each for each in word) + '"'

    assert arguments(" ".join(quote(word) for word in words)) == words


@pytest.mark.slow
@settings(deadline=None)
@given(texts)
def test_any_line_is_read_or_refused_and_nothing_else(line: str) -> None:
    with contextlib.suppress(syntax.ShellSyntaxError):
        parse(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("echo a\\ b 'c d' \"e f\"", ["echo", "a b", "c d", "e f"]),
        ("echo '' \"\" x", ["echo", "", "", "x"]),
        ("echo a'b'\"c\"d", ["echo", "abcd"]),
        ("echo it\\'s # comment", ["echo", "it's"]),
        ("echo a#b", ["echo", "a#b"]),
        ("echo \\$HOME '$HOME' \"\\$HOME\"", ["echo", "$HOME", "$HOME", "$HOME"]),
        ('echo $X "$X" ${X}y', ["echo", "1", "2", "1  2", "1", "2y"]),
        ("echo $NOPE ${NOPE:-other}", ["echo", "other"]),
        ("echo $? $", ["echo", "7", "$"]),
        ('echo $(x) "$(x)"', ["echo", "captured", "text", "captured  text"]),
        ("echo 100% %s a=b", ["echo", "100%", "%s", "a=b"]),
        ("ls /sdcard/*.txt", ["ls", "/sdcard/one.txt", "/sdcard/two.txt"]),
        ("ls sdcard/o*", ["ls", "sdcard/one.txt"]),
        ("ls '/sdcard/*.txt' /sdcard/\\*", ["ls", "/sdcard/*.txt", "/sdcard/*"]),
        ("ls /no*", ["ls", "/no*"]),
        ("echo a\\\nb", ["echo", "ab"]),
        ("am start -d http://x.y/?a=1", ["am", "start", "-d", "http://x.y/?a=1"]),
    ],
)
def test_words(line: str, words: list[str]) -> None:
    assert arguments(line, {"X": "1  2", "?": "7"}) == words


def test_steps_pipelines_and_redirections() -> None:
    script = parse("rm -f X; a | b 2>&1 >> log && ! c < in || (d; e) > out &")
    assert [step.when for step in script.steps] == [";", ";", "&&", "||"]
    joined = script.steps[1].pipeline.commands
    assert [len(step.pipeline.commands) for step in script.steps] == [1, 2, 1, 1]
    second = joined[1]
    assert isinstance(second, syntax.Simple)
    assert [(each.descriptor, each.operator) for each in second.redirects] == [(2, "&"), (1, ">>")]
    assert script.steps[2].pipeline.negated
    group = script.steps[3].pipeline.commands[0]
    assert isinstance(group, syntax.Group)
    assert group.own_shell
    assert len(group.script.steps) == 2
    assert group.redirects[0].target == (syntax.Text("out"),)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("echo 'x", "no closing quote"),
        ("echo `x`", "'`' is not known"),
        ("echo $(x", r"no closing '\)'"),
        ("echo )", r"unexpected '\)'"),
        ("a | | b", r"unexpected '\|'"),
        ("a &&", "unexpected 'EOF'"),
        ("echo >", "unexpected 'EOF'"),
        ("cat << END", "unexpected '<<'"),
        ("function f { :; }", "'function' is not known"),
        ("if true; then echo a; fi", "'if' is not known"),
        ("for 1 in a; do :; done", "unexpected '1'"),
        ("case x in x) echo", "unexpected 'EOF'"),
        ("echo a;; echo b", "unexpected ';;'"),
        ("echo ${x!}", "bad substitution"),
        ("(" * 500, "nested too deeply"),
    ],
)
def test_what_the_shell_cannot_read(line: str, problem: str) -> None:
    with pytest.raises(syntax.ShellSyntaxError, match=problem):
        parse(line)
