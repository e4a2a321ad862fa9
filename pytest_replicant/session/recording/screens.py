"""The screens of a test and their pictures, in a temporary file that only the report reads: memory
stays bounded.

A disk that is full costs a test evidence, never its result: what does not fit is reported, and the
rest goes on.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import FileIO
from typing import Generic, TypeVar

from ...drivers import png_size
from ...errors import DeviceError, SnapshotError
from ...model import Redactor, Screenshot, ShownElement, SnapshotRecord, Strings
from ...snapshots import Snapshot
from .failures import structure_of
from .secret_fields import SecretFields, blank

T = TypeVar("T")

SHARED_FOR_MS = 1_000  # from the read before a picture to that of the last screen that shares it
MOST_SCREENSHOTS = (
    300  # a test; further steps go without a picture, which keeps a long test's report openable
)


@dataclass(frozen=True)
class Keeping:
    """How a test is reported: what hides its secrets, where its page will be, "" for nowhere, a
    callback for each picture, and the titles of the groups that it stands in."""

    redactor: Redactor = field(default_factory=Redactor)
    page: Callable[[], str] = str
    picture_taken: Callable[[bytes], object] | None = None
    groups: Sequence[str] = ()


@dataclass(eq=False)
class Screens:
    """The screens of a test and their pictures. ``take`` takes one, ``gestures`` counts what was
    sent. If it is ``sparing`` of pictures, only a failure is worth one. If none is ``kept``,
    secrets are learned all the same."""

    _keeping: Keeping
    _take: Callable[[], bytes] | None
    _gestures: Callable[[], int]
    kept: bool
    _sparing: bool

    def __post_init__(self) -> None:
        self.secret_fields = SecretFields(self._keeping.redactor)
        self._spool = Spool()
        self.snapshots: Spooled[SnapshotRecord] = Spooled(self._spool)
        self.pictures: Spooled[Screenshot] = Spooled(self._spool)
        self._pictured: tuple[Snapshot, object] | None = (
            None  # the screen of the last picture, and what it showed
        )

    def keep(self, snapshot: Snapshot, source: bytes) -> None:
        """Keeps a screen that was read, and learns the secrets that it shows."""
        self.secret_fields.learn(snapshot)
        if not self.kept:
            return
        record = SnapshotRecord(
            snapshot.id,
            snapshot.screen,
            snapshot.fingerprint,
            snapshot.outline(),
            source,
            snapshot.captured_at_ms,
            snapshot.size,
            snapshot.screen_key,
            snapshot.app,
            tuple(
                ShownElement(one.ref, one.class_name, one.label, one.bounds)
                for one in snapshot.elements
            ),
            snapshot.scale,
            structure_of(snapshot),
            snapshot.dialog,
        )
        self.snapshots.put(
            snapshot.id, record, replace(record, source=b"", outline="", elements=())
        )

    def keep_picture(
        self, snapshot: Snapshot, taken: bytes | None = None, *, failed: bool = False
    ) -> None:
        """Takes the picture that belongs to a snapshot, once, or keeps one that was taken, with
        secrets painted over. The next read of a screen that stays as it is, without a gesture in
        between, shares it."""
        if (
            self._take is None
            or snapshot.id in self.pictures
            or len(self.pictures) >= MOST_SCREENSHOTS
        ):
            return
        if self._sparing and taken is None and not failed:
            return
        looks = [
            (one.identity, one.label, one.value, one.states, one.bounds)
            for one in snapshot.elements
        ]
        shown = (self._gestures(), len(self._keeping.redactor.known), snapshot.fingerprint, looks)
        if taken is None and (same := self._shared(snapshot, shown)) is not None:
            self.pictures.put_again(snapshot.id, same)
            return
        self._pictured = snapshot, shown
        try:
            png = blank(taken or self._take(), snapshot, self._keeping.redactor)
        except (DeviceError, SnapshotError):
            return
        self.pictures.put(snapshot.id, Screenshot(png, *png_size(png)))
        if self._keeping.picture_taken is not None:
            self._keeping.picture_taken(png)

    def _shared(self, snapshot: Snapshot, shown: object) -> str | None:
        """The id of the screen whose picture shows this one as well."""
        same, then = self._pictured or (None, None)
        if not same or then != shown or same.id not in self.pictures:
            return None
        return same.id if snapshot.captured_at_ms - same.captured_at_ms <= SHARED_FOR_MS else None

    @property
    def losses(self) -> Strings:
        """What the disk refused, in words."""
        lost = self._spool.lost
        return (f"{lost} screens or pictures were not kept: {self._spool.problem}",) if lost else ()

    def close(self) -> None:
        self._spool.close()


class Spool:
    """Bytes on disk by position. The file has no name, so that it is gone however the run ends.

    ``problem`` says why something could not be kept, "" as long as everything was; ``lost`` counts
    it.
    """

    def __init__(self) -> None:
        self.problem = ""
        self.lost = 0
        self._file: FileIO | None = (
            None  # unbuffered: what was written is there, and an error comes at once
        )
        self._end = 0

    def put(self, data: bytes) -> tuple[int, int] | None:
        """Where it went: offset and length; None if it could not be kept."""
        try:
            file = self._opened()
            file.seek(self._end)
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as error:
            self.problem = self.problem or f"temporary files: {error.strerror or error}"
            self.lost += 1
            return None
        place = (self._end, len(data))
        self._end += len(data)
        return place

    def get(self, place: tuple[int, int]) -> bytes:
        """Raises OSError where it cannot be read back."""
        file = self._opened()
        file.seek(place[0])
        data = file.read(place[1])
        if len(data) < place[1]:
            raise OSError("the temporary file of the trace is shorter than what was written to it")
        return data

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _opened(self) -> FileIO:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="replicant-", buffering=0)  # noqa: SIM115  # as long as the spool
        return self._file


class Spooled(Mapping[str, T], Generic[T]):
    """Values in a spool by key, read back when looked at. Only this process ever wrote the file."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._places: dict[str, tuple[int, int] | T] = {}

    def put(self, key: str, value: T, instead: T | None = None) -> None:
        """Keeps a value. Where the disk refuses it, ``instead`` stays in memory in its place, if
        there is one."""
        place = self._spool.put(pickle.dumps(value))
        if place is not None:
            self._places[key] = place
        elif instead is not None:
            self._places[key] = instead

    def put_again(self, key: str, known: str) -> None:
        """Keeps the value of a key that is known under another one as well."""
        self._places[key] = self._places[known]

    def __getitem__(self, key: str) -> T:
        place = self._places[key]
        if not isinstance(place, tuple):
            return place
        value: T = pickle.loads(self._spool.get(place))
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
