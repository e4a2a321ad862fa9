from __future__ import annotations

import json
import time
import pytest

from pytest_replicant.session import recover
from pytest_replicant.reporting.artifacts.schema import trace_schema
import jsonschema
from .leaks import Held, left_since, left_in, left_on, leased
from .stage import Stage
from . import strikes
from .table import ROWS


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_it(row, pytester, monkeypatch, tmp_path):
    monkeypatch.setattr(recover, "RECONNECT_SECONDS", row.patience)
    temp = tmp_path / "temp"
    temp.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temp))
    before = Held.now()
    stage = Stage(pytester.path, row.boot_ms)
    stage.open()
    strikes.package(stage)
    stage.strike = lambda: row.strike(stage)
    if row.at_setup:
        stage.strike()
    b = time.monotonic()
    r = stage.run(pytester, row.source)
    print("TOOK", time.monotonic() - b, "EXIT", r.ret)
    print("LEASED", leased(f"adb://127.0.0.1:{stage.port}/virtual-1"))
    print("PHONE", left_on(stage.phone))
    stage.close()
    print("LEFT", left_since(before), left_in(temp))
    for p in (pytester.path / "out").rglob("*"):
        print(p.relative_to(pytester.path))
    for p in (pytester.path / "out").glob("*/*/trace.json"):
        d = json.loads(p.read_text())
        print(
            "TRACE",
            d["test"],
            "RECOV",
            d["recoveries"],
            "DEATHS",
            d["deaths"],
            "FAIL",
            d["failures"],
            "WARN",
            d["warnings"],
            "LOGS",
            len(d["logs"]),
        )
        jsonschema.Draft202012Validator(trace_schema()).validate(d)
