"""The process that holds a session, the protocol by which it is asked, and what its thin client
needs of it.

``records`` and ``protocol`` are imported by the client as well, so they import little themselves.
"""
