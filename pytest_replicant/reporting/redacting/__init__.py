"""Secrets out of whatever is reported."""
