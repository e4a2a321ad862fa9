"""What stands between this computer, its phones and a test: one file a kind, every check bounded."""
