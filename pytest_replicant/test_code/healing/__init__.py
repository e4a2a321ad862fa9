"""Locators that no longer find their element: found again by identity, and proposed as a patch to
review."""
