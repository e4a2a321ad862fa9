"""The device log of a test: its lines, the crashes in it, and the probable outcome of an action."""
