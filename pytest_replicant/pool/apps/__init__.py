"""The app under test: its package, its build, and the emulator that it may run on."""
