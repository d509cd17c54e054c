"""A fact that this version cannot read: written by a newer one, or damaged."""

from __future__ import annotations

from frontdesk.core.decision import Fact


class CannotBeRead(Exception):
    """Trying again does not help; another version may."""


class Unreadable(Fact):
    """Stands in the audit in the place of the fact. It is shown, and nobody acts on it."""

    kind: str  # type: ignore[misc]  # that of the fact, which no class here stands for
    body: str
    """As it is kept."""
    why: str

    @property
    def subject(self) -> str:
        return ""


def read(fact: Fact) -> Fact:
    """The fact itself, for those who act on it."""
    if isinstance(fact, Unreadable):
        raise CannotBeRead(f"{fact.kind}: {fact.why}")
    return fact
