"""Phones and apps made ready: build, emulators and shared phones of a run; app, settings and reset
of a phone."""
