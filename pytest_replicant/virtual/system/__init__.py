"""What an Android system keeps for itself: files, the log, packages, settings, properties.

Nothing here knows the phone or its screen; every store is made without arguments and may be used
from any thread.
"""
