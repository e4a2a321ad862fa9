"""``trace.zip``: a test's trace in the format that Playwright's trace viewer opens."""
