"""A fact that this version cannot read: written by a newer one, or damaged."""

from __future__ import annotations

from frontdesk.core.decision import Fact


class CannotBeRead(Exception):
    """This version cannot read the fact. A retry does not help; another version may."""


class Unreadable(Fact):
    """Replaces the fact when it is read from the audit. Pages show it; no follower acts on it."""

    kind: str  # type: ignore[misc]  # the kind of the fact, for which there is no class
    body: str
    """The JSON text in the store."""
    why: str

    @property
    def subject(self) -> str:
        return ""


def read(fact: Fact) -> Fact:
    """Returns the fact. Raises `CannotBeRead` if it is unreadable."""
    if isinstance(fact, Unreadable):
        raise CannotBeRead(f"{fact.kind}: {fact.why}")
    return fact
