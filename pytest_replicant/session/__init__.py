"""What a test holds, and how one of its steps is done.

From the top: ``device_session`` is what the test holds; ``actions`` build a step and ``perform`` does it, asking
``recover`` where it failed and ``guard`` before anything is sent twice; ``expectation`` is what comes back, and
``checks`` judge ``claims``. Below these, a room for each stage: ``aiming`` at an element, ``execute`` (what is
sent), ``settling`` (reading until reads agree), ``promises`` (what an action answers for itself), ``aftermath``
(what the log knows of it), ``recording`` (the trace), and ``scopes`` (what holds for a part of a test).
"""
