"""The device model: what runs, what is on the screen, and what fingers and keys do to it."""
