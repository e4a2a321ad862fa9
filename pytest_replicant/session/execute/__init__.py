"""The sending half of every action: the only calls of the driver that touch the app.

Each function is, or makes, one ``Dispatch``: it is given the ``ActionContext`` with the resolved
targets and returns details for the trace. Nothing sent is waited for here, except where an action
is made of gestures.
"""
