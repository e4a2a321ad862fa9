"""One step, from the call in a test to what it returns: one file a stage.

``device_session`` is what a test holds; ``perform`` is the whole flow on one page.
"""
