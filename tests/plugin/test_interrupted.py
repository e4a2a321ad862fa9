"""Ctrl-C in mid-test: what the test did until then is in its trace, and the run has its index."""

from __future__ import annotations

import pytest

from tests.conftest import Run, run_record, trace_records

from .test_options import traces

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("pytest.exit('enough of it')", "enough of it"),
    ],
)
@pytest.mark.parametrize("where", ["test", "teardown"])
def test_the_interrupted_test_is_recorded(
    run: Run, pytester: pytest.Pytester, statement: str, told: str, where: str
) -> None:
    result = run(
        f"""
        import pytest

        @pytest.fixture
        def late(mobile):
            yield
            mobile.snapshot()
            if {where == "teardown"}:
                {statement}

        def test_it(mobile, late):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            mobile.soft.expect_visible(text="Nowhere")
            if {where == "test"}:
                {statement}
        """,
        "--replicant-output=out",
        "--alluredir=allure",
        "--html=report.html",
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "INTERNALERROR" not in result.stdout.str()
    assert "ResourceWarning" not in result.stderr.str()
    (document,) = trace_records(pytester.path)
    assert document["test"]["outcome"] == ("error" if where == "test" else "failed")
    assert any(told in failure["message"] for failure in document["failures"])
    assert any('text="Nowhere"' in failure["message"] for failure in document["failures"])
    assert [event["title"].split(" ")[0] for event in document["events"]] == [
        "launch",
        "expect_screen",
        "expect_visible",
    ]
    assert len(traces(pytester.path / "out", "trace.html")) == 1
    (row,) = run_record(pytester.path)["tests"]
    assert row["outcome"] == document["test"]["outcome"]
    result.stdout.fnmatch_lines(["report: out/*/index.html"])
