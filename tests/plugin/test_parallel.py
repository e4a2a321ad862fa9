from __future__ import annotations

import pytest

from tests.conftest import Run, run_record

from .test_options import traces

pytestmark = pytest.mark.slow


@pytest.mark.ci
def test_every_worker_has_a_phone_and_one_report_holds_all(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytest.importorskip("xdist")
    source = """
    import pytest

    @pytest.mark.parametrize("number", range(4))
    def test_many(mobile, number):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        mobile.tap(text="Forgot password?")
    """
    result = run(source, "-n", "2", "--replicant-output=out")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*ends on an unverified action*"])
    assert len({path.parent.parent for path in traces(pytester.path / "out")}) == 1
    assert len(traces(pytester.path / "out")) == 4
    assert len(run_record(pytester.path)["tests"]) == 4


@pytest.mark.thorough
def test_where_each_worker_runs_each_test_a_failure_is_kept(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytest.importorskip("xdist")
    source = """
    import time

    def test_it(mobile, worker_id):
        assert worker_id != "gw0"
        time.sleep(2)
    """
    result = run(
        source,
        "-n",
        "2",
        "--dist",
        "each",
        "--replicant-device=virtual?latency=0",
        "--replicant-output=out",
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["replicant: 1 failed (1 cause) on virtual-1"])
