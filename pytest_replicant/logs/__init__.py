"""Device logs, read into values."""
