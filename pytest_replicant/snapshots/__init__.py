"""One screen: from the bytes that a phone prints to elements with refs, and what can be asked of them.

In this order, each room knowing those before it: ``text``, ``parsers``, ``screen``, ``naming``, ``identity``; then
``showing`` on one side, ``finding`` and ``advising`` on the other, which know nothing of each other; and
``snapshot`` in front of them all.
"""
