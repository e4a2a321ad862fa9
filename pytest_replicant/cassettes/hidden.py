"""``HiddenTexts``: what stands, in a replay, for texts that its recording does not show."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..model import MASK, Redactor
from .tape import between, stand_in


class HiddenTexts:
    """Secrets and what patterns hide. ``lengths`` are those of the recorded secrets, by their numbers; ``newest``
    is the number of the secret that the test used last, ``compared`` whether it has compared a hidden text."""

    def __init__(self, lengths: Sequence[int], redactor: Redactor) -> None:
        self.newest = 0
        self.compared = False
        self._lengths = lengths
        self._redactor = redactor
        self._patterns = redactor.without_secrets()
        self.numbers: dict[str, int] = {}  # of the secrets so far, in the clear
        self._used: dict[str, str] = {}
        self._own = 0

    def secret(self, value: str) -> str:
        """What stands for a secret: itself, or where the one that was recorded in its place had another length,
        letters that no screen shows."""
        if value not in self.numbers:
            self.numbers[value] = self._own
            self._own += 1
        number = self.newest = self.numbers[value]
        length = self._lengths[number] if number < len(self._lengths) else len(value)
        used = self._used[value] = value if len(value) == length else stand_in(number) * length
        self._redactor.add(value)
        self._redactor.add(used)
        return used

    def text(self, value: str) -> str:
        """A text of the test's as the recorded screens have it: without what patterns hide."""
        known = [one for one in self._used if one and one in value]
        if not known:
            hidden = self._patterns.text(value)
            self.compared |= hidden != value
            return hidden
        parts = re.split("(" + "|".join(map(re.escape, sorted(known, key=len, reverse=True))) + ")", value)
        return "".join(self._used[one] if one in self._used else self._patterns.text(one) for one in parts)

    def learn(self, text: str, recorded: str) -> None:
        """Of a plain text with a secret of another test, what was hidden in it. ``recorded`` is how it was typed
        then, with a letter that stands for the secret."""
        numbers = [one for one in range(len(self._lengths)) if stand_in(one) in recorded]
        found = between(recorded.split(stand_in(numbers[0])), text) if len(numbers) == 1 else None
        known = {number: value for value, number in self.numbers.items()}
        if not found or {*found} != {found[0]} or len(found[0]) != self._lengths[numbers[0]]:
            return
        if known.get(numbers[0], found[0]) == found[0]:  # else it is another text than it was before
            self.numbers.setdefault(found[0], numbers[0])
            self._used.setdefault(found[0], found[0])
            self._redactor.add(found[0])
            self.compared = True

    def shown(self, data: bytes, masks: Sequence[int]) -> bytes:
        """A blob with what stands for the secrets in the places of their ``masks``."""
        parts = data.decode("utf-8", "surrogateescape").split(MASK)
        used = {one: stand_in(one) * length for one, length in enumerate(self._lengths)}
        used |= {number: self._used[value] for value, number in self.numbers.items()}
        shown = [used.get(one, MASK) for one in masks]
        shown += [MASK] * (len(parts) - 1 - len(shown))
        whole = parts[0] + "".join(f"{one}{part}" for one, part in zip(shown, parts[1:], strict=False))
        return whole.encode("utf-8", "surrogateescape")
