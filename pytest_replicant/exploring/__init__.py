"""One kept session that agents, people and a test that stands still drive with the same calls, and
that writes the test.

A step is read by ``test_code``, done and recorded by the ``Explorer``, and answered by an
``OpenSession`` after the ``table`` of commands. ``proposals`` are checks, ``writing`` makes the
test. The ``process`` keeps a session for its clients; ``prompt``, ``pausing``, ``inspector`` and
``mcp`` are other ways to the same commands.
"""

# mypy: implicit-reexport
from __future__ import annotations

from ..model import lazy_names

TYPE_CHECKING = False  # each client loads this: the module typing would double its cost
if TYPE_CHECKING:
    from .commands import OpenSession, Phone, Said
    from .explorer import Explorer
    from .given import values_of
    from .inspector.live import LivePage
    from .inspector.server import MOST_BYTES, TOKEN_HEADER, InspectorServer, Source
    from .inspector.sources import KeptTrace, LiveSource
    from .mcp import Reply, Tools
    from .opening import open_session
    from .process.protocol import Refusal, message_of
    from .process.turns import Answer, Request, Turns
    from .prompt import answered
    from .steps import SessionAnswer
    from .table import BY_NAME, COMMANDS

__getattr__, __dir__ = lazy_names(__name__)
