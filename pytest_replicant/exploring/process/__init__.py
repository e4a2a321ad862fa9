"""The process that keeps a phone between the commands of one session, and what its thin client needs of it.

``records``, ``wire`` and ``asking`` are imported by the client as well, so they import little themselves.
"""
