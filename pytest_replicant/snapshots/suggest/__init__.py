"""Suggestions: a selector to write in place of a ref, and advice where a lookup fails."""
