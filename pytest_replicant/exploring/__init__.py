"""One kept session that agents, people and a paused test drive with the same calls, and that writes the test."""
