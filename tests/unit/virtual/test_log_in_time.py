"""What is due by now is in the log, whether anybody looked at the screen or not."""

from __future__ import annotations

import pytest

from .notes_phone import make_phone, sh


def test_the_date_is_the_logs() -> None:
    phone = make_phone()
    phone.log.now = lambda: 86_400.0
    assert sh(phone, "date +%s").out.strip() == "86400"


@pytest.mark.slow
def test_a_log_that_is_listened_to_is_quiet_only_where_a_phones_is() -> None:
    phone = make_phone()
    assert "WifiNl80211Manager" in sh(phone, "logcat -c; logcat -m 1").out
    for quiet in ("-b crash", "-s NoOne", "'*:E'", "--pid 1", "-e nothing"):
        assert sh(phone, f"logcat -c; timeout 0.3 logcat {quiet}; logcat -d").out == ""
