"""Encodes facts as JSON and decodes them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import ModuleType

import msgspec

from frontdesk.core.decision import Fact
from frontdesk.core.unreadable import Unreadable

_encode = msgspec.json.Encoder().encode


class FactJson:
    """Encodes and decodes every kind of fact that the audit may contain."""

    def __init__(self, kinds: Iterable[type[Fact]]) -> None:
        self._decoders: dict[str, msgspec.json.Decoder[Fact]] = {}
        for kind in kinds:
            assert kind.kind not in self._decoders, (
                f"two classes of facts have the kind {kind.kind}"
            )
            self._decoders[kind.kind] = msgspec.json.Decoder(kind)

    def text(self, fact: Fact) -> str:
        assert fact.kind in self._decoders, f"no decoder for {fact.kind}"
        return _encode(fact).decode()

    def fact(self, kind: str, text: str) -> Fact:
        """Decodes a fact. Never fails, so that one bad fact does not hide the others."""
        if (decoder := self._decoders.get(kind)) is None:
            return Unreadable(kind, text, "this version knows no such fact")
        try:
            return decoder.decode(text)
        except msgspec.DecodeError as error:
            return Unreadable(kind, text, str(error))


def facts_in(*modules: ModuleType) -> tuple[type[Fact], ...]:
    """Returns the facts that these modules define. A class without a kind is only a base class."""
    return tuple(
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Fact) and "kind" in vars(each)
    )


@cache
def desk_of(kind: str) -> str:
    """'ev.confirmed' is a fact of the desk 'ev'."""
    return kind.partition(".")[0]
