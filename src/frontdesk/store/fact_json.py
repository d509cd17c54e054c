"""Facts as JSON and back."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

import msgspec

from frontdesk.core.decision import Fact
from frontdesk.core.unreadable import Unreadable

_encode = msgspec.json.Encoder().encode


class FactJson:
    """Knows every kind of fact that may lie in the audit."""

    def __init__(self, kinds: Iterable[type[Fact]]) -> None:
        self._decoders: dict[str, msgspec.json.Decoder[Fact]] = {}
        for kind in kinds:
            assert kind.kind not in self._decoders, f"two facts are called {kind.kind}"
            self._decoders[kind.kind] = msgspec.json.Decoder(kind)

    def text(self, fact: Fact) -> str:
        assert fact.kind in self._decoders, f"{fact.kind} could not be read back"
        return _encode(fact).decode()

    def fact(self, kind: str, text: str) -> Fact:
        """Never fails: one bad fact must not hide the others."""
        if (decoder := self._decoders.get(kind)) is None:
            return Unreadable(kind, text, "this version knows no such fact")
        try:
            return decoder.decode(text)
        except msgspec.DecodeError as error:
            return Unreadable(kind, text, str(error))


def facts_in(module: ModuleType) -> tuple[type[Fact], ...]:
    """Every fact that a module defines; those without a kind only lend their fields to others."""
    return tuple(
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Fact) and "kind" in vars(each)
    )
