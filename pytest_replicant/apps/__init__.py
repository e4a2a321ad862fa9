"""The app under test: what its package says, building it, and the emulator that it may run on."""
