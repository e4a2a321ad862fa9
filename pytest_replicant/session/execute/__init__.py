"""The sending half of every action: the only calls of the driver that touch the app.

Each function is, or makes, one ``Dispatch``: it is given the ``Hands`` with the awaited targets and returns
details for the trace. What is sent is not waited for here, except where an action is made of several gestures.
"""
