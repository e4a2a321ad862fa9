"""Whether a test can begin on a phone."""
