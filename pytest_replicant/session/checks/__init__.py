"""The checks: each ``expect_*``, what it looks at, how it is awaited, and the message where it fails."""
