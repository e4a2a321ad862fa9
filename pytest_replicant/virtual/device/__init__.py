"""The device model: running apps, the screen, and the effects of fingers and keys."""
