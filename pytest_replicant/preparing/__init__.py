"""What is there before the first test: an app that is built and installed, emulators that have booted."""
