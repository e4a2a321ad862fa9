"""The checks: each ``expect_*``, the wait for it, and the message where it fails."""
