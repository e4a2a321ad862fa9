"""From labels to elements with refs, which screen this is, and where an element of an earlier one is now."""
